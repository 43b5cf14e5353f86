#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hold the order of folders and of the rooms in them against the includes and the libraries that are linked.

A folder may use only what stands in its list, a room only the rooms that stand after it in its folder's list; test code may
use everything. With --graph the rooms and the arrows between them are printed, and circles of files with what ties them.

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
    "replayer": {"trace-format", "dbgapi", "device", "gfx", "base"},
    "tool": {"recorder", "replayer", "trace-format", "dbgapi", "gfx", "base"},
    "libwavetape": {"replayer", "trace-format", "dbgapi", "gfx", "base"},
    "cli": {"recorder", "replayer", "trace-format", "dbgapi", "driver", "device", "gfx", "base"},
}

# The rooms of a folder, top first; "." is what lies in the folder itself.
ROOMS = {
    "base": ["linked", "."],
    "gfx": ["isa", "alu", "wave", "instruction", "operand", "architecture"],
    "device": ["machine", "code-object", "workload", "save-area", "."],
    "driver": ["owner", "debug", "engine", "memory", "program", "wire"],
    "dbgapi": ["older", "gate", "simulated", "host", "kfd", "core", "architecture", "finding", "client", "table", "include"],
    "trace-format": ["rewrite", "reader", "writer", "container", "state", "message", "."],
    "recorder": ["agent", "library", "moment", "host", "naming", "recording"],
    "replayer": ["library", "control", "host", "timeline", "diff", "what-if", "core", "way", "view", "analysis", "verify", "recorded", "journal", "dwarf", "code", "facts"],
    "tool": ["."],
    "libwavetape": [".", "include"],
    "cli": ["doctor", "browse", "serve", "report", "fleet", "files", "record", "replay", "device", "look", "."],
}

# Rooms that may include the private header of another one, because they work on the same structures.
FRIENDS = {("trace-format/rewrite", "trace-format/writer"), ("dbgapi/kfd", "dbgapi/core")}
PRIVATE = "internal.h"

# Libraries that only some folders may include, by the start of the header's name.
RESERVED = {
    "amd-dbgapi/": {"dbgapi", "recorder", "replayer", "cli"},
    "protobuf-c/": set(),
    "zstd": {"replayer", "trace-format"},
    "md5": {"replayer"},
    "llvm-c/": {"dbgapi"},
    "elfutils/": {"recorder", "replayer"},
    "dwarf": {"recorder", "replayer"},
    "gelf": {"device", "dbgapi", "recorder", "replayer"},
    "libelf": {"device", "dbgapi", "recorder", "replayer"},
    "jansson": {"cli", "device"},
    "argp": {"cli"},
    "curses": {"cli"},
    "term.h": {"cli"},
    "wavetape/": {"libwavetape"},
}

# Headers that the build makes; every other one between quotes is named by its path from the root.
GENERATED = {"older-wrappers.h", "replay-answers.h"}

# What gfx/ and the libraries must never call: they have no I/O and no say over the process.
PRINTS = "v?f?printf|perror|f?puts|f?putc|putchar|warnx?|syslog"
ENDS = "abort|_?exit|_Exit|errx?"
FORBIDDEN_CALLS = {
    "gfx": rf"\b(malloc|calloc|realloc|free|fopen|open|getenv|{PRINTS}|{ENDS})\s*\(",
    "trace-format": rf"\b(getenv|{PRINTS}|{ENDS})\s*\(",
    "recorder": rf"\b(signal|sigaction|{PRINTS}|{ENDS})\s*\(",
    "replayer": rf"\b(signal|sigaction|{PRINTS}|{ENDS})\s*\(",
    "libwavetape": rf"\b(getenv|signal|sigaction|{PRINTS}|{ENDS})\s*\(",
    "device": rf"\b(getenv|signal|sigaction|{PRINTS}|{ENDS})\s*\(",
    "dbgapi": rf"\b(signal|sigaction|{PRINTS}|{ENDS})\s*\(",
}

# What a folder must not name, in code: the device does not know who asks.
FORBIDDEN_WORDS = {folder: r"\b(amd_dbgapi_\w+|AMD_DBGAPI_\w+)" for folder in ("device", "driver")}

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
    if top not in ALLOWED:
        if delimiter == '"' and name not in GENERATED:
            yield f"{name} is not named by its path from the root"
    elif top == folder:
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


