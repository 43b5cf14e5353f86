/* SPDX-License-Identifier: MIT */
#include "replayer/view/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "gfx/isa/decode.h"
#include "gfx/isa/run.h"
#include "gfx/isa/translate.h"
#include "gfx/isa/uses.h"
#include "gfx/wave/memory-access.h"
#include "replayer/recorded/recorded.h"

/* Instructions that are executed at most, and bytes that may be written elsewhere than in private and local memory. */
#define STEPS_MAX 20000u
#define CALLS_MAX 32u
#define WRITTEN_MAX 1024u
#define PRIVATE_MAX (1u << 20)
#define LOCAL_MAX (160u << 10)
#define STATUS_SCC 1u
/* Numbers of registers that s_getreg reads: the mode, and the upper 16 bits of both apertures. */
#define MODE_REGISTER 1u
#define APERTURES_REGISTER 15u

struct written {
	uint64_t address;
	uint64_t value; /* of a byte: without a gap, so that all of it can be compared at once */
};

/* Enough of a wave to compare it with what it was. */
struct state {
	struct gfx_wave wave; /* its files are apart */
	uint32_t *vgprs;      /* and agprs behind them */
	uint8_t *lds, *scratch;
	struct written written[WRITTEN_MAX];
	size_t written_count;
};

struct run {
	struct wt_view *view;
	uint64_t handle;
	struct gfx_memory memory;
	struct state now, then;
	bool has_then;
	/* Calls that have not returned since the wave is followed, the outermost first; more than there is room for are counted. */
	uint64_t calls[CALLS_MAX];
	size_t call_count;
	size_t register_words;
};

/* ---- Memory ---- */

static bool run_is_private(const struct run *run, uint64_t address, size_t size)
{
	const struct gfx_wave *wave = &run->now.wave;
	uint64_t offset = address - wave->scratch_base;

	return wave->scratch_base && address >= wave->scratch_base && offset < wave->scratch_size &&
	       size <= wave->scratch_size - offset;
}

static bool run_read(void *opaque, uint64_t address, void *data, size_t size)
{
	struct run *run = opaque;
	uint8_t *to = data;

	if (run_is_private(run, address, size)) {
		memcpy(data, run->now.scratch + (address - run->now.wave.scratch_base), size);
		return true;
	}
	if (wt_view_memory(run->view, "global", run->handle, 0, address, data, size) != size &&
	    !wt_view_constant(run->view, address, data, size))
		return false;
	for (size_t i = 0; i < run->now.written_count; i++)
		if (run->now.written[i].address - address < size)
			to[run->now.written[i].address - address] =
				(uint8_t)run->now.written[i].value;
	return true;
}

static bool write_byte(struct run *run, uint64_t address, uint8_t value)
{
	size_t i = 0;

	while (i < run->now.written_count && run->now.written[i].address != address)
		i++;
	if (i == WRITTEN_MAX)
		return false;
	run->now.written[i] = (struct written){address, value};
	run->now.written_count += i == run->now.written_count;
	return true;
}

static bool run_write(void *opaque, uint64_t address, const void *data, size_t size)
{
	struct run *run = opaque;
	const uint8_t *from = data;

	if (run_is_private(run, address, size)) {
		memcpy(run->now.scratch + (address - run->now.wave.scratch_base), data, size);
		return true;
	}
	for (size_t i = 0; i < size; i++)
		if (!write_byte(run, address + i, from[i]))
			return false;
	return true;
}

static bool run_fetch(void *opaque, uint64_t address, void *data, size_t size)
{
	struct run *run = opaque;

	return wt_view_code(run->view, address, data, size) >= size;
}

static bool run_may_access(void *opaque, uint64_t address, size_t size, bool write)
{
	uint8_t bytes[64];

	return write ? ((struct run *)opaque)->now.written_count + size <= WRITTEN_MAX
		     : size <= sizeof(bytes) && run_read(opaque, address, bytes, size);
}

/* ---- The wave as it was recorded ---- */

static bool file_place(const char *name, char *kind_ret, uint32_t *number_ret)
{
	char rest;

	return sscanf(name, "%c%u%c", kind_ret, number_ret, &rest) == 2 &&
	       strchr("sva", *kind_ret) && *number_ret < GFX_MAX_VGPRS;
}

static uint64_t register_number(const struct wt_view_register *found)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < found->size && i < sizeof(value); i++)
		value |= (uint64_t)found->value[i] << 8 * i;
	return value;
}

