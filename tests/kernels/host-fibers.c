/* SPDX-License-Identifier: MIT */
/*
 * Work-items as fibers: each runs until it meets a barrier, gives its wave a value or ends, then the
 * next one runs.
 */
#include <assert.h>
#include <fenv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "tests/kernels/host.h"

#define MAX_ITEMS 1024
#define STACK_SIZE 65536
/* What local memory holds before a workgroup writes it: no useful number in any type. */
#define LOCAL_PATTERN 0xa5

struct host_grid host_grid;
struct host_item host_item;

extern char __start_host_local[], __stop_host_local[];

static struct fibers {
	const struct host_kernel *kernel;
	const union host_argument *arguments;
	char *stacks;
	ucontext_t scheduler;
	ucontext_t items[MAX_ITEMS];
	enum state { READY, AT_BARRIER, IN_EXCHANGE, ENDED } states[MAX_ITEMS];
	/* What each gave to its wave, in this exchange and in the one before. */
	uint64_t given[2][MAX_ITEMS];
	uint32_t exchanges[MAX_ITEMS];
	uint32_t count;
	uint32_t running;
} fibers;

static void run_item(void)
{
	fibers.kernel->call(fibers.arguments);
	fibers.states[fibers.running] = ENDED;
}

void host_barrier(void)
{
	uint32_t item = fibers.running;

	fibers.states[item] = AT_BARRIER;
	swapcontext(&fibers.items[item], &fibers.scheduler);
}

uint32_t host_lane(void)
{
	return fibers.running % HOST_WAVE;
}

const uint64_t *host_wave_values(uint64_t value, uint64_t *mask_ret)
{
	uint32_t item = fibers.running, wave = item / HOST_WAVE * HOST_WAVE;
	uint32_t left = fibers.count - wave, turn = fibers.exchanges[item]++ % 2;

	fibers.given[turn][item] = value;
	fibers.states[item] = IN_EXCHANGE;
	swapcontext(&fibers.items[item], &fibers.scheduler);
	*mask_ret = left < HOST_WAVE ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
	return &fibers.given[turn][wave];
}

uint64_t host_wave_ballot(bool condition)
{
	uint64_t mask, result = 0;
	const uint64_t *values = host_wave_values(condition, &mask);

	for (uint32_t lane = 0; lane < HOST_WAVE; lane++)
		result |= (mask >> lane & values[lane]) << lane;
	return result;
}

uint32_t host_wave_fetch(uint32_t value, uint32_t lane)
{
	uint64_t mask;
	const uint64_t *values = host_wave_values(value, &mask);

	lane %= HOST_WAVE;
	return mask >> lane & 1 ? (uint32_t)values[lane] : 0;
}

uint32_t host_wave_send(uint32_t value, uint32_t lane)
{
	uint32_t own = host_lane(), result = 0;
	uint64_t mask;
	const uint64_t *values =
		host_wave_values((uint64_t)(lane % HOST_WAVE) << 32 | value, &mask);

	for (uint32_t from = 0; from < HOST_WAVE; from++)
		if (mask >> from & 1 && values[from] >> 32 == own)
			result = (uint32_t)values[from];
	return result;
}

/* The lane a pattern reads from; at least HOST_WAVE if there is none. */
static uint32_t dpp_source(uint32_t pattern, uint32_t lane)
{
	uint32_t row = lane / 16 * 16, place = lane % 16, count = pattern % 16;

	if (pattern < 0x100)
		return lane / 4 * 4 + (pattern >> 2 * (lane % 4)) % 4;
	if (pattern < 0x110)
		return place + count < 16 ? lane + count : HOST_WAVE;
	if (pattern < 0x120)
		return place >= count ? lane - count : HOST_WAVE;
	if (pattern < 0x130)
		return row + (place + 16 - count) % 16;
	if (pattern == 0x138)
		return lane ? lane - 1 : HOST_WAVE;
	if (pattern == 0x140)
		return row + 15 - place;
	if (pattern == 0x141)
		return row + place / 8 * 8 + 7 - place % 8;
	if (pattern == 0x142)
		return row ? row - 1 : HOST_WAVE;
	return lane >= 32 ? 31 : HOST_WAVE;
}

