/* SPDX-License-Identifier: MIT */
#include "replayer/view/explain-memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/plural.h"
#include "base/text.h"

/* An address that is farther from a buffer than this, and than the buffer is long, has nothing to do with it. */
#define NEAR_BYTES (UINT64_C(1) << 20)

const char *wt_memory_allocation_kind_name(uint32_t kind)
{
	static const char *const names[WT_ALLOCATION_KINDS] = {
		[WT_ALLOCATION_UNKNOWN] = "unknown", [WT_ALLOCATION_DEVICE] = "device",
		[WT_ALLOCATION_FINE] = "host_fine",  [WT_ALLOCATION_COARSE] = "host_coarse",
		[WT_ALLOCATION_PINNED] = "pinned",   [WT_ALLOCATION_RESERVED] = "reserved",
		[WT_ALLOCATION_MAPPED] = "mapped",   [WT_ALLOCATION_SHARED] = "shared",
		[WT_ALLOCATION_MANAGED] = "managed", [WT_ALLOCATION_BLOCK] = "block",
	};

	return names[kind < WT_ALLOCATION_KINDS ? kind : WT_ALLOCATION_UNKNOWN];
}

/* ---- Which one ---- */

static bool is_freed(const struct wt_host_allocation *allocation)
{
	return *allocation->freed.function;
}

static bool range_has(uint64_t start, uint64_t size, uint64_t address)
{
	return address >= start && address - start < size;
}

static bool allocation_is_reserved(const struct wt_host_allocation *allocation)
{
	return allocation->kind == WT_ALLOCATION_RESERVED && !is_freed(allocation);
}

/* A block counts more than the buffer that it is in. */
static unsigned int rank(const struct wt_host_allocation *allocation)
{
	if (is_freed(allocation))
		return 1;
	if (allocation->kind == WT_ALLOCATION_BLOCK)
		return 4;
	return allocation_is_reserved(allocation) ? 2 : 3;
}

/*
 * One that is there counts before one that is gone, and of these the one that went last. Addresses that were reserved count where
 * there is nothing else: what was in them, and went after they had been reserved, counts more.
 */
static bool counts_more(const struct wt_host_allocation *is, const struct wt_host_allocation *found)
{
	if (is_freed(is) && is_freed(found))
		return is->freed.time > found->freed.time;
	if (is_freed(is) && allocation_is_reserved(found))
		return is->freed.time >= found->made.time;
	if (is_freed(found) && allocation_is_reserved(is))
		return found->freed.time < is->made.time;
	return rank(is) >= rank(found);
}

static const struct wt_host_allocation *find_around(const struct wt_host *host, uint64_t address,
						    bool *by_host_ret)
{
	const struct wt_host_allocation *found = NULL;

	for (size_t i = 0; i < host->allocations_count; i++) {
		const struct wt_host_allocation *is = &host->allocations[i];
		bool by_host = is->host_address && range_has(is->host_address, is->size, address) &&
			       !range_has(is->address, is->size, address);

		if (!by_host && !range_has(is->address, is->size, address))
			continue;
		if (found && !counts_more(is, found))
			continue;
		found = is;
		*by_host_ret = by_host;
	}
	return found;
}

static uint64_t distance_from(const struct wt_host_allocation *allocation, uint64_t address)
{
	return address < allocation->address ? allocation->address - address
					     : address - allocation->address - allocation->size;
}

/* Can the addresses behind a buffer, and before it, be said to be its own? None that is gone, or without memory of the GPU at all times. */
static bool allocation_has_surroundings(const struct wt_host_allocation *allocation)
{
	return !is_freed(allocation) && allocation->kind != WT_ALLOCATION_RESERVED &&
	       allocation->kind != WT_ALLOCATION_MANAGED;
}

/*
 * Is the nearest buffer farther away than it is long, and another one not much farther? Then the address has to do with either. Blocks are
 * in the memory of a buffer, and no other one.
 */
static bool buffer_has_rival(const struct wt_host *host, const struct wt_host_allocation *nearest,
			     uint64_t address)
{
	const uint64_t distance = distance_from(nearest, address);

	for (size_t i = 0; i < host->allocations_count && distance > nearest->size; i++) {
		const struct wt_host_allocation *is = &host->allocations[i];

		if (allocation_has_surroundings(is) && distance_from(is, address) / 2 <= distance &&
		    !range_has(is->address, is->size, nearest->address) &&
		    !range_has(nearest->address, nearest->size, is->address))
			return true;
	}
	return false;
}

