# SPDX-License-Identifier: MIT
"""Check the test kernels themselves: code objects, workloads and the host's results.

The code objects must have what the loader and the commands rely on (metadata with arguments, exported
descriptors, line tables that name the source), and the host reference, from which expected values come,
must agree with closed forms computed here.
"""

import argparse
import array
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

OPTIONS = None


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def kernel_of(name):
    return name.replace("-", "_")


def machine(path):
    """The low byte of e_flags: which processor the code is for."""
    return path.read_bytes()[48]


class CodeObjects(unittest.TestCase):
    def paths(self):
        for name in OPTIONS.names:
            for variant in ("", "-O0", "-gfx90a", "-gfx90a-O0"):
                yield name, OPTIONS.directory / f"{name}{variant}.co"

    @classmethod
    def ask(cls, header, *command):
        """What a tool says of all code objects, by path; @header matches the line before each."""
        paths = [path for _, path in cls().paths()]
        words = re.split(header, run(*command, *paths).stdout)
        return dict(zip(map(pathlib.Path, words[1::2]), words[2::2]))

    @classmethod
    def setUpClass(cls):
        cls.notes = cls.ask(r"(?m)^File: (.*)$", OPTIONS.readelf, "--notes", "--dyn-syms")
        cls.lines = cls.ask(r"(?m)^(.*):\tfile format elf64-amdgpu$", OPTIONS.dwarfdump,
                            "--debug-line")

    @staticmethod
    def target(path):
        return "gfx90a" if "-gfx90a" in path.name else "gfx942"

    def test_architecture(self):
        machines = {"gfx942": 0x4C, "gfx90a": 0x3F}
        for _, path in self.paths():
            self.assertEqual(machine(path), machines[self.target(path)], path)

    def test_metadata(self):
        for name, path in self.paths():
            notes = self.notes[path]
            self.assertRegex(notes, rf"\.name: +{kernel_of(name)}\n", path)
            self.assertRegex(notes, rf"\.symbol: +{kernel_of(name)}\.kd\n", path)
            self.assertRegex(notes, r"\.value_kind: +global_buffer\n", path)
            # The optimiser drops the hidden arguments of a kernel that reads none.
            hidden = re.search(r"\.value_kind: +hidden_group_size_x\n", notes)
            self.assertTrue(hidden or "-O0" not in path.name, path)
            self.assertRegex(notes, rf"amdhsa\.target: +'?amdgcn-amd-amdhsa--{self.target(path)}", path)

    def test_exported_symbols(self):
        for name, path in self.paths():
            symbols = self.notes[path]
            self.assertRegex(symbols, rf"FUNC +GLOBAL PROTECTED +\d+ {kernel_of(name)}\n")
            self.assertRegex(symbols, rf"OBJECT +GLOBAL PROTECTED +\d+ {kernel_of(name)}\.kd\n")

    def test_lines(self):
        for name, path in self.paths():
            lines = self.lines[path]
            self.assertIn(f'name: "tests/kernels/{name}.c"', lines)
            self.assertGreater(len(re.findall(r"is_stmt", lines)), 3, path)

    def test_no_absolute_path_of_the_build(self):
        for _, path in self.paths():
            self.assertNotIn(str(OPTIONS.directory).encode(), path.read_bytes())
            self.assertNotIn(b"/usr/", path.read_bytes())

    def test_illegal_word_is_illegal(self):
        word = bytes.fromhex("bfff1234")[::-1]
        self.assertIn(word, (OPTIONS.directory / "illegal.co").read_bytes())
        text = " ".join(f"{byte:#x}" for byte in word)
        for target in ("gfx942", "gfx90a"):
            result = subprocess.run(
                [OPTIONS.mc, "-triple=amdgcn", f"-mcpu={target}", "--disassemble"],
                input=text, capture_output=True, text=True, check=False,
            )
            self.assertIn("invalid instruction encoding", result.stderr, target)


class Workloads(unittest.TestCase):
    def test_code_objects_exist(self):
        for path in OPTIONS.directory.glob("*.json"):
            if path.name.startswith("bad-"):
                continue
            workload = json.loads(path.read_text(encoding="utf-8"))
            for entry in workload["code_objects"]:
                name = entry if isinstance(entry, str) else entry["file"]
                self.assertTrue((OPTIONS.directory / name).is_file(), f"{path}: {name}")

    def test_bad_ones_are_json_unless_they_say_so(self):
        broken = []
        for path in sorted(OPTIONS.directory.glob("bad-*.json")):
            try:
                json.loads(path.read_text(encoding="utf-8"))
            except json.JSONDecodeError:
                broken.append(path.name)
        self.assertEqual(broken, ["bad-not-json.json", "bad-truncated.json"])


