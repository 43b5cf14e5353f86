/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/visible.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/fleet/triage.h"
#include "cli/output.h"

#define SHOWN_NAMES 8u

/* ---- What the traces of a group have different ---- */

/* The values that a field has in a group, sorted, each with its count; an object. */
static json_t *triage_print_count_values(const struct wt_triage_group *group, const char *name)
{
	json_t *counts = json_object();

	for (size_t i = 0; i < group->count; i++) {
		const char *value = wt_triage_text(group->files[i]->record, name);

		if (value)
			json_object_set_new(
				counts, value,
				json_integer(json_integer_value(json_object_get(counts, value)) +
					     1));
	}
	return counts;
}

static int triage_print_compare_names(const void *a, const void *b)
{
	/* Ranks are numbers, and hosts often end with one. */
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names in an object, sorted; the array is to free(), the texts are the object's. */
static const char **counts_sorted_names(json_t *counts)
{
	const char **names = calloc(json_object_size(counts) + 1, sizeof(*names)), *name;
	size_t count = 0;
	json_t *value;

	if (!names)
		return NULL;
	json_object_foreach(counts, name, value) names[count++] = name;
	qsort(names, count, sizeof(*names), triage_print_compare_names);
	return names;
}

static json_int_t group_field_time(const struct wt_triage_group *group, bool last)
{
	json_int_t found = 0;

	for (size_t i = 0; i < group->count; i++) {
		json_int_t time =
			json_integer_value(json_object_get(group->files[i]->record, "time_ns"));

		if (time && (!found || (last ? time > found : time < found)))
			found = time;
	}
	return found;
}

/* ---- Text ---- */

/* "hosts        3: node1 (4), node2 (2), node3". Nothing if none is known. */
static void triage_print_values(const struct wt_triage_group *group, const char *label,
				const char *name)
{
	json_t *counts = triage_print_count_values(group, name);
	const char **names = counts_sorted_names(counts);
	size_t count = json_object_size(counts);

	for (size_t i = 0; names && i < count && i < SHOWN_NAMES; i++) {
		json_int_t times = json_integer_value(json_object_get(counts, names[i]));

		if (!i)
			printf("%-12s %zu: ", label, count);
		printf("%s", i ? ", " : "");
		wt_cli_put(stdout, names[i]);
		if (times > 1)
			printf(" (%" JSON_INTEGER_FORMAT ")", times);
	}
	if (count > SHOWN_NAMES)
		printf(" and %zu more", count - SHOWN_NAMES);
	if (count)
		putchar('\n');
	free(names);
	json_decref(counts);
}

/* "memory violation" for "MEMORY_VIOLATION". */
static void triage_print_reason(const json_t *record)
{
	const char *reason = wt_triage_text(record, "reason");
	const char *status = wt_triage_text(record, "status");

	if (strcmp(status, "fault") != 0) {
		printf("%s", !strcmp(status, "no_fault")  ? "no fault"
			     : !strcmp(status, "no_stop") ? "no stop"
							  : "the states of all stops are lost");
		return;
	}
	for (const char *c = reason ? reason : ""; *c; c++)
		printf(*c == '|' ? " and " : "%c", *c == '_'		    ? ' '
						   : *c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a'
									    : *c);
}

static void triage_print_place(const json_t *record)
{
	const char *source = wt_triage_text(record, "source");
	const char *function = wt_triage_text(record, "function");

	if (!source && !function)
		return;
	printf("at           ");
	if (source) {
		wt_cli_put(stdout, source);
		printf(":%" JSON_INTEGER_FORMAT "%s",
		       json_integer_value(json_object_get(record, "line")), function ? ", " : "");
	}
	if (function) {
		wt_cli_put(stdout, function);
		printf("+%s", wt_triage_text(record, "offset"));
	}
	putchar('\n');
}

static void triage_print_frames(const json_t *record)
{
	const json_t *frames = json_object_get(record, "frames");

	/* One alone is the function that was just named. */
	if (json_array_size(frames) < 2)
		return;
	for (size_t i = 0; i < json_array_size(frames); i++) {
		const char *name = json_string_value(json_array_get(frames, i));

		printf("%s", i ? " < " : "frames       ");
		wt_cli_put(stdout, name ? name : "?");
	}
	putchar('\n');
}

static void triage_print_assertion(const json_t *record)
{
	const char *sentence = wt_triage_text(record, "assertion");

	if (!sentence)
		return;
	printf("cause        ");
	wt_cli_put(stdout, sentence);
	putchar('\n');
}

static void triage_print_times(const struct wt_triage_group *group)
{
	json_int_t first = group_field_time(group, false), last = group_field_time(group, true);
	char text[WT_DESCRIBE_MAX];

	if (!first)
		return;
	printf("recorded     %s", wt_describe_time((uint64_t)first, text));
	if (first != last)
		printf(" to %s", wt_describe_time((uint64_t)last, text));
	putchar('\n');
}

static void triage_print_group(const struct wt_triage_group *group)
{
	const json_t *record = group->example->record;
	const char *kernel = wt_triage_text(record, "kernel");
	const char *architecture = wt_triage_text(record, "architecture");

	printf("\n%zu %s%*s ", group->count, wt_plural(group->count, "trace", "traces"),
	       group->count < 10 ? 5 - (int)(group->count > 1) : 1, "");
	triage_print_reason(record);
	if (kernel) {
		printf(" in kernel ");
		wt_cli_put(stdout, kernel);
	}
	putchar('\n');
	triage_print_place(record);
	triage_print_frames(record);
	triage_print_assertion(record);
	printf("signature    %s%s%s\n", wt_triage_text(record, "signature"),
	       architecture ? ", " : "", architecture ? architecture : "");
	triage_print_times(group);
	triage_print_values(group, "hosts", "host");
	triage_print_values(group, "ranks", "rank");
	triage_print_values(group, "jobs", "job");
	printf("%-12s ", group->count > 1 ? "one of them" : "it is");
	wt_cli_put(stdout, group->example->path);
	putchar('\n');
}

void wt_triage_print(const struct wt_triage_groups *groups)
{
	printf("%zu %s in %zu %s", groups->traces, wt_plural(groups->traces, "trace", "traces"),
	       groups->count, wt_plural(groups->count, "group", "groups"));
	if (groups->damaged)
		printf(", %zu of them damaged", groups->damaged);
	if (groups->unreadable)
		printf("; %zu %s no trace that can be read", groups->unreadable,
		       wt_plural(groups->unreadable, "file is", "files are"));
	if (groups->too_slow)
		printf("; %zu %s longer than there was time", groups->too_slow,
		       wt_plural(groups->too_slow, "trace takes", "traces take"));
	putchar('\n');
	for (size_t i = 0; i < groups->count; i++)
		triage_print_group(&groups->groups[i]);
}

/* ---- JSON ---- */

static const char *const same[] = {"signature", "status", "architecture", "kernel",
				   "reason",	"source", "line",	  "function",
				   "offset",	"frames", "assertion"};

static json_t *triage_print_values_json(const struct wt_triage_group *group, const char *name)
{
	json_t *counts = triage_print_count_values(group, name), *array = json_array();
	const char **names = counts_sorted_names(counts);

	for (size_t i = 0; names && i < json_object_size(counts); i++)
		json_array_append_new(array,
				      json_pack("{s:o, s:O}", "name", wt_cli_json_text(names[i]),
						"traces", json_object_get(counts, names[i])));
	free(names);
	json_decref(counts);
	return array;
}

static json_t *triage_time_json(json_int_t time)
{
	return time ? json_integer(time) : json_null();
}

static json_t *triage_group_json(const struct wt_triage_group *group)
{
	json_t *json = json_object();

	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
		json_t *value = json_object_get(group->example->record, same[i]);

		json_object_set_new(json, same[i], value ? json_incref(value) : json_null());
	}
	json_object_set_new(json, "traces", json_integer((json_int_t)group->count));
	json_object_set_new(json, "first_time_ns",
			    triage_time_json(group_field_time(group, false)));
	json_object_set_new(json, "last_time_ns", triage_time_json(group_field_time(group, true)));
	json_object_set_new(json, "hosts", triage_print_values_json(group, "host"));
	json_object_set_new(json, "ranks", triage_print_values_json(group, "rank"));
	json_object_set_new(json, "jobs", triage_print_values_json(group, "job"));
	json_object_set_new(json, "example", wt_cli_json_text(group->example->path));
	return json;
}

