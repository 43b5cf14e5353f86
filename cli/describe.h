/* SPDX-License-Identifier: MIT */
/* How waves and code are put into words and JSON, the same in every verb. */
#ifndef WT_CLI_DESCRIBE_H
#define WT_CLI_DESCRIBE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/facts.h"
#include "replayer/view/explain.h"
#include "replayer/view/missing.h"
#include "replayer/view/stop-summary.h"

#define WT_DESCRIBE_MAX 512

/** "0-3,17" for a set of lanes; "none" for the empty one. */
const char *wt_describe_lanes(uint64_t lanes, char buffer[WT_DESCRIBE_MAX]);

/** "MEMORY_VIOLATION|SINGLE_STEP". */
const char *wt_describe_reasons(uint32_t reasons, char buffer[WT_DESCRIBE_MAX]);

/** "memory violation": the same for a sentence. */
const char *wt_describe_reasons_plainly(uint32_t reasons, char buffer[WT_DESCRIBE_MAX]);

/** "(1,0,0)/2": workgroup and number in it, or "(?)" if @workgroup is NULL. */
const char *wt_describe_place(const uint32_t workgroup[3], uint32_t number_in_group,
			      char buffer[WT_DESCRIBE_MAX]);

/** The same of a wave, and "(0,0,0) of cluster (1,0,0)" after it where the recorded library has clusters. */
const char *wt_describe_coordinates(const struct wt_explain_wave *wave,
				    char buffer[WT_DESCRIBE_MAX]);

/** "vecadd+0x24 at vecadd.c:12:9", as far as it is known. */
const char *wt_describe_code(const struct wavetape_place *code, char buffer[WT_DESCRIBE_MAX]);

/** "lanes 3-7 store 4 bytes at 0x1000 .. 0x1010 (not mapped)": what a faulting access did. */
const char *wt_describe_access(const struct wt_explain_wave *wave, char buffer[WT_DESCRIBE_MAX]);

/** "2026-11-22 10:00:00 UTC" for nanoseconds since 1970. */
const char *wt_describe_time(uint64_t nanoseconds, char buffer[WT_DESCRIBE_MAX]);

/** "WAVE_STOP": an event kind. */
const char *wt_describe_event_kind(uint32_t kind, char buffer[WT_DESCRIBE_MAX]);

/** "0x0000200000001960": a value of @size bytes, little endian in memory; in full up to 32 bytes. */
const char *wt_describe_value(const uint8_t *value, size_t size, char buffer[WT_DESCRIBE_MAX]);

/** Their numbers: [0, 1, 2, 3, 17]. */
json_t *wt_describe_lanes_json(uint64_t lanes);

/** Words for source text that is at hand. */
#define WT_CLI_SOURCE_DIFFERS "the source differs from the one compiled"

/** "source_differs": true or false; nothing where it is not known. */
void wt_describe_match_into(enum wt_source_match match, json_t *json);

/** Up to 8 bytes, little endian, as a number. */
uint64_t wt_describe_number(const uint8_t *bytes, size_t size);

/** @several: the trace has stops of several processes. */
json_t *wt_describe_stop_json(const struct wt_stop_summary *summary, bool several);

json_t *wt_describe_register_json(const struct wt_view_register *reg);

/**
 * All that the library was asked of an object, by the queries' names in small letters. What was not answered is left out.
 */
json_t *wt_describe_object_json(struct wt_view *view, enum wt_object object, uint64_t handle);

/** The same of the event at @position of the view's moment. */
json_t *wt_describe_event_json(const struct wt_view *view, size_t position);

/** A function's name as people read it, see wt_cli_name(). */
json_t *wt_describe_name_json(const char *symbol);

json_t *wt_describe_code_json(const struct wavetape_place *code);
json_t *wt_describe_wave_json(const struct wt_explain_wave *wave);

/* The code that a wave stands at, and what it is as JSON; NULL: nothing yet. */
struct wt_described_code {
	struct wavetape_place
		code; /* its texts are those of the wave that had it first, which must live */
	json_t *json;
};

/** The same of one wave after the other: those at one place share what is said of it, in @last, whose `json` the caller drops. */
json_t *wt_describe_next_wave_json(const struct wt_explain_wave *wave,
				   struct wt_described_code *last);

/** The reasons why there may have been more than a trace has, as an array of strings. */
json_t *wt_describe_missing_json(const struct wt_missing *missing);

#endif /* WT_CLI_DESCRIBE_H */
