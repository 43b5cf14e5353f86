/* SPDX-License-Identifier: MIT */
#include "replayer/view/stop-summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "replayer/view/internal.h"
#include "replayer/view/view.h"
#include "trace-format/reader/summary.h"

/*
 * ---- The places of the waves of a stop, from the list of stops that a trace repeats at its end: no state is read for it, only the
 * images of the code objects that they stood in ----
 */

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
	const char *kernel; /* that begins there, as wt_source_kernel_at() knows it; else NULL */
	UT_hash_handle hh;
};

struct wt_listed_places {
	struct wt_reader *reader;
	struct wt_view *facts;
	struct image *images;
	struct place *places;
};

/* NULL is legal */
static void listed_places_destroy(struct wt_listed_places *places)
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

/* Keeps what is costly between stops. The reader must outlive it. */
static struct wt_error *listed_places_create(struct wt_reader *reader,
					     struct wt_listed_places **places_ret)
{
	struct wt_listed_places *places = calloc(1, sizeof(*places));
	struct wt_error *error;

	if (!places)
		return &wt_error_no_memory;
	places->reader = reader;
	error = wt_view_open(reader, WT_VIEW_FACTS, &places->facts);
	if (error) {
		listed_places_destroy(places);
		return error;
	}
	*places_ret = places;
	return NULL;
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
				       uint64_t address, struct place *place)
{
	struct wavetape_place code = {.address = address};
	const struct wt_stop_code *object;
	struct wt_source_symbol symbol;
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
		/* The list has no descriptors. */
		if (image->source &&
		    wt_source_kernel_at(image->source, UINT64_MAX, code.elf_address, &symbol))
			place->kernel = symbol.name;
	}
	place->code = code;
	return NULL;
}

/* The same again costs a look-up: waves stand at few places, stop after stop. */
static struct wt_error *explain_once(struct wt_listed_places *places, const struct wt_stop *stop,
				     uint64_t address, const struct place **place_ret)
{
	struct place_key key;
	struct place *place, *added;
	struct wt_error *error;

	memset(&key, 0, sizeof(key));
	key.address = address;
	key.code = stop->code;
	HASH_FIND(hh, places->places, &key, sizeof(key), place);
	if (place) {
		*place_ret = place;
		return NULL;
	}
	place = calloc(1, sizeof(*place));
	if (!place)
		return &wt_error_no_memory;
	place->key = key;
	error = listed_explain(places, stop, address, place);
	if (!error)
		HASH_ADD(hh, places->places, key, sizeof(key), place);
	HASH_FIND(hh, places->places, &key, sizeof(key), added);
	if (!added) {
		free(place);
		return error ? error : &wt_error_no_memory;
	}
	*place_ret = place;
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
				      const struct place **place_ret)
{
	struct words words = {places, stop, NULL};
	uint64_t address = wt_stopping_address(architecture, (uint32_t)group->reasons, group->pc,
					       read_word, &words);

	return words.error ? words.error : explain_once(places, stop, address, place_ret);
}

/*
 * The place of the first wave of a group, as wt_explain_wave() has it, without the instruction; and the name of its kernel,
 * NULL if it is not known. Strings belong to @places.
 */
static struct wt_error *listed_place(struct wt_listed_places *places, const struct wt_stop *stop,
				     const struct wt_stop_group *group,
				     struct wavetape_place *code_ret, const char **kernel_ret)
{
	const struct gfx_architecture *architecture = NULL;
	const struct place *place = NULL, *kernel = NULL;
	struct wt_error *error = NULL;

	if (group->known & WT_STOP_ARCHITECTURE)
		architecture =
			wt_recorded_architecture(&places->facts->recorded, group->architecture);
	if (group->known & WT_STOP_ENTRY)
		error = explain_once(places, stop, group->entry, &kernel);
	if (!error && group->known & WT_STOP_PC)
		error = explain_group(places, stop, architecture, group, &place);
	if (error)
		return error;
	*code_ret = place ? place->code : (struct wavetape_place){0};
	*kernel_ret = kernel ? kernel->kernel : NULL;
	return NULL;
}

/* ---- The summary of a stop ---- */

static void free_place(struct wavetape_place *code)
{
	free((char *)code->symbol);
	free((char *)code->file);
	free((char *)code->function);
}

void wt_stop_summary_deinit(struct wt_stop_summary *summary)
{
	free(summary->events);
	free((char *)summary->kernel);
	free_place(&summary->place);
}

