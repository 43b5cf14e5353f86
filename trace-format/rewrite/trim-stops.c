/* SPDX-License-Identifier: MIT */
/* Some stops of a trace, as a trace. */
#include "trace-format/rewrite/internal.h"

static void trim_tell_progress(void *opaque, uint64_t done, uint64_t total)
{
	wt_rewriting_progress(opaque, done, total);
}

static const char *trim_end_reason(const struct wt_rewriting *rewriting,
				   const struct wt_extract *extract,
				   const struct wt_trace_info *info)
{
	if (extract->last + 1 < wt_reader_moment_count(rewriting->reader))
		return WT_END_TRIMMED;
	return info->complete ? info->end_reason : "recovered";
}

static struct wt_error *write_part(struct wt_rewriting *rewriting, struct wt_extract *extract)
{
	struct wt_rewrite *result = rewriting->result;
	struct wt_tape *tape = extract->rebuild.writer->tape;
	struct wt_error *error = NULL;

	if (!result->check.complete)
		error = wt_writer_notice(extract->rebuild.writer, WT_NOTICE_LOST, 0,
					 wt_reader_damage(rewriting->reader));
	if (!error)
		error = wt_extract_run(extract);
	result->moments = tape->open.first_moment + tape->open.moments;
	result->calls = tape->open.first_call + tape->open.calls - 1;
	result->packets = wt_tape_packets(tape) + 1;
	return error;
}

struct wt_error *wt_rewriting_trim(struct wt_rewriting *rewriting)
{
	struct wt_extract extract = {.rebuild.reader = rewriting->reader,
				     .progress = trim_tell_progress,
				     .opaque = rewriting};
	struct wt_writer_options options;
	struct wt_writer *writer;
	struct wt_trace_info info;
	struct wt_error *error;

	error = wt_extract_plan(&extract, rewriting->first - 1, rewriting->last - 1);
	if (error)
		return error;
	wt_reader_info(rewriting->reader, &info);
	info.part = extract.part;
	options = wt_rebuild_options(rewriting->reader, &info, rewriting->options.compression);
	options.no_mapping = true;
	error = wt_writer_create(rewriting->path, &options, &writer);
	if (error)
		return error;
	extract.rebuild.writer = writer;
	writer->tape->packed = true;
	writer->tape->wanted_size = info.file_size;
	writer->tape->target = rewriting->chunk_target;
	error = write_part(rewriting, &extract);
	if (error) {
		wt_writer_abandon(writer);
		return error;
	}
	writer->sync_every = 1;
	return wt_writer_close(writer, trim_end_reason(rewriting, &extract, &info));
}