uint32_t host_wave_dpp(uint32_t old, uint32_t value, uint32_t pattern, uint32_t rows,
		       uint32_t banks, bool zero)
{
	uint32_t lane = host_lane(), from = dpp_source(pattern, lane);
	uint64_t mask;
	const uint64_t *values = host_wave_values(value, &mask);

	if (!(rows >> lane / 16 & 1) || !(banks >> lane % 16 / 4 & 1))
		return old;
	if (from >= HOST_WAVE || !(mask >> from & 1))
		return zero ? 0 : old;
	return (uint32_t)values[from];
}

void host_round(uint32_t mode)
{
	static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

	fesetround(modes[mode % 4]);
}

/* Let the work-items of each wave go on that all take part in an exchange. */
static bool finish_exchanges(uint32_t count)
{
	bool some = false;

	for (uint32_t wave = 0; wave < count; wave += HOST_WAVE) {
		uint32_t end = wave + HOST_WAVE < count ? wave + HOST_WAVE : count, item = wave;

		while (item < end && fibers.states[item] == IN_EXCHANGE)
			item++;
		if (item < end)
			continue;
		for (item = wave; item < end; item++)
			fibers.states[item] = READY;
		some = true;
	}
	return some;
}

static void make_item(uint32_t item)
{
	ucontext_t *context = &fibers.items[item];

	getcontext(context);
	context->uc_stack.ss_sp = fibers.stacks + (size_t)item * STACK_SIZE;
	context->uc_stack.ss_size = STACK_SIZE;
	context->uc_link = &fibers.scheduler;
	makecontext(context, run_item, 0);
	fibers.states[item] = READY;
}

static void allocate_stacks(void)
{
	if (fibers.stacks)
		return;
	fibers.stacks = mmap(NULL, (size_t)MAX_ITEMS * STACK_SIZE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (fibers.stacks == MAP_FAILED)
		abort();
}

/* Run every work-item that is ready, once. Return how many wait at a barrier now. */
static uint32_t run_round(const uint32_t size[3], uint32_t count)
{
	uint32_t waiting = 0;

	for (uint32_t item = 0; item < count; item++) {
		if (fibers.states[item] != READY)
			continue;
		fibers.running = item;
		host_item.local_id[0] = item % size[0];
		host_item.local_id[1] = item / size[0] % size[1];
		host_item.local_id[2] = item / size[0] / size[1];
		swapcontext(&fibers.scheduler, &fibers.items[item]);
		waiting += fibers.states[item] == AT_BARRIER;
	}
	return waiting;
}

static bool all_ended(uint32_t count)
{
	for (uint32_t item = 0; item < count; item++)
		if (fibers.states[item] != ENDED)
			return false;
	return true;
}

bool host_run_group(const struct host_kernel *kernel, const union host_argument *arguments,
		    const uint32_t size[3])
{
	uint32_t count = size[0] * size[1] * size[2];
	uint32_t waiting = 0;

	assert(count <= MAX_ITEMS);
	allocate_stacks();
	fibers.count = count;
	fibers.kernel = kernel;
	fibers.arguments = arguments;
	memset(__start_host_local, LOCAL_PATTERN, (size_t)(__stop_host_local - __start_host_local));
	for (uint32_t item = 0; item < count; item++)
		make_item(item);
	do {
		waiting += run_round(size, count);
		if (waiting == count) {
			memset(fibers.states, 0, sizeof(fibers.states));
			waiting = 0;
		} else if (!finish_exchanges(count)) {
			break;
		}
	} while (true);
	return all_ended(count);
}
