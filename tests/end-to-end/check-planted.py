# SPDX-License-Identifier: MIT
"""`wavetape locals` and `backtrace` on architectures that the simulated GPU does not execute.

Waves stand at the marks of tests/variables without ever having run: their registers and their private memory have values that
say where they are (planted.h). They come from core files, in the save area that each GPU has, which our own library reads
(planted-core.c). What a second reading of the debug information, LLVM's as text and ours in this file, finds there must be
what is shown.
"""

import collections
import os
import re
import struct
import subprocess
import sys

import support
from sources import compile_source, decode, marks, same, size_of

# Lanes, and how many bits the frame register counts more than bytes of one lane.
TARGETS = {"gfx1100": (32, 0), "gfx1201": (32, 0), "gfx1030": (32, 5), "gfx942": (64, 0), "gfx90a": (64, 6)}
SOURCES = ("values", "flow", "unrolled", "memory", "objects")
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
LOAD, FRAME = 0x200000000000, 0x240
LONG = os.environ.get("WAVETAPE_LONG")


def run(*arguments):
    return subprocess.run([str(argument) for argument in arguments], check=True, capture_output=True, text=True).stdout


# ---- The formulas of planted.c ----


def scalar(index):
    return struct.pack("<I", 0x50000000 | index << 8 | 1)


def vector(index, lane):
    return struct.pack("<I", 0x40000000 | index << 12 | lane << 4 | 5)


