# SPDX-License-Identifier: MIT
"""The control socket of a replay: who may reach it, what it says to anything, and what becomes of it."""

import contextlib
import os
import random
import signal
import stat

import support
from travel import STOPS, TravelCase


class Socket(TravelCase):
    def test_of_the_user_alone(self):
        client = self.client()
        path = self.socket(client)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(path.parent.stat().st_mode), 0o700)
        trace = self.steps().stat()
        self.assertEqual(path.name, f"{client.pid}-{trace.st_dev:x}-{trace.st_ino:x}.sock")
        self.assertEqual(client.end(), 0)
        self.assertFalse(path.exists())

    def test_left_behind(self):
        client = self.client()
        path = self.socket(client)
        client.process.send_signal(signal.SIGKILL)
        client.process.wait()
        self.assertTrue(path.exists())
        self.command("replays", stdout="")
        self.assertFalse(path.exists())

    def test_switched_off(self):
        client = self.client(WAVETAPE_CONTROL="off")
        self.assertFalse((self.directory / "wavetape").exists())
        client.do("pump", "pump", "pump", "show")
        self.assertEqual(client.end(), 0)

    def test_others_could_reach_in(self):
        (self.directory / "wavetape").mkdir(mode=0o700)
        (self.directory / "wavetape").chmod(0o755)
        client = self.client()
        self.assertEqual(list((self.directory / "wavetape").iterdir()), [])
        client.do("pump", "show")
        self.command("replays", code=1, stderr=(
            f"wavetape: cannot use the directory of control sockets: {self.directory}/wavetape: it "
            f"is not the user's alone: mode 755, owner {os.geteuid()}; remove it\n"))

    def test_private_directory_otherwise(self):
        client = self.client(XDG_RUNTIME_DIR="", TMPDIR=self.directory)
        folder = self.directory / f"wavetape-{os.geteuid()}"
        self.assertEqual(len(list(folder.glob(f"{client.pid}-*.sock"))), 1)
        self.assertEqual(stat.S_IMODE(folder.stat().st_mode), 0o700)

    def test_long_path(self):
        deep = self.directory / ("d" * 100) / ("e" * 100)
        deep.mkdir(parents=True)
        client = self.client(XDG_RUNTIME_DIR=deep)
        self.wavetape("goto", client.pid, 3, "--wait", 0, XDG_RUNTIME_DIR=deep,
                      stdout="stop 3 is asked for\n")

    def test_garbage(self):
        client = self.client()
        client.do("pump")
        chosen = random.Random(7)
        requests = [
            b"\n", b"info\n", b"wavetape 2 info\n", b"wavetape 1 info \n", b"wavetape 1 \n",
            b"wavetape 1 goto\n", b"wavetape 1 goto 0\n", b"wavetape 1 goto -1\n",
            b"wavetape 1 goto 99999999999999999999\n", b"wavetape 1 goto 3x\n",
            b"wavetape 1 goto 3\0\n" + b"x", b"x" * 64, b"x" * 1000, b"\0" * 64,
            b"wavetape 1 goto %n%n%s\n", b"wavetape 1 nextt\n",
        ]
        requests += [bytes(chosen.choices(range(256), k=63)) + b"\n" for _ in range(50)]
        for request in requests:
            with contextlib.suppress(ConnectionError):
                first, _ = self.ask(client, request)
                if request != b"wavetape 1 goto 3\0\nx":
                    self.assertRegex(first, r"^wavetape 1 refused .", request)
        self.assertEqual(self.ask(client, "info")[0], "wavetape 1 ok")

    def test_clients_that_vanish(self):
        client = self.client()
        client.do("pump")
        for part in (b"", b"wave", b"wavetape 1 info\n", b"wavetape 1 goto 3"):
            for _ in range(20):
                connection = self.connect(client)
                connection.sendall(part)
                connection.close()
        self.assertEqual(self.ask(client, "info")[1]["journey"], "0")

    def test_many_that_say_nothing(self):
        client = self.client()
        client.do("pump")
        idle = [self.connect(client) for _ in range(15)]
        self.assertEqual(self.ask(client, "info")[0], "wavetape 1 ok")
        more = [self.connect(client) for _ in range(15)]
        # They are all hung up on after a while, and whoever comes then is served.
        for connection in idle + more:
            self.assertEqual(connection.recv(1), b"")
            connection.close()
        self.assertEqual(self.ask(client, "info")[0], "wavetape 1 ok")
        self.go(client, 4)

    def test_wishes_from_many_at_once(self):
        client = self.client()
        client.do("pump")
        connections = [self.connect(client) for _ in range(12)]
        for number, connection in enumerate(connections):
            connection.sendall(f"wavetape 1 goto {number % STOPS + 1}\n".encode())
        for connection in connections:
            self.assertTrue(connection.recv(65536).startswith(b"wavetape 1 ok\n"))
            connection.close()
        wanted = int(self.ask(client, "info")[1]["wanted"])
        client.do("resume", "wait", "pump")
        _, fields = self.ask(client, "info")
        self.assertEqual((fields["stop"], fields["journey"], fields["done"]),
                         (str(wanted), "12", "12"))

    def test_trace_replaced(self):
        trace = self.directory / "copy.wtape"
        trace.write_bytes(self.steps().read_bytes())
        client = self.client(trace)
        client.do("pump")
        trace.unlink()
        trace.write_bytes(self.steps().read_bytes()[:1000])
        self.assertEqual(
            self.ask(client, "goto 3")[0],
            f"wavetape 1 refused the trace is no longer where it was: {trace}")

    def test_damaged_on_the_way(self):
        """A stop that cannot be read: the client stays where it is, and everybody is told."""
        trace = self.directory / "damaged.wtape"
        whole = self.steps().read_bytes()
        stops = len(self.json("stops", self.steps())["stops"])
        self.assertEqual(stops, STOPS)
        trace.write_bytes(whole)
        client = self.client(trace)
        client.do("pump")
        self.assertEqual(self.ask(client, "info")[0], "wavetape 1 ok")
        with open(trace, "r+b") as file:
            file.seek(len(whole) // 3)
            file.write(bytes(len(whole) // 3))
        _, fields = self.ask(client, "goto 5")
        lines = client.do("resume", "wait", "pump")
        _, fields = self.ask(client, "info")
        self.assertEqual(fields["done"], "1")
        if fields["stop"] == "5":
            self.skipTest("the stop was read before it was overwritten")
        self.assertEqual(fields["failed"], "1")
        self.assertRegex("\n".join(lines), r"log \d cannot go to another stop: ")


if __name__ == "__main__":
    support.main(__doc__)
