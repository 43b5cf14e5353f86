/* SPDX-License-Identifier: MIT */
#include "recorder/moment/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/plural.h"
#include "base/uri.h"
#include "gfx/architecture/packet.h"
#include "recorder/moment/client-breakpoint.h"
#include "recorder/moment/facts.h"
#include "recorder/moment/late.h"
#include "recorder/moment/memory-pages.h"
#include "recorder/moment/taking.h"
#include "recorder/recording/call.h"
#include "recorder/recording/journal-value.h"
#include "recorder/recording/question.h"
#include "recorder/recording/recorder.h"
#include "trace-format/state/held.h"

/*
 * Limits of one snapshot: bytes of local and private memory, and how many pages of global memory are tried for
 * each that may be taken.
 */
#define LOCAL_BYTES (16u << 20)
#define PRIVATE_BYTES (32u << 20)
#define TRIES_PER_PAGE 8u
/*
 * Bytes of registers at one stop that are taken of waves that have a stop reason, if nobody says otherwise; of those that
 * were only asked to stop see taking.c. A GPU has thousands of waves with up to 130 KiB each; that many all the same are
 * few of the first kind, or many of the second.
 */
#define AUTO_BYTES (48u << 20)
/* Memory that a recording takes whatever its states are. */
#define FIXED_BYTES (8u << 20)

/* Larger code objects are left out. */
#define IMAGE_LIMIT (256u << 20)

static const char cannot_load_code[] = "cannot load a code object";

static struct wt_error *check_range(const struct wt_uri *uri, const char *text, uint64_t available)
{
	if (uri->offset > available || uri->size > available - uri->offset)
		return wt_error_create(WT_ERROR_INPUT, cannot_load_code, text,
				       "the range is not in the file");
	if (uri->size > IMAGE_LIMIT)
		return wt_error_create(WT_ERROR_LIMIT, cannot_load_code, text,
				       "it is larger than %u bytes", IMAGE_LIMIT);
	return NULL;
}

