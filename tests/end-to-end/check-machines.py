# SPDX-License-Identifier: MIT
"""Machines that lack something: /proc, a place to write to, the debugger, half of ROCm, ptrace; and that have something twice."""

import errno
import functools
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import unittest
import unittest.mock

import support
from support import Case

WITH_A_VIEW = unittest.skipUnless(support.HAS_VIEWS, "only root can make another view of files")
# Which library answered is seen by its name, in which one letter is another.
ANOTHER = b"(simulated GPU)", b"(Simulated GPU)"
PATIENCE = 240  # seconds: the runtime compiles kernels of its own


class Machine(Case):
    def setUp(self):
        super().setUp()
        self.enterContext(unittest.mock.patch.dict(os.environ))
        for name in ("LD_LIBRARY_PATH", "LD_PRELOAD", "HSA_TOOLS_LIB", "ROCM_PATH", "VIRTUAL_ENV", "PYTHONPATH", "XDG_CACHE_HOME"):
            os.environ.pop(name, None)
        self.agent = support.TREE.agent
        self.simulated = support.TREE.libraries["simulated"]
        self.loader_client = support.TREE.build / "tests/end-to-end/loader-client"
        self.program = support.TREE.build / "tests/driver/programs-O2"

    def view(self, script, *command, **options):
        """Run a command where that was done to the files that it sees."""
        return support.run("unshare", "-m", "sh", "-c", f'set -e; {script}; exec "$@"', "sh", *command, **options)

    def host(self, *before, end="exit", **variables):
        """A program that has a fault, with the agent in it: its status, and what was said."""
        process = subprocess.Popen([*map(str, before), support.TREE.build / "tests/end-to-end/tool-host", self.agent, end], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=support.environment(**{"WAVETAPE_WORKLOAD": support.TREE.workload("oob-store"), **variables}))
        said = process.stderr.readline()
        stdout, stderr = process.communicate(timeout=support.TIMEOUT)
        self.assertEqual((process.returncode, stdout), (7, "begins\nloaded: 1\nends\n"), stderr)
        return said + stderr

    def on_device(self, *command, command_of=None, **options):
        """A HIP program with a fault, on AMD's runtime over the driver of the simulated GPU."""
        if not self.program.exists():
            self.skipTest("no HIP programs were built here")
        self.skip_with_sanitizer()
        command_of = command_of or support.TREE.command
        result = support.run(command_of, "device", "--", *command, self.program, "bad-address", timeout=PATIENCE,
                             **{"WAVETAPE_DBGAPI": self.simulated, "HSA_ENABLE_DEBUG": "1", **options})
        self.assertEqual(result.code, 128 + signal.SIGABRT, result.stderr)
        return [line for line in result.stderr.splitlines() if line.startswith("wavetape: ")]

    def findings(self, result):
        """What the doctor found, by its topics."""
        self.assertEqual(result.stderr, "")
        return {finding["topic"]: (finding["state"], finding["text"], finding.get("advice")) for finding in json.loads(result.stdout)["findings"]}


