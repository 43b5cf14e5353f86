# SPDX-License-Identifier: MIT
"""Code objects, and how the client hears of their coming and going."""

import ctypes
import re

from client import libc, number

THREAD = 0x7000
# The documented grammar, as far as a session here can have it.
NUMBER = r"(0[xX][0-9a-fA-F]+|\d+)"
URI = re.compile(rf"(file://[^#?]*|memory://[^#?]*(?=[#?]))([#?]offset={NUMBER}&size={NUMBER})?")


def code_objects(s):
    process = s.attach_ready("two-kernels")
    objects = s.list("code_object", process)
    s.number("C11 both code objects are listed", len(objects), 2)
    for code_object in objects[:2]:
        s.number("C1 the process of a code object", s.ask("code_object", code_object, "PROCESS"), process)
        s.check("C4 it is loaded at another address than it was linked for", s.ask("code_object", code_object, "LOAD_ADDRESS"), "0")
        status, uri = s.answer("code_object", code_object, "URI_NAME")
        s.status("C2 its URI", status)
        if uri is not None:
            s.check("C3 follows the grammar", URI.fullmatch(uri), uri)
    s.check("code objects have handles of their own", len(set(objects)) == len(objects), "one handle")
    s.detach(process)


def report_hit(s, action):
    return s.api.report_breakpoint_hit(s.side.breakpoint, THREAD, action)


def check_hit_errors(s):
    action = number(77, "u32")
    s.status("report_breakpoint_hit looks at NULL before the handle", s.api.report_breakpoint_hit(0, THREAD, None), "ERROR_INVALID_ARGUMENT")
    s.status("report_breakpoint_hit of no breakpoint", s.api.report_breakpoint_hit(0, THREAD, action), "ERROR_INVALID_BREAKPOINT_ID")
    s.number("an error leaves the action", action.value, 77)
    s.status("a hit while nothing has changed", report_hit(s, action))
    s.number("is answered with RESUME", action.value, s.api.BREAKPOINT_ACTION_RESUME)


def list_changed(s, process):
    """The flag of the list of code objects, and how many there are."""
    count, array, changed = number(), ctypes.c_void_p(), number(0, "u32")
    s.api.process_code_object_list(process, count, array, changed)
    libc.free(array)
    return changed.value == s.api.CHANGED_YES, count.value


def check_change(s, process, what, expected):
    """The program stands at its breakpoint: report it, and follow the events to where it goes on."""
    action = number(s.api.BREAKPOINT_ACTION_RESUME, "u32")
    s.status(f"E6 {what}: the hit", report_hit(s, action))
    s.number(f"E6 {what}: is answered with HALT", action.value, s.api.BREAKPOINT_ACTION_HALT)
    event, kind = s.next_event(process)
    s.number(f"E6 {what}: the list has changed", kind, "CODE_OBJECT_LIST_UPDATED")
    changed = list_changed(s, process)
    s.check(f"C12 {what}: the flag says so, and the list too", changed == (True, expected), changed)
    s.check("E6 the program waits for the event to be processed", s.nothing_comes(process), "something comes")
    s.api.event_processed(event)
    event, kind = s.next_event(process)
    s.number(f"E7 {what}: then the thread may go on", kind, "BREAKPOINT_RESUME")
    s.number("E7 the breakpoint", s.ask("event", event, "BREAKPOINT"), s.side.breakpoint)
    s.number("E7 the thread", s.ask("event", event, "CLIENT_THREAD"), THREAD)
    s.api.event_processed(event)


def check_without_breakpoint(s):
    """
    A client that cannot insert the breakpoint is told by the list alone. Over a driver it is told nothing: without it nobody knows
    when the list of a program that runs may be read.
    """
    expected = s.over != "driver"
    s.side.no_breakpoint = True
    process = s.attach_ready("loads")
    s.side.no_breakpoint = False
    list_changed(s, process)
    s.check("without the breakpoint no event comes", s.nothing_comes(process), "one does")
    changed = list_changed(s, process)
    s.check("C12 but the list has changed, where it can be read", changed == (expected, int(expected)), changed)
    s.detach(process)


def loading(s):
    insertions, removals = s.side.insertions, s.side.removals
    if s.left_out("E6 E7 code objects that come and go", "a trace does not replay hits of its breakpoint", 2):
        return
    process = s.attach_ready("loads")
    s.number("the breakpoint is inserted at attach", s.side.insertions, insertions + 1)
    s.number("the breakpoint's process", s.ask("breakpoint", s.side.breakpoint, "PROCESS"), process)
    objects = s.list("code_object", process)
    s.number("one code object is there", len(objects), 1)
    check_hit_errors(s)
    s.check("the first dispatch ends", s.nothing_comes(process), "an event comes")
    check_change(s, process, "loading", 2)
    s.check("the second dispatch ends", s.nothing_comes(process), "an event comes")
    check_change(s, process, "unloading", 1)
    s.status("C6 what was unloaded is no code object", s.get_info("code_object", objects[0], "PROCESS", 8, number()),
             "ERROR_INVALID_CODE_OBJECT_ID")
    s.detach(process)
    s.number("the breakpoint is removed at detach", s.side.removals, removals + 1)
    check_without_breakpoint(s)
