# SPDX-License-Identifier: MIT
# The container of a trace for Kaitai Struct (its visualisers, and the readers that it makes in a dozen languages). FORMAT.md
# is the description that binds; this one leads a reader with a hex editor through a whole file. The packets of a chunk are
# packed by zstd: `zstd -dc FILE`, read as `packets` below, has all of them.
meta:
  id: wtape
  title: wavetape trace
  file-extension: wtape
  license: MIT
  endian: le
doc: |
  A row of blocks, each a head of 128 bytes and a payload whose length is a multiple of 128. A torn file may hold what is no
  block; this description ends there, and a reader of FORMAT.md goes on at the next multiple of 128 with a head that checks.
seq:
  - id: blocks
    type: block
    repeat: eos
types:
  block:
    seq:
      - id: head
        type: head
        size: 128
      - id: payload
        size: head.payload_length
        type:
          switch-on: head.kind
          cases:
            kind::chunk: chunk_payload
            kind::index: sections
            kind::final: sections
            kind::stage: stage_payload
  head:
    seq:
      - id: frame_magic
        contents: [0x57, 0x2a, 0x4d, 0x18]
        doc: A zstd skippable frame, so that `zstd -dc` passes over the head.
      - id: frame_length
        type: u4
        doc: 120, and with INLINE the payload's length besides.
      - id: mark
        contents: WTAPE
      - id: major
        type: u1
      - id: mark_end
        contents: [0x0d, 0x0a]
      - id: kind
        type: u2
        enum: kind
      - id: flags
        type: flags
        size: 2
      - id: file_id_low
        type: u4
        doc: The first four bytes of the file id.
      - id: sequence
        type: u8
      - id: payload_length
        type: u8
      - id: offset
        type: u8
        doc: Where in the file this head is.
      - id: fields
        size: 64
        type:
          switch-on: kind
          cases:
            kind::file: identity
            kind::chunk: chunk_fields
            kind::stage: chunk_fields
            kind::footer: footer
      - id: newest_index
        type: u8
        doc: Offset of the newest INDEX before this block; 0 if there is none yet.
      - id: payload_checksum
        type: u4
        doc: CRC32C of the payload; 0 for GAP and STAGE.
      - id: head_checksum
        type: u4
        doc: CRC32C of the 124 bytes before.
  flags:
    meta:
      bit-endian: le
    seq:
      - id: required
        type: b1
      - id: is_inline
        type: b1
        doc: The payload is the rest of the head's own skippable frame.
      - id: zero
        type: b14
  identity:
    seq:
      - id: file_id
        size: 16
      - id: major
        type: u2
      - id: minor
        type: u2
      - id: zero
        type: u4
      - id: required_features
        type: u8
        doc: Bit 0 CHANGES, 1 NAME_GAPS, 2 ROWS, 3 ITEM_TYPES.
      - id: optional_features
        type: u8
      - id: text
        size-eos: true
        doc: In FILE "wavetape trace".
  footer:
    seq:
      - id: identity
        type: identity
        size: 40
      - id: final_offset
        type: u8
      - id: final_payload_length
        type: u8
  chunk_fields:
    seq:
      - id: raw_length
        type: u8
        doc: Bytes before compression.
      - id: first_packet
        type: u8
      - id: first_call
        type: u8
      - id: first_blob
        type: u4
      - id: first_name
        type: u4
      - id: first_moment
        type: u4
      - id: keyframe
        type: u4
        doc: Number of the newest keyframe moment in the chunk or before it; 0xffffffff if there is none.
      - id: packet_count
        type: u4
      - id: call_count
        type: u4
      - id: blob_count
        type: u4
      - id: name_count
        type: u4
      - id: moment_count
        type: u4
      - id: contents
        type: u4
        doc: Bit N is set if there is a Packet whose body is field N.
  chunk_payload:
    seq:
      - id: zstd_frame
        size-eos: true
        doc: One zstd frame of packets, and a skippable frame that fills up to a multiple of 128.
  sections:
    seq:
      - id: section
        type: section
        repeat: until
        repeat-until: _.kind == section_kind::none or _io.size - _io.pos < 16
  section:
    seq:
      - id: kind
        type: u2
        enum: section_kind
      - id: flags
        type: flags
        size: 2
      - id: zero
        type: u4
      - id: length
        type: u8
      - id: content
        size: length
        type:
          switch-on: kind
          cases:
            section_kind::chunks: entries
            section_kind::links: links
            section_kind::packets: packets
            section_kind::summary: summary
      - id: filling
        size: (8 - length % 8) % 8
  entries:
    seq:
      - id: entry
        type: entry
        repeat: eos
  entry:
    seq:
      - id: offset
        type: u8
      - id: sequence
        type: u8
      - id: payload_length
        type: u8
      - id: fields
        type: chunk_fields
        size: 64
      - id: payload_checksum
        type: u4
      - id: kind
        type: u2
        enum: kind
      - id: flags
        type: flags
        size: 2
  links:
    seq:
      - id: index_offset
        type: u8
        repeat: eos
        doc: The INDEX blocks 1, 2, 4, 8... before this one.
  summary:
    seq:
      - id: chunks_checksum
        type: u4
        doc: CRC32C of the content of this index's CHUNKS.
      - id: zero
        type: u4
      - id: zstd_frame
        size-eos: true
        doc: A message Summary of trace.proto.
  stage_payload:
    seq:
      - id: first
        type: stage_entry
      - id: rest
        size-eos: true
        doc: More entries, the next one where the packets of this one end; where one does not check, there are no more.
  stage_entry:
    seq:
      - id: length
        type: u4
        doc: 0 if there are no entries.
      - id: checksum
        type: u4
        doc: CRC32C of the STAGE's sequence, of this entry's offset in the payload, and of the packets.
      - id: packets
        size: length
        if: length <= _io.size - 8
  packets:
    doc: A run of `Trace.packet` fields.
    seq:
      - id: packet
        type: packet
        repeat: eos
  packet:
    seq:
      - id: key
        contents: [0x0a]
        doc: Field 1 of Trace, a message.
      - id: length
        type: varint
      - id: body
        type: message
        size: length.value
  message:
    seq:
      - id: field
        type: field
        repeat: eos
  field:
    doc: A field of a protobuf message; trace.proto names them. In a packet the number is that of its body.
    seq:
      - id: key
        type: varint
      - id: number_value
        type: varint
        if: wire_type == 0
      - id: fixed64
        type: u8
        if: wire_type == 1
      - id: length
        type: varint
        if: wire_type == 2
      - id: bytes
        size: length.value
        if: wire_type == 2
      - id: fixed32
        type: u4
        if: wire_type == 5
    instances:
      wire_type:
        value: key.value & 7
      number:
        value: key.value >> 3
  varint:
    doc: Seven bits a byte, the lowest ones first.
    seq:
      - id: groups
        type: varint_group
        repeat: until
        repeat-until: not _.has_next
    instances:
      last:
        value: groups.size - 1
      value:
        value: >-
          groups[0].value
          + (last >= 1 ? (groups[1].value << 7) : 0)
          + (last >= 2 ? (groups[2].value << 14) : 0)
          + (last >= 3 ? (groups[3].value << 21) : 0)
        doc: Of up to 28 bits, which lengths and keys of what an index repeats have.
  varint_group:
    seq:
      - id: byte
        type: u1
    instances:
      has_next:
        value: (byte & 0x80) != 0
      value:
        value: byte & 0x7f
enums:
  kind:
    1: file
    2: chunk
    3: index
    4: final
    5: footer
    6: gap
    7: stage
  section_kind:
    0: none
    1: chunks
    2: links
    3: packets
    4: summary
    5: parity
