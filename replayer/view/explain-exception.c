/* SPDX-License-Identifier: MIT */
/* Sentences about exceptions: what raised an arithmetic one, its operands and where these came from; and code that is of another GPU than the wave's. */
#include "replayer/view/explain-cause-internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "gfx/alu/exact.h"
#include "gfx/isa/decode.h"
#include "gfx/isa/whole-division.h"
#include "gfx/wave/context.h"
#include "trace-format/state/host-facts.h"

#define OPERAND_TEXT 64
#define MOVES 16 /* instructions through which a value is followed that do not change it */

/* An operand as it counts in the operation: with its modifiers. */
struct operand {
	double value;
	char text[OPERAND_TEXT];
	uint32_t source; /* the step that made it, as in a step's sources */
	char *origin;	 /* ", which was loaded from in[3]"; NULL if there is nothing to say */
};

/* ---- Values ---- */

static double value_from(uint64_t bits, uint32_t type)
{
	uint32_t low = (uint32_t)bits;
	float single;
	double wide;

	memcpy(&single, &low, sizeof(single));
	memcpy(&wide, &bits, sizeof(wide));
	return type == GFX_F64 ? wide : (double)single;
}

/* Prints as few digits as tell a value from its neighbours. */
static void value_print(double value, bool wide, char text[OPERAND_TEXT])
{
	if (isnan(value) || isinf(value)) {
		snprintf(text, OPERAND_TEXT, "%s",
			 isnan(value) ? "a NaN"
			 : value < 0  ? "-infinity"
				      : "infinity");
		return;
	}
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, OPERAND_TEXT, "%.*g", digits, value);
		if (wide ? strtod(text, NULL) == value : strtof(text, NULL) == (float)value)
			return;
	}
}

/* Which of a step's sources a register is; false if it reads none such. */
static bool step_source(const struct wt_analysis_step *step, enum gfx_register_file file,
			uint32_t number, uint32_t *at_ret)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < step->uses.read_count; i++)
		for (uint32_t word = 0; word < step->uses.reads[i].words; word++, at++)
			if (step->uses.reads[i].file == file &&
			    step->uses.reads[i].number + word == number &&
			    at < step->source_count) {
				*at_ret = at;
				return true;
			}
	return false;
}

/* The register that a source of an instruction is; false if it is a constant. */
static bool source_register(const struct gfx_instruction *instruction, uint32_t index,
			    enum gfx_register_file *file_ret, uint32_t *number_ret)
{
	uint32_t code = instruction->src[index];

	if (instruction->operation->src[index] == GFX_DST)
		code = GFX_CODE_VGPR0 + instruction->dst;
	*file_ret = code >= GFX_CODE_VGPR0 ? GFX_FILE_VECTOR : GFX_FILE_SCALAR;
	*number_ret = code >= GFX_CODE_VGPR0 ? code - GFX_CODE_VGPR0 : code;
	return code < GFX_CODE_ZERO || code >= GFX_CODE_VGPR0;
}

/* The bits of a source in the followed lane; false if they are not known. */
static bool source_bits(const struct wt_analysis_step *step, uint32_t index, uint32_t type,
			uint64_t *bits_ret, uint32_t *source_ret)
{
	const struct gfx_instruction *instruction = &step->instruction;
	struct gfx_context context = {.instruction = instruction};
	uint32_t words = gfx_type_words(type), number, at;
	enum gfx_register_file file;

	*bits_ret = 0;
	*source_ret = WT_ANALYSIS_NOT_SHOWN;
	if (!source_register(instruction, index, &file, &number)) {
		/* Others depend on the wave. */
		if (number > 208 && number != GFX_CODE_LITERAL &&
		    (number < GFX_CODE_FLOATS || number > GFX_CODE_INVERSE_2PI))
			return false;
		*bits_ret = gfx_read_constant(&context, number, (enum gfx_type)type);
		return true;
	}
	for (uint32_t word = 0; word < words; word++) {
		if (!step_source(step, file, number + word, &at) || !step->source_known[at])
			return false;
		*bits_ret |= (uint64_t)step->source_values[at] << 32 * word;
		if (!word)
			*source_ret = step->sources[at];
	}
	return true;
}

static bool operand_read(const struct wt_analysis_step *step, uint32_t index,
			 struct operand *operand)
{
	const struct gfx_instruction *instruction = &step->instruction;
	uint32_t type = instruction->operation->src[index];
	uint64_t bits;

