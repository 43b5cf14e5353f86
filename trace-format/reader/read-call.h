/* SPDX-License-Identifier: MIT */
/*
 * Packets of calls, decoded straight from their bytes: a trace may have millions of them, and generated code, which
 * builds a tree of each, takes a third of the time of who goes through them.
 */
#ifndef WT_TRACE_FORMAT_READER_READ_CALL_H
#define WT_TRACE_FORMAT_READER_READ_CALL_H

#include "trace-format/message/packet.h"
#include "trace-format/message/protobuf-decode.h"
#include "trace-format/reader/reader.h"

/* Room for the values (struct wt_value) of a packet. Zero it before use. */
struct wt_call_values {
	struct wt_wire_list inputs, outputs;
};

void wt_call_values_deinit(struct wt_call_values *values);

/** Is a packet one that wt_call_decode() is for: CALL_BEGIN, CALLBACK or CALL_END? */
static inline bool wt_call_is(enum wt_field_packet field)
{
	return field == WT_PACKET_CALL_BEGIN || field == WT_PACKET_CALLBACK ||
	       field == WT_PACKET_CALL_END;
}

/**
 * Decode the body of a packet of a call.
 *
 * @record: written on success: its kind, and the part that belongs to that. It points to @values, and bytes of values
 * to @body.
 */
enum wt_decoded wt_call_decode(enum wt_field_packet field, struct wt_cursor body,
			       struct wt_call_values *values, struct wt_journal_record *record);

#endif /* WT_TRACE_FORMAT_READER_READ_CALL_H */
