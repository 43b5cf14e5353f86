# SPDX-License-Identifier: MIT
"""GDB warns of the place of a memory fault where precise memory is off, which it is in GDB at first. What counts is how it was recorded.

In a recording in which each wave that stopped for a memory fault stands at an instruction whose lanes reach unmapped memory, the place is
right: precise memory is switched on, where the recorded GPU has that.
"""

import json
import os

import gdb

from wavetape_gdb import control, dbgapi, threads, verbs

PARAMETER = "amdgpu precise-memory"
MEMORY_FAULTS = ("MEMORY_VIOLATION", "ADDRESS_ERROR")
PATIENCE = 1  # seconds, for which the program waits
PRECISE = 1


def is_at_instruction(fault):
    return bool(fault.get("access", {}).get("unmapped_lanes"))


def is_precise(findings):
    """By what `wavetape info --json` prints."""
    faults = [fault for fault in findings.get("faults", ())
              if any(word in fault.get("stop_reason", "") for word in MEMORY_FAULTS)]
    return bool(faults) and all(map(is_at_instruction, faults))


def is_supported():
    agents = dbgapi.library().list("agent")
    process = dbgapi.get("agent", agents[0], "PROCESS") if agents else None
    return process is not None and dbgapi.get("process", process, "PRECISE_MEMORY_SUPPORTED") == PRECISE


class Precision:
    def __init__(self):
        self.question = None
        trace = os.environ.get("WAVETAPE_TRACE")
        try:
            if trace and not gdb.parameter(PARAMETER):
                # The answer is mostly there when the program is run, for the first time.
                self.question = verbs.Question("info", "--json", trace)
        except (RuntimeError, gdb.GdbError):
            return  # a GDB without the parameter, which does not warn either; or nobody to ask
        gdb.events.new_objfile.connect(self.loaded)

    @threads.uninterrupted
    def loaded(self, event):
        """Code has been loaded: by now the library knows the process, and no wave was shown yet."""
        if not self.question or not gdb.selected_inferior().pid or not control.find_socket():
            return
        question, self.question = self.question, None
        try:
            answer = question.answer(PATIENCE)
            if answer and is_precise(json.loads(answer)) and is_supported():
                gdb.execute(f"set {PARAMETER} on", to_string=True)
        except (gdb.error, gdb.GdbError, ValueError):
            pass  # GDB's warning stands
