/* SPDX-License-Identifier: MIT */
/*
 * Runs one kernel of `wavetape doctor --try` through the HSA runtime that is there. It is a program of its own, since the kernel may end it,
 * and needs nothing but the C library: the runtime is loaded by its path, and what is needed of its interface is declared here.
 *
 * Usage: wavetape-try RUNTIME FOLDER STEP GPU LIMIT
 *        wavetape-try RUNTIME
 *
 *   FOLDER   has a code object for each GPU: gfx90a.co
 *   STEP     right, memory, fault, trap or hang
 *   GPU      of those that the runtime has, counted from 0
 *   LIMIT    of hang: so many sleeps at most
 *
 * It prints lines of a word and what belongs to it; of a runtime alone how many GPUs it shows. `hang' waits for a line on its standard
 * input before it lets the kernel go on. It exits with 0 if the kernel came to its end and its results are right, 1 if not, 2 if
 * something of the runtime failed, 3 if there is no such GPU, 4 if there is no code object for it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define GROUP 64u
#define ITEMS 256u /* of right and memory; the others have one workgroup */
#define GPUS 64u
#define BAD_OFFSET 40u
#define BAD_SIZE ((size_t)1 << 21)
#define BAD_FIRST ((uintptr_t)0x200000000000)
#define BAD_LAST ((uintptr_t)0x400000000000)
#define BAD_STEP ((uintptr_t)1 << 40)

enum { RUNS = 0, WRONG = 1, FAILED = 2, NO_GPU = 3, NO_CODE = 4 };

/* ---- The runtime: numbers and layouts of its public interface ---- */

#define HSA_AGENT_NAME 0
#define HSA_AGENT_DEVICE 17
#define HSA_DEVICE_CPU 0u
#define HSA_DEVICE_GPU 1u
#define HSA_SYSTEM_MAJOR 0
#define HSA_SYSTEM_MINOR 1
#define HSA_SYMBOL_GROUP_SIZE 13
#define HSA_SYMBOL_PRIVATE_SIZE 14
#define HSA_SYMBOL_KERNEL_OBJECT 22
#define HSA_POOL_SEGMENT 0
#define HSA_POOL_FLAGS 1
#define HSA_SEGMENT_GLOBAL 0u
#define HSA_POOL_KERNARG 1u
#define HSA_POOL_FINE 2u
#define HSA_PROFILE_FULL 1
#define HSA_ROUND_DEFAULT 0
#define HSA_QUEUE_MULTI 0u
#define HSA_CONDITION_LESS 2
#define HSA_WAIT_BLOCKED 0
/* A dispatch in one dimension; the caches are made good before and behind it, for the whole system. */
#define HSA_DISPATCH_HEADER (2u | 1u << 8 | 2u << 9 | 2u << 11)
#define HSA_DISPATCH_SETUP 1u

struct hsa_handle {
	uint64_t handle;
};

struct hsa_queue {
	uint32_t type, features;
	void *base;
	struct hsa_handle doorbell;
	uint32_t size, reserved;
	uint64_t id;
};

struct hsa_dispatch {
	uint16_t header, setup, group[3], reserved0;
	uint32_t grid[3], private_size, group_size;
	uint64_t kernel;
	void *arguments;
	uint64_t reserved1;
	struct hsa_handle completion;
};

static struct {
	int (*hsa_init)(void);
	int (*hsa_status_string)(int, const char **);
	int (*hsa_system_get_info)(int, void *);
	int (*hsa_iterate_agents)(int (*)(struct hsa_handle, void *), void *);
	int (*hsa_agent_get_info)(struct hsa_handle, int, void *);
	int (*hsa_queue_create)(struct hsa_handle, uint32_t, uint32_t,
				void (*)(int, struct hsa_queue *, void *), void *, uint32_t,
				uint32_t, struct hsa_queue **);
	uint64_t (*hsa_queue_add_write_index_screlease)(const struct hsa_queue *, uint64_t);
	int (*hsa_signal_create)(int64_t, uint32_t, const struct hsa_handle *, struct hsa_handle *);
	void (*hsa_signal_store_screlease)(struct hsa_handle, int64_t);
	int64_t (*hsa_signal_wait_scacquire)(struct hsa_handle, int, int64_t, uint64_t, int);
	int (*hsa_code_object_reader_create_from_memory)(const void *, size_t, struct hsa_handle *);
	int (*hsa_executable_create_alt)(int, int, const char *, struct hsa_handle *);
	int (*hsa_executable_load_agent_code_object)(struct hsa_handle, struct hsa_handle,
						     struct hsa_handle, const char *,
						     struct hsa_handle *);
	int (*hsa_executable_freeze)(struct hsa_handle, const char *);
	int (*hsa_executable_get_symbol_by_name)(struct hsa_handle, const char *,
						 const struct hsa_handle *, struct hsa_handle *);
	int (*hsa_executable_symbol_get_info)(struct hsa_handle, int, void *);
	int (*hsa_amd_agent_iterate_memory_pools)(struct hsa_handle,
						  int (*)(struct hsa_handle, void *), void *);
	int (*hsa_amd_memory_pool_get_info)(struct hsa_handle, int, void *);
	int (*hsa_amd_memory_pool_allocate)(struct hsa_handle, size_t, uint32_t, void **);
	int (*hsa_amd_agents_allow_access)(uint32_t, const struct hsa_handle *, const uint32_t *,
					   const void *);
} hsa;

