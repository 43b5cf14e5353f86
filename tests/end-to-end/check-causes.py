# SPDX-License-Identifier: MIT
"""The cause of a fault as people meet it: programs that a plain hipcc compiled, recorded by the agent in them, without precise memory.

Started as `check-causes.py --source DIRECTORY --build DIRECTORY [TEST...]`; the programs are in tests/driver of the build.
"""

import dataclasses
import json
import os
import pathlib
import re
import resource
import subprocess

import support
from support import Case

LEVELS = ("-O2", "-O0")
PATIENCE = 240


@dataclasses.dataclass(frozen=True)
class Cause:
    """What is said of a mistake in causes.hip, at both levels."""

    kernel: str  # as its author wrote it
    symbol: str
    kind: str
    sentence: str  # an expression
    arguments: str  # likewise
    call: bool = False  # it failed in a function of a header


CAUSES = {
    "guarded": Cause("guarded(double*, int)", "_Z7guardedPdi", "null",
                     r"null pointer: the kernel argument sums is null, and lane 0 stores to what is \d+ bytes behind it",
                     "sums = 0x0, rows = 100"),
    "scaled": Cause("scaled(span, float, short)", "_Z6scaled4spanfs", "null",
                    r"null pointer: the kernel argument from\.first is null, and lane 0 stores to what is \d+ bytes behind it",
                    r"from = \{first = 0x0, count = 65, scale = 0\.5\}, bias = 2\.5, shift = -3"),
    "painted": Cause("painted(unsigned int*, unsigned int)", "_Z7paintedPjj", "past_end",
                     r"past the end: lane 0 stores to pixels\[\d+\], \d+ elements? of 4 bytes past the last one that is mapped, "
                     r"pixels\[262143\]", r"pixels = 0x[0-9a-f]+ \(\d+ bytes\), colour = 7"),
    "offsets": Cause("offsets(double*, int, int)", "_Z7offsetsPdii", "overflow",
                     r"overflow: the 32-bit product 2500 \* 1048576 at causes\.hip:LINE is 2621440000, became -1673527296, and is a part of "
                     r"an index of rows", r"rows = 0x[0-9a-f]+ \(\d+ bytes\), width = 1048576, from = 2500"),
    "counted": Cause("counted(char*, int)", "_Z7countedPci", "misaligned",
                     r"misaligned: lane 0 updates 8 bytes at 0x[0-9a-f]+4, which is 4 past a multiple of 8; this instruction needs a "
                     r"multiple", r"records = 0x[0-9a-f]+ \(\d+ bytes\), count = 64", call=True),
    "turned": Cause("turned(int*, int)", "_Z6turnedPii", "local_end",
                    r"past the end: lane 0 stores to byte 4 of local memory, of which the workgroup has 0 bytes",
                    r"line = 0x[0-9a-f]+ \(\d+ bytes\), length = 64"),
    "buried": Cause("buried(deep<5> const*, int*)", "_Z6buriedPK4deepILi5EEPi", "null",
                    r"null pointer: the kernel argument flags is null, and lane 0 loads from what is \d+ bytes behind it",
                    r"flags = 0x0, found = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "mixed": Cause("mixed(channels, float)", "_Z5mixed8channelsf", "null",
                   r"null pointer: the kernel argument all\.to is null, and lane 0 stores to what is 0 bytes behind it",
                   r"all = \{from = 0x[0-9a-f]+, to = 0x0, kept = 0x[0-9a-f]+, count = 60\}, share = 0\.25"),
    "chosen": Cause("chosen(channels const*, int)", "_Z6chosenPK8channelsi", "null",
                    r"null pointer: the pointer that was loaded from list\[1\]\.kept, 0x[0-9a-f]+, at causes\.hip:\d+ is null, and lane 0 stores to "
                    r"what is 0 bytes behind it", r"list = 0x[0-9a-f]+ \(\d+ bytes\), number = 1"),
    "weighted": Cause("weighted(float*, int)", "_Z8weightedPfi", "null",
                      r"null pointer: the pointer weights that was loaded at causes\.hip:LINE is null, and lane 0 loads from what is 0 bytes "
                      r"behind it", r"sums = 0x[0-9a-f]+ \(\d+ bytes\), count = 60"),
    "tallied": Cause("tallied(int)", "_Z7talliedi", "null",
                     r"null pointer: the pointer counters\[2\] that was loaded at causes\.hip:LINE is null, and lane 0 stores to what is 0 bytes "
                     r"behind it", "count = 60"),
    "strided": Cause("strided(double*, long)", "_Z7stridedPdl", "past_end",
                     r"past the end: lane 0 stores to sums\[\d+\], \d+ elements? of 8 bytes past the last one that is mapped, "
                     r"sums\[131071\]", r"sums = 0x[0-9a-f]+ \(\d+ bytes\), count = 131072"),
    "gathered": Cause("gathered(float const*, int const*, float*, int)", "_Z8gatheredPKfPKiPfi", "past_end",
                      r"far past the end: lane 17 loads from from\[536870912\], and the last element of 4 bytes that is mapped is "
                      r"from\[\d+\]; its index was loaded from numbers\[17\] at causes\.hip:LINE",
                      r"from = 0x[0-9a-f]+ \(\d+ bytes\), numbers = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\), count = 64"),
    "listed": Cause("listed(item const*, int*)", "_Z6listedPK4itemPi", "host_memory",
                    r"memory of the host: the pointer that was loaded from first->next, 0x[0-9a-f]+, at causes\.hip:\d+ is 0x[0-9a-f]+, in "
                    r"\[heap\], the program's own memory from 0x[0-9a-f]+ to 0x[0-9a-f]+, which the GPU has no access to",
                    r"first = 0x[0-9a-f]+ \(\d+ bytes\), sum = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "either": Cause("either(float const*, float const*, float*, int)", "_Z6eitherPKfS0_Pfi", "null",
                    r"null pointer: the kernel argument second is null, and lane 0 loads from what is 0 bytes behind it",
                    r"first = 0x[0-9a-f]+ \(\d+ bytes\), second = 0x0, to = 0x[0-9a-f]+ \(\d+ bytes\), which = 0"),
    "voxels": Cause("voxels(float*, int, int)", "_Z6voxelsPfii", "past_end",
                    r"past the end: lane 0 stores to all\[\d+\], \d+ elements? of 4 bytes past the last one that is mapped, "
                    r"all\[262143\]", r"all = 0x[0-9a-f]+ \(\d+ bytes\), width = 64, height = 64"),
    "asserted": Cause("asserted(long*, int, long)", "_Z8assertedPlil", "assertion",
                      r"assertion failed at causes\.hip:LINE: sums\[row\] == 0 \|\| row < 3",
                      r"sums = 0x[0-9a-f]+( \(\d+ bytes\))?, rows = 64, most = 9", call=True),
    "summed": Cause("asserted(long*, int, long)", "_Z8assertedPlil", "assertion",
                    r'assertion failed at causes\.hip:\d+: sum < most && "the sum is too large"(, called at causes\.hip:LINE)?',
                    r"sums = 0x[0-9a-f]+( \(\d+ bytes\))?, rows = 64, most = 9", call=True),
    "counted_down": Cause("counted_down(int*, int)", "_Z12counted_downPii", "assertion",
                          r"assertion failed at causes\.hip:LINE: rows\[i\] < from", r"rows = 0x[0-9a-f]+( \(\d+ bytes\))?, from = -3", call=True),
    "ranged": Cause("ranged(row_of<float>, int)", "_Z6ranged6row_ofIfEi", "assertion",
                    r"assertion failed at causes\.hip:\d+: i >= 0 && i < count(, called at causes\.hip:LINE)?",
                    r"all = \{items = 0x[0-9a-f]+, count = 100\}, step = 3", call=True),
    "spread": Cause("spread(float*, int, int)", "_Z6spreadPfii", "overflow",
                    r"overflow: the 32-bit product 50000 \* 50000 at causes\.hip:LINE is 2500000000, became -1794967296, and is a part of an index of all",
                    r"all = 0x[0-9a-f]+ \(\d+ bytes\), first = 49997, width = 50000"),
    # The first value of the row would be in another place.
    "handed": Cause("handed(float*, int, int)", "_Z6handedPfii", "past_end",
                    r"far past the end: lane 0 stores to all\[3500000000\], and the last element of 4 bytes that is mapped is "
                    r"all\[262143\]; its index was loaded from local memory at causes\.hip:LINE",
                    r"all = 0x[0-9a-f]+ \(\d+ bytes\), row = 70000, width = 50000"),
    "tripled": Cause("void each<tripled>(tripled)", "_Z4eachI7tripledEvT_", "assertion",
                     r"assertion failed at causes\.hip:\d+: i >= 0 && i < count(, called at causes\.hip:LINE)?",
                     r"apply = \{all = \{items = 0x[0-9a-f]+, count = 100\}\}", call=True),
    "quits": Cause("quits(unsigned char const*, int*)", "_Z5quitsPKhPi", "gave_up",
                   r"gave up: the code itself called abort\(\) at causes\.hip:LINE",
                   r"codes = 0x[0-9a-f]+( \(\d+ bytes\))?, to = 0x[0-9a-f]+( \(4096 into \d+ bytes\))?", call=True),
    "refuses": Cause("refuses(int const*, int*)", "_Z7refusesPKiPi", "gave_up",
                     r"gave up: the code itself traps at causes\.hip:\d+(, called at causes\.hip:LINE)?",
                     r"codes = 0x[0-9a-f]+( \(\d+ bytes\))?, to = 0x[0-9a-f]+( \(4096 into \d+ bytes\))?", call=True),
    "limited": Cause("limited(limits, int*)", "_Z7limited6limitsPi", "gave_up",
                     r"gave up: the code itself traps at causes\.hip:LINE(, called at causes\.hip:\d+)?",
                     r"all = \{most = 40\}, to = 0x[0-9a-f]+( \(\d+ bytes\))?"),
    "stepped": Cause("stepped(float*, steps)", "_Z7steppedPf5steps", "no_code",
                     r"no code: the wave jumped at causes\.hip:LINE to 0x[0-9a-f]+, where no code is: that is the host's function "
                     r"add_one\(float\) in causes-O[02]; it is the kernel argument all\.next",
                     r"values = 0x[0-9a-f]+( \(\d+ bytes\))?, all = \{count = 1, next = 0x[0-9a-f]+\}"),
    "tabled": Cause("tabled(float*, float (* const*)(float), int)", "_Z6tabledPfPKPFffEi", "no_code",
                    r"no code: the wave jumped at causes\.hip:LINE to (0x[0-9a-f]+), where no code is: that is the pointer that was loaded from "
                    r"table\[2\], 0x[0-9a-f]+, at causes\.hip:LINE; it went on there up to (?!\1)0x[0-9a-f]+",
                    r"values = 0x[0-9a-f]+( \(\d+ bytes\))?, table = 0x[0-9a-f]+( \(\d+ bytes\))?, which = 2"),
    "cached": Cause("cached(float const*, float*, int const*, int, int)", "_Z6cachedPKfPfPKiii", "before_start",
                    r"far before the start: lane 0 stores to blocks\[-65523712\]; its index was (loaded|made) from places\[1\] at causes\.hip:\d+",
                    r"from = 0x[0-9a-f]+ \(\d+ bytes\), blocks = 0x[0-9a-f]+ \(\d+ bytes\), places = 0x[0-9a-f]+ \(\d+ bytes\), block = 4, width = 4096"),
    "tiled": Cause("tiled(float*, int, int)", "_Z5tiledPfii", "overflow",
                   r"overflow: the 32-bit product 140000 \* 16384 at causes\.hip:\d+ is 2293760000, became -2001207296, and is a part of an index of "
                   r"tiles", r"tiles = 0x[0-9a-f]+ \(\d+ bytes\), from = 140000, bits = 14"),
    "flipped": Cause("flipped(double const*, double*, long, long, int)", "_Z7flippedPKdPdlli", "before_start",
                     r"(far )?before the start: lane \d+ loads from from\[-\d+\](, \d+ elements of 8 bytes before where from points)?"
                     r"(; its index was made from step, which is -2048)?",
                     r"from = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\), first = 1023, step = -2048, count = 1024"),
    "mirrored": Cause("mirrored(float const*, float*, int, int)", "_Z8mirroredPKfPfii", "before_start",
                      r"far before the start: lane 8 loads from from\[-134217728\]",
                      r"from = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\), count = 8, stride = 134217728"),
    "applied": Cause("applied(float*, int const*)", "_Z7appliedPfPKi", "no_code",
                     r"no code: the wave jumped at causes\.hip:LINE to 0x0, where no code is: that is the pointer operations\[4000\] that was "
                     r"loaded at causes\.hip:LINE; its index was loaded from which\[1\] at causes\.hip:LINE", r"values = 0x[0-9a-f]+ \(\d+ bytes\), which = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "dispatched": Cause("dispatched(float*, int const*)", "_Z10dispatchedPfPKi", "no_code",
                        r"no code: the wave jumped at causes\.hip:LINE to 0x0, where no code is: that is the pointer operations\[2\] that was loaded at "
                        r"causes\.hip:LINE; its index was loaded from which\[37\] at causes\.hip:LINE", r"values = 0x[0-9a-f]+ \(\d+ bytes\), which = 0x[0-9a-f]+ \(256 bytes\)"),
    "rowed": Cause("rowed(int const*, int const*, int*)", "_Z5rowedPKiS0_Pi", "past_end",
                   r"past the end: lane 63 loads from columns\[262144\], 1 element of 4 bytes past the last one (of its buffer|that is mapped), "
                   r"columns\[262143\]; its index was loaded from rows\[63\] at causes\.hip:\d+; the comparison of causes\.hip:\d+ with "
                   r"(rows\[64\], which is 265144,|265144) lets it pass",
                   r"rows = 0x[0-9a-f]+ \(260 bytes\), columns = 0x[0-9a-f]+ \(\d+ bytes\), sums = 0x[0-9a-f]+ \(260 bytes\)"),
    "inclusive": Cause("inclusive(double*, long)", "_Z9inclusivePdl", "past_end",
                       r"past the end: lane 0 loads from sums\[131072\], 1 element of 8 bytes past the last one (of its buffer|that is mapped), "
                       r"sums\[131071\](; the comparison of causes\.hip:\d+ with count, which is 131072, lets it pass)?",
                       r"sums = 0x[0-9a-f]+ \(\d+ bytes\), count = 131072"),
    "searched": Cause("searched(double const*, long, double*)", "_Z8searchedPKdlPd", "past_end",
                      r"past the end: lane 0 loads from values\[131072\], 1 element of 8 bytes past the last one (of its buffer|that is mapped), "
                      r"values\[131071\](; its index was made from count, which is 131072)?",
                      r"values = 0x[0-9a-f]+ \(\d+ bytes\), count = 131072, found = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "marked": Cause("marked(int const*, float*)", "_Z6markedPKiPf", "past_end",
                    r"far past the end: lane 38 stores to all\[50000000\], and the last element of 4 bytes (of its buffer|that is mapped) is all\[\d+\]; "
                    r"its index was loaded from which\[38\] at causes\.hip:\d+",
                    r"which = 0x[0-9a-f]+ \(256 bytes\), all = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "ordered": Cause("ordered(menu const*, int const*, float*)", "_Z7orderedPK4menuPKiPf", "no_code",
                     r"no code: the wave jumped at causes\.hip:LINE to 0x0, where no code is: that is the pointer that was loaded from of->dishes\[2\], "
                     r"0x[0-9a-f]+, at causes\.hip:LINE; its index was loaded from which\[37\] at causes\.hip:LINE",
                     r"of = 0x[0-9a-f]+ \(40 bytes\), which = 0x[0-9a-f]+ \(512 bytes\), values = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "ordered_by_two": Cause("ordered_by_two(menu const*, int const*, float*)", "_Z14ordered_by_twoPK4menuPKiPf", "no_code",
                            r"no code: the wave jumped at causes\.hip:LINE to 0x0, where no code is: that is the pointer that was loaded from "
                            r"of->dishes\[2\], 0x[0-9a-f]+, at causes\.hip:LINE",
                            r"of = 0x[0-9a-f]+ \(40 bytes\), which = 0x[0-9a-f]+ \(512 bytes\), values = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "held": Cause("held(handle, float)", "_Z4held6handlef", "truncated",
                  r"truncated pointer: lane 0 stores to 0x(ffffffff)?(?P<low>[0-9a-f]{1,8}), which was made from the 32 bits of the kernel argument "
                  r"of\.address alone, 0x(?P=low): the lower ones of 0x[0-9a-f]+(?P=low), where a buffer begins",
                  r"of = \{address = -?\d+, count = 60\}, value = 3"),
    "looked_up": Cause("looked_up(entry*, int)", "_Z9looked_upP5entryi", "null",
                       r"null pointer: the pointer was set to null at causes\.hip:\d+, or never set, and lane 60 stores to what is 4 bytes behind it",
                       r"all = 0x[0-9a-f]+ \(\d+ bytes\), count = 60"),
    "taken": Cause("taken(entry*, int)", "_Z5takenP5entryi", "null",
                   r"null pointer: the pointer was (chosen to be|set to) null at causes\.hip:\d+, or never set, and lane 40 stores to what is 4 bytes behind "
                   r"it",
                   r"all = 0x[0-9a-f]+ \(\d+ bytes\), count = 40"),
    "filtered": Cause("filtered(float const*, float*, int, int)", "_Z8filteredPKfPfii", "past_end",
                      r"past the end: lane 0 loads from taps\[268435456\], and taps has 16 elements",
                      r"from = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\), count = 4, step = 268435456"),
    "toned": Cause("toned(int const*, unsigned int*)", "_Z5tonedPKiPj", "before_start",
                   r"before the start: lane 40 loads from tones::steps\[-33554432\], and tones::steps has 4 elements; its index was loaded from places\[40\] at causes\.hip:LINE",
                   r"places = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ \(4096 into \d+ bytes\)"),
    "noticed": Cause("noticed(int)", "_Z7noticedi", "past_end",
                     r"past the end: lane 0 stores to byte 1073741824 of last_seen, which has 4 bytes", "far = 268435456"),
    "exploded": Cause("exploded(HIP_vector_type<float, 4u> const*, int const*, float*, float)",
                      "_Z8explodedPK15HIP_vector_typeIfLj4EEPKiPff", "overflow",
                      r"overflow: the 32-bit product 30000000 \* 4096 at causes\.hip:\d+ is 122880000000, became -1674051584, and is a part of "
                      r"an index of starts", r"places = 0x[0-9a-f]+ \(\d+ bytes\), starts = .*, scale = 1"),
    "turned_round": Cause("turned_round(grid<float>, int, int)", "_Z12turned_round4gridIfEii", "past_end",
                          r"far past the end: lane 1 stores to all \(byte 0\)\[4194307\], and the last element of 4 bytes (of its buffer|that is "
                          r"mapped) is all \(byte 0\)\[\d+\]", r"all \(16 bytes\), rows = 4, columns = 4194304"),
    "summed_rows": Cause("summed_rows(sparse, double const*, double*)", "_Z11summed_rows6sparsePKdPd", "past_end",
                         r"far past the end: lane 21 loads from by\[268435456\], and the last element of 8 bytes that is mapped is by\[131071\]; "
                         r"its index was loaded from of\.columns\[21\] at causes\.hip:LINE", r"of = \{rows = 64, .*"),
    "haloed": Cause("haloed(float const*, float*, unsigned int, unsigned int)", "_Z6haloedPKfPfjj", "wrapped",
                    r"wrapped: lane 0 loads from from\[549755813760\]: a 32-bit number that was made at causes\.hip:LINE is -1, and was used "
                    r"without its sign", r"from = 0x[0-9a-f]+ \(\d+ bytes\), to = .*, width = 128, rows = 2"),
    "filled": Cause("filled(double*, double, int)", "_Z6filledPddi", "too_small",
                    r"too few elements: lane \d+ stores to all\[\d+\], and count is 1048576, as many as all has bytes; all has 131072 of 8 bytes",
                    r"all = 0x[0-9a-f]+ \(1048576 bytes\), by = 1, count = 1048576"),
    "fourfold": Cause("fourfold(HIP_vector_type<float, 4u>*, float, int)", "_Z8fourfoldP15HIP_vector_typeIfLj4EEfi", "too_small",
                      r"too few elements: lane \d+ stores to all\[\d+\] \+ 12 bytes, and count is 262144, as many as all has of 4 bytes; all has 65536 of 16 "
                      r"bytes", r"all = 0x[0-9a-f]+ \(1048576 bytes\), by = 1, count = 262144"),
    "summed_up": Cause("summed_up(float*, int, int)", "_Z9summed_upPfii", "overflow",
                       r"overflow: the 32-bit sum 2000000000 \+ 2000000000 at causes\.hip:\d+ is 4000000000, became -294967296, and is a part of an "
                       r"index of all", r"all = 0x[0-9a-f]+ \(\d+ bytes\), base = 2000000000, from = 2000000000"),
    "rows_summed": Cause("rows_summed(int const*, float const*, float*)", "_Z11rows_summedPKiPKfPf", "past_end",
                         r"past the end: lane \d+ loads from from\[\d+\], \d+ elements? of 4 bytes past the last one (that is mapped|of its buffer), from\[262143\]; the comparison of "
                         r"causes\.hip:\d+ with ends\[2\], which is 1073741824, lets it pass",
                         r"ends = 0x[0-9a-f]+ \(12 bytes\), from = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "paired": Cause("paired(float const*, int const*, int const*, float*)", "_Z6pairedPKfPKiS2_Pf", "past_end",
                    r"far past the end: lane 21 loads from from\[268435461\], and the last element of 4 bytes (of its buffer|that is mapped) is "
                    r"from\[262143\]; its index was (loaded|made) from rows\[21\] at causes\.hip:LINE",
                    r"from = 0x[0-9a-f]+ \(\d+ bytes\), rows = 0x[0-9a-f]+ \(256 bytes\), columns = 0x[0-9a-f]+ \(256 bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "embedded": Cause("embedded(float const*, long const*, float*, int)", "_Z8embeddedPKfPKlPfi", "past_end",
                      r"far past the end: lane 0 loads from table\[6432896000\], and the last element of 4 bytes (of its buffer|that is mapped) is "
                      r"table\[262143\]; its index was loaded from words\[9\] at causes\.hip:\d+",
                      r"table = 0x[0-9a-f]+ \(\d+ bytes\), words = 0x[0-9a-f]+ .*, to = 0x[0-9a-f]+ .*, width = 128"),
    "relaxed": Cause("relaxed(double const*, double*, int, int)", "_Z7relaxedPKdPdii", "before_start",
                     r"before the start: lane \d+ loads from from\[-\d+\], \d+ elements of 8 bytes before where from points",
                     r"from = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\), width = 512, rows = 512"),
    "dyed": Cause("dyed(tinted, float)", "_Z4dyed6tintedf", "null",
                  r"null pointer: the kernel argument of\.shares is null, and lane 0 stores to what is \d+ bytes behind it", r"of = \{kind = 0, .*"),
    "pivoted": Cause("pivoted(double*, int)", "_Z7pivotedPdi", "past_end",
                     r"past the end: lane 0 stores to rows\[\d+\], \d+ elements? of 8 bytes past the last one (of its buffer|that is mapped), "
                     r"rows\[131071\]", r"rows = 0x[0-9a-f]+ \(\d+ bytes\), pivot = 1048576"),
    "gathered_rows": Cause("gathered_rows(int const*, float const*, float*, int)", "_Z13gathered_rowsPKiPKfPfi", "past_end",
                           r"past the end: lane \d+ loads from from\[\d+\], \d+ elements? of 4 bytes past the last one (of its buffer|that is mapped), "
                           r"from\[262143\](; the comparison of causes\.hip:\d+ with (sizes\[1\], which is 2000000,|2000000) lets it pass)?",
                           r"sizes = 0x[0-9a-f]+ \(12 bytes\), from = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ .*, most = 2000000"),
    "eliminated": Cause("eliminated(double*, int, int)", "_Z10eliminatedPdii", "past_end",
                        r"past the end: lane 0 loads from matrix\[\d+\], \d+ elements? of 8 bytes past the last one (of its buffer|that is mapped), "
                        r"matrix\[131071\]", r"matrix = 0x[0-9a-f]+ \(\d+ bytes\), width = 512, pivot = 7"),
    "looks_back": Cause("looks_back(int const volatile*, int const volatile*, int*, int)", "_Z10looks_backPVKiS0_Pii", "past_end",
                        r"far past the end: lane 0 stores to to\[134217749\], and the last element of 4 bytes (of its buffer|that is mapped) is "
                        r"to\[262143\]; its index was loaded from counts\[4\] at causes\.hip:\d+",
                        r"states = 0x[0-9a-f]+ \(48 bytes\), counts = 0x[0-9a-f]+ \(48 bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\), block = 12"),
    "biased": Cause("biased(double const*, double*, int, long)", "_Z6biasedPKdPdil", "null",
                    r"null pointer: the pointer was (chosen to be|set to) null at causes\.hip:\d+, or never set, and lane 4 loads from what is 80 bytes "
                    r"behind it",
                    r"biases = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\), with = 239, from = 6"),
    "reads_shared": Cause("reads_shared(int*)", "_Z12reads_sharedPi", "local_end",
                          r"past the end: lane 0 loads from byte 0 of local memory, of which the workgroup has 0 bytes, through the pointer shared_then "
                          r"that was loaded at causes\.hip:LINE", r"to = 0x[0-9a-f]+( \(\d+ bytes\))?"),
    "transposed": Cause("transposed(float const*, float*, int, int)", "_Z10transposedPKfPfii", "past_end",
                        r"past the end: lane \d+ stores to to\[\d+\], \d+ elements? of 4 bytes past the last one (that is mapped|of its buffer), to\[262143\]",
                        r"from = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\), rows = 16, columns = 8192"),
    "routed": Cause("routed(int const*, float const*, float*)", "_Z6routedPKiPKfPf", "before_start",
                    r"far before the start: lane 0 loads from from\[-2147483647\]; its index was made from what lane 63 had at "
                    r"(causes\.hip:\d+|amd_warp_functions\.h:\d+( from causes\.hip:\d+)?)",
                    r"begins = 0x[0-9a-f]+ \(\d+ bytes\), from = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "announced": Cause("announced(int*)", "_Z9announcedPi", "past_end",
                       r"far past the end: lane 5 stores to to\[300000000\], and the last element of 4 bytes (of its buffer|that is mapped) is "
                       r"to\[262143\]", r"to = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "shifted": Cause("shifted(int*)", "_Z7shiftedPi", "past_end",
                     r"far past the end: lane 0 stores to to\[300000000\], and the last element of 4 bytes (of its buffer|that is mapped) is "
                     r"to\[262143\]", r"to = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "lowered": Cause("lowered(int*, int, int)", "_Z7loweredPiii", "before_start",
                     r"far before the start: lane 0 stores to to\[-300000001\]",
                     r"to = 0x[0-9a-f]+ \(\d+ bytes\), count = 3000, offset = -1"),
    "reversed": Cause("reversed(double*, int)", "_Z8reversedPdi", "before_start",
                      r"far before the start: lane 0 loads from all\[-1294967297\]; its index was made from count, which is -1294967296",
                      r"all = 0x[0-9a-f]+ \(\d+ bytes\), count = -1294967296"),
    "bordered": Cause("bordered(float const*, float*, int, int)", "_Z8borderedPKfPfii", "local_end",
                      r"past the end: lane 0 stores to tile\[20\d\d\], and tile has 16 elements: byte \d+ of local memory, of which the workgroup has 1088 "
                      r"bytes", r"from = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\), width = 256, border = 2000"),
    "staged": Cause("staged(float const*, float*, int)", "_Z6stagedPKfPfi", "local_end",
                    r"past the end: lane 0 stores to tile\[128\], and tile has 128 elements: byte 512 of local memory, of which the workgroup has 512 "
                    r"bytes", r"from = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\), count = 100000"),
    "appended": Cause("appended(float const*, float*)", "_Z8appendedPKfPf", "local_end",
                      r"past the end: lane 0 stores to byte 276 of local memory, of which the workgroup has 256 bytes",
                      r"from = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "cleared": Cause("cleared(view<double>, double)", "_Z7cleared4viewIdEd", "too_small",
                     r"too few elements: lane \d+ stores to all\.items\[\d+\], and all\.size is 1048576, as many as all\.items has bytes; all\.items has "
                     r"131072 of 8 bytes", r"all = \{items = 0x[0-9a-f]+, size = 1048576\}, by = 1"),
    "listed_last": Cause("listed_last(int*, int*, int const*)", "_Z11listed_lastPiS_PKi", "past_end",
                         r"far past the end: lane 0 stores to list\[300000000\], and the last element of 4 bytes (of its buffer|that is mapped) is "
                         r"list\[262143\]; its index was loaded from counter\[0\] at amd_hip_atomic\.h:\d+( from causes\.hip:\d+)?",
                         r"list = 0x[0-9a-f]+ \(\d+ bytes\), counter = 0x[0-9a-f]+ \(4 bytes\), from = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "unpacked": Cause("unpacked(void const*, float*, long)", "_Z8unpackedPKvPfl", "past_end",
                      r"past the end: lane \d+ loads from from\[\d+\], \d+ elements? of 2 bytes past the last one (of its buffer|that is mapped), "
                      r"from\[524287\]",
                      r"from = 0x[0-9a-f]+ \(\d+ bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\), count = 4194304"),
    "layered": Cause("layered(layers const*, float*, int)", "_Z7layeredPK6layersPfi", "null",
                     r"null pointer: the pointer that was loaded from 0x[0-9a-f]+ at causes\.hip:\d+ is null, and lane 0 loads from what is 0 bytes behind it",
                     r"of = 0x[0-9a-f]+ \(4194288 into 4194304 bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\), number = 3"),
    "sought": Cause("sought(unsigned int const*, float const*, unsigned int, unsigned int const*, float*)", "_Z6soughtPKjPKfjS0_Pf", "past_end",
                    r"far past the end: lane 0 loads from values\[4294967295\], and the last element of 4 bytes (of its buffer|that is mapped) is "
                    r"values\[262143\]",
                    r"slots = 0x[0-9a-f]+ \(\d+ bytes\), values = 0x[0-9a-f]+ \(\d+ bytes\), count = 256, keys = .*"),
    "pushed": Cause("pushed(int const*, int*)", "_Z6pushedPKiPi", "private_end",
                    r"past the end: lane 30 stores to stack\.items\[4194304\], and stack\.items has 16 elements: byte \d+ of private memory, of which a work-item has \d+ bytes; its index was loaded from tops\[30\] at "
                    r"causes\.hip:\d+", r"tops = 0x[0-9a-f]+ \(256 bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "overtaken": Cause("overtaken(int volatile*, int volatile*, float*)", "_Z9overtakenPViS0_Pf", "past_end",
                       r"far past the end: lane 0 stores to to\[300000000\], and the last element of 4 bytes (of its buffer|that is mapped) is "
                       r"to\[262143\]; its index was loaded from places\[3\] at causes\.hip:\d+",
                       r"places = 0x[0-9a-f]+ \(16 bytes\), turn = 0x[0-9a-f]+ \(8 bytes\), to = 0x[0-9a-f]+ \(\d+ bytes\)"),
    "descends": Cause("descends(int*, int)", "_Z8descendsPii", "private_end",
                      r"past the end: lane 0 stores to byte \d+ of private memory, of which a work-item has \d+ bytes",
                      r"ways = 0x[0-9a-f]+( \(\d+ bytes\))?, depth = 1048576", call=True),
}


