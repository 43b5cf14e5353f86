/* SPDX-License-Identifier: MIT */
/*
 * Items, moments and blobs as packets have them, decoded straight from their bytes: a keyframe of a full GPU has a hundred
 * thousand items and answers, and a session may have as many moments.
 */
#ifndef WT_TRACE_FORMAT_READER_PACKED_H
#define WT_TRACE_FORMAT_READER_PACKED_H

#include "trace-format/message/protobuf-decode.h"
#include "trace-format/state/item.h"

/* A change of bytes. */
struct wt_packed_patch {
	uint64_t offset;
	struct wt_cursor data;
	uint32_t encoding;
};

/* An Item. What it points to lies in the bytes that it was decoded from, or in its lists. Zero it before use. */
struct wt_packed_item {
	uint32_t type, kind;
	uint64_t owner, address;
	bool removed, keep;
	int64_t status;
	uint32_t blob, handle_blob;
	uint64_t size;
	struct wt_wire_list answers;	/* struct wt_answer */
	struct wt_wire_list handles;	/* uint64_t */
	struct wt_wire_list numbers;	/* uint64_t */
	struct wt_wire_list more_blobs; /* uint32_t */
	struct wt_wire_list patches;	/* struct wt_packed_patch */
};

void wt_packed_item_deinit(struct wt_packed_item *item);

/** Decode an Item into @item, whose lists are used again. */
enum wt_decoded wt_packed_item_decode(struct wt_cursor body, struct wt_packed_item *item);

/* The object that an Item is about. */
struct wt_packed_key {
	uint32_t type, kind;
	uint64_t owner, address;
};

/** Decode what an Item is of, and step over the rest of it. */
enum wt_decoded wt_packed_key_decode(struct wt_cursor body, struct wt_packed_key *key_ret);

/** Only say whether one can be decoded. */
enum wt_decoded wt_packed_item_check(struct wt_cursor body);

/** Only say whether the body of a LATE can be decoded, or of FACTS, with its items. */
enum wt_decoded wt_packed_late_check(struct wt_cursor body);
enum wt_decoded wt_packed_facts_check(struct wt_cursor body);

/* An Event of a moment; its answers are in a row with those of the others. */
struct wt_packed_event {
	struct wt_cursor body;
	uint64_t handle;
	uint32_t kind;
	size_t answer_count;
};

struct wt_packed_log {
	uint32_t level, event;
	struct wt_cursor text; /* up to a NUL, if there is one in it */
};

/* A Moment without its items. Zero it before use. */
struct wt_packed_moment {
	uint32_t number, cause, function;
	uint64_t process, call, time;
	int64_t status;
	bool keyframe, after_resume;
	struct wt_wire_list events;	    /* struct wt_packed_event */
	struct wt_wire_list answers;	    /* struct wt_answer, of all events */
	struct wt_wire_list stop_requested; /* uint64_t */
	struct wt_wire_list log;	    /* struct wt_packed_log */
};

void wt_packed_moment_deinit(struct wt_packed_moment *moment);

/**
 * Decode a Moment into @moment, whose lists are used again.
 *
 * @check: whether its items can be decoded, too, is to be found out; false: it is known.
 */
enum wt_decoded wt_packed_moment_decode(struct wt_cursor body, bool check,
					struct wt_packed_moment *moment);

/* A Blob without its key. */
struct wt_packed_blob {
	struct wt_cursor data;
	uint32_t encoding;
};

enum wt_decoded wt_packed_blob_decode(struct wt_cursor body, struct wt_packed_blob *blob_ret);

/**
 * The next item of a packet that has items (MOMENT, LATE, FACTS) in field @number.
 *
 * @body: moves on behind it.
 *
 * Return: false at the end, which is where @body has nothing left: else the packet is malformed.
 */
bool wt_packed_item_next(struct wt_cursor *body, unsigned int number, struct wt_cursor *item_ret);

#endif /* WT_TRACE_FORMAT_READER_PACKED_H */
