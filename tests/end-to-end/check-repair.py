# SPDX-License-Identifier: MIT
"""check and recover: damage anywhere in a trace is named, and what is whole is kept."""

import json
import random
import re
import signal
import unittest

import support
from repair import Repair, unpacked, without_parity
from support import CHUNK, HEAD, blocks, crc32c, wavetape

INDEX, GAP = 3, 6


def gap_head(data):
    """A head behind a whole trace that belongs to it: its first one, as that of a GAP without a payload."""
    head = bytearray(data[:HEAD])
    head[16:18] = GAP.to_bytes(2, "little")
    head[32:40] = bytes(8)
    head[40:48] = len(data).to_bytes(8, "little")
    head[120:124] = bytes(4)
    head[124:] = crc32c(head[:124]).to_bytes(4, "little")
    return bytes(head)


class Whole(Repair):
    def test_every_workload(self):
        for name in support.TREE.good_workloads():
            with self.subTest(workload=name):
                report = self.check(self.trace(name), 0)
                information = self.json("info", self.trace(name))
                self.assertEqual(report["calls"], {"count": information["calls"], "lost": 0})
                self.assertEqual(report["stops"], len(self.json("stops", self.trace(name))["stops"]))
                self.assertEqual((report["closed"], report["loss"]), (True, False))
                self.assertEqual(report["file_bytes"], self.trace(name).stat().st_size)
                self.assertEqual(report["unpacked_bytes"], len(unpacked(self.trace(name))))

    def test_chunks_and_indexes(self):
        data = self.long_trace().read_bytes()
        kinds = [kind for _, kind, _ in blocks(data)]
        report = self.check(self.long_trace(), 0)
        self.assertEqual(report["chunks"], {"count": kinds.count(CHUNK), "lost": 0})
        self.assertEqual(report["indexes"], kinds.count(INDEX))
        self.assertGreaterEqual(kinds.count(INDEX), 1)

    def test_recovering_what_is_whole(self):
        """Nothing is lost and nothing is added."""
        result = wavetape("recover", self.trace("scan"), "-o", self.output, "--json")
        self.assertEqual((result.code, result.stderr), (0, ""))
        self.assertTrue(json.loads(result.stdout)["packets_unchanged"])
        self.assertEqual(unpacked(self.output), unpacked(self.trace("scan")))
        self.check(self.output, 0)


