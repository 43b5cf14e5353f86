/* SPDX-License-Identifier: MIT */
/* Register values of a wave: recorded ones, and over them what the client wrote. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "dbgapi/architecture/register-rules.h"
#include "replayer/library/created.h"
#include "replayer/library/debuggee.h"
#include "replayer/library/replay-wave.h"
#include "replayer/library/step.h"
#include "replayer/timeline/timeline.h"

/* A wave and a register, both of which exist. */
struct target {
	uint64_t wave, id;
	uint64_t architecture;
	uint32_t size;
	bool fits;	    /* the register is of the wave's architecture */
	bool vector, apart; /* see struct wt_replay_register */
};

static bool item_answer_number(const struct wt_recorded *recorded, enum wt_object object,
			       const struct wt_item *item, uint32_t query, uint64_t *number_ret)
{
	return wt_answer_number(wt_recorded_find(recorded, object, wt_query_find(object, query),
						 item->answers, item->answer_count),
				number_ret);
}

/* ---- What is asked about ---- */

void wt_replay_forget_registers(void)
{
	struct wt_replay_register *known, *next;

	HASH_ITER(hh, wt_replayer.registers, known, next)
	{
		HASH_DEL(wt_replayer.registers, known);
		free(known);
	}
}

static bool learn_register(uint64_t id, struct wt_replay_register *ret)
{
	const struct wt_item *item = wt_replay_fact(WT_OBJECT_REGISTER, id);
	const struct gfx_architecture *architecture;
	struct gfx_register reg;
	uint64_t size = 0;

	if (!item)
		return false;
	*ret = (struct wt_replay_register){.id = id};
	if (item_answer_number(&wt_replayer.facts, WT_OBJECT_REGISTER, item,
			       AMD_DBGAPI_REGISTER_INFO_SIZE, &size) &&
	    size <= UINT32_MAX)
		ret->size = (uint32_t)size;
	ret->has_architecture =
		item_answer_number(&wt_replayer.facts, WT_OBJECT_REGISTER, item,
				   AMD_DBGAPI_REGISTER_INFO_ARCHITECTURE, &ret->architecture);
	architecture =
		ret->has_architecture ? wt_known_find(&wt_replayer.known, ret->architecture) : NULL;
	if (architecture && gfx_register_by_id(architecture, id, &reg)) {
		ret->vector = reg.range->kind == GFX_REGISTER_VGPR;
		ret->apart = wt_register_is_saved_apart(reg.range->kind);
	}
	return true;
}

/* Registers are facts: they stay as they are. Without memory each is looked up every time. */
static bool replay_register_find(uint64_t id, struct wt_replay_register *ret)
{
	struct wt_replay_register *known;

	HASH_FIND(hh, wt_replayer.registers, &id, sizeof(id), known);
	if (known) {
		*ret = *known;
		return true;
	}
	if (!learn_register(id, ret))
		return false;
	known = malloc(sizeof(*known));
	if (!known)
		return true;
	*known = *ret;
	HASH_ADD(hh, wt_replayer.registers, id, sizeof(id), known);
	if (!known->hh.tbl)
		free(known);
	return true;
}

/* The registers that the wave has; NULL if that was not recorded. */
static const struct wt_item *existing(const struct wt_replay_process *process, uint64_t wave)
{
	const struct wt_recorded *recorded = &process->timeline.recorded;
	const struct wt_item *list =
		wt_recorded_function(recorded, WT_ITEM_LIST, WT_FUNCTION_WAVE_REGISTER_LIST, wave);

	return list ? list : wt_recorded_plain(recorded, WT_ITEM_REGISTERS, wave);
}

static bool is_ordered(const struct wt_item *list)
{
	for (size_t i = 1; list && i < list->handle_count; i++)
		if (list->handles[i - 1] >= list->handles[i])
			return false;
	return true;
}

