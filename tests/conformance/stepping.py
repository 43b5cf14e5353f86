# SPDX-License-Identifier: MIT
"""Watchpoints and displaced stepping."""

from client import SUCCESS, buffer, number
from suite import NO_HANDLE

WATCHPOINTS = 4
STEP_LIMIT = 200


def set_watchpoint(s, process, address, size, kind, watchpoint):
    """Return: the status; the handle is in `watchpoint` then."""
    return s.watch(process, address, size, kind, watchpoint)[0]


def remove_watchpoint(s, process, watchpoint):
    s.status("removing a watchpoint", s.unwatch(process, watchpoint))


def check_cover(s, process, address, size):
    """What is set covers what was asked for, and is a power of two at a multiple of it."""
    watchpoint = number()
    status, first, count = s.watch(process, address, size, s.api.WATCHPOINT_KIND_ALL, watchpoint)
    if not s.status(f"watching {size:#x} bytes at {address % 4096:#x} of a page", status):
        return
    covered = f"{count:#x} bytes at {first:#x}"
    s.check("it covers them", first <= address and address + size <= first + count, covered)
    s.check("with a power of two at a multiple of it", count and not count & (count - 1) and first % count == 0, covered)
    if not s.lacks("watchpoint_get_info", "of this process"):
        s.number("of this process", s.ask("watchpoint", watchpoint.value, "PROCESS"), process)
    remove_watchpoint(s, process, watchpoint.value)


def check_watchpoint_errors(s, process):
    kind, one = s.api.WATCHPOINT_KIND_ALL, number(99)
    set_ones = [number() for _ in range(WATCHPOINTS)]
    s.status("a watchpoint of no process, all else wrong too", s.watch(NO_HANDLE, 0, 0, 99, None)[0], "ERROR_INVALID_PROCESS_ID")
    s.status("a watchpoint of no bytes", set_watchpoint(s, process, 64, 0, kind, one), "ERROR_INVALID_ARGUMENT")
    s.status("a watchpoint of a kind that is none", set_watchpoint(s, process, 64, 4, 99, one), "ERROR_INVALID_ARGUMENT")
    s.status("a watchpoint without an output", s.watch(process, 64, 4, kind, None)[0], "ERROR_INVALID_ARGUMENT")
    s.number("errors leave the handle", one.value, 99)
    for watchpoint in set_ones:
        set_watchpoint(s, process, 4096, 4, kind, watchpoint)
    s.status("one watchpoint more than there are registers", set_watchpoint(s, process, 4096, 4, kind, one),
             "ERROR_NO_WATCHPOINT_AVAILABLE")
    for watchpoint in set_ones:
        remove_watchpoint(s, process, watchpoint.value)
    s.status("removing one again", s.unwatch(process, set_ones[0].value), "ERROR_INVALID_WATCHPOINT_ID")
    if not s.lacks("watchpoint_get_info", "asking about it"):
        s.status("asking about it", s.get_info("watchpoint", set_ones[0].value, 3, 8, number()), "ERROR_INVALID_WATCHPOINT_ID")


def check_triggered(s, process, what, watchpoint):
    """The next stop must be by one watchpoint."""
    wave = s.take(process, "WAVE_STOP")
    s.number(f"W6 {what} stops a wave", s.reason(wave), s.reason_of("WATCHPOINT"))
    status, watchpoints = s.answer("wave", wave, "WATCHPOINTS")
    s.status(f"W6 {what}: the watchpoints", status)
    s.check(f"W6 {what}: is it", watchpoints == [watchpoint], watchpoints)
    s.wave_resume(wave)


def read_buffers(s, process):
    """The kernel's arguments are its buffers' addresses."""
    dispatch = next(iter(s.list("dispatch", process)), 0)
    arguments = s.ask("dispatch", dispatch, "KERNEL_ARGUMENT_SEGMENT_ADDRESS")
    content = s.read_memory(process, arguments, 24)[1]
    return [int.from_bytes(content[at : at + 8], "little") for at in (0, 8, 16)]


def check_kinds(s):
    """vecadd reads a and b and writes c: what stops is a matter of kind and place."""
    process, api = s.attach_ready("vecadd"), s.api
    load, store, other = number(), number(), number()
    s.first_wave_stopped(process)
    address = read_buffers(s, process)
    set_watchpoint(s, process, address[0], 4, api.WATCHPOINT_KIND_LOAD, load)
    set_watchpoint(s, process, address[2] + 512, 4, api.WATCHPOINT_KIND_STORE_AND_RMW, store)
    set_watchpoint(s, process, address[0] + 1024, 4, api.WATCHPOINT_KIND_STORE_AND_RMW, other)
    set_watchpoint(s, process, address[2] + 1024, 4, api.WATCHPOINT_KIND_RMW, other)
    for i in range(16):
        waves = s.list("wave", process)
        if i < len(waves):
            s.wave_resume(waves[i])
    check_triggered(s, process, "a load", load.value)
    check_triggered(s, process, "a store", store.value)
    s.check("nothing else is watched", s.nothing_comes(process), "another stop comes")
    s.detach(process)


