# SPDX-License-Identifier: MIT
"""
Architectures, registers, address spaces and classes, and instructions, as the library answers before any process is attached: against
the facts (tests/facts/, of which tests/unit/facts.h says what they are).

Usage: test_architectures.py LIBRARY FACTS [TEST...]
"""

import ctypes
import functools
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

# pylint: disable=wrong-import-position
from client import Api, buffer, libc, malloc, number
from client.case import Case, main

ARCHITECTURES, DECODED, PROBES = 30, 29, 38
PROBED_AT = 0x100000
CONVERTED = 0x1000  # the facts were asked at this address
# Of the level at which addresses are asked about without a process.
WITHOUT_PROCESS = 77
GFX942, BAD = 7, 99
PC, BAD_REGISTER = 0x700000522, 0x7000FFFFF
# How many numbers come with a kind of instruction; with others that have some it is one.
REGISTER_PAIRS = {"INDIRECT_BRANCH_REGISTER_PAIR": 2, "INDIRECT_BRANCH_CONDITIONAL_REGISTER_PAIR": 2, "DIRECT_CALL_REGISTER_PAIR": 3,
                  "INDIRECT_CALL_REGISTER_PAIRS": 4}
SYMBOLIZER = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_void_p))
SYMBOLIZER_ID = 0x5151
BRANCH, NOP = bytes.fromhex("040082bf"), bytes.fromhex("000080bf")


class Facts(Case):
    def setUp(self):
        super().setUp()
        self.gives(self.client.initialize())

    @functools.cache
    def lines(self, name):
        return [json.loads(line) for line in (pathlib.Path(self.folder) / name).read_text("utf-8").splitlines()]

    def each(self, name, kind):
        """The lines of a kind, one for each architecture in it: what is a list runs along with those."""
        for line in self.lines(name):
            if line["kind"] != kind:
                continue
            for i, arch in enumerate(line["arch"]):
                yield {**line, **{key: line[key][i] for key in ("id", "elf_machine") if isinstance(line.get(key), list)}, "arch": arch}

    @functools.cached_property
    def machines(self):
        return {line["arch"]: int(line["elf_machine"], 16) for line in self.each("architectures.jsonl", "architecture")}

    def check_each(self, kind, check, count, name="architectures.jsonl"):
        lines = [*self.each(name, kind)]
        for line in lines:
            check(line, self.architecture(line["arch"]))
        self.assertEqual(len(lines), count)

    @functools.cache
    def architecture(self, name):
        found = number()
        self.gives(self.api.get_architecture(self.machines[name], found))
        return found.value

    def check_id(self, line, found):
        """Against the one in a line; ours alone where that has none."""
        self.assertTrue(found)
        if line["id"] is not None:
            self.assertEqual(found, int(line["id"], 16))

    @functools.cache
    def listed(self, kind, architecture):
        return self.client.list(kind, architecture)

    @functools.cache
    def named(self, kind, architecture):
        """Handles of a kind by their names."""
        return {self.client.ask(kind, handle, "NAME"): handle for handle in self.listed(kind, architecture)}


class Answers(Facts):
    def check_architecture(self, line, architecture):
        self.check_id(line, architecture)
        for query, expected in (("NAME", line["arch"]), ("ELF_AMDGPU_MACHINE", int(line["elf_machine"], 16)),
                                ("LARGEST_INSTRUCTION_SIZE", line["largest_instruction"]),
                                ("MINIMUM_INSTRUCTION_ALIGNMENT", line["alignment"]),
                                ("BREAKPOINT_INSTRUCTION_SIZE", line["breakpoint_size"]),
                                ("BREAKPOINT_INSTRUCTION_PC_ADJUST", line["pc_adjust"]),
                                ("BREAKPOINT_INSTRUCTION", bytes.fromhex(line["breakpoint"]))):
            self.asked("architecture", architecture, query, expected)
        self.asked("register", self.client.ask("architecture", architecture, "PC_REGISTER"), "NAME", line["pc_register"])

    def check_register_class(self, line, architecture):
        classes = self.listed("register_class", architecture)
        self.assertEqual(len(classes), 5)
        register_class = classes[line["index"]]
        self.check_id(line, register_class)
        self.asked("register_class", register_class, "NAME", line["name"])
        self.asked("register_class", register_class, "ARCHITECTURE", architecture)

    def check_registers(self, line, architecture):
        """The first of some that are alike; their handles follow each other."""
        registers, first = self.listed("register", architecture), line["index"]
        register, by_dwarf = registers[first], number()
        self.check_id(line, register)
        if line["id"] is not None:
            self.assertEqual(registers[first : first + line["count"]], [*range(register, register + line["count"])])
        for query in ("name", "size", "type", "properties"):
            self.asked("register", register, query.upper(), line[query])
        if isinstance(line["dwarf"], int):
            self.asked("register", register, "DWARF", line["dwarf"])
            self.gives(self.api.dwarf_register_to_register(architecture, line["dwarf"], by_dwarf))
            self.assertEqual(by_dwarf.value, register)
        else:
            # Not being available comes before a wrong size.
            self.gives(self.client.get_info("register", register, "DWARF", 1, number()), "ERROR_NOT_AVAILABLE")
        members, state = set(), number(0, "u32")
        for name, register_class in self.named("register_class", architecture).items():
            self.gives(self.api.register_is_in_register_class(register_class, register, state))
            if state.value == self.api.REGISTER_CLASS_STATE_MEMBER:
                members.add(name)
        self.assertEqual(members, set(line["classes"]))

    def check_register_count(self, line, architecture):
        self.assertEqual(len(self.listed("register", architecture)), line["count"])

    def test_architectures(self):
        self.check_each("architecture", self.check_architecture, ARCHITECTURES)
        self.check_each("register_class", self.check_register_class, ARCHITECTURES * 5)
        self.check_each("registers", self.check_registers, 514)
        self.check_each("register_count", self.check_register_count, ARCHITECTURES)


