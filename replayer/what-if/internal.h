/* SPDX-License-Identifier: MIT */
/* Structures and functions that the files of this room share. */
#ifndef WT_REPLAYER_WHAT_IF_INTERNAL_H
#define WT_REPLAYER_WHAT_IF_INTERNAL_H

#include "device/machine/machine.h"
#include "replayer/core/dumped-wave.h"
#include "replayer/core/pieces.h"
#include "replayer/recorded/images.h"
#include "replayer/view/explain-cause-internal.h"
#include "replayer/what-if/what-if.h"

/* ---- prepared-stop.c ---- */

struct wt_prepared_wave {
	struct wt_making_wave recorded; /* its registers and place in the grid */
	uint64_t from;			/* the pc from which it goes on */
	uint64_t place;		/* the global address of its private memory; 0: it has none */
	uint8_t *private_bytes; /* as it was recorded; owned */
};

/* A workgroup that is there. */
struct wt_prepared_group {
	uint32_t coordinates[3];
	size_t first, count; /* of the waves */
	uint8_t *local;	     /* its local memory as it was recorded; owned; NULL if it has none */
};

struct wt_prepared_stop {
	struct wt_explainer *explainer;
	struct wt_view *view;
	struct wt_followed *followed; /* the wave that is asked for, with its dispatch's launch */
	const struct gfx_architecture *architecture;
	const struct wt_save_area_layout *layout;
	struct wt_what_if_options options;
	struct wt_task task; /* of the dispatch */
	struct wt_device_dispatch dispatch;
	uint64_t ring_address, ring_size, compute_units;
	/* Memory: what was recorded, and the images of code, which are not to be written. */
	struct wt_pieces pieces;
	struct wt_images images;
	/* In the order in which workgroups begin, and those of a workgroup by their numbers. */
	struct wt_prepared_wave *waves;
	size_t wave_count;
	struct wt_prepared_group *groups;
	size_t group_count;
	uint32_t next[3]; /* the workgroup that is to begin next, if `not_begun` is not 0 */
	uint64_t not_begun;
	uint64_t wave_private; /* bytes of a wave's private memory, in whole units; 0: none */
	/* Private memory of workgroups that begin. */
	uint64_t pool_address;
	size_t pool_groups;
	bool strict_local; /* a wave has stopped for an access past local memory: here that is no access that goes on */
};

/** Take what is needed of a stop. @stop: zeroed; for the caller to wt_prepared_stop_deinit(), also after an error. */
struct wt_error *wt_prepared_stop_init(struct wt_prepared_stop *stop,
				       struct wt_explainer *explainer, uint64_t wave,
				       const struct wt_what_if_options *options);
void wt_prepared_stop_deinit(struct wt_prepared_stop *stop);

/** Whose memory an address is one of, for the caller to free(); NULL if it is not known. */
struct wt_error *wt_prepared_whose(const struct wt_prepared_stop *stop, uint64_t address,
				   char **text_ret);

/** The error that refuses the question. */
__attribute__((format(printf, 2, 3))) struct wt_error *wt_what_if_refuse(enum wt_error_code code,
									 const char *format, ...);

/* ---- going-on.c ---- */

struct wt_going_wave {
	uint64_t handle;
	uint32_t workgroup[3], number_in_workgroup;
	struct wt_wave *wave; /* NULL once it has ended */
	uint64_t
		from; /* the address from which it goes on; of one that begins, its first instruction */
	bool gone;			   /* it had ended before the stop */
	struct wt_what_if_outcome outcome; /* when the run is over */
};

struct wt_going_on {
	const struct wt_prepared_stop *stop;
	struct wt_machine machine;
	struct wt_agent agent;
	struct wt_queue queue;
	struct wt_queue *queues[1];
	bool begun;		     /* the dispatch, which is the only one */
	bool no_memory;		     /* to keep account of a wave */
	struct wt_going_wave *waves; /* by their numbers in the machine: first those of the stop */
	size_t wave_count, wave_room;
	uint64_t instructions;
	bool limit_reached;
	/* The first access to memory that is not here, and of which it is not known that there is none. */
	struct {
		bool found, write, code;
		uint64_t address, size, pc;
	} missing;
};

/** Put the waves of a stop into a machine. @going: zeroed; for the caller to wt_going_on_deinit(), also after an error. It may not be copied. */
struct wt_error *wt_going_on_init(struct wt_going_on *going, const struct wt_prepared_stop *stop);
void wt_going_on_deinit(struct wt_going_on *going);

/** Run until nothing goes on, or the limits are reached. Errors: memory that was not recorded is touched. */
struct wt_error *wt_going_on_run(struct wt_going_on *going);

/* ---- changed-value.c ---- */

struct wt_changed_value {
	char *what, *value; /* the parts of the text */
	uint32_t lane;
};

/** Split a text. Errors: it is none. @change_ret: for the caller to wt_changed_value_deinit(). */
struct wt_error *wt_changed_value_init(const char *text, uint32_t lane,
				       struct wt_changed_value *change_ret);
void wt_changed_value_deinit(struct wt_changed_value *change);

/** Make a change to a wave before it goes on. */
struct wt_error *wt_changed_value_put(const struct wt_changed_value *change,
				      struct wt_going_on *going, uint64_t wave);

#endif /* WT_REPLAYER_WHAT_IF_INTERNAL_H */
