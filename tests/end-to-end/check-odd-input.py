# SPDX-License-Identifier: MIT
"""Odd surroundings and odd questions: names of any bytes, closed streams, numbers at the edge, keys."""

import json
import os
import random
import shutil
import signal
import struct
import subprocess
import time

import support
from support import LOOKING_VERBS, Case


def start(*arguments, redirect="", **options):
    """Run the command below a shell that redirects its streams."""
    return subprocess.run(
        ["sh", "-c", f'exec "$0" "$@" {redirect}', support.TREE.command, *map(os.fsencode, arguments)],
        capture_output=True, check=False, timeout=support.TIMEOUT, env=support.environment(),
        **options)


class Names(Case):
    def test_bytes_that_are_no_text(self):
        """JSON stays JSON whatever a file is called, and the rest of the answer is whole."""
        path = os.fsencode(self.directory) + b"/odd-\xff\xc3(-\xe2\x82\xac.wtape"
        shutil.copy(self.trace("oob-store"), path)
        for verb in (*LOOKING_VERBS, "verify"):
            with self.subTest(verb=verb):
                done = start(verb, "--json", path)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                value = json.loads(done.stdout.decode("utf-8"))
                if verb == "info":
                    self.assertTrue(value["file"].endswith("odd-\ufffd\ufffd(-\u20ac.wtape"))
                    self.assertEqual(len(value["faults"]), 1)

    def test_control_characters(self):
        """What a trace says cannot act on a terminal, nor look like a line of ours."""
        workload = json.loads((support.TREE.kernels / "oob-store.json").read_text())
        image = (support.TREE.kernels / "oob-store.co").read_bytes()
        self.assertGreater(image.count(b"oob-store.c\0"), 0)
        (self.directory / "odd.co").write_bytes(
            image.replace(b"oob-store.c\0", b"o\x1b[7m\n\x9b\xc2\x9b.\xc3\0"))
        (self.directory / "odd.json").write_text(
            json.dumps(workload | {"code_objects": ["odd.co"]}))
        trace = "\x1b]0;t\x07.wtape"
        self.wavetape("record", "-o", trace, "--workload", "odd.json", cwd=self.directory)
        shown = {}
        for verb in (*LOOKING_VERBS, "host", "check"):
            done = start(verb, trace, cwd=self.directory)
            self.assertEqual((done.returncode, done.stderr), (0, b""), verb)
            shown[verb] = done.stdout.decode()
            self.assertEqual([c for c in shown[verb] if not c.isprintable() and c != "\n"], [], verb)
        for verb in ("info", "stops", "waves"):
            self.assertIn(r" tests/kernels/o\x1b[7m\n\x9b\xc2\x9b.\xc3:16:13", shown[verb])
        self.assertRegex(shown["disassemble"], r"(?m)^; tests/kernels/o\\x1b\[7m\\n[^\n]*:16$")
        for verb in ("info", "host"):
            self.assertIn(r"/wavetape record -o \x1b]0;t\x07.wtape --workload odd.json",
                          shown[verb])
        done = start("info", "none\x1b[0m", cwd=self.directory)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (
            1, b"", b"wavetape: cannot read the trace: none\\x1b[0m: No such file or directory\n"))

    def test_special_characters(self):
        """They are escaped in the URI of the code object, and everything is found again."""
        folder = self.directory / "a b/100% #\u00e9?&"
        folder.mkdir(parents=True)
        for name in ("oob-store.json", "oob-store.co"):
            shutil.copy(support.TREE.kernels / name, folder)
        trace = folder / "t #%.wtape"
        # A name is a pattern, in which %% is one of them.
        self.wavetape("record", "-o", trace.name, "--workload", "oob-store.json", cwd=folder, code=2,
                      stderr="wavetape: cannot understand the name: t #%.wtape: %. stands for nothing: there are %h host, "
                             "%p process, %r rank, %j job, %t time, %e executable, and %%\n")
        self.wavetape("record", "-o", trace.name.replace("%", "%%"), "--workload", "oob-store.json", cwd=folder)
        (listed,) = self.json("code-objects", trace)["code_objects"]
        self.assertTrue(listed["uri"].startswith("file:///"), listed["uri"])
        self.assertTrue(
            listed["uri"].endswith("/a%20b/100%25%20%23%C3%A9%3F%26/oob-store.co"), listed["uri"])
        image = folder / "out.co"
        self.wavetape("code-objects", trace, "--extract", listed["code_object"], "-o", image)
        self.assertEqual(image.read_bytes(), (folder / "oob-store.co").read_bytes())
        self.assertIn("recording the replay gives the same trace: yes",
                      self.wavetape("verify", "--fixpoint", trace))

    def test_code_object_from_memory(self):
        """A program that holds its code objects itself: the image is read from its memory."""
        workload = json.loads((support.TREE.kernels / "oob-store.json").read_text())
        image = support.TREE.kernels / "oob-store.co"
        workload |= {"code_objects": [str(image)], "code_objects_from": "memory"}
        path = self.directory / "memory.json"
        path.write_text(json.dumps(workload))
        trace = self.directory / "memory.wtape"
        self.wavetape("record", "--reproducible", "-o", trace, "--workload", path)
        (listed,) = self.json("code-objects", trace)["code_objects"]
        size = image.stat().st_size
        self.assertRegex(listed["uri"], rf"\Amemory://1#offset=0x[0-9a-f]+&size={size}\Z")
        self.assertEqual((listed["recorded"], listed["bytes"]), (True, size))
        copy = self.directory / "copy.co"
        self.wavetape("code-objects", trace, "--extract", listed["code_object"], "-o", copy)
        self.assertEqual(copy.read_bytes(), image.read_bytes())
        self.assertEqual(self.json("info", trace)["faults"][0]["code"]["source"]["line"], 16)
        self.assertEqual(self.json("verify", trace)["differences"]["count"], 0)
        workload["code_objects_from"] = "tape"
        path.write_text(json.dumps(workload))
        self.wavetape("simulate", path, code=1, stdout="",
                      stderr=f"wavetape: cannot load the workload: {path}: code_objects_from: it is "
                             f'"file" or "memory", not "tape"\n')


