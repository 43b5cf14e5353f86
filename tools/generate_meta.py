# SPDX-License-Identifier: MIT
"""Names, numbers and descriptions of functions, objects, queries and enumerators, as C."""

from api_table import SIGNED, number

SHAPE = "WT_SHAPE_{}"
RESULT = "WT_RESULT_{}"
# Types of results that are the client's pointers.
POINTERS = {"amd_dbgapi_client_thread_id_t"}


def generate_functions_header(table):
    lines = [
        "/* Generated from the API table. */",
        "#ifndef WT_API_FUNCTIONS_H",
        "#define WT_API_FUNCTIONS_H",
        "#include <amd-dbgapi/amd-dbgapi.h>",
        f'#define WT_API_LEVEL "{table.api["level"]}"',
        f'#define WT_API_SONAME "{table.api["soname"]}"',
        "enum wt_function {",
        *[f"\t{f.constant}," for f in table.functions],
        "\tWT_FUNCTION_COUNT,",
        "};",
        "enum wt_object {",
        *[f"\t{o.constant}," for o in table.objects],
        "\tWT_OBJECT_COUNT,",
        "};",
        "enum wt_callback_kind {",
        *[f"\tWT_CALLBACK_{c['name'].upper()}," for c in table.callbacks],
        "\tWT_CALLBACK_COUNT,",
        "};",
        "/* One implementation of the API: a pointer to each function. */",
        "struct wt_api {",
    ]
    for f in table.functions:
        lines.append("\t" + f.prototype(f"(*{f.short})") + ";")
    lines += ["\t/* Of each the minor number of the symbol version that it was found at; 0: it is not there. */",
              "\tuint16_t found_at[WT_FUNCTION_COUNT];", "};"]
    lines += ["/* Callbacks of the levels before 0.76. */", "struct wt_callbacks_0_54 {"]
    for c in table.callbacks_before:
        space = "" if c["returns"].endswith("*") else " "
        lines.append(f"\t{c['returns']}{space}(*{c['name']})({', '.join(c['parameters'])});")
    lines.append("};")
    lines.append("/* Older forms of functions, by names of their own in C. */")
    lines += [f.prototype() + ";" for f in table.functions if f.is_older]
    lines.append("#endif /* WT_API_FUNCTIONS_H */")
    return "\n".join(lines) + "\n"


def _c(text):
    return '"' + text + '"' if text else "NULL"


def _bool(value):
    return "true" if value else "false"


def _parameter(f, p):
    fields = [f".name = {_c(p.name)}", f".type = {_c(p.type if '%s' not in p.type else 'symbolizer')}",
              f".shape = {SHAPE.format(p.shape.upper())}"]
    if p.shape in ("value", "out", "inout"):
        kind = p.type if p.shape == "value" else p.pointee
        fields.append(f".size = sizeof({kind})")
        fields.append(f".enumeration = {_enumeration_reference(kind)}")
        fields.append(f".is_handle = {_bool(kind in HANDLES)}")
        fields.append(f".is_signed = {_bool(kind in SIGNED)}")
    if p.shape == "out_array":
        fields += [f".size = sizeof({p.element})", f".is_handle = {_bool(p.element in HANDLES)}"]
    fields.append(f".optional = {_bool(p.optional)}")
    for name in ("length", "count", "query"):
        reference = getattr(p, name)
        index = [q.name for q in f.parameters].index(reference) if reference else -1
        fields.append(f".{name}_index = {index}")
    return "\t{ " + ", ".join(fields) + " },"


HANDLES = set()
ENUMERATIONS = []


def _enumeration_reference(name):
    return f"&wt_enumerations[{ENUMERATIONS.index(name)}]" if name in ENUMERATIONS else "NULL"


def _enumeration_tables(table):
    lines = []
    for name, values in table.enumerations.items():
        lines.append(f"static const struct wt_enumerator {name}_values[] = {{")
        lines += [f"\t{{ {_c(v['name'])}, {v['value']} }}," for v in values if "alias" not in v]
        lines.append("};")
    lines.append("const struct wt_enumeration wt_enumerations[] = {")
    for name, values in table.enumerations.items():
        count = sum(1 for v in values if "alias" not in v)
        lines.append(f"\t{{ {_c(name)}, {name}_values, {count} }},")
    lines += ["};", f"const size_t wt_enumeration_count = {len(table.enumerations)};"]
    return lines


