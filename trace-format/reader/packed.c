/* SPDX-License-Identifier: MIT */
#include "trace-format/reader/packed.h"

#include <stddef.h>
#include <string.h>

#include "trace-format/message/packet.h"

/* An answer whose bytes are still a cursor. */
struct packed_answer {
	uint32_t query;
	int64_t status;
	struct wt_cursor value;
};

/* Decodes a struct wt_answer whose value lies in @body; NULL: only checks it. */
static enum wt_decoded decode_answer(struct wt_cursor body, void *element)
{
	static const struct wt_wire_rule rules[] = {
		[WT_FIELD_ANSWER_QUERY] = WT_WIRE_RULE(U32, struct packed_answer, query),
		[WT_FIELD_ANSWER_STATUS] = WT_WIRE_RULE(SINT64, struct packed_answer, status),
		[WT_FIELD_ANSWER_VALUE] = WT_WIRE_RULE(BYTES, struct packed_answer, value),
	};
	struct packed_answer answer = {0};
	enum wt_decoded decoded =
		wt_wire_decode(body, rules, WT_WIRE_COUNT(rules), element ? &answer : NULL);

	if (!element)
		return decoded;
	*(struct wt_answer *)element = (struct wt_answer){
		.query = answer.query,
		.status = answer.status,
		.value = answer.value.data,
		.size = answer.value.remaining,
	};
	return decoded;
}

static enum wt_decoded decode_patch(struct wt_cursor body, void *element)
{
	static const struct wt_wire_rule rules[] = {
		[WT_FIELD_PATCH_OFFSET] = WT_WIRE_RULE(U64, struct wt_packed_patch, offset),
		[WT_FIELD_PATCH_DATA] = WT_WIRE_RULE(BYTES, struct wt_packed_patch, data),
		[WT_FIELD_PATCH_ENCODING] = WT_WIRE_RULE(U32, struct wt_packed_patch, encoding),
	};

	return wt_wire_decode(body, rules, WT_WIRE_COUNT(rules), element);
}

#define RULE(kind, member) WT_WIRE_RULE(kind, struct wt_packed_item, member)

static const struct wt_wire_rule item_rules[] = {
	[WT_FIELD_ITEM_TYPE] = RULE(U32, type),
	[WT_FIELD_ITEM_KIND] = RULE(U32, kind),
	[WT_FIELD_ITEM_OWNER] = RULE(U64, owner),
	[WT_FIELD_ITEM_ADDRESS] = RULE(U64, address),
	[WT_FIELD_ITEM_REMOVED] = RULE(BOOL, removed),
	[WT_FIELD_ITEM_STATUS] = RULE(SINT64, status),
	[WT_FIELD_ITEM_ANSWER] =
		WT_WIRE_MESSAGES(struct wt_packed_item, answers, struct wt_answer, decode_answer),
	[WT_FIELD_ITEM_HANDLE] = RULE(U64S, handles),
	[WT_FIELD_ITEM_BLOB] = RULE(U32, blob),
	[WT_FIELD_ITEM_SIZE] = RULE(U64, size),
	[WT_FIELD_ITEM_PATCH] = WT_WIRE_MESSAGES(struct wt_packed_item, patches,
						 struct wt_packed_patch, decode_patch),
	[WT_FIELD_ITEM_NUMBER] = RULE(U64S, numbers),
	[WT_FIELD_ITEM_MORE_BLOB] = RULE(U32S, more_blobs),
	[WT_FIELD_ITEM_HANDLE_BLOB] = RULE(U32, handle_blob),
	[WT_FIELD_ITEM_KEEP] = RULE(BOOL, keep),
};

void wt_packed_item_deinit(struct wt_packed_item *item)
{
	wt_wire_list_deinit(&item->answers);
	wt_wire_list_deinit(&item->handles);
	wt_wire_list_deinit(&item->numbers);
	wt_wire_list_deinit(&item->more_blobs);
	wt_wire_list_deinit(&item->patches);
}

enum wt_decoded wt_packed_item_decode(struct wt_cursor body, struct wt_packed_item *item)
{
	*item = (struct wt_packed_item){
		.answers = item->answers,
		.handles = item->handles,
		.numbers = item->numbers,
		.more_blobs = item->more_blobs,
		.patches = item->patches,
	};
	wt_wire_list_start(&item->answers);
	wt_wire_list_start(&item->handles);
	wt_wire_list_start(&item->numbers);
	wt_wire_list_start(&item->more_blobs);
	wt_wire_list_start(&item->patches);
	return wt_wire_decode(body, item_rules, WT_WIRE_COUNT(item_rules), item);
}

