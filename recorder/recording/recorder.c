/* SPDX-License-Identifier: MIT */
#include "recorder/recording/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/plural.h"
#include "recorder/recording/claim.h"
#include "recorder/recording/thread.h"
#include "recorder/recording/wrapped.h"
#include "trace-format/rewrite/ring.h"

#define COMMAND_LINE_LIMIT (64u << 10)

static uint64_t clock_now(clockid_t clock)
{
	struct timespec now = {0};

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t wt_recorder_time(struct wt_recorder *recorder)
{
	return recorder->reproducible
		       ? 0
		       : wt_clock_time(&recorder->clock, wt_clock_ticks(&recorder->clock)) -
				 recorder->start_time;
}

/*
 * A child must not write into its parent's trace. A page that the kernel clears in every child tells
 * without a system call in each API call; without such pages the process id is compared.
 */
static volatile uint8_t *owner_page(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *page =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	if (madvise(page, size, MADV_WIPEONFORK)) {
		munmap(page, size);
		return NULL;
	}
	*page = 1;
	return page;
}

/* The arguments of this process, NULL-terminated, in one allocation at *@text_ret. */
static char **command_line(char **text_ret)
{
	wt_cleanup_close int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	wt_cleanup_free char *text = calloc(1, COMMAND_LINE_LIMIT + 1);
	ssize_t length = fd >= 0 && text ? read(fd, text, COMMAND_LINE_LIMIT) : -1;
	size_t count = 0;
	char **arguments;

	if (length <= 0)
		return NULL;
	for (ssize_t i = 0; i < length; i++)
		count += i == 0 || !text[i - 1];
	arguments = calloc(count + 1, sizeof(*arguments));
	if (!arguments)
		return NULL;
	count = 0;
	for (ssize_t i = 0; i < length; i++)
		if (i == 0 || !text[i - 1])
			arguments[count++] = &text[i];
	*text_ret = wt_take(text);
	return arguments;
}

/* Is there a trace already? It stays until the new one has something to show: see wt_recorder_keep(). */
static bool is_taken(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode) && status.st_size;
}

/* The claim goes along when the writer puts a new file in place of the trace. */
static struct wt_error *claim_next(void *opaque, const char *path)
{
	struct wt_recorder *recorder = opaque;

	if (recorder->claim < 0)
		return NULL;
	recorder->claim_next = wt_claim_hold(path);
	if (recorder->claim_next >= 0)
		return NULL;
	return wt_error_create(WT_ERROR_IO, "cannot claim the trace", path,
			       "it cannot be locked, and another program might replace it");
}

static void move_claim(void *opaque, bool done)
{
	struct wt_recorder *recorder = opaque;

	wt_claim_release(done ? recorder->claim : recorder->claim_next, true);
	if (done)
		recorder->claim = recorder->claim_next;
	recorder->claim_next = -1;
}

/* The file is there, and nothing is in it: from now on others see whose it is. */
static void claim_first(void *opaque, const char *path)
{
	struct wt_recorder *recorder = opaque;

	recorder->claim = wt_claim_hold(path);
	wt_claim_release(recorder->claim_begun, true);
	recorder->claim_begun = -1;
}

static struct wt_error *create_trace(struct wt_recorder *recorder,
				     const struct wt_recorder_options *options)
{
	wt_cleanup_free char *command_text = NULL;
	const struct wt_options *words = &options->words;
	wt_cleanup_free char **command = words->reproducible ? NULL : command_line(&command_text);
	uint32_t major = 0, minor = 0, patch = 0;
	char version[40];
	struct wt_writer_options writer = {
		.size = sizeof(writer),
		.recorder = "wavetape " WT_VERSION,
		.api_level = WT_API_LEVEL,
		.library_version = version,
		.library_build_name = recorder->api.get_build_name(),
		.command_line = (const char *const *)command,
		.process_id = words->reproducible ? 0 : (uint64_t)recorder->process,
		.start_time = words->reproducible ? 0 : clock_now(CLOCK_REALTIME),
		.reproducible = words->reproducible,
		.sync_every = words->sync_every,
		.keyframe_interval = words->keyframes,
		.max_bytes = words->max_bytes,
		.max_memory = words->max_memory,
		.ring_stops = words->ring_stops,
		.turn_ring = wt_ring_turn,
		.no_mapping = words->no_mapping,
		.no_thread = words->no_thread,
		.ring_watch = {.opaque = recorder, .before = claim_next, .after = move_claim},
		.file_watch = {.opaque = recorder, .created = claim_first},
		.policy = words->content,
		.redacted = words->policy.redact,
	};

	recorder->api.get_version(&major, &minor, &patch);
	snprintf(version, sizeof(version), "%u.%u.%u", major, minor, patch);
	if (is_taken(options->trace)) {
		recorder->final_name = realpath(options->trace, NULL);
		if (!recorder->final_name)
			return wt_error_errno(errno, "cannot create the trace", options->trace);
		if (asprintf(&recorder->partial_name, "%s" WT_PARTIAL, recorder->final_name) < 0) {
			recorder->partial_name = NULL;
			return &wt_error_no_memory;
		}
	}
	return wt_writer_create(recorder->partial_name ? recorder->partial_name : options->trace,
				&writer, &recorder->writer);
}

