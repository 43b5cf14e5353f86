/* SPDX-License-Identifier: MIT */
#include "tests/unit/driver/debugger.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE 60000 /* milliseconds: it may run under a sanitizer, on a busy machine */
#define AT_KERNEL 4096
#define KERNELS 8
#define KERNEL_BYTES 512
#define AT_ARGUMENTS 8192
#define AT_RESULTS 12288

struct debugger debugger_of(struct session *session, pid_t target)
{
	struct debugger debugger = {.session = session, .target = target};

	assert_int_equal(pipe2(debugger.notifier, O_CLOEXEC | O_NONBLOCK), 0);
	return debugger;
}

void debugger_close(struct debugger *debugger)
{
	close(debugger->notifier[0]);
	close(debugger->notifier[1]);
}

int debug_call(const struct debugger *debugger, enum kfd_debug_operation operation,
	       struct kfd_debug_trap *args)
{
	args->pid = (uint32_t)debugger->target;
	args->operation = operation;
	return call(debugger->session, 0x26, args);
}

void debug_must(const struct debugger *debugger, enum kfd_debug_operation operation,
		struct kfd_debug_trap *args)
{
	assert_int_equal(debug_call(debugger, operation, args), 0);
}

int debugger_attach(const struct debugger *debugger, uint64_t exceptions,
		    struct kfd_runtime_info *info)
{
	struct kfd_debug_trap args = {.enable = {exceptions, (uintptr_t)info, sizeof(*info),
						 (uint32_t)debugger->notifier[1]}};
	int result = debug_call(debugger, KFD_DEBUG_ENABLE, &args);

	if (!result)
		assert_int_equal(args.enable.info_size, sizeof(*info));
	return result;
}

int runtime_comes(struct session *session, int connection, uint64_t r_debug)
{
	struct kfd_runtime_enable args = {.r_debug = r_debug,
					  .mode = KFD_RUNTIME_ENABLE | KFD_RUNTIME_TTMPS};

	(void)session;
	return call_on(connection, WT_WIRE_KFD, (uint32_t)CALL(0x25, args), &args, sizeof(args));
}

bool debugger_notified(const struct debugger *debugger)
{
	struct pollfd wait = {.fd = debugger->notifier[0], .events = POLLIN};
	char bytes[64];

	if (poll(&wait, 1, PATIENCE) != 1)
		return false;
	assert_true(read(debugger->notifier[0], bytes, sizeof(bytes)) > 0);
	assert_int_equal(bytes[0], '.');
	return true;
}

struct kfd_queue_entry debugger_see_queue(const struct debugger *debugger, uint64_t clear)
{
	struct kfd_queue_entry entry;
	struct kfd_debug_trap args = {.snapshot = {clear, (uintptr_t)&entry, 1, sizeof(entry)}};

	debug_must(debugger, KFD_DEBUG_QUEUE_SNAPSHOT, &args);
	assert_int_equal(args.snapshot.count, 1);
	assert_int_equal(args.snapshot.entry_size, sizeof(entry));
	return entry;
}

int debugger_suspend(const struct debugger *debugger, uint32_t queue, uint32_t *id_ret)
{
	uint32_t id = queue;
	struct kfd_debug_trap args = {.suspend = {0, (uintptr_t)&id, 1, 0}};
	int result = debug_call(debugger, KFD_DEBUG_SUSPEND_QUEUES, &args);

	if (id_ret)
		*id_ret = id;
	return result;
}

int debugger_resume(const struct debugger *debugger, uint32_t queue, uint32_t *id_ret)
{
	uint32_t id = queue;
	struct kfd_debug_trap args = {.resume = {(uintptr_t)&id, 1, 0}};
	int result = debug_call(debugger, KFD_DEBUG_RESUME_QUEUES, &args);

	if (id_ret)
		*id_ret = id;
	return result;
}

bool area_read(const struct aql *queue, struct area *area_ret)
{
	uint32_t *head = (uint32_t *)(void *)queue->save.data;
	uint8_t *end = queue->save.data + head[2];
	struct area area = {.head = head};

	/* The control stack ends where the waves begin, which are laid downward from their end. */
	assert_int_equal(head[0] + head[1], head[2] - head[3]);
	assert_int_equal(head[0] % 4, 0);
	assert_true(head[2] <= queue->save.size - PAGE);
	area.stack = (uint32_t *)(void *)(queue->save.data + head[0]);
	area.stack_words = head[1] / 4;
	if (!head[3])
		return false;
	assert_int_equal(area.stack_words, 4);
	area.state_word = area.stack[2];
	area.wave_word = area.stack[3];
	assert_true(area.state_word >> 31);
	area.ttmps = (uint32_t *)(void *)(end - 64 - 64);
	area.hwregs = area.ttmps - 16;
	area.vgprs = (uint32_t *)(void *)(end - head[3]);
	*area_ret = area;
	return true;
}

