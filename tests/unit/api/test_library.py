# SPDX-License-Identifier: MIT
"""Life cycle: initialize, attach, detach, finalize; what the process says of itself.

Usage: test_library.py LIBRARY-OVER-THE-FAKE-DEVICE
"""

import ctypes
import fcntl
import os

from fake import FakeCase, main, number

LAST_STATUS = "STATUS_ERROR_INVALID_CLUSTER_ID"
CLIENT = 9


class Library(FakeCase):
    def tearDown(self):
        self.fake.fails(False)
        super().tearDown()

    def attach_status(self, client_process=CLIENT):
        """The process is left alone, since none is attached to."""
        process = number(77)
        status = self.api.process_attach(client_process, process)
        self.assertEqual(process.value, 77)
        return status

    def test_version_without_initialize(self):
        version = [number(9, "u32") for _ in range(3)]
        self.api.get_version(*version)
        self.assertEqual([part.value for part in version], [0, self.api.at.level, 0])
        self.api.get_version(None, None, None)
        self.assertRegex(self.api.get_build_name().decode(), r"^wavetape \d+\.\d+\.\d+\S* \(simulated GPU\)$")

    def test_status_strings(self):
        text = ctypes.c_char_p()
        last = self.api.at.constants[LAST_STATUS]
        for status in range(0, last - 1, -1):
            text.value = None
            self.gives(self.api.get_status_string(status, ctypes.cast(ctypes.pointer(text), ctypes.POINTER(ctypes.c_void_p))))
            self.assertIsNotNone(text.value)
            if status == self.api.STATUS_ERROR_WAVE_OUTSTANDING_STOP:
                # GDB's own tests look for these words.
                self.assertRegex(text.value, rb"outstanding stop request$")
        untouched = ctypes.c_void_p(4711)
        self.gives(self.api.get_status_string(1, untouched), "ERROR_INVALID_ARGUMENT")
        self.gives(self.api.get_status_string(last - 1, untouched), "ERROR_INVALID_ARGUMENT")
        self.gives(self.api.get_status_string(0, None), "ERROR_INVALID_ARGUMENT")
        self.assertEqual(untouched.value, 4711)

    def test_initialize_order(self):
        api = self.api
        partial = api.callbacks(self.side, without=("xfer_global_memory",))
        self.gives(api.finalize(), "ERROR_NOT_INITIALIZED")
        self.gives(api.initialize(None), "ERROR_INVALID_ARGUMENT")
        self.gives(api.initialize(ctypes.byref(partial)), "ERROR_INVALID_ARGUMENT")
        self.gives(self.client.initialize())
        self.gives(api.initialize(None), "ERROR_ALREADY_INITIALIZED")
        self.gives(self.client.initialize(), "ERROR_ALREADY_INITIALIZED")
        self.gives(api.finalize())
        self.gives(api.finalize(), "ERROR_NOT_INITIALIZED")

    def test_attach_errors(self):
        self.gives(self.attach_status(), "ERROR_NOT_INITIALIZED")
        self.start()
        self.gives(self.api.process_attach(CLIENT, None), "ERROR_INVALID_ARGUMENT")
        self.gives(self.attach_status(None), "ERROR_INVALID_ARGUMENT")
        self.side.pid_status = self.api.STATUS_ERROR
        self.gives(self.attach_status(), "ERROR")
        self.side.pid_status = 0
        self.fake.fails(True)
        self.gives(self.attach_status(), "ERROR_RESTRICTION")
        self.assertEqual(self.side.log[-1],
                         (self.api.LOG_LEVEL_FATAL_ERROR, "cannot load the workload: fake.json: the test wants it so"))
        self.fake.fails(False)
        self.attach(1)
        self.gives(self.attach_status(1), "ERROR_ALREADY_ATTACHED")

    def test_attach_without_workload(self):
        self.start()
        del os.environ["WAVETAPE_WORKLOAD"]
        self.gives(self.attach_status(), "ERROR_RESTRICTION")
        level, message = self.side.log[-1]
        self.assertEqual(level, self.api.LOG_LEVEL_FATAL_ERROR)
        self.assertIn("WAVETAPE_WORKLOAD", message)

    def test_process_info(self):
        self.start()
        process, get_info, value = self.attach(), self.client.get_info, number(9)
        self.asked("process", process, "OS_ID", self.side.process_id)
        self.asked("process", process, "WATCHPOINT_COUNT", 4)
        self.asked("process", process, "PRECISE_MEMORY_SUPPORTED", self.api.MEMORY_PRECISION_PRECISE)
        self.gives(self.client.answer("process", process, "CORE_STATE")[0], "ERROR_PROCESS_NOT_FROZEN")
        self.gives(get_info("process", process, 99, 0, None), "ERROR_INVALID_ARGUMENT")
        self.gives(get_info("process", process, "OS_ID", 1, None), "ERROR_INVALID_ARGUMENT")
        self.gives(get_info("process", process, "OS_ID", 8, value), "ERROR_INVALID_ARGUMENT_COMPATIBILITY")
        self.gives(get_info("process", 99, 99, 0, None), "ERROR_INVALID_PROCESS_ID")

    def test_process_without_pid(self):
        self.start()
        self.side.pid_status = self.api.STATUS_ERROR_NOT_AVAILABLE
        process, pid = self.attach(), number(5, "i32")
        self.gives(self.client.get_info("process", process, "OS_ID", 4, pid), "ERROR_NOT_AVAILABLE")
        self.assertEqual(pid.value, 5)

    def test_notifier(self):
        self.start()
        process = self.attach()
        notifier = self.client.ask("process", process, "NOTIFIER")
        self.assertTrue(fcntl.fcntl(notifier, fcntl.F_GETFL) & os.O_NONBLOCK)
        self.assertTrue(fcntl.fcntl(notifier, fcntl.F_GETFD) & fcntl.FD_CLOEXEC)
        self.assertEqual((self.drain(process), self.drain(process)), (1, 0))
        self.gives(self.api.process_detach(process))
        self.assertRaises(OSError, fcntl.fcntl, notifier, fcntl.F_GETFL)
        self.assertEqual(self.fake.alive, 0)
        self.gives(self.api.process_detach(process), "ERROR_INVALID_PROCESS_ID")

    def test_handles_restart_but_not_of_processes(self):
        self.start()
        first, second = self.attach(1), self.attach(2)
        self.assertEqual(second, first + 1)
        self.assertEqual(self.client.list("agent", 0), [1, 2])
        self.gives(self.api.process_detach(first))
        self.attach(1)
        self.assertEqual(self.client.list("agent", 0), [2, 3])
        self.gives(self.api.finalize())
        self.start()
        first = self.attach(1)
        self.assertEqual(first, second + 2)
        self.assertEqual(self.client.list("agent", first), [1])

    def test_setters(self):
        api, argument = self.api, "ERROR_INVALID_ARGUMENT"
        self.start()
        process = self.attach()
        # The mode before the process.
        self.gives(api.process_set_progress(99, 7), argument)
        self.gives(api.process_set_progress(99, api.PROGRESS_NORMAL), "ERROR_INVALID_PROCESS_ID")
        self.progress(0, False)
        # The process before the mode.
        self.gives(api.process_set_wave_creation(99, 7), "ERROR_INVALID_PROCESS_ID")
        self.gives(api.process_set_wave_creation(process, 7), argument)
        self.gives(api.set_memory_precision(99, api.MEMORY_PRECISION_NONE), "ERROR_INVALID_PROCESS_ID")
        self.gives(api.set_memory_precision(process, api.MEMORY_PRECISION_NONE))
        self.gives(api.set_memory_precision(process, api.MEMORY_PRECISION_PRECISE))
        self.gives(api.set_memory_precision(process, 2), argument)
        self.gives(api.set_alu_exceptions_precision(process, api.ALU_EXCEPTIONS_PRECISION_NONE))
        self.gives(api.set_alu_exceptions_precision(process, api.ALU_EXCEPTIONS_PRECISION_PRECISE), "ERROR_NOT_SUPPORTED")

    def test_freeze_order(self):
        """A process is frozen only when nothing of it can move."""
        self.gives(self.api.process_freeze(1), "ERROR_NOT_INITIALIZED")
        self.start()
        process = self.attach()
        self.gives(self.api.process_freeze(process), "ERROR_INCOMPATIBLE_PROCESS_STATE")
        self.gives(self.api.process_unfreeze(process), "ERROR_PROCESS_NOT_FROZEN")


if __name__ == "__main__":
    main(__doc__)
