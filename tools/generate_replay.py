# SPDX-License-Identifier: MIT
"""The replaying library's exported functions, which hand a call over as data, and what answers from state."""

from api_table import SIGNED

HEAD = "/* Generated from the API table. */"


def generate_replay_header(table):
    """Declarations of the functions that answer from state, and of the table of them."""
    lines = [HEAD, "#ifndef WT_REPLAY_ANSWERS_H", "#define WT_REPLAY_ANSWERS_H", '#include "dbgapi/table/api.h"',
             "/* What is answered where no recorded call answers: each as the function of the API. */"]
    lines += [f"{f.prototype(f'wt_answer_{f.short}')};" for f in table.functions]
    lines += ["extern const struct wt_api wt_answers;", "#endif /* WT_REPLAY_ANSWERS_H */"]
    return "\n".join(lines) + "\n"


def _argument(handles, p):
    if p.shape == "symbolizer":
        return f"{{.symbolizer = {p.name}}}"
    if p.shape != "value":
        return f"{{.pointer = (void *)(uintptr_t){p.name}}}"
    if p.type in handles:
        return f"{{.number = {p.name}.handle}}"
    return f"{{.number = wt_value_load(&{p.name}, sizeof({p.name}), {'true' if p.type in SIGNED else 'false'})}}"


def _entry(handles, f):
    arguments = ", ".join(_argument(handles, p) for p in f.parameters) or "{0}"
    yield f.prototype()
    yield "{"
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


def generate_entry(table):
    """C source: the API's functions, exported; all call wt_replay_call()."""
    handles = {o.handle for o in table.objects}
    lines = [HEAD, "#define AMD_DBGAPI_EXPORTS 1", "#include <amd-dbgapi/amd-dbgapi.h>", "",
             '#include "trace-format/writer/value.h"', '#include "replayer/library/call.h"', ""]
    for f in table.functions:
        lines += _entry(handles, f)
    return "\n".join(lines)


def generate_replay(table):
    """C source: the API's functions as the replaying library exports them."""
    lines = [generate_entry(table), '#include "replay-answers.h"', "", "const struct wt_api wt_answers = {"]
    lines += [f"\t.{f.short} = wt_answer_{f.short}," for f in table.functions]
    return "\n".join([*lines, "};", ""])
