/* SPDX-License-Identifier: MIT */
/* Attaching to a process and letting it go; the operations of the seam. */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "dbgapi/kfd/internal.h"
#include "dbgapi/kfd/kfd.h"
#include "device/exceptions.h"
#include "device/trap-handler.h"
#include "gfx/isa/run.h"

/* ---- Waves that are stopped, resumed and stepped ---- */

/* Reasons that are a debugger's own: it has planted what stops the wave, or asked for it. */
#define DEBUGGER_REASONS                                                                           \
	(WT_STOP_BREAKPOINT | WT_STOP_WATCHPOINT | WT_STOP_SINGLE_STEP | WT_STOP_DEBUG_TRAP)

/* ---- Stops ---- */

/* The instruction that the wave executes next; false if it is none that is known. */
static bool next_instruction(struct wt_live *live, const struct wt_core_wave *wave,
			     struct gfx_instruction *ret)
{
	const struct wt_memory_view *memory = &live->core.memory;
	uint32_t words[GFX_INSTRUCTION_WORDS] = {0};
	size_t count = wave->live.override_count;

	memcpy(words, wave->live.override_words, sizeof(words));
	if (!count) {
		count = memory->read(memory->opaque, wave->gfx.pc, words, sizeof(words)) /
			sizeof(*words);
		for (size_t i = 0; i < count; i++)
			words[i] = le32toh(words[i]);
	}
	return count && gfx_decode(wave->gfx.architecture, words, count, ret) == GFX_DECODE_OK;
}

/*
 * Families that do not tell a step from what else takes a wave into the trap handler: one that stands where it stood has not
 * made its step, if its instruction is one behind which it would stand elsewhere.
 */
static uint32_t find_step(struct wt_live *live, const struct wt_core_wave *wave, uint32_t reasons)
{
	struct gfx_instruction instruction;

	if (wave->wave.state != WT_WAVE_STEPPING || wave->queue->agent->layout->handler->after_inst)
		return reasons;
	if (wave->gfx.pc != wave->live.resumed_at)
		return reasons | WT_STOP_SINGLE_STEP;
	if (reasons || (next_instruction(live, wave, &instruction) &&
			!gfx_instruction_depends_on_position(&instruction)))
		return reasons;
	return WT_STOP_SINGLE_STEP;
}

void wt_live_note_stop(struct wt_live *live, struct wt_core_wave *wave, uint32_t reasons)
{
	const bool stepping = wave->wave.state == WT_WAVE_STEPPING;

	reasons = find_step(live, wave, reasons);
	wave->live.dirty = true;
	if (reasons) {
		wave->live.pending = live->untold = true;
		wave->live.reasons = reasons;
	} else if (stepping) {
		wt_core_unpark(wave, true);
	} else {
		wave->wave.state = WT_WAVE_STOPPED;
		wave->wave.stop_reasons = WT_STOP_NONE;
	}
}

static bool live_halt_wave(struct wt_device *device, struct wt_device_wave *device_wave)
{
	struct wt_core_wave *wave = wt_live_wave_of(device_wave);
	struct wt_live *live = wt_live_of(device);
	bool halted = false;

	/* The wave has not executed anything, and is not to be found changed. */
	if (device_wave->halted_at_launch) {
		device_wave->state = WT_WAVE_STOPPED;
		return true;
	}
	wt_live_hold_queue(live, wave->queue);
	if (wt_live_is_loaded(live) && wave->queue->live.suspended && !wave->live.gone &&
	    !wave->live.pending && device_wave->state != WT_WAVE_STOPPED) {
		wt_core_park(wave);
		wave->live.dirty = true;
		halted = true;
	}
	wt_live_let_go(live);
	return halted;
}

static void live_note_written(struct wt_device *device, struct wt_device_wave *device_wave)
{
	struct wt_core_wave *wave = wt_live_wave_of(device_wave);

	(void)device;
	wt_core_note_pc(wave);
	wave->live.dirty = true;
}

/* ---- Going on ---- */

/* Clears the bits that said why the wave stood, which would say so again. */
static void clear_reasons(struct wt_core_wave *wave)
{
	wt_saved_wave_clear_reasons(wave->queue->agent->layout, wave->wave.stop_reasons,
				    &wave->gfx);
	wave->gfx.ttmps[6] &= ~WT_TTMP6_TRAP_ID;
}

