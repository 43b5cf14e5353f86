# SPDX-License-Identifier: MIT
"""What made.py keeps is what would be made: the same again while nothing has changed, and made anew for each change."""

import os
import unittest.mock

import made
import support


class Made(support.Case):
    def setUp(self):
        super().setUp()
        build = self.directory / "build"
        (build / "tests").mkdir(parents=True)
        self.enterContext(unittest.mock.patch.object(support.TREE, "build", build))
        self.sources, self.count = self.directory / "sources", self.directory / "count"
        self.sources.mkdir()
        (self.sources / "one").write_text("1\n", "utf-8")
        (self.sources / "two").write_text("2\n", "utf-8")

    def take(self, *words, place="output"):
        """What is made of the sources and words, and how often it was made by now."""
        output = self.directory / place / "all"
        output.parent.mkdir(exist_ok=True)
        output.unlink(missing_ok=True)
        made.take(output, [["sh", "-c", f"echo >>{self.count}; cat {self.sources}/* >$0; echo $* >>$0", output, *words]], [self.sources])
        return output.read_text("utf-8"), len(self.count.read_text("utf-8"))

    def test_again(self):
        self.assertEqual(self.take("a"), ("1\n2\na\n", 1))
        self.assertEqual(self.take("a", place="elsewhere"), ("1\n2\na\n", 1))

    def test_changes(self):
        """Contents, names, what is there, and words of the command."""
        self.take("a")
        self.assertEqual(self.take("b"), ("1\n2\nb\n", 2))
        (self.sources / "two").write_text("3\n", "utf-8")
        self.assertEqual(self.take("b"), ("1\n3\nb\n", 3))
        (self.sources / "two").rename(self.sources / "a")
        self.assertEqual(self.take("b"), ("3\n1\nb\n", 4))
        (self.sources / "more").write_text("", "utf-8")
        self.assertEqual(self.take("b"), ("3\n1\nb\n", 5))
        self.assertEqual(self.take("b"), ("3\n1\nb\n", 5))

    def test_another_compiler(self):
        """A program of the same name is another one when its file is."""
        program = self.directory / "compiler"
        for number, text in enumerate(("first", "second one")):
            program.write_text(f"#!/bin/sh\necho {text} >$1\n", "utf-8")
            program.chmod(0o755)
            output = self.directory / "output"
            made.take(output, [[program, output]], [])
            self.assertEqual(output.read_text("utf-8"), text + "\n", number)

    def test_forgotten(self):
        self.take("a")
        kept, = (support.TREE.build / "tests/made").iterdir()
        os.utime(kept, (0, 0))
        self.take("b")
        self.assertFalse(kept.exists())


if __name__ == "__main__":
    support.main(__doc__)
