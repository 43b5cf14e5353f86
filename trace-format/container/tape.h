/* SPDX-License-Identifier: MIT */
/*
 * The container as it is written: packets go into an open chunk; a closed chunk is compressed and
 * becomes part of the file. What is in the file at any time, in order (FORMAT.md, "While it is
 * written"):
 *
 *     whole blocks | gap | stage |
 *                  end   front   size
 *
 * The gap is large enough for the compressed form of the open chunk, so that closing a chunk never
 * writes over the stage that still holds its packets. A kill between any two writes leaves one or
 * the other.
 *
 * Where chunks get full there are two slots for a stage behind the gap, and a full chunk is compressed by
 * another thread (tape-defer.c): its packets stay in their stage, with those that come meanwhile behind them,
 * until it is in the file.
 */
#ifndef WT_TRACE_FORMAT_CONTAINER_TAPE_H
#define WT_TRACE_FORMAT_CONTAINER_TAPE_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zstd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "trace-format/container/block.h"
#include "trace-format/container/file.h"

struct wt_deferral;

#define WT_CHUNK_TARGET ((size_t)1 << 20) /* raw bytes at which a chunk is closed */
#define WT_CHUNKS_PER_INDEX 64u
#define WT_STAGE_ENTRY_HEAD 8u /* length and checksum */

#define WT_TRACE_PACKET_TAG (1u << 3 | 2) /* of Trace.packet, as trace.proto numbers it */
#define WT_PACKET_HEAD 4u		  /* tags and lengths of a packet with a short body: */
#define WT_SHORT_BODY 0x7eu		  /* both lengths take one byte */

/* The fields of message Packet, as trace.proto numbers them; 0: it has no body. */
#define WT_PACKET_FIELDS                                                                           \
	32u /* bodies, also those of later versions, are below; other fields from here on */
enum wt_packet_field {
	WT_PACKET_HEADER = 1,
	WT_PACKET_NAMES,
	WT_PACKET_BLOB,
	WT_PACKET_CALL_BEGIN,
	WT_PACKET_CALLBACK,
	WT_PACKET_CALL_END,
	WT_PACKET_FACTS,
	WT_PACKET_MOMENT,
	WT_PACKET_LATE,
	WT_PACKET_NOTICE,
	WT_PACKET_END,
};

/** The bit of a packet in the contents of its chunk. */
static inline uint32_t wt_packet_content(uint32_t field)
{
	return field ? UINT32_C(1) << field : 0;
}

struct wt_tape {
	struct wt_file file;
	struct wt_file_fields identity;
	uint64_t end, front, size;
	uint64_t stage, stage_end; /* where it is: at `front`, or in the slot behind that */
	uint64_t second;	   /* the slot behind the first one; 0: there is one */
	uint64_t second_head;	   /* where a head was put for one last */
	uint64_t sequence;	   /* of the next block */
	uint64_t index;		   /* offset of the newest index block */
	struct wt_buffer raw;	   /* the open chunk, before compression */
	struct wt_chunk_fields open;
	size_t target;	    /* raw bytes at which it is closed */
	size_t packet;	    /* where the packet that is being made starts */
	size_t packet_head; /* bytes kept for its tags and lengths */
	enum wt_packet_field packet_field;
	uint64_t opened;     /* when the open chunk got its first packet, in ms */
	bool packed;	     /* nobody waits: chunks are closed by size alone */
	bool stage_is_live;  /* the stage is that of the open chunk */
	size_t unit;	     /* what gap and stage have room for; less on a full disk */
	uint8_t *map;	     /* a part of the file with the stage in it, or NULL */
	uint64_t map_offset; /* of it in the file */
	size_t map_size;
	size_t staged;		  /* bytes of `raw` that are in the stage */
	uint64_t stage_used;	  /* bytes of the stage that are taken */
	struct wt_buffer entry;	  /* the stage entry that is being written */
	struct wt_buffer image;	  /* blocks on their way into the file */
	struct wt_buffer entries; /* index entries of all chunks */
	size_t entries_indexed;	  /* bytes of them that are in an index block */
	struct wt_buffer copies;  /* packets that indexes repeat: Header, then Names, at last End */
	size_t header_size, copies_indexed;
	struct wt_buffer indexes; /* offsets of all index blocks, 64 bits each */
	uint64_t raw_total;	  /* bytes that were in `raw` and are no longer */
	ZSTD_CCtx *zstd;
	/*
	 * May full chunks be compressed by another thread? `lag`: such a chunk gets into the file not when that
	 * is done, but after so many more flushes; 0: when it is.
	 */
	bool may_defer;
	unsigned int lag;
	bool wants_slots;	      /* chunks get full */
	bool no_slots;		      /* there was no room for two in this file */
	uint64_t deferred;	      /* chunks that took that way */
	struct wt_deferral *deferral; /* of tape-defer.c; NULL: never was one */
};

