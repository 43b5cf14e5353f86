/* SPDX-License-Identifier: MIT */
/*
 * The stops of a trace as destinations that a replay can be sent to. They are counted from 1, as `wavetape stops` counts
 * them. Built from all moments at once; does not change and needs no reader afterwards.
 */
#ifndef WT_REPLAYER_TIMELINE_ITINERARY_H
#define WT_REPLAYER_TIMELINE_ITINERARY_H

#include <stdbool.h>
#include <stdint.h>

#include "trace-format/reader/reader.h"

struct wt_itinerary_stop {
	uint32_t position; /* number of the moment */
	uint32_t session;  /* how many ATTACH moments of its process come before it */
	uint64_t process;
	/*
	 * The recorded client looked around here. Clients that stop all waves when one has stopped make a stop with the
	 * first, and another with the rest: of these only the last is a place to rest at.
	 */
	bool rest;
};

struct wt_itinerary {
	struct wt_itinerary_stop *stops;
	uint32_t count;
};

/**
 * Moments that are lost in a damaged trace are left out, unless the trace's list of stops has them: then they are counted, as
 * `wavetape stops` does, and going there fails. Errors: those of the reader, memory.
 */
struct wt_error *wt_itinerary_init(struct wt_itinerary *itinerary, struct wt_reader *reader);
void wt_itinerary_deinit(struct wt_itinerary *itinerary);

/** The last stop that is not after a moment; 0 if there is none. */
uint32_t wt_itinerary_at(const struct wt_itinerary *itinerary, uint32_t position);

/* The stops that belong together: those of one process from when it was attached to, on. */
struct wt_itinerary_range {
	uint32_t first, last; /* first > last: there is none */
};

/** @start: position of the ATTACH moment. */
struct wt_itinerary_range wt_itinerary_range(const struct wt_itinerary *itinerary, uint32_t start,
					     uint64_t process);

/** The next, or the previous, stop of a range that is a place to rest at; 0 if there is none. */
uint32_t wt_itinerary_next(const struct wt_itinerary *itinerary,
			   const struct wt_itinerary_range *range, uint64_t process, uint32_t stop);
uint32_t wt_itinerary_previous(const struct wt_itinerary *itinerary,
			       const struct wt_itinerary_range *range, uint64_t process,
			       uint32_t stop);

#endif /* WT_REPLAYER_TIMELINE_ITINERARY_H */
