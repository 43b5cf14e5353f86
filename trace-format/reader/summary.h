/* SPDX-License-Identifier: MIT */
/*
 * What the final index of a trace repeats for an overview, so that a list of stops needs none of its chunks (FORMAT.md,
 * "Summary"). The chunks count: a moment, or a state, that is read is compared with it, and what it contradicts is noted as
 * damage. Then there is no summary any more, and who has used it begins again without.
 */
#ifndef WT_TRACE_FORMAT_READER_SUMMARY_H
#define WT_TRACE_FORMAT_READER_SUMMARY_H

#include "trace-format/reader/reader.h"
#include "trace-format/state/stops.h"

/**
 * All stops of a trace, in order; NULL if there is no list of them, also because it was found to be wrong. They stay valid
 * until the reader is closed.
 */
const struct wt_stop *wt_reader_listed_stops(struct wt_reader *reader, size_t *count_ret);

struct wt_listed_notice {
	enum wt_notice_kind kind;
	const char *text;
	uint64_t call;
};

/** The same of its notices, but for those that carry facts of the host. */
const struct wt_listed_notice *wt_reader_listed_notices(struct wt_reader *reader,
							size_t *count_ret);

/**
 * Bytes of a code object that a stop lists: its image. The caller releases them. INPUT if a part of it is lost.
 */
struct wt_error *wt_reader_listed_image(struct wt_reader *reader, const struct wt_stop_code *code,
					struct wt_bytes **bytes_ret);

#endif /* WT_TRACE_FORMAT_READER_SUMMARY_H */
