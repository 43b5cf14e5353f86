#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One seed, the whole product: a client debugs a GPU, is recorded while something goes wrong, and the trace is read and replayed.

Usage: simulate.py --source SOURCE --build BUILD [--seeds FIRST:COUNT]
       simulate.py --source SOURCE --build BUILD --seed N [--only FAULT[,FAULT...]] [--keep DIRECTORY]

From the seed come the workload, the client, the library and its habits, what is recorded, and what goes wrong: a call of the
recorder that fails, is interrupted or done by half, a signal, a clock that jumps, another thread that calls or forks, a limit on the size
of files, a slow disk, a kill, and a file that was cut. Whatever it is, these hold:

- the client gets the answers, and ends with the code, that it has without a recorder; what a killed one printed is the beginning
- its standard error has nothing that it would not have had
- a session in which nothing went wrong leaves a whole trace, of all its calls; replayed, it prints the same
- where something went wrong there is a trace, or the fault was that none could be begun; every verb reads it, and ends with a
  code that says what it is; no call in it is replayed with another answer
- a second reader, which shares no code with the first, counts the same
- when the client ends no more descriptors of traces are open than when nothing goes wrong

A seed that fails prints the line that repeats it, with the fewest of its faults that do.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from client.chance import Random  # noqa: E402

# Seconds after which a process hangs, also on a busy machine.
PATIENCE = 120
FILE_LIMIT = 160 << 10  # bytes: less than most of these traces have
# What a policy leaves out: of such a trace no other client is served, and the same one by the calls that are recorded.
POLICIES = (
    "", "", "sync=stop", "sync=none", "sync=every=2", "waves=all", "waves=stopped", "registers=pc:exec:s0-s15", "memory=none", "memory=64K",
    "redact", "no-code", "no-host", "keyframes=1", "keyframes=7", "no-mapping", "no-thread", "no-mapping,no-thread", "max-memory=8M",
    "max-stopped-ms=500", "reproducible", "ring=2", "max-bytes=256K", "hold",
)
# Budgets end a trace in order, and a ring forgets: such traces are whole and have less.
SHORTER = ("ring=2", "max-bytes=256K")
HABITS = ({}, {}, {"STAND_IN_HABITS": "all"}, {"STAND_IN_REFUSES": "attach"}, {"STAND_IN_ROOM": "1"}, {"STAND_IN_CLUSTERS": "1"})
FAULTS = (
    ("error", "memory"), ("error", "file"), ("interrupted", "file"), ("short", "file"), ("kill", "any"), ("kill", "file"), ("fork", "any"), ("thread", "any"),
    ("signal", "any"), ("jump", "any"), ("limit", None), ("slow", None), ("cut", None),
)

# By a recorder that fails it may be in the middle of a line.
LOGGED = re.compile(rb"^log [^\n]*(?:\n|\Z)|log 2: wavetape: [^\n]*\n", re.MULTILINE)


class Broken(Exception):
    """Something that must hold does not."""


