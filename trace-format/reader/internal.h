/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of the reader share: the reader itself. This header includes reader.h for the public types;
 * reader.c includes both. Further parts of the room have headers of their own: chunk-places.h, items.h, stage.h.
 *
 *     reader.c, head.c                 open a file; heads of blocks
 *     scan.c, chunk-places.c, stage.c  find the chunks of a file, also of a damaged one
 *     chunk-load.c, chunk.c            read and check a chunk; its packets
 *     moment-packet.c                  moments without their states
 *     find.c, read-state.c, items.c    the state at a moment
 *     blobs.c                          the bytes of blobs
 *     read-journal.c, read-host.c      the journal; facts of the host
 *     summary.c                        the list of stops and notices in the final index
 *     check.c, notes.c                 examine all of it; what is damaged
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
#include "trace-format/messages.h"

#define WT_CHUNK_CACHE ((size_t)96 << 20)
#define WT_BLOB_SLOTS 4096u
#define WT_BLOB_CACHE ((size_t)64 << 20)
#define WT_BUDGET_DEFAULT ((uint64_t)8 << 30)
#define WT_LIMIT_VALUE ((uint64_t)1 << 30) /* bytes of one item's value */
#define WT_LIMIT_CHUNKS ((size_t)1 << 24)

/* Does a LATE packet belong to the newest of the @moments moments before it? */
static inline bool wt_packet_is_of_last(const struct wt_packet *packet, uint64_t moments)
{
	return (uint64_t)packet->moment + 1 == moments;
}

