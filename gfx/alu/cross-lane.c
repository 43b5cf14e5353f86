/* SPDX-License-Identifier: MIT */
/* Operations in which lanes see each other: DPP selection, lane reads and writes, swaps. */
#include "gfx/alu/operations.h"
#include "gfx/alu/vector.h"

/* DPP controls, by the ranges of their nine bits. */
enum dpp_control {
	DPP_ROW_SHIFT_LEFT = 0x100,
	DPP_ROW_SHIFT_RIGHT = 0x110,
	DPP_ROW_ROTATE_RIGHT = 0x120,
	DPP_WAVE_SHIFT_LEFT = 0x130,
	DPP_WAVE_ROTATE_LEFT = 0x134,
	DPP_WAVE_SHIFT_RIGHT = 0x138,
	DPP_WAVE_ROTATE_RIGHT = 0x13c,
	DPP_ROW_MIRROR = 0x140,
	DPP_ROW_HALF_MIRROR = 0x141,
	DPP_ROW_BROADCAST_15 = 0x142,
	DPP_ROW_BROADCAST_31 = 0x143,
	DPP_ROW_NEW_BROADCAST = 0x150, /* to all lanes of a row; gfx10 and later call it sharing */
	DPP_ROW_EXCLUSIVE_OR = 0x160,
};

#define ROW 16
#define ROWS (GFX_MAX_LANES / ROW)
#define ROW_LANES UINT64_C(0xfedcba9876543210) /* each lane of a row, four bits each */
#define ROW_ONES UINT64_C(0x1111111111111111)

/* The sources of the lanes of every row of 16: places in the row, four bits each, and the lanes that have a source. */
struct row_sources {
	uint64_t places;
	uint32_t exist;
};

static uint64_t rotate_row(uint32_t count)
{
	return count ? ROW_LANES >> 4 * count | ROW_LANES << (64 - 4 * count) : ROW_LANES;
}

static struct row_sources quad_sources(uint32_t control)
{
	uint64_t quad = (control & 3) | (control >> 2 & 3) << 4 | (control >> 4 & 3) << 8 |
			(control >> 6 & 3) << 12;

	return (struct row_sources){
		(ROW_LANES & 12 * ROW_ONES) | quad * UINT64_C(0x0001000100010001), 0xffff};
}

static struct row_sources eight_sources(uint32_t lanes)
{
	uint64_t eight = 0;

	for (uint32_t lane = 0; lane < 8; lane++)
		eight |= (uint64_t)(lanes >> 3 * lane & 7) << 4 * lane;
	return (struct row_sources){
		(ROW_LANES & 8 * ROW_ONES) | eight * UINT64_C(0x0000000100000001), 0xffff};
}

/* Return: false if the rows are not alike. */
static bool row_sources(const struct gfx_instruction *instruction, struct row_sources *ret)
{
	uint32_t control = instruction->dpp_control, count = control & 15;

	*ret = (struct row_sources){ROW_LANES, 0xffff};
	if (instruction->extension == GFX_EXTENSION_DPP8)
		*ret = eight_sources(instruction->dpp_lanes);
	else if (control < DPP_ROW_SHIFT_LEFT)
		*ret = quad_sources(control);
	else if (control < DPP_ROW_SHIFT_RIGHT)
		*ret = (struct row_sources){rotate_row(count), 0xffffU >> count};
	else if (control < DPP_ROW_ROTATE_RIGHT)
		*ret = (struct row_sources){rotate_row((ROW - count) % ROW),
					    0xffffU << count & 0xffff};
	else if (control < DPP_WAVE_SHIFT_LEFT)
		ret->places = rotate_row((ROW - count) % ROW);
	else if (control == DPP_ROW_MIRROR)
		ret->places ^= 15 * ROW_ONES;
	else if (control == DPP_ROW_HALF_MIRROR)
		ret->places ^= 7 * ROW_ONES;
	else if (control >= DPP_ROW_EXCLUSIVE_OR)
		ret->places ^= count * ROW_ONES;
	else if (control >= DPP_ROW_NEW_BROADCAST)
		ret->places = count * ROW_ONES;
	else
		return false;
	return true;
}

