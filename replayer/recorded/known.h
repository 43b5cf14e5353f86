/* SPDX-License-Identifier: MIT */
/*
 * Our tables' knowledge of the architectures of a trace, under the handles that the recorded library gave. Libraries
 * number architectures, address spaces and classes differently from release to release, so that all of them are found
 * by their names.
 *
 * Beside them, all of our tables under handles that no library gives: a client may ask what a GPU is that the trace has nothing of.
 */
#ifndef WT_REPLAYER_RECORDED_KNOWN_H
#define WT_REPLAYER_RECORDED_KNOWN_H

#include "base/error.h"
#include "replayer/recorded/recorded.h"

/* The most architectures that one trace may have. */
#define WT_KNOWN_ARCHITECTURES 48

/* How many our tables have, at most, and the first of their handles in a replay: recorded ones count up from 1. */
#define WT_KNOWN_TABLES 64
#define WT_KNOWN_TABLE_HANDLES UINT64_C(0x40000000)

struct wt_known_architecture;

/* Zero it before use. */
struct wt_known {
	struct wt_known_architecture *all[WT_KNOWN_ARCHITECTURES + WT_KNOWN_TABLES];
	/* The same ones as tables: those of the trace, in the order of their handles, and behind them those of our tables alone. */
	const struct gfx_architecture *architectures[WT_KNOWN_ARCHITECTURES + WT_KNOWN_TABLES];
	size_t count;	    /* of the trace */
	size_t table_count; /* of our tables */
};

/**
 * Find all architectures of a trace in our tables.
 *
 * @facts: of the trace; not needed afterwards. What of an architecture has another name there, or is not recorded, is left out
 *	of its table: its registers, address classes and register classes. An architecture without one of our address spaces is
 *	not known.
 *
 * Our tables themselves are added behind them, with WT_KNOWN_TABLE_HANDLES added to each handle but that of a global space
 * which the trace has.
 * Errors: out of memory.
 */
struct wt_error *wt_known_init(struct wt_known *known, const struct wt_recorded *facts);
void wt_known_deinit(struct wt_known *known);

/** The table of an architecture of the trace under its recorded handles; NULL if we know none. It lives as long as @known. */
const struct gfx_architecture *wt_known_find(const struct wt_known *known, uint64_t architecture);

#endif /* WT_REPLAYER_RECORDED_KNOWN_H */
