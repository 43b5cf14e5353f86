# SPDX-License-Identifier: MIT
"""Waves as a debugger finds them in save areas, and what becomes of them when it has changed something there.

Usage: test_debug_waves.py WAVETAPE SAVED-WAVES
"""

import ctypes
import dataclasses
import errno
import os
import sys
import threading
import time

from driver import LANES, PAGE, Debugger, ProgramCase, exception, kfd, let_trace, libc, main, on, wait_until, xorshift

R_DEBUG = 0x123456789000
NEW, RUNTIME, TRAP = (exception(name) for name in ("QUEUE_NEW", "RUNTIME", "WAVE_TRAP"))
MEMORY, ILLEGAL, DEVICE_MEMORY = (exception(name) for name in ("WAVE_MEMORY", "WAVE_ILLEGAL", "DEVICE_MEMORY"))
# What a debugger subscribes to: exceptions of waves, memory violations, the runtime.
ALL, WAVES = 0x80010000003F, 0x3F
PTRACE_SEIZE = 0x4206

NOP, BREAKPOINT = 0xBF800000, 0xBF920001
BEHIND_TRAP, BEHIND_STORE = 20, 32


def kernel(trap):
    """s_load_dwordx2 s[2:3], s[0:1]; v_lshlrev_b32 v1, 2, v0; v_mov_b32 v2, 7; TRAP; s_waitcnt; global_store v1, v2, s[2:3]; end"""
    return [0xC0060080, 0, 0x24020082, 0x7E040287, trap, 0xBF8C0000, 0xDC708000, 0x00020201, 0xBF810000]


STOPS, PLAIN = kernel(BREAKPOINT), kernel(NOP)
# s_branch to itself; end
FOREVER, FOREVER_GFX11 = [0xBF82FFFF, 0xBF810000], [0xBFA0FFFF, 0xBFB00000]
# s_mov_b32 s4, 64; s_mov_b32 s5, 0; s_load_dwordx2 s[2:3], s[4:5]; s_waitcnt; end
FAULTS = [0xBE8400C0, 0xBE850080, 0xC0060082, 0, 0xBF8C0000, 0xBF810000]
# The same with s4 = 0x3000.
FAULTS_ELSEWHERE = [0xBE8400FF, 0x3000, *FAULTS[1:]]
ILLEGAL_WORDS = [0xFFFFFFFF, 0xBF810000]
# The same as STOPS, in the words of gfx11 and gfx12.
STOPS_GFX11 = [0xF4040080, 0xF8000000, 0x30020082, 0x7E040287, 0xBF900001, 0xBF89FC07, 0xDC6A0000, 0x00020201, 0xBFB00000]
STOPS_GFX12 = [0xF4002080, 0xF8000000, 0x30020082, 0x7E040287, 0xBF900001, 0xBFC70000, 0xEE068002, 0x01000000, 0x00000001, 0xBFB00000]
# s_cmp_eq_u32 s0, s0; s_cbranch_scc1 to itself; end
EQUAL_GFX12 = [0xBF060000, 0xBFA2FFFF, 0xBFB00000]
# Four workgroups each add to one word 32767 times, and make of its values what they store by their number: it depends on the order of their
# turns. (s_load s[4:5]; one lane; loop: global_atomic_add v3; v4 = 31 * v4 + v3; store v4 at 64.)
COUNTS = [0xC0060100, 0x00000000, 0xBEFE0181, 0x7E020280, 0x7E040281, 0x7E080280, 0x7E0A029F, 0xB0067FFF, 0xBF8CC07F, 0xDD098000, 0x03040201,
          0xBF8C0F70, 0xD2850004, 0x00020B04, 0x68080704, 0x80868106, 0xBF078006, 0xBF85FFF7, 0x8E078202, 0x7E020207, 0xDC708040, 0x00040401,
          0xBF810000]

# Hardware registers in a save area, by their place, and bits of theirs and of the trap temporaries.
PC, PC_HIGH, EXEC, EXEC_HIGH, STATUS, TRAPSTS = range(1, 7)
MODE_GFX11, MODE = 8, 9
GFX12_STATE, GFX12_EXCP_PRIV, GFX12_TRAP_CTRL, GFX12_STATUS = 5, 6, 12, 13
HALT, STEP, GFX12_HALT = 1 << 13, 1 << 11, 1 << 14
TTMP6_STOPPED, TTMP6_HALTED = 1 << 30, 1 << 29
SCC_GFX12 = 1 << 9


