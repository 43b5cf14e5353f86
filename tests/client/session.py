# SPDX-License-Identifier: MIT
"""What a client does with an API again and again: ask, list, wait for events, read registers and memory.

Methods that return a status are named after what they call. The others return what they are for, and raise `Refused` where the
library refuses; memory that the library has allocated for its client is freed here.
"""

import ctypes
import select

from .api import SUCCESS, Callbacks, buffer, libc, number

CLIENT_PROCESS = 0x1001


class Refused(Exception):
    """A call that did not succeed; `status` is what it returned, `name` that without the prefix of all."""

    def __init__(self, what, status, name):
        super().__init__(f"{what}: {name}")
        self.what, self.status, self.name = what, status, name


def take_array(address, count, word=ctypes.c_uint64):
    """An array that the library has allocated for its client."""
    values = list((word * count).from_address(address)) if address and count else []
    libc.free(address)
    return values


def take_text(address):
    text = ctypes.string_at(address).decode(errors="replace")
    libc.free(address)
    return text


class Client:
    """A client with its side of a library. `patience`: how often an event is asked for until there is none."""

    def __init__(self, api, side=None, patience=200):
        self.api, self.side, self.patience = api, side or Callbacks(), patience
        self.side.api = api
        self.callbacks = api.callbacks(self.side)

    def expect(self, status, what):
        if status != SUCCESS:
            raise Refused(what, status, self.api.status_name(status))

    # ---- Beginning and end ----

    def initialize(self):
        return self.api.initialize(ctypes.byref(self.callbacks))

    def attach(self, client_process=CLIENT_PROCESS):
        process = number()
        self.expect(self.api.process_attach(client_process, process), "process_attach")
        return process.value

    def detach(self, process):
        self.expect(self.api.process_detach(process), "process_detach")

    # ---- Questions ----

    def query(self, kind, name):
        """A query of a kind of object, as the table has it."""
        return self.api.at.objects[kind][3][name]

    def query_size(self, kind, name):
        """The bytes of its result."""
        return ctypes.sizeof(self.api.at.type(self.query(kind, name)[2]))

    def get_info(self, kind, handle, query, size, value):
        """A query by its name or number. Return: the status."""
        if isinstance(query, str):
            query = self.query(kind, query)[0]
        return getattr(self.api, self.api.at.objects[kind][0])(handle, query, size, value)

    def answer(self, kind, handle, name):
        """A query. Return: the status, and its result in Python: a number, a tuple, a string, bytes, or a list of handles; or None."""
        _, result, word, length_of, *_ = self.query(kind, name)
        value = self.api.at.type(word)()
        status = self.get_info(kind, handle, name, ctypes.sizeof(value), ctypes.byref(value))
        if status != SUCCESS:
            return status, None
        if result == "string":
            return status, take_text(ctypes.cast(value, ctypes.c_void_p).value)
        if result == "bytes":
            return status, bytes(take_array(ctypes.cast(value, ctypes.c_void_p).value, self.ask(kind, handle, length_of), ctypes.c_uint8))
        if result == "handles":
            return status, take_array(ctypes.cast(value.watchpoint_ids, ctypes.c_void_p).value, value.count)
        if result == "core_state":
            return status, bytes(take_array(value.data, value.size, ctypes.c_uint8))
        return status, tuple(value) if isinstance(value, ctypes.Array) else value.value

    def ask(self, kind, handle, name):
        status, value = self.answer(kind, handle, name)
        self.expect(status, f"{name} of {kind} {handle}")
        return value

    def lists(self, kinds=("code_object", "agent", "queue", "dispatch", "workgroup", "wave")):
        """Of the kinds of objects that a process has, those that the library has lists of."""
        return [kind for kind in kinds if kind in self.api.at.objects and self.api.at.objects[kind][1] in self.api.has]

    def list_call(self, kind, *arguments):
        """The list function of a kind of object. Return: the status."""
        return getattr(self.api, self.api.at.objects[kind][1])(*arguments)

    def list(self, kind, owner, *more):
        """The handles of a kind that a process or an architecture has; [] where they cannot be had."""
        count, array = number(), ctypes.c_void_p()
        if len(self.api.at.functions[self.api.at.objects[kind][1]][2]) == 4:
            more = more or (None,)
        if self.list_call(kind, owner, count, array, *more) != SUCCESS:
            return []
        return take_array(array.value, count.value)

    # ---- Events ----

    def notified(self, process, seconds=0):
        """Whether the notifier says that there may be an event."""
        descriptor = self.ask("process", process, "NOTIFIER")
        return bool(select.select([descriptor], [], [], seconds)[0])

    def next_event(self, process, patience=None):
        """The next event and its kind's name, without the prefix of all; (0, "NONE") if there is none after a while."""
        event, kind = number(), number(0, "u32")
        for _ in range(patience or self.patience):
            if event.value or self.api.process_next_pending_event(process, event, kind) != SUCCESS:
                break
        return event.value, self.event_kind(kind.value)

    def event_kind(self, value):
        for name, known in self.api.at.enumerations["amd_dbgapi_event_kind_t"].items():
            if known == value:
                return name.removeprefix("EVENT_KIND_")
        return str(value)

    # ---- Waves ----

    def wave_resume(self, wave, step=False, exceptions=0):
        """Return: the status."""
        mode = self.api.RESUME_MODE_SINGLE_STEP if step else self.api.RESUME_MODE_NORMAL
        return self.api.wave_resume(wave, mode, exceptions)

    def registers(self, wave):
        """The handles of the registers that a wave has."""
        count, array = number(), ctypes.c_void_p()
        if self.api.wave_register_list(wave, count, array) != SUCCESS:
            return []
        return take_array(array.value, count.value)

    def find_register(self, wave, name):
        """A register of a wave by its name; 0 if it has none."""
        for register in self.registers(wave):
            if self.answer("register", register, "NAME")[1] == name:
                return register
        return 0

    def read_register(self, wave, register, size, offset=0):
        """Bytes of a register, by its handle or name. Return: the status, and the bytes."""
        if isinstance(register, str):
            register = self.find_register(wave, register)
        value = buffer(size)
        return self.api.read_register(wave, register, offset, size, value), bytes(value)

    def write_register(self, wave, register, content, offset=0):
        if isinstance(register, str):
            register = self.find_register(wave, register)
        return self.api.write_register(wave, register, offset, len(content), buffer(content))

    # ---- Memory ----

    def read_memory(self, process, address, size, space=None, wave=0, lane=None):
        """Return: the status, and the bytes that were read."""
        size, value = number(size), buffer(size)
        status = self.api.read_memory(process, wave, self.no_lane if lane is None else lane,
                                      self.global_space if space is None else space, address, size, value)
        return status, bytes(value)[: size.value]

    def write_memory(self, process, address, content, space=None, wave=0, lane=None):
        """Return: the status, and how many bytes were written."""
        size = number(len(content))
        status = self.api.write_memory(process, wave, self.no_lane if lane is None else lane,
                                       self.global_space if space is None else space, address, size, buffer(content))
        return status, size.value

    # Two handles that are no enumerators of the table.
    no_lane = 0xFFFFFFFF
    global_space = 1

    def read_word(self, process, address):
        """Four bytes of global memory; 0 if they cannot be read."""
        status, content = self.read_memory(process, address, 4)
        return int.from_bytes(content, "little") if status == SUCCESS else 0

    def write_word(self, process, address, word):
        return self.write_memory(process, address, word.to_bytes(4, "little"))[0]

    # ---- Watchpoints, by the functions of whichever level ----

    def watch(self, process, address, size, kind, watchpoint):
        """What it covers is told by older levels alone, and asked for else. Return: the status, address and bytes that are covered."""
        covered = [number(), number()]
        if len(self.api.at.functions["set_watchpoint"][2]) == 7:
            status = self.api.set_watchpoint(process, address, size, kind, watchpoint, *covered)
            return status, *(part.value for part in covered)
        status = self.api.set_watchpoint(process, address, size, kind, watchpoint)
        if watchpoint is None or status != SUCCESS:
            return status, 0, 0
        return status, self.ask("watchpoint", watchpoint.value, "ADDRESS"), self.ask("watchpoint", watchpoint.value, "SIZE")

    def unwatch(self, process, watchpoint):
        """Return: the status."""
        if len(self.api.at.functions["remove_watchpoint"][2]) == 2:
            return self.api.remove_watchpoint(process, watchpoint)
        return self.api.remove_watchpoint(watchpoint)
