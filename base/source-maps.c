/* SPDX-License-Identifier: MIT */
#include "base/source-maps.h"

#include <string.h>

bool wt_source_maps_add(struct wt_source_maps *maps, const char *text)
{
	const char *equal = strchr(text, '=');

	if (!equal || !equal[1] || maps->count == WT_SOURCE_MAPS)
		return false;
	maps->list[maps->count++] = (struct wt_source_map){text, (size_t)(equal - text), equal + 1};
	return true;
}
