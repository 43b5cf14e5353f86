/* SPDX-License-Identifier: MIT */
/* Waves: which exist on both sides, how they stopped and where, and the memory that belongs to them. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "replayer/diff/internal.h"
#include "replayer/view/explain-arguments.h"

/* Answers about a wave that are compared. */
struct facts {
	bool stopped;
	uint64_t reasons, pc;
	bool has_entry;
	uint64_t entry; /* of its kernel */
};

/* Which objects of one state are those of the other, whatever their handles. */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Handles count up as objects are created. */
static bool find_handles(const struct wt_view *view, enum wt_object object,
			 struct wt_diff_handles *handles_ret)
{
	const uint64_t *listed;
	size_t count = wt_view_objects(view, object, &listed);

	handles_ret->sorted = calloc(count + 1, sizeof(*handles_ret->sorted));
	if (!handles_ret->sorted)
		return false;
	if (count)
		memcpy(handles_ret->sorted, listed, count * sizeof(*listed));
	handles_ret->count = count;
	qsort(handles_ret->sorted, count, sizeof(*listed), wt_compare_u64);
	return true;
}

uint32_t wt_diff_rank(const struct wt_diff_handles *handles, uint64_t handle)
{
	const uint64_t *found = bsearch(&handle, handles->sorted, handles->count,
					sizeof(*handles->sorted), wt_compare_u64);

	return found ? (uint32_t)(found - handles->sorted) + 1 : 0;
}

/* ---- Waves ---- */

/* Compares two numbers that may not be known; two unknown ones are equal. */
static int compare_known(bool known_a, bool known_b, uint64_t a, uint64_t b)
{
	if (known_a != known_b)
		return known_a ? 1 : -1;
	return known_a ? compare_numbers(a, b) : 0;
}

static int compare_dispatches(const struct wt_diff_place *a, const struct wt_diff_place *b)
{
	int order = compare_numbers(a->agent, b->agent);

	if (!order)
		order = compare_numbers(a->queue, b->queue);
	return order ? order : compare_known(a->has_packet, b->has_packet, a->packet, b->packet);
}

/* Everything but the number in the workgroup. */
static int place_groups_compare(const struct wt_diff_place *a, const struct wt_diff_place *b)
{
	int order = compare_dispatches(a, b);

	for (int i = 2; !order && i >= 0; i--)
		order = compare_known(a->has_workgroup, b->has_workgroup, a->workgroup[i],
				      b->workgroup[i]);
	return order;
}

int wt_diff_place_compare(const struct wt_diff_place *a, const struct wt_diff_place *b)
{
	int order = place_groups_compare(a, b);

	return order ? order : compare_numbers(a->number_in_group, b->number_in_group);
}

static bool diff_same_dispatch(const struct wt_diff_place *a, const struct wt_diff_place *b)
{
	return !compare_dispatches(a, b);
}

/* Are two waves of the same dispatch? And in the same workgroup of it? */
static bool diff_same_group(const struct wt_diff_place *a, const struct wt_diff_place *b)
{
	return a->has_workgroup && !place_groups_compare(a, b);
}

/* Two waves of one place cannot be told apart by it; their handles give an order at least. */
static int known_waves_compare(const void *a, const void *b)
{
	const struct wt_diff_known_wave *x = a, *y = b;
	int order = wt_diff_place_compare(&x->place, &y->place);

	return order ? order : compare_numbers(x->handle, y->handle);
}

static struct wt_diff_place wave_diff_place(const struct wt_diff_half *half, uint64_t wave)
{
	const struct wt_view *view = half->view;
	uint64_t dispatch =
		wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);
	struct wt_diff_place place = {
		.agent = wt_diff_rank(&half->agents,
				      wt_view_number_or(view, WT_OBJECT_WAVE, wave,
							AMD_DBGAPI_WAVE_INFO_AGENT, 0)),
		.queue = wt_diff_rank(&half->queues,
				      wt_view_number_or(view, WT_OBJECT_WAVE, wave,
							AMD_DBGAPI_WAVE_INFO_QUEUE, 0)),
	};

	place.has_packet =
		wt_view_number(view, WT_OBJECT_DISPATCH, dispatch,
			       AMD_DBGAPI_DISPATCH_INFO_OS_QUEUE_PACKET_ID, &place.packet);
	place.has_workgroup =
		wt_view_array(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD,
			      place.workgroup, 3);
	place.number_in_group = (uint32_t)wt_view_number_or(
		view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP, 0);
	return place;
}

