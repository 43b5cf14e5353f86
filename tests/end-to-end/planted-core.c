/* SPDX-License-Identifier: MIT */
/*
 * A core of waves that never ran, of any architecture whose save areas are known: at given places of a code object, with
 * registers, local and private memory whose values say where they are.
 *
 * Usage: planted-core CORE ARCHITECTURE LANES VGPRS SHARED CODE-OBJECT < WAVES
 *
 * The input is described in planted.h. Each wave is a workgroup, and has a dispatch of its own. VGPRS is how many vector registers
 * they have, SHARED how many those of 64 lanes share between their halves.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "dbgapi/core/dump-write.h"
#include "device/queue-structure.h"
#include "device/save-area/area.h"
#include "device/save-area/link-map.h"
#include "device/save-area/note.h"
#include "device/trap-handler.h"
#include "gfx/architecture/packet.h"
#include "tests/end-to-end/planted.h"

#define OBJECTS UINT64_C(0x300000000000) /* r_debug and the list behind it */
#define STRUCTURE (OBJECTS + 0x10000)
#define DESCRIPTORS (OBJECTS + 0x20000)
#define RING (OBJECTS + 0x30000)
#define AREA UINT64_C(0x310000000000)
#define SCRATCH UINT64_C(0x320000000000)
#define DESCRIPTOR_BYTES 64u
#define PRIVATE 0x1000u /* bytes of each lane */
#define LOCAL 0x200u
#define ENGINES 2u
#define SLOTS (PLANTED_WAVES / ENGINES) /* of each engine */
#define GPU_ID 7u

struct range {
	uint64_t address;
	struct wt_buffer bytes;
};

static struct {
	const struct gfx_architecture *architecture;
	const struct wt_save_area_layout *layout;
	uint32_t lanes, vgprs, shared;
	struct planted_wave lines[PLANTED_WAVES];
	struct gfx_wave waves[PLANTED_WAVES];
	struct wt_saved_wave saved[PLANTED_WAVES];
	size_t count;
	struct range ranges[PLANTED_WAVES + 16];
	size_t range_count;
} core;

static void must(struct wt_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "planted-core: %s: %s: %s\n", error->what, error->where, error->why);
	exit(1);
}

static struct wt_buffer *add_range(uint64_t address)
{
	core.ranges[core.range_count].address = address;
	return &core.ranges[core.range_count++].bytes;
}

static uint8_t *extend(struct wt_buffer *buffer, size_t size)
{
	uint8_t *bytes = wt_buffer_extend(buffer, size);

	must(bytes ? NULL : &wt_error_no_memory);
	memset(bytes, 0, size);
	return bytes;
}

/* ---- The program ---- */

static void load_code(const char *path)
{
	static uint8_t file[1u << 20];
	FILE *stream = fopen(path, "re");
	size_t size = stream ? fread(file, 1, sizeof(file), stream) : 0;
	Elf64_Ehdr head;

	if (size < sizeof(head) || size == sizeof(file) || fclose(stream))
		must(wt_error_create(WT_ERROR_IO, "cannot read", path, "its size is not right"));
	memcpy(&head, file, sizeof(head));
	for (uint32_t i = 0; i < head.e_phnum; i++) {
		Elf64_Phdr segment;

		memcpy(&segment, file + head.e_phoff + i * sizeof(segment), sizeof(segment));
		if (segment.p_type == PT_LOAD && segment.p_filesz)
			wt_buffer_append(add_range(PLANTED_LOAD + segment.p_vaddr),
					 file + segment.p_offset, segment.p_filesz);
	}
}

static void list_code(const char *path)
{
	struct wt_link_map_entry entry = {.load_address = PLANTED_LOAD};
	const struct wt_link_map map = {
		.version = WT_R_DEBUG_VERSION_MAX, .entries = &entry, .count = 1};

	if (asprintf(&entry.uri, "file://%s", path) < 0)
		must(&wt_error_no_memory);
	wt_link_map_build(&map, OBJECTS, add_range(OBJECTS));
	free(entry.uri);
}

/* ---- Its dispatches ---- */

static void put(uint8_t *bytes, size_t offset, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[offset + i] = (uint8_t)(value >> 8 * i);
}

static void put_packet(uint8_t *packet, size_t index)
{
	put(packet, 0, 2, 2); /* a dispatch */
	put(packet, 2, 3, 2); /* of three dimensions */
	put(packet, 4, core.lanes, 2);
	put(packet, 6, 1, 2);
	put(packet, 8, 1, 2);
	put(packet, 12, core.lanes * core.count, 4);
	put(packet, 16, 3, 4);
	put(packet, 20, 4, 4);
	put(packet, 24, PRIVATE, 4);
	put(packet, 28, LOCAL, 4);
	put(packet, 32, DESCRIPTORS + index * DESCRIPTOR_BYTES, 8);
}

