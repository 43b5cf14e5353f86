# SPDX-License-Identifier: MIT
"""`wavetape device`: programs that nobody made for it, on AMD's runtimes, over the driver of the simulated GPU.

Started as `check-device.py --source DIRECTORY --build DIRECTORY [TEST...]`; the HIP programs are in tests/driver of the build.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

import made
import support
from support import Case

LONG = "WAVETAPE_LONG" in os.environ
# Neither is in Debian 12: the library's path, and the directory of libhsa-runtime64.so.1.
OTHER_LIBRARY, OTHER_RUNTIME = (os.environ.get(f"WAVETAPE_TEST_{name}", "") for name in ("DBGAPI", "RUNTIME"))
PATIENCE = 240  # seconds: compiling the runtime's own kernels alone takes a while on a busy machine

# The GPUs that have a driver, in the order of the table.
PRODUCTS = ("gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1101", "gfx1102", "gfx1200", "gfx1201", "gfx1150", "gfx1151", "gfx1152", "gfx1153",
            "gfx1103")
# Programs that end as they would on hardware: what is said of it.
FAULTS = {
    "bad-address": r"Memory access fault by GPU node-1 .* on address 0x7f0000001000\. Reason: Page not present",
    "host-memory": r"Memory access fault by GPU node-1 .* Reason: Page not present",
    "traps": r"HSA_STATUS_ERROR_EXCEPTION",
    "asserts": r"assertion `x == 3' failed",
    "illegal-instruction": r"HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION",
}
# One that would not end so on hardware, and what is said at the end of that.
MISSING = {
    "not-there": r"(?s)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION.*"
                 r"^wavetape: the device: not implemented: instruction bf[0-9a-f]{6}, if it is a valid one: opcode not implemented in its encoding$",
}
# One that hangs, as it would on hardware of as many compute units.
ENDLESS = ("overfull",)
PRINTED = {"crowded": ["200 are here"], "prints": [f"lane {lane} of 3" for lane in range(3)], "agents": ["agents: 1"],
           "cooperative-devices": ["devices: 1"]}
# Of the programs that are compared with the host, what the short form tries: each way in which memory, queues and signals
# are used. The long form tries all, as compiled with and without optimization.
SAMPLE = ("vectors", "local", "past-local", "scratch", "copies", "registered", "streams", "prints", "spinning", "matrices",
          "meeting", "filling", "crowded", "cooperative", "mappings")


def programs(level):
    return support.TREE.build / f"tests/driver/programs{level}"


def device(*command, options=(), timeout=PATIENCE, environment=None):
    return subprocess.run([support.TREE.command, "device", *options, "--", *map(str, command)], capture_output=True,
                          text=True, timeout=timeout, check=False, env=environment, stdin=subprocess.DEVNULL)


class Sessions(Case):
    """Their directories are made where others make none."""

    def setUp(self):
        super().setUp()
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": "", "TMPDIR": str(self.directory)}

    def sessions(self):
        """Directories of sessions that are still there."""
        return set(self.directory.glob("wavetape-??????"))


class Programs(Case):
    def run_program(self, level, name):
        result = device(programs(level), name)
        lines = PRINTED.get(name, []) + [f"{name}: the same"]
        self.assertEqual((result.returncode, result.stdout.splitlines()), (0, lines), result.stderr)
        self.assertNotIn("not implemented", result.stderr)

    def test_programs(self):
        levels = ("-O2", "-O0") if LONG else ("-O2",)
        names = subprocess.run([programs("-O2"), "--list"], capture_output=True, text=True, check=True).stdout.split()
        names = [name for name in names if name not in FAULTS and name not in MISSING and name not in ENDLESS]
        self.assertGreaterEqual(len(names), 20)
        tried = names if LONG else [name for name in names if name in SAMPLE]
        self.assertTrue(LONG or len(tried) == len(SAMPLE))
        for level in levels:
            for name in tried:
                with self.subTest(program=name + level):
                    self.run_program(level, name)
        print(f"{len(tried) * len(levels)} of {len(names) * 2} programs: the same as the host")

    @unittest.skipIf(support.SMALL, "a share: a program that copies with it is tried")
    def test_without_dma(self):
        environment = {**os.environ, "HSA_ENABLE_SDMA": "0"}
        result = device(programs("-O2"), "copies", environment=environment)
        self.assertEqual((result.returncode, result.stdout), (0, "copies: the same\n"), result.stderr)

    def test_faults(self):
        for name, said in FAULTS.items():
            with self.subTest(program=name):
                result = device(programs("-O2"), name)
                self.assertEqual(result.returncode, 128 + signal.SIGABRT, result.stderr)
                self.assertRegex(result.stderr + result.stdout, said)
                # Which of those that it does not know are illegal the device cannot tell.
                self.assertEqual(result.stderr.count("not implemented: "), name == "illegal-instruction", result.stderr)

    def test_missing(self):
        """Each thing once, however many waves have met it."""
        for name, said in MISSING.items():
            with self.subTest(program=name):
                result = device(programs("-O2"), name)
                self.assertEqual(result.returncode, 128 + signal.SIGABRT, result.stderr)
                self.assertRegex(result.stderr, re.compile(said, re.M))
                self.assertEqual(result.stderr.count("not implemented: "), 1, result.stderr)

    def test_log_says_where(self):
        """The driver knows no name of a kernel; its code is where the wave is."""
        log = self.directory / "log"
        device(programs("-O2"), "illegal-instruction", options=("--log", log))
        entry, pc = re.search(r"\(kernel at (0x[0-9a-f]+), workgroup 0,0,0, wave 0 of it\) stopped at pc (0x[0-9a-f]+), ",
                              log.read_text("utf-8")).groups()
        self.assertLess(int(pc, 16) - int(entry, 16), 4096)

    def test_past_local_memory(self):
        """On hardware nothing is said of it; here it can be: docs/device.md."""
        log = self.directory / "log"
        result = device(programs("-O2"), "past-local", options=("--log", log))
        self.assertEqual((result.returncode, result.stdout), (0, "past-local: the same\n"), result.stderr)
        told = [line for line in log.read_text().splitlines() if "goes on at pc" in line]
        self.assertEqual(len(told), 7, told)
        self.assertRegex(told[0], r"wave 0 .* goes on at pc 0x[0-9a-f]+, instruction d81a0000 [0-9a-f]{8}, write to 0x100: "
                                  "outside the workgroup's local memory$")
        self.assertEqual(len(set(re.findall(r"at pc (\S+),", "".join(told)))), 7)
        result = device(programs("-O2"), "past-local", options=("--local-memory", "checked"))
        self.assertEqual(result.returncode, 128 + signal.SIGABRT, result.stderr)
        self.assertIn("HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION", result.stderr + result.stdout)

    @unittest.skipUnless(LONG, "only with --long")
    def test_libraries(self):
        libraries = self.directory / "libraries"
        subprocess.run(["hipcc", "--offload-arch=gfx90a", "-std=c++17", "-w", "-O2", "-o", libraries, "-lrocrand",
                        support.TREE.source / "tests/driver/libraries.hip"], check=True)
        for name in ("sort", "sum", "random"):
            with self.subTest(program=name):
                result = device(libraries, name)
                self.assertEqual((result.returncode, result.stdout), (0, f"{name}: the same\n"), result.stderr)


class Textures(Case):
    """Typed buffers and images, of which a texture that is not implemented is named. At -O0 the compiler does not know how to make them."""

    def test_textures(self):
        tried = 0
        for level in ("-O2", "-O1"):
            program = support.TREE.build / f"tests/driver/textures{level}"
            names = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.split()
            self.assertEqual((len(names), names.pop()), (13, "missing"))
            # Debian 12's runtime makes no sRGB texture: tests/today/run tries it with a newer one.
            names.remove("curves")
            for name in names if LONG or level == "-O2" else ("filters", "surfaces"):
                with self.subTest(program=name + level):
                    result = device(program, name)
                    self.assertEqual((result.returncode, result.stdout, result.stderr), (0, f"{name}: the same\n", ""))
                    tried += 1
        print(f"{tried} programs with textures: the same as the host")

    def test_missing(self):
        result = device(support.TREE.build / "tests/driver/textures-O2", "missing")
        self.assertEqual(result.returncode, 128 + signal.SIGABRT, result.stderr)
        self.assertRegex(result.stderr, r"(?m)^wavetape: the device: not implemented: instruction f0800100 [0-9a-f]{8} of image_sample: "
                                        "an image that is neither 1-D, 2-D nor 3-D$")
        self.assertEqual(result.stderr.count("not implemented: "), 1, result.stderr)


# What the agent says of each fault.
AGENT_FAULTS = {
    "bad-address": r"memory violation in kernel store\(int\*\): 1 of 1 wave",
    "host-memory": r"memory violation in kernel store\(int\*\): 1 of 1 wave",
    "traps": r"assert trap in kernel trap\(\): 1 of 1 wave",
    "asserts": r"assert trap in kernel check_that\(int\): 1 of 1 wave",
    "illegal-instruction": r"illegal instruction in kernel illegal\(\): 1 of 1 wave",
}


class WithAgent(Case):
    """Programs with the agent in them."""

    def setUp(self):
        super().setUp()
        self.skip_with_sanitizer()

    def environment(self, library):
        return support.environment(WAVETAPE_DBGAPI=library, WAVETAPE_AGENT=f"output={self.directory}/%p.wtape",
                                   HSA_TOOLS_LIB=str(support.TREE.agent))

    def traces(self):
        return list(self.directory.glob("*.wtape"))


class Agent(WithAgent):
    """Over our own library on the driver, and over one that is not there."""

    def check(self, name, result, said):
        """The program ends as it does alone, and of the agent's there is one line, or none."""
        told, stderr = [], []
        for line in result.stderr.splitlines(keepends=True):
            (told if line.startswith("wavetape: ") else stderr).append(line)
        self.assertEqual(len(told), 1 if said else 0, result.stderr)
        if said:
            self.assertRegex(told[0], said)
        if name in FAULTS:
            self.assertEqual(result.returncode, 128 + signal.SIGABRT, result.stderr)
            self.assertRegex("".join(stderr) + result.stdout, FAULTS[name])
        else:
            self.assertEqual((result.returncode, result.stdout.splitlines()[-1], stderr), (0, f"{name}: the same", []))

    def check_trace(self, name):
        """The one trace there is replays without a difference, and says what has happened, and over which library."""
        trace, = self.traces()
        verified = subprocess.run([support.TREE.command, "verify", trace], capture_output=True, text=True, check=False)
        self.assertEqual((verified.returncode, verified.stdout.count(" 0 differences")), (0, 2), verified.stdout)
        shown = subprocess.run([support.TREE.command, "info", trace], capture_output=True, text=True, check=True).stdout
        self.assertRegex(shown, r'library \S+ "wavetape \S+ \(kernel driver\)"')
        self.assertRegex(shown, AGENT_FAULTS[name].split(":")[0])
        # As the runtime and AMD's library name it: by libdrm's list.
        self.assertRegex(shown, r"(?m)^device +gfx90a, AMD Instinct MI250X$")
        trace.unlink()

    def test_programs(self):
        ours = support.TREE.libraries["simulated"]
        for name in ("streams", *AGENT_FAULTS) if LONG else ("forks", "bad-address"):
            with self.subTest(program=name):
                result = device(programs("-O2"), name, environment=self.environment(ours))
                self.check(name, result, name in FAULTS and "^wavetape: GPU fault: " + AGENT_FAULTS[name])
                if name in FAULTS:
                    self.check_trace(name)
                self.assertEqual(self.traces(), [])

    def test_code_loaded_behind_the_look(self):
        """Between the agent's look at code objects and its question for events the program loads its code, launches, and has its fault."""
        environment = self.environment(support.TREE.libraries["simulated"]) | {"WT_BLUNT": "hasty"}
        result = device("sh", "-c", 'LD_PRELOAD="$1:$LD_PRELOAD" exec "$2" traps', "sh",
                        support.TREE.build / "tests/end-to-end/libblunt-driver.so", programs("-O2"), environment=environment)
        self.check("traps", result, "^wavetape: GPU fault: " + AGENT_FAULTS["traps"])
        trace, = self.traces()
        stops, journal = (subprocess.run([support.TREE.command, verb, trace], capture_output=True, text=True, check=True).stdout
                          for verb in ("stops", "journal"))
        # That it came so is seen by the order of the events; it is one stop.
        kinds = re.findall(r"kind=AMD_DBGAPI_EVENT_KIND_(\w+)", journal)
        self.assertEqual(kinds, ["RUNTIME", "NONE", "WAVE_STOP", "CODE_OBJECT_LIST_UPDATED", "BREAKPOINT_RESUME", "NONE"])
        self.assertRegex(stops, r"(?m)^stop 2 .*WAVE_STOP, CODE_OBJECT_LIST_UPDATED, BREAKPOINT_RESUME; 1 wave, 1 stopped: assert trap\n +trap\(\)\+0x0$")
        self.assertNotIn("stop 3", stops)
        self.check_trace("traps")

    def test_past_local_memory(self):
        """The agent is a debugger, so that it is told of it, unless the device is to do what hardware does."""
        environment = self.environment(support.TREE.libraries["simulated"])
        result = device(programs("-O2"), "past-local", environment=environment)
        self.assertEqual(result.returncode, 128 + signal.SIGABRT, result.stderr)
        self.assertRegex(result.stderr, r"(?m)^wavetape: GPU fault: address error in kernel leave_local\(int\*\): 1 of 1 wave")
        trace, = self.traces()
        shown = subprocess.run([support.TREE.command, "info", trace], capture_output=True, text=True, check=True).stdout
        self.assertRegex(" ".join(shown.split()), "past the end: lane 0 stores to byte 256 of local memory, of which the "
                                                  "workgroup has 256 bytes")
        trace.unlink()
        result = device(programs("-O2"), "past-local", environment=environment, options=("--local-memory", "hardware"))
        self.check("past-local", result, None)
        self.assertEqual(self.traces(), [])

    def test_hang(self):
        """Workgroups that wait together are recorded, all of them, and the program goes on."""
        environment = self.environment(support.TREE.libraries["simulated"])
        environment["WAVETAPE_AGENT"] += ",hang-after=5s"
        process = subprocess.Popen([support.TREE.command, "device", "--", programs("-O2"), "crowded"], env=environment, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "200 are here\n")
        # Of one place, the most frequent one.
        self.assertRegex(process.stderr.readline(), "^wavetape: no queue has moved while work waits: waves in kernel "
                                                    r"wait_together\(int const volatile\*, int\*\): \d+ of 200 waves: ")
        stdout, stderr = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, stdout, stderr), (0, "crowded: the same\n", ""))
        trace, = self.traces()
        verified = support.wavetape("verify", trace)
        self.assertEqual((verified.code, verified.stdout.count(" 0 differences")), (0, 2), verified.stdout)
        waves = json.loads(support.wavetape("waves", "--json", trace).stdout)
        self.assertEqual(len(waves["waves"]), 200)
        self.assertEqual({tuple(wave["workgroup"]) for wave in waves["waves"]}, {(number, 0, 0) for number in range(200)})

    def test_hang_of_a_grid(self):
        """Waves that wait for the whole grid lie in a save area for the agent, and go on waiting behind that."""
        environment = self.environment(support.TREE.libraries["simulated"])
        environment["WAVETAPE_AGENT"] += ",hang-after=2s"
        process = subprocess.Popen([support.TREE.command, "device", "--", programs("-O2"), "gathered"], env=environment, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.assertRegex(process.stderr.readline(), "^wavetape: no queue has moved while work waits: waves in kernel "
                                                    r"gather_grid\(int volatile\*, int\*\): 9 of 10 waves: ")
        stdout, stderr = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, stdout, stderr), (0, "gathered: the same\n", ""))
        trace, = self.traces()
        self.assertEqual(len(json.loads(support.wavetape("waves", "--json", trace).stdout)["waves"]), 10)

    def test_no_library(self):
        for name in SAMPLE if LONG else ("vectors",):
            with self.subTest(program=name):
                environment = self.environment("/nowhere/librocm-dbgapi.so.0")
                result = device(programs("-O2"), name, environment=environment)
                self.check(name, result, "^wavetape: the GPU is not watched: the recorder: ")
                self.assertEqual(self.traces(), [])

    def test_recorded_program(self):
        """`record -- PROGRAM` of a program that is no debugger starts it with the agent."""
        for name in ("vectors", "asserts") if LONG else ("asserts",):
            environment = self.environment(support.TREE.libraries["simulated"])
            environment.pop("HSA_TOOLS_LIB")
            result = device(support.TREE.command, "record", "-o", self.directory / "%p.wtape", "--", programs("-O2"), name,
                            environment=environment)
            self.check(name, result, name in FAULTS and "^wavetape: GPU fault: " + AGENT_FAULTS[name])
            if name in FAULTS:
                self.check_trace(name)


