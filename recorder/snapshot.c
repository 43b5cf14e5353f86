/* SPDX-License-Identifier: MIT */
#include "recorder/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "recorder/call.h"
#include "recorder/facts.h"
#include "recorder/image.h"
#include "recorder/question.h"
#include "recorder/taking.h"

/* Of one snapshot: pages of global memory taken, pages tried, bytes of private memory. */
#define PAGES 512u
#define TRIES 4096u
#define PRIVATE_BYTES (32u << 20)

/* Registers that exist for a wave: they stay the same for its life, and asking takes long. */
static struct wt_error *take_register_list(struct wt_recorder *recorder, struct wt_state *state,
					   uint64_t wave, size_t *count_ret, uint64_t **handles_ret)
{
	const struct wt_key key =
		wt_key_function(recorder, WT_ITEM_LIST, WT_FUNCTION_WAVE_REGISTER_LIST, wave);
	const struct wt_state *previous = recorder->session.state;
	const struct wt_item *old = previous ? wt_state_get(previous, &key) : NULL;
	size_t size = old ? old->handle_count * sizeof(*old->handles) : 0;

	if (!old || !size)
		return wt_take_list(recorder, state, WT_FUNCTION_WAVE_REGISTER_LIST, wave,
				    count_ret, handles_ret);
	*handles_ret = malloc(size);
	if (!*handles_ret)
		return &wt_error_no_memory;
	memcpy(*handles_ret, old->handles, size);
	*count_ret = old->handle_count;
	return wt_state_set(state, old);
}

static bool read_register(struct wt_recorder *recorder, uint64_t wave, uint64_t handle, size_t size,
			  void *value)
{
	amd_dbgapi_status_t status;

	wt_own_begin();
	status = recorder->api.read_register((amd_dbgapi_wave_id_t){wave},
					     (amd_dbgapi_register_id_t){handle}, 0, size, value);
	wt_own_end();
	return status == AMD_DBGAPI_STATUS_SUCCESS;
}

struct wt_error *wt_take_registers(struct wt_recorder *recorder, struct wt_state *state,
				   uint64_t wave)
{
	wt_cleanup_buffer struct wt_buffer values = {0};
	wt_cleanup_free uint64_t *handles = NULL;
	struct wt_item item = {.key = wt_key_plain(WT_ITEM_REGISTERS, wave)};
	struct wt_error *error;
	size_t count;

	error = take_register_list(recorder, state, wave, &count, &handles);
	if (error)
		return error;
	item.handles = handles;
	for (size_t i = 0; i < count; i++) {
		const struct wt_register_fact *fact =
			wt_facts_register(&recorder->session, handles[i]);
		uint8_t *value = fact ? wt_buffer_extend(&values, fact->size) : NULL;

		if (values.failed)
			return &wt_error_no_memory;
		/* What the list names but the wave does not give is not recorded. */
		if (!value || !read_register(recorder, wave, handles[i], fact->size, value)) {
			values.size -= value ? fact->size : 0;
			continue;
		}
		handles[item.handle_count++] = handles[i];
	}
	return wt_take_bytes(state, &item, values.data, values.size);
}

struct wt_error *wt_take_changes(struct wt_recorder *recorder, struct wt_state *state,
				 uint64_t process)
{
	static const uint64_t nothing;
	struct wt_session *session = &recorder->session;
	struct wt_error *error = NULL;

	for (size_t i = 0; i < session->changes_count; i++) {
		if (session->changes[i].process != process)
			continue;
		for (int object = 0; object < WT_OBJECT_COUNT && !error; object++) {
			uint64_t *count = &session->changes[i].counts[object];
			struct wt_item map = {.numbers = count,
					      .number_count = 1,
					      .handles = (uint64_t *)(uintptr_t)&nothing,
					      .handle_count = 1};

			if (!*count)
				continue;
			map.key = wt_key_function(recorder, WT_ITEM_MAP, wt_objects[object].list,
						  process);
			error = wt_state_set(state, &map);
		}
	}
	return error;
}