@WITH_A_VIEW
class WithoutProc(Machine):
    """As in a root that somebody has only unpacked."""

    GONE = "mount -t tmpfs none /proc"

    def setUp(self):
        super().setUp()
        self.skip_with_sanitizer("a sanitizer reads /proc")

    def test_recording(self):
        trace = self.directory / "t.wtape"
        result = self.view(self.GONE, support.TREE.command, "record", "-o", trace, "--workload", support.TREE.workload("oob-store"))
        self.assertEqual((result.code, result.stderr), (0, ""))
        for verb in ("check", "info", "verify", "explain"):
            there = support.wavetape(verb, trace)
            self.assertEqual(there.code, 0)
            self.assertEqual(self.view(self.GONE, support.TREE.command, verb, trace), there)

    def test_a_client(self):
        trace, variables = self.directory / "t.wtape", {"WAVETAPE_WORKLOAD": support.TREE.workload("vecadd"), "LD_LIBRARY_PATH": self.simulated.parent}
        live = support.run(self.loader_client, "session", **variables)
        self.assertEqual(live.code, 0)
        record = support.TREE.command, "record", "-o", trace, "--", self.loader_client, "session"
        replay = support.TREE.command, "replay", trace, "--", self.loader_client, "session"
        self.assertEqual(self.view(self.GONE, *record, **variables), live)
        self.assertEqual(self.view(self.GONE, *replay, **variables), live)

    def test_the_agent(self):
        """The program's files are not handed on to the user's command, though nobody can list them."""
        command, said = self.directory / "command", self.directory / "said"
        command.write_text(f"#!/bin/sh\n(true <&7) 2> /dev/null && echo open > {said} || echo closed > {said}\n", "utf-8")
        command.chmod(0o755)
        self.host("unshare", "-m", "sh", "-c", f'{self.GONE} && exec "$@" 7< /dev/null', "sh", WAVETAPE_DBGAPI=self.simulated,
                  WAVETAPE_AGENT=f"output={self.directory}/%e.wtape,on-trace={command}")
        trace = self.directory / "tool-host.wtape"
        self.wavetape("check", trace)
        self.wavetape("verify", trace)
        shown = self.json("host", trace)["not_known"]
        self.assertIn("the recorded program: /proc is not mounted", shown)
        self.assertEqual(said.read_text("utf-8"), "closed\n")

    def test_the_doctor(self):
        found = self.findings(self.view(self.GONE, support.TREE.command, "doctor", "--json", WAVETAPE_DBGAPI=self.simulated))
        self.assertEqual(found["debugging"], ("yellow", "/proc is not there: traces say nothing of the program", "mount it (`mount -t proc proc /proc`)"))
        self.assertEqual(found["memory"][:2], ("green", "no limit; nothing says how much is free"))
        self.assertEqual(found["core dumps"][:2], ("green", "nothing says where the kernel puts them; traces are not touched by it"))
        self.assertEqual(found["wavetape"][:2], ("green", f"{version()}, the agent is {self.agent}"))


def version():
    return support.wavetape("--version").stdout.split()[1]


@WITH_A_VIEW
class ReadOnly(Machine):
    """The user's home, the folder that he is in, and the one for temporary files."""

    def setUp(self):
        super().setUp()
        self.home = self.directory / "home"
        self.home.mkdir()
        self.only = f"mount -t tmpfs -o ro none {self.home}; cd {self.home}"
        self.variables = {"HOME": self.home, "TMPDIR": self.home, "XDG_CACHE_HOME": "", "XDG_RUNTIME_DIR": ""}

    def test_looking(self):
        trace = self.trace("oob-load")
        for verb in ("info", "explain", "backtrace", "locals", "triage", "verify", "check"):
            there = support.wavetape(verb, trace)
            result = self.view(self.only, support.TREE.command, verb, trace, **self.variables)
            self.assertEqual((result.code, result.stdout), (there.code, there.stdout), verb)
            cache = f"{self.home}/.cache/wavetape/triage.json"
            said = f"wavetape: the cache is not written: {cache}: Read-only file system\n" if verb == "triage" else ""
            self.assertEqual(result.stderr, said, verb)

    def test_writing(self):
        trace = self.trace("oob-load")
        for arguments, where in ((("record", "-o", "t.wtape", "--workload", support.TREE.workload("vecadd")), "t.wtape"),
                                 (("report", trace, "-o", "t.html"), "t.html"), (("repack", trace, "-o", "r.wtape"), "r.wtape")):
            result = self.view(self.only, support.TREE.command, *arguments, **self.variables)
            self.assertEqual((result.code, result.stdout), (1, ""), result.stderr)
            self.assertRegex(result.stderr, rf"^wavetape: [^\n]*{where}[^\n]*: Read-only file system\n$")

    def test_a_client(self):
        """It runs as it does alone, and the command says why there is no trace."""
        variables = {**self.variables, "WAVETAPE_WORKLOAD": support.TREE.workload("vecadd"), "LD_LIBRARY_PATH": self.simulated.parent}
        live = support.run(self.loader_client, "session", **variables)
        result = self.view(self.only, support.TREE.command, "record", "-o", "t.wtape", "--", self.loader_client, "session", **variables)
        self.assertRegex(result.stderr, r"^wavetape: [^\n]*t\.wtape[^\n]*: Read-only file system\n$")
        self.assertIn(result.stdout, ("", live.stdout))
        self.assertNotEqual(result.code, 0)

    def test_a_replay(self):
        trace, variables = self.directory / "t.wtape", {"WAVETAPE_WORKLOAD": support.TREE.workload("vecadd"), "LD_LIBRARY_PATH": self.simulated.parent}
        live = support.wavetape("record", "-o", trace, "--", self.loader_client, "session", **variables)
        self.assertEqual(live.code, 0)
        result = self.view(self.only, support.TREE.command, "replay", trace, "--", self.loader_client, "session", **{**variables, **self.variables})
        self.assertEqual(result, live)

    def test_the_agent(self):
        said = self.host("unshare", "-m", "sh", "-c", f'{self.only} && exec "$@"', "sh", WAVETAPE_DBGAPI=self.simulated,
                         WAVETAPE_AGENT="output=t.wtape", **self.variables)
        self.assertRegex(said, r"^wavetape: cannot write the trace: [^\n]*t\.wtape: Read-only file system\n$")

    def test_the_doctor(self):
        result = self.view(self.only, support.TREE.command, "doctor", "--json", **self.variables)
        disks = [finding for finding in json.loads(result.stdout)["findings"] if finding["topic"] == "disk"]
        self.assertEqual([(disk["state"], disk["text"]) for disk in disks],
                         [("yellow", f"{what} cannot be written in: Read-only file system")
                          for what in ("this folder", "the folder for temporary files, which HIP programs need, too,")])


