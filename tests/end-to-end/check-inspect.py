# SPDX-License-Identifier: MIT
"""What the verbs that look into a trace say of recorded workloads, as text and as JSON."""

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import unittest

import support
from support import Case, wavetape


@dataclasses.dataclass(frozen=True)
class Crash:
    """What must be told of a fault; all of it follows from the workload and the kernel's source."""

    kernel: str
    line: str  # the statement, as it stands in the source
    words: str  # the reason in a sentence
    reason: str  # the reason in JSON
    workgroup: list
    number: int  # of the wave in its workgroup
    instruction: str  # pattern of the optimised code's
    exec_lanes: range  # active lanes
    unmapped: range  # lanes whose address is no memory
    offset: int  # of the first of them, modulo the page size


CRASHES = {
    "oob-store": Crash(
        "oob_store", "out[index] = 3 * i;", "memory violation", "MEMORY_VIOLATION", [0, 0, 0], 2,
        r"global_store_dword v\[0:1\], v4, off", range(64), range(61, 64), 4852 % 4096),
    "oob-load": Crash(
        "oob_load", "out[i] = 2.0f * in[index[i]];", "memory violation", "MEMORY_VIOLATION",
        [1, 0, 0], 1, r"global_load_dword v0, v\[0:1\], off", range(64), range(13, 64),
        4100 % 4096),
    "assert-trap": Crash(
        "assert_trap", "trap_assert();", "assert trap", "ASSERT_TRAP", [3, 0, 0], 0, r"s_trap 2",
        range(9, 64), range(0), 0),
    "illegal": Crash(
        "illegal", "trap_illegal();", "illegal instruction", "ILLEGAL_INSTRUCTION", [2, 0, 0], 0,
        r"0xbfff1234 \(no instruction of this architecture\)", range(64), range(0), 0),
}

FOOTER = 128  # bytes of a trace without which there is no list of its stops

FINE = ("vecadd", "saxpy", "matmul", "divergent", "reduce", "oob-store-clean")


def mask(lanes):
    return sum(1 << lane for lane in lanes)


class Record(Case):
    """What `record --workload` says of the session; the exit code is 0, since recording worked."""

    ENDS = {
        "vecadd": ("the workload ran to its end", "finished", 0, 0, "NONE"),
        "debug-trap": ("the workload ran to its end", "finished", 2, 0, "NONE"),
        "oob-store": ("1 wave stopped for a fault: memory violation", "fault", 0, 1,
                      "MEMORY_VIOLATION"),
        "assert-trap": ("1 wave stopped for a fault: assert trap", "fault", 0, 1, "ASSERT_TRAP"),
        # The last wave of each workgroup to reach the barrier is the first to go on.
        "matmul-short-buffer": ("4 waves stopped for a fault: memory violation", "fault", 0, 4,
                                "MEMORY_VIOLATION"),
    }

    def test_summary(self):
        trace = self.directory / "t.wtape"
        for name, (words, end, traps, faulted, reasons) in self.ENDS.items():
            with self.subTest(workload=name):
                arguments = ["record", "-o", trace, "--workload", support.TREE.workload(name)]
                report = self.json(*arguments)
                stops = len(self.json("stops", trace)["stops"])
                self.assertEqual(report, {
                    "format": 3, "file": str(trace), "end": end, "stops": stops, "debug_traps": traps,
                    "faulted_waves": faulted, "reasons": reasons})
                self.wavetape(*arguments, stdout=f"{words}; {stops} stop{'s'[:stops != 1]}\n")

    def test_default_name(self):
        self.wavetape("record", "--workload", support.TREE.workload("vecadd"), cwd=self.directory)
        self.assertEqual([path.name for path in self.directory.iterdir()], ["recording.wtape"])

    def test_limit_of_stops(self):
        """Held at its first stop, the debug trap, and recorded so."""
        trace = self.directory / "t.wtape"
        report = self.json("record", "-o", trace, "--max-stops", 1, "--workload",
                           support.TREE.workload("debug-trap"))
        self.assertEqual(report["end"], "stop limit")
        self.assertEqual(self.json("verify", trace)["differences"]["count"], 0)


