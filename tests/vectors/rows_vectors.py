# SPDX-License-Identifier: MIT
"""Vectors of blobs that are rows of words."""

import random
import struct

import trace_pb2
from catalogue import vector
from compose import ITEM
from worlds import DATA, later_stops, one_stop, stop, u32

ROWS = 3
ZERO, LANE, SLOPE, ABOVE, SAME = range(5)
ADDED = {"minor": 5, "required": 5}


def fold(number):
    return 2 * number if number >= 0 else -2 * number - 1


def rows(words, described, rest=b"", size=None):
    """Rows as FORMAT.md has them, of (kind, width, numbers, excesses) each; @size: another length than they have."""
    heads = bytes(kind << 3 | width for kind, width, _, _ in described)
    planes = [bytes(fold(number) >> 8 * plane & 255 for number in excesses)
              for plane in range(4) for _, width, _, excesses in described if width > plane]
    size = 4 * words * len(described) + len(rest) if size is None else size
    return u32(size) + bytes([words]) + heads + b"".join(numbers for _, _, numbers, _ in described) + b"".join(planes) + rest


def some(seed, words, most):
    """As many numbers, of both signs."""
    drawn = random.Random(seed)
    return [drawn.randint(-most, most) for _ in range(words)]


def memory(tape, blobs):
    return [tape.memory(DATA + 4096 * page, blob=tape.blob(blob, encoding=ROWS)) for page, blob in enumerate(blobs)]


def all_kinds(words):
    return [(ZERO, 0, b"", []), (LANE, 0, u32(0xFFFFFFF0), []), (SLOPE, 0, u32(0x1000) + u32(4), []),
            (SAME, 0, struct.pack("<H", 1), []), (ZERO, 4, b"", some(1, words, (1 << 31) - 1)),
            (LANE, 1, u32(0x3F800000), some(2, words, 127)), (SLOPE, 2, u32(7) + u32(0xFFFFFFFD), some(3, words, 32767)),
            (ABOVE, 3, b"", some(4, words, (1 << 23) - 1)), (ABOVE, 0, b"", []), (SAME, 0, struct.pack("<H", 9), []),
            (LANE, 4, u32(5), [-(1 << 31)] * words), (ABOVE, 1, b"", [-128] * words), (SLOPE, 1, u32(0) + u32(0), [1] * words)]


@vector
def blob_in_rows():
    tape = one_stop(**ADDED)
    stop(tape, memory(tape, [
        rows(64, all_kinds(64), b"the rest"), rows(32, all_kinds(32)), rows(64, [(ABOVE, 1, b"", [-1] * 64)], bytes(range(255))),
        rows(32, [], b"less than a row"), rows(64, [])]))
    return tape.close()


@vector
def blob_of_rows_that_are_not_whole():
    """Each but the last breaks one rule."""
    tape = one_stop(**ADDED)
    whole = [(LANE, 1, u32(1), [1] * 64)]
    stop(tape, memory(tape, [
        b"", rows(64, whole)[:4], rows(33, [(ZERO, 0, b"", [])]), rows(0, [], b"abc"), rows(64, whole) + b"\0",
        rows(64, whole)[:-1], rows(64, whole, size=260), rows(64, whole, size=255), rows(64, [(5, 0, b"", [])]),
        rows(64, [(LANE, 5, u32(0), [0] * 64)]), rows(64, [(SAME, 0, struct.pack("<H", 1), [])]),
        rows(64, [(ZERO, 0, b"", []), (SAME, 0, struct.pack("<H", 0), [])]),
        rows(64, [(ZERO, 0, b"", []), (SAME, 0, struct.pack("<H", 2), [])]),
        rows(64, [(ZERO, 0, b"", []), (SAME, 1, struct.pack("<H", 1), [0] * 64)]),
        rows(64, [(ZERO, 0, b"", [])] * 3)[:7], rows(64, [], size=0xFFFFFFFF), rows(64, whole)]))
    later_stops(tape, 2, keyframes=(2,))
    return tape.close()


@vector
def blob_of_rows_too_long():
    """It would become 8 MiB and a row more."""
    tape = one_stop(**ADDED)
    stop(tape, memory(tape, [rows(64, [(ZERO, 0, b"", [])] * ((8 << 20) // 256 + 1))]))
    return tape.close()


@vector
def patch_in_rows():
    tape = one_stop(**ADDED)
    stop(tape, [ITEM(type=ITEM.REGISTERS, owner=1, patch=[
        trace_pb2.Patch(offset=0, data=rows(32, [], bytes(27)), encoding=ROWS)])])
    later_stops(tape, 2, keyframes=(2,))
    return tape.close()
