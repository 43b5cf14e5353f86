/* SPDX-License-Identifier: MIT */
/*
 * A thread of a recorded program that is cancelled (pthread_cancel) in a system call of ours would leave our lock
 * held, and a file half written: between these two it is not, but afterwards.
 */
#ifndef WT_BASE_CANCEL_H
#define WT_BASE_CANCEL_H

#include <pthread.h>

/** Return: for wt_cancel_restore(). They nest. */
static inline int wt_cancel_disable(void)
{
	int state = PTHREAD_CANCEL_ENABLE;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	return state;
}

static inline void wt_cancel_restore(int state)
{
	pthread_setcancelstate(state, NULL);
}

#endif /* WT_BASE_CANCEL_H */
