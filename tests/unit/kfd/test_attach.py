# SPDX-License-Identifier: MIT
"""Attaching to a process through the kernel driver: what is found, what comes and goes, and what is refused.

Usage: test_attach.py WAVETAPE LIBRARY VERSION
"""

import errno
import sys
import threading

from live import CODE_URI, THIS, Faults, LiveCase, ctypes, kfd, main, number

VERSION = ""


class AttachCase(LiveCase):
    def expect_first_code(self):
        code, = self.handles("code_object")
        self.assertEqual(self.client.ask("code_object", code, "URI_NAME"), f"{CODE_URI}#0")
        self.assertEqual(self.client.ask("code_object", code, "LOAD_ADDRESS"), 0x1000)


class Attach(AttachCase):
    def build_name(self):
        self.api.library.amd_dbgapi_get_build_name.restype = ctypes.c_char_p
        return self.api.library.amd_dbgapi_get_build_name().decode()

    def test_process_that_runs_is_found(self):
        self.begin()
        self.assertEqual(self.build_name(), f"wavetape {VERSION} (kernel driver)")
        self.attach_live()
        self.assertEqual(self.side.breakpoints, 1)
        self.counts(agent=1, queue=1)
        self.expect_first_code()
        self.counts(wave=0)
        self.gives(self.api.process_attach(THIS, number()), "ERROR_ALREADY_ATTACHED")
        # The driver lets one debugger in, whoever it is.
        self.gives(self.api.process_attach(3, number()), "ERROR_RESTRICTION")
        self.assertIn("another debugger is attached", self.side.last_log)
        self.detach()
        self.assertEqual(self.side.breakpoints, 0)
        self.attach_live()
        self.counts(queue=1)
        self.detach_and_end()

    def test_versions_are_checked(self):
        self.begin()
        for version, status in (((1, 12), "ERROR_RESTRICTION"), ((2, 0), "ERROR_RESTRICTION"), ((2, 14), "ERROR_RESTRICTION"),
                                ((1, 13), "SUCCESS"), ((1, 999), "SUCCESS")):
            self.faults.version = version
            self.gives(self.attach_status(), status)
            if status == "SUCCESS":
                self.detach()
        self.absent(True)
        self.gives(self.attach_status(), "ERROR_RESTRICTION")
        self.assertEqual(self.build_name(), f"wavetape {VERSION} (simulated GPU)")
        self.end()


class Runtime(AttachCase):
    def change_runtime(self, comes, expected):
        results = []

        def enable():
            thread = self.program.connection()
            mode = kfd.runtime_enable(self.debug.address, kfd.RUNTIME_ENABLE) if comes else kfd.runtime_enable()
            results.append(self.program.call("runtime_enable", mode, thread))
            thread.close()

        thread = threading.Thread(target=enable)
        thread.start()
        event = self.next_of("RUNTIME")
        self.assertEqual(self.client.ask("event", event, "RUNTIME_STATE"), getattr(self.api, f"RUNTIME_STATE_{expected}"))
        # It waits until the client knows of it.
        self.assertEqual(results, [])
        self.process_event(event)
        thread.join()
        self.assertEqual(results, [0])

    def test_runtime_comes_and_goes(self):
        self.begin(loaded=False)
        self.gives(self.attach_status())
        self.counts(agent=1, queue=0)
        for _ in range(2):
            self.change_runtime(True, "LOADED_SUCCESS")
            self.assertEqual(self.side.breakpoints, 1)
            self.expect_first_code()
            self.change_runtime(False, "UNLOADED")
            self.assertEqual(self.side.breakpoints, 0)
            self.counts(code_object=0, agent=1)
        self.detach_and_end()

    def test_runtime_is_restricted(self):
        """A runtime that cannot be debugged is there, and nothing else of it is."""
        self.begin(loaded=False)
        self.gives(self.attach_status())
        for version, refuse, expected in ((6, False, "LOADED_ERROR_RESTRICTION"), (12, False, "LOADED_ERROR_RESTRICTION"),
                                          (10, True, "LOADED_ERROR_RESTRICTION"), (7, False, "LOADED_SUCCESS"), (11, False, "LOADED_SUCCESS")):
            self.debug.put(0, version)
            self.side.no_breakpoint = refuse
            self.change_runtime(True, expected)
            self.counts(code_object=expected == "LOADED_SUCCESS", wave=0)
            self.change_runtime(False, "UNLOADED")
        self.detach_and_end()


class Changes(LiveCase):
    def hit(self):
        action = number(0, "u32")
        self.gives(self.api.report_breakpoint_hit(self.side.breakpoint, THIS, action))
        return action.value

    def test_code_objects_come_and_go(self):
        self.begin_attached()
        self.assertEqual(self.hit(), self.api.BREAKPOINT_ACTION_RESUME)
        for count in (3, 0, 2, 1):
            self.set_code(count)
            self.assertEqual(self.hit(), self.api.BREAKPOINT_ACTION_HALT)
            self.counts(code_object=count)
            self.process_event(self.next_of("CODE_OBJECT_LIST_UPDATED"))
            self.process_event(self.next_of("BREAKPOINT_RESUME"))
        # While it is changed there is nothing to see.
        self.set_code(2)
        self.debug.put(24, 1)
        self.assertEqual(self.hit(), self.api.BREAKPOINT_ACTION_RESUME)
        self.counts(code_object=1)
        self.detach_and_end()

    def test_process_that_exits_has_nothing(self):
        self.begin()
        for at in range(2, 40):
            self.faults = Faults(fail_at=at, error=errno.ESRCH, stays=True)
            self.gives(self.attach_status())
            event = 1
            while event:
                event, _ = self.next(self.process)
                if event:
                    self.process_event(event)
            self.handles("wave")
            if self.faults.calls >= at:
                self.next(self.process)
                self.counts(agent=0, queue=0, code_object=0, wave=0)
            self.faults.fail_at = 0
            self.detach()
            # What was inserted into a program has gone with it.
            self.side.removals = self.side.insertions
            # The one that was let go by nobody is let go now.
            debugger = self.debugger()
            debugger.call("DISABLE")
            debugger.close()
        self.end()


if __name__ == "__main__":
    VERSION = sys.argv.pop(3)
    main(__doc__)
