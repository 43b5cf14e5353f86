#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generate one file from the API table.

Usage: generate-api.py KIND TABLE OUTPUT, where KIND is one of the generators below.
"""

import sys

import api_table
from generate_meta import generate_functions_header, generate_tables
from generate_map import generate_version_script
from generate_header_test import generate_header_test
from generate_record import generate_record
from generate_drive import generate_drive

GENERATORS = {
    "functions-header": generate_functions_header,
    "tables": generate_tables,
    "version-script": generate_version_script,
    "header-test": generate_header_test,
    "record": generate_record,
    "drive": generate_drive,
}


def main(arguments):
    if len(arguments) != 3 or arguments[0] not in GENERATORS:
        print(__doc__.strip(), "\nKinds:", ", ".join(GENERATORS), file=sys.stderr)
        return 2
    kind, table_path, output_path = arguments
    try:
        text = GENERATORS[kind](api_table.load(table_path))
    except (OSError, ValueError, TypeError, KeyError, api_table.TableError) as error:
        print(f"generate-api: {table_path}: {error}", file=sys.stderr)
        return 1
    with open(output_path, "w", encoding="utf-8") as output:
        output.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
