#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One seed, the whole product: a client debugs a GPU, is recorded while something goes wrong, and the trace is read and replayed.

Usage: simulate.py --source SOURCE --build BUILD [--seeds FIRST:COUNT]
       simulate.py --source SOURCE --build BUILD --seed N [--only FAULT[,FAULT...]] [--keep DIRECTORY]

From the seed come the workload and the client, or a HIP program with the agent in it, over AMD's runtime and the simulated GPU's driver (where
this build has them); the library and its habits, what is recorded, and what goes wrong: a call of the recorder that fails, is interrupted
or done by half, a signal, a clock that jumps, another thread that calls or forks, a limit on the size of files, a slow disk, a kill, a file
that was cut, a library that answers late, wrong or never, and a driver that fails a debugger's call. Whatever it is, these hold:

- the client gets the answers, and ends with the code, that it has without a recorder; what a killed one printed is the beginning
- its standard error has nothing that it would not have had; a program's has lines of the agent besides, which begin with its name
- a session in which nothing went wrong leaves a whole trace, of all its calls; replayed, it prints the same
- where something went wrong there is a trace, or the fault was that none could be begun; every verb reads it, and ends with a
  code that says what it is; no call in it is replayed with another answer
- a second reader, which shares no code with the first, counts the same
- when the client ends no more descriptors of traces are open than when nothing goes wrong

