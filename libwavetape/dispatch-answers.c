/* SPDX-License-Identifier: MIT */
/* How kernels were launched, from which queues, and on which agents. */
#include "libwavetape/handles.h"

#include <inttypes.h>

#include "replayer/view/kernel-launch.h"

/* Is there an object of that number at the stop? @what: "cannot show the dispatch", and @kind: "dispatch". */
static struct wavetape_error *stop_check_object(const struct wavetape_stop *stop,
						enum wt_object object, uint64_t number,
						const char *what, const char *kind)
{
	if (!stop)
		return wt_wrong_argument(what, "the stop is NULL");
	if (!wt_view_lists(stop->view, object, number))
		return wt_public(wt_error_create(WT_ERROR_NOT_FOUND, what, stop->trace->path,
						 "there is no %s %" PRIu64 " at stop %u", kind,
						 number, stop->number));
	return NULL;
}

struct wavetape_error *wavetape_agent(struct wavetape_stop *stop, uint64_t number,
				      struct wavetape_agent *agent_ret)
{
	static const char cannot_show[] = "cannot show the agent";
	struct wavetape_error *error =
		stop_check_object(stop, WT_OBJECT_AGENT, number, cannot_show, "agent");
	struct wavetape_agent known;

	if (error)
		return error;
	wt_view_agent(stop->view, number, &known);
	return wt_give(cannot_show, &known, sizeof(known), agent_ret);
}

struct wavetape_error *wavetape_queue(struct wavetape_stop *stop, uint64_t number,
				      struct wavetape_queue *queue_ret)
{
	static const char cannot_show[] = "cannot show the queue";
	struct wavetape_error *error =
		stop_check_object(stop, WT_OBJECT_QUEUE, number, cannot_show, "queue");
	struct wavetape_queue known = {.number = number};

	if (error)
		return error;
	wt_queue_answers(stop->view, number, &known);
	return wt_give(cannot_show, &known, sizeof(known), queue_ret);
}

struct wavetape_error *wavetape_dispatch(struct wavetape_stop *stop, uint64_t number,
					 struct wavetape_dispatch *dispatch_ret)
{
	static const char cannot_show[] = "cannot show the dispatch";
	struct wavetape_error *error =
		stop_check_object(stop, WT_OBJECT_DISPATCH, number, cannot_show, "dispatch");
	struct wt_view_dispatch known;

	if (error)
		return error;
	wt_view_dispatch(stop->view, number, &known);
	known.kernel =
		wt_explainer_kernel(stop->explainer, wt_view_kernel(stop->view, number), NULL);
	return wt_give(cannot_show, &known.facts, sizeof(known.facts), dispatch_ret);
}