class Reading(Case):
    """How many bytes of a long recording the verbs read; what else a command reads is the same for all."""

    def bytes_read(self, *arguments, code=0):
        with subprocess.Popen([support.TREE.command, *map(str, arguments)], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL if code else None, env=support.environment()) as process:
            # It stays for its account to be read.
            ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            account = pathlib.Path(f"/proc/{process.pid}/io").read_text("ascii")
        self.assertEqual((ended.si_code, ended.si_status), (os.CLD_EXITED, code), arguments)
        return int(re.search(r"^rchar: (\d+)$", account, re.MULTILINE)[1])

    def check_bounds(self, trace, bounds, code=0):
        size, other = trace.stat().st_size, self.bytes_read("--version")
        for arguments, least, most in bounds:
            with self.subTest(arguments=arguments):
                times = (self.bytes_read(*arguments, trace, code=code) - other) / size
                self.assertGreater(times, least)
                self.assertLess(times, most)

    @unittest.skipIf(support.SMALL, "a share: what is read is the same under sanitizers")
    def test_without_a_fault(self):
        trace = self.directory / "t.wtape"
        self.wavetape("record", "--reproducible", "-o", trace, "--dbgapi",
                      support.TREE.libraries["simulated"], "--", support.TREE.client, "--break",
                      "matmul", "--steps", "150", "--stops", "200",
                      WAVETAPE_WORKLOAD=support.TREE.workload("matmul"))
        self.assertGreater(len(self.json("stops", trace)["stops"]), 200)
        verbs = ("waves", "info", "registers", "memory", "disassemble", "code-objects")
        self.check_bounds(trace, (
            (("waves", "--stop", "1"), 0, 0.2), (("info", "--stop", "1"), 0, 0.1), (("stops",), 0, 0.05),
            (("journal",), 0.9, 1.1), *(((verb,), 0, 0.3) for verb in verbs)))
        # No register is read for what no wave did. What disassembles is looked for by another process.
        self.assertLess(abs(self.bytes_read("waves", "--json", trace) - self.bytes_read("waves", trace)), 16 << 10)
        # Without the list at its end each chunk is read once.
        cut = self.directory / "cut.wtape"
        cut.write_bytes(trace.read_bytes()[:-FOOTER])
        self.check_bounds(cut, (
            (("waves", "--stop", "1"), 0, 0.2), (("info", "--stop", "1"), 0.9, 1.1), (("stops",), 0.9, 1.1),
            (("journal",), 0.9, 1.1), *(((verb,), 0.9, 1.4) for verb in verbs)), code=3)

    def test_the_list_says_what_the_chunks_say(self):
        """The same of a trace and of its copy without a footer, which has no list."""
        cut = self.directory / "cut.wtape"
        for name in ("vecadd", "debug-trap", "oob-store", "matmul-short-buffer", "assert-trap-O0"):
            with self.subTest(workload=name):
                trace = self.trace(name)
                cut.write_bytes(trace.read_bytes()[:-FOOTER])
                texts = [support.wavetape("stops", *arguments, path).stdout.replace(str(path), "") for arguments in ((), ("--json",))
                         for path in (cut, trace)]
                self.assertEqual(texts[::2], texts[1::2])
                whole, other = (json.loads(support.wavetape("info", "--json", path).stdout) for path in (trace, cut))
                for key in ("stops", "stop", "waves", "faults", "notices", "calls", "host"):
                    self.assertEqual(other.get(key), whole.get(key), key)


