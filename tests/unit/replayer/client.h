/* SPDX-License-Identifier: MIT */
/* A debugger in small (client.c), and how it prints what there is (client-print.c). */
#ifndef TEST_REPLAYER_CLIENT_H
#define TEST_REPLAYER_CLIENT_H

#include <amd-dbgapi/amd-dbgapi.h>

#include <stddef.h>
#include <stdint.h>

/* What is debugged. */
extern struct client {
	amd_dbgapi_process_id_t process;
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_address_space_id_t global, local, private_lane, private_wave, generic;
} client;

/** FNV-1a: enough to see that two runs of bytes are the same. */
uint64_t client_hash(const void *data, size_t size);

/** A line: what was done, and what came of it. */
void client_say(const char *what, amd_dbgapi_status_t status);

/* Of the architecture. */
void client_print_registers(void);
void client_print_classes(void);
/** Also learns the address spaces. */
void client_print_spaces(void);

/* Of the process. */
void client_print_code_objects(void);
void client_print_queues(void);
void client_print_dispatches(void);
void client_print_wave(amd_dbgapi_wave_id_t wave);
/** The waves, as many as there is time for; how many there are is the return value. */
size_t client_print_waves(amd_dbgapi_wave_id_t **waves_ret);

#endif /* TEST_REPLAYER_CLIENT_H */
