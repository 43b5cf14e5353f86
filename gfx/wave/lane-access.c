/* SPDX-License-Identifier: MIT */
/*
 * Access to memory lane by lane. Each lane's address leads to global memory (the caller's
 * callbacks), to the workgroup's LDS or to the lane's private memory; generic addresses are sorted
 * by aperture. Lanes whose global addresses follow each other are accessed together. Where a DS instruction leaves the
 * LDS, and that is to be as on hardware, its bytes are nowhere: they read as 0.
 */
#include <string.h>

#include "gfx/architecture/private.h"
#include "gfx/wave/memory-access.h"

#define RUN_BYTES 64

enum place {
	PLACE_GLOBAL,
	PLACE_LOCAL,
	PLACE_PRIVATE,
	PLACE_NOWHERE,
};

struct spot {
	enum place place;
	uint64_t address;
};

static struct spot find_spot(const struct gfx_context *context, const struct gfx_access *access,
			     uint32_t lane, uint32_t part)
{
	const struct gfx_memory *memory = context->memory;
	uint64_t address = gfx_part_address(access, lane, part);

	if (access->space == GFX_ACCESS_LOCAL && memory->lenient_local &&
	    !gfx_in_local(context, (uint32_t)address, access->size))
		return (struct spot){PLACE_NOWHERE, (uint32_t)address};
	if (access->space == GFX_ACCESS_LOCAL)
		return (struct spot){PLACE_LOCAL, (uint32_t)address};
	if (access->space == GFX_ACCESS_PRIVATE)
		return (struct spot){PLACE_PRIVATE, address};
	if (access->space == GFX_ACCESS_GENERIC) {
		if (address >= memory->local_base && address <= memory->local_limit)
			return (struct spot){PLACE_LOCAL, address - memory->local_base};
		if (address >= memory->private_base && address <= memory->private_limit)
			return (struct spot){PLACE_PRIVATE, address - memory->private_base};
	}
	return (struct spot){PLACE_GLOBAL, address};
}

static bool lane_is_private(const struct gfx_wave *wave, uint64_t address, uint32_t size)
{
	uint64_t per_lane = wave->scratch_size / gfx_lanes(wave) / 4 * 4;

	return address < per_lane && size <= per_lane - address;
}

static uint8_t *private_byte(const struct gfx_wave *wave, uint32_t lane, uint64_t address)
{
	return wave->scratch + gfx_private_place(gfx_lanes(wave), lane, address);
}

/* Word by word: what a lane has side by side is not so in the wave's scratch. */
static void note_private(const struct gfx_context *context, uint32_t lane, uint64_t address,
			 uint32_t size, bool write)
{
	const struct gfx_memory *memory = context->memory;
	uint32_t part;

	if (!memory->note_private)
		return;
	for (uint32_t i = 0; i < size; i += part) {
		uint32_t left = 4 - (uint32_t)((address + i) % 4);

		part = left < size - i ? left : size - i;
		memory->note_private(
			memory->opaque,
			context->wave->scratch_base +
				gfx_private_place(gfx_lanes(context->wave), lane, address + i),
			part, write);
	}
}

static void copy_from_private(const struct gfx_wave *wave, uint32_t lane, uint64_t address,
			      uint8_t *data, uint32_t size)
{
	if (address % 4 == 0 && size % 4 == 0) {
		for (uint32_t i = 0; i < size; i += 4)
			memcpy(data + i, private_byte(wave, lane, address + i), 4);
		return;
	}
	for (uint32_t i = 0; i < size; i++)
		data[i] = *private_byte(wave, lane, address + i);
}

static void copy_to_private(const struct gfx_wave *wave, uint32_t lane, uint64_t address,
			    const uint8_t *data, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		*private_byte(wave, lane, address + i) = data[i];
}

static void fail(struct gfx_access_failure *failure, uint32_t lane, enum place place)
{
	if (!failure->lanes) {
		failure->step =
			place == PLACE_GLOBAL ? GFX_STEP_MEMORY_VIOLATION : GFX_STEP_ADDRESS_ERROR;
		failure->reason = place == PLACE_GLOBAL	 ? "global address not accessible"
				  : place == PLACE_LOCAL ? "outside the workgroup's local memory"
							 : "outside the lane's private memory";
		failure->outside_local = true;
	}
	failure->outside_local &= place == PLACE_LOCAL;
	failure->lanes |= UINT64_C(1) << lane;
}

