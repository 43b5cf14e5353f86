/* SPDX-License-Identifier: MIT */
/* Buffers that are handed on as files: what runtimes of ROCm 6 do to map virtual memory, and to share memory. */
#include "tests/unit/driver/support.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define BARRIER_AND 3
#define SYSTEM (2 << 9 | 2 << 11 | 1 << 8) /* scopes, and the barrier bit */
#define AT_VALUE 8			   /* of a signal */
#define BUFFER_PAGES 4u
#define MAPPED_AT UINT64_C(0x310000000000)

/* Calls of a render node, as libdrm_amdgpu makes them. */
#define GEM_CLOSE 0x09
#define PRIME_FD_TO_HANDLE 0x2e
#define GEM_MMAP 0x41
#define GEM_VA 0x48
#define VA_MAP 1u
#define VA_UNMAP 2u
#define VA_ALL 0xeu /* read, write, execute */

struct prime {
	uint32_t handle, flags;
	int32_t file;
};

struct va {
	uint32_t handle, padding, operation, flags;
	uint64_t address, offset, size;
};

#define render(session, number, argument)                                                          \
	call_on((session)->thread, WT_WIRE_RENDER,                                                 \
		(uint32_t)_IOC(_IOC_READ | _IOC_WRITE, 'd', number, sizeof(*(argument))),          \
		argument, sizeof(*(argument)))

/* Memory without an address, as for virtual memory. Return: its handle. */
static uint64_t allocate_vram(struct session *session)
{
	struct kfd_allocate_memory allocate = {
		.size = BUFFER_PAGES * PAGE,
		.gpu_id = session->gpu_id,
		.flags = KFD_MEMORY_VRAM | KFD_MEMORY_WRITABLE,
	};

	assert_int_equal(call(session, 0x16, &allocate), 0);
	return allocate.handle;
}

/* Return: the result. */
static int export_buffer(struct session *session, uint64_t handle, int *file_ret)
{
	struct kfd_export_dmabuf export = {.handle = handle};
	struct wt_wire_call message = {.file = WT_WIRE_KFD,
				       .request = (uint32_t)CALL(0x24, export)};
	struct wt_wire_answer answer;

	memcpy(message.argument, &export, sizeof(export));
	assert_int_equal(wt_wire_send(session->thread, &message, sizeof(message)), 0);
	assert_int_equal(
		wt_wire_receive_files(session->thread, &answer, sizeof(answer), file_ret, 1), 0);
	assert_int_equal(answer.file_at,
			 *file_ret < 0 ? 0 : offsetof(struct kfd_export_dmabuf, file));
	return answer.result;
}

static uint32_t import_object(struct session *session, int file)
{
	struct prime prime = {.file = file};

	assert_int_equal(render(session, PRIME_FD_TO_HANDLE, &prime), 0);
	return prime.handle;
}

static int place(struct session *session, uint32_t handle, uint32_t operation, uint64_t offset,
		 uint64_t size)
{
	struct va va = {
		.handle = handle,
		.operation = operation,
		.flags = VA_ALL,
		.address = MAPPED_AT,
		.offset = offset,
		.size = size,
	};

	return render(session, GEM_VA, &va);
}

/* The device decrements a signal at an address when a packet is done. */
static void signal_by_device(struct aql *queue, uint64_t address)
{
	uint8_t *packet = aql_next(queue);

	memcpy(packet + 56, &address, sizeof(address));
	aql_submit(queue, BARRIER_AND | SYSTEM);
	assert_true(aql_wait(queue, queue->written));
}

static void a_buffer_is_mapped_where_it_is_wanted(void **state)
{
	struct session *session = *state;
	uint64_t offset[2];
	struct aql queue;
	int64_t *value;
	uint32_t object;
	struct stat status;
	uint8_t *data;
	int file;

	session_acquire(session);
	queue = session_queue(session);
	assert_int_equal(export_buffer(session, allocate_vram(session), &file), 0);
	assert_int_equal(fstat(file, &status), 0);
	assert_int_equal(status.st_size, BUFFER_PAGES * PAGE);
	/* Bytes would be others than the device's. */
	assert_ptr_equal(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 0), MAP_FAILED);
	object = import_object(session, file);
	assert_int_equal(import_object(session, file), object);
	close(file);
	offset[0] = object;
	assert_int_equal(render(session, GEM_MMAP, &offset[0]), 0);
	data = mmap(NULL, BUFFER_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
		    session->files[WT_WIRE_RENDER], (off_t)offset[0]);
	assert_ptr_not_equal(data, MAP_FAILED);
	value = (int64_t *)(void *)(data + PAGE + AT_VALUE);
	*value = 5;
	/* The second page of it. */
	assert_int_equal(place(session, object, VA_MAP, PAGE, 2 * PAGE), 0);
	signal_by_device(&queue, MAPPED_AT);
	assert_int_equal(*value, 4);
	/* There is something now; and it goes as it came. */
	assert_int_equal(place(session, object, VA_MAP, PAGE, 2 * PAGE), -EINVAL);
	assert_int_equal(place(session, object, VA_UNMAP, 0, 2 * PAGE), 0);
	assert_int_equal(place(session, object, VA_UNMAP, 0, 2 * PAGE), -ENOENT);
	/* Elsewhere in it, at the same address. */
	assert_int_equal(place(session, object, VA_MAP, 0, PAGE), 0);
	signal_by_device(&queue, MAPPED_AT);
	assert_int_equal(*value, 4);
	assert_int_equal(*(int64_t *)(void *)(data + AT_VALUE), -1);
	munmap(data, BUFFER_PAGES * PAGE);
}

