# SPDX-License-Identifier: MIT
"""Writing traces by hand, right or wrong, from trace-format/FORMAT.md: what test vectors are made with."""

import struct

import trace_pb2
import zstandard
from container import CHUNK, FILE, FINAL, FOOTER, HEAD, INDEX, INLINE, REQUIRED, SKIPPABLE, crc32c
from packets import body_field

ITEM = trace_pb2.Item
FILE_ID = bytes(range(0x41, 0x51))
NO_KEYFRAME = 0xFFFFFFFF
FLAGS = {1: REQUIRED, 2: REQUIRED, 3: INLINE, 4: INLINE, 5: 0, 6: INLINE, 7: INLINE}


def pad(data, to=HEAD):
    return data + bytes(-len(data) % to)


def head(kind, offset, stored, fields=b"", sequence=0, payload_crc=0, flags=None, index=0, major=1, file_id=FILE_ID):
    """A head of 128 bytes, its checksum right."""
    flags = FLAGS.get(kind, 0) if flags is None else flags
    frame = HEAD - 8 + (stored if flags & INLINE else 0)
    data = struct.pack("<II8sHHIQQQ64sQI", SKIPPABLE, frame, b"WTAPE" + bytes([major]) + b"\r\n", kind, flags,
                       int.from_bytes(file_id[:4], "little"), sequence, stored, offset, fields, index, payload_crc)
    return data + struct.pack("<I", crc32c(data))


def identity(major=1, minor=0, required=0, optional=0, text=b""):
    return FILE_ID + struct.pack("<HHIQQ", major, minor, 0, required, optional) + text


def field_of_bytes(packet):
    """The body's field of a packet that was made by hand; of one that is no packet, what its first byte says."""
    try:
        return body_field(packet[2:])
    except ValueError:
        return packet[2] >> 3


def packet_bytes(packet):
    """A `Trace.packet` field."""
    if isinstance(packet, bytes):
        return packet
    body = packet.SerializeToString()
    length, size = b"", len(body)
    while size > 127:
        length += bytes([size & 127 | 128])
        size >>= 7
    return b"\x0a" + length + bytes([size]) + body


def filling(size):
    """A skippable frame of that many bytes, or nothing."""
    return struct.pack("<II", SKIPPABLE, size - 8) + bytes(size - 8) if size else b""


def frame(raw, level=3, **options):
    """A chunk's payload: one zstd frame and filling."""
    data = zstandard.ZstdCompressor(level=level, write_content_size=True, **options).compress(raw)
    fill = -len(data) % HEAD
    return data + filling(fill + HEAD if 0 < fill < 8 else fill)