static bool find_waves(struct wt_diff_half *half)
{
	const uint64_t *listed;
	size_t count = wt_view_objects(half->view, WT_OBJECT_WAVE, &listed);

	half->waves = calloc(count + 1, sizeof(*half->waves));
	if (!half->waves)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!wt_view_exists(half->view, WT_OBJECT_WAVE, listed[i])) {
			half->unknown_waves++;
			continue;
		}
		half->waves[half->wave_count++] =
			(struct wt_diff_known_wave){wave_diff_place(half, listed[i]), listed[i]};
	}
	qsort(half->waves, half->wave_count, sizeof(*half->waves), known_waves_compare);
	return true;
}

const struct wt_diff_place *wt_diff_find_place(const struct wt_diff_half *half, uint64_t wave)
{
	for (size_t i = 0; i < half->wave_count; i++)
		if (half->waves[i].handle == wave)
			return &half->waves[i].place;
	return NULL;
}

/* ---- Halves ---- */

struct wt_error *wt_diff_half_init(struct wt_diff_half *half)
{
	if (!find_handles(half->view, WT_OBJECT_AGENT, &half->agents) ||
	    !find_handles(half->view, WT_OBJECT_QUEUE, &half->queues) || !find_waves(half))
		return &wt_error_no_memory;
	return NULL;
}

void wt_diff_half_deinit(struct wt_diff_half *half)
{
	wt_explainer_destroy(half->explainer);
	wt_view_close(half->view);
	free(half->agents.sorted);
	free(half->queues.sorted);
	free(half->waves);
	free(half->codes);
	*half = (struct wt_diff_half){0};
}

/* The half's explainer, made at the first call. */
static struct wt_error *diff_explainer(struct wt_diff_half *half,
				       struct wt_explainer **explainer_ret)
{
	struct wt_error *error =
		half->explainer ? NULL : wt_explainer_create(half->view, &half->explainer);

	if (!error)
		*explainer_ret = half->explainer;
	return error;
}

static struct facts facts_of(const struct wt_view *view, uint64_t wave)
{
	uint64_t dispatch =
		wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);
	struct facts facts = {0};

	facts.stopped =
		wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
			       &facts.reasons) &&
		wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PC, &facts.pc);
	facts.has_entry =
		wt_view_number(view, WT_OBJECT_DISPATCH, dispatch,
			       AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS, &facts.entry);
	return facts;
}

/* A pair of waves as its differences show it: explained once, and only if something differs. */
struct shown {
	struct wt_diff_wave wave;
	struct wt_explain_wave explanation[WT_DIFF_SIDES];
	bool explained;
};

static void shown_deinit(struct shown *shown)
{
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		wt_explain_wave_deinit(&shown->explanation[side]);
}

static struct wt_error *shown_wave_explain(struct wt_diff_pair *pair, struct shown *shown)
{
	struct wt_error *error = NULL;

	if (shown->explained)
		return NULL;
	for (int side = 0; !error && side < WT_DIFF_SIDES; side++) {
		struct wt_explainer *explainer;

		if (!shown->wave.handle[side])
			continue;
		error = diff_explainer(&pair->half[side], &explainer);
		if (!error)
			error = wt_explain_wave(explainer, shown->wave.handle[side],
						&shown->explanation[side]);
	}
	shown->explained = !error;
	return error;
}

static struct wt_error *wave_diff_report(struct wt_diff_pair *pair, struct shown *shown,
					 enum wt_diff_what what,
					 const uint64_t numbers[WT_DIFF_SIDES])
{
	struct wt_diff diff = {.kind = WT_DIFF_WAVE, .what = what, .wave = &shown->wave};
	struct wt_error *error = shown_wave_explain(pair, shown);

	for (int side = 0; side < WT_DIFF_SIDES; side++)
		diff.value[side] = (struct wt_diff_value){
			.present = shown->wave.handle[side] != 0,
			.number = numbers[side],
			.text = shown->explanation[side].kernel,
			.code = &shown->explanation[side].code,
		};
	return error ? error : wt_diff_report(pair, &diff);
}

