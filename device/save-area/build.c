/* SPDX-License-Identifier: MIT */
/* Writing a context save area, as the hardware and the trap handler of the gfx9 family leave it. */
#include <string.h>

#include "device/save-area/area.h"
#include "device/trap-handler.h"

#define HEAD_BYTES 64u
#define STACK_SKIPPED 2u
#define ALIASED 6u

/* What the state before a wave says; local memory is the workgroup's, of each of its waves. */
static bool measure(const struct wt_save_area_layout *layout, const struct wt_saved_wave *saved,
		    struct wt_save_area_sizes *sizes_ret, uint32_t *state_ret)
{
	const struct gfx_wave *wave = saved->wave;

	*sizes_ret = (struct wt_save_area_sizes){
		.lane_count = wave->lane_count,
		.vgpr_count = wave->vgpr_count,
		.agpr_count = wave->agpr_count,
		.sgpr_count = (wave->sgpr_count + ALIASED + WT_SAVE_AREA_SGPR_GRANULE - 1) /
			      WT_SAVE_AREA_SGPR_GRANULE * WT_SAVE_AREA_SGPR_GRANULE,
		.lds_size = (wave->lds_size + layout->lds_granule - 1) / layout->lds_granule *
			    layout->lds_granule,
	};
	return wt_save_area_sizes_encode(layout, sizes_ret, state_ret) &&
	       wt_saved_wave_plain_sgprs(sizes_ret->sgpr_count) == wave->sgpr_count;
}

static size_t wave_size(const struct wt_save_area_layout *layout,
			const struct wt_save_area_sizes *sizes, bool first)
{
	size_t row = 4 * (size_t)sizes->lane_count;

	return layout->unused_bytes + (first ? sizes->lds_size : 0) + 4 * WT_SAVE_AREA_TTMPS +
	       4 * WT_SAVE_AREA_HWREGS + 4 * (size_t)sizes->sgpr_count +
	       row * (sizes->vgpr_count + sizes->agpr_count);
}

/* A state for every wave: two words each, which is what the hardware's stack is at its longest. */
static size_t stack_size(size_t count)
{
	return 4 * (STACK_SKIPPED + 2 * count);
}

size_t wt_save_area_size(const struct wt_save_area_layout *layout,
			 const struct wt_saved_wave *waves, size_t count)
{
	size_t size = HEAD_BYTES + stack_size(count);
	struct wt_save_area_sizes sizes;
	uint32_t state;

	for (size_t i = 0; i < count; i++) {
		if (!measure(layout, &waves[i], &sizes, &state))
			return 0;
		size += wave_size(layout, &sizes, waves[i].first);
	}
	return size;
}

static void put_words(struct wt_buffer *buffer, const uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		wt_buffer_append_u32(buffer, words[i]);
}

static void put_zeros(struct wt_buffer *buffer, size_t size)
{
	uint8_t *room = size ? wt_buffer_extend(buffer, size) : NULL;

	if (room)
		memset(room, 0, size);
}

/* xnack_mask has a place among the scalar registers, too, whose value nobody looks at. */
static void put_scalars(struct wt_buffer *buffer, const struct gfx_wave *wave, uint32_t saved)
{
	put_words(buffer, wave->sgprs, wave->sgpr_count);
	wt_buffer_append_u64(buffer, wave->flat_scratch);
	wt_buffer_append_u64(buffer, wave->xnack_mask);
	wt_buffer_append_u64(buffer, wave->vcc);
	put_zeros(buffer, 4 * (size_t)(saved - wave->sgpr_count - ALIASED));
}

/* The trap handler parks a stopped wave on families that cannot halt everywhere. */
static bool is_parked(const struct wt_save_area_layout *layout, const struct wt_saved_wave *saved)
{
	return layout->parks && saved->stopped;
}

static void put_hwregs(struct wt_buffer *buffer, const struct wt_save_area_layout *layout,
		       const struct wt_saved_wave *saved)
{
	const struct gfx_wave *wave = saved->wave;
	uint64_t pc = is_parked(layout, saved) ? 0 : wave->pc;
	uint32_t words[WT_SAVE_AREA_HWREGS] = {
		[WT_SAVE_AREA_HWREG_M0] = wave->m0,
		[WT_SAVE_AREA_HWREG_PC] = (uint32_t)pc,
		[WT_SAVE_AREA_HWREG_PC + 1] = (uint32_t)(pc >> 32),
		[WT_SAVE_AREA_HWREG_EXEC] = (uint32_t)wave->exec,
		[WT_SAVE_AREA_HWREG_EXEC + 1] = (uint32_t)(wave->exec >> 32),
		[WT_SAVE_AREA_HWREG_STATUS] = wave->status,
		[WT_SAVE_AREA_HWREG_TRAPSTS] = wave->trapsts,
		[WT_SAVE_AREA_HWREG_XNACK_MASK] = (uint32_t)wave->xnack_mask,
		[WT_SAVE_AREA_HWREG_XNACK_MASK + 1] = (uint32_t)(wave->xnack_mask >> 32),
	};

	words[layout->mode] = wave->mode;
	put_words(buffer, words, WT_SAVE_AREA_HWREGS);
}

