/* SPDX-License-Identifier: MIT */
/* The structure of a process that runs, and what the files of dbgapi/kfd/ share. */
#ifndef WT_DBGAPI_KFD_INTERNAL_H
#define WT_DBGAPI_KFD_INTERNAL_H

#include "dbgapi/core/internal.h"
#include "dbgapi/kfd/debug-ioctl.h"
#include "dbgapi/kfd/kfd.h"

/* Exceptions of queues that concern waves, and with what else the library wants to hear of. */
#define WT_LIVE_WAVE_EXCEPTIONS UINT64_C(0x3f)
#define WT_LIVE_RUNTIME KFD_EXCEPTION(KFD_EXCEPTION_RUNTIME)
#define WT_LIVE_VIOLATION KFD_EXCEPTION(KFD_EXCEPTION_DEVICE_MEMORY)
#define WT_LIVE_QUEUE_NEW KFD_EXCEPTION(KFD_EXCEPTION_QUEUE_NEW)
#define WT_LIVE_EXCEPTIONS (WT_LIVE_WAVE_EXCEPTIONS | WT_LIVE_VIOLATION | WT_LIVE_RUNTIME)

/* The runtime of the process, as far as the library takes part in it. */
enum wt_live_runtime {
	WT_LIVE_RUNTIME_NONE,
	WT_LIVE_RUNTIME_RESTRICTED,
	WT_LIVE_RUNTIME_LOADED,
};

struct wt_live_code {
	struct wt_device_code_object object; /* first */
	char *uri;
	bool listed; /* it is in the list that was read last */
	struct wt_live_code *next;
};

/* Which queues are suspended. What concerns one of them leaves the others alone. */
enum wt_live_scope {
	WT_LIVE_SCOPE_ALL,
	WT_LIVE_SCOPE_ONE,
	WT_LIVE_SCOPE_STALE,
};

struct wt_live_watch {
	bool set;
	uint32_t *ids; /* of the driver, for each agent */
};

struct wt_live {
	struct wt_core core; /* first */
	struct wt_kfd_calls calls;
	int process; /* refers to the process whatever becomes of its id; -1: the kernel cannot */
	int memory;  /* of the process; -1: the client is asked */
	int notifier;
	struct wt_memory_view client;
	bool attached, started;
	bool exited, exit_told;
	bool left; /* its memory is no more: it ends, which it may take a while to have done */
	enum wt_live_runtime runtime;
	bool runtime_waits;   /* the program waits until the client knows of its runtime */
	bool unloaded_untold; /* it has unloaded its runtime */
	bool untold; /* queues or waves may have come, stopped or gone since the listener was told */
	bool stale;  /* an event was about waves that have not been looked at */
	uint32_t holds;
	enum wt_live_scope scope;
	const struct wt_core_queue *only; /* the one queue, with that scope */
	bool keeps;			  /* queues that were suspended stay so */
	bool stands;			  /* they are suspended, and their waves are known */
	bool halting;			  /* waves, at their launch */
	uint32_t flags;			  /* KFD_FLAG_*, as the client has asked for them */
	uint32_t next_queue, next_wave, next_code;
	struct wt_live_code *code;
	struct wt_live_watch watches[WT_DEVICE_WATCHPOINTS];
	bool watching;
};

static inline struct wt_live *wt_live_of(const struct wt_device *device)
{
	return (struct wt_live *)(uintptr_t)device;
}

static inline struct wt_core_wave *wt_live_wave_of(const struct wt_device_wave *wave)
{
	return (struct wt_core_wave *)(uintptr_t)wave;
}

/** Whether there are queues and waves that can be looked at. */
static inline bool wt_live_is_loaded(const struct wt_live *live)
{
	return live->runtime == WT_LIVE_RUNTIME_LOADED && !live->exited;
}

/** Whether the process has exited or is about to: that it cannot be looked at is no failure then. */
static inline bool wt_live_ends(const struct wt_live *live)
{
	return live->exited || live->left;
}

/* live-device.c */
/** Make a debug call. Return: as wt_kfd_call(). An error is looked into: the process has exited, or the driver has failed. */
int wt_live_call(struct wt_live *live, enum kfd_debug_operation operation,
		 struct kfd_debug_trap *args);
