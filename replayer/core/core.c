/* SPDX-License-Identifier: MIT */
#include "replayer/core/core.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "dbgapi/core/dump-write.h"
#include "device/queue-structure.h"
#include "device/save-area/link-map.h"
#include "device/save-area/note.h"
#include "gfx/architecture/packet.h"
#include "replayer/core/internal.h"
#include "replayer/recorded/images.h"

/* ---- The waves of a queue that can be saved, its packets, and the private memory of its waves ---- */

/* Each engine has so many slots at most, so that all engines' fit the field of tmpring. */
#define SLOTS_OF_ENGINE 511u

static void making_queue_deinit(struct wt_making_queue *queue)
{
	for (size_t i = 0; i < queue->wave_count; i++)
		wt_making_wave_deinit(&queue->waves[i]);
	free(queue->waves);
	free(queue->saved);
	wt_buffer_deinit(&queue->structure);
	wt_buffer_deinit(&queue->area);
}

/* ---- Packets ---- */

static const struct wt_item *packets_of(const struct wt_view *view, uint64_t queue)
{
	const struct wt_key key = {.type = WT_ITEM_PACKETS, .owner = queue};
	const struct wt_item *item = wt_state_get(wt_view_state(view), &key);

	return item && !item->status && item->number_count == 2 && item->bytes ? item : NULL;
}

static void take_ids(struct wt_making *making, struct wt_making_queue *queue)
{
	const struct wt_item *item = packets_of(making->view, queue->handle);

	if (!item || item->numbers[1] < item->numbers[0])
		return;
	queue->read_id = item->numbers[0];
	queue->write_id = item->numbers[1];
}

/* Is the packet among those that were recorded? */
static bool has_packet(const struct wt_making *making, const struct wt_making_queue *queue,
		       uint64_t id)
{
	const struct wt_item *item = packets_of(making->view, queue->handle);

	return item && id >= queue->read_id && id < queue->write_id &&
	       id - queue->read_id < item->bytes->size / GFX_PACKET_SIZE;
}

static struct wt_error *put_packets(struct wt_making *making, const struct wt_making_queue *queue)
{
	const struct wt_item *item = packets_of(making->view, queue->handle);
	uint64_t room = queue->ring_size / GFX_PACKET_SIZE;
	struct wt_error *error = NULL;

	if (!item || !room)
		return NULL;
	for (uint64_t id = queue->read_id; !error && has_packet(making, queue, id); id++)
		error = wt_pieces_add(&making->pieces,
				      queue->ring_address + id % room * GFX_PACKET_SIZE,
				      item->bytes->data + (id - queue->read_id) * GFX_PACKET_SIZE,
				      GFX_PACKET_SIZE);
	return error;
}

/* ---- Waves ---- */

/* Finds where in the grid the wave is. @return: false if that was not recorded. */
static bool making_wave_find_place(const struct wt_making *making,
				   const struct wt_making_queue *queue, struct wt_making_wave *wave)
{
	const struct wt_view *view = making->view;
	uint64_t number;

	if (!wt_view_number(view, WT_OBJECT_WAVE, wave->handle, AMD_DBGAPI_WAVE_INFO_DISPATCH,
			    &wave->dispatch) ||
	    !wt_view_number(view, WT_OBJECT_WAVE, wave->handle, AMD_DBGAPI_WAVE_INFO_WORKGROUP,
			    &wave->workgroup) ||
	    !wt_view_number(view, WT_OBJECT_WAVE, wave->handle,
			    AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP, &number) ||
	    !wt_view_number(view, WT_OBJECT_DISPATCH, wave->dispatch,
			    AMD_DBGAPI_DISPATCH_INFO_OS_QUEUE_PACKET_ID, &wave->packet_id) ||
	    !wt_view_array(view, WT_OBJECT_WAVE, wave->handle, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD,
			   wave->coordinates, 3))
		return false;
	wave->number_in_group = (uint32_t)number;
	return has_packet(making, queue, wave->packet_id);
}

static int making_waves_compare(const void *a, const void *b)
{
	const struct wt_making_wave *one = a, *other = b;
	const uint64_t ours[] = {one->packet_id, one->workgroup, one->number_in_group},
		       theirs[] = {other->packet_id, other->workgroup, other->number_in_group};

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (ours[i] != theirs[i])
			return ours[i] < theirs[i] ? -1 : 1;
	return 0;
}

