# SPDX-License-Identifier: MIT
"""Calls and variables."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from wavetape import _native as native
from wavetape._facts import FrameFacts, VariableFacts, frame_values, variable_values
from wavetape._handle import Handle, NotFoundError, bits, encode, must_text, text
from wavetape._place import Place, place_of

SIGNED = (native.VALUE_SIGNED, native.VALUE_CHARACTER)


def signed(number: int) -> int:
    return number - 2**64 if number >= 2**63 else number


class Member(NamedTuple):
    """
    A member of a structure of which not every member has a name that no other one has.

    name: of a base its type with the namespaces that it is in, of one without a name what it is: "union", "union #2".
    """

    name: str
    value: Any
    base: bool = False


@dataclass(frozen=True)
class Value:
    """
    The value of a variable in a lane. str() is what the command prints.

    value: an int, float, bool or str; a list of them; a dict by member, or a list of Member where a structure has bases or members
    without a name; of a reference what it refers to; None where it is not known.
    why: in place of one that is not known: "optimized out"; else None.
    """

    type: str
    text: str
    value: Any
    why: str | None

    def __str__(self) -> str:
        return self.text


class ValueHandle(Handle):
    _close_function = native.call_value_close

    def result(self) -> Value:
        info = native.value_info(size=ctypes.sizeof(native.value_info))
        self._call(native.call_value_info, ctypes.byref(info))
        return Value(type=must_text(info.type), text=must_text(info.rendered), value=python_of(self._use(), info),
                     why=must_text(info.text) if info.kind == native.VALUE_UNKNOWN else None)


def part_of(pointer: int, index: int) -> tuple[int, native.value_info]:
    part = native.call_value_part(pointer, index)
    info = native.value_info(size=ctypes.sizeof(native.value_info))
    native.call_value_info(part, ctypes.byref(info))
    return part, info


def python_of(pointer: int, info: native.value_info) -> Any:
    """As Python has it. In an array, elements that were left out are not there."""
    if info.kind in (native.VALUE_ARRAY, native.VALUE_STRUCT):
        parts = [part_of(pointer, index) for index in range(info.count)]
        parts = [(part, one) for part, one in parts if one.kind != native.VALUE_MORE]
        if info.kind == native.VALUE_ARRAY:
            return [python_of(*part) for part in parts]
        members = [Member(must_text(one.name), python_of(part, one), bool(one.base)) for part, one in parts]
        plain = len({member.name for member in members}) == len(members) and not any(one.base or one.unnamed for _, one in parts)
        return {member.name: member.value for member in members} if plain else members
    if info.kind == native.VALUE_REFERENCE:
        return python_of(*part_of(pointer, 0))
    if info.kind == native.VALUE_UNKNOWN:
        return None
    if info.kind == native.VALUE_TEXT:
        return text(info.text)
    if info.kind == native.VALUE_FLOAT:
        return info.real
    if info.kind == native.VALUE_BOOLEAN:
        return bool(info.number)
    if info.kind == native.VALUE_ENUM:
        return text(info.text) if info.text is not None else signed(info.number) if info.is_signed else info.number
    if info.bits > 64:
        whole = info.number | info.high << 64
        return whole - 2**128 if info.kind in SIGNED and whole >= 2**127 else whole
    return signed(info.number) if info.kind in SIGNED else info.number


@dataclass(frozen=True)
class Variable(VariableFacts):
    """A variable or parameter of a frame."""

    _stack: "Stack"
    _frame: int
    _index: int

    def value(self, lane: int | None = None) -> Value:
        """In a lane; without one, in the first that is active."""
        pointer = self._stack._open(native.call_stack_value, self._frame, self._index, self._stack.lane(lane))
        with ValueHandle(pointer, self._stack._lock) as found:
            return found.result()

    def values(self) -> dict[int, Value]:
        """In each active lane."""
        return {lane: self.value(lane) for lane in self._stack.active_lanes}


@dataclass(frozen=True)
class Frame(FrameFacts):
    """A function that a wave is in. One that was inlined has a frame of its own."""

    number: int
    place: Place
    _stack: "Stack"

    @property
    def variables(self) -> list[Variable]:
        return self._stack._variables(self.number)


class Stack(Handle):
    """The calls of a wave, the innermost first."""

    _close_function = native.call_stack_close

    def __len__(self) -> int:
        return int(native.call_stack_count(self._use()))

    def __getitem__(self, number: int) -> Frame:
        if not 0 <= number < len(self):
            raise IndexError(f"there is no frame {number}: the wave has {len(self)}")
        found = self._get(native.call_stack_frame, native.frame, number)
        place = self._get(native.call_stack_place, native.place, number)
        return Frame(**frame_values(found), number=number, place=place_of(place), _stack=self)

    def __iter__(self) -> Iterator[Frame]:
        return (self[number] for number in range(len(self)))

    @property
    def end(self) -> str | None:
        """None if the outermost frame is the kernel; else why it is only the outermost known one."""
        return text(native.call_stack_end(self._use()))

    @property
    def active_lanes(self) -> list[int]:
        active, count = ctypes.c_uint64(), ctypes.c_uint32()
        self._call(native.call_stack_lanes, ctypes.byref(active), ctypes.byref(count))
        return bits(active.value)

    def lane(self, lane: int | None) -> int:
        """The lane that is meant: the first active one, where none is named."""
        if lane is not None:
            return lane
        active = self.active_lanes
        if not active:
            raise NotFoundError("cannot show variables", "", "no lane of the wave is active")
        return active[0]

    def _variables(self, frame: int) -> list[Variable]:
        count = ctypes.c_size_t()
        self._call(native.call_stack_variable_count, frame, ctypes.byref(count))
        result = []
        for index in range(count.value):
            found = self._get(native.call_stack_variable, native.variable, frame, index)
            result.append(Variable(**variable_values(found), _stack=self, _frame=frame, _index=index))
        return result

    def print(self, expression: str, lane: int | None = None, frame: int = 0) -> Value:
        """The value of an expression in the syntax of C over the variables of a frame."""
        pointer = self._open(native.call_stack_print, frame, self.lane(lane), encode("cannot print", expression))
        with ValueHandle(pointer, self._lock) as found:
            return found.result()
