/* SPDX-License-Identifier: MIT */
#include "device/save-area/layout.h"

#include <stddef.h>
#include <string.h>

/* ---- Hardware registers, in the order of their words ---- */

#define HWREG(index_, words_, field_)                                                              \
	{                                                                                          \
		(index_), (words_), offsetof(struct gfx_wave, field_),                             \
			sizeof(((struct gfx_wave *)0)->field_) == 8                                \
	}
#define HWREGS_LOW                                                                                 \
	HWREG(0, 1, m0), HWREG(WT_SAVE_AREA_HWREG_PC, 2, pc), HWREG(3, 2, exec),                   \
		HWREG(5, 1, status), HWREG(6, 1, trapsts)

static const struct wt_save_area_hwreg gfx9_hwregs[] = {
	HWREGS_LOW,
	HWREG(7, 2, xnack_mask),
	HWREG(9, 1, mode),
	{0},
};

static const struct wt_save_area_hwreg gfx10_hwregs[] = {
	HWREGS_LOW, HWREG(7, 1, xnack_mask), HWREG(8, 1, mode), HWREG(9, 2, flat_scratch), {0},
};

static const struct wt_save_area_hwreg gfx12_hwregs[] = {
	HWREG(0, 1, m0),
	HWREG(WT_SAVE_AREA_HWREG_PC, 2, pc),
	HWREG(3, 2, exec),
	HWREG(5, 1, state_priv),
	HWREG(6, 1, excp_flag_priv),
	HWREG(8, 1, mode),
	HWREG(9, 2, flat_scratch),
	HWREG(11, 1, excp_flag_user),
	HWREG(12, 1, trap_ctrl),
	HWREG(13, 1, status),
	{0},
};

/* ---- Trap temporaries ---- */

#define WORD                                                                                       \
	{                                                                                          \
		0, 32                                                                              \
	}
#define GFX9_TTMPS                                                                                 \
	.number = {11, {0, 6}}, .coordinates = {{8, WORD}, {9, WORD}, {10, WORD}},                 \
	.says_missing = true, .undefined = 7u << 8, .parked = 7

static const struct wt_trap_handler gfx9_handler = {
	GFX9_TTMPS,
	.packet = {6, {0, 25}},
};

static const struct wt_trap_handler gfx94_handler = {
	GFX9_TTMPS,
	.packet = {11, {6, 25}},
	.set_up = {11, {31, 1}},
	.after_inst = 1u << 25,
	.begin_end = 3u << 23,
};

static const struct wt_trap_handler gfx11_handler = {
	GFX9_TTMPS,
	.packet = {6, {0, 25}},
	.after_inst = 1u << 20,
	.begin_end = 3u << 17,
};

static const struct wt_trap_handler gfx12_handler = {
	.packet = {8, {0, 25}},
	.number = {8, {25, 5}},
	.coordinates = {{9, WORD}, {7, {0, 16}}, {7, {16, 16}}},
	.has_yz = {8, {30, 1}},
	.set_up = {8, {31, 1}},
	.undefined = 7u << 7,
	.parked = 10,
	.after_inst = 1u << 11,
	.begin_end = 3u << 8,
	.excp_flags = true,
};

/* ---- Families ---- */

#define TMPRING_1024 .tmpring_waves = {0, 12}, .tmpring_units = {12, 13}, .tmpring_unit = 1024
#define GFX9_STATE .vgprs = {0, 6}, .sgprs = {6, 3}, .lds = {9, 9}, .lds_granule = 512
#define GFX90A_STATE                                                                               \
	.vgprs = {0, 6}, .sgprs = {6, 3}, .lds = {9, 8}, .vgprs_only = {24, 6}, .vgpr_granule = 8, \
	.agprs = WT_SAVE_AREA_AGPRS_SHARE
#define GFX94_STATE                                                                                \
	GFX90A_STATE, GFX9_WAVE, .engine = {9, 2}, .handler = &gfx94_handler,                      \
				 .flat_scratch_is_up = true
#define GFX9_WAVE                                                                                  \
	.slot = {0, 9}, .scratch = {15, 1}, .last = {16, 1}, .first = {17, 1}, .state_words = 1,   \
	.unused_bytes = 64, .hwregs = gfx9_hwregs, .named_sgprs = 102, .aliased_sgprs = 6,         \
	TMPRING_1024
#define GFX9_PARKS .handler = &gfx9_handler, .parks = true
#define GFX10_STATE                                                                                \
	.vgprs = {0, 6}, .lds = {10, 8}, .lds_granule = 512, .wave32 = {24, 1}, .shared = {26, 4}, \
	.state_words = 2, .vgpr_granule = 4, .vgpr_granule32 = 8, .fixed_sgprs = 128,              \
	.named_sgprs = 106, .aliased_sgprs = 2
