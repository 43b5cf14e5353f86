#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a trace does not have is not known: no verb says of it that there was nothing."""

import repair
import support
from support import CHUNK, HEAD, Case, blocks, wavetape

LOST = "part of the trace is lost"
NOTICED = "something was lost, as the notices say"
NOT_CLOSED = "the recording was not closed, or its end is lost"
NO_FAULT = "no fault     {} waves, none stopped for a fault"
NO_STOP = "no stop      nothing stopped while this was recorded"
REST = "in what is here; the rest is not known: "


class NotKnown(Case):
    def setUp(self):
        super().setUp()
        self.path = self.directory / "some.wtape"

    def write(self, *chunks, cut=None, name="oob-load"):
        """A trace of which some chunks are damaged, counted from 1, and the end is cut off."""
        data = bytearray(repair.without_parity(self.trace(name).read_bytes()))
        places = [offset for offset, kind, _ in blocks(data) if kind == CHUNK]
        self.assertGreaterEqual(len(places), 3)
        for chunk in chunks:
            data[places[chunk - 1] + HEAD + 20] ^= 0x20
        self.path.write_bytes(data[:cut])

    def last_chunk(self):
        return [offset for offset, kind, _ in blocks(self.trace("oob-load").read_bytes()) if kind == CHUNK][-1]

    def info(self, path, code):
        """The lines of `info`, and its JSON."""
        text, value = wavetape("info", path), wavetape("info", path, "--json")
        self.assertEqual((text.code, value.code), (code, code), text.stderr)
        return text.stdout.splitlines(), support.json.loads(value.stdout)

    def check(self, path, code, line, reasons, complete=False):
        """That `info` has this line, and no other that says that there was nothing."""
        lines, value = self.info(path, code)
        self.assertEqual([text for text in lines if text.startswith(("no fault", "no stop"))], [line])
        self.assertEqual((value["complete"], value["not_known"]), (complete, reasons))
        self.assertEqual(value.get("faults", []), [])
        self.assertEqual(lines[0].rpartition(", ")[2], "complete" if complete else
                         "not complete" if value["closed"] else "not closed in order")
        return value

    def recover(self):
        output = self.directory / "recovered.wtape"
        self.assertEqual(wavetape("recover", self.path, "-o", output).code, 3)
        return output

    def record(self, name, *arguments, **options):
        self.path.unlink(missing_ok=True)
        result = wavetape("record", "--reproducible", "-o", self.path, "--workload",
                          support.TREE.workload(name), *arguments, **options)
        self.assertIn(result.code, (0, 3), result.stderr)
        return result


