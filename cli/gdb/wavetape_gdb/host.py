# SPDX-License-Identifier: MIT
"""The program that is run is wavetape-host, whatever program GDB was given: front ends give it one of their own."""

import os

import gdb

from wavetape_gdb import breakpoints, precision, threads

HOOK = "wavetape_gdb_take_host"


class Host:
    def __init__(self, path):
        self.path = path
        self.other = None  # a program that GDB was given
        self.told = False
        self.parked = breakpoints.Parked(self)

    @threads.uninterrupted
    def note(self, event):
        """GDB has read a program's symbols."""
        name = event.new_objfile.filename
        if name and gdb.selected_inferior().pid == 0 and not self.is_host(name):
            self.other = name

    def is_host(self, name):
        try:
            return os.path.samefile(name, self.path)
        except OSError:
            return False

    def take(self):
        """Before the program is run."""
        name = gdb.current_progspace().filename
        self.parked.park()
        if gdb.selected_inferior().pid != 0:
            return
        if not name or not self.is_host(name):
            self.other = name or self.other
            quoted = self.path.replace("\\", "\\\\").replace('"', '\\"')
            gdb.execute(f'file "{quoted}"', to_string=True)
        if self.other and not self.told:
            self.told = True
            gdb.write(f"{self.other} is not run: the recorded program is shown in its place, with its recorded memory "
                      f"in wavetape-host.\n")


class TakeHost(gdb.Function):
    """What GDB calls in front of `run` and its like: $wavetape_gdb_take_host()."""

    def __init__(self, host):
        super().__init__(HOOK)
        self.host = host

    def invoke(self):
        self.host.take()
        return 0


def define():
    path = os.environ.get("WAVETAPE_HOST")
    if not path:
        return
    host = Host(path)
    precision.Precision()
    gdb.events.new_objfile.connect(host.note)
    TakeHost(host)
    for command in "run", "start", "starti":
        gdb.execute(f"define hook-{command}\nset var $_ = ${HOOK}()\nend", to_string=True)
