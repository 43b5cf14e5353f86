#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every C file is as clang-format leaves it.

Usage: check-format.py CLANG-FORMAT ROOT MEMORY

Files that are as they were when nothing was wrong with them are not looked at again: MEMORY is a file that says which these are.
"""

import hashlib
import json
import pathlib
import subprocess
import sys

FOLDERS = ("base", "gfx", "device", "driver", "dbgapi", "trace-format", "recorder", "replayer", "tool", "libwavetape", "cli", "docs", "tests")


def digest(path, rules):
    return hashlib.sha256(rules + path.read_bytes()).hexdigest()


def main(clang_format, root, memory):
    root, memory = pathlib.Path(root), pathlib.Path(memory)
    state = pathlib.Path(clang_format).stat()
    rules = f"{clang_format} {state.st_size} {state.st_mtime_ns} ".encode() + (root / ".clang-format").read_bytes()
    files = {str(path): digest(path, rules) for folder in FOLDERS for path in sorted((root / folder).rglob("*.[ch]"))}
    right = set(json.loads(memory.read_text("utf-8"))) if memory.exists() else set()
    changed = [path for path, now in files.items() if now not in right]
    if changed:
        done = subprocess.run([clang_format, "--dry-run", "-Werror", "--ferror-limit=3", *changed], check=False,
                              capture_output=True, text=True)
        if done.returncode or done.stderr:
            print(done.stderr[-4000:])
            return 1
    memory.write_text(json.dumps(list(files.values())), "utf-8")
    print(f"{len(files)} files, {len(changed)} of them new or changed")
    return 0 if files else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