/* The nearest one that does not have an address; NULL if that says nothing. */
static const struct wt_host_allocation *find_next_buffer(const struct wt_host *host,
							 uint64_t address)
{
	const struct wt_host_allocation *found = NULL;

	for (size_t i = 0; i < host->allocations_count; i++) {
		const struct wt_host_allocation *is = &host->allocations[i];

		if (allocation_has_surroundings(is) &&
		    (!found || distance_from(is, address) < distance_from(found, address)))
			found = is;
	}
	if (found && distance_from(found, address) > NEAR_BYTES &&
	    distance_from(found, address) > found->size)
		return NULL;
	return found && !buffer_has_rival(host, found, address) ? found : NULL;
}

static struct wt_memory_owner beside(const struct wt_host_allocation *allocation, uint64_t address)
{
	return (struct wt_memory_owner){
		.kind = address < allocation->address ? WT_MEMORY_BEFORE : WT_MEMORY_PAST,
		.distance = distance_from(allocation, address),
		.allocation = allocation,
	};
}

static struct wt_memory_owner find_without_buffer(const struct wt_mappings *mappings,
						  uint64_t process, uint64_t address,
						  uint64_t pointer)
{
	const struct wt_host *host = wt_mappings_host(mappings, process);
	const struct wt_mapping mapping = wt_mapping_at(mappings, process, address);
	struct wt_memory_owner memory = {.kind = WT_MEMORY_UNKNOWN, .mapping = mapping};
	const struct wt_host_allocation *from = NULL;
	bool unused;

	if (host && pointer)
		from = find_around(host, pointer, &unused);
	if (from && !is_freed(from) && from->kind != WT_ALLOCATION_RESERVED)
		return beside(from, address);
	if (mapping.kind == WT_MAPPING_HOST) {
		memory.kind = WT_MEMORY_HOST;
		return memory;
	}
	from = host && !pointer ? find_next_buffer(host, address) : NULL;
	if (from)
		return beside(from, address);
	if (host && mapping.kind == WT_MAPPING_NONE && !host->allocations_known && mapping.end) {
		memory.kind = WT_MEMORY_PAST;
		memory.distance = address - memory.mapping.end;
	} else if (host && mapping.kind == WT_MAPPING_NONE && host->allocations_known) {
		memory.kind = WT_MEMORY_NONE;
	}
	return memory;
}

/* Does a pointer lead into a buffer that does not have the address? */
static bool is_outside_of_buffer(const struct wt_host *host, uint64_t address, uint64_t pointer)
{
	bool unused;
	const struct wt_host_allocation *from =
		pointer ? find_around(host, pointer, &unused) : NULL;

	return from && !is_freed(from) && from->kind != WT_ALLOCATION_RESERVED &&
	       !range_has(from->address, from->size, address);
}

struct wt_memory_owner wt_memory_whose(const struct wt_mappings *mappings, uint64_t process,
				       uint64_t address, uint64_t pointer)
{
	const struct wt_host *host = wt_mappings_host(mappings, process);
	const struct wt_host_allocation *around;
	bool by_host = false;

	around = host ? find_around(host, address, &by_host) : NULL;
	/* The buffer says more than the addresses behind it that are only reserved. */
	if (!around ||
	    (allocation_is_reserved(around) && is_outside_of_buffer(host, address, pointer)))
		return find_without_buffer(mappings, process, address, pointer);
	return (struct wt_memory_owner){
		.kind = is_freed(around) ? WT_MEMORY_FREED : WT_MEMORY_BUFFER,
		.distance = address - (by_host ? around->host_address : around->address),
		.by_host_address = by_host,
		.allocation = around,
		.mapping = wt_mapping_at(mappings, process, address),
	};
}

bool wt_memory_end(const struct wt_mappings *mappings, uint64_t process, uint64_t pointer,
		   uint64_t *end_ret)
{
	const struct wt_memory_owner memory = wt_memory_whose(mappings, process, pointer, pointer);

	if (memory.kind != WT_MEMORY_BUFFER || memory.by_host_address ||
	    memory.allocation->kind == WT_ALLOCATION_RESERVED ||
	    memory.allocation->kind == WT_ALLOCATION_MANAGED)
		return false;
	*end_ret = memory.allocation->address + memory.allocation->size;
	return true;
}

