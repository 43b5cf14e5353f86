/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/plural.h"
#include "cli/describe.h"
#include "cli/fleet/triage.h"
#include "cli/function-names.h"
#include "cli/output.h"
#include "cli/trace.h"
#include "replayer/recorded/reason.h"
#include "replayer/view/explain-cause.h"
#include "replayer/view/signature.h"
#include "replayer/view/stack.h"
#include "replayer/view/waiting.h"
#include "replayer/view/wave-places.h"
#include "trace-format/state/host-facts.h"

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
	const struct wt_cause_limits limits = WT_CAUSE_LIMITS_QUICK;
	struct wt_cause cause;
	struct wt_error *error = wt_explain_cause(explainer, shown, UINT32_MAX, &limits, &cause);

	if (error)
		return error;
	triage_trace_put_wave(view, &cause.wave, triage_trace_choose_code(&cause), record);
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

json_t *wt_triage_too_slow(uint64_t seconds)
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

json_t *wt_triage_trace(const char *path)
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
