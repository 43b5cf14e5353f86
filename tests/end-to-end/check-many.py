# SPDX-License-Identifier: MIT
"""Many at once: processes that record into one directory, traces that are sorted while others come, a slow disk with a quota, calls without end.

The short form tries a share; WAVETAPE_LONG=1 a thousand processes, ten thousand traces, ten million calls and a simulated day.
"""

import concurrent.futures
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import threading
import unittest

import support
from support import Case

LONG = "WAVETAPE_LONG" in os.environ
PROCESSES, AT_ONCE, KEPT = (1000, 32, 50) if LONG else (24, 8, 6)
TRACES = 10000 if LONG else 300
CALLS, HOURS = (10_000_000, 24) if LONG else (300_000, 24)
# Of KiB: arenas of threads and pages that are touched late are not the recorder's growing.
SLACK = 512
# Bytes, as a quota: less than the session's trace has.
QUOTA = 160 << 10


class Processes(Case):
    def record(self, number):
        # Of each its own name; who comes last takes what is too many away.
        return support.wavetape("record", "-o", self.directory / "traces" / "%h-%p.wtape", "--keep", KEPT, "--workload",
                                support.TREE.workload(("debug-trap", "oob-store")[number % 2]), timeout=600)

    def test_one_directory(self):
        folder = self.directory / "traces"
        folder.mkdir()
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as threads:
            results = list(threads.map(self.record, range(PROCESSES)))
        for result in results:
            self.assertEqual((result.code, result.stderr), (0, ""))
            self.assertRegex(result.stdout, r"\A(1 wave stopped for a fault: memory violation|the workload ran to its end); \d+ stops\n\Z")
        left = sorted(folder.iterdir())
        # Those that were there when the last one came, and it.
        self.assertEqual([path for path in left if path.suffix != ".wtape"], [])
        self.assertLessEqual(len(left), KEPT)
        self.assertGreater(len(left), KEPT // 2)
        for path in left:
            checked = self.json("check", path)
            self.assertTrue(checked["closed"] and checked["whole"] and not checked["loss"], checked)
        print(f"proof: {PROCESSES} processes, {AT_ONCE} at once, recorded into one directory that keeps {KEPT}: {len(left)} traces left, all whole")


class Triage(Case):
    def test_while_others_are_written(self):
        folder = self.directory / "traces"
        folder.mkdir()
        for number in range(TRACES):
            # A file of its own each: names are what a cluster has, and what is in them is the same for many.
            shutil.copy(self.trace(("debug-trap", "oob-store", "illegal")[number % 3]), folder / f"t{number}.wtape")
        done, written = threading.Event(), []

        def write():
            while not done.is_set():
                path = folder / f"new{len(written)}.wtape"
                written.append(support.wavetape("record", "-o", path, "--workload", support.TREE.workload("oob-store")).code)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            cache = {"XDG_CACHE_HOME": self.directory / "cache"}
            runs = [support.wavetape("triage", folder, "--json", timeout=900, **cache) for _ in range(3)]
        finally:
            done.set()
            writer.join()
        self.assertTrue(written and not any(written), written)
        for result in runs:
            # What is being written may be read as one that is not closed yet.
            self.assertIn(result.code, (0, 3), result.stderr)
            groups = json.loads(result.stdout)["groups"]
            self.assertGreaterEqual(sum(group["traces"] for group in groups), TRACES)
            self.assertEqual(len([group for group in groups if group["traces"] >= TRACES // 3]), 3)
        print(f"proof: {TRACES} traces sorted three times while {len(written)} others were recorded beside them")


class Disk(Case):
    def test_slow_and_full(self):
        """Each of the recorder's calls for files takes its time, as over a network, and there is a quota."""
        client, words = support.TREE.build / "tests/transparency/ask-all", ("--seed", 7, "--stops", 4)
        environment = {"WAVETAPE_WORKLOAD": support.TREE.workload("debug-trap")}
        plain = support.run(client, support.TREE.libraries["simulated"], *words, **environment)
        path = self.directory / "slow.wtape"

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (QUOTA, QUOTA))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        done = subprocess.run(
            [str(word) for word in (client, support.TREE.libraries["record"], *words)], capture_output=True, text=True, check=False, timeout=support.TIMEOUT, preexec_fn=limit,
            env=support.environment(LD_PRELOAD=support.TREE.build / "tests/end-to-end/libfail-nth.so", WT_SLOW_FILES=5, WT_SLOW_SYNC=20, WAVETAPE_OPTIONS="waves=all,memory=all",
                                    WAVETAPE_TRACE=path, WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], **environment))
        told = support.without_log(done.stdout)
        self.assertEqual((done.returncode, told[0], done.stderr), (plain.code, plain.stdout, plain.stderr))
        # It was ended in order, and says so.
        checked = self.json("check", path)
        self.assertEqual((checked["closed"], checked["whole"], checked["damage"]), (True, True, []))
        self.assertLessEqual(path.stat().st_size, QUOTA)
        self.assertRegex(support.wavetape("info", path).stdout, r"(?m)^timeline .*, ended: disk full$")
        print(f"proof: 5 ms for each call for files and a quota of {QUOTA >> 10} KiB: {checked['calls']['count']} calls kept, the client's answers the same")


class Calls(Case):
    def record(self, path, calls, **environment):
        result = support.run(support.TREE.build / "tests/end-to-end/many-calls", calls, HOURS, timeout=1800,
                             LD_LIBRARY_PATH=support.TREE.libraries["record"].parent, WAVETAPE_TRACE=path,
                             WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], WAVETAPE_WORKLOAD=support.TREE.workload("debug-trap"), **environment)
        self.assertEqual((result.code, result.stderr), (0, ""), result.stdout)
        return result

    def test_in_step(self):
        """A call that nobody can make again, as it got no memory for its answer, is behind those that come after it, however many they are."""
        path = self.directory / "in-step.wtape"
        self.record(path, 70_000)
        report = self.json("verify", path)
        self.assertEqual(report["differences"], {"count": 0, "first": []})
        self.assertGreater(report["calls"], 70_000)

    def test_flat(self):
        """Of a recording with a ring, which keeps what it has within bounds: the second half of the calls needs no more than the first."""
        path = self.directory / "many.wtape"
        result = self.record(path, CALLS, WAVETAPE_OPTIONS="ring=2")
        parts = [tuple(map(int, found)) for found in re.findall(r"(?m)^(\d+) (\d+)$", result.stdout)]
        self.assertEqual(len(parts), 10, result.stdout)
        self.assertEqual(len({descriptors for descriptors, _ in parts[1:]}), 1, parts)
        memory = [kib for _, kib in parts]
        self.assertLessEqual(max(memory[5:]), max(memory[:5]) + SLACK, memory)
        checked = self.json("check", path)
        self.assertTrue(checked["whole"] and checked["closed"], checked)
        self.assertGreater(checked["calls"]["count"], CALLS)
        print(f"proof: {CALLS} calls and {HOURS} simulated hours: {parts[1][0]} descriptors from the first part to the last, "
              f"{max(memory[:5])} KiB of memory in the first half and {max(memory[5:])} in the second; a trace of {path.stat().st_size >> 10} KiB")


if __name__ == "__main__":
    support.main(__doc__)
