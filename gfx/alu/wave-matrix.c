/* SPDX-License-Identifier: MIT */
/*
 * Matrix operations from gfx11 on: squares of 16 by 16. All lanes take part, whatever exec says. In gfx11 a lane has a whole row of A and a
 * column of B, and the upper lanes the same again; D goes over the lanes row by row. In gfx12 nothing is there twice: a lane has a part of
 * a row, and of D some rows of one column. Of a sparse A two of four neighbours are there, and a register of each lane says which. How products are added is documented nowhere: one after the other here, each rounded once.
 */
#include <math.h>

#include "gfx/alu/half.h"
#include "gfx/alu/matrix.h"
#include "gfx/alu/operations.h"

#define SIDE 16U /* rows of A and columns of B */
#define RESULT_WORDS 8U
#define INDEX_BITS 2U /* of an index of a sparse A */

/* A place in the registers of a matrix: which of them, which lane, and the first of the bits. */
struct spot {
	uint32_t word, lane, shift;
};

static const uint32_t zeros[GFX_MAX_LANES];

static uint32_t spot_read(const struct gfx_wave *wave, uint32_t first, struct spot spot)
{
	const uint32_t *plane = gfx_vgpr(wave, (first & 0xffU) + spot.word, 1, false);

	if (!plane)
		plane = gfx_vgpr(wave, 0, 1, false);
	return (plane ? plane : zeros)[spot.lane] >> spot.shift;
}

static bool is_gfx11(const struct gfx_instruction *instruction)
{
	return instruction->generation == GFX_GENERATION_11;
}

/* The upper half of a wave of 64 lanes has what follows on that of the lower half, so that the second and the third sixteen lanes change places. */
static uint32_t sixteen_find(uint32_t part, uint32_t parts)
{
	return parts == 4 ? (part & 1) << 1 | part >> 1 : part;
}

/* Number @k of row @row of A, or of column @row of B. Only of those of a byte or less do the sixteen lanes change places. */
static struct spot number_find(const struct gfx_context *context, uint32_t side, uint32_t row,
			       uint32_t k)
{
	const struct gfx_matrix *matrix = context->instruction->operation->matrix;
	uint32_t bits = gfx_element_bits(matrix->elements[side]);
	uint32_t together = gfx_wave_matrix_together(matrix, context->instruction->generation, side,
						     gfx_lanes(context->wave));
	uint32_t at = k % together * bits, part = k / together;

	if (matrix->depth > SIDE && bits <= 8)
		part = sixteen_find(part, gfx_wave_matrix_depth(matrix, side) / together);
	return (struct spot){at / 32, row + SIDE * part, at % 32};
}

/* Whole numbers have signs if `neg` says so; of floats it changes those of even numbers, and `neg_hi` those of odd ones. */
static double read_number(const struct gfx_context *context, uint32_t side, uint32_t row,
			  uint32_t k)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_matrix *matrix = instruction->operation->matrix;
	uint32_t bits = gfx_element_bits(matrix->elements[side]), unused = (32 - bits) % 32;
	uint32_t value =
		spot_read(context->wave, instruction->src[side], number_find(context, side, row, k))
		<< unused;
	bool sign = (k % 2 ? instruction->neg_hi : instruction->neg) >> side & 1;
	double number;

	if (matrix->sum == GFX_MATRIX_INTEGER)
		return instruction->neg >> side & 1 ? (double)((int32_t)value >> unused)
						    : (double)(value >> unused);
	number = gfx_matrix_number(matrix, side, value >> unused);
	return sign ? -number : number;
}

/*
 * Which of four neighbours number @k of a row of a sparse A is. The indices of a lane's numbers stand side by side in its third operand, in
 * several sets of which op_sel chooses one.
 */
static uint32_t neighbour_find(const struct gfx_context *context, uint32_t row, uint32_t k)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t together =
		gfx_wave_matrix_together(instruction->operation->matrix, instruction->generation, 0,
					 gfx_lanes(context->wave));
	uint32_t width = together * INDEX_BITS, set = instruction->op_sel % (32 / width);
	struct spot spot = {0, number_find(context, 0, row, k).lane,
			    set * width + k % together * INDEX_BITS};

	return spot_read(context->wave, instruction->src[2], spot) & ((1U << INDEX_BITS) - 1);
}

/* A value of C or D has a place for each generation. Halves of gfx11 have a register each, of which op_sel chooses one half. */
static struct spot find_result(const struct gfx_context *context, uint32_t row, uint32_t column)
{
	const struct gfx_instruction *instruction = context->instruction;
	bool half = gfx_element_bits(instruction->operation->matrix->result) == 16;
	uint32_t parts = gfx_lanes(context->wave) / SIDE, height = SIDE / parts;
	uint32_t index = row % height;

	if (is_gfx11(instruction))
		return (struct spot){row / parts, column + SIDE * (row % parts),
				     half && instruction->op_sel & 4 ? 16 : 0};
	if (half)
		return (struct spot){index / 2, column + SIDE * sixteen_find(row / height, parts),
				     index % 2 * 16};
	return (struct spot){index, column + SIDE * sixteen_find(row / height, parts), 0};
}

