# SPDX-License-Identifier: MIT
"""The control socket of the replaying library in this process (replayer/control/name.h)."""

import os
import re
import socket

import gdb

HELLO = "wavetape 1 "
PATIENCE = 60  # seconds: the library may have to read the whole trace first
NOT_RUN = "The program is not being run: `run` comes first."


def no_argument(argument, name):
    if argument.strip():
        raise gdb.GdbError(f"`{name}` takes no argument.")


def directory():
    """Where control sockets are; as the library finds it."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime:
        return os.path.join(runtime, "wavetape")
    return os.path.join(os.environ.get("TMPDIR") or "/tmp", f"wavetape-{os.geteuid()}")


def find_socket():
    """The socket of the library in this process; None if it replays nothing."""
    name = re.compile(rf"{os.getpid()}-[0-9a-f]+-[0-9a-f]+\.sock")
    try:
        found = [entry for entry in os.listdir(directory()) if name.fullmatch(entry)]
    except OSError:
        found = []
    return os.path.join(directory(), found[0]) if found else None


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


def receive(path, request):
    answer = b""
    try:
        with connect(path) as connection:
            connection.sendall(f"{HELLO}{request}\n".encode())
            while True:
                part = connection.recv(65536)
                if not part:
                    return answer.decode("ascii", "replace").splitlines()
                answer += part
    except OSError as error:
        raise gdb.GdbError(f"Cannot talk to the replaying library: {error}") from None


def ask(request):
    """The fields of an answer, by their names; `trace` and `why` as text, the others as numbers."""
    path = find_socket()
    if path is None:
        raise gdb.GdbError(
            NOT_RUN if "WAVETAPE_HOST" in os.environ else
            "No recording is being replayed in this GDB. Start it with `wavetape replay FILE -- gdb`, "
            "and the program with `run`.")
    first, *lines = receive(path, request) or [""]
    if first.startswith(HELLO + "refused "):
        raise gdb.GdbError(first[len(HELLO + "refused "):].capitalize() + ".")
    if first != HELLO + "ok":
        raise gdb.GdbError("The replaying library does not answer as this version does.")
    fields = dict(line.split(" ", 1) for line in lines if " " in line)
    return {name: unescape(value) if name in ("trace", "why") else int(value)
            for name, value in fields.items()}


def unescape(text):
    """Bytes that an answer has as %XX."""
    plain = re.sub(rb"%([0-9A-F]{2})", lambda match: bytes([int(match[1], 16)]), text.encode())
    return plain.decode("utf-8", "backslashreplace")
