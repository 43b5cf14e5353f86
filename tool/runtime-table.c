/* SPDX-License-Identifier: MIT */
#include "tool/runtime-table.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "tool/trapping.h"

/*
 * How long the runtime may take to say whose addresses are; and altogether, while its thread could go on and has to wait for its turn on a busy
 * machine.
 */
#define ASK_MS 300
#define ASK_MOST_MS 3000

/* ---- The runtime's interface ---- */

/* The names are those of hsa.h and hsa_ext_amd.h: handles are structures of one word. */
struct handle {
	uint64_t handle;
};

struct table_head {
	uint32_t major, size, step, reserved;
};

struct table_root {
	struct table_head head;
	struct table_head *core, *amd;
};

struct pointer_info {
	uint32_t size, type;
	uint64_t agent_base, host_base;
	size_t bytes;
	void *user_data;
	struct handle owner;
	uint32_t flags;
};

enum {
	STATUS_SUCCESS = 0,
	AGENT_NAME = 0,
	AGENT_DEVICE = 17,
	DEVICE_GPU = 1,
	POOL_SEGMENT = 0,
	SEGMENT_GLOBAL = 0,
	POOL_FLAGS = 1,
	FLAG_COARSE = 4,
	SYSTEM_OPEN = 0x202, /* HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT */
	POINTER_HSA = 1,
	POINTER_LOCKED = 2,
	POINTER_GRAPHICS = 3,
	POINTER_IPC = 4,
	POINTER_RESERVED = 5,
	POINTER_MAPPED = 6,
};

struct runtime_queue {
	uint32_t type, features;
	uint64_t ring_address, unused[5], write_index, unused_too[8], read_index;
};

typedef void (*hear_queue)(int status, struct runtime_queue *queue, void *opaque);
typedef int (*each_agent)(struct handle agent, void *opaque);
typedef int (*each_pool)(struct handle pool, void *opaque);

/* The functions that stood in the table before; NULL for what it does not have. */
static struct {
	int (*system_get_info)(int attribute, void *value);
	int (*iterate_agents)(each_agent callback, void *opaque);
	int (*agent_get_info)(struct handle agent, int attribute, void *value);
	int (*queue_create)(struct handle agent, uint32_t size, uint32_t type, hear_queue callback,
			    void *opaque, uint32_t private_size, uint32_t group_size,
			    struct runtime_queue **queue_ret);
	int (*queue_destroy)(struct runtime_queue *queue);
	int (*status_string)(int status, const char **text_ret);
	int (*memory_register)(void *address, size_t size);
	int (*memory_deregister)(void *address, size_t size);
	int (*memory_allocate)(struct handle region, size_t size, void **address_ret);
	int (*memory_free)(void *address);
	int (*reader_from_file)(int file, struct handle *reader_ret);
	int (*reader_from_memory)(const void *image, size_t size, struct handle *reader_ret);

	int (*pool_get_info)(struct handle pool, int attribute, void *value);
	int (*agent_iterate_pools)(struct handle agent, each_pool callback, void *opaque);
	int (*pool_allocate)(struct handle pool, size_t size, uint32_t flags, void **address_ret);
	int (*pool_free)(void *address);
	int (*lock)(void *host, size_t size, struct handle *agents, int count, void **address_ret);
	int (*lock_to_pool)(void *host, size_t size, struct handle *agents, int count,
			    struct handle pool, uint32_t flags, void **address_ret);
	int (*unlock)(void *host);
	int (*interop_map)(uint32_t count, struct handle *agents, int object, uint32_t flags,
			   size_t *size_ret, void **address_ret, size_t *metadata_size,
			   const void **metadata);
	int (*interop_unmap)(void *address);
	int (*ipc_attach)(const void *object, size_t size, uint32_t count,
			  const struct handle *agents, void **address_ret);
	int (*ipc_detach)(void *address);
	int (*pointer_info)(const void *address, struct pointer_info *info,
			    void *(*allocate)(size_t), uint32_t *count_ret,
			    struct handle **agents_ret);
	int (*svm_set)(void *address, size_t size, void *attributes, size_t count);
	int (*reserve)(void **address_ret, size_t size, uint64_t address, uint64_t flags);
	int (*reserve_aligned)(void **address_ret, size_t size, uint64_t address,
			       uint64_t alignment, uint64_t flags);
	int (*unreserve)(void *address, size_t size);
	int (*map)(void *address, size_t size, size_t offset, struct handle memory, uint64_t flags);
	int (*unmap)(void *address, size_t size);
	int (*set_access)(void *address, size_t size, const void *descriptors, size_t count);
} original;

