/* SPDX-License-Identifier: MIT */
/*
 * The cause in one sentence. Each cause has its own conditions, all of which must be known to hold. The order matters: a
 * product that overflowed also leaves an address past an end.
 */
#include "base/text.h"
#include "replayer/view/explain-cause-internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "replayer/recorded/recorded.h"
#include "replayer/view/explain-access.h"
#include "replayer/view/explain-mapping.h"
#include "replayer/view/wave-machine.h"

struct wt_error *wt_cause_say(struct wt_cause *cause, enum wt_cause_kind kind, const char *format,
			      ...)
{
	va_list arguments;

	va_start(arguments, format);
	cause->sentence = wt_text_list(format, arguments);
	va_end(arguments);
	if (!cause->sentence)
		return &wt_error_no_memory;
	cause->kind = kind;
	return NULL;
}

const struct wt_explain_argument *wt_cause_argument_of(const struct wt_cause *cause)
{
	return cause->near.argument == SIZE_MAX ? NULL
						: &cause->arguments.parts[cause->near.argument];
}

const char *wt_cause_does(const struct wt_cause *cause)
{
	if (cause->wave.access.read && cause->wave.access.write)
		return "updates";
	return cause->wave.access.write ? "stores to" : "loads from";
}

const char *wt_cause_line(const char *before, const struct wavetape_place *code,
			  char text_ret[WT_CAUSE_LINE])
{
	int length;

	text_ret[0] = '\0';
	if (!code->file || !code->line)
		return text_ret;
	length = snprintf(text_ret, WT_CAUSE_LINE, "%s%.200s:%u", before,
			  wt_text_file_name(code->file), code->line);
	if (length > 0 && code->call_file && strcmp(code->call_file, code->file) != 0)
		snprintf(text_ret + length, WT_CAUSE_LINE - (size_t)length, " from %.200s:%u",
			 wt_text_file_name(code->call_file), code->call_line);
	return text_ret;
}

/* The same before a number of bytes. */
static const char *moves(const struct wt_cause *cause)
{
	if (cause->wave.access.read && cause->wave.access.write)
		return "updates";
	return cause->wave.access.write ? "stores" : "loads";
}

/* ---- Comparisons that let an index pass ---- */

#define WITH_TEXT (WT_EXPLAIN_POINTED + 40)
#define GUARD_TEXT (WT_CAUSE_LINE + WITH_TEXT + 40)

static bool was_compared(const struct wt_cause *cause, const struct wt_explain_argument *argument)
{
	return wt_cause_has_words(cause->analysis.compared_arguments, argument);
}

/* Does a comparison tell only whether both are the same? */
static bool comparison_is_equality(const struct wt_analysis_step *step)
{
	const char *name = step->instruction.operation->name;

	return strstr(name, "_eq_") || strstr(name, "_ne_") || strstr(name, "_lg_");
}

/*
 * May a comparison be a limit? One that takes a single number out lets all others pass, but for one at the end of a loop, from which the wave went
 * back to the access.
 */
static bool comparison_limits(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	return step->comparison &&
	       (cause->analysis.steps[0].pc < step->pc || !comparison_is_equality(step));
}

/* Is a source of a comparison what the index was made from, or the work-item id itself? */
static bool is_index(const struct wt_cause *cause, uint32_t source)
{
	return source < cause->analysis.count && cause->analysis.steps[source].part &&
	       !cause->analysis.steps[source].indirect && !cause->analysis.steps[source].loads;
}

/* An operand of a comparison, in the followed lane. */
struct compared {
	uint64_t value;
	uint64_t arguments; /* words of them that it may depend on */
	uint32_t source, number,
		bytes; /* the step that made it, which register it is in; no bytes of what the code says */
	uint32_t operand; /* 0: the left one */
	bool known;
};

/*
 * The comparison that let the index pass, and what it was compared with. Position of the step; 0 if there is none.
 *
 * @limit_ret: says whether its value is known.
 */
static size_t find_guard(const struct wt_cause *cause, struct compared *limit_ret)
{
	for (size_t i = 1; i < cause->analysis.count; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		bool index = false;

		*limit_ret = (struct compared){.known = false};
		for (uint32_t j = 0; comparison_limits(cause, step) && j < step->source_count;
		     j++) {
			if (is_index(cause, step->sources[j])) {
				index = true;
			} else if (step->source_known[j]) {
				limit_ret->value = step->source_values[j];
				limit_ret->arguments = step->source_arguments[j];
				limit_ret->known = true;
			}
		}
		if (index)
			return i;
	}
	return 0;
}

