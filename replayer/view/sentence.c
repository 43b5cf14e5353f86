/* SPDX-License-Identifier: MIT */
/* A cause and its steps as their facts, and words for stop reasons and for a whole crash. */
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

/* "past_end": its name in JSON. A switch, because the compiler complains of a kind that has no case in it, and not of a gap in an array. */
static const char *cause_kind_name(enum wt_cause_kind kind)
{
	switch (kind) {
	case WT_CAUSE_NONE:
		break;
	case WT_CAUSE_PAST_END:
		return "past_end";
	case WT_CAUSE_BEFORE_START:
		return "before_start";
	case WT_CAUSE_NULL:
		return "null";
	case WT_CAUSE_UNMAPPED:
		return "unmapped";
	case WT_CAUSE_MISALIGNED:
		return "misaligned";
	case WT_CAUSE_OVERFLOW:
		return "overflow";
	case WT_CAUSE_NO_GUARD:
		return "no_guard";
	case WT_CAUSE_LOCAL_END:
		return "local_end";
	case WT_CAUSE_LOCAL_START:
		return "local_start";
	case WT_CAUSE_PRIVATE_END:
		return "private_end";
	case WT_CAUSE_PRIVATE_START:
		return "private_start";
	case WT_CAUSE_UNINITIALISED:
		return "uninitialised";
	case WT_CAUSE_EXCHANGED:
		return "exchanged";
	case WT_CAUSE_NO_ADDRESS:
		return "no_address";
	case WT_CAUSE_TRUNCATED:
		return "truncated";
	case WT_CAUSE_WRAPPED:
		return "wrapped";
	case WT_CAUSE_TOO_SMALL:
		return "too_small";
	case WT_CAUSE_NO_MEMORY:
		return "no_memory";
	case WT_CAUSE_HOST_MEMORY:
		return "host_memory";
	case WT_CAUSE_NO_CODE:
		return "no_code";
	case WT_CAUSE_ASSERTION:
		return "assertion";
	case WT_CAUSE_GAVE_UP:
		return "gave_up";
	case WT_CAUSE_WRONG_LIMIT:
		return "wrong_limit";
	case WT_CAUSE_ARITHMETIC:
		return "arithmetic";
	case WT_CAUSE_OTHER_GPU:
		return "other_gpu";
	}
	return "none";
}

void wt_cause_facts(const struct wt_cause *cause, struct wavetape_cause_info *facts_ret)
{
	const struct wt_cause_near *near = &cause->near;
	bool has_argument = cause->wave.has_access && near->argument < cause->arguments.part_count;

	*facts_ret = (struct wavetape_cause_info){
		.kind = cause_kind_name(cause->kind),
		.sentence = cause->sentence,
		.why_not = cause->why_not,
		.address = cause->address,
		.memory_ends_before = near->before_end,
		.memory_begins_after = near->after_start,
		.end = near->end,
		.byte_offset = has_argument ? near->byte_offset : 0,
		.element = has_argument ? near->element : 0,
		.argument = has_argument ? cause->arguments.parts[near->argument].argument : 0,
		.arguments = cause->arguments.count,
		.steps = cause->steps ? cause->analysis.count : 0,
		.lane = cause->lane,
		.has_address = cause->wave.has_access,
		.has_memory_before = near->mapped_before,
		.has_memory_after = near->mapped_after,
		.has_argument = has_argument,
		.has_element = has_argument && near->whole,
		.has_end = has_argument && near->has_end,
		.more_steps = cause->analysis.more,
		.late = cause->late,
		.memory = cause->memory_text,
		.has_reported = cause->has_reported,
		.reported = cause->reported,
	};
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
