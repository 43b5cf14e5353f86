/* SPDX-License-Identifier: MIT */
/*
 * Loads and stores whose lanes all find their bytes: in one range of global memory that is there in place, in the
 * workgroup's LDS, or in private memory. Whatever is not so simple is left to memory.c, before anything has changed.
 */
#include <string.h>

#include "gfx/wave/memory.h"
#include "gfx/wave/some.h"

#define MAX_WORDS 4 /* of a lane, in all parts */

/* Where the lanes of one part are. A lane that is off is where the first active one is. */
struct spots {
	uint64_t address[GFX_MAX_LANES];
	uint64_t low, high; /* the lowest and the highest address */
	bool row;	    /* each active lane follows the lane before it */
	bool aligned;	    /* all are multiples of a word */
};

/* The space of all addresses, which are made relative to it; false if they are of several. */
GFX_ALWAYS bool settle_space(const struct gfx_memory *memory, struct spots *spots,
			     enum gfx_access_space *space)
{
	uint64_t base;

	if (*space != GFX_ACCESS_GENERIC)
		return true;
	if (spots->low >= memory->local_base && spots->high <= memory->local_limit) {
		*space = GFX_ACCESS_LOCAL;
		base = memory->local_base;
	} else if (spots->low >= memory->private_base && spots->high <= memory->private_limit) {
		*space = GFX_ACCESS_PRIVATE;
		base = memory->private_base;
	} else {
		*space = GFX_ACCESS_GLOBAL;
		return (spots->high < memory->local_base || spots->low > memory->local_limit) &&
		       (spots->high < memory->private_base || spots->low > memory->private_limit);
	}
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		spots->address[lane] -= base;
	spots->low -= base;
	spots->high -= base;
	return true;
}

GFX_ALWAYS void find_spots(const struct gfx_access *access, uint32_t part, struct spots *spots)
{
	uint32_t first = gfx_first_lane(access->lanes);
	uint64_t add = part * (uint64_t)(int64_t)access->second_distance;
	uint64_t keep = access->space == GFX_ACCESS_LOCAL ? UINT32_MAX : UINT64_MAX;
	uint64_t start = (access->addresses[first] + add) & keep;
	uint64_t low = start, high = start, apart = 0, odd = 0;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint64_t on = 0 - (access->lanes >> lane & 1);
		uint64_t address = (access->addresses[lane] + add) & keep;
		uint64_t next = start + (uint64_t)((int64_t)lane - first) * access->size;

		apart |= (address ^ next) & on;
		address = (address & on) | (start & ~on);
		odd |= address;
		low = address < low ? address : low;
		high = address > high ? address : high;
		spots->address[lane] = address;
	}
	spots->low = low;
	spots->high = high;
	spots->row = !apart;
	spots->aligned = odd % 4 == 0;
}

/* The bytes at spots->low, in LDS or global memory, if those of all lanes are there; else NULL. */
GFX_ALWAYS uint8_t *find_bytes(const struct gfx_context *context, const struct spots *spots,
			       enum gfx_access_space space, uint32_t size, bool write)
{
	const struct gfx_memory *memory = context->memory;
	const struct gfx_wave *wave = context->wave;

	if (space == GFX_ACCESS_LOCAL) {
		if (spots->high >= wave->lds_size || size > wave->lds_size - spots->high)
			return NULL;
		return wave->lds + spots->low;
	}
	if (!memory->map || spots->high > UINT64_MAX - size)
		return NULL;
	return memory->map(memory->opaque, spots->low, spots->high - spots->low + size, write);
}

/* Private memory that can be had in words: nobody wants to know, and every lane is inside. */
GFX_ALWAYS bool is_private_plain(const struct gfx_context *context, const struct spots *spots,
				 uint32_t size)
{
	uint64_t per_lane = context->wave->scratch_size / GFX_MAX_LANES / 4 * 4;

	return !context->memory->note_private && spots->high < per_lane &&
	       size <= per_lane - spots->high;
}

/* The plane of a word of private memory. */
GFX_ALWAYS uint8_t *private_plane(const struct gfx_wave *wave, uint64_t address)
{
	return wave->scratch + address / 4 * GFX_MAX_LANES * 4;
}

GFX_ALWAYS uint32_t load_small(const uint8_t *bytes, uint32_t size)
{
	return size == 1 ? bytes[0] : bytes[0] | (uint32_t)bytes[1] << 8;
}

