/* SPDX-License-Identifier: MIT */
#include "replayer/view/loop-run.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "gfx/architecture/packet.h"
#include "gfx/architecture/private.h"
#include "gfx/isa/run.h"
#include "gfx/isa/tables.h"
#include "replayer/recorded/recorded.h"
#include "replayer/view/explain-arguments.h"

#define STATUS_SCC 1u
/* Numbers of registers that s_getreg reads: the mode, and the upper 16 bits of both apertures. */
#define MODE_REGISTER 1u
#define APERTURES_REGISTER 15u

/* ---- Memory ---- */

static bool run_is_private(const struct wt_loop_run *run, uint64_t address, size_t size)
{
	const struct gfx_wave *wave = &run->now.wave;
	uint64_t offset = address - wave->scratch_base;

	return wave->scratch_base && address >= wave->scratch_base && offset < wave->scratch_size &&
	       size <= wave->scratch_size - offset;
}

static bool run_read(void *opaque, uint64_t address, void *data, size_t size)
{
	struct wt_loop_run *run = opaque;
	uint8_t *to = data;

	if (run_is_private(run, address, size)) {
		memcpy(data, run->now.scratch + (address - run->now.wave.scratch_base), size);
		return true;
	}
	run->was_read |=
		address < run->watched + run->watched_size && run->watched < address + size;
	if (!wt_view_packet_read(&run->packet, run->packet_address, address, data, size) &&
	    wt_view_memory(run->view, "global", 0, 0, address, data, size) != size &&
	    !wt_view_constant(run->view, address, data, size))
		return false;
	for (size_t i = wt_loop_written_from(&run->now, address);
	     i < run->now.written_count && run->now.written[i].address - address < size; i++)
		to[run->now.written[i].address - address] = (uint8_t)run->now.written[i].value;
	return true;
}

/* Bytes that are written as they were recorded are not kept: a compare-and-swap that does not find its value leaves memory alone. */
static bool write_byte(struct wt_loop_run *run, uint64_t address, uint8_t value)
{
	size_t i = wt_loop_written_from(&run->now, address);
	struct wt_loop_written *at = &run->now.written[i];
	uint8_t before;

	if (!run->keeps && (i == run->now.written_count || at->address != address) &&
	    wt_view_memory(run->view, "global", 0, 0, address, &before, 1) == 1 && before == value)
		return true;
	if (i == run->now.written_count || at->address != address) {
		if (run->now.written_count == WT_LOOP_WRITTEN)
			return false;
		memmove(at + 1, at, (run->now.written_count - i) * sizeof(*at));
		run->now.written_count++;
	}
	*at = (struct wt_loop_written){address, value};
	return true;
}

static bool run_write(void *opaque, uint64_t address, const void *data, size_t size)
{
	struct wt_loop_run *run = opaque;
	const uint8_t *from = data;

	if (run_is_private(run, address, size)) {
		memcpy(run->now.scratch + (address - run->now.wave.scratch_base), data, size);
		return true;
	}
	for (size_t i = 0; i < size && !run->drops; i++)
		if (!write_byte(run, address + i, from[i]))
			return false;
	return true;
}

static bool run_fetch(void *opaque, uint64_t address, void *data, size_t size)
{
	struct wt_loop_run *run = opaque;

	return wt_view_code(run->view, address, data, size) >= size;
}

static bool run_may_access(void *opaque, uint64_t address, size_t size, bool write)
{
	uint8_t bytes[64];

	return write ? ((struct wt_loop_run *)opaque)->now.written_count + size <= WT_LOOP_WRITTEN
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
static bool run_count_registers(struct wt_loop_run *run)
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
		if (!found.value || found.size != (kind == 's' ? 4 : 4 * wave->lane_count))
			return false;
		have = kind == 's'   ? &wave->sgpr_count
		       : kind == 'v' ? &wave->vgpr_count
				     : &wave->agpr_count;
		*have = number + 1 > *have ? number + 1 : *have;
	}
	return count && wave->vgpr_count && wave->sgpr_count <= GFX_MAX_SGPRS;
}

/* Files follow each other: a register has room for the words of 64 lanes, little endian as they were recorded. */
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

