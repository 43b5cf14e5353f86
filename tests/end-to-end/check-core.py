# SPDX-License-Identifier: MIT
"""GPU core dumps: `simulate --core` writes them, `record --core` makes traces of them."""

import itertools
import json
import os
import pathlib
import re
import struct
import subprocess

import support
from support import FAULTS, wavetape

HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SEGMENT = struct.Struct("<IIQQQQQQ")
PT_LOAD, PT_NOTE = 1, 4
ET_CORE, EM_X86_64, EM_AMDGPU = 4, 62, 224
PN_XNUM = 0xFFFF
IDENT = b"\x7fELF\x02\x01\x01" + bytes(9)
PAGE = 4096
BUFFERS, ARGUMENTS, OF_QUEUES = 0x21, 0x22, 0x23  # of the simulated GPU's addresses, from bit 40 on
SIGNAL = 64  # bytes of the signal that the end of a dispatch is told by, which is with the queues
FULL = "the core is a full one: {} bytes of it are of neither queues, waves nor code\n"
LIGHT = "the core is a lightweight one: it has queues, waves and code, and no memory that pointers lead to\n"
SILENT = ("; it names no exception, as one that was written without the driver's interface for debuggers: why waves stopped is told by the "
          "waves alone\n")


def note(owner, kind, data):
    name = owner + b"\0"
    return (struct.pack("<III", len(name), len(data), kind) + name + bytes(-len(name) % 4) + data
            + bytes(-len(data) % 4))


def read_core(path):
    """The note's bytes and the memory of a core file: [(address, bytes)]."""
    data = pathlib.Path(path).read_bytes()
    header = HEADER.unpack_from(data)
    state, memory = None, []
    for i in range(header[10]):
        kind, _, offset, address, _, size, _, _ = SEGMENT.unpack_from(data, header[5] + 56 * i)
        if kind == PT_LOAD:
            memory.append((address, data[offset:offset + size]))
        elif kind == PT_NOTE:
            name, length, number = struct.unpack_from("<III", data, offset)
            assert (name, number) == (7, 33), (name, number)
            state = data[offset + 20:offset + 20 + length]
    return state, memory


def write_core(path, notes, memory, machine=EM_AMDGPU, extended=False, kind=ET_CORE, ident=IDENT):
    """A core file of notes (bytes each) and memory, byte by byte of our own making."""
    count = len(notes) + len(memory)
    offset = HEADER.size + SEGMENT.size * count + 64 * extended
    segments, places = [], []
    for data in notes:
        segments.append(SEGMENT.pack(PT_NOTE, 0, offset, 0, 0, len(data), 0, 4))
        places.append((offset, data))
        offset += len(data)
    for address, data in memory:
        offset = (offset + PAGE - 1) // PAGE * PAGE
        segments.append(SEGMENT.pack(PT_LOAD, 6, offset, address, 0, len(data), len(data), PAGE))
        places.append((offset, data))
        offset += len(data)
    sections = HEADER.size + SEGMENT.size * count
    with open(path, "wb") as file:
        file.write(HEADER.pack(ident, kind, machine, 1, 0, HEADER.size,
                               sections if extended else 0, 0, HEADER.size, SEGMENT.size,
                               PN_XNUM if extended else count, 64, 1 if extended else 0, 0))
        for segment in segments:
            file.write(segment)
        if extended:
            # The section header that has the number of segments in its sh_info.
            file.write(struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, 0, 0, count, 0, 0))
        for place, data in places:
            file.seek(place)
            file.write(data)


