/* SPDX-License-Identifier: MIT */
/*
 * The thread that holds the recorder's lock, and whether it still does its work. A signal handler of the client's may
 * interrupt it there and leave by longjmp(): the frames that were to drop the lock are gone then, and so is the state
 * of what they wrote.
 */
#ifndef WT_RECORDER_RECORDING_HOLDER_H
#define WT_RECORDER_RECORDING_HOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* In a local variable of who holds the lock: as long as its frame is there it holds its own address. */
struct wt_anchor {
	uintptr_t self;
};

struct wt_holder {
	uintptr_t anchor; /* address of the anchor; 0: nobody */
	uintptr_t
		frame; /* an address on the thread's stack: all frames that hold the lock lie below it */
	pid_t thread;
};

/* What lies between an anchor and a frame that its own calls. */
#define WT_HOLDER_FRAMES 65536u

/**
 * Who is about to take the lock: the calling thread, in the frame of the anchor and those that it calls. The frame is the
 * caller's, also where nothing is optimised.
 */
__attribute__((always_inline)) static inline struct wt_holder
wt_holder_here(struct wt_anchor *anchor, pid_t thread)
{
	uintptr_t place = (uintptr_t)anchor, frame = (uintptr_t)__builtin_frame_address(0);

	*(volatile uintptr_t *)&anchor->self = place;
	/* A sanitizer may keep local variables elsewhere than on the stack. */
	return (struct wt_holder){
		.anchor = place,
		.frame = place - frame < WT_HOLDER_FRAMES ? place : frame,
		.thread = thread,
	};
}

/**
 * Has the calling thread left the frames of a holder that it was? False where that is not certain, as in a handler that
 * has interrupted them. For use in signal handlers, too; errno may change.
 *
 * @now: the same thread, about to take the lock again.
 */
bool wt_holder_have_left(const struct wt_holder *holder, const struct wt_holder *now);

/**
 * Has another thread left them, by longjmp() or by ending? False where that is not certain. It is certain once the thread
 * waits for something in a frame above them, or has overwritten them.
 */
bool wt_holder_has_left(const struct wt_holder *holder);

#endif /* WT_RECORDER_RECORDING_HOLDER_H */
