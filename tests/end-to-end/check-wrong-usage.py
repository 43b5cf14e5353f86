# SPDX-License-Identifier: MIT
"""Wrong use of the command: exit code 2, or 1 where the system says no, and a message that helps."""

import os
import re
import shutil
import socket

import support
from support import LOOKING_VERBS, Case, wavetape

VERBS = (*LOOKING_VERBS, "record", "replay", "verify", "simulate")


class Help(Case):
    def test_of_the_command(self):
        text = self.wavetape("--help")
        self.assertTrue(text.startswith("Usage: wavetape VERB "))
        for verb in VERBS:
            self.assertRegex(text, rf"(?m)^  {verb} +\S")
        self.assertIn("Exit codes: 0 fine, 1 ", text)

    def test_of_verbs(self):
        for verb in VERBS:
            with self.subTest(verb=verb):
                text = self.wavetape(verb, "--help")
                self.assertTrue(text.startswith(f"Usage: wavetape {verb} "), text[:60])
                if verb != "replay":
                    self.assertIn("--json", text)

    def test_version(self):
        self.assertRegex(self.wavetape("--version"), r"\Awavetape \d+\.\d+\.\d+\n\Z")
        for more in "-v", "--verbose":
            self.assertRegex(self.wavetape("--version", more),
                             r"\Awavetape \d+\.\d+\.\d+\n"
                             r"traces of format 1\.\d+, and of each before it\n"
                             r"debugger library(: none was found; it records, and reading traces needs none| /\S+ \([^\n]+\), level 0\.\d+)\n"
                             r"instructions by (LLVM \d+|comgr) \([^\n]*(LLVM|comgr)[^\n]*\)\n"
                             r"built with browse (by ncurses|left out), libraries linked (in|dynamically)\n\Z")

    def test_version_of_named_library(self):
        ours = support.TREE.libraries["simulated"]
        for library, said in ((ours, f" {ours} (WAVETAPE_DBGAPI), level 0.82\n"),
                              ("/nothing", " /nothing (WAVETAPE_DBGAPI): is not there\n"),
                              ("/etc/passwd", " /etc/passwd (WAVETAPE_DBGAPI): is no shared library\n")):
            result = wavetape("--version", "-v", WAVETAPE_DBGAPI=library)
            self.assertEqual((result.code, result.stderr), (0, ""))
            self.assertIn(f"debugger library{said}", result.stdout)


