# SPDX-License-Identifier: MIT
"""The test vectors by name, and what changes a trace that was made."""

import struct

from container import HEAD

VECTORS = {}


def vector(make):
    """A vector named after its function."""
    VECTORS[make.__name__.replace("_", "-")] = make
    return make


def flipped(data, offset, bit=0):
    data = bytearray(data)
    data[offset] ^= 1 << bit
    return bytes(data)


def blocks(data):
    """Offset and kind of each block, in order."""
    at, found = 0, []
    while len(data) - at >= HEAD:
        kind, stored = struct.unpack_from("<H", data, at + 16)[0], struct.unpack_from("<Q", data, at + 32)[0]
        found.append((at, kind))
        at += HEAD + stored
    return found


def nth(data, kind, number):
    return [offset for offset, found in blocks(data) if found == kind][number]
