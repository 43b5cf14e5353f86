/* SPDX-License-Identifier: MIT */
/* Causes that lie in the pointer itself: it is null, no address, half of one, or one of memory that is gone. */
#include "replayer/view/explain-cause-internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "base/text.h"
#include "trace-format/state/host-facts.h"

#define NULL_LIMIT UINT64_C(65536)
#define FREED_BEYOND (UINT64_C(1) << 32)
#define POINTER_TEXT 768
#define FROM_TEXT 128
#define FUNCTION_MOST 512u
#define TARGET_TEXT (FUNCTION_MOST + 320)

/* The pointer that an address was made from: an argument, or loaded from memory. */
struct pointer {
	const struct wt_explain_argument *argument; /* NULL: it was loaded */
	uint64_t value;
	char text[POINTER_TEXT]; /* "the kernel argument out" */
	/* A loaded one: the argument that leads to where it was loaded from; NULL if that is not one alone. */
	const struct wt_explain_argument *loaded_through;
};

/* Two words of what a step has loaded, one behind the other. */
struct loaded {
	uint32_t word; /* the first */
	uint64_t value;
	uint32_t known; /* a bit for each */
	bool more;	/* others are used, too */
};

static void note_word(struct loaded *loaded, uint32_t word, uint32_t value)
{
	uint32_t place = word - loaded->word;

	if (place > 1) {
		loaded->more = true;
		return;
	}
	loaded->known |= 1u << place;
	loaded->value |= (uint64_t)value << 32 * place;
}

/* The words of a load that a step uses, where the step is a part of the address. */
static void note_words(const struct wt_cause *cause, const struct wt_analysis_step *step, size_t at,
		       bool is_target, bool finds_first, struct loaded *loaded)
{
	const struct wt_analysis_step *load = &cause->analysis.steps[at];
	uint32_t source = 0;

	for (uint32_t i = 0; i < step->uses.read_count; i++)
		for (uint32_t word = 0; word < step->uses.reads[i].words; word++, source++) {
			uint32_t number = step->uses.reads[i].number + word;

			if (source >= step->source_count || step->sources[source] != at ||
			    step->source_beside[source] || number < load->number ||
			    (is_target && step->loads && !step->uses.reads[i].address))
				continue;
			if (finds_first && number - load->number < loaded->word)
				loaded->word = number - load->number;
			else if (!finds_first && step->source_known[source])
				note_word(loaded, number - load->number,
					  step->source_values[source]);
		}
}

/* Which words of a load the address was made from; false if that is not one pair whose value is known. */
static bool find_words(const struct wt_cause *cause, size_t at, struct loaded *loaded_ret)
{
	struct loaded loaded = {.word = UINT32_MAX};

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < at; i++)
			if (i == 0 ||
			    (cause->analysis.steps[i].part && !cause->analysis.steps[i].indirect))
				note_words(cause, &cause->analysis.steps[i], at, i == 0, !pass,
					   &loaded);
	*loaded_ret = loaded;
	return loaded.known == 3 && !loaded.more;
}

/*
 * Eight bytes that the address was made from: loaded, and not from the arguments or where the wave keeps registers.
 *
 * @known: that their value is known, too; else that it is not.
 */
static bool loads_pointer(const struct wt_cause *cause, size_t at, bool known)
{
	const struct wt_analysis_step *step = &cause->analysis.steps[at];
	uint32_t lane = step->access.scalar ? 0 : cause->lane;
	struct loaded loaded;

	return step->part && !step->indirect && step->loads && step->writes && step->words >= 2 &&
	       step->access.parts == 1 && !step->private_memory &&
	       (step->access.space == GFX_ACCESS_GLOBAL ||
		step->access.space == GFX_ACCESS_GENERIC) &&
	       step->address_known >> lane & 1 && find_words(cause, at, &loaded) == known &&
	       loaded.word != UINT32_MAX && !wt_cause_loaded_argument(cause, step, loaded.word);
}

