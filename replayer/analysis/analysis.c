/* SPDX-License-Identifier: MIT */
/* Following a wave to where it stopped, and values back from there. */
#include "replayer/analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "gfx/isa/flow.h"
#include "gfx/wave/context.h"
#include "gfx/wave/memory-access.h"
#include "replayer/analysis/failed-access.h"
#include "replayer/analysis/rerun-launch.h"
#include "replayer/analysis/rerun.h"

/* Bytes for states of the wave that are kept. */
#define KEPT_BYTES (UINT64_C(64) << 20)

/* ---- From the target back ---- */

/* Steps that are still to be looked at, and those that were. */
struct slice {
	struct {
		uint32_t number;       /* of the step, from 1; the target is past the last one */
		uint32_t depth, shift; /* as shift_of() has it */
		bool indirect, comparison, part;
	} found[WT_ANALYSIS_MAX_LISTED];
	size_t count;
	bool more, whole;
};

static size_t find_in_slice(const struct slice *slice, uint32_t number)
{
	size_t i = 0;

	while (i < slice->count && slice->found[i].number != number)
		i++;
	return i;
}

static void add_to_slice(struct slice *slice, uint32_t number, uint32_t depth, bool indirect)
{
	const size_t at = find_in_slice(slice, number);

	if (!number || at < slice->count)
		return;
	if (at == WT_ANALYSIS_MAX_STEPS) {
		slice->more = true;
		return;
	}
	slice->found[at].number = number;
	slice->found[at].depth = depth;
	slice->found[at].part = true;
	slice->found[at].indirect = indirect;
	slice->count++;
}

static size_t references_end(const struct wt_rerun *rerun, uint32_t number)
{
	return number < rerun->step_count ? rerun->steps[number].first : rerun->reference_count;
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *first = a, *second = b;

	return *first < *second ? 1 : *first > *second ? -1 : 0;
}

/* ---- What was compared on the way ---- */

#define LOOKED_AT 20000 /* steps before the target */
#define MASK_DEPTH 4	/* operations between a comparison and what it decides */

struct comparisons {
	struct wt_rerun *rerun;
	struct {
		uint64_t pc;
		uint32_t number; /* of its last step */
	} found[WT_ANALYSIS_MAX_COMPARISONS];
	size_t count;
};

/* The code of a step; NULL if it cannot be read any more. */
static const struct wt_rerun_code *code_of(struct wt_rerun *rerun, uint32_t number)
{
	uint64_t pc = rerun->wave.pc;
	const struct wt_rerun_code *code;

	rerun->wave.pc = rerun->steps[number - 1].pc;
	code = wt_rerun_code(rerun);
	rerun->wave.pc = pc;
	return code;
}

/* Does an instruction move words between registers and memory, each to one place? */
static bool moves_words(const struct wt_rerun_code *code, enum gfx_memory_kind kind)
{
	return code && (enum gfx_memory_kind)code->instruction.operation->memory == kind;
}

/* Adds a comparison: the last, if it was made several times. A mask has those of earlier rounds of a loop in it, too. */
static void add_comparison(struct comparisons *comparisons, uint32_t number)
{
	uint64_t pc = comparisons->rerun->steps[number - 1].pc;
	size_t at = 0;

	while (at < comparisons->count && comparisons->found[at].pc != pc)
		at++;
	if (at == WT_ANALYSIS_MAX_COMPARISONS)
		return;
	if (at == comparisons->count) {
		comparisons->found[at].pc = pc;
		comparisons->found[at].number = 0;
		comparisons->count++;
	}
	if (number > comparisons->found[at].number)
		comparisons->found[at].number = number;
}

/* A step that is no part of the address, unless it is there already. Return: its place. */
static size_t slice_add_beside(struct slice *slice, uint32_t number)
{
	size_t at = find_in_slice(slice, number);

	if (at == slice->count) {
		slice->found[at].number = number;
		slice->found[at].indirect = true;
		slice->count++;
	}
	return at;
}

/* Adds a comparison and the loads of what it compares, but for those of arguments. */
static void slice_add_comparison(struct wt_rerun *rerun, struct slice *slice, uint32_t number)
{
	size_t first = rerun->steps[number - 1].first, end = references_end(rerun, number);

	slice->found[slice_add_beside(slice, number)].comparison = true;
	for (size_t i = first; i < end && i - first < WT_ANALYSIS_MAX_COMPARED; i++) {
		uint32_t writer = rerun->references[i].writer;

		if (writer && rerun->steps[writer - 1].argument < 0 &&
		    moves_words(code_of(rerun, writer), GFX_MEMORY_LOAD))
			slice_add_beside(slice, writer);
	}
}

