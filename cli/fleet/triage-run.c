/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/plural.h"
#include "cli/describe.h"
#include "cli/fleet/triage.h"
#include "cli/function-names.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/trace.h"
#include "replayer/recorded/reason.h"
#include "replayer/view/explain-cause.h"
#include "replayer/view/signature.h"
#include "replayer/view/stack.h"
#include "replayer/view/waiting.h"
#include "replayer/view/wave-places.h"
#include "trace-format/state/host-facts.h"

/* ---- One trace: its record ---- */

/* Frames above the innermost that count for a signature. */
#define FRAMES_MAX 4u

/* Names of functions that are longer, or become so, are left as they are. */
static const char too_slow[] = "too_slow";

const char *wt_triage_text(const json_t *record, const char *name)
{
	return json_string_value(json_object_get(record, name));
}

static void triage_trace_set(json_t *record, const char *name, const char *text)
{
	json_object_set_new(record, name, wt_cli_json_text(text));
}

/* The name by which a user calls a function; NULL for none. */
static json_t *name_make_plain(const char *name)
{
	wt_cleanup_free char *demangled = NULL, *bare = NULL, *plain = NULL;
	size_t length = name ? strlen(name) : 0;

	if (!name)
		return json_null();
	bare = strdup(name);
	if (!bare)
		return NULL;
	if (length > 3 && !strcmp(bare + length - 3, ".kd"))
		bare[length - 3] = '\0';
	demangled = wt_cli_demangle(bare);
	plain = wt_signature_name(demangled ? demangled : bare);
	return plain ? wt_cli_json_text(plain) : NULL;
}

/* ---- The crash ---- */

/* The part of a state that is needed: of a full GPU it is small. */
struct needs {
	uint64_t wave;	       /* whose calls are followed; 0: it is not known yet */
	uint32_t private_wave; /* number of the name of private memory */
	bool all; /* memory of the program, too: the wave is followed from its launch */
};

static bool triage_trace_is_needed(void *opaque, const struct wt_key *key)
{
	const struct needs *needs = opaque;

	switch (key->type) {
	case WT_ITEM_REGISTERS:
		return needs->wave && key->owner == needs->wave;
	case WT_ITEM_MEMORY:
		return needs->wave && (needs->all || (key->kind == needs->private_wave &&
						      key->owner == needs->wave));
	default:
		return true;
	}
}

/* View the stop again, with what the calls of a wave are followed by. */
static struct wt_error *needs_view_wave(struct needs *needs, uint64_t wave, bool all,
					struct wt_view **view)
{
	struct wt_reader *reader = wt_view_reader(*view);
	uint32_t moment = wt_view_moment(*view)->number;

	*needs = (struct needs){wave, wt_reader_name_number(reader, "private_wave"), all};
	wt_reader_need(reader, triage_trace_is_needed, needs);
	wt_view_close(*view);
	*view = NULL;
	return wt_view_open(reader, moment, view);
}

/* The place where most waves stopped for a fault, else where most are; NULL if none is known. */
static const struct wt_place *triage_trace_choose(const struct wt_places *places, bool fault)
{
	for (size_t i = 0; i < places->count; i++)
		if (!fault || places->places[i].reasons & WT_FAULT_REASONS)
			return &places->places[i];
	return NULL;
}

/* A wave of the place, with a fault where there is one. */
static uint64_t triage_trace_choose_wave(const struct wt_view *view, const struct wt_place *place,
					 bool fault)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	uint64_t pc;

	for (size_t i = 0; fault && i < count; i++)
		if (wt_view_wave_has_fault(view, waves[i]) &&
		    wt_view_number(view, WT_OBJECT_WAVE, waves[i], AMD_DBGAPI_WAVE_INFO_PC, &pc) &&
		    pc == place->pc)
			return waves[i];
	return place->first;
}

/* The functions that are inlined there, and who called them. */
static struct wt_error *triage_trace_put_frames(struct wt_view *view, uint64_t wave, json_t *record)
{
	json_t *array = json_array();
	struct wt_stacks *stacks = NULL;
	struct wt_stack *stack = NULL;
	struct wt_error *error = wt_stacks_create(view, &stacks);

