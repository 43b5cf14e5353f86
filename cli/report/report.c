/* SPDX-License-Identifier: MIT */
/* `wavetape report`: what of a trace goes into a page, in which order, and where to. */
#include "cli/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/compare.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/look/journal-json.h"
#include "cli/look/show.h"
#include "cli/look/verb-host.h"
#include "cli/output-file.h"
#include "cli/output.h"
#include "recorder/recording/options.h"
#include "trace-format/state/state.h"

/* ---- Lists beside waves: stops, calls of the journal, facts of the host, and what is missing ---- */

/* ---- Stops ---- */

/* "WAVE_STOP x 12, RUNTIME" of a list of events. */
static json_t *event_kinds_json(const json_t *events)
{
	wt_cleanup_buffer struct wt_buffer text = {0};
	size_t count = json_array_size(events);

	for (size_t i = 0, same; i < count; i += same) {
		const json_t *kind = json_object_get(json_array_get(events, i), "kind");

		for (same = 1; i + same < count; same++)
			if (!json_equal(kind,
					json_object_get(json_array_get(events, i + same), "kind")))
				break;
		if (i)
			wt_buffer_append(&text, ", ", 2);
		wt_buffer_append(&text, json_string_value(kind), json_string_length(kind));
		if (same > 1)
			wt_buffer_append_format(&text, " x %zu", same);
	}
	if (text.failed)
		return NULL;
	return json_stringn(text.size ? (const char *)text.data : "", text.size);
}

/* People read the page: names are as their authors wrote them. */
static void name_demangle(json_t *object, const char *key)
{
	const char *symbol = json_string_value(json_object_get(object, key));

	if (symbol)
		json_object_set_new(object, key, wt_describe_name_json(symbol));
}

/* Add the stops, those around @number if not all fit. @stops: as `wavetape stops --json`; it is taken over. */
static struct wt_error *report_add_stops(struct wt_report *report, json_t *stops, uint32_t number,
					 size_t room)
{
	size_t count = json_array_size(stops), shown = count, first;
	struct wt_error *error;
	bool added = false;

	for (size_t i = 0; i < count; i++) {
		json_t *stop = json_array_get(stops, i);

		json_object_set_new(stop, "events",
				    event_kinds_json(json_object_get(stop, "events")));
		name_demangle(stop, "kernel");
	}
	do {
		json_t *part = json_array();

		first = number > shown / 2 ? number - shown / 2 : 1;
		first = first + shown > count + 1 ? count + 1 - shown : first;
		for (size_t i = 0; i < shown; i++)
			json_array_append(part, json_array_get(stops, first - 1 + i));
		error = wt_report_page_add(&report->page, "stops", part, room, &added);
		shown = added ? shown : shown / 2;
	} while (!error && !added && shown);
	json_decref(stops);
	if (!error && shown < count)
		wt_report_leave_out(report, "stops: %zu of %zu are listed", shown, count);
	return error;
}

/* ---- The journal ---- */

#define BLOCK_CALLS 512

/* Rows as text, those to be dropped first at the front. */
struct calls {
	struct row {
		char *text;
		size_t size;
		uint64_t call;
	} * rows;
	size_t first, count, capacity; /* those from `first` on are kept */
	size_t bytes, room,
		behind; /* taken; that may be taken; that are left for calls behind the stop */
	uint64_t call, dropped;
};

static void calls_deinit(struct calls *calls)
{
	for (size_t i = calls->first; i < calls->count; i++)
		free(calls->rows[i].text);
	free(calls->rows);
}

/* "wave_id=3, query=AMD_DBGAPI_WAVE_INFO_PC" of an object. */
static void values_append(struct wt_buffer *text, json_t *values)
{
	const char *name, *separator = "";
	json_t *value;

	json_object_foreach(values, name, value)
	{
		wt_buffer_append_format(text, "%s%s=", separator, name);
		if (json_is_string(value))
			wt_buffer_append(text, json_string_value(value), json_string_length(value));
		else if (json_is_null(value))
			wt_buffer_append_text(text, "NULL");
		else
			wt_buffer_append_format(text, "%" JSON_INTEGER_FORMAT,
						json_integer_value(value));
		separator = ", ";
	}
}

