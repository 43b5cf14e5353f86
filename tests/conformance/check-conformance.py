# SPDX-License-Identifier: MIT
"""Run the conformance suite over the project's libraries.

Usage: check-conformance.py --source DIR --build DIR live|cores|free|recorded|levels|driver|radeon|statements

live: over the simulated GPU. cores: over core files of it, and of GPUs that nothing here executes. free: cores of all GPUs by a client
that calls what it likes, and over traces of them. recorded: live through the recording library, and over its trace; then over the trace
by a client that leaves out what is known to have no replay, and no more. levels: both as a client of the oldest
level, of 0.77, and of the newest, over a library that has the symbols of that level alone. driver: over the kernel driver of
the simulated GPU, which programs of AMD's runtime use, through the recording library; the trace is verified. radeon: the same of gfx1030, without
recording, in waves of 64 lanes as the suite counts them. statements: every statement of
statements.txt has a check that ran.
"""

import argparse
import copy
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# What a trace does not hold, by the beginning of what the suite says of it.
NOT_REPLAYED = {
    "E6 E7 code objects that come and go",
    "W6 watchpoints",
    "W12 arithmetic exceptions",
    "displaced stepping",
    "frozen processes",
    "E9 the end of the program",
}


# What the state alone answers in another way: a replay has no time, so an event comes with the first question for one; and what
# a client makes, or what refuses it, is in the journal.
NOT_FROM_STATE = {
    "amd_dbgapi_" + name
    for name in ("process_next_pending_event", "wave_get_info", "displaced_stepping_start", "process_detach", "set_watchpoint",
                 "remove_watchpoint", "watchpoint_get_info")
}

# What libraries before that level do not have.
FREEZE_SINCE = 76
NOT_YET = {"W48 freezing", "freezing", "frozen processes"}


def fail(text):
    print(f"FAILED: {text}")
    sys.exit(1)


class Suite:
    def __init__(self, source, build):
        self.options, self.before = (), ()
        self.command = build / "cli/wavetape"
        self.build = build
        self.program = (sys.executable, source / "tests/conformance/conformance.py")
        self.workloads = build / "tests/kernels"
        self.libraries = {
            name: build / folder / "librocm-dbgapi.so.0"
            for name, folder in {"live": "dbgapi", "record": "recorder", "replay": "replayer"}.items()
        }

    def at_level(self, level):
        """The same of a client of a level, over a library of that level."""
        other = copy.copy(self)
        other.options = ("--level", str(level))
        other.libraries = self.libraries | {"live": self.build / f"tests/levels/libdbgapi-at-{level}.so"}
        return other

    def over_driver(self, gpu="gfx90a", variant="-gfx90a"):
        """The same as a debugger of programs that the driver serves. Debian's runtime knows gfx90a and gfx1030."""
        other = copy.copy(self)
        other.before = (self.command, "device", "--agents", "2", "--architecture", gpu, "--")
        other.options = ("--driver", self.build / "tests/conformance/program", f"--variant={variant}")
        return other

    def start(self, library, *options, **variables):
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("WAVETAPE_")
        }
        environment.update(variables, PYTHONPATH=str(self.build / "tests/client"))
        return subprocess.run(
            [*self.before, *self.program, *self.options, *options, "--workloads", self.workloads, self.libraries[library]],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=100,
            check=False,
        )

    def run(self, library, *options, **variables):
        """The lines of a run, as (verdict, name); ends the test if a check does not hold."""
        done = self.start(library, *options, **variables)
        lines = done.stdout.splitlines()
        wrong = [line for line in lines if line.startswith("not ok")]
        if done.returncode or wrong:
            print("\n".join(wrong) or done.stdout[-2000:])
            print(done.stderr[-2000:])
            fail(f"over {library}: exit code {done.returncode}, {len(wrong)} not ok")
        print(f"{library}: {lines[-1]}")
        return [tuple(re.match(r"(ok|skip) ([^:]*)", line).groups()) for line in lines[:-1]]


def check_live(suite, lacking=frozenset()):
    lines = suite.run("live")
    skipped = {name for verdict, name in lines if verdict == "skip"}
    if skipped != lacking:
        fail(f"skipped over a live device: {skipped}")
    if len(lines) < 400:
        fail(f"only {len(lines)} checks ran")


