/* SPDX-License-Identifier: MIT */
#include "cli/look/info-waiting.h"

#include <inttypes.h>
#include <string.h>

#include "base/plural.h"
#include "cli/function-names.h"
#include "cli/output.h"

static void waiting_print_packets(const struct wt_waiting_queue *queue)
{
	char text[WT_WAITING_TEXT], label[32], name[WT_CLI_NAME];

	for (size_t i = 0; i < queue->count; i++) {
		struct wt_waiting_packet packet = queue->packets[i];

		if (packet.kernel)
			packet.kernel = wt_cli_name(packet.kernel, name);
		wt_waiting_describe(&packet, text);
		snprintf(label, sizeof(label), "packet %" PRIu64, queue->packets[i].id);
		printf("%-12s ", label);
		wt_cli_put(stdout, text);
		putchar('\n');
	}
	if (queue->waiting > queue->count)
		printf("  and %" PRIu64 " more\n", queue->waiting - queue->count);
}

static void print_queue(const struct wt_waiting_queue *queue)
{
	printf("\nqueue        q%" PRIu64 " (the driver's %" PRIu64 "): %" PRIu64
	       " %s waiting, and no wave\n",
	       queue->queue, queue->os_id, queue->waiting,
	       wt_plural(queue->waiting, "packet", "packets"));
	waiting_print_packets(queue);
}

static void waiting_print(const struct wt_waiting *waiting)
{
	for (size_t i = 0; i < waiting->count; i++)
		print_queue(&waiting->queues[i]);
}

/* Ours is there whenever there is a trace of this. */
static bool variable_is_of_program(const struct wt_host_variable *variable)
{
	return variable->value && wt_host_is_of_runtime(variable->name) &&
	       strcmp(variable->name, "HSA_TOOLS_LIB") != 0;
}

static void queue_error_print_variables(const struct wt_host *host)
{
	bool any = false;

	for (size_t i = 0; i < host->environment_count; i++) {
		if (!variable_is_of_program(&host->environment[i]))
			continue;
		printf("%s", any ? ", " : "started with ");
		wt_cli_put(stdout, host->environment[i].name);
		putchar('=');
		wt_cli_put(stdout, host->environment[i].value);
		any = true;
	}
	if (any)
		putchar('\n');
}

static void queue_error_print(const struct wt_queue_error *error, uint32_t stop)
{
	char text[WT_WAITING_TEXT];

	printf("\ncrash        the runtime has given ");
	if (error->handle)
		printf("queue q%" PRIu64 " (the driver's %" PRIu64 ")", error->handle,
		       error->os_id);
	else
		printf("a queue that was not recorded");
	printf(" up (stop %u)\nbecause      ", stop);
	wt_cli_put(stdout, wt_queue_error_words(error, text));
	putchar('\n');
	if (error->has_packets)
		waiting_print_packets(&error->queue);
	queue_error_print_variables(error->host);
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
		if (packet->compiled_for)
			json_object_set_new(json, "compiled_for",
					    json_string(packet->compiled_for->name));
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

static json_t *waiting_packets_json(const struct wt_waiting_queue *queue)
{
	json_t *packets = json_array();

	for (size_t i = 0; i < queue->count; i++)
		json_array_append_new(packets, packet_json(&queue->packets[i]));
	return packets;
}

static json_t *queue_error_json(const struct wt_queue_error *error)
{
	json_t *variables = json_object();

	for (size_t i = 0; i < error->host->environment_count; i++) {
		const struct wt_host_variable *variable = &error->host->environment[i];
		json_t *name = wt_cli_json_text(variable->name);

		if (variable_is_of_program(variable))
			json_object_set_new(variables, json_string_value(name),
					    wt_cli_json_text(variable->value));
		json_decref(name);
	}
	return json_pack("{s:o, s:o, s:I, s:o, s:o, s:o}", "queue",
			 error->handle ? json_integer((json_int_t)error->handle) : json_null(),
			 "os_id",
			 error->handle ? json_integer((json_int_t)error->os_id) : json_null(),
			 "status", (json_int_t)error->status, "text",
			 *error->text ? wt_cli_json_text(error->text) : json_null(), "packets",
			 waiting_packets_json(&error->queue), "environment", variables);
}

static json_t *waiting_json(const struct wt_waiting *waiting)
{
	json_t *array = json_array();

	for (size_t i = 0; i < waiting->count; i++) {
		const struct wt_waiting_queue *queue = &waiting->queues[i];

		json_array_append_new(array, json_pack("{s:I, s:I, s:I, s:o}", "queue",
						       (json_int_t)queue->queue, "os_id",
						       (json_int_t)queue->os_id, "waiting",
						       (json_int_t)queue->waiting, "packets",
						       waiting_packets_json(queue)));
	}
	return array;
}

void wt_info_show_queues(const struct wt_queue_error *error, uint32_t stop,
			 const struct wt_waiting *waiting, json_t *json)
{
	if (error && error->there && json)
		json_object_set_new(json, "queue_error", queue_error_json(error));
	else if (error && error->there)
		queue_error_print(error, stop);
	if (waiting && json)
		json_object_set_new(json, "waiting", waiting_json(waiting));
	else if (waiting)
		waiting_print(waiting);
}
