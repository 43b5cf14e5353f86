#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generate one file from the API table.

Usage: generate-api.py KIND[@LEVEL] TABLE [OLDER-TABLE] OUTPUT, where KIND is one of the generators below. It gets what
one level has, today's where none is named.
"""

import sys

import api_table
import older_table
from generate_meta import generate_functions_header, generate_tables
from generate_map import generate_level_script, generate_version_script
from generate_header_test import generate_header_test
from generate_client import generate_client
from generate_gate import generate_gate
from generate_record import generate_record
from generate_invoke import generate_invoke
from generate_replay import generate_entry, generate_replay, generate_replay_header
from generate_versions import generate_symbols, generate_versions
from generate_python import generate_python
from generate_static import generate_static
from generate_older import (generate_older_declarations, generate_older_header, generate_older_stand_in,
                            generate_older_stand_in_script, generate_older_wrappers)

GENERATORS = {
    "functions-header": generate_functions_header,
    "tables": generate_tables,
    "record": generate_record,
    "entry": generate_entry,
    "replay": generate_replay,
    "replay-header": generate_replay_header,
    "invoke": generate_invoke,
    "python": generate_python,
    "static": generate_static,
}

# Those that compare a level with others.
LEVEL_GENERATORS = {
    "header-test": generate_header_test,
}

# Those that need all levels.
WHOLE_GENERATORS = {
    "client": generate_client,
    "levels": lambda table: "".join(f"{api_table.number(level['level'])[1]}\n" for level in table.levels),
    "symbols": generate_symbols,
    "versions": generate_versions,
}

# Those that need the table of the older form, too, and all levels.
WHOLE_OLDER_GENERATORS = {
    "gate": generate_gate,
}

# Those that need the table of the older form, too.
OLDER_GENERATORS = {
    "version-script": generate_version_script,
    "level-script": generate_level_script,
    "older-declarations": generate_older_declarations,
    "older-header": generate_older_header,
    "older-stand-in": generate_older_stand_in,
    "older-stand-in-script": generate_older_stand_in_script,
    "older-wrappers": generate_older_wrappers,
}


def generate(kind, level, table_paths):
    table = api_table.load(table_paths[0])
    level = level or table.api["level"]
    if kind in LEVEL_GENERATORS:
        return LEVEL_GENERATORS[kind](table, level)
    if kind in WHOLE_GENERATORS:
        return WHOLE_GENERATORS[kind](table)
    if kind in WHOLE_OLDER_GENERATORS:
        return WHOLE_OLDER_GENERATORS[kind](table, older_table.load(table_paths[1], table.ours()))
    if kind == "level-script":
        return generate_level_script(table.ours(), older_table.load(table_paths[1], table.ours()), table.at(level))
    view = table.ours() if level == table.api["level"] else table.at(level)
    if kind in GENERATORS:
        return GENERATORS[kind](view)
    return OLDER_GENERATORS[kind](view, older_table.load(table_paths[1], view))


def main(arguments):
    kind, _, level = (arguments or [""])[0].partition("@")
    kinds = {**OLDER_GENERATORS, **WHOLE_OLDER_GENERATORS} if len(arguments) == 4 else {**GENERATORS, **LEVEL_GENERATORS, **WHOLE_GENERATORS}
    if len(arguments) not in (3, 4) or kind not in kinds:
        print(__doc__.strip(), "\nKinds:", ", ".join([*GENERATORS, *LEVEL_GENERATORS, *WHOLE_GENERATORS, *OLDER_GENERATORS, *WHOLE_OLDER_GENERATORS]), file=sys.stderr)
        return 2
    _, *table_paths, output_path = arguments
    try:
        text = generate(kind, level, table_paths)
    except (OSError, ValueError, TypeError, KeyError, api_table.TableError) as error:
        print(f"generate-api: {' '.join(table_paths)}: {error}", file=sys.stderr)
        return 1
    with open(output_path, "w", encoding="utf-8") as output:
        output.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
