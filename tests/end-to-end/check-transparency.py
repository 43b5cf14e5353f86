# SPDX-License-Identifier: MIT
"""The recording library is invisible: answers, callbacks, notifier, loading, and what is not recorded. A trace answers the
same to who makes the same calls."""

import os
import re
import shutil
import subprocess
import unittest
import unittest.mock

import support
from support import Case, run, wavetape


class Transparency(Case):
    def every_call(self, library, *arguments, **variables):
        done = run(support.TREE.build / "tests/transparency/every-call", library, "--share", support.SHARE, *arguments,
                   **variables)
        self.assertEqual((done.code, done.stderr), (0, ""), done.stdout[-1000:])
        return done.stdout

    def check_same(self, alone, other, what):
        if alone == other:
            return
        for number, (a, b) in enumerate(zip(alone.splitlines(), other.splitlines()), 1):
            self.assertEqual(b, a, f"{what}: line {number}")
        self.fail(f"{what}: one output is longer")


class EveryCall(Transparency):
    """Every function with right and wrong arguments: alone, with the recording library in front, and over the trace."""

    # What has to succeed somewhere, or the comparison is of refusals.
    WANTED = ("wave_get_info", "read_register", "write_register", "read_memory", "write_memory", "wave_stop",
              "wave_resume", "event_get_info", "event_processed", "dispatch_get_info", "queue_packet_list",
              "workgroup_get_info", "disassemble_instruction", "code_object_get_info",
              "convert_address_space@AMD_DBGAPI_0[.]81")

    # What the recorder is told; None: it does not record.
    OPTIONS = ("", "journal-only", None)

    def check_workload(self, name, *arguments):
        simulated = support.TREE.libraries["simulated"]
        workload = {"WAVETAPE_WORKLOAD": support.TREE.workload(name)}
        alone = self.every_call(simulated, *arguments, **workload)
        # What is not recorded, or without state, takes a part of the same way.
        for options in (*self.OPTIONS[:1], *support.share(self.OPTIONS[1:])):
            with self.subTest(workload=name, options=options):
                variables = dict(workload, WAVETAPE_DBGAPI=simulated)
                if options is not None:
                    variables |= {"WAVETAPE_TRACE": self.directory / "every.wtape",
                                  "WAVETAPE_OPTIONS": options}
                recorded = self.every_call(support.TREE.libraries["record"], *arguments, **variables)
                self.check_same(alone, recorded, "recorded against alone")
                if options == "":
                    self.check_replay(alone, *arguments)
        return alone

    def check_replay(self, alone, *arguments):
        """In step a trace answers everything as it was. (When the notifier is readable is in no trace.)"""
        trace = self.directory / "every.wtape"
        replayed = self.every_call(support.TREE.libraries["replay"], *arguments, WAVETAPE_TRACE=trace)
        self.check_same(re.sub(r" notifier -?\d+", "", alone), re.sub(r" notifier -?\d+", "", replayed),
                        "replayed against alone")
        # The state does not tell all: in which order the events of two processes came that were asked for together, say.
        report = self.json("verify", trace, code=3)
        self.assertEqual(report["differences"], {"count": 0, "first": []})
        self.assertEqual(report["not_driven"], 0)
        self.assertGreater(report["from_state"]["differences"]["count"], 0)

    @unittest.skipIf(support.SMALL, "a share: a library with other habits is asked the same")
    def test_a_fault(self):
        self.check_a_fault()

    def check_a_fault(self):
        output = self.check_workload("oob-store")
        for function in self.WANTED:
            self.assertRegex(output, rf"(?m)^{function}\(.*\) = 0", function)
        self.assertGreater(output.count("\n"), 50000 // support.SHARE)
        # Nothing broke off in the middle: the last call that was made is in the trace.
        calls = self.wavetape("journal", self.directory / "every.wtape", stdout=None)
        self.assertIn("amd_dbgapi_finalize", calls.splitlines()[-1])

    @unittest.skipIf(support.SHARE > 1, "a share: the other sessions ask the same of other workloads")
    def test_traps(self):
        self.check_workload("debug-trap", "--seed", "2")

    @unittest.skipIf(support.SMALL, "a share: what is asked of a core is tried one by one")
    def test_a_core(self):
        core = self.directory / "fault.core"
        wavetape("simulate", support.TREE.workload("oob-store"), "--core", core)
        output = self.check_workload("oob-store", "--core", core)
        for function in set(self.WANTED) - {"wave_resume"}:
            self.assertRegex(output, rf"(?m)^{function}\(.*\) = 0", function)

    def test_no_room(self):
        """A recording that cannot be written is none, and nothing else changes."""
        simulated = support.TREE.libraries["simulated"]
        workload = {"WAVETAPE_WORKLOAD": support.TREE.workload("vecadd")}
        alone = self.every_call(simulated, **workload)
        recorded = self.every_call(support.TREE.libraries["record"], WAVETAPE_DBGAPI=simulated,
                                   WAVETAPE_TRACE=self.directory / "small.wtape",
                                   WAVETAPE_OPTIONS="max-bytes=200000", **workload)
        self.check_same(alone, recorded, "recorded against alone")


class AskAll(Transparency):
    """A trace answers all there is to ask at a stop, though nobody asked when it was recorded, in any order."""

    def ask(self, library, *arguments, **variables):
        done = run(support.TREE.build / "tests/transparency/ask-all", support.TREE.libraries[library],
                   *arguments, **variables)
        self.assertEqual((done.code, done.stderr), (0, ""), done.stdout[-1000:])
        self.assertNotIn("FAILED", done.stdout)
        # Nobody asked when it was recorded, so that a recording cannot tell a global address of nothing from one that was not taken.
        text = "|".join(name[::-1].encode().hex() for name in ("global", "generic"))
        spaces = "|".join(re.findall(rf"address_space (\d+) AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME = SUCCESS \w+ (?:{text})$", done.stdout, re.M))
        return re.sub(rf"( space (?:{spaces or 'none'}) .*)ERROR_MEMORY_UNAVAILABLE", r"\1ERROR_MEMORY_ACCESS", done.stdout)

    def check_workload(self, name, stops):
        trace = self.directory / "asked.wtape"
        trace.unlink(missing_ok=True)
        workload = {"WAVETAPE_WORKLOAD": support.TREE.workload(name)}
        live = self.ask("simulated", "--seed", "1", "--stops", str(stops), **workload)
        self.ask("record", "--silent", "--stops", str(stops), WAVETAPE_TRACE=trace,
                 WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], **workload)
        self.check_same(live, self.ask("replay", "--seed", "1", "--stops", str(stops), WAVETAPE_TRACE=trace),
                        "replayed against live")
        other = self.ask("replay", "--seed", "7", "--stops", str(stops), WAVETAPE_TRACE=trace)
        self.assertNotEqual(other, live)
        self.assertEqual(sorted(other.splitlines()), sorted(live.splitlines()))
        return live

    CORE_ONLY = r"PROCESS_INFO_CORE_STATE = "  # what a replay does not know of a library that nobody asked

    def check_core(self, architecture, code):
        """
        Waves that never ran. Where hardware does not set up flat_scratch it says nothing of their private memory, and a library
        need not have read any register of a wave when it is asked for the first time.
        """
        core, trace = self.directory / "core", self.directory / "core.wtape"
        trace.unlink(missing_ok=True)
        subprocess.run([support.TREE.build / "tests/end-to-end/planted-core", core, architecture, "64", "24", "0",
                        support.TREE.kernels / code], input="1900 1900 0 1900 0 0 0\n" * 4, text=True, check=True)
        live = self.ask("simulated", "--core", core, "--seed", "1")
        first = self.ask("simulated", "--core", core, "--addresses").splitlines()
        self.assertEqual([line for line in first if line not in set(live.splitlines())], [])
        # From private memory of a lane and of a wave to global memory, and back.
        self.assertEqual(len([line for line in first if re.search(
            r"lane 0 space \d+ 0x4 = SUCCESS \d in space \d+ = SUCCESS 0x32\w+ \d+ back = SUCCESS 0x4 ", line)]), 8, first)
        self.ask("record", "--core", core, "--silent", WAVETAPE_TRACE=trace, WAVETAPE_DBGAPI=support.TREE.libraries["simulated"])
        replayed = self.ask("replay", "--core", core, "--seed", "1", WAVETAPE_TRACE=trace)
        self.check_same(*(re.sub(rf"(?m)^.*{self.CORE_ONLY}.*\n", "", text) for text in (live, replayed)), "replayed against live")

    def test_cores(self):
        for architecture, code in ("gfx90a", "vecadd-gfx90a.co"), ("gfx942", "vecadd.co"):
            with self.subTest(architecture=architecture):
                self.check_core(architecture, code)

    def test_violation(self):
        live = self.check_workload("oob-store", 3)
        self.assertEqual(live.count("---- stop"), 3)
        for wanted in (r"register \d+ = SUCCESS", r"memory wave \d+ space 1 .* = SUCCESS 4096",
                       r"dispatch 1 AMD_DBGAPI_DISPATCH_INFO_GRID_SIZES = SUCCESS", r"queue 1 packets = SUCCESS",
                       r'code at 0x[0-9a-f]+ = SUCCESS 8 "global_store_dword '):
            self.assertRegex(live, wanted)
        self.assertGreater(live.count(" = SUCCESS"), 5000)

    def test_traps(self):
        for name in ("debug-trap", "assert-trap", "illegal", "matmul-short-buffer", "oob-load-O0"):
            with self.subTest(workload=name):
                self.assertIn("---- stop 1", self.check_workload(name, 2))