A seed that fails prints the line that repeats it, with the fewest of its faults that do.
"""
import argparse
import concurrent.futures
import errno
import json
import os
import pathlib
import re
import struct
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
    ("signal", "any"), ("jump", "any"), ("limit", None), ("slow", None), ("cut", None), ("late", "library"), ("fatal", "library"), ("odd", "library"),
    ("nothing", "library"), ("never", "library"),
)
# So many calls that only a client makes has a short session; one that is later than the last does not fail.
CLIENT_CALLS = 24
# Files of the device have sizes, too, and the agent's recorder is no library that another thread could call.
PROGRAM_FAULTS = (
    ("error", "memory"), ("error", "file"), ("interrupted", "file"), ("short", "file"), ("kill", "any"), ("kill", "file"), ("fork", "any"), ("signal", "any"),
    ("jump", "any"), ("slow", None), ("cut", None), ("late", "library"), ("fatal", "library"), ("odd", "library"), ("nothing", "library"),
    ("error", "driver"), ("interrupted", "driver"), ("error", "driver"),
)
# Of tests/driver/programs.hip: one that ends well, and those that fault.
PROGRAMS = ("vectors", "traps", "bad-address", "illegal-instruction", "asserts", "forks")
# What cannot be put beside `device`: it has its own name of the trace and ends with its program.
PROGRAM_POLICIES = ("", "", "sync=none", "waves=all", "registers=pc:exec:s0-s15", "memory=none", "memory=64K", "redact", "no-code", "no-host",
                    "no-mapping", "no-thread", "max-memory=8M", "max-stopped-ms=500")
AGENT_WORDS = ("", "", ",precise=try", ",hang-after=60s")
# What a driver may answer.
ERRORS = (errno.EIO, errno.EINVAL, errno.EBUSY, errno.ENOMEM, errno.EPERM, errno.ESRCH, errno.ENODEV)
# And what it may answer from one call on to each. The others say that there is no debugger, whom it could let go.
FOR_EVER = (errno.EIO, errno.EBUSY, errno.ENOMEM, errno.ENODEV)
# The agent's line of a program that it has ended for such a driver.
STANDS = b"wavetape: the program stands, and the driver lets nobody tell its runtime why: it is ended by SIGABRT"
# Every so many'th seed is a program.
PROGRAM_EVERY = 20

# Faults that may cost a part of the trace, or all of it.
COSTS = {"error", "kill", "never", "cut", "limit", "interrupted"}

# The runtime lists what is mapped near an address that failed: its own memory, at other places each time.
NEARBY = re.compile(rb"\A(?:\s|0x[0-9a-f]+, |PtrInfo:|Nearby memory map:|\Z)")
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
        self.library = tree.library("stand-in")
        stops = 1 + chance.next() % 4
        self.draw_faults(chance, FAULTS)
        # Such a library has habits of its own, or stands before ours and does nothing but fail.
        has_own = self.habits or self.library_fault(range(len(self.faults)))
        if not has_own:
            self.library = tree.library("simulated")
        # A client that looks for older forms of functions finds those of the recorder, where a library with habits has none.
        if has_own or chance.one_in(3):
            self.command, self.by_path = [tree.build / "tests/end-to-end/session-client", "--stops", stops, "--steps", chance.next() % 4], False
        else:
            self.command, self.by_path = [tree.build / "tests/transparency/ask-all", "--seed", 1 + chance.next() % 1000000, "--stops", stops], True

    def draw_faults(self, chance, faults):
        self.faults = [self.pick(chance, faults) for _ in range(1 + chance.next() % 2)]
        self.where = [chance.next() for _ in self.faults]
        self.by = [chance.next() for _ in self.faults]

    def library_fault(self, faults):
        """What the library is told of its failing, by these of the faults: the later one holds."""
        said = {}
        for i in faults:
            how, kind = self.faults[i]
            if kind == "library":
                said = {"STAND_IN_FAILS": f"{how}:{1 + self.where[i] % CLIENT_CALLS}"}
        return said

    @staticmethod
    def pick(chance, values):
        return values[chance.next() % len(values)]

    def names(self):
        return [f"{how}-{kind}" if kind else how for how, kind in self.faults]

    def run(self, library, **variables):
        """The client over a library. Return: exit code, standard output and error."""
        words = [self.command[0], library, *self.command[1:]] if self.by_path else self.command
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("WAVETAPE", "STAND_IN", "WT_"))}
        environment |= {"LD_LIBRARY_PATH": str(library.parent), "WAVETAPE_WORKLOAD": str(self.workload), **self.habits,
                        "STAND_IN_OF": str(self.tree.library("simulated"))}
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

    def make_faults(self, faults, points):
        """The variables that make these faults happen."""
        variables = self.library_fault(faults)
        for i in faults:
            how, kind = self.faults[i]
            if how == "limit":
                variables["limit"] = FILE_LIMIT
            elif how == "slow":
                variables["WT_SLOW_SYNC"] = 5
            elif how != "cut" and kind != "library":
                # Of two faults that are counted the later one holds.
                variables.pop("WT_FAIL_ALL", None)
                variables |= {"WT_FAIL_HOW": how, "WT_FAIL_KIND": kind, "WT_FAIL_AT": 1 + self.where[i] % max(1, points[kind])}
                if how == "error" and self.by[i] % 2:
                    variables["WT_FAIL_ALL"] = 1
                if kind == "driver":
                    errors = FOR_EVER if "WT_FAIL_ALL" in variables else ERRORS
                    variables["WT_FAIL_ERROR"] = errors[self.by[i] // 2 % len(errors)]
                if how == "jump":
                    variables["WT_FAIL_JUMP"] = (-100000, -1, 1, 100000, 3000000000)[self.by[i] % 5]
        return variables

    def record(self, trace, faults, points, report=None):
        """The client with the recorder before its library, and these of the seed's faults (by their numbers)."""
        variables = self.make_faults(faults, points)
        preload = bool(variables.keys() & {"WT_SLOW_SYNC", "WT_FAIL_AT"})
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
        if self.library_fault(faults):
            plain = self.run(self.library, **self.library_fault(faults))
        code, output, errors = self.record(trace, faults, points, report)
        if code == -9 and hows & {"kill", "never"}:
            self.expect("kill" in hows or (code, output, errors) == plain, "recorded, the client prints otherwise", output, errors)
            self.expect(plain[1].startswith(output), "what the killed client printed is not the beginning", output)
        else:
            self.expect((code, output, errors) == plain, f"recorded, the client ends with {code} and otherwise", output, errors)
            self.expect(report.exists(), "no report was written: a child of the client did not end")
            left = int(report.read_text().split()[3])
            self.expect(left <= points["open"], f"{left} descriptors of traces are open at the end, and {points['open']} if nothing goes wrong")
        self.check_trace(trace, hows)

    def check_trace(self, trace, hows):
        """What these faults have left of a trace: every verb reads it, and says what it is."""
        costs = hows & COSTS
        if not trace.exists() or not trace.stat().st_size:
            self.expect(costs - {"cut", "limit"}, "there is no trace")
            return
        if "cut" in hows:
            size = trace.stat().st_size
            os.truncate(trace, self.where[self.faults.index(("cut", None))] % size)
        checked = self.read("check", trace, codes=(0, 1, 3))
        if checked is None or "whole" not in checked:
            self.expect(costs, f"`check` refuses the trace: {checked}")
            return
        if not costs:
            self.expect(checked["whole"] and not checked["loss"], f"nothing that costs anything went wrong, and `check` says {checked}")
        verified = self.read("verify", trace, codes=(0, 1, 3))
        if verified and "differences" in verified:
            self.expect(verified["differences"]["count"] == 0, f"replayed in step, it differs: {verified['differences']}")
            # The call that never came back is there.
            self.expect(hows != {"never"} or verified["calls"] or verified["redacted"], f"nothing of the call that did not come back: {verified}")
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


