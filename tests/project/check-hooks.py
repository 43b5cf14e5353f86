#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each hook of the recorder is called by the wrapper that it is for, and all that the wrappers call are declared.

Usage: check-hooks.py TABLE HOOKS-HEADER
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import api_table  # noqa: E402: they lie among the generators
import generate_record  # noqa: E402

HOOK = re.compile(r"\bwt_(?:before|after)_\w+(?=\()")


def compare(header, wrappers):
    """What does not fit: hooks that are declared and never called, and the other way round."""
    declared, called = set(HOOK.findall(header)), set(HOOK.findall(wrappers))
    return [*(f"{hook} is never called: is it listed in tools/generate_record.py?" for hook in sorted(declared - called)),
            *(f"{hook} is called, and nobody declares it" for hook in sorted(called - declared))]


def main(table_path, header_path):
    header = pathlib.Path(header_path).read_text("utf-8")
    wrappers = generate_record.generate_record(api_table.load(table_path).ours())
    problems = compare(header, wrappers)
    print(*problems, f"{len(set(HOOK.findall(header)))} hooks", sep="\n")
    if problems:
        return 1
    # A check that finds nothing in what is wrong proves nothing.
    more = header + "void wt_after_get_version(struct wt_call *call);\n"
    fewer = header.replace("wt_before_wave_resume(", "wt_before_wave_run(")
    assert len(compare(more, wrappers)) == 1 and len(compare(fewer, wrappers)) == 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
