/* SPDX-License-Identifier: MIT */
/* Looks at what the system allows: debugging, files and memory; and at what has a say in it in the environment. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/doctor/doctor.h"
#include "cli/libraries.h"
#include "cli/record/words.h"
#include "recorder/agent/tool-options.h"

#define MIB ((uint64_t)1 << 20)
/* A trace of a full GPU takes some tens of megabytes; with less room than this the next ones may not fit. */
#define DISK_LOW (256 * MIB)
/* The recorder's memory, by default. */
#define MEMORY_LOW (256 * MIB)
#define CAPABILITY_PTRACE 19

/* ---- Debugging ---- */

/* A number in a line of /proc/self/status; false if there is none. */
static bool status_find(const char *name, int base, uint64_t *number_ret)
{
	FILE *file = fopen("/proc/self/status", "re");
	char line[256];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		found = !strncmp(line, name, strlen(name)) && line[strlen(name)] == ':';
		if (found)
			*number_ret = strtoull(line + strlen(name) + 1, NULL, base);
	}
	if (file)
		fclose(file);
	return found;
}

/* The agent follows the calls of its process's threads by this call, which filters of system calls may refuse; memory and code come by the library. */
static void system_look_at_reading(struct wt_doctor *doctor)
{
	uint64_t from = 4711, to = 0;
	const struct iovec local = {&to, sizeof(to)}, remote = {&from, sizeof(from)};

	if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)sizeof(to) &&
	    to == from)
		return;
	wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "memory",
		      wt_text("a process may not read itself (process_vm_readv: %s): traces say "
			      "nothing of the calls of the program's threads",
			      strerror(errno)),
		      wt_text("allow the call in the filter of system calls; docker: "
			      "--security-opt seccomp=unconfined or --cap-add SYS_PTRACE"));
}

static bool is_container(void)
{
	return !access("/.dockerenv", F_OK) || !access("/run/.containerenv", F_OK) ||
	       getenv("container") || getenv("KUBERNETES_SERVICE_HOST");
}

/* May a process attach to another one of its own? A filter of system calls does not say which it refuses, nor with which error. */
static bool system_may_attach(void)
{
	pid_t child = fork();
	bool may;

	if (!child) {
		for (;;)
			pause();
	}
	/* Without a process nothing is known to be forbidden. */
	if (child < 0)
		return true;
	may = !ptrace(PTRACE_SEIZE, child, NULL, NULL);
	kill(child, SIGKILL);
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return may;
}

static void system_look_at_debugging(struct wt_doctor *doctor)
{
	uint64_t capabilities = 0, seccomp = 0;
	bool may_trace =
		status_find("CapEff", 16, &capabilities) && capabilities >> CAPABILITY_PTRACE & 1;
	char scope[16];
	const char *where = is_container() ? "in a container" : "no container";

	status_find("Seccomp", 10, &seccomp);
	wt_doctor_read_line("/proc/sys/kernel/yama/ptrace_scope", scope, sizeof(scope));
	if (access("/proc/self/status", R_OK))
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "debugging",
			      wt_text("/proc is not there: traces say nothing of the program"),
			      wt_text("mount it (`mount -t proc proc /proc`)"));
	else if ((*scope >= '1' && !may_trace) || *scope == '3')
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "debugging",
			      wt_text("ptrace_scope is %s (%s%s): the agent works, but `record "
				      "--pid` and debuggers cannot attach",
				      scope, where, seccomp ? ", with a filter of calls" : ""),
			      *scope == '3'
				      ? wt_text("use the agent; this setting holds until a "
						"restart")
				      : wt_text("as root: sysctl kernel.yama.ptrace_scope=0; in "
						"a container: --cap-add SYS_PTRACE"));
	else if (!system_may_attach())
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "debugging",
			      wt_text("ptrace is forbidden (%s%s): the agent works, but `record "
				      "--pid` and debuggers cannot attach",
				      where, seccomp ? ", with a filter of calls" : ""),
			      wt_text("allow the call in the filter of system calls; in a "
				      "container: --cap-add SYS_PTRACE"));
	else
		wt_doctor_add(doctor, WT_DOCTOR_GREEN, "debugging",
			      wt_text("processes of this user can be attached to (%s%s)", where,
				      seccomp ? ", with a filter of calls" : ""),
			      NULL);
}

/* ---- Files and memory ---- */

