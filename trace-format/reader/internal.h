/* SPDX-License-Identifier: MIT */
/*
 * What the files of the reader share: the reader itself. It includes reader.h for the types that are handed out; reader.c
 * includes both.
 */
#ifndef WT_TRACE_FORMAT_READER_INTERNAL_H
#define WT_TRACE_FORMAT_READER_INTERNAL_H

#include <zstd.h>

#include "base/buffer.h"
#include "trace-format/message/arena.h"
#include "trace-format/container/block.h"
#include "trace-format/container/index.h"
#include "trace-format/state/names.h"
#include "trace-format/reader/chunk.h"
#include "trace-format/reader/reader.h"
#include "trace-format/reader/summary.h"
#include "trace-format/trace.pb-c.h"

#define WT_CHUNK_SLOTS 32u
#define WT_CHUNK_CACHE ((size_t)128 << 20)
#define WT_BLOB_SLOTS 4096u
#define WT_BLOB_CACHE ((size_t)64 << 20)
#define WT_BUDGET_DEFAULT ((uint64_t)8 << 30)
#define WT_LIMIT_VALUE ((uint64_t)1 << 30) /* bytes of one item's value */
#define WT_LIMIT_CHUNKS ((size_t)1 << 24)

/* Does a LATE name the moment before it? There are @moments before it. */
static inline bool wt_packet_is_of_last(const struct wt_packet *packet, uint64_t moments)
{
	return packet->moment < moments && packet->moment + 1 == moments;
}

/* Where a chunk is. */
struct wt_place {
	struct wt_index_entry entry;
	bool damaged;
	/* See wt_reader_note_malformed(): where to go on with the noting. */
	uint32_t malformed, malformed_facts;
	struct wt_chunk *recovered; /* a stage: it is nowhere else */
	struct wt_moment **moments; /* decoded so far; NULL before the first */
};

struct wt_chunk_slot {
	size_t place;
	uint64_t used;
	struct wt_chunk *chunk; /* NULL: free */
};

struct wt_blob_slot {
	uint32_t number;
	struct wt_bytes *bytes;
};

/* What the final index has for an overview (summary.c). */
struct wt_summary {
	uint8_t *content; /* compressed; NULL: there is none */
	size_t content_size;
	uint64_t offset, size; /* of the index block */
	bool fits;	       /* it is of the chunks that the index tells of */
	bool looked_at;	       /* it was decoded, or could not be; what follows is in `arena` */
	bool no_memory;	       /* there was none to decode it */
	bool refused;	       /* it is not used, and that was noted */
	bool has_stops, has_notices;
	bool malformed_notices; /* there is a list of them, which cannot be decoded */
	struct wt_arena arena;
	struct wt_stop *stops;
	size_t stop_count;
	struct wt_listed_notice *notices;
	size_t notice_count;
	uint64_t host_packet;
};

struct wt_reader {
	int fd;
	char *path;
	uint64_t size;
	struct wt_file_fields identity;
	uint32_t file_id; /* its low bits */
	bool identity_known;
	bool name_gaps; /* numbers of names may be left out */
	bool outdated;	/* see wt_reader_is_outdated() */
	bool closed;	/* the FINAL was used: it knows every chunk there is */
	struct wt_place *places;
	size_t place_count, place_capacity;
	uint64_t heads_read; /* while the file was opened */
	struct wt_names names;
	Wavetape__Header *header;		/* in `lasting`; NULL if it is lost */
	Wavetape__End *end;			/* likewise; NULL if the trace was not closed */
	struct wt_cursor header_body, end_body; /* of these two, as bytes */
	const char **command_line;
	struct wt_arena lasting;   /* what lives as long as the reader */
	struct wt_arena scratch;   /* what lives for one packet */
	uint64_t budget, spent;	   /* decoded bytes one call may cost, and what this one did */
	uint64_t work, work_limit; /* of all calls, see wt_reader_work(); 0: there is no limit */
	ZSTD_DCtx *zstd;	   /* NULL before the first chunk */
	struct wt_chunk_slot chunks[WT_CHUNK_SLOTS];
	size_t chunks_size, chunks_limit, blobs_limit;
	uint64_t tick;
	struct wt_blob_slot *blobs; /* NULL before the first one */
	uint32_t blob_slots;
	size_t blobs_size;
	struct wt_state *facts; /* NULL before they were read */
	struct wt_state *last;	/* the state built last, without facts */
	uint32_t last_number;
	struct wt_summary summary;
	uint64_t footer_end;	 /* behind the footer that a walk came across; 0: there is none */
	struct wt_buffer damage; /* text, ending with a NUL when it is not empty */
	char **damage_texts;	 /* texts given out that a longer one replaced */
	size_t damage_text_count;
	unsigned int damage_count;
	struct wt_damage *pieces; /* the same as a list; texts are owned */
	size_t piece_count, piece_capacity;
	uint64_t pieces_dropped; /* beyond those */
	/* Where the dropped ones lie: those of a walk through the file lie there side by side. */
	uint64_t first_dropped, last_dropped;
	bool loss;	 /* one of them is a loss */
	bool items_lost; /* an item was left out of a state */
};

/* head.c: heads of blocks */

/* How far a file without a head of ours is searched before it is called something else. */
#define WT_SEARCH_LIMIT ((uint64_t)16 << 20)

/** The head at an offset: false in @found_ret if there is none that belongs to this file. */
struct wt_error *wt_reader_read_head(struct wt_reader *reader, uint64_t offset,
				     struct wt_block *block_ret, bool *found_ret);
/** The first whole head from @offset on and before @limit, or else the size of the file. */
struct wt_error *wt_reader_search_head(struct wt_reader *reader, uint64_t offset, uint64_t limit,
				       uint64_t *offset_ret);