class Info(Case):
    def test_crashes_as_text(self):
        for name, crash in support.share(CRASHES.items()):
            with self.subTest(workload=name):
                self.check_text(name, crash)

    def check_text(self, name, crash):
        text = self.wavetape("info", self.trace(name))
        line = support.TREE.line_of(name, crash.line)
        self.assertRegex(text, rf"(?m)^crash +{crash.words} in kernel {crash.kernel} \(stop \d+\)$")
        self.assertRegex(text, rf"(?m)^at +tests/kernels/{name}\.c:{line}:\d+, "
                               rf"{crash.kernel}\(\), {crash.kernel}\+0x[0-9a-f]+$")
        self.assertRegex(text, rf"(?m)^instruction  0x[0-9a-f]+: {crash.instruction}$")
        self.assertRegex(text, r"(?m)^waves        1 of \d+ stopped here$")
        group = "({},{},{})".format(*crash.workgroup)
        self.assertRegex(text, rf"(?m)^  w\d+ +{re.escape(group)}/{crash.number} ")
        self.assertRegex(text, r"(?m)^device       gfx942, ")
        self.assertRegex(text, r"(?m)^recorded     by wavetape \d+\.\d+\.\d+, API 0\.82\.\d+, ")
        self.assertIn(", complete\n", text)
        # One screen.
        self.assertLessEqual(len(text.splitlines()), 24)
        # But for what holds paths of the machine.
        lines = [line for line in text.splitlines() if str(support.TREE.temporary) not in line]
        self.assertLessEqual(max(map(len, lines)), 100)

    def test_access_as_text(self):
        text = self.wavetape("info", self.trace("oob-store"))
        self.assertRegex(text, r"  lanes 61-63 store 4 bytes at 0x[0-9a-f]+2f4 \.\. "
                               r"0x[0-9a-f]+2fc \(not mapped\)\n")
        text = self.wavetape("info", self.trace("oob-load"))
        self.assertRegex(text, r"  lanes 13-63 load 4 bytes at 0x[0-9a-f]+004 \.\. "
                               r"0x[0-9a-f]+3ec \(not mapped\)\n")
        text = self.wavetape("info", self.trace("assert-trap"))
        self.assertRegex(text, r"  active lanes 9-63\n")

    def test_crashes_as_json(self):
        for variant in ("", "-O0"):
            for name, crash in support.share(CRASHES.items()):
                with self.subTest(workload=name + variant):
                    self.check_json(name, variant, crash)

    def check_json(self, name, variant, crash):
        information = self.json("info", self.trace(name + variant))
        self.assertTrue(information["complete"])
        self.assertEqual(len(information["faults"]), 1)
        fault = information["faults"][0]
        self.assertEqual(fault["state"], "stopped")
        self.assertEqual(fault["kernel"], crash.kernel)
        self.assertEqual(fault["stop_reason"], crash.reason)
        self.assertEqual(fault["workgroup"], crash.workgroup)
        self.assertEqual(fault["number_in_workgroup"], crash.number)
        self.assertEqual(int(fault["exec"], 16), mask(crash.exec_lanes))
        source = fault["code"]["source"]
        self.assertEqual(source["file"], f"tests/kernels/{name}.c")
        self.assertEqual(source["line"], support.TREE.line_of(name, crash.line))
        self.assertEqual(fault["code"]["symbol"]["name"], crash.kernel)
        if name == "illegal":
            self.assertEqual(fault["code"]["words"][0], "0xbfff1234")
        if crash.unmapped:
            self.check_access(fault["access"], crash)

    def check_access(self, access, crash):
        self.assertEqual(access["unmapped_lanes"], list(crash.unmapped))
        self.assertEqual(access["unknown_lanes"], [])
        self.assertEqual(access["bytes"], 4)
        self.assertEqual(sorted(map(int, access["addresses"])), list(crash.exec_lanes))
        first = int(access["addresses"][str(crash.unmapped[0])], 16)
        self.assertEqual(first % 4096, crash.offset)

    def test_addresses_of_the_store(self):
        """The addresses lie where the kernel's own pointer says: s[8:9] holds `out` at the store."""
        trace = self.trace("oob-store")
        low, high = (int(register["value"], 16) for register in
                     self.json("registers", trace, "s8", "s9")["registers"])
        out = high << 32 | low
        addresses = self.json("info", trace)["faults"][0]["access"]["addresses"]
        for lane in range(64):
            index = 128 + lane + (1024 if lane >= 61 else 0)
            self.assertEqual(int(addresses[str(lane)], 16), out + 4 * index)

    def test_short_buffer(self):
        """Several waves fault at one instruction: one crash on the screen, with all of them."""
        text = self.wavetape("info", self.trace("matmul-short-buffer"))
        self.assertEqual(len(re.findall(r"(?m)^crash ", text)), 1)
        shown = len(re.findall(r"(?m)^  w\d+ ", text))
        faults = self.json("info", self.trace("matmul-short-buffer"))["faults"]
        self.assertEqual(shown, min(8, len(faults)))
        for fault in faults:
            self.assertEqual(fault["access"]["unmapped_lanes"], list(range(64)))
            self.assertEqual(fault["code"]["source"]["line"],
                             support.TREE.line_of("matmul", "tile_b[y][x] = b["))

    def test_precision(self):
        """Where memory is not precise a wave stops behind the access that failed; that the client had it precise is in the trace."""
        client = support.TREE.build / "tests/end-to-end/gdb-client"
        trace = self.directory / "late.wtape"
        for words, mode, certain in (("", "NONE", False), ("precise,", "PRECISE", True)):
            with self.subTest(mode=mode):
                self.wavetape("record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--", client, "--script",
                              f"{words}run,kill", WAVETAPE_WORKLOAD=support.TREE.workload("oob-store-gfx90a"))
                information = self.json("info", trace)
                self.assertEqual(information["memory_precision"], mode)
                self.assertEqual([fault["place_is_certain"] for fault in information["faults"]], [certain])
                fault, = information["faults"]
                text = self.wavetape("info", trace)
                # The wave has gone past the store, with precise memory, too: there the place is known without its way.
                self.assertEqual(int(fault["pc"], 16) - int(fault["code"]["address"], 16), 8 if certain else 0)
                explained, = information["explanations"]
                self.assertEqual((explained["place_is_certain"], explained["late"]), (True, 1))
                line = support.TREE.line_of("oob-store", "out[index] = 3 * i;")
                self.assertRegex(text, rf"(?m)^at +\S*oob-store\.c:{line}:")
                self.assertIn(f"stopped at   {fault['pc']}", text)
                self.assertNotIn("certain: without precise memory", text)
                # The list at the end of the trace has the pc: the access that failed is in its state.
                code = fault["code"]
                stood = (f"{code['symbol']['name']}+0x{code['symbol']['offset']:x} at "
                         f"{code['source']['file']}:{code['source']['line']}:{code['source']['column']}")
                self.assertEqual(self.json("stops", trace)["stops"][-1]["at"], stood)
                self.assertTrue(self.wavetape("stops", trace).endswith(f"\n         {stood}\n"), stood)
        # Nobody asked for it here, but the wave stands at what failed.
        information = self.json("info", self.trace("oob-store"))
        self.assertEqual((information["memory_precision"], information["faults"][0]["place_is_certain"]), ("NONE", True))

    def test_no_crash(self):
        for name in support.share(FINE):
            with self.subTest(workload=name):
                text = self.wavetape("info", self.trace(name))
                self.assertNotIn("crash ", text)
                self.assertRegex(text, r"(?m)^no (fault|stop) ")
                self.assertEqual(self.json("info", self.trace(name)).get("faults", []), [])

    def test_debug_trap_is_no_crash(self):
        text = self.wavetape("info", self.trace("debug-trap"))
        self.assertNotIn("crash ", text)


