/* SPDX-License-Identifier: MIT */
/*
 * A trace as lines of JSON, each an object whose "line" says what it is. They are written while the trace is read: at no time is there more
 * than one stop in memory, and the bytes that were written last of its pages and registers. What is as an earlier line has it is not written again.
 */
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/cleanup.h"
#include "cli/describe.h"
#include "cli/files/journal-with-stops.h"
#include "cli/files/verb-export.h"
#include "cli/look/show.h"
#include "cli/look/journal-json.h"
#include "cli/look/verb-host.h"
#include "cli/output.h"
#include "replayer/view/sources.h"

#define IMAGE_BYTES (UINT64_C(64) << 10) /* of a file in one line */

const char *const wt_export_lines_types[WT_EXPORT_LINE_COUNT] = {
	[WT_EXPORT_TRACE] = "trace",
	[WT_EXPORT_HOST] = "host",
	[WT_EXPORT_ARCHITECTURE] = "architecture",
	[WT_EXPORT_SOURCE] = "source",
	[WT_EXPORT_STOP] = "stop",
	[WT_EXPORT_EVENT] = "event",
	[WT_EXPORT_AGENT] = "agent",
	[WT_EXPORT_QUEUE] = "queue",
	[WT_EXPORT_DISPATCH] = "dispatch",
	[WT_EXPORT_WORKGROUP] = "workgroup",
	[WT_EXPORT_CODE_OBJECT] = "code_object",
	[WT_EXPORT_IMAGE] = "image",
	[WT_EXPORT_WAVE] = "wave",
	[WT_EXPORT_REGISTERS] = "registers",
	[WT_EXPORT_MEMORY] = "memory",
	[WT_EXPORT_CALL] = "call",
	[WT_EXPORT_NOTICE] = "notice",
	[WT_EXPORT_END] = "end",
};

/* ---- What was said before ---- */

/* Whose bytes they are that a line has: those of a page, or of the registers of a wave. */
struct said_key {
	const char *space; /* of memory; "" for registers */
	uint64_t owner, address;
};

/* Bytes as a line has them. */
struct said_bytes {
	uint32_t stop; /* the line's; 0: there is no such line yet */
	const uint8_t *data;
	size_t size;
};

#define SPACE_LETTERS 16

/* The key as bytes without gaps, for the table. */
struct said_place {
	char space[SPACE_LETTERS];
	uint64_t owner, address;
};

struct said_entry {
	struct said_place place;
	uint32_t stop, seen; /* of the line; the last one at which it was looked for */
	uint8_t *data;
	size_t size;
	uint64_t hash; /* of the data */
	bool is_indexed;
	UT_hash_handle hh, by_bytes;
};

struct said {
	struct said_entry *places;
	struct said_entry *bytes; /* pages, each with other bytes than the others */
};

static void said_unindex(struct said *said, struct said_entry *entry)
{
	if (entry->is_indexed)
		HASH_DELETE(by_bytes, said->bytes, entry);
	entry->is_indexed = false;
}

/* Let a page be found by its bytes. One that has another's hash is not: its bytes are written again where they are met. */
static bool said_index(struct said *said, struct said_entry *entry)
{
	struct said_entry *other;

	if (!*entry->place.space)
		return true;
	entry->hash = XXH3_64bits(entry->data, entry->size);
	HASH_FIND(by_bytes, said->bytes, &entry->hash, sizeof(entry->hash), other);
	if (other)
		return true;
	HASH_ADD(by_bytes, said->bytes, hash, sizeof(entry->hash), entry);
	entry->is_indexed = entry->by_bytes.tbl;
	return entry->is_indexed;
}

static void said_remove(struct said *said, struct said_entry *entry)
{
	said_unindex(said, entry);
	HASH_DEL(said->places, entry);
	free(entry->data);
	free(entry);
}

static struct said_place said_place_of(const struct said_key *key)
{
	struct said_place place = {.owner = key->owner, .address = key->address};

