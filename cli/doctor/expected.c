/* SPDX-License-Identifier: MIT */
/* Looking at the trace of a step: what its kernel has planted must be found by the verbs that people use. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/doctor/steps.h"

/* The kernels plant these: cli/doctor/try/code/kernels.c. */
#define FAULT_LANE 5
#define PLANTED_SCALAR UINT32_C(0x5a5a1234)
#define PLANTED_VECTOR UINT32_C(0x5a000000)

static void answer_drop(json_t **value)
{
	json_decref(*value);
}

#define cleanup_json wt_cleanup(answer_drop)

/* ---- The verbs ---- */

/* Asks a verb about the trace, for JSON; NULL if it prints none. Its messages go nowhere: damage is looked for by `verify`. */
static json_t *verb_ask(const struct wt_steps_setting *setting, const struct wt_step *step,
			const char *verb, const char *const more[3])
{
	const char *arguments[8] = {setting->command, verb, "--json"};
	wt_cleanup_free char *trace = wt_text("%s/%s.wtape", setting->folder, step->name);
	size_t count = 3;
	json_t *value = NULL;
	pid_t child;
	int ends[2], status;

	if (!trace || pipe2(ends, O_CLOEXEC))
		return NULL;
	arguments[count++] = trace;
	for (size_t i = 0; i < 3 && more && more[i]; i++)
		arguments[count++] = more[i];
	fflush(NULL);
	child = fork();
	if (!child) {
		int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

		if (dup2(ends[1], STDOUT_FILENO) >= 0 && dup2(nowhere, STDERR_FILENO) >= 0)
			execv(setting->command, (char *const *)arguments);
		_exit(127);
	}
	close(ends[1]);
	if (child > 0)
		value = json_loadfd(ends[0], 0, NULL);
	close(ends[0]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return value;
}

/* ---- Waves ---- */

static const char *answer_member_text(const json_t *value, const char *key)
{
	const char *text = json_string_value(json_object_get(value, key));

	return text ? text : "";
}

static json_int_t answer_member_number(const json_t *value, const char *key)
{
	const json_t *number = json_object_get(value, key);

	return json_is_integer(number) ? json_integer_value(number) : -1;
}

/* The wave of the step's kernel that stopped as it was to; of several that did not stop by themselves the first. */
static const json_t *waves_find(const json_t *waves, const struct wt_step *step)
{
	char kernel[64];
	const json_t *wave;
	size_t i;

	snprintf(kernel, sizeof(kernel), "wavetape_try_%s", step->name);
	json_array_foreach(
		json_object_get(waves, "waves"), i,
		wave) if (!strcmp(answer_member_text(wave, "kernel"), kernel) &&
			  (!step->stop_reason || strstr(answer_member_text(wave, "stop_reason"),
							step->stop_reason))) return wave;
	return NULL;
}

/* The line may be that of a later instruction, since some GPUs stop waves late. */
static void judge_line(const json_t *code, const struct wt_step *step,
		       struct wt_step_outcome *outcome)
{
	json_int_t line = answer_member_number(json_object_get(code, "source"), "line");

	if (line == step->line)
		wt_step_note(outcome, WT_STEP_RIGHT, "its line");
	else if (line < 0)
		wt_step_note(outcome, WT_STEP_OTHERWISE, "its line is not told");
	else
		wt_step_note(outcome, WT_STEP_OTHERWISE,
			     "line %" JSON_INTEGER_FORMAT " in place of %u", line, step->line);
}

static void judge_lane(const json_t *info, const char *log, struct wt_step_outcome *outcome)
{
	const json_t *told = json_array_get(json_object_get(info, "explanations"), 0);
	const char *address = answer_member_text(told, "address"), *line = strstr(log, "\nbad ");
	json_int_t lane = answer_member_number(told, "lane");
	size_t length = line ? strcspn(line + 5, "\n") : 0;

	if (lane < 0 || !*address)
		wt_step_note(outcome, WT_STEP_OTHERWISE, "lane and address are not told");
	else if (lane != FAULT_LANE || !line || strlen(address) != length ||
		 memcmp(address, line + 5, length) != 0)
		wt_step_note(outcome, WT_STEP_WRONG,
			     "lane %" JSON_INTEGER_FORMAT " at %s, which is not so", lane, address);
	else
		wt_step_note(outcome, WT_STEP_RIGHT, "lane %d, address", FAULT_LANE);
}

/* ---- Registers ---- */

static bool vector_is_planted(const json_t *lanes, json_int_t first)
{
	const json_t *lane;
	size_t i;

	json_array_foreach(lanes, i,
			   lane) if (!json_is_string(lane) ||
				     strtoull(json_string_value(lane), NULL, 16) !=
					     (PLANTED_VECTOR | ((uint64_t)first + i))) return false;
	return json_array_size(lanes) >= 32;
}

static void judge_registers(const struct wt_steps_setting *setting, const struct wt_step *step,
			    const json_t *wave, struct wt_step_outcome *outcome)
{
	char option[64];
	const char *const more[3] = {option, "s40,v40"};
	cleanup_json json_t *registers = NULL;
	const json_t *list, *lanes;

	snprintf(option, sizeof(option), "--wave=%" JSON_INTEGER_FORMAT,
		 answer_member_number(wave, "wave"));
	registers = verb_ask(setting, step, "registers", more);
	list = json_object_get(registers, "registers");
	lanes = json_object_get(json_array_get(list, 1), "lanes");
	if (strtoull(answer_member_text(json_array_get(list, 0), "value"), NULL, 16) ==
		    PLANTED_SCALAR &&
	    vector_is_planted(lanes, answer_member_number(wave, "number_in_workgroup") *
					     (json_int_t)json_array_size(lanes)))
		wt_step_note(outcome, WT_STEP_RIGHT, "registers");
	else
		wt_step_note(outcome, WT_STEP_WRONG,
			     "registers s40 and v40 have not what the kernel put there");
}

/* ---- The trace ---- */

static void judge_hang(const json_t *info, struct wt_step_outcome *outcome)
{
	const json_t *place = json_array_get(json_object_get(info, "places"), 0);

	if (!strcmp(answer_member_text(place, "activity"), "loop"))
		wt_step_note(outcome, WT_STEP_RIGHT, "in its loop");
	else
		wt_step_note(outcome, WT_STEP_OTHERWISE, "the loop is not told");
}

static void judge_verified(const struct wt_steps_setting *setting, const struct wt_step *step,
			   struct wt_step_outcome *outcome)
{
	cleanup_json json_t *verified = verb_ask(setting, step, "verify", NULL);
	const json_t *from_state = json_object_get(verified, "from_state");

	if (answer_member_number(json_object_get(verified, "differences"), "count"))
		wt_step_note(outcome, WT_STEP_WRONG, "its replay differs");
	else if (answer_member_number(json_object_get(from_state, "differences"), "count"))
		wt_step_note(outcome, WT_STEP_OTHERWISE,
			     "verified in step, but not from state alone");
	else
		wt_step_note(outcome, WT_STEP_RIGHT, "verified");
}

struct wt_error *wt_step_judge(const struct wt_steps_setting *setting, const struct wt_step *step,
			       const char *log, struct wt_step_outcome *outcome)
{
	cleanup_json json_t *waves = verb_ask(setting, step, "waves", NULL);
	cleanup_json json_t *info = verb_ask(setting, step, "info", NULL);
	const json_t *wave = waves_find(waves, step), *explained;

	if (!waves || !info) {
		wt_step_note(outcome, WT_STEP_WRONG, "the trace cannot be read");
		return NULL;
	}
	if (!wave) {
		wt_step_note(outcome, WT_STEP_WRONG, "no wave of the kernel %s%s",
			     step->stop_reason ? "stopped for " : "is there",
			     step->stop_reason ? step->stop_reason : "");
		judge_verified(setting, step, outcome);
		return NULL;
	}
	wt_step_note(outcome, WT_STEP_RIGHT, "%s in the kernel",
		     step->stop_reason ? step->stop_reason : "snapshot");
	explained = json_object_get(wave, "code");
	judge_line(explained, step, outcome);
	if (!step->stop_reason)
		judge_hang(info, outcome);
	else if (!strcmp(step->stop_reason, "MEMORY_VIOLATION"))
		judge_lane(info, log, outcome);
	judge_registers(setting, step, wave, outcome);
	judge_verified(setting, step, outcome);
	return NULL;
}