class CoreCase(support.Case):
    cores = {}

    def core(self, name):
        """A core of a workload, made once; tests must not change it."""
        if name not in self.cores:
            path = support.TREE.temporary / f"{name}.core"
            result = wavetape("simulate", support.TREE.workload(name), "--core", path)
            self.assertIn(result.code, (0, 1), result.stderr)
            self.cores[name] = path
        return self.cores[name]

    def record(self, core, *arguments, code=0, stderr="", **options):
        trace = self.directory / "core.wtape"
        trace.unlink(missing_ok=True)
        self.wavetape("record", "--reproducible", "--core", core, "-o", trace, *arguments,
                      code=code, stderr=stderr, **options)
        return trace

    def waves(self, trace, stop=()):
        """Waves by where they are in the grid, without their numbers."""
        found = {}
        for wave in self.json("waves", trace, *stop)["waves"]:
            place = (tuple(wave["workgroup"]), wave["number_in_workgroup"],
                     wave.get("kernel"))
            registers = self.json("registers", trace, *stop, "--wave", wave["wave"])["registers"]
            del wave["wave"]
            self.assertNotIn(place, found)
            found[place] = wave, {item["name"]: item for item in registers}
        return found


    def is_data(self, address, data):
        """The simulated GPU has a place for each kind of memory."""
        kind = address >> 40
        return kind in (BUFFERS, ARGUMENTS) or (kind == OF_QUEUES and len(data) == SIGNAL)

    def data_bytes(self, core):
        return sum(len(data) for address, data in read_core(core)[1] if self.is_data(address, data))


