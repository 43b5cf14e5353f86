/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/demand.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/dwarf/code-effects.h"

#define MAX_DEPTH 4 /* of results whose use is looked for */

/* Operations that need all bits of what they read: those that compare, store, count with fractions, or find memory by it. */
static const char *const whole[] = {
	"global_store_dword",
	"global_store_b32",
	"global_store_b64",
	"global_store_b96",
	"global_store_b128",
	"global_load_",
	"flat_store_dword",
	"flat_store_b32",
	"flat_store_b64",
	"flat_store_b96",
	"flat_store_b128",
	"flat_load_",
	"scratch_store_dword",
	"scratch_store_b32",
	"scratch_store_b64",
	"scratch_store_b96",
	"scratch_store_b128",
	"scratch_load_",
	"buffer_store_dword",
	"buffer_store_b32",
	"buffer_store_b64",
	"buffer_store_b96",
	"buffer_store_b128",
	"buffer_load_",
	"ds_write_b32",
	"ds_write_b64",
	"ds_read_",
	"ds_store_b32",
	"ds_store_b64",
	"ds_load_",
	"s_load_",
	"s_setpc_",
	"s_swappc_",
	"s_cmp_",
	"v_cmp_eq_u32",
	"v_cmp_ne_u32",
	"v_cmp_lt_u32",
	"v_cmp_gt_u32",
	"v_cmp_le_u32",
	"v_cmp_ge_u32",
	"v_cmp_lt_i32",
	"v_cmp_gt_i32",
	"v_cmp_le_i32",
	"v_cmp_ge_i32",
	"v_cmp_eq_i32",
	"v_cmp_ne_i32",
	"v_cmp_eq_u64",
	"v_cmp_ne_u64",
	"v_cmp_lt_u64",
	"v_cmp_gt_u64",
	"v_cmp_lt_i64",
	"v_cmp_gt_i64",
	"v_cvt_f32_u32",
	"v_cvt_f32_i32",
	"v_cvt_f64_",
	"v_add_f",
	"v_sub_f",
	"v_mul_f",
	"v_fma",
	"v_mul_hi_",
	"s_mul_hi_",
	"v_max_",
	"v_min_",
};

/* Operations whose result has all bits of what they read. */
static const char *const passing[] = {
	"v_mov_b32", "v_mov_b64", "v_add_u32",	  "v_add_nc_u32", "v_sub_nc_u32", "v_subrev_nc_u32",
	"v_add_co_", "v_sub_u32", "v_subrev_u32", "v_sub_co_",	  "v_xor_b32",	  "v_or_b32",
	"v_or3_",    "v_add3_",	  "v_cndmask",	  "v_mul_lo_u32", "s_mov_b",	  "s_add_",
	"s_sub_",    "s_mul_i32", "s_xor_b",	  "s_or_b",	  "s_cselect_",	  "v_readfirstlane",
};

static bool instruction_is_one_of(const struct wt_dwarf_instruction *code, const char *const *names,
				  size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (wt_dwarf_is(code, names[i]))
			return true;
	return false;
}

/* Does it keep a vector register in the frame? Also one whose lanes have nothing that is needed, to use it for something else. */
static bool is_kept(const struct wt_dwarf_instruction *code)
{
	bool buffer = wt_dwarf_is(code, "buffer_store_");
	unsigned int base = buffer ? 3 : 2;

	return (buffer || wt_dwarf_is(code, "scratch_store_")) &&
	       (wt_dwarf_operand_is(code, base, (struct wt_dwarf_name){'s', 33}) ||
		wt_dwarf_operand_is(code, base, (struct wt_dwarf_name){'s', 32}));
}

/* Writing one lane leaves the others, and is no use of them. */
static bool instruction_reads(const struct wt_dwarf_instruction *code, struct wt_dwarf_name name)
{
	if (name.kind == 'v' && (is_kept(code) || wt_dwarf_is(code, "v_writelane_b32")))
		return false;
	for (uint32_t i = 0; i < code->read_count; i++)
		if (code->read[i].kind == name.kind && code->read[i].first <= name.index &&
		    name.index <= code->read[i].last)
			return true;
	return !code->has_read;
}

struct search {
	const struct wt_dwarf_instruction *code;
	size_t count;
};

static enum wt_dwarf_demand demand_from(const struct search *search, struct wt_dwarf_name name,
					size_t from, unsigned int depth);

/* How much of a register does one instruction need that reads it, or may do so? */
static enum wt_dwarf_demand demand_of(const struct search *search, size_t at, unsigned int depth)
{
	const struct wt_dwarf_instruction *code = &search->code[at];
	struct wt_dwarf_range ranges[WT_DWARF_MAX_WRITTEN];

	if (!code->has_read)
		return WT_DWARF_NEEDED_IN_PART;
	if (instruction_is_one_of(code, whole, sizeof(whole) / sizeof(*whole)))
		return WT_DWARF_NEEDED;
	if (depth == MAX_DEPTH ||
	    !instruction_is_one_of(code, passing, sizeof(passing) / sizeof(*passing)) ||
	    strstr(code->text, "_sdwa"))
		return WT_DWARF_NEEDED_IN_PART;
	for (size_t i = 0; i < wt_dwarf_written(code, ranges); i++)
		if (demand_from(search, (struct wt_dwarf_name){ranges[i].kind, ranges[i].first},
				at + 1, depth + 1) == WT_DWARF_NEEDED)
			return WT_DWARF_NEEDED;
	return WT_DWARF_NEEDED_IN_PART;
}

static enum wt_dwarf_demand demand_from(const struct search *search, struct wt_dwarf_name name,
					size_t from, unsigned int depth)
{
	wt_cleanup_free bool *seen = calloc(search->count + 1, sizeof(*seen));
	wt_cleanup_free size_t *left = calloc(search->count + 1, sizeof(*left));
	enum wt_dwarf_demand demand = WT_DWARF_NOT_NEEDED;
	size_t waiting = 0;

	if (!seen || !left)
		return demand;
	left[waiting++] = from;
	while (waiting) {
		for (size_t i = left[--waiting]; i < search->count && !seen[i]; i++) {
			const struct wt_dwarf_instruction *code = &search->code[i];
			size_t target = search->count;

			seen[i] = true;
			if (instruction_reads(code, name)) {
				enum wt_dwarf_demand own = demand_of(search, i, depth);

				if (own == WT_DWARF_NEEDED)
					return own;
				demand = own;
			}
			if (wt_dwarf_writes(code, name))
				break;
			if (code->has_target && !wt_dwarf_calls(code))
				target = wt_dwarf_instruction_from(search->code, search->count,
								   code->target);
			if (target < search->count && !seen[target])
				left[waiting++] = target;
			if (wt_dwarf_ends(code))
				break;
		}
	}
	return demand;
}

enum wt_dwarf_demand wt_dwarf_demand(const struct wt_dwarf_frame *frame, uint64_t number,
				     uint64_t from)
{
	struct search search;
	struct wt_dwarf_name name;

	search.count = wt_dwarf_function_code(frame, frame->high, &search.code);
	if (!search.count || !wt_dwarf_name(number, &name))
		return WT_DWARF_NOT_NEEDED;
	return demand_from(&search, name,
			   wt_dwarf_instruction_from(search.code, search.count, from), 0);
}
