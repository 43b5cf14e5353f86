/* SPDX-License-Identifier: MIT */
/*
 * The provider over a device: what the files of this folder share. The API has one library per
 * process, initialized once, so all of its state is one object.
 *
 * Every object that a client has a handle of is a wt_api_entry at the head of a structure of its
 * kind. Handles count up from 1 per kind over all attachments; finalize restarts them, except those
 * of processes. Lists are in order of creation.
 *
 * A device runs in slices, and only in two places: in process_next_pending_event, if the process
 * has no event to give and its progress is normal, and in process_set_progress, when it becomes
 * normal. So the same calls always give the same answers. Nothing runs before the client has
 * processed the RUNTIME event.
 */
#ifndef WT_DBGAPI_SIMULATED_INTERNAL_H
#define WT_DBGAPI_SIMULATED_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

/* Out of memory must come back as an error, not end the process. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include <amd-dbgapi/amd-dbgapi.h>

#include "base/buffer.h"
#include "dbgapi/table/api.h"
#include "dbgapi/architecture/instruction.h"
#include "dbgapi/architecture/static-info.h"
#include "dbgapi/client/client.h"
#include "device/device.h"

struct wt_api_process;

struct wt_api_entry {
	uint64_t handle;
	uint32_t number; /* the device's number of the object */
	bool hidden;	 /* from lists and look-ups: a wave that was halted at its launch */
	struct wt_api_process *process;
	UT_hash_handle by_handle; /* of all processes, in wt_provider.tables */
	UT_hash_handle
		by_number; /* of one process, in wt_api_process.tables; in order of creation */
};

struct wt_api_code_object {
	struct wt_api_entry entry;
	const struct wt_device_code_object *device;
};

struct wt_api_agent {
	struct wt_api_entry entry;
	const struct wt_device_agent *device;
};

struct wt_api_queue {
	struct wt_api_entry entry;
	const struct wt_device_queue *device;
	struct wt_api_agent *agent;
	bool aborting; /* a wave was resumed with an exception: the queue fails when the device runs
			*/
};

struct wt_api_dispatch {
	struct wt_api_entry entry;
	const struct wt_device_dispatch *device;
	struct wt_api_queue *queue;
};

struct wt_api_workgroup {
	struct wt_api_entry entry;
	const struct wt_device_workgroup *device;
	struct wt_api_dispatch *dispatch;
};

struct wt_api_watchpoint {
	struct wt_api_entry entry; /* the number is that of the address watch register */
	struct wt_device_watchpoint range;
};

struct wt_api_breakpoint {
	struct wt_api_entry entry;
};

struct wt_api_displaced {
	struct wt_api_entry entry;
	struct wt_api_queue *queue;
	uint64_t from, to; /* where the instruction belongs; its buffer, 0 if it has none */
	uint32_t words[2];
	size_t word_count;
	uint32_t users; /* waves */
};

struct wt_api_event;

struct wt_api_wave {
	struct wt_api_entry entry;
	struct wt_device_wave *device;
	struct wt_api_workgroup *workgroup;
	struct wt_api_event *stop; /* of the current stop; NULL once the client has processed it */
	bool stop_requested;	   /* by wave_stop, whose event the client has not got yet */
	struct wt_api_displaced *displaced; /* it is executing an instruction out of place */
};

/* Queued until the client gets it, then reported until the client has processed it, then gone. */
struct wt_api_event {
	struct wt_api_entry entry;
	amd_dbgapi_event_kind_t kind;
	bool reported;
	uint64_t wave; /* a handle; the wave itself may be gone */
	amd_dbgapi_runtime_state_t runtime_state;
	uint64_t breakpoint, next; /* handles: of a resume; what is queued when this is processed */
	amd_dbgapi_client_thread_id_t client_thread;
	TAILQ_ENTRY(wt_api_event) link; /* while queued */
};

struct wt_api_process {
	struct wt_api_entry entry;
	amd_dbgapi_client_process_id_t client;
	bool has_os_id;
	amd_dbgapi_os_process_id_t os_id;
	int notifier[2]; /* a pipe: the client's end, ours */
	struct wt_device *device;
	amd_dbgapi_progress_t progress;
	amd_dbgapi_wave_creation_t wave_creation;
	bool runtime_ready; /* the RUNTIME event was processed, and it has not been unloaded */
	bool changing; /* the program waits at its breakpoint for the client to process events */
	bool out_of_memory; /* while the device ran: an object could not be told to the client */
	struct wt_api_entry *tables[WT_OBJECT_COUNT];
	bool changed[WT_OBJECT_COUNT]; /* since the client last asked for the list */
	TAILQ_HEAD(wt_api_event_queue, wt_api_event) queued;
	bool frozen;
	bool broken; /* the client told a core to go on: as in AMD's library, no list is left */
	struct wt_buffer core_state; /* as of the last freeze */
};

struct wt_provider {
	struct wt_client client;
	struct wt_api_entry *tables[WT_OBJECT_COUNT];
	uint64_t last_handle[WT_OBJECT_COUNT];
	struct wt_disassemblers disassemblers; /* made when first used, gone with finalize */
};

extern struct wt_provider wt_provider;

/** The architectures that this provider knows, for its client. */
static inline struct wt_static wt_provider_static(void)
{
	return wt_static_init(&wt_provider.client);
}

/*
 * Objects and handles (handles.c).
 */
/** The object of a handle, as a pointer to its structure; NULL if there is none or it is hidden. */
void *wt_find(enum wt_object kind, uint64_t handle);

/** As wt_find(), by the device's number; hidden ones too. */
void *wt_find_number(struct wt_api_process *process, enum wt_object kind, uint32_t number);

