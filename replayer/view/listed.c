/* SPDX-License-Identifier: MIT */
#include "replayer/view/listed.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/view/internal.h"
#include "replayer/view/view.h"

/* A code object that was looked into. */
struct image {
	const uint32_t *blobs;	  /* of the list, which has them once for each code object */
	struct wt_bytes *bytes;	  /* NULL: it cannot be had */
	struct wt_source *source; /* NULL: not opened, or no ELF file */
	bool opened;
	UT_hash_handle hh;
};

/* An address among some code objects that was looked up. */
struct place {
	struct place_key {
		uint64_t address;
		const struct wt_stop_code *code;
	} key;
	struct wavetape_place code;
	UT_hash_handle hh;
};

struct wt_listed_places {
	struct wt_reader *reader;
	struct wt_view *facts;
	struct image *images;
	struct place *places;
};

struct wt_error *wt_listed_places_create(struct wt_reader *reader,
					 struct wt_listed_places **places_ret)
{
	struct wt_listed_places *places = calloc(1, sizeof(*places));
	struct wt_error *error;

	if (!places)
		return &wt_error_no_memory;
	places->reader = reader;
	error = wt_view_open(reader, WT_VIEW_FACTS, &places->facts);
	if (error) {
		wt_listed_places_destroy(places);
		return error;
	}
	*places_ret = places;
	return NULL;
}

void wt_listed_places_destroy(struct wt_listed_places *places)
{
	struct image *image, *next_image;
	struct place *place, *next_place;

	if (!places)
		return;
	HASH_ITER(hh, places->places, place, next_place)
	{
		HASH_DEL(places->places, place);
		free(place);
	}
	HASH_ITER(hh, places->images, image, next_image)
	{
		HASH_DEL(places->images, image);
		wt_source_close(image->source);
		wt_bytes_release(image->bytes);
		free(image);
	}
	wt_view_close(places->facts);
	free(places);
}

/* The image of a code object. One that is lost is noted by the reader, and has no bytes. */
static struct wt_error *get_image(struct wt_listed_places *places, const struct wt_stop_code *code,
				  struct image **image_ret)
{
	struct image *image, *added;
	struct wt_error *error;

	HASH_FIND_PTR(places->images, &code->blobs, image);
	*image_ret = image;
	if (image)
		return NULL;
	image = calloc(1, sizeof(*image));
	if (!image)
		return &wt_error_no_memory;
	image->blobs = code->blobs;
	error = wt_reader_listed_image(places->reader, code, &image->bytes);
	if (error && error->code == WT_ERROR_INPUT) {
		wt_error_destroy(error);
		error = NULL;
	}
	if (!error)
		HASH_ADD_PTR(places->images, blobs, image);
	HASH_FIND_PTR(places->images, &code->blobs, added);
	if (!added) {
		wt_bytes_release(image->bytes);
		free(image);
		return error ? error : &wt_error_no_memory;
	}
	*image_ret = image;
	return NULL;
}

/* Is an address in a code object? Then its image is in @image_ret. */
static struct wt_error *look_into(struct wt_listed_places *places, const struct wt_stop_code *code,
				  uint64_t address, struct image **image_ret)
{
	struct image *image;
	struct wt_error *error = get_image(places, code, &image);

	if (!error && image->bytes &&
	    wt_image_covers(image->bytes->data, image->bytes->size, address - code->load_address))
		*image_ret = image;
	return error;
}

/* The code object that an address is in, as wt_view_code_object_at() finds it; NULL if there is none. */
static struct wt_error *listed_find_code(struct wt_listed_places *places,
					 const struct wt_stop *stop, uint64_t address,
					 const struct wt_stop_code **code_ret,
					 struct image **image_ret)
{
	const struct wt_stop_code *nearest = NULL;
	struct wt_error *error = NULL;

	*code_ret = NULL;
	*image_ret = NULL;
	for (size_t i = 0; i < stop->code_count; i++)
		if (stop->code[i].load_address <= address &&
		    (!nearest || stop->code[i].load_address > nearest->load_address))
			nearest = &stop->code[i];
	if (nearest)
		error = look_into(places, nearest, address, image_ret);
	if (*image_ret)
		*code_ret = nearest;
	for (size_t i = 0; !error && !*image_ret && i < stop->code_count; i++) {
		error = look_into(places, &stop->code[i], address, image_ret);
		if (*image_ret)
			*code_ret = &stop->code[i];
	}
	return error;
}

