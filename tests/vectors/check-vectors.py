# SPDX-License-Identifier: MIT
"""Every test vector, read by the command and by the second reader: both say the same, and what they always said.

A vector is NAME.wtape with NAME.json: what it means. `--expect` writes those files again from what the second reader says; then
look at what changed. With WAVETAPE_LONG=1 in the environment every stop is compared, not only the last one.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "end-to-end"))

import support  # noqa: E402: it lies beside the other end-to-end tests
from support import Case  # noqa: E402

LONG = os.environ.get("WAVETAPE_LONG") == "1"
LEAST = 60
# Debian's modules lie where Debian's interpreter looks for them.
PYTHON = "/usr/bin/python3"
NAMES = sorted(path.stem for path in HERE.glob("*.wtape"))


def digest(value):
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:32]


def second_reader(proto, path):
    done = subprocess.run([PYTHON, HERE.parent / "second-reader/read-trace.py", "--proto", proto, path],
                          capture_output=True, check=False, timeout=120)
    if done.returncode not in (0, 1, 3) or done.stderr:
        raise AssertionError(f"the second reader, {path.name}: {done.returncode}: {done.stderr.decode()}")
    return done.returncode, json.loads(done.stdout)


def expectation(code, meaning):
    """What a vector's .json has: all that can be read at a glance, and digests of the rest."""
    short = {"exit": code, **{key: value for key, value in meaning.items() if key not in ("journal", "at")}}
    if "journal" in meaning:
        short["journal"] = {"calls": len(meaning["journal"]), "digest": digest(meaning["journal"])}
        short["at"] = [stop if "lost" in stop else {
            "stop": stop["stop"], "waves": len(stop["waves"]), "memory": [
                f"{run['space']} {run['owner']} {run['from']} {run['to']}" for run in stop["memory"]],
            "digest": digest(stop)} for stop in meaning["at"]]
    return short


