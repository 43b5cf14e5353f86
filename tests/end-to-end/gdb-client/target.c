/* SPDX-License-Identifier: MIT */
/* Waves and events as GDB's target keeps them: pump, wait. */
#include "gdb.h"

#include <stdlib.h>
#include <string.h>

static const char *const signal_names[] = {"0",	     "SIGTRAP", "SIGSEGV", "SIGBUS",
					   "SIGILL", "SIGFPE",	"SIGABRT"};

const char *gdb_signal_name(enum gdb_signal signal)
{
	return signal_names[signal];
}

/* ---- Waves ---- */

struct gdb_wave *gdb_wave_find(uint64_t handle)
{
	for (size_t i = 0; i < gdb.wave_count; i++)
		if (gdb.waves[i].id.handle == handle)
			return &gdb.waves[i];
	return NULL;
}

#define COORDINATE(wave, query, variable)                                                          \
	(amd_dbgapi_wave_get_info(wave, query, sizeof(variable), &(variable)) ==                   \
	 AMD_DBGAPI_STATUS_SUCCESS)

/* The name of a wave for the user, asked for when it is first met. */
static void make_label(struct gdb_wave *wave)
{
	amd_dbgapi_dispatch_id_t dispatch;
	amd_dbgapi_agent_id_t agent;
	amd_dbgapi_queue_id_t queue;
	uint32_t coordinates[3], number;
	char text[48];
	int length;

	length = snprintf(wave->label, sizeof(wave->label), "AMDGPU Wave ");
#define ADD(condition, format, ...)                                                                \
	do {                                                                                       \
		if (condition)                                                                     \
			snprintf(text, sizeof(text), format, __VA_ARGS__);                         \
		else                                                                               \
			snprintf(text, sizeof(text), "?");                                         \
		length += snprintf(wave->label + length, sizeof(wave->label) - (size_t)length,     \
				   "%s", text);                                                    \
	} while (0)
	ADD(COORDINATE(wave->id, AMD_DBGAPI_WAVE_INFO_AGENT, agent), "%" PRIu64, agent.handle);
	ADD(COORDINATE(wave->id, AMD_DBGAPI_WAVE_INFO_QUEUE, queue), ":%" PRIu64, queue.handle);
	ADD(COORDINATE(wave->id, AMD_DBGAPI_WAVE_INFO_DISPATCH, dispatch), ":%" PRIu64,
	    dispatch.handle);
	ADD(true, ":%" PRIu64, wave->id.handle);
	ADD(COORDINATE(wave->id, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD, coordinates), " (%u,%u,%u)",
	    coordinates[0], coordinates[1], coordinates[2]);
	ADD(COORDINATE(wave->id, AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP, number), "/%u",
	    number);
#undef ADD
}

/* A wave that is new to the client must be one that never was. */
static struct gdb_wave *add_wave(uint64_t handle)
{
	struct gdb_wave *wave;

	gdb_assert(handle != 0 && gdb_wave_find(handle) == NULL);
	for (size_t i = 0; i < gdb.met_count; i++)
		gdb_assert(gdb.met[i] != handle);
	gdb.met = realloc(gdb.met, (gdb.met_count + 1) * sizeof(*gdb.met));
	gdb.waves = realloc(gdb.waves, (gdb.wave_count + 1) * sizeof(*gdb.waves));
	gdb_assert(gdb.met && gdb.waves && gdb.wave_count < MAX_WAVES);
	gdb.met[gdb.met_count++] = handle;
	wave = &gdb.waves[gdb.wave_count++];
	*wave = (struct gdb_wave){
		.id = {handle}, .executing = true, .mode = AMD_DBGAPI_RESUME_MODE_NORMAL};
	make_label(wave);
	return wave;
}

void gdb_wave_delete(struct gdb_wave *wave)
{
	size_t index = (size_t)(wave - gdb.waves);

	if (gdb.current == wave->id.handle)
		gdb.current = 0;
	gdb.wave_count--;
	memmove(wave, wave + 1, (gdb.wave_count - index) * sizeof(*wave));
}

