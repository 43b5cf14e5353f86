# SPDX-License-Identifier: MIT
"""The commands called tape."""

import os

import gdb

from wavetape_gdb import control, crash, gpu, host, journey, source, waves, way


class Tape(gdb.Command):
    """Commands for the recording that is replayed."""

    def __init__(self):
        super().__init__("tape", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, True)


class TapeGoto(gdb.Command):
    """Go to a stop of the recording: tape goto STOP.

Stops are counted from 1, as `wavetape stops FILE` lists them. Waves that are at both stops keep their
threads; waves that come back have other numbers than before. What was written to registers is lost, and
what was written to memory where the recording has other bytes there."""

    def __init__(self):
        super().__init__("tape goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        journey.travel(f"goto {self.number(argument.strip())}")

    @staticmethod
    def number(argument):
        if not argument:
            raise gdb.GdbError("`tape goto` needs the number of a stop.")
        try:
            stop = int(gdb.parse_and_eval(argument))
        except (gdb.error, ValueError, OverflowError):
            raise gdb.GdbError(f"`tape goto` needs the number of a stop, and '{argument}' is none.") from None
        if not 1 <= stop < 10**9:
            raise gdb.GdbError(f"Stops are counted from 1; there is no stop {stop}.")
        return stop


class TapeNext(gdb.Command):
    """Go to the next stop of the recording, whatever it takes to get there."""

    def __init__(self):
        super().__init__("tape next", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        control.no_argument(argument, "tape next")
        journey.travel("next")


class TapePrevious(gdb.Command):
    """Go back to the stop of the recording before this one."""

    def __init__(self):
        super().__init__("tape previous", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        control.no_argument(argument, "tape previous")
        journey.travel("previous")


class TapeInfo(gdb.Command):
    """Say which recording is replayed, and at which of its stops the program is."""

    def __init__(self):
        super().__init__("tape info", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        control.no_argument(argument, "tape info")
        fields = control.ask("info") if control.find_socket() else None
        trace = fields["trace"] if fields else os.environ.get("WAVETAPE_TRACE")
        if not trace:
            control.ask("info")
        gdb.write(f"Recording {trace}\n")
        if not fields:
            gdb.write("The program is not being run: `run` goes to the first stop.\n")
        elif not fields["last"]:
            gdb.write("It has no stop.\n")
        elif not fields["stop"]:
            gdb.write(f"Before the first of stops {fields['first']} to {fields['last']}.\n")
        else:
            gdb.write(f"At stop {fields['stop']} of {fields['first']} to {fields['last']}.\n")
        if fields and fields["done"] < fields["journey"]:
            gdb.write(f"On the way to stop {fields['wanted']}: `continue` gets there.\n")


def define():
    host.define()
    for command in Tape, TapeGoto, TapeNext, TapePrevious, TapeInfo:
        command()
    crash.define()
    waves.define()
    gpu.define()
    source.define()
    way.define()
