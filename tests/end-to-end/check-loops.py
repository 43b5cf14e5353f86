# SPDX-License-Identifier: MIT
"""What is said of waves that wait in a loop, of every GPU that has tables of operations, in waves of 32 lanes and of 64.

Started as `check-loops.py --source DIRECTORY --build DIRECTORY [TEST...]`; the kernels are in loops.c beside it.
"""

import json
import os

import support
from support import Case

SOURCE = "tests/end-to-end/loops.c"
TARGETS = [(target, level, wide) for level in ("-O2", "-O0")
           for target, wide in (("gfx90a", True), ("gfx942", True), ("gfx1030", False), ("gfx1030", True), ("gfx1100", False), ("gfx1100", True),
                                ("gfx1151", False), ("gfx1151", True), ("gfx1201", False), ("gfx1201", True))]

# Of a kernel: each word that it waits for, the value that is said, and what would end the loop.
LOOPS = {
    "approach": (0xffffffff, -1, {"comparison": ">=", "value": 7}),
    "zero": (5, 5, {"comparison": "==", "value": 0}),
    "bits": (6, 6, {"comparison": "==", "value": 0, "mask": "0x4"}),
    "single": (0x3f800000, 1.0, {"comparison": ">=", "value": 1.5}),
    "counted": (0, 0, {"comparison": ">=", "value": 1 << 32}),
    "divided": (3, 3, {"comparison": "==", "value": 9}),
}


class Loops(Case):
    def record(self, kernel, target, level, wide):
        code, workload, trace = (self.directory / f"{kernel}.{kind}" for kind in ("co", "json", "wtape"))
        trace.unlink(missing_ok=True)
        self.expect(support.run("clang-19", "-target", "amdgcn-amd-amdhsa", "-nogpulib", "-ffreestanding", "-std=gnu11", "-g", level,
                                "-fuse-ld=lld", "--ld-path=ld.lld-19", f"-mcpu={target}",
                                *(("-mwavefrontsize64",) if wide and target.startswith("gfx1") else ()), f"-I{support.TREE.source}", "-o", code,
                                support.TREE.source / SOURCE))
        workload.write_text(json.dumps({
            "architecture": target, "code_objects": [str(code)],
            "buffers": {"flags": {"bytes": 64, "fill": {"constant": {"type": "u32", "value": LOOPS[kernel][0]}}}, "out": {"bytes": 4096}},
            "dispatches": [{"kernel": kernel, "grid": [64, 1, 1], "workgroup": [64, 1, 1],
                            "arguments": [{"buffer": "flags"}, {"buffer": "out"}]}]}), encoding="utf-8")
        self.wavetape("record", "-o", trace, "--time-limit", "1", "--workload", workload, stdout="--time-limit was reached; 2 stops\n")
        return trace

    def test_until(self):
        """Where the waves are, the memory that they wait for with its value, and with which one they would go on."""
        cells = [(kernel, *target) for target in TARGETS for kernel in LOOPS]
        for kernel, target, level, wide in cells if "WAVETAPE_LONG" in os.environ else support.share(cells[::7]):
            with self.subTest(kernel=kernel, target=target, level=level, wide=wide):
                place, = json.loads(self.wavetape("info", "--json", self.record(kernel, target, level, wide)))["places"]
                _, value, until = LOOPS[kernel]
                self.assertEqual((place["activity"], place["waves"]), ("loop", 1 if wide else 2))
                read, = place["waits_for"]
                self.assertEqual((read["address"], read["value"], read["until"]), ("0x210000000008", value, until))
                self.assertEqual(read["at"]["source"]["line"], self.line(kernel))

    def line(self, kernel):
        lines = (support.TREE.source / SOURCE).read_text("utf-8").splitlines()
        number, = (number for number, text in enumerate(lines, 1) if text.endswith(f"/* {kernel} */"))
        return number


if __name__ == "__main__":
    support.main(__doc__)
