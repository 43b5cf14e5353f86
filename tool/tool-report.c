/* SPDX-License-Identifier: MIT */
#include "tool/tool-report.h"

#include <ctype.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/demangle.h"
#include "base/plural.h"
#include "base/text.h"
#include "replayer/recorded/reason.h"
#include "replayer/view/explain-cause.h"
#include "replayer/view/stack.h"
#include "replayer/view/waiting.h"
#include "replayer/view/wave-places.h"
#include "trace-format/reader/reader.h"

#define LINE_MAX_BYTES 2048u
#define NAME_BYTES 256u
/* A name of some hundred letters can stand for one that fills the memory: longer ones stay as they are. */
#define MANGLED_MAX 512u

static void report_append(char text[WT_TOOL_REPORT_MAX], const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void report_append(char text[WT_TOOL_REPORT_MAX], const char *format, ...)
{
	size_t used = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + used, WT_TOOL_REPORT_MAX - used, format, arguments);
	va_end(arguments);
}

static const struct wt_enumeration *find_enumeration(const char *name)
{
	for (size_t i = 0; i < wt_enumeration_count; i++)
		if (!strcmp(wt_enumerations[i].name, name))
			return &wt_enumerations[i];
	return NULL;
}

/* "memory violation and trap". */
static void report_append_reasons(char text[WT_TOOL_REPORT_MAX], uint32_t reasons)
{
	static const char prefix[] = "AMD_DBGAPI_WAVE_STOP_REASON_";
	const struct wt_enumeration *all = find_enumeration("amd_dbgapi_wave_stop_reasons_t");
	bool any = false;

	for (size_t i = 0; all && i < all->count; i++) {
		const char *name = all->values[i].name + strlen(prefix);
		uint32_t bit = (uint32_t)all->values[i].value;

		if (!(reasons & bit))
			continue;
		report_append(text, "%s", any ? " and " : "");
		for (; *name; name++)
			report_append(text, "%c",
				      *name == '_' ? ' ' : tolower((unsigned char)*name));
		reasons &= ~bit;
		any = true;
	}
}

/* In the libraries that the program has loaded, and in none that it has not. */
static wt_demangler find_demangler(void)
{
	void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
	void *found = dlsym(library ? library : RTLD_DEFAULT, "__cxa_demangle");
	wt_demangler demangle;

	if (library)
		dlclose(library);
	memcpy(&demangle, &found, sizeof(demangle));
	return demangle;
}

/*
 * The name of a function as its author wrote it, cut where it is longer than the buffer. The program's own C++ library
 * demangles it, which HIP programs have; without one, and for another name than one of C++, it stays as it is.
 */
static const char *symbol_name(const char *symbol, char buffer[NAME_BYTES])
{
	wt_cleanup_free char *demangled = NULL;
	wt_demangler demangle = NULL;

	if (!strncmp(symbol, "_Z", 2) && strlen(symbol) <= MANGLED_MAX)
		demangle = find_demangler();
	if (demangle)
		demangled = wt_demangle(demangle, symbol);
	snprintf(buffer, NAME_BYTES, "%s", demangled ? demangled : symbol);
	return buffer;
}

/* The user's place of code: its own, or from where what is inlined there was called. False if neither is known to be one. */
static bool report_append_own_place(char text[WT_TOOL_REPORT_MAX],
				    const struct wavetape_place *place)
{
	const char *file;
	uint32_t line;

	if (!wt_source_own_line(place, &file, &line))
		return false;
	report_append(text, ", %.200s:%u", wt_text_file_name(file), line);
	if (place->call_file && file == place->file)
		report_append(text, " from %.200s:%u", wt_text_file_name(place->call_file),
			      place->call_line);
	return true;
}

/* The first frame of the user's among those that called where the wave stopped. */
static bool report_append_caller(char text[WT_TOOL_REPORT_MAX], struct wt_explainer *explainer,
				 uint64_t wave)
{
	struct wt_stacks *stacks = NULL;
	struct wt_stack *stack = NULL;
	struct wt_error *error = wt_stacks_create(wt_explainer_view(explainer), &stacks);
	bool done = false;

	if (!error)
		error = wt_stack_create(stacks, wave, &stack);
	for (size_t i = 0; !error && stack && !done && i < wt_stack_count(stack); i++)
		done = report_append_own_place(text, &wt_stack_frame(stack, i)->place);
	wt_stack_destroy(stack);
	wt_stacks_destroy(stacks);
	wt_error_destroy(error);
	return done;
}

