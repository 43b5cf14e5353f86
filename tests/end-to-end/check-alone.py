# SPDX-License-Identifier: MIT
"""What is installed needs the C library and nothing else, runs with older ones, and leaves a program its own libraries.

Started as `check-alone.py --source DIRECTORY --build DIRECTORY [TEST...]`
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

import support
from support import Case

# glibc 2.28 is that of RHEL 8; threads and dlopen() were in libraries of their own before 2.34.
NEWEST = (2, 28)
C_LIBRARY = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2"}
# Names of functions of what is linked into them.
FOREIGN = re.compile(r"(?:ZSTD_|HUF_|FSE_|XXH|elf_|gelf_|dwarf_|dwfl_|dwelf_|ebl_|__lib(?:dw|elf)|lzma_|inflate|deflate|crc32|adler32|json_|"
                     r"protobuf_c_|MD5)\w*")


def output(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stdout


def installed():
    """All that is installed and loaded by the loader, as names in the build directory."""
    files = map(pathlib.Path, json.loads(output("meson", "introspect", "--installed", support.TREE.build)))
    # Of a library there are links, too; the program that a debugger runs in place of another needs no loader.
    names = sorted({str(path.relative_to(support.TREE.build)) for path in files if path.is_file() and path.is_relative_to(support.TREE.build)
                    and path.read_bytes()[:4] == b"\x7fELF" and "Dynamic Section" in output("objdump", "-p", path) and path.suffix != ".co"})
    assert len(names) >= 10 and "cli/doctor/try/wavetape-try" in names, names
    return names


class Needs(Case):
    def test_needed(self):
        """The C library, of 2.28 or later, and no other."""
        for name in installed():
            with self.subTest(file=name):
                text = output("objdump", "-p", support.TREE.build / name)
                self.assertEqual(set(re.findall(r"NEEDED +(\S+)", text)) - C_LIBRARY, set())
                versions = {tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_(\d[\d.]*)", text)}
                self.assertTrue(versions)
                newer = re.findall(r".*GLIBC_\d[\d.]*.*", output("objdump", "-T", support.TREE.build / name)) \
                    if max(versions) > NEWEST else []
                self.assertLessEqual(max(versions), NEWEST, [line for line in newer if re.search(r"GLIBC_2\.(29|[3-9]\d)", line)])
                self.assertNotIn("TEXTREL", text)

    def test_hidden(self):
        """None of the functions that were linked in is seen by others, and none is looked for in others."""
        for name in installed():
            with self.subTest(file=name):
                symbols = re.findall(r"(\S+)$", output("objdump", "-T", support.TREE.build / name), re.MULTILINE)
                self.assertGreater(len(symbols), 10)
                self.assertEqual([symbol for symbol in symbols if FOREIGN.fullmatch(symbol)], [])


class Beside(Case):
    """A program with libraries of the same names, none of whose functions may be called."""

    def library(self):
        symbols = re.findall(r"^\w+ [tT] (\w+)$", output("nm", support.TREE.agent), re.MULTILINE)
        names = sorted({name for name in symbols if FOREIGN.fullmatch(name)})
        for name in ("ZSTD_compressCCtx", "elf_begin", "dwarf_getscopes", "lzma_code", "inflate"):
            self.assertIn(name, names)
        source = self.directory / "other.c"
        source.write_text("void abort(void);\n" + "".join(f"void {name}(void) {{ abort(); }}\n" for name in names), "utf-8")
        library = self.directory / "libother.so"
        output("cc", "-w", "-shared", "-fPIC", "-fno-builtin", "-o", library, source)
        return library

    def test_agent(self):
        host, tool = support.TREE.build / "tests/end-to-end/tool-host", support.TREE.agent
        trace = self.directory / "fault.wtape"
        line = support.TREE.line_of("oob-store", "out[index] = ")
        environment = support.environment(WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"), WAVETAPE_AGENT=f"output={trace}",
                                          WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], LD_PRELOAD=self.library())
        # The program ends when its input does: not before the fault is told.
        with subprocess.Popen([host, tool, "exit"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              env=environment) as process:
            told = process.stderr.readline()
            told += process.communicate(timeout=support.TIMEOUT)[1]
        self.assertEqual(told, f"wavetape: GPU fault: memory violation in kernel oob_store, oob-store.c:{line}: 1 of 1 wave: {trace}\n")
        self.wavetape("check", trace, code=0)


class Bare(Case):
    """A HIP program in a root that has what it needs itself, AMD's runtime among it, and what we install."""

    PREFIX = "usr/local"

    def needed(self, *files):
        """Files with all that they are linked with, as the loader finds it."""
        found = set()
        for file in files:
            found |= set(re.findall(r"(/\S+) \(0x", output("ldd", file)))
        return found

    @unittest.skipUnless(os.geteuid() == 0, "only root may change the root")
    @unittest.skipUnless(shutil.which("unshare"), "no unshare")
    def test_fault(self):
        program = support.TREE.build / "tests/driver/programs-O2"
        manager = re.search(r"libamd_comgr\.so\.\d .*=> (\S+)", output("ldconfig", "-p"))
        self.assertTrue(manager, "HIP's runtime loads it")
        root = self.directory / "root"
        output("meson", "install", "-C", support.TREE.build, "--no-rebuild", "--quiet", "--destdir", root)
        libc = {path for path in self.needed(support.TREE.agent) if os.path.basename(path) in C_LIBRARY}
        libraries = self.needed(program, manager[1]) | {manager[1]} | libc
        self.assertNotIn("libdw.so.1", {os.path.basename(path) for path in libraries})
        for path in ("proc", "dev", "sys", "tmp", "traces", "program"):
            (root / path).mkdir(parents=True)
        script = ["set -e"]
        mounts = [(path, path.lstrip("/")) for path in sorted(libraries)] + [(program, "program/programs")]
        for source, place in mounts:
            (root / place).parent.mkdir(parents=True, exist_ok=True)
            (root / place).touch()
            script.append(f"mount --bind '{source}' '{root}/{place}'")
        script += [f"mount --rbind /{name} '{root}/{name}'" for name in ("proc", "dev", "sys")]
        script.append(f"exec chroot '{root}' \"$@\"")
        [agent] = (root / self.PREFIX).rglob("libwavetape-agent.so")
        [simulated] = (root / self.PREFIX).rglob("simulated/librocm-dbgapi.so.0")
        environment = {"PATH": "/usr/local/bin", "HSA_TOOLS_LIB": f"/{agent.relative_to(root)}", "HSA_ENABLE_DEBUG": "1", "TMPDIR": "/tmp",
                       "WAVETAPE_DBGAPI": f"/{simulated.relative_to(root)}", "WAVETAPE_AGENT": "output=/traces/fault.wtape", "HOME": "/tmp"}
        result = subprocess.run(
            [shutil.which("unshare"), "--mount", "--propagation", "private", shutil.which("sh"), "-c", "\n".join(script), "sh",
             f"/{self.PREFIX}/bin/wavetape", "device", "--", "/program/programs", "bad-address"],
            env=environment | {"PATH": os.environ["PATH"]}, capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL, check=False)
        self.assertRegex(result.stderr, r"(?m)^wavetape: GPU fault: memory violation in kernel .*: /traces/fault\.wtape$")
        self.assertEqual(result.returncode, 128 + signal.SIGABRT, result.stderr)
        self.wavetape("check", root / "traces/fault.wtape", code=0)


if __name__ == "__main__":
    support.main(__doc__)
