#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of the API, today's and the older one, have every function, parameter and enumerator of the facts, and
nothing else: today's at each level.

Usage: check-table.py TABLE FACTS OLDER-TABLE OLDER-FACTS
"""

import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import api_table  # noqa: E402: it lies among the generators
import toml_file  # noqa: E402


def load(table_path, facts_path):
    table = toml_file.read(table_path)
    with open(facts_path, encoding="utf-8") as file:
        return table, json.load(file)


def difference(what, ours, facts):
    differing = sorted(name for name in ours.keys() | facts.keys() if ours.get(name) != facts.get(name))
    return [f"{what}: {name}: {ours.get(name)}, not {facts.get(name)}" for name in differing]


def check_older(table_path, facts_path):
    table, facts = load(table_path, facts_path)
    functions = {f["name"]: sorted(f["versions"]) for f in table["function"]}
    arity = {f["name"]: len(f.get("parameters", [])) for f in table["function"]}
    enumerators = {v["name"]: int(str(v["value"]), 0) for e in table["enumeration"] for v in e["values"]}
    print(f"older: {len(functions)} functions, {len(enumerators)} enumerators")
    return [*difference("older functions", functions, facts["functions"]),
            *difference("older parameters", arity, facts["parameter_counts"]),
            *difference("older enumerators", enumerators, facts["enumerators"])]


def at(history, levels, level):
    """What held at a level: {"0.62": ..., "0.76": ...} says since when each does; None: it is not there."""
    held = [history[known] for known in levels[:levels.index(level) + 1] if known in history]
    return held[-1] if held else None


def there(facts, level):
    """The entries of a part of the facts that a level has."""
    return {name: held for name, history in facts.items()
            if (held := at(history, LEVELS, level)) is not None}


def plain(text):
    """A declaration without the blanks that people put in it."""
    return "".join(text.split())


def ours_of(view):
    functions = {f.name: [f.version, f.returns, plain(", ".join(
        (p.type % "" if p.shape == "symbolizer" else p.type) + p.name for p in f.parameters))] for f in view.functions}
    values = {e: {v["name"]: v["value"] for v in entries if "value" in v} for e, entries in view.enumerations.items()}
    for e, entries in view.enumerations.items():
        values[e].update({v["name"]: values[e][v["alias"]] for v in entries if "alias" in v})
        values[e] = {name: signed(number) for name, number in values[e].items()}
    structures = {name: plain(members.rstrip("; ")) for name, members in view.structures.items() if members}
    return functions, values, structures


def pointer_type(callback):
    """A pointer to a callback, without the names of its parameters."""
    parameters = ",".join(re.sub(r"\w+$", "", parameter) for parameter in callback["parameters"])
    return plain(f"{callback['returns']}(*)({parameters})")


def signed(number):
    """As a 32-bit enumerator has it; those with more bits stay."""
    return number - (1 << 32) if 1 << 31 <= number < 1 << 32 else number


def check_level(view, facts, level):
    functions, values, structures = ours_of(view)
    expected = {name: [version, returns, plain(parameters)]
                for name, (version, returns, parameters) in there(facts["functions"], level).items()}
    problems = difference(f"{level} functions", functions, expected)
    expected_values = {e: there(history, level) for e, history in facts["enumerations"].items()}
    for e in values.keys() | {e for e, entries in expected_values.items() if entries}:
        problems += difference(f"{level} {e}", values.get(e, {}), expected_values.get(e, {}))
    expected = {name: plain(members) for name, members in there(facts["structures"], level).items()}
    problems += difference(f"{level} structures", structures, expected)
    callbacks = [(c["name"], pointer_type(c)) for c in view.callbacks]
    expected = [(name, plain(kind)) for name, kind in at(facts["callbacks"], LEVELS, level)]
    return problems + ([] if callbacks == expected else [f"{level} callbacks: {callbacks}, not {expected}"])


LEVELS = []


def main(table_path, facts_path, older_table_path, older_facts_path):
    with open(facts_path, encoding="utf-8") as file:
        facts = json.load(file)
    LEVELS[:] = facts["levels"]
    table = api_table.load(table_path)
    problems = check_older(older_table_path, older_facts_path)
    levels = [level["level"] for level in table.levels]
    if levels != LEVELS:
        problems.append(f"levels {levels}, not {LEVELS}")
    if table.api["soname"] != facts["soname"]:
        problems.append(f"soname {table.api['soname']}")
    for level in LEVELS:
        problems += check_level(table.at(level), facts, level)
    view = table.at(LEVELS[-1])
    results = {q.name: q.type for o in view.objects for q in o.queries}
    results |= {v["name"]: v["type"] for e in view.enumerations.values() for v in e if "type" in v}
    problems += difference("query results", results, facts["results"])
    print("\n".join(problems) or f"{len(table.functions)} forms of functions at {len(LEVELS)} levels")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