class LateFaults(WithAgent):
    """Faults that come while the host waits, in each of the ways in which programs do: the program ends, and soon."""

    WAYS = ("copy", "device", "stream", "streams", "event", "event-query", "stream-query", "after")
    SAID = r"Memory access fault by GPU node-1 .* on address 0x[0-9a-f]+\. Reason: Page not present or supervisor privilege\."

    SIZES = (12, 21)  # of what is copied, as powers of two

    def run_ways(self, ways, environment):
        for number, way in enumerate(ways):
            for log2 in support.by_turn(number, self.SIZES):
                with self.subTest(way=way, log2=log2):
                    result = device(support.TREE.build / "tests/driver/late-faults", way, log2, environment=environment)
                    self.assertEqual((result.returncode, result.stdout), (128 + signal.SIGABRT, ""), result.stderr)
                    self.assertEqual(len(re.findall(self.SAID, result.stderr)), 1, result.stderr)

    def test_alone(self):
        self.run_ways(self.WAYS if LONG else ("copy", "event-query", "after"), None)

    def test_with_agent(self):
        ways = self.WAYS if LONG else ("copy", "stream")
        self.run_ways(ways, self.environment(support.TREE.libraries["simulated"]))
        self.assertEqual(len(self.traces()), len(ways) * len(support.by_turn(0, self.SIZES)))

    def test_thread_that_comes_back_late(self):
        """The runtime's thread, which then never hears of the fault: the program ends all the same, and the agent has its trace."""
        environment = self.environment(support.TREE.libraries["simulated"]) | {"WT_BLUNT": "late"}
        result = device("sh", "-c", 'LD_PRELOAD="$1:$LD_PRELOAD" exec "$2" copy 12', "sh",
                        support.TREE.build / "tests/end-to-end/libblunt-driver.so", support.TREE.build / "tests/driver/late-faults",
                        environment=environment)
        self.assertEqual((result.returncode, result.stdout), (128 + signal.SIGABRT, ""), result.stderr)
        self.assertRegex(result.stderr, r"(?m)^wavetape: the device: process \d+: its runtime has not heard of the memory violation at 0x[0-9a-f]+: "
                                        r".* it is ended by SIGABRT$")
        self.assertEqual(len(self.traces()), 1)


    def test_driver_that_fails_for_ever(self):
        """From one call of the agent's on: it lets nobody go, and of a fault the runtime never hears. The program ends all the same, or goes on."""
        environment = self.environment(support.TREE.libraries["simulated"]) | {"WT_FAIL_KIND": "driver", "WT_FAIL_ALL": "1"}

        def run(at, name):
            return device("sh", "-c", 'LD_PRELOAD="$1:$LD_PRELOAD" exec "$2" "$3"', "sh", support.TREE.build / "tests/end-to-end/libfail-nth.so",
                          programs("-O2"), name, environment=environment | {"WT_FAIL_AT": str(at)})

        # In the middle of the attach; before the program works; where the wave has stopped, and the library has asked of it, or not yet.
        for at in (4, 6, 16, 22) if LONG else (6, 22):
            with self.subTest(at=at):
                result = run(at, "traps")
                self.assertEqual(result.returncode, 128 + signal.SIGABRT, result.stderr)
                told = [line for line in result.stderr.splitlines() if line.startswith("wavetape: ")]
                self.assertEqual(told[-1], "wavetape: the program stands, and the driver lets nobody tell its runtime why: it is ended by SIGABRT", told)
        result = run(6, "vectors")
        self.assertEqual((result.returncode, result.stdout), (0, "vectors: the same\n"), result.stderr)


