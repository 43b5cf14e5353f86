# SPDX-License-Identifier: MIT
"""Mistakes planted in HIP kernels, as people compile, launch and record them: a plain hipcc at every level, with and without -g, the agent
in the program, memory that is not precise. Each is named, near, silent or wrong; none may be wrong, and few silent. Then 408 faults that have
none of the causes: of these no cause is told.

Started as `check-planted-hip.py --source DIRECTORY --build DIRECTORY [TEST...]`; the programs are in tests/driver of the build.
"""

import collections
import dataclasses
import json
import os
import random
import subprocess

import support
from support import Case, share

LONG = "WAVETAPE_LONG" in os.environ
PATIENCE = 240
# How the program is compiled: all of them in the long form, which compiles what the build has not.
VARIANTS = {"-O2": ("-g", "-O2"), "-O0": ("-g", "-O0"), "-O3-fast": ("-O3", "-ffast-math")}
MORE = {"-O1": ("-g", "-O1"), "-O3": ("-g", "-O3"), "-O2-bare": ("-O2",), "-O0-bare": ("-O0",), "-O3-fast-g": ("-g", "-O3", "-ffast-math")}


@dataclasses.dataclass(frozen=True)
class Mistake:
    """A kernel of planted.hip, its launch, and what is to be said of it."""

    kernel: str
    launch: str  # workgroups, work-items of each, bytes of local memory
    arguments: str
    kind: str
    names: str = ""  # what the sentence names: a parameter
    near: tuple = ()  # other kinds, which are true as well but say less
    line: bool = True  # the access is at the mark


PAGES = "b:0x100000"
ALONE = "b:0x800000"  # nothing is in front of it
MISTAKES = [
    Mistake("off_by_one", "4097 64 0", f"{PAGES} i:262144", "past_end", "out"),
    Mistake("right_neighbour", "4096 64 0", f"{PAGES} {PAGES} i:262144", "past_end", "in"),
    Mistake("wrong_stride", "2048 64 0", f"{PAGES} i:131072", "past_end", "out"),
    Mistake("grid_stride", "64 64 0", f"{PAGES} i:262144", "past_end", "out"),
    Mistake("gather", "1 64 0", f"{PAGES} w:256:262120:1 {PAGES} i:64", "past_end", "table"),
    Mistake("rows", "1025 512 0", f"{PAGES} i:512 i:1024", "past_end", "image"),
    Mistake("too_small", "8192 64 0", f"b:0x200000 {PAGES} i:524288", "too_small", "out", ("past_end",)),
    Mistake("through_local", "1 64 0", f"{PAGES} i:4200", "past_end", "out"),
    Mistake("through_private", "1 64 0", f"{PAGES} i:4200", "past_end", "out"),
    Mistake("branches", "1 64 0", f"{PAGES} i:100 i:262100", "past_end", "out"),
    Mistake("left_neighbour", "16 64 0", f"{ALONE} {PAGES} i:1024", "before_start", "in"),
    Mistake("backwards", "1 64 0", f"{ALONE} i:200", "before_start", "out"),
    Mistake("wrapped", "16 64 0", "b:4096 i:1024", "wrapped", "out"),
    Mistake("scatter", "1 64 0", "w:256:0xffffffff:0xffffffff b:4096 i:2", "wrapped", "out"),
    Mistake("store", "1 64 0", "l:0 i:64", "null", "out"),
    Mistake("store", "1 64 0", "l:0x7e7e7e7e7e7e7e7e i:64", "no_address", "out"),
    Mistake("store", "1 64 0", "l:64 i:64", "no_address", "out"),
    Mistake("store", "1 64 0", "f:0x400000 i:64", "unmapped", "out"),
    Mistake("store", "1 64 0", "h:4096 i:64", "host_memory", "out"),
    # The mappings leave open which of the two failed: the page that the GPU's driver names says it.
    Mistake("pair", "1 64 0", "r:0x100000 r:0x100000", "no_memory", "first"),
    Mistake("null_field", "1 64 0", "l:0 b:4096", "null", "particles"),
    Mistake("null_next", "1 64 0", "b:64 b:4096 i:1", "null", "list"),
    Mistake("null_next", "1 64 0", "b:64 b:4096 i:2", "null", "list", line=False),
    Mistake("null_row", "1 8 0", "t:4096:8 i:3", "null", "table"),
    Mistake("exchanged", "1 64 0", "l:64 b:4096", "exchanged", "out"),
    Mistake("truncated", "1 64 0", "b:0x100000 i:0x40000", "truncated", "out"),
    Mistake("never_set", "1 64 0", "b:4096 i:3", "uninitialised"),
    Mistake("seldom_set", "1 64 0", "w:4096:17:1 b:4096 b:4096 i:7", "uninitialised", "lane 20"),
    Mistake("misaligned", "1 64 0", "b:4096 i:12", "misaligned", line=False),
    Mistake("pitch", "1 64 0", "b:4096 i:50000 i:50000", "overflow", "image"),
    Mistake("pitch_each", "1 64 0", "b:4096 i:65536 i:40000", "overflow", "image"),
    Mistake("pitch_unsigned", "1 64 0", "b:4096 i:100000 i:100000", "overflow", "image"),
    Mistake("no_guard", "4097 64 0", f"{PAGES} i:262144", "no_guard", "out", ("past_end",)),
    Mistake("no_guard_sum", "2049 64 0", f"{PAGES} {PAGES} {PAGES} l:131072", "no_guard", "a", ("past_end",)),
    Mistake("wrong_limit", "4097 64 0", f"{PAGES} i:262144 i:262208", "wrong_limit", "out", ("past_end",)),
    Mistake("local_end", "1 64 512", "b:4096 i:3", "local_end"),
    Mistake("local_start", "1 64 0", "b:4096 i:1", "local_start", "", ("wrapped", "local_end")),
    Mistake("private_end", "1 64 0", "b:4096 i:5000", "private_end"),
    Mistake("far_index", "1 64 0", "w:256:0x70000000:1 b:4096", "past_end", "out"),
    Mistake("wild_pointer", "1 64 0", "q:512:0x2345678912345678:1 b:4096", "no_memory", "table"),
]