struct wt_error *wt_take_packets(struct wt_recorder *recorder, struct wt_state *state,
				 uint64_t queue)
{
	struct wt_item item = {.key = wt_key_plain(WT_ITEM_PACKETS, queue)};
	amd_dbgapi_os_queue_packet_id_t ids[2] = {0, 0};
	struct wt_error *error;
	void *packets = NULL;
	size_t size = 0;

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
static struct wt_error *take_with(struct wt_taking *taking, enum wt_object object,
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
	return wt_take_image(taking->recorder, taking->state, taking->recorder->session.state,
			     taking->process, handle);
}

static struct wt_error *more_of_agent(struct wt_taking *taking, uint64_t handle)
{
	uint64_t architecture = 0;

	wt_ask_number(taking->recorder, WT_OBJECT_AGENT, handle, AMD_DBGAPI_AGENT_INFO_ARCHITECTURE,
		      &architecture);
	return wt_facts_take(taking->recorder, architecture);
}

static struct wt_error *more_of_queue(struct wt_taking *taking, uint64_t handle)
{
	return wt_take_packets(taking->recorder, taking->state, handle);
}

static struct wt_error *(*const more_of[WT_OBJECT_COUNT])(struct wt_taking *, uint64_t) = {
	[WT_OBJECT_CODE_OBJECT] = more_of_code_object,
	[WT_OBJECT_AGENT] = more_of_agent,
	[WT_OBJECT_QUEUE] = more_of_queue,
	[WT_OBJECT_DISPATCH] = wt_take_kernel,
};

static uint64_t ask_wave(struct wt_recorder *recorder, uint64_t wave, uint32_t query)
{
	uint64_t number = 0;

	wt_ask_number(recorder, WT_OBJECT_WAVE, wave, query, &number);
	return number;
}

/* Registers as they were at the last moment, if the wave has not moved since. */
static struct wt_error *reuse_registers(struct wt_recorder *recorder, struct wt_state *state,
					uint64_t wave, bool *reused_ret)
{
	const struct wt_session *session = &recorder->session;
	const struct wt_key key = wt_key_plain(WT_ITEM_REGISTERS, wave);
	const struct wt_item *old = session->state ? wt_state_get(session->state, &key) : NULL;
	wt_cleanup_free uint64_t *handles = NULL;
	struct wt_error *error;
	size_t count;

	*reused_ret = false;
	if (!old || wt_handles_has(&session->touched, wave))
		return NULL;
	*reused_ret = true;
	error = wt_state_set(state, old);
	return error ? error : take_register_list(recorder, state, wave, &count, &handles);
}

static struct wt_error *open_wave(struct wt_recorder *recorder, uint64_t handle,
				  struct wt_stopped_wave *wave)
{
	const struct wt_key key = wt_key_plain(WT_ITEM_REGISTERS, handle);
	struct wt_error *error;
	bool reused;

	*wave = (struct wt_stopped_wave){
		.handle = handle,
		.architecture = ask_wave(recorder, handle, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE),
		.workgroup = ask_wave(recorder, handle, AMD_DBGAPI_WAVE_INFO_WORKGROUP),
		.dispatch = ask_wave(recorder, handle, AMD_DBGAPI_WAVE_INFO_DISPATCH),
		.pc = ask_wave(recorder, handle, AMD_DBGAPI_WAVE_INFO_PC),
		.exec = ask_wave(recorder, handle, AMD_DBGAPI_WAVE_INFO_EXEC_MASK),
		.reasons = (uint32_t)ask_wave(recorder, handle, AMD_DBGAPI_WAVE_INFO_STOP_REASON),
		.lane_count = (uint32_t)ask_wave(recorder, handle, AMD_DBGAPI_WAVE_INFO_LANE_COUNT),
		.holder = wt_state_create(),
	};
	if (!wave->holder)
		return &wt_error_no_memory;
	error = wt_facts_take(recorder, wave->architecture);
	if (!error)
		error = reuse_registers(recorder, wave->holder, handle, &reused);
	if (!error && !reused)
		error = wt_take_registers(recorder, wave->holder, handle);
	if (error) {
		wt_state_destroy(wave->holder);
		wave->holder = NULL;
		return error;
	}
	wave->registers = wt_state_get(wave->holder, &key);
	wt_stopped_wave_index(recorder, wave);
	return NULL;
}

static struct wt_error *merge(struct wt_state *state, const struct wt_state *more)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < wt_state_count(more) && !error; i++)
		error = wt_state_set(state, wt_state_at(more, i));
	return error;
}

/* All of one stopped wave. What was to blame comes first when the budget is spent. */
static struct wt_error *take_stopped(struct wt_taking *taking, uint64_t handle, bool local)
{
	struct wt_stopped_wave wave;
	struct wt_error *error = open_wave(taking->recorder, handle, &wave);

	if (error)
		return error;
	error = merge(taking->state, wave.holder);
	if (!error)
		error = wt_take_instruction(taking, &wave);
	if (!error && local)
		error = wt_take_local(taking, &wave);
	if (!error)
		error = wt_take_private(taking, &wave);
	if (!error)
		error = wt_take_pointers(taking, &wave);
	wt_state_destroy(wave.holder);
	return error;
}