class Stops(Case):
    def test_text_and_json_agree(self):
        for name in support.share((*CRASHES, "debug-trap", "vecadd")):
            with self.subTest(workload=name):
                text = self.wavetape("stops", self.trace(name))
                stops = self.json("stops", self.trace(name))["stops"]
                numbers = [int(number) for number in re.findall(r"(?m)^stop (\d+) ", text)]
                self.assertEqual(numbers, [stop["stop"] for stop in stops])
                self.assertEqual(numbers, list(range(1, len(stops) + 1)))
                calls = [stop["call"] for stop in stops]
                self.assertEqual(calls, sorted(calls))

    def test_crash(self):
        for name, crash in support.share(CRASHES.items()):
            with self.subTest(workload=name):
                stop = self.json("stops", self.trace(name))["stops"][-1]
                self.assertIn(crash.reason, stop["reasons"].split("|"))
                self.assertEqual(stop["kernel"], crash.kernel)
                self.assertEqual(stop["stopped"], stop["waves"])
                line = support.TREE.line_of(name, crash.line)
                self.assertIn(f"tests/kernels/{name}.c:{line}", stop["at"])
                kinds = {event["kind"] for event in stop["events"]}
                self.assertIn("WAVE_STOP", kinds)

    def test_arithmetic(self):
        """Exceptions that the program has enabled, in its second wave, and behind what raised them."""
        reasons = {"half-overflow": "fp overflow", "invalid-conversion": "fp invalid operation",
                   "signalling-compare": "fp invalid operation"}
        for name, words in reasons.items():
            for target in ("", "-gfx90a"):
                with self.subTest(workload=name + target):
                    trace = self.trace(name + target)
                    self.assertIn(f" stopped: {words}\n", self.wavetape("stops", trace))
                    stop = self.json("stops", trace)["stops"][-1]
                    self.assertEqual((stop["reasons"], stop["kernel"]),
                                     (support.FAULTS[name], "arithmetic"))
                    waves = self.json("waves", trace)["waves"]
                    stopped = [wave for wave in waves if wave.get("stop_reason", "NONE") != "NONE"]
                    self.assertEqual([wave["number_in_workgroup"] for wave in stopped], [1])

    def test_debug_traps(self):
        """Two workgroups, one trap each, of lane 0 of the first wave."""
        trace = self.trace("debug-trap")
        seen = []
        for stop in self.json("stops", trace)["stops"]:
            for wave in self.json("waves", trace, "--stop", stop["stop"])["waves"]:
                if wave.get("stop_reason") == "DEBUG_TRAP":
                    seen.append((wave["workgroup"][0], wave["number_in_workgroup"]))
                    self.assertEqual(wave["exec"], "0x1")
                    self.assertEqual(wave["code"]["instruction"], "s_trap 3")
                    self.assertEqual(wave["code"]["source"]["line"],
                                     support.TREE.line_of("debug-trap", "trap_debug();"))
        self.assertEqual(sorted(seen), [(0, 0), (1, 0)])


