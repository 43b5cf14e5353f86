# SPDX-License-Identifier: MIT
"""`wavetape explain`: the planted cause of each fault by name; and where there is no simple cause, none."""

import dataclasses
import json
import os
import re

import support
from support import Case, share


NONE = "none"

# How faults.c is compiled: for two targets, at four levels.
VARIANTS = ("", "-gfx90a-O0", "-O1", "-gfx90a", "-O0", "-gfx90a-O3")
# And for four with waves of 32 lanes and, where they say so, of 64.
LATER = ("-gfx1100", "-gfx1151-O0", "-gfx1100-w64", "-gfx1030-O0", "-gfx1100-O0", "-gfx1151", "-gfx1030-w64", "-gfx1100-w64-O0", "-gfx1030",
         "-gfx1201-w64", "-gfx1151-w64", "-gfx1201-O0", "-gfx1030-w64-O0", "-gfx1201", "-gfx1201-w64-O0")


def lanes_of(variant):
    return 32 if "gfx1" in variant and "w64" not in variant else 64


def target_of(variant):
    found = re.search(r"gfx[0-9a-f]+", variant)
    return found[0] if found else "gfx942"

# What a sentence begins with, and how JSON calls its kind.
KINDS = {
    "past the end": "past_end", "far past the end": "past_end", "before the start": "before_start", "null pointer": "null", "misaligned": "misaligned",
    "overflow": "overflow", "no guard": "no_guard", "freed or unmapped": "unmapped", "wrapped": "wrapped",
    "too few elements": "too_small", "exchanged arguments": "exchanged", "no address": "no_address",
    "truncated pointer": "truncated", "never set": "uninitialised", "no memory": "no_memory",
    # The same words of other memory.
    "local past the end": "local_end", "local before the start": "local_start", "private past the end": "private_end",
}


def kind_of(sentence):
    if not sentence:
        return NONE
    space = next((space for space in ("local", "private") if f"of {space} memory" in sentence), None)
    begin = sentence.split(":")[0]
    return KINDS[f"{space} {begin}" if space else begin]


@dataclasses.dataclass(frozen=True)
class Fault:
    """A kernel of tests/kernels/faults.c, what it is given, and the sentence that explains its fault; None: none does."""

    kernel: str
    buffers: dict
    arguments: list
    sentence: str
    grid: int = 256
    workgroup: int = 64
    local: int = 0
    # Where the unoptimised code faults first at another place, or its cause cannot be seen (NONE).
    unoptimised: str = ""
    level_1: str = ""
    # A dispatch before this one, with the same kernel.
    before: tuple = ()

    def workload(self, variant):
        return {
            "architecture": target_of(variant),
            "code_objects": [str(support.TREE.kernels / f"faults{variant}.co")],
            "buffers": self.buffers,
            "dispatches": [*self.before, {"kernel": self.kernel, "grid": [self.grid, 1, 1], "workgroup": [self.workgroup, 1, 1],
                            "dynamic_group_bytes": self.local, "arguments": self.arguments}],
        }

    def expected(self, variant):
        if self.unoptimised and "O0" in variant:
            return None if self.unoptimised == NONE else self.unoptimised
        return self.level_1 if self.level_1 and "O1" in variant else self.sentence


def buffer(name, offset=0):
    return {"buffer": name, "offset": offset} if offset else {"buffer": name}


def u32(value):
    return {"u32": value}


def u64(value):
    return {"u64": value}


def address(value):
    return {"address": value}


def i32(value):
    return {"i32": value}


def words(*values):
    """A buffer of words that begins with these."""
    return {"bytes": 4 * len(values), "fill": {"iota": {"type": "u32", "start": values[0], "step": values[1] - values[0]}}}


def constant(size, value, kind="u32"):
    return {"bytes": size, "fill": {"constant": {"type": kind, "value": value}}}


def past(lane, does, element, by, size, last, name="out", more=""):
    return (f"past the end: lane {lane} {does} {name}[{element}], {by} element{'s' * (by != 1)} of {size} bytes past the "
            f"last one that is mapped, {name}[{last}]{more}")


def wrapped(lane, name, index, more=""):
    return (f"wrapped: lane {lane} stores to {name}[{index % 2 ** 32}]: a 32-bit index is {index}, and was used without its "
            f"sign{more}")


BEFORE_IN = "before the start: lane 0 loads from in[-1], 1 element of 4 bytes before where in points"
LOADED_NODE, LOADED_ROW = (f"the pointer that was loaded from {name}, 0x210000000000, at LINE" for name in ("list->next", "rows[0]"))
LOADED, LOADED_LOCAL = (f"; its index was loaded from {name} at LINE" for name in ("index[0]", "local memory"))

FREED_ROW = {"rows": {"bytes": 512, "fill": {"iota": {"type": "u64", "start": 0x210000020000, "step": 0}}},
             "row": {"bytes": 1024, "free_after": 0}}


def far(element, source=""):
    """An index that is not just a little wrong, in a buffer of 64 elements."""
    return f"far past the end: lane 0 stores to out[{element}], and the last element of 4 bytes that is mapped is out[63]{source}"


