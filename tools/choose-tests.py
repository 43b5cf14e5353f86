#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Choose the tests of a meson build directory that have their turn: choose-tests.py BUILD [PART/PARTS] [--targets] [--rest-of OTHER]

Of all tests, sorted by name, one in PARTS, beginning with that of number PART; all without it. Their names are printed in the order in which
meson starts them. With --targets what is printed instead is the files that ninja has to make: all but programs of other tests. With --rest-of
the tests are all but those that this part has in another build directory, OTHER.
"""

import argparse
import json
import pathlib
import subprocess
import sys


def introspect(build, what):
    """What meson says of the tests, or of the targets, of a build directory."""
    return json.loads(subprocess.run(["meson", "introspect", f"--{what}", build], stdout=subprocess.PIPE, text=True, check=True).stdout)


def chosen(tests, part, parts):
    """The tests of a part, in the order in which they were given."""
    names = set(sorted(test["name"] for test in tests)[part::parts])
    return [test for test in tests if test["name"] in names]


def rest(tests, others):
    """The tests that are not among these others, by name, in the order in which they were given."""
    names = {test["name"] for test in others}
    return [test for test in tests if test["name"] not in names]


def files(build, targets, all_tests, tests):
    """The files of a build without the programs of tests that are not needed by these. Kernels, and libraries that are loaded, are made always:
    a test may take them from the build and name none."""
    needed = {target for test in tests for target in test["depends"]}
    wanted = {target for test in all_tests for target in test["depends"]}
    words = "\n".join(word for test in tests for word in (*test["cmd"], *test["env"].values()))
    needed |= {target["id"] for target in targets if any(file in words for file in target["filename"])}
    source = pathlib.Path(__file__).resolve().parents[1] / "tests"

    def is_made(target):
        if target["id"] in needed:
            return True
        is_program = target["type"] in ("executable", "static library") and pathlib.Path(target["defined_in"]).is_relative_to(source)
        return not is_program and (target["build_by_default"] or target["id"] in wanted)

    return sorted({str(pathlib.Path(file).relative_to(build)) for target in targets if is_made(target) for file in target["filename"]})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("part", nargs="?", default="0/1", help="PART/PARTS")
    parser.add_argument("--targets", action="store_true")
    parser.add_argument("--rest-of", type=pathlib.Path)
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    all_tests = introspect(options.build, "tests")
    tests = rest(all_tests, chosen(introspect(options.rest_of, "tests"), part, parts)) if options.rest_of else chosen(all_tests, part, parts)
    if not tests:
        sys.exit(f"choose-tests: {options.build}: no test has turn {options.part}")
    print("\n".join(files(options.build.resolve(), introspect(options.build, "targets"), all_tests, tests) if options.targets else
                    [test["name"] for test in tests]))


if __name__ == "__main__":
    main()
