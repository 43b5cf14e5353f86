/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/fleet/triage.h"
#include "cli/output-file.h"
#include "cli/output.h"

/* More of files that were not asked for are not kept. */
#define OTHERS_MAX 100000u

/* A cache begins with this; one of another version is not used. */
#define FORM 5

static void cache_complain(const char *done, const char *path, const char *why)
{
	fprintf(stderr, "wavetape: %s: ", done);
	wt_cli_put(stderr, path);
	fprintf(stderr, ": ");
	wt_cli_put(stderr, why);
	fprintf(stderr, "\n");
}

/* $XDG_CACHE_HOME/wavetape, by default ~/.cache/wavetape; NULL if there is neither. To free(). */
static char *cache_directory(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *path = NULL;
	int length = -1;

	if (cache && *cache == '/')
		length = asprintf(&path, "%s/wavetape", cache);
	else if (home && *home == '/')
		length = asprintf(&path, "%s/.cache/wavetape", home);
	return length < 0 ? NULL : path;
}

static char *cache_file_in(const char *place)
{
	char *path;

	return asprintf(&path, "%s/triage.json", place) < 0 ? NULL : path;
}

/* Is it one of ours, of this version? Of another version it says nothing. */
static json_t *cache_check(json_t *cache, const char **why_ret)
{
	const json_t *records = json_object_get(cache, "records");
	const char *version = json_string_value(json_object_get(cache, "wavetape"));

	if (!version || !json_is_object(records) ||
	    !json_is_integer(json_object_get(cache, "form")))
		*why_ret = "it is no cache";
	else if (strcmp(version, WT_VERSION) == 0 &&
		 json_integer_value(json_object_get(cache, "form")) == FORM)
		return cache;
	json_decref(cache);
	return NULL;
}

/* The cache; NULL if there is none that can be used. */
static json_t *cache_load(void)
{
	wt_cleanup_free char *place = cache_directory();
	wt_cleanup_free char *path = place ? cache_file_in(place) : NULL;
	wt_cleanup_fclose FILE *file = path ? fopen(path, "re") : NULL;
	const char *why = NULL;
	json_error_t problem;
	json_t *cache;

	if (!file) {
		if (path && errno != ENOENT)
			cache_complain("the cache is not used", path, strerror(errno));
		return NULL;
	}
	cache = json_loadf(file, 0, &problem);
	if (!cache)
		why = problem.text;
	else
		cache = cache_check(cache, &why);
	if (why)
		cache_complain("the cache is damaged and not used", path, why);
	return cache;
}

/* A record that could be ours. */
static bool cache_is_record(const json_t *record)
{
	return json_is_object(record) && wt_triage_text(record, "status") &&
	       wt_triage_text(record, "signature");
}

struct wt_error *wt_triage_cache_read(struct wt_triage_files *files, json_t **known_ret)
{
	json_t *cache = cache_load();
	json_t *known = cache ? json_incref(json_object_get(cache, "records")) : json_object();

	json_decref(cache);
	if (!known)
		return &wt_error_no_memory;
	for (size_t i = 0; i < files->count; i++) {
		struct wt_triage_file *file = &files->files[i];
		json_t *record = *file->key ? json_object_get(known, file->key) : NULL;

		if (file->record || !cache_is_record(record))
			continue;
		/* Others may have the same file under another name: each is completed on its own. */
		file->record = json_copy(record);
		if (!file->record) {
			json_decref(known);
			return &wt_error_no_memory;
		}
		file->cached = true;
	}
	*known_ret = known;
	return NULL;
}

/* A trace that is not closed may still be written to, without a change of its size. */
static bool cache_may_stay(const struct wt_triage_file *file)
{
	return *file->key && cache_is_record(file->record) &&
	       json_is_true(json_object_get(file->record, "closed"));
}

/* Records that are new, and of the others as many as may stay. Return: is there anything new? */
static bool cache_collect(const struct wt_triage_files *files, json_t *known, json_t *records)
{
	size_t others = 0;
	bool changed = false;
	json_t *record;
	const char *key;

	for (size_t i = 0; i < files->count; i++) {
		if (!cache_may_stay(&files->files[i]))
			continue;
		changed |= !files->files[i].cached;
		json_object_set(records, files->files[i].key, files->files[i].record);
	}
	json_object_foreach(known, key,
			    record) if (!json_object_get(records, key) && others++ < OTHERS_MAX)
		json_object_set(records, key, record);
	return changed;
}

/* Return: 0, or what was in the way, as errno has it. */
static int directory_make(const char *place)
{
	int errnum = mkdir(place, 0700) ? errno : 0;

	return errnum && access(place, F_OK) ? errnum : 0;
}

/* Make what is missing for the user alone, as the base directory specification has it. Returns as above. */
static int cache_make_directory(char *place)
{
	int errnum = 0;

	for (char *slash = strchr(place + 1, '/'); slash && !errnum;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		errnum = directory_make(place);
		*slash = '/';
	}
	return errnum ? errnum : directory_make(place);
}

void wt_triage_cache_write(const struct wt_triage_files *files, json_t *known)
{
	wt_cleanup_free char *place = cache_directory();
	wt_cleanup_free char *path = place ? cache_file_in(place) : NULL;
	wt_cleanup_free char *text = NULL;
	struct wt_error *error;
	json_t *records = json_object(), *cache;
	bool changed = cache_collect(files, known, records);
	int errnum;

	cache = json_pack("{s:s, s:i, s:o}", "wavetape", WT_VERSION, "form", FORM, "records",
			  records);
	if (changed && path && cache)
		text = json_dumps(cache, JSON_COMPACT | JSON_SORT_KEYS);
	json_decref(cache);
	if (!text)
		return;
	errnum = cache_make_directory(place);
	if (errnum) {
		cache_complain("the cache is not written", path, strerror(errnum));
		return;
	}
	error = wt_cli_write_file("the cache is not written", path, text, strlen(text));
	if (error)
		cache_complain("the cache is not written", path, error->why);
	wt_error_destroy(error);
}