/* Is any argument of a pointer's size a part of the address? It may be what a loaded number counts from. */
static bool has_pointer_argument(const struct wt_cause *cause)
{
	for (size_t i = 0; i < cause->arguments.part_count; i++)
		if (cause->arguments.parts[i].size >= sizeof(uint64_t) &&
		    wt_cause_has_words(cause->analysis.address_arguments,
				       &cause->arguments.parts[i]))
			return true;
	return false;
}

/* "the pointer that was loaded from layers[2], 0x7f..., at main.hip:6" */
static void describe_loaded(const struct wt_cause_naming *naming, size_t at,
			    struct pointer *pointer)
{
	const struct wt_cause *cause = naming->cause;
	const struct wt_analysis_step *step = &cause->analysis.steps[at];
	uint64_t address = step->access.addresses[step->access.scalar ? 0 : cause->lane], end;
	const struct wt_explain_argument *argument = NULL;
	struct loaded loaded;
	char from[WT_EXPLAIN_POINTED] = "", past[FROM_TEXT] = "", where[WT_CAUSE_LINE];

	find_words(cause, at, &loaded);
	address += 4ULL * loaded.word;
	if (!cause->steps[at].global)
		argument = wt_cause_name_loaded(cause, at, 4 * loaded.word, sizeof(uint64_t), from);
	pointer->value = loaded.value;
	pointer->loaded_through = argument;
	if (argument &&
	    wt_memory_end(naming->mappings, naming->dispatch->process, argument->value, &end) &&
	    address >= end)
		snprintf(past, sizeof(past), ", which is %" PRIu64 " bytes past the end of %.64s,",
			 address - end, argument->label);
	wt_cause_line(*from && !*past ? ", at " : " at ", &cause->steps[at].code, where);
	if (cause->steps[at].global)
		snprintf(pointer->text, sizeof(pointer->text), "the pointer %s that was loaded%s",
			 wt_cause_name_global(cause, at, 4 * loaded.word, sizeof(uint64_t), from),
			 where);
	else
		snprintf(pointer->text, sizeof(pointer->text),
			 "the pointer that was loaded from %s%s0x%" PRIx64 "%s%s", from,
			 *from ? ", " : "", address, past, where);
}

/* The one load that an address without pointer arguments was made from. */
static bool find_loaded(const struct wt_cause_naming *naming, struct pointer *pointer)
{
	const struct wt_cause *cause = naming->cause;
	size_t found = 0;

	if (!cause->analysis.whole || has_pointer_argument(cause))
		return false;
	for (size_t i = 1; i < cause->analysis.count; i++) {
		if (!loads_pointer(cause, i, true))
			continue;
		if (found)
			return false;
		found = i;
	}
	if (found)
		describe_loaded(naming, found, pointer);
	return found;
}

const char *wt_cause_through(const struct wt_cause_naming *naming, uint64_t base,
			     char text_ret[WT_CAUSE_THROUGH])
{
	struct pointer pointer;

	text_ret[0] = '\0';
	if (base && naming->cause->analysis.end == WT_ANALYSIS_ARRIVED &&
	    find_loaded(naming, &pointer) && !((pointer.value - base) >> 32))
		snprintf(text_ret, WT_CAUSE_THROUGH, ", through %s", pointer.text);
	return text_ret;
}

static bool pointer_find(const struct wt_cause_naming *naming, struct pointer *pointer_ret)
{
	const struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument = wt_cause_argument_of(cause);

	if (!argument) {
		pointer_ret->argument = NULL;
		return cause->analysed && cause->analysis.end == WT_ANALYSIS_ARRIVED &&
		       find_loaded(naming, pointer_ret);
	}
	pointer_ret->argument = argument;
	pointer_ret->value = argument->value;
	snprintf(pointer_ret->text, sizeof(pointer_ret->text), "the kernel %s%s",
		 wt_explain_argument_word(argument), argument->label);
	return true;
}

/* ---- Never set ---- */

