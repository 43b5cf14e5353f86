/* SPDX-License-Identifier: MIT */
/* The trace and the stop that a verb was asked to look at. */
#include <string.h>

#include "cli/command.h"

static error_t parse_trace(int key, char *argument, struct argp_state *state)
{
	struct wt_cli_trace *trace = state->input;
	uint64_t number;

	switch (key) {
	case 'j':
		trace->json = true;
		return 0;
	case 's':
		if (!wt_cli_number(argument, &number) || !number || number > UINT32_MAX)
			argp_error(state,
				   "--stop takes a number from 1, as `wavetape stops` lists them, "
				   "not '%s'",
				   argument);
		trace->has_stop = true;
		trace->stop = (uint32_t)number;
		return 0;
	case ARGP_KEY_ARG:
		if (trace->path)
			return ARGP_ERR_UNKNOWN;
		trace->path = argument;
		return 0;
	case ARGP_KEY_END:
		if (!trace->path)
			argp_error(state, "which trace? Name a FILE");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option stop_options[] = {
	{"json", 'j', NULL, 0, "print JSON", 0},
	{"stop", 's', "N", 0,
	 "look at stop N (from 1); without it, at the last one with a fault, "
	 "else at the last one",
	 0},
	{0},
};

static const struct argp_option plain_options[] = {
	{"json", 'j', NULL, 0, "print JSON", 0},
	{0},
};

const struct argp wt_cli_trace_argp = {.options = stop_options, .parser = parse_trace};
const struct argp wt_cli_trace_plain_argp = {.options = plain_options, .parser = parse_trace};

bool wt_cli_is_loss(struct wt_error *error)
{
	if (!error || (error->code != WT_ERROR_INPUT && error->code != WT_ERROR_NOT_FOUND))
		return false;
	wt_error_destroy(error);
	return true;
}

/* A moment that is lost is not counted: nothing tells whether it was a stop. */
static struct wt_error *find_stops(struct wt_cli_trace *trace)
{
	uint32_t count = wt_reader_moment_count(trace->reader);

	trace->stops = calloc(count ? count : 1, sizeof(*trace->stops));
	if (!trace->stops)
		return &wt_error_no_memory;
	for (uint32_t i = 0; i < count; i++) {
		const struct wt_moment *moment;
		struct wt_error *error = wt_reader_moment(trace->reader, i, &moment);

		if (wt_cli_is_loss(error))
			continue;
		if (error)
			return error;
		if (moment->cause == WT_MOMENT_STOP)
			trace->stops[trace->stop_count++] = i;
	}
	return NULL;
}

void wt_cli_damage(const struct wt_reader *reader, const char *path, size_t *told)
{
	const char *damage = wt_reader_damage(reader);

	if (!damage || strlen(damage) <= *told)
		return;
	/* Text is only ever added, in lines of its own. */
	fflush(stdout);
	fprintf(stderr, "wavetape: the trace is not whole: ");
	wt_cli_put(stderr, path);
	fprintf(stderr, ": ");
	wt_cli_put_lines(stderr, damage + *told + (*told && damage[*told] == '\n'));
	putc('\n', stderr);
	*told = strlen(damage);
}

static struct wt_error *open_trace(struct wt_cli_trace *trace)
{
	struct wt_error *error = wt_reader_open(trace->path, &trace->reader);

	if (error)
		return error;
	wt_cli_damage(trace->reader, trace->path, &trace->damage_told);
	return find_stops(trace);
}

bool wt_cli_cut(const struct wt_reader *reader, const char *path)
{
	struct wt_trace_info info;

	wt_reader_info(reader, &info);
	if (!info.cut)
		return false;
	fflush(stdout);
	fprintf(stderr, "wavetape: the recording ended early: ");
	wt_cli_put(stderr, path);
	fprintf(stderr, ": ");
	wt_cli_put(stderr, info.end_reason);
	putc('\n', stderr);
	return true;
}

int wt_cli_trace_run(struct wt_cli_trace *trace, wt_cli_show show, void *options)
{
	struct wt_error *error = open_trace(trace);
	int code = WT_EXIT_FINE;
	json_t *json = NULL;

	if (!error)
		error = show(trace, options, &json);
	if (error) {
		code = wt_cli_fail(error);
		json_decref(json);
	} else if (trace->json) {
		code = wt_cli_json(json);
	}
	if (trace->reader)
		wt_cli_damage(trace->reader, trace->path, &trace->damage_told);
	if (code == WT_EXIT_FINE &&
	    (wt_reader_damage(trace->reader) || wt_cli_cut(trace->reader, trace->path)))
		code = WT_EXIT_PARTIAL;
	wt_reader_close(trace->reader);
	free(trace->stops);
	return code;
}

void wt_cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	argp_parse(argp, argc, argv, 0, NULL, input);
}

/* The last stop with a fault, else the last one; among those whose state is not lost. */
static struct wt_error *view_telling(struct wt_cli_trace *trace, struct wt_view **view_ret,
				     uint32_t *stop_ret)
{
	uint32_t last = 0;

	for (uint32_t i = trace->stop_count; i > 0; i--) {
		struct wt_view *view;
		struct wt_error *error = wt_view_open(trace->reader, trace->stops[i - 1], &view);

		if (wt_cli_is_loss(error))
			continue;
		if (error)
			return error;
		if (wt_view_has_fault(view)) {
			*view_ret = view;
			*stop_ret = i;
			return NULL;
		}
		wt_view_close(view);
		last = last ? last : i;
	}
	*stop_ret = last ? last : trace->stop_count;
	return wt_view_open(trace->reader, trace->stops[*stop_ret - 1], view_ret);
}

struct wt_error *wt_cli_trace_view(struct wt_cli_trace *trace, struct wt_view **view_ret,
				   uint32_t *stop_ret)
{
	static const char what[] = "cannot show the stop";

	if (!trace->stop_count)
		return wt_error_create(
			WT_ERROR_NOT_FOUND, what, trace->path,
			"the trace has no stop: nothing stopped while it was recorded");
	if (trace->has_stop) {
		if (trace->stop > trace->stop_count)
			return wt_error_create(
				WT_ERROR_USAGE, what, trace->path,
				"there is no stop %u: the trace has %u, counted from 1",
				trace->stop, trace->stop_count);
		*stop_ret = trace->stop;
		return wt_view_open(trace->reader, trace->stops[trace->stop - 1], view_ret);
	}
	return view_telling(trace, view_ret, stop_ret);
}
