/* SPDX-License-Identifier: MIT */
#include "fake-device.h"

#include <amd-dbgapi/amd-dbgapi.h>

#include <stdlib.h>
#include <string.h>

struct fake_device *fake_device;
fake_script fake_next_run;
unsigned int fake_runs, fake_alive;
bool fake_fails;
uint64_t fake_breakpoint, fake_buffer;

static const struct wt_device_operations operations;

struct fake_wave {
	struct wt_device_wave wave;
	struct gfx_wave gfx;
	struct fake_group *group;
	uint32_t vgprs[FAKE_VGPRS * FAKE_LANES], agprs[FAKE_AGPRS * FAKE_LANES];
	uint8_t scratch[FAKE_LANES * FAKE_LANE_BYTES];
	TAILQ_ENTRY(fake_wave) link;
};

/* A dispatch with its one workgroup. */
struct fake_group {
	struct wt_device_dispatch dispatch;
	struct wt_device_workgroup workgroup;
	uint8_t lds[FAKE_LDS_SIZE];
	uint32_t waves;
};

static struct wt_device_agent agent;
static struct wt_device_queue queue;
static uint8_t memory[FAKE_MEMORY_SIZE];
static const uint8_t image[4] = {0x7f, 'E', 'L', 'F'};
static struct wt_device_code_object code_object = {
	.loaded = true,
	.uri = "file:///kernels/fake.co",
	.load_address = 0x7f0000200000,
	.image = image,
	.image_size = sizeof(image),
};

void fake_launch(struct fake_device *device, uint32_t waves, struct wt_device_wave **waves_ret)
{
	struct fake_group *group = calloc(1, sizeof(*group));

	group->dispatch.number = device->dispatches++;
	group->dispatch.queue = &queue;
	group->dispatch.packet_id = 1;
	group->dispatch.packet_address = FAKE_MEMORY + 64;
	group->dispatch.kernel_entry = FAKE_PC;
	for (unsigned int i = 0; i < 64; i++)
		group->dispatch.packet[i] = (uint8_t)(0x40 + i);
	group->workgroup.number = device->workgroups++;
	group->workgroup.dispatch = &group->dispatch;
	group->workgroup.coordinates[0] = 3;
	group->workgroup.coordinates[1] = 2;
	group->workgroup.coordinates[2] = 1;
	group->workgroup.lds = group->lds;
	group->workgroup.lds_size = FAKE_LDS_SIZE;
	group->waves = waves;
	device->listener.dispatch_created(device->listener.opaque, &group->dispatch);
	device->listener.workgroup_created(device->listener.opaque, &group->workgroup);
	for (uint32_t i = 0; i < waves; i++) {
		struct fake_wave *wave = calloc(1, sizeof(*wave));

		wave->group = group;
		wave->wave.number = device->waves++;
		wave->wave.workgroup = &group->workgroup;
		wave->wave.number_in_group = i;
		wave->wave.state = WT_WAVE_RUNNING;
		wave->wave.gfx = &wave->gfx;
		wave->gfx.architecture = gfx_architecture_by_name("gfx942");
		wave->gfx.lane_count = FAKE_LANES;
		wave->gfx.pc = FAKE_PC;
		wave->gfx.exec = UINT64_MAX;
		wave->gfx.sgpr_count = FAKE_SGPRS;
		wave->gfx.vgpr_count = FAKE_VGPRS;
		wave->gfx.agpr_count = FAKE_AGPRS;
		wave->gfx.vgprs = wave->vgprs;
		wave->gfx.agprs = wave->agprs;
		wave->gfx.lds = group->lds;
		wave->gfx.lds_size = FAKE_LDS_SIZE;
		wave->gfx.scratch = wave->scratch;
		wave->gfx.scratch_size = sizeof(wave->scratch);
		TAILQ_INSERT_TAIL(&device->all_waves, wave, link);
		if (waves_ret)
			waves_ret[i] = &wave->wave;
		device->listener.wave_created(device->listener.opaque, &wave->wave);
	}
}

void fake_stop(struct fake_device *device, struct wt_device_wave *wave, uint32_t reasons)
{
	wave->state = WT_WAVE_STOPPED;
	wave->stop_reasons = reasons;
	device->listener.wave_stopped(device->listener.opaque, wave);
}

static void free_wave(struct fake_device *device, struct fake_wave *wave)
{
	TAILQ_REMOVE(&device->all_waves, wave, link);
	if (!--wave->group->waves)
		free(wave->group);
	free(wave);
}

void fake_end(struct fake_device *device, struct wt_device_wave *wave)
{
	struct wt_device_listener *listener = &device->listener;
	struct fake_wave *fake = (struct fake_wave *)wave;

	listener->wave_terminated(listener->opaque, wave, wave->state == WT_WAVE_STEPPING);
	if (fake->group->waves == 1) {
		listener->workgroup_ended(listener->opaque, &fake->group->workgroup);
		listener->dispatch_ended(listener->opaque, &fake->group->dispatch);
	}
	free_wave(device, fake);
}

