/* SPDX-License-Identifier: MIT */
/* The code of a wave that is executed once more: decoded, or translated to what is executed in its place. */
#include <string.h>

#include "gfx/isa/translate.h"
#include "gfx/wave/context.h"
#include "replayer/analysis/rerun.h"

#define NO_PC 1

/* ---- Code ---- */

static bool code_decode(const struct wt_rerun *rerun, uint64_t pc, struct wt_rerun_code *entry)
{
	const struct wt_analysis_input *input = rerun->input;
	uint32_t words[2] = {0};
	size_t count = 2;

	if (!input->fetch(input->opaque, pc, words, sizeof(words))) {
		count = 1;
		if (!input->fetch(input->opaque, pc, words, sizeof(words[0])))
			return false;
	}
	if (gfx_decode(input->architecture, words, count, &entry->instruction) != GFX_DECODE_OK)
		return false;
	gfx_instruction_uses(&entry->instruction, &entry->uses);
	entry->skips = 0;
	entry->keeps_high = false;
	return true;
}

static bool code_translate(const struct wt_rerun *rerun, uint64_t pc, struct wt_rerun_code *entry)
{
	const struct wt_analysis_input *input = rerun->input;
	uint32_t words[GFX_TRANSLATED_WORDS], part = pc & WT_RERUN_HALF ? 1 : 0;
	size_t size = sizeof(words), instruction_size;
	struct gfx_translation translation;
	char text[WT_ANALYSIS_TEXT];

	pc &= ~WT_RERUN_HALF;
	while (size && !input->fetch(input->opaque, pc, words, size))
		size -= sizeof(words[0]);
	if (!size || !input->disassemble ||
	    !input->disassemble(input->opaque, pc, words, size, text, &instruction_size) ||
	    !gfx_translate(input->architecture, rerun->lanes, text, words[0], instruction_size,
			   &translation) ||
	    part >= translation.count)
		return false;
	entry->instruction = translation.parts[part].instruction;
	entry->uses = translation.parts[part].uses;
	entry->keeps_high = translation.parts[part].keeps_high;
	entry->skips = 0;
	if (translation.count > 1)
		entry->skips = part ? -(int32_t)WT_RERUN_HALF
				    : (int32_t)WT_RERUN_HALF - (int32_t)instruction_size;
	return true;
}

const struct wt_rerun_code *wt_rerun_code(struct wt_rerun *rerun)
{
	uint64_t pc = rerun->wave.pc;
	bool translated = gfx_is_translated(rerun->input->architecture);
	/* The second half of a pair has the place of what would be the next word. */
	uint64_t place = pc / 4 + (pc & WT_RERUN_HALF ? 1 : 0);
	struct wt_rerun_code *entry = &rerun->cache[place % WT_RERUN_CACHE];

	if (entry->pc == pc)
		return entry;
	entry->pc = NO_PC;
	if (pc % 4 && !(translated && pc % 4 == WT_RERUN_HALF))
		return NULL;
	if (!(translated ? code_translate(rerun, pc, entry) : code_decode(rerun, pc, entry)))
		return NULL;
	entry->pc = pc;
	return entry;
}

/* ---- What gfx9 writes, and later generations do not ---- */

/* In waves of 32 lanes a mask is one register, and the next one is another's: so is vcc_hi where a branch looks at vcc. */
static uint32_t neighbour_of_mask(const struct wt_rerun *rerun, const struct wt_rerun_code *code)
{
	if (rerun->lanes == GFX_MAX_LANES)
		return WT_RERUN_CODES;
	if (!strncmp(code->instruction.operation->name, "s_cbranch_vcc", 13))
		return GFX_CODE_VCC + 1;
	for (uint32_t i = 0; i < code->uses.write_count; i++)
		if (code->uses.writes[i].mask && code->uses.writes[i].number != GFX_CODE_EXEC)
			return code->uses.writes[i].number + 1U;
	return WT_RERUN_CODES;
}

void wt_rerun_keep(struct wt_rerun *rerun, const struct wt_rerun_code *code,
		   struct wt_rerun_kept *kept)
{
	const uint32_t *plane = gfx_vgpr(&rerun->wave, code->instruction.dst, 1, false);

	kept->code = neighbour_of_mask(rerun, code);
	kept->value = kept->code < WT_RERUN_CODES
			      ? wt_rerun_value(rerun, GFX_FILE_SCALAR, kept->code, 0)
			      : 0;
	if (kept->code == GFX_CODE_VCC + 1)
		rerun->wave.vcc &= wt_rerun_lane_bits(rerun);
	for (uint32_t lane = 0; code->keeps_high && plane && lane < GFX_MAX_LANES; lane++)
		kept->upper[lane] = plane[lane] & 0xffff0000;
}

void wt_rerun_put_back(struct wt_rerun *rerun, const struct wt_rerun_code *code,
		       const struct wt_rerun_kept *kept)
{
	uint32_t *plane = gfx_vgpr(&rerun->wave, code->instruction.dst, 1, false);

	if (kept->code < WT_RERUN_CODES)
		gfx_write_scalar32(&rerun->wave, kept->code, kept->value);
	for (uint32_t lane = 0; code->keeps_high && plane && lane < GFX_MAX_LANES; lane++)
		plane[lane] = (plane[lane] & 0xffff) | kept->upper[lane];
}