/* The comparisons that a mask was made of. */
static void trace_mask(struct comparisons *comparisons, uint32_t number, uint32_t depth)
{
	const struct wt_rerun *rerun = comparisons->rerun;
	const struct wt_rerun_code *code;

	if (!number || !depth)
		return;
	code = code_of(comparisons->rerun, number);
	if (!code)
		return;
	if (strstr(code->instruction.operation->name, "_cmp")) {
		add_comparison(comparisons, number);
		return;
	}
	if (!code->uses.bitwise)
		return;
	for (size_t i = rerun->steps[number - 1].first; i < references_end(rerun, number); i++)
		trace_mask(comparisons, rerun->references[i].writer, depth - 1);
}

/* Does an instruction decide where the wave goes on, or which of its lanes do? */
static bool decides(const struct wt_rerun_code *code)
{
	const char *name = code->instruction.operation->name;

	if (!strncmp(name, "s_cbranch_scc", 13) || !strncmp(name, "s_cbranch_vcc", 13))
		return true;
	for (uint32_t i = 0; i < code->uses.write_count; i++)
		if (code->uses.writes[i].file == GFX_FILE_SCALAR &&
		    code->uses.writes[i].number == GFX_CODE_EXEC)
			return true;
	return false;
}

static void add_comparisons(struct wt_rerun *rerun, struct slice *slice)
{
	struct comparisons comparisons = {.rerun = rerun};
	size_t last = rerun->step_count > LOOKED_AT ? rerun->step_count - LOOKED_AT : 0;

	for (size_t number = rerun->step_count;
	     number > last && comparisons.count < WT_ANALYSIS_MAX_COMPARISONS; number--) {
		const struct wt_rerun_code *code = code_of(rerun, (uint32_t)number);

		if (!code || !decides(code))
			continue;
		/* One that writes exec itself, as those of gfx10 and later do. */
		if (strstr(code->instruction.operation->name, "_cmp"))
			add_comparison(&comparisons, (uint32_t)number);
		else
			for (size_t i = rerun->steps[number - 1].first;
			     i < references_end(rerun, (uint32_t)number); i++)
				trace_mask(&comparisons, rerun->references[i].writer, MASK_DEPTH);
	}
	for (size_t i = 0; i < comparisons.count; i++)
		slice_add_comparison(rerun, slice, comparisons.found[i].number);
}

/* ---- Which arguments the address is made of ---- */

#define ALL_WORDS                                                                                  \
	UINT16_MAX /* of what a step loads or stores; the last bit stands for any from there on */

/* Steps of any number, and which of their words the address is made of. */
struct closure {
	uint16_t *words; /* by number of a step: those that were asked for */
	struct todo {
		uint32_t number;
		uint16_t words;
	} * todo;
	size_t count, capacity;
	uint64_t arguments;
	bool no_memory;
};

static void closure_deinit(struct closure *closure)
{
	free(closure->words);
	free(closure->todo);
}

static uint16_t word_bit(uint32_t word)
{
	return word < 15 ? (uint16_t)(1U << word) : ALL_WORDS;
}

static void add_words(struct closure *closure, uint32_t number, uint16_t words)
{
	words &= (uint16_t)~closure->words[number];
	if (!words)
		return;
	if (closure->count == closure->capacity) {
		size_t capacity = closure->capacity ? closure->capacity * 2 : 1024;
		struct todo *todo = reallocarray(closure->todo, capacity, sizeof(*todo));

		closure->no_memory |= !todo;
		if (!todo)
			return;
		closure->todo = todo;
		closure->capacity = capacity;
	}
	closure->words[number] |= words;
	closure->todo[closure->count++] = (struct todo){.number = number, .words = words};
}

#define WORD_BITS                                                                                  \
	32u /* that bit of what two words are shifted by, of which 6 count, says whether it is a word or more */

/* Which words of a source of two words go into which of the result's. */
enum word_flow {
	FLOW_ALL,  /* each into both, or that is not known */
	FLOW_KEPT, /* each into the same */
	FLOW_UP, /* the low one into both, as in sums and shifts to the left, the high one into the high one */
	FLOW_DOWN,     /* the contrary */
	FLOW_LOW_UP,   /* the low one into the high one alone: it is shifted by a word or more */
	FLOW_HIGH_DOWN /* the high one into the low one alone, and its sign into the other */
};

static enum word_flow words_flow(const struct wt_rerun_code *code, uint32_t shift)
{
	bool far = shift & WORD_BITS;

