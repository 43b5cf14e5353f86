#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One client, live, recorded and replayed: it must print the same, in step and from state. Then verify, and the fixpoint.

Usage: check-session.py SIMULATED RECORDER REPLAYER TRACE-TOOL WORKLOAD CLIENT ARGUMENT...
The three libraries are named by path. The client finds the library by LD_LIBRARY_PATH. With a WAVETAPE_SHARE of more than 1 half of
the sessions are left out, and with one of more than 4, as under sanitizers, two thirds: which ones is the turn's.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import zlib

LEFT_OUT = 77  # what meson takes for a test that was left out
LIMIT = 240
SHARE = max(1, int(os.environ.get("WAVETAPE_SHARE", "1")))
TURN = int(os.environ.get("WAVETAPE_TURN", "0"))
TURNS = max(1, 12 // SHARE)  # how many times the client turns away from the recorded calls, each time after another


def run(command, **environment):
    """Run to the end; the output, or an end with what went wrong."""
    result = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, timeout=LIMIT)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit code {result.returncode}\n"
                 f"{result.stdout.decode(errors='replace')[-4000:]}{result.stderr.decode(errors='replace')[-4000:]}")
    return result.stdout


def first_difference(a, b):
    for number, (left, right) in enumerate(zip(a.splitlines(), b.splitlines()), 1):
        if left != right:
            return f"line {number}: {left!r}, {right!r}"
    return f"{len(a.splitlines())} lines, {len(b.splitlines())} lines"


class Session:
    def __init__(self, client):
        self.client = client

    def over(self, library, **environment):
        return run(self.client, LD_LIBRARY_PATH=str(pathlib.Path(library).parent), **environment)


def main(arguments):
    simulated, recorder, replayer, tool, workload, *client = arguments
    name = " ".join([pathlib.Path(workload).stem, *(pathlib.Path(word).name for word in client)])
    parts = min(SHARE, 3 if SHARE > 4 else 2)
    if (zlib.crc32(name.encode()) + TURN) % parts:
        print(f"left out: one session of {parts} is tried at this turn, all of them with --long")
        sys.exit(LEFT_OUT)
    session = Session(client)
    with tempfile.TemporaryDirectory() as folder:
        trace, again = folder + "/a.wtape", folder + "/b.wtape"
        live = session.over(simulated, WAVETAPE_WORKLOAD=workload)
        recording = {"WAVETAPE_OPTIONS": "sync=none", "WAVETAPE_TRACE": trace}
        recorded = session.over(recorder, WAVETAPE_WORKLOAD=workload, WAVETAPE_DBGAPI=simulated, **recording)
        if recorded != live:
            sys.exit("recorded, the client prints something else: " + first_difference(live, recorded))
        replayed = session.over(replayer, WAVETAPE_TRACE=trace)
        if replayed != live:
            sys.exit("replayed, the client prints something else: " + first_difference(live, replayed))
        from_state = session.over(replayer, WAVETAPE_TRACE=trace, WAVETAPE_REPLAY_OPTIONS="from-state")
        if from_state != live:
            sys.exit("from state, the client prints something else: " + first_difference(live, from_state))
        print(f"{len(live.splitlines())} lines are the same")
        print(run([tool, "verify-all", trace, replayer, str(TURNS)], WAVETAPE_TRACE=trace).decode())
        run([tool, "verify", trace, recorder], WAVETAPE_OPTIONS="sync=none", WAVETAPE_DBGAPI=replayer,
            WAVETAPE_REPLAY=trace, WAVETAPE_TRACE=again)
        print(run([tool, "compare", trace, again]).decode())


if __name__ == "__main__":
    main(sys.argv[1:])
