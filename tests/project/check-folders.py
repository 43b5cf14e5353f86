#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hold the order of folders and of the rooms in them against the includes and the libraries that are linked.

A folder may use only what stands in its list, a room only the rooms that stand after it in its folder's list; test code may
use everything. With --graph the rooms and the arrows between them are printed, and circles of files within a room.

Usage: check-folders.py ROOT [--graph]
"""

import collections
import pathlib
import re
import sys

# Folder -> folders it may include from.
ALLOWED = {
    "base": set(),
    "gfx": set(),
    "device": {"gfx", "base"},
    "driver": {"device", "gfx", "base"},
    "dbgapi": {"device", "gfx", "base"},
    "trace-format": {"base"},
    "recorder": {"trace-format", "dbgapi", "device", "gfx", "base"},
    "replayer": {"trace-format", "dbgapi", "gfx", "base"},
    "cli": {"recorder", "replayer", "trace-format", "dbgapi", "driver", "device", "gfx", "base"},
}

# The rooms of a folder, top first; "." is what lies in the folder itself.
ROOMS = {
    "base": ["."],
    "gfx": ["isa", "alu", "wave", "instruction", "operand", "architecture"],
    "device": ["machine", "code-object", "workload", "save-area", "."],
    "driver": ["owner", "engine", "memory", "program", "wire"],
    "dbgapi": ["older", "simulated", "core", "architecture", "client", "table", "include"],
    "trace-format": ["rewrite", "reader", "writer", "container", "state", "message", "."],
    "recorder": ["agent", "library", "moment", "host", "recording"],
    "replayer": ["library", "control", "host", "timeline", "view", "verify", "recorded", "code"],
    "cli": ["."],
}

# Rooms that may include the private header of another one, because they work on the same structures.
FRIENDS = {("trace-format/rewrite", "trace-format/writer")}
PRIVATE = "internal.h"

# Libraries that only some folders may include, by the start of the header's name.
RESERVED = {
    "amd-dbgapi/": {"dbgapi", "recorder", "replayer", "cli"},
    "protobuf-c/": {"trace-format"},
    "zstd": {"trace-format"},
    "sodium": {"trace-format"},
    "isa-l": {"trace-format"},
    "llvm-c/": {"dbgapi"},
    "elfutils/": {"recorder", "replayer"},
    "dwarf": {"replayer"},
    "gelf": {"device", "dbgapi", "recorder", "replayer"},
    "libelf": {"device", "dbgapi", "recorder", "replayer"},
    "jansson": {"cli", "device"},
    "argp": {"cli"},
}

# What gfx/ and the libraries must never call: they have no I/O and no say over the process.
PRINTS = "v?f?printf|perror|f?puts|f?putc|putchar|warnx?|syslog"
ENDS = "abort|_?exit|_Exit|errx?"
FORBIDDEN_CALLS = {
    "gfx": rf"\b(malloc|calloc|realloc|free|fopen|open|getenv|{PRINTS}|{ENDS})\s*\(",
    "trace-format": rf"\b(getenv|{PRINTS}|{ENDS})\s*\(",
    "recorder": rf"\b(signal|sigaction|{PRINTS}|{ENDS})\s*\(",
    "replayer": rf"\b(signal|sigaction|{PRINTS}|{ENDS})\s*\(",
    "device": rf"\b(getenv|signal|sigaction|{PRINTS}|{ENDS})\s*\(",
    "dbgapi": rf"\b(signal|sigaction|{PRINTS}|{ENDS})\s*\(",
}

# What a folder must not name, in code: the device does not know who asks.
FORBIDDEN_WORDS = {folder: r"\b(amd_dbgapi_\w+|AMD_DBGAPI_\w+)" for folder in ("device", "driver")}

# Dependencies of the build, and the folder that each belongs to.
LINKED = {
    "gfx_dep": "gfx", "device_dep": "device", "simulated_device_dep": "device", "owner_dep": "driver", "api_dep": "dbgapi", "core_dep": "dbgapi",
    "disassemble_dep": "dbgapi", "architecture_info_dep": "dbgapi", "trace_format_dep": "trace-format",
    "recorder_dep": "recorder", "view_dep": "replayer", "verify_dep": "replayer",
}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
STRINGS_AND_COMMENTS = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"', re.DOTALL)


def without_comments(text):
    return STRINGS_AND_COMMENTS.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def room_of(name):
    """The room of a path below the root: ("replayer", "view"), or ("base", ".")."""
    parts = name.split("/")
    return parts[0], parts[1] if len(parts) > 2 else "."


def includes(text):
    """(line number, delimiter, name) of every include."""
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1], match[2]


def check_room(path, name):
    """An include within a folder, of another room: against the order?"""
    folder, here = room_of(path)
    there = room_of(name)[1]
    order = ROOMS[folder]
    if there == here:
        return
    if there not in order:
        yield f"{folder}/{there}/ is no room of the list"
    elif here in order and order.index(there) < order.index(here):
        yield f"{folder}/{here}/ may not include {name}: {folder}/{there}/ stands above it"
    elif name.endswith("/" + PRIVATE) and (f"{folder}/{here}", f"{folder}/{there}") not in FRIENDS:
        yield f"{folder}/{here}/ may not include {name}, which is private to its room"


def check_include(path, delimiter, name):
    folder, top = room_of(path)[0], name.split("/")[0]
    if delimiter == '"' and top in ALLOWED:
        if top == folder:
            yield from check_room(path, name)
        elif top not in ALLOWED[folder]:
            yield f"{folder}/ may not include {name}"
        elif name.endswith("/" + PRIVATE):
            yield f"{folder}/ may not include {name}, which is private to its room"
    for prefix, folders in RESERVED.items():
        if name.startswith(prefix) and folder not in folders:
            yield f"{folder}/ may not include {name}"


def check_includes(path, text):
    for number, delimiter, name in includes(text):
        for problem in check_include(path, delimiter, name):
            yield f"{path}:{number}: {problem}"


def check_code(path, text):
    folder = room_of(path)[0]
    plain = without_comments(text)
    for patterns, verb, ending in ((FORBIDDEN_CALLS, "call", "()"), (FORBIDDEN_WORDS, "name", "")):
        for match in re.finditer(patterns.get(folder, r"(?!)"), plain):
            line = plain.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: {folder}/ may not {verb} {match[1]}{ending}"


def check_guard(path, text):
    """A header's guard is its path, so that no two are alike."""
    if path.endswith(".h") and "/include/" not in path:
        name = re.sub(r"\W", "_", path[:-2]).upper() + "_H"
        guard = name if name.startswith("GFX_") else "WT_" + name
        if f"#ifndef {guard}\n#define {guard}\n" not in text:
            yield f"{path}: its include guard is not {guard}"