/* Leave addresses that are in the same allocations. */
static void allocations_narrow(const struct wt_host *host, uint64_t address, struct wt_span *alike)
{
	for (size_t i = 0; i < host->allocations_count; i++) {
		const struct wt_host_allocation *is = &host->allocations[i];

		wt_span_narrow(alike, address, is->address, is->address + is->size);
		if (is->host_address)
			wt_span_narrow(alike, address, is->host_address,
				       is->host_address + is->size);
	}
}

enum wt_memory_openness wt_memory_access(const struct wt_mappings *mappings, uint64_t process,
					 uint64_t address, struct wt_span *alike)
{
	const struct wt_host *host = wt_mappings_host(mappings, process);
	const struct wt_host_allocation *around;
	struct wt_mapping mapping;
	bool by_host = false;

	if (!host)
		return WT_MEMORY_MAYBE;
	allocations_narrow(host, address, alike);
	around = find_around(host, address, &by_host);
	if (around && !is_freed(around))
		return around->kind == WT_ALLOCATION_PINNED && !by_host ? WT_MEMORY_OPEN
									: WT_MEMORY_MAYBE;
	if (!host->allocations_known || !host->memory_closed)
		return WT_MEMORY_MAYBE;
	mapping = wt_mapping_at(mappings, process, address);
	wt_span_intersect(alike, &mapping.alike);
	return mapping.kind == WT_MAPPING_HOST ? WT_MEMORY_CLOSED : WT_MEMORY_MAYBE;
}

/* ---- Who called ---- */

static bool is_of_runtime_library(const struct wt_host_frame *frame)
{
	static const char *const libraries[] = {"libamdhip64", "libhsa-runtime64", "librocprofiler",
						"libroctracer", "libwavetape-agent"};
	const char *module = wt_text_file_name(frame->path);

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		if (!strncmp(module, libraries[i], strlen(libraries[i])))
			return true;
	return false;
}

/*
 * Code of runtimes, and of their headers that was compiled into the program. Where it is not known which function a header's code was
 * compiled into, no other frame of the program is behind it.
 */
static bool is_of_runtime(const struct wt_host_stack *stack, size_t at)
{
	const struct wt_host_frame *frame = &stack->frames[at];

	return is_of_runtime_library(frame) ||
	       (strstr(frame->file, "/include/hip/") && at + 1 < stack->frame_count &&
		!strcmp(frame->path, stack->frames[at + 1].path));
}

/* Functions that a library exports; templates of headers have other names. */
static bool is_interface(const char *symbol)
{
	return !strncmp(symbol, "hip", 3) || !strncmp(symbol, "hsa_", 4);
}

struct wt_memory_caller wt_memory_caller_find(const struct wt_host *host,
					      const struct wt_host_allocating *call)
{
	struct wt_memory_caller caller = {.function = NULL};
	const struct wt_host_stack *stack;
	const struct wt_host_frame *frame;
	size_t at = 0;

	if (!call->stack || call->stack > host->stacks_count)
		return caller;
	stack = &host->stacks[call->stack - 1];
	for (; at < stack->frame_count && is_of_runtime(stack, at); at++)
		if (is_interface(stack->frames[at].symbol))
			caller.function = stack->frames[at].symbol;
	/* Who calls the runtime directly calls what was noted. */
	if (!at && *call->function)
		caller.function = call->function;
	if (at == stack->frame_count)
		return caller;
	frame = &stack->frames[at];
	/* Code that the compiler made has no line. What called it is in the same file. */
	while (!*frame->file && at + 1 < stack->frame_count &&
	       !strcmp(frame->path, stack->frames[at + 1].path))
		frame = &stack->frames[++at];
	caller.module = wt_text_file_name(frame->path);
	caller.symbol = *frame->symbol ? frame->symbol : NULL;
	caller.file = *frame->file && !strstr(frame->file, "/include/hip/") ? frame->file : NULL;
	caller.line = caller.file ? frame->line : 0;
	while (++at < stack->frame_count && !caller.from_file)
		if (*stack->frames[at].file) {
			caller.from_file = stack->frames[at].file;
			caller.from_line = stack->frames[at].line;
		}
	return caller;
}

/* ---- In words ---- */

