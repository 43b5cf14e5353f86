/* SPDX-License-Identifier: MIT */
/* The state in which a wave that is executed once more begins, and which part of it is known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "gfx/wave/context.h"
#include "replayer/analysis/rerun-launch.h"

/* ---- A wave at its launch ---- */

static bool rerun_allocate(struct wt_rerun *rerun, const struct gfx_wave_resources *resources)
{
	size_t lanes = GFX_MAX_LANES, words = rerun->private_words;

	rerun->wave.vgprs = calloc((size_t)resources->vgpr_count * lanes + 1, sizeof(uint32_t));
	rerun->wave.agprs = calloc((size_t)resources->agpr_count * lanes + 1, sizeof(uint32_t));
	rerun->wave.lds = calloc(rerun->wave.lds_size + 1, 1);
	rerun->wave.scratch = calloc(words * lanes + 1, sizeof(uint32_t));
	rerun->private_unknown = malloc((words + 1) * sizeof(*rerun->private_unknown));
	rerun->private_influence = calloc(words + 1, sizeof(*rerun->private_influence));
	rerun->private_writers = calloc(words * lanes + 1, sizeof(*rerun->private_writers));
	rerun->private_places = calloc(words * lanes + 1, 1);
	rerun->private_stored = calloc(words * lanes + 1, 1);
	rerun->local_unknown =
		malloc((rerun->wave.lds_size / 4 + 1) * sizeof(*rerun->local_unknown));
	rerun->local_writers = calloc(rerun->wave.lds_size / 4 + 1, sizeof(*rerun->local_writers));
	rerun->writers = calloc(1, sizeof(*rerun->writers));
	rerun->loaded = calloc(1, sizeof(*rerun->loaded));
	rerun->cache = malloc(WT_RERUN_CACHE * sizeof(*rerun->cache));
	return rerun->wave.vgprs && rerun->wave.agprs && rerun->wave.lds && rerun->wave.scratch &&
	       rerun->private_unknown && rerun->private_influence && rerun->private_writers &&
	       rerun->private_places && rerun->private_stored && rerun->local_unknown &&
	       rerun->local_writers && rerun->writers && rerun->loaded && rerun->cache;
}

void wt_rerun_destroy(struct wt_rerun *rerun)
{
	if (!rerun)
		return;
	free(rerun->wave.vgprs);
	free(rerun->wave.agprs);
	free(rerun->wave.lds);
	free(rerun->wave.scratch);
	free(rerun->private_unknown);
	free(rerun->private_influence);
	free(rerun->private_writers);
	free(rerun->private_places);
	free(rerun->private_stored);
	free(rerun->local_unknown);
	free(rerun->local_writers);
	free(rerun->writers);
	free(rerun->stopped);
	free(rerun->loaded);
	free(rerun->cache);
	free(rerun->written.entries);
	free(rerun->steps);
	free(rerun->references);
	free(rerun);
}

struct wt_error *wt_rerun_create(const struct wt_analysis_input *input, bool remembers,
				 struct wt_rerun **rerun_ret)
{
	wt_cleanup_rerun struct wt_rerun *rerun = calloc(1, sizeof(*rerun));
	struct gfx_launch launch = input->launch;
	struct gfx_wave_resources resources;

	if (!rerun)
		return &wt_error_no_memory;
	gfx_kernel_descriptor_resources(input->architecture, &input->descriptor, &resources);
	rerun->input = input;
	rerun->remembers = remembers;
	rerun->private_words = (input->launch.private_segment_size + 3) / 4;
	rerun->wave.architecture = input->architecture;
	rerun->wave.lane_count = rerun->lanes = resources.lane_count;
	rerun->wave.vector_words = GFX_MAX_LANES;
	rerun->wave.sgpr_count = resources.sgpr_count;
	rerun->wave.vgpr_count = resources.vgpr_count;
	rerun->wave.agpr_count = resources.agpr_count;
	rerun->wave.lds_size = input->has_local_room && input->local_room < WT_ANALYSIS_LOCAL_BYTES
				       ? (uint32_t)input->local_room
				       : WT_ANALYSIS_LOCAL_BYTES;
	rerun->wave.scratch_size = rerun->private_words * 4 * rerun->lanes;
	if (!rerun_allocate(rerun, &resources))
		return &wt_error_no_memory;
	memset(rerun->private_unknown, 0xff,
	       (rerun->private_words + 1) * sizeof(*rerun->private_unknown));
	memset(rerun->local_unknown, true,
	       rerun->wave.lds_size / 4 * sizeof(*rerun->local_unknown));
	rerun->alone = (uint64_t)input->launch.workgroup_size[0] * input->launch.workgroup_size[1] *
			       input->launch.workgroup_size[2] <=
		       resources.lane_count;
	for (size_t i = 0; i < WT_RERUN_CACHE; i++)
		rerun->cache[i].pc = 1;
	launch.scratch_base = launch.scratch_pool_base = WT_RERUN_PRIVATE_BASE;
	launch.scratch_pool_size = rerun->wave.scratch_size;
	gfx_wave_launch(&rerun->wave, &input->descriptor, &launch);
	wt_rerun_memory_init(rerun);
	*rerun_ret = wt_take(rerun);
	return NULL;
}

