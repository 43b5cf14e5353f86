/* SPDX-License-Identifier: MIT */
/* Code objects of a view: which one an address is in, and its bytes. */
#include <libelf.h>
#include <gelf.h>
#include <string.h>

#include "replayer/view/internal.h"
#include "replayer/view/view.h"

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

/* The bytes of the file from the one that is loaded at @address (as the ELF counts) on. */
struct segment_bytes {
	const uint8_t *data; /* NULL: inside a segment, but not in the file */
	size_t size;
	bool writable;
};

static bool in_segments(Elf *elf, const uint8_t *image, size_t image_size, uint64_t address,
			struct segment_bytes *bytes_ret)
{
	size_t count;

	if (elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count && i <= INT32_MAX; i++) {
		GElf_Phdr header;
		uint64_t offset;

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD ||
		    address < header.p_vaddr || address - header.p_vaddr >= header.p_memsz)
			continue;
		offset = address - header.p_vaddr;
		memset(bytes_ret, 0, sizeof(*bytes_ret));
		bytes_ret->writable = header.p_flags & PF_W;
		if (offset < header.p_filesz && header.p_offset <= image_size &&
		    offset < image_size - header.p_offset) {
			bytes_ret->data = image + header.p_offset + offset;
			bytes_ret->size = header.p_filesz - offset;
			if (bytes_ret->size > image_size - header.p_offset - offset)
				bytes_ret->size = image_size - header.p_offset - offset;
		}
		return true;
	}
	return false;
}

static bool find_in_image(const uint8_t *image, size_t size, uint64_t address,
			  struct segment_bytes *bytes_ret)
{
	bool found;
	Elf *elf;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return false;
	/* libelf takes a pointer to memory that it could write, but does not for reading alone. */
	elf = elf_memory((char *)(uintptr_t)image, size);
	if (!elf)
		return false;
	found = in_segments(elf, image, size, address, bytes_ret);
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

static bool find_in_object(const struct wt_view *view, uint64_t code_object, uint64_t load,
			   uint64_t address, struct segment_bytes *bytes_ret)
{
	const uint8_t *image;
	size_t size;

	return wt_view_image(view, code_object, &image, &size) &&
	       find_in_image(image, size, address - load, bytes_ret);
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

/* A code object whose image is known and whose load address is the highest one up to an address; 0: there is none. */
static uint64_t find_nearest(const struct wt_view *view, uint64_t address, uint64_t *load_ret)
{
	const uint64_t *objects;
	size_t count = wt_view_objects(view, WT_OBJECT_CODE_OBJECT, &objects), size;
	uint64_t nearest = 0, load;
	const uint8_t *image;

	for (size_t i = 0; i < count; i++)
		if (wt_view_number(view, WT_OBJECT_CODE_OBJECT, objects[i],
				   AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, &load) &&
		    load <= address && (!nearest || load > *load_ret) &&
		    wt_view_image(view, objects[i], &image, &size) && size) {
			nearest = objects[i];
			*load_ret = load;
		}
	return nearest;
}

/*
 * The code object that was loaded nearest below an address is the one that it is in, as a rule, and no other image need be
 * looked into. (In a trace that says so of several it is the one that counts.)
 */
static uint64_t code_object_find(const struct wt_view *view, uint64_t address, uint64_t *load_ret,
				 struct segment_bytes *bytes_ret)
{
	const uint64_t *objects;
	size_t count = wt_view_objects(view, WT_OBJECT_CODE_OBJECT, &objects);
	uint64_t load = 0, nearest = find_nearest(view, address, &load);

	if (nearest && find_in_object(view, nearest, load, address, bytes_ret)) {
		*load_ret = load;
		return nearest;
	}
	for (size_t i = 0; i < count; i++) {
		if (wt_view_number(view, WT_OBJECT_CODE_OBJECT, objects[i],
				   AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, &load) &&
		    find_in_object(view, objects[i], load, address, bytes_ret)) {
			*load_ret = load;
			return objects[i];
		}
	}
	return 0;
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
