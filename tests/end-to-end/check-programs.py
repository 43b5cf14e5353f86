#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Variables and calls of random programs (programs.py): the same source is compiled for the GPU and for the host, and what a debugger of
the host says at each mark is true. Nothing behind a mark reads the variables, as in programs that people write.

A value that is shown must be the true one, and each stack must end in the kernel: also in the long form, over 10,000 programs. By hand,
for other seeds, with WAVETAPE_SEEDS=FIRST:COUNT and, for other compilations, WAVETAPE_WAYS="gfx90a -O2,gfx942 -Og":

    python3 tests/end-to-end/check-programs.py --source . --build build Programs
"""

import collections
import ctypes
import json
import math
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import unittest

import made
import programs
import programs_cpp
import support
from dap_client import Client
from sources import compilation, marks, same

wavetape = None
# What says how programs run on the host.
FILES = [pathlib.Path(__file__), pathlib.Path(__file__).with_name("sources.py")]

LONG = os.environ.get("WAVETAPE_LONG")
TARGETS = ("gfx90a", "gfx942")
SHORT = ("gfx1030", "gfx1100", "gfx1201")  # with waves of 32 lanes
FLAGS = ("-O0", "-O2", "-O1", "-O3", "-Og", "-O2 -ffast-math", "-O2 -flto")
LANES = (0, 5, 42)
BATCH = 10  # programs in one source
SEEDS = range(1, 10001) if LONG else range(1, 2 * BATCH + 1)

# The first seed of each batch, and how it is compiled.
KINDS = {
    421: ("gfx90a -O0", "gfx942 -O0"),  # two calls, of which one has returned
    461: ("gfx90a -O2 -flto",),  # memory that is stored for the last time where nothing reads it any more
    511: ("gfx942 -O2",),  # a loop of which one round stops became straight code
    521: ("gfx942 -O1", "gfx90a -O2"),  # bits of a register that nothing needs; a constant behind another assignment
    531: ("gfx942 -O3",),  # a parameter that is assigned to where no instruction is
    541: ("gfx942 -O2",),  # a function between that has called another one in its place
    561: ("gfx942 -O1",),  # the upper half of a long number that nothing needs
    571: ("gfx942 -O0",),  # a return address in a register that calls change by convention
    601: ("gfx942 -O2",),  # a call of nobody knows which function
    731: ("gfx90a -O3", "gfx90a -O1"),  # a function whose end stands in the middle
    791: ("gfx942 -O2",),  # a parameter that nothing reads, so that it is not passed; a constant that lost its end
    871: ("gfx90a -O1",),  # what a loop makes for the next round
    4051: ("gfx90a -O2 -flto",),  # a register that is kept for its other lanes
    5021: ("gfx90a -O2 -flto",),  # upper bits of a remainder of which three bits are needed
    400001: ("gfx90a -O2 -flto", "gfx942 -O1"),  # a copy of another variable; memory that a later round stores
    500121: ("gfx942 -O2 -flto",),  # an assignment of which nothing is left but the end of a place
    1600041: ("gfx90a -O2",),  # a place that is left right behind the stop
    3041: ("gfx942 -O2",),  # a value computed of a register that has another one
    891: ("gfx942 -O2",),  # two rounds of a loop, one behind the other
    1600061: ("gfx90a -O2",),  # an assignment that went with the loops around it, and a copy of what was there before
    7000001: ("gfx942 -O1",),  # the same of a value that nothing reads any more
    7000041: ("gfx90a -O2",),  # a read of an earlier line that was moved behind the pc
    7000071: ("gfx90a -O2",),  # a constant of each round, of a variable that is const in its source
    7300171: ("gfx1201 -O2",),  # an assignment that was moved behind the pc, to another register
    7300201: ("gfx90a -O2",),  # the value of the last round of a loop, made in front of the first
    7300001: ("gfx942 -O1",),  # a return address that is given back in front of a return, with code of the function behind it
    7200171: ("gfx90a -O2",),  # code without a line between two copies of a function that was inlined
    7100031: ("gfx90a -O1",),  # what a line makes that the next round has passed again, and stores later
    9200031: ("gfx90a -O2",),  # a register that is given anew by code that came to stand in front of the place
    31000201: ("gfx1100 -O2",),  # an assignment to what was passed to a function that was inlined, of which the place knows nothing
    7400141: ("gfx90a -O1",),  # the same of a loop whose head alone is passed in between
    78200051: ("gfx90a -O2",),  # a constant of which as many bits are left as code needs
    77200041: ("gfx90a -Og",),  # a register that nobody writes, assigned where code of a later line was moved in front of the stop
}

# The same of programs in C++, and as what they are compiled.
CLASSES = {
    11: (("source.hip", "gfx1030", "-O1"),),  # an assignment that is made at the end of the round before, in a loop that is entered behind it
    2001: (("source.hip", "gfx90a", "-O2"),),  # a member whose last assignment is not stored, since nothing reads it any more
    2011: (("source.hip", "gfx90a", "-O2"),),  # the same of a member of one byte
    91011: (("source.hip", "gfx90a", "-O3"),),  # members of an array of structures, of which an index behind leads to others alone
    91031: (("source.hip", "gfx1030", "-O2"),),  # a function with a lambda that leaves by jumping to another one
    88001: (("source.cpp", "gfx90a", "-O2"),),  # the same, where two rounds stand in the place of the first constant
    93021: (("source.cpp", "gfx1100", "-O3"),),  # constants that count the rounds of a loop, of which the stops stand one round before them
}

HOST = """
#include <string.h>
typedef unsigned int u32;
u32 host_lane;
static u32 log_of_host[64], data[64];
void host_mark(void) {{ __asm__ volatile(""); }}
{declarations}
int main(void)
{{
	static const u32 lanes[] = {{{lanes}}};
	for (u32 i = 0; i < 64; i++)
		data[i] = 3 + 5 * i;
	for (u32 i = 0; i < sizeof(lanes) / sizeof(*lanes); i++) {{
		host_lane = lanes[i];
		{calls}
	}}
	return 0;
}}
"""


# One value is never assigned to again, and one is.
KEPT = """
#define MARK(...) __builtin_debugtrap()
#include "device.h"

