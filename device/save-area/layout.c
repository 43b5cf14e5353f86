/* SPDX-License-Identifier: MIT */
#include "device/save-area/layout.h"

#include <string.h>

#define GFX9_STATE .vgprs = {0, 6}, .sgprs = {6, 3}, .lds = {9, 9}, .lds_granule = 512
#define GFX90A_STATE                                                                               \
	.vgprs = {0, 6}, .sgprs = {6, 3}, .lds = {9, 8}, .vgprs_only = {24, 6}, .vgpr_granule = 8, \
	.agprs = WT_SAVE_AREA_AGPRS_SHARE
#define GFX94_STATE GFX90A_STATE, GFX9_WAVE, .engine = {9, 2}, .handler = WT_TRAP_HANDLER_GFX94X
#define GFX9_WAVE                                                                                  \
	.slot = {0, 9}, .scratch = {15, 1}, .last = {16, 1}, .first = {17, 1}, .state_words = 1,   \
	.unused_bytes = 64, .mode = 9
#define GFX10_STATE                                                                                \
	.vgprs = {0, 6}, .lds = {10, 8}, .lds_granule = 512, .wave32 = {24, 1}, .shared = {26, 4}, \
	.state_words = 2, .vgpr_granule = 4, .vgpr_granule32 = 8, .fixed_sgprs = 128
#define GFX10_WAVE .slot = {0, 10}, .scratch = {11, 1}, .first = {12, 1}, .last = {29, 1}, .mode = 8

static const struct wt_save_area_layout layouts[] = {
	{
		.names = {"gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"},
		GFX9_STATE,
		GFX9_WAVE,
		.vgpr_granule = 4,
		.engine = {11, 2},
		.parks = true,
	},
	{
		.names = {"gfx908"},
		GFX9_STATE,
		GFX9_WAVE,
		.vgpr_granule = 4,
		.agprs = WT_SAVE_AREA_AGPRS_SAME,
		.engine = {11, 3},
		.parks = true,
	},
	{
		.names = {"gfx90a"},
		GFX90A_STATE,
		GFX9_WAVE,
		.lds_granule = 512,
		.engine = {9, 3},
		.parks = true,
	},
	{
		.names = {"gfx940", "gfx941", "gfx942"},
		GFX94_STATE,
		.lds_granule = 512,
	},
	{
		.names = {"gfx950"},
		GFX94_STATE,
		.lds_granule = 1280,
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
		.names = {"gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151",
			  "gfx1152", "gfx1153"},
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
		.handler = WT_TRAP_HANDLER_GFX12,
		.parks = true,
	},
};

const struct wt_save_area_layout *
wt_save_area_layout_find(const struct gfx_architecture *architecture)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		for (const char *const *name = layouts[i].names; *name; name++)
			if (!strcmp(*name, architecture->name))
				return &layouts[i];
	return NULL;
}

static void decode_vectors(const struct wt_save_area_layout *layout, uint32_t state,
			   struct wt_save_area_sizes *sizes)
{
	uint32_t granule = sizes->lane_count == 32 ? layout->vgpr_granule32 : layout->vgpr_granule;
	uint32_t total = (wt_bit_field_get(layout->vgprs, state) + 1) * granule;
	uint32_t alone = (wt_bit_field_get(layout->vgprs_only, state) + 1) * 4;

	sizes->vgpr_count = total;
	if (layout->agprs == WT_SAVE_AREA_AGPRS_SAME)
		sizes->agpr_count = total;
	if (layout->agprs != WT_SAVE_AREA_AGPRS_SHARE)
		return;
	sizes->vgpr_count = alone < total ? alone : total;
	sizes->agpr_count = total - sizes->vgpr_count;
}

struct wt_save_area_sizes wt_save_area_sizes_decode(const struct wt_save_area_layout *layout,
						    const uint32_t *state)
{
	struct wt_save_area_sizes sizes = {
		.lane_count = wt_bit_field_get(layout->wave32, *state) ? 32 : 64,
		.shared_count = wt_bit_field_get(layout->shared, *state) * 8,
		.sgpr_count = wt_bit_field_get(layout->sgprs, *state) * WT_SAVE_AREA_SGPR_GRANULE,
		.lds_size = wt_bit_field_get(layout->lds, *state) * layout->lds_granule,
	};

	if (layout->fixed_sgprs)
		sizes.sgpr_count = layout->fixed_sgprs;
	decode_vectors(layout, *state, &sizes);
	return sizes;
}

bool wt_save_area_sizes_encode(const struct wt_save_area_layout *layout,
			       const struct wt_save_area_sizes *sizes, uint32_t *state_ret)
{
	bool shares = layout->agprs == WT_SAVE_AREA_AGPRS_SHARE;
	uint32_t total = sizes->vgpr_count + (shares ? sizes->agpr_count : 0);
	uint32_t state = WT_SAVE_AREA_WORD_STATE;
	struct wt_save_area_sizes decoded;

	if (!total || layout->fixed_sgprs)
		return false;
	state |= wt_bit_field_put(layout->vgprs, (total - 1) / layout->vgpr_granule);
	state |= wt_bit_field_put(layout->vgprs_only, (sizes->vgpr_count - 1) / 4);
	state |= wt_bit_field_put(layout->sgprs, sizes->sgpr_count / WT_SAVE_AREA_SGPR_GRANULE);
	state |= wt_bit_field_put(layout->lds, sizes->lds_size / layout->lds_granule);
	decoded = wt_save_area_sizes_decode(layout, &state);
	if (memcmp(&decoded, sizes, sizeof(decoded)) != 0)
		return false;
	*state_ret = state;
	return true;
}