class Same(CoreCase):
    """A core has what a recording of the program itself has at the stop with the fault."""

    # Trap temporaries that are not the program's: a debugger keeps its number of the wave in the
    # first, and the trap handlers of gfx90a and gfx12 the pc of a stopped wave in the others.
    OWN = {"": ["ttmp4"], "-gfx90a": ["ttmp4", "ttmp7", "ttmp11"], "-gfx1201": ["ttmp4", "ttmp10", "ttmp11"],
           "-gfx1201-w64-O0": ["ttmp4", "ttmp10", "ttmp11"]}

    def compare(self, name, variant):
        live = self.trace(name + variant)
        trace = self.record(self.core(name + variant))
        waves, expected = self.waves(trace), self.waves(live)
        self.assertEqual(waves.keys(), expected.keys())
        self.assertTrue(waves)
        for place, (wave, registers) in waves.items():
            self.assertEqual(wave, expected[place][0], place)
            self.assertGreater(len(registers), 40)
            for register in self.OWN[variant]:
                del registers[register], expected[place][1][register]
            self.assertEqual(registers, expected[place][1], place)
        return trace, live

    def check_workload(self, name, variant):
        trace, live = self.compare(name, variant)
        info, expected = self.json("info", trace), self.json("info", live)
        self.assertEqual((info["stops"], info["stop"]), (1, 1))
        # Lists of a core are in another order.
        for faults in info["faults"], expected["faults"]:
            faults.sort(key=lambda fault: (fault["workgroup"], fault["number_in_workgroup"]))
            for fault in faults:
                del fault["wave"]
        self.assertEqual(info["faults"], expected["faults"])
        self.assertIn(FAULTS[name], info["faults"][0]["stop_reason"])
        code = self.json("code-objects", trace)["code_objects"]
        live_code = self.json("code-objects", live)["code_objects"]
        self.assertEqual([(item["uri"], item["load_address"], item["bytes"]) for item in code],
                         [(item["uri"], item["load_address"], item["bytes"])
                          for item in live_code])
        self.assertRegex(self.wavetape("verify", "--fixpoint", trace),
                         r"compared: 0 differences\nrecording the replay gives the same trace: yes \(0 differences\)\n\Z")

    def test_gfx942(self):
        for name in support.share(FAULTS):
            self.check_workload(name, "")

    def test_gfx90a(self):
        for name in support.share(("assert-trap", "matmul-short-buffer", "oob-load")):
            self.check_workload(name, "-gfx90a")

    def test_gfx1201(self):
        for name, variant in support.share((("oob-load", "-gfx1201"), ("assert-trap", "-gfx1201-w64-O0"))):
            self.check_workload(name, variant)

    def test_memory(self):
        """Buffers and what pointers point to are in both; the core's own save areas in one."""
        trace, live = self.record(self.core("oob-load")), self.trace("oob-load")
        for address in ("0x210000000000", "0x220000000000"):
            there = [self.directory / "there", self.directory / "here"]
            for path, source in zip(there, (live, trace)):
                self.wavetape("memory", source, address, "64", "-o", path, stdout="")
            self.assertEqual(there[0].read_bytes(), there[1].read_bytes())

    def test_nothing_runs(self):
        """A program that has ended leaves a core without waves."""
        core = self.core("vecadd")
        trace = self.directory / "core.wtape"
        self.wavetape("record", "--core", core, "-o", trace,
                      stdout="0 waves, none of which stopped by itself\n" + FULL.format(self.data_bytes(core)))
        self.assertEqual(self.json("waves", trace)["waves"], [])

    def test_summary(self):
        core, trace = self.core("matmul-short-buffer"), self.directory / "core.wtape"
        self.wavetape("record", "--core", core, "-o", trace,
                      stdout="4 of 16 waves stopped: memory violation\n" + FULL.format(self.data_bytes(core)))
        summary = self.json("record", "--core", core, "-o", trace)
        size = sum(len(data) for _, data in read_core(core)[1])
        self.assertEqual(summary, {
            "format": 3, "file": str(trace), "end": "core", "agents": 1, "queues": 1, "dispatches": 1,
            "code_objects": 1, "waves": 16, "stopped_waves": 4, "reasons": "MEMORY_VIOLATION",
            "memory_bytes": size, "missing_bytes": 0, "missing_code_objects": 0, "kind": "full", "driver": "1.16",
            "without_debugger": False, "data_bytes": self.data_bytes(core),
        })

    def test_other_library(self):
        """--dbgapi says which library reads the core; what was recorded is the same."""
        core, library = self.core("oob-load"), support.TREE.libraries["simulated"]
        own = self.record(core).read_bytes()
        self.assertEqual(self.record(core, "--dbgapi", library).read_bytes(), own)
        # Nor does a workload of the environment matter.
        self.assertEqual(self.record(core, WAVETAPE_WORKLOAD="/no/such/file").read_bytes(), own)

    def test_progress(self):
        core, trace = self.core("oob-load"), self.directory / "core.wtape"
        result = wavetape("record", "--core", core, "--progress", "-o", trace)
        self.assertEqual(result.code, 0)
        self.assertRegex(result.stderr, r"\A(\r\x1b\[K[^\n]*)*\Z")

    def core_of_copies(self):
        """A core of a program whose files may be changed, and where these are."""
        kernels = self.directory / "kernels"
        kernels.mkdir()
        for name in ("oob-load.json", "oob-load.co"):
            (kernels / name).write_bytes((support.TREE.kernels / name).read_bytes())
        core = self.directory / "core"
        wavetape("simulate", kernels / "oob-load.json", "--core", core)
        return kernels, core

    def test_missing_code_object(self):
        kernels, core = self.core_of_copies()
        (kernels / "oob-load.co").unlink()
        trace = self.record(core, code=3, stderr=(
            f"wavetape: a code object is missing: {kernels}/oob-load.co: the trace has no code of "
            "it\n"))
        self.assertEqual(len(self.waves(trace)), 4)

    def test_generic_code(self):
        """Code can be for several architectures. The trace says of what, whether or not a client has asked."""
        kernels, core = self.core_of_copies()
        data = bytearray((kernels / "oob-load.co").read_bytes())
        for machine in (0x5F, 0x54, 0x4F):  # gfx9-4-generic, gfx11-generic, gfx950
            with self.subTest(machine=machine):
                data[48] = machine
                (kernels / "oob-load.co").write_bytes(data)
                trace = self.record(core)
                self.assertRegex(self.wavetape("info", trace, stdout=None), r"(?m)^device       gfx942, ")
                known = support.run(support.TREE.command, "replay", trace, "--",
                                    support.TREE.build / "tests/end-to-end/gdb-client", "--script", "kill")
                self.assertRegex(known.stdout, f"(?m)^architectures known: .* 0x4c .*{machine:#x}( |$)")


