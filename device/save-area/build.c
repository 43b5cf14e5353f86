/* SPDX-License-Identifier: MIT */
/* Writing a context save area, as the hardware and the trap handler leave it. */
#include <string.h>

#include "device/save-area/area.h"
#include "device/trap-handler.h"

#define HEAD_BYTES 64u
#define STACK_SKIPPED 2u
#define VCC_WORDS 2u

static uint32_t rounded(uint32_t size, uint32_t granule)
{
	return (size + granule - 1) / granule * granule;
}

static uint32_t local_bytes(const struct gfx_wave *wave)
{
	return wave->lds_room > wave->lds_size ? wave->lds_room : wave->lds_size;
}

/* Measures what the state before a wave says; local memory is the workgroup's, of each of its waves. */
static bool saved_wave_measure(const struct wt_save_area_layout *layout,
			       const struct wt_saved_wave *saved,
			       struct wt_save_area_sizes *sizes_ret, uint32_t *state_ret)
{
	const struct gfx_wave *wave = saved->wave;

	*sizes_ret = (struct wt_save_area_sizes){
		.lane_count = wave->lane_count,
		.vgpr_count = wave->vgpr_count,
		.agpr_count = wave->agpr_count,
		.shared_count = wave->shared_count,
		.sgpr_count = layout->fixed_sgprs
				      ? layout->fixed_sgprs
				      : rounded(wave->sgpr_count + layout->aliased_sgprs,
						WT_SAVE_AREA_SGPR_GRANULE),
		.lds_size = rounded(local_bytes(wave), layout->lds_granule),
	};
	return wt_save_area_sizes_encode(layout, sizes_ret, state_ret) &&
	       wt_saved_wave_plain_sgprs(layout, sizes_ret->sgpr_count) == wave->sgpr_count;
}

static size_t wave_size(const struct wt_save_area_layout *layout,
			const struct wt_save_area_sizes *sizes, bool first)
{
	size_t row = 4 * (size_t)sizes->lane_count;

	return layout->unused_bytes + (first ? sizes->lds_size : 0) + 4 * WT_SAVE_AREA_TTMPS +
	       4 * WT_SAVE_AREA_HWREGS + 4 * (size_t)sizes->sgpr_count +
	       row * (sizes->vgpr_count + sizes->agpr_count) +
	       4 * (size_t)WT_SAVE_AREA_SHARED_LANES * sizes->shared_count;
}

/* A state for every wave, which is what the hardware's stack is at its longest. */
static size_t stack_size(const struct wt_save_area_layout *layout, size_t count)
{
	return 4 * (STACK_SKIPPED + (layout->state_words + 1) * count);
}

size_t wt_save_area_size(const struct wt_save_area_layout *layout,
			 const struct wt_saved_wave *waves, size_t count)
{
	size_t size = HEAD_BYTES + stack_size(layout, count);
	struct wt_save_area_sizes sizes;
	uint32_t state;

	for (size_t i = 0; i < count; i++) {
		if (!saved_wave_measure(layout, &waves[i], &sizes, &state))
			return 0;
		size += wave_size(layout, &sizes, waves[i].first);
	}
	return size;
}

static void area_words_put(struct wt_buffer *buffer, const uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		wt_buffer_append_u32(buffer, words[i]);
}

/* A wave may keep more words of a register than it has lanes. */
static void area_vectors_put(struct wt_buffer *buffer, const struct gfx_wave *wave,
			     const uint32_t *words, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		area_words_put(buffer, &words[(size_t)i * gfx_vector_words(wave)],
			       wave->lane_count);
}

static void area_zeros_put(struct wt_buffer *buffer, size_t size)
{
	uint8_t *room = size ? wt_buffer_extend(buffer, size) : NULL;

	if (room)
		memset(room, 0, size);
}

/* xnack_mask has a place among the scalar registers, too, whose value nobody looks at. */
static void put_scalars(struct wt_buffer *buffer, const struct wt_save_area_layout *layout,
			const struct gfx_wave *wave, uint32_t saved)
{
	area_words_put(buffer, wave->sgprs, wave->sgpr_count);
	if (layout->aliased_sgprs > VCC_WORDS) {
		wt_buffer_append_u64(buffer, wave->flat_scratch);
		wt_buffer_append_u64(buffer, wave->xnack_mask);
	}
	wt_buffer_append_u64(buffer, wave->vcc);
	area_zeros_put(buffer, 4 * (size_t)(saved - wave->sgpr_count - layout->aliased_sgprs));
}

/* The trap handler parks a stopped wave on families that cannot halt everywhere. */
static bool is_parked(const struct wt_save_area_layout *layout, const struct wt_saved_wave *saved)
{
	return layout->parks && saved->stopped && !saved->stands;
}