def line_of(name):
    """The line with a mark."""
    lines = (support.TREE.source / "tests/driver/causes.hip").read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"// {name}"))


class Causes(Case):
    recorded = {}  # what the agent said, by trace

    def setUp(self):
        super().setUp()
        self.agent = support.TREE.agent
        self.skip_with_sanitizer()

    def record(self, name, level):
        """The trace of a mistake, made once for all tests, which must not change it; what the agent said is in `said`."""
        trace = support.TREE.temporary / f"{name}{level}.wtape"
        if trace not in self.recorded:
            environment = support.environment(WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], HSA_TOOLS_LIB=str(self.agent),
                                              HSA_ENABLE_DEBUG="1", WAVETAPE_AGENT=f"output={trace}")
            gpu = ("-a", "gfx1030") if level.endswith("-gfx1030") else ()
            ended = subprocess.run([support.TREE.command, "device", *gpu, "--", support.TREE.build / f"tests/driver/causes{level}", name],
                                   capture_output=True, timeout=PATIENCE, check=False, env=environment, stdin=subprocess.DEVNULL,
                                   text=True)
            self.recorded[trace] = [line for line in ended.stderr.splitlines() if line.startswith("wavetape: ")]
        self.said = self.recorded[trace]
        return trace

    def text(self, verb, trace):
        """Without the ends of lines that are none of the sentence."""
        return re.sub(r"\n {13}(?=\S)", " ", self.wavetape(verb, trace))

    def check(self, name, level):
        cause, line, trace = CAUSES[name], line_of(name), self.record(name, level)
        info, explain = self.text("info", trace), self.text("explain", trace)
        said = json.loads(self.wavetape("explain", trace, "--json"))["explanations"][0]
        sentence = cause.sentence.replace("LINE", str(line))
        for text in (info, explain):
            self.assertRegex(text, rf"(?m)^cause        {sentence}$")
            self.assertRegex(text, rf"(?m)^arguments    {cause.arguments}$")
            self.assertIn(f"kernel {cause.kernel}", text)
            self.assertNotRegex(text, r"by_value|global_buffer|\.hip:0\b|\.h:0\b|\)\(\) at")
        # No memory ends within the buffer.
        ends, past = (re.search(words, explain) for words in (r"memory ends (\d+) bytes? before it", r"is (\d+) bytes? past the end of a buffer"))
        if ends and past:
            self.assertLessEqual(int(ends[1]), int(past[1]))
        self.assertEqual((said["cause"]["kind"], said["kernel"]), (cause.kind, cause.symbol))
        # JSON has symbols, here of the host's function and of a variable.
        symbols = sentence.replace(r"add_one\(float\)", "_ZL7add_onef").replace("tones::steps", "_ZN5tones5stepsE")
        self.assertRegex(said["cause"]["sentence"], f"^{symbols}$")
        if not cause.call:
            self.assertRegex(info, rf"(?m)^(failed )?at .*/causes\.hip:{line}\b")
        self.assertIn(f"causes.hip:{line}", info)
        # The line of the agent has the user's place, whether what failed stands there, is inlined there or was called there.
        place = said["cause"]["kind"] != "private_end" and rf"causes\.hip:({line}|\d+ from causes\.hip:{line})" or r"causes\.hip:\d+"
        if name in ("summed", "ranged", "refuses", "limited", "tripled") and level == "-O0":
            place = r"causes\.hip:\d+"
        elif name in ("limited", "tripled"):
            place = r"causes\.hip:\d+ from causes\.hip:\d+"
        elif name == "rows_summed" and level == "-O0":
            # Its way of thousands of rounds is too long for a line.
            place += r", where it was stopped \(`wavetape explain` looks for what failed\)"
        self.assertEqual(len(self.said), 1)
        self.assertRegex(self.said[0], rf"in kernel {re.escape(cause.kernel)}, {place}: \d+ of \d+ waves?: {re.escape(str(trace))}$")
        self.assertEqual(self.wavetape("disassemble", "--kernel", cause.kernel, trace),
                         self.wavetape("disassemble", "--kernel", cause.symbol, trace))
        return said

    def test_causes(self):
        for number, name in support.share(enumerate(CAUSES)):
            for level in support.by_turn(number, LEVELS):
                with self.subTest(mistake=name, level=level):
                    self.check(name, level)

    def test_launch_names(self):
        """What HIP calls threadIdx and its kind, in each lane of waves of workgroups of three dimensions, against variables that are made of them."""
        for level in LEVELS:
            trace = self.record("voxels", level)
            waves = self.json("waves", trace, "--stop", 2)["waves"]
            self.assertTrue(any(wave["number_in_workgroup"] for wave in waves), "each is the first of its workgroup")

            def printed(expression, wave):
                groups = self.json("print", trace, "--wave", wave["wave"], expression)["values"]
                return {lane: group["value"] for group in groups for lane in group["lanes"]}

            for wave in waves[:4]:
                first = 64 * wave["number_in_workgroup"]
                expected = {"threadIdx.x": lambda at: at % 16, "threadIdx.y": lambda at: at // 16 % 4, "threadIdx.z": lambda at: at // 64,
                            "blockIdx.z": lambda at: wave["workgroup"][2], "blockDim.x": lambda at: 16, "blockDim.z": lambda at: 4,
                            "gridDim.y": lambda at: 4, "gridDim.z": lambda at: 32, "gridDim.x * blockDim.x": lambda at: 64}
                for expression, value in expected.items():
                    self.assertEqual(printed(expression, wave), {lane: value(first + lane) for lane in range(64)}, expression)
                if level == "-O0":
                    for name in "xyz":
                        self.assertEqual(printed(name, wave), printed(f"blockIdx.{name} * blockDim.{name} + threadIdx.{name}", wave))
            wave = waves[1]
            first = 64 * wave["number_in_workgroup"]
            self.assertEqual(printed("threadIdx", wave), {lane: dict(x=at % 16, y=at // 16 % 4, z=at // 64) for lane, at in enumerate(range(first, first + 64))})
            self.assertEqual(printed("(blockDim)", wave), dict.fromkeys(range(64), dict(x=16, y=4, z=4)))
            self.assertEqual(printed("sizeof threadIdx + (threadIdx).y - threadIdx.y", wave), dict.fromkeys(range(64), 12))
            for expression, why in (("threadIdx.w", "at character 11: it has the parts x, y and z"), ("threadIdx + 1", "at character 11: this is no number"),
                                    ("&threadIdx", "at character 1: a number that was computed has no address"), ("threadIdx@2", "at character 10: such an object has nothing behind it")):
                self.wavetape("print", trace, expression, code=1, stdout="", stderr=f"wavetape: cannot print: {expression}: {why}\n")

    def test_way_of_all_registers(self):
        """What a step writes is followed, also in the last registers of a wave's own, which have the names of vcc and its neighbours, too."""
        for name in ("transposed", "voxels"):
            way = self.json("way", self.record(name, "-O2"), "-n", "100000")
            written = [value for step in way["steps"] for touch in step["writes"] if "values" in touch for value in touch["values"]]
            self.assertGreater(len(written), 10)
            self.assertEqual([value for value in written if value.get("why") == "it is not followed"], [], name)

    def test_without_debug_information(self):
        """What leads to memory in a structure that is passed by value is a pointer, and is said by its place."""
        sentences = {
            "shaped": r"far past the end: lane 0 stores to argument 1 \(byte 16\)\[134217728\], and the last element of 4 bytes (of its buffer|that is "
                      r"mapped) is argument 1 \(byte 16\)\[\d+\]",
            "heaped": r"memory of the host: the kernel argument 1 \(byte 16\) is 0x[0-9a-f]+, in \[heap\], the program's own memory from "
                      r"0x[0-9a-f]+ to 0x[0-9a-f]+, which the GPU has no access to",
        }
        for name, sentence in sentences.items():
            with self.subTest(mistake=name):
                info = self.text("info", self.record(name, "-O3-bare"))
                self.assertRegex(info, rf"(?m)^cause        {sentence}$")
                self.assertIn("\narguments    argument 1 (24 bytes), argument 2 = ", info)
                named = self.text("info", self.record(name, "-O2"))
                self.assertRegex(named, "(?m)^cause        " + sentence.replace(r"argument 1 \(byte 16\)", r"of\.cells")
                                 .replace("kernel of", "kernel argument of")
                                 + "; its index was made from from, which is 134217728" * (name == "shaped") + "$")

    def test_assertions_without_debug_information(self):
        """Condition, file and line are what the function that reports it was passed; where the code of it has them, there is no line."""
        for name, mark, condition in (("asserted", "asserted", "sums[row] == 0 || row < 3"),
                                      ("summed", "sum asserted", 'sum < most && "the sum is too large"'),
                                      ("counted_down", "counted_down", "rows[i] < from"), ("flagged", "flagged", "all.ok")):
            with self.subTest(mistake=name):
                self.assertIn(f"\ncause        assertion failed at causes.hip:{line_of(mark)}: {condition}\n",
                              self.text("info", self.record(name, "-O3-bare")))

    def test_code_object_version_3(self):
        """Such programs run, for the GPU is what their code objects say: one that corrects errors of its memory."""
        for name in ("guarded", "scaled", "offsets", "turned"):
            with self.subTest(mistake=name):
                self.check(name, "-version-3")

    def test_waves_of_32_lanes(self):
        """What compilers make for later GPUs, where it is the same that is said."""
        for name in support.share(("eliminated", "pivoted", "offsets", "spread", "counted", "guarded", "scaled", "inclusive", "flipped", "tiled")):
            with self.subTest(mistake=name):
                self.check(name, "-gfx1030")
        # A lane of the register that keeps halves of pointers while a function is called.
        self.check("mirrored", "-O0-gfx1030")

    def test_assertions(self):
        """The line of the agent has the program's place, callers are shown, and triage keeps assertions of one kernel apart."""
        for level in support.by_turn(0, LEVELS):
            with self.subTest(level=level):
                traces = [self.record(name, level) for name in ("asserted", "summed", "counted_down")]
                self.assertRegex(self.text("info", traces[0]),
                                 rf"(?m)^called by    asserted\(\) at .*/causes\.hip:{line_of('asserted')}:\d+$")
                self.assertRegex(self.wavetape("info", traces[1]), rf"(?m)^called by    check_sum\(\) at .*/causes\.hip:\d+:\d+\n"
                                                                   rf" {{13}}asserted\(.*\) at .*/causes\.hip:{line_of('summed')}\b")
                frames = [re.sub(r", pc 0x[0-9a-f]+.*", "", line) for line in self.wavetape("backtrace", traces[1]).splitlines()[1:]]
                self.assertRegex("\n".join(frames), rf"^#0 __assert_fail at [^\n]*\n#1 check_sum( \(inlined\))? at .*/causes\.hip:{line_of('sum asserted')}:\d+\n"
                                                    rf"#2 asserted at .*/causes\.hip:{line_of('summed')}(:\d+)?$")
                groups = json.loads(self.wavetape("triage", "--json", *traces))["groups"]
                self.assertEqual({group["line"] for group in groups},
                                 {line_of(mark) for mark in ("asserted", "sum asserted", "counted_down")})
                self.assertEqual({group["function"] for group in groups},
                                 {"asserted", "counted_down", *(["check_sum"] if level == "-O0" else [])})
                self.assertEqual(len({group["assertion"] for group in groups}), 3)
                self.assertEqual(len({group["signature"] for group in groups}), 3)

    def test_trap_that_ends_the_code(self):
        """The wave stands behind the trap, where no code is. It has not jumped there."""
        for level in support.by_turn(1, LEVELS):
            with self.subTest(level=level):
                trace = self.record("trapped", level)
                info = self.text("info", trace)
                self.assertRegex(info, r"(?m)^crash +assert trap in kernel trapped\(\)")
                self.assertRegex(info, rf"(?m)^at .*/causes\.hip:{line_of('trapped')}\b")
                self.assertRegex(info, r"(?m)^instruction +0x[0-9a-f]+: s_trap 2$")
                self.assertRegex(info, rf"(?m)^cause        gave up: the code itself traps at causes\.hip:{line_of('trapped')}$")
                self.assertNotIn("jumped", self.wavetape("explain", trace))

    def test_stack(self):
        """Private memory that is too small is told to be the stack where a function calls itself, and nowhere else."""
        for level in support.by_turn(2, LEVELS):
            with self.subTest(level=level):
                trace = self.record("descends", level)
                self.assertIn("\nrecursion    descend() calls itself, and each call takes private memory: the host sets how much there "
                              "is by hipDeviceSetLimit(hipLimitStackSize, bytes)\n", self.text("info", trace))
                said, = json.loads(self.wavetape("info", trace, "--json"))["explanations"]
                self.assertEqual((said["calls_itself"], said["called_by"][0]["function"]), ("descend", "descend"))
                trace = self.record("turned", level)
                self.assertNotIn("recursion", self.wavetape("info", trace))

    def test_two_loads(self):
        """Where each of two numbers leads out of the buffer by itself, neither is named."""
        for level in support.by_turn(3, LEVELS):
            with self.subTest(level=level):
                self.assertRegex(self.text("info", self.record("paired_both", level)),
                                 r"(?m)^cause        far past the end: lane 21 loads from from\[536870912\], and the last element of 4 bytes .*; its index was "
                                 r"(loaded from|made from what was loaded from) memory$")

    def test_long_way(self):
        """A wave that executes millions of instructions before its fault."""
        self.assertRegex(self.text("info", self.record("totalled", "-O2")),
                         r"(?m)^cause        past the end: lane 0 loads from values\[\d+\], \d+ elements? of 4 bytes past the last one (that is mapped|of its buffer), values\[262143\]$")

    def test_long_way_in_a_line(self):
        """The agent's line and triage have the access that failed after 300,000 instructions; after millions, the line says that it is another one."""
        line, kernel = line_of("prolonged"), "prolonged(float*, float const*, int)"
        for name, place in (("prolonged", f"causes.hip:{line}:"),
                            ("prolonged_more", r"causes.hip:\d+, where it was stopped \(`wavetape explain` looks for what failed\):")):
            with self.subTest(name=name):
                trace = self.record(name, "-O2")
                self.assertEqual(len(self.said), 1)
                self.assertRegex(self.said[0], rf"^wavetape: GPU fault: memory violation in kernel {re.escape(kernel)}, {place} 1 of 1 wave: ")
                explained = json.loads(self.wavetape("explain", trace, "--json"))["explanations"][0]
                self.assertEqual(explained["failed_at"]["source"]["line"], line)
                triaged = json.loads(self.wavetape("triage", "--json", trace))["groups"][0]
                self.assertEqual((triaged["line"] == line, triaged["where_stopped"]), (name == "prolonged", name != "prolonged"))
                place, = re.findall(r"(?m)^at  .*$", self.wavetape("triage", trace))
                self.assertEqual(place.endswith(", where it was stopped (`wavetape explain` looks for what failed)"), name != "prolonged")

    def test_two_numbers(self):
        """Where two arguments are below zero, neither is named."""
        for level in support.by_turn(4, LEVELS):
            with self.subTest(level=level):
                self.assertRegex(self.text("info", self.record("flipped_twice", level)),
                                 r"(?m)^cause        far before the start: lane \d+ loads from from\[-\d+\]$")

    def test_other_index(self):
        """An argument that counts bytes of the buffer says nothing where it was compared with another number than the element."""
        for level in support.by_turn(5, LEVELS):
            with self.subTest(level=level):
                self.assertRegex(self.text("info", self.record("halved", level)),
                                 r"(?m)^cause        past the end: lane \d+ stores to all\[\d+\], \d+ elements? of 4 bytes past the last one (of its buffer|that is "
                                 r"mapped), all\[262143\]; its index was made from offset, which is 262144$")

    def test_two_words(self):
        """Two numbers that one instruction loads are both named."""
        for level, said in (("-O2", r"limits\[5\] and limits\[6\]"), ("-O0", r"limits\[5\]")):
            with self.subTest(level=level):
                self.assertRegex(self.text("info", self.record("placed", level)),
                                 rf"(?m)^cause        far past the end: lane 0 stores to all\[536870912\], .*; its index was loaded from {said} at "
                                 rf"causes\.hip:{line_of('placed')}$")

    def test_difference(self):
        """Of a difference either number may be wrong: the one that was loaded is too large, or what is taken from it too small."""
        for level in support.by_turn(6, LEVELS):
            with self.subTest(level=level):
                self.assertRegex(self.text("info", self.record("apart", level)),
                                 r"(?m)^cause        far past the end: lane 21 loads from from\[268435456\], and the last element of 4 bytes .*; its index was "
                                 r"(loaded from|made from what was loaded from) memory$")

    def test_private_memory_that_is_gone(self):
        """A kernel that has no private memory was led there. (Unoptimised code has some of its own.)"""
        self.assertRegex(self.text("info", self.record("reads_owned", "-O2")),
                         r"(?m)^cause        past the end: lane 0 loads from byte \d+ of private memory, of which a work-item has 0 bytes, through the pointer "
                         rf"owned_then that was loaded at causes\.hip:{line_of('reads_owned')}$")

    def test_much_code(self):
        """At -O0 an address is made in hundreds of steps. All are looked at before one is said to be the cause."""
        for level in support.by_turn(7, LEVELS):
            with self.subTest(level=level):
                self.assertRegex(self.text("info", self.record("planes", level)),
                                 rf"(?m)^cause        overflow: the 32-bit product 4096000 \* 1024 at causes\.hip:{line_of('planes product')} is 4194304000, "
                                 "became -100663296, and is a part of an index of from$")

    def test_stack_of_a_buffer(self):
        """What reaches private memory by a buffer of its own may go on into that of other waves, and fails at the end of all."""
        info = self.text("info", self.record("nests", "-O2"))
        self.assertRegex(info, r"(?m)^cause        past the end: lane 0 (stores to|loads from) byte \d+ of private memory, of which a work-item has "
                               r"\d+ bytes$")
        self.assertIn("\nrecursion    nest() calls itself, ", info)
        self.assertRegex(info, r"(?m)^  w1     \(0,0,0\)/0    lanes 0-63 (store|load) \d+ bytes? at private 0x[0-9a-f]+$")
        self.assertNotRegex(info, "(?m)^memory ")

    def test_stack_of_an_unknown_way(self):
        """The stack pointer says that the stack has come to its end, where the way of the wave hangs on what is not known."""
        for level in support.by_turn(8, LEVELS):
            with self.subTest(level=level):
                trace = self.record("strays", level)
                for verb in ("info", "explain"):
                    text = self.text(verb, trace)
                    said = re.search(r"(?m)^cause        past the end: the stack has come to byte (\d+) of private memory, of which a work-item "
                                     r"has (\d+) bytes$", text)
                    self.assertTrue(said, text)
                    self.assertGreaterEqual(int(said[1]), int(said[2]))
                    self.assertNotRegex(text, "(?m)^memory ")
                self.assertIn("\nrecursion    stray() calls itself, ", self.text("info", trace))

    def test_time_of_an_unknown_store(self):
        """Each store to where nobody knows makes all that was written before unknown, which takes no longer the more that is."""
        trace = self.record("wanders", "-O2")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.assertRegex(self.text("info", trace), r"(?m)^cause        past the end: lane 0 stores to byte \d+ of private memory, of which a "
                                                   r"work-item has \d+ bytes$")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 30)

    def test_whose_memory(self):
        """Behind a variable of the program is what the program has there by chance, and a place in local memory is in no buffer."""
        for name in ("filtered", "noticed", "bucketed"):
            for level in support.by_turn(9, LEVELS):
                with self.subTest(mistake=name, level=level):
                    info = self.text("info", self.record(name, level))
                    self.assertRegex(info, "(?m)^crash ")
                    self.assertNotRegex(info, "(?m)^memory ")

    def test_reported_page(self):
        """Where several accesses may have failed, the page that the driver named is one beside the buffer of one argument."""
        trace = self.record("multiplied", "-O2")
        for verb in ("info", "explain"):
            self.assertRegex(self.text(verb, trace), r"(?m)^memory       0x[0-9a-f]+ is the first byte past the end of a buffer of 2097152 bytes, allocated by "
                                                     r"hipMalloc in causes\.hip:\d+ from causes\.hip:\d+; the kernel argument by leads there$")

    def test_reported_page_far_away(self):
        """A buffer that is merely the nearest one is not said to be that of an argument."""
        trace = self.record("multiplied_far", "-O2")
        for verb in ("info", "explain"):
            self.assertRegex(self.text(verb, trace), r"(?m)^memory       0x[0-9a-f]+ is \d+ bytes past the end of a buffer of 2097152 bytes, allocated by "
                                                     r"hipMalloc in causes\.hip:\d+ from causes\.hip:\d+$")

    def test_certain(self):
        """Past the ends of local memory, and of what is not aligned, the place is certain where the wave's way proves it."""
        for name, level in (("turned", "-O2"), ("counted", "-O2"), ("counted", "-O0")):
            with self.subTest(mistake=name, level=level):
                trace = self.record(name, level)
                said, = json.loads(self.wavetape("info", trace, "--json"))["explanations"]
                self.assertIs(said["place_is_certain"], True)
                self.assertNotIn("not certain", self.wavetape("info", trace))
                # Who called is told of where it failed, not of where the wave was stopped.
                self.assertEqual([caller["line"] for caller in said["called_by"]],
                                 [line_of("counted")] if level == "-O0" else [])

    def test_types(self):
        """What DWARF says of arguments is in JSON."""
        trace = self.record("scaled", "-O2")
        arguments = json.loads(self.wavetape("explain", trace, "--json"))["explanations"][0]["arguments"]
        shown = [(a["name"], a["type"], a["text"], a["bytes"]) for a in arguments if not a["hidden"]]
        self.assertEqual(shown, [("from", "span", "{first = 0x0, count = 65, scale = 0.5}", 24), ("bias", "float", "2.5", 4),
                                 ("shift", "short", "-3", 2)])


if __name__ == "__main__":
    support.main(__doc__, parts=2)
