/* SPDX-License-Identifier: MIT */
/*
 * Memory that is handed on as a file, within a process or to another one: by /dev/kfd, which exports and imports it, and by a render
 * node, where it is an object that is mapped at any address. Numbers and structures are those of Linux' kfd_ioctl.h, drm.h and
 * amdgpu_drm.h. Runtimes of ROCm 6 map virtual memory, and share memory between processes, by these calls.
 *
 * A buffer is there as long as an allocation, an object or a mapping refers to it. The kernel counts a file that is still open, too; here
 * such a file alone keeps nothing, and importing it is refused.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/owner/internal.h"

#define DRM_GEM_CLOSE 0x09
#define DRM_PRIME_FD_TO_HANDLE 0x2e
#define DRM_AMDGPU_GEM_MMAP 0x41
#define DRM_AMDGPU_GEM_VA 0x48

#define OBJECTS_MAX (1u << 20) /* of a process */

struct drm_gem_close {
	uint32_t handle, padding;
};

struct drm_prime_handle {
	uint32_t handle; /* out */
	uint32_t flags;
	int32_t file;
};

union amdgpu_gem_mmap {
	struct {
		uint32_t handle, padding;
	};
	uint64_t offset; /* out: of the render node's file */
};

enum amdgpu_va_operation { VA_MAP = 1, VA_UNMAP = 2 };

/* Bits of the flags of a mapping. */
#define VA_DELAYED (1u << 0)
#define VA_READABLE (1u << 1)
#define VA_WRITABLE (1u << 2)
#define VA_EXECUTABLE (1u << 3)

struct amdgpu_gem_va {
	uint32_t handle, padding, operation, flags;
	uint64_t address, offset, size;
};

/* ---- Files ---- */