FAULTS = [
    # Past the end.
    Fault("off_by_one", {"out": {"bytes": 400}}, [buffer("out"), u32(100)], past(36, "stores to", 100, 1, 4, 99)),
    Fault("off_by_one", {"out": {"bytes": 4096}}, [buffer("out"), u32(1024)], past(0, "stores to", 1024, 1, 4, 1023),
          grid=2048, workgroup=256),
    Fault("right_neighbour", {"in": {"bytes": 1024}, "out": {"bytes": 1024}}, [buffer("in"), buffer("out"), u32(256)],
          "past the end: lane 63 loads 8 bytes at in + 1020, and the last 4 of them are past the end of what is mapped, in + 1024",
          unoptimised=past(63, "loads from", 256, 1, 4, 255, "in")),
    Fault("wrong_stride", {"out": {"bytes": 1600}}, [buffer("out"), u32(200)], past(36, "stores to", 200, 1, 8, 199)),
    Fault("grid_stride", {"out": {"bytes": 4000}}, [buffer("out"), u32(1000)], past(40, "stores to", 1000, 1, 4, 999),
          grid=192),
    Fault("gather", {"table": {"bytes": 400}, "index": words(90, 91, *range(62)), "out": {"bytes": 400}},
          [buffer("table"), buffer("index"), buffer("out"), u32(64)], past(10, "loads from", 100, 1, 4, 99, "table", LOADED.replace("0", "10")),
          grid=64),
    Fault("rows", {"image": {"bytes": 400}}, [buffer("image"), u32(40), u32(5)], past(0, "stores to", 200, 1, 2, 199, "image"),
          grid=384),
    # Large: not all of it is recorded, but where it ends.
    Fault("off_by_one", {"out": {"bytes": 400000}}, [buffer("out"), u32(100000)],
          past(32, "stores to", 100000, 1, 4, 99999), grid=100096, workgroup=1024),
    # The same with a size that does not fit: where the memory between ends is not known.
    Fault("grid_stride", {"out": {"bytes": 300004}}, [buffer("out"), u32(100000)], None, grid=64),
    # A long way, whose beginning has no room in what is shown.
    Fault("grid_stride", {"out": {"bytes": 80000}}, [buffer("out"), u32(20000)], past(32, "stores to", 20000, 1, 4, 19999),
          grid=64),
    # A hash that was meant to wrap, and a mask that is too wide.
    Fault("hash", {"table": {"bytes": 1024}}, [buffer("table"), u32(0xffff)], past(0, "stores to", 24372, 24117, 4, 255, "table"),
          grid=64),
    # Of one buffer, and the number of elements of another.
    Fault("too_small", {"in": {"bytes": 800}, "out": {"bytes": 400}}, [buffer("in"), buffer("out"), u32(200)],
          "too few elements: lane 36 stores to out[100], and n is 200, as many as in has; out has 100 of 4 bytes"),
    Fault("too_small", {"in": {"bytes": 400}, "out": {"bytes": 800}}, [buffer("in"), buffer("out"), u32(200)],
          "too few elements: lane 36 loads from in[100], and n is 200, as many as out has; in has 100 of 4 bytes"),
    # Neither has as many.
    Fault("too_small", {"in": {"bytes": 800}, "out": {"bytes": 400}}, [buffer("in"), buffer("out"), u32(199)],
          past(36, "stores to", 100, 1, 4, 99)),
    # An index that other lanes computed, one that was kept in private memory, and one of two ways.
    Fault("through_local", {"out": {"bytes": 400}}, [buffer("out"), u32(2)], past(0, "stores to", 126, 27, 4, 99), grid=64),
    Fault("through_private", {"out": {"bytes": 400}}, [buffer("out"), u32(2)], past(45, "stores to", 100, 1, 4, 99), grid=64),
    Fault("branches", {"out": {"bytes": 400}}, [buffer("out"), u32(10), u32(50)], past(50, "stores to", 100, 1, 4, 99), grid=64),
    # Before the start.
    Fault("left_neighbour", {"in": {"bytes": 1024}, "out": {"bytes": 1024}}, [buffer("in"), buffer("out"), u32(256)],
          BEFORE_IN),
    Fault("backwards", {"out": {"bytes": 64}}, [buffer("out"), i32(15)],
          "before the start: lane 0 stores to out[-1], 1 element of 4 bytes before where out points", grid=64),
    # Null.
    Fault("null_store", {"out": {"bytes": 64}}, [address(0), u32(64)],
          "null pointer: the kernel argument out is null, and lane 0 stores to what is 0 bytes behind it"),
    Fault("lower_half", {"other": {"bytes": 64}}, [address(0), buffer("other"), u32(8)],
          "null pointer: the kernel argument out is null, and lane 0 stores to what is 256 bytes behind it", grid=64),
    Fault("null_field", {"out": {"bytes": 256}}, [address(0), buffer("out")],
          "null pointer: the kernel argument particles is null, and lane 0 loads from what is 12 bytes behind it", grid=64),
    Fault("null_next", {"list": {"bytes": 64}, "out": {"bytes": 512}}, [buffer("list"), buffer("out"), u32(1)],
          f"null pointer: {LOADED_NODE} is null, and lane 0 loads from what is 8 bytes behind it", grid=64),
    Fault("null_next", {"list": {"bytes": 64}, "out": {"bytes": 512}}, [buffer("list"), buffer("out"), u32(2)],
          f"null pointer: {LOADED_NODE} is null, and lane 0 loads from what is 0 bytes behind it", grid=64),
    Fault("null_row", {"rows": {"bytes": 512}}, [buffer("rows"), u32(3)],
          f"null pointer: {LOADED_ROW} is null, and lane 0 stores to what is 12 bytes behind it", grid=64),
    # What no pointer is.
    Fault("null_store", {}, [address(0x7e7e7e7e7e7e7e7e), u32(64)],
          "no address: the kernel argument out is 0x7e7e7e7e7e7e7e7e, a pattern that repeats", grid=64),
    Fault("null_store", {}, [address(64), u32(64)], "no address: the kernel argument out is 0x40, a small number", grid=64),
    Fault("null_row", {"rows": constant(512, 0xdeadbeef)}, [buffer("rows"), u32(3)],
          f"no address: {LOADED_ROW} is 0xdeadbeefdeadbeef, a pattern that repeats", grid=64),
    Fault("exchanged", {"out": {"bytes": 512}}, [address(64), u64(0x210000000000)],
          "exchanged arguments: the pointer out is 64, and n, which is none, is 0x210000000000, where memory is", grid=64),
    # Half a pointer.
    Fault("truncated", {"out": {"bytes": 4 << 20}}, [buffer("out"), u32(0x40000)],
          "truncated pointer: lane 0 stores to 0x100000, which was made from the lower 32 bits of the kernel argument out alone, "
          "0x210000000000", grid=64),
    # Never set.
    Fault("never_set", {"out": {"bytes": 256}}, [buffer("out"), u32(3)],
          "never set: what lane 0 stores to was made from private memory at LINE that nobody had written", grid=64),
    Fault("never_set_local", {"out": {"bytes": 512}}, [buffer("out"), u32(60)],
          "never set: what lane 60 stores to was made from local memory at LINE that nobody had written", grid=64),
    # Misaligned.
    Fault("misaligned", {"bytes": {"bytes": 64}}, [buffer("bytes"), u32(6)],
          "misaligned: lane 0 updates 4 bytes at 0x210000000006, which is 2 past a multiple of 4; this instruction needs a "
          "multiple", grid=64),
    Fault("misaligned_records", {"bytes": {"bytes": 4096}}, [buffer("bytes"), u32(12)],
          "misaligned: lane 1 updates 8 bytes at 0x21000000000c, which is 4 past a multiple of 8; this instruction needs a "
          "multiple", grid=64),
    # A product that overflows.
    Fault("pitch", {"image": {"bytes": 4096}}, [buffer("image"), i32(50000), i32(50000)],
          "overflow: the 32-bit product 50000 * 50000 at LINE is 2500000000, became -1794967296, and is a part of an index "
          "of image", grid=64),
    Fault("pitch_each", {"image": {"bytes": 4096}}, [buffer("image"), i32(65536), i32(40000)],
          "overflow: the 32-bit product 40000 * 65536 at LINE is 2621440000, became -1673527296, and is a part of an index "
          "of image", grid=64),
    Fault("pitch_unsigned", {"image": {"bytes": 4096}}, [buffer("image"), u32(100000), u32(100000)],
          "overflow: the 32-bit product 100000 * 100000 at LINE is 10000000000, became 1410065408, and is a part of an "
          "index of image", grid=64),
    # An index that went below zero without a sign; in the first row before it was multiplied, in another in some lanes.
    Fault("row_before", {"image": {"bytes": 4096}}, [buffer("image"), u32(16)], wrapped(0, "image", -16), grid=64),
    Fault("wrapped", {"out": {"bytes": 1024}}, [buffer("out"), u32(64)], wrapped(0, "out", -1), grid=64),
    Fault("branches", {"out": {"bytes": 400}}, [buffer("out"), u32(10), u32(0xfffffff0)], wrapped(5, "out", -11), grid=64),
    Fault("scatter", {"index": words(0xffffffff, 0xfffffffe), "out": {"bytes": 512}},
          [buffer("index"), buffer("out"), u32(2)], wrapped(0, "out", -1, LOADED), grid=64),
    # No guard.
    Fault("no_guard", {"out": {"bytes": 4000}}, [buffer("out"), u32(1000)],
          "no guard: work-item 1000 stores to out[1000], but n is 1000, and nothing on its way compares with n", grid=1024),
    Fault("no_guard_sum", {"a": {"bytes": 2400}, "b": {"bytes": 2400}, "sum": {"bytes": 2400}},
          [buffer("a"), buffer("b"), buffer("sum"), u64(300)],
          "no guard: work-item 300 loads from a[300], but n is 300, and nothing on its way compares with n", grid=320),
    Fault("no_guard_scaled", {"in": {"bytes": 200}, "out": {"bytes": 200}},
          [buffer("in"), buffer("out"), u32(100), u32(3)],
          "no guard: work-item 100 loads from in[100], but n is 100, and nothing on its way compares with n", grid=128),
    # Freed between two dispatches; the first one stops, and memory is recorded then.
    Fault("fill", {"out": {"bytes": 256, "free_after": 0}}, [buffer("out"), u32(64)],
          "freed or unmapped: the kernel argument out points to 0x210000000000, which was mapped at an earlier stop and is not "
          "any more", grid=64,
          before=({"kernel": "fill", "grid": [64, 1, 1], "workgroup": [64, 1, 1], "arguments": [buffer("out"), u32(64)]},)),
    # The same of a pointer in memory; unoptimised code has it nowhere at the first stop from where it is recorded: what was mapped is not known.
    Fault("freed_row", FREED_ROW, [buffer("rows"), u32(3)],
          f"freed or unmapped: {LOADED_ROW} points to 0x210000020000, which was mapped at an earlier stop and is not any more",
          grid=64, unoptimised=f"no memory: {LOADED_ROW} is 0x210000020000, where no memory is",
          before=({"kernel": "freed_row", "grid": [64, 1, 1], "workgroup": [64, 1, 1], "arguments": [buffer("rows"), u32(3)]},)),
    # Local memory.
    Fault("local_end", {"out": {"bytes": 256}}, [buffer("out"), u32(3)],
          "past the end: lane 43 stores to byte 516 of local memory, of which the workgroup has 512 bytes", grid=64, local=512),
    Fault("local_end", {"out": {"bytes": 256}}, [buffer("out"), u32(1)],
          "past the end: lane 0 stores to byte 0 of local memory, of which the workgroup has 0 bytes", grid=64),
    Fault("local_start", {"out": {"bytes": 256}}, [buffer("out"), u32(1)],
          "before the start: lane 0 stores to shared[-1], and shared has 64 elements: byte -4 of local memory", grid=64),
    Fault("private_end", {"out": {"bytes": 400}}, [buffer("out"), u32(5000)],
          "past the end: lane 0 stores to byte 20000 of private memory, of which a work-item has 68 bytes",
          unoptimised="past the end: lane 0 stores to own[5000], and own has 16 elements: byte 20020 of private memory, of which a work-item has "
                      "88 bytes", grid=64),
    # No simple cause.
    Fault("wild_pointer", {"table": words(0x12345678, 0x23456789, *range(126)), "out": {"bytes": 256}}, [buffer("table"), buffer("out")],
          "no memory: the pointer that was loaded from table[0], 0x210000000000, at LINE is 0x2345678912345678, where no memory is",
          grid=64),
    Fault("wild_index", {"index": words(0x70000000, 0x70000001, *range(62)), "out": {"bytes": 256}},
          [buffer("index"), buffer("out")], far(0x70000000, LOADED), grid=64),
    Fault("either", {"a": {"bytes": 256}, "b": {"bytes": 256}}, [buffer("a"), buffer("b"), u32(100), u32(0)],
          past(0, "stores to", 100, 37, 4, 63, "a", "; its index was made from offset, which is 100"), grid=64),
    Fault("distance", {"a": {"bytes": 256}, "b": {"bytes": 256}}, [buffer("a"), buffer("b"), u32(7)], None, grid=64),
    Fault("number", {}, [u64(0x7000)], None, grid=64),
    Fault("number", {}, [u64(0x123456789abc)], None, grid=64),
    Fault("stale", {}, [address(0x210000050000), u32(64)],
          "no memory: the kernel argument out is 0x210000050000, where no memory is", grid=64),
    Fault("wide_index", {"out": {"bytes": 256}}, [buffer("out"), u64(0xffffff00)],
          far(0xffffff00, "; its index was made from index, which is 4294967040"), grid=64),
    Fault("wide_loaded", {"index": constant(512, 0xfffffff0, "u64"), "out": {"bytes": 256}}, [buffer("index"), buffer("out")],
          far(0xfffffff0, LOADED), grid=64),
    Fault("wide_product", {"out": {"bytes": 256}}, [buffer("out"), u32(65536), u32(65535)], far(65536 * 65535), grid=64),
    Fault("wide_sum", {"out": {"bytes": 256}}, [buffer("out"), u32(0x7fffff00), u32(0x7fffff00)], far(0xfffffe00), grid=64),
    Fault("offsets", {"offset": {"bytes": 512}}, [buffer("offset"), u64(0x40)], None, grid=64),
    Fault("overrun", {"out": {"bytes": 512}}, [buffer("out"), u32(7)],
          "no address: the kernel argument out is 0x3f8000003f800000, a pattern that repeats; the arguments were overwritten after the launch",
          grid=64 * 1000),
]


