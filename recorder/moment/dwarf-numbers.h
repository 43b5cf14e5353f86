/* SPDX-License-Identifier: MIT */
/* The DWARF numbers of an architecture's registers, address classes and spaces, as facts. */
#ifndef WT_RECORDER_MOMENT_DWARF_NUMBERS_H
#define WT_RECORDER_MOMENT_DWARF_NUMBERS_H

#include "recorder/recording/recorder.h"

/** Address classes and spaces by their DWARF numbers, and the name of the map of registers, which comes before these. */
struct wt_error *wt_take_dwarf_spaces(struct wt_recorder *recorder, struct wt_state *facts,
				      uint64_t architecture);

/**
 * Registers by their DWARF numbers.
 *
 * @facts: has the registers themselves. @registers: handles of all of them.
 */
struct wt_error *wt_take_dwarf_registers(struct wt_recorder *recorder, struct wt_state *facts,
					 uint64_t architecture, const uint64_t *registers,
					 size_t count);

#endif /* WT_RECORDER_MOMENT_DWARF_NUMBERS_H */
