#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hold a library against the statements of the API's documentation (statements.txt).

Usage: conformance.py [--replay | --core FILE | --driver PROGRAM] [--workloads FOLDER] [--variant SUFFIX] [--level N] [--no-nulls] LIBRARY

With --level it is a client of that level, 0.N, and asks for no newer symbols. With --driver it debugs programs that run the
workloads (program.c). Of a workload with variants, the one of --variant is taken.

Exit code: 0 if every check holds, 1 if one does not, 2 for wrong usage.
"""

import argparse
import sys

from suite import Suite, client

import code_objects
import driver
import events
import hasty
import objects
import queues
import state
import stepping

SECTIONS = (
    objects.objects, objects.lists, events.events, events.waves, events.steps, events.stop_requests, hasty.hasty, events.breakpoints,
    events.arithmetic, events.reasons, events.exceptions, code_objects.code_objects, code_objects.loading, stepping.watchpoints,
    stepping.displaced, state.registers, state.memory, state.creation, state.freeze, queues.queues, state.processes, state.ends,
)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("Usage: ")[1].split("\n")[0])
    over = parser.add_mutually_exclusive_group()
    over.add_argument("--replay", action="store_true")
    over.add_argument("--core")
    over.add_argument("--driver")
    parser.add_argument("--workloads", default=".")
    parser.add_argument("--variant", default="")
    parser.add_argument("--level", type=int)
    parser.add_argument("--no-nulls", action="store_true")
    parser.add_argument("library")
    options = parser.parse_args()
    side = driver.Programs(options.driver) if options.driver else client.Callbacks()
    try:
        side.core = client.Core(options.core) if options.core else None
        api = client.Api(options.library, options.level)
    except (OSError, ValueError) as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2
    kind = "replay" if options.replay else "core" if options.core else "driver" if options.driver else "live"
    suite = Suite(api, side, kind, options.workloads, options.variant)
    if options.no_nulls:
        suite.hand_no_nulls()
    if options.driver:
        side.begin(suite)
    objects.uninitialized(suite)
    objects.initialize(suite)
    for section in (state.core,) if options.core else SECTIONS:
        section(suite)
    print(f"{suite.passed} ok, {suite.failed} not ok, {suite.skipped} skipped")
    return 1 if suite.failed else 0


if __name__ == "__main__":
    sys.exit(main())
