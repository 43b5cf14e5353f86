# SPDX-License-Identifier: MIT
"""The machine and the recorded program."""

from __future__ import annotations

import ctypes
import threading
from dataclasses import dataclass

from wavetape import _native as native
from wavetape._handle import Handle, must_text, text


@dataclass(frozen=True)
class HostFrame:
    """A call of a thread. What is not known is None."""

    address: int
    symbol: str | None
    symbol_offset: int
    path: str | None


@dataclass(frozen=True)
class Thread:
    id: int
    name: str
    state: str
    waiting: str | None
    frames: list[HostFrame]


@dataclass(frozen=True)
class Map:
    """A mapped part of a file."""

    start: int
    end: int
    offset: int
    access: str
    path: str
    build_id: bytes | None


@dataclass(frozen=True)
class Host:
    """The machine and the recorded program, as the recorder found them."""

    process_id: int
    executable: str | None
    command_line: list[str]
    versions: dict[str, str | None]
    environment: dict[str, str | None]
    maps: list[Map]
    threads: list[Thread]
    not_known: list[str]


class HostHandle(Handle):
    _close_function = native.call_host_close

    def map(self, index: int) -> Map:
        found = self._get(native.call_host_map, native.map, index)
        build = ctypes.string_at(found.build_id, found.build_id_bytes) if found.build_id and found.build_id_bytes else None
        return Map(start=found.start, end=found.end, offset=found.offset, access=must_text(found.access), path=must_text(found.path),
                   build_id=build)

    def thread(self, index: int) -> Thread:
        found = self._get(native.call_host_thread, native.thread, index)
        frames = [self._get(native.call_host_frame, native.host_frame, index, number) for number in range(found.frames)]
        return Thread(id=found.id, name=must_text(found.name), state=must_text(found.state), waiting=text(found.waiting) or None,
                      frames=[HostFrame(frame.address, text(frame.symbol) or None, frame.symbol_offset, text(frame.path) or None)
                              for frame in frames])

    def result(self) -> Host:
        info = self._get(native.call_host_info, native.host_info)
        versions = [self._get(native.call_host_version, native.pair, index) for index in range(info.versions)]
        variables = [self._get(native.call_host_variable, native.pair, index) for index in range(info.variables)]
        return Host(
            process_id=info.process_id, executable=text(info.executable),
            command_line=[must_text(native.call_host_word(self._use(), index)) for index in range(info.words)],
            versions={must_text(pair.name): text(pair.value) for pair in versions},
            environment={must_text(pair.name): text(pair.value) for pair in variables},
            maps=[self.map(index) for index in range(info.maps)], threads=[self.thread(index) for index in range(info.threads)],
            not_known=[must_text(native.call_host_missing(self._use(), index)) for index in range(info.missing)])


def host_of(pointer: int, lock: threading.RLock) -> Host:
    with HostHandle(pointer, lock) as found:
        return found.result()