	strncpy(place.space, key->space, sizeof(place.space) - 1);
	return place;
}

static struct said_entry *said_look_up(const struct said *said, const struct said_key *key)
{
	struct said_place place = said_place_of(key);
	struct said_entry *entry;

	/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the key has no gaps */
	HASH_FIND(hh, said->places, &place, sizeof(place), entry);
	return entry;
}

/**
 * Find the line that has the last bytes of this key, and note that the key is there at @stop.
 *
 * @bytes_ret: valid until said_note() or said_forget().
 */
static void said_find(const struct said *said, const struct said_key *key, uint32_t stop,
		      struct said_bytes *bytes_ret)
{
	struct said_entry *entry = said_look_up(said, key);

	*bytes_ret = (struct said_bytes){0};
	if (!entry)
		return;
	entry->seen = stop;
	*bytes_ret = (struct said_bytes){entry->stop, entry->data, entry->size};
}

/** Find the page whose last line has just these bytes; NULL if none has. It stays for as long as it is found at each stop. */
static const struct said_entry *said_find_bytes(const struct said *said,
						const struct said_bytes *bytes)
{
	const uint64_t hash = XXH3_64bits(bytes->data, bytes->size);
	struct said_entry *entry;

	HASH_FIND(by_bytes, said->bytes, &hash, sizeof(hash), entry);
	if (!entry || entry->size != bytes->size || memcmp(entry->data, bytes->data, bytes->size))
		return NULL;
	entry->seen = bytes->stop;
	return entry;
}

static struct said_entry *said_add(struct said *said, const struct said_key *key)
{
	struct said_entry *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return NULL;
	entry->place = said_place_of(key);
	HASH_ADD(hh, said->places, place, sizeof(entry->place), entry);
	if (entry->hh.tbl)
		return entry;
	free(entry);
	return NULL;
}

/** Note that a line has these bytes from now on; they are copied. */
static struct wt_error *said_note(struct said *said, const struct said_key *key,
				  const struct said_bytes *bytes)
{
	struct said_entry *entry = said_look_up(said, key);
	uint8_t *data = malloc(bytes->size ? bytes->size : 1);

	if (data && !entry)
		entry = said_add(said, key);
	if (!data || !entry) {
		free(data);
		return &wt_error_no_memory;
	}
	if (bytes->size)
		memcpy(data, bytes->data, bytes->size);
	said_unindex(said, entry);
	free(entry->data);
	entry->data = data;
	entry->size = bytes->size;
	entry->stop = entry->seen = bytes->stop;
	return said_index(said, entry) ? NULL : &wt_error_no_memory;
}

/** Forget what was not looked for at @stop, the last one: waves end, and memory goes. @stop: 0 for all. */
static void said_forget(struct said *said, uint32_t stop)
{
	struct said_entry *entry, *next;

	HASH_ITER(hh, said->places, entry, next)
	{
		if (entry->seen != stop)
			said_remove(said, entry);
	}
}

/* ---- Lines ---- */

struct lines {
	struct wt_export *export;
	struct wt_cli_journal_with_stops beside;
	struct wt_cli_calls_json calls;
	struct wt_losses losses;
	struct said said;
	uint64_t *images; /* code objects whose images have been written */
	size_t image_count;
};

static bool export_lines_want(const struct lines *lines, enum wt_export_line type)
{
	return lines->export->lines >> type & 1;
}

/** Write a line: the type, then what @json holds, which is released. @stop: 0 for none. */
static struct wt_error *export_lines_put(struct lines *lines, enum wt_export_line type,
					 uint32_t stop, json_t *json)
{
	FILE *stream = lines->export->output.stream;
	json_t *line = json_pack("{s:s}", "line", wt_export_lines_types[type]);
	bool failed;

	if (stop)
		json_object_set_new(line, "stop", json_integer(stop));
	failed = !json || json_object_update(line, json);
	json_decref(json);
	if (failed) {
		json_decref(line);
		return &wt_error_no_memory;
	}
	return wt_cli_json_line(stream, line) ? NULL : wt_cli_output_failed(&lines->export->output);
}

