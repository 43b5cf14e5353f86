# SPDX-License-Identifier: MIT
"""The container of a trace: blocks, chunks, indexes and the stage, as trace-format/FORMAT.md describes them.

This is a second implementation of the format. It shares nothing with the one in C but that text, reads the whole file
where the other seeks, and is there so that each can be held against the other.
"""

import struct

import zstandard
from wire import Tally, split_packets, whole_packets

HEAD = 128
SKIPPABLE = 0x184D2A57
MARK = b"WTAPE"
MARK_END = b"\r\n"
MAJOR = 1
CHANGES, NAME_GAPS, ROWS, ITEM_TYPES = 1, 2, 4, 8
KNOWN_FEATURES = CHANGES | NAME_GAPS | ROWS | ITEM_TYPES

FILE, CHUNK, INDEX, FINAL, FOOTER, GAP, STAGE = range(1, 8)
KNOWN_KINDS = (FILE, CHUNK, INDEX, FINAL, FOOTER, GAP, STAGE)
REQUIRED, INLINE = 1, 2

CHUNK_RAW_MAX = 64 << 20
CHUNK_STORED_MAX = 72 << 20
WINDOW_LIMIT = 1 << 27
INDEX_MAX = 1 << 30
NAMES_MAX = 4194304
NO_KEYFRAME = 0xFFFFFFFF
CHUNKS_MAX = 16777216
PARITY_MAX = 4 << 20


class Refused(Exception):
    """The file may not be read: it is no trace, or one that this reader does not understand."""


class Damage:
    def __init__(self, loss, what, offset=None):
        self.loss, self.what, self.offset = loss, what, offset


def _crc32c_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_TABLE = _crc32c_table()