/* What the hardware sets up at launch and the handler adds, where the family has it. */
static void put_ttmps(struct wt_buffer *buffer, const struct wt_save_area_layout *layout,
		      const struct wt_saved_wave *saved)
{
	uint32_t ttmps[WT_SAVE_AREA_TTMPS];

	memcpy(ttmps, saved->wave->ttmps, sizeof(ttmps));
	memcpy(&ttmps[8], saved->coordinates, sizeof(saved->coordinates));
	ttmps[11] = (ttmps[11] & ~WT_TTMP11_NUMBER) | (saved->number_in_group & WT_TTMP11_NUMBER);
	if (layout->handler != WT_TRAP_HANDLER_GFX94X) {
		ttmps[6] &= ~(WT_TTMP6_PACKET | WT_TTMP6_NOT_SET_UP);
		ttmps[6] |= saved->packet_index & WT_TTMP6_PACKET;
	}
	/* One that was halted at its launch has not been in the trap handler. */
	if (saved->halted_at_launch)
		ttmps[6] &= ~WT_TTMP6_STOPPED;
	if (is_parked(layout, saved)) {
		ttmps[7] = (uint32_t)saved->wave->pc;
		ttmps[11] &= ~WT_TTMP11_PARKED;
		ttmps[11] |= (uint32_t)(saved->wave->pc >> 32) << WT_TTMP11_PARKED_SHIFT &
			     WT_TTMP11_PARKED;
	}
	put_words(buffer, ttmps, WT_SAVE_AREA_TTMPS);
}

/* The parts of a wave upwards. */
static void put_wave(struct wt_buffer *buffer, const struct wt_save_area_layout *layout,
		     const struct wt_saved_wave *saved)
{
	const struct gfx_wave *wave = saved->wave;
	struct wt_save_area_sizes sizes;
	uint32_t state;

	measure(layout, saved, &sizes, &state);
	put_words(buffer, wave->vgprs, (size_t)wave->vgpr_count * wave->lane_count);
	put_words(buffer, wave->agprs, (size_t)wave->agpr_count * wave->lane_count);
	put_scalars(buffer, wave, sizes.sgpr_count);
	put_hwregs(buffer, layout, saved);
	put_ttmps(buffer, layout, saved);
	if (saved->first) {
		wt_buffer_append(buffer, wave->lds, wave->lds_size);
		put_zeros(buffer, sizes.lds_size - wave->lds_size);
	}
	put_zeros(buffer, layout->unused_bytes);
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

static void put_head(struct wt_buffer *buffer, size_t stack, size_t total)
{
	const uint32_t head[] = {HEAD_BYTES,
				 (uint32_t)stack,
				 (uint32_t)total,
				 (uint32_t)(total - HEAD_BYTES - stack),
				 0,
				 0};

	put_words(buffer, head, sizeof(head) / sizeof(*head));
	put_zeros(buffer, HEAD_BYTES - sizeof(head));
}

struct wt_error *wt_save_area_build(const struct wt_save_area_layout *layout,
				    const struct wt_saved_wave *waves, size_t count,
				    struct wt_buffer *buffer)
{
	size_t total = wt_save_area_size(layout, waves, count);

	if (!total || total > UINT32_MAX)
		return wt_error_create(WT_ERROR_UNSUPPORTED, "cannot save the waves", NULL,
				       "a wave's registers do not fit the family's save area");
	put_head(buffer, stack_size(count), total);
	put_words(buffer, (const uint32_t[STACK_SKIPPED]){0}, STACK_SKIPPED);
	for (size_t i = 0; i < count; i++) {
		struct wt_save_area_sizes sizes;
		uint32_t state = 0;

		measure(layout, &waves[i], &sizes, &state);
		wt_buffer_append_u32(buffer, state);
		wt_buffer_append_u32(buffer, wave_word(layout, &waves[i]));
	}
	for (size_t i = count; i > 0; i--)
		put_wave(buffer, layout, &waves[i - 1]);
	return buffer->failed ? &wt_error_no_memory : NULL;
}