void wt_stop_summaries_deinit(struct wt_stop_summaries *summaries)
{
	for (size_t i = 0; i < summaries->count; i++)
		wt_stop_summary_deinit(&summaries->of[i]);
	free(summaries->of);
	*summaries = (struct wt_stop_summaries){0};
}

static struct wt_stop_summary *add_summary(struct wt_stop_summaries *summaries)
{
	size_t capacity = summaries->capacity ? summaries->capacity * 2 : 64;
	struct wt_stop_summary *of = summaries->of;

	if (summaries->count == summaries->capacity) {
		of = reallocarray(of, capacity, sizeof(*of));
		if (!of)
			return NULL;
		summaries->of = of;
		summaries->capacity = capacity;
	}
	of[summaries->count] = (struct wt_stop_summary){0};
	return &of[summaries->count++];
}

static bool copy(const char *text, const char **copy_ret)
{
	*copy_ret = text ? strdup(text) : NULL;
	return *copy_ret || !text;
}

/* Keeps what is shown of a wave, for when its view is closed. */
static struct wt_error *keep_place(const struct wavetape_place *code, const char *kernel,
				   struct wt_stop_summary *summary)
{
	struct wavetape_place *place = &summary->place;

	*place = (struct wavetape_place){
		.address = code->address,
		.code_object = code->code_object,
		.elf_address = code->elf_address,
		.symbol_offset = code->symbol_offset,
		.line = code->line,
		.column = code->column,
	};
	summary->has_place = true;
	if (!copy(code->symbol, &place->symbol) || !copy(code->file, &place->file) ||
	    !copy(code->function, &place->function) || !copy(kernel, &summary->kernel))
		return &wt_error_no_memory;
	return NULL;
}

/* How much a wave's stop says: 2 a fault, 1 any reason, 0 none. */
static int score_of(uint64_t reasons)
{
	return reasons & WT_FAULT_REASONS ? 2 : reasons != 0;
}

/** The place of the first wave whose stop says most. */
static struct wt_error *summarise_place(struct wt_view *view, const uint64_t *waves, size_t count,
					struct wt_explainer *explainer,
					struct wt_stop_summary *summary)
{
	struct wt_explain_wave wave;
	size_t chosen = count;
	struct wt_error *error;
	int best = -1;

	for (size_t i = 0; i < count; i++) {
		uint64_t reasons;
		int score;

		if (!wt_view_number(view, WT_OBJECT_WAVE, waves[i],
				    AMD_DBGAPI_WAVE_INFO_STOP_REASON, &reasons))
			continue;
		summary->stopped++;
		summary->reasons |= (uint32_t)reasons;
		score = score_of(reasons);
		if (score > best) {
			best = score;
			chosen = i;
		}
	}
	if (chosen == count)
		return NULL;
	error = wt_explain_wave(explainer, waves[chosen], &wave);
	if (error)
		return error;
	error = keep_place(&wave.code, wave.kernel, summary);
	wt_explain_wave_deinit(&wave);
	return error;
}

static struct wt_error *summarise(struct wt_view *view, struct wt_stop_summary *summary)
{
	struct wt_explainer *explainer = NULL;
	struct wt_error *error = wt_explainer_create(view, &explainer);
	const uint64_t *waves;

	if (error)
		return error;
	summary->waves = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	error = summarise_place(view, waves, summary->waves, explainer, summary);
	wt_explainer_destroy(explainer);
	return error;
}

/* Takes what its moment says of a stop. */
static struct wt_error *take_moment(struct wt_reader *reader, uint32_t number,
				    struct wt_stop_summary *summary)
{
	const struct wt_moment *moment;
	struct wt_error *error = wt_reader_moment(reader, number, &moment);
	size_t runs;

	if (error)
		return error;
	summary->process = moment->process;
	summary->call = moment->call;
	summary->time_ns = moment->time;
	summary->events = wt_stop_events(moment, &runs);
	summary->event_runs = (uint32_t)runs;
	return summary->events ? NULL : &wt_error_no_memory;
}

struct wt_error *wt_stop_summary_make(struct wt_reader *reader, uint32_t moment,
				      struct wt_view *view, struct wt_stop_summary *summary_ret)
{
	struct wt_stop_summary summary = {.state_lost = !view};
	struct wt_error *error = view ? summarise(view, &summary) : NULL;

	if (!error)
		error = take_moment(reader, moment, &summary);
	if (error)
		wt_stop_summary_deinit(&summary);
	else
		*summary_ret = summary;
	return error;
}

