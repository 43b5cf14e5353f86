/* SPDX-License-Identifier: MIT */
#include "replayer/core/core.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "dbgapi/core/dump-write.h"
#include "device/queue-structure.h"
#include "device/save-area/link-map.h"
#include "device/save-area/note.h"
#include "replayer/core/internal.h"
#include "replayer/recorded/images.h"

#define ALIGNED UINT64_C(4096)

static const char what[] = "cannot make a core";

/** Objects in the order in which they were created, which a reader of the core numbers them in. @handles_ret: the caller's. */
static struct wt_error *list_created(const struct wt_view *view, enum wt_object object,
				     uint64_t **handles_ret, size_t *count_ret)
{
	const uint64_t *listed;
	size_t count = wt_view_objects(view, object, &listed);
	uint64_t *handles = calloc(count + 1, sizeof(*handles));

	if (!handles)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count; i++)
		handles[i] = listed[i];
	qsort(handles, count, sizeof(*handles), wt_compare_u64);
	*handles_ret = handles;
	*count_ret = count;
	return NULL;
}

/* ---- Memory that the stop has ---- */

static struct wt_error *put_recorded(struct wt_making *making)
{
	uint64_t address = 0, from, to;
	struct wt_error *error = NULL;

	while (!error && wt_view_memory_next(making->view, "global", 0, address, &from, &to)) {
		uint64_t page = from / WT_PAGE * WT_PAGE;
		size_t size = 0;
		const uint8_t *data = wt_view_page(making->view, "global", 0, page, &size);

		if (data && from - page < size)
			error = wt_pieces_add(&making->pieces, from, data + (from - page),
					      size - (size_t)(from - page));
		address = page + WT_PAGE;
		if (address < page)
			break;
	}
	return error;
}

/* Puts what a replay takes from code objects where nothing was recorded. */
static struct wt_error *put_images(struct wt_making *making, struct wt_images *images)
{
	struct wt_error *error = wt_images_load(images, wt_view_recorded(making->view));

	for (size_t i = 0; i < images->count && !error; i++)
		error = wt_pieces_add(&making->pieces, images->ranges[i].address,
				      images->ranges[i].data, (size_t)images->ranges[i].size);
	return error;
}

/* ---- Code objects ---- */

static struct wt_error *making_list_objects(struct wt_making *making, struct wt_link_map *map)
{
	wt_cleanup_free uint64_t *handles = NULL;
	size_t count = 0;
	struct wt_error *error =
		list_created(making->view, WT_OBJECT_CODE_OBJECT, &handles, &count);

	if (error)
		return error;
	map->version = WT_R_DEBUG_VERSION_MAX;
	map->entries = calloc(count + 1, sizeof(*map->entries));
	if (!map->entries)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count; i++) {
		const char *uri = wt_view_text(making->view, WT_OBJECT_CODE_OBJECT, handles[i],
					       AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME);
		const uint8_t *image;
		size_t size;

		if (!wt_view_image(making->view, handles[i], &image, &size))
			making->done->code_files++;
		map->entries[i].load_address =
			wt_view_number_or(making->view, WT_OBJECT_CODE_OBJECT, handles[i],
					  AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, 0);
		map->entries[i].uri = strdup(uri ? uri : "");
		if (!map->entries[i].uri)
			return &wt_error_no_memory;
		map->count++;
	}
	making->done->code_objects = count;
	return NULL;
}

/* ---- Queues ---- */

static bool has_wave(const struct wt_making *making, uint64_t dispatch)
{
	for (size_t i = 0; i < making->queue_count; i++)
		for (size_t j = 0; j < making->queues[i].wave_count; j++)
			if (making->queues[i].waves[j].dispatch == dispatch)
				return true;
	return false;
}

static void count_dispatches(struct wt_making *making)
{
	const uint64_t *handles;
	size_t count = wt_view_objects(making->view, WT_OBJECT_DISPATCH, &handles);

	for (size_t i = 0; i < count; i++)
		making->done->dispatches += !has_wave(making, handles[i]);
}

static struct wt_error *take_queues(struct wt_making *making)
{
	wt_cleanup_free uint64_t *handles = NULL;
	size_t count = 0;
	struct wt_error *error = list_created(making->view, WT_OBJECT_QUEUE, &handles, &count);

	if (error)
		return error;
	making->queues = calloc(count + 1, sizeof(*making->queues));
	if (!making->queues)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count && !error; i++)
		error = wt_making_queue_take(making, handles[i],
					     &making->queues[making->queue_count++]);
	making->done->queues = count;
	count_dispatches(making);
	return error;
}

/* ---- What a core needs besides ---- */