static json_t *export_lines_bytes_json(const struct lines *lines, const uint8_t *data, size_t size)
{
	return lines->export->base64 ? wt_cli_json_base64(data, size)
				     : wt_cli_json_bytes(data, size);
}

/* ---- The journal ---- */

static struct wt_error *export_lines_put_call(void *opaque, json_t *json)
{
	struct lines *lines = opaque;
	enum wt_export_line type =
		json_object_get(json, "notice") ? WT_EXPORT_NOTICE : WT_EXPORT_CALL;

	return export_lines_want(lines, type) ? export_lines_put(lines, type, 0, json_incref(json))
					      : NULL;
}

static struct wt_error *export_lines_take_record(void *opaque,
						 const struct wt_journal_record *record)
{
	struct lines *lines = opaque;
	struct wt_error *error = wt_cli_calls_json_take(&lines->calls, record);

	wt_losses_note(&lines->losses, record);
	return error;
}

/* ---- A stop ---- */

static struct wt_error *export_lines_put_events(struct lines *lines, uint32_t stop,
						const struct wt_view *view)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < wt_view_moment(view)->event_count && !error; i++)
		error = export_lines_put(lines, WT_EXPORT_EVENT, stop,
					 wt_describe_event_json(view, i));
	return error;
}

static struct wt_error *export_lines_put_objects(struct lines *lines, uint32_t stop,
						 struct wt_view *view)
{
	static const struct {
		enum wt_object object;
		enum wt_export_line type;
	} kinds[] = {
		{WT_OBJECT_AGENT, WT_EXPORT_AGENT},
		{WT_OBJECT_QUEUE, WT_EXPORT_QUEUE},
		{WT_OBJECT_DISPATCH, WT_EXPORT_DISPATCH},
		{WT_OBJECT_WORKGROUP, WT_EXPORT_WORKGROUP},
	};
	struct wt_error *error = NULL;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const uint64_t *handles;
		size_t count = wt_view_objects(view, kinds[i].object, &handles);

		for (size_t j = 0; j < count && export_lines_want(lines, kinds[i].type) && !error;
		     j++)
			error = export_lines_put(
				lines, kinds[i].type, stop,
				wt_describe_object_json(view, kinds[i].object, handles[j]));
	}
	return error;
}

/** Note that an image is written. @new_ret: false if it was before. */
static struct wt_error *export_lines_note_image(struct lines *lines, uint64_t code_object,
						bool *new_ret)
{
	uint64_t *images;

	*new_ret = false;
	for (size_t i = 0; i < lines->image_count; i++)
		if (lines->images[i] == code_object)
			return NULL;
	images = reallocarray(lines->images, lines->image_count + 1, sizeof(*images));
	if (!images)
		return &wt_error_no_memory;
	lines->images = images;
	images[lines->image_count++] = code_object;
	*new_ret = true;
	return NULL;
}

static struct wt_error *export_lines_put_image(struct lines *lines, uint32_t stop,
					       const struct wt_view *view, uint64_t code_object)
{
	const uint8_t *image;
	struct wt_error *error;
	size_t size, step;
	bool is_new;

	if (!export_lines_want(lines, WT_EXPORT_IMAGE) ||
	    !wt_view_image(view, code_object, &image, &size))
		return NULL;
	error = export_lines_note_image(lines, code_object, &is_new);
	for (size_t done = 0; is_new && !error && done < size; done += step) {
		step = size - done < IMAGE_BYTES ? size - done : IMAGE_BYTES;
		error = export_lines_put(
			lines, WT_EXPORT_IMAGE, stop,
			json_pack("{s:I, s:I, s:o}", "code_object", (json_int_t)code_object,
				  "offset", (json_int_t)done, "data",
				  export_lines_bytes_json(lines, image + done, step)));
	}
	return error;
}

