# SPDX-License-Identifier: MIT
"""Put workloads beside the code objects that they name, and with them those that name other variants of the same ones.

Usage: make-workloads.py [--variants-alone] OUT VARIANT... -- NAME.json... -- BAD.json...

NAME.json is copied to OUT, but for --variants-alone. For each VARIANT there is OUT/NAME-VARIANT.json beside it, in which each code object
OBJECT.co is OBJECT-VARIANT.co; a variant that begins with the name of an architecture is for that one, and everything
else stays. BAD.json is copied to OUT/bad-BAD.json.
"""

import itertools
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


def put_workload(source, variants, out, itself):
    text = source.read_bytes()
    if itself:
        (out / source.name).write_bytes(text)
    for variant in variants:
        workload = json.loads(text)
        vary(workload, variant)
        (out / f"{source.stem}{variant}.json").write_text(json.dumps(workload, indent=2) + "\n", "utf-8")


def main():
    itself = sys.argv[1] != "--variants-alone"
    words = iter(sys.argv[1 if itself else 2:])
    out = pathlib.Path(next(words))
    variants, sources, bad = (list(itertools.takewhile(lambda word: word != "--", words)) for _ in range(3))
    for source in map(pathlib.Path, sources):
        put_workload(source, variants, out, itself)
    for source in map(pathlib.Path, bad):
        (out / f"bad-{source.name}").write_bytes(source.read_bytes())


if __name__ == "__main__":
    main()