def linked_folders(root):
    """Which folder's meson.build makes each dependency of ours."""
    return {word: room_of(path)[0] for path, text in sources(root) if path.endswith("meson.build")
            for word in re.findall(r"^(\w+_dep) *=", text, re.MULTILINE)}


def check_links(path, text, owners):
    """Link order: a folder's meson.build names only the dependencies of folders it may use."""
    folder = room_of(path)[0]
    for word in sorted(set(re.findall(r"\w+_dep\b", re.sub(r"#.*", "", text)))):
        owner = owners.get(word, folder)
        if owner != folder and owner not in ALLOWED[folder]:
            yield f"{path}: {folder}/ may not link {word} of {owner}/"


def sources(root):
    """(path below the root, text) of every source and build file, in order."""
    for folder in ALLOWED:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".c", ".h") or path.name == "meson.build":
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def mentions(text):
    """(path, names in it) of each file that the text names: `FILE`: `NAME`, `NAME`; and in pictures FILE: NAME."""
    file = r"[\w.-]+/[\w./-]+\.(?:c|h|py|toml)"
    for path, names in re.findall(rf"`({file})`((?::(?:,? `\w+`)+)?)", text):
        yield path, re.findall(r"\w+", names)
    for path, name in re.findall(rf"(?m)^ {{4}}.* ({file}): (\w+)$", text):
        yield path, [name]


def check_map(root):
    """CONTRIBUTING.md has a row for each room, in this order, and no other; files and functions that it names are there."""
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `([\w-]+)/([\w-]+)/` \|", text)
    for folder, order in ROOMS.items():
        rooms, found = [room for room in order if room != "."], [room for name, room in rows if name == folder]
        if rooms != found:
            yield f"CONTRIBUTING.md: rooms of {folder}/ are {', '.join(rooms)}, not {', '.join(found)}"
    for path, names in mentions(text):
        if not (root / path).is_file():
            yield f"CONTRIBUTING.md: there is no {path}"
            continue
        code = (root / path).read_text(encoding="utf-8")
        for name in names:
            if not re.search(rf"\b{name}\b", code):
                yield f"CONTRIBUTING.md: {path} has no {name}"


def check(root):
    yield from check_map(root)
    files = 0
    owners = linked_folders(root)
    for path, text in sources(root):
        if path.endswith("meson.build"):
            yield from check_links(path, text, owners)
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


# An identifier that is no member, with the word before it where that makes it a tag.
WORD = re.compile(r"(?<!\.)(?<!->)\b(?:(?:struct|union|enum) +)?[A-Za-z_]\w*")
TAG = re.compile(r"\b((?:struct|union|enum) +\w+)\s*\{")
MACRO = re.compile(r"^#\s*define +(\w+)", re.MULTILINE)
INLINE = re.compile(r"^static inline [^;{}=(]*?(\w+)\(", re.MULTILINE)
TYPE = re.compile(r"^typedef\b[^;{}]*?\b(\w+)(?:\)\([^;]*)?;", re.MULTILINE)
ENUMERATORS = re.compile(r"\benum\b[^;{}()]*\{([^}]*)\}")
# What begins at column 0, up to what it ends or opens with.
OUTER = re.compile(r"^(?!typedef\b|extern\b)([a-z_][^;{}=]*)([;{=])", re.MULTILINE)
DIRECTIVE = re.compile(r"^#(.*\\\n)*.*", re.MULTILINE)
ATTRIBUTE = re.compile(r"__attribute__\s*\(\(.*?\)\)\)?")
FUNCTION = re.compile(r"[^(]*?(\w+)\s*\(")
ARRAY = re.compile(r"\[[^]]*\]")
TAG_ALONE = re.compile(r"(?:struct|union|enum) \w+")
VARIABLE = re.compile(r"[\w*]+(?: [\w*]+)* \**(\w+)")


