# SPDX-License-Identifier: MIT
"""Vectors of small traces whose FINAL has the payloads of all chunks once more, joined."""

from catalogue import vector
from compose import parity, section
from container import HEAD
from torn_vectors import five_stops, flipped, nth
from worlds import started, stop, whole_state


def closed(change=lambda content: content, tape=None):
    """@change: what becomes of its PARITY."""
    tape = tape or five_stops(minor=7)
    return tape.close(change=lambda payload: payload + section(5, change(parity(tape))))


def damaged(whole, *chunks):
    for number in chunks:
        whole = flipped(whole, nth(whole, 2, number) + HEAD + 20, 3)
    return whole


@vector
def parity_of_all_chunks():
    return closed()


@vector
def parity_of_one_chunk():
    """It is a copy."""
    tape = started(minor=7)
    stop(tape, whole_state(tape), keyframe=True)
    return damaged(closed(tape=tape), 0)


@vector
def chunk_damaged_and_parity():
    return damaged(closed(), 2)


@vector
def first_chunk_damaged_and_parity():
    return damaged(closed(), 0)


@vector
def last_chunk_damaged_and_parity():
    return damaged(closed(), 5)


@vector
def two_chunks_damaged_and_parity():
    """One can be made of the others, two cannot."""
    return damaged(closed(), 2, 4)


@vector
def chunk_damaged_and_wrong_parity():
    return damaged(closed(lambda content: bytes([content[0] ^ 1]) + content[1:]), 2)


@vector
def chunk_damaged_and_short_parity():
    """Shorter than the longest payload: it is as if it were not there."""
    return damaged(closed(lambda content: content[:-8]), 2)


@vector
def chunk_damaged_and_long_parity():
    return damaged(closed(lambda content: content + bytes(8)), 2)


@vector
def chunk_and_its_head_damaged_and_parity():
    """The index has what the head had."""
    whole = damaged(closed(), 2)
    return flipped(whole, nth(closed(), 2, 2) + 40, 3)


@vector
def parity_damaged():
    """The final index has one checksum for all of it."""
    whole = closed()
    return flipped(whole, nth(whole, 4, 0) + HEAD + 700, 3)