/* The place of a chunk in the file. */
struct wt_place {
	struct wt_index_entry entry;
	bool damaged;
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

struct wt_reader {
	int fd;
	char *path;
	uint64_t size;
	struct wt_file_fields identity;
	uint32_t file_id; /* low bits of the file's id */
	bool identity_known;
	bool name_gaps; /* name numbers may have gaps */
	bool outdated;	/* see wt_reader_is_outdated() */
	bool closed;	/* the FINAL was used: it lists every chunk */
	struct wt_place *places;
	size_t place_count, place_capacity;
	uint64_t heads_read; /* while the file was opened */
	size_t moment_place; /* where a moment was found last; any number */
	struct wt_names names;
	const struct wt_packed_header *header;	/* in `lasting`; NULL if it is lost */
	const struct wt_packed_end *end;	/* likewise; NULL if the trace was not closed */
	struct wt_cursor header_body, end_body; /* these two as bytes */
	const char **command_line;
	struct wt_arena lasting; /* memory that lives as long as the reader */
	struct wt_arena scratch; /* memory that lives for one packet */
	/* Memory for an item that is being decoded, and for one that was deferred: it may be read for a change of it. */
	struct wt_arena item, deferred;
	uint64_t budget, spent;	   /* bytes one call may decode, and bytes this call decoded */
	uint64_t work, work_limit; /* of all calls, see wt_reader_work(); limit 0: none */
	ZSTD_DCtx *zstd;	   /* NULL before the first chunk */
	TAILQ_HEAD(wt_chunks, wt_chunk)
	chunks; /* cached ones, the one that was used last at the end */
	size_t chunks_size, chunks_limit, blobs_limit;
	struct wt_blob_slot *blobs; /* NULL before the first one */
	uint32_t blob_slots;
	size_t blobs_size;
	struct wt_state *facts; /* NULL before the first read */
	struct wt_state *last;	/* the state built last, without facts */
	uint32_t last_number;
	bool last_is_short; /* what came late for it may be lost: no other state is built on it */
	bool defers; /* registers of states that are built now are read when they are asked for */
	bool (*is_needed)(void *opaque, const struct wt_key *key); /* see wt_reader_need() */
	void *needed_opaque;
	struct wt_summary summary;
	uint64_t footer_end;	 /* end of the footer that a walk found; 0: none */
	struct wt_buffer damage; /* text, NUL-terminated unless empty */
	char **damage_texts;	 /* texts handed out before a longer one replaced them */
	size_t damage_text_count;
	unsigned int damage_count;
	struct wt_damage *pieces; /* the same as a list, which owns its texts */
	size_t piece_count, piece_capacity;
	uint64_t pieces_dropped; /* pieces that were counted but not kept */
	/* The range of offsets of dropped pieces: a walk through the file finds pieces next to each other. */
	uint64_t first_dropped, last_dropped;
	bool loss;	 /* a piece is a loss */
	bool items_lost; /* an item was left out of a state */
};

/* head.c: heads of blocks */

/* How many bytes of a file are searched for a head before the file is called no trace. */
#define WT_SEARCH_LIMIT ((uint64_t)16 << 20)

/** Read the head at an offset. @found_ret: false if there is none that belongs to this file. */
struct wt_error *wt_reader_read_head(struct wt_reader *reader, uint64_t offset,
				     struct wt_block *block_ret, bool *found_ret);
/** The offset of the first intact head from @offset on and before @limit; the size of the file if there is none. */
struct wt_error *wt_reader_search_head(struct wt_reader *reader, uint64_t offset, uint64_t limit,
				       uint64_t *offset_ret);
/** The error for a head with a newer major version. */
struct wt_error *wt_reader_newer(const struct wt_reader *reader);
/** The offset of the newest index before the head that is nearest to the end of the file; 0: none. */
struct wt_error *wt_reader_newest_index(struct wt_reader *reader, uint64_t *offset_ret);
/** Is a block inside the file? */
bool wt_reader_fits(const struct wt_reader *reader, const struct wt_block *block);

/* scan.c: find the chunks */

/** Fill identity, places, names, header and end from the file. */
struct wt_error *wt_reader_scan(struct wt_reader *reader);
/** Use the copies of Header, Names and End among the packets of @chunk. */
struct wt_error *wt_reader_take_packets(struct wt_reader *reader, const struct wt_chunk *chunk);

/* chunk.c: the packets of a chunk */

/** Split decompressed bytes into packets. Takes @raw over, also on failure. */
struct wt_error *wt_chunk_create(uint8_t *raw, size_t size, struct wt_chunk **chunk_ret);
/** Bytes of the lists of a chunk with so many packets in each. */
static inline size_t wt_chunk_lists_size(size_t moments, size_t states, size_t blobs)
{
	return moments * sizeof(struct wt_chunk_moment) + (states + blobs) * sizeof(uint32_t);
}
/** Skip one packet of a Trace. False, with nothing skipped, if there is no complete one. */
bool wt_chunk_skip_packet(struct wt_cursor *cursor);
/**
 * Count what a chunk holds. @fields must have the first name, the first moment and the keyframe before the chunk; the
 * counts are filled in. False if the chunk's names or moments have other numbers; the fields are then invalid.
 */
bool wt_chunk_count(const struct wt_chunk *chunk, bool name_gaps, struct wt_chunk_fields *fields);
/** Do the packets of a chunk agree with the fields in its head? @name_gaps: name numbers may have gaps. */
bool wt_chunk_fits(const struct wt_chunk *chunk, bool name_gaps,
		   const struct wt_chunk_fields *fields);

/* chunk-load.c: reading from the file */

/** Read exactly @size bytes at an offset. */
struct wt_error *wt_reader_read(struct wt_reader *reader, uint64_t offset, void *data, size_t size);
/**
 * Load and check the chunk of a place; the caller releases it. INPUT if it is damaged; the damage is noted.
 */
struct wt_error *wt_reader_load(struct wt_reader *reader, size_t place,
				struct wt_chunk **chunk_ret);
/** Empty the cache of chunks. */
void wt_reader_drop_chunks(struct wt_reader *reader);
/** Count @size decoded bytes against the budget of this call and that of all calls. */
struct wt_error *wt_reader_spend(struct wt_reader *reader, uint64_t size);
/**
 * Decode a packet's body into @arena.
 *
 * @message_ret: what the packet's kind becomes (trace-format/messages.h). It points into the chunk.
 */
struct wt_error *wt_packet_unpack(struct wt_reader *reader, struct wt_arena *arena,
				  const struct wt_chunk *chunk, const struct wt_packet *packet,
				  const void **message_ret);

/** The body of a packet as bytes. */
static inline struct wt_cursor wt_packet_body(const struct wt_chunk *chunk,
					      const struct wt_packet *packet)
{
	return wt_cursor_init(chunk->raw + packet->offset, packet->size);
}

/** Tells the result of decoding the body of a packet, or a part of it, as an error. NULL: it was decoded. */
struct wt_error *wt_packet_decoded(const struct wt_reader *reader, const struct wt_packet *packet,
				   enum wt_decoded decoded);

/* notes.c */

/** An error whose place is in this file. */
__attribute__((format(printf, 3, 4))) struct wt_error *
wt_reader_error(const struct wt_reader *reader, enum wt_error_code code, const char *format, ...);
/**
 * Note a piece of damage: @size bytes at @offset, both 0 or WT_NO_OFFSET where that is not known.
 * @loss: the damage loses something.
 */
__attribute__((format(printf, 5, 6))) void wt_reader_note(struct wt_reader *reader, uint64_t offset,
							  uint64_t size, bool loss,
							  const char *format, ...);
/* Consecutive packets, and the moments and calls among them. */
struct wt_run {
	uint64_t first_packet, packets, first_moment, moments, first_call, calls;
};
struct wt_run wt_run_of(const struct wt_chunk_fields *fields);

#define WT_LOST_TEXT_SIZE 256u
/** Write "packets 3 to 9 are lost, among them 1 moment from 2 and 5 calls from 11" into @text and return it. */
const char *wt_run_lost(const struct wt_run *run, char text[WT_LOST_TEXT_SIZE]);

/**
 * Note that a packet cannot be decoded, although its chunk is intact (read-journal.c). The first reader of a packet of the
 * journal, or of the facts, notes it. The packets of each of these two are read in the order of the chunk.
 */
void wt_reader_note_malformed(struct wt_reader *reader, struct wt_place *place,
			      const struct wt_chunk *chunk, size_t number, const char *why);
/** Free all notes. For wt_reader_close(). */
void wt_reader_drop_notes(struct wt_reader *reader);

/* blobs.c */

/** The bytes of a blob; the caller releases them. INPUT if it is lost or damaged. */
struct wt_error *wt_reader_blob(struct wt_reader *reader, uint32_t number,
				struct wt_bytes **bytes_ret);
/** Concatenate the bytes of some blobs, and of some more; the caller releases them. INPUT if one is lost. */
struct wt_error *wt_reader_join(struct wt_reader *reader, const uint32_t *blobs, size_t count,
				const uint32_t *more, size_t more_count,
				struct wt_bytes **bytes_ret);
/** The error for bytes in an encoding that is not known. @of: what they are. */
struct wt_error *wt_reader_unknown_encoding(const struct wt_reader *reader, const char *of,
					    uint32_t encoding);
/** Empty the cache of blobs. */
void wt_reader_drop_blobs(struct wt_reader *reader);

/* summary.c */

/** Keep the summary of a final index, with the sections @index, until it is needed. */
struct wt_error *wt_summary_keep(struct wt_reader *reader, const struct wt_block *block,
				 const struct wt_index *index);
void wt_summary_deinit(struct wt_summary *summary);
/** Stop using the summary, and note it as damage without loss. */
void wt_summary_refuse(struct wt_reader *reader, const char *why);
/** Is there a list of notices that is not used because not all of them can be decoded? */
bool wt_summary_has_malformed_notices(struct wt_reader *reader);
/** 1 + the number of the last notice that carries facts of the host; 0: none. False if that is not known. */
bool wt_summary_host(struct wt_reader *reader, uint64_t *packet_ret);
/**
 * Compare the list of stops, if it is in use, with a moment that was read, or with its state without facts. The summary
 * is refused if it contradicts them.
 */
void wt_summary_compare_moment(struct wt_reader *reader, const struct wt_moment *moment);
struct wt_error *wt_summary_compare_state(struct wt_reader *reader, const struct wt_moment *moment,
					  const struct wt_state *state);

/* find.c */

/** Things that chunks count, each from where the chunk before ends. */
enum wt_counted { WT_COUNTED_PACKETS, WT_COUNTED_BLOBS, WT_COUNTED_MOMENTS };

/**
 * The first place that does not end before a number. Places without any end where the next starts.
 *
 * Return: the number of places if all end before. If what is asked for is lost, the place starts behind it.
 */
size_t wt_reader_place_from(const struct wt_reader *reader, enum wt_counted counted,
			    uint64_t number);

/** Does the next place continue with the packet after the last one of @place? */
bool wt_reader_continues(const struct wt_reader *reader, size_t place);

#endif /* WT_TRACE_FORMAT_READER_INTERNAL_H */
