/* SPDX-License-Identifier: MIT */
/*
 * Read JSON strictly: each value must have the expected type, unknown fields of objects are errors, and an error says
 * where in the document it is ("dispatches[0].arguments[2].u32").
 */
#ifndef WT_DEVICE_WORKLOAD_JSON_H
#define WT_DEVICE_WORKLOAD_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The place of a value in the document: a linked list on the stack, from the value outwards. */
struct wt_place {
	const struct wt_place *parent;
	const char *field; /* of the object `parent`; NULL for an element of an array */
	size_t index;	   /* of that element */
};

static inline struct wt_place wt_place_field(const struct wt_place *parent, const char *field)
{
	return (struct wt_place){.parent = parent, .field = field};
}

static inline struct wt_place wt_place_element(const struct wt_place *parent, size_t index)
{
	return (struct wt_place){.parent = parent, .index = index};
}

/** Make an error. @place: NULL for the whole document. Return: never NULL. */
__attribute__((format(printf, 3, 4), returns_nonnull)) struct wt_error *
wt_place_error(enum wt_error_code code, const struct wt_place *place, const char *why_format, ...);

/** wt_error_prefix() with a place of the document. */
struct wt_error *wt_place_prefix(struct wt_error *error, const struct wt_place *place);

/** Check that @value is an object with no fields other than @names, which ends with NULL. */
struct wt_error *wt_json_check_object(const struct wt_place *place, json_t *value,
				      const char *const *names);

/** Check that @value is an array of @minimum to @maximum elements. */
struct wt_error *wt_json_check_array(const struct wt_place *place, json_t *value, size_t minimum,
				     size_t maximum);

/** Get a field, which must exist. @value_ret is owned by @object. */
struct wt_error *wt_json_field(const struct wt_place *place, json_t *object, const char *name,
			       json_t **value_ret);

/** Get a whole number from @minimum to @maximum. */
struct wt_error *wt_json_integer(const struct wt_place *place, json_t *value, int64_t minimum,
				 int64_t maximum, int64_t *number_ret);

/** Get a string that is not empty; it is owned by @value. */
struct wt_error *wt_json_string(const struct wt_place *place, json_t *value, const char **text_ret);

/**
 * Get the optional field @name, the index of one of @count objects, from 0.
 *
 * @present_ret: whether the field exists.
 * @index_ret: not written if it does not exist.
 */
struct wt_error *wt_json_index(const struct wt_place *parent, json_t *object, const char *name,
			       size_t count, bool *present_ret, size_t *index_ret);

/**
 * Zeroed memory for the @count elements of an array or object, @size bytes each. Never NULL, even for
 * none, so that NULL always means that there is no memory.
 *
 * @array_ret: a pointer to the array's pointer.
 */
struct wt_error *wt_json_allocate(size_t count, size_t size, void *array_ret);

/** The type of a value in words: "a string", "an object". */
const char *wt_json_kind(const json_t *value);

#endif /* WT_DEVICE_WORKLOAD_JSON_H */