class Waves(Case):
    def test_crash(self):
        for name, crash in support.share(CRASHES.items()):
            with self.subTest(workload=name):
                text = self.wavetape("waves", self.trace(name))
                report = self.json("waves", self.trace(name))
                lines = text.splitlines()
                count = len(report["waves"])
                self.assertEqual(lines[0], f"stop {report['stop']}: {count} wave"
                                 f"{'' if count == 1 else 's'}")
                self.assertEqual(len([line for line in lines if line.startswith("w")]), count)
                self.assertLessEqual(max(map(len, lines)), 100)
                found = [wave for wave in report["waves"] if wave["stop_reason"] != "NONE"]
                self.assertEqual(len(found), 1)
                self.assertEqual(found[0]["workgroup"], crash.workgroup)
                self.assertEqual(len([line for line in lines if crash.words in line]), 1)

    def test_every_stop(self):
        trace = self.trace("debug-trap")
        for stop in self.json("stops", trace)["stops"]:
            report = self.json("waves", trace, "--stop", stop["stop"])
            self.assertEqual(report["stop"], stop["stop"])
            self.assertEqual(len(report["waves"]), stop["waves"])


class FullDevice(Case):
    """4,096 waves, so that the registers of one of them are read without those of the others."""

    QUEUES = 64

    def record(self, name, buffers, arguments):
        """As many waves of a test kernel, each queue on its own part of nothing but these buffers."""
        workload, trace = self.directory / f"{name}.json", self.directory / f"{name}.wtape"
        code_object = support.TREE.workload(name).with_suffix(".co")
        workload.write_text(json.dumps({
            "architecture": "gfx942", "code_objects": [str(code_object)], "queues": [{}] * self.QUEUES, "buffers": buffers,
            "dispatches": [{"kernel": name.replace("-", "_"), "grid": [4096, 1, 1], "workgroup": [1024, 1, 1], "queue": queue,
                            "arguments": arguments} for queue in range(self.QUEUES)]}), encoding="utf-8")
        self.wavetape("record", "-o", trace, "--workload", workload, stdout=None)
        # With less for each moment, all are read.
        report = self.json("check", trace)
        self.assertGreater(report["unpacked_bytes"] / report["moments"]["count"], 256 << 10)
        return trace

    def check_wave(self, trace, wave):
        """Without --wave it is this one, and shows what it shows with it; of a wave of the end others are shown."""
        whole = support.wavetape("registers", trace)
        self.assertEqual(whole.stdout.splitlines()[0].split()[-1], f"w{wave['wave']}")
        self.assertEqual(support.wavetape("registers", trace, "--wave", wave["wave"]), whole)
        self.assertNotIn("not recorded", whole.stdout)
        self.assertEqual(self.json("registers", trace, "pc")["registers"][0]["value"], wave["pc"])

    @unittest.skipIf(support.SMALL, "a share: what is read is the same under sanitizers")
    def test_registers(self):
        data = {"data": {"bytes": 16384}}
        trap = self.record("debug-trap", data, [{"buffer": "data"}])
        waves = self.json("waves", trap)["waves"]
        self.assertEqual(len(waves), 4096)
        self.check_wave(trap, waves[0])
        last = next(wave for wave in reversed(waves) if "pc" in wave)
        self.assertGreater(last["wave"], 2000)
        self.assertEqual(self.json("registers", trap, "--wave", last["wave"], "pc")["registers"][0]["value"], last["pc"])
        fault = self.record("oob-load", {"in": {"bytes": 4096}, "out": {"bytes": 16384}, "index": {
            "bytes": 16384, "fill": {"iota": {"type": "u32", "start": 0, "step": 5}}}},
            [{"buffer": name} for name in ("in", "index", "out")])
        self.check_wave(fault, self.json("info", fault)["faults"][0])


