# SPDX-License-Identifier: MIT
"""`wavetape what-if`: a dispatch that goes on from a stop comes out as the program did, and with other values as it would have."""

import json
import os
import random

import support
from support import Case, run

LONG = "WAVETAPE_LONG" in os.environ
VARIANTS = ("", "-O0", "-gfx90a", "-gfx90a-O0")
FIRST_BUFFER, ALIGNMENT = 0x210000000000, 0x10000


class WhatIf(Case):
    def what_if(self, trace, *arguments):
        return self.json("what-if", trace, *arguments)

    def record(self, workload, name, *arguments):
        """A trace of a workload by our agent, with all memory of its dispatch."""
        if not isinstance(workload, dict):
            workload = support.TREE.workload(workload)
        else:
            place = self.directory / f"{name}.json"
            place.write_text(json.dumps(workload), encoding="utf-8")
            workload = place
        trace = self.directory / f"{name}.wtape"
        done = support.wavetape("record", "--waves", "all", "--memory", "all", "-o", trace, *arguments, "--workload", workload)
        self.assertEqual(done.code, 0, done.stderr)
        return trace


class Goes(WhatIf):
    """From wherever a dispatch was stopped, it comes out as it does when nobody stops it."""

    def instructions(self, name):
        """The offsets of the instructions of its only kernel."""
        workload = json.loads(support.TREE.workload(name).read_text("utf-8"))
        kernel = workload["dispatches"][0]["kernel"]
        listing = self.json("disassemble", self.trace(name), "--kernel", kernel)["instructions"]
        first = int(listing[0]["address"], 16)
        return [int(line["address"], 16) - first for line in listing if line["symbol"]["name"] == kernel]

    def expected(self, name):
        """Bytes of each buffer by its address, as the program leaves them without a debugger."""
        buffers, address, saves = {}, FIRST_BUFFER, []
        for buffer, size in support.TREE.buffers(name).items():
            buffers[buffer] = address
            address = (address + size + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT + ALIGNMENT
            saves += ["--save", f"{buffer}={self.directory / buffer}"]
        done = support.wavetape("simulate", support.TREE.workload(name), *saves)
        self.assertEqual(done.code, 0, done.stderr)
        return {address: (self.directory / buffer).read_bytes() for buffer, address in buffers.items()}

    def recorded(self, trace, address, size):
        """What was recorded there, and which bytes of it were."""
        place = self.directory / "memory"
        done = support.wavetape("memory", trace, hex(address), size, "-o", place)
        return place.read_bytes() if done.code == 0 else b""

    def check(self, name, offset):
        trace = self.halted(name, offset)
        if not trace:
            return False
        found = self.what_if(trace)
        self.assertEqual({wave["outcome"]["end"] for wave in found["waves"]}, {"ended"}, (name, offset))
        expected = self.expected(name)
        for address, wanted in expected.items():
            before = self.recorded(trace, address, len(wanted))
            after = bytearray(before.ljust(len(wanted), b"\0"))
            for difference in found["memory"]:
                at, content = int(difference["address"], 16) - address, bytes.fromhex(difference["outcome"])
                if 0 <= at < len(wanted):
                    self.assertEqual(len(content), difference["bytes"])
                    after[at:at + len(content)] = content
            self.assertEqual(bytes(after)[:len(before)], wanted[:len(before)], (name, offset, hex(address)))
        return True

    def names(self):
        for name in support.TREE.all_good_workloads():
            workload = json.loads(support.TREE.workload(name).read_text("utf-8"))
            if len(workload["dispatches"]) == 1 and name not in support.FAULTS and name != "unloads":
                yield name

    def test_workloads(self):
        names, checked = list(self.names()), 0
        self.assertGreater(len(names), 30)
        chance = random.Random(38)
        for number, name in enumerate(names if LONG else support.share(names[::5])):
            for variant in VARIANTS if LONG else VARIANTS[number % 4:][:1]:
                with self.subTest(workload=name + variant):
                    offsets = self.instructions(name + variant)
                    for offset in chance.sample(offsets, min(len(offsets), 2 if LONG else 1)):
                        checked += self.check(name + variant, offset)
        self.assertGreater(checked, 0)

    def test_waves_of_32_lanes(self):
        """GPUs that have such waves, and the same ones with waves of 64 lanes."""
        names = [name + variant for name in self.names() for variant in ("-gfx1100", "-gfx1100-O0", "-gfx1100-w64")
                 if support.TREE.workload(name + variant).exists()]
        self.assertGreater(len(names), 100)
        chance, checked = random.Random(32), 0
        for name in names if LONG else support.share(names[::9]):
            with self.subTest(workload=name):
                checked += self.check(name, chance.choice(self.instructions(name)))
        self.assertGreater(checked, 0)

    def test_order(self):
        """A seed changes who takes turns, and nothing that comes out of a program without races; the same seed is the same run."""
        trace = self.halted("matmul", 164)
        one, other, again = (self.what_if(trace, "--seed", seed) for seed in (7, 8, 7))
        self.assertEqual(one, again)
        self.assertEqual((one["seed"], one["memory"]), (7, other["memory"]))
        self.assertEqual((len(one["waves"]), one["not_begun"]), (64, 12))
        self.assertEqual(sum("wave" not in wave for wave in one["waves"]), 48)


class Changes(WhatIf):
    """What a change does, and what it leaves alone."""

    STORE = 0x2100000012f4

    def outcome(self, trace, *arguments):
        found = self.what_if(trace, *arguments)
        wave = found["waves"][0]
        return found, wave["outcome"], wave.get("without")

    def test_text(self):
        trace = self.record("oob-store", "text")
        content = trace.read_bytes()
        self.wavetape("what-if", trace, "--set", "v[0:1]=0x210000000000", stdout="""\
what if from stop 2 on: v[0:1]=0x210000000000 in wave w3
dispatch 1, kernel oob_store: 1 wave of the stop
waves: 1 ended; 2 instructions
  w3 (0,0,0)/2: ended; without the change stopped: memory violation at oob_store+0x60 at tests/kernels/oob-store.c:16:13: \
stores to 0x2100000012f4, lanes 61-63 (global address not accessible)
memory: 2 bytes differ from the recording, 2 from what comes without the change
  0x210000000000 +4  00000000 -> 3d020000; without the change 00000000
""")
        self.assertEqual(trace.read_bytes(), content)

    def test_registers_of_32_lanes(self):
        trace = self.record("oob-store-gfx1100-O0", "lanes")
        _, outcome, without = self.outcome(trace)
        self.assertEqual((outcome["end"], int(outcome["address"], 16), outcome["lanes"], without), ("stopped", self.STORE, [29, 30, 31], None))
        found, outcome, _ = self.outcome(trace, "--set", "v[1:2]=0x210000000000")
        self.assertEqual((outcome["end"], [(line["address"], line["outcome"]) for line in found["memory"]]),
                         ("ended", [("0x210000000000", "3d020000")]))
        result = support.wavetape("what-if", trace, "--set", "v0[32]=1")
        self.assertEqual((result.code, result.stdout, result.stderr),
                         (1, "", f"wavetape: cannot set: {trace}: v0[32]=1: the wave has 32 lanes\n"))

    def test_nothing(self):
        """Without a change the wave stops again where it did."""
        trace = self.record("oob-store", "nothing")
        found, outcome, without = self.outcome(trace)
        self.assertEqual((outcome["end"], outcome["reasons"], int(outcome["address"], 16), outcome["lanes"], without),
                         ("stopped", "MEMORY_VIOLATION", self.STORE, [61, 62, 63], None))
        self.assertEqual((found["memory"], found["changes"], found["bytes_from_recording"]), ([], [], 0))
        recorded = self.json("waves", trace)["waves"][0]
        self.assertEqual(outcome["code"]["address"], recorded["code"]["address"])

    def test_lanes(self):
        """The other lanes keep what they have."""
        trace = self.record("oob-store", "lanes")
        by_option = self.what_if(trace, "--set", "v[0:1]=0x210000000000", "--lane", "61")
        self.assertEqual(by_option["waves"][0]["outcome"]["lanes"], [62, 63])
        masked = self.what_if(trace, "--set", "exec=0x0fffffffffffffff", "--set", "v4[3]=0x55")
        self.assertEqual(masked["waves"][0]["outcome"]["end"], "ended")
        values = {int(difference["address"], 16) + 4 * i: difference["outcome"][8 * i:8 * i + 8]
                  for difference in masked["memory"] for i in range(difference["bytes"] // 4)}
        # Lane 3 is work-item 128 + 3; the one behind it has three times its number.
        self.assertEqual(values[0x210000000000 + 4 * 131], "55000000")
        self.assertEqual(int.from_bytes(bytes.fromhex(values[0x210000000000 + 4 * 132]), "little"), 3 * 132)

    def test_memory(self):
        trace = self.record("oob-store", "memory")
        found = self.what_if(trace, "--set", "0x210000000008:8=-2", "--set", "exec=0")
        self.assertEqual([(int(difference["address"], 16), difference["outcome"]) for difference in found["memory"]],
                         [(0x210000000008, "feffffffffffffff")])
        self.assertEqual(found["waves"][0]["differs"], True)

    def test_variables(self):
        """In private memory, of lanes for themselves, as a number with a point too."""
        trace = self.record("oob-store-O0", "variables")
        for where in ("index=3", "index=0x3"):
            found = self.what_if(trace, "--set", where, "--lane", "61")
            self.assertEqual(found["waves"][0]["outcome"]["end"], "stopped")
        trace = self.halted("saxpy-O0", self.offset_of(trace, "saxpy-O0", "y[i]"))
        plain = self.what_if(trace)
        changed = self.what_if(trace, "--set", "a=0.0")
        self.assertEqual({wave["outcome"]["end"] for wave in changed["waves"]}, {"ended"})
        self.assertNotEqual(plain["memory"], changed["memory"])

    def offset_of(self, _trace, name, text):
        """The first instruction of a line of a workload's kernel."""
        kernel = json.loads(support.TREE.workload(name).read_text("utf-8"))["dispatches"][0]["kernel"]
        line = support.TREE.line_of(kernel, text)
        listing = self.json("disassemble", self.trace(name), "--kernel", kernel)["instructions"]
        return next(int(found["address"], 16) - int(listing[0]["address"], 16) for found in listing
                    if found.get("source", {}).get("line") == line)

    def test_pc(self):
        """Past the store: nothing is stored."""
        trace = self.record("oob-store", "pc")
        found = self.what_if(trace, "--set", "pc=0x200000001968")
        self.assertEqual((found["waves"][0]["outcome"]["end"], found["memory"], found["instructions"]), ("ended", [], 1))

    def test_limit(self):
        trace = self.halted("matmul", 164)
        found = self.what_if(trace, "--instructions", "100")
        self.assertTrue(found["limit_reached"])
        self.assertIn("runs", {wave["outcome"]["end"] for wave in found["waves"]})

    def test_wrong(self):
        trace = self.record("oob-store", "wrong")
        for change, why in (
                ("v200=1", "wave w3 has no such register"),
                ("s[4:6]=1", "wave w3 has no such register"),
                ("v4=99999999999", "the value does not fit in 32 bits"),
                ("v4=-2147483649", "the value does not fit in 32 bits"),
                ("v4=many", "the value is no number"),
                ("scc=2", "the value does not fit in 1 bit"),
                ("v4[64]=1", "the wave has 64 lanes"),
                ("pc=0x200000001961", "no instruction is at such an address"),
                ("nothing=1", "at character 1: there is no variable nothing here"),
                ("index=1", "optimized out"),
                ("0x1000=1", "there is no such memory, or it was not recorded"),
                ("0x210000000000:3=1", "of memory 1, 2, 4 or 8 bytes are set"),
                ("local 0=1", "there is no such memory, or it was not recorded")):
            with self.subTest(change=change):
                self.wavetape("what-if", trace, "--set", change, code=1, stdout="",
                              stderr=f"wavetape: cannot set: {trace}: {change}: {why}\n")
        for change in "v4", "=1", "v4=":
            self.wavetape("what-if", trace, "--set", change, code=1, stdout="",
                          stderr=f"wavetape: cannot set: {trace}: {change}: a change is WHAT=VALUE, as v3=0\n")
        self.wavetape("what-if", trace, "--stop", "9", code=2, stdout="",
                      stderr=f"wavetape: cannot show the stop: {trace}: there is no stop 9: the trace has 2, counted from 1\n")
        self.wavetape("what-if", trace, "--wave", "77", code=2, stdout="",
                      stderr=f"wavetape: cannot go on: {trace}: there is no wave 77 at this stop; `wavetape waves` lists them\n")
        for arguments in ("--lane", "64"), ("--seed", "x"), ("--instructions", "-1"), ("--seconds", "100000"):
            self.assertEqual(support.wavetape("what-if", trace, *arguments).code, 2, arguments)


class Refused(WhatIf):
    """What is missing is named, and nothing is made up in its place."""

    def refuse(self, trace, pattern, *arguments):
        done = support.wavetape("what-if", trace, *arguments)
        self.assertEqual((done.code, done.stdout), (1, ""))
        self.assertRegex(done.stderr, rf"\Awavetape: cannot go on from the stop: {trace}: {pattern}\n\Z")

    def test_memory(self):
        self.refuse(self.record("oob-store", "none", "--memory", "none"),
                    r"a wave stores to 4 bytes at 0x210000000000, which were not recorded: a recording with `memory=all` may have them",
                    "--set", "v[0:1]=0x210000000000")

    def test_registers(self):
        self.refuse(self.record("matmul-short-buffer", "faulting", "--waves", "faulting"),
                    r"not all registers of wave w1 were recorded: a recording with --waves all has them")

    def test_running(self):
        self.refuse(self.record("debug-trap", "running"), r"wave w2 was running, so that its registers are not known")

    def test_private(self):
        trace = self.record("oob-store-O0", "private", "--memory", "none")
        self.refuse(trace, r"of the private memory of wave w3 0 of \d+ bytes were recorded: a recording with `memory=all` has more")


if __name__ == "__main__":
    support.main(__doc__)
