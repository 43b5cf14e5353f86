# SPDX-License-Identifier: MIT
"""Vectors that are whole traces."""

import struct

import trace_pb2
from catalogue import vector
from compose import ITEM, Tape, filling, head, packet_bytes
from container import GAP, HEAD, INLINE, REQUIRED
from worlds import CODE, DATA, PC, REGISTER, WAVE_QUERY, attach, block, facts, five_stops, later_stops, one_stop
from worlds import registers, started, stop, u32, u64, whole_state


@vector
def header_and_end():
    tape = Tape()
    tape.header()
    return tape.close()


@vector
def attached_only():
    return started().close("detached")


@vector
def one_stop_of_two_waves():
    return one_stop().close()


@vector
def five_stops_with_a_keyframe_between():
    return five_stops().close()


@vector
def nothing_repeated_at_the_end():
    """Its chunks alone have the Header, the names and the End."""
    tape = five_stops()
    tape.end()
    tape.chunk()
    tape.repeated = []
    return tape.final()


def closed_with(repeated):
    """Its FINAL repeats only some of the packets that it should."""
    tape = five_stops()
    tape.call("amd_dbgapi_wave_stop")
    tape.end()
    tape.chunk()
    tape.repeated = [packet for packet in tape.repeated if repeated(packet)]
    return tape.final()


@vector
def no_names_repeated_at_the_end():
    return closed_with(lambda packet: packet.WhichOneof("body") != "names")


@vector
def a_name_not_repeated_at_the_end():
    """In a chunk of many, whose first and last ones are repeated."""
    return closed_with(lambda packet: packet.names.first != 5)


@vector
def all_in_one_chunk():
    tape = started()
    stop(tape, whole_state(tape), keyframe=True)
    stop(tape, [ITEM(type=ITEM.REGISTERS, owner=2, patch=[trace_pb2.Patch(offset=0, data=u32(7))])])
    return tape.close()


@vector
def items_that_go():
    tape = one_stop()
    stop(tape, [tape.list("amd_dbgapi_process_wave_list", [2]),
                ITEM(type=ITEM.OBJECT, kind=tape.name("wave"), owner=1, removed=True),
                ITEM(type=ITEM.REGISTERS, owner=1, removed=True), tape.memory(DATA + 4096, removed=True),
                tape.memory(0x5000, removed=True)])
    return tape.close()


@vector
def late_items_of_the_moment_before():
    tape = one_stop()
    tape.late(1, [tape.memory(DATA + 8192, blob=tape.blob(b"came late")),
                  ITEM(type=ITEM.REGISTERS, owner=2, patch=[trace_pb2.Patch(offset=8, data=b"late")])])
    stop(tape, [tape.memory(DATA + 8192, patch=[trace_pb2.Patch(offset=5, data=b"LATE")])])
    return tape.close()


@vector
def late_items_of_another_moment():
    """What names another moment than the last one, be it one that was or one that comes, has no place."""
    tape = one_stop()
    stop(tape, [tape.memory(DATA + 8192, blob=tape.blob(b"in time"))])
    tape.late(1, [tape.memory(DATA + 8192, blob=tape.blob(b"of the one before"))])
    tape.late(3, [tape.memory(DATA + 8192, blob=tape.blob(b"of the next"))])
    tape.late(2, [tape.memory(DATA + 12288, blob=tape.blob(b"of this one"))])
    return tape.close()


@vector
def facts_at_the_end():
    tape = Tape()
    tape.header()
    tape.call("amd_dbgapi_initialize")
    tape.moment(keyframe=True, cause=trace_pb2.Moment.ATTACH)
    stop(tape, whole_state(tape), keyframe=True)
    tape.chunk()
    facts(tape)
    return tape.close()


@vector
def source_files():
    """Text of source files, kept behind all that was recorded; one is empty."""
    tape = one_stop(minor=4)
    text = "int i;\n\t/* \u00e9 */\n".encode()
    items = [trace_pb2.Item(type=trace_pb2.Item.SOURCE, kind=tape.name("dir/kernel.hip"), blob=tape.blob(text)),
             trace_pb2.Item(type=trace_pb2.Item.SOURCE, kind=tape.name("/usr/include/empty.h"), blob=tape.blob(b""))]
    tape.facts(items)
    return tape.close()


