# SPDX-License-Identifier: MIT
"""Short traces of a crash of which one byte has changed, or the end is missing: `info` says of the crash what it said before."""

import os
import random
import re
import sys

import repair
import support
from support import CHUNK, HEAD, Case, blocks, wavetape

# Faults of every kind of the simulated GPU, on both, with and without optimisation.
WORKLOADS = ("oob-store", "oob-store-O0", "oob-store-gfx90a", "oob-store-gfx90a-O0", "oob-load", "oob-load-O0", "oob-load-gfx90a",
             "illegal", "illegal-gfx90a-O0", "assert-trap-O0")
FLIPS = 100 if os.environ.get("WAVETAPE_LONG") else 8


class Flips(Case):
    def crash(self, path):
        """What `info` says from the crash on, without what it says of the damage."""
        result = wavetape("info", path)
        self.assertIn(result.code, (0, 3), result.stderr)
        text = result.stdout.partition("\ncrash ")[2]
        return re.sub(r"(?m)^damage .*\n", "", text)

    def each(self):
        for name in support.share(WORKLOADS):
            trace = self.trace(name)
            crash = self.crash(trace)
            self.assertTrue(crash, name)
            yield name, trace.read_bytes(), crash

    def test_flips(self):
        """Any one bit, of any byte."""
        generator, tried = random.Random(37), 0
        for name, whole, crash in self.each():
            damaged = self.directory / "damaged.wtape"
            for _ in range(FLIPS):
                place, bit = generator.randrange(len(whole)), generator.randrange(8)
                data = bytearray(whole)
                data[place] ^= 1 << bit
                damaged.write_bytes(data)
                self.assertEqual(self.crash(damaged), crash, (name, place, bit))
                tried += 1
        print(f"{tried} flips", file=sys.stderr)
        self.assertGreaterEqual(tried, 1000 if FLIPS == 100 and support.SHARE == 1 else FLIPS)

    def test_without_parity(self):
        """A trace that has nothing twice, as one that was packed again: what a flip costs is named, and nothing else is said of the crash."""
        generator, outcomes = random.Random(39), set()
        for name, whole, crash in self.each():
            packed, damaged = self.directory / "packed.wtape", self.directory / "damaged.wtape"
            self.wavetape("repack", self.trace(name), "-o", packed)
            for kind, alone in (("packed again", packed.read_bytes()), ("without parity", repair.without_parity(whole))):
                for _ in range(FLIPS):
                    place, bit = generator.randrange(len(alone)), generator.randrange(8)
                    data = bytearray(alone)
                    data[place] ^= 1 << bit
                    damaged.write_bytes(data)
                    result = wavetape("info", damaged)
                    said = re.sub(r"(?m)^damage .*\n", "", result.stdout.partition("\ncrash ")[2])
                    outcomes.add(said == crash)
                    if said != crash:
                        self.assertEqual(result.code, 3, (name, kind, place, bit))
                        self.assertRegex(result.stderr, r"\Awavetape: the trace is not whole: \S+: chunk \d+ at offset \d+ is damaged "
                                                        r"\(.*\): packets? \d.* (is|are) lost")
        self.assertEqual(outcomes, {True, False})

    def test_cuts(self):
        """Any cut behind the chunk of the stop."""
        generator = random.Random(38)
        for name, whole, crash in self.each():
            chunks = [(offset, size, int.from_bytes(whole[offset + 48 + 56:offset + 48 + 60], "little")) for offset, kind, size in blocks(whole)
                      if kind == CHUNK]
            stop = max(offset + HEAD + size for offset, size, moments in chunks if moments)
            for cut in (stop, stop + 1, len(whole) - 1, len(whole) - HEAD, *(generator.randrange(stop, len(whole)) for _ in range(FLIPS // 2))):
                short = self.directory / "short.wtape"
                short.write_bytes(whole[:cut])
                self.assertEqual(self.crash(short), crash, (name, cut, stop, len(whole)))

    def test_what_is_said(self):
        """A damaged chunk is told, and that nothing is lost; what is made of it again is whole."""
        whole = self.trace("oob-store").read_bytes()
        offset, size = next((offset, size) for offset, kind, size in blocks(whole) if kind == CHUNK)
        damaged, again = self.directory / "damaged.wtape", self.directory / "again.wtape"
        data = bytearray(whole)
        data[offset + HEAD + size // 2] ^= 4
        damaged.write_bytes(data)
        remark = f"chunk 1 at offset {offset} is damaged: nothing is lost, since the trace has it twice"
        result = wavetape("check", damaged)
        self.assertEqual(result.code, 3)
        self.assertIn(f"damaged: {remark}\n", result.stdout)
        self.assertIn("damaged, but nothing is lost", result.stdout)
        result = wavetape("stops", damaged)
        self.assertEqual((result.code, result.stderr), (3, f"wavetape: the trace is not whole: {damaged}: {remark}\n"))
        self.wavetape("recover", damaged, "-o", again, stderr=f"wavetape: the trace is not whole: {damaged}: {remark}\n")
        self.assertEqual(self.crash(again), self.crash(self.trace("oob-store")))


if __name__ == "__main__":
    support.main(__doc__)
