# SPDX-License-Identifier: MIT
"""What is said where the runtime gives a queue up and no wave has run: programs that a plain hipcc compiled, with the agent in them.

Started as `check-refused.py --source DIRECTORY --build DIRECTORY [TEST...]`; the programs are in tests/driver of the build.
"""

import json
import re
import signal
import subprocess

import support
from support import Case

LEVELS = ("-O2", "-O0")
PATIENCE = 120
ABORTED = 128 + signal.SIGABRT

CODE = "HSA_STATUS_ERROR_INVALID_CODE_OBJECT: The code object is invalid"
# The words of the runtime of 2022 for a packet of a type that there is not.
PACKET = "HSA_STATUS_ERROR_INVALID_ISA: The instruction set architecture is invalid"


class Refused(Case):
    def setUp(self):
        super().setUp()
        self.agent = support.TREE.agent
        self.skip_with_sanitizer()

    def run_program(self, name, *words, level="-O2", gpu="gfx90a", agent=True, **variables):
        """The program's status and output, what the agent says, and the trace there is, or None."""
        trace = self.directory / f"{name}{level}.wtape"
        if agent:
            variables["HSA_TOOLS_LIB"] = str(self.agent)
        environment = support.environment(WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], HSA_ENABLE_DEBUG="1",
                                          WAVETAPE_AGENT=",".join((f"output={trace}", *words)), **variables)
        result = subprocess.run([support.TREE.command, "device", "-a", gpu, "--", support.TREE.build / f"tests/driver/refused{level}",
                                 name], env=environment, text=True, capture_output=True, check=False, timeout=PATIENCE)
        # The device has its own word for a packet that it does not know.
        said = [line for line in result.stderr.splitlines()
                if line.startswith("wavetape: ") and not line.startswith("wavetape: the device: ")]
        return result, said, trace if trace.exists() else None

    def shown(self, trace):
        """What `info` says from the crash on, addresses of memory replaced."""
        text = self.wavetape("info", trace)
        return re.sub(r"HSA_USERPTR\w+=\w+", "...", text[text.index("\ncrash") + 1:])

    def test_code_of_another_gpu(self):
        """HSA_OVERRIDE_GFX_VERSION lets code be loaded that the GPU cannot run."""
        for level in LEVELS:
            with self.subTest(level=level):
                variables = {"HSA_OVERRIDE_GFX_VERSION": "9.0.10", "SECRET": "of mine"}
                result, said, trace = self.run_program("launch", level=level, gpu="gfx942", **variables)
                alone, none, _ = self.run_program("launch", level=level, gpu="gfx942", agent=False, **variables)
                self.assertEqual((result.returncode, result.stdout), (ABORTED, alone.stdout), result.stderr)
                self.assertEqual((alone.returncode, none), (ABORTED, []), alone.stderr)
                packet = "kernel scale(float*, float), grid 64 x 1 x 1, compiled for gfx90a, on gfx942"
                self.assertEqual(said, [f"wavetape: queue error: {CODE}, queue 1 at packet 0, {packet}: {trace}"])
                lines = self.shown(trace).splitlines()
                self.assertEqual(lines[:3], ["crash        the runtime has given queue q2 (the driver's 1) up (stop 1)",
                                             f"because      {CODE}", f"packet 0     {packet}"])
                self.assertIn("started with HSA_ENABLE_DEBUG=1, HSA_OVERRIDE_GFX_VERSION=9.0.10, ...", lines)
                self.assertEqual([line for line in lines if line.startswith(("no fault", "queue "))], [])
                found = json.loads(self.wavetape("info", "--json", trace))
                error = found["queue_error"]
                self.assertEqual((error["os_id"], error["status"], error["text"]), (1, 0x1010, CODE))
                self.assertEqual((error["packets"][0]["compiled_for"], error["environment"]["HSA_OVERRIDE_GFX_VERSION"]),
                                 ("gfx90a", "9.0.10"))
                self.assertEqual((found["faults"], found["waiting"]), ([], []))
                host = json.loads(self.wavetape("host", "--json", trace))["environment"]
                self.assertEqual((host["HSA_OVERRIDE_GFX_VERSION"], host["SECRET"]), ("9.0.10", None))
                grouped = json.loads(self.wavetape("triage", "--json", trace))["groups"][0]
                self.assertEqual((grouped["status"], grouped["reason"], grouped["kernel"], grouped["architecture"]),
                                 ("fault", "HSA_STATUS_ERROR_INVALID_CODE_OBJECT", "scale", "gfx942"))

    def test_code_of_another_generation(self):
        """Where the runtime does not see that the GPU cannot run the code, its own kernel is the first that fails, which is in no code object."""
        for gpu in ("gfx1030", "gfx1100", "gfx1201"):
            with self.subTest(gpu=gpu):
                result, said, trace = self.run_program("launch", gpu=gpu, HSA_OVERRIDE_GFX_VERSION="9.0.10")
                cause = f"code of another GPU: an instruction of gfx90a, on {gpu}, which HSA_OVERRIDE_GFX_VERSION=9.0.10 has the runtime " \
                        "take for a gfx90a"
                self.assertEqual(result.returncode, ABORTED, result.stderr)
                self.assertEqual(len(said), 1, result.stderr)
                self.assertRegex(said[0], rf"^wavetape: GPU fault: illegal instruction, {cause}: \d+ of \d+ waves?: ")
                explained = json.loads(self.wavetape("explain", "--json", trace))["explanations"][0]
                self.assertEqual((explained["cause"]["kind"], explained["cause"]["sentence"]), ("other_gpu", cause))
                self.assertIn("\ncause        " + cause[:40], self.shown(trace))
                trace.unlink()

    def test_illegal_instruction(self):
        """The GPU's own code, be it said to be that by the variable: that another GPU has such an instruction says nothing."""
        for variables in ({}, {"HSA_OVERRIDE_GFX_VERSION": "9.0.10"}):
            with self.subTest(variables=variables):
                result, said, trace = self.run_program("illegal", **variables)
                self.assertEqual(result.returncode, ABORTED, result.stderr)
                self.assertEqual([re.sub(r", refused.hip:\d+:", ":", line) for line in said],
                                 [f"wavetape: GPU fault: illegal instruction in kernel illegal(float*, float): 1 of 1 wave: {trace}"])
                explained = json.loads(self.wavetape("explain", "--json", trace))["explanations"][0]
                self.assertEqual(explained["cause"], {"kind": "none", "sentence": None,
                                 "why_not": "the instruction where it stopped is none whose memory access is known"})
                trace.unlink()

    def test_redacted(self):
        """What the runtime said is no data of the program; packets and values of variables are."""
        _, said, trace = self.run_program("launch", gpu="gfx942", HSA_OVERRIDE_GFX_VERSION="9.0.10", WAVETAPE_OPTIONS="redact")
        self.assertEqual(said, [f"wavetape: queue error: {CODE}, queue 1: {trace}"])
        self.assertEqual(self.shown(trace).splitlines()[:3],
                         ["crash        the runtime has given queue q2 (the driver's 1) up (stop 1)", f"because      {CODE}",
                          "notice       redact: no memory of the program is in this trace, neither as state nor in calls; registers "
                          "and code objects are"])

    def test_no_host(self):
        """Nothing of the host is taken, but what the trace is of."""
        _, said, trace = self.run_program("launch", gpu="gfx942", HSA_OVERRIDE_GFX_VERSION="9.0.10", WAVETAPE_OPTIONS="no-host")
        self.assertEqual(len(said), 1)
        self.assertIn(f"because      {CODE}\n", self.shown(trace))
        host = json.loads(self.wavetape("host", "--json", trace))
        self.assertEqual((host["environment"], host["threads"]), ({}, []))

    def test_packet(self):
        """The program's callback gets what it gave, after the trace is there, and the program goes on."""
        for name, told in (("packet", "told by its data: 0x100f, 128\n"), ("silent", "")):
            with self.subTest(name=name):
                result, said, trace = self.run_program(name)
                self.assertEqual((result.returncode, result.stdout), (0, told + "end\n"), result.stderr)
                self.assertEqual(len(said), 1, result.stderr)
                self.assertRegex(said[0], rf"^wavetape: queue error: {PACKET}, queue \d+ at packet 0, a packet of type 9: ")
                self.assertRegex(self.shown(trace), rf"^crash        the runtime has given queue q\d+ \(the driver's \d+\) up "
                                                    rf"\(stop 1\)\nbecause      {PACKET}\npacket 0     a packet of type 9\n")

    def test_as_many_as_it_may(self):
        """For a second queue there is no trace any more, and nobody waits."""
        result, said, trace = self.run_program("twice", "traces=1")
        self.assertEqual((result.returncode, result.stdout), (0, "told by its data: 0x100f, 128\nend\n" * 2), result.stderr)
        self.assertEqual((len(said), list(self.directory.glob("*.wtape"))), (1, [trace]), result.stderr)

    def test_no_code(self):
        """Where HIP has no code for the GPU there is no queue: the program is told, and the agent has nothing to say."""
        result, said, trace = self.run_program("launch", gpu="gfx942")
        self.assertEqual((result.returncode != 0, said, trace), (True, [], None), result.stderr)


if __name__ == "__main__":
    support.main(__doc__)
