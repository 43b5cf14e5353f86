/* SPDX-License-Identifier: MIT */
/* A client that freezes a process, keeps what a core file would have, and attaches to it. */
#ifndef TESTS_API_CORE_CLIENT_H
#define TESTS_API_CORE_CLIENT_H

#include "client.h"

#include <stdio.h>
#include <string.h>

#define STOP_EVENT AMD_DBGAPI_EVENT_KIND_WAVE_STOP
#define CORE_PROCESS 7
#define CHUNK 0x10000u
#define MAX_CHUNKS 512
#define MAX_WAVES 64

/* Where workloads are; the main function sets it. */
extern const char *kernels;
/* The process that was frozen, and the one of the core. */
extern amd_dbgapi_process_id_t live, core;

/* What a client keeps of a frozen process. */
extern struct kept {
	amd_dbgapi_core_state_data_t state;
	struct chunk {
		uint64_t address;
		size_t size;
		uint8_t bytes[CHUNK];
	} * chunks[MAX_CHUNKS];
	size_t count;
	bool no_note;
	bool lies; /* reads succeed, and nothing is written to their buffers */
} kept;

void set_progress(amd_dbgapi_process_id_t process, amd_dbgapi_progress_t progress);
void set_creation(amd_dbgapi_wave_creation_t creation);

/** Run to the fault, stop nothing else, and let no wave start. */
void begin(const char *workload);

void freeze_and_keep(void);

/** The teardown of a test. */
int finish(void **state);

#endif /* TESTS_API_CORE_CLIENT_H */
