/* SPDX-License-Identifier: MIT */
/* Words for stop reasons, for registers of a cause's steps, and for a whole crash. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/view/explain-cause.h"

static const char *register_prefix(enum gfx_register_file file)
{
	return file == GFX_FILE_VECTOR ? "v" : file == GFX_FILE_SCALAR ? "s" : "a";
}

/* "s[4:5]": what a step wrote first. Return: a static text, or @buffer. */
static const char *cause_register_name(const struct wt_analysis_step *step, char buffer[32])
{
	static const struct {
		uint32_t number;
		const char *name;
	} names[] = {
		{GFX_CODE_VCC, "vcc"},
		{GFX_CODE_EXEC, "exec"},
		{GFX_CODE_M0, "m0"},
		{GFX_CODE_SCC, "scc"},
		{GFX_CODE_FLAT_SCRATCH, "flat_scratch"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (step->file == GFX_FILE_SCALAR && step->number == names[i].number)
			return names[i].name;
	if (step->words > 1)
		snprintf(buffer, 32, "%s[%u:%u]", register_prefix(step->file), step->number,
			 step->number + step->words - 1);
	else
		snprintf(buffer, 32, "%s%u", register_prefix(step->file), step->number);
	return buffer;
}

/* Lanes of a step whose values count; bit 0 for one that is the wave's. */
static uint64_t cause_known_lanes(const struct wt_analysis_step *step)
{
	return step->file == GFX_FILE_SCALAR ? step->known & 1 : step->known & step->exec;
}

void wt_cause_step_facts(const struct wt_cause_step *step, char name[32],
			 struct wavetape_step *facts_ret)
{
	const struct wt_analysis_step *known = step->step;
	struct wavetape_step facts = {
		.meaning = step->meaning,
		.part = known->part,
		.indirect = known->indirect,
		.comparison = known->comparison,
		.held = known->writes && known->held,
	};

	if (known->writes)
		facts.written = cause_register_name(known, name);
	if (known->writes && known->words <= 2) {
		facts.known_lanes = cause_known_lanes(known);
		memcpy(facts.values, known->values, sizeof(facts.values));
	}
	*facts_ret = facts;
}

const char *wt_reasons_words(uint32_t reasons, char *buffer, size_t size)
{
	char names[WT_REASONS_MAX];
	size_t used = 0;

	if (!reasons) {
		snprintf(buffer, size, "stopped on request");
		return buffer;
	}
	wt_enumeration_flags("amd_dbgapi_wave_stop_reasons_t", reasons,
			     "AMD_DBGAPI_WAVE_STOP_REASON_", names, sizeof(names));
	buffer[0] = '\0';
	for (const char *c = names; *c && used + 1 < size; c++) {
		int letter = *c == '_' ? ' ' : tolower((unsigned char)*c);
		int length = *c == '|' ? snprintf(buffer + used, size - used, " and ")
				       : snprintf(buffer + used, size - used, "%c", letter);

		used += length > 0 ? (size_t)length : 0;
	}
	return buffer;
}

/* " at oob-store.c:16:13": the line, else the symbol, as far as it is known. Return: the length; below 0 without memory. */
static int code_place_print(const struct wavetape_place *code, char **text_ret)
{
	if (code->file)
		return asprintf(text_ret, " at %s:%d:%d", code->file, code->line, code->column);
	if (code->symbol)
		return asprintf(text_ret, " at %s+0x%" PRIx64, code->symbol, code->symbol_offset);
	return asprintf(text_ret, "%s", "");
}

struct wt_error *wt_crash_sentence(struct wt_explainer *explainer, uint64_t wave,
				   char *(*demangle)(const char *name), char **sentence_ret)
{
	wt_cleanup_free char *place = NULL, *kernel = NULL;
	char reasons[WT_REASONS_MAX], *text;
	struct wt_cause cause;
	struct wt_error *error = wt_explain_fault(explainer, &wave, 1, UINT32_MAX, NULL, &cause);

	if (error)
		return error;
	if (code_place_print(wt_cause_code(&cause), &place) < 0)
		place = NULL;
	if (demangle && cause.wave.kernel)
		kernel = demangle(cause.wave.kernel);
	if (!place ||
	    asprintf(&text, "%s in kernel %s%s%s%s",
		     wt_reasons_words(cause.wave.reasons, reasons, sizeof(reasons)),
		     kernel		 ? kernel
		     : cause.wave.kernel ? cause.wave.kernel
					 : "of unknown name",
		     place, cause.sentence ? ": " : "", cause.sentence ? cause.sentence : "") < 0)
		error = &wt_error_no_memory;
	else
		*sentence_ret = text;
	wt_cause_deinit(&cause);
	return error;
}
