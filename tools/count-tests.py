#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Add up the test results of meson build directories; fail if any test failed or none ran.

What tests say of how much they tried, in lines that begin with `proof: `, is shown before that, for each directory.
"""

import json
import sys


def main(directories):
    passed = failed = skipped = 0
    for directory in directories:
        proofs = set()
        with open(f"{directory}/meson-logs/testlog.json", encoding="utf-8") as log:
            for line in log:
                test = json.loads(line)
                result = test["result"]
                text = test.get("stdout", "") + "\n" + test.get("stderr", "")
                proofs.update(said for said in text.splitlines() if said.startswith("proof: "))
                if result in ("OK", "EXPECTEDFAIL"):
                    passed += 1
                elif result == "SKIP":
                    skipped += 1
                else:
                    failed += 1
        if proofs:
            print(f"{directory}:", *sorted(proofs), sep="\n  ")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