uint64_t area_parked_pc(const struct area *area)
{
	return area->ttmps[7] | (uint64_t)(area->ttmps[11] >> 7 & 0xffff) << 32;
}

void area_run(const struct area *area, bool step)
{
	uint64_t pc = area_parked_pc(area);

	area->hwregs[HW_PC] = (uint32_t)pc;
	area->hwregs[HW_PC_HIGH] = (uint32_t)(pc >> 32);
	area->hwregs[HW_STATUS] &= ~STATUS_HALT;
	area->hwregs[HW_MODE] &= ~MODE_STEP;
	area->hwregs[HW_MODE] |= step ? MODE_STEP : 0;
	area->ttmps[6] &= ~(TTMP6_STOPPED | 1u << 29);
}

static void put(uint8_t *packet, size_t offset, uint64_t value, size_t size)
{
	memcpy(packet + offset, &value, size);
}

uint64_t launch(struct aql *queue, const uint32_t *words, size_t count)
{
	return launch_groups(queue, words, count, 1);
}

/* A workgroup is one wave, of @lanes. */
static uint64_t launch_kernel(struct aql *queue, const uint32_t *words, size_t count,
			      uint32_t groups, uint32_t local, uint32_t registers, uint32_t lanes)
{
	/* Nobody tells the device that code has changed: each kernel has a place of its own. */
	uint64_t at = AT_KERNEL + queue->written % KERNELS * KERNEL_BYTES;
	uint8_t *descriptor = queue->room.data + at, *packet = aql_next(queue);
	uint64_t kernel = queue->room.address + at;

	memset(descriptor, 0, 64);
	put(descriptor, 0, local, 4);
	put(descriptor, 16, 256, 8);
	put(descriptor, 44, 1, 4);
	put(descriptor, 48, registers, 4);
	put(descriptor, 52, 2 << 1 | 1 << 7, 4);
	put(descriptor, 56, 1 << 3 | (uint64_t)(lanes == 32) << 10, 2);
	memcpy(descriptor + 256, words, count * sizeof(*words));
	put(queue->room.data + AT_ARGUMENTS, 0, queue->room.address + AT_RESULTS, 8);
	memset(queue->room.data + AT_RESULTS, 0, LANES * 4);
	put(packet, 2, 1, 2);
	put(packet, 4, lanes, 2);
	put(packet, 6, 1, 2);
	put(packet, 8, 1, 2);
	put(packet, 12, (uint64_t)groups * lanes, 4);
	put(packet, 16, 1, 4);
	put(packet, 20, 1, 4);
	put(packet, 28, local, 4);
	put(packet, 32, kernel, 8);
	put(packet, 40, queue->room.address + AT_ARGUMENTS, 8);
	aql_submit(queue, 2 | 2 << 9 | 2 << 11 | 1 << 8);
	return kernel + 256;
}

uint64_t launch_groups(struct aql *queue, const uint32_t *words, size_t count, uint32_t groups)
{
	return launch_kernel(queue, words, count, groups, 0, 1 | 2 << 6, LANES);
}

uint64_t launch_with_local(struct aql *queue, const uint32_t *words, size_t count, uint32_t local)
{
	return launch_kernel(queue, words, count, 1, local, 1 | 2 << 6, LANES);
}

uint64_t launch_full(struct aql *queue, const uint32_t *words, size_t count, uint32_t groups)
{
	return launch_kernel(queue, words, count, groups, 2048, 7 | 10 << 6, LANES);
}

uint64_t launch_lanes(struct aql *queue, const uint32_t *words, size_t count, uint32_t lanes)
{
	return launch_kernel(queue, words, count, 1, 0, 1, lanes);
}

uint32_t result_of(const struct aql *queue, size_t lane)
{
	uint32_t value;

	memcpy(&value, queue->room.data + AT_RESULTS + 4 * lane, sizeof(value));
	return value;
}

uint64_t *told_runtime(const struct aql *queue)
{
	uint64_t at = queue->save.address + queue->save.size - PAGE;

	memcpy(queue->save.data + 24, &at, sizeof(at));
	return (uint64_t *)(void *)(queue->save.data + queue->save.size - PAGE);
}
