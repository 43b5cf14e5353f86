/* SPDX-License-Identifier: MIT */
/*
 * Memory as an agent sees it: what the program has allocated from the driver and mapped for the agent. Most of it lies in
 * the driver's own file and is read in place. What is the program's own is reached through the kernel, page by page; a page
 * that was read is kept until a dispatch begins or the run is over, and what is written goes through at once.
 */
#include <string.h>
#include <sys/uio.h>

#include "driver/engine/internal.h"

/* Flags of an allocation in the driver's interface. */
#define FLAG_EXECUTABLE (1u << 30)
#define FLAG_WRITABLE (1u << 31)

static bool is_allowed(uint32_t flags, enum wt_sight_access access)
{
	switch (access) {
	case WT_SIGHT_WRITE:
		return flags & FLAG_WRITABLE;
	case WT_SIGHT_EXECUTE:
		return flags & FLAG_EXECUTABLE;
	default:
		return true;
	}
}

static bool sight_refuse(struct wt_sight *view, uint64_t address, enum wt_sight_access access,
			 bool mapped)
{
	view->fault = (struct wt_engine_fault){
		.address = address,
		.agent = view->agent,
		.write = access == WT_SIGHT_WRITE,
		.execute = access == WT_SIGHT_EXECUTE,
		.mapped = mapped,
	};
	return false;
}

/* Is the whole access within what was found last? */
static inline bool sight_is_known(const struct wt_sight *view, uint64_t address, size_t size)
{
	return view->changes == view->engine->space->changes &&
	       address - view->first < view->size && size <= view->size - (address - view->first);
}

/* Find what is at an address; NULL, with the reason in the view, if the agent may not. */
static const struct wt_allocation *sight_find(struct wt_sight *view, uint64_t address,
					      enum wt_sight_access access, uint64_t *size_ret)
{
	struct wt_space *space = view->engine->space;
	const struct wt_allocation *found = wt_space_at(space, view->agent, address, size_ret);

	if (!found || (found->kind != WT_KIND_USER && !wt_space_data(space, found, address))) {
		sight_refuse(view, address, access, false);
		return NULL;
	}
	if (!is_allowed(found->flags, access)) {
		sight_refuse(view, address, access, true);
		return NULL;
	}
	if (found->kind == WT_KIND_USER)
		return found;
	view->first = found->address;
	view->size = found->size;
	view->data = wt_space_data(space, found, found->address);
	view->flags = found->flags;
	view->changes = space->changes;
	return found;
}

static bool copy_remote(const struct wt_sight *view, uint64_t remote, void *local, size_t size,
			bool write)
{
	struct iovec here = {.iov_base = local, .iov_len = size};
	struct iovec there = {.iov_base = (void *)(uintptr_t)remote, .iov_len = size};
	pid_t pid = view->engine->space->pid;
	ssize_t done = write ? process_vm_writev(pid, &here, 1, &there, 1, 0)
			     : process_vm_readv(pid, &here, 1, &there, 1, 0);

	return done == (ssize_t)size;
}

static struct wt_remote_page *page_slot(const struct wt_sight *view, uint64_t address)
{
	return &view->engine->remote[address / WT_PAGE % WT_REMOTE_PAGES];
}

void wt_remote_forget(struct wt_engine *engine)
{
	for (size_t i = 0; i < WT_REMOTE_PAGES; i++)
		engine->remote[i].address = 0;
}

/* Within one page. */
static bool read_remote(struct wt_sight *view, uint64_t remote, void *data, size_t size)
{
	struct wt_remote_page *page = page_slot(view, remote);
	uint64_t base = remote / WT_PAGE * WT_PAGE;

	if (page->address != base) {
		page->address = 0;
		if (!copy_remote(view, base, page->data, WT_PAGE, false))
			return false;
		page->address = base;
	}
	memcpy(data, page->data + (remote - base), size);
	return true;
}

static bool write_remote(struct wt_sight *view, uint64_t remote, const void *data, size_t size)
{
	struct wt_remote_page *page = page_slot(view, remote);
	uint64_t base = remote / WT_PAGE * WT_PAGE;

	if (!copy_remote(view, remote, (void *)(uintptr_t)data, size, true))
		return false;
	if (page->address == base)
		memcpy(page->data + (remote - base), data, size);
	return true;
}

/* One piece of an access: as much as lies in one allocation and, of the program's own memory, in one page. */
static size_t access_piece(struct wt_sight *view, uint64_t address, uint8_t *data, size_t size,
			   enum wt_sight_access access)
{
	const struct wt_allocation *found;
	uint64_t there, remote;

