#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What clang-tidy finds in the sources of all that is installed: find-bugs.py BUILD [--long] [FILE...]

BUILD is a directory that clang compiled; the checks, and why some are left out, are in .clang-tidy. The analyzer, which
follows every path through a function, takes twenty times as long as the rest: it runs with --long only. With FILEs only
these are looked at. A source in which nothing was found is looked at again when it, a file that it includes, how it is compiled,
the checks or clang-tidy have changed: BUILD/find-bugs.json, or find-bugs-long.json, says where nothing was found. Each finding is printed.
Exit code: 0 if there is none, 1 if there are some, 2 if a file could not be looked at.
"""

import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import subprocess
import sys

TIDY = "clang-tidy-19"
AT_ONCE = 8  # files for one process: each starts in a tenth of a second


TOP = pathlib.Path(__file__).resolve().parent.parent


def sources(build):
    """Sources of the build, without tests and what is generated, each once; and how each is compiled."""
    found = {}
    for command in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        path = pathlib.Path(command["directory"], command["file"]).resolve()
        if path.suffix == ".c" and path.is_relative_to(TOP) and not path.is_relative_to(TOP / "tests") and \
                not path.is_relative_to(build.resolve()):
            found.setdefault(path, []).append(command)
    return dict(sorted(found.items()))


@functools.cache
def changed_at(path):
    """When a file was changed; in infinite time, if it is gone."""
    return path.stat().st_mtime_ns if path.exists() else float("inf")


@functools.cache
def contents(path):
    """A digest of what is in a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def included(build):
    """The files that each object was made of, as the compiler told ninja."""
    found, name = {}, None
    told = subprocess.run(["ninja", "-C", build, "-t", "deps"], stdout=subprocess.PIPE, text=True, check=False).stdout
    for line in told.splitlines():
        if line.startswith(" "):
            found[name].append(build / line.strip())
        elif line:
            name = line.partition(": #deps ")[0]
            found[name] = []
    return found


def prints(build, files, options):
    """A digest, for each source that ninja has compiled as it is now, of all that clang-tidy's answer depends on."""
    version = subprocess.run([TIDY, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    common = [version, contents(TOP / ".clang-tidy"), *options]
    made_of, found = included(build), {}
    for path, commands in files.items():
        parts = list(common)
        for command in commands:
            output = build / command["output"]
            needs = sorted(made_of.get(command["output"], []))
            # Another header may have been included since.
            if not needs or not output.exists() or max(map(changed_at, needs)) > changed_at(output):
                break
            parts += [command["command"], *(f"{one} {contents(one)}" for one in needs)]
        else:
            found[str(path)] = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return found


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
    wanted = sorted({path.resolve() for path in arguments.files} or files)
    if strange := set(wanted) - set(files):
        sys.exit(f"find-bugs: {min(strange)}: no source of {arguments.build} that is installed")
    options = [] if arguments.long else ["--checks=-clang-analyzer-*"]
    now = prints(arguments.build, {path: files[path] for path in wanted}, options)
    memory = arguments.build / f"find-bugs{'-long' if arguments.long else ''}.json"
    fine = json.loads(memory.read_text(encoding="utf-8")) if memory.exists() else {}
    changed = [path for path in wanted if fine.get(str(path), "") != now.get(str(path))]
    code = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        parts = [changed[at : at + AT_ONCE] for at in range(0, len(changed), AT_ONCE)]
        for part, (status, stdout, stderr) in zip(parts, pool.map(lambda part: look(arguments.build, part, options), parts)):
            if status == 0:
                fine.update({str(path): now[str(path)] for path in part if str(path) in now})
                continue
            print(stdout, end="")
            if "[" not in stdout:
                print(stderr, end="", file=sys.stderr)
            code = max(code, 1 if "[" in stdout else 2)
    memory.write_text(json.dumps(fine), encoding="utf-8")
    print(f"find-bugs: {len(wanted)} sources, {len(changed)} of them new or changed{'' if arguments.long else ', without the analyzer'}: "
          f"{'nothing found' if not code else 'see above'}")
    sys.exit(code)


if __name__ == "__main__":
    main()