@vector
def odd_source_files():
    """Source files without text, without a name, twice, with bytes that are no text, and where no fact belongs."""
    tape = one_stop(minor=4)
    source = trace_pb2.Item.SOURCE
    tape.facts([trace_pb2.Item(type=source, kind=tape.name("no/text.c")),
                trace_pb2.Item(type=source, kind=0, blob=tape.blob(b"of no name\n")),
                trace_pb2.Item(type=source, kind=tape.name("twice.c"), blob=tape.blob(b"first\n")),
                trace_pb2.Item(type=source, kind=tape.name("bytes.c"), blob=tape.blob(b"a\0b\r\n\xff\n\n\nlast")),
                trace_pb2.Item(type=source, kind=tape.name("../../etc/passwd"), blob=tape.blob(b"\x1b[2Jroot\n"))])
    tape.facts([trace_pb2.Item(type=source, kind=tape.name("twice.c"), blob=tape.blob(b"second\n"))])
    return tape.close()


@vector
def facts_hidden_by_the_state():
    tape = one_stop()
    tape.facts([tape.memory(DATA, blob=tape.blob(b"fact")), tape.memory(DATA + 8192, blob=tape.blob(b"only a fact")),
                tape.object("register", REGISTER, {"AMD_DBGAPI_REGISTER_INFO_NAME": b"v1",
                                                   "AMD_DBGAPI_REGISTER_INFO_TYPE": b"int32_t[64]",
                                                   "AMD_DBGAPI_REGISTER_INFO_SIZE": u64(256)})])
    return tape.close()


@vector
def blob_in_planes():
    tape = one_stop()
    words = list(range(0x01020300, 0x01020300 + 33))
    planes = b"".join(bytes(word >> 8 * k & 255 for word in words) for k in range(4)) + b"end"
    stop(tape, [tape.memory(DATA, blob=tape.blob(planes, encoding=1)),
                tape.memory(DATA + 4096, blob=tape.blob(b"abc", encoding=1))])
    return tape.close()


@vector
def value_of_many_blobs():
    tape = one_stop()
    parts = [tape.blob(bytes([part]) * 1500) for part in (1, 2, 3)]
    stop(tape, [tape.memory(DATA, blob=parts[0], more_blob=parts[1:], size=4096)])
    return tape.close()


@vector
def value_shorter_than_its_blob():
    tape = one_stop()
    stop(tape, [tape.memory(DATA + 4096, blob=tape.blob(b"x" * 500), size=17)])
    return tape.close()


@vector
def value_longer_than_its_blob():
    tape = one_stop()
    stop(tape, [tape.memory(DATA + 4096, blob=tape.blob(b"x" * 50), size=51)])
    return tape.close()


@vector
def handles_in_a_blob_with_a_tail():
    tape = one_stop()
    handles = tape.blob(u64(2) + b"tail")
    stop(tape, [ITEM(type=ITEM.LIST, kind=tape.name("amd_dbgapi_process_wave_list"), owner=1, handle_blob=handles)])
    return tape.close()


@vector
def handles_in_a_blob():
    tape = one_stop()
    handles = tape.blob(u64(2) + u64(1))
    stop(tape, [ITEM(type=ITEM.LIST, kind=tape.name("amd_dbgapi_process_wave_list"), owner=1, handle_blob=handles)])
    return tape.close()


@vector
def patches_over_a_blob():
    tape = one_stop()
    stop(tape, [tape.memory(DATA, blob=tape.blob(b"-" * 64),
                            patch=[trace_pb2.Patch(offset=0, data=b"first"), trace_pb2.Patch(offset=3, data=b"SECOND")])])
    return tape.close()


@vector
def patch_keeps_handles():
    tape = one_stop()
    stop(tape, [ITEM(type=ITEM.REGISTERS, owner=1, patch=[trace_pb2.Patch(offset=256, data=u64(0x1234))])])
    stop(tape, [ITEM(type=ITEM.REGISTERS, owner=1, status=-23)])
    return tape.close()


CHANGES = {"minor": 2, "required": 1}


def deltas(words):
    """Words as DELTAS4 has them."""
    return struct.pack("<%dI" % len(words),
                       *(word - before & 0xFFFFFFFF for word, before in zip(words, [0, *words[:-1]])))


