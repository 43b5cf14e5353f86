#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generate one file from the API table.

Usage: generate-api.py KIND TABLE [OLDER-TABLE] OUTPUT, where KIND is one of the generators below.
"""

import sys

import api_table
import older_table
from generate_meta import generate_functions_header, generate_tables
from generate_map import generate_version_script
from generate_header_test import generate_header_test
from generate_record import generate_record
from generate_drive import generate_drive
from generate_older import (generate_older_declarations, generate_older_header, generate_older_stand_in,
                            generate_older_stand_in_script, generate_older_wrappers)

GENERATORS = {
    "functions-header": generate_functions_header,
    "tables": generate_tables,
    "header-test": generate_header_test,
    "record": generate_record,
    "drive": generate_drive,
}

# Those that need the table of the older form, too.
OLDER_GENERATORS = {
    "version-script": generate_version_script,
    "older-declarations": generate_older_declarations,
    "older-header": generate_older_header,
    "older-stand-in": generate_older_stand_in,
    "older-stand-in-script": generate_older_stand_in_script,
    "older-wrappers": generate_older_wrappers,
}


def main(arguments):
    kinds = OLDER_GENERATORS if len(arguments) == 4 else GENERATORS
    if len(arguments) not in (3, 4) or arguments[0] not in kinds:
        print(__doc__.strip(), "\nKinds:", ", ".join([*GENERATORS, *OLDER_GENERATORS]), file=sys.stderr)
        return 2
    kind, *table_paths, output_path = arguments
    try:
        table = api_table.load(table_paths[0])
        older = [older_table.load(path, table) for path in table_paths[1:]]
        text = kinds[kind](table, *older)
    except (OSError, ValueError, TypeError, KeyError, api_table.TableError) as error:
        print(f"generate-api: {' '.join(table_paths)}: {error}", file=sys.stderr)
        return 1
    with open(output_path, "w", encoding="utf-8") as output:
        output.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