GFX_ALWAYS uint32_t extended(uint32_t value, uint32_t size, bool is_signed)
{
	uint32_t unused = 32 - 8 * size;

	return is_signed ? (uint32_t)((int32_t)(value << unused) >> unused)
			 : value << unused >> unused;
}

GFX_ALWAYS void load_bytes(const struct spots *spots, const uint8_t *bytes, uint32_t size,
			   bool is_signed, uint32_t *rows)
{
	uint64_t low = spots->low;

	if (size < 4) {
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			rows[lane] =
				extended(load_small(bytes + (spots->address[lane] - low), size),
					 size, is_signed);
		return;
	}
	for (uint32_t i = 0; i < size / 4; i++)
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			memcpy(&rows[i * GFX_MAX_LANES + lane],
			       bytes + (spots->address[lane] - low) + 4 * (size_t)i, 4);
}

/* Return: false if a lane's bytes are in two words, and not all of both. */
GFX_ALWAYS bool load_private(const struct gfx_wave *wave, const struct spots *spots, uint32_t size,
			     bool is_signed, uint32_t *rows)
{
	uint64_t address = spots->low;
	uint32_t shift = (uint32_t)(address % 4) * 8;

	if (size < 4) {
		if (spots->low != spots->high || shift + 8 * size > 32)
			return false;
		memcpy(rows, private_plane(wave, address), GFX_MAX_LANES * sizeof(*rows));
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			rows[lane] = extended(rows[lane] >> shift, size, is_signed);
		return true;
	}
	if (!spots->aligned)
		return false;
	for (uint32_t i = 0; i < size / 4; i++) {
		uint32_t *row = rows + i * GFX_MAX_LANES;

		if (spots->low == spots->high) {
			memcpy(row, private_plane(wave, address + 4 * i),
			       GFX_MAX_LANES * sizeof(*row));
			continue;
		}
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			memcpy(&row[lane],
			       private_plane(wave, spots->address[lane] + 4 * i) + 4 * (size_t)lane,
			       4);
	}
	return true;
}

GFX_ALWAYS bool load_part(const struct gfx_context *context, const struct gfx_access *access,
			  uint32_t part, uint32_t *rows)
{
	bool is_signed = context->instruction->operation->flags & GFX_SIGNED;
	enum gfx_access_space space = access->space;
	uint32_t size = access->size;
	const uint8_t *bytes;
	struct spots spots;

	find_spots(access, part, &spots);
	if (!settle_space(context->memory, &spots, &space))
		return false;
	if (space == GFX_ACCESS_PRIVATE)
		return is_private_plain(context, &spots, size) &&
		       load_private(context->wave, &spots, size, is_signed, rows);
	bytes = find_bytes(context, &spots, space, size, false);
	if (!bytes)
		return false;
	if (size == 4 && spots.row && access->lanes == UINT64_MAX)
		memcpy(rows, bytes, GFX_MAX_LANES * sizeof(*rows));
	else
		load_bytes(&spots, bytes, size, is_signed, rows);
	return true;
}

GFX_ALWAYS enum gfx_step load(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t rows[MAX_WORDS * GFX_MAX_LANES], words, at = 0;
	struct gfx_wave *wave = context->wave;
	struct gfx_access access;
	uint32_t *to;

	if (!wave->exec)
		return GFX_STEP_DONE;
	gfx_resolve_access(context, &access);
	words = (access.size + 3) / 4;
	if (access.lanes != wave->exec || words * access.parts > MAX_WORDS)
		return instruction->operation->execute(context);
	for (uint32_t part = 0; part < access.parts; part++, at += words)
		if (!load_part(context, &access, part, rows + at * GFX_MAX_LANES))
			return instruction->operation->execute(context);
	to = gfx_vgpr(wave, instruction->dst, at, instruction->acc);
	for (uint32_t i = 0; i < at; i++)
		gfx_take_lanes(to + i * GFX_MAX_LANES, rows + i * GFX_MAX_LANES, wave->exec);
	return GFX_STEP_DONE;
}

/* The data of one part. Those of DS have a register field each, others follow each other. */
GFX_ALWAYS const uint32_t *data_of(const struct gfx_context *context, uint32_t part)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t number = instruction->encoding == GFX_DS ? instruction->data[part]
							  : instruction->data[0] + part;

	return gfx_vgpr(context->wave, number, 1, instruction->acc);
}