	json_object_set_new(record, "frames", array);
	if (!error)
		error = wt_stack_create(stacks, wave, &stack);
	for (size_t i = 0; !error && stack && i < wt_stack_count(stack) && i < FRAMES_MAX; i++)
		json_array_append_new(array, name_make_plain(wt_stack_frame(stack, i)->function));
	wt_stack_destroy(stack);
	wt_stacks_destroy(stacks);
	return error;
}

/* @code: where it failed. */
static void triage_trace_put_wave(struct wt_view *view, const struct wt_explain_wave *wave,
				  const struct wavetape_place *code, json_t *record)
{
	const struct gfx_architecture *architecture =
		wt_view_architecture(view, WT_OBJECT_WAVE, wave->wave);
	char text[WT_DESCRIBE_MAX];

	triage_trace_set(record, "architecture", architecture ? architecture->name : NULL);
	json_object_set_new(record, "kernel", name_make_plain(wave->kernel));
	triage_trace_set(record, "kernel_symbol", wave->kernel);
	triage_trace_set(record, "reason", wt_describe_reasons(wave->reasons, text));
	triage_trace_set(record, "source", code->file);
	json_object_set_new(record, "line", code->file ? json_integer(code->line) : json_null());
	json_object_set_new(record, "function", name_make_plain(code->symbol));
	json_object_set_new(record, "offset",
			    code->symbol ? wt_cli_json_hex(code->symbol_offset) : json_null());
}

/* The place that failed: of an assertion its call; of an access that the wave went on behind that one, if nothing else can have failed. */
static const struct wavetape_place *triage_trace_choose_code(const struct wt_cause *cause)
{
	if (cause->kind == WT_CAUSE_ASSERTION)
		return &cause->calls[0];
	return cause->certain ? wt_cause_code(cause) : &cause->wave.code;
}

/*
 * All assertions of a program trap in one function: each has the place from which that was called, and its text, where these are
 * known. Without precise memory a wave stands at any instruction behind the access that failed: traces of one mistake have
 * that one in common.
 */
static struct wt_error *triage_trace_put_cause(struct wt_view *view, struct wt_explainer *explainer,
					       uint64_t shown, json_t *record)
{
	const struct wt_cause_limits limits = WT_CAUSE_LIMITS_LINE;
	struct wt_cause cause;
	struct wt_error *error = wt_explain_cause(explainer, shown, UINT32_MAX, &limits, &cause);

	if (error)
		return error;
	triage_trace_put_wave(view, &cause.wave, triage_trace_choose_code(&cause), record);
	json_object_set_new(record, "where_stopped", json_boolean(wt_cause_is_cut_short(&cause)));
	if (cause.kind == WT_CAUSE_ASSERTION)
		triage_trace_set(record, "assertion", cause.sentence);
	wt_cause_deinit(&cause);
	return NULL;
}

/* The place, as one of its waves shows it. @needs_cause: the instruction at which it stopped may not be what failed. */
static struct wt_error *triage_trace_put_shown(struct wt_view *view, uint64_t shown,
					       bool needs_cause, json_t *record)
{
	struct wt_explainer *explainer = NULL;
	struct wt_explain_wave wave = {0};
	struct wt_error *error = wt_explainer_create(view, &explainer);

	if (error)
		return error;
	wt_explainer_leave_text_out(explainer);
	if (needs_cause) {
		error = triage_trace_put_cause(view, explainer, shown, record);
	} else {
		error = wt_explain_wave(explainer, shown, &wave);
		if (!error)
			triage_trace_put_wave(view, &wave, &wave.code, record);
		json_object_set_new(record, "where_stopped", json_false());
		wt_explain_wave_deinit(&wave);
	}
	if (!error)
		error = triage_trace_put_frames(view, shown, record);
	wt_explainer_destroy(explainer);
	return error;
}

/* Does only the wave's way say where it failed? */
static bool triage_trace_needs_cause(const struct wt_view *view, const struct wt_place *place)
{
	uint32_t mode;

	if (place->reasons & AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP)
		return true;
	return place->reasons & (AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION |
				 AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR) &&
	       !(wt_view_memory_precision(view, &mode) &&
		 mode == AMD_DBGAPI_MEMORY_PRECISION_PRECISE);
}

