# SPDX-License-Identifier: MIT
"""What the tests of check, recover, repack and trim share: a long trace, and what is asked of the files they leave."""

import json
import os
import subprocess

import support
from support import Case, wavetape


FINAL, SUMMARY, PARITY = 4, 4, 5


def unpacked(path):
    return subprocess.run(["zstd", "-dc", path], capture_output=True, check=True).stdout


def lists_stops(data):
    """Is there a summary among the sections of FINAL?"""
    final = next(offset for offset, kind, _ in support.blocks(data) if kind == FINAL)
    at, kinds = final + support.HEAD, []
    while not kinds or kinds[-1]:
        kinds.append(int.from_bytes(data[at:at + 2], "little"))
        at += 16 + -(-int.from_bytes(data[at + 8:at + 16], "little") // 8) * 8
    return SUMMARY in kinds


def without_parity(data):
    """A trace that has nothing twice: what of it is damaged is lost. The section becomes one that nobody knows."""
    data = bytearray(data)
    final, _, size = next((block for block in support.blocks(data) if block[1] == FINAL))
    start = final + support.HEAD
    at = start
    while kind := int.from_bytes(data[at:at + 2], "little"):
        if kind == PARITY:
            data[at:at + 2] = (77).to_bytes(2, "little")
        at += 16 + -(-int.from_bytes(data[at + 8:at + 16], "little") // 8) * 8
    data[final + 120:final + 124] = support.crc32c(data[start:start + size]).to_bytes(4, "little")
    data[final + 124:start] = support.crc32c(data[final:final + 124]).to_bytes(4, "little")
    return bytes(data)


class Repair(Case):
    def setUp(self):
        super().setUp()
        self.damaged = self.directory / "damaged.wtape"
        self.output = self.directory / "output.wtape"

    def long_trace(self):
        """Many stops, so that there are indexes in the stream and several keyframes."""
        if "long" not in support.TREE.traces:
            path = support.TREE.temporary / "long.wtape"
            result = wavetape("record", "--reproducible", "-o", path, "--dbgapi",
                              support.TREE.libraries["simulated"], "--", support.TREE.client,
                              "--break", "matmul", "--steps", "42", "--stops", "50",
                              WAVETAPE_WORKLOAD=support.TREE.workload("matmul"))
            self.assertEqual(result.code, 0, result.stderr)
            support.TREE.traces["long"] = path
        return support.TREE.traces["long"]

    def check(self, path, code):
        """What `check` says of a file, in both forms."""
        text = wavetape("check", path)
        self.assertEqual((text.code, text.stderr), (code, ""), text.stdout)
        result = wavetape("check", path, "--json")
        self.assertEqual((result.code, result.stderr), (code, ""))
        report = json.loads(result.stdout)
        self.assertEqual(report["whole"], code == 0)
        # What is whole and closed lists its stops, whoever wrote it.
        self.assertTrue(code or lists_stops(path.read_bytes()), path)
        self.assertEqual(bool(report["damage"]), code != 0)
        self.assertEqual(any(piece["loss"] for piece in report["damage"]), report["loss"])
        for piece in report["damage"]:
            self.assertIn(f"{'lost' if piece['loss'] else 'damaged'}: {piece['what']}\n",
                          text.stdout)
            if "offset" in piece:
                self.assertLessEqual(piece["offset"], path.stat().st_size)
        return report

    def recover(self, loss):
        """Recover the damaged file; the output must be clean."""
        result = wavetape("recover", self.damaged, "-o", self.output, "--json")
        self.assertEqual(result.code, 3 if loss else 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual(report["loss"], loss)
        self.assertIn(f"wavetape: the trace is not whole: {self.damaged}: ", result.stderr)
        clean = self.check(self.output, 0)
        self.assertTrue(clean["closed"])
        self.assertEqual(clean["moments"], {"count": report["moments"], "lost": 0})
        self.assertEqual(clean["calls"], {"count": report["calls"], "lost": 0})
        self.assertEqual(clean["file_bytes"], report["new_bytes"])
        self.assertEqual(report["old_bytes"], self.damaged.stat().st_size)
        self.assertEqual(sorted(os.listdir(self.directory)), ["damaged.wtape", "output.wtape"])
        subprocess.run(["zstd", "-tq", self.output], check=True)
        return report

    def stops(self, path):
        """The stops of a whole trace by the call they were made in, without their numbers."""
        result = wavetape("stops", path, "--json")
        self.assertEqual((result.code, result.stderr), (0, ""))
        return {stop.pop("call"): (stop.pop("stop"), stop)[1] for stop in json.loads(result.stdout)["stops"]}

    def registers(self, path, stop):
        text = wavetape("registers", path, "--stop", stop).stdout
        self.assertTrue(text.startswith(f"stop {stop}, wave "), text[:80])
        return text.partition(",")[2]

    def kept_stops_are_as_they_were(self, trace):
        """Every stop of the output is one of the whole trace. Return: how many there are of both."""
        before, after = self.stops(trace), self.stops(self.output)
        for call, stop in after.items():
            self.assertEqual(stop, before[call])
        return len(before), len(after)

    def notices(self, path):
        return [entry["notice"] for entry in self.json("journal", path)["entries"] if "notice" in entry]