static struct wt_error *export_lines_put_code_objects(struct lines *lines, uint32_t stop,
						      struct wt_view *view)
{
	const uint64_t *handles;
	size_t count = wt_view_objects(view, WT_OBJECT_CODE_OBJECT, &handles);
	struct wt_error *error = NULL;

	for (size_t i = 0; i < count && !error; i++) {
		struct wavetape_code_object code;

		wt_view_code_object(view, handles[i], &code);
		if (export_lines_want(lines, WT_EXPORT_CODE_OBJECT))
			error = export_lines_put(
				lines, WT_EXPORT_CODE_OBJECT, stop,
				wt_code_object_facts_json(&code, json_boolean(code.bytes)));
		if (!error)
			error = export_lines_put_image(lines, stop, view, handles[i]);
	}
	return error;
}

/* The registers of a wave as bytes: waves with the same registers have the same bytes in the same places. */
#define REGISTER_HEAD (sizeof(uint64_t) + sizeof(uint32_t))

static void registers_append(struct wt_buffer *buffer, const struct wt_view_register *reg)
{
	const uint8_t known = reg->value != NULL, nothing = 0;

	wt_buffer_append(buffer, &reg->id, sizeof(reg->id));
	wt_buffer_append(buffer, &reg->size, sizeof(reg->size));
	wt_buffer_append(buffer, &known, sizeof(known));
	for (uint32_t i = 0; !known && i < reg->size; i++)
		wt_buffer_append(buffer, &nothing, sizeof(nothing));
	if (known)
		wt_buffer_append(buffer, reg->value, reg->size);
}

static size_t register_bytes(const struct wt_view_register *reg)
{
	return REGISTER_HEAD + sizeof(uint8_t) + reg->size;
}

static void registers_append_all(struct wt_buffer *buffer, struct wt_view *view, uint64_t wave)
{
	struct wt_view_register reg;

	for (size_t i = 0; i < wt_view_register_count(view, wave); i++)
		if (wt_view_register_at(view, wave, i, &reg))
			registers_append(buffer, &reg);
}

/**
 * May registers be written as what differs from an earlier line? What is mostly another is written whole, so that later ones are compared
 * with that.
 */
static bool registers_are_near(struct wt_view *view, uint64_t wave, const struct wt_buffer *now,
			       const struct said_bytes *before)
{
	size_t at = 0, changed = 0, size;
	struct wt_view_register reg;

	if (!before->data || !now->data || before->size != now->size)
		return false;
	for (size_t i = 0; i < wt_view_register_count(view, wave); i++) {
		if (!wt_view_register_at(view, wave, i, &reg))
			continue;
		size = register_bytes(&reg);
		if (memcmp(now->data + at, before->data + at, REGISTER_HEAD))
			return false;
		if (memcmp(now->data + at, before->data + at, size))
			changed += size;
		at += size;
	}
	return 2 * changed < now->size;
}

/* @before: only what differs from these bytes, which have the same registers; NULL: all. */
static json_t *changed_registers_json(struct wt_view *view, uint64_t wave,
				      const struct wt_buffer *now, const uint8_t *before)
{
	json_t *array = json_array();
	struct wt_view_register reg;
	size_t at = 0;

	for (size_t i = 0; i < wt_view_register_count(view, wave); i++) {
		if (!wt_view_register_at(view, wave, i, &reg))
			continue;
		if (!before || !now->data ||
		    memcmp(now->data + at, before + at, register_bytes(&reg)))
			json_array_append_new(array, wt_describe_register_json(&reg));
		at += register_bytes(&reg);
	}
	return array;
}

static struct wt_error *export_lines_put_registers(struct lines *lines, uint32_t stop,
						   struct wt_view *view, uint64_t wave)
{
	const struct said_key key = {.space = "", .owner = wave};
	wt_cleanup_buffer struct wt_buffer now = {0};
	struct said_bytes before, said;
	struct wt_error *error;
	json_t *json;

