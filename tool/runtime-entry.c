/* SPDX-License-Identifier: MIT */
/*
 * Functions that the HSA runtime calls: OnLoad at the end of hsa_init(), OnUnload in hsa_shut_down(), which few programs call.
 * All work is done by a thread of our own, which takes no signals.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/agent-notes.h"
#include "base/signal-names.h"
#include "tool/runtime-table.h"
#include "tool/tool-report.h"
#include "tool/tool-session.h"
#include "tool/trapping.h"

#define EXPORTED __attribute__((visibility("default")))
#define PRIORITY 20 /* above AMD's own tools: those that only look on come last */

/* How long the program waits: until it is watched, and at its end until the tool has let go of it. */
#define START_SECONDS 5
#define END_SECONDS 10
/* How long the runtime's thread waits that tells of a queue's error. */
#define QUEUE_ERROR_SECONDS 20

/* The API has no context parameter. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct wt_tool tool;
	pthread_t thread;
	pid_t owner;
	bool running, ready, over, answered;
	bool registered; /* what runs at exit and in children */
	struct wt_allocation_source source;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

EXPORTED bool OnLoad(void *table, uint64_t version, uint64_t failed_count,
		     const char *const *failed);
EXPORTED void OnUnload(void);

static void state_set(bool *flag)
{
	pthread_mutex_lock(&state.lock);
	*flag = true;
	pthread_cond_broadcast(&state.changed);
	pthread_mutex_unlock(&state.lock);
}

/* Wait for one of the flags, for a limited time. */
static bool state_wait_for(const bool *flag, const bool *other, time_t seconds)
{
	struct timespec until;
	bool there;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += seconds;
	pthread_mutex_lock(&state.lock);
	while (!*flag && !*other)
		if (pthread_cond_timedwait(&state.changed, &state.lock, &until))
			break;
	there = *flag || *other;
	pthread_mutex_unlock(&state.lock);
	return there;
}

static void state_set_ready(void *opaque)
{
	(void)opaque;
	state_set(&state.ready);
}

static void agent_note_answer(void *opaque)
{
	(void)opaque;
	state_set(&state.answered);
}

/*
 * On a thread of the runtime's. One is told of at a time. The text is the runtime's for ever, but the error itself is kept until
 * the tool has let go of it, which it does late or never if the wait was too long.
 */
static void agent_hear_queue_error(const struct wt_host_queue_error *error)
{
	static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
	static struct wt_host_queue_error kept;

	if (getpid() != state.owner || pthread_mutex_trylock(&one_at_a_time))
		return;
	if (state.running && !atomic_load(&state.tool.requests.queue_error)) {
		kept = *error;
		state.answered = false;
		wt_tool_requests_queue_error(&state.tool.requests, &kept);
		state_wait_for(&state.answered, &state.over, QUEUE_ERROR_SECONDS);
	}
	pthread_mutex_unlock(&one_at_a_time);
}

static void *thread_run(void *argument)
{
	(void)argument;
	pthread_setname_np(pthread_self(), "wavetape");
	wt_tool_run(&state.tool);
	state_set(&state.over);
	return NULL;
}

static int thread_start(void)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&state.thread, NULL, thread_run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

/* A thread that does not come to its end is left behind, with what it uses. */
static void thread_stop(void)
{
	if (!state.running || getpid() != state.owner)
		return;
	wt_tool_requests_end(&state.tool.requests);
	if (!state_wait_for(&state.over, &state.over, END_SECONDS))
		return;
	pthread_join(state.thread, NULL);
	state.running = false;
	wt_runtime_table_forget();
	wt_tool_requests_close(&state.tool.requests);
	wt_tool_options_deinit(&state.tool.options);
}

static void child_forget(void)
{
	wt_tool_requests_forget(&state.tool.requests);
	wt_runtime_table_forget();
	wt_trapping_arm(0);
}

/*
 * Registered after the debugger library was loaded: it then runs before that library's own end. Nothing of it can be taken
 * back, so this object is never unloaded.
 */
static void ends_register(void)
{
	if (state.registered)
		return;
	state.registered = true;
	atexit(thread_stop);
	pthread_atfork(NULL, NULL, child_forget);
}

static void state_complain(const char *what, const char *where, const char *why)
{
	if (!state.tool.options.quiet)
		wt_tool_say("%s: %s: %s", what, where, why);
}

static bool state_prepare(void)
{
	struct wt_error *error;
	bool took_signal = true;

	state.tool = (struct wt_tool){.variable = getenv,
				      .ready = state_set_ready,
				      .answered = agent_note_answer,
				      .queues = {.told = agent_hear_queue_error}};
	state.owner = getpid();
	state.ready = state.over = false;
	if (!wt_tool_options_parse(getenv("WAVETAPE_AGENT"), &state.tool.options))
		return false;
	wt_tool_note(state.tool.options.notes, WT_AGENT_NOTE_LOADED);
	if (state.tool.options.refused[0])
		state_complain("WAVETAPE_AGENT: cannot understand the word",
			       state.tool.options.refused, state.tool.options.why);
	error = wt_tool_requests_open(&state.tool.requests, state.tool.options.signal,
				      &took_signal);
	if (error) {
		state_complain(error->what, error->where, error->why);
		wt_error_destroy(error);
		wt_tool_options_deinit(&state.tool.options);
		return false;
	}
	if (!took_signal)
		state_complain("cannot take the signal", wt_signal_name(state.tool.options.signal),
			       "the program has a handler for it, or ignores it");
	return true;
}

/*
 * Return: always true. A tool that refuses is named in the runtime's messages, and is unloaded while its thread may still
 * look at things.
 */
bool OnLoad(void *table, uint64_t version, uint64_t failed_count, const char *const *failed)
{
	int error;

	(void)version;
	(void)failed_count;
	(void)failed;
	if (state.running && getpid() == state.owner)
		return true;
	if (!state_prepare())
		return true;
	if (wt_runtime_table_take(table, &state.tool.queues, &state.source)) {
		state.tool.allocations = &state.source;
		state.tool.trapping = state.tool.options.trap;
	} else if (state.tool.options.trap) {
		state_complain("exceptions are not trapped", "trap",
			       "this runtime's table of functions is not known");
	}
	error = thread_start();
	if (error) {
		state_complain("the GPU is not watched", "thread", strerror(error));
		wt_tool_requests_close(&state.tool.requests);
		wt_tool_options_deinit(&state.tool.options);
		return true;
	}
	state.running = true;
	state_wait_for(&state.ready, &state.over, START_SECONDS);
	ends_register();
	return true;
}

void OnUnload(void)
{
	thread_stop();
}

EXPORTED extern const uint32_t HSA_AMD_TOOL_PRIORITY;
const uint32_t HSA_AMD_TOOL_PRIORITY = PRIORITY;