def check_place(path):
    folder, room = room_of(path)
    if room not in ROOMS[folder]:
        yield f"{path}: {folder}/{room}/ is no room of the list"
    elif path.rsplit("/", 1)[-1].startswith(room + "-"):
        yield f"{path}: a file does not repeat the name of its room"


def check_links(path, text):
    """Link order: a folder's meson.build names only the dependencies of folders it may use."""
    folder = room_of(path)[0]
    for word in set(re.findall(r"\w+_dep\b", re.sub(r"#.*", "", text))):
        owner = LINKED.get(word, folder)
        if owner != folder and owner not in ALLOWED[folder]:
            yield f"{path}: {folder}/ may not link {word}"


def sources(root):
    """(path below the root, text) of every source and build file, in order."""
    for folder in ALLOWED:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".c", ".h") or path.name == "meson.build":
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def check(root):
    files = 0
    for path, text in sources(root):
        if path.endswith("meson.build"):
            yield from check_links(path, text)
            continue
        files += 1
        for rule in (check_includes, check_code, check_guard):
            yield from rule(path, text)
        yield from check_place(path)
    if not files:
        yield "no files"


def circles(arrows):
    """The sets of names that reach each other, by Tarjan's algorithm."""
    index, low, stack, found = {}, {}, [], []

    def visit(name):
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(arrows.get(name, ())):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            group = stack[stack.index(name):]
            del stack[stack.index(name):]
            if len(group) > 1:
                found.append(sorted(group))

    for name in sorted(arrows):
        if name not in index:
            visit(name)
    return found


def print_graph(root):
    rooms, files = collections.Counter(), collections.defaultdict(collections.Counter)
    idea = collections.defaultdict(set)  # a .c and its .h are one idea
    for path, text in sources(root):
        if path.endswith("meson.build"):
            continue
        rooms[room_of(path)] += 1
        for _, delimiter, name in includes(text):
            if delimiter == '"' and name.split("/")[0] in ALLOWED:
                files[room_of(path)][room_of(name)] += room_of(path) != room_of(name)
                if path[:-2] != name[:-2]:
                    idea[path[:-2]].add(name[:-2])
    for folder, order in ROOMS.items():
        inside = [(here, there) for here in files for there in files[here]
                  if here[0] == there[0] == folder and files[here][there]]
        back = [(here, there) for here, there in inside if order.index(there[1]) < order.index(here[1])]
        print(f"{folder}/: {sum(rooms[folder, room] for room in order)} files, {len(order)} rooms, "
              f"{len(inside)} arrows between them, {len(back)} against the order")
        for room in order:
            to = ", ".join(there[1] for there in sorted(files[folder, room]) if (
                there[0] == folder and files[folder, room][there]))
            print(f"  {room:<14}{rooms[folder, room]:>4} files{'  -> ' + to if to else ''}")
    found = circles(idea)
    print(f"{len(found)} circles of files that include each other")
    for group in found:
        print("  " + " ".join(group))


def main(root, *options):
    if options == ("--graph",):
        print_graph(pathlib.Path(root))
        return 0
    problems = list(check(pathlib.Path(root)))
    print("\n".join(problems) if problems else "every file keeps to its folder and its room")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
