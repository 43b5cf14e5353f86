/* SPDX-License-Identifier: MIT */
/* Numbers of 32 bits that an address was made from: a product or a sum that did not fit, an index below zero. */
#include "gfx/isa/flow.h"
#include "replayer/view/explain-cause-internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct product {
	const char *name;
	bool signed_24, unsigned_24, shift, reversed, sum;
};

static const struct product products[] = {
	{.name = "v_mul_lo_u32"},
	{.name = "s_mul_i32"},
	{.name = "v_mul_u32_u24", .unsigned_24 = true},
	{.name = "v_mul_i32_i24", .signed_24 = true},
	/* The result of the first has 64 bits, but often only the lower half is used. */
	{.name = "v_mad_u64_u32", .sum = true},
	{.name = "v_lshlrev_b32", .shift = true, .reversed = true},
	{.name = "s_lshl_b32", .shift = true},
	{.name = "v_lshl_add_u32", .shift = true, .sum = true},
};

static const struct product *product_of(const struct wt_analysis_step *step)
{
	for (size_t i = 0; i < sizeof(products) / sizeof(products[0]); i++)
		if (!strcmp(gfx_computes(step->instruction.operation), products[i].name))
			return &products[i];
	return NULL;
}

/* Is a step's value a sum with, or the same as, that of the step at @at? */
struct linear_walk {
	bool depends[WT_ANALYSIS_MAX_LISTED];
	bool sign_extended, linear;
	bool multiplied; /* or with products, but for which it is linear */
	bool below_zero; /* what the sign of was extended */
};

static bool has_source(const struct linear_walk *walk, const uint32_t *sources, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (sources[i] < WT_ANALYSIS_MAX_LISTED && walk->depends[sources[i]])
			return true;
	return false;
}

static bool depends(const struct linear_walk *walk, const struct wt_analysis_step *step,
		    bool is_target)
{
	uint32_t at = 0;

	/* A step that loads counts with its value, not its address; the target with its address. */
	for (uint32_t i = 0; i < step->uses.read_count; i++)
		for (uint32_t word = 0; word < step->uses.reads[i].words; word++, at++)
			if (at < step->source_count &&
			    (is_target ? step->uses.reads[i].address
				       : !(step->loads && step->uses.reads[i].address)) &&
			    has_source(walk, &step->sources[at], 1))
				return true;
	return has_source(walk, step->stores, step->store_count);
}

static bool shifts_down(const struct wt_analysis_step *step)
{
	return strstr(gfx_computes(step->instruction.operation), "ashr") != NULL;
}

/*
 * A shift to the right that only extends the sign: of 32 bits, all others go; of 64 bits, the word had been moved up before, and is moved
 * down to where an index of small elements is. Any other divides.
 */
static bool extends_sign(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	const char *name = gfx_computes(step->instruction.operation);
	bool reversed = strstr(name, "ashrrev") != NULL, wide = strstr(name, "_i64") != NULL;
	uint32_t bits;

	return shifts_down(step) &&
	       wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, !reversed, &bits) &&
	       (wide ? bits >= 16 && bits <= 32 : bits == 31);
}

/* Has what a step made by a shift a minus? */
static bool shifted_is_below_zero(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	uint32_t lane = step->file == GFX_FILE_SCALAR ? 0 : cause->lane;
	uint32_t sign = step->words > 1 ? 63 : 31;

	return step->known >> lane & 1 && step->values[lane] >> sign & 1;
}

/* A product of all bits, or what unoptimised code makes one of 64 bits from: words that are moved down, and put beside each other. */
static bool multiplies_all_bits(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	uint32_t bits;

	switch (gfx_operation_flow(step->instruction.operation)) {
	case GFX_FLOW_PRODUCT:
	case GFX_FLOW_PRODUCT_HIGH:
	case GFX_FLOW_OR:
		return true;
	case GFX_FLOW_RIGHT:
		return step->words == 2 &&
		       wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND,
					step->file == GFX_FILE_SCALAR, &bits) &&
		       bits == 32;
	default:
		return false;
	}
}

