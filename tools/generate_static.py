# SPDX-License-Identifier: MIT
"""The functions of the provider over a device that are answered by tables alone: each calls its wt_static_ form."""

from api_table import FACTS

HEAD = "/* Generated from the API table. */"


def _is_static(table, f):
    """Whether all objects that a function is about are facts; what reads code needs a disassembler beside the tables, older forms are by hand."""
    objects = {o.handle: o.name for o in table.objects}
    named = {objects[t] for p in f.parameters for t in (p.type.split(" ")[0],) if t in objects}
    return not f.is_older and named and named <= set(FACTS) and not any(p.shape == "inout" for p in f.parameters)


def generate_static(table):
    """C source."""
    lines = [HEAD, '#include "dbgapi/simulated/internal.h"', ""]
    for f in table.functions:
        if _is_static(table, f):
            lines += [f.prototype(), "{", "\tconst struct wt_static provider = wt_provider_static();", "",
                      f"\treturn wt_static_{f.short}(&provider, {f.arguments()});", "}", ""]
    return "\n".join(lines)
