/* SPDX-License-Identifier: MIT */
/* One wave: its start, its turns, and what stops it. */
#include <endian.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/machine/machine.h"
#include "device/exceptions.h"
#include "device/save-area/area.h"
#include "device/trap-handler.h"

#define STATE_PRIV_BARRIER_COMPLETE                                                                \
	(1u << 2) /* of gfx12: all have signalled, and the wave has not waited */

#define TRAP_BREAKPOINT 1
#define TRAP_ASSERT 2
#define TRAP_DEBUG 3
#define TRAP_SIZE 4 /* bytes of an s_trap */
#define SYNC_SIZE 8 /* bytes of a ds_gws_barrier */

/* Instructions that a wave still executes after an access failed in imprecise memory, unless it comes
 * to wait for the access. */
#define LATE_INSTRUCTIONS 8
#define OPCODE_MASK 0xffff0000u /* of SOPP */
#define SCALAR_MEMORY_MASK 0xfc000000u

/* Words by which instructions are known without being decoded: s_waitcnt, of which gfx12 has several, and the encoding of scalar memory. */
static const struct known_words {
	uint32_t wait, wait_mask, scalar_memory;
} words_gfx9 = {0xbf8c0000u, OPCODE_MASK, 0xc0000000u},
  words_gfx10 = {0xbf8c0000u, OPCODE_MASK, 0xf4000000u},
  words_gfx11 = {0xbf890000u, OPCODE_MASK, 0xf4000000u},
  words_gfx12 = {0xbfc00000u, 0xfff00000u, 0xf4000000u};

static const struct known_words *wave_words(const struct wt_wave *wave)
{
	switch (wave->gfx.architecture->generation) {
	case GFX_GENERATION_9:
		return &words_gfx9;
	case GFX_GENERATION_10:
		return &words_gfx10;
	case GFX_GENERATION_11:
		return &words_gfx11;
	case GFX_GENERATION_12:
	case GFX_GENERATION_12_5:
	default:
		return &words_gfx12;
	}
}

void wt_machine_message(const struct wt_machine *machine, bool warning, const char *format, ...)
{
	va_list arguments;
	char *text;

	if (!machine->listener.message)
		return;
	va_start(arguments, format);
	text = wt_text_list(format, arguments);
	va_end(arguments);
	if (!text)
		return;
	machine->listener.message(machine->listener.opaque, warning, text);
	free(text);
}

static void set_up(const struct wt_queue *queue, struct wt_wave *wave)
{
	const struct wt_task *task = queue->task;
	const struct gfx_wave_resources *resources = &task->resources;
	uint64_t words = (uint64_t)resources->vgpr_count * GFX_MAX_LANES;

	wave->gfx = (struct gfx_wave){
		.architecture = queue->agent->agent.architecture,
		.lane_count = resources->lane_count,
		.sgpr_count = resources->sgpr_count,
		.vgpr_count = resources->vgpr_count,
		.agpr_count = resources->agpr_count,
		.vgprs = wave->registers,
		.agprs = wave->registers + words,
		.vector_words = GFX_MAX_LANES,
		.lds = wave->group->lds,
		.lds_size = task->group_bytes,
		.lds_room = (uint32_t)gfx_local_room(queue->agent->agent.architecture,
						     task->group_bytes),
		.scratch = wave->scratch,
		.scratch_size = (uint64_t)task->private_bytes * resources->lane_count,
	};
	if (wave->scratch)
		memset(wave->scratch, 0, wave->gfx.scratch_size);
}

