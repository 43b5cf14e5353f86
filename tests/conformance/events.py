# SPDX-License-Identifier: MIT
"""Events, stops and resumption, in the orders that a client may choose."""

from client import number
from suite import NO_HANDLE

NOPS = 0xBF800000


def check_event_errors(s, process):
    api, event, kind = s.api, number(99), number(77, "u32")
    s.status("E21 next_pending_event without an event, process wrong too", api.process_next_pending_event(NO_HANDLE, None, kind),
             "ERROR_INVALID_ARGUMENT")
    s.status("E21 next_pending_event without a kind", api.process_next_pending_event(process, event, None), "ERROR_INVALID_ARGUMENT")
    s.status("E20 next_pending_event of no process", api.process_next_pending_event(NO_HANDLE, event, kind), "ERROR_INVALID_PROCESS_ID")
    s.check("E22 errors leave the outputs", (event.value, kind.value) == (99, 77), "they were written")
    s.status("E17 processing no event", api.event_processed(99), "ERROR_INVALID_EVENT_ID")
    s.status("E17 processing NONE", api.event_processed(0), "ERROR_INVALID_EVENT_ID")


def check_runtime_event(s, process):
    event, kind = s.next_event(process)
    value, refused = number(), "ERROR_INVALID_ARGUMENT"
    s.number("E22 the failed calls have taken no event: RUNTIME comes", kind, "RUNTIME")
    s.number("E8 the runtime was loaded", s.ask("event", event, "RUNTIME_STATE"), s.api.RUNTIME_STATE_LOADED_SUCCESS)
    s.number("the event is of the process", s.ask("event", event, "PROCESS"), process)
    s.status("E12 the wave of RUNTIME", s.get_info("event", event, "WAVE", 8, value), refused)
    s.status("E12 the breakpoint of RUNTIME", s.get_info("event", event, "BREAKPOINT", 8, value), refused)
    # Older levels do not have the query.
    s.status("E10 the queue of an event that is no QUEUE_ERROR", s.get_info("event", event, 7, 8, value), refused)
    s.check("E18 the event does not come again", s.nothing_comes(process), "it does")
    s.check("W43 waves are listed before RUNTIME was processed", s.list("wave", process), "none is")
    s.status("E16 processing it", s.api.event_processed(event))
    s.status("E16 processing it again", s.api.event_processed(event), "ERROR_INVALID_EVENT_ID")
    s.status("E16 asking about it", s.get_info("event", event, "KIND", 4, value), "ERROR_INVALID_EVENT_ID")


def events(s):
    process, value = s.attach("debug-trap"), number()
    s.check("E2 E3 the notifier is readable after attach", s.notified(process), "it is not")
    check_event_errors(s, process)
    check_runtime_event(s, process)
    event, kind = s.next_event(process)
    s.number("E4 a debug trap gives WAVE_STOP", kind, "WAVE_STOP")
    wave = s.ask("event", event, "WAVE")
    s.number("E4 which names a stopped wave", s.state(wave), "STOP")
    s.status("E12 the runtime state of WAVE_STOP", s.get_info("event", event, "RUNTIME_STATE", 4, value), "ERROR_INVALID_ARGUMENT")
    s.status("W32 resuming it before the event is processed", s.wave_resume(wave), "ERROR_WAVE_NOT_RESUMABLE")
    s.status("W38 stopping it", s.api.wave_stop(wave), "ERROR_WAVE_STOPPED")
    s.api.event_processed(event)
    queue = next(iter(s.list("queue", process)), 0)
    s.status("E10 the state of a queue", s.get_info("queue", queue, "STATE", 4, value), "ERROR_NOT_IMPLEMENTED")
    s.status("E10 the errors of a queue", s.get_info("queue", queue, "ERROR_REASON", 4, value), "ERROR_NOT_IMPLEMENTED")
    s.detach(process)
    s.status("a detached process is no process", s.api.process_wave_list(process, value, None, None), "ERROR_INVALID_PROCESS_ID")


