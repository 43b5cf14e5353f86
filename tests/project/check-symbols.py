#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every provider exports exactly the functions of the facts, each at its symbol version, under the soname.

Usage: check-symbols.py FACTS LIBRARY...
"""

import json
import re
import subprocess
import sys

# Of any type and with or without a version; in section ABS are the version nodes themselves.
SYMBOL = re.compile(r"\s(?:GLOBAL|WEAK|UNIQUE)\s+\w+\s+(\d+)\s+([^\s@]+)(?:@@?(\S+))?")


def exported(library):
    output = subprocess.run(["readelf", "--dyn-syms", "-W", library], check=True, capture_output=True,
                            text=True).stdout
    return {m[2]: m[3] for m in map(SYMBOL.search, output.splitlines()) if m}


def soname(library):
    output = subprocess.run(["readelf", "-d", "-W", library], check=True, capture_output=True, text=True).stdout
    match = re.search(r"Library soname: \[(.*?)\]", output)
    return match[1] if match else None


def main(facts_path, *libraries):
    with open(facts_path, encoding="utf-8") as file:
        facts = json.load(file)
    failed = False
    for library in libraries:
        found = exported(library)
        for name in sorted(set(found) | set(facts["functions"])):
            if found.get(name) != facts["functions"].get(name):
                print(f"{library}: {name}: {found.get(name)}, not {facts['functions'].get(name)}")
                failed = True
        if soname(library) != facts["soname"]:
            print(f"{library}: soname {soname(library)}, not {facts['soname']}")
            failed = True
        print(f"{library}: {len(found)} functions")
    return 1 if failed or not libraries else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