#define OWNERS 256u

/* Functions of the runtime have no parameter for it. */
static struct {
	struct wt_allocations *_Atomic allocations; /* NULL: nothing is noted */
	struct wt_allocations *kept;		    /* the same, once there were any */
	pid_t kept_by;				    /* the process whose threads use them */
	atomic_bool closed;
	/* Whose memory a pool gives, and a lock of who adds one. */
	pthread_mutex_t lock;
	atomic_uint owner_count;
	struct owner {
		uint64_t pool;
		enum wt_allocation_kind kind;
		char agent[64];
	} owners[OWNERS];
} noted = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct wt_allocations *allocations_noted(void)
{
	return atomic_load_explicit(&noted.allocations, memory_order_acquire);
}

/* ---- Whose memory ---- */

struct learning {
	char first[64], name[64]; /* of the first GPU, of this agent */
	bool gpu, different;
};

static const struct owner *owner_find(uint64_t pool)
{
	unsigned int count = atomic_load_explicit(&noted.owner_count, memory_order_acquire);

	for (unsigned int i = 0; i < count; i++)
		if (noted.owners[i].pool == pool)
			return &noted.owners[i];
	return NULL;
}

static void owner_add(uint64_t pool, enum wt_allocation_kind kind, const char *agent)
{
	unsigned int count;

	pthread_mutex_lock(&noted.lock);
	count = atomic_load(&noted.owner_count);
	if (count < OWNERS && !owner_find(pool)) {
		noted.owners[count] = (struct owner){.pool = pool, .kind = kind};
		snprintf(noted.owners[count].agent, sizeof(noted.owners[count].agent), "%s", agent);
		atomic_store_explicit(&noted.owner_count, count + 1, memory_order_release);
	}
	pthread_mutex_unlock(&noted.lock);
}

static int learn_pool(struct handle pool, void *opaque)
{
	struct learning *learning = opaque;
	enum wt_allocation_kind kind = WT_ALLOCATION_DEVICE;
	uint32_t segment = SEGMENT_GLOBAL, flags = 0;

	original.pool_get_info(pool, POOL_SEGMENT, &segment);
	original.pool_get_info(pool, POOL_FLAGS, &flags);
	if (segment != SEGMENT_GLOBAL)
		return STATUS_SUCCESS;
	if (!learning->gpu)
		kind = flags & FLAG_COARSE ? WT_ALLOCATION_COARSE : WT_ALLOCATION_FINE;
	owner_add(pool.handle, kind, learning->name);
	return STATUS_SUCCESS;
}

static int learn_agent(struct handle agent, void *opaque)
{
	struct learning *learning = opaque;
	uint32_t device = 0;

	memset(learning->name, 0, sizeof(learning->name));
	original.agent_get_info(agent, AGENT_NAME, learning->name);
	original.agent_get_info(agent, AGENT_DEVICE, &device);
	learning->name[sizeof(learning->name) - 1] = '\0';
	learning->gpu = device == DEVICE_GPU;
	if (learning->gpu && !*learning->first)
		memcpy(learning->first, learning->name, sizeof(learning->first));
	learning->different |= learning->gpu && strcmp(learning->first, learning->name) != 0;
	if (original.agent_iterate_pools && original.pool_get_info)
		original.agent_iterate_pools(agent, learn_pool, learning);
	return STATUS_SUCCESS;
}

/* The runtime says "open" only where all GPUs are. That it is not says something of each where they are alike. */
static void learn_owners(void)
{
	struct learning learning = {.gpu = false};
	bool open = true;

	if (!original.iterate_agents || !original.agent_get_info)
		return;
	original.iterate_agents(learn_agent, &learning);
	if (original.system_get_info &&
	    original.system_get_info(SYSTEM_OPEN, &open) == STATUS_SUCCESS)
		atomic_store(&noted.closed, !open && *learning.first && !learning.different);
}

