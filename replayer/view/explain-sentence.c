/* SPDX-License-Identifier: MIT */
/*
 * The cause in one sentence. Each cause has its own conditions, all of which must be known to hold. The order matters: a
 * product that overflowed also leaves an address past an end.
 */
#include "replayer/view/explain-cause-internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"

#define MAX_ELEMENTS (INT64_C(1) << 20) /* farther off, an index is not just a little wrong */
#define NULL_LIMIT UINT64_C(65536)
#define LOWEST_ADDRESS UINT64_C(0x10000)

struct naming {
	struct wt_view *view;
	const struct wt_cause_dispatch *dispatch;
	const struct wt_cause_limits *limits;
	struct wt_cause *cause;
	uint64_t failed; /* lanes */
};

__attribute__((format(printf, 3, 4))) static struct wt_error *
name_cause(struct wt_cause *cause, enum wt_cause_kind kind, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(&cause->sentence, format, arguments);
	va_end(arguments);
	if (length < 0) {
		cause->sentence = NULL;
		return &wt_error_no_memory;
	}
	cause->kind = kind;
	return NULL;
}

static const struct wt_explain_argument *argument_of(const struct wt_cause *cause)
{
	const struct wt_explain_argument *argument;

	if (cause->near.argument == SIZE_MAX)
		return NULL;
	argument = &cause->arguments.list[cause->near.argument];
	return argument->name ? argument : NULL;
}

static const char *does(const struct wt_cause *cause)
{
	if (cause->wave.access.read && cause->wave.access.write)
		return "updates";
	return cause->wave.access.write ? "stores to" : "loads from";
}

/* The same before a number of bytes. */
static const char *moves(const struct wt_cause *cause)
{
	if (cause->wave.access.read && cause->wave.access.write)
		return "updates";
	return cause->wave.access.write ? "stores" : "loads";
}

/* Do the addresses of all lanes that failed lie on one side? */
static bool all_failed(const struct naming *naming, uint64_t from, uint64_t to)
{
	for (uint64_t left = naming->failed; left; left &= left - 1) {
		uint64_t address = naming->cause->wave.access.addresses[__builtin_ctzll(left)];

		if (address < from || address >= to)
			return false;
	}
	return naming->failed;
}

/* ---- Misaligned, local memory ---- */

static struct wt_error *name_misaligned(struct naming *naming)
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
	return name_cause(cause, WT_CAUSE_MISALIGNED,
			  "misaligned: lane %u updates %u bytes at 0x%" PRIx64 ", which is %" PRIu64
			  " past a multiple of %u; this instruction needs a "
			  "multiple",
			  cause->lane, access->size, cause->address, rest, access->size);
}

static struct wt_error *name_local_end(struct naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct gfx_access *access = &cause->wave.access;
	uint64_t end = naming->dispatch->local_size;

	if (!(cause->wave.reasons & AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR) ||
	    access->space != GFX_ACCESS_LOCAL || !end || access->parts != 1 ||
	    cause->address < end || cause->address - end >= (uint64_t)MAX_ELEMENTS)
		return NULL;
	return name_cause(cause, WT_CAUSE_LOCAL_END,
			  "past the end: lane %u %s byte %" PRIu64
			  " of local memory, of which the workgroup has %" PRIu64 " bytes",
			  cause->lane, does(cause), cause->address, end);
}

/* ---- Null ---- */

static struct wt_error *name_null(struct naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument = argument_of(cause);

	if (!argument || argument->value || !all_failed(naming, 0, NULL_LIMIT))
		return NULL;
	return name_cause(cause, WT_CAUSE_NULL,
			  "null pointer: the kernel argument %s is null, and lane %u %s what is "
			  "%" PRIu64 " %s behind it",
			  argument->name, cause->lane, does(cause), cause->address,
			  wt_plural(cause->address, "byte", "bytes"));
}

/* ---- Unmapped in between ---- */

/* The latest earlier moment at which a page was mapped; UINT32_MAX if there is none. */
static struct wt_error *find_mapped(struct naming *naming, uint64_t address, uint32_t *moment_ret)
{
	const struct wt_moment *now = wt_view_moment(naming->view);
	uint32_t number = now->number, least;

	least = number > naming->limits->moments ? number - naming->limits->moments : 0;
	*moment_ret = UINT32_MAX;
	while (number-- > least && *moment_ret == UINT32_MAX) {
		struct wt_view *view = NULL;
		struct wt_error *error = wt_view_open(wt_view_reader(naming->view), number, &view);
		uint64_t end;

		if (error) {
			/* A moment that is lost shows nothing. */
			if (error->code == WT_ERROR_MEMORY)
				return error;
			wt_error_destroy(error);
			continue;
		}
		if (wt_cause_page(view, naming->dispatch->process, address, &end) == 1)
			*moment_ret = number;
		wt_view_close(view);
	}
	return NULL;
}