class Damaged(NotKnown):
    def test_the_fault_is_lost(self):
        self.write(2)
        self.check(self.path, 3, f"no fault     {REST}{LOST}", [LOST])
        value = self.check(self.recover(), 0, f"no fault     {REST}{NOTICED}", [NOTICED])
        left_out = [text for text in value["notices"] if text.startswith("moment ")]
        self.assertEqual(len(left_out), 1)
        self.assertRegex(left_out[0], r"\Amoment 4 of the damaged trace is left out: chunk 2 at offset \d+ is damaged: "
                                      r"it cannot be read\Z")

    def test_all_states_are_lost(self):
        self.write(1)
        lines, value = self.info(self.path, 3)
        self.assertIn("             the states of all stops are lost", lines)
        self.assertEqual((value["complete"], value["not_known"], value.get("faults")), (False, [LOST], None))
        self.check(self.recover(), 0, f"no stop      {REST}{NOTICED}", [NOTICED])

    def test_the_header_is_lost(self):
        self.write(1, cut=self.last_chunk())
        told = "recorded     by what is not known: the trace's Header is lost"
        self.assertEqual(self.info(self.path, 3)[0][1], told)
        self.assertEqual(self.info(self.recover(), 0)[0][1], told)

    def test_cut_off(self):
        self.write(cut=HEAD)
        self.check(self.path, 3, f"no stop      {REST}{NOT_CLOSED}", [NOT_CLOSED])
        self.write(cut=self.last_chunk() - HEAD)
        lines, value = self.info(self.path, 3)
        self.assertRegex(lines[0], ", not closed in order$")
        self.assertEqual((value["complete"], value["closed"]), (False, False))

    def test_cut_off_and_damaged(self):
        self.write(2, cut=self.last_chunk())
        self.check(self.path, 3, f"no fault     {REST}{NOT_CLOSED}; {LOST}", [NOT_CLOSED, LOST])
        value = self.check(self.recover(), 0, f"no fault     {REST}{NOTICED}", [NOTICED])
        self.assertEqual(value["end_reason"], "recovered")

    def test_damage_without_loss(self):
        """Of what is there twice one is damaged: everything is known."""
        data = bytearray(self.trace("scan").read_bytes())
        data[-1] ^= 1
        self.path.write_bytes(data)
        self.check(self.path, 3, NO_FAULT.format(8), [], complete=True)

    def test_a_wave_that_is_only_listed(self):
        path = support.TREE.source / "tests/vectors/changed-answer-that-is-not-there.wtape"
        value = support.json.loads(wavetape("info", path, "--json", "--stop", "2").stdout)
        self.assertEqual(value["not_known"], [LOST, "the state of 1 wave at stop 2 is not here"])

    def test_a_stop_that_was_asked_for(self):
        """Nothing of it is lost."""
        self.write(2)
        result = wavetape("info", self.path, "--stop", "1")
        self.assertEqual(result.code, 3)
        self.assertIn(f"\n{NO_FAULT.format(4)}\n", result.stdout)

    def test_numbers_of_stops(self):
        """The list at the end has those whose moment is lost, too: they keep their numbers, but in what is recovered."""
        calls = [stop["call"] for stop in self.json("stops", self.trace("oob-load"))["stops"]]
        self.assertEqual(len(calls), 3)
        self.write(2)
        result = wavetape("stops", self.path, "--json")
        self.assertEqual((result.code, support.json.loads(result.stdout)["stops"]), (3, self.json("stops", self.trace("oob-load"))["stops"]))
        self.assertIn("wavetape: the trace is not whole: ", result.stderr)
        result = wavetape("waves", self.path, "--stop", "2")
        self.assertEqual((result.code, result.stdout), (1, ""))
        self.assertIn("wavetape: the trace is not whole: ", result.stderr)
        text, report = wavetape("check", self.path), wavetape("check", self.path, "--json")
        self.assertEqual((text.code, report.code), (3, 3))
        self.assertIn("\nstops     3, 2 lost\n", text.stdout)
        report = support.json.loads(report.stdout)
        self.assertEqual((report["stops"], report["stops_lost"]), (1, 2))
        stops = self.json("stops", self.recover())["stops"]
        self.assertEqual([(stop["stop"], stop["call"]) for stop in stops], [(1, calls[0])])

    def test_numbers_of_stops_without_a_list(self):
        """Those whose moment is lost have none; those whose state is lost have one in what is damaged alone."""
        calls = [stop["call"] for stop in self.json("stops", self.trace("oob-load"))["stops"]]
        self.write(2, cut=-HEAD)
        stops = support.json.loads(wavetape("stops", self.path, "--json").stdout)["stops"]
        self.assertEqual([(stop["stop"], stop["call"], stop.get("state_lost", False)) for stop in stops],
                         [(1, calls[0], False), (2, calls[2], True)])
        self.assertIn("\nstops     2, 1 lost\n", wavetape("check", self.path).stdout)

    def test_every_line_says_of_what(self):
        self.write(1, 2)
        lines = wavetape("journal", self.path).stderr.splitlines()
        lines += wavetape("info", self.path).stderr.splitlines()
        lines += wavetape("recover", self.path, "-o", self.directory / "recovered.wtape").stderr.splitlines()
        self.assertGreater(len(lines), 4)
        for line in lines:
            self.assertRegex(line, rf"\Awavetape: the trace is not whole: {self.path}: (chunk \d|the states? at)")

    def test_other_verbs(self):
        self.write(cut=HEAD)
        told = f"wavetape: the trace is not whole: {self.path}: {NOT_CLOSED}\n"
        self.wavetape("waves", self.path, code=1, stdout="",
                      stderr=f"{told}wavetape: cannot show the stop: {self.path}: the trace has no stop; "
                             f"the rest is not known: {NOT_CLOSED}\n")
        self.wavetape("host", self.path, code=1, stdout="",
                      stderr=f"{told}wavetape: cannot show the host: {self.path}: this trace has nothing of it: no wave "
                             "stopped, it was left out (--no-host, --reproducible), or it was made of a core; "
                             f"or it is in what is not here: {NOT_CLOSED}\n")