/*
 * Which halves of a pointer that the wave was launched with, in two scalar registers, a step computes with. One that only stands beside
 * what the address is made of, as the upper word of a sum of which the lower one is used, says nothing.
 */
static uint32_t step_takes_halves(const struct wt_analysis_step *step, uint32_t number)
{
	uint32_t source = 0, halves = 0;

	/* A lane of a vector register keeps it, and whoever reads one of these lanes depends on all of them. */
	if (!strcmp(gfx_computes(step->instruction.operation), "v_writelane_b32"))
		return 0;
	for (uint32_t i = 0; i < step->uses.read_count; i++)
		for (uint32_t word = 0; word < step->uses.reads[i].words; word++, source++) {
			const struct gfx_use *use = &step->uses.reads[i];

			if (source < step->source_count && !step->source_beside[source] &&
			    step->sources[source] == WT_ANALYSIS_INITIAL &&
			    use->file == GFX_FILE_SCALAR && !use->address &&
			    use->number + word - number < 2)
				halves |= 1u << (use->number + word - number);
		}
	return halves;
}

/*
 * The step that computes with the upper half alone of the pointer to the arguments, or to the dispatch: nobody means that, but the compiler
 * gives what was never set any register. SIZE_MAX if there is none.
 */
static size_t half_find(const struct wt_cause *cause)
{
	const struct wt_analysis_initial *initial = &cause->analysis.initial;
	const uint32_t pointers[] = {initial->kernarg, initial->dispatch_packet};

	for (size_t i = 0; i < 2 && cause->analysis.whole; i++) {
		uint32_t halves = 0;
		size_t found = SIZE_MAX;

		for (size_t at = 1; at < cause->analysis.count && pointers[i] < GFX_CODE_VCC;
		     at++) {
			const struct wt_analysis_step *step = &cause->analysis.steps[at];
			uint32_t taken = step->part && !step->indirect
						 ? step_takes_halves(step, pointers[i])
						 : 0;

			halves |= taken;
			found = taken == 2 ? at : found;
		}
		if (halves == 2)
			return found;
	}
	return SIZE_MAX;
}

static struct wt_error *pointer_name_uninitialised(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_analysis_step *found = NULL;
	size_t half = half_find(cause);
	char where[WT_CAUSE_LINE] = "";
	const char *what;

	for (size_t i = 0; i < cause->analysis.count; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];

		/* The access itself, at 0, stores data that is none of its address. */
		if ((i && !step->part) || step->indirect ||
		    !(step->never_set || (i && step->never_written)))
			continue;
		found = step;
		wt_cause_line(" at ", &cause->steps[i].code, where);
	}
	if (!found && half == SIZE_MAX)
		return NULL;
	if (!found)
		wt_cause_line(" at ", &cause->steps[half].code, where);
	what = !found || found->never_set ? "a variable"
	       : found->private_memory	  ? "private memory"
					  : "local memory";
	return wt_cause_say(cause, WT_CAUSE_UNINITIALISED,
			    "never set: what lane %u %s was made from %s%s that nobody had "
			    "written",
			    cause->lane, wt_cause_does(cause), what, where);
}

/* ---- Arguments in each other's place ---- */

/* An argument that is none of a pointer's kind, but holds the address of memory; NULL if it is not one alone. */
static const struct wt_explain_argument *find_address(const struct wt_cause_naming *naming)
{
	const struct wt_explain_arguments *arguments = &naming->cause->arguments;
	const struct wt_explain_argument *found = NULL;
	uint64_t end;

	for (size_t i = 0; i < arguments->part_count; i++) {
		const struct wt_explain_argument *argument = &arguments->parts[i];

		if (argument->hidden || argument->pointer || argument->untyped ||
		    !argument->known || argument->size != 8 || argument->value <= UINT32_MAX ||
		    wt_cause_page(naming->view, naming->dispatch->process, argument->value, &end) !=
			    1)
			continue;
		if (found)
			return NULL;
		found = argument;
	}
	return found;
}

