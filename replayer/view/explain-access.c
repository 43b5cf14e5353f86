/* SPDX-License-Identifier: MIT */
/* The access of a wave's instruction, lane by lane: addresses, and whether memory was found there. */
#include "replayer/view/explain-access.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gfx/isa/decode.h"
#include "gfx/isa/touched-memory.h"
#include "replayer/recorded/recorded.h"

struct register_source {
	struct wt_view *view;
	uint64_t wave, lanes;
	struct wt_view_register last; /* that was asked for: next comes another lane of it */
};

static bool explained_read_register(void *opaque, const char *name, uint32_t lane, uint64_t *value)
{
	struct register_source *source = opaque;

	if ((!source->last.name || strcmp(source->last.name, name)) &&
	    !wt_view_register(source->view, source->wave, name, &source->last)) {
		source->last.name = NULL;
		return false;
	}
	return wt_view_register_lane(&source->last, source->lanes, lane, value);
}

enum page_state { PAGE_UNKNOWN, PAGE_MAPPED, PAGE_UNMAPPED };

/* Tells what the recorder found when it looked at the page of a global address. */
static enum page_state look_up_page(const struct wt_view *view, uint64_t process, uint64_t address,
				    struct wt_reader *reader)
{
	const struct wt_key key = {
		.type = WT_ITEM_MEMORY,
		.kind = wt_reader_name_number(reader, "global"),
		.owner = process,
		.address = address - address % WT_PAGE,
	};
	const struct wt_item *item = wt_state_get(wt_view_state(view), &key);

	if (!item || item->status == WT_PAGE_RESERVED)
		return PAGE_UNKNOWN;
	if (item->status || !item->bytes || item->bytes->size <= address - key.address)
		return PAGE_UNMAPPED;
	return PAGE_MAPPED;
}

enum gfx_access_space wt_explain_lane_space(const struct gfx_architecture *architecture,
					    const struct gfx_access *access, uint32_t lane,
					    uint64_t *address_ret)
{
	const uint64_t address = access->addresses[lane];
	const struct {
		uint64_t base;
		enum gfx_access_space space;
	} apertures[] = {{architecture->local_aperture, GFX_ACCESS_LOCAL},
			 {architecture->private_aperture, GFX_ACCESS_PRIVATE}};

	for (size_t i = 0; i < 2 && access->space == GFX_ACCESS_GENERIC; i++)
		if (apertures[i].base && !((address - apertures[i].base) >> 32)) {
			*address_ret = address - apertures[i].base;
			return apertures[i].space;
		}
	*address_ret = address;
	return access->space;
}

/** Find out lane by lane whether the bytes it accesses were mapped. */
static void explain_lanes(struct wt_explainer *explainer,
			  const struct gfx_architecture *architecture,
			  struct wt_explain_wave *explanation)
{
	const struct gfx_access *access = &explanation->access;
	uint64_t process = wt_view_number_or(wt_explainer_view(explainer), WT_OBJECT_WAVE,
					     explanation->wave, AMD_DBGAPI_WAVE_INFO_PROCESS, 0);

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint64_t first = access->addresses[lane], last = first + access->size - 1;
		enum page_state state;

		/* Local and private memory have no pages: of a lane that is there, nothing is known by them. */
		if (!(access->lanes >> lane & 1) ||
		    wt_explain_lane_space(architecture, access, lane, &first) != access->space)
			continue;
		state = look_up_page(wt_explainer_view(explainer), process, first,
				     wt_view_reader(wt_explainer_view(explainer)));
		if (state == PAGE_MAPPED)
			state = look_up_page(wt_explainer_view(explainer), process, last,
					     wt_view_reader(wt_explainer_view(explainer)));
		if (state == PAGE_UNMAPPED)
			explanation->failed_lanes |= UINT64_C(1) << lane;
		else if (state == PAGE_UNKNOWN)
			explanation->unknown_lanes |= UINT64_C(1) << lane;
	}
}

/* Are the addresses of all lanes within 4 GiB from @base on? Then they become offsets there. */
static bool move_to_aperture(struct gfx_access *access, uint64_t base)
{
	if (!base)
		return false;
	for (uint64_t left = access->lanes; left; left &= left - 1)
		if ((access->addresses[__builtin_ctzll(left)] - base) >> 32)
			return false;
	for (uint64_t left = access->lanes; left; left &= left - 1)
		access->addresses[__builtin_ctzll(left)] -= base;
	return access->lanes;
}

