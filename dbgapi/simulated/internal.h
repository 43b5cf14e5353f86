/* SPDX-License-Identifier: MIT */
/*
 * The implementation of the API over a device (device/device.h). The API has no context parameter, so the state of the
 * library is one global object, wt_provider.
 *
 * The room `simulated` has the objects and events of clients, and the functions of the API. It must not know how a device
 * works, or what a trace is.
 *
 *     library.c, library-environment.c    initialize and finalize, log, environment
 *     process.c, notifier.c  attaching, to a core too; progress; the notifier
 *     device-run.c, client-event.c, api-event.c  the device runs; what happens on it becomes objects and events
 *     object-handles.c, entries.c         from numbers to objects, and lists of them
 *     objects.c, dispatches.c, wave.c     objects and their queries; stopping and resuming waves, also those of a process
 *                                         that runs by itself
 *     watchpoint.c, displaced.c, loader-breakpoint.c  what debuggers set; the library's own breakpoint in the host program
 *     api-register.c, api-memory.c and the other api-*.c  registers, memory, addresses, architectures
 *     stand-in.c                          wavetape-host as the program
 *
 * device-run.c, loader-breakpoint.c and stand-in.c use each other in a circle: the device does not run before the stand-in has its memory,
 * which the first hit of the breakpoint reports; and code objects that a run loads are reported by another hit.
 *
 * Every object with a handle is a structure that begins with a wt_api_entry. Handles of a kind are numbered from 1 over
 * all attachments; finalize restarts them, except those of processes. Lists are in order of creation, those of a core in
 * the order of AMD's library.
 *
 * A device runs in slices, and only in two functions: process_next_pending_event, if no event is queued and progress is
 * normal, and process_set_progress, when progress becomes normal. So the same calls always have the same results. The
 * device does not run before the client has processed the RUNTIME event; until then its first waves stand at their entries.
 *
 * A process that AMD's kernel driver serves runs by itself. What has happened in it is looked for in process_next_pending_event,
 * whatever the progress, and before queues, dispatches, workgroups and waves are listed.
 */
#ifndef WT_DBGAPI_SIMULATED_INTERNAL_H
#define WT_DBGAPI_SIMULATED_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <amd-dbgapi/amd-dbgapi.h>

#include "base/buffer.h"
#include "dbgapi/table/api.h"
#include "dbgapi/architecture/instruction.h"
#include "dbgapi/architecture/static-info.h"
#include "dbgapi/client/client.h"
#include "dbgapi/host/shared.h"
#include "dbgapi/simulated/entries.h"
#include "dbgapi/simulated/registers.h"
#include "device/device.h"

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
	bool aborting; /* a wave was resumed with an exception: the next run puts it into an error state */
};

struct wt_api_dispatch {
	struct wt_api_entry entry;
	const struct wt_device_dispatch *device;
	struct wt_api_queue *queue;
};

struct wt_api_workgroup {
	struct wt_api_entry entry;
	struct wt_device_workgroup *device;
	struct wt_api_dispatch *dispatch;
};

struct wt_api_watchpoint {
	struct wt_api_entry entry; /* entry.number is the index of the address watch register */
	struct wt_device_watchpoint range;
};

struct wt_api_breakpoint {
	struct wt_api_entry entry;
};

/* The longest instruction that any GPU has takes so many. */
#define WT_INSTRUCTION_WORDS 6

struct wt_api_displaced {
	struct wt_api_entry entry;
	struct wt_api_queue *queue;
	uint64_t from,
		to; /* address of the instruction; of its copy, 0 if it is executed in place */
	uint32_t words[WT_INSTRUCTION_WORDS];
	size_t word_count;
	uint32_t users; /* waves that step over this instruction */
};

struct wt_api_event;

struct wt_api_wave {
	struct wt_api_entry entry;
	struct wt_device_wave *device;
	struct wt_api_workgroup *workgroup;
	struct wt_api_event *stop; /* of the current stop; NULL after the client has processed it */
	bool stop_requested;	   /* by wave_stop, whose event has not been fetched yet */
	struct wt_api_displaced *displaced; /* the displaced step that it is in, or NULL */
};