/* The argument that a comparison was made with; NULL if that is not one alone. What depends on no word of an argument has its value by chance. */
static const struct wt_explain_argument *limit_argument(const struct wt_cause *cause,
							const struct compared *limit)
{
	const struct wt_explain_argument *found = NULL;

	for (size_t i = 0; i < cause->arguments.part_count; i++) {
		const struct wt_explain_argument *argument = &cause->arguments.parts[i];

		/* A number that may be from there may have the value by chance. */
		if (argument->pointer && wt_cause_has_words(limit->arguments, argument))
			return NULL;
		if (!wt_cause_is_number(argument) || argument->value != limit->value ||
		    !was_compared(cause, argument) ||
		    !wt_cause_has_words(limit->arguments, argument))
			continue;
		if (found)
			return NULL;
		found = argument;
	}
	return found;
}

/*
 * The pointer argument by which a step has found what it loads; NULL if that is not one alone. By the words that its address depends on, since
 * what a comparison loads is beside the list of steps that wt_cause_name_loaded() follows.
 */
static const struct wt_explain_argument *load_pointer(const struct wt_cause *cause,
						      const struct wt_analysis_step *step)
{
	const struct wt_explain_argument *found = NULL;
	uint64_t words = 0;

	for (uint32_t i = 0, source = 0; i < step->uses.read_count; i++)
		for (uint32_t word = 0; word < step->uses.reads[i].words; word++, source++)
			if (step->uses.reads[i].address && source < step->source_count)
				words |= step->source_arguments[source];
	for (size_t i = 0; i < cause->arguments.part_count; i++) {
		const struct wt_explain_argument *argument = &cause->arguments.parts[i];

		if (!argument->pointer || !argument->known || argument->hidden ||
		    !wt_cause_has_words(words, argument))
			continue;
		if (found)
			return NULL;
		found = argument;
	}
	return found;
}

/* The name of what a comparison took from memory: "sizes[1]". "" where it has none. */
static void limit_name_loaded(const struct wt_cause *cause, const struct compared *limit,
			      char text_ret[WT_EXPLAIN_POINTED])
{
	const struct wt_analysis_step *step = &cause->analysis.steps[limit->source];
	const struct wt_explain_argument *argument = load_pointer(cause, step);
	const uint32_t lane = step->access.scalar ? 0 : cause->lane;
	const uint32_t offset = 4 * (limit->number - step->number);
	const uint64_t address = step->access.addresses[lane] + offset;
	const uint32_t size = step->access.size < limit->bytes ? step->access.size : limit->bytes;

	if (cause->steps[limit->source].global)
		wt_cause_name_global(cause, limit->source, offset, size, text_ret);
	else if (argument && step->address_known >> lane & 1 && address >= argument->value)
		wt_explain_name_pointed(&cause->arguments, argument, address, size, text_ret);
}

/* The name of what an operand of a comparison has: of an argument, or of what was loaded; "" where it has none. */
static const char *limit_name(const struct wt_cause *cause, const struct compared *limit,
			      char text_ret[WT_EXPLAIN_POINTED])
{
	const struct wt_explain_argument *argument = limit_argument(cause, limit);
	const struct wt_analysis_step *step = limit->source < cause->analysis.count
						      ? &cause->analysis.steps[limit->source]
						      : NULL;

	text_ret[0] = '\0';
	if (!limit->bytes)
		return text_ret;
	if (argument)
		snprintf(text_ret, WT_EXPLAIN_POINTED, "%.64s", argument->label);
	else if (step && step->loads && step->writes && limit->number >= step->number)
		limit_name_loaded(cause, limit, text_ret);
	return text_ret;
}

/* " with last, which is 524288,"; " with 524288" where it has no name; "" of what the code says, which compilers may have made another number of. */
static const char *limit_say(const struct compared *limit, const char *name,
			     char text_ret[WITH_TEXT])
{
	text_ret[0] = '\0';
	if (limit->bytes)
		snprintf(text_ret, WITH_TEXT,
			 *name ? " with %s, which is %" PRIu64 "," : " with %s%" PRIu64, name,
			 limit->value);
	return text_ret;
}

/* The two operands of a comparison, each of one word or two; false if it has not two. */
static bool comparison_find_operands(const struct wt_cause *cause,
				     const struct wt_analysis_step *step, struct compared is[2])
{
	uint32_t source = 0, count = 0, value;

	for (uint32_t i = 0; i < step->uses.read_count; source += step->uses.reads[i++].words) {
		const struct gfx_use *use = &step->uses.reads[i];

		if (use->mask)
			continue;
		if (count == 2 || use->words > 2 || source + use->words > step->source_count)
			return false;
		is[count] = (struct compared){.source = step->sources[source],
					      .number = use->number,
					      .bytes = 4U * use->words,
					      .operand = count,
					      .known = true};
		for (uint32_t word = 0; word < use->words; word++) {
			is[count].value |= (uint64_t)step->source_values[source + word]
					   << 32 * word;
			is[count].arguments |= step->source_arguments[source + word];
			is[count].known &= step->source_known[source + word];
		}
		count++;
	}
	for (uint32_t i = 0; i < 2 && count == 1; i++)
		if (wt_cause_operand(cause, step, WT_CAUSE_OPERAND_OF_CODE, i, &value)) {
			is[0].operand = !i;
			/* A number of the code that is compared with two words has its sign in the upper one. */
			is[count++] = (struct compared){
				.value =
					is[0].bytes > 4 ? (uint64_t)(int64_t)(int32_t)value : value,
				.source = WT_ANALYSIS_INITIAL,
				.operand = i,
				.known = true};
		}
	return count == 2;
}

