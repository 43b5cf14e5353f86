# SPDX-License-Identifier: MIT
"""A C file that compiles only if the public header says, at a level, what the table says of that level, and no more."""


def _enumerators(table):
    for name, values in table.enumerations.items():
        # By 32-bit pattern: bit 31 makes an enumerator negative in C.
        kind = "uint64_t" if name in table.wide else "uint32_t"
        for v in values:
            expected = v["alias"] if "alias" in v else f"({v['value'] & 0xffffffff}ULL)"
            if "value" in v and name in table.wide:
                expected = f"({v['value'] & 0xffffffffffffffff if v['value'] > 0 else v['value'] & 0xffffffff}ULL)"
            yield f'_Static_assert(({kind})({v["name"]}) == ({kind}){expected}, "{v["name"]}");'
        yield f'_Static_assert(sizeof({name}) == sizeof({kind}), "size of {name}");'


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


def _absent(table, whole):
    """What other levels have and this one has not: its names are free."""
    there = {f.name for f in table.functions} | set(table.enumerations) | set(table.structures)
    there |= {v["name"] for values in table.enumerations.values() for v in values}
    for level in whole.levels:
        other = whole.at(level["level"])
        names = [f.name for f in other.functions] + list(other.enumerations) + list(other.structures)
        names += [v["name"] for values in other.enumerations.values() for v in values]
        for name in names:
            if name not in there:
                there.add(name)
                yield f"enum {{ {name} }};"


def _callbacks(table):
    for c in table.callbacks:
        parameters = ", ".join(c["parameters"])
        space = "" if c["returns"].endswith("*") else " "
        yield (f"_Static_assert(__builtin_types_compatible_p(__typeof__(((amd_dbgapi_callbacks_t *)0)->{c['name']}), "
               f"{c['returns']}{space}(*)({parameters})), \"callback {c['name']}\");")
    yield (f"_Static_assert(sizeof(amd_dbgapi_callbacks_t) == {len(table.callbacks)} * sizeof(void (*)(void)), "
           '"callbacks");')


def generate_header_test(whole, level):
    table = whole.at(level)
    lines = ["/* Generated from the API table. */", "#include <amd-dbgapi/amd-dbgapi.h>", "#include <stddef.h>",
             f"#if AMD_DBGAPI_VERSION_MINOR != {level.split('.')[1]}", "#error \"another level\"", "#endif"]
    for part in (_enumerators, _functions, _structures, _callbacks):
        lines += part(table)
    lines += _absent(table, whole)
    return "\n".join(lines) + "\n"