/** The same; an error is the caller's to look into, unless it says that the process has exited. */
int wt_live_try(struct wt_live *live, enum kfd_debug_operation operation,
		struct kfd_debug_trap *args);
/** An error that a call had, unless it says that the process has exited: the driver has failed. */
void wt_live_check(struct wt_live *live, enum kfd_debug_operation operation, int result);
/** Note that the driver has failed, for a reason that is logged. */
__attribute__((format(printf, 2, 3))) void wt_live_fail(struct wt_live *live, const char *format,
							...);
/** Log a warning. */
__attribute__((format(printf, 2, 3))) void wt_live_warn(struct wt_live *live, const char *format,
							...);

/* live-program.c */
/** The runtime is there, as core.note says: find out whether it can be debugged, and tell. */
void wt_live_load_runtime(struct wt_live *live);
/** The runtime is gone. */
void wt_live_unload_runtime(struct wt_live *live);
void wt_live_free_code(struct wt_live *live);
uint64_t wt_live_breakpoint(struct wt_device *device, bool stop);
bool wt_live_is_at_breakpoint(const struct wt_device *device);
/** Read the list of code objects again, and tell what has changed. Return: whether anything has. */
bool wt_live_look_for_code(struct wt_device *device);
void wt_live_answer_runtime(struct wt_device *device);

/* live-events.c */
/** Ask the driver for what has happened. */
void wt_live_take_events(struct wt_live *live);
/** Ask it for faults alone. Nothing is found or told. */
void wt_live_take_faults(struct wt_live *live);

/* live-waves.c */
/** Ask the driver which queues there are. @attaching: those that are not new have not been asked for before. */
void wt_live_find_queues(struct wt_live *live, bool attaching);
/** Suspend all queues until they are let go, unless they are suspended already. */
void wt_live_hold(struct wt_live *live);
/** The same of one queue, or of those that an event was about: others that go on may do so. */
void wt_live_hold_queue(struct wt_live *live, const struct wt_core_queue *queue);
void wt_live_hold_stale(struct wt_live *live);
void wt_live_let_go(struct wt_live *live);
/** Let queues go on that stand for no reason any more. */
void wt_live_settle(struct wt_live *live);
/** Suspend queues that are not, and look at the waves of all that were. */
void wt_live_suspend(struct wt_live *live);

uint64_t wt_live_end_address(struct wt_live *live, struct wt_core_queue *queue);
uint64_t wt_live_allocate_buffer(struct wt_device *device, const struct wt_device_queue *queue,
				 const void *instruction, size_t size);

/** Write back what was changed of the waves of suspended queues. */
void wt_live_write_waves(struct wt_live *live);
bool wt_live_load_wave(struct wt_device *device, struct wt_device_wave *wave);
bool wt_live_load_group(struct wt_device *device, struct wt_device_workgroup *group);
bool wt_live_store_group(struct wt_device *device, struct wt_device_workgroup *group);

/* live-device.c */
/** A wave has stopped by itself, for these reasons: is it really over, or does its step have to be made again? */
void wt_live_note_stop(struct wt_live *live, struct wt_core_wave *wave, uint32_t reasons);

/* settings.c */
/** Pass the settings to the driver, when there is a runtime to which they can apply. */
void wt_live_apply_settings(struct wt_live *live);
/** Take them back, before detaching. */
void wt_live_drop_settings(struct wt_live *live);
void wt_live_halt_launches(struct wt_device *device, bool halt);
void wt_live_set_precise(struct wt_device *device, bool precise);
void wt_live_set_precise_alu(struct wt_device *device, bool precise);
bool wt_live_set_watchpoint(struct wt_device *device, uint32_t index,
			    const struct wt_device_watchpoint *watchpoint);
uint32_t wt_live_watchpoints_hit(struct wt_device *device, const struct wt_device_wave *wave);

/* tell.c */
enum wt_live_news {
	WT_LIVE_NEWS_ALL,
	WT_LIVE_NEWS_OF_EVENTS, /* the client asks for events: waves that stand do not go */
};
/** Tell the listener what has happened. */
void wt_live_tell(struct wt_live *live, enum wt_live_news news);
/** Free what is gone without telling. */
void wt_live_free_wave(struct wt_live *live, struct wt_core_wave *wave);

#endif /* WT_DBGAPI_KFD_INTERNAL_H */
