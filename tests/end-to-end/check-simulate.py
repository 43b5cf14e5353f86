# SPDX-License-Identifier: MIT
"""`wavetape simulate`: results against the host's, byte for byte, and what it says of faults."""

import array
import json
import pathlib
import re
import unittest

import support
from support import Case, run, run_bytes


def u32(path):
    return list(array.array("I", path.read_bytes()))


class Simulated(Case):
    expected = {}

    def host(self, name):
        """The buffers as the host computes them; None if the workload stops there."""
        if name not in Simulated.expected:
            Simulated.expected[name] = self.ask_host(name)
        return Simulated.expected[name]

    def ask_host(self, name):
        saves = [f"{buffer}={self.directory / f'host-{buffer}'}"
                 for buffer in support.TREE.buffers(name)]
        result = run(support.TREE.reference, support.TREE.workload(name),
                     *(word for save in saves for word in ("--save", save)))
        if result.code == 3:
            return None
        self.expect(result)
        return {buffer: (self.directory / f"host-{buffer}").read_bytes()
                for buffer in support.TREE.buffers(name)}

    def place(self, name):
        return support.TREE.workload(name)

    def simulated(self, name, code=0):
        arguments = ["simulate", self.place(name), "--json"]
        for buffer in support.TREE.buffers(name):
            arguments += ["--save", f"{buffer}={self.directory / buffer}"]
        result = support.wavetape(*arguments)
        self.check_remark(name, "wavetape: the simulated GPU says: ", result.stderr)
        self.assertEqual(result.code, code, name)
        for buffer, size in support.TREE.buffers(name).items():
            self.assertEqual((self.directory / buffer).stat().st_size, size)
        return json.loads(result.stdout)


class Compared(Simulated):
    def compare(self, plain, variant):
        expected, name = self.host(plain), plain + variant
        if expected is None:
            return False
        report = self.simulated(name)
        self.assertEqual(report["faults"], [])
        for buffer, wanted in expected.items():
            self.assertEqual((self.directory / buffer).read_bytes() == wanted, True,
                             f"{name}: buffer {buffer} differs from the host's")
        return True

    def compare_all(self, variant, without=()):
        stopped = set()
        for name in support.TREE.all_good_workloads():
            if name in without:
                continue
            with self.subTest(workload=name + variant):
                if not self.compare(name, variant):
                    stopped.add(name)
        self.assertEqual(stopped, set(support.FAULTS))


class Results(Compared):
    def test_optimised(self):
        self.compare_all("")

    def test_not_optimised(self):
        self.compare_all("-O0")

    def test_gfx90a_optimised(self):
        self.compare_all("-gfx90a")

    @unittest.skipIf(support.SMALL, "a share: the other target is tried not optimised")
    def test_gfx90a_not_optimised(self):
        self.compare_all("-gfx90a-O0")


# Their kernels are for gfx9 alone (tests/kernels/meson.build).
GFX9_ALONE = {"atomics-float", "dpp", "matrix-bytes", "matrix-doubles", "matrix-halves", "matrix-narrow", "matrix-singles", "matrix-sparse",
              "matrix-sparse-bytes", "matrix-upper", "wave-values"}


class Later(Compared):
    """gfx1030, gfx1100 and gfx1201, in waves of 32 lanes and of 64."""

    GPUS = ("-gfx1030", "-gfx1100", "-gfx1201")

    def test_short_waves_optimised(self):
        for gpu in self.GPUS:
            self.compare_all(gpu, GFX9_ALONE)

    def test_short_waves_not_optimised(self):
        for gpu in self.GPUS:
            self.compare_all(gpu + "-O0", GFX9_ALONE)

    def test_long_waves_optimised(self):
        for gpu in self.GPUS:
            self.compare_all(gpu + "-w64", GFX9_ALONE)

    def test_long_waves_not_optimised(self):
        for gpu in self.GPUS:
            self.compare_all(gpu + "-w64-O0", GFX9_ALONE)


class ScalarFloats(Compared):
    """gfx1151: the kernels whose code has floats in scalar registers; gfx1200, which executes what gfx1201 does: the same ones."""

    # tests/kernels/meson.build has the same list.
    NAMES = ("dynamic-local", "gcd", "life", "mandelbrot", "queens")

    def compare_them(self, variant):
        for name in self.NAMES:
            with self.subTest(workload=name + variant):
                self.assertTrue(self.compare(name, variant))

    def test_short_waves(self):
        self.compare_them("-gfx1151")

    def test_long_waves(self):
        self.compare_them("-gfx1151-w64")

    def test_gfx1200(self):
        self.compare_them("-gfx1200")
        self.compare_them("-gfx1200-w64")


