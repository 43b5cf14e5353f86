# SPDX-License-Identifier: MIT
"""Why a wave crashed."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from wavetape import _native as native
from wavetape._facts import Argument, CauseFacts, StepFacts, argument_values, cause_info_values, step_values
from wavetape._handle import Handle, bits
from wavetape._place import Place, place_of


@dataclass(frozen=True)
class Step(StepFacts):
    """An instruction in the past of an address. `values` are by lane; of a scalar register, lane 0 stands for the wave."""

    place: Place
    values: dict[int, int]


@dataclass(frozen=True)
class Cause(CauseFacts):
    """Where the address came from that a wave accessed, and the cause in a sentence where that is certain."""

    argument: Argument | None  # that the address was made from
    arguments: list[Argument]
    steps: list[Step]


class CauseHandle(Handle):
    _close_function = native.call_cause_close

    def argument(self, index: int) -> Argument:
        return Argument(**argument_values(self._get(native.call_cause_argument, native.argument, index)))

    def step(self, index: int) -> Step:
        found = self._get(native.call_cause_step, native.step, index)
        place = place_of(self._get(native.call_cause_place, native.place, index))
        return Step(**step_values(found), place=place, values={lane: found.values[lane] for lane in bits(found.known_lanes)})

    def result(self) -> Cause:
        info = self._get(native.call_cause_info, native.cause_info)
        arguments = [self.argument(index) for index in range(info.arguments)]
        return Cause(
            **cause_info_values(info), argument=arguments[info.argument] if info.has_argument else None, arguments=arguments,
            steps=[self.step(index) for index in range(info.steps)])


def cause_of(pointer: int, lock: threading.RLock) -> Cause:
    with CauseHandle(pointer, lock) as found:
        return found.result()
