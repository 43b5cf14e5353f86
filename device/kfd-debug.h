/* SPDX-License-Identifier: MIT */
/*
 * The debug calls of AMD's kernel driver: numbers and layouts as Linux' kfd_ioctl.h has them since 6.5. Debian's header
 * does not have them. The driver of the simulated GPU answers them, and the debugger library makes them.
 */
#ifndef WT_DEVICE_KFD_DEBUG_H
#define WT_DEVICE_KFD_DEBUG_H

#include <stdint.h>

#define KFD_IOCTL_BASE 'K'
#define KFD_GET_VERSION 0x01
#define KFD_RUNTIME 0x25 /* of a runtime: enable or disable debugging */
#define KFD_DEBUG 0x26

struct kfd_get_version {
	uint32_t major, minor;
};

/* Exceptions are counted from 1: the bit of a mask is one less. */
#define KFD_EXCEPTION(code) (UINT64_C(1) << ((code)-1))

enum kfd_exception_code {
	KFD_EXCEPTION_WAVE_ABORT = 1,
	KFD_EXCEPTION_WAVE_TRAP = 2,
	KFD_EXCEPTION_WAVE_MATH = 3,
	KFD_EXCEPTION_WAVE_ILLEGAL = 4,
	KFD_EXCEPTION_WAVE_MEMORY = 5,
	KFD_EXCEPTION_WAVE_APERTURE = 6,
	KFD_EXCEPTION_QUEUE_NEW = 31,
	KFD_EXCEPTION_DEVICE_DELETE = 32,
	KFD_EXCEPTION_DEVICE_MEMORY = 33,
	KFD_EXCEPTION_DEVICE_NEW = 36,
	KFD_EXCEPTION_RUNTIME = 48,
	KFD_EXCEPTION_DEVICE_REMOVE = 49,
};
/* The exceptions of queues, devices and the process. */
#define KFD_EXCEPTIONS_QUEUE UINT64_C(0x7fffffff)
#define KFD_EXCEPTIONS_DEVICE UINT64_C(0xf80000000)
#define KFD_EXCEPTIONS_PROCESS (KFD_EXCEPTION(48) | KFD_EXCEPTION(49))

#define KFD_ALL_ONES 0xffffffffu /* of an id: none */

struct kfd_runtime_enable {
	uint64_t r_debug;
	uint32_t mode, capabilities;
};
#define KFD_RUNTIME_ENABLE 1u
#define KFD_RUNTIME_TTMPS 2u

enum kfd_runtime_state {
	KFD_RUNTIME_DISABLED,
	KFD_RUNTIME_ENABLED,
	KFD_RUNTIME_BUSY,
	KFD_RUNTIME_ERROR,
};

struct kfd_runtime_info {
	uint64_t r_debug;
	uint32_t state, ttmps_set_up;
};

enum kfd_debug_operation {
	KFD_DEBUG_ENABLE,
	KFD_DEBUG_DISABLE,
	KFD_DEBUG_SEND_RUNTIME_EVENT,
	KFD_DEBUG_SET_EXCEPTIONS,
	KFD_DEBUG_LAUNCH_OVERRIDE,
	KFD_DEBUG_LAUNCH_MODE,
	KFD_DEBUG_SUSPEND_QUEUES,
	KFD_DEBUG_RESUME_QUEUES,
	KFD_DEBUG_SET_WATCH,
	KFD_DEBUG_CLEAR_WATCH,
	KFD_DEBUG_SET_FLAGS,
	KFD_DEBUG_QUERY_EVENT,
	KFD_DEBUG_QUERY_EXCEPTION,
	KFD_DEBUG_QUEUE_SNAPSHOT,
	KFD_DEBUG_DEVICE_SNAPSHOT,
	KFD_DEBUG_OPERATIONS,
};

struct kfd_debug_trap {
	uint32_t pid, operation;
	union {
		struct {
			uint64_t exceptions, info; /* info: address of struct kfd_runtime_info */
			uint32_t info_size, notifier;
		} enable;
		struct {
			uint64_t exceptions;
			uint32_t gpu_id, queue_id;
		} send;
		struct {
			uint64_t exceptions;
		} set_exceptions;
		struct {
			uint32_t mode, enable, support, padding;
		} launch_override;
		struct {
			uint32_t mode, padding;
		} launch_mode;
		struct {
			uint64_t exceptions, queues; /* address of words */
			uint32_t count, grace;
		} suspend;
		struct {
			uint64_t queues; /* address of words */
			uint32_t count, padding;
		} resume;
		struct {
			uint64_t address;
			uint32_t mode, mask, gpu_id, id;
		} set_watch;
		struct {
			uint32_t gpu_id, id;
		} clear_watch;
		struct {
			uint32_t flags, padding;
		} set_flags;
		struct {
			uint64_t exceptions;
			uint32_t gpu_id, queue_id;
		} query_event;
		struct {
			uint64_t info;
			uint32_t size, source, code, clear;
		} query_exception;
		struct {
			uint64_t exceptions, buffer;
			uint32_t count, entry_size;
		} snapshot;
	};
};

enum kfd_launch_override { KFD_OVERRIDE_OR, KFD_OVERRIDE_REPLACE };
enum kfd_launch_mode { KFD_LAUNCH_NORMAL = 0, KFD_LAUNCH_HALT = 1, KFD_LAUNCH_DEBUG = 3 };
#define KFD_FLAG_PRECISE_MEMORY 1u
#define KFD_FLAG_PRECISE_ALU 2u

/* In the ids of queues that are suspended and resumed. */
#define KFD_QUEUE_ERROR (1u << 30)
#define KFD_QUEUE_INVALID (1u << 31)

enum kfd_watch_mode { KFD_WATCH_READ, KFD_WATCH_NONREAD, KFD_WATCH_ATOMIC, KFD_WATCH_ALL };

struct kfd_queue_entry {
	uint64_t exceptions, ring_address, write_pointer_address, read_pointer_address,
		save_address;
	uint32_t queue_id, gpu_id, ring_size, type, save_size, reserved;
};

struct kfd_device_entry {
	uint64_t exceptions, lds_base, lds_limit, scratch_base, scratch_limit, gpuvm_base,
		gpuvm_limit;
	uint32_t gpu_id, location_id, vendor_id, device_id, revision_id, subsystem_vendor_id,
		subsystem_device_id, firmware, target_version, simd_count, waves_per_simd,
		array_count, arrays_per_engine, xcc_count, capability, debug_properties;
};

/* The driver's report of a memory violation. */
struct kfd_device_memory_exception {
	uint64_t address;
	uint32_t reserved[6];
};

#endif /* WT_DEVICE_KFD_DEBUG_H */
