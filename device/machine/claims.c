/* SPDX-License-Identifier: MIT */
#include "device/machine/claims.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Of a line: the window of the claim, who has written, who has read. A claim of another window is none. */
#define WINDOW_SHIFT (2 * WT_CLAIM_OWNERS)
#define WRITERS_SHIFT WT_CLAIM_OWNERS
#define OWNERS_MASK ((UINT64_C(1) << WT_CLAIM_OWNERS) - 1)
#define CLAIM_MASK ((UINT64_C(1) << WINDOW_SHIFT) - 1)
#define LAST_WINDOW (UINT64_MAX >> WINDOW_SHIFT)
/* Bytes that are accessed in place at most: those of lanes that lie in a row, and little between them. */
#define IN_PLACE_MAX 1024u
/* What one workgroup writes in one window at most. */
#define LINES_MAX ((size_t)1 << 16)
#define LINES_FIRST ((size_t)256)

static bool is_claimed(const struct wt_memory_range *range)
{
	return range->access & WT_MEMORY_WRITE;
}

static size_t line_count(const struct wt_memory_range *range)
{
	return (size_t)(range->size / WT_CLAIM_LINE + 1);
}

void wt_claims_deinit(struct wt_claims *claims)
{
	for (size_t i = 0; i < claims->memory->count; i++) {
		free(claims->memory->ranges[i].claims);
		claims->memory->ranges[i].claims = NULL;
	}
	claims->window = 0;
}

bool wt_claims_renew(struct wt_claims *claims)
{
	struct wt_memory *memory = claims->memory;

	/* Claims of so many windows ago would seem to be of this one. */
	if (claims->window == LAST_WINDOW)
		wt_claims_deinit(claims);
	for (size_t i = 0; i < memory->count; i++) {
		struct wt_memory_range *range = &memory->ranges[i];

		if (!range->claims && is_claimed(range))
			range->claims = calloc(line_count(range), sizeof(*range->claims));
		if (!range->claims && is_claimed(range))
			return false;
	}
	claims->window++;
	claims->owners = 0;
	claims->settled = 0;
	return true;
}

bool wt_claimant_begin(struct wt_claimant *claimant, struct wt_claims *claims)
{
	if (claims->owners == WT_CLAIM_OWNERS)
		return false;
	claimant->claims = claims;
	claimant->owner = UINT64_C(1) << claims->owners++;
	claimant->others = OWNERS_MASK & ~claimant->owner & ~claims->settled;
	claimant->failed = false;
	claimant->last_read = claimant->last_write = claimant->last_fetch = 0;
	claimant->line_count = 0;
	return true;
}

void wt_claimant_settle(const struct wt_claimant *claimant, struct wt_claims *claims)
{
	claims->settled |= claimant->owner;
}

void wt_claimant_undo(struct wt_claimant *claimant)
{
	for (size_t i = 0; i < claimant->line_count; i++)
		memcpy(claimant->lines[i].place, claimant->lines[i].bytes, claimant->lines[i].size);
	claimant->line_count = 0;
}

void wt_claimant_deinit(struct wt_claimant *claimant)
{
	free(claimant->lines);
	claimant->lines = NULL;
	claimant->line_count = claimant->line_capacity = 0;
}

/* ---- Claims ---- */

/* Who has claimed a line in this window: readers in the low bits, writers above them. */
static inline uint64_t owners_of(const struct wt_claimant *claimant, uint64_t claim)
{
	return claim >> WINDOW_SHIFT == claimant->claims->window ? claim & CLAIM_MASK : 0;
}

/* Add @mine to a claim, unless one of @others is in it. */
static inline bool claim_line(const struct wt_claimant *claimant, _Atomic uint64_t *claim,
			      uint64_t mine, uint64_t others)
{
	uint64_t seen = atomic_load_explicit(claim, memory_order_relaxed), owners;

	do {
		owners = owners_of(claimant, seen);
		if (owners & others)
			return false;
		if ((owners & mine) == mine)
			return true;
	} while (!atomic_compare_exchange_weak_explicit(
		claim, &seen, claimant->claims->window << WINDOW_SHIFT | owners | mine,
		memory_order_relaxed, memory_order_relaxed));
	return true;
}

/* As it is before the first write of this workgroup. */
static bool keep_line(struct wt_claimant *claimant, const struct wt_memory_range *range,
		      uint64_t line)
{
	uint64_t offset = line * WT_CLAIM_LINE, left = range->size - offset;
	size_t capacity = claimant->line_capacity ? 2 * claimant->line_capacity : LINES_FIRST;
	struct wt_claim_line *lines;

	if (claimant->line_count == claimant->line_capacity) {
		if (capacity > LINES_MAX)
			return false;
		lines = reallocarray(claimant->lines, capacity, sizeof(*lines));
		if (!lines)
			return false;
		claimant->lines = lines;
		claimant->line_capacity = capacity;
	}
	lines = &claimant->lines[claimant->line_count++];
	lines->place = range->data + offset;
	lines->size = left < WT_CLAIM_LINE ? (uint32_t)left : WT_CLAIM_LINE;
	memcpy(lines->bytes, lines->place, lines->size);
	return true;
}

