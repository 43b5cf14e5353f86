/* SPDX-License-Identifier: MIT */
#include "replayer/view/loop.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "gfx/isa/run.h"
#include "gfx/isa/translate.h"
#include "replayer/view/loop-run.h"
#include "replayer/view/loop-until.h"

#define CODE_MINUS_ONE 193u /* the operand that is -1 */

static uint64_t innermost_call(const struct wt_loop_run *run)
{
	return run->call_count && run->call_count <= WT_LOOP_CALLS ? run->calls[run->call_count - 1]
								   : 0;
}

/* An instruction at @from has been executed. */
static void run_note_call(struct wt_loop_run *run, const struct gfx_instruction *instruction,
			  uint64_t from)
{
	const char *name = instruction->operation->name;

	if (instruction->encoding != GFX_SOP1)
		return;
	if (!strcmp(name, "s_swappc_b64")) {
		if (run->call_count < WT_LOOP_CALLS)
			run->calls[run->call_count] = from;
		run->call_count++;
	} else if (!strcmp(name, "s_setpc_b64") && run->call_count &&
		   (run->call_count > WT_LOOP_CALLS ||
		    run->now.wave.pc == run->calls[run->call_count - 1] + 4)) {
		run->call_count--;
	}
}

/* The instruction has been executed: from where all lanes are made active on to where that ends. */
static void run_note_whole(struct wt_loop_run *run, const struct gfx_instruction *instruction,
			   const struct gfx_uses *uses)
{
	if (!strcmp(instruction->operation->name, "s_or_saveexec_b64") &&
	    instruction->src[0] == CODE_MINUS_ONE) {
		run->whole = true;
		return;
	}
	for (uint32_t i = 0; i < uses->write_count; i++)
		if (uses->writes[i].file == GFX_FILE_SCALAR &&
		    uses->writes[i].number == GFX_CODE_EXEC)
			run->whole = false;
}

static void note_read(struct wt_loop_run *run, const struct gfx_access *access,
		      struct wt_loop *loop)
{
	struct wt_loop_read read = {.pc = run->now.wave.pc,
				    .call = innermost_call(run),
				    .lanes = access->lanes,
				    .size = access->size < 8 ? access->size : 8};
	bool local;

	if (!access->lanes)
		return;
	read.address = access->addresses[__builtin_ctzll(access->lanes)];
	if (!wt_loop_is_shared(run, access->space, &read.address))
		return;
	local = access->space == GFX_ACCESS_LOCAL ||
		read.address != access->addresses[__builtin_ctzll(access->lanes)];
	read.space = local ? GFX_ACCESS_LOCAL : GFX_ACCESS_GLOBAL;
	read.addresses = wt_loop_count_addresses(access);
	if (local && read.address + read.size <= run->now.wave.lds_size)
		memcpy(&read.value, run->now.lds + read.address, read.size);
	else if (!local)
		run->memory.read(run, read.address, &read.value, read.size);
	read.value = le64toh(read.value);
	for (size_t i = 0; i < loop->count && i < WT_LOOP_READS; i++)
		if (loop->reads[i].pc == read.pc)
			return;
	if (loop->count < WT_LOOP_READS)
		loop->reads[loop->count] = read;
	loop->count++;
}

/* Does a scalar load read what stays as it is while the kernel runs? */
static bool run_loads_constant(struct wt_loop_run *run, const struct gfx_instruction *instruction)
{
	const struct gfx_context context = {
		.wave = &run->now.wave, .memory = &run->memory, .instruction = instruction};
	struct gfx_address_inputs inputs = {.exec = 1};
	struct gfx_access access;

	if (strncmp(instruction->operation->name, "s_load_", 7) != 0)
		return false;
	inputs.base = gfx_read_scalar64(&context, instruction->address);
	if (instruction->scalar_address != GFX_CODE_OFF)
		inputs.base_offset = gfx_read_scalar32(&context, instruction->scalar_address);
	gfx_compute_access(instruction, &inputs, &access);
	return !wt_loop_is_shared(run, GFX_ACCESS_GLOBAL, &access.addresses[0]);
}

