# SPDX-License-Identifier: MIT
"""`wavetape way`: every planted fault as a way that one can walk in, and the answers to questions on it."""

import importlib.util
import json
import os
import pathlib
import random
import re
import shutil
import subprocess

import support

LONG = "WAVETAPE_LONG" in os.environ


def neighbour(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), pathlib.Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


explain = neighbour("check-explain")


def registers_of(touch):
    """The names of the registers of a touch: those behind the first one, too."""
    first, words = touch["register"], touch["words"]
    if first.endswith("_lo"):
        return [first, f"{first[:-3]}_hi"][:words]
    letters = first.rstrip("0123456789")
    return [first] if letters == first else [f"{letters}{int(first[len(letters):]) + word}" for word in range(words)]


class Way(explain.Explain):
    def way(self, trace, *arguments):
        return json.loads(self.wavetape("way", "--json", trace, *arguments))


class Planted(Way):
    """Ends proved, and what a step is said to write is there behind it, whichever way one comes."""

    def check(self, fault, variant, number):
        trace = self.record(fault.workload(variant), f"{number}{variant}")
        last = self.way(trace, "--registers", "-n", "400")
        way = last["way"]
        self.assertEqual(way["found"], "why_not" not in way)
        if not way["found"]:
            return way
        self.assertEqual(last["position"], way["steps"])
        self.assertGreater(way["proved"], 10)
        self.assertLessEqual(way["proved"], way["recorded"])
        # Where it ends all is as it was recorded.
        self.assertEqual({found["status"] for found in last["registers"].values()}, {"recorded"})
        steps = {step["position"]: step for step in last["steps"]}
        self.assertEqual(sorted(steps), list(range(way["steps"] - len(steps), way["steps"])))
        written = list(self.written(steps, random.Random(number), last["registers"]))
        self.assertTrue(written)
        # The command itself says the same of one of them.
        for position, lane, name, value in written[:1]:
            behind = self.way(trace, "--registers", "-n", "0", "--at", str(position), "--lane", str(lane))
            self.assertEqual(behind["registers"][name], value, (position, name))
        self.check_directions(trace, last, number, written)
        return way

    def written(self, steps, chance, registers):
        """Where steps are behind them, and what they are said to have written: the lane, the register and its value."""
        chosen = sorted(steps)[:-1]
        for position in chance.sample(chosen, min(len(chosen), 400 if LONG else 30)):
            for touch in steps[position]["writes"]:
                # The lane that is looked at, or the one that the instruction writes.
                lane = touch.get("lane", steps[position]["lane"])
                for name, value in zip(registers_of(touch) if "register" in touch else [], touch.get("values", ())):
                    if name in registers:
                        yield position + 1, lane, name, value

    def check_directions(self, trace, last, number, written):
        """Forwards from a position to the end is what backwards from the end to it is, and so is any order; what was written is there."""
        place = self.directory / "written.json"
        place.write_text(json.dumps(written), encoding="utf-8")
        orders = 1000 if LONG else 50
        # A way of hundreds of thousands of steps takes a while in any order.
        done = support.run(*support.script("end-to-end/way-directions.py"), trace, last["stop"], last["wave"], number, orders, place,
                           *last["registers"], timeout=600 if LONG else support.TIMEOUT, PYTHONPATH=os.pathsep.join(
                               str(path) for path in (support.TREE.source / "tests", support.TREE.build / "tests/client",
                                                      support.TREE.build / "libwavetape/python")))
        self.assertEqual((done.code, done.stderr), (0, ""), done.stdout)
        compared, read_back = map(int, done.stdout.split())
        self.assertGreaterEqual(compared, orders)
        self.assertEqual(read_back, len(written))

    def test_faults(self):
        found, total, refused = 0, 0, {}
        faults = list(enumerate(explain.FAULTS))
        for number, fault in faults if LONG else support.share(faults[::6]):
            variants = (*explain.VARIANTS, *explain.LATER)
            for variant in variants if LONG else (explain.VARIANTS[number % 6], explain.LATER[number % 15]):
                with self.subTest(fault=number, kernel=fault.kernel, variant=variant):
                    way = self.check(fault, variant, number)
                    total += 1
                    found += way["found"]
                    if not way["found"]:
                        refused[f"{fault.kernel}{variant}"] = way["why_not"]
        self.assertGreaterEqual(found * 10, total * 9, refused)


