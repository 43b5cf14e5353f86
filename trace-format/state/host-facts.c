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

static void free_threads(struct wt_host *host)
{
	for (size_t i = 0; i < host->threads_count; i++) {
		struct wt_host_thread *thread = &host->threads[i];

		for (size_t j = 0; j < thread->frame_count; j++) {
			free(thread->frames[j].symbol);
			free(thread->frames[j].path);
		}
		free(thread->frames);
		free(thread->name);
		free(thread->state);
		free(thread->waiting);
	}
	free(host->threads);
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
	free(host);
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