/* The wave executes s_endpgm where nobody changes it, and is no longer there for the debugger. */
static void live_end_wave(struct wt_live *live, struct wt_core_wave *wave)
{
	uint64_t address = wt_live_end_address(live, wave->queue);

	if (address)
		wave->gfx.pc = address;
	wt_core_unpark(wave, false);
	wave->wave.state = WT_WAVE_STEPPING;
	wave->live.ending = live->untold = true;
	wave->live.dirty = true;
}

/* The wave makes its step here, and goes on standing. */
static bool live_simulate_step(struct wt_live *live, struct wt_core_wave *wave,
			       const struct gfx_instruction *instruction)
{
	static const struct gfx_memory no_memory = {0};
	struct gfx_fault fault = {0};
	struct gfx_wave before;

	/* One that its program has halted does not execute anything. */
	if (wave->gfx.ttmps[6] & WT_TTMP6_SAVED_HALT ||
	    !wt_live_load_wave(&live->core.device, &wave->wave))
		return false;
	before = wave->gfx;
	gfx_wave_join_state(&wave->gfx);
	if (gfx_wave_execute(&wave->gfx, &no_memory, instruction, &fault) != GFX_STEP_DONE) {
		wave->gfx = before;
		return false;
	}
	gfx_wave_part_state(&wave->gfx);
	wt_core_note_pc(wave);
	wave->wave.state = WT_WAVE_STEPPING;
	wave->wave.changed = true;
	wave->live.pending = live->untold = true;
	wave->live.reasons = WT_STOP_SINGLE_STEP;
	return true;
}

/* Steps that hardware does not make, or not so that they can be told from others. Return: whether this was one. */
static bool step_here(struct wt_live *live, struct wt_core_wave *wave)
{
	struct gfx_instruction instruction;
	char name[GFX_NAME_SIZE];

	if (!next_instruction(live, wave, &instruction) ||
	    !gfx_instruction_depends_on_position(&instruction))
		return false;
	gfx_instruction_name(&instruction, name);
	if (strncmp(name, "s_endpgm", strlen("s_endpgm")) != 0)
		return live_simulate_step(live, wave, &instruction);
	live_end_wave(live, wave);
	return true;
}

static void set_running(struct wt_core_wave *wave, bool step)
{
	wave->live.resumed_at = wave->gfx.pc;
	wt_core_unpark(wave, step);
	wave->live.dirty = true;
}

static void live_resume_wave(struct wt_device *device, struct wt_device_wave *device_wave,
			     bool step)
{
	struct wt_core_wave *wave = wt_live_wave_of(device_wave);
	struct wt_live *live = wt_live_of(device);
	bool stepped;

	if (device_wave->state != WT_WAVE_STOPPED || wave->live.gone)
		return;
	clear_reasons(wave);
	wave->live.dirty = true;
	stepped = step && step_here(live, wave);
	device_wave->stop_reasons = WT_STOP_NONE;
	if (wave->live.pending)
		return;
	/* Changes to be written back are written when the queues go on. */
	wt_live_hold_queue(live, wave->queue);
	if (!stepped)
		set_running(wave, step);
	wt_live_let_go(live);
}

/* The bits of the API are those of the driver. */
static void send(struct wt_live *live, const struct wt_core_wave *wave, uint32_t exceptions)
{
	struct wt_core_agent *agent = wave->queue->agent;
	struct kfd_debug_trap args = {
		.send = {exceptions, agent->entry.gpu_id, wave->queue->entry.queue_id}};

	/* The device's own exception comes behind the queue's, by which the wave's stop may have been found already. */
	if (exceptions & KFD_EXCEPTION(KFD_EXCEPTION_WAVE_MEMORY) && !agent->violation)
		wt_live_take_faults(live);
	if (exceptions & KFD_EXCEPTION(KFD_EXCEPTION_WAVE_MEMORY) && agent->violation) {
		args.send.exceptions |= WT_LIVE_VIOLATION;
		agent->violation = false;
	}
	wt_live_call(live, KFD_DEBUG_SEND_RUNTIME_EVENT, &args);
}

