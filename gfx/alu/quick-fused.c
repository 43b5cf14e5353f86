/* SPDX-License-Identifier: MIT */
/*
 * The vector operations that programs consist of, each as one loop from its sources to its result. The others take three:
 * sources, gfx_operation.vector, result. A lane never sees another, so that registers may be both.
 */
#include <math.h>

#include "gfx/alu/quick.h"
#include "gfx/alu/operations.h"
#include "gfx/wave/some.h"

/*
 * Registers of one instruction overlap in whole planes, if at all: that does not hinder. Clang makes no vectors of what is
 * rounded at run time, and would rather write every lane out.
 */
#if defined(__clang__)
#define LANES_ARE_APART _Pragma("clang loop unroll(disable)")
#else
#define LANES_ARE_APART _Pragma("GCC ivdep")
#endif

/* The planes of a source, and the changes of signs. */
struct operand {
	const uint32_t *low, *high;
	uint32_t clear[2], flip[2];
};

/* Fill the planes of a source that is the same for all lanes. Not a part of each operation: they would be large. */
static __attribute__((noinline)) void plan_spread(const struct gfx_plan_source *source,
						  const uint8_t *words, uint32_t *room)
{
	for (uint32_t i = 0; i < source->words; i++, room += GFX_MAX_LANES) {
		uint32_t word;

		memcpy(&word, words + source->place[i], sizeof(word));
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			room[lane] = word;
	}
}

GFX_ALWAYS struct operand find(const struct gfx_context *context, uint32_t index, uint32_t *room)
{
	const struct gfx_plan_source *source = &context->plan->src[index];
	const struct gfx_wave *wave = context->wave;
	const uint32_t *planes = source->file == GFX_FILE_AGPRS ? wave->agprs : wave->vgprs;
	struct operand operand = {
		.low = planes + source->place[0],
		.high = planes + source->place[source->words - 1],
		.clear = {source->clear[0], source->clear[1]},
		.flip = {source->flip[0], source->flip[1]},
	};

	if (source->file == GFX_FILE_VGPRS || source->file == GFX_FILE_AGPRS)
		return operand;
	plan_spread(source,
		    source->file == GFX_FILE_WAVE ? (const uint8_t *)wave
						  : (const uint8_t *)context->plan->values,
		    room);
	operand.low = room;
	operand.high = room + (source->words - 1) * GFX_MAX_LANES;
	return operand;
}

GFX_ALWAYS uint64_t condition(const struct gfx_context *context)
{
	bool none = context->plan->mask_in == GFX_NO_PLACE;

	return none ? 0 : gfx_wave_mask(context->wave, context->plan);
}

GFX_ALWAYS void put(uint32_t *to, uint32_t value, uint32_t taken)
{
	*to = (*to & ~taken) | (value & taken);
}

#define WIDE(name) (name##l | (uint64_t)name##h << 32)

/* In a lane: the words of the sources are al and ah, and so on, `in` is not 0 if the condition holds. */
#define SOURCE(name)                                                                               \
	uint32_t name##l = (name##_.low[lane] & ~name##_.clear[0]) ^ name##_.flip[0];              \
	uint32_t name##h = (name##_.high[lane] & ~name##_.clear[1]) ^ name##_.flip[1];
#define FUSED_BEGIN(count)                                                                         \
	uint32_t rooms_[3][2 * GFX_MAX_LANES];                                                     \
	const struct gfx_plan *plan_ = context->plan;                                              \
	const struct gfx_wave *wave_ = context->wave;                                              \
	const struct operand a_ = find(context, 0, rooms_[0]);                                     \
	const struct operand b_ = (count) > 1 ? find(context, 1, rooms_[1]) : a_;                  \
	const struct operand c_ = (count) > 2 ? find(context, 2, rooms_[2]) : a_;                  \
	uint32_t *to_ = wave_->vgprs + plan_->dst;                                                 \
	uint64_t exec_ = wave_->exec, condition_ = condition(context), out_ = 0;                   \
                                                                                                   \
	for (uint32_t half_ = 0; half_ < GFX_MAX_LANES; half_ += GFX_HALF_LANES) {                 \
		uint32_t on_ = (uint32_t)(exec_ >> half_);                                         \
		uint32_t in_ = (uint32_t)(condition_ >> half_), some_ = 0;                         \
                                                                                                   \
		LANES_ARE_APART                                                                    \
		for (uint32_t i_ = 0; i_ < GFX_HALF_LANES; i_++) {                                 \
			uint32_t lane = half_ + i_,                                                \
				 taken = on_ & gfx_lane_bits[i_] ? UINT32_MAX : 0;                 \
			uint32_t in = in_ & gfx_lane_bits[i_];                                     \
			SOURCE(a)                                                                  \
			SOURCE(b)                                                                  \
			SOURCE(c)                                                                  \
                                                                                                   \
			(void)in, (void)ah, (void)bl, (void)bh, (void)cl, (void)ch;

#define FUSED_END                                                                                  \
	}                                                                                          \
	out_ |= (uint64_t)some_ << half_;                                                          \
	}                                                                                          \
	(void)out_;