static struct wt_error *name_unmapped(struct naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument = argument_of(cause);
	struct wt_error *error;
	uint64_t end;

	if (!argument || !argument->value ||
	    wt_cause_page(naming->view, naming->dispatch->process, cause->address, &end) != -1 ||
	    wt_cause_page(naming->view, naming->dispatch->process, argument->value, &end) != -1)
		return NULL;
	error = find_mapped(naming, argument->value, &cause->unmapped_since);
	if (error || cause->unmapped_since == UINT32_MAX)
		return error;
	return name_cause(cause, WT_CAUSE_UNMAPPED,
			  "freed or unmapped: the kernel argument %s points to 0x%" PRIx64
			  ", which was mapped at an earlier stop and is not any more",
			  argument->name, argument->value);
}

/* ---- A product of 32 bits ---- */

struct product {
	const char *name;
	bool signed_24, unsigned_24, shift, reversed, sum;
};

static const struct product products[] = {
	{.name = "v_mul_lo_u32"},
	{.name = "s_mul_i32"},
	{.name = "v_mul_u32_u24", .unsigned_24 = true},
	{.name = "v_mul_i32_i24", .signed_24 = true},
	/* Of 64 bits, but often only the lower half is used. */
	{.name = "v_mad_u64_u32", .sum = true},
	{.name = "v_lshlrev_b32", .shift = true, .reversed = true},
	{.name = "s_lshl_b32", .shift = true},
};

static const struct product *product_of(const struct wt_analysis_step *step)
{
	for (size_t i = 0; i < sizeof(products) / sizeof(products[0]); i++)
		if (!strcmp(step->instruction.operation->name, products[i].name))
			return &products[i];
	return NULL;
}

/* Operations of which an address still is a sum that has the product as a part. */
static bool is_linear(const char *name)
{
	static const char *const names[] = {
		"v_add_u32",	  "v_add_co_u32",	"v_addc_co_u32",       "v_add3_u32",
		"v_add_i32",	  "v_sub_u32",		"v_subrev_u32",	       "v_lshlrev_b64",
		"v_lshl_add_u64", "v_lshl_add_u32",	"v_ashrrev_i32",       "v_ashrrev_i64",
		"v_mov_b32",	  "v_mov_b64",		"s_add_u32",	       "s_addc_u32",
		"s_add_i32",	  "s_sub_i32",		"s_lshl_b64",	       "s_ashr_i32",
		"s_ashr_i64",	  "s_mov_b32",		"s_mov_b64",	       "v_lshlrev_b32",
		"s_lshl_b32",	  "v_accvgpr_read_b32", "v_accvgpr_write_b32", "v_mad_u64_u32"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Is a step's value a sum with, or the same as, that of the step at @at? */
struct linear_walk {
	bool depends[WT_ANALYSIS_MAX_STEPS + WT_ANALYSIS_MAX_COMPARISONS];
	bool sign_extended, linear;
};

static bool has_source(const struct linear_walk *walk, const uint32_t *sources, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (sources[i] < WT_ANALYSIS_MAX_STEPS + WT_ANALYSIS_MAX_COMPARISONS &&
		    walk->depends[sources[i]])
			return true;
	return false;
}

static bool depends(const struct linear_walk *walk, const struct wt_analysis_step *step,
		    bool is_target)
{
	uint32_t at = 0;

	/* Of what was loaded the value counts, not where it was; of the target where. */
	for (uint32_t i = 0; i < step->uses.read_count; i++)
		for (uint32_t word = 0; word < step->uses.reads[i].words; word++, at++)
			if (at < step->source_count &&
			    (is_target ? step->uses.reads[i].address
				       : !(step->loads && step->uses.reads[i].address)) &&
			    has_source(walk, &step->sources[at], 1))
				return true;
	return has_source(walk, step->stores, step->store_count);
}

static bool extends_sign(const struct wt_analysis_step *step)
{
	const char *name = step->instruction.operation->name;

	return !strcmp(name, "v_ashrrev_i32") || !strcmp(name, "s_ashr_i32") ||
	       strstr(name, "ashrrev_i64") || strstr(name, "ashr_i64");
}

/* Steps are in order of time, the latest first: from the product on towards the target. */
static void walk_from(const struct wt_cause *cause, size_t product, struct linear_walk *walk)
{
	memset(walk, 0, sizeof(*walk));
	walk->linear = true;
	walk->depends[product] = true;
	for (size_t i = product; i-- > 0;) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];

		if (step->indirect || !depends(walk, step, i == 0))
			continue;
		walk->depends[i] = true;
		walk->sign_extended |= extends_sign(step);
		walk->linear &=
			i == 0 || step->loads || is_linear(step->instruction.operation->name);
	}
	walk->linear &= walk->depends[0];
}

