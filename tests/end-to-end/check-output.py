#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files that verbs write where the user says: whole or not there, and for nobody else to read."""

import os
import resource
import stat
import subprocess
import threading

import support
from support import wavetape


class Written(support.Case):
    """`memory -o`, `code-objects -o` and `simulate --save`: what of a program's memory becomes a file."""

    def setUp(self):
        super().setUp()
        self.source = self.trace("oob-store")
        self.out = self.directory / "out"
        runs = self.json("memory", self.source)
        self.address = next(run["from"] for run in runs if run["space"] == "global")

    def writers(self, out):
        return (
            (["memory", self.source, self.address, "64", "-o", out], "cannot write the memory"),
            (["code-objects", self.source, "--extract", "1", "-o", out], "cannot write the code object"),
            (["simulate", support.TREE.workload("vecadd"), "--save", f"c={out}"], "cannot save the buffer: "),
        )

    def mode(self):
        return stat.S_IMODE(self.out.stat().st_mode)

    def alone(self, *names):
        """Nothing is in the directory but these."""
        self.assertEqual(sorted(os.listdir(self.directory)), sorted(names))

    def test_mode(self):
        """A new file is for its user alone; one that is there keeps its mode, and gets the same bytes."""
        for arguments, _ in self.writers(self.out):
            with self.subTest(verb=arguments[0]):
                self.expect(wavetape(*arguments))
                self.assertEqual(self.mode(), 0o600)
                data = self.out.read_bytes()
                self.assertGreater(len(data), 0)
                self.out.write_bytes(b"something longer" * 1000)
                for mode in (0o644, 0o640, 0o600):
                    self.out.chmod(mode)
                    self.expect(wavetape(*arguments))
                    self.assertEqual((self.mode(), self.out.read_bytes()), (mode, data))
                self.alone("out")
                self.out.unlink()

    def limited(self, arguments):
        """With files of 16 bytes at most."""
        return subprocess.run(
            [support.TREE.command, *map(str, arguments)], check=False, capture_output=True,
            timeout=support.TIMEOUT, env=support.environment(), restore_signals=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16)))

    def test_failure_leaves_what_was_there(self):
        for before in (None, b"as it was" * 9):
            for arguments, _ in self.writers(self.out):
                with self.subTest(verb=arguments[0], before=before):
                    if before:
                        self.out.write_bytes(before)
                    done = self.limited(arguments)
                    self.assertEqual((done.returncode, done.stdout), (1, b""), done.stderr)
                    self.assertTrue(done.stderr.endswith(f"{self.out}: File too large\n".encode()), done.stderr)
                    self.alone(*(["out"] if before else []))
                    if before:
                        self.assertEqual(self.out.read_bytes(), before)

    def test_links(self):
        """A link is followed, also one that leads nowhere yet, and stays one."""
        link = self.directory / "link"
        link.symlink_to("out")
        for before in (False, True):
            for arguments, _ in self.writers(link):
                with self.subTest(verb=arguments[0], before=before):
                    self.assertEqual(self.out.exists(), before)
                    self.expect(wavetape(*arguments))
                    self.assertTrue(link.is_symlink())
                    self.assertGreater(self.out.stat().st_size, 0)
                    if not before:
                        self.assertEqual(self.mode(), 0o600)
                        self.assertEqual(self.limited(arguments).returncode, 1)
                        self.out.unlink()
                        self.assertEqual(self.limited(arguments).returncode, 1)
                        self.alone("link")
            self.out.touch()

    def test_pipes_and_our_own_output(self):
        wanted = {}
        for arguments, _ in self.writers(self.out):
            self.expect(wavetape(*arguments))
            wanted[arguments[0]] = self.out.read_bytes()
        pipe = self.directory / "pipe"
        os.mkfifo(pipe)
        for arguments, _ in self.writers(pipe):
            read = []
            reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
            reader.start()
            self.expect(wavetape(*arguments))
            reader.join(support.TIMEOUT)
            self.assertEqual(read, [wanted[arguments[0]]])
        self.alone("out", "pipe")
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            for arguments, _ in self.writers(name)[:2]:
                done = support.run_bytes(support.TREE.command, *arguments)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, wanted[arguments[0]], b""))
                with open(self.out, "w+b") as out:
                    subprocess.run([support.TREE.command, *map(str, arguments)], check=True, stdout=out,
                                   timeout=support.TIMEOUT, env=support.environment())
                    out.seek(0)
                    self.assertEqual(out.read(), wanted[arguments[0]])

    def test_full_device(self):
        for arguments, what in self.writers("/dev/full"):
            with self.subTest(verb=arguments[0]):
                self.expect(wavetape(*arguments), 1, "",
                            f"wavetape: {what.removesuffix(': ')}: /dev/full: No space left on device\n")


if __name__ == "__main__":
    support.main(__doc__)
