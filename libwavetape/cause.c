/* SPDX-License-Identifier: MIT */
/* Why a wave crashed. */
#include <stdlib.h>
#include <string.h>

#include "libwavetape/handles.h"
#include "replayer/view/explain-cause.h"

static const char cannot_explain[] = "cannot explain";

struct wavetape_cause {
	struct wavetape_stop *stop;
	struct wt_cause cause;
	char (*names)[32]; /* of the registers that steps wrote */
};

struct wavetape_error *wavetape_stop_crash(struct wavetape_stop *stop, const char **sentence_ret)
{
	uint64_t wave;
	struct wt_error *error;

	if (!stop || !sentence_ret)
		return wt_wrong_argument(cannot_explain,
					 "the stop or the place for the sentence is NULL");
	wave = wt_view_telling_wave(stop->view);
	if (!wt_view_wave_has_fault(stop->view, wave))
		return wt_public(wt_error_create(WT_ERROR_NOT_FOUND, cannot_explain,
						 stop->trace->path,
						 "no wave has a fault at stop %u", stop->number));
	error = stop->crash ? NULL : wt_crash_sentence(stop->explainer, wave, NULL, &stop->crash);
	if (!error)
		*sentence_ret = stop->crash;
	return wt_public(error);
}

void wavetape_cause_close(struct wavetape_cause *cause)
{
	if (!cause)
		return;
	wt_cause_deinit(&cause->cause);
	free(cause->names);
	wt_stop_release(cause->stop);
	free(cause);
}

static size_t step_count(const struct wavetape_cause *cause)
{
	return cause->cause.steps ? cause->cause.analysis.count : 0;
}

static struct wt_error *cause_explain(struct wavetape_cause *cause, uint64_t wave, uint32_t lane)
{
	const struct wt_cause_limits limits = WT_CAUSE_LIMITS;
	const struct wt_explain_wave *known;
	struct wt_error *error = wt_stop_wave(cause->stop, wave, &known);

	if (error)
		return error;
	error = wt_explain_cause(cause->stop->explainer, wave, lane, &limits, &cause->cause);
	if (error) {
		cause->cause = (struct wt_cause){0};
		return error;
	}
	cause->names = calloc(step_count(cause) + 1, sizeof(*cause->names));
	return cause->names ? NULL : &wt_error_no_memory;
}

struct wavetape_error *wavetape_cause_open(struct wavetape_stop *stop, uint64_t wave, int lane,
					   struct wavetape_cause **cause_ret)
{
	struct wavetape_cause *cause;
	struct wt_error *error;

	if (!stop || !cause_ret)
		return wt_wrong_argument(cannot_explain,
					 "the stop or the place for the cause is NULL");
	if (lane < -1 || lane >= GFX_MAX_LANES)
		return wt_wrong_argument(cannot_explain, "a lane is 0 to 63, or -1 for the first");
	cause = calloc(1, sizeof(*cause));
	if (!cause)
		return wt_public(&wt_error_no_memory);
	cause->stop = stop;
	stop->users++;
	error = cause_explain(cause, wave, lane < 0 ? UINT32_MAX : (uint32_t)lane);
	if (error)
		wavetape_cause_close(cause);
	else
		*cause_ret = cause;
	return wt_public(error);
}

struct wavetape_error *wavetape_cause_info(const struct wavetape_cause *cause,
					   struct wavetape_cause_info *info_ret)
{
	struct wavetape_cause_info info;

	if (!cause)
		return wt_wrong_argument(cannot_explain, "the cause is NULL");
	wt_cause_facts(&cause->cause, &info);
	return wt_give(cannot_explain, &info, sizeof(info), info_ret);
}

struct wavetape_error *wavetape_cause_argument(const struct wavetape_cause *cause, size_t index,
					       struct wavetape_argument *argument_ret)
{
	struct wavetape_argument filled;

	if (!cause || index >= cause->cause.arguments.count)
		return wt_wrong_argument(cannot_explain,
					 "the cause is NULL, or has fewer arguments");
	wt_argument_facts_take(&cause->cause.arguments.list[index], &filled);
	return wt_give(cannot_explain, &filled, sizeof(filled), argument_ret);
}

static struct wavetape_error *check_step(const struct wavetape_cause *cause, size_t index)
{
	if (!cause || index >= step_count(cause))
		return wt_wrong_argument(cannot_explain, "the cause is NULL, or has fewer steps");
	return NULL;
}

struct wavetape_error *wavetape_cause_step(const struct wavetape_cause *cause, size_t index,
					   struct wavetape_step *step_ret)
{
	struct wavetape_error *error = check_step(cause, index);
	struct wavetape_step filled;

	if (error)
		return error;
	wt_cause_step_facts(&cause->cause.steps[index], cause->names[index], &filled);
	return wt_give(cannot_explain, &filled, sizeof(filled), step_ret);
}

struct wavetape_error *wavetape_cause_place(const struct wavetape_cause *cause, size_t index,
					    struct wavetape_place *place_ret)
{
	struct wavetape_error *error = check_step(cause, index);

	if (error)
		return error;
	return wt_give(cannot_explain, &cause->cause.steps[index].code,
		       sizeof(struct wavetape_place), place_ret);
}