	found = sight_find(view, address, access, &there);
	if (!found)
		return 0;
	size = size < there ? size : there;
	if (found->kind != WT_KIND_USER) {
		if (access == WT_SIGHT_WRITE)
			memcpy(view->data + (address - view->first), data, size);
		else
			memcpy(data, view->data + (address - view->first), size);
		return size;
	}
	remote = found->offset + (address - found->address);
	there = WT_PAGE - remote % WT_PAGE;
	size = size < there ? size : there;
	if (access == WT_SIGHT_WRITE ? write_remote(view, remote, data, size)
				     : read_remote(view, remote, data, size))
		return size;
	sight_refuse(view, address, access, false);
	return 0;
}

static bool access_all(struct wt_sight *view, uint64_t address, void *data, size_t size,
		       enum wt_sight_access access)
{
	uint8_t *bytes = data;

	while (size) {
		size_t done = access_piece(view, address, bytes, size, access);

		if (!done)
			return false;
		address += done;
		bytes += done;
		size -= done;
	}
	return true;
}

/* ---- Copies of any length ---- */

/* A place at which a copy reads or writes: the driver's own bytes, or an address in the program. */
struct spot {
	uint8_t *bytes; /* NULL: the program's own */
	uint64_t remote, size;
};

static bool spot_find(struct wt_sight *view, uint64_t address, enum wt_sight_access access,
		      struct spot *spot_ret)
{
	const struct wt_allocation *found;
	uint64_t there;

	found = sight_find(view, address, access, &there);
	if (!found)
		return false;
	spot_ret->size = there;
	spot_ret->bytes = NULL;
	if (found->kind == WT_KIND_USER)
		spot_ret->remote = found->offset + (address - found->address);
	else
		spot_ret->bytes = view->data + (address - view->first);
	return true;
}

/* Between the driver's bytes and the program's. Return: how many were copied. */
static uint64_t spot_transfer(const struct wt_sight *view, uint64_t remote, uint8_t *bytes,
			      uint64_t size, bool write)
{
	struct iovec here = {.iov_base = bytes, .iov_len = size};
	struct iovec there = {.iov_base = (void *)(uintptr_t)remote, .iov_len = size};
	pid_t pid = view->engine->space->pid;
	ssize_t done = write ? process_vm_writev(pid, &here, 1, &there, 1, 0)
			     : process_vm_readv(pid, &here, 1, &there, 1, 0);

	return done > 0 ? (uint64_t)done : 0;
}

/* Copy @size bytes from spot to spot. Return: how many were copied, and in @write_ret whether a write ended it. */
static uint64_t spot_copy(const struct wt_sight *view, const struct spot *to,
			  const struct spot *from, uint64_t size, bool *write_ret)
{
	uint8_t between[WT_PAGE];
	uint64_t done;

	*write_ret = false;
	if (to->bytes && from->bytes) {
		memmove(to->bytes, from->bytes, size);
		return size;
	}
	if (to->bytes)
		return spot_transfer(view, from->remote, to->bytes, size, false);
	if (from->bytes) {
		*write_ret = true;
		return spot_transfer(view, to->remote, from->bytes, size, true);
	}
	size = size < sizeof(between) ? size : sizeof(between);
	done = spot_transfer(view, from->remote, between, size, false);
	if (!done)
		return 0;
	*write_ret = true;
	return spot_transfer(view, to->remote, between, done, true);
}

bool wt_sight_copy(struct wt_sight *view, uint64_t to, uint64_t from, uint64_t size)
{
	struct spot target, source;

	while (size) {
		uint64_t piece, done;
		bool write;

		if (!spot_find(view, from, WT_SIGHT_READ, &source) ||
		    !spot_find(view, to, WT_SIGHT_WRITE, &target))
			return false;
		piece = source.size < target.size ? source.size : target.size;
		piece = piece < size ? piece : size;
		done = spot_copy(view, &target, &source, piece, &write);
		if (!target.bytes)
			wt_remote_forget(view->engine);
		if (!done)
			return sight_refuse(view, write ? to : from,
					    write ? WT_SIGHT_WRITE : WT_SIGHT_READ, false);
		to += done;
		from += done;
		size -= done;
	}
	return true;
}

bool wt_sight_read(struct wt_sight *view, uint64_t address, void *data, size_t size)
{
	if (sight_is_known(view, address, size)) {
		memcpy(data, view->data + (address - view->first), size);
		return true;
	}
	return access_all(view, address, data, size, WT_SIGHT_READ);
}

bool wt_sight_write(struct wt_sight *view, uint64_t address, const void *data, size_t size)
{
	if (sight_is_known(view, address, size) && view->flags & FLAG_WRITABLE) {
		/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): what is known has data */
		memcpy(view->data + (address - view->first), data, size);
		return true;
	}
	return access_all(view, address, (void *)(uintptr_t)data, size, WT_SIGHT_WRITE);
}

uint8_t *wt_sight_bytes(struct wt_sight *view, uint64_t address, size_t size)
{
	uint64_t there;

	if (!sight_is_known(view, address, size)) {
		const struct wt_allocation *found =
			sight_find(view, address, WT_SIGHT_READ, &there);

		if (!found || found->kind == WT_KIND_USER || there < size)
			return NULL;
	}
	return view->data + (address - view->first);
}