def private(lane, address, size):
    words = b"".join(struct.pack("<I", 0x20000000 | lane << 16 | at) for at in range(address // 4, (address + size + 3) // 4))
    return words[address % 4:address % 4 + size]


# ---- Debug information, as llvm-dwarfdump prints it ----


class Die:
    def __init__(self, depth, tag):
        self.depth, self.tag, self.text, self.children = depth, tag, "", []

    def name(self):
        found = (re.search(r'DW_AT_name\t\("(.*?)"\)', self.text) or
                 re.search(r'DW_AT_abstract_origin\t\(0x[0-9a-f]+ "(.*?)"\)', self.text))
        return found[1].rsplit("::", 1)[-1] if found else None

    def covers(self, pc):
        """Is an address in what the entry covers? None if it covers no code of its own."""
        runs = [(int(low, 16), int(high, 16)) for low, high in re.findall(r"\[(0x[0-9a-f]+), (0x[0-9a-f]+)\)+$", self.text, re.M)]
        low = re.search(r"DW_AT_low_pc\t\((0x[0-9a-f]+)\)", self.text)
        high = re.search(r"DW_AT_high_pc\t\((0x[0-9a-f]+)\)", self.text)
        if low and high:
            runs = [(int(low[1], 16), int(high[1], 16))]
        return any(low <= pc < high for low, high in runs) if runs else None

    def location(self, pc):
        """The operations that describe the variable at an address; None if there are none."""
        found = re.search(r"DW_AT_location\t\((.*?)\)\n\s+DW_AT|DW_AT_location\t\((.*)\)\s*\Z", self.text, re.S)
        text = (found[1] or found[2]) if found else ""
        if "loclist" not in text:
            return text.split(", ") if text else None
        for low, high, operations in re.findall(r"\[(0x[0-9a-f]+), (0x[0-9a-f]+)\): (.*)", text):
            if int(low, 16) <= pc < int(high, 16):
                return operations.rstrip(")").split(", ")
        return None


def read_dies(code):
    """The entries of the units, as trees."""
    stack, roots = [], []
    for line in run("llvm-dwarfdump-19", "--debug-info", code).splitlines():
        head = re.match(r"0x[0-9a-f]{8}:( +)(DW_TAG_\w+|NULL)", line)
        if not head:
            if stack:
                stack[-1].text += line.rstrip() + "\n"
            continue
        die = Die(len(head[1]), head[2])
        while stack and stack[-1].depth >= die.depth:
            stack.pop()
        (stack[-1].children if stack else roots).append(die)
        stack.append(die)
    return roots


def innermost(dies, pc, found=None):
    """The function, inlined or not, that an address is in."""
    for die in dies:
        inside = die.covers(pc)
        if inside is False:
            continue
        if die.tag in ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine"):
            if inside:
                found = innermost(die.children, pc, die)
        else:
            found = innermost(die.children, pc, found)
    return found


def variables(die, pc):
    """Variables of a function at an address, without those of functions inlined into it."""
    for child in die.children:
        if child.tag in ("DW_TAG_variable", "DW_TAG_formal_parameter"):
            yield child
        elif child.tag == "DW_TAG_lexical_block" and child.covers(pc) is not False:
            yield from variables(child, pc)


# ---- What they describe ----


def register_at(text, lane):
    """Four bytes, and are they of a vector register."""
    named = re.match(r"(SGPR|VGPR)(\d+)_LO16", text)
    if named:
        index, is_vector = int(named[2]), named[1] == "VGPR"
    else:
        number = int(text, 16)
        is_vector = number >= 1536
        index = (number - 1536) % 1024 if is_vector else number - 32 if number < 96 else number - 1088 + 64
    return (vector(index, lane) if is_vector else scalar(index)), is_vector, index


def single(operations, lane, size, base):
    """The bytes of a part that is described without a computation; None for any other."""
    first = operations[0].split(" ")
    space = operations[1:] in ([], ["DW_OP_lit1", "DW_OP_swap", "DW_OP_xderef"])
    if first[0] == "DW_OP_regx" and len(operations) == 1:
        data, is_vector, index = register_at(first[1], lane)
        return data if size <= 4 and (is_vector or index not in (32, 33)) else None
    if first[0] == "DW_OP_fbreg" and space:
        return private(lane, base + int(first[1]), size)
    frame = re.fullmatch(r"DW_OP_bregx SGPR3[23]_LO16\+(\d+)", operations[0])
    if frame and space:
        return private(lane, base + int(frame[1]), size)
    return None


def value_of(operations, lane, size, base):
    """The bytes of a variable; None if this reading of it does not go so far, or a part is nowhere."""
    data, part = b"", []
    for operation in operations:
        if not operation.startswith("DW_OP_piece"):
            part.append(operation)
            continue
        if not part:
            return None
        piece = single(part, lane, int(operation.split(" ")[1], 16), base)
        if piece is None:
            return None
        data, part = data + piece[:int(operation.split(" ")[1], 16)], []
    if part and not data:
        data = single(part, lane, size, base)
    return data[:size] if data and len(data) >= size else None


def plant(program, frame, waves, *arguments):
    lines = "".join(f"{wave['pc']:x} {wave['entry']:x} {frame:x} {wave['call']:x} {wave['places']} "
                    f"{wave['kept'][0]} {wave['kept'][1]}\n" for wave in waves)
    subprocess.run([support.TREE.build / "tests/end-to-end" / program, *map(str, arguments)], input=lines, text=True, check=True)


def write(trace, target, code, waves):
    lanes, shift = TARGETS[target]
    plant("planted", FRAME << shift, waves, trace, target, lanes, code)


def write_core(core, target, code, waves):
    lanes, shift = TARGETS[target]
    plant("planted-core", FRAME << shift, waves, core, target, lanes, 256, 0, code)


class Planted(support.Case):
    """Variables at the marks, and the kernel behind each function."""

    def waves(self, code, kernel):
        """Where waves stand: pc, function, to which call it returns, and where that is kept."""
        symbols = {name: (int(low, 16), int(size, 16)) for low, size, name in
                   re.findall(r"^([0-9a-f]+) ([0-9a-f]+) [Tt] (\S+)$", run("llvm-nm-19", "-S", code), re.M)}
        entry, end = symbols[kernel][0], sum(symbols[kernel])
        lines = [(int(address, 16), text) for text, address in
                 re.findall(r"^\t(.*?) *// ([0-9A-F]{12}):", run("llvm-objdump-19", "-d", code), re.M)]
        calls = [lines[i + 1][0] for i, (address, text) in enumerate(lines)
                 if text.startswith("s_swappc") and entry <= address < end]
        for address, text in lines:
            if text != "s_trap 3":
                continue
            function = next(name for name, (low, size) in symbols.items() if low <= address < low + size)
            before = [text for place, text in lines if symbols[function][0] <= place < address]
            kept = [re.match(r"v_writelane_b32 v(\d+), s30, (\d+)", text) for text in before]
            kept = next(([int(number) for number in found.groups()] for found in kept if found), None)
            # The last call has left something else in the registers.
            called = any(text.startswith("s_swappc") for text in before)
            yield {"pc": address, "function": function, "entry": entry, "call": calls[-1 if kept else 0] if calls else 0,
                   "places": (not called) + 2 * bool(kept), "kept": kept or (0, 0)}

    def plant(self, name, target, level):
        source, code = compile_source(name, target, level, self.directory)
        waves = list(self.waves(code, name))
        core, trace = (self.directory / f"{name}.{kind}" for kind in ("core", "wtape"))
        write_core(core, target, code, [{**wave, "places": wave["places"] * (wave["function"] != name)} for wave in waves])
        self.wavetape("record", "--core", core, "-o", trace)
        self.assertGreaterEqual(len(waves), len(marks(source)) - 1)
        return code, trace, waves

    def compare(self, die, shown, wave, base, counts, where):
        by_name = collections.defaultdict(list)
        for variable in variables(die, wave["pc"]):
            by_name[variable.name()].append(variable)
        for variable in shown["variables"]:
            found, kind = by_name[variable["name"]], re.sub(r"^const ", "", variable["type"])
            operations = found[0].location(wave["pc"]) if len(found) == 1 else None
            for group in variable["values"]:
                for lane in group["lanes"]:
                    if "unknown" in group:
                        counts["unknown"] += 1
                        continue
                    data = value_of(operations, lane, size_of(kind), base) if operations and kind != "_Bool" else None
                    if data is None:
                        counts["unchecked"] += 1
                        continue
                    try:
                        counts["known"] += bool(same(group["value"], decode(kind, data)))
                    except AssertionError as error:
                        self.fail(f"{where}: {variable['name']} in lane {lane}: {error}")

    def check(self, name, target, level):
        code, trace, waves = self.plant(name, target, level)
        dies, counts = read_dies(code), collections.Counter()
        for number, wave in enumerate(waves, 1):
            where = (name, target, level, wave["function"], hex(wave["pc"]))
            die = innermost(dies, wave["pc"])
            shown = self.json("locals", trace, "--wave", number)
            self.assertEqual(shown["lanes"], list(range(TARGETS[target][0])))
            self.compare(die, shown, wave, 0 if wave["function"] == name else FRAME, counts, where)
            frames = self.json("backtrace", trace, "--wave", number)
            if wave["function"] != name:
                self.assertIsNone(frames["outermost_known"], where)
                self.assertEqual(frames["frames"][-1]["address"], hex(LOAD + wave["call"]), where)
                self.assertIn(wave["function"], [frame["function"] for frame in frames["frames"]] +
                              [frame["symbol"]["name"] for frame in frames["frames"]], where)
            self.assertEqual(frames["frames"][-1]["function"], name, where)
        print(f"{name} {target} {level}: {dict(counts)}", file=sys.stderr)
        return counts

    def test_all(self):
        cells = [(name, target, level) for target in TARGETS for name in SOURCES for level in LEVELS]
        if not LONG:
            target = ("gfx1100", "gfx1201")[support.SHARE // 4 % 2]
            cells = [("memory", target, "-O0"), ("values", target, "-O2")]
        total = sum((self.check(*cell) for cell in cells), collections.Counter())
        self.assertGreater(total["known"], total["unchecked"])
        self.assertGreater(total["known"], 2000)


class Cores(support.Case):
    """What is in the save area that each GPU has, through a core file and back."""

    # Architecture, lanes, vector registers, and those that both halves of a wave share.
    SHAPES = (("gfx1201", 32, 256, 0), ("gfx1011", 64, 24, 16), ("gfx1100", 32, 16, 0), ("gfx1030", 64, 64, 8),
              ("gfx1201", 64, 128, 0), ("gfx1010", 32, 64, 0), ("gfx1151", 64, 20, 8), ("gfx1200", 32, 24, 0), ("gfx90a", 64, 128, 0))
    COUNT = 3

    def plant(self, target, *shape):
        # The code of the kernel, whichever it is: nothing of it is executed.
        _, code = compile_source("frames", "gfx1100", "-O0", self.directory)
        entry = int(re.search(r"^([0-9a-f]+) [Tt] frames$", run("llvm-nm-19", code), re.M)[1], 16)
        waves = [{"pc": entry + 4 * i, "entry": entry, "call": entry, "places": 0, "kept": (0, 0)} for i in range(self.COUNT)]
        core = self.directory / "planted.core"
        plant("planted-core", FRAME, waves, core, target, *shape, code)
        return core, entry

    def record(self, core, name):
        trace = self.directory / f"{name}.wtape"
        trace.unlink(missing_ok=True)
        self.wavetape("record", "--reproducible", "--core", core, "-o", trace)
        return trace

    def expected(self, target, lanes, vgprs, shared):
        def words(*values):
            return [hex(value) for value in values]
        gfx9, gfx12 = target.startswith("gfx9"), target.startswith("gfx12")
        found = {f"s{i}": hex(scalars(i)) for i in range(102 if gfx9 else 106)}
        found |= {"s32": hex(FRAME), "s33": hex(FRAME), "m0": "0x60000001", "exec": hex(2 ** lanes - 1), "mode": "0x2f0",
                  "vcc": hex(0x6000000360000002 % 2 ** lanes)}
        found |= {f"v{i}": words(*(vectors(i, lane) for lane in range(lanes))) for i in range(vgprs)}
        found |= {f"v{i}": words(*(vectors(i, lane) for lane in range(32))) for i in range(vgprs, vgprs + shared)}
        if gfx12:
            return found | {"excp_flag_priv": hex(1 << 12 | 1 << 4), "excp_flag_user": "0x0", "trap_ctrl": "0x0", "state_priv": "0x0", "status": "0x0"}
        return found | {"trapsts": hex(1 << 28 | 1 << 8), "status": "0x0"}

    def check_registers(self, trace, number, *shape):
        registers = self.json("registers", trace, "--wave", number)["registers"]
        shown = {item["name"]: item.get("lanes", item.get("value")) for item in registers}
        expected = self.expected(*shape)
        self.assertEqual({name: shown.get(name) for name in expected}, expected)
        rest = {name for name in shown if name not in expected and not name.startswith("ttmp")}
        base = "scratch_base" if shape[0].startswith("gfx12") else "flat_scratch"
        self.assertEqual(rest, {base, "pc"} | ({"xnack_mask"} if shape[0] in ("gfx90a", "gfx1010") else set()))
        index = number - 1
        # Elsewhere programs set it up, and these have not.
        hardware = shape[0].startswith(("gfx94", "gfx95", "gfx11", "gfx12"))
        self.assertEqual(int(shown[base], 16),
                         0x320000000000 + (128 * (index % 2) + index // 2) * 0x1000 * shape[1] if hardware else 0x7f0000000000)

    def check_memory(self, trace, number, lanes):
        local = self.json("memory", trace, "0", "512", "--space", "local", "--wave", number)["data"]
        self.assertEqual(bytes.fromhex(local), struct.pack("<128I", *(0x30000000 | i for i in range(128))))
        for lane in (0, lanes - 1):
            shown = self.json("memory", trace, "256", "64", "--space", "private_lane", "--wave", number, "--lane", lane)["data"]
            self.assertEqual(bytes.fromhex(shown), private(lane, 256, 64))

    def check(self, target, lanes, *counts):
        core, entry = self.plant(target, lanes, *counts)
        trace = self.record(core, "first")
        waves = {wave["wave"]: wave for wave in self.json("waves", trace)["waves"]}
        self.assertEqual(sorted(waves), list(range(1, self.COUNT + 1)))
        for number, wave in waves.items():
            self.assertEqual((wave["workgroup"], wave["pc"], wave["kernel"], wave["stop_reason"], wave["exec"]),
                             ([number - 1, 2, 3], hex(LOAD + entry + 4 * (number - 1)), "frames", "MEMORY_VIOLATION", hex(2 ** lanes - 1)))
        for number in (1, self.COUNT):
            self.check_registers(trace, number, target, lanes, *counts)
            self.check_memory(trace, number, lanes)
        # Exported, all is where it was.
        again = self.directory / "again.core"
        again.unlink(missing_ok=True)
        self.wavetape("export", trace, "--core", "-o", again)
        compared = self.wavetape("diff", trace, self.record(again, "second"))
        self.assertRegex(compared, rf"\A(stop 1: equal\n)1 stop, {self.COUNT} waves, \d+ registers, \d+ pages of memory compared: 0 differences\n\Z")

    def test_shapes(self):
        for shape in self.SHAPES if LONG else support.share(self.SHAPES):
            with self.subTest(shape=shape):
                self.check(*shape)


class CallFrames(support.Case):
    """Registers of the caller by the call frame information of frames.s."""

    def plant(self, target):
        _, code = compile_source("frames", target, "-O0", self.directory)
        symbols = {name: int(low, 16) for low, name in re.findall(r"^([0-9a-f]+) [Tt] (\S+)$", run("llvm-nm-19", code), re.M)}
        # Behind the calls of the kernel and of outer; the traps are where rows change.
        kernel, outer = symbols["frames"] + 4, symbols["outer"] + 24
        places = [(symbols["outer"], kernel, 1), (symbols["outer"] + 8, kernel, 2), (symbols["outer"] + 16, kernel, 2),
                  (symbols["inner"] + 4, outer, 1), (symbols["lost"], kernel, 1)]
        trace = self.directory / "frames.wtape"
        write(trace, target, code, [{"pc": pc, "entry": symbols["frames"], "call": call, "places": where, "kept": (40, 3)}
                                    for pc, call, where in places])
        return trace

    def frames(self, trace, wave):
        shown = self.json("backtrace", trace, "--wave", wave)
        return [frame["symbol"]["name"] for frame in shown["frames"]], shown["outermost_known"]

    def register(self, trace, wave, name, lane=0):
        shown = self.json("print", trace, "--wave", wave, "--frame", 1, "--lane", lane, f"${name}")["values"]
        return shown[0].get("value", shown[0].get("unknown"))

    def wave_memory(self, target, address):
        """Four bytes of private memory, where those of each lane stand side by side."""
        lanes = TARGETS[target][0]
        return struct.unpack("<I", private(address // 4 % lanes, address // 4 // lanes * 4, 4))[0]

    def check_registers(self, target, trace):
        frame = FRAME << TARGETS[target][1]

        def number(data):
            return struct.unpack("<I", data)[0]

        expected = {
            "s34": number(vector(41, 7)), "s35": "unknown location: a function that was called has not kept the register",
            "s36": number(scalar(10)), "s37": frame + 8, "s38": frame + 6, "s39": number(scalar(39)),
            "s40": self.wave_memory(target, frame + 12),
        }
        self.assertEqual({name: self.register(trace, 2, name) for name in expected}, expected)
        mask = number(vector(44, 0)) | number(vector(44, 1)) << 32
        for lane in (0, 2, 3, 14, 18, 31):
            self.assertEqual(self.register(trace, 2, "v42", lane), self.wave_memory(target, frame + 64 + 4 * lane))
            self.assertEqual(self.register(trace, 2, "v43", lane),
                             self.wave_memory(target, frame + 256 + 4 * lane) if mask >> lane & 1 else number(vector(43, lane)))
        changed = {"s34": expected["s35"], "s35": expected["s35"], "s37": expected["s37"], "v42": expected["s35"]}
        self.assertEqual({name: self.register(trace, 3, name) for name in changed}, changed)

    def test_registers(self):
        for target in TARGETS if LONG else ("gfx1100",) if support.SMALL else ("gfx1100", "gfx90a"):
            trace = self.plant(target)
            for wave in (1, 2, 3):
                self.assertEqual(self.frames(trace, wave), (["outer", "frames"], None), wave)
            self.check_registers(target, trace)
            # Of the caller's own caller nothing is planted.
            self.assertEqual(self.frames(trace, 4), (["inner", "outer"], "the return address leads to no call"))
            self.assertEqual(self.register(trace, 4, "s33"), (FRAME << TARGETS[target][1]) - 64)
            self.assertEqual(self.frames(trace, 5),
                             (["lost"], "unknown location: it is described by an operation that is not known here"))


def scalars(index):
    return struct.unpack("<I", scalar(index))[0]


def vectors(index, lane):
    return struct.unpack("<I", vector(index, lane))[0]


LANE = 2


def in_private(address):
    return struct.unpack("<I", private(LANE, address, 4))[0]


V = [vectors(i, LANE) for i in range(10)]
S = [scalars(i) for i in range(64)]
REAL = f"{struct.unpack('<f', scalar(9))[0]:.7g}"
GONE, NOT_HERE = "<optimized out>", "<not known: the pointer leads out of its variable>"
ARRAY = "<optimized out: changes of a part of an array are not described>"
REMOVED = "<unknown location: it points to a variable that is not in memory>"
# What `locals` shows of places.s in one lane.
PLACES = [
    f"unsigned in_register = {V[3]}",
    f"unsigned uniform = {S[8]}",
    f"unsigned long parts = {V[3] << 32 | S[8]}",
    f"pair half_gone = {{first = {GONE}, second = {V[5]}}}",
    f"pair two = {{first = {V[4]}, second = {V[5]}}}",
    f"bits bits = {{low = {V[6] & 15}, lane = {V[6] >> 4 & 63}, index = {V[6] >> 12 & 255}, top = {V[6] >> 28}}}",
    f"short mixed = {V[7] >> 4 & 255 | (S[8] & 255) << 8}",
    f"either either = {{number = {S[9]}, real = {REAL}, half = {S[9] >> 16}}}",
    "color color = GREEN",
    "color other_color = RED",
    f"unsigned[2] vector = [{V[4]}, {V[5]}]",
    f"unsigned[2] array = [{ARRAY}, {ARRAY}]",
    f"pair framed = {{first = {in_private(48)}, second = {in_private(52)}}}",
    "const float fixed = 1.5",
    "int loose = <optimized out: only a constant that it had is described>",
    f"unsigned called_with = {S[28]}",
    f"unsigned called_sum = {S[28] + 2}",
    "unsigned was_called_with = <unknown location: only its value at the call is described, which was in a register that has changed>",
    "bool condition = <unknown location: it may be a mask of lanes in a scalar register>",
    "unsigned odd = <unknown location: it is described by an operation that is not known here>",
    "private unsigned * const in_private = 0x100",
    "local int * const in_local = 0x100",
    "int * const in_global = 0x100001000",
    "int * const in_region = 0x1000",
    *(f"{kind} {name} = {REMOVED}" for kind, name in (("int *", "to_register"), ("pair *", "to_two"), ("int *", "to_second"),
                                                      ("pair *", "to_gone"), ("int *", "to_type"), ("int *", "behind"),
                                                      ("int &", "refers"))),
    f"unsigned here = {V[8]}",
    f"unsigned elsewhere = {GONE}",
    "const int limit = -42",
    f"int nowhere = {GONE}",
]
# What is printed there, with its type.
PRINTED = {
    "in_private == in_local": "(int) 0",
    "*to_register": f"(int) {V[3]}",
    "*to_two": f"(pair) {{first = {V[4]}, second = {V[5]}}}",
    "to_two[0].first ^ to_two->second": f"(unsigned int) {V[4] ^ V[5]}",
    "to_two[1].first": f"(unsigned) {NOT_HERE}",
    "to_second[-1]": f"(int) {V[4]}",
    "*to_gone": f"(pair) {{first = {GONE}, second = {V[5]}}}",
    "*to_type": "(int) <unknown location: it is in a variable that this function does not have>",
    "*behind": f"(int) {NOT_HERE}",
    "refers": f"(int) {V[3]}",
    "&refers": "(int *) <unknown location: it is not in memory, so it has no address>",
    "to_register + 1": f"(int *) {REMOVED}",
    "in_private[2]": f"(unsigned) {in_private(0x108)}",
    "((private pair *)in_private)->second": f"(unsigned) {in_private(0x104)}",
    "in_private == 0x100 ? here : limit": f"(unsigned int) {V[8]}",
    "&framed": "(private pair *) 0x30",
    "*(&framed.second - 1)": f"(unsigned) {in_private(48)}",
    "*in_local": "(int) <not recorded>",
    "in_global[3]": "(int) <not recorded>",
    "*in_region": "(int) <unknown location: it points to an address space that is not known here>",
    "(int **)in_global + 1": "(int **) 0x100001008",
    "**(pair **)in_global": "(pair) <not recorded>",
    "(void *)in_global": "(void *) 0x100001000",
    "color == GREEN && other_color != color::BLUE": "(int) 1",
    "(enum color)5": "(color) BLUE",
    "BLUE + 1": "(int or unsigned int) 6",
    "bits.top << 2 | bits.lane": f"(int) {V[6] >> 28 << 2 | LANE}",
    "either.real": f"(float) {REAL}",
    "vector.y - vector[0]": f"(unsigned int) {V[5] - V[4]}",
    "$v3 == in_register && $s8 == uniform": "(int) 1",
    "nowhere || 1": "(int) 1",
    "nowhere && 1": f"(int) {GONE}",
    "nowhere ? 1 : 2": f"(int) {GONE}",
    "limit < 0 ? 1 : 2.5": "(double) 1",
    "'\\n' + '\\0'": "(int) 10",
    "(short)limit * sizeof(pair)": f"(unsigned long) {(1 << 64) - 42 * 8}",
}
REFUSED = {
    "1 ? two : 3": "at character 3: the two values are of different kinds",
    "1 ? 2": "at character 6: ':' is missing",
    "*(void *)in_global": "at character 1: what it points to has no type that can be shown; cast the pointer",
    "'\\q'": "at character 2: '\\q' is none of \\0, \\a, \\b, \\f, \\n, \\r, \\t, \\v, \\\\ and \\'",
    "1 ? " * 12 + "1" + " : 2" * 12: "at character 40: it is nested too deeply",
    "(struct none *)in_global": "at character 2: there is no such type here",
    "color::": "at character 6: this cannot stand here",
}


class Places(support.Case):
    """Each kind of place that a variable can have, and what expressions make of it."""

    def plant(self, target):
        _, code = compile_source("places", target, "-O0", self.directory)
        entry = int(re.search(r"^([0-9a-f]+) T places$", run("llvm-nm-19", code), re.M)[1], 16)
        trace = self.directory / "places.wtape"
        write(trace, target, code, [{"pc": entry + 8, "entry": entry, "call": 0, "places": 0, "kept": (0, 0)}])
        return trace

    def check(self, target):
        trace = self.plant(target)
        lines = self.wavetape("locals", trace, "--lane", LANE).splitlines()
        self.assertEqual(lines[:1] + lines[2:], [f"stop 1, wave w1, lane {LANE}", *PLACES])
        for expression, expected in support.share(PRINTED.items()) if support.SMALL else PRINTED.items():
            kind, value = re.fullmatch(r"(\(.*?\)) (.*)", expected).groups()
            text = self.wavetape("print", trace, "--lane", LANE, "--", expression)
            self.assertEqual(text.splitlines()[2], f"{kind} {expression} = {value}")
        for expression, why in REFUSED.items():
            self.wavetape("print", trace, "--lane", LANE, "--", expression, code=1, stdout="",
                          stderr=f"wavetape: cannot print: {expression}: {why}\n")

    def test_places(self):
        for target in TARGETS if LONG else ("gfx1201",) if support.SMALL else ("gfx1201", "gfx942"):
            self.check(target)


if __name__ == "__main__":
    support.main(__doc__)
