#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every provider exports exactly the functions of the facts under the soname: each at the symbol version of the newest level as the
one that clients are linked with, at every version that it had at any level before, and those of the older form at theirs.

Usage: check-symbols.py FACTS OLDER-FACTS LIBRARY...
"""

import json
import re
import subprocess
import sys

# Of any type and with or without a version; in section ABS are the version nodes themselves.
SYMBOL = re.compile(r"\s(?:GLOBAL|WEAK|UNIQUE)\s+\w+\s+(\d+)\s+([^\s@]+)(?:(@@?)(\S+))?")


def exported(library):
    """Names with their versions: (name, "@@" or "@", version)."""
    output = subprocess.run(["readelf", "--dyn-syms", "-W", library], check=True, capture_output=True,
                            text=True).stdout
    return {(m[2], m[3], m[4]) for m in map(SYMBOL.search, output.splitlines()) if m}


def soname(library):
    output = subprocess.run(["readelf", "-d", "-W", library], check=True, capture_output=True, text=True).stdout
    match = re.search(r"Library soname: \[(.*?)\]", output)
    return match[1] if match else None


def of_levels(functions, newest):
    """Each function with its symbol versions: facts say since which level each holds, and null where it is gone."""
    for name, history in functions.items():
        held = [fact for _, fact in sorted(history.items(), key=lambda known: number(known[0])) if number(_) <= number(newest)]
        versions = list(dict.fromkeys(fact[0] for fact in held if fact))
        for version in versions:
            default = held[-1] and version == versions[-1]
            yield name, "@@" if default else "@", version


def number(level):
    return [int(part) for part in level.split(".")]


def main(facts_path, older_path, *libraries):
    with open(facts_path, encoding="utf-8") as file:
        facts = json.load(file)
    with open(older_path, encoding="utf-8") as file:
        older = json.load(file)
    expected = set(of_levels(facts["functions"], facts["levels"][-1]))
    expected |= {(name, "@", version) for name, versions in older["functions"].items() for version in versions}
    failed = False
    for library in libraries:
        found = exported(library)
        for symbol in sorted(found ^ expected, key=str):
            print(f"{library}: {symbol[0]}{symbol[1]}{symbol[2]}: {'not expected' if symbol in found else 'missing'}")
            failed = True
        if soname(library) != facts["soname"]:
            print(f"{library}: soname {soname(library)}, not {facts['soname']}")
            failed = True
        print(f"{library}: {len(found)} symbols")
    return 1 if failed or not libraries else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