/* How many registers of each file there are; false if one was not recorded. */
static bool run_count_registers(struct run *run)
{
	struct gfx_wave *wave = &run->now.wave;
	size_t count = wt_view_register_count(run->view, run->handle);
	struct wt_view_register found;

	for (size_t i = 0; i < count; i++) {
		uint32_t number, *have;
		char kind;

		if (!wt_view_register_at(run->view, run->handle, i, &found))
			return false;
		if (!file_place(found.name, &kind, &number))
			continue;
		if (!found.value || found.size != (kind == 's' ? 4 : 4 * GFX_MAX_LANES))
			return false;
		have = kind == 's'   ? &wave->sgpr_count
		       : kind == 'v' ? &wave->vgpr_count
				     : &wave->agpr_count;
		*have = number + 1 > *have ? number + 1 : *have;
	}
	return count && wave->vgpr_count && wave->sgpr_count <= GFX_MAX_SGPRS;
}

/* Files follow each other: the words of all lanes of a register side by side, little endian as they were recorded. */
static void fill_file(struct gfx_wave *wave, char kind, uint32_t number,
		      const struct wt_view_register *found)
{
	uint32_t *words = kind == 's'	? &wave->sgprs[number]
			  : kind == 'v' ? wave->vgprs + number * GFX_MAX_LANES
					: wave->agprs + number * GFX_MAX_LANES;

	for (uint32_t i = 0; i < found->size / 4; i++)
		words[i] = (uint32_t)found->value[4 * i] | (uint32_t)found->value[4 * i + 1] << 8 |
			   (uint32_t)found->value[4 * i + 2] << 16 |
			   (uint32_t)found->value[4 * i + 3] << 24;
}

static bool fill_registers(struct run *run)
{
	struct gfx_wave *wave = &run->now.wave;
	size_t count = wt_view_register_count(run->view, run->handle);
	struct wt_view_register found;
	uint64_t value;
	uint32_t number;
	char kind;

	for (size_t i = 0; i < count; i++)
		if (wt_view_register_at(run->view, run->handle, i, &found) &&
		    file_place(found.name, &kind, &number))
			fill_file(wave, kind, number, &found);
	static const char *const needed[] = {"pc", "exec", "vcc", "m0", "status", "mode"};
	uint64_t values[sizeof(needed) / sizeof(needed[0])];

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if (!wt_view_register(run->view, run->handle, needed[i], &found))
			return false;
		values[i] = register_number(&found);
	}
	wave->pc = values[0];
	wave->exec = values[1];
	wave->vcc = values[2];
	wave->m0 = (uint32_t)values[3];
	wave->status = (uint32_t)values[4];
	wave->mode = (uint32_t)values[5];
	if (wt_view_register_value(run->view, run->handle, "flat_scratch", 0, &value))
		wave->flat_scratch = value;
	if (wt_view_register_value(run->view, run->handle, "xnack_mask", 0, &value))
		wave->xnack_mask = value;
	return true;
}

/* Fills in the wave's private and its group's local memory as far as it was recorded from the beginning. */
static struct wt_error *fill_memory(struct run *run)
{
	struct gfx_wave *wave = &run->now.wave;
	const struct wt_item *place =
		wt_recorded_plain(wt_view_recorded(run->view), WT_ITEM_PRIVATE_PLACE, run->handle);

	run->now.scratch = calloc(1, PRIVATE_MAX);
	run->then.scratch = calloc(1, PRIVATE_MAX);
	run->now.lds = calloc(1, LOCAL_MAX);
	run->then.lds = calloc(1, LOCAL_MAX);
	if (!run->now.scratch || !run->then.scratch || !run->now.lds || !run->then.lds)
		return &wt_error_no_memory;
	wave->lds = run->now.lds;
	wave->lds_size = (uint32_t)wt_view_memory(run->view, "local", run->handle, 0, 0,
						  run->now.lds, LOCAL_MAX);
	wave->scratch = run->now.scratch;
	if (!place || place->number_count != 2)
		return NULL;
	wave->scratch_base = place->numbers[0];
	wave->scratch_size = wt_view_memory(run->view, "private_wave", run->handle, 0, 0,
					    run->now.scratch, PRIVATE_MAX);
	if (wave->scratch_size > place->numbers[1])
		wave->scratch_size = place->numbers[1];
	return NULL;
}