/* The name of the wave's kernel, which is looked up once for each dispatch. */
static struct wt_error *shown_wave_find_kernel(struct wt_diff_pair *pair, struct shown *shown)
{
	struct wt_error *error = NULL;

	if (!pair->kernel.known || !diff_same_dispatch(&pair->kernel.place, &shown->wave.place)) {
		error = shown_wave_explain(pair, shown);
		pair->kernel.known = !error;
		pair->kernel.place = shown->wave.place;
		pair->kernel.name = shown->explanation[WT_DIFF_A].kernel
					    ? shown->explanation[WT_DIFF_A].kernel
					    : shown->explanation[WT_DIFF_B].kernel;
	}
	shown->wave.kernel = pair->kernel.name;
	return error;
}

/* ---- The arguments of a dispatch ---- */

#define SEGMENT_MAX 4096 /* bytes of arguments that are compared */

/* A dispatch that both sides have. */
struct dispatch_pair {
	const struct wt_diff_wave *wave; /* any of it */
	struct wt_explain_arguments arguments[WT_DIFF_SIDES];
	uint8_t bytes[WT_DIFF_SIDES][SEGMENT_MAX];
	size_t size[WT_DIFF_SIDES]; /* recorded */
};

static uint64_t wave_dispatch(const struct wt_diff_half *half, uint64_t wave)
{
	return wt_view_number_or(half->view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH,
				 0);
}

/* Read what was recorded of the arguments. Is any byte another one? Most dispatches have the same. */
static bool dispatch_segments_differ(const struct wt_diff_pair *pair, struct dispatch_pair *both)
{
	size_t shorter = SEGMENT_MAX;

	for (int side = 0; side < WT_DIFF_SIDES; side++) {
		struct wt_view *view = pair->half[side].view;
		uint64_t address = wt_view_number_or(
			view, WT_OBJECT_DISPATCH,
			wave_dispatch(&pair->half[side], both->wave->handle[side]),
			AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS, 0);

		both->size[side] = address ? wt_view_memory(view, "global", 0, 0, address,
							    both->bytes[side], SEGMENT_MAX)
					   : 0;
		shorter = both->size[side] < shorter ? both->size[side] : shorter;
	}
	return memcmp(both->bytes[WT_DIFF_A], both->bytes[WT_DIFF_B], shorter) != 0;
}

static bool told_is(const struct wt_diff_told *told, const struct dispatch_pair *both,
		    const struct wt_explain_argument *argument)
{
	return diff_same_dispatch(&told->place, &both->wave->place) &&
	       told->offset == argument->offset && told->size == argument->size &&
	       !memcmp(told->bytes, both->bytes[WT_DIFF_A] + told->offset, told->size) &&
	       !memcmp(told->bytes + told->size, both->bytes[WT_DIFF_B] + told->offset, told->size);
}

/** Note that an argument is told. @new_ret: it was not before, with these values. */
static struct wt_error *argument_note(struct wt_diff_arguments *arguments,
				      const struct dispatch_pair *both,
				      const struct wt_explain_argument *argument, bool *new_ret)
{
	const uint64_t a = both->arguments[WT_DIFF_A].address;
	struct wt_diff_told *list, *told;

	*new_ret = false;
	for (size_t i = 0; i < arguments->count; i++)
		if (told_is(&arguments->told[i], both, argument))
			return NULL;
	list = reallocarray(arguments->told, arguments->count + 1, sizeof(*list));
	if (!list)
		return &wt_error_no_memory;
	arguments->told = list;
	told = &list[arguments->count];
	*told = (struct wt_diff_told){
		.place = both->wave->place,
		.address = a == both->arguments[WT_DIFF_B].address ? a : 0,
		.offset = argument->offset,
		.size = argument->size,
		.bytes = malloc(2 * (size_t)argument->size),
	};
	if (!told->bytes)
		return &wt_error_no_memory;
	memcpy(told->bytes, both->bytes[WT_DIFF_A] + told->offset, told->size);
	memcpy(told->bytes + told->size, both->bytes[WT_DIFF_B] + told->offset, told->size);
	arguments->count++;
	*new_ret = true;
	return NULL;
}

