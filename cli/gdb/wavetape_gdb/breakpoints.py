# SPDX-License-Identifier: MIT
"""Breakpoints: those of the user at addresses of GPU code while a program starts, and our own."""

import contextlib
import struct
import sys

import gdb

from wavetape_gdb import threads

PT_LOAD = 1


def segments(path):
    """Where a program's file says that it will have memory: pairs of the first address and the end. ELF of 64 bits, as wavetape-host is."""
    with open(path, "rb") as file:
        header = file.read(64)
        offset, size, count = (*struct.unpack_from("<Q", header, 32), *struct.unpack_from("<HH", header, 54))
        file.seek(offset)
        entries = file.read(size * count)
    found = []
    for at in range(0, len(entries), size):
        kind, _, _, address, _, _, length = struct.unpack_from("<IIQQQQQ", entries, at)
        if kind == PT_LOAD:
            found.append((address, address + length))
    return found


def address_of(breakpoint):
    """The address of a `break *ADDRESS`; None for another one, or where it cannot be known now."""
    location = breakpoint.location or ""
    if not location.startswith("*"):
        return None
    try:
        return int(gdb.parse_and_eval(f"(unsigned long) ({location[1:]})"))
    except gdb.error:
        return None


def is_memory(address):
    """Has the program memory there now?"""
    try:
        gdb.selected_inferior().read_memory(address, 1)
    except gdb.MemoryError:
        return False
    return True


class Parked:
    """GPU code is there when wavetape-host has its memory, and GDB inserts breakpoints as soon as the program is there: `run` would end
    with `Cannot insert breakpoint`. Those are disabled until the memory is there, when the first code object comes."""

    def __init__(self, host):
        self.host = host
        self.parked = []
        self.process = 0  # which was there when they were parked: it stays if the user does not want to `run` again
        gdb.events.new_objfile.connect(self.loaded)
        gdb.events.exited.connect(self.exited)
        gdb.events.before_prompt.connect(self.looked_at)

    def park(self):
        own = segments(self.host.path)
        self.process = gdb.selected_inferior().pid
        for each in gdb.breakpoints():
            address = address_of(each) if each.enabled else None
            if address is not None and not any(first <= address < end for first, end in own):
                with unannounced():
                    each.enabled = False
                self.parked.append((each, address))

    def unpark(self, only_there=False):
        """All of them, or those that have memory by now."""
        kept = []
        for each, address in self.parked:
            if not each.is_valid():
                continue
            if only_there and not is_memory(address):
                kept.append((each, address))
                continue
            with unannounced():
                each.enabled = True
        self.parked = kept

    @threads.uninterrupted
    def loaded(self, _event):
        if self.parked and gdb.selected_inferior().pid:
            self.unpark(only_there=True)

    @threads.uninterrupted
    def exited(self, _event):
        if gdb.selected_inferior().pid != self.process or not self.process:
            self.unpark()

    @threads.uninterrupted
    def looked_at(self):
        if self.parked and self.process and gdb.selected_inferior().pid == self.process:
            self.unpark()


@contextlib.contextmanager
def unannounced():
    """GDB's DAP tells its client of each breakpoint that comes, changes and goes: not of what is done in here."""
    adapter = sys.modules.get("gdb.dap.breakpoint")
    suppress = getattr(adapter, "suppress_new_breakpoint_event", None)
    with suppress() if suppress else contextlib.nullcontext():
        yield
