#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`wavetape locals`, `print` and `backtrace` against kernels that write their own variables down (tests/variables).

At each of its marks a kernel stops and then writes the bytes of some of its variables to a log. What `locals` shows there in
each lane must be what was written, or a reason why it is not known: never anything else.
"""

import collections
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import unittest

import made
import support
from sources import compile_source, decode, marks, plain, same, size_of

# What says how programs run on the host.
FILES = [pathlib.Path(__file__), pathlib.Path(__file__).with_name("sources.py")]
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
TARGETS = ("gfx90a", "gfx942", "gfx1100")
RECORDS, WORDS = 48, 192
LONG = os.environ.get("WAVETAPE_LONG")

PAIR = struct.pack("<if h6s Q", 12, -2.5, -7, b"hello", 0x123456789abcdef0)
# Of each kernel, behind the log.
ARGUMENTS = {
    "values": [{"i32": 9}, {"f32": 0.75}, {"bytes": PAIR.hex()}, {"u64": 1 << 40}],
    "flow": [{"i32": 6}, {"buffer": "data"}],
    "unrolled": [{"i32": 6}, {"buffer": "data"}],
    "objects": [{"i32": 9}, {"f32": 0.75}],
    "memory": [{"i32": 9}, {"f32": 0.75}],
    "nested": [{"i32": 9}, {"f32": 0.75}],
    "opencl": [{"i32": 6}, {"buffer": "table"}],
    "runtime": [{"i32": 6}, {"buffer": "table"}],
    "calls": [{"u32": 6}],
    "both": [{"i32": 6}, {"buffer": "data"}],
    "classes": [{"i32": 9}],
    "numbers": [{"i32": 9}],
}
# HIP costs most, and has a test of its own; what classes.cpp and numbers.cpp have is not in the log.
NOT_PLAIN = ("runtime", "classes", "numbers")
# Their lanes have something to do with each other, of 64: on gfx1100, too, where the others have waves of 32.
NEEDS_64 = ("flow", "memory", "both", "opencl")


class Variables(support.Case):
    """Every variable at every mark, in every lane."""

    damage = None  # to the code object, before it is recorded

    def record(self, name, target, level, *flags):
        """A trace with a stop at each mark, and the log of each lane as a list of records."""
        short = target == "gfx1100" and name not in NEEDS_64
        if target == "gfx1100" and not short:
            flags += ("-mwavefrontsize64",)
        source, code = compile_source(name, target, level, self.directory, *flags)
        if self.damage:
            code.write_bytes(self.damage(code.read_bytes()))
        workload, lanes = self.directory / "workload.json", 32 if short else 64
        workload.write_text(json.dumps({
            "architecture": target, "code_objects": [str(code)],
            "buffers": {"log": {"bytes": 64 * RECORDS * WORDS * 4},
                        "data": {"bytes": 256, "fill": {"iota": {"type": "u32", "start": 3, "step": 5}}},
                        "table": {"bytes": 256, "fill": {"iota": {"type": "f32", "start": -1, "step": 0.75}}}},
            "dispatches": [{"kernel": name, "grid": [lanes, 1, 1], "workgroup": [lanes, 1, 1],
                            "arguments": [{"buffer": "log"}, *ARGUMENTS[name]]}],
        }), "utf-8")
        trace, log = self.directory / "trace.wtape", self.directory / "log"
        self.wavetape("record", "-o", trace, "--workload", workload, stderr=None)
        self.wavetape("simulate", workload, "--save", f"log={log}", stderr=None)
        return source, trace, self.read_log(log.read_bytes())

    def read_log(self, data):
        size = WORDS * 4
        return [[data[(lane * RECORDS + i) * size:(lane * RECORDS + i + 1) * size] for i in range(RECORDS)]
                for lane in range(64)]

    def expect(self, result, code=0, stdout=None, stderr=""):
        if stderr is None:
            self.assertEqual(result.code, code, result.stderr)
            return result.stdout
        return super().expect(result, code, stdout, stderr)

    def compare(self, shown, names, record, lane, counts, where):
        """One record of a lane against what is shown in it: variables, and expressions."""
        for name in names:
            size = int.from_bytes(record[:4], "little")
            data, record = record[4:4 + size], record[4 + (size + 3) // 4 * 4:]
            candidates = [variable for variable in shown if variable["name"] == name and not variable["shadowed"]]
            if not candidates:
                # Compilers leave out variables of inner blocks that are nowhere.
                counts["absent"] += 1
                continue
            self.assertEqual(len(candidates), 1, (where, name))
            kind = re.sub(r"^const ", "", candidates[0]["type"])
            groups = [group for group in candidates[0]["values"] if lane in group["lanes"]]
            self.assertEqual(len(groups), 1, (where, name, lane))
            self.assertEqual(size_of(kind), size, (where, name, kind))
            if "unknown" in groups[0]:
                counts["unknown"] += 1
                counts[groups[0]["unknown"].split(":")[0]] += 1
                continue
            try:
                value = groups[0]["value"]
                # What was written of a reference is where it leads.
                numbers = same(value["reference"] if kind.endswith("&") else value, decode(kind, data))
            except AssertionError as error:
                counts["wrong"] += 1
                self.wrong.append((where, name, lane, str(error)))
                continue
            counts["known" if numbers else "unknown"] += 1

    def stops(self, trace, verb, *arguments):
        """What a verb shows at each stop where a wave stands."""
        for stop in range(1, len(self.json("stops", trace)["stops"]) + 1):
            result = support.wavetape(verb, trace, "--stop", stop, "--json", *arguments)
            if result.code == 1 and "no wave is stopped" in result.stderr:
                continue
            self.assertEqual((result.code, result.stderr), (0, ""))
            yield stop, json.loads(result.stdout)

    def check(self, name, target, level):
        return self.check_stops(name, target, level, *self.record(name, target, level))

    def check_stops(self, name, target, level, source, trace, log):
        lines, counts = marks(source), collections.Counter()
        self.wrong, position, seen = [], [0] * 64, set()
        for stop, shown in self.stops(trace, "locals"):
            line = shown["frame"]["source"]["line"]
            if not line:
                # The same mark of two places became one: which one it is here is not known.
                for lane in shown["lanes"]:
                    position[lane] += 1
                continue
            self.assertIn(line, lines, (name, target, level, stop))
            seen.add(line)
            for name in lines[line]:
                if not name.isidentifier():
                    printed = json.loads(self.wavetape("print", trace, "--json", "--stop", stop, "--", name))
                    shown["variables"].append({"name": name, "shadowed": False, **printed})
            for lane in shown["lanes"]:
                self.compare(shown["variables"], lines[line], log[lane][position[lane]], lane, counts,
                             (name, target, level, stop, line))
                position[lane] += 1
        self.assertEqual(self.wrong, [], (name, target, level, len(self.wrong)))
        self.assertGreaterEqual(len(seen), len(lines) - 1, set(lines) - seen)
        return counts

    def cells(self):
        """All kernels, targets and levels, or a share with each kind of code."""
        cells = [(name, target, level) for name in ARGUMENTS if name not in NOT_PLAIN for target in TARGETS for level in LEVELS]
        if shutil.which("hipcc"):
            # Debian's hipcc is of clang 15, which does not compile this for size.
            cells += [("runtime", "gfx90a", level) for level in LEVELS if level != "-Os"]
        if LONG:
            return cells
        plain = [cell for cell in cells if cell[2] == "-O0" and cell[0] != "runtime"]
        return [plain[support.SHARE % len(plain)], *((name, TARGETS[support.SHARE % 2], "-O2") for name in ("memory", "unrolled"))]

    def test_values(self):
        total = collections.Counter()
        for name, target, level in self.cells():
            counts = self.check(name, target, level)
            print(f"{name} {target} {level}: {dict(counts)}", file=sys.stderr)
            if level == "-O0":
                self.assertEqual(counts["unknown"] + counts["absent"], 0, (name, target, counts))
            total += counts
        self.assertEqual(total["wrong"], 0)
        self.assertGreater(total["known"], 1000)

    @unittest.skipIf(LONG or not shutil.which("hipcc"), "in another test, or no hipcc")
    def test_hip(self):
        """What another compiler, clang 15, makes of HIP."""
        if not support.SMALL:
            counts = self.check("runtime", "gfx90a", "-O0")
            self.assertEqual(counts["unknown"] + counts["absent"], 0, counts)


class Quiet(Variables):
    """Without a log nothing reads the variables behind a mark. What they are there is told by the same kernel with its log, compiled
    without optimisation: each lane comes by the same marks."""

    test_values = test_hip = None

    def compare(self, shown, names, record, lane, counts, where):
        """Addresses of variables are others in another compilation."""
        for variable in shown:
            if re.search(r"[*&]", variable["type"]) or variable["type"] == "list":
                for group in variable["values"]:
                    group["unknown"] = "an address"
        super().compare(shown, names, record, lane, counts, where)

    def check_quiet(self, name, target, level):
        _, _, log = self.record(name, target, "-O0")
        source, trace, _ = self.record(name, target, level, "-DQUIET")
        return self.check_stops(name, target, level, source, trace, log)

    def test_quiet(self):
        cells = [(name, target, level) for name in ("unrolled", "memory", "flow", "values", "calls") for target in TARGETS
                 for level in ("-O1", "-O2", "-O3")]
        total = collections.Counter()
        for cell in cells if LONG else [("unrolled", TARGETS[support.SHARE % 2], "-O2"), ("memory", TARGETS[support.SHARE % 2], "-O2")]:
            counts = self.check_quiet(*cell)
            print(f"quiet {' '.join(cell)}: {dict(counts)}", file=sys.stderr)
            total += counts
        self.assertEqual(total["wrong"], 0)
        # Values that code still reads behind the mark are most of them.
        self.assertGreater(total["known"], 300)


HOST = """
#include <stdlib.h>
typedef unsigned int u32;
u32 host_lane;
static u32 log_of_host[64 * 48 * 192], data[64];
void KERNEL();
void host_mark(void) { __asm__ volatile(""); }
int main(int count, char **words)
{
	host_lane = (u32)atoi(words[count - 1]);
	for (u32 i = 0; i < 64; i++)
		data[i] = 3 + 5 * i;
	KERNEL(log_of_host, 6, data);
	return 0;
}
"""


@unittest.skipUnless(shutil.which("gdb") and shutil.which("clang-19"), "no gdb for programs of the host")
class Host(Variables):
    """The same source, compiled for the host without optimisation and stopped at the same marks: there GDB says what is true."""

    test_values = test_hip = None
    PROGRAMS = ("both", "flow", "unrolled", "calls")

    def run_on_host(self, name, lane, source, script, values):
        main, program = (self.directory / f"{name}-{part}" for part in ("main.c", "host"))
        main.write_text(HOST, "utf-8")
        flags = ["-std=gnu11", "-g", "-O0", "-ffp-contract=off", "-w", "-DHOST"]
        subprocess.run(["clang-19", *flags, f"-DKERNEL={name}", "-c", "-o", f"{main}.o", main], check=True)
        subprocess.run(["clang-19", *flags, "-o", program, source, f"{main}.o"], check=True)
        names = {line: [name for name in found if name.isidentifier()] for line, found in marks(source).items()}
        result = support.run("gdb", "-nx", "-batch", "-x", script, "--args", program, str(lane),
                             WAVETAPE_MARKS=json.dumps(names), WAVETAPE_VALUES=str(values))
        self.assertTrue(values.exists(), result.stderr)

    def on_host(self, name, lane):
        """What GDB shows at each mark that the lane comes by."""
        source = support.TREE.source / f"tests/variables/{name}.c"
        script, values = support.TREE.source / "tests/end-to-end/host-values.py", self.directory / f"{name}-values"
        made.take(values, [["gdb", name, str(lane)], ["clang-19"]], [*FILES, script, source.parent],
                  lambda: self.run_on_host(name, lane, source, script, values))
        return [json.loads(line) for line in values.read_text("utf-8").splitlines()]

    def same_as_host(self, shown, true):
        """How many numbers were shown; pointers are not compared."""
        if true is None or (isinstance(shown, dict) and set(shown) == {"unknown"}):
            return 0
        if isinstance(true, dict):
            self.assertEqual(list(shown), [name for name, _ in true["members"]])
            return sum(self.same_as_host(shown[name], value) for name, value in true["members"])
        if isinstance(true, list) and isinstance(shown, list):
            self.assertEqual(len(shown), len(true))
            return sum(map(self.same_as_host, shown, true))
        return same(shown, true)

    def compare_frame(self, trace, stop, number, lane, true, where):
        found, known = self.json("locals", trace, "--stop", stop, "--frame", number, "--lane", lane), 0
        for variable in found["variables"]:
            if variable["name"] in true and not variable["shadowed"] and "value" in variable["values"][0]:
                try:
                    known += self.same_as_host(variable["values"][0]["value"], true[variable["name"]])
                except AssertionError as error:
                    self.wrong.append((where, stop, number, variable["name"], str(error)[:200]))
        return known

    def check_host(self, name, target, level, lane):
        host = self.on_host(name, lane)
        _, trace, _ = self.record(name, target, level, *(["-DQUIET"] if level != "-O0" else []))
        stops = [(stop, shown) for stop, shown in self.stops(trace, "backtrace") if lane in shown["lanes"]]
        self.assertEqual(len(stops), len(host), (name, target, level, lane))
        known = 0
        for (stop, shown), true in zip(stops, host):
            frames = shown["frames"]
            where = (name, target, level, stop)
            self.assertEqual([frame["function"] for frame in frames], true["functions"], where)
            # The same mark of two places may have become one, of no line: then that of the code before it is shown.
            if frames[0]["source"]["line"] not in marks(support.TREE.source / f"tests/variables/{name}.c"):
                self.assertNotEqual(level, "-O0", where)
                continue
            self.assertEqual(frames[0]["source"]["line"], true["line"], where)
            for number, values in enumerate([true["values"], *true["callers"]]):
                known += self.compare_frame(trace, stop, number, lane, values, (name, target, level, lane))
        self.assertEqual(self.wrong, [])
        return known

    def test_host(self):
        self.wrong = []
        cells = [(name, target, level, lane) for name in self.PROGRAMS for target in TARGETS for level in LEVELS for lane in (1, 6)]
        short = [(name, TARGETS[support.SHARE % 2], level, 6) for name in ("both", "calls") for level in ("-O0", "-O2")]
        for cell in cells if LONG else short:
            known = self.check_host(*cell)
            print(f"host {cell}: {known} numbers", file=sys.stderr)
            self.assertGreater(known, 10 if cell[2] == "-O0" else 0, cell)


class Frames(Variables):
    """The functions around each mark, and what their variables are for those that called."""

    test_values = test_hip = None

    def functions(self, source):
        """The function of the source that each line is in."""
        found, name = {}, None
        for number, line in enumerate(source.read_text("utf-8").splitlines(), 1):
            head = re.match(r"(?:NOINLINE|INLINE|KERNEL) \w+ (\w+)\(", line)
            name = head[1] if head else name
            found[number] = name
        return found

    def check_frames(self, target, level):
        source, trace, _ = self.record("flow", target, level)
        functions, depth, counts = self.functions(source), [], collections.Counter()
        levels = [f"level{i}" for i in range(5, 0, -1)]
        for _, shown in self.stops(trace, "backtrace"):
            frames = shown["frames"]
            first = frames[0]
            where = functions[first["source"]["line"]]
            if where in levels:
                expected = [*levels[levels.index(where):], "flow"]
            elif where == "recurse":
                # The marks of the four calls are in the order of their returns.
                expected = ["recurse"] * (4 - len(depth)) + ["flow"]
                depth.append(where)
            else:
                expected = {"flow": [where], "add": [where, "again", "flow"]}.get(where, [where, "flow"])
            self.assertEqual([frame["function"] for frame in frames], expected, (target, level))
            self.assertIsNone(shown["outermost_known"])
            for inner, outer in zip(frames, frames[1:]):
                self.assertEqual(inner["inlined"], inner["function"] in levels)
                self.assertIn(f"{inner['function']}(",
                              source.read_text("utf-8").splitlines()[outer["source"]["line"] - 1])
            counts[where] += 1
        self.assertEqual(counts["recurse"], 4)
        return trace

    def check_callers(self, trace, level):
        """Variables of the kernel do not change while it has called, and those of a recursive function count."""
        for stop, shown in self.stops(trace, "backtrace"):
            for number, frame in enumerate(shown["frames"]):
                if frame["function"] not in ("flow", "recurse") or not number:
                    continue
                found = self.json("locals", trace, "--stop", stop, "--frame", number)
                for variable in found["variables"]:
                    for group in variable["values"]:
                        self.check_caller(level, frame, number, shown, variable["name"], group)

    def check_caller(self, level, frame, number, shown, name, group):
        known = {"lane": lambda lane: lane, "n": lambda lane: 6}
        if frame["function"] == "recurse":
            inner = 4 - sum(other["function"] == "recurse" for other in shown["frames"])
            known = {"depth": lambda lane: inner + number}
        if name not in known:
            return
        if level == "-O0":
            self.assertIn("value", group, (name, frame))
        for lane in group["lanes"] if "value" in group else ():
            self.assertEqual(group["value"], known[name](lane), (level, number, frame, name))

    def test_frames(self):
        cells = [(target, level) for target in TARGETS for level in LEVELS]
        cells = cells if LONG else [("gfx90a", "-O1")]
        for target, level in cells:
            trace = self.check_frames(target, level)
            self.check_callers(trace, level)

    def test_calls(self):
        """Functions that nobody else calls, with registers that the convention would let each of them change."""
        chain = ["add", "triple", "third", "fourth", "calls"]
        for target, level in support.share([(target, level) for target in TARGETS for level in LEVELS]):
            _, trace, _ = self.record("calls", target, level)
            found = [([frame["function"] for frame in shown["frames"]], shown["outermost_known"])
                     for _, shown in self.stops(trace, "backtrace")]
            self.assertEqual(found, [(chain[number:], None) for number in (0, 1, 2, 4)], (target, level))

    @unittest.skipUnless(LONG, "in the long form")
    def test_unrolled_callers(self):
        """In calls() of unrolled.c, whose arguments to add() are what the caller's variables are."""
        for target, level in ((target, level) for target in TARGETS for level in LEVELS):
            _, trace, log = self.record("unrolled", target, level)
            marks_before, rounds, known = 0, 0, 0
            for stop, shown in self.stops(trace, "backtrace"):
                if shown["frames"][0]["function"] == "add":
                    for variable in self.json("locals", trace, "--stop", stop, "--frame", 1)["variables"]:
                        for group in variable["values"]:
                            for lane in group["lanes"] if "value" in group else ():
                                _, first, _, second = struct.unpack_from("<4i", log[lane][marks_before])
                                wanted = {"i": rounds, "more": second, "sum": first, "n": 6, "lane": lane}[variable["name"]]
                                self.assertEqual(group["value"], wanted, (target, level, rounds, variable["name"]))
                                known += 1
                    rounds += 1
                marks_before += 1
            self.assertEqual(rounds, 3)
            self.assertGreaterEqual(known, 5 * 3 * 64 if level == "-O0" else 0)

    def test_without_disassembler(self):
        """Variables and callers are found by tables. What disassembles ends here: it must not write what the loader is asked for."""
        _, trace, _ = self.record("calls", "gfx90a", "-O0")
        blind = {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": self.directory / "loader"}
        self.assertIn("(not decoded: ", self.wavetape("disassemble", trace, **blind))
        deepest = 0
        for stop, shown in self.stops(trace, "backtrace"):
            deepest = max(deepest, len(shown["frames"]))
            for verb in ("backtrace", "locals"):
                with_it = self.json(verb, trace, "--stop", stop)
                self.assertEqual(self.json(verb, trace, "--stop", stop, **blind), with_it)
                self.assertNotIn("cannot be", json.dumps(with_it))
        self.assertGreater(deepest, 1)

    def test_groups(self):
        """Waves with the same stack are one group."""
        trace = self.trace("debug-trap")
        for stop, shown in self.stops(trace, "backtrace", "--all"):
            for group in shown["groups"]:
                self.assertEqual([frame["function"] for frame in group["frames"]], ["debug_trap"])
        text = self.wavetape("backtrace", trace, "--all", "--stop", 2)
        self.assertRegex(text, r"\Astop 2: 2 stopped waves, 1 different stack; 2 not stopped\n\n2 waves\n"
                               r"#0 debug_trap at [^\n]*debug-trap.c:\d+:3, pc 0x[0-9a-f]+\n"
                               r"   2 waves from w1 to w3: lanes 0\n\Z")

    def test_refusals(self):
        trace = self.trace("debug-trap")
        self.wavetape("locals", trace, "--stop", 2, "--frame", 7, code=2, stdout="",
                      stderr=f"wavetape: cannot show variables: {trace}: there is no frame 7: wave 1 has 1, counted from 0\n")
        self.wavetape("locals", trace, "--stop", 1, code=1, stdout="",
                      stderr=f"wavetape: cannot show variables: {trace}: no wave is stopped at this stop\n")
        result = support.wavetape("locals", trace, "--lane", 64)
        self.assertEqual(result.code, 2)
        self.assertIn("--lane takes 0 to 63, not '64'", result.stderr)
        result = support.wavetape("backtrace", trace, "--all", "--wave", 1)
        self.assertEqual(result.code, 2)


class Empty(Variables):
    test_values = test_hip = None

    def test_names(self):
        """A type without a name is shown by its kind."""
        self.damage = lambda data: data.replace(b"\0int\0", b"\0\0nt\0")
        _, trace, _ = self.record("memory", "gfx942", "-O0")
        stop = next(stop for stop, shown in self.stops(trace, "backtrace") if shown["frames"][0]["function"] == "second")
        text = self.wavetape("locals", trace, "--stop", stop, "--lane", 0)
        self.assertIn("\nstruct * own = 0x", text)
        self.assertIn("\nstruct ** way = 0x", text)


class Beginning(support.Case):
    def test_before_the_body(self):
        """At a breakpoint on its first instruction a function has not stored its parameters yet."""
        trace = self.directory / "entry.wtape"
        for name in ("oob-store-O0", "oob-store-gfx90a-O0"):
            trace.unlink(missing_ok=True)
            self.client("record", "--break", "oob_store", "--steps", "1", WAVETAPE_TRACE=trace,
                        WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], WAVETAPE_WORKLOAD=support.TREE.workload(name))
            stops = self.json("stops", trace)["stops"]
            shown = self.json("locals", trace, "--stop", [stop["stop"] for stop in stops if stop["stopped"]][0])
            values = [group for variable in shown["variables"] for group in variable["values"]]
            self.assertEqual(shown["frame"]["symbol"]["offset"], 0)
            self.assertGreaterEqual(len(values), 2)
            self.assertEqual({group.get("unknown") for group in values},
                             {"unknown location: the function has not begun its body yet"})