/** The error of a head whose major version is a later one. */
struct wt_error *wt_reader_newer(const struct wt_reader *reader);
/** The newest index before the head that is nearest to the end of the file; 0: there is none. */
struct wt_error *wt_reader_newest_index(struct wt_reader *reader, uint64_t *offset_ret);
/** Does a block lie inside of the file? */
bool wt_reader_fits(const struct wt_reader *reader, const struct wt_block *block);

/* scan.c: find the chunks */

/** Fill identity, places, names, header and end from the file. */
struct wt_error *wt_reader_scan(struct wt_reader *reader);
/** Take over the copies of Header, Names and End in some packets of a Trace. */
struct wt_error *wt_reader_take_packets(struct wt_reader *reader, const struct wt_chunk *chunk);

/* chunk.c: what is in one */

/** Split decompressed bytes into packets. Takes @raw over in any case. */
struct wt_error *wt_chunk_create(uint8_t *raw, size_t size, struct wt_chunk **chunk_ret);
/** Skip one packet of a Trace: false, and nothing skipped, if there is no whole one. */
bool wt_chunk_skip_packet(struct wt_cursor *cursor);
/**
 * Count what a chunk holds, into the fields whose first name, first moment and keyframe before it are given. False if
 * its names or moments are not numbered as these let expect; the fields are then of no use.
 */
bool wt_chunk_count(const struct wt_chunk *chunk, bool name_gaps, struct wt_chunk_fields *fields);
/** Do the packets of a chunk agree with the numbers in its head? @name_gaps: numbers of names may be left out. */
bool wt_chunk_fits(const struct wt_chunk *chunk, bool name_gaps,
		   const struct wt_chunk_fields *fields);

/* load.c: out of the file */

/** Read at an offset: exactly @size bytes. */
struct wt_error *wt_reader_read(struct wt_reader *reader, uint64_t offset, void *data, size_t size);
/**
 * The chunk of a place, checked; the caller releases it. A damaged one is noted and an INPUT error.
 */
struct wt_error *wt_reader_load(struct wt_reader *reader, size_t place,
				struct wt_chunk **chunk_ret);
/** Count @size decoded bytes against the budget of this call, and that of all. */
struct wt_error *wt_reader_spend(struct wt_reader *reader, uint64_t size);
/** Decode a packet's body into @arena. */
struct wt_error *wt_packet_unpack(struct wt_reader *reader, struct wt_arena *arena,
				  const struct wt_chunk *chunk, const struct wt_packet *packet,
				  ProtobufCMessage **message_ret);
/* notes.c */

/** An error whose place is in this file. */
__attribute__((format(printf, 3, 4))) struct wt_error *
wt_reader_error(const struct wt_reader *reader, enum wt_error_code code, const char *format, ...);
/**
 * Note what is not whole: @size bytes at @offset, both 0 or WT_NO_OFFSET where that is not known.
 * @loss: something is lost by it.
 */
__attribute__((format(printf, 5, 6))) void wt_reader_note(struct wt_reader *reader, uint64_t offset,
							  uint64_t size, bool loss,
							  const char *format, ...);
/* Packets in a row, and those of them that are told by number. */
struct wt_run {
	uint64_t first_packet, packets, first_moment, moments, first_call, calls;
};
struct wt_run wt_run_of(const struct wt_chunk_fields *fields);

#define WT_LOST_TEXT_SIZE 256u
/** "packets 3 to 9 are lost, among them 1 moment from 2 and 5 calls from 11", into @text, which is returned. */
const char *wt_run_lost(const struct wt_run *run, char text[WT_LOST_TEXT_SIZE]);

/**
 * Note that a packet cannot be decoded, although its chunk is whole (journal.c). Whoever comes across one of the
 * journal's, or of the facts, first notes it; each of these two are come across in order in a chunk.
 */
void wt_reader_note_malformed(struct wt_reader *reader, struct wt_place *place,
			      const struct wt_chunk *chunk, size_t number, const char *why);
/** For when the reader is closed. */
void wt_reader_drop_notes(struct wt_reader *reader);

/* items.c */

/** The bytes of some blobs, one after the other; the caller releases them. INPUT if one is lost. */
struct wt_error *wt_reader_join(struct wt_reader *reader, const uint32_t *blobs, size_t count,
				struct wt_bytes **bytes_ret);
/** Empty the cache of blobs. */
void wt_reader_drop_blobs(struct wt_reader *reader);

/* summary.c */

/** Keep the summary of a final index, whose sections @index tells, until it is asked for. */
struct wt_error *wt_summary_keep(struct wt_reader *reader, const struct wt_block *block,
				 const struct wt_index *index);
void wt_summary_deinit(struct wt_summary *summary);
/** Do not use it any more: that is noted as damage, by which nothing is lost. */
void wt_summary_refuse(struct wt_reader *reader, const char *why);
/** Is there a list of notices that is not used, since not all of them can be decoded? */
bool wt_summary_has_malformed_notices(struct wt_reader *reader);
/** 1 + the number of the last notice that carries facts of the host, 0: there is none. False if that is not known. */
bool wt_summary_host(struct wt_reader *reader, uint64_t *packet_ret);
/**
 * Hold the list of stops, where somebody uses it, against a moment that was read, and its state without facts. It is
 * refused where it contradicts them.
 */
void wt_summary_compare_moment(struct wt_reader *reader, const struct wt_moment *moment);
struct wt_error *wt_summary_compare_state(struct wt_reader *reader, const struct wt_moment *moment,
					  const struct wt_state *state);

/* find.c */

/** Does the place after @place go on where it ends? */
bool wt_reader_continues(const struct wt_reader *reader, size_t place);

#endif /* WT_TRACE_FORMAT_READER_INTERNAL_H */