def _query(o, q):
    fields = [f".name = {_c(q.name)}", f".value = {q.name}", f".result = {RESULT.format(q.result.upper())}",
              f".type = {_c(q.type)}", f".size = sizeof({q.type})", f".stopped = {_bool(q.stopped)}",
              f".identity = {_bool(q.identity)}", f".is_pointer = {_bool(q.type in POINTERS)}",
              f".plain = {_bool(q.result == 'fixed' and not q.identity and q.type not in POINTERS)}",
              f".is_handle = {_bool(q.type in HANDLES)}",
              f".enumeration = {_enumeration_reference(q.values or q.type)}"]
    if q.length_of:
        fields.append(f".length_of = {q.length_of}")
    if o.moved_for(q):
        fields.append(f".since = {number(o.moved_for(q))[1]}")
    return "\t{ " + ", ".join(fields) + " },"


def _object_tables(table):
    lines = []
    functions = {f.name: f for f in table.functions}
    for o in table.objects:
        lines.append(f"static const struct wt_query {o.name}_queries[] = {{")
        lines += [_query(o, q) for q in o.queries]
        lines.append("};")
    lines.append("const struct wt_object_info wt_objects[WT_OBJECT_COUNT] = {")
    for o in table.objects:
        listing = functions[o.listing].constant if o.listing else "WT_FUNCTION_COUNT"
        lines.append(
            f"\t[{o.constant}] = {{ {_c(o.name)}, {_c(o.handle)}, {functions[o.get_info].constant}, {listing}, "
            f"{o.invalid}, {o.name}_queries, {len(o.queries)} }},")
    lines.append("};")
    return lines


def _function_tables(table):
    lines = []
    for f in table.functions:
        if f.parameters:
            lines.append(f"static const struct wt_parameter {f.short}_parameters[] = {{")
            lines += [_parameter(f, p) for p in f.parameters]
            lines.append("};")
    lines.append("const struct wt_function_info wt_functions[WT_FUNCTION_COUNT] = {")
    for f in table.functions:
        parameters = f"{f.short}_parameters, {len(f.parameters)}" if f.parameters else "NULL, 0"
        o = f.object.constant if f.object else "WT_OBJECT_COUNT"
        callbacks = " | ".join(f"1u << WT_CALLBACK_{c.upper()}" for c in f.callbacks) or "0"
        returns = {"void": "WT_RETURNS_NOTHING", "const char *": "WT_RETURNS_STRING"}
        lines.append(
            f"\t[{f.constant}] = {{ {_c(f.written)}, "
            f"{returns.get(f.returns, 'WT_RETURNS_STATUS')}, {o}, {callbacks}, {parameters}, {_bool(f.acts)} }},")
    lines.append("};")
    return lines


def _loader(table):
    """One line per function: the loader's offset into struct wt_api."""
    lines = ["const size_t wt_api_offsets[WT_FUNCTION_COUNT] = {"]
    lines += [f"\t[{f.constant}] = offsetof(struct wt_api, {f.short})," for f in table.functions]
    lines.append("};")
    return lines


def generate_tables(table):
    HANDLES.update(o.handle for o in table.objects)
    ENUMERATIONS.extend(table.enumerations)
    lines = ["/* Generated from the API table. */", '#include "dbgapi/table/api.h"', "#include <stddef.h>"]
    lines += _enumeration_tables(table)
    lines += _object_tables(table)
    lines += _function_tables(table)
    lines += _loader(table)
    lines.append("const char *const wt_callback_names[WT_CALLBACK_COUNT] = {")
    lines += [f"\t[WT_CALLBACK_{c['name'].upper()}] = {_c(c['name'])}," for c in table.callbacks]
    lines.append("};")
    return "\n".join(lines) + "\n"
