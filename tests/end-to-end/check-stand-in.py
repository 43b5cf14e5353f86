# SPDX-License-Identifier: MIT
"""wavetape-host in place of the program that uses the simulated GPU: it has the GPU's memory, so that a debugger reaches it through the program, too."""

import re

import support

READY = "breakpoint in\nattached: 0 code objects\nthe list of code objects has changed\n"
END = "breakpoint out\nthe host exited: 0\ndetached, breakpoint out\nfine\n"


class StandIn(support.Case):
    def setUp(self):
        super().setUp()
        self.client = support.TREE.build / "tests/end-to-end/host-client"
        self.host = support.TREE.build / "dbgapi/host/wavetape-host"
        self.simulated = support.TREE.libraries["simulated"]

    def workload(self, *names, changes=None):
        return support.one_wave_each(self.directory, names, changes or [{}] * len(names))

    def live(self, workload, how):
        done = support.run(self.client, self.host, "", how, LD_LIBRARY_PATH=self.simulated.parent, WAVETAPE_WORKLOAD=workload)
        self.assertEqual((done.code, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def record(self, workload, how):
        """The same with the recording library in front; the trace."""
        trace = self.directory / "host.wtape"
        done = support.run(support.TREE.command, "record", "-o", trace, "--dbgapi", self.simulated, "--",
                           self.client, self.host, "", how, WAVETAPE_WORKLOAD=workload)
        self.assertEqual((done.code, done.stdout), (0, self.live(workload, how)), done.stderr)
        return trace

    @staticmethod
    def objects(*names):
        return "".join(f"code object file://{support.TREE.kernels / name}.co\n" for name in names)

    @staticmethod
    def stop(wave, reason, pc):
        return f"wave {wave}: reason {reason:#x} pc {pc:#x}\n  memory at {pc:#x} is one\nall stopped\n"

    def test_stops(self):
        workload = self.workload("debug-trap", "debug-trap")
        shown = self.live(workload, "once")
        pc = int(re.search(r"pc (0x\w+)", shown)[1], 16)
        self.assertEqual(shown, READY + self.objects("debug-trap") + self.stop(1, 0x400, pc) +
                          self.stop(2, 0x400, pc) + END)
        # Another session has another host, and memory of its own.
        self.assertEqual(self.live(workload, "twice"), 2 * shown.removesuffix("fine\n") + "fine\n")

    def test_breakpoint(self):
        """What is written into the program is executed by the waves, and then no longer."""
        workload = self.workload("debug-trap")
        shown = self.live(workload, "break")
        entry, trap = (int(pc, 16) for pc in re.findall(r"pc (0x\w+)", shown))
        self.assertEqual(shown, READY + self.objects("debug-trap") + self.stop(1, 1, entry) + self.stop(1, 0x400, trap) + END)
        self.assertLess(entry, trap)
        stops = self.json("stops", self.record(workload, "break"))["stops"]
        self.assertEqual([stop["reasons"] for stop in stops if stop["stopped"]], ["BREAKPOINT", "DEBUG_TRAP"])

    def test_code_that_comes_and_goes(self):
        workload = self.workload("vecadd", "debug-trap", "oob-load", changes=(
            {}, {"load_after": 0, "unload_after": 1}, {"load_after": 1}))
        changed = "the list of code objects has changed\n"
        shown = self.live(workload, "once")
        pc = int(re.search(r"pc (0x\w+)", shown)[1], 16)
        self.assertEqual(shown, READY + self.objects("vecadd") + changed + self.objects("vecadd", "debug-trap") +
                         self.stop(2, 0x400, pc) + changed + self.objects("vecadd", "oob-load") + END)

    def test_replay(self):
        """A replay has a host of the same kind, with its own memory where the recorded one had its."""
        trace = self.record(self.workload("debug-trap", "debug-trap"), "break")
        done = support.run(support.TREE.command, "replay", "--host", trace, "--", "sh", "-c",
                           f'exec {self.client} "$WAVETAPE_HOST" "$WAVETAPE_HOST_IMAGE" once', XDG_CACHE_HOME=self.directory)
        self.assertEqual((done.code, done.stderr), (0, ""), done.stdout)
        reasons = re.findall(r"(?m)^wave (\d): reason (0x\w+) ", done.stdout)
        self.assertEqual(reasons, [("1", "0x1"), ("1", "0x400"), ("2", "0x400")], done.stdout)
        self.assertTrue(done.stdout.endswith(END), done.stdout)

    def test_another_program(self):
        """Any other program has no memory of the GPU; the session is as it always was."""
        done = support.run(self.client, "/bin/sleep", "100", LD_LIBRARY_PATH=self.simulated.parent,
                           WAVETAPE_WORKLOAD=self.workload("debug-trap"))
        self.assertEqual((done.code, done.stdout), (1, "attached: 1 code objects\nan event before the host is ready\n"))


if __name__ == "__main__":
    support.main(__doc__)