def check_unreported(s, process, wave):
    """Two waves trap in the same round: the second has stopped, and the client does not know."""
    value = number()
    s.number("W3 a wave whose stop event was not returned is RUN", s.state(wave), "RUN")
    s.status("W2 its stop reason", s.get_info("wave", wave, "STOP_REASON", 4, value), "ERROR_WAVE_NOT_STOPPED")
    s.status("W2 its pc", s.get_info("wave", wave, "PC", 8, value), "ERROR_WAVE_NOT_STOPPED")
    s.status("W33 resuming it", s.wave_resume(wave), "ERROR_WAVE_NOT_STOPPED")
    s.status("W40 stopping it", s.api.wave_stop(wave))
    event, _ = s.next_event(process)
    s.number("W40 its own event answers the request", s.ask("event", event, "WAVE"), wave)
    s.number("W3 then it is STOP", s.state(wave), "STOP")
    s.number("W40 with its own reason", s.reason(wave), s.reason_of("DEBUG_TRAP"))
    s.api.event_processed(event)
    s.check("W40 and no other event comes", s.nothing_comes(process), "one does")


def waves(s):
    process = s.attach_ready("debug-trap")
    first = s.take(process, "WAVE_STOP")
    s.api.process_set_progress(process, s.api.PROGRESS_NO_FORWARD)
    listed = s.list("wave", process)
    s.check("W42 waves are there, and no event told of them", len(listed) > 1, len(listed))
    s.number("W8 the reason is the debug trap", s.reason(first), s.reason_of("DEBUG_TRAP"))
    s.number("W8 the pc is behind it", s.read_word(process, s.pc(first) - 4), s.trap_word(first, 3))
    # In each workgroup the first wave has the trap.
    others = [wave for wave in listed if wave != first and not s.ask("wave", wave, "WAVE_NUMBER_IN_WORKGROUP")]
    other = others[-1] if others else 0
    if other:
        check_unreported(s, process, other)
    s.status("W24 resuming a stopped wave", s.wave_resume(first))
    s.number("W24 it is RUN", s.state(first), "RUN")
    s.status("W31 resuming it again", s.wave_resume(first), "ERROR_WAVE_NOT_STOPPED")
    s.wave_resume(other)
    s.api.process_set_progress(process, s.api.PROGRESS_NORMAL)
    s.check("W26 E19 waves that end make no event", s.nothing_comes(process), "one comes")
    s.status("W30 asking about a wave that has ended", s.get_info("wave", first, "STATE", 4, number()), "ERROR_INVALID_WAVE_ID")
    s.status("W30 stopping it", s.api.wave_stop(first), "ERROR_INVALID_WAVE_ID")
    s.status("W30 resuming it", s.wave_resume(first), "ERROR_INVALID_WAVE_ID")
    s.number("no wave is left", len(s.list("wave", process)), 0)
    s.detach(process)


def check_resume_errors(s, wave):
    api = s.api
    s.status("W14 resuming no wave, mode wrong too", api.wave_resume(NO_HANDLE, 9, 0), "ERROR_INVALID_WAVE_ID")
    s.status("W14 stopping no wave", api.wave_stop(NO_HANDLE), "ERROR_INVALID_WAVE_ID")
    s.status("W34 a mode that is none", api.wave_resume(wave, 9, api.EXCEPTION_NONE), "ERROR_INVALID_ARGUMENT")
    s.status("W34 an exception that is none", api.wave_resume(wave, api.RESUME_MODE_NORMAL, 1 << 20), "ERROR_INVALID_ARGUMENT")
    s.number("W34 the wave stays stopped", s.state(wave), "STOP")


def step_to_end(s, process, wave):
    """Step until the program ends; how many steps that took."""
    for steps in range(1, 500):
        if s.wave_resume(wave, True):
            return 0
        event, kind = s.next_event(process)
        s.api.event_processed(event)
        if kind != "WAVE_STOP":
            return steps if kind == "WAVE_COMMAND_TERMINATED" else 0
    return 0