static void system_look_at_cores(struct wt_doctor *doctor)
{
	char pattern[256];
	struct rlimit limit = {0};

	wt_doctor_read_line("/proc/sys/kernel/core_pattern", pattern, sizeof(pattern));
	getrlimit(RLIMIT_CORE, &limit);
	if (*pattern == '|')
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "core dumps",
			      wt_text("core_pattern is a pipe: AMD's runtime cannot write its GPU "
				      "core dump there; traces are not touched by it"),
			      wt_text("use the agent; for AMD's dump, as root: sysctl "
				      "kernel.core_pattern=core.%%p"));
	else if (!*pattern)
		wt_doctor_add(doctor, WT_DOCTOR_GREEN, "core dumps",
			      wt_text("nothing says where the kernel puts them; traces are not "
				      "touched by it"),
			      NULL);
	else
		wt_doctor_add(doctor, WT_DOCTOR_GREEN, "core dumps",
			      wt_text("to `%s', %s", pattern,
				      !limit.rlim_cur ? "but the limit (ulimit -c) is 0: none are "
							"written; traces are not touched by it"
						      : "with a limit that allows them"),
			      NULL);
}

static uint64_t memory_available(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	uint64_t kib = 0;
	char line[128];

	while (file && !kib && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %" SCNu64, &kib) != 1)
			kib = 0;
	if (file)
		fclose(file);
	return kib << 10;
}

static void system_look_at_memory(struct wt_doctor *doctor)
{
	uint64_t available = memory_available();
	struct rlimit limit = {.rlim_cur = RLIM_INFINITY};
	bool limited;

	getrlimit(RLIMIT_AS, &limit);
	limited = limit.rlim_cur != RLIM_INFINITY;
	if (limited || (available && available < MEMORY_LOW))
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "memory",
			      limited ? wt_text("a process may map no more than %" PRIu64
						" MiB (ulimit -v): AMD's runtime reserves far more",
						(uint64_t)limit.rlim_cur / MIB)
				      : wt_text("%" PRIu64 " MiB are free; the recorder takes up "
						"to 256 MiB",
						available / MIB),
			      limited ? wt_text("ulimit -v unlimited")
				      : wt_text("bound it: --max-memory 64M (of the agent: "
						"WAVETAPE_OPTIONS=max-memory=64M)"));
	else
		wt_doctor_add(
			doctor, WT_DOCTOR_GREEN, "memory",
			available ? wt_text("%" PRIu64 " MiB are free, no limit", available / MIB)
				  : wt_text("no limit; nothing says how much is free"),
			NULL);
}

static void system_look_at_folder(struct wt_doctor *doctor, const char *path, const char *what)
{
	struct statvfs system;
	struct rlimit limit = {.rlim_cur = RLIM_INFINITY};
	uint64_t room;

	getrlimit(RLIMIT_FSIZE, &limit);
	if (access(path, W_OK) || statvfs(path, &system)) {
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "disk",
			      wt_text("%s cannot be written in: %s", what, strerror(errno)),
			      wt_text("name another place: -o PATH, of the agent output=PATH; "
				      "TMPDIR for temporary files"));
		return;
	}
	room = (uint64_t)system.f_bavail * system.f_frsize;
	if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < room)
		room = (uint64_t)limit.rlim_cur;
	wt_doctor_add(doctor, room < DISK_LOW ? WT_DOCTOR_YELLOW : WT_DOCTOR_GREEN, "disk",
		      wt_text("%s takes %" PRIu64 " MiB", what, room / MIB),
		      room < DISK_LOW ? wt_text("make room, or bound traces: --max-bytes, --keep "
						"and --keep-bytes")
				      : NULL);
}

/* The folder of traces of a pattern, as far as that is the same for all: the last one that is there; others are made. For the caller to free(). */
static char *pattern_find_folder(const char *pattern)
{
	char *folder = strndup(pattern, strcspn(pattern, "%"));

	for (char *end = folder ? strrchr(folder, '/') : NULL; end; end = strrchr(folder, '/')) {
		end[end == folder] = '\0';
		if (end == folder || !access(folder, F_OK))
			return folder;
	}
	free(folder);
	return strdup(".");
}

static void system_look_at_agent_folder(struct wt_doctor *doctor,
					const struct wt_tool_options *options)
{
	wt_cleanup_free char *folder = pattern_find_folder(options->output), *what = NULL;

	what = wt_text("the folder of the agent's traces, %s,", folder ? folder : "");
	if (folder && what && strcmp(folder, ".") != 0)
		system_look_at_folder(doctor, folder, what);
}

/* ---- The environment ---- */

/* A name of HSA_TOOLS_LIB without what lets a blank be a part of it: quotes, and backslashes, behind which a character stands for itself. */
static char *tool_take_path(const char *name, size_t length)
{
	char *path = malloc(length + 1), *to = path;

	for (size_t i = 0; path && i < length; i++) {
		if (name[i] == '"')
			continue;
		i += name[i] == '\\' && i + 1 < length;
		*to++ = name[i];
	}
	if (path)
		*to = '\0';
	return path;
}