/* A factor in the followed lane: of a register, or a constant. */
static bool factor(const struct wt_analysis_step *step, uint32_t index, uint32_t *value_ret)
{
	uint32_t code = step->instruction.src[index], at = 0;
	enum gfx_register_file file = code >= GFX_CODE_VGPR0 ? GFX_FILE_VECTOR : GFX_FILE_SCALAR;

	if (code == GFX_CODE_LITERAL) {
		*value_ret = step->instruction.literal;
		return true;
	}
	if (code >= GFX_CODE_ZERO && code <= 208) {
		*value_ret = code <= 192 ? code - GFX_CODE_ZERO : 192U - code;
		return true;
	}
	for (uint32_t i = 0; i < step->uses.read_count; i++) {
		const struct gfx_use *use = &step->uses.reads[i];

		if (use->file == file && at < step->source_count &&
		    use->number == (file == GFX_FILE_VECTOR ? code - GFX_CODE_VGPR0 : code)) {
			*value_ret = step->source_values[at];
			return step->source_known[at] && use->words == 1;
		}
		at += use->words;
	}
	return false;
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

	if (step->instruction.modified || !(step->known >> lane & 1) ||
	    !factor(step, product->reversed, &a) || !factor(step, !product->reversed, &b))
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

static struct wt_error *name_overflow(struct naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument = argument_of(cause);
	struct overflow found = {0}, overflow;
	size_t count = 0, place = 0;
	int line;

	/* Another product may stand where the list has no room. */
	if (!argument || !cause->analysis.whole)
		return NULL;
	for (size_t i = 1; i < cause->analysis.count; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		struct linear_walk walk;

		if (step->indirect || !step->writes || !product_of(step) ||
		    (product_of(step)->sum && uses_upper_half(cause, i)))
			continue;
		walk_from(cause, i, &walk);
		if (!overflows(cause, step, walk.sign_extended, &overflow))
			continue;
		/* Where it is not a plain part of the address, it may have been meant. */
		if (!walk.linear)
			return NULL;
		found = overflow;
		place = i;
		count++;
	}
	if (count != 1)
		return NULL;
	line = cause->steps[place].code.place.line;
	return name_cause(cause, WT_CAUSE_OVERFLOW,
			  "overflow: the 32-bit product %" PRId64 " * %" PRId64 "%s%.0d is %" PRId64
			  ", became %" PRId64 ", and is a part of an index of %s",
			  found.a, found.b, line > 0 ? " at line " : "", line > 0 ? line : 0,
			  found.product, found.became, argument->name);
}

/* ---- No guard, past an end, before a start ---- */

/* The work-item of a lane in a grid of one dimension. */
static uint64_t work_item(const struct naming *naming, uint32_t lane)
{
	const struct wt_explain_wave *wave = &naming->cause->wave;

	return (uint64_t)wave->workgroup[0] * naming->dispatch->workgroup_size[0] +
	       (uint64_t)wave->number_in_group * GFX_MAX_LANES + lane;
}

/* Does each lane that failed access the element of its own work-item? */
static bool elements_are_work_items(const struct naming *naming,
				    const struct wt_explain_argument *argument)
{
	const struct gfx_access *access = &naming->cause->wave.access;

	if (naming->dispatch->grid_size[1] > 1 || naming->dispatch->grid_size[2] > 1 ||
	    access->scalar || !access->size)
		return false;
	for (uint64_t left = naming->failed; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);

		if (access->addresses[lane] - argument->value !=
		    work_item(naming, lane) * access->size)
			return false;
	}
	return naming->failed;
}

static bool was_compared(const struct wt_cause *cause, const struct wt_explain_argument *argument)
{
	return wt_cause_has_words(cause->analysis.compared_arguments, argument);
}

static struct wt_error *name_no_guard(struct naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *pointer = argument_of(cause), *found = NULL;

	if (!pointer || !cause->near.has_end || !elements_are_work_items(naming, pointer))
		return NULL;
	for (size_t i = 0; i < cause->arguments.count; i++) {
		const struct wt_explain_argument *argument = &cause->arguments.list[i];

		if (!wt_cause_counts(cause, pointer, argument, cause->near.end))
			continue;
		if (found)
			return NULL;
		found = argument;
	}
	if (!found || was_compared(cause, found) ||
	    work_item(naming, (uint32_t)__builtin_ctzll(naming->failed)) < found->value)
		return NULL;
	return name_cause(cause, WT_CAUSE_NO_GUARD,
			  "no guard: work-item %" PRIu64 " %s %s[%" PRIu64 "], but %s is %" PRIu64
			  ", and nothing on its way compares with %s",
			  work_item(naming, cause->lane), does(cause), pointer->name,
			  work_item(naming, cause->lane), found->name, found->value, found->name);
}

