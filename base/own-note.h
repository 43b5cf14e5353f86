/* SPDX-License-Identifier: MIT */
/*
 * A note in the files of libraries that stand in front of another of their name, by which one that is to be recorded is told from
 * them, also where one is a copy in another file. A note is part of the file alone, so that nothing is exported, and nothing of a
 * candidate has to be run.
 */
#ifndef WT_BASE_OWN_NOTE_H
#define WT_BASE_OWN_NOTE_H

#include <stdint.h>

#define WT_OWN_NOTE_NAME "wavetape"
#define WT_OWN_NOTE_IN_FRONT 1

struct wt_own_note {
	uint32_t name_size, descriptor_size, type;
	char name[12]; /* a multiple of four */
};

/** Put the note into the library that is being compiled. */
#define WT_OWN_NOTE(variable)                                                                      \
	__attribute__((used, section(".note.wavetape"),                                            \
		       aligned(4))) static const struct wt_own_note variable = {                   \
		sizeof(WT_OWN_NOTE_NAME), 0, WT_OWN_NOTE_IN_FRONT, WT_OWN_NOTE_NAME}

#endif /* WT_BASE_OWN_NOTE_H */