class Tape:
    """A trace that is being composed: packets gather until `chunk()` writes them."""

    def __init__(self, minor=0, required=0, optional=0):
        self.file = bytearray(head(FILE, 0, 0, identity(1, minor, required, optional, b"wavetape trace")))
        self.packets, self.names = [], {}
        self.sequence = 0
        self.totals = {"packet": 0, "call": 1, "blob": 1, "name": 1, "moment": 0}
        self.keyframe = NO_KEYFRAME
        self.entries, self.unindexed, self.repeated = [], [], []
        self.newest_index, self.index_offsets = 0, []
        self.next_blob, self.next_moment, self.next_call = 1, 0, 1
        self.final_names = []
        self.lost_names = 0  # numbers that were left out

    # ---- packets ----

    def add(self, packet):
        self.packets.append(packet)
        return packet

    def header(self, **fields):
        fields = {"recorder": "by hand", "api_level": "0.77.0", "library_version": "0.77.0",
                  "library_build_name": "none", "reproducible": True, **fields}
        return self.add(trace_pb2.Packet(header=trace_pb2.Header(**fields)))

    def name(self, text):
        if text not in self.names:
            self.names[text] = len(self.names) + self.lost_names + 1
            self.add(trace_pb2.Packet(names=trace_pb2.Names(first=self.names[text], text=[text])))
        return self.names[text]

    def lose_names(self, count):
        """The next name has a number so much higher."""
        self.lost_names += count

    def blob(self, data, encoding=0):
        self.add(trace_pb2.Packet(blob=trace_pb2.Blob(encoding=encoding, data=data)))
        self.next_blob += 1
        return self.next_blob - 1

    def moment(self, items=(), keyframe=False, cause=trace_pb2.Moment.STOP, process=1, **fields):
        moment = trace_pb2.Moment(number=self.next_moment, process=process, cause=cause, call=self.next_call - 1,
                                  keyframe=keyframe, item=items, **fields)
        self.next_moment += 1
        return self.add(trace_pb2.Packet(moment=moment))

    def late(self, moment, items):
        return self.add(trace_pb2.Packet(late=trace_pb2.Late(moment=moment, item=items)))

    def facts(self, items):
        return self.add(trace_pb2.Packet(facts=trace_pb2.Facts(item=items)))

    def call(self, function, ended=True, callbacks=(), inputs=(), outputs=()):
        number = self.next_call
        self.next_call += 1
        self.add(trace_pb2.Packet(call_begin=trace_pb2.CallBegin(number=number, function=self.name(function), thread=1,
                                                                 input=inputs)))
        for callback in callbacks:
            self.add(trace_pb2.Packet(callback=trace_pb2.Callback(call=number, function=self.name(callback))))
        if ended:
            self.add(trace_pb2.Packet(call_end=trace_pb2.CallEnd(number=number, output=outputs)))
        return number

    def notice(self, text, kind=trace_pb2.Notice.CONTEXT):
        return self.add(trace_pb2.Packet(notice=trace_pb2.Notice(kind=kind, text=text)))

    # ---- items ----

    def object(self, kind, handle, answers):
        """An OBJECT item: `answers` is a dict of query names to bytes."""
        return ITEM(type=ITEM.OBJECT, kind=self.name(kind), owner=handle,
                    answer=[trace_pb2.Answer(query=self.name(query), value=value) for query, value in answers.items()])

    def list(self, function, handles, owner=1, **fields):
        return ITEM(type=ITEM.LIST, kind=self.name(function), owner=owner, handle=handles, **fields)

    def memory(self, address, owner=1, space="global", **fields):
        return ITEM(type=ITEM.MEMORY, kind=self.name(space), owner=owner, address=address, **fields)

    # ---- blocks ----

    def block(self, kind, payload=b"", fields=b"", sequence=None, payload_crc=None, at=None, **options):
        """A head and its payload, at the end of the file or over what is at an offset."""
        offset = len(self.file) if at is None else at
        payload = pad(payload)
        crc = crc32c(payload) if payload_crc is None else payload_crc
        data = head(kind, offset, len(payload), fields, self.sequence if sequence is None else sequence, crc,
                    index=self.newest_index, **options) + payload
        self.file[offset:offset + len(data)] = data
        return offset

    def fields(self, raw):
        counts = {"packets": len(self.packets), "calls": 0, "blobs": 0, "names": 0, "moments": 0, "contents": 0}
        totals = self.totals
        for packet in self.packets:
            if isinstance(packet, bytes):
                number = field_of_bytes(packet)
                counts["contents"] |= 1 << number if number else 0
                continue
            kind = packet.WhichOneof("body")
            counts["contents"] |= 1 << packet.DESCRIPTOR.fields_by_name[kind].number if kind else 0
            counts["calls"] += kind == "call_begin"
            counts["blobs"] += kind == "blob"
            counts["names"] += len(packet.names.text)
            if kind == "moment":
                if packet.moment.keyframe:
                    self.keyframe = packet.moment.number
                counts["moments"] += 1
        return {"raw": len(raw), "first_packet": totals["packet"], "first_call": totals["call"],
                "first_blob": totals["blob"], "first_name": totals["name"], "first_moment": totals["moment"],
                "keyframe": self.keyframe, **counts}

    def stage_fields(self):
        """The fields of a STAGE: where the numbers of its packets begin."""
        numbers = self.fields(b"")
        for key in ("packets", "calls", "blobs", "names", "moments", "contents"):
            numbers[key] = 0
        return pack_fields(numbers)

    def chunk(self, change=None, payload=None, payload_crc=None, lost=False, **options):
        """
        Write the packets as a chunk. `change` alters the numbers of its head; `payload` replaces what is stored; `lost`: count
        them, but write nothing.
        """
        raw = b"".join(packet_bytes(packet) for packet in self.packets)
        numbers = self.fields(raw)
        for key, count in (("packet", "packets"), ("call", "calls"), ("blob", "blobs"), ("name", "names"),
                           ("moment", "moments")):
            self.totals[key] += numbers[count]
        if self.lost_names:
            self.totals["name"] = len(self.names) + self.lost_names + 1
        self.repeated += [packet for packet in self.packets
                          if not isinstance(packet, bytes) and packet.WhichOneof("body") in ("header", "names", "end")]
        self.packets = []
        self.sequence += 1
        if lost:
            return None
        numbers.update(change or {})
        payload = pad(frame(raw) if payload is None else payload(raw) if callable(payload) else payload)
        fields = pack_fields(numbers)
        crc = crc32c(payload) if payload_crc is None else payload_crc
        offset = self.block(CHUNK, payload, fields, payload_crc=crc, **options)
        entry = struct.pack("<QQQ64sIHH", offset, self.sequence, len(payload), fields, crc, CHUNK, REQUIRED)
        self.entries.append(entry)
        self.unindexed.append(entry)
        return offset

    def index(self, change=None):
        """An INDEX of the chunks since the one before."""
        self.sequence += 1
        links = [self.index_offsets[-step] for step in (1 << i for i in range(24)) if step <= len(self.index_offsets)]
        names = [packet for packet in self.repeated if packet.WhichOneof("body") != "end"]
        payload = section(1, b"".join(self.unindexed)) + section(2, struct.pack("<%dQ" % len(links), *links))
        payload += section(3, b"".join(map(packet_bytes, names)))
        if change:
            payload = change(payload)
        offset = self.block(INDEX, payload)
        self.final_names += self.repeated
        self.repeated, self.unindexed = [], []
        self.newest_index = offset
        self.index_offsets.append(offset)
        return offset

    def end(self, reason="finalized"):
        self.add(trace_pb2.Packet(end=trace_pb2.End(packets=self.totals["packet"] + len(self.packets) + 1,
                                                    moments=self.next_moment, calls=self.next_call - 1,
                                                    reason=reason)))

    def close(self, reason="finalized", change=None, end=True):
        """End packet, last chunk, FINAL and FOOTER."""
        if end:
            self.end(reason)
        if self.packets:
            self.chunk()
        return self.final(change)

    def final(self, change=None):
        self.sequence += 1
        payload = section(1, b"".join(self.entries))
        payload += section(3, b"".join(map(packet_bytes, self.final_names + self.repeated)))
        if change:
            payload = change(payload)
        offset = self.block(FINAL, payload)
        stored = len(self.file) - offset - HEAD
        self.sequence += 1
        self.block(FOOTER, b"", identity() + struct.pack("<QQ", offset, stored))
        return bytes(self.file)


def parity(tape):
    """What PARITY has to be: the exclusive or of all payloads, as long as the longest one."""
    whole, longest = 0, 0
    for entry in tape.entries:
        offset, _sequence, stored = struct.unpack_from("<QQQ", entry)
        whole ^= int.from_bytes(tape.file[offset + HEAD:offset + HEAD + stored], "little")
        longest = max(longest, stored)
    return whole.to_bytes(longest, "little")


def section(kind, content, flags=0):
    return struct.pack("<HHIQ", kind, flags, 0, len(content)) + pad(content, 8)


def pack_fields(numbers):
    return struct.pack("<QQQ10I", *(numbers[key] for key in (
        "raw", "first_packet", "first_call", "first_blob", "first_name", "first_moment", "keyframe", "packets", "calls",
        "blobs", "names", "moments", "contents")))


def stage_entries(sequence, rows, start=0):
    """Entries of a STAGE's payload: `rows` are runs of packets."""
    payload = b""
    for row in rows:
        data = b"".join(packet_bytes(packet) for packet in row)
        crc = crc32c(struct.pack("<QQ", sequence, start + len(payload)) + data)
        payload += struct.pack("<II", len(data), crc) + data
    return payload