static struct wt_error *pointer_name_exchanged(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument = wt_cause_argument_of(cause), *address;
	uint64_t end;

	if (!argument || argument->value > UINT32_MAX ||
	    wt_cause_page(naming->view, naming->dispatch->process, argument->value, &end) == 1)
		return NULL;
	address = find_address(naming);
	if (!address)
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_EXCHANGED,
			    "exchanged arguments: the pointer %s is %" PRIu64
			    ", and %s, which is none, is 0x%" PRIx64 ", where memory is",
			    argument->label, argument->value, address->label, address->value);
}

/* ---- Null, and what else is no address ---- */

/* Have all lanes failed where an index of 32 bits leads from null on, or back? No memory is there, however it was counted. */
static bool all_failed_around_null(const struct wt_cause_naming *naming)
{
	uint64_t most = (uint64_t)naming->cause->wave.access.size << 32;

	for (uint64_t left = naming->failed; left; left &= left - 1) {
		uint64_t address = naming->cause->wave.access.addresses[__builtin_ctzll(left)];

		if (address >= most && -address > most)
			return false;
	}
	return naming->failed;
}

static struct wt_error *pointer_name_null(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	struct pointer pointer;
	uint64_t before = -cause->address;

	/* A loaded value may be an index, which was added to a pointer that was made otherwise. */
	if (!pointer_find(naming, &pointer) || pointer.value ||
	    !(pointer.argument ? all_failed_around_null(naming)
			       : wt_cause_all_failed(naming, 0, NULL_LIMIT)))
		return NULL;
	if (before < cause->address)
		return wt_cause_say(cause, WT_CAUSE_NULL,
				    "null pointer: %s is null, and lane %u %s what is %" PRIu64
				    " %s before it",
				    pointer.text, cause->lane, wt_cause_does(cause), before,
				    wt_plural(before, "byte", "bytes"));
	return wt_cause_say(cause, WT_CAUSE_NULL,
			    "null pointer: %s is null, and lane %u %s what is %" PRIu64
			    " %s behind it",
			    pointer.text, cause->lane, wt_cause_does(cause), cause->address,
			    wt_plural(cause->address, "byte", "bytes"));
}

/* Null because the code says so: the program's author does, or the compiler, which gives what was never set any value. */
static struct wt_error *pointer_name_made_null(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	char where[WT_CAUSE_LINE];
	bool chosen;
	size_t made;

	if (cause->analysis.end != WT_ANALYSIS_ARRIVED ||
	    !wt_cause_all_failed(naming, 0, NULL_LIMIT) ||
	    !wt_cause_is_made_zero(cause, &made, &chosen))
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_NULL,
			    "null pointer: the pointer was %s null%s, or never set, and lane %u %s "
			    "what is %" PRIu64 " %s behind it",
			    chosen ? "chosen to be" : "set to",
			    wt_cause_line(" at ", &cause->steps[made].code, where), cause->lane,
			    wt_cause_does(cause), cause->address,
			    wt_plural(cause->address, "byte", "bytes"));
}

/* Halves that are the same, and more than an address has: what memory is filled with to find what was never set. */
static bool is_pattern(uint64_t value)
{
	return value >> 32 == (uint32_t)value && value >> 48;
}

static struct wt_error *pointer_name_no_address(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	struct pointer pointer;
	bool small;

	if (!naming->failed || !pointer_find(naming, &pointer))
		return NULL;
	small = pointer.value && pointer.value < WT_CAUSE_LOWEST_ADDRESS;
	if (!small && !is_pattern(pointer.value))
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_NO_ADDRESS, "no address: %s is 0x%" PRIx64 ", %s%s",
			    pointer.text, pointer.value,
			    small ? "a small number" : "a pattern that repeats",
			    pointer.argument && cause->arguments.overwritten
				    ? "; the arguments were overwritten after the launch"
				    : "");
}

/* ---- Half a pointer ---- */

