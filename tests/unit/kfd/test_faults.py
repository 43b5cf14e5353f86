# SPDX-License-Identifier: MIT
"""What the library makes of a driver that fails: errors at every call, one by one, a program that dies between any two, answers and save
areas that contradict themselves. Calls answer by a status that is documented, and the program is never left standing.

Usage: test_faults.py WAVETAPE LIBRARY
"""

import errno
import signal
import time

from live import Faults, LiveCase, ctypes, kfd, libc, main, number, os

SHARE = max(1, int(os.environ.get("WAVETAPE_SHARE", "1")))
# s_trap 1; s_nop; s_nop; end
STOPS = [0xBF920001, 0xBF800000, 0xBF800000, 0xBF810000]
ROUNDS = 20  # of asking for an event that may never come
# What a call may answer when the driver fails or the program is gone.
EXPECTED = {"SUCCESS", "FATAL", "ERROR_RESTRICTION", "ERROR_INVALID_WAVE_ID", "ERROR_INVALID_BREAKPOINT_ID", "ERROR_WAVE_NOT_STOPPED",
            "ERROR_WAVE_NOT_RESUMABLE", "ERROR_WAVE_OUTSTANDING_STOP", "ERROR_WAVE_STOPPED", "ERROR_REGISTER_NOT_AVAILABLE",
            "ERROR_MEMORY_ACCESS", "ERROR_NOT_SUPPORTED", "ERROR_NO_WATCHPOINT_AVAILABLE", "ERROR_INVALID_WATCHPOINT_ID"}
PTRACE_TRACEME = 0