json_t *wt_triage_groups_json(const struct wt_triage_files *files,
			      const struct wt_triage_groups *groups)
{
	json_t *array = json_array(), *unreadable = json_array(), *damaged = json_array();

	for (size_t i = 0; i < groups->count; i++)
		json_array_append_new(array, triage_group_json(&groups->groups[i]));
	for (size_t i = 0; i < files->count; i++) {
		const struct wt_triage_file *file = &files->files[i];
		const char *error = wt_triage_text(file->record, "error");
		const char *damage = wt_triage_text(file->record, "damage");

		if (error)
			json_array_append_new(unreadable, json_pack("{s:o, s:s}", "file",
								    wt_cli_json_text(file->path),
								    "error", error));
		if (damage)
			json_array_append_new(damaged, json_pack("{s:o, s:s}", "file",
								 wt_cli_json_text(file->path),
								 "damage", damage));
	}
	return json_pack("{s:I, s:o, s:o, s:o}", "traces", (json_int_t)groups->traces, "groups",
			 array, "damaged", damaged, "unreadable", unreadable);
}

/* ---- One line for each trace ---- */

/* In this order, and always all: engines take the names and types from the first lines. */
static const char *const columns[] = {
	"signature", "status", "architecture", "kernel",     "kernel_symbol",
	"reason",    "source", "line",	       "function",   "offset",
	"frames",    "waves",  "waves_here",   "stop",	     "time_ns",
	"host",	     "rank",   "job",	       "process_id", "executable",
	"bytes",     "closed", "ended_early",  "damage",     "error",
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(*columns))

