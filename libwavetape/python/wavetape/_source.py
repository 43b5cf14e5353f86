# SPDX-License-Identifier: MIT
"""The text of source files."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

from wavetape import _native as native
from wavetape._facts import SourceFacts, source_values
from wavetape._handle import Handle, NotFoundError, check, encode, must_text
from wavetape._place import Place


@dataclass(frozen=True)
class Source(SourceFacts):
    """A source file. Of `lines`, the first has the index 0."""

    @property
    def lines(self) -> list[str]:
        lines = must_text(self.text).split("\n")
        return [line.removesuffix("\r") for line in (lines if lines[-1] else lines[:-1])]


def source_of(found: native.source) -> Source:
    return Source(**source_values(found))


class Sources(Handle):
    """Source files by their names, as `Place.file` has them: sources["src/kernel.hip"]. Iterating gives those kept with the trace."""

    _close_function = native.call_sources_close

    def __len__(self) -> int:
        return int(native.call_sources_count(self._use()))

    def __iter__(self) -> Iterator[Source]:
        return (source_of(self._get(native.call_sources_get, native.source, index)) for index in range(len(self)))

    def __getitem__(self, name: str) -> Source:
        with self._lock:
            try:
                return source_of(self._get(native.call_sources_find, native.source, encode("cannot show the source", name)))
            except NotFoundError as error:
                raise KeyError(name) from error

    def differs(self, place: Place) -> bool | None:
        """Does the file of a place differ from the one that was compiled? None where that is not known."""
        md5 = ctypes.create_string_buffer(place.md5, 16) if place.md5 else None
        given = native.place(size=ctypes.sizeof(native.place), file=encode("cannot show the source", place.file) if place.file else None,
                             md5=ctypes.addressof(md5) if md5 else None)
        match = ctypes.c_uint32()
        with self._lock:
            check(native.call_sources_compare(self._use(), ctypes.byref(given), ctypes.byref(match)))
        return None if match.value == native.SOURCE_UNKNOWN else match.value == native.SOURCE_DIFFERS

    def line(self, name: str, number: int) -> str | None:
        """A line of a file, from 1; None if the file is not at hand or has fewer."""
        try:
            lines = self[name].lines
        except KeyError:
            return None
        return lines[number - 1] if 1 <= number <= len(lines) else None
