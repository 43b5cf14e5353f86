#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Whether a way is the same whichever way one comes: forwards, backwards, and to positions in any order. Prints how many positions were
compared, or the first that differs, with exit code 1.

Usage: way-directions.py TRACE STOP WAVE SEED COUNT REGISTER...

COUNT: how many positions are gone to in any order. Registers are looked at in a lane that the seed chooses.
"""

import random
import sys

import client  # pylint: disable=unused-import  # for a library with a sanitizer
import wavetape

WALKED = 3000  # positions, at each end, of a way that is longer


def main(trace, stop, wave, seed, count, *names):
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
    print(compared)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