/* Steps are in order of time, the latest first: from the product on towards the target. */
static void walk_from(const struct wt_cause *cause, size_t product, struct linear_walk *walk)
{
	memset(walk, 0, sizeof(*walk));
	walk->linear = walk->multiplied = true;
	walk->depends[product] = true;
	for (size_t i = product; i-- > 0;) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		bool linear;

		if (step->indirect || !depends(walk, step, i == 0))
			continue;
		walk->depends[i] = true;
		if (extends_sign(cause, step)) {
			walk->sign_extended = true;
			walk->below_zero |= shifted_is_below_zero(cause, step);
		}
		linear = i == 0 || step->loads ||
			 (wt_cause_is_linear(step) &&
			  (!shifts_down(step) || extends_sign(cause, step)));
		walk->linear &= linear;
		walk->multiplied &= linear || multiplies_all_bits(cause, step);
	}
	walk->linear &= walk->depends[0];
	walk->multiplied &= walk->depends[0];
}

/* Is the upper half of a step's result a part of the address? */
static bool uses_upper_half(const struct wt_cause *cause, size_t at)
{
	uint32_t upper = cause->analysis.steps[at].number + 1;

	for (size_t i = 0; i < at; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		uint32_t source = 0;

		for (uint32_t j = 0; j < step->uses.read_count && !step->indirect; j++)
			for (uint32_t word = 0; word < step->uses.reads[j].words; word++, source++)
				if (source < step->source_count && step->sources[source] == at &&
				    step->uses.reads[j].number + word == upper)
					return true;
	}
	return false;
}

/*
 * Does another step make the upper half of a product, as a part of the address? Then the product has 64 bits. If two products of the same
 * numbers were made, the upper half may be the other's.
 */
static bool has_upper_half(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	uint32_t a, b, c, d;

	if (!wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, 0, &a) ||
	    !wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, 1, &b))
		return false;
	for (size_t i = 1; i < cause->analysis.count; i++) {
		const struct wt_analysis_step *upper = &cause->analysis.steps[i];

		if (upper->part && !upper->indirect && upper->writes &&
		    gfx_operation_flow(upper->instruction.operation) == GFX_FLOW_PRODUCT_HIGH &&
		    wt_cause_operand(cause, upper, WT_CAUSE_OPERAND_FOUND, 0, &c) &&
		    wt_cause_operand(cause, upper, WT_CAUSE_OPERAND_FOUND, 1, &d) &&
		    ((a == c && b == d) || (a == d && b == c)))
			return true;
	}
	return false;
}

struct overflow {
	int64_t a, b, product, became;
	bool shift;
};

static int64_t sign_extended(uint32_t value, uint32_t bits)
{
	return (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}

/* Whether the product does not fit; as its use says, with or without a sign. */
static bool overflows(const struct wt_cause *cause, const struct wt_analysis_step *step,
		      bool is_signed, struct overflow *overflow_ret)
{
	const struct product *product = product_of(step);
	uint32_t lane = step->file == GFX_FILE_SCALAR ? 0 : cause->lane, a, b;
	struct overflow overflow = {.shift = product->shift};
	uint32_t result;

	/* The factors of a sum say it: the upper word of the summand may be anything. */
	if (step->instruction.modified || (!product->sum && !(step->known >> lane & 1)) ||
	    !wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, product->reversed, &a) ||
	    !wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, !product->reversed, &b))
		return false;
	if (product->unsigned_24) {
		a &= 0xffffff;
		b &= 0xffffff;
	}
	if (product->shift && b >= 31)
		return false;
	overflow.a = is_signed ? sign_extended(a, product->signed_24 ? 24 : 32) : a;
	overflow.b = product->shift ? INT64_C(1) << b
		     : is_signed    ? sign_extended(b, product->signed_24 ? 24 : 32)
				    : b;
	if (product->signed_24 && !is_signed)
		return false;
	/* A factor that looks like a negative number is wrong before it is multiplied. */
	if (!is_signed && (a > INT32_MAX || (!product->shift && b > INT32_MAX)))
		return false;
	overflow.product = overflow.a * overflow.b;
	result = product->sum ? (uint32_t)overflow.product : (uint32_t)step->values[lane];
	overflow.became = is_signed ? (int32_t)result : (int64_t)result;
	*overflow_ret = overflow;
	return overflow.product != overflow.became;
}

