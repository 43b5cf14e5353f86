# SPDX-License-Identifier: MIT
"""Unit tests of a library through its API: a client that expects every answer.

    class Waves(Case):
        def test_stop(self):
            self.start()
            process = self.attach_ready()
            self.gives(self.api.wave_stop(1), "ERROR_INVALID_WAVE_ID")

    main(__doc__)  # ARGUMENTS: LIBRARY [FOLDER-OF-WORKLOADS [TEST...]]
"""

import os
import sys
import unittest

from .api import SUCCESS, Api, Callbacks, number
from .session import Client

MACHINE_GFX942 = 0x4C


class Side(Callbacks):
    """A simulated process needs nothing of its client. `pid_status`: the answer to the question for its process id."""

    def __init__(self):
        super().__init__()
        self.pid_status = SUCCESS

    def client_process_get_info(self, process, query, size, value):
        status = super().client_process_get_info(process, query, size, value)
        return self.pid_status if self.pid_status != SUCCESS else status

    def insert_breakpoint(self, _process, _address, _breakpoint_id):
        raise AssertionError("a simulated process needs no host breakpoint")

    def remove_breakpoint(self, _process, _breakpoint_id):
        raise AssertionError("there is no host breakpoint")

    def xfer_global_memory(self, _process, _address, _size, _read_buffer, _write_buffer):
        raise AssertionError("memory is the simulated GPU's own")


class Case(unittest.TestCase):
    """`api`: the library; `client`: a client of it, whose `side` a test may change before start()."""

    library = folder = ""
    loaded = None
    register_numbers = {}
    make_side = Side

    @classmethod
    def setUpClass(cls):
        if not Case.loaded:
            Case.loaded = Api(Case.library)
        cls.api = Case.loaded

    def setUp(self):
        self.side = self.make_side()
        self.client = Client(self.api, self.side)

    def tearDown(self):
        self.api.finalize()

    # ---- Expectations ----

    def gives(self, status, expected="SUCCESS"):
        self.assertEqual(self.api.status_name(status), expected)

    def asked(self, kind, handle, query, expected):
        """A query has this answer."""
        self.assertEqual(self.client.ask(kind, handle, query), expected, f"{query} of {kind}")

    # ---- Sessions ----

    def use_workload(self, name):
        os.environ["WAVETAPE_WORKLOAD"] = f"{self.folder}/{name}.json"

    def start(self):
        """Initialize the library, which says all it can."""
        self.api.set_log_level(self.api.LOG_LEVEL_VERBOSE)
        self.gives(self.client.initialize())

    def attach(self, client_process=1):
        return self.client.attach(client_process)

    def attach_ready(self, client_process=1):
        """And the RUNTIME event is processed."""
        process = self.attach(client_process)
        event, kind = self.next(process)
        self.assertEqual(kind, "RUNTIME")
        self.gives(self.api.event_processed(event))
        return process

    def next(self, process):
        """The next event and its kind."""
        event, kind = number(), number(0, "u32")
        self.gives(self.api.process_next_pending_event(process, event, kind))
        self.assertEqual(event.value != 0, kind.value != 0)
        return event.value, self.client.event_kind(kind.value)

    def expect(self, process, kind="WAVE_STOP"):
        """The next event must be of a kind: it and its wave. It is not processed yet."""
        event, got = self.next(process)
        self.assertEqual(got, kind)
        return event, self.client.ask("event", event, "WAVE")

    def take(self, process, kind="WAVE_STOP"):
        event, wave = self.expect(process, kind)
        self.gives(self.api.event_processed(event))
        return wave

    def expect_none(self, process):
        self.assertEqual(self.next(process), (0, "NONE"))

    def drain(self, process):
        """Take the bytes that wait in a notifier: how many."""
        count = 0
        descriptor = self.client.ask("process", process, "NOTIFIER")
        while True:
            try:
                got = os.read(descriptor, 1)
            except BlockingIOError:
                return count
            self.assertTrue(got, "the notifier ends")
            count += 1

    def waves(self, process):
        return self.client.list("wave", process)

    def state(self, wave):
        value = self.client.ask("wave", wave, "STATE")
        return {getattr(self.api, f"WAVE_STATE_{name}"): name for name in ("RUN", "SINGLE_STEP", "STOP")}[value]

    def reason(self, wave):
        return self.client.ask("wave", wave, "STOP_REASON")

    def pc(self, wave):
        return self.client.ask("wave", wave, "PC")

    def progress(self, process, forward):
        self.gives(self.api.process_set_progress(process, self.api.PROGRESS_NORMAL if forward else self.api.PROGRESS_NO_FORWARD))

    def creation(self, process, stop):
        self.gives(self.api.process_set_wave_creation(process, self.api.WAVE_CREATION_STOP if stop else self.api.WAVE_CREATION_NORMAL))

    def register(self, name, machine=MACHINE_GFX942):
        """A register of an architecture by its name: the first, since others may lie over it under the same one."""
        if machine not in Case.register_numbers:
            architecture = number()
            self.gives(self.api.get_architecture(machine, architecture))
            Case.register_numbers[machine] = {self.client.ask("register", handle, "NAME"): handle
                                              for handle in reversed(self.client.list("register", architecture.value))}
        return Case.register_numbers[machine][name]

    def read(self, wave, name, size=4, offset=0):
        """A register by its name, as a number."""
        status, content = self.client.read_register(wave, self.register(name), size, offset)
        self.gives(status)
        return int.from_bytes(content, "little")

    def write(self, wave, name, value, size=4, offset=0):
        self.gives(self.client.write_register(wave, self.register(name), value.to_bytes(size, "little"), offset))

    def memory(self, process, address, size):
        """Global memory, all of it."""
        status, content = self.client.read_memory(process, address, size)
        self.gives(status)
        self.assertEqual(len(content), size)
        return content


def main(description):
    if len(sys.argv) < 2:
        print(description, file=sys.stderr)
        sys.exit(2)
    Case.library, Case.folder = [*sys.argv[1:3], ""][:2]
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