/**
 * Make an object of @size bytes, whose head is a wt_api_entry, and give it a handle.
 * Return: zeroed but for the head; NULL if there is no memory.
 */
void *wt_create(struct wt_api_process *process, enum wt_object kind, uint32_t number, size_t size);

/** Take an object away and free it. */
void wt_remove(enum wt_object kind, struct wt_api_entry *entry);

/** Take all objects of a kind away from a process. */
void wt_remove_all(struct wt_api_process *process, enum wt_object kind);

/** The next object of a process, in order of creation; the first after NULL. */
void *wt_next(struct wt_api_process *process, enum wt_object kind, const void *object);

/** The processes that an id means: that one, or all for NONE. The first after NULL, NULL at the
 * end. */
struct wt_api_process *wt_next_process(amd_dbgapi_process_id_t id, struct wt_api_process *process);

/** The list functions: one for every kind of object. */
amd_dbgapi_status_t wt_list(enum wt_object kind, amd_dbgapi_process_id_t process_id,
			    size_t *count_ret, void *array_ret, amd_dbgapi_changed_t *changed_ret);

/** wt_find() of these kinds. */
struct wt_api_process *wt_process_find(amd_dbgapi_process_id_t id);
struct wt_api_wave *wt_wave_find(amd_dbgapi_wave_id_t id);

/*
 * Answers of get_info.
 */
static inline amd_dbgapi_status_t wt_answer(size_t value_size, void *value, const void *result,
					    size_t result_size)
{
	return wt_client_return(&wt_provider.client, value_size, value, result, result_size);
}

static inline amd_dbgapi_status_t wt_answer_u32(size_t value_size, void *value, uint32_t result)
{
	return wt_answer(value_size, value, &result, sizeof(result));
}

/** Also for handles, sizes and addresses: all are 64 bits wide. */
static inline amd_dbgapi_status_t wt_answer_u64(size_t value_size, void *value, uint64_t result)
{
	return wt_answer(value_size, value, &result, sizeof(result));
}

/*
 * Processes (process.c, entry points aside).
 */
/** Take a process and all that belongs to it away. */
void wt_process_destroy(struct wt_api_process *process);

/*
 * Events (event.c).
 */
/** Queue an event. @wave may be NULL. Sets process->out_of_memory if it could not. */
void wt_event_queue(struct wt_api_process *process, amd_dbgapi_event_kind_t kind,
		    struct wt_api_wave *wave);

/** An event that is not queued yet; NULL, and process->out_of_memory, if there is no memory. */
struct wt_api_event *wt_event_create(struct wt_api_process *process, amd_dbgapi_event_kind_t kind);
void wt_event_enqueue(struct wt_api_event *event);

/** Take back an event that the client has not got yet. */
void wt_event_drop(struct wt_api_event *event);

/*
 * The notifier (notifier.c).
 */
/** Make the notifier of a process; false with errno set. */
bool wt_notifier_create(struct wt_api_process *process);
void wt_notifier_close(struct wt_api_process *process);
/** Make the notifier readable. One mark stands for any number of events. */
void wt_notifier_mark(struct wt_api_process *process);

/*
 * The device (run.c).
 */
/** Listen to the device and tell the client's handles of what it has from the start; false: no
 * memory. */
bool wt_device_open(struct wt_api_process *process);

/** Let the device run for one slice, if the client lets it. */
void wt_device_slice(struct wt_api_process *process);

/** Let waves that were halted at their launch go, and let the client see them. */
void wt_device_release_waves(struct wt_api_process *process);

/*
 * Waves (wave.c).
 */
/** The state that the client sees. */
amd_dbgapi_wave_state_t wt_wave_state(const struct wt_api_wave *wave);

/** Whether its registers and memory can be had: it is stopped, even if the client does not know
 * yet. */
static inline bool wt_wave_is_stopped(const struct wt_api_wave *wave)
{
	return wave->device->state == WT_WAVE_STOPPED;
}

static inline const struct gfx_architecture *wt_wave_architecture(const struct wt_api_wave *wave)
{
	return wave->device->gfx->architecture;
}

/** The answer to AMD_DBGAPI_WAVE_INFO_WATCHPOINTS (watchpoint.c). */
amd_dbgapi_status_t wt_wave_watchpoints(const struct wt_api_wave *wave, size_t value_size,
					void *value);

/** A wave has no part in its displaced stepping any more, if it had one (displaced.c). */
void wt_displaced_release(struct wt_api_wave *wave);

/*
 * The breakpoint in the host program (breakpoint.c).
 */
/** Have the client insert it, if the program can hit it. */
void wt_breakpoint_insert(struct wt_api_process *process);
/** Have the client remove it, if it is there. */
void wt_breakpoint_remove(struct wt_api_process *process);

/*
 * GPU core dumps (core.c).
 */
/** Ask the client for the core state of its process; false if it has none. */
bool wt_core_ask(const struct wt_api_process *process, amd_dbgapi_core_state_data_t *state_ret);
/** Make the device of a core. @state: the client's, given back here; NULL for a core without one. */
amd_dbgapi_status_t wt_core_open(struct wt_api_process *process,
				 const amd_dbgapi_core_state_data_t *state);
/** Tell the client of what the device has. */
void wt_core_start(struct wt_api_process *process);
/** The answer to AMD_DBGAPI_PROCESS_INFO_CORE_STATE. */
amd_dbgapi_status_t wt_core_state(const struct wt_api_process *process, size_t value_size,
				  void *value);

/** The path in the environment's WAVETAPE_WORKLOAD; NULL if it is not set (environment.c). */
const char *wt_workload_path(void);

#endif /* WT_DBGAPI_SIMULATED_INTERNAL_H */
