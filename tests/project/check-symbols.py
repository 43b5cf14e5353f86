#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every provider exports exactly the functions of the facts under the soname: those of today's form, each at its symbol
version as the one that clients are linked with, and those of the older form at theirs.

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


def of_level(functions, levels, level):
    """The symbol version of each function at a level: facts say since which level each holds."""
    versions = {}
    for name, history in functions.items():
        held = [history[known] for known in levels[:levels.index(level) + 1] if known in history]
        if held and held[-1]:
            versions[name] = held[-1][0]
    return versions


def main(facts_path, older_path, *libraries):
    with open(facts_path, encoding="utf-8") as file:
        facts = json.load(file)
    with open(older_path, encoding="utf-8") as file:
        older = json.load(file)
    expected = {(name, "@@", version) for name, version in of_level(facts["functions"], facts["levels"], "0.77").items()}
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
