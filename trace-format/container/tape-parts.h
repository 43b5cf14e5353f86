/* SPDX-License-Identifier: MIT */
/*
 * The tape as a structure, for the files that it is made of. Each uses functions of the files below it:
 *
 *     tape.c         makes packets, decides when a chunk is closed, and has several threads compress the chunks of a stop
 *     tape-defer.c   has a worker thread compress a chunk of the journal, while calls go on
 *     tape-chunk.c   the chunks of both, on their way into the file, and indexes: they become blocks
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

/* The end of the file, as offsets. */
struct wt_tape_tail {
	uint64_t end, front, size;
	uint64_t second;	  /* offset of the second slot; 0: there is only one slot */
	uint64_t second_head;	  /* where the head of a second slot was last written */
	enum wt_slots slots;	  /* that are wanted: wide ones when chunks get full */
	enum wt_slots slots_most; /* that this file had room for */
	size_t unit;	   /* raw bytes that gap and stage have room for; less on a full disk */
	uint64_t sequence; /* of the next block */
};

/* The stage, which keeps the packets of the open chunk in the file. */
struct wt_tape_stage {
	uint64_t start, end;	/* at `front`, or at `second` */
	bool is_live;		/* it belongs to the open chunk */
	size_t staged;		/* bytes of the chunk that are in it */
	uint64_t used;		/* bytes of it that are in use */
	uint64_t cleared;	/* up to where zeros were written behind its entries */
	struct wt_buffer entry; /* the entry that is being written */
	struct wt_buffer zeros; /* for what is behind it */
};

/* The mapping of a part of the file with the stage in it. */
struct wt_tape_mapping {
	uint8_t *data;	 /* NULL: there is none */
	uint64_t offset; /* in the file */
	size_t size;
	/* Up to where in the file the pages of the stage, and of the other slot, are ready for stores; 0: not known. */
	uint64_t ready, other_ready;
};

/* The open chunk, and the packet that is being made in it. */
struct wt_tape_chunk {
	struct wt_buffer raw; /* before compression */
	uint64_t raw_before;  /* bytes that were in `raw` and are no longer */
	struct wt_chunk_fields fields;
	uint32_t next_name; /* number of the next name */
	size_t target;	    /* raw bytes at which it is closed */
	uint64_t opened;    /* when it got its first packet, in ms */
	size_t packet;	    /* offset in `raw` of the packet */
	enum wt_field_packet packet_field;
};

/* The content of index blocks. */
struct wt_tape_index {
	uint64_t newest;	  /* offset of the newest block */
	struct wt_buffer offsets; /* of all blocks, 64 bits each */
	struct wt_buffer entries; /* of all chunks */
	size_t entries_indexed;	  /* bytes of `entries` that are in a block */
	struct wt_buffer copies;  /* packets that are repeated: Header, then Names, at last End */
	size_t header_size, copies_indexed;
};

/* The rest of the final index: fields of message Summary. */
struct wt_tape_summary {
	struct wt_buffer stops; /* set when the trace ends */
	bool has_stops;		/* `stops` is complete */
	struct wt_buffer notices;
	bool notices_left_out; /* there were too many, or there was no memory for them */
	uint64_t wanted_size;  /* it should not make the file longer than this; 0: it may */
	uint64_t host_packet;  /* 1 + number of the last Notice with a host; 0: there is none */
};

/* Compression by the thread that writes. */
struct wt_tape_packing {
	ZSTD_CCtx *zstd;
	int level;
	struct wt_buffer image; /* blocks that are about to be written to the file */
};

/* Compression by others. */
struct wt_tape_workers {
	/*
	 * May a thread compress full chunks? `lag`: a chunk that it compresses is written to the file after so many more
	 * flushes; 0: as soon as it is compressed.
	 */
	bool may_defer;
	unsigned int lag;
	size_t defer_min;	      /* a smaller chunk is compressed at once */
	struct wt_worker thread;      /* the one that does it */
	uint64_t deferred;	      /* chunks that it compressed */
	struct wt_deferral *deferral; /* of tape-defer.c; NULL: none was needed yet */
	unsigned int cores;	      /* at most WT_POOL_MAX; below 2: no pool */
	bool bulk;		      /* packets need not survive a kill before the next flush */
	uint64_t pooled;	      /* chunks that went through the pool */
	struct wt_pool *pool;	      /* of tape.c; NULL: none was needed yet */
};

struct wt_tape {
	struct wt_file file;
	struct wt_file_fields identity;
	bool packed; /* not a live recording: chunks are closed by size only */
	struct wt_tape_tail tail;
	struct wt_tape_stage stage;
	struct wt_tape_mapping mapping;
	struct wt_tape_chunk chunk;
	struct wt_tape_index index;
	struct wt_tape_summary summary;
	struct wt_tape_packing packing;
	struct wt_tape_workers workers;
};

#endif /* WT_TRACE_FORMAT_CONTAINER_TAPE_PARTS_H */
