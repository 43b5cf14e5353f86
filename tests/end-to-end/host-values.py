# SPDX-License-Identifier: MIT
"""Inside GDB: at each mark of a program of the host, the functions around it and their variables, a line of JSON each.

WAVETAPE_MARKS: JSON, the names of variables by the line of a mark or a call. WAVETAPE_VALUES: the file to write."""

import json
import os

import gdb


def plain(value):
    """As JSON has it; None for what is not compared: addresses are others on the GPU."""
    kind = value.type.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        return {field.name: plain(value[field]) for field in kind.fields()}
    if kind.code == gdb.TYPE_CODE_ARRAY:
        return [plain(value[i]) for i in range(kind.range()[1] + 1)]
    if kind.code == gdb.TYPE_CODE_ENUM:
        names = {field.enumval: field.name for field in kind.fields()}
        return names.get(int(value), int(value))
    if kind.code == gdb.TYPE_CODE_FLT:
        return float(value)
    if kind.code == gdb.TYPE_CODE_BOOL:
        return bool(value)
    return int(value) if kind.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR) else None


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