__attribute__((noreturn)) static void try_give_up(const char *what, const char *why)
{
	printf("failed %s: %s\n", what, why);
	fflush(stdout);
	_exit(FAILED);
}

static void check(int status, const char *what)
{
	const char *text = "unknown status";

	if (status <= 1) /* 1 is a walk that was ended */
		return;
	hsa.hsa_status_string(status, &text);
	try_give_up(what, text);
}

#define CALL(function, ...) check(hsa.function(__VA_ARGS__), #function)

static void runtime_load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	const struct {
		const char *name;
		void *place;
	} functions[] = {
#define FUNCTION(name) {#name, &hsa.name}
		FUNCTION(hsa_init),
		FUNCTION(hsa_status_string),
		FUNCTION(hsa_system_get_info),
		FUNCTION(hsa_iterate_agents),
		FUNCTION(hsa_agent_get_info),
		FUNCTION(hsa_queue_create),
		FUNCTION(hsa_queue_add_write_index_screlease),
		FUNCTION(hsa_signal_create),
		FUNCTION(hsa_signal_store_screlease),
		FUNCTION(hsa_signal_wait_scacquire),
		FUNCTION(hsa_code_object_reader_create_from_memory),
		FUNCTION(hsa_executable_create_alt),
		FUNCTION(hsa_executable_load_agent_code_object),
		FUNCTION(hsa_executable_freeze),
		FUNCTION(hsa_executable_get_symbol_by_name),
		FUNCTION(hsa_executable_symbol_get_info),
		FUNCTION(hsa_amd_agent_iterate_memory_pools),
		FUNCTION(hsa_amd_memory_pool_get_info),
		FUNCTION(hsa_amd_memory_pool_allocate),
		FUNCTION(hsa_amd_agents_allow_access),
	};

	if (!library)
		try_give_up("runtime", dlerror());
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *function = dlsym(library, functions[i].name);

		if (!function)
			try_give_up("it has no function", functions[i].name);
		memcpy(functions[i].place, &function, sizeof(function));
	}
}

/* ---- Agents and memory ---- */

struct machine {
	struct hsa_handle cpu, gpus[GPUS], gpu;
	size_t gpu_count;
	struct hsa_handle host_memory, arguments; /* pools */
	bool has_host_memory, has_arguments;
};

static int machine_take_agent(struct hsa_handle agent, void *opaque)
{
	struct machine *machine = opaque;
	uint32_t device = 0;

	CALL(hsa_agent_get_info, agent, HSA_AGENT_DEVICE, &device);
	if (device == HSA_DEVICE_CPU && !machine->cpu.handle)
		machine->cpu = agent;
	else if (device == HSA_DEVICE_GPU && machine->gpu_count < GPUS)
		machine->gpus[machine->gpu_count++] = agent;
	return 0;
}

static int machine_take_pool(struct hsa_handle pool, void *opaque)
{
	struct machine *machine = opaque;
	uint32_t segment = ~0u, flags = 0;

	CALL(hsa_amd_memory_pool_get_info, pool, HSA_POOL_SEGMENT, &segment);
	if (segment != HSA_SEGMENT_GLOBAL)
		return 0;
	CALL(hsa_amd_memory_pool_get_info, pool, HSA_POOL_FLAGS, &flags);
	if (flags & HSA_POOL_KERNARG && !machine->has_arguments) {
		machine->arguments = pool;
		machine->has_arguments = true;
	}
	if (flags & HSA_POOL_FINE && !machine->has_host_memory) {
		machine->host_memory = pool;
		machine->has_host_memory = true;
	}
	return 0;
}

