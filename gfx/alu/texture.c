/* SPDX-License-Identifier: MIT */
/*
 * Typed buffers, and images of gfx9. An element in memory has components of 8, 16 or 32 bits; a register has a whole number or
 * a single for each, in the order that the descriptor selects. Images are 1-D, 2-D and arrays of those, of one level; their
 * rows are one behind the other, or swizzled within blocks of 4 or 64 KiB as the kernel's GB_ADDR_CONFIG says (GFX_PIPES).
 *
 * Coordinates of a sampler are rounded to 8 fractional bits, which are the weights of linear filtering, too.
 */
#include <math.h>
#include <string.h>

#include "gfx/alu/half.h"
#include "gfx/alu/operations.h"
#include "gfx/wave/format.h"
#include "gfx/wave/memory-access.h"

#define COMPONENTS 4u
#define ONE 0x3f800000u
#define SELECT_ONE 1u
#define SELECT_FIRST 4u /* the element's first component */
#define FRACTION 256	/* of a sampler's coordinates */
#define HALF 128	/* of an element, in these */

/* Bits of an image instruction's first word. */
#define UNNORMALIZED (1u << 12)
#define IS_ARRAY (1u << 14)
#define HALF_COORDINATES (1u << 15)
#define WARNS (1u << 17)
#define HALF_DATA (1u << 31) /* of the second */

enum image_type {
	IMAGE_1D = 8,
	IMAGE_2D = 9,
	IMAGE_1D_ARRAY = 12,
	IMAGE_2D_ARRAY = 13,
};

enum clamp_mode { CLAMP_WRAP, CLAMP_MIRROR, CLAMP_LAST, CLAMP_BORDER = 6 };

/* ---- Components ---- */

