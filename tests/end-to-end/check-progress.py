# SPDX-License-Identifier: MIT
"""The line that says on a terminal how far a slow verb is."""

import contextlib
import os
import re
import time

import support
from support import Case


class Progress(Case):
    def on_terminal(self, *arguments, stdout=support.subprocess.DEVNULL):
        """Exit code, seconds, and what a terminal gets as the standard error; with stdout=None, as standard output, too."""
        terminal, inside = os.openpty()
        start = time.monotonic()
        shown = ""
        with support.subprocess.Popen([support.TREE.command, *map(str, arguments)], stdout=inside if stdout is None else stdout, stderr=inside,
                                      env=support.environment()) as process:
            os.close(inside)
            with contextlib.suppress(OSError):  # at the end of a terminal
                while text := os.read(terminal, 65536):
                    shown += text.decode()
        os.close(terminal)
        return process.returncode, time.monotonic() - start, shown

    def test_every_slow_verb(self):
        """Half a second without output, and a line says how far it is; at the end it is gone, and nothing else was printed."""
        trace, out = self.directory / "long.wtape", self.directory / "out"
        done = support.run(support.TREE.command, "record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--", support.TREE.client,
                           "--break", "matmul", "--steps", "60", "--stops", "70", WAVETAPE_WORKLOAD=support.TREE.workload("matmul"))
        self.assertEqual((done.code, done.stderr), (0, ""))
        seen = set()
        for arguments, line in (
                (["export", trace, "--json-lines"], r"export: stop \d+"), (["export", trace, "--perfetto", "-o", out], r"export: stop \d+"),
                (["diff", trace, trace], r"diff: stop \d+"), (["diff", trace, trace, "--json"], r"diff: stop \d+"),
                (["verify", trace], r"verifying: \d+ calls"), (["repack", trace, "-o", out], r"packing: \d+%"),
                (["report", trace, "-o", out], r"report: (stop|wave \d+ of \d+ of stop) \d+"), (["journal", trace, "--json"], r"journal: call \d+"),
                (["check", trace], r"checking: \d+%"), (["explain", trace], r"explain: wave \d+ of \d+"), (["stops", trace], "stops"),
                (["info", trace], "info")):
            with self.subTest(verb=arguments[0]):
                code, seconds, shown = self.on_terminal(*arguments)
                self.assertEqual(code, 0, shown)
                self.assertRegex(shown, rf"\A((\r\x1b\[K(\w+ \.\.\.|{line}))+\r\x1b\[K)*\Z")
                # Beginning and end of the process are beside what is watched.
                self.assertTrue(shown or seconds < 2, (arguments, seconds))
                seen |= {arguments[0]} if shown else set()
        self.assertIn("repack", seen)

    def test_on_the_same_terminal(self):
        """Where text is printed, the line is gone before."""
        trace = self.trace("oob-store")
        for arguments in (["explain", trace], ["diff", trace, trace]):
            plain = self.wavetape(*arguments)
            _, _, shown = self.on_terminal(*arguments, stdout=None)
            self.assertEqual(re.sub(r"\r\x1b\[K[a-z][^\r\n]*(?=\r\x1b\[K)|\r\x1b\[K|\x1b\[\d+m", "", shown).replace("\r\n", "\n"), plain)


if __name__ == "__main__":
    support.main(__doc__)