static int compare_waves(const void *a, const void *b)
{
	const struct gdb_wave *one = a, *other = b;

	return (one->id.handle > other->id.handle) - (one->id.handle < other->id.handle);
}

static bool listed(const amd_dbgapi_wave_id_t *list, size_t count, uint64_t handle)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].handle == handle)
			return true;
	return false;
}

/* A wave that steps or is being stopped is kept until the event that ends the command. */
static void prune_waves(const amd_dbgapi_wave_id_t *list, size_t count)
{
	for (size_t i = gdb.wave_count; i-- > 0;) {
		struct gdb_wave *wave = &gdb.waves[i];

		if (!listed(list, count, wave->id.handle) && !wave->stopping &&
		    wave->mode != AMD_DBGAPI_RESUME_MODE_SINGLE_STEP)
			gdb_wave_delete(wave);
	}
}

void gdb_update_waves(void)
{
	amd_dbgapi_wave_id_t *list;
	amd_dbgapi_changed_t changed;
	size_t count;

	gdb_check("wave list", amd_dbgapi_process_wave_list(gdb.id, &count, &list, &changed));
	if (changed == AMD_DBGAPI_CHANGED_NO) {
		gdb_assert(count == 0 && list == NULL);
		return;
	}
	prune_waves(list, count);
	for (size_t i = 0; i < count; i++)
		if (!gdb_wave_find(list[i].handle))
			add_wave(list[i].handle);
	if (gdb.wave_count)
		qsort(gdb.waves, gdb.wave_count, sizeof(*gdb.waves), compare_waves);
	free(list);
}

const struct gdb_arch *gdb_wave_arch(uint64_t handle)
{
	static uint64_t cached_wave;
	static uint32_t cached_machine;
	amd_dbgapi_wave_id_t wave = {handle};
	amd_dbgapi_architecture_id_t id;

	if (cached_wave != handle || !gdb.met_count) {
		gdb_check("wave architecture",
			  amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
						   sizeof(id), &id));
		gdb_check("ELF machine",
			  amd_dbgapi_architecture_get_info(
				  id, AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE,
				  sizeof(cached_machine), &cached_machine));
		cached_wave = handle;
	}
	return gdb_arch_find(cached_machine);
}

/* ---- Registers and memory ---- */

bool gdb_read_register(uint64_t handle, const struct gdb_arch *arch, size_t number, void *value)
{
	amd_dbgapi_wave_id_t wave = {handle};
	amd_dbgapi_status_t status = amd_dbgapi_read_register(
		wave, arch->registers[number].id, 0, gdb_register_size(arch, number), value);

	if (status != AMD_DBGAPI_STATUS_SUCCESS &&
	    status != AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE)
		printf("warning: Couldn't read register %s (%s)\n", arch->registers[number].name,
		       gdb_status(status));
	return status == AMD_DBGAPI_STATUS_SUCCESS;
}

void gdb_write_register(uint64_t handle, const struct gdb_arch *arch, size_t number,
			const void *value)
{
	amd_dbgapi_wave_id_t wave = {handle};

	gdb_warn("write_register",
		 amd_dbgapi_write_register(wave, arch->registers[number].id, 0,
					   gdb_register_size(arch, number), value));
}

uint64_t gdb_read_pc(uint64_t handle)
{
	const struct gdb_arch *arch = gdb_wave_arch(handle);
	uint64_t pc = 0;

	gdb_assert(gdb_register_size(arch, arch->pc) == sizeof(pc));
	if (!gdb_read_register(handle, arch, arch->pc, &pc)) {
		printf("error: PC register is not available\n");
		fflush(stdout);
		exit(1);
	}
	return pc;
}

