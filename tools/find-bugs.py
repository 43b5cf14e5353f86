#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What clang-tidy finds in the sources of all that is installed: find-bugs.py BUILD [--long] [FILE...]

BUILD is a directory that clang compiled; the checks, and why some are left out, are in .clang-tidy. The analyzer, which
follows every path through a function, takes twenty times as long as the rest: it runs with --long only. With FILEs only
these are looked at. Each finding is printed. Exit code: 0 if there is none, 1 if there are some, 2 if a file could not be looked at.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

TIDY = "clang-tidy-19"
AT_ONCE = 8  # files for one process: each starts in a tenth of a second


def sources(build):
    """Sources of the build, without tests and what is generated; each once."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    top = pathlib.Path(__file__).resolve().parent.parent
    found = {pathlib.Path(command["directory"], command["file"]).resolve() for command in commands}
    return sorted(path for path in found if path.suffix == ".c" and path.is_relative_to(top) and
                  not path.is_relative_to(top / "tests") and not path.is_relative_to(build.resolve()))


def look(build, files, options):
    # What it counts on standard error are warnings in headers of the system, which it does not show.
    result = subprocess.run([TIDY, "-p", build, "--quiet", *options, *files], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, check=False)
    return result.returncode, result.stdout, result.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    files = sources(arguments.build)
    if not files:
        sys.exit(f"find-bugs: {arguments.build}: no sources in its compile_commands.json")
    if arguments.files:
        wanted = {path.resolve() for path in arguments.files}
        if strange := wanted - set(files):
            sys.exit(f"find-bugs: {min(strange)}: no source of {arguments.build} that is installed")
        files = sorted(wanted)
    options = [] if arguments.long else ["--checks=-clang-analyzer-*"]
    code = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        parts = [files[at : at + AT_ONCE] for at in range(0, len(files), AT_ONCE)]
        for status, stdout, stderr in pool.map(lambda part: look(arguments.build, part, options), parts):
            if status == 0:
                continue
            print(stdout, end="")
            if "[" not in stdout:
                print(stderr, end="", file=sys.stderr)
            code = max(code, 1 if "[" in stdout else 2)
    print(f"find-bugs: {len(files)} sources{'' if arguments.long else ', without the analyzer'}: "
          f"{'nothing found' if not code else 'see above'}")
    sys.exit(code)


if __name__ == "__main__":
    main()