	if (!wt_view_register_count(view, wave) || !export_lines_want(lines, WT_EXPORT_REGISTERS))
		return NULL;
	registers_append_all(&now, view, wave);
	if (now.failed)
		return &wt_error_no_memory;
	json = json_pack("{s:I}", "wave", (json_int_t)wave);
	said_find(&lines->said, &key, stop, &before);
	if (registers_are_near(view, wave, &now, &before)) {
		json_object_set_new(json, "same_as", json_integer(before.stop));
		json_object_set_new(json, "registers",
				    changed_registers_json(view, wave, &now, before.data));
		return export_lines_put(lines, WT_EXPORT_REGISTERS, stop, json);
	}
	json_object_set_new(json, "registers", changed_registers_json(view, wave, &now, NULL));
	said = (struct said_bytes){stop, now.data, now.size};
	error = said_note(&lines->said, &key, &said);
	if (!error)
		return export_lines_put(lines, WT_EXPORT_REGISTERS, stop, json);
	json_decref(json);
	return error;
}

static struct wt_error *export_lines_put_wave(struct lines *lines, uint32_t stop,
					      struct wt_view *view, struct wt_explainer *explainer,
					      uint64_t wave)
{
	struct wt_explain_wave explanation;
	struct wt_error *error;
	uint64_t dispatch;
	json_t *json;

	if (!export_lines_want(lines, WT_EXPORT_WAVE))
		return NULL;
	error = wt_explain_wave(explainer, wave, &explanation);
	if (error)
		return error;
	json = wt_describe_wave_json(&explanation);
	wt_explain_wave_deinit(&explanation);
	if (wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, &dispatch))
		json_object_set_new(json, "dispatch", json_integer((json_int_t)dispatch));
	return export_lines_put(lines, WT_EXPORT_WAVE, stop, json);
}

static struct wt_error *export_lines_put_waves(struct lines *lines, uint32_t stop,
					       struct wt_view *view)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	struct wt_explainer *explainer = NULL;
	struct wt_error *error = wt_explainer_create(view, &explainer);

	for (size_t i = 0; i < count && !error; i++) {
		error = export_lines_put_wave(lines, stop, view, explainer, waves[i]);
		if (!error)
			error = export_lines_put_registers(lines, stop, view, waves[i]);
	}
	wt_explainer_destroy(explainer);
	return error;
}

/* Memory without a gap that earlier lines have: those of one stop, or the line of one other page. */
struct same_memory {
	uint64_t from, size; /* 0 bytes: there is none */
	uint32_t stop;
	const struct said_entry *page; /* each page is as this one; NULL: as it was itself */
};

static json_t *page_json(const char *space, uint64_t owner, uint64_t address)
{
	return json_pack("{s:s, s:I, s:o}", "space", space, "owner", (json_int_t)owner, "address",
			 wt_cli_json_hex(address));
}

static json_t *pages_json(const struct said_key *key, uint64_t address, uint64_t size)
{
	json_t *json = page_json(key->space, key->owner, address);

	json_object_set_new(json, "recorded_bytes", json_integer((json_int_t)size));
	return json;
}

static void same_memory_name(const struct same_memory *same, json_t *json)
{
	json_t *page;

	if (!same->page) {
		json_object_set_new(json, "same_as", json_integer(same->stop));
		return;
	}
	page = page_json(same->page->place.space, same->page->place.owner,
			 same->page->place.address);
	json_object_set_new(page, "stop", json_integer(same->stop));
	json_object_set_new(json, "same_page", page);
}

static struct wt_error *memory_put_same(struct lines *lines, uint32_t stop,
					const struct said_key *key, struct same_memory *same)
{
	json_t *json;

	if (!same->size)
		return NULL;
	json = pages_json(key, same->from, same->size);
	same_memory_name(same, json);
	*same = (struct same_memory){0};
	return export_lines_put(lines, WT_EXPORT_MEMORY, stop, json);
}