/* Counts waves whose stop reasons are lost: a core says of a stop only what the registers say. */
static void count_reasons(struct wt_making *making, const struct wt_making_queue *queue,
			  const struct wt_making_wave *wave)
{
	uint32_t said = wt_saved_wave_stop_reasons(queue->layout, &wave->gfx);

	if (!wave->reasons || said == wave->reasons)
		return;
	making->done->reasons++;
	making->done->reasons_lost |= wave->reasons & ~said;
}

static struct wt_error *queue_wave_take(struct wt_making *making, struct wt_making_queue *queue,
					uint64_t handle)
{
	struct wt_making_wave wave;
	bool whole = false;
	struct wt_error *error = wt_making_wave_take(making->view, queue->architecture,
						     queue->layout, handle, &wave, &whole);

	if (!error && whole && making_wave_find_place(making, queue, &wave)) {
		count_reasons(making, queue, &wave);
		queue->waves[queue->wave_count++] = wave;
		making->done->waves++;
		return NULL;
	}
	making->done->without_dispatch += whole;
	making->done->without_registers += !whole;
	wt_making_wave_deinit(&wave);
	return error;
}

static struct wt_error *take_waves(struct wt_making *making, struct wt_making_queue *queue)
{
	const uint64_t *handles;
	size_t count = wt_view_objects(making->view, WT_OBJECT_WAVE, &handles);
	struct wt_error *error = NULL;

	queue->waves = calloc(count + 1, sizeof(*queue->waves));
	if (!queue->waves)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count && !error; i++)
		if (wt_view_number_or(making->view, WT_OBJECT_WAVE, handles[i],
				      AMD_DBGAPI_WAVE_INFO_QUEUE, 0) == queue->handle)
			error = queue_wave_take(making, queue, handles[i]);
	qsort(queue->waves, queue->wave_count, sizeof(*queue->waves), making_waves_compare);
	return error;
}

/* ---- Local memory ---- */

/* Takes what was recorded of a workgroup's local memory from its first byte on. */
static struct wt_error *take_local(struct wt_making *making, struct wt_making_wave *first,
				   uint32_t *size_ret)
{
	uint64_t wanted = wt_view_number_or(making->view, WT_OBJECT_DISPATCH, first->dispatch,
					    AMD_DBGAPI_DISPATCH_INFO_GROUP_SEGMENT_SIZE, 0);
	uint64_t from, to;

	*size_ret = 0;
	if (!wt_view_memory_next(making->view, "local", first->workgroup, 0, &from, &to) || from ||
	    to < wanted) {
		making->done->without_local += wanted > 0;
		return NULL;
	}
	first->local = malloc(to);
	if (!first->local)
		return &wt_error_no_memory;
	*size_ret = (uint32_t)wt_view_memory(making->view, "local", first->handle, 0, 0,
					     first->local, to);
	return NULL;
}

static struct wt_error *take_locals(struct wt_making *making, struct wt_making_queue *queue)
{
	struct wt_error *error = NULL;
	struct wt_making_wave *first = NULL;
	uint32_t size = 0;

	for (size_t i = 0; i < queue->wave_count && !error; i++) {
		struct wt_making_wave *wave = &queue->waves[i];

		if (!first || wave->workgroup != first->workgroup) {
			first = wave;
			error = take_local(making, first, &size);
		}
		wave->gfx.lds = first->local;
		wave->gfx.lds_size = size;
	}
	return error;
}

/* ---- Private memory ---- */

static uint32_t engines_of(const struct wt_making_queue *queue)
{
	return UINT32_C(1) << queue->layout->engine.count;
}

/* Returns the largest size that the queue can say. */
static uint64_t most_bytes(const struct wt_save_area_layout *layout)
{
	return (uint64_t)wt_bit_field_get(layout->tmpring_units, UINT32_MAX) * layout->tmpring_unit;
}

/*
 * Bytes of private memory of a wave, as hardware sets them aside: what its kernel needs, and all that was recorded, since its slot may be larger.
 * More than a queue can say for what is recorded where no slot reaches; up to the end of the address space a run ends at 0.
 */
