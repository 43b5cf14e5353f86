# SPDX-License-Identifier: MIT
"""What GDB prints, as text."""

import functools

import gdb


@functools.lru_cache
def interpreter():
    """How GDB was told to speak: "mi" or "dap", with what follows, for a front end; else another word, or none."""
    with open("/proc/self/cmdline", "rb") as file:
        words = file.read().decode("utf-8", "replace").split("\0")
    for i, word in enumerate(words):
        name, _, value = word.partition("=")
        if name in ("--args", "-args"):
            break
        if name.startswith("-") and "interpreter".startswith(name.lstrip("-")) and name.strip("-"):
            return value or (words + [""])[i + 1]
    return ""


def speaks_mi():
    return interpreter().startswith("mi")


def is_for_front_end():
    """Does a front end read what GDB prints, by MI or DAP? It wants to see that the program goes and stops."""
    return speaks_mi() or interpreter().startswith("dap")


def text(command):
    """What a command prints. Since GDB 18 that is in MI's own form where GDB speaks MI, or goes out at once."""
    if speaks_mi():
        quoted = command.replace("\\", "\\\\").replace('"', '\\"')
        command = f'interpreter-exec console "{quoted}"'
    return gdb.execute(command, to_string=True)
