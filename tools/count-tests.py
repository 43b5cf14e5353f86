#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Add up the test results of meson build directories; fail if a test that was to run did not, or none passed.

Usage: count-tests.py BUILD...

Which were to run is in BUILD/meson-logs/chosen.txt, as choose-tests.py prints it. (That tests failed, meson has said.) What tests say of how much they tried, in lines that begin with `proof: `, is shown before that, for each directory.
"""

import json
import sys


def main(directories):
    passed = failed = skipped = 0
    missing = []
    for directory in directories:
        proofs = set()
        with open(f"{directory}/meson-logs/chosen.txt", encoding="utf-8") as names:
            wanted = dict.fromkeys(names.read().split())
        with open(f"{directory}/meson-logs/testlog.json", encoding="utf-8") as log:
            for line in log:
                test = json.loads(line)
                wanted.pop(test["name"].rpartition(" / ")[2], None)
                result = test["result"]
                text = test.get("stdout", "") + "\n" + test.get("stderr", "")
                proofs.update(said for said in text.splitlines() if said.startswith("proof: "))
                if result in ("OK", "EXPECTEDFAIL"):
                    passed += 1
                elif result == "SKIP":
                    skipped += 1
                else:
                    failed += 1
        missing += [f"{directory}: {name} was to run, and did not" for name in wanted]
        if proofs:
            print(f"{directory}:", *sorted(proofs), sep="\n  ")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    print("".join(f"{text}\n" for text in missing), end="", file=sys.stderr)
    return 1 if missing or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
