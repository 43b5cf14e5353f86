#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A provider of the API that answers every function with values made up from the table, and what a
recording of calls to it must hold.

Usage: generate_fake.py provider|cases|version-script TABLE OUTPUT

The expectations are written out here, by the rules of docs/trace-model.md, without the generator that makes the
recording library.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools"))

import api_table  # noqa: E402
from generate_map import generate_version_script  # noqa: E402

WIDE = {"uint64_t", "size_t", "amd_dbgapi_size_t", "amd_dbgapi_global_address_t", "amd_dbgapi_segment_address_t",
        "amd_dbgapi_os_queue_packet_id_t"}
ORDINALS = {"amd_dbgapi_client_process_id_t": 1, "amd_dbgapi_symbolizer_id_t": 1,
            # The provider's own thread, in an answer of event_get_info, comes before the test's.
            "amd_dbgapi_client_thread_id_t": 2}
THREAD = "amd_dbgapi_client_thread_id_t"
ARRAY = 3
MEMORY = bytes([0xde, 0xad, 0xbe, 0xef, 0x55])
BYTES = 24


def base(table, f, p):
    return (table.functions.index(f) + 1) * 0x100 + f.parameters.index(p) + 1


def is_wide(table, c_type):
    return c_type in WIDE or c_type in {o.handle for o in table.objects}


def in_number(table, f, p, c_type):
    """What the test passes in: 0 is no handle, and an inout length is the length of the bytes."""
    if c_type == "amd_dbgapi_status_t":
        return 0xffffffffffffffff
    return base(table, f, p) | (0x1000000000000 if is_wide(table, c_type) else 0)


def out_number(table, f, p):
    if p.name == "instruction_kind":
        return 7
    return (base(table, f, p) ^ 0xffff) | (0x5500000000 if is_wide(table, p.pointee) else 0)


def elements(table, f, p):
    return [base(table, f, p) * 16 + k for k in range(ARRAY)]


def text(f, p):
    return f"text of {f.short} {p.name}"


def le64(values):
    return b"".join(v.to_bytes(8, "little") for v in values)


def length_users(f):
    """Lengths that something in the call depends on: name to the number of bytes."""
    lengths = {}
    for p in f.parameters:
        if p.shape in ("in_bytes", "out_bytes", "out_query") and p.length:
            lengths[p.length] = BYTES
        if p.shape == "out_array":
            lengths[p.count] = ARRAY
        if p.shape == "out_memory":
            lengths[p.length] = len(MEMORY)
    return lengths


def handle_literal(table, c_type, number):
    if c_type in {o.handle for o in table.objects}:
        return f"({c_type}){{{number:#x}u}}"
    if number == 0xffffffffffffffff:
        return f"({c_type})-1"
    return f"({c_type}){number:#x}u"


def queries_of(table, f):
    return f.object.queries if any(p.shape == "out_query" for p in f.parameters) else [None]


def query_bytes(q):
    """The marshalled result of a query."""
    if q.name.endswith("BREAKPOINT_INSTRUCTION_SIZE"):
        return (4).to_bytes(8, "little")
    if q.name.endswith("REGISTER_INFO_SIZE"):
        return (8).to_bytes(8, "little")
    if q.result == "fixed":
        return None  # as many bytes of the pattern as the type has
    if q.result == "string":
        return q.name.encode()
    if q.result == "bytes":
        return bytes([1, 2, 3, 4])
    if q.result == "handles":
        return le64([0x77, 0x78])
    return (1).to_bytes(4, "little") + b"corest"


def provider_query(q):
    """C that answers one query into `value`."""
    data = query_bytes(q)
    if q.result == "fixed" and data is None:
        return [f"for (size_t i = 0; i < sizeof({q.type}); i++)",
                f"\t((uint8_t *)value)[i] = (uint8_t)({q.value} + i);"]
    if q.result == "fixed":
        return [f"{q.type} result = {int.from_bytes(data, 'little')};", "memcpy(value, &result, sizeof(result));"]
    if q.result == "string":
        return [f'char *result = fake_string("{q.name}");', "memcpy(value, &result, sizeof(result));"]
    if q.result == "bytes":
        return ["static const uint8_t bytes[] = {1, 2, 3, 4};", "void *result = fake_memory(bytes, sizeof(bytes));",
                "memcpy(value, &result, sizeof(result));"]
    if q.result == "handles":
        return ["static const uint64_t handles[] = {0x77, 0x78};",
                "amd_dbgapi_watchpoint_list_t result = {2, fake_memory(handles, sizeof(handles))};",
                "memcpy(value, &result, sizeof(result));"]
    return ["amd_dbgapi_core_state_data_t result = {AMD_DBGAPI_ENDIAN_LITTLE, 6, fake_memory(\"corest\", 6)};",
            "memcpy(value, &result, sizeof(result));"]


