# SPDX-License-Identifier: MIT
"""A client of the public header alone prints the same bytes live, recorded and replayed.

Also: what it recorded is verified, and a client that goes its own way over a trace ends in good order.
"""

import json
import os

import support
from support import Case, run_bytes, wavetape

VARIANTS = {
    "vecadd": [[]],
    "vecadd-gfx90a": [["--break", "vecadd", "--steps", "2", "--stops", "3"]],
    "saxpy": [[]],
    "matmul": [[]],
    "divergent": [[]],
    "reduce": [[]],
    "oob-store": [[], ["--break", "oob_store"], ["--break", "oob_store", "--steps", "5"],
                  ["--break", "oob_store", "--steps", "6", "--alone", "4", "--stops", "9"]],
    "oob-load": [[], ["--break", "oob_load", "--steps", "2", "--stops", "4"]],
    "assert-trap": [[]],
    "debug-trap": [[], ["--steps", "3"], ["--steps", "20", "--alone", "20", "--stops", "30"], ["--stops", "1"]],
    "half-overflow": [[]],
    "illegal": [[]],
    "two-queues": [[], ["--break", "saxpy"]],
}

# Runs over a trace by clients that do not do what the recorded one did.
FREE = (
    [],
    ["--stops", "1"],
    ["--stops", "20"],
    ["--steps", "7"],
    ["--steps", "7", "--alone", "7"],
    ["--break", "oob_store"],
    ["--break", "oob_store", "--steps", "9", "--stops", "12"],
)


class Client(Case):
    def live(self, name, arguments):
        done = run_bytes(
            support.TREE.client, *arguments,
            LD_LIBRARY_PATH=support.TREE.libraries["simulated"].parent,
            WAVETAPE_WORKLOAD=support.TREE.workload(name))
        return done.returncode, done.stdout, done.stderr

    def record(self, name, arguments, *options):
        trace = self.directory / "client.wtape"
        trace.unlink(missing_ok=True)
        done = run_bytes(
            support.TREE.command, "record", *options, "-o", trace,
            "--dbgapi", support.TREE.libraries["simulated"], "--", support.TREE.client, *arguments,
            WAVETAPE_WORKLOAD=support.TREE.workload(name))
        return trace, (done.returncode, done.stdout, done.stderr)

    def replay(self, trace, arguments, **variables):
        done = run_bytes(support.TREE.command, "replay", trace, "--", support.TREE.client,
                         *arguments, **variables)
        return done.returncode, done.stdout, done.stderr

    def check_output(self, output, name):
        """The client saw something, or equal bytes would prove little."""
        code, stdout, stderr = output
        self.assertEqual((code, stderr), (0, b""), stdout[-1000:])
        self.assertIn(b"agent 1 ", stdout)
        self.assertIn(b"---- end\n", stdout)
        self.assertNotIn(b"gave up waiting", stdout)
        if name in support.FAULTS or name == "debug-trap":
            self.assertIn(b"---- stop 1\n", stdout)
            self.assertRegex(stdout, rb"\n  v0 1 0 hash [0-9a-f]{16}\n")

    def assert_same(self, one, other, what):
        self.assertEqual(other[::2], one[::2], what)
        if one[1] == other[1]:
            return
        lines = list(zip(one[1].splitlines(), other[1].splitlines()))
        for number, (a, b) in enumerate(lines, 1):
            self.assertEqual(b.decode(), a.decode(), f"{what}: line {number}")
        self.fail(f"{what}: one output is longer")

    def check_all(self, names):
        for name in names:
            for arguments in support.share(VARIANTS[name]):
                with self.subTest(workload=name, arguments=arguments):
                    self.check_one(name, arguments)

    def check_one(self, name, arguments):
        live = self.live(name, arguments)
        self.check_output(live, name)
        trace, recorded = self.record(name, arguments)
        self.assert_same(live, recorded, "recorded against live")
        self.assert_same(live, self.replay(trace, arguments), "replayed against live")
        self.assert_same(live, self.replay(trace, arguments), "replayed again")
        verified = self.json("verify", "--fixpoint", trace)
        self.assertEqual(verified["differences"], {"count": 0, "first": []})
        self.assertEqual(verified["fixpoint_differences"], {"count": 0, "first": []})


