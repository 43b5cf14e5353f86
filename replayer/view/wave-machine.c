/* SPDX-License-Identifier: MIT */
#include "replayer/view/wave-machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/architecture/private.h"
#include "base/cleanup.h"
#include "replayer/dwarf/code-effects.h"
#include "replayer/recorded/table-names.h"
#include "replayer/view/explain-cause.h"
#include "replayer/view/explain.h"

/* A function longer than this is not decoded. */
#define MAX_CODE (4u << 20)

/* ---- Code ---- */

/* The instructions from an address on, as far as they were asked for. */
struct run {
	uint64_t from, to;
	struct wt_dwarf_instruction *instructions;
	size_t count, capacity;
	bool ended; /* the next one cannot be decoded */
};

struct wt_code_cache {
	struct run *runs;
	size_t count;
};

struct wt_code_cache *wt_code_cache_create(void)
{
	return calloc(1, sizeof(struct wt_code_cache));
}

void wt_code_cache_destroy(struct wt_code_cache *cache)
{
	if (!cache)
		return;
	for (size_t i = 0; i < cache->count; i++)
		free(cache->runs[i].instructions);
	free(cache->runs);
	free(cache);
}

static struct run *find_run(struct wt_code_cache *cache, uint64_t from)
{
	struct run *runs;

	for (size_t i = 0; i < cache->count; i++)
		if (cache->runs[i].from == from)
			return &cache->runs[i];
	runs = reallocarray(cache->runs, cache->count + 1, sizeof(*runs));
	if (!runs)
		return NULL;
	cache->runs = runs;
	runs[cache->count] = (struct run){.from = from, .to = from};
	return &runs[cache->count++];
}

static bool run_add_instruction(struct run *run, const struct wt_dwarf_instruction *instruction)
{
	if (run->count == run->capacity) {
		size_t capacity = run->capacity ? 2 * run->capacity : 64;
		void *grown = reallocarray(run->instructions, capacity, sizeof(*run->instructions));

		if (!grown)
			return false;
		run->instructions = grown;
		run->capacity = capacity;
	}
	run->instructions[run->count++] = *instruction;
	run->to += instruction->size;
	return true;
}

static size_t machine_decode(void *opaque, const struct wt_dwarf_object *object, uint64_t from,
			     uint64_t to, const struct wt_dwarf_instruction **instructions_ret)
{
	struct wt_view_machine *machine = opaque;
	const struct wt_view_code *code = (const struct wt_view_code *)object;
	struct run *run = find_run(code->cache, from);

	if (!run || !machine->architecture || to < from || to - from > MAX_CODE)
		return 0;
	while (run->to < to && !run->ended) {
		struct wt_dwarf_instruction instruction;
		uint32_t words[WT_DWARF_INSTRUCTION_WORDS];
		size_t size = wt_view_code(machine->view, run->to + code->load_address, words,
					   sizeof(words));

		run->ended =
			!wt_dwarf_decode(machine->architecture, machine->machine.lanes, run->to,
					 words, size / sizeof(words[0]), &instruction) ||
			!run_add_instruction(run, &instruction);
	}
	*instructions_ret = run->instructions;
	return wt_dwarf_instruction_from(run->instructions, run->count, to);
}

/* ---- Registers and memory ---- */

static bool machine_read_register(void *opaque, uint64_t number, uint32_t lane, uint32_t *value_ret)
{
	const struct wt_view_machine *machine = opaque;
	const uint8_t *value = NULL;
	bool accumulation;
	uint32_t index;

	if (number == WT_DWARF_EXEC_64 || number == WT_DWARF_EXEC_32) {
		*value_ret = (uint32_t)(machine->exec >> (lane ? 32 : 0));
		return machine->has_exec && lane < 2;
	}
	if (wt_dwarf_is_scalar(number, &index)) {
		value = machine->scalars[index];
	} else if (wt_dwarf_is_vector(number, &accumulation, &index)) {
		value = machine->vectors[accumulation][index];
		if (value && lane < machine->machine.lanes)
			value += 4 * lane;
		else
			value = NULL;
	}
	if (!value)
		return false;
	*value_ret = value[0] | (uint32_t)value[1] << 8 | (uint32_t)value[2] << 16 |
		     (uint32_t)value[3] << 24;
	return true;
}