def provider_output(table, f, p):
    """C that writes one output."""
    if p.shape in ("out", "inout"):
        number = out_number(table, f, p)
        lengths = length_users(f)
        if p.shape == "inout":
            return [f"if ({p.name} && *{p.name})", f"\t*{p.name} -= 1;"]
        if p.name in lengths:
            number = lengths[p.name]
        return [f"if ({p.name})", f"\t*{p.name} = {handle_literal(table, p.pointee, number)};"]
    if p.shape == "out_bytes":
        length = f"*{p.length}" if f.parameter(p.length).shape == "inout" else p.length
        return [f"if ({p.name})", f"\tfake_fill({p.name}, (size_t){length} < {BYTES} ? (size_t){length} : {BYTES});"]
    if p.shape == "out_array":
        values = ", ".join(f"{v:#x}u" for v in elements(table, f, p))
        return [f"if ({p.name}) {{", f"\tstatic const uint64_t handles[] = {{{values}}};", "",
                f"\t*{p.name} = fake.empty ? NULL : fake_memory(handles, sizeof(handles));", "}"]
    if p.shape == "out_memory":
        values = ", ".join(str(v) for v in MEMORY)
        return [f"if ({p.name}) {{", f"\tstatic const uint8_t bytes[] = {{{values}}};", "",
                f"\t*{p.name} = fake.empty ? NULL : fake_memory(bytes, sizeof(bytes));", "}"]
    if p.shape == "out_string":
        return [f"if ({p.name})", f'\t*{p.name} = fake_string("{text(f, p)}");']
    if p.shape == "out_static_string":
        return [f"if ({p.name})", f'\t*{p.name} = "{text(f, p)}";']
    if p.shape == "out_information":
        return [f"if ({p.name}) {{", "\tstatic const uint64_t registers[] = {11, 12, 13, 14};", "",
                f"\t*{p.name} = fake_memory(registers, sizeof(registers));", "}"]
    if p.shape == "out_query":
        lines = [f"if ({p.name}) {{", f"\tswitch ((uint32_t){p.query}) {{"]
        for q in f.object.queries:
            lines += [f"\tcase {q.name}: {{", *["\t\t" + line for line in provider_query(q)], "\t\tbreak;", "\t}"]
        return lines + ["\tcase FAKE_UNKNOWN_QUERY:", "\t\tfake_fill(value, value_size);", "\t\tbreak;",
                        "\tdefault:", "\t\tbreak;", "\t}", "}"]
    return []


def provider(table):
    lines = ["/* Generated. */", "#define AMD_DBGAPI_EXPORTS 1", '#include "tests/unit/recorder/fake.h"',
             "#include <stdlib.h>", "#include <string.h>", ""]
    for f in table.functions:
        if f.is_older:
            lines.append(f'__attribute__((visibility("default"))) {f.prototype()};')
        lines += [f.prototype(), "{"]
        for p in f.parameters:
            lines.append(f"\t(void){p.name};")
        lines.append(f"\tfake_enter({f.constant});")
        if f.short == "initialize":
            lines.append("\tfake_initialize(callbacks);")
        if any(p.shape == "symbolizer" for p in f.parameters):
            lines.append("\tfake_symbolize(symbolizer_id, symbolizer);")
        if f.short == "process_next_pending_event":
            # Instead of those made up: what the test wants.
            lines += ["\tif (fake_gives_event(event_id, kind))", f"\t\treturn fake_leave({f.constant});"]
        body = [line for p in f.parameters if p.is_output for line in provider_output(table, f, p)]
        if body and f.returns == "amd_dbgapi_status_t":
            lines += ["\tif (fake_writes()) {", *["\t\t" + line for line in body], "\t}"]
        else:
            lines += ["\t" + line for line in body]
        if f.returns == "amd_dbgapi_status_t":
            lines.append(f"\treturn fake_leave({f.constant});")
        elif f.returns == "const char *":
            lines.append('\treturn "a build";')
        lines.append("}")
        if f.is_older:
            lines.append(f'__asm__(".symver {f.name}, {f.symbol}@{f.version}");')
        lines.append("")
    return "\n".join(lines)


def absent():
    return "{.form = WT_VALUE_ABSENT}"


def number(value):
    return f"{{.form = WT_VALUE_NUMBER, .number = {value:#x}u}}"


def present(value):
    return f"{{.form = WT_VALUE_PRESENT, .number = {int(value)}}}"


def data(value):
    literal = "".join(f"\\x{byte:02x}" for byte in value)
    return f'{{.form = WT_VALUE_DATA, .data = (const uint8_t *)"{literal}", .size = {len(value)}}}'


def pattern(name, size):
    return (f"{{.form = WT_VALUE_DATA, .data = {name}, .size = {size}}}")


