# SPDX-License-Identifier: MIT
"""A replay goes back and forth while a client is connected, over its control socket."""

import contextlib
import importlib.util
import os
import random
import re
import signal
import socket
import stat
import subprocess
import sys
import time
import types
import unittest.mock

import support
from support import Case

# A session of a client that makes steps: at its stops waves come to an end one after the other.
STEPS = ("--steps", "20", "--alone", "4", "--stops", "30")
STOPS = 8  # of that session
REASON_SINGLE_STEP = 4
TRIPS = 100


class Client:
    """The travel client over a trace, and commands to it."""

    def __init__(self, trace, runtime, **variables):
        self.process = subprocess.Popen(
            [support.TREE.build / "tests/end-to-end/travel-client"], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=support.environment(**{
                "LD_LIBRARY_PATH": support.TREE.libraries["replay"].parent,
                "WAVETAPE_TRACE": trace, "XDG_RUNTIME_DIR": runtime, **variables}))
        self.pid = int(self.answer()[-1].split()[1])

    def answer(self):
        lines = []
        while not lines or not lines[-1].startswith("ok"):
            line = self.process.stdout.readline()
            assert line, f"the client ended: {lines}"
            lines.append(line.rstrip("\n"))
        return lines

    def do(self, *commands):
        lines = []
        for command in commands:
            self.process.stdin.write(f"{command}\n")
            self.process.stdin.flush()
            lines += self.answer()[:-1]
        return lines

    def waves(self):
        return [int(line.split()[1]) for line in self.do("waves")]

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(support.TIMEOUT)
        self.process.stdout.close()
        return code


