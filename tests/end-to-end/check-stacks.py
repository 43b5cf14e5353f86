# SPDX-License-Identifier: MIT
"""Stacks of HIP programs as people compile and launch them: a plain `hipcc -g` at -O0 and -O2, the agent in the program. Each stack ends in
the kernel, and no frame is missing but of functions that optimised code left by jumping to another one.

Started as `check-stacks.py --source DIRECTORY --build DIRECTORY [TEST...]`; the programs are in tests/driver of the build.
"""

import json
import subprocess

import support
from support import Case

PATIENCE = 240
# Kernels, and who called whom, the innermost first.
CALLS = {
    "chain": ["fails", "middle"],
    "recursion": ["fails", *["sinks"] * 49],
    "pointer": ["fails", "left"],
    "tail": ["fails", "jumps"],
    "lambda": ["fails", "operator()", "applies"],
    "prints": ["fails", "says"],
    "asserted": ["__assert_fail", "asserts", "checks"],
}
# Functions that optimised code leaves by jumping to the next one.
LEFT = {"tail": ["fails"], "lambda": ["fails"]}


class Stacks(Case):
    def setUp(self):
        super().setUp()
        self.skip_with_sanitizer()

    def frames(self, level, kernel):
        trace = self.directory / f"{kernel}{level}.wtape"
        environment = support.environment(WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], HSA_ENABLE_DEBUG="1",
                                          HSA_TOOLS_LIB=str(support.TREE.agent), WAVETAPE_AGENT=f"output={trace},quiet")
        done = subprocess.run([support.TREE.command, "device", "--", support.TREE.build / f"tests/driver/stacks{level}", kernel], capture_output=True,
                              timeout=PATIENCE, check=False, env=environment, stdin=subprocess.DEVNULL)
        self.assertTrue(trace.exists(), (level, kernel, done.returncode, done.stderr[-300:]))
        said = json.loads(self.wavetape("backtrace", trace, "--json"))
        return [frame["function"].split("<")[0] for frame in said["frames"]], said["outermost_known"]

    def test_calls(self):
        for number, (kernel, calls) in enumerate(CALLS.items()):
            for level, left in support.by_turn(number, (("-O0", {}), ("-O2", LEFT))):
                with self.subTest(kernel=kernel, level=level):
                    self.assertEqual(self.frames(level, kernel), ([*left.get(kernel, calls), kernel], None))


if __name__ == "__main__":
    support.main(__doc__)