/* A file may be anything, a pipe too: look before reading. */
static struct wt_error *load_file(struct wt_uri *uri, const char *text, struct wt_buffer *image)
{
	wt_cleanup_close int fd = open(uri->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct wt_error *error;
	struct stat status;
	uint8_t *data;

	if (fd < 0 || fstat(fd, &status))
		return wt_error_errno(errno, cannot_load_code, text);
	if (!S_ISREG(status.st_mode))
		return wt_error_create(WT_ERROR_INPUT, cannot_load_code, text,
				       "it is no regular file");
	if (!uri->has_range)
		uri->size = (uint64_t)status.st_size;
	error = check_range(uri, text, (uint64_t)status.st_size);
	if (error)
		return error;
	data = wt_buffer_extend(image, (size_t)uri->size);
	if (!data)
		return &wt_error_no_memory;
	for (uint64_t done = 0; done < uri->size;) {
		ssize_t got = pread(fd, data + done, (size_t)(uri->size - done),
				    (off_t)(uri->offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return wt_error_errno(got ? errno : EIO, cannot_load_code, text);
		done += (uint64_t)got;
	}
	return NULL;
}

static struct wt_error *load_memory(struct wt_recorder *recorder, uint64_t process,
				    const struct wt_uri *uri, const char *text,
				    struct wt_buffer *image)
{
	struct wt_error *error = check_range(uri, text, UINT64_MAX);
	uint8_t *data;

	if (error)
		return error;
	data = wt_buffer_extend(image, (size_t)uri->size);
	if (!data)
		return &wt_error_no_memory;
	if (!wt_read_global(recorder, process, uri->offset, data, (size_t)uri->size))
		return wt_error_create(WT_ERROR_IO, cannot_load_code, text,
				       "the memory cannot be read");
	return NULL;
}

static struct wt_error *load(struct wt_recorder *recorder, uint64_t process, const char *text,
			     struct wt_buffer *image)
{
	struct wt_uri uri;
	struct wt_error *error = wt_uri_parse(text, &uri);
	int state;

	if (error)
		return error;
	state = wt_cancel_disable();
	if (uri.kind == WT_URI_FILE)
		error = load_file(&uri, text, image);
	else
		error = load_memory(recorder, process, &uri, text, image);
	wt_cancel_restore(state);
	wt_uri_deinit(&uri);
	return error;
}

/* The URI, NUL-terminated; false if the library does not tell. */
static bool ask_uri(struct wt_recorder *recorder, uint64_t code_object, struct wt_buffer *text)
{
	const struct wt_query *query =
		wt_query_find(WT_OBJECT_CODE_OBJECT, AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME);

	if (wt_ask(recorder, WT_OBJECT_CODE_OBJECT, code_object, query, text) !=
	    AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	wt_buffer_append(text, "", 1);
	return !text->failed;
}

/*
 * Put the ELF file of a code object into a state, as an IMAGE item: copied from the state @previous (may be NULL) if it is
 * there, else loaded. If it cannot be loaded, the item has a status, and the trace gets a notice.
 */
static struct wt_error *code_image_take(struct wt_recorder *recorder, struct wt_state *state,
					const struct wt_state *previous, uint64_t process,
					uint64_t code_object)
{
	wt_cleanup_buffer struct wt_buffer image = {0}, text = {0};
	struct wt_item item = {.key = wt_key_plain(WT_ITEM_IMAGE, code_object)};
	const struct wt_item *old = previous ? wt_state_get(previous, &item.key) : NULL;
	struct wt_error *error, *notice;

	if (old)
		return wt_state_set(state, old);
	if (!ask_uri(recorder, code_object, &text))
		return NULL;
	error = load(recorder, process, (const char *)text.data, &image);
	if (!error) {
		error = wt_facts_take_of_image(recorder, image.data, image.size);
		return error ? error : wt_take_bytes(state, &item, image.data, image.size);
	}
	item.status = AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	notice = wt_recorder_notice(recorder, WT_NOTICE_NOT_TAKEN, "%s: %s: %s", error->what,
				    error->where, error->why);
	wt_error_destroy(error);
	return notice ? notice : wt_state_set(state, &item);
}

/* An item that is one number. */
static struct wt_error *set_number(struct wt_state *state, struct wt_key key, uint64_t number)
{
	const struct wt_item item = {.key = key, .numbers = &number, .number_count = 1};

	return wt_state_set(state, &item);
}

struct wt_error *wt_take_changes(struct wt_recorder *recorder, struct wt_state *state,
				 uint64_t process)
{
	const struct wt_session *session = &recorder->session;
	struct wt_error *error = NULL;

	for (size_t i = 0; i < session->changes_count; i++) {
		const uint64_t *counts = session->changes[i].counts;

		if (session->changes[i].process != process)
			continue;
		for (int object = 0; object < WT_OBJECT_COUNT && !error; object++)
			if (counts[object])
				error = set_number(state,
						   wt_key_function(recorder, WT_ITEM_LIST_CHANGES,
								   wt_objects[object].list,
								   process),
						   counts[object]);
	}
	return error;
}

/* No query tells it, and the call that set it may be far away, or cut off. */
static struct wt_error *take_precision(struct wt_recorder *recorder, struct wt_state *state,
				       uint64_t process)
{
	const struct wt_attached *attached = wt_session_process(&recorder->session, process);

	return attached ? set_number(state, wt_key_plain(WT_ITEM_MEMORY_PRECISION, process),
				     attached->precision)
			: NULL;
}

struct wt_error *wt_take_packets(struct wt_recorder *recorder, struct wt_state *state,
				 uint64_t queue)
{
	struct wt_item item = {.key = wt_key_plain(WT_ITEM_PACKETS, queue)};
	amd_dbgapi_os_queue_packet_id_t ids[2] = {0, 0};
	struct wt_error *error;
	void *packets = NULL;
	size_t size = 0;

	if (recorder->options.policy.redact)
		return NULL;
	wt_own_begin();
	item.status = recorder->api.queue_packet_list((amd_dbgapi_queue_id_t){queue}, &ids[0],
						      &ids[1], &size, &packets);
	wt_own_end();
	if (item.status != AMD_DBGAPI_STATUS_SUCCESS)
		return wt_state_set(state, &item);
	item.numbers = ids;
	item.number_count = 2;
	error = wt_take_bytes(state, &item, packets, packets ? size : 0);
	free(packets);
	return error;
}

/* The objects of a kind, with something more for each of them. */
static struct wt_error *objects_take_with(struct wt_taking *taking, enum wt_object object,
					  struct wt_error *(*more)(struct wt_taking *taking,
								   uint64_t handle))
{
	wt_cleanup_free uint64_t *handles = NULL;
	struct wt_error *error;
	size_t count = 0;

	error = wt_take_objects(taking->recorder, taking->state, object, taking->process, &count,
				&handles);
	for (size_t i = 0; i < count && !error && more; i++)
		error = more(taking, handles[i]);
	return error;
}

static struct wt_error *more_of_code_object(struct wt_taking *taking, uint64_t handle)
{
	if (taking->recorder->options.policy.no_code)
		return NULL;
	return code_image_take(taking->recorder, taking->state, taking->recorder->session.state,
			       taking->process, handle);
}

static struct wt_error *more_of_agent(struct wt_taking *taking, uint64_t handle)
{
	uint64_t architecture = 0;

	wt_ask_number(taking->recorder, WT_OBJECT_AGENT, handle, AMD_DBGAPI_AGENT_INFO_ARCHITECTURE,
		      &architecture);
	return wt_facts_take(taking->recorder, architecture);
}

/* Does all that happened to a process tell of waves that stopped? Then it was there, and what it runs on with it. */
static bool has_only_stops(const struct wt_attached *process)
{
	for (size_t i = 0; i < process->event_count; i++)
		if (process->events[i].kind != AMD_DBGAPI_EVENT_KIND_WAVE_STOP)
			return false;
	return process->event_count;
}

/* Does the library know all of the agents? */
static bool are_there(struct wt_recorder *recorder, const struct wt_item *agents)
{
	uint64_t process;

	for (size_t i = 0; i < agents->handle_count; i++)
		if (!wt_ask_number(recorder, WT_OBJECT_AGENT, agents->handles[i],
				   AMD_DBGAPI_AGENT_INFO_PROCESS, &process))
			return false;
	return agents->handle_count;
}

/* The list of the last moment, if it is known to be that of this one; else NULL. */
static struct wt_held_item *same_agents(const struct wt_taking *taking)
{
	struct wt_recorder *recorder = taking->recorder;
	const struct wt_key key = wt_key_function(
		recorder, WT_ITEM_LIST, wt_objects[WT_OBJECT_AGENT].list, taking->process);
	struct wt_session *session = &recorder->session;
	struct wt_held_item *list;

	if (!session->state || !has_only_stops(wt_session_process(session, taking->process)))
		return NULL;
	list = wt_state_held(session->state, &key);
	return list && are_there(recorder, &list->item) ? list : NULL;
}

/*
 * Agents do not come or go while waves stop, and to list them takes long: AMD's library asks the kernel driver for all of them, and
 * looks through a database of more than a megabyte for the name of each.
 */
static struct wt_error *take_agents(struct wt_taking *taking)
{
	struct wt_held_item *list = same_agents(taking);
	struct wt_error *error;

	if (!list)
		return objects_take_with(taking, WT_OBJECT_AGENT, more_of_agent);
	error = wt_state_hold(taking->state, list);
	for (size_t i = 0; i < list->item.handle_count && !error; i++) {
		error = wt_take_object(taking->recorder, taking->state, WT_OBJECT_AGENT,
				       list->item.handles[i]);
		if (!error)
			error = more_of_agent(taking, list->item.handles[i]);
	}
	return error;
}

static uint64_t ring_number(struct wt_taking *taking, uint64_t queue, uint32_t query)
{
	uint64_t number = 0;

	return wt_ask_number(taking->recorder, WT_OBJECT_QUEUE, queue, query, &number) ? number : 0;
}

/*
 * Take the packets that a queue has taken last, where they lie in its ring: what ran before. The ring may go round between the first of
 * them and the last.
 */
static struct wt_error *take_packets_before(struct wt_taking *taking, uint64_t queue,
					    const struct wt_item *packets)
{
	uint64_t address = ring_number(taking, queue, AMD_DBGAPI_QUEUE_INFO_ADDRESS);
	uint64_t slots = ring_number(taking, queue, AMD_DBGAPI_QUEUE_INFO_SIZE) / GFX_PACKET_SIZE;
	uint64_t read, count, first;
	struct wt_error *error;

	if (!packets || packets->status || packets->number_count != 2 || !address || !slots)
		return NULL;
	read = packets->numbers[0];
	count = read < WT_PACKETS_BEFORE ? read : WT_PACKETS_BEFORE;
	if (count > slots)
		count = slots;
	if (!count)
		return NULL;
	first = (read - count) % slots;
	if (first + count <= slots)
		return wt_take_global(taking, address + first * GFX_PACKET_SIZE,
				      count * GFX_PACKET_SIZE, false);
	error = wt_take_global(taking, address + first * GFX_PACKET_SIZE,
			       (slots - first) * GFX_PACKET_SIZE, false);
	return error ? error
		     : wt_take_global(taking, address, (first + count - slots) * GFX_PACKET_SIZE,
				      false);
}

static struct wt_error *more_of_queue(struct wt_taking *taking, uint64_t handle)
{
	const struct wt_key key = wt_key_plain(WT_ITEM_PACKETS, handle);
	struct wt_error *error = wt_take_packets(taking->recorder, taking->state, handle);

	if (!error)
		error = wt_take_signals(taking, wt_state_get(taking->state, &key));
	return error ? error
		     : take_packets_before(taking, handle, wt_state_get(taking->state, &key));
}

/* No list has the clusters: they are what workgroups say that they are in. */
static struct wt_error *more_of_workgroup(struct wt_taking *taking, uint64_t handle)
{
	struct wt_recorder *recorder = taking->recorder;
	const struct wt_key group = wt_key_object(recorder, WT_OBJECT_WORKGROUP, handle);
	const struct wt_item *item = wt_state_get(taking->state, &group);
	const struct wt_answer *answer;
	struct wt_key cluster;
	uint64_t number;

	answer = item ? wt_item_answer(
				item,
				wt_number_query(&recorder->numbers, WT_OBJECT_WORKGROUP,
						wt_query_find(WT_OBJECT_WORKGROUP,
							      AMD_DBGAPI_WORKGROUP_INFO_CLUSTER)))
		      : NULL;
	if (!answer || answer->status != AMD_DBGAPI_STATUS_SUCCESS ||
	    answer->size != sizeof(number))
		return NULL;
	number = wt_value_load(answer->value, sizeof(number), false);
	cluster = wt_key_object(recorder, WT_OBJECT_CLUSTER, number);
	if (!number || wt_state_get(taking->state, &cluster))
		return NULL;
	return wt_take_object(recorder, taking->state, WT_OBJECT_CLUSTER, number);
}

static struct wt_error *(*const more_of[WT_OBJECT_COUNT])(struct wt_taking *, uint64_t) = {
	[WT_OBJECT_CODE_OBJECT] = more_of_code_object,
	[WT_OBJECT_QUEUE] = more_of_queue,
	[WT_OBJECT_DISPATCH] = wt_take_kernel,
	[WT_OBJECT_WORKGROUP] = more_of_workgroup,
};

static struct wt_error *take_process(struct wt_taking *taking)
{
	struct wt_recorder *recorder = taking->recorder;
	struct wt_error *error;

	error = wt_take_object(recorder, taking->state, WT_OBJECT_PROCESS, taking->process);
	/* Everything that a process lists; architectures are facts, and agents and waves come last. */
	for (int object = 0; object < WT_OBJECT_COUNT && !error; object++) {
		const struct wt_function_info *list;

		if (wt_objects[object].list == WT_FUNCTION_COUNT || object == WT_OBJECT_WAVE ||
		    object == WT_OBJECT_AGENT)
			continue;
		list = &wt_functions[wt_objects[object].list];
		if (!strcmp(list->parameters[0].type, "amd_dbgapi_process_id_t"))
			error = objects_take_with(taking, (enum wt_object)object, more_of[object]);
	}
	/* If the program is gone, the library has found that by the other lists, and does not know the agents any more. */
	if (!error)
		error = take_agents(taking);
	if (!error)
		error = wt_take_waves(taking);
	if (!error)
		error = wt_take_ranges(taking);
	if (!error)
		error = wt_take_changes(recorder, taking->state, taking->process);
	if (!error)
		error = take_precision(recorder, taking->state, taking->process);
	return error;
}

static struct wt_error *take_handles(struct wt_recorder *recorder, struct wt_state *state,
				     enum wt_object object, const struct wt_handles *handles)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < handles->count && !error; i++)
		error = wt_take_object(recorder, state, object, handles->values[i]);
	return error;
}

static struct wt_error *take_unlisted(struct wt_recorder *recorder, struct wt_state *state)
{
	const struct wt_session *session = &recorder->session;
	struct wt_error *error;

	error = wt_take_breakpoints(recorder, state);
	if (!error)
		error = take_handles(recorder, state, WT_OBJECT_WATCHPOINT, &session->watchpoints);
	if (!error)
		error = take_handles(recorder, state, WT_OBJECT_DISPLACED_STEPPING,
				     &session->displaced_steppings);
	return error;
}

/* A budget's end is told each time: where the line runs is different at every stop. */
static struct wt_error *tell_over(struct wt_recorder *recorder, const struct wt_taking *taking)
{
	const struct wt_options *options = &recorder->options;

	if (!taking->over)
		return NULL;
	if (taking->out_of_memory)
		return wt_recorder_notice(
			recorder, WT_NOTICE_NOT_TAKEN,
			"max-memory=%llu: registers of %zu %s and the memory after "
			"%s were not taken at this stop",
			(unsigned long long)options->max_memory, taking->waves_left_out,
			wt_plural(taking->waves_left_out, "wave", "waves"),
			wt_plural(taking->waves_left_out, "it", "them"));
	return wt_recorder_notice(recorder, WT_NOTICE_NOT_TAKEN,
				  "max-stopped-ms=%llu: registers of %zu %s and the memory after "
				  "%s were not taken at "
				  "this stop",
				  (unsigned long long)options->max_stopped_ms,
				  taking->waves_left_out,
				  wt_plural(taking->waves_left_out, "wave", "waves"),
				  wt_plural(taking->waves_left_out, "it", "them"));
}

static struct wt_error *tell_cuts(struct wt_recorder *recorder, const struct wt_taking *taking)
{
	struct wt_error *error = tell_over(recorder, taking);

	if (!error && taking->plain_waves)
		error = wt_recorder_remark(
			recorder, WT_REMARK_PLAIN_WAVES,
			"vector and scalar registers of %zu %s were not taken at this "
			"stop; waves=stopped takes them of all",
			taking->plain_waves, wt_plural(taking->plain_waves, "wave", "waves"));
	if (!error && taking->pages_cut)
		error = wt_recorder_remark(
			recorder, WT_REMARK_PAGES_CUT,
			"more global memory was pointed to than is taken at one stop: "
			"%llu bytes; memory=BYTES sets the limit",
			(unsigned long long)recorder->options.policy.memory_bytes);
	if (!error && taking->private_cut)
		error = wt_recorder_remark(
			recorder, WT_REMARK_PRIVATE_CUT,
			"there is more private memory than is taken at one stop");
	if (!error && taking->local_cut)
		error = wt_recorder_remark(recorder, WT_REMARK_LOCAL_CUT,
					   "there is more local memory than is taken at one stop");
	return error;
}

/* Tells what policy leaves out from the start. */
static struct wt_error *tell_policy(struct wt_recorder *recorder)
{
	const struct wt_policy *policy = &recorder->options.policy;
	struct wt_error *error = NULL;

	if (policy->redact)
		error = wt_recorder_remark(
			recorder, WT_REMARK_REDACT,
			"redact: no memory of the program is in this trace, neither as "
			"state nor in calls; registers%s are",
			policy->no_code ? "" : " and code objects");
	if (!error && policy->no_code)
		error = wt_recorder_remark(recorder, WT_REMARK_NO_CODE,
					   "no-code: no code object images were taken");
	if (!error && !policy->redact && !policy->memory_bytes)
		error = wt_recorder_remark(
			recorder, WT_REMARK_NO_MEMORY,
			"memory=none: of memory only what the client itself read%s is here",
			policy->range_count ? ", and what was asked for," : "");
	if (!error && policy->registers[0])
		error = wt_recorder_remark(
			recorder, WT_REMARK_REGISTERS, "registers=%s: no others were taken%s",
			policy->registers, ", unless the client read some of the wave");
	return error;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/*
 * How many bytes one stop may take. Measured, a byte of registers takes 1.2 bytes of memory at a stop that follows a small one,
 * with what says where they are, and 3.2 at later ones: itself, what it was at the stop before, and what the file tells that from.
 * The writer ends a recording in which it holds more than three quarters of the memory.
 */
static uint64_t byte_budget(const struct wt_recorder *recorder)
{
	uint64_t memory = recorder->options.max_memory;
	uint64_t rest = memory > FIXED_BYTES ? memory - FIXED_BYTES : 0;

	if (!memory)
		return UINT64_MAX;
	return larger(memory / 8,
		      recorder->session.state_bytes <= memory / 16 ? rest / 16 * 7 : rest / 4);
}

/* Budgets of a whole snapshot. Policy may ask for more memory than we would take, or for none. */
static struct wt_taking start(struct wt_recorder *recorder, struct wt_state *state)
{
	const struct wt_options *options = &recorder->options;
	uint64_t memory = options->policy.redact ? 0 : options->policy.memory_bytes;

	return (struct wt_taking){
		.recorder = recorder,
		.state = state,
		.registers_left = AUTO_BYTES,
		.pages_left = memory / WT_PAGE + !!(memory % WT_PAGE),
		.tries_left = memory / WT_PAGE > SIZE_MAX / TRIES_PER_PAGE
				      ? SIZE_MAX
				      : TRIES_PER_PAGE * (memory / WT_PAGE + 1),
		.local_left = memory ? larger(memory, LOCAL_BYTES) : 0,
		.private_left = memory ? larger(memory, PRIVATE_BYTES) : 0,
		.bytes_left = byte_budget(recorder),
		.deadline = options->max_stopped_ms
				    ? wt_clock_ns() + options->max_stopped_ms * 1000000u
				    : UINT64_MAX,
	};
}

struct wt_error *wt_snapshot_take(struct wt_recorder *recorder, struct wt_state *state)
{
	struct wt_taking taking = start(recorder, state);
	const uint64_t budget = taking.bytes_left;
	struct wt_attached *process = recorder->session.processes;
	struct wt_error *error = tell_policy(recorder);

	for (; process && !error; process = process->next) {
		taking.process = process->handle;
		taking.last_pc = 0;
		error = take_process(&taking);
		wt_ordinals_deinit(&taking.pages);
		wt_reservations_deinit(&taking.reservations);
	}
	recorder->session.state_bytes = budget - taking.bytes_left;
	if (!error)
		error = take_unlisted(recorder, state);
	if (!error && recorder->session.early)
		error = wt_state_set_all(state, recorder->session.early);
	return error ? error : tell_cuts(recorder, &taking);
}
