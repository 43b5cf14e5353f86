# SPDX-License-Identifier: MIT
"""Files that are no trace, or only a part of one: every verb says so, and shows what is whole."""

import bz2
import dataclasses
import gzip
import lzma
import os
import random
import struct
import subprocess

import support
from support import LOOKING_VERBS, Case, crc32c, wavetape

# How each verb that takes a trace is called; FILE stands for it.
VERBS = {verb: (verb, "FILE") for verb in LOOKING_VERBS}
VERBS["verify"] = ("verify", "FILE")
VERBS["verify --fixpoint"] = ("verify", "--fixpoint", "FILE")
VERBS["replay"] = ("replay", "FILE", "--", "true")


def call(verb, path, **options):
    return wavetape(*(path if word == "FILE" else word for word in VERBS[verb]), **options)


class NotATrace(Case):
    def refuse(self, path, why):
        for verb in VERBS:
            with self.subTest(verb=verb):
                self.expect(call(verb, path), 1, "",
                            f"wavetape: cannot read the trace: {path}: {why}\n")

    def test_missing(self):
        self.refuse(self.directory / "absent.wtape", "No such file or directory")

    def test_directory(self):
        self.refuse(self.directory, "it is a directory")

    def test_device(self):
        self.refuse("/dev/zero", "it is not a regular file")

    def test_pipe_without_a_writer(self):
        path = self.directory / "pipe"
        os.mkfifo(path)
        self.refuse(path, "it is not a regular file")

    def test_empty(self):
        path = self.directory / "empty.wtape"
        path.touch()
        self.refuse(path, "it is not a wavetape trace: it is empty")

    def test_files_that_are_known(self):
        """What a file is that was sent or named by mistake, and what to do with it."""
        whole = self.trace("vecadd").read_bytes()
        for name, data, why in (
                ("gz", gzip.compress(whole), "it is a gzip file: unpack it first"),
                ("bz2", bz2.compress(whole), "it is a bzip2 file: unpack it first"),
                ("xz", lzma.compress(whole), "it is an xz file: unpack it first"),
                ("zip", b"PK\x03\x04" + bytes(20), "it is a zip file: unpack it first"),
                ("short", gzip.compress(b""), "it is a gzip file: unpack it first"),
                ("zst", subprocess.run(["zstd", "-qc"], input=b"text" * 1000, check=True, capture_output=True).stdout,
                 "it is a zstd file of something else"),
                ("elf", (support.TREE.kernels / "vecadd.co").read_bytes(),
                 "it is an ELF file; `wavetape record --core` makes a trace of a GPU core file")):
            path = self.directory / name
            path.write_bytes(data)
            self.refuse(path, f"it is not a wavetape trace: {why}")

    def test_other_files(self):
        text = self.directory / "text"
        text.write_text("wavetape\n" * 1000, encoding="utf-8")
        packed = self.directory / "text.zst"
        subprocess.run(["zstd", "-q", text, "-o", packed], check=True)
        for path in (text, packed, support.TREE.kernels / "vecadd.co",
                     support.TREE.workload("vecadd")):
            with self.subTest(file=path):
                for verb in VERBS:
                    result = call(verb, path)
                    self.assertEqual((result.code, result.stdout), (1, ""), verb)
                    self.assertRegex(result.stderr, rf"\Awavetape: cannot read the trace: {path}: "
                                                    r"it is not a wavetape trace[^\n]*\n\Z")


