# SPDX-License-Identifier: MIT
"""Where recover, repack and trim write to: what was there stays when they are refused, fail or are ended by a signal."""

import os
import resource
import signal
import subprocess

import support
from repair import Repair, unpacked
from support import wavetape

VERBS = ("check", "recover", "repack")


class Ended(Repair):
    """Signals in the middle of writing: what was there stays, and nothing is beside it."""

    SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)

    def end(self, number, verb, *arguments, ignored=False):
        """Send a signal as soon as there is a file beside the output. Return: the exit code; None if it was too late."""
        def set_actions():
            for each in self.SIGNALS:
                signal.signal(each, signal.SIG_IGN if ignored else signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        process = subprocess.Popen(
            [support.TREE.command, verb, *arguments, "-o", self.output], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=support.environment(), preexec_fn=set_actions)
        there = set(os.listdir(self.directory))
        while process.poll() is None and not set(os.listdir(self.directory)) - there:
            pass
        sent = process.poll() is None
        process.send_signal(number)
        code = process.wait(support.TIMEOUT)
        return code if sent and (code < 0 or ignored) else None

    def try_to_end(self, *arguments, **options):
        for _ in range(50):
            self.output.write_text("what was here before", encoding="utf-8")
            code = self.end(*arguments, **options)
            if code is not None:
                return code
        return self.fail("no signal came in the middle")

    def test_every_signal(self):
        torn = self.long_trace().read_bytes()
        self.damaged.write_bytes(torn[: len(torn) // 2] + b"!" + torn[len(torn) // 2 + 1 :])
        for verb, *arguments in (("repack", self.long_trace()), ("recover", self.damaged),
                                 ("trim", self.long_trace(), "--stops", "1..40")):
            for number in support.share(self.SIGNALS):
                with self.subTest(verb=verb, signal=number):
                    self.assertEqual(self.try_to_end(number, verb, *arguments), -number)
                    self.assertEqual(self.output.read_text("utf-8"), "what was here before")
                    self.assertEqual(sorted(os.listdir(self.directory)), ["damaged.wtape", "output.wtape"])

    def test_what_is_ignored_stays_so(self):
        self.assertEqual(self.try_to_end(signal.SIGHUP, "repack", self.long_trace(), ignored=True), 0)
        self.check(self.output, 0)
        self.assertEqual(os.listdir(self.directory), ["output.wtape"])


class Refused(Repair):
    def test_help(self):
        for verb in VERBS:
            text = self.wavetape(verb, "--help")
            self.assertTrue(text.startswith(f"Usage: wavetape {verb} "), text[:60])
            self.assertIn("--json", text)
            self.assertRegex(self.wavetape("--help"), rf"(?m)^  {verb} +\S")

    def wrong(self, arguments, *parts):
        result = wavetape(*arguments)
        self.assertEqual((result.code, result.stdout), (2, ""), result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_wrong_usage(self):
        trace = self.trace("scan")
        for verb in VERBS:
            self.wrong([verb], f"wavetape {verb}: which trace? Name a FILE")
            self.wrong([verb, "--no-such-option"], "unrecognized option")
            self.wrong([verb, trace, trace, "-o", self.output], f"wavetape {verb}: ")
        for verb in ("recover", "repack"):
            self.wrong([verb, trace], "where to? Name a file with --output")
        for level in ("0", "20", "x", "-1", ""):
            self.wrong(["repack", trace, "-o", self.output, f"--level={level}"],
                       f"--level takes 1 to 19, not '{level}'")
        self.assertFalse(self.output.exists())

    def test_the_input_is_never_written(self):
        source = self.directory / "source.wtape"
        source.write_bytes(self.trace("scan").read_bytes())
        hard, soft = self.directory / "hard", self.directory / "soft"
        os.link(source, hard)
        soft.symlink_to(source)
        for verb in ("recover", "repack"):
            for target in (source, hard, soft):
                with self.subTest(verb=verb, target=target):
                    self.expect(wavetape(verb, source, "-o", target), 2, "",
                                f"wavetape: cannot write the trace: {target}: it is the trace that "
                                "is read; give another name\n")
        self.assertEqual(source.read_bytes(), self.trace("scan").read_bytes())

    def test_outputs_that_cannot_be(self):
        absent = self.directory / "absent" / "file"
        for verb in ("recover", "repack"):
            self.expect(wavetape(verb, self.trace("scan"), "-o", absent), 1, "",
                        f"wavetape: cannot write the trace: {absent}: the directory {absent.parent} is not there; make it first: "
                        f"mkdir -p {absent.parent}\n")
            for target in (self.directory, "/dev/full"):
                self.refused_as_no_file(verb, target)

    def refused_as_no_file(self, verb, target):
        arguments = ["--stops", "1"] if verb == "trim" else []
        self.expect(wavetape(verb, self.trace("oob-store"), *arguments, "-o", target), 1, "",
                    f"wavetape: cannot write the trace: {target}: it is not a "
                    "regular file; give another name\n")

    def test_links_as_outputs(self):
        """A link to what is no file stays; one to a file, or to nowhere, is replaced, and what it leads to stays."""
        kept, link = self.directory / "kept", self.directory / "link"
        kept.write_text("what was here before", encoding="utf-8")
        os.mkfifo(self.directory / "pipe")
        for verb in ("recover", "repack", "trim"):
            for target in (self.directory, "/dev/null", "pipe", "/proc/self/fd/1"):
                with self.subTest(verb=verb, target=target):
                    link.symlink_to(target)
                    self.refused_as_no_file(verb, link)
                    self.assertEqual(os.readlink(link), str(target))
                    link.unlink()
        for target in (kept, "nowhere"):
            link.symlink_to(target)
            self.wavetape("repack", self.trace("scan"), "-o", link)
            self.assertFalse(link.is_symlink())
            self.check(link, 0)
            link.unlink()
        self.assertEqual(kept.read_text("utf-8"), "what was here before")
        self.assertEqual(sorted(os.listdir(self.directory)), ["kept", "pipe"])

    def test_a_full_disk(self):
        """What was there stays, and nothing is left beside it. The limit counts as a full disk."""
        self.output.write_text("what was here before", encoding="utf-8")
        torn = self.long_trace().read_bytes()
        self.damaged.write_bytes(torn[: len(torn) // 2] + b"!" + torn[len(torn) // 2 + 1 :])
        for verb, source in (("repack", self.trace("scan")), ("recover", self.damaged)):
            with self.subTest(verb=verb):
                done = subprocess.run(
                    [support.TREE.command, verb, source, "-o", self.output], capture_output=True,
                    check=False, env=support.environment(), timeout=support.TIMEOUT,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)))
                self.assertEqual((done.returncode, done.stdout), (1, b""), done.stderr)
                self.assertIn(f"wavetape: cannot write the trace: {self.output}: File too large\n",
                              done.stderr.decode())
                self.assertEqual(self.output.read_text("utf-8"), "what was here before")
                self.assertEqual(sorted(os.listdir(self.directory)),
                                 ["damaged.wtape", "output.wtape"])

    def test_not_a_trace(self):
        self.damaged.write_text("wavetape\n" * 1000, encoding="utf-8")
        self.output.write_text("what was here before", encoding="utf-8")
        for arguments in (["check", self.damaged], ["recover", self.damaged, "-o", self.output],
                          ["repack", self.damaged, "-o", self.output]):
            self.expect(wavetape(*arguments), 1, "",
                        f"wavetape: cannot read the trace: {self.damaged}: it is not a wavetape "
                        "trace\n")
        self.assertEqual(self.output.read_text("utf-8"), "what was here before")

    def test_an_older_output_is_replaced(self):
        self.output.write_text("what was here before", encoding="utf-8")
        self.wavetape("repack", self.trace("scan"), "-o", self.output)
        self.assertEqual(unpacked(self.output), unpacked(self.trace("scan")))
        self.assertEqual(self.output.stat().st_mode & 0o777, 0o600)


if __name__ == "__main__":
    support.main(__doc__)
