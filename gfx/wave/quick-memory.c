/* SPDX-License-Identifier: MIT */
/*
 * Loads and stores whose lanes all find their bytes: in one range of global memory that is there in place, in the
 * workgroup's LDS, or in private memory. Whatever is not so simple is left to memory-access.c, before anything has changed.
 */
#include <string.h>

#include "gfx/architecture/private.h"
#include "gfx/wave/memory-access.h"
#include "gfx/wave/some.h"

#define MAX_WORDS 4 /* of a lane, in all parts */

/* Places of the lanes of one part, in bytes from the lowest. A lane that is off has that of the first active one. */
struct spots {
	uint32_t offset[GFX_MAX_LANES];
	uint64_t low, high; /* the lowest and the highest address */
	bool row;	    /* each active lane follows the lane before it */
	bool level;	    /* they are whole words apart, */
	bool aligned;	    /* and multiples of a word */
};

/*
 * The addresses of the lanes: a base, and what each lane adds. In private memory and LDS they have 32 bits, and wrap. @high is NULL
 * where lanes add 32 bits.
 */
struct places {
	uint64_t base;
	bool narrow;
	const uint32_t *low, *high;
	uint32_t room[2][GFX_MAX_LANES];
};

/* Addresses as gfx_compute_access() has them, from operands whose places are known. */
GFX_ALWAYS void compute(const struct gfx_context *context, struct places *places)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_plan *plan = context->plan;
	const struct gfx_wave *wave = context->wave;

	places->base = gfx_address_offset(instruction);
	if (plan->mask_in != GFX_NO_PLACE)
		places->base += places->narrow ? gfx_wave_word(wave, plan->mask_in)
					       : gfx_wave_pair(wave, plan->mask_in);
	places->low = wave->vgprs + plan->src[2].place[0];
	places->high = plan->src[2].words > 1 ? wave->vgprs + plan->src[2].place[1] : NULL;
}

/* The same from addresses that gfx_compute_access() has made. */
GFX_ALWAYS void split(const struct gfx_access *access, struct places *places)
{
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		places->room[0][lane] = (uint32_t)access->addresses[lane];
		places->room[1][lane] = (uint32_t)(access->addresses[lane] >> 32);
	}
	places->base = 0;
	places->low = places->room[0];
	places->high = places->narrow ? NULL : places->room[1];
}

/* All of an access but its addresses, which are in *places. */
GFX_ALWAYS void resolve(const struct gfx_context *context, struct gfx_access *access,
			struct places *places)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_operation *operation = instruction->operation;
	bool pair = operation->flags & GFX_PAIR;

	access->space = (enum gfx_access_space)context->plan->finish;
	if (!context->plan->src[2].words)
		gfx_resolve_access(context, access);
	places->narrow = access->space == GFX_ACCESS_PRIVATE || access->space == GFX_ACCESS_LOCAL;
	if (!context->plan->src[2].words) {
		split(access, places);
		return;
	}
	access->size = operation->size;
	access->parts = pair ? 2 : 1;
	access->second_distance =
		pair ? (int32_t)instruction->pair_offset[1] - (int32_t)instruction->pair_offset[0]
		     : 0;
	access->word_distance = 0;
	access->lanes = context->wave->exec;
	compute(context, places);
}

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
	spots->low -= base;
	spots->high -= base;
	return true;
}