def steps(s):
    process = s.attach_ready("vecadd")
    wave = s.first_wave_stopped(process)
    s.number("W4 a requested stop has no reason", s.reason(wave), s.reason_of("NONE"))
    before = s.pc(wave)
    s.status("W27 resuming for a step", s.wave_resume(wave, True))
    s.number("W27 it is SINGLE_STEP", s.state(wave), "SINGLE_STEP")
    event, kind = s.next_event(process)
    s.number("W28 the step gives WAVE_STOP", kind, "WAVE_STOP")
    s.number("W28 W7 of the reason SINGLE_STEP", s.reason(wave), s.reason_of("SINGLE_STEP"))
    s.check("W28 at another instruction", s.pc(wave) != before, "the pc is the same")
    s.api.event_processed(event)
    s.check("W29 stepping to the end ends in COMMAND_TERMINATED", step_to_end(s, process, wave) > 4, "it did not")
    s.status("W30 E5 the wave that has ended so is no wave", s.api.wave_stop(wave), "ERROR_INVALID_WAVE_ID")
    s.detach(process)


# Words of operations, by generation; those of v_mov_b32 and v_cvt_i32_f32 are the same.
RCP, RCP_IFLAG, ADD, ADD_ONE, SUB, MUL_HALF, ADD_F16, CMP_LT = range(8)
OPERATIONS = {
    9: (0x7E004480, 0x7E004680, 0x02000100, 0x020000F2, 0x04000100, 0x0A0000F0, 0x3E000100, 0x7C820100),
    10: (0x7E005480, 0x7E005680, 0x06000100, 0x060000F2, 0x08000100, 0x100000F0, 0x64000100, 0x7C020100),
    11: (0x7E005480, 0x7E005680, 0x06000100, 0x060000F2, 0x08000100, 0x100000F0, 0x64000100, 0x7C220100),
    12: (0x7E005480, 0x7E005680, 0x06000100, 0x060000F2, 0x08000100, 0x100000F0, 0x64000100, 0x7C220100),
}
# Where an exception is enabled and what tells that it was raised, by generation: registers, and the first bit of the former.
EXCEPTION_REGISTERS = {9: ("mode", 12, "trapsts"), 10: ("mode", 12, "trapsts"), 11: ("mode", 12, "trapsts"), 12: ("trap_ctrl", 0, "excp_flag_user")}
# The bit of trapsts, and one or two instructions that raise it, and only it among those enabled.
ARITHMETIC = (
    ("a division by zero", 2, "FP_DIVIDE_BY_0", (RCP, NOPS, NOPS, NOPS)),
    ("an integer division by zero", 6, "INT_DIVIDE_BY_0", (RCP_IFLAG, NOPS, NOPS, NOPS)),
    ("an overflow", 3, "FP_OVERFLOW", (0x7E0002FF, 0x7F7FFFFF, ADD, NOPS)),
    ("an invalid operation", 0, "FP_INVALID_OPERATION", (0x7E0002FF, 0x7F800000, SUB, NOPS)),
    ("a denormal input", 1, "FP_INPUT_DENORMAL", (0x7E0002FF, 0x00000001, ADD_ONE, NOPS)),
    ("an underflow", 4, "FP_UNDERFLOW", (0x7E0002FF, 0x00800001, MUL_HALF, NOPS)),
    ("an inexact result", 5, "FP_INEXACT", (0x7E0002FF, 0x33000000, ADD_ONE, NOPS)),
    ("a half that overflows", 3, "FP_OVERFLOW", (0x7E0002FF, 0x00007BFF, ADD_F16, NOPS)),
    ("a conversion of no number to a whole one", 0, "FP_INVALID_OPERATION", (0x7E0002FF, 0x7FC00000, 0x7E001100, NOPS)),
    ("a comparison of a signalling NaN", 0, "FP_INVALID_OPERATION", (0x7E0002FF, 0x7F800001, CMP_LT, NOPS)),
)


def register_word(s, wave, name):
    return int.from_bytes(s.read_register(wave, name, 4)[1], "little")


