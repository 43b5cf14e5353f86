# SPDX-License-Identifier: MIT
"""The older form of the API: wrappers that export it, the header its clients were compiled with, and what they link with."""

import re

from api_table import TableError
from older_table import numbers

HEAD = "/* Generated from the table of the older API. */"
# Handles whose object says which process, or which architecture, it belongs to.
PROCESS = ("code_object", "agent", "queue", "dispatch", "wave", "displaced_stepping", "watchpoint", "event", "breakpoint")
ARCHITECTURE = ("register_class", "register")


def _number(value):
    return f"{value:#x}ULL" if value > 0x7FFFFFFF else str(value)


# ---- The header and the library to link with ----

def generate_older_header(_table, older):
    """What a client of that form includes."""
    lines = [HEAD, "#ifndef AMD_DBGAPI_OLDER_H", "#define AMD_DBGAPI_OLDER_H", "#include <stddef.h>",
             "#include <stdint.h>", "#include <sys/types.h>"]
    for name, meaning in older.settings["types"].items():
        lines.append(f"typedef {meaning}{'' if meaning.endswith('*') else ' '}{name};")
    for enumeration in older.enumerations.values():
        lines.append("typedef enum {")
        lines += [f"\t{v.name} = {_number(v.value)}," for v in enumeration.values]
        lines.append(f"}} {enumeration.name};")
    for name, members in older.structures.items():
        if name.endswith("_s"):
            lines.append(f"typedef struct {name} {name.removesuffix('_s')}_t;")
            lines.append(f"struct {name} {{ {members} }};")
        else:
            lines.append(f"typedef struct {{ {members} }} {name};")
    lines += [f"{f.prototype(f.name)};" for f in older.functions]
    lines.append("#endif /* AMD_DBGAPI_OLDER_H */")
    return "\n".join(lines) + "\n"


def generate_older_stand_in(_table, older):
    """A library of that form to link clients with: its functions do nothing, and are never run."""
    lines = [HEAD]
    lines += [f"void {f.name}(void);\nvoid {f.name}(void) {{ }}" for f in older.functions]
    return "\n".join(lines) + "\n"


def generate_older_stand_in_script(_table, older):
    lines, previous = [HEAD], ""
    for version in older.settings["versions"]:
        # Where a function is there at two versions, clients were linked with the newer one.
        names = [f"{f.name};" for f in older.functions if f.versions[-1] == version]
        lines.append(f"{version} {{ global: {' '.join(names)}{'' if previous else ' local: *;'} }}{previous};")
        previous = " " + version
    return "\n".join(lines) + "\n"


# ---- The wrappers ----

def _types(text):
    """Names of types that differ from today's."""
    return text.replace("amd_dbgapi_os_pid_t", "pid_t")


def _conversions(older, today):
    """For each enumeration whose numbers differ, a function from them to today's."""
    lines = []
    for enumeration in older.enumerations.values():
        if not enumeration.now or not enumeration.differs(today[enumeration.now]):
            continue
        lines += [f"uint32_t wt_older_now_{_short(enumeration)}(uint32_t older)", "{", "\tswitch (older) {"]
        for value in enumeration.values:
            if value.value <= 0x7FFFFFFF:
                lines.append(f"\tcase (uint32_t){value.value}: return "
                             f"{'(uint32_t)' + value.now if value.now else 'WT_OLDER_GONE'};")
        lines += ["\tdefault: return WT_OLDER_UNKNOWN;", "\t}", "}"]
    return lines


def _back_conversions(older):
    """For each enumeration that is given to clients, a function from today's numbers to its own."""
    lines = []
    for enumeration in older.enumerations.values():
        if not enumeration.otherwise:
            continue
        lines += [f"uint32_t wt_older_then_{_short(enumeration)}(uint32_t now)", "{", "\tswitch (now) {"]
        lines += [f"\tcase {v.now}: return {_constant(v.name)};" for v in enumeration.values if v.now]
        lines += [f"\tdefault: return {_constant(enumeration.otherwise)};", "\t}", "}"]
    return lines


def _short(enumeration):
    return enumeration.name.removeprefix("amd_dbgapi_").removesuffix("_t")


def _constant(name):
    """A number of the older form, among ours: WT_OLDER_LOG_LEVEL_VERBOSE."""
    return "WT_OLDER_" + name.removeprefix("AMD_DBGAPI_")


