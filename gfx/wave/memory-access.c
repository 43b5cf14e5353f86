/* SPDX-License-Identifier: MIT */
/* Loads, stores and atomics of FLAT, GLOBAL, SCRATCH and DS. */
#include "gfx/wave/memory-access.h"

#include <string.h>

#include "gfx/wave/lanes.h"

static const uint32_t zeros[2 * GFX_MAX_LANES];

/* Past the wave's registers: reads take v0 if there is one, as everywhere. */
static const uint32_t *data_planes(const struct gfx_wave *wave, uint32_t number, uint32_t words,
				   bool acc)
{
	const uint32_t *planes = gfx_vgpr(wave, number, words, acc);

	return planes ? planes : gfx_vgpr(wave, 0, words, acc);
}

void gfx_read_resource(const struct gfx_context *context, struct gfx_address_inputs *inputs)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t first =
		instruction->encoding == GFX_SMEM ? instruction->address : instruction->resource;

	for (uint32_t i = 0; i < 4; i++)
		inputs->resource[i] = gfx_read_scalar32(context, first + i);
	if (instruction->scalar_address != GFX_CODE_OFF)
		inputs->base_offset = gfx_read_scalar32(context, instruction->scalar_address);
}

void gfx_resolve_access(const struct gfx_context *context, struct gfx_access *access)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t words = gfx_address_words(instruction), scalar = instruction->scalar_address;
	struct gfx_address_inputs inputs = {.exec = context->wave->exec};

	inputs.address =
		words ? data_planes(context->wave, instruction->address, words, false) : zeros;
	if (!inputs.address)
		inputs.address = zeros;
	if (instruction->encoding == GFX_GLOBAL && scalar != GFX_CODE_OFF)
		inputs.base = gfx_read_scalar64(context, scalar);
	else if (instruction->encoding == GFX_SCRATCH && scalar != GFX_CODE_OFF)
		inputs.base = gfx_read_scalar32(context, scalar);
	else if (instruction->encoding == GFX_MUBUF)
		gfx_read_resource(context, &inputs);
	else if (gfx_address_is_lane(instruction))
		inputs.base = context->wave->m0 & GFX_LANE_ADDRESS_M0;
	gfx_compute_access(instruction, &inputs, access);
}

static uint32_t load_word(const uint8_t *bytes, uint32_t size)
{
	uint32_t word = 0;

	for (uint32_t i = 0; i < size; i++)
		/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): lanes that were not loaded are left out */
		word |= (uint32_t)bytes[i] << 8 * i;
	return word;
}

/* Loads of less than a word are extended; D16 forms fill one half and leave the other. */
static void commit_narrow(const struct gfx_instruction *instruction,
			  const struct gfx_lane_bytes *bytes, uint64_t lanes, uint32_t *to)
{
	const struct gfx_operation *operation = instruction->operation;
	uint32_t flags = operation->flags, width = operation->size * 8U;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint32_t value = load_word(bytes->lane[lane], operation->size);

		if (!(lanes >> lane & 1))
			continue;
		if (flags & GFX_SIGNED)
			/* NOLINTNEXTLINE(clang-analyzer-core.BitwiseShift): signed loads are narrower */
			value = (uint32_t)((int32_t)(value << (32 - width)) >> (32 - width));
		if (flags & GFX_HIGH_HALF)
			value = (to[lane] & 0xffff) | value << 16;
		else if (flags & GFX_D16)
			value = (to[lane] & 0xffff0000) | (value & 0xffff);
		to[lane] = value;
	}
}

static void commit_words(const struct gfx_lane_bytes *bytes, uint32_t words, uint64_t lanes,
			 uint32_t *to)
{
	for (uint32_t i = 0; i < words; i++) {
		uint32_t plane[GFX_MAX_LANES];

		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			memcpy(&plane[lane], bytes->lane[lane] + 4 * i, 4);
		gfx_commit_lanes(to + i * GFX_MAX_LANES, plane, lanes);
	}
}

static enum gfx_step access_load(struct gfx_context *context, const struct gfx_access *access)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t total = access->size * access->parts, words = (total + 3) / 4;
	struct gfx_lane_bytes bytes;
	uint32_t *to = gfx_vgpr(context->wave, instruction->dst, words, instruction->acc);
	enum gfx_step step = gfx_read_parts(context, access, &bytes);

	if (step != GFX_STEP_DONE)
		return step;
	if (to && total < 4)
		commit_narrow(instruction, &bytes, context->wave->exec, to);
	else if (to)
		commit_words(&bytes, words, context->wave->exec, to);
	return GFX_STEP_DONE;
}

/*
 * The lane that has loaded the row of a matrix of which another gets an element: elements of two bytes change places in tiles of 8 rows and 8
 * columns, those of one in a matrix of 16, of which lanes have loaded half a row each, the left halves of four rows before the right ones.
 */
