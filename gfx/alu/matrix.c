/* SPDX-License-Identifier: MIT */
/*
 * Matrix operations. All lanes take part, whatever exec says. Which value of a matrix is in which register and lane is
 * the same rule for all shapes.
 */
#include "gfx/alu/matrix.h"

#include "gfx/alu/operations.h"

#define MAX_NUMBERS 2048 /* of A or B */
#define MAX_RESULT_WORDS 32
#define INDEX_BITS 2

/* A or B: a row of A or a column of B after the other, block by block. */
struct numbers {
	uint32_t depth;
	double values[MAX_NUMBERS];
};

static const uint32_t zeros[GFX_MAX_LANES];

/* One register of a tuple. One past those the wave has reads v0, as far as that exists. */
static const uint32_t *read_plane(const struct gfx_wave *wave, uint32_t number, bool acc)
{
	const uint32_t *plane = gfx_vgpr(wave, number, 1, acc);

	if (!plane)
		plane = gfx_vgpr(wave, 0, 1, acc);
	return plane ? plane : zeros;
}

/* The bits of number @index of those that a lane has. */
static uint64_t read_bits(const struct gfx_context *context, uint32_t side, uint32_t index,
			  uint32_t lane)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t bits = gfx_element_bits(instruction->operation->matrix->elements[side]);
	uint32_t first = (instruction->src[side] & 0xffU) + index * bits / 32;
	bool acc = instruction->src_acc[side];
	uint64_t value = read_plane(context->wave, first, acc)[lane];

	if (bits == 64)
		return value | (uint64_t)read_plane(context->wave, first + 1, acc)[lane] << 32;
	return value >> index * bits % 32 & ((UINT64_C(1) << bits) - 1);
}

/* A block of A that is used in the place of block @block. */
static uint32_t choose_block(const struct gfx_instruction *instruction, uint32_t block)
{
	const struct gfx_matrix *matrix = instruction->operation->matrix;
	uint32_t receivers = 1U << instruction->cbsz;

	if (!matrix->broadcasts)
		return block;
	return (block / receivers * receivers + instruction->abid) % matrix->blocks;
}

/* The lane of B whose values are used in the place of lane @lane's. */
static uint32_t matrix_choose_lane(const struct gfx_instruction *instruction, uint32_t lane)
{
	if (!instruction->operation->matrix->permutes || instruction->blgp == 0)
		return lane;
	if (instruction->blgp <= 2)
		return lane % 32 + (instruction->blgp - 1U) * 32;
	if (instruction->blgp == 3)
		return (lane + 16) % 64;
	return lane % 16 + (instruction->blgp - 4U) * 16;
}

/* The lane that has number @k of row @row; for B, of column @row. */
static uint32_t matrix_lane(const struct gfx_matrix *matrix, uint32_t side, uint32_t block,
			    uint32_t row, uint32_t k)
{
	return row +
	       matrix->rows * (block + matrix->blocks * (k / gfx_matrix_together(matrix, side)));
}

static void read_numbers(const struct gfx_context *context, uint32_t side, struct numbers *numbers)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_matrix *matrix = instruction->operation->matrix;
	uint32_t together = gfx_matrix_together(matrix, side);
	double sign = matrix->negates && instruction->blgp >> side & 1 ? -1 : 1;
	double *next = numbers->values;

	numbers->depth = matrix->sparse && side == 0 ? matrix->depth / 2U : matrix->depth;
	for (uint32_t i = 0; i < matrix->blocks * (uint32_t)matrix->rows; i++) {
		uint32_t block = i / matrix->rows;

		if (side == 0)
			block = choose_block(instruction, block);
		for (uint32_t k = 0; k < numbers->depth; k++) {
			uint32_t lane = matrix_lane(matrix, side, block, i % matrix->rows, k);
			uint64_t bits;

			if (side == 1)
				lane = matrix_choose_lane(instruction, lane);
			bits = read_bits(context, side, k % together, lane);
			*next++ = sign * gfx_matrix_number(matrix, side, bits);
		}
	}
}

/*
 * Which of four neighbours number @k of a row of a sparse A is. The indices of the numbers of a lane stand side by side
 * in the lane's third operand, in several sets of which abid chooses one; with cbsz, it is the first.
 */
static uint32_t sparse_index(const struct gfx_context *context, uint32_t row, uint32_t k)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_matrix *matrix = instruction->operation->matrix;
	uint32_t together = gfx_matrix_together(matrix, 0), width = together * INDEX_BITS;
	uint32_t set = instruction->cbsz ? 0 : instruction->abid % (32 / width);
	const uint32_t *plane = read_plane(context->wave, instruction->src[2] & 0xffU, false);

	return plane[matrix_lane(matrix, 0, 0, row, k)] >>
		       (set * width + k % together * INDEX_BITS) &
	       3;
}

