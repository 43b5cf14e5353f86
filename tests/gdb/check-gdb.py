# SPDX-License-Identifier: MIT
"""Debuggers over recordings: real ones that WAVETAPE_TEST_GDB names (paths with colons between them), and a client of ours
that makes the calls of one.

A GDB has to be configured `--with-amd-dbgapi`; a script that starts one will do. Without any, all but `Stand` and `Ends` is skipped.
"""

import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end-to-end"))

import support
from travel import StepsCase
import process_tree
from debuggers import BROKEN, Dap, Mi, Terminal as OnTerminal, run
from sessions import LIVE_SESSIONS, SESSIONS, client_script

VARIABLE = "WAVETAPE_TEST_GDB"
GDBS = [gdb for gdb in os.environ.get(VARIABLE, "").split(":") if gdb]
SKIPPED = 77
# GDB from this version on has a wave execute the instruction under a breakpoint elsewhere; before, all others wait while it does so in place.
DISPLACES = 17


class DebuggerCase(StepsCase):
    def each(self):
        for gdb in GDBS:
            with self.subTest(gdb=gdb):
                yield gdb

    def checked(self, done):
        """The output of a GDB that has no trouble with itself."""
        for text in done.stdout, done.stderr:
            self.assertIsNone(BROKEN.search(text), text)
        return done.stdout

    def show(self, gdb, trace, *commands, **options):
        """The output of a session, and behind it what went to the error output."""
        done = run(gdb, commands, replay=trace, **options)
        return self.checked(done) + done.stderr

    def workload_of(self, name, **changes):
        """A workload with absolute names, and changes; its path."""
        workload = json.loads(support.TREE.workload(name).read_text("utf-8"))
        workload["code_objects"] = [str(support.TREE.kernels / file) for file in workload["code_objects"]]
        path = self.directory / f"{name}.json"
        path.write_text(json.dumps({**workload, **changes}), "utf-8")
        return path

    def record(self, workload):
        trace = self.directory / "recorded.wtape"
        done = support.run(support.TREE.command, "record", "-o", trace, "--workload", workload)
        self.assertEqual(done.code, 0, done.stderr)
        return trace

    def objcopy(self):
        found = sorted(file for folder in os.get_exec_path() for file in pathlib.Path(folder).glob("llvm-objcopy*"))
        if not found:
            self.skipTest("no llvm-objcopy takes out .debug_frame, at which a live GDB ends")
        return found[-1]

    def survives(self, gdb, path):
        """A workload that a live GDB survives: before 18 one whose code objects have no .debug_frame."""
        return path if self.version(gdb) >= 18 else self.stripped(path, self.objcopy())

    @staticmethod
    def version(gdb):
        # It may find its library nowhere else, without which it does not even start.
        done = support.run(gdb, "--version", LD_LIBRARY_PATH=support.TREE.libraries["simulated"].parent)
        version = re.search(r" (\d+)\.\d+", done.stdout)
        return int(version[1]) if version else 0

    def stripped(self, path, objcopy):
        """A workload whose code objects have no .debug_frame."""
        workload = json.loads(path.read_text("utf-8"))
        for i, file in enumerate(workload["code_objects"]):
            entry = file if isinstance(file, dict) else {"file": file}
            stripped = str(self.directory / f"{i}.co")
            subprocess.run([objcopy, "--remove-section=.debug_frame", entry["file"], stripped], check=True)
            workload["code_objects"][i] = {**entry, "file": stripped}
        path.write_text(json.dumps(workload), "utf-8")
        return path

    def several_reasons(self):
        return self.record(support.several_reasons(self.directory))


class Stand(support.Case):
    """The sessions over the client that makes GDB's calls: live, recorded and replayed they are the same."""

    def test_sessions(self):
        client = support.TREE.build / "tests/end-to-end/gdb-client"
        trace = self.directory / "client.wtape"
        for name, commands in SESSIONS.items():
            words = client, "--script", client_script(commands)
            with self.subTest(workload=name):
                live = support.run(*words, LD_LIBRARY_PATH=support.TREE.libraries["simulated"].parent,
                                   WAVETAPE_WORKLOAD=support.TREE.workload(name))
                self.assertEqual((live.code, live.stderr), (0, ""), live.stdout[-1500:])
                self.assertRegex(live.stdout, r"(?m)^stopped: .* received signal SIG")
                recorded = support.run(
                    support.TREE.command, "record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--",
                    *words, WAVETAPE_WORKLOAD=support.TREE.workload(name))
                self.assertEqual(recorded, live)
                self.assertEqual(support.run(support.TREE.command, "replay", trace, "--", *words), live)


# A program whose parent ends at once, in a session of its own.
ORPHAN = "setsid sh -c 'sleep 1000 > /dev/null 2>&1 & echo $!'\n"