static size_t wave_machine_read_memory(void *opaque, enum gfx_space space, uint32_t lane,
				       uint64_t address, void *data, size_t size)
{
	struct wt_view_machine *machine = opaque;

	return wt_view_memory(machine->view, wt_table_names_space_name(space), machine->wave, lane,
			      address, data, size);
}

static void explainer_destroyp(struct wt_explainer **explainer)
{
	wt_explainer_destroy(*explainer);
}

/* The wave's way; NULL if it is not known. */
static const struct wt_taken *machine_way(struct wt_view_machine *machine)
{
	const struct wt_cause_limits limits = WT_CAUSE_LIMITS_QUICK;

	if (!machine->has_way) {
		wt_cleanup(explainer_destroyp) struct wt_explainer *explainer = NULL;
		wt_cleanup_error struct wt_error *error = NULL;

		/* A way that cannot be found is not known. */
		machine->has_way = true;
		machine->way.end = WT_ANALYSIS_MISSED;
		error = wt_explainer_create(machine->view, &explainer);
		if (!error)
			error = wt_explain_taken(explainer, machine->wave, &limits, &machine->way);
	}
	return machine->way.end == WT_ANALYSIS_ARRIVED ? &machine->way : NULL;
}

/* Nothing is known of memory that the wave has not stored if a lane's store may have gone anywhere. */
static enum wt_dwarf_stored is_stored(void *opaque, uint32_t lane, uint64_t address)
{
	struct wt_view_machine *machine = opaque;
	const struct wt_taken *way = machine_way(machine);

	if (!way || lane >= machine->machine.lanes || address / 4 >= way->words)
		return WT_DWARF_STORED_UNKNOWN;
	if (way->stored[gfx_private_place(machine->machine.lanes, lane, address) / 4] >>
		    address % 4 &
	    1)
		return WT_DWARF_STORED;
	return way->anywhere ? WT_DWARF_STORED_UNKNOWN : WT_DWARF_NOT_STORED;
}

static bool machine_return_address(void *opaque, uint32_t call, uint64_t *address_ret)
{
	const struct wt_taken *way = machine_way(opaque);

	if (!way || call >= way->call_count)
		return false;
	/* Both instructions that call have four bytes. */
	*address_ret = way->calls[call].pc + 4;
	return true;
}

static bool machine_read_at_call(void *opaque, uint32_t number, uint64_t address,
				 uint64_t register_number, uint32_t lane, uint32_t *value_ret)
{
	const struct wt_taken *way = machine_way(opaque);
	const struct wt_taken_call *call;
	bool accumulation;
	uint32_t index;

	if (!way || number >= way->call_count || way->calls[number].pc + 4 != address)
		return false;
	call = &way->calls[number];
	if (wt_dwarf_is_scalar(register_number, &index)) {
		*value_ret = call->scalars[index];
		return call->known[index];
	}
	if (!wt_dwarf_is_vector(register_number, &accumulation, &index) ||
	    index >= call->count[accumulation] || lane >= GFX_MAX_LANES)
		return false;
	*value_ret = call->vectors[accumulation][index][lane];
	return call->lanes[accumulation][index] >> lane & 1;
}

/* ---- A wave as it was elsewhere than at the stop ---- */

static bool state_read_register(void *opaque, uint64_t number, uint32_t lane, uint32_t *value_ret)
{
	const struct wt_view_machine *machine = opaque;
	const struct wt_machine_state *state = machine->state;
	bool accumulation;
	unsigned int bits;
	const char *why;
	uint64_t value;
	uint32_t index;
	char name[16];

	if (number == WT_DWARF_EXEC_64 || number == WT_DWARF_EXEC_32) {
		*value_ret = (uint32_t)(state->exec >> (lane ? 32 : 0));
		return state->has_exec && lane < 2;
	}
	if (wt_dwarf_is_scalar(number, &index))
		snprintf(name, sizeof(name), "s%u", index);
	else if (wt_dwarf_is_vector(number, &accumulation, &index) && lane < machine->machine.lanes)
		snprintf(name, sizeof(name), "%c%u", accumulation ? 'a' : 'v', index);
	else
		return false;
	if (!state->read_register(state->opaque, name, lane, &value, &bits, &why) || why)
		return false;
	*value_ret = (uint32_t)value;
	return true;
}

