#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""In place of the compiler of kernels: what it would make is taken from another build directory of the same source.

Usage: take-made.py BUILD OPTION... -o OUTPUT

Of the compiler's options `-o` says what is wanted, by its path in this build directory, where it runs, and in the other one; `-MF` names the
list of what it depends on.
"""
import pathlib
import shutil
import sys


def value(words, option):
    """The word behind an option; None if it is not there."""
    return words[words.index(option) + 1] if option in words[:-1] else None


def main():
    if len(sys.argv) < 2 or not value(sys.argv, "-o"):
        sys.exit(__doc__.split("\n\n")[1])
    output, depends = value(sys.argv, "-o"), value(sys.argv, "-MF")
    made = pathlib.Path(sys.argv[1]) / output
    try:
        shutil.copyfile(made, output)
    except OSError as error:
        sys.exit(f"take-made.py: {made}: {error.strerror}")
    if depends:
        pathlib.Path(depends).write_text(f"{output}: {made}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