class Questions(Way):
    def steps(self, found):
        return [step["position"] for step in found["steps"]]

    def test_text(self):
        self.wavetape("way", self.trace("oob-store"), "-n", "2", stdout="""\
stop 2, wave w3: the way from its launch, 17 instructions; proved: 334 of 527 register values; values of lane 61, whose access failed, where it is active
        15  oob-store.c:16            0x200000001950  v_lshl_add_u64 v[0:1], v[0:1], 2, s[8:9]      v0 = 0x2f4  v1 = 0x2100
        16  oob-store.c:16            0x200000001958  v_lshl_add_u64 v[0:1], v[2:3], 2, v[0:1]      v0 = 0x12f4  v1 = 0x2100
""")

    def test_lane(self):
        """Where none is named, that whose access failed, as far as it is active; and one that is named."""
        trace = self.trace("oob-store")
        values = [self.way(trace, "-n", "1", *lane)["steps"][0]["writes"][0]["values"][0]["value"]
                  for lane in ((), ("--lane", "61"), ("--lane", "62"), ("--lane", "0"))]
        self.assertEqual(values, ["0x12f4", "0x12f4", "0x12f8", "0x200"])
        self.wavetape("way", trace, "-n", "0", "--lane", "61", stdout="""\
stop 2, wave w3: the way from its launch, 17 instructions; proved: 334 of 527 register values
""")
        # Conditions and who wrote a variable are of that lane, too.
        unoptimised = self.trace("oob-store-O0")
        self.assertEqual(self.way(unoptimised, "--at", "1", "--when", "i == 189")["answer"], "found")
        self.assertEqual(self.way(unoptimised, "--at", "1", "--when", "i == 189", "--lane", "0")["answer"], "nowhere")

    def test_chosen_lane(self):
        """v_writelane and v_readlane mean one lane, which is none of those that are looked at."""
        trace = self.trace("oob-store-O0")
        steps = [step for step in self.way(trace, "-n", "60")["steps"] if re.match("v_(write|read)lane", step["code"]["instruction"])]
        self.assertEqual([step["code"]["instruction"].partition(" ")[0] for step in steps], ["v_writelane_b32"] * 2 + ["v_readlane_b32"] * 2)
        for step in steps:
            chosen = int(step["code"]["instruction"].rpartition(" ")[2])
            vector = next(touch for touch in (*step["writes"], *step["reads"]) if touch["register"] == "v0")
            self.assertEqual(vector, {"register": "v0", "words": 1, "lanes": f"0x{1 << chosen:x}", "lane": chosen,
                                      "values": [{"status": "known", "value": "0xffffffff"}]})
        shown = [self.wavetape("way", trace, "-n", "1", "--at", str(step["position"] + 1), *lane).splitlines()[1].rpartition("  ")[2]
                 for step in steps[:2] for lane in ((), ("--lane", "0"), ("--lane", "1"))]
        self.assertEqual(shown, ["v0 of lane 0 = 0xffffffff", "v0 = 0xffffffff", "v0 of lane 0 = 0xffffffff",
                                 "v0 of lane 1 = 0xffffffff", "v0 of lane 1 = 0xffffffff", "v0 = 0xffffffff"])

    def test_last_write(self):
        trace = self.trace("oob-store")
        found = self.way(trace, "--last-write", "v4", "-n", "1")
        self.assertEqual((found["answer"], found["position"]), ("found", 11))
        self.assertEqual(found["steps"][0]["writes"][0]["register"], "v4")
        found = self.way(trace, "--last-write", "s[8:9]", "-n", "1")
        self.assertEqual(found["answer"], "found")
        self.assertEqual(found["steps"][0]["writes"][0]["register"], "s8")
        # Nobody has: it is from the launch.
        self.assertEqual(self.way(trace, "--last-write", "s0", "--at", "0")["answer"], "nowhere")
        # Who reads what that wrote: v4 has the value that is stored, which nobody reads on the way.
        self.assertEqual(self.way(trace, "--first-read", "v4", "--at", "12")["answer"], "nowhere")
        found = self.way(trace, "--first-read", "v3", "--at", "10", "-n", "1")
        self.assertEqual((found["answer"], found["position"]), ("found", 13))

    def test_variables(self):
        trace = self.trace("oob-store-O0")
        found = self.way(trace, "--last-write", "i", "-n", "1")
        self.assertEqual(found["answer"], "found")
        step = found["steps"][0]
        self.assertEqual(step["code"]["source"]["line"], support.TREE.line_of("oob-store", "u32 i = global_id_x();"))
        self.assertEqual(step["writes"][0]["space"], "private")
        # From there on it has its value, and had none before.
        on = self.way(trace, "--at", "1", "--when", "i == 189", "--lane", "61")
        self.assertEqual(on["answer"], "found")
        self.assertEqual(on["position"], found["position"] + 1)
        back = self.way(trace, "--back", "--change", "i", "--lane", "61")
        self.assertEqual(back["answer"], "found")
        self.assertEqual(back["position"], found["position"])

    def test_places(self):
        trace = self.trace("oob-store-O0")
        line = support.TREE.line_of("oob-store", "index += stray;")
        on = self.way(trace, "--at", "0", "--to", f"oob-store.c:{line}", "-n", "1")
        back = self.way(trace, "--back", "--to", f"oob-store.c:{line}", "-n", "1")
        for found in on, back:
            self.assertEqual(found["answer"], "found")
            self.assertEqual(found["steps"][0]["code"]["source"]["line"], line)
        address = on["steps"][0]["code"]["address"]
        self.assertEqual(self.way(trace, "--at", "0", "--to", address)["position"], on["position"])
        self.assertEqual(self.way(trace, "--to", f"oob-store.c:{line}")["answer"], "nowhere")

    def test_read_and_written(self):
        """What a wave loads, changes and stores again was something else before."""
        found = self.way(self.trace("debug-trap"), "-n", "20")
        self.assertTrue(found["way"]["found"], found["way"])
        load = next(step for step in found["steps"] if step["code"]["instruction"].startswith("global_load_dword"))
        self.assertIn(load["writes"][0]["values"][0]["status"], ("not known",))

    def test_wrong(self):
        trace = self.trace("oob-store")
        for arguments, code, said in (
                (("--at", "18"), 1, f"wavetape: cannot go there: {trace}: the way ends at position 17\n"),
                (("--last-write", "nonsense"), 1,
                 f"wavetape: cannot follow: {trace}: nonsense: at character 1: there is no variable nonsense here\n"),
                (("--back",), 2, None), (("--to", "here"), 2, None), (("--lane", "64"), 2, None),
                (("--last-write", "v1", "--first-read", "v1"), 2, None)):
            done = support.wavetape("way", trace, *arguments)
            self.assertEqual(done.code, code, done)
            self.assertEqual(done.stdout, "")
            if said:
                self.assertEqual(done.stderr, said)

    def test_refused(self):
        """The difference that is met is named, where the recording is not of that code's doing."""
        found = self.way(self.trace("oob-store"), "--from", "stop")
        self.assertEqual(found["way"]["why_not"], "it has no recorded stop before")
        self.assertEqual((found["position"], found["steps"]), (0, []))


