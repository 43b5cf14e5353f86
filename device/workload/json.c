/* SPDX-License-Identifier: MIT */
#include "device/workload/json.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/text.h"

static void json_place_append(struct wt_buffer *buffer, const struct wt_place *place)
{
	if (!place)
		return;
	json_place_append(buffer, place->parent);
	if (place->field) {
		if (buffer->size)
			wt_buffer_append_text(buffer, ".");
		wt_buffer_append_text(buffer, place->field);
	} else {
		wt_buffer_append_format(buffer, "[%zu]", place->index);
	}
}

struct wt_error *wt_place_error(enum wt_error_code code, const struct wt_place *place,
				const char *why_format, ...)
{
	wt_cleanup_buffer struct wt_buffer where = {0};
	wt_cleanup_free char *why = NULL;
	va_list arguments;

	va_start(arguments, why_format);
	why = wt_text_list(why_format, arguments);
	va_end(arguments);
	json_place_append(&where, place);
	wt_buffer_append(&where, "", 1);
	if (!why || where.failed)
		return &wt_error_no_memory;
	return wt_error_create(code, "cannot load the workload", (const char *)where.data, "%s",
			       why);
}

struct wt_error *wt_place_prefix(struct wt_error *error, const struct wt_place *place)
{
	wt_cleanup_buffer struct wt_buffer where = {0};

	json_place_append(&where, place);
	wt_buffer_append(&where, "", 1);
	return where.failed ? error : wt_error_prefix(error, (const char *)where.data);
}

const char *wt_json_kind(const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		return "an array";
	case JSON_STRING:
		return "a string";
	case JSON_INTEGER:
		return "a whole number";
	case JSON_REAL:
		return "a number with a fraction";
	case JSON_TRUE:
	case JSON_FALSE:
		return "true or false";
	case JSON_NULL:
	default:
		return "null";
	}
}

/* "a, b and c" of the names in the list. */
static void append_names(struct wt_buffer *buffer, const char *const *names)
{
	for (size_t i = 0; names[i]; i++) {
		if (i)
			wt_buffer_append_text(buffer, names[i + 1] ? ", " : " and ");
		wt_buffer_append_text(buffer, names[i]);
	}
	wt_buffer_append(buffer, "", 1);
}

struct wt_error *wt_json_check_object(const struct wt_place *place, json_t *value,
				      const char *const *names)
{
	wt_cleanup_buffer struct wt_buffer known = {0};
	const char *key;
	json_t *unused;

	if (!json_is_object(value))
		return wt_place_error(WT_ERROR_INPUT, place, "expected an object, found %s",
				      wt_json_kind(value));
	json_object_foreach(value, key, unused)
	{
		const struct wt_place field = wt_place_field(place, key);
		size_t i = 0;

		while (names[i] && strcmp(names[i], key) != 0)
			i++;
		if (names[i])
			continue;
		append_names(&known, names);
		if (known.failed)
			return &wt_error_no_memory;
		return wt_place_error(WT_ERROR_INPUT, &field, "unknown field; known here: %s",
				      (const char *)known.data);
	}
	return NULL;
}

struct wt_error *wt_json_check_array(const struct wt_place *place, json_t *value, size_t minimum,
				     size_t maximum)
{
	size_t count = json_array_size(value);

	if (!json_is_array(value))
		return wt_place_error(WT_ERROR_INPUT, place, "expected an array, found %s",
				      wt_json_kind(value));
	if (count >= minimum && count <= maximum)
		return NULL;
	if (minimum == maximum)
		return wt_place_error(WT_ERROR_INPUT, place, "expected %zu elements, found %zu",
				      minimum, count);
	return wt_place_error(count > maximum ? WT_ERROR_LIMIT : WT_ERROR_INPUT, place,
			      "expected %zu to %zu elements, found %zu", minimum, maximum, count);
}

struct wt_error *wt_json_field(const struct wt_place *place, json_t *object, const char *name,
			       json_t **value_ret)
{
	const struct wt_place field = wt_place_field(place, name);
	json_t *value = json_object_get(object, name);

	if (!value)
		return wt_place_error(WT_ERROR_INPUT, &field, "this field is required");
	*value_ret = value;
	return NULL;
}

struct wt_error *wt_json_integer(const struct wt_place *place, json_t *value, int64_t minimum,
				 int64_t maximum, int64_t *number_ret)
{
	json_int_t number = json_integer_value(value);

	if (!json_is_integer(value))
		return wt_place_error(WT_ERROR_INPUT, place, "expected a whole number, found %s",
				      wt_json_kind(value));
	if (number < minimum || number > maximum)
		return wt_place_error(WT_ERROR_INPUT, place,
				      "%lld is out of range; expected %lld to %lld",
				      (long long)number, (long long)minimum, (long long)maximum);
	*number_ret = number;
	return NULL;
}

struct wt_error *wt_json_string(const struct wt_place *place, json_t *value, const char **text_ret)
{
	if (!json_is_string(value))
		return wt_place_error(WT_ERROR_INPUT, place, "expected a string, found %s",
				      wt_json_kind(value));
	if (!json_string_length(value))
		return wt_place_error(WT_ERROR_INPUT, place, "this may not be empty");
	*text_ret = json_string_value(value);
	return NULL;
}

struct wt_error *wt_json_index(const struct wt_place *parent, json_t *object, const char *name,
			       size_t count, bool *present_ret, size_t *index_ret)
{
	const struct wt_place place = wt_place_field(parent, name);
	json_t *value = json_object_get(object, name);
	struct wt_error *error;
	int64_t number;

	*present_ret = value != NULL;
	if (!value)
		return NULL;
	error = wt_json_integer(&place, value, 0, (int64_t)count - 1, &number);
	if (!error)
		*index_ret = (size_t)number;
	return error;
}

struct wt_error *wt_json_allocate(size_t count, size_t size, void *array_ret)
{
	void *array = calloc(count ? count : 1, size);

	if (!array)
		return &wt_error_no_memory;
	memcpy(array_ret, &array, sizeof(array));
	return NULL;
}