class WithoutTheDebugger(Machine):
    """ROCm's wheel without it: the runtime is there, and the library is not, or not whole, or for another machine."""

    def setUp(self):
        super().setUp()
        self.wheel = self.directory / "venv/lib/python3.12/site-packages/_rocm_sdk_core/lib"
        self.wheel.mkdir(parents=True)
        self.library = self.wheel / "librocm-dbgapi.so.0"
        self.variables = {"VIRTUAL_ENV": self.directory / "venv", "ROCM_PATH": "", "HOME": self.directory}
        if re.search(r"librocm-dbgapi\.so\.0 ", support.run("ldconfig", "-p").stdout):
            self.skipTest("this machine has AMD's library")

    def record(self):
        return support.wavetape("record", "-o", self.directory / "t.wtape", "--", support.TREE.build / "tests/end-to-end/ending-client", "exit",
                                WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"), **self.variables)

    def doctor(self, code=1):
        result = support.wavetape("doctor", "--json", **self.variables)
        self.assertEqual(result.code, code)
        return self.findings(result)

    def test_it_is_not_there(self):
        shutil.copy(self.simulated, self.wheel / "libhsa-runtime64.so.1")
        found = self.doctor()
        self.assertEqual(found["library"][0], "red")
        self.assertTrue(found["library"][1].startswith("AMD's debugger library, librocm-dbgapi.so.0, was not found"), found)
        self.assertIn("WAVETAPE_DBGAPI", found["library"][2])
        shown = support.wavetape("doctor", "--list", **self.variables).stdout
        self.assertIn(f"{self.library} (wheel of Python): ", shown)
        result = self.record()
        self.assertNotEqual(result.code, 0)
        self.assertIn(f"{self.wheel} (wheel of Python)", result.stderr)
        said = self.host(WAVETAPE_AGENT=f"output={self.directory}/t.wtape", **self.variables)
        self.assertTrue(said.startswith("wavetape: the GPU is not watched: the recorder: cannot find the library to record: "), said)
        self.assertIn(f"{self.wheel} (wheel of Python)", said)
        self.assertFalse((self.directory / "t.wtape").exists())

    def test_half_of_it(self):
        """What it needs itself is missing: everybody names that, and nobody takes the library for good."""
        shutil.copy(self.simulated, self.library)
        subprocess.run(["patchelf", "--add-needed", "libnowhere.so.7", self.library], check=True)
        missing = "libnowhere.so.7: cannot open shared object file: No such file or directory"
        found = self.doctor()
        self.assertEqual(found["library"], ("red", f"{self.library} (wheel of Python) cannot be loaded: {missing}",
                                            f"install it anew, with what it needs: `ldd {self.library}` names that"))
        result = self.record()
        self.assertNotEqual(result.code, 0)
        self.assertIn(missing, result.stderr)
        said = self.host(WAVETAPE_AGENT=f"output={self.directory}/t.wtape", **self.variables)
        self.assertTrue(said.startswith("wavetape: the GPU is not watched: the recorder: ") and missing in said, said)
        runtime = self.wheel / "libhsa-runtime64.so.1"
        self.library.rename(runtime)
        self.variables["LD_LIBRARY_PATH"] = self.wheel
        self.assertEqual(self.doctor()["runtime"][:2], ("yellow", f"{runtime} (LD_LIBRARY_PATH) cannot be loaded: {missing}"))

    def test_its_own_code_does_not_end(self):
        """It hangs as it is loaded, or ends who loads it: everybody else goes on, and is told."""
        odd = support.TREE.build / "tests/end-to-end/libodd-constructor.so"
        shutil.copy(self.simulated, self.library)
        subprocess.run(["patchelf", "--add-needed", odd, self.library], check=True)
        for how, what in (("hang", "its own code had not ended after 20 seconds"), ("leave", "its own code ends who loads it")):
            with self.subTest(constructor=how):
                self.variables["WT_CONSTRUCTOR"] = how
                self.assertEqual(self.doctor()["library"], ("red", f"{self.library} (wheel of Python) cannot be loaded: {what}",
                                                           f"install it anew, with what it needs: `ldd {self.library}` names that"))
        # A child that it leaves behind keeps nobody waiting.
        self.variables["WT_CONSTRUCTOR"] = "forks"
        start = time.monotonic()
        self.assertEqual(self.doctor()["library"][0], "green")
        self.assertLess(time.monotonic() - start, 60)

    def test_another_architecture(self):
        other = bytearray(self.simulated.read_bytes())
        other[18] = 0xF3  # RISC-V
        self.library.write_bytes(other)
        self.assertEqual(self.doctor()["library"][0], "red")
        result = self.record()
        self.assertNotEqual(result.code, 0)
        self.assertIn(f"{self.wheel} (wheel of Python: is for another kind of processor)", result.stderr)
        said = self.host(WAVETAPE_AGENT=f"output={self.directory}/t.wtape", **self.variables)
        self.assertIn(f"{self.wheel} (wheel of Python: is for another kind of processor)", said)
        result = support.wavetape("record", "-o", self.directory / "t.wtape", "--dbgapi", self.library, "--", self.loader_client, "session",
                                  WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))
        self.assertEqual((result.code, result.stderr), (2, f"wavetape: cannot record the library: {self.library}: it is for another kind of processor\n"))


