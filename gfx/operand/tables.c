/* SPDX-License-Identifier: MIT */
#include "gfx/operand/tables.h"

#include <string.h>

/* Profiles from one on, up to one, and between two. */
#define FROM(first) ((uint16_t)(0xffffu << (first)))
#define UPTO(last) ((uint16_t)((2u << (last)) - 1))
#define BETWEEN(first, last) ((uint16_t)(FROM(first) & UPTO(last)))
#define ONLY(profile) BETWEEN(profile, profile)
#define ALL FROM(0)

#define GFX6 GFX_OPERAND_GFX6
#define GFX8 GFX_OPERAND_GFX8
#define GFX9 GFX_OPERAND_GFX9
#define GFX940 GFX_OPERAND_GFX940
#define GFX10_1 GFX_OPERAND_GFX10_1
#define GFX10_3 GFX_OPERAND_GFX10_3
#define GFX11 GFX_OPERAND_GFX11
#define GFX12 GFX_OPERAND_GFX12
#define GFX12_5 GFX_OPERAND_GFX12_5

static uint32_t low_bits(uint32_t count)
{
	return (UINT32_C(1) << count) - 1;
}

uint32_t gfx_operand_field_limit(const struct gfx_operand_field *field)
{
	return low_bits((uint32_t)field->width + field->high_width);
}

uint32_t gfx_operand_field_get(const struct gfx_operand_field *field, uint32_t operand)
{
	uint32_t low = operand >> field->shift & low_bits(field->width);
	uint32_t high = operand >> field->high_shift & low_bits(field->high_width);

	return high << field->width | low;
}

uint32_t gfx_operand_field_set(const struct gfx_operand_field *field, uint32_t operand,
			       uint32_t value)
{
	operand &= ~(low_bits(field->width) << field->shift | low_bits(field->high_width)
								      << field->high_shift);
	operand |= (value & low_bits(field->width)) << field->shift;
	operand |= (value >> field->width & low_bits(field->high_width)) << field->high_shift;
	return operand;
}

const struct gfx_operand_field *gfx_operand_counters(enum gfx_operand_profile profile)
{
	static const struct gfx_operand_field gfx6[GFX_OPERAND_COUNTERS] = {
		{"vmcnt", 0, 4, 0, 0, ALL},
		{"expcnt", 4, 3, 0, 0, ALL},
		{"lgkmcnt", 8, 4, 0, 0, ALL},
	};
	static const struct gfx_operand_field gfx9[GFX_OPERAND_COUNTERS] = {
		{"vmcnt", 0, 4, 14, 2, ALL},
		{"expcnt", 4, 3, 0, 0, ALL},
		{"lgkmcnt", 8, 4, 0, 0, ALL},
	};
	static const struct gfx_operand_field gfx10[GFX_OPERAND_COUNTERS] = {
		{"vmcnt", 0, 4, 14, 2, ALL},
		{"expcnt", 4, 3, 0, 0, ALL},
		{"lgkmcnt", 8, 6, 0, 0, ALL},
	};
	static const struct gfx_operand_field gfx11[GFX_OPERAND_COUNTERS] = {
		{"vmcnt", 10, 6, 0, 0, ALL},
		{"expcnt", 0, 3, 0, 0, ALL},
		{"lgkmcnt", 4, 6, 0, 0, ALL},
	};

	if (profile >= GFX11)
		return gfx11;
	if (profile >= GFX10_1)
		return gfx10;
	return profile >= GFX9 ? gfx9 : gfx6;
}

const struct gfx_operand_field *gfx_operand_depctr_fields(void)
{
	static const struct gfx_operand_field fields[GFX_OPERAND_DEPCTR_FIELDS] = {
		{"depctr_hold_cnt", 7, 1, 0, 0, FROM(GFX10_3)},
		{"depctr_sa_sdst", 0, 1, 0, 0, FROM(GFX10_1)},
		{"depctr_va_vdst", 12, 4, 0, 0, FROM(GFX10_1)},
		{"depctr_va_sdst", 9, 3, 0, 0, FROM(GFX10_1)},
		{"depctr_va_ssrc", 8, 1, 0, 0, FROM(GFX10_1)},
		{"depctr_va_vcc", 1, 1, 0, 0, FROM(GFX10_1)},
		{"depctr_vm_vsrc", 2, 3, 0, 0, FROM(GFX10_1)},
	};

	return fields;
}

