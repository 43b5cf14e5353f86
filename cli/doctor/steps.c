/* SPDX-License-Identifier: MIT */
/* Running a step: the process, its environment, its time limit, and what it printed. */
#include "cli/doctor/steps.h"

#include <errno.h>
#include <fcntl.h>
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

void wt_step_note(struct wt_step_outcome *outcome, enum wt_step_result result, const char *format,
		  ...)
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
	char words[256];

	snprintf(words, sizeof(words), "output=%s.wtape,traces=1,hang-after=" HANG_AFTER, step);
	setenv("HSA_TOOLS_LIB", setting->agent, 1);
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
static bool log_has(const char *path, const char *text)
{
	wt_cleanup_free char *log = log_read(path);

	return log && strstr(log, text);
}

static void run_finish(struct run *run, bool hangs)
{
	/* A kernel that hangs goes on when the agent has seen it, or half of its time is over. */
	uint64_t half = run->until - (run->until - wt_clock_ms()) / 2;

	while (hangs && !run->ended && !run->late && wt_clock_ms() < half &&
	       !log_has(run->log, "\nwavetape: "))
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
		wt_step_note(outcome, WT_STEP_LEFT_OUT, "%s", failed ? failed : "no GPU");
	else if (code == TRY_FAILED || code == 126 || code == 127)
		wt_step_note(outcome, WT_STEP_WRONG, "it could not run: %s",
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
		wt_step_note(outcome, WT_STEP_WRONG,
			     "the kernel came to its end as if nothing had happened");
	else if (!step->stop_reason && code == TRY_RUNS)
		wt_step_note(outcome, WT_STEP_RIGHT, "%s are right", right ? right : "values");
	else if (!step->stop_reason)
		wt_step_note(outcome, WT_STEP_WRONG, "%s",
			     wrong ? wrong : "the program did not come to its end");
}

static void run_judge(const struct run *run, const struct wt_step *step, const char *log,
		      struct wt_step_outcome *outcome)
{
	wt_cleanup_free char *failed = log_find(log, "failed "),
			     *said = log_find(log, "wavetape: ");
	int code = WIFEXITED(run->status) ? WEXITSTATUS(run->status) : 128 + WTERMSIG(run->status);

	if (run->late)
		wt_step_note(outcome, WT_STEP_WRONG, "it did not end in time and was killed");
	else if (!run_has_run(code, failed, outcome))
		return;
	else
		run_judge_end(step, code, log, outcome);
	if (step->line && !outcome->has_trace)
		wt_step_note(outcome, WT_STEP_WRONG, "there is no trace: %s",
			     said ? said : "the agent says nothing");
	else if (!step->line && outcome->has_trace)
		wt_step_note(outcome, WT_STEP_WRONG, "there is a trace of a kernel that is right");
}

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
			error = wt_step_judge(setting, step, log, outcome);
	}
	run_deinit(&run);
	return error ? error : outcome->text.failed ? &wt_error_no_memory : NULL;
}