static json_t *buffer_json(const struct wt_buffer *text)
{
	if (text->failed)
		return NULL;
	return json_stringn(text->size ? (const char *)text->data : "", text->size);
}

/* A row: call, ns, thread, function, inputs, status, outputs, ns it took. A notice has nothing but its text. */
static json_t *call_row_json(json_t *call)
{
	static const char prefix[] = "amd_dbgapi_";
	const char *function = json_string_value(json_object_get(call, "function"));
	wt_cleanup_buffer struct wt_buffer inputs = {0}, outputs = {0};
	json_t *notice = json_object_get(call, "notice");
	json_t *status = json_object_get(call, "status"), *callback;
	size_t i;

	if (notice)
		return json_pack("[O]", notice);
	values_append(&inputs, json_object_get(call, "inputs"));
	values_append(&outputs, json_object_get(call, "outputs"));
	json_array_foreach(json_object_get(call, "callbacks"), i, callback)
	{
		wt_buffer_append_text(&outputs, outputs.size ? "; callback " : "callback ");
		wt_buffer_append_text(&outputs,
				      json_string_value(json_object_get(callback, "callback")));
	}
	if (function && !strncmp(function, prefix, strlen(prefix)))
		function += strlen(prefix);
	return json_pack("[I, I, I, s, o, O, o, I]",
			 json_integer_value(json_object_get(call, "call")),
			 json_integer_value(json_object_get(call, "start_ns")),
			 json_integer_value(json_object_get(call, "thread")),
			 function ? function : "(an answer without its call)", buffer_json(&inputs),
			 status ? status : json_null(), buffer_json(&outputs),
			 json_integer_value(json_object_get(call, "duration_ns")));
}

static void calls_drop_first(struct calls *calls)
{
	struct row *row = &calls->rows[calls->first++];

	calls->bytes -= row->size;
	calls->dropped++;
	free(row->text);
	row->text = NULL;
}

static struct wt_error *calls_take(void *opaque, json_t *json)
{
	struct calls *calls = opaque;
	uint64_t call = (uint64_t)json_integer_value(json_object_get(json, "call"));
	bool is_before = !calls->call || call <= calls->call;
	json_t *row_value = call_row_json(json);
	char *text = row_value ? json_dumps(row_value, JSON_COMPACT) : NULL;
	struct row *row;

	json_decref(row_value);
	if (!text)
		return &wt_error_no_memory;
	if (!is_before && calls->bytes + strlen(text) + 1 > calls->room) {
		free(text);
		calls->dropped++;
		/* No later one either: a row of calls has no gap. */
		calls->room = calls->bytes;
		return NULL;
	}
	if (calls->count == calls->capacity) {
		size_t capacity = calls->capacity ? 2 * calls->capacity : 1024;
		struct row *grown = reallocarray(calls->rows, capacity, sizeof(*grown));

		if (!grown) {
			free(text);
			return &wt_error_no_memory;
		}
		calls->rows = grown;
		calls->capacity = capacity;
	}
	row = &calls->rows[calls->count++];
	*row = (struct row){.text = text, .size = strlen(text) + 1, .call = call};
	calls->bytes += row->size;
	while (is_before && calls->bytes > calls->room - calls->behind)
		calls_drop_first(calls);
	return NULL;
}

static struct wt_error *calls_read(struct wt_reader *reader, struct calls *calls)
{
	struct wt_cli_calls_json json = {
		.reader = reader, .filter = {.to = UINT64_MAX}, .put = calls_take, .opaque = calls};
	const struct wt_journal_record *record = NULL;
	struct wt_journal *journal = NULL;
	struct wt_error *error = wt_journal_open(reader, &journal);

	while (!error) {
		error = wt_journal_next(journal, &record);
		if (error || !record)
			break;
		error = wt_cli_calls_json_take(&json, record);
	}
	if (!error)
		error = wt_cli_calls_json_end(&json);
	wt_cli_calls_json_deinit(&json);
	wt_journal_close(journal);
	return error;
}

static struct wt_error *report_add_calls(struct wt_report *report, const struct calls *calls)
{
	struct wt_error *error = NULL;
	size_t number = 0;

