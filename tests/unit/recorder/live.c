/* SPDX-License-Identifier: MIT */
#include "tests/unit/recorder/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

void live_open(struct live_client *client, const char *workload, const char *options)
{
	char path[512];

	snprintf(path, sizeof(path), WORKLOADS "/%s.json", workload);
	setenv("WAVETAPE_WORKLOAD", path, 1);
	snprintf(client->trace, sizeof(client->trace), "%s", support_path("client.wtape"));
	client->library = support_load(SIMULATED_LIBRARY, client->trace, options);
	client->api = &client->library.api;
	assert_int_equal(client->api->initialize(&support_callbacks), 0);
	assert_int_equal(client->api->process_attach((amd_dbgapi_client_process_id_t)(void *)client,
						     &client->process),
			 0);
}

struct wt_reader *live_close(struct live_client *client)
{
	struct wt_reader *reader;

	client->api->process_detach(client->process);
	client->api->finalize();
	support_unload(&client->library);
	support_must(wt_reader_open(client->trace, &reader));
	assert_null(wt_reader_damage(reader));
	return reader;
}

amd_dbgapi_event_kind_t live_next_event(struct live_client *client, amd_dbgapi_event_id_t *event)
{
	amd_dbgapi_event_kind_t kind;

	assert_int_equal(client->api->process_next_pending_event(client->process, event, &kind), 0);
	return kind;
}

amd_dbgapi_wave_id_t live_run_to_stop(struct live_client *client, bool process_it)
{
	amd_dbgapi_wave_id_t wave = {0};
	amd_dbgapi_event_id_t event;

	for (int tries = 0; tries < 1000 && !wave.handle; tries++) {
		amd_dbgapi_event_kind_t kind = live_next_event(client, &event);

		if (kind == AMD_DBGAPI_EVENT_KIND_NONE)
			continue;
		if (kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP)
			assert_int_equal(client->api->event_get_info(event,
								     AMD_DBGAPI_EVENT_INFO_WAVE,
								     sizeof(wave), &wave),
					 0);
		if (kind != AMD_DBGAPI_EVENT_KIND_WAVE_STOP || process_it)
			assert_int_equal(client->api->event_processed(event), 0);
	}
	assert_true(wave.handle != 0);
	return wave;
}

void live_drain(struct live_client *client)
{
	amd_dbgapi_event_id_t event;

	while (live_next_event(client, &event) != AMD_DBGAPI_EVENT_KIND_NONE)
		assert_int_equal(client->api->event_processed(event), 0);
}

uint32_t live_last_stop(struct wt_reader *reader)
{
	uint32_t last = UINT32_MAX;

	for (uint32_t i = 0; i < wt_reader_moment_count(reader); i++) {
		const struct wt_moment *moment;

		support_must(wt_reader_moment(reader, i, &moment));
		if (moment->cause == WT_MOMENT_STOP)
			last = i;
	}
	assert_int_not_equal(last, UINT32_MAX);
	return last;
}

struct wt_state *live_state_at(struct wt_reader *reader, uint32_t moment)
{
	struct wt_state *state;

	support_must(wt_reader_state(reader, moment, &state));
	return state;
}

const struct wt_item *live_item(struct wt_reader *reader, const struct wt_state *state,
				enum wt_item_type type, const char *kind, uint64_t owner,
				uint64_t address)
{
	const struct wt_key key = {.type = type,
				   .kind = kind ? wt_reader_name_number(reader, kind) : 0,
				   .owner = owner,
				   .address = address};

	return wt_state_get(state, &key);
}

const struct wt_answer *live_answer(struct wt_reader *reader, const struct wt_state *state,
				    const char *kind, uint64_t handle, const char *query)
{
	const struct wt_item *item = live_item(reader, state, WT_ITEM_OBJECT, kind, handle, 0);

	return item ? wt_item_answer(item, wt_reader_name_number(reader, query)) : NULL;
}

uint64_t live_number(struct wt_reader *reader, const struct wt_state *state, const char *kind,
		     uint64_t handle, const char *query)
{
	const struct wt_answer *found = live_answer(reader, state, kind, handle, query);
	uint64_t value = 0;

	if (!found || found->status || found->size > sizeof(value))
		fail_msg("%s %lu has no %s", kind, (unsigned long)handle, query);
	memcpy(&value, found->value, found->size);
	return value;
}

const uint8_t *live_register_value(struct wt_reader *reader, const struct wt_state *state,
				   uint64_t wave, uint64_t id, size_t *size_ret)
{
	const struct wt_item *item = live_item(reader, state, WT_ITEM_REGISTERS, NULL, wave, 0);
	size_t offset = 0;

	assert_non_null(item);
	for (size_t i = 0; i < item->handle_count; i++) {
		size_t size = (size_t)live_number(reader, state, "register", item->handles[i],
						  "AMD_DBGAPI_REGISTER_INFO_SIZE");

		assert_true(offset + size <= item->bytes->size);
		*size_ret = size;
		if (item->handles[i] == id)
			return item->bytes->data + offset;
		offset += size;
	}
	return NULL;
}

struct live_register *live_read_registers(const struct wt_api *api, amd_dbgapi_wave_id_t wave,
					  size_t *count_ret)
{
	amd_dbgapi_register_id_t *ids;
	struct live_register *live;

	assert_int_equal(api->wave_register_list(wave, count_ret, &ids), 0);
	live = calloc(*count_ret, sizeof(*live));
	for (size_t i = 0; i < *count_ret; i++) {
		amd_dbgapi_size_t size;

		live[i].id = ids[i].handle;
		assert_int_equal(api->register_get_info(ids[i], AMD_DBGAPI_REGISTER_INFO_SIZE,
							sizeof(size), &size),
				 0);
		live[i].size = (size_t)size;
		assert_true(size <= sizeof(live[i].value));
		assert_int_equal(api->read_register(wave, ids[i], 0, size, live[i].value), 0);
	}
	free(ids);
	return live;
}