class HostReference(unittest.TestCase):
    def save(self, name, buffer, typecode):
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory) / "out"
            workload = OPTIONS.directory / f"{name}.json"
            result = run(OPTIONS.reference, workload, "--save", f"{buffer}={file}")
            self.assertEqual((result.returncode, result.stderr), (0, ""), name)
            return array.array(typecode, file.read_bytes())

    def stop(self, name):
        result = run(OPTIONS.reference, OPTIONS.directory / f"{name}.json")
        self.assertEqual(result.returncode, 3, name)
        return result.stderr

    def test_vecadd(self):
        self.assertEqual(list(self.save("vecadd", "c", "f")), [i + 2.0 for i in range(1024)])

    def test_saxpy(self):
        expected = [2.5 * (i * 0.25 - 10) + 3 - i * 0.125 for i in range(1000)]
        self.assertEqual(list(self.save("saxpy", "y", "f")), expected)

    def test_divergent(self):
        def steps(value):
            count = 0
            while value > 1:
                value = 3 * value + 1 if value % 2 else value // 2
                count += 1
            return min(count, 200)

        expected = [steps(1 + 7 * i) for i in range(1000)] + [0] * 24
        self.assertEqual(list(self.save("divergent", "steps", "I")), expected)

    def test_reduce(self):
        sums = [sum(k / 32 - 1 for k in range(256 * g, 256 * g + 256)) for g in range(4)]
        self.assertEqual(list(self.save("reduce", "sums", "f")), sums)

    def test_scan(self):
        expected = [sum(range(256 * (i // 256) + 1, i + 2)) for i in range(512)]
        self.assertEqual(list(self.save("scan", "out", "I")), expected)

    def test_histogram(self):
        data = array.array("I", ((17 + 4000037 * i) % 2**32 for i in range(1024))).tobytes()
        expected = [0] * 64
        for byte in data[:4001]:
            expected[byte // 4] += 1
        self.assertEqual(list(self.save("histogram", "bins", "I")), expected)

    def test_private_sort(self):
        data = list(self.save("private-sort", "data", "I"))
        for i in range(0, len(data), 16):
            seeds = range(5 + 3 * i, 5 + 3 * (i + 16), 3)
            mixed = [(seed ^ 0x5EED) * 0x9E3779B9 % 2**32 for seed in seeds]
            self.assertEqual(data[i : i + 16], sorted(mixed))

    def test_geometry_of_incomplete_groups(self):
        out = self.save("geometry", "out", "I")
        last = out[-8:]
        pack = lambda x, y, z: x | y << 10 | z << 20
        self.assertEqual(
            list(last),
            [pack(69, 5, 2), pack(5, 1, 0), pack(4, 1, 2), pack(70, 6, 3), pack(4, 1, 3),
             pack(16, 4, 1), pack(6, 2, 0), 3],
        )

    def test_debug_trap_goes_on(self):
        expected = [5 * (i + 1) for i in range(256)]
        self.assertEqual(list(self.save("debug-trap", "data", "I")), expected)

    def test_stops(self):
        self.assertEqual(
            self.stop("oob-store"),
            "oob_store: work-item 189,0,0 of workgroup 0,0,0: memory fault at out+4852\n",
        )
        self.assertEqual(
            self.stop("oob-load"),
            "oob_load: work-item 77,0,0 of workgroup 1,0,0: memory fault at in+4100\n",
        )
        self.assertEqual(
            self.stop("matmul-short-buffer"),
            "matmul: work-item 0,0,0 of workgroup 0,0,0: memory fault at b+8192\n",
        )
        self.assertIn("work-item 9,0,0 of workgroup 3,0,0: assert trap", self.stop("assert-trap"))
        self.assertIn("workgroup 2,0,0: illegal instruction", self.stop("illegal"))


def main():
    global OPTIONS
    parser = argparse.ArgumentParser()
    for tool in ("readelf", "dwarfdump", "mc", "reference"):
        parser.add_argument(f"--{tool}", required=True)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("names", nargs="+")
    OPTIONS = parser.parse_args()
    unittest.main(argv=["check-kernels"])


if __name__ == "__main__":
    main()
