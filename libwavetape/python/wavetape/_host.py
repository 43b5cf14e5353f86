# SPDX-License-Identifier: MIT
"""The machine and the recorded program."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from wavetape import _native as native
from wavetape._facts import (HostFacts, HostFrame, KernelLine, Map, ThreadFacts, host_frame_values, host_info_values, kernel_line_values,
                             map_values, thread_values)
from wavetape._handle import Handle, must_text, text


@dataclass(frozen=True)
class Thread(ThreadFacts):
    """A thread of the recorded program."""

    frames: list[HostFrame]


@dataclass(frozen=True)
class Host(HostFacts):
    """The machine and the recorded program, as the recorder found them."""

    command_line: list[str]
    versions: dict[str, str | None]
    environment: dict[str, str | None]
    maps: list[Map]
    threads: list[Thread]
    not_known: list[str]
    kernel_log: list[KernelLine]
    device_dumps: list[str]


class HostHandle(Handle):
    _close_function = native.call_host_close

    def map(self, index: int) -> Map:
        return Map(**map_values(self._get(native.call_host_map, native.map, index)))

    def thread(self, index: int) -> Thread:
        found = self._get(native.call_host_thread, native.thread, index)
        frames = [self._get(native.call_host_frame, native.host_frame, index, number) for number in range(found.frames)]
        return Thread(**thread_values(found), frames=[HostFrame(**host_frame_values(frame)) for frame in frames])

    def result(self) -> Host:
        info = self._get(native.call_host_info, native.host_info)
        versions = [self._get(native.call_host_version, native.pair, index) for index in range(info.versions)]
        variables = [self._get(native.call_host_variable, native.pair, index) for index in range(info.variables)]
        return Host(
            **host_info_values(info),
            command_line=[must_text(native.call_host_word(self._use(), index)) for index in range(info.words)],
            versions={must_text(pair.name): text(pair.value) for pair in versions},
            environment={must_text(pair.name): text(pair.value) for pair in variables},
            maps=[self.map(index) for index in range(info.maps)], threads=[self.thread(index) for index in range(info.threads)],
            not_known=[must_text(native.call_host_missing(self._use(), index)) for index in range(info.missing)],
            kernel_log=[KernelLine(**kernel_line_values(self._get(native.call_host_kernel_line, native.kernel_line, index)))
                        for index in range(info.kernel_lines)],
            device_dumps=[must_text(native.call_host_device_dump(self._use(), index)) for index in range(info.device_dumps)])


def host_of(pointer: int, lock: threading.RLock) -> Host:
    with HostHandle(pointer, lock) as found:
        return found.result()