/* Below it, what is compared may have the element's number by chance: that of a lane, or of a round. */
#define LEAST_OF_ITS_OWN 1024u

/*
 * Does a comparison let the limit itself pass, too: `i <= n`? What is not known to is one that ended a loop at its limit. Both have the same
 * number then: either the wave went back to the access, or it must be known which of them the address was made from.
 */
static bool comparison_includes_limit(const struct wt_cause *cause,
				      const struct wt_analysis_step *step,
				      const struct compared *index, const struct compared *limit)
{
	const char *name = step->instruction.operation->name;

	if (cause->analysis.steps[0].pc < step->pc)
		return true;
	if (!is_index(cause, index->source) || is_index(cause, limit->source) ||
	    step->instruction.modified)
		return false;
	/* One that asks for the contrary lets pass what it is not. */
	return index->operand ? strstr(name, "_ge_") || strstr(name, "_lt_")
			      : strstr(name, "_le_") || strstr(name, "_gt_");
}

/*
 * Is an operand of a comparison the element that is accessed, or what the address was made from and has its number, and does the other one let
 * it, and more than there are, pass? One below zero is no limit.
 */
static bool comparison_lets_pass(const struct wt_cause *cause, const struct compared *index,
				 const struct compared *limit, uint64_t element, uint64_t count)
{
	return index->known && limit->known && index->value == element &&
	       (element >= LEAST_OF_ITS_OWN || is_index(cause, index->source)) &&
	       limit->value >= element && limit->value >= count &&
	       limit->value <= (index->bytes > 4 ? (uint64_t)INT64_MAX : (uint64_t)INT32_MAX);
}

/*
 * The operand that is the limit of a comparison which lets an element pass that is behind the last one; NULL if none is. At the end of a loop
 * both have the same number: then it is the one that has a name.
 */
static const struct compared *comparison_find_limit(const struct wt_cause *cause,
						    const struct wt_analysis_step *step,
						    const struct compared is[2], uint64_t element,
						    uint64_t count,
						    char name_ret[WT_EXPLAIN_POINTED])
{
	const struct compared *found = NULL;

	for (uint32_t index = 0; index < 2; index++) {
		const struct compared *limit = &is[!index];
		char name[WT_EXPLAIN_POINTED];

		if (!comparison_lets_pass(cause, &is[index], limit, element, count) ||
		    (limit->value == element &&
		     !comparison_includes_limit(cause, step, &is[index], limit)))
			continue;
		limit_name(cause, limit, name);
		/* A number that marks the end of a list, say, is no limit. */
		if (!*name && (found || comparison_is_equality(step)))
			continue;
		if (found && *name_ret)
			continue;
		found = limit;
		memcpy(name_ret, name, sizeof(name));
	}
	return found;
}

/*
 * Says which comparison lets an element pass that is behind the last one: "; the comparison of a.hip:6 with n, which is 512, lets it pass". Nothing
 * where none is known to.
 *
 * @count: how many elements there are.
 */
static const char *guard_say(const struct wt_cause *cause, uint64_t element, uint64_t count,
			     char text_ret[GUARD_TEXT])
{
	text_ret[0] = '\0';
	for (size_t i = 1; i < cause->analysis.count && element >= count; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		char where[WT_CAUSE_LINE], with[WITH_TEXT], name[WT_EXPLAIN_POINTED];
		const struct compared *limit;
		struct compared is[2];

		if (!comparison_limits(cause, step) || !comparison_find_operands(cause, step, is))
			continue;
		limit = comparison_find_limit(cause, step, is, element, count, name);
		if (!limit)
			continue;
		snprintf(text_ret, GUARD_TEXT, "; the comparison%s%s lets it pass",
			 wt_cause_line(" of ", &cause->steps[i].code, where),
			 limit_say(limit, name, with));
		return text_ret;
	}
	return text_ret;
}

/* Says of the index of an element behind the last one where it is from, and which comparison lets it pass. */
static const char *index_past_say(const struct wt_cause *cause,
				  const struct wt_explain_argument *argument,
				  char text_ret[WT_CAUSE_INDEX + GUARD_TEXT])
{
	const size_t length = strlen(wt_cause_index_source(cause, 0, text_ret));

	if (cause->near.whole && cause->near.element >= 0)
		guard_say(cause, (uint64_t)cause->near.element,
			  (cause->near.end - argument->value) / cause->near.unit,
			  text_ret + length);
	return text_ret;
}

