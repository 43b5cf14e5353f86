/* SPDX-License-Identifier: MIT */
/* Running a step, and looking at what came of it: the process, its environment, its time limit, what it printed, and its trace. */
#include "cli/doctor/steps.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/libraries.h"
#include "driver/wire/wire.h"

#define LOG_MAX ((size_t)1 << 20)
/*
 * Sleeps of the kernel that hangs, should nobody let it go on: about half a minute on hardware. Those of the simulated GPU take next to
 * no time.
 */
#define HANG_SLEEPS 5000000u
#define HANG_SLEEPS_SIMULATED 400000000u
/* How long no queue moves before the agent takes a snapshot. */
#define HANG_AFTER "2s"
#define POLL_NS 20000000

/* Exit codes of wavetape-try. */
enum { TRY_RUNS = 0, TRY_WRONG = 1, TRY_FAILED = 2, TRY_NO_GPU = 3, TRY_NO_CODE = 4 };

const struct wt_step wt_steps[WT_STEPS] = {
	{"right", NULL, 0},
	{"memory", NULL, 0},
	{"fault", "MEMORY_VIOLATION", 1000},
	{"trap", "ASSERT_TRAP", 2000},
	{"hang", NULL, 3000},
};

/* Adds what was seen to an outcome, which becomes no better by it. */
__attribute__((format(printf, 3, 4))) static void
step_note(struct wt_step_outcome *outcome, enum wt_step_result result, const char *format, ...)
{
	wt_cleanup_free char *text = NULL;
	va_list arguments;

	if (result > outcome->result)
		outcome->result = result;
	va_start(arguments, format);
	text = wt_text_list(format, arguments);
	va_end(arguments);
	if (!text) {
		outcome->text.failed = true;
		return;
	}
	wt_buffer_append_format(&outcome->text, "%s%s", outcome->text.size ? "; " : "", text);
}

/* ---- The process ---- */

struct run {
	pid_t process;
	int input;	/* its standard input */
	char *log;	/* path of what it prints */
	char *trace;	/* path of its trace, which need not be there */
	uint64_t until; /* on wt_clock_ms() */
	int status;
	bool ended, late;
};

static void run_deinit(struct run *run)
{
	if (run->input >= 0)
		close(run->input);
	free(run->log);
	free(run->trace);
}

/* In the child. What it gets of the user's is what AMD's runtime needs; other tools are left out. */
static void run_set_environment(const struct wt_steps_setting *setting, const char *step)
{
	wt_cleanup_free char *tool = wt_cli_escape(setting->agent, '\\', WT_CLI_TOOLS_SPECIAL);
	char words[256];

	snprintf(words, sizeof(words), "output=%s.wtape,traces=1,hang-after=" HANG_AFTER, step);
	setenv("HSA_TOOLS_LIB", tool ? tool : setting->agent, 1);
	setenv("HSA_ENABLE_DEBUG", "1", 1);
	setenv("WAVETAPE_AGENT", words, 1);
	setenv("WAVETAPE_DBGAPI", setting->library, 1);
	if (setting->all)
		unsetenv("WAVETAPE_OPTIONS");
	else
		setenv("WAVETAPE_OPTIONS", "reproducible", 1);
}

__attribute__((noreturn)) static void run_execute(const struct wt_steps_setting *setting,
						  const struct wt_step *step, int input, int output)
{
	char gpu[16], limit[16];

	snprintf(gpu, sizeof(gpu), "%u", setting->gpu);
	snprintf(limit, sizeof(limit), "%u",
		 setting->hang		    ? UINT32_MAX
		 : getenv(WT_WIRE_VARIABLE) ? HANG_SLEEPS_SIMULATED
					    : HANG_SLEEPS);
	if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
	    dup2(output, STDERR_FILENO) < 0 || chdir(setting->folder))
		_exit(126);
	run_set_environment(setting, step->name);
	execl(setting->program, setting->program, setting->runtime, setting->code, step->name, gpu,
	      limit, (char *)NULL);
	_exit(127);
}

