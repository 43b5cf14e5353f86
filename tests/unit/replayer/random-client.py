#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
A client that calls anything in any order, the same for the same seed, and prints what comes of it. Over the simulated GPU, over a
recording library in front of it, and over a replay it must print the same.

Usage: random-client.py SEED CALLS
"""

import ctypes
import pathlib
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

# pylint: disable=wrong-import-position
import client
from client import SUCCESS, number
from client.api import libc, malloc
from client.chance import ALL, Random

PLACE = 1024  # bytes for each pointer
KNOWN = 32
MACHINE, LANE_NONE, GLOBAL_SPACE = 0x4C, 0xFFFFFFFF, 1
BASES = (0x200000000000, 0x200000001800, 0x220000000000, 0x210000000000, 0x230000000000, 0, 0x1000000000000, ALL - 64)
SIZES = (1, 2, 4, 4, 8, 8, 8, 12, 16, 256)
# Functions that move things, more often than chance would have it.
LIKELY = ("process_next_pending_event", "process_next_pending_event", "event_processed", "event_processed", "wave_resume", "wave_stop",
          "process_set_progress", "process_wave_list", "wave_get_info", "wave_get_info", "read_register", "read_memory", "write_register",
          "write_memory")
SYMBOLIZER = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_void_p))
POINTERS = ("out_array", "out_memory", "out_string", "out_static_string", "out_information")


class Side(client.Callbacks):
    """`given_out`: address and size of all that the library has allocated in the call, which is freed after it."""

    def __init__(self):
        super().__init__()
        self.given_out, self.inserted = [], 0

    def allocate_memory(self, size):
        address = malloc(size or 1)
        ctypes.memset(address, 0, size or 1)
        self.given_out.append((address, size))
        return address

    def deallocate_memory(self, data):
        pass

    def client_process_get_info(self, process, query, size, value):
        print(f"  callback {process or 0} {query}")
        if query != self.api.CLIENT_PROCESS_INFO_OS_PID or size != 4:
            return self.api.STATUS_ERROR_NOT_AVAILABLE
        ctypes.c_int32.from_address(value).value = 17
        return SUCCESS

    def insert_breakpoint(self, _process, address, breakpoint_id):
        self.inserted = breakpoint_id
        print(f"  insert {address:x} {breakpoint_id}")
        return SUCCESS

    def remove_breakpoint(self, _process, breakpoint_id):
        print(f"  remove {breakpoint_id}")
        return SUCCESS

    def xfer_global_memory(self, _process, address, _size, _read_buffer, _write_buffer):
        print(f"  transfer {address:x}")
        return self.api.STATUS_ERROR_MEMORY_ACCESS

    def log_message(self, level, message):
        print(f"  log {level} {message.decode()}")

    def symbolize(self, symbolizer, address, text_ret):
        print(f"  symbol {symbolizer or 0} {address:x}")
        if address % 8:
            return self.api.STATUS_ERROR_SYMBOL_NOT_FOUND
        text_ret[0] = libc.strdup(b"a_symbol")
        return SUCCESS


class Argument:
    """`number`: a value; `place`: memory that a pointer is of; `given`: what the call is given in place of either."""

    def __init__(self):
        self.number, self.place, self.given = 0, None, None

    def word(self, at=0):
        return int.from_bytes(self.place[8 * at : 8 * at + 8], "little")

    def put(self, at, value):
        self.place[8 * at : 8 * at + 8] = value.to_bytes(8, "little")


class Caller:
    def __init__(self, api, seed):
        self.api, self.random, self.side = api, Random(seed), Side()
        self.side.api = api
        self.functions = {name: parameters for name, (_, _, parameters) in api.at.functions.items()}
        self.callables = {name: getattr(api, name) for name in self.functions}
        self.add_older()
        self.names = list(self.functions)
        # Objects that the client was told of, by the type of their handles.
        self.lists = {listing: self.functions[get_info][0][3] for get_info, listing, *_ in api.at.objects.values() if listing}
        self.queries = {get_info: queries for get_info, _, _, queries in api.at.objects.values()}
        self.handles = {self.functions[get_info][0][3]: [] for get_info in self.queries}
        self.architecture = {}
        self.callbacks = api.callbacks(self.side)
        self.symbolizer = api.callback(SYMBOLIZER, self.side.symbolize)

    def add_older(self):
        """Functions that older levels call with other parameters, by the version of their symbols."""
        def shape(parameters):
            return [(name, shape, c_type) for name, _, shape, c_type in parameters]

        known = {name: [shape(parameters)] for name, parameters in self.functions.items()}
        for level in sorted(client.api.LEVELS):
            older = client.Api(self.api.path, level)
            for name, (version, _, parameters) in older.at.functions.items():
                if shape(parameters) not in known.setdefault(name, []):
                    known[name].append(shape(parameters))
                    key = f"{name}_{version.removeprefix('AMD_DBGAPI_').replace('.', '_')}"
                    self.functions[key], self.callables[key] = parameters, getattr(older, name)

    # ---- What it gives ----

    def pick_known(self, c_type):
        known = self.handles.get(c_type)
        return known[self.random.next() % len(known)] if known and not self.random.one_in(12) else 0

    def pick_address(self):
        random = self.random
        return BASES[random.next() % 8] + random.next() % 512 + (4000 if random.one_in(4) else 0) & ALL

    def pick_handle(self, c_type):
        random = self.random
        # Handles that no one was ever given.
        if random.one_in(24):
            return 0 if random.one_in(2) else 5000 + random.next() % 40
        if c_type == "amd_dbgapi_process_id_t":
            return 0 if random.one_in(12) else 1
        if c_type == "amd_dbgapi_architecture_id_t":
            return self.architecture[c_type][0]
        if c_type in self.architecture:
            return self.architecture[c_type][random.next() % len(self.architecture[c_type])]
        if c_type == "amd_dbgapi_event_id_t":
            return 1 + random.next() % 12
        if c_type == "amd_dbgapi_breakpoint_id_t":
            return self.side.inserted
        return self.pick_known(c_type)

    def pick_number(self, name, shape, c_type):
        random, pointed = self.random, c_type.rstrip(" *")
        values = list(self.api.at.enumerations.get(pointed, {}).values()) if shape in ("value", "out", "inout") else []
        if pointed in self.handles and shape in ("value", "out", "inout", "out_array"):
            return self.pick_handle(c_type)
        if values and not random.one_in(16):
            return values[random.next() % len(values)]
        if "address" in name:
            return self.pick_address()
        if name == "lane_id":
            return LANE_NONE if random.one_in(2) else random.next() % 66
        if name == "offset":
            return random.next() % 300 if random.one_in(4) else 0
        if name == "value_size":
            return SIZES[random.next() % 10]
        if name == "elf_amdgpu_machine":
            return MACHINE + random.next() % 2
        if name.startswith("dwarf"):
            return random.next() % 64
        return random.next() % (2 if name == "resume_mode" else 4)

    def fill(self, function):
        random, arguments = self.random, []
        for name, _, shape, c_type in self.functions[function]:
            argument, place = Argument(), client.buffer(PLACE)
            arguments.append(argument)
            argument.number = self.pick_number(name, shape, c_type)
            argument.place = place
            if shape == "inout":
                argument.put(0, random.next() % 512)
            if shape == "in_bytes":
                for at in range(4):
                    argument.put(at, 0xBF800000BF810000 if random.one_in(2) else random.next())
            if shape == "symbolizer" and random.one_in(2):
                argument.given = self.symbolizer
            if shape == "opaque":
                argument.place, argument.given = None, random.next() % 3
            elif shape == "value" or random.one_in(32):
                argument.place = None
        return arguments

    # ---- Calls ----

    def is_stopped(self, wave):
        """Debuggers touch what is in a wave once they were told that it is stopped."""
        state = number(0, "u32")
        status = self.api.wave_get_info(wave, self.api.WAVE_INFO_STATE, 4, state)
        return status == SUCCESS and state.value == self.api.WAVE_STATE_STOP

    def settle_wave(self, function, arguments):
        """Inside of waves, and memory through them, only of those that are stopped."""
        for i, (_, _, _, c_type) in enumerate(self.functions[function]):
            if c_type != "amd_dbgapi_wave_id_t" or function in ("wave_get_info", "wave_stop", "wave_resume"):
                continue
            if not self.is_stopped(arguments[i].number):
                arguments[i].number = 0
            # Without a wave there is global memory only.
            if not arguments[i].number and function in ("read_memory", "write_memory"):
                arguments[i + 2].number = GLOBAL_SPACE

    def given(self, parameter, argument):
        """What ctypes takes for an argument."""
        _, word, shape, _ = parameter
        if argument.given is not None or shape == "symbolizer":
            return argument.given or None
        if shape == "value":
            return argument.number
        if argument.place is None:
            return None
        if shape == "callbacks":
            return ctypes.byref(self.callbacks)
        return ctypes.byref(argument.place) if word == "pointer" else ctypes.cast(argument.place, self.api.at.type(word))

    def call(self, function, arguments):
        parameters, given_out = self.functions[function], self.side.given_out
        given_out.clear()
        print(function, *(f"{argument.number & ALL:x}" for (_, _, shape, _), argument in zip(parameters, arguments) if shape == "value"))
        result = self.callables[function](*map(self.given, parameters, arguments))
        if function in self.lists:
            self.learn(self.handles[self.lists[function]])
        text = result.decode() if isinstance(result, bytes) else ""
        print(f"  {result if isinstance(result, int) else 0} {text}", end="")
        self.print_outputs(function, arguments)
        print()
        for address, _ in given_out:
            libc.free(address)

    def learn(self, known):
        """What the library gave out for a list."""
        for address, size in self.side.given_out:
            for handle in (ctypes.c_uint64 * (size // 8)).from_address(address):
                if handle not in known and len(known) < KNOWN:
                    known.append(handle)

    def is_identity(self, function, arguments):
        queries = self.queries.get(function, {}).values()
        return any(query[5] for query in queries if query[0] == arguments[1].number)

    def print_outputs(self, function, arguments):
        """Outputs as they are; of pointers, what was allocated for them."""
        for (name, _, shape, _), argument in zip(self.functions[function], arguments):
            if argument.place is None:
                continue
            if shape in ("out", "inout"):
                print(f" {name}={argument.word():x}", end="")
            elif shape == "out_query" and (self.side.given_out or self.is_identity(function, arguments)):
                print(" set" if argument.word() else " 0", end="")
            elif shape in ("out_bytes", "out_query"):
                print(f" {zlib.crc32(argument.place):08x}", end="")
            elif shape in POINTERS:
                print(" pointer" if argument.word() else " NULL", end="")
        for address, size in self.side.given_out:
            print(f" [{size} {zlib.crc32(ctypes.string_at(address, size)):08x}]", end="")

    # ---- A session ----

    def arguments(self, function, numbers=(), pointers=(), given=()):
        made = [Argument() for _ in self.functions[function]]
        for i, value in numbers:
            made[i].number = value
        for i in pointers:
            made[i].place = client.buffer(PLACE)
        for i, value in given:
            made[i].given = value
        return made

    def pump(self):
        """
        Events until there are none: with normal progress the program goes on between one and the next, and what there was to see
        meanwhile is in no moment.
        """
        while True:
            arguments = self.arguments("process_next_pending_event", [(0, 1)], [1, 2])
            self.call("process_next_pending_event", arguments)
            if not arguments[1].word():
                return

    def begin(self):
        self.call("initialize", self.arguments("initialize", pointers=[0]))
        found = self.arguments("get_architecture", [(0, MACHINE)], [1])
        self.call("get_architecture", found)
        self.call("process_attach", self.arguments("process_attach", pointers=[1], given=[(0, 1)]))
        if not self.architecture:
            self.learn_architecture(found[1].word())

    def learn_architecture(self, architecture):
        self.architecture = {"amd_dbgapi_architecture_id_t": [architecture]}
        for listing in self.lists:
            if self.functions[listing][0][3] == "amd_dbgapi_architecture_id_t":
                count, array = number(), ctypes.c_void_p()
                self.callables[listing](architecture, count, array)
                kind = self.functions[listing][2][3].removesuffix(" **")
                self.architecture[kind] = client.session.take_array(array.value, count.value)

    def pick_function(self):
        random = self.random
        function = LIKELY[random.next() % len(LIKELY)] if random.one_in(2) else self.names[random.next() % len(self.names)]
        # The session goes on for a while.
        if function in ("process_detach", "finalize") and not random.one_in(40):
            return "process_next_pending_event"
        return function

    def run(self, calls):
        self.api.set_log_level(self.api.LOG_LEVEL_WARNING)
        self.begin()
        for _ in range(calls):
            function = self.pick_function()
            # What a session needs to stay alive is not left to chance.
            if function in ("set_log_level", "process_attach"):
                continue
            if function == "process_next_pending_event":
                self.pump()
                continue
            arguments = self.fill(function)
            self.settle_wave(function, arguments)
            self.call(function, arguments)
            if function in ("finalize", "process_detach"):
                self.begin()
        self.api.finalize()


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    seed, calls = map(int, arguments)
    Caller(client.Api("librocm-dbgapi.so.0"), seed).run(calls)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
