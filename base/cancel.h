/* SPDX-License-Identifier: MIT */
/*
 * Hold off pthread_cancel(). A thread of the recorded program that is cancelled in one of our system calls would leave
 * our lock held and a file half written. Between these two calls a cancellation waits.
 */
#ifndef WT_BASE_CANCEL_H
#define WT_BASE_CANCEL_H

#include <pthread.h>

/** Return: the state to give to wt_cancel_restore(). Pairs may nest. */
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
