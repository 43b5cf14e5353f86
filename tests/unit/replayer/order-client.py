#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
A client of few calls, whose order matters: what they let go or change shows at once, though the client has not asked
for another event. Over the simulated GPU, over a recording library in front of it, and over a replay it must print
the same.

Usage: order-client.py SCRIPT, one of those at the end.
"""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

# pylint: disable=wrong-import-position
import client
from client import number

ROUNDS = 200
NOP = (0xBF800000).to_bytes(4, "little")


class Side(client.Callbacks):
    def __init__(self):
        super().__init__()
        self.process_id = 17

    def allocate_memory(self, size):
        return super().allocate_memory(size or 1)

    def log_message(self, level, message):
        print(f"  log {level} {message.decode()}")


class Order(client.Client):
    # ---- What the scripts are made of ----

    def next(self):
        """The next event: it, its kind, its wave."""
        event, kind, wave = number(), number(0, "u32"), number()
        status = self.api.process_next_pending_event(self.process, event, kind)
        self.get_info("event", event.value, "WAVE", 8, wave)
        print(f"event: {status} {event.value} kind {kind.value} wave {wave.value}")
        return event.value, self.event_kind(kind.value), wave.value

    def processed(self, happened):
        print(f"processed {happened[0]}: {self.api.event_processed(happened[0])}")

    def run_to(self, kind):
        """Go on to the next event of a kind; what comes before it is done with."""
        for _ in range(ROUNDS):
            happened = self.next()
            if happened[1] == kind:
                break
            if happened[0]:
                self.processed(happened)
        return happened

    def take_all(self):
        """All events until there are none, done with: the first wave that one of them stopped."""
        first, happened = 0, self.next()
        while happened[0]:
            first = first or happened[2]
            self.processed(happened)
            happened = self.next()
        return first

    def ask_state(self, wave):
        value = number()
        status = self.get_info("wave", wave, "STATE", 4, value)
        print(f"wave {wave}, {self.query('wave', 'STATE')[0]}: {status} {value.value:x}")

    def pc_register(self, wave):
        architecture, register = number(), number()
        self.get_info("wave", wave, "ARCHITECTURE", 8, architecture)
        self.get_info("architecture", architecture.value, "PC_REGISTER", 8, register)
        return register.value

    def read_pc(self, wave):
        pc = number()
        status = self.api.read_register(wave, self.pc_register(wave), 0, 8, pc)
        print(f"pc {wave}: {status} {pc.value:x}")
        return pc.value

    def last_standing(self):
        """The last wave whose registers can be read, whether the client was told that it has stopped or not."""
        count, array = number(), ctypes.c_void_p()
        status = self.api.process_wave_list(self.process, count, array, None)
        print(f"waves: {status} {count.value}")
        return ([0] + [wave for wave in client.take_array(array.value, count.value) if self.read_pc(wave)])[-1]

    def write_pc(self, wave, pc):
        print(f"write pc {wave}: {self.api.write_register(wave, self.pc_register(wave), 0, 8, number(pc))}")

    def show_word(self, address):
        status, word = self.read_memory(self.process, address, 4)
        print(f"memory {address:x}: {status} {int.from_bytes(word, 'little'):x}")

    def resume(self, wave, step=False):
        print(f"resume {wave} {step:d}: {self.wave_resume(wave, step)}")

    def stop(self, wave):
        print(f"stop {wave}: {self.api.wave_stop(wave)}")

    def set_progress(self, forward):
        mode = self.api.PROGRESS_NORMAL if forward else self.api.PROGRESS_NO_FORWARD
        print(f"progress {mode}: {self.api.process_set_progress(self.process, mode)}")

    def begin_step(self, wave):
        stepping = number()
        status = self.api.displaced_stepping_start(wave, client.buffer(NOP), stepping)
        print(f"displaced {wave}: {status} {stepping.value}")
        return stepping.value

    def end_step(self, wave, stepping):
        print(f"complete {wave}: {self.api.displaced_stepping_complete(wave, stepping)}")

    def list_packets(self):
        count, array = number(), ctypes.c_void_p()
        status = self.api.process_queue_list(self.process, count, array, None)
        print(f"queues: {status} {count.value}")
        for queue in client.take_array(array.value, count.value):
            numbers = [number(), number(), number()]
            status = self.api.queue_packet_list(queue, *numbers, None)
            print(f"  packets: {status}", *(one.value for one in numbers))

    def hit(self):
        """Report a hit of the library's breakpoint. Return: its status, and the action."""
        action = number(self.api.BREAKPOINT_ACTION_RESUME, "u32")
        return self.api.report_breakpoint_hit(self.side.breakpoint, None, action), action.value

    # ---- The scripts ----

    def process_breakpoint(self):
        """The program waits at a breakpoint until the event is processed; then it goes on at once, and uses its queue."""
        for _ in range(ROUNDS):
            self.take_all()
            status, action = self.hit()
            print(f"hit: {status} {action}")
            if action == self.api.BREAKPOINT_ACTION_HALT:
                break
        self.processed(self.run_to("CODE_OBJECT_LIST_UPDATED"))
        happened = self.run_to("BREAKPOINT_RESUME")
        self.take_all()
        self.list_packets()
        self.processed(happened)
        self.list_packets()

    def process_breakpoint_at_once(self):
        """As before, but nothing was looked at, and no other event asked for, since the event came."""
        for _ in range(ROUNDS):
            self.take_all()
            if self.hit()[1] == self.api.BREAKPOINT_ACTION_HALT:
                break
        self.list_packets()
        self.processed(self.run_to("CODE_OBJECT_LIST_UPDATED"))
        self.processed(self.run_to("BREAKPOINT_RESUME"))
        self.list_packets()
        self.take_all()
        self.list_packets()

    def step_unseen(self):
        """
        A wave has stopped whose event is still to come. Its registers were written at one moment, and it steps at a later one.
        Whatever comes of what it does, what the client has seen is a moment before it.
        """
        self.processed(self.run_to("WAVE_STOP"))
        self.set_progress(False)
        wave = self.last_standing()
        self.write_pc(wave, self.read_pc(wave))
        self.resume(0)
        self.processed(self.next())
        stepping = self.begin_step(wave)
        self.resume(0)
        self.processed(self.next())
        self.read_pc(wave)
        self.end_step(wave, stepping)
        self.read_pc(wave)

    def first_stopped(self):
        self.processed(self.run_to("RUNTIME"))
        return self.take_all()

    def stop_in_step(self):
        """In the middle of a displaced step a wave is let go, and stopped before anything moves."""
        wave = self.first_stopped()
        self.read_pc(wave)
        stepping = self.begin_step(wave)
        self.read_pc(wave)
        self.resume(wave, True)
        self.read_pc(wave)
        self.stop(wave)
        self.write_pc(wave, self.read_pc(wave))
        self.processed(self.next())
        self.read_pc(wave)
        self.end_step(wave, stepping)
        self.read_pc(wave)

    def look_in_step(self):
        """The client has looked at a wave before it got the event of its stop, steps it, and looks before the event of the step."""
        self.processed(self.run_to("WAVE_STOP"))
        self.set_progress(False)
        wave = self.last_standing()
        self.read_pc(wave)
        self.take_all()
        stepping = self.begin_step(wave)
        self.resume(wave, True)
        self.read_pc(wave)
        self.set_progress(True)
        self.read_pc(wave)
        self.take_all()
        self.read_pc(wave)
        self.end_step(wave, stepping)
        self.read_pc(wave)

    def ask_in_step(self):
        """A step that is not made shows as one until the client asks the wave to stop, or something else stops it."""
        wave = self.first_stopped()
        self.set_progress(False)
        self.resume(wave, True)
        self.take_all()
        self.ask_state(wave)
        self.stop(wave)
        self.ask_state(wave)
        self.take_all()
        self.ask_state(wave)

    def ask_after_step(self):
        """A step that was made shows as one, also when the client asks the wave to stop; it ends without the event of either."""
        wave = self.first_stopped()
        self.set_progress(False)
        self.resume(wave, True)
        self.set_progress(True)
        self.stop(wave)
        self.ask_state(wave)

    def fault_in_step(self):
        """
        A wave that is to make a step stops for another reason, and shows as running until its event is given. Another wave has
        stopped in between, and the client has tried to do something with the first.
        """
        wave = self.first_stopped()
        other = self.last_standing()
        self.set_progress(False)
        self.resume(wave, True)
        self.resume(other)
        self.stop(other)
        self.take_all()
        self.ask_state(wave)
        self.begin_step(wave)
        self.set_progress(True)
        self.ask_state(wave)
        self.take_all()
        self.ask_state(wave)

    def look_at_step(self):
        """The instructions of two displaced steps, begun at one moment, stand in one page."""
        first = self.first_stopped()
        second = self.last_standing()
        self.resume(second, True)
        self.run_to("WAVE_STOP")
        self.take_all()
        for wave in (first, second):
            self.begin_step(wave)
            self.show_word(self.read_pc(wave))

    def write_in_step(self):
        """In the middle of a displaced step no register can be written, and behind it each can."""
        wave = self.first_stopped()
        stepping = self.begin_step(wave)
        self.write_pc(wave, self.read_pc(wave))
        print(f"write nothing: {self.api.write_register(wave, self.pc_register(wave), 0, 8, None)}")
        self.end_step(wave, stepping)
        self.write_pc(wave, self.read_pc(wave))

    def step_after_poll(self):
        """All have stopped, and there is no event; then the client asks for one again, and has two waves step over a breakpoint."""
        waves = self.first_stopped(), self.last_standing()
        self.set_progress(False)
        self.take_all()
        steppings = [self.begin_step(wave) for wave in waves]
        for wave in waves:
            self.resume(wave, True)
        self.set_progress(True)
        self.take_all()
        for wave, stepping in zip(waves, steppings):
            self.end_step(wave, stepping)
            self.read_pc(wave)

    SCRIPTS = (process_breakpoint, process_breakpoint_at_once, step_unseen, stop_in_step, look_in_step, ask_in_step, ask_after_step,
               fault_in_step, look_at_step, write_in_step, step_after_poll)


def main():
    scripts = {script.__name__.replace("_", "-"): script for script in Order.SCRIPTS}
    if len(sys.argv) != 2 or sys.argv[1] not in scripts:
        print(__doc__, file=sys.stderr)
        return 2
    order, process = Order(client.Api("librocm-dbgapi.so.0"), Side()), number()
    print(f"initialize: {order.initialize()}")
    print(f"attach: {order.api.process_attach(client.session.CLIENT_PROCESS, process)}")
    order.process = process.value
    scripts[sys.argv[1]](order)
    print(f"finalize: {order.api.finalize()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
