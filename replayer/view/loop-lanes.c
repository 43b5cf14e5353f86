/* SPDX-License-Identifier: MIT */
/* Several reads of a loop, each for itself, and lanes that read different places or follow each other through an atomic, one by one. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "gfx/isa/run.h"
#include "replayer/view/loop-run.h"
#include "replayer/view/loop-until.h"

#define ROUNDS_BEFORE 2u /* that a part of the lanes goes before it is followed */

/* Execute the wave on to the read, with all lanes that are to read there; false if it does not come there, or another instruction stores to it. */
static bool read_go_to(struct wt_loop_run *run, const struct wt_loop_read *read)
{
	while (run->traced++ < WT_LOOP_TRACED) {
		struct gfx_instruction instruction;
		struct gfx_fault fault = {0};
		struct gfx_access access;
		struct gfx_uses uses;

		if (!wt_loop_decode(run, &instruction, &uses))
			return false;
		wt_loop_access(run, &instruction, &access);
		if (access.write && run->now.wave.pc != read->pc &&
		    wt_loop_reaches(run, &access, read->space, read->address, read->size))
			return false;
		if (gfx_wave_execute(&run->now.wave, &run->memory, &instruction, &fault) !=
		    GFX_STEP_DONE)
			return false;
		if (run->now.wave.pc == read->pc)
			return !(read->lanes & ~run->now.wave.exec);
	}
	return false;
}

/* The wave is at the read: what do these lanes read there, all of them the same? */
static bool read_look_at(struct wt_loop_run *run, struct wt_loop_read *read)
{
	struct gfx_instruction instruction;
	struct gfx_access access;
	struct gfx_uses uses;

	if (!wt_loop_decode(run, &instruction, &uses))
		return false;
	wt_loop_access(run, &instruction, &access);
	if (access.scalar || access.lanes != read->lanes || wt_loop_count_addresses(&access) != 1)
		return false;
	read->addresses = 1;
	read->address = access.addresses[__builtin_ctzll(access.lanes)];
	read->space = access.space;
	if (!wt_loop_is_shared(run, &read->space, &read->address))
		return false;
	read->value = wt_loop_value(run, read->space, read->address, read->size);
	return true;
}

/* Follow the wave from the read on with none but these lanes, as if it had no others: lanes see each other by nothing that is followed. */
static struct wt_error *read_find_in(const struct wt_loop_run *whole, struct wt_loop_read *read,
				     unsigned int *traced)
{
	wt_cleanup_free struct wt_loop_run *run = calloc(1, sizeof(*run));
	struct wt_error *error;
	bool known = false;

	if (!run)
		return &wt_error_no_memory;
	run->view = whole->view;
	run->handle = whole->handle;
	wt_loop_take_launch(run, whole);
	run->traced = *traced;
	error = wt_loop_run_init(run, NULL, whole->now.wave.architecture, &known);
	known = !error && known && read_go_to(run, read);
	run->now.wave.exec &= read->lanes;
	known = known && read_look_at(run, read);
	/* Masks of other lanes are gone from the registers when the wave comes back. */
	for (unsigned int i = 0; known && i < ROUNDS_BEFORE; i++)
		known = read_go_to(run, read) && run->now.wave.exec == read->lanes;
	if (known) {
		wt_loop_remember(run);
		wt_loop_follow_read(run, read);
	}
	*traced = run->traced;
	wt_loop_run_deinit(run);
	return error;
}

static bool read_ends_alike(const struct wt_loop_read *one, const struct wt_loop_read *other)
{
	return !strcmp(one->until, other->until) && one->mask == other->mask &&
	       one->limit == other->limit && one->is_unsigned == other->is_unsigned &&
	       one->is_float == other->is_float;
}

/* Lanes that read different places, or of which one after the other gets what an atomic gives. */
static struct wt_error *read_find_by_lanes(const struct wt_loop_run *whole,
					   struct wt_loop_read *read, unsigned int *traced)
{
	struct wt_loop_read first = {0};

	for (uint64_t left = read->lanes; left; left &= left - 1) {
		struct wt_loop_read one = *read;
		struct wt_error *error;

		one.lanes = left & -left;
		error = read_find_in(whole, &one, traced);
		if (error)
			return error;
		if (!one.until || (first.until && !read_ends_alike(&first, &one)))
			return NULL;
		if (!first.until)
			first = one;
	}
	read->until = first.until;
	read->mask = first.mask;
	read->limit = first.limit;
	read->is_unsigned = first.is_unsigned;
	read->is_float = first.is_float;
	return NULL;
}

struct wt_error *wt_loop_follow_apart(const struct wt_loop_run *run, struct wt_loop_read *read)
{
	struct wt_loop_read apart = *read;
	struct wt_error *error;
	unsigned int traced = 0;

	/* Values that change in each round are known at its beginning, and not at the read. */
	if (read->moves || run->idle)
		return NULL;
	error = read_find_in(run, &apart, &traced);
	if (!error && apart.until)
		*read = apart;
	else if (!error && (read->lanes & (read->lanes - 1)))
		error = read_find_by_lanes(run, read, &traced);
	return error;
}