class Registers(Case):
    def test_named(self):
        trace = self.trace("oob-store")
        text = self.wavetape("registers", trace, "pc", "exec", "v4")
        lines = text.splitlines()
        self.assertRegex(lines[0], r"^stop \d+, wave w\d+$")
        self.assertRegex(lines[1], r"^pc +0x[0-9a-f]{16}$")
        self.assertRegex(lines[2], r"^exec +0xffffffffffffffff$")
        values = [int(word, 16) for line in lines[3:] for word in line.replace("v4", "").split()]
        # v4 is what the store would write: three times the number of each work-item.
        self.assertEqual(values, [3 * (128 + lane) for lane in range(64)])

    def test_json(self):
        trace = self.trace("oob-store")
        report = self.json("registers", trace, "v4", "pc")
        vector, counter = report["registers"]
        self.assertEqual(vector["bytes"], 256)
        self.assertEqual([int(lane, 16) for lane in vector["lanes"]],
                         [3 * (128 + lane) for lane in range(64)])
        fault = self.json("info", trace)["faults"][0]
        self.assertEqual(counter["value"], fault["pc"])
        self.assertEqual(report["wave"], fault["wave"])

    def test_all(self):
        trace = self.trace("oob-store")
        names = [register["name"] for register in self.json("registers", trace)["registers"]]
        for name in ("v0", "s0", "pc", "exec", "vcc", "m0", "mode", "status"):
            self.assertIn(name, names)
        self.assertEqual(len(names), len(set(names)))
        text = self.wavetape("registers", trace)
        self.assertNotIn("not recorded", text)

    def test_every_wave(self):
        """Registers of every stopped wave are there, and differ where the work-items do."""
        trace = self.trace("oob-load")
        for wave in self.json("waves", trace)["waves"]:
            report = self.json("registers", trace, "--wave", wave["wave"], "pc")
            self.assertEqual(report["registers"][0]["value"], wave["pc"])

    def names(self, *arguments):
        return [register["name"] for register in self.json("registers", *arguments)["registers"]]

    def test_lists(self):
        """The lists of `record --registers`, in as many arguments as one likes; each register is shown once."""
        trace = self.trace("oob-store")
        self.assertEqual(self.names(trace, "pc,s0-s3", "v1:exec", "s2-s5"),
                         ["pc", "s0", "s1", "s2", "s3", "v1", "exec", "s4", "s5"])
        scalars, vectors = self.names(trace, "scalar"), self.names(trace, "vector")
        self.assertTrue({"s0", "s15"} < set(scalars) and not {"v0", "pc"} & set(scalars))
        self.assertEqual(vectors[:2], ["v0", "v1"])
        everything = self.names(trace)
        self.assertEqual(self.names(trace, "all"), everything)
        self.assertEqual(self.names(trace, "vector,all"), vectors + [n for n in everything if n not in vectors])
        # What of a run is there, as of a class.
        self.assertEqual(self.names(trace, "v0-v9999"), [n for n in vectors if n.startswith("v")])
        self.assertEqual(self.names(trace, "s0-s9999"), [n for n in everything if n[0] == "s" and n[1:].isdigit()])
        text = self.wavetape("registers", trace, "s8-s9")
        self.assertRegex(text, r"\Astop 2, wave w\d+\ns8 +0x[0-9a-f]{8}\ns9 +0x[0-9a-f]{8}\n\Z")

    def test_same_as_recorded(self):
        """What `record --registers` takes of a wave is what `registers` shows for the same list of all of them."""
        whole = self.trace("oob-store")
        for text in ("vcc,s0-s3,v2", "vector", "system,s7", "trap:v0-v1"):
            part = self.directory / "part.wtape"
            self.wavetape("record", "-o", part, "--registers", text, "--workload",
                          support.TREE.workload("oob-store"), stdout=None)
            taken = set(self.names(part))
            self.assertEqual(taken, set(self.names(whole, text)) | {"pc", "exec"}, text)


