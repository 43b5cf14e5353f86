/* SPDX-License-Identifier: MIT */
/* Code objects of a view: which one an address is in, and its bytes. */
#include <libelf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/isa/decode.h"
#include "replayer/view/internal.h"
#include "replayer/view/view.h"

#define MACHINE_MASK 0xffu /* EF_AMDGPU_MACH of e_flags */

void wt_view_code_object(struct wt_view *view, uint64_t number,
			 struct wavetape_code_object *code_object_ret)
{
	struct wavetape_code_object code = {.number = number};

	wt_code_object_answers(view, number, &code);
	wt_view_image(view, number, &code.bytes, &code.byte_count);
	*code_object_ret = code;
}

bool wt_view_image(const struct wt_view *view, uint64_t code_object, const uint8_t **data_ret,
		   size_t *size_ret)
{
	const struct wt_item *item = wt_recorded_plain(&view->recorded, WT_ITEM_IMAGE, code_object);

	if (!item || item->status != AMD_DBGAPI_STATUS_SUCCESS || !item->bytes)
		return false;
	*data_ret = item->bytes->data;
	*size_ret = item->bytes->size;
	return true;
}

bool wt_view_source(const struct wt_view *view, const char *file, const uint8_t **data_ret,
		    size_t *size_ret)
{
	const struct wt_key key = {.type = WT_ITEM_SOURCE,
				   .kind = wt_reader_name_number(wt_view_reader(view), file)};
	const struct wt_item *item = key.kind ? wt_state_get(wt_view_state(view), &key) : NULL;

	if (!item || !item->bytes)
		return false;
	*data_ret = item->bytes->data;
	*size_ret = item->bytes->size;
	return true;
}

/* The bytes of the file from the one that is loaded at an address on. */
struct segment_bytes {
	const uint8_t *data; /* NULL: inside a segment, but not in the file */
	size_t size;
	bool writable;
};

/* A part of an image that is loaded. */
struct wt_view_segment {
	uint64_t object, load, start, last; /* addresses, load address included; the last byte's */
	uint64_t reach;			    /* the highest last byte of this and those before it */
	struct segment_bytes bytes;
};

static struct segment_bytes segment_take_bytes(const GElf_Phdr *header, const uint8_t *image,
					       size_t image_size)
{
	struct segment_bytes bytes = {.writable = header->p_flags & PF_W};

	if (header->p_offset < image_size && header->p_filesz) {
		bytes.data = image + header->p_offset;
		bytes.size = image_size - header->p_offset;
		if (bytes.size > header->p_filesz)
			bytes.size = header->p_filesz;
	}
	return bytes;
}

static struct segment_bytes segment_bytes_from(const struct segment_bytes *all, uint64_t offset)
{
	if (offset >= all->size)
		return (struct segment_bytes){.writable = all->writable};
	return (struct segment_bytes){all->data + offset, all->size - offset, all->writable};
}

/* libelf takes a pointer to memory that it could write, but does not for reading alone. @count_ret: of program headers. */
static Elf *elf_of_image(const uint8_t *image, size_t size, int *count_ret)
{
	size_t count = 0;
	Elf *elf;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return NULL;
	elf = elf_memory((char *)(uintptr_t)image, size);
	if (elf && elf_getphdrnum(elf, &count))
		count = 0;
	*count_ret = count < INT32_MAX ? (int)count : INT32_MAX;
	return elf;
}

static bool header_is_loaded(Elf *elf, int number, GElf_Phdr *header_ret)
{
	return gelf_getphdr(elf, number, header_ret) && header_ret->p_type == PT_LOAD &&
	       header_ret->p_memsz;
}

static bool find_in_image(const uint8_t *image, size_t size, uint64_t address,
			  struct segment_bytes *bytes_ret)
{
	bool found = false;
	GElf_Phdr header;
	int count = 0;
	Elf *elf = elf_of_image(image, size, &count);

	for (int i = 0; i < count && !found; i++) {
		struct segment_bytes all;

		if (!header_is_loaded(elf, i, &header) || address < header.p_vaddr ||
		    address - header.p_vaddr >= header.p_memsz)
			continue;
		found = true;
		all = segment_take_bytes(&header, image, size);
		*bytes_ret = segment_bytes_from(&all, address - header.p_vaddr);
	}
	elf_end(elf);
	return found;
}

bool wt_image_covers(const uint8_t *image, size_t size, uint64_t address)
{
	struct segment_bytes bytes;

	return find_in_image(image, size, address, &bytes);
}

bool wt_image_word(const uint8_t *image, size_t size, uint64_t address, uint32_t *word_ret)
{
	struct segment_bytes bytes;

	if (!find_in_image(image, size, address, &bytes) || !bytes.data ||
	    bytes.size < sizeof(*word_ret))
		return false;
	memcpy(word_ret, bytes.data, sizeof(*word_ret));
	return true;
}

bool wt_view_knows_code(const struct wt_view *view)
{
	const uint64_t *objects;
	size_t count = wt_view_objects(view, WT_OBJECT_CODE_OBJECT, &objects), size;
	const uint8_t *image;

	for (size_t i = 0; i < count; i++)
		if (!wt_view_image(view, objects[i], &image, &size) || !size)
			return false;
	return count;
}

/* ---- What is loaded where ---- */

static bool segments_add(struct wt_view_segments *segments, const struct wt_view_segment *segment)
{
	struct wt_view_segment *list = segments->list;

	if (!(segments->count & (segments->count - 1))) {
		list = reallocarray(list, segments->count ? 2 * segments->count : 1, sizeof(*list));
		if (!list)
			return false;
		segments->list = list;
	}
	list[segments->count++] = *segment;
	return true;
}

