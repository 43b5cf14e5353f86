#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""trace.proto as C: field numbers for what encodes packets, and structures and rules for what decodes them.

Usage: generate-fields.py TRACE.PROTO FIELDS.H MESSAGES.H MESSAGES.C

Message CallBegin's field `thread` becomes WT_FIELD_CALL_BEGIN_THREAD, enumerator ROWS of Blob.Encoding WT_BLOB_ROWS, and the bodies
of message Packet, by which packets are told apart, WT_PACKET_CALL_BEGIN and so on. A message becomes struct wt_packed_call_begin, and
wt_message_call_begin, the rules by which trace-format/message/protobuf-decode.h fills it in.
"""
import collections
import re
import sys

OPEN = re.compile(r"(message|enum|oneof) (\w+) \{")
FIELD = re.compile(r"(repeated )?([\w.]+) (\w+) = (\d+);")
ENUMERATOR = re.compile(r"(\w+) = (\d+);")
# Enumerations that C code outside of the generated one uses by these numbers.
ENUMERATIONS = {"Blob.Encoding": "WT_BLOB_"}
PREFIXES = {"Packet": "WT_PACKET_"}
# These two are taken apart packet by packet, in trace-format/reader/chunk.c.
FRAMES = ("Trace", "Packet")
# A keyframe has a hundred thousand items: they are checked with the packet, and decoded one after the other by who needs them.
CHECKED = {("Facts", "item"), ("Moment", "item"), ("Late", "item")}
SCALARS = {
    "uint32": ("U32", "uint32_t "),
    "uint64": ("U64", "uint64_t "),
    "sint64": ("SINT64", "int64_t "),
    "bool": ("BOOL", "bool "),
    "string": ("TEXT", "const char *"),
    "bytes": ("BYTES", "struct wt_cursor "),
}

# @choice: the oneof that a field is of, or None.
Field = collections.namedtuple("Field", "name number type repeated choice")


def snake(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)


def parse(text):
    """Of each message, and each enumeration as Message.Name: its fields, or enumerators, in order."""
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
            choice = scopes[-1][1] if scopes[-1][0] == "oneof" else None
            field = (Field(member[1], int(member[2]), None, False, None) if scopes[-1][0] == "enum" else
                     Field(member[3], int(member[4]), member[2], bool(member[1]), choice))
            found[".".join(name for kind, name in scopes if kind != "oneof")].append(field)
    return found


def generate_fields(found):
    lines = ["/* Generated from trace.proto. */", "#ifndef WT_TRACE_FORMAT_FIELDS_H", "#define WT_TRACE_FORMAT_FIELDS_H"]
    for name, members in found.items():
        if "." in name and name not in ENUMERATIONS:
            continue
        message = snake(name.replace(".", "_"))
        kind = message if name in ENUMERATIONS else f"field_{message}"
        prefix = ENUMERATIONS.get(name) or PREFIXES.get(name) or f"WT_FIELD_{message.upper()}_"
        lines += ["", f"enum wt_{kind.lower()} {{", *[f"\t{prefix}{member.name.upper()} = {member.number}," for member in members],
                  "};"]
    return "\n".join(lines + ["", "#endif", ""])


def messages_of(found):
    return {name: fields for name, fields in found.items() if "." not in name and name not in FRAMES}


def kind_of(found, message, field):
    """The kind of a field, the type of its member, with the blank before a name, and the message that it is, or None."""
    if field.type in SCALARS:
        return *SCALARS[field.type], None
    if f"{message}.{field.type}" in found or "." in field.type:
        return *SCALARS["uint32"], None
    if field.type not in messages_of(found):
        raise SystemExit(f"{sys.argv[1]}: {message}.{field.name}: of no known type: {field.type}")
    inner = snake(field.type).lower()
    return "MESSAGE", f"struct wt_packed_{inner} *", inner


def member_of(found, message, field):
    _, type_, inner = kind_of(found, message, field)
    if not field.repeated:
        return f"\t{type_}{field.name};"
    of = f"struct wt_packed_{inner}" if inner else type_.rstrip()
    return f"\tstruct wt_wire_list {field.name}; /* {of} */"


def generate_header(found):
    lines = ["/* Generated from trace.proto: its messages as trace-format/message/protobuf-decode.h decodes them. */",
             "#ifndef WT_TRACE_FORMAT_MESSAGES_H", "#define WT_TRACE_FORMAT_MESSAGES_H", "",
             '#include "trace-format/message/protobuf-decode.h"', '#include "trace-format/message/packet.h"']
    for message, fields in messages_of(found).items():
        name = snake(message).lower()
        choices = {field.choice for field in fields if field.choice}
        lines += ["", f"struct wt_packed_{name} {{"]
        lines += [member_of(found, message, field) for field in fields if (message, field.name) not in CHECKED]
        lines += [f"\tuint32_t {choice}; /* the number of the field that counts; 0: none */" for choice in sorted(choices)]
        lines += ["};", f"extern const struct wt_wire_message wt_message_{name};"]
    lines += ["", "/** By WT_PACKET_...: the message that the body of a packet is. */",
              "extern const struct wt_wire_message *const wt_packet_messages[WT_PACKET_FIELDS];"]
    return "\n".join(lines + ["", "#endif", ""])


def rule_of(found, message, field):
    name = snake(message).lower()
    kind, _, inner = kind_of(found, message, field)
    rule = [f".kind = WT_KIND_{kind}"]
    if field.repeated:
        rule.append(".repeated = true")
    if inner:
        rule.append(f".message = &wt_message_{inner}")
    if (message, field.name) in CHECKED:
        rule.append(".checked = true")
    else:
        rule.append(f".offset = offsetof(struct wt_packed_{name}, {field.name})")
    if field.choice:
        rule.append(f".is_choice = true, .choice = offsetof(struct wt_packed_{name}, {field.choice})")
    return f"\t[{field.number}] = {{{', '.join(rule)}}},"


def generate_source(found):
    lines = ["/* Generated from trace.proto. */", '#include "trace-format/messages.h"', "", "#include <stddef.h>"]
    for message, fields in messages_of(found).items():
        name = snake(message).lower()
        lines += ["", f"static const struct wt_wire_rule {name}_rules[] = {{", *[rule_of(found, message, field) for field in fields],
                  "};", f"const struct wt_wire_message wt_message_{name} = {{",
                  f"\t.size = sizeof(struct wt_packed_{name}),", f"\t.rules = {name}_rules,",
                  f"\t.count = sizeof({name}_rules) / sizeof(*{name}_rules),"]
        if any(field.type == "string" and not field.repeated for field in fields):
            lines.append("\t.has_texts = true,")
        lines.append("};")
    lines += ["", "const struct wt_wire_message *const wt_packet_messages[WT_PACKET_FIELDS] = {"]
    lines += [f"\t[{field.number}] = &wt_message_{snake(field.type).lower()}," for field in found["Packet"]]
    return "\n".join(lines + ["};", ""])


def main():
    if len(sys.argv) != 5:
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        found = parse(file.read())
    for path, make in zip(sys.argv[2:], (generate_fields, generate_header, generate_source)):
        with open(path, "w", encoding="utf-8") as file:
            file.write(make(found))


if __name__ == "__main__":
    main()
