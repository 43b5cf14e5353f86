# SPDX-License-Identifier: MIT
"""Symbol versions that functions had before: exported by our libraries, and looked for in libraries of other levels.

In both directions a call only has to be converted where a level numbered queries otherwise, had enumerations of 64 bits, or has not the
statuses of another. What a level does not number and today's does keeps its number under WT_OTHER_LEVEL, so that it is none of
today's, and is what it was after both directions.
"""

from api_table import number

HEAD = "/* Generated from the API table. */"
# A number that stands for something else today. Beyond all numbers of queries.
OTHER_LEVEL = 0x40000000


def _tag(version):
    return version.removeprefix("AMD_DBGAPI_").replace(".", "_")


class _Older:
    """A function at a symbol version that it is no more at."""

    def __init__(self, whole, ours, function, version):
        self.function, self.version, self.ours = function, version, ours
        self.view = whole.at(whole.last_level(whole_form(whole, function), version))
        self.name = f"{function.short}_at_{_tag(version)}"
        self.wide = self.view.wide
        self.query = next((p for p in function.parameters if p.shape == "out_query"), None)
        self.renumbered, self.pairs = {}, {}
        if self.query:
            self.renumbered = self._renumbered(whole)

    def _renumbered(self, whole):
        """Numbers of queries that are others, or nothing, or something else today."""
        name = self.function.object.queries_of
        self.pairs = pairs = dict(whole.renumbered(name, self.view.level))
        today = {q.value for q in self.function.object.queries}
        differing = {then: now for then, now in pairs.items() if then != now}
        differing.update({n: OTHER_LEVEL | n for n in today if n not in pairs})
        return {then: OTHER_LEVEL | then if now is None else now for then, now in differing.items()}

    @property
    def back(self):
        """Numbers for a library of that level: what it does not have gets a number that it does not have either."""
        back = {now: then for then, now in self.renumbered.items()}
        same = set(self.pairs) - set(self.renumbered)
        lost = {q.value for q in self.function.object.queries} - set(back) - same if self.renumbered else ()
        return {**back, **{n: OTHER_LEVEL | n for n in lost}}

    @property
    def wide_queries(self):
        """Today's numbers of queries whose result had 64 bits and has 32."""
        if not self.query or not self.wide:
            return []
        then = next(o for o in self.view.objects if o.name == self.function.object.name)
        by_number = {self.renumbered.get(q.value, q.value): q for q in then.queries}
        return [q for q in self.function.object.queries
                if q.value in by_number and by_number[q.value].type == "uint64_t" and q.type != "uint64_t"]

    @property
    def lost_statuses(self):
        """Documented statuses that clients of that level do not know."""
        known = {v["name"] for v in self.view.enumerations["amd_dbgapi_status_t"]}
        names = ["AMD_DBGAPI_STATUS_" + s for s in self.function.statuses]
        by_name = {v["name"]: v for v in self.ours.enumerations["amd_dbgapi_status_t"]}
        return [by_name[n] for n in names if n not in known]

    def parameters(self):
        """As at that version: an enumeration of 64 bits is an integer."""
        for p in self.function.parameters:
            base = p.type.removesuffix("*").strip()
            yield p.declaration().replace(base, "uint64_t") if base in self.wide else p.declaration()

    def prototype(self, name):
        f = self.function
        space = "" if f.returns.endswith("*") else " "
        return f"{f.returns}{space}{name}({', '.join(self.parameters()) or 'void'})"

    @property
    def is_plain(self):
        """Nothing has to be converted for a library that has this version; a status less is no matter there."""
        return not (self.renumbered or self.wide_queries or
                    any(p.type.removesuffix("*").strip() in self.wide for p in self.function.parameters))


def whole_form(whole, function):
    return next(f for f in whole.functions if f.symbol == function.symbol and f.versions == function.versions)


