# SPDX-License-Identifier: MIT
"""Two queues whose kernels run at the same time."""

from client import number

QUEUES = 2
STEPS = 3


def check_steps(s, process, waves):
    """By turns: where one goes, the other stands."""
    moved = stands = True
    for i in range(QUEUES * STEPS):
        wave, other = waves[i % QUEUES], waves[(i + 1) % QUEUES]
        pc, others = s.pc(wave), s.pc(other)
        moved = moved and s.step(process, wave) and s.pc(wave) != pc and s.reason(wave) == s.reason_of("SINGLE_STEP")
        stands = stands and s.pc(other) == others
    s.check("W49 waves of two queues are stepped by turns", moved, "one is not")
    s.check("W49 and one stands while the other steps", stands, "it does not")


def check_breakpoint(s, process, waves):
    """One runs into a breakpoint while the other runs to its end."""
    s.write_word(process, s.pc(waves[1]), s.trap_word(waves[1], 1))
    s.wave_resume(waves[0])
    s.wave_resume(waves[1])
    s.number("W49 a breakpoint in the kernel of one queue stops its wave", s.take(process, "WAVE_STOP"), waves[1])
    s.number("W49 for that reason", s.reason(waves[1]), s.reason_of("BREAKPOINT"))
    s.check("W49 the other queue's wave runs to its end", s.nothing_comes(process), "an event comes")
    s.status("W49 and is none then", s.get_info("wave", waves[0], "STATE", 4, number()), "ERROR_INVALID_WAVE_ID")


def queues(s):
    process = s.attach_ready("two-queues")
    s.first_wave_stopped(process)
    waves, chosen = s.list("wave", process), {}
    s.number("both queues have a dispatch", len(s.list("dispatch", process)), QUEUES)
    for wave in waves:
        chosen.setdefault(s.ask("wave", wave, "QUEUE"), wave)
    if len(chosen) >= QUEUES:
        check_steps(s, process, [*chosen.values()][:QUEUES])
        check_breakpoint(s, process, [*chosen.values()][:QUEUES])
    else:
        s.check("W49 waves of both are listed", False, f"{len(waves)} waves are")
    s.detach(process)