static void put_dispatches(void)
{
	uint8_t *descriptors = extend(add_range(DESCRIPTORS), DESCRIPTOR_BYTES * PLANTED_WAVES);
	uint8_t *ring = extend(add_range(RING), GFX_PACKET_SIZE * PLANTED_WAVES);

	for (size_t i = 0; i < core.count; i++) {
		uint64_t place = DESCRIPTORS + i * DESCRIPTOR_BYTES;
		uint8_t *descriptor = descriptors + i * DESCRIPTOR_BYTES;

		put(descriptor, 0, LOCAL, 4);
		put(descriptor, 4, PRIVATE, 4);
		put(descriptor, 16, PLANTED_LOAD + core.lines[i].entry - place, 8);
		put_packet(ring + i * GFX_PACKET_SIZE, i);
	}
}

static uint64_t private_bytes(void)
{
	return (uint64_t)PRIVATE * core.lanes;
}

static void put_structure(void)
{
	const struct wt_save_area_layout *layout = core.layout;
	uint8_t *structure = extend(add_range(STRUCTURE), WT_QUEUE_STRUCTURE_BYTES);
	uint32_t units = (uint32_t)(private_bytes() / layout->tmpring_unit);
	uint32_t waves = layout->waves_of_engine ? SLOTS : SLOTS * ENGINES;

	put(structure, WT_QUEUE_STRUCTURE_RING, RING, 8);
	put(structure, WT_QUEUE_STRUCTURE_PACKETS, PLANTED_WAVES, 4);
	put(structure, WT_QUEUE_STRUCTURE_WRITE_ID, core.count, 8);
	put(structure, WT_QUEUE_STRUCTURE_TMPRING_SIZE,
	    wt_bit_field_put(layout->tmpring_waves, waves) |
		    wt_bit_field_put(layout->tmpring_units, units),
	    4);
	put(structure, WT_QUEUE_STRUCTURE_SCRATCH_BASE, SCRATCH, 8);
	put(structure, WT_QUEUE_STRUCTURE_SCRATCH_SIZE, SLOTS * ENGINES * private_bytes(), 8);
}

/* ---- Its waves ---- */

static uint64_t scratch_of(size_t index)
{
	return SCRATCH + (SLOTS * (index % ENGINES) + index / ENGINES) * private_bytes();
}

/* Four bytes of each lane stand side by side. */
static void put_private(size_t index)
{
	struct wt_buffer *bytes = add_range(scratch_of(index));

	for (uint32_t at = 0; at < PRIVATE; at += 4)
		for (uint32_t lane = 0; lane < core.lanes; lane++)
			wt_buffer_append_u32(bytes, planted_private(lane, at));
}

static void put_vectors(struct gfx_wave *gfx, const struct planted_wave *line)
{
	size_t words = (size_t)core.vgprs * core.lanes;

	/* gfx908 saves as many accumulation registers as vector registers. */
	if (core.architecture->save_area == GFX_SAVE_AREA_GFX908) {
		gfx->agpr_count = core.vgprs;
		gfx->agprs = calloc(words, sizeof(*gfx->agprs));
		must(gfx->agprs ? NULL : &wt_error_no_memory);
	}
	gfx->vgprs = calloc(words + (size_t)core.shared * WT_SAVE_AREA_SHARED_LANES, 4);
	must(gfx->vgprs ? NULL : &wt_error_no_memory);
	gfx->shared = gfx->vgprs + words;
	for (uint32_t i = 0; i < words; i++)
		gfx->vgprs[i] = planted_vector(line, i / core.lanes, i % core.lanes);
	for (uint32_t i = 0; i < core.shared * WT_SAVE_AREA_SHARED_LANES; i++)
		gfx->shared[i] = planted_vector(line, core.vgprs + i / WT_SAVE_AREA_SHARED_LANES,
						i % WT_SAVE_AREA_SHARED_LANES);
}

static void put_local(struct gfx_wave *gfx)
{
	static uint32_t words[LOCAL / 4];

	for (uint32_t i = 0; i < LOCAL / 4; i++)
		words[i] = 0x30000000 | i;
	gfx->lds = (uint8_t *)words;
	gfx->lds_size = LOCAL;
}

/* A memory violation, as the hardware notes it. */
static void stop(struct gfx_wave *gfx)
{
	if (core.layout->handler->excp_flags)
		gfx->excp_flag_priv = 1u << 12 | 1u << 4;
	else
		gfx->trapsts = WT_TRAPSTS_XNACK_ERROR | WT_TRAPSTS_MEM_VIOL;
	wt_wave_set_stopped(gfx);
}