def _constants(older, today):
    """The numbers that differ from today's or are gone, under names of ours."""
    lines = []
    for enumeration in older.enumerations.values():
        if enumeration.name == "amd_dbgapi_status_t" or (
                enumeration.now and not enumeration.differs(today[enumeration.now])):
            continue
        lines.append("enum {")
        lines += [f"\t{_constant(v.name)} = {v.value}," for v in enumeration.values if v.value <= 0x7FFFFFFF]
        lines.append("};")
    return lines


def _client_types(older):
    """What the client passes: its callbacks and a symbolizer, with enumerators as numbers."""
    def plain(text):
        names = {e: "uint32_t" for e in older.enumerations} | {
            "amd_dbgapi_status_t": "int", "amd_dbgapi_os_pid_t": "pid_t",
            "amd_dbgapi_shared_library_id_t": "struct wt_older_shared_library"}
        return re.sub(r"\bamd_dbgapi_\w+", lambda match: names.get(match[0], match[0]), text)

    symbolizer = next(p for f in older.functions for p in f.parameters if p.type == "symbolizer")
    callbacks = plain(older.structures["amd_dbgapi_callbacks_s"]).replace("; ", ";\n\t")
    return [f"typedef {plain(symbolizer.text).replace(f'(*{symbolizer.name})', '(*wt_older_symbolizer)')};",
            "struct wt_older_callbacks {", "\t" + callbacks, "};"]


def _status_name(name):
    """A status of the older form, among ours: WT_OLDER_INVALID_ARGUMENT."""
    return "WT_OLDER_" + name.removeprefix("AMD_DBGAPI_STATUS_").removeprefix("ERROR_")


def _statuses(older, table):
    statuses = {v.now: v.value for v in older.enumerations["amd_dbgapi_status_t"].values if v.now}
    by_older_name = {v.name: v.value for v in older.enumerations["amd_dbgapi_status_t"].values}
    instead = older.settings["instead_of"]
    lines = ["int wt_older_status(amd_dbgapi_status_t status)", "{", "\tswitch (status) {"]
    for value in table.enumerations["amd_dbgapi_status_t"]:
        name = value["name"]
        number = statuses.get(name, by_older_name[instead.get(name, older.settings["otherwise"])])
        lines.append(f"\tcase {name}: return {number};")
    lines += ["\t}", f"\treturn {by_older_name[older.settings['otherwise']]};", "}"]
    lines.append("const struct wt_older_text wt_older_texts[] = {")
    lines += [f'\t{{ {v.value}, "{v.name}" }},' for v in older.enumerations["amd_dbgapi_status_t"].values]
    lines += ["};", "const size_t wt_older_text_count = sizeof(wt_older_texts) / sizeof(wt_older_texts[0]);"]
    return lines


def _callback_status(older):
    """What a client's callback gave as today's: of what it does not give, it is only told that it failed."""
    statuses = {v.name: v for v in older.enumerations["amd_dbgapi_status_t"].values}
    lines = ["amd_dbgapi_status_t wt_older_callback_status(int status)", "{", "\tswitch (status) {"]
    for name in older.settings["callback_statuses"]:
        if name not in statuses or not statuses[name].now:
            raise TableError(f"callback_statuses: {name}: no status of this form that there is today")
        lines.append(f"\tcase {_status_name(name)}: return {statuses[name].now};")
    return lines + [f"\tdefault: return {older.settings['otherwise']};", "\t}", "}"]


def _reasons(older):
    """Stop reasons: bits of today's to bits of then."""
    values = older.enumerations["amd_dbgapi_wave_stop_reason_t"].values
    lines = ["uint64_t wt_older_stop_reasons(uint32_t now)", "{", "\tuint64_t older = 0;"]
    for value in values:
        if value.now and value.value:
            lines.append(f"\tif (now & {value.now}) older |= {_number(value.value)};")
    return lines + ["\treturn older;", "}"]


def _checks(function):
    """What of a handle that is no longer a parameter has to be looked at first."""
    lines = []
    if function.has("process_id"):
        lines += ["\tint failed = wt_older_process(process_id);", "\tif (failed) return failed;"]
        for kind in PROCESS:
            if not function.now or function.now.object is None or not function.has(f"{kind}_id"):
                continue
            if not any(p.name == "process_id" for p in function.now.parameters):
                lines.append(f"\tfailed = wt_older_{kind}_of(process_id, {kind}_id); if (failed) return failed;")
    elif function.has("architecture_id") and function.now and \
            not any(p.name == "architecture_id" for p in function.now.parameters):
        lines += ["\tint failed = wt_older_architecture(architecture_id);", "\tif (failed) return failed;"]
        for kind in ARCHITECTURE:
            if function.has(f"{kind}_id"):
                lines.append(f"\tfailed = wt_older_{kind}_of(architecture_id, {kind}_id); if (failed) return failed;")
    return lines


