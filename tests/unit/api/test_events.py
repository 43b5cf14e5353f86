# SPDX-License-Identifier: MIT
"""Events, the visible state of waves, stop and resume, over a device that does what the test says.

Usage: test_events.py LIBRARY-OVER-THE-FAKE-DEVICE
"""

import ctypes

from fake import PC, WAVE_RUNNING, WAVE_STOPPED, FakeCase, libc, main, number


class Begins(FakeCase):
    def test_runtime_event_first(self):
        self.start()
        process = self.attach()
        self.assertEqual(self.drain(process), 1)
        event, kind = self.next(process)
        self.assertEqual((event, kind), (1, "RUNTIME"))
        self.asked("event", event, "RUNTIME_STATE", self.api.RUNTIME_STATE_LOADED_SUCCESS)
        self.gives(self.client.answer("event", event, "WAVE")[0], "ERROR_INVALID_ARGUMENT")
        # Nothing runs before the event is processed.
        self.expect_none(process)
        self.assertEqual(self.fake.runs, 0)
        self.drain(process)
        self.gives(self.api.event_processed(event))
        self.assertEqual(self.drain(process), 1)
        self.expect_none(process)
        self.assertEqual(self.fake.runs, 1)
        # Idle: nobody needs to come back.
        self.assertEqual(self.drain(process), 0)

    def test_budget_marks_notifier(self):
        self.start()
        process = self.attach_ready()
        self.drain(process)
        self.fake.next_run(lambda: self.fake.launch(3))
        for expected in (1, 0):
            self.expect_none(process)
            self.assertEqual(self.drain(process), expected)


class Three(FakeCase):
    """A process with three running waves, stopped making progress."""

    def setUp(self):
        super().setUp()
        self.three = self.begin(3)
        self.progress(self.process, False)
        self.drain(self.process)

    def fault_first(self):
        return self.fake.stop(0, self.api.WAVE_STOP_REASON_MEMORY_VIOLATION)

    def step_first(self):
        return self.fake.stop(0, self.api.WAVE_STOP_REASON_SINGLE_STEP)

    def end_first(self):
        return self.fake.end(0)

    def run_once(self, *actions):
        """Let the device run once, then hold it again."""
        self.fake.next_run(*actions)
        self.progress(self.process, True)
        self.progress(self.process, False)

    def count(self, process=None):
        return len(self.waves(self.process if process is None else process))