static uint64_t private_bytes(const struct wt_making *making, const struct wt_making_queue *queue,
			      const struct wt_making_wave *wave)
{
	const uint64_t unit = queue->layout->tmpring_unit, most = most_bytes(queue->layout);
	uint64_t from, to = 0, bytes;

	bytes = wt_view_number_or(making->view, WT_OBJECT_DISPATCH, wave->dispatch,
				  AMD_DBGAPI_DISPATCH_INFO_PRIVATE_SEGMENT_SIZE, 0);
	bytes = bytes > most ? 0 : bytes * wave->gfx.lane_count;
	while (bytes <= most &&
	       wt_view_memory_next(making->view, "private_wave", wave->handle, to, &from, &to))
		if (from > most || to > bytes)
			bytes = from > most ? from : to;
	return bytes > most ? bytes : (bytes + unit - 1) / unit * unit;
}

/** Call back for each page of private memory that was recorded. @place: its global address; @size: at most WT_PAGE. */
static struct wt_error *walk_private(struct wt_making *making, const struct wt_making_queue *queue,
				     const struct wt_making_wave *wave,
				     struct wt_error *(*visit)(struct wt_making *making,
							       uint64_t place, const uint8_t *data,
							       size_t size))
{
	uint64_t base = queue->scratch_base + wave->slot * queue->scratch_bytes, page = 0, from, to;
	struct wt_error *error = NULL;

	while (wave->scratch && !error &&
	       wt_view_memory_next(making->view, "private_wave", wave->handle, page, &from, &to) &&
	       from < queue->scratch_bytes) {
		const uint8_t *data;
		size_t size;

		page = from / WT_PAGE * WT_PAGE;
		data = wt_view_page(making->view, "private_wave", wave->handle, page, &size);
		if (size > queue->scratch_bytes - page)
			size = (size_t)(queue->scratch_bytes - page);
		if (data && from - page < size)
			error = visit(making, base + from, data + (from - page),
				      size - (size_t)(from - page));
		page += WT_PAGE;
	}
	return error;
}

/* Private memory has the bytes that were recorded at its global address, if any were. */
static struct wt_error *check_bytes(struct wt_making *making, uint64_t place, const uint8_t *data,
				    size_t size)
{
	uint8_t there[1024];
	size_t step;

	for (; size; place += step, data += step, size -= step) {
		step = size < sizeof(there) ? size : sizeof(there);
		if (memcmp(there, data, wt_pieces_read(&making->pieces, place, there, step)) != 0)
			return wt_error_create(WT_ERROR_NOT_FOUND, "cannot place it", NULL,
					       "something else is there");
	}
	return NULL;
}

static bool check_private(struct wt_making *making, const struct wt_making_queue *queue)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < queue->wave_count && !error; i++)
		error = walk_private(making, queue, &queue->waves[i], check_bytes);
	wt_error_destroy(error);
	return !error;
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* How far from the first of them waves' private memory is: at most, and what divides each distance; 0: all are there. */
struct distances {
	uint64_t most, divisor;
};

static struct distances measure_waves(const struct wt_making_queue *queue, uint64_t base)
{
	struct distances distances = {0};

	for (size_t i = 0; i < queue->wave_count; i++) {
		uint64_t distance = queue->waves[i].gfx.flat_scratch - base;

		if (!queue->waves[i].scratch)
			continue;
		if (distance > distances.most)
			distances.most = distance;
		distances.divisor = greatest_divisor(distances.divisor, distance);
	}
	return distances;
}

/*
 * On gfx94x, gfx11 and gfx12 a register of each wave says where its private memory is, and elsewhere that of a wave which has set it up. The slots
 * must fit that. Slots are as large as the largest kernel wants that has run on the queue, which need not be that of the waves.
 */
static bool find_slots(struct wt_making *making, struct wt_making_queue *queue)
{
	const uint64_t needed = queue->scratch_bytes;
	uint64_t base = UINT64_MAX, bytes;
	struct distances distances;

	for (size_t i = 0; i < queue->wave_count; i++)
		if (queue->waves[i].scratch && queue->waves[i].gfx.flat_scratch < base)
			base = queue->waves[i].gfx.flat_scratch;
	if (!base || base % queue->layout->tmpring_unit || base >= UINT64_C(1) << 47)
		return false;
	/* There are very many sizes, and there may be very many waves. */
	distances = measure_waves(queue, base);
	for (bytes = needed;
	     distances.divisor % bytes || distances.most / bytes >= queue->scratch_slots;
	     bytes += queue->layout->tmpring_unit)
		if (bytes >= most_bytes(queue->layout))
			return false;
	for (size_t i = 0; i < queue->wave_count; i++)
		if (queue->waves[i].scratch)
			queue->waves[i].slot =
				(uint32_t)((queue->waves[i].gfx.flat_scratch - base) / bytes);
	queue->scratch_base = base;
	queue->scratch_bytes = bytes;
	queue->scratch_placed = check_private(making, queue);
	if (!queue->scratch_placed)
		queue->scratch_bytes = needed;
	return queue->scratch_placed;
}

