/* SPDX-License-Identifier: MIT */
/* The cause of a fault: how far one looks for it, and at which of the waves that have it. */
#include "replayer/view/explain-cause.h"

/* Quickly; only where the way is too long for that and no cause is certain, as far as WT_CAUSE_LIMITS say. */
static struct wt_error *cause_find_by_need(struct wt_explainer *explainer, uint64_t wave,
					   uint32_t lane, struct wt_cause *cause_ret)
{
	const struct wt_cause_limits quick = WT_CAUSE_LIMITS_QUICK, limits = WT_CAUSE_LIMITS;
	struct wt_error *error = wt_explain_cause(explainer, wave, lane, &quick, cause_ret);

	if (error || (cause_ret->sentence && cause_ret->certain) || !cause_ret->analysed ||
	    cause_ret->analysis.end != WT_ANALYSIS_LIMIT)
		return error;
	wt_cause_deinit(cause_ret);
	return wt_explain_cause(explainer, wave, lane, &limits, cause_ret);
}

struct wt_error *wt_explain_fault(struct wt_explainer *explainer, const uint64_t *waves,
				  size_t count, uint32_t lane, const struct wt_cause_limits *limits,
				  struct wt_cause *cause_ret)
{
	const struct wt_cause_limits quick = WT_CAUSE_LIMITS_QUICK;
	struct wt_error *error =
		limits ? wt_explain_cause(explainer, waves[0], lane, limits, cause_ret)
		       : cause_find_by_need(explainer, waves[0], lane, cause_ret);

	if (error || cause_ret->sentence || !cause_ret->wave.memory_fault)
		return error;
	for (size_t i = 1; i < count && i < WT_FAULT_WAVES; i++) {
		struct wt_cause other;

		error = wt_explain_cause(explainer, waves[i], UINT32_MAX, &quick, &other);
		if (error || other.sentence)
			wt_cause_deinit(cause_ret);
		if (error)
			return error;
		if (other.sentence) {
			*cause_ret = other;
			return NULL;
		}
		wt_cause_deinit(&other);
	}
	return NULL;
}

struct wt_error *wt_explain_failed_lanes(struct wt_explainer *explainer, uint64_t wave,
					 uint64_t *lanes_ret)
{
	const struct wt_cause_limits limits = WT_CAUSE_LIMITS_QUICK;
	struct wt_cause cause;
	struct wt_error *error;

	*lanes_ret = 0;
	if (!wt_view_wave_has_fault(wt_explainer_view(explainer), wave))
		return NULL;
	error = wt_explain_cause(explainer, wave, UINT32_MAX, &limits, &cause);
	if (error)
		return error;
	*lanes_ret = cause.wave.failed_lanes;
	wt_cause_deinit(&cause);
	return NULL;
}