static const struct owner *pool_owner(struct handle pool)
{
	const struct owner *owner = owner_find(pool.handle);

	if (owner)
		return owner;
	learn_owners();
	return owner_find(pool.handle);
}

static bool is_closed(void *opaque)
{
	(void)opaque;
	return atomic_load(&noted.closed);
}

/* ---- Functions in place of those of the runtime ---- */

static uint64_t address_number(const void *address)
{
	return (uint64_t)(uintptr_t)address;
}

static void held_note(const char *function, enum wt_held_as as, enum wt_allocation_kind kind,
		      struct handle pool, const void *key, const void *address, size_t size,
		      const void *frame)
{
	struct wt_allocations *allocations = allocations_noted();
	const struct owner *owner = allocations && pool.handle ? pool_owner(pool) : NULL;
	struct wt_held held = {
		.key = address_number(key),
		.address = address_number(address),
		.size = size,
		.function = function,
		.as = (uint8_t)as,
	};

	if (!allocations || !key)
		return;
	if (owner) {
		kind = owner->kind;
		held.agent = owner->agent;
	}
	held.kind = (uint8_t)kind;
	held.closed = kind == WT_ALLOCATION_MAPPED;
	wt_allocations_add(allocations, held, frame);
}

static const struct handle no_pool;

/* A thing that is given back is noted before: afterwards it may be somebody else's. */
struct giving_back {
	struct wt_allocations *allocations;
	struct wt_held held;
	bool found;
};

static struct giving_back give_back(const char *function, enum wt_held_as as, const void *key,
				    const void *frame)
{
	struct giving_back back = {.allocations = allocations_noted()};

	back.found = back.allocations && key &&
		     wt_allocations_remove(back.allocations, as, address_number(key), function,
					   frame, &back.held);
	return back;
}

static int gave_back(const struct giving_back *back, int status)
{
	if (back->found && status != STATUS_SUCCESS)
		wt_allocations_add(back->allocations, back->held, NULL);
	return status;
}

static int pool_allocate(struct handle pool, size_t size, uint32_t flags, void **address_ret)
{
	int status = original.pool_allocate(pool, size, flags, address_ret);

	if (status == STATUS_SUCCESS)
		held_note("hsa_amd_memory_pool_allocate", WT_HELD_MEMORY, WT_ALLOCATION_UNKNOWN,
			  pool, *address_ret, *address_ret, size, __builtin_frame_address(0));
	return status;
}

static int pool_free(void *address)
{
	const struct giving_back back = give_back("hsa_amd_memory_pool_free", WT_HELD_MEMORY,
						  address, __builtin_frame_address(0));

	return gave_back(&back, original.pool_free(address));
}

static int memory_allocate(struct handle region, size_t size, void **address_ret)
{
	int status = original.memory_allocate(region, size, address_ret);

	if (status == STATUS_SUCCESS)
		held_note("hsa_memory_allocate", WT_HELD_MEMORY, WT_ALLOCATION_UNKNOWN, region,
			  *address_ret, *address_ret, size, __builtin_frame_address(0));
	return status;
}

static int memory_free(void *address)
{
	const struct giving_back back =
		give_back("hsa_memory_free", WT_HELD_MEMORY, address, __builtin_frame_address(0));

	return gave_back(&back, original.memory_free(address));
}

static int memory_register(void *address, size_t size)
{
	int status = original.memory_register(address, size);

	if (status == STATUS_SUCCESS)
		held_note("hsa_memory_register", WT_HELD_PINNED, WT_ALLOCATION_PINNED, no_pool,
			  address, address, size, __builtin_frame_address(0));
	return status;
}

static int memory_deregister(void *address, size_t size)
{
	const struct giving_back back = give_back("hsa_memory_deregister", WT_HELD_PINNED, address,
						  __builtin_frame_address(0));

	return gave_back(&back, original.memory_deregister(address, size));
}

static int memory_lock(void *host, size_t size, struct handle *agents, int count,
		       void **address_ret)
{
	int status = original.lock(host, size, agents, count, address_ret);

	if (status == STATUS_SUCCESS)
		held_note("hsa_amd_memory_lock", WT_HELD_PINNED, WT_ALLOCATION_PINNED, no_pool,
			  host, *address_ret, size, __builtin_frame_address(0));
	return status;
}