/* A queue that the runtime gave up without a fault of a wave: by what the runtime said, and the kernel of the packet. */
static void triage_trace_put_queue_error(struct wt_view *view, const struct wt_queue_error *error,
					 json_t *record)
{
	const struct gfx_architecture *architecture =
		wt_view_architecture(view, WT_OBJECT_QUEUE, error->handle);
	const char *kernel = error->has_packets ? error->queue.packets[0].kernel : NULL;
	char words[WT_WAITING_TEXT];

	triage_trace_set(record, "status", "fault");
	wt_queue_error_words(error, words);
	/* The name of the status; the sentence behind it says the same. */
	words[strcspn(words, ":")] = '\0';
	triage_trace_set(record, "reason", words);
	triage_trace_set(record, "architecture", architecture ? architecture->name : NULL);
	json_object_set_new(record, "kernel", name_make_plain(kernel));
	triage_trace_set(record, "kernel_symbol", kernel);
}

static struct wt_error *triage_trace_find_queue_error(struct wt_view *view, json_t *record,
						      bool *found_ret)
{
	struct wt_explainer *explainer = NULL;
	struct wt_queue_error found = {0};
	struct wt_error *error = wt_explainer_create(view, &explainer);

	if (error)
		return error;
	error = wt_queue_error_find(view, explainer, &found);
	if (!error && found.there)
		triage_trace_put_queue_error(view, &found, record);
	*found_ret = found.there;
	wt_queue_error_deinit(&found);
	wt_explainer_destroy(explainer);
	return error;
}

static struct wt_error *triage_trace_put_place(struct wt_view **view, struct needs *needs,
					       json_t *record)
{
	bool fault = wt_view_has_fault(*view), queue_error = false;
	const struct wt_place *place;
	struct wt_places places;
	struct wt_error *error = wt_places_find(*view, &places);

	if (error)
		return error;
	place = triage_trace_choose(&places, fault);
	triage_trace_set(record, "status", fault ? "fault" : "no_fault");
	json_object_set_new(record, "waves",
			    json_integer((json_int_t)(places.waves + places.unknown)));
	if (!fault)
		error = triage_trace_find_queue_error(*view, record, &queue_error);
	if (!error && place && !queue_error) {
		uint64_t shown = triage_trace_choose_wave(*view, place, fault);

		json_object_set_new(record, "waves_here", json_integer((json_int_t)place->waves));
		bool needs_cause = triage_trace_needs_cause(*view, place);

		error = needs_view_wave(needs, shown, needs_cause, view);
		if (!error)
			error = triage_trace_put_shown(*view, shown, needs_cause, record);
	}
	wt_places_deinit(&places);
	return error;
}

/* ---- Where it was recorded ---- */

/* A name that the recorder found; NULL if the trace has none. */
static const char *triage_trace_find_name(const struct wt_host *host, const char *of)
{
	for (size_t i = 0; i < host->versions_count; i++)
		if (!strcmp(host->versions[i].of, of))
			return host->versions[i].text;
	return NULL;
}

static struct wt_error *triage_trace_put_host(struct wt_reader *reader, json_t *record)
{
	struct wt_host *host = NULL;
	struct wt_error *error = wt_reader_host(reader, &host);

	if (error || !host)
		return error;
	triage_trace_set(record, "host", triage_trace_find_name(host, "host name"));
	triage_trace_set(record, "rank", triage_trace_find_name(host, "rank"));
	triage_trace_set(record, "job", triage_trace_find_name(host, "job"));
	triage_trace_set(record, "executable", host->executable);
	wt_host_destroy(host);
	return NULL;
}

/* ---- All of it ---- */

json_t *wt_triage_unreadable(const char *why)
{
	return json_pack("{s:s, s:o}", "status", "unreadable", "error", wt_cli_json_text(why));
}

/* The same of a trace that takes longer to read than it may. */
static json_t *triage_too_slow(uint64_t seconds)
{
	char why[96];

	snprintf(why, sizeof(why), "that took longer than %" PRIu64 " %s: see --time-limit",
		 seconds, wt_plural(seconds, "second", "seconds"));
	return json_pack("{s:s, s:s}", "status", too_slow, "error", why);
}

bool wt_triage_is_too_slow(const json_t *record)
{
	return !strcmp(wt_triage_text(record, "status"), too_slow);
}