GFX_ALWAYS void store_bytes(const struct spots *spots, uint64_t lanes, uint8_t *bytes,
			    uint32_t size, const uint32_t *from)
{
	for (uint64_t left = lanes; left; left &= left - 1) {
		uint32_t lane = gfx_first_lane(left);
		uint8_t *to = bytes + (spots->address[lane] - spots->low);

		if (size == 4)
			memcpy(to, &from[lane], 4);
		else if (size < 4)
			memcpy(to, &from[lane], size);
		else
			for (uint32_t i = 0; i < size / 4; i++)
				memcpy(to + 4 * (size_t)i, &from[lane + i * GFX_MAX_LANES], 4);
	}
}

GFX_ALWAYS bool store_private(const struct gfx_wave *wave, const struct spots *spots,
			      uint64_t lanes, uint32_t size, const uint32_t *from)
{
	uint64_t address = spots->low;
	uint32_t shift = (uint32_t)(address % 4) * 8;

	if (size < 4) {
		if (spots->low != spots->high || shift + 8 * size > 32)
			return false;
		gfx_merge_lanes((gfx_loose_word *)private_plane(wave, address), from, lanes, shift,
				8 * size);
		return true;
	}
	if (!spots->aligned)
		return false;
	for (uint32_t i = 0; i < size / 4; i++) {
		const uint32_t *row = from + i * GFX_MAX_LANES;

		if (spots->low == spots->high) {
			gfx_take_lanes((gfx_loose_word *)private_plane(wave, address + 4 * i), row,
				       lanes);
			continue;
		}
		for (uint64_t left = lanes; left; left &= left - 1) {
			uint32_t lane = gfx_first_lane(left);

			memcpy(private_plane(wave, spots->address[lane] + 4 * i) + 4 * (size_t)lane,
			       &row[lane], 4);
		}
	}
	return true;
}

/* Return: whether it can be written; nothing is. *bytes_ret is NULL for private memory. */
GFX_ALWAYS bool find_room(const struct gfx_context *context, const struct gfx_access *access,
			  struct spots *spots, uint8_t **bytes_ret)
{
	enum gfx_access_space space = access->space;

	*bytes_ret = NULL;
	if (!settle_space(context->memory, spots, &space))
		return false;
	if (space == GFX_ACCESS_PRIVATE)
		return is_private_plain(context, spots, access->size);
	*bytes_ret = find_bytes(context, spots, space, access->size, true);
	return *bytes_ret;
}

/* Parts are of LDS or global memory: private memory has one. */
GFX_ALWAYS bool store_part(const struct gfx_context *context, const struct gfx_access *access,
			   uint32_t part, const struct spots *spots, uint8_t *bytes)
{
	const uint32_t *from = data_of(context, part);

	if (!bytes)
		return store_private(context->wave, spots, access->lanes, access->size, from);
	if (access->size == 4 && spots->row && access->lanes == UINT64_MAX)
		memcpy(bytes, from, 4 * GFX_MAX_LANES);
	else
		store_bytes(spots, access->lanes, bytes, access->size, from);
	return true;
}

GFX_ALWAYS enum gfx_step store(struct gfx_context *context)
{
	const struct gfx_operation *operation = context->instruction->operation;
	struct spots spots[MAX_WORDS];
	uint8_t *bytes[MAX_WORDS];
	struct gfx_access access;

	if (!context->wave->exec)
		return GFX_STEP_DONE;
	gfx_resolve_access(context, &access);
	if (access.lanes != context->wave->exec || access.parts > MAX_WORDS)
		return operation->execute(context);
	for (uint32_t part = 0; part < access.parts; part++) {
		find_spots(&access, part, &spots[part]);
		if (!find_room(context, &access, &spots[part], &bytes[part]))
			return operation->execute(context);
	}
	for (uint32_t part = 0; part < access.parts; part++)
		if (!store_part(context, &access, part, &spots[part], bytes[part]))
			return operation->execute(context);
	return GFX_STEP_DONE;
}

/* ---- Private memory at an address that all lanes have: what the stack of code that is not optimised is ---- */

