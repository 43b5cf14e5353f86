/* SPDX-License-Identifier: MIT */
/* Into a file beside the one that was asked for, which takes its place when all is written. */
#include "trace-format/rewrite/rewrite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "trace-format/container/tape-file.h"
#include "trace-format/rewrite/internal.h"

#define CANNOT_WRITE "cannot write the trace"
#define RECOVER_LEVEL 3
#define PACK_LEVEL 19
/* Larger chunks compress better, and one still takes only milliseconds to decompress. */
#define PACK_TARGET ((size_t)4 << 20)

static void tell_check(void *opaque, uint64_t done, uint64_t total)
{
	const struct wt_rewriting *rewriting = opaque;

	if (rewriting->options.progress)
		rewriting->options.progress(rewriting->options.opaque, done, 2 * total);
}

static struct wt_error *check_target(const struct wt_reader *reader, const char *path,
				     bool in_place)
{
	struct wt_error *error = wt_file_check_target(path, CANNOT_WRITE);
	struct stat source, target;

	if (!error)
		error = wt_reader_stat(reader, &source);
	if (error)
		return error;
	if (!in_place && !stat(path, &target) && source.st_dev == target.st_dev &&
	    source.st_ino == target.st_ino)
		return wt_error_create(WT_ERROR_USAGE, CANNOT_WRITE, path,
				       "it is the trace that is read; give another name");
	return NULL;
}

/* A name beside @path that nothing has. The file gets it when it is made, and not before it was told. */
static struct wt_error *name_beside(const char *path, char **beside_ret)
{
	wt_cleanup_free char *beside = NULL;
	struct stat status;
	uint32_t random;

	do {
		if (getrandom(&random, sizeof(random), 0) != sizeof(random))
			return wt_error_errno(errno, CANNOT_WRITE, path);
		free(beside);
		if (asprintf(&beside, "%s.%08x", path, random) < 0) {
			beside = NULL;
			return &wt_error_no_memory;
		}
	} while (!lstat(beside, &status));
	*beside_ret = wt_take(beside);
	return NULL;
}

static void tell_making(const struct wt_rewriting *rewriting, const char *path)
{
	if (rewriting->options.making)
		rewriting->options.making(rewriting->options.opaque, path);
}

/* May its packets be copied as they are? */
static bool is_gapless(const struct wt_reader *reader, const struct wt_check *check)
{
	struct wt_trace_info info;

	wt_reader_info(reader, &info);
	return !check->packets.lost && !check->moments.lost && !check->items_lost &&
	       !check->differs && info.has_header && wt_reader_chunk_count(reader) &&
	       (!check->loss || !check->complete);
}

/* Who packs or trims wants fewer bytes: what takes more is of no use. */
static struct wt_error *check_size(const struct wt_rewriting *rewriting)
{
	unsigned long long old_size = rewriting->result->old_size;
	unsigned long long new_size = rewriting->result->new_size;

	if (new_size <= old_size)
		return NULL;
	if (rewriting->first)
		return wt_error_create(WT_ERROR_LIMIT, "cannot trim the trace",
				       wt_reader_path(rewriting->reader),
				       "these stops alone take more bytes (%llu) than all of it "
				       "(%llu); keep the whole trace",
				       new_size, old_size);
	return wt_error_create(
		WT_ERROR_LIMIT, "cannot pack the trace", wt_reader_path(rewriting->reader),
		"at level %d it takes more bytes (%llu) than now (%llu); take a higher "
		"level, or keep it as it is",
		rewriting->options.compression, new_size, old_size);
}

static struct wt_error *take_size(const char *path, uint64_t *size_ret)
{
	struct stat status;

	if (stat(path, &status))
		return wt_error_errno(errno, CANNOT_WRITE, path);
	*size_ret = (uint64_t)status.st_size;
	return NULL;
}

static bool say_instead(char **text, const char *other)
{
	char *copy = strdup(other);

	if (!copy)
		return false;
	free(*text);
	*text = copy;
	return true;
}

/* The name beside the target means nothing to whoever asked for the target. */
static struct wt_error *name_target(struct wt_error *error, const char *beside, const char *path)
{
	if (error != &wt_error_no_memory && !strcmp(error->where, beside) &&
	    say_instead(&error->what, CANNOT_WRITE))
		say_instead(&error->where, path);
	return error;
}

static struct wt_error *rewriting_check_source(struct wt_rewriting *rewriting)
{
	const struct wt_check_options options = {
		.size = sizeof(options),
		.progress = tell_check,
		.opaque = rewriting,
		.stops = rewriting->stops,
	};
	struct wt_reader *reader = rewriting->reader;
	struct wt_check *check = &rewriting->result->check;
	struct wt_error *error = wt_reader_examine(reader, &options, check);

