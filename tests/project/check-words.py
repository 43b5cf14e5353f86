#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names, files and comments that do not say what they are: each count may only go down.

Usage: check-words.py SOURCE [--list COUNT]

Where a count is above its limit below, mend what the change added; where it is well below, lower the limit in the same commit.
--list prints what one of them counts.
"""
import collections
import pathlib
import re
import sys

# Files that include each other in a circle, each with its reason: others are mended, not added.
CIRCLES = {
    "driver/engine/engine driver/engine/internal": "the private header of a room beside its public one",
    "driver/owner/internal driver/owner/owner": "the private header of a room beside its public one",
    "replayer/library/debuggee replayer/library/replay-wave replayer/library/step":
        "a step reads the debugged program's memory and moves the wave's pc; the pc is where that program is, or where a step has moved it",
    "replayer/view/explain-cause replayer/view/explain-cause-internal": "the private header of what finds causes beside its public one",
}
PRODUCT = ("base", "cli", "dbgapi", "device", "driver", "gfx", "libwavetape", "recorder", "replayer", "tool", "trace-format")
# What is counted, and the most that there may be of it.
LIMITS = {
    "static functions that share their name": 0,
    "source files that share their name": 0,
    "comments without a subject": 0,
    "global functions that one other file calls": 1093,
    "circles of files": len(CIRCLES),
}
SLACK = 25
# The style check sees to it that a definition begins in the first column, and a declaration ends with a semicolon.
DEFINITION = re.compile(r"^(?!typedef|struct \w+ \{|enum|union|#|else)([\w*_][\w\s*,()\"]*?[\s*])(\w+)\(([^;{}]*)\)\n\{", re.M)
ATTRIBUTE = re.compile(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)\s*")
COMMENT = re.compile(r"/\*+\s*(?:\*\s*)?(\w+)")
WITHOUT_SUBJECT = {"What", "Of", "As", "Where", "It", "Those"}
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def definitions(text):
    """(static?, name) of each function that is defined."""
    for match in DEFINITION.finditer(ATTRIBUTE.sub("", text)):
        yield "static" in match[1].split(), match[2]


def shared(places):
    """Those of which there are more than one."""
    return [f"{name}: {place}" for name, all_ in sorted(places.items()) if len(all_) > 1 for place in all_]


def circles(files):
    """Groups of files, a header and its source as one, that include each other in a circle."""
    uses = collections.defaultdict(set)
    for path, text in files.items():
        stem = path.rsplit(".", 1)[0]
        uses[stem] |= {name.rsplit(".", 1)[0] for name in INCLUDE.findall(text) if name in files} - {stem}
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for next_ in sorted(uses.get(node, ())):
            if next_ not in index:
                visit(next_)
                low[node] = min(low[node], low[next_])
            elif next_ in stack:
                low[node] = min(low[node], index[next_])
        if low[node] == index[node]:
            group = []
            while not group or group[-1] != node:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(" ".join(sorted(group)))

    sys.setrecursionlimit(10000)
    for node in sorted(uses):
        if node not in index:
            visit(node)
    return found


def count(files):
    """What each name of LIMITS counts, as a list of texts. @files: text by path, of the product."""
    statics, sources, users = (collections.defaultdict(list) for _ in range(3))
    globals_, comments = {}, []
    for path, text in files.items():
        if path.endswith(".c"):
            sources[path.rsplit("/", 1)[1]].append(path)
        for static, name in definitions(text):
            if static and path.endswith(".c"):
                statics[name].append(path)
            elif not static:
                globals_.setdefault(name, path)
        comments += [f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {match[1]}" for match in COMMENT.finditer(text)
                     if match[1] in WITHOUT_SUBJECT]
        for word in set(re.findall(r"\bwt_\w+|\bgfx_\w+", text)):
            if path.endswith(".c"):
                users[word].append(path)
    once = [f"{name}: {path}" for name, path in sorted(globals_.items())
            if name in users and sum(user != path for user in users[name]) == 1]
    return dict(zip(LIMITS, (shared(statics), shared(sources), comments, once, circles(files))))


def read(top):
    return {str(path.relative_to(top)): path.read_text(encoding="utf-8")
            for folder in PRODUCT for path in sorted((top / folder).rglob("*.[ch]"))}


def main():
    top = pathlib.Path(sys.argv[1])
    found = count(read(top))
    if sys.argv[2:3] == ["--list"]:
        print("\n".join(found[sys.argv[3]]))
        return 0
    failed = False
    for circle in sorted(set(found["circles of files"]) ^ CIRCLES.keys()):
        failed = True
        print(f"{circle}: " + ("there is no such circle any more: take its reason out" if circle in CIRCLES else "a circle without a reason"))
    for name, limit in LIMITS.items():
        number = len(found[name])
        failed |= not limit - SLACK <= number <= limit
        verdict = ": too many" if number > limit else "" if number >= limit - SLACK else ": lower the limit to that"
        print(f"{number} {name}, at most {limit}{verdict}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
