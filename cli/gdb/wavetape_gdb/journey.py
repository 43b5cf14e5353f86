# SPDX-License-Identifier: MIT
"""Going to another stop.

The library goes at once where it can. Waves that are there, too, stay stopped, and GDB forgets what it had read of them; others
are gone, or new. To be told of new waves and code GDB lets the host's thread go alone: the host calls a function, and waves
stop.

Where the library cannot do so, because GDB gave a command to a wave that is gone there, and for a front end, which wants to see the
program go, all of it is let go: when all waves run the library goes, and waves stop there. GDB has kept back the stops of
waves that stopped at the same time, and would show each before that: signals do not stop it until the host has called.
"""

import os
import signal

import gdb

from wavetape_gdb import breakpoints, console, control, dbgapi, precision, threads

READY = "wavetape_host_ready"
# What GDB makes of the reasons for which waves stop.
SIGNALS = ("SIGTRAP", "SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT")
# What a host gets that cannot go on: it would have it again and again otherwise. The library takes no notice that waves get it.
ENDINGS = ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE")


def quietly(command):
    return gdb.execute(command, to_string=True)


def parameter(name):
    """None where this GDB has no such parameter."""
    try:
        return gdb.parameter(name)
    except RuntimeError:
        return None


def find_locks():
    """What keeps threads from running side by side, with its value: in some GDBs a parameter, in others a prefix of some."""
    names = ["scheduler-locking"]
    if parameter(names[0]) is None:
        names = [f"{names[0]} {mode}{kind}" for mode in ("", "replay ") for kind in ("continue", "eval", "step")]
    values = {name: parameter(name) for name in names}
    return {name: {True: "on", False: "off"}.get(value, value) for name, value in values.items() if value is not None}


def has_text_interface():
    """Does GDB draw on the terminal?"""
    try:
        return "is not active" not in console.text("info win")
    except gdb.error:
        return False


class Uninterrupted:
    """Ctrl-C waits, from when the library may be elsewhere until GDB has been told. A GDB that is stopped in between takes some threads for
    running that are not, and ends itself later. While the program runs the terminal is the program's, which stops for Ctrl-C."""

    def __enter__(self):
        self.kept = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])

    def __exit__(self, *_):
        signal.pthread_sigmask(signal.SIG_SETMASK, self.kept)


class Settings:
    """What would keep GDB from letting the wanted threads run, put aside: all threads, or the selected one alone.

    GDB steps a thread alone over a breakpoint that it stands at.
    """

    def __init__(self, alone):
        self.breakpoints = [each for each in gdb.breakpoints() if each.enabled]
        self.locks = find_locks()
        self.alone = alone
        self.plain = {name: parameter(name) for name in ("pagination", "confirm")}

    def __enter__(self):
        for each in self.breakpoints:
            each.enabled = False
        for name in self.plain:
            quietly(f"set {name} off")
        for name in self.locks:
            quietly(f"set {name} {'on' if self.alone else 'off'}")

    def __exit__(self, *_):
        for each in self.breakpoints:
            if each.is_valid():
                each.enabled = True
        for name, value in self.locks.items():
            try:
                quietly(f"set {name} {value}")
            except gdb.error:
                pass  # not without a program
        for name, value in self.plain.items():
            quietly(f"set {name} {'on' if value else 'off'}")


class Signals:
    """Signals that do not stop GDB."""

    def __init__(self):
        self.kept = []

    def __enter__(self):
        for name in SIGNALS:
            words = console.text(f"info signals {name}").splitlines()[-1].split()[1:4]
            self.kept.append((name, [word.lower() != "no" for word in words]))
            quietly(f"handle {name} nostop noprint {'pass' if name in ENDINGS else 'nopass'}")
        return self

    def restore(self):
        for name, settings in self.kept:
            words = [word if on else f"no{word}" for on, word in zip(settings, ("stop", "print", "pass"))]
            # What says stop says print, too.
            quietly(f"handle {name} {words[1]} {words[0]} {words[2]}")
        self.kept = []

    def __exit__(self, *_):
        self.restore()


class Arrival(gdb.Breakpoint):
    """The host calls: the library may be there."""

    def __init__(self, journey, signals):
        super().__init__(READY, internal=True)
        self.silent = True
        self.journey = journey
        self.signals = signals

    def stop(self):
        fields = control.ask("info")
        if fields["done"] < self.journey:
            return False
        self.signals.restore()
        # Nothing else stops GDB there.
        return fields["events"] < self.journey

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.is_valid():
            self.delete()