static void launch(const struct wt_queue *queue, struct wt_wave *wave, const uint32_t group_size[3])
{
	const struct wt_task *task = queue->task;
	struct gfx_launch launch = {
		.code_entry = task->entry,
		.kernarg_address = task->arguments_address,
		.dispatch_packet_address = queue->dispatch.packet_address,
		.queue_address = queue->structure_address,
		.dispatch_id = queue->dispatch.packet_id,
		.scratch_base = wave->scratch_address,
		.scratch_pool_base = queue->scratch_address,
		.scratch_pool_size = queue->scratch_size,
		.private_segment_size = task->private_bytes,
		.wave_in_group = wave->wave.number_in_group,
		.packet_index =
			(uint32_t)(queue->dispatch.packet_id % (queue->queue.ring_size / 64)),
		/* Like the API's handles, these count from 1: 0 is no wave. */
		.wave_id = (uint64_t)wave->wave.number + 1,
	};

	memcpy(launch.workgroup, wave->group->workgroup.coordinates, sizeof(launch.workgroup));
	memcpy(launch.workgroup_size, group_size, sizeof(launch.workgroup_size));
	memcpy(launch.grid_size, task->grid, sizeof(launch.grid_size));
	gfx_wave_launch(&wave->gfx, &task->descriptor, &launch);
}

void wt_wave_create(struct wt_queue *queue, struct wt_group *group, uint32_t number_in_group,
		    const uint32_t group_size[3])
{
	struct wt_machine *machine = queue->machine;
	struct wt_wave *wave = &group->waves[number_in_group];

	set_up(queue, wave);
	wave->live = true;
	wave->waiting = wave->sync_waiting = wave->arrived = false;
	wave->override_set = false;
	wave->late_left = 0;
	wave->wave = (struct wt_device_wave){
		.number = machine->next_wave++,
		.workgroup = &group->workgroup,
		.number_in_group = number_in_group,
		.state = WT_WAVE_RUNNING,
		.gfx = &wave->gfx,
	};
	launch(queue, wave, group_size);
	if (machine->watching)
		wave->gfx.mode |= WT_MODE_ADDRESS_WATCH;
	group->live_count++;
	if (machine->listener.wave_created)
		machine->listener.wave_created(machine->listener.opaque, &wave->wave);
}

/* A barrier opens when all waves that have not ended have come, stopped ones included. Not all need to wait there by then. */
static void open_barrier(struct wt_group *group)
{
	if (!group->live_count || group->arrived_count < group->live_count)
		return;
	for (uint32_t i = 0; i < group->wave_count; i++) {
		struct wt_wave *wave = &group->waves[i];

		if (!wave->arrived)
			continue;
		if (!wave->waiting)
			wave->gfx.state_priv |= STATE_PRIV_BARRIER_COMPLETE;
		wave->waiting = wave->arrived = false;
		wave->gfx.status &= ~WT_STATUS_IN_BARRIER;
	}
	group->arrived_count = 0;
}

static void barrier_signal(struct wt_wave *wave)
{
	if (!wave->arrived)
		wave->group->arrived_count++;
	wave->arrived = true;
	open_barrier(wave->group);
}

static void barrier_wait(struct wt_wave *wave)
{
	wave->waiting = !(wave->gfx.state_priv & STATE_PRIV_BARRIER_COMPLETE);
	wave->gfx.state_priv &= ~STATE_PRIV_BARRIER_COMPLETE;
	wave->gfx.status |= wave->waiting ? WT_STATUS_IN_BARRIER : 0;
}

static void enter_barrier(struct wt_wave *wave)
{
	wave->waiting = true;
	wave->gfx.status |= WT_STATUS_IN_BARRIER;
	barrier_signal(wave);
}

/* The barrier of a resource opens: for all of the queue's waves that wait there. */
static void open_sync(struct wt_queue *queue, uint32_t resource)
{
	for (size_t i = 0; i < queue->resident_count; i++) {
		struct wt_group *group = queue->resident[i];

		for (uint32_t w = 0; w < group->wave_count; w++)
			if (group->waves[w].gfx.sync.resource == resource)
				group->waves[w].sync_waiting = false;
	}
}

/* Nobody has given it to the queue. */
static enum gfx_step sync_refuse(struct wt_wave *wave)
{
	wave->gfx.pc -= SYNC_SIZE;
	memset(&wave->wave.fault, 0, sizeof(wave->wave.fault));
	wave->wave.fault.reason = "global wave sync in a queue that was not made for it";
	return GFX_STEP_ILLEGAL_INSTRUCTION;
}