class Faulty(LiveCase):
    def setUp(self):
        super().setUp()
        self.packets = 0

    # ---- A session in which everything is done ----

    def check(self, status):
        self.assertIn(self.api.status_name(status), EXPECTED, f"call {self.faults.calls}")

    def take_events(self):
        """Take what comes, until an event of a wave, or for some rounds. Return: the wave, or 0."""
        for i in range(ROUNDS):
            event, kind = number(), number(0, "u32")
            self.check(self.api.process_next_pending_event(self.process, event, kind))
            if not event.value:
                time.sleep(0 if i < 2 else 0.001)
                continue
            wave = 0
            if kind.value == self.api.EVENT_KIND_WAVE_STOP:
                status, wave = self.client.answer("event", event.value, "WAVE")
                self.check(status)
            self.check(self.api.event_processed(event.value))
            if wave:
                return wave
        return 0

    def list_all(self):
        for kind in ("queue", "wave"):
            count, array = number(), ctypes.c_void_p()
            self.check(self.client.list_call(kind, self.process, count, array, None))
            libc.free(array)

    def step_and_stop(self, wave):
        register = self.register_of(wave, "s0")
        status, content = self.client.read_register(wave, register, 4)
        self.check(status)
        self.check(self.client.write_register(wave, register, content))
        self.check(self.client.wave_resume(wave, step=True))
        self.take_events()
        self.check(self.api.wave_stop(wave))
        self.take_events()

    def debug_it(self):
        self.take_events()
        self.queue.launch(STOPS)
        self.packets += 1
        wave = self.take_events()
        api, process = self.api, self.process
        self.check(api.process_set_progress(process, api.PROGRESS_NO_FORWARD))
        self.list_all()
        self.check(api.process_set_progress(process, api.PROGRESS_NORMAL))
        if wave and api.status_name(api.wave_stop(wave)) == "ERROR_WAVE_STOPPED":
            self.step_and_stop(wave)
        self.check(self.precise_memory())
        self.check(api.process_set_wave_creation(process, api.WAVE_CREATION_STOP))
        watchpoint = number()
        self.check(api.set_watchpoint(process, 0x10000, 4, api.WATCHPOINT_KIND_ALL, watchpoint))
        self.check(api.remove_watchpoint(watchpoint.value))
        self.check(api.process_set_wave_creation(process, api.WAVE_CREATION_NORMAL))
        self.list_all()

    def whole_session(self, completes=True):
        """Return: how many calls of the driver were made. The program has executed all that it was given, if it completes."""
        status = self.attach_status()
        self.check(status)
        if self.api.status_name(status) == "SUCCESS":
            self.debug_it()
            self.check(self.api.process_detach(self.process))
        self.faults.fail_at = 0
        if completes:
            self.assertTrue(self.queue.wait(self.packets))
        self.side.removals = self.side.insertions
        return self.faults.calls

    def session_without_fault(self):
        """Waves that were stopped before are let go, and the program goes on."""
        self.attach_live()
        while self.take_events():
            pass
        self.detach()
        self.assertTrue(self.queue.wait(self.packets))

    def session_with(self, **faults):
        """It ends as it can; in the next one nothing is wrong any more."""
        self.faults = Faults(**faults)
        self.whole_session(completes=False)
        self.faults = Faults()
        self.session_without_fault()

    # ---- Errors ----

    def test_each_call_fails_once(self):
        errors = (errno.EIO, errno.EPERM, errno.EINVAL, errno.ENOMEM, errno.EAGAIN, errno.ENODATA, errno.EINTR)
        self.begin()
        calls = self.whole_session()
        self.assertGreater(calls, 40)
        for at in range(1, calls + 1, SHARE):
            self.faults = Faults(fail_at=at, error=errors[at % len(errors)])
            self.whole_session()
        self.end(self.packets)

    def test_calls_fail_for_ever(self):
        """From some call on the program is no longer there, or the driver answers nothing but errors."""
        self.begin()
        calls = self.whole_session()
        for at in range(2, calls + 1, 3 * SHARE):
            self.faults = Faults(fail_at=at, error=(errno.ESRCH, errno.EIO)[at // 3 % 2], stays=True)
            self.whole_session(completes=False)
            debugger = self.debugger()
            debugger.call("DISABLE")
            debugger.close()
            self.session_without_fault()
        self.end(self.packets)

    # ---- Answers ----

    def test_answers_have_no_sense(self):
        """Counts and sizes without sense, and GPUs and queues that cannot be."""
        device, queue = kfd.device_entry, kfd.queue_entry
        answers = (("ENABLE", "enable", "info_size"), ("DEVICE_SNAPSHOT", "snapshot", "count"), ("DEVICE_SNAPSHOT", "snapshot", "entry_size"),
                   ("QUEUE_SNAPSHOT", "snapshot", "count"), ("QUEUE_SNAPSHOT", "snapshot", "entry_size"),
                   ("QUERY_EVENT", "query_event", "queue_id"), ("QUERY_EVENT", "query_event", "gpu_id"), ("SET_WATCH", "set_watch", "id"))
        rows = [(operation, getattr(kfd.debug_trap, part).offset + getattr(type(getattr(kfd.debug_trap(), part)), name).offset, False)
                for operation, part, name in answers]
        rows += [("DEVICE_SNAPSHOT", getattr(device, name).offset, True) for name in
                 ("simd_count", "array_count", "arrays_per_engine", "xcc_count", "target_version", "capability")]
        rows += [("QUEUE_SNAPSHOT", getattr(queue, name).offset, True) for name in
                 ("gpu_id", "ring_size", "type", "save_size", "save_address", "read_pointer_address", "exceptions")]
        values = (0, 1, 63, 0x7FFFFFFF, 0xFFFFFFFF)
        self.begin()
        for i, (operation, offset, of_entry) in enumerate(rows):
            for value in values[i % SHARE::SHARE]:
                def change(args, operation=operation, offset=offset, of_entry=of_entry, value=value):
                    if args.operation == getattr(kfd, f"DEBUG_{operation}") and (not of_entry or args.snapshot.count):
                        base = args.snapshot.buffer if of_entry else ctypes.addressof(args)
                        ctypes.c_uint32.from_address(base + offset).value = value

                self.session_with(after=change)
        self.end(self.packets)

    # ---- Save areas ----

    def test_areas_contradict_themselves(self):
        """Words of the head, and those of the control stack, whose place is found in a suspension without a fault."""
        self.begin()
        self.whole_session()
        save, stack, kept = self.queue.save, self.queue.save.get(0), []
        for word in range(10):
            offset = 4 * word if word < 6 else stack + 4 * (word - 6)
            for value in (0, 1, 0x40, 0x80000000, 0xFFFFFFFF)[word % SHARE::SHARE]:
                kept.clear()

                def corrupt(args, offset=offset, value=value):
                    if args.operation == kfd.DEBUG_SUSPEND_QUEUES and not kept:
                        kept.append(save.get(offset))
                        save.put(offset, value)

                def mend(args, offset=offset):
                    """The driver gets its own back."""
                    if kept and args.operation in (kfd.DEBUG_RESUME_QUEUES, kfd.DEBUG_DISABLE):
                        save.put(offset, kept.pop())

                self.session_with(before=mend, after=corrupt)
        self.end(self.packets)

    # ---- The program dies ----

    def test_program_is_killed(self):
        """Its id may be another one's by then, of which nothing must be asked."""
        def child():
            libc.ptrace(PTRACE_TRACEME, 0, None, None)
            os.kill(os.getpid(), signal.SIGSTOP)

        self.begin(loaded=False)
        self.side.process_id = self.fork(child)
        os.waitpid(self.side.process_id, 0)
        self.gives(self.attach_status())
        self.counts(agent=1)
        os.kill(self.side.process_id, signal.SIGKILL)
        os.waitpid(self.side.process_id, 0)
        self.take_events()
        self.faults.calls = 0
        self.counts(agent=0, wave=0)
        self.set_progress(False)
        self.detach()
        self.assertEqual(self.faults.calls, 0)
        self.end()


if __name__ == "__main__":
    main(__doc__)