class Stops(Three):
    def test_nothing_runs_without_progress(self):
        self.fake.next_run(self.fault_first)
        self.expect_none(self.process)
        self.assertEqual(self.state(self.three[0]), "RUN")
        self.run_once(self.fault_first)
        self.take(self.process)
        self.expect_none(self.process)

    def test_stop_is_visible_when_reported(self):
        wave, value = self.three[0], number(7)
        self.run_once(self.fault_first)
        self.assertEqual(self.drain(self.process), 1)
        # It has stopped, but the client does not know yet.
        self.assertEqual(self.state(wave), "RUN")
        self.gives(self.client.get_info("wave", wave, "PC", 8, value), "ERROR_WAVE_NOT_STOPPED")
        self.gives(self.client.get_info("wave", wave, "STOP_REASON", 0, None), "ERROR_WAVE_NOT_STOPPED")
        self.assertEqual(value.value, 7)
        self.assertEqual(self.read(wave, "pc", 8), PC)
        self.gives(self.client.wave_resume(wave), "ERROR_WAVE_NOT_STOPPED")

        event, told = self.expect(self.process)
        self.assertEqual((told, self.state(wave)), (wave, "STOP"))
        self.assertEqual(self.reason(wave), self.api.WAVE_STOP_REASON_MEMORY_VIOLATION)
        self.assertEqual(self.pc(wave), PC)
        self.gives(self.api.wave_stop(wave), "ERROR_WAVE_STOPPED")
        self.gives(self.client.wave_resume(wave), "ERROR_WAVE_NOT_RESUMABLE")
        self.gives(self.api.event_processed(event))
        self.gives(self.client.wave_resume(wave))
        self.assertEqual(self.state(wave), "RUN")
        self.gives(self.client.wave_resume(wave), "ERROR_WAVE_NOT_STOPPED")
        self.assertEqual(self.drain(self.process), 1)

    def test_event_states(self):
        argument, none = "ERROR_INVALID_ARGUMENT", "ERROR_INVALID_EVENT_ID"
        self.run_once(self.fault_first)
        # Events of three waves come from here on: the handle of the queued one is known beforehand.
        self.gives(self.api.event_processed(2), none)
        event, _ = self.next(self.process)
        self.assertEqual(event, 2)
        self.asked("event", event, "PROCESS", self.process)
        self.asked("event", event, "KIND", self.api.EVENT_KIND_WAVE_STOP)
        for query in ("BREAKPOINT", "RUNTIME_STATE", "QUEUE"):
            self.gives(self.client.answer("event", event, query)[0], argument)
        self.gives(self.client.get_info("event", event, 99, 8, number()), argument)
        self.gives(self.api.event_processed(event))
        self.gives(self.api.event_processed(event), none)
        self.gives(self.client.answer("event", event, "KIND")[0], none)
        kind = number(0, "u32")
        self.gives(self.api.process_next_pending_event(99, None, kind), argument)
        self.gives(self.api.process_next_pending_event(99, number(), kind), "ERROR_INVALID_PROCESS_ID")

    def test_wave_stop(self):
        wave = self.three[1]
        self.gives(self.api.wave_stop(99), "ERROR_INVALID_WAVE_ID")
        self.gives(self.api.wave_stop(wave))
        self.assertEqual(self.drain(self.process), 1)
        self.assertEqual(self.state(wave), "RUN")
        self.gives(self.api.wave_stop(wave), "ERROR_WAVE_OUTSTANDING_STOP")
        event, told = self.expect(self.process)
        self.assertEqual(told, wave)
        self.assertEqual(self.reason(wave), self.api.WAVE_STOP_REASON_NONE)
        self.gives(self.api.wave_stop(wave), "ERROR_WAVE_STOPPED")
        self.gives(self.api.event_processed(event))
        self.expect_none(self.process)

    def test_one_byte_for_all_events(self):
        """Clients read the notifier byte by byte: any number of events leaves one."""
        for wave in self.three:
            self.gives(self.api.wave_stop(wave))
        self.assertEqual(self.drain(self.process), 1)
        self.assertEqual([self.take(self.process) for _ in range(3)], self.three)

    def test_wave_stop_of_a_stopped_wave(self):
        """The event that is there answers the request, with its own reason; there is no second one."""
        wave = self.three[0]
        self.run_once(self.fault_first)
        self.gives(self.api.wave_stop(wave))
        self.gives(self.api.wave_stop(wave), "ERROR_WAVE_OUTSTANDING_STOP")
        self.assertEqual(self.take(self.process), wave)
        self.assertEqual(self.reason(wave), self.api.WAVE_STOP_REASON_MEMORY_VIOLATION)
        self.expect_none(self.process)
        self.gives(self.client.wave_resume(wave))
        self.stop(wave)

    def test_single_step(self):
        wave = self.three[0]
        self.stop(wave)
        self.gives(self.client.wave_resume(wave, True))
        self.assertEqual(self.state(wave), "SINGLE_STEP")
        self.run_once(self.step_first)
        # The reason has the bit: still stepping, as the client sees it.
        self.assertEqual(self.state(wave), "SINGLE_STEP")
        self.take(self.process)
        self.assertEqual(self.state(wave), "STOP")
        self.assertEqual(self.reason(wave), self.api.WAVE_STOP_REASON_SINGLE_STEP)

    def test_stop_while_stepping(self):
        wave = self.three[0]
        self.stop(wave)
        self.gives(self.client.wave_resume(wave, True))
        self.gives(self.api.wave_stop(wave))
        self.assertEqual(self.take(self.process, "WAVE_COMMAND_TERMINATED"), wave)
        # Its command ended, the wave did not.
        self.assertEqual(self.state(wave), "STOP")
        self.assertEqual(self.reason(wave), self.api.WAVE_STOP_REASON_NONE)
        self.gives(self.client.wave_resume(wave))


