# SPDX-License-Identifier: MIT
"""check, recover and repack: damage anywhere in a trace is named, and what is whole is kept."""

import json
import os
import random
import re
import resource
import signal
import subprocess

import support
from support import Case, wavetape

VERBS = ("check", "recover", "repack")
HEAD = 128  # of every block, and what all offsets are a multiple of
CHUNK, INDEX, FINAL, GAP = 2, 3, 4, 6


def blocks(data):
    """Offset, kind and payload length of every block of a whole trace."""
    offset = 0
    while offset < len(data):
        yield (offset, int.from_bytes(data[offset + 16 : offset + 18], "little"),
               int.from_bytes(data[offset + 32 : offset + 40], "little"))
        offset += HEAD + int.from_bytes(data[offset + 32 : offset + 40], "little")


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def gap_head(data):
    """A head behind a whole trace that belongs to it: its first one, as that of a GAP without a payload."""
    head = bytearray(data[:HEAD])
    head[16:18] = GAP.to_bytes(2, "little")
    head[32:40] = bytes(8)
    head[40:48] = len(data).to_bytes(8, "little")
    head[120:124] = bytes(4)
    head[124:] = crc32c(head[:124]).to_bytes(4, "little")
    return bytes(head)


def unpacked(path):
    return subprocess.run(["zstd", "-dc", path], capture_output=True, check=True).stdout


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
                              "--break", "matmul", "--steps", "40", "--stops", "50",
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
        return {stop.pop("call"): (stop.pop("stop"), stop)[1] for stop in json.loads(result.stdout)}

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
        return [entry["notice"] for entry in self.json("journal", path) if "notice" in entry]