/* @known_ret: false if the wave cannot be followed. */
static struct wt_error *loop_run_init(struct run *run, const struct gfx_architecture *architecture,
				      bool *known_ret)
{
	struct gfx_wave *wave = &run->now.wave;
	struct wt_error *error;

	*known_ret = false;
	wave->architecture = architecture;
	wave->lane_count = GFX_MAX_LANES;
	if (!run_count_registers(run))
		return NULL;
	run->register_words = (size_t)(wave->vgpr_count + wave->agpr_count) * GFX_MAX_LANES;
	run->now.vgprs = calloc(run->register_words, sizeof(uint32_t));
	run->then.vgprs = calloc(run->register_words, sizeof(uint32_t));
	if (!run->now.vgprs || !run->then.vgprs)
		return &wt_error_no_memory;
	wave->vgprs = run->now.vgprs;
	wave->agprs = run->now.vgprs + (size_t)wave->vgpr_count * GFX_MAX_LANES;
	if (!fill_registers(run))
		return NULL;
	error = fill_memory(run);
	run->memory = (struct gfx_memory){
		.opaque = run,
		.read = run_read,
		.write = run_write,
		.fetch = run_fetch,
		.probe = run_may_access,
		.local_base = architecture->local_aperture,
		.local_limit = architecture->local_aperture + UINT32_MAX,
		.private_base = architecture->private_aperture,
		.private_limit = architecture->private_aperture + UINT32_MAX,
	};
	*known_ret = !error;
	return error;
}

static void loop_run_deinit(struct run *run)
{
	free(run->now.vgprs);
	free(run->then.vgprs);
	free(run->now.lds);
	free(run->then.lds);
	free(run->now.scratch);
	free(run->then.scratch);
}

/* ---- Round and round ---- */

static bool run_is_same(const struct run *run)
{
	const struct gfx_wave *now = &run->now.wave, *then = &run->then.wave;

	return now->exec == then->exec && now->vcc == then->vcc && now->m0 == then->m0 &&
	       now->mode == then->mode && now->flat_scratch == then->flat_scratch &&
	       now->xnack_mask == then->xnack_mask &&
	       !((now->status ^ then->status) & STATUS_SCC) &&
	       !memcmp(now->sgprs, then->sgprs, sizeof(now->sgprs)) &&
	       !memcmp(run->now.vgprs, run->then.vgprs, 4 * run->register_words) &&
	       !memcmp(run->now.lds, run->then.lds, now->lds_size) &&
	       !memcmp(run->now.scratch, run->then.scratch, now->scratch_size) &&
	       run->now.written_count == run->then.written_count &&
	       !memcmp(run->now.written, run->then.written,
		       run->now.written_count * sizeof(run->now.written[0]));
}

static void run_remember(struct run *run)
{
	run->then.wave = run->now.wave;
	memcpy(run->then.vgprs, run->now.vgprs, 4 * run->register_words);
	memcpy(run->then.lds, run->now.lds, run->now.wave.lds_size);
	memcpy(run->then.scratch, run->now.scratch, run->now.wave.scratch_size);
	memcpy(run->then.written, run->now.written, sizeof(run->now.written));
	run->then.written_count = run->now.written_count;
	run->has_then = true;
}

/* Does an address belong to what others of the program can change, and in which space is it? */
static bool is_shared(const struct run *run, enum gfx_access_space space, uint64_t *address)
{
	uint8_t byte;

	if (space == GFX_ACCESS_LOCAL)
		return true;
	if (space == GFX_ACCESS_GENERIC && *address >= run->memory.local_base &&
	    *address <= run->memory.local_limit) {
		*address -= run->memory.local_base;
		return true;
	}
	if (space == GFX_ACCESS_PRIVATE || run_is_private(run, *address, 1) ||
	    (space == GFX_ACCESS_GENERIC && *address >= run->memory.private_base &&
	     *address <= run->memory.private_limit))
		return false;
	return !wt_view_constant(run->view, *address, &byte, 1);
}

static size_t count_addresses(const struct gfx_access *access)
{
	size_t count = 0;

	for (uint64_t left = access->lanes; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);
		uint64_t before = access->lanes & ((UINT64_C(1) << lane) - 1);

		while (before &&
		       access->addresses[__builtin_ctzll(before)] != access->addresses[lane])
			before &= before - 1;
		count += !before;
	}
	return count;
}

static uint64_t innermost_call(const struct run *run)
{
	return run->call_count && run->call_count <= CALLS_MAX ? run->calls[run->call_count - 1]
							       : 0;
}

/* An instruction at @from has been executed. */
static void run_note_call(struct run *run, const struct gfx_instruction *instruction, uint64_t from)
{
	const char *name = instruction->operation->name;

	if (instruction->encoding != GFX_SOP1)
		return;
	if (!strcmp(name, "s_swappc_b64")) {
		if (run->call_count < CALLS_MAX)
			run->calls[run->call_count] = from;
		run->call_count++;
	} else if (!strcmp(name, "s_setpc_b64") && run->call_count &&
		   (run->call_count > CALLS_MAX ||
		    run->now.wave.pc == run->calls[run->call_count - 1] + 4)) {
		run->call_count--;
	}
}

