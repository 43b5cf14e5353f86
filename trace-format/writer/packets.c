/* SPDX-License-Identifier: MIT */
/* Packets that need nothing but a tape: notices, and the End. */
#include "trace-format/message/encode.h"
#include "trace-format/writer/internal.h"

struct wt_error *wt_tape_notice(struct wt_tape *tape, enum wt_notice_kind kind, uint64_t call,
				const char *text)
{
	struct wt_buffer *packet = wt_tape_begin(tape, WT_PACKET_NOTICE);

	wt_encode_number(packet, WT_FIELD_NOTICE_KIND, kind);
	wt_encode_string(packet, WT_FIELD_NOTICE_TEXT, text, false);
	wt_encode_number(packet, WT_FIELD_NOTICE_CALL, call);
	return wt_tape_end(tape, 0);
}

struct wt_error *wt_tape_end_trace(struct wt_tape *tape, const char *reason)
{
	const struct wt_chunk_fields *open = &tape->open;
	struct wt_buffer *packet = wt_tape_begin(tape, WT_PACKET_END);

	wt_encode_number(packet, WT_FIELD_END_PACKETS, wt_tape_packets(tape) + 1);
	wt_encode_number(packet, WT_FIELD_END_MOMENTS, open->first_moment + open->moments);
	wt_encode_number(packet, WT_FIELD_END_CALLS, open->first_call + open->calls - 1);
	wt_encode_string(packet, WT_FIELD_END_REASON, reason, false);
	return wt_tape_end(tape, 0);
}