/**
 * Start a trace in a new file. @file is taken over, also when it fails. @level: of zstd.
 */
struct wt_error *wt_tape_create(struct wt_file *file, const uint8_t id[16], int level,
				struct wt_tape **tape_ret);
void wt_tape_destroy(struct wt_tape *tape);

/** The time, for the age of a chunk, in ms. */
uint64_t wt_tape_now(void);

/** Two tags of one byte, and two lengths. */
size_t wt_tape_head_size(size_t body);

static inline void wt_tape_begin_packet(struct wt_tape *tape, enum wt_packet_field field)
{
	if (!tape->raw.size)
		tape->opened = wt_tape_now();
	tape->packet = tape->raw.size;
	tape->packet_field = field;
}

/**
 * Make a packet: between the two calls its body is encoded into the buffer returned. @weight: how
 * many names for Names, whether it is a keyframe for Moment, else 0. A packet that fails is not in
 * the trace.
 */
struct wt_buffer *wt_tape_begin(struct wt_tape *tape, enum wt_packet_field field);
struct wt_error *wt_tape_end(struct wt_tape *tape, uint32_t weight);

/**
 * Begin a packet of a call, of which is known what the body takes at most, and about how much: returned is
 * where to encode it, or NULL without memory. The caller sets the buffer's size to where the body ends.
 */
static inline uint8_t *wt_tape_begin_call(struct wt_tape *tape, enum wt_packet_field field,
					  size_t about, size_t most)
{
	uint8_t *place;

	wt_tape_begin_packet(tape, field);
	tape->packet_head = about < WT_SHORT_BODY ? WT_PACKET_HEAD : wt_tape_head_size(about);
	place = wt_buffer_extend(&tape->raw, tape->packet_head + most);
	return place ? place + tape->packet_head : NULL;
}

/** As wt_tape_end(), for a packet of a call: most take a way that is short enough to be inline. */
static inline struct wt_error *wt_tape_end_call(struct wt_tape *tape)
{
	struct wt_buffer *raw = &tape->raw;
	size_t body = raw->size - tape->packet - tape->packet_head;
	uint32_t head;

	if (raw->failed || body >= WT_SHORT_BODY || tape->packet_head != WT_PACKET_HEAD ||
	    raw->size > tape->unit || raw->size > tape->target)
		return wt_tape_end(tape, 0);
	head = (uint32_t)(WT_TRACE_PACKET_TAG | (body + 2) << 8 | (size_t)tape->packet_field << 19 |
			  (size_t)2 << 16 | body << 24);
	head = htole32(head);
	memcpy(raw->data + tape->packet, &head, sizeof(head));
	tape->open.packets++;
	tape->open.contents |= 1u << tape->packet_field;
	tape->open.calls += tape->packet_field == WT_PACKET_CALL_BEGIN;
	return NULL;
}

/** Put all packets where a kill of this process leaves them. */
struct wt_error *wt_tape_flush(struct wt_tape *tape);

/**
 * Compress all that is not yet compressed into the file. @sync: and onto the disk.
 */
struct wt_error *wt_tape_close_chunk(struct wt_tape *tape, bool sync);

/** Close the open chunk, because it is old: it may get into the file later than this returns. */
struct wt_error *wt_tape_close_old(struct wt_tape *tape);

/** Has the open chunk been open for longer than it should? */
bool wt_tape_is_old(const struct wt_tape *tape);

/** Packets so far. */
uint64_t wt_tape_packets(const struct wt_tape *tape);

/** Close the last chunk, write index and footer, cut the reserve off. */
struct wt_error *wt_tape_finish(struct wt_tape *tape, bool sync);

/* The end of the file (tape-tail.c). */

