/* SPDX-License-Identifier: MIT */
/* The registers of a wave's state on gfx12, and what waves that are executed keep of it in those of before. */
#include "gfx/wave/wave.h"

/* Bits of one register in another. */
struct moved {
	size_t here, there; /* offsets of the registers in a wave */
	uint8_t from, to, count;
};

#define MOVED(here_, from_, there_, to_, count_)                                                   \
	{                                                                                          \
		.here = offsetof(struct gfx_wave, here_),                                          \
		.there = offsetof(struct gfx_wave, there_), .from = (from_), .to = (to_),          \
		.count = (count_)                                                                  \
	}

static const struct moved moves[] = {
	MOVED(status, 0, state_priv, 9, 1),   /* scc */
	MOVED(status, 3, state_priv, 12, 2),  /* the program's priority */
	MOVED(status, 13, state_priv, 14, 1), /* halt */
	MOVED(status, 20, state_priv, 16, 2), /* conditions of debuggers */
	MOVED(mode, 12, trap_ctrl, 0, 7),     /* arithmetic exceptions that trap, */
	MOVED(mode, 19, trap_ctrl, 7, 1),     /* address watch, */
	MOVED(mode, 11, trap_ctrl, 9, 1),     /* and each instruction */
	MOVED(trapsts, 0, excp_flag_user, 0, 7),
	MOVED(trapsts, 7, excp_flag_priv, 0, 1),   /* address watch */
	MOVED(trapsts, 12, excp_flag_priv, 1, 3),  /* of the other registers */
	MOVED(trapsts, 8, excp_flag_priv, 4, 1),   /* memory violation */
	MOVED(trapsts, 11, excp_flag_priv, 6, 1),  /* illegal instruction */
	MOVED(trapsts, 23, excp_flag_priv, 8, 2),  /* the beginning of the wave, and its end */
	MOVED(trapsts, 25, excp_flag_priv, 11, 1), /* after an instruction */
	MOVED(trapsts, 28, excp_flag_priv, 12, 1), /* an address that is not mapped */
};

static bool has_state(const struct gfx_wave *wave)
{
	return wave->architecture->generation >= GFX_GENERATION_12;
}

static uint32_t *find_word(struct gfx_wave *wave, size_t offset)
{
	return (uint32_t *)((uint8_t *)wave + offset);
}

static void bits_move(uint32_t *from, uint32_t from_bit, uint32_t *to, uint32_t to_bit,
		      uint32_t count)
{
	uint32_t mask = (1U << count) - 1, bits = *from >> from_bit & mask;

	*from &= ~(mask << from_bit);
	*to = (*to & ~(mask << to_bit)) | bits << to_bit;
}

void gfx_wave_part_state(struct gfx_wave *wave)
{
	for (size_t i = 0; has_state(wave) && i < sizeof(moves) / sizeof(*moves); i++)
		bits_move(find_word(wave, moves[i].here), moves[i].from,
			  find_word(wave, moves[i].there), moves[i].to, moves[i].count);
}

void gfx_wave_join_state(struct gfx_wave *wave)
{
	for (size_t i = 0; has_state(wave) && i < sizeof(moves) / sizeof(*moves); i++)
		bits_move(find_word(wave, moves[i].there), moves[i].to,
			  find_word(wave, moves[i].here), moves[i].from, moves[i].count);
}

void gfx_wave_set_scc(struct gfx_wave *wave, bool scc)
{
	wave->status = (wave->status & ~1U) | scc;
}