	for (size_t i = calls->first; !error && i < calls->count;) {
		json_t *block = json_array();
		char id[32];
		bool added;

		for (size_t j = 0; j < BLOCK_CALLS && i < calls->count; j++, i++)
			json_array_append_new(block, json_loads(calls->rows[i].text, 0, NULL));
		snprintf(id, sizeof(id), "journal-%zu", number++);
		error = wt_report_page_add(&report->page, id, block, SIZE_MAX, &added);
		if (!error && !added) {
			wt_report_leave_out(report, "the newest calls of the journal");
			break;
		}
	}
	return error;
}

/* Add calls of the journal: those up to the call of the stop if not all fit. @call: 0 if there is no stop. */
static struct wt_error *report_add_journal(struct wt_report *report, uint64_t call, size_t room)
{
	/* Blocks have some bytes of their own, and `<` takes six. */
	struct calls calls = {.room = room / 8 * 7, .behind = room / 16, .call = call};
	struct wt_error *error = calls_read(report->trace->reader, &calls);

	if (!error)
		error = report_add_calls(report, &calls);
	if (!error && calls.dropped)
		wt_report_leave_out(report,
				    "%" PRIu64 " of %" PRIu64
				    " calls of the journal: it has those up to the stop",
				    calls.dropped, calls.dropped + calls.count - calls.first);
	calls_deinit(&calls);
	return error;
}

/* ---- The host ---- */

/* Add the facts of the machine and the program. */
static struct wt_error *report_add_host(struct wt_report *report, size_t room)
{
	static const char *const parts[] = {"maps", "threads", "environment"};
	struct wt_host *host = NULL;
	struct wt_error *error = wt_reader_host(report->trace->reader, &host);
	bool added = false;
	json_t *json;

	if (wt_error_is_loss(error))
		return NULL;
	if (error || !host)
		return error;
	json = wt_host_json(host);
	wt_host_destroy(host);
	for (size_t i = 0; !error && !added && i <= sizeof(parts) / sizeof(*parts); i++) {
		error = wt_report_page_add(&report->page, "host", json_incref(json), room, &added);
		if (error || added || i == sizeof(parts) / sizeof(*parts))
			break;
		wt_report_leave_out(report, "of the host: %s", parts[i]);
		json_object_del(json, parts[i]);
	}
	json_decref(json);
	if (!error && !added)
		wt_report_leave_out(report, "what was recorded of the host");
	return error;
}

/* ---- What is missing ---- */

#define MOST_DAMAGE 100 /* pieces that are named */

static json_t *damage_json(const struct wt_reader *reader)
{
	size_t count = wt_reader_damage_count(reader);
	json_t *array = json_array();

	for (size_t i = 0; i < count && i < MOST_DAMAGE; i++)
		json_array_append_new(array,
				      wt_cli_json_text(wt_reader_damage_at(reader, i)->text));
	return array;
}

/* The shortest sentences are kept where there are too many of them. */
static void left_out_shorten(json_t *left_out)
{
	size_t count = json_array_size(left_out);

	if (count <= MOST_DAMAGE)
		return;
	while (json_array_size(left_out) > MOST_DAMAGE)
		json_array_remove(left_out, MOST_DAMAGE);
	json_array_append_new(left_out, json_sprintf("and %zu more", count - MOST_DAMAGE));
}

/* Add what is missing: damage, what was not recorded, what was left out. To be called last. */
static struct wt_error *report_add_missing(struct wt_report *report)
{
	const struct wt_reader *reader = report->trace->reader;
	struct wt_trace_info info;

	wt_reader_info(reader, &info);
	left_out_shorten(report->left_out);
	return wt_report_page_must_add(
		&report->page, "missing",
		json_pack("{s:o, s:I, s:b, s:o, s:o, s:O}", "damage", damage_json(reader),
			  "damage_count",
			  (json_int_t)(wt_reader_damage_count(reader) +
				       wt_reader_damage_dropped(reader)),
			  "redacted", info.redacted, "policy", wt_cli_json_text(info.policy),
			  "ended_early", wt_cli_json_text(info.cut ? info.end_reason : NULL),
			  "left_out", report->left_out));
}

