#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many traces: which belong together, what is damaged, and what of them is kept."""

import contextlib
import csv
import io
import json
import os
import re
import shutil
import subprocess

import support
from support import wavetape

class Triage(support.Case):
    def setUp(self):
        super().setUp()
        self.cache = self.directory / "cache"
        self.place = self.directory / "traces"
        (self.place / "deep").mkdir(parents=True)

    def add(self, name, path):
        shutil.copy(self.trace(name), self.place / path)

    def triage(self, *arguments, **variables):
        return wavetape("triage", *arguments, XDG_CACHE_HOME=self.cache, **variables)

    def lines(self, *arguments, code=0, **variables):
        done = self.triage("--json-lines", *arguments, **variables)
        self.assertEqual(done.code, code, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def some(self):
        """Three crashes of one kind on two hosts, one of another; two files that are no traces; one that is cut."""
        self.add("oob-store", "deep/crash-node7-3-4711.wtape")
        self.add("oob-store", "deep/crash-node7-0-4712.wtape")
        self.add("oob-store", "crash-node12-3-99.wtape")
        self.add("oob-load", "b.wtape")
        self.add("oob-load", "not by its name")
        (self.place / "empty.wtape").write_bytes(b"")
        (self.place / "words.wtape").write_text("no trace at all, and long enough to look into it", "utf-8")
        data = (self.place / "b.wtape").read_bytes()
        (self.place / "cut.wtape").write_bytes(data[:len(data) // 10])

    def test_groups(self):
        self.some()
        done = self.triage(self.place, "--names", "/x/crash-%h-%r-%p.wtape")
        self.assertEqual(done.code, 3, done.stderr)
        groups = done.stdout.split("\n\n")
        self.assertEqual(groups[0], "5 traces in 3 groups, 1 of them damaged; 2 files are no trace that can be read")
        signature = self.lines(self.trace("oob-store"))[0]["signature"]
        self.assertRegex(signature, r"\A[0-9a-f]{16}\Z")
        self.assertEqual(groups[1], f"""\
3 traces     memory violation in kernel oob_store
at           tests/kernels/oob-store.c:16, oob_store+0x60
signature    {signature}, gfx942
hosts        2: node7 (2), node12
ranks        2: 0, 3 (2)
one of them  {self.place}/crash-node12-3-99.wtape""")
        self.assertIn("1 trace      memory violation in kernel oob_load\n", done.stdout)
        self.assertIn(f"it is        {self.place}/b.wtape\n", done.stdout)
        self.assertNotIn("not by its name", done.stdout)
        told = done.stderr.splitlines()
        self.assertEqual(told[-2:], [
            f"wavetape: cannot read the trace: {self.place}/empty.wtape: it is not a wavetape trace: it is empty",
            f"wavetape: cannot read the trace: {self.place}/words.wtape: it is not a wavetape trace: it has only 48 bytes"],
            done.stderr)
        self.assertTrue(all(line.startswith(f"wavetape: the trace is not whole: {self.place}/cut.wtape: ") for line in told[:-2]))
        self.assertGreaterEqual(len(told), 3)

    def test_json(self):
        self.some()
        done = self.triage("--json", self.place, "--names", "crash-%h-%r-%p.wtape")
        value = json.loads(done.stdout)
        self.assertEqual((done.code, value["traces"], len(value["groups"])), (3, 5, 3))
        first = value["groups"][0]
        self.assertEqual([first[name] for name in ("status", "architecture", "kernel", "reason", "source", "line", "function", "offset",
                                                   "frames", "traces")],
                         ["fault", "gfx942", "oob_store", "MEMORY_VIOLATION", "tests/kernels/oob-store.c", 16, "oob_store", "0x60",
                          ["oob_store"], 3])
        self.assertEqual(first["hosts"], [{"name": "node7", "traces": 2}, {"name": "node12", "traces": 1}])
        self.assertEqual([one["file"] for one in value["damaged"]], [f"{self.place}/cut.wtape"])
        self.assertEqual([one["file"] for one in value["unreadable"]], [f"{self.place}/empty.wtape", f"{self.place}/words.wtape"])

    def test_lines_and_csv(self):
        """Each file once, in the order of paths, with the same fields; whatever the number of processes."""
        self.some()
        odd = self.place / 'a,"b".wtape'
        self.add("oob-load", odd)
        lines = self.lines(self.place, odd, self.place / "not by its name", code=3)
        self.assertEqual([line["file"] for line in lines],
                         sorted([*map(str, self.place.rglob("*.wtape")), str(self.place / "not by its name")]))
        self.assertEqual(len({tuple(line) for line in lines}), 1)
        one, three = (self.triage("--json-lines", "--no-cache", "--jobs", jobs, self.place) for jobs in (1, 3))
        self.assertEqual(one, three)
        done = self.triage("--csv", self.place, odd, self.place / "not by its name")
        self.assertEqual(done.stdout.count("\r\n"), len(lines) + 1)
        rows = list(csv.DictReader(io.StringIO(done.stdout, newline="")))
        for row, line in zip(rows, lines, strict=True):
            self.assertEqual(row, {name: self.as_text(value) for name, value in line.items()})

    @staticmethod
    def as_text(value):
        if isinstance(value, list):
            return " < ".join(value)
        if isinstance(value, bool):
            return str(value).lower()
        return "" if value is None else str(value).replace("\n", "\\n")

    def record_kernel(self, kernel, **variables):
        """A trace of a kernel of templates.cpp."""
        path = self.directory / "w.json"
        path.write_text(json.dumps({
            "architecture": "gfx942", "code_objects": [str(support.TREE.build / "tests/end-to-end/templates.co")],
            "buffers": {"out": {"bytes": 4096}},
            "dispatches": [{"kernel": kernel, "grid": [64, 1, 1], "workgroup": [64, 1, 1], "arguments": [{"buffer": "out"}]}]}), "utf-8")
        trace = self.place / f"{kernel[:16]}.wtape"
        self.assertEqual(wavetape("record", "-o", trace, "--workload", path, **variables).stderr, "")
        return trace

    def test_templates(self):
        """Two instances of one template are one group, also as they are mangled."""
        kernels = [f"_ZN3lib6writesI{kind}EEvPU3AS1T_" for kind in "fi"]
        for kernel in kernels:
            self.record_kernel(kernel, RANK=kernels.index(kernel), WORLD_SIZE=2).rename(self.place / f"{kernel}.wtape")
        lines = self.lines(self.place)
        self.assertEqual([line["kernel_symbol"] for line in lines], kernels)
        self.assertEqual({(line["kernel"], line["function"], *line["frames"]) for line in lines}, {("lib::writes", "lib::writes", "writes")})
        self.assertEqual(len({line["signature"] for line in lines}), 1, lines)
        self.assertEqual([(line["host"], line["rank"]) for line in lines], [(os.uname().nodename, "0"), (os.uname().nodename, "1")])
        done = self.triage(self.place)
        self.assertRegex(done.stdout, r"\nrecorded     20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC( to [^\n]*)?\n")

    def test_frames(self):
        """Who called counts, also where that is only in registers."""
        trace = self.record_kernel("calls")
        [line] = self.lines(trace)
        self.assertEqual((line["kernel"], line["function"], line["frames"]), ("calls", "stores", ["stores", "calls"]))
        backtrace = self.json("backtrace", trace)
        self.assertEqual([frame["function"].partition("<")[0] for frame in backtrace["frames"]], line["frames"])

    def test_late(self):
        """Where memory is not precise the wave goes on behind the access that failed: the group is that of the access all the same."""
        client = support.TREE.build / "tests/end-to-end/gdb-client"
        for words in ("", "precise,"):
            self.wavetape("record", "-o", self.place / f"{words}late.wtape", "--dbgapi", support.TREE.libraries["simulated"], "--", client,
                          "--script", f"{words}run,kill", WAVETAPE_WORKLOAD=support.TREE.workload("oob-store-gfx90a"))
        lines = self.lines(self.place)
        self.assertEqual({line["line"] for line in lines}, {support.TREE.line_of("oob-store", "out[index] = 3 * i;")})
        self.assertEqual((len(lines), len({line["signature"] for line in lines})), (2, 1), lines)

    def test_too_slow(self):
        """A trace that takes longer than there is time is told, and the others are sorted. It does not fill the memory meanwhile."""
        self.skip_with_sanitizer("with a sanitizer a process ends where it has no memory")
        source = (support.TREE.source / "tests/end-to-end/templates.cpp").read_text("utf-8")
        slow = self.record_kernel("".join(re.findall(r'^\t"(\w+)"', source, re.MULTILINE)))
        self.add("oob-store", "z.wtape")
        terminal, inside = os.openpty()
        with subprocess.Popen([support.TREE.command, "triage", "--jobs", "1", "--time-limit", "1", self.place], stdout=subprocess.PIPE,
                              stderr=inside, env=support.environment(XDG_CACHE_HOME=self.cache)) as process:
            os.close(inside)
            stdout = process.stdout.read().decode()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        stderr = ""
        with contextlib.suppress(OSError):  # at the end of a terminal
            while text := os.read(terminal, 4096):
                stderr += text.decode()
        os.close(terminal)
        self.assertEqual((process.returncode, stdout.splitlines()[0]), (3, "1 trace in 1 group; 1 trace takes longer than there was time"))
        # Where the first one takes so long, progress is shown, in a line that is gone at the end.
        self.assertRegex(stderr, "\\A(\r\033\\[Ktriage( \\.\\.\\.|: [12] of 2 traces))+\r\033\\[K"
                                 f"wavetape: cannot read the trace: {slow}: that took longer than 1 second: see --time-limit\r\n\\Z")
        self.assertLess(usage.ru_maxrss, 150 << 10)
        # On another day there may be time: it is not kept.
        kept = json.loads((self.cache / "wavetape/triage.json").read_text("utf-8"))
        self.assertEqual([record["status"] for record in kept["records"].values()], ["fault"])

    def test_cache(self):
        """What was read is not read again as long as the file is the same; a damaged cache is told, and made anew."""
        self.add("oob-store", "a.wtape")
        trace, cache = self.place / "a.wtape", self.cache / "wavetape/triage.json"
        first = self.lines(self.place)
        self.assertEqual(cache.stat().st_mode & 0o777, 0o600)
        kept = cache.read_bytes()
        # The same file by its identity has other bytes: what was known of it is taken.
        status, data = trace.stat(), trace.read_bytes()
        with open(trace, "r+b") as file:
            file.write(b"\0" * len(data))
        os.utime(trace, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.assertEqual(self.lines(self.place), first)
        self.assertEqual(self.lines(self.place, "--no-cache", code=3)[0]["status"], "unreadable")
        self.assertEqual(cache.read_bytes(), kept)
        # With another time it is another.
        os.utime(trace, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
        self.assertEqual(self.lines(self.place, code=3)[0]["status"], "unreadable")
        trace.write_bytes(data)
        for text, why in (b"{", "'}' expected near end of file"), (b"[]", "it is no cache"), (b'{"records": 1}', "it is no cache"):
            cache.write_bytes(text)
            done = self.triage("--json-lines", self.place)
            self.assertEqual((done.code, json.loads(done.stdout)), (0, first[0]))
            self.assertRegex(done.stderr, rf"\Awavetape: the cache is damaged and not used: {cache}: [^\n]+\n\Z")
            self.assertTrue(why in done.stderr or text == b"{", done.stderr)
            self.assertEqual(self.triage("--json-lines", self.place).stderr, "")
        # Of another version it says nothing.
        cache.write_bytes(cache.read_bytes().replace(b'"wavetape":"', b'"wavetape":"other '))
        self.assertEqual((self.triage(self.place).stderr, self.triage(self.place).code), ("", 0))

    def test_a_cache_that_cannot_be(self):
        self.add("oob-store", "a.wtape")
        self.cache.write_text("a file", "utf-8")
        done = self.triage(self.place)
        self.assertEqual((done.code, done.stdout.splitlines()[0]), (0, "1 trace in 1 group"))
        self.assertIn(f"wavetape: the cache is not written: {self.cache}/wavetape/triage.json: ", done.stderr)

    def test_usage(self):
        for arguments, part in (([], "no directory and no trace is named"),
                                (["--jobs", "0", "x"], "--jobs: not a number from 1 to 256: 0"),
                                (["--time-limit", "x", "x"], "--time-limit: not a number up to 86400: x"),
                                (["--json", "--csv", "x"], "only one of --json, --json-lines and --csv")):
            done = self.triage(*arguments)
            self.assertEqual((done.code, done.stdout), (2, ""), arguments)
            self.assertIn(part, done.stderr)
        self.add("oob-store", "a.wtape")
        self.expect(self.triage("--names", "%x.wtape", self.place), 2, "",
                    "wavetape: cannot understand the pattern of names: %x.wtape: %x stands for nothing; there are %h, %p, %r, "
                    "%j, %t, %e and %%\n")
        empty = self.directory / "nothing"
        empty.mkdir()
        self.expect(self.triage(empty), 1, "", f"wavetape: cannot sort traces: {empty}: there is no file *.wtape\n")
        missing = self.directory / "missing.wtape"
        self.expect(self.triage(missing), 3, "0 traces in 0 groups; 1 file is no trace that can be read\n",
                    f"wavetape: cannot read the trace: {missing}: No such file or directory\n")


if __name__ == "__main__":
    support.main(__doc__)