/* Of an index that was not computed alone. */
static const char *index_source(const struct wt_cause *cause)
{
	for (size_t i = 1; i < cause->analysis.count; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		bool argument = false;

		for (uint32_t word = 0; word < step->words; word++)
			argument |= wt_cause_loaded_argument(cause, step, word) != NULL;
		if (!step->indirect && step->loads && step->writes && !argument &&
		    !step->private_memory)
			return "; its index was loaded from memory";
	}
	return "";
}

/* Lanes that failed, and access bytes on both sides of @border or on one alone. */
static bool all_failed_reach(const struct naming *naming, uint64_t border, bool above)
{
	uint32_t size = naming->cause->wave.access.size;

	for (uint64_t left = naming->failed; left; left &= left - 1) {
		uint64_t address = naming->cause->wave.access.addresses[__builtin_ctzll(left)];

		if (above ? address + size <= border : address >= border)
			return false;
	}
	return naming->failed;
}

static struct wt_error *name_past_end(struct naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument = argument_of(cause);
	uint64_t end = cause->near.end, last = cause->address + cause->wave.access.size, bytes;
	uint32_t size = cause->wave.access.size;

	if (!argument || argument->value < LOWEST_ADDRESS || !cause->near.has_end ||
	    !all_failed_reach(naming, end, true) || cause->address < argument->value ||
	    last - end > (uint64_t)MAX_ELEMENTS * size)
		return NULL;
	if (cause->near.whole && cause->address >= end && (end - argument->value) % size == 0) {
		uint64_t past = (cause->address - end) / size + 1;

		return name_cause(
			cause, WT_CAUSE_PAST_END,
			"past the end: lane %u %s %s[%" PRId64 "], %" PRIu64
			" %s of %u bytes past the last one that is mapped, %s[%" PRIu64 "]%s",
			cause->lane, does(cause), argument->name, cause->near.element, past,
			wt_plural(past, "element", "elements"), size, argument->name,
			(end - argument->value) / size - 1, index_source(cause));
	}
	bytes = last - end < size ? last - end : size;
	return name_cause(cause, WT_CAUSE_PAST_END,
			  "past the end: lane %u %s %u bytes at %s + %" PRId64
			  ", and the last %" PRIu64 " of them are past the end of what is mapped, "
			  "%s + %" PRIu64 "%s",
			  cause->lane, moves(cause), size, argument->name, cause->near.byte_offset,
			  bytes, argument->name, end - argument->value, index_source(cause));
}

static struct wt_error *name_before_start(struct naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument = argument_of(cause);
	uint64_t end, before;

	if (!argument || argument->value < LOWEST_ADDRESS || cause->address >= argument->value ||
	    !all_failed_reach(naming, argument->value, false) ||
	    wt_cause_page(naming->view, naming->dispatch->process, argument->value, &end) != 1)
		return NULL;
	before = argument->value - cause->address;
	if (before > (uint64_t)MAX_ELEMENTS * cause->wave.access.size)
		return NULL;
	if (!cause->near.whole)
		return name_cause(cause, WT_CAUSE_BEFORE_START,
				  "before the start: lane %u %s %u bytes at %s - %" PRIu64 "%s",
				  cause->lane, moves(cause), cause->wave.access.size,
				  argument->name, before, index_source(cause));
	return name_cause(cause, WT_CAUSE_BEFORE_START,
			  "before the start: lane %u %s %s[%" PRId64 "], %" PRId64
			  " %s of %u bytes before where %s points%s",
			  cause->lane, does(cause), argument->name, cause->near.element,
			  -cause->near.element,
			  wt_plural((uint64_t)-cause->near.element, "element", "elements"),
			  cause->wave.access.size, argument->name, index_source(cause));
}

struct wt_error *wt_cause_name(struct wt_view *view, const struct wt_cause_dispatch *dispatch,
			       const struct wt_cause_limits *limits, struct wt_cause *cause)
{
	static struct wt_error *(*const causes[])(struct naming * naming) = {
		name_misaligned, name_local_end, name_null,	name_unmapped,
		name_overflow,	 name_no_guard,	 name_past_end, name_before_start,
	};
	struct naming naming = {view, dispatch, limits, cause, cause->wave.failed_lanes};
	struct wt_error *error = NULL;

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]) && !error; i++)
		if (!cause->sentence)
			error = causes[i](&naming);
	return error;
}
