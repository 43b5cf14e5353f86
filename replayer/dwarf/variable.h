/* SPDX-License-Identifier: MIT */
/*
 * Finds where a variable is, as far as the compiler's word can be trusted; and its value, put into words by whoever
 * shows it.
 */
#ifndef WT_REPLAYER_DWARF_VARIABLE_H
#define WT_REPLAYER_DWARF_VARIABLE_H

#include "replayer/dwarf/type.h"
#include "replayer/dwarf/value.h"

/*
 * Whether the compiler's word on a variable holds at the pc, which is the same for all lanes and costly to find out: zeros before
 * the first lane is asked for.
 */
struct wt_dwarf_trust {
	bool known;
	const char *why; /* not; NULL if it does */
};

/**
 * Find a variable for one lane. Where it is not known the location says why.
 *
 * Some of what compilers write is true for a part of the code only: a constant of a variable that changes in a loop, a register
 * before the variable is in it, or a value that the source has assigned to already and the code has not. Such a location is
 * refused.
 *
 * @function: the offset of the entry of its function.
 */
void wt_dwarf_variable_find(const struct wt_dwarf_frame *frame, struct wt_dwarf_unit *unit,
			    Dwarf_Off function, Dwarf_Die *die, const struct wt_dwarf_type *type,
			    uint32_t lane, struct wt_dwarf_trust *trust,
			    struct wt_dwarf_location *location_ret);

/* A value that is one number. */
struct wt_dwarf_scalar {
	enum wt_dwarf_kind kind;
	unsigned int bits;
	uint64_t number; /* of a signed kind: extended to 64 bits */
	double real;
	const char *name;     /* of an enumerator */
	enum gfx_space space; /* of a pointer */
	bool has_space, is_signed;
};

/* Whoever shows values. Structures and arrays are opened and closed; before a member of a structure comes its name. */
struct wt_dwarf_sink {
	void *opaque;
	void (*open)(void *opaque, bool is_array);
	void (*close)(void *opaque);
	void (*member)(void *opaque, const char *name);
	void (*scalar)(void *opaque, const struct wt_dwarf_scalar *scalar);
	void (*text)(void *opaque, const char *text, size_t length); /* an array of characters */
	void (*unknown)(void *opaque, const char *why);
	void (*more)(void *opaque, uint64_t count); /* elements that are left out */
};

/* No more elements of one array are shown, and no more numbers of one value. */
#define WT_DWARF_MAX_ELEMENTS 200
#define WT_DWARF_MAX_SCALARS 2000

/** Show an object. @offset: in bits from where the location starts. */
void wt_dwarf_show(const struct wt_dwarf_frame *frame, struct wt_dwarf_unit *unit, uint32_t lane,
		   const struct wt_dwarf_type *type, const struct wt_dwarf_location *location,
		   uint64_t offset, const struct wt_dwarf_sink *sink);

/**
 * Finds where a member of an object is: for a virtual base the object itself says it.
 *
 * @offset: of the object, in bits from where the location starts; @offset_ret: the same of the member.
 * Return: NULL, or why it is not known.
 */
const char *wt_dwarf_member_place(const struct wt_dwarf_frame *frame, struct wt_dwarf_unit *unit,
				  uint32_t lane, const struct wt_dwarf_location *location,
				  uint64_t offset, const struct wt_dwarf_member *member,
				  uint64_t *offset_ret);

/** Read one number. Return: NULL, or why it is not known. */
const char *wt_dwarf_scalar_read(const struct wt_dwarf_frame *frame, uint32_t lane,
				 const struct wt_dwarf_type *type,
				 const struct wt_dwarf_location *location, uint64_t offset,
				 uint64_t bits, struct wt_dwarf_scalar *scalar_ret);

#endif /* WT_REPLAYER_DWARF_VARIABLE_H */