static struct wt_error *argument_compare(struct wt_diff_pair *pair,
					 const struct dispatch_pair *both, size_t number)
{
	const struct wt_explain_argument *parts[] = {&both->arguments[WT_DIFF_A].parts[number],
						     &both->arguments[WT_DIFF_B].parts[number]};
	const struct wt_explain_argument *a = parts[WT_DIFF_A];
	struct wt_diff diff = {.kind = WT_DIFF_ARGUMENT,
			       .what = WT_DIFF_BYTES,
			       .dispatch = both->wave,
			       .name = a->label,
			       .position = a->argument + 1};
	struct wt_error *error;
	bool is_new;

	for (int side = 0; side < WT_DIFF_SIDES; side++) {
		/* The compiler's own have no name in the source: they are memory. */
		if (parts[side]->hidden || !a->size || parts[side]->offset != a->offset ||
		    parts[side]->size != a->size || strcmp(parts[side]->label, a->label) ||
		    a->offset > both->size[side] || a->size > both->size[side] - a->offset)
			return NULL;
		diff.value[side] = (struct wt_diff_value){.present = true,
							  .text = parts[side]->text,
							  .data = both->bytes[side] + a->offset,
							  .size = a->size};
	}
	if (!memcmp(diff.value[WT_DIFF_A].data, diff.value[WT_DIFF_B].data, a->size))
		return NULL;
	/* Two texts of one type, or the bytes of both; they may be alike where bytes are left over. */
	if (!diff.value[WT_DIFF_A].text || !diff.value[WT_DIFF_B].text ||
	    !strcmp(diff.value[WT_DIFF_A].text, diff.value[WT_DIFF_B].text))
		diff.value[WT_DIFF_A].text = diff.value[WT_DIFF_B].text = NULL;
	error = argument_note(pair->arguments, both, a, &is_new);
	return error || !is_new ? error : wt_diff_report(pair, &diff);
}

static struct wt_error *dispatch_explain(struct wt_diff_pair *pair, struct dispatch_pair *both)
{
	struct wt_error *error = NULL;

	for (int side = 0; !error && side < WT_DIFF_SIDES; side++) {
		struct wt_explainer *explainer;

		error = diff_explainer(&pair->half[side], &explainer);
		if (!error)
			error = wt_explain_arguments(
				explainer,
				wave_dispatch(&pair->half[side], both->wave->handle[side]),
				&both->arguments[side]);
	}
	return error;
}

/* Compare the arguments of a wave's dispatch, at its first wave. */
static struct wt_error *dispatch_compare(struct wt_diff_pair *pair, const struct wt_diff_wave *wave)
{
	struct wt_error *error = NULL;
	struct dispatch_pair *both;

	if (pair->compared.known && diff_same_dispatch(&pair->compared.place, &wave->place))
		return NULL;
	pair->compared.known = true;
	pair->compared.place = wave->place;
	both = calloc(1, sizeof(*both));
	if (!both)
		return &wt_error_no_memory;
	both->wave = wave;
	if (dispatch_segments_differ(pair, both)) {
		error = dispatch_explain(pair, both);
		for (size_t i = 0; !error &&
				   both->arguments[WT_DIFF_A].part_count ==
					   both->arguments[WT_DIFF_B].part_count &&
				   i < both->arguments[WT_DIFF_A].part_count;
		     i++)
			error = argument_compare(pair, both, i);
	}
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		wt_explain_arguments_deinit(&both->arguments[side]);
	free(both);
	return error;
}

/* ---- Registers, by name: their numbers differ between libraries and architectures ---- */

/*
 * The register of that name on side B. Both sides list registers in the order of their architecture, so that the one
 * behind the last that was found is tried first.
 */
static bool named_register_find(struct wt_diff_pair *pair, const struct wt_diff_wave *wave,
				const char *name, size_t *next,
				struct wt_view_register *register_ret)
{
	struct wt_view *view = pair->half[WT_DIFF_B].view;
	uint64_t handle = wave->handle[WT_DIFF_B];

	if (wt_view_register_at(view, handle, *next, register_ret) &&
	    !strcmp(register_ret->name, name)) {
		++*next;
		return register_ret->value != NULL;
	}
	return wt_view_register(view, handle, name, register_ret);
}