def test_bytes(f, p):
    return bytes((len(f.name) + i) & 0xff for i in range(BYTES))


def test_length(f, p):
    """The length the test passes for a parameter others depend on, or None."""
    users = [q for q in f.parameters if p.name in (q.length, q.count)]
    if any(q.shape in ("in_bytes", "out_bytes") for q in users):
        return BYTES
    return None


def case_argument(table, f, p, q):
    """(declarations, argument, expected input) of a call with everything given."""
    v = f"p_{p.name}"
    length = test_length(f, p)
    if p.shape == "value":
        if p.type == f.object_query_type():
            return [], q.name, number(q.value)
        if p.name == "value_size" and q:
            return [], f"sizeof({q.type})", f"{{.form = WT_VALUE_NUMBER, .number = sizeof({q.type})}}"
        value = length if length is not None else in_number(table, f, p, p.type)
        return [], handle_literal(table, p.type, value), number(value)
    if p.shape == "opaque":
        return [], f"({p.type})(void *)&journal_identity", number(ORDINALS[p.type])
    if p.shape == "inout":
        value = length if length is not None else in_number(table, f, p, p.pointee)
        return [f"{p.pointee} {v} = {handle_literal(table, p.pointee, value)};"], f"&{v}", number(value)
    if p.shape == "in_bytes":
        value = test_bytes(f, p)
        if p.length_of:
            value = value[:4]
        literal = ", ".join(str(b) for b in test_bytes(f, p))
        return [f"static const uint8_t {v}[] = {{{literal}}};"], v, data(value)
    if p.shape == "callbacks":
        return [], "&journal_callbacks", number(0x7f)
    if p.shape == "symbolizer":
        return [], "test_symbolizer", present(True)
    if p.shape == "out_bytes":
        return [f"uint8_t {v}[{BYTES}] = {{0}};"], v, present(True)
    if p.shape == "out_query":
        return ["_Alignas(16) uint8_t p_value[64] = {0};"], "p_value", present(True)
    declared = p.pointee
    initial = "{0}" if declared in {o.handle for o in table.objects} else "0"
    if "*" in p.type.removesuffix("*") or p.shape.startswith("out_"):
        initial = "NULL"
    return [f"{declared} {v} = {initial};".replace("* ", "*")], f"&{v}", present(True)


def expected_output(table, f, p, q, mode):
    """One value of CallEnd: mode is success, untouched (an error), touched (an error that wrote)."""
    if mode == "untouched":
        return absent()
    touched = mode == "touched"
    if p.shape in ("out", "inout"):
        lengths = length_users(f)
        if p.shape == "inout":
            return number(lengths[p.name] - 1)
        return number(lengths.get(p.name, out_number(table, f, p)))
    if p.shape == "out_bytes":
        size = BYTES - 1 if f.parameter(p.length).shape == "inout" else BYTES
        return absent() if touched else pattern("fake_pattern", size)
    if p.shape == "out_query":
        if q.result != "fixed":
            return present(True) if touched else data(query_bytes(q))
        known = le64([1]) if q.type == THREAD else query_bytes(q)
        return data(known) if known else pattern(f"p_{q.name}", f"sizeof({q.type})")
    if touched:
        return present(True)
    if p.shape == "out_array":
        return data(le64(elements(table, f, p)))
    if p.shape == "out_memory":
        return data(MEMORY)
    if p.shape == "out_information":
        return data(le64([11, 12, 13, 14]))
    return data(text(f, p).encode())


def expectations(name, values):
    return [f"\tstatic const struct wt_value {name}[] = {{", *[f"\t\t{v}," for v in values], "\t\t{0},", "\t};"]


def case(table, f, q, index):
    query_type = f.object.queries_of if q else ""
    f.object_query_type = lambda: query_type
    declarations, arguments, inputs = [], [], []
    for p in f.parameters:
        declared, argument, expected = case_argument(table, f, p, q)
        declarations += declared
        arguments.append(argument)
        inputs.append(expected)
    outputs = [p for p in f.parameters if p.is_output]
    lines = [f"static void case_{index}(const struct wt_api *api, struct expected *expected)", "{"]
    if q and q.result == "fixed" and query_bytes(q) is None and q.type != THREAD:
        lines += [f"\tstatic uint8_t p_{q.name}[sizeof({q.type})];"]
    extra = ['{.form = WT_VALUE_DATA, .data = (const uint8_t *)"a build", .size = 7}'] if f.returns == "const char *" else []
    lines += expectations("inputs", inputs)
    for mode in ("success", "untouched", "touched"):
        lines += expectations(f"outputs_{mode}", [expected_output(table, f, p, q, mode) for p in outputs] + extra)
    lines += ["\t" + d for d in declarations]
    call = f"api->{f.short}({', '.join(arguments)})"
    if q and q.result == "fixed" and query_bytes(q) is None and q.type != THREAD:
        lines += [f"\tfor (size_t i = 0; i < sizeof({q.type}); i++)",
                  f"\t\tp_{q.name}[i] = (uint8_t)({q.value} + i);"]
    lines += [f"\texpected->function = {f.constant};", "\texpected->inputs = inputs;",
              "\texpected->outputs[0] = outputs_success;", "\texpected->outputs[1] = outputs_untouched;",
              "\texpected->outputs[2] = outputs_touched;",
              f"\texpected->input_count = {len(inputs)};", f"\texpected->output_count = {len(outputs) + len(extra)};"]
    if f.returns == "amd_dbgapi_status_t":
        lines.append(f"\texpected->returned = {call};")
    elif f.returns == "void":
        lines += [f"\t{call};", "\texpected->returned = 0;"]
    else:
        lines += [f'\texpected->returned = strcmp({call}, "a build");']
    for p in outputs:
        lines += capture(f, p, q)
    return lines + ["}", ""]