enum wt_decoded wt_packed_key_decode(struct wt_cursor body, struct wt_packed_key *key_ret)
{
	static const struct wt_wire_rule rules[] = {
		[WT_FIELD_ITEM_TYPE] = WT_WIRE_RULE(U32, struct wt_packed_key, type),
		[WT_FIELD_ITEM_KIND] = WT_WIRE_RULE(U32, struct wt_packed_key, kind),
		[WT_FIELD_ITEM_OWNER] = WT_WIRE_RULE(U64, struct wt_packed_key, owner),
		[WT_FIELD_ITEM_ADDRESS] = WT_WIRE_RULE(U64, struct wt_packed_key, address),
	};

	*key_ret = (struct wt_packed_key){0};
	return wt_wire_decode(body, rules, WT_WIRE_COUNT(rules), key_ret);
}

enum wt_decoded wt_packed_item_check(struct wt_cursor body)
{
	return wt_wire_decode(body, item_rules, WT_WIRE_COUNT(item_rules), NULL);
}

static enum wt_decoded check_item(struct wt_cursor body, void *element)
{
	(void)element;
	return wt_packed_item_check(body);
}

#define CHECKED_ITEMS                                                                              \
	{                                                                                          \
		.kind = WT_KIND_CHECKED, .decode = check_item                                      \
	}

enum wt_decoded wt_packed_late_check(struct wt_cursor body)
{
	static const struct wt_wire_rule rules[] = {
		[WT_FIELD_LATE_MOMENT] = {.kind = WT_KIND_U32},
		[WT_FIELD_LATE_ITEM] = CHECKED_ITEMS,
	};

	return wt_wire_decode(body, rules, WT_WIRE_COUNT(rules), NULL);
}

enum wt_decoded wt_packed_facts_check(struct wt_cursor body)
{
	static const struct wt_wire_rule rules[] = {[WT_FIELD_FACTS_ITEM] = CHECKED_ITEMS};

	return wt_wire_decode(body, rules, WT_WIRE_COUNT(rules), NULL);
}

/* ---- Moments ---- */

/* The event is decoded when all of the moment is known to be whole. */
static enum wt_decoded note_event(struct wt_cursor body, void *element)
{
	((struct wt_packed_event *)element)->body = body;
	return WT_DECODED;
}

static enum wt_decoded decode_log(struct wt_cursor body, void *element)
{
	static const struct wt_wire_rule rules[] = {
		[WT_FIELD_LOG_MESSAGE_LEVEL] = WT_WIRE_RULE(U32, struct wt_packed_log, level),
		[WT_FIELD_LOG_MESSAGE_TEXT] = WT_WIRE_RULE(BYTES, struct wt_packed_log, text),
		[WT_FIELD_LOG_MESSAGE_EVENT] = WT_WIRE_RULE(U32, struct wt_packed_log, event),
	};

	return wt_wire_decode(body, rules, WT_WIRE_COUNT(rules), element);
}

/* Append the answers of an event to @answers. */
static enum wt_decoded decode_event(struct wt_packed_event *event, struct wt_wire_list *answers)
{
	struct packed_event {
		uint64_t handle;
		uint32_t kind;
		struct wt_wire_list answers;
	} packed = {.answers = *answers};
	static const struct wt_wire_rule rules[] = {
		[WT_FIELD_EVENT_HANDLE] = WT_WIRE_RULE(U64, struct packed_event, handle),
		[WT_FIELD_EVENT_KIND] = WT_WIRE_RULE(U32, struct packed_event, kind),
		[WT_FIELD_EVENT_ANSWER] = WT_WIRE_MESSAGES(struct packed_event, answers,
							   struct wt_answer, decode_answer),
	};
	enum wt_decoded decoded = wt_wire_decode(event->body, rules, WT_WIRE_COUNT(rules), &packed);

	event->handle = packed.handle;
	event->kind = packed.kind;
	event->answer_count = packed.answers.count - answers->count;
	*answers = packed.answers;
	return decoded;
}