	if (!code || !code->uses.write_count || code->uses.writes[0].words != 2)
		return FLOW_ALL;
	if (code->uses.bitwise ||
	    !strcmp(gfx_computes(code->instruction.operation), "v_pk_mov_b32"))
		return FLOW_KEPT;
	/* A sum that is too large for two words changes both where it is limited. */
	if (code->instruction.clamp)
		return FLOW_ALL;
	switch (gfx_operation_flow(code->instruction.operation)) {
	case GFX_FLOW_MOVE:
	case GFX_FLOW_CHOICE:
		return FLOW_KEPT;
	case GFX_FLOW_SUM:
	case GFX_FLOW_DIFFERENCE:
	case GFX_FLOW_PRODUCT:
	case GFX_FLOW_PRODUCT_SUM:
	case GFX_FLOW_LEFT_ADD:
		return FLOW_UP;
	case GFX_FLOW_LEFT:
		return far ? FLOW_LOW_UP : FLOW_UP;
	case GFX_FLOW_RIGHT:
	case GFX_FLOW_RIGHT_SIGNED:
		return far ? FLOW_HIGH_DOWN : FLOW_DOWN;
	default:
		return FLOW_ALL;
	}
}

/* The value of an operand that the code says; false if it says none. */
static bool code_says(const struct gfx_instruction *instruction, uint32_t index,
		      uint32_t *value_ret)
{
	if (instruction->src[index] != GFX_CODE_LITERAL)
		return gfx_code_integer(instruction->src[index], value_ret);
	*value_ret = instruction->literal;
	return true;
}

/*
 * By how many bits a step shifts two words, where the code says that: in the instruction, or in one that set a scalar register to it. Else 0.
 * Compilers leave what stands in the word that is shifted out as it is, and that is of something else.
 */
static uint32_t shift_of(struct wt_rerun *rerun, uint32_t number)
{
	const struct wt_rerun_code *code = code_of(rerun, number);
	size_t at = rerun->steps[number - 1].first;
	uint32_t index, value = 0, i = 0;

	if (!code || words_flow(code, 0) == words_flow(code, WORD_BITS))
		return 0;
	index = gfx_computes(code->instruction.operation)[0] == 's' ? 1 : 0;
	if (code_says(&code->instruction, index, &value))
		return value;
	while (i < code->uses.read_count &&
	       !(code->uses.reads[i].file == GFX_FILE_SCALAR && code->uses.reads[i].words == 1 &&
		 wt_rerun_is_operand(&code->uses.reads[i], code->instruction.src[index])))
		at += code->uses.reads[i++].words;
	if (i == code->uses.read_count || at >= references_end(rerun, number) ||
	    !rerun->references[at].writer)
		return 0;
	code = code_of(rerun, rerun->references[at].writer);
	return code && !strcmp(gfx_computes(code->instruction.operation), "s_mov") &&
			       code->instruction.operation->dst == GFX_B32 &&
			       code_says(&code->instruction, 0, &value)
		       ? value
		       : 0;
}

/* The words of what such an instruction writes that a word of a source is a part of. */
static uint16_t words_kept(const struct wt_rerun_code *code, uint32_t shift,
			   const struct gfx_use *use, uint32_t word)
{
	const struct gfx_instruction *instruction = &code->instruction;
	enum word_flow flow = words_flow(code, shift);
	uint16_t words = 0;

	/* The first source gives the low word, the second the high one, of either the word that op_sel chooses. */
	if (!strcmp(instruction->operation->name, "v_pk_mov_b32")) {
		for (uint32_t i = 0; i < 2; i++)
			if (wt_rerun_is_operand(use, instruction->src[i] +
							     (instruction->op_sel >> i & 1U)))
				words |= word_bit(i);
		return words;
	}
	if (use->words != 2)
		return ALL_WORDS;
	if (flow == FLOW_LOW_UP)
		return word ? 0 : word_bit(1);
	if (flow == FLOW_HIGH_DOWN)
		return word ? word_bit(0) | word_bit(1) : 0;
	if ((flow == FLOW_UP && word == 0) || (flow == FLOW_DOWN && word == 1))
		return word_bit(0) | word_bit(1);
	return word_bit(word);
}

/* The first of the registers whose words an instruction writes each for itself; UINT32_MAX if there is none. */
static uint32_t first_word(const struct wt_rerun_code *code, enum gfx_register_file file,
			   uint32_t number)
{
	const struct gfx_use *written = code ? &code->uses.writes[0] : NULL;

	/* One of another file, as a carry, may have the same number. */
	if (!code || file != written->file || number < written->number ||
	    number - written->number >= written->words)
		return UINT32_MAX;
	if (moves_words(code, GFX_MEMORY_LOAD) ? code->uses.write_count == 1
					       : words_flow(code, 0) != FLOW_ALL)
		return written->number;
	return UINT32_MAX;
}

/* A register that a step has written is asked for. */
static void closure_add_register(struct wt_rerun *rerun, struct closure *closure, uint32_t writer,
				 enum gfx_register_file file, uint32_t number)
{
	const struct wt_rerun_code *code;
	const struct wt_step *step;
	uint32_t first;