class Damaged(Case):
    """What is left of a trace can be looked at, and the exit code says that it is not all."""

    def setUp(self):
        super().setUp()
        self.whole = self.trace("oob-store").read_bytes()
        self.fine = {verb: call(verb, self.trace("oob-store")) for verb in ("journal", "info")}
        self.path = self.directory / "damaged.wtape"

    def ends_in_order(self, verb, result, what):
        """Fine only if nothing of what was asked for is missing; else partial or refused, and said."""
        self.assertIn(result.code, (0, 1, 3), f"{verb}, {what}: {result.stderr}")
        if result.code:
            self.assertRegex(result.stderr, r"\Awavetape: [^\n]+: [^\n]+", f"{verb}, {what}")
        self.assertNotIn("ERROR: AddressSanitizer", result.stderr)
        self.assertNotIn("runtime error", result.stderr)
        if result.code == 0 and verb == "journal":
            self.assertEqual(result.stdout, self.fine["journal"].stdout, what)

    def cuts(self, count):
        size = len(self.whole)
        return sorted({*range(1, 200, 37), *range(0, size, max(1, size // count)), size - 1})

    def test_cut_anywhere(self):
        lines = self.fine["journal"].stdout.splitlines()
        opened = 0
        cuts = support.share(self.cuts(40))
        for cut in cuts:
            self.path.write_bytes(self.whole[:cut])
            result = call("journal", self.path)
            self.assertIn(result.code, (1, 3), f"cut at {cut}: {result.stderr}")
            self.ends_in_order("journal", result, f"cut at {cut}")
            if result.code == 1:
                self.assertEqual(result.stdout, "", cut)
                continue
            opened += 1
            self.assertIn("wavetape: the trace is not whole: ", result.stderr)
            shown = [line for line in result.stdout.splitlines() if "did not return" not in line]
            # A call whose end is lost has no answer to show.
            for line, expected in zip(shown, lines):
                self.assertTrue(expected.startswith(line), (cut, line, expected))
        self.assertGreater(opened, len(cuts) // 4)

    def test_cut_seen_by_every_verb(self):
        for cut in support.share(self.cuts(6)):
            self.path.write_bytes(self.whole[:cut])
            for verb in VERBS:
                result = call(verb, self.path)
                self.ends_in_order(verb, result, f"cut at {cut}")
                self.assertNotEqual(result.code, 0, f"{verb}, cut at {cut}")

    def test_the_end_alone_is_missing(self):
        """Without its last byte everything is still there, but the trace does not say that it ended."""
        self.path.write_bytes(self.whole[:-1])
        result = call("info", self.path)
        self.assertEqual(result.code, 3, result.stderr)
        self.assertIn("memory violation in kernel oob_store", result.stdout)

    def test_flipped_bits(self):
        generator = random.Random(1)
        size = len(self.whole)
        for place in support.share([0, 5, 17, *(generator.randrange(size) for _ in range(40))]):
            damaged = bytearray(self.whole)
            damaged[place] ^= 1 << generator.randrange(8)
            self.path.write_bytes(damaged)
            for verb in ("journal", "info"):
                self.ends_in_order(verb, call(verb, self.path), f"bit flipped at {place}")

    def test_holes(self):
        """A page of zeros, as a file system may leave it after power was lost."""
        for start in support.share(range(0, len(self.whole), max(1, len(self.whole) // 10))):
            damaged = bytearray(self.whole)
            damaged[start : start + 4096] = bytes(len(damaged[start : start + 4096]))
            self.path.write_bytes(damaged)
            for verb in VERBS:
                self.ends_in_order(verb, call(verb, self.path), f"zeros at {start}")

    def test_two_files_in_one(self):
        self.path.write_bytes(self.whole + self.whole)
        for verb in VERBS:
            self.ends_in_order(verb, call(verb, self.path), "twice")

    def test_random_bytes_behind_a_good_head(self):
        generator = random.Random(2)
        self.path.write_bytes(self.whole[:128] + generator.randbytes(20000))
        for verb in VERBS:
            result = call(verb, self.path)
            self.ends_in_order(verb, result, "random bytes")
            self.assertNotEqual(result.code, 0, verb)


def varint(number):
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def field(number, value):
    """A protobuf field: a number, or bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


FILE, CHUNK, HEAD, REQUIRED, SKIPPABLE = 1, 2, 128, 1, 0x184D2A57


def head(kind, offset, sequence=0, fields=b"", payload=b""):
    data = struct.pack("<II8sHHIQQQ64sQI", SKIPPABLE, HEAD - 8, b"WTAPE\x01\r\n", kind, REQUIRED, 0, sequence,
                       len(payload), offset, fields, 0, crc32c(payload))
    return data + struct.pack("<I", crc32c(data))


class Work(Case):
    """A small file, made so that to read all of it would take long."""

    MOMENTS, COPIES, BLOB = 150, 400, 100 << 10

    def packets(self):
        """One blob, and keyframes with items that each take all of it but the last byte, which makes a copy."""
        yield field(3, field(3, bytes(self.BLOB)))
        items = b"".join(field(11, field(1, 3) + field(3, owner) + field(9, 1) + field(10, self.BLOB - 1))
                         for owner in range(1, self.COPIES + 1))
        for number in range(self.MOMENTS):
            yield field(8, field(1, number) + field(6, 1) + items)

    def write(self, path):
        raw = b"".join(field(1, packet) for packet in self.packets())
        path.write_bytes(raw)
        payload = subprocess.run(["zstd", "-c", "--no-check", path], capture_output=True, check=True).stdout
        fill = -(len(payload) + 8) % HEAD
        payload += struct.pack("<II", SKIPPABLE, fill) + bytes(fill)
        fields = struct.pack("<QQQ10I", len(raw), 0, 1, 1, 1, 0, self.MOMENTS - 1, 1 + self.MOMENTS, 0, 1, 0,
                             self.MOMENTS, 1 << 3 | 1 << 8)
        path.write_bytes(head(FILE, 0, 0, bytes(16) + struct.pack("<HH", 1, 2)) +
                         head(CHUNK, HEAD, 1, fields, payload) + payload)

    def test_what_reading_all_of_it_may_cost(self):
        path, output = self.directory / "work.wtape", self.directory / "output.wtape"
        self.write(path)
        self.assertLess(path.stat().st_size, 16 << 10)
        for arguments in (("check", path), ("check", path, "--budget", "1"), ("recover", path, "-o", output)):
            result = wavetape(*arguments)
            self.assertEqual((result.code, result.stdout), (1, ""))
            self.assertRegex(result.stderr, rf"wavetape: cannot read the trace: {path}: to read all of its "
                                            r"\d+ bytes, more than \d+ bytes would have to be decoded\n\Z")
        self.assertFalse(output.exists())
        # It can be read, by who wants to, and by those that do not read all of it.
        self.assertEqual(wavetape("check", path, "--budget", "8").code, 3)
        self.assertEqual(wavetape("stops", path).code, 3)


class Clients(Case):
    """A client without the command above it, whose environment names nothing that can be replayed."""

    def attach_fails(self, library, **variables):
        result = self.client(library, **variables)
        self.assertEqual(result.code, 1, result.stderr)
        self.assertEqual(result.stderr, "")
        self.assertIn("FAILED ", result.stdout)

    def test_no_trace(self):
        self.attach_fails("replay")

    def test_missing_trace(self):
        self.attach_fails("replay", WAVETAPE_TRACE=self.directory / "absent.wtape")

    def test_not_a_trace(self):
        self.attach_fails("replay", WAVETAPE_TRACE=support.TREE.workload("vecadd"))

    def test_no_workload(self):
        self.attach_fails("simulated")

    def test_missing_workload(self):
        self.attach_fails("simulated", WAVETAPE_WORKLOAD=self.directory / "absent.json")

    def test_wrong_workload(self):
        self.attach_fails("simulated", WAVETAPE_WORKLOAD=support.TREE.workload("bad-wrong-kernel"))

    def test_missing_library_to_wrap(self):
        self.attach_fails("record", WAVETAPE_DBGAPI=self.directory / "absent.so",
                          WAVETAPE_TRACE=self.directory / "t.wtape",
                          WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))

    def test_the_recorder_never_wraps_itself(self):
        self.attach_fails("record", WAVETAPE_DBGAPI=support.TREE.libraries["record"],
                          WAVETAPE_TRACE=self.directory / "t.wtape",
                          WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))

    def test_trace_that_cannot_be_written(self):
        """The client goes on as without a recording; its log, which is its own, says what is missing."""
        workload = support.TREE.workload("oob-store")
        live = self.client("simulated", WAVETAPE_WORKLOAD=workload)
        self.assertEqual(live.code, 0)
        for trace in (self.directory / "absent" / "t.wtape", self.directory, "/dev/full"):
            with self.subTest(trace=trace):
                recorded = self.client("record", WAVETAPE_TRACE=trace, WAVETAPE_WORKLOAD=workload,
                                       WAVETAPE_DBGAPI=support.TREE.libraries["simulated"])
                stdout, logged = support.without_log(recorded.stdout)
                self.assertEqual((recorded.code, stdout, recorded.stderr), dataclasses.astuple(live))
                self.assertRegex(logged, rf"\Alog 2: wavetape: cannot create the trace: {trace}: "
                                         r"[^\n]+\n\Z")

    def test_no_trace_asked_for(self):
        workload = support.TREE.workload("oob-store")
        live = self.client("simulated", WAVETAPE_WORKLOAD=workload)
        recorded = self.client("record", WAVETAPE_WORKLOAD=workload,
                               WAVETAPE_DBGAPI=support.TREE.libraries["simulated"])
        self.assertEqual(recorded, live)


if __name__ == "__main__":
    support.main(__doc__)