/* NULL if there is no such wave. */
static const struct wt_replay_recent_wave *recent_wave_find(struct wt_replay_process *process,
							    uint64_t wave)
{
	struct wt_replay_recent_wave *recent = &process->recent_wave;
	const uint64_t changes = process->timeline.state_changes;
	const struct wt_item *item;

	if (recent->wave == wave && wave && recent->state_changes == changes)
		return recent;
	item = process->handle && wave
		       ? wt_recorded_object(&process->timeline.recorded, WT_OBJECT_WAVE, wave)
		       : NULL;
	if (!item)
		return NULL;
	*recent = (struct wt_replay_recent_wave){
		.state_changes = changes, .wave = wave, .registers = existing(process, wave)};
	recent->ordered = is_ordered(recent->registers);
	recent->has_architecture =
		item_answer_number(&process->timeline.recorded, WT_OBJECT_WAVE, item,
				   AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, &recent->architecture);
	return recent;
}

static bool has_register(const struct wt_replay_recent_wave *wave, uint64_t id)
{
	const struct wt_item *list = wave->registers;

	if (!list || !list->handle_count || !wave->ordered)
		return wt_recorded_lists(list, id);
	return bsearch(&id, list->handles, list->handle_count, sizeof(id), wt_compare_u64);
}

/*
 * GDB asks of every register of the architecture whether a wave has it when it looks one up by name: each object is looked up
 * once.
 */
