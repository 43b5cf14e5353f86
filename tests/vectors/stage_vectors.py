# SPDX-License-Identifier: MIT
"""Vectors of recordings that were not closed."""

import struct

import trace_pb2
from catalogue import flipped, nth, vector
from compose import stage_entries
from container import FINAL, GAP, HEAD, STAGE
from worlds import DATA, five_stops, later_stops, one_stop, stop, whole_state


@vector
def killed_between_chunks():
    return bytes(five_stops().file)


@vector
def killed_with_an_open_chunk():
    tape = five_stops()
    tape.block(GAP, bytes(1024), payload_crc=0, sequence=tape.sequence + 1)
    fields, sequence = tape.stage_fields(), tape.sequence + 1
    stop(tape, [tape.memory(DATA, patch=[trace_pb2.Patch(offset=60, data=b"staged")])])
    tape.call("amd_dbgapi_wave_resume", ended=False)
    rows = [[packet] for packet in tape.packets]
    tape.block(STAGE, stage_entries(sequence, rows) + bytes(300), fields, sequence=sequence, payload_crc=0)
    return bytes(tape.file)


@vector
def stage_without_an_entry():
    """As a kill right behind a stop leaves it."""
    tape = five_stops()
    tape.block(GAP, bytes(512), payload_crc=0, sequence=tape.sequence + 1)
    tape.block(STAGE, bytes(1024), tape.stage_fields(), sequence=tape.sequence + 1, payload_crc=0)
    return bytes(tape.file)


@vector
def stage_of_a_chunk_that_was_written():
    tape = five_stops()
    fields, sequence = tape.stage_fields(), tape.sequence
    tape.notice("this has been in a chunk for a while")
    tape.block(STAGE, stage_entries(sequence, [tape.packets]), fields, sequence=sequence, payload_crc=0)
    return bytes(tape.file)


@vector
def stage_of_a_chunk_with_two_behind_it():
    """As a kill leaves it while the chunks of a large stop are written one after another."""
    tape = five_stops()
    fields, sequence = tape.stage_fields(), tape.sequence - 2
    tape.block(GAP, bytes(512), payload_crc=0, sequence=tape.sequence + 1)
    tape.notice("this has been in the first of three chunks")
    tape.block(STAGE, stage_entries(sequence, [tape.packets]), fields, sequence=sequence, payload_crc=0)
    return bytes(tape.file)


@vector
def stage_torn_in_an_entry():
    tape = five_stops()
    fields, sequence = tape.stage_fields(), tape.sequence + 1
    for text in ("one", "two", "three"):
        tape.notice(text)
    entries = bytearray(stage_entries(sequence, [[packet] for packet in tape.packets]))
    entries[-2] ^= 0x20
    tape.block(STAGE, bytes(entries), fields, sequence=sequence, payload_crc=0)
    return bytes(tape.file)


@vector
def stage_with_leftovers():
    """Behind its two entries lie those of the stage before it, which do not count."""
    tape = five_stops()
    fields, sequence = tape.stage_fields(), tape.sequence + 1
    tape.notice("now")
    now = stage_entries(sequence, [tape.packets])
    tape.packets = []
    tape.notice("then")
    then = stage_entries(sequence - 1, [tape.packets], start=len(now))
    tape.block(STAGE, now + then, fields, sequence=sequence, payload_crc=0)
    return bytes(tape.file)


@vector
def stage_cut_by_the_end_of_the_file():
    tape = five_stops()
    fields, sequence = tape.stage_fields(), tape.sequence + 1
    for i in range(20):
        tape.notice("remark %d, long enough to be over the end of what was kept of the file" % i)
    tape.block(STAGE, stage_entries(sequence, [[packet] for packet in tape.packets]), fields, sequence=sequence,
               payload_crc=0)
    return bytes(tape.file[:-700])


def two_stages(chunk):
    """A chunk on its way: the second slot holds its packets and the next ones, the first slot the next ones alone."""
    tape = five_stops()
    fields, sequence = tape.stage_fields(), tape.sequence + 1
    tape.notice("of the chunk that is compressed")
    stop(tape, [tape.memory(DATA, patch=[trace_pb2.Patch(offset=60, data=b"staged")])])
    rows = [list(tape.packets)]
    start = len(tape.file)
    tape.chunk()
    if not chunk:
        del tape.file[start:]
    tape.block(GAP, bytes(1024), payload_crc=0, sequence=sequence + 1)
    next_fields = tape.stage_fields()
    tape.notice("of the next chunk")
    tape.call("amd_dbgapi_wave_resume", ended=False)
    rows.append(list(tape.packets))
    tape.block(STAGE, stage_entries(sequence + 1, rows[1:]) + bytes(300), next_fields, sequence=sequence + 1, payload_crc=0)
    tape.block(STAGE, stage_entries(sequence, rows) + bytes(200), fields, sequence=sequence, payload_crc=0)
    return tape.file, start