const struct gfx_operand_field *gfx_operand_delay_fields(void)
{
	static const struct gfx_operand_field fields[GFX_OPERAND_DELAY_FIELDS] = {
		{"instid0", 0, 4, 0, 0, FROM(GFX11)},
		{"instskip", 4, 3, 0, 0, FROM(GFX11)},
		{"instid1", 7, 4, 0, 0, FROM(GFX11)},
	};

	return fields;
}

/* The values of a field of s_delay_alu from 0 on. */
static const char *const *delay_names(const struct gfx_operand_field *field, size_t *count_ret)
{
	static const char *const ids[] = {
		"NO_DEP",	 "VALU_DEP_1",	  "VALU_DEP_2",
		"VALU_DEP_3",	 "VALU_DEP_4",	  "TRANS32_DEP_1",
		"TRANS32_DEP_2", "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1",
		"SALU_CYCLE_1",	 "SALU_CYCLE_2",  "SALU_CYCLE_3",
	};
	static const char *const skips[] = {"SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"};

	if (field == &gfx_operand_delay_fields()[1]) {
		*count_ret = GFX_OPERAND_COUNT(skips);
		return skips;
	}
	*count_ret = GFX_OPERAND_COUNT(ids);
	return ids;
}

const char *gfx_operand_delay_name(const struct gfx_operand_field *field, uint32_t value)
{
	size_t count;
	const char *const *names = delay_names(field, &count);

	return value < count ? names[value] : NULL;
}

static bool name_is(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && !memcmp(name, text, length);
}

bool gfx_operand_delay_value(const struct gfx_operand_field *field, const char *name, size_t length,
			     uint32_t *value_ret)
{
	size_t count;
	const char *const *names = delay_names(field, &count);

	for (size_t i = 0; i < count; i++) {
		if (name_is(names[i], name, length)) {
			*value_ret = (uint32_t)i;
			return true;
		}
	}
	return false;
}

static const struct gfx_operand_name messages[] = {
	{"MSG_INTERRUPT", 1, ALL},
	{"MSG_GS", GFX_OPERAND_MESSAGE_GS, UPTO(GFX10_3)},
	{"MSG_GS_DONE", GFX_OPERAND_MESSAGE_GS_DONE, UPTO(GFX10_3)},
	{"MSG_SAVEWAVE", 4, BETWEEN(GFX8, GFX10_3)},
	{"MSG_STALL_WAVE_GEN", 5, BETWEEN(GFX9, GFX11)},
	{"MSG_HALT_WAVES", 6, BETWEEN(GFX9, GFX11)},
	{"MSG_ORDERED_PS_DONE", 7, BETWEEN(GFX9, GFX10_3)},
	{"MSG_EARLY_PRIM_DEALLOC", 8, BETWEEN(GFX9, GFX10_3)},
	{"MSG_GS_ALLOC_REQ", 9, FROM(GFX9)},
	{"MSG_GET_DOORBELL", 10, BETWEEN(GFX9, GFX10_3)},
	{"MSG_GET_DDID", 11, BETWEEN(GFX10_1, GFX10_3)},
	{"MSG_SYSMSG", GFX_OPERAND_MESSAGE_SYSTEM, ALL},
	{"MSG_HS_TESSFACTOR", 2, FROM(GFX11)},
	{"MSG_DEALLOC_VGPRS", 3, FROM(GFX11)},
	{"MSG_RTN_GET_DOORBELL", 128, FROM(GFX11)},
	{"MSG_RTN_GET_DDID", 129, FROM(GFX11)},
	{"MSG_RTN_GET_TMA", 130, FROM(GFX11)},
	{"MSG_RTN_GET_REALTIME", 131, FROM(GFX11)},
	{"MSG_RTN_SAVE_WAVE", 132, FROM(GFX11)},
	{"MSG_RTN_GET_TBA", 133, FROM(GFX11)},
	{"MSG_RTN_GET_TBA_TO_PC", 134, FROM(GFX11)},
	{"MSG_RTN_GET_SE_AID_ID", 135, FROM(GFX12)},
};

