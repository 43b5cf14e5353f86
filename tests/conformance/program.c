/* SPDX-License-Identifier: MIT */
/*
 * Usage: program WORKLOAD
 *
 * A workload as a program of the HSA runtime: what the conformance suite debugs over a kernel driver (driver.c). It loads what the
 * workload has from the start, writes `r` to its output, and dispatches when it has read a byte; then it writes `q`, and `d` when
 * all is done, or its queue has failed. At the end of its input it ends.
 */
#include <fcntl.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <jansson.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AGENTS 4
#define OBJECTS 8
#define QUEUES 32
#define RING 256
#define PAGE 4096u
#define POLL_NS 2000000

struct object {
	json_t *json;
	hsa_executable_t executable;
	bool loaded;
};

static struct {
	const char *folder;
	json_t *workload, *buffers; /* buffers: addresses by name */
	hsa_agent_t agents[AGENTS], host;
	uint32_t agent_count;
	hsa_amd_memory_pool_t pool;
	struct object objects[OBJECTS];
	size_t object_count;
	hsa_queue_t *queues[QUEUES];
	uint32_t queue_count;
	atomic_bool failed; /* a queue, or memory */
} program;

__attribute__((format(printf, 1, 2), noreturn)) static void fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("program: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	_exit(3);
}

