/* SPDX-License-Identifier: MIT */
/*
 * The interface of AMD's kernel driver on /dev/kfd: numbers and layouts as Linux' kfd_ioctl.h has them, of the calls that
 * are served. Debian's header cannot be used: it lacks the debug calls, and a header that it needs.
 */
#ifndef WT_DRIVER_OWNER_KFD_H
#define WT_DRIVER_OWNER_KFD_H

#include <stdint.h>

#include "device/kfd-debug.h"

enum kfd_queue_type {
	KFD_QUEUE_COMPUTE,
	KFD_QUEUE_SDMA,
	KFD_QUEUE_COMPUTE_AQL,
	KFD_QUEUE_SDMA_XGMI,
};

struct kfd_create_queue {
	uint64_t ring_address, write_pointer_address, read_pointer_address;
	uint64_t doorbell_offset; /* out */
	uint32_t ring_size, gpu_id, type, percentage, priority;
	uint32_t queue_id; /* out */
	uint64_t eop_address, eop_size, save_address;
	uint32_t save_size, control_stack_size;
};

struct kfd_destroy_queue {
	uint32_t queue_id, padding;
};

struct kfd_update_queue {
	uint64_t ring_address;
	uint32_t queue_id, ring_size, percentage, priority;
};

#define KFD_PERCENTAGE_MAX 100u
#define KFD_PRIORITY_MAX 15u
#define KFD_RING_BYTES_MIN 1024u

#define KFD_CACHE_POLICY_MAX 1u

struct kfd_set_memory_policy {
	uint64_t alternate_base, alternate_size;
	uint32_t gpu_id, default_policy, alternate_policy, padding;
};

struct kfd_get_clock_counters {
	uint64_t gpu, cpu, system, frequency; /* out */
	uint32_t gpu_id, padding;
};

struct kfd_apertures {
	uint64_t lds_base, lds_limit, scratch_base, scratch_limit, gpuvm_base, gpuvm_limit;
	uint32_t gpu_id, padding;
};

struct kfd_get_apertures {
	uint64_t apertures; /* address of struct kfd_apertures[] */
	uint32_t count, padding;
};

enum kfd_event_type {
	KFD_EVENT_SIGNAL = 0,
	KFD_EVENT_HW_EXCEPTION = 3,
	KFD_EVENT_MEMORY = 8,
};

#define KFD_SIGNAL_EVENTS 4096u

struct kfd_create_event {
	uint64_t page_offset; /* in: handle of the page, or 0; out: not 0 */
	uint32_t trigger_data, type, auto_reset, node_id, event_id, slot_index;
};

/* The argument of destroy, set and reset. */
struct kfd_event {
	uint32_t event_id, padding;
};

struct kfd_memory_exception {
	uint32_t not_present, read_only, no_execute, imprecise;
	uint64_t address;
	uint32_t gpu_id, error_type;
};

#define KFD_MEMORY_ERROR_HANG 3u /* of `error_type` */

enum kfd_reset_cause { KFD_RESET_HANG, KFD_RESET_ECC };

struct kfd_hardware_exception {
	uint32_t reset_type, reset_cause, memory_lost, gpu_id;
};

struct kfd_event_data {
	union {
		struct kfd_memory_exception memory;	/* out */
		struct kfd_hardware_exception hardware; /* out */
	};
	uint64_t extension;
	uint32_t event_id, padding;
};

enum kfd_wait_result { KFD_WAIT_COMPLETE, KFD_WAIT_TIMEOUT };

struct kfd_wait_events {
	uint64_t events; /* address of struct kfd_event_data[] */
	uint32_t count, all, timeout, result;
};

struct kfd_set_scratch_backing {
	uint64_t address;
	uint32_t gpu_id, padding;
};

struct kfd_get_tile_config {
	uint64_t tiles, macro_tiles; /* addresses of words */
	uint32_t tile_count, macro_tile_count, gpu_id, gb_addr_config, banks, ranks;
};

struct kfd_set_trap_handler {
	uint64_t tba, tma;
	uint32_t gpu_id, padding;
};

struct kfd_acquire_vm {
	uint32_t drm_fd, gpu_id;
};

enum kfd_memory_flags {
	KFD_MEMORY_VRAM = 1 << 0,
	KFD_MEMORY_GTT = 1 << 1,
	KFD_MEMORY_USERPTR = 1 << 2,
	KFD_MEMORY_DOORBELL = 1 << 3,
	KFD_MEMORY_MMIO_REMAP = 1 << 4,
	KFD_MEMORY_KINDS = 0x1f,
	KFD_MEMORY_EXECUTABLE = 1 << 30,
};
#define KFD_MEMORY_WRITABLE (1u << 31)

struct kfd_allocate_memory {
	uint64_t address, size, handle, mmap_offset;
	uint32_t gpu_id, flags;
};

struct kfd_free_memory {
	uint64_t handle;
};

/* The argument of map and unmap. */
struct kfd_map_memory {
	uint64_t handle, gpu_ids; /* address of words */
	uint32_t count, done;
};

enum kfd_dmabuf_call {
	KFD_GET_DMABUF_INFO = 0x1c,
	KFD_IMPORT_DMABUF = 0x1d,
	KFD_EXPORT_DMABUF = 0x24,
};

struct kfd_get_dmabuf_info {
	uint64_t size;			       /* out */
	uint64_t metadata;		       /* address of bytes */
	uint32_t metadata_size, gpu_id, flags; /* out */
	uint32_t file;
};

struct kfd_import_dmabuf {
	uint64_t address;
	uint64_t handle; /* out */
	uint32_t gpu_id, file;
};

struct kfd_export_dmabuf {
	uint64_t handle;
	uint32_t flags; /* of open() */
	uint32_t file;	/* out */
};

struct kfd_set_xnack_mode {
	int32_t enabled;
};

struct kfd_available_memory {
	uint64_t available;
	uint32_t gpu_id, padding;
};

struct kfd_allocate_sync {
	uint32_t queue_id, count; /* 0: give them back */
	uint32_t first;		  /* out */
	uint32_t padding;
};

/* The debug call of the runtimes up to ROCm 5.6. */
struct kfd_debug_trap_old {
	uint64_t mask, address;
	uint32_t pid, operation, data[4];
};

enum kfd_debug_trap_old_operation {
	KFD_DEBUG_OLD_VERSION = 7,
	KFD_DEBUG_OLD_RUNTIME_ENABLE = 13,
};

#endif /* WT_DRIVER_OWNER_KFD_H */