/* Sizes and strides of elements are smaller, or even: an odd factor of many bits is there to mix them. */
#define MIXING_FACTOR UINT32_C(0x10000)

static bool product_mixes(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	uint32_t value;

	for (uint32_t i = 0; i < 2 && !product_of(step)->shift; i++)
		if (wt_cause_operand(cause, step, WT_CAUSE_OPERAND_OF_CODE, i, &value) &&
		    value % 2 && value >= MIXING_FACTOR)
			return true;
	return false;
}

/* The position of the product, next in the past of a sum, that has a constant of the code as factor; SIZE_MAX if there is none. */
static size_t product_before(const struct wt_cause *cause, size_t product, uint32_t constant)
{
	const struct wt_analysis *analysis = &cause->analysis;
	bool before[WT_ANALYSIS_MAX_LISTED] = {false};
	uint32_t value;

	before[product] = true;
	for (size_t i = product; i < analysis->count; i++) {
		const struct wt_analysis_step *step = &analysis->steps[i];

		if (!before[i] || step->indirect)
			continue;
		if (i != product && product_of(step) &&
		    ((wt_cause_operand(cause, step, WT_CAUSE_OPERAND_OF_CODE, 0, &value) &&
		      value == constant) ||
		     (wt_cause_operand(cause, step, WT_CAUSE_OPERAND_OF_CODE, 1, &value) &&
		      value == constant)))
			return i;
		for (uint32_t j = 0; j < step->source_count; j++)
			if (step->sources[j] < analysis->count)
				before[step->sources[j]] = true;
		for (uint32_t j = 0; j < step->store_count; j++)
			if (step->stores[j] < analysis->count)
				before[step->stores[j]] = true;
	}
	return SIZE_MAX;
}

/* So many products in a row by the same constant are no index of as many dimensions, but the code of a text. */
#define ROW_OF_PRODUCTS 3

static bool product_is_of_row(const struct wt_cause *cause, size_t product)
{
	const struct wt_analysis_step *step = &cause->analysis.steps[product];
	uint32_t constant, length = 1;

	if (!wt_cause_operand(cause, step, WT_CAUSE_OPERAND_OF_CODE, 0, &constant) &&
	    !wt_cause_operand(cause, step, WT_CAUSE_OPERAND_OF_CODE, 1, &constant))
		return false;
	while (length < ROW_OF_PRODUCTS) {
		product = product_before(cause, product, constant);
		if (product == SIZE_MAX)
			return false;
		length++;
	}
	return true;
}

/*
 * No GPU has so much memory that the product could have been meant as an index: a hash or a random number is meant to overflow. So is what is
 * multiplied as these are.
 */
static bool overflow_is_meant(const struct wt_cause *cause, size_t place,
			      const struct overflow *overflow)
{
	return imaxabs(overflow->product) >= INT64_C(1) << 40 ||
	       product_mixes(cause, &cause->analysis.steps[place]) ||
	       product_is_of_row(cause, place);
}

/* Is so much subtracted from the product on the way that it fits again? */
static bool overflow_is_undone(const struct wt_cause *cause, size_t place,
			       const struct linear_walk *walk, const struct overflow *overflow)
{
	for (size_t i = 1; i < place; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		enum gfx_flow flow = gfx_operation_flow(step->instruction.operation);
		uint32_t value;

		if (walk->depends[i] &&
		    (flow == GFX_FLOW_DIFFERENCE || flow == GFX_FLOW_REVERSED) &&
		    wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND,
				     flow == GFX_FLOW_DIFFERENCE, &value) &&
		    overflow->product - value <= INT32_MAX &&
		    overflow->product - value >= INT32_MIN)
			return true;
	}
	return false;
}

