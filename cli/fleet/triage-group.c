/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cli/fleet/triage.h"

static const char *file_signature(const struct wt_triage_file *file)
{
	return wt_triage_text(file->record, "signature");
}

static json_int_t file_time(const struct wt_triage_file *file)
{
	return json_integer_value(json_object_get(file->record, "time_ns"));
}

static int group_compare_files(const void *a, const void *b)
{
	const struct wt_triage_file *left = *(const struct wt_triage_file *const *)a;
	const struct wt_triage_file *right = *(const struct wt_triage_file *const *)b;
	int order = strcmp(file_signature(left), file_signature(right));

	if (order)
		return order;
	if (file_time(left) != file_time(right))
		return file_time(left) < file_time(right) ? -1 : 1;
	return strcmp(left->path, right->path);
}

static int group_compare_groups(const void *a, const void *b)
{
	const struct wt_triage_group *left = a, *right = b;

	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	return strcmp(file_signature(left->files[0]), file_signature(right->files[0]));
}

static const struct wt_triage_file *group_choose(const struct wt_triage_group *group)
{
	for (size_t i = 0; i < group->count; i++)
		if (!wt_triage_text(group->files[i]->record, "damage"))
			return group->files[i];
	return group->files[0];
}

static void group_divide(struct wt_triage_groups *groups)
{
	for (size_t i = 0, next; i < groups->traces; i = next) {
		struct wt_triage_group *group = &groups->groups[groups->count++];

		for (next = i + 1;
		     next < groups->traces && !strcmp(file_signature(groups->sorted[i]),
						      file_signature(groups->sorted[next]));)
			next++;
		*group = (struct wt_triage_group){.files = groups->sorted + i, .count = next - i};
		group->example = group_choose(group);
	}
	qsort(groups->groups, groups->count, sizeof(*groups->groups), group_compare_groups);
}

struct wt_error *wt_triage_groups_make(const struct wt_triage_files *files,
				       struct wt_triage_groups *groups_ret)
{
	struct wt_triage_groups groups = {
		.sorted = calloc(files->count + 1, sizeof(*groups.sorted)),
		.groups = calloc(files->count + 1, sizeof(*groups.groups)),
	};

	if (!groups.sorted || !groups.groups) {
		wt_triage_groups_deinit(&groups);
		return &wt_error_no_memory;
	}
	for (size_t i = 0; i < files->count; i++) {
		const struct wt_triage_file *file = &files->files[i];

		groups.damaged += wt_triage_text(file->record, "damage") != NULL;
		if (file_signature(file))
			groups.sorted[groups.traces++] = file;
		else if (wt_triage_is_too_slow(file->record))
			groups.too_slow++;
		else
			groups.unreadable++;
	}
	qsort(groups.sorted, groups.traces, sizeof(*groups.sorted), group_compare_files);
	group_divide(&groups);
	*groups_ret = groups;
	return NULL;
}

void wt_triage_groups_deinit(struct wt_triage_groups *groups)
{
	free(groups->sorted);
	free(groups->groups);
	*groups = (struct wt_triage_groups){0};
}