class OverStandIn(Transparency):
    """Over a library that stands in front of ours and has habits of its own: see tests/habits/stand-in.c."""

    def setUp(self):
        super().setUp()
        real = support.TREE.libraries["simulated"]
        support.TREE.libraries["simulated"] = support.TREE.libraries["stand-in"]
        self.addCleanup(support.TREE.libraries.__setitem__, "simulated", real)
        self.enterContext(unittest.mock.patch.dict(os.environ, {"STAND_IN_OF": str(real)}))


class OtherNumbers(OverStandIn, AskAll):
    """Architectures, registers, address spaces and classes have other handles than ours."""


class OtherHabits(OverStandIn, EveryCall):
    """It also refuses, allocates, writes, speaks and lists as ours does not."""

    OPTIONS = ("",)

    def setUp(self):
        super().setUp()
        self.enterContext(unittest.mock.patch.dict(os.environ, {"STAND_IN_HABITS": "all"}))

    def test_a_fault(self):
        self.check_a_fault()

    def check_replay(self, alone, *arguments):
        """The texts of statuses and what it refuses are in the state, too, from the first process on."""
        super().check_replay(alone, *arguments)
        for line in (r"get_status_string\(.*a text of its own", r"set_memory_precision\(.*\) = -2\b", r"set_watchpoint\(.*\) = -2\b",
                     r"process_set_wave_creation\(.*\) = -2\b", r"queue_packet_list\(.*\) = -2\b"):
            self.assertRegex(alone, line)
        kinds = {(kind["function"], kind["what"]): kind["count"] for kind in
                 self.json("verify", self.directory / "every.wtape", code=3)["from_state"]["kinds"]}
        self.assertEqual([function for function, _ in kinds if function == "amd_dbgapi_get_status_string"], [])
        # One comes at a moment of the second process: the first one has it at its own next.
        for function in "set_memory_precision", "process_set_wave_creation", "set_watchpoint":
            for instead in "SUCCESS", "ERROR_NOT_IMPLEMENTED":
                self.assertLessEqual(kinds.get((f"amd_dbgapi_{function}", f"status FATAL, replayed {instead}"), 0), 1)

    @unittest.skipIf(support.SHARE > 1, "a share: what the habits change is the same without a core")
    def test_a_core(self):
        super().test_a_core()