# At the mark behind the changes in objects(), in lane 5: what is printed, with its type, or why nothing is.
PRINTED = {
    "array": "(int[5]) [12, 6, 2, 3, 25]",
    "array[lane - 4] + table[1][1]": "(int) 11",
    "array[9]": "(int) <not known: the index is outside the array>",
    "copy.inner": '(inner) {low = -7, text = "fello"}',
    "*pair": '(pair) {first = 12, second = -2.5, inner = {low = -7, text = "hello"}, wide = 1311768467463790320}',
    "pair->inner.low * 2": "(int) -14",
    "(*pair).wide >> 4": "(unsigned long) 81985529216486895",
    "*(&array[1] + 1)": "(int) 2",
    "&array[3] - &array[1]": "(long) 2",
    "(float)lane / 2": "(float) 2.5",
    "vector.y + either.real": "(float) 12.75",
    "bits.c | 8": "(int) 11",
    "lane == 5 && !0 || 1 / 0": "(int) 1",
    "lane != 5 || 1 / 0": "(int) <not known: a division by zero>",
    "&array[1] == array + 1 && pair > 0": "(int) 1",
    "vector.x > 4 ? either.bytes[3] : -1": "(int) 64",
    "(enum color)-3": "(color) BLUE",
    "(struct pair **)8 + 1": "(pair **) 0x10",
    "((u8 *)pair)[12]": "(u8) 108",
    "sizeof(struct pair) - sizeof array": "(unsigned long) 4",
    "2 + 3 * 4 << 1": "(int) 28",
    "3 - 1 - 1": "(int) 1",
    "0xffffffff + 1": "(unsigned int) 0",
    "-7 / 2 + -7 % 2": "(int) -4",
    "(i8)200": "(i8) -56",
    "$exec": "(unsigned long) 0xffffffffffffffff",
    "$exec + 1": "(unsigned long) 0",
    "18446744073709551615": "(unsigned long) 18446744073709551615",
    "*(double *)8": "(double) <not recorded>",
    "written[2]": "(u32) <unknown location: the compiler does not say where in local memory it is>",
}
NOT_PRINTED = {
    "x": "at character 1: there is no variable x here",
    "1 +": "at character 4: something is missing at the end",
    "lane.x": "at character 6: this has no members, so no x",
    "1 + copy . third": "at character 12: it has no member third",
    "copy.innner.low": "at character 6: it has no member innner: did you mean inner?",
    "copi": "at character 1: there is no variable copi here: did you mean copy?",
    "1 + lane->x": "at character 9: this is no pointer",
    "(lane": "at character 6: ')' is missing",
    "lane)": "at character 5: this cannot stand here",
    "1 + *lane": "at character 5: this is no pointer",
    "1 + &bits.a": "at character 5: a bit field has no address",
    "copy + 1": "at character 6: this is no number",
    "2 * -copy": "at character 5: this is no number",
    "pair + pair": "at character 6: this cannot be done to pointers",
    "array[ 1.5 ]": "at character 8: an index is an integer",
    "lane[1]": "at character 5: this is neither an array nor a pointer",
    "1 ? copy : 2": "at character 3: the two values are of different kinds",
    "2 * (struct pair)lane": "at character 5: a cast is to a number or a pointer",
    "2 + 18446744073709551616": "at character 5: the number has more than 64 bits",
    "2 + 1e999": "at character 5: the number is larger than a double can be",
    "$": "at character 1: the name of a register is missing",
    "1 + $v999": "at character 5: there is no register v999 of up to 8 bytes",
    "1 " + "+ (1 " * 30 + ")" * 30: "at character 121: it is nested too deeply",
}