class Program(Session):
    """A HIP program with the agent in it."""

    def __init__(self, tree, seed):
        chance = Random(seed)
        self.seed, self.tree, self.habits = seed, tree, {}
        self.program = self.pick(chance, PROGRAMS)
        self.policy = self.pick(chance, PROGRAM_POLICIES)
        self.words = self.pick(chance, AGENT_WORDS)
        self.library = tree.library("stand-in")
        self.workload = pathlib.Path(self.program)
        self.draw_faults(chance, PROGRAM_FAULTS)
        self.command = [tree.command, "device", "--", "sh", "-c", 'LD_PRELOAD="$0:$LD_PRELOAD" exec "$@"', tree.faults, tree.build / "tests/driver/programs-O2",
                        self.program]

    def run(self, **variables):  # pylint: disable=arguments-differ
        """The program on the device. Return: exit code, standard output, its own standard error, and the agent's lines."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("WAVETAPE", "STAND_IN", "WT_", "HSA_"))}
        environment |= {"STAND_IN_OF": str(self.tree.library("simulated")), **{name: str(value) for name, value in variables.items()}}
        try:
            done = subprocess.run([str(word) for word in self.command], env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                                  timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise Broken(f"the program did not end in {PATIENCE} s") from None
        lines = done.stderr.splitlines()
        own = [self.settle(line) for line in lines if not line.startswith(b"wavetape: ") and not NEARBY.match(line)]
        return done.returncode, done.stdout, own, [line for line in lines if line.startswith(b"wavetape: ") and b"the device: " not in line]

    @staticmethod
    def settle(line):
        """Without addresses, times and threads, which differ each time."""
        return re.sub(rb"0x[0-9a-f]+|: \d+ us: \d+ *:", b"X", line)

    def record_program(self, trace, faults, points, counts):
        counts.write_bytes(bytes(32))
        variables = {"WT_FAIL_KIND": "any", "WT_FAIL_AT": 0, **self.make_faults(faults, points)}
        result = self.run(HSA_TOOLS_LIB=self.tree.agent, HSA_ENABLE_DEBUG=1, WAVETAPE_DBGAPI=self.library, WAVETAPE_OPTIONS=self.policy,
                          WAVETAPE_AGENT=f"output={trace}{self.words}", WT_FAIL_COUNTS=counts, **variables)
        names = ("any", "memory", "file", "driver")
        return result, dict(zip(names, struct.unpack("4q", counts.read_bytes())))

    def check_program(self, directory, plain):
        """Nothing goes wrong. Return: how many calls there are at which something can, by kind."""
        trace = directory / "whole.wtape"
        # One that is there stays, and the new one gets a number.
        trace.unlink(missing_ok=True)
        (*found, told), points = self.record_program(trace, (), {}, directory / "counts")
        self.expect(found == plain, f"with the agent, the program ends with {found[0]} and otherwise", found[1], b"\n".join(found[2]), b"\n".join(told))
        self.expect(trace.exists() == bool(told) == (plain[0] != 0), "a fault leaves a trace and a line, and nothing else does", b"\n".join(told))
        if trace.exists():
            checked = self.read("check", trace, codes=(0,))
            self.expect(checked["closed"] and not checked["loss"], f"of the whole trace `check` says {checked}")
            verified = self.read("verify", trace, codes=(0, 3))
            self.expect(verified["differences"]["count"] == 0, f"replayed in step, it differs: {verified['differences']}")
        return points

    def check(self, directory, only=None):
        *plain, _ = self.run(WT_FAIL_AT=0)
        points = self.check_program(directory, plain)
        numbers = [i for i, name in enumerate(self.names()) if only is None or name in only]
        if not numbers:
            return
        trace = directory / "fault.wtape"
        trace.unlink(missing_ok=True)
        hows = {self.faults[i][0] for i in numbers}
        (*found, told), _ = self.record_program(trace, numbers, points, directory / "counts")
        if found[0] == 128 + 9 and "kill" in hows:
            self.expect(plain[1].startswith(found[1]), "what the killed program printed is not the beginning", found[1])
        elif any(STANDS in line for line in told):
            # Its driver lets nobody tell the runtime, which then says nothing at the end.
            self.expect(plain[0] and found[:2] == plain[:2] and found[2] == plain[2][:len(found[2])], f"the program that stood ends with {found[0]} and otherwise", found[1],
                        b"\n".join(found[2]), b"\n".join(told))
        else:
            self.expect(found == plain, f"with the agent, the program ends with {found[0]} and otherwise", found[1], b"\n".join(found[2]), b"\n".join(told))
        # Where the library or the driver fails there may be nothing to record.
        silent = ("error", "memory") in (self.faults[i] for i in numbers)
        helpless = any(kind in ("library", "driver") for how, kind in (self.faults[i] for i in numbers) if how not in ("late", "interrupted"))
        if plain[0] and helpless and not trace.exists() and not hows & COSTS - {"error"}:
            self.expect(told or silent, "there is no trace, and the agent says nothing of it")
        elif plain[0] or trace.exists():
            self.check_trace(trace, hows | ({"error"} if helpless else set()))


class Tree:
    """Paths of the source and the build directory."""

    def __init__(self, source, build):
        self.source, self.build = source, build
        self.command = build / "cli/wavetape"
        self.faults = build / "tests/end-to-end/libfail-nth.so"
        self.proto = build / "tests/second-reader"
        self.agent = build / "tool/libwavetape-agent.so"
        # Where there is no HIP, there are none.
        self.has_programs = (build / "tests/driver/programs-O2").exists()
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
    session = (Program if tree.has_programs and seed % PROGRAM_EVERY == 0 else Session)(tree, seed)
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
