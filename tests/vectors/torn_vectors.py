# SPDX-License-Identifier: MIT
"""Vectors that are damaged, or must be refused."""

import struct

import trace_pb2
import zstandard
from catalogue import flipped, nth, vector
from compose import Tape, head, identity, packet_bytes
from container import FINAL, HEAD, INLINE, REQUIRED, crc32c
from whole_vectors import header_and_end
from worlds import DATA, attach, five_stops, later_stops, one_stop, started, stop, whole_state


@vector
def file_head_damaged():
    return flipped(five_stops().close(), 33)


@vector
def file_head_damaged_and_not_closed():
    return flipped(bytes(five_stops().file), 33)


@vector
def footer_damaged():
    return flipped(five_stops().close(), -40)


@vector
def final_head_damaged():
    whole = five_stops().close()
    return flipped(whole, nth(whole, FINAL, 0) + 60)


@vector
def final_payload_damaged():
    whole = five_stops().close()
    return flipped(whole, nth(whole, FINAL, 0) + HEAD + 40)


@vector
def chunk_head_damaged():
    whole = five_stops().close()
    return flipped(whole, nth(whole, 2, 2) + 48)


@vector
def chunk_head_damaged_and_not_closed():
    data = bytes(five_stops().file)
    return flipped(data, nth(data, 2, 2) + 48)


def other_frame_length(data, at):
    """All of a head is right, and its checksum, but for the length of its skippable frame."""
    data = bytearray(data)
    struct.pack_into("<I", data, at + 4, 121)
    struct.pack_into("<I", data, at + 124, crc32c(data[at:at + 124]))
    return bytes(data)


@vector
def frame_length_of_a_chunk_head():
    whole = five_stops().close()
    return other_frame_length(whole, nth(whole, 2, 2))


@vector
def frame_length_of_the_file_head():
    return other_frame_length(five_stops().close(), 0)


def other_kind(data, at, kind, flags):
    """A whole head of another kind, or with other flags; its frame has the length that it had."""
    data = bytearray(data)
    struct.pack_into("<HH", data, at + 16, kind, flags)
    struct.pack_into("<I", data, at + 124, crc32c(data[at:at + 124]))
    return bytes(data)


@vector
def chunk_head_of_another_kind():
    whole = five_stops().close()
    return other_kind(whole, nth(whole, 2, 2), 9, 0)


@vector
def chunk_head_of_another_kind_and_not_closed():
    data = bytes(five_stops().file)
    return other_kind(data, nth(data, 2, 2), 9, 0)


@vector
def chunk_head_with_another_flag():
    whole = five_stops().close()
    return other_kind(whole, nth(whole, 2, 2), 2, 0)


@vector
def chunk_damaged():
    whole = five_stops().close()
    return flipped(whole, nth(whole, 2, 2) + HEAD + 20, 3)


@vector
def keyframe_chunk_damaged():
    whole = five_stops().close()
    return flipped(whole, nth(whole, 2, 1) + HEAD + 20, 3)


@vector
def first_chunk_damaged():
    whole = five_stops().close()
    return flipped(whole, nth(whole, 2, 0) + HEAD + 20, 3)


@vector
def index_damaged_and_not_closed():
    tape = one_stop()
    later_stops(tape, 2)
    tape.index()
    later_stops(tape, 2)
    tape.index()
    later_stops(tape, 1)
    return flipped(bytes(tape.file), tape.index_offsets[0] + HEAD + 30)


@vector
def index_damaged_and_closed():
    tape = one_stop()
    tape.index()
    later_stops(tape, 1)
    return flipped(tape.close(), tape.index_offsets[0] + HEAD + 30)


@vector
def index_restores_a_head():
    tape = one_stop()
    later_stops(tape, 2)
    tape.index()
    later_stops(tape, 1)
    data = bytes(tape.file)
    return flipped(data, nth(data, 2, 1) + 48)