# In box::sum(), in lane 3.
PRINTED_OBJECTS = {
    "items[1] + id": "(float) 6",
    "this->total": "(float) 0",
    "*(shapes::box<float,3> *)this": "(box<float, 3>) {shapes::base = {id = 3, what = square}, items = [0.75, 3, 2.5], total = 0}",
    "((const shapes::base *)this)->id": "(int) 3",
    "what == shapes::kind::square": "(int) 1",
    "kind::square + 1": "(int) 8",
    "sizeof(box<float, 3>)": "(unsigned long) 24",
}


# In classes.cpp, in lane 3.
PRINTED_CLASSES = {
    "(int)ALONE": "(int) 6",
    "first": "(small) negative",
    "first == small::negative": "(int) 1",
    "twice.front::base::x": "(int) 11",
    "(&twice)->back::base::x": "(int) 22",
    "object.root::id + object.left::id": "(int) 84",
    "twice.two::tail == n": "(int) 1",
    "first < 0": "(int) 1",
    # Of C++, flags computes as int or, if its declaration says so, as unsigned int.
    "FOUR - ONE": "(int or unsigned int) 3",
    "ONE - TWO": "(int or unsigned int) <not known: the compiler does not say whether the enumeration has a sign>",
    "third & ~ONE": "(int or unsigned int) 4",
    "ONE - TWO + FOUR": "(int or unsigned int) 3",
    "ONE - TWO < 0": "(int) <not known: the compiler does not say whether the enumeration has a sign>",
    "(ONE - TWO) / 2": "(int or unsigned int) <not known: the compiler does not say whether the enumeration has a sign>",
    "FOUR >> ONE": "(int or unsigned int) 2",
    "(ONE - TWO) * 1.5": "(double) <not known: the compiler does not say whether the enumeration has a sign>",
    "(long)(ONE - TWO)": "(long) <not known: the compiler does not say whether the enumeration has a sign>",
    "(int)(ONE - TWO)": "(int) -1",
    "(unsigned)(ONE - TWO) == ONE - TWO": "(int) 1",
    "ONE - TWO - 1u": "(unsigned int) 4294967294",
    "n ? ONE : -1": "(int or unsigned int) 1",
    "0 ? ONE : -1l": "(long) -1",
    "(&twice)[ONE - TWO].tail": "(int) <not known: the compiler does not say whether the enumeration has a sign>",
    "BELOW - ABOVE": "(int) -13",
    "&twice != nullptr && true": "(int) 1",
    "nullptr": "(void *) 0x0",
    "false": "(_Bool) false",
    "second": "(level) -2",
    "second + 0": "(int) -2",
    "third": "(flags) ONE | FOUR",
    "fourth": "(wide) most",
    "fifth": "(wide) 18446744073709551614",
    "fifth < wide::most": "(int) 1",
    "packed": "(fields) {first = negative, second = BELOW, third = -8, fourth = 15}",
    "packed.first == small::negative": "(int) 1",
    "(level)(packed.second - 4)": "(level) -8",
    "(small)251": "(small) negative",
    "(float)first": "(float) -5",
    "twice": "(two) {front::base = {x = 11}, back::base = {x = 22}, union = {word = 3, real = 4e-45}, "
             "union #2 = {big = 4612811918334230528, wide = 2.5}, struct = {low = 1, high = 2}, tail = 9}",
    "twice.word + twice.high": "(unsigned int) 5",
    "((back::base *)&twice)->x": "(int) 22",
    "(long)(back::base *)&twice - (long)&twice": "(long) 4",
    "(long)(two *)(back::base *)&twice - (long)&twice": "(long) 0",
    "(front::base *)(two *)0 == (front::base *)0": "(int) 1",
    "object.id": "(int) 42",
    "((right *)&object)->id": "(int) 42",
    "object.at_right": "(int) 2",
}