/* Integers: the statement sets `low` and, if there are two words, `high`. */
#define FUSE(name, count, words, ...)                                                              \
	GFX_LANE_LOOPS static enum gfx_step name(struct gfx_context *context)                      \
	{                                                                                          \
		FUSED_BEGIN(count)                                                                 \
		uint32_t low, high = 0;                                                            \
                                                                                                   \
		__VA_ARGS__;                                                                       \
		put(to_ + lane, low, taken);                                                       \
		if ((words) > 1)                                                                   \
			put(to_ + lane + GFX_MAX_LANES, high, taken);                              \
		FUSED_END                                                                          \
		return GFX_STEP_DONE;                                                              \
	}

/* Sums and differences of words with a carry: the statement sets `low` and, if the lane has a carry out, `carry`. */
#define FUSE_CARRY(name, ...)                                                                      \
	GFX_LANE_LOOPS static enum gfx_step name(struct gfx_context *context)                      \
	{                                                                                          \
		FUSED_BEGIN(2)                                                                     \
		uint32_t low;                                                                      \
		bool carry;                                                                        \
                                                                                                   \
		__VA_ARGS__;                                                                       \
		put(to_ + lane, low, taken);                                                       \
		some_ |= carry ? taken & gfx_lane_bits[i_] : 0;                                    \
		FUSED_END                                                                          \
		if (plan_->mask_out != GFX_NO_PLACE)                                               \
			gfx_set_wave_mask(context->wave, plan_, out_);                             \
		return GFX_STEP_DONE;                                                              \
	}

/* Singles, of values AF, BF and CF, or AH, BH and CH. A NaN among the results is left to the long way. */
#undef AF
#undef BF
#undef CF
#define AF gfx_f32(al)
#define BF gfx_f32(bl)
#define CF gfx_f32(cl)
#define AH gfx_f32(ah)
#define BH gfx_f32(bh)
#define CH gfx_f32(ch)
#define FUSE_SINGLES(name, count, words, ...)                                                      \
	GFX_LANE_LOOPS static enum gfx_step name(struct gfx_context *context)                      \
	{                                                                                          \
		uint32_t results[2 * GFX_MAX_LANES], nans = 0;                                     \
                                                                                                   \
		FUSED_BEGIN(count)                                                                 \
		float low, high = 0;                                                               \
                                                                                                   \
		__VA_ARGS__;                                                                       \
		results[lane] = gfx_f32_bits(low);                                                 \
		nans |= low != low ? taken : 0;                                                    \
		if ((words) > 1) {                                                                 \
			results[lane + GFX_MAX_LANES] = gfx_f32_bits(high);                        \
			nans |= high != high ? taken : 0;                                          \
		}                                                                                  \
		FUSED_END                                                                          \
		if (nans)                                                                          \
			return context->instruction->operation->execute(context);                  \
		gfx_take_lanes(to_, results, exec_);                                               \
		if ((words) > 1)                                                                   \
			gfx_take_lanes(to_ + GFX_MAX_LANES, results + GFX_MAX_LANES, exec_);       \
		return GFX_STEP_DONE;                                                              \
	}

FUSE_SINGLES(add_f32, 2, 1, low = AF + BF)
FUSE_SINGLES(sub_f32, 2, 1, low = AF - BF)
FUSE_SINGLES(subrev_f32, 2, 1, low = BF - AF)
FUSE_SINGLES(mul_f32, 2, 1, low = AF * BF)
FUSE_SINGLES(fma_f32, 3, 1, low = fmaf(AF, BF, CF))
FUSE_SINGLES(pk_add_f32, 2, 2, low = AF + BF, high = AH + BH)
FUSE_SINGLES(pk_mul_f32, 2, 2, low = AF * BF, high = AH * BH)
FUSE_SINGLES(pk_fma_f32, 3, 2, low = fmaf(AF, BF, CF), high = fmaf(AH, BH, CH))