static bool claim_read(struct wt_claimant *claimant, const struct wt_memory_range *range,
		       uint64_t offset, uint64_t size)
{
	const uint64_t others = claimant->others << WRITERS_SHIFT;

	for (uint64_t line = offset / WT_CLAIM_LINE; line <= (offset + size - 1) / WT_CLAIM_LINE;
	     line++)
		if (!claim_line(claimant, &range->claims[line], claimant->owner, others))
			return false;
	return true;
}

static bool claim_write(struct wt_claimant *claimant, const struct wt_memory_range *range,
			uint64_t offset, uint64_t size)
{
	const uint64_t others = claimant->others | claimant->others << WRITERS_SHIFT;
	const uint64_t mine = claimant->owner << WRITERS_SHIFT;

	for (uint64_t line = offset / WT_CLAIM_LINE; line <= (offset + size - 1) / WT_CLAIM_LINE;
	     line++) {
		_Atomic uint64_t *claim = &range->claims[line];

		if (owners_of(claimant, atomic_load_explicit(claim, memory_order_relaxed)) & mine)
			continue;
		if (!claim_line(claimant, claim, mine, others) || !keep_line(claimant, range, line))
			return false;
	}
	return true;
}

/* ---- Accesses ---- */

/* Private memory has a global address, too, by which other waves could reach it behind our back. */
static bool is_shareable(const struct wt_memory_range *range)
{
	return range->address / WT_MEMORY_REGION_SIZE !=
	       WT_MEMORY_SCRATCH_FIRST / WT_MEMORY_REGION_SIZE;
}

/*
 * The bytes of an access of a size that is not 0; NULL if it is not allowed, or if workgroups meet by it. In the second case
 * the claimant has failed, and what the wave makes of it does not matter. It may go on with other lanes of the instruction, but
 * nothing is written any more: a line may have been claimed by then, and not kept.
 */
static uint8_t *claim(struct wt_claimant *claimant, uint64_t address, uint64_t size, bool write)
{
	const struct wt_memory_range *range = wt_memory_range_of(
		claimant->claims->memory, address, size, write ? WT_MEMORY_WRITE : WT_MEMORY_READ,
		write ? &claimant->last_write : &claimant->last_read);
	uint64_t offset;
	bool claimed;

	if (!range || claimant->failed)
		return NULL;
	offset = address - range->address;
	if (!is_shareable(range) || (write && range->access & WT_MEMORY_EXECUTE))
		claimed = false;
	else if (!is_claimed(range))
		claimed = true;
	else
		claimed = write ? claim_write(claimant, range, offset, size)
				: claim_read(claimant, range, offset, size);
	claimant->failed |= !claimed;
	return claimed ? range->data + offset : NULL;
}

static bool read_claimed(void *opaque, uint64_t address, void *data, size_t size)
{
	const uint8_t *bytes = claim(opaque, address, size, false);

	if (bytes)
		memcpy(data, bytes, size);
	return bytes;
}

static bool write_claimed(void *opaque, uint64_t address, const void *data, size_t size)
{
	uint8_t *bytes = claim(opaque, address, size, true);

	if (bytes)
		memcpy(bytes, data, size);
	return bytes;
}

static uint8_t *map_claimed(void *opaque, uint64_t address, uint64_t size, bool write)
{
	return size <= IN_PLACE_MAX ? claim(opaque, address, size, write) : NULL;
}

/* Code is not written to while there are claimants. */
static bool fetch_claimed(void *opaque, uint64_t address, void *data, size_t size)
{
	struct wt_claimant *claimant = opaque;
	const struct wt_memory_range *range = wt_memory_range_of(
		claimant->claims->memory, address, size, WT_MEMORY_EXECUTE, &claimant->last_fetch);

	if (range)
		memcpy(data, range->data + (address - range->address), size);
	return range;
}

static bool probe_claimed(void *opaque, uint64_t address, size_t size, bool write)
{
	struct wt_claimant *claimant = opaque;

	return wt_memory_range_of(claimant->claims->memory, address, size,
				  write ? WT_MEMORY_WRITE : WT_MEMORY_READ,
				  write ? &claimant->last_write : &claimant->last_read);
}

struct gfx_memory wt_claimant_memory(struct wt_claimant *claimant, const struct gfx_memory *memory)
{
	struct gfx_memory seen = *memory;

	seen.opaque = claimant;
	seen.read = read_claimed;
	seen.write = write_claimed;
	seen.fetch = fetch_claimed;
	seen.probe = probe_claimed;
	seen.map = map_claimed;
	seen.replace = NULL;
	return seen;
}
