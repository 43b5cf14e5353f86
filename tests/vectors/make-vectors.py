#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make the test vectors again: make-vectors.py --proto DIRECTORY [--only NAME]...

Run by hand when a vector is added. What is in the tree stays as it is: the bytes that zstd makes differ from version to version,
and a vector is to be read for ever. A vector that is already there is left alone unless it is named with --only.
"""

import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "second-reader"))


def arguments():
    parser = argparse.ArgumentParser(description="Make the test vectors again.")
    parser.add_argument("--proto", required=True, help="directory of trace_pb2.py")
    parser.add_argument("--only", action="append", default=[], help="make this one, also where it exists")
    return parser.parse_args()


OPTIONS = arguments()
sys.path.insert(0, OPTIONS.proto)

import whole_vectors  # noqa: E402,F401: registers its vectors; trace_pb2 lies where --proto says
import chunk_vectors  # noqa: E402,F401
import items_vectors  # noqa: E402,F401
import names_vectors  # noqa: E402,F401
import repeated_vectors  # noqa: E402,F401
import parity_vectors  # noqa: E402,F401
import rows_vectors  # noqa: E402,F401
import stage_vectors  # noqa: E402,F401
import summary_vectors  # noqa: E402,F401
import torn_vectors  # noqa: E402,F401
from catalogue import VECTORS  # noqa: E402


def main():
    made = 0
    for name, make in VECTORS.items():
        path = HERE / (name + ".wtape")
        if OPTIONS.only and name not in OPTIONS.only or not OPTIONS.only and path.exists():
            continue
        path.write_bytes(make())
        made += 1
    print("%d vectors, %d made" % (len(VECTORS), made))


if __name__ == "__main__":
    main()