class Ends(Three):
    def gone(self, wave):
        self.gives(self.client.answer("wave", wave, "STATE")[0], "ERROR_INVALID_WAVE_ID")

    def test_step_over_the_end(self):
        wave = self.three[0]
        self.stop(wave)
        self.gives(self.client.wave_resume(wave, True))
        self.run_once(self.end_first)
        self.assertEqual(self.count(), 2)
        self.gone(wave)
        self.assertEqual(self.take(self.process, "WAVE_COMMAND_TERMINATED"), wave)
        self.expect_none(self.process)

    def test_end_without_command(self):
        """A wave that ends of its own accord ends without an event."""
        self.run_once(self.end_first)
        self.assertEqual(self.count(), 2)
        self.expect_none(self.process)

    def test_invalid_resume(self):
        first, second, _ = self.three
        resume, none = self.api.wave_resume, self.api.EXCEPTION_NONE
        self.stop(first)
        self.gives(resume(99, 7, none), "ERROR_INVALID_WAVE_ID")
        self.gives(resume(first, 7, none), "ERROR_INVALID_ARGUMENT")
        self.gives(self.client.wave_resume(first, exceptions=self.api.EXCEPTION_PACKET_UNSUPPORTED), "ERROR_INVALID_ARGUMENT")
        self.gives(resume(second, 7, none), "ERROR_INVALID_ARGUMENT")
        self.assertEqual(self.state(first), "STOP")

    def test_resume_with_exception(self):
        """All waves of the queue go; who waits for one is told."""
        first, second, _ = self.three
        self.run_once(self.fault_first)
        self.take(self.process)
        self.gives(self.api.wave_stop(second))
        self.gives(self.client.wave_resume(first, True, self.api.EXCEPTION_WAVE_MEMORY_VIOLATION))
        # Not before the device runs, which it does when the client has the event that was made at once.
        self.run_once()
        self.assertEqual((self.fake.get("aborted"), self.count()), (0, 3))
        self.assertEqual(self.take(self.process), second)
        self.assertEqual(self.state(second), "STOP")
        self.run_once()
        self.assertEqual((self.fake.get("aborted"), self.count()), (1, 0))
        self.assertEqual(self.take(self.process, "WAVE_COMMAND_TERMINATED"), first)
        self.expect_none(self.process)

    def test_unasked_stop_of_a_killed_wave(self):
        """An event that nobody waits for, of a wave that is gone, is not given: a debugger would ask the wave why it stands."""
        wave = self.three[0]
        self.stop(wave)
        self.run_once()
        self.gives(self.client.wave_resume(wave))
        self.run_once(self.fault_first, self.fake.end_all)
        self.expect_none(self.process)
        self.gone(wave)
        self.assertEqual(self.count(), 0)

    def test_killed_after_an_unseen_step(self):
        """The step is done though the client does not know: for it the wave went while it was stepping."""
        wave = self.three[0]
        self.stop(wave)
        self.gives(self.client.wave_resume(wave, True))
        self.run_once(self.step_first, self.fake.end_all)
        self.assertEqual(self.take(self.process, "WAVE_COMMAND_TERMINATED"), wave)
        self.expect_none(self.process)

    def test_end_between_report_and_processed(self):
        """The event was fetched before the wave ended: it can still be processed."""
        self.run_once(self.fault_first)
        event, _ = self.expect(self.process)
        self.run_once(self.fake.end_all)
        self.gives(self.api.event_processed(event))
        self.expect_none(self.process)