/* ---- Memory: pages that waves in the page point to first, then what else was recorded ---- */

#define BLOCK_PAGES 16
#define PAGE_TEXT (WT_PAGE / 3 * 4 + 64) /* what a page takes in the report, about */

/* Pages of one owner's memory, as they are collected for a block. */
struct memory {
	struct wt_report *report;
	struct wt_report_stop *stop;
	const char *space;
	uint64_t owner;
	json_t *pages;
	size_t room, number,
		left; /* bytes that may be taken; blocks so far; pages that did not fit */
};

static struct wt_error *memory_flush(struct memory *memory)
{
	size_t count = json_array_size(memory->pages), before = memory->report->page.bytes.size;
	bool added = false;
	struct wt_error *error;
	char id[48];

	if (!count)
		return NULL;
	snprintf(id, sizeof(id), "memory-%u-%zu", memory->stop->number, memory->number++);
	error = wt_report_page_add(&memory->report->page, id,
				   json_pack("{s:s, s:I, s:O}", "space", memory->space, "owner",
					     (json_int_t)memory->owner, "pages", memory->pages),
				   memory->room, &added);
	if (!added)
		memory->left += count;
	else
		memory->room -= memory->report->page.bytes.size - before;
	json_array_clear(memory->pages);
	return error;
}

/* Zeros at the end of a page are left out; the page's size says how many. */
static struct wt_error *memory_take_page(struct memory *memory, uint64_t from, const uint8_t *data,
					 size_t size)
{
	size_t used = size;

	while (used && !data[used - 1])
		used--;
	json_array_append_new(memory->pages,
			      json_pack("[o, I, o]", wt_cli_json_hex(from), (json_int_t)size,
					wt_cli_json_base64(data, used)));
	return json_array_size(memory->pages) == BLOCK_PAGES ? memory_flush(memory) : NULL;
}

/* ---- Pointers ---- */

/* Addresses of pages of global memory, in ascending order. */
struct pages {
	uint64_t *list;
	size_t count, capacity;
};

static struct wt_error *pages_note_pointer(struct pages *pages, uint64_t pointer)
{
	if (pages->count == pages->capacity) {
		size_t capacity = pages->capacity ? 2 * pages->capacity : 256;
		uint64_t *grown = reallocarray(pages->list, capacity, sizeof(*grown));

		if (!grown)
			return &wt_error_no_memory;
		pages->list = grown;
		pages->capacity = capacity;
	}
	pages->list[pages->count++] = pointer - pointer % WT_PAGE;
	return NULL;
}

/* Note pages to which pairs of scalar registers may point, and those that the instruction which stopped the wave accessed. */
static struct wt_error *pages_note_pointers(struct wt_report_stop *stop, uint64_t wave,
					    struct pages *pages)
{
	struct wt_explain_wave explained;
	struct wt_error *error = wt_explain_wave(stop->explainer, wave, &explained);
	uint64_t low, high;

	if (error)
		return error;
	for (uint32_t lane = 0; explained.has_access && !error && lane < 64; lane++)
		if (explained.access.lanes >> lane & 1)
			error = pages_note_pointer(pages, explained.access.addresses[lane]);
	wt_explain_wave_deinit(&explained);
	for (unsigned int i = 0; !error && i < 104; i += 2) {
		char first[12], second[12];

		snprintf(first, sizeof(first), "s%u", i);
		snprintf(second, sizeof(second), "s%u", i + 1);
		if (wt_view_register_value(stop->view, wave, first, 0, &low) &&
		    wt_view_register_value(stop->view, wave, second, 0, &high))
			error = pages_note_pointer(pages, high << 32 | low);
	}
	return error;
}

static struct wt_error *pages_find_pointers(struct wt_report_stop *stop, struct pages *pages)
{
	struct wt_error *error = NULL;
	size_t kept = 0;

	for (size_t i = 0; !error && i < stop->wave_count; i++)
		if (stop->waves[i].in_page)
			error = pages_note_pointers(stop, stop->waves[i].handle, pages);
	if (pages->count)
		qsort(pages->list, pages->count, sizeof(*pages->list), wt_compare_u64);
	for (size_t i = 0; i < pages->count; i++)
		if (!kept || pages->list[kept - 1] != pages->list[i])
			pages->list[kept++] = pages->list[i];
	pages->count = kept;
	return error;
}

