/* SPDX-License-Identifier: MIT */
/* `wavetape triage`: many traces in groups, by what crashed. */
#include "cli/fleet/triage.h"

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/plural.h"
#include "base/visible.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/output.h"

/* ---- Files ---- */

static const char cannot_look[] = "cannot look for traces";

static void triage_files_deinit(struct wt_triage_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		free(files->files[i].path);
		json_decref(files->files[i].record);
	}
	free(files->files);
	*files = (struct wt_triage_files){0};
}

static void list_tell(const char *path, int errnum)
{
	fprintf(stderr, "wavetape: cannot read the directory: ");
	wt_cli_put(stderr, path);
	fprintf(stderr, ": %s\n", strerror(errnum));
}

/* A file that is no regular one, or that is not there, tells nothing. */
static void list_identify(struct wt_triage_file *file)
{
	struct stat status;

	if (stat(file->path, &status))
		file->record = wt_triage_unreadable(strerror(errno));
	else if (!S_ISREG(status.st_mode))
		file->record = wt_triage_unreadable("it is no regular file");
	else
		snprintf(file->key, sizeof(file->key), "%jx:%jx:%jx:%jd.%09ld",
			 (uintmax_t)status.st_dev, (uintmax_t)status.st_ino,
			 (uintmax_t)status.st_size, (intmax_t)status.st_mtim.tv_sec,
			 status.st_mtim.tv_nsec);
}

static struct wt_error *list_add(struct wt_triage_files *files, const char *path)
{
	struct wt_triage_file file = {.path = strdup(path)};

	if (!file.path)
		return &wt_error_no_memory;
	if (files->count == files->capacity) {
		size_t capacity = files->capacity ? 2 * files->capacity : 64;
		void *grown = reallocarray(files->files, capacity, sizeof(*files->files));

		if (!grown) {
			free(file.path);
			return &wt_error_no_memory;
		}
		files->files = grown;
		files->capacity = capacity;
	}
	list_identify(&file);
	files->files[files->count++] = file;
	return NULL;
}

static bool list_is_trace(const FTSENT *entry)
{
	struct stat status;

	if (entry->fts_level == FTS_ROOTLEVEL)
		return true;
	if (fnmatch("*.wtape", entry->fts_name, 0) != 0)
		return false;
	return entry->fts_info == FTS_F ||
	       (entry->fts_info == FTS_SL && !stat(entry->fts_accpath, &status) &&
		S_ISREG(status.st_mode));
}

static struct wt_error *list_take(struct wt_triage_files *files, const FTSENT *entry)
{
	switch (entry->fts_info) {
	case FTS_DNR:
	case FTS_ERR:
		list_tell(entry->fts_path, entry->fts_errno);
		files->unreadable++;
		return NULL;
	case FTS_D:
	case FTS_DP:
	case FTS_DC:
		return NULL;
	default:
		return list_is_trace(entry) ? list_add(files, entry->fts_path) : NULL;
	}
}

static int list_compare(const void *a, const void *b)
{
	const struct wt_triage_file *left = a, *right = b;

	return strcmp(left->path, right->path);
}

static void list_drop_doubles(struct wt_triage_files *files)
{
	size_t kept = 0;

	for (size_t i = 0; i < files->count; i++) {
		struct wt_triage_file *file = &files->files[i];

		if (kept && !strcmp(files->files[kept - 1].path, file->path)) {
			free(file->path);
			json_decref(file->record);
		} else {
			files->files[kept++] = *file;
		}
	}
	files->count = kept;
}

/*
 * Find the traces: files as they are named, and below directories every *.wtape, in the order of their paths. A directory that
 * cannot be read is told on stderr and counted. Links below a directory are followed to files alone.
 *
 * @files: zeros; for triage_files_deinit(), also after an error.
 */
static struct wt_error *triage_list(char *const *paths, struct wt_triage_files *files)
{
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	struct wt_error *error = NULL;
	FTSENT *entry;

	if (!walk)
		return wt_error_errno(errno, cannot_look, paths[0]);
	while (!error && (errno = 0, entry = fts_read(walk)))
		error = list_take(files, entry);
	if (!error && errno)
		error = wt_error_errno(errno, cannot_look, NULL);
	fts_close(walk);
	if (files->count)
		qsort(files->files, files->count, sizeof(*files->files), list_compare);
	list_drop_doubles(files);
	return error;
}

/* ---- Groups ---- */

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

static void triage_groups_deinit(struct wt_triage_groups *groups)
{
	free(groups->sorted);
	free(groups->groups);
	*groups = (struct wt_triage_groups){0};
}