bool wt_sight_add(struct wt_sight *view, uint64_t address, int64_t value)
{
	int64_t *word = address % sizeof(*word)
				? NULL
				: (int64_t *)(void *)wt_sight_bytes(view, address, sizeof(*word));
	int64_t old;

	if (word) {
		__atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
		return true;
	}
	if (!wt_sight_read(view, address, &old, sizeof(old)))
		return false;
	old += value;
	return wt_sight_write(view, address, &old, sizeof(old));
}

bool wt_sight_publish(struct wt_sight *view, uint64_t address, const void *data, size_t size)
{
	uint8_t *bytes = address % size ? NULL : wt_sight_bytes(view, address, size);

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!bytes)
		return wt_sight_write(view, address, data, size);
	if (size == 8)
		__atomic_store_n((uint64_t *)(void *)bytes, *(const uint64_t *)data,
				 __ATOMIC_SEQ_CST);
	else if (size == 4)
		__atomic_store_n((uint32_t *)(void *)bytes, *(const uint32_t *)data,
				 __ATOMIC_SEQ_CST);
	else
		__atomic_store_n((uint16_t *)(void *)bytes, *(const uint16_t *)data,
				 __ATOMIC_SEQ_CST);
	return true;
}

/* ---- As a wave's memory ---- */

static bool wave_read(void *opaque, uint64_t address, void *data, size_t size)
{
	return wt_sight_read(opaque, address, data, size);
}

static bool wave_write(void *opaque, uint64_t address, const void *data, size_t size)
{
	return wt_sight_write(opaque, address, data, size);
}

static bool wave_fetch(void *opaque, uint64_t address, void *data, size_t size)
{
	struct wt_sight *view = opaque;

	if (sight_is_known(view, address, size) && view->flags & FLAG_EXECUTABLE) {
		memcpy(data, view->data + (address - view->first), size);
		return true;
	}
	return access_all(view, address, data, size, WT_SIGHT_EXECUTE);
}

static bool wave_probe(void *opaque, uint64_t address, size_t size, bool write)
{
	struct wt_sight *view = opaque;
	enum wt_sight_access access = write ? WT_SIGHT_WRITE : WT_SIGHT_READ;

	if (sight_is_known(view, address, size) && is_allowed(view->flags, access))
		return true;
	while (size) {
		uint64_t there;

		if (!sight_find(view, address, access, &there))
			return false;
		there = size < there ? size : there;
		address += there;
		size -= there;
	}
	return true;
}

/* Memory that the program keeps itself is not here, and a failure is for the access to report. */
static uint8_t *wave_map(void *opaque, uint64_t address, uint64_t size, bool write)
{
	struct wt_sight *view = opaque;
	enum wt_sight_access access = write ? WT_SIGHT_WRITE : WT_SIGHT_READ;
	struct wt_engine_fault before = view->fault;
	const struct wt_allocation *found;
	uint64_t there;

	if (sight_is_known(view, address, size) && is_allowed(view->flags, access))
		return view->data + (address - view->first);
	found = sight_find(view, address, access, &there);
	if (found && found->kind != WT_KIND_USER && size <= there)
		return view->data + (address - view->first);
	view->fault = before;
	return NULL;
}

/* Others see all of an exchange or nothing of it, where the bytes are shared with them. */
static bool wave_replace(void *opaque, uint64_t address, size_t size, const void *old,
			 const void *next)
{
	uint8_t *bytes = address % size ? NULL : wt_sight_bytes(opaque, address, size);

	if (bytes && size == 4) {
		uint32_t expected = *(const uint32_t *)old;

		return __atomic_compare_exchange_n((uint32_t *)(void *)bytes, &expected,
						   *(const uint32_t *)next, false, __ATOMIC_SEQ_CST,
						   __ATOMIC_SEQ_CST);
	}
	if (bytes && size == 8) {
		uint64_t expected = *(const uint64_t *)old;

		return __atomic_compare_exchange_n((uint64_t *)(void *)bytes, &expected,
						   *(const uint64_t *)next, false, __ATOMIC_SEQ_CST,
						   __ATOMIC_SEQ_CST);
	}
	wt_sight_write(opaque, address, next, size);
	return true;
}

struct gfx_memory wt_sight_memory(struct wt_sight *view,
				  const struct gfx_architecture *architecture)
{
	(void)architecture;
	return (struct gfx_memory){
		.opaque = view,
		.read = wave_read,
		.write = wave_write,
		.fetch = wave_fetch,
		.probe = wave_probe,
		.map = wave_map,
		.replace = wave_replace,
		.local_base = WT_LDS_BASE,
		.local_limit = WT_LDS_LIMIT,
		.private_base = WT_SCRATCH_BASE,
		.private_limit = WT_SCRATCH_LIMIT,
	};
}
