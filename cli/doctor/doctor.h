/* SPDX-License-Identifier: MIT */
/*
 * `wavetape doctor`: what of a machine recording depends on. Each part of it is looked at, and what was found is kept as a finding:
 * a state, what is so, and the one thing to do about it. Nothing is changed, and no program of the user's is run.
 */
#ifndef WT_CLI_DOCTOR_DOCTOR_H
#define WT_CLI_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dbgapi/finding/search.h"

enum wt_doctor_state {
	WT_DOCTOR_GREEN,
	WT_DOCTOR_YELLOW, /* something does not work, or not as well as it could */
	WT_DOCTOR_RED,	  /* no program on the GPU can be recorded */
};

/* Names of the states. */
extern const char *const wt_doctor_state_names[];

struct wt_doctor_finding {
	const char *topic;
	enum wt_doctor_state state;
	char *text;
	char *advice; /* NULL: nothing is to be done */
};

/* A GPU, as the kernel driver describes it. */
struct wt_doctor_gpu {
	uint32_t node, version, capability;
	char name[24]; /* as gfx90a */
};

#define WT_DOCTOR_GPUS 64u

struct wt_doctor {
	struct wt_doctor_finding *findings;
	size_t count;
	bool no_memory;
	struct wt_search library, runtime;
	struct wt_doctor_gpu gpus[WT_DOCTOR_GPUS];
	size_t gpu_count;
};

/**
 * Add a finding.
 *
 * @text, @advice: taken over; a text that is NULL means that memory ran out.
 */
void wt_doctor_add(struct wt_doctor *doctor, enum wt_doctor_state state, const char *topic,
		   char *text, char *advice);

/** The first line of a file, without its end; an empty text if it cannot be read. */
void wt_doctor_read_line(const char *path, char *line_ret, size_t size);

/** Look at AMD's libraries and our own. */
void wt_doctor_look_at_software(struct wt_doctor *doctor);
/** Look at what the system allows, and at memory, disk and the environment. */
void wt_doctor_look_at_system(struct wt_doctor *doctor);

/* How the GPU is tried. */
struct wt_doctor_try {
	uint32_t gpu, seconds; /* which, and how long a step may last */
	bool hang, all, json;
	const char *output; /* of the archive; NULL: a name with the host's in it */
};

/**
 * Try the GPU: run the kernels that are shipped, with the agent in each, and print a table of what was seen, or JSON. Leaves an archive.
 *
 * @doctor: looked at already.
 *
 * Return: the exit code.
 */
int wt_doctor_try(struct wt_doctor *doctor, const struct wt_doctor_try *options);

/** The findings as a JSON array; NULL if there is no memory. */
struct json_t *wt_doctor_findings_to_json(const struct wt_doctor *doctor);

#endif /* WT_CLI_DOCTOR_DOCTOR_H */
