/* SPDX-License-Identifier: MIT */
#include "tests/unit/driver/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/owner/owner.h"

#define FIRST_ADDRESS UINT64_C(0x300000000000)
#define RING_PACKETS 64u
#define SAVE_BYTES (128 * PAGE)
#define PATIENCE 1000 /* tenths of seconds: it may run under a sanitizer, on a busy machine */

int session_start(void **state)
{
	return session_start_with(state, "gfx90a", 0);
}

int session_start_with(void **state, const char *architecture, uint64_t seed)
{
	struct session *session = calloc(1, sizeof(*session));
	struct wt_owner_options options = {.architecture = architecture, .agents = 1, .seed = seed};
	struct wt_owner *owner;

	assert_non_null(session);
	strcpy(session->directory, "/tmp/wavetape-test-XXXXXX");
	assert_non_null(mkdtemp(session->directory));
	options.directory = session->directory;
	snprintf(session->log, sizeof(session->log), "%s/log", session->directory);
	options.log = session->log;
	assert_null(wt_owner_create(&options, &owner));
	session->owner = fork();
	assert_true(session->owner >= 0);
	if (!session->owner) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		wt_error_destroy(wt_owner_run(owner));
		wt_owner_destroy(owner);
		_exit(0);
	}
	wt_owner_release(owner);
	session->anchor = wt_wire_connect(session->directory, WT_WIRE_ANCHOR, session->files, NULL);
	assert_true(session->anchor >= 0);
	prctl(PR_SET_PTRACER, (unsigned long)session->owner, 0, 0, 0);
	session->thread = wt_wire_connect(session->directory, WT_WIRE_THREAD, NULL, NULL);
	assert_true(session->thread >= 0);
	session->next_address = FIRST_ADDRESS;
	*state = session;
	return 0;
}

/* It must still be there at the end of every test, and leave nothing behind. */
int session_end(void **state)
{
	struct session *session = *state;
	int status;

	close(session->thread);
	close(session->anchor);
	for (size_t i = 0; i < WT_WIRE_FILES; i++)
		close(session->files[i]);
	assert_int_equal(waitpid(session->owner, &status, WNOHANG), 0);
	kill(session->owner, SIGTERM);
	assert_int_equal(waitpid(session->owner, &status, 0), session->owner);
	assert_int_equal(status, 0);
	assert_int_equal(unlink(session->log), 0);
	assert_int_equal(rmdir(session->directory), 0);
	free(session);
	return 0;
}

int call_on(int fd, enum wt_wire_file file, uint32_t request, void *argument, size_t size)
{
	struct wt_wire_call message = {.file = file, .request = request};
	struct wt_wire_answer answer;
	int error;

	assert_true(size <= sizeof(message.argument));
	memcpy(message.argument, argument, size);
	error = wt_wire_send(fd, &message, sizeof(message));
	if (!error)
		error = wt_wire_receive(fd, &answer, sizeof(answer));
	if (error)
		return error;
	memcpy(argument, answer.argument, size);
	return answer.result;
}

void session_acquire(struct session *session)
{
	struct kfd_apertures apertures = {0};
	struct kfd_get_apertures get = {.apertures = (uintptr_t)&apertures, .count = 1};
	struct kfd_acquire_vm acquire;

	assert_int_equal(call(session, 0x14, &get), 0);
	assert_int_equal(get.count, 1);
	session->gpu_id = apertures.gpu_id;
	acquire = (struct kfd_acquire_vm){.gpu_id = apertures.gpu_id};
	assert_int_equal(call(session, 0x15, &acquire), 0);
}

struct memory session_memory(struct session *session, size_t size)
{
	struct kfd_allocate_memory allocate = {
		.address = session->next_address,
		.size = (size + PAGE - 1) / PAGE * PAGE,
		.gpu_id = session->gpu_id,
		.flags = KFD_MEMORY_GTT | KFD_MEMORY_WRITABLE | KFD_MEMORY_EXECUTABLE,
	};
	struct kfd_map_memory map = {.gpu_ids = (uintptr_t)&session->gpu_id, .count = 1};
	struct memory memory = {.size = allocate.size, .address = allocate.address};

	session->next_address += allocate.size + PAGE;
	assert_int_equal(call(session, 0x16, &allocate), 0);
	memory.handle = map.handle = allocate.handle;
	assert_int_equal(call(session, 0x18, &map), 0);
	assert_int_equal(map.done, 1);
	/* It may lie where a session before this one had memory: these addresses are the tests'. */
	memory.data = mmap((void *)(uintptr_t)memory.address, memory.size, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_FIXED, session->files[WT_WIRE_RENDER],
			   (off_t)allocate.mmap_offset);
	assert_ptr_equal(memory.data, (void *)(uintptr_t)memory.address);
	return memory;
}

struct aql session_queue(struct session *session)
{
	return session_queue_with(session, SAVE_BYTES - PAGE);
}

struct aql session_queue_with(struct session *session, uint32_t save_size)
{
	struct aql queue = {
		.structure = session_memory(session, PAGE),
		.ring = session_memory(session, RING_PACKETS * 64),
		.save = session_memory(session,
				       save_size < SAVE_BYTES ? SAVE_BYTES : save_size + PAGE),
		.room = session_memory(session, 16 * PAGE),
		.packets = RING_PACKETS,
	};
	struct kfd_create_queue create = {
		.ring_address = queue.ring.address,
		.write_pointer_address = queue.structure.address + 0x38,
		.read_pointer_address = queue.structure.address + 0x80,
		.ring_size = RING_PACKETS * 64,
		.gpu_id = session->gpu_id,
		.type = KFD_QUEUE_COMPUTE_AQL,
		.percentage = 100,
		.priority = 7,
		.save_address = queue.save.address,
		.save_size = save_size,
	};

	for (size_t i = 0; i < RING_PACKETS; i++)
		queue.ring.data[i * 64] = 1;
	assert_int_equal(call(session, 0x02, &create), 0);
	queue.id = create.queue_id;
	return queue;
}

uint8_t *aql_next(struct aql *queue)
{
	uint8_t *packet = queue->ring.data + queue->written % queue->packets * 64;

	memset(packet, 0, 64);
	packet[0] = 1;
	return packet;
}

void aql_submit(struct aql *queue, uint16_t header)
{
	uint8_t *packet = queue->ring.data + queue->written % queue->packets * 64;

	__atomic_store_n((uint16_t *)(void *)packet, header, __ATOMIC_RELEASE);
	queue->written++;
	__atomic_store_n((uint64_t *)(void *)(queue->structure.data + 0x38), queue->written,
			 __ATOMIC_RELEASE);
}

bool aql_wait(const struct aql *queue, uint64_t count)
{
	const uint64_t *read = (const uint64_t *)(const void *)(queue->structure.data + 0x80);

	for (int i = 0; i < PATIENCE; i++) {
		if (__atomic_load_n(read, __ATOMIC_ACQUIRE) >= count)
			return true;
		usleep(i < 100 ? 1000 : 100000);
	}
	return false;
}
