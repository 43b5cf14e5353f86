#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write docs/reliability.md of what the tests of a build have printed: no figure comes into it by hand.

Usage: tools/reliability.py BUILD PAGE [--at COMMIT] [--mutants FILE] [--coverage FILE] [--more FILE]...

BUILD's log of tests (meson-logs/testlog.json) has what each test tried and how it ended: the line that begins with `proof: `, and
counts of seeds, inputs, conformance and crowds. FILE of --mutants is what tests/mutation/mutate.py keeps; of --coverage, what
tools/coverage.sh prints; of --more, another log of tests, of which counts the last run of a test. `./check --long` runs it at its end.
PAGE is made again in sections: one for which nothing is given stays as it was, with the day and the commit of its figures.
"""

import argparse
import collections
import json
import pathlib
import platform
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/mutation"))
import mutate  # noqa: E402

# Lines of a test that say what it tried.
SAID = re.compile(r"(?m)^[.s]*(?:proof: (.*)|(\d+ seeds, \d+ of them failed|\d+ inputs, \d+ odd ones, and what was made of them|"
                  r"\d+ calls failed: .*|\d+ of \d+ vectors, .*|\d+ flips|(?:live|replay): \d+ ok, \d+ not ok, \d+ skipped|verified: .*|"
                  r"\d+ answers over cores .*))$")
MUTANTS, COVERAGE = "Do the tests bite?", "What of the source runs"
HEAD = """# How it was tried

`tools/reliability.py` made this page of what the tests of one build printed, and nothing in it is from memory: what is not here was not
measured on the machine that it names. `./check --long` makes the table of tests again; mutants and coverage are as old as they say. [promise.md](promise.md) says which promise each test holds. A test that
tried a share of its cases, as it does every day, says so; `long` are those that tried all of them.
"""


def machine():
    """The processor and the memory that the tests ran on."""
    info = pathlib.Path("/proc/cpuinfo").read_text("utf-8")
    name = re.search(r"(?m)^model name\s*: (.*)$", info)
    cores = len(re.findall(r"(?m)^processor\s*:", info))
    kib = int(re.search(r"(?m)^MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text("utf-8"))[1])
    return f"{cores} cores of {name[1] if name else platform.machine()}, {kib >> 20} GiB"


def commit(source, at):
    """What was built, and whether what is there now differs from it."""
    def git(*words):
        return subprocess.run(["git", "-C", source, *words], capture_output=True, text=True, check=False)
    found = git("rev-parse", "--short=12", "--verify", f"{at}^{{commit}}")
    if found.returncode:
        sys.exit(f"reliability.py: {found.stderr.strip()}")
    # Pages are not tried.
    changed = git("diff", "--quiet", at, "--", ".", ":!*.md").returncode
    return found.stdout.strip() + (", with changes" if changed else "")


def results(paths):
    """The last run of each test in some logs."""
    last = {}
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            run = json.loads(line)
            last[run["name"].rpartition(" / ")[2]] = run
    return last


def form(run):
    """How much of its cases a run has tried."""
    if run["env"].get("WAVETAPE_LONG") == "1":
        return "long"
    share = run["env"].get("WAVETAPE_SHARE", "1")
    return "short" if share == "1" else f"short, 1 in {share}"


def said(run):
    """What a test says that it tried."""
    text = (run.get("stdout") or "") + "\n" + (run.get("stderr") or "")
    found = (first or second for first, second in SAID.findall(text))
    return list(collections.OrderedDict.fromkeys(found))


def test_rows(runs):
    for name, run in sorted(runs.items()):
        lines = said(run)
        if not lines or run["result"] not in ("OK", "FAIL", "TIMEOUT"):
            continue
        day = time.strftime("%Y-%m-%d", time.gmtime(run["starttime"]))
        what = "; ".join(line.replace("|", "\\|") for line in lines)
        yield f"| `{name}` | {what} | {'held' if run['result'] == 'OK' else run['result'].lower()} | {form(run)} | {run['duration']:.0f} | {day} |"


def whole_row(runs):
    """All tests of the logs, by how they ended."""
    counts = collections.Counter(run["result"] for run in runs.values())
    words = {"OK": "passed", "FAIL": "failed", "SKIP": "skipped by themselves", "TIMEOUT": "took too long"}
    ended = ", ".join(f"{counts[word]} {text}" for word, text in words.items() if counts[word])
    failed = sorted(name for name, run in runs.items() if run["result"] not in ("OK", "SKIP"))
    ended += f" ({', '.join(f'`{name}`' for name in failed)})" if failed else ""
    return f"{len(runs)} tests of this build ran: {ended}; {sum(run['duration'] for run in runs.values()) / 60:.0f} minutes, if one ran after the other.\n"


def mutant_rows(path):
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for folder, count in sorted(mutate.count(lines).items()):
        tried = count["killed"] + count["survived"]
        share = f"{100 * count['killed'] / tried:.0f} %" if tried else ""
        yield f"| `{folder}` | {tried} | {count['killed']} | {share} | {count['survived']} | {count['equal']} | {count['no']} | {count['does']} |"


def sections(page):
    """Of a page that was made before, by their headings, in its order."""
    text = page.read_text("utf-8") if page.exists() else ""
    parts = re.split(r"(?m)^(?=## )", text)[1:]
    return {part.split("\n", maxsplit=1)[0].removeprefix("## "): part.split("\n", maxsplit=1)[1].strip("\n") + "\n" for part in parts}


def measured(path, source, at):
    """A line that says of when figures are."""
    day = time.strftime("%Y-%m-%d", time.gmtime(path.stat().st_mtime))
    return f"Measured on {day}, commit {commit(source, at)}, {machine()}.\n\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--at", default="HEAD", metavar="COMMIT", help="that was built, where another one was checked out since")
    parser.add_argument("--mutants", type=pathlib.Path)
    parser.add_argument("--coverage", type=pathlib.Path)
    parser.add_argument("--more", type=pathlib.Path, action="append", default=[])
    options = parser.parse_args()
    source = pathlib.Path(__file__).resolve().parents[1]
    runs = results([options.build / "meson-logs/testlog.json", *options.more])
    rows = list(test_rows(runs))
    if not rows:
        sys.exit(f"reliability.py: no test in {options.build} says what it tried: run `meson test` there first")
    parts = [HEAD, f"Commit {commit(source, options.at)}, {machine()}.\n", whole_row(runs),
             "| test | what was tried | result | form | seconds | day |\n|---|---|---|---|---|---|\n" + "\n".join(rows) + "\n"]
    kept = sections(options.page)
    if options.mutants:
        kept[MUTANTS] = (measured(options.mutants, source, options.at) +
                         "One operator, number, condition or statement of the source changed, a sample that a seed draws, each against the unit tests that\n"
                         "run what is made of the changed file (`tests/mutation/mutate.py`). What survives there may still fail an end-to-end test.\n\n"
                         "| folder | mutants | killed | share | survived | equal | without a unit test | do not compile |\n|---|---|---|---|---|---|---|---|\n"
                         + "\n".join(mutant_rows(options.mutants)) + "\n")
    if options.coverage:
        kept[COVERAGE] = (measured(options.coverage, source, options.at) + "Under the unit tests of that folder alone (`tools/coverage.sh`).\n\n"
                          + options.coverage.read_text("utf-8"))
    parts += [f"## {heading}\n\n{text}" for heading, text in kept.items()]
    options.page.write_text("\n".join(parts), "utf-8")
    print(f"{options.page}: {len(rows)} rows")


if __name__ == "__main__":
    main()
