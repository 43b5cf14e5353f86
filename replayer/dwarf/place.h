/* SPDX-License-Identifier: MIT */
/* Places of objects, piece by piece, and for whom they are looked for. */
#ifndef WT_REPLAYER_DWARF_PLACE_H
#define WT_REPLAYER_DWARF_PLACE_H

#include "replayer/dwarf/frame.h"
#include "replayer/dwarf/location.h"

#define WT_DWARF_MAX_PIECES 80
#define WT_DWARF_MAX_USED 16
#define WT_DWARF_MAX_DOUBTED 8192 /* bytes of one variable */

enum wt_dwarf_place {
	WT_DWARF_AT_UNKNOWN,
	WT_DWARF_AT_MEMORY,
	WT_DWARF_AT_REGISTER,
	WT_DWARF_AT_VALUE,   /* it is nowhere, but its value is known */
	WT_DWARF_AT_POINTER, /* a pointer to a variable that is nowhere */
};

/* The place of a part of an object. */
struct wt_dwarf_piece {
	enum wt_dwarf_place place;
	uint64_t bits; /* how many of the object; UINT64_MAX: all that are left */
	uint64_t
		offset; /* in bits, from the start of the place; of a pointer: in bytes into the variable */
	const char *why; /* of an unknown one */
	enum gfx_space space;
	uint64_t address;
	bool has_lane; /* private memory of this lane, not of the one that asks */
	uint32_t lane;
	uint64_t number; /* of the register */
	bool whole; /* all lanes of a vector register one after the other, not that of the lane */
	/* The bytes of a value, and how many bits of them are certain. */
	uint8_t value[16];
	const uint8_t *data; /* of a longer one; else NULL */
	size_t size;
	uint64_t variable; /* the DIE's offset */
};

struct wt_dwarf_location {
	struct wt_dwarf_piece pieces[WT_DWARF_MAX_PIECES];
	size_t count;
	/* Registers that the values were computed from, and whether all are named here. */
	uint64_t used[WT_DWARF_MAX_USED];
	size_t used_count;
	bool used_more;
	/*
	 * Optimised code may have left out storing parts of it: why a byte is not known whose bit is not set in `stored`; NULL if all
	 * are. Bytes behind those of `stored` count as not set.
	 */
	const char *doubt;
	uint8_t stored[WT_DWARF_MAX_DOUBTED / 8];
	bool used_entry;  /* they were computed from registers as they were at the call */
	bool is_declared; /* it is computed of the source, and read nowhere */
	bool in_local;	  /* it is in local memory: then its place there is not known */
};

/* For whom an expression is evaluated. */
struct wt_dwarf_context {
	const struct wt_dwarf_frame *frame;
	struct wt_dwarf_unit *unit;
	uint32_t lane;
	uint64_t object_bits; /* of what is looked for; 0 if not known */
	bool is_boolean;
	unsigned int depth;		      /* of expressions in expressions */
	const struct wt_dwarf_piece *initial; /* on the stack at first; or NULL */
};

#endif /* WT_REPLAYER_DWARF_PLACE_H */