static struct wt_error *product_name_overflow(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument = wt_cause_argument_of(cause);
	struct overflow found = {0}, overflow;
	size_t count = 0, place = 0;
	char where[WT_CAUSE_LINE];

	/* Another product may stand where the list has no room. */
	if (!argument || !cause->analysis.whole)
		return NULL;
	for (size_t i = 1; i < cause->analysis.count; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		struct linear_walk walk;

		if (step->indirect || !step->writes || !product_of(step) ||
		    (product_of(step)->sum ? uses_upper_half(cause, i)
					   : has_upper_half(cause, step)))
			continue;
		walk_from(cause, i, &walk);
		if (!overflows(cause, step, walk.sign_extended, &overflow))
			continue;
		/* An overflow that is no plain part of the address may have been meant. */
		if (!walk.linear || overflow_is_meant(cause, i, &overflow) ||
		    overflow_is_undone(cause, i, &walk, &overflow))
			return NULL;
		found = overflow;
		place = i;
		count++;
	}
	if (count != 1)
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_OVERFLOW,
			    "overflow: the 32-bit product %" PRId64 " * %" PRId64 "%s is %" PRId64
			    ", became %" PRId64 ", and is a part of an index of %s",
			    found.a, found.b,
			    wt_cause_line(" at ", &cause->steps[place].code, where), found.product,
			    found.became, argument->label);
}

/* ---- A sum that did not fit ---- */

#define TERMS_MAX 3

struct sum {
	int64_t terms[TERMS_MAX], exact, became;
	size_t count;
};

/* Operations that add numbers of 32 bits: the last operand is added to what the table says the others are. */
static const struct adder {
	const char *name;
	uint32_t operands;
	bool shifts, multiplies;
} adders[] = {
	{.name = "v_add_u32", .operands = 2},
	{.name = "v_add_i32", .operands = 2},
	{.name = "v_add_co_u32", .operands = 2},
	{.name = "s_add_i32", .operands = 2},
	{.name = "s_add_u32", .operands = 2},
	{.name = "v_add3_u32", .operands = 3},
	{.name = "v_lshl_add_u32", .operands = 3, .shifts = true},
	{.name = "v_mad_u64_u32", .operands = 3, .multiplies = true},
};

static const struct adder *adder_of(const struct wt_analysis_step *step)
{
	for (size_t i = 0; i < sizeof(adders) / sizeof(adders[0]); i++)
		if (!strcmp(gfx_computes(step->instruction.operation), adders[i].name))
			return &adders[i];
	return NULL;
}

/* The lower half of an operand of two words, or a word. */
static bool term_value(const struct wt_cause *cause, const struct wt_analysis_step *step,
		       uint32_t index, int64_t *value_ret)
{
	uint32_t value;

	if (!wt_cause_operand(cause, step, WT_CAUSE_OPERAND_LOW, index, &value))
		return false;
	*value_ret = (int32_t)value;
	return true;
}

/* Are the terms of a step known, and none of them negative? That the first ones fit together is another's matter. */
static bool sum_take(const struct wt_cause *cause, const struct wt_analysis_step *step,
		     struct sum *sum)
{
	const struct adder *adder = adder_of(step);
	uint32_t lane = step->file == GFX_FILE_SCALAR ? 0 : cause->lane;
	int64_t values[TERMS_MAX] = {0};

	if (!step->part || step->indirect || !step->writes || !adder ||
	    step->instruction.modified || !(step->known >> lane & 1))
		return false;
	for (uint32_t i = 0; i < adder->operands; i++)
		if (!term_value(cause, step, i, &values[i]) || values[i] < 0)
			return false;
	if (adder->shifts && values[1] >= 31)
		return false;
	*sum = (struct sum){.became = (int32_t)step->values[lane]};
	if (adder->shifts || adder->multiplies)
		sum->terms[sum->count++] =
			adder->shifts ? values[0] << values[1] : values[0] * values[1];
	for (uint32_t i = sum->count ? 2 : 0; i < adder->operands; i++)
		sum->terms[sum->count++] = values[i];
	for (size_t i = 0; i < sum->count; i++)
		sum->exact += sum->terms[i];
	return sum->terms[0] <= INT32_MAX && sum->exact > INT32_MAX;
}