/* Tells where what failed is, wherever the wave was stopped: in the program's own files, if it is there or was called there. */
static void report_append_place(char text[WT_TOOL_REPORT_MAX], struct wt_explainer *explainer,
				const struct wt_cause *cause)
{
	const struct wavetape_place *code = wt_cause_code(cause);
	char name[NAME_BYTES];
	bool done;

	if (cause->wave.kernel)
		report_append(text, " in kernel %.200s", symbol_name(cause->wave.kernel, name));
	else if (code->symbol)
		report_append(text, " in %.200s", symbol_name(code->symbol, name));
	done = report_append_own_place(text, code);
	for (size_t i = 0; !done && i < cause->call_count; i++)
		done = report_append_own_place(text, &cause->calls[i]);
	if (!done && !cause->late)
		done = report_append_caller(text, explainer, cause->wave.wave);
	if (!done && code->file)
		report_append(text, ", %.200s:%u", wt_text_file_name(code->file), code->line);
}

/* The place with the most waves of those that have a fault, or of all where none has. */
static const struct wt_place *find_worst(const struct wt_places *places, size_t *waves_ret)
{
	const struct wt_place *worst = NULL;

	*waves_ret = 0;
	for (size_t i = 0; i < places->count; i++)
		if (places->places[i].reasons & WT_FAULT_REASONS) {
			worst = worst ? worst : &places->places[i];
			*waves_ret += places->places[i].waves;
		}
	if (worst || !places->count)
		return worst;
	*waves_ret = places->places[0].waves;
	return &places->places[0];
}

static void describe_packet(const struct wt_waiting_packet *packet, char text_ret[WT_WAITING_TEXT])
{
	struct wt_waiting_packet shown = *packet;
	char name[NAME_BYTES];

	if (shown.kernel)
		shown.kernel = symbol_name(shown.kernel, name);
	wt_waiting_describe(&shown, text_ret);
}

/* "no wave: queue 2 waits at packet 7, a barrier: waits until ...", of the first queue that waits. */
static struct wt_error *describe_waiting(struct wt_view *view, struct wt_explainer *explainer,
					 char text[WT_TOOL_REPORT_MAX])
{
	char packet[WT_WAITING_TEXT];
	struct wt_waiting waiting;
	struct wt_error *error = wt_waiting_find(view, explainer, &waiting);

	if (error)
		return error;
	report_append(text, "no wave");
	if (waiting.count) {
		const struct wt_waiting_queue *queue = &waiting.queues[0];

		report_append(text, ": queue %" PRIu64 " is at packet %" PRIu64, queue->os_id,
			      queue->first);
		if (queue->count) {
			describe_packet(&queue->packets[0], packet);
			report_append(text, ", %s", packet);
		}
	}
	wt_waiting_deinit(&waiting);
	return NULL;
}

/* "HSA_STATUS_ERROR_..., queue 1 at packet 0, kernel step, ...", where the trace is of that. */
static struct wt_error *describe_queue_error(struct wt_view *view, struct wt_explainer *explainer,
					     char text[WT_TOOL_REPORT_MAX], bool *done_ret)
{
	char words[WT_WAITING_TEXT];
	struct wt_queue_error found;
	struct wt_error *error = wt_queue_error_find(view, explainer, &found);

	if (error)
		return error;
	*done_ret = found.there;
	if (found.there)
		report_append(text, "%s", wt_queue_error_words(&found, words));
	if (found.there && found.handle)
		report_append(text, ", queue %" PRIu64, found.os_id);
	if (found.has_packets) {
		describe_packet(&found.queue.packets[0], words);
		report_append(text, " at packet %" PRIu64 ", %s", found.queue.first, words);
	}
	wt_queue_error_deinit(&found);
	return NULL;
}

/* "; 8 of the grid's 400 workgroups are on the GPU", where that is so. */
static void report_append_groups(char text[WT_TOOL_REPORT_MAX], const struct wt_view *view,
				 uint64_t wave)
{
	uint64_t dispatch =
		wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);
	struct wt_view_groups groups;

	if (wt_view_count_groups(view, dispatch, &groups) && groups.here < groups.all)
		report_append(text,
			      "; %" PRIu64 " of the grid's %" PRIu64 " workgroups %s on the GPU",
			      groups.here, groups.all, wt_plural(groups.here, "is", "are"));
}

