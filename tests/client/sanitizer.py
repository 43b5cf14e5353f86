# SPDX-License-Identifier: MIT
"""Libraries that are built with a sanitizer, in a Python that is not.

The sanitizer's runtime has to be in the process before anything else, so the program is started again with it. Python leaves much
memory allocated at its end: leaks are looked for in what was allocated while a library worked, and nowhere else.
"""

import ctypes
import os
import sys

from wavetape_build import PRELOAD

BEFORE = "TESTS_CLIENT_PRELOAD_BEFORE"


def begin():
    """Have the sanitizer's runtime in this process. Return: it, or None where the libraries need none."""
    if not PRELOAD:
        return None
    runtime = ctypes.CDLL(None)
    if hasattr(runtime, "__lsan_disable"):
        # Programs that are started from here are not to get it; what else was to be in them is.
        before = os.environ.pop(BEFORE, None)
        if before:
            os.environ["LD_PRELOAD"] = before
        elif before is not None:
            del os.environ["LD_PRELOAD"]
        return runtime
    os.environ[BEFORE] = os.environ.get("LD_PRELOAD", "")
    os.environ["LD_PRELOAD"] = " ".join(filter(None, (PRELOAD, os.environ[BEFORE])))
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


RUNTIME = begin()


def watched(function):
    """A function of a library, whose allocations count as leaks if nobody releases them."""
    if not RUNTIME:
        return function
    enable, disable = RUNTIME.__lsan_enable, RUNTIME.__lsan_disable

    def call(*arguments):
        enable()
        try:
            return function(*arguments)
        finally:
            disable()

    return call


def unwatched(function):
    """A function of ours that a library calls."""
    if not RUNTIME:
        return function
    enable, disable = RUNTIME.__lsan_enable, RUNTIME.__lsan_disable

    def call(*arguments):
        disable()
        try:
            return function(*arguments)
        finally:
            enable()

    return call
