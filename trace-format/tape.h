/* SPDX-License-Identifier: MIT */
/*
 * The container as it is written: packets go into an open chunk; a closed chunk is compressed and
 * becomes part of the file. What is in the file at any time, in order (FORMAT.md, "While it is
 * written"):
 *
 *     whole blocks | gap | stage |
 *                  end   stage   size
 *
 * The gap is large enough for the compressed form of the open chunk, so that closing a chunk never
 * writes over the stage that still holds its packets. A kill between any two writes leaves one or
 * the other.
 */
#ifndef WT_TRACE_TAPE_H
#define WT_TRACE_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zstd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "trace-format/block.h"
#include "trace-format/file.h"

#define WT_CHUNK_TARGET ((size_t)1 << 20) /* raw bytes at which a chunk is closed */
#define WT_CHUNKS_PER_INDEX 64u
#define WT_STAGE_ENTRY_HEAD 8u /* length and checksum */

/* The fields of message Packet, as trace.proto numbers them. */
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

struct wt_tape {
	struct wt_file file;
	struct wt_file_fields identity;
	uint64_t end, stage, size;
	uint64_t sequence;    /* of the next block */
	uint64_t index;	      /* offset of the newest index block */
	struct wt_buffer raw; /* the open chunk, before compression */
	struct wt_chunk_fields open;
	size_t target; /* raw bytes at which it is closed */
	size_t packet; /* where the packet that is being made starts */
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
	uint64_t raw_total;	  /* of closed chunks */
	ZSTD_CCtx *zstd;
};

/**
 * Start a trace in a new file. @file is taken over, also when it fails. @level: of zstd.
 */
struct wt_error *wt_tape_create(struct wt_file *file, const uint8_t id[16], int level,
				struct wt_tape **tape_ret);
void wt_tape_destroy(struct wt_tape *tape);

/**
 * Make a packet: between the two calls its body is encoded into the buffer returned. @weight: how
 * many names for Names, whether it is a keyframe for Moment, else 0. A packet that fails is not in
 * the trace.
 */
struct wt_buffer *wt_tape_begin(struct wt_tape *tape, enum wt_packet_field field);
struct wt_error *wt_tape_end(struct wt_tape *tape, uint32_t weight);

/** Put all packets where a kill of this process leaves them. */
struct wt_error *wt_tape_flush(struct wt_tape *tape);

/**
 * Compress the open chunk into the file; nothing to do if it is empty. @sync: and onto the disk.
 */
struct wt_error *wt_tape_close_chunk(struct wt_tape *tape, bool sync);

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

/** Forget the mapping of the stage. */
void wt_tape_unmap(struct wt_tape *tape);

/** Packets that are not in the stage yet, into it; false in @fits_ret if there is no room. */
struct wt_error *wt_tape_stage_packets(struct wt_tape *tape, bool *fits_ret);

#endif /* WT_TRACE_TAPE_H */