static enum gfx_step enter_sync(struct wt_queue *queue, struct wt_wave *wave)
{
	const struct gfx_sync *sync = &wave->gfx.sync;
	uint32_t *count = &queue->sync_counts[sync->resource];

	/* The workgroup's barrier, on gfx12. */
	if (sync->kind == GFX_SYNC_WAIT) {
		barrier_wait(wave);
		return GFX_STEP_DONE;
	}
	if (sync->kind == GFX_SYNC_SIGNAL) {
		if (sync->value)
			gfx_wave_set_scc(&wave->gfx, !wave->group->arrived_count);
		barrier_signal(wave);
		return GFX_STEP_DONE;
	}
	if (!queue->has_sync)
		return sync_refuse(wave);
	if (sync->kind == GFX_SYNC_BARRIER && *count) {
		--*count;
		wave->sync_waiting = true;
		return GFX_STEP_DONE;
	}
	*count = sync->value;
	if (sync->kind == GFX_SYNC_BARRIER)
		open_sync(queue, sync->resource);
	return GFX_STEP_DONE;
}

void wt_wave_end(struct wt_machine *machine, struct wt_wave *wave)
{
	bool stepping = wave->wave.state == WT_WAVE_STEPPING;
	struct wt_group *group = wave->group;

	if (wave->arrived)
		group->arrived_count--;
	wave->waiting = wave->sync_waiting = wave->arrived = false;
	wave->live = false;
	group->live_count--;
	open_barrier(group);
	if (machine->listener.wave_terminated)
		machine->listener.wave_terminated(machine->listener.opaque, &wave->wave, stepping);
}

/* The state that a trap handler leaves when it halts a wave for the debugger. */
static void park(struct wt_wave *wave, uint32_t reasons, uint32_t trap_id)
{
	struct gfx_wave *gfx = &wave->gfx;
	uint32_t saved =
		gfx->ttmps[6] & ~(WT_TTMP6_TRAP_ID | WT_TTMP6_SAVED_HALT | WT_TTMP6_STOPPED);

	saved |= (trap_id << WT_TTMP6_TRAP_ID_SHIFT) & WT_TTMP6_TRAP_ID;
	saved |= gfx->status & WT_STATUS_HALT ? WT_TTMP6_SAVED_HALT : 0;
	gfx->ttmps[6] = saved | WT_TTMP6_STOPPED;
	gfx->status |= WT_STATUS_HALT;
	gfx_wave_part_state(gfx);
	wave->wave.state = WT_WAVE_STOPPED;
	wave->wave.stop_reasons = reasons;
}

void wt_wave_halt(struct wt_wave *wave)
{
	if (wave->wave.state != WT_WAVE_STOPPED)
		park(wave, WT_STOP_NONE, 0);
}

void wt_wave_resume(struct wt_wave *wave, bool step)
{
	const struct wt_save_area_layout *layout = wt_save_area_layout_find(wave->gfx.architecture);
	struct gfx_wave *gfx = &wave->gfx;

	if (wave->wave.state != WT_WAVE_STOPPED)
		return;
	if (layout)
		wt_saved_wave_clear_reasons(layout, wave->wave.stop_reasons, gfx);
	gfx_wave_join_state(gfx);
	if (!(gfx->ttmps[6] & WT_TTMP6_SAVED_HALT))
		gfx->status &= ~WT_STATUS_HALT;
	gfx->ttmps[6] &= ~(WT_TTMP6_TRAP_ID | WT_TTMP6_SAVED_HALT | WT_TTMP6_STOPPED);
	gfx->mode = step ? gfx->mode | WT_MODE_SINGLE_STEP : gfx->mode & ~WT_MODE_SINGLE_STEP;
	wave->wave.state = step ? WT_WAVE_STEPPING : WT_WAVE_RUNNING;
	wave->wave.stop_reasons = 0;
	memset(&wave->wave.fault, 0, sizeof(wave->wave.fault));
}