static amd_dbgapi_status_t register_target_find(struct wt_replay_process *process,
						amd_dbgapi_wave_id_t wave_id,
						amd_dbgapi_register_id_t register_id,
						struct target *ret)
{
	const struct wt_replay_recent_wave *wave;
	struct wt_replay_register known;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	wave_id.handle = wt_replay_handle(process, WT_OBJECT_WAVE, wave_id.handle);
	wave = recent_wave_find(process, wave_id.handle);
	if (!wave)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	if (!replay_register_find(register_id.handle, &known))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_ID;
	*ret = (struct target){.wave = wave_id.handle,
			       .id = register_id.handle,
			       .size = known.size,
			       .vector = known.vector,
			       .apart = known.apart};
	if (!known.has_architecture || !wave->has_architecture)
		return AMD_DBGAPI_STATUS_SUCCESS;
	ret->architecture = wave->architecture;
	ret->fits = known.architecture == wave->architecture;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* From gfx11 on a client that writes status can take the vector registers from a wave. */
static bool wave_lost_vectors(const struct wt_replay_process *process, uint64_t wave,
			      uint64_t architecture_id)
{
	const struct gfx_architecture *architecture =
		wt_known_find(&wt_replayer.known, architecture_id);
	const uint8_t *bytes;
	uint64_t status = 0;
	uint32_t size;

	for (size_t i = 0; architecture && i < architecture->register_range_count; i++) {
		const struct gfx_register_range *range = &architecture->registers[i];

		if (range->kind == GFX_REGISTER_STATUS &&
		    wt_recorded_register(&process->timeline.recorded, wave,
					 architecture->id << 32 | range->number, &bytes,
					 &size) == AMD_DBGAPI_STATUS_SUCCESS &&
		    size <= sizeof(status)) {
			memcpy(&status, bytes, size);
			return wt_register_vectors_are_gone(architecture, status);
		}
	}
	return false;
}

static bool target_is_gone(const struct wt_replay_process *process, const struct target *target)
{
	return target->vector && target->fits &&
	       wave_lost_vectors(process, target->wave, target->architecture);
}

static bool has_register_now(struct wt_replay_process *process, const struct target *target)
{
	const struct wt_replay_recent_wave *wave = recent_wave_find(process, target->wave);

	return wave && has_register(wave, target->id);
}

static amd_dbgapi_status_t register_access_check(struct wt_replay_process *process,
						 const struct target *target, uint64_t offset,
						 uint64_t size, const void *value, bool writes)
{
	if (!wt_timeline_wave_stopped(&process->timeline, target->wave))
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	if (writes && wt_created_displaced(process, target->wave))
		return AMD_DBGAPI_STATUS_ERROR_DISPLACED_STEPPING_ACTIVE;
	if (!value || !size)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!target->fits || offset > target->size || size > target->size - offset)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	if (target_is_gone(process, target))
		return AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE;
	return process->broken && (writes || target->apart) && has_register_now(process, target)
		       ? AMD_DBGAPI_STATUS_FATAL
		       : AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_answer_read_register(amd_dbgapi_wave_id_t wave_id,
					    amd_dbgapi_register_id_t register_id,
					    amd_dbgapi_size_t offset, amd_dbgapi_size_t value_size,
					    void *value)
{
	struct wt_replay_process *process = wt_replay_process_of(WT_OBJECT_WAVE, wave_id.handle);
	const uint8_t *bytes;
	struct target target;
	uint32_t size;
	uint64_t pc;
	amd_dbgapi_status_t status = register_target_find(process, wave_id, register_id, &target);

	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		status = register_access_check(process, &target, offset, value_size, value, false);
	if (status == AMD_DBGAPI_STATUS_SUCCESS && wt_step_hides(process, target.wave, target.id))
		return AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE;
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		status = wt_recorded_register(&process->timeline.recorded, target.wave, target.id,
					      &bytes, &size);
	/* A wave that is stopped here and ran when it was recorded has none to give. */
	if (status == AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED &&
	    wt_timeline_wave_stopped(&process->timeline, target.wave))
		status = AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE;
	if (status == AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE &&
	    target.id == wt_replay_pc_register(process, target.wave) && target.size == sizeof(pc) &&
	    wt_debuggee_pc(process, target.wave, &pc)) {
		bytes = (const uint8_t *)&pc;
		status = AMD_DBGAPI_STATUS_SUCCESS;
	}
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		memcpy(value, bytes + offset, value_size);
	return status;
}

/* Lay bytes over the value of a register that was recorded. */
static amd_dbgapi_status_t register_bytes_put(struct wt_replay_process *process, uint64_t wave,
					      uint64_t id, uint32_t offset, const void *value,
					      size_t size)
{
	struct wt_key key = {.type = WT_ITEM_REGISTERS, .owner = wave, .address = id};
	struct wt_bytes *base, *over;
	const uint8_t *bytes;
	uint32_t whole;
	amd_dbgapi_status_t status =
		wt_recorded_register(&process->timeline.recorded, wave, id, &bytes, &whole);

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	base = wt_bytes_create(bytes, whole);
	over = base ? wt_overlay_cover(&process->timeline.overlay, &key, base) : NULL;
	wt_bytes_release(base);
	if (!over)
		return AMD_DBGAPI_STATUS_FATAL;
	memcpy(over->data + offset, value, size);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* The wave's register of a kind of which there is only one; false if it was not recorded. */
static bool find_kind(const struct wt_replay_process *process, uint64_t wave,
		      const struct gfx_architecture *architecture, enum gfx_register_kind kind,
		      struct gfx_register *register_ret)
{
	const struct wt_item *item = existing(process, wave);

	for (size_t i = 0; item && i < item->handle_count; i++)
		if (gfx_register_by_id(architecture, item->handles[i], register_ret) &&
		    register_ret->range->kind == kind)
			return true;
	return false;
}

/* How many plain scalar registers the wave has: the shadow ones follow them. */
static uint32_t first_shadow(const struct wt_replay_process *process, uint64_t wave,
			     const struct gfx_architecture *architecture)
{
	const struct wt_item *item = existing(process, wave);
	struct gfx_register reg;
	uint32_t count = 0;

	for (size_t i = 0; item && i < item->handle_count; i++)
		if (gfx_register_by_id(architecture, item->handles[i], &reg) &&
		    reg.range->kind == GFX_REGISTER_SGPR)
			count++;
	return count;
}

static uint64_t current_value(const struct wt_replay_process *process, uint64_t wave,
			      const struct gfx_register *reg)
{
	const uint8_t *bytes;
	uint64_t value = 0;
	uint32_t size;

	if (wt_recorded_register(&process->timeline.recorded, wave, reg->id, &bytes, &size) ==
		    AMD_DBGAPI_STATUS_SUCCESS &&
	    size <= sizeof(value))
		memcpy(&value, bytes, size);
	return value;
}

/* Scalar registers that are halves of the one just written show its new value. */
static void follow_shadows(struct wt_replay_process *process, uint64_t wave,
			   const struct gfx_architecture *architecture, enum gfx_register_kind kind,
			   uint64_t stored)
{
	const struct wt_item *item = existing(process, wave);
	uint32_t first = first_shadow(process, wave, architecture);

	for (size_t i = 0; item && i < item->handle_count; i++) {
		struct wt_register_alias alias;
		struct gfx_register reg;
		uint32_t half;

		if (!gfx_register_by_id(architecture, item->handles[i], &reg) ||
		    reg.range->kind != GFX_REGISTER_SHADOW_SGPR ||
		    !wt_register_shadow_alias(first, reg.index, &alias) || alias.kind != kind)
			continue;
		half = (uint32_t)(stored >> 32 * alias.half);
		register_bytes_put(process, wave, reg.id, 0, &half, sizeof(half));
	}
}

/* The trap handler keeps whether the program had halted the wave; status shows it. */
#define STATUS_HALT (UINT64_C(1) << 13)
#define HANDLER_TTMP 6u
#define HANDLER_HALT (UINT64_C(1) << 29)

static bool find_handler(const struct wt_replay_process *process, uint64_t wave,
			 const struct gfx_architecture *architecture,
			 struct gfx_register *register_ret)
{
	struct gfx_register other;
	uint64_t first;

	/* Waves that have this register keep halt in it and not in status. */
	if (find_kind(process, wave, architecture, GFX_REGISTER_STATE_PRIV, &other) ||
	    !find_kind(process, wave, architecture, GFX_REGISTER_TTMP, &other) ||
	    other.index > HANDLER_TTMP)
		return false;
	first = other.id - other.index;
	return gfx_register_by_id(architecture, first + HANDLER_TTMP, register_ret) &&
	       register_ret->range->kind == GFX_REGISTER_TTMP;
}

static void set_bit(struct wt_replay_process *process, uint64_t wave,
		    const struct gfx_register *reg, uint64_t bit, bool set)
{
	uint64_t value = (current_value(process, wave, reg) & ~bit) | (set ? bit : 0);

	register_bytes_put(process, wave, reg->id, 0, &value, reg->range->size);
}

/* The halt bit stands in two registers: written to one, it is read from the other. */
static void follow_halt(struct wt_replay_process *process, uint64_t wave,
			const struct gfx_architecture *architecture, const struct gfx_register *reg,
			uint64_t stored)
{
	struct gfx_register other;

	if (reg->range->kind == GFX_REGISTER_STATUS &&
	    find_handler(process, wave, architecture, &other))
		set_bit(process, wave, &other, HANDLER_HALT, stored & STATUS_HALT);
	else if (reg->range->kind == GFX_REGISTER_TTMP && reg->index == HANDLER_TTMP &&
		 !find_kind(process, wave, architecture, GFX_REGISTER_STATE_PRIV, &other) &&
		 find_kind(process, wave, architecture, GFX_REGISTER_STATUS, &other))
		set_bit(process, wave, &other, STATUS_HALT, stored & HANDLER_HALT);
}

/* Write a register of up to 8 bytes by the rules, with what follows from it. */
static amd_dbgapi_status_t register_value_store(struct wt_replay_process *process, uint64_t wave,
						const struct gfx_architecture *architecture,
						const struct gfx_register *reg, uint64_t value)
{
	enum gfx_register_kind kind = reg->range->kind;
	uint64_t stored =
		wt_register_written(architecture, kind, current_value(process, wave, reg), value);
	struct wt_register_effect effect;
	struct gfx_register other;
	amd_dbgapi_status_t status =
		register_bytes_put(process, wave, reg->id, 0, &stored, reg->range->size);

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (wt_register_side_effect(kind, stored, &effect) &&
	    find_kind(process, wave, architecture, effect.kind, &other)) {
		uint64_t changed =
			(current_value(process, wave, &other) & ~effect.mask) | effect.bits;

		register_bytes_put(process, wave, other.id, 0, &changed, other.range->size);
	}
	follow_halt(process, wave, architecture, reg, stored);
	if (kind == GFX_REGISTER_VCC || kind == GFX_REGISTER_FLAT_SCRATCH ||
	    kind == GFX_REGISTER_XNACK_MASK)
		follow_shadows(process, wave, architecture, kind, stored);
	return status;
}

/* A shadow register is half of another one. */
static amd_dbgapi_status_t store_shadow(struct wt_replay_process *process, uint64_t wave,
					const struct gfx_architecture *architecture,
					const struct gfx_register *reg, uint64_t value)
{
	struct wt_register_alias alias;
	struct gfx_register pair;
	uint64_t mask;

	if (!wt_register_shadow_alias(first_shadow(process, wave, architecture), reg->index,
				      &alias) ||
	    !find_kind(process, wave, architecture, alias.kind, &pair))
		return register_bytes_put(process, wave, reg->id, 0, &value, reg->range->size);
	mask = (uint64_t)UINT32_MAX << 32 * alias.half;
	return register_value_store(process, wave, architecture, &pair,
				    (current_value(process, wave, &pair) & ~mask) |
					    value << 32 * alias.half);
}

static amd_dbgapi_status_t write_target(struct wt_replay_process *process,
					const struct target *target, uint64_t offset, uint64_t size,
					const void *value)
{
	const struct gfx_architecture *architecture =
		wt_known_find(&wt_replayer.known, target->architecture);
	struct gfx_register reg;
	uint64_t whole;

	/* Vector registers have no rules; nor have those of an architecture that we do not know. */
	if (!architecture || !gfx_register_by_id(architecture, target->id, &reg) ||
	    reg.range->size > sizeof(whole) || reg.range->size != target->size)
		return register_bytes_put(process, target->wave, target->id, (uint32_t)offset,
					  value, size);
	whole = current_value(process, target->wave, &reg);
	memcpy((uint8_t *)&whole + offset, value, size);
	if (reg.range->kind == GFX_REGISTER_SHADOW_SGPR)
		return store_shadow(process, target->wave, architecture, &reg, whole);
	return register_value_store(process, target->wave, architecture, &reg, whole);
}

amd_dbgapi_status_t wt_answer_write_register(amd_dbgapi_wave_id_t wave_id,
					     amd_dbgapi_register_id_t register_id,
					     amd_dbgapi_size_t offset, amd_dbgapi_size_t value_size,
					     const void *value)
{
	struct wt_replay_process *process = wt_replay_process_of(WT_OBJECT_WAVE, wave_id.handle);
	struct target target;
	amd_dbgapi_status_t status = register_target_find(process, wave_id, register_id, &target);

	if (process->frozen &&
	    wt_replay_exists(process, WT_OBJECT_WAVE,
			     wt_replay_handle(process, WT_OBJECT_WAVE, wave_id.handle)))
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		status = register_access_check(process, &target, offset, value_size, value, true);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	return write_target(process, &target, offset, value_size, value);
}

void wt_replay_follow_write(struct wt_replay_process *process, uint64_t wave, uint64_t id,
			    uint64_t offset, uint64_t size, const void *value)
{
	struct target target;

	if (register_target_find(process, (amd_dbgapi_wave_id_t){wave},
				 (amd_dbgapi_register_id_t){id},
				 &target) == AMD_DBGAPI_STATUS_SUCCESS &&
	    target.fits && value && offset <= target.size && size <= target.size - offset)
		write_target(process, &target, offset, size, value);
}

amd_dbgapi_status_t wt_answer_wave_register_exists(amd_dbgapi_wave_id_t wave_id,
						   amd_dbgapi_register_id_t register_id,
						   amd_dbgapi_register_exists_t *exists)
{
	struct wt_replay_process *process = wt_replay_process_of(WT_OBJECT_WAVE, wave_id.handle);
	const struct wt_replay_recent_wave *wave;
	struct target target;
	amd_dbgapi_status_t status = register_target_find(process, wave_id, register_id, &target);

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (!exists)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!target.fits)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	wave = recent_wave_find(process, target.wave);
	if (!wave || !wave->registers)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	*exists = has_register(wave, target.id) && !target_is_gone(process, &target)
			  ? AMD_DBGAPI_REGISTER_PRESENT
			  : AMD_DBGAPI_REGISTER_ABSENT;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t list_without_vectors(const struct wt_item *list, size_t *count_ret,
						amd_dbgapi_register_id_t **registers_ret)
{
	uint64_t *kept = calloc(list->handle_count + 1, sizeof(*kept));
	struct wt_replay_register known;
	amd_dbgapi_status_t status;
	size_t count = 0;

	if (!kept)
		return AMD_DBGAPI_STATUS_FATAL;
	for (size_t i = 0; i < list->handle_count; i++)
		if (!replay_register_find(list->handles[i], &known) || !known.vector)
			kept[count++] = list->handles[i];
	status = wt_client_return_list(&wt_replayer.client, kept, count, count_ret, registers_ret);
	free(kept);
	return status;
}

amd_dbgapi_status_t wt_answer_wave_register_list(amd_dbgapi_wave_id_t wave_id,
						 size_t *register_count,
						 amd_dbgapi_register_id_t **registers)
{
	struct wt_replay_process *process = wt_replay_process_of(WT_OBJECT_WAVE, wave_id.handle);
	const uint64_t handle = wt_replay_handle(process, WT_OBJECT_WAVE, wave_id.handle);
	const struct wt_replay_recent_wave *wave =
		wt_replayer.client.initialized ? recent_wave_find(process, handle) : NULL;

	if (wave && wave->registers && wave->has_architecture && register_count && registers &&
	    wave_lost_vectors(process, handle, wave->architecture))
		return list_without_vectors(wave->registers, register_count, registers);
	return wt_replay_owner_list(WT_FUNCTION_WAVE_REGISTER_LIST, WT_OBJECT_WAVE, wave_id.handle,
				    register_count, registers);
}

amd_dbgapi_status_t wt_answer_prefetch_register(amd_dbgapi_wave_id_t wave_id,
						amd_dbgapi_register_id_t register_id,
						amd_dbgapi_size_t register_count)
{
	struct wt_replay_process *process = wt_replay_process_of(WT_OBJECT_WAVE, wave_id.handle);
	struct target target;
	amd_dbgapi_status_t status = register_target_find(process, wave_id, register_id, &target);

	(void)register_count;
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (!wt_timeline_wave_stopped(&process->timeline, target.wave))
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	if (!target.fits)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	return wt_recorded_lists(existing(process, target.wave), target.id) &&
			       !target_is_gone(process, &target)
		       ? AMD_DBGAPI_STATUS_SUCCESS
		       : AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE;
}

amd_dbgapi_status_t
wt_answer_register_is_in_register_class(amd_dbgapi_register_class_id_t register_class_id,
					amd_dbgapi_register_id_t register_id,
					amd_dbgapi_register_class_state_t *register_class_state)
{
	const struct wt_static known = wt_replay_static();
	const struct wt_item *members;
	uint64_t of_class, of_register;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!wt_replay_fact(WT_OBJECT_REGISTER_CLASS, register_class_id.handle))
		return wt_static_register_is_in_register_class(&known, register_class_id,
							       register_id, register_class_state);
	if (!wt_replay_fact(WT_OBJECT_REGISTER, register_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_ID;
	if (!register_class_state)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!wt_recorded_number(&wt_replayer.facts, WT_OBJECT_REGISTER_CLASS,
				register_class_id.handle,
				AMD_DBGAPI_REGISTER_CLASS_INFO_ARCHITECTURE, &of_class) ||
	    !wt_recorded_number(&wt_replayer.facts, WT_OBJECT_REGISTER, register_id.handle,
				AMD_DBGAPI_REGISTER_INFO_ARCHITECTURE, &of_register) ||
	    of_class != of_register)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	members = wt_recorded_function(&wt_replayer.facts, WT_ITEM_LIST,
				       WT_FUNCTION_REGISTER_IS_IN_REGISTER_CLASS,
				       register_class_id.handle);
	if (!members)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	*register_class_state = wt_recorded_lists(members, register_id.handle)
					? AMD_DBGAPI_REGISTER_CLASS_STATE_MEMBER
					: AMD_DBGAPI_REGISTER_CLASS_STATE_NOT_MEMBER;
	return AMD_DBGAPI_STATUS_SUCCESS;
}
