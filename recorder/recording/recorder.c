/* SPDX-License-Identifier: MIT */
#include "recorder/recording/recorder.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/own-note.h"
#include "base/plural.h"
#include "dbgapi/client/level.h"
#include "dbgapi/finding/search.h"
#include "dbgapi/table/api.h"
#include "recorder/recording/claim.h"
#include "recorder/recording/options.h"
#include "recorder/recording/thread.h"
#include "recorder/recording/unknown.h"
#include "trace-format/rewrite/ring.h"

/* ---- The library that is recorded ---- */

static const char cannot_find_library[] = "cannot find the library to record";

WT_OWN_NOTE(recording_note);

static const char *self_path(void)
{
	Dl_info info;

	return dladdr(&recording_note, &info) ? info.dli_fname : NULL;
}

/*
 * Whether a library would end up in front of itself: it is this one, or another of its kind. The first needs neither memory nor a
 * descriptor, which may be short.
 */
static bool library_is_own(const char *path, const char *self)
{
	struct stat library, own;

	if (!stat(path, &library) && !stat(self, &own) && library.st_dev == own.st_dev &&
	    library.st_ino == own.st_ino)
		return true;
	return wt_library_file_look(path, true).state == WT_LIBRARY_OWN;
}

static struct wt_error *load_named(const char *path, const char *self, struct wt_api *api_ret)
{
	if (library_is_own(path, self))
		return wt_error_create(WT_ERROR_USAGE, cannot_find_library, path,
				       "that is the recording library itself");
	return wt_api_load(path, api_ret);
}

static struct wt_error *load_found(const char *self, unsigned int level, struct wt_api *api_ret)
{
	struct wt_search search = wt_search_begin(WT_SEARCH_DBGAPI);
	const struct wt_search_place *taken;
	wt_cleanup_free char *places = NULL;
	struct wt_error *error;

	search.client_level = wt_client_level();
	if (level > search.client_level)
		search.client_level = level;
	wt_search_add_loaded(&search, self);
	taken = wt_search_taken(&search);
	if (taken) {
		error = wt_api_load(taken->path, api_ret);
	} else {
		places = wt_search_text(&search);
		error = places && !search.no_memory
				? wt_error_create(WT_ERROR_NOT_FOUND, cannot_find_library,
						  WT_API_SONAME,
						  "there is no other in %s; set WAVETAPE_DBGAPI to "
						  "its full path",
						  places)
				: &wt_error_no_memory;
	}
	wt_search_deinit(&search);
	return error;
}

/*
 * The path of a library that is loaded under the name that clients ask for, if that is not this one: then we were preloaded
 * under a name of our own, and what the client asks for that we do not have, it gets from that library.
 */
static bool find_beside(const char *self, char path_ret[PATH_MAX])
{
	void *handle = dlopen(WT_API_SONAME, RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL);
	struct link_map *map;
	int length = -1;

	if (!handle)
		return false;
	if (!dlinfo(handle, RTLD_DI_LINKMAP, &map))
		length = snprintf(path_ret, PATH_MAX, "%s", map->l_name);
	dlclose(handle);
	return length > 0 && length < PATH_MAX && !library_is_own(path_ret, self);
}

/*
 * Load the library to wrap; never this very library, under whatever name.
 *
 * @path: of the library; NULL for the first that is found by the list of dbgapi/finding/search.h, beginning with what the loader
 *        would have given to the client, as far as its search order tells. Where the client has a library of the name loaded beside
 *        this one, which was preloaded under another, it is that one in any case.
 * @level: of the API, as 77 of 0.77, that the one that is found is to have if there is any such, as where the client in this process asks for it.
 */
static struct wt_error *wrapped_load(const char *path, unsigned int level, struct wt_api *api_ret)
{
	const char *self = self_path();
	char beside[PATH_MAX];

	if (!self)
		return wt_error_create(WT_ERROR_INTERNAL, cannot_find_library, WT_API_SONAME,
				       "the recording library does not find its own file");
	/* Two libraries in one session would not know of each other: the client's own it is. */
	if (find_beside(self, beside))
		return wt_api_load(beside, api_ret);
	return path && *path ? load_named(path, self, api_ret) : load_found(self, level, api_ret);
}

/* ---- The trace as a file ---- */