class Ends(support.Case):
    """Of a debugger that hangs nothing is left behind, wherever its programs are."""

    def setUp(self):
        super().setUp()
        self.numbers = self.directory / "numbers"
        self.gdb = self.directory / "gdb"
        # One program is in its group, one in its session, one in neither, and one has no parent: each says its number, and all wait for longer than
        # any test.
        self.gdb.write_text("#!/bin/bash\nset -m\nsleep 1000 & echo $!\nset +m\nsleep 1000 & echo $!\n"
                            f"{ORPHAN}setsid sh -c 'echo $$; exec sleep 1000' & wait\n".replace("echo $!", f"echo $! >> {self.numbers}")
                            .replace("echo $$", f"echo $$ >> {self.numbers}"))
        self.gdb.chmod(0o755)

    def wait_for_numbers(self, count=4):
        end = time.monotonic() + support.TIMEOUT
        while time.monotonic() < end:
            numbers = self.numbers.read_text("utf-8").split() if self.numbers.exists() else []
            if len(numbers) == count:
                return numbers
            time.sleep(0.01)
        self.fail("it has not begun")

    def check_all_gone(self, numbers):
        end = time.monotonic() + support.TIMEOUT
        while left := [number for number in numbers if pathlib.Path("/proc", number).exists()]:
            self.assertLess(time.monotonic(), end, left)
            time.sleep(0.01)

    def test_after_a_time_limit(self):
        with self.assertRaises(subprocess.TimeoutExpired):
            run(self.gdb, [], timeout=3)
        self.check_all_gone(self.wait_for_numbers())

    def test_after_its_end(self):
        """A debugger that has died may have left a program behind."""
        self.gdb.write_text("#!/bin/bash\n" + ORPHAN.replace("echo $!", f"echo $! >> {self.numbers}"))
        self.assertEqual(run(self.gdb, []).code, 0)
        self.check_all_gone(self.wait_for_numbers(1))

    def test_at_termination(self):
        """The program that runs the tests is ended from outside."""
        script = ("import pathlib, sys; sys.path[:0] = sys.argv[1:3]; import support, debuggers, process_tree; "
                  "support.TREE = support.Tree(*map(pathlib.Path, sys.argv[3:5])); process_tree.end_at_termination(); "
                  "debuggers.run(sys.argv[5], [])")
        folder = pathlib.Path(__file__).resolve().parent
        with subprocess.Popen([sys.executable, "-c", script, folder, folder.parent / "end-to-end", support.TREE.source, support.TREE.build,
                               self.gdb]) as tests:
            numbers = self.wait_for_numbers()
            tests.terminate()
        self.check_all_gone(numbers)


class Same(DebuggerCase):
    """A GDB shows of a recording what it showed of the GPU, but for the host's own thread."""

    # The host's thread, what its C library says, and what `wavetape` says of a replay.
    OWN = re.compile(r"^\*? +1 +(?:process|Thread) .*\n|^\[Thread debugging using .*\n|^Using host libthread_db .*\n|"
                     r"^\[Inferior 1 .*\n|^No wave is stopped at any recorded stop of this process\.\n|^0x\w+ +0x\w+ +(?:Yes|No) .*/lib.*\n|^\(\*\): Shared library .*\n|^wavetape: .*\n|^recorded: .*\n|^wave \d+ \(kernel .*\n|^Warning: the current language .*\n",
                     re.MULTILINE)
    LINE = re.compile(r"^(?:warning: )?(\d+)\t(?:in )?(\./\S+?|tests/\S+?)(?:: No such file or directory)?\n", re.MULTILINE)

    def plain(self, done):
        text = self.OWN.sub("", self.checked(done) + done.stderr)
        # Lines whose source file is not there come in the answer or as a complaint, as GDB remembers which file it showed last, by a pointer that
        # may be that of code which is gone.
        lines = sorted(f"{number} {file}\n" for number, file in self.LINE.findall(text))
        text = self.LINE.sub("", text) + "".join(lines)
        # Copies of code objects are elsewhere; columns are as wide as the host's thread makes them.
        text = re.sub(r"\S*(?:file:/)?/\S+\.(?:elf|co)\S*", "CODE", text)
        return re.sub(r" +", " ", text)

    def test_sessions(self):
        for gdb in self.each():
            for name, commands in SESSIONS.items():
                with self.subTest(workload=name):
                    self.check(gdb, self.survives(gdb, self.workload_of(name)), commands,
                               ("-iex", "file /bin/sleep", "-iex", "set args 1000"), "received signal SIG")

    def check(self, gdb, path, commands, program, wanted):
        trace = self.directory / "gdb.wtape"
        live = self.plain(run(gdb, commands, options=program, WAVETAPE_WORKLOAD=path,
                              LD_LIBRARY_PATH=support.TREE.libraries["simulated"].parent))
        self.assertRegex(live, wanted)
        recorded = run(gdb, commands, options=program, record=trace, WAVETAPE_WORKLOAD=path)
        self.assertEqual(self.plain(recorded), live)
        self.assertEqual(self.plain(run(gdb, commands, options=("-iex", "set breakpoint pending on"), replay=trace)), live)

    def test_live_sessions(self):
        """Breakpoints that GDB sets in kernels are hit, recorded, and hit again."""
        objcopy = self.objcopy()
        host = "-iex", f"file {support.TREE.build / 'dbgapi/host/wavetape-host'}", "-iex", "set breakpoint pending on"
        for gdb in self.each():
            for session, (names, commands) in LIVE_SESSIONS.items():
                with self.subTest(session=session):
                    changes = [{}] * len(names)
                    if session == "code that comes and goes":
                        changes = [{}, {"load_after": 0, "unload_after": 1}, {"load_after": 1}]
                    path = support.one_wave_each(self.directory, names, changes)
                    self.check(gdb, self.survives(gdb, path), commands, host, r"hit Breakpoint \d, ")


