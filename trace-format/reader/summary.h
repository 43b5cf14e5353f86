/* SPDX-License-Identifier: MIT */
/*
 * The summary that the final index of a trace has, so that a list of stops needs none of the chunks (FORMAT.md,
 * "Summary"). The chunks count: each moment or state that is read is compared with the summary, and a contradiction is
 * noted as damage. From then on there is no summary, and a caller that has used it starts again without it.
 */
#ifndef WT_TRACE_FORMAT_READER_SUMMARY_H
#define WT_TRACE_FORMAT_READER_SUMMARY_H

#include "trace-format/reader/reader.h"
#include "trace-format/state/stop-list.h"

/**
 * All stops of a trace, in order. NULL if there is no list, or it was found to be wrong. The stops stay valid until the
 * reader is closed.
 */
const struct wt_stop *wt_reader_listed_stops(struct wt_reader *reader, size_t *count_ret);

struct wt_listed_notice {
	enum wt_notice_kind kind;
	const char *text;
	uint64_t call;
};

/** The same for its notices, without those that carry facts of the host. */
const struct wt_listed_notice *wt_reader_listed_notices(struct wt_reader *reader,
							size_t *count_ret);

/** The image of a code object that a stop lists; the caller releases it. INPUT if a part of it is lost. */
struct wt_error *wt_reader_listed_image(struct wt_reader *reader, const struct wt_stop_code *code,
					struct wt_bytes **bytes_ret);

/* For the files of the reader: */

struct wt_block;
struct wt_index;
struct wt_summary;

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

#endif /* WT_TRACE_FORMAT_READER_SUMMARY_H */
