# SPDX-License-Identifier: MIT
"""libwavetape-agent.so: a fault leaves a trace by itself, and the program does not notice.

A stand-in for the HSA runtime (tool-host.c) loads the tool and calls its entry points; below it is the library over the simulated GPU.
"""

import grp
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

import support
from support import Case

ENDS = ("exit", "return", "_exit", "abort", "kill", "unload", "again", "fork", "exec", "thread", "signal")


class Agent(Case):
    def setUp(self):
        super().setUp()
        self.tool = support.TREE.agent
        self.host = support.TREE.build / "tests/end-to-end/tool-host"
        self.where = self.directory / "traces"
        self.where.mkdir()

    def variables(self, workload, agent="", **more):
        path = workload if isinstance(workload, os.PathLike) else support.TREE.workload(workload)
        return support.environment(WAVETAPE_WORKLOAD=path, WAVETAPE_DBGAPI=support.TREE.libraries["simulated"],
                                   WAVETAPE_AGENT=f"output={self.where}/%e-%p.wtape,{agent}", **more)

    def start(self, end, environment, tool=None):
        return subprocess.Popen([self.host, self.tool if tool is None else tool, end], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True)

    def finish(self, process):
        """Let a program end; its status and output."""
        stdout, stderr = process.communicate(timeout=support.TIMEOUT)
        # A sanitizer remarks on a child that has a thread less than its parent.
        return process.returncode, stdout, re.sub(r"==\d+==Running thread [^\n]*\n", "", stderr)

    def alone(self, end):
        """What the program does without a tool."""
        return self.finish(self.start(end, support.environment(), tool=""))[:2]

    def traces(self):
        return sorted(self.where.rglob("*.wtape"))

    def wait_for(self, ready, what):
        limit = time.monotonic() + support.TIMEOUT
        while not ready():
            self.assertLess(time.monotonic(), limit, what)
            time.sleep(0.01)

    def line_of(self, process):
        """The line that the tool prints."""
        return process.stderr.readline()

    def is_closed(self, count=1):
        """Are there so many traces, each closed in order?"""
        traces = self.traces()
        return len(traces) >= count and all(support.wavetape("check", trace).code == 0 for trace in traces)


class Faults(Agent):
    def test_line_and_trace(self):
        line = support.TREE.line_of("oob-store", "out[index] = ")
        process = self.start("exit", self.variables("oob-store"))
        told = self.line_of(process)
        [trace] = self.traces()
        self.assertEqual(trace.name, f"tool-host-{process.pid}.wtape")
        self.assertEqual(told, "wavetape: GPU fault: memory violation in kernel oob_store, "
                               f"oob-store.c:{line}: 1 of 1 wave: {trace}\n")
        # The trace is whole while the program is still there.
        self.wavetape("check", trace, code=0)
        self.assertEqual(self.finish(process), (*self.alone("exit"), ""))
        report = self.json("info", trace)
        self.assertEqual((len(report["faults"]), report["process_id"], report["end_reason"]),
                         (1, process.pid, "process exit"))
        self.wavetape("verify", trace, code=0)

    def test_source(self):
        """Files that the waves stand in are kept where that is asked for; what is no such file costs nothing but itself."""
        file = self.directory / "tree/tests/kernels/oob-store.c"
        file.parent.mkdir(parents=True)
        lines = "".join(f"line {number}\n" for number in range(1, 30))
        for make, options, kept in ((lambda: file.write_text(lines, "utf-8"), "", [{"file": "tests/kernels/oob-store.c", "bytes": len(lines)}]),
                                    (lambda: None, "redact", None), (file.unlink, "", None), (lambda: os.mkfifo(file), "", None)):
            make()
            process = self.start("exit", self.variables("oob-store", f"source=={self.directory}/tree", WAVETAPE_OPTIONS=options))
            self.assertIn("GPU fault: memory violation", self.line_of(process))
            self.assertNotIn("LLVM", pathlib.Path(f"/proc/{process.pid}/maps").read_text("utf-8"))
            self.assertEqual(self.finish(process), (*self.alone("exit"), ""))
            [trace] = self.traces()
            self.wavetape("check", trace)
            shown = self.json("info", trace)
            self.assertEqual(shown.get("source_files"), kept)
            if kept:
                self.assertEqual(shown["explanations"][0]["source_lines"][3], {"line": 16, "text": "line 16"})
            trace.unlink()

    def test_every_fault(self):
        for workload in support.share(support.FAULTS):
            with self.subTest(workload=workload):
                process = self.start("exit", self.variables(workload))
                self.assertIn(support.FAULTS[workload].lower().replace("_", " ", 1).split()[0], self.line_of(process).lower())
                self.assertEqual(self.finish(process), (*self.alone("exit"), ""))
                [trace] = self.traces()
                self.assertTrue(self.json("info", trace)["faults"])
                trace.unlink()

    def test_quiet(self):
        process = self.start("exit", self.variables("oob-store", "quiet"))
        self.wait_for(self.is_closed, "no trace")
        self.assertEqual(self.finish(process), (*self.alone("exit"), ""))

    def test_nothing_happens(self):
        """A program without a fault leaves nothing, however it ends."""
        for workload, ends in (("vecadd", support.share(ENDS)), ("debug-trap", ("exit", "kill")), ("unloads", ("exit",))):
            for end in ends:
                with self.subTest(workload=workload, end=end):
                    process = self.start(end, self.variables(workload))
                    self.assertEqual(self.finish(process), (*self.alone(end), ""))
                    self.assertEqual(self.traces(), [])

    def test_ends_after_a_fault(self):
        for end in support.share(ENDS):
            with self.subTest(end=end):
                process = self.start(end, self.variables("oob-store"))
                if end != "thread":
                    self.assertIn("GPU fault", self.line_of(process))
                code, stdout, stderr = self.finish(process)
                self.assertEqual((code, stdout), self.alone(end))
                self.assertEqual(stderr.count("\n"), stderr.count("wavetape: GPU fault"), stderr)
                for trace in self.traces():
                    self.assertEqual(support.wavetape("info", trace).code, 0)
                    trace.unlink()

    def test_names(self):
        environment = self.variables("oob-store", SLURM_JOB_ID="71", SLURM_PROCID="5")
        environment["WAVETAPE_AGENT"] = f"output={self.where}/%j/%r.wtape keep=2"
        for _ in range(3):
            process = self.start("exit", environment)
            self.assertIn("GPU fault", self.line_of(process))
            self.finish(process)
        self.assertEqual(len(self.traces()), 2)
        self.assertEqual({trace.parent.name for trace in self.traces()}, {"71"})