def watchpoints(s):
    if s.left_out("W6 watchpoints", "a trace does not replay them", 2):
        return
    process = s.attach_ready("vecadd")
    s.number("there are four", s.ask("process", process, "WATCHPOINT_COUNT"), WATCHPOINTS)
    s.number("which no other process shares", s.ask("process", process, "WATCHPOINT_SHARE"), s.api.WATCHPOINT_SHARE_KIND_UNSHARED)
    s.first_wave_stopped(process)
    target = read_buffers(s, process)[2]
    check_watchpoint_errors(s, process)
    check_cover(s, process, target + 4, 4)
    check_cover(s, process, target + 60, 8)
    check_cover(s, process, target + 126, 4)
    check_cover(s, process, target, 4096)
    s.detach(process)
    check_kinds(s)


def start(s, wave, saved, stepping):
    return s.api.displaced_stepping_start(wave, buffer(saved.to_bytes(4, "little")), stepping)


def check_displaced_errors(s, wave, saved):
    stepping, complete = number(99), s.api.displaced_stepping_complete
    s.status("displaced stepping looks at NULL before the wave", s.api.displaced_stepping_start(NO_HANDLE, None, stepping),
             "ERROR_INVALID_ARGUMENT")
    s.status("displaced stepping of no wave", start(s, NO_HANDLE, saved, stepping), "ERROR_INVALID_WAVE_ID")
    s.status("displaced stepping of no instruction", start(s, wave, 0xBF9EFFFF, stepping), "ERROR_ILLEGAL_INSTRUCTION")
    s.number("errors leave the handle", stepping.value, 99)
    s.status("completing none", complete(wave, 99), "ERROR_INVALID_DISPLACED_STEPPING_ID")
    s.status("asking about none", s.get_info("displaced_stepping", 99, "PROCESS", 8, number()), "ERROR_INVALID_DISPLACED_STEPPING_ID")


def check_registers_in_step(s, wave):
    """In the middle of a displaced step registers are read, and not written, whatever else is wrong."""
    register = s.find_register(wave, "pc")
    refused = "ERROR_DISPLACED_STEPPING_ACTIVE"
    s.status("reading a register in a displaced step", s.read_register(wave, register, 8)[0])
    s.status("writing a register in a displaced step", s.api.write_register(wave, register, 0, 8, buffer(8)), refused)
    s.status("it is refused before NULL", s.api.write_register(wave, register, 0, 8, None), refused)
    s.status("and behind the register", s.api.write_register(wave, NO_HANDLE, 0, 4, buffer(4)), "ERROR_INVALID_REGISTER_ID")


def step_displaced(s, process, wave):
    """Over a breakpoint that stays: as if it were not there."""
    pc, stepping = s.pc(wave), number()
    saved = s.read_word(process, pc)
    s.write_word(process, pc, s.trap_word(wave, 1))
    good = (start(s, wave, saved, stepping) == SUCCESS and s.step(process, wave) and s.reason(wave) == s.reason_of("SINGLE_STEP")
            and s.api.displaced_stepping_complete(wave, stepping.value) == SUCCESS)
    s.write_word(process, pc, saved)
    return good


def check_twins(s, process, plain, displaced):
    """All instructions of a wave, one wave stepping plainly, its twin out of place: the same pcs."""
    steps, same = 0, True
    while same and steps < STEP_LIMIT and s.read_word(process, s.pc(plain)) != s.end_word(plain):
        same = step_displaced(s, process, displaced) and s.step(process, plain) and s.pc(plain) == s.pc(displaced)
        steps += 1
    s.check("stepping out of place goes where stepping goes", same and steps > 4, f"after {steps} steps")


def displaced(s):
    if s.left_out("displaced stepping", "a trace does not replay it", 1):
        return
    complete, stepping, other = s.api.displaced_stepping_complete, number(), number()
    process = s.attach_ready("vecadd")
    wave = s.first_wave_stopped(process)
    waves, pc = s.list("wave", process), s.pc(wave)
    saved = s.read_word(process, pc)
    check_displaced_errors(s, wave, saved)
    s.write_word(process, pc, s.trap_word(wave, 1))
    s.status("displaced stepping starts", start(s, wave, saved, stepping))
    s.number("its process", s.ask("displaced_stepping", stepping.value, "PROCESS"), process)
    s.status("starting a second one", start(s, wave, saved, number()), "ERROR_DISPLACED_STEPPING_ACTIVE")
    check_registers_in_step(s, wave)
    s.status("resuming the wave normally", s.wave_resume(wave), "ERROR_RESUME_DISPLACED_STEPPING")
    s.status("another wave at the same place", start(s, waves[1], saved, other))
    s.number("shares it", other.value, stepping.value)
    s.status("the step", s.wave_resume(wave, True))
    s.status("completing while the wave is not stopped", complete(wave, stepping.value), "ERROR_WAVE_NOT_STOPPED")
    s.number("the step is made", s.take(process, "WAVE_STOP"), wave)
    s.status("completing it", complete(wave, stepping.value))
    s.check("the pc is behind the instruction", s.pc(wave) in (pc + 4, pc + 8), hex(s.pc(wave)))
    s.status("completing it again", complete(wave, stepping.value), "ERROR_INVALID_ARGUMENT_COMPATIBILITY")
    s.status("completing what was not stepped", complete(waves[1], stepping.value))
    s.number("leaves the pc", s.pc(waves[1]), pc)
    s.status("when the last wave has completed it is no handle", complete(wave, stepping.value), "ERROR_INVALID_DISPLACED_STEPPING_ID")
    s.write_word(process, pc, saved)
    check_twins(s, process, waves[1], waves[2])
    s.detach(process)
