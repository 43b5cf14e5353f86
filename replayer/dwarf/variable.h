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
	const char *why;  /* not; NULL if it does */
	bool has_no_text; /* nor does the text of the source say its value, in any lane */
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
	uint64_t high;	 /* of a number of more than 64 bits, its upper half */
	double real;
	enum wt_real_form form;
	const char *name;     /* of an enumerator */
	enum gfx_space space; /* of a pointer */
	bool has_space, is_signed;
	bool is_pattern; /* a mask or an address in a register, which text has in hexadecimal */
	bool is_of_enumeration; /* computed of one that has no sign in DWARF, and may have one in C++ */
	char flags
		[WT_DWARF_MAX_TYPE]; /* the enumerators that are bits and set; empty if they are none */
};

/** Finds the enumerator of a value, or the enumerators that are bits of it. */
void wt_dwarf_scalar_enumerate(struct wt_dwarf_scalar *scalar, const struct wt_dwarf_type *type);

/** "READ", "READ | WRITE": what a value of an enumeration is called; NULL if it has no name. */
const char *wt_dwarf_scalar_word(const struct wt_dwarf_scalar *scalar);

/* Digits, sign and the byte behind them. */
#define WT_DWARF_INTEGER_MAX 48

/** Write a whole number in decimal digits. */
const char *wt_dwarf_scalar_integer(const struct wt_dwarf_scalar *scalar,
				    char text[WT_DWARF_INTEGER_MAX]);

enum wt_dwarf_opened {
	WT_DWARF_OPEN_ARRAY,
	WT_DWARF_OPEN_STRUCT, /* each member has a name that no other one has */
	WT_DWARF_OPEN_MEMBERS, /* a structure with bases or members without a name, or one that objects of JSON could not tell */
};

/* How a member is called, or what stands for a name: see wt_dwarf_member_label(). */
struct wt_dwarf_label {
	const char *text;
	bool is_base, is_unnamed;
};

/*
 * Whoever shows values. Structures, arrays and references are opened and closed; before a member of a structure comes its label, and
 * in a reference is the value that it refers to.
 */
struct wt_dwarf_sink {
	void *opaque;
	void (*open)(void *opaque, enum wt_dwarf_opened what);
	void (*reference)(void *opaque, uint64_t address); /* opens one */
	void (*close)(void *opaque);
	void (*member)(void *opaque, const struct wt_dwarf_label *label);
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