FUSE(mov_b32, 1, 1, low = al)
FUSE(mov_b64, 1, 2, low = al, high = ah)
FUSE(and_b32, 2, 1, low = al & bl)
FUSE(or_b32, 2, 1, low = al | bl)
FUSE(xor_b32, 2, 1, low = al ^ bl)
FUSE(lshlrev_b32, 2, 1, low = bl << (al & 31))
FUSE(lshrrev_b32, 2, 1, low = bl >> (al & 31))
FUSE(ashrrev_i32, 2, 1, low = (uint32_t)((int32_t)bl >> (al & 31)))
FUSE(mul_lo_u32, 2, 1, low = al * bl)
FUSE(add3_u32, 3, 1, low = al + bl + cl)
FUSE(lshl_add_u32, 3, 1, low = (al << (bl & 31)) + cl)
FUSE(lshl_or_b32, 3, 1, low = al << (bl & 31) | cl)
FUSE(and_or_b32, 3, 1, low = (al & bl) | cl)
FUSE(or3_b32, 3, 1, low = al | bl | cl)
FUSE(not_b32, 1, 1, low = ~al)
FUSE(add_u32, 2, 1, low = al + bl)
FUSE(sub_u32, 2, 1, low = al - bl)
FUSE(subrev_u32, 2, 1, low = bl - al)
FUSE(min_i32, 2, 1, low = (int32_t)al < (int32_t)bl ? al : bl)
FUSE(max_i32, 2, 1, low = (int32_t)al > (int32_t)bl ? al : bl)
FUSE(min_u32, 2, 1, low = al < bl ? al : bl)
FUSE(max_u32, 2, 1, low = al > bl ? al : bl)
FUSE(cndmask_b32, 2, 1, low = in ? bl : al)
/* A sum is below what was added to it if it had no room; with a carry in, if it is the same, too. */
#define ONE (in ? 1U : 0U)
#define NO_ROOM(a, b) ((a) < (b) || (in && (a) == (b)))
FUSE_CARRY(add_co_u32, low = al + bl, carry = low < al)
FUSE_CARRY(addc_co_u32, low = al + bl + ONE, carry = NO_ROOM(low, al))
FUSE_CARRY(sub_co_u32, low = al - bl, carry = al < bl)
FUSE_CARRY(subrev_co_u32, low = bl - al, carry = bl < al)
FUSE_CARRY(subb_co_u32, low = al - bl - ONE, carry = NO_ROOM(al, bl))
FUSE_CARRY(subbrev_co_u32, low = bl - al - ONE, carry = NO_ROOM(bl, al))
FUSE(lshl_add_u64, 3, 2, {
	uint64_t sum = (WIDE(a) << (bl & 7)) + WIDE(c);

	low = (uint32_t)sum;
	high = (uint32_t)(sum >> 32);
})

#define FUSED(name)                                                                                \
	{                                                                                          \
		gfx_v_##name, name                                                                 \
	}
static const struct {
	gfx_vector_function *vector;
	gfx_execute_function *execute;
} fused[] = {
	FUSED(add_f32),	    FUSED(sub_f32),	   FUSED(subrev_f32),	FUSED(mul_f32),
	FUSED(fma_f32),	    FUSED(pk_add_f32),	   FUSED(pk_mul_f32),	FUSED(pk_fma_f32),
	FUSED(mov_b32),	    FUSED(mov_b64),	   FUSED(and_b32),	FUSED(or_b32),
	FUSED(xor_b32),	    FUSED(lshlrev_b32),	   FUSED(lshrrev_b32),	FUSED(ashrrev_i32),
	FUSED(mul_lo_u32),  FUSED(add3_u32),	   FUSED(lshl_add_u32), FUSED(lshl_or_b32),
	FUSED(and_or_b32),  FUSED(or3_b32),	   FUSED(not_b32),	FUSED(add_u32),
	FUSED(sub_u32),	    FUSED(subrev_u32),	   FUSED(min_i32),	FUSED(max_i32),
	FUSED(min_u32),	    FUSED(max_u32),	   FUSED(cndmask_b32),	FUSED(lshl_add_u64),
	FUSED(add_co_u32),  FUSED(addc_co_u32),	   FUSED(sub_co_u32),	FUSED(subrev_co_u32),
	FUSED(subb_co_u32), FUSED(subbrev_co_u32),
};

gfx_execute_function *gfx_find_fused(const struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;

	/* Integers with clamp are rare, and lanes that change places see each other. */
	if (instruction->clamp || instruction->extension != GFX_EXTENSION_NONE ||
	    operation->flags & GFX_DST_AGPR)
		return NULL;
	for (size_t i = 0; i < sizeof(fused) / sizeof(*fused); i++)
		if (fused[i].vector == operation->vector)
			return fused[i].execute;
	return NULL;
}
