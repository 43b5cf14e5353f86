/* SPDX-License-Identifier: MIT */
/* Two traces, compared in everything but times. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "replayer/journal/calls.h"
#include "replayer/verify/verify.h"

struct comparison {
	struct wt_reader *a, *b;
	struct wt_differences *differences;
	/* @a has a call that never returned, as of a library that crashed: nobody makes it again, nor what is behind it. */
	bool unfinished;
};

static void state_difference_add(struct comparison *c, const char *what, char *a, char *b)
{
	wt_differences_add(c->differences, 0, NULL, what, a, b);
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static void compare_text(struct comparison *c, const char *what, const char *a, const char *b)
{
	if (strcmp(or_empty(a), or_empty(b)) != 0)
		state_difference_add(c, what, wt_text("%s", or_empty(a)),
				     wt_text("%s", or_empty(b)));
}

static void compare_number(struct comparison *c, const char *what, uint64_t a, uint64_t b)
{
	if (a != b)
		state_difference_add(c, what, wt_text("%" PRIu64, a), wt_text("%" PRIu64, b));
}

static const char *reader_name_or_empty(struct wt_reader *reader, uint32_t number)
{
	return or_empty(wt_reader_name(reader, number));
}

static void compare_info(struct comparison *c)
{
	struct wt_trace_info a, b;

	wt_reader_info(c->a, &a);
	wt_reader_info(c->b, &b);
	compare_text(c, "level of the API", a.api_level, b.api_level);
	compare_text(c, "version of the recorded library", a.library_version, b.library_version);
	compare_text(c, "build name of the recorded library", a.library_build_name,
		     b.library_build_name);
	if (!c->unfinished)
		compare_number(c, "calls", a.calls, b.calls);
}

/* Does a query, by its name in a trace, give a value that differs from process to process? */
static bool query_is_identity(const char *query)
{
	for (int i = 0; i < WT_OBJECT_COUNT; i++)
		for (size_t j = 0; j < wt_objects[i].query_count; j++)
			if (!strcmp(wt_objects[i].queries[j].name, query))
				return wt_objects[i].queries[j].identity;
	return false;
}

static bool answer_is_named(struct wt_reader *reader, const struct wt_answer *answer,
			    const char *query)
{
	return !strcmp(reader_name_or_empty(reader, answer->query), query);
}

/* @place: where it stands in the other trace, and so most often in this one. */
static const struct wt_answer *answer_named(struct wt_reader *reader,
					    const struct wt_answer *answers, size_t count,
					    const char *query, size_t place)
{
	if (place < count && answer_is_named(reader, &answers[place], query))
		return &answers[place];
	for (size_t i = 0; i < count; i++)
		if (answer_is_named(reader, &answers[i], query))
			return &answers[i];
	return NULL;
}

static char *answer_text(const struct wt_answer *answer)
{
	if (!answer)
		return wt_text("no answer");
	if (answer->status != AMD_DBGAPI_STATUS_SUCCESS)
		return wt_text("%s", wt_status_name(answer->status));
	return wt_text_bytes(answer->value, answer->size);
}

/* Is it the same, apart from a value that differs from process to process? */
static bool answers_are_same(const struct wt_answer *a, const struct wt_answer *b,
			     const char *query)
{
	if (!b || a->status != b->status)
		return false;
	if (a->status != AMD_DBGAPI_STATUS_SUCCESS ||
	    (a->size == b->size && (!a->size || !memcmp(a->value, b->value, a->size))))
		return true;
	return query_is_identity(query);
}

/*
 * Queries that the recorded library did not have were not asked of it. A replay has every query, and answers such a one
 * with NOT_AVAILABLE, which says as much.
 */
static bool says_nothing(const struct comparison *c, const struct wt_answer *b,
			 const struct wt_answer *a, size_t a_count)
{
	return b->status == AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE &&
	       !answer_named(c->a, a, a_count, reader_name_or_empty(c->b, b->query), a_count);
}

static void compare_answers(struct comparison *c, const char *where, const struct wt_answer *a,
			    size_t a_count, const struct wt_answer *b, size_t b_count)
{
	char what[256];
	size_t said = 0;

	for (size_t i = 0; i < a_count; i++) {
		const char *query = reader_name_or_empty(c->a, a[i].query);
		const struct wt_answer *other = answer_named(c->b, b, b_count, query, i);

		if (answers_are_same(&a[i], other, query))
			continue;
		snprintf(what, sizeof(what), "%s: %s", where, query);
		state_difference_add(c, what, answer_text(&a[i]), answer_text(other));
	}
	for (size_t i = 0; i < b_count; i++)
		said += !says_nothing(c, &b[i], a, a_count);
	if (a_count != said) {
		snprintf(what, sizeof(what), "%s: number of answers", where);
		compare_number(c, what, a_count, said);
	}
}

/* The item of the other trace that has the same meaning. */
static const struct wt_item *counterpart(struct comparison *c, const struct wt_item *item,
					 const struct wt_state *other)
{
	struct wt_key key = item->key;

	if (key.kind) {
		key.kind = wt_reader_name_number(c->b, reader_name_or_empty(c->a, key.kind));
		if (!key.kind)
			return NULL;
	}
	return wt_state_get(other, &key);
}

static char *item_place(struct comparison *c, const char *where, const struct wt_item *item)
{
	static const char *const types[] = {
		[WT_ITEM_OBJECT] = "object",
		[WT_ITEM_LIST] = "list",
		[WT_ITEM_REGISTERS] = "registers",
		[WT_ITEM_MEMORY] = "memory",
		[WT_ITEM_PACKETS] = "packets",
		[WT_ITEM_IMAGE] = "image",
		[WT_ITEM_MAP] = "map",
		[WT_ITEM_SOURCE] = "source",
		[WT_ITEM_REFUSAL] = "refusal",
		[WT_ITEM_LIST_CHANGES] = "list changes",
		[WT_ITEM_MEMORY_PRECISION] = "memory precision",
		[WT_ITEM_UNREPORTED_STOP] = "unreported stop",
		[WT_ITEM_PRIVATE_PLACE] = "private place",
		[WT_ITEM_DISPLACED_STEPPINGS] = "displaced steppings",
		[WT_ITEM_DISPLACED_CODE] = "displaced code",
		[WT_ITEM_BREAKPOINTS] = "breakpoints",
		[WT_ITEM_BREAKPOINT_HITS] = "breakpoint hits",
	};

	return wt_text("%s: %s %s %" PRIu64 " 0x%" PRIx64, where, types[item->key.type],
		       reader_name_or_empty(c->a, item->key.kind), item->key.owner,
		       item->key.address);
}

static bool same_numbers(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count)
{
	return a_count == b_count && (!a_count || !memcmp(a, b, a_count * sizeof(*a)));
}

static bool item_bytes_are_same(const struct wt_bytes *a, const struct wt_bytes *b)
{
	size_t a_size = a ? a->size : 0, b_size = b ? b->size : 0;

	return a_size == b_size && (!a_size || !memcmp(a->data, b->data, a_size));
}

static char *item_text(const struct wt_item *item)
{
	if (!item)
		return wt_text("nothing");
	if (item->status != AMD_DBGAPI_STATUS_SUCCESS)
		return wt_text("%s", wt_status_name(item->status));
	if (item->bytes)
		return wt_text_bytes(item->bytes->data, item->bytes->size);
	return wt_text("%zu handles, %zu numbers", item->handle_count, item->number_count);
}

/* A page of addresses that were only reserved is served as memory that is not there, and recorded so. */
static bool item_statuses_are_same(const struct wt_item *a, const struct wt_item *b)
{
	return a->status == b->status ||
	       (a->status == WT_PAGE_RESERVED &&
		(b->status == AMD_DBGAPI_STATUS_ERROR_MEMORY_UNAVAILABLE ||
		 b->status == AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS));
}

static void compare_item(struct comparison *c, const char *where, const struct wt_item *a,
			 const struct wt_item *b)
{
	char *place = item_place(c, where, a);

	if (!b || !item_statuses_are_same(a, b) ||
	    !same_numbers(a->handles, a->handle_count, b->handles, b->handle_count) ||
	    !same_numbers(a->numbers, a->number_count, b->numbers, b->number_count) ||
	    !item_bytes_are_same(a->bytes, b->bytes))
		state_difference_add(c, place ? place : where, item_text(a), item_text(b));
	else
		compare_answers(c, place ? place : where, a->answers, a->answer_count, b->answers,
				b->answer_count);
	free(place);
}

static void recorded_states_compare(struct comparison *c, const char *where,
				    const struct wt_state *a, const struct wt_state *b)
{
	char what[96];

	for (size_t i = 0; i < wt_state_count(a); i++) {
		const struct wt_item *item = wt_state_at(a, i);

		compare_item(c, where, item, counterpart(c, item, b));
	}
	snprintf(what, sizeof(what), "%s: number of items", where);
	compare_number(c, what, wt_state_count(a), wt_state_count(b));
}

static struct wt_error *compare_facts(struct comparison *c)
{
	struct wt_state *a = NULL, *b = NULL;
	struct wt_error *error = wt_reader_facts(c->a, &a);

	if (!error)
		error = wt_reader_facts(c->b, &b);
	if (!error)
		recorded_states_compare(c, "facts", a, b);
	wt_state_destroy(a);
	wt_state_destroy(b);
	return error;
}

static void compare_events(struct comparison *c, const char *where, const struct wt_moment *a,
			   const struct wt_moment *b)
{
	char what[128];

	snprintf(what, sizeof(what), "%s: events", where);
	compare_number(c, what, a->event_count, b->event_count);
	for (size_t i = 0; i < a->event_count && i < b->event_count; i++) {
		const struct wt_event *left = &a->events[i], *right = &b->events[i];

		snprintf(what, sizeof(what), "%s: event %zu: handle", where, i);
		compare_number(c, what, left->handle, right->handle);
		snprintf(what, sizeof(what), "%s: event %zu: kind", where, i);
		compare_number(c, what, left->kind, right->kind);
		snprintf(what, sizeof(what), "%s: event %zu", where, i);
		compare_answers(c, what, left->answers, left->answer_count, right->answers,
				right->answer_count);
	}
}

static void compare_heads(struct comparison *c, const char *where, const struct wt_moment *a,
			  const struct wt_moment *b)
{
	static const char *const fields[] = {"cause",  "process",      "call",
					     "status", "after_resume", "log messages"};
	const uint64_t left[] = {a->cause,	  a->process,  a->call, (uint64_t)a->status,
				 a->after_resume, a->log_count};
	const uint64_t right[] = {b->cause,	   b->process,	b->call, (uint64_t)b->status,
				  b->after_resume, b->log_count};
	char what[128];

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		snprintf(what, sizeof(what), "%s: %s", where, fields[i]);
		compare_number(c, what, left[i], right[i]);
	}
	snprintf(what, sizeof(what), "%s: function", where);
	compare_text(c, what, reader_name_or_empty(c->a, a->function),
		     reader_name_or_empty(c->b, b->function));
	if (!same_numbers(a->stop_requested, a->stop_requested_count, b->stop_requested,
			  b->stop_requested_count)) {
		snprintf(what, sizeof(what), "%s: waves asked to stop", where);
		state_difference_add(c, what, wt_text("%zu", a->stop_requested_count),
				     wt_text("%zu", b->stop_requested_count));
	}
	for (size_t i = 0; i < a->log_count && i < b->log_count; i++) {
		snprintf(what, sizeof(what), "%s: log message %zu", where, i);
		compare_number(c, what, a->log[i].level, b->log[i].level);
		compare_number(c, what, a->log[i].event, b->log[i].event);
		compare_text(c, what, a->log[i].text, b->log[i].text);
	}
}

