# SPDX-License-Identifier: MIT
"""The recording library's wrappers: for each function the intent, the call, the answer, and the hooks.

Also what the recorder needs to ask any get_info or list function by number.
"""

from api_table import SIGNED

# Functions with something of their own to do before the intent and after the answer (recorder/moment/hooks.h).
BEFORE = {
    "finalize", "process_detach", "process_set_progress", "process_set_wave_creation", "wave_resume", "write_register",
    "write_memory", "displaced_stepping_start", "displaced_stepping_complete", "event_processed",
}
AFTER = {
    "initialize", "finalize", "process_attach", "process_detach", "process_set_progress",
    "process_set_wave_creation", "process_next_pending_event", "queue_packet_list", "wave_resume", "wave_stop", "wave_register_list", "read_register",
    "read_memory", "set_watchpoint", "remove_watchpoint", "set_watchpoint_0_54", "remove_watchpoint_0_54", "displaced_stepping_start", "displaced_stepping_complete",
    "get_architecture", "dwarf_register_to_register", "dwarf_address_class_to_address_class",
    "dwarf_address_space_to_address_space", "report_breakpoint_hit", "event_processed", "set_memory_precision", "set_alu_exceptions_precision",
}
# Objects that come, change and go while the program runs.
CHANGING = {f"amd_dbgapi_{kind}_id_t" for kind in ("agent", "code_object", "queue", "dispatch", "workgroup", "wave")}
# In which the library looks at what changes, though they name none of it.
LOOKS = {"report_breakpoint_hit"}
# Functions that need a stopped wave, and objects that stay as they are.
NEED_STOPPED = {"read_register", "prefetch_register", "read_memory", "write_memory"}
FACTS = {f"WT_OBJECT_{name}" for name in ("ARCHITECTURE", "REGISTER", "REGISTER_CLASS", "ADDRESS_CLASS", "ADDRESS_SPACE")}
# What to answer without a library to call, where an error status will not do.
UNAVAILABLE = {"get_status_string", "get_version", "get_build_name", "set_log_level"}

# Opaque parameters by type: which table numbers them.
ORDINALS = {
    "amd_dbgapi_client_process_id_t": "client_processes",
    "amd_dbgapi_symbolizer_id_t": "symbolizers",
    "amd_dbgapi_client_thread_id_t": "client_threads",
}
POINTER_OUTPUTS = {"out_array", "out_memory", "out_string", "out_static_string", "out_information"}

HEAD = """/* Generated from the API table. */
#define AMD_DBGAPI_EXPORTS 1
#include <amd-dbgapi/amd-dbgapi.h>

#include <stdlib.h>

#include "dbgapi/client/marshal.h"
#include "recorder/library/callbacks.h"
#include "recorder/library/unavailable.h"
#include "recorder/moment/hooks.h"
#include "recorder/recording/enumerator.h"
#include "recorder/recording/question.h"
"""


def _bool(value):
    return "true" if value else "false"


def _signed(c_type):
    return _bool(c_type in SIGNED)


def _hands_over(f, p):
    """The argument that the wrapped library gets in place of the client's."""
    if p.shape == "callbacks":
        return "wrapped_callbacks"
    if f.short == "disassemble_instruction" and p.shape == "symbolizer":
        return "wrapped_symbolizer"
    if f.short == "disassemble_instruction" and p.shape == "opaque":
        return f"(symbolizer ? (amd_dbgapi_symbolizer_id_t)&symbolizing : {p.name})"
    return p.name