/* Make what has to be the same in a group. The source's file counts by its last part: builds lie in different directories. */
static void triage_trace_sign(json_t *record)
{
	static const char *const parts[] = {"status", "architecture", "kernel",
					    "reason", "function",     "offset"};
	const char *source = wt_triage_text(record, "source"), *slash;
	uint64_t hash = WT_SIGNATURE_START;
	char text[32];
	json_t *frame;
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		hash = wt_signature_add(hash, wt_triage_text(record, parts[i]));
	slash = source ? strrchr(source, '/') : NULL;
	hash = wt_signature_add(hash, slash ? slash + 1 : source);
	snprintf(text, sizeof(text), "%" PRId64,
		 (int64_t)json_integer_value(json_object_get(record, "line")));
	hash = wt_signature_add(hash, text);
	json_array_foreach(json_object_get(record, "frames"), i, frame) hash =
		wt_signature_add(hash, json_string_value(frame));
	if (wt_triage_text(record, "assertion"))
		hash = wt_signature_add(hash, wt_triage_text(record, "assertion"));
	snprintf(text, sizeof(text), "%016" PRIx64, hash);
	triage_trace_set(record, "signature", text);
}

static void triage_trace_put_info(struct wt_reader *reader, json_t *record)
{
	struct wt_trace_info info;

	wt_reader_info(reader, &info);
	json_object_set_new(record, "time_ns",
			    info.start_time ? json_integer((json_int_t)info.start_time)
					    : json_null());
	json_object_set_new(record, "process_id", json_integer((json_int_t)info.process_id));
	json_object_set_new(record, "bytes", json_integer((json_int_t)info.file_size));
	json_object_set_new(record, "closed", json_boolean(info.complete));
	if (info.cut)
		triage_trace_set(record, "ended_early", info.end_reason);
}

/* The damage tells what is lost; the rest may have no stop. */
static struct wt_error *triage_trace_put_stop(struct wt_cli_trace *trace, json_t *record)
{
	struct needs needs = {0};
	struct wt_view *view = NULL;
	struct wt_error *error;
	uint32_t stop;

	wt_reader_need(trace->reader, triage_trace_is_needed, &needs);
	error = wt_cli_trace_view(trace, &view, &stop);
	if (wt_error_is_loss(error)) {
		triage_trace_set(record, "status",
				 wt_reader_damage(trace->reader) ? "lost" : "no_stop");
		return NULL;
	}
	if (!error)
		json_object_set_new(record, "stop", json_integer(stop));
	if (!error)
		error = triage_trace_put_place(&view, &needs, record);
	wt_view_close(view);
	wt_reader_need(trace->reader, NULL, NULL);
	return error;
}

static struct wt_error *triage_trace_describe(struct wt_cli_trace *trace, json_t *record)
{
	const struct wt_reader_options options = {.size = sizeof(options), .small_caches = true};
	struct wt_reader *reader;
	struct wt_error *error = wt_reader_open_with(trace->path, &options, &reader);

	if (error)
		return error;
	wt_cli_trace_use(trace, reader);
	triage_trace_put_info(trace->reader, record);
	error = triage_trace_put_stop(trace, record);
	if (!error)
		error = triage_trace_put_host(trace->reader, record);
	if (!error)
		triage_trace_sign(record);
	if (!error && wt_reader_damage(trace->reader))
		triage_trace_set(record, "damage", wt_reader_damage(trace->reader));
	return error;
}

/*
 * Read one trace, and describe the crash in it. A trace that is damaged or cannot be read is described, too.
 *
 * Return: a new reference; NULL if there is no memory.
 */
static json_t *triage_trace(const char *path)
{
	/* Damage is told by who has the record. */
	struct wt_cli_trace trace = {.path = path, .damage_told = SIZE_MAX};
	json_t *record = json_object();
	struct wt_error *error = record ? triage_trace_describe(&trace, record) : NULL;

	wt_cli_trace_close(&trace, 1);
	if (error) {
		json_decref(record);
		record = wt_triage_unreadable(error->why);
		wt_error_destroy(error);
	}
	return record;
}

static const char what[] = "cannot read the traces";

/* The file that a worker reads, from 1, and since when; 0: none. */
struct taken {
	atomic_size_t file;
	_Atomic uint64_t since_ms;
};

/* The memory that all processes see. */
struct shared {
	atomic_size_t next;   /* the first file that nobody has taken */
	struct taken taken[]; /* by worker */
};