class Addresses(Facts):
    @functools.cached_property
    def old(self):
        return Api(self.library, WITHOUT_PROCESS)

    def check_address_space(self, line, architecture):
        space = self.named("address_space", architecture)[line["name"]]
        self.check_id(line, space)
        for query, expected in (("ADDRESS_SIZE", line["address_size"]), ("NULL_ADDRESS", int(line["null"], 16)),
                                ("ACCESS", line["access"]), ("DWARF", line["dwarf"])):
            self.asked("address_space", space, query, expected)
        self.assertGreaterEqual(len(line["dependency"]), 8)
        for address, expected in line["dependency"].items():
            dependency = number(99, "u32")
            self.gives(self.old.address_dependency(space, int(address, 16), dependency))
            self.assertEqual(dependency.value, expected)

    def check_address_class(self, line, architecture):
        address_class = self.named("address_class", architecture)[line["name"]]
        self.check_id(line, address_class)
        self.asked("address_class", address_class, "ADDRESS_SPACE", self.named("address_space", architecture)[line["space"]])
        self.asked("address_class", address_class, "DWARF", line["dwarf"])

    def check_dwarf(self, kind, name):
        """Numbers that stand for one, and those that stand for none."""
        seen, convert = {}, getattr(self.api, f"dwarf_{kind}_to_{kind}")

        def check(line, architecture):
            found = number()
            self.gives(convert(architecture, line["dwarf"], found))
            self.assertEqual(found.value, self.named(kind, architecture)[line["name"]])
            seen.setdefault(architecture, set()).add(line["dwarf"])

        self.check_each(name, check, ARCHITECTURES * 5)
        for architecture, numbers in seen.items():
            for dwarf in set(range(64)) - numbers:
                self.gives(convert(architecture, dwarf, number()), "ERROR_INVALID_ARGUMENT_COMPATIBILITY")
        return [*seen.values()]

    def check_convert(self, line, architecture):
        spaces, address, count = self.named("address_space", architecture), number(77), number(88)
        self.gives(self.old.convert_address_space(0, self.client.no_lane, spaces[line["from"]], CONVERTED, spaces[line["to"]], address,
                                                  count), line["status"])
        good = line["status"] == "SUCCESS"
        self.assertEqual((address.value, count.value), (int(line["address"], 16), int(line["contiguous"], 16)) if good else (77, 88))

    def check_in_class(self, line, architecture):
        state = number(77, "u32")
        self.gives(self.api.address_is_in_address_class(
            0, self.client.no_lane, self.named("address_space", architecture)[line["space"]], CONVERTED,
            self.named("address_class", architecture)[line["class"]], state), line["status"])
        self.assertEqual(state.value, line["state"] if line["status"] == "SUCCESS" else 77)

    def test_addresses(self):
        self.check_each("address_space", self.check_address_space, ARCHITECTURES * 5)
        self.check_each("address_class", self.check_address_class, ARCHITECTURES * 5)
        self.assertEqual(self.check_dwarf("address_space", "dwarf_address_space"), [{0, 1, 3, 5, 6}] * ARCHITECTURES)
        self.assertEqual(self.check_dwarf("address_class", "dwarf_address_class"), [{0, 1, 2, 3, 4}] * ARCHITECTURES)
        # Level 0.80 converts no generic address without a wave: of three that only it knows there is no line of that.
        self.check_each("convert_no_wave", self.check_convert, ARCHITECTURES * 25 - 3)
        self.check_each("in_class_no_wave", self.check_in_class, ARCHITECTURES * 25)