static size_t state_read_memory(void *opaque, enum gfx_space space, uint32_t lane, uint64_t address,
				void *data, size_t size)
{
	const struct wt_view_machine *machine = opaque;

	return machine->state->read_memory(machine->state->opaque, space, lane, address, data,
					   size);
}

static enum wt_dwarf_stored state_is_stored(void *opaque, uint32_t lane, uint64_t address)
{
	const struct wt_view_machine *machine = opaque;

	return machine->state->is_stored(machine->state->opaque, lane, address);
}

static void machine_use_state(struct wt_view_machine *machine, const struct wt_machine_state *state)
{
	machine->state = state;
	machine->machine.read_register = state_read_register;
	machine->machine.read_memory = state_read_memory;
	machine->machine.is_stored = state_is_stored;
	machine->machine.return_address = NULL;
	machine->machine.read_at_call = NULL;
	machine->machine.not_there = state->not_there;
}

void wt_view_machine_deinit(struct wt_view_machine *machine)
{
	wt_taken_deinit(&machine->way);
}

/* "s4", "v17", "a0". */
static void keep_register(struct wt_view_machine *machine, const struct wt_view_register *found)
{
	uint32_t size = found->vector ? 4 * machine->machine.lanes : 4;
	unsigned int index;
	char kind, rest;

	if (!found->value || found->size != size ||
	    sscanf(found->name, "%c%u%c", &kind, &index, &rest) != 2)
		return;
	if (kind == 's' && !found->vector && index < 106)
		machine->scalars[index] = found->value;
	else if ((kind == 'v' || kind == 'a') && found->vector && index < WT_DWARF_VECTORS)
		machine->vectors[kind == 'a'][index] = found->value;
}

/* Buffer instructions count the bytes of all lanes; scratch instructions, which newer ones use, those of one. */
static unsigned int scratch_shift(const struct gfx_architecture *architecture, uint32_t lanes)
{
	bool buffers = architecture && ((architecture->generation == GFX_GENERATION_9 &&
					 !architecture->trap_after_instruction) ||
					architecture->generation == GFX_GENERATION_10);

	return buffers ? (lanes == 32 ? 5 : 6) : 0;
}

void wt_view_machine_init(struct wt_view_machine *machine, struct wt_view *view, uint64_t wave,
			  const struct gfx_architecture *architecture,
			  const struct wt_machine_state *state)
{
	size_t count = state ? 0 : wt_view_register_count(view, wave);
	uint64_t lanes =
		wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_LANE_COUNT, 64);
	struct wt_view_register found;

	*machine =
		(struct wt_view_machine){.view = view, .wave = wave, .architecture = architecture};
	machine->machine = (struct wt_dwarf_machine){
		.opaque = machine,
		.lanes = lanes == 32 ? 32 : 64,
		.read_register = machine_read_register,
		.read_memory = wave_machine_read_memory,
		.decode = machine_decode,
		.is_stored = is_stored,
		.return_address = machine_return_address,
		.read_at_call = machine_read_at_call,
		.effort = &machine->effort,
	};
	machine->has_exec = wt_view_number(view, WT_OBJECT_WAVE, wave,
					   AMD_DBGAPI_WAVE_INFO_EXEC_MASK, &machine->exec);
	machine->machine.has_scratch_shift = architecture != NULL;
	machine->machine.local_aperture = architecture ? architecture->local_aperture : 0;
	machine->machine.private_aperture = architecture ? architecture->private_aperture : 0;
	machine->machine.scratch_shift = scratch_shift(architecture, machine->machine.lanes);
	for (size_t i = 0; i < count; i++)
		if (wt_view_register_at(view, wave, i, &found))
			keep_register(machine, &found);
	if (state)
		machine_use_state(machine, state);
}
