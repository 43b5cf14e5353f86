# SPDX-License-Identifier: MIT
"""check-find-bugs.py FIND-BUGS CLANG: clang-tidy looks again at what has changed, and only there, and what it has found it finds again.

A copy of the tool is tried in a tree of its own, which ninja builds.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

NINJA = """rule cc
  command = {compiler} -MD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
build one.o: cc ../one.c
build two.o: cc ../two.c
"""
SOURCE = '#include "{name}.h"\n\nint {name}(int value)\n{{\n\treturn change(value);\n}}\n'
RIGHT, WRONG = (f"static inline int change(int x)\n{{\n\treturn x {change};\n}}\n" for change in ("+ 1", "== x"))
CHECKS = "Checks: '-*,misc-redundant-expression{more}'\nWarningsAsErrors: '*'\nHeaderFilterRegex: '.*'\n"


class FindBugs(unittest.TestCase):
    def setUp(self):
        self.top = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.build = self.top / "build"
        for folder in (self.build, self.top / "tools"):
            folder.mkdir()
        shutil.copy(TOOL, self.top / "tools")
        (self.top / ".clang-tidy").write_text(CHECKS.format(more=""), "utf-8")
        (self.build / "build.ninja").write_text(NINJA.format(compiler=COMPILER), "utf-8")
        commands = []
        for name in ("one", "two"):
            (self.top / f"{name}.c").write_text(SOURCE.format(name=name), "utf-8")
            (self.top / f"{name}.h").write_text(RIGHT, "utf-8")
            commands.append({"directory": str(self.build), "command": f"{COMPILER} -c ../{name}.c -o {name}.o", "file": f"../{name}.c",
                             "output": f"{name}.o"})
        (self.build / "compile_commands.json").write_text(json.dumps(commands), "utf-8")

    def looked(self, code=0, compile_first=True):
        """How many sources were looked at, and what the tool printed; its exit code is right."""
        if compile_first:
            subprocess.run(["ninja", "-C", self.build], check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run([sys.executable, self.top / "tools" / pathlib.Path(TOOL).name, self.build], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (code, ""), done.stdout)
        words = done.stdout.splitlines()[-1].split()
        self.assertEqual(words[:3], ["find-bugs:", "2", "sources,"])
        return int(words[3]), done.stdout

    def test_again(self):
        self.assertEqual([self.looked()[0], self.looked()[0]], [2, 0])

    def test_header(self):
        """A header that has changed is looked at in what includes it; a finding is found until it is gone."""
        self.looked()
        (self.top / "two.h").write_text(WRONG, "utf-8")
        for _ in range(2):
            count, text = self.looked(1)
            self.assertEqual(count, 1)
            self.assertIn("[misc-redundant-expression", text)
        (self.top / "two.h").write_text(RIGHT, "utf-8")
        self.assertIn(self.looked()[0], (0, 1))

    def test_not_compiled(self):
        """Of what ninja has not compiled since it was changed nobody knows what it includes: it is looked at each time."""
        self.looked()
        (self.top / "one.c").write_text(SOURCE.format(name="one").replace('"one.h"', '"two.h"'), "utf-8")
        for _ in range(2):
            self.assertEqual(self.looked(compile_first=False)[0], 1)
        (self.top / "two.h").write_text(WRONG, "utf-8")
        self.assertEqual(self.looked(1, compile_first=False)[0], 2)

    def test_checks(self):
        self.looked()
        (self.top / ".clang-tidy").write_text(CHECKS.format(more=",bugprone-*"), "utf-8")
        self.assertEqual(self.looked()[0], 2)


if __name__ == "__main__":
    TOOL, COMPILER = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
