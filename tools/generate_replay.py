# SPDX-License-Identifier: MIT
"""The replaying library's exported functions, which hand a call over as data, and what answers from state."""

from api_table import FACTS, SIGNED

HEAD = "/* Generated from the API table. */"


def generate_replay_header(table):
    """Declarations of the functions that answer from state, and of the table of them."""
    lines = [HEAD, "#ifndef WT_REPLAY_ANSWERS_H", "#define WT_REPLAY_ANSWERS_H", '#include "dbgapi/table/api.h"',
             "/* What is answered where no recorded call answers: each as the function of the API. */"]
    lines += [f"{f.prototype(f'wt_answer_{f.short}')};" for f in table.functions]
    lines += ["extern const struct wt_api wt_answers;", "#endif /* WT_REPLAY_ANSWERS_H */"]
    return "\n".join(lines) + "\n"


def _number(handles, p):
    if p.type in handles:
        return f"{p.name}.handle"
    return f"wt_value_load(&{p.name}, sizeof({p.name}), {'true' if p.type in SIGNED else 'false'})"


def _argument(handles, p):
    if p.shape == "symbolizer":
        return f"{{.symbolizer = {p.name}}}"
    if p.shape != "value":
        return f"{{.pointer = (void *)(uintptr_t){p.name}}}"
    return f"{{.number = {_number(handles, p)}}}"


# Events are each asked about once or twice; a host has breakpoints of its own.
NOT_CACHED = ("event", "breakpoint")
CACHED_BY_NAME = {"read_register": "REGISTER", "process_next_pending_event": "NO_EVENT", "process_set_progress": "DONE"}


def _cached_form(f):
    """What of a function's answers is kept, as enum wt_cache_form has it; None for nothing."""
    shapes = [p.shape for p in f.parameters]
    if f.is_older or f.returns != "amd_dbgapi_status_t":
        return None
    if f.short in CACHED_BY_NAME:
        return CACHED_BY_NAME[f.short]
    if f.acts or not shapes or (f.object and f.object.name in NOT_CACHED):
        return None
    if shapes == ["value", "value", "value", "out_query"]:
        return "QUERY"
    if set(shapes[:-1]) <= {"value"} and shapes[-1] == "out" and len(shapes) <= 5:
        return "VALUE"
    return None


def _cached_for(table, f):
    named = {p.type for p in f.parameters if p.shape == "value"} & {o.handle for o in table.objects}
    facts = {o.handle for o in table.objects if o.name in FACTS}
    return "WT_CACHE_FACTS" if not f.acts and named <= facts else "WT_CACHE_MOMENT"


def _cached(table, f):
    """What a function of the API begins with: the look for an answer that was kept."""
    form = _cached_form(f)
    if not form:
        return
    handles = {o.handle for o in table.objects}
    head = f"{_cached_for(table, f)}, {f.constant}"
    numbers = [_number(handles, p) for p in f.parameters if p.shape == "value"]
    last = f.parameters[-1].name
    success = "AMD_DBGAPI_STATUS_SUCCESS"
    if form == "QUERY":
        yield "\tamd_dbgapi_status_t kept;"
        yield ""
        yield f"\tif (wt_cache_query({head}, {', '.join(numbers)}, {last}, &kept))"
        yield "\t\treturn kept;"
        return
    if form == "VALUE":
        numbers += ["0"] * (4 - len(numbers))
        call = f"wt_cache_value({head}, {', '.join(numbers)}, sizeof(*{last}), {last})"
    elif form == "REGISTER":
        call = f"wt_cache_register({head}, {', '.join(numbers)}, {last})"
    elif form == "NO_EVENT":
        call = f"wt_cache_no_event({head}, {numbers[0]}, {f.parameters[1].name}, {f.parameters[2].name})"
    else:
        call = f"wt_cache_done({head}, {', '.join(numbers)})"
    yield f"\tif ({call})"
    yield f"\t\treturn {success};"


def _cache_ways(table):
    yield "const struct wt_cache_way wt_cache_ways[WT_FUNCTION_COUNT] = {"
    for f in table.functions:
        form = _cached_form(f)
        if form:
            yield f"\t[{f.constant}] = {{WT_CACHE_{form}, {_cached_for(table, f)}}},"
    yield "};"
    yield ""


def _entry(table, f, cached):
    handles = {o.handle for o in table.objects}
    arguments = ", ".join(_argument(handles, p) for p in f.parameters) or "{0}"
    yield f.prototype()
    yield "{"
    if cached:
        yield from _cached(table, f)
    yield f"\tconst struct wt_argument arguments[] = {{ {arguments} }};"
    if f.returns == "amd_dbgapi_status_t":
        yield "\tint64_t returned = AMD_DBGAPI_STATUS_FATAL;"
    elif f.returns != "void":
        yield f"\t{f.returns}text = NULL;"
    yield ""
    status = "&returned" if f.returns == "amd_dbgapi_status_t" else "NULL"
    text = "NULL" if f.returns in ("amd_dbgapi_status_t", "void") else "&text"
    yield f"\twt_replay_call({f.constant}, arguments, {status}, {text});"
    if f.returns == "amd_dbgapi_status_t":
        yield "\treturn (amd_dbgapi_status_t)returned;"
    elif f.returns != "void":
        yield "\treturn text;"
    yield "}"
    yield ""


def _entries(table, cached):
    lines = [HEAD, "#define AMD_DBGAPI_EXPORTS 1", "#include <amd-dbgapi/amd-dbgapi.h>", "",
             '#include "trace-format/writer/value.h"', '#include "replayer/library/replay-call.h"']
    lines += ['#include "replayer/library/cache.h"'] * cached + [""]
    for f in table.functions:
        lines += _entry(table, f, cached)
    return lines


def generate_entry(table):
    """C source: the API's functions, exported; all call wt_replay_call()."""
    return "\n".join(_entries(table, False))


def generate_replay(table):
    """C source: the API's functions as the replaying library exports them."""
    lines = [*_entries(table, True), *_cache_ways(table), '#include "replay-answers.h"', "", "const struct wt_api wt_answers = {"]
    lines += [f"\t.{f.short} = wt_answer_{f.short}," for f in table.functions]
    return "\n".join([*lines, "};", ""])
