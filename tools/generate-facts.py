#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is made of the table of facts, replayer/facts/facts.toml, whose head says what is in it.

Usage: generate-facts.py KIND FACTS.TOML OUTPUT

KIND is header (structures and enumerations for programs), fields (the same members for structures that have more), answers (what fills in
the answers of queries), json-header, json (JSON and text of the command), python (properties and classes), or page (the reference page).
"""

import re
import sys

import toml_file

C_TYPES = {"u32": "uint32_t ", "u64": "uint64_t ", "i64": "int64_t ", "size": "size_t ", "f64": "double ", "bool": "bool ",
           "text": "const char *", "bytes": "const uint8_t *", "texts": "const char *const *"}
NUMBERS = {"u32", "u64", "i64", "size", "f64"}
KEYS = {"name", "type", "unit", "doc", "since", "flag", "query", "stored", "has", "when", "length", "shown_if", "optional", "always", "form", "enum", "json", "python", "label", "null_unless"}
FORMS = {"hex", "mask", "lanes", "reasons", "path"}
WORD = re.compile(r"\b[A-Za-z_]\w*\b")
MADE = "/* Made from replayer/facts/facts.toml. */"


class FactsError(Exception):
    """The table contradicts itself."""


class Field:
    def __init__(self, thing, row):
        self.thing, self.row, self.name = thing, row, row["name"]
        self.where = f"{thing.name}.{self.name}"
        match = re.fullmatch(r"(\w+?)(?:\[(\d+)\])?", row["type"])
        self.type, self.count = match[1], int(match[2] or 0)
        self.json, self.label = row.get("json", self.name), row.get("label", self.name)
        self.flag = row.get("flag", False)
        self.python = "" if self.flag else row.get("python", self.name)
        self.since = row.get("since", thing.since)
        self.doc, self.unit, self.when, self.form = row["doc"], row.get("unit", ""), row.get("when"), row.get("form")
        self.shown_if = row.get("shown_if", self.when)
        self.query, self.has, self.enum, self.optional = row.get("query"), row.get("has"), row.get("enum"), row.get("optional", False)
        self.null_unless = row.get("null_unless")
        self.stored, self.length = row.get("stored", self.name if thing.stored and not self.query else ""), str(row.get("length", ""))
        self.check()

    def check(self):
        if unknown := self.row.keys() - KEYS:
            raise FactsError(f"{self.where}: no such key: {', '.join(unknown)}")
        if self.type not in C_TYPES:
            raise FactsError(f"{self.where}: no such type: {self.type}")
        if (self.type in NUMBERS) != bool(self.unit):
            raise FactsError(f"{self.where}: numbers have a unit, and nothing else has")
        if self.form and self.form not in FORMS or self.form and self.enum:
            raise FactsError(f"{self.where}: no such form: {self.form}")
        if (self.type == "bytes") != ("length" in self.row):
            raise FactsError(f"{self.where}: bytes have a length, and nothing else has")
        if self.optional == "max" and self.type != "u64" or self.optional not in (True, False, "max"):
            raise FactsError(f"{self.where}: no such way to say that it is not known: {self.optional}")
        if self.stored and (self.count and not self.thing.json_alone or not self.thing.stored):
            raise FactsError(f"{self.where}: it cannot be taken from a structure")
        if self.null_unless and not self.thing.json_alone:
            raise FactsError(f"{self.where}: a fact for programs is the same for all of them")
        if not self.doc:
            raise FactsError(f"{self.where}: it does not say what it is")

    @property
    def declaration(self):
        return f"{C_TYPES[self.type]}{self.name}{f'[{self.count}]' if self.count else ''};"

    def value(self):
        """Where JSON and text find it."""
        return f"facts->{self.stored if self.thing.json_alone else self.name}"

    def in_c(self, condition):
        """A condition under which it is printed, in C; None if there is none."""
        def name(found):
            if found[0] in self.thing.by_name:
                return self.thing.by_name[found[0]].value()
            return found[0] if found[0] in self.thing.asked or found[0] == "NULL" or self.thing.json_alone else f"WAVETAPE_{found[0]}"
        return WORD.sub(name, condition) if condition else None

    def in_python(self):
        """When it counts."""
        return WORD.sub(lambda found: ("native." if found[0].isupper() else "found.") + found[0], self.when) if self.when else None


class Thing:
    def __init__(self, name, table, enums):
        self.name, self.doc, self.since = name, table["doc"], table["since"]
        self.made_by, self.object = table.get("made_by"), table.get("object")
        self.stored, self.header, self.json_alone = table.get("stored"), table.get("header"), table.get("json_alone")
        self.python, self.live = table.get("python"), table.get("live", False)
        self.parts, self.asked = table.get("parts", []), table.get("asked", [])
        given = table.get("json", [])
        # (name of the fact or part, what JSON calls it; None: as its row says) by name of the object; most things are one, without a name.
        self.objects = {name: [((*item.split(" as "), None)[:2]) for item in items]
                        for name, items in (given if isinstance(given, dict) else {"facts": given}).items() if items}
        self.json, self.line = list(dict.fromkeys(name for items in self.objects.values() for name, _ in items)), table.get("line", [])
        self.enums = enums
        self.fields = [Field(self, row) for row in table["fields"]]
        self.by_name = {field.name: field for field in self.fields}
        self.check()

    def check(self):
        if len(self.by_name) != len(self.fields):
            raise FactsError(f"{self.name}: two fields of one name")
        for name in (*self.json, *self.line):
            if name not in self.by_name and name not in self.parts:
                raise FactsError(f"{self.name}: no such fact: {name}")
        for field in self.fields:
            named = [*WORD.findall(field.when or ""), *WORD.findall(field.null_unless or ""), *WORD.findall(str(field.row.get("length", ""))), *filter(lambda name: name not in self.asked, WORD.findall(field.shown_if or "")),
                     *([field.has] if field.has else [])]
            if unknown := [name for name in named if not name.isupper() and name not in self.by_name]:
                raise FactsError(f"{field.where}: no such fact: {', '.join(unknown)}")
            if field.enum and field.enum not in self.enums:
                raise FactsError(f"{field.where}: no such enumeration: {field.enum}")
            if field.query and not self.object or not (field.query or field.stored) and not self.made_by:
                raise FactsError(f"{field.where}: nothing fills it in")
        if self.json_alone and (not self.stored or self.made_by or self.object or self.python):
            raise FactsError(f"{self.name}: JSON alone shows what is stored")
        if bool(self.stored) != bool(self.header):
            raise FactsError(f"{self.name}: a structure that it is taken from has a header")
        versions = [tuple(map(int, field.since.split("."))) for field in self.fields]
        if versions != sorted(versions):
            raise FactsError(f"{self.name}: a fact that is newer stands before an older one: a new one comes last")


class Facts:
    def __init__(self, path):
        table = toml_file.read(path)
        self.enums = {name: [row["name"] for row in found["names"]] for name, found in table.get("enum", {}).items()}
        self.printed = {name: [row.get("json", row["name"].upper() if found.get("upper") else row["name"]) for row in found["names"]] for name, found in table.get("enum", {}).items()}
        # Of enumerations that are C's already, and not for programs: how their enumerators begin.
        self.prefixes = {name: found["prefix"] for name, found in table.get("enum", {}).items() if "prefix" in found}
        self.enum_docs = {name: [row.get("doc", "") for row in found["names"]] for name, found in table.get("enum", {}).items()}
        self.things = [Thing(name, found, self.enums) for name, found in table["thing"].items()]
        self.for_programs = [thing for thing in self.things if not thing.json_alone]


def enumerator(enum, name):
    """("wave_state", "stopped"): WAVE_STOPPED"""
    return f"{enum.removesuffix('_state').removesuffix('_kind').removesuffix('_match')}_{name}".upper()


# ---- C: structures, and the answers of queries ----

def member(field):
    """A member with its comment."""
    unit = f"{field.unit}: " if field.unit.startswith(("enum ", "bits ", "a bit ")) else ""
    return f"\t{field.declaration} /* {unit}{field.doc} */"


def header(facts):
    lines = [MADE, "#ifndef WAVETAPE_FACTS_H", "#define WAVETAPE_FACTS_H", "", "#include <stdbool.h>", "#include <stddef.h>",
             "#include <stdint.h>"]
    for enum, names in facts.enums.items():
        if enum in facts.prefixes:
            continue
        lines += ["", f"enum wavetape_{enum} {{"]
        lines += [f"\tWAVETAPE_{enumerator(enum, name)} = {number}," + (f" /* {doc} */" if doc else "")
                  for number, (name, doc) in enumerate(zip(names, facts.enum_docs[enum]))]
        lines += ["};"]
    for thing in facts.for_programs:
        lines += ["", f"/** {thing.doc} */", f"struct wavetape_{thing.name} {{", "\tsize_t size; /* of the structure */",
                  *map(member, thing.fields), "};"]
    return [*lines, "", "#endif"]


def fields(facts):
    lines = [MADE, "#ifndef WT_REPLAYER_FACTS_FIELDS_H", "#define WT_REPLAYER_FACTS_FIELDS_H", "", "#include <wavetape/facts.h>", "",
             "struct wt_view;"]
    lines += [f"{stored};" for stored in sorted({thing.stored for thing in facts.for_programs if thing.stored})]
    for thing in facts.for_programs:
        lines += ["", f"/* The members of struct wavetape_{thing.name}, for a structure that has more. */",
                  f"#define WT_{thing.name.upper()}_FACTS \\", "\tsize_t size; \\",
                  " \\\n".join(f"\t{field.declaration}" for field in thing.fields)]
        if thing.object:
            lines += ["", "/** Fill in what queries answer: 0 where there is no answer. */",
                      f"{answers_signature(thing)};"]
        if thing.stored:
            lines += ["", "/** Take what is stored; texts stay where they are. */", f"{take_signature(thing)};"]
    return [*lines, "", "#endif"]


def take_signature(thing):
    return f"void wt_{thing.name}_facts_take(const {thing.stored} *stored, struct wavetape_{thing.name} *facts)"


def take(thing):
    lines = ["", take_signature(thing), "{", f"\t*facts = (struct wavetape_{thing.name}){{"]
    for field in thing.fields:
        if not field.stored:
            continue
        value = f"stored->{field.stored}"
        if field.type in NUMBERS:
            value = f"({C_TYPES[field.type].strip()}){value}"
        elif field.type == "bytes" and field.optional:
            value = f"stored->{thing.by_name[field.length].stored} ? {value} : NULL"
        lines += [f"\t\t.{field.name} = {value},"]
    return [*lines, "\t};", "}"]


def answers_signature(thing):
    """A view keeps the texts that were asked for."""
    const = "" if any(field.query and field.type == "text" for field in thing.fields) else "const "
    return f"void wt_{thing.name}_answers({const}struct wt_view *view, uint64_t number, struct wavetape_{thing.name} *facts)"


def answers(facts):
    headers = sorted({thing.header for thing in facts.for_programs if thing.header} | {"replayer/view/view.h"})
    lines = [MADE, '#include "replayer/facts/fields.h"', "", *(f'#include "{header}"' for header in headers)]
    for thing in facts.for_programs:
        if thing.object:
            lines += ["", answers_signature(thing), "{"]
            flags = set()
            for field in thing.fields:
                lines += answer(thing, field, flags) if field.query else []
            lines += ["}"]
        if thing.stored:
            lines += take(thing)
    return lines


def answer(thing, field, flags):
    """@flags: those that are set already: a flag of several answers says that there are all."""
    query = f"AMD_DBGAPI_{thing.object.upper()}_INFO_{field.query}"
    at = f"view, WT_OBJECT_{thing.object.upper()}, number, {query}"
    if not field.has:
        get = f"wt_view_text({at})" if field.type == "text" else f"({C_TYPES[field.type].strip()})wt_view_number_or({at}, 0)"
        return [f"\tfacts->{field.name} = {get};"]
    get = f"wt_view_array({at}, facts->{field.name}, {field.count})" if field.count else f"wt_view_number({at}, &facts->{field.name})"
    known = f" && facts->{field.has}" if field.has in flags else ""
    flags.add(field.has)
    return [f"\tfacts->{field.has} = {get}{known};"]


# ---- The command: JSON and text ----

def printed_enums(facts):
    return sorted({field.enum for thing in facts.things for field in thing.fields if field.enum and field.name in (*thing.json, *thing.line)})


def names_of(facts):
    """Names of enumerators, for those that are printed."""
    for enum in printed_enums(facts):
        prefix = facts.prefixes.get(enum)
        quoted = ", ".join((f"[{prefix}{name.upper()}] = " if prefix else "") + f'"{shown}"' for name, shown in zip(facts.enums[enum], facts.printed[enum]))
        yield from ("", f"static const char *const {enum}_names[] = {{{quoted}}};")


def json_value(field):
    value = field.value()
    if field.null_unless:
        return f"{field.in_c(field.null_unless)} ? {json_known(field, value)} : json_null()"
    return json_known(field, value)


def json_known(field, value):
    """@value: where it is, in C."""
    if field.enum:
        return f"json_string({field.enum}_names[{value}])"
    if field.form == "reasons":
        return f"json_string(wt_describe_reasons({value}, text))"
    if field.form == "lanes":
        return f"wt_describe_lanes_json({value})"
    if field.form and field.form != "path":
        return f"wt_cli_json_hex({'(uint64_t)' if field.type == 'i64' else ''}{value})"
    if field.type == "bool":
        return f"json_boolean({value})"
    if field.type == "text":
        return f"wt_cli_json_text(*{value} ? {value} : NULL)" if field.optional else f"wt_cli_json_text({value})"
    if field.type == "texts":
        return f"wt_cli_json_texts({value})"
    if field.type == "bytes":
        return f"{value} ? wt_cli_json_bytes({value}, {field.thing.by_name[field.length].value()}) : json_null()"
    if field.count:
        return f"wt_cli_json_numbers({value}, {field.count})"
    return f"json_integer((json_int_t){value})"


def json_parts(thing, which):
    return [part for part in thing.parts if any(name == part for name, _ in thing.objects[which])]


def json_signature(thing, which):
    parts = "".join([f", bool {asked}" for asked in thing.asked] + [f", json_t *{part}" for part in json_parts(thing, which)])
    return f"json_t *wt_{thing.name}_{which}_json(const {thing.stored if thing.json_alone else f'struct wavetape_{thing.name}'} *facts{parts})"


def json_function(thing, which):
    lines = ["", json_signature(thing, which), "{"]
    if any(thing.by_name[name].form == "reasons" for name, _ in thing.objects[which] if name in thing.by_name):
        lines += ["\tchar text[WT_DESCRIBE_MAX];"]
    lines += ["\tjson_t *json = json_object();", ""]
    for name, key in thing.objects[which]:
        if name in thing.parts:
            lines += [f"\tif ({name})", f'\t\tjson_object_set_new(json, "{key or name}", {name});']
            continue
        field = thing.by_name[name]
        condition = field.in_c(field.shown_if)
        lines += [f"\tif ({condition})"] if condition else []
        lines += [f"\t{chr(9) if condition else ''}json_object_set_new(json, \"{key or field.json}\", {json_value(field)});"]
    return [*lines, "\treturn json;", "}"]


def print_calls(field):
    value, label = field.value(), f"{field.label} " if field.label else ""
    if field.count or field.type not in (*NUMBERS, "bool", "text"):
        raise FactsError(f"{field.where}: there is no text for it")
    if field.type == "text":
        return [f'printf("{label}");', f'wt_cli_put(stdout, {value} ? {value} : "?");']
    if field.enum:
        form, value = "%s", f"{field.enum}_names[{value}]"
    elif field.form in ("reasons", "lanes"):
        form, value = "%s", f"wt_describe_{field.form.replace('reasons', 'reasons_plainly')}({value}, text)"
    elif field.form:
        form, value = '0x%016" PRIx64 "' if field.form == "mask" else '0x%" PRIx64 "', f"(uint64_t){value}"
    elif field.type == "bool":
        form, value = "%s", f'{value} ? "yes" : "no"'
    else:
        form, value = '%" PRIu64 "', f"(uint64_t){value}"
    return [f'printf("{label}{form}", {value});']


def line_function(thing):
    lines = ["", f"void wt_{thing.name}_facts_print(const struct wavetape_{thing.name} *facts)", "{"]
    if any(thing.by_name[name].form in ("reasons", "lanes") for name in thing.line):
        lines += ["\tchar text[WT_DESCRIBE_MAX];", ""]
    for number, field in enumerate(thing.by_name[name] for name in thing.line):
        calls = (['printf(", ");'] if number else []) + print_calls(field)
        condition = field.in_c(field.shown_if)
        lines += [f"\tif ({condition}) {{", *(f"\t\t{call}" for call in calls), "\t}"] if condition else [f"\t{call}" for call in calls]
    return [*lines, "}"]


def json_header(facts):
    lines = [MADE, "#ifndef WT_CLI_FACTS_H", "#define WT_CLI_FACTS_H", "", "#include <jansson.h>", "#include <wavetape/facts.h>", "",
             *sorted({f"{thing.stored};" for thing in facts.things if thing.json_alone})]
    for thing in facts.things:
        for which in thing.objects:
            lines += ["", "/* Takes over what is put into it; NULL is left out. */"] if json_parts(thing, which) else [""]
            lines += [json_signature(thing, which) + ";"]
        if thing.line:
            lines += [f"void wt_{thing.name}_facts_print(const struct wavetape_{thing.name} *facts);"]
    for enum in printed_enums(facts):
        lines += ["", f"const char *wt_{enum}_name(uint32_t number);"]
    return [*lines, "", "#endif"]


def json_source(facts):
    lines = [MADE, '#include "cli/facts.h"', "", "#include <inttypes.h>", "", '#include "cli/describe.h"', '#include "cli/output.h"',
             *(f'#include "{header}"' for header in sorted({thing.header for thing in facts.things if thing.json_alone})), *names_of(facts)]
    for enum in printed_enums(facts):
        lines += ["", f"const char *wt_{enum}_name(uint32_t number)", "{", f"\treturn {enum}_names[number];", "}"]
    for thing in facts.things:
        for which in thing.objects:
            lines += json_function(thing, which)
        lines += line_function(thing) if thing.line else []
    return lines


# ---- Python ----

def python_value(field):
    """(type, expression over `found`)"""
    value = f"found.{field.name}"
    if field.enum:
        kind, get = "str", f"{field.enum.upper()}_NAMES[{value}]"
        if field.optional:
            return f"{kind} | None", f"{get} if {value} else None"
    elif field.form == "reasons":
        kind, get = "str", f"reasons_text({value})"
    elif field.count:
        kind, get = f"tuple[{', '.join(['int'] * field.count)}]", f"({', '.join(f'{value}[{i}]' for i in range(field.count))})"
    elif field.form == "lanes":
        kind, get = "list[int]", f"bits({value})"
    elif field.form == "path":
        return "str", f"os.fsdecode({value} or b'')"
    elif field.type == "texts":
        return "tuple[str, ...]", f"texts({value})"
    elif field.optional == "max":
        return "int | None", f"{value} if {value} != 2**64 - 1 else None"
    elif field.type == "text" and field.optional:
        return "str | None", f"text({value}) or None"
    elif field.type == "text":
        return ("str", f"must_text({value})") if field.row.get("always") else ("str | None", f"text({value})")
    elif field.type == "bytes":
        length = WORD.sub(r"found.\g<0>", field.length)
        kind, none = ("bytes", 'b""') if field.row.get("always") else ("bytes | None", "None")
        return kind, f"ctypes.string_at({value}, {length}) if {value} else {none}"
    else:
        kind, get = {"bool": "bool", "f64": "float"}.get(field.type, "int"), value
    if field.when:
        return f"{kind} | None", f"{get} if {field.in_python()} else None"
    if field.optional:
        return f"{kind} | None", f"{get} or None"
    return kind, get


def python_live(thing):
    lines = ["", "", f"class {thing.python}:", f'    """{thing.doc}"""', "", "    # The names of its facts, in order, and of how many numbers each is; 0: it is one value.", "    FACTS = {",
             *(f'        "{field.python}": {field.count},' for field in thing.fields if field.python), "    }", "",
             f"    def _info(self) -> native.{thing.name}:", "        raise NotImplementedError"]
    for field in thing.fields:
        if not field.python:
            continue
        kind, get = python_value(field)
        lines += ["", "    @property", f"    def {field.python}(self) -> {kind}:", f'        """{sentence(field)}"""',
                  "        found = self._info()", f"        return {get}"]
    return lines


def python_values(thing):
    """A frozen class, and what is in it by name, for who makes one."""
    shown = [(field, *python_value(field)) for field in thing.fields if field.python]
    return ["", "", "@dataclass(frozen=True)", f"class {thing.python}:", f'    """{thing.doc}"""', "",
            *(f"    {field.python}: {kind}{' = field(repr=False)' if field.type == 'bytes' else ''}  # {sentence(field)}"
              for field, kind, _ in shown), "", "",
            f"def {thing.name}_values(found: native.{thing.name}) -> dict[str, Any]:", "    return {",
            *(f'        "{field.python}": {get},' for field, _, get in shown), "    }"]


def sentence(field):
    """What it is, for Python, where None says that it is not known. (Quotes at the end would end the text.)"""
    words = field.doc.replace("NULL", "None").replace("; 0 if not known", "; None if not known").replace('; "" if not known', "; None if not known").replace('"', "'").replace("`", "")
    return f"{words[0].upper()}{words[1:]}" + (f" ({field.unit})." if field.unit and not field.enum and not field.form == "reasons" else ".")


def python(facts):
    lines = ["# SPDX-License-Identifier: MIT", '"""What is known of each thing. The build makes this file from replayer/facts/facts.toml."""', "",
             "import ctypes", "import os", "from dataclasses import dataclass, field", "from typing import Any", "", "from wavetape import _native as native",
             "from wavetape._handle import bits, must_text, reasons_text, text, texts"]
    for enum in sorted({field.enum for thing in facts.for_programs for field in thing.fields if field.enum}):
        lines += ["", f"{enum.upper()}_NAMES = {{"]
        lines += [f'    native.{enumerator(enum, name)}: "{shown}",' for name, shown in zip(facts.enums[enum], facts.printed[enum])] + ["}"]
    for thing in facts.things:
        lines += (python_live if thing.live else python_values)(thing) if thing.python else []
    return lines


# ---- The page ----

def shown(found):
    return f"`{found}`" if found else ""


def page_row(thing, field):
    json = ", ".join(dict.fromkeys(shown(key or field.json) for items in thing.objects.values() for name, key in items
                                   if name == field.name))
    made = f"`{field.query}`" if field.query else "the trace" if field.stored else "worked out"
    words = field.doc.replace("|", "\\|")
    if thing.json_alone:
        kind, unit = ("text", "") if field.enum or field.form == "reasons" else (field.row["type"], field.unit)
        return f"| {json} | {kind} | {unit} | {words} | {field.since} |" if json else ""
    name = "" if not thing.python else shown(field.python)
    return f"| {shown(field.name)} | {json} | {name} | {field.row['type']} | {field.unit} | {words} | {made} | {field.since} |"


def page(facts):
    lines = ["# What is known of each thing", "",
             "Every fact about a thing is one row of a table, from which the structures of [libwavetape](library.md), JSON, and the classes of",
             "[the Python module](python.md) are made. In C a structure begins with `size`, and its members are those of the first column, in order.",
             "A fact that JSON leaves out at times, and that is `None` in Python, counts only under the condition in its description. `from` is the",
             "query of the debugger's API whose answer it is, as it was recorded. Things without `wavetape_` are in JSON alone.",
             "Made by `tools/generate-facts.py page`."]
    for thing in facts.things:
        heads = ["JSON", "type", "unit", "what it says", "since"] if thing.json_alone else ["C", "JSON", "Python", "type", "unit", "what it says", "from", "since"]
        lines += ["", f"## `{thing.name}`" if thing.json_alone else f"## `wavetape_{thing.name}`", "", thing.doc, "",
                  f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}", *filter(None, (page_row(thing, field) for field in thing.fields))]
        if thing.parts:
            lines += ["", "JSON has beside these: " + ", ".join(map(shown, thing.parts)) + "."]
    return lines


KINDS = {"header": header, "fields": fields, "answers": answers, "json-header": json_header, "json": json_source, "python": python,
         "page": page}


def main(kind, table, output):
    text = "\n".join(KINDS[kind](Facts(table))) + "\n"
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except FactsError as error:
        sys.exit(f"{sys.argv[2]}: {error}")
