/* SPDX-License-Identifier: MIT */
/*
 * Look-ups in a recorded state: objects, answers, lists, maps, pages of memory. Every value in a state comes from a file
 * that anyone may have written: one of the wrong size or form counts as not recorded.
 *
 *     recorded.c      answers of objects; table-names.c: numbers and names of queries, known.c: architectures
 *     register-values.c, wave-memory.c, images.c  registers, pages, and code objects as memory
 *     overlay.c       what a client of a replay has written
 *     incarnation.c   handles of objects that come back after the replay went back
 *     process-part.c  the part of a state that is of one process
 *
 * This room must not know which moment a client has reached.
 */
#ifndef WT_REPLAYER_RECORDED_RECORDED_H
#define WT_REPLAYER_RECORDED_RECORDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "replayer/recorded/overlay.h"
#include "replayer/recorded/table-names.h"
#include "trace-format/state/state.h"

struct wt_layout;

/* A state, the names it is written in, and where registers are in it (register-values.h). All must outlive it. */
struct wt_recorded {
	const struct wt_table_names *names;
	const struct wt_state *state;
	struct wt_layout *layout;
	const struct wt_overlay
		*overlay; /* the client's writes; NULL for what was recorded alone */
	/* Registers are read when they are asked for (wt_reader_state_deferred()); NULL: the state has them. */
	struct wt_reader *reader;
};

/** The OBJECT item of a handle; NULL if there is no such object. */
const struct wt_item *wt_recorded_object(const struct wt_recorded *recorded, enum wt_object object,
					 uint64_t handle);

/** An item that goes by a function's name: a list or a map. NULL if there is none. */
const struct wt_item *wt_recorded_function(const struct wt_recorded *recorded,
					   enum wt_item_type type, enum wt_function function,
					   uint64_t owner);

/** An item that has no name: REGISTERS, PACKETS, IMAGE. */
const struct wt_item *wt_recorded_plain(const struct wt_recorded *recorded, enum wt_item_type type,
					uint64_t owner);

/** Returns the answer to a query; NULL if it was not recorded. */
const struct wt_answer *wt_recorded_answer(const struct wt_recorded *recorded,
					   enum wt_object object, uint64_t handle, uint32_t query);

/** Looks for the answer as above among those of an event or another item. */
const struct wt_answer *wt_recorded_find(const struct wt_recorded *recorded, enum wt_object object,
					 const struct wt_query *query,
					 const struct wt_answer *answers, size_t count);

/** A number of up to 8 bytes, little endian; false if it was not recorded or failed. */
bool wt_recorded_number(const struct wt_recorded *recorded, enum wt_object object, uint64_t handle,
			uint32_t query, uint64_t *number_ret);

/** The number in an answer of up to 8 bytes; false if it is NULL, an error, or longer. */
bool wt_answer_number(const struct wt_answer *answer, uint64_t *number_ret);

/** A handle or key's partner in a MAP item; false if the map does not have it. */
bool wt_recorded_map(const struct wt_item *item, uint64_t number, uint64_t *handle_ret);

/** Is a handle in a LIST item's list? */
bool wt_recorded_lists(const struct wt_item *item, uint64_t handle);

/** The architecture in our own tables that a recorded one is, by its name; NULL if we know none. */
const struct gfx_architecture *wt_recorded_architecture(const struct wt_recorded *recorded,
							uint64_t architecture);

/**
 * Bytes of a page of memory.
 *
 * @owner: process, workgroup or wave, as the space has it.
 * @page: its address, a multiple of WT_PAGE.
 *
 * Return: NULL if the page was not recorded or could not be read; at most WT_PAGE bytes.
 */
struct wt_bytes *wt_recorded_page(const struct wt_recorded *recorded, enum gfx_space space,
				  uint64_t owner, uint64_t page);

/** Does the trace have a page: its bytes, or that it could not be read? */
bool wt_recorded_has_page(const struct wt_recorded *recorded, enum gfx_space space, uint64_t owner,
			  uint64_t page);

/** The key of a page. */
struct wt_key wt_recorded_page_key(const struct wt_recorded *recorded, enum gfx_space space,
				   uint64_t owner, uint64_t page);

/**
 * Copy recorded bytes of one space, page after page.
 * Return: how many bytes are recorded without a gap from @address on.
 */
size_t wt_recorded_memory(const struct wt_recorded *recorded, enum gfx_space space, uint64_t owner,
			  uint64_t address, void *data, size_t size);

#endif /* WT_REPLAYER_RECORDED_RECORDED_H */