#define GFX10_WAVE .slot = {0, 10}, .scratch = {11, 1}, .first = {12, 1}, .last = {29, 1}
#define GFX10 GFX10_STATE, GFX10_WAVE, .engine = {24, 2}, .hwregs = gfx10_hwregs, TMPRING_1024
/* Their private memory is counted in smaller units, and its waves for each shader engine. */
#define GFX11                                                                                      \
	GFX10_STATE, GFX10_WAVE, .engine = {24, 3}, .parks = true, .parks_since = 9,               \
				 .tmpring_waves = {0, 12}, .tmpring_unit = 256,                    \
				 .waves_of_engine = true, .flat_scratch_is_up = true

static const struct wt_save_area_layout layouts[GFX_SAVE_AREA_COUNT] = {
	[GFX_SAVE_AREA_GFX900] =
		{
			GFX9_STATE,
			GFX9_WAVE,
			.vgpr_granule = 4,
			.engine = {11, 2},
			GFX9_PARKS,
		},
	[GFX_SAVE_AREA_GFX908] =
		{
			GFX9_STATE,
			GFX9_WAVE,
			.vgpr_granule = 4,
			.agprs = WT_SAVE_AREA_AGPRS_SAME,
			.engine = {11, 3},
			GFX9_PARKS,
		},
	[GFX_SAVE_AREA_GFX90A] =
		{
			GFX90A_STATE,
			GFX9_WAVE,
			.lds_granule = 512,
			.engine = {9, 3},
			GFX9_PARKS,
		},
	[GFX_SAVE_AREA_GFX940] =
		{
			GFX94_STATE,
			.lds_granule = 512,
		},
	[GFX_SAVE_AREA_GFX950] =
		{
			GFX94_STATE,
			.lds_granule = 1280,
		},
	[GFX_SAVE_AREA_GFX1010] =
		{
			GFX10,
			GFX9_PARKS,
		},
	[GFX_SAVE_AREA_GFX1030] =
		{
			GFX10,
			.handler = &gfx9_handler,
		},
	[GFX_SAVE_AREA_GFX1100] =
		{
			GFX11,
			.tmpring_units = {12, 15},
			.hwregs = gfx10_hwregs,
			.handler = &gfx11_handler,
		},
	[GFX_SAVE_AREA_GFX1200] =
		{
			GFX11,
			.lds_whole = {6, 1},
			.tmpring_units = {12, 18},
			.hwregs = gfx12_hwregs,
			.handler = &gfx12_handler,
		},
};

const struct wt_save_area_layout *
wt_save_area_layout_find(const struct gfx_architecture *architecture)
{
	const struct wt_save_area_layout *layout = &layouts[architecture->save_area];

	return layout->handler ? layout : NULL;
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
	if (wt_bit_field_get(layout->lds_whole, *state))
		sizes.lds_size = WT_SAVE_AREA_LDS_WHOLE;
	decode_vectors(layout, *state, &sizes);
	return sizes;
}

bool wt_save_area_sizes_encode(const struct wt_save_area_layout *layout,
			       const struct wt_save_area_sizes *sizes, uint32_t *state_ret)
{
	bool shares = layout->agprs == WT_SAVE_AREA_AGPRS_SHARE;
	uint32_t total = sizes->vgpr_count + (shares ? sizes->agpr_count : 0);
	uint32_t granule = sizes->lane_count == 32 ? layout->vgpr_granule32 : layout->vgpr_granule;
	uint32_t state = WT_SAVE_AREA_WORD_STATE;
	struct wt_save_area_sizes decoded;

	if (!total || !granule)
		return false;
	state |= wt_bit_field_put(layout->vgprs, (total - 1) / granule);
	state |= wt_bit_field_put(layout->vgprs_only, (sizes->vgpr_count - 1) / 4);
	state |= wt_bit_field_put(layout->sgprs, sizes->sgpr_count / WT_SAVE_AREA_SGPR_GRANULE);
	if (sizes->lds_size == WT_SAVE_AREA_LDS_WHOLE && layout->lds_whole.count)
		state |= wt_bit_field_put(layout->lds_whole, 1);
	else
		state |= wt_bit_field_put(layout->lds, sizes->lds_size / layout->lds_granule);
	state |= wt_bit_field_put(layout->wave32, sizes->lane_count == 32);
	state |= wt_bit_field_put(layout->shared, sizes->shared_count / 8);
	decoded = wt_save_area_sizes_decode(layout, &state);
	if (memcmp(&decoded, sizes, sizeof(decoded)) != 0)
		return false;
	*state_ret = state;
	return true;
}