class Errors(Facts):
    """Calls with errors, by the names that the facts give them."""

    def calls(self, out):
        api, array = self.api, ctypes.c_void_p()

        def info(kind, handle, query, size, value):
            return lambda: self.client.get_info(kind, handle, query, size, value)

        def of_architecture(handle, query, size, value=out):
            return info("architecture", handle, query, size, value)

        def machine(value, result=out):
            return lambda: api.get_architecture(value, result)

        def registers(architecture, count, result):
            return lambda: api.architecture_register_list(architecture, count, result)

        def by_dwarf(architecture, dwarf, result=out):
            return lambda: api.dwarf_register_to_register(architecture, dwarf, result)

        return {
            "get_architecture": machine(0x4C), "get_architecture(NULL)": machine(0x4C, None), "get_architecture(0)": machine(0),
            "get_architecture(x,NULL)": machine(0x4C, None), "get_architecture(0,NULL)": machine(0, None),
            "architecture_get_info(bad)": of_architecture(BAD, 3, 8),
            "architecture_get_info(none)": of_architecture(0, 3, 8),
            "architecture_get_info(size 4 for u64)": of_architecture(GFX942, 3, 4),
            "architecture_get_info(size 16 for u64)": of_architecture(GFX942, 3, 16),
            "architecture_get_info(value NULL)": of_architecture(GFX942, 3, 8, None),
            "architecture_get_info(value NULL, size 4)": of_architecture(GFX942, 3, 4, None),
            "architecture_get_info(query 0)": of_architecture(GFX942, 0, 8),
            "architecture_get_info(query 99, value NULL)": of_architecture(GFX942, 99, 8, None),
            "architecture_get_info(bad arch, query 99)": of_architecture(BAD, 99, 8),
            "register_list(bad arch)": registers(BAD, out, array), "register_list(bad arch, NULL)": registers(BAD, None, None),
            "register_list(count NULL)": registers(GFX942, None, array),
            "register_get_info(bad)": info("register", BAD_REGISTER, 3, 8, out),
            "register_get_info(none)": info("register", 0, 3, 8, out),
            "register_get_info(pc, value NULL, query 99)": info("register", PC, 99, 8, None),
            "register_get_info(pc, query 99)": info("register", PC, 99, 8, out),
            "register_get_info(pc, size 4)": info("register", PC, 3, 4, out),
            "register_is_in_register_class(bad class, bad reg)":
                lambda: api.register_is_in_register_class(999, BAD_REGISTER, number(0, "u32")),
            "dwarf_register_to_register(unknown number)": by_dwarf(GFX942, 99999),
            "dwarf_register_to_register(bad arch)": by_dwarf(BAD, 16), "dwarf_register_to_register(NULL)": by_dwarf(GFX942, 16, None),
            "address_space_get_info(bad)": info("address_space", 999, 2, 8, out),
            "address_class_get_info(bad)": info("address_class", 999, 3, 8, out),
        }

    def test_errors(self):
        checked, untouched = 0, 0xAAAAAAAAAAAAAAAA
        self.gives(self.api.finalize())
        for line in self.lines("errors.jsonl"):
            out = number(untouched)
            call = self.calls(out).get(line["call"])
            if line["kind"] != "error" or not call:
                continue
            initialized = line["phase"] == "initialized"
            if initialized:
                self.gives(self.client.initialize())
            with self.subTest(line=line):
                self.gives(call(), line["status"])
                if line["status"] != "SUCCESS":
                    self.assertEqual(out.value, untouched)
            if initialized:
                self.gives(self.api.finalize())
            checked += 1
        self.assertEqual(checked, 29)