class OnTrace(Agent):
    """A command of the user's is run with each trace that is whole, and cannot keep the program."""

    def command(self, text):
        path = self.directory / "a-command"
        path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        path.chmod(0o755)
        return path

    def fault(self, words, **more):
        """A program that faults with them. What is said beside the fault, and how long it took."""
        begun, count = time.monotonic(), len(self.traces())
        process = self.start("exit", self.variables("oob-store", words, **more))
        if "quiet" in words:
            self.wait_for(lambda: self.is_closed(count + 1), "there is no trace")
        else:
            self.assertIn("GPU fault: memory violation", self.line_of(process))
        code, stdout, stderr = self.finish(process)
        taken = time.monotonic() - begun
        self.assertEqual((code, stdout), self.alone("exit"))
        return stderr.splitlines(), taken

    def test_run(self):
        """It gets the path, nothing of the program's, and is not watched."""
        said = self.directory / "said"
        command = self.command(f'{{ echo "$# $1"; {support.TREE.command} check "$1" > /dev/null; echo "whole: $?"; for f in /proc/$$/fd/*; do [ -L "$f" ] && printf "%s " "${{f##*/}}"; done; '
                               f'readlink /proc/$$/fd/1; ps -o sid= -p $$ | tr -d " "; echo $$; env | grep -c "^HSA_TOOLS_LIB=\\|^WAVETAPE_AGENT="; }} > {said}.new; '
                               f'mv {said}.new {said}')
        self.assertEqual(self.fault(f"on-trace={command}", HSA_TOOLS_LIB="x")[0], [])
        [trace] = self.traces()
        lines = said.read_text("utf-8").splitlines()
        self.assertEqual(lines[:2], [f"1 {trace}", "whole: 0"])
        # Those from 10 on are the shell's own.
        self.assertLessEqual(set(lines[2].split()[:-1]), {"0", "1", "2", "10", "11"})
        self.assertEqual(lines[3], lines[4], "a session of its own")
        self.assertEqual(lines[5], "0")

    def test_trouble(self):
        for text, said in (("exit 3", "it ended with 3"), ("kill -TERM $$", "it was ended by signal 15"), ("exit 0", None),
                           ("sleep 8 & exit 0", None)):
            with self.subTest(command=text):
                command = self.command(text)
                lines, taken = self.fault(f"on-trace={command}")
                self.assertEqual(lines, [f"wavetape: on-trace: {command}: {said}"] if said else [])
                self.assertLess(taken, 7)
                self.assertEqual(self.fault(f"on-trace={command},quiet")[0], [])
        lines, _ = self.fault("on-trace=/nowhere/upload")
        self.assertEqual(lines, ["wavetape: on-trace: /nowhere/upload: it cannot be run: No such file or directory"])

    def test_hang(self):
        """With all that it has started, it is ended in time."""
        pids = self.directory / "pids"
        command = self.command(f"sleep 1000 & echo $! $$ > {pids}; wait")
        lines, taken = self.fault(f"on-trace={command},on-trace-within=500ms")
        self.assertEqual(lines, [f"wavetape: on-trace: {command}: it was ended after 500 ms"])
        self.assertLess(taken, 20)
        for pid in pids.read_text("utf-8").split():
            self.wait_for(lambda pid=pid: not pathlib.Path(f"/proc/{pid}").exists() or
                          " Z " in pathlib.Path(f"/proc/{pid}/stat").read_text("utf-8"), "the command is still there")