/* The stop that was found last. */
static struct wt_error *look_at_stop(struct wt_stops *stops, struct wt_stop_summary *summary)
{
	uint32_t moment = stops->moments[stops->count - 1];
	struct wt_view *view = NULL;
	struct wt_error *error = wt_view_open(stops->reader, moment, &view);

	if (!error || wt_error_is_loss(error))
		error = wt_stop_summary_make(stops->reader, moment, view, summary);
	summary->number = stops->count;
	wt_view_close(view);
	return error;
}

/* @failed_ret: of a stop that cannot be looked at, nor can those after it; those before it are shown. */
static struct wt_error *look_at_all(struct wt_stops *stops, struct wt_stop_summaries *summaries,
				    struct wt_error **failed_ret)
{
	struct wt_stop_summary *summary;
	struct wt_error *error;
	bool found;

	*failed_ret = NULL;
	for (;;) {
		error = wt_stops_next(stops, &found);
		if (error || !found)
			return error;
		if (*failed_ret)
			continue;
		summary = add_summary(summaries);
		*failed_ret = summary ? look_at_stop(stops, summary) : &wt_error_no_memory;
		if (summary)
			summary->failed = *failed_ret != NULL;
	}
}

/* ---- By the list at the end of a trace ---- */

/* The waves whose stop says most; NULL if none has stopped. */
static const struct wt_stop_group *stop_choose_group(const struct wt_stop *stop)
{
	const struct wt_stop_group *chosen = NULL;

	for (size_t i = 0; i < stop->group_count; i++) {
		const struct wt_stop_group *group = &stop->groups[i];

		if (!chosen || score_of(group->reasons) > score_of(chosen->reasons))
			chosen = group;
	}
	return chosen;
}

static struct wt_error *take_listed_place(struct wt_listed_places *places,
					  const struct wt_stop *stop,
					  struct wt_stop_summary *summary)
{
	const struct wt_stop_group *chosen = stop_choose_group(stop);
	struct wavetape_place code;
	const char *kernel;
	struct wt_error *error;

	if (!chosen)
		return NULL;
	error = listed_place(places, stop, chosen, &code, &kernel);
	return error ? error : keep_place(&code, kernel, summary);
}

static struct wt_error *take_listed(struct wt_listed_places *places, const struct wt_stop *stop,
				    struct wt_stop_summary *summary)
{
	size_t size = stop->event_count * sizeof(*stop->events);

	summary->process = stop->process;
	summary->call = stop->call;
	summary->time_ns = stop->time;
	summary->waves = stop->waves;
	summary->stopped = wt_stop_stopped(stop);
	summary->reasons = (uint32_t)wt_stop_reasons(stop);
	summary->events = malloc(size + 1);
	if (!summary->events)
		return &wt_error_no_memory;
	memcpy(summary->events, stop->events, size);
	summary->event_runs = (uint32_t)stop->event_count;
	return take_listed_place(places, stop, summary);
}

static struct wt_error *summaries_take_list(struct wt_stops *stops, const struct wt_stop *list,
					    size_t count, struct wt_stop_summaries *summaries)
{
	struct wt_listed_places *places = NULL;
	struct wt_error *error = listed_places_create(stops->reader, &places);

	for (size_t i = 0; !error && i < count; i++) {
		struct wt_stop_summary *summary = add_summary(summaries);

		if (!summary) {
			error = &wt_error_no_memory;
			break;
		}
		summary->number = (uint32_t)i + 1;
		error = take_listed(places, &list[i], summary);
	}
	listed_places_destroy(places);
	return error;
}

/* ---- Precise memory ---- */

/*
 * A list has the pc of a wave. With precise memory the access that failed is in front of it, and the state tells which it is. Little of a state
 * is read to know whether memory is precise; waves and memory only where it is.
 */
struct precise {
	uint64_t *waves; /* to explain, in ascending order once they are all there */
	size_t count;
	uint32_t *stops; /* positions in the list */
};

static bool no_contents_are_needed(void *opaque, const struct wt_key *key)
{
	(void)opaque;
	return key->type != WT_ITEM_REGISTERS && key->type != WT_ITEM_MEMORY;
}

static bool precise_needs(void *opaque, const struct wt_key *key)
{
	const struct precise *precise = opaque;

	return key->type != WT_ITEM_REGISTERS ||
	       bsearch(&key->owner, precise->waves, precise->count, sizeof(key->owner),
		       wt_compare_u64);
}

static bool stop_has_memory_fault(const struct wt_stop *stop)
{
	const struct wt_stop_group *group = stop_choose_group(stop);

	return group && group->reasons & (AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION |
					  AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR);
}