static struct wt_error *register_pair_compare(struct wt_diff_pair *pair,
					      const struct wt_diff_wave *wave,
					      const struct wt_view_register reg[WT_DIFF_SIDES])
{
	struct wt_diff diff = {
		.kind = WT_DIFF_REGISTER,
		.what = WT_DIFF_BYTES,
		.wave = wave,
		.name = reg[WT_DIFF_A].name,
		.vector = reg[WT_DIFF_A].vector && reg[WT_DIFF_B].vector,
	};

	pair->counts.registers++;
	if (reg[WT_DIFF_A].size == reg[WT_DIFF_B].size &&
	    !memcmp(reg[WT_DIFF_A].value, reg[WT_DIFF_B].value, reg[WT_DIFF_A].size))
		return NULL;
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		diff.value[side] = (struct wt_diff_value){
			.present = true, .data = reg[side].value, .size = reg[side].size};
	return wt_diff_report(pair, &diff);
}

static struct wt_error *registers_compare(struct wt_diff_pair *pair,
					  const struct wt_diff_wave *wave)
{
	size_t counts[WT_DIFF_SIDES], next = 0, both = 0;
	struct wt_error *error = NULL;

	for (int side = 0; side < WT_DIFF_SIDES; side++)
		counts[side] = wt_view_register_count(pair->half[side].view, wave->handle[side]);
	for (size_t i = 0; !error && i < counts[WT_DIFF_A]; i++) {
		struct wt_view_register reg[WT_DIFF_SIDES];

		if (!wt_view_register_at(pair->half[WT_DIFF_A].view, wave->handle[WT_DIFF_A], i,
					 &reg[WT_DIFF_A]) ||
		    !reg[WT_DIFF_A].value ||
		    !named_register_find(pair, wave, reg[WT_DIFF_A].name, &next, &reg[WT_DIFF_B]))
			continue;
		both++;
		error = register_pair_compare(pair, wave, reg);
	}
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		pair->counts.only_registers[side] += counts[side] - both;
	return error;
}

/* ---- A wave that both have ---- */

static struct wt_error *compare_kernels(struct wt_diff_pair *pair, struct shown *shown,
					const struct facts facts[WT_DIFF_SIDES])
{
	const uint64_t entries[] = {facts[WT_DIFF_A].entry, facts[WT_DIFF_B].entry};

	if (!facts[WT_DIFF_A].has_entry || !facts[WT_DIFF_B].has_entry ||
	    wt_diff_same_code(pair, entries))
		return NULL;
	return wave_diff_report(pair, shown, WT_DIFF_KERNEL, entries);
}

static struct wt_error *wave_stops_compare(struct wt_diff_pair *pair, struct shown *shown,
					   const struct facts facts[WT_DIFF_SIDES])
{
	const uint64_t states[] = {facts[WT_DIFF_A].stopped ? WT_DIFF_STOPPED : WT_DIFF_RUNNING,
				   facts[WT_DIFF_B].stopped ? WT_DIFF_STOPPED : WT_DIFF_RUNNING};
	const uint64_t reasons[] = {facts[WT_DIFF_A].reasons, facts[WT_DIFF_B].reasons};
	const uint64_t positions[] = {facts[WT_DIFF_A].pc, facts[WT_DIFF_B].pc};
	struct wt_error *error = NULL;

	if (states[WT_DIFF_A] != states[WT_DIFF_B])
		return wave_diff_report(pair, shown, WT_DIFF_STATE, states);
	if (!facts[WT_DIFF_A].stopped)
		return NULL;
	if (reasons[WT_DIFF_A] != reasons[WT_DIFF_B])
		error = wave_diff_report(pair, shown, WT_DIFF_REASONS, reasons);
	if (!error && !wt_diff_same_code(pair, positions))
		error = wave_diff_report(pair, shown, WT_DIFF_POSITION, positions);
	return error;
}

static struct wt_error *compare_contents(struct wt_diff_pair *pair, struct shown *shown)
{
	struct wt_diff diff = {.wave = &shown->wave};
	struct wt_error *error = registers_compare(pair, &shown->wave);

	return error ? error : wt_diff_memory(pair, "private_wave", shown->wave.handle, &diff);
}

