/* SPDX-License-Identifier: MIT */
#include "cli/look/info-waiting.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "cli/facts.h"
#include "cli/function-names.h"
#include "cli/output.h"

#define LONG_LIST 40u	/* of what a template is given */
#define SHOWN_BEFORE 3u /* what failed, and behind it */
#define SHOWN_BEHIND 1u

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

static void print_waiting(const struct wt_waiting *waiting)
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

	putchar('\n');
	wt_cli_put_label(WT_CLI_RED, "crash");
	printf("the runtime has given ");
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
	json_t *array = packet->packet.signal_count ? json_array() : NULL;

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

static json_t *waiting_packets_json(const struct wt_waiting_queue *queue)
{
	json_t *packets = json_array();

	for (size_t i = 0; i < queue->count; i++)
		json_array_append_new(
			packets, wt_waiting_packet_facts_json(&queue->packets[i],
							      signals_json(&queue->packets[i])));
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
	return wt_queue_error_facts_json(error, waiting_packets_json(&error->queue), variables);
}

static json_t *waiting_json(const struct wt_waiting *waiting)
{
	json_t *array = json_array();

	for (size_t i = 0; i < waiting->count; i++) {
		const struct wt_waiting_queue *queue = &waiting->queues[i];

		json_array_append_new(
			array, wt_waiting_queue_facts_json(queue, waiting_packets_json(queue)));
	}
	return array;
}

/* ---- Kernels, in flight and before ---- */

/* Arguments of a function begin there: the last parenthesis that is in no other, and in no list of a template. */
static size_t arguments_place(const char *name)
{
	size_t place = strlen(name);
	int depth = 0;

	for (size_t i = place; i-- > 0;) {
		depth += name[i] == ')' || (name[i] == '>' && (!i || name[i - 1] != '-'));
		depth -= name[i] == '(' || name[i] == '<';
		if (!depth && name[i] == '(')
			return i ? i : place;
	}
	return place;
}

/* "fill" of "fill(float*, int)"; the list of a template is left out where it is long. */
static const char *short_name(const char *name, char buffer[WT_CLI_NAME])
{
	char *list;

	wt_cli_name(name, buffer);
	/* In the name of a clone, or one that was cut, they may be anywhere. */
	if (*buffer && buffer[strlen(buffer) - 1] == ')')
		buffer[arguments_place(buffer)] = '\0';
	/* A template's function begins with what it returns. */
	if (!strncmp(buffer, "void ", 5))
		memmove(buffer, buffer + 5, strlen(buffer + 5) + 1);
	list = strchr(buffer, '<');
	if (list && list > buffer && strlen(list) > LONG_LIST && buffer[strlen(buffer) - 1] == '>')
		strcpy(list, "<...>");
	return buffer;
}

static const char *packet_state(const struct wt_dispatched_packet *packet, uint64_t failed)
{
	if (failed && packet->dispatch == failed)
		return "failed";
	if (packet->dispatch)
		return "running";
	return packet->taken ? "ran" : "waits";
}

static void print_packet(const struct wt_dispatched_packet *packet, uint64_t failed)
{
	const struct gfx_packet *is = &packet->packet;
	char label[32], name[WT_CLI_NAME];

	snprintf(label, sizeof(label), "  %" PRIu64, packet->id);
	printf("%-12s %-7s ", label, packet_state(packet, failed));
	wt_cli_put(stdout, packet->kernel ? short_name(packet->kernel, name) : "?");
	printf(", grid %u x %u x %u, workgroup %u x %u x %u\n", is->grid[0], is->grid[1],
	       is->grid[2], is->workgroup[0], is->workgroup[1], is->workgroup[2]);
}

/* The position of the failed dispatch; the queue's count if it is not there. */
static size_t failed_place(const struct wt_dispatched_queue *queue, uint64_t failed)
{
	size_t place = 0;

	while (place < queue->count && (!failed || queue->packets[place].dispatch != failed))
		place++;
	return place;
}

static void print_kernels(const struct wt_dispatched_queue *queue, uint64_t failed, bool all)
{
	size_t place = failed_place(queue, failed), first = 0, end = queue->count;

	if (!all) {
		first = place > SHOWN_BEFORE ? place - SHOWN_BEFORE : 0;
		end = place + 1 + SHOWN_BEHIND < end ? place + 1 + SHOWN_BEHIND : end;
	}
	/* One alone says nothing that is not said above. */
	if (!all && end - first < 2)
		return;
	printf("\nkernels      of queue q%" PRIu64 " (the driver's %" PRIu64 ")", queue->queue,
	       queue->os_id);
	if (end - first < queue->count)
		printf("; %zu more: --all", queue->count - (end - first));
	putchar('\n');
	for (size_t i = first; i < end; i++)
		print_packet(&queue->packets[i], failed);
}

static void print_dispatched(const struct wt_dispatched *dispatched, uint64_t failed, bool all)
{
	for (size_t i = 0; i < dispatched->count; i++) {
		const struct wt_dispatched_queue *queue = &dispatched->queues[i];

		if (all || failed_place(queue, failed) < queue->count)
			print_kernels(queue, failed, all);
	}
}

static json_t *kernel_json(const struct wt_dispatched_packet *packet, uint64_t failed)
{
	char name[WT_CLI_NAME];

	return wt_dispatched_packet_facts_json(
		packet, json_string(packet_state(packet, failed)),
		wt_cli_json_text(packet->kernel ? short_name(packet->kernel, name) : NULL));
}

static json_t *dispatched_json(const struct wt_dispatched *dispatched, uint64_t failed)
{
	json_t *array = json_array();

	for (size_t i = 0; i < dispatched->count; i++) {
		const struct wt_dispatched_queue *queue = &dispatched->queues[i];
		json_t *packets = json_array();

		for (size_t j = 0; j < queue->count; j++)
			json_array_append_new(packets, kernel_json(&queue->packets[j], failed));
		json_array_append_new(array, wt_dispatched_queue_facts_json(queue, packets));
	}
	return array;
}

/* ---- All of it ---- */

static struct wt_error *show_waiting(struct wt_view *view, struct wt_explainer *explainer,
				     json_t *json)
{
	struct wt_waiting waiting;
	struct wt_error *error = wt_waiting_find(view, explainer, &waiting);

	if (error)
		return error;
	if (json)
		json_object_set_new(json, "waiting", waiting_json(&waiting));
	else
		print_waiting(&waiting);
	wt_waiting_deinit(&waiting);
	return NULL;
}

struct wt_error *wt_info_show_queues(struct wt_view *view, struct wt_explainer *explainer,
				     uint64_t failed_wave, bool all, json_t *json)
{
	struct wt_dispatched dispatched;
	struct wt_error *error = failed_wave ? NULL : show_waiting(view, explainer, json);
	uint64_t failed = wt_view_number_or(view, WT_OBJECT_WAVE, failed_wave,
					    AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);

	if (!error)
		error = wt_dispatched_find(view, explainer, &dispatched);
	if (error)
		return error;
	if (json)
		json_object_set_new(json, "dispatched", dispatched_json(&dispatched, failed));
	else
		print_dispatched(&dispatched, failed, all);
	wt_dispatched_deinit(&dispatched);
	return NULL;
}

void wt_info_show_queue_error(const struct wt_queue_error *error, uint32_t stop, json_t *json)
{
	if (error->there && json)
		json_object_set_new(json, "queue_error", queue_error_json(error));
	else if (error->there)
		queue_error_print(error, stop);
}