size_t fake_waves(struct fake_device *device, struct wt_device_wave **waves, size_t limit)
{
	struct fake_wave *wave;
	size_t count = 0;

	TAILQ_FOREACH(wave, &device->all_waves, link)
	if (count < limit)
		waves[count++] = &wave->wave;
	return count;
}

void fake_say(struct fake_device *device, bool warning, const char *text)
{
	device->listener.message(device->listener.opaque, warning, text);
}

void fake_end_program(struct fake_device *device)
{
	while (!TAILQ_EMPTY(&device->all_waves))
		fake_end(device, &TAILQ_FIRST(&device->all_waves)->wave);
	device->listener.program_ended(device->listener.opaque, true);
}

struct part {
	const char *name;
	void *data;
	size_t size;
};

static void *part_find(const struct part *parts, size_t count, const char *name, size_t *size_ret)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(parts[i].name, name)) {
			*size_ret = parts[i].size;
			return parts[i].data;
		}
	return NULL;
}

#define PART(of, member)                                                                           \
	{                                                                                          \
#member, &(of)->member, sizeof((of)->member)                                       \
	}
#define PARTS(parts) parts, sizeof(parts) / sizeof(*(parts))

void *fake_part(struct fake_device *device, struct wt_device_wave *wave, const char *name,
		size_t *size_ret)
{
	const struct part of_device[] = {
		PART(device, aborted),	    PART(device, override),    PART(device, buffer_size),
		PART(device, buffer_freed), PART(device, watchpoints),
	};
	struct fake_wave *fake = (struct fake_wave *)wave;

	if (!wave)
		return part_find(PARTS(of_device), name, size_ret);
	const struct part of_wave[] = {
		PART(wave, state),
		PART(&fake->gfx, pc),
		PART(&fake->gfx, exec),
		PART(&fake->gfx, vcc),
		PART(&fake->gfx, flat_scratch),
		PART(&fake->gfx, xnack_mask),
		PART(&fake->gfx, status),
		PART(&fake->gfx, mode),
		PART(&fake->gfx, trapsts),
		PART(&fake->gfx, sgpr_count),
		PART(&fake->gfx, agpr_count),
		PART(&fake->gfx, sgprs),
		PART(&fake->gfx, ttmps),
		PART(fake, vgprs),
		PART(fake, agprs),
		PART(fake, scratch),
		PART(fake->group, lds),
	};
	return part_find(PARTS(of_wave), name, size_ret);
}

static void destroy(struct wt_device *device)
{
	struct fake_device *fake = (struct fake_device *)device;

	while (!TAILQ_EMPTY(&fake->all_waves))
		free_wave(fake, TAILQ_FIRST(&fake->all_waves));
	fake_alive--;
	free(fake);
	fake_device = NULL;
}

static void set_listener(struct wt_device *device, const struct wt_device_listener *listener)
{
	((struct fake_device *)device)->listener = *listener;
}

static size_t one(const struct wt_device *device)
{
	(void)device;
	return 1;
}

static const struct wt_device_agent *get_agent(const struct wt_device *device, size_t index)
{
	(void)device;
	return index == 0 ? &agent : NULL;
}

static const struct wt_device_queue *get_queue(const struct wt_device *device, size_t index)
{
	(void)device;
	return index == 0 ? &queue : NULL;
}

static const struct wt_device_code_object *get_code_object(const struct wt_device *device,
							   size_t index)
{
	(void)device;
	return index == 0 ? &code_object : NULL;
}

static enum wt_device_progress run(struct wt_device *device, uint64_t budget)
{
	fake_script script = fake_next_run;

	(void)budget;
	fake_runs++;
	fake_next_run = NULL;
	return script ? script((struct fake_device *)device) : WT_DEVICE_IDLE;
}

static void wave_resume(struct wt_device *device, struct wt_device_wave *wave, bool step)
{
	(void)device;
	wave->state = step ? WT_WAVE_STEPPING : WT_WAVE_RUNNING;
	wave->stop_reasons = 0;
}

static bool wave_halt(struct wt_device *device, struct wt_device_wave *wave)
{
	(void)device;
	wave->state = WT_WAVE_STOPPED;
	wave->stop_reasons = 0;
	return true;
}

static void queue_abort(struct wt_device *device, const struct wt_device_queue *aborted)
{
	struct fake_device *fake = (struct fake_device *)device;

	fake->aborted = aborted == &queue;
	while (!TAILQ_EMPTY(&fake->all_waves))
		fake_end(fake, &TAILQ_FIRST(&fake->all_waves)->wave);
}

static size_t span(uint64_t address, size_t size)
{
	if (address < FAKE_MEMORY || address - FAKE_MEMORY >= FAKE_MEMORY_SIZE)
		return 0;
	return size < FAKE_MEMORY_SIZE - (address - FAKE_MEMORY)
		       ? size
		       : (size_t)(FAKE_MEMORY_SIZE - (address - FAKE_MEMORY));
}

