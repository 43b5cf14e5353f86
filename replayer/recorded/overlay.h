/* SPDX-License-Identifier: MIT */
/*
 * The client's writes, over what was recorded: pages of memory and registers of waves. The trace is never written.
 */
#ifndef WT_REPLAYER_RECORDED_OVERLAY_H
#define WT_REPLAYER_RECORDED_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "trace-format/state/state.h"

struct wt_recorded;

struct wt_overlay_entry {
	struct wt_key key;	/* of a page; or of a register: REGISTERS, wave, register */
	struct wt_bytes *bytes; /* as the client sees them; nobody else holds them */
	struct wt_bytes *base;	/* pages: the recorded bytes written over; or NULL */
	bool resumed; /* a register of a wave that was resumed since it was written: it stays until the timeline moves */
	UT_hash_handle hh;
};

/* Zero it before use. */
struct wt_overlay {
	struct wt_overlay_entry *entries;
};

void wt_overlay_deinit(struct wt_overlay *overlay);

/** The bytes that the client wrote over a key; NULL if there are none. @overlay may be NULL. */
struct wt_bytes *wt_overlay_get(const struct wt_overlay *overlay, const struct wt_key *key);

/**
 * Make a copy of recorded bytes for a key, so that it can be written to. A copy that exists stays.
 * Return: the bytes; NULL if there is no memory.
 */
struct wt_bytes *wt_overlay_cover(struct wt_overlay *overlay, const struct wt_key *key,
				  struct wt_bytes *base);

/**
 * Lays bytes of another origin where nothing was recorded. They stay until something is recorded there.
 */
struct wt_bytes *wt_overlay_lay(struct wt_overlay *overlay, const struct wt_key *key,
				const void *data, size_t size);

/** Forget what was written to the registers of a wave. */
void wt_overlay_forget_wave(struct wt_overlay *overlay, uint64_t wave);

/** A wave is resumed: what was written to its registers stays until the timeline moves. */
void wt_overlay_resume(struct wt_overlay *overlay, uint64_t wave);

/** The same for all waves: their registers are those of another moment now. */
void wt_overlay_forget_registers(struct wt_overlay *overlay);

/** Forget the pages whose recorded bytes are no longer those that were written over, and registers of waves that run. */
void wt_overlay_move(struct wt_overlay *overlay, const struct wt_state *state);

#endif /* WT_REPLAYER_RECORDED_OVERLAY_H */
