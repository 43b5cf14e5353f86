#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files that verbs write where the user says: whole or not there, for nobody else to read, and never over an input."""

import json
import os
import pathlib
import resource
import shutil
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
        runs = self.json("memory", self.source)["ranges"]
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


class Inputs(support.Case):
    """What a verb reads, it does not write over: not by its name, not by another, not through a link."""

    def refused(self, path, is_what, what, make):
        """@make: gives the arguments, with an output by this name."""
        before = path.read_bytes(), path.stat().st_mode
        names = sorted(os.listdir(path.parent))
        symbolic, hard = self.directory / "a-symbolic-link", self.directory / "a-hard-link"
        symbolic.symlink_to(path)
        os.link(path, hard)
        for out in (path, symbolic, hard, path.parent / "." / path.name, os.path.relpath(path)):
            with self.subTest(out=out):
                self.expect(wavetape(*make(out)), 2, "", f"wavetape: {what}: {out}: it is {is_what}; give another name\n")
                self.assertEqual((path.read_bytes(), path.stat().st_mode), before)
        symbolic.unlink()
        hard.unlink()
        self.assertEqual(sorted(os.listdir(path.parent)), names)

    def copy(self, path):
        return pathlib.Path(shutil.copy(path, self.directory))

    def workload(self):
        """A workload of our own, its code object and what a buffer is filled with."""
        original = support.TREE.workload("vecadd")
        workload = json.loads(original.read_text("utf-8"))
        code = self.copy(original.parent / workload["code_objects"][0])
        fill = self.directory / "fill.bin"
        fill.write_bytes(bytes(workload["buffers"]["a"]["bytes"]))
        workload["code_objects"] = [code.name]
        workload["buffers"]["a"]["fill"] = {"file": fill.name}
        path = self.directory / "w.json"
        path.write_text(json.dumps(workload), "utf-8")
        return path, code, fill

    def test_trace(self):
        trace = self.copy(self.trace("oob-store"))
        address = next(run["from"] for run in self.json("memory", trace)["ranges"] if run["space"] == "global")
        self.refused(trace, "the trace that is read", "cannot write the memory",
                     lambda out: ["memory", trace, address, "16", "-o", out])
        self.refused(trace, "the trace that is read", "cannot write the code object",
                     lambda out: ["code-objects", trace, "--extract", "1", "-o", out])

    def test_workload(self):
        path, code, fill = self.workload()
        for needed, is_what in ((path, "the workload that is read"), (code, "a file of the workload"),
                                (fill, "a file of the workload")):
            self.refused(needed, is_what, "cannot write the trace",
                         lambda out: ["record", "--workload", path, "-o", out])
            self.refused(needed, is_what, "cannot write the core file",
                         lambda out: ["simulate", path, "--core", out])
            self.refused(needed, is_what, "cannot save the buffer",
                         lambda out: ["simulate", path, "--save", f"a={self.directory}/fine", "--save", f"c={out}"])
        self.wavetape("record", "--workload", path, "-o", self.directory / "t.wtape")
        self.wavetape("simulate", path, "--save", f"c={self.directory}/c", "--core", self.directory / "core")

    def test_core(self):
        core = self.directory / "c.core"
        self.assertEqual(wavetape("simulate", support.TREE.workload("oob-load"), "--core", core).code, 1)
        self.refused(core, "the core file that is read", "cannot write the trace",
                     lambda out: ["record", "--core", core, "-o", out])
        with open(core, "rb") as stdin:
            self.expect(wavetape("record", "--core", "-", "-o", core, stdin=stdin), 2, "",
                        f"wavetape: cannot write the trace: {core}: it is the core file that is read; give another "
                        "name\n")

    def test_partial_name(self):
        """The name that the trace has until its first stop: what is read is not removed to make room for it."""
        workload, code, fill = self.workload()
        core = self.directory / "c.core"
        self.assertEqual(wavetape("simulate", support.TREE.workload("oob-load"), "--core", core).code, 1)
        client = self.directory / "client"
        client.write_text("#!/bin/sh\n", "utf-8")
        client.chmod(0o755)
        out, partial = self.directory / "x", self.directory / "x.partial"
        link = self.directory / "link"
        for older in (None, b"", b"an older trace"):
            for needed, is_what, arguments in (
                    (core, "the core file that is read", ["--core", partial]),
                    (workload, "the workload that is read", ["--workload", partial]),
                    (client, "the client that is run", ["--", partial])):
                with self.subTest(older=older, is_what=is_what):
                    shutil.copy(needed, partial)
                    if older is not None:
                        out.write_bytes(older)
                    before = partial.read_bytes()
                    names = sorted(os.listdir(self.directory))
                    self.expect(wavetape("record", "-o", out, *arguments), 2, "",
                                f"wavetape: cannot write the trace: {partial}: it is {is_what}; give another name\n")
                    self.assertEqual((partial.read_bytes(), sorted(os.listdir(self.directory))), (before, names))
                    if older is not None:
                        self.assertEqual(out.read_bytes(), older)
        # By way of a link, and a file of the workload.
        link.symlink_to("x")
        partial.unlink()
        text = json.loads(workload.read_text("utf-8"))
        text["code_objects"] = [code.rename(partial).name]
        workload.write_text(json.dumps(text), "utf-8")
        self.expect(wavetape("record", "-o", link, "--workload", workload), 2, "",
                    f"wavetape: cannot write the trace: {partial}: it is a file of the workload; give another name\n")
        self.assertTrue(partial.exists())

    def test_code_objects_of_a_core(self):
        """A core names files, and the trace has their bytes."""
        workload, code, _ = self.workload()
        core = self.directory / "c.core"
        self.expect(wavetape("simulate", workload, "--core", core))
        self.refused(code, "a code object of the core", "cannot write the trace",
                     lambda out: ["record", "--core", core, "-o", out])
        with open(core, "rb") as stdin:
            self.expect(wavetape("record", "--core", "-", "-o", code, stdin=stdin), 2, "",
                        f"wavetape: cannot write the trace: {code}: it is a code object of the core; give another name\n")
        trace = self.directory / "t.wtape"
        self.expect(wavetape("record", "--core", core, "-o", trace), 0, None)
        self.assertNotIn("not recorded", self.wavetape("code-objects", trace))

    def test_client_and_library(self):
        client = self.directory / "client"
        client.write_text("#!/bin/sh\n", "utf-8")
        client.chmod(0o755)
        library = self.copy(support.TREE.libraries["simulated"])
        self.refused(client, "the client that is run", "cannot write the trace",
                     lambda out: ["record", "-o", out, "--", client])
        self.expect(wavetape("record", "-o", client, "--", "client", PATH=f"{self.directory}:{os.environ['PATH']}"),
                    2, "", f"wavetape: cannot write the trace: {client}: it is the client that is run; give another "
                           "name\n")
        self.refused(library, "the library that is recorded", "cannot write the trace",
                     lambda out: ["record", "-o", out, "--dbgapi", library, "--", "true"])
        self.expect(wavetape("record", "-o", library, "--", "true", WAVETAPE_DBGAPI=library), 2, "",
                    f"wavetape: cannot write the trace: {library}: it is the library that is recorded; give another "
                    "name\n")


if __name__ == "__main__":
    support.main(__doc__)
