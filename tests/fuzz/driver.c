/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as what two programs ask of the driver: calls, bytes in their memory and in the driver's, doorbells, and turns of
 * the engine. The programs are processes that do nothing: the driver reads and writes their memory, and the second one
 * traces the first, so that it may debug it.
 *
 * An input is a row of records. The low bits of the first byte say what follows, the bit above them who does it:
 *
 *     0, 1  call of /dev/kfd: number (1 byte), size, argument     4  doorbell: number (2 bytes), value (8)
 *     2     call of the render node: likewise                     5  a turn of the engines
 *     3     memory: offset (4 bytes), size (1), bytes             6, 7  any request (4 bytes) on either file, size, argument
 *
 * Process ids are not the same twice: 1 stands for the first program, 2 for the second.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/owner/internal.h"
#include "fuzz.h"

#define PROGRAMS 2u
#define MEMORY_BASE UINT64_C(0x600000000000)
#define MEMORY_BYTES 65536u
#define TURN_INSTRUCTIONS 2000u
#define RECORDS_MAX 256u
#define ERRNO_MAX 4095
#define DEBUG_CALL 0x26u
#define DESCRIPTOR 3 /* that the programs have, for a notifier */

enum record {
	RECORD_CALL,
	RECORD_CALL_AGAIN,
	RECORD_RENDER,
	RECORD_MEMORY,
	RECORD_DOORBELL,
	RECORD_TURN,
	RECORD_REQUEST,
	RECORD_RENDER_REQUEST,
	RECORD_KINDS,
};

/* What is left of the input. */
struct input {
	const uint8_t *data;
	size_t left;
};

static struct wt_owner *owner;
static pid_t pids[PROGRAMS];
static int sockets[PROGRAMS][2];
static struct wt_connection connections[PROGRAMS];

static void take(struct input *input, void *to, size_t size)
{
	size_t there = size < input->left ? size : input->left;

	memset(to, 0, size);
	memcpy(to, input->data, there);
	input->data += there;
	input->left -= there;
}

static uint32_t take_number(struct input *input, size_t size)
{
	uint32_t value = 0;

	take(input, &value, size);
	return value;
}

