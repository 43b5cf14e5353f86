/* SPDX-License-Identifier: MIT */
#include "cli/info-cause.h"

static struct wt_error *find_cause(struct wt_explainer *explainer, uint64_t wave,
				   struct wt_cause *cause_ret)
{
	const struct wt_cause_limits limits = WT_CAUSE_LIMITS_QUICK;

	return wt_explain_cause(explainer, wave, UINT32_MAX, &limits, cause_ret);
}

struct wt_error *wt_info_print_cause(struct wt_explainer *explainer, uint64_t wave,
				     const struct wt_source_maps *maps)
{
	struct wt_cause cause;
	struct wt_error *error = find_cause(explainer, wave, &cause);

	if (error)
		return error;
	error = wt_print_source(wt_explainer_view(explainer), maps, wt_cause_code(&cause));
	if (!error)
		wt_print_cause_late(&cause);
	if (!error && cause.sentence)
		wt_print_cause_sentence(&cause);
	if (!error)
		wt_print_arguments(&cause.arguments);
	wt_cause_deinit(&cause);
	return error;
}

struct wt_error *wt_info_cause_into(struct wt_explainer *explainer, uint64_t wave,
				    const struct wt_source_maps *maps, json_t *json)
{
	struct wt_cause cause;
	struct wt_error *error = find_cause(explainer, wave, &cause);

	if (error)
		return error;
	wt_describe_cause_into(&cause, false, json);
	error = wt_describe_source_json(wt_explainer_view(explainer), maps, wt_cause_code(&cause),
					json);
	wt_cause_deinit(&cause);
	return error;
}