static uint32_t row_lane(uint32_t element_bytes, uint32_t lane, uint32_t row)
{
	if (element_bytes == 2)
		return (lane & ~7U) | row;
	return (lane & 16) | (row & 4) << 1 | (lane & 8) >> 1 | (row & 3);
}

/* Eight elements from each lane's address, and of these rows the column for each lane. What lanes do that are off, and waves of 64, is not documented. */
enum gfx_step gfx_execute_transposed(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t size = instruction->operation->size, element = size / 8;
	uint32_t *to = gfx_vgpr(context->wave, instruction->dst, size / 4, false);
	struct gfx_lane_bytes rows, columns;
	struct gfx_access access;
	enum gfx_step step;

	if (!gfx_is_short(context->wave) || context->wave->exec != UINT32_MAX)
		return gfx_illegal(
			context, true,
			"a transposing load in a wave of 64 lanes, or with lanes that are off");
	gfx_resolve_access(context, &access);
	step = gfx_read_parts(context, &access, &rows);
	if (step != GFX_STEP_DONE)
		return step;
	memset(&columns, 0, sizeof(columns));
	for (uint32_t lane = 0; lane < GFX_MAX_LANES / 2; lane++)
		for (uint32_t row = 0; row < 8; row++)
			memcpy(columns.lane[lane] + row * element,
			       rows.lane[row_lane(element, lane, row)] + lane % 8 * element,
			       element);
	/* A destination past the wave's registers is written nowhere. */
	if (to)
		commit_words(&columns, size / 4, context->wave->exec, to);
	return GFX_STEP_DONE;
}

/*
 * The bytes of each lane, side by side in local memory from m0 and the offset on, which counts there, too. Lanes past the end of a buffer bring
 * zeros. All of m0 is the address: gfx950 has more local memory than its lower half reaches.
 */
static struct gfx_access local_side(const struct gfx_context *context,
				    const struct gfx_access *access)
{
	struct gfx_access local = {
		.space = GFX_ACCESS_LOCAL,
		.write = true,
		.size = access->size * access->parts,
		.parts = 1,
		.lanes = context->wave->exec,
	};

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		local.addresses[lane] = context->wave->m0 + (uint32_t)context->instruction->offset +
					lane * local.size;
	return local;
}

static enum gfx_step access_load_to_local(struct gfx_context *context,
					  const struct gfx_access *access)
{
	struct gfx_access local = local_side(context, access);
	struct gfx_access_failure failure = {.lanes = 0};
	struct gfx_lane_bytes bytes;
	enum gfx_step step = gfx_read_parts(context, access, &bytes);

	if (step != GFX_STEP_DONE)
		return step;
	gfx_check_lanes(context, &local, 0, false, &failure);
	if (failure.lanes)
		return gfx_access_report(context, &local, &failure, true);
	gfx_write_lanes(context, &local, 0, &bytes);
	return GFX_STEP_DONE;
}

/* The parts of DS have a field each, those of a swizzled buffer follow each other. */
static uint32_t data_register(const struct gfx_instruction *instruction, uint32_t part)
{
	return instruction->encoding == GFX_DS ? instruction->data[part]
					       : instruction->data[0] + part;
}

/* Data of @size bytes, from its registers into the rows of the lanes, from byte @at on. */
static void gather(const struct gfx_context *context, uint32_t first, uint32_t size, uint32_t at,
		   struct gfx_lane_bytes *bytes)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t words = (size + 3) / 4;
	const uint32_t *from = data_planes(context->wave, first, words, instruction->acc);
	uint32_t shift = instruction->operation->flags & GFX_HIGH_HALF ? 16 : 0;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint8_t *row = bytes->lane[lane] + at;

		for (uint32_t i = 0; i < words; i++) {
			uint32_t value = from ? from[lane + i * GFX_MAX_LANES] >> shift : 0;
			uint32_t left = size - 4 * i;

			memcpy(row + 4 * i, &value, left < 4 ? left : 4);
		}
	}
}

static enum gfx_step access_store(struct gfx_context *context, const struct gfx_access *access)
{
	struct gfx_access_failure failure = {.lanes = 0};
	struct gfx_lane_bytes bytes;

	for (uint32_t part = 0; part < access->parts; part++)
		gfx_check_lanes(context, access, part, false, &failure);
	if (failure.lanes)
		return gfx_access_report(context, access, &failure, true);
	if (access->word_distance)
		gather(context, context->instruction->data[0], access->parts, 0, &bytes);
	for (uint32_t part = 0; part < access->parts && !access->word_distance; part++)
		gather(context, data_register(context->instruction, part), access->size,
		       part * access->size, &bytes);
	for (uint32_t part = 0; part < access->parts; part++)
		gfx_write_lanes(context, access, part, &bytes);
	return GFX_STEP_DONE;
}