class Session:
    """What a seed makes."""

    def __init__(self, tree, seed):
        chance = Random(seed)
        self.seed, self.tree = seed, tree
        self.workload = self.pick(chance, tree.workloads)
        self.policy = self.pick(chance, POLICIES)
        self.habits = self.pick(chance, HABITS)
        self.library = tree.library("stand-in" if self.habits else "simulated")
        stops = 1 + chance.next() % 4
        # A client that looks for older forms of functions finds those of the recorder, where a library with habits has none.
        if self.habits or chance.one_in(3):
            self.command, self.by_path = [tree.build / "tests/end-to-end/session-client", "--stops", stops, "--steps", chance.next() % 4], False
        else:
            self.command, self.by_path = [tree.build / "tests/transparency/ask-all", "--seed", 1 + chance.next() % 1000000, "--stops", stops], True
        self.faults = [self.pick(chance, FAULTS) for _ in range(1 + chance.next() % 2)]
        self.where = [chance.next() for _ in self.faults]
        self.by = [chance.next() for _ in self.faults]

    @staticmethod
    def pick(chance, values):
        return values[chance.next() % len(values)]

    def names(self):
        return [f"{how}-{kind}" if kind else how for how, kind in self.faults]

    def run(self, library, **variables):
        """The client over a library. Return: exit code, standard output and error."""
        words = [self.command[0], library, *self.command[1:]] if self.by_path else self.command
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("WAVETAPE", "STAND_IN", "WT_"))}
        environment |= {"LD_LIBRARY_PATH": str(library.parent), "WAVETAPE_WORKLOAD": str(self.workload), **self.habits}
        if self.habits:
            environment["STAND_IN_OF"] = str(self.tree.library("simulated"))
        limit = variables.pop("limit", None)
        environment |= {name: str(value) for name, value in variables.items()}

        def lower():
            import resource
            import signal
            if limit:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        # Output goes through a pipe: a limit on files is none on it.
        try:
            done = subprocess.run([str(word) for word in words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                                  timeout=PATIENCE, preexec_fn=lower)
        except subprocess.TimeoutExpired:
            raise Broken(f"the client did not end in {PATIENCE} s") from None
        # What the recorder tells by the client's log is no answer of its library.
        return done.returncode, LOGGED.sub(b"", done.stdout), done.stderr

    def record(self, trace, faults, points, report=None):
        """The client with the recorder before its library, and these of the seed's faults (by their numbers)."""
        variables, preload = {}, False
        for i in faults:
            how, kind = self.faults[i]
            if how == "limit":
                variables["limit"] = FILE_LIMIT
            elif how == "slow":
                preload, variables["WT_SLOW_SYNC"] = True, 5
            elif how != "cut":
                # Of two faults that are counted the later one holds.
                preload = True
                variables.pop("WT_FAIL_ALL", None)
                variables |= {"WT_FAIL_HOW": how, "WT_FAIL_KIND": kind, "WT_FAIL_AT": 1 + self.where[i] % max(1, points[kind])}
                if how == "error" and self.by[i] % 2:
                    variables["WT_FAIL_ALL"] = 1
                if how == "jump":
                    variables["WT_FAIL_JUMP"] = (-100000, -1, 1, 100000, 3000000000)[self.by[i] % 5]
        variables["WT_FAIL_LIBRARY"] = self.tree.library("record")
        if report:
            preload = True
            variables = {"WT_FAIL_KIND": "any", "WT_FAIL_AT": 0, **variables, "WT_FAIL_REPORT": report}
        if preload:
            variables["LD_PRELOAD"] = self.tree.faults
        return self.run(self.tree.library("record"), WAVETAPE_TRACE=trace, WAVETAPE_DBGAPI=self.library, WAVETAPE_OPTIONS=self.policy,
                        **variables)

    # ---- What holds ----

    def expect(self, whether, text, *output):
        if not whether:
            shown = "".join(f"\n--- {part[-1500:].decode(errors='replace') if isinstance(part, bytes) else part}" for part in output)
            raise Broken(text + shown)

    def read(self, verb, trace, *words, codes):
        """What a verb prints as JSON; it ends with one of these codes, and says why where it failed."""
        command = [self.tree.command, verb, trace, *words, "--json"]
        try:
            done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise Broken(f"{verb} did not end in {PATIENCE} s") from None
        self.expect(done.returncode in codes, f"{verb} ends with {done.returncode}", done.stdout, done.stderr)
        self.expect(done.returncode != 1 or done.stderr, f"{verb} ends with 1 and says nothing")
        return json.loads(done.stdout) if done.stdout else None

    def second_reader(self, trace, checked):
        """Counts of the reader that shares no code with ours."""
        command = [sys.executable, self.tree.source / "tests/second-reader/read-trace.py", "--proto", self.tree.proto, trace]
        done = subprocess.run([str(word) for word in command], capture_output=True, check=False, timeout=PATIENCE)
        self.expect(done.returncode in (0, 3), f"the second reader ends with {done.returncode}", done.stdout, done.stderr)
        self.expect((done.returncode == 0) == checked["whole"], f"the second reader ends with {done.returncode}, `check` says {checked['whole']}")

    def check_whole(self, directory, plain):
        """Nothing goes wrong. Return: how many calls there are at which something can, by kind."""
        trace, report, points = directory / "whole.wtape", directory / "report", {}
        code, output, errors = self.record(trace, (), {}, report)
        self.expect((code, output, errors) == plain, "recorded, the client ends otherwise", output, errors)
        points["any"], points["memory"], points["file"], points["open"] = map(int, report.read_text().split())
        checked = self.read("check", trace, codes=(0,))
        self.expect(checked["closed"] and not checked["loss"], f"of the whole trace `check` says {checked}")
        verified = self.read("verify", trace, codes=(0, 3))
        self.expect(verified["differences"]["count"] == 0, f"replayed in step, it differs: {verified['differences']}")
        if self.policy not in SHORTER:
            compared = verified["calls"] + verified["redacted"]
            self.expect(compared == checked["calls"]["count"], f"{compared} of {checked['calls']['count']} calls were compared")
            if self.policy != "redact" and "registers" not in self.policy and "memory=" not in self.policy and self.policy != "no-code":
                replayed = self.run(self.tree.library("replay"), WAVETAPE_TRACE=trace)
                self.expect(replayed == plain, "replayed, the client ends otherwise", replayed[1], replayed[2])
        if self.seed % 8 == 0:
            self.second_reader(trace, checked)
        return points

    def check_faults(self, directory, plain, points, faults):
        trace = directory / "fault.wtape"
        trace.unlink(missing_ok=True)
        hows = {self.faults[i][0] for i in faults}
        report = directory / "report"
        report.unlink(missing_ok=True)
        code, output, errors = self.record(trace, faults, points, report)
        if code == -9 and "kill" in hows:
            self.expect(plain[1].startswith(output), "what the killed client printed is not the beginning", output)
        else:
            self.expect((code, output, errors) == plain, f"recorded, the client ends with {code} and otherwise", output, errors)
            self.expect(report.exists(), "no report was written: a child of the client did not end")
            left = int(report.read_text().split()[3])
            self.expect(left <= points["open"], f"{left} descriptors of traces are open at the end, and {points['open']} if nothing goes wrong")
        if not trace.exists() or not trace.stat().st_size:
            self.expect(hows & {"error", "kill", "interrupted"}, "there is no trace")
            return
        if "cut" in hows:
            size = trace.stat().st_size
            os.truncate(trace, self.where[self.faults.index(("cut", None))] % size)
        checked = self.read("check", trace, codes=(0, 1, 3))
        if checked is None or "whole" not in checked:
            self.expect(hows & {"error", "kill", "cut", "interrupted", "limit"}, f"`check` refuses the trace: {checked}")
            return
        if not hows & {"error", "kill", "cut", "limit", "interrupted"}:
            self.expect(checked["whole"] and not checked["loss"], f"nothing that costs anything went wrong, and `check` says {checked}")
        verified = self.read("verify", trace, codes=(0, 1, 3))
        if verified and "differences" in verified:
            self.expect(verified["differences"]["count"] == 0, f"replayed in step, it differs: {verified['differences']}")
        self.read("info", trace, codes=(0, 1, 3))
        self.read("stops", trace, codes=(0, 1, 3))
        if self.seed % 8 == 1 and "cut" not in hows:
            self.second_reader(trace, checked)

    def check(self, directory, only=None):
        plain = self.run(self.library)
        self.expect(plain[0] in (0, 1), f"without a recorder the client ends with {plain[0]}", plain[2])
        points = self.check_whole(directory, plain)
        numbers = [i for i, name in enumerate(self.names()) if only is None or name in only]
        if numbers:
            self.check_faults(directory, plain, points, numbers)


class Tree:
    """Paths of the source and the build directory."""

    def __init__(self, source, build):
        self.source, self.build = source, build
        self.command = build / "cli/wavetape"
        self.faults = build / "tests/end-to-end/libfail-nth.so"
        self.proto = build / "tests/second-reader"
        # Those that take a second and more say nothing that the others do not.
        self.workloads = [path for path in sorted((build / "tests/kernels").glob("*.json")) if path.stat().st_size < 4096]

    def library(self, name):
        folder = {"simulated": "dbgapi", "record": "recorder", "replay": "replayer", "stand-in": "tests/habits"}[name]
        return self.build / folder / "librocm-dbgapi.so.0"


def find_fewest(session, directory, names):
    """Of two faults the one that does it alone, if one does."""
    for name in [[]] + [[name] for name in names]:
        try:
            session.check(directory, name)
        except Broken as broken:
            return name, broken
    return names, None


def run_seed(tree, seed, only=None, keep=None):
    """None, or what does not hold and how it is repeated."""
    session = Session(tree, seed)
    with tempfile.TemporaryDirectory(prefix="wavetape-simulate-") as temporary:
        directory = pathlib.Path(keep or temporary)
        try:
            session.check(directory, only)
            return None
        except Broken as broken:
            names, fewer = only or session.names(), None
            if only is None:
                names, fewer = find_fewest(session, directory, names)
            what = " ".join(str(word) for word in session.command).replace(str(tree.build), "BUILD")
            return (f"simulate.py --source {tree.source} --build {tree.build} --seed {seed} --only {','.join(names) or 'nothing'}\n"
                    f"  {what}, {session.workload.stem}, options \"{session.policy}\", {session.habits or 'our library'}\n  {fewer or broken}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--seeds", default="1:200", help="FIRST:COUNT")
    parser.add_argument("--seed", type=int, help="this one alone")
    parser.add_argument("--only", help="these of its faults, with commas; `nothing`: none")
    parser.add_argument("--keep", help="a directory, in which the traces stay")
    options = parser.parse_args()
    tree = Tree(options.source.resolve(), options.build.resolve())
    if options.seed is not None:
        only = [] if options.only == "nothing" else options.only.split(",") if options.only else None
        problem = run_seed(tree, options.seed, only, options.keep)
        print(problem or "all holds")
        return 1 if problem else 0
    first, count = (int(word) for word in options.seeds.split(":"))
    if os.environ.get("WAVETAPE_LONG") == "1":
        count *= 100
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        for problem in threads.map(lambda seed: run_seed(tree, seed), range(first, first + count)):
            if problem:
                failed += 1
                print(problem, flush=True)
    print(f"{count} seeds, {failed} of them failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