/* With a thread of the host GDB reads the host's memory; here the GPU's is all there is. */
static amd_dbgapi_lane_id_t lane(void)
{
	return gdb.current ? 0 : AMD_DBGAPI_LANE_NONE;
}

size_t gdb_read_memory(uint64_t address, void *data, size_t size)
{
	amd_dbgapi_wave_id_t wave = {gdb.current};

	if (amd_dbgapi_read_memory(gdb.id, wave, lane(), AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address,
				   &size, data) != AMD_DBGAPI_STATUS_SUCCESS)
		return 0;
	return size;
}

size_t gdb_write_memory(uint64_t address, const void *data, size_t size)
{
	amd_dbgapi_wave_id_t wave = {gdb.current};

	if (amd_dbgapi_write_memory(gdb.id, wave, lane(), AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address,
				    &size, data) != AMD_DBGAPI_STATUS_SUCCESS)
		return 0;
	return size;
}

/* ---- Events ---- */

static enum gdb_signal signal_of(uint32_t reason)
{
	static const struct {
		uint32_t reasons;
		enum gdb_signal signal;
	} rules[] = {
		{AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR, SIGNAL_BUS},
		{AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION, SIGNAL_SEGV},
		{AMD_DBGAPI_WAVE_STOP_REASON_ILLEGAL_INSTRUCTION, SIGNAL_ILL},
		{AMD_DBGAPI_WAVE_STOP_REASON_FP_INPUT_DENORMAL |
			 AMD_DBGAPI_WAVE_STOP_REASON_FP_DIVIDE_BY_0 |
			 AMD_DBGAPI_WAVE_STOP_REASON_FP_OVERFLOW |
			 AMD_DBGAPI_WAVE_STOP_REASON_FP_UNDERFLOW |
			 AMD_DBGAPI_WAVE_STOP_REASON_FP_INEXACT |
			 AMD_DBGAPI_WAVE_STOP_REASON_FP_INVALID_OPERATION |
			 AMD_DBGAPI_WAVE_STOP_REASON_INT_DIVIDE_BY_0,
		 SIGNAL_FPE},
		{AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT | AMD_DBGAPI_WAVE_STOP_REASON_WATCHPOINT |
			 AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP |
			 AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP | AMD_DBGAPI_WAVE_STOP_REASON_TRAP,
		 SIGNAL_TRAP},
		{AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP, SIGNAL_ABRT},
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (reason & rules[i].reasons)
			return rules[i].signal;
	return SIGNAL_0;
}

static void push_event(const struct gdb_event *event)
{
	gdb.events = realloc(gdb.events, (gdb.event_count + 1) * sizeof(*gdb.events));
	gdb_assert(gdb.events != NULL);
	gdb.events[gdb.event_count++] = *event;
}

static bool pop_event(struct gdb_event *event_ret)
{
	if (!gdb.event_count)
		return false;
	*event_ret = gdb.events[0];
	memmove(gdb.events, gdb.events + 1, --gdb.event_count * sizeof(*gdb.events));
	return true;
}

/* The pc of a wave at a breakpoint goes back to the instruction that was overwritten. */
static void adjust_pc(uint64_t wave)
{
	const struct gdb_arch *arch = gdb_wave_arch(wave);
	uint64_t pc = gdb_read_pc(wave), adjusted = pc - arch->pc_adjust;

	if (adjusted != pc)
		gdb_write_register(wave, arch, arch->pc, &adjusted);
}

static void wave_event(amd_dbgapi_event_id_t id, amd_dbgapi_event_kind_t kind)
{
	amd_dbgapi_wave_stop_reasons_t reason = 0;
	struct gdb_event event = {.wave = 0};
	amd_dbgapi_wave_id_t wave;
	amd_dbgapi_status_t status;

	gdb_check("event wave",
		  amd_dbgapi_event_get_info(id, AMD_DBGAPI_EVENT_INFO_WAVE, sizeof(wave), &wave));
	event.wave = wave.handle;
	status = amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(reason),
					  &reason);
	if (status == AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID &&
	    kind == AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED) {
		event.exited = true;
	} else {
		gdb_check("stop reason", status);
		event.signal = signal_of((uint32_t)reason);
		event.breakpoint = reason & AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT;
		if (!gdb_wave_find(wave.handle))
			add_wave(wave.handle);
		if (event.breakpoint)
			adjust_pc(wave.handle);
	}
	push_event(&event);
}

