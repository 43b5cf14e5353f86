# SPDX-License-Identifier: MIT
"""Places in code."""

import ctypes
from dataclasses import dataclass

from wavetape import _native as native
from wavetape._handle import text


@dataclass(frozen=True)
class Place:
    """An address in code. What is not known is None."""

    address: int
    code_object: int | None
    elf_address: int
    symbol: str | None
    symbol_offset: int
    function: str | None
    file: str | None
    line: int
    column: int
    instruction: str | None
    words: tuple[int, ...]
    not_decoded: str | None
    decoded_as: str | None
    call_file: str | None  # where the outermost inlined function is called
    call_line: int
    md5: bytes | None  # of the file when it was compiled

    def __str__(self) -> str:
        where = f"{self.symbol}+0x{self.symbol_offset:x}" if self.symbol else f"0x{self.address:x}"
        return f"{where} at {self.file}:{self.line}:{self.column}" if self.file else where


def place_of(found: native.place) -> Place:
    return Place(
        address=found.address, code_object=found.code_object or None, elf_address=found.elf_address, symbol=text(found.symbol),
        symbol_offset=found.symbol_offset, function=text(found.function), file=text(found.file), line=found.line,
        column=found.column, instruction=text(found.instruction), words=tuple(found.words[:found.instruction_bytes // 4]),
        not_decoded=text(found.not_decoded), decoded_as=text(found.decoded_as), call_file=text(found.call_file),
        call_line=found.call_line, md5=ctypes.string_at(found.md5, 16) if found.md5 else None)