#define NO_LANE UINT32_MAX

static uint32_t wave_source(uint32_t control, uint32_t lane)
{
	switch (control) {
	case DPP_WAVE_SHIFT_LEFT:
		return lane < 63 ? lane + 1 : NO_LANE;
	case DPP_WAVE_ROTATE_LEFT:
		return (lane + 1) & 63;
	case DPP_WAVE_SHIFT_RIGHT:
		return lane > 0 ? lane - 1 : NO_LANE;
	case DPP_WAVE_ROTATE_RIGHT:
		return (lane - 1) & 63;
	case DPP_ROW_BROADCAST_15:
		/* The last lane of the row before. */
		return lane >= 16 ? (lane & ~15U) - 1 : NO_LANE;
	default:
		return lane >= 32 ? 31 : NO_LANE;
	}
}

/* The lanes that are written, of those whose source is there. */
static uint64_t enabled_lanes(const struct gfx_instruction *instruction)
{
	uint64_t lanes = 0;
	uint32_t row = 0;

	for (uint32_t bank = 0; bank < 4; bank++)
		row |= instruction->dpp_bank_mask >> bank & 1 ? 15U << 4 * bank : 0;
	for (uint32_t i = 0; i < ROWS; i++)
		lanes |= instruction->dpp_row_mask >> i & 1 ? (uint64_t)row << ROW * i : 0;
	return lanes;
}

/* The lanes whose source is there, and is on where that matters. */
static uint64_t select_from_rows(const struct row_sources *sources, uint64_t on,
				 const uint32_t *from, uint32_t *to)
{
	uint64_t valid = 0;

	for (uint32_t i = 0; i < ROW; i++) {
		uint32_t source = sources->places >> 4 * i & 15;

		for (uint32_t row = 0; row < GFX_MAX_LANES; row += ROW)
			to[row + i] = from[row + source];
		valid |= (on >> source & UINT64_C(0x0001000100010001)) << i;
	}
	return valid & sources->exist * UINT64_C(0x0001000100010001);
}

static uint64_t select_from_wave(uint32_t control, uint64_t on, const uint32_t *from, uint32_t *to)
{
	uint64_t valid = 0;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint32_t source = wave_source(control, lane);

		to[lane] = source == NO_LANE ? 0 : from[source];
		valid |= source == NO_LANE ? 0 : (on >> source & 1) << lane;
	}
	return valid;
}

/* Without a source lane, or with one that is off, a lane gets 0 or, as bound_ctrl says, nothing. DPP8 writes all lanes. */
void gfx_dpp_select(const struct gfx_instruction *instruction, uint64_t exec, const uint32_t *from,
		    uint32_t *to, uint64_t *lanes)
{
	uint64_t on = instruction->dpp_fetches ? UINT64_MAX : exec, valid;
	struct row_sources sources;

	if (row_sources(instruction, &sources))
		valid = select_from_rows(&sources, on, from, to);
	else
		valid = select_from_wave(instruction->dpp_control, on, from, to);
	for (uint64_t left = ~valid; left; left &= left - 1)
		to[gfx_first_lane(left)] = 0;
	if (instruction->extension == GFX_EXTENSION_DPP8)
		return;
	*lanes &= enabled_lanes(instruction) & (instruction->dpp_bound_zero ? UINT64_MAX : valid);
}

static uint32_t read_lane(const struct gfx_context *context, uint32_t code, uint32_t lane)
{
	const uint32_t *planes;

	if (code < GFX_CODE_VGPR0)
		return gfx_read_scalar32(context, code);
	planes = gfx_vgpr(context->wave, code - GFX_CODE_VGPR0, 1, false);
	if (!planes)
		planes = gfx_vgpr(context->wave, 0, 1, false);
	return planes ? planes[lane] : 0;
}

