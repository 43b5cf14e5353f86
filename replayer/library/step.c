/* SPDX-License-Identifier: MIT */
#include "replayer/library/step.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/isa/decode.h"
#include "gfx/wave/wave.h"
#include "replayer/library/debuggee.h"
#include "replayer/library/replay-wave.h"
#include "replayer/timeline/timeline.h"

#define WORDS (WT_STEP_BYTES / sizeof(uint32_t))

static struct wt_replay_step *replay_step_find(const struct wt_replay_process *process,
					       uint64_t wave)
{
	for (size_t i = 0; i < process->step_count; i++)
		if (process->steps[i].wave == wave)
			return &process->steps[i];
	return NULL;
}

/* NULL if there is no memory. */
static struct wt_replay_step *replay_step_make(struct wt_replay_process *process, uint64_t wave)
{
	struct wt_replay_step *all, *found = replay_step_find(process, wave);

	if (found)
		return found;
	all = reallocarray(process->steps, process->step_count + 1, sizeof(*all));
	if (!all)
		return NULL;
	process->steps = all;
	all[process->step_count] = (struct wt_replay_step){.wave = wave};
	return &all[process->step_count++];
}

void wt_step_note(struct wt_replay_process *process, uint64_t wave, const void *bytes, size_t size)
{
	struct wt_replay_step *step =
		size <= WT_STEP_BYTES ? replay_step_make(process, wave) : NULL;

	if (!step)
		return;
	memcpy(step->bytes, bytes, size);
	step->size = size;
}

void wt_step_begin(struct wt_replay_process *process, uint64_t wave, bool step, bool told)
{
	struct wt_replay_step *found =
		step ? replay_step_make(process, wave) : replay_step_find(process, wave);

	if (!found)
		return;
	found->told = told;
	/* A second one: what the first has written is not known, either. */
	found->made = step && found->made && wt_timeline_made_step(&process->timeline, wave);
	if (!step || !wt_replay_wave_pc(process, wave, &found->from))
		found->from = 0;
	if (!step)
		found->size = 0;
}

static const struct gfx_architecture *
stepped_wave_architecture(const struct wt_replay_process *process, uint64_t wave)
{
	uint64_t architecture;

	if (!wt_recorded_number(&process->timeline.recorded, WT_OBJECT_WAVE, wave,
				AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, &architecture))
		return NULL;
	return wt_known_find(&wt_replayer.known, architecture);
}

/* An instruction, and what it does as far as that is known without executing it. */
struct code {
	uint8_t bytes[WT_STEP_BYTES];
	uint32_t words[WORDS];
	size_t count; /* of the words */
	bool decoded; /* by our own tables */
	struct gfx_instruction instruction;
};

/* How long the instruction is, in words; 0 if it is none. LLVM knows those of all architectures, where it is there. */
static size_t step_instruction_measure(const struct gfx_architecture *architecture, uint64_t pc,
				       const struct code *code)
{
	struct wt_disassembler *disassembler;
	struct wt_disassembled result;

	if (code->decoded)
		return code->instruction.word_count;
	disassembler =
		wt_disassemblers_get(&wt_replayer.disassemblers, architecture, &wt_replayer.client);
	return disassembler && wt_disassembler_decode(disassembler, pc, code->bytes,
						      code->count * sizeof(*code->words), &result)
		       ? result.size / sizeof(*code->words)
		       : 0;
}

/* Finds where a wave is after an instruction, if nothing but the instruction decides that. @over: a trap that it stands at is behind it. */
static bool step_next_pc_find(const struct gfx_architecture *architecture, uint64_t pc,
			      const struct code *code, bool over, uint64_t *next_ret)
{
	struct gfx_classification classification;
	size_t count = step_instruction_measure(architecture, pc, code);

	if (!count)
		return false;
	gfx_classify(architecture, pc, code->words, count, &classification);
	switch (classification.kind) {
	case GFX_INSTRUCTION_SEQUENTIAL:
	case GFX_INSTRUCTION_SLEEP:
		*next_ret = pc + count * sizeof(*code->words);
		return true;
	case GFX_INSTRUCTION_TRAP:
		*next_ret = pc + count * sizeof(*code->words);
		return over;
	case GFX_INSTRUCTION_DIRECT_BRANCH:
	case GFX_INSTRUCTION_DIRECT_CALL:
		*next_ret = classification.target;
		return true;
	default:
		return false;
	}
}

