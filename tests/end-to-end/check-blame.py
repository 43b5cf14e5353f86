# SPDX-License-Identifier: MIT
"""What is said of a fault whose cause is not the first thing that meets the eye: HIP programs with the agent in them.

Started as `check-blame.py --source DIRECTORY --build DIRECTORY [TEST...]`; the program is tests/driver/blamed.hip.
"""

import json
import re
import subprocess
import unittest

import support
from support import Case

SOURCE = "tests/driver/blamed.hip"
PATIENCE = 240  # seconds: the runtime compiles kernels of its own at first

# By what the program is asked to do: the source line that is to be blamed, what the first line of `info` calls it, and the cause with
# addresses left out; None where no cause may be named.
BLAMED = {
    "two": ("float value = table[threadIdx.x];", "memory violation", "freed: the kernel argument table is ADDRESS, in a buffer that the program has freed"),
    "host": ("= layer[threadIdx.x];", "memory violation",
             "memory of the host: the pointer that was loaded from layers[2], ADDRESS, at blamed.hip:{layers[blockIdx.x]} is ADDRESS, in the "
             "program's own memory from ADDRESS to ADDRESS, which the GPU has no access to"),
    "freed": ("chosen.target[i] = chosen.source[i] + 1;", "memory violation",
              "freed: the pointer that was loaded from nodes[1].target, ADDRESS, at blamed.hip:{node chosen = nodes[which]} is ADDRESS, in a buffer "
              "that the program has freed"),
    "limit": ("out[i] = 2;", "memory violation",
              "wrong limit: work-item 262336 stores to out[262336], but count is 262144, and the comparison of blamed.hip:{if (i < last)} with "
              "last, which is 524288, lets it pass"),
    "registered": ("registered[threadIdx.x] + plain", "memory violation",
                   "memory of the host: the kernel argument plain is ADDRESS, in the program's own memory from ADDRESS to ADDRESS, which the "
                   "GPU has no access to"),
    "heap": ("out[index] = 2;", "memory violation",
             "memory of the host: the kernel argument out is ADDRESS, in [heap], the program's own memory from ADDRESS to ADDRESS, which the "
             "GPU has no access to"),
    "end": ("out[index] = 2;", "memory violation",
            "past the end: lane 0 stores to out[262150], 7 elements of 4 bytes past the last one that is mapped, out[262143]; its index "
            "was made from index, which is 262150"),
    "block": ("out[index] = 2;", "memory violation",
              "past the end: lane 0 stores to out[262144], 129 elements of 4 bytes past the last one that is mapped, out[262015]; its index "
              "was made from index, which is 262144"),
    "bins": ("atomicAdd(&bins[key[", "memory violation",
             "past the end: lane 8 updates bins[262305], 162 elements of 4 bytes past the last one that is mapped, bins[262143]; its index was "
             "loaded from key[5000] at blamed.hip:{atomicAdd(&bins[key[}"),
    "columns": ("sum += in[columns[i]];", "memory violation",
                "far past the end: lane 32 loads from in[268435456], and the last element of 8 bytes that is mapped is in[131071]; its index was "
                "loaded from columns[16001] at blamed.hip:{sum += in[columns[i]];}"),
    "places": ("out[places[i]] = 2;", "memory violation",
               "far before the start: lane 41 stores to out[-370370366]; its index was loaded from places[9001] at blamed.hip:{out[places[i]] = 2;}"),
    "jump": ("chosen(threadIdx.x);", "memory violation",
             "no code: the wave jumped at blamed.hip:{chosen(threadIdx.x)} to ADDRESS, where no code is: that is the pointer that was loaded from "
             "operations[1], ADDRESS, at blamed.hip:{operation chosen = operations[1]}"),
    "trap": ("__builtin_trap();", "assert trap", "gave up: the code itself traps at blamed.hip:{__builtin_trap();}"),
}


ALLOCATE = "if (hipMalloc(&memory, count * sizeof(T)) != hipSuccess)"
RELEASE = "if (hipFree(memory) != hipSuccess)"
MADE = f"allocated by hipMalloc in {{{ALLOCATE}}} from"
GONE = f"freed TIME before by hipFree in {{{RELEASE}}} from"
OUT = "{float *out = allocate<float>(1 << 18);}"

