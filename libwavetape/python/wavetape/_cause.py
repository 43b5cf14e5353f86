# SPDX-License-Identifier: MIT
"""Why a wave crashed."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from wavetape import _native as native
from wavetape._handle import Handle, bits, must_text, text
from wavetape._place import Place, place_of


@dataclass(frozen=True)
class Argument:
    """An argument of a kernel. `value` is its first 8 bytes as a number; None if that was not recorded."""

    name: str | None
    kind: str | None
    value: int | None
    offset: int
    size: int
    hidden: bool  # the compiler's, not in the source
    pointer: bool
    type: str | None  # as in the source
    text: str | None  # the value as its type has it
    memory: str | None = None  # of a pointer to a buffer: "4096 bytes", "64 into 4096 bytes", "freed"


@dataclass(frozen=True)
class Step:
    """An instruction in the past of an address. `values` are by lane; of a scalar register, lane 0 stands for the wave."""

    place: Place
    meaning: str | None
    written: str | None
    values: dict[int, int]
    part: bool
    indirect: bool
    comparison: bool
    held: bool


@dataclass(frozen=True)
class Cause:
    """Where the address came from that a wave accessed, and the cause in a sentence where that is certain."""

    kind: str
    sentence: str | None
    why_not: str | None
    lane: int | None
    address: int | None
    memory_ends_before: int | None
    memory_begins_after: int | None
    argument: Argument | None  # that the address was made from
    byte_offset: int | None
    element: int | None
    end: int | None
    arguments: list[Argument]
    steps: list[Step]
    more_steps: bool
    late: int  # instructions that the wave executed from the access on that is explained, the first step
    memory: str | None = None  # whose it is at the address


class CauseHandle(Handle):
    _close_function = native.call_cause_close

    def argument(self, index: int) -> Argument:
        found = self._get(native.call_cause_argument, native.argument, index)
        return Argument(name=text(found.name), kind=text(found.kind), value=found.value if found.known else None, offset=found.offset,
                        size=found.bytes, hidden=found.hidden, pointer=found.pointer, type=text(found.type),
                        text=text(found.text), memory=text(found.memory))

    def step(self, index: int) -> Step:
        found = self._get(native.call_cause_step, native.step, index)
        place = place_of(self._get(native.call_cause_place, native.place, index))
        return Step(place=place, meaning=text(found.meaning), written=text(found.written),
                    values={lane: found.values[lane] for lane in bits(found.known_lanes)}, part=found.part, indirect=found.indirect,
                    comparison=found.comparison, held=found.held)

    def result(self) -> Cause:
        info = self._get(native.call_cause_info, native.cause_info)
        arguments = [self.argument(index) for index in range(info.arguments)]
        return Cause(
            kind=must_text(info.kind), sentence=text(info.sentence), why_not=text(info.why_not),
            lane=info.lane if info.has_address else None, address=info.address if info.has_address else None,
            memory_ends_before=info.memory_ends_before if info.has_memory_before else None,
            memory_begins_after=info.memory_begins_after if info.has_memory_after else None,
            argument=arguments[info.argument] if info.has_argument else None,
            byte_offset=info.byte_offset if info.has_argument else None, element=info.element if info.has_element else None,
            end=info.end if info.has_end else None, arguments=arguments, steps=[self.step(index) for index in range(info.steps)],
            more_steps=info.more_steps, late=info.late, memory=text(info.memory))


def cause_of(pointer: int, lock: threading.RLock) -> Cause:
    with CauseHandle(pointer, lock) as found:
        return found.result()
