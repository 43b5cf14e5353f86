# SPDX-License-Identifier: MIT
"""tape way, tape back, tape forth and tape last-write: what the selected wave executed before it stopped, step by step.

GDB's own registers and memory stay those of the stop: what is shown here is what `wavetape way` tells.
"""

import json

import gdb

from wavetape_gdb import source, verbs

LISTED = 10  # instructions of `tape way`


class Position:
    """Where on its way a wave is looked at; forgotten where another wave or stop is shown."""

    def __init__(self):
        self.where, self.position = None, None

    def take(self, where):
        """Options for `wavetape way` at the position."""
        if where != self.where:
            self.where, self.position = where, None
        return [] if self.position is None else ["--at", str(self.position)]


HERE = Position()


def ask(*options):
    where = source.where()
    found = json.loads(verbs.ask("way", "--json", *HERE.take(where), *options, *where))
    if not found["way"]["found"]:
        raise gdb.GdbError(f"No way is known: {found['way']['why_not']}.")
    return found


def show(*options):
    where = source.where()
    gdb.write(verbs.ask("way", *HERE.take(where), *options, *where))


def steps_of(argument, name):
    try:
        count = int(argument or "1")
    except ValueError:
        count = 0
    if count < 1:
        raise gdb.GdbError(f"`tape {name}` takes a number of instructions, and '{argument}' is none.")
    return count


def move(count):
    """Go so many positions on, and show the instruction that was executed last there."""
    found = ask("-n", "0")
    position = min(max(found["position"] + count, 0), found["way"]["steps"])
    HERE.position = position
    if not position:
        gdb.write("The way begins here.\n")
    elif position == found["way"]["steps"]:
        gdb.write("The wave stopped here.\n")
    show("-n", "1")


NOT_FOUND = {"left out": "Nothing that is kept of the way wrote it{}.\n"}


def before(found):
    """What was written behind the place that is looked at is not meant, which is said where there is such a thing."""
    return "" if found["position"] == found["way"]["steps"] else f" before instruction {found['position']}; `tape forth` goes on"


class TapeWay(gdb.Command):
    """Show the instructions that the selected wave executed before it stopped, and what each wrote: `wavetape way`.

Of where `tape back` went, those before that: ten, or as many as `tape way 40` says. Other arguments are options of the command:
`tape way -n 40 --lane 3`, `tape way --registers`."""

    def __init__(self):
        super().__init__("tape way", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument) or [str(LISTED)]
        show(*(words if words[0].startswith("-") else ["-n", *words]))


class TapeBack(gdb.Command):
    """Go back on the way of the selected wave: tape back [N], by N instructions, or one.

The instruction is shown that was executed last there. `tape forth` goes on again. Registers of GDB stay those of the stop:
`tape way --registers` shows those of the place."""

    def __init__(self):
        super().__init__("tape back", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        move(-steps_of(argument.strip(), "back"))


class TapeForth(gdb.Command):
    """Go on on the way of the selected wave, after `tape back`: tape forth [N]."""

    def __init__(self):
        super().__init__("tape forth", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        move(steps_of(argument.strip(), "forth"))


class TapeLastWrite(gdb.Command):
    """Go to the instruction that wrote something last: tape last-write v3, tape last-write 0x7f00, tape last-write i.

A register, an address of memory, or a variable, of the first lane whose access failed, or the first active one; before
where `tape back` went. Options of
`wavetape way` may stand before it: `tape last-write --lane 3 v4`."""

    def __init__(self):
        super().__init__("tape last-write", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if not words:
            raise gdb.GdbError("Who wrote what? `tape last-write WHAT`.")
        options = [*words[:-1], f"--last-write={words[-1]}", "-n", "1"]
        found = ask(*options)
        if found["answer"] not in ("found", "may be"):
            gdb.write(NOT_FOUND.get(found["answer"], "Nothing on the way wrote it{}.\n").format(before(found)))
            return
        show(*options)
        HERE.position = found["position"]


def define():
    TapeWay()
    TapeBack()
    TapeForth()
    TapeLastWrite()