@dataclasses.dataclass(frozen=True)
class Later:
    """A debugger changes these on each GPU: words among the hardware registers, bits of them, and the temporary that a pc is parked in."""
    name: str
    words: list
    halt_at: int
    halt: int
    step_at: int
    step: int
    told_at: int
    stepped: int
    parked: int


GFX11 = Later("gfx1100", STOPS_GFX11, STATUS, HALT, MODE_GFX11, STEP, TRAPSTS, 1 << 20, 7)
GFX12 = Later("gfx1201", STOPS_GFX12, GFX12_STATE, GFX12_HALT, GFX12_TRAP_CTRL, 1 << 9, GFX12_EXCP_PRIV, 1 << 11, 10)


class SavedWave(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("hwregs", "ttmps", "vgprs", "lane_count", "vgpr_count")]


class Area:
    """The one wave in a queue's save area, of a workgroup without local memory: its words, as arrays that are the area's."""

    def __init__(self, queue):
        head = queue.save.words(0, 4)
        # The control stack ends where the waves begin, which are laid downward from their end.
        assert head[0] + head[1] == head[2] - head[3] and head[0] % 4 == 0 and head[2] <= queue.save.size - PAGE, list(head)
        self.has_wave = head[3] != 0
        if self.has_wave:
            assert head[1] == 16
            stack = queue.save.words(head[0], 4)
            self.wave_word = stack[3]
            assert stack[2] >> 31
            ttmps = head[2] - 64 - 64
            self.ttmps, self.hwregs = queue.save.words(ttmps, 16), queue.save.words(ttmps - 64, 16)
            self.vgprs = queue.save.words(head[2] - head[3], 4 * LANES)

    @property
    def pc(self):
        return self.hwregs[PC] | self.hwregs[PC_HIGH] << 32

    @property
    def parked_pc(self):
        return self.ttmps[7] | (self.ttmps[11] >> 7 & 0xFFFF) << 32

    def run(self, step=False):
        """Let a stopped wave go on where it was parked; for one instruction if it is to make a step."""
        self.hwregs[PC], self.hwregs[PC_HIGH] = self.parked_pc & 2**32 - 1, self.parked_pc >> 32
        self.hwregs[STATUS] &= ~HALT
        self.hwregs[MODE] = self.hwregs[MODE] & ~STEP | (STEP if step else 0)
        self.ttmps[6] &= ~(TTMP6_STOPPED | TTMP6_HALTED)


class Saved:
    """The same of later GPUs, found as the reader of cores finds it. `count`: the waves that there are."""

    library = None

    def __init__(self, gpu, queue):
        self.gpu, found = gpu, SavedWave()
        self.count = self.library.saved_wave_find(gpu.name.encode(), ctypes.c_uint64(queue.save.address),
                                                  ctypes.c_uint64(queue.save.size - PAGE), ctypes.byref(found))
        assert self.count != 2**32 - 1
        if self.count:
            self.lane_count, self.vgpr_count = found.lane_count, found.vgpr_count
            self.hwregs, self.ttmps = ((ctypes.c_uint32 * 16).from_address(address) for address in (found.hwregs, found.ttmps))
            self.vgprs = (ctypes.c_uint32 * (4 * LANES)).from_address(found.vgprs)

    @property
    def parked_pc(self):
        return self.ttmps[self.gpu.parked] | (self.ttmps[11] >> 7 & 0xFFFF) << 32

    def run(self, step=False):
        gpu = self.gpu
        self.hwregs[PC], self.hwregs[PC_HIGH] = self.parked_pc & 2**32 - 1, self.parked_pc >> 32
        self.hwregs[gpu.halt_at] &= ~gpu.halt
        self.hwregs[gpu.told_at] = 0
        self.hwregs[gpu.step_at] = self.hwregs[gpu.step_at] & ~gpu.step | (gpu.step if step else 0)
        self.ttmps[6] &= ~(TTMP6_STOPPED | TTMP6_HALTED)


