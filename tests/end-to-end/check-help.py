# SPDX-License-Identifier: MIT
"""Completion in bash, zsh and fish, and the manual pages of the verbs, all of which are made of the tables of options."""

import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

import support
from support import Case, wavetape


def verbs():
    return re.findall(r"^  (\S+) +\S", wavetape("--help").stdout, re.MULTILINE)


def options(verb):
    return {option for option in re.findall(r"^ {2,6}(?:-., |    )--([a-z0-9-]+)", wavetape(verb, "--help").stdout, re.MULTILINE)}


def made(name):
    return support.TREE.build / "cli/help" / name


class Examples(Case):
    def test_examples(self):
        """Each verb has one below a heading, and what it shows are a command line of that verb and options that it has."""
        for verb in verbs():
            before, heading, behind = wavetape(verb, "--help").stdout.partition("\nExamples:\n")
            self.assertNotIn(f"\n  wavetape {verb}", before)
            lines = re.findall(rf"^  wavetape {verb}\b.*$", behind, re.MULTILINE)
            self.assertTrue(heading and lines, verb)
            for line in lines:
                words = line.split(" -- ")[0].split()[2:]
                self.assertLessEqual({word[2:] for word in words if word.startswith("--")}, options(verb), line)


class Completion(Case):
    def setUp(self):
        super().setUp()
        for name in ("crash.wtape", "second.wtape", "work.json", "notes.txt"):
            (self.directory / name).touch()
        (self.directory / "traces").mkdir()


class Bash(Completion):
    def complete(self, *words):
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wavetape;'
                  ' printf "%s\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash", made("wavetape"), "wavetape", *words], capture_output=True, text=True,
                              check=True, cwd=self.directory, timeout=support.TIMEOUT)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def test_verbs(self):
        self.assertEqual(self.complete(""), {*verbs(), "--help", "--version"})
        self.assertEqual(self.complete("re"), {"record", "recover", "registers", "repack", "replay", "replays", "report"})
        self.assertEqual(self.complete("nonsense", ""), set())

    def test_options(self):
        for verb in verbs():
            with self.subTest(verb=verb):
                self.assertEqual({option for option in self.complete(verb, "--") if option != "--"},
                                 {f"--{option}" for option in options(verb)})

    def test_values(self):
        traces = {"crash.wtape", "second.wtape", "traces/"}
        self.assertEqual(self.complete("info", ""), traces)
        self.assertEqual(self.complete("info", "n"), {"notes.txt"})
        self.assertEqual(self.complete("waves", "--stop", ""), set())
        self.assertEqual(self.complete("record", "--workload", ""), {"work.json", "traces/"})
        self.assertEqual(self.complete("record", "--workload", "=", ""), {"work.json", "traces/"})
        self.assertEqual(self.complete("record", "--workload", "="), {"work.json", "traces/"})
        self.assertIn("bash", self.complete("replay", "crash.wtape", "--", "bas"))
        self.assertEqual(self.complete("replay", "crash.wtape", "--", "gdb", "n"), {"notes.txt"})


@unittest.skipUnless(shutil.which("fish"), "no fish")
class Fish(Completion):
    def complete(self, line):
        done = subprocess.run(["fish", "--no-config", "-c", 'source $argv[1]; complete -C $argv[2]', made("wavetape.fish"), line],
                              capture_output=True, text=True, check=True, cwd=self.directory, timeout=support.TIMEOUT,
                              env={**os.environ, "HOME": str(self.directory)})
        self.assertEqual(done.stderr, "")
        return {text.split("\t")[0] for text in done.stdout.splitlines()}

    def test_all(self):
        self.assertLessEqual(set(verbs()), self.complete("wavetape "))
        for verb in support.share(verbs()):
            with self.subTest(verb=verb):
                self.assertEqual(self.complete(f"wavetape {verb} --") - {"--"}, {f"--{option}" for option in options(verb)})
        self.assertEqual(self.complete("wavetape info c"), {"crash.wtape"})


@unittest.skipUnless(shutil.which("zsh"), "no zsh")
class Zsh(Completion):
    """A shell on a terminal, since zsh completes nowhere else."""

    def read(self, terminal, wanted):
        text, limit = "", time.monotonic() + support.TIMEOUT
        while wanted not in text:
            self.assertLess(time.monotonic(), limit, text)
            if select.select([terminal], [], [], 0.2)[0]:
                text += os.read(terminal, 65536).decode(errors="replace")
        return text

    def complete(self, line):
        pid, terminal = pty.fork()
        if not pid:
            os.chdir(self.directory)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {"PATH": os.environ["PATH"], "TERM": "dumb", "HOME": str(self.directory), "PS1": "> "})
        try:
            setup = (f"fpath=({made('').as_posix()} $fpath); autoload -U compinit; compinit -u -d {self.directory}/dump;"
                     " zstyle ':completion:*' list-prompt ''; LISTMAX=1000; COLUMNS=300; LINES=200; bindkey '^X' list-choices;"
                     " print rea''dy\n")
            os.write(terminal, setup.encode())
            self.read(terminal, "ready\r\n")
            # The list of choices, and then a line that shows where it ends.
            os.write(terminal, line.encode() + b"\x18")
            time.sleep(0.5)
            os.write(terminal, b"\x15print do''ne\n")
            return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.read(terminal, "done\r\n"))
        finally:
            os.close(terminal)
            os.waitpid(pid, 0)

    def test_all(self):
        shown = self.complete("wavetape ")
        for verb in verbs():
            self.assertRegex(shown, rf"(?m)^\r*{verb} +--", verb)
        shown = self.complete("wavetape waves --")
        for option in options("waves"):
            self.assertRegex(shown, rf"(?m)^\r*(-. +)?--{option}\b|--{option} ", option)
        shown = self.complete("wavetape info ")
        self.assertIn("crash.wtape", shown)
        self.assertNotIn("notes.txt", shown)
        self.assertIn("work.json", self.complete("wavetape record --workload "))
        self.assertIn("notes.txt", self.complete("wavetape replay crash.wtape -- cat "))


class Pages(Case):
    def test_every_verb_has_one(self):
        self.assertEqual({path.name for path in made("").glob("*.1")}, {f"wavetape-{verb}.1" for verb in verbs()})

    def test_options(self):
        for verb in verbs():
            page = made(f"wavetape-{verb}.1").read_text("utf-8")
            self.assertEqual(set(re.findall(r"^\.It .*Fl -([a-z0-9-]+)", page, re.MULTILINE)), options(verb), verb)

    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc")
    def test_form(self):
        pages = [made(f"wavetape-{verb}.1") for verb in verbs()]
        done = subprocess.run(["mandoc", "-Tlint", "-W", "warning", *pages, support.TREE.source / "docs/wavetape.1"],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0))


if __name__ == "__main__":
    support.main(__doc__)
