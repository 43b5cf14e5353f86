/* SPDX-License-Identifier: MIT */
/* The architectures by name, as gfx9.c to gfx12.c define them. Callers find them through architecture.h. */
#ifndef GFX_ARCHITECTURE_GENERATIONS_H
#define GFX_ARCHITECTURE_GENERATIONS_H

struct gfx_architecture;

extern const struct gfx_architecture gfx_architecture_gfx900, gfx_architecture_gfx906,
	gfx_architecture_gfx908, gfx_architecture_gfx90a, gfx_architecture_gfx940,
	gfx_architecture_gfx941, gfx_architecture_gfx942, gfx_architecture_gfx1010,
	gfx_architecture_gfx1011, gfx_architecture_gfx1012, gfx_architecture_gfx1030,
	gfx_architecture_gfx1031, gfx_architecture_gfx1032, gfx_architecture_gfx1100,
	gfx_architecture_gfx1101, gfx_architecture_gfx1102, gfx_architecture_gfx1200,
	gfx_architecture_gfx1201, gfx_architecture_gfx950, gfx_architecture_gfx1150,
	gfx_architecture_gfx1151, gfx_architecture_gfx1152, gfx_architecture_gfx1153,
	gfx_architecture_gfx1250, gfx_architecture_gfx9_generic, gfx_architecture_gfx9_4_generic,
	gfx_architecture_gfx10_1_generic, gfx_architecture_gfx10_3_generic,
	gfx_architecture_gfx11_generic, gfx_architecture_gfx12_generic;

#endif /* GFX_ARCHITECTURE_GENERATIONS_H */
