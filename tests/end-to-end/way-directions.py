#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Whether a way is the same whichever way one comes: forwards, backwards, and to positions in any order; and whether what its steps are said
to write is there behind them. Prints how many positions were compared and how many values read back, or the first that differs, with exit
code 1.

Usage: way-directions.py TRACE STOP WAVE SEED COUNT WRITTEN REGISTER...

COUNT: how many positions are gone to in any order. Registers are looked at in a lane that the seed chooses.
WRITTEN: a file with a list of position, lane, register and value there, as `wavetape way --json` has it.
"""

import json
import pathlib
import random
import sys

import client  # pylint: disable=unused-import  # for a library with a sanitizer
import wavetape

WALKED = 3000  # positions, at each end, of a way that is longer


def differing(way, written):
    """The first value that is not there, or None."""
    for position, lane, name, expected in written:
        way.go(position)
        value = way.value(name, lane)
        # As JSON has it: a value that nobody knows is left out.
        known = value.status != "not known" or value.may_be
        found = {"status": value.status, "value": f"{value.value:#x}" if known else None, "may_be": value.may_be or None, "why": value.why}
        found = {fact: said for fact, said in found.items() if said is not None}
        if found != expected:
            return f"{name} of lane {lane} at position {position}: {found}, and the step before writes {expected}"
    return None


def main(trace, stop, wave, seed, count, written, *names):
    written = json.loads(pathlib.Path(written).read_text("utf-8"))
    chance = random.Random(int(seed))
    names = chance.sample(names, min(len(names), 24))
    lane = chance.randrange(32)
    with wavetape.open(trace) as opened, opened.stop(int(stop)).waves[int(wave)].way() as way:
        info = way.info
        ends = range(info.steps + 1)
        left_out = range(info.cut_from, info.cut_from + info.cut_count)
        places = [place for place in (ends if len(ends) <= 2 * WALKED else [*ends[:WALKED], *ends[-WALKED:]]) if place not in left_out]

        def state(position):
            way.go(position)
            return [(value.status, value.value, value.may_be) for value in (way.value(name, lane) for name in names)]

        forwards = {place: state(place) for place in places}
        compared = 0
        for order in reversed(places), (chance.choice(places) for _ in range(int(count))):
            for place in order:
                if state(place) != forwards[place]:
                    print(f"position {place} of {info.steps}, lane {lane}: {dict(zip(names, zip(forwards[place], state(place))))}")
                    return 1
                compared += 1
        difference = differing(way, written)
        if difference:
            print(difference)
            return 1
    print(compared, len(written))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