static uint32_t trap_reason(uint32_t trap_id)
{
	switch (trap_id) {
	case TRAP_BREAKPOINT:
		return WT_STOP_BREAKPOINT;
	case TRAP_ASSERT:
		return WT_STOP_ASSERT_TRAP;
	case TRAP_DEBUG:
		return WT_STOP_DEBUG_TRAP;
	default:
		return WT_STOP_TRAP;
	}
}

/* The older stepping leaves no flag: a debugger knows by the pc that something was executed. */
static void wave_note_step(struct wt_wave *wave)
{
	const struct wt_save_area_layout *layout = wt_save_area_layout_find(wave->gfx.architecture);

	if (layout && layout->handler->excp_flags)
		wave->gfx.trapsts |= WT_TRAPSTS_AFTER_INST;
	else if (layout)
		wave->gfx.trapsts |= layout->handler->after_inst;
}

/* Stop on an s_trap. The handler leaves the pc behind a breakpoint and a debug trap, else at it. */
static uint32_t stop_on_trap(struct wt_wave *wave, bool stepping)
{
	uint32_t reasons = trap_reason(wave->wave.fault.trap_id);

	if (reasons & (WT_STOP_BREAKPOINT | WT_STOP_DEBUG_TRAP))
		wave->gfx.pc += TRAP_SIZE;
	/* A debug trap is an instruction of the program, which a step has then done. A breakpoint
	 * stands in the place of one that has not been executed. */
	if (stepping && (reasons & WT_STOP_DEBUG_TRAP)) {
		wave_note_step(wave);
		reasons |= WT_STOP_SINGLE_STEP;
	}
	return reasons;
}

/* Returns what a failed step is to a debugger, and sets the bits that say so in trapsts. */
static uint32_t stop_on_fault(uint32_t *trapsts, enum gfx_step step)
{
	switch (step) {
	case GFX_STEP_MEMORY_VIOLATION:
	case GFX_STEP_FETCH_VIOLATION:
		*trapsts |= WT_TRAPSTS_MEM_VIOL | WT_TRAPSTS_XNACK_ERROR;
		return WT_STOP_MEMORY_VIOLATION;
	case GFX_STEP_ADDRESS_ERROR:
		*trapsts |= WT_TRAPSTS_MEM_VIOL;
		return WT_STOP_ADDRESS_ERROR;
	case GFX_STEP_DONE:
	case GFX_STEP_BARRIER:
	case GFX_STEP_GLOBAL_SYNC:
	case GFX_STEP_END:
	case GFX_STEP_TRAP:
	case GFX_STEP_HALT:
	case GFX_STEP_ILLEGAL_INSTRUCTION:
	default:
		*trapsts |= WT_TRAPSTS_ILLEGAL_INST;
		return WT_STOP_ILLEGAL_INSTRUCTION;
	}
}

/* An instruction that decodes is one, and has a name; of another one it is not known whether it is one. */
static void wave_tell_missing(const struct wt_machine *machine, const struct gfx_fault *fault,
			      const struct gfx_instruction *instruction, const char *words)
{
	char missing[192], name[GFX_NAME_SIZE];

	if (instruction->operation) {
		gfx_instruction_name(instruction, name);
		snprintf(missing, sizeof(missing), "%s of %s: %s", words, name, fault->reason);
	} else {
		snprintf(missing, sizeof(missing), "%s, if it is a valid one: %s", words,
			 fault->reason);
	}
	machine->listener.not_implemented(machine->listener.opaque, missing);
}

