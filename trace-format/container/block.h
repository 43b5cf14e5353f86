/* SPDX-License-Identifier: MIT */
/*
 * The framing of a trace file (FORMAT.md). The file is a sequence of blocks. A block is a head of 128 bytes and a
 * payload of `stored` bytes. The head is a zstd skippable frame. The payload is a sequence of zstd frames after the
 * head, or, for a block with the flag INLINE, part of the head's own frame.
 */
#ifndef WT_TRACE_FORMAT_CONTAINER_BLOCK_H
#define WT_TRACE_FORMAT_CONTAINER_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

#define WT_BLOCK_SIZE 128u
#define WT_FRAME_HEAD 8u /* magic and length of a skippable frame */
#define WT_SKIPPABLE_MAGIC 0x184D2A57u
#define WT_STAGE_ENTRY_HEAD 8u /* length and checksum */
#define WT_FORMAT_MAJOR 1
#define WT_FORMAT_MINOR 7
/* Required feature: a patch may have an encoding, and an item may give only the answers that changed. */
#define WT_FEATURE_CHANGES ((uint64_t)1)
/* Required feature: name numbers may have gaps. A recovered trace has them where names were lost. */
#define WT_FEATURE_NAME_GAPS ((uint64_t)2)
/* Required feature: there may be blobs of rows. */
#define WT_FEATURE_ROWS ((uint64_t)4)
/* Required feature: there may be items of the types from REFUSAL on, which readers before 1.6 would miss. */
#define WT_FEATURE_ITEM_TYPES ((uint64_t)8)

/* Limits that a reader enforces before it allocates or decodes. */
#define WT_LIMIT_RAW (64u << 20)    /* bytes of one chunk before compression */
#define WT_LIMIT_STORED (72u << 20) /* bytes of one chunk's payload */
#define WT_LIMIT_INDEX (1u << 30)   /* bytes of one index */
#define WT_LIMIT_PARITY                                                                            \
	(4u << 20) /* bytes of all chunks' payloads, for a trace with a parity of them */
#define WT_LIMIT_WINDOW_LOG 27u
#define WT_LIMIT_PACKET (WT_LIMIT_RAW - 64u)
#define WT_LIMIT_BLOB (8u << 20) /* bytes of one blob; a longer value is split into several */

enum wt_block_kind {
	WT_BLOCK_FILE = 1,   /* at offset 0: version, features, file id */
	WT_BLOCK_CHUNK = 2,  /* packets: one zstd frame */
	WT_BLOCK_INDEX = 3,  /* of the chunks since the index before */
	WT_BLOCK_FINAL = 4,  /* index of the whole file */
	WT_BLOCK_FOOTER = 5, /* the last 128 bytes of a trace that was closed */
	WT_BLOCK_GAP = 6,    /* reserved space */
	WT_BLOCK_STAGE = 7,  /* packets of the open chunk, not compressed yet */
};

enum wt_block_flag {
	WT_BLOCK_REQUIRED = 1, /* a reader that does not know the kind refuses the file */
	WT_BLOCK_INLINE = 2,   /* the payload lies inside the head's skippable frame */
};

/* The counts and first numbers of a chunk, or of the stage that becomes one. */
struct wt_chunk_fields {
	uint64_t raw;	       /* bytes before compression */
	uint64_t first_packet; /* packets before this chunk */
	uint64_t first_call;   /* number its first CallBegin has, or would have */
	uint32_t first_blob, first_name, first_moment; /* likewise */
	uint32_t keyframe; /* newest keyframe moment in or before the chunk; WT_NO_MOMENT: none */
	uint32_t packets, calls, blobs, names, moments; /* how many are in the chunk */
	uint32_t contents; /* bit N: the chunk holds a Packet whose body is field N */
};

#define WT_NO_MOMENT UINT32_MAX
#define WT_FIELDS_SIZE 64u

struct wt_file_fields {
	uint8_t id[16];
	uint16_t major, minor;
	uint64_t required, optional; /* feature masks */
};

struct wt_footer_fields {
	struct wt_file_fields file; /* a copy, in case the file's head is damaged */
	uint64_t final_offset;	    /* of the final index block */
	uint64_t final_stored;	    /* size of its payload */
};

struct wt_block {
	uint16_t kind, flags;
	uint32_t file_id; /* the first four bytes of the id, little endian */
	uint64_t sequence, stored, offset;
	uint64_t index; /* offset of the newest index block before this block; 0: none */
	uint32_t stored_crc;
	union {
		struct wt_chunk_fields chunk; /* CHUNK, STAGE */
		struct wt_file_fields file;
		struct wt_footer_fields footer;
	};
};

/** CRC32C of @data, standard form: "123456789" gives 0xE3069283. @crc: of the preceding bytes, or 0. */
uint32_t wt_crc32c(uint32_t crc, const void *data, size_t size);

/**
 * The checksum of a stage entry. It covers the entry's offset and the sequence of the chunk it becomes part of. So bytes
 * that an earlier stage left at the same place fail the check.
 */
uint32_t wt_stage_crc(uint64_t sequence, uint64_t offset, const void *data, size_t size);

/** Computes what wt_crc32c() does, by the processor's instruction, which must be there, or by a table. For tests. */
uint32_t wt_crc32c_by(bool instruction, uint32_t crc, const void *data, size_t size);

/**
 * Put a stage entry into the file's memory. It counts when its head is there, which is stored last: a kill comes between
 * instructions.
 *
 * @place: of its head, with room for that and for @size bytes.
 */
void wt_stage_put(uint64_t sequence, uint64_t offset, const void *data, size_t size,
		  uint8_t *place);

/** Join a payload to a parity, bit by bit: done twice it is as it was. @parity: at least @size bytes. */
void wt_parity_join(uint8_t *parity, const uint8_t *payload, size_t size);

/** Encode a head of WT_BLOCK_SIZE bytes, including its own checksum. */
void wt_block_encode(const struct wt_block *block, uint8_t head[WT_BLOCK_SIZE]);

enum wt_block_result {
	WT_BLOCK_FINE,
	WT_BLOCK_BAD,	/* no head, or a damaged one */
	WT_BLOCK_NEWER, /* an intact head of a newer major version, otherwise not decoded */
};

/**
 * Decode a head. The checksum is verified before any field is used. @block_ret is written only for
 * WT_BLOCK_FINE; its union is filled for the kinds that have one.
 */
enum wt_block_result wt_block_decode(const uint8_t head[WT_BLOCK_SIZE], struct wt_block *block_ret);

/** Write the 8-byte head of a skippable frame that holds @size bytes. */
void wt_skippable_encode(uint64_t size, uint8_t head[WT_FRAME_HEAD]);

/** Encode and decode the 64 bytes of a chunk's fields, as heads and index entries hold them. */
void wt_chunk_fields_append(struct wt_buffer *buffer, const struct wt_chunk_fields *fields);
bool wt_chunk_fields_take(struct wt_cursor *cursor, struct wt_chunk_fields *fields_ret);

/** The low 32 bits of a file id, which every head repeats. */
uint32_t wt_file_id_low(const uint8_t id[16]);

static inline uint64_t wt_block_align(uint64_t size)
{
	return (size + WT_BLOCK_SIZE - 1) & ~(uint64_t)(WT_BLOCK_SIZE - 1);
}

#endif /* WT_TRACE_FORMAT_CONTAINER_BLOCK_H */
