# SPDX-License-Identifier: MIT
"""GDB's threads as waves."""

import functools

import gdb

WAVE_LWP = 1  # what GDB has as the light-weight process of every wave


def uninterrupted(handler):
    """A handler of GDB's events, in which Ctrl-C is nobody's: it came when a command was over, and GDB would print where it met us."""
    @functools.wraps(handler)
    def handle(*arguments):
        try:
            return handler(*arguments)
        except KeyboardInterrupt:
            return None
    return handle


def is_alive():
    return gdb.selected_inferior().pid != 0


def selected():
    """The selected thread; None if there is none, or if it has exited."""
    try:
        thread = gdb.selected_thread()
        if thread is not None and thread.is_valid() and not thread.is_exited():
            return thread
    except SystemError:
        pass  # how GDB says that the selected thread has exited
    return None


def wave_of(thread):
    """The library's handle of a thread's wave; 0 for a thread of the host."""
    return thread.ptid[2] if thread is not None and thread.ptid[1] == WAVE_LWP else 0


def all_threads():
    """Those of the program. GDB asks the library anew which waves there are."""
    return [thread for thread in gdb.selected_inferior().threads() if thread.is_valid() and not thread.is_exited()]


def select(wave):
    """Select the thread of a wave; or, if there is none, one of the host."""
    threads = all_threads()
    chosen = [thread for thread in threads if wave_of(thread) == wave]
    chosen = chosen or [thread for thread in threads if not wave_of(thread)]
    if chosen:
        chosen[0].switch()