/* A byte along sRGB's curve, by the formula of IEC 61966-2-1. */
static float srgb_load(uint8_t byte)
{
	double part = byte / 255.0;

	return (float)(part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
}

/* The value of component @index of an element as a register has it. */
static uint32_t component_load(struct gfx_format format, uint32_t index, const uint8_t *bytes)
{
	uint32_t width = 8u * format.bytes, raw = 0;
	int32_t number;

	memcpy(&raw, bytes, format.bytes);
	number = (int32_t)(raw << (32 - width)) >> (32 - width);
	switch (format.number) {
	case GFX_NUMBER_SRGB:
		/* Alpha has no curve. */
		return gfx_f32_bits(index < 3 ? srgb_load(bytes[0]) : (float)raw / 255);
	case GFX_NUMBER_UNORM:
		return gfx_f32_bits((float)raw / (float)((1u << width) - 1));
	case GFX_NUMBER_SNORM:
		return gfx_f32_bits(fmaxf((float)number / (float)((1u << (width - 1)) - 1), -1));
	case GFX_NUMBER_USCALED:
		return gfx_f32_bits((float)raw);
	case GFX_NUMBER_SSCALED:
		return gfx_f32_bits((float)number);
	case GFX_NUMBER_SINT:
		return (uint32_t)number;
	case GFX_NUMBER_FLOAT:
		return format.bytes == 2 ? gfx_f32_bits(gfx_half_to_float((uint16_t)raw)) : raw;
	default:
		return raw;
	}
}

/* A number from @low to @high; one that is none is 0. */
static int32_t component_round(float value, float low, float high)
{
	if (!(value == value))
		return 0;
	return (int32_t)rintf(value < low ? low : value > high ? high : value);
}

static void component_store(struct gfx_format format, uint32_t value, uint8_t *bytes)
{
	uint32_t width = 8u * format.bytes;
	float single = gfx_f32(value), most = width < 32 ? (float)((1u << width) - 1) : 0;
	float half = width < 32 ? (float)((1u << (width - 1)) - 1) : 0;

	if (format.number == GFX_NUMBER_UNORM)
		value = (uint32_t)component_round(single * most, 0, most);
	else if (format.number == GFX_NUMBER_SNORM)
		value = (uint32_t)component_round(single * half, -half, half);
	else if (format.number == GFX_NUMBER_USCALED)
		value = (uint32_t)component_round(single, 0, most);
	else if (format.number == GFX_NUMBER_SSCALED)
		value = (uint32_t)component_round(single, -half - 1, half);
	else if (format.number == GFX_NUMBER_FLOAT && format.bytes == 2)
		value = gfx_half_from_double((double)single, GFX_ROUND_NEAREST);
	memcpy(bytes, &value, format.bytes);
}

static bool is_whole(struct gfx_format format)
{
	return format.number == GFX_NUMBER_UINT || format.number == GFX_NUMBER_SINT;
}

static uint32_t selected(uint32_t select, uint32_t component)
{
	return select >> 3 * component & 7;
}

/* All components of an element, in the order of the descriptor's fields @select. */
static void element_load(struct gfx_format format, uint32_t select, const uint8_t *bytes,
			 uint32_t values[COMPONENTS])
{
	for (uint32_t i = 0; i < COMPONENTS; i++) {
		uint32_t from = selected(select, i);

		values[i] = from == SELECT_ONE ? (is_whole(format) ? 1 : ONE) : 0;
		if (from >= SELECT_FIRST && from - SELECT_FIRST < format.count)
			values[i] = component_load(format, from - SELECT_FIRST,
						   bytes + (from - SELECT_FIRST) *
								   (size_t)format.bytes);
	}
}

static void element_store(struct gfx_format format, uint32_t select,
			  const uint32_t values[COMPONENTS], uint8_t *bytes)
{
	for (uint32_t part = 0; part < format.count; part++) {
		uint32_t value = 0;

		for (uint32_t i = COMPONENTS; i-- > 0;)
			if (selected(select, i) == SELECT_FIRST + part)
				value = values[i];
		component_store(format, value, bytes + part * (size_t)format.bytes);
	}
}

/* ---- Typed buffers ---- */

static bool is_narrow(const struct gfx_operation *operation)
{
	return operation->flags & GFX_D16;
}

/* The components that an operation has in its registers. */
static uint32_t register_components(const struct gfx_operation *operation)
{
	return operation->size / (is_narrow(operation) ? 2u : 4u);
}

/* The bit of its register at which component @index begins. */
static uint32_t component_shift(const struct gfx_operation *operation, uint32_t index)
{
	return operation->flags & GFX_HIGH_HALF || index % 2 ? 16 : 0;
}

/* Puts a component into its register, or into its half of one, as a half or the low bits of a whole number. */
static void component_put(const struct gfx_operation *operation, struct gfx_format format,
			  uint32_t *to, uint32_t index, uint32_t value)
{
	uint32_t shift = component_shift(operation, index);

	if (!is_narrow(operation)) {
		to[(size_t)index * GFX_MAX_LANES] = value;
		return;
	}
	if (!is_whole(format))
		value = gfx_half_from_double((double)gfx_f32(value), GFX_ROUND_NEAREST);
	to += (size_t)(index / 2) * GFX_MAX_LANES;
	*to = (*to & ~(0xffffu << shift)) | (value & 0xffff) << shift;
}

/* A component from its register, as one of 32 bits. */
static uint32_t component_get(const struct gfx_operation *operation, struct gfx_format format,
			      const uint32_t *from, uint32_t index)
{
	uint16_t half;

	if (!is_narrow(operation))
		return from[(size_t)index * GFX_MAX_LANES];
	half = (uint16_t)(from[(size_t)(index / 2) * GFX_MAX_LANES] >>
			  component_shift(operation, index));
	if (format.number == GFX_NUMBER_SINT)
		return (uint32_t)(int32_t)(int16_t)half;
	return is_whole(format) ? half : gfx_f32_bits(gfx_half_to_float(half));
}

static enum gfx_step formatted_load(struct gfx_context *context, const struct gfx_access *access,
				    struct gfx_format format, uint32_t select)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_operation *operation = instruction->operation;
	uint32_t words = (operation->size + 3u) / 4, values[COMPONENTS];
	uint32_t *to = gfx_vgpr(context->wave, instruction->dst, words, instruction->acc);
	struct gfx_lane_bytes bytes;
	enum gfx_step step = gfx_read_parts(context, access, &bytes);

	if (step != GFX_STEP_DONE)
		return step;
	for (uint64_t left = context->wave->exec; left && to; left &= left - 1) {
		uint32_t lane = gfx_first_lane(left);

		element_load(format, select, bytes.lane[lane], values);
		for (uint32_t i = 0; i < register_components(operation); i++)
			component_put(operation, format, to + lane, i,
				      access->lanes >> lane & 1 ? values[i] : 0);
	}
	return GFX_STEP_DONE;
}