class Memory(Case):
    def out_address(self, trace):
        addresses = self.json("info", trace)["faults"][0]["access"]["addresses"]
        return int(addresses["0"], 16) - 4 * 128

    def test_what_the_kernel_wrote(self):
        """Memory at the pointers of the faulting wave: wave 0 has stored, wave 2 has not."""
        trace = self.trace("oob-store")
        out = self.out_address(trace)
        report = self.json("memory", trace, hex(out), 1024)
        self.assertEqual(report["recorded_bytes"], 1024)
        data = bytes.fromhex(report["data"])
        values = [int.from_bytes(data[i : i + 4], "little") for i in range(0, 1024, 4)]
        for i in range(64):
            self.assertEqual(values[i], 3 * i)
        self.assertEqual(values[189:192], [0, 0, 0])

    def test_text(self):
        trace = self.trace("oob-store")
        out = self.out_address(trace)
        text = self.wavetape("memory", trace, hex(out), 32)
        self.assertEqual(text, f"0x{out:012x}  00 00 00 00  03 00 00 00  06 00 00 00  "
                               "09 00 00 00  |................|\n"
                               f"0x{out + 16:012x}  0c 00 00 00  0f 00 00 00  12 00 00 00  "
                               "15 00 00 00  |................|\n")

    def test_list(self):
        text = self.wavetape("memory", self.trace("oob-store"))
        runs = self.json("memory", self.trace("oob-store"))["ranges"]
        self.assertEqual(len(text.splitlines()), 1 + len(runs))
        out = self.out_address(self.trace("oob-store"))
        self.assertTrue(any(run["space"] == "global" and int(run["from"], 16) <= out and
                            out + 4096 <= int(run["to"], 16) for run in runs))

    def test_output_file(self):
        trace = self.trace("oob-store")
        target = self.directory / "bytes"
        self.wavetape("memory", trace, hex(self.out_address(trace)), 256, "-o", target, stdout="")
        data = target.read_bytes()
        self.assertEqual(data[4 * 5 : 4 * 6], (15).to_bytes(4, "little"))
        self.assertEqual(len(data), 256)

    def test_local(self):
        """The tiles of a matrix product, as they are when the third one cannot be loaded."""
        trace = self.trace("matmul-short-buffer")
        wave = self.json("info", trace)["faults"][0]["wave"]
        report = self.json("memory", trace, "--space", "local", "--wave", wave, 0, 2048)
        self.assertEqual(report["recorded_bytes"], 2048)
        self.assertTrue(any(bytes.fromhex(report["data"])))

    def test_private(self):
        """-O0 code keeps its variables in private memory."""
        trace = self.trace("oob-store-O0")
        wave = self.json("info", trace)["faults"][0]["wave"]
        report = self.json("memory", trace, "--space", "private_lane", "--wave", wave, "--lane",
                           63, 0, 64)
        self.assertEqual(report["recorded_bytes"], 64)
        words = {bytes.fromhex(report["data"])[i : i + 4] for i in range(0, 64, 4)}
        # `i`, the number of the work-item, and the index that leaves the buffer.
        self.assertIn((191).to_bytes(4, "little"), words)
        self.assertIn((191 + 1024).to_bytes(4, "little"), words)


class Disassemble(Case):
    def test_marks_the_instruction(self):
        for name, crash in support.share(CRASHES.items()):
            with self.subTest(workload=name):
                text = self.wavetape("disassemble", self.trace(name))
                marked = [line for line in text.splitlines() if line.startswith("=>")]
                self.assertEqual(len(marked), 1)
                pattern = r"bfff1234" if name == "illegal" else crash.instruction
                self.assertRegex(marked[0], pattern)
                line = support.TREE.line_of(name, crash.line)
                self.assertRegex(text, rf"(?m)^; tests/kernels/{name}\.c:{line}$")

    def test_a_kernel(self):
        text = self.wavetape("disassemble", self.trace("oob-store"), "--kernel", "oob_store")
        self.assertTrue(text.startswith("oob_store:\n"), text[:80])
        self.assertRegex(text, r"s_load_dwordx2 s\[8:9\], s\[0:1\], 0x0\n")
        self.assertTrue(text.rstrip().endswith("s_endpgm"), text[-80:])

    def test_from_an_address(self):
        trace = self.trace("oob-store")
        code = self.json("info", trace)["faults"][0]["code"]
        listing = self.json("disassemble", trace, code["address"], "--count", 2)["instructions"]
        self.assertEqual(len(listing), 2)
        self.assertEqual(listing[0]["instruction"], code["instruction"])
        self.assertEqual(listing[1]["instruction"], "s_endpgm")
        self.assertEqual(int(listing[1]["address"], 16), int(code["address"], 16) + 8)


