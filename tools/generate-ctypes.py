#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make the Python module that declares libwavetape to ctypes, from the public headers: structures, enumerators, and the types of every
function. So the two cannot differ.

Usage: generate-ctypes.py OUTPUT HEADER...
"""

import pathlib
import re
import sys

NUMBERS = {"bool": "c_bool", "int": "c_int", "double": "c_double", "size_t": "c_size_t", "int64_t": "c_int64", "uint8_t": "c_uint8",
           "uint32_t": "c_uint32", "uint64_t": "c_uint64"}
PYTHON = {"c_bool": "bool", "c_double": "float", "c_char_p": "Text", "c_void_p": "int | None"}

HEAD = '''# SPDX-License-Identifier: MIT
"""libwavetape as ctypes sees it. The build makes this file from <wavetape/wavetape.h>."""

import ctypes
import pathlib
from typing import Any

SONAME = "libwavetape.so.0"
Text = bytes | None
# A wheel has the library beside the module.
HERE = pathlib.Path(__file__).resolve().parent
# Beside the module in a wheel; two directories above it in the tree where it is built.
NEAR = [path for path in (HERE / SONAME, HERE.parent.parent / SONAME) if path.exists()]

try:
    library = ctypes.CDLL(str(NEAR[0]) if NEAR else SONAME)
except OSError as error:
    raise ImportError(f"{SONAME}, which the module wavetape needs, cannot be loaded: {error}") from None
'''


class HeaderError(Exception):
    """The header has something that this does not know."""


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    return re.sub(r"(?m)^#.*(?:\\\n.*)*$", "", text)


def enumerators(text):
    """(name, number), all of them with a number."""
    for body in re.findall(r"\benum \w+ \{([^}]*)\};", text):
        for item in filter(None, (" ".join(part.split()) for part in body.split(","))):
            match = re.fullmatch(r"WAVETAPE_(\w+) = (\d+)", item)
            if not match:
                raise HeaderError(f"an enumerator without a number: {item}")
            yield match[1], int(match[2])


def declarators(declaration):
    """(type, name, count or None) of "const char *a, *b" or "uint32_t words[6]"."""
    first, *others = [part.strip() for part in declaration.split(",")]
    match = re.fullmatch(r"(.*?)((?:\*const |\*)*)(\w+)(?:\[(\d+)\])?", first)
    base = match[1].strip()
    for part in (match[2] + match[3] + (f"[{match[4]}]" if match[4] else ""), *others):
        inner = re.fullmatch(r"((?:\*const |\*)*)(\w+)(?:\[(\d+)\])?", part)
        if not inner:
            raise HeaderError(f"cannot read {declaration}")
        yield f"{base} {inner[1]}".strip(), inner[2], inner[3]


def field_type(text):
    if text in NUMBERS:
        return NUMBERS[text]
    known = {"const char *": "c_char_p", "const uint8_t *": "c_void_p", "const char *const *": "POINTER(c_char_p)"}
    if text not in known:
        raise HeaderError(f"no type for a field: {text}")
    return known[text]


def structures(text):
    """(name, fields) in order."""
    for name, body in re.findall(r"\bstruct wavetape_(\w+) \{(.*?)\};", text, re.DOTALL):
        declarations = [" ".join(part.split()) for part in body.split(";")]
        yield name, [found for part in filter(None, declarations) for found in declarators(part)]


def argument_type(text, known):
    """@known: names of the structures that are not opaque."""
    text = re.sub(r"\bconst ", "", text).strip()
    if text in NUMBERS:
        return NUMBERS[text]
    handle = re.fullmatch(r"struct wavetape_(\w+) (\*+)", text)
    if handle and handle[2] == "*":
        return f"POINTER({handle[1]})" if handle[1] in known else "c_void_p"
    if handle:
        return "POINTER(c_void_p)"
    pointer = re.fullmatch(r"(\w+) (\*+)", text)
    if not pointer:
        raise HeaderError(f"no type for an argument: {text}")
    if pointer[1] in ("void", "uint8_t") and pointer[2] == "*":
        return "c_void_p"
    target = "c_char_p" if pointer[1] == "char" else NUMBERS[pointer[1]]
    depth = len(pointer[2]) - (target == "c_char_p")
    return "POINTER(" * depth + target + ")" * depth


def functions(text, known):
    """(name, result, arguments)"""
    for result, name, arguments in re.findall(r"\bWAVETAPE_API\s+([^;()]*?)\b(wavetape_\w+)\(([^)]*)\);", text):
        result, arguments = " ".join(result.split()), " ".join(arguments.split())
        types = [] if arguments == "void" else [
            argument_type(kind, known) for part in re.split(r", ", arguments) for kind, _, _ in declarators(part)]
        yield name, "None" if result == "void" else argument_type(result, known), types


def qualified(text):
    return re.sub(r"\b(c_\w+|POINTER)\b", r"ctypes.\1", text)


def module(text):
    text = without_comments(text)
    lines = [HEAD]
    lines += [f"{name} = {number}" for name, number in enumerators(text)]
    known = dict(structures(text))
    for name, fields in known.items():
        lines += ["", "", f"class {name}(ctypes.Structure):"]
        for kind, field, count in fields:
            found = field_type(kind)
            lines.append(f"    {field}: {'Any' if count or 'POINTER' in found else PYTHON.get(found, 'int')}")
        lines.append("    _fields_ = [")
        lines += [f"        (\"{field}\", {qualified(field_type(kind))}{f' * {count}' if count else ''})," for kind, field, count in fields]
        lines.append("    ]")
    lines += ["", ""]
    for name, result, types in functions(text, known):
        short = name.removeprefix("wavetape_")
        lines += [f"call_{short} = library.{name}", f"call_{short}.restype = {qualified(result)}",
                  f"call_{short}.argtypes = [{', '.join(map(qualified, types))}]"]
    return "\n".join(lines) + "\n"


def main(output, *headers):
    text = module("\n".join(pathlib.Path(header).read_text(encoding="utf-8") for header in headers))
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
