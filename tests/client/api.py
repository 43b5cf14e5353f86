# SPDX-License-Identifier: MIT
"""An implementation of the debugger API, of any level, by ctypes. All that is known of the API is generated from dbgapi/table/api.toml.

`Api` has every function of its level under its short name, and every enumerator without the prefix of all: `api.wave_stop(wave)`
gives a status, and `api.WAVE_INFO_PC` is a number. Handles are numbers. A pointer is None for NULL, or an object that
`number()` or `buffer()` made. `Callbacks` is the client's side: a class to derive from.
"""

import ctypes
import json
import pathlib

import wavetape_build

from . import sanitizer

LEVELS = {int(level): data for level, data in
          json.loads(pathlib.Path(wavetape_build.__file__).with_name("levels.json").read_text("utf-8")).items()}
SUCCESS = 0
WORDS = {
    "": None, "u8": ctypes.c_uint8, "u16": ctypes.c_uint16, "u32": ctypes.c_uint32, "u64": ctypes.c_uint64, "i32": ctypes.c_int32,
    "i64": ctypes.c_int64, "pointer": ctypes.c_void_p, "text": ctypes.c_char_p,
}

libc = ctypes.CDLL(None, use_errno=True)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = [ctypes.c_size_t]
# The library may lose what it was given.
malloc = sanitizer.watched(libc.malloc)
libc.free.restype = None
libc.free.argtypes = [ctypes.c_void_p]
libc.dlvsym.restype = ctypes.c_void_p
libc.dlvsym.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]


class Lacking(Exception):
    """The library has no such function at this level."""


class Anything(ctypes.c_void_p):
    """A void pointer as an argument: an address, or what is in memory."""

    @classmethod
    def from_param(cls, thing):
        if isinstance(thing, ctypes._SimpleCData) and not isinstance(thing, ctypes.c_void_p):
            return ctypes.byref(thing)
        return ctypes.c_void_p.from_param(thing)


def number(value=0, word="u64"):
    """An integer in memory, for a pointer; its `value` is what was written there."""
    return WORDS[word](value)


def buffer(content):
    """Bytes in memory; `bytes()` of it is what was written there. An integer: so many, all 0."""
    return (ctypes.c_uint8 * content)() if isinstance(content, int) else (ctypes.c_uint8 * len(content)).from_buffer_copy(content)


class Level:
    """What the API is at a level."""

    def __init__(self, level):
        data = LEVELS[level]
        self.level, self.version = level, data["version"]
        self.functions, self.objects, self.enumerations = data["functions"], data["objects"], data["enumerations"]
        self.constants = {name: value for values in self.enumerations.values() for name, value in values.items()}
        self.status_names = {value: name.removeprefix("STATUS_") for name, value in self.enumerations["amd_dbgapi_status_t"].items()}
        self.structures = {}
        for name, members in data["structures"].items():
            self.structures[name] = type(name, (ctypes.Structure,), {"_fields_": [(member, self.type(word)) for member, word in members]})
        self.callbacks = [(name, ctypes.CFUNCTYPE(self.type(returns), *map(self.type, parameters)))
                          for name, returns, parameters in data["callbacks"]]
        self.callbacks_type = type("callbacks", (ctypes.Structure,), {"_fields_": self.callbacks})

    def type(self, word):
        """The ctypes of a word of the table."""
        base, star, count = word.partition("*")
        found = WORDS[base] if base in WORDS else self.structures[base]
        if not star:
            return found
        return found * int(count) if count else ctypes.POINTER(found)


