# SPDX-License-Identifier: MIT
"""A client that is killed while it is recorded leaves a trace that opens and holds what it did."""

import itertools
import json
import os
import pathlib
import random
import re
import resource
import select
import signal
import subprocess
import sys
import time

import support
from support import Case, wavetape


class Kill(Case):
    def record(self, *arguments):
        """Record the client alone, without the command above it; its end and the trace."""
        trace = self.directory / "killed.wtape"
        result = self.client("record", *arguments, WAVETAPE_TRACE=trace,
                             WAVETAPE_DBGAPI=support.TREE.libraries["simulated"],
                             WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"))
        return trace, result

    def looks_whole(self, trace, stop):
        """Everything up to the kill can be seen; the exit code says that the end is missing."""
        result = wavetape("info", trace)
        self.assertEqual(result.code, 3, result.stderr)
        self.assertIn("wavetape: the trace is not whole: ", result.stderr)
        self.assertIn("not closed in order", result.stdout)
        self.assertIn(f"(stop {stop})", result.stdout)

    def calls(self, trace):
        result = wavetape("journal", trace)
        self.assertEqual(result.code, 3, result.stderr)
        return result.stdout.splitlines()

    def test_at_a_stop(self):
        trace, result = self.record("--kill-at", "1")
        self.assertEqual(result.code, -signal.SIGKILL)
        self.assertIn("---- stop 1\n", result.stdout)
        self.looks_whole(trace, 2)
        calls = self.calls(trace)
        self.assertIn("amd_dbgapi_get_version", calls[0])
        reads = [line for line in calls if "amd_dbgapi_read_register(" in line]
        self.assertGreater(len(reads), 30)
        # Not one call is lost: the last thing the client shows of a wave is a memory read.
        made = [line for line in calls if line[:1].isdigit()]
        self.assertIn("amd_dbgapi_read_memory(", made[-1])
        self.assertNotIn("did not return", calls[-1])
        verified = wavetape("verify", trace, "--json")
        self.assertEqual(verified.code, 3, verified.stdout)
        report = json.loads(verified.stdout)
        self.assertEqual((report["differences"]["count"], report["calls"]), (0, len(made)))

    def test_in_a_later_stop(self):
        trace, result = self.record("--break", "oob_store", "--steps", "5", "--alone",
                                     "5", "--kill-at", "4")
        self.assertEqual(result.code, -signal.SIGKILL)
        whole = wavetape("stops", trace)
        self.assertEqual(whole.code, 3)
        shown = [line for line in whole.stdout.splitlines() if line.startswith("stop ")]
        self.assertGreaterEqual(len(shown), 4)
        registers = wavetape("registers", trace, "pc")
        self.assertEqual(registers.code, 3, registers.stderr)
        self.assertRegex(registers.stdout, r"pc +0x[0-9a-f]{16}\n")

    def test_replay_up_to_the_kill(self):
        """What is there is replayed: the client prints the same up to where it was killed."""
        trace, killed = self.record("--kill-at", "1")
        replayed = self.client("replay", "--kill-at", "1", WAVETAPE_TRACE=trace)
        self.assertEqual(replayed, killed)

    def test_at_any_time(self):
        """Killed from outside at moments that we do not choose."""
        for delay in (0.0, 0.005, 0.02, 0.05, 0.1, 0.3):
            with self.subTest(delay=delay):
                self.kill_after(delay)

    def kill_after(self, delay):
        trace = self.directory / f"after-{delay}.wtape"
        client = subprocess.Popen(
            [support.TREE.client, "--break", "oob_store", "--steps", "1000", "--alone", "1000",
             "--stops", "1000"],
            stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            env=support.environment(
                LD_LIBRARY_PATH=support.TREE.libraries["record"].parent, WAVETAPE_TRACE=trace,
                WAVETAPE_DBGAPI=support.TREE.libraries["simulated"],
                WAVETAPE_WORKLOAD=support.TREE.workload("oob-store")))
        limit = time.monotonic() + support.TIMEOUT
        while not (trace.exists() and trace.stat().st_size) and time.monotonic() < limit:
            time.sleep(0.001)
        time.sleep(delay)
        client.kill()
        client.wait(timeout=support.TIMEOUT)
        for verb in ("info", "journal", "stops"):
            result = wavetape(verb, trace)
            self.assertIn(result.code, (0, 3), (verb, result.stderr))
            self.assertNotIn("error", result.stderr.lower())


# How the recordings are made that are killed at any moment.
KILLED = ("", "sync=stop", "ring=5", "ring=5,sync=stop")
LONG = os.environ.get("WAVETAPE_LONG") == "1"
ROUNDS = 200 if LONG else 8 if support.SMALL else 20


class AnyMoment(Case):
    """A recorded client tells line by line what it sees; it is killed at a random moment."""

    SESSION = ("--break", "oob_store", "--steps", "40", "--alone", "40", "--stops", "40")

    def start(self, trace, options):
        ours, theirs = os.pipe()
        client = subprocess.Popen(
            [support.TREE.client, *self.SESSION, "--lines", "1"], stdout=theirs, stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=support.environment(
                LD_LIBRARY_PATH=support.TREE.libraries["record"].parent, WAVETAPE_TRACE=trace,
                WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], WAVETAPE_OPTIONS=options,
                WAVETAPE_WORKLOAD=support.TREE.workload("oob-store")))
        os.close(theirs)
        return client, ours

    def listen(self, output, told, enough, seconds=support.TIMEOUT):
        """Read until that is enough, until the time is over, or to the end."""
        limit = time.monotonic() + seconds
        while not enough(told):
            left = limit - time.monotonic()
            if left <= 0 or not select.select([output], [], [], left)[0]:
                return
            data = os.read(output, 65536)
            if not data:
                return
            told += data

    def killed(self, trace, options, chance):
        """Kill a recording some time after a stop was told; all whole lines that were told."""
        client, output = self.start(trace, options)
        told = bytearray()
        stop = chance.randrange(0, 40)
        self.listen(output, told, lambda data: b"---- stop %d\n" % stop in data or not stop)
        self.listen(output, told, lambda data: False, chance.uniform(0, 0.02))
        client.kill()
        self.listen(output, told, lambda data: False)
        os.close(output)
        client.wait(timeout=support.TIMEOUT)
        text = told.decode()
        return client, text[:text.rfind("\n") + 1]

    def holds(self, trace, options, client, text):
        """Every stop that was told is in the trace, or came before the newest ones that are kept."""
        stops = [int(number) for number in re.findall(r"^---- stop (\d+)$", text, re.MULTILINE)]
        last = max(stops, default=0)
        if not trace.exists() or not trace.stat().st_size:
            self.assertEqual(last, 0)
            return last
        shown = wavetape("stops", trace, "--json")
        if not last and shown.code == 1:
            return last
        self.assertIn(shown.code, (0, 3), shown.stderr)
        listed = json.loads(shown.stdout)["stops"]
        information = json.loads(wavetape("info", trace, "--json").stdout)
        notices = information["notices"]
        # The trace that was there before may stay until the first stop, and no longer.
        if last:
            self.assertEqual(information["process_id"], client.pid)
        before = sum(int(found) for notice in notices
                     for found in re.findall(r"only the newest stops are kept: (\d+) stops", notice))
        self.assertGreaterEqual(before + len(listed), last)
        if "ring" in options:
            self.assertGreaterEqual(len(listed), min(last, 5))
            return last
        self.assertEqual(before, 0)
        # Whatever it was told up to then is answered again. Events after that belong to a stop that was not finished.
        again = self.client("replay", *self.SESSION, WAVETAPE_TRACE=trace)
        said = support.without_log(text)[0]
        unfinished = re.search(r"^event ", said[said.rfind("---- stop"):] if last else said, re.MULTILINE)
        if unfinished:
            said = said[:unfinished.start() + (said.rfind("---- stop") if last else 0)]
        self.assertEqual(support.without_log(again.stdout)[0][:len(said)], said)
        return last

    def test_any_moment(self):
        killed = deepest = 0
        for seed in range(1, ROUNDS + 1):
            options = KILLED[seed % len(KILLED)]
            with self.subTest(seed=seed, options=options):
                # Every third one takes the place of a trace.
                name = "again" if seed % 3 == 0 else seed
                trace = self.directory / f"{name}-{seed % len(KILLED)}.wtape"
                client, text = self.killed(trace, options, random.Random(seed))
                deepest = max(deepest, self.holds(trace, options, client, text))
                killed += client.returncode == -signal.SIGKILL
        self.assertGreater(killed, ROUNDS // 2)
        self.assertGreater(deepest, 10)
        print(f"proof: kill -9: {killed} of {ROUNDS} recordings killed at random moments (seeds 1 to {ROUNDS}), "
              f"no finished stop lost", file=sys.stderr)


# Room for the start of a trace and the end that is reserved beforehand, not for all of the session.
DISK = 1200 << 10
SESSION = ("--break", "divergent", "--steps", "150", "--alone", "150", "--stops", "151")


def small_disk(size):
    """No file may grow past a size. Python ignores the signal of it, and so will the client."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class FullDisk(Case):
    def record(self, size):
        """Run the client alone and recorded; its output must not differ, but for a line in its log."""
        workload = support.TREE.workload("divergent")
        trace = self.directory / "full.wtape"
        live = self.client("simulated", *SESSION, WAVETAPE_WORKLOAD=workload)
        done = subprocess.run(
            [support.TREE.client, *SESSION], capture_output=True, check=False,
            timeout=support.TIMEOUT, stdin=subprocess.DEVNULL, preexec_fn=small_disk(size),
            restore_signals=False,
            env=support.environment(
                LD_LIBRARY_PATH=support.TREE.libraries["record"].parent, WAVETAPE_TRACE=trace,
                WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], WAVETAPE_WORKLOAD=workload))
        stdout, logged = support.without_log(done.stdout.decode())
        self.assertEqual((done.returncode, stdout, done.stderr.decode()),
                         (live.code, live.stdout, live.stderr))
        return trace, logged

    def test_full_while_recording(self):
        """The trace ends in order, and says why; what it holds is replayed without a difference."""
        trace, _ = self.record(DISK)
        self.assertLessEqual(trace.stat().st_size, DISK)
        information = self.json("info", trace, code=3, stderr=f"wavetape: the recording ended early: "
                                                              f"{trace}: disk full\n")
        self.assertEqual((information["complete"], information["closed"], information["end_reason"]),
                         (False, True, "disk full"))
        self.assertIn("File too large", information["notices"])
        self.assertGreater(information["stops"], 2)
        # The room may have ended inside of a call, which is then told.
        result = support.wavetape("verify", trace, "--json")
        self.assertEqual((result.code, result.stderr),
                         (3, f"wavetape: the recording ended early: {trace}: disk full\n"))
        report = support.json.loads(result.stdout)
        self.assertEqual(report["differences"]["count"], 0)

    def test_no_room_at_all(self):
        trace, logged = self.record(16384)
        self.assertFalse(trace.exists())
        self.assertRegex(logged, r"\Alog 2: wavetape: cannot write the trace: [^\n]+: File too "
                                 r"large\n\Z")


class Command(Case):
    """What `record` starts ends with it, also of a workload that does not come to an end by itself."""

    def children(self, process):
        return [int(child) for child in
                pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("ascii").split()]

    def is_running(self, process):
        """By its number; one that has ended and that nobody has waited for is not."""
        try:
            return pathlib.Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
        except FileNotFoundError:
            return False

    def wait_for(self, condition):
        for _ in range(2000):
            if condition():
                return True
            time.sleep(0.01)
        return False

    def test_killed(self):
        workload, trace = support.hanging(self.directory, "spins"), self.directory / "t.wtape"
        for kill in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            with self.subTest(kill=kill):
                # At once, and when the workload runs.
                for started in (False, True):
                    trace.unlink(missing_ok=True)
                    with subprocess.Popen([support.TREE.command, "record", "-o", trace, "--workload", workload],
                                          env=support.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                        self.assertTrue(self.wait_for(lambda p=process: self.children(p)))
                        self.assertTrue(not started or self.wait_for(lambda: trace.exists() and trace.stat().st_size))
                        children = self.children(process)
                        process.send_signal(kill)
                        self.assertEqual(process.wait(support.TIMEOUT), -kill)
                        for child in children:
                            gone = self.wait_for(lambda c=child: not self.is_running(c))
                            if not gone:
                                os.kill(child, signal.SIGKILL)
                            self.assertTrue(gone, child)

    def test_time_limit(self):
        """The last stop shows where the waves are, as that of a hang does."""
        workload, trace = support.hanging(self.directory, "spins"), self.directory / "t.wtape"
        self.wavetape("record", "-o", trace, "--time-limit", "1", "--workload", workload, stdout="--time-limit was reached; 2 stops\n")
        self.check_where_they_are(trace)

    def check_where_they_are(self, trace):
        report = self.json("info", trace)
        self.assertEqual((report["faults"], report["waves"], report["stops"], report["complete"]), ([], 8, 2, True))
        self.assertEqual(sum(place["waves"] for place in report["places"]), 8)
        source = (support.TREE.source / "tests/end-to-end/hangs.c").read_text("utf-8").splitlines()
        [spins] = [number for number, line in enumerate(source, 1) if "/* spins */" in line]
        for place in report["places"]:
            self.assertEqual((place["kernel"], place["activity"], place["at"]["source"]["line"]), ("spins", "loop", spins))
        self.assertIn("in kernel spins, in a loop, line", self.wavetape("info", trace))
        self.wavetape("verify", trace)

    def test_interrupt(self):
        """One interrupt or SIGTERM ends the workload in order, sent to the command alone or to its group, as a terminal does."""
        workload, trace = support.hanging(self.directory, "spins"), self.directory / "t.wtape"
        for number, send in itertools.product((signal.SIGINT, signal.SIGTERM), (os.kill, os.killpg)):
            trace.unlink(missing_ok=True)
            with subprocess.Popen([support.TREE.command, "record", "-o", trace, "--workload", workload], env=support.environment(),
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
                self.assertTrue(self.wait_for(lambda: trace.exists() and trace.stat().st_size))
                time.sleep(1)
                send(process.pid, number)
                stdout, stderr = process.communicate(timeout=support.TIMEOUT)
                self.assertEqual((process.returncode, stdout, stderr), (-number, "interrupted; 2 stops\n", ""))
            self.check_where_they_are(trace)


if __name__ == "__main__":
    support.main(__doc__)
