# SPDX-License-Identifier: MIT
"""The README and the pages in docs/ are true: commands that they show print what is shown, and what they name exists.

In an indented block, a line `$ COMMAND` is run, and the lines up to the next one, or to the end of the block, are what it
prints. `...` alone in a line stands for any lines. What differs from run to run (times, process ids, sizes of files) is
compared by its form. The blocks of a page are run in order, in one directory that has the compiled kernels.
"""

import os
import pathlib
import re
import shlex
import subprocess

import support
from support import Case

# What only exists where a GPU or another debugger is, or would start a build.
NOT_RUN = re.compile(r"\bgdb\b|\bTMUX\b|^(?:sed|meson|\./)")

# What is different each time, and what stands for it.
VARIABLE = (
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", "DATE"),
    (r"\bprocess \d+", "process N"),
    (r"\b[\d.]+ KiB\b", "N KiB"),
    (r"\b\d+ bytes\b", "N bytes"),
    (r"\b[\d.]+% of the \d+ of\b", "P% of the N of"),
    (r"(start_time: )\d+", r"\1N"),
    (r"instructions by .*", "instructions by LIBRARY"),
    (r"Linux \S+ \S+, system .*", "HOST"),
    (r"(?m)^(command +)\S*wavetape\b", r"\1wavetape"),
    (r"(?m)^(program +)\S+", r"\1PROGRAM"),
    (r'command_line: ".*wavetape"', 'command_line: "wavetape"'),
)


def without_counts(text):
    """Where chunks begin depends on the clock of the recording, and with it how much a damaged one takes along."""
    text = re.sub(r"\b(moment|call|packet|chunk|stop|blob)s\b", r"\1", re.sub(r"\d+", "N", text))
    return text.replace("the states at moment N to N are lost: they, or what they build on, lie in damaged parts",
                        "the state at moment N is lost: it, or what it builds on, lies in a damaged part")


def pages():
    """README.md and what lies in docs/, by name."""
    source = support.TREE.source
    return {path.name: path.read_text("utf-8") for path in (source / "README.md", *sorted((source / "docs").glob("*.md")))}


def blocks(text):
    """The indented blocks of a page, without their indentation."""
    for block in re.findall(r"(?m)(?:^(?: {4}.*)?\n)+", text):
        lines = [line[4:] for line in block.split("\n")]
        if any(lines):
            yield lines


def commands(text):
    """(command, lines that it is to print) of a page, in order."""
    found = []
    for lines in blocks(text):
        shown = None
        for line in lines:
            if line.startswith("$ "):
                shown = []
                found.append((line[2:], shown))
            elif shown is not None:
                shown.append(line)
    return found


def same_form(text):
    for pattern, name in VARIABLE:
        text = re.sub(pattern, name, text)
    return text.rstrip("\n")


def pattern_of(shown):
    """What is shown, as a regular expression."""
    text = same_form("\n".join(shown))
    return "".join(r"(?:.*\n)*?" if part == "...\n" else re.escape(part)
                   for part in re.split(r"(?m)^(\.\.\.\n)", text + "\n"))


class Commands(Case):
    def setUp(self):
        super().setUp()
        for path in support.TREE.kernels.iterdir():
            if path.suffix in (".co", ".json"):
                os.symlink(path, self.directory / path.name)
        self.paths = os.pathsep.join((str(support.TREE.build / "cli"), os.environ["PATH"]))

    def run_shown(self, command):
        """Standard output and error together, as on a terminal."""
        command = re.sub(r" +#.*", "", command)
        return subprocess.run(command, shell=True, cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=support.TIMEOUT, check=False, env=support.environment(PATH=self.paths)).stdout.decode()

    def damage(self):
        """docs/laptop.md shows a file of which two chunks are damaged."""
        whole = self.directory / "fault.wtape"
        if not whole.exists() or (self.directory / "bad.wtape").exists():
            return
        data = bytearray(whole.read_bytes())
        chunks = [offset for offset, kind, _ in support.blocks(data) if kind == support.CHUNK]
        for chunk in chunks[1:3]:
            data[chunk + support.HEAD + 20] ^= 1
        (self.directory / "bad.wtape").write_bytes(data)

    def check_page(self, name):
        ran = 0
        for command, shown in commands(pages()[name]):
            if NOT_RUN.search(command) or command.startswith("cd "):
                continue
            self.damage()
            printed = self.run_shown(command)
            ran += 1
            if "bad.wtape" in command:
                printed, shown = without_counts(printed), [without_counts(line) for line in shown]
            if any(shown):
                self.assertRegex(same_form(printed) + "\n", rf"\A{pattern_of(shown)}\Z", f"{name}: {command}")
        return ran

    def test_readme(self):
        self.assertGreaterEqual(self.check_page("README.md"), 2)

    def test_recording(self):
        self.assertGreaterEqual(self.check_page("recording.md"), 2)

    def test_laptop(self):
        self.assertGreaterEqual(self.check_page("laptop.md"), 9)

    def test_reference(self):
        self.assertGreaterEqual(self.check_page("reference.md"), 2)

    def test_others(self):
        checked = {"README.md", "recording.md", "laptop.md", "reference.md"}
        for name in pages().keys() - checked:
            self.check_page(name)

    def test_a_wrong_page_is_found(self):
        """The comparison itself: what is shown has to be printed, whole and in order."""
        printed = "trace  a, 27 KiB\nprocess 12\nlast\n"
        for shown, fits in ((["trace  a, 9 KiB", "process 9", "last"], True), (["...", "last"], True),
                            (["trace  a, 9 KiB", "..."], True), (["trace  a, 9 KiB", "...", "last"], True),
                            (["trace  a, 9 KiB", "last"], False), (["trace  b, 9 KiB", "...", "last"], False),
                            (["trace  a, 9 KiB", "process 9"], False), (["last", "..."], False)):
            matched = re.search(rf"\A{pattern_of(shown)}\Z", same_form(printed) + "\n")
            self.assertEqual(bool(matched), fits, shown)


