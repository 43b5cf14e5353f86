# SPDX-License-Identifier: MIT
"""The version script of a level, with a newer one behind it.

Usage: future.py SCRIPT OUTPUT
"""

import re
import sys

MOVED = "amd_dbgapi_process_code_object_list"


def main(script, output):
    with open(script, encoding="utf-8") as file:
        text = file.read()
    newest = re.findall(r"^(AMD_DBGAPI_[0-9.]+) \{", text, re.M)[-1]
    text = text.replace(f"\t{MOVED};\n", "")
    text += f"AMD_DBGAPI_0.90 {{\nglobal:\n\tamd_dbgapi_of_tomorrow;\n\t{MOVED};\n}} {newest};\n"
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
