# SPDX-License-Identifier: MIT
"""A program that is debugged on a kernel driver: its main thread is traced, the loader's breakpoint stands in its memory."""

import ctypes
import os
import signal

from client import SUCCESS, libc

CONT, SINGLESTEP, GETREGS, SETREGS, SETOPTIONS, SEIZE = 7, 9, 12, 13, 0x4200, 0x4206
TRACEME = 0
EXITKILL = 0x100000
ALL_THREADS = 0x40000000
TRAP = b"\xcc"
RIP = 16  # of the registers, as <sys/user.h> has them
Registers = ctypes.c_uint64 * 27

libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]


def ptrace(request, pid, address=0, data=0):
    """Raise OSError where it fails."""
    if libc.ptrace(request, pid, address, data) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


class Traced:
    """`pid`: None: it has exited, and is waited for no more. `status`: that it has exited with, as waitpid() tells it. `stopped`: it
    stands at the loader's breakpoint, where it comes before each change of the list, and behind it."""

    def __init__(self, pid):
        self.pid, self.status, self.stopped = pid, 0, False
        self.breakpoint = self.address = 0
        self.instruction = b""
        self.memory = os.open(f"/proc/{pid}/mem", os.O_RDWR | os.O_CLOEXEC)

    def close(self):
        """End the program if it is still there."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, ALL_THREADS)
            self.pid = None
        os.close(self.memory)

    # ---- For the callbacks of the library ----

    def read(self, address, size):
        try:
            return os.pread(self.memory, size, address)
        except (OSError, OverflowError):
            return b""

    def write(self, address, content):
        """Return: how many bytes were written."""
        try:
            return os.pwrite(self.memory, content, address)
        except (OSError, OverflowError):
            return 0

    def transfer(self, api, address, size, read_buffer, write_buffer):
        """What the callback does. Return: its status."""
        if read_buffer:
            found = self.read(address, size[0])
            ctypes.memmove(read_buffer, found, len(found))
            size[0] = len(found)
        else:
            size[0] = self.write(address, ctypes.string_at(write_buffer, size[0]))
        return SUCCESS if size[0] else api.STATUS_ERROR_MEMORY_ACCESS

    def insert(self, address, breakpoint_id):
        """Return: whether it could be done, as for the others."""
        self.instruction = self.read(address, 1)
        if not self.instruction or not self.write(address, TRAP):
            return False
        self.address, self.breakpoint = address, breakpoint_id
        return True

    def remove(self, breakpoint_id):
        if self.breakpoint != breakpoint_id:
            return False
        self.breakpoint = 0
        return self.write(self.address, self.instruction) == 1

    # ---- The main thread ----

    def registers(self):
        found = Registers()
        ptrace(GETREGS, self.pid, 0, ctypes.addressof(found))
        return found

    def look(self):
        """Look, without waiting, what the kernel has to say of it. Return: whether it has come to the breakpoint, and stands."""
        if not self.pid or self.stopped:
            return False
        pid, status = os.waitpid(self.pid, os.WNOHANG | ALL_THREADS)
        if pid != self.pid:
            return False
        if not os.WIFSTOPPED(status):
            self.pid, self.status = None, status
        elif os.WSTOPSIG(status) == signal.SIGTRAP and self.breakpoint and self.registers()[RIP] == self.address + 1:
            self.stopped = True
        else:
            ptrace(CONT, self.pid, 0, 0 if status >> 16 else os.WSTOPSIG(status))
        return self.stopped

    def leave_breakpoint(self):
        """Execute the instruction that the breakpoint hides, and go on behind it."""
        self.stopped = False
        registers = self.registers()
        registers[RIP] = self.address
        ptrace(SETREGS, self.pid, 0, ctypes.addressof(registers))
        if self.breakpoint:
            self.write(self.address, self.instruction)
        ptrace(SINGLESTEP, self.pid)
        os.waitpid(self.pid, ALL_THREADS)
        if self.breakpoint:
            self.write(self.address, TRAP)
        ptrace(CONT, self.pid)
