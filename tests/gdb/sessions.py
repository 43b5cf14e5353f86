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
