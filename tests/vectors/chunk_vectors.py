# SPDX-License-Identifier: MIT
"""Vectors with a chunk that is not what it says, or with a packet of no use in it."""

import struct

import trace_pb2
import zstandard
from catalogue import vector
from compose import filling, frame, pad
from container import HEAD
from worlds import DATA, later_stops, one_stop, started, stop, wave, whole_state


@vector
def length_not_as_in_the_frame():
    tape = one_stop()
    stop(tape, [])
    tape.chunk(change={"raw": 9999})
    return tape.close()


@vector
def bomb():
    """64 KiB that would become more than the head says: the frame claims another length."""
    tape = one_stop()
    stop(tape, [])
    tape.chunk(payload=lambda raw: frame(bytes(80 << 20)), change={"raw": 1000})
    return tape.close()


@vector
def chunk_beyond_the_limit():
    tape = one_stop()
    stop(tape, [])
    tape.chunk(payload=lambda raw: frame(raw + bytes(65 << 20)), change={"raw": 65 << 20})
    return tape.close()


@vector
def window_beyond_the_limit():
    tape = one_stop()
    stop(tape, [])
    tape.chunk(payload=windowed)
    return tape.close()


def windowed(raw):
    """A frame with a window of 256 MiB, and its content size in the head."""
    data = struct.pack("<IBBI", 0xFD2FB528, 0x80, 18 << 3, len(raw))
    data += struct.pack("<I", len(raw) << 3 | 1)[:3] + raw
    fill = -len(data) % HEAD
    return data + filling(fill + HEAD if 0 < fill < 8 else fill)


@vector
def frame_with_a_dictionary():
    tape = one_stop()
    stop(tape, [])
    tape.chunk(payload=dictionary)
    return tape.close()


def dictionary(raw):
    data = struct.pack("<IBBBI", 0xFD2FB528, 0x81, 10 << 3, 5, len(raw))
    data += struct.pack("<I", len(raw) << 3 | 1)[:3] + raw
    fill = -len(data) % HEAD
    return data + filling(fill + HEAD if 0 < fill < 8 else fill)


@vector
def no_frame_at_all():
    tape = one_stop()
    stop(tape, [])
    tape.chunk(payload=b"this is not zstd" * 8)
    return tape.close()


@vector
def something_behind_the_frame():
    tape = one_stop()
    stop(tape, [])
    tape.chunk(payload=lambda raw: pad(frame(raw) + b"and more"))
    return tape.close()


def behind_the_frame(rest):
    """A chunk in the middle, with something between its zstd frame and the end of its payload."""
    tape = one_stop()
    stop(tape, [])
    tape.chunk(payload=lambda raw: zstandard.ZstdCompressor(write_content_size=True).compress(raw) + rest(raw))
    later_stops(tape, 1)
    return tape.close()


def left(raw, taken=0):
    """How many bytes fill up a chunk of these packets, of which some are taken."""
    used = len(zstandard.ZstdCompressor(write_content_size=True).compress(raw)) + taken
    return -(used + 8) % HEAD + 8


@vector
def empty_frame_behind_the_frame():
    empty = zstandard.ZstdCompressor(write_content_size=True).compress(b"")
    return behind_the_frame(lambda raw: empty + filling(left(raw, len(empty))))


@vector
def two_fillings_behind_the_frame():
    return behind_the_frame(lambda raw: filling(8) + filling(left(raw, 8)))


@vector
def filling_of_another_magic():
    return behind_the_frame(lambda raw: struct.pack("<II", 0x184D2A50, left(raw) - 8) + bytes(left(raw) - 8))


@vector
def more_filling_than_is_needed():
    """It is one frame all the same."""
    return behind_the_frame(lambda raw: filling(left(raw) + HEAD))


def numbers_that_cannot_be(change, close):
    tape = one_stop()
    stop(tape, [])
    tape.chunk(change=change)
    later_stops(tape, 1)
    return tape.close() if close else bytes(tape.file)


@vector
def more_calls_than_packets():
    return numbers_that_cannot_be({"calls": 500}, close=True)


@vector
def more_calls_than_packets_and_not_closed():
    return numbers_that_cannot_be({"calls": 500}, close=False)


@vector
def more_packets_than_bytes():
    return numbers_that_cannot_be({"packets": 5000}, close=False)


@vector
def packet_numbers_that_wrap_around():
    return numbers_that_cannot_be({"first_packet": (1 << 64) - 2}, close=False)


@vector
def other_counts_than_the_head_says():
    tape = one_stop()
    stop(tape, [])
    tape.chunk(change={"blobs": 3})
    return tape.close()


@vector
def moments_not_as_numbered():
    tape = one_stop()
    tape.next_moment += 5
    stop(tape, [])
    tape.next_moment -= 5
    tape.chunk()
    return tape.close()


def names_of_a_chunk(change=None, number=None):
    """A chunk with a call of a new name, and another name behind it. FINAL repeats only names whose numbers are right."""
    tape = one_stop()
    tape.call("amd_dbgapi_wave_stop")
    names = tape.packets[0]
    if number is not None:
        names.names.first = number(names.names.first)
    tape.chunk(change=change)
    if number is not None:
        tape.repeated.remove(names)
    if change and change["names"] > 1:
        tape.names["in no packet"] = len(tape.names) + 1
        tape.totals["name"] += 1
    tape.call("amd_dbgapi_wave_resume")
    return tape


