# SPDX-License-Identifier: MIT
"""What is said of hangs as people meet them: programs that a plain hipcc compiled, recorded by the agent in them.

Started as `check-hangs.py --source DIRECTORY --build DIRECTORY [TEST...]`; the programs are in tests/driver of the build.
"""

import json
import re
import subprocess

import support
from support import Case

LEVELS = ("-O2", "-O0")
PATIENCE = 240


class Hangs(Case):
    """Each program at both levels; it is ended when the agent has told of it."""

    def setUp(self):
        super().setUp()
        self.agent = support.TREE.agent
        self.skip_with_sanitizer()

    def record(self, level, name):
        trace = self.directory / f"{name}{level}.wtape"
        environment = support.environment(WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], HSA_TOOLS_LIB=str(self.agent),
                                          HSA_ENABLE_DEBUG="1", WAVETAPE_AGENT=f"output={trace},hang-after=500ms")
        with subprocess.Popen([support.TREE.command, "device", "--", support.TREE.build / f"tests/driver/hangs{level}", name],
                              env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as process:
            try:
                self.told = process.stderr.readline()
                self.assertRegex(self.told, "^wavetape: no queue has moved while work waits: waves in kernel ")
            finally:
                process.terminate()
                process.wait(timeout=PATIENCE)
        return trace

    def line(self, mark):
        source = (support.TREE.source / "tests/driver/hangs.hip").read_text("utf-8").splitlines()
        number, = (number for number, text in enumerate(source, 1) if text.endswith(f"// {mark}"))
        return number

    def places(self, level, name):
        """The blocks of lines that tell of a place, the loop's first, and the same from JSON."""
        trace = self.record(level, name)
        text = self.wavetape("info", trace)
        blocks = [block.splitlines() for block in re.split(r"\n\n", text) if block.startswith("waves ")]
        blocks.sort(key=lambda block: ", in a loop" not in block[0])
        found = json.loads(self.wavetape("info", "--json", trace))["places"]
        found.sort(key=lambda place: place["activity"] != "loop")
        return blocks, found

    def said(self, block, label):
        """What a label says, with the lines that follow it without one; addresses and directories replaced."""
        lines, on = [], False
        for line in block:
            on = line[:12].strip() == label or (on and not line[:12].strip())
            if on:
                lines.append(re.sub(r"[^ ]*/", "", re.sub(r"0x[0-9a-f]{6,}", "ADDRESS", line[13:])))
        return lines

    def check_meeting(self, level, block, mark):
        """The place is the barrier's, not what stands behind it. At -O0 it is in a function of a header, which is called."""
        self.assertIn(", at a barrier", block[0])
        self.assertEqual(self.said(block, "instruction"), ["ADDRESS: s_barrier"])
        where = f"hangs.hip:{self.line(mark)}"
        if level == "-O2":
            self.assertIn(f", from {where}, ", self.said(block, "at")[0])
            self.assertEqual(self.said(block, "called by"), [])
        else:
            self.assertRegex(self.said(block, "called by")[-1], rf"^[a-z]+\(\) at {re.escape(where)}:\d+$")

    def test_turns(self):
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop, meeting), (place, other) = self.places(level, "turns")
                line = self.line("turns: looks")
                self.assertEqual(self.said(loop, "waits for"),
                                 [f"tickets[3] >= 3, at ADDRESS, which is -12 and is read at hangs.hip:{line}"])
                self.assertEqual(self.said(loop, "held up"),
                                 ["lanes 1-63 of it: those that are not done go on when this loop has ended"])
                self.check_meeting(level, meeting, "turns: meets")
                read, = place["waits_for"]
                self.assertEqual((read["name"], read["value"], read["bytes"], read["space"], read["lanes"], read["at"]["source"]["line"]),
                                 ("tickets[3]", -12, 8, "global", [0], line))
                self.assertNotIn("waits_for", other)

    def test_crossed(self):
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop, meeting), (place, _) = self.places(level, "crossed")
                looks = self.line("crossed: looks")
                self.assertEqual(self.said(loop, "waits for"),
                                 [f"byte 0x0 of local memory {'> -1' if level == '-O2' else '>= 0'}, which is -5 and is read at hangs.hip:{looks}"])
                self.assertEqual(place["asleep"], ", asleep" in loop[0])
                # It sleeps for longer than all else takes, where nothing else takes long.
                self.assertTrue(place["asleep"] or level == "-O0", loop)
                self.assertEqual(self.said(loop, "held up"), [])
                self.check_meeting(level, meeting, "crossed: meets")

    def test_gates(self):
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop,), (place,) = self.places(level, "gates")
                read, = place["waits_for"]
                self.assertEqual((read["name"], read["value"], read["addresses"], read["lanes"]), ("closed[2]", 9, 4, list(range(4, 20))))
                waits, = self.said(loop, "waits for")
                # The function of a header that reads it is inlined, or called.
                self.assertEqual(waits, f"closed[2] == 0, at ADDRESS, which is 9 and is read at hangs.hip:{self.line('gates: looks')}, and 3 "
                                        "other addresses")
                self.assertEqual(read.get("called_at", {}).get("source", {}).get("line"),
                                 self.line("gates: looks") if level == "-O0" else None)
                if level == "-O2":
                    # The lanes from 20 on have no work-item.
                    self.assertEqual(place["held_up_lanes"], [0, 1, 2, 3])
                    self.assertEqual(self.said(loop, "held up"),
                                     ["lanes 0-3 of it: those that are not done go on when this loop has ended"])
                    self.assertIn(f"from hangs.hip:{self.line('gates: looks')}", self.said(loop, "at")[0])

    def test_until(self):
        """What ends the loop is said as the instruction compares, where it is certain."""
        for name, memory, value, until in (("approach_signed", "flags", -1, (">=", 7)),
                                           ("approach_unsigned", "flags", 0x80808080, (">=", 0xfffffff0)),
                                           ("locked", "locks", 0x1010101, ("==", 0)),
                                           ("between", "flags", 0, None), ("never", "flags", 0, None)):
            for level in support.share(LEVELS):
                with self.subTest(level=level, name=name):
                    (loop,), (place,) = self.places(level, name)
                    said = f" {until[0]} {until[1]}" if until else ""
                    self.assertEqual(self.said(loop, "waits for"),
                                     [f"{memory}[2]{said}, at ADDRESS, which is {value} and is read at hangs.hip:"
                                      f"{self.line(f'{name}: looks')}"])
                    read, = place["waits_for"]
                    self.assertEqual(read["value"], value)
                    self.assertEqual(read.get("until"), {"comparison": until[0], "value": until[1]} if until else None)

    def test_until_of_floats(self):
        for name, until in (("warmed", (">=", 7.5)), ("matched", ("==", -2.25))):
            for level in support.share(LEVELS):
                with self.subTest(level=level, name=name):
                    (loop,), (place,) = self.places(level, name)
                    self.assertEqual(self.said(loop, "waits for"), [
                        f"flags[2] {until[0]} {until[1]}, at ADDRESS, which is 3.00392151 and is read at hangs.hip:"
                        f"{self.line(f'{name}: looks')}"])
                    read, = place["waits_for"]
                    self.assertAlmostEqual(read["value"], 3.00392151, 6)
                    self.assertEqual(read["until"], {"comparison": until[0], "value": until[1]})

    def test_until_of_bits(self):
        """Bits that are taken out of the value, and locks that are taken by atomics; at -O0 the value goes through private memory."""
        bits, lock = ("flags", 0x2020202), ("locks", 0x1010101)
        for name, (memory, value), known in (
                ("masked", bits, ("!=", 0, "0x4")), ("counted", bits, ("==", 0x300, "0xff00")),
                ("loaded", bits, ("!=", 0, "0x4")), ("swapped", lock, ("==", 0, None)),
                ("exchanged", ("locks", 1), ("==", 0, None)), ("mistaken", lock, None)):
            for level in support.share(LEVELS):
                with self.subTest(level=level, name=name):
                    (loop,), (place,) = self.places(level, name)
                    said = "" if not known else f" {known[0]} {known[1]:{'#x' if known[2] and known[1] else ''}}"
                    read = f"({memory}[2] & {known[2]})" if known and known[2] else f"{memory}[2]"
                    told, = self.said(loop, "waits for")
                    self.assertTrue(told.startswith(f"{read}{said}, at ADDRESS, which is {value} and is read at "), told)
                    self.assertTrue(told.endswith(f"hangs.hip:{self.line(f'{name}: looks')}"), told)
                    found, = place["waits_for"]
                    self.assertEqual(found.get("until"), known and {"comparison": known[0], "value": known[1],
                                                                    **({"mask": known[2]} if known[2] else {})})

    def test_small_flags(self):
        """Of a flag that is smaller than a register, its own bits are compared."""
        for name, value, optimised, unoptimised in (
                ("bytes", 190, "flags[5] == 200", "flags[5] == 200"), ("signs", -2, "flags[5] <= -100", "flags[5] <= -100"),
                ("halves", -258, "flags[5] > 299", "flags[5] >= 300"), ("truths", 0, "flags[5] != 0", "(flags[5] & 0x1) == 0x1")):
            for level, said in (("-O2", optimised), ("-O0", unoptimised)):
                with self.subTest(level=level, name=name):
                    (loop,), (place,) = self.places(level, name)
                    self.assertEqual(self.said(loop, "waits for"), [
                        f"{said}, at ADDRESS, which is {value} and is read at hangs.hip:{self.line(f'{name}: looks')}"])
                    self.assertEqual(place["waits_for"][0]["value"], value)

    def test_members(self):
        """What is read of a structure has its member's name, of the program's variables theirs, and of a number's type its value."""
        for name, said in (("served", "lock->serving == 4, at ADDRESS, which is 3"), ("published", "blocks[3].done.state != 0, at ADDRESS, which is 0"),
                           ("entered_twice", "table_lock[2] == 0, at ADDRESS, which is 1"),
                           ("largest", "most[0], at ADDRESS, which is -nan")):
            for level in support.share(LEVELS):
                with self.subTest(level=level, name=name):
                    (loop,), (place,) = self.places(level, name)
                    told, = self.said(loop, "waits for")
                    self.assertRegex(told, rf"^{re.escape(said)} and is read at .*hangs\.hip:{self.line(f'{name}: looks')}$")
                    self.assertEqual(place["waits_for"][0]["name"], re.split(" [=!]=|,", said)[0])

    def test_counted_rounds(self):
        """A count of the rounds changes in each of them, and decides nothing."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop,), (place,) = self.places(level, "counted_rounds")
                self.assertEqual(self.said(loop, "waits for"), [
                    f"flags[2] == 4, at ADDRESS, which is 0 and is read at hangs.hip:{self.line('counted_rounds: looks')}"])
                read, = place["waits_for"]
                self.assertEqual((read["until"], read["moves"]), ({"comparison": "==", "value": 4}, False))

    def test_patient(self):
        """A count that ends the loop is no value that decides nothing: nothing is said of a loop that comes to an end."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop,), (place,) = self.places(level, "patient")
                self.assertIn(", in a loop", loop[0])
                self.assertEqual(self.said(loop, "waits for"), [])
                self.assertNotIn("waits_for", place)

    def test_endless(self):
        """A loop that no instruction leads out of is told as that; unoptimised code has branches that are never taken."""
        (loop,), (place,) = self.places("-O2", "underflows")
        self.assertEqual(self.said(loop, "waits for"), ["nothing: no instruction leads out of the loop"])
        self.assertEqual((place["endless"], place["waits_for"]), (True, []))
        (loop,), (place,) = self.places("-O0", "underflows")
        self.assertEqual(self.said(loop, "waits for"), ["nothing: it reads no memory that could end the loop"])
        self.assertEqual((place["endless"], place["waits_for"]), (False, []))

    def test_emptied(self):
        """A kernel that the compiler left no code of has its own name, and the arguments are not named as those of the function that follows."""
        for level, name, argument, told in (("-O2", "emptied", "byte 8 of argument 1", True),
                                            ("-O2", "executed", "flags[2]", False),
                                            ("-O0", "emptied", None, False)):
            with self.subTest(level=level, name=name):
                (loop,), (place,) = self.places(level, name)
                self.assertRegex(loop[0], rf"^waves        1 of 1 in kernel {name}\(.*\), in a loop, lines? ")
                self.assertEqual(self.said(loop, "no code"), [
                    "is left of this kernel: the compiler found that each run of it is an error, as one that never ends;",
                    "the waves run into the function that follows"] if told else [])
                self.assertEqual(place["kernel_has_code"], not told)
                waits, = self.said(loop, "waits for")
                self.assertEqual(waits, f"{argument} == 4, at ADDRESS, which is 0 and is read at "
                                        f"hangs.hip:{self.line('executed: looks')}" if argument
                                 else "nothing: it reads no memory that could end the loop")

    def test_read_behind_the_loop(self):
        """A value that is read again behind the loop, or stored from there, ends it; not if another loop around it may look at that."""
        for name, until in (("reread", {"-O2": " > 3", "-O0": " >= 4"}), ("replied", {}), ("relooked", {})):
            for level in support.share(LEVELS):
                with self.subTest(level=level, name=name):
                    (loop,), _ = self.places(level, name)
                    self.assertEqual(self.said(loop, "waits for"), [
                        f"flags[2]{until.get(level, '')}, at ADDRESS, which is 0 and is read at hangs.hip:{self.line(f'{name}: looks')}"])

    def test_turns_of_flags(self):
        """A value that lets the wave go on ends the loop, though it waits there again for another one; not if it waits for the same."""
        for name, waits in (("phased", (("gives", "of local memory == 3", 2), ("takes", "of local memory == 4", 3))),
                            ("stepped", (("looks", "flags[2] == 1", 0),)), ("reasked", (("looks", "flags[2]", 0),)),
                            ("shut", (("looks", "of local memory == 0", 1),))):
            for level in support.share(LEVELS):
                with self.subTest(level=level, name=name):
                    blocks, _ = self.places(level, name)
                    told = sorted(line for block in blocks for line in self.said(block, "waits for"))
                    self.assertEqual(len(told), len(waits), told)
                    for line, (mark, said, value) in zip(told, sorted(waits, key=lambda wait: -wait[2])):
                        self.assertRegex(line, rf"^(byte 0x[0-9a-f]+ )?{re.escape(said)}, (at ADDRESS, )?which is {value} and is read at "
                                               rf".*hangs\.hip:{self.line(f'{name}: {mark}')}$")

    def test_noted(self):
        """Where a round stores to another place each time, and looks at memory, it may have stored there."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop,), (place,) = self.places(level, "noted")
                self.assertIn(", in a loop", loop[0])
                self.assertEqual(self.said(loop, "waits for"), [])
                self.assertNotIn("waits_for", place)

    def test_circle(self):
        """The links of a list are read one after the other, of which the first is named: at -O2 by a scalar load."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop,), (place,) = self.places(level, "circle")
                told, = self.said(loop, "waits for")
                self.assertRegex(told, r"^next\[[134]\], at ADDRESS, which is [134] and is read at hangs\.hip:"
                                       rf"{self.line('circle: looks')}, and then 2 others in turn, none of which ends the loop$")
                read, = place["waits_for"]
                self.assertEqual((read["moves"], read["addresses"], "until" in read), (True, 1, False))

    def test_linked(self):
        """A value that is read on the way, and ends nothing, is not what the loop waits for."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop,), (place,) = self.places(level, "linked")
                line = self.line("linked: looks")
                # The line of the sum is in the loop, too.
                told = self.said(loop, "waits for")
                self.assertEqual(len(told), 1, told)
                self.assertRegex(told[0], rf"^first\[[123]\]\.next, at ADDRESS, which is ADDRESS and is read at hangs\.hip:{line}, and then 2 "
                                          "others in turn, none of which ends the loop$")
                read, = place["waits_for"]
                self.assertEqual((read["moves"], read["bytes"], "until" in read), (True, 8, False))

    def test_relayed(self):
        """What a loop stores may end it where it is read again, also where it is what was there before."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop,), _ = self.places(level, "relayed")
                self.assertEqual(sorted(self.said(loop, "waits for")),
                                 [f"from[2], at ADDRESS, which is 0 and is read at hangs.hip:{self.line('relayed: passes')}",
                                  f"to[1], at ADDRESS, which is 0 and is read at hangs.hip:{self.line('relayed: looks')}"])

    def test_kept(self):
        """Functions that are inlined into each other: the lines are those of the one that waits."""
        (loop,), _ = self.places("-O2", "kept")
        looks, sleeps = self.line("kept: looks"), self.line("kept: sleeps")
        self.assertRegex(loop[0], rf", in a loop, lines? ({looks}|{sleeps}|{looks} to {sleeps})(, asleep)?$")
        self.assertEqual(self.said(loop, "waits for"), [f"lock[2] == 0, at ADDRESS, which is 1 and is read at hangs.hip:{looks}"])

    def test_stands(self):
        """What a loop reads of its launch ends nothing."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop,), (place,) = self.places(level, "stands")
                self.assertEqual(self.said(loop, "waits for"), ["nothing: it reads no memory that could end the loop"])
                self.assertEqual(place["waits_for"], [])

    def test_marches(self):
        """A loop that is never the same again, for as long as it is followed, and reads nothing."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop,), (place,) = self.places(level, "marches")
                said, = self.said(loop, "waits for")
                rounds = re.fullmatch(r"nothing: in (\d+) rounds it reads no memory, nor comes to where it was", said)
                self.assertEqual(int(rounds[1]), place["rounds_without_reads"])
                self.assertGreater(int(rounds[1]), 1000)
                self.assertNotIn("waits_for", place)

    def test_divided(self):
        """The lane that has the lock is told as one that the others of its wave hold up."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop,), (place,) = self.places(level, "divided")
                holder, = set(range(64)) - set(place["waits_for"][0]["lanes"])
                if level == "-O2":
                    # The instructions of a header that is inlined there have lines of their own.
                    self.assertRegex(loop[0], rf", in a loop, line {self.line('divided: looks')}(, asleep)?$")
                self.assertEqual(self.said(loop, "held up"),
                                 [f"lane {holder} of it: if it is not done, it goes on when this loop has ended"])
                self.assertEqual(place["held_up_lanes"], [holder])
                told, = self.said(loop, "waits for")
                self.assertEqual(told, f"lock[2] == 0, at ADDRESS, which is 1 and is read at hangs.hip:{self.line('divided: looks')}")

    def test_several_reads(self):
        """Of several reads each is told with what ends the loop while the others stay as they are, where that is certain."""
        five = 0x5050505
        for name, levels, said in (("awaited", LEVELS, [f"lists[1].begin != {five}, at ADDRESS, which is {five}",
                                                        f"lists[1].end != {five}, at ADDRESS, which is {five}"]),
                                   ("chained", ("-O2",), ["links[2], at ADDRESS, which is 6", "weights[6] >= 0, at ADDRESS, which is -4"])):
            for level in levels:
                with self.subTest(level=level, name=name):
                    (loop,), (place,) = self.places(level, name)
                    self.assertEqual(sorted(self.said(loop, "waits for")),
                                     [f"{read} and is read at hangs.hip:{self.line(f'{name}: looks')}" for read in said])
                    self.assertEqual(sorted("until" in read for read in place["waits_for"]), [name == "awaited", True])

    def test_workgroups(self):
        """A loop that has barriers in it is one of all waves of the workgroup, which are followed together."""
        for name, reads in (("together", (("turn[3]", "0", "looks", 0),)),
                            ("relaxed", (("distances[0]", "-nan", "looks", 2), ("ends[0]", "0", "leads", 2), ("distances[0]", "-nan", "compares", 0)))):
            for level in support.share(LEVELS):
                with self.subTest(level=level, name=name):
                    blocks, places = self.places(level, name)
                    expected = [f"{memory}, at ADDRESS, which is {value} and is read at hangs.hip:{self.line(f'{name}: {mark}')}"
                                f"{f', and {others} other addresses' if others else ''}" for memory, value, mark, others in reads]
                    self.assertEqual([sorted(self.said(block, "waits for")) for block in blocks], [sorted(expected)] * len(blocks))
                    self.assertFalse(any("until" in read for place in places for read in place["waits_for"]))

    def test_strayed(self):
        """Where one wave does not come to the barrier nothing is said of the loop that the barrier is in."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop, meeting), (_, other) = self.places(level, "strayed")
                self.assertEqual(self.said(loop, "waits for"),
                                 [f"turn[5] != 0, at ADDRESS, which is 0 and is read at hangs.hip:{self.line('strayed: looks')}"])
                self.assertEqual((self.said(meeting, "waits for"), "waits_for" in other), ([], False))
                self.check_meeting(level, meeting, "strayed: meets")

    def test_ringed(self):
        """A line that reads one place twice is told once."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop,), _ = self.places(level, "ringed")
                told, = self.said(loop, "waits for")
                self.assertRegex(told, r"^up\[[134]\], at ADDRESS, which is [134] and is read at hangs\.hip:"
                                       rf"{self.line('ringed: looks')}, and then 2 others in turn, none of which ends the loop$")

    def test_latched(self):
        """An element of a variable of the program is named with its number."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop,), (place,) = self.places(level, "latched")
                self.assertEqual(self.said(loop, "waits for"),
                                 [f"latches[7] == 0, at ADDRESS, which is 1 and is read at hangs.hip:{self.line('latched: looks')}"])
                self.assertEqual([read["name"] for read in place["waits_for"]], ["latches[7]"])

    def test_forks(self):
        """Waves that wait for different locks at one place: each lock is told, with how many wait for it."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                blocks, places = self.places(level, "forks")
                told = [line for block in blocks for line in self.said(block, "waits for")]
                locks = [re.match(r"(?:1 other wave for )?(taken\[[012]\])(?: == 0)?, at ADDRESS, which is 1", line) for line in told]
                self.assertTrue(all(locks), told)
                self.assertEqual(sorted(lock[1] for lock in locks), ["taken[0]", "taken[1]", "taken[2]"])
                self.assertEqual(sum("other wave" in line for line in told), 3 - len(places))
                self.assertEqual([other["waves"] for place in places for other in place.get("others_wait_for", [])], [1] * (3 - len(places)))

    def test_several_places(self):
        """Lanes that read different places have one value that ends the loop, if it is the same for all of them."""
        for name, until in (("gathered", {"comparison": ">=", "value": 3}), ("scattered", None)):
            for level in support.share(LEVELS):
                with self.subTest(level=level, name=name):
                    (loop,), (place,) = self.places(level, name)
                    self.assertEqual(self.said(loop, "waits for"), [
                        f"flags[2]{' >= 3' if until else ''}, at ADDRESS, which is 0 and is read at hangs.hip:"
                        f"{self.line(f'{name}: looks')}, and 19 other addresses"])
                    self.assertEqual(place["waits_for"][0].get("until"), until)

    def test_posted(self):
        """Memory to which a pointer leads that is in memory itself has the name of that pointer."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop, *_), (place, *_) = self.places(level, "posted")
                line = self.line("posted: looks")
                self.assertIn(f"*all->list[2].taken >= {0x3000000}, at ADDRESS, which is {0x2020202} and is read at hangs.hip:{line}",
                              self.said(loop, "waits for"))
                names = [read["name"] for read in place["waits_for"]]
                self.assertEqual(sorted(names), sorted(["*all->list[2].taken"] + ["all->list[2].taken"] * (level == "-O0")))

    def test_apart(self):
        """Waves at the barrier of a whole grid are said to be there, and where in the program that is."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (block,), (place,) = self.places(level, "apart")
                self.assertRegex(block[0], r"^waves        2 of 2 in kernel apart\(int\*\), at a barrier of all workgroups$")
                self.assertRegex(self.said(block, "instruction")[0], "^ADDRESS: ds_gws_barrier ")
                self.assertIn(f"hangs.hip:{self.line('apart: meets')}", "\n".join(block))
                self.assertEqual(place["activity"], "grid_barrier")
                self.assertEqual(self.said(block, "workgroups"), ["2 of the grid's 3 are on the GPU: the other one has not begun, or has ended"])
                self.assertEqual(place["workgroups"], {"here": 2, "grid": 3})

    def test_crowded(self):
        """Where a wave waits for what other workgroups may do, it is said how many of the grid are there, if not all are."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (*loops, meeting), (*places, other) = self.places(level, "crowded")
                here = places[0]["workgroups"]["here"]
                self.assertEqual(sum(place["waves"] for place in places), here)
                self.assertLess(here, 59)
                self.assertRegex(self.told, rf"waves; {here} of the grid's 60 workgroups are on the GPU: ")
                for loop, place in zip(loops, places):
                    told, = self.said(loop, "waits for")
                    self.assertRegex(told, rf"^arrived\[1\] (>= 60|> 59), at ADDRESS, which is {here} and is read at hangs\.hip:"
                                           rf"{self.line('crowded: looks')}$")
                    self.assertEqual(self.said(loop, "workgroups"), [
                        f"{here} of the grid's 60 are on the GPU: the other {60 - here} have not begun, or have ended"])
                    self.assertEqual(place["workgroups"], {"here": here, "grid": 60})
                # Waves at the barrier of a workgroup wait for their own.
                self.assertEqual((self.said(meeting, "workgroups"), "workgroups" in other), ([], False))

    def test_all_here(self):
        """Nothing is said of workgroups where all are there, or the wave waits for its own workgroup."""
        for level in support.share(LEVELS):
            for name in ("locked", "phased"):
                with self.subTest(level=level, name=name):
                    blocks, places = self.places(level, name)
                    self.assertEqual([self.said(block, "workgroups") for block in blocks], [[]] * len(blocks))
                    self.assertFalse(any("workgroups" in place for place in places))
                    self.assertNotIn("workgroup", self.told)

    def test_rounds_that_are_long(self):
        """A table that is full is named at both levels: unoptimised code takes hundreds of instructions for each of its places."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop,), (place,) = self.places(level, "probes")
                told, = self.said(loop, "waits for")
                self.assertRegex(told, r"^table\[\d+\], at ADDRESS, which is 506381209866536711 and is read at .*"
                                       rf"hangs\.hip:{self.line('probes: looks')}, and 63 other addresses, and then 63 others in turn, none of "
                                       "which ends the loop$")
                read, = place["waits_for"]
                self.assertEqual((read["value"], read["addresses"], read["bytes"]), (0x0707070707070707, 64, 8))

    def test_counts(self):
        """Of a loop that comes to an end late nothing is said that it waits for: it is told like one that never does."""
        for level in support.share(LEVELS):
            with self.subTest(level=level):
                (loop,), (place,) = self.places(level, "counts")
                self.assertIn(", in a loop", loop[0])
                said, = self.said(loop, "waits for")
                self.assertRegex(said, r"^nothing: in \d+ rounds it reads no memory, nor comes to where it was$")
                self.assertNotIn("waits_for", place)

    def test_misses(self):
        """A number of which the low bits are the same in each round, and are not those of the end; not if it comes there late."""
        for name, limit, step in (("misses", 1022, 4), ("misses_wide", 21474836490, 2), ("misses_own", None, 8), ("wraps", None, None)):
            for level in support.share(LEVELS):
                with self.subTest(level=level, name=name):
                    (loop,), (place,) = self.places(level, name)
                    if (level, name) == ("-O0", "misses_wide"):
                        # Both words of the number are stored at once, and of the upper one nothing stays the same.
                        self.assertEqual(self.said(loop, "waits for"), [])
                        continue
                    told, = self.said(loop, "waits for")
                    if not step:
                        self.assertRegex(told, r"^nothing: in \d+ rounds it reads no memory, nor comes to where it was$")
                        self.assertNotIn("misses", place)
                        continue
                    self.assertEqual(told, f"nothing: a number that is compared with {limit or 'another'} at hangs.hip:"
                                           f"{self.line(f'{name}: rounds')} changes by multiples of {step}, and misses {'it' if limit else 'that'}")
                    self.assertEqual((place["misses"]["step"], place["misses"]["value"], place["misses"]["at"]["source"]["line"]),
                                     (step, limit, self.line(f"{name}: rounds")))
                    self.assertEqual(place["waits_for"], [])


if __name__ == "__main__":
    support.main(__doc__)
