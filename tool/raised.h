/* SPDX-License-Identifier: MIT */
/* Waves that have stopped for arithmetic exceptions which tool/trapping.h has turned on. */
#ifndef WT_TOOL_RAISED_H
#define WT_TOOL_RAISED_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/agent/debugger-client.h"

/**
 * Is an exception one of the program? Divisions and roots are several instructions, of which those in the middle raise exceptions
 * that their result has nothing of: infinity less infinity on the way to 1 / infinity, or a division by zero on the way to the root of
 * 0.
 *
 * @wave: that stopped for it. @reasons: of the stop.
 */
bool wt_raised_counts(const struct wt_agent_client *client, amd_dbgapi_wave_id_t wave,
		      uint32_t reasons);

#endif /* WT_TOOL_RAISED_H */