/* Return: false if the lanes are so far apart that they are nothing that is done here. */
GFX_ALWAYS bool find_spots(const struct gfx_access *access, const struct places *places,
			   uint32_t part, struct spots *spots)
{
	uint64_t base = places->base + part * (uint64_t)(int64_t)access->second_distance;
	uint32_t first = gfx_first_lane(access->lanes), add = places->narrow ? (uint32_t)base : 0;
	uint32_t start = places->low[first] + add, least = UINT32_MAX, most = 0;
	uint32_t upper = places->high ? places->high[first] : 0, far = 0, apart = 0, uneven = 0;
	uint64_t lanes = access->lanes;

	for (uint32_t half = 0; half < GFX_MAX_LANES; half += GFX_HALF_LANES, lanes >>= 32) {
		uint32_t on = (uint32_t)lanes;

		for (uint32_t i = 0; i < GFX_HALF_LANES; i++) {
			uint32_t taken = on & gfx_lane_bits[i] ? UINT32_MAX : 0;
			uint32_t value = ((places->low[half + i] + add) & taken) | (start & ~taken);
			uint32_t next = (half + i - first) * access->size;

			least = value < least ? value : least;
			most = value > most ? value : most;
			uneven |= value - start;
			apart |= ((value - start) ^ next) & taken;
			spots->offset[half + i] = value;
		}
		for (uint32_t i = 0; places->high && i < GFX_HALF_LANES; i++)
			far |= on & gfx_lane_bits[i] ? places->high[half + i] ^ upper : 0;
	}
	if (far)
		return false;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		spots->offset[lane] -= least;
	base = places->narrow ? 0 : base + ((uint64_t)upper << 32);
	spots->low = base + least;
	spots->high = base + most;
	spots->row = !apart;
	spots->level = uneven % 4 == 0;
	spots->aligned = spots->level && spots->low % 4 == 0;
	/* Addresses that wrap are no neighbours. */
	return spots->low <= spots->high;
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
	return wave->scratch + gfx_private_place(GFX_MAX_LANES, 0, address / 4 * 4);
}

/* Whether no lane's bytes, fewer than four, are in two words. */
GFX_ALWAYS bool is_whole(const struct spots *spots, uint32_t size)
{
	uint32_t split = 0;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		split |= (spots->low + spots->offset[lane]) % 4 + size > 4 ? 1U : 0U;
	return !split;
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
	const gfx_loose_word *words = (const gfx_loose_word *)bytes;
	int32_t index[GFX_MAX_LANES];

	if (size < 4) {
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			rows[lane] = extended(load_small(bytes + spots->offset[lane], size), size,
					      is_signed);
		return;
	}
	if (!spots->level) {
		for (uint32_t i = 0; i < size / 4; i++)
			for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
				memcpy(&rows[i * GFX_MAX_LANES + lane],
				       bytes + spots->offset[lane] + 4 * (size_t)i, 4);
		return;
	}
	/* Hosts that can gather words by their numbers do. */
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		index[lane] = (int32_t)(spots->offset[lane] / 4);
	for (uint32_t i = 0; i < size / 4; i++, words++)
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			rows[i * GFX_MAX_LANES + lane] = words[index[lane]];
}

/* The byte of private memory at an address of a lane. */
GFX_ALWAYS uint8_t *private_byte(const struct gfx_wave *wave, uint32_t lane, uint64_t address)
{
	return wave->scratch + gfx_private_place(GFX_MAX_LANES, lane, address);
}

/* Return: false if a lane's bytes are in two words. */
GFX_ALWAYS bool load_private_small(const struct gfx_wave *wave, const struct spots *spots,
				   uint32_t size, bool is_signed, uint32_t *rows)
{
	if (!is_whole(spots, size))
		return false;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		rows[lane] = extended(
			load_small(private_byte(wave, lane, spots->low + spots->offset[lane]),
				   size),
			size, is_signed);
	return true;
}

/* Return: false if a lane's bytes are in two words, and not all of both. */
GFX_ALWAYS bool load_private(const struct gfx_wave *wave, const struct spots *spots, uint32_t size,
			     bool is_signed, uint32_t *rows)
{
	uint64_t address = spots->low;
	uint32_t shift = (uint32_t)(address % 4) * 8;

	if (size < 4 && spots->low != spots->high)
		return load_private_small(wave, spots, size, is_signed, rows);
	if (size < 4) {
		if (shift + 8 * size > 32)
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
			       private_plane(wave, spots->low + spots->offset[lane] + 4 * i) +
				       4 * (size_t)lane,
			       4);
	}
	return true;
}

