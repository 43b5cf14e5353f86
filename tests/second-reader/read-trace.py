#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print what a trace means as JSON. Usage: read-trace.py --proto DIRECTORY FILE

DIRECTORY holds trace_pb2.py, made from trace.proto by `protoc --python_out`. Exit codes are those of `wavetape check`: 0 if
the trace is whole, 3 if not, 1 if it is refused.
"""

import argparse
import json
import sys


def main():
    parser = argparse.ArgumentParser(description="Print what a trace means as JSON.")
    parser.add_argument("--proto", required=True, help="directory of trace_pb2.py")
    parser.add_argument("file")
    options = parser.parse_args()
    sys.path.insert(0, options.proto)
    import container
    import meaning
    import packets

    with open(options.file, "rb") as file:
        data = file.read()
    try:
        trace = packets.Trace(container.Container(data))
    except container.Refused as refusal:
        json.dump({"refused": str(refusal)}, sys.stdout, indent=1)
        print()
        return 1
    all_of_it = meaning.everything(trace)
    json.dump(all_of_it, sys.stdout, indent=1)
    print()
    return 0 if all_of_it["check"]["whole"] else 3


if __name__ == "__main__":
    sys.exit(main())
