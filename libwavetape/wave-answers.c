/* SPDX-License-Identifier: MIT */
/* Waves: each is explained once for a stop, since its texts are handed out. */
#include "libwavetape/handles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

static const char cannot_show[] = "cannot show the wave";

struct wt_known_wave {
	uint64_t number;
	struct wt_explain_wave explanation;
	UT_hash_handle hh;
};

void wt_stop_forget_waves(struct wavetape_stop *stop)
{
	struct wt_known_wave *wave, *next;

	HASH_ITER(hh, stop->waves, wave, next)
	{
		HASH_DEL(stop->waves, wave);
		wt_explain_wave_deinit(&wave->explanation);
		free(wave);
	}
}

static struct wt_error *no_wave(const struct wavetape_stop *stop, uint64_t wave)
{
	return wt_error_create(WT_ERROR_NOT_FOUND, cannot_show, stop->trace->path,
			       "there is no wave %" PRIu64 " at stop %u", wave, stop->number);
}

static struct wt_error *known_wave_add(struct wavetape_stop *stop, uint64_t number,
				       struct wt_known_wave **wave_ret)
{
	struct wt_known_wave *wave = calloc(1, sizeof(*wave)), *added;
	struct wt_error *error;

	if (!wave)
		return &wt_error_no_memory;
	error = wt_explain_wave(stop->explainer, number, &wave->explanation);
	if (error) {
		free(wave);
		return error;
	}
	wave->number = number;
	HASH_ADD(hh, stop->waves, number, sizeof(wave->number), wave);
	HASH_FIND(hh, stop->waves, &number, sizeof(number), added);
	if (!added) {
		wt_explain_wave_deinit(&wave->explanation);
		free(wave);
		return &wt_error_no_memory;
	}
	*wave_ret = wave;
	return NULL;
}

struct wt_error *wt_stop_wave(struct wavetape_stop *stop, uint64_t number,
			      const struct wt_explain_wave **wave_ret)
{
	struct wt_known_wave *wave;
	struct wt_error *error;

	HASH_FIND(hh, stop->waves, &number, sizeof(number), wave);
	if (!wave) {
		if (!wt_view_lists(stop->view, WT_OBJECT_WAVE, number))
			return no_wave(stop, number);
		error = known_wave_add(stop, number, &wave);
		if (error)
			return error;
	}
	*wave_ret = &wave->explanation;
	return NULL;
}

struct wavetape_error *wavetape_stop_telling_wave(const struct wavetape_stop *stop,
						  uint64_t *wave_ret)
{
	uint64_t wave;

	if (!stop || !wave_ret)
		return wt_wrong_argument(cannot_show, "the stop or the place for the wave is NULL");
	wave = wt_view_telling_wave(stop->view);
	if (!wave)
		return wt_public(wt_error_create(WT_ERROR_NOT_FOUND, cannot_show, stop->trace->path,
						 "no wave is stopped at stop %u", stop->number));
	*wave_ret = wave;
	return NULL;
}

size_t wavetape_reasons_text(uint32_t reasons, char *buffer, size_t size)
{
	char text[1024];
	size_t length;

	wt_enumeration_flags("amd_dbgapi_wave_stop_reasons_t", reasons,
			     "AMD_DBGAPI_WAVE_STOP_REASON_", text, sizeof(text));
	length = strlen(text);
	if (buffer && size) {
		size_t part = length < size ? length : size - 1;

		memcpy(buffer, text, part);
		buffer[part] = '\0';
	}
	return length;
}

struct wavetape_error *wavetape_wave_info(struct wavetape_stop *stop, uint64_t wave,
					  struct wavetape_wave *wave_ret)
{
	const struct wt_explain_wave *known;
	struct wt_error *error;

	if (!stop)
		return wt_wrong_argument(cannot_show, "the stop is NULL");
	error = wt_stop_wave(stop, wave, &known);
	if (error)
		return wt_public(error);
	return wt_give(cannot_show, &known->facts, sizeof(known->facts), wave_ret);
}

struct wavetape_error *wavetape_wave_place(struct wavetape_stop *stop, uint64_t wave,
					   struct wavetape_place *place_ret)
{
	const struct wt_explain_wave *known;
	struct wt_error *error;

	if (!stop)
		return wt_wrong_argument(cannot_show, "the stop is NULL");
	error = wt_stop_wave(stop, wave, &known);
	if (!error && known->state != WAVETAPE_WAVE_STOPPED)
		error = wt_error_create(WT_ERROR_NOT_FOUND, cannot_show, stop->trace->path,
					"wave %" PRIu64 " is not stopped at stop %u", wave,
					stop->number);
	if (error)
		return wt_public(error);
	return wt_give(cannot_show, &known->code, sizeof(struct wavetape_place), place_ret);
}

struct wavetape_error *wavetape_wave_access(struct wavetape_stop *stop, uint64_t wave,
					    struct wavetape_access *access_ret)
{
	const struct wt_explain_wave *known;
	struct wavetape_access access;
	struct wt_error *error;

	if (!stop)
		return wt_wrong_argument(cannot_show, "the stop is NULL");
	error = wt_stop_wave(stop, wave, &known);
	if (!error && !known->has_access)
		error = wt_error_create(WT_ERROR_NOT_FOUND, cannot_show, stop->trace->path,
					"no memory access of wave %" PRIu64 " is known at stop %u",
					wave, stop->number);
	if (error)
		return wt_public(error);
	wt_explain_wave_access(known, &access);
	return wt_give(cannot_show, &access, sizeof(access), access_ret);
}
