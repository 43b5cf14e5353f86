/* SPDX-License-Identifier: MIT */
/*
 * The API as data: the functions, queries, enumerators and callbacks of dbgapi/table/api.toml. The arrays are generated.
 * Code that treats all calls alike uses them.
 *
 * The room `table` has the two tables, and loads implementations of the API. It must not know what a call does.
 */
#ifndef WT_DBGAPI_TABLE_API_H
#define WT_DBGAPI_TABLE_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <amd-dbgapi/amd-dbgapi.h>

#include "base/error.h"
#include "dbgapi/table/api-functions.h"

struct wt_enumerator {
	const char *name;
	int64_t value;
};

struct wt_enumeration {
	const char *name; /* of the C type */
	const struct wt_enumerator *values;
	size_t count;
};

/* How a parameter is passed. The head of api.toml explains each. */
enum wt_shape {
	WT_SHAPE_VALUE,
	WT_SHAPE_OPAQUE,
	WT_SHAPE_OUT,
	WT_SHAPE_INOUT,
	WT_SHAPE_IN_BYTES,
	WT_SHAPE_OUT_BYTES,
	WT_SHAPE_OUT_ARRAY,
	WT_SHAPE_OUT_MEMORY,
	WT_SHAPE_OUT_STRING,
	WT_SHAPE_OUT_STATIC_STRING,
	WT_SHAPE_OUT_QUERY,
	WT_SHAPE_OUT_INFORMATION,
	WT_SHAPE_SYMBOLIZER,
	WT_SHAPE_CALLBACKS,
};

struct wt_parameter {
	const char *name, *type;
	enum wt_shape shape;
	size_t size; /* bytes of the value, of the object that is pointed to, or of one element */
	const struct wt_enumeration *enumeration; /* NULL if its type is not an enumeration */
	bool is_handle, is_signed, optional;
	int length_index, count_index,
		query_index; /* indices of parameters that belong to it, or -1 */
};

/** Whether the library writes a parameter of this shape. */
bool wt_shape_is_output(enum wt_shape shape);

enum wt_returns { WT_RETURNS_STATUS, WT_RETURNS_NOTHING, WT_RETURNS_STRING };

struct wt_function_info {
	const char *name; /* as in traces */
	enum wt_returns returns;
	enum wt_object object; /* of its query or list; WT_OBJECT_COUNT for other functions */
	uint32_t callbacks;    /* that it may make: bits 1 << enum wt_callback_kind */
	const struct wt_parameter *parameters;
	size_t parameter_count;
	bool acts; /* where it succeeds, other calls answer otherwise after it */
};

/* The kinds of results of get_info queries. */
enum wt_result {
	WT_RESULT_FIXED,
	WT_RESULT_STRING,
	WT_RESULT_BYTES,
	WT_RESULT_HANDLES,
	WT_RESULT_CORE_STATE,
};

struct wt_query {
	const char *name, *type;
	uint32_t value;
	enum wt_result result;
	size_t size;	 /* of the client's buffer, in bytes */
	bool stopped;	 /* the wave must be stopped */
	bool identity;	 /* the result differs from run to run: an id of the system */
	bool is_pointer; /* the result is a pointer of the client's, whose size it has */
	bool plain;	 /* the result is of a fixed size, and neither of these two */
	bool is_handle;
	const struct wt_enumeration *enumeration;
	uint32_t length_of; /* for WT_RESULT_BYTES: the query that gives the length */
	uint16_t since; /* minor number of the symbol version its get_info moved to for it; or 0 */
};

struct wt_object_info {
	const char *name, *handle_type;
	enum wt_function get_info, list; /* `list` is WT_FUNCTION_COUNT if there is none */
	amd_dbgapi_status_t invalid;	 /* status for an invalid handle */
	const struct wt_query *queries;
	size_t query_count;
};

extern const struct wt_function_info wt_functions[WT_FUNCTION_COUNT];
extern const struct wt_object_info wt_objects[WT_OBJECT_COUNT];
extern const struct wt_enumeration wt_enumerations[];
extern const size_t wt_enumeration_count;
extern const size_t wt_api_offsets[WT_FUNCTION_COUNT];
extern const char *const wt_callback_names[WT_CALLBACK_COUNT];

/* Does what wt_query_find() does, for any number. */
const struct wt_query *wt_query_search(const struct wt_object_info *info, uint32_t value);

/** A query by its number; NULL if there is none. */
static inline const struct wt_query *wt_query_find(enum wt_object object, uint32_t value)
{
	const struct wt_object_info *info = &wt_objects[object];
	const size_t likely = value - info->queries[0].value;

	/* Most are numbered in their order. */
	if (__builtin_expect(likely < info->query_count && info->queries[likely].value == value, 1))
		return &info->queries[likely];
	return wt_query_search(info, value);
}

/** Whether an implementation has a query, by the symbol version of its get_info. */
bool wt_api_has_query(const struct wt_api *api, enum wt_object object,
		      const struct wt_query *query);

/** A function by its name; WT_FUNCTION_COUNT if there is none. */
enum wt_function wt_function_find(const char *name);

/** The name of the enumerator with a value; NULL if there is none, as for combined flags. */
const char *wt_enumerator_name(const struct wt_enumeration *enumeration, int64_t value);

/** An enumeration by the name of its C type; NULL if there is none. */
const struct wt_enumeration *wt_enumeration_find(const char *name);

/**
 * The names of the bits that are set: "MEMORY_VIOLATION|SINGLE_STEP"; "NONE" for 0.
 *
 * @enumeration: as the API names it: "amd_dbgapi_wave_stop_reasons_t".
 * @prefix: left out of each name.
 * Return: @buffer.
 */
const char *wt_enumeration_flags(const char *enumeration, uint64_t value, const char *prefix,
				 char *buffer, size_t size);

/** The name of a status without the prefix of all: "SUCCESS", "ERROR_INVALID_WAVE_ID". */
const char *wt_status_name(int64_t status);

/**
 * Load an implementation of the API from a shared library of any level. Calls and answers are those of today's level; of two
 * libraries of a level whose calls have to be converted one can be loaded.
 *
 * @path: of the library, which is loaded with RTLD_LOCAL | RTLD_NOW and never unloaded.
 * @api_ret: all functions, each non-NULL: one that the library does not have answers NOT_IMPLEMENTED.
 */
struct wt_error *wt_api_load(const char *path, struct wt_api *api_ret);

/**
 * The same, with the symbols that a client of an older level asks for, as far as the library has them.
 *
 * @level: as a minor number: no newer symbol version is taken.
 */
struct wt_error *wt_api_load_at(const char *path, unsigned int level, struct wt_api *api_ret);

#endif /* WT_DBGAPI_TABLE_API_H */