static enum gfx_step formatted_store(struct gfx_context *context, const struct gfx_access *access,
				     struct gfx_format format, uint32_t select)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_operation *operation = instruction->operation;
	uint32_t words = (operation->size + 3u) / 4;
	const uint32_t *from =
		gfx_vgpr(context->wave, instruction->data[0], words, instruction->acc);
	struct gfx_access_failure failure = {.lanes = 0};
	struct gfx_lane_bytes bytes;

	for (uint32_t part = 0; part < access->parts; part++)
		gfx_check_lanes(context, access, part, false, &failure);
	if (failure.lanes)
		return gfx_access_report(context, access, &failure, true);
	memset(&bytes, 0, sizeof(bytes));
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint32_t values[COMPONENTS] = {0};

		for (uint32_t i = 0; i < register_components(operation) && from; i++)
			values[i] = component_get(operation, format, from + lane, i);
		element_store(format, select, values, bytes.lane[lane]);
	}
	for (uint32_t part = 0; part < access->parts; part++)
		gfx_write_lanes(context, access, part, &bytes);
	return GFX_STEP_DONE;
}

enum gfx_step gfx_execute_formatted(struct gfx_context *context)
{
	struct gfx_address_inputs inputs = {0};
	struct gfx_format format;
	struct gfx_access access;

	if (!context->wave->exec)
		return GFX_STEP_DONE;
	gfx_read_resource(context, &inputs);
	format = gfx_buffer_format(context->instruction, inputs.resource);
	if (!format.count)
		return gfx_illegal(context, true, "a buffer's format");
	/* No document says whether they are cut or clamped. */
	if (is_narrow(context->instruction->operation) && is_whole(format) && format.bytes > 2)
		return gfx_illegal(context, true, "whole numbers of 32 bits in halves");
	gfx_resolve_access(context, &access);
	if (access.not_implemented)
		return gfx_illegal(context, true, access.not_implemented);
	if (context->instruction->operation->memory == GFX_MEMORY_LOAD)
		return formatted_load(context, &access, format, inputs.resource[3]);
	return formatted_store(context, &access, format, inputs.resource[3]);
}

/* ---- Images ---- */

struct image {
	uint64_t base, slice_bytes;
	uint32_t width, height, slices, pitch; /* elements */
	uint32_t dimensions, select, element;  /* bytes of an element: a power of two */
	uint32_t block_bits; /* log2 of a block's bytes; 0: rows one behind the other */
	bool display, pipes; /* the order within 256 bytes; what lies on which pipe is mixed */
	struct gfx_format format;
};

/* Bits of an image's swizzle mode. */
static const struct {
	uint8_t block_bits;
	bool display, pipes;
} swizzles[] = {
	[5] = {12, false, false}, [6] = {12, true, false},  [9] = {16, false, false},
	[10] = {16, true, false}, [21] = {12, false, true}, [22] = {12, true, true},
	[25] = {16, false, true}, [26] = {16, true, true},
};

/*
 * The coordinate of which each bit of an offset within 256 bytes is, from the element's size on: by log2 of that size. Y
 * stands where the first two bits of y are exchanged.
 */
static const char *const standard_order[] = {"xxxxyyyy", "xxxyyyx", "xxyyyx", "xyyxx", "yyxx"};
static const char *const display_order[] = {"xxxYyyxy", "xxxyyyx", "xxyxyy", "xyxxy", "xyxy"};

static uint32_t log2_of(uint32_t power)
{
	return (uint32_t)__builtin_ctz(power);
}

/* How wide and high a block of 256 bytes is, and a whole block, as log2. */
static void image_block(const struct image *image, uint32_t micro[2], uint32_t block[2])
{
	uint32_t elements = 8 - log2_of(image->element);

	micro[1] = elements / 2;
	micro[0] = elements - micro[1];
	for (uint32_t i = 0; i < 2; i++)
		block[i] = micro[i] + (image->block_bits - 8) / 2;
}