/* False and errno: not if another process has begun a trace of that name, where it could not be kept from it. */
static bool take_final_name(const struct wt_recorder *recorder)
{
	if (wt_claim_is_locked(recorder->final_name)) {
		errno = EBUSY;
		return false;
	}
	return !rename(recorder->partial_name, recorder->final_name);
}

void wt_recorder_keep(struct wt_recorder *recorder)
{
	if (recorder->partial_name && !take_final_name(recorder))
		wt_error_destroy(wt_recorder_notice(recorder, WT_NOTICE_LOST,
						    "the trace keeps its first name: %s",
						    strerror(errno)));
	else if (recorder->partial_name && recorder->writer)
		wt_writer_renamed(recorder->writer, recorder->final_name);
	free(wt_take(recorder->partial_name));
	free(wt_take(recorder->final_name));
}

static void keep_failure(struct wt_recorder *recorder, struct wt_error *error)
{
	if (asprintf(&recorder->failure, "wavetape: %s: %s: %s", error->what, error->where,
		     error->why) < 0)
		recorder->failure = NULL;
	wt_error_destroy(error);
}

/* -1 if that fails: then nothing is known of the room there is. */
static int open_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	wt_cleanup_free char *name =
		slash ? strndup(path, (size_t)(slash - path + 1)) : strdup(".");

	return name ? open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

static struct wt_error *tell_refused(struct wt_recorder *recorder)
{
	return wt_recorder_notice(
		recorder, WT_NOTICE_NOT_TAKEN,
		"WAVETAPE_OPTIONS: %s; because of it memory was left out, in case "
		"that was meant",
		recorder->options.refused);
}

static struct wt_error *claim_and_create(struct wt_recorder *recorder,
					 const struct wt_recorder_options *options)
{
	struct wt_error *error;

	recorder->claim_begun = wt_claim_begin(options->trace);
	recorder->claimed = wt_claim_is_held(options->trace);
	error = recorder->claimed ? wt_error_create(WT_ERROR_USAGE, "not recorded", options->trace,
						    "another process records into that trace")
				  : create_trace(recorder, options);
	if (error) {
		wt_claim_release(recorder->claim, true);
		wt_claim_release(recorder->claim_begun, true);
		recorder->claim = recorder->claim_begun = -1;
	}
	return error;
}

void wt_recorder_open(struct wt_recorder *recorder, const struct wt_recorder_options *options)
{
	struct wt_error *error;

	wt_lock_init(&recorder->lock, !options->trace || !*options->trace);
	recorder->process = getpid();
	recorder->claim = recorder->claim_next = recorder->claim_begun = -1;
	recorder->options = options->words;
	recorder->reproducible = options->words.reproducible;
	recorder->journal_only = options->words.journal_only;
	error = wt_wrapped_load(options->library, &recorder->api);
	if (error) {
		keep_failure(recorder, error);
		return;
	}
	recorder->has_api = true;
	if (!options->trace || !*options->trace)
		return;
	wt_clock_init(&recorder->clock);
	recorder->start_time = wt_clock_monotonic();
	error = claim_and_create(recorder, options);
	if (error) {
		keep_failure(recorder, error);
		return;
	}
	recorder->numbers.writer = recorder->writer;
	recorder->owner = owner_page();
	recorder->directory = -1;
	if (recorder->options.min_free)
		recorder->directory = open_directory(options->trace);
	atomic_store(&recorder->recording, true);
	if (options->words.refused[0])
		wt_recorder_check(recorder, tell_refused(recorder));
}

static const char *end_reason(const struct wt_recorder *recorder)
{
	if (recorder->session.processes)
		return "process exit";
	return recorder->initialized ? "detached" : "finalized";
}

static void forget(struct wt_recorder *recorder)
{
	atomic_store(&recorder->recording, false);
	if (recorder->directory >= 0)
		close(recorder->directory);
	recorder->directory = -1;
	recorder->writer = recorder->numbers.writer = NULL;
	free(wt_take(recorder->partial_name));
	free(wt_take(recorder->final_name));
	wt_session_deinit(&recorder->session);
	wt_buffer_deinit(&recorder->scratch);
	wt_ordinals_deinit(&recorder->client_processes);
	wt_ordinals_deinit(&recorder->symbolizers);
	wt_ordinals_deinit(&recorder->client_threads);
	wt_ordinals_deinit(&recorder->threads);
}

static void tell_unrecorded(struct wt_recorder *recorder)
{
	unsigned int count = atomic_load(&recorder->unrecorded);

	if (count && atomic_load(&recorder->recording))
		wt_recorder_check(
			recorder,
			wt_recorder_notice(recorder, WT_NOTICE_NOT_TAKEN,
					   "%u %s a signal handler made while its thread was at "
					   "work on the trace %s not here",
					   count, wt_plural(count, "call that", "calls that"),
					   wt_plural(count, "is", "are")));
}

