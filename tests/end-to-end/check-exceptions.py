# SPDX-License-Identifier: MIT
"""Arithmetic exceptions that the agent lets kernels stop at: programs that a plain hipcc compiled.

Started as `check-exceptions.py --source DIRECTORY --build DIRECTORY [TEST...]`; the programs are in tests/driver of the build.
"""

import dataclasses
import json
import pathlib
import re
import subprocess

import support
from support import Case

LEVELS = ("-O2", "-O0")
PATIENCE = 240
TRAP = "trap=invalid+div0+overflow+intdiv0"


@dataclasses.dataclass(frozen=True)
class Mistake:
    """What is said of a kernel of exceptions.hip, at both levels."""

    reasons: str
    kernel: str
    mark: str  # of its line
    cause: str  # an expression; IN and BELOW are what was loaded, as an element of an argument or an address


MISTAKES = {
    "roots": Mistake("fp invalid operation", "roots(float const*, float*, int)", "roots",
                     r"invalid: lane 3 takes the square root of -6\.442451e\+09, which is -1\.5, which was loaded from IN, times 4\.2949673e\+09"),
    "scaled": Mistake("fp invalid operation", "scaled(float const*, float const*, float*, int)", "scaled",
                      r"invalid: lane 3 takes the square root of -6\.442451e\+09, which is -1\.5, which was loaded from BELOW, times 4\.2949673e\+09"),
    "quotients": Mistake("fp invalid operation", "quotients(float const*, float const*, float*, int)", "quotients",
                         r"invalid: lane 3 divides 0, which was loaded from IN, by 0, which was loaded from BELOW"),
    "by-zero": Mistake("fp divide by 0", "quotients(float const*, float const*, float*, int)", "quotients",
                       r"division by zero: lane 3 divides 1, which was loaded from IN, by 0, which was loaded from BELOW"),
    "both": Mistake("fp divide by 0 and fp invalid operation", "quotients(float const*, float const*, float*, int)", "quotients",
                    r"division by zero: lane 3 divides 1, which was loaded from IN, by 0, which was loaded from BELOW"),
    "differences": Mistake("fp invalid operation", "differences(float const*, float const*, float*, int)", "differences",
                           r"invalid: lane 3 subtracts infinity, which was loaded from BELOW, from infinity, which was loaded from IN"),
    "kept": Mistake("fp invalid operation", "kept(float const*, float const*, float*, int)", "kept",
                    r"invalid: lane 3 subtracts infinity, which was loaded from BELOW, from infinity, which was loaded from IN"),
    "products": Mistake("fp overflow", "products(float const*, float const*, float*, int)", "products",
                        r"overflow: lane 3 multiplies 2e\+30, which was loaded from IN, by 2e\+30, which was loaded from BELOW"),
    "shares": Mistake("int divide by 0", "shares(int const*, int const*, int*, int)", "shares",
                      r"division by zero: lane 3 divides a whole number by 0, which was loaded from BELOW"),
}


def line_of(name):
    """The line with a mark."""
    lines = (support.TREE.source / "tests/driver/exceptions.hip").read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"// {name}"))