/* The upper word of an argument's pointer has no part in the address; in all other ways it is an address. */
static struct wt_error *pointer_name_truncated(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument = wt_cause_argument_of(cause);
	uint64_t words = cause->analysis.address_arguments, end;

	if (!argument || argument->value <= UINT32_MAX || argument->offset % 4 ||
	    argument->offset / 4 >= 62 || words >> (argument->offset / 4 + 1) & 1 ||
	    !wt_cause_all_failed(naming, 0, UINT64_C(1) << 33) ||
	    wt_cause_page(naming->view, naming->dispatch->process, argument->value, &end) == -1)
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_TRUNCATED,
			    "truncated pointer: lane %u %s 0x%" PRIx64
			    ", which was made from the lower 32 bits of the kernel %s%s "
			    "alone, 0x%" PRIx64,
			    cause->lane, wt_cause_does(cause), cause->address,
			    wt_explain_argument_word(argument), argument->label, argument->value);
}

/* The argument of 32 bits that an address leads on from; NULL if it is not one alone. */
static const struct wt_explain_argument *find_number_argument(const struct wt_cause *cause)
{
	const struct wt_explain_argument *found = NULL;

	for (size_t i = 0; i < cause->arguments.part_count; i++) {
		const struct wt_explain_argument *argument = &cause->arguments.parts[i];

		if (argument->hidden || argument->size != sizeof(uint32_t) || !argument->known ||
		    !wt_cause_has_words(cause->analysis.address_arguments, argument) ||
		    !wt_cause_points_on(cause, 0, argument))
			continue;
		if (found)
			return NULL;
		found = argument;
	}
	return found;
}

/* Are the addresses of all lanes that failed what 32 bits can be, and a little more: with a sign, or without? */
static bool all_failed_by_number(const struct wt_cause_naming *naming)
{
	return wt_cause_all_failed(naming, 0, UINT64_C(1) << 33) ||
	       wt_cause_all_failed(naming, UINT64_MAX << 32, UINT64_MAX);
}

/* A number that is no pointer was used as one, and is the lower half of where one buffer begins. */
static struct wt_error *pointer_name_number(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_host *host = wt_mappings_host(naming->mappings, naming->dispatch->process);
	const struct wt_explain_argument *argument = find_number_argument(cause);
	const struct wt_host_allocation *found = NULL;

	if (!host || !argument || !cause->analysis.whole || has_pointer_argument(cause) ||
	    (uint32_t)argument->value < WT_CAUSE_LOWEST_ADDRESS || !all_failed_by_number(naming))
		return NULL;
	for (size_t i = 0; i < host->allocations_count; i++) {
		const struct wt_host_allocation *is = &host->allocations[i];

		if ((uint32_t)is->address != (uint32_t)argument->value ||
		    is->address <= UINT32_MAX || is->kind == WT_ALLOCATION_RESERVED)
			continue;
		if (found && found->address != is->address)
			return NULL;
		found = is;
	}
	if (!found)
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_TRUNCATED,
			    "truncated pointer: lane %u %s 0x%" PRIx64
			    ", which was made from the 32 bits of the kernel %s%s alone, 0x%" PRIx32
			    ": the lower ones of 0x%" PRIx64 ", where a buffer begins",
			    cause->lane, wt_cause_does(cause), cause->address,
			    wt_explain_argument_word(argument), argument->label,
			    (uint32_t)argument->value, found->address);
}

/* ---- Freed ---- */