def check_arithmetic(s, what, bit, reason, instructions):
    """Instructions of a client's own, at the start of the program, for one wave."""
    process = s.attach_ready("vecadd")
    wave = s.first_wave_stopped(process)
    pc, enable = s.pc(wave), 1 << bit
    # The second of two words is a literal, which may be as small as the number of an operation.
    operations = OPERATIONS[s.generation(wave)]
    enabled, shift, raised = EXCEPTION_REGISTERS[s.generation(wave)]
    words = [word if word >= len(operations) or i == 1 else operations[word] for i, word in enumerate(instructions)]
    s.write_memory(process, pc, b"".join(word.to_bytes(4, "little") for word in words))
    mode = register_word(s, wave, enabled) | enable << shift
    s.status("writing mode", s.write_register(wave, enabled, mode.to_bytes(4, "little")))
    s.wave_resume(wave)
    s.number(f"W12 {what} stops the wave", s.take(process, "WAVE_STOP"), wave)
    s.number(f"W12 {what} is the reason", s.reason(wave), s.reason_of(reason))
    s.number(f"W12 {what}: trapsts has its bit", register_word(s, wave, raised) & enable, enable)
    s.check("W12 the instruction was completed", s.pc(wave) > pc, "the pc has not moved")
    s.wave_resume(wave, True)
    s.take(process, "WAVE_STOP")
    s.number(f"W12 {what}: after resuming its bit is clear", register_word(s, wave, raised) & enable, 0)
    s.detach(process)


def arithmetic(s):
    if s.left_out("W12 arithmetic exceptions", "a trace executes nothing", len(ARITHMETIC)):
        return
    for case in ARITHMETIC:
        check_arithmetic(s, *case)


def breakpoints(s):
    """A breakpoint at the next instruction of a wave, as a debugger plants it."""
    process = s.attach_ready("vecadd")
    wave = s.first_wave_stopped(process)
    s.step(process, wave)
    pc, architecture = s.pc(wave), s.ask("wave", wave, "ARCHITECTURE")
    instruction = s.ask("architecture", architecture, "BREAKPOINT_INSTRUCTION")
    adjust = s.ask("architecture", architecture, "BREAKPOINT_INSTRUCTION_PC_ADJUST")
    s.read_memory(process, pc, len(instruction))
    s.write_memory(process, pc, instruction)
    s.wave_resume(wave)
    s.number("W25 a wave that was resumed stops at the breakpoint", s.take(process, "WAVE_STOP"), wave)
    s.number("W5 for that reason", s.reason(wave), s.reason_of("BREAKPOINT"))
    s.number("W5 the adjusted pc is that of the breakpoint", s.pc(wave) - adjust, pc)
    s.detach(process)


def check_stop_request(s, process, wave):
    """The stop request of a running wave, and its answer."""
    stop = s.api.wave_stop
    s.status("W38 stopping a stopped wave", stop(wave), "ERROR_WAVE_STOPPED")
    s.status("W24 resuming it", s.wave_resume(wave))
    s.number("W24 it is RUN", s.state(wave), "RUN")
    s.status("W31 resuming it again", s.wave_resume(wave), "ERROR_WAVE_NOT_STOPPED")
    s.status("W35 stopping a running wave", stop(wave))
    s.status("W39 stopping it again", stop(wave), "ERROR_WAVE_OUTSTANDING_STOP")
    event, kind = s.next_event(process)
    s.number("W35 W37 the stop event comes, also without forward progress", kind, "WAVE_STOP")
    s.number("W35 of this wave", s.ask("event", event, "WAVE"), wave)
    s.status("W32 resuming it before the event is processed", s.wave_resume(wave), "ERROR_WAVE_NOT_RESUMABLE")
    s.api.event_processed(event)
    s.number("W4 without a reason", s.reason(wave), s.reason_of("NONE"))


def check_step_request(s, process, wave):
    s.status("W27 resuming for a step", s.wave_resume(wave, True))
    s.number("W27 it is SINGLE_STEP", s.state(wave), "SINGLE_STEP")
    s.status("W41 stopping it before it has made the step", s.api.wave_stop(wave))
    event, kind = s.next_event(process)
    s.number("W41 is answered with COMMAND_TERMINATED", kind, "WAVE_COMMAND_TERMINATED")
    s.number("W41 of this wave", s.ask("event", event, "WAVE"), wave)
    s.api.event_processed(event)
    s.number("W41 which is stopped", s.state(wave), "STOP")