int wt_triage_print_lines(const struct wt_triage_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		const struct wt_triage_file *file = &files->files[i];
		json_t *line = json_pack("{s:o}", "file", wt_cli_json_text(file->path));
		int failed;

		for (size_t j = 0; line && j < COLUMN_COUNT; j++) {
			json_t *value = json_object_get(file->record, columns[j]);

			json_object_set_new(line, columns[j],
					    value ? json_incref(value) : json_null());
		}
		if (!line)
			return wt_cli_fail(&wt_error_no_memory);
		failed = json_dumpf(line, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
		json_decref(line);
		putchar('\n');
		/* A loss of what stdout did not take is told when the command ends. */
		if (failed)
			return WT_EXIT_FAILED;
	}
	return WT_EXIT_FINE;
}

/* A field in quotes, where it has to be. Line ends in it are shown as \n: a row is one line. */
static void triage_print_put_quoted(const char *text)
{
	size_t size = strlen(text) * 4 + 1;
	char *shown = malloc(size);

	if (!shown)
		return;
	wt_visible(text, shown, size);
	if (!shown[strcspn(shown, ",\"")]) {
		fputs(shown, stdout);
	} else {
		putchar('"');
		for (const char *c = shown; *c; c++)
			printf(*c == '"' ? "\"\"" : "%c", *c);
		putchar('"');
	}
	free(shown);
}

/* Print as JSON has it, so that bytes that are no UTF-8 are replaced; a list has blanks between. */
static void triage_print_put_field(const json_t *value)
{
	if (json_is_string(value)) {
		triage_print_put_quoted(json_string_value(value));
	} else if (json_is_integer(value)) {
		printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
	} else if (json_is_boolean(value)) {
		fputs(json_is_true(value) ? "true" : "false", stdout);
	} else if (json_array_size(value)) {
		char *text;
		size_t size = 1;

		for (size_t i = 0; i < json_array_size(value); i++)
			size += json_string_length(json_array_get(value, i)) + 3;
		text = calloc(1, size);
		for (size_t i = 0; text && i < json_array_size(value); i++) {
			const char *one = json_string_value(json_array_get(value, i));

			strcat(strcat(text, i ? " < " : ""), one ? one : "");
		}
		triage_print_put_quoted(text ? text : "");
		free(text);
	}
}

void wt_triage_print_csv(const struct wt_triage_files *files)
{
	fputs("file", stdout);
	for (size_t j = 0; j < COLUMN_COUNT; j++)
		printf(",%s", columns[j]);
	fputs("\r\n", stdout);
	for (size_t i = 0; i < files->count; i++) {
		json_t *path = wt_cli_json_text(files->files[i].path);

		triage_print_put_field(path);
		json_decref(path);
		for (size_t j = 0; j < COLUMN_COUNT; j++) {
			putchar(',');
			triage_print_put_field(json_object_get(files->files[i].record, columns[j]));
		}
		fputs("\r\n", stdout);
	}
}