static void image_size_slice(struct image *image)
{
	uint32_t micro[2], block[2], height = image->height;

	if (image->block_bits) {
		image_block(image, micro, block);
		height = (height + (1u << block[1]) - 1) >> block[1] << block[1];
	}
	image->slice_bytes = (uint64_t)image->pitch * height * image->element;
}

/* Returns the reason why the image cannot be used; NULL: none. */
static const char *image_take(const struct gfx_context *context, struct image *image)
{
	uint32_t words[8], mode, type;

	for (uint32_t i = 0; i < 8; i++)
		words[i] = gfx_read_scalar32(context, context->instruction->resource + i);
	mode = words[3] >> 20 & 31;
	type = words[3] >> 28;
	*image = (struct image){
		.base = (words[0] | (uint64_t)(words[1] & 0xff) << 32) << 8,
		.format = gfx_format_of(words[1] >> 20 & 63, words[1] >> 26 & 15),
		.width = (words[2] & 0x3fff) + 1,
		.height = (words[2] >> 14 & 0x3fff) + 1,
		.slices = (words[4] & 0x1fff) + 1,
		.pitch = (words[4] >> 13 & 0xffff) + 1,
		.select = words[3],
		.dimensions = type == IMAGE_1D || type == IMAGE_1D_ARRAY ? 1 : 2,
	};
	image->element = (uint32_t)image->format.count * image->format.bytes;
	if (type != IMAGE_1D && type != IMAGE_2D && type != IMAGE_1D_ARRAY &&
	    type != IMAGE_2D_ARRAY)
		return "an image that is neither 1-D nor 2-D";
	if (!image->element || image->element & (image->element - 1))
		return "an image's format: neither 1, 2 or 4 components of 8, 16 or 32 bits nor "
		       "sRGB";
	if (words[3] >> 12 & 0xff || words[5] & 0x1fff || words[6] >> 21 & 1)
		return "an image with levels, a first slice or compression";
	if (image->dimensions == 1)
		image->height = 1;
	if (mode) {
		if (mode >= sizeof(swizzles) / sizeof(swizzles[0]) || !swizzles[mode].block_bits)
			return "an image's swizzle mode";
		image->block_bits = swizzles[mode].block_bits;
		image->display = swizzles[mode].display;
		image->pipes = swizzles[mode].pipes;
	}
	image_size_slice(image);
	return NULL;
}

/* The place of an element within its 256 bytes. */
static uint32_t micro_offset(const struct image *image, uint32_t x, uint32_t y)
{
	uint32_t shift = log2_of(image->element), at = 0, used[2] = {0, 0};
	const char *order = (image->display ? display_order : standard_order)[shift];

	if (strchr(order, 'Y'))
		y = (y & ~3u) | (y & 1) << 1 | (y >> 1 & 1);
	for (uint32_t i = 0; order[i]; i++) {
		uint32_t which = order[i] == 'x' ? 0 : 1, value = which ? y : x;

		at |= (value >> used[which]++ & 1) << (shift + i);
	}
	return at;
}

/* Bits of y and x in turn, the lowest one of y. */
static uint64_t interleave(uint32_t x, uint32_t y)
{
	uint64_t mixed = 0;

	for (uint32_t i = 0; i < 14; i++)
		mixed |= (uint64_t)(y >> i & 1) << 2 * i | (uint64_t)(x >> i & 1) << (2 * i + 1);
	return mixed;
}

static uint64_t image_address(const struct image *image, uint32_t x, uint32_t y, uint32_t slice)
{
	uint64_t base = image->base + slice * image->slice_bytes, inside, block;
	uint32_t micro[2], sizes[2];

	if (!image->block_bits)
		return base + ((uint64_t)y * image->pitch + x) * image->element;
	image_block(image, micro, sizes);
	inside = micro_offset(image, x, y) | interleave(x >> micro[0], y >> micro[1]) << 8;
	/* The bits behind those that say the pipe, and the slice's, in reverse. */
	for (uint32_t i = 0; i < GFX_PIPES_LOG2 && image->pipes; i++) {
		uint64_t bit = inside >> (8 + 2 * GFX_PIPES_LOG2 - 1 - i) & 1;

		bit ^= slice >> (GFX_PIPES_LOG2 - 1 - i) & 1;
		inside ^= bit << (8 + i);
	}
	inside &= (UINT64_C(1) << image->block_bits) - 1;
	block = (uint64_t)(y >> sizes[1]) * (image->pitch >> sizes[0]) + (x >> sizes[0]);
	return base + (block << image->block_bits) + inside;
}