/* Queued until the client fetches it, then reported until the client has processed it, then removed. */
struct wt_api_event {
	struct wt_api_entry entry;
	amd_dbgapi_event_kind_t kind;
	bool reported;
	uint64_t wave; /* its handle, since the wave may have ended */
	amd_dbgapi_runtime_state_t runtime_state;
	uint64_t breakpoint; /* handle, of BREAKPOINT_RESUME */
	uint64_t next;	     /* handle of the event to queue when this one is processed */
	amd_dbgapi_client_thread_id_t client_thread;
	TAILQ_ENTRY(wt_api_event) link; /* while queued */
};

/* How wavetape-host comes to its end: it calls its ready function, and has passed the client's breakpoint there. */
enum wt_stand_in_leaving { WT_STAND_IN_STAYS, WT_STAND_IN_LEAVES, WT_STAND_IN_MAY_LEAVE };

/* The client's process, if that is wavetape-host: it has the GPU's memory, and stands for the program that uses the GPU. */
struct wt_stand_in {
	bool present;
	bool held; /* it has not called its ready function yet: the device waits, and there is no code */
	bool calling; /* it was told to call that, and the client has not reported it */
	enum wt_stand_in_leaving leaving;
	int memory;	/* of the process */
	uint64_t ready; /* address of the function */
	struct wt_host_shared shared;
};

struct wt_api_process {
	struct wt_api_entry entry;
	amd_dbgapi_client_process_id_t client;
	bool has_os_id;
	amd_dbgapi_os_process_id_t os_id;
	int notifier[2]; /* a pipe: the end of the client, our end */
	struct wt_stand_in stand_in;
	struct wt_device *device;
	amd_dbgapi_progress_t progress;
	amd_dbgapi_wave_creation_t wave_creation;
	bool runtime_ready; /* its RUNTIME event was processed and it has not been unloaded */
	bool changing; /* the program is stopped at its breakpoint until events are processed */
	bool out_of_memory; /* an object or event of this process could not be created */
	struct wt_api_entries objects[WT_OBJECT_COUNT]; /* with those that have no handle */
	size_t object_count[WT_OBJECT_COUNT];
	struct wt_api_table numbers[WT_OBJECT_COUNT]; /* see wt_find_number() */
	bool changed[WT_OBJECT_COUNT];		      /* since the client last fetched the list */
	TAILQ_HEAD(wt_api_event_queue, wt_api_event) queued;
	bool frozen;
	bool precise_memory, precise_alu; /* the client has set them */
	bool asks_once; /* the client's own access to memory is passed on to it as it is */
	amd_dbgapi_status_t
		transferred; /* what the client said of memory that it was asked for last */
	bool broken; /* progress of a core was set to normal: what needs its queues suspended is FATAL, as in AMD's library */
	struct wt_buffer core_state; /* the note of the last freeze */
};

/* Objects of a kind that are found without looking in a table. */
#define WT_RECENT 256u

struct wt_provider {
	struct wt_client client;
	struct wt_api_table handles[WT_OBJECT_COUNT];
	struct wt_api_entries processes;
	/* Found last of all whose handles have these last bits; not hidden. NULL: that is gone. */
	struct wt_api_entry *recent[WT_OBJECT_COUNT][WT_RECENT];
	uint64_t last_handle[WT_OBJECT_COUNT];
	size_t register_place; /* where the last register was found: see gfx_register_range_find() */
	/* A wave whose registers were read, where each of them is, and the files that they are in. */
	struct {
		const struct wt_api_wave *wave; /* NULL: none */
		const uint32_t *files[WT_REGISTER_FILES];
		struct wt_register_shape shape;
	} reading;
	struct wt_disassemblers disassemblers; /* until finalize */
};

extern struct wt_provider wt_provider;

/** The architectures of this provider. */
static inline struct wt_static wt_provider_static(void)
{
	return wt_static_init(&wt_provider.client);
}

/*
 * Objects and handles (object-handles.c).
 */
/** The object of a handle, as a pointer to its structure; NULL if there is none, or if it is hidden. */
__attribute__((noinline)) void *wt_find_anew(enum wt_object kind, uint64_t handle);

