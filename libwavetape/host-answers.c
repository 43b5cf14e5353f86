/* SPDX-License-Identifier: MIT */
/* The machine and the recorded program. */
#include "libwavetape/handles.h"

#include <stdlib.h>

#include "replayer/facts/fields.h"
#include "trace-format/state/host-facts.h"

static const char cannot_show[] = "cannot show the host";

struct wavetape_host {
	struct wt_host *host; /* the caller's own: it needs no trace */
};

struct wavetape_error *wavetape_host_open(struct wavetape_trace *trace,
					  struct wavetape_host **host_ret)
{
	struct wavetape_host *host;
	struct wt_error *error;

	if (!trace || !host_ret)
		return wt_wrong_argument(cannot_show,
					 "the trace or the place for the host is NULL");
	host = calloc(1, sizeof(*host));
	if (!host)
		return wt_public(&wt_error_no_memory);
	error = wt_reader_host(trace->reader, &host->host);
	if (!error && !host->host)
		error = wt_error_create(WT_ERROR_NOT_FOUND, cannot_show, trace->path,
					"this trace has nothing of it");
	if (error)
		wavetape_host_close(host);
	else
		*host_ret = host;
	return wt_public(error);
}

void wavetape_host_close(struct wavetape_host *host)
{
	if (!host)
		return;
	wt_host_destroy(host->host);
	free(host);
}

struct wavetape_error *wavetape_host_info(const struct wavetape_host *host,
					  struct wavetape_host_info *info_ret)
{
	struct wavetape_host_info info;

	if (!host)
		return wt_wrong_argument(cannot_show, "the host is NULL");
	wt_host_info_facts_take(host->host, &info);
	return wt_give(cannot_show, &info, sizeof(info), info_ret);
}

static struct wavetape_error *fewer(void)
{
	return wt_wrong_argument(cannot_show, "the host is NULL, or has fewer of these");
}

struct wavetape_error *wavetape_host_version(const struct wavetape_host *host, size_t index,
					     struct wavetape_pair *pair_ret)
{
	struct wavetape_pair pair;

	if (!host || index >= host->host->versions_count)
		return fewer();
	pair = (struct wavetape_pair){
		.name = host->host->versions[index].of,
		.value = host->host->versions[index].text,
	};
	return wt_give(cannot_show, &pair, sizeof(pair), pair_ret);
}

struct wavetape_error *wavetape_host_variable(const struct wavetape_host *host, size_t index,
					      struct wavetape_pair *pair_ret)
{
	struct wavetape_pair pair;

	if (!host || index >= host->host->environment_count)
		return fewer();
	pair = (struct wavetape_pair){
		.name = host->host->environment[index].name,
		.value = host->host->environment[index].value,
	};
	return wt_give(cannot_show, &pair, sizeof(pair), pair_ret);
}

const char *wavetape_host_word(const struct wavetape_host *host, size_t index)
{
	return host && index < host->host->command_line_count ? host->host->command_line[index]
							      : NULL;
}

const char *wavetape_host_missing(const struct wavetape_host *host, size_t index)
{
	return host && index < host->host->missing_count ? host->host->missing[index] : NULL;
}

struct wavetape_error *wavetape_host_map(const struct wavetape_host *host, size_t index,
					 struct wavetape_map *map_ret)
{
	struct wavetape_map map;

	if (!host || index >= host->host->maps_count)
		return fewer();
	wt_map_facts_take(&host->host->maps[index], &map);
	return wt_give(cannot_show, &map, sizeof(map), map_ret);
}

struct wavetape_error *wavetape_host_thread(const struct wavetape_host *host, size_t index,
					    struct wavetape_thread *thread_ret)
{
	struct wavetape_thread thread;

	if (!host || index >= host->host->threads_count)
		return fewer();
	wt_thread_facts_take(&host->host->threads[index], &thread);
	return wt_give(cannot_show, &thread, sizeof(thread), thread_ret);
}

struct wavetape_error *wavetape_host_frame(const struct wavetape_host *host, size_t thread,
					   size_t index, struct wavetape_host_frame *frame_ret)
{
	struct wavetape_host_frame frame;

	if (!host || thread >= host->host->threads_count ||
	    index >= host->host->threads[thread].frame_count)
		return fewer();
	wt_host_frame_facts_take(&host->host->threads[thread].frames[index], &frame);
	return wt_give(cannot_show, &frame, sizeof(frame), frame_ret);
}

struct wavetape_error *wavetape_host_kernel_line(const struct wavetape_host *host, size_t index,
						 struct wavetape_kernel_line *line_ret)
{
	struct wavetape_kernel_line line;

	if (!host || index >= host->host->kernel_lines_count)
		return fewer();
	wt_kernel_line_facts_take(&host->host->kernel_lines[index], &line);
	return wt_give(cannot_show, &line, sizeof(line), line_ret);
}

const char *wavetape_host_device_dump(const struct wavetape_host *host, size_t index)
{
	return host && index < host->host->device_dumps_count ? host->host->device_dumps[index]
							      : NULL;
}
