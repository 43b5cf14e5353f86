# SPDX-License-Identifier: MIT
"""Write a workload that names other variants of the same code objects.

Usage: workload-variant.py IN.json OUT.json SUFFIX

Each code object NAME.co becomes NAMESUFFIX.co; everything else stays.
"""

import json
import sys


def main():
    source, target, suffix = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        workload = json.load(file)
    workload["code_objects"] = [
        name.removesuffix(".co") + suffix + ".co" for name in workload["code_objects"]
    ]
    with open(target, "w", encoding="utf-8") as file:
        json.dump(workload, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