/* A line for the log: which wave, where, and what happened. */
static void wave_fault_report(const struct wt_machine *machine, const struct wt_queue *queue,
			      const struct wt_wave *wave, const char *what)
{
	const struct gfx_fault *fault = &wave->wave.fault;
	const uint32_t *group = wave->group->workgroup.coordinates;
	char detail[96] = "", unnamed[48], refused[GFX_NAME_SIZE + 2] = "";
	struct gfx_instruction instruction = {.operation = NULL};
	enum gfx_decode_status status = GFX_DECODE_OK;

	/* A driver sees packets, and no names. */
	snprintf(unnamed, sizeof(unnamed), "at %#llx", (unsigned long long)queue->task->entry);
	if (fault->word_count)
		snprintf(detail, sizeof(detail), ", instruction %08x", fault->words[0]);
	if (fault->word_count > 1)
		snprintf(detail + strlen(detail), sizeof(detail) - strlen(detail), " %08x",
			 fault->words[1]);
	if (fault->address)
		snprintf(detail + strlen(detail), sizeof(detail) - strlen(detail), ", %s %#llx",
			 fault->write ? "write to" : "access to",
			 (unsigned long long)fault->address);
	if (fault->not_implemented)
		status = gfx_decode(wave->gfx.architecture, fault->words, fault->word_count,
				    &instruction);
	if (fault->not_implemented && machine->listener.not_implemented)
		wave_tell_missing(machine, fault, &instruction,
				  *detail ? detail + strlen(", ") : "instruction");
	/* The tables know some operations by name alone. */
	if (status == GFX_DECODE_UNKNOWN_OPERATION && instruction.operation)
		snprintf(refused, sizeof(refused), "%s: ", instruction.operation->name);
	wt_machine_message(machine, fault->not_implemented,
			   "wave %u (kernel %s, workgroup %u,%u,%u, wave %u of it) %s at pc "
			   "%#llx%s: %s%s%s",
			   wave->wave.number, *queue->task->name ? queue->task->name : unnamed,
			   group[0], group[1], group[2], wave->wave.number_in_group, what,
			   (unsigned long long)wave->gfx.pc, detail,
			   fault->not_implemented ? "not implemented by the simulated GPU: " : "",
			   refused, fault->reason);
}

static void wave_stop_for(struct wt_queue *queue, struct wt_wave *wave, uint32_t reasons)
{
	struct wt_machine *machine = queue->machine;

	park(wave, reasons, wave->wave.fault.trap_id);
	machine->stops++;
	if (machine->listener.wave_stopped)
		machine->listener.wave_stopped(machine->listener.opaque, &wave->wave);
}

/* An access of imprecise memory failed: the wave goes on behind it, and will hear of it. */
static bool defer_fault(const struct wt_machine *machine, struct wt_wave *wave, enum gfx_step step)
{
	if (machine->memory_mode != WT_MEMORY_LATE || wave->late_left ||
	    (step != GFX_STEP_MEMORY_VIOLATION && step != GFX_STEP_ADDRESS_ERROR))
		return false;
	wave->late_left = LATE_INSTRUCTIONS;
	wave->late_reasons = stop_on_fault(&wave->late_trapsts, step);
	wave->late_fault = wave->wave.fault;
	wave->gfx.pc += 4 * (uint64_t)wave->wave.fault.word_count;
	wave->gfx.instruction_count++;
	return true;
}

/* Behind an access that failed, where memory is precise. */
static void pass_failed_access(const struct wt_machine *machine, struct wt_wave *wave,
			       enum gfx_step step)
{
	if (machine->memory_mode != WT_MEMORY_PRECISE ||
	    (step != GFX_STEP_MEMORY_VIOLATION && step != GFX_STEP_ADDRESS_ERROR))
		return;
	wave->gfx.pc += 4 * (uint64_t)wave->wave.fault.word_count;
	wave->gfx.instruction_count++;
}

/* Take what a late access has to say into a stop that is made now. */
static uint32_t take_late_fault(struct wt_wave *wave)
{
	if (!wave->late_left)
		return 0;
	wave->late_left = 0;
	wave->gfx.trapsts |= wave->late_trapsts;
	/* The driver tells the first of two accesses that failed. */
	if (!wave->wave.fault.reason || !*wave->wave.fault.reason || wave->wave.fault.address)
		wave->wave.fault = wave->late_fault;
	return wave->late_reasons;
}

