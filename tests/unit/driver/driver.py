# SPDX-License-Identifier: MIT
"""What tests of the driver have in common: where their client is, and names of it."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

# pylint: disable=wrong-import-position
from client.kfd import kfd, wire
from client.program import (BARRIER_AND, BARRIER_OR, DISPATCH, LANES, PAGE, SYSTEM, Closed, Connection, Debugger, Device, Memory, Program,
                            ProgramCase, ioctl, let_trace, libc, main, on, wait_until, xorshift)

__all__ = ["BARRIER_AND", "BARRIER_OR", "Closed", "Connection", "DISPATCH", "Debugger", "Device", "LANES", "Memory", "PAGE", "Program",
           "ProgramCase", "SYSTEM", "exception", "ioctl", "kfd", "let_trace", "libc", "main", "on", "wait_until", "wire", "xorshift"]


def exception(name):
    """The bit of a mask that stands for an exception."""
    return 1 << getattr(kfd, f"EXCEPTION_{name}") - 1