	if (!writer)
		return;
	step = &rerun->steps[writer - 1];
	if (step->argument >= 0 && number >= step->number) {
		uint32_t word = (uint32_t)step->argument / 4 + number - step->number;

		closure->arguments |= UINT64_C(1) << (word < 63 ? word : 63);
		return;
	}
	code = code_of(rerun, writer);
	first = first_word(code, file, number);
	add_words(closure, writer, number >= first ? word_bit(number - first) : ALL_WORDS);
}

/* The words of what an instruction stores or writes that a register, counted as references are, is a part of. */
static uint16_t words_made_of(const struct wt_rerun_code *code, uint32_t shift, uint32_t reference)
{
	bool stores = moves_words(code, GFX_MEMORY_STORE);
	uint32_t data = 0, at = 0;

	if (!stores && words_flow(code, shift) == FLOW_ALL)
		return ALL_WORDS;
	for (uint32_t i = 0; i < code->uses.read_count; i++) {
		const struct gfx_use *use = &code->uses.reads[i];

		if (reference < at + use->words && !stores)
			return words_kept(code, shift, use, reference - at);
		if (reference < at + use->words)
			return use->address ? ALL_WORDS : word_bit(data + reference - at);
		at += use->words;
		data += use->address ? 0 : use->words;
	}
	return ALL_WORDS;
}

/* The file of a register that is read, counted as references are. */
static enum gfx_register_file file_of(const struct wt_rerun_code *code, uint32_t reference)
{
	uint32_t i = 0;

	while (code && i + 1 < code->uses.read_count && reference >= code->uses.reads[i].words)
		reference -= code->uses.reads[i++].words;
	return code ? code->uses.reads[i].file : GFX_FILE_SCALAR;
}

/* Is what a step refers to, by the reference's place among its own, a part of these of its words? */
static bool reference_is_of(const struct wt_rerun_code *code, uint32_t shift,
			    const struct wt_reference *reference, size_t place, uint16_t words)
{
	const uint32_t loaded = reference->number & WT_REFERENCE_ANY;

	if (reference->memory)
		return loaded == WT_REFERENCE_ANY || words & word_bit(loaded);
	return words_made_of(code, shift, (uint32_t)place) & words;
}

static void close_over(struct wt_rerun *rerun, struct closure *closure)
{
	while (closure->count) {
		struct todo todo = closure->todo[--closure->count];
		uint32_t shift = shift_of(rerun, todo.number);
		const struct wt_rerun_code *code = code_of(rerun, todo.number);
		size_t first = rerun->steps[todo.number - 1].first;

		for (size_t i = first; i < references_end(rerun, todo.number); i++) {
			const struct wt_reference *reference = &rerun->references[i];

			if (reference->address || !reference->writer ||
			    !reference_is_of(code, shift, reference, i - first, todo.words))
				continue;
			if (reference->memory)
				add_words(closure, reference->writer,
					  word_bit(reference->number >> WT_REFERENCE_PLACE));
			else
				closure_add_register(rerun, closure, reference->writer,
						     file_of(code, (uint32_t)(i - first)),
						     reference->number);
			/* The cache of code has few places. */
			code = code_of(rerun, todo.number);
		}
	}
}

/* ---- The steps that the address is made of ---- */

/* Is what a step reads, by the reference's place among its own, a part of those of its words that the address is made of? */
static bool closure_takes(struct wt_rerun *rerun, const struct closure *closure, uint32_t number,
			  uint32_t shift, size_t place)
{
	const struct wt_reference *reference =
		&rerun->references[rerun->steps[number - 1].first + place];
	const uint16_t words = closure->words[number];

	return !words || reference->address ||
	       reference_is_of(code_of(rerun, number), shift, reference, place, words);
}

static void add_sources(struct wt_rerun *rerun, struct slice *slice, const struct closure *closure,
			size_t at, bool indirect)
{
	uint32_t number = slice->found[at].number, shift = shift_of(rerun, number);
	size_t first = rerun->steps[number - 1].first;

	slice->found[at].shift = shift;
	for (size_t i = first; i < references_end(rerun, number); i++) {
		const struct wt_reference *reference = &rerun->references[i];

		if ((slice->found[at].indirect || reference->address) == indirect &&
		    closure_takes(rerun, closure, number, shift, i - first))
			add_to_slice(slice, reference->writer, slice->found[at].depth + 1,
				     slice->found[at].indirect || reference->address);
	}
}

/*
 * First what the value is made of, then where its parts were loaded from: that may be more than there is room for. A step that was
 * found as an address may turn out to be a part of the value.
 */
