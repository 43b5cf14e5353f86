/* SPDX-License-Identifier: MIT */
/* A recorded wave as the analysis wants it: code, memory, registers, how it was launched, and which accesses can fail. */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_INPUT_H
#define WT_REPLAYER_VIEW_EXPLAIN_INPUT_H

#include "replayer/view/explain-cause-internal.h"
#include "replayer/view/kernel-launch.h"

/* The `opaque` of an analysis. */
struct wt_cause_source {
	struct wt_explainer *explainer;
	struct wt_view *view;
	uint64_t wave, process;
	const struct wt_cause_dispatch *dispatch;
	const struct gfx_architecture *architecture;
	uint64_t packet_address; /* 0: not known */
	uint64_t local_room;	 /* UINT64_MAX: not known */
	struct wt_view_packet packet;
	const struct wt_mappings *mappings;
	uint64_t arguments, arguments_end; /* of the kernel */
	uint32_t reasons;		   /* why the wave stopped */
};

/** Say in `why_not` of a cause why it is not looked for. */
__attribute__((format(printf, 2, 3))) struct wt_error *
wt_cause_say_why_not(struct wt_cause *cause, const char *format, ...);

/** Read the facts of a wave's dispatch. Return: whether its sizes were recorded. */
bool wt_cause_read_dispatch(const struct wt_view *view, uint64_t wave,
			    struct wt_cause_dispatch *dispatch);

/** Say in `why_not` if the instructions of an architecture are not followed here, and why. */
struct wt_error *wt_cause_say_not_followed(struct wt_explainer *explainer,
					   const struct gfx_architecture *architecture,
					   struct wt_cause *cause);

/** The source of a wave's facts. Its packet's bytes are what the queue held; the address of that is 0 where the recording has none. */
struct wt_cause_source wt_cause_source_of(struct wt_explainer *explainer,
					  const struct wt_cause_dispatch *dispatch, uint64_t wave);

/** Find out where the arguments lie, and what the program has mapped. */
struct wt_error *wt_cause_source_know_arguments(struct wt_cause_source *source,
						const struct wt_cause *cause);

/** The input of an analysis, but for how the wave was launched. */
struct wt_analysis_input wt_cause_input_of(struct wt_cause_source *source,
					   const struct wt_cause_limits *limits,
					   const struct wt_cause *cause);

/** Fill in what the recording says of the launch. Return: NULL, or what is missing. */
const char *wt_cause_input_prepare(const struct wt_cause_source *source, struct wt_cause *cause,
				   struct wt_analysis_input *input);

/** How many instructions may be behind an access that failed: where memory is precise, it may be the last one. */
uint32_t wt_cause_late_instructions(const struct wt_view *view, const struct wt_explain_wave *wave);

/** Exceptions that a wave has raised, as bits of trapsts. A memory fault is explained in its place. */
uint32_t wt_cause_exceptions(const struct wt_explain_wave *wave);

/** Does an access reach behind local or private memory, whose sizes the dispatch has? */
bool wt_cause_is_past_end(const struct wt_cause_dispatch *dispatch, const struct gfx_access *access,
			  enum gfx_access_space space, uint64_t address);

/** Is it an atomic that is not aligned, as it has to be? */
bool wt_cause_is_misaligned(const struct gfx_access *access, uint64_t address);

/** The verdict on bytes of global memory, and on an access by its space. @opaque: the source. */
enum wt_access_verdict wt_cause_judge_bytes(const struct wt_cause_source *source, uint64_t address,
					    uint32_t size);
enum wt_access_verdict wt_cause_judge_access(void *opaque, const struct gfx_access *access,
					     enum gfx_access_space space, uint64_t address);

/* A wave of which a way is wanted, whatever it has stopped for. */
struct wt_followed {
	struct wt_analysis_input input; /* its `opaque` is `source` */
	struct wt_cause_source source;
	struct wt_cause_dispatch dispatch;
	struct wt_cause
		cause; /* the wave and the kernel's arguments; `why_not` if it cannot be followed: then the input is not whole */
};

/**
 * Prepare a wave for being followed.
 *
 * @explainer: must outlive it.
 * @followed_ret: for the caller to wt_followed_destroy(). It may not be copied.
 */
struct wt_error *wt_followed_create(struct wt_explainer *explainer, uint64_t wave,
				    const struct wt_cause_limits *limits,
				    struct wt_followed **followed_ret);
void wt_followed_destroy(struct wt_followed *followed); /* NULL is legal */

/** Say how following a wave ended where it did not arrive, and at which instruction. @text_ret: for the caller to free(). */
struct wt_error *wt_followed_say_end(struct wt_explainer *explainer,
				     const struct gfx_architecture *architecture,
				     enum wt_analysis_end end, uint64_t pc, char **text_ret);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_INPUT_H */