static void make_wave(size_t index)
{
	const struct planted_wave *line = &core.lines[index];
	struct gfx_wave *gfx = &core.waves[index];

	*gfx = (struct gfx_wave){
		.architecture = core.architecture,
		.lane_count = core.lanes,
		.pc = PLANTED_LOAD + line->pc,
		.exec = core.lanes == 32 ? UINT32_MAX : UINT64_MAX,
		.m0 = 0x60000001,
		.mode = 0x2f0,
		.vcc = core.lanes == 32 ? 0x60000002 : UINT64_C(0x6000000360000002),
		/* Programs that have to set it up themselves have not done so. */
		.flat_scratch = core.layout->flat_scratch_is_up ? scratch_of(index)
								: UINT64_C(0x7f0000000000),
		.sgpr_count = core.layout->named_sgprs,
		.vgpr_count = core.vgprs,
		.shared_count = core.shared,
	};
	for (uint32_t i = 0; i < gfx->sgpr_count; i++)
		gfx->sgprs[i] = planted_scalar(line, i);
	put_vectors(gfx, line);
	put_local(gfx);
	put_private(index);
	stop(gfx);
	wt_ttmp_put(core.layout->handler->set_up, 1, gfx->ttmps);
	core.saved[index] = (struct wt_saved_wave){
		.wave = gfx,
		.slot = (uint32_t)(index / ENGINES),
		.engine = (uint32_t)(index % ENGINES),
		.scratch = true,
		.first = true,
		.last = true,
		.stopped = true,
		.packet_index = (uint32_t)index,
		.coordinates = {(uint32_t)index, 2, 3},
	};
}

/* ---- The file ---- */

static void build_note(uint32_t area_size, struct wt_buffer *state)
{
	struct wt_core_note_agent agent = wt_core_note_agent_init(core.architecture);
	struct wt_core_note_queue queue = {
		.ring_address = RING,
		.write_pointer_address = STRUCTURE + WT_QUEUE_STRUCTURE_WRITE_ID,
		.read_pointer_address = STRUCTURE + WT_QUEUE_STRUCTURE_READ_ID,
		.save_address = AREA,
		.queue_id = 1,
		.gpu_id = GPU_ID,
		.ring_size = GFX_PACKET_SIZE * PLANTED_WAVES,
		.type = WT_CORE_NOTE_QUEUE_AQL,
		.save_size = area_size,
	};
	const struct wt_core_note note = {
		.driver_major = WT_CORE_NOTE_DRIVER_MAJOR,
		.driver_minor = WT_CORE_NOTE_DRIVER_MINOR,
		.r_debug = OBJECTS,
		.runtime = WT_CORE_NOTE_RUNTIME_ENABLED,
		.ttmps_set_up = true,
		.agents = &agent,
		.agent_count = 1,
		.queues = &queue,
		.queue_count = 1,
	};

	agent.gpu_id = GPU_ID;
	agent.vendor = 0x1002;
	agent.simd_count = 4;
	agent.waves_per_simd = 16;
	agent.array_count = ENGINES;
	wt_core_note_build(&note, state);
}

static bool find_range(void *opaque, size_t index, uint64_t *address_ret, uint64_t *size_ret)
{
	(void)opaque;
	if (index >= core.range_count)
		return false;
	*address_ret = core.ranges[index].address;
	*size_ret = core.ranges[index].bytes.size;
	return true;
}

static size_t read_range(void *opaque, uint64_t address, void *data, size_t size)
{
	(void)opaque;
	for (size_t i = 0; i < core.range_count; i++) {
		const struct range *range = &core.ranges[i];
		uint64_t offset = address - range->address;

		if (address < range->address || offset >= range->bytes.size)
			continue;
		size = size < range->bytes.size - offset ? size : range->bytes.size - offset;
		memcpy(data, range->bytes.data + offset, size);
		return size;
	}
	return 0;
}

static void write_core(const char *path)
{
	const struct wt_core_file_memory memory = {NULL, find_range, read_range};
	struct wt_buffer *area = add_range(AREA), state = {0};
	wt_cleanup_close int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	must(wt_save_area_build(core.layout, core.saved, core.count, area));
	build_note((uint32_t)area->size, &state);
	must(fd < 0 ? &wt_error_no_memory : wt_core_file_put(fd, path, &state, &memory));
	wt_buffer_deinit(&state);
}

int main(int argc, char **argv)
{
	if (argc != 7)
		return 2;
	core.architecture = gfx_architecture_by_name(argv[2]);
	core.layout = core.architecture ? wt_save_area_layout_find(core.architecture) : NULL;
	core.lanes = (uint32_t)strtoul(argv[3], NULL, 10);
	core.vgprs = (uint32_t)strtoul(argv[4], NULL, 10);
	core.shared = (uint32_t)strtoul(argv[5], NULL, 10);
	if (!core.layout)
		return 2;
	while (core.count < PLANTED_WAVES && planted_read(&core.lines[core.count]))
		core.count++;
	load_code(argv[6]);
	list_code(argv[6]);
	put_dispatches();
	put_structure();
	for (size_t i = 0; i < core.count; i++)
		make_wave(i);
	write_core(argv[1]);
	for (size_t i = 0; i < core.count; i++)
		free(core.waves[i].vgprs);
	for (size_t i = 0; i < core.range_count; i++)
		wt_buffer_deinit(&core.ranges[i].bytes);
	return 0;
}
