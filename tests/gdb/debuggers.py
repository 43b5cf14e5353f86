# SPDX-License-Identifier: MIT
"""Driving a GDB: in one go, on a terminal, by MI and by DAP."""

import contextlib
import json
import os
import pty
import re
import select
import subprocess
import time

import process_tree
import support

# What GDB or its Python says when something is wrong with them.
BROKEN = re.compile(r"internal-error|Python Exception|Error occurred in Python|Traceback \(most recent|Segmentation fault \(core")

QUIET = ("-nx", "-q", "-iex", "set pagination off", "-iex", "set confirm off", "-iex", "set width 0",
         "-iex", "set style enabled off")


@contextlib.contextmanager
def ended(process):
    """Nothing of a process is left behind these lines, whatever has kept it."""
    try:
        yield process
    finally:
        process_tree.end(process.pid if process.poll() is None else None)
        process.wait()


def run(gdb, commands, replay=None, options=(), program=(), record=None, timeout=None, **variables):
    """What a GDB prints that is given commands, with the end of its errors; over a recording, or recorded, or as it is."""
    words = [gdb, *QUIET, "-batch", *options, *(word for command in commands for word in ("-ex", command)), *program]
    if replay:
        words = [support.TREE.command, "replay", replay, "--", *words]
    elif record:
        words = [support.TREE.command, "record", "-o", record, "--dbgapi", support.TREE.libraries["simulated"], "--", *words]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=support.environment(**variables)) as process, ended(process):
        stdout, stderr = process.communicate(timeout=timeout or support.TIMEOUT)
    return support.Result(process.returncode, stdout.decode(), stderr.decode())


class Pipe:
    """A GDB over a recording that is talked to by its standard input and output."""

    def __init__(self, gdb, trace, interpreter, directory):
        self.errors = open(directory / "errors", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [support.TREE.command, "replay", trace, "--", gdb, *QUIET, f"-i={interpreter}"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self.errors, env=support.environment())

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        with ended(self.process):
            self.process.stdin.close()
            # One that is to end by itself does so at the end of its input.
            if not failure:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(support.TIMEOUT)
        self.process.stdout.close()
        self.errors.close()

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self):
        # The tests' own time limit ends a GDB that says nothing.
        line = self.process.stdout.readline()
        assert line, "GDB has ended"
        return line


class Mi(Pipe):
    def __init__(self, gdb, trace, directory):
        super().__init__(gdb, trace, "mi3", directory)
        self.until("(gdb) ")

    def until(self, *beginnings):
        lines = []
        while True:
            lines.append(self.line().decode().rstrip("\n"))
            if lines[-1].startswith(beginnings):
                return lines

    def do(self, command, *until):
        """The lines from a command to its result, or to the first one that begins as is said."""
        self.send(command.encode() + b"\n")
        return self.until("^error", *(until or ("^done",)))


class Dap(Pipe):
    def __init__(self, gdb, trace, directory):
        super().__init__(gdb, trace, "dap", directory)
        self.number = 0
        self.events = []

    def message(self):
        length = None
        while (line := self.line()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def send_request(self, command, **arguments):
        self.number += 1
        body = json.dumps({"seq": self.number, "type": "request", "command": command, "arguments": arguments}).encode()
        self.send(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return self.number

    def wait(self, wanted):
        while True:
            message = self.message()
            if message["type"] == "event":
                self.events.append(message)
            if wanted(message):
                return message

    def ask(self, command, **arguments):
        number = self.send_request(command, **arguments)
        return self.wait(lambda message: message["type"] == "response" and message["request_seq"] == number)

    def event(self, name):
        return self.wait(lambda message: message["type"] == "event" and message["event"] == name)


class Terminal:
    """A GDB over a recording, on a terminal of its own."""

    PROMPT = "(gdb) "

    def __init__(self, gdb, trace):
        words = [str(word) for word in (support.TREE.command, "replay", trace, "--", gdb, *QUIET, "-iex",
                                        "set enable-bracketed-paste off")]
        environment = {**support.environment(), "TERM": "dumb"}
        self.pid, self.fd = pty.fork()
        if not self.pid:
            try:
                os.execve(words[0], words, environment)
            finally:
                os._exit(127)
        self.until()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        process_tree.end(self.pid)
        os.close(self.fd)
        os.waitpid(self.pid, 0)

    def until(self):
        """What is shown up to the next prompt."""
        shown, end = "", time.monotonic() + support.TIMEOUT
        while not shown.endswith(self.PROMPT):
            ready = select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]
            assert ready, f"no prompt: {shown}"
            shown += os.read(self.fd, 65536).decode("utf-8", "replace")
        return shown.replace("\r\n", "\n")

    def do(self, command):
        os.write(self.fd, command.encode() + b"\n")
        return self.until().removeprefix(command + "\n").removesuffix(self.PROMPT)

    def interrupt(self, command, seconds):
        """Ctrl-C that long after a command; what is shown until the next command has been carried out."""
        os.write(self.fd, command.encode() + b"\n")
        time.sleep(seconds)
        os.write(self.fd, b"\3")
        # A terminal forgets at Ctrl-C what was typed and is not read.
        time.sleep(0.5)
        os.write(self.fd, b"echo over\\n\n")
        shown = ""
        while "\nover\n" not in shown:
            shown += self.until()
        return shown