/* Is a value made of sums, products and what was loaded or passed alone? What mixes bits is meant to have any value. */
static bool sum_is_plain(const struct wt_cause *cause, size_t sum)
{
	const struct wt_analysis *analysis = &cause->analysis;
	bool before[WT_ANALYSIS_MAX_LISTED] = {false};

	before[sum] = true;
	for (size_t i = sum; i < analysis->count; i++) {
		const struct wt_analysis_step *step = &analysis->steps[i];
		const char *name = gfx_computes(step->instruction.operation);

		if (!before[i] || step->indirect)
			continue;
		if (!step->loads && !step->store_count && step->writes &&
		    !wt_cause_is_linear(step) && !product_of(step) && !strstr(name, "lane"))
			return false;
		if (product_of(step) && !adder_of(step) && product_mixes(cause, step))
			return false;
		for (uint32_t j = 0; j < step->source_count && !step->loads; j++)
			if (step->sources[j] < analysis->count)
				before[step->sources[j]] = true;
		for (uint32_t j = 0; j < step->store_count; j++)
			if (step->stores[j] < analysis->count)
				before[step->stores[j]] = true;
	}
	return true;
}

/* Has a product overflowed, be it meant or not? Then a sum with it may be anything. */
static bool any_product_overflows(const struct wt_cause *cause)
{
	for (size_t i = 1; i < cause->analysis.count; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		struct overflow unused;

		if (!step->indirect && step->part && step->writes && product_of(step) &&
		    overflows(cause, step, true, &unused))
			return true;
	}
	return false;
}

/*
 * The sign is what tells that the number was meant as one: without it, a sum begins again at 0. Where what is used has no minus any more, as the
 * sum less another number, it may be what was meant.
 */
static struct wt_error *sum_name_overflow(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument = wt_cause_argument_of(cause);
	struct sum found = {.count = 0}, sum;
	size_t count = 0, place = 0;
	char where[WT_CAUSE_LINE], third[32] = "";

	if (!argument || !cause->analysis.whole || any_product_overflows(cause))
		return NULL;
	for (size_t i = 1; i < cause->analysis.count; i++) {
		struct linear_walk walk;

		if (!sum_take(cause, &cause->analysis.steps[i], &sum))
			continue;
		walk_from(cause, i, &walk);
		/* The lower half of an address or of a long index is a number without a sign. */
		if (!walk.linear || !walk.below_zero)
			continue;
		if (!sum_is_plain(cause, i))
			return NULL;
		found = sum;
		place = i;
		count++;
	}
	if (count != 1)
		return NULL;
	if (found.count == TERMS_MAX)
		snprintf(third, sizeof(third), " + %" PRId64, found.terms[2]);
	return wt_cause_say(cause, WT_CAUSE_OVERFLOW,
			    "overflow: the 32-bit sum %" PRId64 " + %" PRId64 "%s%s is %" PRId64
			    ", became %" PRId64 ", and is a part of an index of %s",
			    found.terms[0], found.terms[1], third,
			    wt_cause_line(" at ", &cause->steps[place].code, where), found.exact,
			    found.became, argument->label);
}

struct wt_error *wt_cause_name_overflow(struct wt_cause_naming *naming)
{
	struct wt_error *error = product_name_overflow(naming);

	return error || naming->cause->sentence ? error : sum_name_overflow(naming);
}

/* ---- An index of 32 bits below zero ---- */

static uint32_t value_of(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	return (uint32_t)step->values[step->file == GFX_FILE_SCALAR ? 0 : cause->lane];
}

static bool step_is_known(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	return step->known >> (step->file == GFX_FILE_SCALAR ? 0 : cause->lane) & 1;
}

