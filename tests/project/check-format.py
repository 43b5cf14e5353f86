#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every C file is as clang-format leaves it.

Usage: check-format.py CLANG-FORMAT ROOT
"""

import pathlib
import subprocess
import sys

FOLDERS = ("base", "gfx", "device", "driver", "dbgapi", "trace-format", "recorder", "replayer", "tool", "libwavetape", "cli", "docs", "tests")


def main(clang_format, root):
    files = [str(path) for folder in FOLDERS for path in sorted((pathlib.Path(root) / folder).rglob("*.[ch]"))]
    done = subprocess.run([clang_format, "--dry-run", "-Werror", "--ferror-limit=3", *files], check=False,
                          capture_output=True, text=True)
    print(done.stderr[-4000:] or f"{len(files)} files")
    return 1 if done.returncode or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