/* ---- Its registers ---- */

#define MARK UINT32_C(0x5eed0000)
#define MARKED(number) (MARK | (uint32_t)(number) << 8)

/* Values that tell from where in the launch a register has its own. */
enum mark {
	MARK_KERNARG = 1,
	MARK_DISPATCH_PACKET,
	MARK_QUEUE,
	MARK_DISPATCH_ID,
	MARK_WORKGROUP, /* and the next two */
};

static uint64_t marked_pair(enum mark mark)
{
	return MARKED(mark) | (uint64_t)(MARKED(mark) + 1) << 32;
}

/* A launch of nothing, to see which register gets what. */
static void launch_marked(const struct wt_analysis_input *input, struct gfx_wave *wave)
{
	struct gfx_launch launch = {
		.kernarg_address = marked_pair(MARK_KERNARG),
		.dispatch_packet_address = marked_pair(MARK_DISPATCH_PACKET),
		.queue_address = marked_pair(MARK_QUEUE),
		.dispatch_id = marked_pair(MARK_DISPATCH_ID),
	};

	for (uint32_t i = 0; i < 3; i++)
		launch.workgroup[i] = MARKED(MARK_WORKGROUP + i);
	gfx_wave_launch(wave, &input->descriptor, &launch);
}

static bool is_known_mark(const struct gfx_launch *launch, enum mark mark)
{
	switch (mark) {
	case MARK_DISPATCH_PACKET:
		return launch->dispatch_packet_address;
	case MARK_QUEUE:
		return launch->queue_address;
	case MARK_DISPATCH_ID:
		return launch->dispatch_id;
	default:
		return true;
	}
}

static void note_initial(struct wt_analysis_initial *initial, enum mark mark, uint32_t number)
{
	if (mark == MARK_KERNARG)
		initial->kernarg = (uint8_t)number;
	else if (mark == MARK_DISPATCH_PACKET)
		initial->dispatch_packet = (uint8_t)number;
	else if (mark >= MARK_WORKGROUP && mark < MARK_WORKGROUP + 3)
		initial->workgroup_id[mark - MARK_WORKGROUP] = (uint8_t)number;
}

static uint32_t user_registers(const struct gfx_kernel_descriptor *descriptor)
{
	return descriptor->rsrc2 >> 1 & 31;
}

/* From gfx12 on the place of the workgroup is in registers of the trap handler: y and z in one. */
static void know_workgroup(struct wt_rerun *rerun, struct wt_analysis_initial *initial)
{
	static const uint8_t codes[3] = {GFX_CODE_TTMP0 + 9, GFX_CODE_TTMP0 + 7,
					 GFX_CODE_TTMP0 + 7};

	if (rerun->input->architecture->generation < GFX_GENERATION_12)
		return;
	for (uint32_t i = 0; i < 3; i++) {
		rerun->unknown.scalar[codes[i]] = 0;
		initial->workgroup_id[i] = codes[i];
	}
}

/*
 * Scalar registers whose values the launch gives are known. Those that say where private memory is are made up. All others
 * are not known: hardware leaves their old values in them.
 */