TYPES_CLASSES = {
    "whatis twice": "two",
    "whatis twice.low + 1": "int",
    "whatis u32": "unsigned int",
    "whatis (float *)0": "float *",
    "ptype &object.own": "private int *",
    "ptype two": "struct two : front::base, back::base {\n    union {\n        u32 word;\n        float real;\n    };\n    union {\n"
                 "        i64 big;\n        double wide;\n    };\n    struct {\n        u16 low;\n        u16 high;\n    };\n    int tail;\n}",
    "ptype both": "struct both : left, right {\n    int own;\n}",
    "ptype packed": "struct fields {\n    small first : 5;\n    level second : 6;\n    int third : 4;\n    u32 fourth : 4;\n}",
    "whatis two[3]": "two[3]",
    "ptype flags[2][3]": "enum flags {ONE = 1, TWO = 2, FOUR = 4}[2][3]",
    "whatis u32 *[4]": "u32 *[4]",
    "whatis ONE - TWO": "int or unsigned int",
    "whatis sizeof(flags[n - n + 2])": "unsigned long",
    "ptype small": "enum class small {negative = -5, zero = -4, large = 100}",
    "ptype flags": "enum flags {ONE = 1, TWO = 2, FOUR = 4}",
}

# In numbers.cpp, in lane 3.
PRINTED_NUMBERS = {
    "wide": "(__int128) -3802951800684688204490109616128",
    "wide - 1 < wide && -wide > most >> 64": "(int) 1",
    "most": "(unsigned __int128) 340282366920938463463374607431768211455",
    "(long)(wide >> 90)": "(long) -3072",
    "one << 100": "(__int128) 1267650600228229401496703205376",
    "(float)wide": "(float) -3.8029518e+30",
    "brain": "(__bf16) 1.5",
    "brains": "(bf16x2) [-2, 0.1]",
    "(__bf16)3.14159": "(__bf16) 3.14",
    "(_Float16)0.3": "(_Float16) 0.3",
    "halves": "(half4) [0.1, 65504, -0, 10]",
    "halves.y + 1": "(float) 65505",
    "half": "(__half) 2.5",
    "half.data * 2": "(float) 5",
    "pair": "(__hip_bfloat162) [1, -2]",
    "small": "(__hip_fp8_e4m3) 448",
    "smalls": "(__hip_fp8x4_e4m3_fnuz) [0.001, 240, 1, nan]",
    "smalls.__x": "(u32) 2151710465",
    "wider": "(__hip_fp8x2_e5m2) [1, inf]",
    "ten": "(float) 10",
    "hundred": "(float) 100",
    "million": "(float) 1000000",
    "large": "(float) 123456792",
    "huge": "(float) 1e+20",
    "tenth": "(float) 0.1",
    "exact": "(double) 9007199254740992",
    "tiny": "(double) 1e-07",
    "rights": "(access) READ | APPEND",
    "odd": "(access) READ | 0x8",
    "all": "(access) ALL",
    "none": "(access) NONE",
    "beyond": "(count) 5",
    "bytes": "(u8[3]) [104, 105, 33]",
    "others": "(u8[3]) [0, 200, 33]",
    "letters": "(i8[2]) [65, 66]",
    "letter": "(u8) 65",
    "text": '(char[3]) "hi"',
    "odd_names": "(taken) {unknown = 1, more = 2}",
    "member": "(int taken::*) 4",
    "nothing": "(decltype(nullptr)) 0x0",
    "reference + 1": "(int) 31",
    "bytes[1]@2": "(u8[2]) [105, 33]",
    "bytes[0]@1 + 2": "(u8[3]) [104, 105, 33]",
    "*&bytes[0]@3": "(u8[3]) [104, 105, 33]",
    "sizeof(bytes[0]@3) + sizeof(int[2][3]) + sizeof(local int *) + sizeof(uint16_t)": "(unsigned long) 33",
    "sizeof(float *) + sizeof(__half) + sizeof(unsigned long long) + sizeof(long double)": "(unsigned long) 26",
    "(local int *)16 == (int *)0x1000000000010": "(int) 1",
    "(local int *)16 < (private int *)0": "(int) 1",
    "(int *)8 != (local int *)8": "(int) 1",
    "(local int *)0xffffffff == (int *)0": "(int) 1",
    "(int *)0x1000000000010 - (local int *)8": "(long) 2",
    "&value == &reference": "(int) 1",
}
TYPES_NUMBERS = {
    "whatis reference": "int &", "ptype chain": "struct refers {\n    int & to;\n    refers & self;\n}",
    "whatis bytes[0]@2": "u8[2]", "whatis wide + 1": "__int128", "ptype member": "int taken::*",
}
NOT_PRINTED_NUMBERS = {
    "(bytes[0]@2) + 1": "at character 14: an array that @ makes can only be printed",
    "(bytes[0]@2)[1]": "at character 13: an array that @ makes can only be printed",
    "*(bytes@2)": "at character 1: an array that @ makes can only be printed",
    "bytes[0]@0": "at character 9: there are 1 to 1000000 objects",
    "5@2": "at character 2: a number that was computed has nothing behind it",
    "bytes[wide]": "at character 7: an index is an integer",
    "sizeof(void)": "at character 8: there is no variable void here",
}
JSON_NUMBERS = {
    "wide": "-3802951800684688204490109616128", "most": str(2**128 - 1), "brain": 1.5, "half": 2.5, "smalls": [2.0**-10, 240.0, 1.0, "nan"],
    "rights": "READ | APPEND", "beyond": 5, "bytes": [104, 105, 33], "letters": [65, 66], "text": "hi", "letter": 65, "ten": 10.0,
    "odd_names": {"members": [{"name": "unknown", "value": 1}, {"name": "more", "value": 2}]}, "member": 4, "nothing": "0x0",
}

