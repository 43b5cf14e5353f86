# SPDX-License-Identifier: MIT
"""Handles of the library, and its errors as exceptions."""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

from wavetape import _native as native

S = TypeVar("S", bound=ctypes.Structure)
H = TypeVar("H", bound="Handle")


class Error(Exception):
    """What could not be done, where, and why; str() has all three as the command prints them."""

    def __init__(self, what: str, where: str, why: str) -> None:
        super().__init__(f"{what}: {where}: {why}" if where else f"{what}: {why}")
        self.what, self.where, self.why = what, where, why


class UsageError(Error, ValueError):
    """An argument is wrong."""


class ClosedError(UsageError):
    """What was asked is closed."""


class InputError(Error):
    """A file is no trace, what of it is needed is damaged, or an expression is none."""


class LimitError(Error):
    """It would take more than the memory limit."""


class FileError(Error, OSError):
    """The system said no: there is no such file."""


class NotFoundError(Error, LookupError):
    """There is no such thing, or it was not recorded."""


class UnsupportedError(Error):
    """A trace of a newer format."""


class OutOfMemoryError(Error, MemoryError):
    """Out of memory."""


class InternalError(Error):
    """A bug in wavetape."""


ERRORS: dict[int, type[Error]] = {
    native.ERROR_USAGE: UsageError,
    native.ERROR_INPUT: InputError,
    native.ERROR_LIMIT: LimitError,
    native.ERROR_IO: FileError,
    native.ERROR_NOT_FOUND: NotFoundError,
    native.ERROR_UNSUPPORTED: UnsupportedError,
    native.ERROR_MEMORY: OutOfMemoryError,
    native.ERROR_INTERNAL: InternalError,
}


def text(data: bytes | None) -> str | None:
    """Text of a trace may be any bytes: what is not UTF-8 becomes U+FFFD."""
    return None if data is None else data.decode("utf-8", "replace")


def must_text(data: bytes | None) -> str:
    return text(data) or ""


def texts(array: Any) -> tuple[str, ...]:
    """Texts, of which NULL is behind the last."""
    return tuple(must_text(one) for one in itertools.takewhile(lambda one: one is not None, array))


def error_of(pointer: int) -> Error:
    """An error of the library, which still owns it."""
    parts = [must_text(part(pointer)) for part in (native.call_error_what, native.call_error_where, native.call_error_why)]
    return ERRORS.get(native.call_error_code(pointer), InternalError)(*parts)


def check(pointer: int | None) -> None:
    """Raise what a function of the library returned, if it is an error."""
    if not pointer:
        return
    error = error_of(pointer)
    native.call_error_destroy(pointer)
    raise error


def encode(what: str, string: str) -> bytes:
    """For the library, whose texts end with a NUL."""
    data = string.encode("utf-8", "surrogateescape")
    if b"\0" in data:
        raise UsageError(what, "", "a text has a NUL in it")
    return data


class Handle:
    """Something that the library opened. It is closed with close(), at the end of a `with`, or when nothing refers to it."""

    _close_function: Callable[[int], None]

    def __init__(self, pointer: int, lock: threading.RLock | None = None) -> None:
        self._pointer: int | None = pointer
        self._lock = lock or threading.RLock()

    @property
    def closed(self) -> bool:
        return self._pointer is None

    def _use(self) -> int:
        if self._pointer is None:
            raise ClosedError(f"cannot use the {type(self).__name__.lower()}", "", "it is closed")
        return self._pointer

    def _call(self, function: Any, *arguments: Any) -> Any:
        """Call a function of the library that takes this handle first and can fail."""
        with self._lock:
            check(function(self._use(), *arguments))

    def _get(self, function: Any, structure: type[S], *arguments: Any) -> S:
        """The same of one that fills a structure."""
        result = structure(size=ctypes.sizeof(structure))
        self._call(function, *arguments, ctypes.byref(result))
        return result

    def _open(self, function: Any, *arguments: Any) -> int:
        """The same of one that opens something."""
        result = ctypes.c_void_p()
        self._call(function, *arguments, ctypes.byref(result))
        assert result.value is not None
        return result.value

    def close(self) -> None:
        with self._lock:
            pointer, self._pointer = self._pointer, None
            if pointer is not None:
                type(self)._close_function(pointer)

    def __enter__(self: H) -> H:
        self._use()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_pointer", None) is not None:
            self.close()


def reasons_text(reasons: int) -> str:
    """The names of stop reasons: "MEMORY_VIOLATION|SINGLE_STEP"."""
    buffer = ctypes.create_string_buffer(1024)
    native.call_reasons_text(reasons, buffer, len(buffer))
    return must_text(buffer.value)


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set: lanes."""
    return [lane for lane in range(64) if mask >> lane & 1]
