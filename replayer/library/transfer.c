/* SPDX-License-Identifier: MIT */
/* Memory and addresses, by the API's rules. */
#include <string.h>

#include "replayer/library/debuggee.h"
#include "replayer/library/replay-wave.h"
#include "replayer/timeline/timeline.h"

/* The level since which memory of segments, and of generic addresses, is refused to who names no wave. */
#define WAVE_NEEDED_LEVEL 79u

/* One transfer: `write` is NULL for a read, `read` for a write. */
struct transfer {
	struct wt_access access;
	enum gfx_space space; /* as the address means it: never the generic one */
	uint64_t address;
	void *read;
	const void *write;
};

/* The space that a recorded handle names; false if it names none, or one we know nothing of. */
static bool recorded_space_find(uint64_t handle, enum gfx_space *space_ret)
{
	const struct wt_answer *name =
		wt_recorded_answer(&wt_replayer.facts, WT_OBJECT_ADDRESS_SPACE, handle,
				   AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME);
	char text[32];

	if (!wt_replayer.reader || !name || name->status != AMD_DBGAPI_STATUS_SUCCESS ||
	    !name->size || name->size >= sizeof(text))
		return false;
	memcpy(text, name->value, name->size);
	text[name->size] = '\0';
	return wt_table_names_space(text, space_ret);
}

/* Whether the architecture of a wave has an address space. */
static bool wave_has_space(const struct wt_replay_process *process, uint64_t wave, uint64_t space)
{
	uint64_t architecture;

	return wt_recorded_number(&process->timeline.recorded, WT_OBJECT_WAVE, wave,
				  AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, &architecture) &&
	       wt_recorded_lists(wt_recorded_function(&wt_replayer.facts, WT_ITEM_LIST,
						      WT_FUNCTION_ARCHITECTURE_ADDRESS_SPACE_LIST,
						      architecture),
				 space);
}

/* @wave: recorded handle. NULL: the space is none that is known. */
static const struct wt_replay_recent_access *recent_access_find(struct wt_replay_process *process,
								uint64_t wave, uint64_t space_id)
{
	struct wt_replay_recent_access *recent = &process->recent_access;
	enum gfx_space space;

	if (recent->wave == wave && recent->space_id == space_id && space_id &&
	    recent->state_changes == process->timeline.state_changes)
		return recent;
	if (!recorded_space_find(space_id, &space))
		return NULL;
	*recent = (struct wt_replay_recent_access){
		.state_changes = process->timeline.state_changes,
		.wave = wave,
		.space_id = space_id,
		.space = space,
	};
	if (!wt_replay_exists(process, WT_OBJECT_WAVE, wave))
		wave = 0;
	recent->through = wt_access_init(&process->timeline.recorded, process->handle, wave, 0);
	recent->wave_has_space = wave && wave_has_space(process, wave, space_id);
	return recent;
}