/* ---- Misaligned, local memory ---- */

static struct wt_error *name_misaligned(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct gfx_access *access = &cause->wave.access;
	uint64_t rest = access->size ? cause->address % access->size : 0;

	if (!(cause->wave.reasons & AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR) || !access->read ||
	    !access->write || !rest || cause->wave.failed_lanes >> cause->lane & 1)
		return NULL;
	/* Local memory may also end before it. */
	if (access->space == GFX_ACCESS_LOCAL &&
	    (cause->address + access->size > naming->dispatch->local_size))
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_MISALIGNED,
			    "misaligned: lane %u updates %u bytes at 0x%" PRIx64
			    ", which is %" PRIu64
			    " past a multiple of %u; this instruction needs a "
			    "multiple",
			    cause->lane, access->size, cause->address, rest, access->size);
}

/* The address of all memory from which on local or private memory is; 0 if that is not known. */
static uint64_t aperture_of(const struct wt_cause_naming *naming, enum gfx_access_space space)
{
	const struct gfx_architecture *architecture =
		wt_view_architecture(naming->view, WT_OBJECT_WAVE, naming->cause->wave.wave);

	if (!architecture)
		return 0;
	return space == GFX_ACCESS_LOCAL ? architecture->local_aperture
					 : architecture->private_aperture;
}

#define WT_CAUSE_LED (WT_CAUSE_THROUGH > WT_CAUSE_INDEX ? WT_CAUSE_THROUGH : WT_CAUSE_INDEX)

/* Names the pointer by which a wave came into local or private memory, or else where the index comes from. */
static const char *led_there(const struct wt_cause_naming *naming, enum gfx_access_space space,
			     char text_ret[WT_CAUSE_LED])
{
	if (!*wt_cause_through(naming, aperture_of(naming, space), text_ret))
		wt_cause_index_source(naming->cause, 0, text_ret);
	return text_ret;
}

static struct wt_error *name_local(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct gfx_access *access = &cause->wave.access;
	char array[WT_CAUSE_ELEMENT], led[WT_CAUSE_LED];
	uint64_t end = naming->dispatch->local_size, address = cause->address, before;
	struct wt_error *error;

	/* An access of two parts is named by the first that is past the end. */
	for (uint32_t part = 1; part < access->parts && address + access->size <= end; part++)
		address = (uint32_t)gfx_part_address(access, cause->lane, part);
	before = (UINT64_C(1) << 32) - address;
	if (!(cause->wave.reasons & AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR) ||
	    access->space != GFX_ACCESS_LOCAL || !naming->dispatch->has_local_size ||
	    address + access->size <= end)
		return NULL;
	/* An access that begins in local memory and ends behind it is named by its first byte that is not there. */
	if (address < end)
		address = end;
	error = wt_cause_say_array(naming, (int32_t)address, array);
	if (error)
		return error;
	if (address <= INT32_MAX)
		return wt_cause_say(cause, WT_CAUSE_LOCAL_END,
				    "past the end: lane %u %s %sbyte %" PRIu64
				    " of local memory, of which the workgroup has %" PRIu64
				    " bytes%s",
				    cause->lane, wt_cause_does(cause), array, address, end,
				    led_there(naming, GFX_ACCESS_LOCAL, led));
	/* Its addresses have 32 bits. */
	if (before > (uint64_t)WT_CAUSE_MAX_ELEMENTS)
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_LOCAL_START,
			    "before the start: lane %u %s %sbyte -%" PRIu64 " of local memory%s",
			    cause->lane, wt_cause_does(cause), array, before,
			    wt_cause_index_source(cause, 0, led));
}

/* A work-item's private memory ends behind what the dispatch says. */
static struct wt_error *name_private_end(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	uint64_t end = naming->dispatch->private_size;
	char array[WT_CAUSE_ELEMENT], led[WT_CAUSE_LED];
	struct wt_error *error;

	if (!(cause->wave.reasons & (AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR |
				     AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION)) ||
	    cause->wave.access.space != GFX_ACCESS_PRIVATE || !naming->dispatch->has_private_size ||
	    cause->address < end || cause->address > INT32_MAX)
		return NULL;
	error = wt_cause_say_array(naming, (int64_t)cause->address, array);
	if (error)
		return error;
	return wt_cause_say(cause, WT_CAUSE_PRIVATE_END,
			    "past the end: lane %u %s %sbyte %" PRIu64
			    " of private memory, of which a work-item has %" PRIu64 " bytes%s",
			    cause->lane, wt_cause_does(cause), array, cause->address, end,
			    led_there(naming, GFX_ACCESS_PRIVATE, led));
}

#define STACK_POINTER "s32" /* which has it in functions */
#define STACK_REACH                                                                                \
	UINT64_C(4096) /* bytes of a lane before and behind it that an instruction can add */

