# SPDX-License-Identifier: MIT
"""What the tests of going back and forth in a replay share: the travel client, and what it is asked over its socket."""

import os
import socket
import subprocess

import support
from support import Case

# A session of a client that makes steps: at its stops waves come to an end one after the other.
STEPS = ("--steps", "20", "--alone", "4", "--stops", "30")
STOPS = 8  # of that session


class Client:
    """The travel client over a trace, and commands to it."""

    def __init__(self, trace, runtime, **variables):
        self.process = subprocess.Popen(
            [*support.script("end-to-end/travel-client.py")], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=support.environment(**{
                "LD_LIBRARY_PATH": support.TREE.libraries["replay"].parent,
                "WAVETAPE_TRACE": trace, "XDG_RUNTIME_DIR": runtime, **variables}))
        self.pid = int(self.answer()[-1].split()[1])

    def answer(self):
        lines = []
        while not lines or not lines[-1].startswith("ok"):
            line = self.process.stdout.readline()
            assert line, f"the client ended: {lines}"
            lines.append(line.rstrip("\n"))
        return lines

    def do(self, *commands):
        lines = []
        for command in commands:
            self.process.stdin.write(f"{command}\n")
            self.process.stdin.flush()
            lines += self.answer()[:-1]
        return lines

    def waves(self, state=None):
        """Those that are listed; with a state, those that are in it."""
        waves = [line.split()[1:] for line in self.do("waves")]
        return [int(wave) for wave, its_state in waves if state in (None, int(its_state))]

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(support.TIMEOUT)
        self.process.stdout.close()
        return code


class StepsCase(Case):
    def steps(self):
        """A trace of the session with steps, made once per program."""
        if "steps" not in support.TREE.traces:
            path = support.TREE.temporary / "steps.wtape"
            self.wavetape("record", "--reproducible", "-o", path, "--dbgapi",
                          support.TREE.libraries["simulated"], "--", support.TREE.client, *STEPS,
                          WAVETAPE_WORKLOAD=support.TREE.workload("debug-trap"))
            support.TREE.traces["steps"] = path
        return support.TREE.traces["steps"]


class TravelCase(StepsCase):
    def setUp(self):
        super().setUp()
        self.clients = []

    def tearDown(self):
        for client in self.clients:
            client.process.kill()
            client.process.wait()
            client.process.stdin.close()
            client.process.stdout.close()
        super().tearDown()

    def client(self, trace=None, **variables):
        client = Client(trace or self.steps(), self.directory, **variables)
        self.clients.append(client)
        return client

    def command(self, *arguments, **options):
        return self.wavetape(*arguments, XDG_RUNTIME_DIR=self.directory, **options)

    def socket(self, client):
        found = list((self.directory / "wavetape").glob(f"{client.pid}-*-*.sock"))
        self.assertEqual(len(found), 1, found)
        return found[0]

    def connect(self, client):
        connection = socket.socket(socket.AF_UNIX)
        path = self.socket(client)
        folder = os.open(path.parent, os.O_PATH)
        connection.connect(f"/proc/self/fd/{folder}/{path.name}")
        os.close(folder)
        connection.settimeout(support.TIMEOUT)
        return connection

    def ask(self, client, request):
        with self.connect(client) as connection:
            connection.sendall(request if isinstance(request, bytes) else
                               f"wavetape 1 {request}\n".encode())
            answer = b""
            while part := connection.recv(65536):
                answer += part
        first, *fields = answer.decode().splitlines()
        return first, dict(line.split(" ", 1) for line in fields)

    def go(self, client, stop):
        """Send a client to a stop and let it see that; its events."""
        first, fields = self.ask(client, f"goto {stop}")
        self.assertEqual((first, fields["wanted"]), ("wavetape 1 ok", str(stop)))
        events = client.do("resume", "wait", "pump")
        self.assertEqual(self.place(client), stop)
        return events

    def place(self, client):
        return int(self.ask(client, "info")[1]["stop"])