static struct wt_error *run_begin(const struct wt_steps_setting *setting,
				  const struct wt_step *step, struct run *run)
{
	static const char what[] = "cannot try the GPU";
	wt_cleanup_close int output = -1, input = -1;
	int ends[2];

	*run = (struct run){.input = -1};
	run->log = wt_text("%s/%s.txt", setting->folder, step->name);
	run->trace = wt_text("%s/%s.wtape", setting->folder, step->name);
	if (!run->log || !run->trace)
		return &wt_error_no_memory;
	output = open(run->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (output < 0 || pipe2(ends, O_CLOEXEC))
		return wt_error_errno(errno, what, run->log);
	input = ends[0];
	run->input = ends[1];
	run->until = wt_clock_ms() + (uint64_t)setting->seconds * 1000;
	fflush(NULL);
	run->process = fork();
	if (!run->process)
		run_execute(setting, step, input, output);
	return run->process < 0 ? wt_error_errno(errno, what, "fork") : NULL;
}

static void run_look(struct run *run)
{
	const struct timespec pause = {.tv_nsec = POLL_NS};

	if (!run->ended && waitpid(run->process, &run->status, WNOHANG) == run->process)
		run->ended = true;
	if (!run->ended && wt_clock_ms() >= run->until)
		run->late = true;
	if (!run->ended && !run->late)
		nanosleep(&pause, NULL);
}

/* The caller frees it; NULL: no memory. A log that cannot be read is empty. */
static char *log_read(const char *path)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *log = malloc(LOG_MAX + 1);
	ssize_t size = fd < 0 || !log ? -1 : wt_file_read_at(fd, 0, log, LOG_MAX);

	if (log)
		log[size > 0 ? size : 0] = '\0';
	return log;
}

/* A trace has its name at once, and is whole when the agent says so in a line. */
static bool log_has_word(const char *path)
{
	wt_cleanup_free char *log = log_read(path);

	return log && (strstr(log, "\nwavetape: ") || !strncmp(log, "wavetape: ", 10));
}

static void run_finish(struct run *run, bool hangs)
{
	/* A kernel that hangs goes on when the agent has seen it, or half of its time is over. */
	uint64_t half = run->until - (run->until - wt_clock_ms()) / 2;

	while (hangs && !run->ended && !run->late && wt_clock_ms() < half &&
	       !log_has_word(run->log))
		run_look(run);
	/* Nobody reads it if the process has ended. */
	signal(SIGPIPE, SIG_IGN);
	if (hangs && write(run->input, "go\n", 3) != 3)
		run_look(run);
	signal(SIGPIPE, SIG_DFL);
	while (!run->ended && !run->late)
		run_look(run);
	if (run->ended)
		return;
	kill(run->process, SIGKILL);
	while (waitpid(run->process, &run->status, 0) < 0 && errno == EINTR)
		;
}

/* ---- What it printed ---- */

/* The rest of the line that begins with a word; NULL if there is none. The caller frees it. */
static char *log_find(const char *log, const char *word)
{
	size_t length = strlen(word);

	for (const char *line = log; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, word, length))
			return strndup(line + length, strcspn(line + length, "\n"));
	}
	return NULL;
}

/* Could the kernel be run at all? Says why not. */
static bool run_has_run(int code, const char *failed, struct wt_step_outcome *outcome)
{
	if (code == TRY_NO_CODE || code == TRY_NO_GPU)
		step_note(outcome, WT_STEP_LEFT_OUT, "%s", failed ? failed : "no GPU");
	else if (code == TRY_FAILED || code == 126 || code == 127)
		step_note(outcome, WT_STEP_WRONG, "it could not run: %s",
			  failed ? failed : "no program");
	else
		return true;
	return false;
}

/* Did the kernel end as it was to? */
static void run_judge_end(const struct wt_step *step, int code, const char *log,
			  struct wt_step_outcome *outcome)
{
	wt_cleanup_free char *wrong = log_find(log, "wrong "), *right = log_find(log, "right ");

	if (step->stop_reason && code == TRY_RUNS)
		step_note(outcome, WT_STEP_WRONG,
			  "the kernel came to its end as if nothing had happened");
	else if (!step->stop_reason && code == TRY_RUNS)
		step_note(outcome, WT_STEP_RIGHT, "%s are right", right ? right : "values");
	else if (!step->stop_reason)
		step_note(outcome, WT_STEP_WRONG, "%s",
			  wrong ? wrong : "the program did not come to its end");
}

/* Is that the agent's word that it cannot watch? A machine need not have a debugger, and its kernels run all the same. */
static bool said_no_debugger(const char *said)
{
	static const char word[] = "the GPU is not watched: ";

	return said && !strncmp(said, word, sizeof(word) - 1);
}

static void run_judge(const struct run *run, const struct wt_step *step, const char *log,
		      struct wt_step_outcome *outcome)
{
	wt_cleanup_free char *failed = log_find(log, "failed "),
			     *said = log_find(log, "wavetape: ");
	int code = WIFEXITED(run->status) ? WEXITSTATUS(run->status) : 128 + WTERMSIG(run->status);

	if (run->late)
		step_note(outcome, WT_STEP_WRONG, "it did not end in time and was killed");
	else if (!run_has_run(code, failed, outcome))
		return;
	else
		run_judge_end(step, code, log, outcome);
	if (step->line && !outcome->has_trace)
		step_note(outcome, said_no_debugger(said) ? WT_STEP_LEFT_OUT : WT_STEP_WRONG,
			  "there is no trace: %s", said ? said : "the agent says nothing");
	else if (!step->line && outcome->has_trace)
		step_note(outcome, WT_STEP_WRONG, "there is a trace of a kernel that is right");
}

