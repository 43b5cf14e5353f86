/* SPDX-License-Identifier: MIT */
/* Waves as GDB's infrun moves them: stop all, tell the user, go on, step over breakpoints. */
#include "gdb.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* Rounds of the event loop until the program counts as one that never stops. */
#define ROUND_LIMIT 100000
/* Rounds without a word from the notifier while there are waves: then the user presses Ctrl-C. */
#define SILENT_LIMIT 20

/* ---- Stop ---- */

static void stop_wave(struct gdb_wave *wave)
{
	amd_dbgapi_wave_state_t state;
	amd_dbgapi_status_t status = amd_dbgapi_wave_get_info(wave->id, AMD_DBGAPI_WAVE_INFO_STATE,
							      sizeof(state), &state);

	if (status == AMD_DBGAPI_STATUS_SUCCESS && state == AMD_DBGAPI_WAVE_STATE_STOP)
		return;
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		status = amd_dbgapi_wave_stop(wave->id);
	wave->stopping = true;
	if (status != AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID) {
		gdb_check("wave_stop", status);
		return;
	}
	/* Gone; if it was stepping an event is still to come. */
	if (wave->mode != AMD_DBGAPI_RESUME_MODE_SINGLE_STEP)
		gdb_wave_delete(wave);
}

static bool one_executes(void)
{
	for (size_t i = 0; i < gdb.wave_count; i++)
		if (gdb.waves[i].executing)
			return true;
	return false;
}

/* As often as waves turn up that still execute: ask them to stop, and wait for their events. */
void gdb_stop_all(void)
{
	struct gdb_event event;
	int silent = 0;

	for (int pass = 0; pass < 2 || one_executes(); pass++) {
		gdb_update_waves();
		for (size_t i = gdb.wave_count; i-- > 0;)
			if (gdb.waves[i].executing && !gdb.waves[i].stopping)
				stop_wave(&gdb.waves[i]);
		while (one_executes() && silent < SILENT_LIMIT) {
			struct gdb_wave *wave;

			if (!gdb_target_wait(&event)) {
				silent++;
				continue;
			}
			wave = gdb_settle(&event);
			if (wave && wave->signal != SIGNAL_0)
				wave->pending = true;
		}
		/* GDB would wait for ever here. */
		gdb_assert(silent < SILENT_LIMIT);
	}
}

static void report(struct gdb_wave *wave, const char *why)
{
	amd_dbgapi_wave_stop_reasons_t reason = 0;
	size_t pending = 0;

	gdb.current = wave->id.handle;
	wave->pending = false;
	for (size_t i = 0; i < gdb.wave_count; i++)
		pending += gdb.waves[i].pending;
	gdb_check("stop reason",
		  amd_dbgapi_wave_get_info(wave->id, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
					   sizeof(reason), &reason));
	printf("%s: %s received signal %s, reason 0x%x, pc 0x%" PRIx64
	       ", %zu waves, %zu more signals\n",
	       why, wave->label, gdb_signal_name(wave->signal), (unsigned int)reason,
	       gdb_read_pc(wave->id.handle), gdb.wave_count, pending);
}

/* A wave stopped that the user is to know of: everything else has to stop too. */
static void stop_and_report(uint64_t handle)
{
	struct gdb_wave *wave;

	gdb_stop_all();
	gdb_update_waves();
	wave = gdb_wave_find(handle);
	gdb_assert(wave != NULL);
	report(wave, "stopped");
	gdb_breakpoints_insert(false);
	gdb_update_waves();
}

static struct gdb_wave *find_pending(void)
{
	for (size_t i = 0; i < gdb.wave_count; i++)
		if (gdb.waves[i].pending)
			return &gdb.waves[i];
	return NULL;
}

void gdb_interrupt(void)
{
	gdb_require_progress(false);
	gdb_stop_all();
	if (find_pending()) {
		report(find_pending(), "stopped");
	} else if (gdb.wave_count) {
		report(&gdb.waves[0], "interrupted");
	} else {
		gdb.current = 0;
		printf("interrupted: no waves\n");
	}
	gdb_breakpoints_insert(false);
}

/* ---- Go on ---- */

static bool at_end(int ready)
{
	amd_dbgapi_wave_id_t *list = NULL;
	size_t count;

	if (ready > 0)
		return false;
	gdb_check("wave list", amd_dbgapi_process_wave_list(gdb.id, &count, &list, NULL));
	free(list);
	return count == 0;
}

/* The event loop: the notifier, then wait(), then all threads that may go on do. */
bool gdb_wait_and_report(void)
{
	struct gdb_event event;
	struct gdb_wave *wave = find_pending();

	if (wave) {
		stop_and_report(wave->id.handle);
		return true;
	}
	for (int round = 0, silent = 0; round < ROUND_LIMIT; round++) {
		struct pollfd notifier = {.fd = gdb.notifier, .events = POLLIN};
		int ready = poll(&notifier, 1, silent ? 1 : 0);

		gdb_assert(!(notifier.revents & (POLLNVAL | POLLERR)));
		if (ready > 0)
			gdb_notifier_handler();
		silent = ready > 0 ? 0 : silent + 1;
		while (gdb_target_wait(&event)) {
			wave = gdb_settle(&event);
			if (wave && wave->signal != SIGNAL_0) {
				stop_and_report(wave->id.handle);
				return true;
			}
		}
		if (at_end(ready))
			return false;
		if (silent > SILENT_LIMIT)
			break;
		gdb_require_progress(true);
	}
	printf("nothing happens\n");
	gdb_interrupt();
	return true;
}