#define MOMENT_RULE(kind, member) WT_WIRE_RULE(kind, struct wt_packed_moment, member)
#define MOMENT_RULES                                                                               \
	[WT_FIELD_MOMENT_NUMBER] = MOMENT_RULE(U32, number),                                       \
	[WT_FIELD_MOMENT_PROCESS] = MOMENT_RULE(U64, process),                                     \
	[WT_FIELD_MOMENT_CAUSE] = MOMENT_RULE(U32, cause),                                         \
	[WT_FIELD_MOMENT_CALL] = MOMENT_RULE(U64, call),                                           \
	[WT_FIELD_MOMENT_TIME] = MOMENT_RULE(U64, time),                                           \
	[WT_FIELD_MOMENT_KEYFRAME] = MOMENT_RULE(BOOL, keyframe),                                  \
	[WT_FIELD_MOMENT_EVENT] = WT_WIRE_MESSAGES(struct wt_packed_moment, events,                \
						   struct wt_packed_event, note_event),            \
	[WT_FIELD_MOMENT_AFTER_RESUME] = MOMENT_RULE(BOOL, after_resume),                          \
	[WT_FIELD_MOMENT_STOP_REQUESTED] = MOMENT_RULE(U64S, stop_requested),                      \
	[WT_FIELD_MOMENT_LOG] =                                                                    \
		WT_WIRE_MESSAGES(struct wt_packed_moment, log, struct wt_packed_log, decode_log),  \
	[WT_FIELD_MOMENT_FUNCTION] = MOMENT_RULE(U32, function),                                   \
	[WT_FIELD_MOMENT_STATUS] = MOMENT_RULE(SINT64, status)

void wt_packed_moment_deinit(struct wt_packed_moment *moment)
{
	wt_wire_list_deinit(&moment->events);
	wt_wire_list_deinit(&moment->answers);
	wt_wire_list_deinit(&moment->stop_requested);
	wt_wire_list_deinit(&moment->log);
}

enum wt_decoded wt_packed_moment_decode(struct wt_cursor body, bool check,
					struct wt_packed_moment *moment)
{
	static const struct wt_wire_rule unchecked[] = {MOMENT_RULES};
	static const struct wt_wire_rule checked[] = {MOMENT_RULES, [WT_FIELD_MOMENT_ITEM] =
									    CHECKED_ITEMS};
	struct wt_packed_event *events;
	enum wt_decoded decoded;

	*moment = (struct wt_packed_moment){
		.events = moment->events,
		.answers = moment->answers,
		.stop_requested = moment->stop_requested,
		.log = moment->log,
	};
	wt_wire_list_start(&moment->events);
	wt_wire_list_start(&moment->answers);
	wt_wire_list_start(&moment->stop_requested);
	wt_wire_list_start(&moment->log);
	decoded = wt_wire_decode(body, check ? checked : unchecked, WT_WIRE_COUNT(checked), moment);
	events = moment->events.elements;
	for (size_t i = 0; i < moment->events.count && decoded == WT_DECODED; i++)
		decoded = decode_event(&events[i], &moment->answers);
	return decoded;
}

enum wt_decoded wt_packed_blob_decode(struct wt_cursor body, struct wt_packed_blob *blob_ret)
{
	/* The key is bytes as well, and is not looked at. */
	struct packed_blob {
		struct wt_packed_blob blob;
		struct wt_cursor key;
	} packed = {0};
	static const struct wt_wire_rule rules[] = {
		[WT_FIELD_BLOB_KEY] = WT_WIRE_RULE(BYTES, struct packed_blob, key),
		[WT_FIELD_BLOB_ENCODING] = WT_WIRE_RULE(U32, struct packed_blob, blob.encoding),
		[WT_FIELD_BLOB_DATA] = WT_WIRE_RULE(BYTES, struct packed_blob, blob.data),
	};
	enum wt_decoded decoded = wt_wire_decode(body, rules, WT_WIRE_COUNT(rules), &packed);

	*blob_ret = packed.blob;
	return decoded;
}

bool wt_packed_item_next(struct wt_cursor *body, unsigned int number, struct wt_cursor *item_ret)
{
	struct wt_wire_field field;

	while (body->remaining) {
		struct wt_cursor ahead = *body;

		if (!wt_wire_next(&ahead, &field))
			return false;
		if (field.number == number && field.type != WT_WIRE_BYTES)
			return false;
		*body = ahead;
		if (field.number != number)
			continue;
		*item_ret = field.bytes;
		return true;
	}
	return false;
}
