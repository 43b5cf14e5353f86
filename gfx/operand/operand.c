/* SPDX-License-Identifier: MIT */
#include "gfx/operand/operand.h"

#include <string.h>

const struct gfx_operand_target *gfx_operand_target_at(size_t index)
{
	const struct gfx_architecture *architecture;
	size_t count;
	const struct gfx_machine *machines = gfx_machines(&count);

	for (size_t i = 0; i < count; i++)
		if (machines[i].operands.profile != GFX_OPERAND_UNKNOWN && !index--)
			return &machines[i].operands;
	architecture = gfx_architecture_at(index);
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