GFX_ALWAYS bool load_part(const struct gfx_context *context, const struct gfx_access *access,
			  const struct places *places, uint32_t part, uint32_t *rows)
{
	bool is_signed = context->instruction->operation->flags & GFX_SIGNED;
	enum gfx_access_space space = access->space;
	uint32_t size = access->size;
	const uint8_t *bytes;
	struct spots spots;

	if (!find_spots(access, places, part, &spots) ||
	    !settle_space(context->memory, &spots, &space))
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

GFX_LANE_LOOPS static enum gfx_step quick_load(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t rows[MAX_WORDS * GFX_MAX_LANES], words, at = 0;
	struct gfx_wave *wave = context->wave;
	struct gfx_access access;
	struct places places;
	uint32_t *to;

	if (!wave->exec)
		return GFX_STEP_DONE;
	resolve(context, &access, &places);
	words = (access.size + 3) / 4;
	if (access.lanes != wave->exec || words * access.parts > MAX_WORDS || access.word_distance)
		return instruction->operation->execute(context);
	for (uint32_t part = 0; part < access.parts; part++, at += words)
		if (!load_part(context, &access, &places, part, rows + at * GFX_MAX_LANES))
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
		uint8_t *to = bytes + spots->offset[lane];

		if (size == 4)
			memcpy(to, &from[lane], 4);
		else if (size == 2)
			memcpy(to, &from[lane], 2);
		else if (size == 1)
			*to = (uint8_t)from[lane];
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

	if (size < 4 && spots->low != spots->high) {
		if (!is_whole(spots, size))
			return false;
		for (uint64_t left = lanes; left; left &= left - 1) {
			uint32_t lane = gfx_first_lane(left);

			memcpy(private_byte(wave, lane, spots->low + spots->offset[lane]),
			       &from[lane], size);
		}
		return true;
	}
	if (size < 4) {
		if (shift + 8 * size > 32)
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

			memcpy(private_plane(wave, spots->low + spots->offset[lane] + 4 * i) +
				       4 * (size_t)lane,
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

GFX_LANE_LOOPS static enum gfx_step quick_store(struct gfx_context *context)
{
	const struct gfx_operation *operation = context->instruction->operation;
	struct spots spots[MAX_WORDS];
	uint8_t *bytes[MAX_WORDS];
	struct gfx_access access;
	struct places places;

	if (!context->wave->exec)
		return GFX_STEP_DONE;
	resolve(context, &access, &places);
	if (access.lanes != context->wave->exec || access.parts > MAX_WORDS || access.word_distance)
		return operation->execute(context);
	for (uint32_t part = 0; part < access.parts; part++) {
		if (!find_spots(&access, &places, part, &spots[part]) ||
		    !find_room(context, &access, &spots[part], &bytes[part]))
			return operation->execute(context);
	}
	for (uint32_t part = 0; part < access.parts; part++)
		if (!store_part(context, &access, part, &spots[part], bytes[part]))
			return operation->execute(context);
	return GFX_STEP_DONE;
}

/* ---- Atomics ---- */

/* The value of a lane in one or two planes. */
static uint64_t quick_lane_value(const uint32_t *planes, uint32_t lane, uint32_t size)
{
	return size == 8 ? gfx_wide(planes, lane) : planes[lane];
}

/* One lane after the other, lowest first; nobody else is there. */
static void quick_exchange(const struct gfx_context *context, const struct spots *spots,
			   uint8_t *bytes, uint32_t *old)
{
	const struct gfx_operation *operation = context->instruction->operation;
	const struct gfx_wave *wave = context->wave;
	const uint32_t *data = wave->vgprs + context->plan->src[0].place[0];
	const uint32_t *compare = wave->vgprs + context->plan->src[1].place[0];
	uint32_t size = operation->size;

	for (uint64_t left = wave->exec; left; left &= left - 1) {
		uint32_t lane = gfx_first_lane(left);
		uint8_t *at = bytes + spots->offset[lane];
		uint64_t value = 0, next;

		memcpy(&value, at, size);
		next = operation->atomic(value, quick_lane_value(data, lane, size),
					 quick_lane_value(compare, lane, size));
		memcpy(at, &next, size);
		gfx_set_wide(old, lane, value);
	}
}

/* Lanes that are off have the place of one that is not. */
static bool is_multiple(const struct spots *spots, uint32_t size)
{
	uint64_t any = 0;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		any |= spots->low + spots->offset[lane];
	return any % size == 0;
}

static enum gfx_step quick_atomic(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t old[2 * GFX_MAX_LANES];
	enum gfx_access_space space;
	struct gfx_access access;
	struct places places;
	struct spots spots;
	uint8_t *bytes;

	if (!context->wave->exec)
		return GFX_STEP_DONE;
	resolve(context, &access, &places);
	space = access.space;
	if (access.lanes != context->wave->exec || access.parts != 1)
		return instruction->operation->execute(context);
	if (!find_spots(&access, &places, 0, &spots) || !is_multiple(&spots, access.size) ||
	    !settle_space(context->memory, &spots, &space) || space == GFX_ACCESS_PRIVATE ||
	    (space == GFX_ACCESS_GLOBAL && context->memory->replace) ||
	    !find_bytes(context, &spots, space, access.size, false))
		return instruction->operation->execute(context);
	bytes = find_bytes(context, &spots, space, access.size, true);
	if (!bytes)
		return instruction->operation->execute(context);
	quick_exchange(context, &spots, bytes, old);
	for (uint32_t i = 0; instruction->returns && i < access.size / 4; i++)
		gfx_commit_lanes(context->wave->vgprs + context->plan->dst + i * GFX_MAX_LANES,
				 old + i * GFX_MAX_LANES, context->wave->exec);
	return GFX_STEP_DONE;
}

/* A global compare-and-swap has both operands in consecutive registers, DS has two fields. */
static bool plan_atomic(const struct gfx_context *context, struct gfx_plan *plan)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t words = instruction->operation->size / 4U, first = instruction->data[0];
	uint32_t second = instruction->encoding == GFX_DS ? instruction->data[1] : first + words;

	if (!(instruction->operation->flags & GFX_TWO_DATA))
		second = first;
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || instruction->acc ||
	    instruction->operation->flags & GFX_PAIR ||
	    !gfx_vgpr(context->wave, first, words, false) ||
	    !gfx_vgpr(context->wave, second, words, false) ||
	    (instruction->returns && !gfx_vgpr(context->wave, instruction->dst, words, false)))
		return false;
	plan->src[0].place[0] = first * GFX_MAX_LANES;
	plan->src[1].place[0] = second * GFX_MAX_LANES;
	plan->dst = instruction->dst * GFX_MAX_LANES;
	plan->execute = quick_atomic;
	return true;
}

/* ---- Private memory at an address that all lanes have: what the stack of code that is not optimised is ---- */

/* Return: false if memory-access.c has to say what happens. */
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

GFX_LANE_LOOPS static enum gfx_step load_common(struct gfx_context *context)
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

GFX_LANE_LOOPS static enum gfx_step store_common(struct gfx_context *context)
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

/* ---- The same by a buffer's descriptor, as for GPUs whose private memory has no instructions of its own ---- */

/* The words of the lanes, the next ones a plane further, and by how many bits theirs are shifted; NULL: memory-access.c does it. */
GFX_ALWAYS uint8_t *find_row(const struct gfx_context *context, bool write, uint32_t *shift_ret)
{
	const struct gfx_memory *memory = context->memory;
	struct gfx_address_inputs inputs = {.exec = context->wave->exec};
	uint64_t address, words = (context->instruction->operation->size + 3U) / 4;

	gfx_read_resource(context, &inputs);
	if (!memory->map || !gfx_buffer_row(context->instruction, &inputs, &address))
		return NULL;
	*shift_ret = (uint32_t)(context->instruction->offset % 4) * 8;
	return memory->map(memory->opaque, address, words * 4 * GFX_MAX_LANES, write);
}

GFX_LANE_LOOPS static enum gfx_step load_row(struct gfx_context *context)
{
	const struct gfx_operation *operation = context->instruction->operation;
	struct gfx_wave *wave = context->wave;
	uint32_t *to = wave->vgprs + context->plan->dst, shift, row[GFX_MAX_LANES];
	const uint8_t *bytes;

	if (!wave->exec)
		return GFX_STEP_DONE;
	bytes = find_row(context, false, &shift);
	if (!bytes)
		return operation->execute(context);
	for (uint32_t i = 0; i < (operation->size + 3U) / 4; i++) {
		memcpy(row, bytes + i * sizeof(row), sizeof(row));
		if (operation->size < 4)
			for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
				row[lane] = extended(row[lane] >> shift, operation->size,
						     operation->flags & GFX_SIGNED);
		gfx_take_lanes(to + i * GFX_MAX_LANES, row, wave->exec);
	}
	return GFX_STEP_DONE;
}

GFX_LANE_LOOPS static enum gfx_step store_row(struct gfx_context *context)
{
	const struct gfx_operation *operation = context->instruction->operation;
	const struct gfx_wave *wave = context->wave;
	const uint32_t *from = wave->vgprs + context->plan->dst;
	uint32_t shift, width = operation->size < 4 ? 8U * operation->size : 32;
	uint8_t *bytes;

	if (!wave->exec)
		return GFX_STEP_DONE;
	bytes = find_row(context, true, &shift);
	if (!bytes)
		return operation->execute(context);
	if (width < 32)
		gfx_merge_lanes((gfx_loose_word *)bytes, from, wave->exec, shift, width);
	else
		for (uint32_t i = 0; i < operation->size / 4U; i++)
			gfx_take_lanes((gfx_loose_word *)bytes + i * GFX_MAX_LANES,
				       from + i * GFX_MAX_LANES, wave->exec);
	return GFX_STEP_DONE;
}

/* A row may be one: the descriptor, which is known when it is executed, says so. */
static bool may_be_row(const struct gfx_instruction *instruction)
{
	return instruction->encoding == GFX_MUBUF && !instruction->has_index &&
	       !instruction->has_offset && !instruction->acc;
}

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

/* Plans the registers that have the address; without a plan it is found as memory-access.c finds it. */
static void plan_address(const struct gfx_context *context, struct gfx_plan *plan)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t words = gfx_address_words(instruction), scalar = instruction->scalar_address;
	bool narrow = instruction->encoding == GFX_SCRATCH;

	plan->mask_in = GFX_NO_PLACE;
	if (!words || instruction->encoding == GFX_MUBUF ||
	    !gfx_vgpr(context->wave, instruction->address, words, false))
		return;
	if ((instruction->encoding == GFX_GLOBAL || narrow) && scalar != GFX_CODE_OFF &&
	    !gfx_plan_scalar(context->wave, scalar, narrow ? 1 : 2, false, &plan->mask_in))
		return;
	plan->finish = (uint8_t)gfx_access_space_of(instruction);
	plan->src[2].words = (uint8_t)words;
	plan->src[2].place[0] = instruction->address * GFX_MAX_LANES;
	plan->src[2].place[1] = (instruction->address + words - 1) * GFX_MAX_LANES;
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

bool gfx_plan_memory(const struct gfx_context *context, struct gfx_plan *plan)
{
	const struct gfx_operation *operation = context->instruction->operation;
	bool loads = operation->memory == GFX_MEMORY_LOAD;
	enum gfx_access_space space = gfx_access_space_of(context->instruction);

	/* Private memory is found here by the places that it has in waves of 64 lanes. */
	if (gfx_is_short(context->wave) &&
	    (space == GFX_ACCESS_PRIVATE || space == GFX_ACCESS_GENERIC))
		return false;
	plan_address(context, plan);
	if (operation->execute == gfx_execute_memory && operation->memory == GFX_MEMORY_ATOMIC)
		return plan_atomic(context, plan);
	if (operation->execute != gfx_execute_memory ||
	    (!loads && operation->memory != GFX_MEMORY_STORE) || context->instruction->to_local ||
	    operation->flags & (GFX_D16 | GFX_HIGH_HALF))
		return false;
	if (!has_data(context, (operation->size + 3U) / 4, operation->flags & GFX_PAIR ? 2 : 1))
		return false;
	plan->execute = loads ? quick_load : quick_store;
	if (may_be_row(context->instruction)) {
		plan->dst = (loads ? context->instruction->dst : context->instruction->data[0]) *
			    GFX_MAX_LANES;
		plan->execute = loads ? load_row : store_row;
	}
	if (is_common(context, loads, plan))
		plan->execute = loads ? load_common : store_common;
	return true;
}