static bool is_negative_constant(const struct wt_cause *cause, uint32_t at)
{
	const struct wt_analysis_step *step;

	if (at >= cause->analysis.count)
		return false;
	step = &cause->analysis.steps[at];
	return wt_cause_moves_word(step) && !step->uses.read_count &&
	       value_of(cause, step) > INT32_MAX;
}

static bool adds_negative_constant(const struct wt_cause *cause,
				   const struct wt_analysis_step *step)
{
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t code = step->instruction.src[i];

		if (step->instruction.operation->src[i] == GFX_NONE)
			continue;
		/* Behind 64 the constants are -1 to -16. */
		if ((code > GFX_CODE_ZERO + 64 && code <= GFX_CODE_ZERO + 80) ||
		    (code == GFX_CODE_LITERAL && step->instruction.literal > INT32_MAX))
			return true;
	}
	for (uint32_t i = 0; i < step->source_count; i++)
		if (is_negative_constant(cause, step->sources[i]))
			return true;
	return false;
}

static bool takes_more_than_there_is(const struct wt_analysis_step *step)
{
	for (uint32_t i = 0; i < step->source_count; i++)
		if (!step->source_known[i] || step->source_values[i] > INT32_MAX)
			return false;
	return true;
}

/* A word that is negative if it has a sign, where none of what it was made of is. */
static bool becomes_negative(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	const char *name = step->instruction.operation->name;

	if (!step->part || step->indirect || !step->writes || step->words != 1 ||
	    !step_is_known(cause, step) || value_of(cause, step) <= INT32_MAX)
		return false;
	if (step->loads)
		return !step->private_memory && !step->store_count;
	if (strstr(name, "_sub"))
		return takes_more_than_there_is(step);
	return strstr(name, "_add") && adds_negative_constant(cause, step);
}

/* Is there a 32-bit number below zero among what the address was made of? A 64-bit index may be as large as that. */
static bool goes_below_zero(const struct wt_cause *cause)
{
	for (size_t i = 0; i < cause->arguments.part_count; i++) {
		const struct wt_explain_argument *argument = &cause->arguments.parts[i];

		if (!argument->hidden && !argument->pointer && argument->known &&
		    argument->size == 4 && argument->value > INT32_MAX &&
		    wt_cause_has_words(cause->analysis.address_arguments, argument))
			return true;
	}
	for (size_t i = 1; i < cause->analysis.count; i++)
		if (becomes_negative(cause, &cause->analysis.steps[i]))
			return true;
	return false;
}

/* The one number of 32 bits that the wave itself has made below zero; SIZE_MAX if there is none, or another may be below zero, too. */
static size_t step_below_zero(const struct wt_cause *cause)
{
	size_t found = SIZE_MAX;

	for (size_t i = 1; i < cause->analysis.count; i++) {
		if (!becomes_negative(cause, &cause->analysis.steps[i]))
			continue;
		if (found != SIZE_MAX || cause->analysis.steps[i].loads)
			return SIZE_MAX;
		found = i;
	}
	return found;
}

/* Does a lane access one of the last elements that 32 bits can count? */
static bool is_wrapped(const struct wt_cause *cause, const struct wt_explain_argument *argument,
		       uint32_t lane)
{
	uint32_t unit = cause->near.unit;
	uint64_t offset = cause->wave.access.addresses[lane] - argument->value;
	uint64_t end = UINT64_C(1) << 32;

	return offset % unit == cause->near.rest && offset / unit < end &&
	       end - offset / unit <= (uint64_t)WT_CAUSE_MAX_ELEMENTS;
}

/* Is the element that a lane accesses near the first one, but for 4 G elements as often as a number counts in it? */
static bool is_wrapped_often(const struct wt_cause *cause,
			     const struct wt_explain_argument *argument, uint32_t lane)
{
	int64_t offset = (int64_t)(cause->wave.access.addresses[lane] - argument->value);
	int64_t element = offset / cause->near.unit, near = (int32_t)element;

	/* An index before the buffer was used with its sign. */
	return offset > 0 && offset % cause->near.unit == cause->near.rest && element > near &&
	       imaxabs(near) <= WT_CAUSE_MAX_ELEMENTS;
}

