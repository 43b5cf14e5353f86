# SPDX-License-Identifier: MIT
"""Vectors of facts that have item types of their own since 1.6, and had the names of functions for keys before."""

from catalogue import vector
from compose import ITEM
from worlds import CODE, one_stop, stop

BEFORE = {"minor": 5, "required": 5}
SINCE = {"minor": 6, "required": 13}
WAVE, PROCESS, STEPPING, BREAKPOINT = 1, 1, 7, 3
NOT_SUPPORTED = -19


def older(tape, type_, function, owner, **fields):
    return ITEM(type=type_, kind=tape.name("amd_dbgapi_" + function), owner=owner, **fields)


def older_facts(tape):
    return [
        older(tape, ITEM.LIST, "set_watchpoint", PROCESS, status=NOT_SUPPORTED),
        older(tape, ITEM.LIST, "queue_packet_list", 0, status=-1),
        older(tape, ITEM.MAP, "process_wave_list", PROCESS, number=[4], handle=[0]),
        older(tape, ITEM.MAP, "set_memory_precision", PROCESS, number=[1], handle=[0]),
        older(tape, ITEM.MAP, "read_register", WAVE, number=[1], handle=[0]),
        older(tape, ITEM.MAP, "convert_address_space@AMD_DBGAPI_0.81", WAVE, number=[0x300000000000], handle=[16384]),
        older(tape, ITEM.MAP, "displaced_stepping_start", WAVE, number=[CODE + 64], handle=[STEPPING]),
        older(tape, ITEM.MAP, "read_memory", STEPPING, number=[CODE + 64, CODE + 72], handle=[0xBF800000, 0xBF810000]),
        older(tape, ITEM.MAP, "breakpoint_get_info", PROCESS, number=[0x400000], handle=[BREAKPOINT]),
        older(tape, ITEM.MAP, "report_breakpoint_hit", BREAKPOINT, number=[1, 2], handle=[0, 0])]


def facts(tape):
    def named(type_, function, owner, **fields):
        return ITEM(type=type_, kind=tape.name("amd_dbgapi_" + function), owner=owner, **fields)

    return [
        named(ITEM.REFUSAL, "set_watchpoint", PROCESS, status=NOT_SUPPORTED),
        named(ITEM.REFUSAL, "queue_packet_list", 0, status=-1),
        named(ITEM.LIST_CHANGES, "process_wave_list", PROCESS, number=[4]),
        ITEM(type=ITEM.MEMORY_PRECISION, owner=PROCESS, number=[1]),
        ITEM(type=ITEM.UNREPORTED_STOP, owner=WAVE, number=[1]),
        ITEM(type=ITEM.PRIVATE_PLACE, owner=WAVE, number=[0x300000000000, 16384]),
        ITEM(type=ITEM.DISPLACED_STEPPINGS, owner=WAVE, number=[CODE + 64], handle=[STEPPING]),
        ITEM(type=ITEM.DISPLACED_CODE, owner=STEPPING, number=[CODE + 64, 0xBF800000, CODE + 72, 0xBF810000]),
        ITEM(type=ITEM.BREAKPOINTS, owner=PROCESS, number=[0x400000], handle=[BREAKPOINT]),
        ITEM(type=ITEM.BREAKPOINT_HITS, owner=BREAKPOINT, number=[1, 2])]


def compose(make, **added):
    """All of them at one stop; at the next one is gone and one is another."""
    tape = one_stop(**added)
    stop(tape, make(tape))
    tape.late(tape.next_moment - 1, make(tape)[:1])
    items = make(tape)
    gone, changed = items[4], items[3]
    del gone.number[:], gone.handle[:]
    gone.removed = True
    changed.number[0] = 0
    stop(tape, [changed, gone])
    return tape.close()


@vector
def facts_by_names_of_functions():
    return compose(older_facts, **BEFORE)


@vector
def facts_by_types():
    return compose(facts, **SINCE)


@vector
def facts_by_both():
    """As in a trace that was made of an older one: whole states are new, changes are as they were."""
    tape = one_stop(**SINCE)
    stop(tape, facts(tape), keyframe=False)
    stop(tape, [older(tape, ITEM.MAP, "set_memory_precision", PROCESS, number=[0], handle=[0]),
                older(tape, ITEM.MAP, "read_register", WAVE, removed=True)])
    return tape.close()
