# SPDX-License-Identifier: MIT
"""Traces, and lists of their stops."""

import ctypes
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wavetape import _native as native
from wavetape._facts import Damage, StopSummaryFacts, TraceInfo, damage_values, stop_summary_values, trace_info_values
from wavetape._handle import Error, Handle, NotFoundError, UsageError, check, encode, error_of, must_text
from wavetape._host import Host, host_of
from wavetape._journal import Answer, Call, Journal, Notice
from wavetape._place import Place, place_of
from wavetape._source import Sources
from wavetape._stop import Stop


def version() -> str:
    """The version of the library."""
    return must_text(native.call_version())


@dataclass(frozen=True)
class StopSummary(StopSummaryFacts):
    """What a list shows of a stop."""

    events: tuple[tuple[int, str], ...]
    place: Place | None


class StopList(Handle):
    _close_function = native.call_stops_close

    def summary(self, index: int) -> StopSummary:
        found = self._get(native.call_stops_get, native.stop_summary, index)
        runs = [self._get(native.call_stops_events, native.events, index, run) for run in range(found.event_runs)]
        place = place_of(self._get(native.call_stops_place, native.place, index)) if found.has_place else None
        return StopSummary(
            **stop_summary_values(found), place=place,
            events=tuple((run.first + i, must_text(run.kind)) for run in runs for i in range(run.count)))

    def summaries(self) -> list[StopSummary]:
        result = [self.summary(index) for index in range(native.call_stops_count(self._use()))]
        failure = native.call_stops_failure(self._use())
        if failure:
            raise error_of(failure)
        return result


class Stops:
    """The stops of a trace, by the numbers that the command prints: from 1; -1 is the last one."""

    def __init__(self, trace: "Trace") -> None:
        self._trace = trace

    def __len__(self) -> int:
        count = ctypes.c_uint32()
        self._trace._call(native.call_trace_stop_count, ctypes.byref(count))
        return count.value

    def __getitem__(self, number: int) -> Stop:
        count = len(self)
        wanted = number + count + 1 if number < 0 else number
        if not 1 <= wanted <= count:
            raise IndexError(f"there is no stop {number}: the trace has {count}, counted from 1")
        return self._trace.stop(wanted)

    def __iter__(self) -> Iterator[Stop]:
        return (self._trace.stop(number) for number in range(1, len(self) + 1))

    def summaries(self) -> list[StopSummary]:
        """All stops as `wavetape stops` lists them, without opening each."""
        with StopList(self._trace._open(native.call_stops_open), self._trace._lock) as found:
            return found.summaries()

    def columns(self) -> dict[str, list[Any]]:
        """The same as columns: for pandas.DataFrame()."""
        rows = self.summaries()
        names = ("number", "process", "call", "time_ns", "waves", "stopped", "reasons", "kernel", "state_lost")
        result: dict[str, list[Any]] = {name: [getattr(row, name) for row in rows] for name in names}
        result["file"] = [row.place.file if row.place else None for row in rows]
        result["line"] = [row.place.line if row.place and row.place.file else None for row in rows]
        return result


class Trace(Handle):
    """An open trace."""

    _close_function = native.call_trace_close

    @property
    def info(self) -> TraceInfo:
        with self._lock:
            return TraceInfo(**trace_info_values(self._get(native.call_trace_info, native.trace_info)))

    @property
    def missing(self) -> list[str]:
        """Why there may have been more than the trace has; empty for a whole trace. All of it is read for this."""
        count = ctypes.c_size_t()
        with self._lock:
            self._call(native.call_trace_missing_count, ctypes.byref(count))
            return [must_text(native.call_trace_missing(self._use(), index)) for index in range(count.value)]

    @property
    def damage(self) -> list[Damage]:
        """The damage that was found so far."""
        with self._lock:
            count = native.call_trace_damage_count(self._use())
            return [Damage(**damage_values(self._get(native.call_trace_damage, native.damage, index))) for index in range(count)]

    @property
    def stops(self) -> Stops:
        self._use()
        return Stops(self)

    def stop(self, number: int | None = None) -> Stop:
        """A stop by its number; without one, the last one with a fault, else the last one."""
        if number is not None and not 1 <= number < 2**32:
            raise UsageError("cannot open the stop", "", f"stops are counted from 1: there is no stop {number}")
        return Stop(self._open(native.call_stop_open, number or 0), self._lock)

    def journal(self) -> Iterator[Call | Answer | Notice]:
        """What the recorded client called, in order, with the recorder's remarks."""
        return iter(Journal(self._open(native.call_journal_open), self._lock))

    def sources(self, *maps: str) -> Sources:
        """
        Source files: those that were kept with the trace, and those that maps lead to.

        maps: "FROM=TO": a file whose name begins with FROM is looked for below TO. Without any, no file is opened.
        """
        words = [encode("cannot map source files", word) for word in maps]
        array = (ctypes.c_char_p * (len(words) + 1))(*words, None)
        return Sources(self._open(native.call_sources_open, array), self._lock)

    @property
    def host(self) -> Host | None:
        """The machine and the recorded program; None if the trace has nothing of it."""
        try:
            pointer = self._open(native.call_host_open)
        except NotFoundError:
            return None
        return host_of(pointer, self._lock)


def open(path: str | os.PathLike[str], memory_limit: int = 0) -> Trace:
    """
    Open a trace. One that was cut off or is damaged opens with what of it is whole: see Trace.missing.

    memory_limit: bytes that may be kept decoded, and that one question may decode; 0 for 192 MiB and 8 GiB.
    """
    options = native.options(size=ctypes.sizeof(native.options), memory_limit=memory_limit)
    result = ctypes.c_void_p()
    name = os.fspath(path)
    check(native.call_trace_open(encode("cannot open the trace", name), ctypes.byref(options), ctypes.byref(result)))
    assert result.value is not None
    return Trace(result.value)