/* " by hipMalloc in buffers.cpp:33 from main.cpp:12", as far as it is known. */
static void say_caller(struct wt_buffer *text, const struct wt_host *host,
		       const struct wt_host_allocating *call, bool is_block)
{
	const struct wt_memory_caller caller = wt_memory_caller_find(host, call);

	/* Who hands out blocks has a name, and no stack. */
	if (caller.function || is_block)
		wt_buffer_append_format(text, " by %s",
					caller.function ? caller.function : call->function);
	if (caller.file)
		wt_buffer_append_format(text, " in %s:%" PRIu32, wt_text_file_name(caller.file),
					caller.line);
	else if (caller.module && *caller.module)
		wt_buffer_append_format(text, " in %s", caller.module);
	if (caller.from_file)
		wt_buffer_append_format(text, " from %s:%" PRIu32,
					wt_text_file_name(caller.from_file), caller.from_line);
}

static const char *bytes_word(uint64_t bytes)
{
	return wt_plural(bytes, "byte", "bytes");
}

/* "a buffer of 4096 bytes", by the kind of its memory. */
static void say_what(struct wt_buffer *text, const struct wt_host_allocation *allocation)
{
	const char *bytes = bytes_word(allocation->size);

	switch (allocation->kind) {
	case WT_ALLOCATION_PINNED:
		wt_buffer_append_format(text, "%" PRIu64 " %s of the program's memory",
					allocation->size, bytes);
		break;
	case WT_ALLOCATION_RESERVED:
		wt_buffer_append_format(text, "%" PRIu64 " %s of addresses", allocation->size,
					bytes);
		break;
	case WT_ALLOCATION_BLOCK:
		wt_buffer_append_format(text, "a block of %" PRIu64 " %s", allocation->size, bytes);
		break;
	case WT_ALLOCATION_MANAGED:
		wt_buffer_append_format(text, "%" PRIu64 " %s of managed memory", allocation->size,
					bytes);
		break;
	case WT_ALLOCATION_FINE:
	case WT_ALLOCATION_COARSE:
		wt_buffer_append_format(text, "a buffer of %" PRIu64 " %s in memory of the host",
					allocation->size, bytes);
		break;
	default:
		wt_buffer_append_format(text, "a buffer of %" PRIu64 " %s", allocation->size,
					bytes);
	}
}

static const char *made_word(const struct wt_host_allocation *allocation)
{
	switch (allocation->kind) {
	case WT_ALLOCATION_PINNED:
		return "pinned";
	case WT_ALLOCATION_RESERVED:
		return "reserved";
	case WT_ALLOCATION_MAPPED:
		return "mapped";
	case WT_ALLOCATION_SHARED:
		return "attached";
	case WT_ALLOCATION_BLOCK:
		return "handed out";
	default:
		return "allocated";
	}
}

static void say_made(struct wt_buffer *text, const struct wt_host *host,
		     const struct wt_host_allocation *allocation)
{
	size_t before = text->size, said;

	if (!*allocation->made.function)
		return;
	wt_buffer_append_format(text, ", %s", made_word(allocation));
	said = text->size;
	say_caller(text, host, &allocation->made, allocation->kind == WT_ALLOCATION_BLOCK);
	/* How it came about says something, but for what all buffers are. */
	if (text->size == said && !strcmp(made_word(allocation), "allocated"))
		text->size = before;
}

static void say_where(struct wt_buffer *text, const struct wt_memory_owner *memory)
{
	switch (memory->kind) {
	case WT_MEMORY_PAST:
		if (memory->distance)
			wt_buffer_append_format(text, "%" PRIu64 " %s past the end of ",
						memory->distance, bytes_word(memory->distance));
		else
			wt_buffer_append_format(text, "the first byte past the end of ");
		break;
	case WT_MEMORY_BEFORE:
		wt_buffer_append_format(text, "%" PRIu64 " %s before ", memory->distance,
					bytes_word(memory->distance));
		break;
	default:
		if (memory->distance)
			wt_buffer_append_format(text, "%" PRIu64 " %s into ", memory->distance,
						bytes_word(memory->distance));
		else
			wt_buffer_append_format(text, "the start of ");
	}
}

/* "3 ms": how long before the stop. */
static void say_ago(struct wt_buffer *text, int64_t nanoseconds)
{
	if (nanoseconds < 0)
		return;
	if (nanoseconds < 10000000)
		wt_buffer_append_format(text, "%.1f ms before", (double)nanoseconds / 1e6);
	else if (nanoseconds < INT64_C(10000000000))
		wt_buffer_append_format(text, "%" PRId64 " ms before", nanoseconds / 1000000);
	else
		wt_buffer_append_format(text, "%" PRId64 " s before", nanoseconds / 1000000000);
}