class Vectors(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        proto = support.TREE.build / "tests/second-reader"
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            names = support.share(NAMES)
            cls.read = dict(zip(names, pool.map(
                lambda name: second_reader(proto, HERE / f"{name}.wtape"), names)))

    def said(self, name, *arguments):
        """The answer of a verb as JSON, or None where it says that it has none."""
        done = support.run(support.TREE.command, *arguments, "--json", f"{name}.wtape", cwd=HERE)
        self.assertIn(done.code, (0, 1, 3), done.stderr)
        return None if done.code == 1 else json.loads(done.stdout)

    def test_enough(self):
        self.assertGreaterEqual(len(NAMES), LEAST)
        self.assertEqual(NAMES, sorted(path.stem for path in HERE.glob("*.json")))
        print(f"{len(self.read)} of {len(NAMES)} vectors, {sum(code == 0 for code, _ in self.read.values())} of them whole, "
              f"{sum(code == 1 for code, _ in self.read.values())} refused", file=sys.stderr)

    def test_meaning(self):
        for name, (code, meaning) in self.read.items():
            with self.subTest(vector=name):
                expected = json.loads((HERE / f"{name}.json").read_text("utf-8"))
                self.assertEqual(expectation(code, meaning), expected)

    def test_check(self):
        for name, (code, meaning) in self.read.items():
            with self.subTest(vector=name):
                done = support.run(support.TREE.command, "check", "--json", f"{name}.wtape", cwd=HERE)
                self.assertEqual(done.code, code, done.stderr)
                if code == 1:
                    self.assertTrue(done.stderr.startswith("wavetape: "), done.stderr)
                    continue
                said = json.loads(done.stdout)
                self.assertEqual({key: said[key] for key in meaning["check"]}, meaning["check"])

    def test_lists(self):
        for name, (code, meaning) in self.read.items():
            if code == 1:
                continue
            with self.subTest(vector=name):
                self.compare_lists(name, meaning)

    def compare_lists(self, name, meaning):
        info = self.said(name, "info")
        # That nothing is lost besides, as `complete` of the command says, is not what a reader's meaning is about.
        self.assertLessEqual(info["complete"], info["closed"])
        info["complete"] = info["closed"]
        self.assertEqual({key: info.get(key) for key in meaning["info"]}, meaning["info"])
        stops = self.said(name, "stops")["stops"]
        for stop in stops:
            stop["events"] = [event["event"] for event in stop["events"]]
        self.assertEqual([{key: stop[key] for key in expected} for stop, expected in zip(stops, meaning["stops"])],
                         meaning["stops"])
        self.assertEqual(len(stops), len(meaning["stops"]))
        lost = {stop["stop"] for stop in meaning["at"] if "lost" in stop}
        self.assertEqual({stop["stop"] for stop in stops if "state_lost" in stop}, lost)
        calls = [call for call in self.said(name, "journal")["entries"] if "function" in call]
        self.assertEqual([shortened(call) for call in calls], meaning["journal"])

    def test_states(self):
        for name, (code, meaning) in self.read.items():
            stops = meaning.get("at", [])
            for stop in stops if LONG else stops[-1:]:
                with self.subTest(vector=name, stop=stop["stop"]):
                    self.compare_state(name, stop)

    def test_facts_are_the_same_in_all_forms(self):
        """Those whose keys were names of functions before 1.6."""
        proto = support.TREE.build / "tests/second-reader"
        read = [second_reader(proto, HERE / f"facts-by-{form}.wtape") for form in ("types", "names-of-functions", "both")]
        now, before, both = ([stop["notes"] for stop in meaning["at"] if "notes" in stop] for _, meaning in read)
        self.assertEqual([len(notes) for notes in now], [10, 9])
        self.assertEqual(before, now)
        self.assertEqual(both, now)

    def test_wave_that_is_lost(self):
        """Only its handle and its registers are there: nothing is said of whether it ran."""
        trace = HERE / "changed-answer-that-is-not-there.wtape"
        waves = support.run(support.TREE.command, "waves", "--stop", "2", trace)
        self.assertEqual((waves.code, waves.stdout.splitlines()[:2]),
                         (3, ["stop 2: 2 waves", "w1     (?)            ?            unknown"]))
        registers = support.run(support.TREE.command, "registers", "--stop", "2", "--wave", "1", trace, "pc")
        self.assertEqual((registers.code, registers.stdout),
                         (3, "stop 2, wave w1\npc             0x0000200000000001\n"))

    def compare_state(self, name, stop):
        at = ("--stop", str(stop["stop"]))
        waves = self.said(name, "waves", *at)
        if "lost" in stop:
            self.assertIsNone(waves)
            return
        self.assertEqual([{key: wave.get(key) for key in expected}
                          for wave, expected in zip(waves["waves"], stop["waves"])], stop["waves"])
        self.assertEqual(len(waves["waves"]), len(stop["waves"]))
        self.assertEqual(self.said(name, "code-objects", *at)["code_objects"], stop["code_objects"])
        runs = [{key: value for key, value in run.items() if key != "data"} for run in stop["memory"]]
        self.assertEqual(self.said(name, "memory", *at)["ranges"], runs)
        for run in stop["memory"]:
            if "data" in run:
                size = int(run["to"], 16) - int(run["from"], 16)
                memory = support.run(support.TREE.command, "memory", *at, "--json", f"{name}.wtape", run["from"],
                                     str(size), cwd=HERE)
                self.assertEqual(json.loads(memory.stdout)["data"], run["data"])
        for wave, registers in stop["registers"].items():
            said = self.said(name, "registers", *at, "--wave", wave)
            self.assertEqual(said["registers"] if said else [], registers)


def shortened(call):
    """A call of `wavetape journal`, with what the second reader says of it."""
    short = {"call": call["call"], "function": call["function"], "thread": call["thread"], "start_ns": call["start_ns"],
             "input_count": len(call["inputs"])}
    if "callbacks" in call:
        short["callbacks"] = call["callbacks"]
    if "outputs" in call:
        short["output_count"] = len(call["outputs"])
        short["duration_ns"] = call["duration_ns"]
    return short


def write_expectations(proto):
    for name in NAMES:
        text = json.dumps(expectation(*second_reader(pathlib.Path(proto), HERE / f"{name}.wtape")), indent=1)
        (HERE / f"{name}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--expect"]:
        write_expectations(sys.argv[2])
    else:
        support.main(__doc__)