/* Memory that the program itself has given back, where nobody has got other memory since. */
static struct wt_error *name_freed(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	struct wt_memory_owner memory;
	struct pointer pointer;
	uint64_t start, end;

	if (!naming->failed || !pointer_find(naming, &pointer) || !pointer.value)
		return NULL;
	memory = wt_memory_whose(naming->mappings, naming->dispatch->process, pointer.value,
				 pointer.value);
	if (memory.kind != WT_MEMORY_FREED || memory.by_host_address)
		return NULL;
	start = memory.allocation->address;
	end = start + memory.allocation->size;
	/* Memory that is freed may stay mapped: then the access fails behind it, at the end of a larger mapping, or before it. */
	if (pointer.argument && (wt_cause_all_failed(naming, end, end + FREED_BEYOND) ||
				 wt_cause_all_failed(naming, start - FREED_BEYOND, start)))
		return wt_cause_say(
			cause, WT_CAUSE_UNMAPPED,
			"freed: %s is 0x%" PRIx64
			", in a buffer that the program has freed, and lane %u %s what is "
			"%" PRIu64 " bytes %s it",
			pointer.text, pointer.value, cause->lane, wt_cause_does(cause),
			cause->address < start ? start - cause->address : cause->address - end,
			cause->address < start ? "before" : "behind");
	if (!wt_cause_all_failed(naming, start, end))
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_UNMAPPED,
			    "freed: %s is 0x%" PRIx64 ", in %s that the program has %s",
			    pointer.text, pointer.value,
			    memory.allocation->kind == WT_ALLOCATION_PINNED ? "memory" : "a buffer",
			    memory.allocation->kind == WT_ALLOCATION_PINNED   ? "unpinned"
			    : memory.allocation->kind == WT_ALLOCATION_MAPPED ? "unmapped"
									      : "freed");
}

/* ---- Unmapped in between ---- */

/* The latest earlier moment at which a page was mapped; UINT32_MAX if there is none. */
static struct wt_error *find_mapped(const struct wt_cause_naming *naming, uint64_t address,
				    uint32_t *moment_ret)
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

static struct wt_error *pointer_name_unmapped(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	struct pointer pointer;
	struct wt_error *error = name_freed(naming);
	uint64_t end;

	if (error || cause->sentence || !pointer_find(naming, &pointer) || !pointer.value ||
	    wt_cause_page(naming->view, naming->dispatch->process, cause->address, &end) != -1 ||
	    wt_cause_page(naming->view, naming->dispatch->process, pointer.value, &end) != -1)
		return error;
	error = find_mapped(naming, pointer.value, &cause->unmapped_since);
	if (error || cause->unmapped_since == UINT32_MAX)
		return error;
	return wt_cause_say(cause, WT_CAUSE_UNMAPPED,
			    "freed or unmapped: %s points to 0x%" PRIx64
			    ", which was mapped at an earlier stop and is not any more",
			    pointer.text, pointer.value);
}

/* ---- No memory, or not the GPU's ---- */

/* Is it known that there is no memory at an address? */
static bool is_nothing(const struct wt_cause_naming *naming, uint64_t address)
{
	uint64_t process = naming->dispatch->process, end;
	int page = wt_cause_page(naming->view, process, address, &end);
	enum wt_mapping_kind kind = wt_mapping_at(naming->mappings, process, address).kind;

	/* That memory is only reserved counts where no other access can have failed, or the GPU's driver says so. */
	if (kind == WT_MAPPING_RESERVED || wt_cause_is_reserved(naming->view, process, address))
		return naming->cause->analysis.eliminated ||
		       wt_mappings_device_named(naming->mappings, process, address);
	return page < 0 || (!page && kind == WT_MAPPING_NONE);
}

static struct wt_error *pointer_name_no_memory(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	struct pointer pointer;

	/* Memory between the two would be what the pointer is to lead to. */
	if (!naming->failed || !pointer_find(naming, &pointer) || !pointer.value ||
	    !is_nothing(naming, pointer.value) || !is_nothing(naming, cause->address) ||
	    cause->address < pointer.value ||
	    (cause->near.mapped_before && cause->near.before_end > pointer.value))
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_NO_MEMORY,
			    "no memory: %s is 0x%" PRIx64 ", where no memory is", pointer.text,
			    pointer.value);
}

/*
 * Said where no other access can have failed, or where the runtime was not told of that memory: the driver may know of the program's
 * own.
 */