class Watches(Way):
    """A run until a variable changes, or is odd, ends where a walk that finds the value anew at each step says: from both ends, each variable."""

    LOOPS = ("grid_stride", "backwards", "overrun")  # go by the same code with other values

    def test_faults(self):
        walked, ended = 0, 0
        for number, fault in enumerate(explain.FAULTS):
            for variant in explain.VARIANTS if LONG else support.by_turn(number, ("-O0", "-gfx90a-O0")):
                if not LONG and fault.kernel not in self.LOOPS:
                    continue
                with self.subTest(fault=number, kernel=fault.kernel, variant=variant):
                    trace = self.record(fault.workload(variant), f"{number}{variant}")
                    done = support.run(support.TREE.build / "tests/end-to-end/way-watches", trace, 20000 if LONG else 1500, timeout=600)
                    self.assertEqual((done.code, done.stderr), (0, ""), done.stdout)
                    ways, runs = map(int, done.stdout.split())
                    walked += ways
                    ended += runs
        self.assertGreater(walked, 2)
        self.assertGreater(ended, 2 * walked)


class Between(Way):
    """A way that begins at an earlier stop of the wave, and has to meet the later one in every register."""

    FIRST, SECOND = 124, 164  # of matmul, before its loop and in it: two breakpoints of a debugger
    OTHERS = "executed again, the wave comes here with other registers than it had: "

    def between(self, trace, *arguments):
        """Of the wave that comes to the second breakpoint first, and of one of the others."""
        return [self.way(trace, "--from", "stop", "--stop", stop, "--wave", wave, *arguments) for stop, wave in ((4, 1), (5, 2))]

    def test_met(self):
        trace = self.halted("matmul", self.FIRST, self.SECOND)
        for found in self.between(trace, "-n", "100"):
            way = found["way"]
            self.assertTrue(way["found"] and way["from_stop"], way)
            # All that was recorded, since all of it was known at the stop before.
            self.assertEqual((way["proved"], way["steps"]), (way["recorded"], 7))
            self.assertGreater(way["recorded"], 3000)
            # The instruction that the breakpoint stood in the place of is executed.
            self.assertEqual([step["code"]["instruction"] for step in found["steps"]][:2], ["v_mov_b32_e32 v7, 0", "v_mov_b32_e32 v3, 0"])
            launch = self.way(trace, "--from", "launch", "--stop", found["stop"], "--wave", found["wave"], "-n", "7")
            self.assertTrue(launch["way"]["found"])
            self.assertFalse(launch["way"]["from_stop"])
            self.assertEqual([step["code"]["address"] for step in launch["steps"]], [step["code"]["address"] for step in found["steps"]])

    def test_round_a_loop(self):
        """The breakpoint of the later stop lies on the way, where the recorded code has it planted."""
        trace = self.halted("matmul", self.SECOND + 8, self.SECOND)
        found = self.way(trace, "--from", "stop", "--stop", "5", "--wave", "2", "-n", "0")["way"]
        self.assertTrue(found["found"] and found["from_stop"], found)
        self.assertGreater(found["steps"], 50)

    def test_refused(self):
        """A client changed a register in between: the wave does not come to what was recorded, and that register is named."""
        for change, said in (("v9=7", "v9 of lane 0 is 0x400, and was recorded as 0x7"),
                             ("s10=63", "s10 is 0x40, and was recorded as 0x3f")):
            with self.subTest(change=change):
                trace = self.halted("matmul", self.FIRST, change, self.SECOND)
                changed, other = (found["way"] for found in self.between(trace))
                self.assertEqual((changed["found"], changed.get("why_not")), (False, self.OTHERS + said))
                self.assertTrue(other["found"], other)
                launch = self.way(trace, "--from", "launch", "--stop", "4", "--wave", "1")["way"]
                self.assertEqual(launch.get("why_not"), self.OTHERS + said)