def _input(f, p):
    """One value of CallBegin."""
    if p.shape == "value":
        return f"wt_value_number(wt_value_load(&{p.name}, sizeof({p.name}), {_signed(p.type)}))"
    if p.shape == "opaque":
        return f"wt_value_opaque(&call.recorder->ordinals.{ORDINALS[p.type]}, {p.name})"
    if p.shape == "inout":
        return f"wt_value_in({p.name}, sizeof(*{p.name}), {_signed(p.pointee)})"
    if p.shape == "callbacks":
        return f"wt_value_callbacks({p.name})"
    if p.shape == "in_bytes" and p.length_of:
        return f"wt_value_saved_instruction(&call, wave_id, {p.name})"
    if p.shape == "in_bytes":
        if f.parameter(p.length).shape == "inout":
            return f"wt_value_in_bytes(call.recorder, {p.name}, {p.length}, {p.length} ? *{p.length} : 0)"
        return f"wt_value_in_bytes(call.recorder, {p.name}, true, {p.length})"
    return f"wt_value_pointer({p.name} != NULL)"


def _keep(f, p):
    """What has to be known from before the call to tell its outputs."""
    if p.shape in ("out", "inout"):
        yield f"const uint64_t {p.name}_before = wt_value_load({p.name}, sizeof(*{p.name}), {_signed(p.pointee)});"
    elif p.shape in POINTER_OUTPUTS:
        yield f"const void *const {p.name}_before = wt_value_load_pointer({p.name});"
    elif p.shape == "out_query":
        yield f"struct wt_value_query {p.name}_query;"
        yield (f"wt_value_query_before(&{p.name}_query, {f.object.constant}, (uint32_t){p.query}, "
               f"{p.length}, {p.name});")


def _length(f, name):
    """(is it known, the length) of bytes that came back."""
    p = f.parameter(name)
    if p.shape == "value":
        return "true", name
    if p.shape == "inout":
        return "true", f"({name} ? (*{name} < {name}_before ? *{name} : {name}_before) : 0)"
    return name, f"({name} ? *{name} : 0)"


def _output(f, p):
    """One value of CallEnd."""
    if p.shape in ("out", "inout"):
        return f"wt_value_out(failed, {p.name}, sizeof(*{p.name}), {_signed(p.pointee)}, {p.name}_before)"
    if p.shape == "out_bytes":
        return f"wt_value_out_bytes(call.recorder, failed, {p.name}, {_length(f, p.length)[1]})"
    if p.shape in ("out_array", "out_memory"):
        known, length = _length(f, p.count or p.length)
        if p.shape == "out_array":
            length = f"{length} * sizeof({p.element})"
        return f"wt_value_out_memory(call.recorder, failed, {p.name}, {p.name}_before, {known}, {length})"
    if p.shape in ("out_string", "out_static_string"):
        return f"wt_value_out_string(call.recorder, failed, {p.name}, {p.name}_before)"
    if p.shape == "out_information":
        return (f"wt_value_out_memory(call.recorder, failed, {p.name}, {p.name}_before, instruction_kind, "
                "instruction_kind ? wt_marshal_information_size((uint32_t)*instruction_kind) : 0)")
    if p.shape == "out_query":
        handle = f.parameters[0].name
        return (f"wt_value_query_after(call.recorder, &{p.name}_query, failed, {f.object.constant}, "
                f"{handle}.handle)")
    raise ValueError(f"{f.name}: {p.name}: no way to record shape {p.shape}")


def _enumerators(f, enumerations):
    """Answers that are values of an enumeration: a library may have more of them than the table."""
    for p in f.parameters:
        if p.shape == "out" and p.pointee in enumerations:
            yield f"if (!failed && {p.name})"
            yield (f"\twt_enumerator_answered(call.recorder, wt_functions[{f.constant}].parameters[{f.parameters.index(p)}]"
                   f".enumeration, (uint32_t)*{p.name});")


