/* SPDX-License-Identifier: MIT */
/*
 * The tape: a trace file that is being written. Packets are added to an open chunk. A closed chunk is compressed and
 * written to the file. At any time the file has, in order (FORMAT.md, "While it is written"):
 *
 *     whole blocks | gap | stage |
 *                  end   front   size
 *
 * The gap is large enough for the compressed form of the open chunk. So closing a chunk never overwrites the stage that
 * still holds its packets, and a kill between any two writes leaves either the stage or the chunk.
 *
 * Where a worker thread may be used, there are two slots for a stage after the gap, and the thread compresses a chunk that is
 * full, or the last one of a stop (tape-defer.c). Until the chunk is in the file, its packets stay in their stage, and new
 * packets follow them there.
 *
 * Full chunks of a stop are compressed by several threads at once (tape-pool.c). They are not staged: until the stop is
 * finished, a kill may lose them.
 *
 * The room `container` writes the file as blocks; it has the layout of blocks for readers, too:
 *
 *     block.h      heads of blocks, checksums, and the limits that readers enforce
 *     index.h      payload of index blocks
 *     pack.h       compression of a chunk
 *     worker.h     the thread that does it
 *     tape-file.h  system calls on the trace file
 *     foreign.h    what a file is that is not a trace
 *
 * This room must not know states, items or calls: to it a packet is a field number and bytes.
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

/**
 * Start a trace in a new file. @file is taken over, also on failure. @level: of zstd. @features: required features besides
 * those that every trace has. @may_defer: may a worker thread compress chunks?
 */
struct wt_error *wt_tape_create(struct wt_file *file, const uint8_t id[16], int level,
				uint64_t features, bool may_defer, struct wt_tape **tape_ret);
void wt_tape_destroy(struct wt_tape *tape);

/** The present time in ms, for the age of a chunk. */
uint64_t wt_tape_now(void);

/**
 * Make a packet. Between the two calls the caller encodes its body into the returned buffer. A packet that fails is not
 * in the trace.
 *
 * @weight: for Names, how many there are; for Moment, whether it is a keyframe; for Notice, whether it has a host; else 0.
 */
struct wt_buffer *wt_tape_begin(struct wt_tape *tape, enum wt_field_packet field);
struct wt_error *wt_tape_end(struct wt_tape *tape, uint32_t weight);

/** Number the next names from @first on. Only a trace with WT_FEATURE_NAME_GAPS may skip numbers. */
void wt_tape_number_names(struct wt_tape *tape, uint32_t first);

/**
 * Begin packets that need not survive a kill of this process before the next flush: those of one stop. Where the tape has
 * `cores`, their chunks are compressed at once by as many threads.
 */
void wt_tape_begin_bulk(struct wt_tape *tape);

/** Bring all packets into the file, where they survive a kill of this process. */
struct wt_error *wt_tape_flush(struct wt_tape *tape);

/** Move the trace, which is in memory or elsewhere, to a new file. After an error it is where it was. */
struct wt_error *wt_tape_move(struct wt_tape *tape, const char *path);

/** Compress all packets that are not compressed yet and write them to the file. @sync: sync the file, too. */
struct wt_error *wt_tape_close_chunk(struct wt_tape *tape, bool sync);

/**
 * Close the open chunk, with packets that all survive a kill of this process from then on: because a stop ends it, or because
 * of its age. It may be written to the file after this returns.
 */
struct wt_error *wt_tape_close_later(struct wt_tape *tape);

/** Is there a closed chunk that is not in the file yet? */
bool wt_tape_is_deferred(const struct wt_tape *tape);

/** Has the open chunk been open for too long? */
bool wt_tape_is_old(const struct wt_tape *tape);

/** Packets so far. */
uint64_t wt_tape_packets(const struct wt_tape *tape);

/** Close the last chunk, write the final index and the footer, and cut off the reserved space. */
struct wt_error *wt_tape_finish(struct wt_tape *tape, bool sync);

/** How many bytes more than needed the file grows by, if there is space for them. */
uint64_t wt_tape_growth(const struct wt_tape *tape);

/** An error if somebody truncated the file. Then the stage is unmapped, so that nothing is stored through the mapping. */
struct wt_error *wt_tape_check_file(struct wt_tape *tape);

/** Bytes of memory that compression takes, including chunks that worker threads compress. */
size_t wt_tape_compression_size(const struct wt_tape *tape);

#endif /* WT_TRACE_FORMAT_CONTAINER_TAPE_H */
