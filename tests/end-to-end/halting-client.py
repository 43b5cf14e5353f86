#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
A client that lets a workload run to a breakpoint, stops all of its waves where they stand then, and ends: what a debugger does.

Usage: halting-client.py LIBRARY OFFSET [STEPS]

OFFSET: of the instruction in the kernel, bytes from its first one. STEPS: how many instructions the wave that came there, and all
others, go on before that, one by one.
"""

import sys
import time

import client
from client import SUCCESS


class Halting(client.Client):
    def __init__(self, api):
        super().__init__(api, patience=1)
        self.process, self.deadline = 0, time.monotonic() + 60

    def next_stop(self):
        """The next wave that has stopped; 0 if there is none any more."""
        while time.monotonic() < self.deadline:
            event, kind = self.next_event(self.process)
            wave = self.ask("event", event, "WAVE") if kind == "WAVE_STOP" else 0
            if event:
                self.api.event_processed(event)
            if wave or not self.list("wave", self.process):
                return wave
        raise SystemExit("nothing stops")

    def waves(self, state):
        wanted = getattr(self.api, f"WAVE_STATE_{state}")
        return [wave for wave in self.list("wave", self.process) if self.ask("wave", wave, "STATE") == wanted]

    def begin(self):
        """Waves stand at their first instruction."""
        self.expect(self.initialize(), "initialize")
        self.process = self.attach()
        self.api.process_set_wave_creation(self.process, self.api.WAVE_CREATION_STOP)
        while not self.list("wave", self.process) and time.monotonic() < self.deadline:
            event, _ = self.next_event(self.process)
            if event:
                self.api.event_processed(event)

    def run_to(self, offset):
        wave = self.list("wave", self.process)[0]
        dispatch, architecture = (self.ask("wave", wave, query) for query in ("DISPATCH", "ARCHITECTURE"))
        address = self.ask("dispatch", dispatch, "KERNEL_CODE_ENTRY_ADDRESS") + offset
        trap = self.ask("architecture", architecture, "BREAKPOINT_INSTRUCTION")
        status, before = self.read_memory(self.process, address, len(trap))
        self.expect(status, "read_memory")
        self.expect(self.write_memory(self.process, address, trap)[0], "write_memory")
        self.api.process_set_wave_creation(self.process, self.api.WAVE_CREATION_NORMAL)
        if not self.next_stop():
            raise SystemExit("no wave comes there")
        return address, before

    def stop_all(self):
        asked = sum(self.api.wave_stop(wave) == SUCCESS for wave in self.waves("RUN"))
        while asked and self.next_stop():
            asked -= 1

    def step_all(self):
        """Those that did not come to a breakpoint: it is still there."""
        asked = 0
        for wave in self.waves("STOP"):
            if not self.ask("wave", wave, "STOP_REASON") & self.api.WAVE_STOP_REASON_BREAKPOINT:
                asked += self.wave_resume(wave, True) == SUCCESS
        while asked and self.next_stop():
            asked -= 1


def main(library, offset, steps=0):
    halting = Halting(client.Api(library))
    halting.begin()
    halting.run_to(offset)
    halting.stop_all()
    for _ in range(steps):
        halting.step_all()
    halting.next_event(halting.process)
    halting.detach(halting.process)
    halting.api.finalize()


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
