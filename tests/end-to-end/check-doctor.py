# SPDX-License-Identifier: MIT
"""`wavetape doctor`: what it says of machines that are as they should be, and of each thing that is not."""

import array
import json
import os
import pathlib
import re
import shutil
import socket
import sys
import tarfile
import unittest
import unittest.mock

import support
from support import Case

CODES = {"green": 0, "yellow": 3, "red": 1}
PROPERTIES = "root/sys/devices/virtual/kfd/kfd/topology/nodes/1/properties"
PRECISE, DEBUG, FIRMWARE = 18, 15, 29

# Runs a program with a filter of system calls in front of it: process_vm_readv, 310, is not permitted.
FILTER = """
import ctypes, os, struct, sys
code = b"".join(struct.pack("HBBI", *instruction) for instruction in
                ((0x20, 0, 0, 0), (0x15, 0, 1, 310), (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7fff0000)))
text = ctypes.create_string_buffer(code)
program = struct.pack("HxxxxxxQ", 4, ctypes.addressof(text))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program):
    sys.exit(os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[1], sys.argv[1:])
"""


class Doctor(Case):
    def setUp(self):
        super().setUp()
        if not re.search(r"libhsa-runtime64\.so\.1 ", support.run("ldconfig", "-p").stdout):
            self.skipTest("there is no HSA runtime")
        self.enterContext(unittest.mock.patch.dict(os.environ))
        for name in ("LD_LIBRARY_PATH", "LD_PRELOAD", "HSA_TOOLS_LIB", "ROCM_PATH", "NO_COLOR", "HSA_ENABLE_DEBUG",
                     "HSA_OVERRIDE_GFX_VERSION", "ROCR_VISIBLE_DEVICES"):
            os.environ.pop(name, None)
        self.good = {"WAVETAPE_DBGAPI": support.TREE.libraries["simulated"]}

    def looked_at(self, result):
        """The findings, once the text, its state and its exit code have been held against each other."""
        told = json.loads(result.stdout)
        states = [finding["state"] for finding in told["findings"]]
        worst = max(states, key=list(CODES).index)
        # The device's own word of a runtime that knows none of its GPUs.
        said = re.sub(r"wavetape: the device: the runtime of process \d+ has not set up any GPU: it may not know gfx\w+\n", "", result.stderr)
        self.assertEqual((told["state"], said), (worst, ""))
        self.assertEqual(result.code, CODES[worst])
        for finding in told["findings"]:
            self.assertTrue(finding["state"] == "green" or finding["advice"], finding)
        return told

    def doctor(self, *command, before="", architecture="gfx90a", **variables):
        """On the simulated GPU; @before: a line of shell that does something to its files."""
        script = f'cd "$WAVETAPE_DEVICE"; {before or ":"}; cd "$OLDPWD"; exec "$@"'
        return support.wavetape("device", "--architecture", architecture, "--", "sh", "-c", script, "sh", *command, support.TREE.command, "doctor",
                                "--json", **{**self.good, **variables})

    def finding(self, told, topic):
        found = [finding for finding in told["findings"] if finding["topic"] == topic]
        self.assertTrue(found, topic)
        return found[0]

    def test_the_simulated_gpu(self):
        for name in ("gfx90a", "gfx942"):
            told = self.looked_at(self.doctor(architecture=name))
            self.assertEqual(self.finding(told, "driver")["text"], "the simulated GPU's: its interface is 1.16, with calls for debuggers")
            gpu = self.finding(told, "GPU")
            self.assertEqual((gpu["state"], gpu["text"].split(":")[0]), ("green", f"{name} (node 1)"))
            library = self.finding(told, "library")
            self.assertEqual(library["text"], f"{support.TREE.libraries['simulated']} (WAVETAPE_DBGAPI): level 0.82")
            self.assertEqual([place["taken"] for place in told["library"]], [True])
            self.assertNotIn("red", [finding["state"] for finding in told["findings"]])

    def test_text(self):
        """A line for each finding, and one behind it for what is to be done; no colours where no terminal is."""
        told = json.loads(self.doctor(HSA_TOOLS_LIB="/opt/rocm/lib/librocm-debug-agent.so.2").stdout)
        result = support.wavetape("device", "--", support.TREE.command, "doctor", "--list", **self.good,
                                  HSA_TOOLS_LIB="/opt/rocm/lib/librocm-debug-agent.so.2")
        lines = result.stdout.splitlines()
        at = 0
        for finding in told["findings"]:
            self.assertTrue(lines[at].startswith(f"{finding['state']:6} {finding['topic']:10} "), lines[at])
            at += 1
            if finding["advice"]:
                self.assertEqual(lines[at], f"{'-> ':>19}{finding['advice']}")
                at += 1
        self.assertNotIn("\x1b", result.stdout)
        self.assertIn(f"  * {support.TREE.libraries['simulated']} (WAVETAPE_DBGAPI): level 0.82, taken: the first that is good", lines)
        self.assertRegex(lines[-1], r"^\d+ green, \d+ yellow, 0 red: programs on the GPU can be recorded, with limits$")
        self.assertEqual(result.code, 3)

    def test_colours(self):
        """On a terminal, unless the user wants none."""
        if not shutil.which("script"):
            self.skipTest("no script(1) here")
        for variables, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
            result = support.run("script", "-qec", f"{support.TREE.command} doctor", "/dev/null", **variables)
            self.assertEqual("\x1b[31mred" in result.stdout, coloured, result.stdout)

    def test_no_driver(self):
        told = self.looked_at(support.wavetape("doctor", "--json", **self.good))
        if not pathlib.Path("/dev/kfd").exists():
            driver = self.finding(told, "driver")
            self.assertEqual(driver["state"], "red")
            self.assertTrue(driver["text"].startswith("/dev/kfd is not there: "), driver)

    def test_planted_faults(self):
        """Of the device: what the driver says of it is changed in its files."""
        def bits(*cleared):
            mask = sum(1 << bit for bit in cleared)
            return (f"c=$(sed -n 's/^capability //p' {PROPERTIES}); "
                    f"sed -i \"s/^capability .*/capability $((c & ~{mask}))/\" {PROPERTIES}")

        gpu = self.finding(self.looked_at(self.doctor(before=bits(FIRMWARE))), "GPU")
        self.assertEqual((gpu["state"], gpu["text"]), ("red", "gfx90a (node 1): its firmware is too old to be debugged"))
        gpu = self.finding(self.looked_at(self.doctor(before=bits(DEBUG))), "GPU")
        self.assertEqual((gpu["state"], gpu["text"]), ("red", "gfx90a (node 1): the driver does not debug it"))
        late = f"sed -i 's/^gfx_target_version .*/gfx_target_version 110000/' {PROPERTIES}"
        gpu = self.finding(self.looked_at(self.doctor(before=late)), "GPU")
        self.assertEqual(gpu["state"], "green")
        self.assertIn("gfx1100 (node 1): waves, registers and code are known, faults are reported some instructions late", gpu["text"])
        unknown = f"sed -i 's/^gfx_target_version .*/gfx_target_version 990915/' {PROPERTIES}"
        gpu = self.finding(self.looked_at(self.doctor(before=unknown)), "GPU")
        self.assertEqual((gpu["state"], gpu["text"].split(",")[0]), ("yellow", "gfx999f (node 1)"))

    def runtime(self, **how):
        """What is found of it, with what there is to say beside its name."""
        found = self.finding(self.looked_at(self.doctor(**how)), "runtime")
        return found["state"], found["text"].partition("): ")[2], found["advice"]

    def test_gpus_of_the_runtime(self):
        """It shows those that it knows, and that the user lets it show."""
        self.assertEqual(self.runtime(), ("green", "", None))
        none, unset = "it shows none of the driver's GPUs", "unset ROCR_VISIBLE_DEVICES, which may hide them"
        # Older runtimes know a GPU by its number alone.
        unknown = f"sed -i -e 's/^gfx_target_version .*/gfx_target_version 990915/' -e 's/^device_id .*/device_id 65535/' {PROPERTIES}"
        self.assertEqual(self.runtime(before=unknown), ("yellow", none, "take a newer ROCm, which may know them"))
        self.assertEqual(self.runtime(ROCR_VISIBLE_DEVICES=""), ("yellow", none, unset))
        self.assertEqual(self.runtime(architecture="gfx90a,gfx90a"), ("green", "", None))
        self.assertEqual(self.runtime(architecture="gfx90a,gfx90a", ROCR_VISIBLE_DEVICES="1"), ("green", "", None))
        self.assertEqual(self.runtime(architecture="gfx90a,gfx90a", before=unknown),
                         ("yellow", "it shows 1 of the driver's 2 GPUs", "take a newer ROCm, which may know the others"))
        # What is wrong with a GPU itself is said of that alone.
        self.assertEqual(self.runtime(before=f"{unknown}; sed -i 's/^capability .*/capability 0/' {PROPERTIES}"), ("green", "", None))

    def test_runtime_that_does_not_start(self):
        library, rocminfo = self.directory / "libhsa-runtime64.so.1", "see what `rocminfo` says: programs run when it does"
        shutil.copy(support.TREE.libraries["simulated"], library)
        found = {"LD_LIBRARY_PATH": f"{self.directory}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
        self.assertEqual(self.runtime(**found), ("yellow", "it does not start: it has no function: hsa_init", rocminfo))
        shutil.copy(support.TREE.build / "tests/end-to-end/libodd-constructor.so", library)
        for how, what in (("leave", "its own code ends the program"), ("hang", "it had not come to its end after 20 seconds")):
            with self.subTest(runtime=how):
                self.assertEqual(self.runtime(WT_CONSTRUCTOR=how, WT_CONSTRUCTOR_OF="wavetape-try", **found),
                                 ("yellow", f"it does not start: {what}", rocminfo))

    def test_permission(self):
        if not support.HAS_VIEWS or not shutil.which("setpriv"):
            self.skipTest("only root can make such a machine")
        script = ("mount -t tmpfs none /dev && touch /dev/kfd && chmod 660 /dev/kfd && chgrp video /dev/kfd && cd / && "
                  'exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"')
        result = support.run("unshare", "-m", "sh", "-c", script, "sh", support.TREE.command, "doctor", "--json", **self.good)
        if "Permission denied" in result.stderr or "not permitted" in result.stderr:
            self.skipTest("no mounts here, or the build cannot be read by others")
        driver = self.finding(self.looked_at(result), "driver")
        self.assertEqual((driver["state"], driver["text"]), ("red", "/dev/kfd cannot be opened: Permission denied"))
        self.assertEqual(driver["advice"], "become a member of the group video (`usermod -aG video USER`) and log in again")

    def test_libraries(self):
        """Found by ROCM_PATH with the version of ROCm beside it; of another machine; of a level that is not known; named wrongly."""
        rocm = self.directory / "rocm"
        (rocm / "lib").mkdir(parents=True)
        (rocm / ".info").mkdir()
        (rocm / ".info/version").write_text("7.1.0-42\n")
        library = rocm / "lib/librocm-dbgapi.so.0"
        shutil.copy(support.TREE.libraries["simulated"], library)
        found = {"WAVETAPE_DBGAPI": "", "ROCM_PATH": rocm}
        told = self.looked_at(self.doctor(**found))
        self.assertEqual(self.finding(told, "library")["text"], f"{library} (ROCM_PATH): level 0.82, of ROCm 7.1.0-42")
        shutil.copy(support.TREE.build / "tests/levels/libdbgapi-future.so", library)
        told = self.looked_at(self.doctor(**found))
        self.assertEqual(self.finding(told, "library")["state"], "yellow")
        self.assertIn("level 0.90, of ROCm 7.1.0-42, newer than wavetape knows", self.finding(told, "library")["text"])
        other = bytearray(support.TREE.libraries["simulated"].read_bytes())
        other[18] = 0xF3  # RISC-V
        library.write_bytes(other)
        for text, state in ((None, "is for another kind of processor"), (b"no library", "is no shared library")):
            if text:
                library.write_bytes(text)
            told = self.looked_at(self.doctor(**found))
            self.assertIn(state, [place["is"] for place in told["library"]])
        told = self.looked_at(self.doctor(WAVETAPE_DBGAPI=library))
        self.assertEqual(self.finding(told, "library")["text"], f"WAVETAPE_DBGAPI={library}: is no shared library")

    def test_environment(self):
        told = self.looked_at(self.doctor(HSA_TOOLS_LIB="/opt/rocm/lib/librocm-debug-agent.so.2"))
        tools = self.finding(told, "tools")
        self.assertEqual((tools["state"], tools["text"].split(":")[0]), ("yellow", "HSA_TOOLS_LIB has AMD's debug agent"))
        agent = support.TREE.agent
        blank = self.directory / "of mine"
        blank.mkdir()
        (blank / "libwavetape-agent.so").symlink_to(agent)
        named = f"{blank}/libwavetape-agent.so"
        for names, missing in ((agent, None), ("libwavetape-agent.so", None), (f'"{named}"', None), (named.replace(" ", "\\ "), None), (f"{agent} /nowhere/libwavetape-agent.so", "/nowhere/libwavetape-agent.so"),
                               (f"{agent}:{agent}", f"{agent}:{agent}")):
            told = self.looked_at(self.doctor(HSA_TOOLS_LIB=names))
            tools = self.finding(told, "tools")
            self.assertEqual((tools["state"], tools["text"]),
                             ("yellow", f"HSA_TOOLS_LIB names `{missing}', which cannot be read: AMD's runtime passes over it without a word") if missing
                             else ("green", "no other tool or debugger is in the environment; the agent is set"))
        told = self.looked_at(self.doctor(HSA_OVERRIDE_GFX_VERSION="11.0.0"))
        self.assertIn("HSA_OVERRIDE_GFX_VERSION=11.0.0: ", self.finding(told, "variables")["text"])
        told = self.looked_at(self.doctor("env", "TMPDIR=/nowhere"))
        disks = [finding for finding in told["findings"] if finding["topic"] == "disk"]
        self.assertEqual(disks[-1]["text"],
                         "the folder for temporary files, which HIP programs need, too, cannot be written in: No such file or directory")
        # Traces of the agent go where its word says; folders that are missing are made.
        for folder, output, found in ((self.directory, "a/b/%h-%p.wtape", "yellow"), (self.directory, "%h/a.wtape", "yellow"),
                                      (self.directory, "a.wtape", "yellow"), ("", "/dev/shm/a%p.wtape", "green"), ("", "a%p.wtape", None)):
            told = self.looked_at(self.doctor("sh", "-c", 'ulimit -f 100; exec "$@"' if found == "yellow" else 'exec "$@"', "sh",
                                              WAVETAPE_AGENT=f"output={folder or ''}{'/' if folder else ''}{output}"))
            disks = [finding for finding in told["findings"] if finding["topic"] == "disk"]
            self.assertEqual(len(disks), 3 if found else 2)
            if found:
                self.assertEqual(disks[1]["state"], found)
                self.assertIn(f"the folder of the agent's traces, {folder or '/dev/shm'}, takes ", disks[1]["text"])
        told = self.looked_at(self.doctor("sh", "-c", 'ulimit -f 100; exec "$@"', "sh"))
        self.assertEqual({finding["state"] for finding in told["findings"] if finding["topic"] == "disk"}, {"yellow"})

    def test_filter(self):
        """Where a filter of system calls refuses process_vm_readv, traces lack the calls of the program's threads, and no more."""
        told = self.looked_at(self.doctor(sys.executable, "-c", FILTER))
        memory = [finding for finding in told["findings"] if finding["topic"] == "memory"]
        self.assertEqual((memory[0]["state"], memory[0]["text"]),
                         ("yellow", "a process may not read itself (process_vm_readv: Operation not permitted): traces say nothing of the "
                                    "calls of the program's threads"))

    def test_words(self):
        """Of the agent and of a recording, as these read them: what is wrong, and what may have been meant."""
        for words, told in (({"WAVETAPE_AGENT": "output=/tmp/a.wtape,hang-after=60s", "WAVETAPE_OPTIONS": "redact,ring=3"}, []),
                            ({"WAVETAPE_AGENT": "keep=3 ouput=/tmp/a.wtape"},
                             ["WAVETAPE_AGENT: cannot understand the word: ouput=/tmp/a.wtape: there is no such word: did you mean output=?"]),
                            ({"WAVETAPE_AGENT": "signal=KILL", "WAVETAPE_OPTIONS": "max-bytes=1M,redcat"},
                             ["WAVETAPE_AGENT: cannot understand the word: signal=KILL: signal is a signal that a program can have a handler for (USR2)",
                              "cannot understand the option: WAVETAPE_OPTIONS: redcat: there is no such word: did you mean redact?"]),
                            ({"WAVETAPE_OPTIONS": "registers=pc:zz"}, ["cannot understand the option: WAVETAPE_OPTIONS: registers: no GPU has 'zz'"])):
            found = [finding for finding in self.looked_at(self.doctor(**words))["findings"] if finding["topic"] == "words"]
            self.assertEqual([(finding["state"], finding["text"]) for finding in found], [("yellow", text) for text in told])

    def test_memory(self):
        self.skip_with_sanitizer("a sanitizer has memory of its own")
        told = self.looked_at(self.doctor("sh", "-c", 'ulimit -v 4000000; exec "$@"', "sh"))
        memory = self.finding(told, "memory")
        self.assertEqual((memory["state"], memory["advice"]), ("yellow", "ulimit -v unlimited"))

    def test_usage(self):
        self.assertEqual(support.wavetape("doctor", "x").code, 2)


class Code(Case):
    """For each GPU that the simulator has there is code, and it computes there what the trial looks for."""

    def workload(self, gpu, kernel):
        """Four workgroups; with where the result is to be saved."""
        path = self.directory / "try.json"
        path.write_text(json.dumps({
            "architecture": gpu, "code_objects": [str(support.TREE.build / f"cli/doctor/try/code/{gpu}.co")], "buffers": {"out": {"bytes": 1024}},
            "dispatches": [{"kernel": kernel, "grid": [256, 1, 1], "workgroup": [64, 1, 1], "arguments": [{"buffer": "out"}]}]}), "utf-8")
        return path

    def values(self, gpu, kernel):
        saved = self.directory / "out"
        result = support.wavetape("simulate", self.workload(gpu, kernel), "--save", f"out={saved}")
        self.assertEqual((result.code, result.stderr), (0, ""), gpu)
        return list(array.array("I", saved.read_bytes()))

    def test_values(self):
        said = support.wavetape("simulate", self.workload("gfx908", "wavetape_try_right")).stderr
        gpus = re.findall(r"gfx\w+", said.rpartition("these can: ")[2])
        self.assertLessEqual({"gfx90a", "gfx942", "gfx950", "gfx1153"}, set(gpus), said)
        memory = [sum(5 * ((lane + i) % 64) + 7 for i in range(4)) for lane in range(64)]
        for gpu in gpus:
            with self.subTest(gpu=gpu):
                self.assertEqual(self.values(gpu, "wavetape_try_right"), [3 * i + 1 for i in range(256)])
                self.assertEqual(self.values(gpu, "wavetape_try_memory"), 4 * memory)


class Try(Case):
    """The trial, on Debian's runtime over the simulated GPU, with our library in the place of AMD's."""

    def setUp(self):
        super().setUp()
        self.skip_with_sanitizer()
        self.enterContext(unittest.mock.patch.dict(os.environ))
        for name in ("LD_LIBRARY_PATH", "LD_PRELOAD", "HSA_TOOLS_LIB", "ROCM_PATH"):
            os.environ.pop(name, None)
        self.archive = self.directory / "out.tar.gz"

    def trial(self, *options, architecture="gfx90a", **variables):
        command = (support.TREE.command, "device", "--architecture", architecture, "--", support.TREE.command, "doctor", "--try", "-o",
                   self.archive, *options)
        return support.run(*command, timeout=200, **{"WAVETAPE_DBGAPI": support.TREE.libraries["simulated"], **variables})

    def steps(self, *options, code, **variables):
        result = self.trial("--json", *options, **variables)
        self.assertEqual((result.code, result.stderr), (code, ""), result.stdout)
        told = json.loads(result.stdout)
        self.assertEqual([step["step"] for step in told["steps"]], ["right", "memory", "fault", "trap", "hang"])
        return {step["step"]: (step["result"], step["text"]) for step in told["steps"]}

    def members(self):
        with tarfile.open(self.archive) as archive:
            return {name: archive.extractfile(name).read() for name in archive.getnames()}

    def test_all_right(self):
        self.assertEqual(self.steps(code=0), {
            "right": ("right", "256 values are right"),
            "memory": ("right", "256 values are right"),
            "fault": ("right", "MEMORY_VIOLATION in the kernel; its line; lane 5, address; registers; verified"),
            "trap": ("right", "ASSERT_TRAP in the kernel; its line; registers; verified"),
            "hang": ("right", "64 values are right; snapshot in the kernel; its line; in its loop; registers; verified")})
        files = self.members()
        self.assertEqual(list(files), ["table.txt", "fault.wtape", "trap.wtape", "hang.wtape"])
        self.assertIn(b"\nfault   right ", files["table.txt"])
        names = [os.fsencode(text) for text in (socket.gethostname(), support.TREE.build, self.directory, pathlib.Path.home())]
        for name, data in files.items():
            if name.endswith(".wtape"):
                trace = self.directory / name
                trace.write_bytes(data)
                self.assertIn("complete", support.wavetape("info", trace).stdout)
                data = support.run_bytes("zstd", "-dc", trace).stdout
                self.assertGreater(len(data), 50000)
            for forbidden in names:
                # A short name of a host is found in anything.
                if len(forbidden) > 5:
                    self.assertNotIn(forbidden, data, name)

    def test_below_a_path_with_a_blank(self):
        root = self.directory / "with a blank"
        installed = support.run("meson", "install", "-C", support.TREE.build, "--no-rebuild", "--quiet", "--destdir", root)
        self.assertEqual(installed.code, 0, installed.stderr)
        [command] = root.rglob("bin/wavetape")
        result = support.run(command, "device", "--", command, "doctor", "--try", "--json", "-o", self.archive, timeout=200,
                             WAVETAPE_DBGAPI=support.TREE.libraries["simulated"])
        self.assertEqual((result.code, result.stderr), (0, ""), result.stdout)
        told = json.loads(result.stdout)
        self.assertEqual({step["result"] for step in told["steps"]}, {"right"}, told["steps"])
        self.assertEqual(list(self.members()), ["table.txt", "fault.wtape", "trap.wtape", "hang.wtape"])

    def test_text_and_everything(self):
        result = self.trial("--all", "--time-limit", "30")
        self.assertEqual((result.code, result.stderr), (0, ""))
        lines = result.stdout.splitlines()
        self.assertIn("The kernels of the trial:", lines)
        self.assertRegex(result.stdout, r"(?m)^trap    right +\d+\.\d s  ASSERT_TRAP in the kernel; ")
        self.assertTrue(lines[-1].startswith(f"{self.archive} has the table and the traces, with paths and names of this machine: "), lines[-1])
        files = self.members()
        self.assertIn(b"\nbad 0x", files["fault.txt"])
        self.assertEqual(len(files), 9)
        # Whatever has stopped comes before the thread of the program that has loaded the code goes on, and with it.
        fault = self.directory / "fault.wtape"
        fault.write_bytes(files["fault.wtape"])
        self.assertEqual([[event["kind"] for event in stop["events"]] for stop in self.json("stops", fault)["stops"]],
                         [["RUNTIME"], ["CODE_OBJECT_LIST_UPDATED", "WAVE_STOP", "BREAKPOINT_RESUME"]])

    def test_what_cannot_be_tried(self):
        steps = self.steps("--gpu", "7", code=3)
        self.assertEqual({result for result, _ in steps.values()}, {"left out"})
        self.assertIn("the runtime has 1 GPUs", steps["fault"][1])

    def test_no_library(self):
        """Kernels run, and nothing is recorded: with the agent's reason."""
        nothing = self.directory / "librocm-dbgapi.so.0"
        shutil.copy(support.TREE.build / "tests/end-to-end/libfail-nth.so", nothing)
        result = self.trial("--json", WAVETAPE_DBGAPI=nothing, ROCM_PATH="/nowhere")
        told = json.loads(result.stdout)
        self.assertTrue(told["own_library"])
        self.assertEqual(result.code, 0)

    def test_too_long(self):
        """A step that does not end in its time is killed, and the others go on."""
        steps = self.steps("--time-limit", "1", code=1)
        self.assertEqual(steps["trap"][0], "right")
        self.assertEqual(steps["hang"][0], "wrong")
        self.assertIn("there is no trace", steps["hang"][1])

    def planted(self, blunt, cleared=0):
        """Results and words on a driver that lacks something, which its files say, too; the end of the program is the kernel's own."""
        script = (f'cd "$WAVETAPE_DEVICE"; c=$(sed -n "s/^capability //p" {PROPERTIES}); sed -i "s/^capability .*/capability $((c & ~{cleared}))/" '
                  f'{PROPERTIES}; cd "$OLDPWD"; LD_PRELOAD="$0:$LD_PRELOAD" exec "$@"')
        result = support.wavetape("device", "--", "sh", "-c", script, support.TREE.build / "tests/end-to-end/libblunt-driver.so", support.TREE.command,
                                  "doctor", "--try", "--json", "-o", self.archive, timeout=200, WT_BLUNT=blunt,
                                  WAVETAPE_DBGAPI=support.TREE.libraries["simulated"])
        self.assertEqual(result.stderr, "")
        told = json.loads(result.stdout)
        return result.code, told["findings"], {step["step"]: (step["result"], step["text"]) for step in told["steps"]}

    def test_no_precise_memory(self):
        code, findings, steps = self.planted("imprecise", 1 << PRECISE)
        self.assertIn(", faults are reported some instructions late", [finding["text"] for finding in findings if finding["topic"] == "GPU"][0])
        self.assertEqual((code, {result for result, _ in steps.values()}), (0, {"right"}))

    def test_no_debugger(self):
        """Kernels run, and what is not watched is left out, with the reason: no step waits for its time."""
        for blunt, cleared, why in (
                ("firmware", 1 << FIRMWARE, r"the debugger library: it debugs no GPU of this machine: their firmware or the driver is too old: "
                                            r"`wavetape doctor` says more"),
                ("debugged", 0, r"amd_dbgapi_process_attach: ERROR_RESTRICTION: cannot debug the process: process \d+: another debugger is attached to it"),
                ("refused", 0, r"amd_dbgapi_process_attach: FATAL: cannot debug the process: attaching by the kernel driver: Operation not permitted")):
            with self.subTest(driver=blunt):
                code, _, steps = self.planted(blunt, cleared)
                self.assertEqual(code, 3)
                for step in ("right", "memory"):
                    self.assertEqual(steps[step], ("right", "256 values are right"))
                for step in ("fault", "trap", "hang"):
                    self.assertEqual(steps[step][0], "left out")
                    values = "64 values are right; " if step == "hang" else ""
                    self.assertRegex(steps[step][1], rf"^{values}there is no trace: the GPU is not watched: {why}$")

    def test_waves_that_cannot_be_stopped(self):
        """The library fails at the fault, which it alone had heard of: the runtime is told, and ends the program as it does alone."""
        code, _, steps = self.planted("unstoppable")
        self.assertEqual((code, {step: result for step, (result, _) in steps.items()}),
                         (3, {"right": "right", "memory": "right", "fault": "left out", "trap": "left out", "hang": "left out"}))
        for step in ("fault", "trap", "hang"):
            values = "64 values are right; " if step == "hang" else ""
            self.assertRegex(steps[step][1], rf"^{values}there is no trace: the GPU is not watched: amd_dbgapi_\w+: FATAL: the kernel driver: "
                                             r"queue \d+ cannot be suspended$")

    def test_nowhere_to_write_to(self):
        """That is said before a kernel has run; nothing of a trial that could write is left beside its archive."""
        result = self.trial("-o", self.directory / "nowhere/out.tar.gz")
        self.assertEqual((result.code, result.stderr),
                         (1, f"wavetape: cannot write the archive: {self.directory}/nowhere/out.tar.gz.partial: No such file or directory\n"))
        self.assertNotIn("The kernels of the trial", result.stdout)
        self.trial("--gpu", "7")
        self.assertEqual([path.name for path in self.directory.iterdir()], [self.archive.name])

    def test_no_permission(self):
        code, findings, steps = self.planted("closed")
        [driver] = [finding for finding in findings if finding["topic"] == "driver"]
        self.assertEqual((code, driver["state"]), (3, "red"))
        self.assertEqual(set(steps.values()), {("left out", "/dev/kfd cannot be opened: Permission denied")})

    def test_usage(self):
        for options in (["--hang"], ["--gpu", "1"], ["--try", "--gpu", "x"], ["--try", "--time-limit", "0"]):
            self.assertEqual(support.wavetape("doctor", *options).code, 2, options)


if __name__ == "__main__":
    support.main(__doc__, parts=2)
