/* SPDX-License-Identifier: MIT */
/* The mnemonics of gfx10 to gfx12 mean an operation of the tables of gfx942, or one of the few here. */
#include <stdio.h>
#include <string.h>

#include "gfx/alu/operations.h"
#include "gfx/alu/scalar.h"
#include "gfx/isa/tables.h"
#include "gfx/isa/translate.h"
#include "gfx/wave/memory-access.h"

/* clang-format off */

#define SCALAR(operation, function, d, a, b, flag)                                                 \
	{                                                                                          \
		.name = #operation, .execute = gfx_execute_scalar, .scalar = gfx_s_##function,     \
		.dst = GFX_##d, .src = {GFX_##a, GFX_##b}, .flags = (flag)                         \
	}
#define SCALAR_LOAD(operation, bytes, flag)                                                        \
	{                                                                                          \
		.name = #operation, .execute = gfx_s_load, .memory = GFX_MEMORY_LOAD,              \
		.size = (bytes), .flags = (flag)                                                   \
	}

/* Operations that gfx942 has not. Those that save exec have results of 32 lanes only where all above are 0. */
static const struct gfx_operation own_sop1[] = {
	SCALAR(s_and_saveexec_b32, and_saveexec, B32, B32, NONE, 0),
	SCALAR(s_or_saveexec_b32, or_saveexec, B32, B32, NONE, 0),
	SCALAR(s_xor_saveexec_b32, xor_saveexec, B32, B32, NONE, 0),
	SCALAR(s_andn2_saveexec_b32, andn2_saveexec, B32, B32, NONE, 0),
	SCALAR(s_andn1_saveexec_b32, andn1_saveexec, B32, B32, NONE, 0),
	SCALAR(s_andn1_wrexec_b32, andn1_wrexec, B32, B32, NONE, 0),
	SCALAR(s_andn2_wrexec_b32, andn2_wrexec, B32, B32, NONE, 0),
};

static const struct gfx_operation own_sop2[] = {
	SCALAR(s_add_nc_u64, add_nc_u64, B64, B64, B64, 0),
	SCALAR(s_sub_nc_u64, sub_nc_u64, B64, B64, B64, 0),
	SCALAR(s_mul_u64, mul_u64, B64, B64, B64, 0),
};

static const struct gfx_operation own_smem[] = {
	SCALAR_LOAD(s_load_b96, 12, 0),
	SCALAR_LOAD(s_load_u8, 1, 0),
	SCALAR_LOAD(s_load_i8, 1, GFX_SIGNED),
	SCALAR_LOAD(s_load_u16, 2, 0),
	SCALAR_LOAD(s_load_i16, 2, GFX_SIGNED),
};

static const struct own {
	const struct gfx_operation *operations;
	size_t count;
	enum gfx_encoding encoding;
} own_tables[] = {
	{own_sop1, sizeof(own_sop1) / sizeof(own_sop1[0]), GFX_SOP1},
	{own_sop2, sizeof(own_sop2) / sizeof(own_sop2[0]), GFX_SOP2},
	{own_smem, sizeof(own_smem) / sizeof(own_smem[0]), GFX_SMEM},
};

struct pair {
	const char *later, *name;
};