/* To which byte of a lane's private memory the stack pointer leads; false where that is not known, or counts no bytes of all lanes. */
static bool stack_find_byte(const struct wt_cause_naming *naming, unsigned int *shift_ret,
			    uint64_t *byte_ret)
{
	uint64_t wave = naming->cause->wave.wave, pointer;
	struct wt_view_machine machine;

	wt_view_machine_init(&machine, naming->view, wave,
			     wt_view_architecture(naming->view, WT_OBJECT_WAVE, wave), NULL);
	*shift_ret = machine.machine.scratch_shift;
	wt_view_machine_deinit(&machine);
	if (!*shift_ret || !wt_view_register_value(naming->view, wave, STACK_POINTER, 0, &pointer))
		return false;
	*byte_ret = pointer >> *shift_ret;
	return true;
}

/*
 * Behind a wave's own private memory, if buffers access it, is that of other waves, up to the end of all. A stack that has come there is
 * seen by the stack pointer, which is kept in functions: past the end of the wave's own, and beside the page where the access failed. Which
 * access that was need not be known.
 */
static bool stack_find_end(const struct wt_cause_naming *naming, uint64_t *byte_ret)
{
	const struct wt_explain_wave *wave = &naming->cause->wave;
	const struct wt_item *place = wt_recorded_plain(wt_view_recorded(naming->view),
							WT_ITEM_PRIVATE_PLACE, wave->wave);
	const uint64_t end = naming->dispatch->private_size;
	uint64_t reported, failed;
	unsigned int shift;

	if (!wave->memory_fault || naming->cause->certain || !wave->code.symbol || !wave->kernel ||
	    !strcmp(wave->code.symbol, wave->kernel) || !naming->dispatch->has_private_size ||
	    !place || place->number_count != 2 || !place->numbers[0] ||
	    !stack_find_byte(naming, &shift, byte_ret) || *byte_ret < end)
		return false;
	/* A generic address past the end is none by itself. */
	if (wave->reasons & AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR)
		return true;
	if (!wt_mappings_device_fault(naming->mappings, naming->dispatch->process, 0, &reported) ||
	    reported < place->numbers[0])
		return false;
	failed = (reported - place->numbers[0]) >> shift;
	return failed >= end && failed < *byte_ret + STACK_REACH &&
	       *byte_ret < failed + STACK_REACH;
}

static struct wt_error *name_stack_end(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	uint64_t byte;

	if (!stack_find_end(naming, &byte))
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_PRIVATE_END,
			    "past the end: the stack has come to byte %" PRIu64
			    " of private memory, of which a work-item has %" PRIu64 " bytes",
			    byte, naming->dispatch->private_size);
}

/* Farther down than an index of 32 bits leads. */
#define BELOW_APERTURE (UINT64_C(1) << 36)

/*
 * Generic addresses below local or private memory: no GPU has memory there, since the hardware takes addresses of that length for none of a
 * page.
 */
static struct wt_error *name_below_aperture(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const uint64_t starts[] = {aperture_of(naming, GFX_ACCESS_LOCAL),
				   aperture_of(naming, GFX_ACCESS_PRIVATE)};
	char array[WT_CAUSE_ELEMENT] = "", index[WT_CAUSE_INDEX];
	struct wt_error *error = NULL;

	if (cause->wave.access.space != GFX_ACCESS_GENERIC)
		return NULL;
	for (size_t i = 0; i < 2; i++) {
		uint64_t before = starts[i] - cause->address;

		if (starts[i] <= BELOW_APERTURE ||
		    !wt_cause_all_failed(naming, starts[i] - BELOW_APERTURE, starts[i]))
			continue;
		if (i)
			error = wt_cause_say_array(naming, -(int64_t)before, array);
		if (error)
			return error;
		return wt_cause_say(
			cause, i ? WT_CAUSE_PRIVATE_START : WT_CAUSE_LOCAL_START,
			"before the start: lane %u %s %sbyte -%" PRIu64 " of %s memory%s",
			cause->lane, wt_cause_does(cause), array, before, i ? "private" : "local",
			wt_cause_index_source(cause, 0, index));
	}
	return NULL;
}

/* ---- No guard, past an end, before a start ---- */

/* The work-item of a lane in a grid of one dimension. */
static uint64_t work_item(const struct wt_cause_naming *naming, uint32_t lane)
{
	const struct wt_explain_wave *wave = &naming->cause->wave;

	return (uint64_t)wave->workgroup[0] * naming->dispatch->workgroup_size[0] +
	       (uint64_t)wave->number_in_workgroup * wave->lane_count + lane;
}

