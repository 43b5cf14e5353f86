# SPDX-License-Identifier: MIT
"""C that makes one call of the API from its arguments as data."""


def _argument(table_handles, parameter, index):
    source = f"arguments[{index}]"
    if parameter.shape == "symbolizer":
        return f"{source}.symbolizer"
    if parameter.shape == "value":
        if parameter.type in table_handles:
            return f"({parameter.type}){{ {source}.number }}"
        return f"({parameter.type}){source}.number"
    # All else is a pointer, which C converts from void * by itself.
    return f"{source}.pointer"


def _case(table_handles, function):
    arguments = ", ".join(_argument(table_handles, p, i) for i, p in enumerate(function.parameters))
    call = f"api->{function.short}({arguments})"
    yield f"\tcase {function.constant}:"
    if function.returns == "amd_dbgapi_status_t":
        yield f"\t\t*status_ret = (int64_t){call};"
    elif function.returns == "void":
        yield f"\t\t{call};"
    else:
        yield f"\t\t*text_ret = {call};"
    yield "\t\treturn;"


def generate_invoke(table):
    handles = {o.handle for o in table.objects}
    lines = [
        "/* Generated from the API table. */",
        '#include "dbgapi/table/invoke.h"',
        "",
        "void wt_invoke(const struct wt_api *api, enum wt_function function,",
        "\t       const struct wt_argument *arguments, int64_t *status_ret, const char **text_ret)",
        "{",
        "\tswitch (function) {",
    ]
    for function in table.functions:
        lines += _case(handles, function)
    lines += ["\tcase WT_FUNCTION_COUNT:", "\t\tbreak;", "\t}", "}"]
    return "\n".join(lines) + "\n"