@unittest.skipUnless(OTHER_LIBRARY and OTHER_RUNTIME, "WAVETAPE_TEST_DBGAPI and WAVETAPE_TEST_RUNTIME name none")
class OtherRuntime(Case):
    """AMD's debugger library and a runtime of ROCm 6.2 or later, which Debian 12 has not: what the agent changes, and nothing else."""

    # What that runtime says when it finds that somebody debugs the program already: docs/recording.md.
    REFUSED = ["Failed to enable debug interface, debugger might be already attached.", "GPU core dump failed"]

    def run_program(self, name, **variables):
        """Exit status, output, and what is said, without what differs from run to run; with no core files, which are no output."""
        environment = {**os.environ, "HSA_ENABLE_DEBUG": "1", "LD_LIBRARY_PATH": OTHER_RUNTIME, **variables}
        result = device("sh", "-c", f"cd {self.directory} && ulimit -c 0 && exec {programs('-O2')} {name}",
                        options=("--architecture", "gfx90a"), environment=environment)
        stderr = re.sub(r"0x[0-9a-f]{6,}|\b\d+ us: \d+: \[tid:\w+\]", "X", result.stderr)
        return result.returncode, result.stdout, stderr.splitlines()

    def test_programs(self):
        for name in ("vectors", "forks", *FAULTS):
            with self.subTest(program=name):
                alone = self.run_program(name)
                code, stdout, stderr = self.run_program(
                    name, HSA_TOOLS_LIB=str(support.TREE.agent), WAVETAPE_DBGAPI=OTHER_LIBRARY,
                    WAVETAPE_AGENT=f"output={self.directory}/{name}.wtape")
                told = [line for line in stderr if line.startswith("wavetape: ")]
                stderr = [line for line in stderr if line not in told]
                self.assertEqual(len(told), name in FAULTS, told)
                self.assertEqual((self.directory / f"{name}.wtape").exists(), name in FAULTS)
                if name in FAULTS:
                    # The two lines stand together: behind the message of a memory fault, before that of a queue's error.
                    at = stderr.index(self.REFUSED[0])
                    self.assertEqual(at > 0 and stderr[at - 1].startswith("Memory access fault by GPU"),
                                     name in ("bad-address", "host-memory"), stderr)
                    self.assertEqual(stderr[at : at + 2], self.REFUSED)
                    del stderr[at : at + 2]
                self.assertEqual((code, stdout, stderr), alone)