/* The first tool that is named by its path, and that nobody can load; NULL if there is none. */
static char *tools_find_missing(const char *tools)
{
	for (; tools && *tools; tools += strspn(tools, " ")) {
		size_t length = wt_cli_tool_length(tools);
		char *path = tool_take_path(tools, length);

		if (path && strchr(path, '/') && access(path, R_OK))
			return path;
		free(path);
		tools += length;
	}
	return NULL;
}

static void system_look_at_tools(struct wt_doctor *doctor)
{
	const char *tools = getenv("HSA_TOOLS_LIB");
	bool others = tools && *tools && !strstr(tools, "libwavetape-agent.so");
	wt_cleanup_free char *missing = tools_find_missing(tools);

	if (tools && strstr(tools, "rocm-debug-agent"))
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "tools",
			      wt_text("HSA_TOOLS_LIB has AMD's debug agent: a process has one "
				      "debugger, and the first takes the place"),
			      wt_text("take it out of HSA_TOOLS_LIB to let wavetape's agent work"));
	else if (missing)
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "tools",
			      wt_text("HSA_TOOLS_LIB names `%s', which cannot be read: AMD's "
				      "runtime passes over it without a word",
				      missing),
			      wt_text("name files that are there, with blanks between them"));
	else if (others)
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "tools",
			      wt_text("HSA_TOOLS_LIB has other tools: `%s'", tools),
			      wt_text("`wavetape record -- PROGRAM` adds the agent behind them; by "
				      "hand, put a blank between the names"));
	else
		wt_doctor_add(doctor, WT_DOCTOR_GREEN, "tools",
			      wt_text("no other tool or debugger is in the environment%s",
				      tools && *tools ? "; the agent is set" : ""),
			      NULL);
}

static void system_look_at_variables(struct wt_doctor *doctor)
{
	const char *override = getenv("HSA_OVERRIDE_GFX_VERSION"),
		   *debug = getenv("HSA_ENABLE_DEBUG");
	const char *visible = getenv("ROCR_VISIBLE_DEVICES");

	if (override && *override)
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "variables",
			      wt_text("HSA_OVERRIDE_GFX_VERSION=%s: the GPU runs code for another "
				      "one, and faults of it may be due to that",
				      override),
			      wt_text("unset it if a fault looks odd"));
	if (debug && !strcmp(debug, "0"))
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "variables",
			      wt_text("HSA_ENABLE_DEBUG=0: on MI200 and older GPUs waves do not "
				      "tell which workgroup they are of"),
			      wt_text("set HSA_ENABLE_DEBUG=1"));
	if (visible && *visible)
		wt_doctor_add(
			doctor, WT_DOCTOR_GREEN, "variables",
			wt_text("ROCR_VISIBLE_DEVICES=%s: programs see these GPUs only", visible),
			NULL);
}

/* The agent says what is wrong with its own words, in a program's output, and goes on without the word. */
static void system_look_at_agent_words(struct wt_doctor *doctor,
				       const struct wt_tool_options *options)
{
	if (options->refused[0])
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "words",
			      wt_text("WAVETAPE_AGENT: cannot understand the word: %s: %s",
				      options->refused, options->why),
			      wt_text("correct it: the agent goes on as if it were not there"));
}

/* `record` refuses them. */
static void system_look_at_recording_words(struct wt_doctor *doctor)
{
	wt_cleanup_error struct wt_error *error = wt_record_words_check(getenv("WAVETAPE_OPTIONS"));

	if (error)
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "words",
			      wt_text("%s: %s: %s", error->what, error->where, error->why),
			      wt_text("correct it: `record` refuses it, and the agent takes no "
				      "memory while it does not know which"));
}

void wt_doctor_look_at_system(struct wt_doctor *doctor)
{
	struct wt_tool_options agent;
	bool is_read = wt_tool_options_parse(getenv("WAVETAPE_AGENT"), &agent);

	system_look_at_reading(doctor);
	system_look_at_debugging(doctor);
	system_look_at_cores(doctor);
	system_look_at_memory(doctor);
	system_look_at_folder(doctor, ".", "this folder");
	if (is_read)
		system_look_at_agent_folder(doctor, &agent);
	/* Both HIP 5.2 and 6.4 were seen to end by a signal where TMPDIR names no folder. */
	system_look_at_folder(doctor, wt_cli_temporary(),
			      "the folder for temporary files, which HIP programs need, too,");
	system_look_at_tools(doctor);
	system_look_at_variables(doctor);
	if (is_read) {
		system_look_at_agent_words(doctor, &agent);
		wt_tool_options_deinit(&agent);
	}
	system_look_at_recording_words(doctor);
}
