/* SPDX-License-Identifier: MIT */
/*
 * The journal from its first call to its last.
 *
 * Not driven are calls with bytes that the recorder did not keep (unreadable, or very long),
 * transfers of more than 64 MiB, and functions that this version does not know: they are counted.
 */
#include "replayer/verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "replayer/verify/internal.h"

void wt_verify_deinit(struct wt_verify_result *result)
{
	wt_differences_deinit(&result->differences);
}

static bool verify_error_is_loss(const struct wt_error *error)
{
	return error && (error->code == WT_ERROR_INPUT || error->code == WT_ERROR_NOT_FOUND);
}

static struct wt_error *note_moment(void *opaque, uint32_t number)
{
	struct wt_driver *driver = opaque;
	const struct wt_moment *moment;
	struct wt_error *error = wt_reader_moment(driver->reader, number, &moment);

	/* A lost one is a gap: what comes behind it is not compared. */
	if (verify_error_is_loss(error)) {
		wt_error_destroy(error);
		return NULL;
	}
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

/* Returns what a call brought that a moment is made of: its event, or the process it attached to; 0 for other calls. */
static uint64_t brought_by(const struct wt_whole_call *call)
{
	bool attach = call->function == WT_FUNCTION_PROCESS_ATTACH &&
		      call->status == AMD_DBGAPI_STATUS_SUCCESS;

	return (attach || call->function == WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT) &&
			       call->output_count && call->outputs[0].form == WT_VALUE_NUMBER
		       ? call->outputs[0].number
		       : 0;
}

/* The event that comes next is mostly the one behind that which was found last: a moment may have thousands. */
static bool driver_moment_has_event(struct wt_driver *driver, const struct wt_moment *moment,
				    uint64_t event)
{
	for (size_t i = 0; i < moment->event_count; i++) {
		size_t place = (driver->event_place + i) % moment->event_count;

		if (moment->events[place].handle == event) {
			driver->event_place = place + 1;
			return true;
		}
	}
	return false;
}

/* Is this the moment of what a call brought? */
static bool moment_is_of_call(struct wt_driver *driver, const struct wt_moment *moment,
			      const struct wt_whole_call *call)
{
	uint64_t brought = brought_by(call);

	return call->function == WT_FUNCTION_PROCESS_ATTACH
		       ? moment->cause == WT_MOMENT_ATTACH && moment->process == brought
		       : driver_moment_has_event(driver, moment, brought);
}

/*
 * Was the process ended after it got this event, or attached, and before the moment of it was written? Then
 * there is nothing to replay from here on. A trace that was closed in order has a moment for every
 * event and attach, unless one of them is lost.
 */
static struct wt_error *call_outcome_is_lost(struct wt_driver *driver,
					     const struct wt_whole_call *call, bool *lost_ret)
{
	bool attach = call->function == WT_FUNCTION_PROCESS_ATTACH;
	uint32_t count = wt_reader_moment_count(driver->reader);
	uint32_t *from = attach ? &driver->attach_moment : &driver->event_moment;

	*lost_ret = false;
	if (!brought_by(call) || (!count && !attach))
		return NULL;
	/* Later events have later moments. */
	for (uint32_t i = *from; (i = wt_reader_next_moment(driver->reader, i)) < count; i++) {
		const struct wt_moment *moment;
		struct wt_error *error = wt_reader_moment(driver->reader, i, &moment);

		if (verify_error_is_loss(error)) {
			wt_error_destroy(error);
			continue;
		}
		if (error)
			return error;
		if (moment_is_of_call(driver, moment, call)) {
			/* One moment is of several events, but of one attach. */
			*from = attach ? i + 1 : i;
			return NULL;
		}
	}
	*lost_ret = true;
	return NULL;
}

/*
 * Does the journal tell of a loss? Then a moment that is not there may be part of it; in a trace of a part of a
 * session it is one that was not wanted.
 */
static struct wt_error *has_gap(struct wt_reader *reader, bool *gap_ret)
{
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	struct wt_error *error = wt_journal_open(reader, &journal);

