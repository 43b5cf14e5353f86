/* SPDX-License-Identifier: MIT */
#include "device/save-area/layout.h"

#include <string.h>

#define GFX9_STATE .vectors = {0, 6}, .scalars = {6, 3}, .local = {9, 9}
#define GFX90A_STATE                                                                               \
	.vectors = {0, 6}, .scalars = {6, 3}, .local = {9, 8}, .vectors_alone = {24, 6},           \
	.vector_granule = 8, .accumulation = WT_CORE_ACCUMULATION_SHARE
#define GFX9_WAVE                                                                                  \
	.slot = {0, 9}, .scratch = {15, 1}, .last = {16, 1}, .first = {17, 1}, .state_words = 1,   \
	.unused_bytes = 64, .mode = 9
#define GFX10_STATE                                                                                \
	.vectors = {0, 6}, .local = {10, 8}, .wave32 = {24, 1}, .shared = {26, 4},                 \
	.state_words = 2, .vector_granule = 4, .vector_granule32 = 8, .fixed_scalars = 128
#define GFX10_WAVE .slot = {0, 10}, .scratch = {11, 1}, .first = {12, 1}, .last = {29, 1}, .mode = 8

static const struct wt_core_layout layouts[] = {
	{
		.names = {"gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"},
		GFX9_STATE,
		GFX9_WAVE,
		.vector_granule = 4,
		.engine = {11, 2},
		.parks = true,
	},
	{
		.names = {"gfx908"},
		GFX9_STATE,
		GFX9_WAVE,
		.vector_granule = 4,
		.accumulation = WT_CORE_ACCUMULATION_SAME,
		.engine = {11, 3},
		.parks = true,
	},
	{
		.names = {"gfx90a"},
		GFX90A_STATE,
		GFX9_WAVE,
		.engine = {9, 3},
		.parks = true,
	},
	{
		.names = {"gfx940", "gfx941", "gfx942"},
		GFX90A_STATE,
		GFX9_WAVE,
		.engine = {9, 2},
		.handler = WT_CORE_HANDLER_GFX94X,
	},
	{
		.names = {"gfx1010", "gfx1011", "gfx1012"},
		GFX10_STATE,
		GFX10_WAVE,
		.engine = {24, 2},
		.parks = true,
	},
	{
		.names = {"gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035",
			  "gfx1036"},
		GFX10_STATE,
		GFX10_WAVE,
		.engine = {24, 2},
	},
	{
		.names = {"gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151"},
		GFX10_STATE,
		GFX10_WAVE,
		.engine = {24, 3},
		.parks = true,
	},
	{
		.names = {"gfx1200", "gfx1201"},
		GFX10_STATE,
		GFX10_WAVE,
		.engine = {24, 3},
		.handler = WT_CORE_HANDLER_GFX12,
		.parks = true,
	},
};

const struct wt_core_layout *wt_core_layout_find(const struct gfx_architecture *architecture)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		for (const char *const *name = layouts[i].names; *name; name++)
			if (!strcmp(*name, architecture->name))
				return &layouts[i];
	return NULL;
}

static void decode_vectors(const struct wt_core_layout *layout, uint32_t state,
			   struct wt_core_sizes *sizes)
{
	uint32_t granule =
		sizes->lane_count == 32 ? layout->vector_granule32 : layout->vector_granule;
	uint32_t total = (wt_core_get(layout->vectors, state) + 1) * granule;
	uint32_t alone = (wt_core_get(layout->vectors_alone, state) + 1) * 4;

	sizes->vgpr_count = total;
	if (layout->accumulation == WT_CORE_ACCUMULATION_SAME)
		sizes->agpr_count = total;
	if (layout->accumulation != WT_CORE_ACCUMULATION_SHARE)
		return;
	sizes->vgpr_count = alone < total ? alone : total;
	sizes->agpr_count = total - sizes->vgpr_count;
}

struct wt_core_sizes wt_core_sizes_decode(const struct wt_core_layout *layout,
					  const uint32_t *state)
{
	struct wt_core_sizes sizes = {
		.lane_count = wt_core_get(layout->wave32, *state) ? 32 : 64,
		.shared_count = wt_core_get(layout->shared, *state) * 8,
		.sgpr_count = wt_core_get(layout->scalars, *state) * WT_CORE_SCALAR_GRANULE,
		.lds_size = wt_core_get(layout->local, *state) * WT_CORE_LOCAL_GRANULE,
	};

	if (layout->fixed_scalars)
		sizes.sgpr_count = layout->fixed_scalars;
	decode_vectors(layout, *state, &sizes);
	return sizes;
}

bool wt_core_sizes_encode(const struct wt_core_layout *layout, const struct wt_core_sizes *sizes,
			  uint32_t *state_ret)
{
	bool shares = layout->accumulation == WT_CORE_ACCUMULATION_SHARE;
	uint32_t total = sizes->vgpr_count + (shares ? sizes->agpr_count : 0);
	uint32_t state = WT_CORE_WORD_STATE;
	struct wt_core_sizes decoded;

	if (!total || layout->fixed_scalars)
		return false;
	state |= wt_core_put(layout->vectors, (total - 1) / layout->vector_granule);
	state |= wt_core_put(layout->vectors_alone, (sizes->vgpr_count - 1) / 4);
	state |= wt_core_put(layout->scalars, sizes->sgpr_count / WT_CORE_SCALAR_GRANULE);
	state |= wt_core_put(layout->local, sizes->lds_size / WT_CORE_LOCAL_GRANULE);
	decoded = wt_core_sizes_decode(layout, &state);
	if (memcmp(&decoded, sizes, sizeof(decoded)) != 0)
		return false;
	*state_ret = state;
	return true;
}