static void rerun_know_scalars(struct wt_rerun *rerun, struct wt_analysis_initial *initial)
{
	struct gfx_wave marked = rerun->wave;

	memset(initial, 0xff, sizeof(*initial));
	marked.vgpr_count = marked.agpr_count = 0;
	launch_marked(rerun->input, &marked);
	memset(rerun->unknown.scalar, 0xff, sizeof(rerun->unknown.scalar));
	for (uint32_t i = 0; i < rerun->wave.sgpr_count; i++) {
		uint32_t value = marked.sgprs[i], mark = value >> 8 & 0xff;

		if ((value & 0xffff0000) == MARK) {
			rerun->unknown.scalar[i] =
				is_known_mark(&rerun->input->launch, (enum mark)mark) ? 0
										      : UINT32_MAX;
			if (!(value & 1))
				note_initial(initial, (enum mark)mark, i);
		} else if (i < user_registers(&rerun->input->descriptor) || rerun->wave.sgprs[i]) {
			rerun->unknown.scalar[i] = 0;
			rerun->placed.scalar[i] = UINT32_MAX;
		}
	}
	/* The offset of the wave in the private memory of all is 0 here, after the workgroup's numbers. */
	for (uint32_t i = user_registers(&rerun->input->descriptor);
	     i < user_registers(&rerun->input->descriptor) + 5 && i < rerun->wave.sgpr_count; i++)
		if (rerun->unknown.scalar[i] && rerun->input->descriptor.rsrc2 & 1) {
			rerun->unknown.scalar[i] = 0;
			rerun->placed.scalar[i] = UINT32_MAX;
		}
	rerun->unknown.scalar[GFX_CODE_EXEC] = rerun->unknown.scalar[GFX_CODE_EXEC + 1] = 0;
	know_workgroup(rerun, initial);
	/* The code of flat_scratch is that of two more registers then. */
	for (uint32_t i = 0; i < 2 && !gfx_has_short_waves(rerun->input->architecture); i++) {
		rerun->unknown.scalar[GFX_CODE_FLAT_SCRATCH + i] = 0;
		rerun->placed.scalar[GFX_CODE_FLAT_SCRATCH + i] = UINT32_MAX;
	}
}

static void know_work_item(struct wt_rerun *rerun, uint32_t number)
{
	rerun->unknown.vector[number] = rerun->upper_unknown[0][number] = ~rerun->wave.exec;
}

/* v0 has the work-item's place in the group, in lanes that have a work-item; of gfx10 v1 and v2 have y and z. */
static void rerun_know_vectors(struct wt_rerun *rerun)
{
	memset(rerun->unknown.vector, 0xff, sizeof(rerun->unknown.vector));
	memset(rerun->unknown.accumulation, 0xff, sizeof(rerun->unknown.accumulation));
	memset(rerun->upper_unknown, 0xff, sizeof(rerun->upper_unknown));
	know_work_item(rerun, 0);
	if (rerun->input->architecture->generation == GFX_GENERATION_10)
		for (uint32_t i = 1; i <= (rerun->input->descriptor.rsrc2 >> 11 & 3) && i < 3; i++)
			know_work_item(rerun, i);
	rerun->first_exec = rerun->wave.exec;
}

/* ---- A wave at an earlier stop ---- */

static void start_scalar(struct wt_rerun *rerun, const char *name, uint32_t code, uint32_t words)
{
	const struct wt_analysis_start *start = rerun->input->start;
	uint64_t value;

	if (!start->read_register(start->opaque, name, 0, &value))
		return;
	for (uint32_t i = 0; i < words; i++) {
		gfx_write_scalar32(&rerun->wave, code + i, (uint32_t)(value >> 32 * i));
		rerun->unknown.scalar[code + i] = 0;
	}
}