/* New names of old operations. Where the sources changed their order, the result has to be unknown: see below. */
static const struct pair renamed[] = {
	{"s_and_not1_b32", "s_andn2_b32"}, {"s_and_not1_b64", "s_andn2_b64"},
	{"s_or_not1_b32", "s_orn2_b32"}, {"s_or_not1_b64", "s_orn2_b64"},
	{"s_and_not1_saveexec_b32", "s_andn2_saveexec_b32"}, {"s_and_not1_saveexec_b64", "s_andn2_saveexec_b64"},
	{"s_and_not0_saveexec_b32", "s_andn1_saveexec_b32"}, {"s_and_not0_saveexec_b64", "s_andn1_saveexec_b64"},
	{"s_or_not1_saveexec_b64", "s_orn2_saveexec_b64"}, {"s_or_not0_saveexec_b64", "s_orn1_saveexec_b64"},
	{"s_and_not0_wrexec_b32", "s_andn1_wrexec_b32"}, {"s_and_not0_wrexec_b64", "s_andn1_wrexec_b64"},
	{"s_and_not1_wrexec_b32", "s_andn2_wrexec_b32"}, {"s_and_not1_wrexec_b64", "s_andn2_wrexec_b64"},
	{"s_ctz_i32_b32", "s_ff1_i32_b32"}, {"s_ctz_i32_b64", "s_ff1_i32_b64"},
	{"s_clz_i32_u32", "s_flbit_i32_b32"}, {"s_clz_i32_u64", "s_flbit_i32_b64"},
	{"s_cls_i32", "s_flbit_i32"}, {"s_cls_i32_i64", "s_flbit_i32_i64"},
	{"s_add_co_u32", "s_add_u32"}, {"s_sub_co_u32", "s_sub_u32"},
	{"s_add_co_i32", "s_add_i32"}, {"s_sub_co_i32", "s_sub_i32"},
	{"s_add_co_ci_u32", "s_addc_u32"}, {"s_sub_co_ci_u32", "s_subb_u32"}, {"s_addk_co_i32", "s_addk_i32"},
	{"s_barrier_wait", "s_barrier"},
	{"s_load_b32", "s_load_dword"}, {"s_load_b64", "s_load_dwordx2"}, {"s_load_b128", "s_load_dwordx4"},
	{"s_load_b256", "s_load_dwordx8"}, {"s_load_b512", "s_load_dwordx16"},
	{"v_add_nc_u32", "v_add_u32"}, {"v_sub_nc_u32", "v_sub_u32"}, {"v_subrev_nc_u32", "v_subrev_u32"},
	{"v_add_nc_i32", "v_add_i32"}, {"v_sub_nc_i32", "v_sub_i32"}, {"v_add_nc_u16", "v_add_u16"},
	{"v_sub_nc_u16", "v_sub_u16"}, {"v_add_nc_i16", "v_add_i16"}, {"v_sub_nc_i16", "v_sub_i16"},
	{"v_add_co_ci_u32", "v_addc_co_u32"}, {"v_sub_co_ci_u32", "v_subb_co_u32"},
	{"v_subrev_co_ci_u32", "v_subbrev_co_u32"},
	{"v_mad_co_u64_u32", "v_mad_u64_u32"}, {"v_mad_co_i64_i32", "v_mad_i64_i32"},
	{"v_clz_i32_u32", "v_ffbh_u32"}, {"v_ctz_i32_b32", "v_ffbl_b32"}, {"v_cls_i32", "v_ffbh_i32"},
	{"v_cvt_floor_i32_f32", "v_cvt_flr_i32_f32"}, {"v_cvt_nearest_i32_f32", "v_cvt_rpi_i32_f32"},
	{"v_cvt_pk_rtz_f16_f32", "v_cvt_pkrtz_f16_f32"},
	{"v_min_num_f32", "v_min_f32"}, {"v_max_num_f32", "v_max_f32"}, {"v_min_num_f64", "v_min_f64"},
	{"v_max_num_f64", "v_max_f64"}, {"v_min_num_f16", "v_min_f16"}, {"v_max_num_f16", "v_max_f16"},
	{"v_fmaak_f32", "v_fma_f32"}, {"v_fmamk_f32", "v_fma_f32"},
	{"ds_load_b32", "ds_read_b32"}, {"ds_load_b64", "ds_read_b64"}, {"ds_load_b96", "ds_read_b96"},
	{"ds_load_b128", "ds_read_b128"}, {"ds_load_u8", "ds_read_u8"}, {"ds_load_i8", "ds_read_i8"},
	{"ds_load_u16", "ds_read_u16"}, {"ds_load_i16", "ds_read_i16"}, {"ds_load_u8_d16", "ds_read_u8_d16"},
	{"ds_load_u8_d16_hi", "ds_read_u8_d16_hi"}, {"ds_load_i8_d16", "ds_read_i8_d16"},
	{"ds_load_i8_d16_hi", "ds_read_i8_d16_hi"}, {"ds_load_u16_d16", "ds_read_u16_d16"},
	{"ds_load_u16_d16_hi", "ds_read_u16_d16_hi"},
	{"ds_store_b8", "ds_write_b8"}, {"ds_store_b16", "ds_write_b16"}, {"ds_store_b32", "ds_write_b32"},
	{"ds_store_b64", "ds_write_b64"}, {"ds_store_b96", "ds_write_b96"}, {"ds_store_b128", "ds_write_b128"},
	{"ds_store_b8_d16_hi", "ds_write_b8_d16_hi"}, {"ds_store_b16_d16_hi", "ds_write_b16_d16_hi"},
	{"ds_load_2addr_b32", "ds_read2_b32"}, {"ds_load_2addr_b64", "ds_read2_b64"},
	{"ds_load_2addr_stride64_b32", "ds_read2st64_b32"}, {"ds_load_2addr_stride64_b64", "ds_read2st64_b64"},
	{"ds_store_2addr_b32", "ds_write2_b32"}, {"ds_store_2addr_b64", "ds_write2_b64"},
	{"ds_store_2addr_stride64_b32", "ds_write2st64_b32"}, {"ds_store_2addr_stride64_b64", "ds_write2st64_b64"},
	{"ds_storexchg_rtn_b32", "ds_wrxchg_rtn_b32"}, {"ds_storexchg_rtn_b64", "ds_wrxchg_rtn_b64"},
	/* The two data operands changed places; what atomics compute is not looked at. */
	{"ds_cmpstore_b32", "ds_cmpst_b32"}, {"ds_cmpstore_b64", "ds_cmpst_b64"},
	{"ds_cmpstore_rtn_b32", "ds_cmpst_rtn_b32"}, {"ds_cmpstore_rtn_b64", "ds_cmpst_rtn_b64"},
};

