# SPDX-License-Identifier: MIT
"""A client that was built with the oldest form of the API: it binds to our libraries, and sees the same live, recorded and
replayed."""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "end-to-end"))

import support  # noqa: E402: it lies beside the other end-to-end tests
from support import Case  # noqa: E402

STEPS = {"debug-trap": "6", "oob-store": "2", "assert-trap": "1", "illegal": "1", "two-agents": "0"}
# Statements that every session holds.
LEAST_RULES = 20


class Older(Case):
    def older(self, library, *arguments, **variables):
        return support.run(support.TREE.build / "tests/older/older-client", *arguments,
                           LD_LIBRARY_PATH=support.TREE.libraries[library].parent, **variables)

    def test_it_is_of_the_older_form(self):
        """It names the older symbol versions, and none of today's."""
        text = subprocess.run(["readelf", "-W", "--dyn-syms", support.TREE.build / "tests/older/older-client"],
                              capture_output=True, check=True, text=True).stdout
        versions = dict(re.findall(r"(amd_dbgapi_\w+)@(AMD_DBGAPI_[0-9.]+)", text))
        self.assertEqual(set(versions.values()), {"AMD_DBGAPI_0.24", "AMD_DBGAPI_0.30"})
        self.assertEqual(versions["amd_dbgapi_wave_list"], "AMD_DBGAPI_0.24")
        self.assertEqual(versions["amd_dbgapi_wave_get_info"], "AMD_DBGAPI_0.30")

    def test_live_recorded_replayed(self):
        for name, steps in STEPS.items():
            with self.subTest(workload=name):
                trace = self.directory / f"{name}.wtape"
                workload = support.TREE.workload(name)
                live = self.older("simulated", steps, WAVETAPE_WORKLOAD=workload)
                self.assertEqual((live.code, live.stderr), (0, ""))
                self.check_rules(live.stdout)
                recorded = self.older("record", steps, WAVETAPE_WORKLOAD=workload, WAVETAPE_TRACE=trace,
                                      WAVETAPE_DBGAPI=support.TREE.libraries["simulated"])
                self.assertEqual(recorded, live)
                self.assertEqual(self.older("replay", steps, WAVETAPE_TRACE=trace), live)
                self.assertEqual(self.json("verify", trace)["differences"]["count"], 0)

    def check_rules(self, output):
        rules = [line for line in output.splitlines() if line.startswith("rule ")]
        self.assertGreater(len(rules), LEAST_RULES)
        self.assertEqual([line for line in rules if "NOT " in line or line.endswith("SOMETHING")], [])

    def test_what_it_sees(self):
        """Numbers are those of its form: stop reasons, kinds of instructions, statuses."""
        output = self.older("simulated", "1", WAVETAPE_WORKLOAD=support.TREE.workload("oob-store")).stdout
        self.assertIn("callback enable_notify_shared_library libhsa-runtime64.so.1\n", output)
        self.assertIn("callback disable_notify_shared_library the same\n", output)
        self.assertRegex(output, r"wave \d+: AMD_DBGAPI_STATUS_SUCCESS state 3, AMD_DBGAPI_STATUS_SUCCESS reason 0x4000,")
        self.assertIn("rule wave_resume: a reason that cannot be resumed: "
                      "AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_RESUMABLE\n", output)
        self.assertIn("rule wave_get_info: value_size does not match: "
                      "AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_SIZE\n", output)

    def test_the_journal_is_of_todays_form(self):
        """So that a recorded session of it can be looked at, and replayed, as any other."""
        trace = self.directory / "trace.wtape"
        self.older("record", "0", WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"), WAVETAPE_TRACE=trace,
                   WAVETAPE_DBGAPI=support.TREE.libraries["simulated"])
        functions = {call.get("function") for call in self.json("journal", trace)["entries"]}
        self.assertIn("amd_dbgapi_process_wave_list", functions)
        self.assertNotIn("amd_dbgapi_wave_list", functions)


if __name__ == "__main__":
    support.main(__doc__)
