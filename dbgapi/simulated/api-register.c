/* SPDX-License-Identifier: MIT */
/* Register values of a wave. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "dbgapi/architecture/register-rules.h"
#include "dbgapi/simulated/internal.h"
#include "dbgapi/simulated/registers.h"

/* Made in one piece: a stop asks these dozens of times for each wave. */
#define FLAT __attribute__((flatten))

/* A wave, a register, and the architecture that the register is of. */
struct target {
	struct wt_api_wave *wave;
	const struct gfx_architecture *architecture;
	const struct gfx_register_range *range;
	uint32_t index; /* within its kind */
};

/* Nearly always it is one of the wave's own architecture; others are looked at last. */
static bool target_find_register(uint64_t id, struct target *target)
{
	struct wt_static known;
	struct gfx_register reg;

	target->architecture = wt_wave_architecture(target->wave);
	target->range =
		gfx_register_range_find(target->architecture, id, &wt_provider.register_place);
	if (target->range) {
		target->index = target->range->first + ((uint32_t)id - target->range->number);
		return true;
	}
	known = wt_provider_static();
	target->architecture = wt_static_register(&known, (amd_dbgapi_register_id_t){id}, &reg);
	if (!target->architecture)
		return false;
	target->range = reg.range;
	target->index = reg.index;
	return true;
}

static amd_dbgapi_status_t register_find_target(amd_dbgapi_wave_id_t wave_id,
						amd_dbgapi_register_id_t register_id,
						struct target *ret)
{
	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	ret->wave = wt_wave_find(wave_id);
	if (!ret->wave)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	return target_find_register(register_id.handle, ret)
		       ? AMD_DBGAPI_STATUS_SUCCESS
		       : AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_ID;
}

static bool target_is_there(const struct target *target)
{
	return wt_register_exists(target->wave->device->gfx, target->range, target->index);
}

static bool fits(const struct target *target)
{
	return target->architecture == wt_wave_architecture(target->wave);
}

/* Registers that are saved with the state of a wave of a core are at hand; the rest may be missing from it. */
static bool is_at_hand(const struct target *target)
{
	struct wt_device *device = target->wave->entry.process->device;

	return !wt_register_is_saved_apart(target->range->kind) || !device->operations->load_wave ||
	       device->operations->load_wave(device, target->wave->device);
}

/*
 * The checks of read_register and write_register beyond register_find_target(), in their order. What is written in the middle of
 * a displaced step might be lost with it.
 */
static amd_dbgapi_status_t target_check_access(const struct target *target, uint64_t offset,
					       uint64_t size, const void *value, bool writes)
{
	uint64_t register_size = target->range->size;

	if (!wt_wave_is_stopped(target->wave))
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	if (writes && target->wave->displaced)
		return AMD_DBGAPI_STATUS_ERROR_DISPLACED_STEPPING_ACTIVE;
	if (!value || !size)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!fits(target) || offset > register_size || size > register_size - offset)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	if (!target_is_there(target))
		return AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE;
	if (target->wave->entry.process->broken &&
	    (writes || wt_register_is_saved_apart(target->range->kind)))
		return AMD_DBGAPI_STATUS_FATAL;
	return is_at_hand(target) ? AMD_DBGAPI_STATUS_SUCCESS
				  : AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE;
}

/* ---- Reading ---- */

/* Find the next registers that are read of this wave at once, unless its state may have to be loaded for any of them. */
static void begin_reading(const struct wt_api_wave *wave)
{
	const struct gfx_wave *gfx = wave->device->gfx;

	if (wt_provider.reading.wave == wave || wave->entry.process->device->operations->load_wave)
		return;
	wt_register_shape_take(&wt_provider.reading.shape, gfx);
	wt_provider.reading.wave = wave;
	wt_provider.reading.files[WT_REGISTER_FILE_WAVE] = (const uint32_t *)(const void *)gfx;
	wt_provider.reading.files[WT_REGISTER_FILE_VGPRS] = gfx->vgprs;
	wt_provider.reading.files[WT_REGISTER_FILE_AGPRS] = gfx->agprs;
}

