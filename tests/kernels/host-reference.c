/* SPDX-License-Identifier: MIT */
/*
 * host-reference WORKLOAD.json [--save NAME=FILE]...
 *
 * Runs the dispatches of a workload on the host, one after the other, and writes buffers to files:
 * what a simulated device must compute from the same workload. A kernel that leaves a buffer or
 * traps ends the program with exit code 3 and one line on stderr that names work-item and place.
 *
 * Only what the test workloads use is read here; the judge of right and wrong workloads is the
 * simulated device.
 */
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/kernels/host.h"

#define MAX_BUFFERS 16
#define MAX_ARGUMENTS 16
/* Unmapped bytes before and behind each buffer. */
#define GUARD 65536

extern const struct host_kernel *const __start_host_kernels[], *const __stop_host_kernels[];

struct buffer {
	const char *name;
	uint8_t *data;
	size_t size;
};

static struct reference {
	struct buffer buffers[MAX_BUFFERS];
	size_t buffer_count;
	const struct host_kernel *kernel;
} reference;

__attribute__((format(printf, 1, 2))) static _Noreturn void fail(const char *format, ...)
{
	va_list arguments;

	fputs("host-reference: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(1);
}

static _Noreturn void leave(const char *text, int length)
{
	ssize_t written = write(STDERR_FILENO, text, (size_t)length);

	_exit(written == length ? 3 : 1);
}

_Noreturn void host_stop(const char *what)
{
	char text[256];
	const uint32_t *group = host_item.group_id;
	const uint32_t *local = host_item.local_id;
	int length =
		snprintf(text, sizeof(text), "%s: work-item %u,%u,%u of workgroup %u,%u,%u: %s\n",
			 reference.kernel->name, local[0], local[1], local[2], group[0], group[1],
			 group[2], what);

	leave(text, length);
}

/* A fault in a kernel: say which buffer was missed and by how much. */
static void on_fault(int signal, siginfo_t *information, void *context)
{
	intptr_t address = (intptr_t)information->si_addr;
	char what[128] = "memory fault outside all buffers";

	(void)signal;
	(void)context;
	for (size_t i = 0; i < reference.buffer_count; i++) {
		const struct buffer *buffer = &reference.buffers[i];
		intptr_t offset = address - (intptr_t)buffer->data;

		if (offset >= -GUARD && offset < (intptr_t)buffer->size + GUARD)
			snprintf(what, sizeof(what), "memory fault at %s%+ld", buffer->name,
				 (long)offset);
	}
	host_stop(what);
}

static void catch_faults(void)
{
	static char stack[65536];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	sigaltstack(&alternate, NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

/* A field of an object that must be there. */
static json_t *field(json_t *object, const char *name)
{
	json_t *value = json_object_get(object, name);

	if (!value)
		fail("workload: no field '%s'", name);
	return value;
}

/* Element @index of start, start + step, start + 2 * step, ... as @type, at @data. */
static size_t store_element(const char *type, json_t *start, json_t *step, size_t index,
			    uint8_t *data)
{
	double real = json_number_value(start) + (double)index * json_number_value(step);
	uint64_t whole = (uint64_t)json_integer_value(start) +
			 (uint64_t)index * (uint64_t)json_integer_value(step);
	size_t size = (size_t)strtoul(type + 1, NULL, 10) / 8;
	float single = (float)real;

	if (size != 1 && size != 2 && size != 4 && size != 8)
		fail("workload: unknown type '%s'", type);
	if (type[0] == 'f')
		memcpy(data, size == 4 ? (void *)&single : (void *)&real, size);
	else
		memcpy(data, &whole, size);
	return size;
}

static void fill_buffer(struct buffer *buffer, json_t *fill)
{
	json_t *iota = json_object_get(fill, "iota");
	json_t *constant = json_object_get(fill, "constant");
	json_t *pattern = iota ? iota : constant;
	uint8_t element[8];
	size_t at = 0;

	if (!fill)
		return;
	if (!pattern)
		fail("workload: buffer '%s': only iota and constant are filled here", buffer->name);
	const char *type = json_string_value(field(pattern, "type"));
	json_t *start = field(pattern, iota ? "start" : "value");
	json_t *step = iota ? field(pattern, "step") : NULL;

	for (size_t i = 0; at < buffer->size; i++) {
		size_t size = store_element(type ? type : "", start, step, i, element);

		if (size > buffer->size - at)
			size = buffer->size - at;
		memcpy(buffer->data + at, element, size);
		at += size;
	}
}

static void add_buffer(const char *name, json_t *description)
{
	struct buffer *buffer = &reference.buffers[reference.buffer_count];
	json_int_t bytes = json_integer_value(field(description, "bytes"));
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (reference.buffer_count++ == MAX_BUFFERS || bytes <= 0)
		fail("workload: buffer '%s': too many buffers or no bytes", name);
	size_t mapped = ((size_t)bytes + page - 1) / page * page;
	uint8_t *base = mmap(NULL, mapped + 2 * (size_t)GUARD, PROT_NONE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (base == MAP_FAILED || mprotect(base + GUARD, mapped, PROT_READ | PROT_WRITE))
		fail("workload: buffer '%s': %s", name, strerror(errno));
	*buffer = (struct buffer){.name = name, .data = base + GUARD, .size = (size_t)bytes};
	fill_buffer(buffer, json_object_get(description, "fill"));
}

static const struct buffer *find_buffer(const char *name)
{
	for (size_t i = 0; name && i < reference.buffer_count; i++) {
		if (strcmp(reference.buffers[i].name, name) == 0)
			return &reference.buffers[i];
	}
	fail("no buffer '%s'", name ? name : "");
}

static const struct host_kernel *find_kernel(const char *name)
{
	for (const struct host_kernel *const *k = __start_host_kernels; k < __stop_host_kernels;
	     k++) {
		if (name && strcmp((*k)->name, name) == 0)
			return *k;
	}
	fail("no kernel '%s'", name ? name : "");
}

static union host_argument read_argument(json_t *argument, char kind)
{
	json_t *buffer = json_object_get(argument, "buffer");
	json_t *u32 = json_object_get(argument, "u32");
	json_t *f32 = json_object_get(argument, "f32");

	if (kind == 'p' && buffer) {
		json_int_t offset = json_integer_value(json_object_get(argument, "offset"));

		return (union host_argument){
			.pointer = find_buffer(json_string_value(buffer))->data + offset};
	}
	if (kind == 'I' && u32)
		return (union host_argument){.u32 = (uint32_t)json_integer_value(u32)};
	if (kind == 'f' && f32)
		return (union host_argument){.f32 = (float)json_number_value(f32)};
	fail("kernel '%s': an argument is not of its kind", reference.kernel->name);
}

static void read_sizes(json_t *dispatch, const char *name, uint32_t sizes[3])
{
	json_t *array = field(dispatch, name);

	for (size_t d = 0; d < 3; d++) {
		sizes[d] = (uint32_t)json_integer_value(json_array_get(array, d));
		if (sizes[d] == 0)
			fail("dispatch: '%s' is not three numbers above 0", name);
	}
}

/* Workgroups in dimension @d, the incomplete one included. */
static uint32_t count_groups(size_t d)
{
	return host_grid.group_count[d] + (host_grid.remainder[d] > 0);
}

/* Run the workgroup that host_item.group_id names. */
static void run_group(const union host_argument *arguments)
{
	uint32_t size[3];

	for (size_t d = 0; d < 3; d++) {
		bool complete = host_item.group_id[d] < host_grid.group_count[d];

		size[d] = complete ? host_grid.group_size[d] : host_grid.remainder[d];
	}
	if (!host_run_group(reference.kernel, arguments, size))
		fail("kernel '%s': a barrier that not all work-items reach",
		     reference.kernel->name);
}

static void run_groups(const union host_argument *arguments)
{
	uint32_t *id = host_item.group_id;

	for (id[2] = 0; id[2] < count_groups(2); id[2]++)
		for (id[1] = 0; id[1] < count_groups(1); id[1]++)
			for (id[0] = 0; id[0] < count_groups(0); id[0]++)
				run_group(arguments);
}

static void run_dispatch(json_t *dispatch)
{
	union host_argument arguments[MAX_ARGUMENTS];
	json_t *list = field(dispatch, "arguments");
	uint32_t grid[3];

	reference.kernel = find_kernel(json_string_value(field(dispatch, "kernel")));
	if (json_array_size(list) != strlen(reference.kernel->kinds))
		fail("kernel '%s': wrong number of arguments", reference.kernel->name);
	for (size_t i = 0; i < json_array_size(list); i++)
		arguments[i] = read_argument(json_array_get(list, i), reference.kernel->kinds[i]);
	read_sizes(dispatch, "grid", grid);
	read_sizes(dispatch, "workgroup", host_grid.group_size);
	for (size_t d = 0; d < 3; d++) {
		host_grid.group_count[d] = grid[d] / host_grid.group_size[d];
		host_grid.remainder[d] = grid[d] % host_grid.group_size[d];
	}
	host_grid.dimensions = grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1;
	run_groups(arguments);
}

/* @request: NAME=FILE. */
static void save_buffer(const char *request)
{
	const char *equals = strchr(request, '=');

	if (!equals)
		fail("--save %s: not of the form NAME=FILE", request);
	char *name = strndup(request, (size_t)(equals - request));
	const struct buffer *buffer = find_buffer(name);
	FILE *file = fopen(equals + 1, "wb");

	if (!file || fwrite(buffer->data, 1, buffer->size, file) != buffer->size || fclose(file))
		fail("%s: %s", equals + 1, strerror(errno));
	free(name);
}

int main(int argc, char **argv)
{
	json_error_t error;
	const char *name;
	json_t *value;
	size_t index;

	if (argc < 2 || argc % 2 != 0) {
		fputs("usage: host-reference WORKLOAD.json [--save NAME=FILE]...\n", stderr);
		return 2;
	}
	json_t *workload = json_load_file(argv[1], 0, &error);

	if (!workload)
		fail("%s:%d: %s", argv[1], error.line, error.text);
	json_object_foreach(field(workload, "buffers"), name, value) add_buffer(name, value);
	catch_faults();
	json_array_foreach(field(workload, "dispatches"), index, value) run_dispatch(value);
	for (int i = 2; i < argc; i += 2) {
		if (strcmp(argv[i], "--save") != 0)
			fail("unknown option %s", argv[i]);
		save_buffer(argv[i + 1]);
	}
	json_decref(workload);
	return 0;
}
