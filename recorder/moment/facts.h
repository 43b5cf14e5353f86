/* SPDX-License-Identifier: MIT */
/* Facts: what never changes, and is written once. Architectures, their registers, register classes and address spaces. */
#ifndef WT_RECORDER_MOMENT_FACTS_H
#define WT_RECORDER_MOMENT_FACTS_H

#include "recorder/recording/recorder.h"

/** Write the facts of an architecture, unless they are written already; handle 0 does nothing. */
struct wt_error *wt_facts_take(struct wt_recorder *recorder, uint64_t architecture);

/**
 * The same of the architecture that an ELF file is for, and under which machine number. No device is of some of these: gfx11-generic
 * stands for several.
 *
 * @image: of any file, @size bytes; one that is no ELF file for AMD GPUs does nothing.
 */
struct wt_error *wt_facts_take_of_image(struct wt_recorder *recorder, const uint8_t *image,
					size_t size);

/** Write the texts of all statuses that the table has, unless they are written already. */
struct wt_error *wt_facts_take_statuses(struct wt_recorder *recorder);

/** The facts of a register; NULL if there are none. */
const struct wt_register_fact *wt_facts_register(const struct wt_session *session, uint64_t handle);

/** The handle of an architecture's address space by name ("local"); 0 if there is none. */
uint64_t wt_facts_space(struct wt_recorder *recorder, uint64_t architecture, const char *name);

/** An answer of a fact's OBJECT item; NULL if there is none or it is an error. */
const struct wt_answer *wt_facts_answer(struct wt_recorder *recorder, enum wt_object object,
					uint64_t handle, uint32_t query);

#endif /* WT_RECORDER_MOMENT_FACTS_H */