/* Data operands of an atomic: the planes of the value, and of what it is compared with. */
struct atomic_operands {
	const uint32_t *data, *compare;
};

/* A global compare-and-swap has both in consecutive registers, DS has two register fields. */
static struct atomic_operands atomic_operands(const struct gfx_context *context,
					      const struct gfx_access *access)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_wave *wave = context->wave;
	uint32_t words = access->size / 4, first = instruction->data[0];
	uint32_t second = instruction->encoding == GFX_DS ? instruction->data[1] : first + words;
	struct atomic_operands operands;

	operands.data = data_planes(wave, first, words, instruction->acc);
	operands.compare = operands.data;
	if (instruction->operation->flags & GFX_TWO_DATA)
		operands.compare = data_planes(wave, second, words, instruction->acc);
	if (!operands.data)
		operands.data = zeros;
	if (!operands.compare)
		operands.compare = zeros;
	return operands;
}

static uint64_t atomic_lane_value(const uint32_t *planes, uint32_t lane, uint32_t size)
{
	return size == 8 ? gfx_wide(planes, lane) : planes[lane];
}

/* One lane after the other, lowest first, each seeing what those before it left. */
static void atomic_exchange_lanes(struct gfx_context *context, const struct gfx_access *access,
				  uint32_t *old)
{
	const struct gfx_operation *operation = context->instruction->operation;
	struct atomic_operands operands = atomic_operands(context, access);

	for (uint64_t left = access->lanes; left; left &= left - 1) {
		uint32_t lane = gfx_first_lane(left);
		uint64_t value, next;

		do {
			value = 0;
			gfx_read_lane(context, access, lane, &value);
			next = operation->atomic(
				value, atomic_lane_value(operands.data, lane, access->size),
				atomic_lane_value(operands.compare, lane, access->size));
		} while (!gfx_replace_lane(context, access, lane, &value, &next));
		gfx_set_wide(old, lane, value);
	}
}

/* Two places of local memory at once: a lane reads both before it writes them. */
static void atomic_exchange_pairs(struct gfx_context *context, const struct gfx_access *access,
				  uint32_t *old)
{
	struct atomic_operands operands = atomic_operands(context, access);
	const uint32_t *data[2] = {operands.data, operands.compare};
	uint32_t size = access->size;
	struct gfx_lane_bytes bytes;

	for (uint64_t left = access->lanes; left; left &= left - 1) {
		uint32_t lane = gfx_first_lane(left);
		struct gfx_access own = *access;

		own.lanes = UINT64_C(1) << lane;
		(void)gfx_read_parts(context, &own, &bytes);
		for (uint32_t i = 0; i < 2 * size / 4; i++)
			memcpy(&old[i * GFX_MAX_LANES + lane], bytes.lane[lane] + 4 * i, 4);
		for (uint32_t part = 0; part < 2; part++) {
			uint64_t next = atomic_lane_value(data[part], lane, size);

			memcpy(bytes.lane[lane] + part * size, &next, size);
			gfx_write_lanes(context, &own, part, &bytes);
		}
	}
}

static enum gfx_step access_atomic(struct gfx_context *context, const struct gfx_access *access)
{
	const struct gfx_instruction *instruction = context->instruction;
	struct gfx_access_failure failure = {.lanes = 0};
	uint32_t old[4 * GFX_MAX_LANES], words = access->parts * access->size / 4;
	uint32_t *to = gfx_vgpr(context->wave, instruction->dst, words, instruction->acc);

	for (uint32_t part = 0; part < access->parts; part++)
		gfx_check_lanes(context, access, part, true, &failure);
	if (failure.lanes)
		return gfx_access_report(context, access, &failure, true);
	memset(old, 0, sizeof(old));
	if (access->parts > 1)
		atomic_exchange_pairs(context, access, old);
	else
		atomic_exchange_lanes(context, access, old);
	if (!instruction->returns || !to)
		return GFX_STEP_DONE;
	for (uint32_t i = 0; i < words; i++)
		gfx_commit_lanes(to + i * GFX_MAX_LANES, old + i * GFX_MAX_LANES,
				 context->wave->exec);
	return GFX_STEP_DONE;
}

enum gfx_step gfx_execute_memory(struct gfx_context *context)
{
	struct gfx_access access;

	if (!context->wave->exec)
		return GFX_STEP_DONE;
	gfx_resolve_access(context, &access);
	if (access.not_implemented)
		return gfx_illegal(context, true, access.not_implemented);
	switch (context->instruction->operation->memory) {
	case GFX_MEMORY_LOAD:
		return context->instruction->to_local ? access_load_to_local(context, &access)
						      : access_load(context, &access);
	case GFX_MEMORY_STORE:
		return access_store(context, &access);
	default:
		return access_atomic(context, &access);
	}
}
