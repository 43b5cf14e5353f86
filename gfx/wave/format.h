/* SPDX-License-Identifier: MIT */
/*
 * The formats of elements of typed buffers and of images, as descriptors have them: gfx9 has a number for the components and one for what
 * they mean, from gfx10 on buffers have one for both.
 */
#ifndef GFX_WAVE_FORMAT_H
#define GFX_WAVE_FORMAT_H

#include "gfx/instruction/operation.h"

/*
 * The kernel's GB_ADDR_CONFIG, by which libraries place the elements of images, and what follows from it: 4 shader engines of 4 pipes and
 * one bank, and pieces of 256 bytes on each pipe.
 */
#define GFX_ADDRESS_CONFIG 0x2a110002u
#define GFX_PIPES_LOG2 4u

enum gfx_number {
	GFX_NUMBER_UNORM, /* from 0 to 1 */
	GFX_NUMBER_SNORM, /* from -1 to 1 */
	GFX_NUMBER_USCALED,
	GFX_NUMBER_SSCALED,
	GFX_NUMBER_UINT,
	GFX_NUMBER_SINT,
	GFX_NUMBER_FLOAT = 7,
	GFX_NUMBER_SRGB =
		9, /* of images alone: from 0 to 1 along sRGB's curve, but for the fourth component */
};

/* An element: so many components of so many bytes each, and what their bits mean. */
struct gfx_format {
	uint8_t count, bytes, number;
};

/** The format by the descriptor's two numbers. `count` is 0 if it is not implemented: components of other sizes. */
static inline struct gfx_format gfx_format_of(uint32_t data, uint32_t number)
{
	static const struct gfx_format formats[] = {
		[1] = {1, 1, 0},  [2] = {1, 2, 0},  [3] = {2, 1, 0},  [4] = {1, 4, 0},
		[5] = {2, 2, 0},  [10] = {4, 1, 0}, [11] = {2, 4, 0}, [12] = {4, 2, 0},
		[13] = {3, 4, 0}, [14] = {4, 4, 0},
	};
	struct gfx_format format = {0, 0, 0};

	if (data >= sizeof(formats) / sizeof(formats[0]) || number > GFX_NUMBER_SRGB ||
	    number == 6 || number == 8)
		return format;
	format = formats[data];
	format.number = (uint8_t)number;
	/* No single of 8 bits, no fraction of 32, and sRGB of 8 alone. */
	if ((number == GFX_NUMBER_FLOAT && format.bytes < 2) ||
	    (number == GFX_NUMBER_SRGB && format.bytes > 1) ||
	    (number <= GFX_NUMBER_SSCALED && format.bytes > 2))
		format.count = 0;
	return format;
}

/* Numbers of formats that follow each other: of the same components, from one meaning to the next. */
struct gfx_format_run {
	uint8_t first, count, bytes, number;
};

/* From gfx11 on so many of those with components of other sizes are no more: the numbers behind them are lower. */
#define GFX_FORMATS_GONE_FIRST 42
#define GFX_FORMATS_GONE 14

/** The format by its one number in gfx10, or from gfx11 on. `count` is 0 if it is not implemented. */
static inline struct gfx_format gfx_format_of_later(enum gfx_generation generation, uint32_t code)
{
	/* Numbers are those of gfx10. Formats with components of other sizes are left out; the last row is where the list ends. */
	static const struct gfx_format_run runs[] = {
		{1, 1, 1, GFX_NUMBER_UNORM},  {7, 1, 2, GFX_NUMBER_UNORM},
		{14, 2, 1, GFX_NUMBER_UNORM}, {20, 1, 4, GFX_NUMBER_UINT},
		{23, 2, 2, GFX_NUMBER_UNORM}, {30, 0, 0, GFX_NUMBER_UNORM},
		{56, 4, 1, GFX_NUMBER_UNORM}, {62, 2, 4, GFX_NUMBER_UINT},
		{65, 4, 2, GFX_NUMBER_UNORM}, {72, 3, 4, GFX_NUMBER_UINT},
		{75, 4, 4, GFX_NUMBER_UINT},  {78, 0, 0, GFX_NUMBER_UNORM},
	};
	const struct gfx_format_run *run = runs;
	const struct gfx_format_run *end = runs + sizeof(runs) / sizeof(runs[0]) - 1;
	uint32_t number;

	if (generation != GFX_GENERATION_10 && code >= GFX_FORMATS_GONE_FIRST)
		code += GFX_FORMATS_GONE;
	while (run < end && code >= run[1].first)
		run++;
	number = run->number + code - run->first;
	if (code < run->first || run == end)
		return (struct gfx_format){0, 0, 0};
	/* Singles follow whole numbers with a sign. */
	return (struct gfx_format){run->count, run->bytes,
				   (uint8_t)(number > GFX_NUMBER_SINT ? GFX_NUMBER_FLOAT : number)};
}

/** The format of a typed buffer instruction: its own, or that of the buffer's descriptor. */
static inline struct gfx_format gfx_buffer_format(const struct gfx_instruction *instruction,
						  const uint32_t resource[4])
{
	if (instruction->generation >= GFX_GENERATION_10)
		return gfx_format_of_later(instruction->generation,
					   instruction->has_format ? instruction->format
					   : instruction->generation == GFX_GENERATION_10
						   ? resource[3] >> 12 & 127
						   : resource[3] >> 12 & 63);
	if (instruction->has_format)
		return gfx_format_of(instruction->format & 15, instruction->format >> 4);
	return gfx_format_of(resource[3] >> 15 & 15, resource[3] >> 12 & 7);
}

#endif /* GFX_WAVE_FORMAT_H */
