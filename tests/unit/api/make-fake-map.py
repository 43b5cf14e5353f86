# SPDX-License-Identifier: MIT
"""The version script of a library over the fake device: that of the API, and what scripts steer the device by.

Usage: make-fake-map.py SCRIPT HEADER OUTPUT
"""

import re
import sys


def main(script, header, output):
    with open(script, encoding="utf-8") as file:
        text = file.read()
    with open(header, encoding="utf-8") as file:
        names = sorted(set(re.findall(r"\bfake_\w+(?=[;,(])", file.read())))
    newest = re.findall(r"^(AMD_DBGAPI_[0-9.]+) \{", text, re.M)[-1]
    text += "FAKE_DEVICE {\nglobal:\n" + "".join(f"\t{name};\n" for name in names) + f"}} {newest};\n"
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
