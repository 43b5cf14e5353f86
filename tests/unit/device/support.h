/* SPDX-License-Identifier: MIT */
/* What the device's tests share: files of their own, the compiled kernels, a log of what happened.
 * What the device's tests share: files of their own, the compiled kernels, a log of what happened.
 */
#ifndef TESTS_DEVICE_SUPPORT_H
#define TESTS_DEVICE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka needs the ones above. */
#include <cmocka.h>

#include "amd-dbgapi/amd-dbgapi.h"
#include "dbgapi/device.h"

/** Where the compiled kernels and their workloads are; set by support_main(). */
extern const char *support_kernels;

/** Run the tests with a folder for files, removed at the end. Use as the last line of main(). */
int support_main(int argc, char **argv, int (*run)(void));

/** Write a file into that folder. Return: its path, valid until the next call. */
const char *support_write(const char *name, const void *data, size_t size);

/** Path of a file beside the kernels; valid until the next call. */
const char *support_path(const char *name);

/** The whole of a file; freed by the caller. */
uint8_t *support_read(const char *path, size_t *size_ret);

/** Check that an error has a part in its text ("what: where: why"), and destroy it. */
void support_expect_error(struct wt_error *error, const char *part);

/* A device and what its listener was told. */
#define SUPPORT_MAX_EVENTS 4096
struct support_session {
	struct wt_device *device;
	char events[SUPPORT_MAX_EVENTS][64]; /* "wave 3 stopped 0x400" */
	size_t event_count;
	struct wt_device_wave *waves[4096];   /* by number; NULL when gone */
	uint32_t wave_count;		      /* ever created */
	struct wt_device_wave *stopped[4096]; /* in order, those since support_clear() */
	size_t stopped_count;
	char message[512]; /* the last one */
	bool warning;
	bool halt_new; /* halt each wave when it is created */
};

/** Make a device for a workload beside the kernels, or for a text if it begins with '{'. */
struct support_session *support_open(const char *workload);
void support_close(struct support_session *session);

/** Run until something happens other than the end of a budget. */
enum wt_device_progress support_run(struct support_session *session);

/** Run to the end: nothing stops, nothing blocks. */
void support_run_to_end(struct support_session *session);
void support_clear(struct support_session *session);

/** A buffer's bytes; freed by the caller. */
uint8_t *support_buffer(struct support_session *session, const char *name, size_t *size_ret);

#endif /* TESTS_DEVICE_SUPPORT_H */