static void start_scalars(struct wt_rerun *rerun)
{
	const struct wt_analysis_start *start = rerun->input->start;
	bool aliased = !gfx_has_short_waves(rerun->input->architecture);
	bool later = rerun->input->architecture->generation >= GFX_GENERATION_12;
	uint64_t value;
	char name[16];

	memset(rerun->unknown.scalar, 0xff, sizeof(rerun->unknown.scalar));
	for (uint32_t i = 0; i < rerun->wave.sgpr_count; i++) {
		snprintf(name, sizeof(name), "s%u", i);
		start_scalar(rerun, name, i, 1);
	}
	for (uint32_t i = 0; i < 16; i++) {
		snprintf(name, sizeof(name), "ttmp%u", i);
		if (start->read_register(start->opaque, name, 0, &value)) {
			rerun->wave.ttmps[i] = (uint32_t)value;
			rerun->unknown.scalar[GFX_CODE_TTMP0 + i] = 0;
		}
	}
	start_scalar(rerun, "vcc", GFX_CODE_VCC, rerun->lanes / 32);
	start_scalar(rerun, "exec", GFX_CODE_EXEC, rerun->lanes / 32);
	start_scalar(rerun, "m0", GFX_CODE_M0, 1);
	if (aliased)
		start_scalar(rerun, "flat_scratch", GFX_CODE_FLAT_SCRATCH, 2);
	if (aliased)
		start_scalar(rerun, "xnack_mask", GFX_CODE_XNACK_MASK, 2);
	if (start->read_register(start->opaque, "mode", 0, &value))
		rerun->wave.mode = (uint32_t)value;
	if (start->read_register(start->opaque, "status", 0, &value))
		rerun->wave.status = (uint32_t)value;
	/* From gfx12 on scc is elsewhere. */
	if (later && start->read_register(start->opaque, "trap_ctrl", 0, &value))
		rerun->wave.trap_ctrl = (uint32_t)value;
	if (later && start->read_register(start->opaque, "state_priv", 0, &value))
		rerun->wave.state_priv = (uint32_t)value;
	if (start->read_register(start->opaque, later ? "state_priv" : "status", 0, &value))
		rerun->unknown.scalar[GFX_CODE_SCC] = 0;
	gfx_wave_join_state(&rerun->wave);
	/* The upper half of a mask of 32 lanes is nothing. */
	if (rerun->lanes == 32)
		rerun->unknown.scalar[GFX_CODE_EXEC + 1] = 0;
}

static void start_vectors(struct wt_rerun *rerun, char kind, uint32_t *values, uint32_t count,
			  uint64_t *unknown)
{
	const struct wt_analysis_start *start = rerun->input->start;
	char name[16];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%c%u", kind, i);
		unknown[i] = UINT64_MAX;
		for (uint32_t lane = 0; lane < rerun->lanes; lane++) {
			uint64_t value;

			if (!start->read_register(start->opaque, name, lane, &value))
				continue;
			values[i * GFX_MAX_LANES + lane] = (uint32_t)value;
			unknown[i] &= ~(UINT64_C(1) << lane);
		}
	}
}

static void start_memory(struct wt_rerun *rerun)
{
	const struct wt_analysis_start *start = rerun->input->start;

	for (uint32_t i = 0; i < rerun->wave.lds_size / 4 && rerun->alone; i++)
		rerun->local_unknown[i] =
			!start->read(start->opaque, true, 0, 4 * i, rerun->wave.lds + 4 * i, 4);
	for (size_t word = 0; word < rerun->private_words; word++)
		for (uint32_t lane = 0; lane < rerun->lanes; lane++)
			if (start->read(start->opaque, false, lane, 4 * word,
					rerun->wave.scratch + 4 * (word * rerun->lanes + lane), 4))
				rerun->private_unknown[word] &= ~(UINT64_C(1) << lane);
}

/* Nothing is made up: private memory lies where it lay. */
static void rerun_start(struct wt_rerun *rerun)
{
	memset(rerun->unknown.vector, 0xff, sizeof(rerun->unknown.vector));
	memset(rerun->unknown.accumulation, 0xff, sizeof(rerun->unknown.accumulation));
	start_scalars(rerun);
	start_vectors(rerun, 'v', rerun->wave.vgprs, rerun->wave.vgpr_count, rerun->unknown.vector);
	start_vectors(rerun, 'a', rerun->wave.agprs, rerun->wave.agpr_count,
		      rerun->unknown.accumulation);
	memcpy(rerun->upper_unknown[0], rerun->unknown.vector, sizeof(rerun->unknown.vector));
	memcpy(rerun->upper_unknown[1], rerun->unknown.accumulation,
	       sizeof(rerun->unknown.accumulation));
	start_memory(rerun);
	rerun->wave.pc = rerun->input->start->pc;
	rerun->wave.scratch_base = rerun->input->start->private_place;
	rerun->first_exec = wt_rerun_lane_bits(rerun);
}

void wt_rerun_begin(struct wt_rerun *rerun, struct wt_analysis_initial *initial_ret)
{
	if (rerun->input->start) {
		memset(initial_ret, 0xff, sizeof(*initial_ret));
		rerun_start(rerun);
		return;
	}
	rerun_know_scalars(rerun, initial_ret);
	rerun_know_vectors(rerun);
}
