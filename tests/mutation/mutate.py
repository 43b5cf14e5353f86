#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the tests bite? Change one thing in the source, run the unit tests of its folder, and see whether one fails.

Usage: mutate.py --place DIRECTORY [--count N] [--seed N] [--made BUILD] [--tests PREFIX]... [--end-to-end SECONDS] [--again] FOLDER...

A mutant is a copy of the tree in which one operator is another one, a number is one more, a condition is always or never
true, or a statement is left out. DIRECTORY keeps the copy, its build and `mutants.jsonl` with a line a mutant; a run goes on
behind what is there, so that many short ones are as good as a long one. With --again those that survived are tried once more, where
tests have come. Tests are the unit tests, all that are in no other suite, that run what is made of the changed file: first those whose names
begin with FOLDER, and with each PREFIX, then those of the folders above; with --end-to-end also tests of the other suites that take no longer
than so many seconds, where a share is tried. A mutant of a file that none of these runs has not survived them: it is counted apart, as one without a test, and so is
one that does not compile. What survives wants a test, or is the same program in other words: whoever reads it enters which in
`tests/mutation/equal.txt`, a line `FILE: LINE'S TEXT: CHANGE`.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
# What a test ends with that is not for this machine.
SKIPPED = 77
# A source as the compiler names it in what it makes.
SOURCE_NAME = re.compile(rb"\.\./([\w/-]+\.c)\0")
EQUAL = pathlib.Path(__file__).with_name("equal.txt")
# What stands for what. Operators are looked for with blanks around them, as the format of the source has them.
SWAPS = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&", "+": "-", "-": "+", "<<": ">>",
         ">>": "<<", "&": "|", "|": "&", "*": "/", "/": "*", "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|="}
OPERATOR = re.compile(r"(?<= )(" + "|".join(re.escape(text) for text in sorted(SWAPS, key=len, reverse=True)) + r")(?= )")
NUMBER = re.compile(r"(?<![\w.\"'])(\d+)(?![\w.\"'])")
CONDITION = re.compile(r"^(\s*(?:\} else )?if \()(.*)(\)(?: \{)?)$")
# A whole statement on a line of its own that declares nothing and leads nowhere else: a call or an assignment.
STATEMENT = re.compile(r"^\t+(?!return\b|break\b|continue\b|goto\b|case\b|default\b|const\b|static\b|struct\b|enum\b|union\b|u?int|char\b|"
                       r"bool\b|size_t\b|__)[A-Za-z_*(][^;{}]*(?:\(|[-+|&^]?=|\+\+|--)[^;{}]*;$")


def code_lines(text):
    """Line numbers and lines of functions' bodies, without comments and what is for the preprocessor."""
    inside = False
    for number, line in enumerate(text.split("\n")):
        was, inside = inside, inside and "*/" not in line
        if not was and "/*" in line:
            inside = "*/" not in line[line.index("/*"):]
        if line.startswith("\t") and not was and "/*" not in line and not line.lstrip().startswith("*"):
            yield number, line