static void complete_slice(struct wt_rerun *rerun, struct slice *slice,
			   const struct closure *closure)
{
	for (size_t i = 1; i < slice->count; i++)
		add_sources(rerun, slice, closure, i, false);
	slice->whole = !slice->more;
	for (size_t i = 1; i < slice->count; i++)
		add_sources(rerun, slice, closure, i, true);
}

/* The slice begins with the sources of the address that the target itself accesses, or jumps to, and the closure is of these. */
static void add_target(struct wt_rerun *rerun, const struct wt_rerun_code *code,
		       struct slice *slice, struct closure *closure)
{
	/* Its place in the cache becomes another's. */
	const struct gfx_uses uses = code->uses;
	const bool all = (rerun->input->jumped || rerun->input->raised) &&
			 !gfx_touches_memory(&code->instruction);

	slice->found[0].number = (uint32_t)rerun->step_count + 1;
	slice->found[0].part = true;
	slice->count = 1;
	for (uint32_t i = 0; i < uses.read_count; i++) {
		const struct gfx_use *use = &uses.reads[i];

		for (uint32_t word = 0; (use->address || all) && word < use->words; word++) {
			const uint32_t number = use->number + word;
			const uint32_t writer =
				wt_rerun_writer(rerun, use->file, number, rerun->input->lane);

			closure_add_register(rerun, closure, writer, use->file, number);
			add_to_slice(slice, writer, 1, false);
		}
	}
}

/* ---- What each step did ---- */

static void step_take_values(const struct wt_rerun *rerun, struct wt_analysis_step *step)
{
	step->known = UINT64_MAX;
	for (uint32_t word = 0; word < step->words && word < 2; word++) {
		uint32_t number = step->number + word;

		step->known &= wt_rerun_known(rerun, step->file, number);
		for (uint32_t lane = 0; lane < (step->file == GFX_FILE_SCALAR ? 1 : GFX_MAX_LANES);
		     lane++)
			step->values[lane] |=
				(uint64_t)wt_rerun_value(rerun, step->file, number, lane)
				<< 32 * word;
	}
}

static void analysis_step_begin(struct wt_rerun *rerun, const struct wt_rerun_code *code,
				struct wt_analysis_step *step)
{
	step->pc = rerun->wave.pc & ~WT_RERUN_HALF;
	step->exec = rerun->wave.exec;
	step->instruction = code->instruction;
	step->uses = code->uses;
	step->loads = gfx_touches_memory(&code->instruction);
	if (step->loads) {
		wt_rerun_access(rerun, code, &step->access, &step->address_known);
		wt_rerun_name_private(rerun, &step->access, step->address_known);
	}
	step->private_memory = step->loads && wt_rerun_is_private(rerun, code);
	step->never_written = step->loads && wt_rerun_is_never_written(rerun, code);
	if (!code->uses.write_count)
		return;
	step->writes = true;
	step->file = code->uses.writes[0].file;
	step->number = code->uses.writes[0].number;
	step->words = code->uses.writes[0].words;
}

static uint32_t position_of(const struct slice *slice, uint32_t number)
{
	size_t at = find_in_slice(slice, number);

	if (!number)
		return WT_ANALYSIS_INITIAL;
	return at < slice->count ? (uint32_t)at : WT_ANALYSIS_NOT_SHOWN;
}

static void step_name_source(const struct wt_rerun *rerun, const struct slice *slice,
			     enum gfx_register_file file, uint32_t number, uint32_t writer,
			     struct wt_analysis_step *step)
{
	const struct gfx_uses read = {
		.reads = {{.file = file, .number = (uint16_t)number, .words = 1}}, .read_count = 1};
	uint32_t at = step->source_count++, lane = rerun->input->lane;
	uint64_t known = wt_rerun_known(rerun, file, number);

	step->sources[at] = position_of(slice, writer);
	step->source_values[at] = wt_rerun_value(rerun, file, number, lane);
	step->source_known[at] = file == GFX_FILE_SCALAR ? known : known >> lane & 1;
	step->source_arguments[at] = wt_influence_words(wt_rerun_influence(rerun, &read));
}

/* A step that is looked at. */
struct looked {
	const struct wt_rerun_code *code;
	const struct wt_reference *references; /* to what it read; NULL where it was not executed */
	uint16_t words;			       /* of it that the address is made of */
	uint32_t shift;			       /* of it, as shift_of() has it */
};

/* A scalar register is made from the lane that is read, and not from the followed one. */
static uint32_t source_writer(const struct wt_rerun *rerun, const struct looked *looked,
			      const struct gfx_use *use, uint32_t word, uint32_t place)
{
	const char *name = gfx_computes(looked->code->instruction.operation);

	return looked->references && (!strcmp(name, "v_readlane_b32") ||
				      !strcmp(name, "v_readfirstlane_b32"))
		       ? looked->references[place].writer
		       : wt_rerun_writer(rerun, use->file, use->number + word, rerun->input->lane);
}