	if (type == GFX_DST)
		type = instruction->operation->dst;
	if ((type != GFX_F32 && type != GFX_F64) || instruction->extension != GFX_EXTENSION_NONE ||
	    instruction->op_sel || !source_bits(step, index, type, &bits, &operand->source))
		return false;
	operand->value = value_from(bits, type);
	if (instruction->abs >> index & 1)
		operand->value = fabs(operand->value);
	if (instruction->neg >> index & 1)
		operand->value = -operand->value;
	value_print(operand->value, type == GFX_F64, operand->text);
	return true;
}

/* ---- Where they came from ---- */

/* The bits that a step has written in the followed lane; false if they are not known. */
static bool step_result(const struct wt_cause *cause, const struct wt_analysis_step *step,
			uint64_t *bits_ret)
{
	uint32_t lane = step->file == GFX_FILE_SCALAR ? 0 : cause->lane;

	*bits_ret = step->values[lane];
	return step->writes && step->words <= 2 && step->known >> lane & 1;
}

static bool name_begins(const struct wt_analysis_step *step, const char *beginning)
{
	return !strncmp(gfx_computes(step->instruction.operation), beginning, strlen(beginning));
}

static bool is_one(const struct wt_analysis_step *step, uint32_t index)
{
	struct operand operand = {.origin = NULL};

	return operand_read(step, index, &operand) && operand.value == 1;
}

/* Does an instruction give one of its sources as it is, where the bits are the same? Whole numbers lose their sign before a division. */
static bool step_passes(const struct wt_analysis_step *step, bool whole)
{
	static const char *const moves[] = {"v_mov_b", "v_cndmask_b", "s_mov"};
	static const char *const signs[] = {"v_cvt_f32_u32", "v_xor_b32",     "v_add_u32",
					    "v_sub_u32",     "v_ashrrev_i32", "v_max_i32",
					    "v_add_co_u32",  "v_cvt_f32_i32"};

	for (size_t i = 0; i < sizeof(moves) / sizeof(*moves); i++)
		if (name_begins(step, moves[i]))
			return true;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs) && whole; i++)
		if (name_begins(step, signs[i]))
			return true;
	return name_begins(step, "v_mul_f") && (is_one(step, 0) || is_one(step, 1));
}

/* The store that a load from private memory has its value of, if there is one. */
static const struct wt_analysis_step *step_stored(const struct wt_cause *cause,
						  const struct wt_analysis_step *step)
{
	return step->loads && step->private_memory && step->store_count == 1 &&
			       step->stores[0] < cause->analysis.count
		       ? &cause->analysis.steps[step->stores[0]]
		       : NULL;
}

static bool source_is_address(const struct wt_analysis_step *step, uint32_t at)
{
	for (uint32_t i = 0; i < step->uses.read_count; i++) {
		if (at < step->uses.reads[i].words)
			return step->uses.reads[i].address;
		at -= step->uses.reads[i].words;
	}
	return true;
}

/*
 * The step that a value is from, bit by bit: behind moves, selections, products with 1, and private memory that keeps it. The step itself
 * where there is none behind it; NULL where several may be it.
 */
static const struct wt_analysis_step *step_origin(const struct wt_cause *cause,
						  const struct wt_analysis_step *step, bool whole,
						  uint32_t depth)
{
	const struct wt_analysis_step *stored = step_stored(cause, step), *found = NULL, *end;
	const struct wt_analysis_step *from = stored ? stored : step;
	uint64_t result, other;

	if (depth == MOVES || !step_result(cause, step, &result))
		return NULL;
	if (!stored && (step->loads || !step_passes(step, whole)))
		return step;
	for (uint32_t i = 0; i < from->source_count; i++) {
		if (from->sources[i] >= cause->analysis.count ||
		    (stored && source_is_address(from, i)))
			continue;
		end = &cause->analysis.steps[from->sources[i]];
		if (!step_result(cause, end, &other) || other != result ||
		    end->words != step->words)
			continue;
		end = step_origin(cause, end, whole, depth + 1);
		if (!end || (found && end != found))
			return NULL;
		found = end;
	}
	return found ? found : step;
}

static int origin_print(const struct wt_cause *cause, const struct wt_analysis_step *step,
			char **origin_ret)
{
	const struct wt_explain_argument *argument;
	uint32_t lane = step->access.scalar ? 0 : cause->lane;
	char from[WT_EXPLAIN_POINTED];

	if (!step->loads || step->private_memory || step->store_count || step->access.parts > 1 ||
	    !(step->address_known & step->access.lanes) ||
	    !((step->address_known & step->access.lanes) >> lane & 1))
		return 0;
	argument = wt_cause_loaded_argument(cause, step, 0);
	if (argument && argument->size <= 8 && step->words == (argument->size + 3) / 4)
		return asprintf(origin_ret, ", the kernel %s%s", wt_explain_argument_word(argument),
				argument->label);
	if (argument || step->access.size != 4U * step->words ||
	    (step->access.space != GFX_ACCESS_GLOBAL && step->access.space != GFX_ACCESS_GENERIC))
		return 0;
	wt_cause_name_loaded(cause, (size_t)(step - cause->analysis.steps), 0, step->access.size,
			     from);
	if (*from)
		return asprintf(origin_ret, ", which was loaded from %s", from);
	return asprintf(origin_ret, ", which was loaded from 0x%" PRIx64,
			step->access.addresses[lane]);
}

