# SPDX-License-Identifier: MIT
"""A C file that compiles only if the public header says what the table says."""


def _enumerators(table):
    for values in table.enumerations.values():
        for v in values:
            expected = v["alias"] if "alias" in v else f"({v['value']})"
            # By 32-bit pattern: bit 31 makes an enumerator negative in C.
            yield f'_Static_assert((unsigned)({v["name"]}) == (unsigned){expected}, "{v["name"]}");'


def _functions(table):
    for f in table.functions:
        yield (f"_Static_assert(__builtin_types_compatible_p(__typeof__(&{f.name}), "
               f"__typeof__({f.prototype('(*)')})), \"{f.name}\");")


def _structures(table):
    for name, members in table.structures.items():
        if not members:
            continue
        yield f"struct expected_{name} {{ {members} }};"
        yield (f'_Static_assert(sizeof(struct expected_{name}) == sizeof({name}), "size of {name}");')
        for member in filter(None, (m.strip() for m in members.split(";"))):
            field = member.split()[-1].lstrip("*").split("[")[0]
            yield (f"_Static_assert(offsetof(struct expected_{name}, {field}) == offsetof({name}, {field}), "
                   f'"{name}.{field}");')


def _callbacks(table):
    for c in table.callbacks:
        parameters = ", ".join(c["parameters"])
        space = "" if c["returns"].endswith("*") else " "
        yield (f"_Static_assert(__builtin_types_compatible_p(__typeof__(((amd_dbgapi_callbacks_t *)0)->{c['name']}), "
               f"{c['returns']}{space}(*)({parameters})), \"callback {c['name']}\");")
    yield (f"_Static_assert(sizeof(amd_dbgapi_callbacks_t) == {len(table.callbacks)} * sizeof(void (*)(void)), "
           '"callbacks");')


def generate_header_test(table):
    lines = ["/* Generated from the API table. */", "#include <amd-dbgapi/amd-dbgapi.h>", "#include <stddef.h>",
             "int api_header_matches_table(void);"]
    for part in (_enumerators, _functions, _structures, _callbacks):
        lines += part(table)
    lines.append("int api_header_matches_table(void) { return 1; }")
    return "\n".join(lines) + "\n"
