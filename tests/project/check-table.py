#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The API table has every function, parameter and enumerator of the facts, and nothing else.

Usage: check-table.py TABLE FACTS
"""

import json
import sys
import tomllib


def main(table_path, facts_path):
    with open(table_path, "rb") as file:
        table = tomllib.load(file)
    with open(facts_path, encoding="utf-8") as file:
        facts = json.load(file)
    problems = []
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
