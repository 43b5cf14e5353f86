/* SPDX-License-Identifier: MIT */
/*
 * The journal from its first call to its last.
 *
 * Not driven are calls with bytes that the recorder did not keep (unreadable, or very long),
 * transfers of more than 64 MiB, and functions that this version does not know: they are counted.
 */
#include "replayer/verify.h"

#include <stdlib.h>
#include <string.h>

#include "replayer/driver.h"

void wt_verify_deinit(struct wt_verify_result *result)
{
	wt_differences_deinit(&result->differences);
}

static struct wt_error *note_moment(void *opaque, uint32_t number)
{
	struct wt_driver *driver = opaque;
	const struct wt_moment *moment;
	struct wt_error *error = wt_reader_moment(driver->reader, number, &moment);

	for (size_t i = 0; !error && i < moment->log_count; i++)
		wt_logs_add(&driver->recorded_logs, moment->log[i].level, moment->log[i].text);
	return error;
}

static char *log_text(const struct wt_logs *logs, size_t index)
{
	if (index >= logs->count)
		return wt_text("no message");
	return wt_text("level %u: %s", logs->messages[index].level, logs->messages[index].text);
}

static void compare_logs(struct wt_driver *driver)
{
	const struct wt_logs *recorded = &driver->recorded_logs, *replayed = &driver->replayed_logs;
	size_t count = recorded->count > replayed->count ? recorded->count : replayed->count;

	for (size_t i = 0; i < count; i++) {
		driver->result->callbacks++;
		if (i < recorded->count && i < replayed->count &&
		    recorded->messages[i].level == replayed->messages[i].level &&
		    !strcmp(recorded->messages[i].text, replayed->messages[i].text))
			continue;
		wt_differences_add(&driver->result->differences, 0, NULL, "log message",
				   log_text(recorded, i), log_text(replayed, i));
		return;
	}
}

static uint64_t event_of(const struct wt_whole_call *call)
{
	return call->function == WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT && call->output_count &&
			       call->outputs[0].form == WT_VALUE_NUMBER
		       ? call->outputs[0].number
		       : 0;
}

/*
 * Was the process ended after it got this event, and before the moment of it was written? Then
 * there is nothing to replay from here on. A trace that was closed in order has a moment for every
 * event.
 */
static struct wt_error *is_lost(const struct wt_driver *driver, const struct wt_whole_call *call,
				bool *lost_ret)
{
	uint32_t count = wt_reader_moment_count(driver->reader);
	uint64_t event = event_of(call);
	struct wt_trace_info info;

	*lost_ret = false;
	wt_reader_info(driver->reader, &info);
	if (!event || info.complete)
		return NULL;
	/* Later moments have later events, so the search begins with the last. */
	for (uint32_t i = count; i > 0; i--) {
		const struct wt_moment *moment;
		struct wt_error *error = wt_reader_moment(driver->reader, i - 1, &moment);

		if (error)
			return error;
		for (size_t j = 0; j < moment->event_count; j++)
			if (moment->events[j].handle == event)
				return NULL;
	}
	*lost_ret = true;
	return NULL;
}

static struct wt_error *drive_all(struct wt_driver *driver, struct wt_calls *calls,
				  const struct wt_verify_options *options)
{
	struct wt_verify_result *result = driver->result;

	for (;;) {
		struct wt_whole_call *call;
		struct wt_error *error = wt_calls_next(calls, &call);
		bool lost = false;

		if (error || !call)
			return error;
		error = is_lost(driver, call, &lost);
		if (!error && (!call->ended || lost)) {
			result->unfinished = true;
			result->unfinished_call = call->number;
			wt_whole_call_destroy(call);
			return NULL;
		}
		if (!error)
			error = wt_drive(driver, call);
		wt_whole_call_destroy(call);
		if (error)
			return error;
		if (options && options->progress)
			options->progress(options->opaque, result->calls);
	}
}

struct wt_error *wt_verify_run(struct wt_reader *reader, const struct wt_api *api,
			       const struct wt_verify_options *options,
			       struct wt_verify_result *result_ret)
{
	struct wt_driver driver = {.api = api, .reader = reader, .result = result_ret};
	struct wt_calls calls;
	struct wt_error *error;

	memset(result_ret, 0, sizeof(*result_ret));
	error = wt_calls_open(reader, &calls);
	if (error)
		return error;
	calls.moment = note_moment;
	calls.opaque = &driver;
	wt_driver_begin(&driver);
	error = drive_all(&driver, &calls, options);
	if (!error && !result_ret->unfinished)
		compare_logs(&driver);
	if (!error && (driver.recorded_logs.failed || driver.replayed_logs.failed))
		error = &wt_error_no_memory;
	wt_calls_close(&calls);
	wt_driver_end(&driver);
	if (error)
		wt_verify_deinit(result_ret);
	return error;
}