static int lock_to_pool(void *host, size_t size, struct handle *agents, int count,
			struct handle pool, uint32_t flags, void **address_ret)
{
	int status = original.lock_to_pool(host, size, agents, count, pool, flags, address_ret);

	if (status == STATUS_SUCCESS)
		held_note("hsa_amd_memory_lock_to_pool", WT_HELD_PINNED, WT_ALLOCATION_PINNED,
			  no_pool, host, *address_ret, size, __builtin_frame_address(0));
	return status;
}

static int memory_unlock(void *host)
{
	const struct giving_back back = give_back("hsa_amd_memory_unlock", WT_HELD_PINNED, host,
						  __builtin_frame_address(0));

	return gave_back(&back, original.unlock(host));
}

static int interop_map(uint32_t count, struct handle *agents, int object, uint32_t flags,
		       size_t *size_ret, void **address_ret, size_t *metadata_size,
		       const void **metadata)
{
	int status = original.interop_map(count, agents, object, flags, size_ret, address_ret,
					  metadata_size, metadata);

	if (status == STATUS_SUCCESS)
		held_note("hsa_amd_interop_map_buffer", WT_HELD_MEMORY, WT_ALLOCATION_SHARED,
			  no_pool, *address_ret, *address_ret, *size_ret,
			  __builtin_frame_address(0));
	return status;
}

static int interop_unmap(void *address)
{
	const struct giving_back back = give_back("hsa_amd_interop_unmap_buffer", WT_HELD_MEMORY,
						  address, __builtin_frame_address(0));

	return gave_back(&back, original.interop_unmap(address));
}

static int ipc_attach(const void *object, size_t size, uint32_t count, const struct handle *agents,
		      void **address_ret)
{
	int status = original.ipc_attach(object, size, count, agents, address_ret);

	if (status == STATUS_SUCCESS)
		held_note("hsa_amd_ipc_memory_attach", WT_HELD_MEMORY, WT_ALLOCATION_SHARED,
			  no_pool, *address_ret, *address_ret, size, __builtin_frame_address(0));
	return status;
}

static int ipc_detach(void *address)
{
	const struct giving_back back = give_back("hsa_amd_ipc_memory_detach", WT_HELD_MEMORY,
						  address, __builtin_frame_address(0));

	return gave_back(&back, original.ipc_detach(address));
}

static int svm_set(void *address, size_t size, void *attributes, size_t count)
{
	int status = original.svm_set(address, size, attributes, count);

	if (status == STATUS_SUCCESS)
		held_note("hsa_amd_svm_attributes_set", WT_HELD_ATTRIBUTES, WT_ALLOCATION_MANAGED,
			  no_pool, address, address, size, __builtin_frame_address(0));
	return status;
}

static int address_reserve(void **address_ret, size_t size, uint64_t address, uint64_t flags)
{
	int status = original.reserve(address_ret, size, address, flags);

	if (status == STATUS_SUCCESS)
		held_note("hsa_amd_vmem_address_reserve", WT_HELD_RESERVED, WT_ALLOCATION_RESERVED,
			  no_pool, *address_ret, *address_ret, size, __builtin_frame_address(0));
	return status;
}

static int reserve_aligned(void **address_ret, size_t size, uint64_t address, uint64_t alignment,
			   uint64_t flags)
{
	int status = original.reserve_aligned(address_ret, size, address, alignment, flags);

	if (status == STATUS_SUCCESS)
		held_note("hsa_amd_vmem_address_reserve_align", WT_HELD_RESERVED,
			  WT_ALLOCATION_RESERVED, no_pool, *address_ret, *address_ret, size,
			  __builtin_frame_address(0));
	return status;
}

static int unreserve(void *address, size_t size)
{
	const struct giving_back back = give_back("hsa_amd_vmem_address_free", WT_HELD_RESERVED,
						  address, __builtin_frame_address(0));

	return gave_back(&back, original.unreserve(address, size));
}

static int address_map(void *address, size_t size, size_t offset, struct handle memory,
		       uint64_t flags)
{
	int status = original.map(address, size, offset, memory, flags);

	if (status == STATUS_SUCCESS)
		held_note("hsa_amd_vmem_map", WT_HELD_MEMORY, WT_ALLOCATION_MAPPED, no_pool,
			  address, address, size, __builtin_frame_address(0));
	return status;
}