def _after(f):
    """Hooks after the answer."""
    status = "returned" if f.returns == "amd_dbgapi_status_t" else None
    arguments = ", ".join(filter(None, ["&call", status, f.arguments()]))
    if f.short in AFTER:
        yield f"wt_after_{f.short}({arguments});"
    if any(p.type == "amd_dbgapi_wave_id_t" for p in f.parameters) and not f.object:
        # Others show nothing but that the wave is gone.
        if f.short not in NEED_STOPPED:
            yield "if (returned == AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID)"
        yield ("" if f.short in NEED_STOPPED else "\t") + f"wt_after_wave_call(&call, returned, {_bool(f.short in NEED_STOPPED)}, wave_id);"
    if f.object and f.name == f.object.get_info and f.object.constant not in FACTS:
        outputs = [p for p in f.parameters if p.is_output]
        yield (f"wt_after_get_info(&call, returned, {f.object.constant}, {f.parameters[0].name}.handle, "
               f"&{outputs[0].name}_query, &output0);")
    if f.object and f.name == f.object.listing and f.parameters[-1].name == "changed":
        process, count, array, changed = (p.name for p in f.parameters)
        yield (f"wt_after_list(&call, returned, {f.object.constant}, {process}, {count}, "
               f"returned == AMD_DBGAPI_STATUS_SUCCESS ? wt_value_load_pointer({array}) : NULL, {changed});")


def _passed_through(f):
    """The call as it is when nothing is recorded."""
    call = f"call.api->{f.short}({f.arguments()})"
    absent = f"wt_unavailable_{f.short}({f.arguments()})"
    if f.short == "initialize":
        return [f"return wt_initialize_unrecorded(call.recorder, {f.arguments()});"]
    if f.short not in UNAVAILABLE:
        absent = "AMD_DBGAPI_STATUS_ERROR"
    if f.returns == "void":
        return [f"if (call.api)", f"\t{call};", "else", f"\t{absent};", "return;"]
    return [f"return call.api ? {call} : {absent};"]


# Shapes whose values may have bytes.
DATA_SHAPES = {"in_bytes", "out_bytes", "out_array", "out_memory", "out_string", "out_static_string", "out_information",
               "out_query"}


def _has_data(shape, value):
    return shape in DATA_SHAPES and not value.startswith("wt_value_pointer(")


def _values(f, name, field, values, begin):
    """Values one by one, and what encodes them into the packet that @begin gives."""
    lines = []
    for i, (shape, value) in enumerate(values):
        lines.append(f"const struct wt_value {name}{i} = {value};")
        if _has_data(shape, value):
            lines.append(f"const struct wt_value shown_{name}{i} = wt_call_shown(&call, {f.constant}, {name}{i});")
    lines.append(f"struct wt_buffer *{name}_packet = {begin};")
    for i, value in enumerate(values):
        shown = "shown_" if _has_data(*value) else ""
        lines += [f"if ({name}_packet)", f"\twt_encode_value({name}_packet, {field}, &{shown}{name}{i});"]
    return lines


def _setup(f):
    """Replacements for what the client hands over to be called."""
    for p in f.parameters:
        if p.shape == "callbacks":
            yield f"{p.type}wrapped_callbacks = wt_callbacks_wrap(&call, {p.name});"
        if p.shape == "symbolizer":
            yield "struct wt_symbolizing symbolizing;"
            yield (f"const wt_symbolizer wrapped_symbolizer = wt_symbolizer_wrap(&call, &symbolizing, "
                   f"symbolizer_id, {p.name});")


def _inspects(f):
    """Does the client, or the library, learn of the program by it, as it is just then?"""
    return f.short in LOOKS or any(p.name == "changed" or (p.type in CHANGING and not p.is_output) for p in f.parameters)


def _enter(f):
    """The steps before the begin of a call."""
    lines = [f"if (!wt_call_enter(&call, {f.constant})) {{", *["\t" + line for line in _passed_through(f)], "}"]
    if _inspects(f):
        lines.append("wt_before_inspection(&call);")
    if f.short in BEFORE:
        lines.append(f"wt_before_{f.short}({', '.join(filter(None, ['&call', f.arguments()]))});")
    return lines + list(_setup(f))