/* Without a wave the newer libraries have global memory alone, and do not look at what a generic address means. */
static amd_dbgapi_status_t no_wave_check(amd_dbgapi_wave_id_t wave_id, amd_dbgapi_lane_id_t lane,
					 enum gfx_space space)
{
	if (wave_id.handle != AMD_DBGAPI_WAVE_NONE.handle)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	if (lane != AMD_DBGAPI_LANE_NONE)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID;
	return space != GFX_SPACE_GLOBAL && wt_replay_recorded_level() >= WAVE_NEEDED_LEVEL
		       ? AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY
		       : AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t access_wave_check(const struct wt_replay_process *process,
					     const struct wt_access *access,
					     amd_dbgapi_lane_id_t lane, bool has_space)
{
	if (!wt_timeline_wave_stopped(&process->timeline, access->wave))
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	if (!has_space)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	if (lane != AMD_DBGAPI_LANE_NONE && lane >= access->lane_count)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* Generic addresses go by the architecture that the space is of, wave or no wave. */
static void generic_transfer_lower(struct transfer *transfer, uint64_t space_id)
{
	struct wt_static known = wt_replay_static();
	const struct gfx_architecture *owner;
	const struct gfx_address_space *space =
		wt_static_address_space(&known, (amd_dbgapi_address_space_id_t){space_id}, &owner);

	if (!space)
		return;
	wt_address_lower(owner, space, transfer->address, &space, &transfer->address);
	transfer->space = space->space;
}

static amd_dbgapi_status_t transfer_dependency_check(const struct transfer *transfer)
{
	if (transfer->space == GFX_SPACE_GLOBAL)
		return AMD_DBGAPI_STATUS_SUCCESS;
	if (transfer->space == GFX_SPACE_PRIVATE_LANE &&
	    transfer->access.lane == AMD_DBGAPI_LANE_NONE)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID;
	return transfer->access.wave ? AMD_DBGAPI_STATUS_SUCCESS
				     : AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
}

/* Finds where a wave's private memory is, as the recorded library said; false if the trace does not have that. */
static bool private_memory_find(const struct wt_recorded *recorded, uint64_t wave,
				uint64_t *address_ret, uint64_t *size_ret)
{
	const struct wt_item *place = wt_recorded_plain(recorded, WT_ITEM_PRIVATE_PLACE, wave);

	if (!place || place->number_count != 2)
		return false;
	*address_ret = place->numbers[0];
	*size_ret = place->numbers[1];
	return true;
}

/*
 * Families whose hardware sets flat_scratch up say so by themselves where private memory is: a library does not believe one that the
 * client has written, and then the wave has none.
 */
static bool private_memory_is_refused(const struct wt_replay_process *process, uint64_t wave)
{
	const struct wt_recorded *recorded = &process->timeline.recorded;
	const struct gfx_architecture *known;
	uint64_t architecture, base, size, scratch, written = 0;
	const struct wt_bytes *over;

	if (!process->timeline.overlay.entries || !wave ||
	    !wt_recorded_number(recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
				&architecture))
		return false;
	known = wt_known_find(&wt_replayer.known, architecture);
	if (!known || (!known->trap_after_instruction && known->generation < GFX_GENERATION_11) ||
	    !private_memory_find(recorded, wave, &base, &size))
		return false;
	scratch = wt_replay_register_named(process, wave,
					   known->generation < GFX_GENERATION_12 ? "flat_scratch"
										 : "scratch_base");
	over = wt_overlay_get(
		&process->timeline.overlay,
		&(struct wt_key){.type = WT_ITEM_REGISTERS, .owner = wave, .address = scratch});
	if (!scratch || !over || over->size != sizeof(written))
		return false;
	memcpy(&written, over->data, sizeof(written));
	return written != base;
}

/* The trace is never written: what the client writes is kept in the overlay, or by the host process if there is one. */
static amd_dbgapi_status_t access_transfer_run(struct wt_replay_process *process,
					       struct transfer *transfer,
					       amd_dbgapi_size_t *size_ret)
{
	bool hosted = process->debuggee.present && transfer->space == GFX_SPACE_GLOBAL;
	size_t size = *size_ret;

	if (process->broken && size && transfer->space == GFX_SPACE_LOCAL)
		return AMD_DBGAPI_STATUS_FATAL;
	if (size &&
	    (transfer->space == GFX_SPACE_PRIVATE_LANE ||
	     transfer->space == GFX_SPACE_PRIVATE_WAVE) &&
	    private_memory_is_refused(process, transfer->access.wave)) {
		*size_ret = 0;
		return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
	}
	if (hosted && transfer->read)
		*size_ret = wt_debuggee_read(process, &transfer->access, transfer->address,
					     transfer->read, size);
	else if (hosted)
		*size_ret = wt_debuggee_write(process, &transfer->access, transfer->address,
					      transfer->write, size);
	else if (transfer->read)
		*size_ret = wt_access_read(&transfer->access, transfer->space, transfer->address,
					   transfer->read, size);
	else
		*size_ret =
			wt_access_write(&transfer->access, &process->timeline.overlay,
					transfer->space, transfer->address, transfer->write, size);
	if (!size || *size_ret)
		return AMD_DBGAPI_STATUS_SUCCESS;
	/* Clients of levels that cannot tell these apart get the other one. */
	return wt_access_is_bad(&transfer->access, transfer->space, transfer->address)
		       ? AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS
		       : AMD_DBGAPI_STATUS_ERROR_MEMORY_UNAVAILABLE;
}

static amd_dbgapi_status_t
checked_transfer_run(struct wt_replay_process *process, struct transfer *transfer,
		     amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
		     amd_dbgapi_lane_id_t lane, amd_dbgapi_address_space_id_t space,
		     amd_dbgapi_size_t *size_ret)
{
	amd_dbgapi_status_t status;
	const struct wt_replay_recent_access *access;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!wt_replay_is_process(process, process_id))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if ((!transfer->read && !transfer->write) || !size_ret)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (transfer->write && process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	access = recent_access_find(
		process, wt_replay_handle(process, WT_OBJECT_WAVE, wave_id.handle), space.handle);
	if (!access)
		return wt_replay_fact(WT_OBJECT_ADDRESS_SPACE, space.handle)
			       ? AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS
			       : AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_ID;
	transfer->space = access->space;
	transfer->access = access->through;
	transfer->access.lane = lane;
	transfer->access.images = wt_replay_images(process);
	status = transfer->access.wave ? access_wave_check(process, &transfer->access, lane,
							   access->wave_has_space)
				       : no_wave_check(wave_id, lane, transfer->space);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	generic_transfer_lower(transfer, space.handle);
	status = transfer_dependency_check(transfer);
	return status == AMD_DBGAPI_STATUS_SUCCESS
		       ? access_transfer_run(process, transfer, size_ret)
		       : status;
}

amd_dbgapi_status_t wt_answer_read_memory(amd_dbgapi_process_id_t process_id,
					  amd_dbgapi_wave_id_t wave_id,
					  amd_dbgapi_lane_id_t lane_id,
					  amd_dbgapi_address_space_id_t address_space_id,
					  amd_dbgapi_segment_address_t segment_address,
					  amd_dbgapi_size_t *value_size, void *value)
{
	struct wt_replay_process *process =
		wt_replay_process_of(WT_OBJECT_PROCESS, process_id.handle);
	struct transfer transfer = {.read = value, .address = segment_address};

	return checked_transfer_run(process, &transfer, process_id, wave_id, lane_id,
				    address_space_id, value_size);
}

amd_dbgapi_status_t wt_answer_write_memory(amd_dbgapi_process_id_t process_id,
					   amd_dbgapi_wave_id_t wave_id,
					   amd_dbgapi_lane_id_t lane_id,
					   amd_dbgapi_address_space_id_t address_space_id,
					   amd_dbgapi_segment_address_t segment_address,
					   amd_dbgapi_size_t *value_size, const void *value)
{
	struct wt_replay_process *process =
		wt_replay_process_of(WT_OBJECT_PROCESS, process_id.handle);
	struct transfer transfer = {.write = value, .address = segment_address};

	return checked_transfer_run(process, &transfer, process_id, wave_id, lane_id,
				    address_space_id, value_size);
}

/*
 * Spaces of an architecture that the trace describes, but our tables do not know, are not available: their handles are
 * no wrong ones.
 */
static amd_dbgapi_status_t space_status_of(amd_dbgapi_status_t status,
					   amd_dbgapi_address_space_id_t space,
					   amd_dbgapi_address_space_id_t other)
{
	const struct wt_static known = wt_replay_static();
	const struct gfx_architecture *owner;

	if (status != AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_ID)
		return status;
	if (!wt_replay_fact(WT_OBJECT_ADDRESS_SPACE, space.handle) ||
	    !wt_replay_fact(WT_OBJECT_ADDRESS_SPACE, other.handle))
		return status;
	return wt_static_address_space(&known, space, &owner) &&
			       wt_static_address_space(&known, other, &owner)
		       ? status
		       : AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
}

amd_dbgapi_status_t wt_answer_address_dependency_0_64(
	amd_dbgapi_address_space_id_t address_space_id,
	amd_dbgapi_segment_address_t segment_address,
	amd_dbgapi_segment_address_dependency_t *segment_address_dependency)
{
	struct wt_static known = wt_replay_static();

	return space_status_of(wt_static_address_dependency(&known, address_space_id,
							    segment_address,
							    segment_address_dependency),
			       address_space_id, address_space_id);
}

/*
 * If the trace does not say where a wave's private memory is, and how large, there is at least as much for each lane as the
 * dispatch asked for, if that is known, and it begins where hardware sets a register up that says so. Elsewhere programs do
 * that, if they need it, and no register says where it is.
 */
static void private_memory_guess(const struct wt_replay_process *process,
				 const struct wt_recorded *recorded, uint64_t wave,
				 struct wt_address_wave *storage)
{
	uint64_t scratch = wt_replay_register_named(process, wave, "flat_scratch");
	uint64_t dispatch, size;
	const uint8_t *bytes;
	uint32_t width;

	storage->scratch_unplaced = storage->scratch_unsized = true;
	if (wt_recorded_number(recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH,
			       &dispatch) &&
	    wt_recorded_number(recorded, WT_OBJECT_DISPATCH, dispatch,
			       AMD_DBGAPI_DISPATCH_INFO_PRIVATE_SEGMENT_SIZE, &size) &&
	    size <= UINT32_MAX)
		storage->scratch_size = size * storage->lane_count;
	if (!storage->architecture->trap_after_instruction || !scratch ||
	    wt_recorded_register(recorded, wave, scratch, &bytes, &width) !=
		    AMD_DBGAPI_STATUS_SUCCESS ||
	    width != sizeof(storage->scratch_base))
		return;
	memcpy(&storage->scratch_base, bytes, sizeof(storage->scratch_base));
	storage->scratch_unplaced = false;
}

/* Finds out what a conversion has to know of a wave; NULL if the handle names none. */
static const struct wt_address_wave *conversion_wave_find(struct wt_replay_process *process,
							  amd_dbgapi_wave_id_t id,
							  struct wt_address_wave *storage)
{
	const struct wt_recorded *recorded = &process->timeline.recorded;
	struct wt_access access;
	uint64_t architecture;

	id.handle = wt_replay_handle(process, WT_OBJECT_WAVE, id.handle);
	if (!wt_replay_exists(process, WT_OBJECT_WAVE, id.handle))
		return NULL;
	access = wt_access_init(recorded, process->handle, id.handle, 0);
	*storage = (struct wt_address_wave){.lane_count = access.lane_count};
	if (wt_recorded_number(recorded, WT_OBJECT_WAVE, id.handle,
			       AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, &architecture))
		storage->architecture = wt_known_find(&wt_replayer.known, architecture);
	if (!storage->architecture || !storage->lane_count)
		return NULL;
	if (!private_memory_find(recorded, id.handle, &storage->scratch_base,
				 &storage->scratch_size))
		private_memory_guess(process, recorded, id.handle, storage);
	if (private_memory_is_refused(process, id.handle))
		storage->scratch_size = 0;
	return storage;
}

/* From a wave's private memory to global memory: the trace says where that is, also of an architecture that we do not know. */
static void convert_recorded(struct wt_replay_process *process, amd_dbgapi_wave_id_t id,
			     amd_dbgapi_address_space_id_t from, uint64_t address,
			     amd_dbgapi_address_space_id_t to, uint64_t *address_ret,
			     uint64_t *bytes_ret, amd_dbgapi_status_t *status_ret)
{
	const uint64_t wave = wt_replay_handle(process, WT_OBJECT_WAVE, id.handle);
	enum gfx_space from_space, to_space;
	uint64_t base, size;

	if (!wt_replayer.client.initialized || !address_ret || !bytes_ret ||
	    !recorded_space_find(from.handle, &from_space) ||
	    from_space != GFX_SPACE_PRIVATE_WAVE || !recorded_space_find(to.handle, &to_space) ||
	    to_space != GFX_SPACE_GLOBAL || !wt_replay_exists(process, WT_OBJECT_WAVE, wave) ||
	    !private_memory_find(&process->timeline.recorded, wave, &base, &size))
		return;
	*status_ret = AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_CONVERSION;
	if (address >= size)
		return;
	*address_ret = base + address;
	*bytes_ret = size - address;
	*status_ret = AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t
wt_answer_address_dependency(amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
			     amd_dbgapi_address_space_id_t address_space_id,
			     amd_dbgapi_segment_address_t segment_address,
			     amd_dbgapi_segment_address_dependency_t *segment_address_dependency)
{
	struct wt_replay_process *process =
		wt_replay_process_of(WT_OBJECT_PROCESS, process_id.handle);
	struct wt_static known = wt_replay_static();
	struct wt_address_wave wave;

	return space_status_of(
		wt_static_address_dependency_of(&known, wt_replay_is_process(process, process_id),
						conversion_wave_find(process, wave_id, &wave),
						wave_id, address_space_id, segment_address,
						segment_address_dependency),
		address_space_id, address_space_id);
}

amd_dbgapi_status_t
wt_answer_convert_address_space(amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
				amd_dbgapi_lane_id_t lane_id,
				amd_dbgapi_address_space_id_t source_address_space_id,
				amd_dbgapi_segment_address_t source_segment_address,
				amd_dbgapi_address_space_id_t destination_address_space_id,
				amd_dbgapi_segment_address_t *destination_segment_address,
				amd_dbgapi_size_t *destination_contiguous_bytes)
{
	struct wt_replay_process *process =
		wt_replay_process_of(WT_OBJECT_PROCESS, process_id.handle);
	struct wt_static known = wt_replay_static();
	struct wt_address_wave wave;
	amd_dbgapi_status_t status =
		space_status_of(wt_static_convert_address_space_of(
					&known, wt_replay_is_process(process, process_id),
					conversion_wave_find(process, wave_id, &wave), wave_id,
					lane_id, source_address_space_id, source_segment_address,
					destination_address_space_id, destination_segment_address,
					destination_contiguous_bytes),
				source_address_space_id, destination_address_space_id);

	if (status == AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE)
		convert_recorded(process, wave_id, source_address_space_id, source_segment_address,
				 destination_address_space_id, destination_segment_address,
				 destination_contiguous_bytes, &status);
	return status;
}

amd_dbgapi_status_t
wt_answer_convert_address_space_0_62(amd_dbgapi_wave_id_t wave_id, amd_dbgapi_lane_id_t lane_id,
				     amd_dbgapi_address_space_id_t source_address_space_id,
				     amd_dbgapi_segment_address_t source_segment_address,
				     amd_dbgapi_address_space_id_t destination_address_space_id,
				     amd_dbgapi_segment_address_t *destination_segment_address,
				     amd_dbgapi_size_t *destination_contiguous_bytes)
{
	struct wt_replay_process *process = wt_replay_process_of(WT_OBJECT_WAVE, wave_id.handle);
	struct wt_static known = wt_replay_static();
	struct wt_address_wave wave;

	amd_dbgapi_status_t status =
		space_status_of(wt_static_convert_address_space(
					&known, conversion_wave_find(process, wave_id, &wave),
					wave_id, lane_id, source_address_space_id,
					source_segment_address, destination_address_space_id,
					destination_segment_address, destination_contiguous_bytes),
				source_address_space_id, destination_address_space_id);

	if (status == AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE)
		convert_recorded(process, wave_id, source_address_space_id, source_segment_address,
				 destination_address_space_id, destination_segment_address,
				 destination_contiguous_bytes, &status);
	return status;
}

amd_dbgapi_status_t
wt_answer_address_is_in_address_class(amd_dbgapi_wave_id_t wave_id, amd_dbgapi_lane_id_t lane_id,
				      amd_dbgapi_address_space_id_t address_space_id,
				      amd_dbgapi_segment_address_t segment_address,
				      amd_dbgapi_address_class_id_t address_class_id,
				      amd_dbgapi_address_class_state_t *address_class_state)
{
	struct wt_replay_process *process = wt_replay_process_of(WT_OBJECT_WAVE, wave_id.handle);
	struct wt_static known = wt_replay_static();
	struct wt_address_wave wave;
	amd_dbgapi_status_t status;

	status = wt_static_address_is_in_address_class(
		&known, conversion_wave_find(process, wave_id, &wave), wave_id, lane_id,
		address_space_id, segment_address, address_class_id, address_class_state);
	if (status == AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_CLASS_ID &&
	    wt_replay_fact(WT_OBJECT_ADDRESS_CLASS, address_class_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	return space_status_of(status, address_space_id, address_space_id);
}