class Api:
    """A library, called as a client of a level calls it. Without a level: that of which it has most functions, the newest of these."""

    def __init__(self, path, level=None):
        self.path, self.raised = str(path), []
        self.library = ctypes.CDLL(self.path)
        at = level or max(LEVELS, key=lambda number: (len(self._symbols(number)), number))
        self.at = Level(at)
        self.has = self._symbols(at)
        if not self.has:
            raise OSError(f"{path}: it has no function of the debugger API")
        for name, (_, returns, parameters) in self.at.functions.items():
            setattr(self, name, self._function(name, returns, parameters))
        for name, value in self.at.constants.items():
            setattr(self, name, value)

    def _symbols(self, level):
        """The addresses of the functions that the library has of a level, by their names."""
        found = {name: libc.dlvsym(self.library._handle, b"amd_dbgapi_" + name.encode(), version.encode())
                 for name, (version, _, _) in LEVELS[level]["functions"].items()}
        return {name: address for name, address in found.items() if address}

    def _function(self, name, returns, parameters):
        def lacking(*_):
            raise Lacking(name)

        if name not in self.has:
            return lacking
        prototype = ctypes.CFUNCTYPE(self.at.type(returns), *(Anything if word == "pointer" else self.at.type(word) for _, word, *_ in parameters))
        foreign = sanitizer.watched(prototype(self.has[name]))

        def call(*arguments):
            result = foreign(*arguments)
            if self.raised:
                raise self.raised.pop()
            return result

        return call

    def status_name(self, status):
        """A status without the prefix of all: "SUCCESS", "ERROR_INVALID_WAVE_ID"."""
        return self.at.status_names.get(status, f"status {status}")

    def callback(self, prototype, function):
        """A function that the library calls. What it raises is raised by the call that made it be called."""
        def called(*arguments):
            try:
                return function(*arguments)
            except BaseException as error:
                self.raised.append(error)
                return 0

        return prototype(sanitizer.unwatched(called))

    def callbacks(self, side, without=()):
        """The client's callbacks, of an object that has a method for each; NULL for those in `without`."""
        made = {name: self.callback(prototype, getattr(side, name)) for name, prototype in self.at.callbacks if name not in without}
        return self.at.callbacks_type(**made)


class Callbacks:
    """The client's side of a library, and what is seen there. Tests make it fail by its members."""

    def __init__(self):
        self.out_of_memory = self.no_breakpoint = False
        self.allocations = self.deallocations = self.insertions = self.removals = 0
        self.breakpoint = 0  # the last that was inserted
        self.process_id = 4242
        self.core = None  # what core.py reads, in place of a process
        self.log = []

    def allocate_memory(self, size):
        self.allocations += 1
        return None if self.out_of_memory else malloc(size)

    def deallocate_memory(self, data):
        self.deallocations += data is not None
        libc.free(data)

    def os_pid(self, _process):
        """The process of the system that is debugged; None if there is none."""
        return None if self.core else self.process_id

    def get_os_pid(self, process, pid_ret):
        pid = self.os_pid(process)
        if pid is None:
            return self.api.STATUS_ERROR_NOT_AVAILABLE
        pid_ret[0] = pid
        return SUCCESS

    def client_process_get_info(self, process, query, size, value):
        if self.core and query == self.api.CLIENT_PROCESS_INFO_CORE_STATE:
            state = self.core.state(self.api.at)
            if size != ctypes.sizeof(state):
                return self.api.STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY
            ctypes.memmove(value, ctypes.byref(state), size)
            return SUCCESS
        pid = self.os_pid(process)
        if pid is None or query != self.api.CLIENT_PROCESS_INFO_OS_PID:
            return self.api.STATUS_ERROR_NOT_AVAILABLE
        if size != 4:
            return self.api.STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY
        ctypes.c_int32.from_address(value).value = pid
        return SUCCESS

    def insert_breakpoint(self, _process, _address, breakpoint_id):
        self.insertions += 1
        self.breakpoint = breakpoint_id
        return self.api.STATUS_ERROR if self.no_breakpoint else SUCCESS

    def remove_breakpoint(self, _process, breakpoint_id):
        self.removals += breakpoint_id == self.breakpoint
        return SUCCESS

    def xfer_global_memory(self, _process, address, size, read_buffer, write_buffer):
        found = self.core.read(address, size[0]) if self.core and read_buffer and not write_buffer else b""
        size[0] = len(found)
        if not found:
            return self.api.STATUS_ERROR_MEMORY_ACCESS
        ctypes.memmove(read_buffer, bytes(found), len(found))
        return SUCCESS

    def log_message(self, level, message):
        self.log.append((level, message.decode(errors="replace")))
