/* SPDX-License-Identifier: MIT */
#include "cli/look/info-waiting.h"

#include <inttypes.h>

#include "base/plural.h"
#include "cli/output.h"

static void print_queue(const struct wt_waiting_queue *queue)
{
	char text[WT_WAITING_TEXT], label[32];

	printf("\nqueue        q%" PRIu64 " (the driver's %" PRIu64 "): %" PRIu64
	       " %s waiting, and no wave\n",
	       queue->queue, queue->os_id, queue->waiting,
	       wt_plural(queue->waiting, "packet", "packets"));
	for (size_t i = 0; i < queue->count; i++) {
		wt_waiting_describe(&queue->packets[i], text);
		snprintf(label, sizeof(label), "packet %" PRIu64, queue->packets[i].id);
		printf("%-12s ", label);
		wt_cli_put(stdout, text);
		putchar('\n');
	}
	if (queue->waiting > queue->count)
		printf("  and %" PRIu64 " more\n", queue->waiting - queue->count);
}

void wt_info_print_waiting(const struct wt_waiting *waiting)
{
	for (size_t i = 0; i < waiting->count; i++)
		print_queue(&waiting->queues[i]);
}

static json_t *signals_json(const struct wt_waiting_packet *packet)
{
	json_t *array = json_array();

	for (size_t i = 0; i < packet->packet.signal_count; i++) {
		json_t *json = json_object();

		json_object_set_new(json, "address", wt_cli_json_hex(packet->packet.signals[i]));
		json_object_set_new(json, "value",
				    packet->signals[i].known
					    ? json_integer((json_int_t)packet->signals[i].value)
					    : json_null());
		json_array_append_new(array, json);
	}
	return array;
}

static json_t *packet_json(const struct wt_waiting_packet *packet)
{
	static const char *const kinds[] = {
		[GFX_PACKET_INVALID] = "invalid",
		[GFX_PACKET_DISPATCH] = "dispatch",
		[GFX_PACKET_BARRIER_AND] = "barrier_and",
		[GFX_PACKET_BARRIER_OR] = "barrier_or",
		[GFX_PACKET_BARRIER_VALUE] = "barrier_value",
		[GFX_PACKET_OTHER] = "other",
	};
	const struct gfx_packet *is = &packet->packet;
	json_t *json =
		json_pack("{s:I, s:s}", "packet", (json_int_t)packet->id, "type", kinds[is->kind]);

	if (is->kind == GFX_PACKET_DISPATCH) {
		json_object_set_new(json, "kernel", wt_cli_json_text(packet->kernel));
		json_object_set_new(json, "kernel_object", wt_cli_json_hex(is->kernel_object));
		json_object_set_new(json, "grid",
				    json_pack("[I, I, I]", (json_int_t)is->grid[0],
					      (json_int_t)is->grid[1], (json_int_t)is->grid[2]));
	}
	if (is->signal_count)
		json_object_set_new(json, "signals", signals_json(packet));
	if (is->kind == GFX_PACKET_BARRIER_VALUE) {
		json_object_set_new(json, "condition", json_integer(is->condition));
		json_object_set_new(json, "value", json_integer((json_int_t)is->value));
		json_object_set_new(json, "mask", wt_cli_json_hex((uint64_t)is->mask));
	}
	return json;
}

json_t *wt_info_waiting_json(const struct wt_waiting *waiting)
{
	json_t *array = json_array();

	for (size_t i = 0; i < waiting->count; i++) {
		const struct wt_waiting_queue *queue = &waiting->queues[i];
		json_t *packets = json_array();

		for (size_t j = 0; j < queue->count; j++)
			json_array_append_new(packets, packet_json(&queue->packets[j]));
		json_array_append_new(
			array, json_pack("{s:I, s:I, s:I, s:o}", "queue", (json_int_t)queue->queue,
					 "os_id", (json_int_t)queue->os_id, "waiting",
					 (json_int_t)queue->waiting, "packets", packets));
	}
	return array;
}