class Core(Transparency):
    def test_from_state(self):
        """
        All that a client learns of a core is in the state, before its events, too: waves that were saved running have been asked
        to stop, those that stand can be read, and asked again.
        """
        core, trace, simulated = self.directory / "core", self.directory / "core.wtape", support.TREE.libraries["simulated"]
        wavetape("simulate", support.TREE.workload("oob-load-O0"), "--core", core)
        # As with AMD's library: a core's process cannot go on. And no callback fails.
        arguments = "--core", core, "--amd", "--random", "3", "--share", "999"
        alone = self.every_call(simulated, *arguments)
        recorded = self.every_call(support.TREE.libraries["record"], *arguments, WAVETAPE_TRACE=trace, WAVETAPE_DBGAPI=simulated)
        self.check_same(alone, recorded, "recorded against alone")
        for line in (r"wave_stop\(.*\) = 0\b", r"wave_stop\(.*\) = -24\b", r"read_register\(.*\) = 0\b",
                     r"process_get_info\(.*\) = -4\b"):
            self.assertTrue(re.search("(?m)^" + line, alone), line)
        report = self.json("verify", trace, code=3)
        self.assertEqual(report["differences"]["count"], 0)
        # How long a wave's private memory is, is taken when it stands: before that, what depends on it is not known.
        kinds = report["from_state"]["kinds"]
        conversions = [kind for kind in kinds if kind["function"].startswith("amd_dbgapi_convert_address_space")]
        self.assertEqual({kind["what"] for kind in conversions},
                         {"status ERROR_INVALID_ADDRESS_SPACE_CONVERSION, replayed ERROR_NOT_AVAILABLE"})
        # Before the client has asked for it, nothing tells that there is none.
        self.assertEqual([kind for kind in kinds if kind not in conversions], [
            {"function": "amd_dbgapi_process_get_info", "what": "status ERROR_NOT_AVAILABLE, replayed ERROR_PROCESS_NOT_FROZEN", "count": 1}])


