# SPDX-License-Identifier: MIT
"""What holds for every kind of object, driven by the one table: handles, queries, lists."""

import ctypes

from client import SUCCESS, buffer, libc, number
from suite import NO_HANDLE, NO_QUERY

FILLER = 0xA5
ALLOCATED = ("string", "bytes")
# If a query has no answer now, that wins over a result that is wrong.
UNAVAILABLE = {"ERROR_NOT_AVAILABLE", "ERROR_NOT_IMPLEMENTED", "ERROR_WAVE_NOT_STOPPED", "ERROR_INVALID_ARGUMENT",
               "ERROR_PROCESS_NOT_FROZEN", "FATAL"}


def filled():
    return buffer(bytes([FILLER]) * 64)


def untouched(value, begin=0):
    return all(byte == FILLER for byte in bytes(value)[begin:])


def statement(kind, wave, event, code_object):
    """The statement of the reference pages that a kind of check holds; "" for kinds without a page."""
    number_of = {"wave": wave, "event": event, "code_object": code_object}.get(kind, "")
    return f"{number_of} " if number_of else ""


def uninitialized(s):
    api = s.api
    version, text = [number(0, "u32") for _ in range(3)], ctypes.c_void_p()
    api.get_version(*version)
    s.number("version is that of the header", version[0].value, 0)
    s.check("build name is a text", api.get_build_name() is not None, "NULL")
    s.status("status text without initialize", api.get_status_string(SUCCESS, text))
    refused = "ERROR_NOT_INITIALIZED"
    for kind, (get_info, *_) in api.at.objects.items():
        if get_info in api.has:
            s.status(f"{statement(kind, 'W13', 'E15', 'C5')}get_info of {kind} uninitialized", s.get_info(kind, 1, 1, 8, number()), refused)
    for kind in s.lists():
        s.status(f"{statement(kind, 'W13', '', 'C5')}list of {kind} uninitialized", s.list_call(kind, 0, None, None, None), refused)
    s.status("W13 wave_stop uninitialized", api.wave_stop(1), refused)
    s.status("W13 wave_resume uninitialized", s.wave_resume(1), refused)
    s.status("E15 next_pending_event uninitialized", api.process_next_pending_event(0, number(), number(0, "u32")), refused)
    s.status("E15 event_processed uninitialized", api.event_processed(1), refused)
    s.status("finalize uninitialized", api.finalize(), refused)


def initialize(s):
    api = s.api
    # One that clients have had at every level.
    incomplete = api.callbacks(s.side, without=("insert_breakpoint",))
    s.status("initialize without callbacks", api.initialize(None), "ERROR_INVALID_ARGUMENT")
    s.status("initialize with a callback missing", api.initialize(ctypes.byref(incomplete)), "ERROR_INVALID_ARGUMENT")
    s.status("initialize", s.initialize())
    s.status("initialize again is looked at before its argument", api.initialize(None), "ERROR_ALREADY_INITIALIZED")
    s.status("finalize", api.finalize())
    s.status("initialize after finalize", s.initialize())
    s.status("attach without a client process", api.process_attach(None, number()), "ERROR_INVALID_ARGUMENT")
    s.status("attach without an output", api.process_attach(1, None), "ERROR_INVALID_ARGUMENT")
    s.status("detach of no process", api.process_detach(NO_HANDLE), "ERROR_INVALID_PROCESS_ID")


def check_bad_handle(s, kind, handle, what):
    first, *_ = s.api.at.objects[kind][3]
    value, invalid = filled(), s.api.at.objects[kind][2]
    name = f"{statement(kind, 'W14', 'E11', 'C6')}{kind} {what}"
    s.status(f"{name}, query and result wrong too", s.get_info(kind, handle, NO_QUERY, 3, None), invalid)
    s.status(name, s.get_info(kind, handle, first, s.query_size(kind, first), value), invalid)
    s.check(f"{statement(kind, 'W18', 'E14', 'C10')}{kind} {what} leaves the result", untouched(value), "it was written")


def release(s, kind, query, value):
    result = s.query(kind, query)[1]
    if result in ALLOCATED:
        libc.free(ctypes.c_void_p.from_buffer(value).value)
    if result == "handles":
        libc.free(ctypes.cast(s.api.at.structures["amd_dbgapi_watchpoint_list_t"].from_buffer(value).watchpoint_ids, ctypes.c_void_p))


