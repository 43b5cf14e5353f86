/* SPDX-License-Identifier: MIT */
#include "replayer/journal/cursor.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "trace-format/writer/value.h"

/* A correct client passes no more than this in most calls: registers, instructions. */
#define PLAIN_LIMIT 256u
#define IDENTITIES_LIMIT 65536u

void wt_identities_deinit(struct wt_identities *identities)
{
	free(identities->all);
	*identities = (struct wt_identities){0};
}

const void *wt_identities_find(const struct wt_identities *identities, const char *type,
			       uint64_t ordinal)
{
	for (size_t i = 0; i < identities->count; i++)
		if (identities->all[i].ordinal == ordinal && !strcmp(identities->all[i].type, type))
			return identities->all[i].pointer;
	return NULL;
}

static uint64_t match_hash_mix(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

/* A hash of function and inputs: the same for calls that match. */
static uint64_t match_recorded_hash(const struct wt_whole_call *call)
{
	const struct wt_function_info *info = &wt_functions[call->function];
	uint64_t hash = match_hash_mix(0, call->function);

	for (size_t i = 0; i < info->parameter_count && i < call->input_count; i++)
		if (info->parameters[i].shape == WT_SHAPE_VALUE)
			hash = match_hash_mix(hash, call->inputs[i].number);
	return hash;
}

static uint64_t match_hash(enum wt_function function, const struct wt_argument *arguments)
{
	const struct wt_function_info *info = &wt_functions[function];
	uint64_t hash = match_hash_mix(0, function);

	for (size_t i = 0; i < info->parameter_count; i++)
		if (info->parameters[i].shape == WT_SHAPE_VALUE)
			hash = match_hash_mix(hash, arguments[i].number);
	return hash;
}

/* Bytes of the client's whose length is a claim: the kernel looks where it is long. */
static bool client_bytes_are_same(const void *there, const struct wt_value *recorded)
{
	struct iovec from = {.iov_base = (void *)(uintptr_t)there, .iov_len = recorded->size};
	struct iovec to = {.iov_len = recorded->size};
	bool same;

	if (recorded->size <= PLAIN_LIMIT)
		return !recorded->size || !memcmp(there, recorded->data, recorded->size);
	to.iov_base = malloc(recorded->size);
	same = to.iov_base &&
	       process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)recorded->size &&
	       !memcmp(to.iov_base, recorded->data, recorded->size);
	free(to.iov_base);
	return same;
}

/*
 * The arguments handed to a symbolizer do not matter: the symbol that it gives is compared. One between the client and
 * us, as a recorder, has each call's own.
 */
static bool is_handed_on(const struct wt_parameter *parameter)
{
	return !strcmp(parameter->type, "amd_dbgapi_symbolizer_id_t");
}

/* A number and a pointer either stand for each other, or neither for anything yet. */
static bool same_identity(const struct wt_identities *identities, const char *type,
			  const struct wt_value *recorded, const void *pointer)
{
	/* If there were too many identities, the trace only says that the pointer was not NULL. */
	if (recorded->form != WT_VALUE_NUMBER || !recorded->number)
		return (recorded->form == WT_VALUE_NUMBER) == !pointer;
	for (size_t i = 0; i < identities->count; i++) {
		const struct wt_identity *known = &identities->all[i];

		if (strcmp(known->type, type) != 0)
			continue;
		if (known->ordinal == recorded->number || known->pointer == pointer)
			return known->ordinal == recorded->number && known->pointer == pointer;
	}
	return pointer;
}

static uint64_t callbacks_given(const amd_dbgapi_callbacks_t *callbacks)
{
	const bool given[WT_CALLBACK_COUNT] = {
		[WT_CALLBACK_ALLOCATE_MEMORY] = callbacks->allocate_memory,
		[WT_CALLBACK_DEALLOCATE_MEMORY] = callbacks->deallocate_memory,
		[WT_CALLBACK_CLIENT_PROCESS_GET_INFO] = callbacks->client_process_get_info,
		[WT_CALLBACK_INSERT_BREAKPOINT] = callbacks->insert_breakpoint,
		[WT_CALLBACK_REMOVE_BREAKPOINT] = callbacks->remove_breakpoint,
		[WT_CALLBACK_XFER_GLOBAL_MEMORY] = callbacks->xfer_global_memory,
		[WT_CALLBACK_LOG_MESSAGE] = callbacks->log_message,
	};
	uint64_t bits = 0;

	for (int i = 0; i < WT_CALLBACK_COUNT; i++)
		bits |= (uint64_t)given[i] << i;
	return bits;
}

