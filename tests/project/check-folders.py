#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hold the folder dependencies of the design against the includes and the libraries that are linked.

A folder may use only what stands in its list; test code may use everything.
"""

import pathlib
import re
import sys

# Folder -> folders it may include from. base/ is below all of them.
ALLOWED = {
    "base": set(),
    "gfx": set(),
    "device": {"dbgapi", "gfx", "base"},
    "dbgapi": {"device", "gfx", "base"},
    "trace-format": {"base"},
    "recorder": {"trace-format", "dbgapi", "device", "gfx", "base"},
    "replayer": {"trace-format", "dbgapi", "gfx", "base"},
    "cli": {"recorder", "replayer", "trace-format", "dbgapi", "device", "gfx", "base"},
}

# Libraries that only some folders may include, by the start of the header's name.
RESERVED = {
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
    "dbgapi": rf"\b(signal|sigaction|{PRINTS}|{ENDS})\s*\(",
}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
STRINGS_AND_COMMENTS = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"', re.DOTALL)


def check_includes(folder, path, text):
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        top = match[2].split("/")[0]
        if match[1] == '"' and top in ALLOWED and top != folder and top not in ALLOWED[folder]:
            yield f"{path}:{number}: {folder}/ may not include {match[2]}"
        for prefix, folders in RESERVED.items():
            if match[2].startswith(prefix) and folder not in folders:
                yield f"{path}:{number}: {folder}/ may not include {match[2]}"


def check_calls(folder, path, text):
    pattern = FORBIDDEN_CALLS.get(folder)
    if not pattern:
        return
    plain = STRINGS_AND_COMMENTS.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    for match in re.finditer(pattern, plain):
        line = plain.count("\n", 0, match.start()) + 1
        yield f"{path}:{line}: {folder}/ may not call {match[1]}()"


def check_links(folder, path):
    """Link order: a folder's meson.build names only the dependencies of folders it may use."""
    owners = {
        "gfx_dep": "gfx", "api_dep": "dbgapi", "simulated_device_dep": "device", "disassemble_dep": "dbgapi",
        "architecture_info_dep": "dbgapi", "trace_format_dep": "trace-format", "recorder_dep": "recorder",
        "view_dep": "replayer", "verify_dep": "replayer",
    }
    words = set(re.findall(r"\w+_dep\b", re.sub(r"#.*", "", path.read_text(encoding="utf-8"))))
    for word, owner in owners.items():
        if word in words and owner != folder and owner not in ALLOWED[folder]:
            yield f"{path}: {folder}/ may not link {word}"


def main(root):
    problems = []
    files = 0
    for folder in ALLOWED:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".c", ".h"):
                text = path.read_text(encoding="utf-8")
                problems += check_includes(folder, path, text)
                problems += check_calls(folder, path, text)
                files += 1
            elif path.name == "meson.build":
                problems += check_links(folder, path)
    print("\n".join(problems) if problems else f"{files} files keep to their folders")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
