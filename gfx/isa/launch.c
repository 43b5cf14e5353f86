/* SPDX-License-Identifier: MIT */
/* Kernel descriptors, and the state in which a wave begins. */
#include "gfx/isa/launch.h"

#include <string.h>

#include "gfx/isa/tables.h"
#include "gfx/wave/context.h"

/* Layout of the descriptor. */
enum descriptor_offset {
	AT_GROUP_SIZE = 0,
	AT_PRIVATE_SIZE = 4,
	AT_KERNARG_SIZE = 8,
	AT_RESERVED_0 = 12,
	AT_ENTRY = 16,
	AT_RESERVED_1 = 24,
	AT_RSRC3 = 44,
	AT_RSRC1 = 48,
	AT_RSRC2 = 52,
	AT_PROPERTIES = 56,
	AT_PRELOAD = 58,
	AT_RESERVED_2 = 60,
	DESCRIPTOR_SIZE = 64,
};

/* Properties: which user SGPRs the kernel asked for, in their order. */
enum kernel_property {
	PROPERTY_PRIVATE_BUFFER = 1 << 0,
	PROPERTY_DISPATCH_PACKET = 1 << 1,
	PROPERTY_QUEUE = 1 << 2,
	PROPERTY_KERNARG = 1 << 3,
	PROPERTY_DISPATCH_ID = 1 << 4,
	PROPERTY_FLAT_SCRATCH = 1 << 5,
	PROPERTY_PRIVATE_SIZE = 1 << 6,
	PROPERTY_WAVE32 = 1 << 10,
	PROPERTY_DYNAMIC_STACK = 1 << 11,
	PROPERTY_RESERVED = 0xf380,
};

#define STATUS_TRAP_ENABLED (1U << 6)
#define STATUS_IN_GROUP (1U << 11)
#define STATUS_VALID (1U << 16)
#define TTMPS_INITIALISED (1U << 31)
/* Bits of a buffer descriptor's second word, and its fourth: x, y, z, w; 32 bits unsigned; an index
 * stride, which is added below; the lane is added to the index. */
#define BUFFER_SWIZZLED (1U << 31)
#define BUFFER_WORDS (4U | 5U << 3 | 6U << 6 | 7U << 9 | 4U << 12 | 4U << 15 | 1U << 23)
/* From gfx10 on: a format of 32 bits in a field of its own, the long form of the descriptor, and no check of bounds. */
#define BUFFER_WORDS_GFX10                                                                         \
	(4U | 5U << 3 | 6U << 6 | 7U << 9 | 20U << 12 | 1U << 23 | 1U << 24 | 2U << 28)
#define BUFFER_STRIDE_SHIFT 21 /* 2: 32 lanes, 3: 64 */

/* Registers that every wave of gfx9 has at the top of its allocation: vcc and its neighbours. */
#define ALIASED_SGPRS 6U
#define NAMED_SGPRS 102U
#define VGPR_GRANULE 8U
#define SGPR_GRANULE 16U
#define LANE_COUNT 64U
#define SHORT_WAVE_LANES 32U
#define SHORT_WAVE_VGPR_GRANULE 8U
#define LONG_WAVE_VGPR_GRANULE 4U
/* From gfx12 on the place of the workgroup in the grid is here. */
#define TTMP_WORKGROUP_YZ 7
#define TTMP_PACKET 8
#define TTMP_WORKGROUP_X 9

static uint32_t field(uint32_t word, uint32_t low, uint32_t count)
{
	return word >> low & ((1U << count) - 1);
}