	*gap_ret = false;
	if (error)
		return error;
	for (;;) {
		error = wt_journal_next(journal, &record);
		if (error || !record)
			break;
		*gap_ret |= record->kind == WT_JOURNAL_NOTICE &&
			    record->notice_kind == WT_NOTICE_LOST && !record->notice_call;
	}
	wt_journal_close(journal);
	return error;
}

static void find_lost(struct wt_verify_result *result, const struct wt_whole_call *call,
		      const char *why)
{
	if (result->lost)
		return;
	result->lost = true;
	result->lost_call = call->number;
	snprintf(result->lost_why, sizeof(result->lost_why), "%s", why);
}

/* The moment of what a call brought is not there: why? In a recording that was killed the call is its end. */
static void find_lost_moment(struct wt_driver *driver, const struct wt_whole_call *call,
			     const struct wt_trace_info *info)
{
	char why[WT_CALLS_WHY_MAX];

	if (!info->complete)
		return;
	snprintf(why, sizeof(why), "the recording ended early: %s", info->end_reason);
	if (info->cut)
		find_lost(driver->result, call, why);
	else if (call->function == WT_FUNCTION_PROCESS_ATTACH)
		find_lost(driver->result, call,
			  "the state that it attached to is not in the trace");
	else
		find_lost(driver->result, call,
			  "the stop that its event was of is not in the trace");
}

/* Drive it, or count it where what it builds on is lost. @end_ret: none behind it can be driven. */
static struct wt_error *recorded_call_take(struct wt_driver *driver, const struct wt_calls *calls,
					   const struct wt_whole_call *call, bool *end_ret)
{
	struct wt_verify_result *result = driver->result;
	struct wt_error *error = NULL;
	bool lost = false;

	if (call->torn && call->ended)
		find_lost(result, call, calls->why);
	if (!result->lost)
		error = call_outcome_is_lost(driver, call, &lost);
	if (!error && lost && driver->info.complete && !driver->info.cut)
		error = has_gap(driver->reader, &lost);
	if (error)
		return error;
	if (lost)
		find_lost_moment(driver, call, &driver->info);
	result->not_driven += result->lost;
	if (result->lost)
		return NULL;
	*end_ret = !call->ended || lost;
	if (!*end_ret)
		return wt_drive(driver, call);
	result->unfinished = true;
	result->unfinished_call = call->number;
	return NULL;
}

/* To write nothing is to do something, and changes nothing. Of a process alone. */
static void driver_turn_away(struct wt_driver *driver)
{
	amd_dbgapi_size_t size = 0;

	if (driver->api->write_memory((amd_dbgapi_process_id_t){driver->attached},
				      AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
				      AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, 0, &size,
				      &size) == AMD_DBGAPI_STATUS_SUCCESS)
		driver->turned = driver->from_state = true;
}

static struct wt_error *driver_drive_calls(struct wt_driver *driver, struct wt_calls *calls,
					   const struct wt_verify_options *options)
{
	struct wt_verify_result *result = driver->result;

	for (;;) {
		struct wt_whole_call *call;
		struct wt_error *error = wt_calls_next(calls, &call);
		bool end = false;

		if (error || !call)
			return error;
		error = recorded_call_take(driver, calls, call, &end);
		wt_whole_call_destroy(call);
		if (error || end)
			return error;
		if (options && options->turn_at && result->calls >= options->turn_at &&
		    driver->attached && !driver->turned)
			driver_turn_away(driver);
		if (options && options->progress)
			options->progress(options->opaque, result->calls);
	}
}

struct wt_error *wt_verify_run(struct wt_reader *reader, const struct wt_api *api,
			       const struct wt_verify_options *options,
			       struct wt_verify_result *result_ret)
{
	struct wt_driver driver = {.api = api,
				   .reader = reader,
				   .result = result_ret,
				   .from_state = options && options->from_state};
	struct wt_calls calls;
	struct wt_error *error;

	memset(result_ret, 0, sizeof(*result_ret));
	wt_reader_info(reader, &driver.info);
	error = wt_calls_open(reader, &calls);
	if (error)
		return error;
	calls.moment = note_moment;
	calls.opaque = &driver;
	/* The library was driven in step before, and left as the recorded client left it. */
	if (driver.from_state) {
		api->finalize();
		api->set_log_level(AMD_DBGAPI_LOG_LEVEL_NONE);
	}
	wt_driver_begin(&driver);
	error = driver_drive_calls(&driver, &calls, options);
	if (!error && driver.from_state && !driver.turned && !result_ret->unfinished &&
	    !result_ret->lost)
		compare_logs(&driver);
	wt_differences_sort(&result_ret->differences);
	if (!error && (driver.recorded_logs.failed || driver.replayed_logs.failed))
		error = &wt_error_no_memory;
	wt_calls_close(&calls);
	wt_driver_end(&driver);
	if (error)
		wt_verify_deinit(result_ret);
	return error;
}
