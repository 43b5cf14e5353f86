# SPDX-License-Identifier: MIT
"""The library that GDB has loaded, asked for what GDB does not ask it.

Its functions are called where a command is carried out, as GDB itself calls them. Nothing here lets a wave go.
"""

import collections
import os
import re

import gdb

from wavetape_gdb import api

try:
    import ctypes
except ImportError:  # a Python without it
    ctypes = None

SUCCESS = 0
REASONS = "amd_dbgapi_wave_stop_reasons_t"
REASON = "AMD_DBGAPI_WAVE_STOP_REASON_"
WORDS = {"uint16_t": 2, "uint32_t": 4}  # bytes; all else is 8


Question = collections.namedtuple("Question", "function number value size is_text is_list")


class Library:
    def __init__(self):
        if ctypes is None:
            raise gdb.GdbError("This GDB's Python has no ctypes, by which the library is asked.")
        self.library = ctypes.CDLL(api.SONAME, mode=os.RTLD_NOW | os.RTLD_NOLOAD)
        process = ctypes.CDLL(None)
        self.look_up = process.dlvsym
        self.look_up.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
        self.look_up.restype = ctypes.c_void_p
        self.free = process.free
        self.free.argtypes = (ctypes.c_void_p,)
        self.functions, self.questions = {}, {}

    def function(self, name, *types):
        """A function of the API, in the form that our numbers are of."""
        name = f"amd_dbgapi_{name}"
        if name not in self.functions:
            address = self.look_up(self.library._handle, name.encode(), api.VERSIONS[name].encode())
            if not address:
                raise gdb.GdbError(f"The library has no {name} of version {api.VERSIONS[name]}.")
            self.functions[name] = ctypes.CFUNCTYPE(ctypes.c_int, *types)(address)
        return self.functions[name]

    def list(self, kind):
        """Handles of all objects of a kind, in order."""
        count = ctypes.c_size_t()
        handles = ctypes.POINTER(ctypes.c_uint64)()
        function = self.function(f"process_{kind}_list", ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p,
                                 ctypes.c_void_p)
        if function(0, ctypes.byref(count), ctypes.byref(handles), None) != SUCCESS:
            return []
        found = sorted(handles[i] for i in range(count.value))
        self.free(handles)
        return found

    def get(self, kind, handle, query):
        """A number, a list of numbers or a text; None where the library does not say."""
        question = self.questions.get((kind, query)) or self.question(kind, query)
        value = question.value
        if question.function(handle, question.number, len(value), value) != SUCCESS:
            return None
        numbers = [int.from_bytes(value.raw[i:i + question.size], "little")
                   for i in range(0, len(value), question.size)]
        if question.is_text:
            return self.take_text(numbers[0])
        return numbers if question.is_list else numbers[0]

    def question(self, kind, query):
        """What is the same each time: some are put for thousands of waves."""
        number, name = api.QUERIES[kind][query]
        base, count = re.fullmatch(r"([\w *]+?)(?:\[(\d+)\])?", name).groups()
        size = 4 if base in api.ENUMERATIONS else WORDS.get(base, 8)
        function = self.function(f"{kind}_get_info", ctypes.c_uint64, ctypes.c_int, ctypes.c_size_t,
                                 ctypes.c_void_p)
        question = Question(function, number, ctypes.create_string_buffer(size * int(count or 1)), size,
                            "*" in base, bool(count))
        self.questions[kind, query] = question
        return question

    def take_text(self, address):
        text = ctypes.string_at(address).decode("utf-8", "replace")
        self.free(address)
        return text

    def packets(self, queue):
        """The numbers of the first packet that was not read, and of the first that was not written; None if there are none."""
        read, written, size = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_size_t()
        function = self.function("queue_packet_list", ctypes.c_uint64, *[ctypes.c_void_p] * 4)
        if function(queue, ctypes.byref(read), ctypes.byref(written), ctypes.byref(size), None) != SUCCESS:
            return None
        return read.value, written.value


_library = None


def library():
    global _library
    if _library is None:
        _library = Library()
    return _library


def get(kind, handle, query):
    return library().get(kind, handle, query)


def name_of(enumeration, prefix, number):
    """The words of an enumerator: what stands behind a prefix, in small letters."""
    for name, value in api.ENUMERATIONS[enumeration].items():
        if value == number and name.startswith(prefix):
            return name[len(prefix):].lower().replace("_", " ")
    return str(number)


def reason_words(reasons):
    """Why a wave stopped; "" if it was asked to."""
    return ", ".join(name_of(REASONS, REASON, 1 << bit) for bit in range(32) if reasons >> bit & 1)


def stop_reasons(wave):
    """Bits; None if the wave is not stopped."""
    return get("wave", wave, "STOP_REASON")
