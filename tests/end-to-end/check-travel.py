# SPDX-License-Identifier: MIT
"""A replay goes back and forth while a client is connected, over its control socket."""

import importlib.util
import os
import random
import subprocess
import sys
import time
import types
import unittest.mock

import support
from travel import STOPS, TravelCase

STATE_STOP = 3
REASON_SINGLE_STEP = 4
TRIPS = 100


class Travel(TravelCase):
    def test_hundred_times_back_and_forth(self):
        client = self.client()
        client.do("pump")
        chosen = random.Random(942)
        seen, used, last = {}, set(), set()
        for _ in range(TRIPS):
            stop = chosen.randint(1, STOPS)
            events = self.go(client, stop)
            answers = client.do("show")
            waves = set(client.waves())
            self.assertEqual(seen.setdefault(stop, answers), answers, f"stop {stop}")
            # Every stopped wave has its event; no handle comes back from the dead.
            self.assertEqual({int(event.split()[3]) for event in events}, set(client.waves(STATE_STOP)))
            self.assertEqual((waves - last) & used, set())
            used |= waves
            last = waves
        self.assertEqual(len(seen), STOPS)
        self.assertEqual(len(set(map(tuple, seen.values()))), STOPS)
        self.assertGreater(len(used), 2 * STOPS)

    def test_same_as_without_travelling(self):
        """What a client sees that comes to a stop by itself, and one that was sent there."""
        straight = self.client()
        while self.place(straight) < 2:
            straight.do("pump")
        straight.do("step 1")
        while self.place(straight) < 3:
            straight.do("pump")
        client = self.client()
        client.do("pump")
        self.go(client, 6)
        self.go(client, 3)
        self.assertEqual(client.do("dump"), straight.do("dump"))

    def test_vanished_waves(self):
        client = self.client()
        client.do("pump")
        self.go(client, 3)
        before = client.waves()
        self.go(client, 8)
        self.assertEqual(client.waves(), [])
        for wave in before:
            self.assertEqual(client.do(f"gone {wave}"), ["gone " + " ".join(4 * ["ERROR_INVALID_WAVE_ID"])])
        self.go(client, 3)
        after = client.waves()
        self.assertEqual(len(after), len(before))
        self.assertGreater(min(after), max(before))
        self.assertIn("ERROR_INVALID_WAVE_ID", client.do(f"gone {before[0]}")[0])

    def test_reasons_come_with_events(self):
        client = self.client()
        client.do("pump")
        events = self.go(client, 5)
        # The wave that made the stop comes first.
        self.assertRegex(events[0], rf"^event WAVE_STOP wave \d+ reason {REASON_SINGLE_STEP}$")
        self.assertRegex(events[1], r"^event WAVE_STOP wave \d+ reason [1-9]\d*$")
        self.assertEqual(len(events), 2)

    def test_commands_end_with_their_waves(self):
        client = self.client()
        client.do("pump")
        self.go(client, 3)
        stepping = client.waves()[0]
        self.ask(client, "goto 8")
        self.assertEqual(client.do("step", "wait", "pump"),
                         [f"event WAVE_COMMAND_TERMINATED wave {stepping} reason 0"])
        self.assertEqual(self.place(client), 8)

    def test_changed_lists(self):
        client = self.client()
        client.do("pump", "changed")
        self.go(client, 3)
        self.assertEqual(client.do("changed"), ["changed dispatch wave"])
        self.go(client, 4)
        self.assertEqual(client.do("changed"), ["changed"])
        self.go(client, 8)
        self.assertIn("wave", client.do("changed")[0].split())

    def test_writes_are_of_their_stop(self):
        client = self.client()
        client.do("pump")
        self.go(client, 4)
        clean = client.do("show")
        client.do("poke")
        self.assertNotEqual(client.do("show"), clean)
        self.go(client, 6)
        registers = [line for line in client.do("dump") if line.startswith("    ") and ":" not in line]
        other = self.client()
        other.do("pump")
        self.go(other, 6)
        self.assertEqual(registers, [line for line in other.do("dump")
                                     if line.startswith("    ") and ":" not in line])

    def test_waits_until_all_waves_run(self):
        client = self.client()
        client.do("pump")
        self.go(client, 2)
        held = client.waves()
        self.ask(client, "goto 5")
        self.assertEqual(client.do("pump"), [])
        self.assertEqual(client.do("resume 1", "pump"), [])
        self.assertEqual((self.place(client), client.waves()), (2, held))
        events = client.do("resume", "wait", "pump")
        self.assertEqual((len(events), self.place(client)), (2, 5))

    def test_stop_requests_are_answered_on_the_way(self):
        client = self.client()
        client.do("pump")
        self.go(client, 2)
        self.ask(client, "goto 5")
        client.do("resume 1")
        events = client.do("stop", "wait", "pump")
        # It stopped for the client alone: what it had stopped for before it was resumed is over.
        self.assertRegex("\n".join(events), r"\Aevent WAVE_STOP wave \d+ reason 0\Z")
        self.assertEqual(self.place(client), 2)

    def test_goes_on_from_where_it_is(self):
        client = self.client()
        client.do("pump")
        self.go(client, 6)
        self.go(client, 2)
        for _ in range(20):
            client.do("step", "pump")
            if self.place(client) == STOPS:
                break
        self.assertEqual(self.place(client), STOPS)

    def test_pcs_of_breakpoints(self):
        """A debugger moves them back with the event; in later stops they are recorded as it left them."""
        trace = self.directory / "breakpoint.wtape"
        self.wavetape("record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--",
                      support.TREE.build / "tests/end-to-end/gdb-client", "--script",
                      "break:saxpy,run,info-threads,stepi,stepi,continue",
                      WAVETAPE_WORKLOAD=support.TREE.workload("two-queues"))
        client = self.client(trace)
        client.do("pump")
        pcs = {}
        for stop in (2, 3, 4):
            self.go(client, stop)
            dump = client.do("dump")
            pcs[stop] = [pc for reason, pc in zip(
                (line for line in dump if "WAVE_INFO_STOP_REASON" in line),
                (line for line in dump if "WAVE_INFO_PC" in line)) if " SUCCESS 01000000" in reason]
        self.assertEqual([len(each) for each in pcs.values()], [4, 4, 3])
        self.assertEqual(len(set(pcs[2] + pcs[3] + pcs[4])), 1, pcs)
        self.assertEqual(self.ask(client, "previous")[1]["wanted"], "3")
        client.do("resume", "wait", "pump")
        # The stop before was only half of it.
        self.assertRegex(self.ask(client, "previous")[1].get("wanted", "1"), "^1$")

    def test_attach_again(self):
        client = self.client()
        client.do("pump")
        self.go(client, 5)
        self.go(client, 8)
        self.go(client, 5)
        shown = max(client.waves())
        self.assertGreater(shown, 4)
        client.do("detach")
        self.assertEqual(list((self.directory / "wavetape").iterdir()), [])
        client.do("attach", "pump")
        self.go(client, 5)
        # It is another life of the process, and a handle that was given once is not given again.
        self.assertGreater(min(client.waves()), shown)