static bool pages_have(const struct pages *pages, uint64_t page)
{
	return pages->count &&
	       bsearch(&page, pages->list, pages->count, sizeof(*pages->list), wt_compare_u64);
}

/* ---- Owners ---- */

/* All pages of an owner. @pages: of them, those that are pointed to, or the others; NULL: all. */
static struct wt_error *memory_take_owner(struct memory *memory, const char *space, uint64_t owner,
					  const struct pages *pages, bool pointed)
{
	const struct wt_view *view = memory->stop->view;
	uint64_t address = 0, from, to;
	struct wt_error *error = NULL;

	memory->space = space;
	memory->owner = owner;
	while (!error && wt_view_memory_next(view, space, owner, address, &from, &to)) {
		uint64_t page = from - from % WT_PAGE;
		size_t size;
		const uint8_t *data = wt_view_page(view, space, owner, page, &size);

		/* A run goes on over pages; one is taken at a time. */
		address = page + WT_PAGE;
		if (!data || (pages && pages_have(pages, page) != pointed))
			address = address ? address : UINT64_MAX;
		else if (json_array_size(memory->pages) * PAGE_TEXT > memory->room)
			memory->left++;
		else
			error = memory_take_page(memory, page, data, size);
		if (!address || address == UINT64_MAX)
			break;
	}
	return error ? error : memory_flush(memory);
}

static struct wt_error *memory_take_owners(struct memory *memory, const char *space,
					   enum wt_object object)
{
	const uint64_t *owners;
	size_t count = wt_view_objects(memory->stop->view, object, &owners);
	struct wt_error *error = NULL;

	for (size_t i = 0; !error && i < count; i++)
		error = memory_take_owner(memory, space, owners[i], NULL, true);
	return error;
}

/* Add recorded memory of a stop: what waves in the page point to first, then the rest, as much as fits into @room. */
static struct wt_error *report_add_memory(struct wt_report *report, struct wt_report_stop *stop,
					  size_t room)
{
	struct memory memory = {
		.report = report, .stop = stop, .pages = json_array(), .room = room};
	uint64_t process = wt_view_moment(stop->view)->process;
	struct pages pages = {0};
	struct wt_error *error = pages_find_pointers(stop, &pages);

	if (!error)
		error = memory_take_owner(&memory, "global", process, &pages, true);
	if (!error)
		error = memory_take_owners(&memory, "local", WT_OBJECT_WORKGROUP);
	if (!error)
		error = memory_take_owners(&memory, "private_wave", WT_OBJECT_WAVE);
	if (!error)
		error = memory_take_owner(&memory, "global", process, &pages, false);
	if (!error && memory.left)
		wt_report_leave_out(report, "%zu KiB of the memory that was recorded at stop %u",
				    memory.left * WT_PAGE / 1024, stop->number);
	free(pages.list);
	json_decref(memory.pages);
	return error;
}

#define CANNOT_WRITE "cannot write the report"
#define DEFAULT_SIZE (UINT64_C(5) * 1000 * 1000) /* what people can send to each other */
#define LEAST_SIZE (UINT64_C(256) * 1024)
#define MOST_SIZE (UINT64_C(1) << 30) /* browsers fail far below that */
#define KEPT_SIZE (64 * 1024)	      /* for what comes last */
#define MOST_EXPLANATIONS 16

struct options {
	struct wt_cli_trace trace;
	struct wt_source_maps maps;
	uint64_t max_size;
};

void wt_report_leave_out(struct wt_report *report, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	json_array_append_new(report->left_out, json_vsprintf(format, arguments));
	va_end(arguments);
}

/* ---- What every page has ---- */

static json_t *fault_reasons(void)
{
	json_t *names = json_array();
	char text[WT_DESCRIBE_MAX];

	for (uint32_t left = WT_FAULT_REASONS; left; left &= left - 1)
		json_array_append_new(names, json_string(wt_describe_reasons(left & -left, text)));
	return names;
}