class Instructions(Facts):
    """Disassembly and classification against what AMD's library answers, with LLVM 19 under it."""

    def setUp(self):
        super().setUp()
        self.given = []
        self.freed = 0

    def tearDown(self):
        """What the library was given for itself it has given back."""
        super().tearDown()
        self.assertEqual(self.side.allocations, self.side.deallocations + self.freed)

    def free(self, memory):
        libc.free(memory)
        self.freed += 1

    def symbolizer(self, status, text=None):
        """A symbolizer that answers so; with text, of the client's memory."""
        def answer(symbolizer_id, address, text_ret):
            self.assertEqual(symbolizer_id, SYMBOLIZER_ID)
            if text is not None:
                content = text(address).encode() + b"\0"
                memory = malloc(len(content))
                self.side.allocations += 1
                ctypes.memmove(memory, content, len(content))
                text_ret[0] = memory
            elif status == 0:
                text_ret[0] = None
            return status

        self.given.append(self.api.callback(SYMBOLIZER, answer))
        return ctypes.cast(self.given[-1], ctypes.c_void_p)

    def disassemble(self, architecture, content, symbolizer=None, with_text=True):
        """Return: the status, the size, and the text; what was in its place if it is untouched."""
        size, text = number(len(content)), ctypes.c_void_p(0x55)
        status = self.api.disassemble_instruction(architecture, PROBED_AT, size, buffer(content), text if with_text else None,
                                                  SYMBOLIZER_ID, symbolizer)
        if text.value in (0x55, None):
            return status, size.value, text.value
        found = ctypes.string_at(text).decode()
        self.free(text)
        return status, size.value, found

    def check_disassembly(self, line, architecture):
        content = bytes.fromhex(line["bytes"])
        if line["status"] != "SUCCESS":
            self.assertEqual(line["status"], "ERROR_ILLEGAL_INSTRUCTION")
            for with_text in (True, False):
                status, size, text = self.disassemble(architecture, content, None, with_text)
                self.gives(status, line["status"])
                self.assertEqual((size, text), (len(content), 0x55))
            return
        not_found = self.symbolizer(self.api.STATUS_ERROR_SYMBOL_NOT_FOUND)
        named = self.symbolizer(0, lambda address: f"sym+{address:#x}")
        for symbolizer, text in ((None, line["text"]), (not_found, line["text"]), (named, line["text_sym"])):
            self.assertEqual(self.disassemble(architecture, content, symbolizer), (0, line["size"], text))
        broken = self.symbolizer(self.api.STATUS_ERROR_NOT_AVAILABLE)
        self.assertEqual(self.disassemble(architecture, content, broken, False)[:2], (0, line["size_only"]))
        self.given.clear()

    def test_disassembly(self):
        self.check_each("disasm", self.check_disassembly, DECODED * PROBES, "instructions.jsonl")

    def test_bad_symbolizers(self):
        for symbolizer, expected in ((self.symbolizer(self.api.STATUS_ERROR_NOT_AVAILABLE), "ERROR_CLIENT_CALLBACK"),
                                     (self.symbolizer(0), "ERROR"), (self.symbolizer(0, lambda _: ""), "ERROR")):
            status, size, text = self.disassemble(GFX942, BRANCH + bytes(4), symbolizer)
            self.gives(status, expected)
            self.assertEqual((size, text), (8, 0x55))
            self.gives(self.disassemble(GFX942, NOP, symbolizer)[0])

    def classify(self, architecture, content):
        """Return: the status, kind, size, properties, and the numbers that come with the kind, or None."""
        size, kind, properties, information = number(len(content)), number(99, "u32"), number(0, "u32"), ctypes.c_void_p()
        status = self.api.classify_instruction(architecture, PROBED_AT, size, buffer(content), kind, properties, information)
        numbers = None
        if information:
            count = next((count for name, count in REGISTER_PAIRS.items() if kind.value == self.api.at.constants[f"INSTRUCTION_KIND_{name}"]), 1)
            numbers = [*(ctypes.c_uint64 * count).from_address(information.value)]
            self.free(information)
        return status, kind.value, size.value, properties.value, numbers

    def check_classification(self, line, architecture):
        status, kind, size, properties, numbers = self.classify(architecture, bytes.fromhex(line["bytes"]))
        self.gives(status, line["status"])
        if line["status"] != "SUCCESS":
            self.assertEqual((line["status"], kind), ("ERROR_ILLEGAL_INSTRUCTION", 99))
            return
        self.assertEqual((kind, size, properties), (line["ikind"], line["size"], line["properties"]))
        if line["info"] is None:
            self.assertIsNone(numbers)
            return
        # Names of registers, addresses, and of traps plain numbers.
        before = self.side.allocations
        names = [self.client.ask("register", value, "NAME") if expected[0] == "s" else str(value) if
                 kind == self.api.INSTRUCTION_KIND_TRAP else f"{value:#x}" for value, expected in zip(numbers, line["info"])]
        self.freed += self.side.allocations - before
        self.assertEqual(names, line["info"])
        if kind == self.api.INSTRUCTION_KIND_DIRECT_CALL_REGISTER_PAIR:
            self.assertEqual([name[0] == "s" for name in names], [False, True, True])

    def test_classification(self):
        self.check_each("classify", self.check_classification, DECODED * PROBES, "instructions.jsonl")

    def test_breakpoints(self):
        """What is planted as a breakpoint is also what disassembles and classifies as one."""
        for name in self.machines:
            architecture = self.architecture(name)
            content = self.client.ask("architecture", architecture, "BREAKPOINT_INSTRUCTION")
            self.freed += 1
            status, kind, _, _, numbers = self.classify(architecture, content)
            # What disassembles here may know neither this one nor one like it, as LLVM 19 does not.
            if name == "gfx1250" and status:
                self.gives(status, "ERROR")
                continue
            self.gives(status)
            self.assertEqual((kind, numbers), (self.api.INSTRUCTION_KIND_TRAP, [1]))
            self.assertEqual(self.disassemble(architecture, content), (0, len(content), "s_trap 1"))


if __name__ == "__main__":
    main(__doc__)