static bool same_input(const struct wt_identities *identities, const struct wt_parameter *parameter,
		       const struct wt_value *recorded, const struct wt_argument *argument)
{
	bool given = recorded->form != WT_VALUE_ABSENT;

	switch (parameter->shape) {
	case WT_SHAPE_VALUE:
		return given && recorded->number == argument->number;
	case WT_SHAPE_OPAQUE:
		return given &&
		       (is_handed_on(parameter) ||
			same_identity(identities, parameter->type, recorded, argument->pointer));
	case WT_SHAPE_INOUT:
		return given == (argument->pointer != NULL) &&
		       (!given ||
			recorded->number == wt_value_load(argument->pointer, parameter->size,
							  parameter->is_signed));
	case WT_SHAPE_IN_BYTES:
		return given == (argument->pointer != NULL) &&
		       (recorded->form != WT_VALUE_DATA ||
			client_bytes_are_same(argument->pointer, recorded));
	case WT_SHAPE_SYMBOLIZER:
		return given == (argument->symbolizer != NULL);
	case WT_SHAPE_CALLBACKS:
		return given == (argument->pointer != NULL) &&
		       (!given || recorded->number == callbacks_given(argument->pointer));
	default:
		return given == (argument->pointer != NULL);
	}
}

bool wt_match(const struct wt_identities *identities, const struct wt_whole_call *call,
	      const struct wt_argument *arguments)
{
	const struct wt_function_info *info = &wt_functions[call->function];

	if (call->input_count != info->parameter_count)
		return false;
	for (size_t i = 0; i < info->parameter_count; i++)
		if (!same_input(identities, &info->parameters[i], &call->inputs[i], &arguments[i]))
			return false;
	return true;
}

struct wt_error *wt_match_bind(struct wt_identities *identities, const struct wt_whole_call *call,
			       const struct wt_argument *arguments)
{
	const struct wt_function_info *info = &wt_functions[call->function];

	for (size_t i = 0; i < info->parameter_count && i < call->input_count; i++) {
		const struct wt_value *recorded = &call->inputs[i];
		struct wt_identity *all;

		if (info->parameters[i].shape != WT_SHAPE_OPAQUE ||
		    is_handed_on(&info->parameters[i]) || recorded->form != WT_VALUE_NUMBER ||
		    !recorded->number || identities->count == IDENTITIES_LIMIT ||
		    wt_identities_find(identities, info->parameters[i].type, recorded->number))
			continue;
		all = reallocarray(identities->all, identities->count + 1, sizeof(*all));
		if (!all)
			return &wt_error_no_memory;
		identities->all = all;
		all[identities->count++] = (struct wt_identity){
			.type = info->parameters[i].type,
			.ordinal = recorded->number,
			.pointer = arguments[i].pointer,
		};
	}
	return NULL;
}

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* How far it looks ahead, and what it keeps for that. */
#define ENTRIES_LIMIT 65536u
#define BYTES_LIMIT ((size_t)256 << 20)

struct wt_call_cursor_entry {
	struct wt_whole_call *call;
	uint64_t hash;
	bool made;   /* by the client */
	bool again;  /* it was, when it made it last */
	bool gone;   /* no part of the cursor any more: kept for who holds it */
	bool listed; /* in the table, or in a row of it */
	unsigned held;
	size_t bytes;
	/* Entries of the same hash form a row in the order of the journal; only the first is in the table. */
	struct wt_call_cursor_entry *same, *before;
	struct wt_call_cursor_entry *last_same; /* of the first: the end of its row */
	struct wt_call_cursor_entry
		*open; /* of the first: all before it were made; NULL: all were */
	TAILQ_ENTRY(wt_call_cursor_entry) link;
	UT_hash_handle hh;
};

/* Did the call change anything? Finalizing does even where it fails. */
static bool is_act(const struct wt_whole_call *call)
{
	return wt_functions[call->function].acts &&
	       (call->status == AMD_DBGAPI_STATUS_SUCCESS ||
		(call->function == WT_FUNCTION_FINALIZE &&
		 call->status != AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED));
}

