# SPDX-License-Identifier: MIT
"""The older form of the API (dbgapi/table/older.toml), read and checked against the table of today's."""

import re
from dataclasses import dataclass, field

import toml_file
from api_table import TableError

DECLARATION = re.compile(r"^(?P<type>.*?[\s*])(?P<name>\w+)$")


@dataclass
class Parameter:
    name: str
    type: str
    text: str


@dataclass
class Function:
    name: str
    versions: list
    parameters: list = field(default_factory=list)
    returns: str = "amd_dbgapi_status_t"
    now: object = None  # of today's table; None if there is none
    by_hand: bool = False

    @property
    def short(self):
        return self.name.removeprefix("amd_dbgapi_")

    def prototype(self, name, types=lambda text: text):
        parameters = ", ".join(types(p.text) for p in self.parameters) or "void"
        space = "" if self.returns.endswith("*") else " "
        return f"{types(self.returns)}{space}{name}({parameters})"

    def has(self, name):
        return any(p.name == name for p in self.parameters)


@dataclass
class Enumerator:
    name: str
    value: int
    now: str  # "": nothing corresponds


@dataclass
class Enumeration:
    name: str
    now: str
    values: list
    otherwise: str = ""  # name of the value for what has no predecessor; "": never converted to this form

    def differs(self, today):
        """Whether a number of it is another one today, or stands for nothing."""
        return any(not v.now or today[v.now] != v.value for v in self.values)


@dataclass
class Older:
    settings: dict
    functions: list
    enumerations: dict
    structures: dict


def _parameter(text):
    if "(*" in text:
        name = re.search(r"\(\*\s*(\w+)\)", text)[1]
        return Parameter(name, "symbolizer", text)
    match = DECLARATION.match(text)
    if not match:
        raise TableError(f"{text!r} is no declaration of a parameter")
    return Parameter(match["name"], match["type"].strip(), text)


def _enumeration(raw, today):
    """An enumeration; `today`: numbers of today's enumerators, by enumeration and name."""
    current = raw.get("now", raw["name"])
    if current and current not in today:
        raise TableError(f"{raw['name']}: there is no enumeration {current!r} today")
    values = []
    for value in raw["values"]:
        now = value.get("now", value["name"]) if current else ""
        if now and now not in today[current]:
            raise TableError(f"{value['name']}: there is no {now!r} today")
        values.append(Enumerator(value["name"], int(str(value["value"]), 0), now))
    otherwise = raw.get("otherwise", "")
    if otherwise and otherwise not in [v.name for v in values]:
        raise TableError(f"{raw['name']}: otherwise {otherwise!r}, which is no value of it")
    return Enumeration(raw["name"], current, values, otherwise)


def numbers(table):
    """Today's enumerators: number by enumeration and name."""
    return {name: {v["name"]: v["value"] for v in values if "alias" not in v}
            for name, values in table.enumerations.items()}


def load(path, table):
    raw = toml_file.read(path)
    today = numbers(table)
    by_name = {f.name: f for f in table.functions}
    functions = []
    for entry in raw["function"]:
        function = Function(entry["name"], entry["versions"], [_parameter(p) for p in entry.get("parameters", [])],
                            by_hand=entry.get("by_hand", False))
        now = entry.get("now", function.name)
        if now and now not in by_name:
            raise TableError(f"{function.name}: there is no function {now!r} today")
        function.now = by_name[now] if now else None
        function.returns = function.now.returns if now else function.returns
        unknown = set(function.versions) - set(raw["older"]["versions"])
        if unknown:
            raise TableError(f"{function.name}: version {unknown.pop()} is not in the list")
        functions.append(function)
    enumerations = {e["name"]: _enumeration(e, today) for e in raw["enumeration"]}
    return Older(raw["older"], functions, enumerations, {s["name"]: s["members"] for s in raw["structure"]})
