# SPDX-License-Identifier: MIT
"""
Machines, over a trace that has one: a replay describes others as our own library does, by the same facts, under handles of its own.
And what a client may ask of a library before it attaches, of which AMD's feature tests that need no driver consist.

Usage: test_machines.py LIBRARY FACTS TRACE [TEST...]
"""

import ctypes
import os
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here.parents[1]), str(here.parent / "dbgapi-architecture")]

# pylint: disable=wrong-import-position
import test_architectures
from client import number
from client.case import Case, main

FIRST = 0x40000000  # of the handles of our tables
RECORDED = "gfx942"
BOGUS = 0xDEADBEEFCAFEF00D


class Facts:
    def check_id(self, line, found):
        """A register's has that of its architecture in its upper half; the global space is everybody's."""
        if line["arch"] == RECORDED or line.get("name") == "global" and line["kind"] == "address_space":
            first = 0
        else:
            first = FIRST << 32 if line["kind"] == "registers" else FIRST
        self.assertGreater(found, first)
        if line["id"] is not None:
            self.assertEqual(found, int(line["id"], 16) + first)


class Answers(Facts, test_architectures.Answers):
    pass


class Addresses(Facts, test_architectures.Addresses):
    pass


class Offline(Case):
    """No process is attached."""

    MACHINES = {"gfx900": 0x2C, "gfx906": 0x2F, "gfx908": 0x30, "gfx90a": 0x3F, "gfx942": 0x4C, "gfx1030": 0x36}

    def setUp(self):
        super().setUp()
        self.gives(self.client.initialize())

    def machine(self, value):
        found = number()
        self.gives(self.api.get_architecture(value, found))
        return found.value

    def test_library(self):
        version = [number(0, "u32") for _ in range(3)]
        self.api.get_version(*version)
        self.assertTrue(version[0].value or version[1].value)
        text = ctypes.c_void_p()
        self.gives(self.api.get_status_string(0, text))
        self.assertTrue(text.value)

    def test_machines(self):
        found = {name: self.machine(value) for name, value in self.MACHINES.items()}
        self.assertEqual(len(set(found.values()) - {0}), len(found))
        for name, architecture in found.items():
            with self.subTest(name):
                self.assertEqual(self.machine(self.MACHINES[name]), architecture)
                self.asked("architecture", architecture, "NAME", name)
                self.asked("architecture", architecture, "ELF_AMDGPU_MACHINE", self.MACHINES[name])
                largest, size, adjust = (self.client.ask("architecture", architecture, query) for query in (
                    "LARGEST_INSTRUCTION_SIZE", "BREAKPOINT_INSTRUCTION_SIZE", "BREAKPOINT_INSTRUCTION_PC_ADJUST"))
                self.assertTrue(0 < size <= largest and adjust <= size)
                self.assertEqual(len(self.client.ask("architecture", architecture, "BREAKPOINT_INSTRUCTION")), size)
                self.assertTrue(self.client.ask("architecture", architecture, "PC_REGISTER"))

    def test_no_machines(self):
        for value in (0, 0x3E, 0x7777, 0xFFFFFF, 2**32 - 1):
            self.gives(self.api.get_architecture(value, number()), "ERROR_INVALID_ELF_AMDGPU_MACHINE")
        self.gives(self.api.get_architecture(0x3F, None), "ERROR_INVALID_ARGUMENT")

    def test_questions(self):
        for name in ("gfx942", "gfx90a"):
            architecture = self.machine(self.MACHINES[name])
            for size in (0, 1, 5, 2**64 - 1):
                self.gives(self.client.get_info("architecture", architecture, "ELF_AMDGPU_MACHINE", size, number()),
                           "ERROR_INVALID_ARGUMENT_COMPATIBILITY")
            for query in (2**32 - 1, 2**31 - 1):
                self.gives(self.client.get_info("architecture", architecture, query, 4, number()), "ERROR_INVALID_ARGUMENT")

    def test_bogus_handles(self):
        """A handle that nothing has is refused by the name of its kind, also beside those of our tables."""
        api, kinds = self.api, 0
        for bogus in (BOGUS, FIRST, FIRST + 0xFFFF, (FIRST + 1) << 32 | 0xFFFFFFF):
            for kind, (_, listing, *_) in api.at.objects.items():
                if kind in ("cluster", "workgroup"):
                    continue
                queries = api.at.objects[kind][3]
                size = self.client.query_size(kind, next(iter(queries)))
                invalid = f"ERROR_INVALID_{kind.upper()}_ID"
                with self.subTest(kind=kind, handle=bogus):
                    self.gives(self.client.get_info(kind, bogus, next(iter(queries)), size, number()), invalid)
                    kinds += 1
        self.assertEqual(kinds, 4 * 15)
        self.gives(api.process_detach(BOGUS), "ERROR_INVALID_PROCESS_ID")
        self.gives(self.client.list_call("agent", BOGUS, number(), ctypes.c_void_p(), None), "ERROR_INVALID_PROCESS_ID")
        self.gives(api.process_set_progress(BOGUS, api.PROGRESS_NORMAL), "ERROR_INVALID_PROCESS_ID")
        self.gives(api.wave_stop(BOGUS), "ERROR_INVALID_WAVE_ID")
        self.gives(api.wave_resume(BOGUS, api.RESUME_MODE_NORMAL, 0), "ERROR_INVALID_WAVE_ID")


if __name__ == "__main__":
    if len(sys.argv) > 3:
        os.environ["WAVETAPE_TRACE"] = sys.argv.pop(3)
    main(__doc__)