static struct wt_error *compare_wave(struct wt_diff_pair *pair,
				     const struct wt_diff_known_wave *const waves[WT_DIFF_SIDES])
{
	struct shown shown = {.wave = {.place = waves[WT_DIFF_A]->place}};
	struct facts facts[WT_DIFF_SIDES];
	struct wt_error *error;

	for (int side = 0; side < WT_DIFF_SIDES; side++) {
		shown.wave.handle[side] = waves[side]->handle;
		facts[side] = facts_of(pair->half[side].view, waves[side]->handle);
	}
	pair->counts.waves++;
	error = shown_wave_find_kernel(pair, &shown);
	if (!error)
		error = compare_kernels(pair, &shown, facts);
	if (!error)
		error = dispatch_compare(pair, &shown.wave);
	if (!error)
		error = wave_stops_compare(pair, &shown, facts);
	if (!error)
		error = compare_contents(pair, &shown);
	shown_deinit(&shown);
	return error;
}

/* ---- Local memory, once for each workgroup ---- */

static struct wt_error *compare_group(struct wt_diff_pair *pair,
				      const struct wt_diff_known_wave *const waves[WT_DIFF_SIDES])
{
	struct wt_diff_wave group = {.place = waves[WT_DIFF_A]->place, .kernel = pair->kernel.name};
	struct wt_diff diff = {.group = &group};
	uint64_t owners[WT_DIFF_SIDES];

	for (int side = 0; side < WT_DIFF_SIDES; side++) {
		group.handle[side] = waves[side]->handle;
		if (!wt_view_number(pair->half[side].view, WT_OBJECT_WAVE, waves[side]->handle,
				    AMD_DBGAPI_WAVE_INFO_WORKGROUP, &owners[side]) ||
		    !owners[side])
			return NULL;
	}
	return wt_diff_memory(pair, "local", owners, &diff);
}

/* ---- All of them ---- */

static struct wt_error *single_wave_report(struct wt_diff_pair *pair, enum wt_diff_side side,
					   const struct wt_diff_known_wave *wave)
{
	static const uint64_t no_numbers[WT_DIFF_SIDES];
	struct shown shown = {.wave = {.place = wave->place}};
	struct wt_error *error;

	/* A wave of which the other side knows no more than a handle may be this one. */
	if (pair->half[wt_diff_other(side)].unknown_waves)
		return NULL;
	shown.wave.handle[side] = wave->handle;
	error = shown_wave_find_kernel(pair, &shown);
	if (!error)
		error = wave_diff_report(pair, &shown, WT_DIFF_EXISTENCE, no_numbers);
	shown_deinit(&shown);
	return error;
}

static struct wt_error *compare_pair(struct wt_diff_pair *pair,
				     const struct wt_diff_known_wave *const waves[WT_DIFF_SIDES],
				     const struct wt_diff_known_wave **last_group)
{
	struct wt_error *error = compare_wave(pair, waves);

	if (!error &&
	    (!*last_group || !diff_same_group(&(*last_group)->place, &waves[WT_DIFF_A]->place)))
		error = compare_group(pair, waves);
	*last_group = waves[WT_DIFF_A];
	return error;
}

struct wt_error *wt_diff_waves(struct wt_diff_pair *pair)
{
	const struct wt_diff_half *a = &pair->half[WT_DIFF_A], *b = &pair->half[WT_DIFF_B];
	const struct wt_diff_known_wave *last_group = NULL;
	struct wt_error *error = NULL;
	size_t i = 0, j = 0;

	pair->counts.unknown_waves[WT_DIFF_A] += a->unknown_waves;
	pair->counts.unknown_waves[WT_DIFF_B] += b->unknown_waves;
	while (!error && (i < a->wave_count || j < b->wave_count)) {
		int order = i == a->wave_count ? 1
			    : j == b->wave_count
				    ? -1
				    : wt_diff_place_compare(&a->waves[i].place, &b->waves[j].place);

		if (!order)
			error = compare_pair(pair,
					     (const struct wt_diff_known_wave *const[]){
						     &a->waves[i], &b->waves[j]},
					     &last_group);
		else
			error = single_wave_report(pair, order < 0 ? WT_DIFF_A : WT_DIFF_B,
						   order < 0 ? &a->waves[i] : &b->waves[j]);
		i += order <= 0;
		j += order >= 0;
	}
	return error;
}
