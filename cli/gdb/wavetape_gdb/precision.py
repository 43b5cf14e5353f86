# SPDX-License-Identifier: MIT
"""GDB warns of the place of a memory fault where precise memory is off, which it is in GDB at first. What counts is how it was recorded.

`wavetape info` says of each fault whether its place is certain: the recorded client had precise memory, or the wave stands at an instruction
whose lanes reach unmapped memory. Before the program goes on to such a stop precise memory is switched on, where the recorded GPU has that,
and before it goes on to another one off.
"""

import json
import os

import gdb

from wavetape_gdb import control, dbgapi, threads, verbs

PARAMETER = "amdgpu precise-memory"
MEMORY_FAULTS = ("MEMORY_VIOLATION", "ADDRESS_ERROR")
PATIENCE = 1  # seconds, for which the program waits
PRECISE = 1


def has_memory_fault(reasons):
    return any(word in reasons for word in MEMORY_FAULTS)


def is_certain(findings):
    """By what `wavetape info --json` prints: of each wave, or of the way of one for all that stand where it does."""
    faults = [fault for fault in findings.get("faults", ()) if has_memory_fault(fault.get("stop_reason", ""))]
    explained = [known for known in findings.get("explanations", ()) if "place_is_certain" in known]
    return bool(faults) and (all(fault.get("place_is_certain", False) for fault in faults)
                             or bool(explained) and all(known["place_is_certain"] and "late" not in known for known in explained))


def is_supported():
    agents = dbgapi.library().list("agent")
    process = dbgapi.get("agent", agents[0], "PROCESS") if agents else None
    return process is not None and dbgapi.get("process", process, "PRECISE_MEMORY_SUPPORTED") == PRECISE


class Precision:
    current = None

    def __init__(self):
        self.trace = os.environ.get("WAVETAPE_TRACE")
        self.stops = None     # with a memory fault, in order
        self.certain = {}     # of those stops, as far as they were asked for
        self.here = None      # the stop at which the program stands; None: it goes
        self.fresh = True     # it has shown nothing since it was run
        try:
            self.shown = gdb.parameter(PARAMETER)
            if not self.trace or self.shown:
                return
            # The answers are mostly there when the program is run, for the first time.
            self.list = verbs.Question("stops", "--json", self.trace)
            self.first = verbs.Question("info", "--json", self.trace)
        except (RuntimeError, gdb.GdbError):
            return  # a GDB without the parameter, which does not warn either; or nobody to ask
        Precision.current = self
        gdb.events.new_objfile.connect(self.loaded)
        gdb.events.stop.connect(self.stopped)
        gdb.events.cont.connect(self.goes_on)
        gdb.events.exited.connect(self.ended)

    @threads.uninterrupted
    def loaded(self, event):
        """Code has been loaded: by now the library knows the process, and no wave was shown yet."""
        if self.fresh and gdb.selected_inferior().pid and control.find_socket():
            self.fresh = False
            if self.stops is None:
                self.guarded(self.read)
            self.guarded(self.look_ahead, 0)

    @threads.uninterrupted
    def stopped(self, event):
        if self.stops and control.find_socket():
            self.guarded(self.stand)

    @threads.uninterrupted
    def goes_on(self, event):
        """A thread does; the others follow, and with the last one the library may be at the next stop."""
        if self.here is not None and control.find_socket():
            here, self.here = self.here, None
            self.guarded(self.look_ahead, here)

    @threads.uninterrupted
    def ended(self, event):
        self.fresh, self.here = True, None

    def guarded(self, what, *arguments):
        try:
            what(*arguments)
        except (gdb.error, gdb.GdbError, ValueError):
            pass  # GDB's warning stands

    def stand(self):
        self.here = control.ask("info")["stop"]

    def read(self):
        self.stops = []
        stops = self.list.answer(PATIENCE)
        faults = [stop["stop"] for stop in (json.loads(stops)["stops"] if stops else []) if has_memory_fault(stop["reasons"])]
        if not faults:
            self.first.drop()
            return
        first = self.first.answer(PATIENCE)
        if first:
            self.stops = faults
            findings = json.loads(first)
            self.certain[findings.get("stop")] = is_certain(findings)

    def look_ahead(self, here):
        """Where the program goes on to: where a journey leads, or the next stop that has a memory fault."""
        if not self.stops:
            return
        fields = control.ask("info")
        if fields["done"] < fields["journey"]:
            ahead = [stop for stop in self.stops if stop == fields["wanted"]]
        else:
            ahead = [stop for stop in self.stops if here < stop <= fields["last"]]
        # What the user has set is not ours to change.
        if not ahead or gdb.parameter(PARAMETER) != self.shown:
            return
        certain = self.is_certain(ahead[0])
        if certain != self.shown and is_supported():
            gdb.execute(f"set {PARAMETER} {'on' if certain else 'off'}", to_string=True)
            self.shown = certain

    def is_certain(self, stop):
        if stop not in self.certain:
            answer = verbs.Question("info", "--stop", str(stop), "--json", self.trace).answer(PATIENCE)
            self.certain[stop] = bool(answer) and is_certain(json.loads(answer))
        return self.certain[stop]


def arrived():
    """A journey is over of which GDB has no event."""
    if Precision.current:
        Precision.current.stopped(None)
