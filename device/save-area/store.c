/* SPDX-License-Identifier: MIT */
/* A wave back into its save area, where a debugger has changed it. */
#include <endian.h>
#include <string.h>

#include "device/save-area/area.h"
#include "device/trap-handler.h"

#define CHUNK_WORDS 1024u /* converted and written together */

static bool view_bytes_write(const struct wt_memory_view *memory, uint64_t address,
			     const void *data, size_t size)
{
	return memory->write && memory->write(memory->opaque, address, data, size) == size;
}

static bool store_words(const struct wt_memory_view *memory, uint64_t address,
			const uint32_t *words, size_t count)
{
	uint32_t chunk[CHUNK_WORDS];

	for (size_t done = 0, size; done < count; done += size) {
		size = count - done < CHUNK_WORDS ? count - done : CHUNK_WORDS;
		for (size_t i = 0; i < size; i++)
			chunk[i] = htole32(words[done + i]);
		if (!view_bytes_write(memory, address + done * sizeof(*chunk), chunk,
				      size * sizeof(*chunk)))
			return false;
	}
	return true;
}

static bool store_pair(const struct wt_memory_view *memory, uint64_t address, uint64_t value)
{
	const uint32_t words[2] = {(uint32_t)value, (uint32_t)(value >> 32)};

	return store_words(memory, address, words, 2);
}

/* Words between them that are no register's stay as they are. */
static bool store_hwregs(const struct wt_save_area_layout *layout,
			 const struct wt_memory_view *memory, uint64_t address,
			 const struct gfx_wave *gfx, uint64_t pc)
{
	uint32_t words[WT_SAVE_AREA_HWREGS], used;
	size_t first = 0, end;

	wt_saved_wave_hwregs(layout, gfx, words, &used);
	words[WT_SAVE_AREA_HWREG_PC] = (uint32_t)pc;
	words[WT_SAVE_AREA_HWREG_PC + 1] = (uint32_t)(pc >> 32);
	for (; first < WT_SAVE_AREA_HWREGS; first = end + 1) {
		for (end = first; end < WT_SAVE_AREA_HWREGS && used >> end & 1;)
			end++;
		if (!store_words(memory, address + 4 * first, &words[first], end - first))
			return false;
	}
	return true;
}

bool wt_saved_wave_store(const struct wt_save_area_layout *layout,
			 const struct wt_memory_view *memory, const struct wt_save_area_wave *wave,
			 const struct gfx_wave *gfx, uint32_t r_debug_version,
			 uint64_t park_address)
{
	bool parked =
		wt_save_area_parks(layout, r_debug_version) && gfx->ttmps[6] & WT_TTMP6_STOPPED;
	uint32_t ttmps[WT_SAVE_AREA_TTMPS];

	memcpy(ttmps, gfx->ttmps, sizeof(ttmps));
	if (parked && !park_address &&
	    !wt_memory_view_read_u64(memory, wave->hwregs + 4 * WT_SAVE_AREA_HWREG_PC,
				     &park_address))
		return false;
	if (parked)
		wt_saved_wave_park(layout, gfx->pc, ttmps);
	return store_hwregs(layout, memory, wave->hwregs, gfx, parked ? park_address : gfx->pc) &&
	       store_words(memory, wave->ttmps, ttmps, WT_SAVE_AREA_TTMPS);
}

static bool store_scalars(const struct wt_save_area_layout *layout,
			  const struct wt_memory_view *memory, const struct wt_save_area_wave *wave,
			  const struct gfx_wave *gfx)
{
	uint32_t plain = gfx->sgpr_count, end = plain + layout->aliased_sgprs;

	if (!store_words(memory, wave->sgprs, gfx->sgprs, plain))
		return false;
	if (wave->sizes.sgpr_count < end)
		return true;
	if (layout->aliased_sgprs > 2 &&
	    !store_pair(memory, wave->sgprs + 4 * plain, gfx->flat_scratch))
		return false;
	return store_pair(memory, wave->sgprs + 4 * (end - 2), gfx->vcc);
}

bool wt_saved_wave_store_registers(const struct wt_save_area_layout *layout,
				   const struct wt_memory_view *memory,
				   const struct wt_save_area_wave *wave, const struct gfx_wave *gfx)
{
	size_t lanes = gfx->lane_count;

	return store_scalars(layout, memory, wave, gfx) &&
	       store_words(memory, wave->vgprs, gfx->vgprs, gfx->vgpr_count * lanes) &&
	       store_words(memory, wave->agprs, gfx->agprs, gfx->agpr_count * lanes) &&
	       store_words(memory, wave->shared, gfx->shared,
			   (size_t)gfx->shared_count * WT_SAVE_AREA_SHARED_LANES);
}
