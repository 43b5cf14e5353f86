/* SPDX-License-Identifier: MIT */
#include "device/code-object/loader.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "device/code-object/elf.h"
#include "device/whole-file.h"

#define WHAT "cannot load the code object"
#define MAX_FILE_BYTES ((size_t)256 << 20)
#define MAX_LOADED_BYTES (UINT64_C(1) << 30)
#define PAGE UINT64_C(0x1000)
#define ENTRY_ALIGNMENT 256 /* hardware is given the address without its low byte */

/* Relocations of the AMDGPU ABI that a linked code object can have. */
#define R_AMDGPU_NONE 0
#define R_AMDGPU_ABS64 3
#define R_AMDGPU_RELATIVE64 13

/* One file on its way in. */
struct loading {
	struct wt_code_object *object;
	struct wt_memory *memory;
	struct wt_elf elf;
	struct wt_elf_dynamic dynamic;
	struct wt_elf_symbols symbols;
};

char *wt_file_uri(const char *path)
{
	static const char hex[] = "0123456789ABCDEF";
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/_.~-";
	char *uri = malloc(sizeof("file://") + 3 * strlen(path));
	char *to;

	if (!uri)
		return NULL;
	to = stpcpy(uri, "file://");
	for (; *path; path++) {
		unsigned char byte = (unsigned char)*path;

		if (strchr(plain, byte)) {
			*to++ = (char)byte;
			continue;
		}
		*to++ = '%';
		*to++ = hex[byte >> 4];
		*to++ = hex[byte & 15];
	}
	*to = 0;
	return uri;
}

/* The bytes at an address of the file, in memory; NULL if they are not within one segment. */
static uint8_t *loading_bytes_at(const struct loading *loading, uint64_t address, uint64_t size)
{
	const struct wt_code_object *object = loading->object;
	uint64_t global = address + (uint64_t)object->object.load_address;

	if (global < object->first || global >= object->end)
		return NULL;
	return wt_memory_at(loading->memory, global, size);
}

/* Finds what the note says the code object is for, without the features behind it; NULL: nothing that is known. */
static const struct gfx_architecture *architecture_of_note(const struct wt_code_object *object)
{
	const char *target = object->metadata.target;
	const char *dashes = target ? strstr(target, "--") : NULL;
	char name[32];

	if (!dashes)
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(dashes + 2, ":"), dashes + 2);
	return gfx_architecture_by_name(name);
}

static struct wt_error *check_architecture(const struct loading *loading,
					   const struct gfx_architecture *const *architectures,
					   size_t count)
{
	const char *own = gfx_machine_name(loading->elf.machine);
	const struct gfx_architecture *noted = architecture_of_note(loading->object);

	if (noted && noted->elf_machine != loading->elf.machine)
		return wt_error_create(
			WT_ERROR_INPUT, WHAT, NULL,
			"its note is for %s (ELF machine %#x) and its ELF header for machine "
			"%#x; one of them was damaged or changed",
			noted->name, noted->elf_machine, loading->elf.machine);
	for (size_t i = 0; i < count; i++) {
		if (architectures[i]->elf_machine == loading->elf.machine) {
			loading->object->architecture = architectures[i];
			return NULL;
		}
	}
	return wt_error_create(
		WT_ERROR_INPUT, WHAT, NULL,
		"it is for %s (ELF machine %#x) and the agents are %s (%#x); compile it "
		"with -mcpu=%s",
		own ? own : "another GPU", loading->elf.machine, architectures[0]->name,
		architectures[0]->elf_machine, architectures[0]->name);
}

/* From the lowest address of a segment, on a page, to the highest. */
static struct wt_error *elf_extent_measure(const struct wt_elf *elf, uint64_t *low_ret,
					   uint64_t *size_ret)
{
	uint64_t low = UINT64_MAX, high = 0, end;

	for (size_t i = 0; i < elf->segment_count; i++) {
		const GElf_Phdr *segment = &elf->segments[i];

		if (segment->p_type != PT_LOAD || !segment->p_memsz)
			continue;
		if (segment->p_filesz > segment->p_memsz ||
		    __builtin_add_overflow(segment->p_vaddr, segment->p_memsz, &end))
			return wt_error_create(
				WT_ERROR_INPUT, WHAT, NULL,
				"program header %zu has sizes that do not fit together", i);
		low = segment->p_vaddr < low ? segment->p_vaddr : low;
		high = end > high ? end : high;
	}
	low -= low % PAGE;
	if (low >= high)
		return wt_error_create(WT_ERROR_INPUT, WHAT, NULL, "it has no segment to load");
	if (high - low > MAX_LOADED_BYTES)
		return wt_error_create(WT_ERROR_LIMIT, WHAT, NULL,
				       "its segments span %llu bytes; at most %llu are accepted",
				       (unsigned long long)(high - low),
				       (unsigned long long)MAX_LOADED_BYTES);
	*low_ret = low;
	*size_ret = high - low;
	return NULL;
}

