/* SPDX-License-Identifier: MIT */
/* The structures of a core dump's device. Private to dbgapi/core/. */
#ifndef WT_DBGAPI_CORE_INTERNAL_H
#define WT_DBGAPI_CORE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dbgapi/core/core.h"
#include "device/save-area/link-map.h"

/* Registers of so many waves are kept in memory. Clients read one wave after the other. */
#define WT_CORE_LOADED_WAVES 64u

struct wt_core_dispatch {
	struct wt_device_dispatch dispatch; /* first */
	struct wt_core_dispatch *next;	    /* of the queue */
};

struct wt_core_group {
	struct wt_device_workgroup group; /* first */
	struct wt_core_group *next;	  /* of the queue */
	uint64_t lds_address;
};

/* The debugger's memory, in chunks. */
struct wt_core_buffers {
	uint64_t base;
	uint32_t count, next;
	uint32_t *freed; /* indices, the last one freed last */
	size_t freed_count;
};

struct wt_core_queue {
	struct wt_device_queue queue; /* first */
	struct wt_core_note_queue entry;
	struct wt_core_agent *agent;
	struct wt_core_dispatch *dispatches, **dispatches_end; /* in order of creation */
	struct wt_core_group *groups;
	bool has_scratch;
	uint64_t scratch_base, scratch_size; /* of each XCC */
	uint32_t tmpring_size;
	struct wt_core_buffers buffers;
};

struct wt_core_agent {
	struct wt_device_agent agent; /* first */
	struct wt_core_note_agent entry;
	const struct wt_save_area_layout *layout;
	char name[48];
};

struct wt_core_wave {
	struct wt_device_wave wave; /* first */
	struct gfx_wave gfx;
	struct wt_core_queue *queue;
	struct wt_core_group *group;
	struct wt_save_area_wave saved;
	uint32_t xcc;
	uint32_t *registers; /* NULL while they are not loaded */
	uint64_t loaded;     /* time of their last use, by wt_core.clock */
	bool running;	     /* it was saved running */
};

struct wt_core {
	struct wt_device device; /* first */
	struct wt_device_listener listener;
	struct wt_core_note note;
	struct wt_memory_view memory;
	struct wt_core_agent *agents;
	struct wt_core_queue *queues;
	size_t agent_count, queue_count;
	struct wt_link_map link_map;
	struct wt_device_code_object *code_objects;
	enum wt_core_access access;
	struct wt_core_wave **waves;
	size_t wave_count, wave_capacity;
	uint32_t next_dispatch, next_workgroup;
	uint64_t clock; /* counts uses of registers */
	size_t loaded_count;
	bool told;	 /* the first run is over */
	char **warnings; /* reported in the first run */
	size_t warning_count;
};

/** Keep an error as a warning and destroy it; NULL is none. Without memory the warning is lost. */
void wt_core_warn(struct wt_core *core, struct wt_error *error);
/** Report the warnings to the listener. */
void wt_core_tell_warnings(const struct wt_core *core);
void wt_core_free_warnings(struct wt_core *core);

/** Read the waves of all queues. Those that cannot be read give a warning. Errors: no memory. */
struct wt_error *wt_core_read_waves(struct wt_core *core);

/** Bring a wave into the state in which the trap handler leaves a stopped wave. */
void wt_core_park(struct wt_core_wave *wave);
/** Undo that, as a debugger does that resumes the wave, for one instruction if @step. */
void wt_core_unpark(struct wt_core_wave *wave, bool step);

/** Find the debugger's memory of a queue. There is none if its save area does not say where. */
void wt_core_open_buffers(const struct wt_core *core, struct wt_core_queue *queue);
/** The operations `buffer_allocate` and `buffer_free` of wt_device_operations. */
uint64_t wt_core_allocate_buffer(struct wt_device *device, const struct wt_device_queue *queue,
				 const void *instruction, size_t size);
void wt_core_free_buffer(struct wt_device *device, const struct wt_device_queue *queue,
			 uint64_t address);

/** The operation `load_wave` of wt_device_operations. */
bool wt_core_load_wave(struct wt_device *device, struct wt_device_wave *wave);

#endif /* WT_DBGAPI_CORE_INTERNAL_H */
