/* SPDX-License-Identifier: MIT */
/*
 * The reader as a structure, for the files that it is made of. Each has a header for what it gives to the others; what others
 * use is in reader.h.
 *
 *     open-file.c, chunk-places.c, stage.c, head.c  open a file and find its chunks, also of a damaged one; heads of blocks
 *     chunk-load.c, chunk.c            read and check a chunk; its packets
 *     find.c, read-state.c, items.c    moments without their states; the state at a moment
 *     blobs.c                          the bytes of blobs
 *     read-journal.c, read-host.c      the journal; facts of the host
 *     summary.c                        the list of stops and notices in the final index
 *     check.c, notes.c                 examine all of it; what is damaged
 */
#ifndef WT_TRACE_FORMAT_READER_INTERNAL_H
#define WT_TRACE_FORMAT_READER_INTERNAL_H

#include <sys/queue.h>
#include <zstd.h>

#include "base/buffer.h"
#include "trace-format/container/block.h"
#include "trace-format/container/index.h"
#include "trace-format/message/arena.h"
#include "trace-format/messages.h"
#include "trace-format/reader/chunk.h"
#include "trace-format/reader/older-items.h"
#include "trace-format/state/names.h"

#define WT_CHUNK_CACHE ((size_t)96 << 20)
#define WT_BLOB_SLOTS 4096u
#define WT_BLOB_CACHE ((size_t)64 << 20)
#define WT_BUDGET_DEFAULT ((uint64_t)8 << 30)
#define WT_LIMIT_VALUE ((uint64_t)1 << 30) /* bytes of one item's value */
#define WT_LIMIT_CHUNKS ((size_t)1 << 24)

struct wt_key;
struct wt_state;

/* The place of a chunk in the file. */
struct wt_place {
	struct wt_index_entry entry;
	bool damaged;
	bool restored; /* its payload is damaged, and was made of the others and the parity */
	/* See wt_reader_note_malformed(): the packets from which on damage is not noted yet. */
	uint32_t malformed, malformed_facts;
	struct wt_chunk *recovered; /* made of a stage; it cannot be loaded again */
	struct wt_chunk *cached;    /* NULL: it is to be loaded */
	struct wt_moment **moments; /* decoded so far; NULL before the first */
};

struct wt_blob_slot {
	uint32_t number;
	struct wt_bytes *bytes;
};

/* The summary in the final index (summary.c). */
struct wt_summary {
	uint8_t *content; /* compressed; NULL: there is none */
	size_t content_size;
	uint64_t offset, size; /* of the index block */
	bool fits;	       /* it describes the chunks that the index lists */
	bool looked_at;	       /* decoding was tried; what follows is in `arena` */
	bool no_memory;	       /* there was no memory to decode it */
	bool refused;	       /* it is not used, and that was noted */
	bool has_stops, has_notices;
	bool malformed_notices; /* it has a list of notices that cannot be decoded */
	struct wt_arena arena;
	struct wt_stop *stops;
	size_t stop_count;
	struct wt_listed_notice *notices;
	size_t notice_count;
	uint64_t host_packet;
};

struct wt_reader_file {
	int fd;
	char *path;
	uint64_t size;
	bool outdated; /* see wt_reader_is_outdated() */
	struct wt_file_fields identity;
	uint32_t id; /* low bits of the file's id */
	bool identity_known;
};

/* The chunks of the file, as they were found when it was opened. */
struct wt_reader_places {
	struct wt_place *at;
	size_t count, capacity;
	size_t last_moment; /* where a moment was found last; any number */
	bool name_gaps;	    /* name numbers may have gaps */
	bool closed;	    /* the FINAL was used: it lists every chunk */
	/* All chunks' payloads, joined, which the FINAL of a small trace has; NULL: there is none. */
	uint8_t *parity;
	size_t parity_size;
	uint64_t footer_end; /* end of the footer that a walk found; 0: none */
	uint64_t heads_read;
};

/* Packets that the final index repeats: what is known of the trace once it is open. */
struct wt_reader_repeated {
	struct wt_names names;
	struct wt_older_items older;
	const struct wt_packed_header *header;	/* in lasting memory; NULL if it is lost */
	const struct wt_packed_end *end;	/* likewise; NULL if the trace was not closed */
	struct wt_cursor header_body, end_body; /* these two as bytes */
	const char **command_line;
};

struct wt_reader_memory {
	struct wt_arena lasting; /* as long as the reader */
	struct wt_arena scratch; /* for one packet */
	/* For an item that is being decoded, and for one that was deferred: it may be read for a change of it. */
	struct wt_arena item, deferred;
};

/* Bytes that may be decoded. */
struct wt_reader_budget {
	uint64_t one_call, spent;  /* by one call, and what this call did */
	uint64_t work, work_limit; /* by all calls, see wt_reader_work(); limit 0: none */
};

/* Decompressed chunks. */
struct wt_reader_chunks {
	ZSTD_DCtx *zstd; /* NULL before the first one */
	TAILQ_HEAD(wt_chunks, wt_chunk)
	recent; /* cached ones, the one that was used last at the end */
	size_t size, limit;
};

/* Cached blobs. */
struct wt_reader_blobs {
	struct wt_blob_slot *slots; /* NULL before the first one */
	uint32_t count;
	size_t size, limit;
};

struct wt_reader_states {
	struct wt_state *facts; /* NULL before the first read */
	struct wt_state *last;	/* the state built last, without facts */
	uint32_t last_number;
	bool last_is_short; /* what came late for it may be lost: no other state is built on it */
	bool defers; /* registers of states that are built now are read when they are asked for */
	bool items_lost; /* an item was left out of a state */
	bool (*is_needed)(void *opaque, const struct wt_key *key); /* see wt_reader_need() */
	void *needed_opaque;
};

/* Notes of damage (notes.c). */
struct wt_reader_damage {
	struct wt_buffer text; /* NUL-terminated unless empty */
	char **old_texts;      /* texts handed out before a longer one replaced them */
	size_t old_text_count;
	unsigned int count;
	struct wt_damage *pieces; /* the same as a list, which owns its texts */
	size_t piece_count, piece_capacity;
	uint64_t dropped; /* pieces that were counted but not kept */
	/* The range of offsets of dropped pieces: a walk through the file finds pieces next to each other. */
	uint64_t first_dropped, last_dropped;
	bool loss; /* a piece is a loss */
};

struct wt_reader {
	struct wt_reader_file file;
	struct wt_reader_places places;
	struct wt_reader_repeated repeated;
	struct wt_reader_memory memory;
	struct wt_reader_budget budget;
	struct wt_reader_chunks chunks;
	struct wt_reader_blobs blobs;
	struct wt_reader_states states;
	struct wt_summary summary;
	struct wt_reader_damage damage;
};

#endif /* WT_TRACE_FORMAT_READER_INTERNAL_H */