def crc32c(data, crc=0):
    """CRC32C (Castagnoli), reflected, start and result inverted; `crc` goes on from a former result."""
    crc ^= 0xFFFFFFFF
    table = _TABLE
    for byte in data:
        crc = table[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


class ChunkFields:
    """The numbers a chunk's head and its entry in an index give."""

    LAYOUT = struct.Struct("<QQQ10I")

    def __init__(self, data):
        (self.raw, self.first_packet, self.first_call, self.first_blob, self.first_name, self.first_moment,
         self.keyframe, self.packets, self.calls, self.blobs, self.names, self.moments,
         self.contents) = self.LAYOUT.unpack(data)

    def can_be(self):
        """Whether no count is larger than what it counts among, and no number beyond the width of its field."""
        return (0 < self.packets <= self.raw and max(self.calls, self.blobs, self.moments) <= self.packets
                and self.names <= self.raw and min(self.first_call, self.first_blob, self.first_name) > 0
                and max(self.first_packet + self.packets, self.first_call + self.calls) < 1 << 64
                and max(self.first_blob + self.blobs, self.first_name + self.names,
                        self.first_moment + self.moments + 1) < 1 << 32)

    def follows(self, before, name_gaps):
        """Whether these numbers can come after a chunk's: a step that is larger than its counts means lost packets."""
        lost = self.first_packet - before.first_packet - before.packets
        if lost < 0:
            return False
        for name, limit in (("call", lost), ("blob", lost), ("moment", lost), ("name", NAMES_MAX)):
            step = (getattr(self, "first_" + name) - getattr(before, "first_" + name)
                    - getattr(before, name + "s"))
            if step < 0 or step > (limit if lost or name == "name" and name_gaps else 0):
                return False
        behind = before.first_moment + before.moments
        return self.keyframe == before.keyframe or behind <= self.keyframe < self.first_moment + self.moments

    def count(self, tally):
        """Take what was counted in the packets of a stage."""
        for name in ("packets", "calls", "blobs", "names", "moments"):
            setattr(self, name, getattr(tally, name))
        if tally.keyframe is not None:
            self.keyframe = tally.keyframe


def start_fields():
    """What comes before the first chunk."""
    fields = ChunkFields(bytes(ChunkFields.LAYOUT.size))
    fields.first_call = fields.first_blob = fields.first_name = 1
    fields.keyframe = NO_KEYFRAME
    return fields


class Head:
    LAYOUT = struct.Struct("<II8sHHIQQQ64sQII")

    def __init__(self, data, offset):
        (self.magic, self.frame, self.mark, self.kind, self.flags, self.file_id, self.sequence, self.stored, self.place,
         self.fields, self.index, self.payload_crc, self.crc) = self.LAYOUT.unpack(data)
        self.offset = offset

    @property
    def frame_fits(self):
        return self.frame == HEAD - 8 + (self.stored if self.flags & INLINE else 0)

    @property
    def end(self):
        return self.offset + HEAD + self.stored


class Chunk:
    """A chunk that is known: from a head, an index entry, or the stage; `raw` is None while it is not decoded or lost."""

    def __init__(self, offset, sequence, stored, fields, payload_crc, flags=REQUIRED):
        self.offset, self.sequence, self.stored = offset, sequence, stored
        self.fields, self.payload_crc, self.flags = fields, payload_crc, flags
        self.staged = None
        self.lost = False

    def key(self):
        return (self.offset, self.sequence, self.stored, vars(self.fields), self.payload_crc, self.flags)


class Container:
    """All chunks of a file, and what is wrong with it."""

    def __init__(self, data):
        self.data = data
        self.damage = []
        self.chunks = []
        self.repeated = []  # the heads of indexes that are used, with the packets that they repeat
        self.indexes = 0
        self.parity = None  # of FINAL, where that is used
        self.summary = None  # of FINAL, where that is used: the entries of chunks, and the section's content
        self.closed = False
        self._identify()
        self._collect()

    def note(self, loss, what, offset=None):
        self.damage.append(Damage(loss, what, offset))

    # ---- heads ----

    def head_at(self, offset):
        """The whole head at an offset that belongs to this file, or None."""
        data = self.data[offset:offset + HEAD]
        if offset < 0 or len(data) < HEAD:
            return None
        head = Head(data, offset)
        if head.magic != SKIPPABLE or head.mark[:5] != MARK or head.mark[6:] != MARK_END:
            return None
        if crc32c(data[:124]) != head.crc:
            return None
        if head.mark[5] > MAJOR:
            raise Refused("a newer format")
        if head.mark[5] != MAJOR or head.place != offset or head.stored % HEAD or not head.frame_fits:
            return None
        if self.low_id is not None and head.file_id != self.low_id:
            return None
        return head

    def _identify(self):
        size = len(self.data)
        self.low_id = None
        self.footer = None
        identity = None
        if size < HEAD:
            raise Refused("not a trace: too short")
        head = self.head_at(0)
        if head and head.kind == FILE:
            identity = head.fields[:40]
            self.low_id = struct.unpack_from("<I", identity)[0]
        footer = self.head_at(size - HEAD) if size % HEAD == 0 else None
        if footer and footer.kind == FOOTER:
            self.footer = footer
        if identity is None:
            self._identify_without_head()
            if self.footer:
                identity = self.footer.fields[:40]
                self.low_id = struct.unpack_from("<I", identity)[0]
        # Where all of the identity is lost any feature may be there.
        self.name_gaps = identity is None or bool(self._check_identity(identity) & NAME_GAPS)

    def _identify_without_head(self):
        """The low bits in any whole head."""
        if not self.footer:
            for offset in range(0, min(len(self.data), 16 << 20), HEAD):
                head = self.head_at(offset)
                if head:
                    self.low_id = head.file_id
                    break
            else:
                raise Refused("not a trace")
        self.note(False, "the head of the file is damaged", 0)

    @staticmethod
    def _check_identity(identity):
        """The required features; Refused if they, or the version, are not for us."""
        major, _minor, _zero, required, _optional = struct.unpack_from("<HHIQQ", identity, 16)
        if major > MAJOR:
            raise Refused("a newer format")
        if required & ~KNOWN_FEATURES:
            raise Refused("an unknown required feature")
        return required

    # ---- collecting chunks ----

    def _collect(self):
        """Walk all heads; then let indexes restore what the walk could not find."""
        found, stages, indexes = [], [], []
        entries = self._closed_entries()
        self.by_offset = {entry.offset: entry for entry in entries or ()}
        offset = HEAD if self.head_at(0) is None else 0
        while len(self.data) - offset >= HEAD:
            head = self.head_at(offset)
            if head is None:
                offset = self._skip(offset)
                continue
            if head.kind not in KNOWN_KINDS and head.flags & REQUIRED:
                raise Refused("an unknown required kind %d" % head.kind)
            if head.kind == STAGE:
                stages.append(head)
            if head.end > len(self.data):
                if head.kind == CHUNK:
                    self.note(True, "a chunk is cut off", offset)
                break
            if head.kind == CHUNK:
                found.append(Chunk(offset, head.sequence, head.stored, ChunkFields(head.fields), head.payload_crc, head.flags))
            elif offset in self.by_offset:
                self.note(False, "what is a chunk to the index is none by its head", offset)
            elif head.kind == INDEX:
                indexes.append(head)
            elif head.kind == FINAL and entries is None:
                indexes.append(head)
            offset = head.end
        self._use(found, indexes, entries)
        if entries is None:
            self._add_stage(stages)
        self._note_gaps()

    def _skip(self, offset):
        """Past what has no head: a chunk an index tells of, or up to the next head."""
        entry = self.by_offset.get(offset)
        if entry:
            self.note(False, "the head of a chunk is damaged; the index has it", offset)
            return offset + HEAD + entry.stored
        start = offset
        offset += HEAD
        while len(self.data) - offset >= HEAD and self.head_at(offset) is None:
            offset += HEAD
        if start:
            self.note(False, "bytes without a head", start)
        return offset

    def _closed_entries(self):
        """The entries of FINAL where footer and FINAL are whole, else None."""
        if not self.footer:
            return None
        offset, stored = struct.unpack_from("<QQ", self.footer.fields, 40)
        head = self.head_at(offset)
        if not head or head.kind != FINAL or head.stored != stored or head.end != self.footer.offset:
            return None
        entries = self._sections(head)
        if entries is None or len(self._following(entries)) < len(entries):
            self.repeated = []
            return None
        self.closed = True
        return entries

    def _sections(self, head):
        """The chunk entries of an index, or None if it may not be used; its packets are kept."""
        payload = self.data[head.offset + HEAD:head.end]
        if head.stored > INDEX_MAX or len(payload) != head.stored or crc32c(payload) != head.payload_crc:
            return None
        entries, packets, at = None, b"", 0
        chunks = summary = parity = None
        while len(payload) - at >= 16:
            kind, flags, _zero, length = struct.unpack_from("<HHIQ", payload, at)
            at += 16
            if kind == 0:
                break
            if length > len(payload) - at:
                return None
            if kind == 1:
                chunks = payload[at:at + length]
                entries = self._entries(chunks)
                if entries is None:
                    return None
            elif kind == 3:
                packets += payload[at:at + length]
            elif kind == 4:
                summary = payload[at:at + length]
            elif kind == 5:
                parity = payload[at:at + length]
            elif kind != 2 and flags & REQUIRED:
                return None
            at += length + -length % 8
        if entries is not None:
            self.repeated.append((head, packets))
            if head.kind == FINAL and self.footer and summary is not None:
                self.summary = (chunks, summary)
            if head.kind == FINAL and self.footer and parity and sum(entry.stored for entry in entries) <= PARITY_MAX:
                self.parity = parity if len(parity) == max(entry.stored for entry in entries) else None
        return entries

    @staticmethod
    def _entries(data):
        if len(data) % 96:
            return None
        entries = []
        for at in range(0, len(data), 96):
            offset, sequence, stored = struct.unpack_from("<QQQ", data, at)
            crc, kind, flags = struct.unpack_from("<IHH", data, at + 88)
            if kind == CHUNK:
                entries.append(Chunk(offset, sequence, stored, ChunkFields(data[at + 24:at + 88]), crc, flags))
            elif flags & REQUIRED:
                raise Refused("an unknown required kind %d" % kind)
        return entries

    def _following(self, chunks, note=False):
        """Those of some chunks, in the order of the file, that can come one after the other and are within limits."""
        kept, sequence, fields, end = [], 0, start_fields(), HEAD
        for chunk in sorted(chunks, key=lambda chunk: chunk.offset):
            if (chunk.offset < end or chunk.sequence <= sequence or not chunk.fields.follows(fields, self.name_gaps)
                    or not chunk.fields.can_be() or chunk.stored > CHUNK_STORED_MAX or chunk.fields.raw > CHUNK_RAW_MAX
                    or chunk.offset + HEAD + chunk.stored > len(self.data) or len(kept) == CHUNKS_MAX):
                if note:
                    self.note(True, "a chunk does not follow from those before it", chunk.offset)
                continue
            kept.append(chunk)
            sequence, fields, end = chunk.sequence, chunk.fields, chunk.offset + HEAD + chunk.stored
        return kept

    def _use(self, found, indexes, entries):
        """Merge what the walk found with what the indexes say."""
        if entries is not None:
            for chunk in found:
                if chunk.offset not in self.by_offset:
                    self.note(True, "the index does not know a chunk", chunk.offset)
                elif chunk.key() != self.by_offset[chunk.offset].key():
                    self.note(False, "a chunk's head is not as the index has it", chunk.offset)
            self.chunks = entries
        else:
            found = self._following(found, note=True)
        final = list(self.repeated)
        for head in indexes:
            restored = self._sections(head)
            if restored is None:
                self.note(False, "an index is damaged", head.offset)
                continue
            self.indexes += head.kind == INDEX
            if entries is None:
                have = {chunk.offset for chunk in found}
                found = self._following(found + [chunk for chunk in restored if chunk.offset not in have])
        if entries is None:
            self.chunks = found
        else:
            self.repeated = final

    def _add_stage(self, stages):
        """The packets of the open chunk of a recording that was killed."""
        for head in self._in_order(stages):
            if self.chunks and head.sequence <= self.chunks[-1].sequence:
                continue
            chunk = Chunk(head.offset, head.sequence, 0, ChunkFields(head.fields), 0)
            chunk.staged = whole_packets(self._stage_entries(head))
            tally = Tally(split_packets(chunk.staged), chunk.fields, self.name_gaps)
            chunk.fields.count(tally)
            if not chunk.fields.follows(self.chunks[-1].fields if self.chunks else start_fields(), self.name_gaps):
                continue
            if chunk.staged and tally.in_order:
                self.chunks.append(chunk)
                break

    @staticmethod
    def _in_order(stages):
        """As they stand in the file, but where of two neighbours the second one has the lower sequence."""
        order = list(stages)
        for i in range(len(order) - 1):
            first, second = order[i], order[i + 1]
            if first.end == second.offset and second.sequence < first.sequence:
                order[i], order[i + 1] = second, first
        return order

    def _stage_entries(self, head):
        payload = self.data[head.offset + HEAD:head.end]
        raw, at = b"", 0
        while len(payload) - at >= 8:
            length, crc = struct.unpack_from("<II", payload, at)
            data = payload[at + 8:at + 8 + length]
            if not length or len(data) < length:
                break
            if crc32c(struct.pack("<QQ", head.sequence, at) + data) != crc:
                break
            raw += data
            at += 8 + length
        return raw

    def _note_gaps(self):
        before = start_fields()
        for chunk in self.chunks:
            if chunk.fields.first_packet != before.first_packet + before.packets:
                self.note(True, "packets are lost before a chunk", chunk.offset)
            before = chunk.fields

    # ---- chunks ----

    def unpack(self, chunk):
        """The packets of a chunk as one row of bytes; None, with the damage noted, if they cannot be had."""
        if chunk.staged is not None:
            return chunk.staged
        try:
            return self._unpack(chunk)
        except ValueError as error:
            self.note(True, str(error), chunk.offset)
            chunk.lost = True
            return None

    def _payload(self, chunk):
        return self.data[chunk.offset + HEAD:chunk.offset + HEAD + chunk.stored]

    def _restored(self, chunk):
        """The payload of a chunk out of those of all others and PARITY; None if that is not it."""
        if self.parity is None:
            return None
        whole = int.from_bytes(self.parity, "little")
        for other in self.chunks:
            if other is not chunk:
                whole ^= int.from_bytes(self._payload(other), "little")
        payload = whole.to_bytes(len(self.parity), "little")[:chunk.stored]
        return payload if crc32c(payload) == chunk.payload_crc else None

    def _unpack(self, chunk):
        payload = self._payload(chunk)
        if len(payload) != chunk.stored or crc32c(payload) != chunk.payload_crc:
            payload = self._restored(chunk)
            if payload is None:
                raise ValueError("a chunk does not fit its checksum")
            self.note(False, "a chunk does not fit its checksum, and the parity has it", chunk.offset)
        try:
            frame = zstandard.get_frame_parameters(payload)
            if frame.content_size != chunk.fields.raw or frame.dict_id:
                raise ValueError("a chunk's frame is not as long as its head says")
            if frame.window_size >= WINDOW_LIMIT and frame.window_size > frame.content_size:
                raise ValueError("a chunk's window is too large")
            one = zstandard.ZstdDecompressor(max_window_size=WINDOW_LIMIT).decompressobj()
            raw, rest = one.decompress(payload), one.unused_data
        except zstandard.ZstdError as error:
            raise ValueError("a chunk cannot be decompressed: %s" % error) from error
        if len(raw) != chunk.fields.raw:
            raise ValueError("a chunk is not as long as its head says")
        if rest and (len(rest) < 8 or struct.unpack_from("<II", rest) != (SKIPPABLE, len(rest) - 8)):
            raise ValueError("something else than filling lies behind a chunk's frame")
        return raw
