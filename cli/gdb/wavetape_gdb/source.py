# SPDX-License-Identifier: MIT
"""tape locals, tape print and tape backtrace: variables and calls of the selected wave, which not every GDB shows of a GPU."""

import gdb

from wavetape_gdb import control, dbgapi, threads, verbs


def place_of(wave):
    """What tells a wave from others of the stop; a wave that came back after travelling has another number than recorded."""
    coordinates = dbgapi.get("wave", wave, "WORKGROUP_COORD")
    return (list(coordinates) if coordinates is not None else None, dbgapi.get("wave", wave, "WAVE_NUMBER_IN_WORKGROUP"),
            dbgapi.get("wave", wave, "PC"))


def recorded_wave(trace, stop, wave):
    """The recorded number of a wave."""
    workgroup, number, pc = place_of(wave)
    found = [one["wave"] for one in verbs.ask_json("waves", "--json", "--stop", str(stop), trace)["waves"]
             if one.get("workgroup") == workgroup and one.get("number_in_workgroup") == number
             and (one.get("pc") is None or int(one["pc"], 16) == pc)]
    if len(found) != 1:
        raise gdb.GdbError("Which wave of the recording the selected thread is cannot be told.")
    return found[0]


def where():
    """Options that name the stop and the wave that GDB shows."""
    if not threads.is_alive():
        raise gdb.GdbError(control.NOT_RUN)
    wave = threads.wave_of(threads.selected())
    if not wave:
        raise gdb.GdbError("The selected thread is no wave.")
    fields = control.ask("info")
    if not fields["stop"]:
        raise gdb.GdbError("The program is at none of the recorded stops.")
    number = recorded_wave(fields["trace"], fields["stop"], wave)
    return ["--stop", str(fields["stop"]), "--wave", str(number), fields["trace"]]


def selected_frame():
    try:
        return ["--frame", str(gdb.selected_frame().level())]
    except gdb.error:
        return []


class TapeLocals(gdb.Command):
    """Show the variables of the selected frame of a wave, lane by lane: `wavetape locals`.

Values are those of the recording; what was written to registers or memory since is not seen. An argument is taken as an
option of the command: `tape locals --lane 3`, `tape locals --lanes`."""

    def __init__(self):
        super().__init__("tape locals", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        gdb.write(verbs.ask("locals", *selected_frame(), *gdb.string_to_argv(argument), *where()))


class TapePrint(gdb.Command):
    """Print an expression over the variables of the selected frame of a wave, lane by lane: `wavetape print`.

Values are those of the recording; what was written to registers or memory since is not seen."""

    def __init__(self):
        super().__init__("tape print", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        if not argument.strip():
            raise gdb.GdbError("Print what? `tape print EXPRESSION`.")
        gdb.write(verbs.ask("print", *selected_frame(), *where(), "--", argument))


class TapeBacktrace(gdb.Command):
    """Show the functions that the selected wave is in, inlined ones too: `wavetape backtrace`.

An argument is taken as an option of the command."""

    def __init__(self):
        super().__init__("tape backtrace", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        gdb.write(verbs.ask("backtrace", *gdb.string_to_argv(argument), *where()))


def define():
    TapeLocals()
    TapePrint()
    TapeBacktrace()
