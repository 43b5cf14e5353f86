# SPDX-License-Identifier: MIT
"""The conformance suite: what any provider of the API must do, asked of a library that is loaded by its path.

One line for each check: "ok NAME", "not ok NAME: expected .. got ..", or "skip NAME: why". A name begins with the number of the
statement it holds (statements.txt), if there is one.
"""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

# pylint: disable=wrong-import-position
import client
from client import SUCCESS, number

NO_HANDLE = 0x7FFF1234567
NO_QUERY = 9999
# The status of a call that was not made.
NOT_CALLED = object()
WAVE_EVENTS = ("WAVE_STOP", "WAVE_COMMAND_TERMINATED")


class Suite(client.Client):
    """A client that reports what it checks. `over`: "live", "replay", "core" or "driver": what a trace or a core cannot answer is
    skipped. `variant`: the suffix of the workloads that are taken."""

    def __init__(self, api, side=None, over="live", workloads=".", variant=""):
        super().__init__(api, side)
        self.over, self.workloads, self.variant = over, workloads, variant
        self.passed = self.failed = self.skipped = 0

    # ---- Instructions ----

    def trap_word(self, wave, trap):
        """s_trap, which has the same words but for its number as the breakpoint of the wave's architecture."""
        instruction = self.ask("architecture", self.ask("wave", wave, "ARCHITECTURE"), "BREAKPOINT_INSTRUCTION")
        return int.from_bytes(instruction, "little") & ~0xFF | trap

    def generation(self, wave):
        """9 of gfx90a, 11 of gfx1100. Where there is no such wave, which is a failed check, what follows fails as well."""
        name = self.ask("architecture", self.ask("wave", wave, "ARCHITECTURE"), "NAME")
        return int(name[3:-2]) if name else 9

    def end_word(self, wave):
        return 0xBFB00000 if self.generation(wave) >= 11 else 0xBF810000

    # ---- Verdicts ----

    def check(self, name, good, detail=""):
        print(f"ok {name}" if good else f"not ok {name}: {detail}", flush=True)
        self.passed += bool(good)
        self.failed += not good
        return bool(good)

    def status(self, name, got, expected="SUCCESS"):
        if got is NOT_CALLED:
            return self.skip(name, "NULL is not handed to lists")
        return self.check(name, self.api.status_name(got) == expected, f"expected {expected} got {self.api.status_name(got)}")

    def number(self, name, got, expected):
        shown = tuple(f"{value:#x}" if isinstance(value, int) else value for value in (expected, got))
        return self.check(name, got == expected, f"expected {shown[0]} got {shown[1]}")

    def skip(self, name, why):
        print(f"skip {name}: {why}", flush=True)
        self.skipped += 1

    def lacks(self, function, name):
        """The library's level has no such function. Then what needs it is skipped, under this name."""
        if function in self.api.has:
            return False
        self.skip(name, "a library of this level does not have it")
        return True

    def left_out(self, name, why, attaches):
        """For a section that a trace cannot replay: attach and detach as it did, so that what follows finds its place."""
        if self.over in ("live", "driver"):
            return False
        self.skip(name, why)
        for _ in range(attaches):
            self.detach(self.attach(name))
        return True

    def hand_no_nulls(self):
        """The builds of AMD's library that Debian has read through a list's first two outputs before they look at anything else."""
        def careful(function):
            return lambda owner, count, *more: NOT_CALLED if None in (count, more[0]) else function(owner, count, *more)

        for name in self.api.has:
            if name.endswith("_list"):
                setattr(self.api, name, careful(getattr(self.api, name)))

    # ---- Calls: what should succeed and does not is a failed check ----

    def full_name(self, kind, query):
        return f"AMD_DBGAPI_{kind.upper()}_INFO_{query}"

    def ask(self, kind, handle, name):
        status, value = self.answer(kind, handle, name)
        if status != SUCCESS:
            self.status(f"{self.full_name(kind, name)} of {kind} {handle}", status)
            return {"string": "", "bytes": b"", "handles": []}.get(self.query(kind, name)[1], 0)
        return value

    def attach(self, workload="", client_process=client.session.CLIENT_PROCESS):
        path = f"{self.workloads}/{workload}{self.variant}.json"
        if self.over == "live":
            os.environ["WAVETAPE_WORKLOAD"] = path
        if self.over == "driver":
            self.side.choose(path)
        process = number()
        status = self.api.process_attach(client_process, process)
        if status != SUCCESS:
            self.status(f"attach to {workload}", status)
        return process.value

    def attach_ready(self, workload):
        """As attach(), and the RUNTIME event is processed."""
        process = self.attach(workload)
        self.take(process, "RUNTIME")
        return process

    def detach(self, process):
        status = self.api.process_detach(process)
        if status != SUCCESS:
            self.status("detach", status)

    def take(self, process, kind):
        """Wait for an event of a kind, process it. Return: its wave, or itself; 0 if another kind came, or none."""
        event, got = self.next_event(process)
        if got != kind:
            self.check(f"an event of kind {kind} comes", False, f"expected {kind} got {got}")
            return 0
        subject = self.ask("event", event, "WAVE") if kind in WAVE_EVENTS else event
        self.api.event_processed(event)
        return subject

    def nothing_comes(self, process):
        """Get no event, a few times over."""
        return not self.next_event(process, 3)[0]

    def first_wave_stopped(self, process):
        """The program, whose waves have not begun: the first wave, once it is stopped."""
        self.api.process_set_progress(process, self.api.PROGRESS_NO_FORWARD)
        waves = self.list("wave", process)
        for wave in waves:
            self.api.wave_stop(wave)
        for _ in waves:
            self.take(process, "WAVE_STOP")
        self.api.process_set_progress(process, self.api.PROGRESS_NORMAL)
        return waves[0] if waves else 0

    # ---- Waves ----

    def state(self, wave):
        """The name of a wave's state."""
        value = self.ask("wave", wave, "STATE")
        return next((name for name in ("RUN", "SINGLE_STEP", "STOP") if value == self.api.at.constants[f"WAVE_STATE_{name}"]), str(value))

    def reason(self, wave):
        return self.ask("wave", wave, "STOP_REASON")

    def reason_of(self, name):
        return self.api.at.constants[f"WAVE_STOP_REASON_{name}"]

    def pc(self, wave):
        return self.ask("wave", wave, "PC")

    def step(self, process, wave):
        """Step a wave and take the event."""
        return self.wave_resume(wave, True) == SUCCESS and self.take(process, "WAVE_STOP") == wave

    def write_word(self, process, address, word):
        """Write four bytes of global memory, which is an instruction."""
        self.status("writing an instruction", super().write_word(process, address, word))