NOT_PRINTED_CLASSES = {
    "INNER": "at character 1: there is no variable INNER here",
    "ptype two[1.5]": "at character 11: an index is an integer",
    "(int[2])twice.tail": "at character 1: a cast is to a number or a pointer",
    "twice.x": "at character 7: x is ambiguous: it is front::base::x and back::base::x",
    "twice.base::x": "at character 7: x is ambiguous: it is front::base::x and back::base::x",
    "twice.front::base::tail": "at character 7: it has no member tail of front::base",
    "object.left::": "at character 8: the name of a member is missing",
    "(both *)(root *)&object": "at character 1: a virtual base does not say what it is a base of",
}


# Of types and numbers that a function has of its own: by function and frame, in lane 4.
PRINTED_NESTED = {
    ("nested", 0): {
        "*(only_here *)&local": '(only_here) {a = 0.75, b = [1, 2, 4]}',
        "*mine": "(item) {key = 12, weight = 3, bits = {low = 4, mid = -4, wide = 34359738368, last = 4}, union = {word = 1065353216, real = 1}}",
        "mine->bits.mid * mine->key": "(int) -48",
    },
    ("push", 0): {
        "(T)65539 + (value_type)-3.7": "(int) 0",
        "data[N - 1]": "(short) 4",
    },
    ("level5", 0): {
        "((inner_pair *)&pair)->right": "(short) 246",
        "(enum mode)4": "(mode) ON",
        "mode == ON": "(int) 1",
    },
    ("level5", 4): {"s1 * K": "(int) 117"},
    # In a block that is not entered here, as it is the only one of the name.
    ("deep", 5): {"sizeof(struct only_here)": "(unsigned long) 8"},
}