class WaveCase(ProgramCase):
    def begin(self, exceptions=ALL, save_size=None):
        """A debugger of this process, whose runtime is there, and a queue that it has seen."""
        self.program.acquire()
        self.assertEqual(self.program.runtime_comes(R_DEBUG), 0)
        self.queue = self.program.queue(save_size) if save_size else self.program.queue()
        self.debugger = Debugger(self.program)
        self.assertEqual(self.debugger.attach(exceptions), 0)
        self.debugger.see_queue(NEW)

    def query(self, mask=0):
        """The event of the next query, or its negative errno."""
        trap = kfd.debug_trap(query_event=(mask, 0, 0))
        return self.debugger.call("QUERY_EVENT", trap) or trap.query_event

    def expect_event(self, exceptions=TRAP):
        self.assertTrue(self.debugger.notified())
        event = self.query(WAVES)
        self.assertEqual((event.exceptions, event.queue_id, event.gpu_id), (exceptions, self.queue.id, self.program.gpu_id))
        self.assertEqual(self.query(WAVES), -errno.EAGAIN)

    def suspend_queue(self, clear=0):
        self.assertEqual(self.debugger.suspend(self.queue.id, clear), (1, self.queue.id))

    def suspend(self):
        self.suspend_queue()
        area = Area(self.queue)
        self.assertTrue(area.has_wave)
        return area

    def suspend_later(self, gpu):
        self.suspend_queue()
        saved = Saved(gpu, self.queue)
        self.assertEqual(saved.count, 1)
        return saved

    def resume(self):
        self.assertEqual(self.debugger.resume(self.queue.id), (1, self.queue.id))

    def suspend_when(self, look):
        """Suspend it, again and again, until what is looked for is there. Return: that."""
        found = []

        def found_now():
            self.suspend_queue()
            found[:] = [look()]
            if not found[0]:
                self.resume()
            return found[0]

        self.assertTrue(wait_until(found_now))
        return found[0]

    def suspend_when_launched(self):
        """The queue's wave makes no event of its own."""
        def look():
            area = Area(self.queue)
            return area if area.has_wave else None

        return self.suspend_when(look)

    def stopped(self, words=None):
        """Return: the wave that has stopped, whose queue is suspended, and the entry of its kernel."""
        entry = self.queue.launch(words or STOPS)
        self.expect_event()
        return self.suspend(), entry

    def run_on(self, wave, packets):
        wave.run()
        self.resume()
        self.assertTrue(self.queue.wait(packets))

    def step(self, wave):
        wave.run(step=True)
        self.resume()
        self.expect_event()

    def check_results(self, expected):
        self.assertEqual({lane: self.queue.result(lane) for lane in expected}, expected)