SCRIPT = """
import os, sys
import gdb
sys.path.insert(0, {modules!r})
os.environ["WAVETAPE_COMMAND"] = {command!r}
from wavetape_gdb import source, way
source.where = lambda: ["--stop", "2", "--wave", "3", {trace!r}]
class Tape(gdb.Command):
    def __init__(self):
        super().__init__("tape", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, True)
Tape()
way.define()
for command in {commands!r}:
    print(">", command)
    try:
        gdb.execute(command)
    except gdb.error as error:
        print("error:", error)
"""


class Debugger(Way):
    """The commands of GDB, in one that needs no library: which wave it shows is said in place of it."""

    def test_commands(self):
        if not shutil.which("gdb"):
            self.skipTest("no gdb is here")
        script = self.directory / "way-script.py"
        script.write_text(SCRIPT.format(
            modules=str(support.TREE.build / "cli/gdb"), command=str(support.TREE.command), trace=str(self.trace("oob-store")),
            commands=["tape way -n 1", "tape way 1", "tape way one", "tape last-write v7", "tape back", "tape back 3", "tape forth 4", "tape last-write v4", "tape back", "tape back 100",
                      "tape last-write s0", "tape back none", "tape last-write nothing"]), encoding="utf-8")
        done = subprocess.run(["gdb", "-batch", "-nx", "-x", script], capture_output=True, text=True, timeout=120, check=False)
        text = "".join(f"{line}\n" for line in done.stdout.splitlines() if not line.startswith("stop 2, wave w3: the way from"))
        shown = [re.sub(r" {2,}", " ", line).strip() for line in text.splitlines()]
        sum_step = "16 oob-store.c:16 0x200000001958 v_lshl_add_u64 v[0:1], v[2:3], 2, v[0:1] v0 = 0x12f4 v1 = 0x2100"
        self.assertEqual(shown, [
            "> tape way -n 1", sum_step,
            "> tape way 1", sum_step,
            "> tape way one", "error: wavetape way: --count takes a number, not 'one'",
            "Try `wavetape way --help' or `wavetape way --usage' for more information.",
            "> tape last-write v7", "Nothing on the way wrote it.",
            "> tape back", "15 oob-store.c:16 0x200000001950 v_lshl_add_u64 v[0:1], v[0:1], 2, s[8:9] v0 = 0x2f4 v1 = 0x2100",
            "> tape back 3", "12 oob-store.c:14 0x200000001944 s_nop 0",
            "> tape forth 4", "The wave stopped here.", sum_step,
            "> tape last-write v4", "11 oob-store.c:16 0x20000000193c v_lshl_add_u32 v4, v0, 1, v0 v4 = 0x237",
            "> tape back", "9 oob-store.c:14 0x200000001934 v_mov_b32_e32 v3, s6 v3 = 0x400",
            "> tape back 100", "The way begins here.",
            "> tape last-write s0", "Nothing on the way wrote it before instruction 0; `tape forth` goes on.",
            "> tape back none", "error: `tape back` takes a number of instructions, and 'none' is none.",
            "> tape last-write nothing",
            f"error: wavetape: cannot follow: {self.trace('oob-store')}: nothing: at character 1: there is no variable nothing here",
        ], done.stderr)


