/* SPDX-License-Identifier: MIT */
/* The stack of an expression, and the operations on values alone. */
#ifndef WT_REPLAYER_DWARF_EXPRESSION_STACK_H
#define WT_REPLAYER_DWARF_EXPRESSION_STACK_H

#include "replayer/dwarf/place.h"

#define WT_DWARF_MAX_STACK 64

/* The source of a value decides what it can be an address of. */
enum wt_dwarf_origin {
	WT_DWARF_FROM_CONSTANT,
	WT_DWARF_FROM_ADDRESS,	/* of the ELF file */
	WT_DWARF_FROM_FRAME,	/* in private memory */
	WT_DWARF_FROM_REGISTER, /* four bytes */
	WT_DWARF_FROM_MEMORY,
};

struct wt_dwarf_item {
	bool is_place;
	struct wt_dwarf_piece place;
	size_t first_part,
		part_count; /* of a place that is put together of others: in the stack's parts */
	/* A value: */
	uint64_t value;
	enum wt_dwarf_origin origin;
	bool is_scalar;	      /* it comes from a scalar register */
	unsigned int certain; /* how many low bits of it are as the program has them */
	unsigned int bits;    /* of its type; 0 for the generic type, which has no more to say */
	bool is_signed;
};

struct wt_dwarf_stack {
	const struct wt_dwarf_context *context;
	struct wt_cursor bytes, whole;
	struct wt_dwarf_item items[WT_DWARF_MAX_STACK];
	size_t count;
	/*
	 * The parts of items that are put together of others; and how many items there are below those that are in the
	 * location.
	 */
	struct wt_dwarf_piece parts[WT_DWARF_MAX_PIECES];
	size_t part_count, below;
	const char *why; /* what is computed now is not known; NULL if it is */
	bool stopped;	 /* the rest of the expression cannot be read */
	struct wt_dwarf_location *location;
};

/** Notes that what is computed now is not known. The first reason counts. */
void wt_dwarf_fail(struct wt_dwarf_stack *stack, const char *why);

/** The top; zeros, and a failure, if there is none. */
struct wt_dwarf_item wt_dwarf_pop(struct wt_dwarf_stack *stack);
void wt_dwarf_push(struct wt_dwarf_stack *stack, const struct wt_dwarf_item *item);
void wt_dwarf_push_constant(struct wt_dwarf_stack *stack, uint64_t value);

/** Operands of the operation; 0, and the end of the expression, if they are not there. */
uint64_t wt_dwarf_take_uleb(struct wt_dwarf_stack *stack);
uint64_t wt_dwarf_take_sleb(struct wt_dwarf_stack *stack);
uint64_t wt_dwarf_take_fixed(struct wt_dwarf_stack *stack, size_t size, bool is_signed);
void wt_dwarf_skip(struct wt_dwarf_stack *stack, uint64_t size);

/** DW_OP_addr and what stands for it. */
void wt_dwarf_push_address(struct wt_dwarf_stack *stack, unsigned int code);

/** Do an operation on values alone; false if it is none. */
bool wt_dwarf_operate(struct wt_dwarf_stack *stack, unsigned int code);

/* AMD's operations, as they follow DW_OP_LLVM_user, or stood alone before that was there. */
enum {
	WT_DWARF_OP_LLVM_user = 0xe9,
	WT_DWARF_USER_form_aspace_address = 2,
};

/**
 * Bytes of a place, little endian.
 *
 * @offset: in bits, from the start of the piece.
 * Return: NULL, or why they are not known.
 */
const char *wt_dwarf_piece_read(const struct wt_dwarf_frame *frame, uint32_t lane,
				const struct wt_dwarf_piece *piece, uint64_t offset, uint8_t *data,
				size_t size);

#endif /* WT_REPLAYER_DWARF_EXPRESSION_STACK_H */
