# SPDX-License-Identifier: MIT
"""tape crash: go to the fault, and say what `wavetape info` says of it."""

import gdb

from wavetape_gdb import control, journey, threads, verbs, waves

BEGIN = "crash "  # of the lines that tell of the fault


def faulting_waves():
    return [wave for wave in waves.look() if wave.known and waves.is_fault(wave.reasons)]


def find_stop(trace):
    """The stop of the fault; None if none was recorded."""
    findings = verbs.ask_json("info", "--json", trace)
    return findings.get("stop") if findings.get("faults") else None


def show_findings(trace):
    shows = False
    for line in verbs.ask("info", trace).splitlines():
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
        control.no_argument(argument, "tape crash")
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