/* Names of operations are known in every profile, whatever messages it has. */
static const struct gfx_operand_name gs_operations[] = {
	{"GS_OP_NOP", GFX_OPERAND_GS_NOP, ALL},
	{"GS_OP_CUT", 1, ALL},
	{"GS_OP_EMIT", 2, ALL},
	{"GS_OP_EMIT_CUT", 3, ALL},
};

static const struct gfx_operand_name system_operations[] = {
	{"SYSMSG_OP_ECC_ERR_INTERRUPT", 1, ALL},
	{"SYSMSG_OP_REG_RD", 2, ALL},
	{"SYSMSG_OP_HOST_TRAP_ACK", 3, UPTO(GFX8)},
	{"SYSMSG_OP_TTRACE_PC", 4, ALL},
};

/* A register that has two names is printed by the first. */
static const struct gfx_operand_name hardware_registers[] = {
	{"HW_REG_MODE", 1, ALL},
	{"HW_REG_STATUS", 2, ALL},
	{"HW_REG_TRAPSTS", 3, UPTO(GFX11)},
	{"HW_REG_HW_ID", 4, UPTO(GFX940)},
	{"HW_REG_STATE_PRIV", 4, FROM(GFX12)},
	{"HW_REG_GPR_ALLOC", 5, ALL},
	{"HW_REG_LDS_ALLOC", 6, ALL},
	{"HW_REG_IB_STS", 7, ALL},
	{"HW_REG_PERF_SNAPSHOT_DATA", 10, FROM(GFX12)},
	{"HW_REG_PERF_SNAPSHOT_PC_LO", 11, FROM(GFX12)},
	{"HW_REG_PERF_SNAPSHOT_PC_HI", 12, FROM(GFX12)},
	{"HW_REG_SH_MEM_BASES", 15, BETWEEN(GFX9, GFX11)},
	{"HW_REG_PERF_SNAPSHOT_DATA1", 15, FROM(GFX12)},
	{"HW_REG_TBA_LO", 16, BETWEEN(GFX9, GFX10_3)},
	{"HW_REG_PERF_SNAPSHOT_DATA2", 16, FROM(GFX12)},
	{"HW_REG_TBA_HI", 17, BETWEEN(GFX9, GFX10_3)},
	{"HW_REG_EXCP_FLAG_PRIV", 17, FROM(GFX12)},
	{"HW_REG_TMA_LO", 18, BETWEEN(GFX9, GFX10_3)},
	{"HW_REG_PERF_SNAPSHOT_PC_LO", 18, ONLY(GFX11)},
	{"HW_REG_EXCP_FLAG_USER", 18, FROM(GFX12)},
	{"HW_REG_TMA_HI", 19, BETWEEN(GFX9, GFX10_3)},
	{"HW_REG_PERF_SNAPSHOT_PC_HI", 19, ONLY(GFX11)},
	{"HW_REG_TRAP_CTRL", 19, FROM(GFX12)},
	{"HW_REG_XCC_ID", 20, ONLY(GFX940)},
	{"HW_REG_FLAT_SCR_LO", 20, BETWEEN(GFX10_1, GFX11)},
	{"HW_REG_SCRATCH_BASE_LO", 20, FROM(GFX12)},
	{"HW_REG_SQ_PERF_SNAPSHOT_DATA", 21, ONLY(GFX940)},
	{"HW_REG_FLAT_SCR_HI", 21, BETWEEN(GFX10_1, GFX11)},
	{"HW_REG_SCRATCH_BASE_HI", 21, FROM(GFX12)},
	{"HW_REG_SQ_PERF_SNAPSHOT_DATA1", 22, ONLY(GFX940)},
	{"HW_REG_XNACK_MASK", 22, ONLY(GFX10_1)},
	{"HW_REG_SQ_PERF_SNAPSHOT_PC_LO", 23, ONLY(GFX940)},
	{"HW_REG_HW_ID1", 23, FROM(GFX10_1)},
	{"HW_REG_HW_ID", 23, BETWEEN(GFX10_1, GFX10_3)},
	{"HW_REG_SQ_PERF_SNAPSHOT_PC_HI", 24, ONLY(GFX940)},
	{"HW_REG_HW_ID2", 24, FROM(GFX10_1)},
	{"HW_REG_POPS_PACKER", 25, BETWEEN(GFX10_1, GFX10_3)},
	{"HW_REG_PERF_SNAPSHOT_DATA", 27, ONLY(GFX11)},
	{"HW_REG_IB_STS2", 28, FROM(GFX12_5)},
	{"HW_REG_SHADER_CYCLES", 29, BETWEEN(GFX10_3, GFX11)},
	{"HW_REG_SHADER_CYCLES_LO", 29, FROM(GFX12)},
	{"HW_REG_SHADER_CYCLES_HI", 30, FROM(GFX12)},
	{"HW_REG_DVGPR_ALLOC_LO", 31, FROM(GFX12)},
	{"HW_REG_DVGPR_ALLOC_HI", 32, FROM(GFX12)},
	{"HW_REG_XNACK_STATE_PRIV", 33, FROM(GFX12_5)},
	{"HW_REG_XNACK_MASK", 34, FROM(GFX12_5)},
};