static void name_sources(const struct wt_rerun *rerun, const struct slice *slice,
			 const struct looked *looked, struct wt_analysis_step *step)
{
	for (uint32_t i = 0; i < step->uses.read_count; i++)
		for (uint32_t word = 0; word < step->uses.reads[i].words; word++) {
			const struct gfx_use *use = &step->uses.reads[i];
			const uint32_t place = step->source_count;

			if (place == WT_ANALYSIS_SOURCES)
				return;
			step->source_beside[place] =
				looked->words &&
				!(words_made_of(looked->code, looked->shift, place) &
				  looked->words);
			step_name_source(rerun, slice, use->file, use->number + word,
					 source_writer(rerun, looked, use, word, place), step);
		}
}

/* The second of two operations has the sources that were there before the first. */
static void analysis_step_look(struct wt_rerun *rerun, const struct slice *slice,
			       const struct looked *looked, struct wt_analysis_step *step)
{
	bool second = rerun->wave.pc & WT_RERUN_HALF;

	if (second)
		wt_rerun_see_before(rerun);
	analysis_step_begin(rerun, looked->code, step);
	name_sources(rerun, slice, looked, step);
	step->never_set =
		wt_rerun_reads_unset(rerun, looked->code, step->source_beside, step->source_count);
	if (second)
		wt_rerun_see_before(rerun);
}

/* Behind the registers of a step stand the stores that it loads from, in the order of their words. */
static void name_stores(const struct wt_rerun *first, const struct slice *slice, uint32_t number,
			struct wt_analysis_step *step)
{
	size_t from = first->steps[number - 1].first, to = references_end(first, number);

	for (uint32_t i = 0; i < step->uses.read_count; i++)
		from += step->uses.reads[i].words;
	for (; from < to; from++) {
		const struct wt_reference *reference = &first->references[from];
		uint32_t at = position_of(slice, reference->writer);

		if (!step->store_count || step->stores[step->store_count - 1] != at) {
			if (step->store_count == WT_ANALYSIS_STORES)
				return;
			step->stores[step->store_count++] = at;
		}
		step->store_words[step->store_count - 1] |=
			word_bit(reference->number >> WT_REFERENCE_PLACE);
	}
}

/* Which registers still have their values at the end of the wave's way. */
static void note_held(struct wt_rerun *rerun, const struct slice *slice,
		      struct wt_analysis *analysis)
{
	const struct wt_rerun_code *code;
	enum wt_analysis_end end;

	while (rerun->step_count < analysis->step_count && (code = wt_rerun_code(rerun)))
		if (!wt_rerun_step(rerun, code, &end))
			break;
	for (size_t i = 1; i < slice->count; i++) {
		struct wt_analysis_step *step = &analysis->steps[i];

		step->held = step->writes;
		for (uint32_t word = 0; word < step->words; word++)
			step->held &= wt_rerun_writer(rerun, step->file, step->number + word,
						      rerun->input->lane) == slice->found[i].number;
	}
}

/* Execute once more, and look at the steps of the slice on the way. It is sorted, the latest first. */
static struct wt_error *analysis_describe_slice(const struct wt_rerun *first,
						const struct slice *slice,
						const struct closure *closure,
						struct wt_analysis *analysis)
{
	const struct wt_analysis_input *input = first->input;
	wt_cleanup_rerun struct wt_rerun *rerun = NULL;
	struct wt_error *error = wt_rerun_create(input, false, &rerun);
	struct wt_analysis_initial initial;
	enum wt_analysis_end end;
	size_t left = slice->count;

	if (error)
		return error;
	rerun->later = first->later;
	wt_rerun_begin(rerun, &initial);
	while (left) {
		const struct wt_rerun_code *code = wt_rerun_code(rerun);
		struct wt_analysis_step *step = NULL;

		if (!code)
			break;
		if (slice->found[left - 1].number == rerun->step_count + 1) {
			const uint32_t number = slice->found[--left].number;
			const struct looked looked = {
				.code = code,
				/* Code of constants alone refers to nothing. */
				.references =
					number <= first->step_count && first->references
						? &first->references[first->steps[number - 1].first]
						: NULL,
				.words = closure->words[number],
				.shift = slice->found[left].shift,
			};

			step = &analysis->steps[left];
			step->indirect = slice->found[left].indirect;
			step->depth = slice->found[left].depth;
			step->comparison = slice->found[left].comparison;
			step->part = slice->found[left].part;
			analysis_step_look(rerun, slice, &looked, step);
			if (left && looked.references)
				name_stores(first, slice, number, step);
		}
		if (!left)
			break;
		if (!wt_rerun_step(rerun, code, &end))
			break;
		if (step && step->writes)
			step_take_values(rerun, step);
	}
	note_held(rerun, slice, analysis);
	return rerun->no_memory ? &wt_error_no_memory : NULL;
}