/* Find the lines that have bytes of a page already. @same_ret: of that page alone; no bytes if it has to be written. */
static void memory_find_same(const struct said *said, const struct said_key *key,
			     const struct said_bytes *now, struct same_memory *same_ret)
{
	struct said_bytes before;

	*same_ret = (struct same_memory){.from = key->address};
	said_find(said, key, now->stop, &before);
	if (before.stop && before.size == now->size && !memcmp(before.data, now->data, now->size)) {
		same_ret->stop = before.stop;
		same_ret->size = now->size;
		return;
	}
	same_ret->page = said_find_bytes(said, now);
	if (same_ret->page) {
		same_ret->stop = same_ret->page->stop;
		same_ret->size = now->size;
	}
}

/* Write bytes of a page, or leave them to a line for all that earlier lines have. */
static struct wt_error *memory_put_page(struct lines *lines, const struct said_key *key,
					const struct said_bytes *now, struct same_memory *same)
{
	struct same_memory found;
	struct wt_error *error;
	json_t *json;

	memory_find_same(&lines->said, key, now, &found);
	if (found.size && same->size && same->stop == found.stop && same->page == found.page &&
	    same->from + same->size == key->address) {
		same->size += found.size;
		return NULL;
	}
	error = memory_put_same(lines, now->stop, key, same);
	if (error)
		return error;
	*same = found;
	if (found.size)
		return NULL;
	error = said_note(&lines->said, key, now);
	if (error)
		return error;
	json = pages_json(key, key->address, now->size);
	json_object_set_new(json, "data", export_lines_bytes_json(lines, now->data, now->size));
	return export_lines_put(lines, WT_EXPORT_MEMORY, now->stop, json);
}

static struct wt_error *export_lines_put_pages(struct lines *lines, uint32_t stop,
					       const struct wt_view *view, const char *space,
					       uint64_t owner)
{
	struct said_key key = {.space = space, .owner = owner};
	uint64_t from, to = 0;
	struct same_memory same = {0};
	struct wt_error *error = NULL;

	while (!error && wt_view_memory_next(view, space, owner, to, &from, &to)) {
		/* A run begins with a page. One up to the end of the address space ends at 0. */
		for (key.address = from; !error && key.address - from < to - from;
		     key.address += WT_PAGE) {
			struct said_bytes now = {.stop = stop};

			now.data = wt_view_page(view, space, owner, key.address, &now.size);
			if (now.data)
				error = memory_put_page(lines, &key, &now, &same);
		}
		if (!to)
			break;
	}
	return error ? error : memory_put_same(lines, stop, &key, &same);
}

static struct wt_error *export_lines_put_memory(struct lines *lines, uint32_t stop,
						const struct wt_view *view)
{
	const uint64_t *handles;
	size_t count = wt_view_objects(view, WT_OBJECT_WORKGROUP, &handles);
	struct wt_error *error;

	if (!export_lines_want(lines, WT_EXPORT_MEMORY))
		return NULL;
	error = export_lines_put_pages(lines, stop, view, "global", wt_view_moment(view)->process);
	for (size_t i = 0; i < count && !error; i++)
		error = export_lines_put_pages(lines, stop, view, "local", handles[i]);
	count = wt_view_objects(view, WT_OBJECT_WAVE, &handles);
	for (size_t i = 0; i < count && !error; i++)
		error = export_lines_put_pages(lines, stop, view, "private_wave", handles[i]);
	return error;
}

static struct wt_error *export_lines_put_state(struct lines *lines, uint32_t stop,
					       struct wt_view *view)
{
	struct wt_error *error = NULL;

	if (export_lines_want(lines, WT_EXPORT_EVENT))
		error = export_lines_put_events(lines, stop, view);
	if (!error)
		error = export_lines_put_objects(lines, stop, view);
	if (!error)
		error = export_lines_put_code_objects(lines, stop, view);
	if (!error)
		error = export_lines_put_waves(lines, stop, view);
	return error ? error : export_lines_put_memory(lines, stop, view);
}