class Stops(WaveCase):
    def test_breakpoint_stops_a_wave(self):
        self.begin()
        area, entry = self.stopped()
        # Packet 0, trap 1, stopped; parked behind the trap; halted.
        self.assertEqual(area.ttmps[6], 1 << 25 | TTMP6_STOPPED)
        self.assertEqual(area.parked_pc, entry + BEHIND_TRAP)
        self.assertEqual(area.hwregs[PC] % 4, 0)
        self.assertEqual(area.hwregs[STATUS] & (HALT | 1 << 18), HALT | 1 << 18)
        self.assertEqual(area.hwregs[EXEC] & area.hwregs[EXEC_HIGH], 2**32 - 1)
        # Workgroup 0, wave 0 of it, no number of a debugger's yet.
        self.assertEqual([area.ttmps[at] for at in (4, 5, 8, 9, 10)] + [area.ttmps[11] & 0x3F], [0] * 6)
        # First and last of its workgroup, without scratch memory.
        self.assertEqual(area.wave_word >> 15 & 7, 6)
        self.assertEqual((area.vgprs[2 * LANES], area.vgprs[LANES + 3]), (7, 12))
        self.resume()
        # It is still stopped: nobody has let it go.
        self.assertEqual(self.queue.done, 0)
        area = self.suspend()
        area.vgprs[2 * LANES : 3 * LANES] = range(9, 9 + LANES)
        area.hwregs[EXEC_HIGH] = 0
        area.ttmps[4] = 0x1234
        self.run_on(area, 1)
        self.check_results({0: 9, 31: 40, 32: 0})
        self.debugger.detach()

    def test_wave_makes_steps(self):
        """A wave keeps what a debugger has written into it, whatever else is done."""
        self.begin()
        area, entry = self.stopped()
        area.ttmps[4] = 0x1234
        for after in (BEHIND_TRAP + 4, BEHIND_STORE):
            self.step(area)
            area = self.suspend()
            self.assertEqual(area.parked_pc, entry + after)
            self.assertTrue(area.ttmps[6] & TTMP6_STOPPED)
            self.assertEqual(area.ttmps[4], 0x1234)
        self.check_results({5: 7})
        self.run_on(area, 1)
        self.debugger.detach()

    def test_wave_that_runs_is_saved_running(self):
        self.begin()
        entry = self.queue.launch(FOREVER)
        area = self.suspend_when_launched()
        self.assertEqual((area.ttmps[6] & TTMP6_STOPPED, area.hwregs[STATUS] & HALT, area.pc), (0, 0, entry))
        # Suspended again is the same; and nothing goes on meanwhile.
        self.suspend_queue()
        area.hwregs[PC] += 4
        time.sleep(0.02)
        self.assertEqual(self.queue.done, 0)
        self.resume()
        self.assertTrue(self.queue.wait(1))
        # No wave: the control stack ends where the waves would begin.
        self.suspend_queue()
        self.assertFalse(Area(self.queue).has_wave)
        self.debugger.detach()

    def test_suspending_changes_nothing(self):
        self.begin()
        results, suspended = [], 0
        for run in range(2):
            self.queue.launch(COUNTS, groups=4)
            while run and self.queue.done < 2:
                self.suspend_queue()
                suspended += self.queue.save.get(12) != 0
                self.resume()
            self.assertTrue(self.queue.wait(run + 1))
            self.check_results({0: 4 * 32767})
            results.append([self.queue.result(16 + i) for i in range(4)])
        self.assertEqual(*results)
        self.assertGreater(suspended, 3)
        self.debugger.detach()

    @on("gfx942")
    def test_gfx942_stops_another_way(self):
        """The newer handler parks no wave, sets its registers up only when it first runs, and says that a step was made."""
        def let_go(step):
            area.ttmps[6] &= ~TTMP6_STOPPED
            area.hwregs[STATUS] &= ~HALT
            area.hwregs[MODE] = area.hwregs[MODE] & ~STEP | step
            self.resume()

        self.begin()
        self.queue.launch(PLAIN)
        self.assertTrue(self.queue.wait(1))
        area, entry = self.stopped()
        # Packet 1, wave 0 of its workgroup, set up.
        self.assertEqual([area.ttmps[at] for at in (4, 5, 6, 7, 11)], [0, 0, 1 << 25 | TTMP6_STOPPED, 0, 1 << 31 | 1 << 6])
        self.assertEqual(area.pc, entry + BEHIND_TRAP)
        let_go(STEP)
        self.expect_event()
        area = self.suspend()
        self.assertEqual(area.pc, entry + BEHIND_TRAP + 4)
        self.assertTrue(area.hwregs[TRAPSTS] & 1 << 25)
        area.hwregs[TRAPSTS] = 0
        let_go(0)
        self.assertTrue(self.queue.wait(2))
        self.check_results({9: 7})
        self.debugger.detach()