@vector
def a_chunk_is_gone():
    tape = one_stop()
    later_stops(tape, 1)
    tape.notice("this was lost")
    tape.blob(b"so was this")
    tape.chunk(lost=True)
    later_stops(tape, 2, keyframes=(2,))
    return tape.close()


@vector
def a_blob_is_gone():
    tape = one_stop()
    number = tape.blob(b"lost")
    tape.chunk(lost=True)
    stop(tape, whole_state(tape, 3) + [tape.memory(DATA + 8192, blob=number)], keyframe=True)
    return tape.close()


@vector
def a_source_file_is_gone():
    """The text is lost; its name is not."""
    tape = one_stop(minor=4)
    number = tape.blob(b"lost\n")
    tape.chunk(lost=True)
    tape.facts([trace_pb2.Item(type=trace_pb2.Item.SOURCE, kind=tape.name("lost.c"), blob=number),
                trace_pb2.Item(type=trace_pb2.Item.SOURCE, kind=tape.name("kept.c"), blob=tape.blob(b"kept\n"))])
    return tape.close()


@vector
def a_name_is_gone():
    tape = one_stop()
    tape.name("local")
    tape.chunk(lost=True)
    tape.repeated = [packet for packet in tape.repeated if "local" not in packet.names.text]
    tape.call("amd_dbgapi_wave_stop")
    return tape.close()


@vector
def no_header():
    """Every block of it is whole, and it never had one."""
    tape = Tape()
    attach(tape)
    tape.chunk()
    stop(tape, whole_state(tape), keyframe=True)
    return tape.close()


@vector
def no_header_and_no_footer():
    tape = Tape()
    attach(tape)
    tape.chunk()
    stop(tape, whole_state(tape), keyframe=True)
    return flipped(tape.close(), -40)


@vector
def no_end():
    return five_stops().close(end=False)


@vector
def chunks_in_wrong_order():
    data = bytes(five_stops().file)
    first, second, third = nth(data, 2, 2), nth(data, 2, 3), nth(data, 2, 4)
    return data[:first] + data[second:third] + data[first:second] + data[third:]


@vector
def chunk_of_another_file():
    tape = one_stop()
    at = len(tape.file)
    tape.file += head(2, at, 256, file_id=b"else" * 4) + bytes(256)
    later_stops(tape, 1)
    return bytes(tape.file)


@vector
def bytes_behind_the_footer():
    return five_stops().close() + b"0123456789abcdef" * 8


@vector
def zeros_behind_the_footer():
    return five_stops().close() + bytes(4096)


# ---- Refused ----

@vector
def empty_file():
    return b""


@vector
def shorter_than_a_head():
    return header_and_end()[:127]


@vector
def text():
    return b"This is no trace, only a text that is longer than a head of one.\n" * 20


@vector
def plain_zstd():
    return zstandard.ZstdCompressor().compress(b"".join(packet_bytes(packet) for packet in started().packets) * 3)


@vector
def newer_major():
    return head(1, 0, 0, identity(2, 0, text=b"wavetape trace"), major=2) + bytes(one_stop().file[HEAD:])


@vector
def newer_major_in_the_identity():
    return head(1, 0, 0, identity(2, 0, text=b"wavetape trace")) + bytes(one_stop().file[HEAD:])


@vector
def unknown_required_feature():
    return one_stop(required=1 << 63).close()


@vector
def unknown_required_kind():
    tape = one_stop()
    tape.block(78, b"needed", flags=REQUIRED | INLINE)
    later_stops(tape, 1)
    return bytes(tape.file)


@vector
def unknown_required_kind_and_closed():
    """Opening by FINAL does not meet it; who reads all of the file does."""
    tape = one_stop()
    tape.chunk()
    tape.block(78, b"needed", flags=REQUIRED | INLINE)
    later_stops(tape, 1)
    return tape.close()


@vector
def chunk_without_packets():
    tape = one_stop()
    tape.chunk()
    tape.chunk()
    later_stops(tape, 1)
    return tape.close()