class Exceptions(Case):
    def setUp(self):
        super().setUp()
        self.agent = support.TREE.agent
        self.skip_with_sanitizer()

    def start(self, name, level, words):
        """Run a program; with the agent where there are words. Its traces are in a directory of its own."""
        place = pathlib.Path(self.directory / f"{name}{level}")
        place.mkdir(exist_ok=True)
        environment = support.environment()
        if words is not None:
            environment = support.environment(WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], HSA_TOOLS_LIB=str(self.agent),
                                              HSA_ENABLE_DEBUG="1", WAVETAPE_AGENT=f"output={place}/x.wtape,{words}")
        done = subprocess.run([support.TREE.command, "device", "--", support.TREE.build / f"tests/driver/exceptions{level}", name],
                              capture_output=True, timeout=PATIENCE, check=False, env=environment, stdin=subprocess.DEVNULL, text=True)
        return done, sorted(place.glob("*.wtape*"))

    def check(self, name, level):
        mistake = MISTAKES[name]
        plain, _ = self.start(name, level, None)
        done, traces = self.start(name, level, TRAP)
        self.assertEqual((plain.returncode, plain.stderr), (0, ""))
        self.assertEqual((done.returncode, done.stdout), (0, plain.stdout))
        self.assertEqual(len(traces), 1, "later exceptions are let pass")
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn(f"wavetape: GPU arithmetic exception: {mistake.reasons} in kernel {mistake.kernel}", lines[0])
        self.assertTrue(lines[0].endswith(f": 1 of 1 wave: {traces[0]}"), lines[0])
        info = self.wavetape("info", traces[0])
        self.assertIn(f"crash        {mistake.reasons} in kernel {mistake.kernel}", info)
        cause = mistake.cause.replace("IN", r"in\[131\]").replace("BELOW", r"below\[131\]")
        said = json.loads(self.wavetape("explain", traces[0], "--json"))["explanations"][0]["cause"]
        self.assertEqual(said["kind"], "arithmetic")
        self.assertRegex(said["sentence"], f"^{cause}$")
        for text in (info, self.wavetape("explain", traces[0])):
            self.assertRegex(re.sub(r"\n {13}(?=\S)", " ", text), f"(?m)^cause        {cause}$")
        # The root of a library that has no lines, at -O0.
        if name not in ("roots", "scaled") or level != "-O0":
            self.assertIn(f"exceptions.hip:{line_of(mistake.mark)}", lines[0])
            self.assertIn(f"exceptions.hip:{line_of(mistake.mark)}", info)

    def test_mistakes(self):
        for number, name in enumerate(MISTAKES):
            for level in support.by_turn(number, LEVELS):
                with self.subTest(mistake=name, level=level):
                    self.check(name, level)

    def test_correct(self):
        """
        Divisions, roots, sines, powers and exponentials of numbers: no exception. Divisions by infinity, and roots of infinity and 0:
        none that counts, though instructions on the way to them raise some.
        """
        for name in ("correct", "limits"):
            for level in LEVELS:
                with self.subTest(program=name, level=level):
                    plain, _ = self.start(name, level, None)
                    done, traces = self.start(name, level, TRAP)
                    self.assertEqual((done.returncode, done.stdout, done.stderr, traces), (0, plain.stdout, "", []))

    def test_whole_numbers(self):
        """
        Divisions of whole numbers by 0 compute with floats in between, which are no floats of the program. That the divisor is 0
        is said where they divide by it, however the compiler does that.
        """
        for name in ("shares", "longs", "bytes"):
            for level in LEVELS:
                with self.subTest(program=name, level=level):
                    plain, _ = self.start(name, level, None)
                    done, traces = self.start(name, level, "trap=invalid+overflow")
                    self.assertEqual((done.returncode, done.stdout, done.stderr, traces), (0, plain.stdout, "", []))
                    done, traces = self.start(name, level, TRAP)
                    self.assertEqual((done.returncode, done.stdout, len(traces)), (0, plain.stdout, 1))
                    said = json.loads(self.wavetape("explain", traces[0], "--json"))["explanations"][0]["cause"]["sentence"]
                    self.assertRegex(said, "^division by zero: lane 3 divides a whole number by 0(, which was loaded from .*)?$")

    def test_others_are_off(self):
        """Only what was asked for stops a wave: the quotient is 0 / 0."""
        done, traces = self.start("quotients", "-O2", "trap=overflow+intdiv0")
        self.assertEqual((done.returncode, done.stderr, traces), (0, "", []))

    def test_end(self):
        """The runtime ends the program, as it does without a debugger."""
        done, traces = self.start("products", "-O2", f"{TRAP},on-trap=end")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(len(traces), 1)
        self.assertIn("wavetape: GPU arithmetic exception: fp overflow in kernel products(", done.stderr)

    def test_wrong_word(self):
        done, traces = self.start("products", "-O2", "trap=invalid+nan")
        self.assertEqual((done.returncode, traces), (0, []))
        self.assertRegex(done.stderr, r"^wavetape: WAVETAPE_AGENT: cannot understand the word: trap=invalid\+nan: trap is invalid, div0, ")


if __name__ == "__main__":
    support.main(__doc__)
