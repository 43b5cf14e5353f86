# SPDX-License-Identifier: MIT
"""
Ends a process together with all that it has started: a debugger that hangs leaves its programs behind, in groups and sessions of their own. One
whose parent has ended is a descendant no more: it is known by a word in its environment, which all get that are started from here.
"""

import os
import pathlib
import signal
import sys
import uuid

# Who is started by one that is started from here has the words of both.
VARIABLE, WORD = "TREES_OF_PROCESSES", uuid.uuid4().hex
os.environ[VARIABLE] = f"{os.environ.get(VARIABLE, '')}:{WORD}"


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


def descendants(root, known):
    tree = [root]
    for member in tree:
        tree += [pid for pid, parent in known.items() if parent == member]
    return tree


def is_marked(pid):
    try:
        variables = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False
    return any(variable.startswith(f"{VARIABLE}=".encode()) and WORD.encode() in variable for variable in variables)


def members(root):
    """A process, its descendants, and those whose parents have ended, as far as they are there. None: the process has ended."""
    known = parents()
    here = descendants(os.getpid(), known)
    tree = descendants(root, known) if root else []
    return tree + [pid for pid in known if pid not in here and is_marked(pid)]


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
