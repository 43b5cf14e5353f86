/* SPDX-License-Identifier: MIT */
/* `wavetape goto`, `next`, `previous`: send a running replay to another stop. `replays`: list those that run. */
#include <time.h>

#include "base/cleanup.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/replay/running.h"

#define DEFAULT_WAIT 5	/* seconds */
#define MAX_WAIT 86400u /* a day */
#define PAUSE 20000000	/* nanoseconds between questions */

struct options {
	const char *verb;
	const char *replay;
	bool with_stop, json;
	uint32_t stop;
	uint32_t wait;
};

enum { OPTION_WAIT = 256 };

/** @what: the argument, and what it takes: "STOP is a number from 1". */
static uint32_t parse_number(struct argp_state *state, const char *text, const char *what,
			     uint32_t limit)
{
	uint64_t number = 0;

	if (!wt_cli_number(text, &number) || number > limit)
		argp_error(state, "%s, not '%s'", what, text);
	return (uint32_t)number;
}

static error_t goto_parse_argument(struct options *options, char *argument,
				   struct argp_state *state)
{
	static const char what[] = "STOP is a number from 1, as `wavetape stops` counts them";

	if (!options->replay)
		options->replay = argument;
	else if (options->with_stop && !options->stop)
		options->stop = parse_number(state, argument, what, 999999999);
	else
		return ARGP_ERR_UNKNOWN;
	if (options->with_stop && state->arg_num == 1 && !options->stop)
		argp_error(state, "%s, not '%s'", what, argument);
	return 0;
}

static error_t goto_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'j':
		options->json = true;
		return 0;
	case OPTION_WAIT:
		options->wait = parse_number(state, argument,
					     "--wait takes whole seconds, 0 to 86400", MAX_WAIT);
		return 0;
	case ARGP_KEY_ARG:
		return goto_parse_argument(options, argument, state);
	case ARGP_KEY_END:
		if (!options->replay)
			argp_error(state, "name a running replay: its trace, or its process id");
		if (options->with_stop && !options->stop)
			argp_error(state, "name a stop, as `wavetape stops` counts them");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option argp_options[] = {
	WT_CLI_JSON_OPTION,
	{"wait", OPTION_WAIT, "SECONDS", 0,
	 "how long the client may take to let its waves go (default 5); 0: do not wait", 0},
	{0},
};

static json_t *goto_answer_json(const struct wt_control_name *name,
				const struct wt_replay_answer *answer, bool pending)
{
	return json_pack("{s:o, s:I, s:I, s:I, s:I, s:b, s:o}", "file",
			 wt_cli_json_text(answer->trace), "stop", (json_int_t)answer->stop, "pid",
			 (json_int_t)name->pid, "first", (json_int_t)answer->first, "last",
			 (json_int_t)answer->last, "pending", pending, "wanted",
			 pending ? json_integer(answer->wanted) : json_null());
}

/* Ask again until the journey is over; an error if time is. */
static struct wt_error *await(const struct options *options, const struct wt_control_name *name,
			      struct wt_replay_answer *answer)
{
	const struct timespec pause = {.tv_nsec = PAUSE};
	uint64_t journey = answer->journey;
	uint64_t rounds = (uint64_t)options->wait * (1000000000 / PAUSE);

	while (answer->done < journey && rounds--) {
		struct wt_error *error;

		nanosleep(&pause, NULL);
		wt_replay_answer_deinit(answer);
		error = wt_replay_ask(name, "info", answer);
		if (error)
			return error;
	}
	if (answer->failed == journey)
		return wt_error_create(WT_ERROR_INPUT, "cannot go to the stop", options->replay,
				       "%s", answer->why);
	if (answer->done < journey && options->wait)
		return wt_error_create(
			WT_ERROR_IO, "the replay has not moved yet", options->replay,
			"it goes to stop %u when its client lets all waves run (`continue` in a "
			"debugger)",
			answer->wanted);
	return NULL;
}