static enum gfx_step image_fail(struct gfx_context *context, uint32_t lane, uint64_t address,
				bool write)
{
	context->fault->lanes = UINT64_C(1) << lane;
	context->fault->address = address;
	context->fault->write = write;
	context->fault->reason = "global address not accessible";
	return GFX_STEP_MEMORY_VIOLATION;
}

/* Coordinates of a lane, the slice last. */
static void read_coordinates(const struct gfx_context *context, const struct image *image,
			     uint32_t lane, uint32_t at[3])
{
	const struct gfx_instruction *instruction = context->instruction;
	bool array = instruction->words[0] & IS_ARRAY;
	uint32_t count = image->dimensions + array;
	const uint32_t *planes = gfx_vgpr(context->wave, instruction->address, count, false);

	at[0] = at[1] = at[2] = 0;
	for (uint32_t i = 0; i < image->dimensions && planes; i++)
		at[i] = planes[i * GFX_MAX_LANES + lane];
	if (array && planes)
		at[2] = planes[image->dimensions * GFX_MAX_LANES + lane];
}

/* The components that the instruction names, to registers or from them. */
static uint32_t component_mask(const struct gfx_instruction *instruction)
{
	return instruction->words[0] >> 8 & 15;
}

static void write_components(uint32_t *to, uint32_t mask, uint32_t lane,
			     const uint32_t values[COMPONENTS])
{
	for (uint32_t i = 0; i < COMPONENTS; i++)
		if (mask >> i & 1) {
			to[lane] = values[i];
			to += GFX_MAX_LANES;
		}
}

/* Returns the reason why the instruction cannot be executed at all; NULL: none. */
static const char *image_refuse(const struct gfx_instruction *instruction)
{
	if (!component_mask(instruction))
		return "an image instruction without components";
	if (instruction->words[0] & (HALF_COORDINATES | WARNS) || instruction->words[1] & HALF_DATA)
		return "an image instruction of halves, or with warnings";
	return NULL;
}

/* Registers of the data; NULL if the wave does not have all of them. */
static uint32_t *image_data(const struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t words = (uint32_t)__builtin_popcount(component_mask(instruction));

	return gfx_vgpr(context->wave, instruction->dst, words, instruction->acc);
}

static bool image_has(const struct image *image, const uint32_t at[3])
{
	return at[0] < image->width && at[1] < image->height && at[2] < image->slices;
}

/* Nothing is written to registers before it is known that no access fails. */
struct loaded {
	uint32_t lane[GFX_MAX_LANES][COMPONENTS];
};

static void loaded_write(const struct gfx_context *context, const struct loaded *loaded)
{
	uint32_t *to = image_data(context);

	for (uint64_t left = context->wave->exec; left && to; left &= left - 1) {
		uint32_t lane = gfx_first_lane(left);

		write_components(to, component_mask(context->instruction), lane,
				 loaded->lane[lane]);
	}
}

/* An element as a register has it. Return: false if it cannot be read; its address is then in @address_ret. */
static bool image_read_element(const struct gfx_context *context, const struct image *image,
			       const uint32_t at[3], uint32_t values[COMPONENTS],
			       uint64_t *address_ret)
{
	const struct gfx_memory *memory = context->memory;
	uint8_t bytes[GFX_LANE_BYTES];

	*address_ret = image_address(image, at[0], at[1], at[2]);
	if (!memory->read(memory->opaque, *address_ret, bytes, image->element))
		return false;
	element_load(image->format, image->select, bytes, values);
	return true;
}

enum gfx_step gfx_image_load(struct gfx_context *context)
{
	const char *wrong = image_refuse(context->instruction);
	struct loaded loaded;
	struct image image;

	if (!wrong)
		wrong = image_take(context, &image);
	if (wrong)
		return gfx_illegal(context, true, wrong);
	memset(&loaded, 0, sizeof(loaded));
	for (uint64_t left = context->wave->exec; left; left &= left - 1) {
		uint32_t lane = gfx_first_lane(left), at[3];
		uint64_t address;

		read_coordinates(context, &image, lane, at);
		if (image_has(&image, at) &&
		    !image_read_element(context, &image, at, loaded.lane[lane], &address))
			return image_fail(context, lane, address, false);
	}
	loaded_write(context, &loaded);
	return GFX_STEP_DONE;
}