static void note_read(struct run *run, const struct gfx_access *access, struct wt_loop *loop)
{
	struct wt_loop_read read = {.pc = run->now.wave.pc,
				    .call = innermost_call(run),
				    .lanes = access->lanes,
				    .size = access->size < 8 ? access->size : 8};
	bool local;

	if (!access->lanes)
		return;
	read.address = access->addresses[__builtin_ctzll(access->lanes)];
	if (!is_shared(run, access->space, &read.address))
		return;
	local = access->space == GFX_ACCESS_LOCAL ||
		read.address != access->addresses[__builtin_ctzll(access->lanes)];
	read.space = local ? GFX_ACCESS_LOCAL : GFX_ACCESS_GLOBAL;
	read.addresses = count_addresses(access);
	if (local && read.address + read.size <= run->now.wave.lds_size)
		memcpy(&read.value, run->now.lds + read.address, read.size);
	else if (!local)
		run_read(run, read.address, &read.value, read.size);
	read.value = le64toh(read.value);
	for (size_t i = 0; i < loop->count && i < WT_LOOP_READS; i++)
		if (loop->reads[i].pc == read.pc)
			return;
	if (loop->count < WT_LOOP_READS)
		loop->reads[loop->count] = read;
	loop->count++;
}

/* A register that changes by itself, as a clock does, is not memory. The mode and the apertures do not change. */
static bool is_fixed(const struct gfx_instruction *instruction)
{
	uint32_t number = (uint32_t)instruction->offset & 63;

	return !strcmp(instruction->operation->name, "s_getreg_b32") &&
	       (number == MODE_REGISTER || number == APERTURES_REGISTER);
}

/* False if there is no way on that is known. */
static bool run_step(struct run *run, struct wt_loop *loop)
{
	struct gfx_wave *wave = &run->now.wave;
	struct gfx_instruction instruction;
	struct gfx_fault fault = {0};
	struct gfx_uses uses;
	uint32_t words[2] = {0};
	uint64_t from = wave->pc;
	size_t count = 2;

	if (!run_fetch(run, wave->pc, words, sizeof(words))) {
		count = 1;
		if (!run_fetch(run, wave->pc, words, sizeof(words[0])))
			return false;
	}
	if (gfx_decode(wave->architecture, words, count, &instruction) != GFX_DECODE_OK)
		return false;
	gfx_instruction_uses(&instruction, &uses);
	if (uses.volatile_result && !is_fixed(&instruction))
		return false;
	loop->scalar |= instruction.encoding == GFX_SMEM;
	if (gfx_touches_memory(&instruction) && instruction.encoding != GFX_SMEM) {
		const struct gfx_context context = {
			.wave = wave, .memory = &run->memory, .instruction = &instruction};
		struct gfx_access access = {0};

		gfx_resolve_access(&context, &access);
		if (access.read)
			note_read(run, &access, loop);
	}
	loop->from = from < loop->from ? from : loop->from;
	loop->to = from > loop->to ? from : loop->to;
	if (gfx_wave_execute(wave, &run->memory, &instruction, &fault) != GFX_STEP_DONE)
		return false;
	run_note_call(run, &instruction, from);
	return true;
}

/*
 * Values that the wave had in registers for a first part of a round may be older than those it reads now. So a round counts that
 * begins and ends alike. Where rounds are in rounds, it is compared with a place that is farther back each time.
 */
static void go_round(struct run *run, struct wt_loop *loop)
{
	const uint64_t pc = run->now.wave.pc;
	size_t rounds = 0, next = 1;

	*loop = (struct wt_loop){.from = UINT64_MAX};
	for (unsigned int i = 0; i < STEPS_MAX; i++) {
		if (!run_step(run, loop))
			break;
		if (run->now.wave.pc != pc)
			continue;
		if (run->has_then && run_is_same(run)) {
			loop->is_same = true;
			return;
		}
		if (++rounds == next) {
			run_remember(run);
			next *= 2;
			*loop = (struct wt_loop){.from = UINT64_MAX};
		}
	}
	*loop = (struct wt_loop){0};
}

struct wt_error *wt_loop_follow(struct wt_explainer *explainer, uint64_t wave,
				struct wt_loop *loop_ret)
{
	struct wt_view *view = wt_explainer_view(explainer);
	const struct gfx_architecture *architecture =
		wt_view_architecture(view, WT_OBJECT_WAVE, wave);
	wt_cleanup_free struct run *run = NULL;
	struct wt_error *error;
	bool known;

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
	error = loop_run_init(run, architecture, &known);
	if (!error && known)
		go_round(run, loop_ret);
	loop_run_deinit(run);
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