@WITH_A_VIEW
class WithoutDecoders(Machine):
    GONE = ('for file in /usr/lib/*/libLLVM* /usr/lib/llvm-*/lib/libLLVM* /usr/lib/*/libamd_comgr*; do '
            '[ ! -e "$file" ] || mount --bind /dev/null "$file"; done')

    def explained(self, trace):
        result = self.view(self.GONE, support.TREE.command, "explain", trace)
        self.assertEqual((result.code, result.stderr), (0, ""))
        return " ".join(result.stdout.split())

    def test_explain(self):
        """A GPU that has tables needs nobody's text, in waves of 32 lanes and of 64."""
        for variant in ("-gfx1100", "-gfx1100-w64-O0"):
            trace = self.directory / f"t{variant}.wtape"
            self.wavetape("record", "-o", trace, "--workload", support.TREE.workload(f"oob-store{variant}"), stdout=None)
            cause = re.search(" cause .* came from", " ".join(self.wavetape("explain", trace).split()))[0]
            self.assertRegex(cause, r"^ cause past the end: lane \d+ stores to out\[\d+\], \d+ elements? of 4 bytes past the last one")
            self.assertIn(cause, self.explained(trace))


class TwoRocms(Machine):
    """Of different levels: a client gets the one that it has alone, the agent the first that it can use, and what was taken is said."""

    def setUp(self):
        super().setUp()
        self.rocms = {}
        for level in (64, 77):
            folder = self.directory / f"rocm-{level}"
            (folder / "lib").mkdir(parents=True)
            (folder / ".info").mkdir()
            (folder / ".info/version").write_text(f"{level}.0.0\n", "utf-8")
            self.rocms[level] = folder / "lib/librocm-dbgapi.so.0"
            library = (support.TREE.build / f"tests/levels/libdbgapi-at-{level}.so").read_bytes()
            if level == 64:
                library = library.replace(*ANOTHER)
            # AMD's have no symbol version of a newer level, where these have empty ones.
            self.rocms[level].write_bytes(re.sub(rb"(?<=\0AMD_DBGAPI_)0(?=\.(\d+)\0)", lambda match, level=level: b"0" if int(match[1]) <= level else b"X", library))

    def variables(self, first, second):
        return {"LD_LIBRARY_PATH": self.rocms[first].parent, "ROCM_PATH": self.rocms[second].parent.parent}

    def level_of(self, trace):
        """Which library was recorded."""
        return 64 if ANOTHER[1].decode() in self.json("info", trace)["library_build_name"] else 77

    def test_a_client(self):
        for level, first, second, taken in ((77, 77, 64, 77), (64, 64, 77, 64), (64, 77, 64, 77)):
            trace = self.directory / f"{level}-{first}.wtape"
            result = support.wavetape("record", "-o", trace, "--", support.TREE.build / f"tests/levels/level-client-{level}",
                                      WAVETAPE_WORKLOAD=support.TREE.workload("oob-load"), **self.variables(first, second))
            self.assertEqual((result.code, result.stderr), (0, ""))
            self.assertEqual(self.level_of(trace), taken)

    def test_the_agent(self):
        """It needs one that speaks to the driver."""
        trace = self.directory / "t.wtape"
        self.host(WAVETAPE_AGENT=f"output={trace}", **self.variables(64, 77))
        self.assertEqual(self.level_of(trace), 77)

    def test_the_doctor(self):
        found = self.findings(support.wavetape("doctor", "--json", **self.variables(77, 64)))
        self.assertEqual(found["library"][:2], ("green", f"{self.rocms[77]} (LD_LIBRARY_PATH): level 0.77, of ROCm 77.0.0"))
        found = self.findings(support.wavetape("doctor", "--json", **self.variables(64, 77)))
        self.assertEqual(found["library"][:2], ("green", f"{self.rocms[77]} (ROCM_PATH): level 0.77, of ROCm 77.0.0"))


