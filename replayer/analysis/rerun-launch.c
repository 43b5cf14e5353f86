/* SPDX-License-Identifier: MIT */
/* The state in which a wave that is executed once more begins, and which part of it is known. */
#include <stdlib.h>
#include <string.h>

#include "gfx/isa/translate.h"
#include "gfx/wave/context.h"
#include "replayer/analysis/rerun-launch.h"

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
void wt_rerun_know_scalars(struct wt_rerun *rerun, struct wt_analysis_initial *initial)
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
	for (uint32_t i = 0; i < 2 && !gfx_is_translated(rerun->input->architecture); i++) {
		rerun->unknown.scalar[GFX_CODE_FLAT_SCRATCH + i] = 0;
		rerun->placed.scalar[GFX_CODE_FLAT_SCRATCH + i] = UINT32_MAX;
	}
}

/* v0 has the work-item's place in the group, in lanes that have a work-item; of gfx10 v1 and v2 have y and z. */
void wt_rerun_know_vectors(struct wt_rerun *rerun)
{
	memset(rerun->unknown.vector, 0xff, sizeof(rerun->unknown.vector));
	memset(rerun->unknown.accumulation, 0xff, sizeof(rerun->unknown.accumulation));
	rerun->unknown.vector[0] = ~rerun->wave.exec;
	if (rerun->input->architecture->generation == GFX_GENERATION_10)
		for (uint32_t i = 1; i <= (rerun->input->descriptor.rsrc2 >> 11 & 3) && i < 3; i++)
			rerun->unknown.vector[i] = ~rerun->wave.exec;
	rerun->first_exec = rerun->wave.exec;
}
