/* SPDX-License-Identifier: MIT */
/*
 * Facts that thousands of waves have in common: which registers of a list are taken, and where each is among the values. Found
 * once for each list, and kept in the session.
 */
#ifndef WT_RECORDER_MOMENT_REGISTER_LAYOUT_H
#define WT_RECORDER_MOMENT_REGISTER_LAYOUT_H

#include "recorder/recording/recorder.h"

/* Which registers of a wave are taken. */
enum wt_extent {
	WT_REGISTERS_PLAIN, /* neither vector nor scalar registers: pc, exec and hardware registers */
	WT_REGISTERS_WANTED, /* those that the policy names */
	WT_REGISTERS_EVERY,  /* all that the wave has */
};

/** The plan which registers of a list are taken. NULL if there is no memory. It is valid until the next call. */
const struct wt_register_plan *wt_register_plan_find(struct wt_recorder *recorder,
						     const struct wt_item *list,
						     enum wt_extent extent);

/**
 * The places of the registers of an item, up to the first that is not known.
 *
 * @registers: the item; NULL: none is anywhere.
 * @lane_count: of the wave, whose vector registers have so many words.
 * Return: valid until the next call; NULL if there is no memory.
 */
const struct wt_register_layout *wt_register_layout_find(struct wt_recorder *recorder,
							 const struct wt_item *registers,
							 uint32_t lane_count);

/** Is a register's name @prefix and a number below @limit? */
bool wt_register_numbered(const char *name, char prefix, uint32_t limit, uint32_t *number_ret);

#endif /* WT_RECORDER_MOMENT_REGISTER_LAYOUT_H */
