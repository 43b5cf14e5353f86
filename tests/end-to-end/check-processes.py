# SPDX-License-Identifier: MIT
"""A client that is attached to several processes at once prints the same bytes live, recorded and replayed.

Also: in whatever order it turns to them, and when one of them ends, is attached to again, or dies with the client.
"""

import re
import signal

import support
from support import Case, run_bytes, wavetape

# What the client does in turn: see two-processes.py. A workload stands behind each process that is attached to live.
SESSIONS = {
    "in turn": "+a=oob-store +b=debug-trap ea eb ha hb sa sb ga ea ha sa gb eb hb sb ma mb rb gb eb hb sb sa ra ga ea sa "
               "-a sb rb gb eb sb -b",
    "all at once": "+a=debug-trap +b=oob-store e* h* s* r* g* e* s* m* ma mb 1a g* e* s* ta tb e* sa sb wa wb sa sb r* ra "
                   "e* s* -a s* e* -b s*",
    "attached again": "+a=debug-trap +b=oob-store ea eb sa -a +a=illegal ea sa sb ra eb sb -b +b=vecadd eb sb -a -b",
    "finalized": "+a=debug-trap +b=debug-trap ea eb f* +a +b ea eb sa sb -b +b +c +d ec ed sc sd s*",
    "one exits": "+a=exits +b=debug-trap eb ea sa ea sa ea sa sb rb eb sb -a sb rb eb sb",
    "the same twice": "+a=debug-trap +a +b=debug-trap e* s* 1a 1b e* s* 1b eb sb 1a ea sa s* wa wb s*",
}

# Clients of "in turn" that are attached to what it was attached to, and do something else.
FREE = (
    "+b ea eb sb",
    "+a +b eb sb rb eb sb ea sa ra ea sa s* e*",
    "+a ea sa ra ea sa +b eb sb rb eb sb -a s*",
    "+a +b +c -a +c ec sc -c -b e* s*",
    "+a -a +b eb sb +a ea sa s* h* e* g* e* ta tb e* s*",
    "+a +b e* ta e* tb e* s* r* e* r* e* s* 1a 1b e* s* f* +a +b s* e* s*",
)