def _argument(function, parameter, older, today):
    """What a parameter of today's function is given."""
    for p in function.parameters:
        if p.name != parameter.name:
            continue
        enumeration = older.enumerations.get(p.type.removesuffix("*").strip())
        if enumeration is None or not enumeration.differs(today[enumeration.now]):
            return p.name
        if p.type.endswith("*"):
            raise TableError(f"{function.name}: {p.name}: numbers differ: it has to be written by hand")
        return f"({parameter.type})now_{p.name}"
    raise TableError(f"{function.name}: nothing for {parameter.name}: it has to be written by hand")


def _wrapper(function, older, today):
    lines = [_wrapper_prototype(function), "{"]
    lines += _checks(function)
    for p in function.parameters:
        enumeration = older.enumerations.get(p.type)
        if enumeration and enumeration.now and enumeration.differs(today[enumeration.now]):
            lines.append(f"\tuint32_t now_{p.name} = wt_older_now_{_short(enumeration)}((uint32_t){p.name});")
            if p.name == "query" and any(not v.now for v in enumeration.values):
                o = function.now.object
                lines.append(f"\tif (now_query == WT_OLDER_GONE) return wt_older_gone("
                             f"wt_older_{o.name}_exists({o.name}_id));")
    call = f"{function.now.name}({', '.join(_argument(function, p, older, today) for p in function.now.parameters)})"
    if function.returns == "void":
        lines.append(f"\t{call};")
    elif function.returns == "amd_dbgapi_status_t":
        lines.append(f"\treturn wt_older_status({call});")
    else:
        lines.append(f"\treturn {call};")
    return lines + ["}"]


def _wrapper_prototype(function):
    """Enumerators are passed as numbers: theirs are not today's."""
    parameters = []
    for p in function.parameters:
        if p.type == "symbolizer":
            parameters.append("wt_older_symbolizer symbolizer")
        else:
            parameters.append(f"{PLAIN.get(p.type, p.type)}{'' if p.type.endswith('*') else ' '}{p.name}")
    returns = "int" if function.returns == "amd_dbgapi_status_t" else function.returns
    space = "" if returns.endswith("*") else " "
    return f"{returns}{space}wt_older_{function.short}({', '.join(parameters) or 'void'})"


def _versions(function):
    """What stands behind a wrapper's definition: at which versions it is exported, under which name."""
    text = ""
    for i, version in enumerate(function.versions):
        name = f"wt_older_{function.short}"
        if i:  # one name of ours can have one version
            text += f'extern __typeof__({name}) {name}_{i} WT_OLDER_EXPORTED __attribute__((alias("{name}"))); '
            name += f"_{i}"
        text += f'__asm__(".symver {name}, {function.name}@{version}"); '
    return text.rstrip().removesuffix(";")


PLAIN = {}


def _prepare(older, today):
    PLAIN.clear()
    for enumeration in older.enumerations.values():
        if not enumeration.now or enumeration.differs(today[enumeration.now]):
            PLAIN[enumeration.name] = "uint32_t"
            PLAIN[enumeration.name + " *"] = "uint32_t *"
    PLAIN["amd_dbgapi_status_t"] = "int"
    PLAIN["amd_dbgapi_callbacks_t *"] = "struct wt_older_callbacks *"
    PLAIN["amd_dbgapi_queue_packet_id_t *"] = "uint64_t *"
    PLAIN["amd_dbgapi_shared_library_id_t"] = "struct wt_older_shared_library"