class Record(Agent):
    """`record -- PROGRAM`: the command starts the program with the agent."""

    def test_agent(self):
        """Below paths that have what ends a word for the agent, and what stands for something in a name of a trace."""
        self.where, tree, temporary = (self.directory / f"a, b %h{name}\\" for name in ("traces", "tree", "notes"))
        temporary.mkdir()
        environment = support.environment(WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"), WAVETAPE_AGENT="traces=3,source=none=/nowhere\\", TMPDIR=temporary)
        command = [support.TREE.command, "record", "--agent", "--keep", "1",
                   "--dbgapi", support.TREE.libraries["simulated"], "--", self.host, self.tool, "exit"]
        shutil.copytree(support.TREE.source / "tests/kernels", tree / "kernels",
                        ignore=lambda _, names: set(names) - {"oob-store.c"})
        command[3:3] = ["--source", "none=/", "--source", f"tests={tree}/../{tree.name}"]
        for here, output in (("/", str(self.where).replace("%", "%%") + "/%e.wtape"), (self.where, "%e.wtape")):
            process = subprocess.Popen([*command[:3], "-o", output, *command[3:]], cwd=here, env=environment, text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertRegex(self.line_of(process), "^wavetape: GPU fault: memory violation in kernel oob_store")
            self.assertEqual(self.finish(process), (*self.alone("exit"), ""))
        [trace] = self.directory.rglob("*.wtape")
        self.assertEqual(trace.parent, self.where)
        self.assertEqual([file["file"] for file in self.json("info", trace)["source_files"]], ["tests/kernels/oob-store.c"])

    def program(self, workload, *command, agent=""):
        environment = support.environment(WAVETAPE_WORKLOAD=support.TREE.workload(workload), WAVETAPE_AGENT=agent, TMPDIR=self.directory)
        result = self.finish(subprocess.Popen([support.TREE.command, "record", "--agent", "-o", f"{self.where}/%e.wtape", "--dbgapi",
                                               support.TREE.libraries["simulated"], "--", *command], stdin=subprocess.PIPE,
                                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True))
        self.assertEqual((self.traces(), [path.name for path in self.directory.iterdir()]), ([], ["traces"]))
        return result

    def test_no_fault(self):
        """What is said at the end of a program that had none."""
        for end in ("exit", "fork"):
            self.assertEqual(self.program("vecadd", self.host, self.tool, end),
                             (*self.alone(end), "wavetape: no fault; no trace written\n"))
        self.assertEqual(self.program("vecadd", self.host, self.tool, "exit", agent="keep=3, quiet"), (*self.alone("exit"), ""))
        self.assertEqual(self.program("vecadd", "sh", "-c", "exit 3"),
                         (3, "", "wavetape: no trace written: the program did not start AMD's runtime\n"))

    def test_refused(self):
        for arguments, said in ((("--agent", "--workload", support.TREE.workload("vecadd")), "--agent says how a program is started"),
                                (("--agent", "--source", "=/tmp", "--redact", "--", "true"), "cannot keep source files: --source: ")):
            result = support.wavetape("record", *arguments)
            self.assertEqual((result.code, result.stdout), (2, ""))
            self.assertIn(said, result.stderr)


class Trouble(Agent):
    """Something of ours fails: the program ends as it does alone."""

    def same(self, environment, said, end="exit", traces=0, tool=None):
        process = self.start(end, environment, tool)
        if said:
            self.assertRegex(self.line_of(process), said)
        code, stdout, stderr = self.finish(process)
        self.assertEqual((code, stdout), self.alone(end), stderr)
        self.assertEqual(len(self.traces()), traces)
        return stderr

    def test_no_library(self):
        environment = self.variables("oob-store")
        environment["WAVETAPE_DBGAPI"] = "/nowhere/librocm-dbgapi.so.0"
        self.same(environment, r"^wavetape: the GPU is not watched: the recorder: .*/nowhere/librocm-dbgapi.so.0: ")
        environment["WAVETAPE_AGENT"] += "quiet"
        self.assertEqual(self.same(environment, ""), "")

    def test_no_device(self):
        environment = self.variables("oob-store")
        del environment["WAVETAPE_WORKLOAD"]
        self.same(environment, r"^wavetape: the GPU is not watched: amd_dbgapi_process_attach: ")

    def test_no_directory(self):
        environment = self.variables("oob-store")
        (self.directory / "file").touch()
        environment["WAVETAPE_AGENT"] = f"output={self.directory}/file/%p.wtape"
        self.same(environment, r"^wavetape: cannot write the trace: .*/file/\d+\.wtape: Not a directory$")

    @unittest.skipUnless(os.geteuid() == 0, "only root can become somebody else")
    def test_no_permission(self):
        os.chmod(self.directory, 0o755)
        os.chmod(support.TREE.temporary, 0o755)
        os.chmod(self.where, 0o555)
        try:
            process = subprocess.Popen([self.host, self.tool, "exit"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env=self.variables("oob-store"), text=True, user=65534)
        except PermissionError:
            self.skipTest("the build directory is not for everybody")
        self.assertRegex(self.line_of(process), r"^wavetape: cannot write the trace: .*: Permission denied$")
        self.assertEqual(self.finish(process)[:2], self.alone("exit"))
        os.chmod(self.where, 0o755)
        self.assertEqual(self.traces(), [])

    def test_file_size_limit(self):
        """As on a full disk: the file may not become as long as it would."""
        script = f"ulimit -f 100; exec {self.host} {self.tool} exit"
        process = subprocess.Popen(["bash", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=self.variables("oob-store"), text=True)
        self.assertRegex(self.line_of(process), r"^wavetape: nothing was recorded: the recorder: cannot write the trace: memory: File too large$")
        self.assertEqual(self.finish(process)[:2], self.alone("exit"))

    def test_no_room(self):
        """The disk is to keep more free than it has."""
        self.same(self.variables("oob-store", WAVETAPE_OPTIONS="min-free=900000G"),
                  r"^wavetape: the recording ends here: min-free: the file system has \d+ bytes left, fewer than \d+$")

    def test_no_thread(self):
        self.skip_with_sanitizer("a sanitizer has memory and threads of its own")
        script = f"ulimit -u 1; exec {self.host} {self.tool} exit"
        process = subprocess.Popen(["bash", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=self.variables("oob-store"), text=True,
                                   user=65534 if os.geteuid() == 0 else None)
        code, stdout, stderr = self.finish(process)
        self.assertEqual((code, stdout), self.alone("exit"))
        self.assertRegex(stderr, "^wavetape: the GPU is not watched: thread: ")

    def test_no_descriptors(self):
        script = f"ulimit -n 5; exec {self.host} {self.tool} exit"
        process = subprocess.Popen(["bash", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=self.variables("oob-store"), text=True)
        self.assertEqual(self.finish(process)[:2], self.alone("exit"))

    def test_failing_calls(self):
        """Memory runs out, and files fail, at each of many places."""
        self.skip_with_sanitizer("a sanitizer has memory and threads of its own")
        tried = 0
        preload = support.TREE.build / "tests/end-to-end/libfail-nth.so"
        for kind in ("memory", "file"):
            calls = self.directory / "calls"
            environment = self.variables("oob-store", LD_PRELOAD=preload, WT_FAIL_KIND=kind, WT_FAIL_AT=0,
                                         WT_FAIL_REPORT=calls)
            process = self.start("exit", environment)
            self.line_of(process)
            self.finish(process)
            count = int(calls.read_text().split()[0])
            self.assertGreater(count, 3)
            step = 1 if "WAVETAPE_LONG" in os.environ else max(1, count // 12) * support.SHARE
            for number in range(1, count + 1, step):
                environment = self.variables("oob-store", LD_PRELOAD=preload, WT_FAIL_KIND=kind, WT_FAIL_AT=number)
                process = self.start("exit", environment)
                # At once: it may be at any point of its work.
                code, stdout, stderr = self.finish(process)
                self.assertEqual((code, stdout), self.alone("exit"), (kind, number, stderr))
                tried += 1
        print(f"{tried} calls failed: the program ends as it does alone")

    def test_words(self):
        environment = self.variables("oob-store")
        environment["WAVETAPE_AGENT"] += "loudly,signal=KILL"
        process = self.start("exit", environment)
        line = self.line_of(process)
        self.assertRegex(line, "^wavetape: WAVETAPE_AGENT: cannot understand the word: loudly: there is no such word; there are [a-z]")
        # All that the manual explains, and no others.
        listed = re.findall(r"[a-z-]+=?", line.partition("there are ")[2])
        table = (support.TREE.source / "docs/recording.md").read_text("utf-8").split("| word | meaning |\n|---|---|\n")[1]
        rows = re.findall(r"(?m)^\| (.*?) \|", table.split("\n\n")[0])
        self.assertCountEqual(listed, re.findall(r"`([a-z-]+=?)", "".join(rows)))
        self.assertIn("GPU fault", self.line_of(process))
        self.assertEqual(self.finish(process)[:2], self.alone("exit"))


class Hangs(Agent):
    def hanging(self, kernel):
        return support.hanging(self.directory, kernel)

    def source_line(self, text):
        source = (support.TREE.source / "tests/end-to-end/hangs.c").read_text("utf-8").splitlines()
        [line] = [number for number, line in enumerate(source, 1) if text in line]
        return line

    def check_spinning(self, trace):
        report = self.json("info", trace)
        self.assertEqual((report["faults"], report["waves"]), ([], 8))
        self.assertEqual(sum(place["waves"] for place in report["places"]), 8)
        for place in report["places"]:
            self.assertEqual((place["kernel"], place["activity"]), ("spins", "loop"))
            self.assertEqual(place["at"]["source"]["line"], self.source_line("/* spins */"))
        text = self.expect(support.wavetape("info", trace))
        self.assertIn("no fault     8 waves, none stopped for a fault", text)
        self.assertIn("in kernel spins, in a loop, line", text)
        self.wavetape("verify", trace, code=0)

    def check_snapshot(self):
        """As many as the process may have; the program goes on."""
        process = self.start("exit", self.variables(self.hanging("spins"), "traces=2"))
        self.wait_for(lambda: "loaded" in process.stdout.readline(), "not loaded")
        told = [self.expect(support.wavetape("snapshot", process.pid))]
        told.append(json.loads(self.expect(support.wavetape("snapshot", process.pid, "--json"))))
        refused = support.wavetape("snapshot", process.pid)
        code, stdout, stderr = self.finish(process)
        self.assertEqual((code, stdout), (7, "ends\n"))
        first, second = sorted(self.traces(), key=lambda path: path.stat().st_mtime_ns)
        self.assertEqual(told, [f"{first}: 8 waves\n", {"format": 3, "file": str(second), "waves": 8}])
        self.assertEqual((refused.code, refused.stdout), (1, ""))
        self.assertIn("the agent says: it has as many traces as it may", refused.stderr)
        lines = stderr.splitlines()
        for line, trace in zip(lines, (first, second)):
            self.assertRegex(line, rf"^wavetape: snapshot: waves in kernel spins, hangs.c:\d+: \d of 8 waves: {re.escape(str(trace))}$")
        self.assertEqual(lines[2:], ["wavetape: cannot take a snapshot: snapshot: it has as many traces as it may"])
        self.check_spinning(second)

    def test_no_waves(self):
        process = self.start("exit", self.variables("vecadd"))
        self.wait_for(lambda: "loaded" in process.stdout.readline(), "not loaded")
        # The workload needs some calls of the library to come to its end.
        result = None
        for _ in range(5):
            result = support.wavetape("snapshot", process.pid)
            if result.code:
                break
        self.assertEqual((result.code, result.stdout), (1, ""))
        self.assertIn("the agent says: no wave is running, and no queue has packets", result.stderr)
        self.assertEqual(self.finish(process)[0], 7)

    def test_no_agent(self):
        result = support.wavetape("snapshot", os.getpid())
        self.assertEqual((result.code, result.stdout), (1, ""))
        self.assertIn("it has no agent that listens", result.stderr)
        result = support.wavetape("snapshot", "4194303")
        self.assertIn("there is no such process", result.stderr)
        for arguments in (("0",), ("x",), (), ("1", "2")):
            self.assertEqual(support.wavetape("snapshot", *arguments).code, 2)

    def check_hang_after(self):
        process = self.start("exit", self.variables(self.hanging("misses"), "hang-after=200ms"))
        self.assertRegex(self.line_of(process), "^wavetape: no queue has moved while work waits: waves in kernel misses, "
                                                rf"device.h:\d+ from hangs.c:{self.source_line('/* waits */')}: 6 of 8 waves: ")
        [trace] = self.traces()
        # One hang is told once.
        time.sleep(0.5)
        self.assertEqual(self.finish(process), (*self.alone("exit"), ""))
        [first, *others] = self.json("info", trace)["places"]
        self.assertEqual((first["waves"], first["activity"], first["kernel"]), (6, "barrier", "misses"))
        self.assertEqual({(place["activity"], place["at"]["source"]["line"]) for place in others},
                         {("loop", self.source_line("/* misses it */"))})
        self.assertIn("waves        6 of 8 in kernel misses, at a barrier\n", self.expect(support.wavetape("info", trace)))

    def waiting(self, agent):
        """A program that waits though no wave runs: its queue is at a barrier packet."""
        environment = self.variables("vecadd", agent, STAND_IN_OF=support.TREE.libraries["simulated"], STAND_IN_WAITS="1")
        environment["WAVETAPE_DBGAPI"] = support.TREE.build / "tests/habits/librocm-dbgapi.so.0"
        return self.start("exit", environment)

    def check_waiting(self, trace):
        report = self.json("info", trace)
        [queue] = report["waiting"]
        barrier, dispatch = queue["packets"]
        ring, unmapped = barrier["signals"]
        self.assertEqual((report["faults"], report["waves"], report["places"], queue["waiting"]), ([], 0, [], 2))
        self.assertEqual((barrier["packet"], barrier["type"], unmapped), (5, "barrier_and", {"address": "0x123456789000", "value": None}))
        self.assertEqual((dispatch["packet"], dispatch["type"], dispatch["kernel"], dispatch["grid"]), (6, "dispatch", "vecadd", [1024, 1, 1]))
        first = f"a barrier: waits until each of these signals is 0: {ring['address']} (is {ring['value']}), 0x123456789000"
        self.assertEqual(self.expect(support.wavetape("info", trace)).partition("\nno fault ")[2],
                         f"    no wave stopped for a fault\n\nqueue        q{queue['queue']} (the driver's {queue['os_id']}): 2 packets "
                         f"waiting, and no wave\npacket 5     {first}\npacket 6     kernel vecadd, grid 1024 x 1 x 1\n")
        self.wavetape("verify", trace, code=0)
        return f"no wave: queue {queue['os_id']} is at packet 5, {first}"

    def test_no_wave_runs(self):
        """Work waits, and there is no wave to stop: the trace has what it waits for."""
        process = self.waiting("hang-after=200ms")
        told = self.line_of(process)
        [trace] = self.traces()
        self.assertEqual(told, f"wavetape: no queue has moved while work waits: {self.check_waiting(trace)}: {trace}\n")
        # One hang is told once.
        time.sleep(0.5)
        self.assertEqual(self.finish(process), (*self.alone("exit"), ""))
        trace.unlink()
        process = self.waiting("quiet")
        self.wait_for(lambda: "loaded" in process.stdout.readline(), "not loaded")
        told = self.expect(support.wavetape("snapshot", process.pid))
        [trace] = self.traces()
        self.assertEqual(told, f"{trace}: 0 waves\n")
        self.check_waiting(trace)
        self.assertEqual(self.finish(process)[::2], (7, ""))

    def test_each_way(self):
        """The simulated GPU is at work as long as a program hangs: each of these costs seconds under a sanitizer."""
        ways = self.check_snapshot, self.check_hang_after, self.check_signal
        for check in ways[2:] if support.SMALL else support.share(ways):
            with self.subTest(way=check.__name__):
                check()
                for trace in self.traces():
                    trace.unlink()

    def check_signal(self):
        process = self.start("exit", self.variables(self.hanging("spins"), "signal=SIGUSR2"))
        self.wait_for(lambda: "loaded" in process.stdout.readline(), "not loaded")
        process.send_signal(signal.SIGUSR2)
        self.assertRegex(self.line_of(process), "^wavetape: snapshot: ")
        self.assertEqual(self.finish(process)[0], 7)
        self.check_spinning(*self.traces())

    def test_signal_of_the_program(self):
        """The program's own handler stays."""
        process = self.start("signal", self.variables("vecadd", "signal=USR2"))
        code, stdout, stderr = self.finish(process)
        self.assertEqual((code, stdout), self.alone("signal"))
        self.assertEqual(stderr, "wavetape: cannot take the signal: USR2: the program has a handler for it, or ignores it\n")

    def test_fault_after_a_snapshot(self):
        """A fault is still recorded after snapshots; snapshots are not taken after it."""
        process = self.start("exit", self.variables("oob-store"))
        self.assertIn("GPU fault", self.line_of(process))
        result = support.wavetape("snapshot", process.pid)
        self.assertIn("the agent says: the program had a fault before", result.stderr)
        self.line_of(process)
        self.assertEqual(self.finish(process)[0], 7)
        self.assertEqual(len(self.traces()), 1)


class Attach(Agent):
    """`record --pid`: from outside."""

    def record(self, process, *arguments, workload="vecadd", **variables):
        return support.wavetape("record", "--pid", getattr(process, "pid", process), "-o", f"{self.where}/%e-%p.wtape",
                                "--dbgapi", support.TREE.libraries["simulated"], *arguments,
                                WAVETAPE_WORKLOAD=support.TREE.workload(workload), **variables)

    def target(self, script="read line; exit 9", **more):
        process = subprocess.Popen(["bash", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **more)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def ends_as_alone(self, process):
        self.assertIn("TracerPid:\t0\n", pathlib.Path(f"/proc/{process.pid}/status").read_text("utf-8"))
        stdout, _ = process.communicate("go\n", timeout=support.TIMEOUT)
        self.assertEqual(process.returncode, 9)
        return stdout

    def test_snapshot(self):
        process = self.target()
        self.assertEqual(self.expect(self.record(process)), "16 waves where they stood; the process goes on\n")
        [trace] = self.traces()
        self.assertEqual(trace.name, f"bash-{process.pid}.wtape")
        self.assertIn("no fault     16 waves, none stopped for a fault", self.expect(support.wavetape("info", trace)))
        self.wavetape("verify", trace, code=0)
        self.assertEqual(self.ends_as_alone(process), "")

    def test_follow(self):
        process = self.target()
        result = self.record(process, "--seconds", 20, "--json", workload="oob-store")
        self.assertEqual((result.code, result.stderr), (0, ""))
        [trace] = self.traces()
        self.assertEqual(json.loads(result.stdout), {"format": 3, "file": str(trace), "end": "fault", "waves": 1, "faulted_waves": 1})
        self.assertEqual(len(self.json("info", trace)["faults"]), 1)
        self.assertEqual(self.ends_as_alone(process), "")

    def test_the_command_is_killed(self):
        """The process is let go of, and not when its time would be over."""
        process = self.target()
        with subprocess.Popen([support.TREE.command, "record", "--pid", str(process.pid), "--seconds", "1000", "-o", self.where / "a",
                               "--dbgapi", support.TREE.libraries["simulated"]], stdout=subprocess.DEVNULL,
                              env=support.environment(WAVETAPE_WORKLOAD=support.hanging(self.directory, "spins"))) as recording:
            status = pathlib.Path(f"/proc/{process.pid}/status")

            def tracer():
                return int(re.search(r"TracerPid:\t(\d+)", status.read_text("utf-8"))[1])
            self.wait_for(lambda: tracer() not in (0, recording.pid), "not traced")
            recording.kill()
        self.wait_for(lambda: not tracer(), "still traced")
        self.assertEqual(self.ends_as_alone(process), "")

    def test_signals_are_handed_on(self):
        process = self.target('trap "echo caught" USR1; echo ready; while ! read -t 0.05 line; do :; done; exit 9')
        self.assertEqual(process.stdout.readline(), "ready\n")
        with subprocess.Popen([support.TREE.command, "record", "--pid", str(process.pid), "--seconds", "1", "-o", self.where / "a",
                               "--dbgapi", support.TREE.libraries["simulated"]], text=True, stdout=subprocess.PIPE,
                              env=support.environment(WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))) as recording:
            status = pathlib.Path(f"/proc/{process.pid}/status")
            # First the command looks whether it may, and lets go of it again: the session is in a process of its own.
            others = {"0", str(recording.pid)}
            self.wait_for(lambda: re.search(r"TracerPid:\t(\d+)", status.read_text("utf-8"))[1] not in others, "not traced")
            # Another one is refused, and named.
            other = self.record(process)
            self.assertEqual((other.code, other.stdout), (2, ""))
            self.assertRegex(other.stderr, r"^wavetape: cannot attach to the process: process \d+: process \d+ traces it: one")
            process.send_signal(signal.SIGUSR1)
            self.assertEqual(process.stdout.readline(), "caught\n")
            stdout, _ = recording.communicate(timeout=support.TIMEOUT)
        self.assertEqual((recording.returncode, stdout.count("the process goes on")), (0, 1))
        self.assertEqual(self.ends_as_alone(process), "")

    def test_process_ends(self):
        process = self.target("sleep 0.5; exit 3")
        result = self.record(process, "--seconds", 20)
        self.assertEqual((result.stdout, process.wait()), ("the process ended meanwhile\n", 3))

    def test_refused(self):
        self.assertIn("there is no such process", self.record(4194303).stderr)
        self.assertIn("that is this command itself", self.record(os.getpid()).stderr)
        process = self.start("exit", self.variables("vecadd"))
        self.wait_for(lambda: "loaded" in process.stdout.readline(), "not loaded")
        self.assertIn(f"it has the agent: `wavetape snapshot {process.pid}`", self.record(process).stderr)
        self.assertEqual(self.finish(process)[0], 7)
        for arguments in (("--pid", "x"), ("--pid", "0"), ("--seconds", "3", "--", "true"), ("--pid", "1", "--", "true")):
            self.assertEqual(support.wavetape("record", *arguments).code, 2)
        self.assertEqual(self.traces(), [])

    @unittest.skipUnless(os.geteuid() == 0, "only root has it to give up")
    def test_without_the_capability(self):
        process = self.target(user=65534)
        result = support.run("setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace", support.TREE.command, "record",
                             "--pid", process.pid, "-o", f"{self.where}/t")
        self.assertEqual((result.code, result.stdout), (2, ""))
        self.assertIn("the capability SYS_PTRACE is missing, or a filter of system calls forbids ptrace", result.stderr)
        self.assertEqual(self.ends_as_alone(process), "")

    @unittest.skipUnless(os.geteuid() == 0, "only root can become somebody else")
    def test_another_user(self):
        process = self.target()
        os.chmod(self.directory, 0o755)
        try:
            result = subprocess.run([support.TREE.command, "record", "--pid", str(process.pid), "-o", "/tmp/%p.wtape"], user=65534,
                                    capture_output=True, text=True, check=False, env=support.environment())
        except PermissionError:
            self.skipTest("the build directory is not for everybody")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"^wavetape: cannot attach to the process: process \d+: it is of user 0: run this command as "
                                        "that user, or as root\n$")
        self.assertEqual(self.ends_as_alone(process), "")


@unittest.skipUnless(os.geteuid() == 0, "only root can make another view of files")
class KernelLog(Agent):
    """What the kernel says of GPUs is in the trace, out of a log that is put in place of this machine's."""

    FAULT = [f"amdgpu 0000:03:00.0: amdgpu: line {number} <script>\\x1b[31m" for number in range(11)]

    def record(self, script, preexec=None):
        """The trace of a program before which that is done, in a view of files of its own."""
        if subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, check=False).returncode:
            self.skipTest("no view of files can be made here")
        process = subprocess.Popen(["unshare", "-m", "sh", "-c", f'{script} && exec "$@"', "sh", self.host, self.tool, "exit"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=self.variables("oob-store", "quiet"), preexec_fn=preexec)
        self.wait_for(self.is_closed, "no trace")
        self.assertEqual(self.finish(process), (*self.alone("exit"), ""))
        [trace] = self.traces()
        self.wavetape("check", trace)
        return trace

    def test_lines(self):
        log, now = self.directory / "log", time.monotonic_ns() // 1000
        records = [f"6,1,{now},-;usb 1-1: new device\n", *(f"3,{number},{now},-;{line}\n SUBSYSTEM=pci\n" for number, line in enumerate(self.FAULT)),
                   f"12,99,{now},-;amdgpu: written by a program\n"]
        log.write_text("".join(records), "utf-8")
        dumps = ("mount -t tmpfs none /sys/class && mkdir -p /sys/class/devcoredump/devcd7/failing_device && "
                 "ln -s /sys/bus/pci/drivers/amdgpu /sys/class/devcoredump/devcd7/failing_device/driver")
        trace = self.record(f"mount --bind {log} /dev/kmsg && {dumps}")
        shown = self.json("host", trace)
        self.assertEqual([line["text"] for line in shown["kernel_log"]], self.FAULT)
        # The trace began behind it, a moment ago.
        self.assertTrue(all(-support.TIMEOUT * 1e9 < line["time"] < 0 for line in shown["kernel_log"]), shown["kernel_log"])
        self.assertEqual(shown["device_dumps"], ["/sys/class/devcoredump/devcd7"])
        self.assertFalse([text for text in shown["not_known"] if "kernel's log" in text])
        self.assertEqual(self.json("info", trace)["kernel_log"], shown["kernel_log"])
        told = self.wavetape("info", trace)
        self.assertIn("\nkernel log   11 lines of AMD's GPUs since the program began, the last of which are (`wavetape host` has all):\n  "
                      + "\n  ".join(self.FAULT[2:]) + "\ndevice dump  /sys/class/devcoredump/devcd7, which the kernel keeps for minutes\n", told)
        self.assertRegex(self.wavetape("host", trace), r"\nkernel log\n(  -\d+\.\d{6} s amdgpu 0000:03:00\.0: [^\n]*\n){11}\n"
                                                              r"device dumps\n  /sys/class/devcoredump/devcd7\n")
        page = self.directory / "page.html"
        self.wavetape("report", trace, "-o", page)
        self.assertNotIn("<script>\\\\x1b", page.read_text("utf-8"))
        self.assertIn("line 10", page.read_text("utf-8"))

    def test_refused(self):
        """What may not be read is no trouble to the program, and is said in the trace."""
        trace = self.record("mount --bind /dev/null /dev/kmsg", support.forbid_ptrace)
        shown = self.json("host", trace)
        self.assertIn("the kernel's log: Operation not permitted", shown["not_known"])
        self.assertNotIn("kernel_log", shown)
        self.assertNotIn("kernel log ", self.wavetape("info", trace))


@unittest.skipUnless(os.geteuid() == 0, "only root can make another view of files")
class Forbidden(Agent):
    """What stands in the way of `record --pid`, as the command finds it in /proc and /dev: here in a view of files of its own."""

    target, ends_as_alone = Attach.target, Attach.ends_as_alone

    def setUp(self):
        super().setUp()
        if subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/proc/sys/kernel"], capture_output=True, check=False).returncode:
            self.skipTest("no view of files can be made here")
        os.chmod(self.directory, 0o755)
        os.chmod(support.TREE.temporary, 0o755)

    def refuse(self, files, user=65534, code=2):
        """What is said when the user attaches to a process of his own, with these files there."""
        process = self.target(user=user)
        script = f"{files} && exec setpriv --reuid={user} --clear-groups {support.TREE.command} record --pid {process.pid} -o {self.where}/t"
        # Looking for leaks needs what is forbidden here.
        options = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "detect_leaks=0")))
        environment = support.environment(ASAN_OPTIONS=options)
        result = subprocess.run(["unshare", "-m", "sh", "-c", script], preexec_fn=support.forbid_ptrace, capture_output=True, text=True,
                                check=False, env=environment, timeout=support.TIMEOUT)
        if result.returncode in (126, 127):
            self.skipTest("the build directory is not for everybody")
        self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
        self.assertEqual(self.ends_as_alone(process), "")
        return result.stderr.replace(str(process.pid), "N")

    def test_ptrace_scope(self):
        said = "wavetape: cannot attach to the process: process N: "
        scope = "mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama && echo {} > /proc/sys/kernel/yama/ptrace_scope"
        for number in (1, 2):
            self.assertEqual(self.refuse(scope.format(number)), f"{said}kernel.yama.ptrace_scope is {number}: run this command as root, "
                                                                "or set it to 0\n")
        for user in (0, 65534):
            self.assertEqual(self.refuse(scope.format(3), user), f"{said}kernel.yama.ptrace_scope is 3: nobody may trace on this machine "
                                                                 "until it is started again\n")
        # Root has been allowed by the first two, and everybody by 0: then it is something else.
        missing = ("the capability SYS_PTRACE is missing, or a filter of system calls forbids ptrace: in a container, "
                   "--cap-add SYS_PTRACE\n")
        for number, user in ((1, 0), (2, 0), (0, 65534)):
            self.assertEqual(self.refuse(scope.format(number), user), said + missing)
        self.assertEqual(self.refuse("mount -t tmpfs none /proc/sys/kernel"), said + missing)

    def test_group_of_the_device(self):
        name = grp.getgrgid(1).gr_name
        device = "mount -t tmpfs none /dev && mknod -m 660 /dev/kfd c 1 3 && mknod -m 666 /dev/null c 1 3 && chgrp 1 /dev/kfd"
        self.assertEqual(self.refuse(device, code=1), f"wavetape: cannot debug the process: /dev/kfd: this user may not open it: be in the group {name}\n")


if __name__ == "__main__":
    support.main(__doc__)