/* Sort the records by their signatures. */
static struct wt_error *triage_groups_make(const struct wt_triage_files *files,
					   struct wt_triage_groups *groups_ret)
{
	struct wt_triage_groups groups = {
		.sorted = calloc(files->count + 1, sizeof(*groups.sorted)),
		.groups = calloc(files->count + 1, sizeof(*groups.groups)),
	};

	if (!groups.sorted || !groups.groups) {
		triage_groups_deinit(&groups);
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

/* ---- Text, JSON, CSV ---- */

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
	if (json_is_true(json_object_get(record, "where_stopped")))
		printf(", where it was stopped (`wavetape explain` looks for what failed)");
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

/* ---- Output ---- */
static void triage_print_groups(const struct wt_triage_groups *groups)
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

static const char *const same[] = {"signature", "status",	 "architecture", "kernel",
				   "reason",	"source",	 "line",	 "function",
				   "offset",	"where_stopped", "frames",	 "assertion"};

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

static json_t *triage_groups_json(const struct wt_triage_files *files,
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
	"signature", "status",	   "architecture", "kernel",  "kernel_symbol", "reason",
	"source",    "line",	   "function",	   "offset",  "where_stopped", "frames",
	"waves",     "waves_here", "stop",	   "time_ns", "host",	       "rank",
	"job",	     "process_id", "executable",   "bytes",   "closed",	       "ended_early",
	"damage",    "error",
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(*columns))

/* A line for each trace; an exit code. */
static int triage_print_lines(const struct wt_triage_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		const struct wt_triage_file *file = &files->files[i];
		json_t *line = json_pack("{s:o}", "file", wt_cli_json_text(file->path));

		for (size_t j = 0; line && j < COLUMN_COUNT; j++) {
			json_t *value = json_object_get(file->record, columns[j]);

			json_object_set_new(line, columns[j],
					    value ? json_incref(value) : json_null());
		}
		if (!line)
			return wt_cli_fail(&wt_error_no_memory);
		/* A loss of what stdout did not take is told when the command ends. */
		if (!wt_cli_json_line(stdout, line))
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

/* The same as CSV (RFC 4180), with a line of names before. */
static void triage_print_csv(const struct wt_triage_files *files)
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

/* More processes than this wait for each other. */
#define JOBS_MAX 256u

/* Seconds for one trace, where nothing else is said: far more than a whole one on a slow disk takes. */
#define SECONDS 60u
#define SECONDS_MAX 86400u

enum key { KEY_LINES = 256, KEY_CSV, KEY_NO_CACHE, KEY_NAMES, KEY_TIME_LIMIT };

struct options {
	enum form { FORM_TEXT, FORM_JSON, FORM_LINES, FORM_CSV } form;
	struct wt_triage_limits limits;
	bool no_cache;
	const char *names;
	char **paths; /* NULL behind the last */
	size_t count;
};

/* The cores that this process may use. */
static size_t machine_cores(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) || CPU_COUNT(&set) < 1)
		return 1;
	return (size_t)CPU_COUNT(&set) < JOBS_MAX ? (size_t)CPU_COUNT(&set) : JOBS_MAX;
}

static error_t triage_take_path(struct options *options, char *path)
{
	char **grown = reallocarray(options->paths, options->count + 2, sizeof(*grown));

	if (!grown)
		return ENOMEM;
	options->paths = grown;
	options->paths[options->count++] = path;
	options->paths[options->count] = NULL;
	return 0;
}

static void triage_take_form(struct argp_state *state, enum form form)
{
	struct options *options = state->input;

	if (options->form != FORM_TEXT && options->form != form)
		argp_error(state, "only one of --json, --json-lines and --csv");
	options->form = form;
}

static error_t triage_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;
	uint64_t number;