static bool segments_add_object(struct wt_view_segments *segments, const struct wt_view *view,
				uint64_t object)
{
	struct wt_view_segment segment = {.object = object};
	const uint8_t *image;
	bool fine = true;
	GElf_Phdr header;
	int count = 0;
	size_t size;
	Elf *elf;

	if (!wt_view_number(view, WT_OBJECT_CODE_OBJECT, object,
			    AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, &segment.load) ||
	    !wt_view_image(view, object, &image, &size))
		return true;
	elf = elf_of_image(image, size, &count);
	for (int i = 0; i < count && fine; i++) {
		if (!header_is_loaded(elf, i, &header))
			continue;
		segment.start = segment.load + header.p_vaddr;
		segment.last = segment.start + header.p_memsz - 1;
		segment.bytes = segment_take_bytes(&header, image, size);
		fine = segment.last < segment.start || segments_add(segments, &segment);
	}
	elf_end(elf);
	return fine;
}

/* By where they begin; of those that begin at the same address the one that was loaded highest comes last. */
static int segment_compare(const void *left, const void *right)
{
	const struct wt_view_segment *one = left, *other = right;

	if (one->start != other->start)
		return one->start < other->start ? -1 : 1;
	return (one->load > other->load) - (one->load < other->load);
}

/* All images are looked into once, when the first address is asked for. */
static const struct wt_view_segments *view_segments(const struct wt_view *view)
{
	struct wt_view_segments *segments = view->segments;
	const uint64_t *objects;
	size_t count = wt_view_objects(view, WT_OBJECT_CODE_OBJECT, &objects);

	if (segments->known)
		return segments;
	segments->count = 0;
	for (size_t i = 0; i < count; i++)
		if (!segments_add_object(segments, view, objects[i]))
			return NULL;
	if (segments->count)
		qsort(segments->list, segments->count, sizeof(*segments->list), segment_compare);
	for (size_t i = 0; i < segments->count; i++) {
		struct wt_view_segment *segment = &segments->list[i];

		segment->reach = segment->last;
		if (i && segment[-1].reach > segment->reach)
			segment->reach = segment[-1].reach;
	}
	segments->known = true;
	return segments;
}

/* The segment that an address is in; in a trace that says so of several, that of the code object which was loaded highest. */
static const struct wt_view_segment *loaded_find(const struct wt_view *view, uint64_t address)
{
	const struct wt_view_segments *segments = view_segments(view);
	const struct wt_view_segment *found = NULL;
	size_t low = 0, high = segments ? segments->count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (segments->list[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low && segments->list[low - 1].reach >= address; low--) {
		const struct wt_view_segment *segment = &segments->list[low - 1];

		if (segment->last >= address && (!found || segment->load > found->load))
			found = segment;
	}
	return found;
}

/* The code object that an address is in, and its bytes from there on; 0: there is none. */
static uint64_t code_object_find(const struct wt_view *view, uint64_t address, uint64_t *load_ret,
				 struct segment_bytes *bytes_ret)
{
	const struct wt_view_segment *segment = loaded_find(view, address);

	if (!segment)
		return 0;
	*load_ret = segment->load;
	*bytes_ret = segment_bytes_from(&segment->bytes, address - segment->start);
	return segment->object;
}

uint64_t wt_view_code_object_at(const struct wt_view *view, uint64_t address,
				uint64_t *load_address_ret)
{
	struct segment_bytes bytes;
	uint64_t load, found = code_object_find(view, address, &load, &bytes);

	if (found && load_address_ret)
		*load_address_ret = load;
	return found;
}

bool wt_view_machine_at(const struct wt_view *view, uint64_t address, uint32_t *machine_ret)
{
	uint64_t code_object = wt_view_code_object_at(view, address, NULL);
	const uint8_t *data;
	Elf64_Ehdr header;
	size_t size;

	if (!code_object || !wt_view_image(view, code_object, &data, &size) ||
	    size < sizeof(header))
		return false;
	memcpy(&header, data, sizeof(header));
	*machine_ret = header.e_flags & MACHINE_MASK;
	return true;
}

size_t wt_view_code(struct wt_view *view, uint64_t address, void *data, size_t size)
{
	size_t done = wt_view_memory(view, "global", 0, 0, address, data, size);
	struct segment_bytes bytes;
	uint64_t load;

	while (done < size && code_object_find(view, address + done, &load, &bytes) && bytes.data) {
		size_t part = size - done < bytes.size ? size - done : bytes.size;

		memcpy((uint8_t *)data + done, bytes.data, part);
		done += part;
	}
	return done;
}

bool wt_view_decode(struct wt_view *view, const struct gfx_architecture *architecture,
		    uint64_t address, struct gfx_instruction *instruction_ret)
{
	uint32_t words[GFX_INSTRUCTION_WORDS] = {0};
	size_t size = wt_view_code(view, address, words, sizeof(words));
	enum gfx_decode_status status =
		gfx_decode(architecture, words, size / sizeof(words[0]), instruction_ret);

	if (status == GFX_DECODE_UNKNOWN_ENCODING || status == GFX_DECODE_TRUNCATED)
		instruction_ret->word_count = 0;
	return status == GFX_DECODE_OK;
}

bool wt_view_constant(const struct wt_view *view, uint64_t address, void *data, size_t size)
{
	struct segment_bytes bytes;
	uint64_t load;

	if (!code_object_find(view, address, &load, &bytes) || !bytes.data || bytes.writable ||
	    size > bytes.size)
		return false;
	memcpy(data, bytes.data, size);
	return true;
}