static void live_deliver(struct wt_device *device, struct wt_device_wave *device_wave, bool step,
			 uint32_t exceptions)
{
	struct wt_core_wave *wave = wt_live_wave_of(device_wave);
	struct wt_live *live = wt_live_of(device);

	if (device_wave->state != WT_WAVE_STOPPED || wave->live.gone)
		return;
	wt_live_hold_queue(live, wave->queue);
	clear_reasons(wave);
	set_running(wave, step);
	wt_wave_set_halted(&wave->gfx, true);
	send(live, wave, exceptions);
	wt_live_let_go(live);
}

static void live_override_wave(struct wt_device *device, struct wt_device_wave *device_wave,
			       const uint32_t *words, size_t count)
{
	struct wt_core_wave *wave = wt_live_wave_of(device_wave);

	(void)device;
	if (count)
		memcpy(wave->live.override_words, words, count * sizeof(*words));
	wave->live.override_count = count;
}

/* Let a wave go that only its debugger has stopped, and forget which it was. */
static void live_release_wave(struct wt_core_wave *wave)
{
	struct gfx_wave *gfx = &wave->gfx;
	uint32_t reasons = wave->live.pending ? wave->live.reasons : wave->wave.stop_reasons;
	bool stands = wave->live.pending || wave->wave.state == WT_WAVE_STOPPED;

	if (!wave->live.seen || wave->live.ending)
		return;
	if (wave->wave.halted_at_launch) {
		wt_wave_set_halted(gfx, false);
	} else if (stands && !(reasons & ~(uint32_t)DEBUGGER_REASONS)) {
		wave->wave.stop_reasons = reasons;
		clear_reasons(wave);
		wt_core_unpark(wave, false);
	}
	wt_wave_set_watching(gfx, false);
	gfx->ttmps[4] = gfx->ttmps[5] = 0;
	wave->live.dirty = true;
}

/* Versions of the debug calls that have what is asked for here. */
#define VERSION_MAJOR 1u
#define VERSION_MINOR 13u

#define AGENTS_AT_ONCE 16u

#define TRIES 3 /* of what has to be done, when the driver fails */

static const char what[] = "cannot debug the process";

/* ---- The process ---- */

/* One that has exited is none of those that may get its id. */
static bool has_exited(const struct wt_live *live)
{
	struct pollfd exited = {.fd = live->process, .events = POLLIN};

	return live->process >= 0 && poll(&exited, 1, 0) == 1;
}

static void put_warning(const struct wt_live *live, const char *format, va_list arguments)
{
	const struct wt_device_listener *listener = &live->core.listener;
	wt_cleanup_free char *text = wt_text_list(format, arguments);

	if (text && listener->message)
		listener->message(listener->opaque, true, text);
}

void wt_live_warn(struct wt_live *live, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	put_warning(live, format, arguments);
	va_end(arguments);
}

void wt_live_fail(struct wt_live *live, const char *format, ...)
{
	va_list arguments;

	live->core.device.failed = true;
	va_start(arguments, format);
	put_warning(live, format, arguments);
	va_end(arguments);
}

int wt_live_try(struct wt_live *live, enum kfd_debug_operation operation,
		struct kfd_debug_trap *args)
{
	int result = live->exited ? -ESRCH : wt_kfd_call(&live->calls, operation, args);

	/* That there is nothing more to tell is no error that would need a reason. */
	if (result == -ESRCH || (result < 0 && result != -EAGAIN && has_exited(live)))
		live->exited = true;
	return live->exited ? -ESRCH : result;
}

void wt_live_check(struct wt_live *live, enum kfd_debug_operation operation, int result)
{
	if (result < 0 && result != -ESRCH)
		wt_live_fail(live, "the kernel driver: process %u: cannot %s: %s",
			     live->calls.process, wt_kfd_operation_name(operation),
			     strerror(-result));
}

int wt_live_call(struct wt_live *live, enum kfd_debug_operation operation,
		 struct kfd_debug_trap *args)
{
	int result = wt_live_try(live, operation, args);

	wt_live_check(live, operation, result);
	return result;
}

/* ---- Its memory ---- */

