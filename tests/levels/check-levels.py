# SPDX-License-Identifier: MIT
"""Clients of every level over libraries of every level that they can run on: live, recorded and replayed they see the same."""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "end-to-end"), str(HERE.parents[1] / "tools")]

import api_table  # noqa: E402: it lies among the generators
import support  # noqa: E402: it lies beside the other end-to-end tests
from support import Case  # noqa: E402

LEVELS = [api_table.number(level["level"])[1]
          for level in api_table.load(HERE.parents[1] / "dbgapi/table/api.toml").levels]
NEWEST = LEVELS[-1]
UNDEFINED = re.compile(r"\bUND (amd_dbgapi_\w+)@(AMD_DBGAPI_[0-9.]+)")
DEFINED = re.compile(r"GLOBAL DEFAULT +\d+ (amd_dbgapi_\w+)@@?(AMD_DBGAPI_[0-9.]+)")
# Lines of a level begin with it.
SINCE = re.compile(r"0\.(\d+) ")
# What every session shows: that it got as far as a stopped wave, and its registers and spaces.
LEAST_LINES = 60


def symbols(pattern, path):
    text = subprocess.run(["readelf", "-W", "--dyn-syms", path], capture_output=True, check=True, text=True).stdout
    return set(pattern.findall(text))


# Before it a watchpoint is not asked what it covers, so that no state of a trace has it.
WATCHPOINTS_TELL = 62


