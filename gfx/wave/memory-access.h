/* SPDX-License-Identifier: MIT */
/*
 * Memory instructions (memory-access.c): addresses from operands (address.c), and accesses by lane (lane-access.c). They share this
 * header, so they are a circle in the graph of files; no function calls back up.
 */
#ifndef GFX_WAVE_MEMORY_ACCESS_H
#define GFX_WAVE_MEMORY_ACCESS_H

#include "gfx/wave/context.h"

/* The most bytes that one lane transfers. */
#define GFX_LANE_BYTES 16

/* The values of which an instruction makes its addresses. */
struct gfx_address_inputs {
	uint64_t exec;
	uint64_t base;	      /* scalar base: the pair of a GLOBAL or SMEM, the word of a SCRATCH */
	uint64_t base_offset; /* SMEM: value of the offset register; MUBUF: of the scalar offset */
	uint32_t resource[4]; /* MUBUF: the buffer's descriptor */
	const uint32_t *address; /* planes of the address VGPRs, low words first */
};

/** The size in bytes of a buffer for scalar loads, which read zeros past it. */
uint64_t gfx_buffer_bytes(const struct gfx_instruction *instruction, const uint32_t resource[4]);

/**
 * Find the words of a buffer instruction's lanes, if those of all 64 stand side by side, as private memory has them by a buffer's
 * descriptor: the words after the first 256 bytes further each.
 *
 * @address_ret: of the first lane's word, of which narrow accesses have a part.
 * Return: false if they do not, or are not all in the buffer.
 */
bool gfx_buffer_row(const struct gfx_instruction *instruction,
		    const struct gfx_address_inputs *inputs, uint64_t *address_ret);

/** Whether the lanes' addresses are side by side in local memory, from the bits of m0 that GFX_LANE_ADDRESS_M0 has and the offset on. */
bool gfx_address_is_lane(const struct gfx_instruction *instruction);
#define GFX_LANE_ADDRESS_M0 0xffffU
/** How many address VGPRs an instruction has: 0 to 2. */
uint32_t gfx_address_words(const struct gfx_instruction *instruction);
/** The offset of the first access, in bytes: where there are two, each has its own. */
static inline uint64_t gfx_address_offset(const struct gfx_instruction *instruction)
{
	if (instruction->operation->flags & GFX_PAIR)
		return instruction->pair_offset[0];
	return (uint64_t)instruction->offset;
}

/** The space that its addresses are in. */
enum gfx_access_space gfx_access_space_of(const struct gfx_instruction *instruction);
/** Whether the instruction accesses memory by an address of its operands. */
bool gfx_touches_memory(const struct gfx_instruction *instruction);

/** The addresses of all lanes. For execution and for gfx_decode_access(). */
void gfx_compute_access(const struct gfx_instruction *instruction,
			const struct gfx_address_inputs *inputs, struct gfx_access *access_ret);

/** The same from the registers of a wave, for the vector instruction of a context. */
void gfx_resolve_access(const struct gfx_context *context, struct gfx_access *access);

/* The bytes that all lanes transfer. */
struct gfx_lane_bytes {
	uint8_t lane[GFX_MAX_LANES][GFX_LANE_BYTES];
};

/* The lanes whose access failed, and how the first of them failed. */
struct gfx_access_failure {
	uint64_t lanes;
	enum gfx_step step;
	const char *reason;
	bool outside_local; /* all of them */
};

/** Tell an access that failed. Return: how it failed. */
static inline enum gfx_step gfx_access_report(struct gfx_context *context,
					      const struct gfx_access *access,
					      const struct gfx_access_failure *failure, bool write)
{
	struct gfx_fault *fault = context->fault;

	fault->lanes = failure->lanes;
	fault->address = access->addresses[gfx_first_lane(failure->lanes)];
	fault->write = write;
	fault->outside_local = failure->outside_local;
	fault->reason = failure->reason;
	return failure->step;
}

/** Whether local memory has the bytes of an access. */
static inline bool gfx_in_local(const struct gfx_context *context, uint64_t address, uint32_t size)
{
	const struct gfx_wave *wave = context->wave;
	uint32_t end = wave->lds_size;

	if (context->memory->lenient_local && wave->lds_room > end)
		end = wave->lds_room;
	return address < end && size <= end - address;
}

/** Read the resource descriptor and the scalar offset of a buffer instruction. */
void gfx_read_resource(const struct gfx_context *context, struct gfx_address_inputs *inputs);

/** Read an access into @bytes, part by part; lanes that have no address get zeros. What fails is reported, and is the step that is returned. */
enum gfx_step gfx_read_parts(struct gfx_context *context, const struct gfx_access *access,
			     struct gfx_lane_bytes *bytes);
/** Check whether writing would succeed, without a change. @aligned: addresses must be multiples of the size. */
void gfx_check_lanes(const struct gfx_context *context, const struct gfx_access *access,
		     uint32_t part, bool aligned, struct gfx_access_failure *failure);
/** Write after gfx_check_lanes() has found no failure. */
void gfx_write_lanes(const struct gfx_context *context, const struct gfx_access *access,
		     uint32_t part, const struct gfx_lane_bytes *bytes);
/** Read one lane after gfx_check_lanes(), for read-modify-write. */
void gfx_read_lane(const struct gfx_context *context, const struct gfx_access *access,
		   uint32_t lane, void *data);
/** Write @next where @old was read; false, and nothing done, if somebody else was there first. */
bool gfx_replace_lane(const struct gfx_context *context, const struct gfx_access *access,
		      uint32_t lane, const void *old, const void *next);

/* The values that atomics write (atomics.c). */
gfx_atomic_function gfx_atomic_swap, gfx_atomic_cmpswap, gfx_atomic_add, gfx_atomic_sub;
gfx_atomic_function gfx_atomic_rsub, gfx_atomic_and, gfx_atomic_or, gfx_atomic_xor;
gfx_atomic_function gfx_atomic_umin, gfx_atomic_umax, gfx_atomic_smin32, gfx_atomic_smax32;
gfx_atomic_function gfx_atomic_smin64, gfx_atomic_smax64, gfx_atomic_inc, gfx_atomic_dec;
gfx_atomic_function gfx_atomic_wrap, gfx_atomic_mskor, gfx_atomic_add_f32, gfx_atomic_min_f32;
gfx_atomic_function gfx_atomic_max_f32, gfx_atomic_add_f64, gfx_atomic_min_f64;
gfx_atomic_function gfx_atomic_max_f64, gfx_atomic_pk_add_f16, gfx_atomic_pk_add_bf16;
gfx_atomic_function gfx_atomic_sub_clamp, gfx_atomic_cond_sub;
gfx_atomic_function gfx_atomic_cmpst, gfx_atomic_cmpst_f32, gfx_atomic_cmpst_f64;
gfx_atomic_function gfx_atomic_cmpswap_f32, gfx_atomic_cmpswap_f64, gfx_atomic_condxchg;

/* gfx_operation.execute of vector memory and LDS. */
gfx_execute_function gfx_execute_memory, gfx_execute_transposed;

gfx_execute_function gfx_s_memtime, gfx_s_load, gfx_s_buffer_load, gfx_ds_append;
gfx_execute_function gfx_ds_consume;
gfx_execute_function gfx_ds_gws_init, gfx_ds_gws_barrier;
gfx_execute_function gfx_ds_swizzle_b32, gfx_ds_permute_b32, gfx_ds_bpermute_b32;

#endif /* GFX_WAVE_MEMORY_ACCESS_H */
