/* SPDX-License-Identifier: MIT */
#include "cli/look/info-notices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/output.h"

void wt_info_notices_deinit(struct wt_info_notices *notices)
{
	for (size_t i = 0; i < notices->count; i++)
		free(notices->texts[i]);
	free(notices->texts);
	wt_journal_close(notices->journal);
	wt_error_destroy(notices->error);
}

struct wt_error *wt_info_keep_notice(struct wt_info_notices *notices, const char *text)
{
	size_t capacity = notices->capacity ? notices->capacity * 2 : 16;
	char **texts;

	if (notices->count == notices->capacity) {
		texts = reallocarray(notices->texts, capacity, sizeof(*texts));
		if (!texts)
			return &wt_error_no_memory;
		notices->texts = texts;
		notices->capacity = capacity;
	}
	notices->texts[notices->count] = strdup(text);
	return notices->texts[notices->count++] ? NULL : &wt_error_no_memory;
}

void wt_info_read_notices(void *opaque, uint32_t moment)
{
	struct wt_info_notices *notices = opaque;
	const struct wt_journal_record *record;

	while (!notices->error && !notices->at_end) {
		notices->error = wt_journal_next(notices->journal, &record);
		if (notices->error)
			return;
		notices->at_end = !record;
		if (!record || (record->kind == WT_JOURNAL_MOMENT && record->moment >= moment))
			return;
		wt_losses_note(&notices->losses, record);
		if (record->kind == WT_JOURNAL_NOTICE && !record->notice_is_host)
			notices->error = wt_info_keep_notice(notices, record->notice);
	}
}

struct wt_error *wt_info_show_notices(struct wt_info_notices *notices, json_t *array)
{
	for (size_t i = 0; i < notices->count; i++) {
		if (array) {
			json_array_append_new(array, wt_cli_json_text(notices->texts[i]));
			continue;
		}
		printf("notice       ");
		wt_cli_put(stdout, notices->texts[i]);
		putchar('\n');
	}
	return wt_take(notices->error);
}