class Levels(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # By the name that clients look for.
        cls.folders = {}
        for level in LEVELS:
            cls.folders[level] = support.TREE.temporary / f"at-{level}"
            cls.folders[level].mkdir()
            (cls.folders[level] / "librocm-dbgapi.so.0").symlink_to(
                support.TREE.build / f"tests/levels/libdbgapi-at-{level}.so")
        cls.asked = {level: symbols(UNDEFINED, cls.client(level)) for level in LEVELS}
        cls.offered = {level: symbols(DEFINED, cls.library(level)) for level in LEVELS}

    @classmethod
    def client(cls, level):
        return support.TREE.build / f"tests/levels/level-client-{level}"

    @classmethod
    def library(cls, level):
        return cls.folders[level] / "librocm-dbgapi.so.0"

    def run_client(self, level, folder, **variables):
        return support.run(self.client(level), LD_LIBRARY_PATH=folder, LD_BIND_NOW="1", **variables)

    def pairs(self):
        """What the loader would start: each client with each library that has all that it asks for."""
        for level in LEVELS:
            for other in LEVELS:
                if self.asked[level] <= self.offered[other]:
                    yield level, other

    def test_which_pairs_there_are(self):
        """Symbols of a level are those of the facts, so these pairs are those that run with AMD's library."""
        pairs = set(self.pairs())
        self.assertTrue({(level, level) for level in LEVELS} <= pairs)
        self.assertTrue({(64, 65), (70, 71), (68, 68)} <= pairs)
        self.assertFalse(pairs & {(76, 77), (77, 78), (77, 80), (80, 77), (79, 80), (80, 81), (81, 82), (82, 80)})

    def test_each_pair(self):
        workload = support.TREE.workload("oob-load")
        at_newest = None
        for client, library in sorted(self.pairs(), reverse=True):
            with self.subTest(client=client, library=library):
                trace = self.directory / f"{client}-{library}.wtape"
                live = self.run_client(client, self.library(library).parent, WAVETAPE_WORKLOAD=workload)
                self.assertEqual((live.code, live.stderr), (0, ""))
                self.assertGreater(len(live.stdout.splitlines()), LEAST_LINES)
                at_newest = at_newest or live.stdout
                self.assertEqual(live.stdout, self.as_at(client, at_newest))
                recorded = self.run_client(client, support.TREE.libraries["record"].parent, WAVETAPE_WORKLOAD=workload,
                                           WAVETAPE_TRACE=trace, WAVETAPE_DBGAPI=self.library(library))
                self.assertEqual(recorded, live)
                # The newest symbol that it asks for tells its level, or an earlier one from which nothing of it has moved.
                newest = max(int(version.rsplit(".", 1)[1]) for _, version in self.asked[client])
                self.assertEqual(self.json("info", trace)["client_level"], f"0.{newest}")
                replayed = self.run_client(client, support.TREE.libraries["replay"].parent, WAVETAPE_TRACE=trace)
                self.assertEqual(replayed, live)
                if library < WATCHPOINTS_TELL:
                    continue
                self.assertEqual(self.json("verify", trace)["differences"]["count"], 0)
                # What a level has no query for is not asked, and is as little in a recording of the replay.
                if client == library:
                    self.assertEqual(self.json("verify", "--fixpoint", trace)["fixpoint_differences"], {"count": 0, "first": []})

    def as_at(self, level, newest):
        """What a client of a level prints, of what one of the newest does."""
        lines = []
        for line in newest.splitlines(keepends=True):
            since = SINCE.match(line)
            if not since or int(since[1]) <= level:
                lines.append(line)
        return "".join(lines)

    def test_over_our_libraries(self):
        """A client of any level runs over our libraries of today, though none of AMD's has its symbols any more."""
        workload = support.TREE.workload("oob-load")
        newest = self.run_client(NEWEST, support.TREE.libraries["simulated"].parent, WAVETAPE_WORKLOAD=workload).stdout
        for level in LEVELS:
            with self.subTest(client=level):
                live = self.run_client(level, support.TREE.libraries["simulated"].parent, WAVETAPE_WORKLOAD=workload)
                self.assertEqual((live.code, live.stderr), (0, ""))
                self.assertEqual(live.stdout, self.as_at(level, newest))

    def test_replayed_at_another_level(self):
        """A trace that was taken at one level opens in a client of any other, which asks in its own order."""
        workload = support.TREE.workload("oob-load")
        newest = self.run_client(NEWEST, support.TREE.libraries["simulated"].parent, WAVETAPE_WORKLOAD=workload).stdout
        for recorded in (56, 67, 71, 77, 80, NEWEST):
            trace = self.directory / f"{recorded}.wtape"
            self.run_client(recorded, support.TREE.libraries["record"].parent, WAVETAPE_WORKLOAD=workload,
                            WAVETAPE_TRACE=trace, WAVETAPE_DBGAPI=self.library(recorded))
            for level in LEVELS:
                with self.subTest(recorded=recorded, replayed=level):
                    replayed = self.run_client(level, support.TREE.libraries["replay"].parent, WAVETAPE_TRACE=trace)
                    self.assertEqual(replayed.stderr, "")
                    self.compare(recorded, level, self.as_at(level, newest), replayed.stdout)

    def test_a_library_of_tomorrow(self):
        """Its client starts, gets its answers, and all that is known is recorded; the trace names what is not."""
        folder = support.TREE.temporary / "tomorrow"
        folder.mkdir()
        library = folder / "librocm-dbgapi.so.0"
        library.symlink_to(support.TREE.build / "tests/levels/libdbgapi-future.so")
        client, trace = support.TREE.build / "tests/levels/future-client", self.directory / "tomorrow.wtape"
        variables = {"WAVETAPE_WORKLOAD": support.TREE.workload("oob-load"), "LD_BIND_NOW": "1"}
        live = support.run(client, LD_LIBRARY_PATH=folder, **variables)
        self.assertEqual((live.code, live.stderr), (0, ""))
        self.assertIn("\ntomorrow 0x2a\ncode objects 0x1\n", live.stdout)
        # In the place of its library ours would keep it from starting.
        refused = support.run(client, LD_LIBRARY_PATH=support.TREE.libraries["record"].parent, **variables)
        self.assertNotEqual(refused.code, 0)
        self.assertIn("AMD_DBGAPI_0.90", refused.stderr)
        for how in (["--dbgapi", library], []):
            with self.subTest(how=how):
                recorded = support.wavetape("record", "-o", trace, *how, "--", client, LD_LIBRARY_PATH=folder, **variables)
                self.assertEqual(recorded, live)
                said = [line for line in support.wavetape("info", trace).stdout.splitlines() if "is not known" in line]
                self.assertEqual(len(said), 2, said)
                self.assertIn("amd_dbgapi_of_tomorrow@AMD_DBGAPI_0.90", "".join(said))
                self.assertIn("amd_dbgapi_process_code_object_list@AMD_DBGAPI_0.90", "".join(said))
                functions = {call.get("function") for call in self.json("journal", trace)["entries"]}
                self.assertIn("amd_dbgapi_read_register", functions)
                self.assertNotIn("amd_dbgapi_process_code_object_list", functions)

    def test_versions_of_a_replay(self):
        """A client is told of a library that is no older than itself: the recorded one, where that is so."""
        trace = support.TREE.source / "tests/golden/format-1.0.wtape"
        self.assertIn("library 0.77.0", support.wavetape("info", trace).stdout)
        for level in (56, 77, 78, NEWEST):
            shown = self.run_client(level, support.TREE.libraries["replay"].parent, WAVETAPE_TRACE=trace).stdout
            self.assertIn("\nmajor 0, no older than this client\n", shown)

    def compare(self, recorded, level, expected, found):
        """All that the recorded library had is there; what it had not is said to be not available."""
        for line, other in zip(expected.splitlines(), found.splitlines(), strict=True):
            since = SINCE.match(line)
            if since and int(since[1]) > recorded and line != other:
                self.assertTrue(other.endswith(": This is not available"), other)
            elif recorded >= WATCHPOINTS_TELL or not line.startswith("watchpoint"):
                self.assertEqual(other, line, (recorded, level))


if __name__ == "__main__":
    support.main(__doc__)
