/* SPDX-License-Identifier: MIT */
/* `wavetape check`: what of a trace is whole, and what is not. */
#include <inttypes.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/facts.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "replayer/facts/fields.h"
#include "trace-format/reader/check.h"

static json_t *tally_json(const struct wt_tally *tally)
{
	return json_pack("{s:I, s:I}", "count", (json_int_t)tally->count, "lost",
			 (json_int_t)tally->lost);
}

static json_t *check_damage_json(const struct wt_reader *reader)
{
	json_t *list = json_array();

	for (size_t i = 0; i < wt_reader_damage_count(reader); i++) {
		struct wavetape_damage damage;

		wt_damage_facts_take(wt_reader_damage_at(reader, i), &damage);
		json_array_append_new(list, wt_damage_facts_json(&damage));
	}
	return list;
}

static json_t *check_json(const struct wt_reader *reader, const struct wt_check *check)
{
	uint64_t dropped = wt_reader_damage_dropped(reader);
	struct wt_trace_info info;
	json_t *json;

	wt_reader_info(reader, &info);
	json = json_pack("{s:b, s:b, s:b, s:I, s:I, s:I, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:o}",
			 "whole", check->whole, "loss", check->loss, "closed", check->complete,
			 "file_bytes", (json_int_t)info.file_size, "unpacked_bytes",
			 (json_int_t)info.raw_size, "indexes", (json_int_t)check->indexes, "chunks",
			 tally_json(&check->chunks), "packets", tally_json(&check->packets),
			 "moments", tally_json(&check->moments), "stops",
			 (json_int_t)(check->stops.count - check->stops.lost), "stops_lost",
			 (json_int_t)check->stops.lost, "calls", tally_json(&check->calls), "blobs",
			 tally_json(&check->blobs), "damage", check_damage_json(reader));
	if (dropped)
		json_object_set_new(json, "damage_not_listed", json_integer((json_int_t)dropped));
	return json;
}

static void tally_print(const char *what, const struct wt_tally *tally)
{
	printf("%-9s %" PRIu64, what, tally->count);
	if (tally->lost)
		printf(", %" PRIu64 " lost", tally->lost);
	putchar('\n');
}

static void check_print_damage(const struct wt_reader *reader)
{
	for (size_t i = 0; i < wt_reader_damage_count(reader); i++) {
		const struct wt_damage *damage = wt_reader_damage_at(reader, i);

		printf("%s: ", damage->loss ? "lost" : "damaged");
		wt_cli_put_lines(stdout, damage->text);
		putchar('\n');
	}
	if (wt_reader_damage_dropped(reader))
		printf("and %" PRIu64 " more\n", wt_reader_damage_dropped(reader));
}

static const char *check_verdict(const struct wt_check *check)
{
	if (check->whole)
		return "whole";
	return check->loss ? "not whole: something is lost" : "damaged, but nothing is lost";
}

static void check_print(const char *path, const struct wt_reader *reader,
			const struct wt_check *check)
{
	check_print_damage(reader);
	tally_print("chunks", &check->chunks);
	tally_print("packets", &check->packets);
	tally_print("moments", &check->moments);
	/* The numbers are of what `wavetape stops` lists. */
	tally_print("stops", &check->stops);
	tally_print("calls", &check->calls);
	tally_print("blobs", &check->blobs);
	wt_cli_put(stdout, path);
	printf(": %s\n", check_verdict(check));
}

static struct wt_error *check_trace(const char *path, uint64_t budget,
				    struct wt_reader **reader_ret, struct wt_check *check_ret)
{
	struct wt_progress progress = wt_progress_start("checking");
	const struct wt_check_options options = {
		.size = sizeof(options),
		.progress = wt_progress_percent,
		.opaque = &progress,
		.budget = budget,
	};
	struct wt_error *error = wt_trace_examine(path, &options, reader_ret, check_ret);

	wt_progress_end(&progress);
	return error;
}

static error_t check_parse(int key, char *argument, struct argp_state *state)
{
	uint64_t *budget = state->input, number;

	if (key != 'b')
		return ARGP_ERR_UNKNOWN;
	if (!wt_cli_number(argument, &number) || !number || number > UINT64_MAX >> 30)
		argp_error(state, "--budget takes a number of GiB, not '%s'", argument);
	*budget = number << 30;
	return 0;
}

int wt_command_check(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"budget", 'b', "GIB", 0,
		 "give up when more than so many GiB would have to be decoded; without it, 4 GiB "
		 "and 4096 times the size of the file, which no recording takes",
		 0},
		{0},
	};
	static const struct wt_cli_verb verb = {
		.doc = "Read everything in a trace and say what is whole and what is not: each "
		       "damaged or missing piece with its place in the file and what is lost by "
		       "it. The exit code is 0 if all of it is whole, 3 if not, and 1 if it is no "
		       "trace, cannot be read, or would take more work than --budget allows.",
		.own = {.options = options, .parser = check_parse},
	};
	struct wt_cli_trace trace = {0};
	struct wt_reader *reader = NULL;
	struct wt_check check;
	struct wt_error *error;
	int code = WT_EXIT_FINE;
	uint64_t budget = 0;

	wt_cli_verb_parse(&verb, argc, argv, &trace, &budget);
	error = check_trace(trace.path, budget, &reader, &check);
	if (error)
		code = wt_cli_fail(error);
	else if (trace.json)
		code = wt_cli_json(trace.path, 0, check_json(reader, &check));
	else
		check_print(trace.path, reader, &check);
	wt_reader_close(reader);
	return code == WT_EXIT_FINE && !check.whole ? WT_EXIT_PARTIAL : code;
}
