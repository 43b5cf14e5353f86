/* SPDX-License-Identifier: MIT */
/* What the recorder asks of the library at a stop, and what it knows without asking. */
#include "tests/unit/recorder/support.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/recorder/fake.h"

static struct fake *provider;
static bool agents_gone;

/* Of agents that are gone nothing is known any more. */
static void when_entered(enum wt_function function)
{
	provider->writes = !agents_gone || function != WT_FUNCTION_AGENT_GET_INFO;
	provider->status = provider->writes ? AMD_DBGAPI_STATUS_SUCCESS
					    : AMD_DBGAPI_STATUS_ERROR_INVALID_AGENT_ID;
}

/* An event of a kind, and the moment behind it: how often the agents were listed. */
static uint32_t lists_at(const struct wt_api *api, amd_dbgapi_process_id_t process,
			 amd_dbgapi_event_kind_t kind)
{
	uint32_t before = provider->calls[WT_FUNCTION_PROCESS_AGENT_LIST];
	uint32_t waves = provider->calls[WT_FUNCTION_PROCESS_WAVE_LIST];
	amd_dbgapi_event_kind_t given;
	amd_dbgapi_event_id_t event;

	provider->event_kind = kind;
	assert_int_equal(api->process_next_pending_event(process, &event, &given), 0);
	assert_int_equal(given, kind);
	provider->no_events = true;
	assert_int_equal(api->process_next_pending_event(process, &event, &given), 0);
	assert_int_equal(given, AMD_DBGAPI_EVENT_KIND_NONE);
	provider->no_events = false;
	/* There was a moment. */
	assert_true(provider->calls[WT_FUNCTION_PROCESS_WAVE_LIST] > waves);
	return provider->calls[WT_FUNCTION_PROCESS_AGENT_LIST] - before;
}

/* How many agents a moment has. */
static size_t agents_at(struct wt_reader *reader, uint32_t moment)
{
	const uint32_t kind = wt_reader_name_number(reader, "agent");
	struct wt_state *state;
	size_t count = 0, listed = 0;

	support_must(wt_reader_state(reader, moment, &state));
	for (size_t i = 0; i < wt_state_count(state); i++) {
		const struct wt_item *item = wt_state_at(state, i);

		count += item->key.type == WT_ITEM_OBJECT && item->key.kind == kind;
		if (item->key.type == WT_ITEM_LIST &&
		    item->key.kind ==
			    wt_reader_name_number(reader, "amd_dbgapi_process_agent_list"))
			listed = item->handle_count;
	}
	assert_int_equal(count, listed);
	wt_state_destroy(state);
	return count;
}

static void agents_are_listed_when_they_may_be_others(void **state)
{
	const char *trace = support_path("agents.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, "sync=none");
	const struct wt_api *api = &library.api;
	amd_dbgapi_process_id_t process;
	struct wt_reader *reader;
	uint32_t before;

	(void)state;
	agents_gone = false;
	provider->entered = when_entered;
	assert_int_equal(api->initialize(&support_callbacks), 0);
	before = provider->calls[WT_FUNCTION_PROCESS_AGENT_LIST];
	assert_int_equal(api->process_attach(NULL, &process), 0);
	assert_int_equal(provider->calls[WT_FUNCTION_PROCESS_AGENT_LIST], before + 1);
	for (int i = 0; i < 3; i++)
		assert_int_equal(lists_at(api, process, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 0);
	assert_int_equal(lists_at(api, process, AMD_DBGAPI_EVENT_KIND_RUNTIME), 1);
	assert_int_equal(lists_at(api, process, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED), 1);
	assert_int_equal(lists_at(api, process, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 0);
	/* One that the library does not know any more. */
	agents_gone = true;
	assert_int_equal(lists_at(api, process, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 1);
	agents_gone = false;
	assert_int_equal(lists_at(api, process, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 0);
	api->process_detach(process);
	api->finalize();
	support_unload(&library);
	provider->entered = NULL;
	provider->event_kind = 0;
	/* Listed or not, they are in every moment. */
	support_must(wt_reader_open(trace, &reader));
	assert_int_equal(wt_reader_moment_count(reader), 9);
	for (uint32_t i = 0; i < 9; i++)
		assert_int_equal(agents_at(reader, i), 3);
	wt_reader_close(reader);
}

static int load_provider(void **state)
{
	void *handle = dlopen(FAKE_LIBRARY, RTLD_NOW);

	(void)state;
	provider = handle ? dlsym(handle, "fake") : NULL;
	return provider ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agents_are_listed_when_they_may_be_others),
	};

	return cmocka_run_group_tests(tests, load_provider, NULL);
}