class Attached(Case):
    """`record --pid` of a program on the driver, over our own library: from outside, and the program goes on."""

    def test_many_waves(self):
        """As many as fill most of the device, while their queue is suspended; they go on."""
        script = (f"mkfifo {self.directory}/f {self.directory}/said; "
                  f"{programs('-O2')} crowded < {self.directory}/f > {self.directory}/said & pid=$!; "
                  f"exec 3> {self.directory}/f 4< {self.directory}/said; read here <&4; "
                  f"{support.TREE.command} record -o {self.directory}/a.wtape --pid $pid; code=$?; "
                  "exec 3>&-; cat <&4; wait $pid; exit $((code + $?))")
        environment = support.environment(WAVETAPE_DBGAPI=support.TREE.libraries["simulated"])
        result = device("bash", "-c", script, environment=environment)
        self.assertEqual((result.returncode, result.stdout.splitlines()[-1]), (0, "crowded: the same"), result.stderr)
        verified = support.wavetape("verify", self.directory / "a.wtape")
        self.assertEqual((verified.code, verified.stdout.count(" 0 differences")), (0, 2), verified.stdout)
        waves = json.loads(support.wavetape("waves", "--json", self.directory / "a.wtape").stdout)
        self.assertEqual(len(waves["waves"]), 200)

    def test_running_wave(self):
        record = f"{support.TREE.command} record -o {self.directory}/a.wtape --pid $pid"
        # The kernel begins some time after the program: until then there are no waves to be taken.
        script = (f"mkfifo {self.directory}/f; {programs('-O2')} patient < {self.directory}/f & pid=$!; exec 3> {self.directory}/f; "
                  f"for i in $(seq 100); do sleep 0.1; rm -f {self.directory}/a.wtape; {record} && "
                  f"{support.TREE.command} waves {self.directory}/a.wtape | grep -q wait_for && break; done; "
                  "exec 3>&-; wait $pid")
        environment = support.environment(WAVETAPE_DBGAPI=support.TREE.libraries["simulated"])
        result = device("sh", "-c", script, environment=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.splitlines()[-1], "patient: the same")
        verified = subprocess.run([support.TREE.command, "verify", self.directory / "a.wtape"], capture_output=True, text=True,
                                  check=False)
        self.assertEqual((verified.returncode, verified.stdout.count(" 0 differences")), (0, 2), verified.stdout)
        shown = subprocess.run([support.TREE.command, "disassemble", self.directory / "a.wtape"], capture_output=True, text=True,
                               check=True).stdout
        self.assertIn("s_cbranch", shown)


