# SPDX-License-Identifier: MIT
"""Workloads with one mistake each: `simulate` and `record` refuse them, and name file, place and cause."""

import support
from support import Case, wavetape

# The place in the file, or the file it names, and a part of the cause.
MISTAKES = {
    "buffer-for-value": ("dispatches[0].arguments[3]", "takes a value here"),
    "code-object-for-gfx90a": ("vecadd-gfx90a.co", "it is for gfx90a"),
    "grid-of-two-numbers": ("dispatches[0].grid", "expected 3 elements, found 2"),
    "group-memory-too-large": ("dispatches[0].dynamic_group_bytes", "65536"),
    "missing-code-object": ("absent.co", "No such file or directory"),
    "missing-fill-file": ("absent.bin", "No such file or directory"),
    "negative-workgroup": ("dispatches[0].workgroup[0]", "-256 is out of range"),
    "not-a-code-object": ("vecadd.json", "ELF"),
    "not-json": ("line 1", "this is no JSON"),
    "too-few-arguments": ("dispatches[0].arguments", "3 arguments; kernel vecadd takes 4"),
    "too-many-arguments": ("dispatches[0].arguments", "5 arguments; kernel vecadd takes 4"),
    "truncated": ("line", "this is no JSON"),
    "unknown-agent": ("dispatches[0].agent", "1 is out of range"),
    "unknown-architecture": ("architecture", 'unknown architecture "gfx9999"'),
    "unknown-argument-kind": ("dispatches[0].arguments[3]", "unknown kind of argument"),
    "unknown-buffer": ("dispatches[0].arguments[2]", 'no buffer "d"'),
    "unknown-dispatch-field": ("dispatches[0].priority", "unknown field"),
    "unknown-field": ("colour", "unknown field"),
    "unknown-fill": ("buffers.a.fill.random", "unknown field"),
    "unknown-queue": ("dispatches[0].queue", "1 is out of range"),
    "value-for-buffer": ("dispatches[0].arguments[1]", "takes a pointer here"),
    "value-too-large": ("dispatches[0].arguments[3].u32", "4294967296 is out of range"),
    "workgroup-too-large": ("dispatches[0].workgroup", "64 x 32 x 1 work-items"),
    "wrong-architecture": ("architecture", "gfx908 cannot be simulated"),
    "wrong-kernel": ("dispatches[0].kernel", 'no kernel "vecsub"'),
    "wrong-value-size": ("dispatches[0].arguments[3]", "takes another size here"),
    "zero-grid": ("dispatches[0].grid[1]", "0 is out of range"),
    "zero-workgroup": ("dispatches[0].workgroup[2]", "0 is out of range"),
}


class WrongWorkload(Case):
    def test_table_is_whole(self):
        self.assertEqual({f"bad-{name}" for name in MISTAKES}, set(support.TREE.bad_workloads()))

    def check(self, name, result):
        place, cause = MISTAKES[name]
        self.assertIn(result.code, (1, 2))
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"\Awavetape: [^\n]+: [^\n]+: [^\n]+\n\Z")
        for part in (f"bad-{name}.json", place, cause):
            self.assertIn(part, result.stderr)

    def test_simulate(self):
        for name in MISTAKES:
            with self.subTest(workload=name):
                self.check(name, wavetape("simulate", support.TREE.workload(f"bad-{name}")))

    def test_record(self):
        for name in MISTAKES:
            with self.subTest(workload=name):
                self.check(name, wavetape("record", "-o", self.directory / f"{name}.wtape",
                                          "--workload", support.TREE.workload(f"bad-{name}")))

    def test_simulate_says_the_same_in_json(self):
        path = support.TREE.workload("bad-wrong-kernel")
        text, as_json = wavetape("simulate", path), wavetape("simulate", path, "--json")
        self.assertEqual(text, as_json)


class WrongFile(Case):
    def test_missing(self):
        for verb in (["simulate"], ["record", "-o", self.directory / "t", "--workload"]):
            result = wavetape(*verb, self.directory / "absent.json")
            self.expect(result, 1, "", "wavetape: cannot load the workload: "
                        f"{self.directory}/absent.json: No such file or directory\n")

    def test_directory(self):
        for verb in (["simulate"], ["record", "-o", self.directory / "t", "--workload"]):
            result = wavetape(*verb, self.directory)
            self.assertEqual((result.code, result.stdout), (1, ""))
            self.assertRegex(result.stderr, rf"\Awavetape: [^\n]+: {self.directory}: [^\n]+\n\Z")

    def test_empty(self):
        path = self.directory / "empty.json"
        path.touch()
        result = wavetape("simulate", path)
        self.assertEqual((result.code, result.stdout), (1, ""))
        self.assertIn(f"{path}", result.stderr)

    def test_unknown_buffer_to_save(self):
        for save in ("d=/dev/null", "A=/dev/null"):
            result = wavetape("simulate", support.TREE.workload("vecadd"), "--save", save)
            self.expect(result, 2, "", f"wavetape: cannot save the buffer: {save[0]}: "
                        "the workload has no buffer of that name\n")

    def test_unwritable_file_to_save(self):
        target = self.directory / "absent" / "c"
        result = wavetape("simulate", support.TREE.workload("vecadd"), "--save", f"c={target}")
        self.expect(result, 1, "", f"wavetape: cannot save the buffer: {target}: the directory {target.parent} is not there; make it "
                    f"first: mkdir -p {target.parent}\n")

    def test_full_disk(self):
        result = wavetape("simulate", support.TREE.workload("vecadd"), "--save", "c=/dev/full")
        self.expect(result, 1, "", "wavetape: cannot save the buffer: /dev/full: "
                    "No space left on device\n")


if __name__ == "__main__":
    support.main(__doc__)