static bool gave_event(const struct wt_whole_call *call)
{
	return call->output_count && call->outputs[0].form == WT_VALUE_NUMBER &&
	       call->outputs[0].number;
}

/* May a client leave it out, and still be where the recorded one was? */
static bool may_be_left_out(const struct wt_whole_call *call)
{
	switch ((int)call->function) {
	case WT_FUNCTION_SET_LOG_LEVEL:
	case WT_FUNCTION_SET_MEMORY_PRECISION:
	case WT_FUNCTION_SET_ALU_EXCEPTIONS_PRECISION:
		return true;
	case WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT:
		return !gave_event(call);
	default:
		return false;
	}
}

static void entry_destroy(struct wt_call_cursor_entry *entry)
{
	wt_whole_call_destroy(entry->call);
	free(entry);
}

/* The first of the row, which is in the table, gives its place to the next. */
static void unlink_hash(struct wt_call_cursor *cursor, struct wt_call_cursor_entry *entry)
{
	struct wt_call_cursor_entry *next = entry->same;

	if (!entry->listed)
		return;
	HASH_DEL(cursor->by_hash, entry);
	if (!next)
		return;
	next->before = NULL;
	next->last_same = entry->last_same == entry ? next : entry->last_same;
	next->open = entry->open == entry ? next : entry->open;
	HASH_ADD(hh, cursor->by_hash, hash, sizeof(next->hash), next);
}

static void pass_made(struct wt_call_cursor *cursor)
{
	while (cursor->unmade && cursor->unmade->made)
		cursor->unmade = TAILQ_NEXT(cursor->unmade, link);
}

/* Entries go in the order in which they came, so that the first one is the first of its row. */
static void forget_first(struct wt_call_cursor *cursor)
{
	struct wt_call_cursor_entry *entry = TAILQ_FIRST(&cursor->entries);

	if (cursor->unlisted == entry)
		cursor->unlisted = TAILQ_NEXT(entry, link);
	if (cursor->position == entry)
		cursor->position = TAILQ_NEXT(entry, link);
	if (cursor->unmade == entry) {
		cursor->unmade = TAILQ_NEXT(entry, link);
		pass_made(cursor);
	}
	TAILQ_REMOVE(&cursor->entries, entry, link);
	unlink_hash(cursor, entry);
	cursor->entry_count--;
	cursor->entry_bytes -= entry->bytes;
	if (cursor->act == entry)
		cursor->act = NULL;
	if (cursor->found == entry)
		cursor->found = NULL;
	if (cursor->awaited == entry)
		cursor->awaited = NULL;
	entry->gone = true;
	if (!entry->held)
		entry_destroy(entry);
}

static void forget_all(struct wt_call_cursor *cursor)
{
	while (!TAILQ_EMPTY(&cursor->entries))
		forget_first(cursor);
	cursor->act = NULL;
	if (cursor->reader)
		wt_calls_close(&cursor->calls);
	cursor->at_end = false;
}

struct wt_error *wt_call_cursor_open(struct wt_call_cursor *cursor, struct wt_reader *reader)
{
	struct wt_error *error;

	memset(cursor, 0, sizeof(*cursor));
	TAILQ_INIT(&cursor->entries);
	error = wt_calls_open(reader, &cursor->calls);
	if (!error)
		cursor->reader = reader;
	return error;
}

void wt_call_cursor_close(struct wt_call_cursor *cursor)
{
	if (!cursor->reader)
		return;
	forget_all(cursor);
	wt_identities_deinit(&cursor->identities);
	memset(cursor, 0, sizeof(*cursor));
}

static size_t bytes_of(const struct wt_value *values, size_t count)
{
	size_t bytes = count * sizeof(*values);

	for (size_t i = 0; i < count; i++)
		bytes += values[i].form == WT_VALUE_DATA ? values[i].size : 0;
	return bytes;
}

/* Returns about how much memory a call takes. */
static size_t call_weigh(const struct wt_whole_call *call)
{
	size_t bytes = sizeof(*call) + bytes_of(call->inputs, call->input_count) +
		       bytes_of(call->outputs, call->output_count);

	for (size_t i = 0; i < call->callback_count; i++)
		bytes += sizeof(*call->callbacks) +
			 bytes_of(call->callbacks[i].inputs, call->callbacks[i].input_count) +
			 bytes_of(call->callbacks[i].outputs, call->callbacks[i].output_count);
	return bytes;
}

