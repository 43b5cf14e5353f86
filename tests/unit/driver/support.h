/* SPDX-License-Identifier: MIT */
/*
 * A program that speaks to the driver directly: a session with its owner, calls, memory that both see, an AQL queue. It is
 * its own user, with no runtime between.
 */
#ifndef WT_TESTS_UNIT_DRIVER_SUPPORT_H
#define WT_TESTS_UNIT_DRIVER_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <unistd.h>

#include "driver/owner/kfd.h"
#include "driver/wire/wire.h"

#define PAGE UINT64_C(4096)
#define CALL(number, type) (_IOC(_IOC_READ | _IOC_WRITE, KFD_IOCTL_BASE, number, sizeof(type)))

struct session {
	char directory[64];
	char log[64]; /* of the owner */
	pid_t owner;
	int anchor, thread, files[WT_WIRE_FILES];
	uint32_t gpu_id;
	uint64_t next_address;
};

/** Start an owner, and connect to it as a program. For setup and teardown of cmocka; the state is a session. */
int session_start(void **state);
int session_end(void **state);
/** With another architecture than gfx90a, and an order of waves' turns. */
int session_start_with(void **state, const char *architecture, uint64_t seed);

/** A call on a connection. Return: its result, or a negative errno. */
int call_on(int fd, enum wt_wire_file file, uint32_t request, void *argument, size_t size);
#define call(session, number, argument)                                                            \
	call_on((session)->thread, WT_WIRE_KFD, (uint32_t)CALL(number, *(argument)), argument,     \
		sizeof(*(argument)))

/** The id of the one agent, and its memory made ready. */
void session_acquire(struct session *session);

struct memory {
	uint64_t handle, address;
	uint8_t *data; /* at the address */
	size_t size;
};

/** Memory of the driver's, mapped for the agent. */
struct memory session_memory(struct session *session, size_t size);

/* An AQL queue: its structure as the runtime lays it out, ring, signals, and what its exceptions are told. */
struct aql {
	struct memory structure, ring, save, room; /* save: the last page is not the save area's */
	uint32_t id, packets;
	uint64_t written;
};

struct aql session_queue(struct session *session);
/** One whose save area has so many bytes; whole pages if they are many. */
struct aql session_queue_with(struct session *session, uint32_t save_size);
/** The packet that is written next; its header is invalid. */
uint8_t *aql_next(struct aql *queue);
/** Let the device see it. */
void aql_submit(struct aql *queue, uint16_t header);
/** Wait until so many packets are done. False if they are not after some seconds. */
bool aql_wait(const struct aql *queue, uint64_t count);

#endif /* WT_TESTS_UNIT_DRIVER_SUPPORT_H */