ODD_FAULTS = 408
# Of a fault that has none of the causes it may be said where the address is: far from a buffer, or where a pointer leads there is nothing.
FAR, NOWHERE = ("none", "past_end", "before_start"), ("none", "no_memory")


def odd_faults():
    """Launches of kernels that mean what they compute, or compute what nobody can tell, and the kinds that are true of each: a
    pointer leads where no memory is, or an index is far from what is there. Never that something overflowed, wrapped, or was freed."""
    value = random.Random(2026).getrandbits
    for number in range(ODD_FAULTS):
        stale = 0x100000000000 | value(40) & ~0xfff
        text = f"w:256:{0x31303030 + value(8):#x}:{0x01010101:#x}"
        yield [
            ("number", f"l:{0x600000000000 | value(44):#x}", NOWHERE),
            ("tagged", f"b:4096 i:{1 + value(6)}", NOWHERE),
            ("mixed_bits", f"b:4096 i:{value(31)} i:{2 + value(3)}", FAR),
            ("generator", f"b:4096 i:{value(31)} i:{1 + value(3)}", FAR),
            ("wide_sum", f"b:4096 i:{0x7f000000 + value(24):#x} i:{0x70000000 + value(24):#x}", FAR),
            ("wide_product", f"b:4096 i:{0x10000 + value(20)} i:{0x10000 + value(12)}", FAR),
            ("offsets", f"b:4096 l:{0x1000 + (value(16) & ~7)}", ("none",)),
            ("packed", f"l:{value(56) | 1 << 50:#x}", NOWHERE),
            ("exclusive", f"l:{stale | 0x7f:#x} l:{value(44) | 0x2aaa00000000:#x}", NOWHERE),
            ("hash", f"{PAGES} i:{0xffffff | value(2) << 24:#x}", FAR),
            ("distance", f"{PAGES} {PAGES} i:{500000 + value(16)}", ("none",)),
            ("ring", f"b:4096 i:{value(6)} i:{1 << 14 | value(12)}", FAR),
            ("store", f"l:{stale:#x} i:64", NOWHERE),
            ("text_hash", f"{PAGES} {text} i:{6 + value(2)}", FAR),
            ("text_hash_33", f"{PAGES} {text} i:{5 + value(2)}", FAR),
            ("fowler", f"{PAGES} i:{value(31)} i:{1 + value(2)}", FAR),
            ("once", f"{PAGES} i:{2600 + value(10)}", FAR),
            ("once_signed", f"{PAGES} i:{120 + value(8)}", FAR),
            ("fibonacci", f"{PAGES} l:{value(60)} i:{28 + value(2)}", FAR),
            ("morton", f"{PAGES} i:{value(18) | 1 << 17} i:{value(18) | 1 << 17}", FAR),
            ("shift_register", f"{PAGES} i:{value(31) | 1 << 30} i:{1 + value(2)}", FAR),
            ("xor_shift", f"{PAGES} w:256:{value(31)}:{value(31)} i:{1 + value(2)}", FAR),
            ("sequence", f"b:4096 i:{300 + value(8)} i:{300 + value(8)}", FAR),
            ("bit_field", f"{PAGES} q:512:{value(62) | 1 << 41:#x}:{value(60)}", FAR),
            ("handle", f"{PAGES} q:512:{(value(15) | 1) << 48 | value(10):#x}:1", FAR),
            ("both_ways", f"q:4096:{value(47) | 1 << 46:#x}:0 {PAGES} i:{1 + value(1)}", NOWHERE),
            ("relative", f"w:4096:{0x40000000 + value(28):#x}:1 {PAGES}", FAR),
            ("compressed", f"l:{stale:#x} w:256:{value(31)}:1 {PAGES}", NOWHERE),
            ("boxed", f"q:512:{value(16) << 48 | stale:#x}:1 {PAGES}", NOWHERE),
            ("low_tag", f"q:512:{stale | value(3):#x}:1 {PAGES}", NOWHERE),
            ("protected_pointer", f"q:512:{stale:#x}:0 {PAGES}", NOWHERE),
            ("two_halves", f"w:256:{value(31)}:0 w:256:{value(14) | 0x1000}:0 {PAGES}", NOWHERE),
            ("stale_odd", f"f:0x400000 w:256:{value(31)}:1 {PAGES}", ("none",)),
            ("stale_row", f"q:512:{stale:#x}:8192 i:{value(20)} {PAGES}", NOWHERE),
            ("zobrist", f"{PAGES} w:256:{value(31) | 1 << 30}:{value(32)} i:{value(16) | 1}", FAR),
            ("fixed_point", f"{PAGES} i:{70000 + value(16)} i:{70000 + value(15)}", FAR),
            ("turns", f"{PAGES} i:{70000 + value(16)} i:{70000 + value(15)}", FAR),
            ("checksum", f"{PAGES} w:256:{value(30)}:{value(20)} i:{4 + value(2)}", FAR),
            ("ticket", f"{PAGES} i:{value(8)} i:{300 + value(8)}", FAR),
            ("float_bits", f"{PAGES} i:{value(30) | 1 << 30} i:{value(2)}", FAR),
            ("timed", f"{PAGES} i:{value(5) | 1}", FAR),
        ][number % 41]