static bool name_is_taken(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode) && status.st_size;
}

/* The claim goes along when the writer puts a new file in place of the trace. */
static struct wt_error *claim_next(void *opaque, const char *path)
{
	struct wt_trace_file *file = opaque;

	if (file->claim < 0)
		return NULL;
	file->claim_next = wt_claim_hold(path);
	if (file->claim_next >= 0)
		return NULL;
	return wt_error_create(WT_ERROR_IO, "cannot claim the trace", path,
			       "it cannot be locked, and another program might replace it");
}

static void move_claim(void *opaque, bool done)
{
	struct wt_trace_file *file = opaque;

	wt_claim_release(done ? file->claim : file->claim_next, true);
	if (done)
		file->claim = file->claim_next;
	file->claim_next = -1;
}

/* The file is there, and nothing is in it: from now on others see whose it is. */
static void claim_first(void *opaque, const char *path)
{
	struct wt_trace_file *file = opaque;

	file->claim = wt_claim_hold(path);
	wt_claim_release(file->claim_begun, true);
	file->claim_begun = -1;
}

/* Chooses the names of the file until trace_file_keep(), and after. */
static struct wt_error *choose_names(struct wt_trace_file *file, const char *path)
{
	if (!name_is_taken(path))
		return NULL;
	file->final_name = realpath(path, NULL);
	if (!file->final_name)
		return wt_error_errno(errno, "cannot create the trace", path);
	if (asprintf(&file->partial_name, "%s" WT_PARTIAL, file->final_name) >= 0)
		return NULL;
	file->partial_name = NULL;
	return &wt_error_no_memory;
}

static struct wt_error *claim_and_create(struct wt_trace_file *file, const char *path,
					 const struct wt_writer_options *options,
					 struct wt_writer **writer_ret)
{
	struct wt_error *error;

	if (options->in_memory)
		return wt_writer_create(path, options, writer_ret);
	file->claim_begun = wt_claim_begin(path);
	file->is_others = wt_claim_is_held(path);
	if (file->is_others)
		return wt_error_create(WT_ERROR_USAGE, "not recorded", path,
				       "another process records into that trace");
	error = choose_names(file, path);
	if (error)
		return error;
	return wt_writer_create(file->partial_name ? file->partial_name : path, options,
				writer_ret);
}

