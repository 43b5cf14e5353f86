# SPDX-License-Identifier: MIT
"""Registers, memory, modes, processes: the order of checks, and what follows. And all of it over a core."""

from client import number
from events import check_control, check_event_errors
from objects import check_all_lists, check_all_objects
from suite import NO_HANDLE

FIRST_CLIENT, SECOND_CLIENT = 0x101, 0x102


def check_register_order(s, running, stopped):
    read, write, value = s.api.read_register, s.api.write_register, number(99)
    pc = s.find_register(stopped, "pc")
    s.status("read_register: the wave first", read(NO_HANDLE, NO_HANDLE, 0, 0, None), "ERROR_INVALID_WAVE_ID")
    s.status("read_register: then the register", read(running, NO_HANDLE, 0, 0, None), "ERROR_INVALID_REGISTER_ID")
    s.status("read_register: then whether it is stopped", read(running, pc, 0, 0, None), "ERROR_WAVE_NOT_STOPPED")
    s.status("read_register: then NULL", read(stopped, pc, 6, 8, None), "ERROR_INVALID_ARGUMENT")
    s.status("read_register: or no bytes", read(stopped, pc, 0, 0, value), "ERROR_INVALID_ARGUMENT")
    s.status("read_register: then the bounds", read(stopped, pc, 6, 8, value), "ERROR_INVALID_ARGUMENT_COMPATIBILITY")
    s.number("errors leave the value", value.value, 99)
    s.status("read_register", read(stopped, pc, 0, 8, value))
    s.number("the pc is the register pc", value.value, s.pc(stopped))
    value.value = 0
    s.status("a part of a register", read(stopped, pc, 4, 4, value))
    s.number("is that part", value.value, s.pc(stopped) >> 32)
    s.status("write_register: the wave first", write(NO_HANDLE, NO_HANDLE, 0, 0, None), "ERROR_INVALID_WAVE_ID")
    s.status("write_register: whether it is stopped", write(running, pc, 0, 8, value), "ERROR_WAVE_NOT_STOPPED")


def check_register_writes(s, wave):
    old = s.pc(wave)
    s.write_register(wave, "pc", (old | 3).to_bytes(8, "little"))
    s.number("the low bits of the pc cannot be written", s.pc(wave), old)
    s.write_register(wave, "exec", bytes(8))
    status = int.from_bytes(s.read_register(wave, "status", 4)[1], "little")
    s.number("status says that exec is zero", status >> 9 & 1, 1)
    s.number("as the query does", s.ask("wave", wave, "EXEC_MASK"), 0)
    s.write_register(wave, "exec", b"\xff" * 8)


def registers(s):
    process = s.attach_ready("vecadd")
    wave = s.first_wave_stopped(process)
    waves = s.list("wave", process)
    s.api.process_set_progress(process, s.api.PROGRESS_NO_FORWARD)
    s.wave_resume(waves[1])
    check_register_order(s, waves[1], wave)
    check_register_writes(s, wave)
    s.detach(process)


def check_memory_order(s, process, wave):
    value, size = number(99), number(8)
    space, lane = s.global_space, s.no_lane

    def read(*arguments):
        return s.api.read_memory(*arguments)

    s.status("read_memory: the process first", read(NO_HANDLE, NO_HANDLE, 0, NO_HANDLE, 0, None, None), "ERROR_INVALID_PROCESS_ID")
    s.status("read_memory: then NULL", read(process, wave, 0, NO_HANDLE, 0, size, None), "ERROR_INVALID_ARGUMENT")
    s.status("read_memory: then the space", read(process, NO_HANDLE, 0, NO_HANDLE, 0, size, value), "ERROR_INVALID_ADDRESS_SPACE_ID")
    s.status("read_memory: then the wave", read(process, NO_HANDLE, 0, space, 0, size, value), "ERROR_INVALID_WAVE_ID")
    s.status("read_memory: a lane that the wave does not have", read(process, wave, 64, space, 0, size, value), "ERROR_INVALID_LANE_ID")
    s.number("errors other than of the access leave the size", size.value, 8)
    s.status("read_memory: then the access", read(process, 0, lane, space, 64, size, value), "ERROR_MEMORY_ACCESS")
    s.number("whose failure gives no bytes", size.value, 0)
    s.number("and leaves the buffer", value.value, 99)
    s.status("no bytes are no error", read(process, 0, lane, space, 64, size, value))
    size.value = 8
    s.status("memory that is there", read(process, 0, lane, space, s.pc(wave), size, value))
    s.number("is read whole", size.value, 8)