/* A number below zero that is a part of an index, multiplied as a row is by its length, and has no sign there. */
static struct wt_error *name_wrapped_part(struct wt_cause_naming *naming,
					  const struct wt_explain_argument *argument)
{
	struct wt_cause *cause = naming->cause;
	const size_t at = step_below_zero(cause);
	char element[WT_CAUSE_ELEMENT], where[WT_CAUSE_LINE];
	struct linear_walk walk;

	if (at == SIZE_MAX || !cause->analysis.whole)
		return NULL;
	walk_from(cause, at, &walk);
	if (!walk.multiplied || walk.sign_extended)
		return NULL;
	for (uint64_t left = naming->failed; left; left &= left - 1)
		if (!is_wrapped_often(cause, argument, (uint32_t)__builtin_ctzll(left)))
			return NULL;
	return wt_cause_say(cause, WT_CAUSE_WRAPPED,
			    "wrapped: lane %u %s %s: a 32-bit number that was made%s is %" PRId32
			    ", and was used without its sign",
			    cause->lane, wt_cause_does(cause), wt_cause_element(cause, element),
			    wt_cause_line(" at ", &cause->steps[at].code, where),
			    (int32_t)value_of(cause, &cause->analysis.steps[at]));
}

/* The same of local memory, to which a generic address leads: an array may begin anywhere in it. No other memory is near there. */
static bool is_wrapped_local(const struct wt_cause_naming *naming, uint32_t lane)
{
	const struct gfx_access *access = &naming->cause->wave.access;
	const struct gfx_architecture *architecture =
		wt_view_architecture(naming->view, WT_OBJECT_WAVE, naming->cause->wave.wave);
	uint64_t end = (uint64_t)access->size << 32, offset, limit;

	if (!architecture || !architecture->local_aperture || access->space != GFX_ACCESS_GENERIC)
		return false;
	offset = access->addresses[lane] - architecture->local_aperture;
	limit = end + naming->dispatch->local_size;
	return offset < limit &&
	       limit - offset <= naming->dispatch->local_size +
					 access->size * (uint64_t)WT_CAUSE_MAX_ELEMENTS;
}

static struct wt_error *name_wrapped_local(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;

	if (cause->wave.access.parts != 1 || !naming->failed || !naming->dispatch->has_local_size ||
	    !goes_below_zero(cause))
		return NULL;
	for (uint64_t left = naming->failed; left; left &= left - 1)
		if (!is_wrapped_local(naming, (uint32_t)__builtin_ctzll(left)))
			return NULL;
	return wt_cause_say(cause, WT_CAUSE_WRAPPED,
			    "wrapped: lane %u %s what is 4 G elements behind local memory: a "
			    "32-bit index went below zero, and was used without its sign",
			    cause->lane, wt_cause_does(cause));
}

struct wt_error *wt_cause_name_wrapped(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument = wt_cause_argument_of(cause);
	char element[WT_CAUSE_ELEMENT], index[WT_CAUSE_INDEX];

	if (!argument)
		return name_wrapped_local(naming);
	if (argument->value < WT_CAUSE_LOWEST_ADDRESS || !cause->near.whole ||
	    cause->wave.access.parts != 1 || !naming->failed)
		return NULL;
	for (uint64_t left = naming->failed; left; left &= left - 1)
		if (!is_wrapped(cause, argument, (uint32_t)__builtin_ctzll(left)))
			return name_wrapped_part(naming, argument);
	if (!goes_below_zero(cause))
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_WRAPPED,
			    "wrapped: lane %u %s %s: a 32-bit index is %" PRId64
			    ", and was used without its sign%s",
			    cause->lane, wt_cause_does(cause), wt_cause_element(cause, element),
			    cause->near.element - (INT64_C(1) << 32),
			    wt_cause_index_source(cause, 0, index));
}
