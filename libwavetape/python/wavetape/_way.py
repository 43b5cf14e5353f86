# SPDX-License-Identifier: MIT
"""What a wave executed before it stopped."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

from wavetape import _native as native
from wavetape._facts import WayFacts, WayStepFacts, WayTouchFacts, WayValueFacts, way_info_values, way_step_values, way_touch_values, way_value_values
from wavetape._handle import Handle, encode
from wavetape._place import Place, place_of


@dataclass(frozen=True)
class WayTouch(WayTouchFacts):
    """Registers or memory that a step reads or writes."""


@dataclass(frozen=True)
class WayValue(WayValueFacts):
    """A value of a register on the way, in a lane."""


@dataclass(frozen=True)
class WayStep(WayStepFacts):
    """An instruction that a wave executed on its way."""

    place: Place
    reads: list[WayTouch]
    writes: list[WayTouch]


@dataclass(frozen=True)
class WayInfo(WayFacts):
    """The way as a whole."""


@dataclass(frozen=True)
class LastWrite:
    """The step at `position` wrote it last; `certain`: else it may have."""

    position: int
    certain: bool


class Way(Handle):
    """The way of a wave. It stands at one position, at first where the wave stopped."""

    _close_function = native.call_way_close

    @property
    def info(self) -> WayInfo:
        return WayInfo(**way_info_values(self._get(native.call_way_info, native.way_info)))

    @property
    def position(self) -> int:
        with self._lock:
            return int(native.call_way_position(self._use()))

    @position.setter
    def position(self, position: int) -> None:
        self.go(position)

    def go(self, position: int) -> None:
        """Go to a position: 0 is where the way begins."""
        self._call(native.call_way_go, position)

    @property
    def step(self) -> WayStep:
        """The step that is next."""
        found = self._get(native.call_way_step, native.way_step)
        with self._lock:
            count = native.call_way_touch_count(self._use())
        touches = [WayTouch(**way_touch_values(self._get(native.call_way_touch, native.way_touch, index))) for index in range(count)]
        place = place_of(self._get(native.call_way_place, native.place))
        return WayStep(**way_step_values(found), place=place, reads=[touch for touch in touches if not touch.write],
                       writes=[touch for touch in touches if touch.write])

    def steps(self, first: int = 0, last: int | None = None) -> Iterator[WayStep]:
        """Steps from a position up to another, or to the stop; the way goes along."""
        info = self.info
        end = info.steps if last is None else min(last, info.steps)
        for position in range(first, end):
            if info.cut_count and info.cut_from <= position < info.cut_from + info.cut_count:
                continue
            self.go(position)
            yield self.step

    def value(self, register: str, lane: int = 0) -> WayValue:
        """The value of a register where the way stands."""
        return WayValue(**way_value_values(self._get(
            native.call_way_value, native.way_value, encode("cannot follow the wave", register), lane)))

    def last_write(self, what: str, lane: int = -1) -> LastWrite | None:
        """The step that wrote a register, memory or a variable last; None if none that is kept did. Where no lane is
        named, the first active one is meant of those whose access failed, or if there is none, of all."""
        answer, position = ctypes.c_uint32(), ctypes.c_uint64()
        self._call(native.call_way_last_write, encode("cannot follow the wave", what), lane, ctypes.byref(answer), ctypes.byref(position))
        if answer.value not in (native.WAY_FOUND, native.WAY_MAY_BE):
            return None
        return LastWrite(position.value, answer.value == native.WAY_FOUND)