/* Wait for the end, with memory at a known place and with one descriptor that can be written to. */
static void be_program(int ready)
{
	int null;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	if (mmap((void *)(uintptr_t)MEMORY_BASE, MEMORY_BYTES, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
		_exit(1);
	if (pids[0])
		ptrace(PTRACE_SEIZE, pids[0], NULL, NULL);
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	for (int fd = 0; fd < 1024; fd++)
		if (fd != null && fd != ready)
			close(fd);
	dup2(null, DESCRIPTOR);
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static void start_program(size_t number)
{
	char byte;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		abort();
	/* Not at the place of the notifier. */
	ends[1] = fcntl(ends[1], F_DUPFD_CLOEXEC, 100);
	pids[number] = fork();
	if (pids[number] == 0) {
		pids[0] = number ? pids[0] : 0;
		be_program(ends[1]);
	}
	close(ends[1]);
	if (pids[number] < 0 || read(ends[0], &byte, 1) != 1)
		abort();
	close(ends[0]);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sockets[number]))
		abort();
}

static void stop_programs(void)
{
	for (size_t i = PROGRAMS; i > 0; i--)
		kill(pids[i - 1], SIGKILL);
	wt_owner_destroy(owner);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const struct wt_owner_options options = {
		.directory = fuzz_place("device"),
		.architecture = "gfx90a",
		.agents = 2,
		.compute_units = 8,
		.seed = 1,
	};
	struct wt_error *error;

	(void)argc;
	(void)argv;
	for (size_t i = 0; i < PROGRAMS; i++)
		start_program(i);
	signal(SIGPIPE, SIG_IGN);
	if (mkdir(options.directory, 0700))
		abort();
	error = wt_owner_create(&options, &owner);
	if (error) {
		fprintf(stderr, "%s: %s\n", error->what, error->why);
		abort();
	}
	atexit(stop_programs);
	return 0;
}

static void open_device(size_t number)
{
	static const uint8_t zeros[MEMORY_BYTES];
	struct wt_owner_process *process = wt_owner_process_create(owner, pids[number]);

	FUZZ_CHECK(process);
	process->anchored = true;
	process->connections = 1;
	connections[number] = (struct wt_connection){.process = process, .fd = sockets[number][0]};
	connections[number].next = owner->connections;
	owner->connections = &connections[number];
	FUZZ_CHECK(wt_owner_copy_out(process, MEMORY_BASE, zeros, sizeof(zeros)) == 0);
}

/* As the kernel does when a program exits. */
static void close_device(size_t number)
{
	struct wt_owner_process *process = connections[number].process;
	struct wt_connection **link = &owner->connections;
	struct wt_wire_answer answer;

	while (*link != &connections[number])
		link = &(*link)->next;
	*link = connections[number].next;
	free(connections[number].wait.ids);
	connections[number] = (struct wt_connection){.fd = -1};
	wt_owner_process_destroy(process);
	while (recv(sockets[number][1], &answer, sizeof(answer), 0) > 0)
		;
}

static void check_result(struct wt_connection *connection, int result)
{
	FUZZ_CHECK(result == WT_CALL_WAITS || result >= -ERRNO_MAX);
	connection->waiting = result == WT_CALL_WAITS;
	fuzz_reached += result >= 0;
}

/* A program whose call waits makes no other. */
static void make_call(struct input *input, size_t number, uint32_t file, bool raw)
{
	struct wt_connection *connection = &connections[number];
	uint32_t request = take_number(input, raw ? 4 : 1);
	uint32_t size = take_number(input, 1) % (WT_WIRE_ARGUMENT_MAX + 1);
	/* As the owner's loop has it: with alignment, and no longer. */
	struct wt_wire_answer *answer = &connection->answer;

	if (connection->waiting)
		return;
	memset(answer, 0, sizeof(*answer));
	take(input, answer->argument, size);
	if (!raw && file == WT_WIRE_KFD) {
		uint32_t first;

		memcpy(&first, answer->argument, sizeof(first));
		if (request == DEBUG_CALL && first >= 1 && first <= PROGRAMS)
			memcpy(answer->argument, &pids[first - 1], sizeof(first));
	}
	if (!raw && file == WT_WIRE_KFD)
		request = _IOC(_IOC_READ | _IOC_WRITE, KFD_IOCTL_BASE, request, size);
	else if (!raw)
		request = _IOC(_IOC_READ | _IOC_WRITE, 'd', request, size);
	check_result(connection,
		     file == WT_WIRE_KFD
			     ? wt_owner_kfd(connection, request, answer->argument)
			     : wt_owner_render(connection, 0, request, answer->argument));
}

/* Into the driver's memory, if some is there; else into the program's own. */
static void write_memory(struct input *input, size_t number)
{
	struct wt_owner_process *process = connections[number].process;
	uint64_t address = MEMORY_BASE + take_number(input, 4), there = 0;
	uint32_t size = take_number(input, 1);
	const struct wt_allocation *allocation = wt_space_at(&process->space, 0, address, &there);
	uint8_t bytes[256], *data = NULL;

	take(input, bytes, size);
	if (allocation)
		data = wt_space_data(&process->space, allocation, address);
	if (data)
		memcpy(data, bytes, size < there ? size : (size_t)there);
	else
		wt_owner_copy_out(process, address, bytes, size);
}

static void ring_doorbell(struct input *input)
{
	uint32_t number = take_number(input, 2) % WT_QUEUES_MAX;

	take(input, owner->doorbells + number * sizeof(uint64_t), sizeof(uint64_t));
}

/* What the owner's loop does between two calls. */
static void give_turn(void)
{
	for (struct wt_owner_process *p = owner->processes; p; p = p->next) {
		wt_engine_run(p->engine, TURN_INSTRUCTIONS);
		wt_event_collect(p);
	}
	wt_event_answer(owner);
	for (size_t i = 0; i < PROGRAMS; i++) {
		struct wt_connection *connection = &connections[i];
		int result = WT_CALL_WAITS;

		if (connection->waiting && connection->wait.kind != WT_WAIT_EVENTS)
			result = wt_owner_try_again(connection);
		if (result != WT_CALL_WAITS)
			wt_owner_answer(connection, result);
	}
}

static void run_record(struct input *input)
{
	uint32_t first = take_number(input, 1);
	size_t number = first / RECORD_KINDS % PROGRAMS;

	switch ((enum record)(first % RECORD_KINDS)) {
	case RECORD_MEMORY:
		write_memory(input, number);
		break;
	case RECORD_DOORBELL:
		ring_doorbell(input);
		break;
	case RECORD_TURN:
		give_turn();
		break;
	case RECORD_RENDER:
		make_call(input, number, WT_WIRE_RENDER, false);
		break;
	case RECORD_REQUEST:
		make_call(input, number, WT_WIRE_KFD, true);
		break;
	case RECORD_RENDER_REQUEST:
		make_call(input, number, WT_WIRE_RENDER, true);
		break;
	default:
		make_call(input, number, WT_WIRE_KFD, false);
	}
}

/* Whatever was done, the device has nothing of programs that are gone. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = {data, size};

	for (size_t i = 0; i < PROGRAMS; i++)
		open_device(i);
	for (uint32_t i = 0; i < RECORDS_MAX && input.left; i++)
		run_record(&input);
	give_turn();
	/* A program may end before its debugger, or after it. */
	close_device(size % PROGRAMS);
	give_turn();
	close_device((size + 1) % PROGRAMS);
	FUZZ_CHECK(!owner->processes && !owner->store.vram && !owner->store.gtt);
	for (size_t i = 0; i < WT_QUEUES_MAX; i++)
		FUZZ_CHECK(!owner->queues[i]);
	return 0;
}
