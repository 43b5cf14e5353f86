# SPDX-License-Identifier: MIT
"""What the packets of a trace say: names, blobs, moments and the state at each, as FORMAT.md describes them."""

import bisect

import older_items
import trace_pb2
from container import NAMES_MAX, Refused, start_fields
from wire import Tally, body_field, find_body, number_of, split_packets

KINDS = {number: field.name for number, field in trace_pb2.Packet.DESCRIPTOR.fields_by_number.items()}
ITEM_TYPES = [number for number in trace_pb2.Item.Type.values() if number]
BLOB_MAX = 8 << 20
VALUE_MAX = 1 << 30


def unfold(excess):
    return excess >> 1 ^ -(excess & 1)


def decode_row(kind, numbers, excess, rows):
    """The words of a row; None if it repeats one that there is not."""
    if kind == 3:
        above, higher = (rows[-n] if len(rows) >= n else [0] * len(excess) for n in (1, 2))
        return [2 * a - h + e & 0xFFFFFFFF for a, h, e in zip(above, higher, excess)]
    if kind == 4:
        distance = int.from_bytes(numbers, "little")
        return list(rows[-distance]) if 1 <= distance <= len(rows) else None
    word = int.from_bytes(numbers[:4], "little")
    slope = int.from_bytes(numbers[4:], "little")
    row = []
    for more in excess:
        slope += more if kind == 2 else 0
        word = (0 if kind == 0 else word) + (slope if kind == 2 else more) & 0xFFFFFFFF
        row.append(word)
    return row