class Silence:
    """GDB prints stops past every redirection of its own."""

    def __init__(self):
        self.kept = None

    def __enter__(self):
        gdb.flush()
        if not console.is_for_front_end() and not has_text_interface():
            self.kept = os.dup(1)
            null = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
            os.dup2(null, 1)
            os.close(null)
        return self

    def __exit__(self, *_):
        gdb.flush()
        if self.kept is not None:
            os.dup2(self.kept, 1)
            os.close(self.kept)


def check_arrival(journey):
    """The fields of the library's answer, once the journey is over."""
    fields = control.ask("info")
    if fields["failed"] == journey:
        raise gdb.GdbError(f"Cannot go to stop {fields['wanted']}: {fields['why']}.")
    return fields if fields["done"] >= journey else None


def let_go(journey, alone):
    """Continue, the host's thread alone or all, until GDB has been told of the stop."""
    if alone or threads.selected() is None:
        threads.select(0)
    with breakpoints.unannounced(), Settings(alone), Signals() as signals, Arrival(journey, signals), Silence():
        if threads.wave_of(threads.selected()):
            quietly("queue-signal 0")
        # What MI says of it is for the front end; since GDB 18 a string takes that, too.
        gdb.execute("continue", to_string=not console.speaks_mi())


def is_code(address):
    """Has the program something at an address that can be executed?"""
    with open(f"/proc/{gdb.selected_inferior().pid}/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps:
            places, access = line.split()[:2]
            first, end = (int(place, 16) for place in places.split("-"))
            if first <= address < end and "x" in access:
                return True
    return False


def check_host():
    """It has to go on for a journey, and has a pc that one can write to."""
    selected = threads.selected()
    threads.select(0)
    pc = int(gdb.parse_and_eval("$pc"))
    if selected is not None:
        selected.switch()
    try:
        fine = is_code(pc)
    except OSError:
        return
    if not fine:
        raise gdb.GdbError(f"wavetape-host cannot go on: the $pc of its thread is {pc:#x}, where it has no code. "
                           "Set it back, or `run` again.")


def forget():
    """GDB keeps what it has read of registers and memory until the program goes on."""
    quietly("maintenance flush register-cache")
    quietly("maintenance flush dcache")


def stay():
    """What is left of a journey is given up, at whatever stop the program is by now."""
    control.ask("stay")
    threads.all_threads()  # makes GDB call the library, which takes the request
    forget()


def go(journey, at_once):
    """The library's answer when it is there and GDB has been told; None if it is not."""
    fields = None
    if at_once:
        # The library sees that GDB has nothing to lose, and GDB which waves there are.
        threads.all_threads()
        fields = check_arrival(journey)
    if fields:
        forget()
    if not fields or fields["quiet"] < journey:
        let_go(journey, bool(fields))
    if not threads.is_alive():
        return None
    fields = check_arrival(journey)
    if fields and at_once:
        threads.select(fields["wave"])
    return fields


def show(fields):
    """The new stop, as GDB shows one."""
    wave = threads.wave_of(threads.selected())
    reasons = dbgapi.reason_words(dbgapi.stop_reasons(wave) or 0) if wave else ""
    gdb.write(f"Stop {fields['stop']} of {fields['last']}{': ' if reasons else ''}{reasons}\n")
    if fields["running"] == fields["journey"]:
        gdb.write("No wave was stopped there" + (", all ran on.\n" if wave else ".\n"))
    show_place()


def show_place():
    """The selected wave, as GDB shows it."""
    if threads.wave_of(threads.selected()) and not console.is_for_front_end():
        gdb.execute("thread")
        gdb.execute("frame")


def travel(request, shows=True):
    """Go where a request leads, and show where that is."""
    if gdb.parameter("non-stop"):
        raise gdb.GdbError("Going to another stop needs all-stop mode: `set non-stop off`.")
    if not threads.is_alive():
        raise gdb.GdbError(control.NOT_RUN)
    check_host()
    at_once = not console.is_for_front_end()
    selected = threads.wave_of(threads.selected())
    fields = None
    try:
        journey = control.ask(f"{request} at-once {selected}" if at_once else request)["journey"]
        with Uninterrupted():
            fields = go(journey, at_once)
    except KeyboardInterrupt:
        pass
    finally:
        if not fields and threads.is_alive():
            with Uninterrupted():
                stay()
        precision.arrived()
    if fields and shows:
        show(fields)
    elif fields:
        return
    elif threads.is_alive():
        place = control.ask("info")["stop"]
        raise gdb.GdbError(f"Interrupted: the program is at stop {place}.")
    elif gdb.convenience_variable("_exitsignal") is not None:
        raise gdb.GdbError("A signal has ended wavetape-host on the way: `run` starts it again.")
    else:
        gdb.write("The program has ended.\n")
