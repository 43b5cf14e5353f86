# SPDX-License-Identifier: MIT
"""A client with GDB's calls in GDB's orders, and its assertions, over every provider.

Its transcript is the same live, with the recording library in front, and over the trace. Over a trace it may
also go another way than the recorded client did: then no assertion may fail, and nothing may hang.
"""

import re
import unittest

import support
from support import Case, run_bytes

LOOK = ("info-threads,info-registers,disassemble,x,info-sharedlibrary,info-agents,info-queues,"
        "info-dispatches,info-lanes,fetch-all,address-spaces,set-register:s0")

# Workload -> scripts. What a script asks for is there on purpose: see Same.test_the_scripts_do_something.
SAME = {
    "vecadd": ["run,run,run", "attach,info-threads,continue", "break:vecadd,run,info-threads,delete,continue"],
    "oob-store": [
        f"break:oob_store,run,{LOOK},stepi*5,info-threads,thread:1,{LOOK},stepi,continue*3,"
        "info-threads,delete,continue*3,run,info-threads,kill",
        "run,stepi,run,continue,run,detach",
    ],
    "oob-load": [f"run,continue:quiet,continue,run,{LOOK},kill,run,detach"],
    "assert-trap": [f"run,info-registers:all,{LOOK},continue,run,kill"],
    "debug-trap": [f"run,{LOOK},continue*2,interrupt,info-threads,stepi*4,interrupt,continue*9"],
    "illegal": [f"run,{LOOK},continue,run,stepi,interrupt"],
    "matmul": [f"break:matmul,run,{LOOK},continue*3"],
    "two-queues": ["break:saxpy,run,info-queues,continue,info-threads,delete,continue*3"],
    "two-agents": ["break:vecadd,run,info-threads,info-agents,continue*2,delete,continue"],
    "matmul-O0": ["break:matmul,run,stepi*8,address-spaces,kill,attach,interrupt,detach"],
}

# What a client has set up that is no part of what it looks at.
SET_UP = {
    "matmul": [f"break:matmul,run,{LOOK},displaced-step,watch:2,info-threads,freeze,continue"],
    "vecadd": ["break:vecadd,run,displaced-step*3,watch:2,watch:2,delete,continue", "attach,freeze,continue"],
}

# The same for an agent that prints waves and lets them go on.
AGENT = ["assert-trap", "debug-trap", "illegal", "oob-store-O0", "matmul", "two-queues"]

# Recorded by one script, gone through by others.
RECORDED = {
    "oob-store": ["run", "break:oob_store,run,stepi*3,continue*2"],
    "debug-trap": ["run,continue", "run,stepi*5,continue"],
    "matmul": ["break:matmul,run,stepi*3,continue*2"],
    "two-queues": ["break:saxpy,run,stepi,continue"],
    "illegal": ["run,continue"],
    "vecadd": ["attach,continue"],
}
FREE = [
    f"run,{LOOK},continue*4,run,info-threads,kill",
    f"attach,{LOOK},stepi*3,continue*3",
    "break:%s,run,info-registers:all,stepi*6,delete,continue*4,run,interrupt,info-threads",
    "debug-agent,run,detach,attach,detach",
    f"run,continue:quiet,interrupt,stepi:quiet,interrupt,{LOOK},displaced-step,watch:0,freeze,continue",
]


class GdbClient(Case):
    def command(self, script):
        return support.TREE.build / "tests/end-to-end/gdb-client", "--script", script

    def live(self, name, script):
        return self.check(run_bytes(
            *self.command(script), LD_LIBRARY_PATH=support.TREE.libraries["simulated"].parent,
            WAVETAPE_WORKLOAD=support.TREE.workload(name)))

    def record(self, name, script):
        trace = self.directory / "gdb.wtape"
        trace.unlink(missing_ok=True)
        return trace, self.check(run_bytes(
            support.TREE.command, "record", "-o", trace, "--dbgapi",
            support.TREE.libraries["simulated"], "--", *self.command(script),
            WAVETAPE_WORKLOAD=support.TREE.workload(name)))

    def replay(self, trace, script):
        return self.check(run_bytes(support.TREE.command, "replay", trace, "--",
                                    *self.command(script)))

    def check(self, done):
        """3: an assertion of GDB's does not hold; 1: an error; -14: it hung."""
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout[-1500:].decode())
        return done.stdout.decode()

    def check_same(self, name, script):
        live = self.live(name, script)
        trace, recorded = self.record(name, script)
        self.assertEqual(recorded, live)
        self.assertEqual(self.replay(trace, script), live)
        self.assertEqual(self.json("verify", trace)["differences"], {"count": 0, "first": []})
        return live