static int address_unmap(void *address, size_t size)
{
	const struct giving_back back = give_back("hsa_amd_vmem_unmap", WT_HELD_MEMORY, address,
						  __builtin_frame_address(0));

	return gave_back(&back, original.unmap(address, size));
}

static int set_access(void *address, size_t size, const void *descriptors, size_t count)
{
	int status = original.set_access(address, size, descriptors, count);
	struct wt_allocations *allocations = status == STATUS_SUCCESS ? allocations_noted() : NULL;

	if (allocations)
		wt_allocations_open(allocations, address_number(address), size);
	return status;
}

/* ---- Code objects ---- */

static int reader_from_memory(const void *image, size_t size, struct handle *reader_ret)
{
	const void *copy = wt_trapping_copy(image, size);

	return original.reader_from_memory(copy ? copy : image, size, reader_ret);
}

/* The copy is in memory: the file that it came from is no longer in the URI then. */
static int reader_from_file(int file, struct handle *reader_ret)
{
	const void *copy = NULL;
	struct stat state;
	void *image;

	if (!original.reader_from_memory || fstat(file, &state) || state.st_size <= 0)
		return original.reader_from_file(file, reader_ret);
	image = mmap(NULL, (size_t)state.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (image != MAP_FAILED) {
		copy = wt_trapping_copy(image, (size_t)state.st_size);
		munmap(image, (size_t)state.st_size);
	}
	return copy ? original.reader_from_memory(copy, (size_t)state.st_size, reader_ret)
		    : original.reader_from_file(file, reader_ret);
}

/* ---- Queues that the runtime gives up ---- */

/* A queue of the program, and whom it wants to be told. */
struct entry {
	struct entry *next;
	struct runtime_queue *queue;
	hear_queue callback; /* NULL: nobody */
	void *data;
};

static struct {
	pthread_mutex_t lock;
	struct entry *entries;
	void (*told)(const struct wt_host_queue_error *error);
} queues = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The program's callback may destroy the queue, and our entry with it. */
static void entry_tell(int status, struct runtime_queue *queue, void *data)
{
	const struct entry entry = *(const struct entry *)data;
	struct wt_host_queue_error error = {.status = status};
	const char *text = NULL;

	if (queue && status != STATUS_SUCCESS) {
		if (original.status_string(status, &text) != STATUS_SUCCESS || !text)
			text = "";
		error.ring_address = queue->ring_address;
		error.text = (char *)(uintptr_t)text;
		queues.told(&error);
	}
	if (entry.callback)
		entry.callback(status, queue, entry.data);
}

static int queue_create(struct handle agent, uint32_t size, uint32_t type, hear_queue callback,
			void *data, uint32_t private_size, uint32_t group_size,
			struct runtime_queue **queue_ret)
{
	struct entry *entry = calloc(1, sizeof(*entry));
	int status;

	if (!entry)
		return original.queue_create(agent, size, type, callback, data, private_size,
					     group_size, queue_ret);
	entry->callback = callback;
	entry->data = data;
	status = original.queue_create(agent, size, type, entry_tell, entry, private_size,
				       group_size, queue_ret);
	if (status != STATUS_SUCCESS) {
		free(entry);
		return status;
	}
	pthread_mutex_lock(&queues.lock);
	entry->queue = *queue_ret;
	entry->next = queues.entries;
	queues.entries = entry;
	pthread_mutex_unlock(&queues.lock);
	return status;
}

static struct entry *entry_take_out(const struct runtime_queue *queue)
{
	struct entry **place = &queues.entries, *entry;

	pthread_mutex_lock(&queues.lock);
	while (*place && (*place)->queue != queue)
		place = &(*place)->next;
	entry = *place;
	if (entry)
		*place = entry->next;
	pthread_mutex_unlock(&queues.lock);
	return entry;
}

/* Taken before, for another queue may get the address as soon as it is free. */
static int queue_destroy(struct runtime_queue *queue)
{
	struct entry *entry = entry_take_out(queue);
	int status = original.queue_destroy(queue);

	free(entry);
	return status;
}

/* The structure is the runtime's until the queue is taken out. */
static bool queues_look(uint64_t *moved_ret)
{
	bool waits = false;

	*moved_ret = 0;
	pthread_mutex_lock(&queues.lock);
	for (const struct entry *entry = queues.entries; entry; entry = entry->next) {
		uint64_t read = __atomic_load_n(&entry->queue->read_index, __ATOMIC_ACQUIRE);

		waits |= read != __atomic_load_n(&entry->queue->write_index, __ATOMIC_ACQUIRE);
		*moved_ret += address_number(entry->queue) + read;
	}
	pthread_mutex_unlock(&queues.lock);
	return waits;
}

/* ---- The tables ---- */

/* Places of functions in the table of AMD's extensions: until the runtime of 5.5, and from that of 5.6 on. 0: not there. */
enum { OLD, NEW, LAYOUTS };

/* A function: where it is, where the one that was there is kept, and ours; NULL where it is only called. */
struct place {
	uint32_t at[LAYOUTS]; /* from 1, behind the head */
	void *original, *ours;
};

#define FUNCTION(name) (void *)&original.name, (void *)name
#define NAMED(name, ours) (void *)&original.name, (void *)ours
#define CALLED(name) (void *)&original.name, NULL

static const struct place core_places[] = {
	{{3, 3}, CALLED(system_get_info)},	    {{6, 6}, CALLED(iterate_agents)},
	{{7, 7}, CALLED(agent_get_info)},	    {{32, 32}, FUNCTION(memory_register)},
	{{33, 33}, FUNCTION(memory_deregister)},    {{34, 34}, FUNCTION(memory_allocate)},
	{{35, 35}, FUNCTION(memory_free)},	    {{116, 116}, FUNCTION(reader_from_file)},
	{{117, 117}, FUNCTION(reader_from_memory)},
};

static const struct place queue_places[] = {
	{{96, 96}, CALLED(status_string)},
	{{8, 8}, FUNCTION(queue_create)},
	{{10, 10}, FUNCTION(queue_destroy)},
};

static const struct place amd_places[] = {
	{{12, 12}, CALLED(pool_get_info)},	{{13, 13}, CALLED(agent_iterate_pools)},
	{{14, 14}, FUNCTION(pool_allocate)},	{{15, 15}, FUNCTION(pool_free)},
	{{21, 23}, NAMED(lock, memory_lock)},	{{22, 24}, NAMED(unlock, memory_unlock)},
	{{24, 26}, FUNCTION(interop_map)},	{{25, 27}, FUNCTION(interop_unmap)},
	{{27, 29}, CALLED(pointer_info)},	{{30, 32}, FUNCTION(ipc_attach)},
	{{31, 33}, FUNCTION(ipc_detach)},	{{41, 43}, FUNCTION(lock_to_pool)},
	{{45, 47}, FUNCTION(svm_set)},		{{0, 56}, NAMED(reserve, address_reserve)},
	{{0, 57}, FUNCTION(unreserve)},		{{0, 60}, NAMED(map, address_map)},
	{{0, 61}, NAMED(unmap, address_unmap)}, {{0, 62}, FUNCTION(set_access)},
	{{0, 70}, FUNCTION(reserve_aligned)},
};

static uint32_t table_functions(const struct table_head *head)
{
	return head->size < sizeof(*head)
		       ? 0
		       : (uint32_t)((head->size - sizeof(*head)) / sizeof(void *));
}

/*
 * Which layout AMD's table has; LAYOUTS if that is not known. Runtimes of major version 1 are told apart by the length alone: 48
 * functions until 5.4, 51 in 5.5, 55 in 5.6 and 5.7. From 6.0 on the version is 2, and functions are added at the end, of which there
 * were 67 then.
 */
static unsigned int amd_layout(const struct table_head *head)
{
	const uint32_t count = table_functions(head);

	if (head->major == 1 && count >= 48 && count <= 51)
		return OLD;
	if ((head->major == 1 && count == 55) || (head->major == 2 && count >= 67))
		return NEW;
	return LAYOUTS;
}

static void places_take(struct table_head *head, unsigned int layout, const struct place *places,
			size_t count)
{
	void **functions = (void **)(head + 1);

	for (size_t i = 0; i < count; i++) {
		uint32_t at = places[i].at[layout];
		void **function = at && at <= table_functions(head) ? &functions[at - 1] : NULL;

		if (!function || !*function || *function == places[i].ours)
			continue;
		memcpy(places[i].original, function, sizeof(*function));
		if (places[i].ours)
			__atomic_store_n(function, places[i].ours, __ATOMIC_RELEASE);
	}
}

/* ---- Asking the runtime ---- */

/* The runtime may be in the middle of something: who asks has a thread of its own, which is left behind where it does not come back. */
struct question {
	pthread_mutex_t lock;
	pthread_cond_t answered;
	unsigned int users;
	pid_t thread; /* that asks; 0: it has not begun */
	bool over;
	size_t count, found;
	uint64_t *addresses;
	struct wt_allocation *allocations;
};

static void question_release(struct question *question)
{
	bool last;

	pthread_mutex_lock(&question->lock);
	last = !--question->users;
	pthread_mutex_unlock(&question->lock);
	if (!last)
		return;
	free(question->addresses);
	free(question->allocations);
	free(question);
}

static enum wt_allocation_kind pointer_kind(const struct pointer_info *info)
{
	uint32_t device = 0;

	switch (info->type) {
	case POINTER_LOCKED:
		return WT_ALLOCATION_PINNED;
	case POINTER_GRAPHICS:
	case POINTER_IPC:
		return WT_ALLOCATION_SHARED;
	case POINTER_RESERVED:
		return WT_ALLOCATION_RESERVED;
	case POINTER_MAPPED:
		return WT_ALLOCATION_MAPPED;
	default:
		break;
	}
	if (info->type != POINTER_HSA || !info->owner.handle ||
	    original.agent_get_info(info->owner, AGENT_DEVICE, &device) != STATUS_SUCCESS)
		return WT_ALLOCATION_UNKNOWN;
	if (device == DEVICE_GPU)
		return WT_ALLOCATION_DEVICE;
	return info->flags & FLAG_COARSE ? WT_ALLOCATION_COARSE : WT_ALLOCATION_FINE;
}

static bool pointer_ask(uint64_t address, struct wt_allocation *allocation_ret)
{
	struct pointer_info info = {.size = sizeof(info)};
	struct wt_allocation allocation = {.address = 0};

	if (original.pointer_info((const void *)(uintptr_t)address, &info, NULL, NULL, NULL) !=
		    STATUS_SUCCESS ||
	    !info.type || !info.bytes)
		return false;
	allocation.address = info.agent_base;
	allocation.host_address = info.host_base;
	allocation.size = info.bytes;
	allocation.kind = pointer_kind(&info);
	if (info.owner.handle)
		original.agent_get_info(info.owner, AGENT_NAME, allocation.agent);
	allocation.agent[sizeof(allocation.agent) - 1] = '\0';
	*allocation_ret = allocation;
	return true;
}

static void *question_answer(void *opaque)
{
	struct question *question = opaque;

	pthread_mutex_lock(&question->lock);
	question->thread = (pid_t)syscall(SYS_gettid);
	pthread_mutex_unlock(&question->lock);
	for (size_t i = 0; i < question->count; i++) {
		struct wt_allocation allocation;
		bool found = pointer_ask(question->addresses[i], &allocation);

		pthread_mutex_lock(&question->lock);
		if (found)
			question->allocations[question->found++] = allocation;
		pthread_mutex_unlock(&question->lock);
	}
	pthread_mutex_lock(&question->lock);
	question->over = true;
	pthread_cond_signal(&question->answered);
	pthread_mutex_unlock(&question->lock);
	question_release(question);
	return NULL;
}

static struct question *question_create(const uint64_t *addresses, size_t count)
{
	struct question *question = calloc(1, sizeof(*question));

	if (!question)
		return NULL;
	*question = (struct question){.lock = PTHREAD_MUTEX_INITIALIZER,
				      .answered = PTHREAD_COND_INITIALIZER,
				      .users = 1,
				      .count = count};
	question->addresses = calloc(count, sizeof(*question->addresses));
	question->allocations = calloc(count, sizeof(*question->allocations));
	if (question->addresses && question->allocations) {
		memcpy(question->addresses, addresses, count * sizeof(*addresses));
		return question;
	}
	question_release(question);
	return NULL;
}

/* Would a thread go on if it had a core? One that waits for a lock may do so until the program's fault is told. */
static bool thread_could_run(pid_t thread)
{
	char path[64], text[512];
	const char *state;
	ssize_t got = -1;
	int file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", thread);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file >= 0) {
		got = read(file, text, sizeof(text) - 1);
		close(file);
	}
	text[got > 0 ? got : 0] = '\0';
	/* The state stands behind the name, which is in parentheses and may have any character. */
	state = strrchr(text, ')');
	return state && (!strncmp(state, ") R", 3) || !strncmp(state, ") D", 3));
}

