/* SPDX-License-Identifier: MIT */
/* The packets that have items, and items on their way into states. */
#ifndef WT_TRACE_FORMAT_READER_ITEMS_H
#define WT_TRACE_FORMAT_READER_ITEMS_H

#include "trace-format/message/packet.h"
#include "trace-format/reader/internal.h"

/** Is a packet one that has items: MOMENT, LATE or FACTS? */
static inline bool wt_reader_has_items(const struct wt_packet *packet)
{
	return packet->field == WT_PACKET_MOMENT || packet->field == WT_PACKET_LATE ||
	       packet->field == WT_PACKET_FACTS;
}

/** The field that has the items of such a packet. */
static inline unsigned int wt_reader_items_field(const struct wt_packet *packet)
{
	switch ((int)packet->field) {
	case WT_PACKET_MOMENT:
		return WT_FIELD_MOMENT_ITEM;
	case WT_PACKET_LATE:
		return WT_FIELD_LATE_ITEM;
	default:
		return WT_FIELD_FACTS_ITEM;
	}
}

/**
 * Find out, once, whether such a packet can be decoded.
 *
 * Errors: INPUT if anything in it is malformed; out of memory.
 */
struct wt_error *wt_reader_check_items(struct wt_reader *reader, const struct wt_chunk *chunk,
				       const struct wt_packet *packet);

/** Answers as items and events have them, in @arena. They point to the same bytes. NULL if there is no memory. */
struct wt_answer *wt_reader_answers(struct wt_arena *arena, const struct wt_wire_list *list);

/**
 * Apply its items to a state, in their order: set them, or remove what they remove. An item whose bytes
 * are lost is left out, and that is noted.
 *
 * @before: a state that may hold some of the same items, so that their bytes need not be read again; may be NULL.
 */
struct wt_error *wt_reader_apply_items(struct wt_reader *reader, const struct wt_chunk *chunk,
				       const struct wt_packet *packet,
				       const struct wt_state *before, struct wt_state *state);

#endif /* WT_TRACE_FORMAT_READER_ITEMS_H */