class Same(GdbClient):
    def check_all(self, names):
        for name in names:
            for script in support.share(SAME[name]):
                with self.subTest(workload=name, script=script):
                    self.check_same(name, script)

    def test_runs(self):
        self.check_all(["vecadd", "two-queues", "two-agents"])

    @unittest.skipIf(support.SMALL, "a share: other stops and faults are tried")
    def test_violations(self):
        self.check_all(["oob-store", "oob-load"])

    def test_traps(self):
        self.check_all(["assert-trap", "debug-trap", "illegal"])

    @unittest.skipIf(support.SMALL, "a share: other workloads are tried")
    def test_local_memory(self):
        self.check_all(["matmul", "matmul-O0"])

    def test_what_is_set_up(self):
        transcript = ""
        for name, scripts in SET_UP.items():
            for script in scripts:
                with self.subTest(workload=name, script=script):
                    transcript += self.check_same(name, script)
        for wanted in (r"displaced step: reason 0x4, pc was 0x", r"watchpoint at 0x", r"watchpoints hit: 1",
                       r"freeze: The call succeeded", r"core state: The call succeeded\n\d+ bytes "):
            self.assertRegex(transcript, wanted)

    def test_stops_are_where_the_events_were(self):
        """A debugger moves the pc back to its breakpoint: that is its doing, and no part of any stop."""
        trace, _ = self.record("two-queues", "break:saxpy,run,info-threads,stepi,stepi,continue")
        kernel, looked_at = None, 0
        for stop in self.json("stops", trace)["stops"]:
            for wave in self.json("waves", "--stop", str(stop["stop"]), trace)["waves"]:
                if wave.get("stop_reason") != "BREAKPOINT":
                    continue
                kernel = kernel or wave["pc"]
                self.assertEqual(wave["pc"], kernel)
                register = self.json("registers", "--stop", str(stop["stop"]), "--wave", str(wave["wave"]),
                                     trace, "pc")["registers"][0]
                self.assertEqual(int(register["value"], 16), int(kernel, 16))
                looked_at += 1
        self.assertGreater(looked_at, 8)
        self.assertNotRegex(self.check(run_bytes(support.TREE.command, "stops", trace)), r"(?m)^ +0x")

    def test_agent(self):
        for name in support.share(AGENT):
            with self.subTest(workload=name):
                transcript = self.check_same(name, "debug-agent,debug-agent")
                self.assertEqual(transcript.count("the agent is done"), 2)
                self.assertIn("reason 0x" if name in support.FAULTS else "agent", transcript)

    def test_the_scripts_do_something(self):
        """Equal transcripts of a client that sees nothing would prove nothing."""
        transcript = self.live("oob-store", SAME["oob-store"][0])
        for wanted in (
                r"breakpoint 1 \(oob_store\) at 0x2", r"reason 0x1, pc 0x[0-9a-f]+, 4 waves, 3 more",
                r"reason 0x4, pc ", r"received signal SIGSEGV, reason 0x2000", r"v0 +256 bytes ",
                r"\* AMDGPU Wave 1:1:1:1 \(0,0,0\)/0 pc 0x", r"   0x[0-9a-f]+ s_load_dword ",
                r"DWARF 3 is space ", r"dispatch 1 QUEUE=0", r"set s0: as written",
                r"fetched \d+ registers, \d+ not available", r"code_object_1 at 0x.* oob-store\.co",
                r"status strings: 52", r"architectures known: 37"):
            self.assertRegex(transcript, re.compile(wanted))


class Free(GdbClient):
    def test_another_order(self):
        for name, scripts in RECORDED.items():
            for recorded in scripts:
                trace, _ = self.record(name, recorded)
                for script in support.share(FREE):
                    if "%s" in script:
                        script = script % name.replace("-", "_")
                    with self.subTest(workload=name, recorded=recorded, script=script):
                        self.assertIn("(gdb) ", self.replay(trace, script))

    def test_a_step_ends_with_its_wave(self):
        """A wave that steps where the recorded client let it run to its end gets the event of that."""
        trace, _ = self.record("oob-store", "break:oob_store,run,stepi*3,continue*2")
        transcript = self.replay(trace, "break:oob_store,run,stepi*6,delete,continue")
        self.assertGreaterEqual(transcript.count("reason 0x4"), 3)


if __name__ == "__main__":
    support.main(__doc__)