def check_cores(suite):
    """Of the simulated GPU, and of waves that never ran: architecture, lanes, vector registers, shared ones."""
    shapes = (("gfx1201", "32", "256", "0"), ("gfx1011", "64", "24", "16"), ("gfx1100", "32", "16", "0"))
    with tempfile.TemporaryDirectory() as folder:
        core = pathlib.Path(folder) / "core"
        subprocess.run([suite.command, "simulate", suite.workloads / "oob-load.json", "--core", core], capture_output=True, check=False)
        names = [{name for _, name in suite.run("live", "--core", core)}]
        for shape in shapes:
            planted = suite.build / "tests/end-to-end/planted-core"
            subprocess.run([planted, core, *shape, suite.workloads / "vecadd.co"], input="1900 1900 0 1900 0 0 0\n" * 4, text=True,
                           check=True)
            names.append({name for _, name in suite.run("live", "--core", core)})
    # Of the first core's waves one has faulted, and of the others' all have.
    if len(names[0]) < 400 or not names[0] < names[1] or any(more != names[1] for more in names[2:]):
        fail(f"not all of it was asked over each core: {[len(found) for found in names]}, {sorted(names[0] ^ names[1])[:9]}")


# Of every architecture whose waves can be saved: the GPU, and how many lanes.
SHAPES = (("gfx900", 64), ("gfx906", 64), ("gfx908", 64), ("gfx90a", 64), ("gfx940", 64), ("gfx941", 64), ("gfx942", 64), ("gfx950", 64),
          ("gfx1010", 32), ("gfx1011", 64), ("gfx1012", 32), ("gfx1030", 64), ("gfx1031", 32), ("gfx1032", 32), ("gfx1100", 32),
          ("gfx1101", 64), ("gfx1102", 32), ("gfx1150", 32), ("gfx1151", 32), ("gfx1152", 32), ("gfx1153", 32), ("gfx1200", 32), ("gfx1201", 64))
# What a recording of a core leaves out: memory that nothing in it names, so that it cannot be written either, of which code is read from the
# code object; what a library does to the registers of a wave that it lets go; and which global memory is a wave's private memory.
NOT_IN_CORE = re.compile(r"(write )?memory .* ERROR_MEMORY_ACCESS 0 ?$|memory \d+ \d+ (global|generic) 2000000019|read \d+ (ttmp6|trapsts|excp_flag_priv|status|mode) |"
                         r"convert \d+ \d+ (global|generic) \w+ private_\w+ ERROR_NOT_AVAILABLE |"
                         # Until the recorded client has asked for it, nothing tells that there is no state of a core here.
                         r"info process \d+ CORE_STATE ERROR_PROCESS_NOT_FROZEN ")


def check_free(suite, calls=400):
    """
    A client of a core that calls what it likes, over our library and over a trace that another client made. It attaches more than once,
    and the other did so once. tests/today/run compares our library and AMD's in the same way.
    """
    program = pathlib.Path(suite.program[1]).with_name("free_core.py")
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        core, trace = pathlib.Path(folder) / "core", pathlib.Path(folder) / "core.wtape"
        for seed, (gpu, lanes) in enumerate(SHAPES, 1):
            plant_core(suite, core, gpu, lanes)
            trace.unlink(missing_ok=True)
            subprocess.run([suite.command, "record", "--core", core, "-o", trace, "--dbgapi", suite.libraries["live"]], capture_output=True,
                           check=True)
            lines = []
            for library, options in ("live", {}), ("replay", {"WAVETAPE_TRACE": str(trace), "WAVETAPE_REPLAY_OPTIONS": "from-state"}):
                done = subprocess.run([sys.executable, program, suite.libraries[library], core, str(seed), str(calls)], check=True, text=True,
                                      capture_output=True, env={**os.environ, **options, "PYTHONPATH": str(suite.build / "tests/client")})
                lines.append(done.stdout.splitlines())
            wrong = [(ours, theirs) for ours, theirs in zip(*lines) if ours != theirs and not NOT_IN_CORE.match(theirs)]
            if wrong or len(lines[0]) != len(lines[1]):
                fail(f"{gpu}, seed {seed}: {len(wrong)} answers of a replay differ: {wrong[:3]}")
            compared += len(lines[0])
    print(f"{compared} answers over cores of {len(SHAPES)} GPUs")
    if compared < len(SHAPES) * calls // 2:
        fail("too few")


def plant_core(suite, core, gpu, lanes):
    planted = suite.build / "tests/end-to-end/planted-core"
    subprocess.run([planted, core, gpu, str(lanes), "24", "0", suite.workloads / "vecadd.co"], input="1900 1900 0 1900 0 0 0\n" * 4, text=True,
                   check=True)


