#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
A client that is attached to several processes at once. It does what its arguments say, one after the other, and prints
all it learns: over the simulated GPU and over a trace of that the same bytes.

Usage: two-processes.py ACTION...

An action is a letter and a process, `a` to `d`, or `*` for all at once where the API has that:

  +a[=WORKLOAD]  attach, to a program that runs a workload    -a  detach
  ea  take events until one has come and there are no more    qa  ask for one event
  sa  show what there is                                      ra  resume all stopped waves
  1a  let the first stopped wave make a step                  ta  stop all running waves
  ha  hold (no forward progress)                              ga  go on (normal progress)
  ma  read memory at the first stopped wave's pc, by the process alone
  wa  write a register and memory of the first stopped wave
  fa  finalize, and initialize again                          ka  die by SIGKILL
"""

import ctypes
import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

# pylint: disable=wrong-import-position
import client
from client import SUCCESS, libc, number

LETTERS = "abcd"
IDENTITY = 0x1000  # of the first process; the others follow
PATIENCE = 300
REGISTERS, EVERY = 300, 25


def letter(client_process):
    return LETTERS[client_process - IDENTITY]


class Side(client.Callbacks):
    def os_pid(self, process):
        return 4000 + process - IDENTITY

    def insert_breakpoint(self, process, address, breakpoint_id):
        print(f"  callback: insert {breakpoint_id} at {address:x} into {letter(process)}")
        return SUCCESS

    def remove_breakpoint(self, process, breakpoint_id):
        print(f"  callback: remove {breakpoint_id} from {letter(process)}")
        return SUCCESS

    def log_message(self, level, message):
        print(f"  log {level}: {message.decode()}")


class Processes(client.Client):
    def __init__(self, api):
        super().__init__(api, Side())
        self.processes = {name: number() for name in LETTERS}

    def start(self):
        self.api.set_log_level(self.api.LOG_LEVEL_WARNING)
        print(f"  initialize {self.initialize()}")

    # ---- Showing ----

    def answers(self, kind, handle, *queries):
        for query in queries:
            status, value = self.answer(kind, handle, query)
            shown = f"!{status}" if status != SUCCESS else f"{value & 2**64 - 1:x}"
            print(f" {kind.upper()}_INFO_{query}={shown}", end="")

    def show_list(self, kind, process, show):
        count, array, changed = number(), ctypes.c_void_p(), number(0, "u32")
        status = self.list_call(kind, process, count, array, changed)
        print(f" {kind} list: {status} changed {changed.value}")
        libc.free(array)
        count, array = number(), ctypes.c_void_p()
        status = self.list_call(kind, process, count, array, None)
        handles = client.take_array(array.value, count.value)
        print(f"  {status}, {count.value}:", *handles)
        for index, handle in enumerate(handles):
            print(f"  {kind} {handle}:", end="")
            show(handle, index)

    def show_code_object(self, code_object, _):
        self.answers("code_object", code_object, "PROCESS", "LOAD_ADDRESS")
        status, uri = self.answer("code_object", code_object, "URI_NAME")
        print(f" {uri}" if status == SUCCESS else "")

    def show_agent(self, agent, _):
        self.answers("agent", agent, "PROCESS", "OS_ID")
        print()

    def show_dispatch(self, dispatch, _):
        self.answers("dispatch", dispatch, "PROCESS", "KERNEL_CODE_ENTRY_ADDRESS")
        print()

    def show_wave(self, wave, index):
        self.answers("wave", wave, "PROCESS", "STATE", "STOP_REASON", "PC", "EXEC_MASK", "DISPATCH")
        print()
        if index < 2 and self.answer("wave", wave, "STATE")[1] == self.api.WAVE_STATE_STOP:
            self.show_registers(wave)

    def show_registers(self, wave):
        count, array = number(), ctypes.c_void_p()
        print(f"   registers: {self.api.wave_register_list(wave, count, array)}", end="")
        registers = client.take_array(array.value, count.value)
        for i in range(0, min(len(registers), REGISTERS), EVERY):
            status, size = self.answer("register", registers[i], "SIZE")
            if status == SUCCESS and size <= 256:
                status, content = self.read_register(wave, registers[i], size)
                print(f" {i}:{status}:{content[:8].hex()}", end="")
        print()

    def show(self, process):
        if process:
            self.answers("process", process, "OS_ID", "WATCHPOINT_COUNT")
            print()
        self.show_list("agent", process, self.show_agent)
        self.show_list("code_object", process, self.show_code_object)
        self.show_list("dispatch", process, self.show_dispatch)
        self.show_list("wave", process, self.show_wave)

    # ---- Acting ----

    def take_event(self, process):
        event, kind = number(), number(0, "u32")
        status = self.api.process_next_pending_event(process, event, kind)
        if status != SUCCESS:
            print(f"  next event: {status}")
        if status != SUCCESS or not event.value:
            return False
        print(f"  event {event.value} kind {kind.value}", end="")
        self.answers("event", event.value, "PROCESS", "WAVE")
        print(f" processed {self.api.event_processed(event.value)}")
        return True

    def take_events(self, process):
        if any(self.take_event(process) for _ in range(PATIENCE)):
            while self.take_event(process):
                pass

    def command(self, process, to):
        done = 0
        for wave in self.list("wave", process):
            stopped = self.answer("wave", wave, "STATE")[1] == self.api.WAVE_STATE_STOP
            if stopped == (to == "stop") or (to == "step" and done):
                continue
            status = self.api.wave_stop(wave) if to == "stop" else self.wave_resume(wave, to == "step")
            print(f" {wave}:{status}", end="")
            done += 1
        print()

    def stopped_wave(self, process):
        """The first wave that is stopped, and its pc; 0 without one."""
        for wave in self.list("wave", process):
            status, pc = self.answer("wave", wave, "PC")
            if status == SUCCESS:
                return wave, pc
        return 0, 0

    def read_some(self, process):
        _, pc = self.stopped_wave(process)
        size, content = number(16), client.buffer(16)
        status = self.api.read_memory(process, 0, 0, self.global_space, pc, size, content)
        print(f"  {pc:x}: {status} {size.value} {bytes(content).hex()}")

    def write_some(self, process):
        wave, pc = self.stopped_wave(process)
        registers = self.registers(wave)
        if len(registers) > EVERY:
            print(f"  register: {self.write_register(wave, registers[EVERY], bytes((0xAB, 0xCD, 0, 0)))}")
        print(f"  memory: {self.write_memory(process, pc + 64, bytes((0xAB, 0xCD, 0, 0)), lane=0)[0]}")

    def attach_to(self, name, workload):
        if workload:
            os.environ["WAVETAPE_WORKLOAD"] = workload
        status = self.api.process_attach(IDENTITY + LETTERS.index(name), self.processes[name])
        print(f"  {status} handle {self.processes[name].value}")

    def act(self, action):
        what, name = action[:2]
        process = 0 if name == "*" else self.processes[name].value
        if what == "+":
            self.attach_to(name, action[3:])
        elif what == "-":
            print(f"  {self.api.process_detach(process)}")
        elif what == "e":
            self.take_events(process)
        elif what == "q":
            print(f"  {self.take_event(process):d}")
        elif what == "s":
            self.show(process)
        elif what in "r1t":
            self.command(process, {"r": "resume", "1": "step", "t": "stop"}[what])
        elif what in "hg":
            print(f"  {self.api.process_set_progress(process, self.api.PROGRESS_NORMAL if what == 'g' else self.api.PROGRESS_NO_FORWARD)}")
        elif what == "m":
            self.read_some(process)
        elif what == "w":
            self.write_some(process)
        elif what == "f":
            print(f"  finalize {self.api.finalize()}")
            self.start()
        elif what == "k":
            sys.stdout.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        else:
            print("  no such action")


def main():
    processes = Processes(client.Api("librocm-dbgapi.so.0"))
    processes.start()
    for action in sys.argv[1:]:
        # A workload's path differs from place to place.
        print(f"==== {action[:2]}")
        processes.act(action)
    print(f"==== end\n  {processes.api.finalize()}")


if __name__ == "__main__":
    main()
