/* SPDX-License-Identifier: MIT */
/* Registers of two waves, by name: numbers of registers differ between libraries and architectures. */
#include <string.h>

#include "replayer/diff/internal.h"

/*
 * The register of that name on side B. Both sides list registers in the order of their architecture, so that the one
 * behind the last that was found is tried first.
 */
static bool named_register_find(struct wt_diff_pair *pair, const struct wt_diff_wave *wave,
				const char *name, size_t *next,
				struct wt_view_register *register_ret)
{
	struct wt_view *view = pair->half[WT_DIFF_B].view;
	uint64_t handle = wave->handle[WT_DIFF_B];

	if (wt_view_register_at(view, handle, *next, register_ret) &&
	    !strcmp(register_ret->name, name)) {
		++*next;
		return register_ret->value != NULL;
	}
	return wt_view_register(view, handle, name, register_ret);
}

static struct wt_error *register_pair_compare(struct wt_diff_pair *pair,
					      const struct wt_diff_wave *wave,
					      const struct wt_view_register reg[WT_DIFF_SIDES])
{
	struct wt_diff diff = {
		.kind = WT_DIFF_REGISTER,
		.what = WT_DIFF_BYTES,
		.wave = wave,
		.name = reg[WT_DIFF_A].name,
		.vector = reg[WT_DIFF_A].vector && reg[WT_DIFF_B].vector,
	};

	pair->counts.registers++;
	if (reg[WT_DIFF_A].size == reg[WT_DIFF_B].size &&
	    !memcmp(reg[WT_DIFF_A].value, reg[WT_DIFF_B].value, reg[WT_DIFF_A].size))
		return NULL;
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		diff.value[side] = (struct wt_diff_value){
			.present = true, .data = reg[side].value, .size = reg[side].size};
	return wt_diff_report(pair, &diff);
}

struct wt_error *wt_diff_registers(struct wt_diff_pair *pair, const struct wt_diff_wave *wave)
{
	size_t counts[WT_DIFF_SIDES], next = 0, both = 0;
	struct wt_error *error = NULL;

	for (int side = 0; side < WT_DIFF_SIDES; side++)
		counts[side] = wt_view_register_count(pair->half[side].view, wave->handle[side]);
	for (size_t i = 0; !error && i < counts[WT_DIFF_A]; i++) {
		struct wt_view_register reg[WT_DIFF_SIDES];

		if (!wt_view_register_at(pair->half[WT_DIFF_A].view, wave->handle[WT_DIFF_A], i,
					 &reg[WT_DIFF_A]) ||
		    !reg[WT_DIFF_A].value ||
		    !named_register_find(pair, wave, reg[WT_DIFF_A].name, &next, &reg[WT_DIFF_B]))
			continue;
		both++;
		error = register_pair_compare(pair, wave, reg);
	}
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		pair->counts.only_registers[side] += counts[side] - both;
	return error;
}
