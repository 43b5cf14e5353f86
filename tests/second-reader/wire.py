# SPDX-License-Identifier: MIT
"""A row of packets as protobuf has it on the wire: where each begins and ends, and which body it has."""

import trace_pb2


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


def moment_numbers(raw):
    """The numbers of the Moments in a row of whole packets; None for one that cannot be decoded."""
    numbers = []
    for data in split_packets(raw):
        if body_field(data) != trace_pb2.Packet.MOMENT_FIELD_NUMBER:
            continue
        try:
            numbers.append(trace_pb2.Packet.FromString(data).moment.number)
        except Exception:  # what protobuf raises is not one class over its versions
            numbers.append(None)
    return numbers


def body_field(data):
    """The field number of a packet's body, known or not: the last one below 32 that holds bytes; 0: it has none."""
    body, at = 0, 0
    while at < len(data):
        tag, at = take_varint(data, at)
        length = {1: 8, 5: 4}.get(tag & 7, 0)
        if tag & 7 == 2:
            length, at = take_varint(data, at)
            if tag >> 3 < 32:
                body = tag >> 3
        elif tag & 7 == 0:
            at = take_varint(data, at)[1]
        elif not length:
            raise ValueError("a packet's field is of no known kind")
        at += length
        if not tag >> 3 or at > len(data):
            raise ValueError("a packet's field is damaged")
    return body