def split_rows(data, size):
    """Words in a row, kinds and widths, numbers, planes and the rest of bytes that are rows; None if they are not."""
    if len(data) < 5 or data[4] not in (32, 64) or size > BLOB_MAX:
        return None
    words = data[4]
    heads, at = data[5:5 + size // (4 * words)], 5 + size // (4 * words)
    numbers, planes = [], [[] for _ in heads]
    if len(heads) < size // (4 * words) or any(head >> 3 > 4 or head & 7 > 4 or head >> 3 == 4 and head & 7 for head in heads):
        return None
    for head in heads:
        numbers.append(data[at:at + (0, 4, 8, 0, 2)[head >> 3]])
        at += (0, 4, 8, 0, 2)[head >> 3]
    for plane in range(4):
        for head, own in zip(heads, planes):
            if head & 7 > plane:
                own.append(data[at:at + words])
                at += words
    rest = data[at:]
    return (words, heads, numbers, planes, rest) if len(data) == at + size % (4 * words) else None


def decode_rows(data):
    """Bytes before they were encoded as rows; None if they cannot have been."""
    size = int.from_bytes(data[:4], "little")
    parts = split_rows(data, size)
    if not parts:
        return None
    words, heads, numbers, planes, rest = parts
    rows = []
    for head, number, own in zip(heads, numbers, planes):
        excess = [unfold(sum(plane[i] << 8 * k for k, plane in enumerate(own))) for i in range(words)]
        row = decode_row(head >> 3, number, excess, rows)
        if row is None:
            return None
        rows.append(row)
    return b"".join(word.to_bytes(4, "little") for row in rows for word in row) + rest


def decode_words(encoding, data):
    """Bytes as they were before they were encoded; None if that is not what they are."""
    if encoding == trace_pb2.Blob.ROWS:
        return decode_rows(data)
    words = len(data) // 4
    plain = bytearray(data)
    if encoding == trace_pb2.Blob.PLANES4:
        for k in range(4):
            plain[k:4 * words:4] = data[k * words:(k + 1) * words]
    elif encoding == trace_pb2.Blob.DELTAS4:
        word = 0
        for at in range(0, 4 * words, 4):
            word = word + int.from_bytes(data[at:at + 4], "little") & 0xFFFFFFFF
            plain[at:at + 4] = word.to_bytes(4, "little")
    return bytes(plain)


class Item:
    """A value of the state."""

    def __init__(self, message, kept=None):
        self.type, self.kind, self.owner, self.address = message.type, message.kind, message.owner, message.address
        self.status = message.status
        self.row = list(message.answer)
        self.handles = list(message.handle)
        self.numbers = list(message.number)
        plain = message.blob and not message.size and not message.patch
        self.parts = [message.blob, *message.more_blob] if plain else None  # the blobs that are all of its bytes
        self.bytes = None
        if kept is not None:
            self.status, self.handles, self.numbers, self.row = kept.status, kept.handles, kept.numbers, list(kept.row)

    @property
    def answers(self):
        return {answer.query: answer for answer in reversed(self.row)}

    def change_answers(self, changed):
        """Put answers in the places of those of their queries, which are in the same order; False if one is not there."""
        at = 0
        for answer in changed:
            while at < len(self.row) and self.row[at].query != answer.query:
                at += 1
            if at == len(self.row):
                return False
            self.row[at] = answer
            at += 1
        return True


class Trace:
    """A trace with all of its packets."""

    def __init__(self, container):
        self.container = container
        self.header = self.end = None
        self.names, self.blobs = {}, {}
        self.facts = []
        self.moments = {}  # number: (message, place in the row of state packets)
        self.rows = []  # (moment number, items or None: they are lost, is keyframe), in order
        self.journal = []
        self.notices = []
        self.notice_bodies = []  # of those without a host
        self.host_packet = 0  # 1 + how many packets are before the last one with a host
        self.counts = dict.fromkeys(("packets", "calls", "blobs", "moments"), 0)
        self.lost = dict.fromkeys(("packets", "calls", "blobs", "moments"), 0)
        self.left_out = False  # an item, since its blob is lost or its patches fit nothing
        self.holes = []  # first moments that lie behind a lost chunk
        self.bodies = {}  # of the Header and the End that count: their bytes
        self.seen = set()  # which of the two the chunks have had
        for head, raw in container.repeated:
            self._take_repeated(head, raw)
        before = start_fields()
        for chunk in container.chunks:
            self._gap(before, chunk)
            self._read(chunk)
            before = chunk.fields
        self._count(before)

    # ---- reading ----

    def _gap(self, before, chunk):
        fields = chunk.fields
        missing = fields.first_packet - before.first_packet - before.packets
        if missing:
            self.holes.append(len(self.rows))
            self.lost["packets"] += missing
            for name in ("calls", "blobs"):
                first = "first_" + name[:-1]
                self.lost[name] += getattr(fields, first) - getattr(before, first) - getattr(before, name)

    def _count(self, last):
        self.counts["packets"] = last.first_packet + last.packets
        self.counts["calls"] = last.first_call + last.calls - 1
        self.counts["blobs"] = last.first_blob + last.blobs - 1
        self.counts["moments"] = last.first_moment + last.moments

    def _read(self, chunk):
        raw = self.container.unpack(chunk)
        fields = chunk.fields
        packets = None
        if raw is not None:
            try:
                packets = self._split(chunk, raw)
            except ValueError as error:
                self.container.note(True, str(error), chunk.offset)
        if packets is None:
            chunk.lost = True
            self.holes.append(len(self.rows))
            for name in ("packets", "calls", "blobs"):
                self.lost[name] += getattr(fields, name)
            return
        blob, moments = fields.first_blob, fields.first_moment
        for position, data in enumerate(packets):
            kind = KINDS.get(body_field(data))
            if kind == "blob":
                blob += 1
            try:
                packet = trace_pb2.Packet.FromString(data) if kind else None
            except Exception:  # what protobuf raises is not one class over its versions
                self.container.note(True, "a packet cannot be decoded", chunk.offset)
                self.lost["packets"] += 1
                moments += kind == "moment"
                self._lose(kind, data, moments - 1)
                continue
            if kind == "names" and not packet.names.first:
                self.container.note(True, "names have no numbers", chunk.offset)
                self.lost["packets"] += 1
            elif kind == "late" and packet.late.moment + 1 != moments:
                self.container.note(True, "what came late names another moment than the last one", chunk.offset)
                self.lost["packets"] += 1
            elif kind in ("header", "end") and kind in self.seen:
                self.container.note(True, "there is a second %s" % kind, chunk.offset)
                self.lost["packets"] += 1
            elif packet is not None:
                moments += kind == "moment"
                self._compare(kind, getattr(packet, kind), find_body(data)[1], chunk)
                self._take(kind, getattr(packet, kind), blob - 1)
                if kind == "blob" and self.blob(blob - 1) is None:
                    self.container.note(True, "a blob is not whole, or too long", chunk.offset)
                    self.lost["packets"] += 1
                if kind == "notice":
                    self._repeat(packet.notice, find_body(data)[1], fields.first_packet + position)

    def _repeat(self, notice, body, before):
        """What a summary has of a notice."""
        if notice.HasField("host"):
            self.host_packet = 1 + before
        else:
            self.notice_bodies.append(body)

    def _lose(self, kind, data, last):
        """What changes a state and cannot be decoded: that state is lost, and those that are built on it."""
        body = find_body(data)[1]
        if kind == "moment" or kind == "late" and number_of(body, trace_pb2.Late.MOMENT_FIELD_NUMBER) == last:
            self.rows.append((last, None, False))

    def _take_repeated(self, head, raw):
        """Names, Header and End as indexes have them: these count, whatever chunks say."""
        try:
            packets = [(data, KINDS.get(body_field(data))) for data in split_packets(raw)]
        except ValueError:
            self.container.note(False, "what an index repeats is no row of packets", head.offset)
            return
        unread = False
        for data, kind in packets:
            if kind not in ("names", "header", "end") or kind != "names" and kind in self.bodies:
                continue
            try:
                body = getattr(trace_pb2.Packet.FromString(data), kind)
            except Exception:  # what protobuf raises is not one class over its versions
                unread = True
                continue
            if kind == "names":
                self._take_names(body)
            else:
                setattr(self, kind, body)
                self.bodies[kind] = find_body(data)[1]
        if unread:
            self.container.note(False, "a packet that an index repeats cannot be decoded", head.offset)

    def _take_names(self, names):
        if names.first and names.first + len(names.text) - 1 > NAMES_MAX:
            raise Refused("too many names")
        for i, text in enumerate(names.text if names.first else ()):
            self.names.setdefault(names.first + i, text)

    def _compare(self, kind, body, data, chunk):
        """What a chunk has against what counts."""
        if kind == "names":
            other = any(self.names.get(body.first + i, text) != text for i, text in enumerate(body.text))
        elif kind in ("header", "end"):
            self.seen.add(kind)
            other = self.bodies.setdefault(kind, data) != data
        else:
            return
        if other:
            self.container.note(False, "a chunk has another %s than an index repeats" % kind, chunk.offset)

    def _split(self, chunk, raw):
        """The packets, after their counts were compared with the head; a stage has no counts but those found here."""
        packets = split_packets(raw)
        if chunk.staged is not None:
            return packets
        fields = chunk.fields
        counted = Tally(packets, fields, self.container.name_gaps)
        if fields.contents != counted.contents:
            raise ValueError("a chunk holds other kinds of packets than its head says")
        if any(getattr(counted, name) != getattr(fields, name)
               for name in ("packets", "calls", "blobs", "names", "moments")):
            raise ValueError("a chunk holds other packets than its head says")
        if not counted.in_order:
            raise ValueError("a chunk's names or moments are not numbered as its head says")
        own = fields.first_moment <= fields.keyframe < fields.first_moment + fields.moments
        if counted.keyframe != (fields.keyframe if own else None):
            raise ValueError("a chunk's newest keyframe is another than its head says")
        return packets

    @staticmethod
    def _check_encoding(body, of):
        if body.encoding not in trace_pb2.Blob.Encoding.values() or of == "patch" and body.encoding == trace_pb2.Blob.ROWS:
            raise Refused("an unknown encoding of a " + of)

    def _take(self, kind, body, blob):
        for item in body.item if kind in ("facts", "moment", "late") else ():
            for patch in item.patch:
                self._check_encoding(patch, "patch")
        if kind == "header" and self.header is None:
            self.header = body
        elif kind == "names":
            self._take_names(body)
        elif kind == "blob":
            self._check_encoding(body, "blob")
            self.blobs[blob] = body
        elif kind == "facts":
            self.facts += body.item
        elif kind == "moment":
            self.moments[body.number] = (body, len(self.rows))
            self.rows.append((body.number, body.item, body.keyframe))
            self.journal.append(("moment", body))
        elif kind == "late":
            self.rows.append((body.moment, body.item, False))
        elif kind == "end" and self.end is None:
            self.end = body
        elif kind == "notice":
            self.notices.append(body)
            self.journal.append((kind, body))
        elif kind in ("call_begin", "callback", "call_end"):
            self.journal.append((kind, body))

    # ---- values ----

    def name(self, number):
        return self.names.get(number)

    def number_of(self, text):
        return next((number for number, name in self.names.items() if name == text), None)

    def blob(self, number):
        """The bytes of a blob before it was encoded, or None if it is lost."""
        blob = self.blobs.get(number)
        if blob is None or len(blob.data) > BLOB_MAX:
            return None
        return decode_words(blob.encoding, blob.data)

    def _item(self, message, old):
        """A value from its message and the one that the key had; None if a blob of it is lost."""
        changes = (message.keep or bool(message.patch)) and not message.blob
        if changes and old is None:
            return None
        item = Item(message, old if changes else None)
        if changes and message.keep and not item.change_answers(message.answer):
            return None
        if message.handle_blob:
            data = self.blob(message.handle_blob)
            if data is None:
                return None
            item.handles = [int.from_bytes(data[at:at + 8], "little") for at in range(0, len(data) - 7, 8)]
        data = None
        if message.blob:
            parts = [self.blob(number) for number in (message.blob, *message.more_blob)]
            if None in parts or sum(map(len, parts)) > VALUE_MAX:
                return None
            data = b"".join(parts)
            if message.size > len(data):
                return None
            if message.size:
                data = data[:message.size]
        elif changes:
            data = old.bytes
        if message.patch:
            if data is None:
                return None
            data = bytearray(data)
            for patch in message.patch:
                if patch.offset + len(patch.data) > len(data):
                    return None
                data[patch.offset:patch.offset + len(patch.data)] = decode_words(patch.encoding, patch.data)
            data = bytes(data)
        item.bytes = data
        return item

    def _apply(self, state, items):
        for message in items:
            if message.type not in ITEM_TYPES:
                continue
            type_ = older_items.type_now(message, self.name(message.kind))
            key = older_items.key_now(type_, message)
            item = None if message.removed else self._item(message, state.get(key))
            if item is not None and type_ != message.type:
                older_items.change_value(type_, item)
            if item is None and not message.removed:
                self.left_out = True
            if item is None:
                state.pop(key, None)
            else:
                state[key] = item

    def state(self, number):
        """The state at a moment: a dict of (type, kind, owner, address) to Item. None if it is lost."""
        if number not in self.moments:
            return None
        last = self.moments[number][1]
        first = last
        while not self.rows[first][2]:
            if first in self.holes or first == 0 or self.rows[first][1] is None:
                return None
            first -= 1
        state = {}
        at = first
        while at < len(self.rows) and (at <= last or self.rows[at][0] == number):
            if at > last and at in self.holes:
                break
            if self.rows[at][1] is None:
                return None
            self._apply(state, self.rows[at][1])
            at += 1
        whole = {}
        self._apply(whole, self.facts)
        whole.update(state)
        return whole

    def stops(self):
        """Numbers of the moments that are stops, in order."""
        return sorted(number for number, (moment, _) in self.moments.items()
                      if moment.cause == trace_pb2.Moment.STOP)
