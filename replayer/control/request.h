/* SPDX-License-Identifier: MIT */
/* The client's calls and the thread of the socket hand these to each other: where the replay is, and where it is to go. */
#ifndef WT_REPLAYER_CONTROL_REQUEST_H
#define WT_REPLAYER_CONTROL_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

/* The process that is replayed, and where it is. */
struct wt_control_place {
	uint64_t process;
	uint32_t start;	   /* position of its ATTACH moment */
	uint32_t position; /* of the moment that was reached */
};

/* A request for the client's timeline. */
struct wt_control_request {
	bool stays;	      /* a request that is not carried out yet is dropped, and no more */
	uint32_t destination; /* position; of one that does not stay */
	/* The client holds its waves, and forgets what it knows of them: see wt_timeline_jump(). */
	bool at_once;
	uint64_t selected; /* the wave that the client shows, as it knows it; 0: none */
};

#endif /* WT_REPLAYER_CONTROL_REQUEST_H */