# In level5(), in lane 4, without a frame: in which one it is found, and its value.
PRINTED_OUTWARDS = {
    "pair.left": ("#0 level5", 164),
    "s4": ("#1 level4", 123),
    "s1 * K": ("#4 level1<3>", 117),
    "n * 2": ("#5 nested", 18),
}
NOT_PRINTED_OUTWARDS = {
    "pair.left + s4": "at character 13: there is no variable s4 here",
    "nowhere": "at character 1: there is no variable nowhere here",
    "s4 + s4.x": "at character 9: this has no members, so no x (of #1 level4)",
}


class Print(Variables):
    test_values = test_hip = None

    def printed(self, trace, stop, lane, expected, *arguments):
        for expression, value in support.share(expected.items()) if support.SMALL else expected.items():
            kind, value = re.fullmatch(r"(\(.*?\)) (.*)", value).groups()
            text = self.wavetape("print", trace, "--stop", stop, "--lane", lane, *arguments, "--", expression)
            self.assertEqual(text.splitlines()[2], f"{kind} {expression} = {value}")

    def test_objects(self):
        """Names of C++: namespaces, templates, enumerators of classes, and members without `this`."""
        _, trace, _ = self.record("objects", TARGETS[support.SHARE % 2], "-O0")
        stop = next(stop for stop, shown in self.stops(trace, "backtrace") if shown["frames"][0]["function"] == "sum")
        self.printed(trace, stop, 3, PRINTED_OBJECTS)
        self.wavetape("print", trace, "--stop", stop, "square", code=1, stdout="",
                      stderr="wavetape: cannot print: square: at character 1: there is no variable square here\n")

    def test_classes(self):
        """Signs of enumerations, and members of the same name."""
        _, trace, _ = self.record("classes", TARGETS[support.SHARE % 2], "-O0")
        self.printed(trace, 2, 3, PRINTED_CLASSES)
        self.assertRegex(self.wavetape("print", trace, "--stop", 2, "--lane", 3, "*(left *)&object").splitlines()[2],
                         f"= {re.escape('{root = {id = 42}, _vptr$left = 0x')}[0-9a-f]+, at_left = 1}}$")
        for expression, why in NOT_PRINTED_CLASSES.items():
            self.wavetape("print", trace, "--stop", 2, "--lane", 3, "--", expression, code=1, stdout="",
                          stderr=f"wavetape: cannot print: {expression}: {why}\n")
        shown = {variable["name"]: variable["values"][0]["value"] for variable in
                 self.json("locals", trace, "--stop", 2, "--lane", 3)["variables"] if "value" in variable["values"][0]}
        self.assertEqual(shown["twice"], {"members": [
            {"name": "front::base", "base": True, "value": {"x": 11}},
            {"name": "back::base", "base": True, "value": {"x": 22}},
            {"name": "union", "unnamed": True, "value": {"word": 3, "real": 3 * 2.0**-149}},
            {"name": "union #2", "unnamed": True, "value": {"big": 0x4004000000000000, "wide": 2.5}},
            {"name": "struct", "unnamed": True, "value": {"low": 1, "high": 2}},
            {"name": "tail", "value": 9}]})
        self.assertEqual(plain(shown["object"])["right"]["root"], {"id": 42})
        self.assertEqual(shown["packed"], {"first": "negative", "second": "BELOW", "third": -8, "fourth": 15})
        self.typed(trace, 2, TYPES_CLASSES)

    def typed(self, trace, stop, expected):
        """What `ptype` and `whatis` say."""
        for expression, kind in expected.items():
            text = self.wavetape("print", trace, "--stop", stop, "--lane", 3, "--", expression)
            self.assertEqual(text.split("\n", 2)[2], f"type = {kind}\n", expression)
            self.assertEqual(self.json("print", trace, "--stop", stop, "--lane", 3, expression)["type"], kind)

    def test_numbers(self):
        """Numbers that C does not have, and how each is written."""
        _, trace, _ = self.record("numbers", TARGETS[support.SHARE % 2], "-O0")
        self.printed(trace, 2, 3, PRINTED_NUMBERS)
        for expression, why in NOT_PRINTED_NUMBERS.items():
            self.wavetape("print", trace, "--stop", 2, "--lane", 3, "--", expression, code=1, stdout="",
                          stderr=f"wavetape: cannot print: {expression}: {why}\n")
        self.typed(trace, 2, TYPES_NUMBERS)
        told = self.json("locals", trace, "--stop", 2, "--lane", 3)
        self.assertEqual((told["file"], told["format"], told["stop"]), (str(trace), 3, 2))
        shown = {variable["name"]: variable["values"][0]["value"] for variable in told["variables"]}
        for name, value in JSON_NUMBERS.items():
            self.assertEqual(shown[name], value, name)
        self.assertEqual(shown["reference"]["value"], 30)
        self.assertEqual(plain(shown["chain"])["to"], 30)
        text = self.wavetape("locals", trace, "--stop", 2, "--lane", 3)
        self.assertRegex(text, r"\nint & reference = @0x[0-9a-f]+: 30\n")
        # A reference in what a reference refers to is not followed: it may lead round in a circle.
        self.assertRegex(text, r"\nrefers chain = \{to = @0x[0-9a-f]+: 30, self = @0x[0-9a-f]+: \{to = @0x[0-9a-f]+: <not followed: ")

    def test_nested(self):
        _, trace, _ = self.record("nested", TARGETS[support.SHARE % 2], "-O0")
        stops = {shown["frames"][0]["function"]: stop for stop, shown in reversed(list(self.stops(trace, "backtrace")))}
        for (function, frame), expected in PRINTED_NESTED.items():
            self.printed(trace, stops[function], 4, expected, "--frame", frame)
        for frame, name in ((0, "K"), (1, "inner_pair"), (5, "value_type")):
            self.wavetape("print", trace, "--stop", stops["level5"], "--frame", frame, f"sizeof({name})", code=1, stdout="",
                          stderr=f"wavetape: cannot print: sizeof({name}): at character 8: there is no variable {name} here\n")

        # Without --frame: the innermost frame in which all names mean something, and none if there is no such frame.
        for expression, (frame, value) in PRINTED_OUTWARDS.items():
            text = self.wavetape("print", trace, "--stop", stops["level5"], "--lane", 4, "--", expression).splitlines()
            of = f" (of {frame})" if frame[1] != "0" else ""
            self.assertEqual(text[1].split(" (inlined)")[0].split(" at ")[0], frame)
            self.assertEqual(text[2], f"(int) {expression}{of} = {value}")
            shown = self.json("print", trace, "--stop", stops["level5"], expression)["frame"]
            self.assertEqual(f"#{shown['frame']} {shown['function']}", frame)
        for expression, why in NOT_PRINTED_OUTWARDS.items():
            self.wavetape("print", trace, "--stop", stops["level5"], "--", expression, code=1, stdout="",
                          stderr=f"wavetape: cannot print: {expression}: {why}\n")
        self.wavetape("print", trace, "--stop", stops["level5"], "--frame", 0, "s4", code=1, stdout="",
                      stderr="wavetape: cannot print: s4: at character 1: there is no variable s4 here\n")

    def test_expressions(self):
        source, trace, _ = self.record("values", TARGETS[support.SHARE % 2], "-O0")
        line = [number for number, names in marks(source).items() if names[:2] == ["array", "vector"]][0]
        stop = [stop for stop, shown in self.stops(trace, "backtrace") if shown["frames"][0]["source"]["line"] == line][0]
        self.printed(trace, stop, 5, PRINTED)
        for expression, why in support.share(NOT_PRINTED.items()) if support.SMALL else NOT_PRINTED.items():
            self.wavetape("print", trace, "--stop", stop, "--lane", 5, "--", expression, code=1, stdout="",
                          stderr=f"wavetape: cannot print: {expression}: {why}\n")
        shown = self.json("print", trace, "--stop", stop, "pair->first + lane / 32")
        self.assertEqual(shown["type"], "int")
        self.assertEqual([(group["lanes"][0], group["lanes"][-1], group["value"]) for group in shown["values"]],
                         [(0, 31, 12), (32, 63, 13)])
        self.assertEqual(self.json("print", trace, "--stop", stop, "--frame", 1, "big + 1")["values"][0]["value"], (1 << 40) + 1)


if __name__ == "__main__":
    support.main(__doc__, parts=2)