static struct wt_error *compare_moment(struct comparison *c, uint32_t number)
{
	const struct wt_moment *a, *b;
	struct wt_state *a_state = NULL, *b_state = NULL;
	struct wt_error *error = wt_reader_moment(c->a, number, &a);
	char where[32];

	snprintf(where, sizeof(where), "moment %" PRIu32, number);
	if (!error)
		error = wt_reader_moment(c->b, number, &b);
	if (!error)
		error = wt_reader_state(c->a, number, &a_state);
	if (!error)
		error = wt_reader_state(c->b, number, &b_state);
	if (!error) {
		compare_heads(c, where, a, b);
		compare_events(c, where, a, b);
		recorded_states_compare(c, where, a_state, b_state);
	}
	wt_state_destroy(a_state);
	wt_state_destroy(b_state);
	return error;
}

static struct wt_error *compare_moments(struct comparison *c)
{
	uint32_t a = wt_reader_moment_count(c->a), b = wt_reader_moment_count(c->b);
	struct wt_error *error = NULL;

	if (!c->unfinished || a < b)
		compare_number(c, "number of moments", a, b);
	for (uint32_t i = 0; !error && i < a && i < b; i++)
		error = compare_moment(c, i);
	return error;
}

static bool is_identity_call(const struct wt_whole_call *call)
{
	const struct wt_query *query = NULL;

	if (wt_functions[call->function].object != WT_OBJECT_COUNT && call->input_count > 1)
		query = wt_query_find(wt_functions[call->function].object,
				      (uint32_t)call->inputs[1].number);
	return query && query->identity;
}

