# SPDX-License-Identifier: MIT
"""Waves and their registers."""

import ctypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wavetape import _native as native
from wavetape._cause import Cause, cause_of
from wavetape._facts import AccessFacts, RegisterFacts, WaveFacts, access_values, register_values
from wavetape._handle import Handle, NotFoundError, bits, encode, must_text
from wavetape._place import Place, place_of
from wavetape._stack import Stack, Value
from wavetape._way import Way

CHANGES = {native.CHANGE_UNKNOWN: None, native.CHANGE_NONE: False, native.CHANGE_CHANGED: True}


def objects(stop: Handle, kind: int) -> list[int]:
    """The numbers of all objects of a kind."""
    numbers, count = ctypes.POINTER(ctypes.c_uint64)(), ctypes.c_size_t()
    with stop._lock:
        stop._call(native.call_stop_objects, kind, ctypes.byref(numbers), ctypes.byref(count))
        return list(numbers[:count.value]) if count.value else []


@dataclass(frozen=True)
class Access(AccessFacts):
    """What a memory instruction accesses. Lanes by number; of a scalar access, lane 0 stands for the wave."""

    addresses: dict[int, int]


@dataclass(frozen=True)
class Register(RegisterFacts):
    """A register. `value` is a number, or a list with one for each lane; None if it was not recorded."""

    value: int | list[int] | None
    changed: bool | None  # since the stop before; None if that is not known


class RegisterList(Handle):
    _close_function = native.call_registers_close

    def all(self, changes: bool) -> list[Register]:
        with self._lock:
            return [self._register(index, changes) for index in range(native.call_registers_count(self._use()))]

    def _register(self, index: int, changes: bool) -> Register:
        facts = register_values(self._get(native.call_registers_get, native.register, index))
        data, size, lanes = facts["data"], facts["size"], facts["lanes"]
        value: int | list[int] | None = None
        if data is not None and lanes:
            size //= lanes
            value = [int.from_bytes(data[size * lane:size * (lane + 1)], "little") for lane in range(lanes)]
        elif data is not None:
            value = int.from_bytes(data, "little")
        change = ctypes.c_int(native.CHANGE_UNKNOWN)
        if changes:
            self._call(native.call_registers_change, index, ctypes.byref(change))
        return Register(**facts, value=value, changed=CHANGES[change.value])


class Registers(Mapping[str, int | list[int] | None]):
    """The recorded registers of a wave by name: a number, or for a vector register a list with one for each lane."""

    def __init__(self, wave: "Wave") -> None:
        self._wave = wave
        self._all: dict[str, int | list[int] | None] | None = None

    def select(self, names: str | None = None, changes: bool = False) -> list[Register]:
        """
        Registers by a list: names, runs and classes, as "pc,exec,s0-s15,vector"; without one, all.

        changes: say of each whether it has changed since the stop before, which is opened for this.
        """
        stop = self._wave._stop
        wanted = None if names is None else encode("cannot show registers", names)
        with RegisterList(stop._open(native.call_registers_open, self._wave.number, wanted), stop._lock) as found:
            return found.all(changes)

    def _values(self) -> dict[str, int | list[int] | None]:
        if self._all is None:
            self._all = {one.name: one.value for one in self.select()}
        return self._all

    def __getitem__(self, name: str) -> int | list[int] | None:
        return self._values()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def columns(self, names: str | None = None) -> dict[str, list[Any]]:
        """A row for each register, as columns for pandas.DataFrame(): name, type, size, lanes, value, changed."""
        rows = self.select(names, changes=True)
        return {name: [getattr(row, name) for row in rows] for name in ("name", "type", "size", "lanes", "value", "changed")}

    def lanes(self, names: str = "vector") -> dict[str, list[Any]]:
        """A row for each lane, as columns: lane, active, and each register; one of the wave has its value in every lane."""
        rows, info = self.select(names), self._wave._info()
        count = info.lanes or max((row.lanes for row in rows), default=0)
        result: dict[str, list[Any]] = {"lane": list(range(count)), "active": [bool(info.exec >> lane & 1) for lane in range(count)]}
        for row in rows:
            value: Any = row.value
            result[row.name] = value if row.lanes and value is not None else [value] * count
        return result