/* Look at a stop's state, for which wt_reader_need() was called. One that is lost says no more than the list. */
static struct wt_error *view_listed_stop(struct wt_reader *reader, const struct wt_stop *stop,
					 struct wt_view **view_ret)
{
	struct wt_error *error = wt_view_open(reader, stop->moment, view_ret);

	return wt_error_is_loss(error) ? NULL : error;
}

static struct wt_error *precise_find(struct wt_reader *reader, const struct wt_stop *list,
				     size_t count, struct precise *precise)
{
	struct wt_error *error = NULL;

	wt_reader_need(reader, no_contents_are_needed, NULL);
	for (size_t i = 0; !error && i < count; i++) {
		struct wt_view *view = NULL;
		uint32_t mode;

		if (!stop_has_memory_fault(&list[i]))
			continue;
		error = view_listed_stop(reader, &list[i], &view);
		if (view && wt_view_memory_precision(view, &mode) &&
		    mode == AMD_DBGAPI_MEMORY_PRECISION_PRECISE) {
			precise->waves[precise->count] = stop_choose_group(&list[i])->wave;
			precise->stops[precise->count++] = (uint32_t)i;
		}
		wt_view_close(view);
	}
	qsort(precise->waves, precise->count, sizeof(*precise->waves), wt_compare_u64);
	return error;
}

static struct wt_error *precise_take(struct wt_reader *reader, const struct wt_stop *stop,
				     struct wt_stop_summary *summary)
{
	struct wt_explainer *explainer = NULL;
	struct wt_view *view = NULL;
	struct wt_explain_wave wave;
	struct wt_error *error = view_listed_stop(reader, stop, &view);

	if (!error && view)
		error = wt_explainer_create(view, &explainer);
	if (!error && explainer)
		error = wt_explain_wave(explainer, stop_choose_group(stop)->wave, &wave);
	if (!error && explainer) {
		free_place(&summary->place);
		free((char *)wt_take(summary->kernel));
		error = keep_place(&wave.code, wave.kernel, summary);
		wt_explain_wave_deinit(&wave);
	}
	wt_explainer_destroy(explainer);
	wt_view_close(view);
	return error;
}

/* @list: gone if a state has turned out to be another than it says. */
static struct wt_error *summaries_place_precise(struct wt_reader *reader,
						const struct wt_stop *list, size_t count,
						struct wt_stop_summaries *summaries)
{
	wt_cleanup_free uint64_t *waves = calloc(count + 1, sizeof(*waves));
	wt_cleanup_free uint32_t *stops = calloc(count + 1, sizeof(*stops));
	struct precise precise = {.waves = waves, .stops = stops};
	struct wt_error *error = waves && stops ? NULL : &wt_error_no_memory;
	size_t unused;

	if (!error)
		error = precise_find(reader, list, count, &precise);
	wt_reader_need(reader, precise_needs, &precise);
	for (size_t i = 0; !error && i < precise.count && wt_reader_listed_stops(reader, &unused);
	     i++)
		error = precise_take(reader, &list[stops[i]], &summaries->of[stops[i]]);
	wt_reader_need(reader, NULL, NULL);
	return error;
}

/* Takes the stops as the trace lists them at its end. @done_ret: false if it has no such list, or it turned out to be wrong. */
static struct wt_error *look_at_list(struct wt_stops *stops, struct wt_stop_summaries *summaries,
				     bool *done_ret)
{
	size_t count;
	const struct wt_stop *list = wt_reader_listed_stops(stops->reader, &count);
	struct wt_error *error;

	*done_ret = list && count < UINT32_MAX;
	if (!*done_ret)
		return NULL;
	error = summaries_take_list(stops, list, count, summaries);
	if (!error)
		error = summaries_place_precise(stops->reader, list, count, summaries);
	*done_ret = error || wt_reader_listed_stops(stops->reader, &count);
	if (!*done_ret)
		wt_stop_summaries_deinit(summaries);
	return error;
}

struct wt_error *wt_stop_summaries_find(struct wt_stops *stops,
					struct wt_stop_summaries *summaries_ret,
					struct wt_error **failed_ret)
{
	struct wt_error *error;
	bool listed;

	*failed_ret = NULL;
	*summaries_ret = (struct wt_stop_summaries){0};
	error = look_at_list(stops, summaries_ret, &listed);
	if (!listed)
		error = look_at_all(stops, summaries_ret, failed_ret);
	if (!error)
		return NULL;
	wt_error_destroy(wt_take(*failed_ret));
	wt_stop_summaries_deinit(summaries_ret);
	return error;
}