/*
 * Bytes from the start of its page to a segment, which are mapped with it: memory comes in pages, and
 * debuggers read it so. 0 if the segment before it is in the same page.
 */
static uint64_t padding_before(const struct loading *loading, uint64_t address)
{
	uint64_t padding = address % PAGE;

	if (padding && (wt_memory_at(loading->memory, address - padding, 1) ||
			wt_memory_at(loading->memory, address - 1, 1)))
		return 0;
	return padding;
}

static struct wt_error *map_segment(struct loading *loading, const GElf_Phdr *segment)
{
	uint64_t address = segment->p_vaddr + (uint64_t)loading->object->object.load_address;
	uint64_t padding = padding_before(loading, address);
	struct wt_error *error;
	uint32_t access = 0;
	uint8_t *data;

	if (segment->p_flags & PF_R)
		access |= WT_MEMORY_READ;
	if (segment->p_flags & PF_W)
		access |= WT_MEMORY_WRITE;
	if (segment->p_flags & PF_X)
		access |= WT_MEMORY_EXECUTE;
	error = wt_memory_map(loading->memory, address - padding, padding + segment->p_memsz,
			      access, &data);
	if (!error && segment->p_filesz)
		memcpy(data + padding, loading->elf.image + segment->p_offset, segment->p_filesz);
	return error;
}

static struct wt_error *map_segments(struct loading *loading)
{
	struct wt_code_object *object = loading->object;
	struct wt_error *error;
	uint64_t low = 0, size = 0;

	error = elf_extent_measure(&loading->elf, &low, &size);
	if (error)
		return error;
	object->first = wt_memory_reserve(loading->memory, WT_MEMORY_CODE, size);
	if (!object->first)
		return wt_error_create(WT_ERROR_LIMIT, WHAT, NULL,
				       "no addresses are left for its %llu bytes",
				       (unsigned long long)size);
	object->end = object->first + size;
	object->object.load_address = (int64_t)(object->first - low);
	for (size_t i = 0; i < loading->elf.segment_count && !error; i++) {
		const GElf_Phdr *segment = &loading->elf.segments[i];

		if (segment->p_type == PT_LOAD && segment->p_memsz)
			error = map_segment(loading, segment);
	}
	return error;
}

/* The symbol tables of the dynamic section, in memory. */
static struct wt_error *loading_find_symbols(struct loading *loading)
{
	const struct wt_elf_dynamic *dynamic = &loading->dynamic;
	struct wt_elf_symbols *symbols = &loading->symbols;
	const uint8_t *counts = loading_bytes_at(loading, dynamic->hash, 8);
	struct wt_cursor cursor = wt_cursor_init(counts, counts ? 8 : 0);
	uint32_t buckets, chains;

	if (!wt_cursor_u32(&cursor, &buckets) || !wt_cursor_u32(&cursor, &chains))
		return wt_error_create(WT_ERROR_INPUT, WHAT, NULL, "DT_HASH is not in a segment");
	symbols->bucket_count = buckets;
	symbols->count = chains;
	symbols->strings_size = dynamic->strings_size;
	symbols->hash =
		loading_bytes_at(loading, dynamic->hash, 4 * (2 + (uint64_t)buckets + chains));
	symbols->table =
		loading_bytes_at(loading, dynamic->symbols, sizeof(Elf64_Sym) * (uint64_t)chains);
	symbols->strings = loading_bytes_at(loading, dynamic->strings, dynamic->strings_size);
	if (!symbols->hash || !symbols->table || !symbols->strings)
		return wt_error_create(
			WT_ERROR_INPUT, WHAT, NULL,
			"its %u dynamic symbols and their names are not in a segment", chains);
	return NULL;
}

static struct wt_error *read_dynamic(struct loading *loading)
{
	for (size_t i = 0; i < loading->elf.segment_count; i++) {
		const GElf_Phdr *segment = &loading->elf.segments[i];
		struct wt_cursor cursor;
		struct wt_error *error;

		if (segment->p_type != PT_DYNAMIC)
			continue;
		cursor = wt_cursor_init(loading->elf.image + segment->p_offset, segment->p_filesz);
		error = wt_elf_dynamic_parse(cursor, &loading->dynamic);
		return error ? error : loading_find_symbols(loading);
	}
	return wt_error_create(WT_ERROR_INPUT, WHAT, NULL, "it has no dynamic section");
}

