/* SPDX-License-Identifier: MIT */
/*
 * Typed buffers, and images of gfx9. An element in memory has components of 8, 16 or 32 bits; a register has a whole number or
 * a single for each, in the order that the descriptor selects. Images are 1-D, 2-D, arrays of those, and 3-D, of one level;
 * their rows are one behind the other, or swizzled within blocks of 4 or 64 KiB as the kernel's GB_ADDR_CONFIG says (GFX_PIPES_LOG2).
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
#define AXES 3u

/* Bits of an image instruction's first word. */
#define UNNORMALIZED (1u << 12)
#define IS_ARRAY (1u << 14)
#define HALF_COORDINATES (1u << 15)
#define WARNS (1u << 17)
#define HALF_DATA (1u << 31) /* of the second */

enum image_type {
	IMAGE_1D = 8,
	IMAGE_2D = 9,
	IMAGE_3D = 10,
	IMAGE_CUBE = 11,
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
	uint64_t base, slice_bytes;	      /* of a 3-D image in deep blocks, a layer of these */
	uint32_t size[AXES], pitch;	      /* elements: width, height, slices */
	uint32_t dimensions, select, element; /* bytes of an element: a power of two */
	uint32_t block_bits;  /* log2 of a block's bytes; 0: rows one behind the other */
	uint32_t block[AXES]; /* log2 of a block's elements along each axis */
	const char *order;    /* within the smallest piece of a block */
	bool deep, pipes;     /* blocks have several slices; what lies on which pipe is mixed */
	struct gfx_format format;
};

enum image_order { ORDER_STANDARD, ORDER_DISPLAY, ORDER_Z };

/* Bits of an image's swizzle mode. */
static const struct {
	uint8_t block_bits, order; /* enum image_order */
	bool pipes;
} swizzles[] = {
	[4] = {12, ORDER_Z, false},	   [5] = {12, ORDER_STANDARD, false},
	[6] = {12, ORDER_DISPLAY, false},  [8] = {16, ORDER_Z, false},
	[9] = {16, ORDER_STANDARD, false}, [10] = {16, ORDER_DISPLAY, false},
	[20] = {12, ORDER_Z, true},	   [21] = {12, ORDER_STANDARD, true},
	[22] = {12, ORDER_DISPLAY, true},  [24] = {16, ORDER_Z, true},
	[25] = {16, ORDER_STANDARD, true}, [26] = {16, ORDER_DISPLAY, true},
};

/*
 * The coordinate of which each bit of an offset within 256 bytes is, from the element's size on: by log2 of that size. Y
 * stands where the first two bits of y are exchanged.
 */
static const char *const flat_orders[][5] = {
	[ORDER_STANDARD] = {"xxxxyyyy", "xxxyyyx", "xxyyyx", "xyyxx", "yyxx"},
	[ORDER_DISPLAY] = {"xxxYyyxy", "xxxyyyx", "xxyxyy", "xyxxy", "xyxy"},
	[ORDER_Z] = {NULL},
};

/* The same within 1,024 bytes of blocks that have several slices. */
static const char *const deep_orders[][5] = {
	[ORDER_STANDARD] = {"xxxxyyzzzy", "xxxyyzzzy", "xxyyzzyx", "xyyzzxx", "yyzzxx"},
	[ORDER_DISPLAY] = {NULL},
	[ORDER_Z] = {"xyxyzzxzyx", "xyxyzzzyx", "xyxzyzyx", "xyzxzyx", "xyzzyx"},
};

static uint32_t log2_of(uint32_t power)
{
	return (uint32_t)__builtin_ctz(power);
}

/* The axis of a letter of an order. */
static uint32_t letter_axis(char letter)
{
	return letter == 'Y' ? 1 : (uint32_t)(letter - 'x');
}

/* Behind the smallest piece bits of all axes take turns: the axis of bit @index, of which the last axis has the first. */
static uint32_t image_turn(const struct image *image, uint32_t index)
{
	uint32_t axes = image->deep ? 3 : 2;

	return axes - 1 - index % axes;
}

/* How its elements lie in blocks. Return: false if it is not known for this mode. */
static bool image_take_blocks(struct image *image, uint32_t mode)
{
	uint32_t element = log2_of(image->element), order, bit;

	if (mode >= sizeof(swizzles) / sizeof(swizzles[0]) || !swizzles[mode].block_bits)
		return false;
	order = swizzles[mode].order;
	image->block_bits = swizzles[mode].block_bits;
	image->pipes = swizzles[mode].pipes;
	image->deep = image->dimensions == AXES && order != ORDER_DISPLAY;
	/* Blocks of one slice of a 3-D image are in the other order. */
	if (image->dimensions == AXES && order == ORDER_DISPLAY)
		order = ORDER_STANDARD;
	image->order = (image->deep ? deep_orders : flat_orders)[order][element];
	if (!image->order)
		return false;
	bit = element;
	for (const char *letter = image->order; *letter; letter++, bit++)
		image->block[letter_axis(*letter)]++;
	for (uint32_t i = 0; bit < image->block_bits; i++, bit++)
		image->block[image_turn(image, i)]++;
	return true;
}