static void compare_values(struct comparison *c, const struct wt_whole_call *call, const char *what,
			   const struct wt_value *a, size_t a_count, const struct wt_value *b,
			   size_t b_count, bool presence_only)
{
	const struct wt_value absent = {.form = WT_VALUE_ABSENT};
	size_t count = a_count > b_count ? a_count : b_count;
	char text[128];

	for (size_t i = 0; i < count; i++) {
		const struct wt_value *left = i < a_count ? &a[i] : &absent;
		const struct wt_value *right = i < b_count ? &b[i] : &absent;

		if (presence_only ? left->form == right->form : wt_value_equal(left, right))
			continue;
		snprintf(text, sizeof(text), "journal: %s %zu", what, i);
		wt_differences_add_values(c->differences, call->number,
					  wt_functions[call->function].name, text, left, right);
	}
}

static void compare_callbacks(struct comparison *c, const struct wt_whole_call *a,
			      const struct wt_whole_call *b)
{
	const char *name = wt_functions[a->function].name;

	if (a->callback_count != b->callback_count)
		wt_differences_add(c->differences, a->number, name, "journal: callbacks",
				   wt_text("%zu", a->callback_count),
				   wt_text("%zu", b->callback_count));
	for (size_t i = 0; i < a->callback_count && i < b->callback_count; i++) {
		const struct wt_whole_callback *left = &a->callbacks[i], *right = &b->callbacks[i];
		bool identity = left->kind == WT_CALLBACK_CLIENT_PROCESS_GET_INFO;

		if (left->kind != right->kind || left->result != right->result)
			wt_differences_add(c->differences, a->number, name, "journal: callback",
					   wt_text("%d: %" PRId64, left->kind, left->result),
					   wt_text("%d: %" PRId64, right->kind, right->result));
		compare_values(c, a, "callback input", left->inputs, left->input_count,
			       right->inputs, right->input_count, false);
		compare_values(c, a, "callback output", left->outputs, left->output_count,
			       right->outputs, right->output_count, identity);
	}
}

