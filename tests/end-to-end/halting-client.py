#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
A client that lets a workload run to breakpoints, stops all of its waves where they stand then, and ends: what a debugger does.

Usage: halting-client.py LIBRARY ACTION...

An action is the offset of an instruction in the kernel, bytes from its first one, to which waves go on, or NAME=VALUE, a register of 4
bytes of the wave that came there last (of a vector register lane 0).
"""

import sys
import time

import client
from client import SUCCESS


class Halting(client.Client):
    def __init__(self, api):
        super().__init__(api, patience=1)
        self.process, self.planted, self.came, self.deadline = 0, None, 0, time.monotonic() + 60

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
        """Go on to a breakpoint. The last one is taken away, and waves that came to it execute what stands there."""
        wave = self.list("wave", self.process)[0]
        dispatch, architecture = (self.ask("wave", wave, query) for query in ("DISPATCH", "ARCHITECTURE"))
        address = self.ask("dispatch", dispatch, "KERNEL_CODE_ENTRY_ADDRESS") + offset
        trap = self.ask("architecture", architecture, "BREAKPOINT_INSTRUCTION")
        self.take_away(trap)
        status, before = self.read_memory(self.process, address, len(trap))
        self.expect(status, "read_memory")
        self.expect(self.write_memory(self.process, address, trap)[0], "write_memory")
        self.planted = address, before
        self.api.process_set_wave_creation(self.process, self.api.WAVE_CREATION_NORMAL)
        for wave in self.waves("STOP"):
            self.expect(self.wave_resume(wave), "wave_resume")
        self.came = self.next_stop()
        if not self.came:
            raise SystemExit("no wave comes there")

    def take_away(self, trap):
        if not self.planted:
            return
        address, before = self.planted
        self.expect(self.write_memory(self.process, address, before)[0], "write_memory")
        for wave in self.waves("STOP"):
            if self.ask("wave", wave, "PC") == address + len(trap) and \
                    self.ask("wave", wave, "STOP_REASON") & self.api.WAVE_STOP_REASON_BREAKPOINT:
                self.expect(self.write_register(wave, self.find_register(wave, "pc"), address.to_bytes(8, "little")), "write_register")

    def change(self, name, value):
        self.expect(self.write_register(self.came, self.find_register(self.came, name), value.to_bytes(4, "little")), "write_register")

    def stop_all(self):
        asked = sum(self.api.wave_stop(wave) == SUCCESS for wave in self.waves("RUN"))
        while asked and self.next_stop():
            asked -= 1


def main(library, *actions):
    halting = Halting(client.Api(library))
    halting.begin()
    for action in actions:
        name, sign, value = action.partition("=")
        if sign:
            halting.change(name, int(value, 0))
            continue
        halting.run_to(int(action))
        halting.stop_all()
        # With this the moment is taken.
        halting.next_event(halting.process)
    halting.detach(halting.process)
    halting.api.finalize()


if __name__ == "__main__":
    main(*sys.argv[1:])
