/* SPDX-License-Identifier: MIT */
#include "replayer/recorded/images.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/uri.h"

/* More ranges than this no process has; what a damaged trace says beyond it is left out. */
#define MAX_RANGES 65536u
#define MAX_SEGMENTS 64u

void wt_images_deinit(struct wt_images *images)
{
	for (size_t i = 0; i < images->count; i++)
		wt_bytes_release(images->ranges[i].bytes);
	free(images->ranges);
	*images = (struct wt_images){0};
}

static bool images_range_add(struct wt_images *images, struct wt_bytes *bytes, uint64_t address,
			     uint64_t offset, uint64_t size, bool file)
{
	struct wt_image_range *grown;

	if (!size || offset > bytes->size || size > bytes->size - offset ||
	    address + size < address || images->count >= MAX_RANGES)
		return true;
	grown = reallocarray(images->ranges, images->count + 1, sizeof(*grown));
	if (!grown)
		return false;
	images->ranges = grown;
	grown[images->count++] = (struct wt_image_range){.address = address,
							 .size = size,
							 .data = bytes->data + offset,
							 .bytes = wt_bytes_reference(bytes),
							 .file = file};
	return true;
}

static bool add_segments(struct wt_images *images, struct wt_bytes *bytes, uint64_t load)
{
	size_t count;
	bool added = true;
	Elf *elf;

	/* libelf takes a pointer to memory that it could write, but does not for reading alone. */
	elf = elf_version(EV_CURRENT) == EV_NONE ? NULL
						 : elf_memory((char *)bytes->data, bytes->size);
	if (!elf)
		return true;
	if (elf_getphdrnum(elf, &count))
		count = 0;
	for (size_t i = 0; added && i < count && i < MAX_SEGMENTS; i++) {
		GElf_Phdr header;

		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
		    !(header.p_flags & PF_W))
			added = images_range_add(images, bytes, load + header.p_vaddr,
						 header.p_offset, header.p_filesz, false);
	}
	elf_end(elf);
	return added;
}

/* The file as it was in memory, if that is where it came from. */
static bool add_file(struct wt_images *images, const struct wt_recorded *recorded,
		     uint64_t code_object, struct wt_bytes *bytes)
{
	const struct wt_answer *answer = wt_recorded_answer(
		recorded, WT_OBJECT_CODE_OBJECT, code_object, AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME);
	wt_cleanup_error struct wt_error *error = NULL;
	wt_cleanup_free char *text = NULL;
	struct wt_uri uri;
	bool added = true;

	if (!answer || answer->status != AMD_DBGAPI_STATUS_SUCCESS || !answer->size)
		return true;
	text = strndup((const char *)answer->value, answer->size);
	if (!text)
		return false;
	error = wt_uri_parse(text, &uri);
	if (error)
		return true;
	if (uri.kind == WT_URI_MEMORY && uri.size == bytes->size)
		added = images_range_add(images, bytes, uri.offset, 0, uri.size, true);
	wt_uri_deinit(&uri);
	return added;
}

static int image_ranges_compare(const void *a, const void *b)
{
	const struct wt_image_range *one = a, *other = b;

	return one->address < other->address ? -1 : one->address > other->address;
}

struct wt_error *wt_images_load(struct wt_images *images, const struct wt_recorded *recorded)
{
	const struct wt_key first = {.type = WT_ITEM_IMAGE};

	wt_images_deinit(images);
	for (size_t i = wt_state_lower_bound(recorded->state, &first);
	     i < wt_state_count(recorded->state); i++) {
		const struct wt_item *item = wt_state_at(recorded->state, i);
		uint64_t load;
		bool added = true;

		if (item->key.type != WT_ITEM_IMAGE)
			break;
		if (item->status != AMD_DBGAPI_STATUS_SUCCESS || !item->bytes)
			continue;
		if (wt_recorded_number(recorded, WT_OBJECT_CODE_OBJECT, item->key.owner,
				       AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, &load))
			added = add_segments(images, item->bytes, load);
		if (!added || !add_file(images, recorded, item->key.owner, item->bytes)) {
			wt_images_deinit(images);
			return &wt_error_no_memory;
		}
	}
	if (images->count)
		qsort(images->ranges, images->count, sizeof(*images->ranges), image_ranges_compare);
	return NULL;
}

static const struct wt_image_range *images_range_find(const struct wt_images *images,
						      uint64_t address)
{
	for (size_t i = 0; i < images->count && images->ranges[i].address <= address; i++)
		if (address - images->ranges[i].address < images->ranges[i].size)
			return &images->ranges[i];
	return NULL;
}

size_t wt_images_read(const struct wt_images *images, uint64_t address, void *data, size_t size)
{
	const struct wt_image_range *range;
	size_t done = 0;

	while (done < size && address + done >= address &&
	       (range = images_range_find(images, address + done)) != NULL) {
		uint64_t offset = address + done - range->address;
		size_t part = size - done;

		if (part > range->size - offset)
			part = (size_t)(range->size - offset);
		memcpy((uint8_t *)data + done, range->data + offset, part);
		done += part;
	}
	return done;
}