def check_recorded(suite, lacking=frozenset()):
    live = suite.run("live")
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "conformance.wtape")
        recorded = suite.run(
            "record", WAVETAPE_TRACE=trace, WAVETAPE_DBGAPI=str(suite.libraries["live"])
        )
        if recorded != live:
            fail("the recording library was asked something else")
        if suite.run("replay", WAVETAPE_TRACE=trace) != live:
            fail("the trace answers the calls that were recorded in another way")
        replayed = suite.run("replay", "--replay", WAVETAPE_TRACE=trace)
    skipped = {name for verdict, name in replayed if verdict == "skip"}
    if skipped != NOT_REPLAYED | lacking:
        fail(f"skipped over a trace: {sorted(skipped)}")
    unknown = {line for line in replayed if line[0] == "ok"} - set(live)
    if unknown:
        fail(f"asked over a trace only: {sorted(unknown)[:5]}")


def check_levels(suite, source):
    sys.path.insert(0, str(source / "tools"))
    api_table = importlib.import_module("api_table")
    levels = [api_table.number(level["level"])[1] for level in api_table.load(source / "dbgapi/table/api.toml").levels]
    for level in (levels[0], 77, levels[-1]):
        print(f"level 0.{level}")
        lacking = NOT_YET if level < FREEZE_SINCE else frozenset()
        check_live(suite.at_level(level), lacking)
        check_recorded(suite.at_level(level), lacking)


def check_driver(suite):
    """Nothing is skipped there, and what is asked is what is asked over a device in the same process, but for two checks of hits."""
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "conformance.wtape")
        variables = {"WAVETAPE_TRACE": trace, "WAVETAPE_DBGAPI": str(suite.libraries["live"])}
        lines = suite.over_driver().run("record", **variables)
        verified = subprocess.run([suite.command, "verify", "--json", trace], capture_output=True, text=True, check=False)
    if not verified.stdout:
        fail(f"the trace of it cannot be verified: {verified.stderr}")
    report = json.loads(verified.stdout)
    print(f"verified: {report['calls']} calls, {report['differences']['count']} differences")
    if verified.returncode not in (0, 3) or report["differences"]["count"] or report["calls"] < 5000:
        fail(f"the trace of it replays in another way: exit code {verified.returncode}: {report['differences']}")
    others = {kind["function"] for kind in report["from_state"]["kinds"]} - NOT_FROM_STATE
    if others:
        fail(f"the state does not answer {sorted(others)}")
    if "skip" in {verdict for verdict, _ in lines}:
        fail(f"skipped over a driver: {[line for line in lines if line[0] == 'skip']}")
    missing = {name for _, name in suite.run("live")} - {name for _, name in lines}
    if missing:
        fail(f"not asked over a driver: {sorted(missing)[:5]}")


def check_failing(suite):
    """A library that cannot attach does not conform, and the suite lives to say so."""
    done = suite.start("replay", "--replay", WAVETAPE_TRACE="/nonexistent.wtape")
    if done.returncode != 1 or "not ok attach to vecadd: expected SUCCESS got" not in done.stdout:
        fail(f"exit code {done.returncode} over a library that cannot attach")


def check_statements(suite, source):
    text = (source / "tests/conformance/statements.txt").read_text(encoding="utf-8")
    statements = re.findall(r"^([WEC]\d+) ", text, re.MULTILINE)
    if len(statements) != len(set(statements)) or len(statements) < 60:
        fail("statements are not numbered one by one")
    held = set()
    for verdict, name in suite.run("live"):
        for word in name.split():
            if not re.fullmatch(r"[WEC]\d+", word):
                break
            if verdict == "ok":
                held.add(word)
    if set(statements) != held:
        fail(f"without a check: {sorted(set(statements) - held)}; unknown: {sorted(held - set(statements))}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("what", choices=["live", "cores", "free", "recorded", "levels", "driver", "radeon", "statements"])
    options = parser.parse_args()
    suite = Suite(options.source, options.build)
    if options.what == "live":
        check_live(suite)
    elif options.what == "cores":
        check_cores(suite)
    elif options.what == "free":
        check_free(suite)
    elif options.what == "recorded":
        check_recorded(suite)
        check_failing(suite)
    elif options.what == "levels":
        check_levels(suite, options.source)
    elif options.what == "driver":
        check_driver(suite)
    elif options.what == "radeon":
        suite.over_driver("gfx1030", "-gfx1030-w64").run("live")
    else:
        check_statements(suite, options.source)


if __name__ == "__main__":
    main()
