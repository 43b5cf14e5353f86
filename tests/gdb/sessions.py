# SPDX-License-Identifier: MIT
"""What is done in a debugger, in GDB's words; and in those of the client that makes GDB's calls, where that has them."""

LOOK = ("info threads", "info registers pc exec vcc", "x/6i $pc", "info sharedlibrary")

# Workload -> commands. A session ends with `kill`: a live program that is not one goes on for ever.
# GDB takes one of several kept-back stops by chance, so no session has three waves that stop by themselves.
SESSIONS = {
    "oob-store-gfx90a": ("run", *LOOK, "stepi", "info threads", "kill"),
    "oob-load-gfx90a": ("run", *LOOK, "thread 2", "info registers", "kill"),
    "illegal-gfx90a": ("run", *LOOK, "stepi", "x/i $pc", "kill"),
    "debug-trap-gfx90a": ("run", *LOOK, "continue", *LOOK, "kill"),
}

CLIENT_WORDS = {
    "info threads": "info-threads",
    "info registers": "info-registers",
    "info registers pc exec vcc": "info-registers",
    "info sharedlibrary": "info-sharedlibrary",
    "x/6i $pc": "disassemble",
    "x/i $pc": "disassemble",
    "thread 2": "thread:0",
}


def client_script(commands):
    return ",".join(CLIENT_WORDS.get(command, command) for command in commands)


# Sessions of breakpoints, steps and watchpoints: commands for kernels of one wave each, which run one after the other. They are
# live ones of the simulated GPU, whose memory wavetape-host has. GDB steps every thread for the sake of a watchpoint, and whichever comes
# first tells of it, unless the wave is alone.
LIVE_SESSIONS = {
    "breakpoints": (("debug-trap-gfx90a", "debug-trap-gfx90a"), (
        "break debug_trap", "run", "info threads", "x/4i $pc", "bt", "stepi", "info registers pc exec", "x/2i $pc", "tbreak debug-trap.c:13",
        "info breakpoints", "continue", "continue", "x/i $pc", "continue", "info threads", "stepi", "delete", "continue", "continue")),
    "a breakpoint between instructions": (("oob-store-gfx90a",), (
        "break oob_store", "run", "delete", "break *oob_store+8", "continue", "x/3i $pc", "info breakpoints", "stepi", "x/i $pc", "disable", "continue", "bt", "kill")),
    # The trap that GDB writes there makes the instruction another one, whose address is wrong.
    "a breakpoint inside an instruction": (("debug-trap-gfx90a",), (
        "break debug_trap", "run", "delete", "break *($pc+12)", "continue", "x/i $pc", "info breakpoints", "kill")),
    "steps": (("debug-trap-gfx90a",), (
        "break debug_trap", "run", "next", "next", "info registers pc", "step", "nexti 3", "x/i $pc", "until", "delete", "continue", "continue")),
    "watchpoint": (("debug-trap-gfx90a",), (
        "break debug_trap", "run", "set scheduler-locking on", "set can-use-hw-watchpoints 0",
        "watch *(unsigned *) 0x210000000000", "continue", "continue", "info watchpoints", "x/2i $pc", "p *(unsigned *) 0x210000000000",
        "delete", "set scheduler-locking off", "continue")),
    "code that comes and goes": (("vecadd-gfx90a", "debug-trap-gfx90a", "oob-load-gfx90a"), (
        "break debug_trap", "break vecadd", "break oob_load", "run", "info sharedlibrary", "continue", "bt", "info sharedlibrary",
        "continue", "info sharedlibrary", "continue", "bt", "info sharedlibrary", "info breakpoints", "continue")),
}