@vector
def two_stages_before_their_chunk():
    return bytes(two_stages(chunk=False)[0])


@vector
def two_stages_behind_their_chunk():
    return bytes(two_stages(chunk=True)[0])


@vector
def two_stages_and_the_head_of_their_chunk_torn():
    data, start = two_stages(chunk=True)
    data[start + 64:start + HEAD] = bytes(64)
    return bytes(data)


def lower_stage_torn(entry):
    """The stage of the lower sequence is the second one: nothing of it counts from a torn entry on."""
    data = two_stages(chunk=False)[0]
    at = nth(data, STAGE, 1) + HEAD
    for _ in range(entry):
        at += 8 + struct.unpack_from("<I", data, at)[0]
    return flipped(bytes(data), at + 12)


@vector
def two_stages_and_nothing_in_the_lower_one():
    return lower_stage_torn(0)


@vector
def two_stages_and_half_of_the_lower_one():
    return lower_stage_torn(1)


@vector
def ended_and_then_cut():
    whole = five_stops().close()
    return whole[:nth(whole, FINAL, 0)]


@vector
def cut_in_a_chunk():
    whole = five_stops().close()
    return whole[:nth(whole, 2, 4) + HEAD + 50]


@vector
def cut_in_a_head():
    whole = five_stops().close()
    return whole[:nth(whole, 2, 4) + 77]


@vector
def torn_with_indexes():
    tape = one_stop()
    for _ in range(5):
        later_stops(tape, 2, keyframes=(1,))
        tape.index()
    later_stops(tape, 2, keyframes=(2,))
    return bytes(tape.file)


def stage_with_a_stop(change):
    """`change` alters the number of the only moment in the stage."""
    tape = five_stops()
    tape.block(GAP, bytes(512), payload_crc=0, sequence=tape.sequence + 1)
    fields, sequence = tape.stage_fields(), tape.sequence + 1
    tape.notice("before the stop")
    stop(tape, [tape.memory(DATA, patch=[trace_pb2.Patch(offset=60, data=b"staged")])]).moment.number += change
    tape.block(STAGE, stage_entries(sequence, [tape.packets]), fields, sequence=sequence, payload_crc=0)
    return bytes(tape.file)


@vector
def stage_whose_moment_is_numbered_too_high():
    return stage_with_a_stop(1)


@vector
def stage_whose_moment_is_numbered_too_low():
    return stage_with_a_stop(-1)


@vector
def stage_whose_second_moment_is_numbered_too_high():
    """Nothing of it counts, what comes before that moment neither."""
    tape = five_stops()
    fields, sequence = tape.stage_fields(), tape.sequence + 1
    stop(tape, [tape.memory(DATA, patch=[trace_pb2.Patch(offset=60, data=b"staged")])])
    stop(tape, []).moment.number += 1
    tape.block(STAGE, stage_entries(sequence, [[packet] for packet in tape.packets]), fields, sequence=sequence,
               payload_crc=0)
    return bytes(tape.file)


@vector
def stage_whose_names_are_numbered_too_high():
    tape = five_stops()
    fields, sequence = tape.stage_fields(), tape.sequence + 1
    tape.call("amd_dbgapi_wave_stop")
    tape.packets[0].names.first += 1
    tape.block(STAGE, stage_entries(sequence, [tape.packets]), fields, sequence=sequence, payload_crc=0)
    return bytes(tape.file)


def stage_with_a_keyframe(own, said):
    """A stop in a stage, a keyframe or not, of which the head says that the newest keyframe is another."""
    tape = five_stops()
    tape.keyframe = said
    fields, sequence = tape.stage_fields(), tape.sequence + 1
    stop(tape, whole_state(tape, 9) if own else [], keyframe=own)
    tape.block(STAGE, stage_entries(sequence, [tape.packets]), fields, sequence=sequence, payload_crc=0)
    return bytes(tape.file)


@vector
def stage_with_another_keyframe():
    return stage_with_a_keyframe(False, 2)


@vector
def stage_with_a_keyframe_of_its_own():
    """Then that one counts."""
    return stage_with_a_keyframe(True, 2)
