/* SPDX-License-Identifier: MIT */
/* Reads memory through the wrapped library, and puts it into a state page by page. */
#ifndef WT_RECORDER_MOMENT_MEMORY_PAGES_H
#define WT_RECORDER_MOMENT_MEMORY_PAGES_H

#include "recorder/host/reserved.h"
#include "recorder/recording/recorder.h"

/* A range of memory in one of the three address spaces that a state has: global, local, private_wave. */
struct wt_range {
	uint32_t kind;		       /* name of the space */
	uint64_t owner;		       /* process, workgroup or wave */
	uint64_t process, wave, space; /* how to read it; wave 0 for global memory */
	uint64_t address, size;
};

/** A range of global memory of a process. */
struct wt_range wt_range_global(struct wt_recorder *recorder, uint64_t process, uint64_t address,
				uint64_t size);

/**
 * A space of a wave by name, as a range without a place.
 *
 * @architecture: the wave's. @owner: of what the space is, 0 if that is not known.
 * Return: false if the architecture has no such space, or there is no owner.
 */
bool wt_range_of_wave(struct wt_recorder *recorder, uint64_t process, uint64_t wave,
		      uint64_t architecture, const char *name, uint64_t owner,
		      struct wt_range *range_ret);

/**
 * The range for an address that the client uses. Generic and private_lane addresses are converted. False if they cannot be.
 */
bool wt_range_resolve(struct wt_recorder *recorder, uint64_t process, uint64_t wave, uint32_t lane,
		      uint64_t space, uint64_t address, uint64_t size, struct wt_range *range_ret);

/** The key of the page at an address in a range's space. */
struct wt_key wt_range_key(const struct wt_range *range, uint64_t address);

/* Which addresses of a process are only reserved, though they can be read. They are looked up when that matters, once. */
struct wt_reservations {
	struct wt_reserved reserved;
	bool known;
};

void wt_reservations_deinit(struct wt_reservations *reservations);

/**
 * Put one page into a state. One of global memory that is only reserved (see recorder/host/reserved.h) is kept as one that
 * cannot be read, with WT_PAGE_RESERVED.
 *
 * @reservations: of the range's process, as long as nothing moves; NULL: what can be read is taken, since the client has read it.
 * @keep_unreadable: put an item there even if no byte can be read, with the status.
 * @size_ret: how many bytes could be read; may be NULL.
 */
struct wt_error *wt_take_page(struct wt_recorder *recorder, struct wt_state *state,
			      const struct wt_range *range, struct wt_reservations *reservations,
			      uint64_t page, bool keep_unreadable, size_t *size_ret);

/**
 * Put into a state where in global memory a stopped wave's private memory is, and how large it is: no register of families
 * whose programs set flat_scratch up says so.
 *
 * @architecture: of the wave; 0: the library is asked for it.
 */
struct wt_error *wt_take_private_place(struct wt_recorder *recorder, struct wt_state *state,
				       uint64_t process, uint64_t wave, uint64_t architecture);

/** Read global memory; false if a byte cannot be read. */
bool wt_read_global(struct wt_recorder *recorder, uint64_t process, uint64_t address, void *data,
		    size_t size);

#endif /* WT_RECORDER_MOMENT_MEMORY_PAGES_H */