/* The data of a lane, with zeros for what the instruction does not name. */
static void read_components(const struct gfx_context *context, uint32_t lane,
			    uint32_t values[COMPONENTS])
{
	const uint32_t *from = image_data(context);

	memset(values, 0, COMPONENTS * sizeof(*values));
	for (uint32_t i = 0; i < COMPONENTS && from; i++)
		if (component_mask(context->instruction) >> i & 1) {
			values[i] = from[lane];
			from += GFX_MAX_LANES;
		}
}

enum gfx_step gfx_image_store(struct gfx_context *context)
{
	const struct gfx_memory *memory = context->memory;
	const char *wrong = image_refuse(context->instruction);
	struct image image;

	if (!wrong)
		wrong = image_take(context, &image);
	if (!wrong && image.format.number == GFX_NUMBER_SRGB)
		wrong = "a store to an sRGB image";
	if (wrong)
		return gfx_illegal(context, true, wrong);
	for (uint64_t left = context->wave->exec; left; left &= left - 1) {
		uint32_t lane = gfx_first_lane(left), at[3], values[COMPONENTS];
		uint8_t bytes[GFX_LANE_BYTES];
		uint64_t address;

		read_coordinates(context, &image, lane, at);
		if (!image_has(&image, at))
			continue;
		address = image_address(&image, at[0], at[1], at[2]);
		read_components(context, lane, values);
		element_store(image.format, image.select, values, bytes);
		if (!memory->write(memory->opaque, address, bytes, image.element))
			return image_fail(context, lane, address, true);
	}
	return GFX_STEP_DONE;
}

/* ---- Samplers ---- */

struct sampler {
	uint32_t clamp[2]; /* enum clamp_mode */
	bool unnormalized, linear;
	uint32_t border[COMPONENTS];
};

static const char *sampler_take(const struct gfx_context *context, struct sampler *sampler)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t words[4], filter, border;

	for (uint32_t i = 0; i < 4; i++)
		words[i] = gfx_read_scalar32(context, instruction->scalar_address + i);
	*sampler = (struct sampler){
		.clamp = {words[0] & 7, words[0] >> 3 & 7},
		.unnormalized = words[0] >> 15 & 1 || instruction->words[0] & UNNORMALIZED,
	};
	for (uint32_t i = 0; i < 2; i++)
		if (sampler->clamp[i] > CLAMP_LAST && sampler->clamp[i] != CLAMP_BORDER)
			return "a sampler's address mode";
	filter = words[2] >> 20 & 3;
	/* There is one level, so that it does not matter how far apart the coordinates of neighbours are. */
	if (filter > 1 || filter != (words[2] >> 22 & 3) || words[0] >> 29 & 3 ||
	    words[0] >> 20 & 1)
		return "a sampler's filter";
	sampler->linear = filter;
	border = words[3] >> 30;
	if (border == 3)
		return "a sampler's border colour";
	for (uint32_t i = 0; i < COMPONENTS; i++)
		sampler->border[i] = border == 2 || (border == 1 && i == 3) ? ONE : 0;
	return NULL;
}

/* A coordinate in steps of FRACTION to an element. */
static int64_t fixed_of(float coordinate)
{
	const float most = 1 << 22;

	if (!(coordinate == coordinate))
		return 0;
	coordinate = coordinate < -most ? -most : coordinate > most ? most : coordinate;
	return (int64_t)rintf(coordinate * FRACTION);
}

/* Rounds down. */
static int64_t whole_of(int64_t fixed)
{
	return (fixed - (fixed % FRACTION + FRACTION) % FRACTION) / FRACTION;
}

/* Which element stands at a place, of those from 0 to @size; false: none, and the border does. */
static bool clamp_to(uint32_t mode, int64_t place, uint32_t size, uint32_t *at_ret)
{
	int64_t around = mode == CLAMP_MIRROR ? 2 * (int64_t)size : size;

	if (mode == CLAMP_BORDER && (place < 0 || place >= size))
		return false;
	if (mode == CLAMP_WRAP || mode == CLAMP_MIRROR) {
		place = (place % around + around) % around;
		place = place >= size ? around - 1 - place : place;
	}
	place = place < 0 ? 0 : place >= size ? size - 1 : place;
	*at_ret = (uint32_t)place;
	return true;
}

