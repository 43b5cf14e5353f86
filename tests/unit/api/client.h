/* SPDX-License-Identifier: MIT */
/* A client for tests: callbacks that count and keep, and short forms of the calls made most. */
#ifndef TESTS_API_CLIENT_H
#define TESTS_API_CLIENT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <amd-dbgapi/amd-dbgapi.h>

#define SUCCESS AMD_DBGAPI_STATUS_SUCCESS
#define STATUS(name) AMD_DBGAPI_STATUS_ERROR_##name

#define CLIENT_PID 4242
#define CLIENT_PROCESS ((amd_dbgapi_client_process_id_t)9)

extern amd_dbgapi_callbacks_t client_callbacks;
/* What client_process_get_info answers; SUCCESS with CLIENT_PID at first. */
extern amd_dbgapi_status_t client_pid_status;
/* If set, allocate_memory gives NULL. */
extern bool client_out_of_memory;
/* The last message, and how many there were. */
extern char client_message[1024];
extern amd_dbgapi_log_level_t client_message_level;
extern unsigned int client_messages;

#define assert_status(call, status) assert_int_equal((call), (status))
#define assert_success(call) assert_int_equal((call), SUCCESS)

/** Put the client into its first state, initialize the library, log everything. */
void client_start(void);

/** Attach a process; events: the RUNTIME event is still queued. */
amd_dbgapi_process_id_t client_attach(uintptr_t client_process);

/** Attach and process the RUNTIME event. */
amd_dbgapi_process_id_t client_attach_ready(uintptr_t client_process);

/** The next event; its kind in @kind_ret. */
amd_dbgapi_event_id_t client_next(amd_dbgapi_process_id_t process,
				  amd_dbgapi_event_kind_t *kind_ret);

/** The next event must be of a kind: its wave. It is not processed yet. */
amd_dbgapi_wave_id_t client_expect(amd_dbgapi_process_id_t process, amd_dbgapi_event_kind_t kind,
				   amd_dbgapi_event_id_t *event_ret);

/** As client_expect() and process it. */
amd_dbgapi_wave_id_t client_take(amd_dbgapi_process_id_t process, amd_dbgapi_event_kind_t kind);

/** No event may come. */
void client_expect_none(amd_dbgapi_process_id_t process);

uint32_t client_wave_state(amd_dbgapi_wave_id_t wave);
uint32_t client_stop_reason(amd_dbgapi_wave_id_t wave);
uint64_t client_pc(amd_dbgapi_wave_id_t wave);

/** The wave list without the changed flag: at most @limit handles; how many there are. */
size_t client_waves(amd_dbgapi_process_id_t process, amd_dbgapi_wave_id_t *waves, size_t limit);

/** A register of gfx942 by name. */
amd_dbgapi_register_id_t client_register(const char *name);

/** Take the bytes that wait in a notifier: how many. -1 at its end. */
int client_drain(amd_dbgapi_process_id_t process);

#endif /* TESTS_API_CLIENT_H */
