# SPDX-License-Identifier: MIT
"""Write workloads that name other variants of the same code objects.

Usage: workload-variant.py NAME.json OUT/NAME-VARIANT.json...

Each code object OBJECT.co becomes OBJECT-VARIANT.co. A variant that begins with the name of an architecture
is for that one; everything else stays.
"""

import json
import pathlib
import re
import sys


def vary_code_object(described, variant):
    """The variant of an entry of "code_objects": a name, or an object that has one."""
    if isinstance(described, dict):
        return described | {"file": vary_code_object(described["file"], variant)}
    return described.removesuffix(".co") + variant + ".co"


def vary(workload, variant):
    """Change a workload in place."""
    workload["code_objects"] = [
        vary_code_object(described, variant) for described in workload["code_objects"]
    ]
    architecture = re.match(r"-(gfx[0-9a-f]+)", variant)
    for place in [workload, *workload.get("agents", [])]:
        if architecture and "architecture" in place:
            place["architecture"] = architecture[1]


def main():
    source, *targets = map(pathlib.Path, sys.argv[1:])
    for target in targets:
        workload = json.loads(source.read_text("utf-8"))
        vary(workload, target.stem.removeprefix(source.stem))
        target.write_text(json.dumps(workload, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