/* One sample being taken. */
struct sampling {
	const struct gfx_context *context;
	const struct image *image;
	const struct sampler *sampler;
	uint64_t address; /* of the element that was read last */
};

static bool sample_element(struct sampling *sampling, const int64_t place[2], uint32_t slice,
			   uint32_t values[COMPONENTS])
{
	const struct image *image = sampling->image;
	const struct sampler *sampler = sampling->sampler;
	uint32_t at[3] = {0, 0, slice};

	if (!clamp_to(sampler->clamp[0], place[0], image->width, &at[0]) ||
	    (image->dimensions > 1 &&
	     !clamp_to(sampler->clamp[1], place[1], image->height, &at[1]))) {
		memcpy(values, sampler->border, sizeof(sampler->border));
		return true;
	}
	return image_read_element(sampling->context, image, at, values, &sampling->address);
}

/* The weighted sum of two elements in a row, or of four. */
static bool sample_linear(struct sampling *sampling, const int64_t fixed[2], uint32_t slice,
			  uint32_t values[COMPONENTS])
{
	uint32_t rows = sampling->image->dimensions;
	float sums[COMPONENTS] = {0}, part[2];
	int64_t first[2];

	for (uint32_t i = 0; i < 2; i++) {
		first[i] = whole_of(fixed[i] - HALF);
		part[i] = (float)(fixed[i] - HALF - first[i] * FRACTION) / FRACTION;
	}
	for (uint32_t i = 0; i < 2 * rows; i++) {
		const int64_t place[2] = {first[0] + (i & 1), first[1] + (i >> 1)};
		float weight = i & 1 ? part[0] : 1 - part[0];
		uint32_t element[COMPONENTS];

		if (rows > 1)
			weight *= i >> 1 ? part[1] : 1 - part[1];
		if (!sample_element(sampling, place, slice, element))
			return false;
		/* An element that counts nothing may be no number. */
		for (uint32_t c = 0; c < COMPONENTS && weight != 0; c++)
			sums[c] += weight * gfx_f32(element[c]);
	}
	for (uint32_t c = 0; c < COMPONENTS; c++)
		values[c] = gfx_f32_bits(sums[c]);
	return true;
}

static bool sample_lane(struct sampling *sampling, uint32_t lane, uint32_t values[COMPONENTS])
{
	const struct image *image = sampling->image;
	const uint32_t sizes[2] = {image->width, image->height};
	uint32_t at[3], slice;
	int64_t fixed[2], place[2];

	read_coordinates(sampling->context, image, lane, at);
	slice = (uint32_t)component_round(gfx_f32(at[2]), 0, (float)(image->slices - 1));
	for (uint32_t i = 0; i < 2; i++) {
		float scale = sampling->sampler->unnormalized ? 1 : (float)sizes[i];

		fixed[i] = fixed_of(gfx_f32(at[i]) * scale);
		place[i] = whole_of(fixed[i]);
	}
	return sampling->sampler->linear ? sample_linear(sampling, fixed, slice, values)
					 : sample_element(sampling, place, slice, values);
}

enum gfx_step gfx_image_sample(struct gfx_context *context)
{
	const char *wrong = image_refuse(context->instruction);
	struct sampler sampler;
	struct loaded loaded;
	struct image image;
	struct sampling sampling = {context, &image, &sampler, 0};

	if (!wrong)
		wrong = image_take(context, &image);
	if (!wrong)
		wrong = sampler_take(context, &sampler);
	if (!wrong && sampler.linear && is_whole(image.format))
		wrong = "linear filtering of whole numbers";
	if (wrong)
		return gfx_illegal(context, true, wrong);
	memset(&loaded, 0, sizeof(loaded));
	for (uint64_t left = context->wave->exec; left; left &= left - 1) {
		uint32_t lane = gfx_first_lane(left);

		if (!sample_lane(&sampling, lane, loaded.lane[lane]))
			return image_fail(context, lane, sampling.address, false);
	}
	loaded_write(context, &loaded);
	return GFX_STEP_DONE;
}
