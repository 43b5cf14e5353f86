/* SPDX-License-Identifier: MIT */
/*
 * Packets of the journal. A packet is a begin, fields, and an end:
 *
 *     wt_writer_open_end(writer, &end, &packet)
 *     wt_encode_value(packet, WT_FIELD_CALL_END_OUTPUT, &value) and so on, in the order of the fields' numbers
 *     wt_writer_close_packet(writer)          or wt_writer_close_begin(): the packet is in the trace
 *
 * Records of calls as a whole (writer.h) are written by the same three steps.
 */
#ifndef WT_TRACE_FORMAT_WRITER_WRITE_JOURNAL_H
#define WT_TRACE_FORMAT_WRITER_WRITE_JOURNAL_H

#include "trace-format/message/encode.h"
#include "trace-format/message/packet.h"
#include "trace-format/writer/writer.h"

/** Encode a value as field @field of a packet. Its data are copied. */
void wt_encode_value(struct wt_buffer *packet, unsigned int field, const struct wt_value *value);

/**
 * Begin a CallBegin, or a CallEnd, with what comes before its values. Nothing else may be written until it is closed.
 *
 * @begin, @end: their values are not used.
 * @packet_ret: where these are encoded. A buffer without memory is `failed`, and closing the packet returns that.
 * Errors: those of the writer; there is no packet then.
 */
struct wt_error *wt_writer_open_begin(struct wt_writer *writer, const struct wt_call_begin *begin,
				      struct wt_buffer **packet_ret);
struct wt_error *wt_writer_open_end(struct wt_writer *writer, const struct wt_call_end *end,
				    struct wt_buffer **packet_ret);

/** End a CallBegin. When this returns it is in the file and survives a kill. @start: the call's. */
struct wt_error *wt_writer_close_begin(struct wt_writer *writer, uint64_t start);

/** End any other packet: it is in the file with the next CallBegin. */
struct wt_error *wt_writer_close_packet(struct wt_writer *writer);

/** Is the beginning of a call in the trace? What else belongs to one that a ring has dropped is dropped with it. */
bool wt_writer_has_call(const struct wt_writer *writer, uint64_t number);

#endif /* WT_TRACE_FORMAT_WRITER_WRITE_JOURNAL_H */