/* False if there is no memory; the call is then still the caller's. */
static bool cursor_entry_add(struct wt_call_cursor *cursor, struct wt_whole_call *call)
{
	struct wt_call_cursor_entry *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return false;
	entry->call = call;
	entry->bytes = call_weigh(call);
	TAILQ_INSERT_TAIL(&cursor->entries, entry, link);
	cursor->unlisted = cursor->unlisted ? cursor->unlisted : entry;
	cursor->unmade = cursor->unmade ? cursor->unmade : entry;
	cursor->position = cursor->position ? cursor->position : entry;
	cursor->entry_count++;
	cursor->entry_bytes += entry->bytes;
	return true;
}

/* Put an entry into the table. Without memory it is found only in its turn. */
static void cursor_entry_list(struct wt_call_cursor *cursor, struct wt_call_cursor_entry *entry)
{
	struct wt_call_cursor_entry *first;

	entry->hash = match_recorded_hash(entry->call);
	entry->last_same = entry->open = entry;
	HASH_FIND(hh, cursor->by_hash, &entry->hash, sizeof(entry->hash), first);
	if (first) {
		entry->before = first->last_same;
		first->last_same->same = entry;
		first->last_same = entry;
		first->open = first->open ? first->open : entry;
		entry->listed = true;
	} else {
		HASH_ADD(hh, cursor->by_hash, hash, sizeof(entry->hash), entry);
		entry->listed = entry->hh.tbl;
	}
}

/* Only a client that makes its calls in another order than the recorded one needs them in the table. */
static struct wt_call_cursor_entry *cursor_row_find(struct wt_call_cursor *cursor, uint64_t hash)
{
	struct wt_call_cursor_entry *first;

	for (; cursor->unlisted; cursor->unlisted = TAILQ_NEXT(cursor->unlisted, link))
		cursor_entry_list(cursor, cursor->unlisted);
	HASH_FIND(hh, cursor->by_hash, &hash, sizeof(hash), first);
	return first;
}

static bool is_usable(const struct wt_whole_call *call)
{
	return call->function != WT_FUNCTION_COUNT && call->ended && !call->torn;
}

/*
 * Questions behind the client may be asked again, and those that it left out or that cannot be repeated may be asked late, but
 * not at any price.
 */
static void cursor_make_room(struct wt_call_cursor *cursor)
{
	while ((cursor->entry_count >= ENTRIES_LIMIT || cursor->entry_bytes >= BYTES_LIMIT) &&
	       TAILQ_FIRST(&cursor->entries) != cursor->position)
		forget_first(cursor);
}

/*
 * Read one call more. What was lost may have been an act, so nothing behind it counts; a call that never returned, and
 * one of a function that we do not know, is passed over.
 * Return: the entry; NULL where there is no more to be had.
 */
static struct wt_call_cursor_entry *read_on(struct wt_call_cursor *cursor)
{
	cursor_make_room(cursor);
	while (!cursor->at_end && cursor->entry_count < ENTRIES_LIMIT &&
	       cursor->entry_bytes < BYTES_LIMIT) {
		struct wt_whole_call *call = NULL;
		struct wt_error *error = wt_calls_next(&cursor->calls, &call);

		cursor->at_end = error || !call || call->torn;
		wt_error_destroy(error);
		if (call && is_usable(call) && cursor_entry_add(cursor, call))
			return TAILQ_LAST(&cursor->entries, wt_call_cursor_entries);
		wt_whole_call_destroy(call);
	}
	return NULL;
}

/* The first act that was not made, read as far as it. */
static struct wt_call_cursor_entry *next_act(struct wt_call_cursor *cursor)
{
	struct wt_call_cursor_entry *entry;

	while (!cursor->act && (entry = read_on(cursor)))
		if (is_act(entry->call))
			cursor->act = entry;
	return cursor->act;
}

/* The same, however many questions are before it, which the client has then left out. */
static struct wt_call_cursor_entry *next_act_anywhere(struct wt_call_cursor *cursor)
{
	while (!next_act(cursor) && !cursor->at_end && !TAILQ_EMPTY(&cursor->entries))
		forget_first(cursor);
	return cursor->act;
}