static void image_size_slice(struct image *image)
{
	uint32_t rows = 1u << image->block[1];
	uint64_t height = (image->size[1] + rows - 1) / rows * rows;

	image->slice_bytes = (height * image->pitch * image->element) << image->block[2];
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
		.size = {(words[2] & 0x3fff) + 1, (words[2] >> 14 & 0x3fff) + 1,
			 (words[4] & 0x1fff) + 1},
		.pitch = (words[4] >> 13 & 0xffff) + 1,
		.select = words[3],
		.dimensions = type == IMAGE_1D || type == IMAGE_1D_ARRAY ? 1
			      : type == IMAGE_3D			 ? 3
									 : 2,
	};
	image->element = (uint32_t)image->format.count * image->format.bytes;
	if (type < IMAGE_1D || type > IMAGE_2D_ARRAY || type == IMAGE_CUBE)
		return "an image that is neither 1-D, 2-D nor 3-D";
	if (!image->element || image->element & (image->element - 1))
		return "an image's format: neither 1, 2 or 4 components of 8, 16 or 32 bits nor "
		       "sRGB";
	if (words[3] >> 12 & 0xff || words[5] & 0x1fff || words[6] >> 21 & 1)
		return "an image with levels, a first slice or compression";
	if (image->dimensions == 1)
		image->size[1] = 1;
	if (mode && !image_take_blocks(image, mode))
		return "an image's swizzle mode";
	image_size_slice(image);
	return NULL;
}

/* Bits of an offset that say the pipe, and those behind them that are mixed into these. */
#define PIPE_BITS 8u
#define MIXED_BITS (PIPE_BITS + 3 * GFX_PIPES_LOG2)

/* Bit @index of the pipe is mixed with those behind the pipe's, in reverse, and with the slice's. */
static uint32_t pipe_mix(const struct image *image, uint32_t offset, uint32_t slice, uint32_t index)
{
	uint32_t reverse = GFX_PIPES_LOG2 - 1 - index;
	uint32_t behind = offset >> (PIPE_BITS + GFX_PIPES_LOG2);

	if (image->deep)
		return behind >> 2 * reverse ^ behind >> (2 * reverse + 1);
	return behind >> reverse ^ slice >> reverse;
}

/* The place of an element within its block. */
static uint32_t block_offset(const struct image *image, const uint32_t at[AXES])
{
	uint32_t bit = log2_of(image->element), offset = 0, mix = 0;
	uint32_t left[AXES] = {at[0], at[1], at[2]};

	if (strchr(image->order, 'Y'))
		left[1] = (at[1] & ~3u) | (at[1] & 1) << 1 | (at[1] >> 1 & 1);
	for (const char *letter = image->order; *letter; letter++) {
		offset |= (left[letter_axis(*letter)] & 1) << bit++;
		left[letter_axis(*letter)] >>= 1;
	}
	for (uint32_t i = 0; bit < MIXED_BITS; i++) {
		offset |= (left[image_turn(image, i)] & 1) << bit++;
		left[image_turn(image, i)] >>= 1;
	}
	for (uint32_t i = 0; i < GFX_PIPES_LOG2 && image->pipes; i++)
		mix |= (pipe_mix(image, offset, at[2], i) & 1) << (PIPE_BITS + i);
	return (offset ^ mix) & ((1u << image->block_bits) - 1);
}