class WithoutPtrace(Machine):
    """In a container whose filter of system calls forbids it. That a process of another's cannot be attached to is in the test `agent`."""

    def test_the_doctor(self):
        options = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "detect_leaks=0")))
        environment = support.environment(WAVETAPE_DBGAPI=self.simulated, ASAN_OPTIONS=options)
        if os.geteuid():
            self.skipTest("only root can put up a filter without more ado")
        for answer in errno.EPERM, errno.ENOSYS, errno.EACCES:
            with self.subTest(answer=answer):
                result = subprocess.run([support.TREE.command, "doctor", "--json"], preexec_fn=functools.partial(support.forbid_ptrace, answer),
                                        capture_output=True, text=True, check=False, env=environment, timeout=support.TIMEOUT)
                state, text, advice = self.findings(result)["debugging"]
                self.assertEqual(state, "yellow")
                self.assertRegex(text, r"^ptrace is forbidden \((no|in a) container, with a filter of calls\): the agent works, "
                                       "but `record --pid` and debuggers cannot attach$")
                self.assertIn("--cap-add SYS_PTRACE", advice)

    @unittest.skipUnless(os.geteuid() == 0, "only root can put up a filter without more ado")
    def test_the_agent(self):
        trace = self.directory / "t.wtape"
        python = f"import sys; sys.path.insert(0, '{support.TREE.source}/tests/end-to-end'); import os, support; support.forbid_ptrace(); os.execv(sys.argv[1], sys.argv[1:])"
        said = self.on_device("python3", "-c", python, HSA_TOOLS_LIB=self.agent, WAVETAPE_AGENT=f"output={trace}")
        self.assertRegex(said[0], rf"^wavetape: GPU fault: memory violation in kernel .*: {trace}$")
        self.wavetape("check", trace)


class OddPlaces(Machine):
    """All that is installed, below a path with blanks, quotes and a backslash."""

    def test_the_agent(self):
        self.skip_with_sanitizer()
        if not self.program.exists():
            self.skipTest("no HIP programs were built here")
        root = self.directory / 'with a blank, "quotes" and a \\'
        installed = support.run("meson", "install", "-C", support.TREE.build, "--no-rebuild", "--quiet", "--destdir", root)
        self.assertEqual(installed.code, 0, installed.stderr)
        [command] = root.rglob("bin/wavetape")
        [simulated] = root.rglob("simulated/librocm-dbgapi.so.0")
        trace = self.directory / "t.wtape"
        said = self.on_device(command, "record", "-o", trace, "--", command_of=command, WAVETAPE_DBGAPI=simulated)
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said[0], rf"^wavetape: GPU fault: memory violation in kernel .*: {trace}$")
        self.wavetape("check", trace)
        [agent] = root.rglob("libwavetape-agent.so")
        named = re.sub(r'([ "\\])', r"\\\1", str(agent))
        found = self.findings(support.run(command, "doctor", "--json", WAVETAPE_DBGAPI=simulated))
        self.assertEqual(found["wavetape"][:2], ("green", f"{version()}, the agent is {named}"))