class Commands(DebuggerCase):
    """The commands called tape, and the lists that AMD's GDB has."""

    def test_run(self):
        for gdb in self.each():
            text = self.show(gdb, self.trace("oob-load"), "run", "bt", "info sharedlibrary", "p $_siginfo")
            self.assertRegex(text, r"(?s)received signal SIGSEGV.*oob_load \(.*oob-load\.c:9\n.*#0 .* in oob_load \(")
            self.assertRegex(text, r"0x0000200000000000 .*\.elf\n|0x0000\w+ +0x0000\w+ +Yes")
            self.assertNotIn("precise memory", text)

    def test_breakpoint_where_a_wave_stands(self):
        """It stops nothing but what was recorded, and keeps nothing from going on; nor is it in the way of a fault."""
        for gdb in self.each():
            # One that steps in place comes to a fault again, until the breakpoint is disabled, where nobody knows which instruction is the next,
            # and where it takes the faults of other waves for the breakpoint, and so delivers none.
            again = self.version(gdb) < DISPLACES
            for name, stops in ("debug-trap-gfx90a", 2), ("oob-load-gfx90a", 1), ("illegal-gfx90a", 1), ("assert-trap-gfx90a", 1), \
                    ("matmul-short-buffer-gfx90a", 16):
                in_place = again and name in ("illegal-gfx90a", "matmul-short-buffer-gfx90a")
                text = self.show(gdb, self.trace(name), "run", "break *$pc", *["continue", "disable"] * in_place, *["continue"] * stops)
                self.assertEqual(len(re.findall("received signal|hit Breakpoint", text)), stops + (in_place and stops == 1), text)
                self.assertNotRegex(text, "(?m)^Thread \\d+ stopped")
                self.assertIn("exited normally", text)
                self.assertNotIn("failed (", text)
            for mode in "on", "off":
                text = self.show(gdb, self.trace("debug-trap-gfx90a"), "run", f"set displaced-stepping {mode}", "break *$pc",
                                 "set scheduler-locking on", "stepi", "p $v1", "set scheduler-locking off", "continue", "continue")
                self.assertEqual(len(re.findall("received signal|hit Breakpoint", text)), 2, text)
                self.assertRegex(text, r"=> |0x\w+ in debug_trap|<unavailable>")
                self.assertIn("exited normally", text)

    def test_breakpoint_at_an_address(self):
        """GPU code is not there when the program begins: the breakpoint waits for it, whenever the program is run."""
        for gdb in self.each():
            text = self.show(gdb, self.trace("debug-trap-gfx90a"), "run", "set var $at = $pc", "break *$at", "info breakpoints",
                             "break main", "run", "continue", "info breakpoints", "x/i $pc", "kill", "info breakpoints")
            self.assertNotIn("Cannot insert", text)
            self.assertRegex(text, r"(?s)hit Breakpoint 1, .*=> 0x\w+ <debug_trap")
            self.assertEqual(re.findall(r"(?m)^1 +breakpoint +keep (.) ", text), ["y"] * 3, text)

    def test_end_before_the_first_stop(self):
        """Who kills a program that has not got to a stop has seen nothing of the recording."""
        for gdb in self.each():
            text = self.show(gdb, self.trace("oob-load"), "starti", "kill", "starti")
            self.assertNotIn("No wave is stopped at any recorded stop", text)
            self.assertIn("No wave is stopped at any recorded stop", self.show(gdb, self.trace("vecadd"), "run"))

    def test_warning_of_a_place_that_is_not_right(self):
        """A GDB switches precise memory off when it is the one that records."""
        trace = self.directory / "imprecise.wtape"
        for gdb in self.each():
            run(gdb, ["run", "kill"], record=trace, options=("-iex", "file /bin/sleep", "-iex", "set args 1000"),
                WAVETAPE_WORKLOAD=support.TREE.workload("oob-load-gfx90a"))
            self.assertIn("precise memory violation signal reporting is not enabled", self.show(gdb, trace, "run"))

    def test_warning_at_every_stop(self):
        """The recorded GDB had precise memory at the second of two faults."""
        trace = self.directory / "both.wtape"
        session = "handle SIGSEGV nopass", "run", "p $pc", "continue", "p $pc", "kill"
        host = "-iex", f"file {support.TREE.build / 'dbgapi/host/wavetape-host'}"
        for gdb in self.each():
            path = self.survives(gdb, self.two_faults())
            done = run(gdb, [*session[:3], "set amdgpu precise-memory on", *session[3:]], record=trace, options=host, WAVETAPE_WORKLOAD=path)
            shown = self.show(gdb, trace, *session, *session[1:])
            self.assertEqual([self.warnings(shown)[:2], self.warnings(shown)[2:]], [self.warnings(done.stdout)] * 2)
            self.assertEqual(self.warnings(done.stdout), [True, False])
            # Wherever the program goes from, or is sent.
            stops = [stop["stop"] for stop in self.json("stops", trace)["stops"] if "MEMORY" in stop["reasons"]]
            shown = self.show(gdb, trace, "run", f"tape goto {stops[1]}", f"tape goto {stops[0] - 1}", "continue", "continue")
            self.assertEqual(self.warnings(shown), [True, True, False])

    @staticmethod
    def warnings(text):
        """Of each memory fault that is shown, whether GDB warned."""
        return ["precise memory" in shown.split("Switching")[0] for shown in text.split("received signal SIGSEGV")[1:]]

    def two_faults(self):
        """One kernel after the other, each with a wave that reaches unmapped memory."""
        names = "oob-store-gfx90a", "oob-load-gfx90a"
        path = support.one_wave_each(self.directory, names, [{}, {}])
        workload = json.loads(path.read_text("utf-8"))
        for dispatch, name in zip(workload["dispatches"], names):
            one = json.loads(support.TREE.workload(name).read_text("utf-8"))["dispatches"][0]
            dispatch |= {"grid": one["grid"], "workgroup": one["workgroup"]}
        path.write_text(json.dumps(workload), "utf-8")
        return path

    def test_goto(self):
        for gdb in self.each():
            text = self.show(gdb, self.steps(), "tape info", "run", "tape goto 5", "p $pc", "tape goto 3", "tape next",
                             "tape previous", "tape goto 8", "tape goto 1", "tape goto 6", "tape waves", "tape goto foo",
                             "tape goto 99", "kill", "tape info")
            self.assertEqual(re.findall(r"(?m)^(?:Stop|At stop|No |The program is|`tape|\$1).*", text), [
                "The program is not being run: `run` goes to the first stop.",
                "Stop 5 of 8: single step", "$1 = (void (*)()) 0x200000001868 <debug_trap+104>",
                "Stop 3 of 8: single step", "Stop 4 of 8: single step", "Stop 3 of 8: single step",
                "Stop 8 of 8", "No wave was stopped there.", "Stop 1 of 8", "No wave was stopped there, all ran on.",
                "Stop 6 of 8: single step", "The program is not being run: `run` goes to the first stop.",
                "`tape goto` needs the number of a stop, and 'foo' is none.", "No stop 99: stops 1 to 8 can be gone to."])
            # Nothing is printed of the way.
            self.assertEqual(text.count("received signal"), 1)
            self.assertNotIn("Breakpoint", text)

    def test_goto_with_a_host_that_cannot_go_on(self):
        """Its registers are the user's to write to; a signal that the host gets for that does not come again and again."""
        for gdb in self.each():
            text = self.show(gdb, self.steps(), "run", "thread 1", "set var $kept = $pc", "set var $pc = 0", "tape goto 1", "thread",
                             "set var $pc = $kept", "tape goto 1", "info symbol $kept")
            self.assertRegex(text, r"(?s)\[Current thread is 1 .*Stop 1 of 8\n.*(?:wavetape_host_ready|main)\b")
            self.assertIn("wavetape-host cannot go on: the $pc of its thread is 0x0, where it has no code. Set it back", text)
            text = self.show(gdb, self.steps(), "run", "thread 1", "set var $sp = 8", "set var $pc = main", "tape goto 1", "tape info",
                             "run", "tape goto 5")
            self.assertRegex(text, r"(?s)The program is not being run.*received signal SIGTRAP.*Stop 5 of 8")
            self.assertIn("A signal has ended wavetape-host on the way: `run` starts it again.", text)

    def test_goto_with_breakpoints_and_locks(self):
        """What keeps threads from running side by side is put aside on the way, and is there again."""
        for gdb in self.each():
            text = self.show(gdb, self.steps(), "run", "break debug_trap", "set scheduler-locking on", "handle SIGSEGV nostop",
                             "tape goto 8", "tape goto 4", "show scheduler-locking", "info breakpoints", "info signals SIGSEGV",
                             "info signals SIGTRAP")
            self.assertRegex(text, r'(?s)Stop 8 of 8\n.*Stop 4 of 8: single step\n.*is "on"\..*keep y .*debug_trap'
                                   r".*\nSIGSEGV +No.*\nSIGTRAP +Yes")

    def many_waves(self):
        """512 waves in 64 queues, of which 256 stop at once, and then the others."""
        one = json.loads(support.TREE.workload("debug-trap").read_text("utf-8"))["dispatches"][0]
        dispatch = {**one, "grid": [512, 1, 1], "workgroup": [64, 1, 1]}
        return self.record(self.workload_of(
            "debug-trap", buffers={"data": {"bytes": 2048}}, queues=[{}] * 64,
            dispatches=[{**dispatch, "queue": queue} for queue in range(64)]))

    def test_goto_with_many_waves(self):
        """There is no stop of the way for each wave that GDB has kept back: these took seconds."""
        trace = self.many_waves()
        waves = [stop["stopped"] for stop in self.json("stops", trace)["stops"]]
        self.assertEqual(waves, [0, 256, 256])
        for gdb in self.each():
            begin = time.monotonic()
            self.show(gdb, trace, "run")
            run_alone = time.monotonic() - begin
            begin = time.monotonic()
            text = self.show(gdb, trace, "run", *["tape goto 3", "tape goto 2"] * 5, "info threads")
            self.assertEqual(text.count("Stop 3 of 3: debug trap"), 5)
            self.assertEqual(len(re.findall(r"(?m)^[* ] +\d+ +AMDGPU Wave ", text)), 256)
            # Each journey takes about as long as a run, or less.
            self.assertLess(time.monotonic() - begin, 15 * max(run_alone, 0.2))

    # What is done between two journeys, or nothing.
    BETWEEN = ("", "", "stepi", "info threads", "thread 2", "thread 1", "set var $s0 = 7", "bt 1", "tape waves")

    def test_many_journeys(self):
        """Each leads where it is to lead, and a stop is the same whatever the way there was."""
        chosen = random.Random(942)
        for gdb in self.each():
            for trace in self.steps(), self.several_reasons():
                stops = len(self.json("stops", trace)["stops"])
                wanted = [chosen.randint(1, stops) for _ in range(40)]
                commands = ["run"]
                for stop in wanted:
                    commands += [f"tape goto {stop}", f"echo at {stop}\\n", "tape waves", "thread apply all -q -s p $s1", "echo end\\n", chosen.choice(self.BETWEEN)]
                text = self.show(gdb, trace, *filter(None, commands))
                self.assertEqual([int(stop) for stop in re.findall(r"(?m)^Stop (\d+) of", text)], wanted)
                seen = {}
                for stop, shown in re.findall(r"(?ms)^at (\d+)\n(.*?)^end$", text):
                    # Where waves were seen last is a matter of the way.
                    shown = re.sub(r"(?m)^ +threads? .*\n", "", shown)
                    shown = re.sub(r"(?m)^\$\d+ = |^\* |seen last at .*", "  ", shown)
                    lines = sorted(shown.splitlines())  # threads have other numbers each time
                    self.assertEqual(seen.setdefault(stop, lines), lines, f"stop {stop}")
                self.assertEqual(len(seen), stops)

    def test_two_inferiors(self):
        """Each replays a process of its own: other code at the same addresses, other waves, each where its own time is."""
        trace = self.directory / "two.wtape"
        workloads = [support.TREE.workload(name) for name in ("oob-store", "debug-trap")]
        done = support.run(support.TREE.command, "record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--",
                           *support.script("end-to-end/two-processes.py"), f"+a={workloads[0]}", f"+b={workloads[1]}",
                           *"ea eb ha hb sa sb rb gb eb hb sb -a -b".split())
        self.assertEqual(done.code, 0, done.stderr)
        for gdb in self.each():
            text = self.show(gdb, trace, "run", "clone-inferior", "inferior 2", "run", "x/i $pc", "info threads", "thread 1.2",
                             "x/i $pc", "continue", "thread 2.2", "x/i $pc", "kill inferiors 2")
            self.assertRegex(text, r"(?s)SIGSEGV.*\[Switching to inferior 2 .*SIGTRAP.*<debug_trap\+88>:\tglobal_load_dword.*"
                                   r"\[Switching to thread 1\.2 .*<oob_store\+96>:\tglobal_store_dword.*"
                                   r"\n\[Inferior 1 \(process \d+\) exited normally\]\n"
                                   r"(?:\[Switching to inferior 2 .*\n)?\[Switching to thread 2\.2 .*<debug_trap\+88>:\tglobal_load_dword")
            self.assertEqual(re.findall(r"(?m)^[ *] +(\d\.\d) +AMDGPU Wave (\d:\d:\d:\d) ", text),
                             [("1.2", "1:1:1:3"), ("2.2", "2:2:2:5"), ("2.3", "2:2:2:7")])
            self.assertNotIn("Other waves", text)
            self.assertNotIn("No wave is stopped", text)

    def test_crash(self):
        for gdb in self.each():
            text = self.show(gdb, self.several_reasons(), "run", "tape goto 1", "tape crash", "thread", "tape waves")
            self.assertRegex(text, r"(?s)received signal SIGSEGV.*\nOther waves have stopped here: 1 for illegal instruction, "
                                   r"2 for debug trap\. `tape waves` shows them\.\n")
            self.assertRegex(text, r"(?m)^crash +memory violation in kernel oob_load \(stop 3\)\nat +\S+oob-load\.c:9:")
            self.assertRegex(text, r"(?m)^\[Current thread is \d+ \(AMDGPU Wave 1:2:\d+:\d+ \(1,0,0\)/1\)\]\n#0 .* in oob_load ")
            self.assertRegex(text, r"(?m)^\* 1 wave, memory violation: 0x\w+ oob_load\+84 at \S+oob-load\.c:9\n +thread \d+\n"
                                   r"  1 wave, illegal instruction: 0x\w+ illegal\+80 ")

    def test_variables(self):
        """Calls and variables of the selected wave, also where it has come back after travelling."""
        for gdb in self.each():
            text = self.show(gdb, self.trace("debug-trap-O0"), "run", "tape goto 1", "tape goto 2", "tape backtrace",
                             "tape locals --lane 0", "tape print i + 1", "tape print nothing")
            self.assertRegex(text, r"(?m)^#0 debug_trap at \S*debug-trap\.c:\d+:\d+, pc 0x\w+$")
            self.assertRegex(text, r"(?m)^u32 \* data = 0x\w+\nu32 i = \d+$")
            self.assertRegex(text, r"(?m)^\(unsigned int\) i \+ 1 = \d+$")
            self.assertIn("cannot print: nothing: at character 1: there is no variable nothing here", text)

    def test_way(self):
        """The way of the selected wave: back, on, and to who wrote what."""
        for gdb in self.each():
            text = self.show(gdb, self.trace("oob-store"), "run", "tape way", "tape back", "tape forth", "tape last-write v4",
                             "tape back 100", "tape back none", "tape last-write nothing")
            self.assertRegex(text, r"(?m)^stop 2, wave w3: the way from its launch, 17 instructions; proved: \d+ of \d+ register values; values of lane 61, ")
            self.assertRegex(text, r"(?m)^ +15 +oob-store\.c:16 +0x\w+ +v_lshl_add_u64 v\[0:1\], v\[0:1\], 2, s\[8:9\] ")
            self.assertIn("The wave stopped here.\n", text)
            self.assertRegex(text, r"(?m)^ +11 +oob-store\.c:16 +0x\w+ +v_lshl_add_u32 v4, v0, 1, v0 ")
            self.assertIn("The way begins here.\n", text)
            self.assertIn("`tape back` takes a number of instructions, and 'none' is none.", text)
            self.assertIn("nothing: at character 1: there is no variable nothing here", text)

    def test_no_crash(self):
        for gdb in self.each():
            text = self.show(gdb, self.trace("debug-trap"), "run", "tape crash")
            self.assertIn("No wave stopped for a fault in this recording.", text)

    def test_no_stop(self):
        for gdb in self.each():
            text = self.show(gdb, self.trace("vecadd"), "run")
            self.assertIn("exited normally]\nNo wave is stopped at any recorded stop of this process.\n", text)

    def test_no_stop_in_one_of_two_processes(self):
        """A program that was run twice has stopped waves in the recording, though its second process has none."""
        trace = self.directory / "twice.wtape"
        session = "break vecadd", "run", "delete", "continue", "run"
        host = "-iex", f"file {support.TREE.build / 'dbgapi/host/wavetape-host'}", "-iex", "set breakpoint pending on"
        for gdb in self.each():
            path = self.survives(gdb, support.one_wave_each(self.directory, ("vecadd-gfx90a",), [{}]))
            run(gdb, session, record=trace, options=host, WAVETAPE_WORKLOAD=path)
            shown = self.show(gdb, trace, *session, options=("-iex", "set breakpoint pending on"))
            self.assertRegex(shown, r"(?s)hit Breakpoint 1, .*exited normally\].*exited normally\]\n")
            self.assertEqual(re.findall("No wave is stopped .*", shown), ["No wave is stopped at any recorded stop of this process."])

    def test_waves_that_ran(self):
        for gdb in self.each():
            text = self.show(gdb, self.trace("oob-load"), "run", "tape goto 2", "tape waves")
            self.assertRegex(text, r"(?m)^  3 waves, ran on: seen last at 0x\w+ oob_load at .*\n    threads \d-\d$")

    def test_lists(self):
        for gdb in self.each():
            text = self.show(gdb, self.several_reasons(), "run", "info agents", "info queues", "info dispatches", "info lanes",
                             "thread 1", "info lanes")
            self.assertRegex(text, r"(?m)^\* 1 +A +AMDGPU Agent \(GPUID \d+\) +gfx942 +Simulated")
            self.assertRegex(text, r"(?m)^  1 +AMDGPU Queue 1:1 \(QID \d+\) +HSA +0 +1 +\d+ +0x\w+\n\* 2 +AMDGPU Queue 1:2 ")
            self.assertRegex(text, r"(?m)^\* 2 +AMDGPU Dispatch 1:2:2 \(PKID 0\) +\[256\] +\[128\] +B\|As\|Rs +oob_load$")
            lanes = re.findall(r"(?m)^  (\d+) +A +AMDGPU Lane 1:2:2:8/\d+ \(1,0,0\)\[(\d+),0,0\] +oob_load", text)
            self.assertEqual(lanes, [(f"{lane}", f"{64 + lane}") for lane in range(64)])
            self.assertIn("No wave is selected: `thread N` selects one.", text)

    def test_start_and_the_host(self):
        for gdb in self.each():
            text = self.show(gdb, self.trace("oob-load"), "start", "bt", "continue", "thread 1", "bt")
            self.assertRegex(text, r"(?s)Temporary breakpoint 1, 0x\w+ in main \(\)\n#0  0x\w+ in main \(\)\n.*SIGSEGV.*"
                                   r"\n#[01]  0x\w+ in main \(\)\n\Z|in main \(\)\n")
            self.assertNotRegex(text, r"\?\? \(\)|host\.c")

    def test_another_program(self):
        for gdb in self.each():
            text = self.show(gdb, self.trace("oob-load"), "run", program=("--args", "/bin/true", "--size", "3"))
            self.assertIn("/bin/true is not run: the recorded program is shown in its place", text)
            self.assertIn("received signal SIGSEGV", text)

    def test_a_step_that_is_not_recorded(self):
        for gdb in self.each():
            text = self.show(gdb, self.trace("oob-load"), "run", "p $pc", "stepi", "p $pc", "next", "tape info")
            self.assertEqual(text.count("wavetape: the recording does not go on with this wave alone: it stays where it is"), 2)
            self.assertEqual(len(set(re.findall(r"(?m)^\$\d = (.*)", text))), 1)

    def test_a_breakpoint_of_others(self):
        """Where the recorded debugger had a breakpoint and this one has none, it shows the program."""
        trace = self.directory / "break.wtape"
        self.wavetape("record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--",
                      support.TREE.build / "tests/end-to-end/gdb-client", "--script", "break:vecadd,run,stepi*2", stdout=None,
                      WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))
        for gdb in self.each():
            shown = self.show(gdb, trace, "run", "x/i $pc", "x/wx $pc")
            self.assertIn("received signal SIGTRAP", shown)
            self.assertIn("\n=> 0x200000001900 <vecadd>:\ts_load_dword s3, s[0:1], 0x2c\n", shown)
            self.assertIn("\n0x200000001900 <vecadd>:\t0xc00200c0\n", shown)

    def test_recorded_messages(self):
        for gdb in self.each():
            text = self.show(gdb, self.trace("illegal"), "run")
            self.assertRegex(text, r"(?m)^recorded: wave \d+ \(kernel illegal")