static size_t read_memory(struct wt_device *device, uint64_t address, void *data, size_t size)
{
	(void)device;
	size = span(address, size);
	if (size)
		memcpy(data, memory + (address - FAKE_MEMORY), size);
	return size;
}

static size_t write_memory(struct wt_device *device, uint64_t address, const void *data,
			   size_t size)
{
	(void)device;
	size = span(address, size);
	if (size)
		memcpy(memory + (address - FAKE_MEMORY), data, size);
	return size;
}

static struct fake_device *to_fake(const struct wt_device *device)
{
	return (struct fake_device *)(uintptr_t)device;
}

static bool set_watchpoint(struct wt_device *device, uint32_t index,
			   const struct wt_device_watchpoint *watchpoint)
{
	struct fake_device *fake = to_fake(device);

	fake->watchpoints[index] = watchpoint ? *watchpoint : (struct wt_device_watchpoint){0};
	return true;
}

static void wave_override(struct wt_device *device, struct wt_device_wave *wave,
			  const uint32_t *words, size_t count)
{
	(void)wave;
	to_fake(device)->override = count ? words[0] : 0;
}

static uint64_t buffer_allocate(struct wt_device *device, const struct wt_device_queue *of,
				const void *instruction, size_t size)
{
	(void)of;
	(void)instruction;
	to_fake(device)->buffer_size = size;
	return fake_buffer;
}

static void buffer_free(struct wt_device *device, const struct wt_device_queue *of,
			uint64_t address)
{
	(void)of;
	to_fake(device)->buffer_freed = address;
}

static uint64_t program_breakpoint(struct wt_device *device, bool stop)
{
	struct fake_device *fake = to_fake(device);

	fake->program_stops = stop;
	return fake_breakpoint;
}

static bool program_is_stopped(const struct wt_device *device)
{
	return to_fake(device)->program_stopped;
}

static bool program_change(struct wt_device *device)
{
	struct fake_device *fake = to_fake(device);

	code_object.loaded = !code_object.loaded;
	fake->listener.code_object_changed(fake->listener.opaque, &code_object);
	return true;
}

static void program_continue(struct wt_device *device)
{
	to_fake(device)->program_stopped = false;
}

static void set_precise_memory(struct wt_device *device, bool precise)
{
	to_fake(device)->imprecise = !precise;
}

static const struct wt_device_operations operations = {
	.destroy = destroy,
	.set_listener = set_listener,
	.agent_count = one,
	.agent = get_agent,
	.queue_count = one,
	.queue = get_queue,
	.code_object_count = one,
	.code_object = get_code_object,
	.run = run,
	.wave_resume = wave_resume,
	.wave_halt = wave_halt,
	.queue_abort = queue_abort,
	.set_watchpoint = set_watchpoint,
	.wave_override = wave_override,
	.buffer_allocate = buffer_allocate,
	.buffer_free = buffer_free,
	.program_breakpoint = program_breakpoint,
	.program_is_stopped = program_is_stopped,
	.program_change = program_change,
	.program_continue = program_continue,
	.set_precise_memory = set_precise_memory,
	.read_memory = read_memory,
	.write_memory = write_memory,
};

static void reset(void)
{
	code_object.loaded = true;
	for (unsigned int i = 0; i < FAKE_MEMORY_SIZE; i++)
		memory[i] = (uint8_t)(i * 7 + i / 256);
	agent = (struct wt_device_agent){
		.architecture = gfx_architecture_by_name("gfx942"),
		.name = "Fake GPU",
		.os_id = 4711,
		.pci_slot = 0x0300,
		.pci_vendor = 0x1002,
		.pci_device = 0x74a1,
		.execution_unit_count = 304,
		.max_waves_per_execution_unit = 32,
		.supported = true,
		.watchpoint_count = WT_DEVICE_WATCHPOINTS,
		.watch_sharing = WT_WATCH_UNSHARED,
		.precise_memory = true,
	};
	queue = (struct wt_device_queue){
		.type = AMD_DBGAPI_OS_QUEUE_TYPE_HSA_AQL,
		.agent = &agent,
		.os_id = 12,
		.ring_address = FAKE_MEMORY,
		.ring_size = FAKE_RING_PACKETS * 64,
		.read_packet_id = 3,
		.write_packet_id = 6,
	};
}

struct wt_error *wt_simulated_create_shared(const char *workload_path, int file,
					    struct wt_device **device_ret)
{
	struct fake_device *fake;

	(void)file;
	if (fake_fails)
		return wt_error_create(WT_ERROR_INPUT, "cannot load the workload", workload_path,
				       "the test wants it so");
	fake = calloc(1, sizeof(*fake));
	fake->device.operations = &operations;
	TAILQ_INIT(&fake->all_waves);
	/* Devices share memory and agent. */
	if (!fake_alive++)
		reset();
	fake_device = fake;
	fake_runs = 0;
	*device_ret = &fake->device;
	return NULL;
}