static uint64_t image_address(const struct image *image, const uint32_t at[AXES])
{
	uint64_t slice = image->base + (at[2] >> image->block[2]) * image->slice_bytes, block;

	if (!image->block_bits)
		return slice + ((uint64_t)at[1] * image->pitch + at[0]) * image->element;
	block = (uint64_t)(at[1] >> image->block[1]) * (image->pitch >> image->block[0]) +
		(at[0] >> image->block[0]);
	return slice + (block << image->block_bits) + block_offset(image, at);
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

/* Coordinates of a lane, an array's slice last. */
static void read_coordinates(const struct gfx_context *context, const struct image *image,
			     uint32_t lane, uint32_t at[AXES])
{
	const struct gfx_instruction *instruction = context->instruction;
	/* AMD's runtime copies to 3-D images as to arrays of its slices. */
	bool array = instruction->words[0] & IS_ARRAY && image->dimensions < AXES;
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

static bool image_has(const struct image *image, const uint32_t at[AXES])
{
	return at[0] < image->size[0] && at[1] < image->size[1] && at[2] < image->size[2];
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
			       const uint32_t at[AXES], uint32_t values[COMPONENTS],
			       uint64_t *address_ret)
{
	const struct gfx_memory *memory = context->memory;
	uint8_t bytes[GFX_LANE_BYTES];

	*address_ret = image_address(image, at);
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
		address = image_address(&image, at);
		read_components(context, lane, values);
		element_store(image.format, image.select, values, bytes);
		if (!memory->write(memory->opaque, address, bytes, image.element))
			return image_fail(context, lane, address, true);
	}
	return GFX_STEP_DONE;
}

/* ---- Samplers ---- */

struct sampler {
	uint32_t clamp[AXES]; /* enum clamp_mode */
	bool unnormalized, linear;
	uint32_t border[COMPONENTS];
};

static const char *sampler_take(const struct gfx_context *context, const struct image *image,
				struct sampler *sampler)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t words[4], filter, border;

	for (uint32_t i = 0; i < 4; i++)
		words[i] = gfx_read_scalar32(context, instruction->scalar_address + i);
	*sampler = (struct sampler){
		.clamp = {words[0] & 7, words[0] >> 3 & 7, words[0] >> 6 & 7},
		.unnormalized = words[0] >> 15 & 1 || instruction->words[0] & UNNORMALIZED,
	};
	for (uint32_t i = 0; i < image->dimensions; i++)
		if (sampler->clamp[i] > CLAMP_LAST && sampler->clamp[i] != CLAMP_BORDER)
			return "a sampler's address mode";
	filter = words[2] >> 20 & 3;
	/* There is one level, so that it does not matter how far apart the coordinates of neighbours are. */
	if (filter > 1 || filter != (words[2] >> 22 & 3) || words[0] >> 29 & 3 ||
	    words[0] >> 20 & 1)
		return "a sampler's filter";
	/* AMD's runtime refuses such a texture: gfx90a does not have it. */
	if (image->dimensions == AXES && (filter || words[2] >> 25 & 1))
		return "linear filtering of a 3-D image";
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

/* Along the axes that the image does not have, @place is within it. */
static bool sample_element(struct sampling *sampling, const int64_t place[AXES],
			   uint32_t values[COMPONENTS])
{
	const struct image *image = sampling->image;
	const struct sampler *sampler = sampling->sampler;
	uint32_t at[AXES];

	for (uint32_t i = 0; i < AXES; i++) {
		uint32_t mode = i < image->dimensions ? sampler->clamp[i] : CLAMP_LAST;

		if (!clamp_to(mode, place[i], image->size[i], &at[i])) {
			memcpy(values, sampler->border, sizeof(sampler->border));
			return true;
		}
	}
	return image_read_element(sampling->context, image, at, values, &sampling->address);
}

/* The weighted sum of the elements around a place: two for each axis. */
static bool sample_linear(struct sampling *sampling, const int64_t fixed[AXES],
			  uint32_t values[COMPONENTS])
{
	uint32_t axes = sampling->image->dimensions;
	float sums[COMPONENTS] = {0}, part[AXES];
	int64_t first[AXES];

	/* Along the axes that the image does not have, it is a whole element. */
	for (uint32_t axis = 0; axis < AXES; axis++) {
		int64_t from = fixed[axis] - (axis < axes ? HALF : 0);

		first[axis] = whole_of(from);
		part[axis] = (float)(from - first[axis] * FRACTION) / FRACTION;
	}
	for (uint32_t i = 0; i < 1u << axes; i++) {
		int64_t place[AXES];
		uint32_t element[COMPONENTS];
		float weight = 1;

		for (uint32_t axis = 0; axis < AXES; axis++) {
			place[axis] = first[axis] + (i >> axis & 1);
			weight *= i >> axis & 1 ? part[axis] : 1 - part[axis];
		}
		if (!sample_element(sampling, place, element))
			return false;
		/* An element that counts nothing may be no number. */
		for (uint32_t c = 0; c < COMPONENTS && weight != 0; c++)
			sums[c] += weight * gfx_f32(element[c]);
	}
	for (uint32_t c = 0; c < COMPONENTS; c++)
		values[c] = gfx_f32_bits(sums[c]);
	return true;
}

/* A coordinate in steps of FRACTION to an element: of an array's slice, a whole number of elements. */
static int64_t sample_fixed(const struct sampling *sampling, const uint32_t at[AXES], uint32_t axis)
{
	const struct image *image = sampling->image;
	float size = (float)image->size[axis], scale = sampling->sampler->unnormalized ? 1 : size;

	if (axis < image->dimensions)
		return fixed_of(gfx_f32(at[axis]) * scale);
	return FRACTION * (int64_t)component_round(gfx_f32(at[axis]), 0, size - 1);
}

static bool sample_lane(struct sampling *sampling, uint32_t lane, uint32_t values[COMPONENTS])
{
	int64_t fixed[AXES], place[AXES];
	uint32_t at[AXES];

	read_coordinates(sampling->context, sampling->image, lane, at);
	for (uint32_t i = 0; i < AXES; i++) {
		fixed[i] = sample_fixed(sampling, at, i);
		place[i] = whole_of(fixed[i]);
	}
	return sampling->sampler->linear ? sample_linear(sampling, fixed, values)
					 : sample_element(sampling, place, values);
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
	if (!wrong && image.dimensions == AXES && context->instruction->words[0] & IS_ARRAY)
		wrong = "a sample of a 3-D image's slices";
	if (!wrong)
		wrong = sampler_take(context, &image, &sampler);
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