def check_out_of_memory(s, kind, handle, query):
    """No memory: only what needs some fails, and says so."""
    if s.query(kind, query)[1] not in ALLOCATED:
        return
    value, name = filled(), s.full_name(kind, query)
    s.side.out_of_memory = True
    s.status(f"{statement(kind, 'W17', '', 'C9')}{name} without memory",
             s.get_info(kind, handle, query, s.query_size(kind, query), value), "ERROR_CLIENT_CALLBACK")
    s.side.out_of_memory = False
    s.check(f"{statement(kind, 'W18', 'E14', 'C10')}{name} without memory leaves the result", untouched(value), "it was written")


def check_null(s, kind, handle, query, status):
    """`status`: what is answered to a query as it should be."""
    # AMD's library of level 0.80 writes this result without a look at the pointer; ours must not.
    if (kind, query) == ("process", "SIGNIFICANT_ADDRESS_BITS") and b"wavetape" not in s.api.get_build_name():
        return
    wrong = status if status in UNAVAILABLE else "ERROR_INVALID_ARGUMENT"
    name, size = f"{statement(kind, 'W15', 'E12', 'C7')}{s.full_name(kind, query)}", s.query_size(kind, query)
    s.status(f"{name} with NULL", s.get_info(kind, handle, query, size, None), wrong)
    s.status(f"{name} with NULL and a wrong size", s.get_info(kind, handle, query, size + 1, None), wrong)


def check_query(s, kind, handle, query):
    allocations, value = s.side.allocations, filled()
    name, size, result = s.full_name(kind, query), s.query_size(kind, query), s.query(kind, query)[1]
    status = s.api.status_name(s.get_info(kind, handle, query, size, value))
    leaves = statement(kind, "W18", "E14", "C10")
    if status == "SUCCESS":
        held = {("wave", "handles"): "W1 ", ("code_object", "string"): "C2 "}.get((kind, result), "")
        s.check(f"{name} writes what it should", untouched(value, size), "it wrote more")
        s.check(f"{held}{name} allocates if it must", (s.side.allocations != allocations) == (result != "fixed"),
                f"{s.side.allocations - allocations} allocations")
        release(s, kind, query, value)
    else:
        s.check(f"{leaves}{name} leaves the result", untouched(value), "it was written")
    check_null(s, kind, handle, query, status)
    value = filled()
    s.status(f"{statement(kind, 'W16', 'E13', 'C8')}{name} with a wrong size", s.get_info(kind, handle, query, size + 1, value),
             status if status in UNAVAILABLE else "ERROR_INVALID_ARGUMENT_COMPATIBILITY")
    s.check(f"{leaves}{name} with a wrong size leaves the result", untouched(value), "it was written")
    if status == "SUCCESS":
        check_out_of_memory(s, kind, handle, query)


def check_object(s, kind, handle):
    if not handle:
        s.skip(f"queries of {kind}", "there is none")
        return
    check_bad_handle(s, kind, NO_HANDLE, "that is none")
    check_bad_handle(s, kind, 0, "NONE")
    s.status(f"{statement(kind, 'W15', 'E12', 'C7')}{kind} with a query that is none", s.get_info(kind, handle, NO_QUERY, 8, number()),
             "ERROR_INVALID_ARGUMENT")
    for query, (_, result, *_) in s.api.at.objects[kind][3].items():
        # NULL is looked at before the query there; and a core state is for the core.
        if result != "core_state":
            check_query(s, kind, handle, query)


def check_architecture(s, wave):
    """One object of each kind that an architecture has."""
    architecture = s.ask("wave", wave, "ARCHITECTURE")
    check_object(s, "architecture", architecture)
    for kind in ("register", "register_class", "address_space", "address_class"):
        count, array = number(), ctypes.c_void_p()
        s.status(f"architecture_{kind}_list", s.list_call(kind, architecture, count, array))
        handle = ctypes.c_uint64.from_address(array.value).value if array else 0
        libc.free(array)
        if handle:
            check_object(s, kind, handle)
    s.status("architecture lists look at the handle before NULL", s.api.architecture_register_list(NO_HANDLE, None, None),
             "ERROR_INVALID_ARCHITECTURE_ID")
    s.status("get_architecture looks at NULL before the number", s.api.get_architecture(0xFFFF, None), "ERROR_INVALID_ARGUMENT")


def check_all_objects(s, process):
    wave = 0
    check_object(s, "process", process)
    for kind in s.lists():
        wave = next(iter(s.list(kind, process)), 0)
        check_object(s, kind, wave)
    if wave:
        check_architecture(s, wave)


