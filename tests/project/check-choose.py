# SPDX-License-Identifier: MIT
"""tools/choose-tests.py and tools/count-tests.py: the parts are all tests, each once, and a test that was chosen and did not run is missed.

Usage: check-choose.py CHOOSE COUNT
"""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHOOSE, COUNT = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
TESTS = [{"name": name, "depends": [f"{name}@exe"], "cmd": [name], "env": {}} for name in ("zoo", "bear", "ant", "cow", "dog", "eel", "fox")]


def choose_module():
    spec = importlib.util.spec_from_file_location("choose_tests", CHOOSE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Choose(unittest.TestCase):
    def test_parts(self):
        """Each test is in one part, where meson starts it; neighbours by name are in different ones."""
        chosen = choose_module().chosen
        parts = [[test["name"] for test in chosen(TESTS, part, 3)] for part in range(3)]
        self.assertEqual(parts, [["zoo", "ant", "dog"], ["bear", "eel"], ["cow", "fox"]])
        self.assertEqual(chosen(TESTS, 0, 1), TESTS)

    def test_rest(self):
        """Each test is in a part or in what it leaves, also where the other build does not have all."""
        module = choose_module()
        others = module.chosen(TESTS[1:], 0, 3)
        self.assertEqual([test["name"] for test in others], ["ant", "dog"])
        self.assertEqual([test["name"] for test in module.rest(TESTS, others)], ["zoo", "bear", "cow", "eel", "fox"])

    def test_files(self):
        """Programs of tests are made where a chosen one needs them, all else that is there or needed by a test always, and nothing on demand."""
        folder = CHOOSE.parent.parent
        build = folder / "build"

        def target(name, place, default=True, kind="executable"):
            return {"type": kind, "id": f"{name}@exe", "filename": [str(build / name)], "defined_in": str(folder / place / "meson.build"), "build_by_default": default}
        named = {**TESTS[3], "env": {"LD_PRELOAD": f"{build}/hook"}, "cmd": ["python3", f"--of={build}/argument"]}
        targets = [target("eel", "tests/kernels", False, "custom"), target("future", "tests/levels", True, "shared library"),
                   target("demand", "tests/kernels", False, "custom"), target("hook", "tests/unit"), target("argument", "tests/unit"), target("product", "cli"), target("fuzz", "cli", False), target("zoo", "tests/unit"), target("bear", "tests/unit"),
                   target("cow", "tests/unit", False)]
        self.assertEqual(choose_module().files(build, targets, TESTS, [TESTS[0], named]),
                         ["argument", "cow", "eel", "future", "hook", "product", "zoo"])


class Count(unittest.TestCase):
    def count(self, chosen, results):
        """The exit code, and what is said, where these were to run and those ended so."""
        with tempfile.TemporaryDirectory() as place:
            logs = pathlib.Path(place, "meson-logs")
            logs.mkdir()
            (logs / "chosen.txt").write_text("".join(f"{name}\n" for name in chosen), "utf-8")
            (logs / "testlog.json").write_text("".join(json.dumps({"name": f"wavetape:unit / {name}", "result": result}) + "\n"
                                                       for name, result in results.items()), "utf-8")
            done = subprocess.run([sys.executable, COUNT, place], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout, done.stderr.replace(place, "BUILD")

    def test_all_ran(self):
        self.assertEqual(self.count(["ant", "bear"], {"bear": "OK", "ant": "SKIP"}), (0, "1 passed, 0 failed, 1 skipped\n", ""))

    def test_failure_is_counted(self):
        """Whoever ran the tests knows of it already."""
        self.assertEqual(self.count(["ant", "bear"], {"bear": "OK", "ant": "TIMEOUT"}), (0, "1 passed, 1 failed, 0 skipped\n", ""))

    def test_missing(self):
        self.assertEqual(self.count(["ant", "bear"], {"bear": "OK"}),
                         (1, "1 passed, 0 failed, 0 skipped\n", "BUILD: ant was to run, and did not\n"))

    def test_none_passed(self):
        self.assertEqual(self.count([], {})[0], 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