/**
 * Put the gap and the stage of the open chunk behind the last whole block. Where there is no space
 * for the usual ones they become smaller, and the chunks with them.
 */
struct wt_error *wt_tape_place_stage(struct wt_tape *tape);

/** Make the gap so large that @room bytes fit into it; what was in the stage is gone. */
struct wt_error *wt_tape_make_room(struct wt_tape *tape, uint64_t room);

/**
 * Put the whole blocks of tape->image behind the last one; there must be no live stage they do not
 * fit in front of.
 */
struct wt_error *wt_tape_append_image(struct wt_tape *tape);

/** Add a head to tape->image, its offset and sequence being those it will have there. */
void wt_tape_image_head(struct wt_tape *tape, struct wt_block *block);

/** How many bytes the file grows by beyond what is needed, where there is room for them. */
uint64_t wt_tape_growth(const struct wt_tape *tape);

/** An error if somebody has made the file shorter: then nothing is stored through the mapping any more. */
struct wt_error *wt_tape_check_file(struct wt_tape *tape);

/** Forget the mapping of the stage. */
void wt_tape_unmap(struct wt_tape *tape);

/**
 * Of the first @size bytes of `raw` those that are not in the stage yet, into it; false in @fits_ret if there is
 * no room.
 */
struct wt_error *wt_tape_stage_packets(struct wt_tape *tape, size_t size, bool *fits_ret);

/** Bytes of a stage that holds so many bytes of packets: those, and the heads of its entries. */
uint64_t wt_tape_stage_size(size_t unit);

/** Which slot is the stage not in? It becomes one, of the sequence behind that of the open chunk. */
uint64_t wt_tape_other_slot(const struct wt_tape *tape);
/** Room in it for packets and heads of entries. */
uint64_t wt_tape_slot_room(const struct wt_tape *tape, uint64_t slot);
/** Write a stage there that nothing counts yet: of a chunk of these numbers, with the packets that are staged. */
struct wt_error *wt_tape_write_slot(struct wt_tape *tape, uint64_t slot,
				    const struct wt_chunk_fields *fields);
/** Can a chunk of @size bytes get into the gap, and any other behind it? */
bool wt_tape_has_room(const struct wt_tape *tape, size_t size);

/* Chunks (tape.c). */

/* Packets of a chunk, compressed: behind room for its head in an image. */
struct wt_packed {
	size_t result; /* of zstd */
	size_t stored;
	uint32_t crc;
};

/** Memory for the worst case of @size bytes and a gap behind them, so that nothing more is needed. */
bool wt_pack_prepare(struct wt_buffer *image, size_t size);
void wt_pack(ZSTD_CCtx *zstd, const struct wt_buffer *raw, size_t size, struct wt_buffer *image,
	     struct wt_packed *packed_ret);

/** The error of a compression that failed; NULL if it did not. */
struct wt_error *wt_pack_check(const struct wt_tape *tape, const struct wt_packed *packed);

/** Put what was packed, in tape->image, into the file as a chunk of these numbers. */
struct wt_error *wt_tape_append_chunk(struct wt_tape *tape, const struct wt_chunk_fields *fields,
				      const struct wt_packed *packed);

/** The next chunk has the numbers behind those of the open one. */
void wt_tape_open_next(struct wt_tape *tape);

/* Chunks that another thread compresses (tape-defer.c). */

/**
 * Let the first @size bytes of `raw` become a chunk later: in @done_ret whether that is on its way, or has to be
 * done here and now. An error is of a chunk that was on its way before.
 */
struct wt_error *wt_tape_defer(struct wt_tape *tape, size_t size, bool *done_ret);

/** Is a chunk on its way that should be put into the file by now? */
bool wt_tape_is_settling(struct wt_tape *tape);

/** Put the chunk that is on its way, if there is one, into the file. Waits for it. */
struct wt_error *wt_tape_settle(struct wt_tape *tape);

/** Wait until no other thread uses what the tape has, be it compressed or not. */
void wt_tape_wait(struct wt_tape *tape);

/** Bytes of memory that compressing takes, and a chunk that is on its way. */
size_t wt_tape_compression_size(const struct wt_tape *tape);

void wt_tape_destroy_deferral(struct wt_tape *tape);

#endif /* WT_TRACE_FORMAT_CONTAINER_TAPE_H */