def older_functions(whole, of_forms=False):
    """All functions at all versions that are not the one of today's level, oldest first; @of_forms: those of older forms, too."""
    ours = whole.ours()
    for f in ours.functions:
        for version in f.versions:
            if number(version) <= number(whole.api["level"]) and (version != f.version or of_forms and f.is_older):
                yield _Older(whole, ours, f, version)


def _numbers(name, pairs):
    lines = [f"static uint32_t {name}(uint32_t query)", "{", "\tswitch (query) {"]
    lines += [f"\tcase {given:#x}: return {meant:#x};" for given, meant in sorted(pairs.items())]
    return lines + ["\t}", "\treturn query;", "}"]


def _status(older):
    """What a client of the level is told in place of a status that it does not know."""
    if not older.lost_statuses:
        return []
    lines = [f"static amd_dbgapi_status_t {older.name}_status(amd_dbgapi_status_t status)", "{", "\tswitch ((int)status) {"]
    lines += [f"\tcase {v['name']}: return {v.get('instead', 'AMD_DBGAPI_STATUS_ERROR')};" for v in older.lost_statuses]
    return lines + ["\t}", "\treturn status;", "}"]


def _is_wide(cases, size):
    tests = " || ".join(f"now == {q.name}" for q in cases)
    return f"({tests}) && value_size == {size}" if tests else ""


def _call(older, callee, out_wide, query):
    """The call of the other form; @out_wide: whether what is called takes 64 bits."""
    arguments = []
    for p in older.function.parameters:
        base = p.type.removesuffix("*").strip()
        if p.name == query:
            arguments.append(f"({p.type})now")
        elif base in older.wide and p.type.endswith("*"):
            arguments.append(f"{p.name} ? &other_{p.name} : NULL")
        elif base in older.wide and not out_wide:
            # What does not fit is no exception of today's either.
            arguments.append(f"({p.type})({p.name} >> 32 ? UINT32_MAX : {p.name})")
        elif base in older.wide:
            # Bit 31 makes an enumeration negative in C.
            arguments.append(f"(uint64_t)(uint32_t){p.name}")
        else:
            arguments.append(p.name)
    return f"{callee}({', '.join(arguments)})"


def _body(older, callee, convert, out_wide):
    """The conversion, in either direction."""
    f = older.function
    mine, theirs = ("uint32_t", "uint64_t") if out_wide else ("uint64_t", "uint32_t")
    pointers = [p for p in f.parameters if p.type.endswith("*") and p.type.removesuffix("*").strip() in older.wide]
    lines = [f"\t{theirs if out_wide else p.pointee} other_{p.name} = 0;" for p in pointers]
    query = f.object and older.query and older.query.query
    if query:
        lines.append(f"\tconst uint32_t now = {convert}((uint32_t){query});" if convert else
                     f"\tconst uint32_t now = (uint32_t){query};")
    for q in older.wide_queries:
        tested = f"(uint32_t){query}" if out_wide else "now"
        lines += [f"\tif ({tested} == {q.name}) {{", f"\t\t{theirs} other = 0;",
                  f"\t\tconst amd_dbgapi_status_t status = {callee}({f.parameters[0].name}, ({f.parameters[1].type})now, "
                  f"value_size == sizeof({mine}) ? sizeof({theirs}) : 1, value ? &other : NULL);",
                  "\t\tif (status == AMD_DBGAPI_STATUS_SUCCESS) {", f"\t\t\tconst {mine} result = ({mine})other;",
                  "\t\t\tmemcpy(value, &result, sizeof(result));", "\t\t}", "\t\treturn status;", "\t}"]
    call = _call(older, callee, out_wide, query)
    if f.returns == "void":
        return lines + [f"\t{call};"]
    if out_wide and query and older.renumbered:
        return lines + [f"\tconst {f.returns} returned = {call};",
                        "\t/* That level does not have what is asked: that is no mistake of who asks. */",
                        f"\treturn returned == AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT && (now & ~(uint32_t){query} & {OTHER_LEVEL:#x}) ? "
                        "AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE : returned;"]
    if older.lost_statuses and not out_wide:
        call = f"{older.name}_status({call})"
    if not pointers:
        return lines + [f"\treturn {call};"]
    lines.append(f"\tconst {f.returns}returned = {call};" if f.returns.endswith("*") else
                 f"\tconst {f.returns} returned = {call};")
    for p in pointers:
        kind = "uint64_t)(uint32_t" if not out_wide else p.pointee
        lines += [f"\tif (returned == AMD_DBGAPI_STATUS_SUCCESS && {p.name})", f"\t\t*{p.name} = ({kind})other_{p.name};"]
    return lines + ["\treturn returned;"]


