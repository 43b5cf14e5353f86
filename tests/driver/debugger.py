#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small debugger of one program of AMD's runtimes.

Usage: debugger.py LIBRARY NEWS TRANSCRIPT breaks|looks|fault KERNEL [PROGRAM NAME]

It starts PROGRAM NAME traced, goes along with the program's loader, and looks for KERNEL among its code objects. Unlike the
conformance suite over a driver it lets the program run while it waits. The session:

breaks: two waves on two queues come to a breakpoint at the kernel's first instruction, and are stepped over it out of place; one
        makes steps, and is stopped by a watchpoint on what it writes in a loop; then all goes on to the end.
looks:  the same; at each stop all is asked for that ROCgdb asks (tests/client/rocgdb.py).
fault:  a wave stops by a memory violation, which is given back to the program.

NEWS is what the program did, in the order in which the debugger saw it. Without a PROGRAM the library is one over a trace, and what
the program did is read from there.

Exit code: 0 if every check holds, 1 if one does not, 2 for wrong usage.
"""

import contextlib
import os
import pathlib
import re
import select
import signal
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "conformance"))

# pylint: disable=wrong-import-position
from suite import SUCCESS, Suite, client, number
from traced import CONT, EXITKILL, SETOPTIONS, TRACEME, Traced, ptrace

CLIENT = THREAD = 1
PATIENCE = 120  # seconds; the compiler of the runtime's own kernels takes some on a busy machine
LARGEST_CODE = 1 << 20
STEPS = 3
# What the program does: there may be events; it stands at the loader's breakpoint; it has ended.
NOTIFIED, HIT, ENDED = "nhe"


class Side(client.Callbacks):
    """The client's side, for the program if there is one."""

    traced = None

    def os_pid(self, _process):
        return self.traced.pid if self.traced else 4242

    def insert_breakpoint(self, process, address, breakpoint_id):
        super().insert_breakpoint(process, address, breakpoint_id)
        return SUCCESS if not self.traced or self.traced.insert(address, breakpoint_id) else self.api.STATUS_ERROR

    def remove_breakpoint(self, _process, breakpoint_id):
        good = not self.traced or self.traced.remove(breakpoint_id)
        return SUCCESS if good else self.api.STATUS_ERROR_INVALID_BREAKPOINT_ID

    def xfer_global_memory(self, process, address, size, read_buffer, write_buffer):
        if not self.traced:
            return super().xfer_global_memory(process, address, size, read_buffer, write_buffer)
        return self.traced.transfer(self.api, address, size, read_buffer, write_buffer)

    def log_message(self, level, message):
        print(f"log {level}: {message.decode()}")


def start(program):
    """It stands before its first instruction."""
    pid = os.fork()
    if not pid:
        try:
            ptrace(TRACEME, 0)
            os.execv(program[0], program)
        finally:
            os._exit(127)
    _, status = os.waitpid(pid, 0)
    if not os.WIFSTOPPED(status):
        raise OSError(f"{program[0]} does not begin")
    ptrace(SETOPTIONS, pid, 0, EXITKILL)
    return Traced(pid)


def find_symbol(image, name):
    """Value and size of a symbol of an ELF's dynamic symbol table; None if it has none."""
    if image[:4] != b"\x7fELF":
        return None
    headers, = struct.unpack_from("<Q", image, 40)
    size, count = struct.unpack_from("<HH", image, 58)
    sections = [struct.unpack_from("<IIQQQQII", image, headers + i * size) for i in range(count) if headers + (i + 1) * size <= len(image)]
    for _, kind, _, _, at, length, link, _ in sections:
        strings = sections[link][4] if kind == 11 else 0  # SHT_DYNSYM
        for symbol in range(at, at + length if strings else at, 24):
            text, _, _, _, value, symbol_size = struct.unpack_from("<IBBHQQ", image, symbol)
            if symbol_size and image[strings + text : image.index(b"\0", strings + text)] == name:
                return value, symbol_size
    return None


