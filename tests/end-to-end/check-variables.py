#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`wavetape locals`, `print` and `backtrace` against kernels that write their own variables down (tests/variables).

At each of its marks a kernel stops and then writes the bytes of some of its variables to a log. What `locals` shows there in
each lane must be what was written, or a reason why it is not known: never anything else.
"""

import collections
import functools
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import unittest

import support

LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
TARGETS = ("gfx90a", "gfx942")
RECORDS, WORDS = 48, 192
LONG = os.environ.get("WAVETAPE_LONG")

COMPILERS = {
    ".c": ["clang-19", "-ffreestanding", "-std=gnu11"],
    ".cpp": ["clang++-19", "-ffreestanding", "-std=gnu++17"],
    ".cl": ["clang-19", "-x", "cl", "-cl-std=CL2.0", "-Xclang", "-finclude-default-header"],
}
PAIR = struct.pack("<if h6s Q", 12, -2.5, -7, b"hello", 0x123456789abcdef0)
# Of each kernel, behind the log.
ARGUMENTS = {
    "values": [{"i32": 9}, {"f32": 0.75}, {"bytes": PAIR.hex()}, {"u64": 1 << 40}],
    "flow": [{"i32": 6}, {"buffer": "data"}],
    "objects": [{"i32": 9}, {"f32": 0.75}],
    "memory": [{"i32": 9}, {"f32": 0.75}],
    "opencl": [{"i32": 6}, {"buffer": "table"}],
    "runtime": [{"i32": 6}, {"buffer": "table"}],
}

# What the sources declare: members of structures with their offsets in bits, their sizes in bits and types.
STRUCTURES = {
    "inner": [("low", 0, 16, "short"), ("text", 16, 48, "char[6]")],
    "pair": [("first", 0, 32, "int"), ("second", 32, 32, "float"), ("inner", 64, 64, "inner"),
             ("wide", 128, 64, "u64")],
    "bits": [("a", 0, 3, "u32"), ("b", 3, 9, "u32"), ("c", 12, 5, "int"), ("d", 17, 15, "u32")],
    "either": [("number", 0, 32, "int"), ("real", 0, 32, "float"), ("bytes", 0, 32, "u8[4]")],
    "list": [("next", 0, 64, "list *"), ("value", 64, 32, "int")],
    "cell": [("key", 0, 32, "int"), ("weights", 32, 64, "float[2]"), ("part", 96, 48, "part"), ("any", 160, 32, "any")],
    "part": [("low", 0, 16, "u16"), ("flags", 16, 24, "i8[3]")],
    "any": [("word", 0, 32, "u32"), ("halves", 0, 32, "u16[2]"), ("real", 0, 32, "float")],
    "node": [("next", 0, 32, "local node *"), ("value", 32, 32, "int")],
    "word": [("fields", 0, 32, "fields"), ("whole", 0, 32, "u32")],
    "fields": [("first", 0, 8, "u8"), ("second", 8, 8, "u8"), ("rest", 16, 16, "i16")],
    "mixed": [("key", 0, 32, "int"), ("color", 128, 128, "float4"), ("pair", 256, 32, "short2"), ("text", 288, 32, "char[4]")],
    "tile<float, 3U>": [("cells", 0, 96, "float[3]"), ("used", 96, 32, "u32")],
    "dim3": [("x", 0, 32, "u32"), ("y", 32, 32, "u32"), ("z", 64, 32, "u32")],
    "base": [("id", 0, 32, "int"), ("what", 32, 8, "kind")],
    "box<float, 3>": [("base", 0, 64, "base"), ("items", 64, 96, "float[3]"), ("total", 160, 32, "float")],
}
SIZES = {"cell": 24, "part": 6, "any": 4, "node": 8, "word": 4, "fields": 4, "mixed": 48, "tile<float, 3U>": 16, "dim3": 12, "base": 8, "box<float, 3>": 24, "inner": 8, "pair": 24, "bits": 4, "either": 4, "list": 16}
NUMBERS = {
    "i8": "b", "u8": "B", "char": "b", "i16": "h", "short": "h", "u16": "H", "int": "i", "length_t": "i", "u32": "I",
    "i64": "q", "u64": "Q", "unsigned long": "Q", "unsigned int": "I", "uint": "I", "size_t": "Q", "float": "f", "double": "d", "_Float16": "e", "_Bool": "?",
}
VECTOR = r"(float|short|uint)([24])"
COLORS = {0: "RED", 5: "GREEN", -3: "BLUE"}
KINDS = {0: "circle", 7: "square"}


def size_of(name):
    if name.endswith("*"):
        return 4 if re.fullmatch(r"(local|private) [^*]*\*", name) else 8
    array = re.fullmatch(r"([\w *]+)\[(\d+)\](.*)", name)
    if array:
        return int(array[2]) * size_of((array[1] + array[3]).strip())
    vector = re.fullmatch(VECTOR, name)
    if vector:
        return int(vector[2]) * size_of(vector[1])
    if name in ("color", "kind"):
        return {"color": 4, "kind": 1}[name]
    return SIZES.get(name) or struct.calcsize(NUMBERS[name])


def decode(name, data):
    """The value of a type in bytes, as --json has it."""
    if name.endswith("*"):
        return hex(int.from_bytes(data, "little"))
    vector = re.fullmatch(VECTOR, name)
    if vector:
        return list(struct.unpack(f"<{vector[2]}{NUMBERS[vector[1]]}", data))
    if name == "color":
        return COLORS[struct.unpack("<i", data)[0]]
    if name == "kind":
        return KINDS.get(data[0], data[0])
    array = re.fullmatch(r"([\w *]+)\[(\d+)\](.*)", name)
    if array:
        element = (array[1] + array[3]).strip()
        size = size_of(element)
        if element == "char" and data.rstrip(b"\0").isascii() and b"\0" not in data.rstrip(b"\0"):
            return data.rstrip(b"\0").decode()
        return [decode(element, data[i * size:(i + 1) * size]) for i in range(int(array[2]))]
    if name in STRUCTURES:
        number = int.from_bytes(data, "little")
        result = {}
        for member, offset, bits, kind in STRUCTURES[name]:
            part = number >> offset & (1 << bits) - 1
            if kind == "int" and bits < 32 and part >> bits - 1:
                part -= 1 << bits
            result[member] = (part if bits % 8 or kind in ("int", "u32") and bits < 32 else
                              decode(kind, part.to_bytes(bits // 8, "little")))
        return result
    return struct.unpack("<" + NUMBERS[name], data)[0]


def same(shown, written):
    """Is a value that is shown what was written, as far as it says what it is? Returns how many numbers of it were shown."""
    if isinstance(shown, dict) and set(shown) == {"unknown"}:
        return 0
    if isinstance(written, dict):
        assert set(shown) == set(written), (shown, written)
        return sum(same(shown[name], written[name]) for name in written)
    if isinstance(shown, str) and isinstance(written, list):
        # Numbers of eight bits that could be text.
        shown = [ord(character) for character in shown.ljust(len(written), "\0")]
    if isinstance(written, str) and isinstance(shown, list):
        written = [ord(character) for character in written.ljust(len(shown), "\0")]
    if isinstance(written, list):
        assert len(shown) == len(written), (shown, written)
        return sum(same(*both) for both in zip(shown, written))
    if isinstance(written, float) and written != written:
        assert shown == "nan", (shown, written)
        return 1
    if isinstance(written, int) and not isinstance(written, bool) and written > (1 << 63) - 1:
        shown = int(shown)
    assert shown == written and isinstance(shown, bool) == isinstance(written, bool), (shown, written)
    return 1


@functools.cache
def marks(source):
    """The variables of each MARK, by line, and the lines in the order of the source."""
    found = {}
    for number, line in enumerate(source.read_text("utf-8").splitlines(), 1):
        mark = re.search(r"\bMARK\((.*?)\);", line)
        if mark:
            found[number] = [name.strip() for name in mark[1].split(",")]
    assert len(found) >= 4, source
    return found


class Variables(support.Case):
    """Every variable at every mark, in every lane."""

    def compile(self, name, target, level):
        source = next((support.TREE.source / "tests/variables").glob(f"{name}.*"))
        output = self.directory / f"{name}{level}-{target}.co"
        common = ["-g", level, "-ffp-contract=off", f"-ffile-prefix-map={support.TREE.source}/=", "-o", output, source]
        if source.suffix == ".hip":
            subprocess.run(["hipcc", f"--offload-arch={target}", "--genco", "-std=c++17", *common], check=True)
            subprocess.run(["clang-offload-bundler-19", "--unbundle", "--type=o", f"--input={output}", f"--output={output}",
                            f"--targets=hipv4-amdgcn-amd-amdhsa--{target}"], check=True)
        else:
            subprocess.run([*COMPILERS[source.suffix], "-target", "amdgcn-amd-amdhsa", "-nogpulib", f"-mcpu={target}",
                            "-fuse-ld=lld", "--ld-path=ld.lld-19", *common], check=True)
        return source, output

    def record(self, name, target, level):
        """A trace with a stop at each mark, and the log of each lane as a list of records."""
        source, code = self.compile(name, target, level)
        workload = self.directory / "workload.json"
        workload.write_text(json.dumps({
            "architecture": target, "code_objects": [str(code)],
            "buffers": {"log": {"bytes": 64 * RECORDS * WORDS * 4},
                        "data": {"bytes": 256, "fill": {"iota": {"type": "u32", "start": 3, "step": 5}}},
                        "table": {"bytes": 256, "fill": {"iota": {"type": "f32", "start": -1, "step": 0.75}}}},
            "dispatches": [{"kernel": name, "grid": [64, 1, 1], "workgroup": [64, 1, 1],
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
                numbers = same(groups[0]["value"], decode(kind, data))
            except AssertionError as error:
                counts["wrong"] += 1
                self.wrong.append((where, name, lane, str(error)))
                continue
            counts["known" if numbers else "unknown"] += 1

    def stops(self, trace, verb, *arguments):
        """What a verb shows at each stop where a wave stands."""
        for stop in range(1, len(self.json("stops", trace)) + 1):
            result = support.wavetape(verb, trace, "--stop", stop, "--json", *arguments)
            if result.code == 1 and "no wave is stopped" in result.stderr:
                continue
            self.assertEqual((result.code, result.stderr), (0, ""))
            yield stop, json.loads(result.stdout)

    def check(self, name, target, level):
        source, trace, log = self.record(name, target, level)
        lines, counts = marks(source), collections.Counter()
        self.wrong, position, seen = [], [0] * 64, set()
        for stop, shown in self.stops(trace, "locals"):
            line = shown["frame"]["source"]["line"]
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
        cells = [(name, target, level) for name in ARGUMENTS if name != "runtime" for target in TARGETS for level in LEVELS]
        if shutil.which("hipcc"):
            # Debian's hipcc is of clang 15, which does not compile this for size.
            cells += [("runtime", "gfx90a", level) for level in LEVELS if level != "-Os"]
        if LONG:
            return cells
        # HIP costs most; it has a test of its own.
        plain = [cell for cell in cells if cell[2] == "-O0" and cell[0] != "runtime"]
        return [plain[support.SHARE % len(plain)], ("memory", TARGETS[support.SHARE % 2], "-O2")]

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
                expected = [where] if where == "flow" else [where, "flow"]
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
        cells = cells if LONG else [("gfx90a", "-O2")]
        for target, level in cells:
            trace = self.check_frames(target, level)
            if LONG or level == "-O2":
                self.check_callers(trace, level)

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
        self.wavetape("locals", trace, "--stop", 2, "--frame", 7, code=1, stdout="",
                      stderr=f"wavetape: cannot show variables: {trace}: there is no frame 7: wave 1 has 1\n")
        self.wavetape("locals", trace, "--stop", 1, code=1, stdout="",
                      stderr=f"wavetape: cannot show variables: {trace}: no wave is stopped at this stop\n")
        result = support.wavetape("locals", trace, "--lane", 64)
        self.assertEqual(result.code, 2)
        self.assertIn("--lane takes 0 to 63, not '64'", result.stderr)
        result = support.wavetape("backtrace", trace, "--all", "--wave", 1)
        self.assertEqual(result.code, 2)


class Beginning(support.Case):
    def test_before_the_body(self):
        """At a breakpoint on its first instruction a function has not stored its parameters yet."""
        trace = self.directory / "entry.wtape"
        for name in ("oob-store-O0", "oob-store-gfx90a-O0"):
            trace.unlink(missing_ok=True)
            self.client("record", "--break", "oob_store", "--steps", "1", WAVETAPE_TRACE=trace,
                        WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], WAVETAPE_WORKLOAD=support.TREE.workload(name))
            stops = self.json("stops", trace)
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
    "lane == 5 && !0 || 1 / 0": "(int) <not known: a division by zero>",
    "((u8 *)pair)[12]": "(u8) 108 'l'",
    "sizeof(struct pair) - sizeof array": "(unsigned long) 4",
    "2 + 3 * 4 << 1": "(int) 28",
    "3 - 1 - 1": "(int) 1",
    "0xffffffff + 1": "(unsigned int) 0",
    "-7 / 2 + -7 % 2": "(int) -4",
    "(i8)200": "(i8) -56",
    "$exec + 1": "(unsigned long) 0",
    "*(double *)8": "(double) <not recorded>",
    "written[2]": "(u32) <unknown location: the compiler does not say where in local memory it is>",
}
NOT_PRINTED = {
    "x": "at character 1: there is no variable x here",
    "1 +": "at character 4: something is missing at the end",
    "lane.x": "at character 7: this has no members, so no x",
    "copy.third": "at character 11: it has no member third",
    "(lane": "at character 6: ')' is missing",
    "lane)": "at character 5: this cannot stand here",
    "*lane": "at character 6: this is no pointer",
    "&bits.a": "at character 8: a bit field has no address",
    "copy + 1": "at character 9: this is no number",
    "$v999": "at character 6: there is no register v999 of up to 8 bytes",
    "1 " + "+ (1 " * 30 + ")" * 30: "at character 121: it is nested too deeply",
}


class Print(Variables):
    test_values = test_hip = None

    def test_expressions(self):
        source, trace, _ = self.record("values", TARGETS[support.SHARE % 2], "-O0")
        line = [number for number, names in marks(source).items() if names[:2] == ["array", "vector"]][0]
        stop = [stop for stop, shown in self.stops(trace, "backtrace") if shown["frames"][0]["source"]["line"] == line][0]
        for expression, expected in support.share(PRINTED.items()) if support.SMALL else PRINTED.items():
            kind, value = re.fullmatch(r"(\(.*?\)) (.*)", expected).groups()
            text = self.wavetape("print", trace, "--stop", stop, "--lane", 5, "--", expression)
            self.assertEqual(text.splitlines()[2], f"{kind} {expression} = {value}")
        for expression, why in support.share(NOT_PRINTED.items()) if support.SMALL else NOT_PRINTED.items():
            self.wavetape("print", trace, "--stop", stop, "--lane", 5, "--", expression, code=1, stdout="",
                          stderr=f"wavetape: cannot print: {expression}: {why}\n")
        shown = self.json("print", trace, "--stop", stop, "pair->first + lane / 32")
        self.assertEqual(shown["type"], "int")
        self.assertEqual([(group["lanes"][0], group["lanes"][-1], group["value"]) for group in shown["values"]],
                         [(0, 31, 12), (32, 63, 13)])
        self.assertEqual(self.json("print", trace, "--stop", stop, "--frame", 1, "big + 1")["values"][0]["value"], (1 << 40) + 1)


if __name__ == "__main__":
    support.main(__doc__)
