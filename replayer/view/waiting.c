/* SPDX-License-Identifier: MIT */
#include "replayer/view/waiting.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "replayer/view/explain.h"
#include "replayer/view/kernel-launch.h"

/* Offset in a kernel's descriptor of the distance to its first instruction. */
#define DESCRIPTOR_ENTRY 16u

/* ---- Finding them ---- */

static const char *waiting_find_kernel(struct wt_view *view, struct wt_explainer *explainer,
				       uint64_t kernel_object)
{
	uint64_t distance;

	if (!explainer || wt_view_code(view, kernel_object + DESCRIPTOR_ENTRY, &distance,
				       sizeof(distance)) < sizeof(distance))
		return NULL;
	return wt_explainer_kernel(
		explainer, (struct wt_view_kernel){kernel_object, kernel_object + distance}, NULL);
}

/* Is the kernel's code that of another GPU? */
static void packet_compare_machines(struct wt_view *view, uint64_t queue,
				    struct wt_waiting_packet *packet)
{
	const struct gfx_architecture *runs;
	uint32_t machine;

	if (!wt_view_machine_at(view, packet->packet.kernel_object, &machine))
		return;
	runs = wt_view_architecture(view, WT_OBJECT_QUEUE, queue);
	if (!runs || gfx_architecture_may_run(runs, machine))
		return;
	packet->compiled_for = gfx_machine_name(machine);
	packet->runs_on = runs->name;
}

static void find_signals(struct wt_view *view, struct wt_waiting_packet *packet)
{
	for (size_t i = 0; i < packet->packet.signal_count; i++) {
		int64_t *value = &packet->signals[i].value;

		packet->signals[i].known =
			wt_view_memory(view, "global", 0, 0,
				       packet->packet.signals[i] + GFX_SIGNAL_VALUE, value,
				       sizeof(*value)) == sizeof(*value);
	}
}

static struct wt_waiting_packet take_packet(struct wt_view *view, struct wt_explainer *explainer,
					    uint64_t queue, uint64_t id, const uint8_t *bytes)
{
	struct wt_waiting_packet packet = {.id = id, .packet = gfx_packet_decode(bytes)};

	if (packet.packet.kind == GFX_PACKET_DISPATCH) {
		packet.kernel = waiting_find_kernel(view, explainer, packet.packet.kernel_object);
		packet_compare_machines(view, queue, &packet);
	}
	find_signals(view, &packet);
	return packet;
}

/* Its packets that are not taken. False: it has none, or they were not recorded. */
static bool queue_take_waiting(struct wt_view *view, struct wt_explainer *explainer,
			       uint64_t handle, struct wt_waiting_queue *queue_ret)
{
	const struct wt_key key = {.type = WT_ITEM_PACKETS, .owner = handle};
	const struct wt_item *item = wt_state_get(wt_view_state(view), &key);
	struct wt_waiting_queue queue = {.queue = handle};

	if (!item || item->status || item->number_count != 2 ||
	    item->numbers[1] <= item->numbers[0])
		return false;
	queue.first = item->numbers[0];
	queue.waiting = item->numbers[1] - item->numbers[0];
	queue.recorded = item->bytes ? item->bytes->size / GFX_PACKET_SIZE : 0;
	queue.os_id =
		wt_view_number_or(view, WT_OBJECT_QUEUE, handle, AMD_DBGAPI_QUEUE_INFO_OS_ID, 0);
	for (; queue.count < WT_WAITING_PACKETS && queue.count < queue.recorded &&
	       queue.count < queue.waiting;
	     queue.count++)
		queue.packets[queue.count] =
			take_packet(view, explainer, handle, queue.first + queue.count,
				    item->bytes->data + queue.count * GFX_PACKET_SIZE);
	*queue_ret = queue;
	return true;
}

/* The queue of each wave, in order; the caller frees it. NULL if there is no memory. */
static uint64_t *find_busy(const struct wt_view *view, size_t *count_ret)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	uint64_t *busy = calloc(count + 1, sizeof(*busy));

	for (size_t i = 0; busy && i < count; i++)
		busy[i] = wt_view_number_or(view, WT_OBJECT_WAVE, waves[i],
					    AMD_DBGAPI_WAVE_INFO_QUEUE, 0);
	if (busy)
		qsort(busy, count, sizeof(*busy), wt_compare_u64);
	*count_ret = count;
	return busy;
}