# Whose memory the address is, and what is said of an argument.
MEMORY = {
    "two": (f"ADDRESS is the start of a buffer of 4194304 bytes, {GONE} {{release(table);}}, {MADE} "
            "{float *table = allocate<float>(1 << 20);}", "table = ADDRESS (freed), factors = ADDRESS, out = ADDRESS (1048576 bytes)"),
    "freed": (f"ADDRESS is 768 bytes into a buffer of 4194304 bytes, {GONE} {{release(target);}}, {MADE} "
              "{float *target = allocate<float>(1 << 20);}", "nodes = ADDRESS (48 bytes), which = 1"),
    "host": ("ADDRESS is the program's own memory, from ADDRESS to ADDRESS: a kernel needs memory of hipMalloc, or pinned memory",
             "layers = ADDRESS (32 bytes)"),
    "heap": ("ADDRESS is the program's heap, from ADDRESS to ADDRESS: a kernel needs memory of hipMalloc, or pinned memory",
             "out = ADDRESS (the program's own memory), index = 3"),
    "registered": ("ADDRESS is the program's own memory, from ADDRESS to ADDRESS: a kernel needs memory of hipMalloc, or pinned memory",
                   "registered = ADDRESS (2097152 bytes), plain = ADDRESS (the program's own memory)"),
    "end": (f"ADDRESS is 24 bytes past the end of a buffer of 1048576 bytes, {MADE} {OUT}", "out = ADDRESS (1048576 bytes), index = 262150"),
    "search": (f"ADDRESS is the first byte past the end of a buffer of 1048576 bytes, {MADE} {OUT}", "text = ADDRESS (1048576 bytes), found = ADDRESS (1048576 bytes)"),
    "pool": ("ADDRESS is 24 bytes past the end of a block of 4096 bytes, handed out by pool", "out = ADDRESS (4096 bytes), index = 1030"),
    "block": (f"ADDRESS is 512 bytes past the end of a buffer of 1048576 bytes, {MADE} {OUT}",
              "out = ADDRESS (512 into 1048576 bytes), index = 262144"),
}


def line_of(text):
    lines = (support.TREE.source / SOURCE).read_text(encoding="utf-8").splitlines()
    number, = (number for number, line in enumerate(lines, 1) if text in line)
    return number