static void machine_start(struct machine *machine)
{
	uint16_t major = 0, minor = 0;

	CALL(hsa_init);
	CALL(hsa_system_get_info, HSA_SYSTEM_MAJOR, &major);
	CALL(hsa_system_get_info, HSA_SYSTEM_MINOR, &minor);
	printf("runtime %u.%u\n", major, minor);
	CALL(hsa_iterate_agents, machine_take_agent, machine);
}

static void machine_choose(struct machine *machine, size_t gpu, char name_ret[64])
{
	if (gpu >= machine->gpu_count) {
		printf("failed the runtime has %zu GPUs: it is older than this one, or is told "
		       "not to show it\n",
		       machine->gpu_count);
		fflush(stdout);
		_exit(NO_GPU);
	}
	machine->gpu = machine->gpus[gpu];
	CALL(hsa_agent_get_info, machine->gpu, HSA_AGENT_NAME, name_ret);
	printf("gpu %s\n", name_ret);
	CALL(hsa_amd_agent_iterate_memory_pools, machine->cpu, machine_take_pool, machine);
	if (!machine->has_arguments || !machine->has_host_memory)
		try_give_up("memory", "the host has no pool for it");
}

static void *machine_allocate(const struct machine *machine, struct hsa_handle pool, size_t size)
{
	void *memory = NULL;

	CALL(hsa_amd_memory_pool_allocate, pool, size, 0, &memory);
	CALL(hsa_amd_agents_allow_access, 1, &machine->gpu, NULL, memory);
	memset(memory, 0, size);
	return memory;
}

/* An address that nothing is at, and where nobody puts anything without being told to: far from the heap and from what mmap() gives. */
static uint64_t unmapped_address(void)
{
	for (uintptr_t at = BAD_FIRST; at < BAD_LAST; at += BAD_STEP) {
		char *memory = mmap(
			(void *)at, BAD_SIZE, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

		if (memory == MAP_FAILED)
			continue;
		munmap(memory, BAD_SIZE);
		if (memory == (char *)at)
			return at + BAD_SIZE / 2 + BAD_OFFSET;
	}
	try_give_up("memory", "no address is free");
}

/* ---- The kernel ---- */

static const void *code_read(const char *folder, const char *gpu, size_t *size_ret)
{
	char path[4096];
	struct stat status;
	const void *code;
	int fd;

	snprintf(path, sizeof(path), "%s/%.*s.co", folder, (int)strcspn(gpu, ":"), gpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status)) {
		printf("failed there is no code for %s here\n", gpu);
		fflush(stdout);
		_exit(NO_CODE);
	}
	*size_ret = (size_t)status.st_size;
	code = mmap(NULL, *size_ret, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (code == MAP_FAILED)
		try_give_up("code", strerror(errno));
	return code;
}

static void kernel_load(const struct machine *machine, const char *folder, const char *gpu,
			const char *step, struct hsa_dispatch *packet)
{
	struct hsa_handle reader, executable, symbol;
	char name[64];
	size_t size;
	const void *code = code_read(folder, gpu, &size);

	CALL(hsa_code_object_reader_create_from_memory, code, size, &reader);
	CALL(hsa_executable_create_alt, HSA_PROFILE_FULL, HSA_ROUND_DEFAULT, NULL, &executable);
	CALL(hsa_executable_load_agent_code_object, executable, machine->gpu, reader, NULL, NULL);
	CALL(hsa_executable_freeze, executable, NULL);
	snprintf(name, sizeof(name), "wavetape_try_%s.kd", step);
	CALL(hsa_executable_get_symbol_by_name, executable, name, &machine->gpu, &symbol);
	CALL(hsa_executable_symbol_get_info, symbol, HSA_SYMBOL_KERNEL_OBJECT, &packet->kernel);
	CALL(hsa_executable_symbol_get_info, symbol, HSA_SYMBOL_GROUP_SIZE, &packet->group_size);
	CALL(hsa_executable_symbol_get_info, symbol, HSA_SYMBOL_PRIVATE_SIZE,
	     &packet->private_size);
}

/* The runtime tells of a queue that it has given up, which is how a trap ends. */
static void queue_tell(int status, struct hsa_queue *queue, void *opaque)
{
	const char *text = "unknown status";

	(void)queue;
	(void)opaque;
	hsa.hsa_status_string(status, &text);
	printf("queue %s\n", text);
	fflush(stdout);
	_exit(WRONG);
}

static void kernel_start(const struct machine *machine, const struct hsa_dispatch *packet)
{
	struct hsa_queue *queue;
	uint64_t index;
	char *place;

	CALL(hsa_queue_create, machine->gpu, 64, HSA_QUEUE_MULTI, queue_tell, NULL, UINT32_MAX,
	     UINT32_MAX, &queue);
	index = hsa.hsa_queue_add_write_index_screlease(queue, 1);
	place = (char *)queue->base + index % queue->size * sizeof(*packet);
	/* The header comes last: it makes the packet valid. */
	memcpy(place + 4, (const char *)packet + 4, sizeof(*packet) - 4);
	__atomic_store_n((uint32_t *)(void *)place, HSA_DISPATCH_HEADER | HSA_DISPATCH_SETUP << 16,
			 __ATOMIC_RELEASE);
	hsa.hsa_signal_store_screlease(queue->doorbell, (int64_t)index);
}

/* ---- Results ---- */

static uint32_t memory_result(uint32_t lane)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < 4; i++) {
		uint32_t other = (lane + i) % GROUP;

		/* own[other % 16] is 0 * other, own[(other + 5) % 16] is 5 * other */
		sum += 5 * other + 7;
	}
	return sum;
}