/* Any place will do where no register says it. */
static bool number_slots(struct wt_making_queue *queue)
{
	uint32_t slot = 0;

	if (queue->layout->flat_scratch_is_up)
		return false;
	for (size_t i = 0; i < queue->wave_count; i++)
		if (queue->waves[i].scratch)
			queue->waves[i].slot = slot++;
	return slot <= queue->scratch_slots;
}

static void place_private(struct wt_making *making, struct wt_making_queue *queue)
{
	uint64_t from, to;
	bool fits;

	for (size_t i = 0; i < queue->wave_count; i++) {
		uint64_t bytes = private_bytes(making, queue, &queue->waves[i]);

		queue->waves[i].scratch = bytes > 0;
		if (bytes > queue->scratch_bytes)
			queue->scratch_bytes = bytes;
	}
	if (!queue->scratch_bytes)
		return;
	queue->scratch_slots = SLOTS_OF_ENGINE * engines_of(queue);
	fits = queue->scratch_bytes <= most_bytes(queue->layout) &&
	       (find_slots(making, queue) || number_slots(queue));
	if (fits)
		return;
	queue->scratch_bytes = 0;
	for (size_t i = 0; i < queue->wave_count; i++) {
		queue->waves[i].scratch = false;
		making->done->without_private += wt_view_memory_next(
			making->view, "private_wave", queue->waves[i].handle, 0, &from, &to);
	}
}

/* How many bytes of addresses its private memory takes. */
static uint64_t making_queue_scratch(const struct wt_making_queue *queue)
{
	return queue->scratch_bytes * queue->scratch_slots;
}

static struct wt_error *core_bytes_put(struct wt_making *making, uint64_t place,
				       const uint8_t *data, size_t size)
{
	return wt_pieces_add(&making->pieces, place, data, size);
}

/* ---- The whole ---- */

/* Take a queue with those of its waves that can be saved. */
static struct wt_error *making_queue_take(struct wt_making *making, uint64_t handle,
					  struct wt_making_queue *queue_ret)
{
	struct wt_view *view = making->view;
	uint64_t agent =
		wt_view_number_or(view, WT_OBJECT_QUEUE, handle, AMD_DBGAPI_QUEUE_INFO_AGENT, 0);
	struct wt_error *error;

	*queue_ret = (struct wt_making_queue){
		.handle = handle,
		.os_id = wt_making_number(view, WT_OBJECT_QUEUE, handle,
					  AMD_DBGAPI_QUEUE_INFO_OS_ID),
		.type = wt_making_number(view, WT_OBJECT_QUEUE, handle, AMD_DBGAPI_QUEUE_INFO_TYPE),
		.gpu_id =
			wt_making_number(view, WT_OBJECT_AGENT, agent, AMD_DBGAPI_AGENT_INFO_OS_ID),
		.ring_address = wt_view_number_or(view, WT_OBJECT_QUEUE, handle,
						  AMD_DBGAPI_QUEUE_INFO_ADDRESS, 0),
		.ring_size = wt_view_number_or(view, WT_OBJECT_QUEUE, handle,
					       AMD_DBGAPI_QUEUE_INFO_SIZE, 0),
		.architecture = wt_view_architecture(view, WT_OBJECT_AGENT, agent),
	};
	if (queue_ret->architecture)
		queue_ret->layout = wt_save_area_layout_find(queue_ret->architecture);
	if (!queue_ret->layout)
		return wt_error_create(WT_ERROR_UNSUPPORTED, "cannot make a core",
				       queue_ret->architecture ? queue_ret->architecture->name
							       : NULL,
				       "it is not known how waves of this architecture are saved");
	take_ids(making, queue_ret);
	error = take_waves(making, queue_ret);
	if (!error)
		error = take_locals(making, queue_ret);
	if (!error)
		place_private(making, queue_ret);
	return error;
}