class Shapes(CoreCase):
    """What cores of other makers look like."""

    def setUp(self):
        super().setUp()
        self.state, self.memory = read_core(self.core("oob-load"))
        self.expected = self.record(self.core("oob-load")).read_bytes()
        self.path = self.directory / "core"

    def check_same(self, *arguments, **options):
        trace = self.record(self.path, *arguments, **options)
        self.assertEqual(trace.read_bytes(), self.expected)

    def test_same(self):
        write_core(self.path, [note(b"AMDGPU", 33, self.state)], self.memory)
        self.check_same()

    def test_gfx950(self):
        """Its waves are saved as those of gfx942, and have the same registers."""
        gfx942, gfx950 = (number.to_bytes(4, "little") for number in (90402, 90500))
        self.assertEqual(self.state.count(gfx942), 1)
        write_core(self.path, [note(b"AMDGPU", 33, self.state.replace(gfx942, gfx950))], self.memory)
        trace, plain = self.record(self.path), self.directory / "plain.wtape"
        plain.write_bytes(self.expected)
        self.assertRegex(self.wavetape("info", trace, stdout=None), r"(?m)^device       gfx950, ")
        for verb in ("registers", "waves"):
            with self.subTest(verb=verb):
                shown, expected = (self.wavetape(verb, of, "--json", stdout=None).replace(str(of), "")
                                   for of in (trace, plain))
                self.assertEqual(re.sub(r'"decoded_as": "gfx942",\s*', "", shown), expected)

    def test_merged(self):
        """A host's core with the GPU's in it: its notes, its memory, and its machine."""
        notes = [note(b"CORE", 1, bytes(336)) + note(b"LINUX", 0x53494749, bytes(128)),
                 note(b"CORE", 6, b"x" * 33) + note(b"AMDGPU", 32, b"another")
                 + note(b"AMDGPU", 33, self.state) + note(b"CORE", 3, bytes(7))]
        host = [(0x400000 + PAGE * i, bytes([i]) * PAGE) for i in range(40)]
        write_core(self.path, notes, host + self.memory[::-1], machine=EM_X86_64)
        self.check_same()

    def test_many_segments(self):
        """More than the header has room to count."""
        host = [(0x400000 + 2 * PAGE * i, b"") for i in range(0x10010)]
        notes = [note(b"AMDGPU", 33, self.state)]
        write_core(self.path, notes, host + self.memory, extended=True)
        self.check_same()

    def test_touching_segments(self):
        pieces = []
        for address, data in self.memory:
            for start in range(0, len(data), 700):
                pieces.append((address + start, data[start:start + 700]))
        write_core(self.path, [note(b"AMDGPU", 33, self.state)], pieces)
        self.check_same()

    def test_pipes(self):
        write_core(self.path, [note(b"AMDGPU", 33, self.state)], self.memory)
        fifo = self.directory / "fifo"
        os.mkfifo(fifo)
        for name in ("-", "/dev/stdin", fifo):
            with subprocess.Popen(["cat", self.path], stdout=subprocess.PIPE) as cat, \
                    subprocess.Popen(["cp", "--", self.path, fifo]
                                     if name == fifo else ["true"]):
                trace = self.directory / "pipe.wtape"
                self.wavetape("record", "--reproducible", "--core", name, "-o", trace,
                              stdin=cat.stdout, TMPDIR=self.directory)
            self.assertEqual(trace.read_bytes(), self.expected)
        self.assertEqual(sorted(path.name for path in self.directory.iterdir()),
                         ["core", "core.wtape", "fifo", "pipe.wtape"])
        with subprocess.Popen(["cat", self.path], stdout=subprocess.PIPE) as cat:
            absent = self.directory / "absent"
            self.wavetape("record", "--core", "-", "-o", trace, stdin=cat.stdout, TMPDIR=absent,
                          code=1, stderr="wavetape: cannot keep what comes through the pipe: "
                          f"{absent}: No such file or directory\n")
            cat.stdout.read()


