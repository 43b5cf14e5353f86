/* SPDX-License-Identifier: MIT */
/* A client of a workload on the simulated GPU, which goes step by step, and what its trace holds. */
#ifndef WT_TEST_RECORDER_LIVE_H
#define WT_TEST_RECORDER_LIVE_H

#include "tests/unit/recorder/support.h"

/* A client that goes step by step, and the trace that it leaves. */
struct live_client {
	struct support_library library;
	const struct wt_api *api;
	amd_dbgapi_process_id_t process;
	char trace[256];
};

struct live_register {
	uint64_t id;
	size_t size;
	uint8_t value[256];
};

void live_open(struct live_client *client, const char *workload, const char *options);
/* The trace, when the client is done. */
struct wt_reader *live_close(struct live_client *client);
amd_dbgapi_event_kind_t live_next_event(struct live_client *client, amd_dbgapi_event_id_t *event);
/* Go on until a wave stops by itself: its id. The event is processed if @process_it. */
amd_dbgapi_wave_id_t live_run_to_stop(struct live_client *client, bool process_it);
/* Handle what is left, until there is none: the moment of the stop is written then. */
void live_drain(struct live_client *client);
uint32_t live_last_stop(struct wt_reader *reader);
struct wt_state *live_state_at(struct wt_reader *reader, uint32_t moment);
const struct wt_item *live_item(struct wt_reader *reader, const struct wt_state *state,
				enum wt_item_type type, const char *kind, uint64_t owner,
				uint64_t address);
const struct wt_answer *live_answer(struct wt_reader *reader, const struct wt_state *state,
				    const char *kind, uint64_t handle, const char *query);
uint64_t live_number(struct wt_reader *reader, const struct wt_state *state, const char *kind,
		     uint64_t handle, const char *query);
/* A register's recorded value. */
const uint8_t *live_register_value(struct wt_reader *reader, const struct wt_state *state,
				   uint64_t wave, uint64_t id, size_t *size_ret);
/* All registers of a wave, as the client reads them. */
struct live_register *live_read_registers(const struct wt_api *api, amd_dbgapi_wave_id_t wave,
					  size_t *count_ret);

#endif /* WT_TEST_RECORDER_LIVE_H */
