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
#include "trace-format/container/worker.h"
#include "trace-format/message/fields.h"

struct wt_deferral;

#define WT_CHUNK_TARGET ((size_t)1 << 20) /* raw bytes at which a chunk is closed */
#define WT_CHUNKS_PER_INDEX 64u
#define WT_PACKET_HEAD 4u   /* tags and lengths of a packet with a short body: */
#define WT_SHORT_BODY 0x7eu /* both lengths take one byte */

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
	uint32_t next_name; /* number of the name that comes next */
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
	struct wt_buffer stops;	  /* what a summary has of them, when the trace ends */
	bool has_stops;		  /* that is all of it */
	struct wt_buffer notices; /* the same of notices */
	bool notices_left_out;	  /* they were too many, or there was no memory for them */
	uint64_t wanted_size;	  /* the whole file should not get longer by a summary; 0: it may */
	uint64_t host_packet;	  /* 1 + number of the last Notice with a host; 0: there is none */
	uint64_t raw_total;	  /* bytes that were in `raw` and are no longer */
	ZSTD_CCtx *zstd;
	/*
	 * May full chunks be compressed by another thread? `lag`: such a chunk gets into the file not when that
	 * is done, but after so many more flushes; 0: when it is.
	 */
	bool may_defer;
	unsigned int lag;
	struct wt_worker worker;      /* which does that */
	bool wants_slots;	      /* chunks get full */
	bool no_slots;		      /* there was no room for two in this file */
	uint64_t deferred;	      /* chunks that took that way */
	struct wt_deferral *deferral; /* of tape-defer.c; NULL: never was one */
};

/**
 * Start a trace in a new file. @file is taken over, also when it fails. @level: of zstd. @features: required ones, besides
 * those of every trace.
 */
struct wt_error *wt_tape_create(struct wt_file *file, const uint8_t id[16], int level,
				uint64_t features, struct wt_tape **tape_ret);
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
 * many names for Names, whether it is a keyframe for Moment, or has a host for Notice, else 0. A packet that fails is
 * not in the trace.
 */
struct wt_buffer *wt_tape_begin(struct wt_tape *tape, enum wt_packet_field field);
struct wt_error *wt_tape_end(struct wt_tape *tape, uint32_t weight);

/** The next names are numbered from @first on: in a trace with WT_FEATURE_NAME_GAPS numbers may be left out. */
void wt_tape_number_names(struct wt_tape *tape, uint32_t first);

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

/** How many bytes the file grows by beyond what is needed, where there is room for them. */
uint64_t wt_tape_growth(const struct wt_tape *tape);

/** An error if somebody has made the file shorter: then nothing is stored through the mapping any more. */
struct wt_error *wt_tape_check_file(struct wt_tape *tape);

/** Bytes of memory that compressing takes, and a chunk that is on its way. */
size_t wt_tape_compression_size(const struct wt_tape *tape);

#endif /* WT_TRACE_FORMAT_CONTAINER_TAPE_H */