	if (error)
		return error;
	if (rewriting->pack && (check->loss || !is_gapless(reader, check)))
		return wt_error_create(
			WT_ERROR_INPUT,
			rewriting->first ? "cannot trim the trace" : "cannot pack the trace",
			wt_reader_path(reader), "%s; `wavetape recover` makes a whole one of %s",
			check->loss ? "something of it is lost"
				    : "its index and its chunks contradict each other",
			check->loss ? "what is left" : "it");
	if (rewriting->text_count &&
	    (check->loss || !check->complete || !is_gapless(reader, check)))
		return wt_error_create(
			WT_ERROR_INPUT, "cannot add source files", wt_reader_path(reader),
			"the trace is not whole; `wavetape recover` makes one of it");
	if (!wt_reader_chunk_count(reader))
		return wt_error_create(WT_ERROR_INPUT, "cannot recover the trace",
				       wt_reader_path(reader), "not one whole chunk is left of it");
	return NULL;
}

static struct wt_error *write_again(struct wt_rewriting *rewriting)
{
	if (rewriting->first)
		return wt_rewriting_trim(rewriting);
	return is_gapless(rewriting->reader, &rewriting->result->check)
		       ? wt_rewriting_copy(rewriting)
		       : wt_rewriting_rebuild(rewriting);
}

/* Into a file beside the target, which then takes its name. */
static struct wt_error *write_beside(struct wt_rewriting *rewriting, const char *path)
{
	struct wt_rewrite *result = rewriting->result;
	wt_cleanup_free char *beside = NULL;
	struct wt_error *error = name_beside(path, &beside);

	if (error)
		return error;
	rewriting->path = beside;
	tell_making(rewriting, beside);
	/* To write it again is to read it again. */
	wt_reader_limit_work(rewriting->reader, wt_check_budget(result->old_size));
	error = write_again(rewriting);
	wt_reader_limit_work(rewriting->reader, 0);
	if (!error)
		error = take_size(beside, &result->new_size);
	if (!error && rewriting->pack)
		error = check_size(rewriting);
	if (!error && rename(beside, path))
		error = wt_error_errno(errno, CANNOT_WRITE, path);
	if (error)
		unlink(beside);
	tell_making(rewriting, NULL);
	return error ? name_target(error, beside, path) : NULL;
}

/* @rewriting: with what to do; the rest is filled in. */
static struct wt_error *rewrite(struct wt_rewriting rewriting, const char *path,
				const struct wt_rewrite_options *options,
				struct wt_rewrite *rewrite_ret)
{
	struct wt_reader *reader = rewriting.reader;
	struct wt_stop_list stops = {0};
	struct wt_rewrite result = {0};
	struct wt_trace_info info;
	struct wt_error *error;

	rewriting.chunk_target = rewriting.pack ? PACK_TARGET : WT_CHUNK_TARGET;
	wt_reader_info(reader, &info);
	result.old_size = info.file_size;
	rewriting.result = &result;
	rewriting.stops = &stops;
	if (options)
		memcpy(&rewriting.options, options,
		       options->size < sizeof(*options) ? options->size : sizeof(*options));
	if (!rewriting.options.compression)
		rewriting.options.compression = rewriting.pack ? PACK_LEVEL : RECOVER_LEVEL;
	error = check_target(reader, path, rewriting.text_count);
	if (!error)
		error = rewriting_check_source(&rewriting);
	if (!error)
		error = write_beside(&rewriting, path);
	wt_stop_list_deinit(&stops);
	if (!error)
		*rewrite_ret = result;
	return error;
}

struct wt_error *wt_trace_recover(struct wt_reader *reader, const char *path,
				  const struct wt_rewrite_options *options,
				  struct wt_rewrite *rewrite_ret)
{
	return rewrite((struct wt_rewriting){.reader = reader}, path, options, rewrite_ret);
}

struct wt_error *wt_trace_repack(struct wt_reader *reader, const char *path,
				 const struct wt_rewrite_options *options,
				 struct wt_rewrite *rewrite_ret)
{
	return rewrite((struct wt_rewriting){.reader = reader, .pack = true}, path, options,
		       rewrite_ret);
}

struct wt_error *wt_trace_trim(struct wt_reader *reader, uint32_t first, uint32_t last,
			       const char *path, const struct wt_rewrite_options *options,
			       struct wt_rewrite *rewrite_ret)
{
	if (!first || first > last)
		return wt_error_create(
			WT_ERROR_USAGE, "cannot trim the trace", wt_reader_path(reader),
			"stops %u to %u are none: they are counted from 1", first, last);
	return rewrite(
		(struct wt_rewriting){.reader = reader, .first = first, .last = last, .pack = true},
		path, options, rewrite_ret);
}

struct wt_error *wt_trace_add_sources(struct wt_reader *reader, const struct wt_kept_source *texts,
				      size_t count, const char *path,
				      const struct wt_rewrite_options *options,
				      struct wt_rewrite *rewrite_ret)
{
	return rewrite((struct wt_rewriting){.reader = reader, .texts = texts, .text_count = count},
		       path, options, rewrite_ret);
}