class Streams(Case):
    LOST = b"wavetape: cannot write the output: stdout: "

    def test_closed(self):
        """A message must never go to where a trace was opened in place of a closed stream."""
        for redirect in (">&-", "<&- >&-"):
            trace = self.directory / "t.wtape"
            done = start("record", "--reproducible", "-o", trace, "--workload",
                         support.TREE.workload("oob-store"), redirect=redirect)
            self.assertEqual((done.returncode, done.stderr),
                             (1, self.LOST + b"Bad file descriptor\n"))
            self.assertEqual(trace.read_bytes(), self.trace("oob-store").read_bytes())
        done = start("record", "--reproducible", "-o", self.directory / "u.wtape", "--workload",
                     support.TREE.workload("oob-store"), redirect=">&- 2>&- <&-")
        self.assertEqual(done.returncode, 1)
        self.assertEqual((self.directory / "u.wtape").read_bytes(),
                         self.trace("oob-store").read_bytes())

    def test_full(self):
        done = start("record", "-o", self.directory / "t.wtape", "--workload",
                     support.TREE.workload("vecadd"), redirect=">/dev/full")
        self.assertEqual((done.returncode, done.stderr),
                         (1, self.LOST + b"No space left on device\n"))


class Questions(Case):
    def test_code_at_the_end_of_addresses(self):
        for address in ("0xffffffffffffffff", "0xfffffffffffffffc"):
            self.wavetape("disassemble", self.trace("oob-store"), address, code=1, stdout="",
                          stderr=f"wavetape: cannot disassemble: {address}: no code was recorded there\n")

    def test_memory_at_the_end_of_addresses(self):
        trace = self.trace("oob-store")
        for space in ("global", "generic", "local", "private_lane", "private_wave"):
            lane = ("--lane", 63) if space in ("generic", "private_lane") else ()
            result = support.wavetape("memory", trace, "0xfffffffffffffff0", 1 << 30, "--space", space,
                                      "--wave", "w3", *lane)
            self.assertEqual((result.code, result.stdout), (1, ""), space)
            self.assertIn(f"{space} 0xfffffffffffffff0: it was not recorded", result.stderr)

    def test_wave_zero(self):
        """It is no wave; it must not be taken for none being named."""
        for verb in ("registers", "disassemble", "memory"):
            for wave in ("0", "w0", "w"):
                result = support.wavetape(verb, self.trace("oob-store"), "--wave", wave)
                self.assertEqual((result.code, result.stdout), (2, ""), verb)
                self.assertIn(f"--wave takes a wave as `wavetape waves` lists them, not '{wave}'",
                              result.stderr)

    def test_two_places_at_once(self):
        trace = self.trace("oob-store")
        for arguments in (["--kernel", "oob_store", "0x1000"], ["--wave", "1", "0x1000"],
                          ["--wave", "1", "--kernel", "oob_store"]):
            result = support.wavetape("disassemble", trace, *arguments)
            self.assertEqual((result.code, result.stdout), (2, ""), arguments)
            self.assertIn("name one of --wave, --kernel and ADDRESS", result.stderr)

    def test_saved_memory_as_json(self):
        trace = self.trace("oob-store")
        first = self.json("memory", trace)["ranges"][0]
        out = self.directory / "out"
        self.assertEqual(self.found("memory", trace, first["from"], 16, "-o", out),
                         {"written": str(out)})
        self.assertEqual(out.read_bytes().hex(),
                         self.json("memory", trace, first["from"], 16)["data"])

    def test_failed_preparation_leaves_no_file(self):
        trace = self.directory / "t.wtape"
        result = support.wavetape("record", "-o", trace, "--dbgapi", self.directory / "absent", "--",
                                  "true")
        self.assertEqual(result.code, 1)
        self.assertFalse(trace.exists())