static void explanation_demangle(json_t *explanation)
{
	name_demangle(explanation, "kernel");
	name_demangle(json_object_get(json_object_get(explanation, "code"), "symbol"), "name");
	name_demangle(json_object_get(json_object_get(explanation, "failed_at"), "symbol"), "name");
}

/* Add to an explanation what `info` says of its wave. */
static void explanation_add_wave(json_t *explanation, const json_t *faults)
{
	const json_t *wave = json_object_get(explanation, "wave");
	json_t *fault;
	size_t i;

	json_array_foreach(faults, i, fault) if (json_equal(json_object_get(fault, "wave"), wave))
		json_object_update_missing(explanation, fault);
}

/* `info`, but of its waves with a fault those that are explained alone: the map has all. */
static struct wt_error *report_add_head(struct wt_report *report, json_t *info)
{
	json_t *explanations = json_object_get(info, "explanations");
	size_t count = json_array_size(explanations);

	for (size_t i = 0; i < count && i < MOST_EXPLANATIONS; i++) {
		explanation_add_wave(json_array_get(explanations, i),
				     json_object_get(info, "faults"));
		explanation_demangle(json_array_get(explanations, i));
	}
	json_object_set_new(
		info, "faults",
		json_integer((json_int_t)json_array_size(json_object_get(info, "faults"))));
	while (json_array_size(explanations) > MOST_EXPLANATIONS)
		json_array_remove(explanations, MOST_EXPLANATIONS);
	if (count > MOST_EXPLANATIONS)
		wt_report_leave_out(report, "the explanations of %zu of %zu faults",
				    count - MOST_EXPLANATIONS, count);
	json_object_set_new(info, "name", wt_cli_json_text(wt_text_file_name(report->trace->path)));
	json_object_set_new(info, "fault_reasons", fault_reasons());
	json_object_set_new(info, "wavetape", json_string(WT_VERSION));
	return wt_report_page_must_add(&report->page, "head", json_incref(info));
}

/* Bytes that are left of @room after all that was added since the page had @before bytes. */
static size_t report_room_left(size_t room, const struct wt_report *report, size_t before)
{
	size_t taken = report->page.bytes.size - before;

	return room > taken ? room - taken : 0;
}

/* ---- Waves ---- */

/* Add waves of a stop that are in this state and are not in the page yet, as long as they fit. */
static struct wt_error *report_add_waves(struct wt_report *report, struct wt_report_stop *stop,
					 enum wt_report_state state, bool firsts, size_t room)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; !error && i < stop->wave_count; i++) {
		struct wt_report_wave *wave = &stop->waves[i];
		size_t before = report->page.bytes.size;

		if (wave->in_page || wave->state != state || (firsts && !wave->is_first))
			continue;
		wt_progress_update(&report->trace->progress, "wave %zu of %zu of stop %u", i + 1,
				   stop->wave_count, stop->number);
		error = wt_report_add_wave(report, stop, wave, room);
		if (!error && !wave->in_page)
			break;
		room = report_room_left(room, report, before);
	}
	return error;
}

/* Add one wave of each place. */
static struct wt_error *report_add_first_waves(struct wt_report *report,
					       struct wt_report_stop *stop, size_t room)
{
	size_t begin = report->page.bytes.size;
	struct wt_error *error = NULL;

	for (int state = WT_REPORT_FAULT; !error && state >= WT_REPORT_STOPPED; state--)
		error = report_add_waves(report, stop, (enum wt_report_state)state, true,
					 report_room_left(room, report, begin));
	return error;
}

static void report_name_left_out_waves(struct wt_report *report, const struct wt_report_stop *stop)
{
	size_t stopped = 0, in_page = 0;

	for (size_t i = 0; i < stop->wave_count; i++) {
		stopped += stop->waves[i].state >= WT_REPORT_STOPPED;
		in_page += stop->waves[i].in_page;
	}
	if (in_page < stopped)
		wt_report_leave_out(report,
				    "registers and variables of %zu of %zu stopped waves of stop "
				    "%u",
				    stopped - in_page, stopped, stop->number);
}

