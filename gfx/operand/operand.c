/* SPDX-License-Identifier: MIT */
#include "gfx/operand/operand.h"

#include <string.h>

static const struct gfx_operand_target targets[] = {
	{"gfx600", GFX_OPERAND_GFX6},
	{"gfx601", GFX_OPERAND_GFX6},
	{"gfx602", GFX_OPERAND_GFX6},
	{"gfx700", GFX_OPERAND_GFX6},
	{"gfx701", GFX_OPERAND_GFX6},
	{"gfx702", GFX_OPERAND_GFX6},
	{"gfx703", GFX_OPERAND_GFX6},
	{"gfx704", GFX_OPERAND_GFX6},
	{"gfx705", GFX_OPERAND_GFX6},
	{"gfx801", GFX_OPERAND_GFX8},
	{"gfx802", GFX_OPERAND_GFX8},
	{"gfx803", GFX_OPERAND_GFX8},
	{"gfx805", GFX_OPERAND_GFX8},
	{"gfx810", GFX_OPERAND_GFX8},
	{"gfx900", GFX_OPERAND_GFX9},
	{"gfx902", GFX_OPERAND_GFX9},
	{"gfx904", GFX_OPERAND_GFX9},
	{"gfx906", GFX_OPERAND_GFX9},
	{"gfx908", GFX_OPERAND_GFX9},
	{"gfx909", GFX_OPERAND_GFX9},
	{"gfx90a", GFX_OPERAND_GFX9},
	{"gfx90c", GFX_OPERAND_GFX9},
	{"gfx940", GFX_OPERAND_GFX940},
	{"gfx941", GFX_OPERAND_GFX940},
	{"gfx942", GFX_OPERAND_GFX940},
	{"gfx1010", GFX_OPERAND_GFX10_1},
	{"gfx1011", GFX_OPERAND_GFX10_1},
	{"gfx1012", GFX_OPERAND_GFX10_1},
	{"gfx1013", GFX_OPERAND_GFX10_1},
	{"gfx1030", GFX_OPERAND_GFX10_3},
	{"gfx1031", GFX_OPERAND_GFX10_3},
	{"gfx1032", GFX_OPERAND_GFX10_3},
	{"gfx1033", GFX_OPERAND_GFX10_3},
	{"gfx1034", GFX_OPERAND_GFX10_3},
	{"gfx1035", GFX_OPERAND_GFX10_3},
	{"gfx1036", GFX_OPERAND_GFX10_3},
	{"gfx1100", GFX_OPERAND_GFX11},
	{"gfx1101", GFX_OPERAND_GFX11},
	{"gfx1102", GFX_OPERAND_GFX11},
	{"gfx1103", GFX_OPERAND_GFX11},
	{"gfx1150", GFX_OPERAND_GFX11},
	{"gfx1151", GFX_OPERAND_GFX11},
	{"gfx1152", GFX_OPERAND_GFX11},
	{"gfx1200", GFX_OPERAND_GFX12},
	{"gfx1201", GFX_OPERAND_GFX12},
	{"gfx950", GFX_OPERAND_GFX940},
	{"gfx1153", GFX_OPERAND_GFX11},
	{"gfx1250", GFX_OPERAND_GFX12_5},
	{"gfx9-generic", GFX_OPERAND_GFX9},
	{"gfx9-4-generic", GFX_OPERAND_GFX940},
	{"gfx10-1-generic", GFX_OPERAND_GFX10_1},
	{"gfx10-3-generic", GFX_OPERAND_GFX10_3},
	{"gfx11-generic", GFX_OPERAND_GFX11},
	{"gfx12-generic", GFX_OPERAND_GFX12},
};

#define TARGET_COUNT (sizeof(targets) / sizeof(*targets))

const struct gfx_operand_target *gfx_operand_targets(size_t *count_ret)
{
	*count_ret = TARGET_COUNT;
	return targets;
}

const struct gfx_operand_target *gfx_operand_target_by_name(const char *name)
{
	for (size_t i = 0; i < TARGET_COUNT; i++)
		if (!strcmp(targets[i].name, name))
			return &targets[i];
	return NULL;
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