def find_api(path):
    """As a client of the level of the library that is recorded: a recorder has the functions of all levels."""
    api, major, minor, patch = client.Api(path), number(0, "u32"), number(0, "u32"), number(0, "u32")
    api.get_version(major, minor, patch)
    try:
        return client.Api(path, minor.value)
    except KeyError:
        return api


class Debugger(Suite):
    def __init__(self, api, news, kernel, traced):
        super().__init__(api, Side())
        self.side.traced = self.traced = traced
        self.news, self.kernel = news, kernel.encode()
        self.ended, self.exit_status = False, 0
        self.process = self.notifier = 0
        self.entry = self.size = 0  # of the kernel; entry is 0 until it is loaded
        self.breaks = self.looks = False
        self.saved = self.breakpoint = 0  # the instruction at the kernel's entry, and what stands there instead
        self.next_pending_event = api.process_next_pending_event
        api.process_next_pending_event = self.wait_for_event

    # ---- The program ----

    def drain_notifier(self):
        if not select.select([self.notifier], [], [], 0.001)[0]:
            return False
        with contextlib.suppress(BlockingIOError):
            while os.read(self.notifier, 64):
                pass
        return True

    def wait_for_news(self):
        """What the program does next. It may be silent: then it is ended, which is no end that a session expects."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.drain_notifier():
                return NOTIFIED
            if self.traced.look():
                return HIT
            if not self.traced.pid:
                self.exit_status = self.traced.status
                return ENDED
        self.check("the program does something", False, f"nothing for {PATIENCE} seconds")
        return ENDED

    def next_news(self):
        if self.traced:
            news = self.wait_for_news()
            self.news.write(f"{news} {self.exit_status}\n")
            return news
        news, _, status = (self.news.readline() or ENDED).partition(" ")
        self.exit_status = int(status or 0)
        return news

    def leave_breakpoint(self):
        if self.traced:
            self.traced.leave_breakpoint()

    def report_hit(self):
        action = number(self.api.BREAKPOINT_ACTION_HALT, "u32")
        self.status("the loader's breakpoint is hit", self.api.report_breakpoint_hit(self.side.breakpoint, THREAD, action))
        print(f"hit: action {action.value}")
        if action.value == self.api.BREAKPOINT_ACTION_RESUME:
            self.leave_breakpoint()

    def wait_for_event(self, process, event, kind):
        """In front of the library's: wait for an event, for as long as there is a program that can cause one."""
        status = self.next_pending_event(process, event, kind)
        while status == SUCCESS and not event.value and not self.ended:
            news = self.next_news()
            if news == HIT:
                self.report_hit()
            self.ended = news == ENDED
            status = self.next_pending_event(process, event, kind)
        return status

    # ---- Code ----

    def read_code(self, uri):
        path, offset, size = re.fullmatch(r"(?:file://(.*?)|memory://.*?)(?:[#?]offset=(\w+)&size=(\w+))?", uri).groups()
        size = min(int(size, 0) if size else LARGEST_CODE, LARGEST_CODE)
        if path is None:
            return self.traced.read(int(offset, 0), size) if self.traced else b""
        with open(path, "rb") as file:
            return os.pread(file.fileno(), size, int(offset, 0) if offset else 0)

    def look_for_kernel(self, code_object):
        found = find_symbol(self.read_code(self.ask("code_object", code_object, "URI_NAME")), self.kernel)
        if found:
            self.entry, self.size = self.ask("code_object", code_object, "LOAD_ADDRESS") + found[0], found[1]
            print(f"code object {code_object} has the kernel at {self.entry:#x}, {self.size} bytes")

    def plant_breakpoint(self):
        architecture = self.ask("agent", self.list("agent", self.process)[0], "ARCHITECTURE")
        instruction = self.ask("architecture", architecture, "BREAKPOINT_INSTRUCTION")
        self.number("a breakpoint takes four bytes", len(instruction), 4)
        self.breakpoint, self.saved = int.from_bytes(instruction, "little"), self.read_word(self.process, self.entry)
        self.write_word(self.process, self.entry, self.breakpoint)
        print(f"breakpoint {self.breakpoint:08x} over {self.saved:08x}")

    def code_changed(self):
        """The program stands at the loader's breakpoint: nothing that is loaded has run yet."""
        objects = self.list("code_object", self.process)
        print(f"code objects {len(objects)}")
        if self.entry:
            return
        for code_object in objects:
            if not self.entry:
                self.look_for_kernel(code_object)
        if self.entry and self.breaks:
            self.plant_breakpoint()

    # ---- Waves ----

    def next_stop(self):
        """The wave that stops next; 0 at the end of the program."""
        wave = 0
        while not wave:
            event, kind = self.next_event(self.process)
            if not event:
                break
            print(f"event {event} kind {kind}")
            if kind == "WAVE_STOP":
                wave = self.ask("event", event, "WAVE")
            elif kind == "CODE_OBJECT_LIST_UPDATED":
                self.code_changed()
            self.api.event_processed(event)
            if kind == "BREAKPOINT_RESUME":
                self.leave_breakpoint()
        return wave

    def show_wave(self, wave):
        lanes = struct.unpack("<4I", self.read_register(wave, "v0", 16)[1])
        print(f"wave {wave} reason {self.reason(wave):#x} pc {self.pc(wave):#x} exec {self.ask('wave', wave, 'EXEC_MASK'):#x} v0",
              *map(hex, lanes))
        if self.looks:
            client.RocGdb(self).look(self.process, wave)

    def expect_stop(self, what, wave, reason):
        """Wait for a stop, which must be that of a wave (0: of any), by a reason."""
        stopped = self.next_stop()
        if not self.check(f"{what} stops a wave", stopped, "none stops"):
            return 0
        self.show_wave(stopped)
        if wave:
            self.number(f"{what} stops the right wave", stopped, wave)
        self.number(f"the reason is {what}", self.reason(stopped), self.reason_of(reason))
        return stopped

    def of_dispatch(self, wave, query):
        return self.ask("dispatch", self.ask("wave", wave, "DISPATCH"), query)

    def wait_at_breakpoint(self):
        wave = self.expect_stop("the breakpoint", 0, "BREAKPOINT")
        if not wave:
            return 0
        adjust = self.ask("architecture", self.ask("wave", wave, "ARCHITECTURE"), "BREAKPOINT_INSTRUCTION_PC_ADJUST")
        self.number("at the kernel's entry", self.pc(wave) - adjust, self.entry)
        self.status("to the entry again", self.write_register(wave, "pc", self.entry.to_bytes(8, "little")))
        self.number("the dispatch is of the kernel", self.of_dispatch(wave, "KERNEL_CODE_ENTRY_ADDRESS"), self.entry)
        return wave

    def step_over(self, wave):
        """The breakpoint stays, for the other waves."""
        stepping = number()
        self.status("displaced stepping starts",
                    self.api.displaced_stepping_start(wave, client.buffer(self.saved.to_bytes(4, "little")), stepping))
        self.status("the displaced step", self.wave_resume(wave, True))
        self.expect_stop("the displaced step", wave, "SINGLE_STEP")
        self.status("displaced stepping ends", self.api.displaced_stepping_complete(wave, stepping.value))
        self.check("the wave is behind the breakpoint", self.pc(wave) - self.entry in (4, 8), f"{self.pc(wave) - self.entry} bytes")
        self.number("the breakpoint stays", self.read_word(self.process, self.entry), self.breakpoint)

    def watch_stores(self, wave):
        """The kernel's first argument is the address of what it writes: its first element is 1 after the first round, then 1 + 2."""
        arguments = self.of_dispatch(wave, "KERNEL_ARGUMENT_SEGMENT_ADDRESS")
        target = self.read_word(self.process, arguments) | self.read_word(self.process, arguments + 4) << 32
        watchpoint = number()
        self.number("the buffer is as it was", self.read_word(self.process, target), 0)
        self.status("watching the buffer",
                    self.watch(self.process, target, 4, self.api.WATCHPOINT_KIND_STORE_AND_RMW, watchpoint)[0])
        for stored in (1, 3):
            self.status("going on", self.wave_resume(wave))
            self.expect_stop("the watchpoint", wave, "WATCHPOINT")
            found = self.ask("wave", wave, "WATCHPOINTS")
            self.check("it is that watchpoint", found == [watchpoint.value], f"{found}")
            self.number("what is stored is there", self.read_word(self.process, target), stored)
        self.status("no longer", self.unwatch(self.process, watchpoint.value))

    # ---- Sessions ----

    def check_end(self, code, by_signal=0):
        """The program is as without a debugger, or has been ended as it would have been."""
        wave, status = self.next_stop(), self.exit_status
        self.check("nothing else stops", not wave, f"wave {wave}")
        self.check("the program has ended", self.ended, "it has not")
        if by_signal:
            self.check("by the signal", os.WIFSIGNALED(status) and os.WTERMSIG(status) == by_signal, f"status {status:#x}")
        else:
            self.check("with its exit code", os.WIFEXITED(status) and os.WEXITSTATUS(status) == code, f"status {status:#x}")

    def session_breaks(self):
        self.breaks = True
        waves = []
        for _ in range(2):
            waves.append(self.wait_at_breakpoint())
            if not waves[-1]:
                return
        self.check("they are of two queues", len({self.ask("wave", wave, "QUEUE") for wave in waves}) == 2, "of one")
        for wave in waves:
            self.step_over(wave)
        for _ in range(STEPS):
            self.status("a step", self.wave_resume(waves[0], True))
            self.expect_stop("a step", waves[0], "SINGLE_STEP")
        self.watch_stores(waves[0])
        self.write_word(self.process, self.entry, self.saved)
        for wave in waves:
            self.status("to the end", self.wave_resume(wave))
        self.check_end(0)

    def session_looks(self):
        """At each stop, what ROCgdb asks."""
        self.looks = True
        self.session_breaks()

    def session_fault(self):
        wave = self.expect_stop("a memory violation", 0, "MEMORY_VIOLATION")
        if not wave:
            return
        pc = self.pc(wave)
        self.check("it stops in its kernel", self.entry and self.entry <= pc < self.entry + self.size, hex(pc))
        self.status("the program is given its exception", self.wave_resume(wave, exceptions=self.api.EXCEPTION_WAVE_MEMORY_VIOLATION))
        self.check_end(0, signal.SIGABRT)

    def debug(self, session):
        process = number()
        self.status("initialize", self.initialize())
        if not self.status("attach", self.api.process_attach(CLIENT, process)):
            return
        self.process = process.value
        self.notifier = self.ask("process", self.process, "NOTIFIER")
        if self.traced:
            ptrace(CONT, self.traced.pid)
        session()
        self.status("detach", self.api.process_detach(self.process))
        self.status("finalize", self.api.finalize())


def main(arguments):
    if len(arguments) not in (5, 7) or arguments[3] not in ("breaks", "looks", "fault"):
        print(__doc__, file=sys.stderr)
        return 2
    library, news, transcript, session, kernel, *program = arguments
    try:
        api = find_api(library)
        traced = start(program) if program else None
    except OSError as error:
        print(f"debugger: {error}", file=sys.stderr)
        return 2
    # The program's output is not the transcript: it starts before.
    with open(news, "w" if program else "r", encoding="utf-8") as file, open(transcript, "w", encoding="utf-8") as output, \
            contextlib.redirect_stdout(output):
        debugger = Debugger(api, file, kernel, traced)
        debugger.debug(getattr(debugger, f"session_{session}"))
        if traced:
            traced.close()
        print(f"{debugger.passed} ok, {debugger.failed} not ok")
    return 1 if debugger.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
