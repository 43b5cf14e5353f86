# SPDX-License-Identifier: MIT
"""What the recorded client called."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from wavetape import _native as native
from wavetape._handle import Handle, must_text, text


@dataclass(frozen=True)
class Callback:
    """A call of the library into its client."""

    name: str
    result: int


@dataclass
class Call:
    """A call of the debugger API. Arguments and outputs are texts by name; None for a pointer that was NULL."""

    number: int
    function: str
    thread: int
    start_ns: int
    inputs: dict[str, str | None]
    callbacks: list[Callback] = field(default_factory=list)
    returned: bool = False  # else what follows is not known
    status: str | None = None
    outputs: dict[str, str | None] = field(default_factory=dict)
    duration_ns: int | None = None


@dataclass(frozen=True)
class Answer:
    """The answer of a call that other calls have followed before, or that is itself lost."""

    number: int
    status: str | None


@dataclass(frozen=True)
class Notice:
    """A remark of the recorder."""

    text: str


class Journal(Handle):
    _close_function = native.call_journal_close

    def _values(self, count: int, skip_absent: bool) -> dict[str, str | None]:
        result = {}
        for index in range(count):
            found = self._get(native.call_journal_value, native.argument_text, index)
            if found.text is not None or not skip_absent:
                result[text(found.name) or ("result" if skip_absent else str(index))] = text(found.text)
        return result

    def _finish(self, call: Call, entry: native.entry) -> None:
        call.returned, call.status, call.duration_ns = True, text(entry.status), entry.time_ns
        call.outputs = self._values(entry.values, True)

    def __iter__(self) -> Iterator[Call | Answer | Notice]:
        """A call comes when its answer was read, or the next call begins; remarks between them come after it."""
        waiting: list[Call | Answer | Notice] = []
        while True:
            with self._lock:
                entry = self._get(native.call_journal_next, native.entry)
                call = waiting[0] if waiting and isinstance(waiting[0], Call) else None
                ready: list[Call | Answer | Notice] = []
                if entry.kind == native.ENTRY_CALL:
                    ready, waiting = waiting, [Call(entry.call, must_text(entry.name), entry.thread, entry.time_ns,
                                                    self._values(entry.values, False))]
                elif entry.kind == native.ENTRY_RETURN and call and call.number == entry.call:
                    self._finish(call, entry)
                    ready, waiting = waiting, []
                elif entry.kind == native.ENTRY_RETURN:
                    waiting.append(Answer(entry.call, text(entry.status)))
                elif entry.kind == native.ENTRY_CALLBACK and call and call.number == entry.call:
                    call.callbacks.append(Callback(must_text(entry.name), entry.result))
                elif entry.kind == native.ENTRY_NOTICE:
                    waiting.append(Notice(must_text(entry.name)))
                elif entry.kind == native.ENTRY_END:
                    ready, waiting = waiting, []
                if not call and entry.kind != native.ENTRY_CALL:
                    ready, waiting = ready + waiting, []
                end = entry.kind == native.ENTRY_END
            yield from ready
            if end:
                self.close()
                return
