#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print what `wavetape export FILE --json-lines` writes with all memory and all registers at each stop.

    wavetape export crash.wtape --json-lines | python3 whole-stops.py | jq 'select(.stop == 2)'
"""

import json
import sys


def whole(lines):
    """The same lines as objects; in those that name earlier lines (`same_as`, `same_page`) with what these have."""
    pages, registers = {}, {}
    for text in lines:
        line = json.loads(text)
        if line["line"] == "memory":
            address, end = int(line["address"], 16), int(line["address"], 16) + line["recorded_bytes"]
            if "data" in line:
                pages[line["space"], line["owner"], address] = line
            while address < end:
                own = {key: line[key] for key in ("stop", "space", "owner")} | {"address": hex(address)}
                of = line.get("same_page", own | {"stop": line.get("same_as", line["stop"])})
                page = pages[of["space"], of["owner"], int(of["address"], 16)]
                assert page["stop"] == of["stop"]
                yield page | own
                address += page["recorded_bytes"]
            continue
        if line["line"] == "registers" and "same_as" in line:
            before = registers[line["wave"]]
            assert before["stop"] == line.pop("same_as")
            changed = {register["name"]: register for register in line["registers"]}
            line["registers"] = [changed.get(register["name"], register) for register in before["registers"]]
        elif line["line"] == "registers":
            registers[line["wave"]] = line
        yield line


if __name__ == "__main__":
    for one in whole(sys.stdin):
        print(json.dumps(one))
