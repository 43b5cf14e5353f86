/* SPDX-License-Identifier: MIT */
/* Differences of two states, as a listener is told of it: of which wave, register, page or code object, and both values. */
#ifndef WT_REPLAYER_DIFF_DIFFERENCE_H
#define WT_REPLAYER_DIFF_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "replayer/view/explain.h"

/* The two that are compared. */
enum wt_diff_side { WT_DIFF_A, WT_DIFF_B, WT_DIFF_SIDES };

enum wt_diff_kind {
	WT_DIFF_AGENT,	     /* its architecture: value.text */
	WT_DIFF_CODE_OBJECT, /* its bytes (data), load address (number) or URI (text) */
	WT_DIFF_EVENT,	     /* one of the stop's events: value.event */
	WT_DIFF_ARGUMENT, /* of a dispatch's kernel: value.text, or value.data where its type is not known */
	WT_DIFF_WAVE, /* a wave that is on one side only, or something of it: see enum wt_diff_what */
	WT_DIFF_REGISTER, /* value.data */
	WT_DIFF_MEMORY,	  /* a page: value.data, from the page's start */
	WT_DIFF_KINDS,
};

enum wt_diff_what {
	WT_DIFF_EXISTENCE,    /* it is on one side only */
	WT_DIFF_BYTES,	      /* of a code object, a register, a page */
	WT_DIFF_LOAD_ADDRESS, /* of a code object */
	WT_DIFF_URI, /* of a code object; the process id of a memory:// URI is not compared */
	WT_DIFF_ARCHITECTURE, /* of an agent */
	WT_DIFF_KERNEL,	      /* of a wave: value.code is the kernel's entry */
	WT_DIFF_STATE,	      /* of a wave: value.number is an enum wt_diff_state */
	WT_DIFF_REASONS,      /* of a wave: value.number has amd_dbgapi_wave_stop_reasons_t */
	WT_DIFF_POSITION,     /* of a wave: value.code is where it stopped */
	WT_DIFF_KIND,	      /* of an event */
};

enum wt_diff_state { WT_DIFF_RUNNING, WT_DIFF_STOPPED };

/* Which wave it is, in every run. Agents and queues are counted from 1 in the order of their creation; 0: not known. */
struct wt_diff_place {
	uint32_t agent, queue;
	bool has_packet, has_workgroup;
	uint64_t packet; /* AMD_DBGAPI_DISPATCH_INFO_OS_QUEUE_PACKET_ID */
	uint32_t workgroup[3], number_in_group;
};

struct wt_diff_event {
	uint32_t kind; /* amd_dbgapi_event_kind_t */
	bool has_wave; /* it is about a wave that exists at the stop */
	struct wt_diff_place wave;
	uint64_t detail; /* the runtime's state; which queue; else 0 */
};

/* The value on one side. */
struct wt_diff_value {
	bool present;
	uint64_t number;
	const char *text;
	const uint8_t *data;
	size_t size;
	const struct wavetape_place *code;
	const struct wt_diff_event *event;
};

/* A wave, as the differences of it name it. */
struct wt_diff_wave {
	struct wt_diff_place place;
	uint64_t handle[WT_DIFF_SIDES]; /* 0: it is not on that side */
	const char *kernel;		/* NULL: not known */
};

struct wt_diff {
	enum wt_diff_kind kind;
	enum wt_diff_what what;
	const struct wt_diff_wave *wave;     /* of waves, registers, private memory */
	const struct wt_diff_wave *group;    /* of local memory: any wave of its workgroup */
	const struct wt_diff_wave *dispatch; /* of arguments: any wave of it */
	const char *name; /* of the register, of the address space, or of the argument */
	bool vector;	  /* a register with a value for each lane */
	uint64_t
		position; /* of the agent, code object, event or argument, from 1; the address of the page */
	struct wt_diff_value value[WT_DIFF_SIDES];
};

/* How much was compared, and what could not be because one side has not recorded it. */
struct wt_diff_counts {
	uint64_t differences;
	uint64_t stops, waves, registers, pages, events, code_objects, sources;
	/* On that side only, so that nothing is known of the other: */
	uint64_t only_registers[WT_DIFF_SIDES], only_pages[WT_DIFF_SIDES],
		only_images[WT_DIFF_SIDES], only_sources[WT_DIFF_SIDES];
	uint64_t no_images;		       /* code objects whose bytes neither has */
	uint64_t unknown_waves[WT_DIFF_SIDES]; /* listed there, but nothing else of them is known */
	uint64_t lost_stops[WT_DIFF_SIDES];    /* whose state is lost there */
	uint64_t only_stops[WT_DIFF_SIDES];    /* where the other trace may have had them */
};

/* A source file that was kept with both, and is not the same. */
struct wt_diff_source {
	const char *name;
	uint64_t line; /* the first that differs, from 1 */
	uint64_t bytes[WT_DIFF_SIDES], lines[WT_DIFF_SIDES];
};

/* A stop of one of the traces. */
struct wt_diff_stop {
	uint32_t number; /* as the user counts, from 1 */
	uint32_t moment;
};

/*
 * A listener is told of each difference that was found. Pointers are valid during the call. An error of a function ends
 * the comparison and is returned. NULL functions are passed over.
 */
struct wt_diff_listener {
	void *opaque;
	struct wt_error *(*source)(void *opaque, const struct wt_diff_source *source);
	/* Two stops will be compared; one of them is NULL if only the other trace has such a stop. */
	struct wt_error *(*begin)(void *opaque,
				  const struct wt_diff_stop *const stops[WT_DIFF_SIDES]);
	struct wt_error *(*difference)(void *opaque, const struct wt_diff *difference);
	/* They have been. @counts: of these two. */
	struct wt_error *(*end)(void *opaque, const struct wt_diff_counts *counts);
};

#endif /* WT_REPLAYER_DIFF_DIFFERENCE_H */
