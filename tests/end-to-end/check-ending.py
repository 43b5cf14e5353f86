#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A client that ends right after it was told of a stop: the stop is in the trace, or the trace says why not."""

import support
from support import wavetape

WORKLOAD = "oob-load"
LOST = "the client ended right after an event, whose stop is not in the trace: "


class Ending(support.Case):
    def run_client(self, how, library, **variables):
        done = support.run(support.TREE.build / "tests/end-to-end/ending-client", how,
                           LD_LIBRARY_PATH=support.TREE.libraries[library].parent, **variables)
        self.assertEqual((done.code, done.stderr), (7, ""), done.stdout)
        return done.stdout

    def record(self, how):
        """The trace of a client that ends so; it sees what it sees without a recorder."""
        trace = self.directory / f"{how}.wtape"
        workload = support.TREE.workload(WORKLOAD)
        live = self.run_client(how, "simulated", WAVETAPE_WORKLOAD=workload)
        recorded = self.run_client(how, "record", WAVETAPE_WORKLOAD=workload, WAVETAPE_TRACE=trace,
                                   WAVETAPE_DBGAPI=support.TREE.libraries["simulated"])
        self.assertEqual(recorded, live)
        self.assertIn(" kind 1 status 0\n", live)
        return trace, live

    def check_stop(self, trace, live):
        """The stop of the last event has its waves; everything is replayed as it was."""
        self.assertEqual(self.json("info", trace)["notices"], [])
        stop = self.json("stops", trace)["stops"][0]
        self.assertEqual([event["kind"] for event in stop["events"]], ["RUNTIME", "WAVE_STOP"])
        waves = self.json("waves", trace, "--stop", "1")["waves"]
        self.assertEqual([wave["state"] for wave in waves], ["running"] * 3 + ["stopped"])
        self.assertEqual(waves[3]["stop_reason"], "MEMORY_VIOLATION")
        self.assertRegex(self.wavetape("registers", trace, "pc"), r"pc +0x[0-9a-f]{16}\n")
        report = self.json("verify", trace)
        self.assertEqual((report["differences"]["count"], report["unfinished"]), (0, False))
        self.assertEqual(self.run_client(trace.stem, "replay", WAVETAPE_TRACE=trace), live)

    def test_exit(self):
        trace, live = self.record("exit")
        self.check_stop(trace, live)
        self.assertEqual(self.json("info", trace)["end_reason"], "process exit")

    def test_unload(self):
        trace, live = self.record("unload")
        self.check_stop(trace, live)

    def test_handler(self):
        """What the client still does at exit comes after it, and is recorded, too."""
        trace, live = self.record("handler")
        self.assertTrue(live.endswith("finalize 0\n"), live)
        self.check_stop(trace, live)
        self.assertEqual(self.json("info", trace)["end_reason"], "finalized")

    def test_inside(self):
        """In the middle of a call the library must not be asked."""
        trace, _ = self.record("inside")
        result = wavetape("info", trace, "--json")
        notices = support.json.loads(result.stdout)["notices"]
        self.assertIn(LOST + "the library was still at work on a call", notices)
        self.assertIn("notice: " + LOST, wavetape("journal", trace).stdout)

    def test_vanish(self):
        """Nobody is told of an end like this one: the trace has no end."""
        trace, _ = self.record("vanish")
        result = wavetape("stops", trace)
        self.assertEqual(result.code, 3)
        self.assertNotIn("WAVE_STOP", result.stdout)
        self.assertIn("amd_dbgapi_process_next_pending_event(", wavetape("journal", trace).stdout)


if __name__ == "__main__":
    support.main(__doc__)