/* 0: what faulted, 1: what stopped for another reason, 2: what was asked to stop, 3: what runs. */
static int rank(struct wt_recorder *recorder, uint64_t wave)
{
	uint32_t reasons;

	if (ask_wave(recorder, wave, AMD_DBGAPI_WAVE_INFO_STATE) != AMD_DBGAPI_WAVE_STATE_STOP)
		return 3;
	reasons = (uint32_t)ask_wave(recorder, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON);
	return wt_reasons_are_fault(reasons) ? 0 : reasons ? 1 : 2;
}

static struct wt_error *take_waves(struct wt_taking *taking)
{
	struct wt_recorder *recorder = taking->recorder;
	wt_cleanup_free uint64_t *waves = NULL;
	wt_cleanup_free uint8_t *ranks = NULL;
	struct wt_handles groups = {0};
	struct wt_error *error;
	size_t count = 0;

	error = wt_take_objects(recorder, taking->state, WT_OBJECT_WAVE, taking->process, &count,
				&waves);
	ranks = calloc(count + 1, sizeof(*ranks));
	if (!error && !ranks)
		error = &wt_error_no_memory;
	for (size_t i = 0; i < count && !error; i++)
		ranks[i] = (uint8_t)rank(recorder, waves[i]);
	for (int current = 0; current < 3; current++) {
		for (size_t i = 0; i < count && !error; i++) {
			uint64_t group;
			bool first;

			if (ranks[i] != current)
				continue;
			group = ask_wave(recorder, waves[i], AMD_DBGAPI_WAVE_INFO_WORKGROUP);
			first = !wt_handles_has(&groups, group);
			if (first && !wt_handles_add(&groups, group))
				error = &wt_error_no_memory;
			else
				error = take_stopped(taking, waves[i], first);
		}
	}
	wt_handles_deinit(&groups);
	return error;
}

static struct wt_error *take_process(struct wt_taking *taking)
{
	struct wt_recorder *recorder = taking->recorder;
	struct wt_error *error;

	error = wt_take_object(recorder, taking->state, WT_OBJECT_PROCESS, taking->process);
	/* Everything that a process lists; architectures are facts, and waves come last. */
	for (int object = 0; object < WT_OBJECT_COUNT && !error; object++) {
		const struct wt_function_info *list;

		if (wt_objects[object].list == WT_FUNCTION_COUNT || object == WT_OBJECT_WAVE)
			continue;
		list = &wt_functions[wt_objects[object].list];
		if (!strcmp(list->parameters[0].type, "amd_dbgapi_process_id_t"))
			error = take_with(taking, (enum wt_object)object, more_of[object]);
	}
	if (!error)
		error = take_waves(taking);
	if (!error)
		error = wt_take_changes(recorder, taking->state, taking->process);
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

	error = take_handles(recorder, state, WT_OBJECT_BREAKPOINT, &session->breakpoints);
	if (!error)
		error = take_handles(recorder, state, WT_OBJECT_WATCHPOINT, &session->watchpoints);
	if (!error)
		error = take_handles(recorder, state, WT_OBJECT_DISPLACED_STEPPING,
				     &session->displaced_steppings);
	return error;
}

static struct wt_error *tell_cuts(struct wt_recorder *recorder, const struct wt_taking *taking)
{
	struct wt_error *error = NULL;

	if (taking->pages_cut)
		error = wt_recorder_notice(recorder, WT_NOTICE_NOT_TAKEN,
					   "more global memory was pointed to than is taken at one "
					   "stop: %u pages of %u bytes",
					   PAGES, WT_PAGE);
	if (!error && taking->private_cut)
		error = wt_recorder_notice(
			recorder, WT_NOTICE_NOT_TAKEN,
			"there is more private memory than is taken at one stop");
	return error;
}

struct wt_error *wt_snapshot_take(struct wt_recorder *recorder, struct wt_state *state)
{
	struct wt_taking taking = {
		.recorder = recorder,
		.state = state,
		.pages_left = PAGES,
		.tries_left = TRIES,
		.private_left = PRIVATE_BYTES,
	};
	struct wt_attached *process = recorder->session.processes;
	struct wt_error *error = NULL;

	for (; process && !error; process = process->next) {
		taking.process = process->handle;
		error = take_process(&taking);
		wt_ordinals_deinit(&taking.pages);
	}
	if (!error)
		error = take_unlisted(recorder, state);
	if (!error && recorder->session.early)
		error = merge(state, recorder->session.early);
	return error ? error : tell_cuts(recorder, &taking);
}