/* The client may give what the kernel does not; when there is nothing at all any more the process is over. */
static size_t move_memory(struct wt_live *live, uint64_t address, void *to, const void *from,
			  size_t size)
{
	ssize_t done = -1;

	if (live->exited || !size || address > INT64_MAX)
		return 0;
	while (live->memory >= 0) {
		if (from)
			done = pwrite(live->memory, from, size, (off_t)address);
		else if (to)
			done = pread(live->memory, to, size, (off_t)address);
		if (done >= 0 || errno != EINTR)
			break;
	}
	if (done > 0)
		return (size_t)done;
	live->left |= !done;
	if (live->left && has_exited(live))
		live->exited = true;
	if (live->exited)
		return 0;
	return from ? live->client.write(live->client.opaque, address, from, size)
		    : live->client.read(live->client.opaque, address, to, size);
}

/* A read may end where a mapping does. */
static size_t live_read_all(void *opaque, uint64_t address, void *data, size_t size)
{
	size_t done = 0, step;

	while (done < size && (step = move_memory(opaque, address + done, (uint8_t *)data + done,
						  NULL, size - done)))
		done += step;
	return done;
}

static size_t write_all(void *opaque, uint64_t address, const void *data, size_t size)
{
	size_t done = 0, step;

	while (done < size && (step = move_memory(opaque, address + done, NULL,
						  (const uint8_t *)data + done, size - done)))
		done += step;
	return done;
}

static size_t live_read_memory(struct wt_device *device, uint64_t address, void *data, size_t size)
{
	return live_read_all(device, address, data, size);
}

static size_t live_write_memory(struct wt_device *device, uint64_t address, const void *data,
				size_t size)
{
	return write_all(device, address, data, size);
}

/* ---- What there is ---- */

static void live_set_listener(struct wt_device *device, const struct wt_device_listener *listener)
{
	wt_live_of(device)->core.listener = *listener;
}

static size_t live_agent_count(const struct wt_device *device)
{
	return wt_live_of(device)->core.agent_count;
}

static const struct wt_device_agent *live_agent_at(const struct wt_device *device, size_t index)
{
	return index < live_agent_count(device) ? &wt_live_of(device)->core.agents[index].agent
						: NULL;
}

/* Queues and code objects are told. */
static size_t none_yet(const struct wt_device *device)
{
	(void)device;
	return 0;
}

static const struct wt_device_queue *no_queue(const struct wt_device *device, size_t index)
{
	(void)device;
	(void)index;
	return NULL;
}

static const struct wt_device_code_object *no_code(const struct wt_device *device, size_t index)
{
	(void)device;
	(void)index;
	return NULL;
}

static bool live_read_queue(struct wt_device *device, const struct wt_device_queue *queue)
{
	return wt_core_read_structure(&wt_live_of(device)->core,
				      (struct wt_core_queue *)(uintptr_t)queue);
}

/* ---- Running ---- */

static void live_start(struct wt_device *device)
{
	struct wt_live *live = wt_live_of(device);

	live->started = true;
	wt_core_tell_warnings(&live->core);
	if (live->core.note.runtime != WT_CORE_NOTE_RUNTIME_DISABLED && !live->exited)
		wt_live_load_runtime(live);
	wt_live_tell(live, WT_LIVE_NEWS_ALL);
}

static void live_look(struct wt_device *device, bool waves)
{
	struct wt_live *live = wt_live_of(device);

	/* While it stands still nothing of it changes but queues, which the program goes on to make. */
	if (wt_live_is_loaded(live) && (!live->stands || !waves))
		wt_live_find_queues(live, false);
	if (wt_live_is_loaded(live) && waves) {
		wt_live_hold(live);
		wt_live_let_go(live);
	}
	if (wt_live_is_loaded(live) && live->stands)
		wt_live_suspend(live);
	wt_live_tell(live, WT_LIVE_NEWS_ALL);
}

static void live_keep(struct wt_device *device, bool wanted)
{
	struct wt_live *live = wt_live_of(device);

	live->keeps = wanted;
	wt_live_settle(live);
}

static void hold(struct wt_device *device, const struct wt_device_wave *wave)
{
	wt_live_hold_queue(wt_live_of(device), wt_live_wave_of(wave)->queue);
}

static void live_let_go(struct wt_device *device)
{
	wt_live_let_go(wt_live_of(device));
}

static enum wt_device_progress live_run(struct wt_device *device, uint64_t budget)
{
	struct wt_live *live = wt_live_of(device);