/* Return: whether it is over. The lock is the caller's. */
static bool question_wait_once(struct question *question)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += ASK_MS * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	while (!question->over &&
	       pthread_cond_timedwait(&question->answered, &question->lock, &until) != ETIMEDOUT)
		;
	return question->over;
}

static void question_wait(struct question *question)
{
	for (unsigned int waited = ASK_MS; !question_wait_once(question) && waited < ASK_MOST_MS;
	     waited += ASK_MS) {
		pid_t thread = question->thread;
		bool goes_on;

		/* Without the lock, for which the thread itself may wait. */
		pthread_mutex_unlock(&question->lock);
		goes_on = !thread || thread_could_run(thread);
		pthread_mutex_lock(&question->lock);
		if (!goes_on)
			break;
	}
}

static void runtime_ask(void *opaque, const uint64_t *addresses, size_t count,
			wt_allocation_take take, void *context)
{
	struct question *question;
	pthread_t thread;

	(void)opaque;
	if (!original.pointer_info || !original.agent_get_info || !allocations_noted())
		return;
	question = question_create(addresses, count);
	if (!question)
		return;
	question->users = 2;
	if (pthread_create(&thread, NULL, question_answer, question)) {
		question->users = 1;
		question_release(question);
		return;
	}
	pthread_detach(thread);
	pthread_mutex_lock(&question->lock);
	question_wait(question);
	for (size_t i = 0; i < question->found; i++)
		take(context, &question->allocations[i]);
	pthread_mutex_unlock(&question->lock);
	question_release(question);
}