static struct wt_error *report_add_all_waves(struct wt_report *report, struct wt_report_stop *stop,
					     size_t kept)
{
	struct wt_error *error = NULL;
	size_t room = wt_report_page_room(&report->page);
	size_t most = room > kept ? room - kept : 0, begin = report->page.bytes.size;

	for (int state = WT_REPORT_FAULT; !error && state >= WT_REPORT_STOPPED; state--)
		error = report_add_waves(report, stop, (enum wt_report_state)state, false,
					 report_room_left(most, report, begin));
	return error;
}

/* ---- Stops ---- */

/* The most that a kind of block may take of the page, in percent. */
enum { STOPS = 8, MAP = 30, HOST = 5, FIRST_WAVES = 20, MEMORY = 20, JOURNAL = 12, OTHERS = 20 };

static struct wt_error *report_add_other_stop(struct wt_report *report, uint32_t number,
					      size_t room, bool *added_ret)
{
	struct wt_report_stop stop = {0};
	struct wt_error *error = wt_report_stop_open(report, number, &stop);
	size_t before = report->page.bytes.size;

	/* The list of stops says that its state is lost. */
	*added_ret = error != NULL;
	if (error)
		return wt_error_is_loss(error) ? NULL : error;
	error = wt_report_add_map(report, &stop, room, added_ret);
	room = report_room_left(room, report, before);
	if (!error && *added_ret)
		error = report_add_first_waves(report, &stop, room);
	wt_report_stop_close(&stop);
	return error;
}

/* The nearest first. */
static struct wt_error *report_add_other_stops(struct wt_report *report, uint32_t number)
{
	uint32_t count = report->trace->stops.count, left = 0;
	size_t room = wt_report_page_share(&report->page, OTHERS);
	struct wt_error *error = NULL;
	bool is_full = false;

	for (uint32_t away = 1; !error && away < count; away++) {
		const uint32_t both[] = {number > away ? number - away : 0,
					 away <= count - number ? number + away : 0};

		for (size_t i = 0; !error && i < 2; i++) {
			size_t before = report->page.bytes.size;
			bool added = false;

			if (!both[i])
				continue;
			wt_progress_update(&report->trace->progress, "stop %u", both[i]);
			if (!is_full)
				error = report_add_other_stop(report, both[i], room, &added);
			is_full |= !added;
			left += !added;
			room = report_room_left(room, report, before);
		}
	}
	if (!error && left)
		wt_report_leave_out(report, "the waves of %u of %u stops", left, count);
	return error;
}

/*
 * All of the stop that is shown first; others before the many waves that are as the first ones; of the journal as much as is
 * left room for, and some in any case.
 */
static struct wt_error *report_add_stop(struct wt_report *report, struct wt_report_stop *stop)
{
	struct wt_report_page *page = &report->page;
	uint64_t call = wt_view_moment(stop->view)->call;
	bool added;
	struct wt_error *error =
		wt_report_add_map(report, stop, wt_report_page_share(page, MAP), &added);

	if (!error)
		error = report_add_first_waves(report, stop,
					       wt_report_page_share(page, FIRST_WAVES));
	if (!error)
		error = report_add_memory(report, stop, wt_report_page_share(page, MEMORY));
	if (!error)
		error = report_add_other_stops(report, stop->number);
	if (!error)
		error = report_add_all_waves(report, stop, wt_report_page_share(page, JOURNAL));
	if (!error)
		report_name_left_out_waves(report, stop);
	if (!error)
		error = report_add_journal(report, call, wt_report_page_room(page));
	return error;
}

static struct wt_error *report_add_all_stops(struct wt_report *report, const json_t *info)
{
	uint32_t number = (uint32_t)json_integer_value(json_object_get(info, "stop"));
	struct wt_report_stop stop = {0};
	struct wt_error *error;

	if (number && number <= report->trace->stops.count) {
		error = wt_report_stop_open(report, number, &stop);
		if (!error) {
			error = report_add_stop(report, &stop);
			wt_report_stop_close(&stop);
			return error;
		}
		if (!wt_error_is_loss(error))
			return error;
	}
	return report_add_journal(report, 0, wt_report_page_room(&report->page));
}

/* ---- The page ---- */

