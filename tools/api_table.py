# SPDX-License-Identifier: MIT
"""The API table (dbgapi/table/api.toml), read and checked: every generator starts from here.

`load` gives the whole table, with what every level has; `Table.at` what one level has, as a table of that level alone would say it.
"""

from dataclasses import dataclass, field, replace

import toml_file

SHAPES = {
    "value", "opaque", "out", "inout", "in_bytes", "out_bytes", "out_array", "out_memory", "out_string",
    "out_static_string", "out_query", "out_information", "symbolizer", "callbacks",
}
# Kinds of objects that hold at every moment.
FACTS = ("architecture", "register", "register_class", "address_class", "address_space")
# Types whose numbers may be negative.
SIGNED = {"amd_dbgapi_status_t", "amd_dbgapi_notifier_t"}
RESULTS = {"fixed", "string", "bytes", "handles", "core_state"}


class TableError(Exception):
    """The table contradicts itself; the text names the entry."""


def number(level):
    """A level, or a symbol version, as what can be compared: "0.77.4" and "AMD_DBGAPI_0.77" are (0, 77)."""
    return tuple(int(part) for part in level.removeprefix("AMD_DBGAPI_").split(".")[:2])


def in_force(entry, level):
    """Whether a table entry with `since` and `until` is there at a level."""
    since, until = entry.get("since"), entry.get("until")
    return (not since or number(since) <= number(level)) and (not until or number(level) < number(until))


@dataclass
class Parameter:
    name: str
    type: str
    shape: str
    optional: bool = False
    length: str = ""
    length_of: str = ""
    count: str = ""
    element: str = ""
    query: str = ""

    @property
    def is_output(self):
        return self.shape in ("inout",) or self.shape.startswith("out")

    @property
    def pointee(self):
        """The type that a pointer parameter points to."""
        return self.type.removesuffix("*").strip()

    def declaration(self):
        if self.shape == "symbolizer":
            return self.type % self.name
        return f"{self.type}{'' if self.type.endswith('*') else ' '}{self.name}"


@dataclass
class Function:
    """A function in one of its forms. Of one level: `version` is the symbol version it is at there."""
    name: str  # in C: of a form that is not the one of today's level, with that form
    versions: list
    returns: str
    callbacks: list
    statuses: list
    parameters: list
    until: str = ""
    converted: bool = False
    version: str = ""
    symbol: str = ""  # as it is exported, at each of its versions
    written: str = ""  # in a trace
    object: object = None
    acts: bool = False

    @property
    def short(self):
        return self.name.removeprefix("amd_dbgapi_")

    @property
    def constant(self):
        return "WT_FUNCTION_" + self.short.upper()

    @property
    def is_older(self):
        """Whether it is a form that today's level has no more."""
        return self.name != self.symbol

    def at(self, level):
        """The symbol version at a level; None if it is not there in this form."""
        there = [v for v in self.versions if number(v) <= number(level)]
        return there[-1] if there and in_force({"until": self.until}, level) else None

    def parameter(self, name):
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        raise TableError(f"{self.name}: no parameter {name!r}")

    def prototype(self, name=None):
        parameters = ", ".join(p.declaration() for p in self.parameters) or "void"
        space = "" if self.returns.endswith("*") else " "
        return f"{self.returns}{space}{name or self.name}({parameters})"

    def arguments(self):
        return ", ".join(p.name for p in self.parameters)


@dataclass
class Query:
    name: str
    value: int
    result: str
    type: str
    stopped: bool = False
    identity: bool = False
    values: str = ""
    length_of: str = ""
    since: str = ""


@dataclass
class Object:
    name: str
    handle: str
    get_info: str
    queries_of: str
    invalid: str
    listing: str = ""
    queries: list = field(default_factory=list)
    versions: list = field(default_factory=list)  # of its get_info

    @property
    def constant(self):
        return "WT_OBJECT_" + self.name.upper()

    def moved_for(self, query):
        """The symbol version that get_info moved to when it got a query; None if it is at the first one, or did not move."""
        there = [v for v in self.versions[1:] if query.since and number(v) >= number(query.since)]
        return there[0] if there else None


@dataclass
class View:
    """What one level has."""
    level: str
    api: dict
    functions: list
    objects: list
    enumerations: dict  # by name, the values: name and number of that level
    callbacks: list
    structures: dict
    wide: set  # enumerations of 64 bits
    callbacks_before: list = field(default_factory=list)  # of clients of the converted initialize