class Names(Case):
    def verbs(self):
        return re.findall(r"(?m)^  (\S+) +\S", self.wavetape("--help"))

    def test_options(self):
        """An option behind `wavetape VERB` is one of that verb; one that stands alone is one of some verb."""
        of = {verb: set(re.findall(r"--[a-z][a-z-]+", self.wavetape(verb, "--help"))) for verb in self.verbs()}
        everywhere = set().union(*of.values()) | {"--help", "--version"}
        # Of other programs.
        foreign = {"--decode", "--configuration", "--with-amd-dbgapi", "--enable-targets", "--with-python", "--long",
                   "--args", "--no-install-recommends", "--include-dirs", "--quick", "--offload-compress"}
        named = 0
        for name, text in pages().items():
            for verb, rest in re.findall(r"wavetape ([a-z-]+)((?: [^`\n#]*)?)", text):
                if verb not in of:
                    continue
                own = rest.split(" -- ")[0]
                for option in re.findall(r"(?<!\S)--[a-z][a-z-]+", own):
                    named += 1
                    self.assertIn(option, of[verb] | {"--help"}, f"{name}: wavetape {verb}{rest}")
            for option in re.findall(r"`(--[a-z][a-z-]+)", text):
                named += 1
                self.assertIn(option, everywhere | foreign, name)
        self.assertGreater(named, 60)

    def test_every_option_of_record_is_explained(self):
        explained = pages()["recording.md"]
        for option in re.findall(r"(?m)^ +(?:-\w, )?(--[a-z-]+)", self.wavetape("record", "--help")):
            if option not in ("--help", "--usage", "--json", "--output"):
                self.assertTrue(re.search(rf"{option}\b", explained), f"docs/recording.md does not explain {option}")

    def test_verbs(self):
        """The reference has every verb, and no other."""
        rows = re.findall(r"(?m)^\| ((?:`[a-z-]+`(?:, )?)+) \|", pages()["reference.md"].split("## Lists of registers")[0])
        named = [verb for row in rows for verb in re.findall(r"`([a-z-]+)`", row)]
        self.assertEqual(sorted(named), sorted(self.verbs()))

    def test_variables(self):
        """Variables that the sources read and the reference are the same."""
        source = support.TREE.source
        read = set()
        for folder in ("base", "cli", "dbgapi", "device", "recorder", "replayer", "tool", "trace-format"):
            for path in (source / folder).rglob("*.c"):
                read |= set(re.findall(r'getenv\("((?:WAVETAPE|XDG)_\w+|TMPDIR)"\)', path.read_text("utf-8")))
        section = pages()["reference.md"].split("## Environment variables")[1].split("\n## ")[0]
        named = set(re.findall(r"(?m)^\| ((?:`[A-Z_]+`(?:, )?)+) \|", section))
        named = {variable for row in named for variable in re.findall(r"`(\w+)`", row)}
        # Those for the client's own use are only set; the host program has its image as an argument.
        self.assertEqual(named - {"WAVETAPE_HOST", "WAVETAPE_HOST_IMAGE", "WAVETAPE_COMMAND"}, read)

    def test_words(self):
        """Words of WAVETAPE_OPTIONS: as the recording library lists them to who gives a wrong one."""
        result = support.wavetape("record", "-o", self.directory / "t", "--", "true", WAVETAPE_OPTIONS="no-such-word")
        words = re.findall(r"[a-z-]+=?", result.stderr.split("there are ")[1])
        self.assertGreater(len(words), 10)
        section = pages()["reference.md"].split("## Environment variables")[1].split("\n## ")[0]
        for word in words[:-1]:  # the last one may be cut
            self.assertIn(f"`{word}`", section)

    def test_the_agent(self):
        """AMD's runtime passes over a tool that is not there without a word, so a page must not name it where nobody installs it."""
        found = [(page, place) for page, text in pages().items() for place in re.findall(r"(/[^\s=`'\"]*)/libwavetape-agent\.so", text)]
        self.assertGreater(len(found), 3)
        self.assertEqual([(page, place) for page, place in found if not re.search(r"/lib(/x86_64-linux-gnu)?/wavetape$", place)], [])

    def test_links(self):
        """Links and paths of pages lead to files."""
        source = support.TREE.source
        checked = 0
        for path in (source / "README.md", source / "CONTRIBUTING.md", *(source / "docs").glob("*.md")):
            text = path.read_text("utf-8")
            for link in re.findall(r"\]\(([^)#:]+)\)", text):
                checked += 1
                self.assertTrue((path.parent / link).exists(), f"{path.name}: {link}")
            for name in re.findall(r"`((?:[a-z][\w.-]*/)+[\w.-]*)`", text):
                if not name.startswith(("build", "wavetape", "librocm")):
                    checked += 1
                    self.assertTrue((source / name).exists() or (source / "tests" / name).exists(), f"{path.name}: {name}")
        self.assertGreater(checked, 30)


if __name__ == "__main__":
    support.main(__doc__)
