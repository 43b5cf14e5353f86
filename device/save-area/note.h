/* SPDX-License-Identifier: MIT */
/*
 * The core-state note: the ELF note of a GPU core dump that describes its agents and queues. Their
 * waves are in the memory to which the note's addresses point.
 *
 * It is little endian and has no padding: a version (1), the version of the driver interface, sizes
 * and counts, then the state of the runtime, the agents and the queues.
 */
#ifndef WT_DEVICE_SAVE_AREA_NOTE_H
#define WT_DEVICE_SAVE_AREA_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "gfx/architecture/architecture.h"

/* Owner and type of the ELF note. */
#define WT_CORE_NOTE_OWNER "AMDGPU"
#define WT_CORE_NOTE_TYPE 33u

/* Limits for what a note may claim. No process has as much. */
#define WT_CORE_NOTE_MAX_BYTES (64u << 20)
#define WT_CORE_NOTE_MAX_AGENTS 1024u
#define WT_CORE_NOTE_MAX_QUEUES 65536u
#define WT_CORE_NOTE_MAX_XCCS 256u /* of an agent */

/* The version of the driver interface of notes that we make. */
#define WT_CORE_NOTE_DRIVER_MAJOR 1u
#define WT_CORE_NOTE_DRIVER_MINOR 16u

#define WT_CORE_NOTE_APERTURE_LAST UINT64_C(0xffffffff) /* of an aperture of generic addresses */

enum wt_core_note_runtime {
	WT_CORE_NOTE_RUNTIME_DISABLED,
	WT_CORE_NOTE_RUNTIME_ENABLED,
	WT_CORE_NOTE_RUNTIME_BUSY,
	WT_CORE_NOTE_RUNTIME_ERROR,
};

enum wt_core_note_queue_type {
	WT_CORE_NOTE_QUEUE_PM4,
	WT_CORE_NOTE_QUEUE_SDMA,
	WT_CORE_NOTE_QUEUE_AQL,
	WT_CORE_NOTE_QUEUE_SDMA_XGMI,
};

/* Bits of an agent's `capability` and `debug_properties`. */
#define WT_CORE_NOTE_CAPABILITY_WATCHPOINTS (1u << 7)
#define WT_CORE_NOTE_CAPABILITY_WATCHPOINTS_LOG2_SHIFT 8 /* of their number, 4 bits */
#define WT_CORE_NOTE_CAPABILITY_DEBUG (1u << 15)
#define WT_CORE_NOTE_CAPABILITY_PRECISE_MEMORY (1u << 18)
#define WT_CORE_NOTE_CAPABILITY_FIRMWARE (1u << 29)
#define WT_CORE_NOTE_CAPABILITY_PRECISE_ALU (1u << 30)
#define WT_CORE_NOTE_DEBUG_TTMPS_ALWAYS (1u << 10)
#define WT_CORE_NOTE_DEBUG_WATCHPOINTS_UNSHARED (1u << 11)

struct wt_core_note_agent {
	uint64_t exceptions;
	uint64_t local_base, local_limit, private_base, private_limit, memory_base, memory_limit;
	uint32_t gpu_id, location, vendor, device, revision, subsystem_vendor, subsystem_device;
	uint32_t firmware;
	uint32_t target; /* major * 10000 + minor * 100 + stepping */
	uint32_t simd_count, waves_per_simd, array_count, arrays_per_engine, xcc_count;
	uint32_t capability, debug_properties;
};

struct wt_core_note_queue {
	uint64_t exceptions;
	uint64_t ring_address, write_pointer_address, read_pointer_address, save_address;
	uint32_t queue_id, gpu_id, ring_size, type, save_size;
};

struct wt_core_note {
	uint32_t driver_major, driver_minor;
	uint64_t r_debug;
	uint32_t runtime; /* of enum wt_core_note_runtime */
	bool ttmps_set_up;
	struct wt_core_note_agent *agents;
	uint32_t agent_count;
	struct wt_core_note_queue *queues;
	uint32_t queue_count;
};

/**
 * Parse a note. No byte of it is trusted.
 *
 * @note_ret: for the caller to wt_core_note_deinit() after success.
 *
 * Errors: WT_ERROR_INPUT for a note that is malformed or of another version, WT_ERROR_LIMIT, and WT_ERROR_UNSUPPORTED for
 * an unknown version of the driver interface. The second part of an error is the offset of the field.
 */
struct wt_error *wt_core_note_parse(const void *data, size_t size, struct wt_core_note *note_ret);
void wt_core_note_deinit(struct wt_core_note *note);

/** An agent of which only the architecture is known: what follows from that, one XCC, and zeros. */
struct wt_core_note_agent wt_core_note_agent_init(const struct gfx_architecture *architecture);

/** Append a note to @buffer, which fails if there is no memory. */
void wt_core_note_build(const struct wt_core_note *note, struct wt_buffer *buffer);

#endif /* WT_DEVICE_SAVE_AREA_NOTE_H */