class Long(Way):
    """A way that is too long is kept at both ends."""

    def test_cut(self):
        code = support.TREE.build / "tests/bench/loop-gfx90a.co"
        if not code.exists():
            done = subprocess.run(["ninja", "-C", support.TREE.build, "tests/bench/loop-gfx90a.co"], capture_output=True, check=False)
            if done.returncode:
                self.skipTest("the kernel is not built")
        trace = self.record({
            "architecture": "gfx90a", "code_objects": [str(code)], "buffers": {"out": {"bytes": 64}},
            "dispatches": [{"kernel": "loop", "grid": [64, 1, 1], "workgroup": [64, 1, 1],
                            "arguments": [{"address": 0}, {"u32": 30000 if not LONG else 2000000}]}]}, "loop")
        found = self.way(trace, "--instructions", "30000000", "-n", "1")
        self.assertTrue(found["way"]["found"])
        if LONG:
            self.assertGreater(found["way"]["cut_count"], 1000000)
            cut = found["way"]["cut_from"]
            self.assertEqual(self.way(trace, "--instructions", "30000000", "--at", str(cut - 1))["position"], cut - 1)
            done = support.wavetape("way", trace, "--instructions", "30000000", "--at", str(cut))
            self.assertEqual(done.code, 1)
        short = self.way(trace, "--instructions", "1000")
        self.assertFalse(short["way"]["found"])
        self.assertIn("the wave's way is too long", short["way"]["why_not"])


if __name__ == "__main__":
    support.main(__doc__)