/* The place of a value of C and D: doubles fill a register row by row, others four rows at a time. */
struct place {
	uint32_t word, lane;
};

static struct place result_place(const struct gfx_matrix *matrix, uint32_t block, uint32_t row,
				 uint32_t column)
{
	bool wide = matrix->elements[0] == GFX_ELEMENT_F64;
	uint32_t rows = matrix->rows, height = wide ? 1 : 4, words = wide ? 2 : 1;
	uint32_t groups = 64 / rows; /* of rows that are in a register, or of several blocks */
	uint32_t blocks = rows * rows / height >= 64 ? 1 : 64 * height / (rows * rows);
	uint32_t index =
		block * (rows * rows / 64) + row / (height * groups) * height + row % height;

	return (struct place){
		.word = index * words,
		.lane = block % blocks * rows + row / height % groups * blocks * rows + column,
	};
}

/* A constant that is a float has the width of C; an integer is taken as bits. */
static uint64_t read_third(const struct gfx_context *context, struct place place, bool wide)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_matrix *matrix = instruction->operation->matrix;
	uint32_t code =
		matrix->sparse ? instruction->dst + (uint32_t)GFX_CODE_VGPR0 : instruction->src[2];
	uint32_t first = (code & 0xffU) + place.word;
	uint64_t value;

	if (code < GFX_CODE_VGPR0) {
		value = gfx_read_constant(context, code, wide ? GFX_F64 : GFX_F32);
	} else {
		value = read_plane(context->wave, first, instruction->acc)[place.lane];
		if (wide)
			value |= (uint64_t)read_plane(context->wave, first + 1,
						      instruction->acc)[place.lane]
				 << 32;
	}
	if (wide && matrix->negates && instruction->blgp & 4)
		value ^= UINT64_C(1) << 63;
	return value;
}

/* The row of A and the column of B, of a sparse A what is there and what it is multiplied with. */
static uint64_t matrix_sum_row(const struct gfx_context *context, const struct numbers sides[2],
			       uint32_t block, uint32_t row, uint32_t column, uint64_t third)
{
	const struct gfx_matrix *matrix = context->instruction->operation->matrix;
	const double *a = sides[0].values + (block * matrix->rows + row) * sides[0].depth;
	const double *b = sides[1].values + (block * matrix->rows + column) * sides[1].depth;
	double chosen[GFX_MATRIX_MAX_DEPTH];

	if (!matrix->sparse)
		return gfx_matrix_add(matrix, a, b, sides[0].depth, third);
	for (uint32_t k = 0; k < sides[0].depth; k++)
		chosen[k] = b[k / 2 * 4 + sparse_index(context, row, k)];
	return gfx_matrix_add(matrix, a, chosen, sides[0].depth, third);
}

/* A destination past the wave's registers is written nowhere. */
static void matrix_write(const struct gfx_context *context,
			 uint32_t result[MAX_RESULT_WORDS][GFX_MAX_LANES])
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t words = gfx_matrix_result_words(instruction->operation->matrix);
	uint32_t *planes = gfx_vgpr(context->wave, instruction->dst, words, instruction->acc);

	if (planes)
		memcpy(planes, result, words * sizeof(result[0]));
}

enum gfx_step gfx_execute_matrix(struct gfx_context *context)
{
	const struct gfx_matrix *matrix = context->instruction->operation->matrix;
	bool wide = matrix->elements[0] == GFX_ELEMENT_F64;
	uint32_t result[MAX_RESULT_WORDS][GFX_MAX_LANES];
	struct numbers sides[2];

	read_numbers(context, 0, &sides[0]);
	read_numbers(context, 1, &sides[1]);
	for (uint32_t i = 0; i < (uint32_t)matrix->blocks * matrix->rows * matrix->rows; i++) {
		uint32_t column = i % matrix->rows, row = i / matrix->rows % matrix->rows;
		uint32_t block = i / matrix->rows / matrix->rows;
		struct place place = result_place(matrix, block, row, column);
		uint64_t sum = matrix_sum_row(context, sides, block, row, column,
					      read_third(context, place, wide));

		result[place.word][place.lane] = (uint32_t)sum;
		if (wide)
			result[place.word + 1][place.lane] = (uint32_t)(sum >> 32);
	}
	matrix_write(context, result);
	return GFX_STEP_DONE;
}