/*
 * A thread that is inside a call of ours at exit() keeps the lock: then the trace stays without an end,
 * which every reader can cope with, and nobody waits.
 */
static void end_trace(struct wt_recorder *recorder)
{
	if (!atomic_load(&recorder->recording) || !wt_recorder_is_owner(recorder) ||
	    !wt_lock_try(&recorder->lock, (uintptr_t)wt_thread_self()))
		return;
	tell_unrecorded(recorder);
	if (atomic_load(&recorder->recording)) {
		struct wt_error *error = wt_writer_close(recorder->writer, end_reason(recorder));

		recorder->writer = NULL;
		/* A trace that ends in order has all there was to see, even without a stop. */
		if (!error && recorder->partial_name && take_final_name(recorder))
			free(wt_take(recorder->partial_name));
		wt_error_destroy(error);
		forget(recorder);
	}
	wt_lock_drop(&recorder->lock);
}

void wt_recorder_close(struct wt_recorder *recorder)
{
	end_trace(recorder);
	wt_claim_release(recorder->claim, wt_recorder_is_owner(recorder));
	recorder->claim = -1;
	/* Left where the trace could not be created. */
	free(wt_take(recorder->partial_name));
	free(wt_take(recorder->final_name));
	free(wt_take(recorder->failure));
}

/* Why, and the end of the trace. False if it could not be closed in order. */
static bool end_with(struct wt_recorder *recorder, const char *why)
{
	enum wt_notice_kind kind = recorder->disk_spent ? WT_NOTICE_NOT_TAKEN : WT_NOTICE_LOST;
	const char *reason = recorder->disk_spent ? WT_END_DISK_SPENT : WT_END_RECORDER_FAILED;
	struct wt_error *error;
	bool ended;

	/* If it was the writer that failed it has said so, and these two change nothing. */
	wt_error_destroy(wt_writer_notice(recorder->writer, kind, recorder->calls, why));
	ended = wt_writer_has_ended(recorder->writer);
	error = wt_writer_close(recorder->writer, reason);
	ended |= !error;
	wt_error_destroy(error);
	return ended;
}

/* To the client. Calls that it makes meanwhile do not wait for us: nothing is recorded any more. */
static void log_failure(const struct wt_recorder *recorder, const struct wt_error *error)
{
	wt_cleanup_free char *text = NULL;

	if (!recorder->initialized || recorder->silent || !recorder->client.log_message)
		return;
	if (asprintf(&text, "wavetape: %s: %s: %s", error->what, error->where, error->why) < 0)
		text = NULL;
	else
		recorder->client.log_message(AMD_DBGAPI_LOG_LEVEL_WARNING, text);
}

void wt_recorder_fail(struct wt_recorder *recorder, struct wt_error *error)
{
	char text[512];
	bool ended;

	if (atomic_load(&recorder->recording)) {
		snprintf(text, sizeof(text), "%s: %s: %s", error->what, error->where, error->why);
		ended = end_with(recorder, text);
		forget(recorder);
		if (!ended)
			log_failure(recorder, error);
	}
	wt_error_destroy(error);
}

struct wt_error *wt_recorder_check_disk(struct wt_recorder *recorder)
{
	struct statvfs status;

	if (!recorder->options.min_free || fstatvfs(recorder->directory, &status) ||
	    (uint64_t)status.f_bavail * status.f_frsize >= recorder->options.min_free)
		return NULL;
	recorder->disk_spent = true;
	return wt_error_create(WT_ERROR_LIMIT, "the recording ends here", "min-free",
			       "the file system has %llu bytes left, fewer than %llu",
			       (unsigned long long)status.f_bavail * status.f_frsize,
			       (unsigned long long)recorder->options.min_free);
}

__attribute__((format(printf, 3, 0))) static struct wt_error *notice(struct wt_recorder *recorder,
								     enum wt_notice_kind kind,
								     const char *format,
								     va_list arguments)
{
	char text[512];

	vsnprintf(text, sizeof(text), format, arguments);
	return wt_writer_notice(recorder->writer, kind, recorder->calls, text);
}

struct wt_error *wt_recorder_notice(struct wt_recorder *recorder, enum wt_notice_kind kind,
				    const char *format, ...)
{
	struct wt_error *error;
	va_list arguments;

	va_start(arguments, format);
	error = notice(recorder, kind, format, arguments);
	va_end(arguments);
	return error;
}

struct wt_error *wt_recorder_remark(struct wt_recorder *recorder, enum wt_remark remark,
				    const char *format, ...)
{
	struct wt_error *error;
	va_list arguments;

	if (recorder->told >> remark & 1)
		return NULL;
	recorder->told |= 1u << remark;
	va_start(arguments, format);
	error = notice(recorder, WT_NOTICE_NOT_TAKEN, format, arguments);
	va_end(arguments);
	return error;
}