void wt_explain_resolve(const struct gfx_architecture *architecture, struct gfx_access *access)
{
	if (access->space != GFX_ACCESS_GENERIC)
		return;
	if (move_to_aperture(access, architecture->local_aperture))
		access->space = GFX_ACCESS_LOCAL;
	else if (move_to_aperture(access, architecture->private_aperture))
		access->space = GFX_ACCESS_PRIVATE;
}

/*
 * A buffer instruction reaches private memory by a descriptor whose base is that of the wave's, where the words of its lanes are side by side.
 * Addresses become each lane's own then, also past the end: what is behind belongs to another wave, or to nobody.
 */
static bool buffer_is_private(const struct wt_explain_wave *explanation,
			      struct register_source *source,
			      const struct gfx_architecture *architecture, uint64_t *base_ret)
{
	const struct wt_item *place = wt_recorded_plain(wt_view_recorded(source->view),
							WT_ITEM_PRIVATE_PLACE, source->wave);
	const struct wavetape_place *code = &explanation->code;
	struct gfx_instruction instruction;
	uint64_t words[2];
	char name[16];

	if (!place || place->number_count != 2 || !place->numbers[0] ||
	    gfx_decode(architecture, code->words, code->instruction_bytes / sizeof(uint32_t),
		       &instruction) != GFX_DECODE_OK ||
	    instruction.encoding != GFX_MUBUF)
		return false;
	for (uint32_t i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "s%" PRIu32, (uint32_t)instruction.resource + i);
		if (!explained_read_register(source, name, 0, &words[i]))
			return false;
	}
	*base_ret = (uint32_t)words[0] | (words[1] & 0xffff) << 32;
	return words[1] >> 31 & 1 && *base_ret == place->numbers[0];
}

static void access_move_to_private(const struct gfx_architecture *architecture,
				   struct register_source *source,
				   struct wt_explain_wave *explanation)
{
	struct gfx_access *access = &explanation->access;
	struct gfx_access moved = *access;
	uint64_t base;

	if (access->space != GFX_ACCESS_GLOBAL || access->scalar ||
	    !buffer_is_private(explanation, source, architecture, &base))
		return;
	for (uint64_t left = access->lanes; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);
		uint64_t word = (access->addresses[lane] - base) / sizeof(uint32_t);

		if (access->addresses[lane] < base || word % source->lanes != lane)
			return;
		moved.addresses[lane] = word / source->lanes * sizeof(uint32_t) +
					access->addresses[lane] % sizeof(uint32_t);
	}
	moved.space = GFX_ACCESS_PRIVATE;
	*access = moved;
}

void wt_explain_access(struct wt_explainer *explainer, const struct gfx_architecture *architecture,
		       struct wt_explain_wave *explanation)
{
	struct register_source source = {
		.view = wt_explainer_view(explainer),
		.wave = explanation->wave,
		.lanes = wt_view_number_or(wt_explainer_view(explainer), WT_OBJECT_WAVE,
					   explanation->wave, AMD_DBGAPI_WAVE_INFO_LANE_COUNT, 0)};

	if (!architecture || !explanation->code.instruction_bytes ||
	    !gfx_decode_access(architecture, explanation->code.words,
			       explanation->code.instruction_bytes / sizeof(uint32_t),
			       explained_read_register, &source, &explanation->access) ||
	    explanation->access.space == GFX_ACCESS_NONE)
		return;
	wt_explain_resolve(architecture, &explanation->access);
	access_move_to_private(architecture, &source, explanation);
	explanation->has_access = true;
	if (explanation->access.space == GFX_ACCESS_GLOBAL ||
	    explanation->access.space == GFX_ACCESS_GENERIC)
		explain_lanes(explainer, architecture, explanation);
}

void wt_explain_wave_access(const struct wt_explain_wave *wave, struct wavetape_access *access_ret)
{
	const struct gfx_access *known = &wave->access;

	_Static_assert(sizeof(access_ret->addresses) == sizeof(known->addresses), "as many lanes");
	*access_ret = (struct wavetape_access){
		.space = wt_access_space_name(known->space),
		.lanes = known->lanes,
		.unmapped_lanes = wave->failed_lanes,
		.unknown_lanes = wave->unknown_lanes,
		.bytes = known->size,
		.read = known->read,
		.write = known->write,
		.scalar = known->scalar,
	};
	memcpy(access_ret->addresses, known->addresses, sizeof(access_ret->addresses));
}

const char *wt_access_space_name(enum gfx_access_space space)
{
	static const char *const names[] = {
		[GFX_ACCESS_NONE] = "none",	  [GFX_ACCESS_GLOBAL] = "global",
		[GFX_ACCESS_LOCAL] = "local",	  [GFX_ACCESS_PRIVATE] = "private",
		[GFX_ACCESS_GENERIC] = "generic",
	};

	return names[space];
}