static const struct {
	const struct gfx_operand_name *names;
	size_t count;
} families[] = {
	[GFX_OPERAND_MESSAGES] = {messages, GFX_OPERAND_COUNT(messages)},
	[GFX_OPERAND_GS_OPERATIONS] = {gs_operations, GFX_OPERAND_COUNT(gs_operations)},
	[GFX_OPERAND_SYSTEM_OPERATIONS] = {system_operations, GFX_OPERAND_COUNT(system_operations)},
	[GFX_OPERAND_HARDWARE_REGISTERS] = {hardware_registers,
					    GFX_OPERAND_COUNT(hardware_registers)},
};

const char *gfx_operand_name_of(enum gfx_operand_family family, enum gfx_operand_profile profile,
				uint32_t value)
{
	for (size_t i = 0; i < families[family].count; i++) {
		const struct gfx_operand_name *name = &families[family].names[i];

		if (name->value == value && gfx_operand_in(name->profiles, profile))
			return name->name;
	}
	return NULL;
}

const struct gfx_operand_name *gfx_operand_find(enum gfx_operand_family family,
						enum gfx_operand_profile profile, const char *name,
						size_t length)
{
	const struct gfx_operand_name *of_others = NULL;

	for (size_t i = 0; i < families[family].count; i++) {
		const struct gfx_operand_name *entry = &families[family].names[i];

		if (!name_is(entry->name, name, length))
			continue;
		if (gfx_operand_in(entry->profiles, profile))
			return entry;
		of_others = entry;
	}
	return of_others;
}

uint32_t gfx_operand_message_limit(enum gfx_operand_profile profile)
{
	return profile >= GFX11 ? 255 : 15;
}

bool gfx_operand_message_is_gs(enum gfx_operand_profile profile, uint32_t message)
{
	return profile < GFX11 &&
	       (message == GFX_OPERAND_MESSAGE_GS || message == GFX_OPERAND_MESSAGE_GS_DONE);
}

bool gfx_operand_message_has_operation(enum gfx_operand_profile profile, uint32_t message)
{
	return message == GFX_OPERAND_MESSAGE_SYSTEM || gfx_operand_message_is_gs(profile, message);
}

bool gfx_operand_message_has_stream(enum gfx_operand_profile profile, uint32_t message,
				    uint32_t operation)
{
	return gfx_operand_message_is_gs(profile, message) && operation != GFX_OPERAND_GS_NOP;
}

bool gfx_operand_operation_fits(enum gfx_operand_profile profile, uint32_t message,
				uint32_t operation)
{
	if (!gfx_operand_message_has_operation(profile, message))
		return operation == 0;
	if (message == GFX_OPERAND_MESSAGE_GS && operation == GFX_OPERAND_GS_NOP)
		return false;
	return gfx_operand_name_of(gfx_operand_operations_of(message), profile, operation);
}

enum gfx_operand_family gfx_operand_operations_of(uint32_t message)
{
	return message == GFX_OPERAND_MESSAGE_SYSTEM ? GFX_OPERAND_SYSTEM_OPERATIONS
						     : GFX_OPERAND_GS_OPERATIONS;
}