def generate_versions(whole):
    """C source: each function at each of its older versions, exported, as a call of today's."""
    lines = [HEAD, '#include "dbgapi/table/api-functions.h"', "#include <stddef.h>", "#include <stdint.h>", "#include <string.h>",
             '#define EXPORTED __attribute__((visibility("default")))']
    for older in older_functions(whole, of_forms=True):
        lines += _status(older)
        if older.renumbered:
            lines += _numbers(f"{older.name}_number", older.renumbered)
        lines += _exported(older)
    return "\n".join(lines) + "\n"


def _exported(older):
    name = f"wt_{older.name}"
    convert = f"{older.name}_number" if older.renumbered else ""
    return [f"{older.prototype(name)} EXPORTED;", older.prototype(name), "{",
            *_body(older, older.function.name, convert, False), "}",
            f'__asm__(".symver {name}, {older.function.symbol}@{older.version}");']


def generate_symbols(whole):
    """C source: where in a library each function is looked for, newest version first, and what converts a call for an older one."""
    ours = whole.ours()
    lines = [HEAD, '#include "dbgapi/table/load.h"', "#include <stddef.h>", "#include <string.h>"]
    by_function = {}
    for older in older_functions(whole):
        by_function.setdefault(older.function.name, []).append(older)
        if not older.is_plain:
            lines += _adaptor(older)
    lines.append("const struct wt_symbol wt_symbols[] = {")
    for f in ours.functions:
        lines.append(f'\t{{ {f.constant}, "{f.symbol}", "{f.version}", NULL, NULL }},')
        for older in reversed(by_function.get(f.name, [])):
            adaptor = "NULL, NULL" if older.is_plain else f"(void *)over_{older.name}, (void *)&under_{older.name}"
            lines.append(f'\t{{ {f.constant}, "{f.symbol}", "{older.version}", {adaptor} }},')
        for g in whole.functions:
            if g.converted and g.symbol == f.symbol and not f.is_older:
                lines.append(f'\t{{ {f.constant}, "{f.symbol}", "{g.version or g.versions[0]}", (void *)wt_over_{g.short}, '
                             f"(void *)&wt_under_{g.short} }},")
    lines += ["};", "const size_t wt_symbol_count = sizeof(wt_symbols) / sizeof(wt_symbols[0]);"]
    lines += _absent(ours)
    return "\n".join(lines) + "\n"


def _adaptor(older):
    """A call of today's for a library that has the older version."""
    back = older.back
    lines = []
    if back:
        lines += _numbers(f"{older.name}_number", back)
    lines += [f"static {older.prototype(f'(*under_{older.name})')};",
              f"static {older.function.prototype(f'over_{older.name}')}", "{",
              *_body(older, f"under_{older.name}", f"{older.name}_number" if back else "", True), "}"]
    return lines


# What is answered for a function that a library does not have.
NOTHING = {"amd_dbgapi_status_t": "\treturn AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED;", "const char *": '\treturn "";', "void": ""}


def _absent(ours):
    """What stands for a function that a library does not have."""
    lines = []
    for f in ours.functions:
        lines += [f"static {f.prototype(f'absent_{f.short}')}", "{", *[f"\t(void){p.name};" for p in f.parameters],
                  NOTHING[f.returns], "}"]
    lines.append("void *const wt_absent[WT_FUNCTION_COUNT] = {")
    return lines + [f"\t[{f.constant}] = (void *)absent_{f.short}," for f in ours.functions] + ["};"]
