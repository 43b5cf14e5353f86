/* SPDX-License-Identifier: MIT */
#include "replayer/analysis/way-entry.h"

#include <string.h>

#include "gfx/wave/context.h"
#include "replayer/analysis/rerun-launch.h"
#include "replayer/analysis/rerun.h"

/* Are the lanes that come here those that were active where the wave stopped? */
static bool lanes_are_same(const struct wt_rerun *rerun)
{
	const struct wt_analysis_input *input = rerun->input;
	uint64_t exec;

	return !wt_rerun_exec_unknown(rerun) && rerun->wave.exec &&
	       input->read_register(input->opaque, "exec", 0, &exec) && exec == rerun->wave.exec;
}

static void entry_take_words(const struct wt_rerun *rerun, struct wt_entry *entry)
{
	uint32_t lane = gfx_first_lane(rerun->wave.exec);

	for (uint32_t i = 0; i < WT_ENTRY_WORDS && i < rerun->wave.vgpr_count; i++) {
		if (!(wt_rerun_known(rerun, GFX_FILE_VECTOR, i) >> lane & 1))
			continue;
		entry->words[i] = wt_rerun_value(rerun, GFX_FILE_VECTOR, i, lane);
		entry->known |= 1u << i;
	}
}

/* A jump in the place of a call, behind which there is no return, is the first of those that led there. */
static void entry_take_calls(const struct wt_rerun *rerun, uint64_t from, struct wt_entry *entry)
{
	entry->call_count = wt_rerun_calls(rerun, entry->calls);
	if (entry->call_count && entry->calls[0] == from)
		return;
	entry->call_count -= entry->call_count == WT_ANALYSIS_CALLS;
	memmove(entry->calls + 1, entry->calls, entry->call_count * sizeof(entry->calls[0]));
	entry->calls[0] = from;
	entry->call_count++;
}

static void entry_follow(struct wt_rerun *rerun, uint64_t function, struct wt_entry *entry)
{
	enum wt_analysis_end end;
	uint64_t from = 0;

	while (rerun->wave.pc != function) {
		const struct wt_rerun_code *code = wt_rerun_code(rerun);

		if (!code || rerun->no_memory || rerun->step_count >= rerun->input->step_limit)
			return;
		from = rerun->wave.pc & ~WT_RERUN_HALF;
		if (!wt_rerun_step(rerun, code, &end))
			return;
	}
	if (!from || !lanes_are_same(rerun))
		return;
	entry_take_calls(rerun, from, entry);
	entry_take_words(rerun, entry);
}

struct wt_error *wt_analyse_entry(const struct wt_analysis_input *input, uint64_t function,
				  struct wt_entry *entry_ret)
{
	struct wt_rerun *rerun = NULL;
	struct wt_analysis_input own = *input;
	struct wt_analysis_initial initial;
	struct wt_entry entry = {0};
	struct wt_error *error;

	own.lane = input->lane < GFX_MAX_LANES ? input->lane : 0;
	if (input->launch.private_segment_size <= WT_ANALYSIS_PRIVATE_BYTES) {
		error = wt_rerun_create(&own, false, &rerun);
		if (error)
			return error;
		wt_rerun_begin(rerun, &initial);
		entry_follow(rerun, function, &entry);
		error = rerun->no_memory ? &wt_error_no_memory : NULL;
		wt_rerun_destroy(rerun);
		if (error)
			return error;
	}
	*entry_ret = entry;
	return NULL;
}