static uint32_t addend_read(const struct gfx_context *context, struct spot spot)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t element = instruction->operation->matrix->result;
	enum gfx_type type = element == GFX_ELEMENT_F16	   ? GFX_F16
			     : element == GFX_ELEMENT_BF16 ? GFX_B16
							   : GFX_F32;

	if (instruction->operation->matrix->sparse)
		return spot_read(context->wave, instruction->dst, spot);
	if (instruction->src[2] >= GFX_CODE_VGPR0)
		return spot_read(context->wave, instruction->src[2], spot);
	return (uint32_t)gfx_read_constant(context, instruction->src[2], type);
}

static float single_of(uint32_t element, uint32_t bits)
{
	if (element == GFX_ELEMENT_F16)
		return gfx_half_to_float((uint16_t)bits);
	return gfx_f32(element == GFX_ELEMENT_BF16 ? bits << 16 : bits);
}

/* A single in the format of D; NaNs have one pattern. */
static uint32_t narrow(uint32_t element, float value)
{
	uint32_t bits = isnan(value) ? 0x7fc00000 : gfx_f32_bits(value);

	if (element == GFX_ELEMENT_F16)
		return gfx_half_from_double((double)gfx_f32(bits), GFX_ROUND_NEAREST);
	return element == GFX_ELEMENT_BF16 ? gfx_bfloat_from_single(bits) : bits;
}

static uint32_t sum_integers(const struct gfx_context *context, const double *a, const double *b,
			     uint32_t third)
{
	int64_t sum = (int32_t)third;

	for (uint32_t k = 0; k < gfx_wave_matrix_depth(context->instruction->operation->matrix, 0);
	     k++)
		sum += (int64_t)(a[k] * b[k]);
	if (context->instruction->clamp)
		sum = sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum;
	return (uint32_t)sum;
}

static uint32_t sum_floats(const struct gfx_context *context, const double *a, const double *b,
			   uint32_t third)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_matrix *matrix = instruction->operation->matrix;
	float sum = single_of(matrix->result, third);

	sum = instruction->neg_hi & 4 ? fabsf(sum) : sum;
	sum = instruction->neg & 4 ? -sum : sum;
	for (uint32_t k = 0; k < gfx_wave_matrix_depth(matrix, 0); k++)
		sum = fmaf((float)a[k], (float)b[k], sum);
	return narrow(matrix->result, sum);
}

static void put(uint32_t *word, uint32_t shift, uint32_t bits, uint32_t value)
{
	uint32_t mask = bits == 32 ? UINT32_MAX : (1U << bits) - 1;

	*word = (*word & ~(mask << shift)) | (value & mask) << shift;
}

/* Whether all registers have numbers: where a wave of 32 lanes has more of them, that of an instruction may be too high. */
static bool matrices_have_registers(const struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	const uint32_t codes[] = {instruction->src[0], instruction->src[1], instruction->src[2],
				  instruction->dst + (uint32_t)GFX_CODE_VGPR0};

	for (uint32_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (!(i == 2 && instruction->operation->matrix->sparse) &&
		    codes[i] + gfx_wave_matrix_words(instruction->operation->matrix,
						     instruction->generation, i < 2 ? i : 2,
						     gfx_lanes(context->wave)) >
			    2 * GFX_CODE_VGPR0)
			return false;
	return true;
}

/* The numbers of column @column of B that those of row @row of A are multiplied with. */
static void multipliers_choose(const struct gfx_context *context, uint32_t row,
			       const double *column, double *chosen_ret)
{
	const struct gfx_matrix *matrix = context->instruction->operation->matrix;

	for (uint32_t k = 0; k < gfx_wave_matrix_depth(matrix, 0); k++)
		chosen_ret[k] = matrix->sparse ? column[k / 2 * 4 + neighbour_find(context, row, k)]
					       : column[k];
}

/* A destination past the wave's registers is written nowhere. */
enum gfx_step gfx_execute_wave_matrix(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_matrix *matrix = instruction->operation->matrix;
	uint32_t bits = gfx_element_bits(matrix->result);
	uint32_t words =
		gfx_wave_matrix_words(matrix, instruction->generation, 2, gfx_lanes(context->wave));
	double a[SIDE][GFX_MATRIX_MAX_DEPTH], b[SIDE][GFX_MATRIX_MAX_DEPTH];
	double chosen[GFX_MATRIX_MAX_DEPTH];
	uint32_t result[RESULT_WORDS][GFX_MAX_LANES], *planes;

	if (!matrices_have_registers(context))
		return gfx_illegal(context, false, "a matrix past the last vector register");
	for (uint32_t i = 0; i < SIDE; i++)
		for (uint32_t k = 0; k < matrix->depth; k++) {
			if (k < gfx_wave_matrix_depth(matrix, 0))
				a[i][k] = read_number(context, 0, i, k);
			b[i][k] = read_number(context, 1, i, k);
		}
	planes = gfx_vgpr(context->wave, instruction->dst, words, false);
	if (!planes)
		return GFX_STEP_DONE;
	memcpy(result, planes, words * sizeof(result[0]));
	for (uint32_t i = 0; i < SIDE * SIDE; i++) {
		uint32_t row = i / SIDE, column = i % SIDE;
		struct spot spot = find_result(context, row, column);
		uint32_t third = addend_read(context, spot), value;

		multipliers_choose(context, row, b[column], chosen);
		value = matrix->sum == GFX_MATRIX_INTEGER
				? sum_integers(context, a[row], chosen, third)
				: sum_floats(context, a[row], chosen, third);
		put(&result[spot.word][spot.lane], spot.shift, bits, value);
	}
	memcpy(planes, result, words * sizeof(result[0]));
	return GFX_STEP_DONE;
}