@vector
def more_names_than_the_chunk_has():
    return names_of_a_chunk(change={"names": 2}).close()


@vector
def fewer_names_than_the_chunk_has():
    return names_of_a_chunk(change={"names": 0}).close()


@vector
def names_numbered_too_high():
    return names_of_a_chunk(number=lambda first: first + 1).close()


@vector
def names_of_others():
    """They have numbers that names before them have."""
    return names_of_a_chunk(number=lambda first: 1).close()


def stops_with_a_keyframe(numbers, keyframe, close=True):
    """After a stop a keyframe and two that change it; heads of the chunks of some of these name another keyframe."""
    tape = one_stop()
    for i in (2, 3, 4):
        stop(tape, whole_state(tape, i) if i == 2 else [wave(tape, 1, DATA + i)], keyframe=i == 2)
        tape.chunk(change={"keyframe": keyframe} if i in numbers else None)
    tape.keyframe = keyframe if 4 in numbers else tape.keyframe
    return tape.close() if close else bytes(tape.file)


@vector
def head_with_a_keyframe_that_is_none():
    """States cannot be built on what changes another one."""
    return stops_with_a_keyframe((3, 4), 3)


@vector
def head_with_a_keyframe_that_is_none_and_not_closed():
    return stops_with_a_keyframe((3, 4), 3, close=False)


@vector
def head_without_its_keyframe():
    return stops_with_a_keyframe((2, 3, 4), 1)


@vector
def head_with_an_older_keyframe():
    return stops_with_a_keyframe((3, 4), 1)


@vector
def head_with_a_keyframe_of_the_next_chunk():
    return stops_with_a_keyframe((3,), 4, close=False)


@vector
def head_with_a_keyframe_before_the_first():
    """The first chunk says that there is none, and has one."""
    tape = started()
    tape.chunk(change={"keyframe": 0xFFFFFFFF})
    stop(tape, [])
    return tape.close()


@vector
def a_keyframe_is_gone():
    """Which one it was the heads behind it still say."""
    tape = one_stop()
    stop(tape, whole_state(tape, 2), keyframe=True)
    tape.chunk(lost=True)
    later_stops(tape, 2, keyframes=(2,))
    return tape.close()


@vector
def packet_longer_than_its_chunk():
    tape = one_stop()
    tape.add(b"\x0a\x7fshort")
    tape.chunk()
    return tape.close()


@vector
def packet_that_is_no_message():
    tape = one_stop()
    tape.add(b"\x0a\x04\x52\x02\x0a\x7f")
    later_stops(tape, 1)
    return tape.close()


def damaged_packet(packet, field):
    """A packet whose body goes on, behind what it has, with a text that is longer than the body."""
    body = getattr(packet, field).SerializeToString() + b"\xfa\x01\x7f"
    body = bytes([packet.DESCRIPTOR.fields_by_name[field].number << 3 | 2, len(body)]) + body
    return b"\x0a" + bytes([len(body)]) + body


@vector
def moment_that_cannot_be_decoded():
    """In one chunk with those around it: what is before it, and the next keyframe, stay."""
    tape = one_stop()
    for number in range(1, 5):
        stop(tape, [tape.memory(DATA, patch=[trace_pb2.Patch(offset=number, data=b"!")])] if number < 4 else
             whole_state(tape, 4), keyframe=number == 4)
        if number == 2:
            tape.packets[-1] = damaged_packet(tape.packets[-1], "moment")
    return counted_close(tape)


def counted_close(tape):
    """Of packets that were made by hand a tape does not know what is counted in them."""
    tape.chunk(change={"moments": 4})
    tape.totals["moment"] += 1
    return tape.close()


@vector
def late_that_cannot_be_decoded():
    tape = one_stop()
    later_stops(tape, 1)
    tape.late(2, [tape.memory(DATA, patch=[trace_pb2.Patch(offset=9, data=b"late")])])
    tape.packets[-1] = damaged_packet(tape.packets[-1], "late")
    later_stops(tape, 2, keyframes=(2,))
    return tape.close()


@vector
def facts_that_cannot_be_decoded():
    tape = one_stop()
    tape.facts([tape.memory(DATA + 8192, blob=tape.blob(b"fact"))])
    tape.packets[-1] = damaged_packet(tape.packets[-1], "facts")
    later_stops(tape, 1)
    return tape.close()


@vector
def names_that_cannot_be_decoded():
    """And those behind them in the same chunk, which nothing repeats."""
    tape = one_stop()
    tape.name("nobody's")
    tape.packets[-1] = damaged_packet(tape.packets[-1], "names")
    tape.call("amd_dbgapi_wave_stop")
    tape.chunk(change={"names": 2})
    tape.totals["name"] += 1
    tape.repeated = []
    return tape.close()


@vector
def patch_past_the_end():
    tape = one_stop()
    stop(tape, [tape.memory(DATA + 4096, patch=[trace_pb2.Patch(offset=98, data=b"past")])])
    return tape.close()


@vector
def patch_of_nothing():
    tape = one_stop()
    stop(tape, [tape.memory(DATA + 8192, patch=[trace_pb2.Patch(offset=0, data=b"what?")])])
    return tape.close()


@vector
def blob_of_unknown_encoding():
    tape = one_stop()
    stop(tape, [tape.memory(DATA, blob=tape.blob(b"from the future", encoding=9))])
    later_stops(tape, 2, keyframes=(2,))
    return tape.close()
