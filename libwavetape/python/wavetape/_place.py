# SPDX-License-Identifier: MIT
"""Places in code."""

from dataclasses import dataclass

from wavetape import _native as native
from wavetape._facts import PlaceFacts, place_values


@dataclass(frozen=True)
class Place(PlaceFacts):
    """An address in code. What is not known is None."""

    words: tuple[int, ...]  # of the instruction

    def __str__(self) -> str:
        where = f"{self.symbol}+0x{self.symbol_offset:x}" if self.symbol else f"0x{self.address:x}"
        return f"{where} at {self.file}:{self.line}:{self.column}" if self.file else where


def place_of(found: native.place) -> Place:
    return Place(**place_values(found), words=tuple(found.words[:found.instruction_bytes // 4]))
