#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`wavetape dap` over optimized code: functions that are inlined have frames, and one steps over, into and out of them by these."""

import support
from dap_case import Walker


class Inlined(Walker):
    """Steps through inlined.c, at -O2: mixed() is inlined twice into mixed_twice(), and that into the loop of the kernel."""

    def setUp(self):
        super().setUp()
        self.client = self.open(self.failing("inlined"))

    def frames_at(self, *lines):
        """Frames whose lines hold these texts, innermost first."""
        names = {"folds": "mixed (inlined)", "spreads": "mixed (inlined)", ">> 7": "mixed (inlined)", "once": "mixed_twice (inlined)",
                 "twice": "mixed_twice (inlined)"}
        found = {word: f"/* {word} */" for word in ("folds", "spreads", "once", "twice", "called", "fails")} | {">> 7": ">> 7"}
        return [(names.get(word, "inlined"), self.line(found.get(word, word), "inlined")) for word in lines]

    def go_frames(self, command, **arguments):
        stopped, _ = self.go(self.client, command, **arguments)
        return stopped["description"], [(frame["name"], frame["line"]) for frame in self.frames(self.client)]

    def walk(self, command, count):
        return [self.go_frames(command)[1] for _ in range(count)]

    def to_call(self):
        """To the first call in the loop, from where the way begins."""
        self.go(self.client, "reverseContinue")
        while (there := self.go_frames("next"))[1] != self.frames_at("called"):
            self.assertEqual(len(there[1]), 1)
        return there[0]

    def test_over(self):
        """Over, a call is where its first instruction is, and nothing inside is seen: as far as the fault, and back."""
        self.to_call()
        forwards = []
        while (there := self.go(self.client, "next"))[0]["reason"] == "step":
            self.assertEqual(there[1][0], "inlined")
            forwards.append(there[1][1])
        # The compiler has moved what ends the loop into the call, and into the store.
        around = [self.line(text, "inlined") for text in ("for (", "/* called */", "/* fails */", "for (", "/* fails */", "for (")]
        call = self.line("/* called */", "inlined")
        self.assertEqual(forwards, (around + [call]) * 3 + around[:4])
        backwards = [self.go(self.client, "stepBack")[1] for _ in range(len(forwards))]
        self.assertEqual(backwards, [("inlined", line) for line in forwards[::-1]])

    def test_into(self):
        """At the call, into goes to the same instruction: each function that is inlined there comes by itself."""
        there = self.to_call()
        self.assertEqual(self.go_frames("stepIn"), (there, self.frames_at("once", "called")))
        self.assertEqual(self.go_frames("stepIn"), (there, self.frames_at("folds", "once", "called")))
        self.assertEqual(self.walk("stepIn", 4), [
            self.frames_at("spreads", "once", "called"), self.frames_at(">> 7", "once", "called"), self.frames_at("twice", "called"),
            self.frames_at("folds", "twice", "called")])
        # A value is one of the frame that is shown.
        self.assertIn("value", {variable["name"] for variable in self.client.variables(
            self.client.scopes(self.frames(self.client)[0]["id"])["Arguments"]["variablesReference"])})

    def test_a_question_goes_nowhere(self):
        """Who asks at the call stays there, and goes in from it."""
        there = self.to_call()
        for request in "lastWrite", "firstRead":
            self.client.ask(f"wavetape/{request}", threadId=1, name="$v2")
            self.assertEqual([(frame["name"], frame["line"]) for frame in self.frames(self.client)], self.frames_at("called"))
        self.assertEqual(self.go_frames("stepIn"), (there, self.frames_at("once", "called")))

    def test_over_in_an_inlined_function(self):
        self.to_call()
        self.go_frames("stepIn")
        self.assertEqual(self.walk("next", 2), [self.frames_at("twice", "called"), self.frames_at("for (")])

    def test_out(self):
        there = self.to_call()
        self.walk("stepIn", 3)
        self.assertEqual(self.go_frames("wavetape/stepBackOut"), (there, self.frames_at("once", "called")))
        self.assertEqual(self.go_frames("wavetape/stepBackOut"), (there, self.frames_at("called")))
        self.walk("stepIn", 3)
        self.assertEqual(self.walk("stepOut", 2), [self.frames_at("twice", "called"), self.frames_at("for (")])

    def test_the_stop_shows_all(self):
        """Where the wave stopped no frame is hidden, however one came there."""
        self.assertEqual([frame["name"] for frame in self.frames(self.client)], ["inlined"])
        self.to_call()
        self.assertEqual(self.go(self.client, "continue")[0]["reason"], "exception")
        self.assertEqual([frame["name"] for frame in self.frames(self.client)], ["inlined"])

    def set_functions(self, *names, **more):
        return self.client.ask("setFunctionBreakpoints", breakpoints=[{"name": name, **more} for name in names])["breakpoints"]

    def test_breakpoints(self):
        """Each copy is a place of the one breakpoint; the frame there is that of the function, without those that it begins with."""
        twice, = self.set_functions("mixed_twice")
        self.assertEqual((twice["verified"], twice["message"], twice["line"]),
                         (True, "1 place where it is inlined", self.line("/* once */", "inlined")))
        seen = []
        for command in ["reverseContinue"] * 5 + ["continue"] * 5:
            stopped, _ = self.go(self.client, command)
            frames = [(frame["name"], frame["line"]) for frame in self.frames(self.client)]
            seen.append((stopped["reason"], stopped.get("hitBreakpointIds"), frames))
        met = ("function breakpoint", [twice["id"]], self.frames_at("once", "called"))
        self.assertEqual((seen[:4], seen[4][:2], seen[5:9]), ([met] * 4, ("step", None), [met] * 4))
        self.assertEqual(seen[9][0], "exception")

    def test_breakpoints_of_copies(self):
        mixed, nobody = self.set_functions("mixed", "mix")
        self.assertEqual((mixed["verified"], mixed["message"]), (True, "2 places where it is inlined"))
        self.assertEqual((nobody["verified"], nobody["message"]), (False, "no code object has such a function"))
        self.go(self.client, "reverseContinue")
        self.assertEqual(self.go_frames("reverseContinue")[1], self.frames_at("folds", "once", "called"))
        self.assertEqual(self.go_frames("reverseContinue")[1], self.frames_at("folds", "twice", "called"))
        # The one time at which a register has the value.
        value = self.value(self.client, "$v2").split()[0]
        self.set_functions("mixed", condition=f"$v2 == {value}")
        self.go_frames("reverseContinue")
        self.assertEqual(self.go_frames("continue")[1], self.frames_at("folds", "twice", "called"))
        self.assertEqual(self.value(self.client, "$v2").split()[0], value)

    def test_a_condition(self):
        """It is one in the frame of the function, not of another that begins there too: this has no such variable, and would refuse it."""
        self.set_functions("mixed_twice", condition="once == 1")
        stopped, _ = self.go(self.client, "reverseContinue")
        self.assertEqual((stopped["reason"], stopped["text"]), ("step", "the way begins here, at the launch of the wave"))

    def test_access_in_a_loop(self):
        """Without precise memory it may be of an earlier round that the wave failed: only its way says which."""
        trace = self.failing("inlined")
        self.assertEqual([wave["place_is_certain"] for wave in self.json("waves", trace)["waves"]], [False, False])
        self.assertEqual([explained["place_is_certain"] for explained in self.json("info", trace)["explanations"]], [True])


if __name__ == "__main__":
    support.main(__doc__)
