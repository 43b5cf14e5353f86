#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program that debuggers get in place of the recorded one, and what the library does with it."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import stat
import struct
import subprocess
import sys

import repair
import support
from travel import StepsCase

HEADER = struct.Struct("<QQ")
RANGE = struct.Struct("<QQQ")
MAGIC = 0x31676d6968747721
PAGE = 4096


def host():
    return support.TREE.build / "dbgapi/host/wavetape-host"


def image(*ranges, magic=MAGIC, count=None, size=None):
    """A file for the host, of (address, size, offset)."""
    data = HEADER.pack(magic, len(ranges) if count is None else count)
    data += b"".join(RANGE.pack(*one) for one in ranges)
    return data.ljust(2 * PAGE if size is None else size, b"\0")


class Host(support.Case):
    def refuse(self, data, message):
        path = self.folder / "image"
        path.write_bytes(data)
        done = support.run(host(), path)
        self.assertEqual(done.code, 1, done)
        self.assertRegex(done.stderr, r"\Awavetape-host: [^\n]+\n\Z")
        self.assertIn(message, done.stderr)

    def setUp(self):
        super().setUp()
        self.folder = self.directory

    def test_usage(self):
        for arguments in [], ["a", "b"]:
            done = support.run(host(), *arguments)
            self.assertEqual(done.code, 2)
            self.assertRegex(done.stderr, r"\Ausage: wavetape-host IMAGE\n")

    def test_refusals(self):
        good = (0x200000000000, PAGE, PAGE)
        self.refuse(b"", "it ends early")
        self.refuse(image(magic=MAGIC + 1), "it is no host image of this version")
        self.refuse(image(good, count=65001), "it has too many ranges")
        self.refuse(image(count=1, size=HEADER.size + RANGE.size - 1), "it ends early")
        self.refuse(image((0x200000000001, PAGE, PAGE)), "it is not of whole pages")
        self.refuse(image((0x200000000000, 0, PAGE)), "it is not of whole pages")
        self.refuse(image((0x200000000000, PAGE, 17)), "it is not of whole pages")
        self.refuse(image((0x180000, PAGE, PAGE)), "out of order, or where the host itself is")
        self.refuse(image(good, good), "out of order, or where the host itself is")
        self.refuse(image((0xffff800000000000, PAGE, PAGE)), "no program has such addresses")
        self.refuse(image((0x7fffffffe000, PAGE << 40, PAGE)), "no program has such addresses")
        self.refuse(image((0x200000000000, PAGE, 2 * PAGE)), "its bytes are not in the file")
        self.refuse(image((0x200000000000, 2**63, PAGE)), "no program has such addresses")

    def test_image_from_the_environment(self):
        """Arguments are those of the recorded program then."""
        path = self.folder / "image"
        path.write_bytes(image(magic=MAGIC + 1))
        for arguments in [], ["a"], ["--size", "3", "*"]:
            done = support.run(host(), *arguments, WAVETAPE_HOST_IMAGE=path)
            self.assertEqual((done.code, done.stderr), (
                1, f"wavetape-host: cannot read the image: {path}: it is no host image of this version\n"))
        done = support.run(host(), path, WAVETAPE_HOST_IMAGE="")
        self.assertEqual(done.code, 1)

    def test_unreadable(self):
        for path, message in (self.folder / "none", "it cannot be opened"), (self.folder, "it is no file"):
            done = support.run(host(), path)
            self.assertEqual(done.code, 1)
            self.assertEqual(done.stderr,
                             f"wavetape-host: cannot read the image: {path}: {message}\n")

    def test_low_and_alone(self):
        """No interpreter, no library, and everything below 2 MiB."""
        listed = support.run("readelf", "-lW", host())
        self.assertNotIn("INTERP", listed.stdout)
        self.assertNotIn("DYNAMIC", listed.stdout)
        self.assertIn("EXEC (Executable file)", listed.stdout)
        loads = re.findall(r"LOAD +0x\w+ (0x\w+) 0x\w+ 0x\w+ (0x\w+)", listed.stdout)
        self.assertGreaterEqual(len(loads), 3)
        for address, size in loads:
            self.assertGreaterEqual(int(address, 16), 0x100000)
            self.assertLessEqual(int(address, 16) + int(size, 16), 0x200000)

    def start(self, data):
        path = self.folder / "image"
        path.write_bytes(data)
        child = subprocess.Popen([host(), path], stderr=subprocess.PIPE)
        self.addCleanup(child.stderr.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        block = b""
        with open(f"/proc/{child.pid}/mem", "rb+", buffering=0) as memory:
            for _ in range(1000):
                memory.seek(0x180000)
                try:
                    block = memory.read(24)
                except OSError:
                    self.assertIsNone(child.poll())
                if block[16:20] == b"\2\0\0\0":
                    break
                if child.poll() is not None:
                    self.fail(child.stderr.read())
                os.sched_yield()
            else:
                self.fail(f"not ready: {block}")
        self.assertEqual(block[:8], b"!wthost1")
        return child

    def test_maps(self):
        """Also where its own stack and the kernel's pages were: the whole end of the address space."""
        end = 0x7ffffffff000
        top = 1 << 36
        data = image((0x200000, PAGE, PAGE), (0x200000000000, PAGE, 2 * PAGE),
                     (end - top, PAGE, PAGE), size=3 * PAGE)
        data = data[:PAGE] + b"a" * PAGE + b"b" * PAGE
        child = self.start(data)
        with open(f"/proc/{child.pid}/mem", "rb+", buffering=0) as memory:
            for address, byte in (0x200000, b"a"), (0x200000000000, b"b"), (end - top, b"a"):
                memory.seek(address)
                self.assertEqual(memory.read(PAGE), byte * PAGE)
            memory.seek(0x200000)
            memory.write(b"changed")
        # Nothing that is written to it gets into the file.
        self.assertEqual((self.folder / "image").read_bytes(), data)
        child.terminate()
        self.assertEqual(child.wait(timeout=support.TIMEOUT), -15)

    def test_gives_way(self):
        """A recorded range where the kernel put the host's first stack."""
        count = 0x7ffff0000000
        size = 0x7ffffffff000 - count
        path = self.folder / "image"
        data = image((count, size, PAGE), size=PAGE)
        path.write_bytes(data)
        os.truncate(path, PAGE + size)
        done = subprocess.run(["setarch", "-R", "true"], check=False, capture_output=True)
        if done.returncode:
            self.skipTest("addresses are random here")
        child = subprocess.Popen(["setarch", "-R", host(), path])
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        for _ in range(2000):
            maps = pathlib.Path(f"/proc/{child.pid}/maps").read_text("ascii")
            if f"{count:x}-7ffffffff000 " in maps:
                break
            self.assertIsNone(child.poll())
            os.sched_yield()
        else:
            self.fail(maps)
        self.assertNotIn("[stack]", maps)

    def test_told_to_exit(self):
        child = self.start(image((0x200000000000, PAGE, PAGE)))
        with open(f"/proc/{child.pid}/mem", "rb+", buffering=0) as memory:
            memory.seek(0x180000 + 20)
            memory.write(b"\1\0\0\0")
        self.assertEqual(child.wait(timeout=support.TIMEOUT), 0)


class Debugged(StepsCase):
    """A client that does what GDB does."""

    def setUp(self):
        super().setUp()
        self.cache = self.directory / "cache"

    def replay(self, workload, how, *options, trace=None, **variables):
        client = support.TREE.build / "tests/end-to-end/host-client"
        return support.run(
            support.TREE.command, "replay", "--host", *options, trace or self.trace(workload), "--", "sh", "-c",
            f'exec {client} "$WAVETAPE_HOST" "$WAVETAPE_HOST_IMAGE" {how}', XDG_CACHE_HOME=self.cache, TMPDIR=self.directory,
            **variables)

    def code_object(self, stdout):
        found = re.search(r"^code object file://(/\S+)$", stdout, re.MULTILINE)
        self.assertTrue(found, stdout)
        return pathlib.Path(found[1])

    def test_fault(self):
        done = self.replay("oob-load", "once")
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        self.assertRegex(
            done.stdout,
            r"\Abreakpoint in\nattached: 0 code objects\nthe list of code objects has changed\n"
            r"code object file://\S+\n"
            r"wave \d+: reason 0x2000 pc 0x2\w+\n  memory at 0x2\w+ is one\nall stopped\n"
            r"breakpoint out\nthe host exited: 0\ndetached, breakpoint out\nfine\n\Z")

    def test_a_damaged_trace(self):
        """A stop that is lost keeps its number, and others can be looked at."""
        data = repair.without_parity(self.steps().read_bytes())
        # What lies behind the chunks is told of, and costs nothing.
        end = next(at for at, kind, _ in support.blocks(data) if kind == repair.FINAL)
        whole = self.json("stops", self.steps())["stops"]
        damaged, told = self.directory / "damaged.wtape", self.directory / "told"
        counted = set()
        for part in range(2, 8):
            place = end * part // 8
            damaged.write_bytes(bytes(data[:place]) + bytes([data[place] ^ 0x55]) + bytes(data[place + 1:]))
            listed = json.loads(support.run(support.TREE.command, "stops", "--json", damaged).stdout)["stops"]
            done = self.replay("debug-trap", f'go "{support.TREE.command} goto {damaged} 99 2>{told}; true"', trace=damaged)
            self.assertEqual(done.stderr, "")
            # With the first stop lost there is none from which to go anywhere.
            if told.exists():
                counted.add((len(listed), f"stops 1 to {len(whole)} can be gone to" in told.read_text("utf-8")))
        self.assertEqual(counted, {(len(whole), True)})

    def test_traps(self):
        """Several stops; waves that ran are stopped all the same."""
        done = self.replay("debug-trap", "once")
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        self.assertIn("log: wavetape: waves ran at this stop when it was recorded", done.stdout)
        self.assertGreaterEqual(done.stdout.count("all stopped"), 1)
        self.assertTrue(done.stdout.endswith("the host exited: 0\ndetached, breakpoint out\nfine\n"))

    def test_fault_first(self):
        """A debugger shows the first stop that it is told of: that is a fault, where there is one."""
        trace = self.directory / "several.wtape"
        recorded = support.run(support.TREE.command, "record", "-o", trace, "--workload",
                               support.several_reasons(self.directory))
        self.assertEqual(recorded.code, 0, recorded.stderr)
        waves = self.json("waves", "--stop", "2", trace)["waves"]
        self.assertEqual([wave["stop_reason"] for wave in waves if "stop_reason" in wave],
                         ["DEBUG_TRAP", "DEBUG_TRAP", "MEMORY_VIOLATION", "ILLEGAL_INSTRUCTION"])
        done = self.replay(None, "once", trace=trace)
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        reasons = re.findall(r"^wave \d+: reason (\w+) ", done.stdout.split("all stopped")[0], re.MULTILINE)
        self.assertEqual(reasons, ["0x2000", "0x8000", "0x400", "0x400"])

    def test_recorded_messages(self):
        """What the recorded library said is not taken for something that is said now."""
        done = self.replay("illegal", "once")
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^log: recorded: wave \d+ \(kernel illegal, ")
        self.assertNotRegex(done.stdout, r"(?m)^log: wave ")

    def test_nothing_stops(self):
        done = self.replay("vecadd", "once")
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        self.assertNotIn("wave ", done.stdout)
        self.assertTrue(done.stdout.endswith("the host exited: 0\ndetached, breakpoint out\nfine\n"))

    def test_again(self):
        once, twice = self.replay("oob-load", "once"), self.replay("oob-load", "twice")
        self.assertEqual(twice.code, 0, twice.stdout + twice.stderr)
        self.assertEqual(twice.stdout, once.stdout.removesuffix("fine\n") + once.stdout)

    def test_attach_to_a_ready_one(self):
        done = self.replay("oob-load", "attach")
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        self.assertIn("breakpoint out\ndetached, breakpoint out\nbreakpoint in\nattached: 1 code objects\nwave ",
                      done.stdout)

    def test_detach_at_once(self):
        done = self.replay("oob-load", "detach")
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "breakpoint in\nattached: 0 code objects\nbreakpoint out\n"
                                      "detached, breakpoint out\nfine\n")

    def test_recorded_breakpoint(self):
        """The recorded library's own breakpoint is in another program: the client is asked for the host's alone."""
        trace = self.directory / "loads.wtape"
        recorded = self.client("record", WAVETAPE_TRACE=trace, WAVETAPE_WORKLOAD=support.TREE.workload("loads"),
                               WAVETAPE_DBGAPI=support.TREE.libraries["simulated"])
        self.assertEqual((recorded.code, recorded.stderr), (0, ""))
        self.assertIn("callback insert_breakpoint 0x230000000000 #1\n", recorded.stdout)
        self.assertEqual(self.client("replay", WAVETAPE_TRACE=trace), recorded)
        self.assertEqual(self.json("verify", trace)["differences"]["count"], 0)
        done = self.replay(None, "detach", trace=trace)
        self.assertEqual((done.code, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "breakpoint in\nattached: 0 code objects\nbreakpoint out\n"
                                      "detached, breakpoint out\nfine\n")

    def test_travel_to_a_breakpoint(self):
        """
        GDB goes past a stop at a breakpoint that it does not find in memory: so it finds it where it looks for it, and nowhere else.
        """
        trace = self.directory / "break.wtape"
        self.wavetape("record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--",
                      support.TREE.build / "tests/end-to-end/gdb-client", "--script", "break:vecadd,run,stepi*2",
                      WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))
        stops = self.json("stops", trace)["stops"]
        self.assertIn("BREAKPOINT", json.dumps(stops[1]))
        done = self.replay(None, f"back '{support.TREE.command} goto --wait 0 {trace} 2'", trace=trace,
                           XDG_RUNTIME_DIR=self.directory)
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        found = re.findall(r"^wave (\d+): reason 0x1 pc (\w+)\n  breakpoint at \2: (\w+) over (\w+)$", done.stdout, re.MULTILINE)
        self.assertEqual(len({pc for _, pc, _, _ in found}), 1)
        self.assertEqual(len(found), 2 * len({wave for wave, *_ in found}))
        # It is shown to each wave once. What the client sees else is the program's, and what it has written itself.
        self.assertEqual({(there, over) for _, _, there, over in found[:len(found) // 2]}, {("bf920001", "c00200c0")})
        self.assertEqual({(there, over) for _, _, there, over in found[len(found) // 2:]}, {("bf920001", "00000000")})

    def test_travel_past_another_process(self):
        """Stops of a process go on where the recorded client attached to another one in between."""
        trace = self.directory / "two.wtape"
        workloads = [support.TREE.workload(name) for name in ("oob-store", "debug-trap")]
        self.wavetape("record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--",
                      *support.script("end-to-end/two-processes.py"), f"+a={workloads[0]}", "ea", "ha",
                      f"+b={workloads[1]}", *"eb hb ra ga ea -a -b".split(), stdout=None)
        self.assertEqual([stop["process"] for stop in self.json("stops", trace)["stops"]], [1, 2, 1])
        done = self.replay(None, f"go '{support.TREE.command} goto --wait 0 {trace} 3'", trace=trace,
                           XDG_RUNTIME_DIR=self.directory)
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        self.assertEqual(len(re.findall(r"^wave \d+: reason 0x2000 pc 0x200000001960$", done.stdout, re.MULTILINE)), 2)

    def test_stopped_again_at_a_breakpoint(self):
        """A wave that stops where it hit a breakpoint, for no other reason, is at the breakpoint."""
        trace = self.directory / "again.wtape"
        self.wavetape("record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--",
                      support.TREE.build / "tests/end-to-end/gdb-client", "--script", "break:vecadd,run,stepi*2",
                      WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))
        done = self.replay(None, "again", trace=trace)
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        before, after = done.stdout.split(" again\n")
        wave, pc = re.search(r"^wave (\d+): reason 0x1 pc 0x(\w+)$", before, re.MULTILINE).groups()
        self.assertRegex(after, rf"(?m)^wave {wave}: reason 0x0 pc 0x{pc}$")

    # Say over the control socket what is on the command line, and print the wanted fields of the answer.
    ASK = """
import glob, os, socket, sys
control = socket.socket(socket.AF_UNIX)
control.connect(glob.glob(os.environ["XDG_RUNTIME_DIR"] + "/wavetape/*.sock")[0])
request, _, wanted = " ".join(sys.argv[1:]).partition(": ")
control.sendall(f"wavetape 1 {request}\\n".encode())
first, *lines = b"".join(iter(lambda: control.recv(4096), b"")).decode().splitlines()
fields = dict(line.split(" ", 1) for line in lines)
print(first[len("wavetape 1 "):], *(f"{name} {fields[name]}" for name in wanted.split()), flush=True)
"""

    LEFT = ["breakpoint out", "detached, breakpoint out", "fine"]

    def jump(self, trace, *requests):
        """The output of a client that holds its waves all the time, from its first stop on: of each request, and of the waves then."""
        (self.directory / "ask.py").write_text(self.ASK, "utf-8")
        words = " ".join(request if request in ("-", "step") else f"'{sys.executable} {self.directory}/ask.py {request}'"
                         for request in requests)
        done = self.replay(None, f"jump {words}", trace=trace, XDG_RUNTIME_DIR=self.directory)
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        text = re.sub(r"  memory at .*\n", "", done.stdout)
        return text.split("all stopped\n", 1)[1].splitlines()

    def test_travel_with_all_waves_held(self):
        """
        Waves that are at both stops stay stopped, and are at the other one, without an event. Those that are new run
        until their stop was reported.
        """
        where = "stop done events quiet wave running"
        trap = "wave 3: reason 0x400 pc 0x200000001858"
        self.assertEqual(self.jump(
            self.steps(), "goto 5 at-once 3", f"info: {where}", "goto 3 at-once 4", "next at-once 4",
            "goto 8 at-once 4", f"info: {where}", "goto 3 at-once", f"info: {where}"), [
                # A debugger that shows wave 3 may still have to show wave 1, for its trap: it is another wave now.
                "ok", "wave 5: new", trap, "wave 5: reason 0x4 pc 0x200000001868", "all stopped",
                "ok stop 5 done 1 events 1 quiet 0 wave 5 running 0", "wave 5: reason 0x4 pc 0x200000001868", trap,
                "ok", "wave 5: reason 0x4 pc 0x200000001860", trap,
                "ok", "wave 5: reason 0x4 pc 0x200000001864", trap,
                # No wave is left there.
                "ok", "ok stop 8 done 4 events 1 quiet 4 wave 0 running 4",
                # Waves that come back have other numbers, and stop.
                "ok", "wave 6: new", "wave 7: new",
                "wave 6: reason 0x4 pc 0x200000001860", "wave 7: reason 0x400 pc 0x200000001858", "all stopped",
                "ok stop 3 done 5 events 5 quiet 4 wave 6 running 4",
                "wave 6: reason 0x4 pc 0x200000001860", "wave 7: reason 0x400 pc 0x200000001858", *self.LEFT])

    def test_travel_from_the_end(self):
        """Where nothing is left the host is about to end, once its thread goes on; not if it is to go elsewhere first."""
        lines = self.jump(self.steps(), "goto 8 at-once", "-", "goto 7 at-once: journey", "info: stop")
        self.assertEqual(lines, ["ok", "ok journey 2", "wave 5: new", "wave 5: reason 0x4 pc 0x200000001878", "all stopped",
                                 "ok stop 7", "wave 5: reason 0x4 pc 0x200000001878", *self.LEFT])

    def test_travel_after_a_wave_ended(self):
        """One that ended with a step is back as another wave, which the client has not seen stopped."""
        lines = self.jump(self.steps(), "goto 7 at-once", "step", "goto 6 at-once: journey")
        self.assertEqual(lines[lines.index("step: wave 5 ended") + 1:], [
            "ok journey 2", "wave 6: new", "wave 7: new", "wave 6: reason 0x4 pc 0x200000001870",
            "wave 7: reason 0x400 pc 0x200000001858", "all stopped", *self.LEFT])

    def test_step_at_a_fault(self):
        """
        Where the recording has no step of a wave that stands at a fault, the wave meets the fault again, as often as it is tried.
        Others are behind the next instruction, and the one after that.
        """
        lines = self.jump(self.trace("oob-load"), "step", "step", "info: stop")
        step = [self.NOT_HAD, "log: wavetape: the recording does not go on with this wave alone: it stays where it is",
                *(f"step: wave {wave} stopped, reason 0x4" for wave in (1, 2, 3)), "step: wave 4 stopped, reason 0x2000"]
        self.assertEqual(lines, [
            *step, *step, "ok stop 3", *(f"wave {wave}: reason 0x4 pc 0x200000001974" for wave in (1, 2, 3)),
            "wave 4: reason 0x2000 pc 0x200000001954", *self.LEFT])

    NOT_HAD = "log: wavetape: the recording does not have this step: the wave is shown behind the instruction, and what that has " \
        "written is not known"

    def over(self, trace, how, stops):
        """What a client prints that has waves go over a breakpoint where they stand: without memory, and what is never known."""
        done = self.replay(None, f"{how} {stops}", trace=trace)
        said = done.stdout.split("all stopped\n", 1)[1]
        return done, [line for line in re.sub(r"( (s\d+|mode|trapsts|xnack_mask|flat_scratch|status))+$", "", said, flags=re.MULTILINE)
                      .splitlines() if not line.startswith("  memory")]

    def test_over_a_breakpoint(self):
        """
        A wave that goes over a breakpoint of the debugger's own is behind the instruction, and goes on from there as it was
        recorded: displaced, with all the waves that stand there, or alone, with the breakpoint out.
        """
        for name, behind in ("debug-trap", "0x200000001860"), ("debug-trap-gfx90a", "0x20000000186c"):
            there = [line for wave in (1, 3) for line in (f"over: wave {wave} is at {behind}", "  not known: v1")]
            stepped = [f"over: wave {wave} event 1 reason 0x4" for wave in (1, 3)]
            end = ["breakpoint out", "the host exited: 0", "detached, breakpoint out", "fine"]
            done, lines = self.over(self.trace(name), "over", 1)
            self.assertEqual((done.code, lines), (0, [*stepped, *there, *end]), done.stderr)
            done, lines = self.over(self.trace(name), "inline", 1)
            self.assertEqual((done.code, lines), (0, [self.NOT_HAD, stepped[0], self.NOT_HAD, stepped[1], *there, *end]), done.stderr)

    def step_after_poll(self):
        trace = self.directory / "poll.wtape"
        self.wavetape("record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--",
                      *support.script("unit/replayer/order-client.py"), "step-after-poll", stdout=None,
                      WAVETAPE_WORKLOAD=support.TREE.workload("debug-trap"))
        return trace

    def test_without_the_breakpoints_of_others(self):
        """The recorded client stepped over breakpoints of its own: who has none is not shown where these steps ended, out of the code."""
        trace = self.step_after_poll()
        steps = [wave for stop in self.json("stops", trace)["stops"] if "SINGLE_STEP" in stop["reasons"]
                 for wave in self.json("waves", "--stop", str(stop["stop"]), trace)["waves"]]
        self.assertEqual({wave["stop_reason"] for wave in steps}, {"SINGLE_STEP"})
        done = self.replay(None, "once", trace=trace)
        self.assertEqual(re.findall(r"^wave \d: reason (\w+) pc (\w+)$", done.stdout, re.MULTILINE), [("0x400", "0x200000001858")] * 2,
                         done.stdout + done.stderr)
        self.assertIn("the host exited: 0\n", done.stdout)

    def test_over_a_breakpoint_after_a_poll(self):
        """The recorded client asked for an event once more before it had the waves step; the recorded steps are found all the same."""
        trace = self.step_after_poll()
        done, lines = self.over(trace, "over", 1)
        self.assertEqual(lines[:6], [
            *(f"over: wave {wave} event 1 reason 0x4" for wave in (1, 3)),
            *(line for wave in (1, 3) for line in (f"over: wave {wave} is at 0x20000000185c", "  not known:"))], done.stdout + done.stderr)

    def test_over_a_breakpoint_at_a_fault(self):
        """
        The breakpoint does not keep the recording from going on: out of line the wave is behind the instruction, if that is one.
        With the breakpoint out nobody knows that it is one, and the wave meets the fault again.
        """
        stays = "log: wavetape: the recording does not go on with this wave alone: it stays where it is"
        end = ["breakpoint out", "the host exited: 0", "detached, breakpoint out", "fine"]
        _, lines = self.over(self.trace("oob-load"), "over", 1)
        self.assertEqual(lines, ["over: wave 4 event 1 reason 0x4", "over: wave 4 is at 0x20000000195c", "  not known: v0", *end])
        for name, wave, reason, pc in ("oob-load", 4, "0x2000", "0x200000001954"), ("illegal", 3, "0x8000", "0x200000001850"), \
                ("assert-trap", 4, "0x800", "0x200000001888"):
            # What comes behind an illegal instruction nobody knows; others are held here, and so this wave does not run on.
            for how in ("over", "inline") if name == "illegal" else ("inline",):
                done, lines = self.over(self.trace(name), how, 1)
                self.assertEqual((done.code, lines), (0, [
                    stays, f"over: wave {wave} event 1 reason {reason}", f"over: wave {wave} is at {pc}", "  not known:", *end]), name)

    def test_over_a_breakpoint_with_the_fault_told(self):
        """
        A debugger that steps in place delivers the fault with the step, and holds the program meanwhile, which could not end by it. It gets
        behind the instruction, as long as that is one. A lone wave steps alone where the host's thread is held, and here it is not.
        """
        end = ["breakpoint out", "the host exited: 0", "detached, breakpoint out", "fine"]
        self.assertEqual(self.over(self.trace("oob-load"), "told", 1)[1], [
            self.NOT_HAD, "over: wave 4 event 1 reason 0x4", "over: wave 4 is at 0x20000000195c", "  not known: v0", *end])
        stays = "log: wavetape: the recording does not go on with this wave alone: it stays where it is"
        for name, wave, reason, pc in ("illegal", 3, "0x8000", "0x200000001850"), ("assert-trap", 4, "0x800", "0x200000001888"):
            self.assertEqual(self.over(self.trace(name), "told", 1)[1], [
                stays, f"over: wave {wave} event 1 reason {reason}", f"over: wave {wave} is at {pc}", "  not known:", *end], name)

    def test_deliver_at_a_breakpoint(self):
        """A debugger tells the wave to step then; the program ends all the same."""
        done = self.replay("oob-load", "deliver")
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.split("all stopped\n", 1)[1].splitlines(),
                         ["breakpoint out", "the host exited: 0", "detached, breakpoint out", "fine"])

    def test_over_breakpoints_on_the_way(self):
        """No recorded stop is left out behind them; and each is where the recording itself makes the step."""
        once = re.findall(r"^wave 1: reason 0x4 pc (\w+)$", self.replay(None, "once", trace=self.steps()).stdout, re.MULTILINE)
        self.assertEqual(len(once), 5)
        for how in "over", "inline":
            _, lines = self.over(self.steps(), how, 4)
            self.assertEqual([line for line in lines if line.startswith("wave ")], [f"wave 1: reason 0x4 pc {pc}" for pc in once])
            self.assertEqual([line for line in lines if line.startswith("over: wave 1 is")],
                             [f"over: wave 1 is at {pc}" for pc in once[:4]])

    def test_refused_requests(self):
        lines = self.jump(self.late_trace(), "goto 99 at-once", "goto 4 now", "goto 4 at-once x", "stay at-once", "stay")
        self.assertEqual([line for line in lines if not line.startswith("wave ")], [
            "refused no stop 99: stops 1 to 4 can be gone to",
            *["refused no such request: info, goto STOP, next, previous, stay"] * 3, "ok", *self.LEFT])

    def late_trace(self):
        """A program that loads its second code object after its first dispatch, and its third in place of that."""
        workload = json.loads(support.TREE.workload("vecadd").read_text("utf-8"))
        kernels = support.TREE.kernels
        workload["code_objects"] = [
            str(kernels / "vecadd.co"), {"file": str(kernels / "debug-trap.co"), "load_after": 0, "unload_after": 1},
            {"file": str(kernels / "oob-load.co"), "load_after": 1}]
        for name in "debug-trap", "oob-load":
            other = json.loads(support.TREE.workload(name).read_text("utf-8"))
            workload["buffers"] |= other["buffers"]
            workload["dispatches"] += other["dispatches"]
        path = self.directory / "late.json"
        path.write_text(json.dumps(workload), "utf-8")
        trace = self.directory / "late.wtape"
        recorded = support.run(support.TREE.command, "record", "-o", trace, "--workload", path)
        self.assertEqual(recorded.code, 0, recorded.stderr)
        return trace

    def code_of(self, *names):
        """What the client prints of code objects."""
        lines = ["the list of code objects has changed"]
        for name in names:
            data = (support.TREE.kernels / f"{name}.co").read_bytes()
            lines.append(f"code object file://{self.cache}/wavetape/{hashlib.blake2b(data, digest_size=32).hexdigest()}"
                         ".elf")
        return lines

    def test_code_that_comes_and_goes(self):
        """
        The client is told of it when it comes, and before any wave of it has stopped: a debugger looks for it only where
        it is told to.
        """
        done = self.replay(None, "once", trace=self.late_trace())
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        said = [re.sub(r"wave \d+: reason (\w+) .*", r"stop \1", line) for line in done.stdout.splitlines()
                if re.match(r"wave|code object|the list", line)]
        self.assertEqual(said, [
            *self.code_of("vecadd"), *self.code_of("vecadd", "debug-trap"), "stop 0x400", "stop 0x400",
            *self.code_of("vecadd", "oob-load"), "stop 0x2000"])

    def test_code_after_travelling(self):
        trace = self.late_trace()
        done = self.replay(None, f"go '{support.TREE.command} goto --wait 0 {trace} 4' "
                                 f"'{support.TREE.command} goto --wait 0 {trace} 2'", trace=trace,
                           XDG_RUNTIME_DIR=self.directory)
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        said = [line for line in done.stdout.splitlines() if re.match(r"code object|the list|all", line)]
        self.assertEqual(said, [
            *self.code_of("vecadd"), *self.code_of("vecadd", "debug-trap"), "all stopped",
            *self.code_of("vecadd", "oob-load"), "all stopped",
            *self.code_of("vecadd", "debug-trap"), "all stopped",
            *self.code_of("vecadd", "oob-load"), "all stopped"])

    def test_code_object(self):
        """The copy is the recorded file, named by its hash, the user's alone; a changed one is replaced."""
        done = self.replay("oob-load", "once")
        path = self.code_object(done.stdout)
        original = (support.TREE.kernels / "oob-load.co").read_bytes()
        self.assertEqual(path.parent, self.cache / "wavetape")
        self.assertEqual(path.name, hashlib.blake2b(original, digest_size=32).hexdigest() + ".elf")
        self.assertEqual(path.read_bytes(), original)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(path.parent.stat().st_mode), 0o700)
        path.write_bytes(b"other bytes")
        self.assertEqual(self.replay("oob-load", "once").stdout, done.stdout)
        self.assertEqual(path.read_bytes(), original)
        # The trace itself still says where it came from.
        listed = support.run(support.TREE.command, "code-objects", self.trace("oob-load"))
        self.assertIn(f"file://{support.TREE.kernels}/oob-load.co", listed.stdout)

    def test_code_that_was_not_recorded(self):
        """A debugger is not to open what lies at its place by now, and says why there are no symbols."""
        trace = self.directory / "no-code.wtape"
        self.wavetape("record", "--no-code", "-o", trace, "--workload", support.TREE.workload("oob-load"))
        original = support.TREE.kernels / "oob-load.co"
        done = self.replay(None, "once", trace=trace)
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        self.assertIn(f"code object not-recorded+file://{original}\n", done.stdout)
        self.assertEqual(done.stdout.count("a code object is not in the recording"), 1)
        done = self.replay(None, "once", "--code-objects=recorded", trace=trace)
        self.assertEqual(self.code_object(done.stdout), original)
        self.assertNotIn("not in the recording", done.stdout)

    def test_code_that_cannot_be_extracted(self):
        for name in "cache", f"wavetape-{os.geteuid()}":
            (self.directory / name).write_bytes(b"")
        done = self.replay("oob-load", "once")
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        self.assertIn(f"code object not-recorded+file://{support.TREE.kernels}/oob-load.co\n", done.stdout)
        self.assertIn("log: cannot extract a code object: ", done.stdout)

    def test_without_debug_frame(self):
        done = self.replay("oob-load", "once", "--without-debug-frame")
        copy = self.code_object(done.stdout)
        listed = support.run("readelf", "-SW", copy)
        self.assertNotIn(" .debug_frame", listed.stdout)
        self.assertIn(" .debug_info", listed.stdout)
        self.assertEqual(listed.stderr, "")

    def test_an_older_debugger(self):
        """
        It is told of a GPU that it knows, whatever the recorded client knew: one that asked for all of them
        has them all in the trace.
        """
        asked = self.directory / "asked.wtape"
        recorded = support.run(
            support.TREE.command, "record", "-o", asked, "--dbgapi", support.TREE.libraries["simulated"], "--",
            support.TREE.build / "tests/end-to-end/gdb-client", "--script", "run",
            WAVETAPE_WORKLOAD=support.TREE.workload("oob-load"))
        self.assertEqual(recorded.code, 0, recorded.stdout + recorded.stderr)
        for trace in self.trace("oob-load"), asked:
            with self.subTest(trace=trace):
                done = self.replay("oob-load", "older", trace=trace)
                self.assertEqual(done.code, 0, done.stdout + done.stderr)
                told = re.findall("^(?:machine|log: ).*", done.stdout, re.MULTILINE)
                self.assertEqual(told, [
                    "machine 0x36: none", "machine 0x3f: none",
                    "log: wavetape: this debugger does not know gfx942, and is told that it is gfx90a; registers "
                    "and instructions are those of gfx942",
                    "machine 0x36: none", "machine 0x3f: architecture 7, which is 0x3f"])
                header = self.code_object(done.stdout).read_bytes()
                self.assertEqual(header[48], 0x3f)

    def test_generic_code(self):
        """The copy is for the GPU: GDB does not take code that is for none of a device."""
        kernels, core, trace = (self.directory / name for name in ("kernels", "core", "generic.wtape"))
        kernels.mkdir()
        for name in ("oob-load.json", "oob-load.co"):
            (kernels / name).write_bytes((support.TREE.kernels / name).read_bytes())
        support.wavetape("simulate", kernels / "oob-load.json", "--core", core)
        data = bytearray((kernels / "oob-load.co").read_bytes())
        original = bytes(data)
        data[48] = 0x5F  # gfx9-4-generic
        (kernels / "oob-load.co").write_bytes(data)
        self.wavetape("record", "-o", trace, "--core", core)
        for how, machine in (("once", 0x4C), ("older", 0x3F)):
            with self.subTest(how=how):
                done = self.replay(None, how, trace=trace)
                copy = self.code_object(done.stdout).read_bytes()
                self.assertEqual(copy, original[:48] + bytes([machine]) + original[49:])

    def test_recorded_uri(self):
        done = self.replay("oob-load", "once", "--code-objects=recorded")
        self.assertEqual(self.code_object(done.stdout), support.TREE.kernels / "oob-load.co")
        self.assertFalse(self.cache.exists())

    def test_directory_of_others(self):
        """A cache directory that others may write to is not used."""
        (self.cache / "wavetape").mkdir(parents=True)
        (self.cache / "wavetape").chmod(0o777)
        done = self.replay("oob-load", "once")
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        self.assertEqual(list((self.cache / "wavetape").iterdir()), [])
        self.assertNotEqual(self.code_object(done.stdout).parent, self.cache / "wavetape")

    def test_no_trace_as_image(self):
        """Without a host the process is what the client says, and memory is what was recorded."""
        done = support.run(support.TREE.command, "replay", self.trace("oob-load"), "--", "sh", "-c",
                           'echo "${WAVETAPE_HOST-none} ${WAVETAPE_REPLAY_OPTIONS-none}"')
        self.assertEqual(done.stdout, "none none\n")


class FromMemory(support.Case):
    """A code object that was never a file."""

    def setUp(self):
        super().setUp()
        self.original = (support.TREE.kernels / "oob-load.co").read_bytes()
        workload = json.loads(support.TREE.workload("oob-load").read_text("utf-8"))
        workload |= {"code_objects": [str(support.TREE.kernels / "oob-load.co")],
                     "code_objects_from": "memory"}
        path = self.directory / "workload.json"
        path.write_text(json.dumps(workload), "utf-8")
        self.trace_path = self.directory / "trace.wtape"
        self.wavetape("record", "-o", self.trace_path, "--workload", path)

    def test_copy(self):
        client = support.TREE.build / "tests/end-to-end/host-client"
        done = support.run(
            support.TREE.command, "replay", "--host", self.trace_path, "--", "sh", "-c",
            f'exec {client} "$WAVETAPE_HOST" "$WAVETAPE_HOST_IMAGE"', XDG_CACHE_HOME=self.directory)
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        found = re.search(r"^code object file://(/\S+)$", done.stdout, re.MULTILINE)
        self.assertEqual(pathlib.Path(found[1]).read_bytes(), self.original)

    def test_fixpoint(self):
        """A recorder reads it through read_memory, from the recorded place."""
        stdout = self.wavetape("verify", "--fixpoint", self.trace_path)
        self.assertIn("recording the replay gives the same trace: yes (0 differences)\n", stdout)


class Gdb(support.Case):
    """What the command does for GDB: a program that has GDB's words in it, or a script that starts one."""

    def setUp(self):
        super().setUp()
        self.debugger = support.TREE.build / "tests/end-to-end/debugger-client"

    def gdb(self, *arguments, client=None, options=(), **variables):
        return support.run(support.TREE.command, "replay", *options, self.trace("oob-load"), "--",
                           client or self.debugger, *arguments, **variables)

    def script(self, name, text):
        script = self.directory / name
        script.parent.mkdir(exist_ok=True)
        script.write_text(text, "ascii")
        script.chmod(0o755)
        return script

    def check_host(self, done, *arguments, options="host,extract,without-debug-frame"):
        """The client got the host as its program, in front of its own arguments, and our commands."""
        self.assertEqual(done.code, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[:2], [options, "-ix"])
        self.assertRegex(lines[2], r"/wavetape-gdb\.py\Z")
        self.assertEqual(lines[3:], ["-ex", f'file "{host()}"', *arguments])

    def check_none(self, done, *arguments):
        self.assertEqual(done.code, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines(), ["no options", *arguments])

    def test_arguments(self):
        done = self.gdb("-q")
        self.check_host(done, "-q")
        self.assertIn("without their .debug_frame", done.stderr)

    def test_program_and_its_arguments(self):
        """Of whatever program: it is not run. (Front ends set both, and do not know of the host.)"""
        self.check_host(self.gdb("--args", "/bin/true", "-p", "x y"), "--args", "/bin/true", "-p", "x y")

    def test_attach(self):
        done = self.gdb("-p", "17")
        self.assertEqual(done.stdout.splitlines()[3:], ["-p", "17"])

    def test_nothing_is_said_to_a_front_end(self):
        """Emacs takes what comes before GDB's first words for a sign that it is not GDB."""
        for arguments in ["-q", "-i=mi"], ["--interpreter=mi3"], ["-i", "mi2"], ["--interpreter", "dap", "-nx"]:
            done = self.gdb(*arguments)
            self.check_host(done, *arguments)
            self.assertEqual(done.stderr, "")
        for arguments in ["-i=console"], ["--args", "./program", "-i=mi"], ["-i"]:
            self.assertIn("without their .debug_frame", self.gdb(*arguments).stderr)

    def test_debug_frame_is_kept(self):
        done = self.gdb(options=["--debug-frame"])
        self.check_host(done, options="host,extract")
        self.assertEqual(done.stderr, "")
        rocgdb = self.directory / "rocgdb-py3.11"
        rocgdb.symlink_to(self.debugger)
        done = self.gdb(client=rocgdb)
        self.check_host(done, options="host,extract")
        self.assertEqual(done.stderr, "")

    def test_no_host(self):
        self.check_none(self.gdb("x", options=["--no-host"]), "x")

    def test_any_name(self):
        """It is known by its program, not by its name."""
        for name in "gdb-multiarch", "debugger", "gdb 15.2":
            client = self.directory / name
            client.symlink_to(self.debugger)
            with self.subTest(name=name):
                self.check_host(self.gdb("-q", client=client), "-q")

    def test_scripts(self):
        """A script is what it starts."""
        beside = self.directory / "amd-gdb.bin"
        beside.symlink_to(self.debugger)
        folder = self.directory / "path"
        folder.mkdir()
        (folder / "some-gdb").symlink_to(self.debugger)
        first = self.script("a.sh", f'#!/bin/sh\nexec "{beside}" "$@"\n')
        for name, text in (
                ("gdb.sh", f"#!/bin/sh\n# starts it\nexec {beside} \"$@\"\n"),
                ("b.sh", '#!/bin/bash\nhere=$(dirname "$0")\nexec "${here}/amd-gdb.bin" "$@"\n'),
                ("c.sh", "#!/bin/sh\nexec some-gdb \"$@\"\n"),
                ("gdb-d.sh", f"#!/bin/sh\nGDB=gdb.sh; exec \"{self.directory}/$GDB\" \"$@\"\n"),
                ("e.sh", f"#!/bin/sh\nGDB=1 exec {first} \"$@\"\n")):
            client = self.script(name, text)
            done = self.gdb("-q", client=client, PATH=f"{folder}:{os.environ['PATH']}")
            with self.subTest(name=name):
                if name == "e.sh":
                    # It says nothing of a debugger, and names another that does.
                    self.check_none(done, "-q")
                else:
                    self.check_host(done, "-q")

    def test_circle_of_scripts(self):
        client = self.script("gdb-a", "#!/bin/sh\n# as gdb-b\necho gdb-a\n")
        self.script("gdb-b", "#!/bin/sh\n# as gdb-a\n")
        done = self.gdb(client=client)
        self.assertEqual(done.stdout, "gdb-a\n")
        self.assertIn("the client made no call of the replaying library", done.stderr)

    def test_said_to_be_gdb(self):
        client = self.script("wrapper", f"#!/bin/sh\nx={str(self.debugger)[:-4]}\nexec \"${{x}}ient\" \"$@\"\n")
        self.check_none(self.gdb("-q", client=client), "-q")
        self.check_host(self.gdb("-q", client=client, options=["--gdb"]), "-q")

    def test_not_taken_for_gdb(self):
        """A line says so, where the words speak of one."""
        client = self.script("my-gdb-wrapper", f"#!/bin/sh\nx={str(self.debugger)[:-4]}\nexec \"${{x}}ient\" \"$@\"\n")
        for command in ([client, "-q"], ["env", "A=1", self.debugger.parent / "../end-to-end/gdb-x", "-q"]):
            with self.subTest(command=command):
                done = self.gdb(*command[1:], client=command[0])
                self.assertIn(f"wavetape: {command[0]}: it is not taken for GDB, and gets no wavetape-host to debug; "
                              "--gdb says that it is one\n", done.stderr)
        for client in support.TREE.build / "tests/end-to-end/gdb-client", "true":
            with self.subTest(client=client):
                self.assertNotIn("taken for GDB", self.gdb(client=client).stderr)
        self.assertEqual(self.gdb("-q", client="sh", options=["--no-host"]).stderr.count("taken"), 0)

    def test_rocgdb(self):
        """AMD's own is a script, which makes up the name of its program."""
        client = self.script("rocgdb", f"#!/bin/bash\nv=ient\nexec \"{str(self.debugger)[:-4]}$v\" \"$@\"\n")
        self.check_host(self.gdb("-q", client=client), "-q", options="host,extract")

    def test_without_the_library(self):
        """A GDB that is not linked with it would show a program that does nothing."""
        program = self.directory / "gdb"
        data = pathlib.Path("/bin/sh").resolve().read_bytes()
        name = b"POSIXLY_CORRECT"
        offset = data.find(b"\0PATH=") + 1 or data.find(name)
        self.assertGreater(offset, 0)
        text = b"This GDB was configured as\0"
        program.write_bytes(data[:offset] + text + data[offset + len(text):])
        program.chmod(0o755)
        done = self.gdb(client=program)
        self.assertEqual(done.code, 1)
        self.assertRegex(done.stderr,
                         rf"\Awavetape: cannot replay under this debugger: {program}: it is not linked with "
                         r"librocm-dbgapi\.so\.0, [^\n]+ a GDB of version 15 or later [^\n]+ `wavetape browse` [^\n]+ `wavetape dap` [^\n]+\n\Z")

    def test_lldb(self):
        """It would run, and show nothing of the recording."""
        for name in "lldb", "lldb-19", "lldb-dap", "lldb-dap-22", "x-lldb":
            with self.subTest(name=name):
                program = self.directory / name
                shutil.copy("/bin/true", program)
                done = self.gdb(client=program)
                self.assertEqual((done.code, done.stdout), (1, ""))
                self.assertRegex(done.stderr,
                                 rf"\Awavetape: cannot replay under this debugger: {program}: it is not linked with "
                                 r"librocm-dbgapi\.so\.0, [^\n]+ a GDB of version 15 or later [^\n]+ `wavetape browse` [^\n]+ `wavetape dap` [^\n]+\n\Z")
        program = self.directory / "lldbx"
        shutil.copy("/bin/true", program)
        self.assertNotIn("cannot replay", self.gdb(client=program).stderr)

    def refuses_lldb(self, program, *command):
        done = self.gdb(*command[1:], client=command[0])
        self.assertEqual((done.code, done.stdout), (1, ""))
        self.assertRegex(done.stderr, rf"\Awavetape: cannot replay under this debugger: {program}: it is not linked with ")

    def test_lldb_under_other_names(self):
        """It is known by its library, whatever it is called and whatever starts it."""
        client = support.TREE.build / "tests/end-to-end/session-client"
        program = self.directory / "bin" / "inspector"
        program.parent.mkdir()
        program.write_bytes(client.read_bytes().replace(b"\0librocm-dbgapi.so.0\0", b"\0liblldb-19.1.7.so.0\0"))
        program.chmod(0o755)
        self.refuses_lldb(program, program)
        self.refuses_lldb(program, "/usr/bin/env", "A=b", program)
        link = self.directory / "inspect"
        link.symlink_to(program)
        self.refuses_lldb(link, link)
        self.refuses_lldb(program, self.script("start", f"#!/bin/sh\nexec {program} \"$@\"\n"))
        self.refuses_lldb(program, self.script("bin/start", "#!/bin/sh\nexec \"$(dirname \"$0\")\"/inspector \"$@\"\n"))
        # A script that is called so, and of which nothing else can be seen.
        script = self.script("lldb-19", "#!/bin/sh\nexec \"$SOMETHING\" \"$@\"\n")
        self.refuses_lldb(script, script)
        # A client of AMD's library may have LLDB among its arguments.
        self.assertNotIn("cannot replay", self.gdb(program, client=client).stderr)


if __name__ == "__main__":
    support.main(__doc__)