static struct wt_error *trace_back(struct wt_rerun *rerun, struct wt_analysis *analysis)
{
	const struct wt_rerun_code *code = wt_rerun_code(rerun);
	wt_cleanup_free struct slice *slice = calloc(1, sizeof(*slice));
	wt_cleanup(closure_deinit) struct closure closure = {.words = NULL};

	if (!code)
		return NULL;
	if (!slice)
		return &wt_error_no_memory;
	closure.words = calloc(rerun->step_count + 2, sizeof(*closure.words));
	if (!closure.words)
		return &wt_error_no_memory;
	analysis->call_count = wt_rerun_calls(rerun, analysis->calls);
	add_target(rerun, code, slice, &closure);
	close_over(rerun, &closure);
	if (closure.no_memory)
		return &wt_error_no_memory;
	analysis->address_arguments = closure.arguments;
	complete_slice(rerun, slice, &closure);
	add_comparisons(rerun, slice);
	qsort(slice->found, slice->count, sizeof(slice->found[0]), by_number);
	analysis->steps = calloc(slice->count, sizeof(*analysis->steps));
	if (!analysis->steps)
		return &wt_error_no_memory;
	analysis->count = slice->count;
	analysis->more = slice->more;
	analysis->whole = slice->whole;
	return analysis_describe_slice(rerun, slice, &closure, analysis);
}

/* Explain an instruction that the wave executed before the target. */
static struct wt_error *trace_step(struct wt_track *track, struct wt_analysis_input *input,
				   size_t step, uint32_t lane, struct wt_analysis *analysis)
{
	struct wt_error *error = NULL;

	analysis->late = track->steps + 1 - step;
	analysis->lane = lane;
	/* References are those of the followed lane. */
	if (lane != input->lane) {
		input->lane = lane;
		error = wt_track_begin_again(track);
		if (!error)
			error = wt_track_advance(track, step - 1);
	} else if (!wt_track_go(track, step - 1)) {
		error = &wt_error_no_memory;
	}
	if (error)
		return error;
	analysis->compared_arguments = track->rerun->compared_arguments;
	return trace_back(track->rerun, analysis);
}

/* Is it certain that the only access failed that can have? */
static bool suspect_is_alone(const struct wt_late *late)
{
	return late->suspect && late->suspects == 1 && !late->target_may_fail;
}

/*
 * Explains an access before the target, if one of the last ones failed; if none is known to have, the only one that can have.
 */
static struct wt_error *trace_late(struct wt_track *track, struct wt_analysis_input *input,
				   struct wt_analysis *analysis)
{
	struct wt_late late;
	struct wt_error *error = wt_late_find(track, &late);

	if (error)
		return error;
	analysis->suspects = late.suspects;
	if (late.failed)
		return trace_step(track, input, late.failed, late.failed_lane, analysis);
	if (input->jumped && track->steps) {
		analysis->jump_is_kept = late.jump_is_kept;
		return trace_step(track, input, track->steps, late.jump_lane, analysis);
	}
	analysis->eliminated = suspect_is_alone(&late);
	if (!analysis->eliminated)
		return trace_back(track->rerun, analysis);
	analysis->suspects = 0;
	return trace_step(track, input, late.suspect, late.suspect_lane, analysis);
}

#define MODE_EXCEPTIONS (UINT32_C(0x7f) << 12) /* EXCP_EN of the mode register */

/* The exceptions of one lane: its registers are copied, for the result may replace an operand. */
static uint32_t lane_raises(const struct wt_rerun *rerun, const struct wt_rerun_code *code,
			    uint32_t lane, uint32_t *registers)
{
	struct gfx_wave wave = rerun->wave;
	struct gfx_fault fault = {0};

	memcpy(registers, wave.vgprs, (size_t)wave.vgpr_count * GFX_MAX_LANES * sizeof(*registers));
	wave.vgprs = registers;
	wave.exec = UINT64_C(1) << lane;
	wave.trapsts = 0;
	wave.mode |= MODE_EXCEPTIONS;
	if (gfx_wave_execute(&wave, &rerun->memory, &code->instruction, &fault) != GFX_STEP_DONE)
		return 0;
	return wave.trapsts & rerun->input->raised;
}

/*
 * Executes the instruction at the pc in one lane after the other, and finds the first that raises what the input says; the wave stays
 * where it is. 0: no lane whose operands are known raises it.
 */
