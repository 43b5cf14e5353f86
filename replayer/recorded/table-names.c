/* SPDX-License-Identifier: MIT */
#include "replayer/recorded/table-names.h"

#include <stdlib.h>
#include <string.h>

static const char *const space_names[WT_NAMES_SPACES] = {
	[GFX_SPACE_GLOBAL] = "global",
	[GFX_SPACE_GENERIC] = "generic",
	[GFX_SPACE_PRIVATE_WAVE] = "private_wave",
	[GFX_SPACE_PRIVATE_LANE] = "private_lane",
	[GFX_SPACE_LOCAL] = "local",
};

static bool init_queries(struct wt_table_names *names, const struct wt_reader *reader,
			 enum wt_object object)
{
	const struct wt_object_info *info = &wt_objects[object];

	names->queries[object] = calloc(info->query_count + 1, sizeof(**names->queries));
	if (!names->queries[object])
		return false;
	for (size_t i = 0; i < info->query_count; i++)
		names->queries[object][i] = wt_reader_name_number(reader, info->queries[i].name);
	return true;
}

struct wt_error *wt_table_names_init(struct wt_table_names *names, const struct wt_reader *reader)
{
	memset(names, 0, sizeof(*names));
	for (int i = 0; i < WT_OBJECT_COUNT; i++) {
		names->objects[i] = wt_reader_name_number(reader, wt_objects[i].name);
		if (!init_queries(names, reader, (enum wt_object)i)) {
			wt_table_names_deinit(names);
			return &wt_error_no_memory;
		}
	}
	for (int i = 0; i < WT_FUNCTION_COUNT; i++)
		names->functions[i] = wt_reader_name_number(reader, wt_functions[i].name);
	for (int i = 0; i < WT_NAMES_SPACES; i++)
		names->spaces[i] = wt_reader_name_number(reader, space_names[i]);
	return NULL;
}

void wt_table_names_deinit(struct wt_table_names *names)
{
	for (int i = 0; i < WT_OBJECT_COUNT; i++)
		free(names->queries[i]);
	memset(names, 0, sizeof(*names));
}

uint32_t wt_table_names_query(const struct wt_table_names *names, enum wt_object object,
			      const struct wt_query *query)
{
	return names->queries[object][query - wt_objects[object].queries];
}

const char *wt_table_names_space_name(enum gfx_space space)
{
	return space_names[space];
}

bool wt_table_names_space(const char *name, enum gfx_space *space_ret)
{
	for (int i = 0; i < WT_NAMES_SPACES; i++) {
		if (!strcmp(space_names[i], name)) {
			*space_ret = (enum gfx_space)i;
			return true;
		}
	}
	return false;
}
