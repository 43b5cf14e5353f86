# SPDX-License-Identifier: MIT
"""A client of `wavetape dap`: requests, responses, and the events that come in between."""

import json
import os
import select
import subprocess
import time


class Refused(Exception):
    """The adapter answered that it cannot."""


class Client:
    """One session over the pipes of a process. Every message that came is in `seen`."""

    def __init__(self, command, environment, timeout=50):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment)
        self.timeout = timeout
        self.bytes = b""
        self.sequence = 0
        self.seen = []
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
        self.process.wait()

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def frame(self, message):
        data = json.dumps(message).encode()
        return b"Content-Length: %d\r\n\r\n" % len(data) + data

    def read(self):
        """The next message."""
        end = time.monotonic() + self.timeout
        while True:
            head, separator, rest = self.bytes.partition(b"\r\n\r\n")
            if separator:
                assert head.startswith(b"Content-Length: "), head
                length = int(head[16:])
                if len(rest) >= length:
                    self.bytes = rest[length:]
                    message = json.loads(rest[:length])
                    self.seen.append(message)
                    return message
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise TimeoutError(self.bytes[:200])
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                raise EOFError(self.process.stderr.read().decode())
            self.bytes += data

    def send(self, command, **arguments):
        """Send a request; its number."""
        self.sequence += 1
        message = {"seq": self.sequence, "type": "request", "command": command}
        if arguments:
            message["arguments"] = arguments
        self.write(self.frame(message))
        return self.sequence

    def receive(self, sequence):
        """The response to a request; events on the way are kept."""
        while True:
            message = self.read()
            if message["type"] == "event":
                self.events.append(message)
            elif message["request_seq"] == sequence:
                return message

    def ask(self, command, **arguments):
        """The body of a response."""
        response = self.receive(self.send(command, **arguments))
        assert response["command"] == command, response
        if not response["success"]:
            raise Refused(response["message"])
        return response.get("body")

    def event(self, name):
        """The oldest event of a name, and what it says."""
        while True:
            for index, message in enumerate(self.events):
                if message["event"] == name:
                    return self.events.pop(index).get("body")
            message = self.read()
            assert message["type"] == "event", message
            self.events.append(message)

    def begin(self, kind="launch", capabilities=None, **arguments):
        """From initialize to the first stop, which is the result."""
        self.ask("initialize", adapterID="wavetape", supportsVariableType=True, **(capabilities or {}))
        self.ask(kind, **arguments)
        self.event("initialized")
        self.ask("configurationDone")
        return self.event("stopped")

    def scopes(self, frame):
        return {scope["name"]: scope for scope in self.ask("scopes", frameId=frame)["scopes"]}

    def variables(self, reference, **arguments):
        return self.ask("variables", variablesReference=reference, **arguments)["variables"]

    def end(self):
        """Disconnect; the exit code, and what was printed on standard error."""
        self.ask("disconnect")
        self.process.stdin.close()
        code = self.process.wait(self.timeout)
        return code, self.process.stderr.read().decode()