/* Does each lane that failed access the element of its own work-item? */
static bool elements_are_work_items(const struct wt_cause_naming *naming,
				    const struct wt_explain_argument *argument)
{
	const struct gfx_access *access = &naming->cause->wave.access;

	if (naming->dispatch->grid_size[1] > 1 || naming->dispatch->grid_size[2] > 1 ||
	    access->scalar || !access->size)
		return false;
	for (uint64_t left = naming->failed; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);

		if (access->addresses[lane] - argument->value !=
		    work_item(naming, lane) * naming->cause->near.unit + naming->cause->near.rest)
			return false;
	}
	return naming->failed;
}

static struct wt_error *name_wrong_limit(struct wt_cause_naming *naming,
					 const struct wt_explain_argument *pointer,
					 const struct wt_explain_argument *count, size_t guard,
					 const struct compared *limit)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument =
		limit->known ? limit_argument(cause, limit) : NULL;
	char with[WITH_TEXT] = "", where[WT_CAUSE_LINE];

	if (argument)
		snprintf(with, sizeof(with), " with %.64s, which is %" PRIu64 ",", argument->label,
			 limit->value);
	return wt_cause_say(cause, WT_CAUSE_WRONG_LIMIT,
			    "wrong limit: work-item %" PRIu64 " %s %s[%" PRIu64
			    "], but %s is %" PRIu64 ", and the comparison%s%s lets it pass",
			    work_item(naming, cause->lane), wt_cause_does(cause), pointer->label,
			    work_item(naming, cause->lane), count->label, count->value,
			    wt_cause_line(" of ", &cause->steps[guard].code, where), with);
}

static struct wt_error *name_no_guard(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *pointer = wt_cause_argument_of(cause), *found = NULL;
	struct compared limit;
	size_t guard;

	if (!pointer || !cause->near.has_end || !elements_are_work_items(naming, pointer))
		return NULL;
	for (size_t i = 0; i < cause->arguments.part_count; i++) {
		const struct wt_explain_argument *argument = &cause->arguments.parts[i];

		if (!wt_cause_counts(cause, pointer, argument, cause->near.end))
			continue;
		if (found)
			return NULL;
		found = argument;
	}
	if (!found || was_compared(cause, found) ||
	    work_item(naming, (uint32_t)__builtin_ctzll(naming->failed)) < found->value)
		return NULL;
	guard = find_guard(cause, &limit);
	if (guard)
		return name_wrong_limit(naming, pointer, found, guard, &limit);
	return wt_cause_say(cause, WT_CAUSE_NO_GUARD,
			    "no guard: work-item %" PRIu64 " %s %s[%" PRIu64 "], but %s is %" PRIu64
			    ", and nothing on its way compares with %s",
			    work_item(naming, cause->lane), wt_cause_does(cause), pointer->label,
			    work_item(naming, cause->lane), found->label, found->value,
			    found->label);
}

/* Lanes that failed, and access bytes on both sides of @border or on one alone. */
static bool all_failed_reach(const struct wt_cause_naming *naming, uint64_t border, bool above)
{
	uint32_t size = naming->cause->wave.access.size;

	for (uint64_t left = naming->failed; left; left &= left - 1) {
		uint64_t address = naming->cause->wave.access.addresses[__builtin_ctzll(left)];

		if (above ? address + size <= border : address >= border)
			return false;
	}
	return naming->failed;
}

/* Another buffer that has as many elements as an argument says; NULL if there is none. */
static const struct wt_explain_argument *counted_by(const struct wt_cause_naming *naming,
						    const struct wt_explain_argument *number,
						    const struct wt_explain_argument *except)
{
	const struct wt_cause *cause = naming->cause;
	uint64_t end;

	for (size_t i = 0; i < cause->arguments.part_count; i++) {
		const struct wt_explain_argument *pointer = &cause->arguments.parts[i];

		if (pointer != except && pointer->pointer && pointer->known &&
		    (wt_memory_end(naming->mappings, naming->dispatch->process, pointer->value,
				   &end) ||
		     wt_cause_end(naming->view, naming->dispatch->process, pointer->value, &end)) &&
		    end == pointer->value + number->value * (pointer->element
								     ? pointer->element
								     : cause->wave.access.size))
			return pointer;
	}
	return NULL;
}

/* Has the wave compared the element that it accesses, and no other number, with an argument? */
static bool element_was_compared(const struct wt_cause *cause,
				 const struct wt_explain_argument *number)
{
	for (size_t i = 1; i < cause->analysis.count; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		bool element = false, limit = false;

		for (uint32_t j = 0; comparison_limits(cause, step) && j < step->source_count;
		     j++) {
			element |= step->source_known[j] &&
				   step->source_values[j] == (uint64_t)cause->near.element;
			limit |= step->source_known[j] && step->source_values[j] == number->value;
		}
		if (element && limit)
			return true;
	}
	return false;
}