def outer_definitions(plain):
    """The functions and variables that code defines: (name, whether other files see it)."""
    for begin, end in OUTER.findall(DIRECTIVE.sub("", plain)):
        begin = " ".join(ARRAY.sub("", ATTRIBUTE.sub("", begin)).split())
        shared = not begin.startswith("static ")
        function, variable = FUNCTION.match(begin), VARIABLE.fullmatch(begin)
        if function and end == "{":
            yield function[1], shared
        elif variable and end != "{" and not TAG_ALONE.fullmatch(begin):
            yield variable[1], shared


def declared_definitions(plain):
    """The types, macros, enumerators and inline functions of a header."""
    for pattern in (TAG, MACRO, INLINE, TYPE):
        yield from (re.sub(" +", " ", name) for name in pattern.findall(plain))
    for body in ENUMERATORS.findall(plain):
        yield from re.findall(r"(?:^|,)\s*(\w+)", body)


def reached(path, included):
    """The files that one includes, also by way of others, but not by way of a room's private header."""
    found, todo = set(), [path]
    while todo:
        for name in included.get(todo.pop(), ()):
            if name not in found and not name.endswith("/" + PRIVATE):
                found.add(name)
                todo.append(name)
    return found


def ideas(root):
    """
    What each idea takes of the others in its room: {idea: {idea: names}}. A .c and its .h are one idea, called by their path
    without the ending; the private header of a room is none, for it belongs to all of them. An idea takes what one
    other alone defines and it names: in a header that it includes, or in a .c, for its own .c.
    """
    words, included, owners = {}, {}, collections.defaultdict(set)
    for path, text in sources(root):
        if path.endswith(("meson.build", "/" + PRIVATE)):
            continue
        plain = without_comments(text)
        declared, outer = set(declared_definitions(plain)), dict(outer_definitions(plain))
        words[path] = set(WORD.findall(plain)) - declared - outer.keys()
        included[path] = [name for _, _, name in includes(text)]
        for name in declared if path.endswith(".h") else filter(outer.get, outer):
            owners[name].add(path)
    takes = collections.defaultdict(lambda: collections.defaultdict(set))
    for path in words:
        headers = reached(path, included)
        for name in words[path] & owners.keys():
            owner, *others = owners[name]
            if not others and room_of(path) == room_of(owner) and path[:-2] != owner[:-2] and (
                    owner in headers if owner.endswith(".h") else path.endswith(".c")):
                takes[path[:-2]][owner[:-2]].add(name)
    return takes


def print_circles(takes):
    found = circles(takes)
    print(f"{len(found)} circles of files")
    for group in found:
        print("  " + " ".join(group))
        for idea in group:
            for other in sorted(set(takes[idea]) & set(group)):
                names = sorted(takes[idea][other])
                more = f", and {len(names) - 6} more" if len(names) > 6 else ""
                print(f"    {idea} -> {other}: {', '.join(names[:6])}{more}")


def print_graph(root):
    rooms, arrows = collections.Counter(), collections.Counter()
    for path, text in sources(root):
        if path.endswith("meson.build"):
            continue
        here = room_of(path)
        rooms[here] += 1
        arrows.update((here, room_of(name)) for _, _, name in includes(text)
                      if name.split("/")[0] in ALLOWED and room_of(name) != here)
    against = 0
    for folder, order in ROOMS.items():
        inside = [(here[1], there[1]) for here, there in arrows if here[0] == there[0] == folder]
        back = [(here, there) for here, there in inside if order.index(there) < order.index(here)]
        against += len(back)
        print(f"{folder}/: {sum(rooms[folder, room] for room in order)} files, {len(order)} rooms, "
              f"{len(inside)} arrows between them, {len(back)} against the order")
        for room in order:
            to = ", ".join(sorted(there for here, there in inside if here == room))
            print(f"  {room:<14}{rooms[folder, room]:>4} files{'  -> ' + to if to else ''}")
    against += sum(here[0] != there[0] and there[0] not in ALLOWED[here[0]] for here, there in arrows)
    print(f"{len(rooms)} rooms, {len(arrows)} arrows between them, {against} against the order")
    print_circles(ideas(root))


def main(root, *options):
    if options == ("--graph",):
        print_graph(pathlib.Path(root))
        return 0
    problems = list(check(pathlib.Path(root)))
    print("\n".join(problems) if problems else "every file keeps to its folder and its room")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