/* A process that reads traces and writes a line for each: the file's position, a blank, its record. */
struct worker {
	pid_t process;
	int fd;	   /* -1: it has ended */
	bool late; /* it was ended, since a file takes too long */
	struct wt_buffer text;
};

struct run {
	struct wt_triage_files *files;
	struct shared *shared;
	size_t shared_size;
	struct worker *workers;
	struct pollfd *polls;
	size_t count, done, wanted;
	uint64_t limit_ms; /* for a file; 0: none */
	struct wt_progress progress;
};

static uint64_t clock_now_ms(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static size_t triage_run_take_next(struct run *run)
{
	size_t position;

	do
		position = atomic_fetch_add(&run->shared->next, 1);
	while (position < run->files->count && run->files->files[position].record);
	return position;
}

/* Return: false if it cannot be written, since the reader is gone, or there is no memory. */
static bool record_write(FILE *out, size_t position, json_t *record)
{
	wt_cleanup_free char *text =
		record ? json_dumps(record, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;

	json_decref(record);
	return text && fprintf(out, "%zu %s\n", position, text) > 0 && !fflush(out);
}

/* The whole life of a worker. */
__attribute__((noreturn)) static void triage_run_work(struct run *run, size_t number, int fd)
{
	FILE *out = fdopen(fd, "w");
	size_t position;

	while (out && (position = triage_run_take_next(run)) < run->files->count) {
		atomic_store(&run->shared->taken[number].since_ms, clock_now_ms());
		atomic_store(&run->shared->taken[number].file, position + 1);
		if (!record_write(out, position, triage_trace(run->files->files[position].path)))
			_exit(1);
		atomic_store(&run->shared->taken[number].file, 0);
	}
	_exit(!out);
}

static struct wt_error *triage_run_start(struct run *run, size_t number)
{
	struct worker *worker = &run->workers[number];
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return wt_error_errno(errno, what, NULL);
	atomic_store(&run->shared->taken[number].file, 0);
	atomic_store(&run->shared->taken[number].since_ms, clock_now_ms());
	worker->late = false;
	fflush(NULL);
	worker->process = fork();
	if (worker->process < 0) {
		struct wt_error *error = wt_error_errno(errno, what, NULL);

		close(ends[0]);
		close(ends[1]);
		return error;
	}
	if (!worker->process) {
		close(ends[0]);
		triage_run_work(run, number, ends[1]);
	}
	close(ends[1]);
	worker->fd = ends[0];
	return NULL;
}

static void triage_run_keep(struct run *run, size_t position, json_t *record)
{
	if (position >= run->files->count || run->files->files[position].record || !record) {
		json_decref(record);
		return;
	}
	run->files->files[position].record = record;
	run->done++;
	wt_progress_update(&run->progress, "%zu of %zu traces", run->done, run->wanted);
}

/* Take the whole lines out of what a worker has written. */
static void triage_run_take_lines(struct run *run, struct worker *worker)
{
	char *text = (char *)worker->text.data;
	size_t at = 0;

	for (char *end;
	     at < worker->text.size && (end = memchr(text + at, '\n', worker->text.size - at));) {
		char *record;
		size_t position = strtoul(text + at, &record, 10);

		triage_run_keep(run, position, json_loadb(record, (size_t)(end - record), 0, NULL));
		at = (size_t)(end - text) + 1;
	}
	if (at)
		memmove(text, text + at, worker->text.size - at);
	worker->text.size -= at;
}

/* A worker is at its end. One that died had a file: that one is named, and another process goes on. */
static struct wt_error *triage_run_end(struct run *run, size_t number)
{
	struct worker *worker = &run->workers[number];
	size_t taken = atomic_load(&run->shared->taken[number].file);
	char why[64] = "reading it ended without a result";
	int status;

	close(worker->fd);
	worker->fd = -1;
	worker->text.size = 0;
	while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR)
		;
	worker->process = 0;
	/* The worker may have come to the end of a file just then. */
	if (!taken)
		return worker->late ? triage_run_start(run, number) : NULL;
	if (worker->late) {
		triage_run_keep(run, taken - 1, triage_too_slow(run->limit_ms / 1000));
		return triage_run_start(run, number);
	}
	if (WIFSIGNALED(status))
		snprintf(why, sizeof(why), "reading it ended with signal %d", WTERMSIG(status));
	triage_run_keep(run, taken - 1, wt_triage_unreadable(why));
	return triage_run_start(run, number);
}

static struct wt_error *triage_run_receive(struct run *run, size_t number)
{
	struct worker *worker = &run->workers[number];
	char text[65536];
	ssize_t size = read(worker->fd, text, sizeof(text));

	if (size < 0 && errno == EINTR)
		return NULL;
	if (size <= 0)
		return triage_run_end(run, number);
	wt_buffer_append(&worker->text, text, (size_t)size);
	if (worker->text.failed)
		return &wt_error_no_memory;
	triage_run_take_lines(run, worker);
	return NULL;
}

/* End workers whose file takes too long. Return: milliseconds until the next one's does; -1: for ever. */
static int triage_run_end_late(struct run *run)
{
	uint64_t now = clock_now_ms(), next = UINT64_MAX;

	for (size_t i = 0; i < run->count && run->limit_ms; i++) {
		struct worker *worker = &run->workers[i];
		uint64_t end = atomic_load(&run->shared->taken[i].since_ms) + run->limit_ms;

		if (worker->fd < 0 || worker->late)
			continue;
		if (end > now) {
			next = end < next ? end : next;
			continue;
		}
		worker->late = true;
		kill(worker->process, SIGKILL);
	}
	if (next == UINT64_MAX)
		return -1;
	return next - now < INT_MAX ? (int)(next - now) : INT_MAX;
}

static struct wt_error *triage_run_collect(struct run *run)
{
	struct wt_error *error = NULL;

	while (!error) {
		size_t open = 0;

		for (size_t i = 0; i < run->count; i++) {
			run->polls[i] = (struct pollfd){.fd = run->workers[i].fd, .events = POLLIN};
			open += run->workers[i].fd >= 0;
		}
		if (!open)
			return NULL;
		if (poll(run->polls, run->count, triage_run_end_late(run)) < 0 && errno != EINTR)
			return wt_error_errno(errno, what, NULL);
		for (size_t i = 0; i < run->count && !error; i++)
			if (run->workers[i].fd >= 0 && run->polls[i].revents)
				error = triage_run_receive(run, i);
	}
	return error;
}

static void triage_run_deinit(struct run *run)
{
	for (size_t i = 0; run->workers && i < run->count; i++) {
		if (run->workers[i].fd >= 0)
			close(run->workers[i].fd);
		if (run->workers[i].process > 0) {
			kill(run->workers[i].process, SIGKILL);
			waitpid(run->workers[i].process, NULL, 0);
		}
		wt_buffer_deinit(&run->workers[i].text);
	}
	if (run->shared && run->shared != MAP_FAILED)
		munmap(run->shared, run->shared_size);
	free(run->workers);
	free(run->polls);
	wt_progress_end(&run->progress);
}

static struct wt_error *triage_run_init(struct run *run)
{
	run->workers = calloc(run->count, sizeof(*run->workers));
	run->polls = calloc(run->count, sizeof(*run->polls));
	for (size_t i = 0; run->workers && i < run->count; i++)
		run->workers[i].fd = -1;
	run->shared_size = sizeof(*run->shared) + run->count * sizeof(*run->shared->taken);
	run->shared = mmap(NULL, run->shared_size, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return run->workers && run->polls && run->shared != MAP_FAILED ? NULL : &wt_error_no_memory;
}

struct wt_error *wt_triage_run(struct wt_triage_files *files, const struct wt_triage_limits *limits)
{
	struct run run = {.files = files,
			  .limit_ms = limits->seconds * 1000,
			  .progress = wt_progress_start("triage")};
	struct wt_error *error;

	for (size_t i = 0; i < files->count; i++)
		run.wanted += !files->files[i].record;
	run.count = limits->jobs < run.wanted ? limits->jobs : run.wanted;
	if (!run.count)
		return NULL;
	error = triage_run_init(&run);
	for (size_t i = 0; !error && i < run.count; i++)
		error = triage_run_start(&run, i);
	if (!error)
		error = triage_run_collect(&run);
	triage_run_deinit(&run);
	for (size_t i = 0; !error && i < files->count; i++)
		if (!files->files[i].record)
			error = &wt_error_no_memory;
	return error;
}