def line_mutants(line):
    """All changes of a line: what is said of each, and the line it makes."""
    quoted = [(found.start(), found.end()) for found in re.finditer(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', line)]

    def is_code(found):
        return not any(start <= found.start() < end for start, end in quoted)

    for found in filter(is_code, OPERATOR.finditer(line)):
        other = SWAPS[found[1]]
        # A pointer that is declared is no product.
        if found[1] != "*":
            yield f"{found[1]} at {found.start()} is {other}", line[:found.start()] + other + line[found.end():]
    for found in filter(is_code, NUMBER.finditer(line)):
        yield f"{found[1]} at {found.start()} is one more", line[:found.start()] + str(int(found[1]) + 1) + line[found.end():]
    condition = CONDITION.match(line)
    if condition:
        for value in "01":
            yield f"the condition is {value}", f"{condition[1]}{value} {'&&' if value == '0' else '||'} ({condition[2]}){condition[3]}"
    if STATEMENT.match(line):
        yield "the statement is left out", ";"


def all_mutants(folder):
    for path in sorted((SOURCE / folder).rglob("*.c")):
        name = str(path.relative_to(SOURCE))
        for number, line in code_lines(path.read_text("utf-8")):
            for change, made in line_mutants(line):
                yield {"file": name, "line": number + 1, "text": line.strip(), "change": change, "made": made}


def is_unit(test):
    """A test that is in a suite beside the project's is of that kind alone; units of some folders are in the suite of units, of others in none."""
    return all(suite.partition(":")[2] in ("", "unit") for suite in test["suite"])


def tests_of_programs(build, tests, targets):
    """The tests that run something that the build makes, each with the files that it needs."""
    made = {target["id"]: target["filename"] for target in targets}
    for test in tests:
        needed = {name for target in test["depends"] for name in made.get(target, ())} | {test["cmd"][0]}
        test["needed"] = sorted(str(pathlib.Path(name).relative_to(build)) for name in needed if pathlib.Path(name).is_relative_to(build))
        test["is_unit"] = is_unit(test)
        if test["needed"]:
            yield test


class Place:
    """The copy that is changed, and its build."""

    def __init__(self, place, made, folders, prefixes, longest):
        # The build lies in its tree as people have it: a cache of compilers knows most of it.
        self.tree, self.build = place / "tree", place / "tree/build"
        self.log = place / "mutants.jsonl"
        if not self.tree.exists():
            place.mkdir(parents=True, exist_ok=True)
            subprocess.run(["git", "clone", "-q", "--shared", SOURCE, self.tree], check=True)
            subprocess.run(["meson", "setup", self.build, self.tree, "-Dwerror=false",
                            f"-Dmade={made}"], check=True, stdout=subprocess.DEVNULL)
        there = subprocess.run(["git", "-C", self.tree, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
        if subprocess.run(["git", "-C", SOURCE, "diff", "--quiet", there, "--", *folders, "tests/unit"], check=False).returncode:
            sys.exit(f"{self.tree} is a copy of other sources or tests than {SOURCE} has: check its commit out there, or remove {place}")
        self.longest = longest
        self.find_tests(folders, prefixes)
        # What kills one mutant of a room kills others: each room has its order.
        self.orders = {}

    def introspect(self, what):
        return json.loads(subprocess.run(["meson", "introspect", f"--{what}", self.build], check=True, capture_output=True).stdout)

    def find_tests(self, folders, prefixes):
        """The tests of each folder, and the files that each of them needs."""
        self.all = [test for test in tests_of_programs(self.build, self.introspect("tests"), self.introspect("targets")) if test["is_unit"] or self.longest]
        self.own = {folder: {test["name"] for test in self.all if test["name"].startswith(tuple(f"{word}-" for word in (folder, *prefixes)))}
                    for folder in folders}

    def compile(self, test):
        return subprocess.run(["ninja", "-C", self.build, *test["needed"]], capture_output=True, check=False).returncode == 0

    def run(self, test, seconds):
        # The short suite: of long rows of cases a share.
        environment = {**os.environ, "WAVETAPE_SHARE": "12", **test["env"]}
        try:
            return subprocess.run(test["cmd"], env=environment, cwd=test["workdir"] or self.build, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                                  timeout=seconds).returncode in (0, SKIPPED)
        except subprocess.TimeoutExpired:
            return False

    def measure(self):
        """Nothing is changed: all pass, and take so long. Those of other suites that take longer than they may are left out, and those that run nothing of
        the folders."""
        for test in list(self.all):
            if not self.compile(test):
                sys.exit(f"{test['name']} does not build")
            # The compiler writes the name of each source into what it makes: a test that has nothing of a file says nothing of it.
            made = (path for path in map(self.build.__truediv__, test["needed"]) if path.is_file())
            test["sources"] = {name.decode() for path in made for name in SOURCE_NAME.findall(path.read_bytes())}
            if not any(name.startswith(tuple(f"{folder}/" for folder in self.own)) for name in test["sources"]):
                self.all.remove(test)
                continue
            start = time.monotonic()
            passes = self.run(test, 600 if test["is_unit"] else self.longest)
            test["seconds"] = time.monotonic() - start
            if not test["is_unit"] and test["seconds"] >= self.longest:
                self.all.remove(test)
                continue
            if not passes:
                sys.exit(f"{test['name']} fails where nothing is changed")
        self.all.sort(key=lambda test: test["seconds"])
        # Those of the folder first: what lies above it is made of it, too.
        self.tests = {folder: sorted(self.all, key=lambda test: (not test["is_unit"], test["name"] not in own)) for folder, own in self.own.items()}

    def try_mutant(self, mutant):
        path = self.tree / mutant["file"]
        text = path.read_text("utf-8")
        lines = text.split("\n")
        if lines[mutant["line"] - 1].strip() != mutant["text"]:
            return "is of another version of its file"
        lines[mutant["line"] - 1] = mutant["made"]
        room = str(pathlib.Path(mutant["file"]).parent)
        order = self.orders.setdefault(room, list(self.tests[room.split("/", maxsplit=1)[0]]))
        path.write_text("\n".join(lines), "utf-8")
        try:
            reaching = [test for test in order if mutant["file"] in test["sources"]]
            if not reaching:
                return "no test runs it"
            for test in reaching:
                # One by one: most are killed by the first.
                if not self.compile(test):
                    return "does not compile"
                if not self.run(test, 10 + 10 * test["seconds"]):
                    order.remove(test)
                    order.insert(0, test)
                    return f"killed by {test['name']}"
            return "survived"
        finally:
            path.write_text(text, "utf-8")


def known_equal():
    return set(EQUAL.read_text("utf-8").splitlines()) if EQUAL.exists() else set()


def count(lines):
    """How many of each folder were killed, survived, are equal, have no test, or do not compile."""
    counts = collections.defaultdict(collections.Counter)
    equal = known_equal()
    for mutant in lines:
        word = mutant["result"].split(" ")[0]
        if word == "survived" and f"{mutant['file']}: {mutant['text']}: {mutant['change']}" in equal:
            word = "equal"
        counts[mutant["file"].split("/")[0]][word] += 1
    return counts


def report(lines):
    for folder, found in sorted(count(lines).items()):
        tried = found["killed"] + found["survived"]
        share = f"{100 * found['killed'] / tried:.1f} %" if tried else "none"
        print(f"{folder}: {tried} mutants, {found['killed']} killed ({share}), {found['survived']} survived, {found['equal']} equal, "
              f"{found['no']} without a test, {found['does']} do not compile")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--place", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=100, help="how many are to be tried in all, with those of earlier runs (100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--made", type=pathlib.Path, default=SOURCE / "build", help="a build, whose code objects for the GPU are taken")
    parser.add_argument("--tests", action="append", default=[], metavar="PREFIX")
    parser.add_argument("--end-to-end", type=float, default=0, metavar="SECONDS", help="try tests of other suites, too, that take no longer")
    parser.add_argument("--again", action="store_true", help="try those that survived once more")
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    options = parser.parse_args()
    mutants = [mutant for folder in options.folders for mutant in all_mutants(folder)]
    random.Random(options.seed).shuffle(mutants)
    place = Place(options.place.resolve(), options.made.resolve(), [folder.split("/")[0] for folder in options.folders], options.tests, options.end_to_end)
    done = [json.loads(line) for line in place.log.read_text("utf-8").splitlines()] if place.log.exists() else []
    seen = {(mutant["file"], mutant["line"], mutant["change"]) for mutant in done}
    place.measure()
    if options.again:
        for mutant in done:
            if mutant["result"] in ("survived", "no test runs it"):
                mutant["result"] = place.try_mutant(mutant)
                place.log.write_text("".join(json.dumps(line) + "\n" for line in done), "utf-8")
                print(f"{mutant['file']}:{mutant['line']}: {mutant['text']}: {mutant['change']}: {mutant['result']}", flush=True)
    with place.log.open("a", encoding="utf-8") as log:
        for mutant in mutants:
            if len(done) >= options.count:
                break
            if (mutant["file"], mutant["line"], mutant["change"]) in seen:
                continue
            mutant["result"] = place.try_mutant(mutant)
            done.append(mutant)
            print(json.dumps(mutant), file=log, flush=True)
            if mutant["result"] == "survived":
                print(f"{mutant['file']}:{mutant['line']}: {mutant['text']}: {mutant['change']}", flush=True)
    report(done)


if __name__ == "__main__":
    main()