static bool operation_is_root(uint32_t raises)
{
	return raises == GFX_RAISES_ROOT || raises == GFX_RAISES_RECIPROCAL_ROOT;
}

/* Roots of small numbers are taken of larger ones: "-6442450944, which is -1.5, which was loaded from in[131], times 4294967296". */
static int product_print(const struct wt_cause *cause, const struct wt_analysis_step *step,
			 char **origin_ret)
{
	struct operand operands[2] = {{.origin = NULL}};
	wt_cleanup_free char *loaded = NULL;
	const struct wt_analysis_step *from;
	uint32_t number;
	int fraction;

	if (!name_begins(step, "v_mul_f") || !operand_read(step, 0, &operands[0]) ||
	    !operand_read(step, 1, &operands[1]))
		return 0;
	number = operands[0].value > 0 && frexp(operands[0].value, &fraction) == 0.5 ? 1 : 0;
	if (operands[number].source >= cause->analysis.count)
		return 0;
	from = step_origin(cause, &cause->analysis.steps[operands[number].source], false, 0);
	if (from && origin_print(cause, from, &loaded) < 0)
		return -1;
	return asprintf(origin_ret, ", which is %s%s%s times %s", operands[number].text,
			loaded ? loaded : "", loaded ? "," : "", operands[1 - number].text);
}

static struct wt_error *operand_trace(const struct wt_cause *cause, uint32_t raises,
				      struct operand *operand)
{
	const struct wt_analysis_step *step;
	int length;

	if (operand->source >= cause->analysis.count)
		return NULL;
	step = step_origin(cause, &cause->analysis.steps[operand->source],
			   raises == GFX_RAISES_INTEGER_RECIPROCAL, 0);
	if (!step)
		return NULL;
	length = operation_is_root(raises) && !step->loads
			 ? product_print(cause, step, &operand->origin)
			 : origin_print(cause, step, &operand->origin);
	if (length >= 0)
		return NULL;
	operand->origin = NULL;
	return &wt_error_no_memory;
}

/* ---- The sentence ---- */