/* Behind "global_", "flat_", "scratch_" and "buffer_". */
static const struct pair memory_renamed[] = {
	{"load_b32", "load_dword"}, {"load_b64", "load_dwordx2"}, {"load_b96", "load_dwordx3"},
	{"load_b128", "load_dwordx4"}, {"load_u8", "load_ubyte"}, {"load_i8", "load_sbyte"},
	{"load_u16", "load_ushort"}, {"load_i16", "load_sshort"}, {"load_d16_u8", "load_ubyte_d16"},
	{"load_d16_hi_u8", "load_ubyte_d16_hi"}, {"load_d16_i8", "load_sbyte_d16"},
	{"load_d16_hi_i8", "load_sbyte_d16_hi"}, {"load_d16_b16", "load_short_d16"},
	{"load_d16_hi_b16", "load_short_d16_hi"}, {"store_b8", "store_byte"}, {"store_b16", "store_short"},
	{"store_b32", "store_dword"}, {"store_b64", "store_dwordx2"}, {"store_b96", "store_dwordx3"},
	{"store_b128", "store_dwordx4"}, {"store_d16_hi_b8", "store_byte_d16_hi"},
	{"store_d16_hi_b16", "store_short_d16_hi"},
	{"atomic_swap_b32", "atomic_swap"}, {"atomic_cmpswap_b32", "atomic_cmpswap"},
	{"atomic_add_u32", "atomic_add"}, {"atomic_sub_u32", "atomic_sub"}, {"atomic_min_i32", "atomic_smin"},
	{"atomic_min_u32", "atomic_umin"}, {"atomic_max_i32", "atomic_smax"}, {"atomic_max_u32", "atomic_umax"},
	{"atomic_and_b32", "atomic_and"}, {"atomic_or_b32", "atomic_or"}, {"atomic_xor_b32", "atomic_xor"},
	{"atomic_inc_u32", "atomic_inc"}, {"atomic_dec_u32", "atomic_dec"},
	{"atomic_swap_b64", "atomic_swap_x2"}, {"atomic_cmpswap_b64", "atomic_cmpswap_x2"},
	{"atomic_add_u64", "atomic_add_x2"}, {"atomic_sub_u64", "atomic_sub_x2"},
	{"atomic_min_i64", "atomic_smin_x2"}, {"atomic_min_u64", "atomic_umin_x2"},
	{"atomic_max_i64", "atomic_smax_x2"}, {"atomic_max_u64", "atomic_umax_x2"},
	{"atomic_and_b64", "atomic_and_x2"}, {"atomic_or_b64", "atomic_or_x2"}, {"atomic_xor_b64", "atomic_xor_x2"},
	{"atomic_inc_u64", "atomic_inc_x2"}, {"atomic_dec_u64", "atomic_dec_x2"},
};

/* No register changes but hardware's own, of which floats alone depend. Ends with '*': all names that begin so. */
static const char *const nothing[] = {
	"s_nop", "s_waitcnt*", "s_wait_*", "s_delay_alu", "s_clause", "s_sendmsg", "s_sleep", "s_sleep_var", "s_setprio",
	"s_inst_prefetch", "s_set_inst_prefetch_distance", "s_prefetch_*", "s_round_mode", "s_denorm_mode", "s_setreg_*",
	"s_icache_inv", "s_dcache_inv", "s_dcache_wb", "s_gl1_inv", "s_version", "s_wakeup", "s_incperflevel",
	"s_decperflevel", "s_ttracedata*", "s_barrier_signal", "buffer_gl0_inv", "buffer_gl1_inv", "global_inv",
	"global_wb", "global_wbinv", "v_nop",
};