	switch (key) {
	case 'j':
		triage_take_form(state, FORM_JSON);
		return 0;
	case KEY_LINES:
		triage_take_form(state, FORM_LINES);
		return 0;
	case KEY_CSV:
		triage_take_form(state, FORM_CSV);
		return 0;
	case 'J':
		if (!wt_cli_number(argument, &number) || number < 1 || number > JOBS_MAX)
			argp_error(state, "--jobs: not a number from 1 to %u: %s", JOBS_MAX,
				   argument);
		options->limits.jobs = (size_t)number;
		return 0;
	case KEY_TIME_LIMIT:
		if (!wt_cli_number(argument, &options->limits.seconds) ||
		    options->limits.seconds > SECONDS_MAX)
			argp_error(state, "--time-limit: not a number up to %u: %s", SECONDS_MAX,
				   argument);
		return 0;
	case KEY_NO_CACHE:
		options->no_cache = true;
		return 0;
	case KEY_NAMES:
		options->names = argument;
		return 0;
	case ARGP_KEY_ARG:
		return triage_take_path(options, argument);
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no directory and no trace is named");
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* A line for each line of damage, and for each file that is no trace. */
static void triage_tell(const struct wt_triage_file *file, const char *what, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		char *line = strndup(text, length);

		fprintf(stderr, "wavetape: %s: ", what);
		wt_cli_put(stderr, file->path);
		fprintf(stderr, ": ");
		wt_cli_put(stderr, line);
		putc('\n', stderr);
		free(line);
		text += length + (text[length] == '\n');
	}
}

/* Return: is anything not whole? */
static bool triage_tell_all(const struct wt_triage_files *files)
{
	bool partial = files->unreadable > 0;

	fflush(stdout);
	for (size_t i = 0; i < files->count; i++) {
		const struct wt_triage_file *file = &files->files[i];
		const char *damage = wt_triage_text(file->record, "damage");
		const char *error = wt_triage_text(file->record, "error");

		if (damage)
			triage_tell(file, "the trace is not whole", damage);
		if (error)
			triage_tell(file, "cannot read the trace", error);
		partial |= damage || error;
	}
	return partial;
}

static int triage_print(const struct options *options, const struct wt_triage_files *files)
{
	struct wt_triage_groups groups = {0};
	struct wt_error *error;
	int code = WT_EXIT_FINE;

	if (options->form == FORM_LINES)
		return triage_print_lines(files);
	if (options->form == FORM_CSV) {
		triage_print_csv(files);
		return WT_EXIT_FINE;
	}
	error = triage_groups_make(files, &groups);
	if (error)
		return wt_cli_fail(error);
	if (options->form == FORM_JSON)
		code = wt_cli_json(NULL, 0, triage_groups_json(files, &groups));
	else
		triage_print_groups(&groups);
	triage_groups_deinit(&groups);
	return code;
}

static struct wt_error *triage_read_all(const struct options *options,
					struct wt_triage_files *files)
{
	json_t *known = NULL;
	struct wt_error *error = triage_list(options->paths, files);

	if (!error && !files->count && !files->unreadable)
		error = wt_error_create(WT_ERROR_NOT_FOUND, "cannot sort traces", options->paths[0],
					"there is no file *.wtape");
	if (!error && !options->no_cache)
		error = wt_triage_cache_read(files, &known);
	if (!error)
		error = wt_triage_run(files, &options->limits);
	if (!error && known)
		wt_triage_cache_write(files, known);
	json_decref(known);
	if (!error && options->names)
		error = wt_triage_take_names(options->names, files);
	return error;
}

int wt_command_triage(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"json", 'j', NULL, 0, "print the groups as JSON", 0},
		{"json-lines", KEY_LINES, NULL, 0,
		 "print a JSON object for each trace, on a line of its own", 0},
		{"csv", KEY_CSV, NULL, 0, "print a row for each trace as CSV (RFC 4180)", 0},
		{"jobs", 'J', "N", 0, "read N traces at a time; without it, one on each core", 0},
		{"time-limit", KEY_TIME_LIMIT, "SECONDS", 0,
		 "how long reading one trace may take (default 60; 0: for ever)", 0},
		{"names", KEY_NAMES, "PATTERN", 0,
		 "take host, rank and job from the names of files, which were recorded as PATTERN "
		 "(%h, %r, %j and the like)",
		 0},
		{"no-cache", KEY_NO_CACHE, NULL, 0,
		 "read every trace again, and keep nothing of them", 0},
		{0},
	};
	static const struct argp argp = {
		.options = argp_options,
		.parser = triage_parse,
		.args_doc = "DIR|FILE...",
		.doc = "Sort traces by what crashed: those with the same architecture, kernel, "
		       "source line, offset, reason and first functions are a group. Below a "
		       "directory every *.wtape counts. What was read of a trace is kept in the "
		       "cache ($XDG_CACHE_HOME/wavetape), so that only new ones are read. Traces "
		       "that are damaged or cannot be read are named; the exit code is 3 then.",
	};
	struct options options = {.limits = {.jobs = machine_cores(), .seconds = SECONDS}};
	struct wt_triage_files files = {0};
	struct wt_error *error;
	int code;

	wt_cli_parse(&argp, argc, argv, &options);
	error = triage_read_all(&options, &files);
	code = error ? wt_cli_fail(error) : triage_print(&options, &files);
	if (!error && triage_tell_all(&files) && code == WT_EXIT_FINE)
		code = WT_EXIT_PARTIAL;
	triage_files_deinit(&files);
	free(options.paths);
	return code;
}