class CodeObjects(Case):
    def test_list_and_extract(self):
        for name in ("oob-store", "vecadd", "two-kernels"):
            with self.subTest(workload=name):
                trace = self.trace(name)
                listed = self.json("code-objects", trace)["code_objects"]
                with open(support.TREE.workload(name), encoding="utf-8") as file:
                    files = json.load(file)["code_objects"]
                self.assertEqual(len(listed), len(files))
                text = self.wavetape("code-objects", trace)
                self.assertEqual(len(text.splitlines()), 1 + len(files))
                images = set()
                for code_object in listed:
                    target = self.directory / "out.co"
                    self.wavetape("code-objects", trace, "--extract", code_object["code_object"],
                                  "-o", target, stdout="")
                    images.add(target.read_bytes())
                    self.assertEqual(code_object["bytes"], target.stat().st_size)
                self.assertEqual(images, {(support.TREE.kernels / file).read_bytes()
                                          for file in files})


class Journal(Case):
    def test_whole(self):
        for name in support.share((*CRASHES, "vecadd")):
            with self.subTest(workload=name):
                trace = self.trace(name)
                entries = [entry for entry in self.json("journal", trace)["entries"] if "call" in entry]
                self.assertEqual([entry["call"] for entry in entries],
                                 list(range(1, len(entries) + 1)))
                self.assertEqual(len(entries), self.json("info", trace)["calls"])
                for entry in entries:
                    self.assertIn("status", entry)
                names = [entry["function"] for entry in entries]
                self.assertIn("amd_dbgapi_process_attach", names)
                self.assertEqual(names[-1], "amd_dbgapi_finalize")

    def test_json_is_as_that_of_others(self):
        """It is printed entry by entry, and looks like one that is printed as a whole."""
        trace = self.trace("vecadd")
        for options, count in (((), None), (("--to", 1), 1), (("--function", "finalize", "--to", 2), 0)):
            text = self.wavetape("journal", trace, "--json", *options)
            self.assertEqual(text, json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n")
            self.assertTrue(count is None or len(json.loads(text)["entries"]) == count, text)

    def test_json_is_streamed(self):
        """It takes no more memory than text does."""
        self.skip_with_sanitizer("a sanitizer has memory of its own")
        trace, peaks = self.directory / "long.wtape", []
        done = support.run(support.TREE.command, "record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--", support.TREE.client,
                           "--break", "matmul", "--steps", "22", "--stops", "30", WAVETAPE_WORKLOAD=support.TREE.workload("matmul"))
        self.assertEqual((done.code, done.stderr), (0, ""))
        for options in ((), ("--json",)):
            with open(os.devnull, "wb") as nowhere, subprocess.Popen([support.TREE.command, "journal", trace, *options], stdout=nowhere,
                                                                     env=support.environment()) as process:
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            peaks.append(usage.ru_maxrss)
        self.assertLess(peaks[1], 1.5 * peaks[0], peaks)

    def test_callbacks(self):
        entries = self.json("journal", self.trace("vecadd"))["entries"]
        attach = [entry for entry in entries
                  if entry.get("function") == "amd_dbgapi_process_attach"][0]
        self.assertIn("client_process_get_info",
                      [callback["callback"] for callback in attach["callbacks"]])

    def test_filters(self):
        trace = self.trace("oob-store")
        text = self.wavetape("journal", trace, "--function", "process_attach")
        calls = [line for line in text.splitlines() if re.match(r"\d", line)]
        self.assertEqual(len(calls), 1)
        self.assertIn("amd_dbgapi_process_attach(", calls[0])
        entries = self.json("journal", trace, "--from", 2, "--to", 4)["entries"]
        self.assertEqual([entry["call"] for entry in entries if "call" in entry], [2, 3, 4])


class Json(Case):
    def test_every_verb_prints_json(self):
        for name in ("oob-store", "vecadd", "debug-trap"):
            last = self.json("info", self.trace(name))["stops"]
            for verb in support.LOOKING_VERBS:
                result = wavetape(verb, self.trace(name), "--json")
                with self.subTest(workload=name, verb=verb):
                    if result.code == 0:
                        value = json.loads(result.stdout)
                        self.assertEqual((result.stderr, list(value)[:2], value["format"], value["file"]),
                                         ("", ["format", "file"], 3, str(self.trace(name))))
                        self.assertEqual(value.get("stop"), last if verb in support.STOP_VERBS else None)
                    else:
                        # What there is none of is said, and no half of a document printed.
                        self.assertEqual((result.code, result.stdout), (1, ""))
                        self.assertRegex(result.stderr, r"\Awavetape: [^\n]+\n\Z")


if __name__ == "__main__":
    support.main(__doc__)