/* Floats in scalar registers, what comes from elsewhere, what other lanes have, and halves of registers. */
static const char *const unknown_results[] = {
	"s_getreg_b32", "s_sendmsg_rtn_*", "s_get_waveid_in_workgroup", "s_memtime", "s_memrealtime",
	"s_add_f32", "s_sub_f32", "s_mul_f32", "s_min_num_f32", "s_max_num_f32", "s_min_f32", "s_max_f32", "s_fmac_f32",
	"s_fmaak_f32", "s_fmamk_f32", "s_cvt_f32_i32", "s_cvt_f32_u32", "s_cvt_i32_f32", "s_cvt_u32_f32", "s_ceil_f32",
	"s_floor_f32", "s_trunc_f32", "s_rndne_f32", "v_s_*", "v_permlane*", "v_cndmask_b16", "v_mov_b16", "v_and_b16",
	"v_or_b16", "v_xor_b16", "v_not_b16", "v_xor3_b32", "v_mad_u32_u16", "v_mad_i32_i16", "ds_bpermute_b32",
	"ds_permute_b32", "ds_swizzle_b32",
};

/* clang-format on */

static bool is_one_of(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(list[i]);

		if (list[i][length - 1] == '*' ? !strncmp(name, list[i], length - 1)
					       : !strcmp(name, list[i]))
			return true;
	}
	return false;
}

static const char *rename_by(const char *name, const struct pair *pairs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(name, pairs[i].later))
			return pairs[i].name;
	return name;
}

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* The name that gfx942 has for it. */
static void rename_later(const char *name, char renamed_ret[GFX_LATER_NAME])
{
	static const char *const segments[] = {"global_", "flat_", "scratch_", "buffer_"};

	for (size_t i = 0; i < COUNT(segments); i++) {
		size_t length = strlen(segments[i]);

		if (strncmp(name, segments[i], length))
			continue;
		snprintf(renamed_ret, GFX_LATER_NAME, "%s%s", segments[i],
			 rename_by(name + length, memory_renamed, COUNT(memory_renamed)));
		return;
	}
	snprintf(renamed_ret, GFX_LATER_NAME, "%s", rename_by(name, renamed, COUNT(renamed)));
}

/* The long form says in full what the short ones imply. */
static enum gfx_encoding long_encoding(enum gfx_encoding encoding)
{
	return encoding == GFX_VOP1 || encoding == GFX_VOP2 || encoding == GFX_VOPC ? GFX_VOP3E
										    : encoding;
}

static const struct gfx_operation *find_name(const struct gfx_operation *operations, size_t count,
					     const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (operations[i].name && !strcmp(operations[i].name, name))
			return &operations[i];
	return NULL;
}

static const struct gfx_operation *find_operation(const char *name, enum gfx_encoding *encoding_ret)
{
	const struct gfx_operation *found = NULL;

	for (size_t i = 0; i < COUNT(own_tables) && !found; i++) {
		found = find_name(own_tables[i].operations, own_tables[i].count, name);
		*encoding_ret = own_tables[i].encoding;
	}
	for (size_t i = 0; i < GFX942_ENCODING_COUNT && !found; i++) {
		const struct gfx_encoding_row *row = &gfx942_encodings[i];

		if (row->encoding == GFX_MAI)
			continue;
		found = find_name(row->operations, row->operation_count, name);
		*encoding_ret = long_encoding(row->encoding);
	}
	return found;
}

/* Operations that are not what the same name means here: a buffer's descriptor, indexed registers, literals behind. */
static bool means_another(const struct gfx_architecture *architecture,
			  const struct gfx_operation *operation, enum gfx_encoding encoding)
{
	if (encoding == GFX_MUBUF || operation->flags & GFX_RESOURCE)
		return architecture->generation != GFX_GENERATION_10 ||
		       operation->flags & GFX_RESOURCE;
	return operation->flags & (GFX_LITERAL_K | GFX_LITERAL_K_ADD | GFX_SRC_AGPR | GFX_DST_AGPR |
				   GFX_DS_FIELDS) ||
	       !strncmp(operation->name, "s_set_gpr_idx", 13) ||
	       !strncmp(operation->name, "s_movrel", 8) ||
	       !strncmp(operation->name, "s_cbranch_cdbg", 14);
}

struct gfx_later gfx_later_find(const struct gfx_architecture *architecture, const char *name)
{
	struct gfx_later later = {.kind = GFX_LATER_UNKNOWN};
	char found[GFX_LATER_NAME];

	if (is_one_of(name, nothing, COUNT(nothing)))
		later.kind = GFX_LATER_NOTHING;
	/* A message that has an answer begins like one that does nothing. */
	if (is_one_of(name, unknown_results, COUNT(unknown_results)))
		later.kind = GFX_LATER_RESULT_UNKNOWN;
	if (later.kind != GFX_LATER_UNKNOWN)
		return later;
	rename_later(name, found);
	later.operation = find_operation(found, &later.encoding);
	if (later.operation && !means_another(architecture, later.operation, later.encoding))
		later.kind = GFX_LATER_SAME;
	return later;
}
