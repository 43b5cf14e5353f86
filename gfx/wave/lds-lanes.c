/* SPDX-License-Identifier: MIT */
/* DS operations that touch no memory of lanes: they move data between lanes, count them, or let waves of a dispatch wait for each other. */
#include <string.h>

#include "gfx/instruction/fields.h"
#include "gfx/wave/lanes.h"
#include "gfx/wave/memory-access.h"

static const uint32_t zeros[GFX_MAX_LANES];

static const uint32_t *read_planes(const struct gfx_context *context, uint32_t number, bool acc)
{
	const uint32_t *planes = gfx_vgpr(context->wave, number, 1, acc);

	if (!planes)
		planes = gfx_vgpr(context->wave, 0, 1, acc);
	return planes ? planes : zeros;
}

static void commit(const struct gfx_context *context, const uint32_t *values)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t *to = gfx_vgpr(context->wave, instruction->dst, 1, instruction->acc);

	if (to)
		gfx_commit_lanes(to, values, context->wave->exec);
}

/* Addresses count bytes: four per lane, wrapping at the end of the wave, from gfx10 on of the 32 lanes that the lane is one of. */
static uint32_t lane_at(const struct gfx_context *context, const uint32_t *addresses, uint32_t lane)
{
	uint32_t at = (addresses[lane] + (uint32_t)context->instruction->offset) / 4;

	if (gfx_is_later(context->instruction))
		return (lane & ~31U) | at % 32;
	return at % GFX_MAX_LANES;
}

/* Each lane fetches; from a lane that is off it gets 0. */
enum gfx_step gfx_ds_bpermute_b32(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	const uint32_t *addresses = read_planes(context, instruction->address, false);
	const uint32_t *data = read_planes(context, instruction->data[0], instruction->acc);
	uint32_t values[GFX_MAX_LANES];

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint32_t from = lane_at(context, addresses, lane);

		values[lane] = context->wave->exec >> from & 1 ? data[from] : 0;
	}
	commit(context, values);
	return GFX_STEP_DONE;
}

/* Each lane sends; of several to one lane the highest wins, and a lane nobody sends to gets 0. */
enum gfx_step gfx_ds_permute_b32(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	const uint32_t *addresses = read_planes(context, instruction->address, false);
	const uint32_t *data = read_planes(context, instruction->data[0], instruction->acc);
	uint32_t values[GFX_MAX_LANES];

	memset(values, 0, sizeof(values));
	for (uint64_t left = context->wave->exec; left; left &= left - 1) {
		uint32_t lane = gfx_first_lane(left);

		values[lane_at(context, addresses, lane)] = data[lane];
	}
	commit(context, values);
	return GFX_STEP_DONE;
}

/* Inside a quad any order; inside 32 lanes the three masks or a rotation. */
static uint32_t swizzle_source(uint32_t code, uint32_t lane)
{
	uint32_t half = lane & 32, place = lane & 31;

	if (code >= 0xc000) {
		uint32_t count = code >> 5 & 31, keep = code & 31;
		uint32_t turned = code >> 10 & 1 ? place - count : place + count;

		return half | (place & keep) | (turned & 31 & ~keep);
	}
	if (code & 0x8000)
		return (lane & ~3U) | (code >> (lane & 3) * 2 & 3);
	return half | (((place & (code & 31)) | (code >> 5 & 31)) ^ (code >> 10 & 31));
}

enum gfx_step gfx_ds_swizzle_b32(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	const uint32_t *data = read_planes(context, instruction->address, false);
	uint32_t values[GFX_MAX_LANES], code = (uint32_t)instruction->offset;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint32_t from = swizzle_source(code, lane);

		values[lane] = context->wave->exec >> from & 1 ? data[from] : 0;
	}
	commit(context, values);
	return GFX_STEP_DONE;
}

/*
 * A counter in LDS, at the lower half of m0 and the offset, moves by the number of active lanes. Outside there is none,
 * which is a fault, or as on hardware reads as 0.
 */
static enum gfx_step count_lanes(struct gfx_context *context, bool up)
{
	const struct gfx_instruction *instruction = context->instruction;
	struct gfx_wave *wave = context->wave;
	uint32_t address = ((wave->m0 & 0xffff) + (uint32_t)instruction->offset) & ~3U;
	uint32_t lanes = (uint32_t)__builtin_popcountll(wave->exec), old = 0, values[GFX_MAX_LANES];
	bool inside = gfx_in_local(context, address, sizeof(old));

	if (!inside && !context->memory->lenient_local) {
		context->fault->address = address;
		context->fault->lanes = wave->exec;
		context->fault->write = true;
		context->fault->outside_local = true;
		context->fault->reason = "outside the workgroup's local memory";
		return GFX_STEP_ADDRESS_ERROR;
	}
	if (inside)
		memcpy(&old, wave->lds + address, sizeof(old));
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		values[lane] = old;
	old = up ? old + lanes : old - lanes;
	if (inside)
		memcpy(wave->lds + address, &old, sizeof(old));
	commit(context, values);
	return GFX_STEP_DONE;
}

enum gfx_step gfx_ds_append(struct gfx_context *context)
{
	return count_lanes(context, true);
}

enum gfx_step gfx_ds_consume(struct gfx_context *context)
{
	return count_lanes(context, false);
}

/* The resource is counted from m0, and the value is that of the first active lane. */
static enum gfx_step sync_ask(struct gfx_context *context, enum gfx_sync_kind kind)
{
	const struct gfx_instruction *instruction = context->instruction;
	const uint32_t *values = read_planes(context, instruction->address, instruction->acc);
	struct gfx_wave *wave = context->wave;

	wave->sync = (struct gfx_sync){
		.kind = kind,
		.resource = ((wave->m0 >> 16) + (uint32_t)instruction->offset) % GFX_SYNC_RESOURCES,
		.value = values[gfx_first_lane(wave->exec)],
	};
	return GFX_STEP_GLOBAL_SYNC;
}

enum gfx_step gfx_ds_gws_init(struct gfx_context *context)
{
	return sync_ask(context, GFX_SYNC_INIT);
}

enum gfx_step gfx_ds_gws_barrier(struct gfx_context *context)
{
	return sync_ask(context, GFX_SYNC_BARRIER);
}