class Processes(Case):
    def words(self, text):
        """Its arguments, with the paths of workloads."""
        return [word if "=" not in word else f"{word[:3]}{support.TREE.workload(word[3:])}" for word in text.split()]

    def client(self, text, library, **variables):
        return run_bytes(*support.script("end-to-end/two-processes.py"), *self.words(text), LD_LIBRARY_PATH=support.TREE.libraries[library].parent, **variables)

    def record(self, text, *options, code=0):
        trace = self.directory / "processes.wtape"
        trace.unlink(missing_ok=True)
        done = run_bytes(support.TREE.command, "record", *options, "-o", trace, "--dbgapi",
                         support.TREE.libraries["simulated"], "--",
                         *support.script("end-to-end/two-processes.py"), *self.words(text))
        self.assertEqual(done.returncode, code, done.stderr)
        return trace, done.stdout

    def check_verified(self, trace):
        verified = self.json("verify", "--fixpoint", trace)
        self.assertEqual(verified["differences"], {"count": 0, "first": []})
        self.assertEqual(verified["fixpoint_differences"], {"count": 0, "first": []})
        self.assertEqual(verified["from_state"]["differences"]["count"], 0, verified["from_state"])

    def test_same(self):
        """Live, recorded, in step, and from state alone."""
        for name, text in support.share(SESSIONS.items()):
            with self.subTest(session=name):
                live = self.client(text, "simulated")
                self.assertEqual((live.returncode, live.stderr), (0, b""))
                self.assertGreater(len(re.findall(rb"registers: 0 0:0:", live.stdout)), 2)
                trace, recorded = self.record(text)
                self.assertEqual(recorded, live.stdout)
                for options in ("", "from-state"):
                    replayed = self.client(text, "replay", WAVETAPE_TRACE=trace, WAVETAPE_REPLAY_OPTIONS=options)
                    self.assertEqual(replayed.stdout.decode(), live.stdout.decode(), options)
                self.check_verified(trace)

    def test_free(self):
        """What other clients see of one process is of that process, in whichever order they turn to them."""
        trace, recorded = self.record(SESSIONS["in turn"])
        owners = dict(re.findall(r"  wave (\d+): WAVE_INFO_PROCESS=(\d)", recorded.decode()))
        for text in support.share(FREE):
            with self.subTest(client=text):
                done = self.client(text, "replay", WAVETAPE_TRACE=trace)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                shown = re.findall(r"==== s[a-d]\n.*?(?=====)", done.stdout.decode(), re.DOTALL)
                for part in shown:
                    self.assertLessEqual(len(set(re.findall(r"_INFO_PROCESS=(\d)", part))), 1, part)
                waves = re.findall(r"  wave (\d+): WAVE_INFO_PROCESS=(\d)", done.stdout.decode())
                self.assertTrue(waves)
                for wave, owner in waves:
                    self.assertEqual(owners.setdefault(wave, owner), owner, wave)

    def test_each_on_its_own(self):
        """The second process first, while the first one stays where it is: both come to all of their stops."""
        trace, _ = self.record(SESSIONS["in turn"])
        done = self.client("+a +b eb sb ea sa", "replay", WAVETAPE_TRACE=trace)
        text = done.stdout.decode()
        self.assertRegex(text, r"(?s)==== eb\n.*event \d+ kind 1 EVENT_INFO_PROCESS=2 EVENT_INFO_WAVE=5 .*==== sb\n"
                               r".*wave 5: WAVE_INFO_PROCESS=2 WAVE_INFO_STATE=3 WAVE_INFO_STOP_REASON=400 .*==== ea\n"
                               r".*event \d+ kind 1 EVENT_INFO_PROCESS=1 EVENT_INFO_WAVE=3 .*==== sa\n"
                               r".*wave 3: WAVE_INFO_PROCESS=1 WAVE_INFO_STATE=3 WAVE_INFO_STOP_REASON=2000 ")

    def test_none_left(self):
        trace, _ = self.record(SESSIONS["in turn"])
        done = self.client("+a +b +c", "replay", WAVETAPE_TRACE=trace)
        self.assertIn(f"==== +c\n  log 1: cannot attach to another process: {trace}: the trace has none that was attached "
                      "to\n  -10 handle 0\n", done.stdout.decode())

    def test_shown(self):
        """Verbs say which process a stop is of, and show what is of that one."""
        trace, _ = self.record(SESSIONS["in turn"])
        self.assertEqual([stop["process"] for stop in self.json("stops", trace)["stops"]], [1, 2, 1])
        self.assertRegex(self.wavetape("stops", trace),
                         r"(?m)^stop 2   call \d+ +process 2: WAVE_STOP x 2, RUNTIME; 2 waves, 2 stopped: debug trap\n"
                         r" +debug_trap\+0x54 at \S+/debug-trap.c:11:3$")
        self.assertTrue(self.wavetape("waves", trace, "--stop", "2").startswith("stop 2, process 2: 2 waves\nw5 "))
        self.assertTrue(self.wavetape("waves", trace, "--stop", "3").startswith("stop 3, process 1: 1 wave\nw3 "))
        self.assertIn("\nprocess      1, of 2 that were attached at this stop\n", self.wavetape("info", trace))
        self.assertEqual(self.json("info", trace, "--stop", "2")["process"], 2)
        self.assertEqual([self.json("waves", trace, "--stop", str(stop))["process"] for stop in (1, 2, 3)], [1, 2, 1])
        # Two programs at the same addresses: the code is that of the stop's own.
        self.assertIn("debug_trap", self.wavetape("disassemble", trace, "--stop", "2", "--wave", "5"))
        self.assertIn("global_store_dword", self.wavetape("disassemble", trace, "--stop", "3", "--wave", "3"))

    def test_rewritten(self):
        """Written again, whole or in part: what is there has the processes that it is of."""
        whole, _ = self.record(SESSIONS["in turn"])
        for verb in support.share(("repack", "recover")):
            again = self.directory / f"{verb}.wtape"
            self.wavetape(verb, whole, "-o", again, stdout=None)
            self.check_verified(again)
        # The last stop of the first process, which is behind one of the second; and that one with it.
        for stops, seen in support.share((("3", {"1"}), ("2..3", {"1", "2"}))):
            part = self.directory / "part.wtape"
            self.wavetape("trim", whole, "--stops", stops, "-o", part, stdout=None)
            self.wavetape("check", part, stdout=None)
            done = self.client("+a +b ea eb sa sb ra ea", "replay", WAVETAPE_TRACE=part)
            events = re.findall(r"event \d+ kind 1 EVENT_INFO_PROCESS=(\d)", done.stdout.decode())
            self.assertEqual(set(events), seen, stops)

    def test_a_ring(self):
        """The newest stop. Older ones were dropped when the first process had not come to it yet."""
        trace, _ = self.record(SESSIONS["in turn"], "--ring", "1")
        self.wavetape("check", trace, stdout=None)
        done = self.client("+a +b ea ra ea eb sa sb", "replay", WAVETAPE_TRACE=trace)
        self.assertRegex(done.stdout.decode(), r"\+a\n  0 handle 1\n==== \+b\n  0 handle 2\n")
        events = re.findall(r"event \d+ kind 1 EVENT_INFO_PROCESS=(\d) EVENT_INFO_WAVE=(\d)", done.stdout.decode())
        self.assertEqual(events, [("1", "3")])

    def test_killed(self):
        """The client dies in the middle: what it had seen of both is in the trace."""
        words = SESSIONS["in turn"].split()
        for end in support.share(range(4, len(words), 3)):
            text = " ".join(words[:end] + ["ka"])
            with self.subTest(end=end):
                live = self.client(text, "simulated")
                self.assertEqual(live.returncode, -signal.SIGKILL)
                trace, recorded = self.record(text, code=128 + signal.SIGKILL)
                self.assertEqual(recorded, live.stdout)
                self.assertEqual(wavetape("check", trace).code, 3)
                replayed = self.client(text, "replay", WAVETAPE_TRACE=trace)
                self.assertEqual(replayed.stdout, live.stdout)


if __name__ == "__main__":
    support.main(__doc__)
