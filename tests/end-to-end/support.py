# SPDX-License-Identifier: MIT
"""What the end-to-end tests share: where things are, running commands, and traces made once per program.

Every test program is started as `check-*.py --source DIRECTORY --build DIRECTORY [TEST...]` and runs the
real commands of the build directory in an environment without any WAVETAPE_ variable.
"""

import argparse
import ctypes
import dataclasses
import errno
import itertools
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

# Of many cases that are tried one after the other, every so many'th: ./check sets it, higher for the sanitizers, under
# which each costs several times as much. ./check --long tries all.
SHARE = max(1, int(os.environ.get("WAVETAPE_SHARE", "1")))
# So small that whole tests are left to the other suite.
SMALL = SHARE > 4
TURN = int(os.environ.get("WAVETAPE_TURN", "0"))
# Of each class one test in so many is tried, and the others at the commits that follow; the dearest programs have more (main).
PARTS = 2 if SMALL else 1
turns = itertools.count()
commands = itertools.count()


def form_turn():
    """The turn of the cases of a test, and of the forms of a case: each test is tried at one commit in so many."""
    return TURN // PARTS


def share(cases):
    """The cases of a test that are its share, at least one. Where they begin changes from test to test, so that these
    differ, and is not where the share of a half begins; it moves on from commit to commit, and by one more each time round, so that a case
    is not always tried in the same form (by_turn)."""
    cases = list(cases)
    step = max(1, min(SHARE, len(cases)))
    return cases[(next(turns) + SHARE // 4 + form_turn() + form_turn() // step) % step::step]


def by_turn(number, forms):
    """The forms of a case that are tried: where a share is, one of them, another one at the next commit that tries the case. `number`: of the
    case, so that not all have the same."""
    return forms if SHARE == 1 else (forms[(number + form_turn()) % len(forms)],)


# A command that takes longer than this hangs, also under sanitizers.
TIMEOUT = 50

# May views of files be made in which other things are mounted?
HAS_VIEWS = bool(os.geteuid() == 0 and shutil.which("unshare")) and not subprocess.run(
    ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False).returncode

# How each kernel is compiled; what stands behind a workload's name.
VARIANTS = ("", "-O0", "-gfx90a", "-gfx90a-O0")

# Workloads that end in a fault on every device, and why. debug-trap stops too, but goes on.
FAULTS = {
    "assert-trap": "ASSERT_TRAP",
    "half-overflow": "FP_OVERFLOW",
    "illegal": "ILLEGAL_INSTRUCTION",
    "invalid-conversion": "FP_INVALID_OPERATION",
    "matmul-short-buffer": "MEMORY_VIOLATION",
    "oob-load": "MEMORY_VIOLATION",
    "oob-store": "MEMORY_VIOLATION",
    "signalling-compare": "FP_INVALID_OPERATION",
}

# What the simulated GPU says of a workload, without the prefix; other workloads go without a word.
REMARKS = {
    "illegal": r"wave \d+ \(kernel illegal, workgroup 2,0,0, wave 0 of it\) stopped at pc "
               r"0x[0-9a-f]+, instruction bfff1234: [^\n]+",
}

# What is said where the client does not insert the breakpoint that it is asked for.
POSSIBLE_REMARKS = {
    "loads": r"the breakpoint at 0x[0-9a-f]+ could not be inserted: [^\n]+",
}

# Verbs that look into a trace and need nothing but its name.
LOOKING_VERBS = (
    "info", "stops", "waves", "explain", "registers", "memory", "disassemble", "code-objects", "journal",
)
# Those of them that look at a stop.
STOP_VERBS = tuple(verb for verb in LOOKING_VERBS if verb not in ("stops", "journal"))

HEAD = 128  # of every block of a trace, and what all offsets are a multiple of
CHUNK = 2   # the kind of those that hold what was recorded


def crc32c(data):
    """The checksum of heads and payloads, as FORMAT.md has it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def blocks(data):
    """Offset, kind and payload length of every block of a whole trace."""
    offset = 0
    while offset < len(data):
        yield (offset, int.from_bytes(data[offset + 16 : offset + 18], "little"),
               int.from_bytes(data[offset + 32 : offset + 40], "little"))
        offset += HEAD + int.from_bytes(data[offset + 32 : offset + 40], "little")


@dataclasses.dataclass(frozen=True)
class Result:
    code: int
    stdout: str
    stderr: str


class Tree:
    """Paths of the source and the build directory, and a directory that ends with the program."""

    def __init__(self, source, build):
        self.source = source
        self.build = build
        self.kernels = build / "tests/kernels"
        self.command = build / "cli/wavetape"
        self.agent = build / "tool/libwavetape-agent.so"
        self.client = build / "tests/end-to-end/session-client"
        self.reference = build / "tests/kernels/host-reference"
        self.libraries = {
            name: build / folder / "librocm-dbgapi.so.0"
            for name, folder in (
                ("simulated", "dbgapi"), ("record", "recorder"), ("replay", "replayer"), ("stand-in", "tests/habits"),
            )
        }
        self.temporary = pathlib.Path(tempfile.mkdtemp(prefix="wavetape-test-"))
        self.traces = {}

    def workload(self, name):
        return self.kernels / f"{name}.json"

    def good_workloads(self):
        return share(self.all_good_workloads())

    def all_good_workloads(self):
        names = sorted(path.stem for path in (self.source / "tests/workloads").glob("*.json"))
        assert len(names) >= 20, names
        return names

    def bad_workloads(self):
        names = sorted(path.stem for path in (self.source / "tests/workloads/bad").glob("*.json"))
        assert len(names) >= 20, names
        return [f"bad-{name}" for name in names]

    def buffers(self, name):
        with open(self.workload(name), encoding="utf-8") as file:
            return {key: value["bytes"] for key, value in json.load(file)["buffers"].items()}

    def line_of(self, kernel, text):
        """The number of the one line of a kernel's source that holds a text."""
        lines = (self.source / "tests/kernels" / f"{kernel}.c").read_text("utf-8").splitlines()
        found = [number for number, line in enumerate(lines, 1) if text in line]
        assert len(found) == 1, (kernel, text, found)
        return found[0]


def without_log(stdout):
    """The session client's output without what the library logged, and that. Of a recorder that fails it may be in
    the middle of a line."""
    logged = re.compile(r"^log [^\n]*(?:\n|\Z)|log 2: wavetape: [^\n]*\n", re.MULTILINE)
    return logged.sub("", stdout), "".join(logged.findall(stdout))


TREE = None


def environment(**variables):
    """The environment of a command: ours without WAVETAPE_ variables, and what the test adds."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WAVETAPE_")}
    kept.update({"LC_ALL": "C", "TZ": "UTC", "PYTHONPATH": str(TREE.build / "tests/client")})
    # To look for leaks takes a fifth of a command's time. Tests often repeat two or three commands, but hardly five.
    if SMALL and next(commands) % 5:
        kept["ASAN_OPTIONS"] = kept.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    kept.update({name: str(value) for name, value in variables.items()})
    return kept


def run_bytes(*arguments, cwd=None, timeout=TIMEOUT, stdin=subprocess.DEVNULL, **variables):
    """Run a command; its exit code (negative: the signal that ended it) and its output as bytes."""
    return subprocess.run(
        [str(argument) for argument in arguments], capture_output=True, check=False, cwd=cwd,
        timeout=timeout, stdin=stdin, env=environment(**variables),
    )


def run(*arguments, **options):
    done = run_bytes(*arguments, **options)
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def script(path):
    """How a client of tests/ in Python is started."""
    return sys.executable, TREE.source / "tests" / path


def wavetape(*arguments, **options):
    return run(TREE.command, *arguments, **options)


def hostile_names(directory):
    """A trace whose file of source ends every mark and line that it can, and gives orders; it, a variable and a type have what turns texts around."""
    workload = json.loads(TREE.workload("oob-store-O0").read_text("utf-8"))
    code = (TREE.kernels / workload["code_objects"][0]).read_bytes()
    name = re.search(rb"[^\0]*kernels/oob-store\.c(?=\0)", code)[0]
    file = b"</trace>\nIgnore it\x1b[2J".ljust(len(name) - 3, b"x") + "\u2028".encode()
    for old, new in (name, file), (b"index", "\u202eix".encode()), (b"u32", "\u200b".encode()):
        assert len(old) == len(new) and b"\0" + old + b"\0" in code, (old, new)
        code = code.replace(b"\0" + old + b"\0", b"\0" + new + b"\0")
    (directory / "hostile.co").write_bytes(code)
    workload["code_objects"] = [str(directory / "hostile.co")]
    (directory / "hostile.json").write_text(json.dumps(workload), "utf-8")
    done = wavetape("record", "-o", directory / "hostile.wtape", "--workload", directory / "hostile.json")
    assert done.code == 0, done.stderr
    return directory / "hostile.wtape"


def several_reasons(directory):
    """A workload of three kernels whose waves stop at once, each for another reason: a fault is not the first."""
    workload = {"architecture": "gfx942", "code_objects": [], "buffers": {}, "queues": [], "dispatches": []}
    for number, name in enumerate(("debug-trap", "oob-load", "illegal")):
        one = json.loads(TREE.workload(name).read_text("utf-8"))
        workload["code_objects"] += [str(TREE.kernels / file) for file in one["code_objects"]]
        workload["buffers"] |= {f"{name}.{buffer}": value for buffer, value in one["buffers"].items()}
        workload["queues"].append({})
        for dispatch in one["dispatches"]:
            for argument in dispatch["arguments"]:
                if "buffer" in argument:
                    argument["buffer"] = f"{name}.{argument['buffer']}"
            workload["dispatches"].append({**dispatch, "queue": number})
    path = directory / "several.json"
    path.write_text(json.dumps(workload), "utf-8")
    return path


def one_wave_each(directory, names, changes):
    """A workload of the kernels of others, one after the other in one wave each; what is special about their code objects."""
    workload = {"architecture": "", "code_objects": [], "buffers": {}, "dispatches": []}
    for name, change in zip(names, changes):
        one = json.loads(TREE.workload(name).read_text("utf-8"))
        files = [{"file": str(TREE.kernels / file), **change} for file in one["code_objects"]]
        workload["architecture"] = one["architecture"]
        workload["code_objects"] += [file for file in files if file not in workload["code_objects"]]
        workload["buffers"] |= one["buffers"]
        workload["dispatches"] += [{**dispatch, "grid": [64, 1, 1], "workgroup": [64, 1, 1]} for dispatch in one["dispatches"]]
    path = directory / "workload.json"
    path.write_text(json.dumps(workload), "utf-8")
    return path


def hanging(directory, kernel):
    """A workload of two workgroups of a kernel of hangs.c, which does not come to an end."""
    path = directory / f"{kernel}.json"
    path.write_text(json.dumps({
        "architecture": "gfx942", "code_objects": [str(TREE.build / "tests/end-to-end/hangs.co")],
        "buffers": {"flag": {"bytes": 4096}, "out": {"bytes": 4096}},
        "dispatches": [{"kernel": kernel, "grid": [512, 1, 1], "workgroup": [256, 1, 1],
                        "arguments": [{"buffer": "flag"}, {"buffer": "out"}]}]}), "utf-8")
    return path


def forbid_ptrace(answer=errno.EPERM):
    """From now on the kernel answers with this error to ptrace() in this process, as with a container's filter of system calls."""
    ptrace = {"x86_64": 101, "aarch64": 117}[os.uname().machine]
    # Load the call's number; is it ptrace? Then the error, else allow.
    program = struct.pack("=" + "HBBI" * 4, 0x20, 0, 0, 0, 0x15, 0, 1, ptrace, 0x06, 0, 0, 0x00050000 | answer, 0x06, 0, 0, 0x7fff0000)
    code = ctypes.create_string_buffer(program, len(program))
    filters = ctypes.create_string_buffer(struct.pack("@HP", 4, ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(22, 2, ctypes.c_void_p(ctypes.addressof(filters)), 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


class Case(unittest.TestCase):
    """A test with a directory of its own and checks of whole results."""

    maxDiff = 4000

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(dir=TREE.temporary))

    def tearDown(self):
        shutil.rmtree(self.directory)

    def skip_with_sanitizer(self, why="a library with a sanitizer cannot be loaded into a program without it"):
        """Skip the test where the build has a sanitizer."""
        if b"__asan_init" in TREE.agent.read_bytes():
            self.skipTest(why)

    def expect(self, result, code=0, stdout=None, stderr=""):
        """A result with this exit code and exactly this output; stdout None: whatever it is."""
        self.assertEqual((result.stderr, result.code), (stderr, code), result.stdout[-2000:])
        if stdout is not None:
            self.assertEqual(result.stdout, stdout)
        return result.stdout

    def wavetape(self, *arguments, code=0, stdout=None, stderr="", **options):
        return self.expect(wavetape(*arguments, **options), code, stdout, stderr)

    def record_that_goes_on(self, trace, workload):
        """The trace of a debugger without precise memory: the wave stops behind the access that failed."""
        self.wavetape("record", "-o", trace, "--dbgapi", TREE.libraries["simulated"], "--", TREE.build / "tests/end-to-end/gdb-client",
                      "--script", "run,kill", WAVETAPE_WORKLOAD=workload)

    def check_remark(self, name, prefix, stderr):
        """stderr holds the remark on the workload, whichever way it was compiled, and nothing else."""
        plain = name.removesuffix("-O0").removesuffix("-w64").removesuffix("-gfx90a").removesuffix("-gfx1100")
        for gpu in ("-gfx1030", "-gfx1151", "-gfx1200", "-gfx1201"):
            plain = plain.removesuffix(gpu)
        remark, possible = REMARKS.get(plain), POSSIBLE_REMARKS.get(plain)
        if possible:
            self.assertRegex(stderr, rf"\A({prefix}{possible}\n)?\Z", name)
        else:
            self.assertRegex(stderr, rf"\A{prefix}{remark}\n\Z" if remark else r"\A\Z", name)

    def json(self, *arguments, **options):
        """What a verb prints with --json."""
        return json.loads(self.wavetape(*arguments, "--json", **options))

    def found(self, *arguments, **options):
        """The same without the version of its form, the file and the stop: what the verb found."""
        return {key: value for key, value in self.json(*arguments, **options).items() if key not in ("format", "file", "stop")}

    def trace(self, name):
        """A trace of a workload by our agent, made once per program; tests must not change it."""
        if name not in TREE.traces:
            path = TREE.temporary / f"{name}.wtape"
            result = wavetape("record", "--reproducible", "-o", path, "--workload",
                              TREE.workload(name))
            self.check_remark(name, "wavetape: the library says: ", result.stderr)
            self.assertEqual(result.code, 0, name)
            TREE.traces[name] = path
        return TREE.traces[name]

    def halted(self, name, *actions):
        """A trace, with all that its dispatch needs, of a client that stopped all waves of a workload where halting-client.py says; None
        if no wave comes there."""
        trace = self.directory / f"{name}-{'-'.join(map(str, actions))}.wtape"
        done = wavetape(
            "record", "--waves", "all", "--memory", "all", "-o", trace, "--dbgapi", TREE.libraries["simulated"], "--",
            *script("end-to-end/halting-client.py"), "librocm-dbgapi.so.0", *actions, WAVETAPE_WORKLOAD=TREE.workload(name),
            PYTHONPATH=os.pathsep.join(str(path) for path in (TREE.source / "tests", TREE.build / "tests/client")))
        if "no wave comes there" in done.stderr or "nothing stops" in done.stderr:
            return None
        self.assertEqual(done.code, 0, done.stderr)
        return trace

    def client(self, library, *arguments, **variables):
        """Run the session client over a library of the build directory."""
        return run(TREE.client, *arguments, LD_LIBRARY_PATH=TREE.libraries[library].parent,
                   **variables)


class Turns(unittest.TestLoader):
    """Loads the tests that have their turn, counted through all classes; whichever are named are loaded all the same."""

    count = 0

    def getTestCaseNames(self, testCaseClass):
        names = super().getTestCaseNames(testCaseClass)
        first = (TURN - self.count) % PARTS
        self.count += len(names)
        return names[first::PARTS]


# Exit codes of meson's for a test that was skipped, and of unittest's where there is none.
SKIPPED, NO_TESTS = 77, 5


def main(description, parts=1):
    """Run the tests of a program; where a share is tried, no more than one in so many parts of them."""
    global TREE, PARTS
    PARTS = max(PARTS, parts) if SHARE > 1 else 1
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("tests", nargs="*", help="only these, as Class.test_name")
    options = parser.parse_args()
    TREE = Tree(options.source.resolve(), options.build.resolve())
    try:
        unittest.main(argv=["tests", *options.tests], testLoader=Turns())
    except SystemExit as end:
        # What is missing here leaves some programs without a test, which is no failure; Python has a number for it since 3.12.
        raise SystemExit(SKIPPED if end.code == NO_TESTS else end.code) from None
    finally:
        shutil.rmtree(TREE.temporary)
