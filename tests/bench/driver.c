/* SPDX-License-Identifier: MIT */
/*
 * driver CODE-OBJECT GROUPS ROUNDS: what it costs to have the simulated GPU behind the driver, as JSON. The program speaks
 * to the driver itself: there is no runtime between.
 *
 *     busy            seconds of the owner's processor time for the kernel `loop`, GROUPS waves
 *     launch          nanoseconds from a packet of an empty kernel until it is done
 *     enable, attach  nanoseconds for a debugger: the first call; that and all until the running waves are in the save area
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/code-object/loader.h"
#include "tests/unit/driver/debugger.h"

#define LAUNCHES 500
#define ATTACHES 50
#define CODE_AT 256
#define CODE_MAX 4096u
#define DISPATCH (2 | 2 << 9 | 2 << 11 | 1 << 8)
#define ENDPGM 0xbf810000
#define BRANCH_TO_ITSELF 0xbf82ffff
#define R_DEBUG UINT64_C(0x123456789000)
#define NEW KFD_EXCEPTION(KFD_EXCEPTION_QUEUE_NEW)

static void stop(const char *what)
{
	fprintf(stderr, "driver: %s\n", what);
	exit(1);
}

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_ns(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare);
	return values[count / 2] * 1e9;
}

/* A kernel of a code object, in memory of the device: descriptor, and code behind it. */
static struct memory load_kernel(struct session *session, const char *path, const char *name)
{
	struct memory memory = session_memory(session, CODE_AT + CODE_MAX);
	const struct gfx_architecture *gfx90a = gfx_architecture_by_name("gfx90a");
	struct wt_code_object *object;
	const struct wt_kernel *kernel;
	struct wt_memory own;
	struct wt_error *error;
	uint64_t entry = CODE_AT, size = 0;

	wt_memory_init(&own);
	error = wt_code_object_create(path, 0, &gfx90a, 1, &own, &object);
	if (error)
		stop(error->why);
	kernel = wt_code_object_kernel(object, name);
	if (!kernel || !wt_memory_read(&own, kernel->descriptor_address, memory.data, 64))
		stop("the code object does not have the kernel");
	memcpy(memory.data + 16, &entry, sizeof(entry));
	while (size < CODE_MAX &&
	       wt_memory_fetch(&own, kernel->entry + size, memory.data + CODE_AT + size, 4))
		size += 4;
	wt_code_object_destroy(object);
	wt_memory_deinit(&own);
	return memory;
}

static void put(uint8_t *to, uint64_t value, size_t size)
{
	memcpy(to, &value, size);
}

static double run_loop(struct session *session, struct aql *queue, const char *path,
		       uint32_t groups, uint32_t rounds)
{
	struct memory kernel = load_kernel(session, path, "loop");
	struct memory out = session_memory(session, groups * 256);
	struct memory arguments = session_memory(session, PAGE);
	uint8_t *packet = aql_next(queue);
	clockid_t owner;
	double start;

	put(arguments.data, out.address, 8);
	put(arguments.data + 8, rounds, 4);
	put(packet + 2, 1, 2);
	put(packet + 4, 64, 2);
	put(packet + 6, 1, 2);
	put(packet + 8, 1, 2);
	put(packet + 12, groups * 64, 4);
	put(packet + 16, 1, 4);
	put(packet + 20, 1, 4);
	put(packet + 32, kernel.address, 8);
	put(packet + 40, arguments.address, 8);
	if (clock_getcpuclockid(session->owner, &owner))
		stop("no clock of the owner");
	start = seconds(owner);
	aql_submit(queue, DISPATCH);
	if (!aql_wait(queue, queue->written))
		stop("the kernel does not end");
	return seconds(owner) - start;
}

static double run_launches(struct aql *queue)
{
	static const uint32_t empty[] = {ENDPGM};
	const volatile uint64_t *done =
		(const volatile uint64_t *)(const void *)(queue->structure.data + 0x80);
	static double taken[LAUNCHES];

	for (size_t i = 0; i < LAUNCHES; i++) {
		double start = seconds(CLOCK_MONOTONIC);

		launch(queue, empty, 1);
		while (*done < queue->written)
			;
		taken[i] = seconds(CLOCK_MONOTONIC) - start;
	}
	return median_ns(taken, LAUNCHES);
}

/* While 16 waves run. */
static void run_attaches(struct session *session, struct aql *queue, double *enable_ret,
			 double *attach_ret)
{
	static const uint32_t forever[] = {BRANCH_TO_ITSELF, ENDPGM};
	static double enabled[ATTACHES], attached[ATTACHES];
	struct debugger debugger = debugger_of(session, getpid());

	launch_groups(queue, forever, 2, 16);
	for (size_t i = 0; i < ATTACHES; i++) {
		double start = seconds(CLOCK_MONOTONIC);
		struct kfd_runtime_info info;

		if (debugger_attach(&debugger, NEW, &info))
			stop("the debugger is refused");
		enabled[i] = seconds(CLOCK_MONOTONIC) - start;
		debugger_see_queue(&debugger, NEW);
		if (debugger_suspend(&debugger, queue->id, NULL) != 1)
			stop("the queue cannot be suspended");
		attached[i] = seconds(CLOCK_MONOTONIC) - start;
		debugger_resume(&debugger, queue->id, NULL);
		debug_must(&debugger, KFD_DEBUG_DISABLE, &(struct kfd_debug_trap){0});
	}
	debugger_close(&debugger);
	*enable_ret = median_ns(enabled, ATTACHES);
	*attach_ret = median_ns(attached, ATTACHES);
}

int main(int argc, char **argv)
{
	struct session *session;
	double enable, attach;
	struct aql queue;
	void *state;

	if (argc != 4)
		stop("usage: driver CODE-OBJECT GROUPS ROUNDS");
	session_start(&state);
	session = state;
	session_acquire(session);
	/* Before there are queues. */
	if (runtime_comes(session, session->thread, R_DEBUG))
		stop("the runtime is refused");
	queue = session_queue(session);
	printf("{\"busy\": %.6f, ", run_loop(session, &queue, argv[1], (uint32_t)atoi(argv[2]),
					     (uint32_t)atoi(argv[3])));
	printf("\"launch\": %.0f, ", run_launches(&queue));
	run_attaches(session, &queue, &enable, &attach);
	printf("\"enable\": %.0f, \"attach\": %.0f}\n", enable, attach);
	session_end(&state);
	return 0;
}