class DebugInformation(Case):
    """A table of abbreviations that is damaged, or made to hurt: what debug information said is not there, and no command ends by it."""

    VERBS = (("info",), ("explain",), ("backtrace",), ("locals",), ("disassemble",), ("report", "-o", "page.html"))

    @staticmethod
    def section(data, wanted):
        """Where a section of an ELF file of 64 bits begins, and its size."""
        start, size, count, names = *struct.unpack_from("<Q", data, 40), *struct.unpack_from("<HHH", data, 58)
        headers = [struct.unpack_from("<IIQQQQ", data, start + i * size) for i in range(count)]
        for name, _, _, _, at, length in headers:
            if data[headers[names][4] + name:].split(b"\0", 1)[0] == wanted:
                return at, length
        raise AssertionError(f"no {wanted}")

    @staticmethod
    def number(value):
        """An unsigned LEB128."""
        out = bytearray()
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        return bytes(out) + bytes([value])

    def tables(self, table):
        """What stands in its place, of the same size."""
        chosen = random.Random(15)
        for _ in range(3):
            yield "bytes by chance", bytes(chosen.choice((byte, byte, byte, chosen.randrange(256))) for byte in table)
        at = chosen.randrange(len(table))
        yield "cut", table[:at] + bytes(len(table) - at)
        yield "without an end", b"\xff" * len(table)
        for name, codes in (("many codes", range(1, len(table))), ("the same code", [1] * len(table)), ("no code", [0] * len(table)),
                            ("great codes", [(1 << 64) - 1 - i for i in range(len(table))]), ("codes far apart", range(1, len(table) << 28, 1 << 28))):
            entries = b"".join(self.number(code) + b"\x11\1\x03\x08\0\0" for code in codes)
            yield name, entries[:len(table)]

    def test_table_of_abbreviations(self):
        workload = json.loads(support.TREE.workload("oob-load").read_text("utf-8"))
        source = (support.TREE.kernels / workload["code_objects"][0]).read_bytes()
        at, size = self.section(source, b".debug_abbrev")
        for name, table in self.tables(source[at:at + size]):
            (self.directory / "code.co").write_bytes(source[:at] + table + source[at + size:])
            (self.directory / "w.json").write_text(json.dumps({**workload, "code_objects": ["code.co"]}), "utf-8")
            done = support.wavetape("record", "-o", "t.wtape", "--workload", "w.json", cwd=self.directory)
            self.assertEqual(done.code, 0, (name, done.stderr))
            for verb, *options in self.VERBS:
                with self.subTest(table=name, verb=verb):
                    done = support.wavetape(verb, *options, "t.wtape", cwd=self.directory)
                    self.assertIn(done.code, (0, 1, 3), done.stderr)
                    self.assertRegex(done.stderr, r"\A(wavetape: .*\n)*\Z")
                    if verb in ("info", "explain"):
                        self.assertIn("oob_load", done.stdout)


class Breakpoint(Case):
    def test_is_where_it_was_set(self):
        """The pc of a wave at a breakpoint is behind it; what stopped the wave is the breakpoint."""
        trace = self.directory / "t.wtape"
        result = support.wavetape(
            "record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--",
            support.TREE.client, "--break", "vecadd",
            WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))
        self.assertEqual((result.code, result.stderr), (0, ""))
        waves = self.json("waves", trace, "--stop", 2)["waves"]
        self.assertGreater(len(waves), 0)
        for wave in waves:
            self.assertEqual(wave["stop_reason"], "BREAKPOINT")
            self.assertEqual(wave["code"]["symbol"], {"name": "vecadd", "offset": 0})
            self.assertEqual(wave["code"]["instruction"].split()[0], "s_trap")
            self.assertEqual(int(wave["pc"], 16), int(wave["code"]["address"], 16) + 4)
        self.assertRegex(self.wavetape("disassemble", trace, "--stop", 2),
                         r"(?m)^=> 0x[0-9a-f]+ +[0-9a-f]{8} +s_trap ")


class Keys(Case):
    def test_interrupt_is_the_clients(self):
        """What a debugger's user interrupts is the program: the command waits for the debugger's end."""
        ready = self.directory / "ready"
        client = f"trap 'exit 42' INT; : >'{ready}'; while :; do sleep 0.05; done"
        process = subprocess.Popen(
            [support.TREE.command, "replay", self.trace("vecadd"), "--", "sh", "-c", client],
            stdin=subprocess.DEVNULL, start_new_session=True, env=support.environment(),
            # A test that runs in the background may have been started with it ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + support.TIMEOUT
        while not ready.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(process.wait(support.TIMEOUT), 42)


if __name__ == "__main__":
    support.main(__doc__)