class LaterStops(WaveCase):
    def check_gfx11_state(self, saved):
        """Parked as on gfx90a, with the packet where that has it."""
        self.assertEqual([saved.ttmps[at] for at in (4, 5, 8, 9, 10)] + [saved.ttmps[11] & 0x3F], [0] * 6)
        self.assertEqual(saved.hwregs[STATUS] & (HALT | 1 << 18), HALT | 1 << 18)

    def check_gfx12_state(self, saved):
        """The temporaries were set up by the trap handler, y and z are valid; status and mode have nothing of the stop."""
        self.assertEqual([saved.ttmps[at] for at in (4, 5, 7, 8, 9)], [0, 0, 0, 3 << 30, 0])
        self.assertEqual(saved.hwregs[GFX12_STATE] & GFX12_HALT, GFX12_HALT)
        self.assertEqual(saved.hwregs[GFX12_STATUS] & (HALT | 1 << 18), 0)
        self.assertEqual(saved.hwregs[MODE_GFX11] & (STEP | 0xFF000), 0)

    def check(self, gpu, check_state, lanes):
        """The wave is stopped, makes a step, of which a bit tells, and goes on with other registers."""
        self.begin()
        entry = self.queue.launch(gpu.words, registers=1, lanes=lanes)
        self.expect_event()
        saved = self.suspend_later(gpu)
        self.assertEqual((saved.lane_count, saved.vgpr_count), (lanes, 16 if lanes == 32 else 8))
        self.assertEqual(saved.ttmps[6], 1 << 25 | TTMP6_STOPPED)
        check_state(saved)
        self.assertEqual(saved.parked_pc, entry + BEHIND_TRAP)
        self.assertEqual((saved.vgprs[2 * lanes], saved.vgprs[lanes + 3]), (7, 12))
        self.step(saved)
        saved = self.suspend_later(gpu)
        self.assertEqual(saved.parked_pc, entry + BEHIND_TRAP + 4)
        self.assertEqual(saved.hwregs[gpu.told_at], gpu.stepped)
        saved.vgprs[2 * lanes : 3 * lanes] = range(9, 9 + lanes)
        self.run_on(saved, 1)
        self.check_results({lane: 9 + lane if lane < lanes else 0 for lane in range(LANES)})
        self.debugger.detach()

    @on("gfx1100")
    def test_short_waves(self):
        self.check(GFX11, self.check_gfx11_state, 32)

    @on("gfx1100")
    def test_long_waves(self):
        self.check(GFX11, self.check_gfx11_state, 64)

    @on("gfx1201")
    def test_short_waves_of_gfx12(self):
        self.check(GFX12, self.check_gfx12_state, 32)

    @on("gfx1201")
    def test_long_waves_of_gfx12(self):
        self.check(GFX12, self.check_gfx12_state, 64)

    @on("gfx1201")
    def test_wave_runs_with_its_state(self):
        """A wave that runs has its state where gfx12 has it, as far as a debugger finds it, and goes on with what that has changed."""
        def look():
            saved = Saved(GFX12, self.queue)
            return saved if saved.count and saved.hwregs[GFX12_STATE] & SCC_GFX12 else None

        self.begin()
        override = self.debugger.must("LAUNCH_OVERRIDE", launch_override=(kfd.OVERRIDE_OR, 0x81, 0x81, 0)).launch_override
        self.assertEqual(override.support, 0xC00001FF)
        self.queue.launch(EQUAL_GFX12, registers=1, lanes=32)
        saved = self.suspend_when(look)
        self.assertEqual(saved.hwregs[GFX12_TRAP_CTRL], 0x81)
        self.assertEqual((saved.hwregs[GFX12_STATE] & GFX12_HALT, saved.hwregs[GFX12_STATUS] & 1, saved.hwregs[GFX12_EXCP_PRIV]), (0, 0, 0))
        # The trap handler has not run.
        self.assertEqual(saved.ttmps[8], 1 << 30)
        self.resume()
        saved = self.suspend_later(GFX12)
        saved.hwregs[GFX12_STATE] &= ~SCC_GFX12
        self.resume()
        self.assertTrue(self.queue.wait(1))
        self.debugger.detach()

    @on("gfx1201")
    def test_arithmetic_is_precise(self):
        """Exceptions of arithmetic can be made precise, memory cannot."""
        self.begin()
        self.assertEqual(self.debugger.must("SET_FLAGS", set_flags=(kfd.FLAG_PRECISE_ALU, 0)).set_flags.flags, 0)
        self.assertEqual(self.debugger.call("SET_FLAGS", set_flags=(kfd.FLAG_PRECISE_ALU | kfd.FLAG_PRECISE_MEMORY, 0)), -errno.EACCES)
        self.assertEqual(self.debugger.must("SET_FLAGS").set_flags.flags, kfd.FLAG_PRECISE_ALU)
        self.debugger.detach()

    @on("gfx1100")
    def test_what_it_has_not_is_refused(self):
        """Its clauses hang where memory is precise, so that its driver has taken that back; nor does it trap at the ends of waves."""
        self.begin()
        self.assertEqual(self.debugger.call("SET_FLAGS", set_flags=(kfd.FLAG_PRECISE_MEMORY, 0)), -errno.EACCES)
        trap = kfd.debug_trap(launch_override=(kfd.OVERRIDE_OR, 0, 1 << 30, 0))
        self.assertEqual(self.debugger.call("LAUNCH_OVERRIDE", trap), -errno.EACCES)
        self.assertEqual(trap.launch_override.support, 0x1FF)
        self.debugger.detach()