enum gfx_step gfx_v_readfirstlane_b32(struct gfx_context *context)
{
	uint32_t lane = gfx_first_lane(context->wave->exec);
	uint32_t value = read_lane(context, context->instruction->src[0], lane);

	gfx_write_scalar32(context->wave, context->instruction->dst, value);
	return GFX_STEP_DONE;
}

static uint32_t selected_lane(const struct gfx_context *context)
{
	return gfx_read_scalar32(context, context->instruction->src[1]) % gfx_lanes(context->wave);
}

enum gfx_step gfx_v_readlane_b32(struct gfx_context *context)
{
	uint32_t value = read_lane(context, context->instruction->src[0], selected_lane(context));

	gfx_write_scalar32(context->wave, context->instruction->dst, value);
	return GFX_STEP_DONE;
}

/* Writes whether the lane is active or not. */
enum gfx_step gfx_v_writelane_b32(struct gfx_context *context)
{
	uint32_t value = gfx_read_scalar32(context, context->instruction->src[0]);
	uint32_t *planes = gfx_vgpr(context->wave, context->instruction->dst, 1, false);

	if (planes)
		planes[selected_lane(context)] = value;
	return GFX_STEP_DONE;
}

enum gfx_step gfx_v_swap_b32(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t *a = gfx_vgpr(context->wave, instruction->dst, 1, false);
	uint32_t *b = gfx_vgpr(context->wave, instruction->src[0] & 0xffU, 1, false);
	uint32_t saved[GFX_MAX_LANES];

	if (!a || !b)
		return GFX_STEP_DONE;
	memcpy(saved, a, sizeof(saved));
	gfx_commit_lanes(a, b, context->wave->exec);
	gfx_commit_lanes(b, saved, context->wave->exec);
	return GFX_STEP_DONE;
}

static const uint32_t *permuted_planes(const struct gfx_context *context, uint32_t index,
				       uint32_t room[])
{
	uint32_t code = context->instruction->src[index];
	const uint32_t *planes = gfx_vgpr(context->wave, code & 0xffU, 1, false);

	if (!planes)
		planes = gfx_vgpr(context->wave, 0, 1, false);
	if (code >= GFX_CODE_VGPR0 && planes)
		return planes;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		room[lane] = code < GFX_CODE_VGPR0 ? gfx_read_scalar32(context, code) : 0;
	return room;
}

/* For each lane, the place in a row that it takes: two scalar sources have them for a row, or one vector source for all lanes. */
static void choose_places(const struct gfx_context *context, uint32_t places[GFX_MAX_LANES])
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t room[GFX_MAX_LANES];
	const uint32_t *own;
	uint64_t select;

	if (instruction->operation->src[2] == GFX_NONE) {
		own = permuted_planes(context, 1, room);
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			places[lane] = own[lane] & 15;
		return;
	}
	select = gfx_read_scalar32(context, instruction->src[1]) |
		 (uint64_t)gfx_read_scalar32(context, instruction->src[2]) << 32;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		places[lane] = select >> (lane & 15) * 4 & 15;
}

/*
 * A lane of a row for each lane of it, as the other sources say, of the same row or, with @flip 16, of the one beside it.
 * op_sel's first bit lets lanes that are off be sources; its second says that those without one get 0 instead of nothing.
 */
static enum gfx_step permute_rows(struct gfx_context *context, uint32_t flip)
{
	const struct gfx_instruction *instruction = context->instruction;
	struct gfx_wave *wave = context->wave;
	uint32_t values[GFX_MAX_LANES], room[GFX_MAX_LANES], places[GFX_MAX_LANES];
	const uint32_t *from = permuted_planes(context, 0, room);
	uint32_t *to = gfx_vgpr(wave, instruction->dst, 1, false);
	uint64_t lanes = wave->exec;