static bool read_spot(const struct gfx_context *context, struct spot spot, uint32_t lane,
		      uint8_t *data, uint32_t size)
{
	const struct gfx_wave *wave = context->wave;
	const struct gfx_memory *memory = context->memory;

	switch (spot.place) {
	case PLACE_LOCAL:
		if (!gfx_in_local(context, spot.address, size))
			return false;
		memcpy(data, wave->lds + spot.address, size);
		return true;
	case PLACE_PRIVATE:
		if (!lane_is_private(wave, spot.address, size))
			return false;
		copy_from_private(wave, lane, spot.address, data, size);
		note_private(context, lane, spot.address, size, false);
		return true;
	case PLACE_NOWHERE:
		memset(data, 0, size);
		return true;
	case PLACE_GLOBAL:
	default:
		return memory->read(memory->opaque, spot.address, data, size);
	}
}

/* Writes after a check always succeed: nothing runs in between. */
static void write_spot(const struct gfx_context *context, struct spot spot, uint32_t lane,
		       const uint8_t *data, uint32_t size)
{
	const struct gfx_memory *memory = context->memory;

	switch (spot.place) {
	case PLACE_LOCAL:
		memcpy(context->wave->lds + spot.address, data, size);
		break;
	case PLACE_PRIVATE:
		copy_to_private(context->wave, lane, spot.address, data, size);
		note_private(context, lane, spot.address, size, true);
		break;
	case PLACE_NOWHERE:
		break;
	case PLACE_GLOBAL:
	default:
		(void)memory->write(memory->opaque, spot.address, data, size);
		break;
	}
}

static bool check_global(const struct gfx_memory *memory, uint64_t address, uint32_t size)
{
	uint8_t old[RUN_BYTES];

	if (memory->probe)
		return memory->probe(memory->opaque, address, size, true);
	return memory->read(memory->opaque, address, old, size) &&
	       memory->write(memory->opaque, address, old, size);
}

static bool check_spot(const struct gfx_context *context, struct spot spot, uint32_t size)
{
	switch (spot.place) {
	case PLACE_LOCAL:
		return gfx_in_local(context, spot.address, size);
	case PLACE_PRIVATE:
		return lane_is_private(context->wave, spot.address, size);
	case PLACE_NOWHERE:
		return true;
	case PLACE_GLOBAL:
	default:
		return check_global(context->memory, spot.address, size);
	}
}

/* Lanes from @lane on that are active and follow each other in global memory. */
static uint32_t lane_run_length(const struct gfx_context *context, const struct gfx_access *access,
				uint32_t lane, uint32_t part, struct spot first)
{
	uint32_t size = access->size, length = 1;
	uint64_t last_start = UINT64_MAX - RUN_BYTES;

	if (first.place != PLACE_GLOBAL || first.address > last_start)
		return 1;
	while (lane + length < GFX_MAX_LANES && (length + 1) * size <= RUN_BYTES &&
	       access->lanes >> (lane + length) & 1) {
		struct spot next = find_spot(context, access, lane + length, part);

		if (next.place != PLACE_GLOBAL || next.address != first.address + length * size)
			break;
		length++;
	}
	return length;
}

/* A run that failed as a whole is tried again lane by lane, to name the lanes. */
static void read_singly(const struct gfx_context *context, const struct gfx_access *access,
			uint32_t lane, uint32_t count, uint32_t part, struct gfx_lane_bytes *bytes,
			struct gfx_access_failure *failure)
{
	for (uint32_t i = lane; i < lane + count; i++) {
		struct spot spot = find_spot(context, access, i, part);

		if (!read_spot(context, spot, i, bytes->lane[i] + part * access->size,
			       access->size))
			fail(failure, i, spot.place);
	}
}

