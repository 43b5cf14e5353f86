#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
A client of the API that does what it is told on its standard input, a command a line, and answers each
with lines of which the last begins with "ok". It asks everything there is to ask at a stop, so that two
visits can be compared: objects go by their place in their list, since their handles may differ.

  pump [KEEP]  fetch events until there are none: "event KIND WAVE REASON"; processed unless KEEP is given
  wait         until the notifier is readable, and empty it; "timeout" after ten seconds
  resume [N]   resume all stopped waves, or only the first N
  step [N]     as resume, but the first wave makes a step
  stop         stop all waves that run
  waves        "wave HANDLE STATE"
  show         "show WAVES STOPPED HASH": a hash of all answers
  dump         all answers as text
  poke         overwrite the first vector register and the kernel's arguments of each stopped wave
  gone HANDLE  the status of questions to a wave
  changed      the lists that have changed since the last time
  runtime      state in the last RUNTIME event
  detach, attach, end
"""

import contextlib
import ctypes
import os
import pathlib
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

# pylint: disable=wrong-import-position
import client
from client import SUCCESS, libc, number

PATIENCE = 10  # seconds
PAGE = 4096
KINDS = ("agent", "code_object", "queue", "dispatch", "workgroup", "wave")


class Side(client.Callbacks):
    def __init__(self):
        super().__init__()
        self.process_id = os.getpid()
        self.no_breakpoint = True

    def log_message(self, level, message):
        print(f"log {level} {message.decode()}")


class Traveller(client.Client):
    def __init__(self, api):
        super().__init__(api, Side())
        self.process = self.runtime = 0
        self.lists_of = {}
        self.places = {}
        self.sizes = {}  # of registers
        self.answers = []

    def must(self, what, status):
        if status != SUCCESS:
            print(f"FAILED {what}: {self.api.status_name(status)}")
            sys.exit(1)

    def begin(self):
        self.must("initialize", self.initialize())
        self.api.set_log_level(self.api.LOG_LEVEL_WARNING)
        self.attach_again()
        print(f"ok {os.getpid()}", flush=True)

    # ---- Questions ----

    def list_all(self):
        self.lists_of = {}
        for kind in KINDS:
            count, array = number(), ctypes.c_void_p()
            self.must(f"{kind} list", self.list_call(kind, self.process, count, array, None))
            self.lists_of[kind] = client.take_array(array.value, count.value)
        self.places = {kind: {handle: place for place, handle in enumerate(handles, 1)} for kind, handles in self.lists_of.items()}

    def number(self, kind, handle, query):
        """The answer to a query, 0 if there is none."""
        return self.answer(kind, handle, query)[1] or 0

    def is_stopped(self, wave):
        return self.number("wave", wave, "STATE") == self.api.WAVE_STATE_STOP

    # ---- All answers ----

    def say(self, *words):
        self.answers.append(" ".join(map(str, words)))

    def say_object(self, kind, handle):
        """Every query; where it names an object, by its place in its list, or 0 if it is not there."""
        self.say(kind, self.places[kind].get(handle, 0))
        for query, (_, result, _, _, _, identity, _) in self.api.at.objects[kind][3].items():
            if result == "core_state" or identity:
                continue
            status, value = self.answer(kind, handle, query)
            if status == SUCCESS and query.lower() in KINDS:
                value = f"#{self.places[query.lower()].get(value, 0)}"
            elif isinstance(value, int):
                value = (value & 2**64 - 1).to_bytes(8, "little")[: self.query_size(kind, query)].hex()
            self.say(f"  AMD_DBGAPI_{kind.upper()}_INFO_{query}", self.api.status_name(status), value)

    def say_packets(self, queue):
        first, past, size, packets = number(), number(), number(), ctypes.c_void_p()
        status = self.api.queue_packet_list(queue, first, past, size, packets)
        self.say("  packets", self.api.status_name(status), first.value, past.value,
                 ctypes.string_at(packets, size.value).hex() if packets else "")
        libc.free(packets)

    def say_registers(self, wave):
        count, array = number(), ctypes.c_void_p()
        self.say("  registers", self.api.status_name(self.api.wave_register_list(wave, count, array)))
        for register in client.take_array(array.value, count.value):
            if register not in self.sizes:
                self.sizes[register] = self.ask("register", register, "SIZE")
            status, content = self.read_register(wave, register, self.sizes[register])
            self.say(f"    {register:x}", self.api.status_name(status), content.hex())

    def say_page(self, wave, lane, space, address):
        status, content = self.read_memory(self.process, address, PAGE, space, wave, lane)
        self.say(f"    {space:x}:{address:x}", self.api.status_name(status), content.hex() if status == SUCCESS else "")

    def say_memory(self, wave):
        """The start of each space; and of global memory the code and the arguments."""
        for space in self.list("address_space", self.number("wave", wave, "ARCHITECTURE")):
            self.say_page(wave, 1, space, 0)
        self.say_page(wave, self.no_lane, self.global_space, self.number("wave", wave, "PC"))
        self.say_page(wave, self.no_lane, self.global_space, self.arguments(wave))

    def arguments(self, wave):
        return self.number("dispatch", self.number("wave", wave, "DISPATCH"), "KERNEL_ARGUMENT_SEGMENT_ADDRESS")

    def say_all(self):
        """Return: how many waves are stopped."""
        self.answers = []
        self.list_all()
        for kind in KINDS:
            for handle in self.lists_of[kind]:
                self.say_object(kind, handle)
        for queue in self.lists_of["queue"]:
            self.say_packets(queue)
        for place, wave in enumerate(self.lists_of["wave"], 1):
            self.say("wave", place)
            self.say_registers(wave)
            self.say_memory(wave)
        return sum(map(self.is_stopped, self.lists_of["wave"]))

    # ---- Commands ----

    def do_show(self, _):
        stopped = self.say_all()
        text = "\n".join(self.answers).encode()
        print("show", len(self.lists_of["wave"]), stopped, f"{zlib.crc32(text):08x}{zlib.adler32(text):08x}")

    def do_dump(self, _):
        self.say_all()
        print("\n".join(self.answers))

    def do_pump(self, keep):
        while True:
            event, kind = number(), number(0, "u32")
            self.must("next event", self.api.process_next_pending_event(self.process, event, kind))
            if not event.value:
                return
            wave = self.number("event", event.value, "WAVE")
            print("event", self.event_kind(kind.value), "wave", wave, "reason", self.number("wave", wave, "STOP_REASON"))
            if kind.value == self.api.EVENT_KIND_RUNTIME:
                self.runtime = self.number("event", event.value, "RUNTIME_STATE")
            if not keep:
                self.must("processed", self.api.event_processed(event.value))

    def do_wait(self, _):
        if not self.notified(self.process, PATIENCE):
            print("timeout")
        with contextlib.suppress(BlockingIOError):
            while os.read(self.ask("process", self.process, "NOTIFIER"), 64):
                pass

    def resume(self, limit, step):
        self.list_all()
        for wave in self.lists_of["wave"]:
            if limit and self.is_stopped(wave):
                self.must("resume", self.wave_resume(wave, step))
                step = False
                limit -= 1

    def do_resume(self, argument):
        self.resume(int(argument or len(self.list("wave", self.process))), False)

    def do_step(self, argument):
        self.resume(int(argument or len(self.list("wave", self.process))), True)

    def do_stop(self, _):
        self.list_all()
        for wave in self.lists_of["wave"]:
            if not self.is_stopped(wave):
                self.must("stop", self.api.wave_stop(wave))

    def do_waves(self, _):
        self.list_all()
        for wave in self.lists_of["wave"]:
            print("wave", wave, self.number("wave", wave, "STATE"))

    def do_poke(self, _):
        self.list_all()
        for wave in filter(self.is_stopped, self.lists_of["wave"]):
            self.must("poke", self.write_register(wave, self.registers(wave)[0], b"over"))
            self.must("poke memory", self.write_memory(self.process, self.arguments(wave), b"over\0", wave=wave)[0])

    def do_gone(self, argument):
        wave = int(argument)
        statuses = (self.answer("wave", wave, "DISPATCH")[0], self.api.wave_stop(wave), self.wave_resume(wave),
                    self.read_memory(self.process, 0, 4, wave=wave)[0])
        print("gone", *map(self.api.status_name, statuses))

    def do_changed(self, _):
        print("changed", *filter(self.has_changed, KINDS))

    def has_changed(self, kind):
        count, array, changed = number(), ctypes.c_void_p(), number(self.api.CHANGED_NO, "u32")
        self.must(f"{kind} list", self.list_call(kind, self.process, count, array, changed))
        libc.free(array)
        return changed.value == self.api.CHANGED_YES

    def do_runtime(self, _):
        print("runtime", self.runtime)

    def attach_again(self):
        self.process = self.attach()
        self.ask("process", self.process, "NOTIFIER")

    def do_attach(self, _):
        self.attach_again()

    def do_detach(self, _):
        self.must("detach", self.api.process_detach(self.process))


def main():
    traveller = Traveller(client.Api("librocm-dbgapi.so.0"))
    traveller.begin()
    for line in iter(sys.stdin.readline, ""):
        command, argument = (*line.split(), "", "")[:2]
        act = getattr(traveller, f"do_{command}", None)
        if not act:
            break
        act(argument)
        print("ok", flush=True)
    traveller.must("finalize", traveller.api.finalize())


if __name__ == "__main__":
    main()
