/* SPDX-License-Identifier: MIT */
/* The scene that an expression of a user is evaluated in: where its names are looked up; its operands, and complaints about it. */
#ifndef WT_REPLAYER_DWARF_SCENE_H
#define WT_REPLAYER_DWARF_SCENE_H

#include "replayer/dwarf/variable.h"

/* A value while an expression is evaluated: an object somewhere, or a number that was computed. */
struct wt_dwarf_operand {
	struct wt_dwarf_type type;
	bool computed;
	struct wt_dwarf_scalar scalar; /* of a computed one */
	const char *why;	       /* of a computed one that is not known */
	bool has_target;	       /* a computed pointer to this type */
	struct wt_dwarf_type target;
	/* The location of an object: */
	struct wt_dwarf_location location;
	uint64_t offset, bits; /* in bits */
	uint64_t repeated;     /* so many objects of the type, one behind the other; 0: it is one */
	bool has_launch;       /* it is threadIdx or such, without the .x */
	struct {
		uint32_t value;
		const char *why;
	} launch[3];
};

/* The frame and the scopes in which names are looked up. */
struct wt_dwarf_scene {
	const struct wt_dwarf_frame *frame;
	struct wt_dwarf_unit *unit;
	const Dwarf_Die *scopes; /* of the function: see struct wt_dwarf_names */
	size_t scope_count;
	void *opaque;
	/** A variable by name: type and location in a lane; false if there is none. */
	bool (*variable)(void *opaque, const char *name, uint32_t lane,
			 struct wt_dwarf_operand *operand_ret);
	/** Is there one? */
	bool (*has_variable)(void *opaque, const char *name);
	/**
	 * A value of threadIdx, blockIdx, blockDim or gridDim, as HIP calls them: @dimension 0 for x; false if the name is none of them.
	 *
	 * @why_ret: NULL if it is known.
	 */
	bool (*launch_value)(void *opaque, const char *name, uint32_t dimension, uint32_t lane,
			     uint32_t *value_ret, const char **why_ret);
	/** A register of up to 8 bytes, of this frame; false if there is none of that name. @why_ret: NULL if it is known. */
	bool (*read_register)(void *opaque, const char *name, uint32_t lane, uint64_t *value_ret,
			      unsigned int *bits_ret, const char **why_ret);
};

/* Why an expression is none, for a user. */
struct wt_dwarf_complaint {
	size_t position; /* in the text, from 0 */
	bool is_name;	 /* a name means nothing here: in another frame it may */
	char text[128];
};

#endif /* WT_REPLAYER_DWARF_SCENE_H */
