# SPDX-License-Identifier: MIT
"""Vectors of indexes that repeat something else than the chunks have, and of what may be there only once."""

import struct

import trace_pb2
from catalogue import vector
from chunk_vectors import damaged_packet, stops_with_a_keyframe
from compose import section
from worlds import five_stops, later_stops, one_stop


def closed_with(change):
    """All of its packets in chunks, and FINAL repeating a changed copy of each that it repeats."""
    tape = five_stops()
    tape.call("amd_dbgapi_wave_stop")
    tape.end()
    tape.chunk()
    tape.repeated = [changed(packet, change) for packet in tape.repeated]
    return tape.final()


def changed(packet, change):
    copy = trace_pb2.Packet()
    copy.CopyFrom(packet)
    other = change(copy)
    return copy if other is None else other


def rename(packet):
    if packet.names.first == 3:
        packet.names.text[0] += " by another name"


@vector
def final_with_another_name():
    return closed_with(rename)


@vector
def final_with_another_header():
    def change(packet):
        if packet.WhichOneof("body") == "header":
            packet.header.recorder = "another one"
    return closed_with(change)


@vector
def final_with_another_end():
    def change(packet):
        if packet.WhichOneof("body") == "end":
            packet.end.reason = "disk full"
    return closed_with(change)


@vector
def final_with_names_that_cannot_be_decoded():
    """Those of one packet; the chunk has them."""
    return closed_with(lambda packet: damaged_packet(packet, "names") if packet.names.first == 3 else None)


@vector
def final_that_repeats_no_packets():
    """What it repeats is no row of packets. Its entries count all the same."""
    tape = five_stops()
    return tape.close(change=lambda payload: payload[:payload.rindex(struct.pack("<HHI", 3, 0, 0))]
                      + section(3, b"these are no packets"))


@vector
def index_with_another_name_and_not_closed():
    """The name is in two indexes, and each has another text than the chunk. The first one counts."""
    tape = one_stop()
    names = next(packet for packet in tape.repeated if packet.names.first == 3)
    tape.repeated = [changed(packet, rename) for packet in tape.repeated]
    tape.index()
    later_stops(tape, 1)
    tape.repeated.append(changed(names, lambda packet: packet.names.text.__setitem__(0, "by a third one")))
    tape.index()
    later_stops(tape, 1)
    return bytes(tape.file)


@vector
def second_header():
    """The first one counts."""
    tape = one_stop()
    tape.header(recorder="by another hand")
    later_stops(tape, 1)
    return tape.close()


@vector
def second_end():
    """The first one counts."""
    tape = one_stop()
    tape.end("detached")
    later_stops(tape, 1)
    return tape.close("finalized")


@vector
def final_with_a_keyframe_that_does_not_follow():
    """An index of which one entry does not follow is not used at all."""
    return stops_with_a_keyframe((3,), 4)