class Exceptions(WaveCase):
    def test_memory_violation_is_the_debuggers_and_can_be_passed_on(self):
        def send(gpu, queue):
            return self.debugger.call("SEND_RUNTIME_EVENT", send=(MEMORY | DEVICE_MEMORY, gpu, queue))

        def ask():
            return self.debugger.call("QUERY_EXCEPTION", question)

        self.begin()
        told, violation, gpu = self.queue.told(), kfd.device_memory_exception(), self.program.gpu_id
        self.debugger.must("SET_FLAGS", set_flags=(kfd.FLAG_PRECISE_MEMORY, 0))
        self.queue.launch(FAULTS)
        self.assertTrue(self.debugger.notified())
        # The queue comes first, then the device, in two queries.
        self.assertEqual(self.query(ALL & ~RUNTIME).exceptions, MEMORY)
        event = self.query()
        self.assertEqual((event.exceptions, event.queue_id), (DEVICE_MEMORY, 0))
        question = kfd.debug_trap(query_exception=(ctypes.addressof(violation), ctypes.sizeof(violation), gpu, kfd.EXCEPTION_DEVICE_MEMORY, 1))
        self.assertEqual(ask(), 0)
        self.assertEqual((question.query_exception.size, violation.address), (ctypes.sizeof(violation), 64))
        self.assertEqual(ask(), -errno.ENODATA)
        area = self.suspend()
        self.assertEqual(area.hwregs[TRAPSTS] & (1 << 8 | 1 << 28), 1 << 8 | 1 << 28)
        self.assertEqual(area.ttmps[6] >> 25 & 15, 0)
        self.resume()
        self.assertEqual(told.value, 0)
        self.assertEqual(send(gpu, self.queue.id), 0)
        self.assertEqual(told.value, MEMORY)
        self.assertEqual((send(gpu, 999), send(1, 999)), (-errno.EINVAL, -errno.ENODEV))
        self.debugger.detach()

    def test_first_violation_is_the_one_that_is_passed_on(self):
        """One that comes before the debugger takes the first back changes nothing of what the program hears."""
        self.begin()
        event = kfd.event_data(event_id=self.program.make_event(kfd.EVENT_MEMORY))
        self.debugger.must("SET_FLAGS", set_flags=(kfd.FLAG_PRECISE_MEMORY, 0))
        other = self.program.queue()
        for queue, words in (self.queue, FAULTS), (other, FAULTS_ELSEWHERE):
            queue.launch(words)
            self.assertTrue(self.debugger.notified())
            # The device's stands there from the first one on.
            self.assertTrue(wait_until(lambda: self.query(WAVES).exceptions & MEMORY))
        self.debugger.must("SEND_RUNTIME_EVENT", send=(MEMORY | DEVICE_MEMORY, self.program.gpu_id, self.queue.id))
        wait = kfd.wait_events(events=ctypes.addressof(event), count=1, timeout=20000)
        self.assertEqual(self.program.must("wait_events", wait).result, kfd.WAIT_COMPLETE)
        self.assertEqual(event.memory.address, 0)
        self.debugger.detach()

    def test_what_is_not_wanted_is_the_runtimes(self):
        """What nobody has subscribed to goes to the runtime, and is kept for who subscribes later."""
        self.begin(RUNTIME)
        told = self.queue.told()
        self.queue.launch(ILLEGAL_WORDS)
        self.assertTrue(wait_until(lambda: told.value))
        self.assertEqual(told.value, ILLEGAL)
        self.assertEqual(self.query(WAVES), -errno.EAGAIN)
        self.debugger.must("SET_EXCEPTIONS", set_exceptions=(ALL,))
        self.expect_event(ILLEGAL)
        self.assertEqual(self.suspend().hwregs[TRAPSTS] & 1 << 11, 1 << 11)
        self.debugger.detach()

    def test_suspending_clears_exceptions(self):
        """Suspending takes exceptions off the queue, but no others."""
        self.begin()
        self.queue.launch(STOPS)
        self.assertTrue(self.debugger.notified())
        self.suspend_queue(WAVES)
        self.assertEqual(self.query(), -errno.EAGAIN)
        self.debugger.detach()