#define MUST(call)                                                                                 \
	do {                                                                                       \
		const hsa_status_t status_ = (call);                                               \
                                                                                                   \
		if (status_ != HSA_STATUS_SUCCESS)                                                 \
			fail("%s: %#x", #call, status_);                                           \
	} while (0)

static void tell(char what)
{
	if (write(STDOUT_FILENO, &what, 1) != 1)
		_exit(4);
}

/* False at the end of the input. */
static bool wait_for_byte(void)
{
	char byte;

	return read(STDIN_FILENO, &byte, 1) == 1;
}

/* ---- The machine ---- */

static hsa_status_t note_agent(hsa_agent_t agent, void *opaque)
{
	hsa_device_type_t type = HSA_DEVICE_TYPE_CPU;

	(void)opaque;
	MUST(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
	if (type == HSA_DEVICE_TYPE_GPU && program.agent_count < AGENTS)
		program.agents[program.agent_count++] = agent;
	else if (type == HSA_DEVICE_TYPE_CPU)
		program.host = agent;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t note_pool(hsa_amd_memory_pool_t pool, void *opaque)
{
	hsa_amd_segment_t segment = HSA_AMD_SEGMENT_GLOBAL;
	uint32_t flags = 0;

	(void)opaque;
	MUST(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
	if (segment != HSA_AMD_SEGMENT_GLOBAL)
		return HSA_STATUS_SUCCESS;
	MUST(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
	if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)
		program.pool = pool;
	return HSA_STATUS_SUCCESS;
}

static void *allocate(size_t size)
{
	void *memory = NULL;

	size = (size + PAGE - 1) / PAGE * PAGE;
	MUST(hsa_amd_memory_pool_allocate(program.pool, size, 0, &memory));
	MUST(hsa_amd_agents_allow_access(program.agent_count, program.agents, NULL, memory));
	memset(memory, 0, size);
	return memory;
}

/* Without these the runtime ends the program. */
static hsa_status_t memory_failed(const hsa_amd_event_t *event, void *opaque)
{
	(void)event;
	(void)opaque;
	program.failed = true;
	return HSA_STATUS_SUCCESS;
}

static void queue_failed(hsa_status_t status, hsa_queue_t *queue, void *opaque)
{
	(void)status;
	(void)queue;
	(void)opaque;
	program.failed = true;
}

/* ---- What the workload has ---- */

static size_t put_number(uint8_t *to, const char *type, double value)
{
	const size_t size = (size_t)atoi(type + 1) / 8;
	const float single = (float)value;
	const int64_t whole = (int64_t)value;

	if (*type == 'f' && size == sizeof(single))
		memcpy(to, &single, size);
	else if (*type == 'f')
		memcpy(to, &value, sizeof(value));
	else
		memcpy(to, &whole, size);
	return size;
}

static void fill(uint8_t *data, size_t size, const json_t *how)
{
	const json_t *iota = json_object_get(how, "iota");
	const json_t *numbers = iota ? iota : json_object_get(how, "constant");
	const char *type = json_string_value(json_object_get(numbers, "type"));
	double value = json_number_value(json_object_get(numbers, iota ? "start" : "value"));
	double step = iota ? json_number_value(json_object_get(iota, "step")) : 0;

	for (size_t at = 0; type && at < size; value += step)
		at += put_number(data + at, type, value);
}

static void make_buffers(void)
{
	const char *name;
	json_t *buffer;

	program.buffers = json_object();
	json_object_foreach(json_object_get(program.workload, "buffers"), name, buffer)
	{
		size_t size = (size_t)json_integer_value(json_object_get(buffer, "bytes"));
		uint8_t *data = allocate(size);

		fill(data, size, json_object_get(buffer, "fill"));
		json_object_set_new(program.buffers, name,
				    json_integer((json_int_t)(uintptr_t)data));
	}
}

static uint32_t agent_of(const json_t *dispatch)
{
	uint32_t agent = (uint32_t)json_integer_value(json_object_get(dispatch, "agent"));

	if (agent >= program.agent_count)
		fail("it needs %u agents", agent + 1);
	return agent;
}

static int open_code(const struct object *object)
{
	const json_t *file = json_object_get(object->json, "file");
	char path[PATH_MAX];
	int opened;

	snprintf(path, sizeof(path), "%s/%s", program.folder,
		 json_string_value(file ? file : object->json));
	opened = open(path, O_RDONLY | O_CLOEXEC);
	if (opened < 0)
		fail("cannot open %s", path);
	return opened;
}

/* On the agents that dispatches go to. */
static void load(struct object *object)
{
	bool used[AGENTS] = {false};
	json_t *dispatch;
	size_t n;

	json_array_foreach(json_object_get(program.workload, "dispatches"), n, dispatch)
		used[agent_of(dispatch)] = true;
	MUST(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
				       NULL, &object->executable));
	for (uint32_t i = 0; i < program.agent_count; i++) {
		hsa_code_object_reader_t reader;

		if (!used[i])
			continue;
		MUST(hsa_code_object_reader_create_from_file(open_code(object), &reader));
		MUST(hsa_executable_load_agent_code_object(object->executable, program.agents[i],
							   reader, NULL, NULL));
	}
	MUST(hsa_executable_freeze(object->executable, NULL));
	object->loaded = true;
}

/* -1: there is no such time. */
static json_int_t when(const struct object *object, const char *what)
{
	const json_t *time = json_object_get(object->json, what);

	return time ? json_integer_value(time) : -1;
}

/* Code comes and goes when a dispatch, or none yet (-1), has ended. */
static void change_code(json_int_t ended)
{
	for (size_t i = 0; i < program.object_count; i++) {
		struct object *object = &program.objects[i];

		if (when(object, "load_after") == ended)
			load(object);
		if (ended >= 0 && when(object, "unload_after") == ended) {
			MUST(hsa_executable_destroy(object->executable));
			object->loaded = false;
		}
	}
}

static void prepare(void)
{
	json_t *code;
	size_t n;

	MUST(hsa_init());
	MUST(hsa_iterate_agents(note_agent, NULL));
	MUST(hsa_amd_agent_iterate_memory_pools(program.host, note_pool, NULL));
	MUST(hsa_amd_register_system_event_handler(memory_failed, NULL));
	json_array_foreach(json_object_get(program.workload, "code_objects"), n, code)
	{
		if (program.object_count == OBJECTS)
			fail("it has too many code objects");
		program.objects[program.object_count++].json = code;
	}
	change_code(-1);
	make_buffers();
}

/* ---- Dispatches ---- */

static uint64_t find_kernel(const json_t *dispatch, hsa_executable_symbol_t *symbol)
{
	hsa_agent_t agent = program.agents[agent_of(dispatch)];
	uint64_t kernel = 0;
	char name[256];

	snprintf(name, sizeof(name), "%s.kd",
		 json_string_value(json_object_get(dispatch, "kernel")));
	for (size_t i = 0; i < program.object_count; i++)
		if (program.objects[i].loaded &&
		    hsa_executable_get_symbol_by_name(program.objects[i].executable, name, &agent,
						      symbol) == HSA_STATUS_SUCCESS)
			MUST(hsa_executable_symbol_get_info(
				*symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel));
	if (!kernel)
		fail("there is no %s", name);
	return kernel;
}

static size_t put_argument(uint8_t *data, size_t at, const json_t *argument)
{
	const char *name = json_string_value(json_object_get(argument, "buffer"));
	const char *type = json_object_iter_key(json_object_iter((json_t *)(uintptr_t)argument));
	size_t size = name ? sizeof(uint64_t) : (size_t)atoi(type + 1) / 8;
	uint64_t address;

	at = (at + size - 1) / size * size;
	if (!name)
		return at + put_number(data + at, type,
				       json_number_value(json_object_get(argument, type)));
	address = (uint64_t)json_integer_value(json_object_get(program.buffers, name)) +
		  (uint64_t)json_integer_value(json_object_get(argument, "offset"));
	memcpy(data + at, &address, size);
	return at + size;
}

/* Behind what the workload gives come the hidden ones that compilers put there: how many workgroups there are, and how large. */
static void *make_arguments(const json_t *dispatch, hsa_executable_symbol_t symbol,
			    const hsa_kernel_dispatch_packet_t *packet)
{
	const uint32_t grid[3] = {packet->grid_size_x, packet->grid_size_y, packet->grid_size_z};
	const uint16_t groups[3] = {packet->workgroup_size_x, packet->workgroup_size_y,
				    packet->workgroup_size_z};
	uint32_t size = 0;
	uint8_t *data;
	json_t *argument;
	size_t at = 0, n;

	MUST(hsa_executable_symbol_get_info(
		symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &size));
	data = allocate(size + PAGE);
	json_array_foreach(json_object_get(dispatch, "arguments"), n, argument) at =
		put_argument(data, at, argument);
	at = (at + 7) / 8 * 8;
	for (size_t d = 0; d < 3; d++) {
		uint32_t count = grid[d] / groups[d];
		uint16_t rest = (uint16_t)(grid[d] % groups[d]);

		memcpy(data + at + 4 * d, &count, sizeof(count));
		memcpy(data + at + 12 + 2 * d, &groups[d], sizeof(groups[d]));
		memcpy(data + at + 18 + 2 * d, &rest, sizeof(rest));
	}
	return data;
}

static uint32_t dimension(const json_t *dispatch, const char *what, size_t d)
{
	json_int_t size = json_integer_value(json_array_get(json_object_get(dispatch, what), d));

	return size ? (uint32_t)size : 1;
}

static void fill_packet(hsa_kernel_dispatch_packet_t *packet, const json_t *dispatch,
			hsa_signal_t done)
{
	hsa_executable_symbol_t symbol;

	packet->kernel_object = find_kernel(dispatch, &symbol);
	packet->workgroup_size_x = (uint16_t)dimension(dispatch, "workgroup", 0);
	packet->workgroup_size_y = (uint16_t)dimension(dispatch, "workgroup", 1);
	packet->workgroup_size_z = (uint16_t)dimension(dispatch, "workgroup", 2);
	packet->grid_size_x = dimension(dispatch, "grid", 0);
	packet->grid_size_y = dimension(dispatch, "grid", 1);
	packet->grid_size_z = dimension(dispatch, "grid", 2);
	MUST(hsa_executable_symbol_get_info(symbol,
					    HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
					    &packet->private_segment_size));
	MUST(hsa_executable_symbol_get_info(symbol,
					    HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE,
					    &packet->group_segment_size));
	packet->group_segment_size +=
		(uint32_t)json_integer_value(json_object_get(dispatch, "dynamic_group_bytes"));
	packet->kernarg_address = make_arguments(dispatch, symbol, packet);
	packet->completion_signal = done;
}

/* Each agent has queues of its own, numbered as the workload does. */
static hsa_queue_t *queue_of(const json_t *dispatch)
{
	size_t number = (size_t)json_integer_value(json_object_get(dispatch, "queue")) * AGENTS +
			agent_of(dispatch);

	if (number >= QUEUES)
		fail("it has too many queues");
	if (!program.queues[number])
		MUST(hsa_queue_create(program.agents[agent_of(dispatch)], RING,
				      HSA_QUEUE_TYPE_MULTI, queue_failed, NULL, UINT32_MAX,
				      UINT32_MAX, &program.queues[number]));
	return program.queues[number];
}

static void submit(const json_t *dispatch, hsa_signal_t done)
{
	const uint32_t fences = HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
				HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
	const uint32_t head = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
			      1u << HSA_PACKET_HEADER_BARRIER | fences;
	hsa_queue_t *queue = queue_of(dispatch);
	uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
	hsa_kernel_dispatch_packet_t packet = {0};
	uint8_t *place = (uint8_t *)queue->base_address + index % queue->size * sizeof(packet);

	fill_packet(&packet, dispatch, done);
	memcpy(place + 4, (uint8_t *)&packet + 4, sizeof(packet) - 4);
	__atomic_store_n((uint32_t *)(void *)place, head | 3u << 16, __ATOMIC_RELEASE);
	hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
}

/* Return: whether all has ended, and nothing has failed. */
static bool wait_for(hsa_signal_t done)
{
	while (!program.failed)
		if (hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, POLL_NS,
					      HSA_WAIT_STATE_BLOCKED) < 1)
			return true;
	return false;
}

/* Where code comes and goes, one dispatch after the other. */
static bool changes_code(void)
{
	for (size_t i = 0; i < program.object_count; i++)
		if (json_is_object(program.objects[i].json))
			return true;
	return false;
}

static bool dispatch_all(void)
{
	const json_t *dispatches = json_object_get(program.workload, "dispatches");
	const bool one_by_one = changes_code();
	bool good = true;
	json_t *dispatch;
	hsa_signal_t done;
	size_t n;

	MUST(hsa_signal_create((hsa_signal_value_t)(one_by_one ? 1 : json_array_size(dispatches)),
			       0, NULL, &done));
	json_array_foreach(dispatches, n, dispatch)
	{
		submit(dispatch, done);
		if (!one_by_one)
			continue;
		if (!n)
			tell('q');
		good = good && wait_for(done);
		hsa_signal_store_screlease(done, 1);
		change_code((json_int_t)n);
	}
	if (one_by_one)
		return good;
	tell('q');
	return wait_for(done);
}

/* The waves of a queue that has failed end with it. */
static void destroy_queues(void)
{
	for (size_t i = 0; i < QUEUES; i++)
		if (program.queues[i])
			MUST(hsa_queue_destroy(program.queues[i]));
}

static void end(void)
{
	const char *how = json_string_value(json_object_get(program.workload, "end"));

	if (how && !strcmp(how, "exit"))
		_exit(0);
	if (how && !strcmp(how, "unload")) {
		destroy_queues();
		MUST(hsa_shut_down());
	}
	while (wait_for_byte())
		;
	_exit(0);
}

int main(int argc, char **argv)
{
	json_error_t error;
	char *path = argc == 2 ? strdup(argv[1]) : NULL;
	json_t *dispatch;
	size_t n;

	program.workload = path ? json_load_file(argv[1], 0, &error) : NULL;
	if (!program.workload)
		fail("%s", path ? error.text : "which workload?");
	program.folder = dirname(path);
	prepare();
	json_array_foreach(json_object_get(program.workload, "dispatches"), n, dispatch)
		queue_of(dispatch);
	tell('r');
	if (!wait_for_byte())
		_exit(0);
	if (!dispatch_all())
		destroy_queues();
	tell('d');
	end();
}