/* Opened for writing only, and sealed: no mapping is possible, and no access. */
static int buffer_open_file(const struct wt_extent *buffer)
{
	int fd = memfd_create("wavetape-buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING), file;
	char path[64];

	if (fd < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	file = ftruncate(fd, (off_t)buffer->size) ||
			       fcntl(fd, F_ADD_SEALS,
				     F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)
		       ? -1
		       : open(path, O_WRONLY | O_CLOEXEC);
	if (file < 0)
		file = -errno;
	close(fd);
	return file;
}

static int buffer_export(struct wt_store *store, struct wt_extent *buffer, int *file_ret)
{
	struct stat status;
	int file = buffer->file;

	if (file < 0) {
		file = buffer_open_file(buffer);
		if (file < 0)
			return file;
		if (fstat(file, &status)) {
			close(file);
			return -EIO;
		}
		buffer->file = file;
		buffer->inode = status.st_ino;
		buffer->next = store->exported;
		store->exported = buffer;
	}
	*file_ret = file;
	return 0;
}

/* The buffer for which a descriptor of the process stands; NULL if it stands for none. */
static struct wt_extent *buffer_of_file(const struct wt_owner_process *process, uint32_t file)
{
	struct wt_extent *buffer = process->owner->store.exported;
	struct stat status;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/%u", (int)process->pid, file);
	if (stat(path, &status))
		return NULL;
	while (buffer && buffer->inode != status.st_ino)
		buffer = buffer->next;
	return buffer;
}

static int buffer_hand_on(struct wt_connection *connection, struct kfd_export_dmabuf *args)
{
	struct wt_owner_process *process = connection->process;
	const struct wt_allocation *allocation = wt_space_find(&process->space, args->handle);
	int error;

	if (!allocation)
		return -EINVAL;
	if (!allocation->buffer)
		return -EPERM;
	error = buffer_export(&process->owner->store, allocation->buffer, &connection->file);
	if (!error)
		connection->answer.file_at = offsetof(struct kfd_export_dmabuf, file);
	return error;
}

static int buffer_describe(const struct wt_owner_process *process, struct kfd_get_dmabuf_info *args)
{
	const struct wt_extent *buffer = buffer_of_file(process, args->file);

	if (!buffer)
		return -EINVAL;
	args->size = buffer->size;
	args->metadata_size = 0;
	args->gpu_id = buffer->gpu_id;
	args->flags = buffer->flags;
	return 0;
}

static int buffer_import(struct wt_owner_process *process, struct kfd_import_dmabuf *args)
{
	struct wt_extent *buffer = buffer_of_file(process, args->file);
	struct wt_allocation allocation = {.address = args->address, .gpu_id = args->gpu_id};

	if (!buffer || !wt_owner_agent_of(process->owner, args->gpu_id))
		return -EINVAL;
	allocation.kind = buffer->kind;
	allocation.size = buffer->size;
	allocation.offset = buffer->offset;
	allocation.flags = buffer->flags;
	allocation.buffer = buffer;
	return wt_space_allocate(&process->space, &allocation, &args->handle);
}

/* ---- Objects of a render node ---- */

/* The handle of the mapping that begins at an address; 0 if there is none. */
static uint64_t mapping_at(const struct wt_space *space, uint64_t address)
{
	for (size_t i = 0; i < space->count; i++)
		if (space->allocations[i].by_address && space->allocations[i].address == address)
			return i + 1;
	return 0;
}

static void mapping_take_from(struct wt_space *space, uint64_t handle, uint32_t agent)
{
	struct wt_allocation *mapping = &space->allocations[handle - 1];

	wt_space_unmap(space, mapping, 1u << agent);
	if (!mapping->mapped)
		wt_space_free(space, handle);
}

static struct wt_owner_object *object_find(const struct wt_owner_process *process, uint32_t agent,
					   uint32_t handle)
{
	struct wt_owner_object *object =
		handle && handle <= process->object_count ? &process->objects[handle - 1] : NULL;

	return object && object->buffer && object->agent == agent ? object : NULL;
}

/* A buffer has one handle on each render node, however often it is imported. */
static int object_import(struct wt_owner_process *process, uint32_t agent,
			 struct drm_prime_handle *args)
{
	struct wt_extent *buffer =
		args->file < 0 ? NULL : buffer_of_file(process, (uint32_t)args->file);
	size_t free_one = process->object_count;
	struct wt_owner_object *grown;

	if (!buffer)
		return -EBADF;
	for (size_t i = 0; i < process->object_count; i++) {
		const struct wt_owner_object *object = &process->objects[i];

		args->handle = (uint32_t)i + 1;
		if (object->buffer == buffer && object->agent == agent)
			return 0;
		if (!object->buffer)
			free_one = i;
	}
	if (free_one == process->object_count) {
		grown = free_one < OBJECTS_MAX
				? reallocarray(process->objects, free_one + 1, sizeof(*grown))
				: NULL;
		if (!grown)
			return -ENOMEM;
		process->objects = grown;
		process->object_count++;
	}
	process->objects[free_one] = (struct wt_owner_object){.buffer = buffer, .agent = agent};
	buffer->references++;
	args->handle = (uint32_t)free_one + 1;
	return 0;
}

/* Mappings of the node's go with the handle. */
static int object_close(struct wt_owner_process *process, uint32_t agent,
			const struct drm_gem_close *args)
{
	struct wt_owner_object *object = object_find(process, agent, args->handle);
	struct wt_extent *buffer;

	if (!object)
		return -EINVAL;
	buffer = object->buffer;
	object->buffer = NULL;
	for (size_t i = 0; i < process->space.count; i++)
		if (process->space.allocations[i].by_address &&
		    process->space.allocations[i].buffer == buffer)
			mapping_take_from(&process->space, i + 1, agent);
	wt_extent_release(&process->owner->store, buffer);
	return 0;
}

static int object_offset(const struct wt_owner_process *process, uint32_t agent,
			 union amdgpu_gem_mmap *args)
{
	const struct wt_owner_object *object = object_find(process, agent, args->handle);

	if (!object)
		return -ENOENT;
	args->offset = object->buffer->offset;
	return 0;
}

/* Several devices may have the same at the same address: they share the mapping. */
static int object_map(struct wt_owner_process *process, uint32_t agent, struct wt_extent *buffer,
		      const struct amdgpu_gem_va *args)
{
	struct wt_space *space = &process->space;
	uint64_t handle = mapping_at(space, args->address);
	struct wt_allocation *mapping = handle ? &space->allocations[handle - 1] : NULL;
	struct wt_allocation wanted = {
		.kind = buffer->kind,
		.address = args->address,
		.size = args->size,
		.gpu_id = buffer->gpu_id,
		.flags = (args->flags & VA_WRITABLE ? KFD_MEMORY_WRITABLE : 0) |
			 (args->flags & VA_EXECUTABLE ? (uint32_t)KFD_MEMORY_EXECUTABLE : 0),
		.buffer = buffer,
		.by_address = true,
	};
	int error;

	if (args->offset % WT_PAGE || args->offset > buffer->size ||
	    args->size > buffer->size - args->offset)
		return -EINVAL;
	wanted.offset = buffer->offset + args->offset;
	if (mapping && (mapping->buffer != buffer || mapping->offset != wanted.offset ||
			mapping->size != wanted.size || mapping->flags != wanted.flags ||
			mapping->mapped >> agent & 1))
		return -EINVAL;
	if (mapping)
		return wt_space_map(space, mapping, 1u << agent);
	error = wt_space_allocate(space, &wanted, &handle);
	if (error)
		return error;
	mapping = &space->allocations[handle - 1];
	error = wt_space_map(space, mapping, 1u << agent);
	if (error)
		wt_space_free(space, handle);
	return error;
}

static int object_unmap(struct wt_owner_process *process, uint32_t agent,
			const struct wt_extent *buffer, uint64_t address)
{
	uint64_t handle = mapping_at(&process->space, address);
	const struct wt_allocation *mapping =
		handle ? &process->space.allocations[handle - 1] : NULL;

	if (!mapping || mapping->buffer != buffer || !(mapping->mapped >> agent & 1))
		return -ENOENT;
	mapping_take_from(&process->space, handle, agent);
	return 0;
}

static int object_change_place(struct wt_owner_process *process, uint32_t agent,
			       const struct amdgpu_gem_va *args)
{
	const struct wt_owner_object *object = object_find(process, agent, args->handle);

	if (args->flags & ~(VA_DELAYED | VA_READABLE | VA_WRITABLE | VA_EXECUTABLE))
		return -EINVAL;
	if (args->operation != VA_MAP && args->operation != VA_UNMAP) {
		wt_owner_miss(process->owner, "operation %u on addresses, of /dev/dri/renderD*",
			      args->operation);
		return -EINVAL;
	}
	if (!object)
		return -ENOENT;
	return args->operation == VA_MAP
		       ? object_map(process, agent, object->buffer, args)
		       : object_unmap(process, agent, object->buffer, args->address);
}

/* The agent that has a render node: the first one, if no node was told. */
static uint32_t node_agent(const struct wt_owner *owner, uint32_t minor)
{
	for (uint32_t i = 0; i < owner->agent_count; i++)
		if (owner->agents[i].minor == minor)
			return i;
	return 0;
}

int wt_owner_shared_call(struct wt_connection *connection, uint32_t minor, uint32_t request,
			 void *argument)
{
	struct wt_owner_process *process = connection->process;
	uint32_t agent = node_agent(process->owner, minor), type = _IOC_TYPE(request);

	switch (type << 8 | _IOC_NR(request)) {
	case KFD_IOCTL_BASE << 8 | KFD_GET_DMABUF_INFO:
		return buffer_describe(process, argument);
	case KFD_IOCTL_BASE << 8 | KFD_IMPORT_DMABUF:
		return buffer_import(process, argument);
	case KFD_IOCTL_BASE << 8 | KFD_EXPORT_DMABUF:
		return buffer_hand_on(connection, argument);
	case 'd' << 8 | DRM_GEM_CLOSE:
		return object_close(process, agent, argument);
	case 'd' << 8 | DRM_PRIME_FD_TO_HANDLE:
		return object_import(process, agent, argument);
	case 'd' << 8 | DRM_AMDGPU_GEM_MMAP:
		return object_offset(process, agent, argument);
	case 'd' << 8 | DRM_AMDGPU_GEM_VA:
		return object_change_place(process, agent, argument);
	default:
		return -ENOTTY;
	}
}