static struct wt_error *symbol_value(const struct loading *loading, uint32_t index,
				     uint64_t *value_ret)
{
	struct wt_elf_symbol symbol;

	if (!wt_elf_symbol_at(&loading->symbols, index, &symbol))
		return wt_error_create(WT_ERROR_INPUT, WHAT, NULL,
				       "a relocation names symbol %u of %u", index,
				       loading->symbols.count);
	if (!symbol.defined && !symbol.weak)
		return wt_error_create(
			WT_ERROR_INPUT, WHAT, NULL,
			"symbol \"%s\" is not defined in it; link all of the program "
			"into one code object",
			symbol.name);
	*value_ret =
		symbol.defined ? symbol.value + (uint64_t)loading->object->object.load_address : 0;
	return NULL;
}

static struct wt_error *relocate_one(const struct loading *loading, uint64_t offset,
				     uint64_t information, uint64_t addend)
{
	uint32_t type = (uint32_t)information;
	uint8_t *place = loading_bytes_at(loading, offset, sizeof(uint64_t));
	struct wt_error *error;
	uint64_t value;

	if (type == R_AMDGPU_NONE)
		return NULL;
	if (type != R_AMDGPU_RELATIVE64 && type != R_AMDGPU_ABS64)
		return wt_error_create(
			WT_ERROR_UNSUPPORTED, WHAT, NULL,
			"relocation of type %u at %#llx; known are R_AMDGPU_ABS64 (%d) "
			"and R_AMDGPU_RELATIVE64 (%d)",
			type, (unsigned long long)offset, R_AMDGPU_ABS64, R_AMDGPU_RELATIVE64);
	if (!place)
		return wt_error_create(WT_ERROR_INPUT, WHAT, NULL,
				       "a relocation at %#llx, which is in no segment",
				       (unsigned long long)offset);
	value = (uint64_t)loading->object->object.load_address;
	if (type == R_AMDGPU_ABS64) {
		error = symbol_value(loading, (uint32_t)(information >> 32), &value);
		if (error)
			return error;
	}
	value = htole64(value + addend);
	memcpy(place, &value, sizeof(value));
	return NULL;
}

static struct wt_error *relocate(struct loading *loading)
{
	uint64_t size = loading->dynamic.relocations_size, offset, information, addend;
	const uint8_t *table = loading_bytes_at(loading, loading->dynamic.relocations, size);
	wt_cleanup_free uint8_t *copy = NULL;
	struct wt_error *error = NULL;
	struct wt_cursor cursor;

	if (!size)
		return NULL;
	if (!table)
		return wt_error_create(WT_ERROR_INPUT, WHAT, NULL,
				       "its relocations, %llu bytes at %#llx, are not in a segment",
				       (unsigned long long)size,
				       (unsigned long long)loading->dynamic.relocations);
	/* One of them could overwrite the others. */
	copy = malloc(size);
	if (!copy)
		return &wt_error_no_memory;
	memcpy(copy, table, size);
	cursor = wt_cursor_init(copy, size);
	while (!error && wt_cursor_u64(&cursor, &offset) && wt_cursor_u64(&cursor, &information) &&
	       wt_cursor_u64(&cursor, &addend))
		error = relocate_one(loading, offset, information, addend);
	return error;
}

static struct wt_error *loading_read_kernel(const struct loading *loading, struct wt_kernel *kernel)
{
	uint64_t bias = (uint64_t)loading->object->object.load_address;
	struct wt_elf_symbol symbol;
	const uint8_t *descriptor;
	const char *problem;
	uint32_t word;

	if (!wt_elf_symbol_find(&loading->symbols, kernel->metadata->symbol, &symbol))
		return wt_error_create(WT_ERROR_INPUT, WHAT, NULL,
				       "kernel %s: its descriptor's symbol %s is not there",
				       kernel->metadata->name, kernel->metadata->symbol);
	descriptor = loading_bytes_at(loading, symbol.value, 64);
	if (!descriptor)
		return wt_error_create(WT_ERROR_INPUT, WHAT, NULL,
				       "kernel %s: its descriptor at %#llx is in no segment",
				       kernel->metadata->name, (unsigned long long)symbol.value);
	problem = gfx_kernel_descriptor_parse(loading->object->architecture, descriptor,
					      &kernel->descriptor);
	if (problem)
		return wt_error_create(WT_ERROR_INPUT, WHAT, NULL, "kernel %s: its descriptor: %s",
				       kernel->metadata->name, problem);
	kernel->descriptor_address = bias + symbol.value;
	kernel->entry = kernel->descriptor_address + (uint64_t)kernel->descriptor.entry_offset;
	if (kernel->entry % ENTRY_ALIGNMENT ||
	    !loading_bytes_at(loading, kernel->entry - bias, sizeof(word)) ||
	    !wt_memory_fetch(loading->memory, kernel->entry, &word, sizeof(word)))
		return wt_error_create(WT_ERROR_INPUT, WHAT, NULL,
				       "kernel %s: its first instruction, at %#llx, is not in "
				       "executable memory, or not at a multiple of 256",
				       kernel->metadata->name,
				       (unsigned long long)(kernel->entry - bias));
	return NULL;
}

