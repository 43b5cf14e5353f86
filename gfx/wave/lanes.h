/* SPDX-License-Identifier: MIT */
/*
 * Macros to write vector operations: one statement for a lane, which the macro puts in a loop over all lanes. The loops
 * have no branches and a fixed count, so that compilers make SIMD code of most of them.
 */
#ifndef GFX_WAVE_LANES_H
#define GFX_WAVE_LANES_H

#include <string.h>

#include "gfx/wave/context.h"

/*
 * The attribute of functions with loops over lanes. Compilers make two of each: for hosts of AVX2 (of AMD from 2015 on, of
 * Intel from 2013 on) and for any; which one it is, is settled when the program is loaded. The results are the same. Sanitizers,
 * which are not up by then, C libraries that do not settle such things, and compilers that make no two (the build looks) have the one for any host.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GFX_ONE_HOST
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
	__has_feature(memory_sanitizer)
#define GFX_ONE_HOST
#endif
#endif
#if defined(GFX_LANE_TARGET) && defined(__GLIBC__) && !defined(GFX_ONE_HOST)
#define GFX_LANE_LOOPS __attribute__((target_clones("default", GFX_LANE_TARGET)))
#else
#define GFX_LANE_LOOPS
#endif

/** Copy the words of @lanes from one plane to another. */
void gfx_commit_lanes(uint32_t *to, const uint32_t *from, uint64_t lanes);

static inline float gfx_f32(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static inline uint32_t gfx_f32_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline double gfx_f64(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static inline uint64_t gfx_f64_bits(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline uint64_t gfx_wide(const uint32_t *planes, uint32_t lane)
{
	return planes[lane] | (uint64_t)planes[lane + GFX_MAX_LANES] << 32;
}

static inline void gfx_set_wide(uint32_t *planes, uint32_t lane, uint64_t value)
{
	planes[lane] = (uint32_t)value;
	planes[lane + GFX_MAX_LANES] = (uint32_t)(value >> 32);
}

static inline bool gfx_f32_is_nan(uint32_t bits)
{
	return (bits & 0x7fffffff) > 0x7f800000;
}

static inline bool gfx_f64_is_nan(uint64_t bits)
{
	return (bits & INT64_MAX) > UINT64_C(0x7ff0000000000000);
}

static inline float gfx_without_denormals(float value)
{
	uint32_t bits = gfx_f32_bits(value);

	return bits & 0x7f800000 ? value : gfx_f32(bits & 0x80000000);
}

/* Rounding modes, with the values of the mode register's fields. */
enum gfx_round {
	GFX_ROUND_NEAREST,
	GFX_ROUND_UP,
	GFX_ROUND_DOWN,
	GFX_ROUND_ZERO,
};

static inline enum gfx_round gfx_round_single(uint32_t mode)
{
	return (enum gfx_round)(mode & 3);
}

static inline enum gfx_round gfx_round_double(uint32_t mode)
{
	return (enum gfx_round)(mode >> 2 & 3);
}

/* Inputs and outputs of the current lane, for use in GFX_VECTOR and GFX_COMPARE. */
#define A (a_[lane])
#define B (b_[lane])
#define C (c_[lane])
#define AW gfx_wide(a_, lane)
#define BW gfx_wide(b_, lane)
#define CW gfx_wide(c_, lane)
#define AS ((int32_t)A)
#define BS ((int32_t)B)
#define CS ((int32_t)C)
#define AF gfx_f32(A)
#define BF gfx_f32(B)
#define CF gfx_f32(C)
#define AD gfx_f64(AW)
#define BD gfx_f64(BW)
#define CD gfx_f64(CW)
#define OUT(value) (d_[lane] = (uint32_t)(value))
#define OUTW(value) gfx_set_wide(d_, lane, (uint64_t)(value))
#define OUTF(value) (d_[lane] = gfx_f32_bits(value))
#define OUTD(value) gfx_set_wide(d_, lane, gfx_f64_bits(value))
/* The condition of the lane as an input, and as a result. */
#define MASK_IN ((uint32_t)(vector->mask_in >> lane & 1))
#define MASK_OUT(condition) (mask_ |= (uint64_t)((condition) ? 1 : 0) << lane)

#define GFX_LANE_LOOP_BEGIN                                                                        \
	const uint32_t *restrict a_ = vector->src[0], *restrict b_ = vector->src[1];               \
	const uint32_t *restrict c_ = vector->src[2];                                              \
	uint32_t *restrict d_ = vector->dst;                                                       \
	uint64_t mask_ = 0;                                                                        \
                                                                                                   \
	(void)a_, (void)b_, (void)c_, (void)d_;                                                    \
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {

#define GFX_LANE_LOOP_END                                                                          \
	}                                                                                          \
	vector->mask = mask_;

/* Define gfx_v_NAME. Its statement, which may contain commas, uses the names above and `lane`. */
#define GFX_VECTOR(name, ...)                                                                      \
	GFX_LANE_LOOPS void gfx_v_##name(struct gfx_vector *vector)                                \
	{                                                                                          \
		GFX_LANE_LOOP_BEGIN                                                                \
		__VA_ARGS__;                                                                       \
		GFX_LANE_LOOP_END                                                                  \
	}

/* The bit of each lane in its half of a lane mask. */
#define GFX_BITS4(n) 1U << (n), 2U << (n), 4U << (n), 8U << (n)
#define GFX_BITS16(n) GFX_BITS4(n), GFX_BITS4((n) + 4), GFX_BITS4((n) + 8), GFX_BITS4((n) + 12)
#define GFX_HALF_LANES 32

/* The same for an expression that gives a condition, one bit per lane. */
#define GFX_COMPARE(name, ...)                                                                     \
	GFX_LANE_LOOPS void gfx_v_##name(struct gfx_vector *vector)                                \
	{                                                                                          \
		static const uint32_t weights[GFX_HALF_LANES] = {GFX_BITS16(0), GFX_BITS16(16)};   \
		const uint32_t *restrict a_ = vector->src[0], *restrict b_ = vector->src[1];       \
		uint32_t low_ = 0, high_ = 0;                                                      \
                                                                                                   \
		(void)a_, (void)b_;                                                                \
		for (uint32_t lane = 0; lane < GFX_HALF_LANES; lane++)                             \
			low_ |= (__VA_ARGS__) ? weights[lane] : 0;                                 \
		for (uint32_t lane = GFX_HALF_LANES; lane < GFX_MAX_LANES; lane++)                 \
			high_ |= (__VA_ARGS__) ? weights[lane - GFX_HALF_LANES] : 0;               \
		vector->mask = low_ | (uint64_t)high_ << 32;                                       \
	}

#endif /* GFX_WAVE_LANES_H */