@vector
def blob_in_deltas():
    tape = one_stop(**CHANGES)
    words = list(range(0xFFFFFF00, 0xFFFFFF00 + 33 * 7, 7)) + [5, 0, 0xFFFFFFFF]
    stop(tape, [tape.memory(DATA, blob=tape.blob(deltas([word & 0xFFFFFFFF for word in words]) + b"end", encoding=2)),
                tape.memory(DATA + 4096, blob=tape.blob(b"abc", encoding=2))])
    return tape.close()


@vector
def patches_in_words():
    """In planes and in deltas, with a tail and without, one over the end of the other."""
    tape = one_stop(**CHANGES)
    stop(tape, [ITEM(type=ITEM.REGISTERS, owner=1, patch=[
        trace_pb2.Patch(offset=4, data=deltas(list(range(1000, 0, -50))), encoding=2),
        trace_pb2.Patch(offset=72, data=bytes(range(80)), encoding=1),
        trace_pb2.Patch(offset=251, data=bytes(range(13)), encoding=2)])])
    return tape.close()


@vector
def patch_of_unknown_encoding():
    tape = one_stop(**CHANGES)
    stop(tape, [ITEM(type=ITEM.REGISTERS, owner=1, patch=[trace_pb2.Patch(offset=0, data=bytes(8), encoding=9)])])
    later_stops(tape, 2, keyframes=(2,))
    return tape.close()


def changed(tape, handle, answers, **fields):
    """An OBJECT item that gives these answers of a wave alone."""
    item = tape.object("wave", handle, {WAVE_QUERY + query: value for query, value in answers.items()})
    item.MergeFrom(ITEM(keep=True, **fields))
    return item


@vector
def changed_answers():
    tape = one_stop(**CHANGES)
    stop(tape, [changed(tape, 1, {"PC": u64(CODE + 64), "WAVE_NUMBER_IN_WORKGROUP": u32(3)}), changed(tape, 2, {})])
    tape.late(tape.next_moment - 1, [changed(tape, 2, {"STOP_REASON": u32(1)})])
    stop(tape, [ITEM(type=ITEM.REGISTERS, owner=1, keep=True, patch=[trace_pb2.Patch(offset=256, data=u64(77))])])
    return tape.close()


@vector
def changed_answers_of_nothing():
    tape = one_stop(**CHANGES)
    stop(tape, [changed(tape, 9, {"PC": u64(CODE)})])
    return tape.close()


@vector
def changed_answer_that_is_not_there():
    """Answers are in order: one whose query comes before that of the last is not found any more."""
    tape = one_stop(**CHANGES)
    stop(tape, [changed(tape, 1, {"PC": u64(CODE + 64), "STOP_REASON": u32(1)})])
    later_stops(tape, 2, keyframes=(2,))
    return tape.close()


@vector
def keep_with_a_blob():
    """Then it is a value of its own."""
    tape = one_stop(**CHANGES)
    stop(tape, [registers(1, tape.blob(block(7, CODE)), keep=True)])
    return tape.close()


@vector
def empty_moments():
    tape = one_stop()
    for _ in range(3):
        stop(tape, [])
        tape.moment([], cause=trace_pb2.Moment.PASS)
    return tape.close()


@vector
def refused_and_then_attached():
    """A moment without a process, which is no stop."""
    tape = Tape()
    tape.header()
    tape.call("amd_dbgapi_process_attach", callbacks=["client_process_get_info"])
    tape.moment(keyframe=True, cause=trace_pb2.Moment.REFUSED, process=0, status=-2)
    attach(tape)
    stop(tape, whole_state(tape), keyframe=True)
    tape.chunk()
    return tape.close()


@vector
def index_in_the_stream():
    tape = one_stop()
    later_stops(tape, 62, keyframes=(16, 32, 48))
    tape.index()
    later_stops(tape, 3)
    return tape.close()


@vector
def many_indexes():
    tape = one_stop()
    for number in range(9):
        later_stops(tape, 2, keyframes=(1,))
        tape.index()
    return tape.close()


@vector
def unknown_optional_kind():
    tape = one_stop()
    tape.block(77, b"what is to come", flags=INLINE)
    later_stops(tape, 1)
    return tape.close()


@vector
def unknown_packet():
    tape = one_stop()
    tape.add(b"\x0a\x05\xa2\x01\x02hi")
    later_stops(tape, 1)
    return tape.close()


