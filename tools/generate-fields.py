#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Field numbers and enumerators of trace.proto as a C header, for what encodes and decodes packets field by field.

Usage: generate-fields.py TRACE.PROTO FIELDS.H

Message CallBegin's field `thread` becomes WT_FIELD_CALL_BEGIN_THREAD, enumerator ROWS of Blob.Encoding WT_BLOB_ROWS, and the bodies
of message Packet, by which packets are told apart, WT_PACKET_CALL_BEGIN and so on.
"""
import re
import sys

OPEN = re.compile(r"(message|enum|oneof) (\w+) \{")
FIELD = re.compile(r"(?:repeated )?[\w.]+ (\w+) = (\d+);")
ENUMERATOR = re.compile(r"(\w+) = (\d+);")
# Enumerations that C code outside of the generated one uses by these numbers.
ENUMERATIONS = {"Blob.Encoding": "WT_BLOB_"}
PREFIXES = {"Packet": "WT_PACKET_"}


def snake(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)


def parse(text):
    """Of each message, and each enumeration as Message.Name: pairs of names and numbers, in order."""
    found, scopes = {}, []
    for number, line in enumerate(text.split("\n"), 1):
        line = line.split("//")[0].strip()
        if opened := OPEN.match(line):
            scopes.append(opened.groups())
            if opened[1] != "oneof":
                found[".".join(name for kind, name in scopes if kind != "oneof")] = []
        elif line == "}":
            scopes.pop()
        elif scopes and line:
            member = (ENUMERATOR if scopes[-1][0] == "enum" else FIELD).match(line)
            if not member:
                raise SystemExit(f"{sys.argv[1]}:{number}: not understood: {line}")
            found[".".join(name for kind, name in scopes if kind != "oneof")].append((member[1], int(member[2])))
    return found


def generate(found):
    lines = ["/* Generated from trace.proto. */", "#ifndef WT_TRACE_FORMAT_FIELDS_H", "#define WT_TRACE_FORMAT_FIELDS_H"]
    for name, members in found.items():
        if "." in name and name not in ENUMERATIONS:
            continue
        message = snake(name.replace(".", "_"))
        kind = message if name in ENUMERATIONS else f"field_{message}"
        prefix = ENUMERATIONS.get(name) or PREFIXES.get(name) or f"WT_FIELD_{message.upper()}_"
        lines += ["", f"enum wt_{kind.lower()} {{", *[f"\t{prefix}{member.upper()} = {number}," for member, number in members], "};"]
    return "\n".join(lines + ["", "#endif", ""])


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        text = generate(parse(file.read()))
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