static struct wt_error *open_source(struct image *image)
{
	struct wt_error *error = NULL;

	if (!image->opened)
		error = wt_source_open(image->bytes->data, image->bytes->size, &image->source);
	image->opened = true;
	if (error && error->code == WT_ERROR_MEMORY)
		return error;
	wt_error_destroy(error);
	return NULL;
}

static struct wt_error *listed_explain(struct wt_listed_places *places, const struct wt_stop *stop,
				       uint64_t address, struct wavetape_place *code_ret)
{
	struct wavetape_place code = {.address = address};
	const struct wt_stop_code *object;
	struct image *image;
	struct wt_error *error = listed_find_code(places, stop, address, &object, &image);

	if (!error && object)
		error = open_source(image);
	if (error)
		return error;
	if (object) {
		code.code_object = object->handle;
		code.elf_address = address - object->load_address;
		if (image->source)
			wt_explain_symbol(image->source, &code);
	}
	*code_ret = code;
	return NULL;
}

/* The same again costs a look-up: waves stand at few places, stop after stop. */
static struct wt_error *explain_once(struct wt_listed_places *places, const struct wt_stop *stop,
				     uint64_t address, const struct wavetape_place **code_ret)
{
	struct place_key key;
	struct place *place, *added;
	struct wt_error *error;

	memset(&key, 0, sizeof(key));
	key.address = address;
	key.code = stop->code;
	HASH_FIND(hh, places->places, &key, sizeof(key), place);
	if (place) {
		*code_ret = &place->code;
		return NULL;
	}
	place = calloc(1, sizeof(*place));
	if (!place)
		return &wt_error_no_memory;
	place->key = key;
	error = listed_explain(places, stop, address, &place->code);
	if (!error)
		HASH_ADD(hh, places->places, key, sizeof(key), place);
	HASH_FIND(hh, places->places, &key, sizeof(key), added);
	if (!added) {
		free(place);
		return error ? error : &wt_error_no_memory;
	}
	*code_ret = &place->code;
	return NULL;
}

/* A stop whose loaded code is looked up. */
struct words {
	struct wt_listed_places *places;
	const struct wt_stop *stop;
	struct wt_error *error;
};

static bool read_word(void *opaque, uint64_t address, uint32_t *word_ret)
{
	struct words *words = opaque;
	const struct wt_stop_code *object;
	struct image *image;

	if (words->error)
		return false;
	words->error = listed_find_code(words->places, words->stop, address, &object, &image);
	return !words->error && object &&
	       wt_image_word(image->bytes->data, image->bytes->size, address - object->load_address,
			     word_ret);
}

/* The place of a group's pc. */
static struct wt_error *explain_group(struct wt_listed_places *places, const struct wt_stop *stop,
				      const struct gfx_architecture *architecture,
				      const struct wt_stop_group *group,
				      const struct wavetape_place **code_ret)
{
	struct words words = {places, stop, NULL};
	uint64_t address = wt_stopping_address(architecture, (uint32_t)group->reasons, group->pc,
					       read_word, &words);

	return words.error ? words.error : explain_once(places, stop, address, code_ret);
}

struct wt_error *wt_listed_place(struct wt_listed_places *places, const struct wt_stop *stop,
				 const struct wt_stop_group *group, struct wavetape_place *code_ret,
				 const char **kernel_ret)
{
	const struct gfx_architecture *architecture = NULL;
	const struct wavetape_place *code = NULL, *kernel = NULL;
	struct wt_error *error = NULL;

	if (group->known & WT_STOP_ARCHITECTURE)
		architecture =
			wt_recorded_architecture(&places->facts->recorded, group->architecture);
	if (group->known & WT_STOP_ENTRY)
		error = explain_once(places, stop, group->entry, &kernel);
	if (!error && group->known & WT_STOP_PC)
		error = explain_group(places, stop, architecture, group, &code);
	if (error)
		return error;
	*code_ret = code ? *code : (struct wavetape_place){0};
	*kernel_ret = kernel ? kernel->symbol : NULL;
	return NULL;
}