def objects(s):
    """Before its first instruction a wave is there to be asked, stopped."""
    process = s.attach("vecadd")
    event, _ = s.next_event(process)
    check_object(s, "event", event)
    s.api.event_processed(event)
    s.first_wave_stopped(process)
    check_all_objects(s, process)
    # Nothing lists the clusters.
    if "cluster_get_info" in s.api.has:
        check_bad_handle(s, "cluster", NO_HANDLE, "that is none")
        check_bad_handle(s, "cluster", 0, "NONE")
    s.detach(process)


class Outputs:
    """Those of a list function, with something in them that is left by an error."""

    def __init__(self, s, kind):
        self.s, self.kind = s, kind
        self.count, self.array, self.changed = number(99), ctypes.c_void_p(99), number(77, "u32")

    def call(self, process, count=True, array=True, changed=True):
        return self.s.list_call(self.kind, process, self.count if count else None, self.array if array else None,
                                self.changed if changed else None)

    def values(self):
        return self.count.value, self.array.value, self.changed.value

    def free(self):
        libc.free(self.array)
        self.array.value = None


def check_list_errors(s, kind, process):
    outputs, text = Outputs(s, kind), f"list of {kind}"
    none, null = statement(kind, "W22", "", "C15"), statement(kind, "W22", "", "C16")
    s.status(f"{none}{text} of no process, outputs NULL", outputs.call(NO_HANDLE, False, False, False), "ERROR_INVALID_PROCESS_ID")
    s.status(f"{none}{text} of no process", outputs.call(NO_HANDLE), "ERROR_INVALID_PROCESS_ID")
    s.status(f"{null}{text} without a count", outputs.call(process, count=False), "ERROR_INVALID_ARGUMENT")
    s.status(f"{null}{text} without an array", outputs.call(process, array=False), "ERROR_INVALID_ARGUMENT")
    s.check(f"{statement(kind, 'W23', '', 'C17')}{text}: errors leave the outputs", outputs.values() == (99, 99, 77), "they were written")


def check_list_changes(s, kind, process):
    outputs, text, flag = Outputs(s, kind), f"list of {kind}", statement(kind, "W20", "", "C12")
    yes, no = s.api.CHANGED_YES, s.api.CHANGED_NO
    outputs.call(process, changed=False)
    outputs.free()
    s.status(f"{flag}{text}, first time", outputs.call(process))
    s.check(f"{flag}{text} has changed, also after it was asked for without the flag",
            outputs.changed.value == yes and outputs.count.value and outputs.array, outputs.values())
    outputs.free()
    outputs.array.value = 99
    outputs.call(process)
    s.check(f"{flag}{text} has not changed", outputs.values() == (0, None, no), outputs.values())
    allocations = s.side.allocations
    outputs.call(process, changed=False)
    s.check(f"{statement(kind, 'W21', '', 'C13')}{text} without the flag is always given",
            outputs.count.value and outputs.array and outputs.changed.value == no, outputs.values())
    s.check(f"{statement(kind, 'W19', '', 'C11')}{text} is in the client's memory", s.side.allocations == allocations + 1,
            f"{s.side.allocations - allocations} allocations")
    outputs.free()
    outputs = Outputs(s, kind)
    s.side.out_of_memory = True
    s.status(f"{statement(kind, 'W17', '', 'C9')}{text} without memory", outputs.call(process, changed=False), "ERROR_CLIENT_CALLBACK")
    s.side.out_of_memory = False
    s.check(f"{statement(kind, 'W23', '', 'C17')}{text} without memory leaves the outputs", outputs.values() == (99, 99, 77),
            "they were written")


def check_all_lists(s, process):
    for kind in s.lists():
        check_list_errors(s, kind, process)
        check_list_changes(s, kind, process)
        one, all_of_them = s.list(kind, process), s.list(kind, 0)
        s.check(f"{statement(kind, '', '', 'C14')}list of {kind} of all processes", one and one == all_of_them,
                "it is not that of the only one")


def lists(s):
    process = s.attach_ready("two-agents")
    s.first_wave_stopped(process)
    check_all_lists(s, process)
    s.detach(process)
    # Without a process there is nothing, and that is no error.
    allocations, outputs = s.side.allocations, Outputs(s, "wave")
    outputs.array.value = None
    s.status("lists without any process", outputs.call(0, changed=False))
    s.number("lists without any process are empty", outputs.count.value, 0)
    s.number("W19 and in the client's memory, which may have no bytes", s.side.allocations, allocations + 1)
    outputs.free()
