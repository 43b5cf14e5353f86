/* SPDX-License-Identifier: MIT */
#include "gfx/operand/operand.h"

#include <string.h>

/* Targets that LLVM knows and gfx/architecture/ does not. */
static const struct gfx_operand_target others[] = {
	{"gfx600", GFX_OPERAND_GFX6},	  {"gfx601", GFX_OPERAND_GFX6},
	{"gfx602", GFX_OPERAND_GFX6},	  {"gfx700", GFX_OPERAND_GFX6},
	{"gfx701", GFX_OPERAND_GFX6},	  {"gfx702", GFX_OPERAND_GFX6},
	{"gfx703", GFX_OPERAND_GFX6},	  {"gfx704", GFX_OPERAND_GFX6},
	{"gfx705", GFX_OPERAND_GFX6},	  {"gfx801", GFX_OPERAND_GFX8},
	{"gfx802", GFX_OPERAND_GFX8},	  {"gfx803", GFX_OPERAND_GFX8},
	{"gfx805", GFX_OPERAND_GFX8},	  {"gfx810", GFX_OPERAND_GFX8},
	{"gfx902", GFX_OPERAND_GFX9},	  {"gfx904", GFX_OPERAND_GFX9},
	{"gfx909", GFX_OPERAND_GFX9},	  {"gfx90c", GFX_OPERAND_GFX9},
	{"gfx1013", GFX_OPERAND_GFX10_1}, {"gfx1033", GFX_OPERAND_GFX10_3},
	{"gfx1034", GFX_OPERAND_GFX10_3}, {"gfx1035", GFX_OPERAND_GFX10_3},
	{"gfx1036", GFX_OPERAND_GFX10_3}, {"gfx1103", GFX_OPERAND_GFX11},
};

#define OTHER_COUNT (sizeof(others) / sizeof(*others))

const struct gfx_operand_target *gfx_operand_target_at(size_t index)
{
	const struct gfx_architecture *architecture;

	if (index < OTHER_COUNT)
		return &others[index];
	architecture = gfx_architecture_at(index - OTHER_COUNT);
	return architecture ? &architecture->operands : NULL;
}

const struct gfx_operand_target *gfx_operand_target_by_name(const char *name)
{
	const struct gfx_operand_target *target;

	for (size_t i = 0; (target = gfx_operand_target_at(i)); i++)
		if (!strcmp(target->name, name))
			break;
	return target;
}

static const char *const kind_names[GFX_OPERAND_KINDS] = {
	[GFX_OPERAND_WAITCNT] = "waitcnt",     [GFX_OPERAND_SENDMSG] = "sendmsg",
	[GFX_OPERAND_HWREG] = "hwreg",	       [GFX_OPERAND_DEPCTR] = "depctr",
	[GFX_OPERAND_DELAY_ALU] = "delay_alu",
};

const char *gfx_operand_kind_name(enum gfx_operand_kind kind)
{
	return kind_names[kind];
}

bool gfx_operand_kind_by_name(const char *name, enum gfx_operand_kind *kind_ret)
{
	for (int i = 0; i < GFX_OPERAND_KINDS; i++) {
		if (!strcmp(kind_names[i], name)) {
			*kind_ret = (enum gfx_operand_kind)i;
			return true;
		}
	}
	return false;
}

bool gfx_operand_exists(const struct gfx_operand_target *target, enum gfx_operand_kind kind)
{
	if (kind == GFX_OPERAND_DEPCTR)
		return target->profile >= GFX_OPERAND_GFX10_1;
	if (kind == GFX_OPERAND_DELAY_ALU)
		return target->profile >= GFX_OPERAND_GFX11;
	return true;
}