	choose_places(context, places);
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint32_t source = ((lane & ~15U) ^ flip) | places[lane];
		bool valid = instruction->op_sel & 1 || wave->exec >> source & 1;

		values[lane] = valid ? from[source] : 0;
		if (!valid && !(instruction->op_sel & 2))
			lanes &= ~(UINT64_C(1) << lane);
	}
	if (to)
		gfx_commit_lanes(to, values, lanes);
	return GFX_STEP_DONE;
}

enum gfx_step gfx_v_permlane16_b32(struct gfx_context *context)
{
	return permute_rows(context, 0);
}

enum gfx_step gfx_v_permlanex16_b32(struct gfx_context *context)
{
	return permute_rows(context, 16);
}

/*
 * Lanes of the first register that have @distance in their number change places with those of the second that have it not, op_sel as above:
 * a lane whose other one is off gets nothing, or 0.
 */
static enum gfx_step swap_rows(struct gfx_context *context, uint32_t distance)
{
	const struct gfx_instruction *instruction = context->instruction;
	struct gfx_wave *wave = context->wave;
	uint32_t *planes[2] = {gfx_vgpr(wave, instruction->src[0] & 0xffU, 1, false),
			       gfx_vgpr(wave, instruction->dst, 1, false)};
	uint32_t values[2][GFX_MAX_LANES];
	uint64_t lanes[2] = {0, 0};

	if (!planes[0] || !planes[1])
		return GFX_STEP_DONE;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint32_t side = lane & distance ? 1 : 0;
		bool valid = instruction->op_sel & 1 || wave->exec >> (lane ^ distance) & 1;

		values[side][lane] = valid ? planes[!side][lane ^ distance] : 0;
		if (valid || instruction->op_sel & 2)
			lanes[side] |= wave->exec & UINT64_C(1) << lane;
	}
	for (uint32_t side = 0; side < 2; side++)
		gfx_commit_lanes(planes[side], values[side], lanes[side]);
	return GFX_STEP_DONE;
}

enum gfx_step gfx_v_permlane16_swap_b32(struct gfx_context *context)
{
	return swap_rows(context, 16);
}

enum gfx_step gfx_v_permlane32_swap_b32(struct gfx_context *context)
{
	return swap_rows(context, 32);
}

/* The halves of a wave of 64 lanes change places; one of 32 has no other half. */
enum gfx_step gfx_v_permlane64_b32(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t values[GFX_MAX_LANES], room[GFX_MAX_LANES];
	const uint32_t *from = permuted_planes(context, 0, room);
	uint32_t *to = gfx_vgpr(context->wave, instruction->dst, 1, false);

	if (gfx_is_short(context->wave))
		return GFX_STEP_DONE;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		values[lane] = from[lane ^ 32];
	if (to)
		gfx_commit_lanes(to, values, context->wave->exec);
	return GFX_STEP_DONE;
}

/* A register by its number and m0: the source's, or the destination's. */
static enum gfx_step move_relative(struct gfx_context *context, uint32_t source, uint32_t dst)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t code = instruction->src[0], room[GFX_MAX_LANES];
	const uint32_t *from = permuted_planes(context, 0, room);
	uint32_t *to = gfx_vgpr(context->wave, instruction->dst + dst, 1, false);

	if (code >= GFX_CODE_VGPR0 && gfx_vgpr(context->wave, (code & 0xffU) + source, 1, false))
		from = gfx_vgpr(context->wave, (code & 0xffU) + source, 1, false);
	if (to)
		gfx_commit_lanes(to, from, context->wave->exec);
	return GFX_STEP_DONE;
}

enum gfx_step gfx_v_movrels_b32(struct gfx_context *context)
{
	return move_relative(context, context->wave->m0, 0);
}

enum gfx_step gfx_v_movreld_b32(struct gfx_context *context)
{
	return move_relative(context, 0, context->wave->m0);
}
