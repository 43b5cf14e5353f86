/* SPDX-License-Identifier: MIT */
/*
 * The numbers that a trace has for the names of the table: object kinds, functions, queries. A name that the trace does
 * not have gets 0, which is no name's number.
 */
#ifndef WT_REPLAYER_RECORDED_TABLE_NAMES_H
#define WT_REPLAYER_RECORDED_TABLE_NAMES_H

#include <stdint.h>

#include "dbgapi/table/api.h"
#include "gfx/architecture/architecture.h"
#include "trace-format/reader/reader.h"

#define WT_NAMES_SPACES (GFX_SPACE_LOCAL + 1)

struct wt_table_names {
	uint32_t objects[WT_OBJECT_COUNT];
	uint32_t functions[WT_FUNCTION_COUNT];
	uint32_t spaces[WT_NAMES_SPACES];   /* of memory; by enum gfx_space */
	uint32_t *queries[WT_OBJECT_COUNT]; /* in the order of wt_objects[].queries */
};

/** Look all names up. Errors: out of memory. */
struct wt_error *wt_table_names_init(struct wt_table_names *names, const struct wt_reader *reader);
void wt_table_names_deinit(struct wt_table_names *names);

/**
 * The number of a query's name; 0 if the trace has none. @query is one of
 * wt_objects[object].queries.
 */
uint32_t wt_table_names_query(const struct wt_table_names *names, enum wt_object object,
			      const struct wt_query *query);

/** The name of a space as traces and views have it: "private_wave". */
const char *wt_table_names_space_name(enum gfx_space space);

/** A space by name; false if there is none. */
bool wt_table_names_space(const char *name, enum gfx_space *space_ret);

#endif /* WT_REPLAYER_RECORDED_TABLE_NAMES_H */