/* The runtime knows a queue by its ring, the library by a handle. */
static uint64_t queue_find_by_ring(const struct wt_view *view, uint64_t ring)
{
	const uint64_t *queues;
	size_t count = wt_view_objects(view, WT_OBJECT_QUEUE, &queues);

	for (size_t i = 0; i < count; i++) {
		uint64_t address;

		if (wt_view_number(view, WT_OBJECT_QUEUE, queues[i], AMD_DBGAPI_QUEUE_INFO_ADDRESS,
				   &address) &&
		    address == ring)
			return queues[i];
	}
	return 0;
}

/* The queue that the runtime has given up; 0 if there is none, or the library did not list it. */
static struct wt_error *queue_find_failed(const struct wt_view *view, uint64_t *queue_ret)
{
	struct wt_host *host = NULL;
	struct wt_error *error = wt_reader_host(wt_view_reader(view), &host);

	if (error)
		return error;
	*queue_ret = host && host->queue_error
			     ? queue_find_by_ring(view, host->queue_error->ring_address)
			     : 0;
	wt_host_destroy(host);
	return NULL;
}

struct wt_error *wt_waiting_find(struct wt_view *view, struct wt_explainer *explainer,
				 struct wt_waiting *waiting_ret)
{
	const uint64_t *queues;
	struct wt_waiting waiting = {.all = wt_view_objects(view, WT_OBJECT_QUEUE, &queues)};
	size_t busy_count = 0;
	wt_cleanup_free uint64_t *busy = find_busy(view, &busy_count);
	uint64_t failed = 0;
	struct wt_error *error = queue_find_failed(view, &failed);

	if (error)
		return error;
	waiting.queues = calloc(waiting.all + 1, sizeof(*waiting.queues));
	if (!waiting.queues || !busy) {
		free(waiting.queues);
		return &wt_error_no_memory;
	}
	for (size_t i = 0; i < waiting.all; i++)
		if (queues[i] != failed &&
		    !bsearch(&queues[i], busy, busy_count, sizeof(*busy), wt_compare_u64) &&
		    queue_take_waiting(view, explainer, queues[i], &waiting.queues[waiting.count]))
			waiting.count++;
	*waiting_ret = waiting;
	return NULL;
}

void wt_waiting_deinit(struct wt_waiting *waiting)
{
	free(waiting->queues);
	*waiting = (struct wt_waiting){0};
}

/* ---- One that has failed ---- */

static void words_drop_full_stop(char *text)
{
	size_t length = strlen(text);

	if (length && text[length - 1] == '.')
		text[length - 1] = '\0';
}

struct wt_error *wt_queue_error_find(struct wt_view *view, struct wt_explainer *explainer,
				     struct wt_queue_error *ret)
{
	struct wt_queue_error found = {0};
	struct wt_error *error = wt_reader_host(wt_view_reader(view), &found.host);
	const struct wt_host_queue_error *told;

	if (error)
		return error;
	told = found.host ? found.host->queue_error : NULL;
	if (told) {
		found.there = true;
		found.status = told->status;
		words_drop_full_stop(told->text);
		found.text = told->text;
		found.handle = queue_find_by_ring(view, told->ring_address);
	}
	if (found.handle) {
		found.os_id = wt_view_number_or(view, WT_OBJECT_QUEUE, found.handle,
						AMD_DBGAPI_QUEUE_INFO_OS_ID, 0);
		found.has_packets =
			queue_take_waiting(view, explainer, found.handle, &found.queue) &&
			found.queue.count;
	}
	*ret = found;
	return NULL;
}

void wt_queue_error_deinit(struct wt_queue_error *error)
{
	wt_host_destroy(error->host);
	*error = (struct wt_queue_error){0};
}

/* ---- In words ---- */

__attribute__((format(printf, 2, 3))) static void waiting_append(char text[WT_WAITING_TEXT],
								 const char *format, ...)
{
	size_t used = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + used, WT_WAITING_TEXT - used, format, arguments);
	va_end(arguments);
}

static void append_signals(char text[WT_WAITING_TEXT], const struct wt_waiting_packet *packet)
{
	for (size_t i = 0; i < packet->packet.signal_count; i++) {
		waiting_append(text, "%s0x%" PRIx64, i ? ", " : "", packet->packet.signals[i]);
		if (packet->signals[i].known)
			waiting_append(text, " (is %" PRId64 ")", packet->signals[i].value);
	}
}

static void append_barrier(char text[WT_WAITING_TEXT], const struct wt_waiting_packet *packet)
{
	bool all = packet->packet.kind == GFX_PACKET_BARRIER_AND;

	if (packet->packet.signal_count == 0)
		waiting_append(text, "a barrier without signals");
	else if (packet->packet.signal_count == 1)
		waiting_append(text, "a barrier: waits until this signal is 0: ");
	else
		waiting_append(text, "a barrier: waits until %s of these signals is 0: ",
			       all ? "each" : "one");
	append_signals(text, packet);
}