class TravelCase(Case):
    def setUp(self):
        super().setUp()
        self.clients = []

    def tearDown(self):
        for client in self.clients:
            client.process.kill()
            client.process.wait()
            client.process.stdin.close()
            client.process.stdout.close()
        super().tearDown()

    def steps(self):
        """A trace of the session with steps, made once per program."""
        if "steps" not in support.TREE.traces:
            path = support.TREE.temporary / "steps.wtape"
            self.wavetape("record", "--reproducible", "-o", path, "--dbgapi",
                          support.TREE.libraries["simulated"], "--", support.TREE.client, *STEPS,
                          WAVETAPE_WORKLOAD=support.TREE.workload("debug-trap"))
            support.TREE.traces["steps"] = path
        return support.TREE.traces["steps"]

    def client(self, trace=None, **variables):
        client = Client(trace or self.steps(), self.directory, **variables)
        self.clients.append(client)
        return client

    def command(self, *arguments, **options):
        return self.wavetape(*arguments, XDG_RUNTIME_DIR=self.directory, **options)

    def socket(self, client):
        found = list((self.directory / "wavetape").glob(f"{client.pid}-*-*.sock"))
        self.assertEqual(len(found), 1, found)
        return found[0]

    def connect(self, client):
        connection = socket.socket(socket.AF_UNIX)
        path = self.socket(client)
        folder = os.open(path.parent, os.O_PATH)
        connection.connect(f"/proc/self/fd/{folder}/{path.name}")
        os.close(folder)
        connection.settimeout(support.TIMEOUT)
        return connection

    def ask(self, client, request):
        with self.connect(client) as connection:
            connection.sendall(request if isinstance(request, bytes) else
                               f"wavetape 1 {request}\n".encode())
            answer = b""
            while part := connection.recv(65536):
                answer += part
        first, *fields = answer.decode().splitlines()
        return first, dict(line.split(" ", 1) for line in fields)

    def go(self, client, stop):
        """Send a client to a stop and let it see that; its events."""
        first, fields = self.ask(client, f"goto {stop}")
        self.assertEqual((first, fields["wanted"]), ("wavetape 1 ok", str(stop)))
        events = client.do("resume", "wait", "pump")
        self.assertEqual(self.place(client), stop)
        return events

    def place(self, client):
        return int(self.ask(client, "info")[1]["stop"])


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
            self.assertEqual({int(event.split()[3]) for event in events}, waves)
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
        self.assertEqual(client.do("changed"), ["changed dispatch workgroup wave"])
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
        self.assertGreater(max(client.waves()), 4)
        client.do("detach")
        self.assertEqual(list((self.directory / "wavetape").iterdir()), [])
        client.do("attach", "pump")
        self.go(client, 5)
        # It is another life of the process, with the recorded handles again.
        self.assertLessEqual(max(client.waves()), 4)


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
        self.assertEqual(self.json("replays", XDG_RUNTIME_DIR=self.directory), [])

    def test_several_replays(self):
        pids = sorted(self.client().pid for _ in range(2))
        self.command("goto", self.steps(), 2, code=2, stderr=(
            f"wavetape: cannot tell which replay is meant: {self.steps()}: 2 processes replay it: "
            f"name one of {pids[0]}, {pids[1]}\n"))
        self.assertEqual(
            [(each["pid"], each["trace"], each["stop"], each["first"], each["last"])
             for each in self.json("replays", XDG_RUNTIME_DIR=self.directory)],
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
        self.assertEqual(fields["last"], str(len(self.json("stops", self.trace("vecadd")))))


class Socket(TravelCase):
    def test_of_the_user_alone(self):
        client = self.client()
        path = self.socket(client)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(path.parent.stat().st_mode), 0o700)
        trace = self.steps().stat()
        self.assertEqual(path.name, f"{client.pid}-{trace.st_dev:x}-{trace.st_ino:x}.sock")
        self.assertEqual(client.end(), 0)
        self.assertFalse(path.exists())

    def test_left_behind(self):
        client = self.client()
        path = self.socket(client)
        client.process.send_signal(signal.SIGKILL)
        client.process.wait()
        self.assertTrue(path.exists())
        self.command("replays", stdout="")
        self.assertFalse(path.exists())

    def test_switched_off(self):
        client = self.client(WAVETAPE_CONTROL="off")
        self.assertFalse((self.directory / "wavetape").exists())
        client.do("pump", "pump", "pump", "show")
        self.assertEqual(client.end(), 0)

    def test_others_could_reach_in(self):
        (self.directory / "wavetape").mkdir(mode=0o700)
        (self.directory / "wavetape").chmod(0o755)
        client = self.client()
        self.assertEqual(list((self.directory / "wavetape").iterdir()), [])
        client.do("pump", "show")
        self.command("replays", code=1, stderr=(
            f"wavetape: cannot use the directory of control sockets: {self.directory}/wavetape: it "
            f"is not the user's alone: mode 755, owner {os.geteuid()}; remove it\n"))

    def test_private_directory_otherwise(self):
        client = self.client(XDG_RUNTIME_DIR="", TMPDIR=self.directory)
        folder = self.directory / f"wavetape-{os.geteuid()}"
        self.assertEqual(len(list(folder.glob(f"{client.pid}-*.sock"))), 1)
        self.assertEqual(stat.S_IMODE(folder.stat().st_mode), 0o700)

    def test_long_path(self):
        deep = self.directory / ("d" * 100) / ("e" * 100)
        deep.mkdir(parents=True)
        client = self.client(XDG_RUNTIME_DIR=deep)
        self.wavetape("goto", client.pid, 3, "--wait", 0, XDG_RUNTIME_DIR=deep,
                      stdout="stop 3 is asked for\n")

    def test_garbage(self):
        client = self.client()
        client.do("pump")
        chosen = random.Random(7)
        requests = [
            b"\n", b"info\n", b"wavetape 2 info\n", b"wavetape 1 info \n", b"wavetape 1 \n",
            b"wavetape 1 goto\n", b"wavetape 1 goto 0\n", b"wavetape 1 goto -1\n",
            b"wavetape 1 goto 99999999999999999999\n", b"wavetape 1 goto 3x\n",
            b"wavetape 1 goto 3\0\n" + b"x", b"x" * 64, b"x" * 1000, b"\0" * 64,
            b"wavetape 1 goto %n%n%s\n", b"wavetape 1 nextt\n",
        ]
        requests += [bytes(chosen.choices(range(256), k=63)) + b"\n" for _ in range(50)]
        for request in requests:
            with contextlib.suppress(ConnectionError):
                first, _ = self.ask(client, request)
                if request != b"wavetape 1 goto 3\0\nx":
                    self.assertRegex(first, r"^wavetape 1 refused .", request)
        self.assertEqual(self.ask(client, "info")[0], "wavetape 1 ok")

    def test_clients_that_vanish(self):
        client = self.client()
        client.do("pump")
        for part in (b"", b"wave", b"wavetape 1 info\n", b"wavetape 1 goto 3"):
            for _ in range(20):
                connection = self.connect(client)
                connection.sendall(part)
                connection.close()
        self.assertEqual(self.ask(client, "info")[1]["journey"], "0")

    def test_many_that_say_nothing(self):
        client = self.client()
        client.do("pump")
        idle = [self.connect(client) for _ in range(15)]
        self.assertEqual(self.ask(client, "info")[0], "wavetape 1 ok")
        more = [self.connect(client) for _ in range(15)]
        # They are all hung up on after a while, and whoever comes then is served.
        for connection in idle + more:
            self.assertEqual(connection.recv(1), b"")
            connection.close()
        self.assertEqual(self.ask(client, "info")[0], "wavetape 1 ok")
        self.go(client, 4)

    def test_wishes_from_many_at_once(self):
        client = self.client()
        client.do("pump")
        connections = [self.connect(client) for _ in range(12)]
        for number, connection in enumerate(connections):
            connection.sendall(f"wavetape 1 goto {number % STOPS + 1}\n".encode())
        for connection in connections:
            self.assertTrue(connection.recv(65536).startswith(b"wavetape 1 ok\n"))
            connection.close()
        wanted = int(self.ask(client, "info")[1]["wanted"])
        client.do("resume", "wait", "pump")
        _, fields = self.ask(client, "info")
        self.assertEqual((fields["stop"], fields["journey"], fields["done"]),
                         (str(wanted), "12", "12"))

    def test_trace_replaced(self):
        trace = self.directory / "copy.wtape"
        trace.write_bytes(self.steps().read_bytes())
        client = self.client(trace)
        client.do("pump")
        trace.unlink()
        trace.write_bytes(self.steps().read_bytes()[:1000])
        self.assertEqual(
            self.ask(client, "goto 3")[0],
            f"wavetape 1 refused the trace is no longer where it was: {trace}")

    def test_damaged_on_the_way(self):
        """A stop that cannot be read: the client stays where it is, and everybody is told."""
        trace = self.directory / "damaged.wtape"
        whole = self.steps().read_bytes()
        stops = len(self.json("stops", self.steps()))
        self.assertEqual(stops, STOPS)
        trace.write_bytes(whole)
        client = self.client(trace)
        client.do("pump")
        self.assertEqual(self.ask(client, "info")[0], "wavetape 1 ok")
        with open(trace, "r+b") as file:
            file.seek(len(whole) // 3)
            file.write(bytes(len(whole) // 3))
        _, fields = self.ask(client, "goto 5")
        lines = client.do("resume", "wait", "pump")
        _, fields = self.ask(client, "info")
        self.assertEqual(fields["done"], "1")
        if fields["stop"] == "5":
            self.skipTest("the stop was read before it was overwritten")
        self.assertEqual(fields["failed"], "1")
        self.assertRegex("\n".join(lines), r"log \d cannot go to another stop: ")


class Debugger(TravelCase):
    """The commands for GDB, without a GDB: the file loads, and says what is wrong outside a replay."""

    def load(self):
        module = types.ModuleType("gdb")
        module.Command = type("Command", (), {"__init__": lambda self, *_: None})
        module.GdbError = type("GdbError", (Exception,), {})
        for name in ("COMMAND_RUNNING", "COMMAND_STATUS", "COMPLETE_NONE"):
            setattr(module, name, 0)
        path = support.TREE.build / "cli/wavetape-gdb.py"
        spec = importlib.util.spec_from_file_location("wavetape_gdb", path)
        commands = importlib.util.module_from_spec(spec)
        with unittest.mock.patch.dict(sys.modules, {"gdb": module}):
            spec.loader.exec_module(commands)
        return commands, module

    def test_outside_a_replay(self):
        commands, module = self.load()
        with unittest.mock.patch.dict(os.environ, {"XDG_RUNTIME_DIR": str(self.directory)}):
            with self.assertRaisesRegex(module.GdbError, "No recording is being replayed"):
                commands.TapeInfo().invoke("", False)
        with self.assertRaisesRegex(module.GdbError, "needs the number of a stop"):
            command = commands.TapeGoto()
            command.dont_repeat = lambda: None
            command.invoke("", False)
        for command in (commands.TapeNext(), commands.TapePrevious()):
            with self.assertRaisesRegex(module.GdbError, "takes no argument"):
                command.invoke("7", False)

    def test_talks_to_the_library(self):
        commands, module = self.load()
        client = self.client()
        client.do("pump")
        with unittest.mock.patch.dict(os.environ, {"XDG_RUNTIME_DIR": str(self.directory)}), \
                unittest.mock.patch.object(os, "getpid", lambda: client.pid):
            written = []
            module.write = written.append
            commands.TapeInfo().invoke("", False)
            self.assertEqual("".join(written), f"Recording {self.steps()}\nAt stop 1 of 1 to 8.\n")
            with self.assertRaisesRegex(module.GdbError, r"^No stop 99: stops 1 to 8 can be gone to\.$"):
                commands.ask("goto 99")
            self.assertEqual(commands.ask("goto 4")["wanted"], "4")
            self.assertFalse(commands.is_over(1))
            client.do("resume", "wait", "pump")
            self.assertTrue(commands.is_over(1))

    def test_nothing_to_show(self):
        """At the stop where the runtime is loaded no wave is stopped: the program goes on, and the command says so."""
        commands, module = self.load()
        client = self.client()
        client.do("pump")
        written = []
        module.write = written.append
        module.SignalEvent = type("SignalEvent", (), {})
        commands.live_thread = lambda: None
        with unittest.mock.patch.dict(os.environ, {"XDG_RUNTIME_DIR": str(self.directory)}), \
                unittest.mock.patch.object(os, "getpid", lambda: client.pid):
            for number, stop, text in (
                (1, 4, "Stop 4 of 8\n"),
                (2, 1, "At stop 1 no wave is stopped, so there is nothing to show: the program went on from there to "
                       "the next one.\nStop 2 of 8\n"),
                (3, 4, "Stop 4 of 8\n"),
            ):
                written.clear()
                self.assertEqual(commands.ask(f"goto {stop}")["journey"], str(number))
                client.do("resume", "wait", "pump")
                if stop == 1:
                    client.do(*["pump"] * 4)
                commands.show(None, number)
                self.assertEqual("".join(written), text)


if __name__ == "__main__":
    support.main(__doc__)
