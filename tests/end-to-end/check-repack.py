# SPDX-License-Identifier: MIT
"""repack and trim: a trace of fewer bytes that means the same, and one of some of its stops."""

import json
import os

import support
from repair import Repair, unpacked, without_parity
from support import HEAD, wavetape


class Repack(Repair):
    def repack(self, trace, *options):
        self.wavetape("repack", trace, "-o", self.output, *options)
        self.assertEqual(os.listdir(self.directory), ["output.wtape"])
        self.check(self.output, 0)
        return self.output.stat().st_size

    def test_every_workload(self):
        for name in support.share(support.TREE.good_workloads()):
            with self.subTest(workload=name):
                size = self.repack(self.trace(name))
                self.assertLess(size, self.trace(name).stat().st_size)
                self.assertEqual(unpacked(self.output), unpacked(self.trace(name)))

    def test_same_meaning(self):
        for trace in (self.trace("oob-store"),) if support.SHARE > 1 else (self.long_trace(), self.trace("oob-store")):
            self.repack(trace)
            self.assertEqual(self.found("verify", self.output), self.found("verify", trace))
            self.assertEqual(
                self.json("verify", "--fixpoint", self.output)["fixpoint_differences"]["count"], 0)
            for verb in ("stops", "journal", "waves", "registers", "memory", "disassemble"):
                self.assertEqual(self.found(verb, self.output), self.found(verb, trace), verb)

    def packed(self):
        """The long trace, packed once for all tests, which must not change it."""
        path = support.TREE.temporary / "packed.wtape"
        if not path.exists():
            self.wavetape("repack", self.long_trace(), "-o", path)
        return path

    def test_many_stops_become_much_smaller(self):
        self.assertLess(self.packed().stat().st_size * 2, self.long_trace().stat().st_size)
        self.assertLess(self.check(self.packed(), 0)["chunks"]["count"] * 10,
                        self.check(self.long_trace(), 0)["chunks"]["count"])

    def test_levels(self):
        fast = self.repack(self.long_trace(), "--level", "1")
        self.assertLess(self.packed().stat().st_size, fast)

    def test_never_more_bytes(self):
        """Not at a level that was asked for either; what was there stays."""
        packed = self.packed()
        self.output.write_text("what was here before", encoding="utf-8")
        result = wavetape("repack", packed, "-o", self.output, "--level", "1")
        self.assertEqual((result.code, result.stdout), (1, ""))
        size = packed.stat().st_size
        self.assertRegex(result.stderr, rf"^wavetape: cannot pack the trace: {packed}: at level 1 it takes more bytes "
                                        rf"\(\d+\) than now \({size}\); take a higher level, or keep it as it is\n$")
        self.assertEqual(self.output.read_text("utf-8"), "what was here before")
        self.assertEqual(os.listdir(self.directory), ["output.wtape"])

    def test_again_is_the_same_file(self):
        self.repack(self.trace("scan"))
        first = self.output.read_bytes()
        again = self.directory / "again"
        self.wavetape("repack", self.output, "-o", again)
        self.assertEqual(again.read_bytes(), first)

    def test_a_damaged_trace_is_refused(self):
        data = bytearray(without_parity(self.trace("scan").read_bytes()))
        data[HEAD * 3] ^= 1
        self.damaged.write_bytes(data)
        result = wavetape("repack", self.damaged, "-o", self.output)
        self.assertEqual((result.code, result.stdout), (1, ""))
        self.assertIn(f"wavetape: cannot pack the trace: {self.damaged}: something of it is lost; "
                      "`wavetape recover` makes a whole one of what is left\n", result.stderr)
        self.assertEqual(os.listdir(self.directory), ["damaged.wtape"])

    def test_a_trace_that_contradicts_itself_is_refused(self):
        """Copied as it is it would mean something else: its index counts now, and its chunks afterwards."""
        trace = support.TREE.source / "tests/vectors/final-with-another-header.wtape"
        result = wavetape("repack", trace, "-o", self.output)
        self.assertEqual((result.code, result.stdout), (1, ""))
        self.assertIn(f"wavetape: cannot pack the trace: {trace}: its index and its chunks contradict each other; "
                      "`wavetape recover` makes a whole one of it\n", result.stderr)
        result = wavetape("recover", trace, "-o", self.output)
        self.assertEqual(result.code, 0, result.stderr)
        self.check(self.output, 0)
        self.assertEqual(self.json("info", self.output)["recorder"], "another one")


