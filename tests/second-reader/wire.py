# SPDX-License-Identifier: MIT
"""A row of packets as protobuf has it on the wire: where each begins and ends, and what is counted in it."""

import trace_pb2

NAMES = trace_pb2.Packet.NAMES_FIELD_NUMBER
MOMENT = trace_pb2.Packet.MOMENT_FIELD_NUMBER
CALL_BEGIN = trace_pb2.Packet.CALL_BEGIN_FIELD_NUMBER
BLOB = trace_pb2.Packet.BLOB_FIELD_NUMBER


def take_packet(raw, at):
    """The bytes of the `Trace.packet` at an offset, and where it ends; ValueError where it is not whole."""
    if raw[at] != 0x0A:
        raise ValueError("something else than a packet lies in a chunk")
    length, shift, at = 0, 0, at + 1
    while True:
        if at == len(raw) or shift > 28:
            raise ValueError("a packet's length is damaged")
        byte = raw[at]
        at += 1
        length |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            break
    if length > len(raw) - at:
        raise ValueError("a packet is longer than its chunk")
    return raw[at:at + length], at + length


def split_packets(raw):
    """The bytes of each `Trace.packet`; ValueError where they are not whole."""
    packets, at = [], 0
    while at < len(raw):
        packet, at = take_packet(raw, at)
        packets.append(packet)
    return packets


def whole_packets(raw):
    """A row of packets up to the first one that is not whole."""
    at = 0
    while at < len(raw):
        try:
            packet, end = take_packet(raw, at)
            body_field(packet)
        except ValueError:
            break
        at = end
    return raw[:at]


def take_varint(data, at):
    """A number and where it ends; ValueError where it is not whole."""
    number, shift = 0, 0
    while at < len(data) and shift < 70:
        number |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return number, at
    raise ValueError("a number is damaged")


def take_field(data, at):
    """The next field: its number, its value (bytes, a number, or None for one of fixed length), and where it ends."""
    tag, at = take_varint(data, at)
    kind, value = tag & 7, None
    if kind == 0:
        value, at = take_varint(data, at)
    elif kind == 2:
        length, at = take_varint(data, at)
        value = data[at:at + length]
        at += length
    elif kind in (1, 5):
        at += {1: 8, 5: 4}[kind]
    else:
        raise ValueError("a field is of no known kind")
    if not tag >> 3 or at > len(data):
        raise ValueError("a field is damaged")
    return tag >> 3, value, at


def find_body(data):
    """Field number and bytes of a packet's body, known or not: the last field below 32 that holds bytes; 0: it has none."""
    body, at = (0, b""), 0
    while at < len(data):
        number, value, at = take_field(data, at)
        if isinstance(value, bytes) and number < 32:
            body = number, value
    return body


def body_field(data):
    """The field number of a packet's body."""
    return find_body(data)[0]


def readable_fields(message):
    """Numbers and values of the fields of a message, up to one that is damaged."""
    at = 0
    while at < len(message):
        try:
            number, value, at = take_field(message, at)
        except ValueError:
            return
        yield number, value


def number_of(message, field):
    """The number in a field of a message, of which the rest may be damaged; 0: it is not there."""
    found = 0
    for number, value in readable_fields(message):
        if number == field and isinstance(value, int):
            found = value
    return found


class Tally:
    """What is counted in a row of packets, where numbers begin as the fields of a head say; also of those that are damaged."""

    def __init__(self, packets, fields, name_gaps):
        self.packets = len(packets)
        self.calls = self.blobs = self.names = self.moments = self.contents = 0
        self.keyframe = None  # number of the newest one
        self.next_name, self.name_gaps = fields.first_name, name_gaps
        self.in_order = True  # names and moments have the numbers that follow
        for data in packets:
            kind, body = find_body(data)
            self.contents |= 1 << kind if kind else 0
            self.calls += kind == CALL_BEGIN
            self.blobs += kind == BLOB
            if kind == NAMES:
                self._count_names(body)
            elif kind == MOMENT:
                self._count_moment(body, fields)

    def _count_names(self, body):
        first = number_of(body, trace_pb2.Names.FIRST_FIELD_NUMBER)
        count = sum(number == trace_pb2.Names.TEXT_FIELD_NUMBER for number, _ in readable_fields(body))
        self.in_order &= first in (0, self.next_name) or self.name_gaps and first > self.next_name
        self.next_name = (first or self.next_name) + count
        self.names += count

    def _count_moment(self, body, fields):
        number = number_of(body, trace_pb2.Moment.NUMBER_FIELD_NUMBER)
        self.in_order &= number == fields.first_moment + self.moments
        self.moments += 1
        if number_of(body, trace_pb2.Moment.KEYFRAME_FIELD_NUMBER):
            self.keyframe = number
