# SPDX-License-Identifier: MIT
"""Traces as files: replayed with 0 differences, reproducible, and readable by standard tools."""

import os
import re
import shutil
import struct
import subprocess
import sys

import support
from support import Case

WORKLOADS = (
    "assert-trap", "assert-trap-O0", "debug-trap", "divergent", "geometry", "histogram", "illegal",
    "illegal-O0", "matmul", "matmul-short-buffer", "oob-load", "oob-load-O0", "oob-store",
    "oob-store-O0", "oob-store-clean", "private-sort", "reduce", "saxpy", "scan", "two-agents",
    "two-kernels", "two-queues", "vecadd",
)


class Verify(Case):
    def test_no_difference(self):
        for name in support.share(WORKLOADS):
            with self.subTest(workload=name):
                report = self.json("verify", self.trace(name))
                self.assertEqual(report["differences"], {"count": 0, "first": []})
                self.assertEqual((report["not_driven"], report["unfinished"]), (0, False))
                self.assertEqual(report["calls"], self.json("info", self.trace(name))["calls"])
                self.assertGreater(report["bytes"], 100)

    def test_text(self):
        self.assertRegex(
            self.wavetape("verify", "--fixpoint", self.trace("oob-store")),
            r"\Ain step: (\d+ calls, \d+ callbacks, \d+ output bytes) compared: 0 differences\n"
            r"from state: \1 compared: 0 differences\n"
            r"recording the replay gives the same trace: yes \(0 differences\)\n\Z")

    def test_room(self):
        """A library that asks for more memory than it fills, as AMD's does: nothing is lost of what it says."""
        trace, listed = self.directory / "room.wtape", {}
        for room in ({}, {"STAND_IN_ROOM": "1"}):
            self.wavetape("record", "-o", trace, "--dbgapi", support.TREE.libraries["stand-in"], "--", support.TREE.client, stdout=None,
                          WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"), STAND_IN_OF=support.TREE.libraries["simulated"], **room)
            text = self.wavetape("journal", trace)
            listed[len(room)] = re.findall(r"wave_register_list\([^\n]*\n +[^\n]*allocate_memory\((\d+)\)", text)
            report = self.json("verify", trace)
            self.assertEqual((report["differences"]["count"], report["from_state"]["differences"]["count"]), (0, 0), report)
        self.assertTrue(listed[0])
        self.assertEqual([int(size) + 24 for size in listed[0]], [int(size) for size in listed[1]])


class Parts(Case):
    """Not all of a session is in the trace: what is there is compared, and that it is not all is said."""

    def setUp(self):
        super().setUp()
        self.path = self.directory / "part.wtape"

    def record(self, *arguments):
        self.path.unlink(missing_ok=True)
        result = support.wavetape("record", "--reproducible", "-o", self.path, *arguments, "--workload",
                                  support.TREE.workload("oob-store"))
        self.assertEqual(result.code, 3, result.stderr)

    def session(self, options):
        self.path.unlink(missing_ok=True)
        result = self.client("record", "--break", "matmul", "--steps", "4", WAVETAPE_TRACE=self.path,
                             WAVETAPE_OPTIONS=options, WAVETAPE_DBGAPI=support.TREE.libraries["simulated"],
                             WAVETAPE_WORKLOAD=support.TREE.workload("matmul"))
        self.assertEqual(result.code, 0, result.stderr)

    def refuse_fixpoint(self, why, told=""):
        self.wavetape("verify", "--fixpoint", self.path, code=2, stdout="",
                      stderr=f"{told}wavetape: cannot record the replay: {self.path}: {why}; leave --fixpoint out\n")

    def check_cut(self, reason):
        """Compared is what came before the end, without a difference. Return: the report."""
        told = f"wavetape: the recording ended early: {self.path}: {reason}\n"
        report = self.json("verify", self.path, code=3, stderr=told)
        self.assertEqual(report["differences"], {"count": 0, "first": []})
        calls = self.json("info", self.path, code=3, stderr=told)["calls"]
        self.assertEqual(report["calls"] + report["not_driven"] + report["unfinished"], calls)
        if "lost" in report:
            self.assertEqual(report["lost"], {"call": report["calls"] + 1,
                                              "why": f"the recording ended early: {reason}"})
        self.refuse_fixpoint("its recording ended early", told)
        return report

    def test_no_room(self):
        self.record("--min-free=99999G")
        self.assertEqual(self.check_cut("disk budget spent")["calls"], 2)
        self.wavetape(
            "verify", self.path, code=3,
            stdout="in step: 2 calls, 0 callbacks, 0 output bytes compared: 0 differences\n"
                   "from state: 2 calls, 0 callbacks, 0 output bytes compared: 0 differences\n"
                   "call 3 and those after it cannot be compared: the recording ended early: disk budget spent\n"
                   "1 call could not be made again\n",
            stderr=f"wavetape: the recording ended early: {self.path}: disk budget spent\n")

    def test_no_bytes(self):
        """
        The attach may be the last of it, or have come with what it brought. The library takes less than the command, which
        asks for what any recording needs.
        """
        lost = set()
        for size in range(104, 140, 4):
            with self.subTest(size=size):
                self.session(f"max-bytes={size}K")
                lost.add(self.check_cut("byte budget spent").get("lost", {"call": None})["call"])
        self.assertEqual(lost, {None, 4})

    def test_no_bytes_for_a_session(self):
        """About every fourth size ends in the middle of a call; which ones do depends on the clock. Others follow if none did."""
        unfinished = 0
        sizes = (*range(150, 222, 6), 260)
        for number, size in enumerate((*sizes, *range(153, 222, 6))):
            if unfinished and number >= len(sizes) / support.SHARE:
                break
            with self.subTest(size=size):
                self.session(f"max-bytes={size}K")
                unfinished += self.check_cut("byte budget spent")["unfinished"]
        self.assertGreater(unfinished, 0)

    def test_no_state(self):
        self.session("journal-only")
        calls = self.json("info", self.path)["calls"]
        self.assertGreater(calls, 1000)
        self.wavetape("verify", self.path, code=3,
                      stdout="in step: 0 calls, 0 callbacks, 0 output bytes compared: 0 differences\n"
                             "from state: 0 calls, 0 callbacks, 0 output bytes compared: 0 differences\n"
                             f"{calls} calls could not be made again\n",
                      stderr=f"wavetape: the trace has no state: {self.path}: it was recorded with journal-only, so "
                             "that no call can be made again\n")
        self.refuse_fixpoint("the trace has no state (journal-only)")

    # A client of a library that crashes in its list of waves, which it looks at with every event.
    CRASH = """
import os, sys
sys.path.insert(0, sys.argv[1])
import client
class Side(client.Callbacks):
    dying = False
    def allocate_memory(self, size):
        if self.dying:
            os.kill(os.getpid(), 9)
        return super().allocate_memory(size)
debugger = client.Client(client.Api(sys.argv[2]), Side())
debugger.initialize()
process = debugger.attach()
for _ in range(4):
    event, kind = debugger.next_event(process)
    debugger.api.event_processed(event)
    for wave in debugger.list("wave", process):
        debugger.answer("wave", wave, "STOP_REASON")
debugger.side.dying = True
debugger.list("wave", process)
"""

    def test_crashed(self):
        """A call that never returned is no difference of the fixpoint: nobody makes it again."""
        done = subprocess.run([sys.executable, "-c", self.CRASH, support.TREE.source / "tests", support.TREE.libraries["record"]], check=False,
                              env={**os.environ, "PYTHONPATH": str(support.TREE.build / "tests/client"), "WAVETAPE_TRACE": str(self.path),
                                   "WAVETAPE_DBGAPI": str(support.TREE.libraries["simulated"]),
                                   "WAVETAPE_WORKLOAD": str(support.TREE.workload("oob-store"))})
        self.assertEqual(done.returncode, -9)
        verified = support.wavetape("verify", "--fixpoint", self.path)
        self.assertEqual(verified.code, 3, verified.stderr)
        said = verified.stdout
        self.assertRegex(said, r"in step: \d+ calls, .* compared: 0 differences\n")
        self.assertRegex(said, r"the recording ends inside call \d+, which never returned\n"
                               r"recording the replay gives the same trace: yes \(0 differences\)\n\Z")

    def test_trimmed(self):
        self.wavetape("trim", self.trace("oob-load"), "--stops", "1..2", "-o", self.path)
        self.assertEqual(self.json("verify", self.path)["differences"]["count"], 0)
        self.refuse_fixpoint("it is a part of its session")


class Everything(Case):
    """Every workload on both targets: recorded, replayed without difference, looked into."""

    def check(self, name):
        trace = self.directory / f"{name}.wtape"
        result = support.wavetape("record", "-o", trace, "--workload", support.TREE.workload(name))
        self.check_remark(name, "wavetape: the library says: ", result.stderr)
        self.assertEqual(result.code, 0, name)
        report = self.json("verify", trace)
        self.assertEqual(report["differences"], {"count": 0, "first": []})
        self.assertEqual((report["not_driven"], report["unfinished"]), (0, False))
        architecture = "gfx90a" if "-gfx90a" in name else "gfx942"
        text = self.wavetape("info", trace)
        self.assertIn(f"{architecture}, ", text)
        plain = name.removesuffix("-O0").removesuffix("-gfx90a")
        without = re.search(r"(?m)^no fault +(no wave|\d+ waves?, none) stopped for a fault$", text)
        self.assertEqual(not without, plain in support.FAULTS, text)

    def check_all(self, variant):
        for name in support.TREE.good_workloads():
            with self.subTest(workload=name + variant):
                self.check(name + variant)

    def test_gfx942(self):
        self.check_all("")

    def test_gfx90a(self):
        self.check_all("-gfx90a")

    def test_not_optimised(self):
        for name in ("private-sort", "recursion", "structs", "oob-store"):
            for variant in ("-O0", "-gfx90a-O0"):
                self.check(name + variant)


class Fixpoint(Case):
    """Recording a replay gives the same trace again."""

    def test_same_trace(self):
        for name in support.share(WORKLOADS):
            with self.subTest(workload=name):
                report = self.json("verify", "--fixpoint", self.trace(name))
                self.assertEqual(report["fixpoint_differences"], {"count": 0, "first": []})


class Reproducible(Case):
    def test_two_recordings_are_one_file(self):
        for name in support.share(WORKLOADS):
            with self.subTest(workload=name):
                again = self.directory / f"{name}.wtape"
                result = support.wavetape("record", "--reproducible", "-o", again, "--workload",
                                          support.TREE.workload(name))
                self.assertEqual(result.code, 0, result.stderr)
                self.assertEqual(again.read_bytes() == self.trace(name).read_bytes(), True, name)

    def test_of_a_client(self):
        files = []
        for number in range(2):
            trace = self.directory / f"{number}.wtape"
            self.wavetape("record", "--reproducible", "-o", trace, "--dbgapi",
                          support.TREE.libraries["simulated"], "--", support.TREE.client,
                          "--break", "oob_store", "--steps", "3",
                          WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"))
            files.append(trace.read_bytes())
        self.assertTrue(files[0] == files[1])


HEAD = 128
CHUNK, INDEX, FINAL, STAGE = 2, 3, 4, 7


def blocks(file):
    """Offset, kind, length of the payload and, of a chunk, its length before compression: each block of a trace."""
    at = 0
    while at < len(file):
        kind, stored = struct.unpack_from("<H", file, at + 16)[0], struct.unpack_from("<Q", file, at + 32)[0]
        yield at, kind, stored, struct.unpack_from("<Q", file, at + 48)[0] if kind == CHUNK else 0
        at += HEAD + stored


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not data[at - 1] & 0x80:
            return value, at


def whole_packets(raw):
    """The packets at the start of a message that may end anywhere."""
    end = at = 0
    try:
        while at < len(raw):
            size, at = varint(raw, at + 1)
            at += size
            end = at if at <= len(raw) else end
    except IndexError:
        pass
    return raw[:end]


class StandardTools(Case):
    """`zstd -dc T | protoc --decode=wavetape.Trace trace.proto`, with tools that are not ours."""

    def unpack(self, file):
        self.assertIsNotNone(shutil.which("zstd"))
        return subprocess.run(["zstd", "-dc"], input=file, capture_output=True, check=False)

    def decode(self, raw):
        self.assertIsNotNone(shutil.which("protoc"))
        directory = support.TREE.source / "trace-format"
        done = subprocess.run(
            ["protoc", "--decode=wavetape.Trace", f"--proto_path={directory}", "trace.proto"],
            input=raw, capture_output=True, check=True)
        return done.stdout.decode()

    def test_decode(self):
        for name in support.share(WORKLOADS):
            with self.subTest(workload=name):
                raw = self.unpack(self.trace(name).read_bytes())
                self.assertEqual((raw.returncode, raw.stderr), (0, b""))
                text = self.decode(raw.stdout)
                # Fields that the schema does not know are printed as bare numbers.
                self.assertNotRegex(text, r"(?m)^ *[0-9]+[:{ ]")
                calls = self.json("info", self.trace(name))["calls"]
                self.assertEqual(text.count("\n  call_begin {"), calls)

    def test_integrity_by_zstd(self):
        done = subprocess.run(["zstd", "-t", self.trace("oob-store")], capture_output=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def check_tear(self, file, cut, before, whole):
        """@before: what the chunks in front of the tear hold, @whole: what all of them do, and that as text."""
        torn = self.unpack(file[:cut])
        self.assertTrue(whole[0].startswith(torn.stdout))
        self.assertGreaterEqual(len(torn.stdout), before)
        text = self.decode(whole_packets(torn.stdout))
        self.assertTrue(whole[1].startswith(text))
        packets = text.count("packet {\n")
        if len(torn.stdout) == before:
            self.assertEqual(self.decode(torn.stdout), text)
        return torn, packets

    def check_tears(self, file):
        """A trace torn at each border of its blocks, and inside of each head and payload. Return: kinds that were torn."""
        raw = self.unpack(file).stdout
        whole, before, kinds, seen = (raw, self.decode(raw)), 0, set(), 0
        for at, kind, stored, size in blocks(file):
            if at:
                torn, packets = self.check_tear(file, at, before, whole)
                # What ends with a block is a whole file of zstd; that it is no whole trace the command knows.
                self.assertEqual((torn.returncode, torn.stderr, len(torn.stdout)), (0, b"", before))
                self.assertGreaterEqual(packets, seen)
                seen = packets
            inside = {at + 1, at + HEAD // 2, at + HEAD - 1}
            inside |= {at + HEAD + 1, at + HEAD + stored // 2, at + HEAD + stored - 1} if stored else set()
            for cut in sorted(inside):
                with self.subTest(block=kind, at=at, cut=cut):
                    torn, packets = self.check_tear(file, cut, before, whole)
                    self.assertEqual(torn.returncode, 1)
                    self.assertRegex(torn.stderr, rb"premature end|unknown header|unexpected end of file")
                    self.assertGreaterEqual(packets, seen)
            before += size
            kinds.add(kind)
        self.assertEqual(before, len(raw))
        return kinds

    def test_torn(self):
        """zstd reports the tear, and what it gave before it are the packets before the tear."""
        vectors = support.TREE.source / "tests/vectors"
        for path, kinds in support.share(((self.trace("oob-store"), {CHUNK, FINAL}),
                                          (vectors / "killed-with-an-open-chunk.wtape", {CHUNK, STAGE}),
                                          (vectors / "torn-with-indexes.wtape", {CHUNK, INDEX}),
                                          (vectors / "recorded-session.wtape", {CHUNK, FINAL}))):
            with self.subTest(trace=path.stem):
                self.assertLessEqual(kinds, self.check_tears(path.read_bytes()))


class Overwrite(Case):
    def test_an_older_trace_is_replaced(self):
        path = self.directory / "t.wtape"
        for name in ("oob-store", "vecadd"):
            self.wavetape("record", "--reproducible", "-o", path, "--workload",
                          support.TREE.workload(name))
            self.assertEqual(path.read_bytes() == self.trace(name).read_bytes(), True)

    def test_times_are_there_unless_reproducible(self):
        path = self.directory / "t.wtape"
        self.wavetape("record", "-o", path, "--workload", support.TREE.workload("vecadd"))
        information = self.json("info", path)
        self.assertGreater(information["start_time_ns"], 10**18)
        self.assertFalse(information["reproducible"])
        self.assertEqual(self.json("verify", path)["differences"]["count"], 0)
        information = self.json("info", self.trace("vecadd"))
        self.assertEqual(information["start_time_ns"], 0)
        self.assertTrue(information["reproducible"])


if __name__ == "__main__":
    support.main(__doc__)