static struct wt_error *read_kernels(struct loading *loading)
{
	struct wt_code_object *object = loading->object;
	struct wt_error *error = NULL;
	size_t count = object->metadata.kernel_count;

	object->kernels = calloc(count ? count : 1, sizeof(*object->kernels));
	if (!object->kernels)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count && !error; i++) {
		object->kernels[i].metadata = &object->metadata.kernels[i];
		error = loading_read_kernel(loading, &object->kernels[i]);
	}
	return error;
}

/* Put the kernels of a note behind those that are there. */
static struct wt_error *metadata_join(struct wt_metadata *to, struct wt_metadata *from)
{
	size_t count = to->kernel_count + from->kernel_count;
	struct wt_kernel_metadata *kernels =
		reallocarray(to->kernels, count ? count : 1, sizeof(*kernels));

	if (!kernels)
		return &wt_error_no_memory;
	for (size_t i = 0; i < from->kernel_count; i++)
		kernels[to->kernel_count + i] = from->kernels[i];
	to->kernels = kernels;
	to->kernel_count = count;
	if (!to->target)
		to->target = wt_take(from->target);
	/* The strings go with the kernels. */
	from->kernel_count = 0;
	return NULL;
}

static struct wt_error *loading_read_metadata(struct loading *loading)
{
	struct wt_metadata *all = &loading->object->metadata;
	struct wt_elf_place place = {0};
	struct wt_error *error = NULL;
	const uint8_t *data;
	bool any = false;
	size_t size;

	while (!error && wt_elf_next_metadata(&loading->elf, &place, &data, &size)) {
		wt_cleanup(wt_metadata_deinit) struct wt_metadata more = {0};

		any = true;
		error = wt_metadata_parse(data, size, &more);
		if (!error)
			error = metadata_join(all, &more);
	}
	return any || error
		       ? error
		       : wt_error_create(WT_ERROR_INPUT, WHAT, NULL,
					 "it has no note NT_AMDGPU_METADATA, which describes its "
					 "kernels");
}

static struct wt_error *code_object_load(struct loading *loading,
					 const struct gfx_architecture *const *architectures,
					 size_t count)
{
	struct wt_code_object *object = loading->object;
	struct wt_error *error;

	error = wt_elf_open(object->image, object->object.image_size, &loading->elf);
	if (error)
		return error;
	error = loading_read_metadata(loading);
	if (!error)
		error = check_architecture(loading, architectures, count);
	if (!error)
		error = map_segments(loading);
	if (!error)
		error = read_dynamic(loading);
	if (!error)
		error = relocate(loading);
	if (!error)
		error = read_kernels(loading);
	wt_elf_close(&loading->elf);
	return error;
}

static void code_object_destroyp(struct wt_code_object **object)
{
	wt_code_object_destroy(*object);
}

struct wt_error *wt_code_object_create(const char *path, uint32_t number,
				       const struct gfx_architecture *const *architectures,
				       size_t architecture_count, struct wt_memory *memory,
				       struct wt_code_object **object_ret)
{
	wt_cleanup(code_object_destroyp) struct wt_code_object *object = calloc(1, sizeof(*object));
	struct loading loading = {.object = object, .memory = memory};
	struct wt_error *error;

	if (!object)
		return &wt_error_no_memory;
	object->path = realpath(path, NULL);
	if (!object->path)
		return errno == ENOMEM ? &wt_error_no_memory : wt_error_errno(errno, WHAT, path);
	object->uri = wt_file_uri(object->path);
	if (!object->uri)
		return &wt_error_no_memory;
	error = wt_device_read_file(object->path, MAX_FILE_BYTES, WHAT, &object->image,
				    &object->object.image_size);
	if (error)
		return error;
	object->object.number = number;
	object->object.uri = object->uri;
	object->object.image = object->image;
	error = code_object_load(&loading, architectures, architecture_count);
	if (error)
		return wt_error_prefix(error, path);
	*object_ret = wt_take(object);
	return NULL;
}

void wt_code_object_destroy(struct wt_code_object *object)
{
	if (!object)
		return;
	wt_metadata_deinit(&object->metadata);
	free(object->kernels);
	free(object->image);
	free(object->path);
	free(object->uri);
	free(object);
}

const struct wt_kernel *wt_code_object_kernel(const struct wt_code_object *object, const char *name)
{
	for (size_t i = 0; i < object->metadata.kernel_count; i++)
		if (strcmp(object->metadata.kernels[i].name, name) == 0)
			return &object->kernels[i];
	return NULL;
}