class LostNames(Repair):
    """Names that are lost leave gaps: a file costs what is in it, not what it claims."""

    def vector(self, name):
        return support.TREE.source / f"tests/vectors/{name}.wtape"

    def recover_vector(self, name):
        trace = self.vector(name)
        result = wavetape("recover", trace, "-o", self.output)
        self.assertIn(result.code, (0, 3), result.stderr)
        self.check(self.output, 0)
        self.assertLessEqual(self.output.stat().st_size, trace.stat().st_size)
        return trace

    def test_four_million_claimed(self):
        trace = self.recover_vector("names-far-apart-behind-a-loss")
        self.assertEqual(self.functions(self.output), self.functions(trace))

    def functions(self, path):
        return [call["function"] for call in json.loads(wavetape("journal", "--json", path).stdout)["entries"] if "function" in call]

    def test_names_that_are_referred_to(self):
        self.recover_vector("names-with-gaps-that-are-referred-to")
        self.assertEqual(self.functions(self.output)[3], "(lost name 23)")
        self.assertIn("callback (lost name 22)() = 0\n", self.wavetape("journal", self.output))

    def test_packed_and_trimmed(self):
        trace = self.recover_vector("names-with-gaps-that-are-referred-to")
        packed = self.directory / "packed"
        self.wavetape("repack", self.output, "-o", packed)
        self.assertEqual(unpacked(packed), unpacked(self.output))
        self.check(packed, 0)
        trimmed = self.directory / "trimmed"
        self.wavetape("trim", packed, "--stops", "2..2", "-o", trimmed)
        self.check(trimmed, 0)
        self.assertEqual(self.functions(trimmed), self.functions(trace)[3:])


class Trim(Repair):
    def trim(self, stops, source=None):
        result = wavetape("trim", source or self.long_trace(), "--stops", stops, "-o", self.output,
                          "--json")
        self.assertEqual((result.code, result.stderr), (0, ""))
        report = json.loads(result.stdout)
        self.assertLessEqual(report["new_bytes"], report["old_bytes"])
        self.assertEqual(report["new_bytes"], self.output.stat().st_size)
        self.check(self.output, 0)
        return report

    def test_stops_are_as_they_were(self):
        report = self.trim("11..13")
        self.assertEqual((report["first_stop"], report["last_stop"]), (11, 13))
        self.assertEqual(len(self.json("stops", self.output)["stops"]), 3)
        for stop in (1, 2, 3):
            self.assertEqual(self.registers(self.output, stop),
                             self.registers(self.long_trace(), 10 + stop))
        unpacked(self.output)

    def test_verify_says_what_it_can(self):
        """From the first stop on all calls can be made again; from a later one none."""
        self.trim("1..9")
        report = self.json("verify", self.output)
        self.assertEqual((report["differences"]["count"], report["not_driven"]), (0, 0))
        trimmed = self.trim("10..12")
        result = wavetape("verify", self.output)
        self.assertEqual(result.code, 3)
        self.assertEqual(result.stdout, "in step: 0 calls, 0 callbacks, 0 output bytes compared: "
                                        "0 differences\n"
                                        "from state: 0 calls, 0 callbacks, 0 output bytes compared: "
                                        "0 differences\n"
                                        f"{trimmed['calls']} calls could not be made again\n")
        self.assertRegex(result.stderr, "^wavetape: the trace begins within its session: .*: calls 1 "
                                        r"to \d+ are not in it, so that no call can be made again; \d+ "
                                        "states were read\n$")

    def test_refused(self):
        for stops, code, text in (("900..901", 2, "there is no stop 901: the trace has"), ("0..1", 2, "--stops takes"),
                                  ("3..2", 2, "--stops takes"), ("x", 2, "--stops takes")):
            with self.subTest(stops=stops):
                result = wavetape("trim", self.long_trace(), "--stops", stops, "-o", self.output)
                self.assertEqual((result.code, result.stdout), (code, ""))
                self.assertIn(text, result.stderr)
                if code == 2 and stops[0] == "9":
                    self.assertIn(f"wavetape: cannot trim the trace: {self.long_trace()}: ", result.stderr)
                self.assertFalse(self.output.exists())
        result = wavetape("trim", self.long_trace(), "-o", self.output)
        self.assertEqual(result.code, 2)
        self.assertIn("which stops?", result.stderr)


if __name__ == "__main__":
    support.main(__doc__)
