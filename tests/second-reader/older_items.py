# SPDX-License-Identifier: MIT
"""Items as versions before 1.6 wrote them: FORMAT.md, "Items before 1.6"."""

import trace_pb2

ITEM = trace_pb2.Item
LIST, MAP = ITEM.LIST, ITEM.MAP
LISTS = ("agent", "queue", "dispatch", "workgroup", "wave", "code_object")
TYPES = {
    **{(LIST, name): ITEM.REFUSAL for name in (
        "set_watchpoint", "displaced_stepping_start", "report_breakpoint_hit", "set_memory_precision",
        "set_alu_exceptions_precision", "process_set_wave_creation", "queue_packet_list")},
    **{(MAP, f"process_{name}_list"): ITEM.LIST_CHANGES for name in LISTS},
    (MAP, "set_memory_precision"): ITEM.MEMORY_PRECISION,
    (MAP, "read_register"): ITEM.UNREPORTED_STOP,
    (MAP, "convert_address_space@AMD_DBGAPI_0.81"): ITEM.PRIVATE_PLACE,
    (MAP, "displaced_stepping_start"): ITEM.DISPLACED_STEPPINGS,
    (MAP, "read_memory"): ITEM.DISPLACED_CODE,
    (MAP, "breakpoint_get_info"): ITEM.BREAKPOINTS,
    (MAP, "report_breakpoint_hit"): ITEM.BREAKPOINT_HITS,
}
WITH_FUNCTION = (ITEM.REFUSAL, ITEM.LIST_CHANGES)
WITH_HANDLES = (ITEM.DISPLACED_STEPPINGS, ITEM.BREAKPOINTS)
IN_PAIRS = (ITEM.PRIVATE_PLACE, ITEM.DISPLACED_CODE)


def type_now(message, name):
    """The type that says it today. @name: of its kind, or None."""
    return TYPES.get((message.type, (name or "").removeprefix("amd_dbgapi_")), message.type)


def key_now(type_, message):
    """Its key, by its type of today."""
    kind = 0 if type_ != message.type and type_ not in WITH_FUNCTION else message.kind
    return (type_, kind, message.owner, message.address)


def change_value(type_, item):
    """Its value in the form of today."""
    if type_ in IN_PAIRS:
        item.numbers = [number for pair in zip(item.numbers, item.handles) for number in pair]
    if type_ not in WITH_HANDLES:
        item.handles = []
