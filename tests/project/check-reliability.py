# SPDX-License-Identifier: MIT
"""tools/reliability.py: each part of the page is made again of what it is given, and stays as it was where nothing is given.

Usage: check-reliability.py TOOL
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(sys.argv.pop(1)).resolve()
MUTANT = {"file": "recorder/a.c", "line": 1, "text": "a = b + c;", "change": "+ at 6 is -", "made": ""}


class Reliability(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.build, self.page = pathlib.Path(place.name), pathlib.Path(place.name, "page.md")
        (self.build / "meson-logs").mkdir()
        self.log("12 seeds, 0 of them failed")

    def log(self, said):
        run = {"name": "wavetape / simulation", "result": "OK", "stdout": said, "duration": 1, "starttime": 0, "env": {}}
        (self.build / "meson-logs/testlog.json").write_text(json.dumps(run) + "\n", "utf-8")

    def make(self, *options):
        subprocess.run([sys.executable, TOOL, self.build, self.page, *options], check=True, capture_output=True)
        return self.page.read_text("utf-8")

    def given(self, name, text):
        path = self.build / name
        path.write_text(text, "utf-8")
        return path

    def test_parts_are_kept(self):
        results = ("killed by recorder-a", "killed by recorder-b", "survived", "no test runs it", "does not compile")
        mutants = self.given("mutants", "".join(json.dumps({**MUTANT, "result": result}) + "\n" for result in results))
        self.make("--mutants", str(mutants))
        first = self.make("--coverage", str(self.given("coverage", "| `gfx` | 90 % |\n")))
        self.assertIn("| `recorder` | 3 | 2 | 67 % | 1 | 0 | 1 | 1 |", first)
        self.assertIn("## What of the source runs\n\nMeasured on ", first)
        self.log("34 seeds, 0 of them failed")
        again = self.make()
        self.assertIn("| 34 seeds, 0 of them failed |", again)
        self.assertEqual(again, first.replace("12 seeds", "34 seeds"))
        self.assertNotIn("| `gfx` | 90 % |", self.make("--coverage", str(self.given("coverage", "| `gfx` | 91 % |\n"))))


if __name__ == "__main__":
    unittest.main()