static void runtime_event(amd_dbgapi_event_id_t id)
{
	amd_dbgapi_runtime_state_t state;

	gdb_check("runtime state",
		  amd_dbgapi_event_get_info(id, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE, sizeof(state),
					    &state));
	gdb_assert(state == AMD_DBGAPI_RUNTIME_STATE_UNLOADED);
	gdb_assert(gdb.runtime == AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS);
	gdb_assert(gdb.pushed);
	gdb.runtime = state;
	gdb.pushed = false;
	printf("runtime unloaded\n");
}

static void process_one_event(amd_dbgapi_event_id_t id, amd_dbgapi_event_kind_t kind)
{
	amd_dbgapi_process_id_t process;
	amd_dbgapi_os_process_id_t pid = 0;

	gdb_check("event process", amd_dbgapi_event_get_info(id, AMD_DBGAPI_EVENT_INFO_PROCESS,
							     sizeof(process), &process));
	gdb_check("OS_ID", amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_OS_ID,
						       sizeof(pid), &pid));
	gdb_assert(pid == gdb.pid);
	switch (kind) {
	case AMD_DBGAPI_EVENT_KIND_WAVE_STOP:
	case AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED:
		wave_event(id, kind);
		break;
	case AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED:
		gdb_assert(gdb.in_breakpoint_hit);
		gdb_code_objects_update();
		break;
	case AMD_DBGAPI_EVENT_KIND_RUNTIME:
		runtime_event(id);
		break;
	default: /* BREAKPOINT_RESUME has its own place; others GDB does not know */
		printf("event kind %d\n", (int)kind);
		gdb_assert_failed(__FILE__, __LINE__, "unhandled event kind");
	}
	gdb_warn("event_processed", amd_dbgapi_event_processed(id));
}

amd_dbgapi_event_id_t gdb_process_events(amd_dbgapi_event_kind_t until)
{
	for (;;) {
		amd_dbgapi_event_id_t event;
		amd_dbgapi_event_kind_t kind;

		gdb_check("next_pending_event",
			  amd_dbgapi_process_next_pending_event(gdb.id, &event, &kind));
		gdb_assert((event.handle == 0) == (kind == AMD_DBGAPI_EVENT_KIND_NONE));
		if (!event.handle || kind == until)
			return event;
		process_one_event(event, kind);
	}
}

void gdb_require_progress(bool forward)
{
	if (gdb.forward == forward)
		return;
	gdb_assert(
		amd_dbgapi_process_set_progress(gdb.id, forward ? AMD_DBGAPI_PROGRESS_NORMAL
								: AMD_DBGAPI_PROGRESS_NO_FORWARD) ==
		AMD_DBGAPI_STATUS_SUCCESS);
	gdb.forward = forward;
}

bool gdb_target_wait(struct gdb_event *event_ret)
{
	gdb_require_progress(false);
	if (pop_event(event_ret))
		return true;
	gdb_process_events(AMD_DBGAPI_EVENT_KIND_NONE);
	return pop_event(event_ret);
}

struct gdb_wave *gdb_settle(const struct gdb_event *event)
{
	struct gdb_wave *wave = gdb_wave_find(event->wave);

	if (!wave)
		return NULL;
	if (event->exited) {
		gdb_wave_delete(wave);
		return NULL;
	}
	wave->executing = wave->stopping = false;
	wave->mode = AMD_DBGAPI_RESUME_MODE_NORMAL;
	wave->signal = event->signal;
	wave->breakpoint = event->breakpoint;
	return wave;
}