class Commands(TravelCase):
    def journeys(self, client):
        return int(self.ask(client, "info")[1]["journey"])

    def run_beside(self, client, *arguments, **options):
        """A command that waits for the client, and the client that does its part."""
        before = self.journeys(client)
        process = subprocess.Popen(
            [str(argument) for argument in (support.TREE.command, *arguments)], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=support.environment(XDG_RUNTIME_DIR=self.directory, **options))
        while self.journeys(client) == before:
            time.sleep(0.01)
        client.do("resume", "wait", "pump")
        stdout, stderr = process.communicate(timeout=support.TIMEOUT)
        return process.returncode, stdout, stderr

    def test_goto_next_previous(self):
        client = self.client()
        client.do("pump")
        for arguments, reached in (
            (("goto", client.pid, 5), 5), (("previous", client.pid), 4),
            (("next", self.steps()), 5), (("goto", self.steps(), 8), 8),
            (("previous", self.steps()), 7),
        ):
            self.assertEqual(self.run_beside(client, *arguments),
                             (0, f"stop {reached} of {STOPS}\n", ""))
        code, stdout, stderr = self.run_beside(client, "goto", client.pid, 3, "--json")
        self.assertEqual((code, stderr), (0, ""))
        self.assertRegex(stdout, r'"pending": false')
        self.assertRegex(stdout, r'"stop": 3')

    def test_no_such_stop(self):
        client = self.client()
        client.do("pump")
        name = self.socket(client).name
        for arguments, why in (
            (("goto", client.pid, 9), f"no stop 9: stops 1 to {STOPS} can be gone to"),
            (("previous", client.pid), "there is no stop before stop 1"),
        ):
            self.command(*arguments, code=1,
                         stderr=f"wavetape: the replay refuses: {name}: {why}\n")
        self.go(client, STOPS)
        self.command("next", client.pid, code=1, stderr=(
            f"wavetape: the replay refuses: {name}: there is no stop after stop {STOPS}\n"))

    def test_no_such_replay(self):
        missing = self.directory / "no.wtape"
        self.command("goto", 1, 1, code=1, stderr=(
            "wavetape: cannot find the replay: 1: no process of that number replays a trace\n"))
        self.command("goto", self.steps(), 1, code=1, stderr=(
            f"wavetape: cannot find the replay: {self.steps()}: no running process replays this "
            "trace\n"))
        self.command("next", missing, code=1, stderr=(
            f"wavetape: cannot find the replay: {missing}: No such file or directory\n"))
        self.command("replays", stdout="")
        self.assertEqual(self.json("replays", XDG_RUNTIME_DIR=self.directory)["replays"], [])

    def test_several_replays(self):
        pids = sorted(self.client().pid for _ in range(2))
        self.command("goto", self.steps(), 2, code=2, stderr=(
            f"wavetape: cannot tell which replay is meant: {self.steps()}: 2 processes replay it: "
            f"name one of {pids[0]}, {pids[1]}\n"))
        self.assertEqual(
            [(each["pid"], each["file"], each["stop"], each["first"], each["last"])
             for each in self.json("replays", XDG_RUNTIME_DIR=self.directory)["replays"]],
            [(pid, str(self.steps()), 0, 1, STOPS) for pid in pids])

    def test_time_out(self):
        client = self.client()
        client.do("pump")
        self.go(client, 2)
        self.command("goto", client.pid, 3, "--wait", 1, code=1, stderr=(
            f"wavetape: the replay has not moved yet: {client.pid}: it goes to stop 3 when its "
            "client lets all waves run (`continue` in a debugger)\n"))
        self.command("goto", client.pid, 4, "--wait", 0, stdout="stop 4 is asked for\n")
        self.assertRegex(self.command("replays"),
                         rf"\A{client.pid} +stop 2 of 1\.\.{STOPS} \(moving\)  /.*/steps\.wtape\n\Z")
        client.do("resume", "wait", "pump")
        self.assertEqual(self.place(client), 4)

    def test_wrong_usage(self):
        for arguments, why in (
            (("goto",), "name a running replay: its trace, or its process id"),
            (("goto", "1"), "name a stop, as `wavetape stops` counts them"),
            (("goto", "1", "x"), "STOP is a number from 1, as `wavetape stops` counts them, not 'x'"),
            (("goto", "1", "0"), "STOP is a number from 1, as `wavetape stops` counts them, not '0'"),
            (("next", "1", "--wait", "-1"), "--wait takes whole seconds, 0 to 86400, not '-1'"),
        ):
            result = support.wavetape(*arguments)
            self.assertEqual((result.code, result.stdout), (2, ""), arguments)
            self.assertIn(why, result.stderr)

    def test_no_stops(self):
        client = self.client(self.trace("vecadd"))
        client.do("pump")
        first, fields = self.ask(client, "info")
        self.assertEqual(first, "wavetape 1 ok")
        self.assertEqual(fields["last"], str(len(self.json("stops", self.trace("vecadd"))["stops"])))