static const char *exception_name(uint32_t raised)
{
	static const struct {
		uint32_t bit;
		const char *name;
	} names[] = {
		{GFX_EXCEPTION_INVALID, "invalid"},
		{GFX_EXCEPTION_DIVIDE_BY_ZERO, "division by zero"},
		{GFX_EXCEPTION_INTEGER_DIVIDE_BY_ZERO, "division by zero"},
		{GFX_EXCEPTION_OVERFLOW, "overflow"},
		{GFX_EXCEPTION_UNDERFLOW, "underflow"},
		{GFX_EXCEPTION_DENORMAL, "denormal operand"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (raised & names[i].bit)
			return names[i].name;
	return "inexact";
}

/* In the order in which they are said: which source is the first, which the second; and what stands between. */
struct words {
	uint8_t raises;
	const char *before, *between;
	uint8_t first, second, count;
};

static const struct words sentences[] = {
	{GFX_RAISES_ROOT, "takes the square root of ", "", 0, 0, 1},
	{GFX_RAISES_RECIPROCAL_ROOT, "divides 1 by the square root of ", "", 0, 0, 1},
	{GFX_RAISES_RECIPROCAL, "divides 1 by ", "", 0, 0, 1},
	/* Its operand is a float that was made of a whole number. */
	{GFX_RAISES_INTEGER_RECIPROCAL, "divides a whole number by ", "", 0, 0, 1},
	{GFX_RAISES_LOGARITHM, "takes the logarithm of ", "", 0, 0, 1},
	{GFX_RAISES_EXPONENTIAL, "takes 2 to the power of ", "", 0, 0, 1},
	{GFX_RAISES_SINE, "takes the sine of ", "", 0, 0, 1},
	{GFX_RAISES_COSINE, "takes the cosine of ", "", 0, 0, 1},
	{GFX_RAISES_SUM, "adds ", ", and ", 0, 1, 2},
	{GFX_RAISES_DIFFERENCE, "subtracts ", ", from ", 1, 0, 2},
	{GFX_RAISES_REVERSED, "subtracts ", ", from ", 0, 1, 2},
	{GFX_RAISES_PRODUCT, "multiplies ", ", by ", 0, 1, 2},
	{GFX_RAISES_QUOTIENT, "divides ", ", by ", 2, 1, 2},
	{GFX_RAISES_FUSED, "multiplies ", ", by ", 0, 1, 3},
	{GFX_RAISES_TO_I32, "makes a whole number of ", "", 0, 0, 1},
	{GFX_RAISES_TO_U32, "makes a whole number without sign of ", "", 0, 0, 1},
};

static const struct words *words_find(uint32_t raises)
{
	for (size_t i = 0; i < sizeof(sentences) / sizeof(*sentences); i++)
		if (sentences[i].raises == raises)
			return &sentences[i];
	return NULL;
}

static const char *operand_origin(const struct operand *operand)
{
	return operand->origin ? operand->origin : "";
}

static struct wt_error *say_operands(struct wt_cause *cause, const struct words *words,
				     const struct operand *operands)
{
	const struct operand *first = &operands[words->first], *second = &operands[words->second];
	const char *name = exception_name(cause->analysis.raised);
	const char *comma = words->count > 1 && !first->origin && *words->between == ','
				    ? words->between + 1
				    : words->between;

	if (words->count == 1)
		return wt_cause_say(cause, WT_CAUSE_ARITHMETIC, "%s: lane %u %s%s%s", name,
				    cause->lane, words->before, first->text, operand_origin(first));
	return wt_cause_say(cause, WT_CAUSE_ARITHMETIC, "%s: lane %u %s%s%s%s%s%s%s%s%s", name,
			    cause->lane, words->before, first->text, operand_origin(first), comma,
			    second->text, operand_origin(second),
			    words->count == 3 ? (second->origin ? ", and adds " : " and adds ")
					      : "",
			    words->count == 3 ? operands[2].text : "",
			    words->count == 3 ? operand_origin(&operands[2]) : "");
}

#define CODE_BEFORE 256u /* bytes, from which on code is soon in step with the instructions */
#define CODE_SIZE 512u

/* Compilers take the reciprocal of floats also for a division of whole numbers. */
static uint32_t step_raises(struct wt_view *view, const struct wt_cause *cause)
{
	const struct wt_analysis_step *step = &cause->analysis.steps[0];
	const struct gfx_architecture *gpu =
		wt_view_architecture(view, WT_OBJECT_WAVE, cause->wave.wave);
	const uint32_t raises = step->instruction.operation->raises;
	uint8_t code[CODE_SIZE];

	if (raises != GFX_RAISES_RECIPROCAL || !gpu || step->pc < CODE_BEFORE)
		return raises;
	return gfx_divides_whole_numbers(
		       gpu, code, wt_view_code(view, step->pc - CODE_BEFORE, code, sizeof(code)),
		       CODE_BEFORE)
		       ? GFX_RAISES_INTEGER_RECIPROCAL
		       : raises;
}

static struct wt_error *cause_say_arithmetic(struct wt_view *view, struct wt_cause *cause)
{
	const struct wt_analysis_step *step = &cause->analysis.steps[0];
	const uint32_t raises = step_raises(view, cause);
	const struct words *words = words_find(raises);
	struct operand operands[3] = {{.origin = NULL}};
	struct wt_error *error = NULL;
	bool known = true;

	if (!words)
		return NULL;
	for (uint32_t i = 0; i < 3 && known && !error; i++) {
		if (i != words->first && i != words->second && words->count < 3)
			continue;
		known = operand_read(step, i, &operands[i]);
		if (known)
			error = operand_trace(cause, raises, &operands[i]);
	}
	if (!error && known)
		error = say_operands(cause, words, operands);
	for (uint32_t i = 0; i < 3; i++)
		free(operands[i].origin);
	return error;
}

/* ---- Code of another GPU ---- */

static const char override_variable[] = "HSA_OVERRIDE_GFX_VERSION";

static bool place_decodes_as(const struct wavetape_place *code,
			     const struct gfx_architecture *architecture)
{
	struct gfx_instruction instruction;

	/* The length is by the tables of the wave's GPU. */
	return code->instruction_bytes && gfx_decode(architecture, code->words, WT_EXPLAIN_WORDS,
						     &instruction) == GFX_DECODE_OK;
}

/* Is the instruction that the wave stopped at one that the other GPU has, and its own has not? */
static bool cause_is_of_gpu(const struct wt_cause *cause, const struct gfx_architecture *gpu,
			    const struct gfx_architecture *other)
{
	const struct wavetape_place *code = &cause->wave.code;

	return cause->wave.reasons & AMD_DBGAPI_WAVE_STOP_REASON_ILLEGAL_INSTRUCTION &&
	       code->address == cause->wave.pc && place_decodes_as(code, other) &&
	       !place_decodes_as(code, gpu);
}

/* Variables of single GPUs have a number behind the name. */
static bool variable_is_override(const struct wt_host_variable *variable)
{
	size_t length = strlen(override_variable);

	return variable->value && !strncmp(variable->name, override_variable, length) &&
	       (!variable->name[length] || variable->name[length] == '_');
}

/* The GPU of "10.3.0", as the runtime reads it; NULL if it is none that is known. */
static const struct gfx_architecture *override_read(const char *value)
{
	unsigned int major, minor, stepping;

	if (sscanf(value, "%u.%u.%u", &major, &minor, &stepping) != 3 || major > 99 || minor > 99 ||
	    stepping > 99)
		return NULL;
	return gfx_architecture_by_version(major * 10000 + minor * 100 + stepping);
}

/*
 * The variable by which the runtime was told to take the wave's GPU for another one: for the one given, or, where none is, for one of
 * another family, of which hardly any code runs on it.
 */
static const struct wt_host_variable *host_find_override(const struct wt_host *host,
							 const struct gfx_architecture *gpu,
							 const struct gfx_architecture *other)
{
	for (size_t i = 0; host && i < host->environment_count; i++) {
		const struct wt_host_variable *variable = &host->environment[i];
		const struct gfx_architecture *taken =
			variable_is_override(variable) ? override_read(variable->value) : NULL;

		if (taken &&
		    (other ? taken == other : taken->operands.profile != gpu->operands.profile))
			return variable;
	}
	return NULL;
}

static struct wt_error *cause_say_other(struct wt_cause *cause, const struct wt_host *host,
					const struct gfx_architecture *gpu,
					const struct gfx_architecture *other, bool compiled)
{
	bool is_certain = cause_is_of_gpu(cause, gpu, other);
	const struct wt_host_variable *variable = host_find_override(host, gpu, other);
	char taken[160] = "";

	if (!is_certain && other->operands.profile == gpu->operands.profile)
		return NULL;
	if (variable)
		snprintf(taken, sizeof(taken), ", which %.40s=%.40s has the runtime take for a %s",
			 variable->name, variable->value, other->name);
	free(wt_take(cause->why_not));
	return wt_cause_say(cause, WT_CAUSE_OTHER_GPU, "%scode of another GPU: %s%s%son %s%s",
			    is_certain ? "" : "may be due to ",
			    compiled	 ? "compiled for "
			    : is_certain ? "an instruction of "
					 : "",
			    compiled || is_certain ? other->name : "",
			    compiled || is_certain ? ", " : "", gpu->name, taken);
}

/*
 * Code objects say for which GPU they are. The runtime has kernels of its own in no code object, to copy and to fill memory: they are for
 * the GPU that it takes this one for.
 */
static struct wt_error *cause_say_gpu(struct wt_explainer *explainer, struct wt_cause *cause)
{
	struct wt_view *view = wt_explainer_view(explainer);
	const struct gfx_architecture *gpu =
		wt_view_architecture(view, WT_OBJECT_WAVE, cause->wave.wave);
	const struct gfx_architecture *other = NULL;
	const struct wt_host_variable *variable;
	const struct wt_mappings *mappings;
	const struct wt_host *host;
	struct wt_error *error = wt_explainer_mappings(explainer, &mappings);
	uint32_t machine;

	if (error || !gpu)
		return error;
	host = wt_mappings_host(mappings, wt_view_number_or(view, WT_OBJECT_WAVE, cause->wave.wave,
							    AMD_DBGAPI_WAVE_INFO_PROCESS, 0));
	if (wt_view_machine_at(view, cause->wave.pc, &machine)) {
		other = gfx_architecture_by_machine(machine);
		return other && !gfx_architecture_may_run(gpu, machine)
			       ? cause_say_other(cause, host, gpu, other, true)
			       : NULL;
	}
	variable = host_find_override(host, gpu, NULL);
	return variable ? cause_say_other(cause, host, gpu, override_read(variable->value), false)
			: NULL;
}

struct wt_error *wt_cause_name_exception(struct wt_explainer *explainer, struct wt_cause *cause)
{
	struct wt_error *error = cause->analysis.raised && cause->analysis.count
					 ? cause_say_arithmetic(wt_explainer_view(explainer), cause)
					 : NULL;

	return error || cause->sentence ? error : cause_say_gpu(explainer, cause);
}