class Usage(Case):
    def wrong(self, arguments, *parts):
        result = wavetape(*arguments)
        self.assertEqual((result.code, result.stdout), (2, ""), (arguments, result.stderr))
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_no_verb(self):
        self.wrong([], "Usage: wavetape VERB ")

    def test_unknown_verb(self):
        for verb in ("", "-x", "INFO", "xyz", "bt", "st"):
            self.expect(wavetape(verb), 2, "",
                        f"wavetape: no such verb: {verb}: `wavetape --help` lists them\n")

    def test_nearly_a_verb(self):
        for verb, meant in (("recrod", "record"), ("wave", "waves"), ("backtrce", "backtrace"), ("loc", "locals"), ("regsiters", "registers"),
                            ("dis", "disassemble"), ("code-object", "code-objects"), ("trmi", "trim")):
            self.expect(wavetape(verb), 2, "", f"wavetape: no such verb: {verb}: did you mean `wavetape {meant}`? `wavetape --help` lists them\n")
        # Two are as near.
        self.expect(wavetape("rep"), 2, "", "wavetape: no such verb: rep: `wavetape --help` lists them\n")

    def test_nearly_an_option(self):
        """One that is near to an option of the verb is named; what is no option, or cut short, is left alone."""
        trace = self.trace("oob-store")
        for verb, arguments, word, meant in (
                ("info", (trace, "--stp", "2"), "stp", "stop"), ("waves", ("--stpo=2", trace), "stpo", "stop"), ("info", (trace, "--jsno"), "jsno", "json"),
                ("registers", (trace, "--wave", "1", "-js2", "--wvae", "3"), "wvae", "wave"), ("goto", ("--jsn",), "jsn", "json"),
                ("doctor", ("--hlep",), "hlep", "help"), ("export", (trace, "-o", "--stp", "--json-line", "--perfeto"), "perfeto", "perfetto")):
            self.wrong((verb, *arguments), f"wavetape {verb}: unrecognized option '--{word}': did you mean --{meant}?\nTry `wavetape {verb} --help' or ")
        self.wrong(("info", trace, "--zzz"), "wavetape info: unrecognized option '--zzz'\nTry ")
        self.wrong(("info", trace, "-Z", "--stp"), "wavetape info: invalid option -- 'Z'\nTry ")
        self.expect(wavetape("info", "--", "--stp"), 1, "", "wavetape: cannot read the trace: --stp: No such file or directory\n")
        self.assertEqual(self.wavetape("info", trace, "--js"), self.wavetape("info", trace, "--json"))

    def test_colours(self):
        """A terminal gets them, unless its user wants none; nothing else does."""
        if not shutil.which("script"):
            self.skipTest("no script(1) here")
        trace = self.trace("oob-store")
        for arguments, there in ((f"info {trace}", "\x1b[31mcrash\x1b[0m"), ("info /nothing", "\x1b[31mwavetape:\x1b[0m ")):
            for variables, coloured in (({"NO_COLOR": "", "TERM": "xterm"}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
                result = support.run("script", "-qec", f"{support.TREE.command} {arguments}", "/dev/null", **variables)
                self.assertEqual(there in result.stdout, coloured, (arguments, variables))
                self.assertEqual("\x1b" in result.stdout, coloured)
            self.assertNotIn("\x1b", str(wavetape(*arguments.split())))

    def test_unknown_option(self):
        for verb in VERBS:
            with self.subTest(verb=verb):
                self.wrong([verb, "--no-such-option"], f"wavetape {verb}: unrecognized option",
                           f"`wavetape {verb} --help'")

    def test_no_file(self):
        for verb in (*LOOKING_VERBS, "verify"):
            self.wrong([verb], f"wavetape {verb}: which trace? Name a FILE")
        self.wrong(["simulate"], "wavetape simulate: which workload? Name a JSON file")
        self.wrong(["replay"], "wavetape replay: name a trace and, after --, a client to run")
        self.wrong(["record"], "name either a --workload, a --core, a --pid or, after --, a client to run")

    def test_registers_that_no_gpu_has(self):
        """A name that is well-formed and means nothing would record nothing: it is refused before anything runs."""
        output = self.directory / "t"
        for text, part in (("zz", "zz"), ("pc,v7,zz9", "zz9"), ("s900-s901", "s900-s901"),
                           ("Vector", "Vector"), ("v99999", "v99999")):
            with self.subTest(registers=text):
                self.wrong(["record", "-o", output, f"--registers={text}", "--workload", "w.json"],
                           f"--registers: no GPU has '{part}'; it takes all, or a list with commas of registers (pc, "
                           "v7), runs (s0-s15) and classes (general, scalar, vector, system, trap)\n")
                self.assertFalse(output.exists())

    def test_lists_of_registers(self):
        """The element that is wrong is named, with the reason, by both verbs that take such a list."""
        trace = self.trace("vecadd")
        takes = "it takes all, or a list with commas of registers (pc, v7), runs (s0-s15) and classes (general, " \
                "scalar, vector, system, trap)\n"
        for text, why in (("s0-v7", "'s0-v7': the ends of a run are registers of one kind (s0-s15)"),
                          ("pc,s7-s0", "'s7-s0': the run ends before it begins"),
                          ("s3-", "'s3-': a run has a register with a number at both ends (s0-s15), of up to 6 digits"),
                          ("pc,,v1", "'': an element is empty"), ("", "'': an element is empty"),
                          ("pc v1", "'pc v1': names have letters, digits and _"),
                          ("v[3]", "'v[3]': names have letters, digits and _")):
            with self.subTest(registers=text):
                self.wrong(["record", f"--registers={text}", "--", "true"],
                           f"wavetape record: --registers: {why}; {takes}")
                self.wrong(["registers", trace, "pc", text], f"wavetape registers: LIST: {why}; {takes}")

    def test_no_client(self):
        self.wrong(["replay", self.trace("vecadd")], "after --, a client to run")
        self.wrong(["record", "-o", self.directory / "t"], "after --, a client to run")

    def test_too_many_files(self):
        trace = self.trace("vecadd")
        for verb in ("info", "stops", "waves", "code-objects", "journal", "verify"):
            self.wrong([verb, trace, trace], f"wavetape {verb}: Too many arguments")

    def test_empty_names(self):
        trace = self.trace("vecadd")
        for verb in ("info", "host", "journal", "verify", "check"):
            self.wrong([verb, ""], f"wavetape {verb}: which trace? FILE is an empty name")
        self.wrong(["replay", "", "--", "true"], "which trace? FILE is an empty name")
        for verb in ("recover", "repack"):
            self.wrong([verb, trace, "-o", ""], "where to? --output is an empty name")
        self.wrong(["code-objects", trace, "--extract", "1", "-o", ""], "where to? --output is an empty name")

    def test_both_ways_to_record(self):
        self.wrong(["record", "--workload", support.TREE.workload("vecadd"), "--", "true"],
                   "name either a --workload, a --core, a --pid or, after --, a client to run")
        self.wrong(["record", "--workload", support.TREE.workload("vecadd"), "--dbgapi", "x"],
                   "--dbgapi is for clients")

    def test_numbers(self):
        trace = self.trace("oob-store")
        for text in ("0", "-1", "one", "1x", "", "4294967296", "99999999999999999999"):
            with self.subTest(stop=text):
                self.wrong(["waves", trace, f"--stop={text}"], "--stop takes a number from 1",
                           f"not '{text}'")
        self.wrong(["registers", trace, "--wave", "x"], "--wave takes a wave")
        self.wrong(["memory", trace, "there"], "ADDRESS is a number, not 'there'")
        self.wrong(["memory", trace, "0x1000", "many"], "BYTES is a number, not 'many'")
        self.wrong(["memory", trace, "0x1000", "0"], "BYTES is 1 to ")
        self.wrong(["memory", trace, "0", "1", "--lane", "64"], "--lane takes 0 to 63")
        self.wrong(["memory", trace, "0", "1", "--space", "far"], "--space is global, ")
        self.wrong(["memory", trace, "0", "1", "--space", "local"], "name it with --wave")
        self.wrong(["disassemble", trace, "--count", "0"], "--count takes 1 to ")
        for stops in ("0", "2..1", "x", "1..", "..2", "1..2..3", "-1", ""):
            self.wrong(["trim", trace, "-o", self.directory / "x", f"--stops={stops}"],
                       "wavetape trim: --stops takes A..B or N, numbers from 1 as `wavetape stops` lists them, the smaller "
                       f"one first, not '{stops}'\n")
        for text in ("0", "-1", "much", "", "1.5", "99999999999"):
            self.wrong(["check", trace, f"--budget={text}"], f"--budget takes a number of GiB, not '{text}'")
        self.wrong(["journal", trace, "--from", "begin"], "--from takes a call's number")
        self.wrong(["code-objects", trace, "--extract", "1"], "--extract and --output go together")
        self.wrong(["record", "--sync", "never", "--", "true"], "--sync is none, stop, or every=N stops")
        self.wrong(["record", "--max-memory", "1M", "--", "true"],
                   "--max-memory is a number of bytes from 4M on (256M), not '1M'")
        self.wrong(["record", "--keyframes", "0", "--", "true"], "--keyframes is a number of moments above 0, not '0'")
        self.wrong(["record", "--max-stops", "x", "--", "true"], "--max-stops takes a number")
        self.wrong(["simulate", support.TREE.workload("vecadd"), "--save", "c"],
                   "--save takes NAME=FILE, not 'c'")

    def test_options_without_effect(self):
        """What could not be obeyed is not passed over."""
        trace = self.trace("oob-store")
        out = self.directory / "out"
        workload = support.TREE.workload("vecadd")
        without = "wavetape memory: --space, --wave, --lane and --output go with an ADDRESS: without one, all that was " \
                  "recorded is listed\n"
        for options in (["-o", out], ["--space", "local"], ["--wave", "3"], ["--lane", "0"]):
            self.wrong(["memory", trace, *options], without)
        for space in ("global", "local", "private_wave"):
            self.wrong(["memory", trace, "0", "1", "--space", space, "--wave", "3", "--lane", "0"],
                       "wavetape memory: a lane has memory of its own in the private_lane and generic spaces: --lane says "
                       f"nothing of {space} memory\n")
        for pair in (("--host", "--no-host"), ("--debug-frame", "--without-debug-frame")):
            for options in (pair, pair[::-1]):
                self.wrong(["replay", *options, trace, "--", "touch", out],
                           f"wavetape replay: {' and '.join(pair)} contradict each other\n")
        for option in ("--time-limit", "--max-stops"):
            for what in (["--core", "c.core"], ["--", "touch", out]):
                self.wrong(["record", "-o", out, f"{option}=5", *what],
                           f"wavetape record: {option} ends a --workload early: nothing else can be\n")
        for what in (["--workload", workload], ["--", "touch", out]):
            self.wrong(["record", "-o", out, "--progress", *what],
                       "wavetape record: --progress shows how a --core is read: there is none\n")
        self.wrong(["record", "-o", out, "--json", "--", "touch", out],
                   "wavetape record: --json prints the summary of a --workload, --core or --pid: what a client prints is its "
                   "own\n")
        self.assertFalse(out.exists())
        # The same twice is no contradiction.
        self.wavetape("replay", "--no-host", "--no-host", trace, "--", support.TREE.client, stdout=None)

    def test_journal(self):
        trace = self.trace("oob-store")
        self.wrong(["journal", trace, "--from", "5", "--to", "4"], "wavetape journal: --from 5 comes after --to 4\n")
        text = self.wavetape("journal", trace, "--from", "5", "--to", "5")
        self.assertEqual([line.split()[0] for line in text.splitlines() if line[0].isdigit()], ["5"])
        last = self.json("info", trace)["calls"]
        for options in ([], ["--json"]):
            self.expect(wavetape("journal", trace, "--from", last + 1, *options), 2, "",
                        f"wavetape: cannot show the journal: {trace}: there is no call {last + 1}: the last one is {last}\n")
        part = self.directory / "part.wtape"
        self.wavetape("trim", trace, "--stops", "2", "-o", part, stdout=None)
        self.expect(wavetape("journal", part, "--from", last + 1), 2, "",
                    f"wavetape: cannot show the journal: {part}: there is no call {last + 1}: the last one is {last}\n")
        self.assertRegex(self.wavetape("journal", part, "--from", last), rf"(?m)^{last} ")
        for name in ("nosuch", "amd_dbgapi_initialise"):
            self.wrong(["journal", trace, "-F", name],
                       f"wavetape journal: --function: no function of the API has '{name}' in its name\n")

    def test_no_limit(self):
        """Of stops and of time 0 is none, as the help says."""
        text = " ".join(self.wavetape("record", "--help").split())
        self.assertIn("give up after N stops (default 1000; 0: never)", text)
        self.assertIn("give up after so long (0, the default: never)", text)
        self.wavetape("record", "--max-stops=0", "--time-limit=0", "-o", self.directory / "t", "--workload",
                      support.TREE.workload("vecadd"), stdout="the workload ran to its end; 1 stop\n")

    def test_stop_out_of_range(self):
        trace = self.trace("oob-store")
        count = len(self.json("stops", trace)["stops"])
        for verb in ("info", "waves", "registers", "memory", "disassemble", "code-objects"):
            with self.subTest(verb=verb):
                self.expect(wavetape(verb, trace, "--stop", count + 1), 2, "",
                            f"wavetape: cannot show the stop: {trace}: there is no stop "
                            f"{count + 1}: the trace has {count}, counted from 1\n")


class NotThere(Case):
    """Well-formed questions about what the trace does not hold: exit code 1; 2 where an option names a stop, wave or frame that is not there."""

    def refuse(self, arguments, stderr, code=1):
        self.expect(wavetape(*arguments), code, None, f"wavetape: {stderr}\n")

    def test_wave(self):
        trace = self.trace("oob-store")
        self.refuse(["registers", trace, "--wave", "999"],
                    f"cannot show registers: {trace}: there is no wave 999 at this stop; "
                    "`wavetape waves` lists them", 2)
        self.refuse(["disassemble", trace, "--wave", "999"],
                    f"cannot disassemble: {trace}: there is no wave 999 at this stop; `wavetape waves` lists them", 2)
        self.refuse(["disassemble", trace, "--stop", "1"],
                    f"cannot disassemble: {trace}: no wave is stopped at this stop: name a --kernel or an ADDRESS")
        self.refuse(["memory", trace, "0", "--space", "local", "--wave", "999"],
                    f"cannot show the memory: {trace}: there is no wave 999 at this stop; `wavetape waves` lists them", 2)
        self.refuse(["registers", trace, "--stop", "1"],
                    f"cannot show registers: {trace}: no wave is stopped at this stop")

    def test_options(self):
        """A stop, a wave and a frame that are not there are the same mistake in every verb that has such an option."""
        trace, out = self.trace("oob-store"), self.directory / "out"
        more = {"print": ["out"], "memory": ["0x210000000000", "16"], "diff": [trace], "report": ["-o", out]}
        listed = re.findall(r"(?m)^  ([a-z-]+) +\S", wavetape("--help").stdout)
        asked = set()
        # Those that wait for a terminal, or for an editor, have nothing to say without one.
        for verb in set(listed) - {"browse", "dap"}:
            explained = wavetape(verb, "--help").stdout
            for option in re.findall(r"--(stop|stop-b|wave|frame)=", explained):
                asked.add((verb, option))
                forms = [["--core", "-o", out], ["--json-lines"]] if verb == "export" else [more.get(verb, [])]
                forms += [["0", "16", "--space", "local"]] if (verb, option) == ("memory", "wave") else []
                for words in forms:
                    with self.subTest(verb=verb, option=option, words=words):
                        first = ["--stop", "1"] if option == "stop-b" else []
                        result = wavetape(verb, trace, *words, *first, f"--{option}", "99")
                        self.assertEqual((result.code, result.stdout), (2, ""), result.stderr)
                        self.assertRegex(result.stderr, rf"\Awavetape: cannot [^:]+: {trace}: there is no {option.removesuffix('-b')} 99[^\n]*\n\Z")
                        self.assertFalse(out.exists())
        self.assertGreaterEqual(len({verb for verb, _ in asked}), 14)
        self.assertLessEqual({("way", "wave"), ("print", "frame"), ("locals", "frame"), ("disassemble", "wave"), ("diff", "stop-b")}, asked)

    def test_directory(self):
        """No verb makes a directory, and each says how."""
        trace, directory = self.trace("oob-store"), self.directory / "none"
        for arguments, what in ((["record", "--workload", support.TREE.workload("oob-store")], "trace"), (["repack", trace], "trace"),
                                (["trim", trace, "--stops", "1"], "trace"), (["report", trace], "report"),
                                (["export", trace, "--json-lines"], None)):
            result = wavetape(*arguments, "-o", directory / "x")
            self.assertEqual((result.code, result.stdout), (1, ""), result.stderr)
            self.assertTrue(result.stderr.endswith(f"{directory}/x: the directory {directory} is not there; make it first: mkdir -p {directory}\n"),
                            result.stderr)
            if what:
                self.assertIn(f"cannot write the {what}: ", result.stderr)
            self.assertFalse(directory.exists())

    def test_register(self):
        trace = self.trace("oob-store")
        for name, lists in (("rax", ["rax"]), ("rax", ["pc", "rax"]), ("float", ["pc,float"]), ("s900-s950", ["s900-s950"])):
            self.refuse(["registers", trace, *lists], f"cannot show the register: {name}: no GPU of this trace has a "
                                                      "register or class of that name")
        for name, meant in (("exce", "exec"), ("vc", "vcc"), ("mode_", "mode")):
            self.expect(wavetape("registers", trace, "pc", name), 1, "", f"wavetape: cannot show the register: {name}: no GPU of this trace has a "
                                                                         f"register or class of that name: did you mean {meant}?\n")
        wave = self.json("registers", trace)["wave"]
        self.refuse(["registers", trace, "pc,v250"], f"cannot show the register: v250: wave {wave} has no such register, "
                                                     "or it was not recorded")
        part = self.directory / "part.wtape"
        self.wavetape("record", "-o", part, "--registers=v2-v3", "--workload", support.TREE.workload("oob-store"),
                      stdout=None)
        self.refuse(["registers", part, "v2", "v4"],
                    f"cannot show the register: v4: its value was not recorded for wave {wave}")

    def test_memory(self):
        self.refuse(["memory", self.trace("oob-store"), "0x10"],
                    "cannot show the memory: global 0x10: it was not recorded at this stop, or was "
                    "not mapped; `wavetape memory FILE` lists what was recorded")

    def test_kernel(self):
        self.refuse(["disassemble", self.trace("oob-store"), "--kernel", "saxpy"],
                    "cannot disassemble: saxpy: no code object of the trace has a function of that "
                    "name")

    def test_code_address(self):
        self.refuse(["disassemble", self.trace("oob-store"), "0x10"],
                    "cannot disassemble: 0x10: no code was recorded there")

    def test_code_object(self):
        trace = self.trace("oob-store")
        self.refuse(["code-objects", trace, "--extract", "77", "-o", self.directory / "x"],
                    f"cannot extract the code object: {trace}: there is no code object 77 at this "
                    "stop, or its bytes were not recorded")


class Outputs(Case):
    def test_unwritable(self):
        absent = self.directory / "absent" / "file"
        for target, why in ((absent, f"the directory {absent.parent} is not there; make it first: mkdir -p {absent.parent}"),
                            (self.directory, "Is a directory")):
            for arguments in (
                ["record", "-o", target, "--workload", support.TREE.workload("vecadd")],
                ["record", "-o", target, "--dbgapi", support.TREE.libraries["simulated"], "--",
                 "true"],
            ):
                with self.subTest(arguments=arguments):
                    self.expect(wavetape(*arguments), 1, "",
                                f"wavetape: cannot write the trace: {target}: {why}\n")
        self.expect(
            wavetape("code-objects", self.trace("vecadd"), "--extract", "1", "-o", absent), 1, "",
            f"wavetape: cannot write the code object: {absent}: the directory {absent.parent} is not there; make it first: "
            f"mkdir -p {absent.parent}\n")

    def test_output_that_is_no_file(self):
        pipe = self.directory / "pipe"
        os.mkfifo(pipe)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.directory / "socket"))
            for path in ("/dev/full", pipe, self.directory / "socket"):
                self.expect(wavetape("record", "-o", path, "--workload", support.TREE.workload("vecadd")), 1, "",
                            f"wavetape: cannot write the trace: {path}: it is not a regular file; give another "
                            "name\n")

    def test_client_that_debugs_nothing(self):
        """The client's end is passed on; where it is fine, that nothing was recorded is a failure."""
        trace = self.directory / "t.wtape"
        old = self.trace("vecadd").read_bytes()
        for before in (None, old):
            for code in (0, 7):
                if before:
                    trace.write_bytes(before)
                self.expect(
                    wavetape("record", "-o", trace, "--", "sh", "-c", f"exit {code}"), code or 1,
                    "", f"wavetape: nothing was recorded: {trace}: the client made no call of the "
                        "recording library: it does not use librocm-dbgapi.so.0, or loads another by its "
                        "path, or runs where LD_PRELOAD does not reach\n")
                self.assertEqual(trace.exists(), before is not None)
        self.assertEqual(trace.read_bytes(), old)

    def test_full_stdout(self):
        with open("/dev/full", "wb") as full:
            for arguments in (["info", self.trace("oob-store")],
                              ["journal", self.trace("oob-store"), "--json"], ["--help"], ["--version"],
                              *([verb, "--help"] for verb in VERBS), ["info", "--usage"]):
                done = support.subprocess.run(
                    [support.TREE.command, *arguments], stdout=full, check=False,
                    stderr=support.subprocess.PIPE, timeout=support.TIMEOUT,
                    env=support.environment())
                self.assertEqual(done.returncode, 1, arguments)
                self.assertEqual(done.stderr.decode(), "wavetape: cannot write the output: stdout: "
                                                       "No space left on device\n")

    def test_missing_client(self):
        absent = self.directory / "no-such-client"
        for arguments in (
            ["replay", self.trace("vecadd"), "--", absent],
            ["record", "-o", self.directory / "t.wtape", "--dbgapi",
             support.TREE.libraries["simulated"], "--", absent],
        ):
            with self.subTest(arguments=arguments):
                result = wavetape(*arguments)
                self.expect(result, 1, "", f"wavetape: cannot run the client: {absent}: No such "
                                           "file or directory\n")

    def test_library_that_is_none(self):
        """Found out before anything runs."""
        text = self.directory / "text"
        text.write_text("text", encoding="utf-8")
        ran = self.directory / "ran"
        for path in (text, self.directory, support.TREE.workload("vecadd")):
            for what in (["--core", "/no/such/core"], ["--", "touch", ran]):
                self.expect(wavetape("record", "-o", self.directory / "t.wtape", "--dbgapi", path, *what), 2, "",
                            f"wavetape: cannot record the library: {path}: it is not a shared library: name the file "
                            "librocm-dbgapi.so.0 itself\n")
        self.assertEqual(os.listdir(self.directory), ["text"])

    def test_missing_library(self):
        absent = self.directory / "librocm-dbgapi.so.0"
        result = wavetape("record", "-o", self.directory / "t.wtape", "--dbgapi", absent, "--",
                          "true")
        self.expect(result, 1, "", f"wavetape: cannot find the file: {absent}: No such file or "
                    "directory\n")


if __name__ == "__main__":
    support.main(__doc__)
