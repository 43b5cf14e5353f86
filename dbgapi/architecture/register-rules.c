/* SPDX-License-Identifier: MIT */
#include "dbgapi/architecture/register-rules.h"

#include <string.h>

#define BIT(n) (UINT64_C(1) << (n))
#define BITS(first, last) ((UINT64_C(2) << (last)) - (UINT64_C(1) << (first)))

#define STATUS_PRIVILEGED BIT(5)
#define STATUS_EXECZ BIT(9)
#define STATUS_VCCZ BIT(10)
#define STATUS_SKIP_EXPORT BIT(18)
#define STATUS_NO_VGPRS BIT(24)

/* Numbers of s0... that the encoding has: the special ones of a large wave lie above. */
#define SCALAR_NAMES 102u

/* Architectures that treat these registers alike. */
enum family {
	FAMILY_GFX9, /* and gfx10 */
	FAMILY_GFX94X,
	FAMILY_GFX11,
	FAMILY_GFX12,
	FAMILY_GFX12_5,
	FAMILY_COUNT,
};

/* Bits that hardware or the trap handler own, or that do not exist. */
struct readonly_bits {
	enum gfx_register_kind kind;
	uint64_t bits[FAMILY_COUNT];
};

#define STATUS_GFX12 (BITS(0, 5) | BIT(7) | BITS(12, 13) | BIT(17) | BITS(19, 21))
#define STATE_PRIV_GFX12 (BITS(15, 17) | BITS(19, 31))

static const struct readonly_bits readonly_bits[] = {
	{GFX_REGISTER_MODE,
	 {BITS(21, 22), BIT(22), BIT(22) | BITS(24, 26) | BITS(28, 31),
	  BITS(8, 22) | BITS(25, 26) | BITS(28, 31), BITS(8, 11) | BITS(20, 22) | BITS(28, 31)}},
	{GFX_REGISTER_TRAPSTS,
	 {BIT(9) | BIT(15) | BITS(22, 27), BIT(9) | BIT(15) | BIT(27),
	  BIT(9) | BITS(21, 27) | BITS(29, 31), 0, 0}},
	{GFX_REGISTER_STATUS,
	 {BITS(5, 7) | BITS(9, 12) | BITS(14, 16) | BITS(18, 19) | BITS(22, 26) | BITS(28, 31),
	  BITS(5, 7) | BITS(9, 12) | BITS(14, 16) | BITS(18, 19) | BITS(22, 26) | BITS(29, 30),
	  BITS(0, 31), STATUS_GFX12, STATUS_GFX12}},
	{GFX_REGISTER_STATE_PRIV, {0, 0, 0, STATE_PRIV_GFX12, STATE_PRIV_GFX12}},
	{GFX_REGISTER_TRAP_CTRL, {0, 0, 0, BITS(10, 31), BITS(10, 31)}},
	{GFX_REGISTER_EXCP_FLAG_PRIV, {0, 0, 0, BITS(13, 29), BITS(13, 29)}},
	{GFX_REGISTER_EXCP_FLAG_USER, {0, 0, 0, BITS(7, 29), BITS(7, 29)}},
};

static enum family family_of(const struct gfx_architecture *architecture)
{
	switch (architecture->generation) {
	case GFX_GENERATION_9:
		return architecture->trap_after_instruction ? FAMILY_GFX94X : FAMILY_GFX9;
	case GFX_GENERATION_10:
		break;
	case GFX_GENERATION_11:
		return FAMILY_GFX11;
	case GFX_GENERATION_12:
		return FAMILY_GFX12;
	case GFX_GENERATION_12_5:
		return FAMILY_GFX12_5;
	}
	return FAMILY_GFX9;
}

uint64_t wt_register_readonly_bits(const struct gfx_architecture *architecture,
				   enum gfx_register_kind kind)
{
	enum family family = family_of(architecture);

	if (kind == GFX_REGISTER_PC)
		return BITS(0, 1);
	for (size_t i = 0; i < sizeof(readonly_bits) / sizeof(*readonly_bits); i++)
		if (readonly_bits[i].kind == kind)
			return readonly_bits[i].bits[family];
	return 0;
}

uint64_t wt_register_written(const struct gfx_architecture *architecture,
			     enum gfx_register_kind kind, uint64_t old, uint64_t value)
{
	uint64_t kept = wt_register_readonly_bits(architecture, kind);

	/* AMD's library writes all bits of status. It shows two of them as 0, and from gfx12 on one. */
	if (kind == GFX_REGISTER_STATUS)
		return value &
		       ~(STATUS_PRIVILEGED |
			 (architecture->generation <= GFX_GENERATION_11 ? STATUS_SKIP_EXPORT : 0));
	return (old & kept) | (value & ~kept);
}

bool wt_register_side_effect(enum gfx_register_kind kind, uint64_t stored,
			     struct wt_register_effect *effect_ret)
{
	uint64_t mask;

	if (kind == GFX_REGISTER_EXEC)
		mask = STATUS_EXECZ;
	else if (kind == GFX_REGISTER_VCC)
		mask = STATUS_VCCZ;
	else
		return false;
	effect_ret->kind = GFX_REGISTER_STATUS;
	effect_ret->mask = mask;
	effect_ret->bits = stored == 0 ? mask : 0;
	return true;
}

bool wt_register_is_saved_apart(enum gfx_register_kind kind)
{
	switch (kind) {
	case GFX_REGISTER_VGPR:
	case GFX_REGISTER_AGPR:
	case GFX_REGISTER_SGPR:
	case GFX_REGISTER_SHADOW_SGPR:
	case GFX_REGISTER_FLAT_SCRATCH:
	case GFX_REGISTER_VCC:
		return true;
	default:
		return false;
	}
}

bool wt_register_vectors_are_gone(const struct gfx_architecture *architecture, uint64_t status)
{
	return architecture->generation >= GFX_GENERATION_11 && status & STATUS_NO_VGPRS;
}

bool wt_register_shadow_alias(uint32_t first_shadow, uint32_t number,
			      struct wt_register_alias *alias_ret)
{
	static const enum gfx_register_kind pairs[WT_REGISTER_SHADOWS / 2] = {
		GFX_REGISTER_FLAT_SCRATCH, GFX_REGISTER_XNACK_MASK, GFX_REGISTER_VCC};

	if (number < first_shadow || number - first_shadow >= WT_REGISTER_SHADOWS ||
	    number >= SCALAR_NAMES)
		return false;
	alias_ret->kind = pairs[(number - first_shadow) / 2];
	alias_ret->half = (number - first_shadow) % 2;
	return true;
}
