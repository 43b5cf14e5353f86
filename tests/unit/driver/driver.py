# SPDX-License-Identifier: MIT
"""What tests of the driver have in common: where their client is, and names of it."""

import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

# pylint: disable=wrong-import-position
from client.kfd import kfd, wire
from client.program import (BARRIER_AND, BARRIER_OR, DISPATCH, LANES, PAGE, SYSTEM, Closed, Connection, Debugger, Device, Memory, Program,
                            ProgramCase, ioctl, let_trace, libc, main, on, wait_until, xorshift)

__all__ = ["AbortsNoted", "BARRIER_AND", "BARRIER_OR", "Closed", "Connection", "DISPATCH", "Debugger", "Device", "LANES", "Memory", "PAGE", "Program",
           "ProgramCase", "SYSTEM", "exception", "ioctl", "kfd", "let_trace", "libc", "main", "on", "wait_until", "wire", "xorshift"]


def exception(name):
    """The bit of a mask that stands for an exception."""
    return 1 << getattr(kfd, f"EXCEPTION_{name}") - 1


class AbortsNoted:
    """Beside a ProgramCase: that the driver ends this program is noted, in place of an end."""

    def setUp(self):
        super().setUp()
        self.aborts = []
        self.before = signal.signal(signal.SIGABRT, lambda number, _frame: self.aborts.append(number))

    def tearDown(self):
        super().tearDown()
        signal.signal(signal.SIGABRT, self.before)

    def wait_for_abort(self):
        self.assertTrue(wait_until(lambda: self.aborts))
        self.assertEqual(self.aborts, [signal.SIGABRT])