class Blame(Case):
    def setUp(self):
        super().setUp()
        self.skip_with_sanitizer()

    def record(self, name, *options, words=""):
        """What the agent says, and the trace. @options: of the device. @words: of the recording."""
        trace = self.directory / f"{name}.wtape"
        environment = support.environment(WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], WAVETAPE_AGENT=f"output={trace}",
                                          WAVETAPE_OPTIONS=words, HIP_HRR_CAPTURE_OUTPUT=str(self.directory),
                                          HSA_TOOLS_LIB=str(support.TREE.agent))
        result = subprocess.run([support.TREE.command, "device", *options, "--", support.TREE.build / "tests/driver/blamed-O2", name],
                                capture_output=True, text=True, timeout=PATIENCE, check=False, env=environment, stdin=subprocess.DEVNULL)
        told, = (line for line in result.stderr.splitlines() if line.startswith("wavetape: "))
        return told, trace

    def info(self, trace, *options):
        return subprocess.run([support.TREE.command, "info", *options, trace], capture_output=True, text=True, check=True).stdout

    def crash(self, trace):
        """The lines from the crash on, by their label; what continues one stands behind it."""
        text = self.info(trace)
        lines, label = {}, None
        for line in text[text.index("\ncrash ") + 1:].splitlines():
            if line[:1].strip():
                label, line = line[:13].strip(), line[13:]
            lines[label] = f"{lines[label]} {line.strip()}" if label in lines else line.strip()
        return lines

    def test_what_failed_is_blamed(self):
        for name, (text, reason, cause) in BLAMED.items():
            with self.subTest(program=name):
                told, trace = self.record(name)
                line = line_of(text)
                self.assertRegex(told, rf"^wavetape: GPU fault: {reason} in kernel .+\), blamed\.hip:{line}: ")
                crash = self.crash(trace)
                self.assertTrue(crash["crash"].startswith(f"{reason} in kernel "), crash["crash"])
                self.assertRegex(crash["at"], rf"blamed\.hip:{line}[:,]")
                self.assertNotIn("not certain", crash["instruction"])
                cause = re.sub(r"\{(.*?)\}", lambda match: str(line_of(match[1])), cause)
                # Older compilers call an argument that they have passed in another form so.
                said = re.sub(r"0x[0-9a-f]+", "ADDRESS", crash["cause"].replace(".coerce", ""))
                self.assertEqual(said, cause)

    def test_a_trap_is_where_it_is(self):
        _, trace = self.record("trap")
        self.assertRegex(self.crash(trace)["instruction"], r": s_trap 2$")

    def test_no_code_is_no_instruction(self):
        _, trace = self.record("jump")
        fault, = json.loads(self.info(trace, "--json"))["faults"]
        self.assertEqual(fault["pc"], "0x7000000000f0")
        self.assertIsNone(fault["code"]["instruction"])

    def test_past_local_memory(self):
        """Where the device does what hardware does, the pointer that was read there is 0."""
        _, trace = self.record("past-local", "--local-memory", "hardware")
        self.assertRegex(self.crash(trace)["at"], rf"blamed\.hip:{line_of('row[threadIdx.x] = 3;')}:")
        explained = subprocess.run([support.TREE.command, "explain", trace], capture_output=True, text=True, check=True).stdout
        step, = re.findall(r"^.*ds_read_b64.*(?:\n .*)*", explained, re.MULTILINE)
        self.assertIn("0, read past the 512 bytes of local memory that the workgroup was given", " ".join(step.split()))

    def test_whose_memory_it_is(self):
        for name, (memory, arguments) in MEMORY.items():
            with self.subTest(program=name):
                _, trace = self.record(name)
                for verb in "info", "explain":
                    text = subprocess.run([support.TREE.command, verb, trace], capture_output=True, text=True, check=True).stdout
                    said, = re.findall(r"^memory       (.*(?:\n {13}\S.*)*)", text, re.MULTILINE)
                    said = re.sub(r"0x[0-9a-f]+", "ADDRESS", " ".join(said.split()))
                    said = re.sub(r"freed [0-9.]+ m?s before", "freed TIME before", said)
                    self.assertEqual(said, re.sub(r"\{(.*?)\}", lambda match: f"blamed.hip:{line_of(match[1])}", memory))
                    self.assertIn(re.sub(r"0x[0-9a-f]+", "ADDRESS", text).count(arguments), (1, 2))

    def test_memory_in_json(self):
        _, trace = self.record("two")
        explained, = json.loads(self.info(trace, "--json"))["explanations"]
        memory = explained["memory"]
        self.assertEqual((memory["kind"], memory["distance"], memory["bytes"], memory["memory"], memory["agent"]),
                         ("freed", 0, 4 << 20, "device", "gfx90a"))
        for call, function, text in (("allocated", "hipMalloc", ALLOCATE), ("freed", "hipFree", RELEASE)):
            self.assertEqual(memory[call]["function"], function)
            self.assertRegex(memory[call]["file"], r"/blamed\.hip$")
            self.assertEqual(memory[call]["line"], line_of(text))
        self.assertEqual([argument.get("memory") for argument in explained["arguments"] if not argument["hidden"]],
                         ["freed", None, "1048576 bytes"])
        host = json.loads(subprocess.run([support.TREE.command, "host", "--json", trace], capture_output=True, text=True, check=True).stdout)
        self.assertTrue(host["allocations_known"])
        self.assertTrue(host["memory_closed"])
        gone, = (allocation for allocation in host["allocations"] if allocation["freed"])
        self.assertEqual((gone["bytes"], gone["kind"], gone["allocated"]["function"], gone["freed"]["function"]),
                         (4 << 20, "device", "hsa_amd_memory_pool_allocate", "hsa_amd_memory_pool_free"))
        self.assertLess(gone["allocated"]["time"], gone["freed"]["time"])
        frames = host["stacks"][gone["freed"]["stack"] - 1]
        self.assertIn(("hipFree", None), [(frame["symbol"], frame.get("line")) for frame in frames])
        self.assertIn(line_of(RELEASE), [frame.get("line") for frame in frames])

    def test_nothing_of_it_where_memory_is_left_out(self):
        _, trace = self.record("two", words="redact")
        host = json.loads(subprocess.run([support.TREE.command, "host", "--json", trace], capture_output=True, text=True, check=True).stdout)
        self.assertNotIn("allocations", host)
        self.assertNotIn("memory", self.crash(trace))

    def test_what_ran_before(self):
        _, trace = self.record("end")
        text = self.info(trace)
        self.assertRegex(text, r"\n\nkernels      of queue q\d+ \(the driver's \d+\)\n"
                               r"  0          ran     fill, grid 1024 x 1 x 1, workgroup 64 x 1 x 1\n"
                               r"  1          ran     fill, grid 2048 x 1 x 1, workgroup 64 x 1 x 1\n"
                               r"  2          failed  store_at, grid 1 x 1 x 1, workgroup 1 x 1 x 1\n")
        packets = json.loads(self.info(trace, "--json"))["dispatched"][0]["packets"]
        self.assertEqual([(packet["packet"], packet["state"], packet["grid"]) for packet in packets],
                         [(0, "ran", [1024, 1, 1]), (1, "ran", [2048, 1, 1]), (2, "failed", [1, 1, 1])])
        self.assertEqual(len({packet["arguments"] for packet in packets}), 3)

    def test_much_that_ran_before(self):
        _, trace = self.record("many")
        lines = self.info(trace).split("\nkernels ")[1].splitlines()
        self.assertEqual([line.split(",")[0].split() for line in lines[1:]],
                         [["37", "ran", "fill"], ["38", "ran", "fill"], ["39", "ran", "fill"], ["40", "failed", "store_at"]])
        self.assertRegex(lines[0], r"^     of queue q\d+ \(the driver's \d+\); 29 more: --all$")
        lines = self.info(trace, "--all").split("\nkernels ")[1].splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:]], [str(number) for number in range(8, 41)])
        self.assertIn("grid 576 x 1 x 1", lines[1])


if __name__ == "__main__":
    support.main(__doc__)
