#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
A client of a program that runs on a kernel driver. It stops the program's waves before they have done anything, asks what it likes in an
order of its own, the same for the same seed, lets a wave make a step, and asks again. It prints a line for each answer, so that any two
libraries must print the same where addresses are the same (setarch -R).

Usage: free_live.py LIBRARY PROGRAM WORKLOAD SEED CALLS

What is a process's own, its id, and what AMD's library makes FATAL, the state of a core that was not asked for, is left out.
"""

import os
import sys
import time

import free_core  # first: it knows where the client's modules are
import driver
from client import Api, Client, number, session
from client.chance import Random

STEPS = 4
OWN = {"OS_ID", "CORE_STATE"}


class Live(free_core.Free):
    over = "driver"  # for driver.Programs, which asks

    def __init__(self, library, program, workload, seed):
        Client.__init__(self, Api(library, free_core.LEVEL), driver.Programs(program))
        self.random, self.process, self.events, self.waves = Random(seed), 0, [], []
        self.broken, self.names, self.handles, self.by_name, self.kinds = False, {}, {}, {}, {}
        self.workload = workload
        self.side.begin(self)

    @staticmethod
    def until(ask):
        """What is asked for until there is something."""
        end = time.monotonic() + driver.PATIENCE
        answer = ask()
        while not answer and time.monotonic() < end:
            answer = ask()
        return answer

    def next_event(self):
        event, kind = number(), number(0, "u32")
        self.until(lambda: self.api.process_next_pending_event(self.process, event, kind) or event.value)
        wave = self.answer("event", event.value, "WAVE")[1]
        self.api.event_processed(event.value)
        return self.event_kind(kind.value), wave

    def progress(self, mode):
        self.api.process_set_progress(self.process, getattr(self.api, f"PROGRESS_{mode}"))

    def attached(self):
        process = number()
        self.side.choose(self.workload)
        status = self.api.process_attach(session.CLIENT_PROCESS, process)
        self.process = process.value
        print("attach", self.said(status), self.process, self.next_event()[0])
        # Where a queue does not go on, waves that are not there yet never come.
        self.api.process_set_wave_creation(self.process, self.api.WAVE_CREATION_STOP)
        self.until(lambda: self.list("dispatch", self.process))
        self.progress("NO_FORWARD")
        self.api.process_set_wave_creation(self.process, self.api.WAVE_CREATION_NORMAL)
        self.waves = self.list("wave", self.process)
        print("stop", [(wave, self.said(self.api.wave_stop(wave))) for wave in sorted(self.waves)])
        print("stopped", sorted(self.next_event() for _ in self.waves))

    def call_info(self):
        kind = self.pick(("agent", "queue", "dispatch", "workgroup", "wave", "wave", "wave", "process", "code_object"))
        handle = self.process if kind == "process" else self.pick(self.list(kind, self.process))
        query = self.pick([query for query in self.api.at.objects[kind][3] if query not in OWN | {"NOTIFIER", "NAME"}])
        status, value = self.answer(kind, handle, query)
        print("info", kind, handle, query, self.said(status), self.shown(kind, query, value))

    LOOKS = tuple(look for look in free_core.Free.LOOKS if look is not free_core.Free.call_info)

    def run(self, calls):
        self.begin()
        for _ in range(STEPS):
            for _ in range(calls):
                self.pick((*self.LOOKS, Live.call_info, Live.call_info))(self)
            wave = self.waves[0]
            print("step", wave, self.said(self.wave_resume(wave, True)))
            self.progress("NORMAL")
            print("stepped", self.next_event(), self.answer("wave", wave, "PC"), self.answer("wave", wave, "STOP_REASON"))
            self.progress("NO_FORWARD")
        # The program does not get to its end.
        sys.stdout.flush()
        os._exit(0)


def main(arguments):
    if len(arguments) != 5:
        print(__doc__, file=sys.stderr)
        return 2
    *names, seed, calls = arguments
    Live(*names, int(seed)).run(int(calls))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
