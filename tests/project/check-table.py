#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of the API, today's and the older one, have every function, parameter and enumerator of the facts, and
nothing else.

Usage: check-table.py TABLE FACTS OLDER-TABLE OLDER-FACTS
"""

import json
import sys
import tomllib


def load(table_path, facts_path):
    with open(table_path, "rb") as file:
        table = tomllib.load(file)
    with open(facts_path, encoding="utf-8") as file:
        return table, json.load(file)


def difference(what, ours, facts):
    differing = sorted(name for name in ours.keys() | facts.keys() if ours.get(name) != facts.get(name))
    return [f"{what} differ: {', '.join(differing)}"] if differing else []


def check_older(table_path, facts_path):
    table, facts = load(table_path, facts_path)
    functions = {f["name"]: sorted(f["versions"]) for f in table["function"]}
    arity = {f["name"]: len(f.get("parameters", [])) for f in table["function"]}
    enumerators = {v["name"]: int(str(v["value"]), 0) for e in table["enumeration"] for v in e["values"]}
    print(f"older: {len(functions)} functions, {len(enumerators)} enumerators")
    return [*difference("older functions", functions, facts["functions"]),
            *difference("older parameters", arity, facts["parameter_counts"]),
            *difference("older enumerators", enumerators, facts["enumerators"])]


def main(table_path, facts_path, older_table_path, older_facts_path):
    table, facts = load(table_path, facts_path)
    problems = check_older(older_table_path, older_facts_path)
    functions = {f["name"]: f["version"] for f in table["function"]}
    if functions != facts["functions"]:
        problems.append(f"functions differ: {set(functions.items()) ^ set(facts['functions'].items())}")
    arity = {f["name"]: len(f["parameters"]) for f in table["function"]}
    if arity != facts["parameter_counts"]:
        problems.append(f"parameters differ: {set(arity.items()) ^ set(facts['parameter_counts'].items())}")
    enumerators = {v["name"]: v["value"] for e in table["enumeration"] for v in e["values"] if "value" in v}
    if enumerators != facts["enumerators"]:
        problems.append(f"enumerators differ: {set(enumerators.items()) ^ set(facts['enumerators'].items())}")
    results = {v["name"]: v["type"] for e in table["enumeration"] for v in e["values"] if "type" in v}
    if results != facts["results"]:
        problems.append(f"query results differ: {set(results.items()) ^ set(facts['results'].items())}")
    print("\n".join(problems) or f"{len(functions)} functions, {len(enumerators)} enumerators")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