class OtherVersions(Machine):
    """An agent of one version with a command of another, which an image and its user may have."""

    def test_the_user_has_an_agent_already(self):
        """Whichever that is: the command's own is taken, other tools stay, and one trace is written."""
        other, trace = self.directory / "an old one/libwavetape-agent.so", self.directory / "t.wtape"
        other.parent.mkdir()
        other.write_bytes(b"no library")
        beside = support.TREE.build / "tests/end-to-end/libfail-nth.so"
        for tools in (str(other).replace(" ", "\\ "), f'{beside} "{other}"', f'"{other}" {beside}'):
            shown = support.wavetape("record", "--agent", "-o", trace, "--", "sh", "-c", 'echo "$HSA_TOOLS_LIB"', HSA_TOOLS_LIB=tools)
            kept = [str(beside)] if str(beside) in tools else []
            self.assertEqual(shown.stdout, " ".join([*kept, str(self.agent)]) + "\n")

    def test_two_agents(self):
        """Where both are named by hand, the first watches, and the other says so."""
        other, trace = self.directory / "libwavetape-agent.so", self.directory / "t.wtape"
        shutil.copy(self.agent, other)
        said = self.on_device(HSA_TOOLS_LIB=f"{other} {self.agent}", WAVETAPE_AGENT=f"output={trace}")
        self.assertEqual(sorted(re.sub(r"in kernel .*", "", line) for line in said), [
            "wavetape: GPU fault: memory violation ",
            "wavetape: the GPU is not watched: the debugger library: something else in this program uses it already, as another agent in "
            "HSA_TOOLS_LIB: that one watches"])
        self.wavetape("check", trace)

    def ask(self, process, request):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(f"\0{agent_address(process)}")
            connection.sendall(request)
            connection.settimeout(support.TIMEOUT)
            return connection.recv(4096)

    def test_a_newer_command(self):
        """The agent says what it has, and goes on."""
        process = subprocess.Popen([support.TREE.build / "tests/end-to-end/tool-host", self.agent, "exit"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=support.environment(
                                       WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"), WAVETAPE_DBGAPI=self.simulated, WAVETAPE_AGENT="quiet"))
        while "loaded" not in process.stdout.readline():
            pass
        self.assertEqual(self.ask(process.pid, b"wavetape 2 snapshot"), b"wavetape 1 refused no such request: snapshot\n")
        self.assertEqual(self.ask(process.pid, b"wavetape 1 dispatch"), b"wavetape 1 refused no such request: snapshot\n")
        self.assertEqual(process.communicate(timeout=support.TIMEOUT), ("ends\n", ""))
        self.assertEqual(process.returncode, 7)

    def test_another_agent(self):
        """One that answers otherwise is told of as such."""
        for answer in (b"wavetape 2 ok\n", b"wavetape 1 ok\n", b"nonsense\0" * 100, b"wavetape 1 ok\npath /x\n"):
            with self.subTest(answer=answer), socket.socket(socket.AF_UNIX) as listener:
                listener.bind(f"\0{agent_address(os.getpid())}")
                listener.listen()

                def serve():
                    connection, _ = listener.accept()
                    with connection:
                        connection.recv(100)
                        connection.sendall(answer)
                server = threading.Thread(target=serve)
                server.start()
                result = support.wavetape("snapshot", os.getpid())
                server.join()
                self.assertEqual((result.code, result.stdout), (1, ""))
                self.assertIn("it does not answer as this version does", result.stderr)


def agent_address(process):
    """Where an agent listens: a name without a file."""
    text = (support.TREE.source / "base/user-socket.c").read_text("utf-8")
    return re.search(r'"(wavetape[^"]*%[^"]*)"', text)[1].replace("%d", str(process)).replace("%ld", str(process))


if __name__ == "__main__":
    support.main(__doc__)
