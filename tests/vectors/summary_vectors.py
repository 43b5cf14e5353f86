# SPDX-License-Identifier: MIT
"""Vectors of a FINAL with a summary: right, wrong, and unreadable."""

import copy
import struct

import summary
from catalogue import vector
from compose import section
from container import Container
from packets import Trace
from worlds import five_stops


def closed_with(change=None, pack=summary.pack, tape=None):
    """A summary that is right but for what was changed."""
    tape = tape or five_stops()
    message = summary.build(Trace(Container(copy.deepcopy(tape).close())))
    if change:
        change(message)

    def add(payload):
        length = struct.unpack_from("<Q", payload, 8)[0]
        return payload + section(4, pack(payload[16:16 + length], message))
    return tape.close(change=add)


@vector
def summary_that_is_right():
    tape = five_stops()
    tape.notice("something to say")
    return closed_with(tape=tape)


@vector
def summary_with_other_waves():
    def change(message):
        message.stop[1].waves += 1
    return closed_with(change)


@vector
def summary_with_another_reason():
    def change(message):
        message.stop[1].group[0].reasons ^= 0x800
    return closed_with(change)


@vector
def summary_without_a_stop():
    def change(message):
        del message.stop[2]
    return closed_with(change)


@vector
def summary_with_other_code():
    def change(message):
        message.code[0].load_address += 4096
    return closed_with(change)


@vector
def summary_of_a_moment_that_is_not_there():
    def change(message):
        message.stop[-1].moment += 100
    return closed_with(change)


@vector
def summary_of_events_without_number():
    def change(message):
        message.stop[0].event.add(first=1, count=1 << 40, kind=1)
    return closed_with(change)


@vector
def summary_of_other_chunks():
    return closed_with(pack=lambda entries, message: summary.pack(entries + bytes(1), message))


@vector
def summary_that_cannot_be_decompressed():
    return closed_with(pack=lambda entries, message: summary.pack(entries, message)[:8] + bytes(40))


@vector
def summary_that_cannot_be_decoded():
    return closed_with(pack=lambda entries, _: summary.pack(entries, b"\xff" * 40))


@vector
def summary_with_another_notice():
    tape = five_stops()
    tape.notice("something to say")

    def change(message):
        message.notice[0] = message.notice[0].replace(b"say", b"do!")
    return closed_with(change, tape=tape)


@vector
def summary_of_nothing():
    """One that says that it has neither stops nor notices."""
    return closed_with(pack=lambda entries, _: summary.pack(entries, b""))
