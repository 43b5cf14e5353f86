# SPDX-License-Identifier: MIT
"""GDB commands to go back and forth in a recording: tape goto, tape next, tape previous, tape info.

`wavetape replay FILE -- gdb` loads this file; `source` does it by hand. The commands talk to the replaying
library, which is loaded in this very process, over its control socket (replayer/control/name.h): the library
notes where to go, and raises the events of that stop as soon as GDB resumes the program.
"""

import os
import re
import socket

import gdb

HELLO = "wavetape 1 "
PATIENCE = 60  # seconds: the library may have to read the whole trace first
LIMIT = 10000  # `continue`s for one journey; each tells one stop that GDB had kept back


def directory():
    """Where control sockets are; as the library finds it."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime:
        return os.path.join(runtime, "wavetape")
    return os.path.join(os.environ.get("TMPDIR") or "/tmp", f"wavetape-{os.geteuid()}")


def find_socket():
    """The socket of the library in this process."""
    name = re.compile(rf"{os.getpid()}-[0-9a-f]+-[0-9a-f]+\.sock")
    try:
        found = [entry for entry in os.listdir(directory()) if name.fullmatch(entry)]
    except OSError:
        found = []
    if not found:
        raise gdb.GdbError(
            "No recording is being replayed in this GDB. Start it with `wavetape replay FILE -- gdb`, "
            "and the program with `run`.")
    return os.path.join(directory(), found[0])


def connect(path):
    """A connection, however long the path is."""
    folder = os.open(os.path.dirname(path), os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(f"/proc/self/fd/{folder}/{os.path.basename(path)}")
        connection.settimeout(PATIENCE)
        return connection
    finally:
        os.close(folder)


def ask(request):
    """The fields of an answer."""
    answer = b""
    try:
        with connect(find_socket()) as connection:
            connection.sendall(f"{HELLO}{request}\n".encode())
            while True:
                part = connection.recv(65536)
                if not part:
                    break
                answer += part
    except OSError as error:
        raise gdb.GdbError(f"Cannot talk to the replaying library: {error}") from None
    lines = answer.decode("ascii", "replace").splitlines()
    first = lines[0] if lines else ""
    if first.startswith(HELLO + "refused "):
        raise gdb.GdbError(first[len(HELLO + "refused "):].capitalize() + ".")
    if first != HELLO + "ok":
        raise gdb.GdbError("The replaying library does not answer as this version does.")
    return dict(line.split(" ", 1) for line in lines[1:] if " " in line)


def unescape(text):
    """Bytes that an answer has as %XX."""
    plain = re.sub(rb"%([0-9A-F]{2})", lambda match: bytes([int(match[1], 16)]), text.encode())
    return plain.decode("utf-8", "backslashreplace")


def is_alive():
    return gdb.selected_inferior().pid != 0


def live_thread():
    """The selected thread, or, if that is gone, another one, selected now; None if there is none."""
    try:
        thread = gdb.selected_thread()
        if thread is not None and thread.is_valid() and not thread.is_exited():
            return thread
    except SystemError:
        pass  # how GDB says that the selected thread has exited
    for thread in reversed(gdb.selected_inferior().threads()):
        if thread.is_valid() and not thread.is_exited():
            thread.switch()
            return thread
    return None


def drop_signal():
    """Let the wave that stopped last go on without the exception it stopped for."""
    thread = live_thread()
    if thread is not None and thread.is_stopped():
        gdb.execute("queue-signal 0", to_string=True)


class OutOfTheWay:
    """What would keep GDB from letting all waves run at once, put aside.

    GDB steps a thread alone over a breakpoint that it stands at, and keeps back hits of others at
    breakpoints.
    """

    def __init__(self):
        self.breakpoints = [each for each in gdb.breakpoints() if each.enabled]
        self.locks = gdb.parameter("scheduler-locking") == "on"
        self.pagination = gdb.parameter("pagination")

    def __enter__(self):
        for each in self.breakpoints:
            each.enabled = False
        if self.locks:
            gdb.execute("set scheduler-locking off", to_string=True)
        gdb.execute("set pagination off", to_string=True)

    def __exit__(self, *_):
        for each in self.breakpoints:
            if each.is_valid():
                each.enabled = True
        if self.locks and is_alive():
            gdb.execute("set scheduler-locking on", to_string=True)
        gdb.execute(f"set pagination {'on' if self.pagination else 'off'}", to_string=True)


def may_be_silenced():
    """Is standard output a terminal, and nothing but lines of text on it?

    A front end behind a pipe wants every stop; the text user interface draws on the terminal.
    """
    try:
        windows = gdb.execute("info win", to_string=True)
    except gdb.error:
        windows = ""
    return os.isatty(1) and "is not active" in windows


class Silence:
    """GDB prints each stop past every redirection of its own, also those that it had kept back."""

    def __init__(self):
        self.kept = None

    def __enter__(self):
        gdb.flush()
        if may_be_silenced():
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


def is_over(journey):
    fields = ask("info")
    if int(fields["failed"]) == journey:
        raise gdb.GdbError(f"Cannot go to stop {fields['wanted']}: {unescape(fields['why'])}.")
    return int(fields["done"]) >= journey


def run_until_there(journey):
    """Continue until all waves run at once, and the library is free to go; the last stop."""
    stops = []
    gdb.events.stop.connect(stops.append)
    try:
        for _ in range(LIMIT):
            drop_signal()
            gdb.execute("continue")
            if not is_alive() or is_over(journey):
                return stops[-1] if stops else None
    finally:
        gdb.events.stop.disconnect(stops.append)
    raise gdb.GdbError("The stop was not reached: some wave is never let go.")


def show(stop, journey):
    """The new stop, as GDB shows one."""
    fields = ask("info")
    if int(fields.get("running", 0)) == journey:
        gdb.write(f"At stop {fields['wanted']} no wave is stopped, so there is nothing to show: the program went on "
                  "from there to the next one.\n")
    # A trap is not told: it is how most waves stop.
    signal = f": {stop.stop_signal}" if isinstance(stop, gdb.SignalEvent) else ""
    gdb.write(f"Stop {fields['stop']} of {fields['last']}{signal}\n")
    if live_thread() is not None:
        gdb.execute("thread")
        gdb.execute("frame")


def travel(request):
    """Ask, let the program run until it is there, and show where that is."""
    if gdb.parameter("non-stop"):
        raise gdb.GdbError("Going to another stop needs all-stop mode: `set non-stop off`.")
    if not is_alive():
        raise gdb.GdbError("The program is not being run: `run` comes first.")
    journey = int(ask(request)["journey"])
    with OutOfTheWay(), Silence():
        stop = run_until_there(journey)
    if is_alive():
        show(stop, journey)
    else:
        gdb.write("No wave is stopped there, and nothing comes after it: the program has ended.\n")


def no_argument(argument, name):
    if argument.strip():
        raise gdb.GdbError(f"`{name}` takes no argument.")


class Tape(gdb.Command):
    """Commands for the recording that is replayed."""

    def __init__(self):
        super().__init__("tape", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, True)


class TapeGoto(gdb.Command):
    """Go to a stop of the recording: tape goto STOP.