class Whole(Repair):
    def test_every_workload(self):
        for name in support.TREE.good_workloads():
            with self.subTest(workload=name):
                report = self.check(self.trace(name), 0)
                information = self.json("info", self.trace(name))
                self.assertEqual(report["calls"], {"count": information["calls"], "lost": 0})
                self.assertEqual(report["stops"], len(self.json("stops", self.trace(name))))
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
        losses = 0
        for place in [0, 4, 8, 13, 127, len(whole) - 1,
                      *(generator.randrange(len(whole)) for _ in range(24))]:
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
                losses += report["loss"]
        self.assertGreater(losses, 5)

    def damage(self, offset):
        data = bytearray(self.long_trace().read_bytes())
        data[offset] ^= 0x20
        self.damaged.write_bytes(data)

    def test_heads_and_indexes_cost_nothing(self):
        for offset, kind, _ in blocks(self.long_trace().read_bytes()):
            if kind == CHUNK and offset % 11:
                continue
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
        for number in (len(chunks) // 4, len(chunks) // 2, len(chunks) - 2):
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

    def test_verify_compares_what_came_before(self):
        """What is lost makes no difference between recording and replay; nothing after it can be compared."""
        chunks = [offset for offset, kind, _ in blocks(self.long_trace().read_bytes()) if kind == CHUNK]
        calls = self.json("verify", self.long_trace())["calls"]
        for number in (0, len(chunks) // 2):
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
        for cut in range(len(whole) // 12, len(whole), len(whole) // 12):
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
        self.assertGreater(len(set(kept)), 5)

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


class Repack(Repair):
    def repack(self, trace, *options):
        self.wavetape("repack", trace, "-o", self.output, *options)
        self.assertEqual(os.listdir(self.directory), ["output.wtape"])
        self.check(self.output, 0)
        return self.output.stat().st_size

    def test_every_workload(self):
        for name in support.TREE.good_workloads():
            with self.subTest(workload=name):
                size = self.repack(self.trace(name))
                self.assertLess(size, self.trace(name).stat().st_size)
                self.assertEqual(unpacked(self.output), unpacked(self.trace(name)))

    def test_same_meaning(self):
        for trace in (self.trace("oob-store"), self.long_trace()):
            self.repack(trace)
            self.assertEqual(self.json("verify", self.output), self.json("verify", trace))
            self.assertEqual(
                self.json("verify", "--fixpoint", self.output)["fixpoint_differences"]["count"], 0)
            for verb in ("stops", "journal", "waves", "registers", "memory", "disassemble"):
                self.assertEqual(wavetape(verb, self.output, "--json").stdout,
                                 wavetape(verb, trace, "--json").stdout, verb)

    def test_many_stops_become_much_smaller(self):
        size = self.repack(self.long_trace())
        self.assertLess(size * 2, self.long_trace().stat().st_size)
        self.assertLess(self.check(self.output, 0)["chunks"]["count"] * 10,
                        self.check(self.long_trace(), 0)["chunks"]["count"])

    def test_levels(self):
        fast = self.repack(self.long_trace(), "--level", "1")
        small = self.repack(self.long_trace(), "--level", "19")
        self.assertLess(small, fast)

    def test_never_more_bytes(self):
        """Not at a level that was asked for either; what was there stays."""
        packed = support.TREE.temporary / "packed.wtape"
        self.wavetape("repack", self.long_trace(), "-o", packed)
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
        data = bytearray(self.trace("scan").read_bytes())
        data[HEAD * 3] ^= 1
        self.damaged.write_bytes(data)
        result = wavetape("repack", self.damaged, "-o", self.output)
        self.assertEqual((result.code, result.stdout), (1, ""))
        self.assertIn(f"wavetape: cannot pack the trace: {self.damaged}: something of it is lost; "
                      "`wavetape recover` makes a whole one of what is left\n", result.stderr)
        self.assertEqual(os.listdir(self.directory), ["damaged.wtape"])


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
        self.assertEqual(len(self.json("stops", self.output)), 3)
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
        self.assertEqual(result.stdout, "0 calls, 0 callbacks, 0 output bytes compared: "
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


class Ended(Repair):
    """Signals in the middle of writing: what was there stays, and nothing is beside it."""

    SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)

    def end(self, number, verb, *arguments, ignored=False):
        """Send a signal as soon as there is a file beside the output. Return: the exit code; None if it was too late."""
        def set_actions():
            for each in self.SIGNALS:
                signal.signal(each, signal.SIG_IGN if ignored else signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        process = subprocess.Popen(
            [support.TREE.command, verb, *arguments, "-o", self.output], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=support.environment(), preexec_fn=set_actions)
        there = set(os.listdir(self.directory))
        while process.poll() is None and not set(os.listdir(self.directory)) - there:
            pass
        sent = process.poll() is None
        process.send_signal(number)
        code = process.wait(support.TIMEOUT)
        return code if sent and (code < 0 or ignored) else None

    def try_to_end(self, *arguments, **options):
        for _ in range(50):
            self.output.write_text("what was here before", encoding="utf-8")
            code = self.end(*arguments, **options)
            if code is not None:
                return code
        return self.fail("no signal came in the middle")

    def test_every_signal(self):
        torn = self.long_trace().read_bytes()
        self.damaged.write_bytes(torn[: len(torn) // 2] + b"!" + torn[len(torn) // 2 + 1 :])
        for verb, *arguments in (("repack", self.long_trace()), ("recover", self.damaged),
                                 ("trim", self.long_trace(), "--stops", "1..40")):
            for number in self.SIGNALS:
                with self.subTest(verb=verb, signal=number):
                    self.assertEqual(self.try_to_end(number, verb, *arguments), -number)
                    self.assertEqual(self.output.read_text("utf-8"), "what was here before")
                    self.assertEqual(sorted(os.listdir(self.directory)), ["damaged.wtape", "output.wtape"])

    def test_what_is_ignored_stays_so(self):
        self.assertEqual(self.try_to_end(signal.SIGHUP, "repack", self.long_trace(), ignored=True), 0)
        self.check(self.output, 0)
        self.assertEqual(os.listdir(self.directory), ["output.wtape"])


class Refused(Repair):
    def test_help(self):
        for verb in VERBS:
            text = self.wavetape(verb, "--help")
            self.assertTrue(text.startswith(f"Usage: wavetape {verb} "), text[:60])
            self.assertIn("--json", text)
            self.assertRegex(self.wavetape("--help"), rf"(?m)^  {verb} +\S")

    def wrong(self, arguments, *parts):
        result = wavetape(*arguments)
        self.assertEqual((result.code, result.stdout), (2, ""), result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_wrong_usage(self):
        trace = self.trace("scan")
        for verb in VERBS:
            self.wrong([verb], f"wavetape {verb}: which trace? Name a FILE")
            self.wrong([verb, "--no-such-option"], "unrecognized option")
            self.wrong([verb, trace, trace, "-o", self.output], f"wavetape {verb}: ")
        for verb in ("recover", "repack"):
            self.wrong([verb, trace], "where to? Name a file with --output")
        for level in ("0", "20", "x", "-1", ""):
            self.wrong(["repack", trace, "-o", self.output, f"--level={level}"],
                       f"--level takes 1 to 19, not '{level}'")
        self.assertFalse(self.output.exists())

    def test_the_input_is_never_written(self):
        source = self.directory / "source.wtape"
        source.write_bytes(self.trace("scan").read_bytes())
        hard, soft = self.directory / "hard", self.directory / "soft"
        os.link(source, hard)
        soft.symlink_to(source)
        for verb in ("recover", "repack"):
            for target in (source, hard, soft):
                with self.subTest(verb=verb, target=target):
                    self.expect(wavetape(verb, source, "-o", target), 2, "",
                                f"wavetape: cannot write the trace: {target}: it is the trace that "
                                "is read; give another name\n")
        self.assertEqual(source.read_bytes(), self.trace("scan").read_bytes())

    def test_outputs_that_cannot_be(self):
        absent = self.directory / "absent" / "file"
        for verb in ("recover", "repack"):
            self.expect(wavetape(verb, self.trace("scan"), "-o", absent), 1, "",
                        f"wavetape: cannot write the trace: {absent}: No such file or directory\n")
            for target in (self.directory, "/dev/full"):
                self.refused_as_no_file(verb, target)

    def refused_as_no_file(self, verb, target):
        arguments = ["--stops", "1"] if verb == "trim" else []
        self.expect(wavetape(verb, self.trace("oob-store"), *arguments, "-o", target), 1, "",
                    f"wavetape: cannot write the trace: {target}: there is something that "
                    "is not a file; give another name\n")

    def test_links_as_outputs(self):
        """A link to what is no file stays; one to a file, or to nowhere, is replaced, and what it leads to stays."""
        kept, link = self.directory / "kept", self.directory / "link"
        kept.write_text("what was here before", encoding="utf-8")
        os.mkfifo(self.directory / "pipe")
        for verb in ("recover", "repack", "trim"):
            for target in (self.directory, "/dev/null", "pipe", "/proc/self/fd/1"):
                with self.subTest(verb=verb, target=target):
                    link.symlink_to(target)
                    self.refused_as_no_file(verb, link)
                    self.assertEqual(os.readlink(link), str(target))
                    link.unlink()
        for target in (kept, "nowhere"):
            link.symlink_to(target)
            self.wavetape("repack", self.trace("scan"), "-o", link)
            self.assertFalse(link.is_symlink())
            self.check(link, 0)
            link.unlink()
        self.assertEqual(kept.read_text("utf-8"), "what was here before")
        self.assertEqual(sorted(os.listdir(self.directory)), ["kept", "pipe"])

    def test_a_full_disk(self):
        """What was there stays, and nothing is left beside it. The limit counts as a full disk."""
        self.output.write_text("what was here before", encoding="utf-8")
        torn = self.long_trace().read_bytes()
        self.damaged.write_bytes(torn[: len(torn) // 2] + b"!" + torn[len(torn) // 2 + 1 :])
        for verb, source in (("repack", self.trace("scan")), ("recover", self.damaged)):
            with self.subTest(verb=verb):
                done = subprocess.run(
                    [support.TREE.command, verb, source, "-o", self.output], capture_output=True,
                    check=False, env=support.environment(), timeout=support.TIMEOUT,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)))
                self.assertEqual((done.returncode, done.stdout), (1, b""), done.stderr)
                self.assertIn(f"wavetape: cannot write the trace: {self.output}: File too large\n",
                              done.stderr.decode())
                self.assertEqual(self.output.read_text("utf-8"), "what was here before")
                self.assertEqual(sorted(os.listdir(self.directory)),
                                 ["damaged.wtape", "output.wtape"])

    def test_not_a_trace(self):
        self.damaged.write_text("wavetape\n" * 1000, encoding="utf-8")
        self.output.write_text("what was here before", encoding="utf-8")
        for arguments in (["check", self.damaged], ["recover", self.damaged, "-o", self.output],
                          ["repack", self.damaged, "-o", self.output]):
            self.expect(wavetape(*arguments), 1, "",
                        f"wavetape: cannot read the trace: {self.damaged}: it is not a wavetape "
                        "trace\n")
        self.assertEqual(self.output.read_text("utf-8"), "what was here before")

    def test_an_older_output_is_replaced(self):
        self.output.write_text("what was here before", encoding="utf-8")
        self.wavetape("repack", self.trace("scan"), "-o", self.output)
        self.assertEqual(unpacked(self.output), unpacked(self.trace("scan")))
        self.assertEqual(self.output.stat().st_mode & 0o777, 0o600)


if __name__ == "__main__":
    support.main(__doc__)