static bool fill_registers(struct wt_loop_run *run)
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
	for (number = 0; number < sizeof(wave->ttmps) / sizeof(wave->ttmps[0]); number++) {
		char name[16];

		snprintf(name, sizeof(name), "ttmp%u", number);
		if (wt_view_register_value(run->view, run->handle, name, 0, &value))
			wave->ttmps[number] = (uint32_t)value;
	}
	/* From gfx12 on scc is in the one, private memory in another register. */
	if (wt_view_register_value(run->view, run->handle, "state_priv", 0, &value))
		wave->state_priv = (uint32_t)value;
	gfx_wave_join_state(wave);
	if (wt_view_register_value(run->view, run->handle, "flat_scratch", 0, &value) ||
	    wt_view_register_value(run->view, run->handle, "scratch_base", 0, &value))
		wave->flat_scratch = value;
	if (wt_view_register_value(run->view, run->handle, "xnack_mask", 0, &value))
		wave->xnack_mask = value;
	return true;
}

/* Fills in the wave's private and its group's local memory as far as it was recorded from the beginning. */
static struct wt_error *fill_memory(struct wt_loop_run *run)
{
	struct gfx_wave *wave = &run->now.wave;
	const struct wt_item *place =
		wt_recorded_plain(wt_view_recorded(run->view), WT_ITEM_PRIVATE_PLACE, run->handle);

