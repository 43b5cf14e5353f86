/* SPDX-License-Identifier: MIT */
/* The way of a wave as JSON, and as lines of text. */
#ifndef WT_CLI_LOOK_WAY_JSON_H
#define WT_CLI_LOOK_WAY_JSON_H

#include <jansson.h>

#include "replayer/way/way.h"

/**
 * Describe steps of a way, with the values that each has written in a lane. The way goes there, and stays behind the last.
 *
 * @lane: UINT32_MAX for the first that is active in each.
 * @from: the position before the first step. @count: of steps; fewer where the way ends, or positions are left out.
 * @json_ret: an array.
 */
struct wt_error *wt_cli_way_steps_json(struct wt_way *way, uint32_t lane, uint64_t from,
				       uint64_t count, json_t **json_ret);

/** The same as text on stdout, a line for each. */
struct wt_error *wt_cli_way_steps_print(struct wt_way *way, uint32_t lane, uint64_t from,
					uint64_t count);

/** Registers where the way stands, in a lane: {"s0": {"status": ..}}; those that have one value for all lanes, too. */
json_t *wt_cli_way_registers_json(struct wt_way *way, uint32_t lane);

/** The name of the register of a touch that is so many words behind its first. */
void wt_cli_way_word(const struct wt_way_touch *touch, uint32_t word, char name_ret[24]);

/** "v3 = 0x2a", "v3 = 0x2a?" of one that may be, "v3 = ?": a value as text. */
#define WT_CLI_WAY_VALUE 48
const char *wt_cli_way_value(const struct wt_way_value *value, char text_ret[WT_CLI_WAY_VALUE]);

#endif /* WT_CLI_LOOK_WAY_JSON_H */