/* A wave that waits for an access that failed, or has gone far enough, stops. */
static bool late_fault_is_due(const struct wt_queue *queue, struct wt_wave *wave)
{
	uint32_t word = 0;

	if (!wave->late_left)
		return false;
	wave->late_left--;
	if (!wave->late_left) {
		wave->late_left = 1;
		return true;
	}
	wt_machine_peek(queue->machine, wave->gfx.pc, &word, sizeof(word));
	word = le32toh(word);
	return (word & wave_words(wave)->wait_mask) == wave_words(wave)->wait ||
	       (word & OPCODE_MASK) == wave->gfx.architecture->end_word;
}

/* Handles a step that was not simply done. */
static void finish_step(struct wt_queue *queue, struct wt_wave *wave, enum gfx_step step)
{
	bool stepping = wave->wave.state == WT_WAVE_STEPPING;
	uint32_t reasons;

	if (defer_fault(queue->machine, wave, step)) {
		wave_fault_report(queue->machine, queue, wave, "stopped");
		memset(&wave->wave.fault, 0, sizeof(wave->wave.fault));
		step = GFX_STEP_DONE;
	}
	if (step == GFX_STEP_GLOBAL_SYNC)
		step = enter_sync(queue, wave);
	switch (step) {
	case GFX_STEP_BARRIER:
		enter_barrier(wave);
		break;
	case GFX_STEP_END:
		wt_wave_end(queue->machine, wave);
		return;
	case GFX_STEP_TRAP:
		reasons = stop_on_trap(wave, stepping);
		wave_stop_for(queue, wave, reasons | take_late_fault(wave));
		return;
	case GFX_STEP_ILLEGAL_INSTRUCTION:
	case GFX_STEP_MEMORY_VIOLATION:
	case GFX_STEP_ADDRESS_ERROR:
	case GFX_STEP_FETCH_VIOLATION:
		wave_fault_report(queue->machine, queue, wave, "stopped");
		reasons = stop_on_fault(&wave->gfx.trapsts, step);
		pass_failed_access(queue->machine, wave, step);
		wave_stop_for(queue, wave, reasons | take_late_fault(wave));
		return;
	case GFX_STEP_DONE:
	case GFX_STEP_GLOBAL_SYNC:
	case GFX_STEP_HALT:
	default:
		break;
	}
	reasons = wt_enabled_reasons(wave->gfx.trapsts, wave->gfx.mode);
	if (!reasons && !stepping && !late_fault_is_due(queue, wave))
		return;
	if (stepping) {
		reasons |= WT_STOP_SINGLE_STEP;
		wave_note_step(wave);
	}
	memset(&wave->wave.fault, 0, sizeof(wave->wave.fault));
	wave_stop_for(queue, wave, reasons | take_late_fault(wave));
}

/* A program may have halted itself. */
static bool wave_can_run(const struct wt_wave *wave)
{
	return wave->live && !wave->waiting && !wave->sync_waiting &&
	       wave->wave.state != WT_WAVE_STOPPED && !(wave->gfx.status & WT_STATUS_HALT);
}

/* Address watch registers are in the path of vector memory alone. */
static bool is_scalar_load(const struct wt_machine *machine, const struct wt_wave *wave)
{
	uint32_t word = 0;

	wt_machine_peek(machine, wave->gfx.pc, &word, sizeof(word));
	return (le32toh(word) & SCALAR_MEMORY_MASK) == wave_words(wave)->scalar_memory;
}

static enum gfx_step execute_watched(struct wt_machine *machine, const struct gfx_memory *memory,
				     struct wt_wave *wave)
{
	enum gfx_step step;

	wt_watch_begin(machine);
	step = gfx_wave_step(&wave->gfx, memory, &wave->wave.fault);
	if (step == GFX_STEP_DONE)
		wave->gfx.trapsts |= wt_watch_hits(machine);
	return step;
}

/* An instruction that a debugger has put in the place of the one at the pc. */
static enum gfx_step execute_override(const struct wt_queue *queue, struct wt_wave *wave)
{
	wave->override_set = false;
	memset(&wave->wave.fault, 0, sizeof(wave->wave.fault));
	wave->wave.fault.reason = "";
	return gfx_wave_execute(&wave->gfx, &queue->agent->memory, &wave->override,
				&wave->wave.fault);
}

