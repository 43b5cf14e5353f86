# SPDX-License-Identifier: MIT
"""The API table (dbgapi/table/api.toml), read and checked: every generator starts from here."""

import tomllib
from dataclasses import dataclass, field

SHAPES = {
    "value", "opaque", "out", "inout", "in_bytes", "out_bytes", "out_array", "out_memory", "out_string",
    "out_static_string", "out_query", "out_information", "symbolizer", "callbacks",
}
# Types whose numbers may be negative.
SIGNED = {"amd_dbgapi_status_t", "amd_dbgapi_notifier_t"}
RESULTS = {"fixed", "string", "bytes", "handles", "core_state"}


class TableError(Exception):
    """The table contradicts itself; the text names the entry."""


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
    name: str
    version: str
    returns: str
    callbacks: list
    statuses: list
    parameters: list
    object: object = None

    @property
    def short(self):
        return self.name.removeprefix("amd_dbgapi_")

    @property
    def constant(self):
        return "WT_FUNCTION_" + self.short.upper()

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


@dataclass
class Object:
    name: str
    handle: str
    get_info: str
    queries_of: str
    invalid: str
    listing: str = ""
    queries: list = field(default_factory=list)

    @property
    def constant(self):
        return "WT_OBJECT_" + self.name.upper()


@dataclass
class Table:
    api: dict
    functions: list
    objects: list
    enumerations: dict
    callbacks: list
    structures: dict


def _check_function(function):
    names = {p.name for p in function.parameters}
    for p in function.parameters:
        if p.shape not in SHAPES:
            raise TableError(f"{function.name}: {p.name}: unknown shape {p.shape!r}")
        for reference in (p.length, p.count, p.query):
            if reference and reference not in names:
                raise TableError(f"{function.name}: {p.name}: no parameter {reference!r}")


def _load_objects(raw, enumerations, functions):
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
            o.queries.append(Query(**value))
        for name in filter(None, (o.get_info, o.listing)):
            if name not in by_name:
                raise TableError(f"object {o.name}: no function {name!r}")
            by_name[name].object = o
        objects.append(o)
    return objects


def load(path):
    """Read the table; raise TableError where it contradicts itself."""
    with open(path, "rb") as file:
        raw = tomllib.load(file)
    functions = [
        Function(**{**f, "parameters": [Parameter(**p) for p in f["parameters"]]})
        for f in raw["function"]
    ]
    for function in functions:
        _check_function(function)
        if function.version not in raw["api"]["versions"]:
            raise TableError(f"{function.name}: version {function.version} is not in the list")
    enumerations = {e["name"]: e["values"] for e in raw["enumeration"]}
    objects = _load_objects(raw["object"], enumerations, functions)
    structures = {s["name"]: s["members"] for s in raw["structure"]}
    return Table(raw["api"], functions, objects, enumerations, raw["callback"], structures)
