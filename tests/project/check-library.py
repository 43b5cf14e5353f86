#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libwavetape exports what its headers declare and its map lists, at the map's versions, and nothing else; every function and structure
of the headers is in the page for users.

Usage: check-library.py MAP PAGE LIBRARY HEADER...
"""

import pathlib
import re
import subprocess
import sys

SYMBOL = re.compile(r"\s(?:GLOBAL|WEAK|UNIQUE)\s+\w+\s+(\d+)\s+([^\s@]+)@@(\S+)")
SONAME = "libwavetape.so.0"


def declared(header):
    """Functions of the header: each is marked as exported, and none is declared twice."""
    plain = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    marked = re.findall(r"\bWAVETAPE_API\b[^;(]*?\b(wavetape_\w+)\s*\(", plain)
    every = re.findall(r"\b(wavetape_\w+)\s*\([^;{}]*\)\s*;", plain)
    yield from (f"the header declares {name} without WAVETAPE_API" for name in every if name not in marked)
    yield from (f"the header declares {name} twice" for name in sorted(set(marked)) if marked.count(name) > 1)
    return set(marked)


def listed(text):
    """Symbols of the map with their versions."""
    for version, body in re.findall(r"(\w+)\s*\{\s*global:(.*?)(?:local:|\})", text, re.DOTALL):
        for name in re.findall(r"(\w+);", body):
            yield name, version


def readelf(option, library):
    return subprocess.run(["readelf", option, "-W", library], check=True, capture_output=True, text=True).stdout


def exported(library):
    """In section ABS are the version nodes themselves; undefined symbols have no section number."""
    return {(m[2], m[3]) for m in SYMBOL.finditer(readelf("--dyn-syms", library))}


def check(map_path, page_path, library, *headers):
    header = "\n".join(pathlib.Path(path).read_text(encoding="utf-8") for path in headers)
    names = yield from declared(header)
    versions = set(listed(pathlib.Path(map_path).read_text(encoding="utf-8")))
    found = exported(library)
    yield from (f"{name} is in the header, and not in the map" for name in sorted(names - {name for name, _ in versions}))
    yield from (f"{name} is in the map, and not in the header" for name in sorted({name for name, _ in versions} - names))
    yield from (f"{library} exports {name} at {version}, which the map does not say" for name, version in sorted(found - versions))
    yield from (f"{library} does not export {name} at {version}" for name, version in sorted(versions - found))
    page = pathlib.Path(page_path).read_text(encoding="utf-8")
    structs = re.findall(r"^struct (wavetape_\w+) \{", header, re.MULTILINE)
    yield from (f"{page_path} does not name {name}" for name in (*sorted(names), *structs) if not re.search(rf"\b{name}\b", page))
    if f"[{SONAME}]" not in readelf("-d", library):
        yield f"{library}: its soname is not {SONAME}"
    if not names:
        yield "the header declares nothing"


def main(arguments):
    problems = list(check(*arguments))
    print("\n".join(problems) or "the header, the map and the library agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