/* Return: false if memory.c has to say what happens. */
GFX_ALWAYS bool find_common(const struct gfx_context *context, uint32_t *address_ret)
{
	const struct gfx_plan *plan = context->plan;
	uint32_t base =
		plan->mask_in == GFX_NO_PLACE ? 0 : gfx_wave_word(context->wave, plan->mask_in);
	uint32_t address = base + (uint32_t)context->instruction->offset;
	uint32_t size = context->instruction->operation->size;
	const struct spots spots = {.low = address, .high = address};

	*address_ret = address;
	return is_private_plain(context, &spots, size) &&
	       (size < 4 ? address % 4 + size <= 4 : address % 4 == 0);
}

GFX_ALWAYS enum gfx_step load_common(struct gfx_context *context)
{
	const struct gfx_operation *operation = context->instruction->operation;
	struct gfx_wave *wave = context->wave;
	uint32_t *to = wave->vgprs + context->plan->dst, address, row[GFX_MAX_LANES];

	if (!wave->exec)
		return GFX_STEP_DONE;
	if (!find_common(context, &address))
		return operation->execute(context);
	if (operation->size < 4) {
		const struct spots spots = {.low = address, .high = address};

		(void)load_private(wave, &spots, operation->size, operation->flags & GFX_SIGNED,
				   row);
		gfx_take_lanes(to, row, wave->exec);
		return GFX_STEP_DONE;
	}
	for (uint32_t i = 0; i < operation->size / 4U; i++)
		gfx_take_lanes(to + i * GFX_MAX_LANES,
			       (const gfx_loose_word *)private_plane(wave, address + 4 * i),
			       wave->exec);
	return GFX_STEP_DONE;
}

GFX_ALWAYS enum gfx_step store_common(struct gfx_context *context)
{
	const struct gfx_operation *operation = context->instruction->operation;
	const struct gfx_wave *wave = context->wave;
	const uint32_t *from = wave->vgprs + context->plan->dst;
	struct spots spots;
	uint32_t address;

	if (!wave->exec)
		return GFX_STEP_DONE;
	if (!find_common(context, &address))
		return operation->execute(context);
	spots.low = spots.high = address;
	spots.aligned = true;
	(void)store_private(wave, &spots, wave->exec, operation->size, from);
	return GFX_STEP_DONE;
}

GFX_QUICK(load)
GFX_QUICK(store)
GFX_QUICK(load_common)
GFX_QUICK(store_common)

/* Whether the registers of the data are all there. */
static bool has_data(const struct gfx_context *context, uint32_t words, uint32_t parts)
{
	const struct gfx_instruction *instruction = context->instruction;
	bool separate = instruction->encoding == GFX_DS && parts > 1;

	if (instruction->operation->memory == GFX_MEMORY_LOAD)
		return gfx_vgpr(context->wave, instruction->dst, words * parts, instruction->acc);
	return gfx_vgpr(context->wave, instruction->data[0], words, instruction->acc) &&
	       (!separate ||
		gfx_vgpr(context->wave, instruction->data[1], words, instruction->acc));
}

static bool is_common(const struct gfx_context *context, bool loads, struct gfx_plan *plan)
{
	const struct gfx_instruction *instruction = context->instruction;

	if (instruction->encoding != GFX_SCRATCH || instruction->has_address || instruction->acc)
		return false;
	plan->dst = (loads ? instruction->dst : instruction->data[0]) * GFX_MAX_LANES;
	plan->mask_in = GFX_NO_PLACE;
	return instruction->scalar_address == GFX_CODE_OFF ||
	       gfx_plan_scalar(context->wave, instruction->scalar_address, 1, false,
			       &plan->mask_in);
}

bool gfx_plan_memory(const struct gfx_context *context, enum gfx_path path, struct gfx_plan *plan)
{
	const struct gfx_operation *operation = context->instruction->operation;
	bool loads = operation->memory == GFX_MEMORY_LOAD;

	if (operation->execute != gfx_execute_memory ||
	    (!loads && operation->memory != GFX_MEMORY_STORE) ||
	    operation->flags & (GFX_D16 | GFX_HIGH_HALF))
		return false;
	if (!has_data(context, (operation->size + 3U) / 4, operation->flags & GFX_PAIR ? 2 : 1))
		return false;
	plan->execute = loads ? load_functions[path] : store_functions[path];
	if (is_common(context, loads, plan))
		plan->execute = loads ? load_common_functions[path] : store_common_functions[path];
	return true;
}