static int results_check(const uint32_t *out, const char *step, uint32_t items)
{
	for (uint32_t i = 0; i < items; i++) {
		uint32_t expected = strcmp(step, "memory") ? 3 * i + 1 : memory_result(i % GROUP);

		if (out[i] == expected)
			continue;
		printf("wrong out[%u] is %u and should be %u\n", i, out[i], expected);
		return WRONG;
	}
	printf("right %u values\n", items);
	return RUNS;
}

/* Nobody may be there to let the kernel go on: then it has its limit. */
static void host_wait(uint32_t *flag)
{
	char line[16];

	puts("waiting");
	fflush(stdout);
	if (fgets(line, sizeof(line), stdin))
		puts("going on");
	__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

int main(int argc, char **argv)
{
	struct hsa_dispatch packet = {.group = {GROUP, 1, 1}, .grid = {GROUP, 1, 1}};
	struct machine machine = {0};
	uint32_t *out, *flag;
	char name[64] = "";
	bool hangs;

	struct {
		void *out;
		uint64_t second;
		uint32_t limit;
	} arguments = {0};

	if (argc != 2 && argc != 6)
		return FAILED;
	setvbuf(stdout, NULL, _IOLBF, 0);
	runtime_load(argv[1]);
	machine_start(&machine);
	if (argc == 2) {
		printf("gpus %zu\n", machine.gpu_count);
		return RUNS;
	}
	hangs = !strcmp(argv[3], "hang");
	machine_choose(&machine, strtoul(argv[4], NULL, 10), name);
	kernel_load(&machine, argv[2], name, argv[3], &packet);
	if (!strcmp(argv[3], "right") || !strcmp(argv[3], "memory"))
		packet.grid[0] = ITEMS;
	out = machine_allocate(&machine, machine.host_memory, ITEMS * sizeof(*out));
	flag = machine_allocate(&machine, machine.host_memory, 4096);
	arguments.out = out;
	arguments.limit = (uint32_t)strtoul(argv[5], NULL, 10);
	arguments.second = hangs ? (uint64_t)(uintptr_t)flag : unmapped_address();
	if (!strcmp(argv[3], "fault"))
		printf("bad 0x%llx\n", (unsigned long long)arguments.second);
	packet.arguments = machine_allocate(&machine, machine.arguments, 4096);
	memcpy(packet.arguments, &arguments, sizeof(arguments));
	CALL(hsa_signal_create, 1, 0, NULL, &packet.completion);
	kernel_start(&machine, &packet);
	if (hangs)
		host_wait(flag);
	while (hsa.hsa_signal_wait_scacquire(packet.completion, HSA_CONDITION_LESS, 1, UINT64_MAX,
					     HSA_WAIT_BLOCKED) >= 1)
		;
	return results_check(out, argv[3], packet.grid[0]);
}