class Explain(Case):
    def record(self, workload, name):
        place = self.directory / f"{name}.json"
        place.write_text(json.dumps(workload), encoding="utf-8")
        trace = self.directory / f"{name}.wtape"
        done = support.wavetape("record", "-o", trace, "--workload", place)
        self.assertEqual(done.code, 0, done.stderr)
        return trace

    def explain(self, trace, *arguments):
        return json.loads(self.wavetape("explain", "--json", trace, *arguments))


class Screen(Explain):
    """What `info` shows of the same."""

    DIFFERS = "the source differs from the one compiled"

    def source(self, tree, *lines):
        """A file where the name in DWARF leads to."""
        place = tree / "tests/kernels"
        place.mkdir(parents=True)
        (place / "oob-store.c").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return tree

    def info(self, *arguments):
        text = self.wavetape("info", self.trace("oob-store"), *arguments)
        return text[text.index("\ncrash "):]

    def shown(self, *arguments):
        """The source lines: as text, and as JSON says them."""
        text = self.info(*arguments)
        fault = self.json("info", self.trace("oob-store"), *arguments)["explanations"][0]
        between = text[text.index("instruction"):text.index("\ncause")].splitlines()[1:]
        return between, fault.get("source_lines")

    def test_fault(self):
        self.assertIn("\ncause        past the end: lane 61 stores to out[1213], ", self.info())
        self.assertIn("\narguments    out = 0x210000000000, first = 189, count = 3, stray = 1024\n", self.info())
        fault = self.json("info", self.trace("oob-store"))["explanations"][0]
        alone = self.explain(self.trace("oob-store"))["explanations"][0]
        [wave] = [wave for wave in self.json("info", self.trace("oob-store"))["faults"] if wave["wave"] == fault["wave"]]
        for field in ("cause", "arguments", "lane", "address", "near"):
            self.assertEqual(fault[field], alone[field], field)
        # What the wave did is said once.
        for field in ("code", "access"):
            self.assertEqual(wave[field], alone[field], field)
            self.assertNotIn(field, fault)
        self.assertEqual(fault["cause"]["kind"], "past_end")
        self.assertEqual([argument["name"] for argument in fault["arguments"] if not argument["hidden"]],
                         ["out", "first", "count", "stray"])

    def test_short_and_all(self):
        """What a person reads is a part of all, which has as many steps as JSON."""
        fault = next(fault for fault in FAULTS if fault.kernel == "gather")
        trace = self.record(fault.workload("-O0"), "short")
        short, whole = (self.wavetape("explain", trace, *options).splitlines() for options in ((), ("--all",)))
        steps = self.explain(trace)["explanations"][0]["steps"]
        begin = next(number for number, line in enumerate(short) if line.startswith("came from"))
        *shown, more = short[begin + 1:]
        self.assertLessEqual(set(shown), set(whole))
        self.assertEqual(sum(": loaded from global memory at" in line for line in shown), 1)
        self.assertFalse([line for line in shown if "kept in private memory" in line or "v_mov_" in line])
        count, listed = (sum(re.match(r"(  ){1,2}\S", line) is not None for line in lines) for lines in (whole[begin + 1:], shown))
        self.assertEqual(count, sum(step["part"] + step["comparison"] for step in steps[1:]))
        self.assertLessEqual(listed, 16)
        self.assertEqual(more, f"             and {count - listed} instructions more between them: --all")

    def test_no_address(self):
        for verb in ("info", "explain"):
            text = self.wavetape(verb, self.trace("assert-trap"))
            self.assertIn("\ncause        gave up: the code itself traps at assert-trap.c:11\n", text)
            self.assertIn("\narguments ", text)
            self.assertNotIn("\naddress ", text)
        self.assertRegex(self.wavetape("explain", self.trace("vecadd")), r"^stop \d+: no wave has a fault\n$")

    def test_assembled(self):
        """Kernels of generators: neither sizes of functions, nor of arguments; each has its own note of metadata."""
        workload, trace = self.directory / "assembled.json", self.directory / "assembled.wtape"
        code = os.path.relpath(support.TREE.kernels / "assembled.co", self.directory)
        workload.write_text(json.dumps({
            "architecture": "gfx942", "code_objects": [code], "buffers": {"there": {"bytes": 4096}},
            "dispatches": [{"kernel": "first", "grid": [64, 1, 1], "workgroup": [64, 1, 1], "arguments": [{"buffer": "there"}]},
                           {"kernel": "second", "grid": [64, 1, 1], "workgroup": [64, 1, 1], "arguments": [{"u32": 5}, {"address": 0}]}]}),
            encoding="utf-8")
        self.wavetape("record", "-w", workload, "-o", trace)
        info = self.wavetape("info", trace)
        self.assertRegex(info, r"(?m)^crash +memory violation in kernel second \(")
        self.assertRegex(info, r"(?m)^at +second\+0x14$")
        self.assertRegex(info, r"(?m)^cause +null pointer: the kernel argument nowhere is null")
        self.assertRegex(info, r"(?m)^arguments +count = 5, nowhere = 0x0$")
        listed = self.wavetape("disassemble", trace, "--kernel", "second")
        self.assertIn("global_store_dword", listed)
        self.assertIn("s_endpgm", listed)
        self.assertNotIn("first", listed)

    def test_lanes_and_waves(self):
        trace = self.trace("oob-store")
        self.assertEqual(self.explain(trace, "--lane", "63")["explanations"][0]["near"]["element"], 1215)
        wave = self.explain(trace)["explanations"][0]["wave"]
        self.assertEqual(self.explain(trace, "--wave", str(wave)), self.explain(trace))
        self.wavetape("explain", trace, "--wave", "999", code=2, stderr=f"wavetape: cannot explain: {trace}: there is no wave "
                      "999 at this stop; `wavetape waves` lists them\n")

    def test_source(self):
        tree = self.source(self.directory / "tree", *(f"\tline {number}" for number in range(1, 30)))
        text, lines = self.shown("--source-map", f"={tree}")
        self.assertEqual(lines, [{"line": number, "text": f"\tline {number}"} for number in range(13, 20)])
        self.assertEqual(text, ["source      " * (number == 13) + " " * 12 * (number != 13) + (">" if number == 16 else " ") +
                                f"     {number}          line {number}" for number in range(13, 20)] + [" " * 13 + self.DIFFERS])
        for maps in ((f"tests={tree}/tests",), (f"tests/={tree}/tests/",), ("none=/", f"tests/kernels={tree}/tests/kernels")):
            options = [word for source_map in maps for word in ("--source-map", source_map)]
            self.assertEqual(self.shown(*options), (text, lines), maps)

    def test_recorded_source(self):
        """Files that are kept with a trace go before those that a map leads to, and stay when it is written again."""
        tree = self.source(self.directory / "tree", *(f"\tline {number}" for number in range(1, 30)))
        trace, other = self.directory / "kept.wtape", self.directory / "other.wtape"
        self.wavetape("record", "--reproducible", "-o", trace, "--workload", support.TREE.workload("oob-store"), "--source", f"={tree}",
                      stdout="1 wave stopped for a fault: memory violation; 2 stops\n")
        (tree / "tests/kernels/oob-store.c").write_text("another\n" * 30, "utf-8")
        expected = [{"line": number, "text": f"\tline {number}"} for number in range(13, 20)]
        size = sum(len(f"\tline {number}\n") for number in range(1, 30))
        for verb in (None, "repack", "recover", "trim"):
            if verb:
                self.wavetape(verb, trace, "-o", other, *(("--stops", "2") if verb == "trim" else ()), stdout=None)
            shown = self.json("info", other if verb else trace, "--source-map", f"={tree}")
            self.assertEqual(shown["explanations"][0]["source_lines"], expected, verb)
            self.assertEqual(shown["source_files"], [{"file": "tests/kernels/oob-store.c", "bytes": size}])
        self.assertIn("2 stops", self.wavetape("info", trace))
        self.assertEqual(self.json("verify", trace)["differences"]["count"], 0)
        self.assertEqual(oct(trace.stat().st_mode & 0o777), "0o600")

    def test_source_that_differs(self):
        """By the MD5 sum of DWARF 5: kept with the trace, or found by a map; of each function that a wave is in."""
        trace, workload = self.directory / "differs.wtape", support.TREE.workload("oob-store")
        tree = self.source(self.directory / "tree", *["another"] * 30)
        shown = self.json("info", self.trace("oob-store"), "--source-map", f"={support.TREE.source}")["explanations"][0]
        self.assertIs(shown["source_differs"], False)
        self.assertNotIn(self.DIFFERS, self.info("--source-map", f"={support.TREE.source}"))
        self.assertIs(self.json("info", self.trace("oob-store"), "--source-map", f"={tree}")["explanations"][0]["source_differs"], True)
        self.assertNotIn("source_differs", self.json("info", self.trace("oob-store"))["explanations"][0])
        for kept, differs in ((tree, True), (support.TREE.source, False)):
            self.wavetape("record", "-o", trace, "--workload", workload, "--source", f"={kept}", stdout=None)
            # What was kept goes before what a map has.
            self.assertIs(self.json("explain", trace, "--source-map", f"={support.TREE.source}")["explanations"][0]["source_differs"], differs)
            self.assertIs(self.json("locals", trace)["frame"]["source_differs"], differs)
            self.assertIs(self.json("print", trace, "out")["frame"]["source_differs"], differs)
            self.assertIs(self.json("backtrace", trace)["frames"][0]["source_differs"], differs)
            self.assertIs(self.json("backtrace", trace, "--all")["groups"][0]["frames"][0]["source_differs"], differs)
            for verb in (["locals"], ["backtrace"], ["backtrace", "--all"]):
                self.assertEqual(f"oob-store.c:16:13 ({self.DIFFERS}), pc" in self.wavetape(verb[0], trace, *verb[1:]), differs, verb)
        self.assertNotIn("source_differs", self.json("backtrace", self.trace("oob-store"))["frames"][0])

    def test_source_without_a_sum(self):
        """DWARF 4 has none, so nothing is said."""
        source, code = support.TREE.source / "tests/kernels/oob-store.c", self.directory / "old.co"
        self.expect(support.run("clang-19", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx942", "-nogpulib", "-ffreestanding", "-gdwarf-4", "-O2",
                                "-fuse-ld=lld", "--ld-path=ld.lld-19", f"-ffile-prefix-map={support.TREE.source}/=", "-o", code, source))
        workload = json.loads(support.TREE.workload("oob-store").read_text("utf-8")) | {"code_objects": [str(code)]}
        trace, tree = self.record(workload, "old"), self.source(self.directory / "tree", *["another"] * 30)
        shown = self.json("info", trace, "--source-map", f"={tree}")["explanations"][0]
        self.assertEqual((shown["source_lines"][3], "source_differs" in shown), ({"line": 16, "text": "another"}, False))

    def test_source_that_is_not_kept(self):
        """What is no file of a reasonable size is left; what could come to harm is refused before anything runs."""
        trace, workload = self.directory / "left.wtape", support.TREE.workload("oob-store")
        place = self.directory / "tree/tests/kernels"
        place.mkdir(parents=True)
        file = place / "oob-store.c"
        kinds = {"pipe": lambda: os.mkfifo(file), "directory": file.mkdir, "none": lambda: None, "empty": file.touch,
                 "large": lambda: file.write_bytes(b"\n" * ((1 << 20) + 1)), "device": lambda: file.symlink_to("/dev/zero")}
        for kind, make in kinds.items():
            make()
            self.wavetape("record", "-o", trace, "--workload", workload, "--source", f"={self.directory}/tree", stdout=None)
            self.assertNotIn("source_files", self.json("info", trace), kind)
            if kind == "directory":
                file.rmdir()
            else:
                file.unlink(missing_ok=True)
        for option in ("--redact", "--no-code"):
            result = support.wavetape("record", "-o", trace, "--workload", workload, "--source", "=/", option)
            self.assertEqual((result.code, result.stdout), (2, ""), option)
            self.assertIn("cannot keep source files: --source: ", result.stderr)

    def test_too_many_sources(self):
        """Of functions that are inlined into each other, each with a file of the largest size that is kept, 8 MiB are kept, innermost first."""
        levels = [f'#line 1 "level{i}.c"\nstatic inline __attribute__((always_inline)) void f{i}(volatile int *p) {{ f{i - 1}(p); }}\n'
                  for i in range(1, 10)]
        source, code = self.directory / "deep.c", self.directory / "deep.co"
        source.write_text('#line 1 "level0.c"\nstatic inline __attribute__((always_inline)) void f0(volatile int *p) { *p = 1; }\n' +
                          "".join(levels) + '#line 1 "deep.c"\n__attribute__((amdgpu_kernel, visibility("protected"))) void deep(void) '
                          '{ f9((volatile int *)4096); }\n', "utf-8")
        self.expect(support.run("clang-19", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx942", "-nogpulib", "-ffreestanding", "-g", "-O2",
                                "-fuse-ld=lld", "--ld-path=ld.lld-19", "-fdebug-compilation-dir=.", "-o", code, source, cwd=self.directory))
        (self.directory / "tree").mkdir()
        for i in range(10):
            (self.directory / f"tree/level{i}.c").write_bytes(b"\n" * (1 << 20))
        workload, trace = self.directory / "deep.json", self.directory / "deep.wtape"
        workload.write_text(json.dumps({"architecture": "gfx942", "code_objects": [str(code)], "buffers": {}, "dispatches": [
            {"kernel": "deep", "grid": [64, 1, 1], "workgroup": [64, 1, 1], "arguments": []}]}), "utf-8")
        self.wavetape("record", "-o", trace, "--workload", workload, "--source", f"={self.directory}/tree", stdout=None)
        self.assertEqual(self.json("info", trace)["source_files"], [{"file": f"level{i}.c", "bytes": 1 << 20} for i in range(8)])
        self.wavetape("check", trace)

    def test_no_source(self):
        tree = self.source(self.directory / "tree", "too", "short")
        for source_map in (f"={tree}", f"test={tree}/tests", f"/={tree}", f"={tree}/none"):
            short = source_map == f"={tree}"
            self.assertEqual(self.shown("--source-map", source_map), ([f"source       {self.DIFFERS}"] if short else [], None), source_map)
        for wrong in ("tree", "tests="):
            result = support.wavetape("info", self.trace("oob-store"), "--source-map", wrong)
            self.assertEqual((result.code, result.stdout), (2, ""))
            self.assertIn(f"--source-map: {wrong}: not FROM=TO", result.stderr)