/* False if there is no way on that is known. */
static bool run_step(struct wt_loop_run *run, struct wt_loop *loop)
{
	struct gfx_wave *wave = &run->now.wave;
	struct gfx_instruction instruction;
	struct gfx_fault fault = {0};
	struct gfx_uses uses;
	uint64_t from = wave->pc;

	if (!wt_loop_decode(run, &instruction, &uses))
		return false;
	loop->scalar |= instruction.encoding == GFX_SMEM && !run_loads_constant(run, &instruction);
	if (gfx_touches_memory(&instruction) && instruction.encoding != GFX_SMEM) {
		const struct gfx_context context = {
			.wave = wave, .memory = &run->memory, .instruction = &instruction};
		struct gfx_access access = {0};

		gfx_resolve_access(&context, &access);
		if (access.read)
			note_read(run, &access, loop);
	}
	loop->lanes |= run->whole ? 0 : wave->exec;
	loop->from = from < loop->from ? from : loop->from;
	loop->to = from > loop->to ? from : loop->to;
	if (gfx_wave_execute(wave, &run->memory, &instruction, &fault) != GFX_STEP_DONE)
		return false;
	run_note_call(run, &instruction, from);
	run_note_whole(run, &instruction, &uses);
	return true;
}

/*
 * Values that the wave had in registers for a first part of a round may be older than those it reads now. So a round counts that
 * begins and ends alike. Where rounds are in rounds, it is compared with a place that is farther back each time.
 */
static void go_round(struct wt_loop_run *run, struct wt_loop *loop)
{
	const uint64_t pc = run->now.wave.pc;
	size_t rounds = 0, next = 1;

	*loop = (struct wt_loop){.from = UINT64_MAX};
	for (unsigned int i = 0; i < WT_LOOP_STEPS; i++) {
		if (!run_step(run, loop))
			break;
		if (run->now.wave.pc != pc)
			continue;
		if (run->has_then && wt_loop_is_same(run)) {
			loop->is_same = true;
			return;
		}
		if (++rounds == next) {
			wt_loop_remember(run);
			next *= 2;
			*loop = (struct wt_loop){.from = UINT64_MAX};
		}
	}
	*loop = (struct wt_loop){0};
}

/* The dispatch packet and the kernel's arguments are as they are for as long as the kernel runs. */
static struct wt_error *run_know_launch(struct wt_loop_run *run, struct wt_explainer *explainer)
{
	uint64_t dispatch = wt_view_number_or(run->view, WT_OBJECT_WAVE, run->handle,
					      AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);
	struct wt_explain_arguments arguments;
	struct wt_error *error = wt_explain_arguments(explainer, dispatch, &arguments);

	if (error)
		return error;
	run->packet_address = wt_view_packet(run->view, dispatch, &run->packet);
	run->arguments = arguments.address;
	for (size_t i = 0; i < arguments.count; i++) {
		uint64_t end = (uint64_t)arguments.list[i].offset + arguments.list[i].size;

		if (end > run->arguments_size)
			run->arguments_size = end;
	}
	wt_explain_arguments_deinit(&arguments);
	return NULL;
}

struct wt_error *wt_loop_follow(struct wt_explainer *explainer, uint64_t wave,
				struct wt_loop *loop_ret)
{
	struct wt_view *view = wt_explainer_view(explainer);
	const struct gfx_architecture *architecture =
		wt_view_architecture(view, WT_OBJECT_WAVE, wave);
	wt_cleanup_free struct wt_loop_run *run = NULL;
	struct wt_error *error;
	bool known = false;

	*loop_ret = (struct wt_loop){0};
	/* Instructions that are translated are not executed here. */
	if (!architecture || gfx_is_translated(architecture) ||
	    wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_LANE_COUNT, 0) !=
		    GFX_MAX_LANES)
		return NULL;
	run = calloc(1, sizeof(*run));
	if (!run)
		return &wt_error_no_memory;
	run->view = view;
	run->handle = wave;
	error = run_know_launch(run, explainer);
	if (!error)
		error = wt_loop_run_init(run, architecture, &known);
	if (!error && known)
		go_round(run, loop_ret);
	if (loop_ret->is_same && loop_ret->count == 1 && !loop_ret->scalar)
		wt_loop_find_until(run, &loop_ret->reads[0]);
	wt_loop_run_deinit(run);
	return error;
}

const struct wt_explain_argument *wt_loop_argument(const struct wt_explain_arguments *arguments,
						   uint64_t address)
{
	const struct wt_explain_argument *found = NULL;

	for (size_t i = 0; i < arguments->part_count; i++) {
		const struct wt_explain_argument *part = &arguments->parts[i];

		if (part->pointer && part->known && !part->hidden && part->value <= address &&
		    part->value / WT_PAGE == address / WT_PAGE &&
		    (!found || part->value > found->value))
			found = part;
	}
	return found;
}
