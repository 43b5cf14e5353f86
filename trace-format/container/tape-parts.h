/* SPDX-License-Identifier: MIT */
/*
 * The tape as a structure, for the files that it is made of. Each uses functions of the files below it:
 *
 *     tape.c         makes packets and decides when a chunk is closed
 *     tape-pool.c    has several threads compress the chunks of a stop
 *     tape-defer.c   has a worker thread compress a chunk of the journal, while calls go on
 *     tape-pending.c the chunks of both, on their way into the file
 *     tape-chunk.c   writes chunks and indexes as blocks
 *     tape-tail.c    keeps the end of the file: the gap, the stage, and how blocks are written before them
 */
#ifndef WT_TRACE_FORMAT_CONTAINER_TAPE_PARTS_H
#define WT_TRACE_FORMAT_CONTAINER_TAPE_PARTS_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zstd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/worker.h"
#include "trace-format/container/block.h"
#include "trace-format/container/tape-file.h"
#include "trace-format/message/packet.h"

struct wt_deferral;
struct wt_pool;

#define WT_CHUNK_TARGET ((size_t)1 << 20) /* raw bytes at which a chunk is closed */
#define WT_CHUNKS_PER_INDEX 64u
#define WT_POOL_MAX 4u	  /* threads that compress chunks of a stop at once */
#define WT_PACKET_HEAD 4u /* bytes of the tags and lengths of a packet with a short body */

/* The slots for a stage: one, two with room for a chunk each, or two with room for two chunks each. */
enum wt_slots { WT_SLOTS_ONE, WT_SLOTS_NARROW, WT_SLOTS_WIDE };

struct wt_tape {
	struct wt_file file;
	struct wt_file_fields identity;
	uint64_t end, front, size;
	uint64_t stage, stage_end; /* of the stage: at `front`, or at `second` */
	uint64_t second;	   /* offset of the second slot; 0: there is only one slot */
	uint64_t second_head;	   /* where the head of a second slot was last written */
	uint64_t sequence;	   /* of the next block */
	uint64_t index;		   /* offset of the newest index block */
	struct wt_buffer raw;	   /* the open chunk, before compression */
	struct wt_chunk_fields open;
	uint32_t next_name; /* number of the next name */
	size_t target;	    /* raw bytes at which the chunk is closed */
	size_t packet;	    /* offset in `raw` of the packet that is being made */
	enum wt_field_packet packet_field;
	uint64_t opened;     /* when the open chunk got its first packet, in ms */
	bool packed;	     /* not a live recording: chunks are closed by size only */
	bool stage_is_live;  /* the stage belongs to the open chunk */
	size_t unit;	     /* raw bytes that gap and stage have room for; less on a full disk */
	uint8_t *map;	     /* mapping of a part of the file with the stage in it, or NULL */
	uint64_t map_offset; /* of the mapping in the file */
	size_t map_size;
	/* Up to where in the file the pages of the stage, and of the other slot, are ready for stores; 0: not known. */
	uint64_t ready, other_ready;
	uint64_t cleared;	  /* up to where zeros were written behind entries of a stage */
	size_t staged;		  /* bytes of `raw` that are in the stage */
	uint64_t stage_used;	  /* bytes of the stage that are in use */
	struct wt_buffer entry;	  /* the stage entry that is being written */
	struct wt_buffer zeros;	  /* for what is behind it */
	struct wt_buffer image;	  /* blocks that are about to be written to the file */
	struct wt_buffer entries; /* index entries of all chunks */
	size_t entries_indexed;	  /* bytes of `entries` that are in an index block */
	struct wt_buffer copies;  /* packets that indexes repeat: Header, then Names, at last End */
	size_t header_size, copies_indexed;
	struct wt_buffer indexes; /* offsets of all index blocks, 64 bits each */
	struct wt_buffer stops;	  /* the summary's fields for stops, set when the trace ends */
	bool has_stops;		  /* `stops` is complete */
	struct wt_buffer notices; /* the summary's fields for notices */
	bool notices_left_out;	  /* there were too many, or there was no memory for them */
	uint64_t wanted_size; /* a summary should not make the file longer than this; 0: it may */
	uint64_t host_packet; /* 1 + number of the last Notice with a host; 0: there is none */
	uint64_t raw_total;   /* bytes that were in `raw` and are no longer */
	ZSTD_CCtx *zstd;
	int level; /* of compression */
	/*
	 * May a worker thread compress full chunks? `lag`: a chunk that it compresses is written to the file after so
	 * many more flushes; 0: as soon as it is compressed.
	 */
	bool may_defer;
	unsigned int lag;
	size_t defer_min;	      /* a smaller chunk is compressed at once */
	struct wt_worker worker;      /* the thread that compresses */
	enum wt_slots slots;	      /* that are wanted: wide ones when chunks get full */
	enum wt_slots slots_most;     /* that this file had room for */
	uint64_t deferred;	      /* chunks that the worker compressed */
	struct wt_deferral *deferral; /* of tape-defer.c; NULL: none was needed yet */
	unsigned int cores;	      /* at most WT_POOL_MAX; below 2: no pool */
	bool bulk;		      /* packets need not survive a kill before the next flush */
	uint64_t pooled;	      /* chunks that went through the pool */
	struct wt_pool *pool;	      /* of tape-pool.c; NULL: none was needed yet */
};

#endif /* WT_TRACE_FORMAT_CONTAINER_TAPE_PARTS_H */
