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

#endif /* WT_TRACE_FORMAT_READER_SUMMARY_H */