class Flipped(Repair):
    def test_every_flip_is_noticed(self):
        """No byte of a trace that was closed is without a checksum."""
        generator = random.Random(5)
        whole = self.trace("oob-store").read_bytes()
        places = [0, 4, 8, 13, 127, len(whole) - 1, *(generator.randrange(len(whole)) for _ in range(24))]
        tried = support.share(places)
        for place in tried:
            with self.subTest(place=place):
                data = bytearray(whole)
                data[place] ^= 1 << generator.randrange(8)
                self.damaged.write_bytes(data)
                report = self.check(self.damaged, 3)
                recovered = self.recover(report["loss"])
                self.assertEqual(recovered["moments"],
                                 report["moments"]["count"] - report["moments"]["lost"])
                self.kept_stops_are_as_they_were(self.trace("oob-store"))
                if not report["loss"]:
                    self.assertEqual(unpacked(self.output), unpacked(self.trace("oob-store")))
                # A trace so small has each chunk twice.
                self.assertFalse(report["loss"], report["damage"])

    def damage(self, offset):
        data = bytearray(without_parity(self.long_trace().read_bytes()))
        data[offset] ^= 0x20
        self.damaged.write_bytes(data)

    def test_heads_and_indexes_cost_nothing(self):
        for offset, kind, _ in support.share(
                (offset, kind, size) for offset, kind, size in blocks(self.long_trace().read_bytes())
                if kind != CHUNK or offset % 11 == 0):
            with self.subTest(offset=offset, kind=kind):
                self.damage(offset + 40)
                report = self.check(self.damaged, 3)
                self.assertFalse(report["loss"])
                self.assertTrue(any(piece.get("offset") == offset for piece in report["damage"]),
                                report["damage"])
                self.recover(False)
                self.assertEqual(unpacked(self.output), unpacked(self.long_trace()))

    def test_more_than_can_be_listed(self):
        """What is beyond the list is counted; nothing is counted twice where opening the file has found it already."""
        data = bytearray(self.trace("oob-store").read_bytes())
        for _ in range(5000):
            data += gap_head(data) + b"\xff" * HEAD
        self.damaged.write_bytes(data)
        report = self.check(self.damaged, 3)
        self.assertEqual(len(report["damage"]), 4096)
        # The holes, and that the footer is not at the end.
        self.assertEqual(report["damage_not_listed"], 5001 - 4096)
        lines = wavetape("check", self.damaged).stdout.splitlines()
        self.assertEqual(lines[4095:4097], [f"damaged: {report['damage'][-1]['what']}", "and 905 more"])
        self.recover(False)

    def test_a_chunk_in_the_middle(self):
        """What it holds is lost, and the states up to the next keyframe; the rest is kept."""
        chunks = [(offset, size) for offset, kind, size in blocks(self.long_trace().read_bytes())
                  if kind == CHUNK]
        self.assertGreater(len(chunks), 64)
        for number in support.share((len(chunks) // 4, len(chunks) // 2, len(chunks) - 2)):
            with self.subTest(chunk=number):
                offset, size = chunks[number]
                self.damage(offset + HEAD + 20)
                report = self.check(self.damaged, 3)
                self.assertEqual(report["chunks"], {"count": len(chunks), "lost": 1})
                # A keyframe comes at the 64th moment at the latest; every other moment is a stop.
                self.assertTrue(0 < report["moments"]["lost"] <= 66, report["moments"])
                named = [piece for piece in report["damage"] if piece.get("offset") == offset]
                self.assertEqual([piece["bytes"] for piece in named], [HEAD + size])
                self.assertIn(f"at offset {offset} is damaged", named[0]["what"])
                self.assertRegex(named[0]["what"], r"packets \d+ to \d+ are lost, among them "
                                                   r"(1 moment|(0|[2-9]|\d\d+) moments) from \d+ and "
                                                   r"(1 call|(0|[2-9]|\d\d+) calls) from \d+")
                recovered = self.recover(True)
                self.assertFalse(recovered["packets_unchanged"])
                self.assertEqual(recovered["moments"],
                                 report["moments"]["count"] - report["moments"]["lost"])
                self.assertEqual(recovered["calls_lost"], report["calls"]["lost"])
                before, after = self.kept_stops_are_as_they_were(self.long_trace())
                self.assertEqual(after, report["stops"])
                self.assertGreater(after, before - 34)
                notices = " ".join(self.notices(self.output))
                self.assertIn("this trace was recovered from a damaged one", notices)
                self.assertIn(named[0]["what"], notices)
                inside = int(re.search(r"among them (\d+) moment", named[0]["what"])[1])
                self.assertEqual(len(re.findall(r"moment \d+ of the damaged trace is left out",
                                                notices)),
                                 report["moments"]["lost"] - inside)
                # The last stop, behind the damage, with everything in it.
                self.assertEqual(self.registers(self.output, after),
                                 self.registers(self.long_trace(), before))

    @unittest.skipIf(support.SMALL, "a share: what is lost is told in other tests")
    def test_verify_compares_what_came_before(self):
        """What is lost makes no difference between recording and replay; nothing after it can be compared."""
        chunks = [offset for offset, kind, _ in blocks(self.long_trace().read_bytes()) if kind == CHUNK]
        calls = self.json("verify", self.long_trace())["calls"]
        for number in support.share((0, len(chunks) // 2)):
            with self.subTest(chunk=number):
                self.damage(chunks[number] + HEAD + 20)
                self.recover(True)
                reports = []
                for path in (self.damaged, self.output):
                    result = wavetape("verify", path, "--json")
                    self.assertEqual(result.code, 3, result.stdout)
                    report = json.loads(result.stdout)
                    self.assertEqual(report["differences"]["count"], 0)
                    self.assertGreater(report["not_driven"], 0)
                    self.assertEqual(report["calls"] > 0, number > 0)
                    self.assertLess(report["calls"], calls)
                    self.assertGreater(report["lost"]["call"], report["calls"])
                    self.assertTrue(report["lost"]["why"])
                    reports.append(report)
                self.assertEqual(reports[0]["calls"], reports[1]["calls"])
                text = wavetape("verify", self.output)
                self.assertIn(f"call {reports[1]['lost']['call']} and those after it cannot be compared: "
                              f"{reports[1]['lost']['why']}\n", text.stdout)
                fixpoint = wavetape("verify", "--fixpoint", self.output)
                self.assertEqual((fixpoint.code, fixpoint.stdout), (1, ""))
                self.assertIn("something of the trace is lost; leave --fixpoint out", fixpoint.stderr)

    def test_several_at_once(self):
        data = bytearray(self.long_trace().read_bytes())
        chunks = [offset for offset, kind, _ in blocks(data) if kind == CHUNK]
        for offset in (chunks[20], chunks[41], chunks[42]):
            data[offset + HEAD + 9] ^= 1
        data[-1] ^= 1
        self.damaged.write_bytes(data)
        report = self.check(self.damaged, 3)
        self.assertEqual(report["chunks"]["lost"], 3)
        self.recover(True)
        before, after = self.kept_stops_are_as_they_were(self.long_trace())
        self.assertTrue(before - 50 < after < before)

    def test_a_hole(self):
        """Zeros over heads and payloads alike."""
        data = bytearray(self.long_trace().read_bytes())
        chunks = [offset for offset, kind, _ in blocks(data) if kind == CHUNK]
        start, end = chunks[30] + 64, chunks[33] + 256
        data[start:end] = bytes(end - start)
        self.damaged.write_bytes(data)
        self.assertEqual(self.check(self.damaged, 3)["chunks"]["lost"], 4)
        self.recover(True)
        before, after = self.kept_stops_are_as_they_were(self.long_trace())
        self.assertTrue(before - 40 < after < before)


class Cut(Repair):
    def test_anywhere(self):
        whole = self.long_trace().read_bytes()
        kept = []
        cuts = support.share(range(len(whole) // 12, len(whole), len(whole) // 12))
        for cut in cuts:
            with self.subTest(cut=cut):
                self.damaged.write_bytes(whole[:cut])
                report = self.check(self.damaged, 3)
                if report["packets"]["count"] == 0:
                    self.expect(wavetape("recover", self.damaged, "-o", self.output), 1, "", None)
                    continue
                self.recover(report["loss"])
                _, after = self.kept_stops_are_as_they_were(self.long_trace())
                self.assertEqual(after, report["stops"])
                kept.append(after)
                self.assertEqual(self.json("verify", self.output)["differences"]["count"], 0)
                if report["loss"]:
                    self.assertIn("the recording was not closed", self.notices(self.output)[-1])
                    self.assertEqual(self.json("info", self.output)["end_reason"], "recovered")
        self.assertEqual(kept, sorted(kept))
        self.assertGreater(len(set(kept)), len(cuts) // 2)

    def expect(self, result, code=0, stdout=None, stderr=""):
        if stderr is None:
            self.assertEqual((result.code, result.stdout), (code, stdout))
            self.assertIn("not one whole chunk is left of it", result.stderr)
            return result.stdout
        return super().expect(result, code, stdout, stderr)

    def test_the_footer_alone(self):
        self.damaged.write_bytes(self.trace("scan").read_bytes()[:-1])
        self.assertFalse(self.check(self.damaged, 3)["loss"])
        self.recover(False)
        self.assertEqual(unpacked(self.output), unpacked(self.trace("scan")))

    def test_no_header(self):
        """Every block is whole, and what says by what it was recorded was never there."""
        self.damaged.write_bytes((support.TREE.source / "tests/vectors/no-header.wtape").read_bytes())
        report = self.check(self.damaged, 3)
        text = "there is no Header: what was recorded, and by what, is not known"
        self.assertEqual(report["damage"], [{"loss": True, "what": text}])
        self.assertEqual(report["packets"]["lost"], 0)
        refused = wavetape("repack", self.damaged, "-o", self.output)
        self.assertEqual((refused.code, self.output.exists()), (1, False), refused.stderr)
        self.recover(True)
        self.assertIn(text, " ".join(self.notices(self.output)))

    def test_a_killed_recording(self):
        """Every stop that was finished, and the call that was never finished."""
        result = self.client("record", "--break", "oob_store", "--steps", "3", "--kill-at", "2",
                             WAVETAPE_TRACE=self.damaged,
                             WAVETAPE_DBGAPI=support.TREE.libraries["simulated"],
                             WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"))
        self.assertEqual(result.code, -signal.SIGKILL, result.stderr)
        report = self.check(self.damaged, 3)
        self.assertEqual(report["moments"]["lost"], 0)
        self.assertGreaterEqual(report["stops"], 2)
        recovered = self.recover(True)
        self.assertTrue(recovered["packets_unchanged"])
        self.assertEqual(recovered["moments"], report["moments"]["count"])
        self.assertEqual(len(self.stops(self.output)), report["stops"])
        self.assertEqual(self.json("verify", self.output, code=3)["differences"]["count"], 0)


if __name__ == "__main__":
    support.main(__doc__)
