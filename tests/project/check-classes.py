#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Where tests run the classes of an end-to-end program that they name, some test names each.

Usage: check-classes.py TESTS, where TESTS is the file in which meson lists the tests of a build.
"""

import ast
import collections
import json
import pathlib
import sys


def classes_of(path):
    """Those of a program that have tests of their own."""
    return {node.name for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.ClassDef)
            and any(isinstance(inner, ast.FunctionDef) and inner.name.startswith("test") for inner in node.body)}


def words_of(command):
    """The program, and the words behind its options, which have a value each; no program where it is none of ours."""
    at = next((number for number, word in enumerate(command) if pathlib.Path(word).name.startswith("check-")), None)
    if at is None or "--build" not in command:
        return None, []
    behind = command[at + 1:]
    while behind and behind[0].startswith("--"):
        behind = behind[2:]
    return pathlib.Path(command[at]).resolve(), behind


def main():
    named = collections.defaultdict(list)
    for test in json.loads(pathlib.Path(sys.argv[1]).read_text("utf-8")):
        program, words = words_of(test["cmd"])
        if program:
            named[program].append({word.split(".")[0] for word in words})
    parted = {program: set().union(*lists) for program, lists in named.items() if all(lists)}
    left_out = [f"{program.name}: no test names {name}" for program, names in sorted(parted.items())
                for name in sorted(classes_of(program) - names)]
    print("\n".join(left_out) or f"{len(parted)} programs, of which each class is named")
    return 1 if left_out or not parted else 0


if __name__ == "__main__":
    sys.exit(main())
