/* SPDX-License-Identifier: MIT */
/* `wavetape doctor`: on one screen, whether this machine can record, and what to do about what it cannot. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/doctor/doctor.h"
#include "cli/output.h"

struct options {
	bool json, list, try;
	struct wt_doctor_try trial;
};

/* Options without a letter. */
enum { OPTION_TRY = 256, OPTION_GPU, OPTION_HANG, OPTION_ALL };

const char *const wt_doctor_state_names[] = {
	[WT_DOCTOR_GREEN] = "green",
	[WT_DOCTOR_YELLOW] = "yellow",
	[WT_DOCTOR_RED] = "red",
};

/* ---- Findings ---- */

void wt_doctor_add(struct wt_doctor *doctor, enum wt_doctor_state state, const char *topic,
		   char *text, char *advice)
{
	struct wt_doctor_finding *findings =
		realloc(doctor->findings, (doctor->count + 1) * sizeof(*findings));

	if (findings)
		doctor->findings = findings;
	if (findings && text) {
		findings[doctor->count++] = (struct wt_doctor_finding){topic, state, text, advice};
		return;
	}
	doctor->no_memory = true;
	free(text);
	free(advice);
}

void wt_doctor_read_line(const char *path, char *line_ret, size_t size)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t length = fd < 0 ? -1 : read(fd, line_ret, size - 1);

	line_ret[length > 0 ? length : 0] = '\0';
	line_ret[strcspn(line_ret, "\n")] = '\0';
}

static void doctor_deinit(struct wt_doctor *doctor)
{
	for (size_t i = 0; i < doctor->count; i++) {
		free(doctor->findings[i].text);
		free(doctor->findings[i].advice);
	}
	free(doctor->findings);
	wt_search_deinit(&doctor->library);
	wt_search_deinit(&doctor->runtime);
}

static enum wt_doctor_state doctor_worst(const struct wt_doctor *doctor)
{
	enum wt_doctor_state worst = WT_DOCTOR_GREEN;

	for (size_t i = 0; i < doctor->count; i++)
		if (doctor->findings[i].state > worst)
			worst = doctor->findings[i].state;
	return worst;
}

/* ---- Text ---- */

static void state_print(enum wt_doctor_state state)
{
	static const enum wt_cli_colour colours[] = {
		[WT_DOCTOR_GREEN] = WT_CLI_GREEN,
		[WT_DOCTOR_YELLOW] = WT_CLI_YELLOW,
		[WT_DOCTOR_RED] = WT_CLI_RED,
	};

	printf("%s%-6s%s ", wt_cli_colour(stdout, colours[state]), wt_doctor_state_names[state],
	       wt_cli_colour(stdout, WT_CLI_PLAIN));
}

static void finding_print(const struct wt_doctor_finding *finding)
{
	state_print(finding->state);
	wt_cli_put_padded(finding->topic, 11);
	wt_cli_put(stdout, finding->text);
	putchar('\n');
	if (finding->advice) {
		printf("%19s", "-> ");
		wt_cli_put(stdout, finding->advice);
		putchar('\n');
	}
}

static void search_print(const struct wt_search *search)
{
	const struct wt_search_place *taken = wt_search_taken(search);

	printf("\n%s\n", search->name);
	for (size_t i = 0; i < search->count; i++) {
		const struct wt_search_place *place = &search->places[i];

		printf("  %c ", place == taken ? '*' : ' ');
		wt_cli_put(stdout, place->path);
		printf(" (");
		wt_cli_put(stdout, place->source);
		if (place->file.state != WT_LIBRARY_GOOD)
			printf("): %s\n", wt_library_state_text(place->file.state));
		else if (search->of_api)
			printf("): level 0.%u%s\n", place->file.level,
			       place == taken ? ", taken: the first that is good" : "");
		else
			printf(")%s\n", place == taken ? ": taken: the first that is good" : "");
	}
}

static void doctor_print(const struct wt_doctor *doctor, bool list)
{
	size_t counts[3] = {0};

	for (size_t i = 0; i < doctor->count; i++) {
		counts[doctor->findings[i].state]++;
		finding_print(&doctor->findings[i]);
	}
	if (list) {
		search_print(&doctor->library);
		search_print(&doctor->runtime);
	}
	printf("\n%zu green, %zu yellow, %zu red: ", counts[WT_DOCTOR_GREEN],
	       counts[WT_DOCTOR_YELLOW], counts[WT_DOCTOR_RED]);
	puts(counts[WT_DOCTOR_RED]	? "programs on the GPU cannot be recorded here"
	     : counts[WT_DOCTOR_YELLOW] ? "programs on the GPU can be recorded, with limits"
					: "programs on the GPU can be recorded");
}

/* ---- JSON ---- */

static json_t *search_to_json(const struct wt_search *search)
{
	const struct wt_search_place *taken = wt_search_taken(search);
	json_t *places = json_array();

	for (size_t i = 0; places && i < search->count; i++) {
		const struct wt_search_place *place = &search->places[i];

		if (json_array_append_new(
			    places,
			    json_pack("{s:o, s:o, s:s, s:o, s:b}", "path",
				      wt_cli_json_text(place->path), "source",
				      wt_cli_json_text(place->source), "is",
				      wt_library_state_text(place->file.state), "level",
				      place->file.level ? json_sprintf("0.%u", place->file.level)
							: json_null(),
				      "taken", place == taken))) {
			json_decref(places);
			return NULL;
		}
	}
	return places;
}

