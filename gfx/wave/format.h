/* SPDX-License-Identifier: MIT */
/* The formats of elements of typed buffers and of images, as descriptors have them: numbers of gfx9. */
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

/** The format of a typed buffer instruction: its own, or that of the buffer's descriptor. */
static inline struct gfx_format gfx_buffer_format(const struct gfx_instruction *instruction,
						  const uint32_t resource[4])
{
	if (instruction->has_format)
		return gfx_format_of(instruction->format & 15, instruction->format >> 4);
	return gfx_format_of(resource[3] >> 15 & 15, resource[3] >> 12 & 7);
}

#endif /* GFX_WAVE_FORMAT_H */
