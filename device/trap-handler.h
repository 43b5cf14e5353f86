/* SPDX-License-Identifier: MIT */
/*
 * The trap handler and debuggers keep this in a wave's registers: bits of status, and of the trap temporaries that hold
 * the state of a stopped wave. Bits that families have in different places are in device/save-area/layout.h.
 */
#ifndef WT_DEVICE_TRAP_HANDLER_H
#define WT_DEVICE_TRAP_HANDLER_H

#include "device/exceptions.h"
#include "gfx/wave/wave.h"

#define WT_STATUS_PRIVILEGED (1u << 5)
#define WT_STATUS_IN_BARRIER (1u << 12)
#define WT_STATUS_HALT (1u << 13)
#define WT_STATUS_SKIP_EXPORT                                                                      \
	(1u << 18) /* set while a wave is stopped, from r_debug version 10 on; not on gfx12 */
#define WT_STATUS_NO_VGPRS (1u << 24) /* from gfx11 on: it has given its vector registers back */
#define WT_STATE_PRIV_HALT (1u << 14) /* of gfx12, in place of that of status */
#define WT_TRAP_CTRL_ADDRESS_WATCH (1u << 7) /* of gfx12, in place of bits of mode */
#define WT_TRAP_CTRL_AFTER_INST (1u << 9)
#define WT_EXCP_FLAG_PRIV_ADDRESS_WATCH 0xfu /* of gfx12, in place of bits of trapsts */

#define WT_TTMP6_TRAP_ID_SHIFT 25
#define WT_TTMP6_TRAP_ID (0xfu << WT_TTMP6_TRAP_ID_SHIFT)
#define WT_TTMP6_SAVED_HALT (1u << 29) /* status.halt as the program had it */
#define WT_TTMP6_STOPPED (1u << 30)
#define WT_TTMP6_NOT_SET_UP (1u << 31)	/* hardware has not written trap temporaries at launch */
#define WT_TTMP11_PARKED (0xffffu << 7) /* upper bits of a parked pc */
#define WT_TTMP11_PARKED_SHIFT 7

/** Whether the wave has state_priv and its neighbours: gfx12 does. */
static inline bool wt_wave_has_state_priv(const struct gfx_wave *gfx)
{
	return gfx->architecture->generation >= GFX_GENERATION_12;
}

/** Whether hardware halts the wave. */
static inline bool wt_wave_is_halted(const struct gfx_wave *gfx)
{
	return wt_wave_has_state_priv(gfx) ? gfx->state_priv & WT_STATE_PRIV_HALT
					   : gfx->status & WT_STATUS_HALT;
}

static inline void wt_wave_set_halted(struct gfx_wave *gfx, bool halted)
{
	uint32_t *word = wt_wave_has_state_priv(gfx) ? &gfx->state_priv : &gfx->status;
	uint32_t bit = wt_wave_has_state_priv(gfx) ? WT_STATE_PRIV_HALT : WT_STATUS_HALT;

	*word = halted ? *word | bit : *word & ~bit;
}

/** Let it be known as stopped, and halt it; that the program had halted it is kept. */
static inline void wt_wave_set_stopped(struct gfx_wave *gfx)
{
	gfx->ttmps[6] &= ~WT_TTMP6_SAVED_HALT;
	gfx->ttmps[6] |= WT_TTMP6_STOPPED | (wt_wave_is_halted(gfx) ? WT_TTMP6_SAVED_HALT : 0);
	wt_wave_set_halted(gfx, true);
}

/** Undo that, and let the wave stop after one instruction if @step. */
static inline void wt_wave_set_running(struct gfx_wave *gfx, bool step)
{
	uint32_t *word = wt_wave_has_state_priv(gfx) ? &gfx->trap_ctrl : &gfx->mode;
	uint32_t bit = wt_wave_has_state_priv(gfx) ? WT_TRAP_CTRL_AFTER_INST : WT_MODE_SINGLE_STEP;

	wt_wave_set_halted(gfx, gfx->ttmps[6] & WT_TTMP6_SAVED_HALT);
	gfx->ttmps[6] &= ~(WT_TTMP6_STOPPED | WT_TTMP6_SAVED_HALT);
	*word = step ? *word | bit : *word & ~bit;
}

/** Let what address watch registers are hit by stop the wave, or not. */
static inline void wt_wave_set_watching(struct gfx_wave *gfx, bool watching)
{
	uint32_t *word = wt_wave_has_state_priv(gfx) ? &gfx->trap_ctrl : &gfx->mode;
	uint32_t bit =
		wt_wave_has_state_priv(gfx) ? WT_TRAP_CTRL_ADDRESS_WATCH : WT_MODE_ADDRESS_WATCH;

	*word = watching ? *word | bit : *word & ~bit;
}

/** The address watch registers that the wave has hit, as bits. */
static inline uint32_t wt_wave_watches_hit(const struct gfx_wave *gfx)
{
	/* addr_watch 0 to 3 in trapsts: the first is not beside the others. */
	if (!wt_wave_has_state_priv(gfx))
		return (gfx->trapsts >> 7 & 1) | (gfx->trapsts >> 11 & 0xe);
	return gfx->excp_flag_priv & WT_EXCP_FLAG_PRIV_ADDRESS_WATCH;
}

#endif /* WT_DEVICE_TRAP_HANDLER_H */