static struct wt_error *export_lines_put_summary(struct lines *lines, uint32_t stop,
						 uint32_t moment, struct wt_view *view)
{
	struct wt_stop_summary summary;
	struct wt_error *error;

	if (!export_lines_want(lines, WT_EXPORT_STOP))
		return NULL;
	error = wt_stop_summary_make(lines->export->trace.reader, moment, view, &summary);
	if (error)
		return error;
	summary.number = stop;
	error = export_lines_put(lines, WT_EXPORT_STOP, 0, wt_describe_stop_json(&summary, true));
	wt_stop_summary_deinit(&summary);
	return error;
}

/* @view: NULL if its state is lost. */
static struct wt_error *export_lines_put_stop(struct lines *lines, uint32_t stop, uint32_t moment,
					      struct wt_view *view)
{
	struct wt_error *error = export_lines_put_summary(lines, stop, moment, view);

	if (!error && view)
		error = export_lines_put_state(lines, stop, view);
	said_forget(&lines->said, stop);
	wt_progress_update(&lines->export->trace.progress, "stop %u", stop);
	return error;
}

/* ---- All of them ---- */

static struct wt_error *export_lines_put_all_stops(struct lines *lines)
{
	struct wt_cli_trace *trace = &lines->export->trace;
	struct wt_error *error;
	bool found;

	for (;;) {
		struct wt_view *view = NULL;
		uint32_t moment;

		error = wt_cli_journal_with_stops_next(&lines->beside, &trace->stops, &found);
		if (error || !found)
			return error;
		moment = trace->stops.moments[trace->stops.count - 1];
		error = wt_view_open(trace->reader, moment, &view);
		if (!error || wt_error_is_loss(error))
			error = export_lines_put_stop(lines, trace->stops.count, moment, view);
		wt_view_close(view);
		if (error)
			return error;
	}
}

/* One line for each architecture that the trace describes. */
static struct wt_error *export_lines_put_architectures(struct lines *lines)
{
	struct wt_view *view = NULL;
	const uint64_t *handles;
	struct wt_error *error;
	size_t count;

	if (!export_lines_want(lines, WT_EXPORT_ARCHITECTURE))
		return NULL;
	error = wt_view_open(lines->export->trace.reader, WT_VIEW_FACTS, &view);
	if (error)
		return wt_error_is_loss(error) ? NULL : error;
	count = wt_view_objects(view, WT_OBJECT_ARCHITECTURE, &handles);
	for (size_t i = 0; i < count && !error; i++)
		error = export_lines_put(
			lines, WT_EXPORT_ARCHITECTURE, 0,
			wt_describe_object_json(view, WT_OBJECT_ARCHITECTURE, handles[i]));
	wt_view_close(view);
	return error;
}

static struct wt_error *export_lines_put_source(struct lines *lines,
						const struct wt_source_file *file)
{
	struct wt_error *error = NULL;
	size_t done = 0, step;

	/* One line also of an empty file. */
	do {
		step = file->size - done < IMAGE_BYTES ? file->size - done : IMAGE_BYTES;
		error = export_lines_put(
			lines, WT_EXPORT_SOURCE, 0,
			json_pack("{s:o, s:I, s:o}", "file", wt_cli_json_text(file->name), "offset",
				  (json_int_t)done, "data",
				  export_lines_bytes_json(lines, file->data + done, step)));
		done += step;
	} while (!error && done < file->size);
	return error;
}

static struct wt_error *export_lines_put_sources(struct lines *lines)
{
	struct wt_sources *sources;
	struct wt_error *error;

	if (!export_lines_want(lines, WT_EXPORT_SOURCE))
		return NULL;
	error = wt_sources_create(lines->export->trace.reader, NULL, &sources);
	if (error)
		return wt_error_is_loss(error) ? NULL : error;
	for (size_t i = 0; !error && i < wt_sources_count(sources); i++)
		error = export_lines_put_source(lines, wt_sources_at(sources, i));
	wt_sources_destroy(sources);
	return error;
}