INLINE u32 scaled(u32 of, u32 times, u32 more)
{
	if (of == 3)
		more = 5;
	MARK(of, times, more);
	return of * times;
}

NOINLINE u32 squared(u32 kept, u32 changed, GLOBAL u32 *to, int n)
{
	to[0] = kept * kept + changed;
	if (n == 6)
		changed = 9;





	MARK(kept, changed, to);
	return 1;
}

KERNEL void k1(GLOBAL u32 *log, int n, const GLOBAL u32 *data)
{
	u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	log[lane] = scaled(data[lane], 43, 7) + squared(data[lane], lane, log + lane, n);
}
"""

# Nothing computes these but what their declarations say.
COMPUTED = """
#define MARK(...) __builtin_debugtrap()
#define SCALE 3
#include "device.h"

INLINE u32 scaled(u32 of, u8 times)
{
	u32 left = (times ^ 5) + SCALE;
	MARK(of, times);
	return of + 1;
}

KERNEL void k1(GLOBAL u32 *log, int n, const GLOBAL u32 *data)
{
	u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	u32 given = data[lane];
	float half = 0.5f, more = half + 1.0f;
	static u32 kept = 4;
	int changed = 4;
	for (int i = 0; i < n; i++)
		log[i] = changed++;
	u32 inlined = scaled(lane, 4 + 300);
	u32 twice = (inlined * SCALE) ^ 5u;
	const int parts = twice > 9 ? -7 / 2 : (int)lane;
	MARK(lane);
	log[lane] = inlined;
}
"""

# Code needs a few bits of each, and those are the same in each lane.
REDUCED = """
#define MARK(...) __builtin_debugtrap()
#include "device.h"

KERNEL void k1(GLOBAL u32 *log, int n, const GLOBAL u32 *data)
{
	u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	u32 given = data[lane];
	const u32 part = (given << 8) | 5;
	MARK(part);
	log[lane] = part & 0xff;
}
"""

# A class, of which objects are made of values without a word of that in the text.
MADE = """
#define MARK(...) __builtin_debugtrap()
#include "device.h"

template <class T> struct box {
	T value;
	DEVICE __attribute__((always_inline)) box(T from)
	{
		MARK(from);
		value = from;
	}
	DEVICE __attribute__((always_inline)) T take(int more)
	{
		MARK(more);
		return value + more;
	}
};

INLINE int both(box<int> a, box<int> b)
{
	return a.value + b.take(7);
}

extern "C" KERNEL void k1(GLOBAL u32 *log, int n, const GLOBAL u32 *data)
{
	u32 sum = both(box(4), 5);
	log[n] = data[n] + sum;
}
"""

# Numbers with names, whose type may have a sign or not.
NAMED = """
#define MARK(...) __builtin_debugtrap()
#include "device.h"

enum few { ONE = 1, TWO };

extern "C" KERNEL void k1(GLOBAL u32 *log, int n, const GLOBAL u32 *data)
{
	few given = n > 3 ? TWO : ONE, kept = ONE;
	int less = ONE - TWO * 2, named = TWO, of_variable = kept + 1;
	long wide = ONE - TWO, as_wide = TWO;
	int is_less = ONE - TWO < 0, cast = (few)1 - 2 < 0;
	float half = ONE - TWO;
	MARK(n);
	log[n] = data[n];
}
"""

# The launch says these; HIP's names are declared in its own files.
LAUNCHED = """
#define MARK(...) __builtin_trap()
#include "device.h"
#include "launch.h"