/* An argument with which the wave compared the element, and that says more elements than there are: NULL if it is not one alone. */
static const struct wt_explain_argument *
find_wrong_count(const struct wt_cause_naming *naming, const struct wt_explain_argument *pointer,
		 const struct wt_explain_argument **other_ret)
{
	const struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *found = NULL;

	for (size_t i = 0; i < cause->arguments.part_count; i++) {
		const struct wt_explain_argument *number = &cause->arguments.parts[i], *other;

		if (!wt_cause_is_number(number) || (uint64_t)cause->near.element >= number->value ||
		    !element_was_compared(cause, number))
			continue;
		other = counted_by(naming, number, pointer);
		if (found && other)
			return NULL;
		if (other) {
			found = number;
			*other_ret = other;
		}
	}
	return found;
}

/*
 * An argument with which the wave compared the element, and that counts smaller elements of the buffer, or its bytes: NULL if it is not one
 * alone. Where the buffer's own end is not known, its memory ends with a page, and says nothing.
 *
 * @bytes_ret: of what it counts.
 */
static const struct wt_explain_argument *find_other_unit(const struct wt_cause_naming *naming,
							 const struct wt_explain_argument *pointer,
							 uint32_t *bytes_ret)
{
	const struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *found = NULL;
	uint64_t end;

	if (!wt_memory_end(naming->mappings, naming->dispatch->process, pointer->value, &end) ||
	    end != cause->near.end)
		return NULL;
	for (size_t i = 0; i < cause->arguments.part_count; i++) {
		const struct wt_explain_argument *number = &cause->arguments.parts[i];
		const uint64_t bytes =
			wt_cause_is_number(number) ? (end - pointer->value) / number->value : 0;

		if (!bytes || bytes >= cause->near.unit || (end - pointer->value) % number->value ||
		    (bytes & (bytes - 1)) || (uint64_t)cause->near.element >= number->value ||
		    !element_was_compared(cause, number))
			continue;
		if (found)
			return NULL;
		found = number;
		*bytes_ret = (uint32_t)bytes;
	}
	return found;
}

/* An argument counts the elements of another buffer, or what is no element of this one: there are fewer of these. */
static struct wt_error *name_too_small(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *pointer = wt_cause_argument_of(cause), *number, *other;
	uint32_t unit = cause->near.unit, bytes = 0;
	char element[WT_CAUSE_ELEMENT], counts[WT_CAUSE_ELEMENT];

	if (!pointer || !cause->near.has_end || !cause->near.whole ||
	    cause->address < cause->near.end || (cause->near.end - pointer->value) % unit ||
	    !all_failed_reach(naming, cause->near.end, true))
		return NULL;
	number = find_wrong_count(naming, pointer, &other);
	if (number) {
		snprintf(counts, sizeof(counts), "as many as %.64s has", other->label);
	} else {
		number = find_other_unit(naming, pointer, &bytes);
		snprintf(counts, sizeof(counts),
			 bytes == 1 ? "as many as %.64s has bytes"
				    : "as many as %.64s has of %u bytes",
			 pointer->label, bytes);
	}
	if (!number)
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_TOO_SMALL,
			    "too few elements: lane %u %s %s, and %s is %" PRIu64
			    ", %s; %s has %" PRIu64 " of %u %s",
			    cause->lane, wt_cause_does(cause), wt_cause_element(cause, element),
			    number->label, number->value, counts, pointer->label,
			    (cause->near.end - pointer->value) / unit, unit,
			    wt_plural(unit, "byte", "bytes"));
}

static const char *border_word(const struct wt_cause *cause)
{
	return cause->near.buffer ? "of its buffer" : "that is mapped";
}

/* Too far for a wrong count: the index itself is wrong. Mapped is the first element at least. */
static struct wt_error *name_far_past_end(struct wt_cause_naming *naming,
					  const struct wt_explain_argument *argument)
{
	struct wt_cause *cause = naming->cause;
	uint32_t unit = cause->near.unit;
	char element[WT_CAUSE_ELEMENT], index[WT_CAUSE_INDEX + GUARD_TEXT];

	if (!cause->near.whole || cause->near.end - argument->value < unit)
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_PAST_END,
			    "far past the end: lane %u %s %s, and the last element of %u "
			    "%s %s is %s[%" PRIu64 "]%s",
			    cause->lane, wt_cause_does(cause), wt_cause_element(cause, element),
			    unit, wt_plural(unit, "byte", "bytes"), border_word(cause),
			    argument->label, (cause->near.end - argument->value) / unit - 1,
			    index_past_say(cause, argument, index));
}