class Launches(WaveCase):
    """Launches and watches."""

    def launch_mode(self, mode):
        self.debugger.must("LAUNCH_MODE", launch_mode=(mode, 0))

    def test_waves_are_halted_at_their_launch(self):
        self.begin()
        self.launch_mode(kfd.LAUNCH_HALT)
        entry = self.queue.launch(PLAIN)
        area = self.suspend_when_launched()
        self.assertEqual((area.pc, area.hwregs[STATUS] & HALT, area.ttmps[6] & TTMP6_STOPPED), (entry, HALT, 0))
        self.launch_mode(kfd.LAUNCH_NORMAL)
        self.resume()
        time.sleep(0.02)
        self.assertEqual(self.queue.done, 0)
        area = self.suspend()
        area.hwregs[STATUS] &= ~HALT
        self.resume()
        self.assertTrue(self.queue.wait(1))
        self.check_results({0: 7})
        self.debugger.detach()

    def test_waves_are_launched_stepping(self):
        self.begin()
        self.launch_mode(kfd.LAUNCH_DEBUG)
        area, entry = self.stopped(PLAIN)
        self.assertEqual(area.parked_pc, entry + 8)
        self.assertTrue(area.hwregs[MODE] & STEP)
        self.run_on(area, 1)
        self.debugger.detach()

    def watch(self, mode):
        address = self.queue.room.address + self.queue.RESULTS + 64
        self.debugger.must("SET_WATCH", set_watch=(address, mode, 0xFFFFFFC0, self.program.gpu_id, 0))

    def test_watched_address_stops_who_writes_there(self):
        self.begin()
        self.debugger.must("LAUNCH_OVERRIDE", launch_override=(kfd.OVERRIDE_OR, 0x80, 0x80, 0))
        self.watch(kfd.WATCH_NONREAD)
        area, entry = self.stopped(PLAIN)
        self.assertEqual(area.hwregs[TRAPSTS] & (1 << 7 | 7 << 12), 1 << 7)
        self.assertTrue(area.hwregs[MODE] & 1 << 19)
        self.assertEqual(area.parked_pc, entry + BEHIND_STORE)
        self.check_results({16: 7})
        area.hwregs[TRAPSTS] = 0
        self.run_on(area, 1)
        # Reading is something else, and so is a watch that has been taken away.
        self.debugger.must("CLEAR_WATCH", clear_watch=(self.program.gpu_id, 0))
        self.watch(kfd.WATCH_READ)
        self.queue.launch(PLAIN)
        self.assertTrue(self.queue.wait(2))
        self.debugger.detach()


class Ends(WaveCase):
    """Queues that go, and debuggers."""

    def test_destroying_waits_for_the_debugger(self):
        def destroy():
            results.append(self.program.destroy_queue(self.queue.id, connection))

        self.begin()
        results, connection = [], self.program.connection()
        self.suspend_queue()
        thread = threading.Thread(target=destroy)
        thread.start()
        time.sleep(0.05)
        self.assertEqual(results, [])
        self.resume()
        thread.join()
        self.assertEqual(results, [0])
        for ask in (self.debugger.suspend, self.debugger.resume):
            self.assertEqual(ask(self.queue.id), (0, self.queue.id | kfd.QUEUE_INVALID))
        connection.close()
        self.debugger.detach()

    def test_letting_go_resumes(self):
        """Letting go takes what is in the save areas, and forgets all that was asked for."""
        self.begin()
        self.queue.launch(STOPS)
        self.expect_event()
        self.debugger.must("LAUNCH_MODE", launch_mode=(kfd.LAUNCH_HALT, 0))
        self.suspend().run()
        self.debugger.must("DISABLE")
        self.assertTrue(self.queue.wait(1))
        self.queue.launch(PLAIN)
        self.assertTrue(self.queue.wait(2))
        self.assertEqual(self.debugger.attach(ALL), 0)
        self.assertEqual(self.debugger.info.state, kfd.RUNTIME_ENABLED)
        self.debugger.detach()

    def start_debugger(self, act):
        """A debugger in a process of its own, which ends without a word. It is attached when this returns."""
        def child():
            self.program.connect_again()
            self.debugger = Debugger(self.program, target)
            if libc.ptrace(PTRACE_SEIZE, target, None, None):
                return 2
            if self.debugger.attach(ALL) or self.debugger.info.state != kfd.RUNTIME_ENABLED:
                return 3
            self.debugger.see_queue(NEW)
            os.write(ready[1], b"x")
            act()
            return 0

        target, ready = os.getpid(), os.pipe()
        let_trace()
        process = self.fork(child)
        os.close(ready[1])
        self.assertEqual(os.read(ready[0], 1), b"x")
        os.close(ready[0])
        return process

    def wait_for_death(self, process):
        self.assertEqual(os.waitpid(process, 0), (process, 0))
        let_trace(self.program.anchor.owner)

    def hold(self):
        """What was asked for of waves to come, and a queue that stands still."""
        self.debugger.must("LAUNCH_MODE", launch_mode=(kfd.LAUNCH_HALT, 0))
        self.suspend_queue()

    def stop_wave(self):
        """The wave that goes round is stopped, as a debugger does it, and would end."""
        area = self.suspend_when_launched()
        area.ttmps[6] |= TTMP6_STOPPED
        area.ttmps[7] = area.hwregs[PC] + 4
        area.ttmps[11] |= area.hwregs[PC_HIGH] << 7
        area.hwregs[STATUS] |= HALT
        self.resume()

    def test_program_outlives_its_debugger(self):
        self.program.acquire()
        self.assertEqual(self.program.runtime_comes(R_DEBUG), 0)
        self.queue = self.program.queue()
        self.wait_for_death(self.start_debugger(self.hold))
        self.queue.launch(PLAIN)
        self.assertTrue(self.queue.wait(1))
        # The wave stands at a breakpoint.
        debugger = self.start_debugger(self.expect_event)
        self.queue.launch(STOPS)
        self.wait_for_death(debugger)
        self.assertTrue(self.queue.wait(2))
        self.queue.launch(FOREVER)
        self.wait_for_death(self.start_debugger(self.stop_wave))
        self.assertTrue(self.queue.wait(3))
        # The wave cannot go on, and the debugger has heard of it.
        told = self.queue.told()
        debugger = self.start_debugger(lambda: self.expect_event(ILLEGAL))
        self.queue.launch(ILLEGAL_WORDS)
        self.wait_for_death(debugger)
        self.assertTrue(wait_until(lambda: told.value))
        self.assertEqual(told.value, ILLEGAL)


