/* SPDX-License-Identifier: MIT */
/*
 * The steps of `wavetape doctor --try`: each runs a kernel in a process of its own with the agent in it, and then looks whether what was
 * recorded is what must be there. What a GPU may answer otherwise, as a place behind the access, is told and no failure.
 */
#ifndef WT_CLI_DOCTOR_STEPS_H
#define WT_CLI_DOCTOR_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

enum wt_step_result {
	WT_STEP_RIGHT,
	WT_STEP_OTHERWISE, /* not all is as it can be, and nothing is wrong */
	WT_STEP_LEFT_OUT,  /* it could not be tried */
	WT_STEP_WRONG,
};

struct wt_step {
	const char *name;	 /* of the step and of its kernel */
	const char *stop_reason; /* of its wave; NULL: none stops by itself */
	uint32_t line; /* where that is, by cli/doctor/try/code/kernels.c; 0: there is no trace */
};

#define WT_STEPS 5
extern const struct wt_step wt_steps[WT_STEPS];

/* All steps share this. Paths are absolute. */
struct wt_steps_setting {
	const char *program; /* wavetape-try */
	const char *code;    /* folder of code objects */
	const char *agent, *library, *runtime;
	const char *command; /* wavetape itself */
	const char *folder;  /* for traces and what is printed */
	uint32_t gpu, seconds;
	bool hang; /* a kernel that hangs has no limit of its own */
	bool all;  /* traces have the facts of the host, too */
};

/* How one went. Released by wt_buffer_deinit(). */
struct wt_step_outcome {
	enum wt_step_result result;
	struct wt_buffer text; /* what was seen, in parts with "; " between them */
	bool has_trace;
	double took; /* seconds */
};

/** Run a step and look at what came of it. Errors: of this machine, so that no step could be run; no memory. */
struct wt_error *wt_step_try(const struct wt_steps_setting *setting, const struct wt_step *step,
			     struct wt_step_outcome *outcome);

#endif /* WT_CLI_DOCTOR_STEPS_H */
