# SPDX-License-Identifier: MIT
"""The version script of a level, with a newer one behind it.

Usage: future.py SCRIPT OUTPUT
"""

import sys

MOVED = "amd_dbgapi_process_code_object_list"


def main(script, output):
    with open(script, encoding="utf-8") as file:
        text = file.read()
    text = text.replace(f"\t{MOVED};\n", "")
    text += f"AMD_DBGAPI_0.90 {{\nglobal:\n\tamd_dbgapi_of_tomorrow;\n\t{MOVED};\n}} AMD_DBGAPI_0.80;\n"
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