static void lanes_read(const struct gfx_context *context, const struct gfx_access *access,
		       uint32_t part, struct gfx_lane_bytes *bytes,
		       struct gfx_access_failure *failure)
{
	uint32_t size = access->size, count;
	uint8_t data[RUN_BYTES];

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane += count) {
		struct spot spot;

		count = 1;
		if (!(access->lanes >> lane & 1))
			continue;
		spot = find_spot(context, access, lane, part);
		count = lane_run_length(context, access, lane, part, spot);
		if (count == 1 || !read_spot(context, spot, lane, data, count * size)) {
			read_singly(context, access, lane, count, part, bytes, failure);
			continue;
		}
		for (uint32_t i = 0; i < count; i++)
			memcpy(bytes->lane[lane + i] + part * size, data + i * size, size);
	}
}

enum gfx_step gfx_read_parts(struct gfx_context *context, const struct gfx_access *access,
			     struct gfx_lane_bytes *bytes)
{
	struct gfx_access_failure failure = {.lanes = 0};

	if (access->lanes != UINT64_MAX)
		memset(bytes, 0, sizeof(*bytes));
	for (uint32_t part = 0; part < access->parts; part++)
		lanes_read(context, access, part, bytes, &failure);
	return failure.lanes ? gfx_access_report(context, access, &failure, false) : GFX_STEP_DONE;
}

static void check_singly(const struct gfx_context *context, const struct gfx_access *access,
			 uint32_t lane, uint32_t count, uint32_t part,
			 struct gfx_access_failure *failure)
{
	for (uint32_t i = lane; i < lane + count; i++) {
		struct spot spot = find_spot(context, access, i, part);

		if (!check_spot(context, spot, access->size))
			fail(failure, i, spot.place);
	}
}

static void check_alignment(const struct gfx_access *access, struct gfx_access_failure *failure)
{
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		if (!(access->lanes >> lane & 1) || access->addresses[lane] % access->size == 0)
			continue;
		if (!failure->lanes) {
			failure->step = GFX_STEP_ADDRESS_ERROR;
			failure->reason = "address of an atomic is not aligned";
		}
		failure->lanes |= UINT64_C(1) << lane;
	}
}

void gfx_check_lanes(const struct gfx_context *context, const struct gfx_access *access,
		     uint32_t part, bool aligned, struct gfx_access_failure *failure)
{
	uint32_t count;

	if (aligned)
		check_alignment(access, failure);
	if (failure->lanes)
		return;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane += count) {
		struct spot spot;

		count = 1;
		if (!(access->lanes >> lane & 1))
			continue;
		spot = find_spot(context, access, lane, part);
		count = lane_run_length(context, access, lane, part, spot);
		if (!check_spot(context, spot, count * access->size))
			check_singly(context, access, lane, count, part, failure);
	}
}

void gfx_write_lanes(const struct gfx_context *context, const struct gfx_access *access,
		     uint32_t part, const struct gfx_lane_bytes *bytes)
{
	uint32_t size = access->size, count;
	uint8_t data[RUN_BYTES];

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane += count) {
		struct spot spot;

		count = 1;
		if (!(access->lanes >> lane & 1))
			continue;
		spot = find_spot(context, access, lane, part);
		count = lane_run_length(context, access, lane, part, spot);
		for (uint32_t i = 0; i < count; i++)
			memcpy(data + i * size, bytes->lane[lane + i] + part * size, size);
		write_spot(context, spot, lane, data, count * size);
	}
}

void gfx_read_lane(const struct gfx_context *context, const struct gfx_access *access,
		   uint32_t lane, void *data)
{
	(void)read_spot(context, find_spot(context, access, lane, 0), lane, data, access->size);
}

bool gfx_replace_lane(const struct gfx_context *context, const struct gfx_access *access,
		      uint32_t lane, const void *old, const void *next)
{
	const struct gfx_memory *memory = context->memory;
	struct spot spot = find_spot(context, access, lane, 0);

	if (spot.place == PLACE_GLOBAL && memory->replace)
		return memory->replace(memory->opaque, spot.address, access->size, old, next);
	write_spot(context, spot, lane, next, access->size);
	return true;
}