class Planted(Case):
    def setUp(self):
        super().setUp()
        self.agent = support.TREE.agent
        self.skip_with_sanitizer()
        self.marks = {line.rsplit("// ", 1)[1]: number for number, line in enumerate(
            (support.TREE.source / "tests/driver/planted.hip").read_text(encoding="utf-8").splitlines(), 1) if "; // " in line}

    def program(self, variant):
        if variant in VARIANTS:
            return support.TREE.build / f"tests/driver/planted{variant}"
        path = self.directory / f"planted{variant}"
        if not path.exists():
            self.expect(support.run("hipcc", "--offload-arch=gfx90a", "-w", *MORE[variant], support.TREE.source / "tests/driver/planted.hip",
                                    "-o", path), 0, None)
        return path

    def record(self, variant, kernel, launch, arguments, words="quiet", needed=True):
        """A trace of the only fault; None if it need not come and has not."""
        trace = self.directory / "planted.wtape"
        trace.unlink(missing_ok=True)
        environment = support.environment(WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], HSA_TOOLS_LIB=str(self.agent),
                                          HSA_ENABLE_DEBUG="1", WAVETAPE_AGENT=f"output={trace},{words}")
        done = subprocess.run([support.TREE.command, "device", "--", self.program(variant), kernel, *launch.split(), *arguments.split()],
                              capture_output=True, timeout=PATIENCE, check=False, env=environment, stdin=subprocess.DEVNULL)
        if not needed and not trace.exists() and not done.returncode:
            return None
        self.assertTrue(trace.exists(), (variant, kernel, done.returncode, done.stderr[-300:]))
        return trace

    def explanation(self, *arguments, **options):
        """What explain says of the only fault, as JSON; None if it need not come and has not."""
        trace = self.record(*arguments, **options)
        if not trace:
            return None
        return json.loads(self.wavetape("explain", trace, "--json"))["explanations"][0]

    def verdict(self, mistake, variant):
        said = self.explanation(variant, mistake.kernel, mistake.launch, mistake.arguments)
        kind, sentence = said["cause"]["kind"], said["cause"]["sentence"]
        if kind == "none":
            return "silent", said["cause"]
        if kind != mistake.kind and kind not in mistake.near:
            return "wrong", said["cause"]
        if VARIANTS.get(variant, MORE.get(variant))[0] == "-g":
            if mistake.names not in sentence:
                return "wrong", said["cause"]
            access = said["steps"][0]["code"]["source"]
            if mistake.line and access["line"] != self.marks[mistake.kernel]:
                return "wrong", (access, self.marks[mistake.kernel])
        return ("named" if kind == mistake.kind else "near"), said["cause"]

    def variants(self, number):
        """All of them in the long form; else one for each mistake, of another kind each time."""
        return (*VARIANTS, *MORE) if LONG else support.by_turn(number, tuple(VARIANTS))

    def test_mistakes(self):
        counts, debug = collections.Counter(), collections.Counter()
        for number, mistake in share(enumerate(MISTAKES)):
            for variant in self.variants(number):
                with self.subTest(mistake=number, kernel=mistake.kernel, variant=variant):
                    verdict, said = self.verdict(mistake, variant)
                    counts[verdict] += 1
                    debug[verdict] += VARIANTS.get(variant, MORE.get(variant))[0] == "-g"
                    if LONG:
                        print(f"{variant:10} {mistake.kernel:16} {verdict:7} {said['sentence'] if isinstance(said, dict) else said}")
                    self.assertNotEqual(verdict, "wrong", said)
        print(f"planted mistakes: {dict(counts)}, of these with -g {dict(debug)}")
        self.assertLess(20 * debug["silent"], max(debug.total(), 40))

    def test_ways(self):
        """Where explain has followed a wave there is a way to walk in, which ends in what was recorded, and whose steps are what they wrote."""
        found = 0
        for number, mistake in share(list(enumerate(MISTAKES))) if LONG else share(list(enumerate(MISTAKES))[::5]):
            variant = self.variants(number)[0]
            with self.subTest(kernel=mistake.kernel, variant=variant):
                said = self.explanation(variant, mistake.kernel, mistake.launch, mistake.arguments)
                last = self.json("way", self.directory / "planted.wtape", "--wave", said["wave"], "--registers", "-n", 50)
                if said["steps"]:
                    self.assertTrue(last["way"]["found"], last["way"])
                if not last["way"]["found"]:
                    self.assertEqual((last["position"], last["steps"]), (0, []))
                    continue
                found += 1
                self.assertGreater(last["way"]["proved"], 10)
                self.assertEqual({register["status"] for register in last["registers"].values()}, {"recorded"})
                self.assertEqual(len(last["steps"]), min(50, last["way"]["steps"]))
        self.assertGreater(found, 0)

    def test_fixpoint(self):
        """What a program with the agent leaves is recorded once more by whoever records its replay: what the recorder looks for is there, too."""
        far = [number for number, mistake in enumerate(MISTAKES) if mistake.kernel in ("far_index", "wild_pointer")]
        for number, mistake in enumerate(MISTAKES) if LONG else [(number, MISTAKES[number]) for number in far]:
            for variant in self.variants(number):
                with self.subTest(mistake=number, kernel=mistake.kernel, variant=variant):
                    trace = self.record(variant, mistake.kernel, mistake.launch, mistake.arguments)
                    report = self.json("verify", "--fixpoint", trace)
                    self.assertEqual(report["fixpoint_differences"], {"count": 0, "first": []})

    def test_precise(self):
        """With the agent's word the wave stands right behind what failed, also where it went on without."""
        for words in ("quiet,precise", "precise=try,quiet"):
            said = self.explanation("-O0", "grid_stride", "64 64 0", f"{PAGES} i:262144", words)
            self.assertEqual((said["late"], said["place_is_certain"], said["cause"]["kind"]), (1, True, "past_end"), said)
        said = self.explanation("-O0", "grid_stride", "64 64 0", f"{PAGES} i:262144")
        self.assertEqual((said["late"] > 1, said["cause"]["kind"]), (True, "past_end"), said)

    def test_reported(self):
        """The page that the GPU's driver names is that of the first lane that failed."""
        said = self.explanation("-O2", "off_by_one", "4097 64 0", f"{PAGES} i:262144")
        trace = self.directory / "planted.wtape"
        for verb in ("info", "explain"):
            self.assertIn(f"\nreported     a fault at the page {said['address']}, by the GPU's driver\n", self.wavetape(verb, trace))
        [fault] = json.loads(self.wavetape("host", trace, "--json"))["device_faults"]
        self.assertEqual(fault["address"], said["address"])
        self.assertGreater(fault["gpu_id"], 0)

    def test_half(self):
        """The lower word of a pointer alone, also where both were moved together, side by side."""
        for variant in ("-O2", "-O0"):
            said = self.explanation(variant, "truncated", "1 64 0", "b:0x100000 i:0x40000")["cause"]
            self.assertEqual(said["kind"], "truncated", said)
            self.assertIn(" was made from the lower 32 bits of the kernel argument out alone, ", said["sentence"])

    def test_local_wrapped(self):
        """At -O0 local memory has generic addresses: of the lanes of one access, only those that left it have failed."""
        said = self.explanation("-O0", "local_start", "1 64 0", "b:4096 i:1")
        self.assertEqual(said["cause"]["kind"], "wrapped", said["cause"])
        self.assertIn("lane 0 stores to what is 4 G elements behind local memory: ", said["cause"]["sentence"])
        self.assertEqual(said["access"]["unmapped_lanes"], [0])

    def test_over_a_page(self):
        """Of an access that begins in what is mapped, and ends behind it, the lane is told that reaches over."""
        said = self.explanation("-O2", "right_neighbour", "4096 64 0", f"{PAGES} {PAGES} i:262144")
        self.assertEqual((said["cause"]["kind"], said["lane"]), ("past_end", 63), said["cause"])

    LET_PASS = r"; the comparison of planted\.hip:\d+ with n, which is \d+, lets it pass"
    SENTENCES = (
        ("members", "8193 64 0", "b:0x100000 i:0xff000", ("-O2", "-O0"),
         r"past the end: lane 0 stores to particles\[\d+\]\.mass, \d+ elements? of 16 bytes past the last one .*, particles\[65535\]" + LET_PASS),
        ("bytes", "2049 64 0", "b:0x100000 i:0x80000", ("-O2", "-O0"),
         r"past the end: lane 0 stores to all\[\d+\], \d+ elements? of 1 byte past the last one .*, all\[1048575\]"),
        ("past_table", "1 64 0", "t:4096:4 i:9", ("-O2", "-O0"),
         r"null pointer: the pointer that was loaded from table\[9\], 0x[0-9a-f]+, which is 40 bytes past the end of table, at planted\.hip:\d+ is null, "
         "and lane 0 stores to what is 0 bytes behind it"),
        ("unset_index", "1 64 0", "b:4096 w:256:1:1 i:64 i:99", ("-O2",),
         r"never set: what lane 0 stores to was made from a variable at planted\.hip:\d+ that nobody had written"),
        ("far_store", "1 64 0", "l:0 i:1000000", ("-O2", "-O0"),
         "null pointer: the kernel argument out is null, and lane 0 stores to what is 4000000 bytes behind it"),
        ("far_store", "1 64 0", "f:0x400000 i:0x200000", ("-O2", "-O0"),
         r"freed: the kernel argument out is 0x[0-9a-f]+, in a buffer that the program has freed, and lane 0 stores to what is 4194304 bytes behind it"),
        ("private_way", "1 64 0", "b:4096 i:0x100000", ("-O0",),
         r"past the end: lane 0 stores to own\[1048576\], and own has 16 elements: byte \d+ of private memory, of which a work-item has \d+ bytes"),
        ("private_way", "1 64 0", "b:4096 i:0xffff3cb0", ("-O0",),
         r"before the start: lane 0 stores to own\[-50000\], and own has 16 elements: byte -\d+ of private memory"),
        ("short_item", "1024 64 0", f"{ALONE} i:65536", ("-O2", "-O0"),
         r"overflow: item, of type short, has no room for \d+: it became -\d+ at planted\.hip:\d+, and is a part of an index of out"),
        ("short_pitch", "1 64 0", f"{ALONE} i:300 i:150", ("-O2", "-O0"),
         r"overflow: at, of type short, has no room for 45000: it became -20536 at planted\.hip:\d+, and is a part of an index of image"),
        ("byte_slot", "1 64 0", f"{ALONE} i:120", ("-O2", "-O0"),
         r"overflow: (at, of type signed char, has|8 bits have) no room for 128: it became -128 at planted\.hip:\d+, and is a part of an index of slots"),
        ("local_end", "1 64 512", "b:4096 i:0x40000", ("-O2", "-O0"),
         "past the end: lane 1 stores to byte 1048576 of local memory, of which the workgroup has 512 bytes"),
    )

    def test_sentences(self):
        """Elements are those of the source; what is far is named as what is near."""
        for number, (kernel, launch, arguments, variants, sentence) in enumerate(self.SENTENCES):
            for variant in support.by_turn(number, variants):
                with self.subTest(kernel=kernel, arguments=arguments, variant=variant):
                    self.assertRegex(self.explanation(variant, kernel, launch, arguments)["cause"]["sentence"] or "", f"^{sentence}$")

    def test_locals(self):
        """Lanes that failed come first; a parameter that is nowhere is said to have been passed."""
        self.explanation("-O2", "gather", "1 64 0", f"{PAGES} w:256:262120:1 {PAGES} i:64")
        text = self.wavetape("locals", self.directory / "planted.wtape")
        self.assertIn("lanes 0-63; lanes whose access failed: 24-63\n", text)
        self.assertIn("\nu32 n = <optimized out; kernel argument 64>\n", text)
        self.assertRegex(text, r"\nconst float \* table = <optimized out; kernel argument 0x[0-9a-f]+>\n")
        self.explanation("-O0", "branches", "1 64 0", f"{PAGES} i:100 i:262100")
        text = self.wavetape("locals", self.directory / "planted.wtape")
        self.assertIn("\nu32 place:\n  lane 50 = 262150\n  lane 55 = 262155\n  lane 0 = 100\n", text)
        self.assertIn("\n(u32) place:\n  lane 50 = 262150\n", "\n" + self.wavetape("print", self.directory / "planted.wtape", "place"))

    def test_odd_faults(self):
        """A fault need not come: what is beyond a buffer may be another's."""
        variants, faulted = ("-O2", "-O0") if LONG else ("-O2",), 0
        for number, (kernel, arguments, kinds) in enumerate(odd_faults()):
            if not LONG and number % 24 != support.form_turn() % 24:
                continue
            for variant in variants:
                with self.subTest(fault=number, kernel=kernel, arguments=arguments, variant=variant):
                    said = self.explanation(variant, kernel, "1 64 0", arguments, needed=False)
                    if said:
                        self.assertIn(said["cause"]["kind"], kinds, said["cause"])
                        faulted += 1
        self.assertGreater(faulted, ODD_FAULTS * len(variants) // (1 if LONG else 24) * 3 // 4)

    def test_meant(self):
        """Products that are meant to overflow, pointers with other bits mixed in, and a quotient: each was told as a cause once."""
        for number, (kernel, arguments, kinds) in enumerate((
                ("once", f"{PAGES} i:3836", FAR), ("once_signed", f"{PAGES} i:270", FAR), ("fixed_point", f"{PAGES} i:109818 i:98175", FAR),
                ("protected_pointer", f"q:512:0x100000001000:0 {PAGES}", NOWHERE))):
            for variant in support.by_turn(number, ("-O2", "-O0")):
                with self.subTest(kernel=kernel, variant=variant):
                    said = self.explanation(variant, kernel, "1 64 0", arguments)["cause"]
                    self.assertIn(said["kind"], kinds, said)


if __name__ == "__main__":
    support.main(__doc__, parts=2)