class Refusals(OverStandIn):
    """It refuses every third attach, for a reason of its own."""

    def test_from_state(self):
        """What a replay answers to a client that has turned away has the refusals too, and nothing shifts."""
        trace, wrapped = self.directory / "refused.wtape", support.TREE.libraries["simulated"]
        self.enterContext(unittest.mock.patch.dict(os.environ, {"STAND_IN_REFUSES": "attach"}))
        client = (support.TREE.build / "tests/end-to-end/gdb-client", "--script", ",".join(7 * ["attach,detach"]))
        live = self.wavetape("record", "-o", trace, "--dbgapi", wrapped, "--", *client,
                             WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"))
        self.assertEqual(live.count("warning: process_attach"), 2)
        self.assertEqual(self.wavetape("replay", trace, "--", *client), live)
        kinds = self.json("verify", trace, code=3)["from_state"]["kinds"]
        # This one refused before it asked the client for its process; a replay asks first.
        self.assertEqual([kind for kind in kinds if "attach" in kind["function"]],
                         [{"function": "amd_dbgapi_process_attach", "what": "callback", "count": 2}])
        self.assertEqual([kind for kind in kinds if "INVALID_PROCESS_ID" in kind["what"]], [])


class Loading(Case):
    def client(self, *what, program="loader-client", **variables):
        return run(support.TREE.build / "tests/end-to-end" / program, *what,
                   WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"), **variables)

    def live(self, *what):
        return self.client(*what, LD_LIBRARY_PATH=support.TREE.libraries["simulated"].parent)

    def recorded(self, *what, **variables):
        self.trace = self.directory / "t.wtape"
        return self.client(*what, **{
            "LD_LIBRARY_PATH": support.TREE.libraries["record"].parent, "WAVETAPE_TRACE": self.trace,
            "WAVETAPE_DBGAPI": support.TREE.libraries["simulated"], **variables})

    def functions(self, trace):
        return [call["function"] for call in self.json("journal", trace)["entries"] if "function" in call]

    def check_one_session(self):
        """The trace holds the one session of the client itself, whole."""
        self.assertIn("whole", self.wavetape("check", self.trace))
        functions = self.functions(self.trace)
        self.assertEqual(functions.count("amd_dbgapi_initialize"), 1)
        self.assertEqual(functions.count("amd_dbgapi_process_attach"), 1)
        self.assertEqual(functions[-1], "amd_dbgapi_finalize")

    def test_library_path(self):
        """The next library of that name in the search path is the one that is recorded."""
        path = os.pathsep.join(str(support.TREE.libraries[name].parent) for name in ("record", "simulated"))
        self.assertEqual(self.recorded("session", WAVETAPE_DBGAPI="", LD_LIBRARY_PATH=path), self.live("session"))
        self.check_one_session()

    def test_preload(self):
        for wrapped in ("", support.TREE.libraries["simulated"]):
            result = self.recorded("session", LD_PRELOAD=support.TREE.libraries["record"], WAVETAPE_DBGAPI=wrapped,
                                   LD_LIBRARY_PATH=support.TREE.libraries["simulated"].parent)
            self.assertEqual(result, self.live("session"))
            self.check_one_session()

    def test_it_never_loads_itself(self):
        """By its own name, by a link, as a copy, or as the next of a path of nothing but copies."""
        link, copy = self.directory / "link.so", self.directory / "copy/librocm-dbgapi.so.0"
        link.symlink_to(support.TREE.libraries["record"])
        copy.parent.mkdir()
        shutil.copy(support.TREE.libraries["record"], copy)
        for wrapped in (support.TREE.libraries["record"], link, copy):
            result = self.recorded("session", WAVETAPE_DBGAPI=wrapped)
            self.assertIn("that is the recording library itself", result.stdout)
            self.assertFalse(self.trace.exists())
        path = os.pathsep.join(str(p) for p in (support.TREE.libraries["record"].parent, copy.parent))
        result = self.recorded("session", WAVETAPE_DBGAPI="", LD_LIBRARY_PATH=path)
        self.assertIn("there is no other in ", result.stdout)
        path += os.pathsep + str(support.TREE.libraries["simulated"].parent)
        self.assertEqual(self.recorded("session", WAVETAPE_DBGAPI="", LD_LIBRARY_PATH=path), self.live("session"))
        self.check_one_session()

    def test_children(self):
        """What a client starts inherits the environment, and neither writes into the trace nor replaces it."""
        for what in ("fork", "vfork", "spawn"):
            with self.subTest(what=what):
                live = self.live(what)
                self.assertIn("child 0\n", live.stdout)
                self.assertEqual(self.recorded(what), live)
                self.check_one_session()

    def test_another_program_meanwhile(self):
        """A trace belongs to the process that began it, as long as that lives; then it may be replaced."""
        program = support.TREE.build / "tests/end-to-end/loader-client"
        self.recorded()
        environment = support.environment(
            LD_LIBRARY_PATH=support.TREE.libraries["record"].parent, WAVETAPE_TRACE=self.trace,
            WAVETAPE_DBGAPI=support.TREE.libraries["simulated"],
            WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))
        with subprocess.Popen([program, "hold"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              env=environment, text=True) as holder:
            while holder.stdout.readline() != "holding\n":
                pass
            self.assertEqual(self.recorded("session"), self.live("session"))
            holder.communicate(timeout=support.TIMEOUT)
        self.check_one_session()
        first = self.trace.read_bytes()
        self.recorded("session")
        self.assertNotEqual(self.trace.read_bytes(), first)
        self.check_one_session()

    def test_threads(self):
        live = self.live("threads")
        self.assertIn("threads 4000\n", live.stdout)
        self.assertEqual(self.recorded("threads"), live)
        self.check_one_session()
        self.assertEqual(self.functions(self.trace).count("amd_dbgapi_get_architecture"), 4000)

    def test_input_and_output_stay_open(self):
        """A library that was loaded and never used leaves the descriptors of the program alone."""
        result = run("sh", "-c", f"echo text | {support.TREE.build}/tests/end-to-end/loader-client; "
                     "echo still here", LD_LIBRARY_PATH=support.TREE.libraries["record"].parent)
        self.assertEqual((result.code, result.stdout, result.stderr), (0, "still here\n", ""))


if __name__ == "__main__":
    support.main(__doc__)