class Wave(WaveFacts):
    """A wave at a stop. What is not known of it is None."""

    def __init__(self, stop: Handle, number: int) -> None:
        self._stop, self.number = stop, number

    def __repr__(self) -> str:
        return f"<wave {self.number}>"

    def _info(self) -> native.wave:
        return self._stop._get(native.call_wave_info, native.wave, self.number)

    @property
    def active_lanes(self) -> list[int]:
        return bits(self.exec or 0)

    @property
    def place(self) -> Place | None:
        """The instruction that stopped it; None if it is not stopped."""
        try:
            return place_of(self._stop._get(native.call_wave_place, native.place, self.number))
        except NotFoundError:
            return None

    @property
    def access(self) -> Access | None:
        """What that instruction accesses; None if it does not, or that is not known."""
        if not self._info().has_access:
            return None
        found = self._stop._get(native.call_wave_access, native.access, self.number)
        return Access(**access_values(found), addresses={lane: found.addresses[lane] for lane in bits(found.lanes)})

    @property
    def registers(self) -> Registers:
        return Registers(self)

    @property
    def stack(self) -> Stack:
        """Its calls, the innermost first."""
        return Stack(self._stop._open(native.call_stack_open, self.number), self._stop._lock)

    def locals(self, lane: int | None = None, frame: int = 0) -> dict[str, Value]:
        """Variables of a frame by name, in a lane; without one, in the first active lane."""
        with self.stack as stack:
            wanted = stack.lane(lane)
            return {variable.name: variable.value(wanted) for variable in stack[frame].variables if not variable.shadowed}

    def print(self, expression: str, lane: int | None = None, frame: int = 0) -> Value:
        """The value of an expression in the syntax of C over the variables of a frame: "a[i].b", "*p", "$v4 + 1"."""
        with self.stack as stack:
            return stack.print(expression, lane, frame)

    def way(self) -> Way:
        """What it executed before it stopped, as far as that is known."""
        return Way(self._stop._open(native.call_way_open, self.number), self._stop._lock)

    def explain(self, lane: int = -1) -> Cause:
        """Where the address came from that it accessed; without a lane, of the first that failed."""
        return cause_of(self._stop._open(native.call_cause_open, self.number, lane), self._stop._lock)


class Waves:
    """The waves at a stop, by number; iterating gives them in the order in which the recorded library listed them."""

    def __init__(self, stop: Handle) -> None:
        self._stop = stop

    @property
    def numbers(self) -> list[int]:
        return objects(self._stop, native.OBJECT_WAVE)

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[Wave]:
        return (Wave(self._stop, number) for number in self.numbers)

    def __getitem__(self, number: int) -> Wave:
        wave = Wave(self._stop, number)
        try:
            wave._info()
        except NotFoundError as error:
            raise KeyError(f"there is no wave {number}") from error
        return wave

    def columns(self) -> dict[str, list[Any]]:
        """A row for each wave, as columns for pandas.DataFrame(): what is known of it, with a column for each coordinate, and its place."""
        rows = [row_of(wave) for wave in self]
        return {name: [row[name] for row in rows] for name in row_of(None)}


def row_of(wave: Wave | None) -> dict[str, Any]:
    """@wave: None for the names alone."""
    row: dict[str, Any] = {"wave": wave.number if wave else None}
    for name, count in WaveFacts.FACTS.items():
        value = getattr(wave, name) if wave else None
        row |= {f"{name}_{axis}": value[i] if value else None for i, axis in enumerate("xyz"[:count])} if count else {name: value}
    place = wave.place if wave else None
    row |= {name: getattr(place, name) if place else None for name in ("symbol", "function", "file", "instruction")}
    row["symbol_offset"] = place.symbol_offset if place and place.symbol else None
    return row | {name: getattr(place, name) if place and place.file else None for name in ("line", "column")}