def memory(s):
    process = s.attach_ready("vecadd")
    check_memory_order(s, process, s.first_wave_stopped(process))
    s.detach(process)


def check_mode_errors(s, process):
    api, argument, none = s.api, "ERROR_INVALID_ARGUMENT", "ERROR_INVALID_PROCESS_ID"
    s.status("set_progress looks at the mode before the process", api.process_set_progress(NO_HANDLE, 9), argument)
    s.status("set_progress of no process", api.process_set_progress(NO_HANDLE, api.PROGRESS_NORMAL), none)
    s.status("set_wave_creation looks at the process before the mode", api.process_set_wave_creation(NO_HANDLE, 9), none)
    s.status("set_wave_creation of no mode", api.process_set_wave_creation(process, 9), argument)
    s.status("set_memory_precision of no process", api.set_memory_precision(NO_HANDLE, 9), none)
    s.status("set_memory_precision of no precision", api.set_memory_precision(process, 9), argument)
    if not s.lacks("process_freeze", "freezing"):
        s.status("unfreezing what is not frozen", api.process_unfreeze(process), "ERROR_PROCESS_NOT_FROZEN")
        s.status("freezing what goes on", api.process_freeze(process), "ERROR_INCOMPATIBLE_PROCESS_STATE")


def creation(s):
    process, api = s.attach_ready("two-kernels"), s.api
    # Those of the first dispatch run already; the others are held.
    check_mode_errors(s, process)
    s.status("stopping waves at their creation", api.process_set_wave_creation(process, api.WAVE_CREATION_STOP))
    s.check("no event of a wave that does not run comes", s.nothing_comes(process), "one does")
    s.number("and the waves are not listed", len(s.list("wave", process)), 0)
    s.status("letting them go", api.process_set_wave_creation(process, api.WAVE_CREATION_NORMAL))
    s.check("W42 they are listed, without an event", s.list("wave", process) and s.nothing_comes(process), "no")
    s.number("and run to their ends", len(s.list("wave", process)), 0)
    s.detach(process)


def check_frozen(s, process, wave):
    """What a frozen process refuses; and that it is as it was when it is let go."""
    api, frozen = s.api, "ERROR_PROCESS_FROZEN"
    s.status("frozen: resuming a wave", s.wave_resume(wave), frozen)
    s.status("frozen: set_progress", api.process_set_progress(process, api.PROGRESS_NORMAL), frozen)
    s.status("frozen: set_wave_creation", api.process_set_wave_creation(process, api.WAVE_CREATION_NORMAL), frozen)
    s.status("frozen: set_watchpoint", api.set_watchpoint(process, 64, 4, api.WATCHPOINT_KIND_ALL, number()), frozen)
    s.status("frozen: write_memory", s.write_memory(process, s.pc(wave), bytes(4))[0], frozen)
    s.status("frozen: reading is allowed", s.read_memory(process, s.pc(wave), 4)[0])