static void append_value(char text[WT_WAITING_TEXT], const struct wt_waiting_packet *packet)
{
	static const char *const conditions[] = {
		[GFX_PACKET_EQUAL] = "==",
		[GFX_PACKET_NOT_EQUAL] = "!=",
		[GFX_PACKET_LESS] = "<",
		[GFX_PACKET_NOT_LESS] = ">=",
	};
	const struct gfx_packet *is = &packet->packet;
	const char *condition = is->condition < sizeof(conditions) / sizeof(*conditions)
					? conditions[is->condition]
					: "meets an unknown condition with";

	waiting_append(text, "a barrier: waits until this signal");
	if (is->mask != -1)
		waiting_append(text, " & 0x%" PRIx64, (uint64_t)is->mask);
	waiting_append(text, " %s %" PRId64 ": ", condition, is->value);
	append_signals(text, packet);
}

static void append_dispatch(char text[WT_WAITING_TEXT], const struct wt_waiting_packet *packet)
{
	const uint32_t *grid = packet->packet.grid;

	if (packet->kernel)
		waiting_append(text, "kernel %.200s", packet->kernel);
	else
		waiting_append(text, "a kernel of unknown name, descriptor at 0x%" PRIx64,
			       packet->packet.kernel_object);
	waiting_append(text, ", grid %" PRIu32 " x %" PRIu32 " x %" PRIu32, grid[0], grid[1],
		       grid[2]);
	if (packet->compiled_for)
		waiting_append(text, ", compiled for %s, on %s", packet->compiled_for,
			       packet->runs_on);
}

void wt_waiting_describe(const struct wt_waiting_packet *packet, char text_ret[WT_WAITING_TEXT])
{
	text_ret[0] = '\0';
	switch (packet->packet.kind) {
	case GFX_PACKET_INVALID:
		waiting_append(text_ret, "a slot that was reserved, and nothing written there");
		break;
	case GFX_PACKET_DISPATCH:
		append_dispatch(text_ret, packet);
		break;
	case GFX_PACKET_BARRIER_AND:
	case GFX_PACKET_BARRIER_OR:
		append_barrier(text_ret, packet);
		break;
	case GFX_PACKET_BARRIER_VALUE:
		append_value(text_ret, packet);
		break;
	case GFX_PACKET_OTHER:
		waiting_append(text_ret, "a packet of type %u", packet->packet.type);
		break;
	}
}

const char *wt_queue_error_words(const struct wt_queue_error *error, char text_ret[WT_WAITING_TEXT])
{
	if (*error->text)
		snprintf(text_ret, WT_WAITING_TEXT, "%s", error->text);
	else
		snprintf(text_ret, WT_WAITING_TEXT, "status 0x%" PRIx64, (uint64_t)error->status);
	return text_ret;
}

/* ---- Before, and in flight ---- */

/* A queue, and what of its ring is known. */
struct ring {
	struct wt_view *view;
	struct wt_explainer *explainer;
	uint64_t queue, process, address, slots;
	uint64_t read, write;
	const struct wt_item *waiting; /* packets from the read index on */
};

static bool ring_find(struct wt_view *view, struct wt_explainer *explainer, uint64_t queue,
		      struct ring *ring_ret)
{
	const struct wt_key key = {.type = WT_ITEM_PACKETS, .owner = queue};
	const struct wt_item *item = wt_state_get(wt_view_state(view), &key);
	struct ring ring = {.view = view, .explainer = explainer, .queue = queue, .waiting = item};

	if (!item || item->status || item->number_count != 2 || item->numbers[1] < item->numbers[0])
		return false;
	ring.read = item->numbers[0];
	ring.write = item->numbers[1];
	ring.process =
		wt_view_number_or(view, WT_OBJECT_QUEUE, queue, AMD_DBGAPI_QUEUE_INFO_PROCESS, 0);
	ring.address =
		wt_view_number_or(view, WT_OBJECT_QUEUE, queue, AMD_DBGAPI_QUEUE_INFO_ADDRESS, 0);
	ring.slots =
		wt_view_number_or(view, WT_OBJECT_QUEUE, queue, AMD_DBGAPI_QUEUE_INFO_SIZE, 0) /
		GFX_PACKET_SIZE;
	*ring_ret = ring;
	return true;
}