static struct wt_error *describe_place(const struct wt_place *place, size_t waves, size_t all,
				       struct wt_explainer *explainer,
				       char text[WT_TOOL_REPORT_MAX])
{
	const struct wt_cause_limits limits = WT_CAUSE_LIMITS_LINE;
	struct wt_cause cause;
	struct wt_error *error;

	wt_explainer_leave_text_out(explainer);
	error = wt_explain_cause(explainer, place->first, UINT32_MAX, &limits, &cause);
	if (error)
		return error;
	report_append_reasons(text, place->reasons & WT_FAULT_REASONS);
	report_append(text, "%s", text[0] ? "" : "waves");
	report_append_place(text, explainer, &cause);
	if (cause.kind == WT_CAUSE_OTHER_GPU)
		report_append(text, ", %s", cause.sentence);
	if (wt_cause_is_cut_short(&cause))
		report_append(text, ", where it was stopped (`wavetape explain` looks for what "
				    "failed)");
	report_append(text, ": %zu of %zu %s", waves, all, wt_plural(all, "wave", "waves"));
	if (!(place->reasons & WT_FAULT_REASONS))
		report_append_groups(text, wt_explainer_view(explainer), place->first);
	wt_cause_deinit(&cause);
	return NULL;
}

static struct wt_error *describe_places(struct wt_view *view, const struct wt_places *places,
					char text[WT_TOOL_REPORT_MAX])
{
	size_t waves, all = places->waves + places->unknown;
	const struct wt_place *worst = find_worst(places, &waves);
	bool faulted = worst && worst->reasons & WT_FAULT_REASONS, done = false;
	struct wt_explainer *explainer;
	struct wt_error *error = wt_explainer_create(view, &explainer);

	if (error)
		return error;
	if (!faulted)
		error = describe_queue_error(view, explainer, text, &done);
	if (!error && !done && !worst && all)
		report_append(text, "%zu %s", all, wt_plural(all, "wave", "waves"));
	else if (!error && !done)
		error = worst ? describe_place(worst, waves, all, explainer, text)
			      : describe_waiting(view, explainer, text);
	wt_explainer_destroy(explainer);
	return error;
}

/* The last moment that is a stop; false if there is none. */
static struct wt_error *find_stop(struct wt_reader *reader, uint32_t *number_ret)
{
	for (uint32_t i = wt_reader_moment_count(reader); i-- > 0;) {
		const struct wt_moment *moment;
		struct wt_error *error = wt_reader_moment(reader, i, &moment);

		if (error)
			return error;
		*number_ret = i;
		if (moment->cause == WT_MOMENT_STOP)
			return NULL;
	}
	return wt_error_create(WT_ERROR_NOT_FOUND, "cannot describe the trace", "",
			       "it has no stop");
}

struct wt_error *wt_tool_describe(const char *path, char text_ret[WT_TOOL_REPORT_MAX],
				  uint64_t *waves_ret)
{
	struct wt_places places = {0};
	struct wt_reader *reader;
	struct wt_view *view = NULL;
	struct wt_error *error = wt_reader_open(path, &reader);
	uint32_t stop = 0;

	text_ret[0] = '\0';
	*waves_ret = 0;
	if (error)
		return error;
	error = find_stop(reader, &stop);
	if (!error)
		error = wt_view_open(reader, stop, &view);
	if (!error)
		error = wt_places_find(view, &places);
	if (!error) {
		*waves_ret = places.waves + places.unknown;
		error = describe_places(view, &places, text_ret);
	}
	wt_places_deinit(&places);
	wt_view_close(view);
	wt_reader_close(reader);
	return error;
}

void wt_tool_say(const char *format, ...)
{
	char line[LINE_MAX_BYTES] = "wavetape: ";
	size_t used = strlen(line);
	va_list arguments;
	ssize_t written;

	va_start(arguments, format);
	vsnprintf(line + used, sizeof(line) - used - 1, format, arguments);
	va_end(arguments);
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	used = strlen(line);
	line[used] = '\n';
	written = write(STDERR_FILENO, line, used + 1);
	(void)written;
}

void wt_tool_note(const char *path, char letter)
{
	int fd = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW) : -1;
	ssize_t written;

	if (fd < 0)
		return;
	written = write(fd, &letter, 1);
	(void)written;
	close(fd);
}