# In waves of 32 lanes a workgroup of 64 work-items has two, and what is in local memory another one may have stored.
SHARED = {"through_local": past(0, "stores to", 126, 27, 4, 99, more=LOADED_LOCAL), "never_set_local": None}


class Planted(Explain):
    def variants(self, number):
        """All of them in the long form; else one for each target, of another level of optimisation each time."""
        if "WAVETAPE_LONG" in os.environ:
            return VARIANTS
        return VARIANTS[number % 6], VARIANTS[(number + 3) % 6]

    def every(self, number):
        """The same, and those of waves that may have 32 lanes: all, or one."""
        return *self.variants(number), *(LATER if "WAVETAPE_LONG" in os.environ else (LATER[number % 15],))

    # The line of a kernel that its sentence names: by its text, where it is not the one that multiplies.
    LINES = {"null_next": "node = node->next", "null_row": "rows[local_id_x()]", "never_set": "*pointers[n % 4]",
             "never_set_local": "(pointers[i] + 16)", "freed_row": "row = rows[0]", "wild_pointer": "table[i][i]", "gather": "table[index[i]]",
             "scatter": "out[index[i]]", "wild_index": "out[index[", "wide_loaded": "out[index[", "through_local": "places[63 - i]",
             "through_shared": "places[127 - i]"}

    # The comparisons that let an index pass which is past the end.
    GUARDS = {"off_by_one": "if (i <= n)", "grid_stride": "i <= n; i +="}

    def sentence(self, fault, variant, explained):
        """Without the comparison that lets the index pass: one with a limit that is past the end, and that of the source where the code is optimised."""
        sentence = explained["cause"]["sentence"]
        if not sentence or not sentence.startswith(("past the end", "far past the end")):
            return sentence
        sentence, _, guard = sentence.partition("; the comparison of ")
        if guard:
            limit, = re.findall(r"^faults\.c:\d+ with (?:\w+, which is (\d+),|\d+) lets it pass$", guard)
            self.assertGreaterEqual(int(limit), int(re.search(r"\[(\d+)\]", sentence)[1]))
        if fault.kernel in self.GUARDS and "O0" not in variant:
            line = support.TREE.line_of("faults", self.GUARDS[fault.kernel])
            self.assertEqual(guard, f"faults.c:{line} with n, which is {fault.arguments[1]['u32']}, lets it pass")
        return sentence

    def expected(self, fault, variant):
        sentence = fault.expected(variant)
        lanes = lanes_of(variant)
        if lanes == 32 and fault.kernel in SHARED:
            sentence = SHARED[fault.kernel]
        if sentence:
            sentence = re.sub(r"lane (\d+)", lambda found: f"lane {int(found[1]) % lanes}", sentence)
        if not sentence or "LINE" not in sentence:
            return sentence
        text = (support.TREE.source / "tests/kernels/faults.c").read_text("utf-8")
        words = self.LINES.get(fault.kernel, "row * pitch")
        line = text[: text.index(words, text.index(f"KERNEL void {fault.kernel}("))].count("\n") + 1
        return sentence.replace("LINE", f"faults.c:{line}")

    def test_table(self):
        """What is tried: as many faults and kinds as explain is said to know, each kind at least once, and some without a cause."""
        kinds = [kind_of(fault.sentence) for fault in FAULTS]
        self.assertEqual(set(kinds), {*KINDS.values(), NONE})
        self.assertGreaterEqual(len(kinds) - kinds.count(NONE), 45)
        self.assertGreaterEqual(kinds.count(NONE), 5)

    def test_sentences(self):
        for number, fault in share(enumerate(FAULTS)):
            for variant in self.every(number):
                with self.subTest(fault=number, kernel=fault.kernel, variant=variant):
                    trace = self.record(fault.workload(variant), f"{number}{variant}")
                    first = self.explain(trace)["explanations"][0]
                    expected = self.expected(fault, variant)
                    self.assertEqual(self.sentence(fault, variant, first), expected, first["cause"])
                    self.assertEqual(first["cause"]["kind"], kind_of(expected))

    def test_core(self):
        """Over a GPU core dump, which has no more than the device had."""
        place, core, trace = (self.directory / name for name in ("core.json", "gpu.core", "core.wtape"))
        for kernel, variant in (("null_row", "-gfx90a"), ("through_local", "-O1")):
            fault = next(fault for fault in FAULTS if fault.kernel == kernel)
            place.write_text(json.dumps(fault.workload(variant)), encoding="utf-8")
            self.assertEqual(support.wavetape("simulate", place, "--core", core).code, 1)
            self.assertEqual(support.wavetape("record", "-o", trace, "--core", core).code, 0)
            self.assertEqual(self.sentence(fault, variant, self.explain(trace)["explanations"][0]), self.expected(fault, variant))
            core.unlink()

    # Where memory is not precise: addresses that are not known when executed again, and what registers do not have any more.
    LOST = ("never_set", "never_set_local")
    LOST_UNOPTIMISED = ("backwards", "grid_stride", "null_next", "null_store", "scatter", "stale")

    def record_late(self, fault, variant):
        place, trace = self.directory / "late.json", self.directory / "late.wtape"
        place.write_text(json.dumps(fault.workload(variant)), encoding="utf-8")
        self.record_that_goes_on(trace, place)
        return self.explain(trace)["explanations"][0]

    def test_imprecise(self):
        """A wave that goes on behind what failed: the same sentences, of the instruction that failed; or none, never another one."""
        late = 0
        for number, fault in share(enumerate(FAULTS)):
            # In two dispatches the first stop is another one.
            if fault.before or (number % 4 and "WAVETAPE_LONG" not in os.environ):
                continue
            for variant in (*VARIANTS, *LATER) if "WAVETAPE_LONG" in os.environ else (VARIANTS[number // 4 % 6], LATER[number // 4 % 15]):
                with self.subTest(fault=number, kernel=fault.kernel, variant=variant):
                    first = self.record_late(fault, variant)
                    found, expected = self.sentence(fault, variant, first), self.expected(fault, variant)
                    lost = fault.kernel in self.LOST or ("O0" in variant and fault.kernel in self.LOST_UNOPTIMISED)
                    self.assertIn(found, (expected, None) if lost else (expected,), first["cause"])
                    late += "late" in first
        if support.SHARE == 1:
            self.assertGreater(late, 8)

    def test_local_of_several_waves(self):
        """What another wave may have stored is not followed: it is said where the kernel stores to local memory."""
        fault = Fault("through_shared", {"out": {"bytes": 400}}, [buffer("out"), u32(2)],
                      past(0, "stores to", 254, 155, 4, 99, more=LOADED_LOCAL), grid=128, workgroup=128)
        text = (support.TREE.source / "tests/kernels/faults.c").read_text("utf-8")
        line = text[: text.index("places[i] = ", text.index("KERNEL void through_shared("))].count("\n") + 1
        for variant in self.variants(1):
            first = self.explain(self.record(fault.workload(variant), f"shared{variant}"))["explanations"][0]
            said = [step["meaning"] for step in first["steps"] if "share" in (step["meaning"] or "")]
            self.assertEqual(len(said), 1, first["steps"])
            self.assertRegex(said[0], "^loaded from local memory at 0x[0-9a-f]+, which the waves of the workgroup share: "
                             f"stored at line {line}( or elsewhere)?$")
            self.assertEqual(first["cause"]["sentence"], self.expected(fault, variant))

    def compared(self, kernel, variant):
        """The source lines of the comparisons on the way of the wave that faulted."""
        fault = next(fault for fault in FAULTS if fault.kernel == kernel)
        steps = self.explain(self.record(fault.workload(variant), f"{kernel}{variant}"))["explanations"][0]["steps"]
        # The others load what was compared.
        self.assertTrue(all(step["part"] or step["comparison"] or "load" in step["code"]["instruction"] for step in steps))
        return {step["code"]["source"]["line"] for step in steps if step["comparison"]}

    def test_comparisons(self):
        for kernel, text in (("off_by_one", "if (i <= n)"), ("rows", "column < width"), ("grid_stride", "i <= n; i +=")):
            for variant in self.variants(len(kernel)):
                self.assertEqual(self.compared(kernel, variant), {support.TREE.line_of("faults", text)}, (kernel, variant))
        for variant in self.variants(0):
            self.assertEqual(self.compared("no_guard", variant), set(), variant)


# Architectures that the simulated GPU does not execute: levels of optimisation, and lanes of a wave.
TRANSLATED = [(target, level, lanes) for level in ("-O2", "-O0", "-O1") for target in ("gfx1010", "gfx1012") for lanes in (32, 64)]


class Compiled(Explain):
    """The same kernel as other compilers and other flags leave it."""

    SENTENCE = "past the end: lane 36 stores to {0}[100], 1 element of 4 bytes past the last one that is mapped, {0}[99]; the comparison{1} with {2}, which is 100, lets it pass"

    def explained(self, *flags, strip=False):
        code = self.directory / "faults.co"
        self.expect(support.run(
            "clang-19", "-target", "amdgcn-amd-amdhsa", "-nogpulib", "-ffreestanding", "-std=gnu11", "-fuse-ld=lld",
            "--ld-path=ld.lld-19", "-mcpu=gfx90a", "-O2", *flags, "-o", code, support.TREE.source / "tests/kernels/faults.c"))
        if strip:
            # No section headers: their place, their number, and that of their names are 0.
            data = bytearray(code.read_bytes())
            data[0x28:0x30], data[0x3c:0x40] = bytes(8), bytes(4)
            code.write_bytes(data)
        workload = FAULTS[0].workload("-gfx90a") | {"code_objects": [str(code)]}
        trace = self.record(workload, "compiled")
        return self.explain(trace)["explanations"][0], self.wavetape("info", trace)

    def check(self, name, *flags, strip=False):
        said, text = self.explained(*flags, strip=strip)
        place = f" of faults.c:{support.TREE.line_of('faults', 'if (i <= n)')}" if "-g" in flags and not strip else ""
        count = "n" if name == "out" else "argument 2"
        self.assertEqual((said["cause"]["sentence"], said["kernel"]), (self.SENTENCE.format(name, place, count), "off_by_one"))
        self.assertNotIn("global_buffer", text)
        return text

    def test_names_of_dwarf(self):
        """Where the metadata has none, as upstream's clang writes it."""
        self.assertIn("\narguments    out = 0x210000000000, n = 100\n", self.check("out", "-g"))

    def test_no_names(self):
        self.assertIn("\narguments    argument 1 = 0x210000000000, argument 2 = 100\n", self.check("argument 1"))

    def test_no_section_headers(self):
        self.assertIn("\nat           off_by_one+0x", self.check("out", "-g", "-fno-discard-value-names", strip=True))

    def test_split(self):
        """What the code object does not have is named."""
        text = self.check("argument 1", "-g", "-gsplit-dwarf")
        self.assertRegex(text, r"\nat           .*tests/kernels/faults\.c:\d+:\d+, off_by_one")
        self.assertRegex(text, r"\nnot here     names, types and variables: they are in \S*faults\.dwo\n")
        self.assertRegex(self.wavetape("locals", self.directory / "compiled.wtape"),
                         r"no variables are described here: they are in \S*faults\.dwo, which is not in the code object\n$")
        self.assertNotIn("not here", self.check("out", "-g"))

    def test_compressed_by_zstd(self):
        self.assertRegex(self.check("out", "-g", "-gz=zstd"), r"\nat           .*tests/kernels/faults\.c:\d+:\d+, off_by_one")


SUMS = """
#include "device.h"

KERNEL void kept(GLOBAL float *out, u32 a, u32 b, u32 c) { out[(i32)(a + b) + (i32)local_id_x()] = 1; }
KERNEL void undone(GLOBAL float *out, u32 a, u32 b, u32 c) { out[(i32)(a + b - c + local_id_x())] = 1; }
KERNEL void product(GLOBAL float *out, u32 a, u32 b, u32 c) { out[(i32)(a * 3 - c + local_id_x())] = 1; }
"""

INDICES = """
#include "device.h"

KERNEL void both(GLOBAL float *out, GLOBAL const u32 *row, GLOBAL const u32 *column) { out[(u64)row[local_id_x()] * 1000 + column[2]] = 1; }
"""

VARIABLES = """
#include "device.h"

#define TABLE const __attribute__((address_space(4), visibility("hidden"), used)) float
TABLE first[16] = {1}, second[16] = {2};

KERNEL void own(GLOBAL float *out, i64 n) { out[local_id_x()] = second[n + local_id_x()]; }
KERNEL void one_before(GLOBAL float *out, i64 n) { out[local_id_x()] = second[n - 1 + local_id_x()]; }
KERNEL void further_on(GLOBAL float *out, i64 n) { out[local_id_x()] = first[n + 20 + local_id_x()]; }
"""

JUMPS = """
#include "device.h"

typedef float (*operation)(float);
static float twice(float x) { return 2 * x; }
__attribute__((visibility("protected"))) operation operations[4] = {twice, twice, twice};

KERNEL void applied(GLOBAL float *out, GLOBAL const u32 *which) { out[local_id_x()] = operations[which[local_id_x()] >> 4](3); }
"""


class Written(Explain):
    """Kernels of which the source is here."""

    def cells(self, text, levels):
        """The targets and levels that it is compiled for, and the code object of each."""
        source, code = self.directory / "written.c", self.directory / "written.co"
        source.write_text(text, encoding="utf-8")
        for target, level in share([(target, level) for target in ("gfx90a", "gfx1201") for level in levels]):
            self.expect(support.run("clang-19", "-target", "amdgcn-amd-amdhsa", f"-mcpu={target}", "-nogpulib", "-ffreestanding", "-std=gnu11", "-g", level,
                                    "-fuse-ld=lld", "--ld-path=ld.lld-19", f"-I{support.TREE.source}/tests/kernels", "-o", code, source))
            yield target, level, code

    def trace_of(self, target, code, kernel, *arguments, **buffers):
        return self.record({"architecture": target, "code_objects": [str(code)], "buffers": {"out": {"bytes": 4000}, **buffers},
                            "dispatches": [{"kernel": kernel, "grid": [64, 1, 1], "workgroup": [64, 1, 1],
                                            "arguments": [buffer("out"), *arguments]}]}, kernel)

    def test_sum_that_fits_again(self):
        """What was too much of it was subtracted: the index is what was meant."""
        sentences = {"kept": r"overflow: the 32-bit sum 2000000000 \+ 2000000000( \+ 0)? at written\.c:4 is 4000000000, became -294967296, and is a part "
                             r"of an index of out",
                     "undone": r"far past the end: lane 0 stores to out\[100000000\], and the last element of 4 bytes that is mapped is out\[999\]",
                     "product": r"far past the end: lane 0 stores to out\[2100000000\], and the last element of 4 bytes that is mapped is out\[999\]"}
        for target, level, code in self.cells(SUMS, ("-O2", "-O1")):
            for kernel, sentence in sentences.items():
                with self.subTest(target=target, level=level, kernel=kernel):
                    trace = self.trace_of(target, code, kernel, u32(2000000000), u32(2000000000), u32(3900000000))
                    self.assertRegex(self.explain(trace)["explanations"][0]["cause"]["sentence"], f"^{sentence}$")

    def test_index_of_several_numbers(self):
        """Of those that were loaded the one is named that leads out of the buffer by itself. Where each does, nobody knows which is wrong."""
        numbers = {(1 << 28, 5): "row[0] at written.c:4", (0, 1 << 28): "column[2] at written.c:4", (1 << 28, 1 << 28): "memory"}
        for target, level, code in self.cells(INDICES, ("-O2", "-O0")):
            for (row, column), named in numbers.items():
                # Unoptimised code puts a product's halves together: where both are nothing, it is not known which is which.
                named = named if row or level == "-O2" else "memory"
                with self.subTest(target=target, level=level, row=row, column=column):
                    trace = self.trace_of(target, code, "both", buffer("row"), buffer("column"), row=constant(256, row),
                                          column=constant(256, column))
                    self.assertRegex(self.explain(trace)["explanations"][0]["cause"]["sentence"],
                                     rf"^far past the end: lane 0 stores to out\[{1000 * row + column}\], and the last element of 4 bytes that is mapped is "
                                     rf"out\[999\]; its index was (loaded|made) from {re.escape(named)}$")

    def test_jump_of_a_lane(self):
        """Code jumps for one lane after the other. Where it keeps the target in memory meanwhile, it is not said that another one's load led there."""
        for target, level, code in self.cells(JUMPS, ("-O2", "-O0")):
            with self.subTest(target=target, level=level):
                trace = self.trace_of(target, code, "applied", buffer("which"), which={"bytes": 256, "fill": {"iota": {"type": "u32", "start": 0, "step": 1}}})
                self.assertRegex(self.explain(trace)["explanations"][0]["cause"]["sentence"],
                                 r"^no code: the wave jumped at written\.c:8 to 0x0, where no code is(: that is the pointer operations\[3\] that was loaded at "
                                 r"written\.c:8; its index was (loaded|made) from which\[48\] at written\.c:8)?$")

    def test_constant_parts_of_an_index(self):
        """They are in the address that the code has of a variable, which may be in the one beside it: none is named then."""
        sentences = {"own": "past the end: lane 0 loads from second[268435456], and second has 16 elements", "one_before": None, "further_on": None}
        for target, level, code in self.cells(VARIABLES, ("-O2", "-O0")):
            for kernel, sentence in sentences.items():
                with self.subTest(target=target, level=level, kernel=kernel):
                    trace = self.trace_of(target, code, kernel, u64(1 << 28))
                    self.assertEqual(self.explain(trace)["explanations"][0]["cause"]["sentence"], sentence)
                    self.assertNotRegex(self.wavetape("info", trace), "(?m)^memory ")


# Of several waves here, where lanes are 32: what is in local memory another one may have stored.
IN_LOCAL = ("through_local", "never_set_local")


class Translated(Explain):
    """The same faults on architectures that the simulated GPU does not execute: waves that planted-fault.c makes."""

    def code(self, target, level, lanes):
        path = self.directory / f"faults-{target}{level}-{lanes}.co"
        if not path.exists():
            self.expect(support.run(
                "clang-19", "-target", "amdgcn-amd-amdhsa", "-nogpulib", "-ffreestanding", "-std=gnu11", "-ffp-contract=off",
                "-fno-discard-value-names", "-g", "-fuse-ld=lld", "--ld-path=ld.lld-19", f"-mcpu={target}", level,
                "-mwavefrontsize64" if lanes == 64 else "-mno-wavefrontsize64", "-o", path,
                support.TREE.source / "tests/kernels/faults.c"))
        return path

    def symbols(self, code):
        done = support.run("llvm-nm-19", code)
        self.expect(done, 0, None)
        return {name: address for address, _, name in (line.split() for line in done.stdout.splitlines()
                                                      if len(line.split()) == 3)}

    def check(self, number, target, level, lanes):
        """The sentence must be that of the simulated GPU's wave, with the lane that the work-item has here."""
        fault, variant = FAULTS[number], level.replace("-O2", "")
        source, trace = self.record(fault.workload(variant), f"{number}{variant}"), self.directory / "planted.wtape"
        code = self.code(target, level, lanes)
        symbols = self.symbols(code)
        done = support.run(support.TREE.build / "tests/end-to-end/planted-fault", source, trace, target, code,
                           symbols[fault.kernel], symbols[f"{fault.kernel}.kd"])
        self.assertEqual((done.code, done.stderr), (3 if fault.kernel in IN_LOCAL and lanes == 32 else 0, ""))
        if done.code:
            return
        first, expected = self.explain(trace)["explanations"][0], self.explain(source)["explanations"][0]
        sentence = expected["cause"]["sentence"]
        if not sentence:
            # Of other code the cause may be certain; never another one.
            self.assertIn(first["cause"]["kind"], (NONE, kind_of(fault.sentence)))
            self.assertIsNone(first["cause"].get("why_not"))
            return
        sentence = re.sub(r"lane (\d+)", lambda found: f"lane {int(found[1]) % lanes}", sentence)
        self.assertEqual(first["cause"]["kind"], expected["cause"]["kind"])
        self.assertEqual(first["cause"]["sentence"], sentence)
        self.assertEqual(first["address"], expected["address"])
        self.assertGreater(len(first["steps"]), 1)

    def test_sentences(self):
        cells = TRANSLATED if "WAVETAPE_LONG" in os.environ else [TRANSLATED[0], TRANSLATED[5], TRANSLATED[6]]
        numbers = range(len(FAULTS)) if "WAVETAPE_LONG" in os.environ else share(range(support.SHARE // 4 % 4, len(FAULTS), 4))
        for cell in cells if not support.SMALL else cells[1:2]:
            for number in numbers if "WAVETAPE_LONG" in os.environ else list(numbers)[cells.index(cell)::len(cells)]:
                with self.subTest(fault=number, kernel=FAULTS[number].kernel, cell=cell):
                    self.check(number, *cell)


if __name__ == "__main__":
    support.main(__doc__, parts=2)