@dataclass
class Table:
    """What all levels have."""
    api: dict
    levels: list
    functions: list
    raw: dict

    @property
    def versions(self):
        """All symbol versions, oldest first."""
        return sorted({v for f in self.functions for v in f.versions}, key=number)

    def at(self, level):
        if number(level) not in [number(l["level"]) for l in self.levels]:
            raise TableError(f"no level {level!r}")
        raw = self.raw
        enumerations = {e["name"]: [value_at(v, level) for v in e["values"] if in_force(v, level)]
                        for e in raw["enumeration"] if in_force(e, level)}
        functions = [replace(f, name=f.symbol, version=f.at(level)) for f in self.functions if f.at(level)]
        wide = {e["name"] for e in raw["enumeration"] if "wide_until" in e and number(level) < number(e["wide_until"])}
        objects = _load_objects([o for o in raw["object"] if any(f.name == o["get_info"] for f in functions)],
                                enumerations, functions, wide)
        structures = {s["name"]: s["members"] for s in raw["structure"] if in_force(s, level)}
        callbacks = [c for c in raw["callback"] if in_force(c, level)]
        api = {**self.api, "level": level, "versions": sorted({f.version for f in functions}, key=number)}
        return View(level, api, functions, objects, enumerations, callbacks, structures, wide)

    def ours(self):
        """What our libraries have: today's level, and the older forms that are functions of their own."""
        view = self.at(self.api["level"])
        names = {e["name"] for e in self.raw["enumeration"]} - set(view.enumerations)
        view.api["all_versions"] = [v for v in self.versions if number(v) <= number(self.api["level"])]
        for f in self.functions:
            if f.converted:
                view.callbacks_before = self.at(self.last_level(f, f.versions[-1])).callbacks
            elif f.is_older:
                plain = [replace(p, type=_plain_type(p.type, names)) for p in f.parameters]
                view.functions.append(replace(f, version=f.versions[-1], parameters=plain))
        return view

    def renumbered(self, name, level):
        """(number, today's number or None) of an enumeration's values at a level."""
        today = self.api["level"]
        values = next(e["values"] for e in self.raw["enumeration"] if e["name"] == name)
        by_name = {v["name"]: v for v in values}
        for v in values:
            if not in_force(v, level) or "alias" in v:
                continue
            now = v if in_force(v, today) else by_name.get(v.get("now"))
            yield value_at(v, level)["value"], value_at(now, today)["value"] if now else None

    def last_level(self, function, version):
        """The newest level at which a function was at a version."""
        there = [l["level"] for l in self.levels if function.at(l["level"]) == version]
        # Between two releases: as it was at the next one before it moved.
        return there[-1] if there else None

    @property
    def newest(self):
        return self.levels[-1]["level"]


def _plain_type(c_type, gone):
    """A type of today's header: enumerations that it has no more are passed as numbers."""
    base = c_type.removesuffix("*").strip()
    return c_type.replace(base, "uint32_t") if base in gone else c_type


def value_at(value, level):
    """An enumerator as a level has it: without what only tells of levels."""
    entry = {k: v for k, v in value.items() if k not in ("until", "was", "now")}
    for was in reversed(value.get("was", [])):
        if number(level) < number(was["until"]):
            entry.update({k: v for k, v in was.items() if k != "until"})
    return entry


def _check_function(function):
    names = {p.name for p in function.parameters}
    for p in function.parameters:
        if p.shape not in SHAPES:
            raise TableError(f"{function.name}: {p.name}: unknown shape {p.shape!r}")
        for reference in (p.length, p.count, p.query):
            if reference and reference not in names:
                raise TableError(f"{function.name}: {p.name}: no parameter {reference!r}")
    if function.versions != sorted(function.versions, key=number):
        raise TableError(f"{function.name}: versions are not in order")
    if function.until and number(function.until) <= number(function.versions[-1]):
        raise TableError(f"{function.name}: at {function.versions[-1]}, but only until {function.until}")


def _load_objects(raw, enumerations, functions, wide):
    by_name = {f.name: f for f in functions}
    objects = []
    for entry in raw:
        entry = dict(entry)
        queries = entry.pop("queries")
        o = Object(queries_of=queries, **entry)
        for value in enumerations[queries]:
            if "result" not in value:
                raise TableError(f"{queries}: {value['name']}: no result")
            if value["result"] not in RESULTS:
                raise TableError(f"{queries}: {value['name']}: unknown result {value['result']!r}")
            query = Query(**value)
            if query.values in wide or query.type in wide:
                query.type = "uint64_t"
            o.queries.append(query)
        for name in filter(None, (o.get_info, o.listing)):
            if name not in by_name:
                raise TableError(f"object {o.name}: no function {name!r}")
            by_name[name].object = o
        o.versions = by_name[o.get_info].versions
        objects.append(o)
    return objects


def _name_forms(functions, api):
    """Tell the forms of a function apart: the one of today's level has the plain name in C, that of the first level recorded in traces."""
    for function in functions:
        function.symbol = function.written = function.name
    for function in functions:
        same = [f for f in functions if f.symbol == function.symbol]
        if not function.at(api["level"]) and number(function.versions[0]) <= number(api["level"]):
            function.name += "_" + "_".join(str(part) for part in number(function.versions[0]))
        if any(f.at(api["first_recorded"]) for f in same) and not function.at(api["first_recorded"]):
            function.written += f"@{function.versions[0]}"


def load(path):
    """Read the table; raise TableError where it contradicts itself."""
    raw = toml_file.read(path)
    functions = [
        Function(**{**f, "parameters": [Parameter(**p) for p in f["parameters"]]})
        for f in raw["function"]
    ]
    for function in functions:
        _check_function(function)
    _name_forms(functions, raw["api"])
    table = Table(raw["api"], raw["level"], functions, raw)
    # Each level has to hang together.
    for level in table.levels:
        table.at(level["level"])
    return table
