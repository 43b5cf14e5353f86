# SPDX-License-Identifier: MIT
"""Ends a process together with all that it has started: a debugger that hangs leaves its programs behind, in groups and sessions of their own."""

import os
import pathlib
import signal
import sys


def parents():
    """The parent of each process that is there."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            # A process's name is in parentheses, and may have any character.
            found[int(folder.name)] = int((folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1])
        except OSError:
            continue
    return found


def members(root):
    """A process and its descendants, as far as they are there."""
    known, tree = parents(), [root]
    for member in tree:
        tree += [pid for pid, parent in known.items() if parent == member]
    return tree


def end(root):
    """Each member is halted before its children are looked for, so that it starts no more; none runs when this returns."""
    halted = set()
    while new := set(members(root)) - halted:
        for pid in new:
            signal_send(pid, signal.SIGSTOP)
        halted |= new
    for pid in halted:
        signal_send(pid, signal.SIGKILL)


def signal_send(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def end_at_termination():
    """Who runs the tests ends them by this signal where they take too long: cleanups are made then, too."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