static void what_is_no_buffer_is_refused(void **state)
{
	struct session *session = *state;
	struct prime prime = {.file = session->anchor};
	struct kfd_get_dmabuf_info info = {.file = (uint32_t)session->anchor};
	struct kfd_import_dmabuf import = {.address = MAPPED_AT, .file = 9999};
	const uint64_t wrong[][2] = {{PAGE / 2, PAGE},
				     {0, (BUFFER_PAGES + 1) * PAGE},
				     {BUFFER_PAGES * PAGE, PAGE},
				     {UINT64_MAX - PAGE + 1, 2 * PAGE},
				     {0, 0},
				     {0, 100}};
	struct {
		uint32_t handle, padding;
	} closing = {.handle = 1};
	uint32_t object;
	int file;

	session_acquire(session);
	import.gpu_id = session->gpu_id;
	assert_int_equal(export_buffer(session, 12345, &file), -EINVAL);
	assert_int_equal(file, -1);
	assert_int_equal(render(session, PRIME_FD_TO_HANDLE, &prime), -EBADF);
	prime.file = -1;
	assert_int_equal(render(session, PRIME_FD_TO_HANDLE, &prime), -EBADF);
	assert_int_equal(call(session, 0x1c, &info), -EINVAL);
	assert_int_equal(call(session, 0x1d, &import), -EINVAL);
	assert_int_equal(render(session, GEM_CLOSE, &closing), -EINVAL);
	assert_int_equal(place(session, 1, VA_MAP, 0, PAGE), -ENOENT);
	assert_int_equal(export_buffer(session, allocate_vram(session), &file), 0);
	object = import_object(session, file);
	close(file);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(place(session, object, VA_MAP, wrong[i][0], wrong[i][1]), -EINVAL);
	assert_int_equal(place(session, object, 77, 0, PAGE), -EINVAL);
	assert_int_equal(place(session, object, VA_UNMAP, 0, PAGE), -ENOENT);
}

/* The allocation is freed while an object still has it, and the other way round. */
static void a_buffer_is_there_as_long_as_it_is_used(void **state)
{
	struct session *session = *state;
	struct kfd_available_memory before = {0}, after;
	struct kfd_free_memory free_memory;
	struct {
		uint32_t handle, padding;
	} closing;
	struct kfd_get_dmabuf_info info = {0};
	struct kfd_import_dmabuf import;
	struct aql queue;
	int file;

	session_acquire(session);
	queue = session_queue(session);
	before.gpu_id = session->gpu_id;
	assert_int_equal(call(session, 0x23, &before), 0);
	free_memory.handle = allocate_vram(session);
	assert_int_equal(export_buffer(session, free_memory.handle, &file), 0);
	closing.handle = import_object(session, file);
	closing.padding = 0;
	assert_int_equal(place(session, closing.handle, VA_MAP, 0, PAGE), 0);
	assert_int_equal(call(session, 0x17, &free_memory), 0);
	signal_by_device(&queue, MAPPED_AT);
	info.file = (uint32_t)file;
	assert_int_equal(call(session, 0x1c, &info), 0);
	assert_int_equal(info.size, BUFFER_PAGES * PAGE);
	assert_int_equal(info.gpu_id, session->gpu_id);
	import = (struct kfd_import_dmabuf){
		.address = MAPPED_AT + PAGE * 64, .gpu_id = session->gpu_id, .file = info.file};
	assert_int_equal(call(session, 0x1d, &import), 0);
	/* Its mapping goes with it. */
	assert_int_equal(render(session, GEM_CLOSE, &closing), 0);
	assert_int_equal(render(session, GEM_CLOSE, &closing), -EINVAL);
	after = (struct kfd_available_memory){.gpu_id = session->gpu_id};
	assert_int_equal(call(session, 0x23, &after), 0);
	assert_int_equal(after.available, before.available - BUFFER_PAGES * PAGE);
	free_memory.handle = import.handle;
	assert_int_equal(call(session, 0x17, &free_memory), 0);
	assert_int_equal(call(session, 0x23, &after), 0);
	assert_int_equal(after.available, before.available);
	/* The file stands for nothing now. */
	assert_int_equal(call(session, 0x1c, &info), -EINVAL);
	close(file);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, session_start, session_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_buffer_is_mapped_where_it_is_wanted),
		TEST(what_is_no_buffer_is_refused),
		TEST(a_buffer_is_there_as_long_as_it_is_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