/* -1 if that fails: then nothing is known of the room there is. */
static int trace_directory_open(const char *path)
{
	const char *slash = strrchr(path, '/');
	wt_cleanup_free char *name =
		slash ? strndup(path, (size_t)(slash - path + 1)) : strdup(".");

	return name ? open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

static void watch_room(struct wt_trace_file *file, const char *path, uint64_t min_free)
{
	file->min_free = min_free;
	if (min_free)
		file->directory = trace_directory_open(path);
}

/*
 * Claim the trace and create it.
 *
 * @file: WT_TRACE_FILE_NONE; stays where it is as long as the writer.
 * @options: what to write with. How claims follow the file is filled in.
 * @min_free: bytes that wt_trace_file_check_room() wants free; 0: none.
 *
 * Errors: WT_ERROR_USAGE if it belongs to another process; those of the writer. No claim is held then.
 */
static struct wt_error *trace_file_create(struct wt_trace_file *file, const char *path,
					  struct wt_writer_options *options, uint64_t min_free,
					  struct wt_writer **writer_ret)
{
	struct wt_error *error;

	options->ring_watch =
		(struct wt_ring_watch){.opaque = file, .before = claim_next, .after = move_claim};
	options->file_watch = (struct wt_file_watch){.opaque = file, .created = claim_first};
	error = claim_and_create(file, path, options, writer_ret);
	if (error) {
		wt_claim_release(file->claim, true);
		wt_claim_release(file->claim_begun, true);
		file->claim = file->claim_begun = -1;
		return error;
	}
	if (!options->in_memory)
		watch_room(file, path, min_free);
	return NULL;
}

/*
 * A trace that was begun in memory gets a file of its own, and is claimed there.
 *
 * Errors: of wt_writer_move(), and of wt_trace_file_check_room(); the trace then stays in memory.
 */
static struct wt_error *trace_file_move(struct wt_trace_file *file, struct wt_writer *writer,
					const char *path, uint64_t min_free)
{
	struct wt_error *error;

	watch_room(file, path, min_free);
	error = wt_trace_file_check_room(file);
	if (!error)
		error = wt_writer_move(writer, path);
	if (!error) {
		claim_first(file, path);
		return NULL;
	}
	/* In memory it takes no room there. */
	if (file->directory >= 0)
		close(file->directory);
	file->directory = -1;
	file->min_free = 0;
	file->disk_spent = false;
	return error;
}

/* False and errno: not if another process has begun a trace of that name, where it could not be kept from it. */
static bool take_final_name(const struct wt_trace_file *file)
{
	if (wt_claim_is_locked(file->final_name)) {
		errno = EBUSY;
		return false;
	}
	return !rename(file->partial_name, file->final_name);
}

/*
 * Keeps a trace that has something to show: it takes the place of an older trace of that name. If that fails it keeps
 * its first name for good.
 *
 * @writer: told of the name; NULL if the trace is at its end.
 *
 * Return: false, and errno, if it failed.
 */
static bool trace_file_keep(struct wt_trace_file *file, struct wt_writer *writer)
{
	bool taken = !file->partial_name || take_final_name(file);
	int error = errno;

	if (file->partial_name && taken && writer)
		wt_writer_renamed(writer, file->final_name);
	free(wt_take(file->partial_name));
	free(wt_take(file->final_name));
	errno = error;
	return taken;
}

struct wt_error *wt_trace_file_check_room(struct wt_trace_file *file)
{
	struct statvfs status;

	if (!file->min_free || fstatvfs(file->directory, &status) ||
	    (uint64_t)status.f_bavail * status.f_frsize >= file->min_free)
		return NULL;
	file->disk_spent = true;
	return wt_error_create(WT_ERROR_LIMIT, "the recording ends here", "min-free",
			       "the file system has %llu bytes left, fewer than %llu",
			       (unsigned long long)status.f_bavail * status.f_frsize,
			       (unsigned long long)file->min_free);
}

/* Nothing more is written; the claim stays. */
static void trace_file_end(struct wt_trace_file *file)
{
	if (file->directory >= 0)
		close(file->directory);
	file->directory = -1;
	free(wt_take(file->partial_name));
	free(wt_take(file->final_name));
}

/* Give the claim up. @owner: as wt_claim_release() has it. */
static void trace_file_release(struct wt_trace_file *file, bool owner)
{
	wt_claim_release(file->claim, owner);
	file->claim = -1;
	/* Left where the trace could not be created. */
	trace_file_end(file);
}

#define COMMAND_LINE_LIMIT (64u << 10)

static uint64_t clock_now(clockid_t clock)
{
	struct timespec now = {0};

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t wt_recorder_time(const struct wt_recorder *recorder)
{
	return recorder->options.reproducible ? 0 : wt_clock_ns() - recorder->start_time;
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

static struct wt_error *create_trace(struct wt_recorder *recorder,
				     const struct wt_recorder_options *options)
{
	wt_cleanup_free char *command_text = NULL;
	const struct wt_options *words = &options->words;
	wt_cleanup_free char **command = words->reproducible ? NULL : command_line(&command_text);
	uint32_t major = 0, minor = 0, patch = 0;
	const unsigned int client = wt_client_level();
	char version[40], level[16] = "";
	struct wt_writer_options writer = {
		.size = sizeof(writer),
		.recorder = "wavetape " WT_VERSION,
		.api_level = WT_API_LEVEL,
		.library_version = version,
		.library_build_name = recorder->api.get_build_name(),
		.command_line = (const char *const *)command,
		.process_id = words->reproducible ? 0 : (uint64_t)recorder->process.id,
		.start_time = words->reproducible ? 0 : clock_now(CLOCK_REALTIME),
		.reproducible = words->reproducible,
		.sync_every = words->sync_every,
		.keyframe_interval = words->keyframes,
		.max_bytes = words->max_bytes,
		.max_memory = words->max_memory,
		.ring_stops = options->in_memory ? 0 : words->ring_stops,
		.turn_ring = wt_ring_turn,
		.no_mapping = words->no_mapping,
		.no_thread = words->no_thread,
		.policy = words->content,
		.redacted = words->policy.redact,
		.client_level = level,
		.in_memory = options->in_memory,
		.shares_items = true,
	};

	if (client)
		snprintf(level, sizeof(level), "0.%u", client);
	recorder->api.get_version(&major, &minor, &patch);
	snprintf(version, sizeof(version), "%u.%u.%u", major, minor, patch);
	return trace_file_create(&recorder->file, options->trace, &writer, words->min_free,
				 &recorder->writer);
}

void wt_recorder_keep(struct wt_recorder *recorder)
{
	if (!trace_file_keep(&recorder->file, recorder->writer))
		wt_error_destroy(wt_recorder_notice(recorder, WT_NOTICE_LOST,
						    "the trace keeps its first name: %s",
						    strerror(errno)));
}

static void keep_failure(struct wt_recorder *recorder, struct wt_error *error)
{
	if (asprintf(&recorder->failure, "wavetape: %s: %s: %s", error->what, error->where,
		     error->why) < 0)
		recorder->failure = NULL;
	wt_error_destroy(error);
}

static struct wt_error *tell_refused(struct wt_recorder *recorder)
{
	return wt_recorder_notice(
		recorder, WT_NOTICE_NOT_TAKEN,
		"WAVETAPE_OPTIONS: %s; because of it memory was left out, in case "
		"that was meant",
		recorder->options.refused);
}

/* A library of a level that is not known here is recorded as far as it is known. */
static void tell_unknown(void *opaque, const char *name, const char *version)
{
	struct wt_recorder *recorder = opaque;

	if (atomic_load(&recorder->recording))
		wt_recorder_check(recorder,
				  wt_recorder_notice(recorder, WT_NOTICE_NOT_TAKEN,
						     "the library has %s@%s, which is not known: "
						     "its calls are not recorded",
						     name, version));
}

/* Tells what is to be said of the library at once. */
static void tell_of_library(struct wt_recorder *recorder)
{
	Dl_info info;

	if (dladdr(*(void **)&recorder->api.get_version, &info) && info.dli_fname)
		wt_unknown_functions(info.dli_fname, tell_unknown, recorder);
}

void wt_recorder_open(struct wt_recorder *recorder, const struct wt_recorder_options *options)
{
	struct wt_error *error;

	wt_lock_init(&recorder->lock, WT_LOCK_PATIENCE_MS);
	recorder->process.id = getpid();
	recorder->file = (struct wt_trace_file)WT_TRACE_FILE_NONE;
	recorder->options = options->words;
	recorder->allocations = options->allocations;
	error = wrapped_load(options->library, options->level, &recorder->api);
	if (error) {
		keep_failure(recorder, error);
		return;
	}
	recorder->wrapped = &recorder->api;
	if (!options->trace || !*options->trace)
		return;
	recorder->start_time = wt_clock_ns();
	recorder->host.queue_error = options->queue_error;
	if (options->queue_error)
		recorder->host.seen = WT_SEEN_FAULT;
	error = create_trace(recorder, options);
	if (error) {
		keep_failure(recorder, error);
		return;
	}
	recorder->numbers.writer = recorder->writer;
	if (!recorder->process.page)
		recorder->process.page = owner_page();
	atomic_store(&recorder->recording, true);
	if (options->words.refused[0])
		wt_recorder_check(recorder, tell_refused(recorder));
	tell_of_library(recorder);
}

static const char *recorder_end_reason(const struct wt_recorder *recorder)
{
	if (recorder->session.processes)
		return "process exit";
	return recorder->client.initialized ? "detached" : "finalized";
}

static void recorder_forget(struct wt_recorder *recorder)
{
	atomic_store(&recorder->recording, false);
	recorder->writer = recorder->numbers.writer = NULL;
	trace_file_end(&recorder->file);
	wt_session_deinit(&recorder->session);
	wt_buffer_deinit(&recorder->scratch);
	wt_ordinals_deinit(&recorder->ordinals.client_processes);
	wt_ordinals_deinit(&recorder->ordinals.symbolizers);
	wt_ordinals_deinit(&recorder->ordinals.client_threads);
	wt_ordinals_deinit(&recorder->ordinals.threads);
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
bool wt_recorder_end(struct wt_recorder *recorder, const char *reason)
{
	struct wt_thread *thread = wt_thread_self();
	bool whole = false;

	if (!atomic_load(&recorder->recording) || !wt_recorder_is_owner(recorder) ||
	    !wt_thread_try_lock(thread, &recorder->lock, __builtin_frame_address(0)))
		return false;
	tell_unrecorded(recorder);
	if (atomic_load(&recorder->recording)) {
		struct wt_error *error = wt_writer_close(recorder->writer, reason);

		recorder->writer = NULL;
		/* A trace that ends in order has all there was to see, even without a stop. */
		whole = !error;
		if (whole)
			trace_file_keep(&recorder->file, NULL);
		wt_error_destroy(error);
		recorder_forget(recorder);
	}
	wt_thread_unlock(thread, &recorder->lock);
	return whole;
}

struct wt_error *wt_recorder_move(struct wt_recorder *recorder, const char *path)
{
	static const char what[] = "cannot write the trace";
	struct wt_thread *thread = wt_thread_self();
	struct wt_error *error = NULL;

	if (!wt_thread_lock(thread, &recorder->lock, __builtin_frame_address(0)))
		return wt_error_create(WT_ERROR_NOT_FOUND, what, path, "the recording has ended");
	if (atomic_load(&recorder->recording))
		error = trace_file_move(&recorder->file, recorder->writer, path,
					recorder->options.min_free);
	else
		error = wt_error_create(WT_ERROR_NOT_FOUND, what, path, "the recording has ended");
	wt_thread_unlock(thread, &recorder->lock);
	return error;
}

void wt_recorder_close(struct wt_recorder *recorder)
{
	wt_recorder_end(recorder, recorder_end_reason(recorder));
	trace_file_release(&recorder->file, wt_recorder_is_owner(recorder));
	free(wt_take(recorder->failure));
}

/* Why, and the end of the trace. False if it could not be closed in order. */
static bool recorder_end_with(struct wt_recorder *recorder, const char *why)
{
	enum wt_notice_kind kind = recorder->file.disk_spent ? WT_NOTICE_NOT_TAKEN : WT_NOTICE_LOST;
	const char *reason = recorder->file.disk_spent ? WT_END_DISK_SPENT : WT_END_RECORDER_FAILED;
	struct wt_error *error;
	bool ended;

	/* If it was the writer that failed it has said so, and these two change nothing. */
	wt_error_destroy(wt_writer_notice(recorder->writer, kind, recorder->calls.last, why));
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

	if (!recorder->client.initialized || recorder->client.silent ||
	    !recorder->client.callbacks.log_message)
		return;
	if (asprintf(&text, "wavetape: %s: %s: %s", error->what, error->where, error->why) < 0)
		text = NULL;
	else
		recorder->client.callbacks.log_message(AMD_DBGAPI_LOG_LEVEL_WARNING, text);
}

void wt_recorder_abandon(struct wt_recorder *recorder)
{
	struct wt_error *error;

	if (!atomic_exchange(&recorder->recording, false) || !wt_recorder_is_owner(recorder))
		return;
	error = wt_error_create(
		WT_ERROR_INTERNAL, "the recording ends here", "longjmp",
		"a signal handler left a call in the middle of the recorder's work");
	log_failure(recorder, error);
	wt_error_destroy(error);
}

void wt_recorder_fail(struct wt_recorder *recorder, struct wt_error *error)
{
	char text[512];
	bool ended;

	if (atomic_load(&recorder->recording)) {
		snprintf(text, sizeof(text), "%s: %s: %s", error->what, error->where, error->why);
		ended = recorder_end_with(recorder, text);
		recorder_forget(recorder);
		if (!ended)
			log_failure(recorder, error);
	}
	wt_error_destroy(error);
}

__attribute__((format(printf, 3, 0))) static struct wt_error *notice(struct wt_recorder *recorder,
								     enum wt_notice_kind kind,
								     const char *format,
								     va_list arguments)
{
	char text[512];

	vsnprintf(text, sizeof(text), format, arguments);
	return wt_writer_notice(recorder->writer, kind, recorder->calls.last, text);
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

	if (recorder->remarks >> remark & 1)
		return NULL;
	recorder->remarks |= 1u << remark;
	va_start(arguments, format);
	error = notice(recorder, WT_NOTICE_NOT_TAKEN, format, arguments);
	va_end(arguments);
	return error;
}