def _wrapper(f, enumerations):
    inputs = [(p.shape, _input(f, p)) for p in f.parameters]
    lines = ["struct wt_call call;", "", *_enter(f)]
    for p in f.parameters:
        lines += _keep(f, p)
    lines += _values(f, "input", "WT_FIELD_CALL_BEGIN_INPUT", inputs, "wt_call_begin(&call)")
    lines.append("wt_call_start(&call, input_packet);")
    call = f"call.api->{f.short}({', '.join(_hands_over(f, p) for p in f.parameters)})"
    outputs = [(p.shape, _output(f, p)) for p in f.parameters if p.is_output]
    status = "0"
    if f.returns == "amd_dbgapi_status_t":
        lines.append(f"const amd_dbgapi_status_t returned = {call};")
        status = "returned"
    elif f.returns == "void":
        lines.append(f"{call};")
    else:
        lines.append(f"{f.returns}const result = {call};")
        outputs.append(("out_string",
                        "result ? wt_value_limited(call.recorder, result, strlen(result)) : wt_value_present(false)"))
    lines.append("if (wt_call_returned(&call)) {")
    if any("failed" in o for _, o in outputs):
        failed = "returned != AMD_DBGAPI_STATUS_SUCCESS" if status == "returned" else "false"
        lines.append(f"\tconst bool failed = {failed};")
    lines += ["\t" + line for line in _enumerators(f, enumerations)]
    lines += ["\t" + line for line in _values(f, "output", "WT_FIELD_CALL_END_OUTPUT", outputs, f"wt_call_end(&call, {status})")]
    lines.append("\twt_call_finish(&call, output_packet);")
    lines += ["\t" + line for line in _after(f)]
    lines += ["}", "wt_call_leave(&call);"]
    if f.returns == "amd_dbgapi_status_t":
        lines.append("return returned;")
    elif f.returns != "void":
        lines.append("return result;")
    return [f.prototype(), "{", *["\t" + line if line else "" for line in lines], "}", ""]


def _ask_get_info(table):
    functions = {f.name: f for f in table.functions}
    lines = ["amd_dbgapi_status_t wt_ask_get_info(const struct wt_api *api, enum wt_object object,",
             "\tuint64_t handle, uint32_t query, size_t value_size, void *value)", "{", "\tswitch (object) {"]
    for o in table.objects:
        f = functions[o.get_info]
        lines += [f"\tcase {o.constant}:",
                  f"\t\treturn api->{f.short}(({o.handle}){{handle}}, ({o.queries_of})query, value_size, value);"]
    return lines + ["\tcase WT_OBJECT_COUNT:", "\t\tbreak;", "\t}",
                    "\treturn AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;", "}", ""]


def _lists(table):
    """Functions of the form (handle, count, array[, changed])."""
    for f in table.functions:
        shapes = [p.shape for p in f.parameters]
        if shapes[:3] == ["value", "out", "out_array"]:
            yield f


def _ask_list(table):
    lines = ["amd_dbgapi_status_t wt_ask_list(const struct wt_api *api, enum wt_function function,",
             "\tuint64_t owner, size_t *count_ret, uint64_t **handles_ret)", "{",
             "\tamd_dbgapi_status_t status;", "", "\t*count_ret = 0;", "\t*handles_ret = NULL;",
             "\tswitch ((int)function) {"]
    for f in _lists(table):
        owner, _, array = f.parameters[:3]
        extra = ", NULL" if len(f.parameters) > 3 else ""
        lines += [f"\tcase {f.constant}: {{", f"\t\t{array.element} *array = NULL;", "",
                  f"\t\tstatus = api->{f.short}(({owner.type}){{owner}}, count_ret, &array{extra});",
                  "\t\t*handles_ret = status == AMD_DBGAPI_STATUS_SUCCESS ? (uint64_t *)(void *)array : NULL;",
                  "\t\treturn status;", "\t}"]
    return lines + ["\tdefault:", "\t\treturn AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;", "\t}", "}", ""]


def generate_record(table):
    """C source: the API's functions as the recording library exports them."""
    lines = [HEAD]
    for f in table.functions:
        lines += _wrapper(f, table.enumerations)
    lines += _ask_get_info(table)
    lines += _ask_list(table)
    return "\n".join(lines)