def check_control(s, process, wave):
    """Resuming and stopping a wave that is stopped, without forward progress; it is stopped in the end."""
    check_resume_errors(s, wave)
    check_stop_request(s, process, wave)
    check_step_request(s, process, wave)


def stop_requests(s):
    process = s.attach_ready("vecadd")
    wave = s.first_wave_stopped(process)
    s.api.process_set_progress(process, s.api.PROGRESS_NO_FORWARD)
    check_control(s, process, wave)
    s.api.process_set_progress(process, s.api.PROGRESS_NORMAL)
    s.detach(process)


def check_reason(s, statement, workload, reason, offset=0, trap=0):
    """The first stop of a workload, and the instruction that is so far from its pc; 0: do not look."""
    process = s.attach_ready(workload)
    s.api.set_memory_precision(process, s.api.MEMORY_PRECISION_PRECISE)
    wave = s.take(process, "WAVE_STOP")
    s.number(f"{statement} the first stop of {workload}", s.reason(wave), s.reason_of(reason))
    if trap:
        s.number(f"{statement} the pc of {workload} is at the instruction", s.read_word(process, s.pc(wave) + offset), s.trap_word(wave, trap))
    s.detach(process)


def reasons(s):
    # A trap handler leaves the pc behind the trap; the simulated GPU without one leaves it there, as is documented.
    check_reason(s, "W9", "assert-trap", "ASSERT_TRAP", -4 if s.over == "driver" else 0, 2)
    check_reason(s, "W10", "oob-store", "MEMORY_VIOLATION")
    check_reason(s, "W10", "oob-load", "MEMORY_VIOLATION")
    check_reason(s, "W11", "illegal", "ILLEGAL_INSTRUCTION")


def attach_to_failure(s):
    """
    The first stop of a workload whose exception the runtime is to hear of. A runtime that hears of a bad address ends the program,
    or cannot end the queue any more; so where there is one it is another exception. Return: the process, the wave, the exception.
    """
    process = s.attach_ready("illegal" if s.over == "driver" else "oob-store")
    exception = s.api.EXCEPTION_WAVE_ILLEGAL_INSTRUCTION if s.over == "driver" else s.api.EXCEPTION_WAVE_MEMORY_VIOLATION
    return process, s.take(process, "WAVE_STOP"), exception


def check_failed_queue(s):
    """What a client lets through makes the queue fail: its waves are gone, its packets too."""
    process, wave, exception = attach_to_failure(s)
    s.status("resuming with the exception", s.wave_resume(wave, exceptions=exception))
    s.number("the wave is RUN, and waits for what the runtime does", s.state(wave), "RUN")
    s.check("E10 no event tells of the queue's error", s.nothing_comes(process), "one comes")
    s.number("its queue's waves are gone", len(s.list("wave", process)), 0)
    s.number("and its dispatch", len(s.list("dispatch", process)), 0)
    s.status("W30 the wave is no wave any more", s.get_info("wave", wave, "STATE", 4, number()), "ERROR_INVALID_WAVE_ID")
    s.detach(process)


def exceptions(s):
    check_failed_queue(s)
    process, wave, exception = attach_to_failure(s)
    s.wave_resume(wave, True, exception)
    s.number("E5 a step that the queue's error cuts short gives COMMAND_TERMINATED", s.take(process, "WAVE_COMMAND_TERMINATED"), wave)
    s.detach(process)
    process, wave, exception = attach_to_failure(s)
    s.api.process_set_progress(process, s.api.PROGRESS_NO_FORWARD)
    s.wave_resume(wave, exceptions=exception)
    s.status("W36 stopping a wave that is about to end", s.api.wave_stop(wave))
    s.api.process_set_progress(process, s.api.PROGRESS_NORMAL)
    s.number("W36 is answered with WAVE_STOP, though its queue fails", s.take(process, "WAVE_STOP"), wave)
    s.detach(process)
