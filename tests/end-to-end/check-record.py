#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `wavetape record` takes by policy, what it leaves out and says so, and what becomes of an older trace."""

import json
import os
import re
import subprocess
import unittest

import support

MARKER = b"\x5e\x11\xab\x1e" b"marker!!" b"\x77\x01\x99\xfe"


def unpacked(trace):
    return subprocess.run(["zstd", "-qdc", trace], check=True, stdout=subprocess.PIPE,
                          timeout=support.TIMEOUT).stdout


class Recording(support.Case):
    def record(self, *options, workload="oob-store", name="t.wtape", **more):
        trace = self.directory / name
        path = workload if isinstance(workload, os.PathLike) else support.TREE.workload(workload)
        arguments = ("record", "-o", trace, *options, "--workload", path)
        self.wavetape(*arguments, **more)
        return trace

    def notices(self, trace):
        return self.json("info", trace)["notices"]

    def marked(self, name):
        """A workload whose first buffer is full of a pattern."""
        original = support.TREE.workload(name)
        workload = json.loads(original.read_text("utf-8"))
        workload["code_objects"] = [str(original.parent / path) for path in workload["code_objects"]]
        buffer = next(iter(workload["buffers"].values()))
        pattern = self.directory / "pattern.bin"
        pattern.write_bytes((MARKER * (buffer["bytes"] // len(MARKER) + 1))[:buffer["bytes"]])
        buffer["fill"] = {"file": str(pattern)}
        path = self.directory / f"{name}.json"
        path.write_text(json.dumps(workload), "utf-8")
        return path


class Policy(Recording):
    def registers(self, trace, *names, code=0):
        result = support.wavetape("registers", trace, *names, "--json")
        self.assertEqual(result.code, code, result.stderr)
        return [register["name"] for register in json.loads(result.stdout)["registers"]] \
            if not code else result.stderr

    def test_registers(self):
        trace = self.record("--registers=vcc,s0-s3,v2")
        self.assertEqual(sorted(self.registers(trace, *[])),
                         sorted(["v2", "s0", "s1", "s2", "s3", "pc", "exec", "vcc"]))
        self.assertIn("was not recorded", self.registers(trace, "v3", code=1))
        self.assertTrue(any(n.startswith("registers=vcc:s0-s3:v2: ") for n in self.notices(trace)))
        self.assertEqual(len(self.json("info", trace)["faults"]), 1)

    def test_classes(self):
        trace = self.record("--registers=system")
        names = self.registers(trace)
        self.assertIn("mode", names)
        self.assertIn("pc", names)
        self.assertNotIn("s0", names)

    def test_memory(self):
        address = None
        for options, ranges in ((("--memory=none",), 0), (("--memory=none,0x200000000000+8K",), 2)):
            trace = self.record(*options)
            memory = self.json("memory", trace)["ranges"]
            found = [entry for entry in json.dumps(memory).split("0x2000")]
            self.assertTrue(any(n.startswith("memory=none: ") for n in self.notices(trace)))
            if ranges:
                self.assertGreater(len(found), 1)
                address = "0x200000000000"
            else:
                self.assertEqual(len(found), 1)
        self.wavetape("memory", trace, address, "16")
        result = support.wavetape("memory", trace, "0x210000000000", "16")
        self.assertEqual(result.code, 1)
        self.assertIn("not recorded", result.stderr)

    def test_ring_of_one(self):
        """A ring puts a new file in place of the trace at each stop; none is taken for the one before."""
        for stops in (1, 2, 1):
            trace = self.directory / "ring.wtape"
            self.expect(support.wavetape("record", f"--ring={stops}", "-o", trace, "--workload",
                                         support.TREE.workload("oob-load")),
                        stdout="1 wave stopped for a fault: memory violation; 3 stops\n")
            self.assertEqual(len(self.json("stops", trace)["stops"]), stops)

    def test_keyframes(self):
        """As often as was asked for, and the trace says what was asked."""
        for options, interval in ((("--keyframes=1",), 1), (("--keyframes", "2"), 2), ((), 64)):
            with self.subTest(options=options):
                trace = self.record(*options)
                text = subprocess.run(
                    ["protoc", "--decode=wavetape.Trace", f"--proto_path={support.TREE.source / 'trace-format'}",
                     "trace.proto"], input=unpacked(trace), stdout=subprocess.PIPE, check=True).stdout.decode()
                moments = re.findall(r"^  moment \{\n(.*?)^  \}", text, re.MULTILINE | re.DOTALL)
                self.assertGreater(len(moments), 3)
                keyframes = [i for i, moment in enumerate(moments) if "\n    keyframe: true\n" in moment]
                expected = [i for i in range(len(moments)) if not i % interval]
                if interval == 64:
                    expected = [0, next(i for i, moment in enumerate(moments) if "\n    cause: STOP\n" in moment)]
                self.assertEqual(keyframes, expected)
                self.assertEqual(re.findall(r'options: "(.*)"', text),
                                 [f"keyframes={interval}"] if options else [])

    def test_verified(self):
        """Whatever was left out, a replay answers as the recorded library did."""
        for options in support.share(((), ("--waves=faulting",), ("--waves=all",), ("--registers=pc",), ("--memory=none",),
                                      ("--memory=8K",), ("--no-code",), ("--no-host",))):
            with self.subTest(options=options):
                trace = self.directory / "session.wtape"
                live = support.run(
                    support.TREE.command, "record", "-o", trace, *options, "--dbgapi",
                    support.TREE.libraries["simulated"], "--", support.TREE.client, "--break",
                    "oob_store", "--steps", "2",
                    WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"))
                self.assertEqual((live.code, live.stderr), (0, ""))
                result = support.wavetape("verify", trace)
                self.assertEqual(result.code, 0, (options, result.stdout[:1000]))

    def test_unknown_word(self):
        """In the environment it leaves memory out, and says so; on the command line it is wrong usage."""
        trace = self.directory / "w.wtape"
        self.expect(self.client("record", WAVETAPE_TRACE=trace, WAVETAPE_OPTIONS="redcat,sync=none",
                                WAVETAPE_DBGAPI=support.TREE.libraries["simulated"],
                                WAVETAPE_WORKLOAD=support.TREE.workload("oob-store")))
        notices = self.notices(trace)
        self.assertTrue(notices[0].startswith("WAVETAPE_OPTIONS: redcat: there is no such word: did you mean redact?"))
        self.assertTrue(notices[1].startswith("redact: "))
        result = support.wavetape("record", "--waves=some", "--workload", "w.json")
        self.assertEqual(result.code, 2)
        self.assertIn("--waves is auto, faulting, stopped or all, not 'some'", result.stderr)

    def test_time_budget(self):
        """The trace says what it has cost, however little that is."""
        trace = self.record("--max-stopped-ms=1", workload="mandelbrot")
        self.wavetape("verify", trace)

    def test_bytes_budget(self):
        """A trace begins with the least that is accepted; with less the library says what it takes."""
        least = "max-bytes is a number of bytes from 128K on (512M)"
        self.record("--max-bytes=128K", "--no-host", workload="vecadd")
        help_text = " ".join(self.wavetape("record", "--help").split())
        self.assertIn("end the trace before it has more than N bytes, 128K at least", help_text)
        trace = self.directory / "t.wtape"
        old = trace.read_bytes()
        for option in ("1", "100K", "131071"):
            result = support.wavetape("record", "-o", trace, "--max-bytes", option, "--workload", "w.json")
            self.assertEqual((result.code, result.stdout), (2, ""))
            self.assertTrue(result.stderr.startswith(f"wavetape record: --{least}, not '{option}'\n"), result.stderr)
            self.wavetape("record", "-o", trace, "--workload", "w.json", WAVETAPE_OPTIONS=f"max-bytes={option}", code=2,
                          stdout="", stderr=f"wavetape: cannot understand the option: WAVETAPE_OPTIONS: max-bytes: {least}\n")
        self.assertEqual(trace.read_bytes(), old)
        other = self.directory / "other.wtape"
        done = self.client("record", WAVETAPE_TRACE=other, WAVETAPE_OPTIONS="max-bytes=100K",
                           WAVETAPE_DBGAPI=support.TREE.libraries["simulated"],
                           WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))
        self.assertIn(f"log 2: wavetape: cannot write the trace: {other}: the 102400 bytes that it may have are too few to "
                      "begin: it takes up to 131072\n", done.stdout)
        self.assertEqual((done.code, other.exists()), (0, False))

    def test_memory_budget(self):
        """The least that is accepted is enough for a small session."""
        trace = self.record("--max-memory=4M")
        self.assertEqual((self.json("info", trace)["stops"], self.notices(trace)), (2, []))

    def many_registers(self):
        """256 waves that have more registers than anything else, and all of them a fault."""
        path, queues = self.directory / "many.json", range(16)
        path.write_text(json.dumps({
            "architecture": "gfx942", "code_objects": [str(support.TREE.kernels / "matrix-singles-O0.co")],
            "queues": [{} for _ in queues], "buffers": {f"out{queue}": {"bytes": 64} for queue in queues},
            "dispatches": [{"kernel": "matrix_singles", "grid": [1024, 1, 1], "workgroup": [256, 1, 1], "queue": queue,
                            "arguments": [{"buffer": f"out{queue}"}]} for queue in queues]}), "utf-8")
        return path

    def record_fault(self, trace, workload, *options):
        """The most memory that the process had, and of how many waves there are no registers."""
        arguments = ("record", "-o", trace, "--waves=all", "--memory=none", "--max-stops=2", *options, "--workload", workload)
        with subprocess.Popen([support.TREE.command, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=support.environment()) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0, options)
        found = (re.fullmatch(r"max-memory=\d+: registers of (\d+) waves? and the memory after (it|them) were not taken at this stop",
                              notice) for notice in self.notices(trace))
        return 1024 * usage.ru_maxrss, sum(int(match[1]) for match in found if match)

    @unittest.skipIf(support.SMALL, "sanitizers have memory of their own")
    def test_stop_within_memory_budget(self):
        """What fits is whole, in less memory than there may be; of what does not it is said how much is missing."""
        trace, workload = self.directory / "t.wtape", self.many_registers()
        without, _ = self.record_fault(trace, workload, "--registers=pc")
        self.record_fault(trace, workload)
        state = 256 * sum(register["bytes"] for register in self.json("registers", trace)["registers"])
        # Seven sixteenths of what it may have beyond eight megabytes.
        most, less = ((8 << 20) + int(share * state * 16 / 7) for share in (1.02, 0.98))
        memory, left_out = self.record_fault(trace, workload, f"--max-memory={most}")
        self.assertEqual(left_out, 0)
        self.assertLess(memory - without, most)
        self.assertGreater(memory - without, state)
        _, left_out = self.record_fault(trace, workload, f"--max-memory={less}")
        self.assertTrue(0 < left_out < 256 / 16, left_out)

    def test_min_free(self):
        """The session goes on; that its trace is none of all of it is told."""
        trace = self.directory / "t.wtape"
        early = f"wavetape: the recording ended early: {trace}: disk budget spent\n"
        self.record("--min-free=900000G", code=3, stderr=early)
        information = self.json("info", trace, code=3, stderr=early)
        self.assertEqual((information["end_reason"], information["stops"]), ("disk budget spent", 0))
        self.assertTrue(any("min-free" in n and "bytes left" in n for n in information["notices"]))


class Redacted(Recording):
    def test_by_the_environment(self):
        """The command adds to the words that are in the environment: it does not do away with them."""
        workload = self.marked("oob-store")
        core = self.directory / "c.core"
        self.assertEqual(support.wavetape("simulate", workload, "--core", core).code, 1)
        for how in (("--workload", workload), ("--core", core),
                    ("--dbgapi", support.TREE.libraries["simulated"], "--", support.TREE.client)):
            for words in ("redact", "", None):
                trace = self.directory / "t.wtape"
                variables = {} if words is None else {"WAVETAPE_OPTIONS": words}
                self.expect(support.wavetape("record", "--memory=64M", "-o", trace, *how,
                                             WAVETAPE_WORKLOAD=workload, **variables))
                self.assertEqual(MARKER[:8] in unpacked(trace), not words, (how, words))

    @staticmethod
    def said(trace):
        """The words that the trace was recorded with."""
        text = subprocess.run(
            ["protoc", "--decode=wavetape.Trace", f"--proto_path={support.TREE.source / 'trace-format'}",
             "trace.proto"], input=unpacked(trace), stdout=subprocess.PIPE, check=True).stdout.decode()
        return re.findall(r'options: "(.*)"', text)

    def test_order(self):
        """First the environment, then the command, which wins."""
        trace = self.record("--keyframes=2", "--memory=4K", "--no-code",
                            WAVETAPE_OPTIONS="keyframes=1 memory=none:0x200000000000+8K,\tno-host")
        self.assertEqual(self.said(trace), ["keyframes=1 memory=none:0x200000000000+8K no-host keyframes=2 memory=4K "
                                            "no-code"])
        self.assertEqual(self.notices(trace), [
            "no-code: no code object images were taken",
            "more global memory was pointed to than is taken at one stop: 4096 bytes; memory=BYTES sets the limit"])
        same = [self.record(*options, name=name, **variables).read_bytes() for name, options, variables in (
            ("a", ("--reproducible", "--waves=all"), {}), ("b", (), {"WAVETAPE_OPTIONS": "reproducible,waves=all"}),
            ("c", ("--waves=all",), {"WAVETAPE_OPTIONS": " reproducible "}))]
        self.assertEqual(same[1:], same[:1] * 2)

    def test_wrong_word(self):
        """Found before anything runs, and named with the variable."""
        trace = self.directory / "t.wtape"
        for words, told in (
                ("redcat", "redcat: there is no such word: did you mean redact\\?"),
                ("loud", r"loud: there is no such word; there are waves=, [^\n]+"),
                ("sync=none,redact=yes", "redact=yes: redact has no value"),
                ("ring=0 redact", "ring=0: ring is a number of stops above 0"),
                ("registers=pc:zz", "registers: no GPU has 'zz'"),
                ("registers=" + "v" * 300, "a long word: words have up to 255 bytes")):
            for how in (("--workload", support.TREE.workload("oob-store")), ("--core", "/no/such/core"),
                        ("--", "touch", self.directory / "ran")):
                result = support.wavetape("record", "--ring=1", "-o", trace, *how, WAVETAPE_OPTIONS=words)
                self.assertEqual((result.code, result.stdout), (2, ""))
                self.assertRegex(result.stderr, r"\Awavetape: cannot understand the option: WAVETAPE_OPTIONS: "
                                                rf"{told}\n\Z")
                self.assertEqual(os.listdir(self.directory), [])
        self.wavetape("record", "--help", WAVETAPE_OPTIONS="redcat")

    def test_no_memory_in_it(self):
        workload = self.marked("oob-store")
        for client in ((), ("--break", "oob_store", "--steps", "2")):
            for redact in (False, True):
                trace = self.directory / f"{len(client)}-{redact}.wtape"
                options = ["--redact"] if redact else []
                if client:
                    done = support.run(
                        support.TREE.command, "record", "-o", trace, *options, "--dbgapi",
                        support.TREE.libraries["simulated"], "--", support.TREE.client, *client,
                        WAVETAPE_WORKLOAD=workload)
                    self.assertEqual((done.code, done.stderr), (0, ""))
                else:
                    self.wavetape("record", "-o", trace, *options, "--workload", workload)
                # Any part of the pattern that is no accident.
                self.assertEqual(MARKER[4:12] in unpacked(trace), not redact, (client, redact))

    def test_verify_says_what_it_cannot(self):
        trace = self.directory / "session.wtape"
        done = support.run(
            support.TREE.command, "record", "-o", trace, "--redact", "--dbgapi",
            support.TREE.libraries["simulated"], "--", support.TREE.client, "--break", "oob_store",
            "--steps", "2", WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"))
        self.assertEqual((done.code, done.stderr), (0, ""))
        result = support.wavetape("verify", trace)
        self.assertEqual((result.code, result.stderr), (3, ""), result.stdout[:1000])
        self.assertRegex(result.stdout, r"^in step: \d+ calls, \d+ callbacks, \d+ output bytes compared: 0 "
                         r"differences\nfrom state: \d+ calls, \d+ callbacks, \d+ output bytes compared: 0 "
                         r"differences\n\d+ calls that read or write memory or code were not "
                         r"compared: the trace was recorded without memory\n$")
        result = support.wavetape("verify", "--fixpoint", trace)
        self.assertEqual(result.code, 2 if result.code == 2 else 1)
        self.assertIn("was recorded without memory; leave --fixpoint out", result.stderr)
        # The crash is still told, with its line.
        info = self.json("info", trace)
        self.assertEqual(len(info["faults"]), 1)
        self.assertTrue(info["notices"][0].startswith("redact: "))


class Host(Recording):
    def test_facts(self):
        trace = self.record()
        host = self.json("host", trace)
        self.assertEqual(host["executable"], str(support.TREE.command))
        self.assertEqual(host["command_line"][:2], [str(support.TREE.command), "record"])
        self.assertIn("Linux", host["versions"])
        self.assertEqual(host["versions"]["host name"], os.uname().nodename)
        self.assertEqual(set(host["environment"].values()), {None})
        self.assertIn("LC_ALL", host["environment"])
        mapped = {entry["path"]: entry["build_id"] for entry in host["maps"]}
        self.assertIn(str(support.TREE.libraries["simulated"]), mapped)
        for path in (str(support.TREE.command), str(support.TREE.libraries["record"])):
            self.assertEqual(mapped[path], self.build_id(path))
        for entry in host["maps"]:
            self.assertNotIn("\n", entry["path"])
        self.assertEqual([thread["name"] for thread in host["threads"]][0], "wavetape")
        symbols = [frame["symbol"] for frame in host["threads"][0]["frames"]]
        self.assertIn("main", symbols)
        self.assertNotIn("wt_take_host", symbols)
        self.assertIn("program      ", self.wavetape("info", trace))
        short, whole = self.wavetape("host", trace), self.wavetape("host", trace, "--all")
        self.assertIn("thread ", short)
        self.assertRegex(short, rf"\nthreads      1\nallocations  0\nmaps         {len(host['maps'])}\nenvironment  {len(host['environment'])}\n--all shows them\n\Z")
        self.assertLess(len(short.splitlines()), 40)
        self.assertIn("\nmaps\n", whole)
        self.assertIn("\nenvironment\n", whole)

    def test_redacted(self):
        ranked = {"SLURM_PROCID": "17", "SLURM_JOB_ID": "4711", "PMI_RANK": ""}
        shown = self.json("host", self.record(**ranked))["versions"]
        self.assertEqual((shown["rank"], shown["job"]), ("17", "4711"))
        shown = self.json("host", self.record("--redact", **ranked))["versions"]
        self.assertFalse({"host name", "rank", "job"} & set(shown), shown)

    def build_id(self, path):
        # It also complains about notes of the sanitizers, which are not the one that is looked for.
        notes = subprocess.run(["readelf", "-n", path], check=False, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, timeout=support.TIMEOUT).stdout.decode()
        return re.search(r"Build ID: ([0-9a-f]+)", notes).group(1)

    def test_values_on_request(self):
        trace = self.record("--environment", LC_ALL="C", SECRET="swordfish")
        self.assertEqual(self.json("host", trace)["environment"]["SECRET"], "swordfish")
        for options in ((), ("--environment", "--redact")):
            trace = self.record(*options, SECRET="swordfish")
            self.assertIsNone(self.json("host", trace)["environment"]["SECRET"])
            self.assertNotIn(b"swordfish", unpacked(trace))

    def test_left_out(self):
        for options in (("--no-host",), ("--reproducible",)):
            trace = self.record(*options)
            result = support.wavetape("host", trace)
            self.assertEqual(result.code, 1)
            self.assertIn("this trace has nothing of it", result.stderr)


class Older(Recording):
    """A trace of the same name stays until the new one has a stop."""

    def test_replaced(self):
        trace = self.record()
        old = trace.read_bytes()
        self.assertEqual(self.record(), trace)
        self.assertNotEqual(trace.read_bytes(), old)
        self.assertEqual(sorted(path.name for path in self.directory.iterdir()), ["t.wtape"])

    def test_full_disk(self):
        trace = self.record()
        old = trace.read_bytes()
        result = support.wavetape(
            "record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--", support.TREE.client,
            LD_PRELOAD=support.TREE.build / "tests/end-to-end/libfail-nth.so", WT_FAIL_KIND="file", WT_FAIL_ALL=1, WT_FAIL_AT=12,
            WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"))
        self.assertEqual(trace.read_bytes(), old)
        self.assertEqual(result.code, 1, result)
        self.assertRegex(result.stderr, r"^wavetape: (the recording ended before its first stop|nothing "
                                        r"was recorded): [^\n]+\n$")

    def test_no_room_to_begin(self):
        """The library says why; what was there stays, also what was empty."""
        trace = self.directory / "t.wtape"
        old = self.trace("vecadd").read_bytes()
        arguments = ("prlimit", "--fsize=4096", support.TREE.command, "record", "-o", trace)
        told = (f"wavetape: nothing was recorded: {trace}: the trace could not be begun; the library's log, which the "
                "client gets, has the reason\n")
        for before in (None, b"", old):
            with self.subTest(before=before and len(before)):
                if before is not None:
                    trace.write_bytes(before)
                result = support.run(
                    *arguments, "--dbgapi", support.TREE.libraries["simulated"], "--", support.TREE.client,
                    WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))
                self.assertEqual((result.code, result.stderr), (1, told))
                self.assertRegex(result.stdout, r"(?m)^log 2: wavetape: cannot write the trace: [^\n]+: File too large\n")
                result = support.run(*arguments, "--workload", support.TREE.workload("vecadd"))
                self.assertEqual((result.code, result.stdout), (1, "the workload ran to its end; 1 stop\n"))
                self.assertRegex(result.stderr, r"\Awavetape: the library says: wavetape: cannot write the trace: [^\n]+: "
                                                rf"File too large\n{re.escape(told)}\Z")
                self.assertEqual(trace.read_bytes() if trace.exists() else None, before)
                self.assertEqual(os.listdir(self.directory), [] if before is None else ["t.wtape"])

    def test_no_room_for_a_stop(self):
        """What is said and the exit code are the same whether there was a trace before or not."""
        trace = self.directory / "t.wtape"
        arguments = ("record", "-o", trace, "--min-free=99999G", "--workload", support.TREE.workload("vecadd"))
        ran, early = "the workload ran to its end; 1 stop\n", "wavetape: the recording ended early: "
        self.wavetape(*arguments, code=3, stdout=ran, stderr=f"{early}{trace}: disk budget spent\n")
        old = self.record().read_bytes()
        self.wavetape(*arguments, code=3, stdout=ran, stderr=(
            f"{early}{trace}.partial: disk budget spent; {trace} is the trace that was there before\n"))
        self.assertEqual(trace.read_bytes(), old)

    def test_own_empty_file(self):
        """Who made the file may count on it: where nothing was recorded, it is as it was."""
        for name in ("t.wtape", "link"):
            trace = self.directory / "t.wtape"
            trace.touch(0o640)
            before = trace.stat()
            if name == "link":
                (self.directory / name).symlink_to(trace)
            for client in ("true", self.directory / "no-such-client"):
                result = support.wavetape("record", "-o", self.directory / name, "--", client)
                self.assertEqual((result.code, result.stdout), (1, ""))
                now = trace.stat()
                self.assertEqual((now.st_ino, now.st_mode, now.st_size), (before.st_ino, before.st_mode, 0))
            trace.unlink()
        for client in ("true", self.directory / "no-such-client"):
            self.assertEqual(support.wavetape("record", "-o", self.directory / "link", "--", client).code, 1)
            self.assertEqual(os.listdir(self.directory), ["link"])

    def test_client_that_cannot_start(self):
        absent = self.directory / "no-such-client"
        trace = self.directory / "t.wtape"
        self.wavetape("record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--",
                      absent, code=1, stdout="",
                      stderr=f"wavetape: cannot run the client: {absent}: No such file or directory\n")
        self.assertFalse(trace.exists())


class Patterns(Recording):
    """Names that are made of what records, and how many of them are kept."""

    def setUp(self):
        super().setUp()
        self.workload = ("--workload", support.TREE.workload("oob-store"))

    def patterned(self, pattern, *options, **environment):
        result = support.wavetape("record", "-o", self.directory / pattern, *options, *self.workload, **environment)
        self.assertEqual((result.code, result.stderr), (0, ""))

    def there(self):
        return sorted(str(path.relative_to(self.directory)) for path in self.directory.rglob("*") if path.is_file())

    def test_names(self):
        self.patterned("%j/%e-%r%%.wtape", SLURM_JOB_ID="71", SLURM_PROCID="5")
        self.patterned("%j/%e-%r%%.wtape", SLURM_JOB_ID="71", SLURM_PROCID="5")
        names = ["71/oob-store.json-5%-2.wtape", "71/oob-store.json-5%.wtape"]
        self.assertEqual(self.there(), names)
        for name in names:
            self.assertEqual(len(self.json("info", self.directory / name)["faults"]), 1)

    def test_kept(self):
        (self.directory / "notes.wtape").write_text("no trace")
        for _ in range(4):
            self.patterned("crash-%h.wtape", "--keep", "2")
        self.assertEqual(len(self.there()), 3)
        self.patterned("crash-%h.wtape", "--keep-bytes", "1")
        self.assertEqual(len(self.there()), 2)
        self.assertIn("notes.wtape", self.there())

    def test_refused(self):
        result = support.wavetape("record", "-o", self.directory / "%x", *self.workload)
        self.assertEqual((result.code, result.stdout), (2, ""))
        self.assertIn("%x stands for nothing", result.stderr)
        result = support.wavetape("record", "-o", self.directory / "t", "--keep", "3", *self.workload)
        self.assertEqual((result.code, result.stdout), (2, ""))
        self.assertIn("--keep counts traces of one pattern", result.stderr)
        (self.directory / "file").touch()
        result = support.wavetape("record", "-o", self.directory / "file/%p", *self.workload)
        self.assertEqual((result.code, result.stdout), (1, ""))
        self.assertEqual(self.there(), ["file"])


class Disk(Recording):
    def test_slow_disk(self):
        """The budget of time does not bound the wait for the disk, which is told for each stop."""
        trace = self.directory / "s.wtape"
        result = self.client("record", "--break", "oob_store", "--steps", "1", WT_SLOW_SYNC=60,
                             LD_PRELOAD=support.TREE.build / "tests/end-to-end/libfail-nth.so",
                             WAVETAPE_TRACE=trace, WAVETAPE_OPTIONS="max-stopped-ms=50",
                             WAVETAPE_DBGAPI=support.TREE.libraries["simulated"],
                             WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"))
        self.assertEqual((result.code, result.stderr), (0, ""))
        found = [re.fullmatch(r"max-stopped-ms=50: this stop took (\d+) ms, (\d+) of them after its state was taken: "
                              r"to write it, to wait for the disk, and for the host", notice)
                 for notice in self.json("info", trace)["notices"]]
        found = [(int(match[1]), int(match[2])) for match in found if match]
        # It may have been told of the moment at the start, too, where the machine is slow.
        self.assertTrue([after for whole, after in found if whole >= after >= 60], found)


if __name__ == "__main__":
    support.main(__doc__)