static void compare_call(struct comparison *c, const struct wt_whole_call *a,
			 const struct wt_whole_call *b)
{
	if (a->function != b->function || a->number != b->number) {
		wt_differences_add(c->differences, a->number, NULL, "journal: call",
				   wt_text("%" PRIu64 " function %d", a->number, a->function),
				   wt_text("%" PRIu64 " function %d", b->number, b->function));
		return;
	}
	if (a->function == WT_FUNCTION_COUNT)
		return;
	if (a->ended != b->ended || a->status != b->status)
		wt_differences_add(c->differences, a->number, wt_functions[a->function].name,
				   "journal: status",
				   wt_text("%s", a->ended ? wt_status_name(a->status) : "no end"),
				   wt_text("%s", b->ended ? wt_status_name(b->status) : "no end"));
	compare_values(c, a, "input", a->inputs, a->input_count, b->inputs, b->input_count, false);
	compare_values(c, a, "output", a->outputs, a->output_count, b->outputs, b->output_count,
		       is_identity_call(a));
	compare_callbacks(c, a, b);
}

static struct wt_error *compare_calls(struct comparison *c, struct wt_calls *a, struct wt_calls *b)
{
	for (;;) {
		struct wt_whole_call *left = NULL, *right = NULL;
		struct wt_error *error = wt_calls_next(a, &left);
		bool both;

		if (!error)
			error = wt_calls_next(b, &right);
		if (left && !left->ended && !left->torn) {
			c->unfinished = true;
			wt_whole_call_destroy(left);
			left = NULL;
		}
		both = left && right;
		if (!error && both)
			compare_call(c, left, right);
		else if (!error && left != right)
			state_difference_add(c, "journal: end",
					     wt_text("%s", left ? "a call" : "the end"),
					     wt_text("%s", right ? "a call" : "the end"));
		wt_whole_call_destroy(left);
		wt_whole_call_destroy(right);
		if (error || !both)
			return error;
	}
}

static struct wt_error *compare_journals(struct comparison *c)
{
	struct wt_calls a, b;
	struct wt_error *error = wt_calls_open(c->a, &a);

	if (error)
		return error;
	error = wt_calls_open(c->b, &b);
	if (!error) {
		error = compare_calls(c, &a, &b);
		wt_calls_close(&b);
	}
	wt_calls_close(&a);
	return error;
}

struct wt_error *wt_trace_compare(struct wt_reader *a, struct wt_reader *b,
				  struct wt_differences *differences_ret)
{
	struct comparison comparison = {.a = a, .b = b, .differences = differences_ret};
	struct wt_error *error;

	memset(differences_ret, 0, sizeof(*differences_ret));
	error = compare_journals(&comparison);
	if (!error)
		compare_info(&comparison);
	if (!error)
		error = compare_facts(&comparison);
	if (!error)
		error = compare_moments(&comparison);
	if (error)
		wt_differences_deinit(differences_ret);
	return error;
}