class Ended(NotKnown):
    def test_no_room(self):
        result = self.record("oob-store", "--min-free=99999G")
        self.assertEqual(result.code, 3)
        reason = "the recording ended early: disk budget spent"
        self.check(self.path, 3, f"no stop      {REST}{reason}", [reason])

        # A client that attaches over it is told which trace it is.
        replayed = self.client("replay", WAVETAPE_TRACE=self.path).stdout
        self.assertIn(f"log 1: cannot attach to the recorded process: {self.path}: the trace has no process that "
                      "was attached to\n", replayed)

    def test_no_bytes(self):
        """However far it came, up to the stop of the fault. The library takes less than the command, which asks for what any needs."""
        reason = "the recording ended early: byte budget spent"
        stops = set()
        for size in range(104, 200, 2):
            self.path.unlink(missing_ok=True)
            self.client("record", WAVETAPE_TRACE=self.path, WAVETAPE_OPTIONS=f"max-bytes={size}K,reproducible",
                        WAVETAPE_DBGAPI=support.TREE.libraries["simulated"],
                        WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"))
            value = self.info(self.path, 3)[1]
            if value.get("faults"):
                break
            with self.subTest(size=size):
                none = "no fault" if value["stops"] else "no stop "
                stops.add(self.check(self.path, 3, f"{none}     {REST}{reason}", [reason])["stops"])
        self.assertEqual(stops, {0, 1})

    def test_no_state(self):
        reason = "no state was recorded (journal-only)"
        self.client("record", "--stops", "2", WAVETAPE_TRACE=self.path, WAVETAPE_OPTIONS="journal-only",
                    WAVETAPE_DBGAPI=support.TREE.libraries["simulated"],
                    WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"))
        self.check(self.path, 0, f"no stop      {REST}{reason}", [reason], complete=True)
        self.wavetape("waves", self.path, code=1, stdout="",
                      stderr=f"wavetape: cannot show the stop: {self.path}: the trace has no stop; the rest is not "
                             f"known: {reason}\n")

    def test_a_part(self):
        reason = "it is part of a longer recording"
        self.wavetape("trim", self.trace("oob-load"), "--stops", "1", "-o", self.path)
        self.check(self.path, 0, f"no fault     {REST}{reason}", [reason], complete=True)

    def test_nothing_is_missing(self):
        self.check(self.trace("scan"), 0, NO_FAULT.format(8), [], complete=True)
        self.assertEqual(self.info(self.trace("oob-load"), 0)[1]["not_known"], [])


class Lanes(NotKnown):
    def test_memory_left_out(self):
        """Nobody looked which addresses are mapped."""
        for option in ("--redact", "--memory=none", "--memory=4K"):
            with self.subTest(option=option):
                self.record("oob-store", option)
                lines, value = self.info(self.path, 0)
                access = value["faults"][0]["access"]
                self.assertEqual((access["unmapped_lanes"], access["unknown_lanes"]), ([], list(range(64))))
                first, last = access["addresses"]["0"], access["addresses"]["63"]
                self.assertIn(f"  w3     (0,0,0)/2    lanes 0-63 store 4 bytes at {first} .. {last} "
                              "(which of them failed is not known)", lines)


if __name__ == "__main__":
    support.main(__doc__)