static enum gfx_step wave_execute(struct wt_queue *queue, struct wt_wave *wave)
{
	if (wave->override_set)
		return execute_override(queue, wave);
	if (queue->machine->watching && !is_scalar_load(queue->machine, wave))
		return execute_watched(queue->machine, &queue->agent->watched, wave);
	return gfx_wave_step(&wave->gfx, &queue->agent->memory, &wave->wave.fault);
}

/* Once for an instruction: there may be many, of many waves. */
static void report_left_local(struct wt_queue *queue, const struct wt_wave *wave)
{
	struct wt_machine *machine = queue->machine;
	const uint32_t count = sizeof(machine->left_local) / sizeof(*machine->left_local);

	for (uint32_t i = 0; i < count; i++)
		if (machine->left_local[i] == wave->gfx.pc)
			return;
	machine->left_local[machine->left_local_next++ % count] = wave->gfx.pc;
	wave_fault_report(machine, queue, wave, "goes on");
}

/*
 * An instruction was not executed since it accesses local memory that the dispatch has not asked for. Who listens may want
 * it to do what it does on hardware.
 */
static enum gfx_step leave_local(struct wt_queue *queue, struct wt_wave *wave)
{
	const struct wt_device_listener *listener = &queue->machine->listener;
	struct gfx_memory lenient;

	if (!listener->wave_left_local || !listener->wave_left_local(listener->opaque, &wave->wave))
		return GFX_STEP_ADDRESS_ERROR;
	report_left_local(queue, wave);
	lenient = queue->machine->watching ? queue->agent->watched : queue->agent->memory;
	lenient.lenient_local = true;
	if (queue->machine->watching)
		return execute_watched(queue->machine, &lenient, wave);
	return gfx_wave_step(&wave->gfx, &lenient, &wave->wave.fault);
}

/* Whether nothing is asked of a wave but to run: no step, no instruction in the place of the next, no fault to be heard of. */
static bool wave_runs_freely(const struct wt_wave *wave)
{
	return wave->wave.state != WT_WAVE_STEPPING && !wave->override_set && !wave->late_left;
}

/* Whether there is more to a completed instruction than that it is. */
static bool is_noteworthy(const struct wt_wave *wave)
{
	return !wave_runs_freely(wave) ||
	       (wave->gfx.trapsts & (WT_TRAPSTS_ARITHMETIC | WT_TRAPSTS_ADDRESS_WATCH) &&
		wt_enabled_reasons(wave->gfx.trapsts, wave->gfx.mode));
}

struct wt_code *wt_code_create(void)
{
	struct wt_code *code = malloc(sizeof(*code));

	if (!code)
		return NULL;
	code->code = (struct gfx_code){code->entries, WT_DECODED_COUNT};
	code->code_changes = 0;
	gfx_code_clear(&code->code);
	return code;
}

/* The instructions of a cache, without those that may have changed. */
static struct gfx_code *code_known(const struct wt_machine *machine, struct wt_code *code)
{
	uint64_t changes = machine->bytes.code_changes(machine->bytes.opaque);

	if (code->code_changes != changes)
		gfx_code_clear(&code->code);
	code->code_changes = changes;
	return &code->code;
}

uint64_t wt_wave_run(struct wt_queue *queue, struct wt_wave *wave, uint64_t quantum)
{
	uint64_t done = 0;

	while (done < quantum && wave_can_run(wave)) {
		bool overridden = wave->override_set;
		uint64_t count = 1;
		enum gfx_step step;

		if (wave_runs_freely(wave) && !queue->machine->watching)
			step = gfx_wave_run(&wave->gfx, &queue->agent->memory,
					    code_known(queue->machine, queue->agent->code),
					    quantum - done, &wave->wave.fault, &count);
		else
			step = wave_execute(queue, wave);
		if (step == GFX_STEP_ADDRESS_ERROR && wave->wave.fault.outside_local && !overridden)
			step = leave_local(queue, wave);
		done += count;
		if (step != GFX_STEP_DONE || is_noteworthy(wave))
			finish_step(queue, wave, step);
	}
	return done;
}
