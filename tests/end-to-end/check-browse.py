# SPDX-License-Identifier: MIT
"""The browser on a real terminal: tmux draws it, and every screen is compared whole with browse-screens.txt."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

import support
from support import Case

HERE = pathlib.Path(__file__).parent
# Where what is shown is written, in the form of browse-screens.txt: to look at, and to take over.
WRITE = os.environ.get("WAVETAPE_WRITE_SCREENS")
SOURCE = "".join(f"line {number}\n" for number in range(1, 16)) + "\tout[index] = 3 * i;\nline 17\n"


def expected_screens():
    """Name of a screen: its lines."""
    text = (HERE / "browse-screens.txt").read_text("utf-8")
    return {name: body for name, body in re.findall(r"(?ms)^== ([\w-]+)\n(.*?)(?=^== |\Z)", text)}


class Terminal:
    """A terminal of so many columns and rows in which a shell runs the browser, and says how it ended."""

    def __init__(self, directory, columns, rows, *arguments, script=None, **variables):
        self.directory, self.socket = directory, directory / "tmux"
        for name in ("code", "tmux"):
            (directory / name).unlink(missing_ok=True)
        (directory / "tmux.conf").write_text("set -g status off\nset -g escape-time 0\nset -g default-terminal tmux-256color\n")
        words = " ".join(f"'{word}'" for word in (support.TREE.command, "browse", *arguments))
        variables = {"TERM": "screen-256color", "LC_ALL": "C.UTF-8", **variables}
        settings = " ".join(f"{name}='{value}'" for name, value in variables.items())
        (directory / "run").write_text(
            script or f"trap : INT\nstty -a > before\necho begin\nenv {settings} {words} 2> stderr\necho $? > code.part\n"
            "stty -a > after\nmv code.part code\necho end\nexec cat > /dev/null\n")
        self.tmux("-f", directory / "tmux.conf", "new-session", "-d", "-x", columns, "-y", rows, "sh ./run")

    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-u", "-S", self.socket, *map(str, arguments)], cwd=self.directory, check=True,
                              capture_output=True, text=True, timeout=support.TIMEOUT,
                              env=support.environment(LC_ALL="C.UTF-8")).stdout

    def press(self, *keys):
        self.tmux("send-keys", "--", *keys)

    def type(self, text):
        self.tmux("send-keys", "-l", "--", text)

    def screen(self, *options):
        return self.tmux("capture-pane", "-p", *options)

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", columns, "-y", rows)

    def wait(self, good, *options):
        """The screen, once it is good, or when it should have been for long."""
        end = time.monotonic() + support.TIMEOUT / 4
        while True:
            shown = self.screen(*options)
            if good(shown) or time.monotonic() > end:
                return shown
            time.sleep(0.02)

    def ended(self):
        """Exit code and stderr of the browser."""
        code = self.directory / "code"
        self.wait(lambda _: code.exists())
        return int(code.read_text()), (self.directory / "stderr").read_text()

    def process(self):
        """The browser's process id: the shell's child."""
        shell = self.tmux("display-message", "-p", "#{pane_pid}").strip()
        return int(pathlib.Path(f"/proc/{shell}/task/{shell}/children").read_text().split()[0])

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], check=False, capture_output=True)


@unittest.skipUnless(shutil.which("tmux"), "no tmux")
class Screens(Case):
    def setUp(self):
        super().setUp()
        self.screens, self.terminal = expected_screens(), None
        shutil.copy(support.TREE.source / "tests/golden/format-1.3.wtape", self.directory / "crash.wtape")

    def tearDown(self):
        if self.terminal:
            self.terminal.close()
        super().tearDown()

    def browse(self, columns, rows, *arguments, **options):
        self.terminal = Terminal(self.directory, columns, rows, *arguments, **options)
        # A key that comes earlier is the shell's.
        self.see_line(r"\Aready" if "script" in options else r"\A 1 (Info )? 2 ")

    def see(self, name):
        """The screen is the one of that name."""
        expected = self.screens.get(name, "")
        if WRITE:
            time.sleep(0.5)
            with open(WRITE, "a", encoding="utf-8") as file:
                file.write(f"== {name}\n{self.terminal.screen()}")
            return
        self.assertEqual(self.terminal.wait(lambda shown: shown == expected), expected, name)

    def see_line(self, pattern, *options):
        """Some line of the screen matches. The screen."""
        shown = self.terminal.wait(re.compile(pattern, re.MULTILINE).search, *options)
        self.assertRegex(shown, re.compile(pattern, re.MULTILINE))
        return shown

    def leave(self, code=0, stderr="", key="Q", stays=True):
        if key:
            self.terminal.press(key)
        self.assertEqual(self.terminal.ended(), (code, stderr))
        # The terminal is as it was: settings, and, unless it has one screen only, what stood on it.
        self.assertEqual((self.directory / "after").read_text(), (self.directory / "before").read_text())
        if stays:
            self.see_line(r"\Abegin\nend\n")

    def map_source(self):
        (self.directory / "here/kernels").mkdir(parents=True)
        (self.directory / "here/kernels/oob-store.c").write_text(SOURCE)
        return "--source-map", "tests=here"

    def test_pages(self):
        self.browse(80, 24, "crash.wtape", *self.map_source())
        self.see("info")
        for key, page in zip("2345", ("stops", "waves", "code", "registers")):
            self.terminal.press(key)
            self.see(page)
        self.terminal.press("4")
        self.see_line(r"^   oob-store\.c:16  out\[index\] = 3 \* i;$")
        self.terminal.press("s")
        self.see("source")
        self.terminal.press("7")
        self.see("stack")
        self.terminal.press("8")
        self.see("cause")
        self.terminal.press("9")
        self.see("journal")
        self.terminal.press("?", "Enter")
        self.see("help")
        self.terminal.press("q", "q")
        self.leave(key=None)

    def test_way(self):
        """A line for each instruction: up is back; what changes is marked; Enter follows a value to who wrote it, and Escape is back."""
        self.browse(110, 24, "crash.wtape")
        self.terminal.press("w")
        self.see_line(r"^Way  the way from its launch, 17 instructions; proved: \d+ of \d+ register values +18/18$")
        self.see_line(r"^ +17 the wave stopped here$")
        self.see_line(r"^ +16 oob-store\.c:16 +v_lshl_add_u64 v\[0:1\], v\[2:3\], 2, v\[0:1\] +\*?v0 = 0x\w+  \*?v1 = 0x\w+$")
        # The one before it reads what the comparison's selection gave, and that is from a comparison.
        self.terminal.press("k", "Enter")
        self.see_line(r"^Way .* 14/18$")
        self.terminal.press("Escape")
        self.see_line(r"^Way .* 17/18$")
        # A line of the source back is where the wave comes to line 16 for the last time.
        self.terminal.press("<")
        self.see_line(r"^Way .* 16/18$")
        self.terminal.press(">", ">")
        self.see_line(r"^Way .* 18/18$")
        self.leave()

    def test_way_names_another_lane(self):
        """The lane that v_writelane has written is not the one that is looked at: the value is of that, and says so."""
        self.browse(110, 100, self.trace("oob-store-O0"))
        self.terminal.press("w")
        self.see_line(r"^ +140 oob-store\.c:14 +v_writelane_b32 v0, s0, 0 +\*v0 of lane 0 = 0xffffffff$")
        self.see_line(r"^ +142 oob-store\.c:14 +v_writelane_b32 v0, s1, 1 +\*v0 of lane 1 = 0xffffffff$")
        self.leave()

    def test_first_screen_is_what_info_says(self):
        self.browse(110, 40, "crash.wtape")
        told = support.wavetape("info", "crash.wtape", cwd=self.directory).stdout.split("\n\n")[1]
        # What info breaks into lines for paper is broken anew.
        words = " ".join(told.split())
        shown = self.terminal.wait(lambda shown: words in " ".join(shown.split()))
        self.assertIn(words, " ".join(shown.split()))
        self.leave()

    def test_memory(self):
        self.browse(80, 24, "crash.wtape")
        # A pointer in a register, then one in memory, and the way back.
        self.terminal.press("5")
        self.terminal.type("/ s8 ")
        self.terminal.press("Enter", "Enter")
        self.see("memory")
        self.terminal.press("x", "x", "j", "l")
        self.see("memory-long-words")
        self.terminal.press("BSpace")
        self.see_line(r"^  s8 ")
        self.terminal.type(":x 220000000000")
        self.terminal.press("Enter")
        self.see_line(r"^Memory  global, long words  220000000000 -> 0x210000000000 ")
        self.terminal.press("Enter")
        self.see_line(r"^Memory  global, long words  210000000000 -> 0x")
        self.terminal.press("Escape")
        self.see_line(r"^Memory  global, long words  220000000000 -> 0x210000000000 ")
        self.terminal.press("l", "Enter")
        self.see_line(r"^0x[0-9a-f]+ leads to nothing that was recorded$")
        self.leave()

    def test_stops_and_waves(self):
        self.browse(120, 40, "crash.wtape", "--stop", "2", "--wave", "w2")
        self.terminal.press("3")
        self.see("wide-waves")
        self.terminal.press("}", "}", "]", "c", "5", "c")
        self.see("wide-changed")
        self.terminal.press("]")
        self.see_line("^this is the last stop$")
        self.terminal.type(":wave 0.0")
        self.terminal.press("Enter")
        self.see_line(r"^ crash.wtape  stop 3 of 3  w1 \(0,0,0\)/0  oob_store  single step$")
        self.terminal.type(":wave 9")
        self.terminal.press("Enter")
        self.see_line("^there is no wave 9 at this stop$")
        self.terminal.type(":stop 7")
        self.terminal.press("Enter")
        self.see_line('^stop takes a number from 1 to 3, not "7"$')
        self.leave()

    def test_kernels_as_their_authors_wrote_them(self):
        self.browse(120, 30, support.TREE.source / "tests/golden/release-0.1.0.wtape")
        self.see_line(r"^ release-0\.1\.0\.wtape .* count\(particle const\*, int, int\*\)  memory violation$")
        self.terminal.press("3")
        self.see_line(r"^=>w1 +\(1,0,0\)/0 +count\(particle ~ memory violation")
        self.assertNotIn("_Z5count", self.terminal.screen())
        self.leave()

    def test_cursor_is_the_wave(self):
        """What is beside the waves, and above them, is of the one under the cursor."""
        pc = {wave["wave"]: wave["pc"] for wave in self.json("waves", self.directory / "crash.wtape")["waves"]}
        self.browse(120, 16, "crash.wtape")
        self.see_line(r"^ crash.wtape  stop 3 of 3  w3 ")
        self.terminal.press("3", "k", "k")
        self.see_line(r"^ crash.wtape  stop 3 of 3  w1 \(0,0,0\)/0  oob_store  single step$")
        self.see_line(r"^=>w1 ")
        self.see_line(rf"\|=> {pc[1]} ")
        self.terminal.press("f")
        self.see_line(r"^ crash.wtape  stop 3 of 3  w3 ")
        self.see_line(r"^=>w3 ")
        self.see_line(rf"\|=> {pc[3]} ")
        # The way back leads to the wave that was looked at before.
        self.terminal.press("f", "g", "Escape")
        self.see_line("^Info ")
        self.see_line(r"^ crash.wtape  stop 3 of 3  w3 ")
        self.leave()

    @unittest.skipIf(support.SMALL, "gcc's suite has it")
    def test_info_of_each_stop(self):
        self.browse(80, 24, "crash.wtape")
        for key, line in (("[", "no fault     4 waves, none stopped for a fault"), ("[", "no fault     no wave stopped for a fault"),
                          ("]", "no fault     4 waves, none stopped for a fault"),
                          ("]", r"crash        memory violation in kernel oob_store \(stop 3\)")):
            self.terminal.press(key)
            self.see_line(f"^{line}$")
        self.leave()

    def command(self, text, pattern):
        self.terminal.type(f":{text}")
        self.terminal.press("Enter")
        self.see_line(pattern)

    def test_expressions(self):
        """They are of each wave that is looked at, until they are taken away."""
        self.wavetape("record", "--reproducible", "-o", self.directory / "crash.wtape", "--workload",
                      support.TREE.workload("matmul-short-buffer-O0"), stdout=None)
        trace = self.directory / "crash.wtape"
        waves = [wave["wave"] for wave in self.json("waves", trace)["waves"] if wave["state"] == "stopped"]
        self.assertGreater(len(waves), 1)
        self.browse(80, 40, "crash.wtape", "--wave", waves[0])
        told = [self.wavetape("print", trace, "$v0 + 1", "--wave", wave, stdout=None).splitlines() for wave in waves[:2]]
        values = [[line for line in lines if " = " in line][0] for lines in told]
        self.command("print $v0 + 1", "^expressions in #0$")
        self.see_line(f"^{re.escape(values[0])}$")
        self.command("p sizeof (int)", r"^\(unsigned long\) sizeof \(int\) = 4\n\([^)]*\) \$v0 \+ 1")
        self.command("print nosuch", "^nosuch: at character 1: there is no variable nosuch here$")
        self.terminal.press("}")
        self.see_line(rf"^ crash.wtape  .*  w{waves[1]} ")
        self.see_line(f"^{re.escape(values[1])}$")
        self.terminal.type(":print")
        self.terminal.press("Enter")
        shown = self.terminal.wait(lambda shown: "expressions" not in shown)
        self.assertNotIn("expressions", shown)
        self.assertIn("variables of #0", shown)
        self.leave()

    def test_journal(self):
        """Its end, its middle and what is found are what `wavetape journal` prints."""
        told = support.wavetape("journal", "crash.wtape", cwd=self.directory).stdout.splitlines()
        self.browse(100, 12, "crash.wtape")
        self.terminal.press("9", "G")
        self.see_line(rf"^Journal .* {len(told)}/{len(told)}$")
        for number in (len(told), 1, len(told) // 2, 1500, 1499):
            self.command(number, rf"^Journal .* {number}/{len(told)}$")
            self.see_line(rf"^{re.escape(told[number - 1][:99])}")
        self.leave()

    @unittest.skipIf(support.SMALL, "gcc's suite has it")
    def test_search(self):
        self.browse(80, 12, "crash.wtape")
        self.terminal.press("4")
        self.terminal.type("/CNDMASK")
        self.terminal.press("Enter")
        self.see_line("^not found in Code$")
        self.terminal.type("/cndmask")
        self.terminal.press("Enter")
        self.see("found")
        self.terminal.press("N")
        self.see_line("^from the other end$")
        self.leave()

    def test_resize(self):
        self.browse(40, 12, "crash.wtape")
        self.terminal.press("4")
        self.see("narrow-code")
        self.terminal.resize(120, 24)
        self.see("resized-wide")
        self.terminal.resize(30, 6)
        self.see("too-small")
        self.terminal.resize(40, 12)
        self.see("narrow-again")
        self.leave()

    def test_damaged(self):
        path = self.directory / "crash.wtape"
        data = bytearray(path.read_bytes())
        # The last chunk of what was recorded.
        offset = [offset for offset, kind, _ in support.blocks(bytes(data)) if kind == support.CHUNK][-1]
        data[offset + support.HEAD + 100] ^= 0xFF
        path.write_bytes(data)
        told = support.wavetape("info", "crash.wtape", cwd=self.directory)
        self.assertEqual(told.code, 3)
        self.browse(80, 24, "crash.wtape")
        self.see_line(r"^ crash.wtape  damaged  stop ")
        self.terminal.press("Q")
        code, stderr = self.terminal.ended()
        self.assertEqual((code, stderr.splitlines()[0]), (3, told.stderr.splitlines()[0]))

    def test_without_stops(self):
        shutil.copy(support.TREE.source / "tests/vectors/attached-only.wtape", self.directory / "crash.wtape")
        self.browse(80, 24, "crash.wtape")
        self.see_line("^no stop      nothing stopped while this was recorded$")
        for key in "2345678":
            self.terminal.press(key)
            self.see_line(r"^(the trace has no stop|no global memory was recorded here)$")
        self.terminal.press("]")
        self.see_line("^this is the last stop$")
        self.terminal.press("9")
        self.see_line("amd_dbgapi_process_attach")
        self.leave()

    @unittest.skipIf(support.SMALL, "gcc's suite has it")
    def test_redacted(self):
        self.wavetape("record", "-o", self.directory / "crash.wtape", "--redact", "--workload", support.TREE.workload("oob-store"))
        self.browse(80, 24, "crash.wtape")
        self.terminal.press("6")
        self.see_line(r"^no global memory was recorded here: it was left out on purpose \(--redact\)$")
        self.leave()

    def test_hostile_names(self):
        """What a trace calls a file does not reach the terminal."""
        path = self.directory / "odd.co"
        image = (support.TREE.kernels / "oob-store.co").read_bytes()
        path.write_bytes(image.replace(b"oob-store.c\0", b"\x1b]2;TT\x07\n\x9b\xc3.\0"))
        workload = json.loads(support.TREE.workload("oob-store").read_text("utf-8"))
        (self.directory / "odd.json").write_text(json.dumps(workload | {"code_objects": ["odd.co"]}))
        self.wavetape("record", "-o", self.directory / "crash.wtape", "--workload", self.directory / "odd.json")
        self.browse(100, 24, "crash.wtape")
        self.see_line(r"^at           tests/kernels/\\x1b\]2;TT\\x07\\n\\x9b\\xc3\.:16:13")
        self.terminal.press("4")
        self.see_line(r"^   \\x1b\]2;TT\\x07\\n\\x9b\\xc3\.:16")
        self.assertNotEqual(self.terminal.tmux("display-message", "-p", "#{pane_title}").strip(), "TT")
        self.leave()

    @unittest.skipIf(support.SMALL, "gcc's suite has it")
    def test_plain_terminals(self):
        for variables in ({"TERM": "vt100"}, {"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "tmux-256color", "LC_ALL": "C", "NO_COLOR": "1"}):
            with self.subTest(**variables):
                self.browse(80, 24, "crash.wtape", **variables)
                self.terminal.press("4")
                self.see_line("^=> 0x200000001960 ")
                # No colour, but the row of the cursor is seen.
                shown = self.terminal.screen("-e")
                self.assertEqual(re.findall(r"\x1b\[[0-9;]*\b(?:3[0-8]|4[0-8])[0-9;]*m", shown), [])
                self.assertIn("\x1b[1;7m=>", shown)
                self.leave(stays=variables["TERM"] != "vt100")
                self.terminal.close()

    @unittest.skipIf(support.SMALL, "gcc's suite has it")
    def test_colors(self):
        for kind, colors in (("screen-256color", r"\x1b\[38;5;\d+m"), ("xterm", r"\x1b\[3[1-7]m")):
            with self.subTest(kind):
                self.browse(80, 24, "crash.wtape", TERM=kind)
                self.terminal.press("4")
                self.see_line(colors, "-e")
                self.leave()
                self.terminal.close()

    def test_signals(self):
        for name, code in (("TERM", 143), ("INT", 130)):
            with self.subTest(name):
                self.browse(80, 24, "crash.wtape")
                self.see_line("^crash ")
                if name == "INT":
                    # The terminal forgets keys that are not read when the signal comes, and two signals may be one.
                    self.terminal.press("/", "a")
                    self.see_line("^ */a")
                    self.terminal.press("C-c")
                    self.see_line("^ 1-9 pages ")
                    self.terminal.press("C-c")
                else:
                    os.kill(self.terminal.process(), signal.SIGTERM)
                code_found, stderr = self.terminal.ended()
                self.assertEqual(code_found, code)
                self.assertNotIn("wavetape:", stderr)
                self.leave(code, stderr, key=None)
                self.terminal.close()

    @unittest.skipIf(support.SMALL, "gcc's suite has it")
    def test_suspend(self):
        """Ctrl-Z gives the terminal back, and fg takes it again."""
        self.browse(80, 24, script="exec env PS1='ready ' bash --norc --noprofile -i\n")
        self.terminal.type(f"{support.TREE.command} browse crash.wtape")
        self.terminal.press("Enter")
        self.see_line("^crash  ")
        self.terminal.press("C-z")
        self.see_line("Stopped")
        self.terminal.type("fg")
        self.terminal.press("Enter")
        self.see_line(r"\A 1 Info")
        self.terminal.press("2")
        self.see_line("^=> +3 ")
        self.terminal.press("q")
        self.see_line("^ready")


class NoTerminal(Case):
    def test_no_terminal(self):
        trace = support.TREE.source / "tests/golden/format-1.3.wtape"
        self.wavetape("browse", trace, code=2, stdout="",
                      stderr="wavetape: cannot browse: stdin: not a terminal; `wavetape info`, `wavetape waves` and the other "
                             "verbs print to files and pipes\n")
        mine, other = os.openpty()
        try:
            result = support.wavetape("browse", trace, stdin=other)
            self.assertEqual((result.code, result.stdout), (2, ""))
            self.assertRegex(result.stderr, r"\Awavetape: cannot browse: stdout: not a terminal; ")
        finally:
            os.close(mine)
            os.close(other)

    @unittest.skipUnless(shutil.which("tmux"), "no tmux")
    def test_poor_terminal(self):
        trace = support.TREE.source / "tests/golden/format-1.3.wtape"
        for kind, why in (("dumb", "a terminal of kind dumb cannot move its cursor"),
                          ("nonsense", "nonsense is no kind of terminal that is known here")):
            with self.subTest(kind):
                terminal = Terminal(self.directory, 80, 24, trace, TERM=kind)
                self.assertEqual(terminal.ended(), (1, f"wavetape: cannot browse: TERM: {why}\n"))
                terminal.close()


if __name__ == "__main__":
    support.main(__doc__)