Stops are counted from 1, as `wavetape stops FILE` lists them. Waves that run between the two stops
are at the new one; waves that come back have other numbers than before. What was written to
registers is lost, and what was written to memory where the recording has other bytes there."""

    def __init__(self):
        super().__init__("tape goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        if not argument.strip():
            raise gdb.GdbError("`tape goto` needs the number of a stop.")
        stop = int(gdb.parse_and_eval(argument))
        if stop < 1:
            raise gdb.GdbError("Stops are counted from 1.")
        travel(f"goto {stop}")


class TapeNext(gdb.Command):
    """Go to the next stop of the recording, whatever it takes to get there."""

    def __init__(self):
        super().__init__("tape next", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        no_argument(argument, "tape next")
        travel("next")


class TapePrevious(gdb.Command):
    """Go back to the stop of the recording before this one."""

    def __init__(self):
        super().__init__("tape previous", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        no_argument(argument, "tape previous")
        travel("previous")


class TapeInfo(gdb.Command):
    """Say which recording is replayed, and at which of its stops the program is."""

    def __init__(self):
        super().__init__("tape info", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        no_argument(argument, "tape info")
        fields = ask("info")
        gdb.write(f"Recording {unescape(fields['trace'])}\n")
        if fields["last"] == "0":
            gdb.write("It has no stop.\n")
        elif fields["stop"] == "0":
            gdb.write(f"Before the first of stops {fields['first']} to {fields['last']}.\n")
        else:
            gdb.write(f"At stop {fields['stop']} of {fields['first']} to {fields['last']}.\n")
        if int(fields["done"]) < int(fields["journey"]):
            gdb.write(f"On the way to stop {fields['wanted']}: `continue` gets there.\n")


Tape()
TapeGoto()
TapeNext()
TapePrevious()
TapeInfo()