static uint32_t load32(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

static uint16_t load16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static bool all_zero(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

/* Hardware that sets up the private memory of a wave itself knows its address. */
static bool has_architected_scratch(const struct gfx_architecture *architecture)
{
	return architecture->trap_after_instruction ||
	       architecture->generation >= GFX_GENERATION_11;
}

static bool has_workgroup_in_ttmps(const struct gfx_architecture *architecture)
{
	return architecture->generation >= GFX_GENERATION_12;
}

static uint32_t descriptor_lanes(const struct gfx_architecture *architecture,
				 const struct gfx_kernel_descriptor *descriptor)
{
	return gfx_has_short_waves(architecture) && descriptor->properties & PROPERTY_WAVE32
		       ? SHORT_WAVE_LANES
		       : LANE_COUNT;
}

static uint32_t user_sgprs_named(uint32_t properties)
{
	static const uint8_t sizes[] = {4, 2, 2, 2, 2, 2, 1};
	uint32_t count = 0;

	for (uint32_t i = 0; i < sizeof(sizes); i++)
		if (properties >> i & 1)
			count += sizes[i];
	return count;
}

static uint32_t user_sgpr_count(const struct gfx_kernel_descriptor *descriptor)
{
	return field(descriptor->rsrc2, 1, 5);
}

/* One register file for all vector registers, of which the kernel says where the accumulation registers begin. */
static bool has_one_vector_file(const struct gfx_architecture *architecture)
{
	return architecture->generation == GFX_GENERATION_9 &&
	       architecture->operations != GFX_OPERATIONS_GFX900 &&
	       architecture->operations != GFX_OPERATIONS_GFX908;
}

static uint32_t total_vgprs(const struct gfx_architecture *architecture,
			    const struct gfx_kernel_descriptor *descriptor)
{
	return (field(descriptor->rsrc1, 0, 6) + 1) *
	       (has_one_vector_file(architecture) ? VGPR_GRANULE : LONG_WAVE_VGPR_GRANULE);
}

static uint32_t accumulation_offset(const struct gfx_kernel_descriptor *descriptor)
{
	return (field(descriptor->rsrc3, 0, 6) + 1) * 4;
}

static const char *descriptor_check(const struct gfx_architecture *architecture,
				    const struct gfx_kernel_descriptor *descriptor)
{
	if (descriptor->properties & PROPERTY_RESERVED)
		return "reserved kernel property bits are set";
	if (descriptor->properties & PROPERTY_WAVE32 && !gfx_has_short_waves(architecture))
		return "the kernel wants waves of 32 lanes, which this architecture has not";
	if (descriptor->properties & PROPERTY_PRIVATE_BUFFER &&
	    has_architected_scratch(architecture))
		return "the kernel wants a private segment buffer, which this architecture has not";
	if (user_sgprs_named(descriptor->properties) + field(descriptor->kernarg_preload, 0, 7) >
	    user_sgpr_count(descriptor))
		return "more user SGPRs are asked for than are counted";
	if (has_one_vector_file(architecture) && accumulation_offset(descriptor) > GFX_MAX_VGPRS)
		return "the accumulation offset is past the last vector register";
	/* The descriptor itself is on 64 bytes; where that puts the entry is for the loader to
	 * check. */
	if (descriptor->entry_offset % 64 != 0)
		return "the entry is not aligned";
	return NULL;
}

const char *gfx_kernel_descriptor_parse(const struct gfx_architecture *architecture,
					const uint8_t bytes[64],
					struct gfx_kernel_descriptor *descriptor_ret)
{
	struct gfx_kernel_descriptor descriptor = {
		.group_segment_size = load32(bytes + AT_GROUP_SIZE),
		.private_segment_size = load32(bytes + AT_PRIVATE_SIZE),
		.kernarg_size = load32(bytes + AT_KERNARG_SIZE),
		.entry_offset = (int64_t)(load32(bytes + AT_ENTRY) |
					  (uint64_t)load32(bytes + AT_ENTRY + 4) << 32),
		.rsrc1 = load32(bytes + AT_RSRC1),
		.rsrc2 = load32(bytes + AT_RSRC2),
		.rsrc3 = load32(bytes + AT_RSRC3),
		.properties = load16(bytes + AT_PROPERTIES),
		.kernarg_preload = load16(bytes + AT_PRELOAD),
	};
	const char *wrong;

	if (!gfx_isa_of(architecture))
		return "waves of this architecture cannot be executed";
	if (!all_zero(bytes + AT_RESERVED_0, AT_ENTRY - AT_RESERVED_0) ||
	    !all_zero(bytes + AT_RESERVED_1, AT_RSRC3 - AT_RESERVED_1) ||
	    !all_zero(bytes + AT_RESERVED_2, DESCRIPTOR_SIZE - AT_RESERVED_2))
		return "reserved bytes are not zero";
	wrong = descriptor_check(architecture, &descriptor);
	if (!wrong)
		*descriptor_ret = descriptor;
	return wrong;
}

/* From gfx10 on a wave has as many scalar registers whatever its kernel asks for. */
static void later_resources(const struct gfx_kernel_descriptor *descriptor, uint32_t lanes,
			    struct gfx_wave_resources *resources_ret)
{
	uint32_t granule = lanes == LANE_COUNT ? LONG_WAVE_VGPR_GRANULE : SHORT_WAVE_VGPR_GRANULE;
	uint32_t vgprs = (field(descriptor->rsrc1, 0, 6) + 1) * granule;

	*resources_ret = (struct gfx_wave_resources){
		.lane_count = lanes,
		.sgpr_count = GFX_MAX_SGPRS,
		.vgpr_count = vgprs < GFX_MAX_VGPRS ? vgprs : GFX_MAX_VGPRS,
	};
}

void gfx_kernel_descriptor_resources(const struct gfx_architecture *architecture,
				     const struct gfx_kernel_descriptor *descriptor,
				     struct gfx_wave_resources *resources_ret)
{
	uint32_t sgprs = (field(descriptor->rsrc1, 6, 4) / 2 + 1) * SGPR_GRANULE - ALIASED_SGPRS;
	uint32_t total = total_vgprs(architecture, descriptor);
	uint32_t offset = accumulation_offset(descriptor);

	if (gfx_has_short_waves(architecture)) {
		later_resources(descriptor, descriptor_lanes(architecture, descriptor),
				resources_ret);
		return;
	}
	resources_ret->lane_count = LANE_COUNT;
	resources_ret->sgpr_count = sgprs < NAMED_SGPRS ? sgprs : NAMED_SGPRS;
	/* A wave has as many registers of each file where there are two. */
	resources_ret->vgpr_count =
		total < offset || !has_one_vector_file(architecture) ? total : offset;
	resources_ret->agpr_count = has_one_vector_file(architecture)
					    ? total - resources_ret->vgpr_count
				    : architecture->save_area == GFX_SAVE_AREA_GFX908 ? total
										      : 0;
	if (resources_ret->agpr_count > GFX_MAX_VGPRS)
		resources_ret->agpr_count = GFX_MAX_VGPRS;
}

/* Filling SGPRs from s0 upward. */
struct sgpr_cursor {
	struct gfx_wave *wave;
	uint32_t next;
};

static void put32(struct sgpr_cursor *cursor, uint32_t value)
{
	/* A small program's may be those behind its own: see operands.c. */
	if (cursor->next < GFX_MAX_SGPRS)
		gfx_write_scalar32(cursor->wave, cursor->next, value);
	cursor->next++;
}

/*
 * The descriptor of all private memory, as the runtime makes it: words of all lanes side by
 * side, the lane's number added as the index. Programs add their wave's offset to its address.
 */
static void put_private_buffer(struct sgpr_cursor *cursor, const struct gfx_launch *launch)
{
	uint64_t size = launch->scratch_pool_size;
	bool gfx9 = cursor->wave->architecture->generation == GFX_GENERATION_9;

	put32(cursor, (uint32_t)launch->scratch_pool_base);
	put32(cursor, (uint32_t)(launch->scratch_pool_base >> 32 & 0xffff) | BUFFER_SWIZZLED);
	put32(cursor, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size);
	put32(cursor, (gfx9 ? BUFFER_WORDS : BUFFER_WORDS_GFX10) |
			      (gfx_is_short(cursor->wave) ? 2U : 3U) << BUFFER_STRIDE_SHIFT);
}

static void put64_if(struct sgpr_cursor *cursor, bool wanted, uint64_t value)
{
	if (!wanted)
		return;
	put32(cursor, (uint32_t)value);
	put32(cursor, (uint32_t)(value >> 32));
}

/*
 * Preloaded kernel arguments stay zero: a kernel that asks for them begins with code that loads
 * them for firmware that does not, and that is the firmware we are.
 */
static void put_user_sgprs(struct sgpr_cursor *cursor,
			   const struct gfx_kernel_descriptor *descriptor,
			   const struct gfx_launch *launch)
{
	bool architected = has_architected_scratch(cursor->wave->architecture);
	uint32_t properties = descriptor->properties;

	if (properties & PROPERTY_PRIVATE_BUFFER)
		put_private_buffer(cursor, launch);
	put64_if(cursor, properties & PROPERTY_DISPATCH_PACKET, launch->dispatch_packet_address);
	put64_if(cursor, properties & PROPERTY_QUEUE, launch->queue_address);
	put64_if(cursor, properties & PROPERTY_KERNARG, launch->kernarg_address);
	put64_if(cursor, properties & PROPERTY_DISPATCH_ID, launch->dispatch_id);
	put64_if(cursor, properties & PROPERTY_FLAT_SCRATCH,
		 architected ? launch->scratch_base : launch->scratch_pool_base);
	if (properties & PROPERTY_PRIVATE_SIZE)
		put32(cursor, launch->private_segment_size);
	cursor->next = user_sgpr_count(descriptor);
}

/* Work-items that a workgroup has in each direction: the last one of the grid may be cut. */
static void group_extent(const struct gfx_launch *launch, uint32_t extent[3])
{
	for (uint32_t i = 0; i < 3; i++) {
		uint64_t start = (uint64_t)launch->workgroup[i] * launch->workgroup_size[i];
		uint64_t left = launch->grid_size[i] > start ? launch->grid_size[i] - start : 0;

		extent[i] = left < launch->workgroup_size[i] ? (uint32_t)left
							     : launch->workgroup_size[i];
	}
}

static uint64_t group_items(const uint32_t extent[3])
{
	return (uint64_t)extent[0] * extent[1] * extent[2];
}

static void put_system_sgprs(struct sgpr_cursor *cursor,
			     const struct gfx_kernel_descriptor *descriptor,
			     const struct gfx_launch *launch, uint64_t waves)
{
	for (uint32_t i = 0; i < 3; i++)
		if (descriptor->rsrc2 >> (7 + i) & 1 &&
		    !has_workgroup_in_ttmps(cursor->wave->architecture))
			put32(cursor, launch->workgroup[i]);
	/* Workgroup info: the first wave is marked, the low bits count the waves. */
	if (descriptor->rsrc2 >> 10 & 1)
		put32(cursor,
		      (uint32_t)(launch->wave_in_group == 0) << 31 | ((uint32_t)waves & 63));
	/* The offset of the wave's private memory in that of all waves. */
	if (descriptor->rsrc2 & 1 && !has_architected_scratch(cursor->wave->architecture))
		put32(cursor, (uint32_t)(launch->scratch_base - launch->scratch_pool_base));
}

/* Work-items that follow each other in x, from a lane on: in ten bits each of v0, or in registers of their own, as many as the kernel asks for. */
static void set_row(struct gfx_wave *wave, uint32_t dimensions, uint32_t lane, uint32_t count,
		    const uint32_t place[3])
{
	bool apart = wave->architecture->generation <= GFX_GENERATION_10 &&
		     !has_one_vector_file(wave->architecture);
	uint32_t others = 0;

	for (uint32_t i = 1; i <= dimensions && i < 3; i++)
		others |= place[i] << 10 * i;
	for (uint32_t k = 0; wave->vgpr_count && k < count; k++)
		wave->vgprs[lane + k] = (place[0] + k) | (apart ? 0 : others);
	for (uint32_t i = 1; apart && i <= dimensions && i < 3 && i < wave->vgpr_count; i++)
		for (uint32_t k = 0; k < count; k++)
			wave->vgprs[i * GFX_MAX_LANES + lane + k] = place[i];
}

/* x, y and z of each lane. */
static void set_work_items(struct gfx_wave *wave, const struct gfx_kernel_descriptor *descriptor,
			   const struct gfx_launch *launch, const uint32_t extent[3])
{
	uint32_t dimensions = field(descriptor->rsrc2, 11, 2);
	uint32_t lanes = descriptor_lanes(wave->architecture, descriptor), place[3], row;
	uint64_t first = (uint64_t)launch->wave_in_group * lanes, items = group_items(extent);

	wave->exec = 0;
	if (first >= items)
		return;
	lanes = items - first < lanes ? (uint32_t)(items - first) : lanes;
	wave->exec = ~UINT64_C(0) >> (GFX_MAX_LANES - lanes);
	place[0] = (uint32_t)(first % extent[0]);
	place[1] = (uint32_t)(first / extent[0] % extent[1]);
	place[2] = (uint32_t)(first / extent[0] / extent[1]);
	for (uint32_t lane = 0; lane < lanes; lane += row) {
		row = extent[0] - place[0];
		row = row < lanes - lane ? row : lanes - lane;
		set_row(wave, dimensions, lane, row, place);
		place[0] = 0;
		if (++place[1] < extent[1])
			continue;
		place[1] = 0;
		place[2]++;
	}
}

/* The packet, the wave's number in its workgroup, that the place is there in all directions, and that all of this is set. */
static void set_workgroup_ttmps(struct gfx_wave *wave, const struct gfx_launch *launch)
{
	wave->ttmps[TTMP_WORKGROUP_YZ] = (launch->workgroup[1] & 0xffff) | launch->workgroup[2]
										   << 16;
	wave->ttmps[TTMP_PACKET] = (launch->packet_index & 0x1ffffff) |
				   (launch->wave_in_group & 31) << 25 | 1U << 30 |
				   TTMPS_INITIALISED;
	wave->ttmps[TTMP_WORKGROUP_X] = launch->workgroup[0];
}

static void set_trap_temporaries(struct gfx_wave *wave, const struct gfx_launch *launch)
{
	wave->ttmps[4] = (uint32_t)launch->wave_id;
	wave->ttmps[5] = (uint32_t)(launch->wave_id >> 32);
	if (has_workgroup_in_ttmps(wave->architecture)) {
		set_workgroup_ttmps(wave, launch);
		return;
	}
	wave->ttmps[8] = launch->workgroup[0];
	wave->ttmps[9] = launch->workgroup[1];
	wave->ttmps[10] = launch->workgroup[2];
	wave->ttmps[11] = launch->wave_in_group & 63;
	if (wave->architecture->trap_after_instruction)
		wave->ttmps[11] |= (launch->packet_index & 0x1ffffff) << 6 | TTMPS_INITIALISED;
	else
		wave->ttmps[6] = launch->packet_index & 0x1ffffff;
}

/* Rounding and denormals, then the clamp and IEEE bits, which gfx12 has not, then the exceptions that trap. */
static uint32_t initial_mode(const struct gfx_architecture *architecture,
			     const struct gfx_kernel_descriptor *descriptor)
{
	uint32_t common = field(descriptor->rsrc1, 12, 8) | field(descriptor->rsrc2, 24, 7) << 12;

	if (architecture->generation >= GFX_GENERATION_12)
		return common;
	return common | field(descriptor->rsrc1, 21, 1) << 8 | field(descriptor->rsrc1, 23, 1) << 9;
}

static void clear(struct gfx_wave *wave)
{
	wave->m0 = 0;
	wave->trapsts = 0;
	wave->state_priv = wave->excp_flag_priv = wave->excp_flag_user = wave->trap_ctrl = 0;
	wave->vcc = 0;
	wave->xnack_mask = 0;
	wave->instruction_count = 0;
	memset(wave->sgprs, 0, sizeof(wave->sgprs));
	memset(wave->ttmps, 0, sizeof(wave->ttmps));
	if (wave->vgpr_count)
		memset(wave->vgprs, 0, (size_t)wave->vgpr_count * LANE_COUNT * sizeof(uint32_t));
	if (wave->agpr_count)
		memset(wave->agprs, 0, (size_t)wave->agpr_count * LANE_COUNT * sizeof(uint32_t));
}

void gfx_wave_launch(struct gfx_wave *wave, const struct gfx_kernel_descriptor *descriptor,
		     const struct gfx_launch *launch)
{
	struct sgpr_cursor cursor = {.wave = wave};
	uint32_t extent[3], lanes;
	uint64_t waves;

	group_extent(launch, extent);
	lanes = descriptor_lanes(wave->architecture, descriptor);
	waves = (group_items(extent) + lanes - 1) / lanes;
	clear(wave);
	wave->pc = launch->code_entry;
	wave->scratch_base = launch->scratch_base;
	/* Programs of gfx90a set it before they use it, to the same; until then it is unknown. */
	wave->flat_scratch = launch->scratch_base;
	wave->mode = initial_mode(wave->architecture, descriptor);
	put_user_sgprs(&cursor, descriptor, launch);
	put_system_sgprs(&cursor, descriptor, launch, waves);
	set_work_items(wave, descriptor, launch, extent);
	set_trap_temporaries(wave, launch);
	/* vcc is zero, hence its flag; exec may be too, in a wave that has no work-items. */
	wave->status = STATUS_VALID | STATUS_TRAP_ENABLED | 1U << 10 |
		       (waves > 1 ? STATUS_IN_GROUP : 0) | (wave->exec ? 0 : 1U << 9);
}