def freeze(s):
    api = s.api
    if s.lacks("process_freeze", "frozen processes") or s.left_out("frozen processes", "a trace does not replay them", 1):
        return
    process = s.attach_ready("vecadd")
    wave = s.first_wave_stopped(process)
    s.status("freezing no process", api.process_freeze(NO_HANDLE), "ERROR_INVALID_PROCESS_ID")
    api.process_set_progress(process, api.PROGRESS_NO_FORWARD)
    s.status("freezing what may create waves", api.process_freeze(process), "ERROR_INCOMPATIBLE_PROCESS_STATE")
    api.process_set_wave_creation(process, api.WAVE_CREATION_STOP)
    s.status("the core state of what is not frozen", s.answer("process", process, "CORE_STATE")[0], "ERROR_PROCESS_NOT_FROZEN")
    s.status("freezing", api.process_freeze(process))
    s.status("freezing again", api.process_freeze(process), "ERROR_PROCESS_ALREADY_FROZEN")
    check_frozen(s, process, wave)
    status, core = s.answer("process", process, "CORE_STATE")
    s.status("frozen: the core state", status)
    s.check("which has its header", core and len(core) >= 56, f"{core}")
    s.status("unfreezing", api.process_unfreeze(process))
    s.status("unfreezing again", api.process_unfreeze(process), "ERROR_PROCESS_NOT_FROZEN")
    api.process_set_progress(process, api.PROGRESS_NORMAL)
    s.check("the wave can go on", s.step(process, wave), "it does not step")
    s.detach(process)


def attach_client(s, client_process):
    process = number()
    s.status("attaching one of two", s.api.process_attach(client_process, process))
    return process.value


def check_two(s, first, second):
    again = number(99)
    s.check("processes have handles of their own", first != second, "one handle")
    s.status("attaching the same twice", s.api.process_attach(FIRST_CLIENT, again), "ERROR_ALREADY_ATTACHED")
    s.number("leaves the handle", again.value, 99)
    agents = [next(iter(s.list("agent", process)), 0) for process in (first, second)]
    s.check("so have their agents", all(agents) and agents[0] != agents[1], agents)
    s.number("C14 the code objects of all are listed together", len(s.list("code_object", 0)),
             len(s.list("code_object", first)) + len(s.list("code_object", second)))
    event, _ = s.next_event(second)
    s.number("E1 an event of the second process is its own", s.ask("event", event, "PROCESS"), second)
    s.api.event_processed(event)
    event, _ = s.next_event(first)
    s.number("E1 and the first has one, too", s.ask("event", event, "PROCESS"), first)


def processes(s):
    s.detach(s.attach("vecadd"))
    first, second = attach_client(s, FIRST_CLIENT), attach_client(s, SECOND_CLIENT)
    check_two(s, first, second)
    s.detach(first)
    s.status("E1 detaching one leaves the other", s.api.process_set_progress(second, s.api.PROGRESS_NO_FORWARD))
    s.status("finalize detaches it", s.api.finalize())
    s.initialize()
    s.status("handles from before name nothing", s.api.process_detach(second), "ERROR_INVALID_PROCESS_ID")
    first = s.attach("vecadd")
    s.check("finalize starts the handles from 1 again", 1 in s.list("agent", first), "no agent has the first")
    s.check("but not those of processes", first > 1, first)
    s.detach(first)


def ends(s):
    if s.left_out("E9 the end of the program", "the recorder asks in another order", 2):
        return
    process = s.attach_ready("unloads")
    event, kind = s.next_event(process)
    s.number("E9 an event of the runtime comes", kind, "RUNTIME")
    s.number("E9 it was unloaded", s.ask("event", event, "RUNTIME_STATE"), s.api.RUNTIME_STATE_UNLOADED)
    s.api.event_processed(event)
    for kind in s.lists():
        if kind != "agent":
            s.number(f"E9 unloaded: no {kind}", len(s.list(kind, process)), 0)
    s.check("nothing more comes", s.nothing_comes(process), "something does")
    s.detach(process)
    process = s.attach_ready("exits")
    wave = s.take(process, "WAVE_STOP")
    s.wave_resume(wave)
    s.check("the exit of the process is no event", s.nothing_comes(process), "one comes")
    for kind in s.lists():
        s.number(f"exited: no {kind}", len(s.list(kind, process)), 0)
    s.status("exited: its waves are none", s.api.wave_stop(wave), "ERROR_INVALID_WAVE_ID")
    s.detach(process)


