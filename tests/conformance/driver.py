# SPDX-License-Identifier: MIT
"""The suite over a kernel driver: what it attaches to are programs of the HSA runtime (program.c), which are started and traced here,
as a debugger does.

The suite is written for programs that move only while it asks for events. These move by themselves, so between two questions
for events all their queues are suspended: calls of the API that would let them go on, and those that wait for them, have
functions of this file in front.
"""

import os
import select
import signal
import time

from client import SUCCESS, Callbacks, number
from traced import EXITKILL, SEIZE, Traced, ptrace

PROGRAMS = 2
# Seconds. No test waits so long for what comes, but where nothing comes.
PATIENCE = 20
QUIET = 0.06
NAP = 0.001
FRONT = ("process_attach", "process_detach", "finalize", "process_set_progress", "process_set_wave_creation", "process_next_pending_event",
         "event_processed")


class Program:
    def __init__(self, path, workload, client_process):
        self.client_process = client_process
        self.process = 0  # the library's handle; 0: it is not attached
        self.done = False  # it has said so
        self.ready = False  # the client knows of the runtime
        self.moves = self.creates = True  # what the client has set
        self.hits = 0
        pid, self.go, self.told = self._start(path, workload)
        if not self.hear(b"r"):
            raise OSError(f"{path} does not begin")
        ptrace(SEIZE, pid, 0, EXITKILL)
        self.traced = Traced(pid)

    @staticmethod
    def _start(path, workload):
        inputs, outputs = os.pipe(), os.pipe()
        pid = os.fork()
        if not pid:
            os.dup2(inputs[0], 0)
            os.dup2(outputs[1], 1)
            # Else runtimes say nothing of where waves are that ran before a debugger came.
            os.environ["HSA_ENABLE_DEBUG"] = "1"
            try:
                os.execv(path, [path, workload])
            finally:
                os._exit(127)
        os.close(inputs[0])
        os.close(outputs[1])
        return pid, inputs[1], outputs[0]

    def hear(self, expected, seconds=PATIENCE):
        """Wait until the program says something. Return: whether it is what is expected."""
        return bool(select.select([self.told], [], [], seconds)[0]) and os.read(self.told, 1) == expected

    def end(self):
        self.traced.close()
        os.close(self.go)
        os.close(self.told)