static struct wt_error *report_fill(struct wt_report *report, json_t *stops, json_t *info)
{
	uint32_t number = (uint32_t)json_integer_value(json_object_get(info, "stop"));
	struct wt_error *error = report_add_head(report, info);

	if (!error)
		error = report_add_stops(report, json_incref(stops), number,
					 wt_report_page_share(&report->page, STOPS));
	if (!error)
		error = report_add_host(report, wt_report_page_share(&report->page, HOST));
	if (!error)
		error = report_add_all_stops(report, info);
	if (!error)
		error = wt_report_add_registers(report);
	if (!error)
		error = report_add_missing(report);
	return error ? error : wt_report_page_end(&report->page);
}

static void report_print_result(const struct wt_report *report)
{
	const json_t *sentence;
	size_t i;

	wt_cli_put(stdout, report->trace->output);
	printf(": %zu bytes\n", report->page.bytes.size);
	json_array_foreach(report->left_out, i, sentence)
	{
		printf("left out for its size: ");
		wt_cli_put(stdout, json_string_value(sentence));
		putchar('\n');
	}
}

static struct wt_error *report_write_page(struct wt_report *report, json_t **json_ret)
{
	const struct wt_buffer *bytes = &report->page.bytes;
	struct wt_error *error =
		wt_cli_write_file(CANNOT_WRITE, report->trace->output, bytes->data, bytes->size);

	if (error)
		return error;
	wt_progress_hide();
	if (report->trace->json)
		*json_ret = json_pack("{s:o, s:I, s:O}", "written",
				      wt_cli_json_text(report->trace->output), "bytes",
				      (json_int_t)bytes->size, "left_out", report->left_out);
	else
		report_print_result(report);
	return NULL;
}

static struct wt_error *report_run(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	struct options *options = input;
	struct wt_report report = {.trace = trace,
				   .maps = &options->maps,
				   .left_out = json_array(),
				   .shared = json_object()};
	json_t *stops = NULL, *info = NULL;
	struct wt_error *error = wt_cli_check_output(CANNOT_WRITE, trace->output, trace->path,
						     "the trace that is read");

	wt_report_page_init(&report.page, (size_t)options->max_size, KEPT_SIZE);
	if (!error)
		error = wt_cli_stops_json(trace, &stops);
	if (!error)
		error = wt_cli_info_json(trace, &options->maps, &info);
	if (!error)
		error = report_fill(&report, stops, info);
	if (!error)
		error = report_write_page(&report, json_ret);
	json_decref(info);
	json_decref(stops);
	json_decref(report.shared);
	json_decref(report.left_out);
	free(report.registers);
	free(report.codes);
	wt_report_page_deinit(&report.page);
	return error;
}

static error_t report_parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'm':
		if (!wt_options_size(argument, &options->max_size) ||
		    options->max_size < LEAST_SIZE || options->max_size > MOST_SIZE)
			argp_error(state, "--max-size takes 256K to 1G, not '%s'", argument);
		return 0;
	case WT_CLI_SOURCE_MAP_KEY:
		wt_cli_take_source_map(state, &options->maps, argument);
		return 0;
	case ARGP_KEY_END:
		if (!options->trace.output)
			argp_error(state, "where to? Name a file with --output");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int wt_command_report(int argc, char **argv)
{
	static const struct argp_option own[] = {
		{"max-size", 'm', "SIZE", 0,
		 "leave out what makes the page larger than SIZE, 256K to 1G (default: 5 million "
		 "bytes); the page names it",
		 0},
		WT_CLI_SOURCE_MAP_OPTION,
		{0},
	};
	static const struct wt_cli_verb verb = {
		.arguments = "FILE -o OUT.html",
		.doc = "Write a page for a browser that shows a trace: the crash, a map of all "
		       "waves, registers, variables, code, memory, stops, the journal and the "
		       "host. It is one file that needs no network, and no wavetape where it is "
		       "read.",
		.stop = WT_CLI_STOP_HELP,
		.output = "write the page to OUT, in place of a file that is there",
		.own = {.options = own, .parser = report_parse_option},
		.show = report_run,
	};
	struct options options = {.max_size = DEFAULT_SIZE};

	return wt_cli_verb_run(&verb, argc, argv, &options.trace, &options);
}