/* The act after another one. */
static struct wt_call_cursor_entry *act_after(struct wt_call_cursor *cursor,
					      struct wt_call_cursor_entry *act)
{
	struct wt_call_cursor_entry *entry = act;

	do {
		entry = TAILQ_NEXT(entry, link) ? TAILQ_NEXT(entry, link) : read_on(cursor);
	} while (entry && !is_act(entry->call));
	return entry;
}

/* A list that clears its flag is another question the second time. */
static bool may_be_asked_again(const struct wt_whole_call *call)
{
	const struct wt_function_info *info = &wt_functions[call->function];
	size_t last = info->parameter_count;

	return !info->acts && !(last && !strcmp(info->parameters[last - 1].name, "changed") &&
				call->inputs[last - 1].form != WT_VALUE_ABSENT);
}

/* The first of a row that was not made. A client may ask the same thing very often: those that were made are passed once. */
static struct wt_call_cursor_entry *first_open(struct wt_call_cursor_entry *first)
{
	while (first->open && first->open->made)
		first->open = first->open->same;
	return first->open;
}

/* Is it behind the next act? A row is in the order of the journal. */
static bool is_behind_act(const struct wt_call_cursor *cursor,
			  const struct wt_call_cursor_entry *entry)
{
	return cursor->act && entry->call->number > cursor->act->call->number;
}

static bool is_question(const struct wt_call_cursor *cursor,
			const struct wt_call_cursor_entry *entry, enum wt_function function,
			const struct wt_argument *arguments)
{
	return entry->call->function == function && !is_act(entry->call) &&
	       wt_match(&cursor->identities, entry->call, arguments);
}

/*
 * A question, or a refusal, among what was read before the next act. One that was not asked yet comes first;
 * else the one that was asked last.
 */
static struct wt_call_cursor_entry *find_question(struct wt_call_cursor *cursor, uint64_t hash,
						  enum wt_function function,
						  const struct wt_argument *arguments)
{
	struct wt_call_cursor_entry *first = cursor_row_find(cursor, hash), *entry;

	if (!first)
		return NULL;
	for (entry = first_open(first); entry && !is_behind_act(cursor, entry); entry = entry->same)
		if (!entry->made && is_question(cursor, entry, function, arguments))
			return entry;
	for (entry = entry ? entry->before : first->last_same; entry; entry = entry->before)
		if (entry->made && is_question(cursor, entry, function, arguments) &&
		    may_be_asked_again(entry->call))
			return entry;
	return NULL;
}

static bool is_it(const struct wt_call_cursor *cursor, const struct wt_call_cursor_entry *entry,
		  enum wt_function function, const struct wt_argument *arguments)
{
	return entry->call->function == function &&
	       wt_match(&cursor->identities, entry->call, arguments);
}

static struct wt_call_cursor_entry *find_act(struct wt_call_cursor *cursor,
					     enum wt_function function,
					     const struct wt_argument *arguments)
{
	struct wt_call_cursor_entry *act = next_act_anywhere(cursor);

	while (act && !is_it(cursor, act, function, arguments) && may_be_left_out(act->call))
		act = act_after(cursor, act);
	return act && is_it(cursor, act, function, arguments) ? act : NULL;
}

/*
 * Most clients make the call that comes next: nothing has to be looked up. The first that was not made is not behind the next
 * act, and the first of its row.
 */
static struct wt_call_cursor_entry *cursor_next_find(struct wt_call_cursor *cursor,
						     enum wt_function function,
						     const struct wt_argument *arguments)
{
	struct wt_call_cursor_entry *entry = cursor->unmade;

	if (!entry) {
		entry = read_on(cursor);
		if (entry && is_act(entry->call))
			cursor->act = entry;
	}
	return entry && is_it(cursor, entry, function, arguments) ? entry : NULL;
}

static struct wt_call_cursor_entry *cursor_entry_find(struct wt_call_cursor *cursor,
						      enum wt_function function,
						      const struct wt_argument *arguments)
{
	struct wt_call_cursor_entry *entry = cursor_next_find(cursor, function, arguments);
	uint64_t hash;

	if (entry)
		return entry;
	/* The whole row up to the next act is read: the question may be anywhere in it. */
	next_act(cursor);
	hash = match_hash(function, arguments);
	entry = find_question(cursor, hash, function, arguments);
	if (entry || !wt_functions[function].acts)
		return entry;
	return find_act(cursor, function, arguments);
}

