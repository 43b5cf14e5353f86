/* SPDX-License-Identifier: MIT */
/* How the bits of a result come from those of the sources: what whoever follows values through code has to know besides registers. */
#ifndef GFX_ISA_FLOW_H
#define GFX_ISA_FLOW_H

#include "gfx/instruction/operation.h"

/* Sources are numbered from 0, as in struct gfx_instruction. */
enum gfx_flow {
	GFX_FLOW_OTHER, /* nobody says */
	GFX_FLOW_MOVE,
	GFX_FLOW_CHOICE, /* one of the first two */
	GFX_FLOW_XOR,	 /* all bits alike, some of them turned round */
	GFX_FLOW_SUM,
	GFX_FLOW_DIFFERENCE,
	GFX_FLOW_REVERSED, /* the second minus the first */
	GFX_FLOW_PRODUCT,
	GFX_FLOW_PRODUCT_HIGH,	 /* its upper half, of all bits */
	GFX_FLOW_PRODUCT_24,	 /* of 24 bits, */
	GFX_FLOW_PRODUCT_24_SUM, /* and the third added */
	GFX_FLOW_PRODUCT_SUM,	 /* of 32 bits, and the third, which has 64, added */
	GFX_FLOW_AND,
	GFX_FLOW_OR,
	GFX_FLOW_AND_OR,
	GFX_FLOW_LEFT, /* shifted: of scalars the first by the second, of vectors the second by the first */
	GFX_FLOW_RIGHT, /* the same, */
	GFX_FLOW_RIGHT_SIGNED,
	GFX_FLOW_LEFT_ADD, /* the first is shifted by the second, and the third added */
	GFX_FLOW_LEFT_OR,
	GFX_FLOW_ADD_LEFT, /* the sum of the first two is shifted by the third */
	GFX_FLOW_XOR_ADD,  /* the first two, and the third added */
	GFX_FLOW_EXTRACT,  /* from the bit that the second names as many as the third says */
	GFX_FLOW_EXTRACT_SIGNED,
	GFX_FLOW_SCATTER, /* bits go to other places, or come from several */
	GFX_FLOW_EXTEND_8,
	GFX_FLOW_EXTEND_16,
	GFX_FLOW_EQUAL, /* whether two whole numbers are equal, */
	GFX_FLOW_ORDER, /* or which is less */
	GFX_FLOW_FLOAT, /* a number with fractions, of numbers of which all bits count */
};

/** The flow of an operation by itself: an instruction may have modifiers that change it. */
enum gfx_flow gfx_operation_flow(const struct gfx_operation *operation);

#endif /* GFX_ISA_FLOW_H */