	(void)budget;
	if (!live->exited && has_exited(live))
		live->exited = true;
	if (!live->exited)
		wt_live_take_events(live);
	if (live->stale && wt_live_is_loaded(live)) {
		wt_live_hold_stale(live);
		wt_live_let_go(live);
	}
	live->stale = false;
	/* Queues that have come while all stands still. */
	if (live->stands && wt_live_is_loaded(live))
		wt_live_suspend(live);
	wt_live_tell(live, WT_LIVE_NEWS_OF_EVENTS);
	return live->exited ? WT_DEVICE_IDLE : WT_DEVICE_BLOCKED;
}

static void live_abort_queue(struct wt_device *device, const struct wt_device_queue *queue)
{
	(void)device;
	(void)queue;
}

static void live_go_on(struct wt_device *device)
{
	(void)device;
}

/* ---- Freezing ---- */

/* Changes of waves go to their save areas at once, where the client finds them. */
static struct wt_error *live_save(struct wt_device *device, uint64_t os_id, struct wt_buffer *note)
{
	struct wt_live *live = wt_live_of(device);
	struct wt_core *core = &live->core;
	struct wt_core_note saved = core->note;
	wt_cleanup_free struct wt_core_note_queue *entries = NULL;

	(void)os_id;
	wt_live_hold(live);
	wt_live_write_waves(live);
	wt_live_let_go(live);
	entries = calloc(core->queue_count + 1, sizeof(*entries));
	if (!entries)
		return &wt_error_no_memory;
	saved.queue_count = 0;
	for (size_t i = 0; i < core->queue_count; i++)
		if (!core->queues[i]->live.gone)
			entries[saved.queue_count++] = core->queues[i]->entry;
	saved.queues = entries;
	wt_core_note_build(&saved, note);
	return note->failed ? &wt_error_no_memory : NULL;
}

/* ---- Attaching ---- */

static struct wt_error *live_refuse(enum wt_error_code code, const struct wt_live *live,
				    const char *why)
{
	char where[32];

	snprintf(where, sizeof(where), "process %u", live->calls.process);
	return wt_error_create(code, what, where, "%s", why);
}

static struct wt_error *check_version(struct wt_live *live)
{
	struct kfd_get_version version = {0};
	int error = wt_kfd_calls_version(&live->calls, &version);
	char why[96];

	if (error)
		return wt_error_errno(-error, what, "the kernel driver's version");
	live->core.note.driver_major = version.major;
	live->core.note.driver_minor = version.minor;
	if (version.major == VERSION_MAJOR && version.minor >= VERSION_MINOR)
		return NULL;
	snprintf(why, sizeof(why),
		 "the kernel driver has version %u.%u: %u.%u or a later one is needed",
		 version.major, version.minor, VERSION_MAJOR, VERSION_MINOR);
	return live_refuse(WT_ERROR_UNSUPPORTED, live, why);
}

/* Notes what the driver says of its runtime, as a core-state note would. */
static void live_note_runtime(struct wt_live *live, const struct kfd_runtime_info *info)
{
	live->core.note.r_debug = info->r_debug;
	live->core.note.runtime = info->state;
	live->core.note.ttmps_set_up = info->ttmps_set_up;
}

static struct wt_error *live_enable(struct wt_live *live, int notifier)
{
	struct kfd_runtime_info info = {0};
	struct kfd_debug_trap args = {
		.enable = {WT_LIVE_RUNTIME, (uintptr_t)&info, sizeof(info), (uint32_t)notifier}};
	int error = wt_live_try(live, KFD_DEBUG_ENABLE, &args);

	if (error == -ESRCH)
		return NULL;
	if (error == -EALREADY)
		return live_refuse(WT_ERROR_UNSUPPORTED, live,
				   "another debugger is attached to it");
	if (error)
		return wt_error_errno(-error, what, "attaching by the kernel driver");
	live->attached = true;
	if (args.enable.info_size < sizeof(info))
		return live_refuse(WT_ERROR_UNSUPPORTED, live,
				   "the kernel driver says too little of its runtime");
	live_note_runtime(live, &info);
	return NULL;
}