static struct wt_error *travel(const struct options *options)
{
	__attribute__((cleanup(wt_replay_answer_deinit))) struct wt_replay_answer answer = {0};
	struct wt_control_name name = {0};
	char request[WT_CONTROL_REQUEST / 2];
	struct wt_error *error;
	bool pending;

	if (options->with_stop)
		snprintf(request, sizeof(request), "%s %u", options->verb, options->stop);
	else
		snprintf(request, sizeof(request), "%s", options->verb);
	error = wt_replays_find(options->replay, &name);
	if (!error)
		error = wt_replay_ask(&name, request, &answer);
	if (!error)
		error = await(options, &name, &answer);
	if (error)
		return error;
	pending = answer.done < answer.journey;
	if (options->json)
		wt_cli_json(NULL, 0, goto_answer_json(&name, &answer, pending));
	else if (pending)
		printf("stop %u is asked for\n", answer.wanted);
	else
		printf("stop %u of %u\n", answer.stop, answer.last);
	return NULL;
}

static int goto_run(const char *verb, const char *doc, int argc, char **argv)
{
	struct options options = {.verb = verb, .with_stop = *verb == 'g', .wait = DEFAULT_WAIT};
	const struct argp argp = {
		.options = argp_options,
		.parser = goto_parse,
		.args_doc = options.with_stop ? "FILE|PID STOP" : "FILE|PID",
		.doc = doc,
	};
	struct wt_error *error;

	wt_cli_parse(&argp, argc, argv, &options);
	error = travel(&options);
	return error ? wt_cli_fail(error) : WT_EXIT_FINE;
}

int wt_command_goto(int argc, char **argv)
{
	return goto_run(
		"goto",
		"Let a running replay go to a stop: its client gets the events of it as soon as "
		"it lets all waves run. Stops are counted as `wavetape stops` does.",
		argc, argv);
}

int wt_command_next(int argc, char **argv)
{
	return goto_run(
		"next",
		"Let a running replay go to the next stop at which the recorded session rested.",
		argc, argv);
}

int wt_command_previous(int argc, char **argv)
{
	return goto_run(
		"previous",
		"Let a running replay go back to the stop before, at which the recorded session "
		"rested.",
		argc, argv);
}

/* ---- replays ---- */

static error_t parse_replays(int key, char *argument, struct argp_state *state)
{
	(void)argument;
	if (key != 'j')
		return ARGP_ERR_UNKNOWN;
	*(bool *)state->input = true;
	return 0;
}

static struct wt_error *show_replay(const struct wt_control_name *name, json_t *array)
{
	__attribute__((cleanup(wt_replay_answer_deinit))) struct wt_replay_answer answer = {0};
	struct wt_error *error = wt_replay_ask(name, "info", &answer);
	bool pending = answer.done < answer.journey;

	if (error)
		return error;
	if (array)
		json_array_append_new(array, goto_answer_json(name, &answer, pending));
	else
		printf("%-8d stop %u of %u..%u%s  %s\n", (int)name->pid, answer.stop, answer.first,
		       answer.last, pending ? " (moving)" : "", answer.trace);
	return NULL;
}

int wt_command_replays(int argc, char **argv)
{
	static const struct argp_option only_json[] = {WT_CLI_JSON_OPTION, {0}};
	static const struct argp argp = {
		.options = only_json,
		.parser = parse_replays,
		.doc = "List the running replays of this user: process, stop, trace.",
	};
	wt_cleanup_free struct wt_control_name *names = NULL;
	struct wt_error *error;
	int code = WT_EXIT_FINE;
	json_t *array = NULL;
	bool json = false;
	size_t count = 0;

	wt_cli_parse(&argp, argc, argv, &json);
	error = wt_replays_list(&names, &count);
	if (error)
		return wt_cli_fail(error);
	if (json)
		array = json_array();
	for (size_t i = 0; i < count; i++) {
		error = show_replay(&names[i], array);
		/* The others can still be shown. */
		if (error)
			code = wt_cli_fail(error);
	}
	if (json && wt_cli_json(NULL, 0, json_pack("{s:o}", "replays", array)) != WT_EXIT_FINE)
		code = WT_EXIT_FAILED;
	return code;
}
