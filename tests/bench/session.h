/* SPDX-License-Identifier: MIT */
/* A debug session for measuring: one process that is run until something stops, and then held. */
#ifndef WT_TESTS_BENCH_SESSION_H
#define WT_TESTS_BENCH_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dbgapi/table/api.h"
#include "recorder/agent/core-file.h"

struct session {
	struct wt_api api;
	amd_dbgapi_process_id_t process;
	amd_dbgapi_notifier_t notifier;
	amd_dbgapi_wave_id_t *waves; /* all of them, stopped */
	size_t wave_count;
	bool of_core;
	uint64_t attach_ns;
	uint64_t
		first_stop_ns; /* from letting go until all waves stand; and what the processor did for it */
	uint64_t first_stop_cpu;
	uint64_t
		longest_poll_ns; /* of next_pending_event: until the first stop, then in the last step */
};

/** Print what failed to stderr and end the program. */
__attribute__((format(printf, 1, 2))) _Noreturn void die(const char *format, ...);

/** End the program unless the call succeeded. */
void check(amd_dbgapi_status_t status, const char *call);

uint64_t nanoseconds(void);

/** Of processor time, of this process. */
uint64_t cpu_nanoseconds(void);

/**
 * Attach over a library, run until the first wave stops, and stop all waves. Those of a core stand still anyway.
 *
 * @core_file: NULL for a process. The session does not own it. There may be one session at a time.
 */
void session_begin(struct session *session, const char *library, struct wt_core_file *core_file);

/** Let every wave execute one instruction, and take the events of it. Return: how long that took. */
uint64_t session_step_all(struct session *session);

/** Detach and finalize. */
void session_end(struct session *session);

#endif /* WT_TESTS_BENCH_SESSION_H */