class Areas(WaveCase):
    def destroy(self):
        self.assertEqual(self.program.destroy_queue(self.queue.id), 0)

    def test_save_area_that_is_too_small_is_an_error(self):
        self.begin(save_size=PAGE)
        self.queue.launch(FOREVER)
        # As long as there is no wave, it is large enough.
        answer = self.debugger.suspend(self.queue.id)
        while answer[0] == 1:
            self.resume()
            answer = self.debugger.suspend(self.queue.id)
        self.assertEqual(answer, (0, self.queue.id | kfd.QUEUE_ERROR))
        self.debugger.detach()
        self.destroy()

    def properties(self):
        """The numbers of the agent in the topology."""
        path = os.path.join(self.program.directory, "root", "sys/devices/virtual/kfd/kfd/topology/nodes/1/properties")
        with open(path, encoding="utf-8") as file:
            return {name: int(value) for name, value in map(str.split, file)}

    @on("gfx90a", "gfx942", "gfx1100", "gfx1201")
    def test_full_device_fits_into_its_save_area(self):
        """As many waves as fill the device, to the last register, are saved in an area of the size that the topology tells, and go on."""
        told = self.properties()
        waves, later = told["simd_count"] * told["max_waves_per_simd"], told["gfx_target_version"] >= 110000
        # Words on the control stack, and bytes of a compute unit.
        words, unit_bytes = (3, 0x75000) if later else (2, 0x95000)
        self.assertEqual(told["cwsr_size"], told["ctl_stack_size"] + waves // 32 * unit_bytes)
        self.begin(save_size=told["cwsr_size"])
        self.queue.launch_full(FOREVER_GFX11 if later else FOREVER, waves + 1)
        head, found = self.queue.save.words(0, 4), 0
        while found < waves:
            self.suspend_queue()
            # Two words of the control stack are not of waves.
            found = (head[1] // 4 - 2) // words if head[3] else 0
            self.assertLessEqual(found, waves)
            self.assertLessEqual(head[2], told["cwsr_size"])
            self.resume()
        self.debugger.detach()
        self.destroy()

    def test_any_save_area_is_survived(self):
        """Whatever a debugger leaves in a save area, the owner is there afterwards."""
        self.begin()
        self.queue.launch(STOPS)
        self.assertTrue(self.debugger.notified())
        numbers, words = xorshift(), self.queue.save.words(0, self.queue.save.size // 4)
        for _ in range(2000):
            self.suspend_queue()
            for random in (next(numbers), next(numbers), next(numbers)):
                words[random % (24 if random & 1 << 20 else words[2] % 0x7F000 // 4 + 1)] = random >> 32
            self.resume()
        self.debugger.detach()
        self.destroy()
        self.queue = self.program.queue()
        self.queue.launch(PLAIN)
        self.assertTrue(self.queue.wait(1))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        Saved.library = ctypes.CDLL(sys.argv.pop(2))
        Saved.library.saved_wave_find.restype = ctypes.c_uint32
    main(__doc__)
