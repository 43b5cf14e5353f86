# SPDX-License-Identifier: MIT
"""What waves there are at a stop, and why they stopped: tape waves, and a word after `run`."""

import collections
import os

import gdb

from wavetape_gdb import console, control, dbgapi, threads

# Bits of the stop reasons that are no fault of the program.
NO_FAULT = ("BREAKPOINT", "WATCHPOINT", "SINGLE_STEP", "DEBUG_TRAP")
HOOK = "wavetape_gdb_remark"
SHOWN_NUMBERS = 6  # runs of thread numbers in one line

Wave = collections.namedtuple("Wave", "thread reasons known pc")


def is_fault(reasons):
    plain = sum(dbgapi.api.ENUMERATIONS[dbgapi.REASONS][dbgapi.REASON + name] for name in NO_FAULT)
    return bool(reasons & ~plain)


def look():
    """All waves at this stop, in the order of their threads."""
    found = []
    for thread in sorted(threads.all_threads(), key=lambda thread: thread.num):
        wave = threads.wave_of(thread)
        if not wave:
            continue
        # Of a wave that ran when the stop was recorded the library knows a pc alone.
        known = dbgapi.get("wave", wave, "EXEC_MASK") is not None
        found.append(Wave(thread, dbgapi.stop_reasons(wave) or 0, known, dbgapi.get("wave", wave, "PC")))
    return found


def words(wave):
    if not wave.known:
        return "ran on"
    return dbgapi.reason_words(wave.reasons) or "asked to stop"


def place(pc):
    """A pc, with the function and the line that it is in."""
    if pc is None:
        return "pc not known"
    symbol = console.text(f"info symbol {pc:#x}")
    name = "" if symbol.startswith("No symbol") else " " + symbol.split(" in section ")[0].replace(" + ", "+")
    line = gdb.find_pc_line(pc)
    file = f" at {line.symtab.filename}:{line.line}" if line.symtab else ""
    return f"{pc:#x}{name}{file}"


def number_runs(numbers):
    """4, 6-9: what `thread apply` takes, without the commas."""
    runs = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    texts = [str(first) if first == last else f"{first}-{last}" for first, last in runs]
    return " ".join(texts[:SHOWN_NUMBERS]) + (" ..." if len(texts) > SHOWN_NUMBERS else "")


def show_groups():
    """Waves that stopped for the same reason at the same place, in one line."""
    found = look()
    groups = collections.OrderedDict()
    # Faults first, then other reasons, then those that were asked to stop, and at last those that ran on.
    for wave in sorted(found, key=lambda wave: (not wave.known, not is_fault(wave.reasons), not wave.reasons)):
        groups.setdefault((words(wave), wave.pc), []).append(wave)
    selected = threads.selected()
    for (why, pc), waves in groups.items():
        marked = any(selected is not None and wave.thread.num == selected.num for wave in waves)
        plural = "s" if len(waves) > 1 else ""
        seen = "" if waves[0].known else "seen last at "
        gdb.write(f"{'*' if marked else ' '} {len(waves)} wave{plural}, {why}: {seen}{place(pc)}\n"
                  f"    thread{plural} {number_runs([wave.thread.num for wave in waves])}\n")
    if not found:
        gdb.write("No waves.\n")


def waves_beside(wave):
    """The waves of the process that one is of. The library lists those of all inferiors."""
    waves = dbgapi.library().list("wave")
    if sum(inferior.pid != 0 for inferior in gdb.inferiors()) < 2:
        return waves
    process = dbgapi.get("wave", wave, "PROCESS")
    return [other for other in waves if dbgapi.get("wave", other, "PROCESS") == process]


class Remark(gdb.Function):
    """After `run`: that others than the wave that GDB shows have stopped, for other reasons."""

    def __init__(self):
        super().__init__(HOOK)
        self.process = 0  # the one that this was said of
        self.seen = set()  # inferiors with a stopped wave, since their program was run
        gdb.events.stop.connect(self.stopped)
        gdb.events.exited.connect(self.exited)
        gdb.events.before_prompt.connect(self.say)
        for command in "run", "start":
            gdb.execute(f"define hookpost-{command}\nset var $_ = ${HOOK}()\nend", to_string=True)

    def invoke(self):
        self.say()
        return 0

    @threads.uninterrupted
    def stopped(self, event):
        if threads.wave_of(threads.selected()):
            self.seen.add(gdb.selected_inferior().num)
        # GDB has yet to show the stop. It does so before it is ready for the next command, on a terminal; front ends have no such moment.
        if console.is_for_front_end():
            gdb.post_event(self.say)

    @threads.uninterrupted
    def exited(self, event):
        number = event.inferior.num
        seen = number in self.seen
        self.seen.discard(number)
        # A program that was killed has an end of its own, and may never have got to a stop.
        if not seen and hasattr(event, "exit_code") and "WAVETAPE_HOST" in os.environ:
            gdb.write("No wave is stopped at any recorded stop of this process.\n")

    @threads.uninterrupted
    def say(self):
        process = gdb.selected_inferior().pid
        wave = threads.wave_of(threads.selected())
        if process in (0, self.process) or not wave or not control.find_socket():
            return
        self.process = process
        shown = dbgapi.stop_reasons(wave)
        others = collections.Counter(map(dbgapi.stop_reasons, waves_beside(wave)))
        others = {reasons: count for reasons, count in others.items() if reasons and reasons != shown}
        if others:
            faults_first = sorted(others.items(), key=lambda item: not is_fault(item[0]))
            parts = [f"{count} for {dbgapi.reason_words(reasons)}" for reasons, count in faults_first]
            gdb.write(f"Other waves have stopped here: {', '.join(parts)}. `tape waves` shows them.\n")
            gdb.flush()


class TapeWaves(gdb.Command):
    """Show the waves of this stop: why they stopped and where, those alike together.

A wave that ran on when the stop was recorded is shown where it was seen last; its registers are not known."""

    def __init__(self):
        super().__init__("tape waves", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        control.no_argument(argument, "tape waves")
        if not threads.is_alive():
            raise gdb.GdbError(control.NOT_RUN)
        show_groups()


def define():
    TapeWaves()
    Remark()