static __attribute__((noinline)) amd_dbgapi_status_t read_any(amd_dbgapi_wave_id_t wave_id,
							      amd_dbgapi_register_id_t id,
							      uint64_t offset, size_t size,
							      void *value)
{
	struct target target;
	amd_dbgapi_status_t status = register_find_target(wave_id, id, &target);

	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		status = target_check_access(&target, offset, size, value, false);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	begin_reading(target.wave);
	wt_register_get(target.wave->device->gfx, target.range, target.index, offset, size, value);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/*
 * A whole register of the wave that was read last, where it is kept as it is shown; NULL if it is not that: then it may be
 * nothing that can be read.
 */
static const uint32_t *wave_find_register(amd_dbgapi_wave_id_t wave_id, uint64_t id, size_t size)
{
	const struct wt_api_wave *wave = wt_provider.reading.wave;
	const struct wt_register_place *place;

	if (!wave || wave->entry.handle != wave_id.handle || !wt_wave_is_stopped(wave) ||
	    id >> 32 != wt_provider.reading.shape.architecture->id ||
	    (uint32_t)id >= WT_REGISTER_NUMBERS)
		return NULL;
	place = &wt_provider.reading.shape.places[(uint32_t)id];
	return place->file && size == place->words * sizeof(uint32_t)
		       ? wt_provider.reading.files[place->file] + place->word
		       : NULL;
}

amd_dbgapi_status_t amd_dbgapi_read_register(amd_dbgapi_wave_id_t wave_id,
					     amd_dbgapi_register_id_t register_id,
					     amd_dbgapi_size_t offset, amd_dbgapi_size_t value_size,
					     void *value)
{
	const uint32_t *place = wave_find_register(wave_id, register_id.handle, value_size);

	if (!place || offset || !value)
		return read_any(wave_id, register_id, offset, value_size, value);
	if (value_size == sizeof(*place))
		memcpy(value, place, sizeof(*place));
	else
		memcpy(value, place, value_size);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t amd_dbgapi_write_register(amd_dbgapi_wave_id_t wave_id,
					      amd_dbgapi_register_id_t register_id,
					      amd_dbgapi_size_t offset,
					      amd_dbgapi_size_t value_size, const void *value)
{
	uint8_t bytes[WT_REGISTER_MAX_BYTES];
	struct target target;
	amd_dbgapi_status_t status = register_find_target(wave_id, register_id, &target);
	const struct wt_api_wave *wave =
		wt_provider.client.initialized ? wt_wave_find(wave_id) : NULL;

	if (wave && wave->entry.process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		status = target_check_access(&target, offset, value_size, value, true);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	wt_register_get(target.wave->device->gfx, target.range, target.index, 0, target.range->size,
			bytes);
	memcpy(bytes + offset, value, value_size);
	target.wave->device->changed = true;
	wt_register_set(target.wave->device->gfx, target.range, target.index, bytes);
	wt_wave_written(target.wave);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

FLAT amd_dbgapi_status_t amd_dbgapi_wave_register_exists(amd_dbgapi_wave_id_t wave_id,
							 amd_dbgapi_register_id_t register_id,
							 amd_dbgapi_register_exists_t *exists)
{
	struct target target;
	amd_dbgapi_status_t status = register_find_target(wave_id, register_id, &target);

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (!exists)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!fits(&target))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	*exists =
		target_is_there(&target) ? AMD_DBGAPI_REGISTER_PRESENT : AMD_DBGAPI_REGISTER_ABSENT;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static size_t list_registers(const struct gfx_wave *wave, uint64_t *ids)
{
	struct gfx_register reg;
	size_t count = 0;

	for (size_t i = 0; gfx_register_at(wave->architecture, i, &reg); i++)
		if (wt_register_exists(wave, reg.range, reg.index))
			ids[count++] = reg.id;
	return count;
}

amd_dbgapi_status_t amd_dbgapi_wave_register_list(amd_dbgapi_wave_id_t wave_id,
						  size_t *register_count,
						  amd_dbgapi_register_id_t **registers)
{
	wt_cleanup_free uint64_t *ids = NULL;
	const struct wt_api_wave *wave;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	wave = wt_wave_find(wave_id);
	if (!wave)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	if (!register_count || !registers)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	ids = calloc(gfx_register_count(wt_wave_architecture(wave)), sizeof(*ids));
	if (!ids)
		return AMD_DBGAPI_STATUS_FATAL;
	return wt_client_return_list(&wt_provider.client, ids,
				     list_registers(wave->device->gfx, ids), register_count,
				     registers);
}

/* Registers are at hand; only what would be an error is one. */
amd_dbgapi_status_t amd_dbgapi_prefetch_register(amd_dbgapi_wave_id_t wave_id,
						 amd_dbgapi_register_id_t register_id,
						 amd_dbgapi_size_t register_count)
{
	struct target target;
	amd_dbgapi_status_t status = register_find_target(wave_id, register_id, &target);

	(void)register_count;
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (!wt_wave_is_stopped(target.wave))
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	if (!fits(&target))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	return target_is_there(&target) ? AMD_DBGAPI_STATUS_SUCCESS
					: AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE;
}
