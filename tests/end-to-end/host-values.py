# SPDX-License-Identifier: MIT
"""Inside GDB: at each mark of a program of the host, the functions around it and their variables, a line of JSON each.

WAVETAPE_MARKS: JSON, the names of variables by the line of a mark or a call. WAVETAPE_VALUES: the file to write."""

import json
import os

import gdb


def plain(value):
    """As JSON has it; None for what is not compared: addresses are others on the GPU."""
    kind = value.type.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        return plain(value.referenced_value())
    if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        # Names may come twice, or not be there. Where a base is that several others share is told by a table that has no name in the source.
        return {"members": [[field.name or "", plain(value[field])] for field in kind.fields()
                            if hasattr(field, "bitpos") and not (field.name or "").startswith("_vptr")]}
    if kind.code == gdb.TYPE_CODE_ARRAY:
        return [plain(value[i]) for i in range(kind.range()[1] + 1)]
    if kind.code == gdb.TYPE_CODE_ENUM:
        names = {field.enumval: field.name.split("::")[-1] for field in kind.fields()}
        return names.get(int(value), int(value))
    if kind.code == gdb.TYPE_CODE_FLT:
        return float(value)
    if kind.code == gdb.TYPE_CODE_BOOL:
        return bool(value)
    if kind.code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR):
        return None
    if kind.sizeof > 8:
        # Not every GDB makes a number of so many bytes.
        data = bytes(gdb.selected_inferior().read_memory(value.address, kind.sizeof))
        return int.from_bytes(data, "little", signed=kind.is_signed)
    return int(value)


def arguments(frame):
    block = frame.block()
    while not block.function:
        block = block.superblock
    return {symbol.name: plain(symbol.value(frame)) for symbol in block if symbol.is_argument}


def caller(frame):
    """Where nothing is said of the line of a call, only parameters are sure to have been assigned."""
    names = marks.get(str(frame.find_sal().line))
    return arguments(frame) if names is None else {name: plain(frame.read_var(name)) for name in names}


marks = json.loads(os.environ["WAVETAPE_MARKS"])
gdb.execute("set pagination off")
gdb.execute("break host_mark")
gdb.execute("run")
with open(os.environ["WAVETAPE_VALUES"], "w", encoding="utf-8") as output:
    while gdb.selected_thread():
        frame = gdb.newest_frame().older()
        line = frame.find_sal().line
        shown = {"lane": int(gdb.parse_and_eval("host_lane")), "line": line, "callers": [], "lines": [],
                 "values": {name: plain(frame.read_var(name)) for name in marks[str(line)]}}
        functions = [frame.name()]
        while frame.older() and frame.older().name() != "main":
            frame = frame.older()
            functions.append(frame.name())
            shown["callers"].append(caller(frame))
            shown["lines"].append(frame.find_sal().line)
        shown["functions"] = functions
        print(json.dumps(shown), file=output)
        gdb.execute("continue")
