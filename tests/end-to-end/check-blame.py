# SPDX-License-Identifier: MIT
"""What is said of a fault whose cause is not the first thing that meets the eye: HIP programs with the agent in them.

Started as `check-blame.py --source DIRECTORY --build DIRECTORY [TEST...]`; the program is tests/driver/blamed.hip.
"""

import json
import re
import subprocess
import unittest

import support
from support import Case

SOURCE = "tests/driver/blamed.hip"
PATIENCE = 240  # seconds: the runtime compiles kernels of its own at first

# By what the program is asked to do: the source line that is to be blamed, what the first line of `info` calls it, and the cause with
# addresses left out; None where no cause may be named.
BLAMED = {
    "two": ("float value = table[threadIdx.x];", "memory violation", "no memory: the kernel argument table is ADDRESS, where no memory is"),
    "host": ("= layer[threadIdx.x];", "memory violation",
             "memory of the host: the pointer that was loaded from layers + 16, ADDRESS, at line {layers[blockIdx.x]} is ADDRESS, in the "
             "program's own memory from ADDRESS to ADDRESS, which the GPU has no access to"),
    "freed": ("chosen.target[i] = chosen.source[i] + 1;", "memory violation",
              "no memory: the pointer that was loaded from nodes + 24, ADDRESS, at line {node chosen = nodes[which]} is ADDRESS, where no "
              "memory is"),
    "limit": ("out[i] = 2;", "memory violation",
              "wrong limit: work-item 262336 stores to out[262336], but count is 262144, and the comparison of line {if (i < last)} with "
              "last, which is 524288, lets it pass"),
    "jump": ("chosen(threadIdx.x);", "memory violation",
             "no code: the wave jumped at line {chosen(threadIdx.x)} to ADDRESS, where no code is: that is the pointer that was loaded from "
             "operations + 8, ADDRESS, at line {operation chosen = operations[1]}"),
    "trap": ("__builtin_trap();", "assert trap", None),
}


def line_of(text):
    lines = (support.TREE.source / SOURCE).read_text(encoding="utf-8").splitlines()
    number, = (number for number, line in enumerate(lines, 1) if text in line)
    return number


class Blame(Case):
    def setUp(self):
        super().setUp()
        if b"__asan_init" in (support.TREE.build / "tool/libwavetape-agent.so").read_bytes():
            self.skipTest("a library with a sanitizer cannot be loaded into a program without it")

    def record(self, name, *options):
        """What the agent says, and the trace. @options: of the device."""
        trace = self.directory / f"{name}.wtape"
        environment = support.environment(WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], WAVETAPE_AGENT=f"output={trace}",
                                          HSA_TOOLS_LIB=str(support.TREE.build / "tool/libwavetape-agent.so"))
        result = subprocess.run([support.TREE.command, "device", *options, "--", support.TREE.build / "tests/driver/blamed-O2", name],
                                capture_output=True, text=True, timeout=PATIENCE, check=False, env=environment, stdin=subprocess.DEVNULL)
        told, = (line for line in result.stderr.splitlines() if line.startswith("wavetape: "))
        return told, trace

    def info(self, trace, *options):
        return subprocess.run([support.TREE.command, "info", *options, trace], capture_output=True, text=True, check=True).stdout

    def crash(self, trace):
        """The lines from the crash on, by their label; what continues one stands behind it."""
        text = self.info(trace)
        lines, label = {}, None
        for line in text[text.index("\ncrash ") + 1:].splitlines():
            if line[:1].strip():
                label, line = line[:13].strip(), line[13:]
            lines[label] = f"{lines[label]} {line.strip()}" if label in lines else line.strip()
        return lines

    def test_what_failed_is_blamed(self):
        for name, (text, reason, cause) in BLAMED.items():
            with self.subTest(program=name):
                told, trace = self.record(name)
                line = line_of(text)
                self.assertRegex(told, rf"^wavetape: GPU fault: {reason} in kernel .+\), blamed\.hip:{line}: ")
                crash = self.crash(trace)
                self.assertTrue(crash["crash"].startswith(f"{reason} in kernel "), crash["crash"])
                self.assertRegex(crash["at"], rf"blamed\.hip:{line}:")
                self.assertNotIn("not certain", crash["instruction"])
                if cause is None:
                    self.assertNotIn("cause", crash)
                    continue
                cause = re.sub(r"\{(.*?)\}", lambda match: str(line_of(match[1])), cause)
                # Older compilers call an argument that they have passed in another form so.
                said = re.sub(r"0x[0-9a-f]+", "ADDRESS", crash["cause"].replace(".coerce", ""))
                self.assertEqual(said, cause)

    def test_a_trap_is_where_it_is(self):
        _, trace = self.record("trap")
        self.assertRegex(self.crash(trace)["instruction"], r": s_trap 2$")

    def test_no_code_is_no_instruction(self):
        _, trace = self.record("jump")
        fault, = json.loads(self.info(trace, "--json"))["faults"]
        self.assertEqual(fault["pc"], "0x7000000000f0")
        self.assertIsNone(fault["code"]["instruction"])

    def test_past_local_memory(self):
        """Where the device does what hardware does, the pointer that was read there is 0."""
        _, trace = self.record("past-local", "--local-memory", "hardware")
        self.assertRegex(self.crash(trace)["at"], rf"blamed\.hip:{line_of('row[threadIdx.x] = 3;')}:")
        explained = subprocess.run([support.TREE.command, "explain", trace], capture_output=True, text=True, check=True).stdout
        step, = re.findall(r"^.*ds_read_b64.*(?:\n .*)*", explained, re.MULTILINE)
        self.assertIn("0, read past the 512 bytes of local memory that the workgroup was given", " ".join(step.split()))

    def test_what_may_be_fine_is_not_blamed(self):
        """Both pointers lead to memory of the program itself, where one is the GPU's as well: neither is certain."""
        _, trace = self.record("registered")
        crash = self.crash(trace)
        self.assertNotIn("cause", crash)
        self.assertIn("not certain", crash["instruction"])
        information = json.loads(self.info(trace, "--json"))
        self.assertEqual([fault["place_is_certain"] for fault in information["faults"]], [False])
        explained, = information["explanations"]
        self.assertFalse(explained["place_is_certain"])
        self.assertEqual(explained["cause"]["why_not"], "the wave went on behind the access that failed, which may be any of 2")


if __name__ == "__main__":
    support.main(__doc__)
