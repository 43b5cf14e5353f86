# SPDX-License-Identifier: MIT
"""Compile a client of the public header under each language standard and compiler.

Usage: check-header.py INCLUDE-DIRECTORY CLIENT.c

Every compiler of the list that is installed is used; gcc and clang-19 must be.
"""

import shutil
import subprocess
import sys

REQUIRED = ("gcc", "clang-19")
C_COMPILERS = ("gcc", "clang-14", "clang-19")
CXX_COMPILERS = ("g++", "clang-14", "clang-19")
C_STANDARDS = ("c99", "gnu99", "c11", "gnu11", "c17")
CXX_STANDARDS = ("c++11", "c++14", "c++17", "c++20")
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror")


LEVELS = ([], ["-DAMD_DBGAPI_LEVEL_NEWEST"])


def compile_client(compiler, language, standard, level, include, client):
    command = [compiler, "-x", language, f"-std={standard}", *level, *WARNINGS, "-fsyntax-only",
               "-I", include, client]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        print(" ".join(command), result.stderr, sep="\n")
    return result.returncode == 0


def main():
    include, client = sys.argv[1:]
    missing = [name for name in REQUIRED if not shutil.which(name)]
    if missing:
        sys.exit(f"not installed: {', '.join(missing)}")
    plans = [(c, "c", s, level) for c in C_COMPILERS for s in C_STANDARDS for level in LEVELS]
    plans += [(c, "c++", s, level) for c in CXX_COMPILERS for s in CXX_STANDARDS for level in LEVELS]
    plans = [plan for plan in plans if shutil.which(plan[0])]
    failed = [plan for plan in plans if not compile_client(*plan, include, client)]
    print(f"{len(plans) - len(failed)} of {len(plans)} compilations passed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