class FrontEnds(DebuggerCase):
    def test_mi(self):
        for gdb in self.each():
            with Mi(gdb, self.trace("oob-load"), self.directory) as mi:
                stopped = mi.do("-exec-run", "*stopped")[-1]
                self.assertRegex(stopped, r'reason="signal-received",signal-name="SIGSEGV".*func="oob_load"')
                self.assertEqual(len(re.findall(r"thread-id|{id=", "".join(mi.do("-thread-info")))) >= 5, True)
                mi.do('-interpreter-exec console "tape goto 2"', "^running")
                lines = mi.until('~"Stop 2 of 3')
                self.assertEqual(sum(line.startswith("*stopped") for line in lines), 1, lines)
                lines = mi.do('-interpreter-exec console "tape goto foo"')
                self.assertRegex(lines[-1], r"^\^error,msg=\"`tape goto` needs the number of a stop, and 'foo' is none\.\"")
                lines = mi.do('-interpreter-exec console "tape info"')
                self.assertIn('~"At stop 2 of 1 to 3.\\n"', lines)
                mi.do("-gdb-exit", "^exit")

    def test_a_step_that_is_not_recorded(self):
        """A wave that stands for no reason has no signal: GDB's name for that is the one of an interrupt's stop in non-stop mode."""
        for gdb in self.each():
            with Mi(gdb, self.trace("oob-load"), self.directory) as mi:
                mi.do("-exec-run", "*stopped")
                mi.do('-interpreter-exec console "tape goto 3"', "^running")
                mi.until('~"Stop 3 of 3')
                mi.do("-gdb-set scheduler-locking on")
                mi.do("-thread-select 3")
                for command in "-exec-step-instruction", "-exec-next":
                    lines = mi.do(command, "*stopped")
                    self.assertRegex(lines[-1], r'reason="end-stepping-range",.*thread-id="3"')
                    self.assertIn("the recording does not have this step: the wave is shown behind the instruction", "".join(lines))
                # What comes behind the end of the program is not known.
                for _ in range(3):
                    lines = mi.do("-exec-step-instruction", "*stopped")
                    if "end-stepping-range" not in lines[-1]:
                        break
                self.assertRegex(lines[-1], r'reason="signal-received",signal-name="0",signal-meaning="Signal 0",.*thread-id="3"')
                self.assertIn("the recording does not go on with this wave alone: it stays where it is", "".join(lines))
                mi.do("-gdb-exit", "^exit")

    # What Visual Studio Code's C/C++ extension gives GDB before it runs a program.
    EDITOR = ("-gdb-set mi-async on", "-gdb-set auto-solib-add on", "-enable-pretty-printing", "-environment-cd /tmp",
              '-gdb-set solib-search-path "/bin"', "-file-exec-and-symbols /bin/true", "-exec-arguments --size 3")

    def test_an_editor(self):
        for gdb in self.each():
            with Mi(gdb, self.trace("oob-load"), self.directory) as mi:
                for command in self.EDITOR:
                    mi.do(command)
                lines = mi.do("-exec-run", "*stopped")
                self.assertIn("is not run: the recorded program is shown in its place", "".join(lines))
                self.assertRegex(lines[-1], r'signal-name="SIGSEGV".*func="oob_load"')
                self.assertRegex(mi.do("-stack-list-frames 0 1000")[-1], r'file="\S+oob-load\.c".*line="9"')
                self.assertRegex(mi.do("-data-evaluate-expression $pc")[-1], r'value="0x\w+ <oob_load\+84>"')
                self.assertIn("memory violation in kernel oob_load", "".join(mi.do('-interpreter-exec console "tape crash"')))
                # No step of the wave was recorded: the fault is still there.
                self.assertRegex(mi.do("-exec-step-instruction", "*stopped")[-1], r'reason="signal-received",signal-name="SIGSEGV"')
                self.assertIn('reason="exited-normally"', mi.do("-exec-continue", "*stopped")[-1])
                mi.do("-gdb-exit", "^exit")

    def test_dap(self):
        for gdb in self.each():
            with Dap(gdb, self.trace("oob-load"), self.directory) as dap:
                self.assertTrue(dap.ask("initialize", adapterID="tape", clientID="test")["success"])
                dap.send_request("launch", program="/bin/true", args=["--size", "3"])
                dap.send_request("configurationDone")
                thread = dap.event("stopped")["body"]["threadId"]
                self.assertEqual(len(dap.ask("threads")["body"]["threads"]), 5)
                frame = dap.ask("stackTrace", threadId=thread)["body"]["stackFrames"][0]
                self.assertEqual((frame["name"].split("(")[0], frame["line"]), ("oob_load", 9))
                answer = dap.ask("evaluate", expression="tape goto 2", context="repl")
                self.assertEqual(answer["body"]["result"], "Stop 2 of 3: memory violation\n")
                answer = dap.ask("evaluate", expression="tape crash", context="repl")
                self.assertIn("memory violation in kernel oob_load", answer["body"]["result"])
                self.assertTrue(dap.ask("disconnect", terminateDebuggee=True)["success"])
                self.assertEqual([event for event in dap.events if event["event"] == "breakpoint"], [])
                stops = [event["body"]["reason"] for event in dap.events if event["event"] == "stopped"]
                self.assertLessEqual(len(stops), 3)


