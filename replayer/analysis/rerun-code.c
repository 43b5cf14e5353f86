/* SPDX-License-Identifier: MIT */
/* The code of a wave that is executed once more, decoded. */
#include <string.h>

#include "gfx/isa/decode.h"
#include "gfx/wave/context.h"
#include "replayer/analysis/rerun.h"

#define NO_PC 1

/* ---- Code ---- */

/* The distance from the end of the instruction to where the first or the second of two operations goes on. */
static int32_t part_skips(bool second, size_t instruction_size)
{
	return second ? -(int32_t)WT_RERUN_HALF
		      : (int32_t)WT_RERUN_HALF - (int32_t)instruction_size;
}

static bool code_decode(const struct wt_rerun *rerun, uint64_t pc, struct wt_rerun_code *entry)
{
	const struct wt_analysis_input *input = rerun->input;
	uint32_t words[GFX_INSTRUCTION_WORDS] = {0};
	size_t size = sizeof(words);
	struct gfx_instruction whole;
	bool second = pc & WT_RERUN_HALF;

	pc &= ~WT_RERUN_HALF;
	while (size && !input->fetch(input->opaque, pc, words, size))
		size -= sizeof(words[0]);
	if (gfx_decode(input->architecture, words, size / sizeof(words[0]), &whole) !=
		    GFX_DECODE_OK ||
	    (second && !whole.second))
		return false;
	gfx_instruction_part(&whole, second, &entry->instruction);
	gfx_instruction_uses(&entry->instruction, rerun->lanes, &entry->uses);
	entry->skips = whole.second ? part_skips(second, 4U * whole.word_count) : 0;
	return true;
}

/*
 * Nobody needs what stays above a value of 16 bits, as a rule, since those who read the value cut it off: it is no source. Below one there is
 * another one, as a rule.
 */
static void forget_upper_rest(struct gfx_uses *uses)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < uses->read_count; i++)
		if (!uses->reads[i].kept || uses->reads[i].part != GFX_PART_UPPER)
			uses->reads[count++] = uses->reads[i];
	uses->read_count = count;
}

const struct wt_rerun_code *wt_rerun_code(struct wt_rerun *rerun)
{
	uint64_t pc = rerun->wave.pc;
	/* The second half of a pair has the place of what would be the next word. */
	uint64_t place = pc / 4 + (pc & WT_RERUN_HALF ? 1 : 0);
	struct wt_rerun_code *entry = &rerun->cache[place % WT_RERUN_CACHE];

	if (entry->pc == pc)
		return entry;
	entry->pc = NO_PC;
	if (pc % 4 && pc % 4 != WT_RERUN_HALF)
		return NULL;
	if (!code_decode(rerun, pc, entry))
		return NULL;
	forget_upper_rest(&entry->uses);
	entry->pc = pc;
	return entry;
}

/* ---- The first of two operations, whose result the second does not see ---- */

static void exchange(uint64_t *one, uint64_t *other)
{
	const uint64_t before = *one;

	*one = *other;
	*other = before;
}

void wt_rerun_take_before(struct wt_rerun *rerun, uint32_t number)
{
	struct wt_rerun_before *before = &rerun->before;
	const uint32_t *values = gfx_vgpr(&rerun->wave, number, 1, false);

	before->is_one = values;
	if (!values)
		return;
	before->number = number;
	memcpy(before->values, values, sizeof(before->values));
	memcpy(before->writers, rerun->writers->vector[number], sizeof(before->writers));
	before->unknown = rerun->unknown.vector[number];
	before->upper_unknown = rerun->upper_unknown[0][number];
	before->placed = rerun->placed.vector[number];
	before->influence = rerun->influence.vector[number];
}

void wt_rerun_see_before(struct wt_rerun *rerun)
{
	struct wt_rerun_before *before = &rerun->before;
	uint32_t *values, *writers, number = before->number;

	if (!before->is_one)
		return;
	values = gfx_vgpr(&rerun->wave, number, 1, false);
	writers = rerun->writers->vector[number];
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint32_t value = values[lane], writer = writers[lane];

		values[lane] = before->values[lane];
		writers[lane] = before->writers[lane];
		before->values[lane] = value;
		before->writers[lane] = writer;
	}
	exchange(&rerun->unknown.vector[number], &before->unknown);
	exchange(&rerun->upper_unknown[0][number], &before->upper_unknown);
	exchange(&rerun->placed.vector[number], &before->placed);
	exchange(&rerun->influence.vector[number], &before->influence);
}
