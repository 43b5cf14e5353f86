/* SPDX-License-Identifier: MIT */
/* The DWARF of one code object, and what holds for one of its compilation units. */
#ifndef WT_REPLAYER_DWARF_OBJECT_H
#define WT_REPLAYER_DWARF_OBJECT_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wt_dwarf_section {
	const uint8_t *data; /* NULL if there is none */
	size_t size;
};

struct wt_dwarf_object {
	Dwarf *dwarf;
	struct wt_dwarf_section loclists, loc, addr, frame, eh_frame;
	uint64_t eh_frame_address; /* in the ELF file */
};

/**
 * Find the sections of an object.
 *
 * @dwarf: the caller's; it must stay open as long as the object is used.
 */
void wt_dwarf_object_init(struct wt_dwarf_object *object, Dwarf *dwarf);

#define WT_DWARF_MAX_TYPE 256
#define WT_DWARF_PATHS 8

/* The name of a type with the scopes that it is in, kept since finding it out costs a walk through the unit. */
struct wt_dwarf_path {
	Dwarf_Off offset; /* of its entry; 0: none */
	char text[WT_DWARF_MAX_TYPE];
};

/* A compilation unit, as its expressions and lists need it to be read. */
struct wt_dwarf_unit {
	const struct wt_dwarf_object *object;
	Dwarf_Die die;
	unsigned int version;
	size_t address_size, offset_size;
	uint64_t base; /* its low pc, which offsets in lists count from */
	/*
	 * AMD's compiler, whose address spaces have AMD's numbers: 1 generic, 3 local, 5 private. Upstream's clang writes 1 for
	 * private and 2 for local memory.
	 */
	bool amd;
	struct wt_dwarf_path paths[WT_DWARF_PATHS];
};

/** @die: any entry of the unit; false if its header cannot be read. */
bool wt_dwarf_unit_init(struct wt_dwarf_unit *unit, const struct wt_dwarf_object *object,
			Dwarf_Die *die);

/** The address at @index of the unit's part of .debug_addr. */
bool wt_dwarf_unit_address(struct wt_dwarf_unit *unit, uint64_t index, uint64_t *address_ret);

#endif /* WT_REPLAYER_DWARF_OBJECT_H */
