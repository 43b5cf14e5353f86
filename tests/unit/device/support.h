/* SPDX-License-Identifier: MIT */
/* What the device's tests share: files of their own, the compiled kernels, a log of what happened. */
#ifndef TESTS_DEVICE_SUPPORT_H
#define TESTS_DEVICE_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
/* cmocka needs the ones above. */
#include "tests/unit/with-cmocka.h"

#include "amd-dbgapi/amd-dbgapi.h"
#include "device/device.h"

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

/* s_trap with a number, s_sethalt, s_endpgm. */
#define S_TRAP(number) (0xbf920000u | (number))
#define S_SETHALT(value) (0xbf8d0000u | (value))
#define S_ENDPGM 0xbf810000u

/** A word of the program. */
uint32_t support_code_word(struct support_session *session, uint64_t address);
void support_set_code_word(struct support_session *session, uint64_t address, uint32_t word);

#define STATUS_HALT (1u << 13)
/* Of trapsts. */
#define MEM_VIOL (1u << 8)
#define ILLEGAL_INST (1u << 11)
#define TRAP_AFTER_INST (1u << 25)
#define XNACK_ERROR (1u << 28)

#define REASON(name) ((uint32_t)AMD_DBGAPI_WAVE_STOP_REASON_##name)

/** Check what every wave that the device has stopped shows; @trapsts: of the bits above. */
void support_check_stopped(const struct wt_device_wave *wave, uint32_t reasons, uint32_t trapsts,
			   uint32_t trap_id);

/** Open a workload whose waves are all halted before their first instruction. */
struct support_session *support_open_halted(const char *workload, uint64_t *entry_ret);

void support_resume(struct support_session *session, struct wt_device_wave *wave, bool step);
void support_resume_all(struct support_session *session);

#endif /* TESTS_DEVICE_SUPPORT_H */