/* Reads the program's code at the pc: the client's own breakpoint may be there. */
static void read_code(const struct wt_replay_process *process,
		      const struct gfx_architecture *architecture,
		      const struct wt_replay_step *step, struct code *code)
{
	size_t size;

	*code = (struct code){.count = 0};
	size = wt_debuggee_move(process, step->from, code->bytes, NULL, sizeof(code->bytes));
	memcpy(code->bytes, step->bytes, step->size);
	code->count = (size < step->size ? step->size : size) / sizeof(*code->words);
	memcpy(code->words, code->bytes, sizeof(code->words));
	for (size_t i = 0; i < WORDS; i++)
		code->words[i] = le32toh(code->words[i]);
	code->decoded = gfx_decode(architecture, code->words, code->count, &code->instruction) ==
			GFX_DECODE_OK;
}

static bool replay_step_make_over(struct wt_replay_process *process, struct wt_replay_step *step,
				  uint64_t wave, bool over)
{
	struct wt_timeline *timeline = &process->timeline;
	const struct gfx_architecture *architecture = stepped_wave_architecture(process, wave);
	struct code code;
	uint64_t next, lanes;

	if (!step || !step->from || !architecture)
		return false;
	read_code(process, architecture, step, &code);
	if (!step_next_pc_find(architecture, step->from, &code, over, &next) ||
	    next == step->from || !wt_timeline_make_step(timeline, wave, over) ||
	    !wt_replay_wave_set_pc(process, wave, next))
		return false;
	if (!wt_recorded_number(&timeline->recorded, WT_OBJECT_WAVE, wave,
				AMD_DBGAPI_WAVE_INFO_LANE_COUNT, &lanes))
		lanes = GFX_MAX_LANES;
	step->uses_known = code.decoded && !step->made;
	if (step->uses_known)
		gfx_instruction_uses(&code.instruction, (uint32_t)lanes, &step->uses);
	step->made = true;
	step->size = 0;
	return true;
}

bool wt_step_make(struct wt_replay_process *process, uint64_t wave, bool over)
{
	struct wt_replay_step *step = replay_step_find(process, wave);

	return replay_step_make_over(process, step, wave, over || (step && step->told));
}

bool wt_step_is_at_breakpoint(const struct wt_replay_process *process, uint64_t wave)
{
	const struct gfx_architecture *architecture = stepped_wave_architecture(process, wave);
	const struct wt_replay_step *step = replay_step_find(process, wave);
	uint8_t there[sizeof(architecture->breakpoint)];

	return step && step->from && architecture && !step->size &&
	       wt_debuggee_move(process, step->from, there, NULL, architecture->breakpoint_size) ==
		       architecture->breakpoint_size &&
	       !memcmp(there, architecture->breakpoint, architecture->breakpoint_size);
}

bool wt_step_make_all(struct wt_replay_process *process)
{
	const struct wt_timeline *timeline = &process->timeline;
	uint64_t wave = 0;
	bool made = false;

	while ((wave = wt_timeline_next_step(timeline, wave)))
		made = replay_step_make_over(process, replay_step_find(process, wave), wave,
					     false) ||
		       made;
	return made;
}

static bool uses_write(const struct gfx_uses *uses, enum gfx_register_file file, uint32_t first,
		       uint32_t count)
{
	for (uint32_t i = 0; i < uses->write_count; i++) {
		const struct gfx_use *use = &uses->writes[i];

		if (use->file == file && first < (uint32_t)use->number + use->words &&
		    use->number < first + count)
			return true;
	}
	return false;
}

bool wt_step_hides(const struct wt_replay_process *process, uint64_t wave, uint64_t register_id)
{
	const struct gfx_architecture *architecture;
	const struct wt_replay_step *step;
	struct gfx_register found;

	if (!wt_timeline_made_step(&process->timeline, wave) ||
	    register_id == wt_replay_pc_register(process, wave))
		return false;
	step = replay_step_find(process, wave);
	architecture = stepped_wave_architecture(process, wave);
	if (!step || !step->uses_known || step->uses.dynamic || !architecture ||
	    !gfx_register_by_id(architecture, register_id, &found))
		return true;
	switch (found.range->kind) {
	case GFX_REGISTER_SGPR:
		return uses_write(&step->uses, GFX_FILE_SCALAR, found.index, 1);
	case GFX_REGISTER_VGPR:
		return uses_write(&step->uses, GFX_FILE_VECTOR, found.index, 1);
	case GFX_REGISTER_AGPR:
		return uses_write(&step->uses, GFX_FILE_ACCUMULATION, found.index, 1);
	case GFX_REGISTER_VCC:
		return uses_write(&step->uses, GFX_FILE_SCALAR, GFX_CODE_VCC, 2);
	case GFX_REGISTER_EXEC:
		return uses_write(&step->uses, GFX_FILE_SCALAR, GFX_CODE_EXEC, 2);
	case GFX_REGISTER_M0:
		return uses_write(&step->uses, GFX_FILE_SCALAR, GFX_CODE_M0, 1);
	case GFX_REGISTER_TTMP:
		return false;
	default:
		return true;
	}
}