static amd_dbgapi_exceptions_t exception_of(enum gdb_signal signal)
{
	static const amd_dbgapi_exceptions_t exceptions[] = {
		[SIGNAL_0] = AMD_DBGAPI_EXCEPTION_NONE,
		[SIGNAL_TRAP] = AMD_DBGAPI_EXCEPTION_WAVE_TRAP,
		[SIGNAL_SEGV] = AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION,
		[SIGNAL_BUS] = AMD_DBGAPI_EXCEPTION_WAVE_ADDRESS_ERROR,
		[SIGNAL_ILL] = AMD_DBGAPI_EXCEPTION_WAVE_ILLEGAL_INSTRUCTION,
		[SIGNAL_FPE] = AMD_DBGAPI_EXCEPTION_WAVE_MATH_ERROR,
		[SIGNAL_ABRT] = AMD_DBGAPI_EXCEPTION_WAVE_ABORT,
	};

	return exceptions[signal];
}

static void resume_wave(struct gdb_wave *wave, bool step, amd_dbgapi_exceptions_t exception)
{
	amd_dbgapi_status_t status;

	wave->mode = step ? AMD_DBGAPI_RESUME_MODE_SINGLE_STEP : AMD_DBGAPI_RESUME_MODE_NORMAL;
	status = amd_dbgapi_wave_resume(wave->id, wave->mode, exception);
	if (status != AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID)
		gdb_check("wave_resume", status);
	wave->stopping = false;
	wave->executing = true;
	wave->signal = SIGNAL_0;
}

static bool at_breakpoint(const struct gdb_wave *wave)
{
	uint64_t pc = gdb_read_pc(wave->id.handle);

	for (size_t i = 0; i < gdb.breakpoint_count; i++)
		if (gdb.breakpoints[i].address && gdb.breakpoints[i].address == pc)
			return true;
	return false;
}

/*
 * A wave at a breakpoint goes over it alone, while the breakpoint is out and all others stand. False: it
 * stopped on the way, for something the user is to know.
 */
static bool step_over(uint64_t handle)
{
	struct gdb_wave *wave = gdb_wave_find(handle);
	bool interrupted = false;
	struct gdb_event event;
	int silent = 0;

	gdb_require_progress(false);
	resume_wave(wave, true, AMD_DBGAPI_EXCEPTION_NONE);
	while ((wave = gdb_wave_find(handle)) && wave->executing) {
		gdb_require_progress(true);
		if (gdb_target_wait(&event)) {
			wave = gdb_settle(&event);
			if (wave && wave->id.handle != handle && wave->signal != SIGNAL_0)
				wave->pending = true;
			continue;
		}
		if (++silent < SILENT_LIMIT)
			continue;
		/* Nothing comes: the user's Ctrl-C. */
		gdb_assert(!interrupted);
		interrupted = true;
		silent = 0;
		stop_wave(wave);
	}
	if (!wave)
		return false;
	wave->pending = interrupted || (wave->signal != SIGNAL_TRAP && wave->signal != SIGNAL_0);
	if (!wave->pending)
		wave->signal = SIGNAL_0;
	return wave->pending;
}

/* All that stand at a breakpoint go over it, one by one; the stepping of the selected one is all it wants. */
static bool step_over_all(bool step, bool *stepped_ret)
{
	uint64_t current = gdb.current;
	struct gdb_wave *wave = gdb_wave_find(current);

	*stepped_ret = false;
	if (wave && !wave->pending && at_breakpoint(wave)) {
		*stepped_ret = step;
		if (step_over(current))
			return false;
	}
	for (size_t i = 0; !step && i < gdb.wave_count; i++) {
		wave = &gdb.waves[i];
		if (!wave->pending && !wave->executing && wave->id.handle != current &&
		    at_breakpoint(wave) && step_over(wave->id.handle))
			return false;
	}
	return true;
}

/* The wave whose step went over a breakpoint is where the user wanted it. */
static void report_step(uint64_t handle)
{
	struct gdb_wave *wave = gdb_wave_find(handle);

	gdb_update_waves();
	if (!wave) {
		printf("stepped to its end\n");
		return;
	}
	wave->signal = SIGNAL_TRAP;
	report(wave, "stopped");
	wave->signal = SIGNAL_0;
}

void gdb_proceed(bool step, bool pass)
{
	uint64_t current = gdb.current;
	struct gdb_wave *wave = gdb_wave_find(current);
	amd_dbgapi_exceptions_t exception = AMD_DBGAPI_EXCEPTION_NONE;
	bool stepped = false;

	if (wave && pass && wave->signal != SIGNAL_TRAP)
		exception = exception_of(wave->signal);
	if (!exception && !step_over_all(step, &stepped)) {
		stop_and_report(find_pending()->id.handle);
		return;
	}
	if (stepped) {
		report_step(current);
		return;
	}
	gdb_breakpoints_insert(true);
	gdb_require_progress(false);
	wave = gdb_wave_find(current);
	if (wave && !wave->pending && !wave->executing)
		resume_wave(wave, step, exception);
	for (size_t i = 0; i < gdb.wave_count; i++) {
		struct gdb_wave *other = &gdb.waves[i];

		/* What has news for the user stays where it is. */
		if (other->id.handle != current && !other->pending && !other->executing)
			resume_wave(other, false, AMD_DBGAPI_EXCEPTION_NONE);
	}
	gdb_require_progress(true);
	if (gdb_wait_and_report())
		return;
	printf("the program is at its end\n");
	gdb_breakpoints_insert(false);
	gdb_detach();
}