class Programs(Callbacks):
    """The client's side, for the programs that it starts."""

    def __init__(self, path):
        super().__init__()
        self.path, self.chosen = path, ""
        self.programs = []
        self.runtime_event = self.resume_event = 0  # the last of these kinds that the client has been given

    def choose(self, workload):
        """What the programs that are attached to from now on run."""
        self.chosen = workload

    def begin(self, suite):
        """Put the functions of this class in front of those of the suite's library."""
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        self.suite = suite
        self.real = {name: getattr(suite.api, name) for name in FRONT}
        for name in FRONT:
            setattr(suite.api, name, getattr(self, name))

    def of_client(self, client_process):
        return next((program for program in self.programs if program.client_process == client_process), None)

    def of_process(self, process):
        return next((program for program in self.programs if process and program.process == process), None)

    def end(self, program):
        self.programs.remove(program)
        program.end()

    # ---- Callbacks ----

    def os_pid(self, process):
        program = self.of_client(process)
        return program.traced.pid if program else None

    def insert_breakpoint(self, process, address, breakpoint_id):
        program = self.of_client(process)
        status = super().insert_breakpoint(process, address, breakpoint_id)
        if status == SUCCESS and not (program and program.traced.insert(address, breakpoint_id)):
            return self.api.STATUS_ERROR
        return status

    def remove_breakpoint(self, process, breakpoint_id):
        program = self.of_client(process)
        super().remove_breakpoint(process, breakpoint_id)
        return SUCCESS if program and program.traced.remove(breakpoint_id) else self.api.STATUS_ERROR_INVALID_BREAKPOINT_ID

    def xfer_global_memory(self, process, address, size, read_buffer, write_buffer):
        program = self.of_client(process)
        if program:
            return program.traced.transfer(self.api, address, size, read_buffer, write_buffer)
        size[0] = 0
        return self.api.STATUS_ERROR_MEMORY_ACCESS

    # ---- Time ----

    def take_hit(self, program):
        """Before a change there is nothing to be told; the hit behind it is the suite's to report."""
        program.hits += 1
        if program.hits % 2 == 0:
            return
        action = number(self.api.BREAKPOINT_ACTION_HALT, "u32")
        self.suite.status("a hit before the list changes",
                          self.api.report_breakpoint_hit(program.traced.breakpoint, program.traced.pid, action))
        self.suite.number("is answered with RESUME, too", action.value, self.api.BREAKPOINT_ACTION_RESUME)
        program.traced.leave_breakpoint()

    def progress(self, program, forward):
        return self.real["process_set_progress"](program.process, self.api.PROGRESS_NORMAL if forward else self.api.PROGRESS_NO_FORWARD)

    def creation(self, program, stop):
        return self.real["process_set_wave_creation"](program.process, self.api.WAVE_CREATION_STOP if stop else self.api.WAVE_CREATION_NORMAL)

    def count_waves(self, program):
        """How many waves there are, and of them, how many that run."""
        waves = self.suite.list("wave", program.process)
        states = [self.suite.answer("wave", wave, "STATE")[1] for wave in waves]
        return len(waves), sum(state != self.api.WAVE_STATE_STOP for state in states)

    def is_idle(self, program):
        """Nothing more will happen: the program has ended, or said that all is done; or all that it could do stands."""
        if program.traced.look():
            self.take_hit(program)
        program.done = program.hear(b"d", 0) or program.done
        if not program.traced.pid or program.traced.stopped:
            return True
        count, running = self.count_waves(program)
        return not running if count else program.done

    def move(self, program, event, kind):
        """
        Let the program go on until there is an event, or nothing is to be expected. While no waves may begin, none end it. What
        comes right behind the first event is to be there when it is asked for, as where waves take turns.
        """
        end = time.monotonic() + (PATIENCE if program.creates else QUIET)
        status, idle = self.progress(program, True), False
        if status != SUCCESS:
            return SUCCESS
        while status == SUCCESS and not event.value and not idle and time.monotonic() < end:
            time.sleep(NAP)
            idle = self.is_idle(program)
            status = self.real["process_next_pending_event"](program.process, event, kind)
        self.progress(program, False)
        return status

    # ---- In front of the library ----

    def begin_waves(self, program):
        """
        Waves that have begun, and of which none has moved. Without a breakpoint the library cannot debug the program, which does
        what it likes.
        """
        end = time.monotonic() + PATIENCE
        self.creation(program, True)
        if os.write(program.go, b"g") != 1 or not program.hear(b"q"):
            self.suite.check("the program begins", False, "it does not")
        if not program.traced.breakpoint:
            self.creation(program, False)
            return
        begun = False
        while not begun and time.monotonic() < end:
            self.creation(program, True)
            self.progress(program, True)
            time.sleep(NAP)
            self.progress(program, False)
            # The queues stand from the first question on, and not before.
            self.count_waves(program)
            self.creation(program, False)
            begun = self.count_waves(program)[0]

    def process_attach(self, client_process, process_ret):
        attach = self.real["process_attach"]
        if not client_process or process_ret is None or self.of_client(client_process):
            return attach(client_process, process_ret)
        try:
            if len(self.programs) == PROGRAMS:
                raise OSError("there are too many")
            program = Program(self.path, self.chosen, client_process)
        except OSError as error:
            self.suite.check("a program starts", False, error)
            return self.api.STATUS_FATAL
        self.programs.append(program)
        status = attach(client_process, process_ret)
        if status != SUCCESS:
            self.end(program)
            return status
        program.process = process_ret.value
        self.begin_waves(program)
        return status

    def process_detach(self, process):
        program = self.of_process(process)
        status = self.real["process_detach"](process)
        if program and status == SUCCESS:
            self.end(program)
        return status

    def finalize(self):
        status = self.real["finalize"]()
        if status == SUCCESS:
            for program in [*self.programs]:
                self.end(program)
        return status

    def process_set_progress(self, process, progress):
        """A client that lets the program go on has it go on when it asks for events."""
        program, normal = self.of_process(process), progress == self.api.PROGRESS_NORMAL
        status = self.progress(program, False) if program and normal else self.real["process_set_progress"](process, progress)
        if program and status == SUCCESS:
            program.moves = normal
        return status

    def process_set_wave_creation(self, process, creation):
        program = self.of_process(process)
        status = self.real["process_set_wave_creation"](process, creation)
        if program and status == SUCCESS:
            program.creates = creation == self.api.WAVE_CREATION_NORMAL
        return status

    def process_next_pending_event(self, process, event, kind):
        program = self.of_process(process)
        status = self.real["process_next_pending_event"](process, event, kind)
        if status == SUCCESS and not event.value and program and program.ready and program.moves:
            status = self.move(program, event, kind)
        if status == SUCCESS and event.value and kind.value == self.api.EVENT_KIND_BREAKPOINT_RESUME:
            self.resume_event = event.value
        if status == SUCCESS and event.value and kind.value == self.api.EVENT_KIND_RUNTIME:
            self.runtime_event = event.value
        return status

    def event_processed(self, event):
        process = self.suite.answer("event", event, "PROCESS")[1]
        status = self.real["event_processed"](event)
        program = self.of_process(process)
        if program and status == SUCCESS:
            program.ready = program.ready or event == self.runtime_event
            if event == self.resume_event and program.traced.stopped:
                program.traced.leave_breakpoint()
        return status
