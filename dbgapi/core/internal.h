/* SPDX-License-Identifier: MIT */
/*
 * The structures of a core dump's device, and how waves are found in save areas and looked into. Private to dbgapi/core/, and
 * to dbgapi/kfd/: a process that runs has the same, and is read in the same way whenever its queues stand still.
 */
#ifndef WT_DBGAPI_CORE_INTERNAL_H
#define WT_DBGAPI_CORE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dbgapi/core/core.h"
#include "device/save-area/link-map.h"
#include "gfx/instruction/instruction.h"

/* Registers of so many waves are kept in memory. Clients read one wave after the other. */
#define WT_CORE_LOADED_WAVES 64u

struct wt_core_dispatch {
	struct wt_device_dispatch dispatch; /* first */
	struct wt_core_dispatch *next;	    /* of the queue */
	bool told, used; /* of a process that runs: the listener knows it; it has workgroups */
};

struct wt_core_group {
	struct wt_device_workgroup group; /* first */
	struct wt_core_group *next;	  /* of the queue */
	uint64_t lds_address;
	bool told, used; /* of a process that runs: the listener knows it; it has waves */
};

/* The debugger's memory, in chunks. */
struct wt_core_buffers {
	uint64_t base;
	uint32_t count, next;
	uint32_t *freed; /* indices, the last one freed last */
	size_t freed_count;
};

/* The additional state of a queue of a process that runs. */
struct wt_core_live_queue {
	bool told; /* the listener knows it */
	bool gone, suspended;
	bool fresh;   /* it has been suspended, and its waves were not read yet */
	bool stale;   /* an event was about its waves, which have not been looked at since */
	bool adopted; /* its waves have been looked at: others that are there later are new */
	bool listed;  /* it is in the last snapshot */
	uint64_t park,
		end; /* addresses of a trap and of s_endpgm in the debugger's memory; 0: not yet */
};

struct wt_core_live_wave {
	bool told, gone;
	bool seen;	  /* it is in the save area that was read last */
	bool dirty;	  /* its hardware registers are to be written */
	bool ending;	  /* it was told to be gone, and executes its last instruction */
	bool pending;	  /* it has stopped, which has not been told; it seems to run until then */
	uint32_t reasons; /* of that */
	uint64_t resumed_at; /* its pc when it was resumed */
	/* The wave executes these in place of what is at its pc. */
	uint32_t override_words[GFX_INSTRUCTION_WORDS];
	size_t override_count;
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
	uint32_t r_debug_version; /* of the runtime whose trap handler its waves have */
	struct wt_core_buffers buffers;
	struct wt_core_live_queue live;
};

struct wt_core_agent {
	struct wt_device_agent agent; /* first */
	struct wt_core_note_agent entry;
	const struct wt_save_area_layout *layout;
	char name[96];
	bool violation; /* of a process that runs: the driver has told of one, and the runtime was not told yet */
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
	struct wt_core_live_wave live;
};

struct wt_core {
	struct wt_device device; /* first */
	struct wt_device_listener listener;
	struct wt_core_note note;
	struct wt_memory_view memory;
	struct wt_core_agent *agents;
	struct wt_core_queue **queues;
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

/** Make the agents of core->note; those that cannot be debugged are listed as not supported. Errors: no memory. */
struct wt_error *wt_core_open_agents(struct wt_core *core);
/** The agent of a GPU id; NULL if there is none. */
struct wt_core_agent *wt_core_find_agent(const struct wt_core *core, uint32_t gpu_id);

/** Make a queue, and read what it has besides waves. @number: of the seam. Return: NULL without memory. */
struct wt_core_queue *wt_core_make_queue(struct wt_core *core,
					 const struct wt_core_note_queue *entry,
					 struct wt_core_agent *agent, uint32_t number);
/* How many shader engines each part of an agent has, between which private memory is divided. */
static inline uint64_t wt_core_engines(const struct wt_core_agent *agent)
{
	return agent->entry.array_count / agent->entry.arrays_per_engine;
}

/* For how many waves each part of a queue's agent has private memory, and bytes of each. */
static inline uint64_t wt_core_scratch_waves(const struct wt_core_queue *queue)
{
	return wt_tmpring_wave_count(queue->agent->layout, queue->tmpring_size,
				     wt_core_engines(queue->agent));
}

static inline uint64_t wt_core_scratch_of_wave(const struct wt_core_queue *queue)
{
	return wt_tmpring_wave_bytes(queue->agent->layout, queue->tmpring_size);
}

/** Read the indices of the ring, and where private memory is. False if the former are not in memory. */
bool wt_core_read_structure(const struct wt_core *core, struct wt_core_queue *queue);
/** Free a queue with its dispatches and workgroups; NULL is legal. */
void wt_core_free_queue(struct wt_core_queue *queue);

/** Read the waves of all queues. Those that cannot be read give a warning. Errors: no memory. */
struct wt_error *wt_core_read_waves(struct wt_core *core);

/* The position of a walk over the save areas of a queue. */
struct wt_core_reading {
	struct wt_core *core;
	struct wt_core_queue *queue;
	struct wt_core_group *group; /* of the waves that follow, NULL between workgroups */
	uint32_t xcc;
	size_t skipped;
	void *opaque; /* of the visitor */
};

/** Visit the waves that are saved in one area of a queue, whose number is reading->xcc. Errors: as wt_save_area_walk(). */
struct wt_error *wt_core_walk(struct wt_core_reading *reading, wt_save_area_visitor visitor);
/** Gives the setup that holds for the waves of an agent. */
struct wt_saved_wave_setup wt_core_setup(const struct wt_core *core,
					 const struct wt_core_agent *agent);
/** Make a wave of what the control stack says, without a number and a workgroup. NULL without memory. */
struct wt_core_wave *wt_core_make_wave(const struct wt_core_reading *reading,
				       const struct wt_save_area_wave *saved);
/**
 * Put a wave whose hardware registers are loaded into its workgroup and dispatch, which are made if they are new, and find out
 * what it does and where its private memory is. False without memory.
 */
bool wt_core_place_wave(struct wt_core_reading *reading, struct wt_core_wave *wave,
			const struct wt_saved_wave_state *state);
/** Add it to the waves of the device, with a number and its id. False without memory. */
bool wt_core_keep_wave(struct wt_core *core, struct wt_core_wave *wave, uint32_t number);
void wt_core_place_scratch(struct wt_core_wave *wave);
/** Free its registers. */
void wt_core_unload_wave(struct wt_core *core, struct wt_core_wave *wave);
/** Read the LDS of a workgroup if it is not there yet. False without memory; what cannot be read has no size. */
bool wt_core_load_group(struct wt_core *core, struct wt_core_group *group);

/** The pc of a stopped wave is in its trap temporaries, too, on families that park waves. */
void wt_core_note_pc(struct wt_core_wave *wave);
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