class Debugged(Case):
    """Programs that are debugged from their first instruction on (tests/driver/debugger.py), over our own library on the driver,
    recorded; and the same debugger over the trace, where there is neither program nor device."""

    # That the program has died with its loader's breakpoint in it, which is then not removed, is no part of the state.
    NOT_FROM_STATE = {"amd_dbgapi_process_detach"}

    def debug(self, library, *arguments, before=(), **variables):
        """The run, and the transcript."""
        transcript = self.directory / "transcript"
        result = subprocess.run(
            [*before, *support.script("driver/debugger.py"), support.TREE.libraries[library], self.directory / "news",
             transcript, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL,
            env=support.environment(WAVETAPE_TRACE=self.directory / "a.wtape", **variables))
        self.assertTrue(transcript.exists(), result.stderr)
        text = transcript.read_text("utf-8")
        self.assertEqual(result.returncode, 0, text + result.stderr)
        return result, text

    def verify(self):
        done = support.wavetape("verify", "--json", self.directory / "a.wtape")
        self.assertIn(done.code, (0, 3), done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual((report["differences"]["count"], report["not_driven"], report["unfinished"]), (0, 0, False), report)
        self.assertLessEqual({kind["function"] for kind in report["from_state"]["kinds"]}, self.NOT_FROM_STATE, report)

    def record(self, kind, kernel, name, library=None):
        return self.debug("record", kind, kernel, programs("-O2"), name, before=(support.TREE.command, "device", "--"),
                          WAVETAPE_DBGAPI=library or support.TREE.libraries["simulated"])

    def session(self, kind, kernel, name):
        """Live, verified and replayed; the program's own output, and the transcript."""
        result, live = self.record(kind, kernel, name)
        self.verify()
        replayed, again = self.debug("replay", kind, kernel)
        self.assertEqual((again, replayed.stdout, replayed.stderr), (live, "", ""))
        return result, live

    def test_breakpoint_steps_and_watchpoint(self):
        alone = device(programs("-O2"), "queues")
        result, transcript = self.session("breaks", "_Z10accumulatePVii", "queues")
        self.assertEqual((alone.returncode, alone.stdout), (0, "queues: the same\n"))
        self.assertEqual((result.stdout, result.stderr), (alone.stdout, alone.stderr))
        reasons = re.findall(r"^wave \d+ reason (\S+)", transcript, re.MULTILINE)
        # Two at the breakpoint; both over it, then one three instructions further; twice the watchpoint.
        self.assertEqual(reasons, ["0x1"] * 2 + ["0x4"] * 5 + ["0x2"] * 2)

    @staticmethod
    def answered(transcript):
        """Which of ROCgdb's questions were answered, and how the others were refused. Addresses are others each time."""
        answers = re.findall(r"^((?:agent|queue|dispatch|workgroup|cluster|wave|address.space|DWARF space) \d+ .*|DWARF space \d+): (.*)$",
                             transcript, re.MULTILINE)
        # Whether memory is not there, or only not recorded, is told by newer levels, where the recorder knows.
        return [(question, re.sub("ERROR_MEMORY_.*", "no memory", answer) if answer.startswith("ERROR_") else "") for question, answer in answers]

    def test_questions_of_rocgdb(self):
        """
        Lanes, agents, queues, dispatches, workgroups, names of threads, locals by lane and all registers are answered as they were:
        in step, from the state, and where the recorded client had asked for nothing of it.
        """
        for library in filter(None, (support.TREE.libraries["simulated"], OTHER_LIBRARY)):
            with self.subTest(library=library):
                _, live = self.record("looks", "_Z10accumulatePVii", "queues", library)
                for options in "", "from-state":
                    _, again = self.debug("replay", "looks", "_Z10accumulatePVii", WAVETAPE_REPLAY_OPTIONS=options)
                    self.assertEqual(again, live)
                for wanted in r"^wave \d+ lane 63: active \(\d", r"^wave \d+ lane 63 v0: \w{8}$", r"^dispatch \d+ GRID_SIZES: \(", \
                        r"^agent \d+ NAME: ", r"^DWARF space 5: \d", r"^wave \d+ register \d+: \w":
                    self.assertRegex(live, re.compile(wanted, re.MULTILINE))
                self.record("breaks", "_Z10accumulatePVii", "queues", library)
                _, unasked = self.debug("replay", "looks", "_Z10accumulatePVii")
                self.assertGreater(len(self.answered(live)), 1000)
                self.assertEqual(self.answered(unasked), self.answered(live))

    def test_fault(self):
        result, transcript = self.session("fault", "_Z5storePi", "bad-address")
        self.assertRegex(result.stderr, FAULTS["bad-address"])
        self.assertEqual(len(re.findall(r"^wave \d+ reason ", transcript, re.MULTILINE)), 1)
        self.assertIn("ok by the signal\n", transcript)
        self.assertRegex(support.wavetape("info", self.directory / "a.wtape").stdout,
                         AGENT_FAULTS["bad-address"].split(":", maxsplit=1)[0])


class Machine(Sessions):
    def test_rocminfo(self):
        result = device("rocminfo")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        agents = re.findall(r"^  Name: +(\S+)", result.stdout, re.MULTILINE)
        self.assertIn("gfx90a", agents)
        self.assertIn("amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", result.stdout)
        self.assertIn("AMD Instinct MI250X", result.stdout)

    def test_several_agents(self):
        result = device("rocminfo", options=("--agents", "3", "--compute-units", "16"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(re.findall(r"^  Name: +gfx90a", result.stdout, re.MULTILINE)), 3)
        self.assertEqual(result.stdout.count("Compute Unit:            16"), 3)

    def test_kernels_on_several_agents(self):
        result = device(programs("-O2"), "agents", options=("--agents", "3"))
        self.assertEqual((result.returncode, result.stdout), (0, "agents: 3\nagents: the same\n"), result.stderr)
        result = device(programs("-O2"), "cooperative-devices", options=("--agents", "2"))
        self.assertEqual((result.returncode, result.stdout), (0, "devices: 2\ncooperative-devices: the same\n"), result.stderr)

    def test_unknown_gpu(self):
        """A runtime that does not know the GPU leaves it alone, and HIP programs may die of that: it is said."""
        for command in (("rocminfo",), (programs("-O2"), "vectors")):
            result = device(*command, options=("-a", "gfx942"))
            if "gfx942" in result.stdout:
                self.skipTest("the runtime knows it")
            self.assertEqual(len(re.findall(r"(?m)^wavetape: the device: the runtime of process \d+ has not set up any GPU: it may not "
                                            "know gfx942$", result.stderr)), 1, result.stderr)

    def test_command_without_gpu(self):
        # Some of the short ones end before the device has begun to listen.
        for command, code in (*[(("true",), 0)] * 10, (("false",), 1), (("sh", "-c", "exit 7"), 7),
                              (("sh", "-c", "kill -9 $$"), 128 + signal.SIGKILL)):
            result = device(*command, environment=self.environment)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (code, "", ""))
        self.assertEqual(self.sessions(), set())

    def test_no_room(self):
        """One workgroup more than fit waits for ever, and the log says why."""
        log = self.directory / "log"
        process = subprocess.Popen([support.TREE.command, "device", "--log", log, "--", programs("-O2"), "overfull"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(process.wait, PATIENCE)
        self.addCleanup(os.killpg, process.pid, signal.SIGKILL)
        deadline, lines = time.monotonic() + PATIENCE, []
        while not lines and time.monotonic() < deadline:
            time.sleep(0.1)
            lines = [line for line in (log.read_text("utf-8") if log.exists() else "").splitlines() if "no room" in line]
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"^process \d+: queue \d+: none of the 8 workgroups that are resident has ended within 67 million "
                                   "instructions, and there is no room for more: if they wait for one that has not begun, they wait for "
                                   "ever$")
        self.assertIsNone(process.poll())

    def test_two_programs(self):
        pair = [subprocess.Popen([support.TREE.command, "device", "--", "sh", "-c",
                                  f"{programs('-O2')} vectors & {programs('-O2')} local & wait"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        for process in pair:
            stdout, stderr = process.communicate(timeout=PATIENCE)
            self.assertEqual((process.returncode, sorted(stdout.splitlines())),
                             (0, ["local: the same", "vectors: the same"]), stderr)

    def test_killed(self):
        """One program is killed at any time; another one in the same session is not harmed."""
        rounds = 50 if LONG else 3
        script = (f"for i in $(seq {rounds}); do {programs('-O2')} many >/dev/null 2>&1 & victim=$!; "
                  "sleep 0.$((i * 7 % 10))1; kill -9 $victim; wait $victim; done; "
                  f"{programs('-O2')} vectors")
        result = device("bash", "-c", script, timeout=PATIENCE * 3)
        self.assertEqual((result.returncode, result.stdout), (0, "vectors: the same\n"), result.stderr)

    @staticmethod
    def children(parent):
        """Process ids of the children of a process, each with its name."""
        lines = subprocess.run(["pgrep", "-l", "-P", str(parent)], capture_output=True, text=True,
                               check=False).stdout.splitlines()
        return dict(line.split(maxsplit=1) for line in lines)

    def test_owner_killed(self):
        """The command is killed: its device does not outlive it, and leaves nothing."""
        process = subprocess.Popen([support.TREE.command, "device", "--", "sleep", "30"], env=self.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        deadline, children = time.monotonic() + PATIENCE, {}
        # The command is asked for first: until it runs, its process still has the name of the one that started it.
        while "sleep" not in children.values() and time.monotonic() < deadline:
            children = self.children(process.pid)
        children = [child for child, name in children.items() if name == "wavetape"]
        self.assertEqual(len(children), 1)
        process.kill()
        process.wait(timeout=PATIENCE)
        while pathlib.Path(f"/proc/{children[0]}").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertFalse(pathlib.Path(f"/proc/{children[0]}").exists(), "the owner has outlived its session")
        self.assertEqual(self.sessions(), set())


class Tree(Sessions):
    """The files of /sys and /dev, as a kernel with the driver shows them."""

    @staticmethod
    def walk(*paths, options=()):
        result = device(support.TREE.build / "tests/driver/walk", *paths, options=options)
        return result.returncode, result.stdout.splitlines(), result.stderr

    def test_links(self):
        slot, pci = "0000:03:00.0", "/sys/devices/pci0000:02"
        code, lines, stderr = self.walk("/sys/class/kfd", "/sys/class/drm", "/dev/kfd", "/dev/dri", "/sys/class/drm/card1",
                                        "/dev/dri/renderD129", f"{pci}/{slot}/driver", "/sys/class/kfdx")
        self.assertEqual((code, lines, stderr), (0, [
            "/sys/class/kfd/",
            "/sys/class/kfd/kfd -> ../../devices/virtual/kfd/kfd is /sys/devices/virtual/kfd/kfd",
            "/sys/class/drm/",
            f"/sys/class/drm/card0 -> ../../devices/pci0000:02/{slot}/drm/card0 is {pci}/{slot}/drm/card0",
            f"/sys/class/drm/renderD128 -> ../../devices/pci0000:02/{slot}/drm/renderD128 is {pci}/{slot}/drm/renderD128",
            "/dev/kfd is a device",
            "/dev/dri/",
            "/dev/dri/renderD128 is a device",
            "/sys/class/drm/card1 is not there",
            "/dev/dri/renderD129 is not there",
            f"{pci}/{slot}/driver -> ../../../bus/pci/drivers/amdgpu is /sys/bus/pci/drivers/amdgpu",
            "/sys/class/kfdx is not there",
        ], ""))

    def test_topology(self):
        code, lines, stderr = self.walk("/sys/class/kfd/kfd/topology", options=("--agents", "2"))
        self.assertEqual((code, stderr), (0, ""), lines)
        prefix = "/sys/class/kfd/kfd/topology/"
        nodes = [line[len(prefix):] for line in lines if re.match(prefix + r"nodes/\d+/[^/]*$", line)]
        self.assertEqual(nodes, [f"nodes/{node}/{name}" for node in range(3) for name in ("", "gpu_id", "name", "properties")])
        self.assertEqual(lines[:3], [prefix, prefix + "generation_id", prefix + "nodes/"])
        self.assertEqual(lines[-1], prefix + "system_properties")

    def test_agents_of_several_kinds(self):
        for options, said in ((("-a", "gfx90a,gfx942"), ["gfx000", "gfx90a", "gfx942"]),
                              (("-a", "gfx942,gfx90a", "-n", "3"), ["gfx000", "gfx942", "gfx90a", "gfx942"])):
            result = device("rocm_agent_enumerator", options=options)
            self.assertEqual((result.returncode, result.stdout.splitlines(), result.stderr), (0, said, ""))

    def test_every_product(self):
        """Each has its version, an id of its own, and pairs of units in all arrays of a Radeon."""
        ids = set()
        for half in (PRODUCTS[::2], PRODUCTS[1::2]):
            nodes = range(1, len(half) + 1)
            result = device("cat", *(f"/sys/class/kfd/kfd/topology/nodes/{node}/properties" for node in nodes), options=("-a", ",".join(half)))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            for name, text in zip(half, re.split("^(?=cpu_cores_count)", result.stdout, flags=re.M)[1:], strict=True):
                told = {key: int(value) for key, value in re.findall(r"^(\w+) (\d+)$", text, re.M)}
                version = told["gfx_target_version"]
                self.assertEqual(f"gfx{version // 10000}{version // 100 % 100:x}{version % 100:x}", name)
                self.assertEqual(told["wave_front_size"], 64 if name in ("gfx90a", "gfx942") else 32, name)
                units = told["simd_count"] // told["simd_per_cu"]
                self.assertEqual(units % (told["array_count"] * (1 if told["wave_front_size"] == 64 else 2)), 0, name)
                ids.add(told["device_id"])
        self.assertEqual(len(ids), len(PRODUCTS))

    def test_links_between_agents(self):
        """XGMI (11) between two of a data centre alone; a Radeon reaches another agent through the processor, by PCI (2)."""
        for first, second, link in (("gfx90a", "gfx942", "type 11, weight 15"), ("gfx90a", "gfx1030", "type 2, weight 40"),
                                    ("gfx1030", "gfx90a", "type 2, weight 40"), ("gfx1030", "gfx1030", "type 2, weight 40")):
            result = device("cat", *(f"/sys/class/kfd/kfd/topology/nodes/{node}/io_links/1/properties" for node in (1, 2)),
                            options=("-a", f"{first},{second}"))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual([f"type {kind}, weight {weight}" for kind, weight in
                              re.findall(r"^type (\d+)$.*?^weight (\d+)$", result.stdout, re.M | re.S)], [link] * 2, (first, second))

    def test_tools(self):
        for command, said in (
            (("rocm_agent_enumerator",), ["gfx000", "gfx90a"]),
            (("ls", "-R", "/sys/class/kfd/"), ["/sys/class/kfd/:", "kfd"]),
            (("ls", "/sys/class/kfd/kfd/topology/nodes"), ["0", "1"]),
            (("ls", "/sys/devices/virtual/kfd"), ["kfd"]),
            (("sh", "-c", "cd /sys/class/drm/card0/device && cat vendor device unique_id"), ["0x1002", "0x7408", "0000000000009000"]),
            (("find", "/sys/class/drm/", "-name", "card*"), ["/sys/class/drm/card0"]),
            (("readlink", "-f", "/sys/class/kfd/kfd/topology"), ["/sys/devices/virtual/kfd/kfd/topology"]),
            (("test", "-c", "/dev/kfd"), []),
        ):
            result = device(*command)
            self.assertEqual((result.returncode, result.stdout.splitlines(), result.stderr), (0, said, ""), command)

    def test_of_another_machine(self):
        """Nothing is redirected where there is no device."""
        environment = {key: value for key, value in os.environ.items() if key != "WAVETAPE_DEVICE"}
        command = "unset WAVETAPE_DEVICE; ls -d /sys/class/kfd; ls -d /sys/class"
        result = device("sh", "-c", command, environment=environment)
        self.assertEqual(pathlib.Path("/sys/class/kfd").exists(), "/sys/class/kfd\n" in result.stdout)
        self.assertTrue(result.stdout.endswith("/sys/class\n"), result.stdout)


class Radeon(Case):
    """A GPU whose programs have waves of 32 lanes, of those the only one that Debian 12's runtime knows."""
    SAMPLE = ("vectors", "local", "scratch", "atomics", "copies", "registered", "streams", "prints", "crossing", "matrices", "cooperative")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.kept = tempfile.TemporaryDirectory()
        cls.program = pathlib.Path(cls.kept.name, "programs")
        source = support.TREE.source / "tests/driver/programs.hip"
        made.take(cls.program, [["hipcc", "--offload-arch=gfx1030", "-w", "-g", "-O2", "-o", cls.program, source, "-lpthread"]], [source])

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()
        super().tearDownClass()

    def test_programs(self):
        names = subprocess.run([self.program, "--list"], capture_output=True, text=True, check=True).stdout.split()
        names = [name for name in names if name not in FAULTS and name not in MISSING and name not in ENDLESS]
        for name in names if LONG else self.SAMPLE:
            with self.subTest(program=name):
                result = device(self.program, name, options=("-a", "gfx1030"))
                self.assertEqual((result.returncode, result.stdout.splitlines()), (0, PRINTED.get(name, []) + [f"{name}: the same"]), result.stderr)

    def test_faults_are_recorded(self):
        """By the agent over our library, while the program runs."""
        self.skip_with_sanitizer()
        for name, reason, line in (("bad-address", "memory violation in kernel store(int*)", "*to = 1;"),
                                   ("traps", "assert trap in kernel trap()", "__builtin_trap();"),
                                   ("illegal-instruction", "illegal instruction in kernel illegal()", '".long')):
            with self.subTest(program=name):
                trace = self.directory / f"{name}.wtape"
                environment = {**os.environ, "HSA_TOOLS_LIB": str(support.TREE.agent), "HSA_ENABLE_DEBUG": "1",
                               "WAVETAPE_DBGAPI": str(support.TREE.build / "dbgapi/librocm-dbgapi.so.0"), "WAVETAPE_AGENT": f"output={trace}"}
                result = device(self.program, name, options=("-a", "gfx1030"), environment=environment)
                self.assertEqual(result.returncode, 128 + signal.SIGABRT, result.stderr)
                info = support.wavetape("info", trace).stdout
                self.assertIn(f"\ncrash        {reason} (stop ", info)
                number = int(re.search(r"\nat +\S+/programs\.hip:(\d+)", info)[1])
                self.assertIn(line, (support.TREE.source / "tests/driver/programs.hip").read_text().splitlines()[number - 1])
                self.assertIn("\ndevice       gfx1030, AMD Radeon RX 6900 XT\n", info)
                self.assertEqual(support.wavetape("verify", trace).stdout.count(": 0 differences"), 2)


class Usage(Sessions):
    def refused(self, *arguments):
        return subprocess.run([support.TREE.command, "device", *arguments], capture_output=True, text=True, timeout=60,
                              check=False, env=self.environment)

    def test_wrong_usage(self):
        for arguments, said in (
            ((), "which command? Name it behind --"),
            (("--agents", "none", "--", "true"), "--agents takes a number, not 'none'"),
            (("--seed", "-3", "--", "true"), "--seed takes a number, not '-3'"),
            (("--local-memory", "none", "--", "true"), "--local-memory takes checked or hardware, not 'none'"),
        ):
            result = self.refused(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(said, result.stderr)

    def test_what_cannot_be_made(self):
        for arguments, said in (
            (("--architecture", "gfx9000"), "cannot make the device: gfx9000: no such architecture is simulated with a kernel driver: these are: "
                                            f"{', '.join(PRODUCTS)}\n"),
            (("--architecture", "gfx1250"), "gfx1250: no such architecture is simulated with a kernel driver: these are: gfx90a, "),
            (("--architecture", "gfx950"), "gfx950: no such architecture is simulated with a kernel driver: these are: "),
            (("--architecture", "gfx90a,gfx9000"), "cannot make the device: gfx9000: no such architecture is simulated with a kernel driver"),
            (("--architecture", "gfx90a,"), "no such architecture is simulated with a kernel driver"),
            (("--agents", "0"), "0 agents: it may have 1 to 8"),
            (("--agents", str(2 ** 32 - 1)), "--agents takes a number, not '4294967295'"),
            (("--architecture", "gfx90a,gfx942", "--agents", "1"), "1 agents: it may have 2 to 8"),
            (("--architecture", ",".join(9 * ["gfx90a"])), "9 agents: it may have 1 to 8"),
            (("--compute-units", "12"), "12 compute units: of gfx90a, multiples of 8 to 304 are possible"),
            (("--architecture", "gfx1100", "--compute-units", "8"), "8 compute units: of gfx1100, multiples of 24 to 304 are possible"),
            (("--log", "/nowhere/log"), "cannot write the device's log: /nowhere/log: No such file or directory"),
        ):
            result = self.refused(*arguments, "--", "true")
            self.assertNotEqual(result.returncode, 0)
            self.assertEqual(result.stdout, "")
            self.assertIn(said, result.stderr)
            self.assertEqual(self.sessions(), set())

    def test_no_folder(self):
        """The variable is named that says where the session's directory is to be."""
        result = device("true", environment={**self.environment, "TMPDIR": "/nowhere"})
        self.assertEqual((result.returncode, result.stdout, result.stderr),
                         (1, "", "wavetape: cannot make the device: TMPDIR is /nowhere: No such file or directory\n"))

    def test_no_proc(self):
        """Programs would see no GPU, and some of them end by that."""
        hidden = "mount -t tmpfs none /proc"
        if subprocess.run(["unshare", "-m", "sh", "-c", hidden], capture_output=True, check=False).returncode:
            self.skipTest("no /proc can be taken away here")
        result = subprocess.run(["unshare", "-m", "sh", "-c", f'{hidden} && exec "$@"', "sh", support.TREE.command, "device", "--", "true"],
                                capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual((result.returncode, result.stdout, result.stderr),
                         (1, "", "wavetape: cannot make the device: /proc/self/fd: No such file or directory\n"))

    def test_no_such_command(self):
        result = self.refused("--", "no-such-command")
        self.assertEqual((result.returncode, result.stderr),
                         (1, "wavetape: cannot run the client: no-such-command: No such file or directory\n"))


if __name__ == "__main__":
    support.main(__doc__, parts=3)
