/* SPDX-License-Identifier: MIT */
/*
 * A device behind the seam that does nothing by itself: a test says what happens in the next run.
 * It has one agent, one queue, one code object, and global memory at FAKE_MEMORY.
 *
 * The tests are scripts over a library with this device in it (fake.py), which has the functions and variables of this file
 * beside those of the API.
 */
#ifndef TESTS_FAKE_DEVICE_H
#define TESTS_FAKE_DEVICE_H

#include <sys/queue.h>

#include "device/device.h"

#define FAKE_MEMORY UINT64_C(0x7f0000100000)
#define FAKE_MEMORY_SIZE 4096u
#define FAKE_RING_PACKETS 4u
#define FAKE_LDS_SIZE 256u
#define FAKE_LANES 64u
#define FAKE_LANE_BYTES 32u
#define FAKE_VGPRS 24u
#define FAKE_AGPRS 8u
#define FAKE_SGPRS 26u
#define FAKE_PC UINT64_C(0x7f0000200000)

/* Called for each run of a device; what it returns is what run returns. NULL: idle. */
struct fake_device;
typedef enum wt_device_progress (*fake_script)(struct fake_device *device);

/* What the tests look at and set: the device made last. */
extern struct fake_device *fake_device;
extern fake_script fake_next_run;
extern unsigned int fake_runs, fake_alive;
/* If set, loading the workload fails. */
extern bool fake_fails;
/* Where the program's breakpoint is; 0: it has none. */
extern uint64_t fake_breakpoint;
/* What a buffer for an instruction is found at; 0: there is none left. */
extern uint64_t fake_buffer;

struct fake_device {
	struct wt_device device;
	struct wt_device_listener listener;
	uint32_t dispatches, workgroups, waves; /* numbers given */
	bool aborted;
	bool program_stops, program_stopped, imprecise;
	uint32_t override; /* the first word of what was put in the place of an instruction */
	size_t buffer_size;
	uint64_t buffer_freed;
	struct wt_device_watchpoint watchpoints[WT_DEVICE_WATCHPOINTS];
	TAILQ_HEAD(, fake_wave) all_waves;
};

/** Start a dispatch of one workgroup with @waves waves; waves_ret may be NULL. */
void fake_launch(struct fake_device *device, uint32_t waves, struct wt_device_wave **waves_ret);

/** A wave stops with a reason. */
void fake_stop(struct fake_device *device, struct wt_device_wave *wave, uint32_t reasons);

/** A wave ends; with the last one of its dispatch, the dispatch. */
void fake_end(struct fake_device *device, struct wt_device_wave *wave);

/** The waves that are alive, in order of creation; at most @limit. Return: how many there are in @waves. */
size_t fake_waves(struct fake_device *device, struct wt_device_wave **waves, size_t limit);

/** The device says something, as a warning or not. */
void fake_say(struct fake_device *device, bool warning, const char *text);

/** All waves end, and the program. */
void fake_end_program(struct fake_device *device);

/**
 * A member of a device, or of a wave, by its name.
 *
 * @wave: whose; NULL for one of the device.
 * Return: where it is; its length in bytes in @size_ret. NULL if there is none of that name.
 */
void *fake_part(struct fake_device *device, struct wt_device_wave *wave, const char *name,
		size_t *size_ret);

#endif /* TESTS_FAKE_DEVICE_H */