def check_core_refusals(s, process, wave):
    """A core cannot be changed: what would have to reach a device is FATAL, and goes no further."""
    api, watchpoint = s.api, number(99)
    precise = s.ask("process", process, "PRECISE_MEMORY_SUPPORTED")
    if not s.lacks("process_freeze", "freezing a core"):
        s.status("freezing a core", api.process_freeze(process), "ERROR_INCOMPATIBLE_PROCESS_STATE")
        s.status("unfreezing a core", api.process_unfreeze(process), "ERROR_PROCESS_NOT_FROZEN")
    s.status("stopping the waves of a core at creation", api.process_set_wave_creation(process, api.WAVE_CREATION_STOP), "FATAL")
    s.status("precise memory of a core", api.set_memory_precision(process, api.MEMORY_PRECISION_PRECISE),
             "FATAL" if precise else "ERROR_NOT_SUPPORTED")
    s.status("a watchpoint of a core", api.set_watchpoint(process, 64, 4, api.WATCHPOINT_KIND_ALL, watchpoint), "FATAL")
    s.number("leaves the handle", watchpoint.value, 99)
    s.status("a wave of a core resumed with an exception", s.wave_resume(wave, exceptions=api.EXCEPTION_WAVE_ABORT), "FATAL")
    s.number("is left running", s.state(wave), "RUN")


STATUS_PRIVILEGED, STATUS_SKIP_EXPORT = 1 << 5, 1 << 18
SAVED_HALT = 1 << 29  # of ttmp6


def take_word(s, wave, name):
    return int.from_bytes(s.read_register(wave, name, 4)[1], "little")


def check_core_registers(s, process, wave):
    """What a client's writes of registers, and letting a wave go, leave behind; the wave stands at a memory violation."""
    modern = s.find_register(wave, "excp_flag_priv")
    s.write_register(wave, "status", b"\xff\xff\xff\xff")
    hidden = STATUS_PRIVILEGED | (0 if modern else STATUS_SKIP_EXPORT)
    s.number("every bit of status is written, and some are hidden", take_word(s, wave, "status"), 0xFFFFFFFF & ~hidden)
    s.write_register(wave, "status", bytes(4))
    flags = "excp_flag_priv" if modern else "trapsts"
    s.check("a memory violation is in the flags", take_word(s, wave, flags) != 0, "they are 0")
    s.status("the wave is let go", s.wave_resume(wave))
    s.status("and stopped", s.api.wave_stop(wave))
    event, _ = s.next_event(process)
    s.api.event_processed(event)
    s.number("what was told in its stop reason is cleared", take_word(s, wave, flags), 0)
    s.check("it was not halted", not take_word(s, wave, "ttmp6") & SAVED_HALT, "it is")
    s.wave_resume(wave, exceptions=s.api.EXCEPTION_WAVE_ABORT)
    s.api.wave_stop(wave)
    event, _ = s.next_event(process)
    s.api.event_processed(event)
    s.check("one that goes on with an exception is halted", take_word(s, wave, "ttmp6") & SAVED_HALT, "it is not")


def core(s):
    """Stopped for ever: what a library says of a core file of a GPU."""
    process, wave = number(), 0
    s.status("attach to a core", s.api.process_attach(FIRST_CLIENT, process))
    process = process.value
    event, kind = s.next_event(process)
    s.number("E8 the first event is RUNTIME", kind, "RUNTIME")
    s.api.event_processed(event)
    event, kind = s.next_event(process)
    while event:
        s.number("E4 then stops of waves", kind, "WAVE_STOP")
        wave = wave or s.ask("event", event, "WAVE")
        s.api.event_processed(event)
        event, kind = s.next_event(process)
    if not wave:
        s.skip("what a stopped wave shows", "the core has none")
        s.detach(process)
        return
    check_event_errors(s, process)
    check_all_objects(s, process)
    check_all_lists(s, process)
    check_memory_order(s, process, wave)
    waves = s.list("wave", process)
    s.status("set_progress of a core", s.api.process_set_progress(process, s.api.PROGRESS_NO_FORWARD))
    faulting = [one for one in waves if one != wave and s.reason(one) & s.reason_of("MEMORY_VIOLATION")]
    if faulting:
        check_core_registers(s, process, faulting[-1])
    check_control(s, process, wave)
    other = next((one for one in waves if one != wave), 0)
    if other:
        s.wave_resume(other)
        check_register_order(s, other, wave)
    check_core_refusals(s, process, wave)
    s.detach(process)