/* Clients ask of one object what there is to know, and then of the next. */
static inline struct wt_api_entry **wt_recent(enum wt_object kind, uint64_t handle)
{
	return &wt_provider.recent[kind][handle % WT_RECENT];
}

static inline void *wt_find(enum wt_object kind, uint64_t handle)
{
	struct wt_api_entry *entry = *wt_recent(kind, handle);

	return entry && entry->handle == handle ? entry : wt_find_anew(kind, handle);
}

/** The same by the device's number, of all kinds but waves and events; finds hidden objects, too. */
void *wt_find_number(struct wt_api_process *process, enum wt_object kind, uint32_t number);

/**
 * Make an object with a handle. @size: of its structure, which begins with a wt_api_entry.
 *
 * Return: the structure, zeroed after its entry; NULL if there is no memory.
 */
void *wt_create(struct wt_api_process *process, enum wt_object kind, uint32_t number, size_t size);

/** The same without a handle: found by its number only, and in no list. */
void *wt_create_nameless(struct wt_api_process *process, enum wt_object kind, uint32_t number,
			 size_t size);

/** Remove an object and free it. */
void wt_remove(enum wt_object kind, struct wt_api_entry *entry);

/** Remove all objects of a kind from a process. */
void wt_remove_all(struct wt_api_process *process, enum wt_object kind);

/** The next object of a process, in order of creation; the first after NULL. */
void *wt_next(struct wt_api_process *process, enum wt_object kind, const void *object);

/** The next process that an id stands for: that process, or each one for NONE. The first after NULL. */
struct wt_api_process *wt_next_process(amd_dbgapi_process_id_t id, struct wt_api_process *process);

/** The list function of a kind of objects. */
amd_dbgapi_status_t wt_list(enum wt_object kind, amd_dbgapi_process_id_t process_id,
			    size_t *count_ret, void *array_ret, amd_dbgapi_changed_t *changed_ret);

/** wt_find() of these kinds. */
static inline struct wt_api_process *wt_process_find(amd_dbgapi_process_id_t id)
{
	return wt_find(WT_OBJECT_PROCESS, id.handle);
}

static inline struct wt_api_wave *wt_wave_find(amd_dbgapi_wave_id_t id)
{
	return wt_find(WT_OBJECT_WAVE, id.handle);
}

/** Can all agents of a process set watchpoints? Not if it has none. */
bool wt_process_can_watch(struct wt_api_process *process);

/*
 * Results of get_info.
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
/** Remove a process with all its objects. */
void wt_process_destroy(struct wt_api_process *process);

/*
 * Events (client-event.c).
 */
/** Make and queue an event. @wave may be NULL. Sets process->out_of_memory if there is no memory. */
void wt_event_queue(struct wt_api_process *process, amd_dbgapi_event_kind_t kind,
		    struct wt_api_wave *wave);

/** Make an event without queueing it. NULL, and process->out_of_memory is set, if there is no memory. */
struct wt_api_event *wt_event_create(struct wt_api_process *process, amd_dbgapi_event_kind_t kind);
void wt_event_enqueue(struct wt_api_event *event);

/** Remove an event that is still queued. */
void wt_event_drop(struct wt_api_event *event);

/*
 * The notifier (notifier.c).
 */
/** Make the notifier of a process; false, with errno set, after an error. */
bool wt_notifier_create(struct wt_api_process *process);
void wt_notifier_close(struct wt_api_process *process);
/** Make the notifier readable. It has one byte for any number of events. */
void wt_notifier_mark(struct wt_api_process *process);

/*
 * The device (device-run.c).
 */
/** Listen to the device and make objects for its agents, queues and code objects; false: no memory. */
bool wt_device_open(struct wt_api_process *process);

/** Make objects for the code objects that are loaded; false: no memory. */
bool wt_device_show_code(struct wt_api_process *process);

/** Let the device run for one slice if progress is normal and the runtime is ready. */
void wt_device_slice(struct wt_api_process *process);

/** Resume the waves that are halted at their launch, and show them to the client. */
void wt_device_release_waves(struct wt_api_process *process);

/*
 * Waves (wave.c).
 */
