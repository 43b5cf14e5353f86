/* SPDX-License-Identifier: MIT */
#include "dbgapi/table/api.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool wt_shape_is_output(enum wt_shape shape)
{
	switch (shape) {
	case WT_SHAPE_VALUE:
	case WT_SHAPE_OPAQUE:
	case WT_SHAPE_IN_BYTES:
	case WT_SHAPE_SYMBOLIZER:
	case WT_SHAPE_CALLBACKS:
		return false;
	case WT_SHAPE_OUT:
	case WT_SHAPE_INOUT:
	case WT_SHAPE_OUT_BYTES:
	case WT_SHAPE_OUT_ARRAY:
	case WT_SHAPE_OUT_MEMORY:
	case WT_SHAPE_OUT_STRING:
	case WT_SHAPE_OUT_STATIC_STRING:
	case WT_SHAPE_OUT_QUERY:
	case WT_SHAPE_OUT_INFORMATION:
		return true;
	}
	return false;
}

const struct wt_query *wt_query_search(const struct wt_object_info *info, uint32_t value)
{
	for (size_t i = 0; i < info->query_count; i++)
		if (info->queries[i].value == value)
			return &info->queries[i];
	return NULL;
}

bool wt_api_has_query(const struct wt_api *api, enum wt_object object, const struct wt_query *query)
{
	uint16_t found_at = api->found_at[wt_objects[object].get_info];

	return !found_at || query->since <= found_at;
}

enum wt_function wt_function_find(const char *name)
{
	for (int i = 0; i < WT_FUNCTION_COUNT; i++)
		if (!strcmp(wt_functions[i].name, name))
			return (enum wt_function)i;
	return WT_FUNCTION_COUNT;
}

const char *wt_enumerator_name(const struct wt_enumeration *enumeration, int64_t value)
{
	for (size_t i = 0; i < enumeration->count; i++)
		if (enumeration->values[i].value == value)
			return enumeration->values[i].name;
	return NULL;
}

const struct wt_enumeration *wt_enumeration_find(const char *name)
{
	for (size_t i = 0; i < wt_enumeration_count; i++)
		if (!strcmp(wt_enumerations[i].name, name))
			return &wt_enumerations[i];
	return NULL;
}

const char *wt_enumeration_flags(const char *enumeration, uint64_t value, const char *prefix,
				 char *buffer, size_t size)
{
	const struct wt_enumeration *flags = wt_enumeration_find(enumeration);
	size_t used = 0;

	buffer[0] = '\0';
	for (size_t i = 0; flags && i < flags->count; i++) {
		uint64_t flag = (uint64_t)flags->values[i].value;
		const char *name = flags->values[i].name;
		int length;

		if (flag ? !(value & flag) : value != 0)
			continue;
		if (!strncmp(name, prefix, strlen(prefix)))
			name += strlen(prefix);
		length = snprintf(buffer + used, size - used, "%s%s", used ? "|" : "", name);
		if (length < 0 || (size_t)length >= size - used)
			break;
		used += (size_t)length;
		value &= ~flag;
	}
	if (value)
		snprintf(buffer + used, size - used, "%s0x%" PRIx64, used ? "|" : "", value);
	return buffer;
}

const char *wt_status_name(int64_t status)
{
	const struct wt_enumeration *statuses = wt_enumeration_find("amd_dbgapi_status_t");
	const char *name = statuses ? wt_enumerator_name(statuses, status) : NULL;

	return name ? name + strlen("AMD_DBGAPI_STATUS_") : "unknown status";
}