def generate_older_declarations(table, older):
    """What the generated wrappers and those by hand share."""
    today = numbers(table)
    _prepare(older, today)
    lines = [HEAD, "#ifndef WT_OLDER_WRAPPERS_H", "#define WT_OLDER_WRAPPERS_H", '#include "dbgapi/older/older.h"']
    lines.append("enum wt_older_statuses {")
    lines += [f"\t{_status_name(v.name)} = {v.value}," for v in older.enumerations["amd_dbgapi_status_t"].values]
    lines.append("};")
    lines += _constants(older, today) + _client_types(older)
    for enumeration in older.enumerations.values():
        if enumeration.now and enumeration.differs(today[enumeration.now]):
            lines.append(f"uint32_t wt_older_now_{_short(enumeration)}(uint32_t older);")
        if enumeration.otherwise:
            lines.append(f"uint32_t wt_older_then_{_short(enumeration)}(uint32_t now);")
    lines += [f"{_wrapper_prototype(f)} WT_OLDER_EXPORTED;" for f in older.functions]
    lines.append("#define WT_OLDER_VERSIONS(name) WT_OLDER_VERSIONS_##name")
    lines += [f"#define WT_OLDER_VERSIONS_{f.short} {_versions(f)}" for f in older.functions]
    for kind in PROCESS:
        lines.append(f"int wt_older_{kind}_of(amd_dbgapi_process_id_t process_id, amd_dbgapi_{kind}_id_t id);")
    for kind in ARCHITECTURE:
        lines.append(f"int wt_older_{kind}_of(amd_dbgapi_architecture_id_t architecture_id, amd_dbgapi_{kind}_id_t id);")
    for name, kind, query in WITHOUT_SUCCESSOR:
        del kind, query
        lines.append(f"int wt_older_{name}_exists(amd_dbgapi_{name}_id_t id);")
    lines.append("#endif /* WT_OLDER_WRAPPERS_H */")
    return "\n".join(lines) + "\n"


# Objects that have queries without a successor, and one that always succeeds.
WITHOUT_SUCCESSOR = (("agent", "amd_dbgapi_process_id_t", "AMD_DBGAPI_AGENT_INFO_PROCESS"),)


def _belongings():
    lines = []
    for kind in PROCESS:
        upper = kind.upper()
        lines += [f"int wt_older_{kind}_of(amd_dbgapi_process_id_t process_id, amd_dbgapi_{kind}_id_t id)", "{",
                  "\tamd_dbgapi_process_id_t of;", "\tamd_dbgapi_status_t status;",
                  "\tif (wt_older_only_process()) return 0;",
                  f"\tstatus = amd_dbgapi_{kind}_get_info(id, AMD_DBGAPI_{upper}_INFO_PROCESS, sizeof(of), &of);",
                  "\tif (status == AMD_DBGAPI_STATUS_SUCCESS && of.handle != process_id.handle)",
                  f"\t\tstatus = AMD_DBGAPI_STATUS_ERROR_INVALID_{upper}_ID;",
                  "\treturn wt_older_status(status);", "}"]
    for kind in ARCHITECTURE:
        upper = kind.upper()
        function = "amd_dbgapi_register_get_info" if kind == "register" else f"amd_dbgapi_architecture_{kind}_get_info"
        lines += [f"int wt_older_{kind}_of(amd_dbgapi_architecture_id_t architecture_id, amd_dbgapi_{kind}_id_t id)", "{",
                  "\tamd_dbgapi_architecture_id_t of;",
                  f"\tamd_dbgapi_status_t status = {function}(id, AMD_DBGAPI_{upper}_INFO_ARCHITECTURE, sizeof(of), &of);",
                  "\tif (status == AMD_DBGAPI_STATUS_SUCCESS && of.handle != architecture_id.handle)",
                  f"\t\tstatus = AMD_DBGAPI_STATUS_ERROR_INVALID_{upper}_ID;",
                  "\treturn wt_older_status(status);", "}"]
    for name, kind, query in WITHOUT_SUCCESSOR:
        lines += [f"int wt_older_{name}_exists(amd_dbgapi_{name}_id_t id)", "{", f"\t{kind} of;",
                  f"\treturn wt_older_status(amd_dbgapi_{name}_get_info(id, {query}, sizeof(of), &of));", "}"]
    return lines


def generate_older_wrappers(table, older):
    today = numbers(table)
    _prepare(older, today)
    lines = [HEAD, '#include "older-wrappers.h"']
    lines += _statuses(older, table) + _callback_status(older) + _conversions(older, today)
    lines += _back_conversions(older) + _reasons(older)
    lines += _belongings()
    for function in older.functions:
        if not function.by_hand:
            lines += _wrapper(function, older, today)
    lines += [f"WT_OLDER_VERSIONS({function.short});" for function in older.functions if not function.by_hand]
    return "\n".join(lines) + "\n"