/* Describes an agent as a note does; an entry that has none of what every device has is not one to compute with. */
static bool agent_describe(const struct kfd_device_entry *entry, struct wt_core_note_agent *ret)
{
	*ret = (struct wt_core_note_agent){
		.exceptions = entry->exceptions,
		.local_base = entry->lds_base,
		.local_limit = entry->lds_limit,
		.private_base = entry->scratch_base,
		.private_limit = entry->scratch_limit,
		.memory_base = entry->gpuvm_base,
		.memory_limit = entry->gpuvm_limit,
		.gpu_id = entry->gpu_id,
		.location = entry->location_id,
		.vendor = entry->vendor_id,
		.device = entry->device_id,
		.revision = entry->revision_id,
		.subsystem_vendor = entry->subsystem_vendor_id,
		.subsystem_device = entry->subsystem_device_id,
		.firmware = entry->firmware,
		.target = entry->target_version,
		.simd_count = entry->simd_count,
		.waves_per_simd = entry->waves_per_simd,
		.array_count = entry->array_count,
		.arrays_per_engine = entry->arrays_per_engine,
		.xcc_count = entry->xcc_count,
		.capability = entry->capability,
		.debug_properties = entry->debug_properties,
	};
	return ret->simd_count && ret->waves_per_simd && ret->array_count &&
	       ret->arrays_per_engine && ret->xcc_count && ret->xcc_count <= WT_CORE_NOTE_MAX_XCCS;
}

static struct wt_error *live_take_agents(struct wt_live *live,
					 const struct kfd_device_entry *entries, uint32_t count)
{
	struct wt_core_note *note = &live->core.note;

	note->agents = calloc(count + 1, sizeof(*note->agents));
	if (!note->agents)
		return &wt_error_no_memory;
	for (uint32_t i = 0; i < count; i++)
		if (!agent_describe(&entries[i], &note->agents[i]))
			return live_refuse(WT_ERROR_INPUT, live,
					   "the kernel driver describes a GPU that cannot be");
	note->agent_count = count;
	return wt_core_open_agents(&live->core);
}

/* All agents of a process are there from the beginning. */
static struct wt_error *find_agents(struct wt_live *live)
{
	uint32_t room = AGENTS_AT_ONCE, count;

	while (true) {
		wt_cleanup_free struct kfd_device_entry *entries = calloc(room, sizeof(*entries));
		struct kfd_debug_trap args = {
			.snapshot = {0, (uintptr_t)entries, room, sizeof(*entries)}};
		int error;

		if (!entries)
			return &wt_error_no_memory;
		error = wt_live_try(live, KFD_DEBUG_DEVICE_SNAPSHOT, &args);
		if (error == -ESRCH)
			return NULL;
		if (error < 0)
			return wt_error_errno(-error, what, "its GPUs");
		count = args.snapshot.count;
		if (args.snapshot.entry_size < sizeof(*entries) || count > WT_CORE_NOTE_MAX_AGENTS)
			return live_refuse(WT_ERROR_INPUT, live,
					   "the kernel driver's list of GPUs has no sense");
		if (count <= room)
			return live_take_agents(live, entries, count);
		room = count;
	}
}

static void live_open_process(struct wt_live *live)
{
	char path[48];

	live->process = (int)syscall(SYS_pidfd_open, live->calls.process, 0);
	if (live->process < 0 && errno == ESRCH)
		live->exited = true;
	snprintf(path, sizeof(path), "/proc/%u/mem", live->calls.process);
	live->memory = open(path, O_RDWR | O_CLOEXEC);
}

static struct wt_error *live_attach(struct wt_live *live, const struct wt_kfd_target *target)
{
	struct wt_error *error;
	int errnum = wt_kfd_calls_open(&live->calls, target->process);

	if (errnum)
		return live_refuse(WT_ERROR_NOT_FOUND, live, strerror(-errnum));
	live_open_process(live);
	if (live->exited)
		return NULL;
	error = check_version(live);
	if (!error)
		error = live_enable(live, target->notifier);
	return error || live->exited ? error : find_agents(live);
}

/* ---- Detaching ---- */

/* A program must not be left standing because the driver has failed once. */
static void live_stop_all(struct wt_live *live)
{
	for (int i = 0; i < TRIES && wt_live_is_loaded(live); i++) {
		live->core.device.failed = false;
		wt_live_find_queues(live, false);
		wt_live_suspend(live);
		if (!live->core.device.failed)
			return;
	}
}