class Renamed(Compared):
    """gfx950, which clang 19 does not know: code of gfx942 is code of it, if it says so."""

    # Numbers of eight bits are other ones there, and those of 19 bits have gone.
    ALONE = {"matrix-narrow", "matrix-sparse"}

    def place(self, name):
        source = pathlib.Path(support.TREE.workload(name))
        workload = json.loads(source.read_text(encoding="utf-8"))
        for place in (workload, *workload.get("agents", [])):
            if "architecture" in place:
                place["architecture"] = "gfx950"
        for entry in workload["code_objects"]:
            code_object = entry["file"] if isinstance(entry, dict) else entry
            code = bytearray((source.parent / code_object).read_bytes().replace(b"--gfx942", b"--gfx950"))
            self.assertEqual(code[48], 0x4c)  # the machine in the header's flags
            code[48] = 0x4f
            (self.directory / code_object).write_bytes(code)
        renamed = self.directory / source.name
        renamed.write_text(json.dumps(workload), encoding="utf-8")
        return renamed

    def test_optimised(self):
        self.compare_all("", self.ALONE)

    def test_not_optimised(self):
        self.compare_all("-O0", self.ALONE)

    def test_refused(self):
        result = support.wavetape("simulate", self.place("matrix-narrow"))
        self.assertEqual(result.code, 1, result)
        self.assertIn("not implemented by the simulated GPU", result.stderr)


class Counts(Case):
    def test_text(self):
        self.wavetape("simulate", support.TREE.workload("vecadd"),
                      stdout="1 dispatch, 16 waves, 0 debug traps, 0 faults\n")
        self.wavetape("simulate", support.TREE.workload("two-kernels"),
                      stdout="3 dispatches, 40 waves, 0 debug traps, 0 faults\n")

    def test_debug_traps_are_resumed(self):
        for variant in support.VARIANTS:
            data = self.directory / "data"
            self.wavetape("simulate", support.TREE.workload("debug-trap" + variant), "--save",
                          f"data={data}", stdout="1 dispatch, 4 waves, 2 debug traps, 0 faults\n")
            self.assertEqual(u32(data), [5 * (i + 1) for i in range(256)])

    def test_two_runs_are_one(self):
        runs = [run_bytes(support.TREE.command, "simulate", support.TREE.workload("oob-load"),
                          "--json") for _ in range(2)]
        self.assertEqual(runs[0].returncode, 1)
        self.assertEqual(runs[0].stdout, runs[1].stdout)


class LocalMemory(Case):
    """A dispatch that asks for less than its kernel uses: 1200 bytes of numbers behind a total of 4."""

    def workload(self, size):
        workload = json.loads(support.TREE.workload("dynamic-local").read_text())
        workload["code_objects"] = [str(support.TREE.workload("dynamic-local").parent / name)
                                    for name in workload["code_objects"]]
        workload["dispatches"][0]["dynamic_group_bytes"] = size
        path = self.directory / f"asks-{size}.json"
        path.write_text(json.dumps(workload))
        return path

    def run_workload(self, size, *options):
        out = self.directory / "out"
        result = run_bytes(support.TREE.command, "simulate", self.workload(size), "--save", f"out={out}", *options)
        return result, u32(out)

    def test_inside_of_the_unit(self):
        """1104 bytes are in three units of 512: what these have beyond is the workgroup's own. It is told, and nothing is lost."""
        whole, expected = self.run_workload(1200)
        self.assertEqual((whole.returncode, whole.stderr), (0, b""))
        result, out = self.run_workload(1100)
        self.assertEqual(out, expected)
        self.assertEqual((result.returncode, result.stdout), (1, b"1 dispatch, 4 waves, 0 debug traps, 0 faults\n"))
        told = result.stderr.decode().splitlines()
        self.assertRegex(told[0], r"^wavetape: past the end of local memory, of which the workgroup has 1104 bytes: workgroup "
                                  r"\(0,0,0\) wave [01] writes at pc 0x[0-9a-f]+, lanes [0-9-]+, address 0x450; it goes on, as "
                                  "on hardware$")
        self.assertEqual(len(told), len({re.search("at pc (0x[0-9a-f]+)", line)[1] for line in told}))

    def test_behind_it(self):
        """512 bytes: of the numbers behind them 0 is read. Each instruction is told of once."""
        result, out = self.run_workload(500, "--json")
        report = json.loads(result.stdout)
        self.assertEqual((result.returncode, result.stderr), (1, b""))
        self.assertEqual((report["waves"], report["faults"]), (4, []))
        self.assertEqual({entry["write"] for entry in report["left_local"]}, {False, True})
        self.assertEqual(len({entry["pc"] for entry in report["left_local"]}), len(report["left_local"]))
        for group in range(2):
            window = [k * k + group if 4 + 4 * k + 4 <= 512 else 0 for k in range(300)]
            sums = [sum(window[(i * 7 + k * 31) % 300] for k in range(8)) for i in range(128)]
            total = sum(sums)
            self.assertEqual(out[128 * group : 128 * group + 128], [(each ^ total) & 0xFFFFFFFF for each in sums])


