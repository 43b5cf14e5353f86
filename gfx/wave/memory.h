/* SPDX-License-Identifier: MIT */
/* Inside memory instructions: addresses from operands, and access by lane. */
#ifndef GFX_WAVE_MEMORY_H
#define GFX_WAVE_MEMORY_H

#include "gfx/wave/context.h"

/* Bytes that one lane can move. */
#define GFX_LANE_BYTES 16

/* The register values an address is made of, wherever they come from. */
struct gfx_address_inputs {
	uint64_t exec;
	uint64_t base;	      /* scalar base: the pair of a GLOBAL or SMEM, the word of a SCRATCH */
	uint64_t base_offset; /* SMEM: value of the offset register; MUBUF: of the scalar offset */
	uint32_t resource[4]; /* MUBUF: the buffer's descriptor */
	const uint32_t *address; /* planes of the address VGPRs, low words first */
};

/** Bytes of a buffer that a scalar load may read; past them it gets zeros. */
uint64_t gfx_buffer_bytes(const uint32_t resource[4]);

/** How many address VGPRs (0 to 2) and whether a scalar base takes part. */
uint32_t gfx_address_words(const struct gfx_instruction *instruction);
/** Does the instruction touch memory at all, by an address of its own? */
bool gfx_touches_memory(const struct gfx_instruction *instruction);

/** Addresses of every lane; shared by execution and gfx_decode_access(). */
void gfx_compute_access(const struct gfx_instruction *instruction,
			const struct gfx_address_inputs *inputs, struct gfx_access *access_ret);

/* The bytes of all lanes, each lane's in a row. */
struct gfx_lane_bytes {
	uint8_t lane[GFX_MAX_LANES][GFX_LANE_BYTES];
};

/* Lanes that could not be accessed, and how the first of them failed. */
struct gfx_access_failure {
	uint64_t lanes;
	enum gfx_step step;
	const char *reason;
};

/** The descriptor and the scalar offset of a buffer instruction. */
void gfx_read_resource(const struct gfx_context *context, struct gfx_address_inputs *inputs);

/** Read part @part of an access into @bytes at offset @part * size. */
void gfx_read_lanes(const struct gfx_context *context, const struct gfx_access *access,
		    uint32_t part, struct gfx_lane_bytes *bytes,
		    struct gfx_access_failure *failure);
/** Would writing succeed? Nothing changes. @aligned: lanes must be aligned to the size. */
void gfx_check_lanes(const struct gfx_context *context, const struct gfx_access *access,
		     uint32_t part, bool aligned, struct gfx_access_failure *failure);
/** Write; to be called after gfx_check_lanes() found no failure. */
void gfx_write_lanes(const struct gfx_context *context, const struct gfx_access *access,
		     uint32_t part, const struct gfx_lane_bytes *bytes);
/** One lane alone, for read-modify-write; checked before. */
void gfx_read_lane(const struct gfx_context *context, const struct gfx_access *access,
		   uint32_t lane, void *data);
void gfx_write_lane(const struct gfx_context *context, const struct gfx_access *access,
		    uint32_t lane, const void *data);
/** Write @next where @old was read; false, and nothing done, if somebody else was there first. */
bool gfx_replace_lane(const struct gfx_context *context, const struct gfx_access *access,
		      uint32_t lane, const void *old, const void *next);

/* New values of atomics (atomics.c). */
gfx_atomic_function gfx_atomic_swap, gfx_atomic_cmpswap, gfx_atomic_add, gfx_atomic_sub;
gfx_atomic_function gfx_atomic_rsub, gfx_atomic_and, gfx_atomic_or, gfx_atomic_xor;
gfx_atomic_function gfx_atomic_umin, gfx_atomic_umax, gfx_atomic_smin32, gfx_atomic_smax32;
gfx_atomic_function gfx_atomic_smin64, gfx_atomic_smax64, gfx_atomic_inc, gfx_atomic_dec;
gfx_atomic_function gfx_atomic_wrap, gfx_atomic_mskor, gfx_atomic_add_f32, gfx_atomic_min_f32;
gfx_atomic_function gfx_atomic_max_f32, gfx_atomic_add_f64, gfx_atomic_min_f64;
gfx_atomic_function gfx_atomic_max_f64, gfx_atomic_pk_add_f16, gfx_atomic_pk_add_bf16;
gfx_atomic_function gfx_atomic_cmpst, gfx_atomic_cmpst_f32, gfx_atomic_cmpst_f64;

/* The `execute` of the rows of vector memory and LDS. */
gfx_execute_function gfx_execute_memory;

gfx_execute_function gfx_s_memtime, gfx_s_load, gfx_s_buffer_load, gfx_ds_append;
gfx_execute_function gfx_ds_consume;
gfx_execute_function gfx_ds_swizzle_b32, gfx_ds_permute_b32, gfx_ds_bpermute_b32;

#endif /* GFX_WAVE_MEMORY_H */