static struct wt_error *export_lines_put_trace(struct lines *lines,
					       const struct wt_trace_info *info)
{
	json_t *json = json_pack("{s:i}", "format", WT_CLI_JSON_FORMAT);
	json_t *head = wt_info_head_json(lines->export->trace.path, info, NULL, NULL);

	json_object_update(json, head);
	json_decref(head);
	return export_lines_put(lines, WT_EXPORT_TRACE, 0, json);
}

static struct wt_error *export_lines_put_head(struct lines *lines)
{
	struct wt_export *export = lines->export;
	struct wt_trace_info info;
	struct wt_host *host = NULL;
	struct wt_error *error = NULL;

	wt_reader_info(export->trace.reader, &info);
	if (export_lines_want(lines, WT_EXPORT_TRACE))
		error = export_lines_put_trace(lines, &info);
	if (!error && export_lines_want(lines, WT_EXPORT_HOST))
		error = wt_reader_host(export->trace.reader, &host);
	if (!error && host)
		error = export_lines_put(lines, WT_EXPORT_HOST, 0, wt_host_json(host));
	wt_host_destroy(host);
	if (!error)
		error = export_lines_put_architectures(lines);
	return error ? error : export_lines_put_sources(lines);
}

/* Write what is known only when all was read. */
static struct wt_error *export_lines_put_end(struct lines *lines)
{
	const struct wt_cli_trace *trace = &lines->export->trace;
	struct wt_missing unknown;

	if (!export_lines_want(lines, WT_EXPORT_END))
		return NULL;
	wt_missing_find(trace->reader, &lines->losses, &unknown);
	return export_lines_put(lines, WT_EXPORT_END, 0,
				json_pack("{s:b, s:o, s:I}", "complete", unknown.complete,
					  "not_known", wt_describe_missing_json(&unknown), "stops",
					  (json_int_t)trace->stops.count));
}

static struct wt_error *export_lines_put_all(struct lines *lines)
{
	struct wt_cli_trace *trace = &lines->export->trace;
	struct wt_error *error = export_lines_put_head(lines);

	if (!error)
		error = wt_cli_journal_with_stops_begin(&lines->beside, &trace->stops);
	if (!error)
		error = export_lines_put_all_stops(lines);
	if (!error)
		error = wt_cli_journal_with_stops_end(&lines->beside, &trace->stops);
	if (!error)
		error = wt_cli_calls_json_end(&lines->calls);
	return error ? error : export_lines_put_end(lines);
}

/* Nothing is written of a stop that is not there. */
static struct wt_error *export_lines_put_one_stop(struct lines *lines)
{
	struct wt_view *view = NULL;
	uint32_t stop;
	struct wt_error *error = wt_cli_trace_view(&lines->export->trace, &view, &stop);

	if (!error)
		error = export_lines_put_head(lines);
	if (!error)
		error = export_lines_put_stop(lines, stop, wt_view_moment(view)->number, view);
	wt_view_close(view);
	return error;
}

struct wt_error *wt_export_lines(struct wt_export *export)
{
	struct lines lines = {
		.export = export,
		.calls = {.reader = export->trace.reader,
			  .filter = {.to = UINT64_MAX},
			  .put = export_lines_put_call,
			  .opaque = &lines},
	};
	struct wt_error *error;

	lines.beside = (struct wt_cli_journal_with_stops){.take = export_lines_take_record,
							  .opaque = &lines};
	error = export->trace.has_stop ? export_lines_put_one_stop(&lines)
				       : export_lines_put_all(&lines);
	wt_cli_journal_with_stops_deinit(&lines.beside);
	wt_cli_calls_json_deinit(&lines.calls);
	said_forget(&lines.said, 0);
	free(lines.images);
	return error;
}