class Faults(Simulated):
    """Facts that follow from each workload and its source; both variants must show them."""

    def faults(self, name):
        for variant in support.VARIANTS:
            yield variant, self.simulated(name + variant, code=1)["faults"]

    def check_one(self, fault, workgroup, number, lanes):
        self.assertEqual(fault["workgroup"], workgroup)
        self.assertEqual(fault["number_in_workgroup"], number)
        if lanes is not None:
            self.assertEqual(int(fault["lanes"], 16), sum(1 << lane for lane in lanes))

    def test_reasons(self):
        for name, reason in support.FAULTS.items():
            for variant, faults in self.faults(name):
                reasons = {fault["stop_reason"] for fault in faults}
                self.assertEqual(reasons, {reason}, name + variant)

    def test_store(self):
        """Work-items 189 to 191, which are lanes 61 to 63 of wave 2, miss the buffer."""
        for variant, faults in self.faults("oob-store"):
            self.assertEqual(len(faults), 1, variant)
            self.check_one(faults[0], [0, 0, 0], 2, range(61, 64))
            self.assertEqual(int(faults[0]["address"], 16) % 4096, 4852 % 4096, variant)
            out = u32(self.directory / "out")
            for i in (*range(128), *range(192, 256)):
                self.assertEqual(out[i], 3 * i, variant)
            self.assertEqual(out[189:192], [0, 0, 0])

    def test_load(self):
        """Item 205 is the first whose index, 1025, lies past the 1024 elements."""
        for variant, faults in self.faults("oob-load"):
            self.assertEqual(len(faults), 1, variant)
            self.check_one(faults[0], [1, 0, 0], 1, range(13, 64))
            self.assertEqual(int(faults[0]["address"], 16) % 4096, 4100 % 4096, variant)

    def test_assert(self):
        for variant, faults in self.faults("assert-trap"):
            self.assertEqual(len(faults), 1, variant)
            self.check_one(faults[0], [3, 0, 0], 0, None)
            out = u32(self.directory / "out")
            self.assertEqual(out[:192], [i * i for i in range(192)])
            self.assertEqual(out[201:], [0] * 55)

    def test_illegal(self):
        for variant, faults in self.faults("illegal"):
            self.assertEqual(len(faults), 1, variant)
            self.check_one(faults[0], [2, 0, 0], 0, None)
            out = u32(self.directory / "out")
            expected = [(i ^ 0x5A5A5A5A) + (i // 64 != 2) for i in range(256)]
            self.assertEqual(out, expected, variant)

    def test_short_buffer(self):
        """Rows 32 to 63 of b do not exist; every wave gets there in its third tile.

        Four workgroups are on the device at a time, and none ends to make room for the next.
        """
        for variant, faults in self.faults("matmul-short-buffer"):
            waves = [(*fault["workgroup"], fault["number_in_workgroup"]) for fault in faults]
            self.assertEqual(sorted(waves), [(x, 0, 0, n) for x in range(4) for n in range(4)])
            for fault in faults:
                self.assertEqual(int(fault["lanes"], 16), 2**64 - 1)

    def test_text(self):
        result = support.wavetape("simulate", support.TREE.workload("oob-store"))
        self.assertEqual(result.code, 1)
        self.assertEqual(result.stdout, "1 dispatch, 4 waves, 0 debug traps, 1 fault\n")
        self.assertRegex(
            result.stderr,
            r"\Awavetape: a wave stopped: workgroup \(0,0,0\) wave 2: memory violation at pc "
            r"0x[0-9a-f]+, lanes 61-63, address 0x[0-9a-f]+2f4\n\Z")


if __name__ == "__main__":
    support.main(__doc__)
