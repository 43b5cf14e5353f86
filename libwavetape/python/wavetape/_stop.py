# SPDX-License-Identifier: MIT
"""One stop: its objects, memory and code objects."""

import ctypes
from collections.abc import Iterator, Mapping

from wavetape import _native as native
from wavetape._facts import (Agent, CodeObject, Dispatch, Queue, StopFacts, Symbol, agent_values, code_object_values, dispatch_values,
                             queue_values, symbol_values)
from wavetape._handle import Handle, NotFoundError, UsageError, encode, must_text
from wavetape._place import Place, place_of
from wavetape._wave import Wave, Waves, objects

class SymbolList(Handle):
    _close_function = native.call_symbols_close


class CodeObjects(Mapping[int, CodeObject]):
    """The code objects at a stop, by number."""

    def __init__(self, stop: "Stop") -> None:
        self._stop = stop

    def __len__(self) -> int:
        return len(objects(self._stop, native.OBJECT_CODE_OBJECT))

    def __iter__(self) -> Iterator[int]:
        return iter(objects(self._stop, native.OBJECT_CODE_OBJECT))

    def __getitem__(self, number: int) -> CodeObject:
        try:
            found = self._stop._get(native.call_code_object, native.code_object, number)
        except NotFoundError as error:
            raise KeyError(number) from error
        return CodeObject(**code_object_values(found))


class Memory:
    """Recorded memory at a stop."""

    def __init__(self, stop: "Stop") -> None:
        self._stop = stop

    def peek(self, address: int, size: int, space: str = "global", wave: int = 0, lane: int = 0) -> tuple[bytes, bytes]:
        """The bytes, with 0 for those that are not known, and for each byte 1 or 0: is it known?"""
        if size < 0 or not 0 <= address < 2**64:
            raise UsageError("cannot read the memory", "", "an address is of 64 bits, and a size is not negative")
        data, known, count = ctypes.create_string_buffer(size), ctypes.create_string_buffer(size), ctypes.c_size_t()
        self._stop._call(native.call_memory_read, encode("cannot read the memory", space), wave, lane, address, data, known, size,
                         ctypes.byref(count))
        return data.raw, known.raw

    def read(self, address: int, size: int, space: str = "global", wave: int = 0, lane: int = 0) -> bytes:
        """The bytes, all of which must be known: else NotFoundError says which is the first that is not."""
        data, known = self.peek(address, size, space, wave, lane)
        missing = known.find(b"\0")
        if missing >= 0:
            raise NotFoundError("cannot read the memory", f"{space} 0x{address + missing:x}",
                                "it was not recorded at this stop, or was not mapped")
        return data

    def runs(self, space: str = "global", owner: int = 0) -> list[tuple[int, int]]:
        """What was recorded: where each run begins, and the address past its end. owner: a workgroup or a wave, by number."""
        start, end, address = ctypes.c_uint64(), ctypes.c_uint64(), 0
        result: list[tuple[int, int]] = []
        while True:
            self._stop._call(native.call_memory_next, encode("cannot list the memory", space), owner, address, ctypes.byref(start),
                             ctypes.byref(end))
            if start.value == end.value:
                return result
            result.append((start.value, end.value or 2**64))
            if end.value <= address:
                return result
            address = end.value


class Stop(StopFacts, Handle):
    """The recorded state at a stop."""

    _close_function = native.call_stop_close

    def _info(self) -> native.stop_info:
        return self._get(native.call_stop_info, native.stop_info)

    @property
    def crash(self) -> str | None:
        """What happened, in a sentence; None if no wave has a fault."""
        sentence = ctypes.c_char_p()
        try:
            self._call(native.call_stop_crash, ctypes.byref(sentence))
        except NotFoundError:
            return None
        return must_text(sentence.value)

    @property
    def waves(self) -> Waves:
        self._use()
        return Waves(self)

    @property
    def wave(self) -> Wave:
        """The wave to look at: the first with a fault, else the first with registers."""
        number = ctypes.c_uint64()
        self._call(native.call_stop_telling_wave, ctypes.byref(number))
        return Wave(self, number.value)

    @property
    def agents(self) -> list[int]:
        return objects(self, native.OBJECT_AGENT)

    @property
    def queues(self) -> list[int]:
        return objects(self, native.OBJECT_QUEUE)

    @property
    def dispatches(self) -> list[int]:
        return objects(self, native.OBJECT_DISPATCH)

    def agent(self, number: int) -> Agent:
        """A GPU."""
        return Agent(**agent_values(self._get(native.call_agent, native.agent, number)))

    def queue(self, number: int) -> Queue:
        """A queue of packets."""
        return Queue(**queue_values(self._get(native.call_queue, native.queue, number)))

    def dispatch(self, number: int) -> Dispatch:
        """How the kernel of a dispatch was launched."""
        return Dispatch(**dispatch_values(self._get(native.call_dispatch, native.dispatch, number)))

    def symbols(self, code_object: int) -> list[Symbol]:
        """The symbols of a code object that have an address in it."""
        with SymbolList(self._open(native.call_symbols_open, code_object), self._lock) as found:
            count = native.call_symbols_count(found._use())
            return [Symbol(**symbol_values(found._get(native.call_symbols_get, native.symbol, index))) for index in range(count)]

    @property
    def workgroups(self) -> list[int]:
        return objects(self, native.OBJECT_WORKGROUP)

    @property
    def code_objects(self) -> CodeObjects:
        self._use()
        return CodeObjects(self)

    @property
    def memory(self) -> Memory:
        self._use()
        return Memory(self)

    def place(self, address: int) -> Place:
        """Symbol, source line and instruction of an address in code."""
        return place_of(self._get(native.call_stop_place, native.place, address))