/* The bytes of a packet: before the read index from the ring, where no newer packet can be. */
static bool ring_read(const struct ring *ring, uint64_t id, uint8_t bytes[GFX_PACKET_SIZE])
{
	uint64_t place = id - ring->read;

	if (id >= ring->read) {
		if (!ring->waiting->bytes || ring->waiting->bytes->size / GFX_PACKET_SIZE <= place)
			return false;
		memcpy(bytes, ring->waiting->bytes->data + place * GFX_PACKET_SIZE,
		       GFX_PACKET_SIZE);
		return true;
	}
	return ring->address && ring->slots && ring->write - id <= ring->slots &&
	       wt_view_memory(ring->view, "global", 0, 0,
			      ring->address + id % ring->slots * GFX_PACKET_SIZE, bytes,
			      GFX_PACKET_SIZE) == GFX_PACKET_SIZE;
}

/* The dispatch that the library listed for a packet; 0 if there is none. */
static uint64_t ring_dispatch(const struct ring *ring, uint64_t id)
{
	const uint64_t *dispatches;
	size_t count = wt_view_objects(ring->view, WT_OBJECT_DISPATCH, &dispatches);

	for (size_t i = 0; i < count; i++) {
		struct wt_view_dispatch dispatch;

		wt_view_dispatch(ring->view, dispatches[i], &dispatch);
		if (dispatch.queue == ring->queue && dispatch.has_packet && dispatch.packet == id)
			return dispatches[i];
	}
	return 0;
}

static bool has_sizes(const struct gfx_packet *packet)
{
	for (size_t d = 0; d < 3; d++)
		if (!packet->grid[d] || !packet->workgroup[d])
			return false;
	return packet->kernel_object;
}

/* A packet without its type is taken for a dispatch where it has a kernel that was loaded, and sizes. */
static bool ring_take(const struct ring *ring, uint64_t id, struct wt_dispatched_packet *packet_ret)
{
	struct wt_dispatched_packet packet = {.id = id, .taken = id < ring->read};
	uint8_t bytes[GFX_PACKET_SIZE];

	if (!ring_read(ring, id, bytes))
		return false;
	packet.packet = gfx_packet_decode(bytes);
	if (packet.packet.kind == GFX_PACKET_INVALID && packet.taken) {
		bytes[0] = GFX_PACKET_TYPE_DISPATCH;
		packet.packet = gfx_packet_decode(bytes);
	}
	if (packet.packet.kind != GFX_PACKET_DISPATCH || !has_sizes(&packet.packet))
		return false;
	packet.dispatch = ring_dispatch(ring, id);
	packet.kernel =
		waiting_find_kernel(ring->view, ring->explainer, packet.packet.kernel_object);
	*packet_ret = packet;
	return !packet.taken || packet.dispatch || packet.kernel;
}

static struct wt_error *queue_take(const struct ring *ring, struct wt_dispatched_queue *queue_ret)
{
	struct wt_dispatched_queue queue = {.queue = ring->queue};
	uint64_t first = ring->read > WT_PACKETS_BEFORE ? ring->read - WT_PACKETS_BEFORE : 0;
	uint64_t last = ring->write - ring->read < WT_PACKETS_BEFORE
				? ring->write
				: ring->read + WT_PACKETS_BEFORE;

	queue.os_id = wt_view_number_or(ring->view, WT_OBJECT_QUEUE, ring->queue,
					AMD_DBGAPI_QUEUE_INFO_OS_ID, 0);
	queue.packets = calloc((size_t)(last - first) + 1, sizeof(*queue.packets));
	if (!queue.packets)
		return &wt_error_no_memory;
	for (uint64_t id = first; id < last; id++)
		queue.count += ring_take(ring, id, &queue.packets[queue.count]);
	*queue_ret = queue;
	return NULL;
}

struct wt_error *wt_dispatched_find(struct wt_view *view, struct wt_explainer *explainer,
				    struct wt_dispatched *dispatched_ret)
{
	struct wt_dispatched dispatched = {.count = 0};
	struct wt_error *error = NULL;
	const uint64_t *queues;
	size_t count = wt_view_objects(view, WT_OBJECT_QUEUE, &queues);

	dispatched.queues = calloc(count + 1, sizeof(*dispatched.queues));
	if (!dispatched.queues)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count && !error; i++) {
		struct wt_dispatched_queue *queue = &dispatched.queues[dispatched.count];
		struct ring ring;

		if (!ring_find(view, explainer, queues[i], &ring))
			continue;
		error = queue_take(&ring, queue);
		if (!error && queue->count)
			dispatched.count++;
		else
			free(queue->packets);
	}
	if (error) {
		wt_dispatched_deinit(&dispatched);
		return error;
	}
	*dispatched_ret = dispatched;
	return NULL;
}