class Debugger(TravelCase):
    """The commands for GDB, without a GDB: they load, talk to the library, and say what is wrong outside a replay."""

    def setUp(self):
        super().setUp()
        self.written, self.commands = [], {}
        self.gdb = self.stand_in()
        self.enterContext(unittest.mock.patch.dict(sys.modules, {"gdb": self.gdb}))
        path = support.TREE.build / "cli/gdb/wavetape-gdb.py"
        spec = importlib.util.spec_from_file_location("wavetape_gdb_file", path)
        spec.loader.exec_module(importlib.util.module_from_spec(spec))

    def stand_in(self):
        """What of GDB's own module is used outside a replay, and where no wave is selected."""
        commands = self.commands

        class Command:
            def __init__(self, name, *_):
                commands[name] = self

            def dont_repeat(self):
                pass

        module = types.ModuleType("gdb")
        module.Command, module.Breakpoint = Command, type("Breakpoint", (), {})
        module.Function = type("Function", (), {"__init__": lambda self, name: None})
        module.events = unittest.mock.Mock()
        module.execute = lambda command, **_: self.fail_as_gdb() if command.startswith("help ") else ""
        module.error = type("error", (RuntimeError,), {})
        module.GdbError = type("GdbError", (Exception,), {})
        module.write = self.written.append
        module.parse_and_eval = unittest.mock.Mock(side_effect=lambda text: int(text) if text.isdigit() else self.fail_as_gdb())
        module.selected_inferior = lambda: types.SimpleNamespace(pid=0, threads=lambda: ())
        module.selected_thread = lambda: None
        module.selected_frame = self.fail_as_gdb
        module.string_to_argv = str.split
        module.parameter = {"non-stop": False}.get
        for name in ("COMMAND_DATA", "COMMAND_RUNNING", "COMMAND_STACK", "COMMAND_STATUS", "COMPLETE_NONE"):
            setattr(module, name, 0)
        return module

    def fail_as_gdb(self):
        raise self.gdb.error('No symbol "foo" in current context.')

    def do(self, command):
        """What a command writes; or the message that it ends with."""
        self.written.clear()
        name = max((name for name in self.commands if command.startswith(name)), key=len)
        try:
            self.commands[name].invoke(command[len(name):].strip(), False)
        except self.gdb.GdbError as error:
            return f"{error}"
        return "".join(self.written)

    def in_place_of(self, client):
        """The library is that of another process."""
        self.enterContext(unittest.mock.patch.dict(os.environ, {"XDG_RUNTIME_DIR": str(self.directory)}))
        self.enterContext(unittest.mock.patch.object(os, "getpid", lambda: client.pid))

    def test_commands(self):
        self.assertEqual(sorted(self.commands), [
            "info agents", "info dispatches", "info lanes", "info queues",
            "tape", "tape back", "tape backtrace", "tape crash", "tape forth", "tape goto", "tape info", "tape last-write", "tape locals",
            "tape next", "tape previous", "tape print", "tape waves", "tape way"])
        for name in sorted(self.commands.keys() - {"tape", "tape info"}):
            self.assertRegex(self.do(name), r"\AThe program is not being run|\A`tape goto` needs |\APrint what|\AWho wrote what")

    def test_crash(self):
        """Where the fault is, and what is said of it, is asked of the command; of the trace nothing else is shown."""
        crash = sys.modules["wavetape_gdb.crash"]
        with unittest.mock.patch.dict(os.environ, {"WAVETAPE_COMMAND": str(support.TREE.command)}):
            self.assertEqual(crash.find_stop(self.trace("oob-load")), 3)
            self.assertIsNone(crash.find_stop(self.trace("vecadd")))
            with self.assertRaisesRegex(self.gdb.GdbError, "^wavetape: cannot read the trace: /none: No such file"):
                crash.find_stop("/none")
            crash.show_findings(self.trace("oob-load"))
        self.assertRegex("".join(self.written), r"\Acrash +memory violation in kernel oob_load \(stop 3\)\n"
                                                r"at +\S+oob-load\.c:\d+:\d+, .*\n"
                                                r"instruction +0x\w+: global_load_dword .*\n"
                                                r"cause +past the end: lane 13 .*\n( {13}\S.*\n)*arguments +in = .*\n"
                                                r"waves .*\n  w\d+ .*lanes 13-63 load 4 bytes at .*\n\Z")

    def test_precision(self):
        """GDB warns of a fault's place, unless that of every wave with a memory fault is certain."""
        precision = sys.modules["wavetape_gdb.precision"]
        for name, certain in ("oob-load", True), ("oob-store", True), ("illegal", False), ("vecadd", False):
            self.assertEqual(precision.is_certain(self.json("info", self.trace(name))), certain, name)
        findings = self.json("info", self.trace("oob-load"))
        findings["faults"].append({**findings["faults"][0], "place_is_certain": False})
        findings["explanations"].append({**findings["explanations"][0], "place_is_certain": False})
        self.assertFalse(precision.is_certain(findings))
        # The wave's way shows which access it was, but the wave does not stand there.
        findings["explanations"][1].update(place_is_certain=True, late=2)
        self.assertFalse(precision.is_certain(findings))

    def test_precision_of_what_comes(self):
        """Before the program goes on, by the next stop that has a memory fault, or that a journey leads to."""
        precision, control = sys.modules["wavetape_gdb.precision"], sys.modules["wavetape_gdb.control"]
        mode = precision.Precision.__new__(precision.Precision)
        mode.stops, mode.certain, mode.shown, mode.here = [4, 6, 7], {4: False, 6: True, 7: False}, False, 0
        self.gdb.parameter = lambda name: mode.shown
        fields = {"stop": 0, "last": 6, "journey": 1, "done": 1, "wanted": 2}
        done = []
        self.enterContext(unittest.mock.patch.object(precision, "is_supported", lambda: True))
        self.enterContext(unittest.mock.patch.object(self.gdb, "execute", lambda command, **_: done.append(command)))
        self.enterContext(unittest.mock.patch.object(control, "ask", lambda request: fields))
        for here, wanted in (0, []), (3, []), (4, ["on"]), (5, []), (6, []), (1, ["off"]), (5, ["on"]):
            mode.look_ahead(here)
            self.assertEqual([command.split()[-1] for command in done], wanted, here)
            done.clear()
        fields |= {"done": 0, "wanted": 4}
        mode.look_ahead(5)
        self.assertEqual(done, ["set amdgpu precise-memory off"])
        # The user has set it.
        self.gdb.parameter = lambda name: True
        fields["wanted"] = 6
        mode.look_ahead(5)
        self.assertEqual(len(done), 1)

    def test_thread_numbers(self):
        runs = sys.modules["wavetape_gdb.waves"].number_runs
        self.assertEqual(runs([4, 6, 7, 8, 9]), "4 6-9")
        self.assertEqual(runs(range(1, 21, 2)), "1 3 5 7 9 11 ...")

    def test_outside_a_replay(self):
        with unittest.mock.patch.dict(os.environ, {"XDG_RUNTIME_DIR": str(self.directory)}):
            self.assertRegex(self.do("tape info"), r"\ANo recording is being replayed in this GDB\. Start it with ")
        self.assertEqual(self.do("tape next"), "The program is not being run: `run` comes first.")
        self.assertEqual(self.do("tape goto 2"), "The program is not being run: `run` comes first.")
        self.assertEqual(self.do("tape goto"), "`tape goto` needs the number of a stop.")
        self.assertEqual(self.do("tape goto foo"), "`tape goto` needs the number of a stop, and 'foo' is none.")
        self.assertEqual(self.do("tape goto 0"), "Stops are counted from 1; there is no stop 0.")
        for command in ("tape next", "tape previous", "tape info"):
            self.assertEqual(self.do(f"{command} 7"), f"`{command}` takes no argument.")

    def test_before_the_program_is_run(self):
        with unittest.mock.patch.dict(os.environ, {"XDG_RUNTIME_DIR": str(self.directory), "WAVETAPE_TRACE": "/a/b c"}):
            self.assertEqual(self.do("tape info"),
                             "Recording /a/b c\nThe program is not being run: `run` goes to the first stop.\n")

    def test_talks_to_the_library(self):
        client = self.client()
        client.do("pump")
        self.in_place_of(client)
        self.assertEqual(self.do("tape info"), f"Recording {self.steps()}\nAt stop 1 of 1 to 8.\n")
        control = sys.modules["wavetape_gdb.control"]
        with self.assertRaisesRegex(self.gdb.GdbError, r"^No stop 99: stops 1 to 8 can be gone to\.$"):
            control.ask("goto 99")
        fields = control.ask("goto 4")
        self.assertEqual((fields["wanted"], fields["done"], fields["trace"]), (4, 0, str(self.steps())))
        self.assertTrue(self.do("tape info").endswith("On the way to stop 4: `continue` gets there.\n"))
        client.do("resume", "wait", "pump")
        fields = control.ask("info")
        self.assertEqual((fields["done"], fields["stop"], fields["running"]), (1, 4, 0))

    def test_stay(self):
        """A journey that was interrupted is not left for the next `continue`."""
        client = self.client()
        client.do("pump", "resume")
        self.in_place_of(client)
        control = sys.modules["wavetape_gdb.control"]
        control.ask("goto 8")
        control.ask("stay")
        client.do("wait", *["pump"] * 4)
        self.assertEqual(self.do("tape info"), f"Recording {self.steps()}\nAt stop 2 of 1 to 8.\n")

    def test_nothing_to_show(self):
        """At the stop where the runtime is loaded no wave is stopped, and the command says so."""
        client = self.client()
        client.do("pump")
        self.in_place_of(client)
        control, journey = sys.modules["wavetape_gdb.control"], sys.modules["wavetape_gdb.journey"]
        for number, stop, text in ((1, 4, "Stop 4 of 8\n"), (2, 1, "Stop 1 of 8\nNo wave was stopped there.\n"),
                                   (3, 4, "Stop 4 of 8\n")):
            self.written.clear()
            self.assertEqual(control.ask(f"goto {stop}")["journey"], number)
            client.do("resume", "wait", "pump")
            journey.show(control.ask("info"))
            self.assertEqual("".join(self.written), text)


if __name__ == "__main__":
    support.main(__doc__)
