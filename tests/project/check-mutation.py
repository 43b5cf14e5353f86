# SPDX-License-Identifier: MIT
"""tests/mutation/mutate.py asks every unit test of a program, whichever suite its folder puts it in, and no other.

Usage: check-mutation.py FOLDER_OF_IT INTRO_TESTS INTRO_TARGETS
"""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, sys.argv.pop(1))
import mutate  # noqa: E402 pylint: disable=wrong-import-position

TESTS, TARGETS = (json.loads(pathlib.Path(sys.argv.pop(1)).read_text("utf-8")) for _ in range(2))


def test_of(name, suite, command, depends=()):
    return {"name": name, "suite": suite, "cmd": [command], "depends": list(depends)}


class Choice(unittest.TestCase):
    def test_a_suite_says_what_a_test_is(self):
        build = pathlib.Path("/build")
        tests = [test_of("in-none", ["wavetape"], "/build/a"), test_of("in-units", ["wavetape:unit"], "/usr/bin/python3", ["b@exe"]),
                 test_of("whole", ["wavetape:end-to-end"], "/usr/bin/python3", ["b@exe"]), test_of("of-text", ["wavetape"], "/usr/bin/python3")]
        found = {test["name"]: test for test in mutate.tests_of_programs(build, tests, [{"id": "b@exe", "filename": ["/build/b"]}])}
        self.assertEqual({name: (test["is_unit"], test["needed"]) for name, test in found.items()},
                         {"in-none": (True, ["a"]), "in-units": (True, ["b"]), "whole": (False, ["b"])})

    def test_units_of_this_build(self):
        """Programs that are made of tests/unit/ and are tests: of each of its folders there are some, and all are asked."""
        units = {name: pathlib.Path(target["defined_in"]).parent for target in TARGETS for name in target["filename"]
                 if target["type"] == "executable" and "/tests/unit/" in target["defined_in"]}
        wanted = {test["name"]: units[test["cmd"][0]].name for test in TESTS if test["cmd"][0] in units}
        build = pathlib.Path(TARGETS[0]["filename"][0])
        build = next(parent for parent in build.parents if (parent / "meson-info").is_dir())
        asked = {test["name"] for test in mutate.tests_of_programs(build, TESTS, TARGETS) if test["is_unit"]}
        self.assertGreater(len(set(wanted.values())), 5)
        self.assertEqual(sorted(wanted.keys() - asked), [])


if __name__ == "__main__":
    unittest.main()
