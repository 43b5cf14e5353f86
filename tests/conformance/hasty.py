# SPDX-License-Identifier: MIT
"""Between the event of one wave and that of another which has stopped, too, with normal progress."""

from client import SUCCESS, buffer, number

EVENTS = 64
NOP = (0xBF800000).to_bytes(4, "little")


def read_pc(s, wave):
    return s.read_register(wave, "pc", 8)[0]


def begin(s):
    """Return: the process, the wave that was told of, and one that has stopped and was not, or 0."""
    process = s.attach_ready("debug-trap")
    waves = s.list("wave", process)
    s.check("W43 waves are there before an event is asked for", waves, "none is")
    s.check("W43 and run", waves and s.state(waves[0]) == "RUN", "it does not")
    first = s.take(process, "WAVE_STOP")
    unreported = next((wave for wave in s.list("wave", process) if s.state(wave) == "RUN" and read_pc(s, wave) == SUCCESS), 0)
    s.check("W44 registers of a wave that has stopped can be read before its event came", unreported, "no wave's")
    return process, first, unreported


def reason_told(s, process, wave):
    """Events up to the one of a wave. Return: its stop reason then, and whether another one was for another reason."""
    strange = False
    for _ in range(EVENTS):
        told = s.take(process, "WAVE_STOP")
        if told in (wave, 0):
            return s.reason(wave) if told else 0, strange
        strange = strange or s.reason(told) != s.api.WAVE_STOP_REASON_DEBUG_TRAP
    return 0, strange


def check_stop_and_resume(s):
    process, first, wave = begin(s)
    s.status("W45 stopping a wave whose event is on its way", s.api.wave_stop(wave))
    s.status("W45 resuming another one", s.wave_resume(first))
    reason, strange = reason_told(s, process, wave)
    s.number("W45 its own event comes, with its own reason", reason, s.api.WAVE_STOP_REASON_DEBUG_TRAP)
    s.check("W45 and none was made for the request", not strange, "one was")
    s.detach(process)


def check_exception(s):
    process, first, wave = begin(s)
    s.status("W46 resuming a wave with an exception", s.wave_resume(first, exceptions=s.api.EXCEPTION_WAVE_TRAP))
    s.number("W46 the event of another wave of the queue comes, with its reason", reason_told(s, process, wave)[0],
             s.api.WAVE_STOP_REASON_DEBUG_TRAP)
    s.check("W46 when the events were given, the waves of the queue end", s.nothing_comes(process), "an event comes")
    s.status("W46 and have no handle any more", read_pc(s, wave), "ERROR_INVALID_WAVE_ID")
    s.detach(process)


def check_displaced(s):
    """As stopped as for its registers; and that the process is frozen is no hindrance."""
    process, first, wave = begin(s)
    stepping, other = number(), number()
    s.status("W47 displaced stepping of a wave whose event is on its way", s.api.displaced_stepping_start(wave, buffer(NOP), stepping))
    s.status("W47 completing it", s.api.displaced_stepping_complete(wave, stepping.value))
    s.api.process_set_progress(process, s.api.PROGRESS_NO_FORWARD)
    s.api.process_set_wave_creation(process, s.api.WAVE_CREATION_STOP)
    if not s.lacks("process_freeze", "W48 freezing"):
        s.status("W48 freezing", s.api.process_freeze(process))
        s.status("W48 displaced stepping in a frozen process", s.api.displaced_stepping_start(first, buffer(NOP), other))
        s.status("W48 but completing it is PROCESS_FROZEN", s.api.displaced_stepping_complete(first, other.value), "ERROR_PROCESS_FROZEN")
        s.api.process_unfreeze(process)
    s.detach(process)


def hasty(s):
    check_stop_and_resume(s)
    check_exception(s)
    check_displaced(s)
