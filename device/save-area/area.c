/* SPDX-License-Identifier: MIT */
#include "device/save-area/area.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define HEAD_WORDS 6u
#define STACK_SKIPPED 2u
#define STACK_MAX_BYTES (16u << 20)
#define LANE_BYTES 4u

static const char what[] = "cannot read the saved waves";

static struct wt_error *save_area_bad(enum wt_error_code code, uint64_t address, const char *why)
{
	char where[48];

	snprintf(where, sizeof(where), "context save area at 0x%" PRIx64, address);
	return wt_error_create(code, what, where, "%s", why);
}

/* From the top of a wave downwards; false if there is not so much left. */
static bool wave_part_take(uint64_t *top, uint64_t bottom, uint64_t size, uint64_t *address_ret)
{
	if (size > *top - bottom)
		return false;
	*top -= size;
	*address_ret = *top;
	return true;
}

static bool wave_parts_place(const struct wt_save_area_layout *layout, uint64_t bottom,
			     uint64_t top, struct wt_save_area_wave *wave)
{
	const struct wt_save_area_sizes *sizes = &wave->sizes;
	uint64_t row = (uint64_t)sizes->lane_count * LANE_BYTES, unused, lds = top;
	uint64_t lds_size = wave->first ? sizes->lds_size : 0;

	wave->end = top;
	if (!wave_part_take(&top, bottom, layout->unused_bytes, &unused) ||
	    !wave_part_take(&top, bottom, lds_size, &lds) ||
	    !wave_part_take(&top, bottom, 4 * WT_SAVE_AREA_TTMPS, &wave->ttmps) ||
	    !wave_part_take(&top, bottom, 4 * WT_SAVE_AREA_HWREGS, &wave->hwregs) ||
	    !wave_part_take(&top, bottom, UINT64_C(4) * sizes->sgpr_count, &wave->sgprs) ||
	    !wave_part_take(&top, bottom, row * sizes->agpr_count, &wave->agprs) ||
	    !wave_part_take(&top, bottom, UINT64_C(128) * sizes->shared_count, &wave->shared) ||
	    !wave_part_take(&top, bottom, row * sizes->vgpr_count, &wave->vgprs))
		return false;
	wave->lds = wave->first ? lds : 0;
	wave->begin = top;
	return true;
}

struct walk {
	const struct wt_save_area_layout *layout;
	const uint32_t *stack;
	size_t words;
	uint64_t address, bottom, top;
	wt_save_area_visitor visitor;
	void *opaque;
};

static struct wt_error *walk_wave(struct walk *walk, uint32_t word,
				  const struct wt_save_area_sizes *sizes)
{
	const struct wt_save_area_layout *layout = walk->layout;
	struct wt_save_area_wave wave = {
		.sizes = *sizes,
		.slot = wt_bit_field_get(layout->slot, word),
		.engine = wt_bit_field_get(layout->engine, word),
		.scratch = wt_bit_field_get(layout->scratch, word),
		.first = wt_bit_field_get(layout->first, word),
		.last = wt_bit_field_get(layout->last, word),
	};

	if (!wave_parts_place(layout, walk->bottom, walk->top, &wave))
		return save_area_bad(
			WT_ERROR_INPUT, walk->address,
			"the control stack names more waves than the area has room for");
	walk->top = wave.begin;
	return walk->visitor(walk->opaque, &wave);
}

static struct wt_error *walk_stack(struct walk *walk)
{
	struct wt_error *error = NULL;
	struct wt_save_area_sizes sizes = {0};
	bool known = false;

	for (size_t i = STACK_SKIPPED; i < walk->words && !error; i++) {
		uint32_t word = le32toh(walk->stack[i]);

		if (word & WT_SAVE_AREA_WORD_EVENT)
			continue;
		if (!(word & WT_SAVE_AREA_WORD_STATE)) {
			error = known ? walk_wave(walk, word, &sizes)
				      : save_area_bad(WT_ERROR_INPUT, walk->address,
						      "a wave comes before the first state");
			continue;
		}
		sizes = wt_save_area_sizes_decode(walk->layout, &word);
		known = true;
		i += walk->layout->state_words - 1;
	}
	if (!error && walk->top != walk->bottom)
		return save_area_bad(WT_ERROR_INPUT, walk->address,
				     "the control stack names fewer waves than the area holds");
	return error;
}

/* The six words at the start: control stack, waves, memory for the debugger, as offset and size. */
static struct wt_error *check_head(const uint32_t head[HEAD_WORDS], uint64_t address, uint64_t size)
{
	uint64_t stack = head[0], stack_size = head[1], waves_end = head[2], waves_size = head[3];

	if (waves_end > size || waves_size > waves_end || stack > size ||
	    stack_size > size - stack || stack_size % 4)
		return save_area_bad(WT_ERROR_INPUT, address, "its head names bytes outside of it");
	if (stack + stack_size != waves_end - waves_size)
		return save_area_bad(WT_ERROR_INPUT, address,
				     "the waves do not follow the control stack");
	if (stack_size > STACK_MAX_BYTES)
		return save_area_bad(WT_ERROR_LIMIT, address, "the control stack is too long");
	return NULL;
}

struct wt_error *wt_save_area_walk(const struct wt_save_area_layout *layout,
				   const struct wt_memory_view *memory, uint64_t address,
				   uint64_t size, wt_save_area_visitor visitor, void *opaque)
{
	wt_cleanup_free uint32_t *stack = NULL;
	struct wt_error *error;
	uint32_t head[HEAD_WORDS];
	struct walk walk;

	if (size > UINT64_MAX - address)
		return save_area_bad(WT_ERROR_INPUT, address, "it goes past the last address");
	if (size < sizeof(head) || !wt_memory_view_read(memory, address, head, sizeof(head)))
		return save_area_bad(WT_ERROR_NOT_FOUND, address, "its head cannot be read");
	for (size_t i = 0; i < HEAD_WORDS; i++)
		head[i] = le32toh(head[i]);
	error = check_head(head, address, size);
	if (error || !head[1])
		return error;
	stack = malloc(head[1]);
	if (!stack)
		return &wt_error_no_memory;
	if (!wt_memory_view_read(memory, address + head[0], stack, head[1]))
		return save_area_bad(WT_ERROR_NOT_FOUND, address,
				     "its control stack cannot be read");
	walk = (struct walk){
		.layout = layout,
		.stack = stack,
		.words = head[1] / 4,
		.address = address,
		.bottom = address + head[2] - head[3],
		.top = address + head[2],
		.visitor = visitor,
		.opaque = opaque,
	};
	return walk_stack(&walk);
}
