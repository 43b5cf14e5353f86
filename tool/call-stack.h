/* SPDX-License-Identifier: MIT */
/*
 * Who called, as addresses.
 *
 * The unwinder that exceptions are thrown with takes a microsecond for few frames. Here the way up is gone with what the unwind tables
 * say of each call, which is read once and remembered. Where they say something that is not remembered, as of frames that are aligned
 * in a way of their own, the unwinder is asked for the whole stack.
 *
 * Stacks are stored once, and have numbers. What is here is never freed, and nobody waits but who stores a stack that is new.
 */
#ifndef WT_TOOL_CALL_STACK_H
#define WT_TOOL_CALL_STACK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WT_CALL_STACK_FRAMES 24u
#define WT_CALL_STACKS 4096u /* different ones: what comes later has none */

struct wt_call_stack {
	uint32_t count;
	uint64_t frames[WT_CALL_STACK_FRAMES]; /* where calls return to, innermost first */
};

/* A frame that is remembered: where a call in it returns to, and how it is left; 0 until that is known. */
struct wt_call_place {
	_Atomic uint64_t address, frame;
};

struct wt_call_stacks {
	struct wt_call_place frames[WT_CALL_STACKS];
	_Atomic uint32_t places[2 * WT_CALL_STACKS]; /* numbers of stacks, by what is in them */
	pthread_mutex_t lock;			     /* of who stores one */
	uint32_t count;
	struct wt_call_stack stacks[WT_CALL_STACKS];
};

/**
 * The number of the stack that has called a function, from 1.
 *
 * @frame: of that function, __builtin_frame_address(0).
 * Return: 0 for none.
 */
uint32_t wt_call_stack_number(struct wt_call_stacks *stacks, const void *frame);

/** A stack by its number; NULL if there is none. Who has a number has it from one that was stored. */
static inline const struct wt_call_stack *wt_call_stack_get(const struct wt_call_stacks *stacks,
							    uint32_t number)
{
	return number && number <= WT_CALL_STACKS ? &stacks->stacks[number - 1] : NULL;
}

#endif /* WT_TOOL_CALL_STACK_H */