static struct wt_error *raised_find(struct wt_rerun *rerun, uint32_t *raised_ret,
				    uint32_t *lane_ret)
{
	const struct wt_rerun_code *code = wt_rerun_code(rerun);
	wt_cleanup_free uint32_t *registers = NULL;
	uint64_t lanes;

	*raised_ret = 0;
	if (!code || gfx_touches_memory(&code->instruction) || code->uses.cross_lane ||
	    !rerun->wave.vgpr_count)
		return NULL;
	registers = malloc((size_t)rerun->wave.vgpr_count * GFX_MAX_LANES * sizeof(*registers));
	if (!registers)
		return &wt_error_no_memory;
	lanes = rerun->wave.exec & ~wt_rerun_exec_unknown(rerun) &
		~wt_rerun_unknown_lanes(rerun, &rerun->unknown, &code->uses, false);
	for (; lanes && !*raised_ret; lanes &= lanes - 1) {
		*lane_ret = (uint32_t)__builtin_ctzll(lanes);
		*raised_ret = lane_raises(rerun, code, *lane_ret, registers);
	}
	return NULL;
}

/* Explains the instruction that was executed last, if a lane of it is known to raise what the wave stopped for. */
static struct wt_error *trace_raised(struct wt_track *track, struct wt_analysis_input *input,
				     struct wt_analysis *analysis)
{
	uint64_t last = track->steps;
	struct wt_error *error;
	uint32_t lane = 0;
	bool second;

	if (!last)
		return NULL;
	do {
		if (!wt_track_go(track, last - 1))
			return &wt_error_no_memory;
		second = track->rerun->wave.pc & WT_RERUN_HALF;
		if (second)
			wt_rerun_see_before(track->rerun);
		error = raised_find(track->rerun, &analysis->raised, &lane);
		if (second)
			wt_rerun_see_before(track->rerun);
		/* Either of two operations may have raised it. */
	} while (!error && !analysis->raised && second && --last);
	if (error || !analysis->raised)
		return error;
	error = trace_step(track, input, last, lane, analysis);
	analysis->late = 0;
	return error;
}

/* Follows the wave to where it has arrived once more, with what is known of the end. Where all was known that adds nothing. */
static struct wt_error *track_again(struct wt_analysis_input *input, struct wt_track *track,
				    struct wt_rerun_end **end_ret)
{
	uint64_t steps = track->steps;
	struct wt_error *error;

	if (!track->rerun->wrote_unknown)
		return NULL;
	input->end = *end_ret = wt_rerun_take_end(track->rerun);
	if (!input->end)
		return &wt_error_no_memory;
	error = wt_track_begin_again(track);
	return error ? error : wt_track_advance(track, steps);
}

/* @end_ret: for the caller to free(), behind the analysis. */
static struct wt_error *analysis_run(struct wt_analysis_input *input, struct wt_rerun_end **end_ret,
				     struct wt_analysis *analysis)
{
	const struct wt_track_options options = {.remembers = true, .bytes = KEPT_BYTES};
	wt_cleanup_track struct wt_track *track = NULL;
	struct wt_error *error = wt_track_create(input, &options, &track);

	if (!error)
		error = wt_track_arrive(track);
	if (error)
		return error;
	analysis->initial = track->initial;
	analysis->end = track->end;
	analysis->end_pc = track->end_pc;
	analysis->step_count = track->steps;
	analysis->compared = track->compared;
	analysis->compared_arguments = track->rerun->compared_arguments;
	if (analysis->end != WT_ANALYSIS_ARRIVED)
		return NULL;
	error = track_again(input, track, end_ret);
	if (error)
		return error;
	if (input->raised)
		return trace_raised(track, input, analysis);
	return input->late ? trace_late(track, input, analysis)
			   : trace_back(track->rerun, analysis);
}

struct wt_error *wt_analyse(const struct wt_analysis_input *input, struct wt_analysis *analysis_ret)
{
	struct wt_analysis analysis = {.end = WT_ANALYSIS_PRIVATE};
	wt_cleanup_free struct wt_rerun_end *end = NULL;
	struct wt_analysis_input own = *input;
	struct wt_error *error = NULL;

	own.lane = analysis.lane = input->lane < GFX_MAX_LANES ? input->lane : 0;
	if (input->launch.private_segment_size <= WT_ANALYSIS_PRIVATE_BYTES)
		error = analysis_run(&own, &end, &analysis);
	if (error) {
		wt_analysis_deinit(&analysis);
		return error;
	}
	*analysis_ret = analysis;
	return NULL;
}

void wt_analysis_deinit(struct wt_analysis *analysis)
{
	free(analysis->steps);
	analysis->steps = NULL;
	analysis->count = 0;
}