/* ---- What its trace says: what its kernel has planted must be found by the verbs that people use ---- */

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

		if (nowhere >= 0 && dup2(ends[1], STDOUT_FILENO) >= 0 &&
		    dup2(nowhere, STDERR_FILENO) >= 0)
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
		step_note(outcome, WT_STEP_RIGHT, "its line");
	else if (line < 0)
		step_note(outcome, WT_STEP_OTHERWISE, "its line is not told");
	else
		step_note(outcome, WT_STEP_OTHERWISE,
			  "line %" JSON_INTEGER_FORMAT " in place of %u", line, step->line);
}

static void judge_lane(const json_t *info, const char *log, struct wt_step_outcome *outcome)
{
	const json_t *told = json_array_get(json_object_get(info, "explanations"), 0);
	const char *address = answer_member_text(told, "address"), *line = strstr(log, "\nbad ");
	json_int_t lane = answer_member_number(told, "lane");
	size_t length = line ? strcspn(line + 5, "\n") : 0;

	if (lane < 0 || !*address)
		step_note(outcome, WT_STEP_OTHERWISE, "lane and address are not told");
	else if (lane != FAULT_LANE || !line || strlen(address) != length ||
		 memcmp(address, line + 5, length) != 0)
		step_note(outcome, WT_STEP_WRONG,
			  "lane %" JSON_INTEGER_FORMAT " at %s, which is not so", lane, address);
	else
		step_note(outcome, WT_STEP_RIGHT, "lane %d, address", FAULT_LANE);
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
		step_note(outcome, WT_STEP_RIGHT, "registers");
	else
		step_note(outcome, WT_STEP_WRONG,
			  "registers s40 and v40 have not what the kernel put there");
}

/* ---- The trace ---- */

static void judge_hang(const json_t *info, struct wt_step_outcome *outcome)
{
	const json_t *place = json_array_get(json_object_get(info, "places"), 0);

	if (!strcmp(answer_member_text(place, "activity"), "loop"))
		step_note(outcome, WT_STEP_RIGHT, "in its loop");
	else
		step_note(outcome, WT_STEP_OTHERWISE, "the loop is not told");
}

static void judge_verified(const struct wt_steps_setting *setting, const struct wt_step *step,
			   struct wt_step_outcome *outcome)
{
	cleanup_json json_t *verified = verb_ask(setting, step, "verify", NULL);
	const json_t *from_state = json_object_get(verified, "from_state");

	if (answer_member_number(json_object_get(verified, "differences"), "count"))
		step_note(outcome, WT_STEP_WRONG, "its replay differs");
	else if (answer_member_number(json_object_get(from_state, "differences"), "count"))
		step_note(outcome, WT_STEP_OTHERWISE, "verified in step, but not from state alone");
	else
		step_note(outcome, WT_STEP_RIGHT, "verified");
}

/* Looks at the trace of a step, by the command's own verbs. @log: what the process printed. */
static struct wt_error *step_judge_trace(const struct wt_steps_setting *setting,
					 const struct wt_step *step, const char *log,
					 struct wt_step_outcome *outcome)
{
	cleanup_json json_t *waves = verb_ask(setting, step, "waves", NULL);
	cleanup_json json_t *info = verb_ask(setting, step, "info", NULL);
	const json_t *wave = waves_find(waves, step), *explained;

	if (!waves || !info) {
		step_note(outcome, WT_STEP_WRONG, "the trace cannot be read");
		return NULL;
	}
	if (!wave) {
		step_note(outcome, WT_STEP_WRONG, "no wave of the kernel %s%s",
			  step->stop_reason ? "stopped for " : "is there",
			  step->stop_reason ? step->stop_reason : "");
		judge_verified(setting, step, outcome);
		return NULL;
	}
	step_note(outcome, WT_STEP_RIGHT, "%s in the kernel",
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

/* ---- The step ---- */

struct wt_error *wt_step_try(const struct wt_steps_setting *setting, const struct wt_step *step,
			     struct wt_step_outcome *outcome)
{
	uint64_t start = wt_clock_ms();
	wt_cleanup_free char *log = NULL;
	struct wt_error *error;
	struct run run;

	error = run_begin(setting, step, &run);
	if (!error) {
		run_finish(&run, !step->stop_reason && step->line);
		outcome->took = (double)(wt_clock_ms() - start) / 1000;
		outcome->has_trace = !access(run.trace, F_OK);
		log = log_read(run.log);
		error = log ? NULL : &wt_error_no_memory;
	}
	if (!error) {
		run_judge(&run, step, log, outcome);
		if (step->line && outcome->has_trace)
			error = step_judge_trace(setting, step, log, outcome);
	}
	run_deinit(&run);
	return error ? error : outcome->text.failed ? &wt_error_no_memory : NULL;
}