static void say_freed(struct wt_buffer *text, const struct wt_host *host, int64_t now,
		      const struct wt_host_allocation *allocation)
{
	wt_buffer_append_format(text, ", %s ",
				allocation->kind == WT_ALLOCATION_PINNED   ? "unpinned"
				: allocation->kind == WT_ALLOCATION_MAPPED ? "unmapped"
									   : "freed");
	say_ago(text, now - allocation->freed.time);
	say_caller(text, host, &allocation->freed, allocation->kind == WT_ALLOCATION_BLOCK);
}

static void say_buffer(struct wt_buffer *text, const struct wt_host *host, int64_t now,
		       const struct wt_memory_owner *memory)
{
	const struct wt_host_allocation *allocation = memory->allocation;

	say_where(text, memory);
	say_what(text, allocation);
	if (memory->kind == WT_MEMORY_FREED)
		say_freed(text, host, now, allocation);
	say_made(text, host, allocation);
	if (memory->kind == WT_MEMORY_BUFFER && allocation->kind == WT_ALLOCATION_RESERVED)
		wt_buffer_append_format(text, ", where nothing is mapped");
	if (memory->kind == WT_MEMORY_BUFFER && allocation->closed)
		wt_buffer_append_format(text, ", to which no GPU was given access");
	if (memory->kind == WT_MEMORY_BUFFER && memory->by_host_address)
		wt_buffer_append_format(text, ", which GPUs have at 0x%" PRIx64,
					allocation->address);
}

/* Pointers of the program that were given to a kernel as they are. @closed: that is certain. */
static void say_host(struct wt_buffer *text, const struct wt_mapping *mapping, bool closed)
{
	if (!strcmp(mapping->name, "[heap]"))
		wt_buffer_append_format(text, "the program's heap");
	else if (!strncmp(mapping->name, "[stack", 6))
		wt_buffer_append_format(text, "a stack of the program");
	else if (mapping->name[0] == '/')
		wt_buffer_append_format(text, "the program's memory, of the file %s",
					wt_text_file_name(mapping->name));
	else
		wt_buffer_append_format(text, "the program's own memory");
	wt_buffer_append_format(
		text, ", from 0x%" PRIx64 " to 0x%" PRIx64 "%s", mapping->start, mapping->end,
		closed ? ": a kernel needs memory of hipMalloc, or pinned memory" : "");
}

static void say_shortly(struct wt_buffer *text, const struct wt_memory_owner *memory)
{
	uint64_t size = memory->allocation ? memory->allocation->size : 0;

	if (memory->kind == WT_MEMORY_FREED)
		wt_buffer_append_format(text, "freed");
	else if (memory->kind == WT_MEMORY_HOST)
		wt_buffer_append_format(text, "the program's own memory");
	else if (memory->kind == WT_MEMORY_BUFFER && memory->distance)
		wt_buffer_append_format(text, "%" PRIu64 " into %" PRIu64 " %s", memory->distance,
					size, bytes_word(size));
	else if (memory->kind == WT_MEMORY_BUFFER)
		wt_buffer_append_format(text, "%" PRIu64 " %s", size, bytes_word(size));
}

struct wt_error *wt_memory_describe(const struct wt_host *host, int64_t now,
				    const struct wt_memory_owner *memory, bool shortly,
				    char **text_ret)
{
	wt_cleanup_buffer struct wt_buffer text = {0};

	if (shortly)
		say_shortly(&text, memory);
	else if (memory->allocation)
		say_buffer(&text, host, now, memory);
	else if (memory->kind == WT_MEMORY_HOST)
		say_host(&text, &memory->mapping,
			 host && host->allocations_known && host->memory_closed);
	else if (memory->kind == WT_MEMORY_PAST)
		wt_buffer_append_format(
			&text,
			"%" PRIu64
			" %s past the end of what the GPU's driver has mapped there, at 0x%" PRIx64,
			memory->distance, bytes_word(memory->distance), memory->mapping.end);
	else if (memory->kind == WT_MEMORY_NONE)
		wt_buffer_append_format(&text, "of no allocation");
	*text_ret = NULL;
	if (!text.size && !text.failed)
		return NULL;
	*text_ret = wt_buffer_take_text(&text);
	return *text_ret ? NULL : &wt_error_no_memory;
}