class Kinds(CoreCase):
    """How a core was written: with memory of data or without, and by the driver's interface for debuggers or without."""

    NAMES = ("oob-load", "matmul-short-buffer-gfx90a", "assert-trap")

    def written(self, name, light=False, silent=False, machine=EM_AMDGPU):
        state, memory = read_core(self.core(name))
        if light:
            memory = [(address, data) for address, data in memory if not self.is_data(address, data)]
        if silent:
            state = bytearray(state)
            agents, agent_size, queues, queue_size = struct.unpack_from("<IIII", state, 24)
            struct.pack_into("<Q", state, 8, 1 | 18 << 32)
            start = self.agents_at(state)
            for i in range(agents):
                struct.pack_into("<Q", state, start + i * agent_size, 0)
            for i in range(queues):
                struct.pack_into("<Q", state, start + agents * agent_size + i * queue_size, 0)
        path = self.directory / "kind.core"
        write_core(path, [note(b"AMDGPU", 33, bytes(state))], memory, machine=machine)
        return path

    def agents_at(self, state):
        """Behind the head, and the state of the runtime."""
        return 40 + struct.unpack_from("<Q", state, 16)[0]

    def test_lightweight(self):
        """Waves, their registers, kernels and lines are there; values behind pointers are not."""
        for name in self.NAMES:
            core, trace = self.written(name, light=True), self.directory / "light.wtape"
            full = self.json("info", self.record(self.core(name)))
            result = wavetape("record", "--core", core, "-o", trace)
            self.assertEqual(result.stdout.splitlines()[1] + "\n", LIGHT)
            self.assertIn(result.code, (0, 3))
            self.assertEqual(self.without_lanes(trace), self.without_lanes(self.record(self.core(name))))
            text = support.wavetape("info", trace).stdout
            # That memory is not in such a core says nothing of whether it was there.
            self.assertNotIn("mapped", text)
            self.assertNotIn("no memory", text)
            self.assertEqual([(fault["kernel"], fault["code"].get("source")) for fault in self.json("info", trace)["faults"]],
                             [(fault["kernel"], fault["code"].get("source")) for fault in full["faults"]])
            self.assertEqual(self.json("verify", trace)["differences"]["count"], 0)

    def without_lanes(self, trace):
        """Waves with their registers; without what is worked out from memory."""
        found = self.waves(trace)
        for wave, _ in found.values():
            wave.pop("access", None)
        return found

    def test_without_debugger(self):
        """Reasons are those of the waves."""
        for name in self.NAMES:
            for light in (False, True):
                core, trace = self.written(name, light=light, silent=True), self.directory / "silent.wtape"
                summary = json.loads(wavetape("record", "--core", core, "-o", trace, "--json").stdout)
                self.assertEqual((summary["driver"], summary["without_debugger"], summary["kind"]),
                                 ("1.18", True, "lightweight" if light else "full"))
                self.assertEqual(self.without_lanes(trace), self.without_lanes(self.record(self.core(name))))
                text = wavetape("record", "--core", core, "-o", trace).stdout.splitlines(keepends=True)[1]
                self.assertTrue(text.endswith(SILENT), text)

    def test_merged(self):
        result = wavetape("record", "--core", self.written("oob-load", machine=EM_X86_64), "-o", self.directory / "t.wtape")
        self.assertEqual(result.stdout.splitlines()[1], "the core is that of the process, with the GPUs' state in it")