const struct wt_whole_call *wt_call_cursor_find(struct wt_call_cursor *cursor,
						enum wt_function function,
						const struct wt_argument *arguments)
{
	cursor->found = cursor->reader ? cursor_entry_find(cursor, function, arguments) : NULL;
	return cursor->found ? cursor->found->call : NULL;
}

static struct wt_call_cursor_entry *entry_of(struct wt_call_cursor *cursor,
					     const struct wt_whole_call *call)
{
	struct wt_call_cursor_entry *entry = cursor_row_find(cursor, match_recorded_hash(call));

	while (entry && entry->call != call)
		entry = entry->same;
	return entry;
}

bool wt_call_cursor_has_all(const struct wt_call_cursor *cursor)
{
	return !cursor->reader || cursor->act || cursor->at_end;
}

/* An act among those that were read ahead. */
static void find_act_read(struct wt_call_cursor *cursor)
{
	struct wt_call_cursor_entry *entry;

	TAILQ_FOREACH(entry, &cursor->entries, link)
	{
		if (is_act(entry->call)) {
			cursor->act = entry;
			return;
		}
	}
}

struct wt_call_cursor_entry *wt_call_cursor_take(struct wt_call_cursor *cursor,
						 const struct wt_whole_call *call,
						 const struct wt_argument *arguments)
{
	struct wt_call_cursor_entry *entry = cursor->found && cursor->found->call == call
						     ? cursor->found
						     : entry_of(cursor, call);
	struct wt_error *error = wt_match_bind(&cursor->identities, call, arguments);

	wt_error_destroy(error);
	if (error || !entry)
		return NULL;
	entry->again = entry->made;
	entry->made = true;
	if (!entry->again)
		cursor->position = TAILQ_NEXT(entry, link);
	pass_made(cursor);
	entry->held++;
	if (!is_act(call))
		return entry;
	while (TAILQ_FIRST(&cursor->entries) != entry)
		forget_first(cursor);
	forget_first(cursor);
	find_act_read(cursor);
	return entry;
}

void wt_call_cursor_drop(struct wt_call_cursor *cursor, struct wt_call_cursor_entry *entry)
{
	(void)cursor;
	if (!--entry->held && entry->gone)
		entry_destroy(entry);
}

/* One that was not made yet would have come first. */
bool wt_call_cursor_repeats(const struct wt_call_cursor *cursor,
			    const struct wt_call_cursor_entry *entry)
{
	return wt_call_cursor_has_all(cursor) && !entry->gone && entry->again &&
	       !is_act(entry->call);
}

bool wt_call_cursor_expects_event(struct wt_call_cursor *cursor, uint64_t process)
{
	struct wt_call_cursor_entry *act = cursor->awaited;

	if (!act)
		act = cursor->reader ? next_act(cursor) : NULL;
	/* Between the next act and the one that was found last there are none but such. */
	while (act && act->call->function == WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT &&
	       !gave_event(act->call)) {
		cursor->awaited = act;
		act = act_after(cursor, act);
	}
	if (act)
		cursor->awaited = act;
	return act && act->call->function == WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT &&
	       (!act->call->input_count || !act->call->inputs[0].number ||
		act->call->inputs[0].number == process);
}

/* Skip to a call, and hold it. */
static bool skip_to(struct wt_call_cursor *cursor, uint64_t number)
{
	const struct wt_call_cursor_entry *entry;

	while ((entry = read_on(cursor)) && entry->call->number < number)
		forget_first(cursor);
	return entry && entry->call->number == number;
}

bool wt_call_cursor_seek(struct wt_call_cursor *cursor, uint64_t number, enum wt_function function,
			 const struct wt_argument *arguments)
{
	struct wt_reader *reader = cursor->reader;
	struct wt_error *error;
	struct wt_call_cursor_entry *entry;
	bool found;

	if (!reader)
		return false;
	wt_call_cursor_close(cursor);
	error = wt_call_cursor_open(cursor, reader);
	wt_error_destroy(error);
	if (error || !skip_to(cursor, number))
		return false;
	entry = TAILQ_FIRST(&cursor->entries);
	found = is_it(cursor, entry, function, arguments);
	entry = found ? wt_call_cursor_take(cursor, entry->call, arguments) : NULL;
	if (entry)
		wt_call_cursor_drop(cursor, entry);
	return entry;
}