/* Build the save area. */
static struct wt_error *making_queue_build(struct wt_making_queue *queue)
{
	uint64_t packets = queue->ring_size / GFX_PACKET_SIZE;

	if (queue->type != AMD_DBGAPI_OS_QUEUE_TYPE_HSA_AQL || !packets)
		return NULL;
	queue->saved = calloc(queue->wave_count + 1, sizeof(*queue->saved));
	if (!queue->saved)
		return &wt_error_no_memory;
	for (size_t i = 0; i < queue->wave_count; i++) {
		const struct wt_making_wave *wave = &queue->waves[i];
		struct wt_saved_wave *saved = &queue->saved[i];

		*saved = (struct wt_saved_wave){
			.wave = &wave->gfx,
			.slot = wave->slot % SLOTS_OF_ENGINE,
			.engine = wave->slot / SLOTS_OF_ENGINE,
			.scratch = wave->scratch,
			.first = !i || wave->workgroup != wave[-1].workgroup,
			.last = i + 1 == queue->wave_count || wave->workgroup != wave[1].workgroup,
			.stopped = wave->reasons != 0,
			.packet_index = (uint32_t)(wave->packet_id % packets),
			.number_in_group = wave->number_in_group,
		};
		memcpy(saved->coordinates, wave->coordinates, sizeof(saved->coordinates));
	}
	return wt_save_area_build(queue->layout, queue->saved, queue->wave_count, &queue->area);
}

static void structure_field_put(uint8_t *structure, size_t offset, uint64_t value, size_t size)
{
	value = htole64(value);
	memcpy(structure + offset, &value, size);
}

static struct wt_error *build_structure(struct wt_making_queue *queue)
{
	uint8_t *structure = wt_buffer_extend(&queue->structure, WT_QUEUE_STRUCTURE_BYTES);
	const struct wt_save_area_layout *layout = queue->layout;
	uint32_t units = (uint32_t)(queue->scratch_bytes / layout->tmpring_unit);
	uint32_t waves = layout->waves_of_engine ? SLOTS_OF_ENGINE : queue->scratch_slots;

	if (!structure)
		return &wt_error_no_memory;
	memset(structure, 0, WT_QUEUE_STRUCTURE_BYTES);
	structure_field_put(structure, WT_QUEUE_STRUCTURE_RING, queue->ring_address, 8);
	structure_field_put(structure, WT_QUEUE_STRUCTURE_PACKETS,
			    queue->ring_size / GFX_PACKET_SIZE, 4);
	structure_field_put(structure, WT_QUEUE_STRUCTURE_ID, queue->os_id, 8);
	structure_field_put(structure, WT_QUEUE_STRUCTURE_WRITE_ID, queue->write_id, 8);
	structure_field_put(structure, WT_QUEUE_STRUCTURE_READ_ID, queue->read_id, 8);
	if (!units)
		return NULL;
	structure_field_put(structure, WT_QUEUE_STRUCTURE_TMPRING_SIZE,
			    wt_bit_field_put(layout->tmpring_waves, waves) |
				    wt_bit_field_put(layout->tmpring_units, units),
			    4);
	structure_field_put(structure, WT_QUEUE_STRUCTURE_SCRATCH_BASE, queue->scratch_base, 8);
	structure_field_put(structure, WT_QUEUE_STRUCTURE_SCRATCH_SIZE,
			    queue->scratch_slots * queue->scratch_bytes, 8);
	return NULL;
}

/* Build the structure, and add recorded packets and private memory to the pieces; all has its place. */
static struct wt_error *making_queue_put(struct wt_making *making, struct wt_making_queue *queue)
{
	struct wt_error *error = put_packets(making, queue);

	for (size_t i = 0; i < queue->wave_count && !error; i++)
		error = walk_private(making, queue, &queue->waves[i], core_bytes_put);
	if (!error)
		error = build_structure(queue);
	return error;
}

/* ---- The whole ---- */

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
		error = making_queue_take(making, handles[i],
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
				queue->scratch_base, making_queue_scratch(queue)};
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
		size += queue->scratch_placed ? 0 : making_queue_scratch(queue);
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
		address += making_queue_scratch(queue);
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
		error = making_queue_build(&making->queues[i]);
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

		error = making_queue_put(making, queue);
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
	struct wt_error *error = wt_pieces_add_recorded(&making.pieces, making.view, 0);

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
		making_queue_deinit(&making.queues[i]);
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