class Cut(CoreCase):
    """A core that ends early is read as far as it goes, and what is missing is told."""

    def check_length(self, data, length):
        core = self.directory / "cut.core"
        core.write_bytes(data[:length])
        trace = self.directory / "cut.wtape"
        trace.unlink(missing_ok=True)
        result = wavetape("record", "--core", core, "-o", trace)
        self.assertRegex(result.stderr, r"\A(wavetape: [^\n]+\n)+\Z")
        self.assertIn(result.code, (1, 3), result.stderr)
        if result.code == 1:
            self.assertIn(str(core), result.stderr)
            return None
        self.assertRegex(result.stderr,
                         r"wavetape: the core file is cut off: \S+: \d+ of \d+ bytes of memory "
                         r"are missing, the first at 0x[0-9a-f]+\n\Z")
        self.wavetape("check", trace)
        return len(self.json("waves", trace)["waves"])

    def test_lengths(self):
        data = self.core("matmul-short-buffer").read_bytes()
        whole = self.check_length(data, len(data) - 1)
        seen = {self.check_length(data, len(data) * i // 24) for i in range(24)}
        # The last bytes of the file are above the first wave. From nothing at all, by a core that
        # has only memory, to most of the waves.
        self.assertEqual(whole, 16)
        self.assertIn(None, seen)
        self.assertIn(0, seen)
        self.assertTrue(any(waves and waves < 16 for waves in seen), seen)

    def test_in_the_head(self):
        """Everything before the memory is needed."""
        data = self.core("oob-load").read_bytes()
        end = data.index(b"AMDGPU\0") + 8 + 240
        for length in itertools.chain((0, 1, 4, 16, 63, 64, 100, 300), (end - 241, end - 1)):
            self.assertIsNone(self.check_length(data, length), length)
        self.assertEqual(self.check_length(data, end), 0)

    def test_pipe(self):
        data = self.core("matmul-short-buffer").read_bytes()
        half = self.directory / "half"
        half.write_bytes(data[:len(data) - 9000])
        trace = self.directory / "cut.wtape"
        with subprocess.Popen(["cat", half], stdout=subprocess.PIPE) as cat:
            result = wavetape("record", "--core", "-", "-o", trace, stdin=cat.stdout)
        self.assertEqual(result.code, 3, result.stderr)
        self.assertIn("wavetape: the core file is cut off: -: 9000 of ", result.stderr)


class HostCore(CoreCase):
    """AMD's runtime writes what is the GPUs' into a file of its own; the rest is in the kernel's core of the process."""

    R_DEBUG = 40  # where the note has the address of the list of code objects

    def setUp(self):
        super().setUp()
        self.merged = self.core("oob-load")
        self.state, memory = read_core(self.merged)
        start, = struct.unpack_from("<Q", self.state, self.R_DEBUG)
        self.list = [(address, data) for address, data in memory if address <= start < address + len(data)]
        self.gpu, self.host = self.directory / "gpucore.1", self.directory / "core"
        self.memory = [part for part in memory if part not in self.list]
        self.assertTrue(self.list and self.memory)
        write_core(self.gpu, [note(b"AMDGPU", 33, self.state)], self.memory)
        # Of the device's memory it has another state: the process went on, and what the GPUs' file has holds.
        stale = [(address, bytes(len(data))) for address, data in self.memory]
        write_core(self.host, [note(b"CORE", 1, bytes(336))], self.list + stale, machine=EM_X86_64)

    def test_both(self):
        trace = self.record(self.gpu, "--host-core", self.host)
        waves = self.waves(trace)
        self.assertEqual(waves, self.waves(self.trace_of_merged()))
        self.assertEqual({place[2] for place in waves}, {"oob_load"})
        self.assertEqual(len(self.json("code-objects", trace)["code_objects"]), 1)

    def trace_of_merged(self):
        trace = self.directory / "merged.wtape"
        self.wavetape("record", "--core", self.merged, "-o", trace, stderr="")
        return trace

    def test_alone(self):
        """Without the list nobody knows what the code is."""
        said = r"\Awavetape: the library says: cannot read the list of code objects: link map at 0x[0-9a-f]+: r_debug cannot be read\n\Z"
        trace = self.directory / "alone.wtape"
        result = wavetape("record", "--core", self.gpu, "-o", trace)
        self.assertEqual(result.code, 3)
        self.assertRegex(result.stderr, said)
        self.assertEqual(self.json("code-objects", trace)["code_objects"], [])
        self.assertEqual({place[2] for place in self.waves(trace)}, {None})

    def test_pipe(self):
        trace = self.directory / "piped.wtape"
        with subprocess.Popen(["cat", self.host], stdout=subprocess.PIPE) as cat:
            self.assertEqual(wavetape("record", "--core", self.gpu, "--host-core", "-", "-o", trace, stdin=cat.stdout).code, 0)
        self.assertEqual(self.waves(trace), self.waves(self.trace_of_merged()))

    def test_cut(self):
        """What is missing of the host's file is told as of the other."""
        data = self.host.read_bytes()
        self.host.write_bytes(data[:len(data) - 5000])
        result = wavetape("record", "--core", self.gpu, "--host-core", self.host, "-o", self.directory / "cut.wtape")
        self.assertEqual(result.code, 3, result.stderr)
        self.assertRegex(result.stderr, r"(?m)^wavetape: the core file is cut off: .*: 5000 of \d+ bytes of memory are missing")

    def test_refused(self):
        """Of another process, the two the wrong way round, or one that needs no other."""
        other = self.directory / "other"
        write_core(other, [note(b"CORE", 1, bytes(336))], [(address + (1 << 30), data) for address, data in self.list],
                   machine=EM_X86_64)
        for core, host, where, why in (
                (self.gpu, other, other, f"it has no list of code objects where {self.gpu} says: it is of another process, or not whole"),
                (self.host, self.gpu, self.host, "it has no note of a GPU (owner AMDGPU, type 33): no GPU was in use, or its dump was "
                                                 "not merged in"),
                (self.merged, self.gpu, self.gpu, "it has the state of GPUs itself: it is read alone"),
                (self.gpu, self.directory / "no", self.directory / "no", "No such file or directory")):
            trace = self.directory / "no.wtape"
            self.wavetape("record", "--core", core, "--host-core", host, "-o", trace, code=1, stdout="",
                          stderr=f"wavetape: cannot read the core file: {where}: {why}\n")
            self.assertFalse(trace.exists())
        self.wavetape("record", "--core", self.gpu, "--host-core", self.host, "-o", self.host, code=2, stdout="",
                      stderr=f"wavetape: cannot write the trace: {self.host}: it is the core file that is read; give another name\n")
        for words in (("--host-core", self.host, "--pid", "1"), ("--core", "-", "--host-core", "-")):
            self.assertEqual(wavetape("record", *words).code, 2)


class Refused(CoreCase):
    """Files that are no such core."""

    def setUp(self):
        super().setUp()
        self.state, self.memory = read_core(self.core("oob-load"))
        self.path = self.directory / "core"

    def refuse(self, why, what="cannot read the core file", where=""):
        trace = self.directory / "no.wtape"
        result = wavetape("record", "--core", self.path, "-o", trace)
        self.assertEqual((result.code, result.stdout), (1, ""), result.stderr)
        self.assertRegex(result.stderr, rf"\Awavetape: {what}: {self.path}{where}: {why}\n\Z")
        self.assertFalse(trace.exists())

    def test_other_files(self):
        self.refuse("No such file or directory")
        self.path.mkdir()
        self.refuse("Is a directory")
        self.path.rmdir()
        for data in (b"x", b"hello" * 1000, bytes(5000)):
            self.path.write_bytes(data)
            self.refuse("it is no ELF file")
        self.path.write_bytes(b"")
        self.refuse("it is empty")
        self.path.write_bytes((support.TREE.kernels / "oob-load.co").read_bytes())
        self.refuse("it is an ELF file, but no core file")

    def test_headers(self):
        notes = [note(b"AMDGPU", 33, self.state)]
        for ident in (IDENT[:4] + b"\x01" + IDENT[5:], IDENT[:5] + b"\x02" + IDENT[6:]):
            write_core(self.path, notes, self.memory, ident=ident)
            self.refuse("it is (no ELF file|not of 64 bits and little endian, as GPUs' are)")
        write_core(self.path, notes, self.memory, kind=3)
        self.refuse("it is an ELF file, but no core file")
        for value in (2**63, 2**64 - 8, 2**32):
            write_core(self.path, notes, self.memory)
            with open(self.path, "r+b") as file:
                file.seek(32)
                file.write(struct.pack("<Q", value))
            self.refuse("[^\n]+")

    def test_notes(self):
        no_note = r"it has no note of a GPU \(owner AMDGPU, type 33\): [^\n]+"
        for notes in ([], [note(b"AMDGPU", 32, self.state)], [note(b"AMDGPV", 33, self.state)],
                      [note(b"AMDGPU2", 33, self.state)[:50]], [b"short"],
                      [struct.pack("<III", 2**32 - 1, 5, 33) + b"AMDGPU\0\0"]):
            write_core(self.path, notes, self.memory)
            self.refuse(no_note)
        write_core(self.path, [struct.pack("<III", 7, 2**31, 33) + b"AMDGPU\0\0" + self.state],
                   self.memory)
        self.refuse("it is cut off in the note of the GPU")

    def test_states(self):
        """Of each field of the note's head a value that cannot be."""
        for offset, form, value, place in (
                (0, "<Q", 2, 0), (8, "<I", 2, 8), (12, "<I", 12, 12), (16, "<Q", 12, 16),
                (24, "<I", 2**32 - 1, 24), (24, "<I", 2, 40), (28, "<I", 2**32 - 8, 40),
                (28, "<I", 60, 28), (32, "<I", 2**32 - 1, 32), (36, "<I", 0, 36),
                (48, "<I", 9, 48), (56 + 92, "<I", 0, 56), (56 + 108, "<I", 100000, 56)):
            state = bytearray(self.state)
            struct.pack_into(form, state, offset, value)
            write_core(self.path, [note(b"AMDGPU", 33, bytes(state))], self.memory)
            self.refuse("[^\n]+", "cannot read the core state", f": note offset {place}")
        for state in (b"", self.state[:39], self.state[:-8], self.state + bytes(8)):
            write_core(self.path, [note(b"AMDGPU", 33, state)], self.memory)
            self.refuse("[^\n]+", "cannot read the core state", ": note offset (0|40)")

    def test_architecture(self):
        """An agent whose waves our own library cannot read is listed, and the others are recorded."""
        agent = bytearray(self.state[56:176])
        for target, why in ((120500, "it is not known how its waves are saved"),
                            (30000, "its architecture is not known")):
            state = bytearray(self.state)
            struct.pack_into("<I", state, 24, 2)
            struct.pack_into("<I", agent, 56, 701)
            struct.pack_into("<I", agent, 88, target)
            write_core(self.path, [note(b"AMDGPU", 33, bytes(state[:56] + agent + state[56:]))], self.memory)
            trace = self.directory / f"{target}.wtape"
            result = wavetape("record", "--core", self.path, "-o", trace)
            self.assertEqual(result.code, 3, result.stderr)
            self.assertIn(f"cannot read queues and waves: agent with GPU id 701: {why}: version "
                          f"{target // 10000}.{target // 100 % 100}.{target % 100}", result.stderr)
            self.assertEqual(len(self.json("waves", trace)["waves"]), 4)

    def test_segments(self):
        """Places and sizes that do not exist are no memory."""
        expected = self.record(self.core("oob-load")).read_bytes()
        notes = [note(b"AMDGPU", 33, self.state)]
        write_core(self.path, notes, self.memory + [(2**64 - 16, bytes(64)), (2**63, b"x")])
        self.assertEqual(self.record(self.path).read_bytes(), expected)
        with open(self.path, "r+b") as file:
            file.seek(HEADER.size + SEGMENT.size * (2 + len(self.memory)) + 32)
            file.write(struct.pack("<Q", 2**64 - 1))
        result = wavetape("record", "--core", self.path, "-o", self.directory / "core.wtape")
        self.assertEqual(result.code, 3)
        self.assertIn("the core file is cut off", result.stderr)


class Usage(CoreCase):
    def test_one_of_three(self):
        for arguments in ((), ("--core", "x", "--workload", "y"), ("--core", "x", "--", "true")):
            result = wavetape("record", *arguments)
            self.assertEqual(result.code, 2)
            self.assertIn("name either a --workload, a --core, a --pid or, after --, a client to run",
                          result.stderr)

    def test_simulate_cannot_write(self):
        path = self.directory / "absent" / "core"
        self.wavetape("simulate", support.TREE.workload("vecadd"), "--core", path, code=1,
                      stderr=f"wavetape: cannot write the core file: {path}: "
                      "No such file or directory\n")

    def test_mode(self):
        self.assertEqual(self.core("oob-load").stat().st_mode & 0o777, 0o600)


support.main(__doc__)