static struct wt_error *pointer_name_host(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	struct wt_mapping mapping =
		wt_mapping_at(naming->mappings, naming->dispatch->process, cause->address);
	struct wt_span unused = {0, UINT64_MAX};
	struct pointer pointer;

	if ((!cause->analysis.eliminated &&
	     wt_memory_access(naming->mappings, naming->dispatch->process, cause->address,
			      &unused) != WT_MEMORY_CLOSED) ||
	    mapping.kind != WT_MAPPING_HOST || !pointer_find(naming, &pointer) ||
	    pointer.value < mapping.start || pointer.value >= mapping.end)
		return NULL;
	return wt_cause_say(cause, WT_CAUSE_HOST_MEMORY,
			    "memory of the host: %s is 0x%" PRIx64 ", in %s%sthe program's own "
			    "memory from 0x%" PRIx64 " to 0x%" PRIx64
			    ", which the GPU has no access to",
			    pointer.text, pointer.value, mapping.name, *mapping.name ? ", " : "",
			    mapping.start, mapping.end);
}

/* The argument, or the part of one, that was jumped to by its value; NULL if that is none, or more than one. */
static const struct wt_explain_argument *find_argument_of_value(const struct wt_cause *cause,
								uint64_t value)
{
	const struct wt_explain_argument *found = NULL;

	for (size_t i = 0; i < cause->arguments.part_count; i++) {
		const struct wt_explain_argument *argument = &cause->arguments.parts[i];

		if (argument->size != sizeof(value) || argument->value != value ||
		    argument->hidden ||
		    !wt_cause_has_words(cause->analysis.address_arguments, argument))
			continue;
		if (found)
			return NULL;
		found = argument;
	}
	return found;
}

/*
 * The host's function that an address lies in, by its symbol, as far as waves stood in it: those were named when they were recorded. NULL if
 * it is not known.
 */
static const char *target_function(const struct wt_host *host, uint64_t address,
				   uint64_t *offset_ret)
{
	for (size_t i = 0; host && i < host->stacks_count; i++) {
		const struct wt_host_stack *stack = &host->stacks[i];
		/* In front of the last are functions that were compiled into it. */
		const struct wt_host_frame *frame =
			stack->frame_count ? &stack->frames[stack->frame_count - 1] : NULL;

		/* No other symbol is between a place and the symbol that it was named by. */
		if (frame && *frame->symbol && address <= frame->address &&
		    frame->address - address <= frame->symbol_offset) {
			*offset_ret = frame->symbol_offset - (frame->address - address);
			return frame->symbol;
		}
	}
	return NULL;
}

/* Whose an address is that is no code of the GPU: "", or in words. */
static void describe_target(const struct wt_cause_naming *naming, uint64_t address,
			    char text_ret[TARGET_TEXT])
{
	const struct wt_mapping mapping =
		wt_mapping_at(naming->mappings, naming->dispatch->process, address);
	const char *function;
	char inside[24] = "";
	uint64_t offset;

	text_ret[0] = '\0';
	function = target_function(wt_mappings_host(naming->mappings, naming->dispatch->process),
				   address, &offset);
	if (function && offset)
		snprintf(inside, sizeof(inside), " + %" PRIu64, offset);
	if (function && strlen(function) <= FUNCTION_MOST && mapping.kind == WT_MAPPING_HOST &&
	    *mapping.name)
		snprintf(text_ret, TARGET_TEXT, ": that is the host's function %s%s in %.255s",
			 function, inside, wt_text_file_name(mapping.name));
	else if (mapping.kind == WT_MAPPING_HOST && mapping.executable)
		snprintf(text_ret, TARGET_TEXT, ": that is code of the host, %.100s+0x%" PRIx64,
			 *mapping.name ? wt_text_file_name(mapping.name) : "memory without a name",
			 address - mapping.start + mapping.offset);
	else if (mapping.kind == WT_MAPPING_HOST)
		snprintf(text_ret, TARGET_TEXT, ": that is memory of the host");
}

/* Is all that is between a load and the jump a copy of what was loaded? */
static bool jump_copies(const struct wt_cause *cause, size_t from)
{
	for (size_t i = 1; i < from; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		const char *name = gfx_computes(step->instruction.operation);

		if (step->part && !step->indirect && step->writes &&
		    !(step->loads ? step->private_memory
				  : strstr(name, "_mov") || strstr(name, "lane_b32")))
			return false;
	}
	return true;
}