class Lists(Three):
    def expect_changed(self, expected, count=0):
        found, array, changed = number(99), ctypes.c_void_p(99), number(77, "u32")
        self.gives(self.api.process_wave_list(self.process, found, array, changed))
        self.assertEqual((changed.value, found.value), (self.api.CHANGED_YES if expected else self.api.CHANGED_NO, count))
        # An empty list is memory, of no bytes.
        self.assertEqual(array.value is not None, expected)
        libc.free(array)

    def test_changed(self):
        self.expect_changed(True, 3)
        self.expect_changed(False)
        self.run_once(self.end_first)
        # Without the flag: neither read nor cleared.
        self.assertEqual(self.count(), 2)
        self.expect_changed(True, 2)
        self.run_once(self.fake.end_all)
        self.expect_changed(True, 0)
        self.expect_changed(False)

    def test_changed_is_not_lost_without_memory(self):
        count, array, changed = number(99), ctypes.c_void_p(99), number(self.api.CHANGED_NO, "u32")
        self.side.out_of_memory = True
        self.gives(self.api.process_wave_list(self.process, count, array, changed), "ERROR_CLIENT_CALLBACK")
        self.assertEqual((count.value, array.value, changed.value), (99, 99, self.api.CHANGED_NO))
        self.side.out_of_memory = False
        self.expect_changed(True, 3)

    def test_errors(self):
        wave_list, count, array = self.api.process_wave_list, number(), ctypes.c_void_p()
        self.gives(wave_list(99, None, None, None), "ERROR_INVALID_PROCESS_ID")
        self.gives(wave_list(self.process, None, array, None), "ERROR_INVALID_ARGUMENT")
        self.gives(wave_list(self.process, count, None, None), "ERROR_INVALID_ARGUMENT")
        self.gives(self.api.finalize())
        self.gives(wave_list(self.process, count, array, None), "ERROR_NOT_INITIALIZED")
        self.start()
        # All of none.
        self.gives(wave_list(0, count, array, None))
        self.assertEqual((count.value, array.value is not None), (0, True))
        libc.free(array)

    def test_wave_creation(self):
        """A wave that is created while creation is stopped waits, unseen."""
        hidden = self.three[2] + 1
        self.expect_changed(True, 3)
        self.creation(self.process, True)
        self.run_once(lambda: self.fake.launch(3))
        self.expect_changed(False)
        self.gives(self.client.answer("wave", hidden, "STATE")[0], "ERROR_INVALID_WAVE_ID")
        self.assertEqual(self.fake.get("state", self.fake.wave(3)), WAVE_STOPPED)
        self.expect_none(self.process)
        self.creation(self.process, False)
        self.expect_changed(True, 6)
        self.assertEqual(self.state(hidden), "RUN")
        self.assertEqual(self.fake.get("state", self.fake.wave(3)), WAVE_RUNNING)

    def test_two_processes(self):
        first = self.fake.device.value
        other = self.attach_ready(2)
        self.assertNotEqual(first, self.fake.device.value)
        self.fake.next_run(lambda: self.fake.launch(3))
        self.expect_none(other)
        waves = self.waves(0)
        self.assertEqual((len(waves), waves[3]), (6, self.three[2] + 1))
        waves = self.waves(other)
        self.assertEqual(len(waves), 3)
        self.gives(self.api.wave_stop(waves[0]))
        self.expect_none(self.process)
        self.assertEqual(self.take(0), waves[0])
        self.gives(self.api.process_detach(other))
        self.assertEqual(self.count(0), 3)

    def test_messages(self):
        """What the device has to say reaches the log."""
        api, log = self.api, self.side.log
        log.clear()
        self.fake.say(True, "100% new")
        self.fake.say(False, "fine")
        expected = [(api.LOG_LEVEL_WARNING, "100% new"), (api.LOG_LEVEL_INFO, "fine")]
        self.assertEqual(log, expected)
        api.set_log_level(api.LOG_LEVEL_WARNING)
        self.fake.say(False, "fine")
        self.assertEqual(log, expected)


if __name__ == "__main__":
    main(__doc__)