class Same(Client):
    def test_no_stop(self):
        self.check_all(["vecadd", "saxpy", "divergent", "reduce"])

    def test_local_memory(self):
        self.check_all(["matmul"])

    def test_violations(self):
        self.check_all(["oob-store", "oob-load"])

    def test_traps(self):
        self.check_all(["assert-trap", "debug-trap", "half-overflow", "illegal"])

    def test_queues(self):
        self.check_all(["two-queues"])

    def test_breakpoint_is_hit(self):
        """The variants above would be poor if the breakpoint did nothing."""
        output = self.live("oob-store", ["--break", "oob_store", "--steps", "5", "--alone", "5"])[1]
        self.assertIn(b"breakpoint inserted at 0x", output)
        self.assertIn(b"breakpoint removed at 0x", output)
        self.assertIn(b"---- stop 6\n", output)


class Free(Client):
    def test_other_order(self):
        """Every way of going through the trace ends by itself, without a signal."""
        trace, _ = self.record("oob-store", ["--break", "oob_store", "--steps", "3", "--alone", "2"])
        for arguments in support.share(FREE):
            with self.subTest(arguments=arguments):
                code, stdout, stderr = self.replay(trace, arguments)
                self.assertIn(code, (0, 1), stdout[-1000:])
                self.assertEqual(stderr, b"")
                self.assertIn(b"agent 1 ", stdout)
                self.assertTrue(b"---- end\n" in stdout or b"FAILED " in stdout)

    def test_traces_of_the_agent(self):
        """A trace that our agent made is replayed to another client."""
        for name in ("oob-store", "assert-trap", "debug-trap", "illegal", "vecadd"):
            with self.subTest(workload=name):
                code, stdout, stderr = self.replay(self.trace(name), [])
                self.assertEqual((code, stderr), (0, b""), stdout[-1000:])
                if name in support.FAULTS:
                    self.assertIn(b"---- stop 1\n", stdout)

    def test_other_trace_in_the_environment(self):
        """The trace that was named is replayed, whatever the user's environment names."""
        trace, recorded = self.record("oob-store", [])
        self.assert_same(recorded, self.replay(trace, [], WAVETAPE_REPLAY="/nowhere/other.wtape"), "named")

    def test_the_trace_is_never_written(self):
        trace, _ = self.record("oob-store", ["--break", "oob_store"])
        os.chmod(trace, 0o400)
        before = trace.read_bytes()
        self.replay(trace, ["--break", "oob_store"])
        self.assertEqual(trace.read_bytes(), before)


class Recording(Client):
    def test_environment_alone(self):
        """No command needed: the recording library and three variables."""
        trace = self.directory / "bare.wtape"
        result = self.client("record", WAVETAPE_TRACE=trace,
                             WAVETAPE_DBGAPI=support.TREE.libraries["simulated"],
                             WAVETAPE_WORKLOAD=support.TREE.workload("oob-store"))
        live = self.live("oob-store", [])
        self.assertEqual((result.code, result.stdout.encode(), result.stderr),
                         (live[0], live[1], ""))
        self.wavetape("verify", trace, stdout=None)
        replayed = self.client("replay", WAVETAPE_TRACE=trace)
        self.assertEqual(replayed, result)

    def test_mode_of_the_file(self):
        trace, _ = self.record("vecadd", [])
        self.assertEqual(trace.stat().st_mode & 0o777, 0o600)

    def test_no_other_file(self):
        trace, _ = self.record("vecadd", [])
        self.assertEqual(list(self.directory.iterdir()), [trace])

    def test_end_of_the_client(self):
        """What the client's own end was is what the command tells."""
        for wanted, script in ((7, "exit 7"), (128 + 9, "kill -9 $$")):
            client = ["sh", "-c", f"{support.TREE.client} >/dev/null; {script}"]
            done = wavetape("record", "-o", self.directory / "t.wtape", "--dbgapi",
                            support.TREE.libraries["simulated"], "--", *client,
                            WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))
            self.assertEqual((done.code, done.stderr), (wanted, ""))
            done = wavetape("replay", self.directory / "t.wtape", "--", *client)
            self.assertEqual((done.code, done.stderr), (wanted, ""))

    def test_journal_holds_what_the_client_called(self):
        trace, _ = self.record("oob-store", [])
        calls = json.loads(self.wavetape("journal", trace, "--json"))["entries"]
        names = [call["function"] for call in calls if "function" in call]
        self.assertEqual(names[0], "amd_dbgapi_get_version")
        self.assertEqual(names[-2:], ["amd_dbgapi_process_detach", "amd_dbgapi_finalize"])
        self.assertEqual([call["call"] for call in calls if "call" in call],
                         list(range(1, len(names) + 1)))


if __name__ == "__main__":
    support.main(__doc__)
