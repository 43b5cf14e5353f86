# SPDX-License-Identifier: MIT
"""What other programs do to a trace while it is recorded: one wants to record into it, too, and one cuts it."""

import os
import signal
import subprocess
import time

import support
from support import Case

SESSION = ("--break", "oob_store", "--steps", "40", "--alone", "40", "--stops", "40", "--lines", "1")
OTHERS = "log 3: wavetape: not recorded: {}: another process records into that trace\n"


def end_of(client):
    """Wait until a process that was sent SIGSTOP stands still."""
    limit = time.monotonic() + support.TIMEOUT
    while time.monotonic() < limit:
        with open(f"/proc/{client.pid}/stat", encoding="ascii") as status:
            if status.read().rpartition(")")[2].split()[0] == "T":
                return
        time.sleep(0.001)
    raise AssertionError("the client does not stop")


class Live(Case):
    def setUp(self):
        super().setUp()
        self.trace = self.directory / "live.wtape"

    def variables(self, options):
        return {"LD_LIBRARY_PATH": support.TREE.libraries["record"].parent, "WAVETAPE_TRACE": self.trace,
                "WAVETAPE_OPTIONS": options, "WAVETAPE_DBGAPI": support.TREE.libraries["simulated"],
                "WAVETAPE_WORKLOAD": support.TREE.workload("oob-store")}

    def meanwhile(self, options, stop, work):
        """Do some work while a recorded client stands still at or after a stop; its output and exit code."""
        with subprocess.Popen([support.TREE.client, *SESSION], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              env=support.environment(**self.variables(options))) as client:
            told = b""
            while b"---- stop %d\n" % stop not in told:
                data = os.read(client.stdout.fileno(), 65536)
                self.assertTrue(data, told[-1000:])
                told += data
            client.send_signal(signal.SIGSTOP)
            try:
                end_of(client)
                work(client)
            finally:
                client.send_signal(signal.SIGCONT)
            told += client.communicate(timeout=support.TIMEOUT)[0]
        return client, told.decode()

    def alone(self):
        """What the client tells when nobody records it."""
        return self.expect(self.client("simulated", *SESSION, WAVETAPE_WORKLOAD=support.TREE.workload("oob-store")))

    def claims(self, client):
        """Where the descriptors lead that the client has of the trace."""
        folder = f"/proc/{client.pid}/fd"
        found = [os.readlink(f"{folder}/{name}") for name in os.listdir(folder)]
        return sorted(path for path in found if path.startswith(str(self.trace)))

    def test_claim_of_a_ring(self):
        """The claim goes along when a ring puts a new file in place of the trace, and the old file is given back."""
        others = []

        def work(client):
            self.assertEqual(self.claims(client), [str(self.trace)] * 2)
            others.append(support.run(support.TREE.client, *SESSION, **self.variables("")))

        client, told = self.meanwhile("ring=3", 14, work)
        self.assertEqual((client.returncode, told), (0, self.alone()))
        text, log = support.without_log(others[0].stdout)
        self.assertEqual((others[0].code, others[0].stderr, text, log),
                         (0, "", told, OTHERS.format(self.trace)))
        information = self.json("info", self.trace)
        self.assertEqual((information["process_id"], information["stops"]), (client.pid, 3))

    def test_command(self):
        """`record` with the name of a trace that is being recorded."""
        command = ("record", "-o", self.trace, "--workload", support.TREE.workload("vecadd"))
        refused = f"wavetape: cannot write the trace: {self.trace}: another process records into it; give another name\n"
        names = []

        def work(_client):
            self.wavetape(*command, code=2, stdout="", stderr=refused)
            names.append(sorted(os.listdir(self.directory)))

        for _ in range(2):
            client, told = self.meanwhile("", 1, work)
            self.assertEqual((client.returncode, told), (0, self.alone()))
            self.assertEqual(self.json("info", self.trace)["process_id"], client.pid)
        self.assertEqual(names, [["live.wtape"]] * 2)
        self.wavetape(*command, stdout="the workload ran to its end; 1 stop\n")

    def test_cut(self):
        """As logrotate's copytruncate does it. The client goes on, and is told that its recording has ended."""
        def work(client):
            with open(f"/proc/{client.pid}/maps", encoding="utf-8") as maps:
                self.assertNotIn(str(self.trace), maps.read())
            os.truncate(self.trace, 0)

        client, told = self.meanwhile("no-mapping", 8, work)
        text, log = support.without_log(told)
        self.assertEqual((client.returncode, text), (0, self.alone()))
        self.assertEqual(log, f"log 2: wavetape: cannot write the trace: {self.trace}: somebody made the file "
                              "shorter while it was written\n")


if __name__ == "__main__":
    support.main(__doc__)
