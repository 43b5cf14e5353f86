/* SPDX-License-Identifier: MIT */
#include "gfx/isa/flow.h"

#include <string.h>

/* By what is computed, which all generations name alike: without width where the name of a scalar operation has none. */
static const struct {
	const char *computes;
	enum gfx_flow flow;
} flows[] = {
	{"s_mov", GFX_FLOW_MOVE},
	{"v_mov_b32", GFX_FLOW_MOVE},
	{"v_mov_b64", GFX_FLOW_MOVE},
	{"v_readfirstlane_b32", GFX_FLOW_MOVE},
	{"s_cselect", GFX_FLOW_CHOICE},
	{"v_cndmask_b32", GFX_FLOW_CHOICE},
	{"s_xor", GFX_FLOW_XOR},
	{"s_xnor", GFX_FLOW_XOR},
	{"s_not", GFX_FLOW_XOR},
	{"v_xor_b32", GFX_FLOW_XOR},
	{"v_xor3_b32", GFX_FLOW_XOR},
	{"v_xnor_b32", GFX_FLOW_XOR},
	{"v_not_b32", GFX_FLOW_XOR},
	{"s_add_u32", GFX_FLOW_SUM},
	{"s_add_i32", GFX_FLOW_SUM},
	{"s_addc_u32", GFX_FLOW_SUM},
	{"s_add_nc_u64", GFX_FLOW_SUM},
	{"v_add_u32", GFX_FLOW_SUM},
	{"v_add_i32", GFX_FLOW_SUM},
	{"v_add_u16", GFX_FLOW_SUM},
	{"v_add_co_u32", GFX_FLOW_SUM},
	{"v_addc_co_u32", GFX_FLOW_SUM},
	{"v_add3_u32", GFX_FLOW_SUM},
	{"s_sub_u32", GFX_FLOW_DIFFERENCE},
	{"s_sub_i32", GFX_FLOW_DIFFERENCE},
	{"s_subb_u32", GFX_FLOW_DIFFERENCE},
	{"s_sub_nc_u64", GFX_FLOW_DIFFERENCE},
	{"v_sub_u32", GFX_FLOW_DIFFERENCE},
	{"v_sub_i32", GFX_FLOW_DIFFERENCE},
	{"v_sub_u16", GFX_FLOW_DIFFERENCE},
	{"v_sub_co_u32", GFX_FLOW_DIFFERENCE},
	{"v_subb_co_u32", GFX_FLOW_DIFFERENCE},
	{"v_subrev_u32", GFX_FLOW_REVERSED},
	{"v_subrev_u16", GFX_FLOW_REVERSED},
	{"v_subrev_co_u32", GFX_FLOW_REVERSED},
	{"v_subbrev_co_u32", GFX_FLOW_REVERSED},
	{"s_mul_i32", GFX_FLOW_PRODUCT},
	{"s_mul_u64", GFX_FLOW_PRODUCT},
	{"v_mul_lo_u32", GFX_FLOW_PRODUCT},
	{"v_mul_lo_u16", GFX_FLOW_PRODUCT},
	{"s_mul_hi_u32", GFX_FLOW_PRODUCT_HIGH},
	{"s_mul_hi_i32", GFX_FLOW_PRODUCT_HIGH},
	{"v_mul_hi_u32", GFX_FLOW_PRODUCT_HIGH},
	{"v_mul_hi_i32", GFX_FLOW_PRODUCT_HIGH},
	{"v_mul_u32_u24", GFX_FLOW_PRODUCT_24},
	{"v_mul_i32_i24", GFX_FLOW_PRODUCT_24},
	{"v_mul_hi_u32_u24", GFX_FLOW_PRODUCT_24},
	{"v_mul_hi_i32_i24", GFX_FLOW_PRODUCT_24},
	{"v_mad_u32_u24", GFX_FLOW_PRODUCT_24_SUM},
	{"v_mad_i32_i24", GFX_FLOW_PRODUCT_24_SUM},
	{"v_mad_u64_u32", GFX_FLOW_PRODUCT_SUM},
	{"v_mad_i64_i32", GFX_FLOW_PRODUCT_SUM},
	{"s_and", GFX_FLOW_AND},
	{"v_and_b32", GFX_FLOW_AND},
	{"s_or", GFX_FLOW_OR},
	{"v_or_b32", GFX_FLOW_OR},
	{"v_or3_b32", GFX_FLOW_OR},
	{"v_and_or_b32", GFX_FLOW_AND_OR},
	{"s_lshl_b32", GFX_FLOW_LEFT},
	{"s_lshl_b64", GFX_FLOW_LEFT},
	{"v_lshlrev_b32", GFX_FLOW_LEFT},
	{"v_lshlrev_b64", GFX_FLOW_LEFT},
	{"s_lshr_b32", GFX_FLOW_RIGHT},
	{"s_lshr_b64", GFX_FLOW_RIGHT},
	{"v_lshrrev_b32", GFX_FLOW_RIGHT},
	{"v_lshrrev_b64", GFX_FLOW_RIGHT},
	{"s_ashr_i32", GFX_FLOW_RIGHT_SIGNED},
	{"s_ashr_i64", GFX_FLOW_RIGHT_SIGNED},
	{"v_ashrrev_i32", GFX_FLOW_RIGHT_SIGNED},
	{"v_ashrrev_i64", GFX_FLOW_RIGHT_SIGNED},
	{"v_lshl_add_u32", GFX_FLOW_LEFT_ADD},
	{"v_lshl_add_u64", GFX_FLOW_LEFT_ADD},
	{"v_lshl_or_b32", GFX_FLOW_LEFT_OR},
	{"v_add_lshl_u32", GFX_FLOW_ADD_LEFT},
	{"v_xad_u32", GFX_FLOW_XOR_ADD},
	{"v_bfe_u32", GFX_FLOW_EXTRACT},
	{"v_bfe_i32", GFX_FLOW_EXTRACT_SIGNED},
	{"s_bfe_u32", GFX_FLOW_SCATTER},
	{"s_bfe_i32", GFX_FLOW_SCATTER},
	{"s_bfe_u64", GFX_FLOW_SCATTER},
	{"s_bfe_i64", GFX_FLOW_SCATTER},
	{"s_bfm_b32", GFX_FLOW_SCATTER},
	{"s_bfm_b64", GFX_FLOW_SCATTER},
	{"v_bfi_b32", GFX_FLOW_SCATTER},
	{"v_bfm_b32", GFX_FLOW_SCATTER},
	{"v_bfrev_b32", GFX_FLOW_SCATTER},
	{"v_alignbit_b32", GFX_FLOW_SCATTER},
	{"v_alignbyte_b32", GFX_FLOW_SCATTER},
	{"v_perm_b32", GFX_FLOW_SCATTER},
	{"s_sext_i32_i8", GFX_FLOW_EXTEND_8},
	{"s_sext_i32_i16", GFX_FLOW_EXTEND_16},
	{"v_cvt_f32_u32", GFX_FLOW_FLOAT},
	{"v_cvt_f32_i32", GFX_FLOW_FLOAT},
	{"v_cvt_f64_f32", GFX_FLOW_FLOAT},
	{"v_cvt_f64_u32", GFX_FLOW_FLOAT},
	{"v_cvt_f64_i32", GFX_FLOW_FLOAT},
	{"v_cvt_i32_f32", GFX_FLOW_FLOAT},
	{"v_cvt_i32_f64", GFX_FLOW_FLOAT},
	{"v_cvt_u32_f32", GFX_FLOW_FLOAT},
	{"v_cvt_u32_f64", GFX_FLOW_FLOAT},
	{"v_add_f32", GFX_FLOW_FLOAT},
	{"v_add_f64", GFX_FLOW_FLOAT},
	{"v_sub_f32", GFX_FLOW_FLOAT},
	{"v_subrev_f32", GFX_FLOW_FLOAT},
	{"v_mul_f32", GFX_FLOW_FLOAT},
	{"v_mul_f64", GFX_FLOW_FLOAT},
	{"v_fma_f32", GFX_FLOW_FLOAT},
	{"v_fma_f64", GFX_FLOW_FLOAT},
	{"v_max_f32", GFX_FLOW_FLOAT},
	{"v_max_f64", GFX_FLOW_FLOAT},
	{"v_min_f32", GFX_FLOW_FLOAT},
	{"v_min_f64", GFX_FLOW_FLOAT},
};

/* "s_cmp_eq" is for any width and sign; all others say the type of what they compare. */
static enum gfx_flow comparison_flow(const char *name)
{
	const char *condition = name + strlen("s_cmp_");
	const char *type = strchr(condition, '_');

	if (type && strcmp(type, "_u32") != 0 && strcmp(type, "_i32") != 0 &&
	    strcmp(type, "_u64") != 0 && strcmp(type, "_i64") != 0)
		return GFX_FLOW_OTHER;
	if (!strncmp(condition, "eq", 2) || !strncmp(condition, "ne", 2) ||
	    !strncmp(condition, "lg", 2))
		return GFX_FLOW_EQUAL;
	return type && type == condition + 2 ? GFX_FLOW_ORDER : GFX_FLOW_OTHER;
}

enum gfx_flow gfx_operation_flow(const struct gfx_operation *operation)
{
	const char *name = gfx_computes(operation);

	if (!strncmp(name, "s_cmp_", 6) || !strncmp(name, "v_cmp_", 6))
		return comparison_flow(name);
	for (size_t i = 0; i < sizeof(flows) / sizeof(flows[0]); i++)
		if (!strcmp(name, flows[i].computes))
			return flows[i].flow;
	return GFX_FLOW_OTHER;
}