@vector
def packet_with_other_fields():
    """What a later version may put beside a body, before and behind it; of two bodies the last one counts."""
    tape = one_stop()
    number, data = b"\xc0\x02\x07", b"\x8a\x02\x02hi"
    notice = packet_bytes(trace_pb2.Packet(notice=trace_pb2.Notice(kind=trace_pb2.Notice.CONTEXT, text="seen")))
    body = notice[2:]
    end = trace_pb2.Packet(end=trace_pb2.End(reason="not this one")).SerializeToString()
    for inner in (number + data + body + number, end + body + data):
        tape.add(b"\x0a" + bytes([len(inner)]) + inner)
    later_stops(tape, 1)
    return tape.close()


@vector
def packet_without_a_body():
    tape = one_stop()
    for packet in (b"\x0a\x00", b"\x0a\x03\xc0\x02\x07"):
        tape.add(packet)
    later_stops(tape, 1)
    return tape.close()


@vector
def names_without_numbers():
    tape = one_stop()
    tape.add(trace_pb2.Packet(names=trace_pb2.Names(text=["nobody's"])))
    later_stops(tape, 1)
    return tape.close()


@vector
def unknown_item_type():
    tape = one_stop()
    stop(tape, [ITEM(type=77, owner=1), tape.memory(DATA, patch=[trace_pb2.Patch(offset=1, data=b"seen")])])
    return tape.close()


@vector
def unknown_fields():
    tape = one_stop()
    moment = trace_pb2.Moment(number=tape.next_moment, process=1, cause=trace_pb2.Moment.STOP).SerializeToString()
    tape.next_moment += 1
    body = moment + b"\xf8\x3f\x2a"
    tape.add(trace_pb2.Packet.FromString(b"\x42" + bytes([len(body)]) + body))
    return tape.close()


@vector
def unknown_optional_feature():
    return one_stop(minor=7, optional=1 << 40).close()


@vector
def gap_between_chunks():
    tape = one_stop()
    tape.block(GAP, bytes(512), payload_crc=0)
    later_stops(tape, 2)
    return tape.close()


@vector
def chunk_that_does_not_compress():
    """Its payload holds bytes that look like the heads of another trace and, at the wrong place, of this one."""
    tape = one_stop()
    fake = head(2, 0x7FFFFFFF80, 128) + head(8, 0x100000, 0, flags=REQUIRED) + head(3, 4096, 0, file_id=b"else" * 4)
    stop(tape, [tape.memory(DATA, blob=tape.blob(fake * 8))])
    tape.chunk(payload=stored)
    later_stops(tape, 1)
    return tape.close()


def stored(raw):
    """A payload with the bytes as they are, in raw zstd blocks."""
    blocks_ = b""
    parts = [raw[at:at + 65536] for at in range(0, len(raw), 65536)]
    for i, part in enumerate(parts):
        blocks_ += struct.pack("<I", len(part) << 3 | (i == len(parts) - 1))[:3] + part
    data = struct.pack("<IBI", 0xFD2FB528, 0xA0, len(raw)) + blocks_
    fill = -len(data) % HEAD
    return data + filling(fill + HEAD if 0 < fill < 8 else fill)


@vector
def call_without_end():
    tape = one_stop()
    tape.call("amd_dbgapi_wave_resume", ended=False)
    return tape.close("process exit")


@vector
def callbacks_and_notices():
    tape = one_stop()
    tape.call("amd_dbgapi_process_wave_list", callbacks=["allocate_memory", "allocate_memory", "deallocate_memory"])
    tape.notice("memory near w2 was not taken", trace_pb2.Notice.NOT_TAKEN)
    return tape.close()


@vector
def moments_of_two_processes():
    tape = one_stop()
    stop(tape, [tape.list("amd_dbgapi_process_wave_list", [], owner=2)]).moment.process = 2
    return tape.close()


@vector
def registers_of_unknown_size():
    tape = one_stop()
    stop(tape, [ITEM(type=ITEM.REGISTERS, owner=1, handle=[REGISTER, 99, PC], blob=tape.blob(block(5, 6)))])
    stop(tape, [ITEM(type=ITEM.REGISTERS, owner=1, handle=[REGISTER, PC], blob=tape.blob(block(5, 6)[:260]))])
    return tape.close()
