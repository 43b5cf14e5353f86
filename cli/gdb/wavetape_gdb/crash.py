# SPDX-License-Identifier: MIT
"""tape crash: go to the fault, and say what `wavetape info` says of it."""

import json
import os
import subprocess

import gdb

from wavetape_gdb import control, journey, threads, waves

BEGIN = "crash "  # of the lines that tell of the fault
PATIENCE = 300    # seconds, for a trace of any size


def ask_wavetape(*arguments):
    """What the command prints of a trace."""
    command = os.environ.get("WAVETAPE_COMMAND")
    if not command:
        raise gdb.GdbError("This needs the command wavetape: start GDB with `wavetape replay FILE -- gdb`.")
    # GDB's own library path leads to the replaying library, which the command does not want in its place.
    variables = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    try:
        done = subprocess.run([command, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="backslashreplace", timeout=PATIENCE, env=variables, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise gdb.GdbError(f"Cannot run {command}: {error}") from None
    # 3: something is lost, and is named.
    if done.returncode not in (0, 3):
        raise gdb.GdbError(done.stderr.strip() or f"{command} failed.")
    return done.stdout


def faulting_waves():
    return [wave for wave in waves.look() if wave.known and waves.is_fault(wave.reasons)]


def find_stop(trace):
    """The stop of the fault; None if none was recorded."""
    findings = json.loads(ask_wavetape("info", "--json", trace))
    return findings.get("stop") if findings.get("faults") else None


def show_findings(trace):
    shows = False
    for line in ask_wavetape("info", trace).splitlines():
        if not line[:1].isspace():
            # The block has several lines, each with its name; it ends with the next blank one.
            shows = line.startswith(BEGIN) or (shows and bool(line.strip()))
        if shows:
            gdb.write(line + "\n")


class TapeCrash(gdb.Command):
    """Go to the fault: its stop, the first wave that has one, and what `wavetape info` tells of it.

Kernel, source line, instruction, waves, lanes and addresses are of the recording; nothing is derived from what was
written to registers or memory since."""

    def __init__(self):
        super().__init__("tape crash", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        if argument.strip():
            raise gdb.GdbError("`tape crash` takes no argument.")
        if not threads.is_alive():
            raise gdb.GdbError(control.NOT_RUN)
        fields = control.ask("info")
        stop = find_stop(fields["trace"])
        if stop is None:
            raise gdb.GdbError("No wave stopped for a fault in this recording.")
        if fields["stop"] != stop:
            journey.travel(f"goto {stop}", False)
        found = faulting_waves()
        if found:
            found[0].thread.switch()
        show_findings(fields["trace"])
        journey.show_place()


def define():
    TapeCrash()