/*
 * The load of the pointer that a wave jumped to, as the step's position; 0 if there is none. Memory that was not recorded has the one value that led
 * there, if nothing else that is not known has.
 */
static size_t jump_find_loaded(const struct wt_cause_naming *naming, uint64_t target,
			       struct pointer *pointer)
{
	const struct wt_cause *cause = naming->cause;
	size_t from = 0, count = 0;

	for (size_t i = 1; i < cause->analysis.count && !from; i++)
		if (loads_pointer(cause, i, true))
			from = i;
	if (from) {
		describe_loaded(naming, from, pointer);
		return from;
	}
	for (size_t i = 1; i < cause->analysis.count && cause->analysis.whole; i++)
		if (loads_pointer(cause, i, false)) {
			from = i;
			count++;
		}
	if (count != 1 || !jump_copies(cause, from))
		return 0;
	describe_loaded(naming, from, pointer);
	pointer->value = target;
	return from;
}

/* Has a load one address, whichever of the lanes the wave jumped for? */
static bool load_is_of_all_lanes(const struct wt_cause *cause, size_t at)
{
	const struct wt_analysis_step *step = &cause->analysis.steps[at];
	const struct gfx_access *access = &step->access;
	uint64_t left = access->lanes;

	if (access->scalar)
		return true;
	while (left && step->address_known >> __builtin_ctzll(left) & 1 &&
	       access->addresses[__builtin_ctzll(left)] == access->addresses[cause->lane])
		left &= left - 1;
	return !left;
}

static struct wt_error *pointer_name_jump(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument;
	uint64_t target = cause->analysis.end_pc;
	struct pointer pointer = {.argument = NULL};
	char whose[TARGET_TEXT], where[WT_CAUSE_LINE], went[64] = "", index[WT_CAUSE_INDEX] = "";
	size_t from = jump_find_loaded(naming, target, &pointer);

	if (from && cause->analysis.jump_is_kept && !load_is_of_all_lanes(cause, from))
		from = 0;
	/* The pointer counts only if the wave jumped to it. */
	argument = from && pointer.value == target ? NULL : find_argument_of_value(cause, target);
	if (argument)
		snprintf(pointer.text, sizeof(pointer.text), "the kernel argument %s",
			 argument->label);
	else if (pointer.value != target || !from)
		pointer.text[0] = '\0';
	else if (pointer.loaded_through || cause->steps[from].global)
		wt_cause_index_source(cause, from, index);
	describe_target(naming, target, whose);
	if (target != cause->wave.pc)
		snprintf(went, sizeof(went), "; it went on there up to 0x%" PRIx64, cause->wave.pc);
	return wt_cause_say(cause, WT_CAUSE_NO_CODE,
			    "no code: the wave jumped%s to 0x%" PRIx64
			    ", where no code is%s%s%s%s%s",
			    wt_cause_line(" at ", &cause->steps[0].code, where), target, whose,
			    !*pointer.text ? ""
			    : *whose	   ? "; it is "
					   : ": that is ",
			    pointer.text, index, went);
}

struct wt_error *wt_cause_name_pointer(struct wt_cause_naming *naming)
{
	/* The first that is certain, so the order matters. */
	static struct wt_error *(*const causes[])(struct wt_cause_naming *) = {
		pointer_name_uninitialised, pointer_name_exchanged,  pointer_name_null,
		pointer_name_made_null,	    pointer_name_no_address, pointer_name_unmapped,
		pointer_name_host,	    pointer_name_no_memory,  pointer_name_truncated,
		pointer_name_number,
	};
	struct wt_error *error = NULL;

	if (naming->cause->jumped)
		return pointer_name_jump(naming);
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]) && !error; i++)
		if (!naming->cause->sentence)
			error = causes[i](naming);
	return error;
}