/* The driver lets everything go on by itself, as it is found in the save areas. */
static void live_detach(struct wt_live *live)
{
	struct kfd_debug_trap args = {0};
	int error = 0;

	if (wt_live_is_loaded(live)) {
		wt_live_drop_settings(live);
		live_stop_all(live);
		for (size_t i = 0; i < live->core.wave_count; i++)
			live_release_wave(live->core.waves[i]);
		wt_live_write_waves(live);
	}
	if (!live->attached)
		return;
	for (int i = 0; i < TRIES && (!i || error); i++)
		error = wt_live_try(live, KFD_DEBUG_DISABLE, &args);
	if (error && error != -ESRCH)
		wt_live_warn(live, "the kernel driver: process %u: cannot let it go: %s",
			     live->calls.process, strerror(-error));
}

static void free_watches(struct wt_live *live)
{
	for (size_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++)
		free(live->watches[i].ids);
}

static void close_all(struct wt_live *live)
{
	wt_kfd_calls_close(&live->calls);
	if (live->memory >= 0)
		close(live->memory);
	if (live->process >= 0)
		close(live->process);
}

static void live_destroy(struct wt_device *device)
{
	struct wt_live *live = wt_live_of(device);
	struct wt_core *core = &live->core;

	if (!live)
		return;
	/* Events that are found while letting the process go are nobody's business any more. */
	core->listener = (struct wt_device_listener){.opaque = core->listener.opaque,
						     .message = core->listener.message};
	live_detach(live);
	while (core->wave_count)
		wt_live_free_wave(live, core->waves[--core->wave_count]);
	for (size_t i = 0; i < core->queue_count; i++)
		wt_core_free_queue(core->queues[i]);
	wt_live_free_code(live);
	free_watches(live);
	close_all(live);
	wt_core_free_warnings(core);
	free(core->waves);
	free(core->queues);
	free(core->agents);
	wt_link_map_deinit(&core->link_map);
	wt_core_note_deinit(&core->note);
	free(live);
}

static const struct wt_device_operations operations = {
	.destroy = live_destroy,
	.set_listener = live_set_listener,
	.agent_count = live_agent_count,
	.agent = live_agent_at,
	.queue_count = none_yet,
	.queue = no_queue,
	.code_object_count = none_yet,
	.code_object = no_code,
	.run = live_run,
	.wave_resume = live_resume_wave,
	.wave_halt = live_halt_wave,
	.queue_abort = live_abort_queue,
	.set_watchpoint = wt_live_set_watchpoint,
	.wave_override = live_override_wave,
	.buffer_allocate = wt_live_allocate_buffer,
	.buffer_free = wt_core_free_buffer,
	.program_breakpoint = wt_live_breakpoint,
	.program_is_stopped = wt_live_is_at_breakpoint,
	.program_change = wt_live_look_for_code,
	.program_continue = live_go_on,
	.set_precise_memory = wt_live_set_precise,
	.read_memory = live_read_memory,
	.write_memory = live_write_memory,
	.load_wave = wt_live_load_wave,
	.save = live_save,
};

static const struct wt_live_operations live_operations = {
	.start = live_start,
	.look = live_look,
	.keep = live_keep,
	.hold = hold,
	.let_go = live_let_go,
	.answer_runtime = wt_live_answer_runtime,
	.halt_launches = wt_live_halt_launches,
	.set_precise_alu = wt_live_set_precise_alu,
	.wave_deliver = live_deliver,
	.wave_written = live_note_written,
	.load_group = wt_live_load_group,
	.store_group = wt_live_store_group,
	.read_queue = live_read_queue,
	.watchpoints_hit = wt_live_watchpoints_hit,
};

bool wt_kfd_is_there(void)
{
	struct wt_kfd_calls calls;
	bool there = !wt_kfd_calls_open(&calls, 0);

	wt_kfd_calls_close(&calls);
	return there;
}

struct wt_error *wt_kfd_attach(const struct wt_kfd_target *target, struct wt_device **device_ret)
{
	struct wt_live *live = calloc(1, sizeof(*live));
	struct wt_error *error;

	if (!live)
		return &wt_error_no_memory;
	live->core.device = (struct wt_device){.operations = &operations, .live = &live_operations};
	live->core.memory =
		(struct wt_memory_view){.opaque = live, .read = live_read_all, .write = write_all};
	live->client = target->memory;
	live->calls.file = live->process = live->memory = -1;
	error = live_attach(live, target);
	if (error) {
		live_destroy(&live->core.device);
		return error;
	}
	*device_ret = &live->core.device;
	return NULL;
}