static uint64_t aligned(uint64_t size)
{
	return (size + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static uint64_t queue_area_bytes(const struct wt_making_queue *queue)
{
	return aligned(queue->area.size);
}

/* Addresses of private memory that a register says. */
static void reserve_private(struct wt_making *making)
{
	for (size_t i = 0; i < making->queue_count; i++) {
		const struct wt_making_queue *queue = &making->queues[i];

		if (queue->scratch_placed)
			making->reserved[making->pieces.reserved_count++] = (struct wt_pieces_run){
				queue->scratch_base, wt_making_queue_scratch(queue)};
	}
	making->pieces.reserved = making->reserved;
}

/* Places the parts: r_debug, then structure, save area and private memory of each queue. */
static struct wt_error *core_parts_place(struct wt_making *making)
{
	uint64_t size = aligned(making->objects.size), address;

	for (size_t i = 0; i < making->queue_count; i++) {
		const struct wt_making_queue *queue = &making->queues[i];

		size += ALIGNED + queue_area_bytes(queue);
		size += queue->scratch_placed ? 0 : wt_making_queue_scratch(queue);
	}
	if (!wt_pieces_find_room(&making->pieces, size, &address))
		return wt_error_create(WT_ERROR_LIMIT, what, NULL, "there is no room in memory");
	making->r_debug = address;
	address += aligned(making->objects.size);
	for (size_t i = 0; i < making->queue_count; i++) {
		struct wt_making_queue *queue = &making->queues[i];

		queue->structure_address = address;
		queue->save_address = address + ALIGNED;
		address += ALIGNED + queue_area_bytes(queue);
		if (queue->scratch_placed)
			continue;
		queue->scratch_base = address;
		address += wt_making_queue_scratch(queue);
	}
	return NULL;
}

/* Its size does not depend on where it goes. */
static struct wt_error *build_objects(struct wt_making *making, const struct wt_link_map *map)
{
	wt_buffer_clear(&making->objects);
	wt_link_map_build(map, making->r_debug, &making->objects);
	return making->objects.failed ? &wt_error_no_memory : NULL;
}

static struct wt_error *build_parts(struct wt_making *making, const struct wt_link_map *map)
{
	struct wt_error *error = build_objects(making, map);

	for (size_t i = 0; i < making->queue_count && !error; i++)
		error = wt_making_queue_build(&making->queues[i]);
	making->reserved = calloc(making->queue_count + 1, sizeof(*making->reserved));
	if (!error && !making->reserved)
		error = &wt_error_no_memory;
	if (error)
		return error;
	reserve_private(making);
	error = core_parts_place(making);
	return error ? error : build_objects(making, map);
}

static struct wt_error *put_parts(struct wt_making *making)
{
	struct wt_error *error = wt_pieces_add(&making->pieces, making->r_debug,
					       making->objects.data, making->objects.size);

	for (size_t i = 0; i < making->queue_count && !error; i++) {
		struct wt_making_queue *queue = &making->queues[i];

		error = wt_making_queue_put(making, queue);
		if (!error)
			error = wt_pieces_add(&making->pieces, queue->structure_address,
					      queue->structure.data, queue->structure.size);
		if (!error)
			error = wt_pieces_add(&making->pieces, queue->save_address,
					      queue->area.data, queue->area.size);
	}
	return error;
}

/* ---- The note ---- */

static uint32_t note_type(uint32_t type)
{
	switch (type) {
	case AMD_DBGAPI_OS_QUEUE_TYPE_AMD_PM4:
		return WT_CORE_NOTE_QUEUE_PM4;
	case AMD_DBGAPI_OS_QUEUE_TYPE_AMD_SDMA:
		return WT_CORE_NOTE_QUEUE_SDMA;
	case AMD_DBGAPI_OS_QUEUE_TYPE_AMD_SDMA_XGMI:
		return WT_CORE_NOTE_QUEUE_SDMA_XGMI;
	default:
		return WT_CORE_NOTE_QUEUE_AQL;
	}
}

static struct wt_core_note_queue core_queue_describe(const struct wt_making_queue *queue)
{
	return (struct wt_core_note_queue){
		.ring_address = queue->ring_address,
		.write_pointer_address = queue->structure_address + WT_QUEUE_STRUCTURE_WRITE_ID,
		.read_pointer_address = queue->structure_address + WT_QUEUE_STRUCTURE_READ_ID,
		.save_address = queue->save_address,
		.queue_id = queue->os_id,
		.gpu_id = queue->gpu_id,
		.ring_size = (uint32_t)queue->ring_size,
		.type = note_type(queue->type),
		.save_size = (uint32_t)queue->area.size,
	};
}

/* @agent_ret: false if we do not know its architecture. */
static bool core_agent_describe(const struct wt_view *view, uint64_t handle,
				const struct gfx_architecture *architecture,
				struct wt_core_note_agent *agent_ret)
{
	const struct wt_save_area_layout *layout =
		architecture ? wt_save_area_layout_find(architecture) : NULL;
	struct wt_core_note_agent agent;

	if (!architecture)
		return false;
	agent = wt_core_note_agent_init(architecture);
	if (layout)
		agent.array_count = UINT32_C(1) << layout->engine.count;
	agent.gpu_id = wt_making_number(view, WT_OBJECT_AGENT, handle, AMD_DBGAPI_AGENT_INFO_OS_ID);
	agent.location =
		wt_making_number(view, WT_OBJECT_AGENT, handle, AMD_DBGAPI_AGENT_INFO_PCI_SLOT);
	agent.vendor = wt_making_number(view, WT_OBJECT_AGENT, handle,
					AMD_DBGAPI_AGENT_INFO_PCI_VENDOR_ID);
	agent.device = wt_making_number(view, WT_OBJECT_AGENT, handle,
					AMD_DBGAPI_AGENT_INFO_PCI_DEVICE_ID);
	agent.simd_count = wt_making_number(view, WT_OBJECT_AGENT, handle,
					    AMD_DBGAPI_AGENT_INFO_EXECUTION_UNIT_COUNT);
	agent.waves_per_simd = wt_making_number(view, WT_OBJECT_AGENT, handle,
						AMD_DBGAPI_AGENT_INFO_MAX_WAVES_PER_EXECUTION_UNIT);
	*agent_ret = agent;
	return agent.simd_count && agent.waves_per_simd;
}

static struct wt_error *describe_agents(struct wt_view *view, struct wt_core_note *note)
{
	wt_cleanup_free uint64_t *handles = NULL;
	size_t count = 0;
	struct wt_error *error = list_created(view, WT_OBJECT_AGENT, &handles, &count);

	if (error)
		return error;
	note->agents = calloc(count + 1, sizeof(*note->agents));
	if (!note->agents)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count; i++) {
		const struct gfx_architecture *architecture =
			wt_view_architecture(view, WT_OBJECT_AGENT, handles[i]);

		if (!core_agent_describe(view, handles[i], architecture,
					 &note->agents[note->agent_count]))
			return wt_error_create(WT_ERROR_NOT_FOUND, what, NULL,
					       "what of agent %u a core says was not recorded, or "
					       "its architecture is not known",
					       (unsigned int)handles[i]);
		note->agent_count++;
	}
	return NULL;
}

static struct wt_error *core_note_build(const struct wt_making *making, struct wt_buffer *state)
{
	struct wt_core_note note = {
		.driver_major = WT_CORE_NOTE_DRIVER_MAJOR,
		.driver_minor = WT_CORE_NOTE_DRIVER_MINOR,
		.r_debug = making->r_debug,
		.runtime = WT_CORE_NOTE_RUNTIME_ENABLED,
		.ttmps_set_up = true,
	};
	struct wt_error *error = describe_agents(making->view, &note);

	note.queues = calloc(making->queue_count + 1, sizeof(*note.queues));
	if (!error && !note.queues)
		error = &wt_error_no_memory;
	for (size_t i = 0; !error && i < making->queue_count; i++)
		note.queues[note.queue_count++] = core_queue_describe(&making->queues[i]);
	if (!error)
		wt_core_note_build(&note, state);
	wt_core_note_deinit(&note);
	return error ? error : state->failed ? &wt_error_no_memory : NULL;
}

/* ---- The file ---- */

static bool core_range_find(void *opaque, size_t index, uint64_t *address_ret, uint64_t *size_ret)
{
	const struct wt_pieces *pieces = opaque;

	if (index >= pieces->run_count)
		return false;
	*address_ret = pieces->runs[index].address;
	*size_ret = pieces->runs[index].size;
	return true;
}

static size_t core_range_read(void *opaque, uint64_t address, void *data, size_t size)
{
	return wt_pieces_read(opaque, address, data, size);
}

static struct wt_error *write_file(struct wt_making *making, int fd, const char *path)
{
	const struct wt_core_file_memory memory = {&making->pieces, core_range_find,
						   core_range_read};
	wt_cleanup_buffer struct wt_buffer state = {0};
	struct wt_error *error = core_note_build(making, &state);

	if (!error)
		error = wt_pieces_join(&making->pieces);
	for (size_t i = 0; i < making->pieces.run_count; i++)
		making->done->memory += making->pieces.runs[i].size;
	return error ? error : wt_core_file_put(fd, path, &state, &memory);
}

struct wt_error *wt_core_export(struct wt_view *view, int fd, const char *path,
				struct wt_core_export *export_ret)
{
	struct wt_core_export done = {0};
	struct wt_making making = {.view = view, .done = &done};
	struct wt_link_map map = {0};
	struct wt_images images = {0};
	struct wt_error *error = put_recorded(&making);

	if (!error)
		error = put_images(&making, &images);
	if (!error)
		error = take_queues(&making);
	if (!error)
		error = making_list_objects(&making, &map);
	if (!error)
		error = build_parts(&making, &map);
	if (!error)
		error = put_parts(&making);
	if (!error)
		error = write_file(&making, fd, path);
	for (size_t i = 0; i < making.queue_count; i++)
		wt_making_queue_deinit(&making.queues[i]);
	free(making.queues);
	free(making.reserved);
	wt_buffer_deinit(&making.objects);
	wt_pieces_deinit(&making.pieces);
	wt_link_map_deinit(&map);
	wt_images_deinit(&images);
	if (!error)
		*export_ret = done;
	return error;
}
