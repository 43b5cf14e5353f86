# SPDX-License-Identifier: MIT
"""tools/share-static.py: a static library that was compiled for programs is linked into a shared one, and works; what it cannot change it refuses.

check-share-static.py TOOL COMPILER
"""

import ctypes
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL, COMPILER = sys.argv[1:3]
SOURCE = """
static __thread int number;
static __thread long wide = -1;
int get(void) { return number; }
void set(int value) { number = value; }
void clear(void) { number = 0; }
int is_unset(void) { return wide == -1; }
void add(long value) { wide += value; }
long widened(void) { return wide; }
"""
# An access that has a register in it, too.
INDEXED = "__thread int numbers[64]; int get(int i) { return numbers[i]; }\n"


class ShareStatic(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def archive(self, text):
        source, made, archive = (self.directory / f"it.{end}" for end in ("c", "o", "a"))
        source.write_text(text, "utf-8")
        subprocess.run([COMPILER, "-O2", "-fPIE", "-ftls-model=local-exec", "-fcf-protection=none", "-c", source, "-o", made], check=True)
        archive.unlink(missing_ok=True)
        subprocess.run(["ar", "rcs", archive, made], check=True)
        return archive

    def share(self, archive):
        return subprocess.run([sys.executable, TOOL, archive, self.directory / "shared.a"], capture_output=True, text=True, check=False)

    def link(self, archive):
        return subprocess.run([COMPILER, "-shared", "-o", self.directory / "it.so", "-Wl,--whole-archive", archive, "-Wl,--no-whole-archive"],
                              capture_output=True, text=True, check=False)

    def test_works(self):
        archive = self.archive(SOURCE)
        self.assertNotEqual(self.link(archive).returncode, 0, "a linker takes it as it is: this tries nothing")
        self.assertEqual((self.share(archive).returncode, self.link(self.directory / "shared.a").returncode), (0, 0))
        library = ctypes.CDLL(str(self.directory / "it.so"))
        library.widened.restype = ctypes.c_long
        self.assertEqual((library.get(), library.is_unset()), (0, 1))
        library.set(7)
        library.add(ctypes.c_long(1 << 40))
        self.assertEqual((library.get(), library.is_unset(), library.widened()), (7, 0, (1 << 40) - 1))
        library.clear()
        self.assertEqual(library.get(), 0)

    def test_nothing_to_change(self):
        archive = self.archive("int get(void) { return 3; }\n")
        self.assertEqual(self.share(archive).returncode, 0)
        self.assertEqual((self.directory / "shared.a").read_bytes(), archive.read_bytes())

    def test_refused(self):
        result = self.share(self.archive(INDEXED))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^share-static\.py: .*it\.a: it\.o/: an access that is not known: [0-9a-f]+\n$")
        self.assertFalse((self.directory / "shared.a").exists())
        data = self.archive(SOURCE).read_bytes()
        for what in (b"", b"no archive", data[:-40], data[:8] + b"x" * 60):
            (self.directory / "wrong.a").write_bytes(what)
            result = self.share(self.directory / "wrong.a")
            self.assertEqual((result.returncode, "Traceback" in result.stderr), (1, False), what[:80])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
