#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
A client in a hurry: it asks and tells between one event and the next whatever comes to its mind, with normal progress
or without, the same for the same seed, and prints what comes of it. Over the simulated GPU, over a recording library in
front of it, and over a replay it must print the same.

Usage: hasty-client.py [--touch] CALLS SEED...
With --touch it also changes registers and memory, and sets watchpoints.
"""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

# pylint: disable=wrong-import-position
import client
from client import SUCCESS, number
from client.chance import ALL, Random

KNOWN = 64
NOP = (0xBF800000).to_bytes(4, "little")
BUFFER = 0x200000000000
# Of a wave64, as DWARF numbers them: pc, exec, some scalar and some vector registers.
TOUCHED = (16, 17, 32, 33, 36, 40, 2560, 2561)


class Known:
    """Handles that the client was given, the newest ones."""

    def __init__(self, random):
        self.random, self.handles, self.count = random, [], 0

    def learn(self, handle):
        if not handle or handle in self.handles:
            return
        if self.count < KNOWN:
            self.handles.append(handle)
        else:
            self.handles[self.count % KNOWN] = handle
        self.count += 1

    def pick(self):
        """Most often one of the newest; now and then none, or one that nobody was ever given."""
        random = self.random
        if not self.count or random.one_in(40):
            return 0 if random.one_in(2) else 5000 + random.next() % 8
        if random.one_in(2) and self.count > 4:
            return self.handles[(self.count - 1 - random.next() % 4) % KNOWN]
        return self.handles[random.next() % len(self.handles)]


class Side(client.Callbacks):
    def __init__(self):
        super().__init__()
        self.process_id = 17

    def allocate_memory(self, size):
        return super().allocate_memory(size or 1)

    def insert_breakpoint(self, process, address, breakpoint_id):
        print(f"  insert {address:x} {breakpoint_id}")
        return SUCCESS

    def remove_breakpoint(self, process, breakpoint_id):
        print(f"  remove {breakpoint_id}")
        return SUCCESS

    def log_message(self, level, message):
        print(f"  log {level} {message.decode()}")


class Hasty(client.Client):
    def __init__(self, api, seed):
        super().__init__(api, Side())
        self.random = Random(seed)
        self.waves, self.known_events, self.steppings, self.watchpoints = (Known(self.random) for _ in range(4))
        self.process = 0

    # ---- What it does ----

    def happen(self):
        event, kind, wave = number(), number(0, "u32"), number()
        status = self.api.process_next_pending_event(self.process, event, kind)
        if kind.value in (self.api.EVENT_KIND_WAVE_STOP, self.api.EVENT_KIND_WAVE_COMMAND_TERMINATED):
            self.get_info("event", event.value, "WAVE", 8, wave)
        print(f"event: {status} {event.value} kind {kind.value} wave {wave.value}")
        self.known_events.learn(event.value)
        self.waves.learn(wave.value)
        if event.value and self.random.one_in(2):
            print(f"  processed: {self.api.event_processed(event.value)}")

    def process_event(self):
        event = self.known_events.pick()
        print(f"processed {event}: {self.api.event_processed(event)}")

    def stop_wave(self):
        wave = self.waves.pick()
        print(f"stop {wave}: {self.api.wave_stop(wave)}")

    def resume_wave(self):
        """Exceptions end whole queues, so they are rare."""
        wave, api = self.waves.pick(), self.api
        mode = api.RESUME_MODE_SINGLE_STEP if self.random.one_in(3) else api.RESUME_MODE_NORMAL
        exceptions = api.EXCEPTION_WAVE_TRAP if self.random.one_in(30) else api.EXCEPTION_NONE
        print(f"resume {wave} {mode} {exceptions}: {api.wave_resume(wave, mode, exceptions)}")

    def list_waves(self):
        changed, count, array = number(self.api.CHANGED_NO, "u32"), number(), ctypes.c_void_p()
        status = self.api.process_wave_list(self.process, count, array, changed if self.random.one_in(2) else None)
        handles = client.take_array(array.value, count.value)
        print(f"waves: {status} {changed.value}", *handles)
        for wave in handles:
            self.waves.learn(wave)

    def list_others(self):
        changed = number(self.api.CHANGED_NO, "u32")
        wanted = changed if self.random.one_in(2) else None
        for name, kind, end in (("dispatches", "dispatch", " "), ("workgroups", "workgroup", "\n")):
            count, array = number(), ctypes.c_void_p()
            status = self.list_call(kind, self.process, count, array, wanted)
            print(f"{name}: {status} {changed.value} {count.value}", end=end)
            client.libc.free(array)

    def look_at_wave(self):
        wave = self.waves.pick()
        print(f"wave {wave}:", end="")
        for query, size in (("STATE", 4), ("STOP_REASON", 4), ("PC", 8), ("DISPATCH", 8)):
            value = number()
            print(f" {self.get_info('wave', wave, query, size, value)}:{value.value:x}", end="")
        print()

    def read_pc(self):
        """The pc, and what stands there; half the time it is written back, which changes nothing."""
        wave, architecture, register, pc = self.waves.pick(), number(), number(), number()
        found = (self.get_info("wave", wave, "ARCHITECTURE", 8, architecture) == SUCCESS
                 and self.get_info("architecture", architecture.value, "PC_REGISTER", 8, register) == SUCCESS)
        status = self.api.read_register(wave, register.value, 0, 8, pc)
        print(f"pc {wave}: {found:d} {status} {pc.value:x}", end="")
        if status == SUCCESS and self.random.one_in(2):
            print(f" written {self.api.write_register(wave, register.value, 0, 8, pc)}", end="")
        word = number(0, "u32")
        status = self.api.read_memory(self.process, 0 if self.random.one_in(2) else wave, self.no_lane, self.global_space, pc.value,
                                      number(4), word)
        print(f" {status} {word.value:x}")

    def begin_step(self):
        stepping, wave = number(), self.waves.pick()
        status = self.api.displaced_stepping_start(wave, client.buffer(NOP), stepping)
        print(f"displaced {wave}: {status} {stepping.value}")
        self.steppings.learn(stepping.value)

    def end_step(self):
        stepping, wave = self.steppings.pick(), self.waves.pick()
        print(f"complete {wave} {stepping}: {self.api.displaced_stepping_complete(wave, stepping)}")

    def set_modes(self):
        api = self.api
        progress = api.PROGRESS_NO_FORWARD if self.random.one_in(3) else api.PROGRESS_NORMAL
        creation = api.WAVE_CREATION_STOP if self.random.one_in(3) else api.WAVE_CREATION_NORMAL
        print(f"progress {progress}: {api.process_set_progress(self.process, progress)}")
        if self.random.one_in(2):
            print(f"creation {creation}: {api.process_set_wave_creation(self.process, creation)}")

    def freeze(self):
        status = self.api.process_freeze(self.process) if self.random.one_in(3) else self.api.process_unfreeze(self.process)
        print(f"freeze: {status}")

    def touch_register(self):
        """The pc is left at an instruction: it may go on by one, or stay."""
        which = self.random.next() % len(TOUCHED)
        size, wave = 8 if which < 2 else 4, self.waves.pick()
        architecture, register, value = number(), number(), number()
        self.get_info("wave", wave, "ARCHITECTURE", 8, architecture)
        self.api.dwarf_register_to_register(architecture.value, TOUCHED[which], register)
        status = self.api.read_register(wave, register.value, 0, size, value)
        print(f"register {which} of {wave}: {status} {value.value:x}", end="")
        if self.random.one_in(2):
            value.value += self.random.next() % 16 if which else 4 * (self.random.next() % 2)
            print(f" written {self.api.write_register(wave, register.value, 0, size, value)}", end="")
        print()

    def touch_memory(self):
        """Of the program's first buffer. Its first page holds data, the next ones the program."""
        wave = 0 if self.random.one_in(2) else self.waves.pick()
        address = BUFFER + 4 * (self.random.next() % 2048)
        size, word = number(4), number(0, "u32")
        place = (self.process, wave, self.no_lane, self.global_space, address)
        status = self.api.read_memory(*place, size, word)
        print(f"memory {address:x} of {wave}: {status} {size.value} {word.value:x}", end="")
        if self.random.one_in(2) and address % 8192 < 4096:
            word.value += 3
            size.value = 4
            print(f" written {self.api.write_memory(*place, size, word)} {size.value}", end="")
        print()

    def watch_some(self):
        watchpoint = number()
        if self.random.one_in(3):
            handle = self.watchpoints.pick()
            print(f"unwatch {handle}: {self.api.remove_watchpoint(handle)}")
            return
        status = self.api.set_watchpoint(self.process, BUFFER + 64 * (self.random.next() % 16), 4,
                                         self.api.WATCHPOINT_KIND_STORE_AND_RMW, watchpoint)
        print(f"watch: {status} {watchpoint.value}")
        self.watchpoints.learn(watchpoint.value)

    def set_precision(self):
        api = self.api
        precision = api.MEMORY_PRECISION_NONE if self.random.one_in(2) else api.MEMORY_PRECISION_PRECISE
        print(f"precision: {api.set_memory_precision(self.process, precision)}")

    # How often in a hundred each is done.
    ACTS = ((26, happen), (12, process_event), (10, stop_wave), (16, resume_wave), (7, list_waves), (3, list_others), (10, look_at_wave),
            (5, read_pc), (4, begin_step), (3, end_step), (3, set_modes), (1, freeze))
    TOUCHING_ACTS = ((18, happen), (9, process_event), (8, stop_wave), (14, resume_wave), (4, list_waves), (2, list_others),
                     (7, look_at_wave), (4, read_pc), (8, begin_step), (5, end_step), (3, set_modes), (1, freeze), (11, touch_register),
                     (3, touch_memory), (2, watch_some), (1, set_precision))

    def hurry(self, acts, calls):
        process = number()
        deeds = [act for weight, act in acts for _ in range(weight)]
        print(f"initialize: {self.initialize()}")
        print(f"attach: {self.api.process_attach(client.session.CLIENT_PROCESS, process)}")
        self.process = process.value
        # Waves come once the first event was processed.
        self.happen()
        self.api.event_processed(self.known_events.handles[0] if self.known_events.handles else 0)
        for _ in range(calls):
            deeds[self.random.next() % 100](self)
        print(f"finalize: {self.api.finalize()}")


def main(arguments):
    touches = arguments[:1] == ["--touch"]
    if len(arguments) < 2 + touches:
        print(__doc__, file=sys.stderr)
        return 2
    calls, *seeds = arguments[touches:]
    api = client.Api("librocm-dbgapi.so.0")
    api.set_log_level(api.LOG_LEVEL_WARNING)
    for seed in seeds:
        print(f"seed {seed}")
        Hasty(api, int(seed)).hurry(Hasty.TOUCHING_ACTS if touches else Hasty.ACTS, int(calls))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