/** The state that the client sees. */
amd_dbgapi_wave_state_t wt_wave_state(const struct wt_api_wave *wave);

/** Whether its registers and memory can be accessed: it is stopped, reported or not. */
static inline bool wt_wave_is_stopped(const struct wt_api_wave *wave)
{
	return wave->device->state == WT_WAVE_STOPPED;
}

static inline const struct gfx_architecture *wt_wave_architecture(const struct wt_api_wave *wave)
{
	return wave->device->gfx->architecture;
}

/** The result of AMD_DBGAPI_WAVE_INFO_WATCHPOINTS (watchpoint.c). */
amd_dbgapi_status_t wt_wave_watchpoints(const struct wt_api_wave *wave, size_t value_size,
					void *value);

/** End the displaced step of a wave that is in one (displaced.c). */
void wt_displaced_release(struct wt_api_wave *wave);

/*
 * The breakpoint in the host program (loader-breakpoint.c).
 */
/** Let the client insert it, unless the program never hits it. Return: false if that fails. */
bool wt_breakpoint_insert(struct wt_api_process *process);
/** Let the client remove it, if it is inserted. */
void wt_breakpoint_remove(struct wt_api_process *process);

/** Tell the client that the list of code objects has changed, and then that a thread of its can go on. */
bool wt_breakpoint_answer(struct wt_api_breakpoint *breakpoint, bool code,
			  amd_dbgapi_client_thread_id_t client_thread_id);

/*
 * wavetape-host as the client's process (stand-in.c). Where the process is another one, all of these do nothing.
 */
/** Look whether it is, before there is a device. Errors: its memory cannot be shared. */
struct wt_error *wt_stand_in_open(struct wt_api_process *process);
/** Let it map the device's memory. */
struct wt_error *wt_stand_in_start(struct wt_api_process *process);
void wt_stand_in_close(struct wt_api_process *process);
/** Whether the device waits for it. */
bool wt_stand_in_is_held(struct wt_api_process *process);
/**
 * Notes that the stand-in is in its ready function. Return: whether it was waited for there; then @code says if there may
 * be other code.
 */
bool wt_stand_in_is_ready(struct wt_api_process *process, bool *code_ret);
/** The client asks for events. */
void wt_stand_in_pump(struct wt_api_process *process);
/** The device has run, until there was nothing more to do if @idle. */
void wt_stand_in_ran(struct wt_api_process *process, bool idle);
/** The client lets the thread go on that was in the ready function. */
void wt_stand_in_resumed(struct wt_api_process *process);
/** Its own memory: as wt_host_move(). */
size_t wt_stand_in_move(const struct wt_api_process *process, uint64_t address, void *read_to,
			const void *write_from, size_t size);

/*
 * Processes that run by themselves (wave.c). Where the process is not one, all of these do nothing.
 */
/** Attach to the client's process through the kernel driver; there is a device then, or a reason is logged. */
amd_dbgapi_status_t wt_live_open(struct wt_api_process *process);
/** Whether the kernel driver is there. */
bool wt_live_is_possible(void);
/** Brings up to date what a client lists. */
void wt_live_look(struct wt_api_process *process, enum wt_object kind);
/** Keep all waves where they are, or let them go, as progress says. */
void wt_live_set_progress(struct wt_api_process *process, amd_dbgapi_progress_t progress);

/**
 * Before the process is detached: waves that step elsewhere than in the program are put back there, and the client removes the
 * breakpoint.
 */
void wt_live_leave(struct wt_api_process *process);
/** Whether the driver has failed since this was last asked, in a way for which there is no status but FATAL. */
bool wt_live_has_failed(struct wt_api_process *process);
/** Registers of a stopped wave were written, or its pc was moved. */
void wt_wave_written(struct wt_api_wave *wave);
/** FATAL if it has, else @status. */
amd_dbgapi_status_t wt_live_status(struct wt_api_process *process, amd_dbgapi_status_t status);

/*
 * GPU core dumps (process.c).
 */

/** The path in the environment's WAVETAPE_WORKLOAD; NULL if it is not set (library-environment.c). */
const char *wt_workload_path(void);

#endif /* WT_DBGAPI_SIMULATED_INTERNAL_H */