static struct wt_error *name_past_end(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument = wt_cause_argument_of(cause);
	uint64_t end = cause->near.end, last = cause->address + cause->wave.access.size, bytes;
	uint32_t size = cause->wave.access.size, unit = cause->near.unit;
	char element[WT_CAUSE_ELEMENT], index[WT_CAUSE_INDEX + GUARD_TEXT];

	if (!argument || argument->value < WT_CAUSE_LOWEST_ADDRESS || !cause->near.has_end ||
	    !all_failed_reach(naming, end, true) || cause->address < argument->value)
		return NULL;
	if (last - end > (uint64_t)WT_CAUSE_MAX_ELEMENTS * unit)
		return name_far_past_end(naming, argument);
	if (cause->near.whole && cause->address >= end && (end - argument->value) % unit == 0) {
		uint64_t past = (cause->address - end) / unit + 1;

		return wt_cause_say(
			cause, WT_CAUSE_PAST_END,
			"past the end: lane %u %s %s, %" PRIu64
			" %s of %u %s past the last one %s, %s[%" PRIu64 "]%s",
			cause->lane, wt_cause_does(cause), wt_cause_element(cause, element), past,
			wt_plural(past, "element", "elements"), unit,
			wt_plural(unit, "byte", "bytes"), border_word(cause), argument->label,
			(end - argument->value) / unit - 1, index_past_say(cause, argument, index));
	}
	bytes = last - end < size ? last - end : size;
	return wt_cause_say(cause, WT_CAUSE_PAST_END,
			    "past the end: lane %u %s %u bytes at %s + %" PRId64
			    ", and the last %" PRIu64 " of them are past the end of %s, "
			    "%s + %" PRIu64 "%s",
			    cause->lane, moves(cause), size, argument->label,
			    cause->near.byte_offset, bytes,
			    cause->near.buffer ? "the buffer" : "what is mapped", argument->label,
			    end - argument->value, index_past_say(cause, argument, index));
}

/* No wrong count brings a wave so far away, as in name_far_past_end(). */
static struct wt_error *name_far_before_start(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	char element[WT_CAUSE_ELEMENT], index[WT_CAUSE_INDEX];

	if (!cause->near.whole)
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_BEFORE_START, "far before the start: lane %u %s %s%s",
			    cause->lane, wt_cause_does(cause), wt_cause_element(cause, element),
			    wt_cause_index_source(cause, 0, index));
}

static struct wt_error *name_before_start(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument = wt_cause_argument_of(cause);
	char element[WT_CAUSE_ELEMENT], index[WT_CAUSE_INDEX];
	uint64_t end, before;

	if (!argument || argument->value < WT_CAUSE_LOWEST_ADDRESS ||
	    cause->address >= argument->value ||
	    !all_failed_reach(naming, argument->value, false) ||
	    !(wt_cause_page(naming->view, naming->dispatch->process, argument->value, &end) == 1 ||
	      wt_memory_end(naming->mappings, naming->dispatch->process, argument->value, &end)))
		return NULL;
	before = argument->value - cause->address;
	if (before > (uint64_t)WT_CAUSE_MAX_ELEMENTS * cause->near.unit)
		return name_far_before_start(naming);
	if (!cause->near.whole)
		return wt_cause_say(cause, WT_CAUSE_BEFORE_START,
				    "before the start: lane %u %s %u bytes at %s - %" PRIu64 "%s",
				    cause->lane, moves(cause), cause->wave.access.size,
				    argument->label, before,
				    wt_cause_index_source(cause, 0, index));
	return wt_cause_say(cause, WT_CAUSE_BEFORE_START,
			    "before the start: lane %u %s %s, %" PRId64
			    " %s of %u %s before where %s points%s",
			    cause->lane, wt_cause_does(cause), wt_cause_element(cause, element),
			    -cause->near.element,
			    wt_plural((uint64_t)-cause->near.element, "element", "elements"),
			    cause->near.unit, wt_plural(cause->near.unit, "byte", "bytes"),
			    argument->label, wt_cause_index_source(cause, 0, index));
}

struct wt_error *wt_cause_name(struct wt_explainer *explainer,
			       const struct wt_cause_dispatch *dispatch,
			       const struct wt_cause_limits *limits, struct wt_cause *cause)
{
	static struct wt_error *(*const causes[])(struct wt_cause_naming * naming) = {
		name_misaligned,	name_local,
		name_private_end,	name_below_aperture,
		wt_cause_name_pointer,	wt_cause_name_narrow,
		wt_cause_name_overflow, name_no_guard,
		name_too_small,		wt_cause_name_wrapped,
		name_past_end,		name_before_start,
		wt_cause_name_variable, name_stack_end,
	};
	struct wt_cause_naming naming = {.view = wt_explainer_view(explainer),
					 .dispatch = dispatch,
					 .limits = limits,
					 .cause = cause,
					 .failed = cause->wave.failed_lanes};
	struct wt_error *error = wt_explainer_mappings(explainer, &naming.mappings);

	if (!error && cause->jumped)
		return wt_cause_name_pointer(&naming);
	if (!error && !cause->wave.has_access)
		return name_stack_end(&naming);
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]) && !error; i++)
		if (!cause->sentence)
			error = causes[i](&naming);
	return error;
}