def capture(f, p, q):
    """C that adds what the client got to what is compared between with and without the recorder, and frees."""
    v = f"p_{p.name}"
    if p.shape == "out_query":
        size = f"sizeof({q.type})"
        if q.result == "fixed":
            return [f"\ttest_capture(expected, p_value, {size});"]
        return [f"\ttest_capture_query(expected, {f.object.constant}, {q.name}, p_value);"]
    if p.shape == "out_bytes":
        return [f"\ttest_capture(expected, {v}, {BYTES});"]
    if p.shape == "out_array":
        return [f"\ttest_capture_memory(expected, {v}, {ARRAY * 8}, true);"]
    if p.shape == "out_memory":
        return [f"\ttest_capture_memory(expected, {v}, {len(MEMORY)}, true);"]
    if p.shape == "out_information":
        return [f"\ttest_capture_memory(expected, {v}, 32, true);"]
    if p.shape in ("out_string", "out_static_string"):
        owned = "true" if p.shape == "out_string" else "false"
        return [f"\ttest_capture_memory(expected, {v}, {v} ? strlen({v}) : 0, {owned});"]
    return [f"\ttest_capture(expected, &{v}, sizeof({v}));"]


def null_case(table, f):
    """The call with every pointer NULL."""
    arguments, inputs = [], []
    f.object_query_type = lambda: ""
    for p in f.parameters:
        if p.shape == "value":
            number_in = in_number(table, f, p, p.type)
            arguments.append(handle_literal(table, p.type, number_in))
            inputs.append(number(number_in))
        elif p.shape == "opaque":
            arguments.append("NULL")
            inputs.append(number(0))
        else:
            arguments.append("NULL")
            inputs.append(absent())
    outputs = [p for p in f.parameters if p.is_output]
    lines = [f"static void null_{f.short}(const struct wt_api *api, struct expected *expected)", "{",
             *expectations("inputs", inputs), *expectations("outputs", [absent()] * len(outputs))]
    lines += [f"\texpected->function = {f.constant};", "\texpected->inputs = inputs;",
              "\tfor (int i = 0; i < 3; i++)", "\t\texpected->outputs[i] = outputs;",
              f"\texpected->input_count = {len(inputs)};", f"\texpected->output_count = {len(outputs)};"]
    call = f"api->{f.short}({', '.join(arguments)})"
    lines.append(f"\texpected->returned = {call};" if f.returns == "amd_dbgapi_status_t" else f"\t{call};")
    return lines + ["}", ""]


def cases(table):
    lines = ["/* Generated. */", '#include "tests/unit/recorder/cases.h"', "#include <string.h>", ""]
    names = []
    for f in table.functions:
        for q in queries_of(table, f):
            lines += case(table, f, q, len(names))
            names.append(f"case_{len(names)}")
    lines += ["const test_case test_cases[] = {", *[f"\t{n}," for n in names], "};",
              f"const size_t test_case_count = {len(names)};"]
    # initialize would take the callbacks away, and get_build_name has nothing to be NULL.
    nulls = [f for f in table.functions if f.returns == "amd_dbgapi_status_t" and f.short != "initialize"]
    for f in nulls:
        lines += null_case(table, f)
    lines += ["const test_case test_null_cases[] = {", *[f"\tnull_{f.short}," for f in nulls], "};",
              f"const size_t test_null_case_count = {len(nulls)};"]
    return "\n".join(lines) + "\n"


def version_script(table):
    return generate_version_script(table) + "FAKE {\nglobal:\n\tfake;\n};\n"


def main(arguments):
    kind, table_path, output_path = arguments
    table = api_table.load(table_path)
    table = table.ours()
    generated = {"provider": provider, "cases": cases, "version-script": version_script}[kind](table)
    with open(output_path, "w", encoding="utf-8") as output:
        output.write(generated)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
