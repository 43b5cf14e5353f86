# SPDX-License-Identifier: MIT
"""The API of every level as JSON, for tests/client: what it takes to call a library by ctypes, and what answers mean.

Enumerators have the names of today, also where a level had others for them.
"""

import json
import re

from api_table import TableError, in_force, number, value_at

# C types by the words of tests/client/api.py. What ends in * points to one.
WORDS = {
    "void": "", "char": "u8", "uint8_t": "u8", "uint16_t": "u16", "uint32_t": "u32", "uint64_t": "u64", "size_t": "u64", "ptrdiff_t": "i64",
    "amd_dbgapi_global_address_t": "u64", "amd_dbgapi_segment_address_t": "u64", "amd_dbgapi_size_t": "u64",
    "amd_dbgapi_os_agent_id_t": "u64", "amd_dbgapi_os_queue_id_t": "u64", "amd_dbgapi_os_queue_packet_id_t": "u64",
    "amd_dbgapi_lane_id_t": "u32", "amd_dbgapi_os_process_id_t": "i32", "amd_dbgapi_notifier_t": "i32", "amd_dbgapi_status_t": "i32",
    "amd_dbgapi_client_process_id_t": "pointer", "amd_dbgapi_client_thread_id_t": "pointer", "amd_dbgapi_symbolizer_id_t": "pointer",
}
HANDLE = "uint64_t handle;"


def _word(c_type, view):
    """A C type in one word. A structure of a handle is passed as the number in it."""
    base, stars, count = re.fullmatch(r"(?:const )?(\w+)\s*(\**)(?:\[(\d+)\])?", c_type.strip()).groups()
    if base in view.wide:
        word = "u64"
    elif base in view.enumerations and base not in WORDS:
        word = "u32"
    elif view.structures.get(base) == HANDLE:
        word = "u64"
    elif base in WORDS:
        word = WORDS[base]
    elif base in view.structures or base == "amd_dbgapi_callbacks_t":
        word = base
    else:
        raise TableError(f"no word for the type {c_type!r}")
    if len(stars) == 2:
        return "pointer*"
    if stars:
        return "text" if c_type.startswith("const char") else word + "*" if word and word in {*WORDS.values()} - {"u8"} else "pointer"
    return f"{word}*{count}" if count else word


def _members(text, view):
    """The members of a structure as pairs of name and word."""
    for member in filter(None, (part.strip() for part in text.split(";"))):
        c_type, name, count = re.fullmatch(r"(.*?[ *])(\w+)(\[\d+\])?", member).groups()
        yield name, _word(c_type.strip() + (count or ""), view)


def _parameter(declaration, view):
    return _word(re.fullmatch(r"(.*?[ *])\w+", declaration).group(1), view)


def _names(table, level):
    """Names that a level had for enumerators, and those of today."""
    return {value_at(value, level)["name"]: value["name"] for enumeration in table.raw["enumeration"] for value in enumeration["values"]
            if in_force(value, level)}


def _level(table, level):
    view, names = table.at(level), _names(table, level)
    functions = {f.short: (f.version, _word(f.returns, view),
                           tuple((p.name, "pointer" if p.shape in ("symbolizer", "callbacks") else _word(p.type, view), p.shape, p.type)
                                 for p in f.parameters)) for f in view.functions}
    objects = {o.name: (o.get_info.removeprefix("amd_dbgapi_"), o.listing.removeprefix("amd_dbgapi_"),
                        o.invalid.removeprefix("AMD_DBGAPI_STATUS_"),
                        {names[q.name].split("_INFO_", 1)[1]: (q.value, q.result, _word(q.type, view), q.length_of.split("_INFO_")[-1], q.stopped,
                                                        q.identity, q.values) for q in o.queries})
               for o in view.objects}
    return {
        "version": view.api["level"],
        "functions": functions,
        "objects": objects,
        "enumerations": {name: {names[v["name"]].removeprefix("AMD_DBGAPI_"): v["value"] for v in values if "alias" not in v}
                         for name, values in view.enumerations.items()},
        "structures": {name: tuple(_members(members, view)) for name, members in view.structures.items() if members not in ("", HANDLE)},
        "callbacks": tuple((c["name"], _word(c["returns"], view), tuple(_parameter(p, view) for p in c["parameters"]))
                           for c in view.callbacks),
    }


def generate_client(table):
    levels = {number(level["level"])[1]: _level(table, level["level"]) for level in table.levels}
    return json.dumps(levels)
