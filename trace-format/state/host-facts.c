/* SPDX-License-Identifier: MIT */
#include "trace-format/state/host-facts.h"

#include <stdlib.h>
#include <string.h>

struct wt_host *wt_host_create(void)
{
	return calloc(1, sizeof(struct wt_host));
}

static void free_texts(char **texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
	free(texts);
}

static void free_frames(struct wt_host_frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(frames[i].symbol);
		free(frames[i].path);
		free(frames[i].file);
	}
	free(frames);
}

static void free_threads(struct wt_host *host)
{
	for (size_t i = 0; i < host->threads_count; i++) {
		struct wt_host_thread *thread = &host->threads[i];

		free_frames(thread->frames, thread->frame_count);
		free(thread->name);
		free(thread->state);
		free(thread->waiting);
	}
	free(host->threads);
}

static void free_allocations(struct wt_host *host)
{
	for (size_t i = 0; i < host->allocations_count; i++) {
		free(host->allocations[i].agent);
		free(host->allocations[i].made.function);
		free(host->allocations[i].freed.function);
	}
	free(host->allocations);
	for (size_t i = 0; i < host->stacks_count; i++)
		free_frames(host->stacks[i].frames, host->stacks[i].frame_count);
	free(host->stacks);
	free(host->device_faults);
}

void wt_host_destroy(struct wt_host *host)
{
	if (!host)
		return;
	free(host->executable);
	for (size_t i = 0; i < host->versions_count; i++) {
		free(host->versions[i].of);
		free(host->versions[i].text);
	}
	free(host->versions);
	free_texts(host->command_line, host->command_line_count);
	for (size_t i = 0; i < host->maps_count; i++)
		free(host->maps[i].path);
	free(host->maps);
	free_threads(host);
	for (size_t i = 0; i < host->environment_count; i++) {
		free(host->environment[i].name);
		free(host->environment[i].value);
	}
	free(host->environment);
	free_texts(host->missing, host->missing_count);
	for (size_t i = 0; i < host->kernel_lines_count; i++)
		free(host->kernel_lines[i].text);
	free(host->kernel_lines);
	free_texts(host->device_dumps, host->device_dumps_count);
	free_allocations(host);
	if (host->queue_error)
		free(host->queue_error->text);
	free(host->queue_error);
	free(host);
}

bool wt_host_is_of_runtime(const char *variable)
{
	static const char *const beginnings[] = {"AMD_", "HIP_", "HSA_", "ROCR_"};

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
		if (!strncmp(variable, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

void *wt_host_add(void **list, size_t *count, size_t *capacity, size_t size)
{
	if (*count == *capacity) {
		size_t wanted = *capacity ? *capacity * 2 : 16;
		void *grown = reallocarray(*list, wanted, size);

		if (!grown)
			return NULL;
		*list = grown;
		*capacity = wanted;
	}
	return memset((uint8_t *)*list + (*count)++ * size, 0, size);
}