extern "C" KERNEL void k1(GLOBAL u32 *log, int n, const GLOBAL u32 *data)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	u32 below = threadIdx.y - 7;
	u64 wide = below, wider = 7l + below, octal = 037777777777 + 1 + blockDim.z;
	short narrow = blockIdx.y * 70000 + threadIdx.z;
	int mixed = -7 / (int)blockDim.y, rest = -7 % blockDim.x;
	u32 built = __builtin_amdgcn_workitem_id_y() * 10 + __builtin_amdgcn_workgroup_id_y();
	bool first = !threadIdx.x && threadIdx.y < blockDim.z;
	MARK(n);
	log[n] = 1;
}
"""

LAUNCH = """
#define PART(name) __declspec(property(get = of_##name)) u32 name;
#define LAUNCHED(name, get)                                               \\
	extern const struct name##_type {                                 \\
		PART(x) PART(y) PART(z)                                   \\
		u32 of_x() const { return __builtin_amdgcn_##get##_x(); } \\
		u32 of_y() const { return __builtin_amdgcn_##get##_y(); } \\
		u32 of_z() const { return __builtin_amdgcn_##get##_z(); } \\
	} name;
LAUNCHED(threadIdx, workitem_id)
LAUNCHED(blockDim, workgroup_size)
"""
GROUPS = "LAUNCHED(blockIdx, workgroup_id)\n"

# A value in a register.
SUM = """
#define MARK(...) __builtin_debugtrap()
#include "device.h"

KERNEL void k1(GLOBAL u32 *log, int n, const GLOBAL u32 *data)
{
	u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	u32 sum = data[lane] + 7;
	log[lane] = sum;
	MARK(lane, sum);
	log[n] = 1;
}
"""


def setUpModule():
    """The module of the build directory: a process for each question would take minutes."""
    global wavetape
    ctypes.CDLL(str(support.TREE.build / "libwavetape/libwavetape.so.0"), ctypes.RTLD_GLOBAL)
    sys.path.insert(0, str(support.TREE.build / "libwavetape/python"))
    import wavetape as module
    wavetape = module


def short(name):
    """The last part of a name of C++, without arguments: each debugger has another way to write the rest."""
    if "{lambda" in name or "$_" in name or name.startswith("_ZZ"):
        return "operator"
    while nested := re.match(r"_ZNK?(?:L?\d+[a-z]\w*?)*?L?(\d+)(\w+)", name):
        # GDB 13 does not read names of functions that take numbers of 16 bits.
        name = nested[2][:int(nested[1])] if nested[2][int(nested[1]):int(nested[1]) + 1] in ("E", "I") else "_ZN" + nested[2][int(nested[1]):]
    while "<" in name:
        name, before = re.sub(r"<[^<>]*>", "", name), name
        if name == before:
            break
    return re.sub(r"\(.*", "", re.sub(r"\{lambda.*?\}|\(anonymous \w+\)", "", name)).split("::")[-1]


def members_of(value):
    """The members of a value with their names, in order: "" for what has none in the source."""
    if isinstance(value, list):
        # Names that do not tell members apart. Both words are no names in C.
        members = [(one.name, one.value) for one in value]
    elif isinstance(value, dict):
        members = list(value.items())
    else:
        raise ValueError(f"{value} has no members")
    return [("" if re.match(r"(union|struct)( #|$)", name) else name, one) for name, one in members if not name.startswith("_vptr")]


def tail_callers(code):
    """Functions that jump to others in place of a call, and those that have become part of one that does."""
    found, parts, leaves = set(), set(), False
    text = subprocess.run(["llvm-dwarfdump-19", "--debug-info", code], check=True, capture_output=True, text=True).stdout
    names = dict(re.findall(r"(0x[0-9a-f]+): +DW_TAG_subprogram\n(?:(?!0x).*\n)*?.*DW_AT_name\t\(\"([^\"]+)\"\)", text))
    for entry in re.split(r"\n(?=0x[0-9a-f]+: )", text):
        head = re.match(r"(0x[0-9a-f]+): +(\w+)", entry)
        if head and head[2] == "DW_TAG_subprogram" and "DW_AT_low_pc" in entry:
            # Functions without code are declared in others, as those of lambdas are.
            parts, leaves = set(), False
        if head and head[2] in ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine"):
            origin = re.search(r"DW_AT_abstract_origin\t\((0x[0-9a-f]+)", entry)
            parts.add(names.get(origin[1] if origin else head[1]))
        leaves |= "DW_AT_call_tail_call" in entry
        if leaves:
            found |= {short(part) for part in parts if part}
    return found


@unittest.skipUnless(shutil.which("gdb") and shutil.which("clang-19"), "no gdb for programs of the host")
class Compared(support.Case):
    """What is shown at each mark of a source against what is true."""

    def compile(self, source, seeds):
        """The source for the host, with a main function that calls each kernel."""
        main, program = self.directory / "main.c", self.directory / "host"
        kernels = [f"k{seed}" for seed in seeds]
        main.write_text(HOST.format(declarations="\n".join(f"void {kernel}();" for kernel in kernels), lanes=", ".join(map(str, LANES)),
                                    calls="\n\t\t".join(f"{kernel}(log_of_host, 6, data);" for kernel in kernels)), "utf-8")
        include, objects = f"-I{support.TREE.source / 'tests/variables'}", []
        for one in source, main:
            compiler = ["clang-19", "-x", "c", "-std=gnu11"] if one.suffix == ".c" else ["clang++-19", "-x", "c++", "-std=gnu++17", "-fno-rtti"]
            objects.append(self.directory / f"host-{one.stem}.o")
            subprocess.run([*compiler, "-g", "-O0", "-ffp-contract=off", "-w", "-DHOST", include, "-c", "-o", objects[-1], one], check=True)
        subprocess.run(["clang-19", "-o", program, *objects], check=True)
        return program

    def run_on_host(self, source, seeds, script, values):
        program = self.compile(source, seeds)
        result = support.run("gdb", "-nx", "-batch", "-x", script, program,
                             WAVETAPE_MARKS=json.dumps(self.lines), WAVETAPE_VALUES=str(values), DEBUGINFOD_URLS="")
        self.assertTrue(values.exists(), result.stderr)

    def true_values(self, source, seeds):
        """What GDB says of the host, by kernel and lane, in order."""
        script, values = support.TREE.source / "tests/end-to-end/host-values.py", self.directory / "values"
        made.take(values, [["gdb"], ["clang-19"], ["clang++-19"]], [source, script, *FILES, support.TREE.source / "tests/variables"],
                  lambda: self.run_on_host(source, seeds, script, values))
        found = collections.defaultdict(list)
        for line in values.read_text("utf-8").splitlines():
            hit = json.loads(line)
            hit["functions"] = list(map(short, hit["functions"]))
            found[hit["functions"][-1], hit["lane"]].append(hit)
        return found

    def compile_code(self, source, target, *flags):
        """Their code for the GPU, in a file that names the source as /programs has it."""
        code = self.directory / "code.co"
        made.take(code, compilation(source, target, code, "-w", *flags, f"-ffile-prefix-map={self.directory}/=",
                                    "-fdebug-compilation-dir=/programs", f"-I{support.TREE.source / 'tests/variables'}"),
                  [source, *self.directory.glob("*.h"), support.TREE.source / "tests/variables"])
        return code

    def record(self, source, seeds, target, flags, text=None, **launch):
        """Their trace. The source is kept with it: as it was compiled, or another text in its place; "" for none."""
        code = self.compile_code(source, target, *flags.split())
        if text:
            source.write_text(text, "utf-8")
        return self.record_code(code, seeds, target, [] if text == "" else ["--source", f"/programs={self.directory}"], **launch)

    def record_code(self, code, seeds, target, options, grid=(64, 1, 1), workgroup=(64, 1, 1)):
        workload, trace = self.directory / "workload.json", self.directory / "trace.wtape"
        workload.write_text(json.dumps({
            "architecture": target, "code_objects": [str(code)],
            "buffers": {"log": {"bytes": 256}, "data": {"bytes": 256, "fill": {"iota": {"type": "u32", "start": 3, "step": 5}}}},
            "dispatches": [{"kernel": f"k{seed}", "grid": grid, "workgroup": workgroup,
                            "arguments": [{"buffer": "log"}, {"i32": 6}, {"buffer": "data"}]} for seed in seeds],
        }), "utf-8")
        trace.unlink(missing_ok=True)
        self.wavetape("record", "-o", trace, "--workload", workload, *options, stderr=None)
        return trace

    def expect(self, result, code=0, stdout=None, stderr=""):
        if stderr is None:
            self.assertEqual(result.code, code, result.stderr)
            return result.stdout
        return super().expect(result, code, stdout, stderr)

    # ---- What is shown against what is true ----

    def same(self, value, true):
        """How many numbers are right; ValueError names one that is not. None is not known."""
        if true is None or value is None:
            return 0
        if isinstance(value, dict) and set(value) == {"unknown"}:
            return 0
        if isinstance(true, dict):
            return self.same_members(members_of(value), true["members"])
        if isinstance(true, list) and not isinstance(value, str):
            return sum(map(self.same, value, true))
        if isinstance(true, float) and (self.is_loose or not math.isfinite(true)):
            # Another order of additions, or two kinds of "not a number".
            if not math.isfinite(true) or math.isclose(value, true, rel_tol=1e-3, abs_tol=1e-3):
                return 1
        try:
            return same(value, true)
        except AssertionError as error:
            raise ValueError(str(error)) from None

    def same_members(self, shown, true):
        if [short(name) for name, _ in shown] != [short(name) for name, _ in true]:
            raise ValueError(f"members {[name for name, _ in shown]}, not {[name for name, _ in true]}")
        return sum(self.same(value, written) for (_, value), (_, written) in zip(shown, true))

    def compare_frame(self, frame, lane, names, where):
        shown = {variable.name: variable for variable in frame.variables if not variable.shadowed}
        for name, true in names.items():
            if true is None:
                continue
            if name not in shown:
                self.counts["absent: not described"] += 1
                continue
            value = shown[name].value(lane)
            if value.why:
                self.counts["absent: " + value.why.split("; kernel argument")[0]] += 1
                continue
            try:
                right = self.same(value.value, true)
            except ValueError as error:
                self.wrong.append(f"{where}: {name} in lane {lane}: {error}")
                continue
            self.counts["right" if right else "absent: in all parts"] += 1

    def compare_stack(self, stack, lane, hit, where):
        """Frames of functions that were left by jumping to another one are not there."""
        frames, place = list(stack), 0
        names, values = hit["functions"], [hit["values"], *hit["callers"]]
        lines = [hit["line"], *hit["lines"]]
        for frame in frames:
            while place < len(names) and short(frame.function) != names[place]:
                # A function that calls itself may have become a loop.
                if not self.is_plain and frames[frame.number].place.line not in self.lines:
                    # One call is left of two, and its line is that of neither.
                    self.counts["calls of several"] += 1
                    return
                if self.is_plain or not (names[place] in self.tails or names[place] == names[place - 1]):
                    self.wrong.append(f"{where}: frames {[one.function for one in frames]}, not {names}: {stack.end}")
                    return
                place += 1
            if place == len(names):
                self.wrong.append(f"{where}: frame {frame.function} is one too many: {names}")
                return
            self.compare_frame(frame, lane, values[place], f"{where} #{frame.number} {frame.function} line {lines[place]} at {frame.place.symbol}+{frame.place.symbol_offset}")
            place += 1
        self.counts["frames"] += len(frames)
        if place < len(names) or stack.end:
            self.counts["frames missing"] += len(names) - place
            self.wrong.append(f"{where}: frames {names[place:]} are missing behind {frames[-1].function}: {stack.end}")

    def compare_trace(self, trace, true, where):
        """Compilers merge marks of two branches, and then lanes of one may pass them by: those are not compared."""
        with wavetape.open(trace) as opened:
            marks_of = collections.defaultdict(list)
            for stop, wave, stack in self.stacks(opened):
                for lane in stack.active_lanes:
                    marks_of[wave.kernel, self.item(wave, lane)].append((stop, stack[0].place.line))
            hits = {}
            for key, found in true.items():
                seen = marks_of[key]
                if len(seen) == len(found):
                    hits |= {(*key, stop): hit for (stop, _), hit in zip(seen, found)}
                else:
                    self.assertFalse(self.is_plain, (where, key))
                    self.counts["lanes that pass marks by"] += 1
            for stop, wave, stack in self.stacks(opened):
                self.compare_wave(wave, stop, stack, hits, where)

    def item(self, wave, lane):
        """The number of a work-item in its workgroup, by which the host knows it."""
        return wave.number_in_workgroup * wave.lane_count + lane

    def stacks(self, trace):
        for stop in trace.stops:
            with stop:
                for wave in stop.waves:
                    if wave.state == "stopped":
                        with wave.stack as stack:
                            yield stop.number, wave, stack

    def compare_wave(self, wave, stop, stack, hits, where):
        kernel = wave.kernel
        for lane in stack.active_lanes:
            hit = hits.get((kernel, self.item(wave, lane), stop))
            if not hit:
                continue
            line = stack[0].place.line
            if line == hit["line"]:
                self.compare_stack(stack, lane, hit, f"{where} {kernel} stop {stop}")
            elif line in self.lines and self.is_plain:
                self.wrong.append(f"{where} {kernel} stop {stop}: line {line}, not {hit['line']}")
            else:
                self.counts["stops at a line of several"] += 1

    def check(self, seeds, ways, language=programs, name="source.c"):
        source = self.directory / name
        source.write_text(language.source_of(seeds), "utf-8")
        self.check_source(source, seeds, ways)

    def check_source(self, source, seeds, ways):
        self.lines = {line: [name for name in names if name] for line, names in marks(source).items()}
        marks.cache_clear()
        true = self.true_values(source, seeds)
        for target, flags in ways:
            self.is_plain, self.is_loose = flags == "-O0", "fast" in flags
            trace = self.record(source, seeds, target, flags)
            self.tails = tail_callers(self.directory / "code.co")
            self.compare_trace(trace, true, f"{target} {flags} seeds {seeds[0]}:{len(seeds)}")

    def report(self):
        for name, count in self.counts.most_common():
            print(f"{count:8} {name}", file=sys.stderr)
        for text in self.wrong:
            print("wrong", text, file=sys.stderr)


class Programs(Compared):
    """Random programs."""

    def test_random(self):
        seeds = SEEDS
        if "WAVETAPE_SEEDS" in os.environ:
            first, count = map(int, os.environ["WAVETAPE_SEEDS"].split(":"))
            seeds = range(first, first + count)
        ways = [(target, flags) for flags in FLAGS for target in TARGETS]
        # The first of them are what the short form tries.
        ways += [(target, flags) for target, flags in zip(SHORT * 3, FLAGS)]
        if "WAVETAPE_WAYS" in os.environ:
            ways = [tuple(way.split(" ", 1)) for way in os.environ["WAVETAPE_WAYS"].split(",")]
        self.counts, self.wrong = collections.Counter(), []
        for number, at in enumerate(range(0, len(seeds), BATCH)):
            # Each source is compiled in two ways; all ways come.
            chosen = ways if "WAVETAPE_WAYS" in os.environ else [ways[(2 * number + i) % len(ways)] for i in range(2)]
            self.check(seeds[at:at + BATCH], chosen)
        self.report()
        self.assertEqual(len(self.wrong), 0)
        self.assertEqual(self.counts["frames missing"], 0)
        self.assertGreater(self.counts["right"], 1000)

    def test_kinds(self):
        """Programs whose values or stacks were wrong once, each for another reason."""
        self.counts, self.wrong = collections.Counter(), []
        kinds = list(KINDS.items())
        for half in support.by_turn(0, (kinds[::2], kinds[1::2])):
            for seeds, ways in half:
                self.check(range(seeds, seeds + BATCH), [tuple(way.split(" ", 1)) for way in ways])
        self.assertEqual(self.wrong, [])


class Classes(Compared):
    """Random programs in C++, by clang as it is and as HIP has it."""

    def test_random(self):
        first, count = map(int, os.environ.get("WAVETAPE_SEEDS", "1:1000" if LONG else f"1:{2 * BATCH}").split(":"))
        ways = [(name, target, flags) for flags in FLAGS for name in ("source.cpp", "source.hip") for target in ("gfx90a", "gfx942", "gfx1030", "gfx1100")
                if name == "source.cpp" or (target in ("gfx90a", "gfx1030") and "lto" not in flags)]  # HIP of Debian 12 knows no others.
        if "WAVETAPE_WAYS" in os.environ:
            ways = [tuple(way.split(" ", 2)) for way in os.environ["WAVETAPE_WAYS"].split(",")]
        self.counts, self.wrong = collections.Counter(), []
        for number, at in enumerate(range(first, first + count, BATCH)):
            chosen = ways if "WAVETAPE_WAYS" in os.environ else [ways[(5 * number + 11 * i) % len(ways)] for i in range(2)]
            for name, target, flags in chosen:
                self.check(range(at, min(at + BATCH, first + count)), [(target, flags)], programs_cpp, name)
        self.report()
        self.assertEqual(self.wrong, [])
        self.assertEqual(self.counts["frames missing"], 0)


    def test_kinds(self):
        """Programs whose values or stacks were wrong once, each for another reason."""
        self.counts, self.wrong = collections.Counter(), []
        for seeds, ways in CLASSES.items():
            for name, target, flags in ways:
                self.check(range(seeds, seeds + BATCH), [(target, flags)], programs_cpp, name)
        self.assertEqual(self.wrong, [])


class Kept(Compared):
    """What the text of the source adds: a variable that it gives one value keeps that."""

    def locals_at(self, trace, stop):
        shown = self.wavetape("locals", trace, "--stop", stop, "--lane", 5).splitlines()[2:]
        return dict(re.fullmatch(r".*?(\w+) = (.*)", line).groups() for line in shown)

    def test_kept(self):
        source = self.directory / "source.c"
        for text in (None, "", KEPT + "\n", KEPT.replace("changed = 9", "n = 9")):
            source.write_text(KEPT, "utf-8")
            trace = self.record(source, [1], "gfx90a", "-O2", text)
            inlined, called = self.locals_at(trace, 2), self.locals_at(trace, 3)
            to = f"0x{0x210000000000 + 4 * 5:x}"
            self.assertEqual(inlined["times"], "43" if text is None else "<optimized out: only a constant that it had is described>")
            self.assertEqual(called["to"], to if text is None else "<optimized out: no instruction needs what is described>")
            # One is assigned to in a branch of which no instruction is left, so that its register has what it was: 5 for 9.
            self.assertEqual(called["changed"], "<optimized out: no instruction needs what is described>")
            self.assertEqual(inlined["more"], "<optimized out>")

    def test_computed(self):
        """Values that no code computes any more, but that their declarations say of what is known, in this lane."""
        source = self.directory / "source.c"
        source.write_text(COMPUTED, "utf-8")
        for flags, text in (("-O2", None), ("-O1", None), ("-O2", "")):
            trace = self.record(source, [1], "gfx90a", flags, text)
            inlined, kernel = self.locals_at(trace, 2), self.locals_at(trace, 3)
            known = {name: value for name, value in {**kernel, **inlined}.items() if not value.startswith("<")}
            computed = {"times": "48", "left": str((5 ^ 48) + 3), "twice": str(6 * 3 ^ 5), "parts": "-3", "half": "0.5"}
            self.assertEqual({name: known.get(name) for name in computed}, computed if text is None else dict.fromkeys(computed))
            self.assertEqual({"given", "more", "changed"} & set(known), set())

    def test_reduced(self):
        """The constant that is left of a value is not the value, also of a variable that is const."""
        source = self.directory / "source.c"
        for flags in ("-O1", "-O2"):
            source.write_text(REDUCED, "utf-8")
            trace = self.record(source, [1], "gfx90a", flags, "")
            self.assertEqual(self.locals_at(trace, 2)["part"], "<optimized out: only a constant that it had is described>")

    def test_arguments(self):
        """A parameter of a kernel is what that was given, if it is never assigned to; and so is what is computed of it."""
        source = self.directory / "source.c"
        for more, text in (("", None), ("", ""), ("n++; log++; ", None)):
            source.write_text(COMPUTED.replace("log[lane] = inlined;", f"int next = n * 7;\n\tMARK(lane);\n\t{more}log[lane] = inlined;"), "utf-8")
            trace = self.record(source, [1], "gfx90a", "-O2", text)
            known = self.locals_at(trace, 4)
            is_proven = text is None and not more
            self.assertEqual(known["n"], "6" if is_proven else "<optimized out; kernel argument 6>")
            self.assertEqual(known["log"], "0x210000000000" if is_proven else "<optimized out; kernel argument 0x210000000000>")
            self.assertEqual(known["next"], "42" if is_proven else "<optimized out>")
            # What was computed, and not read, says so: to programs, and where an editor's mouse is.
            shown = json.loads(self.wavetape("locals", trace, "--stop", 4, "--lane", 5, "--json"))["variables"]
            computed = {variable["name"] for variable in shown if variable.get("computed")}
            self.assertEqual(computed & {"n", "log", "next", "lane"},
                             set() if text == "" else {"lane", "n", "log", "next"} if is_proven else {"lane"})
            with Client([support.TREE.command, "dap", trace], support.environment()) as editor:
                editor.begin()
                editor.ask("evaluate", expression="stop 4", context="repl")
                frame = editor.ask("stackTrace", threadId=editor.event("stopped")["threadId"])["stackFrames"][0]["id"]
                shown = editor.ask("evaluate", expression="next", frameId=frame, context="hover")
                self.assertEqual(shown["type"], "int (computed from the source)" if is_proven else "int")
                shown = editor.ask("evaluate", expression="next + 1", frameId=frame, context="hover")
                self.assertEqual(shown["type"], "int")

    def test_chain(self):
        """Declarations of which each needs those before it: in 64 lanes that took a minute. The same are known whichever is asked for."""
        source = self.directory / "source.c"
        chain = "".join(f"\tu32 v{i} = v{i - 1} * 3 + v{max(0, i - 2)};\n" for i in range(1, 100))
        source.write_text(COMPUTED.split("INLINE")[0] + "KERNEL void k1(GLOBAL u32 *log, int n, const GLOBAL u32 *data)\n{\n"
                          f"\tu32 v0 = n + 1;\n{chain}\tMARK(v0);\n\tlog[n] = 1;\n}}\n", "utf-8")
        trace = self.record(source, [1], "gfx90a", "-O2")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        shown = dict(re.fullmatch(r".*?(\w+) = (.*)", line).groups() for line in self.wavetape("locals", trace, "--stop", 2).splitlines()[2:])
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 15)
        true = [7, 28]
        while len(true) < 5:
            true.append(true[-1] * 3 + true[-2])
        known = [value for name, value in shown.items() if re.fullmatch(r"v\d+", name) and not value.startswith("<")]
        self.assertEqual(known, list(map(str, true)))
        for i, value in enumerate([*true, None, None]):
            text = self.wavetape("print", trace, "--stop", 2, f"v{i}").splitlines()[2]
            self.assertEqual(text, f"(u32) v{i} = {value or '<optimized out>'}")

    def test_made(self):
        """Constructors are called without their names."""
        source = self.directory / "source.cpp"
        source.write_text(MADE, "utf-8")
        trace = self.record(source, [1], "gfx90a", "-O2")
        first, second, taken = (self.locals_at(trace, stop) for stop in (2, 3, 4))
        self.assertRegex(f"{first['from']}, {second['from']}, {taken['more']}", r"^<optimized out[^>]*>, <optimized out[^>]*>, 7$")

    def test_named(self):
        """C++ gives enumerations a sign, or none, that their type in DWARF does not tell."""
        source = self.directory / "source.cpp"
        source.write_text(NAMED, "utf-8")
        known = {name: value for name, value in self.locals_at(self.record(source, [1], "gfx90a", "-O2"), 2).items()
                 if not value.startswith("<")}
        self.assertEqual({name: known.get(name) for name in ("kept", "less", "named", "of_variable", "as_wide")},
                         {"kept": "ONE", "less": "-3", "named": "2", "of_variable": "2", "as_wide": "2"})
        self.assertEqual({"wide", "is_less", "cast", "half"} & set(known), set())

    def launched_at(self, trace, target, group, item):
        """What the declarations of a work-item come to."""
        lanes = 64 if target == "gfx90a" else 32
        for wave in json.loads(self.wavetape("waves", trace, "--json"))["waves"]:
            if wave["workgroup"] == group and wave["number_in_workgroup"] == item // lanes:
                shown = self.wavetape("locals", trace, "--wave", wave["wave"], "--lane", item % lanes).splitlines()[2:]
                return dict(re.fullmatch(r".*?(\w+) = (.*)", line).groups() for line in shown)
        self.fail(f"no wave of {group}")

    def test_launched(self):
        """What is computed of the place in the launch, with the width and the sign that C++ computes it with."""
        source = self.directory / "source.cpp"
        (self.directory / "launch.h").write_text(LAUNCH + GROUPS, "utf-8")
        for target, grid in (("gfx90a", [12, 12, 4]), ("gfx1100", [12, 12, 4]), ("gfx90a", [10, 12, 4])):
            source.write_text(LAUNCHED, "utf-8")
            trace = self.record(source, [1], target, "-O2 -fdeclspec", grid=grid, workgroup=[6, 4, 2])
            whole, last = self.launched_at(trace, target, [0, 1, 0], 45), self.launched_at(trace, target, [1, 1, 0], 9)
            computed = {"i": "3", "below": str(2**32 - 4), "octal": "2", "wide": str(2**32 - 4), "wider": str(2**32 + 3), "narrow": str(70001 - 2**16),
                        "mixed": "-1", "rest": str((2**32 - 7) % 6), "built": "31", "first": "false"}
            self.assertEqual({name: whole[name] for name in computed}, computed)
            # The last workgroup of a grid that is no multiple may be told either size.
            is_part = grid[0] == 10
            self.assertEqual(last["below"], str(2**32 - (5 if is_part else 6)))
            self.assertEqual(last["i"], "<optimized out>" if is_part else "9")

    def test_launched_by_another(self):
        """Names of the launch that the program has given to something of its own, or in which something else may be."""
        source, header = self.directory / "source.cpp", self.directory / "launch.h"
        own, begin = "struct own { u32 x, y, z; };\n", 'extern "C"'
        for text, launch in (
                (LAUNCHED.replace("\tint i", "\town blockIdx = {5, 6, 7};\n\tint i"), own + LAUNCH + GROUPS),
                (LAUNCHED.replace(begin, f"static const own blockIdx = {{5, 6, 7}};\n{begin}"), own + LAUNCH),
                (LAUNCHED, own + LAUNCH + "static const own blockIdx = {5, 6, 7};\n"),
                (LAUNCHED.replace(begin, f"static const own group = {{5, 6, 7}};\n#define blockIdx group\n{begin}"), own + LAUNCH),
                (LAUNCHED.replace("= blockIdx.x", "= held.blockIdx.x"), own + LAUNCH + GROUPS + "static const struct { own blockIdx; } held = {{5, 6, 7}};\n"),
                (LAUNCHED.replace(f"{begin} KERNEL void k1", "void holder::run") + f"{begin} KERNEL void k1(GLOBAL u32 *log, int n, const GLOBAL u32 *data)\n"
                 "{\n\tholder held = {{5, 6, 7}};\n\theld.run(log, n, data);\n}\n",
                 f"{own}{LAUNCH}{GROUPS}struct holder {{ own blockIdx; __attribute__((always_inline)) void run(GLOBAL u32 *, int, const GLOBAL u32 *); }};\n")):
            source.write_text(text, "utf-8")
            header.write_text(launch, "utf-8")
            trace = self.record(source, [1], "gfx90a", "-O2 -fdeclspec")
            known = self.locals_at(trace, 2)
            self.assertTrue(known["i"].startswith("<optimized out"), (text, launch, known["i"]))
            self.assertEqual(known["below"], str(2**32 - 7))

    def test_number(self):
        """
        Clang 21 describes by a number what is in no register any more, also a value that was computed and is the only one. Its list is
        written here into the code of another clang.
        """
        source, text = self.directory / "source.c", self.directory / "number.s"
        source.write_text(SUM, "utf-8")
        assembly = self.compile_code(source, "gfx90a", "-O2", "-S").read_text("utf-8")
        assembly, count = re.subn(r"(?m)^\ts_trap", ".Lhere:\n\ts_trap", assembly)
        self.assertEqual(count, 1)
        number, count = re.subn(r"\.Lfunc_end0-(\.Lfunc_begin0 .*\n.*\n.*DW_OP_regx\n(?:.*\n)*?)(?=.*DW_LLE_end_of_list)",
                                lambda place: f".Lhere-{place[1]}\t.byte 4\n\t.uleb128 .Lhere-.Lfunc_begin0\n\t.uleb128 .Lfunc_end0-.Lfunc_begin0\n"
                                              "\t.byte 2, 48, 159 ; DW_OP_lit0, DW_OP_stack_value\n", assembly)
        self.assertEqual(count, 1)
        for written, sum_ in ((assembly, "35"), (number, "<optimized out: only a constant that it had is described>")):
            text.write_text(written, "utf-8")
            trace = self.record_code(self.compile_code(text, "gfx90a"), [1], "gfx90a", ["--source", f"/programs={self.directory}"])
            self.assertEqual(self.locals_at(trace, 2)["sum"], sum_)

    def test_maps(self):
        """Whoever looks with a map has the source, too."""
        source = self.directory / "source.c"
        source.write_text(KEPT, "utf-8")
        trace = self.record(source, [1], "gfx90a", "-O2", "")
        for maps, times in (([], '{"unknown":'), (["--source-map", f"/programs={self.directory}"], '{"value":43}')):
            self.wavetape("report", trace, "-o", self.directory / "page.html", "--stop", 2, *maps, stderr=None)
            page = (self.directory / "page.html").read_text("utf-8")
            self.assertIn(f'{{"name":"times","type":"u32","parameter":true,"shadowed":false,"values":[{times}', page)
            shown = self.wavetape("locals", trace, "--stop", 2, "--lane", 5, *maps)
            self.assertEqual("\nu32 times = 43\n" in shown, bool(maps))
            printed = self.wavetape("print", trace, "times", "--stop", 2, "--lane", 5, "--json", *maps)
            self.assertEqual('"value": 43' in printed, bool(maps))


class People(Compared):
    """Kernels in C++ that nobody made at random."""

    def check_people(self, name, ways):
        """Those of a source, in ways of the names that it is compiled under, targets and flags."""
        text = (support.TREE.source / "tests/variables" / name).read_text("utf-8")
        kernels = [int(number) for number in re.findall(r"^K k(\d+)\(", text, re.MULTILINE)]
        self.assertEqual(kernels, list(range(1, len(kernels) + 1)))
        if "WAVETAPE_WAYS" in os.environ:
            ways = [tuple(way.split(" ", 2)) for way in os.environ["WAVETAPE_WAYS"].split(",")]
        self.counts, self.wrong = collections.Counter(), []
        for called, target, flags in ways:
            source = self.directory / called
            source.write_text(text, "utf-8")
            self.check_source(source, kernels, [(target, flags)])
        self.report()
        self.assertEqual(self.wrong, [])
        self.assertEqual(self.counts["frames missing"], 0)
        self.assertGreater(self.counts["right"], 40 * len(ways))

    def test_people(self):
        ways = [("source.cpp", target, flags) for target in TARGETS for flags in FLAGS]
        short = [("source.cpp", "gfx90a", "-O2"), ("source.cpp", "gfx942", "-O0"), ways[support.SHARE % len(ways)]]
        self.check_people("people.cpp", ways if LONG else short)

    def test_loops(self):
        """Rounds of loops that count before the source does."""
        ways = [("source.cpp", target, flags) for target in (*TARGETS, *SHORT) for flags in FLAGS]
        short = [("source.cpp", "gfx90a", "-O1"), ("source.cpp", "gfx1100", "-O2"), ("source.hip", "gfx90a", "-O2")]
        self.check_people("loops.cpp", [*ways, short[2]] if LONG else short if shutil.which("hipcc") else short[:2])


if __name__ == "__main__":
    support.main(__doc__, parts=3)
