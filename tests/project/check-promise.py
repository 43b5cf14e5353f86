#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each sentence of docs/promise.md names tests that hold it, and each of them is there.

Usage: check-promise.py PAGE TESTS, where TESTS is the file in which meson lists the tests of a build.
"""

import json
import pathlib
import re
import sys

HELD = re.compile(r" \(tests: ([a-z0-9, -]+)\)\Z")
# Nothing is promised there, so nothing holds it.
FREE = "What is not promised"


def problems_of(page, names):
    """(problems, how many sentences are held) of the text of the page."""
    problems, held = [], 0
    for section in re.split(r"(?m)^## ", page)[1:]:
        title, _, text = section.partition("\n")
        for sentence in re.findall(r"(?m)^- (.*)$", text):
            match = HELD.search(sentence)
            if title == FREE:
                problems += [f"{title}: {sentence}: is held by tests, so it is promised"] if match else []
                continue
            if not match:
                problems.append(f"{title}: {sentence}: names no test that holds it")
                continue
            held += 1
            problems += [f"{title}: there is no test {name}" for name in match[1].split(", ") if name not in names]
    return problems, held


def left_out(source, names):
    """Tests that a build has only where there is HIP, or a static library of each kind: their names stand in the files of meson, quoted."""
    files = [path.read_text("utf-8") for path in (source / "tests").rglob("meson.build")]
    return {name for file in files for name in re.findall(r"'([a-z0-9-]+)'", file)} - names


def main(page_path, tests_path):
    page = pathlib.Path(page_path).read_text("utf-8")
    names = {test["name"] for test in json.loads(pathlib.Path(tests_path).read_text("utf-8"))}
    names |= left_out(pathlib.Path(page_path).parents[1], names)
    problems, held = problems_of(page, names)
    print(*problems, f"{held} sentences are held", sep="\n")
    # A check that finds nothing in what is wrong proves nothing.
    assert held and len(problems_of(page.replace("(tests: golden)", "(tests: silver)"), names)[0]) == len(problems) + 1
    assert len(problems_of(page.replace(" (tests: golden)", ""), names)[0]) == len(problems) + 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