	run->now.scratch = calloc(1, WT_LOOP_PRIVATE);
	run->then.scratch = calloc(1, WT_LOOP_PRIVATE);
	run->now.lds = calloc(1, WT_LOOP_LOCAL);
	run->then.lds = calloc(1, WT_LOOP_LOCAL);
	if (!run->now.scratch || !run->then.scratch || !run->now.lds || !run->then.lds)
		return &wt_error_no_memory;
	wave->lds = run->now.lds;
	wave->lds_size = (uint32_t)wt_view_memory(run->view, "local", run->handle, 0, 0,
						  run->now.lds, WT_LOOP_LOCAL);
	wave->scratch = run->now.scratch;
	if (!place || place->number_count != 2)
		return NULL;
	wave->scratch_base = place->numbers[0];
	wave->scratch_size = wt_view_memory(run->view, "private_wave", run->handle, 0, 0,
					    run->now.scratch, WT_LOOP_PRIVATE);
	if (wave->scratch_size > place->numbers[1])
		wave->scratch_size = place->numbers[1];
	return NULL;
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

struct wt_error *wt_loop_run_init(struct wt_loop_run *run, struct wt_explainer *explainer,
				  const struct gfx_architecture *architecture, bool *known_ret)
{
	struct gfx_wave *wave = &run->now.wave;
	uint64_t lanes = wt_view_number_or(run->view, WT_OBJECT_WAVE, run->handle,
					   AMD_DBGAPI_WAVE_INFO_LANE_COUNT, 0);
	struct wt_error *error = explainer ? run_know_launch(run, explainer) : NULL;

	*known_ret = false;
	if (error)
		return error;
	wave->architecture = architecture;
	wave->lane_count = lanes == GFX_MAX_LANES / 2 ? GFX_MAX_LANES / 2 : GFX_MAX_LANES;
	wave->vector_words = GFX_MAX_LANES;
	if (lanes != wave->lane_count || !run_count_registers(run))
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

void wt_loop_run_deinit(struct wt_loop_run *run)
{
	free(run->now.vgprs);
	free(run->then.vgprs);
	free(run->now.lds);
	free(run->then.lds);
	free(run->now.scratch);
	free(run->then.scratch);
}

/* ---- As it was, and where it goes ---- */

/* How many bits there are from the lowest one that differs on. */
static uint8_t word_changes(uint32_t one, uint32_t other)
{
	return one == other ? 0 : (uint8_t)(32 - __builtin_ctz(one ^ other));
}

static void words_differ(const void *left, const void *right, size_t bytes, uint8_t *places)
{
	const uint8_t *one = left, *other = right;

	if (!memcmp(left, right, bytes))
		return;
	for (size_t i = 0; i < bytes / 4; i++) {
		uint32_t words[2];

		memcpy(&words[0], one + 4 * i, sizeof(words[0]));
		memcpy(&words[1], other + 4 * i, sizeof(words[1]));
		places[i] = word_changes(le32toh(words[0]), le32toh(words[1]));
	}
}

static void vectors_differ(const struct wt_loop_run *run, bool accumulated, uint32_t count,
			   struct wt_loop_places *places)
{
	size_t at = accumulated ? (size_t)run->now.wave.vgpr_count * GFX_MAX_LANES : 0;

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++, at++) {
			uint8_t bits = word_changes(run->now.vgprs[at], run->then.vgprs[at]);

			places->vectors[accumulated][i] |= (uint64_t)(bits != 0) << lane;
			if (bits > places->changing[accumulated][i])
				places->changing[accumulated][i] = bits;
		}
}

static void scalars_differ(const struct wt_loop_run *run, struct wt_loop_places *places)
{
	const struct gfx_wave *now = &run->now.wave, *then = &run->then.wave;

	for (uint32_t i = 0; i < now->sgpr_count && i < GFX_CODE_FLAT_SCRATCH; i++)
		places->scalars[i] = word_changes(now->sgprs[i], then->sgprs[i]);
	places->scalars[GFX_CODE_VCC] = word_changes((uint32_t)now->vcc, (uint32_t)then->vcc);
	places->scalars[GFX_CODE_VCC + 1] =
		word_changes((uint32_t)(now->vcc >> 32), (uint32_t)(then->vcc >> 32));
	places->scalars[GFX_CODE_M0] = word_changes(now->m0, then->m0);
	places->scalars[GFX_CODE_SCC] = word_changes(now->status & 1, then->status & 1);
}

bool wt_loop_differ(const struct wt_loop_run *run, struct wt_loop_places *places_ret)
{
	const struct gfx_wave *now = &run->now.wave, *then = &run->then.wave;
	size_t from;
	bool differs;

	memset(places_ret, 0, sizeof(*places_ret));
	if (now->exec != then->exec || now->mode != then->mode ||
	    now->flat_scratch != then->flat_scratch || now->xnack_mask != then->xnack_mask)
		return false;
	for (size_t i = 0; i < run->now.written_count; i++) {
		size_t at = wt_loop_written_from(&run->then, run->now.written[i].address);

		/* Bytes that were not written then differ. */
		differs = at == run->then.written_count ||
			  run->now.written[i].address != run->then.written[at].address ||
			  run->now.written[i].value != run->then.written[at].value;
		/* A word is stored as a whole, though some of its bytes may stay. */
		from = wt_loop_written_from(&run->now, run->now.written[i].address & ~UINT64_C(3));
		for (; differs && from < run->now.written_count &&
		       run->now.written[from].address <= (run->now.written[i].address | 3);
		     from++)
			places_ret->written[from] = 1;
	}
	scalars_differ(run, places_ret);
	vectors_differ(run, false, now->vgpr_count, places_ret);
	vectors_differ(run, true, now->agpr_count, places_ret);
	words_differ(run->now.lds, run->then.lds, now->lds_size, places_ret->locals);
	words_differ(run->now.scratch, run->then.scratch, now->scratch_size, places_ret->privates);
	return true;
}

static bool run_is_same_but_idle(const struct wt_loop_run *run)
{
	wt_cleanup_free struct wt_loop_places *differ = malloc(sizeof(*differ));

	return differ && run->now.written_count == run->then.written_count &&
	       wt_loop_differ(run, differ) && wt_loop_places_contain(run->idle, differ);
}

bool wt_loop_is_same(const struct wt_loop_run *run)
{
	const struct gfx_wave *now = &run->now.wave, *then = &run->then.wave;

	if (run->idle)
		return run_is_same_but_idle(run);
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

void wt_loop_remember(struct wt_loop_run *run)
{
	run->then.wave = run->now.wave;
	memcpy(run->then.vgprs, run->now.vgprs, 4 * run->register_words);
	memcpy(run->then.lds, run->now.lds, run->now.wave.lds_size);
	memcpy(run->then.scratch, run->now.scratch, run->now.wave.scratch_size);
	memcpy(run->then.written, run->now.written, sizeof(run->now.written));
	run->then.written_count = run->now.written_count;
	run->has_then = true;
}

bool wt_loop_is_shared(const struct wt_loop_run *run, enum gfx_access_space *space,
		       uint64_t *address)
{
	uint8_t byte;

	if (*space == GFX_ACCESS_LOCAL)
		return true;
	if (*space == GFX_ACCESS_GENERIC && *address >= run->memory.local_base &&
	    *address <= run->memory.local_limit) {
		*address -= run->memory.local_base;
		*space = GFX_ACCESS_LOCAL;
		return true;
	}
	if (*address - run->arguments < run->arguments_size ||
	    (run->packet_address && *address - run->packet_address < GFX_PACKET_SIZE) ||
	    *space == GFX_ACCESS_PRIVATE || run_is_private(run, *address, 1) ||
	    (*space == GFX_ACCESS_GENERIC && *address >= run->memory.private_base &&
	     *address <= run->memory.private_limit))
		return false;
	*space = GFX_ACCESS_GLOBAL;
	return !wt_view_constant(run->view, *address, &byte, 1);
}

bool wt_loop_private_place(const struct wt_loop_run *run, const struct gfx_access *access,
			   uint32_t lane, uint32_t part, uint64_t *place_ret)
{
	uint64_t address = gfx_part_address(access, lane, part);

	if (access->space == GFX_ACCESS_GLOBAL || access->space == GFX_ACCESS_GENERIC) {
		if (run_is_private(run, address, access->size)) {
			*place_ret = address - run->now.wave.scratch_base;
			return true;
		}
		if (access->space == GFX_ACCESS_GLOBAL || address < run->memory.private_base ||
		    address > run->memory.private_limit)
			return false;
		address -= run->memory.private_base;
	} else if (access->space != GFX_ACCESS_PRIVATE) {
		return false;
	}
	*place_ret = gfx_private_place(run->now.wave.lane_count, lane, address);
	return *place_ret < run->now.wave.scratch_size;
}

/* The access of a scalar load; false if the instruction is another one, as the load from a buffer is. */
static bool run_scalar_access(struct wt_loop_run *run, const struct gfx_instruction *instruction,
			      struct gfx_access *access_ret)
{
	const struct gfx_context context = {
		.wave = &run->now.wave, .memory = &run->memory, .instruction = instruction};
	struct gfx_address_inputs inputs = {.exec = 1};

	if (instruction->operation->execute != gfx_s_load)
		return false;
	inputs.base = gfx_read_scalar64(&context, instruction->address);
	if (instruction->scalar_address != GFX_CODE_OFF)
		inputs.base_offset = gfx_read_scalar32(&context, instruction->scalar_address);
	gfx_compute_access(instruction, &inputs, access_ret);
	return true;
}

bool wt_loop_access(struct wt_loop_run *run, const struct gfx_instruction *instruction,
		    struct gfx_access *access_ret)
{
	const struct gfx_context context = {
		.wave = &run->now.wave, .memory = &run->memory, .instruction = instruction};

	*access_ret = (struct gfx_access){0};
	if (!gfx_touches_memory(instruction))
		return true;
	if (instruction->encoding == GFX_SMEM)
		return run_scalar_access(run, instruction, access_ret);
	gfx_resolve_access(&context, access_ret);
	return true;
}

bool wt_loop_reaches(const struct wt_loop_run *run, const struct gfx_access *access,
		     enum gfx_access_space space, uint64_t at, uint32_t size)
{
	for (uint64_t left = access->lanes; left; left &= left - 1)
		for (uint32_t part = 0; part < access->parts; part++) {
			uint64_t place =
				gfx_part_address(access, (uint32_t)__builtin_ctzll(left), part);
			enum gfx_access_space found = access->space;

			if (wt_loop_is_shared(run, &found, &place) && found == space &&
			    place < at + size && at < place + access->size)
				return true;
		}
	return false;
}

uint64_t wt_loop_value(struct wt_loop_run *run, enum gfx_access_space space, uint64_t address,
		       uint32_t size)
{
	uint64_t value = 0;

	if (space != GFX_ACCESS_LOCAL)
		run->memory.read(run, address, &value, size);
	else if (address + size <= run->now.wave.lds_size)
		memcpy(&value, run->now.lds + address, size);
	return le64toh(value);
}

size_t wt_loop_count_addresses(const struct gfx_access *access)
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

/* A register that changes by itself, as a clock does, is not memory. The mode and the apertures do not change. */
static bool is_fixed(const struct gfx_instruction *instruction)
{
	uint32_t number = (uint32_t)instruction->offset & 63;

	return !strcmp(instruction->operation->name, "s_getreg_b32") &&
	       (number == MODE_REGISTER || number == APERTURES_REGISTER);
}

bool wt_loop_decode(struct wt_loop_run *run, struct gfx_instruction *instruction,
		    struct gfx_uses *uses)
{
	if (!wt_view_decode(run->view, run->now.wave.architecture, run->now.wave.pc, instruction))
		return false;
	gfx_instruction_uses(instruction, run->now.wave.lane_count, uses);
	return !uses->volatile_result || is_fixed(instruction);
}