/* ---- All of it ---- */

/* Functions of the core are where they were since the first version: later ones were added at its end. */
static bool root_is_known(const struct table_root *root)
{
	return root && root->head.major >= 1 && root->head.major <= 3 &&
	       root->head.size >= sizeof(*root) && root->core && root->core->major >= 1 &&
	       root->core->major <= 2;
}

/* All three or none: a queue that is made by ours is destroyed by ours. */
static void queues_take(struct table_head *core, struct wt_runtime_queues *wanted)
{
	if (!wanted || table_functions(core) < queue_places[0].at[NEW])
		return;
	queues.told = wanted->told;
	wanted->look = queues_look;
	places_take(core, NEW, queue_places, sizeof(queue_places) / sizeof(*queue_places));
}

bool wt_runtime_table_take(void *table, struct wt_runtime_queues *wanted,
			   struct wt_allocation_source *source_ret)
{
	struct table_root *root = table;
	unsigned int layout;

	if (!root_is_known(root))
		return false;
	queues_take(root->core, wanted);
	layout = root->amd ? amd_layout(root->amd) : LAYOUTS;
	if (layout == LAYOUTS)
		return false;
	/* Threads of a parent may hold locks of its own. */
	noted.kept =
		wt_allocations_begin(noted.kept_by == getpid() ? noted.kept : NULL, source_ret);
	if (!noted.kept)
		return false;
	noted.kept_by = getpid();
	atomic_store(&noted.owner_count, 0);
	atomic_store(&noted.closed, false);
	atomic_store_explicit(&noted.allocations, noted.kept, memory_order_release);
	places_take(root->core, layout, core_places, sizeof(core_places) / sizeof(*core_places));
	places_take(root->amd, layout, amd_places, sizeof(amd_places) / sizeof(*amd_places));
	source_ret->ask = runtime_ask;
	source_ret->closed = is_closed;
	return true;
}

void wt_runtime_table_forget(void)
{
	atomic_store(&noted.allocations, NULL);
}
