# SPDX-License-Identifier: MIT
"""A client of `wavetape dap`: requests, responses, and the events that come in between."""

import json
import pathlib

import piped


class Refused(Exception):
    """The adapter answered that it cannot."""


def framed(data):
    """The first message of some bytes, and the rest; None while it is not whole."""
    head, separator, rest = data.partition(b"\r\n\r\n")
    if not separator:
        return None
    assert head.startswith(b"Content-Length: "), head
    length = int(head[16:])
    return (rest[:length], rest[length:]) if len(rest) >= length else None


class Client(piped.Piped):
    """One session. Every message that came is in `seen`."""

    def __init__(self, command, environment, timeout=50):
        super().__init__(command, environment, timeout)
        self.sequence = 0
        self.seen = []
        self.events = []

    def frame(self, message):
        data = json.dumps(message).encode()
        return b"Content-Length: %d\r\n\r\n" % len(data) + data

    def read(self):
        """The next message."""
        message = json.loads(self.take(framed))
        self.seen.append(message)
        return message

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


class Schema:
    """The protocol's own description of its messages."""

    def __init__(self, path):
        import jsonschema  # pylint: disable=import-outside-toplevel

        self.whole = json.loads(pathlib.Path(path).read_text("utf-8"))
        self.kinds = {}
        for name, definition in self.whole["definitions"].items():
            for part in definition.get("allOf", []):
                fields = part.get("properties", {})
                if "event" in fields and "enum" in fields["event"]:
                    self.kinds["event", fields["event"]["enum"][0]] = name
                if "command" in fields and "enum" in fields["command"]:
                    self.kinds["response", fields["command"]["enum"][0]] = name.replace("Request", "Response")
        self.validator = jsonschema.Draft4Validator

    def check(self, message):
        name = self.kinds.get((message["type"], message.get("event") or message.get("command")))
        if message["type"] == "response" and not message["success"]:
            name = "ErrorResponse"
        if name in self.whole["definitions"]:
            self.validator({"$ref": f"#/definitions/{name}", "definitions": self.whole["definitions"]}).validate(message)
        return name