static void put_hwregs(struct wt_buffer *buffer, const struct wt_save_area_layout *layout,
		       const struct wt_saved_wave *saved)
{
	uint32_t words[WT_SAVE_AREA_HWREGS] = {0}, used;

	wt_saved_wave_hwregs(layout, saved->wave, words, &used);
	if (is_parked(layout, saved))
		words[WT_SAVE_AREA_HWREG_PC] = words[WT_SAVE_AREA_HWREG_PC + 1] = 0;
	area_words_put(buffer, words, WT_SAVE_AREA_HWREGS);
}

/* Puts what the hardware sets up at launch and the handler adds, where the family has it. */
static void put_ttmps(struct wt_buffer *buffer, const struct wt_save_area_layout *layout,
		      const struct wt_saved_wave *saved)
{
	const struct wt_trap_handler *handler = layout->handler;
	uint32_t ttmps[WT_SAVE_AREA_TTMPS];

	memcpy(ttmps, saved->wave->ttmps, sizeof(ttmps));
	for (int i = 0; i < 3; i++)
		wt_ttmp_put(handler->coordinates[i], saved->coordinates[i], ttmps);
	wt_ttmp_put(handler->has_yz, 1, ttmps);
	wt_ttmp_put(handler->number, saved->number_in_group, ttmps);
	wt_ttmp_put(handler->packet, saved->packet_index, ttmps);
	/* If ttmp6 alone tells of the set-up, it tells that all is there. */
	if (handler->says_missing && !handler->set_up.bits.count)
		ttmps[6] &= ~WT_TTMP6_NOT_SET_UP;
	/* One that was halted at its launch has not been in the trap handler. */
	if (saved->halted_at_launch)
		ttmps[6] &= ~WT_TTMP6_STOPPED;
	if (is_parked(layout, saved))
		wt_saved_wave_park(layout, saved->wave->pc, ttmps);
	area_words_put(buffer, ttmps, WT_SAVE_AREA_TTMPS);
}

/* The parts of a wave upwards. */
static void area_wave_put(struct wt_buffer *buffer, const struct wt_save_area_layout *layout,
			  const struct wt_saved_wave *saved)
{
	const struct gfx_wave *wave = saved->wave;
	struct wt_save_area_sizes sizes;
	uint32_t state;

	saved_wave_measure(layout, saved, &sizes, &state);
	area_vectors_put(buffer, wave, wave->vgprs, wave->vgpr_count);
	area_words_put(buffer, wave->shared,
		       (size_t)wave->shared_count * WT_SAVE_AREA_SHARED_LANES);
	area_vectors_put(buffer, wave, wave->agprs, wave->agpr_count);
	put_scalars(buffer, layout, wave, sizes.sgpr_count);
	put_hwregs(buffer, layout, saved);
	put_ttmps(buffer, layout, saved);
	if (saved->first) {
		wt_buffer_append(buffer, wave->lds, local_bytes(wave));
		area_zeros_put(buffer, sizes.lds_size - local_bytes(wave));
	}
	area_zeros_put(buffer, layout->unused_bytes);
}

static uint32_t wave_word(const struct wt_save_area_layout *layout,
			  const struct wt_saved_wave *saved)
{
	return wt_bit_field_put(layout->slot, saved->slot) |
	       wt_bit_field_put(layout->engine, saved->engine) |
	       wt_bit_field_put(layout->scratch, saved->scratch) |
	       wt_bit_field_put(layout->first, saved->first) |
	       wt_bit_field_put(layout->last, saved->last);
}

static void area_head_put(struct wt_buffer *buffer, size_t stack, size_t total)
{
	const uint32_t head[] = {HEAD_BYTES,
				 (uint32_t)stack,
				 (uint32_t)total,
				 (uint32_t)(total - HEAD_BYTES - stack),
				 0,
				 0};

	area_words_put(buffer, head, sizeof(head) / sizeof(*head));
	area_zeros_put(buffer, HEAD_BYTES - sizeof(head));
}

struct wt_error *wt_save_area_build(const struct wt_save_area_layout *layout,
				    const struct wt_saved_wave *waves, size_t count,
				    struct wt_buffer *buffer)
{
	size_t total = wt_save_area_size(layout, waves, count);

	if (!total || total > UINT32_MAX)
		return wt_error_create(WT_ERROR_UNSUPPORTED, "cannot save the waves", NULL,
				       "a wave's registers do not fit the family's save area");
	area_head_put(buffer, stack_size(layout, count), total);
	area_words_put(buffer, (const uint32_t[STACK_SKIPPED]){0}, STACK_SKIPPED);
	for (size_t i = 0; i < count; i++) {
		struct wt_save_area_sizes sizes;
		uint32_t state = 0;

		saved_wave_measure(layout, &waves[i], &sizes, &state);
		wt_buffer_append_u32(buffer, state);
		area_zeros_put(buffer, 4 * (size_t)(layout->state_words - 1));
		wt_buffer_append_u32(buffer, wave_word(layout, &waves[i]));
	}
	for (size_t i = count; i > 0; i--)
		area_wave_put(buffer, layout, &waves[i - 1]);
	return buffer->failed ? &wt_error_no_memory : NULL;
}
