/* SPDX-License-Identifier: MIT */
/* Work-items as fibers: each runs until it meets a barrier or ends, then the next one runs. */
#include <assert.h>
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
	enum state { READY, AT_BARRIER, ENDED } states[MAX_ITEMS];
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

bool host_run_group(const struct host_kernel *kernel, const union host_argument *arguments,
		    const uint32_t size[3])
{
	uint32_t count = size[0] * size[1] * size[2];
	uint32_t waiting;

	assert(count <= MAX_ITEMS);
	allocate_stacks();
	fibers.kernel = kernel;
	fibers.arguments = arguments;
	memset(__start_host_local, LOCAL_PATTERN, (size_t)(__stop_host_local - __start_host_local));
	for (uint32_t item = 0; item < count; item++)
		make_item(item);
	while ((waiting = run_round(size, count)) == count)
		memset(fibers.states, 0, sizeof(fibers.states));
	return waiting == 0;
}