class Terminal(DebuggerCase):
    def test_interrupt(self):
        """The rest of a journey is forgotten, wherever Ctrl-C meets it; the next one goes from there."""
        for gdb in self.each():
            with OnTerminal(gdb, Commands.many_waves(self)) as terminal:
                self.assertIn("SIGTRAP", terminal.do("run"))
                for seconds in (0.002, 0.005, 0.01, 0.02, 0.03, 0.05):
                    shown = terminal.interrupt("tape goto 3", seconds)
                    self.assertRegex(shown, r"Interrupted: the program is at stop [23]\.|Stop 3 of 3|Quit")
                    self.assertRegex(terminal.do("tape info"), r"\ARecording \S+\nAt stop [23] of 1 to 3\.\n\Z")
                    self.assertRegex(terminal.do("tape goto 2"), r"(?m)^Stop 2 of 3: debug trap$")

    def test_remark(self):
        for gdb in self.each():
            with OnTerminal(gdb, self.several_reasons()) as terminal:
                shown = terminal.do("run") + terminal.do("tape info")
                self.assertEqual(shown.count("Other waves have stopped here"), 1, shown)


if __name__ == "__main__":
    process_tree.end_at_termination()
    if not GDBS and not {"Stand", "Ends"} & set(sys.argv):
        print(f"skipped: {VARIABLE} names no GDB")
        sys.exit(SKIPPED)
    support.main(__doc__)
