# SPDX-License-Identifier: MIT
"""A library that has what ours has not: an architecture that nobody knows, clusters. The trace describes it, and opens.

The library is tests/habits/stand-in.c. Clients of level 0.82 and an older one run over it: live, recorded and replayed.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "end-to-end"))

import support  # noqa: E402: it lies beside the other end-to-end tests
from support import Case  # noqa: E402

UNKNOWN = "its architecture is not known here"


class Newer(Case):
    def setUp(self):
        super().setUp()
        self.environment = {"WAVETAPE_WORKLOAD": support.TREE.workload("oob-load"),
                            "STAND_IN_OF": support.TREE.libraries["simulated"]}

    def client(self, level, library, **variables):
        return support.run(support.TREE.build / f"tests/levels/level-client-{level}", LD_BIND_NOW="1",
                           LD_LIBRARY_PATH=support.TREE.libraries[library].parent, **variables)

    def record(self, level=82, **stand_in):
        """A trace of a session over the stand-in."""
        trace = self.directory / "newer.wtape"
        result = self.client(level, "record", WAVETAPE_TRACE=trace,
                             WAVETAPE_DBGAPI=support.TREE.libraries["stand-in"], **self.environment, **stand_in)
        self.assertEqual((result.code, result.stderr), (0, ""))
        return trace, result.stdout

    def session(self, *, code=0, **stand_in):
        """The same, which the client did not notice, nor that of its replay."""
        live = self.client(82, "stand-in", **self.environment, **stand_in)
        self.assertEqual((live.code, live.stderr), (0, ""))
        trace, recorded = self.record(**stand_in)
        self.assertEqual(recorded, live.stdout)
        self.assertEqual(self.client(82, "replay", WAVETAPE_TRACE=trace).stdout, live.stdout)
        self.assertEqual(self.json("verify", trace, code=code)["differences"]["count"], 0)
        self.assertIn("gives the same trace: yes", self.wavetape("verify", trace, "--fixpoint", code=code, stdout=None))
        return trace, live.stdout


class Conformance(Newer):
    def test_suite(self):
        """The conformance suite holds over such a library: alone, recorded, and in step with the trace."""
        trace = self.directory / "suite.wtape"
        stand_in = {"STAND_IN_OF": support.TREE.libraries["simulated"], "STAND_IN_ARCHITECTURE": "999",
                    "STAND_IN_CLUSTERS": "1"}

        def run(library, **variables):
            return support.run(*support.script("conformance/conformance.py"), "--workloads", support.TREE.kernels,
                               support.TREE.libraries[library], **variables)

        live = run("stand-in", **stand_in)
        self.assertEqual((live.code, live.stderr), (0, ""), [line for line in live.stdout.splitlines() if "not ok" in line])
        self.assertGreater(live.stdout.count("\nok "), 1000)
        self.assertEqual(run("record", WAVETAPE_TRACE=trace, WAVETAPE_DBGAPI=support.TREE.libraries["stand-in"], **stand_in), live)
        self.assertEqual(run("replay", WAVETAPE_TRACE=trace), live)


class Architecture(Newer):
    """Nobody knows gfx999: it has names of its own for registers, classes and a space."""

    def test_views(self):
        trace, shown = self.session(code=3, STAND_IN_ARCHITECTURE="999")
        self.assertIn("\nregister w0\n", shown)
        self.assertIn("\nspace private_item\n", shown)
        text = self.wavetape("info", trace, stdout=None)
        self.assertRegex(text, r"(?m)^device       gfx999 \(an architecture not known here\), Simulated AMD ")
        self.assertRegex(text, rf"(?m)^instruction  0x[0-9a-f]+: 0x[0-9a-f]{{8}} \(not decoded: {UNKNOWN}\)$")
        self.assertRegex(text, r"(?m)^crash        memory violation in kernel oob_load \(stop 1\)$")
        code = self.json("disassemble", trace)["instructions"]
        self.assertGreater(len(code), 8)
        for instruction in code:
            self.assertEqual((instruction["instruction"], instruction["not_decoded"]), (None, UNKNOWN))
        self.assertIn(f".long (not decoded: {UNKNOWN})\n", self.wavetape("disassemble", trace, stdout=None))
        self.assertEqual(len(self.json("waves", trace)["waves"]), 4)
        # Registers by the recorded names and classes.
        names = [register["name"] for register in self.json("registers", trace)["registers"]]
        for name in ("pc", "exec", "cnd", "u0", "w0", "heap_pointer", "retry_mask"):
            self.assertIn(name, names)
        self.assertFalse({"s0", "v0", "vcc"} & set(names))
        bundle = [register["name"] for register in self.json("registers", trace, "bundle")["registers"]]
        self.assertIn("w1", bundle)
        self.assertNotIn("u1", bundle)
        for verb in ("stops", "memory", "code-objects", "journal", "check"):
            self.wavetape(verb, trace, stdout=None)

    def test_asked_freely(self):
        """What is in no table is described by the trace; what would need one is not available, and never a wrong handle."""
        trace = self.directory / "asked.wtape"
        stand_in = self.environment | {"STAND_IN_ARCHITECTURE": "999"}
        ask_all = support.TREE.build / "tests/transparency/ask-all"
        live = support.run(ask_all, support.TREE.libraries["stand-in"], "--seed", "1", **stand_in)
        support.run(ask_all, support.TREE.libraries["record"], "--silent", WAVETAPE_TRACE=trace,
                    WAVETAPE_DBGAPI=support.TREE.libraries["stand-in"], **stand_in)
        replayed = support.run(ask_all, support.TREE.libraries["replay"], "--seed", "1", WAVETAPE_TRACE=trace)
        self.assertEqual((live.code, replayed.code, live.stderr, replayed.stderr), (0, 0, "", ""))
        same = 0
        for line, other in zip(live.stdout.splitlines(), replayed.stdout.splitlines(), strict=True):
            same += line == other
            if line != other:
                self.assertRegex(line, r"^stop \d+: ((wave \d+ )?code at|wave \d+ lane \d+ space|memory wave)")
                self.assertIn("MEMORY_UNAVAILABLE" if ": memory" in line else "NOT_AVAILABLE", other)
        self.assertGreater(same, 5000)

    def test_one_that_llvm_may_not_know(self):
        """gfx950 has the registers of gfx942, and an LLVM that is too old for it decodes it so, and says that it does."""
        trace, shown = self.session(STAND_IN_ARCHITECTURE="950")
        text = self.wavetape("info", trace, stdout=None)
        self.assertRegex(text, r"(?m)^device       gfx950, ")
        code = self.json("disassemble", trace)["instructions"]
        self.assertTrue(all(instruction["instruction"] for instruction in code))
        decoded_as = {instruction.get("decoded_as") for instruction in code}
        self.assertEqual(len(decoded_as), 1)
        listing = self.wavetape("disassemble", trace, stdout=None)
        if decoded_as == {None}:
            self.assertNotIn("decoded as", text + listing)
        else:
            self.assertEqual(decoded_as, {"gfx942"})
            self.assertRegex(text, r"(?m)^instruction  0x[0-9a-f]+: global_load_dword .* \(decoded as gfx942\)$")
            self.assertEqual(listing.splitlines()[0], "; gfx950 is newer than the LLVM here: decoded as gfx942")
        self.assertIn("\nkind 0x1\n", shown)


class Clusters(Newer):
    """Two workgroups each are a cluster."""

    def check_waves(self, trace):
        waves = self.json("waves", trace)["waves"]
        self.assertEqual([(wave["workgroup"], wave["cluster"], wave["workgroup_in_cluster"]) for wave in waves],
                         [([x, 0, 0], [0, 0, 0], [x, 0, 0]) for x in (0, 0, 1, 1)])
        self.assertRegex(self.wavetape("waves", trace, stdout=None),
                         r"(?m)^w4     \(1,0,0\)/1 \(1,0,0\) of cluster \(0,0,0\) oob_load     memory violation, ")
        self.assertRegex(self.wavetape("info", trace, stdout=None),
                         r"(?m)^  w4     \(1,0,0\)/1 \(1,0,0\) of cluster \(0,0,0\) ")

    def test_session(self):
        trace, shown = self.session(STAND_IN_CLUSTERS="1")
        self.assertRegex(shown, r"\n0.82 cluster 0x10001\n0.82 place of it 0\n0.82 place in it 0x1\n0.82 its dispatch 0x1\n")
        self.check_waves(trace)
        # What the client asks of them is answered without its recorded calls, too.
        asked = re.findall(r"\d+ x amd_dbgapi_(?:cluster|wave|workgroup)_get_info", self.wavetape("verify", trace, stdout=None))
        self.assertEqual(asked, [])

    def test_client_without_clusters(self):
        """A client that cannot ask for them has them recorded all the same, for one that can."""
        trace, shown = self.record(80, STAND_IN_CLUSTERS="1")
        self.assertNotIn("cluster", shown)
        self.check_waves(trace)
        self.assertIn("\n0.82 cluster 0x10001\n", self.client(82, "replay", WAVETAPE_TRACE=trace).stdout)
        self.assertEqual(self.client(80, "replay", WAVETAPE_TRACE=trace).stdout, shown)

    def test_none(self):
        """A library without them, or of a level before them, has none to show."""
        trace, shown = self.session()
        self.assertIn("\n0.82 cluster: This is not available\n", shown)
        self.assertNotIn("cluster", self.wavetape("waves", trace, stdout=None) + self.wavetape("info", trace, stdout=None))
        self.assertNotIn("cluster", self.json("waves", trace)["waves"][0])


if __name__ == "__main__":
    support.main(__doc__)