json_t *wt_doctor_findings_to_json(const struct wt_doctor *doctor)
{
	json_t *findings = json_array();

	for (size_t i = 0; findings && i < doctor->count; i++) {
		const struct wt_doctor_finding *finding = &doctor->findings[i];

		if (json_array_append_new(findings,
					  json_pack("{s:s, s:s, s:o, s:o}", "state",
						    wt_doctor_state_names[finding->state], "topic",
						    finding->topic, "text",
						    wt_cli_json_text(finding->text), "advice",
						    wt_cli_json_text(finding->advice)))) {
			json_decref(findings);
			return NULL;
		}
	}
	return findings;
}

static int doctor_print_json(const struct wt_doctor *doctor)
{
	json_t *findings = wt_doctor_findings_to_json(doctor),
	       *library = search_to_json(&doctor->library);
	json_t *runtime = search_to_json(&doctor->runtime);

	return wt_cli_json(NULL, 0,
			   json_pack("{s:s, s:s, s:o, s:o, s:o}", "version", WT_VERSION, "state",
				     wt_doctor_state_names[doctor_worst(doctor)], "findings",
				     findings, "library", library, "runtime", runtime));
}

/* ---- The verb ---- */

static uint32_t doctor_parse_number(struct argp_state *state, const char *name, const char *text)
{
	uint64_t number = 0;

	if (!wt_cli_number(text, &number) || number > 86400)
		argp_error(state, "%s takes a number up to 86400, not '%s'", name, text);
	return (uint32_t)number;
}

static void doctor_check_options(const struct options *options, struct argp_state *state)
{
	if (!options->try && (options->trial.hang || options->trial.all || options->trial.output ||
			      options->trial.gpu))
		argp_error(state, "--gpu, --hang, --all and --output are for --try");
	if (!options->trial.seconds)
		argp_error(state, "--time-limit takes at least 1 second");
}

static error_t doctor_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'j':
		options->json = true;
		return 0;
	case 'l':
		options->list = true;
		return 0;
	case OPTION_TRY:
		options->try = true;
		return 0;
	case OPTION_GPU:
		options->trial.gpu = doctor_parse_number(state, "--gpu", argument);
		return 0;
	case OPTION_HANG:
		options->trial.hang = true;
		return 0;
	case OPTION_ALL:
		options->trial.all = true;
		return 0;
	case 't':
		options->trial.seconds = doctor_parse_number(state, "--time-limit", argument);
		return 0;
	case 'o':
		options->trial.output = argument;
		return 0;
	case ARGP_KEY_END:
		doctor_check_options(options, state);
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "it takes no argument: '%s'", argument);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int wt_command_doctor(int argc, char **argv)
{
	static const struct argp_option entries[] = {
		{"list", 'l', NULL, 0,
		 "also list where AMD's libraries were looked for, and which was taken", 0},
		{"try", OPTION_TRY, NULL, 0,
		 "then run five small kernels on the GPU with the agent in each, and hold their "
		 "traces "
		 "against what must be in them: one is right, one uses local and private memory, "
		 "one "
		 "faults, one traps, one hangs until it was seen. No compiler and no HIP are "
		 "needed. "
		 "Leaves wavetape-doctor-HOST.tar.gz",
		 0},
		{"gpu", OPTION_GPU, "N", 0,
		 "with --try: the N'th GPU of the runtime, from 0 (default 0)", 0},
		{"time-limit", 't', "SECONDS", 0,
		 "with --try: how long a kernel may last (default 60)", 0},
		{"hang", OPTION_HANG, NULL, 0,
		 "with --try: let the kernel that hangs have no limit of its own; it may leave the "
		 "GPU "
		 "unusable if it cannot be stopped",
		 0},
		{"all", OPTION_ALL, NULL, 0,
		 "with --try: put into the archive what the programs print and the host's facts, "
		 "with "
		 "paths and names",
		 0},
		{"output", 'o', "FILE", 0, "with --try: the archive to write", 0},
		WT_CLI_JSON_OPTION,
		{0},
	};
	static const struct argp argp = {
		.options = entries,
		.parser = doctor_parse,
		.doc = "Say whether programs on this machine's GPU can be recorded: driver, GPUs, "
		       "AMD's libraries, permissions, limits and environment, and for each that is "
		       "not as it should be the one thing to do."
		       "\v"
		       "Exits with 0 if all is green, with 3 if something is yellow, with 1 if "
		       "something is red; with --try with 0 if all steps are right, with 3 if one "
		       "was "
		       "otherwise or left out, with 1 if one is wrong.",
	};
	struct options options = {.trial.seconds = 60};
	struct wt_doctor doctor = {0};
	int code;

	wt_cli_parse(&argp, argc, argv, &options);
	wt_doctor_look_at_driver(&doctor);
	wt_doctor_look_at_software(&doctor);
	wt_doctor_look_at_system(&doctor);
	if (doctor.no_memory || doctor.library.no_memory || doctor.runtime.no_memory) {
		doctor_deinit(&doctor);
		return wt_cli_fail(&wt_error_no_memory);
	}
	code = (int[]){WT_EXIT_FINE, WT_EXIT_PARTIAL, WT_EXIT_FAILED}[doctor_worst(&doctor)];
	if (!options.json)
		doctor_print(&doctor, options.list);
	options.trial.json = options.json;
	if (options.try)
		code = wt_doctor_try(&doctor, &options.trial);
	else if (options.json && doctor_print_json(&doctor))
		code = WT_EXIT_FAILED;
	doctor_deinit(&doctor);
	return code;
}
