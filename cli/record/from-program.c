/* SPDX-License-Identifier: MIT */
#include "cli/record/from-program.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/agent-notes.h"
#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "cli/libraries.h"
#include "cli/record/trace-output.h"
#include "cli/replay/replay.h"
#include "recorder/agent/tool-options.h"
#include "replayer/code/needed.h"

#define DRIVER "/dev/kfd"

static bool program_needs_runtime(const char *path)
{
	static const char *const runtimes[] = {
		"libhsa-runtime64.so.1", "libamdhip64.so.4", "libamdhip64.so.5",
		"libamdhip64.so.6",	 "libamdhip64.so.7", "libamdocl64.so",
	};

	for (size_t i = 0; i < sizeof(runtimes) / sizeof(*runtimes); i++)
		if (wt_needed_find(path, runtimes[i]).needs)
			return true;
	return false;
}

bool wt_record_is_program(char *const *command)
{
	wt_cleanup_free char *path = wt_cli_find_program(command[0]);
	struct wt_replay_client client;
	bool debugger;

	if (!path || wt_needed_find(path, WT_CLI_SONAME).needs || !program_needs_runtime(path))
		return false;
	wt_replay_client_find(command, false, &client);
	debugger = client.gdb;
	wt_replay_client_deinit(&client);
	return !debugger;
}

/* ---- What became of it ---- */

/* A file in which the agent notes what happens, in whatever process it is; NULL if there can be none. */
static char *program_make_notes(void)
{
	const char *directory = wt_cli_temporary();
	wt_cleanup_free char *path = NULL;
	int fd;

	if (*directory != '/')
		directory = "/tmp";
	if (asprintf(&path, "%s/wavetape-notes-XXXXXX", directory) < 0) {
		path = NULL;
		return NULL;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return NULL;
	close(fd);
	return wt_take(path);
}

/* The letters there; of what is noted again and again the first count. */
static void program_read_notes(const char *path, char letters_ret[256])
{
	wt_cleanup_close int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
	ssize_t size = fd < 0 ? 0 : read(fd, letters_ret, 255);

	letters_ret[size > 0 ? size : 0] = '\0';
}

/* The words are read as the agent reads them. */
static bool program_is_quiet(void)
{
	struct wt_tool_options options;
	bool quiet;

	if (!wt_tool_options_parse(getenv("WAVETAPE_AGENT"), &options))
		return false;
	quiet = options.quiet;
	wt_tool_options_deinit(&options);
	return quiet;
}

/* Say what the agent has not: that there was nothing to say, or that it was not there. */
static void program_tell_end(const char *notes)
{
	char letters[256];

	if (!notes || program_is_quiet())
		return;
	program_read_notes(notes, letters);
	if (!strchr(letters, WT_AGENT_NOTE_LOADED))
		fputs("wavetape: no trace written: the program did not start AMD's runtime\n",
		      stderr);
	else if (strchr(letters, WT_AGENT_NOTE_WATCHED) && !strchr(letters, WT_AGENT_NOTE_FAULT) &&
		 !strchr(letters, WT_AGENT_NOTE_TRACE))
		fputs("wavetape: no fault; no trace written\n", stderr);
}

/* ---- What it is started with ---- */

/* A word for the agent. A backslash of the user's may stand before the comma, so that the blank ends his last word. */
static void agent_word_append(struct wt_buffer *words, const char *name, const char *value)
{
	wt_cleanup_free char *escaped =
		value ? wt_cli_escape(value, '\\', WT_CLI_AGENT_SPECIAL) : NULL;

	words->failed |= !escaped;
	wt_buffer_append_format(words, "%s%s=%s", words->size ? ", " : "", name,
				escaped ? escaped : "");
}

/* Source files for the agent to keep. The program may go to another directory. */
static struct wt_error *agent_words_append_sources(struct wt_buffer *words,
						   const struct wt_source_maps *maps)
{
	for (size_t i = 0; i < maps->count; i++) {
		const struct wt_source_map *map = &maps->list[i];
		wt_cleanup_free char *to = realpath(map->to, NULL), *value = NULL;

		if (!to)
			return wt_error_create(WT_ERROR_IO, "cannot keep source files", map->to,
					       "%s", strerror(errno));
		value = wt_text("%.*s=%s", (int)map->from_size, map->from, to);
		agent_word_append(words, "source", value);
	}
	return NULL;
}

/*
 * Makes the path for the traces whole: the program may go to another directory. The agent takes it for a pattern, and in the name of the directory
 * nothing stands for something else. The caller frees it; NULL: no memory.
 */
static char *program_output(const char *output)
{
	wt_cleanup_free char *here = *output == '/' ? NULL : get_current_dir_name();
	wt_cleanup_free char *plain = here ? wt_cli_escape(here, '%', "%") : NULL;

	if (here && !plain)
		return NULL;
	return wt_text("%s%s%s", plain ? plain : "", plain ? "/" : "", output);
}

/* The agent's own words come last: of each the last one holds. */
static struct wt_error *program_set_agent(const struct wt_record_program *program,
					  const char *notes)
{
	const char *before = getenv("WAVETAPE_AGENT");
	wt_cleanup_free char *output = program_output(program->output);
	wt_cleanup_buffer struct wt_buffer words = {0};
	wt_cleanup_free char *text = NULL;
	struct wt_error *error;

	wt_buffer_append_text(&words, before ? before : "");
	agent_word_append(&words, "output", output);
	wt_buffer_append_format(&words, ",keep=%" PRIu64 ",keep-bytes=%" PRIu64,
				program->keep.files, program->keep.bytes);
	if (notes)
		agent_word_append(&words, "notes", notes);
	error = agent_words_append_sources(&words, program->sources);
	if (error)
		return error;
	text = wt_buffer_take_text(&words);
	return text && !setenv("WAVETAPE_AGENT", text, 1) ? NULL : &wt_error_no_memory;
}

/* The user's tools; but for an agent of ours, of any version: a program has one debugger, and that is the one that comes with this command. */
static char *program_keep_tools(const char *tools)
{
	static const char agent[] = "libwavetape-agent.so";
	wt_cleanup_buffer struct wt_buffer kept = {0};

	for (; tools && *tools; tools += strspn(tools, " ")) {
		size_t length = wt_cli_tool_length(tools);

		if (!memmem(tools, length, agent, sizeof(agent) - 1))
			wt_buffer_append_format(&kept, "%.*s ", (int)length, tools);
		tools += length;
	}
	return wt_buffer_take_text(&kept);
}

static struct wt_error *program_set_tool(void)
{
	wt_cleanup_free char *kept = program_keep_tools(getenv("HSA_TOOLS_LIB"));
	wt_cleanup_free char *library = NULL, *name = NULL, *tools = NULL;
	struct wt_error *error = wt_cli_agent_library(&library);

	if (error)
		return error;
	name = wt_cli_escape(library, '\\', WT_CLI_TOOLS_SPECIAL);
	tools = kept && name ? wt_text("%s%s", kept, name) : NULL;
	/* Without the second, waves of some GPUs do not tell which workgroup they are of. */
	if (!tools || setenv("HSA_TOOLS_LIB", tools, 1) || setenv("HSA_ENABLE_DEBUG", "1", 0))
		return &wt_error_no_memory;
	return NULL;
}

/* Say what the program is going to meet, in a line of ours before its own messages. */
static void program_warn_of_driver(void)
{
	const struct group *group = NULL;
	struct stat status;

	if (!access(DRIVER, R_OK | W_OK) || errno != EACCES)
		return;
	if (!stat(DRIVER, &status))
		group = getgrgid(status.st_gid);
	fprintf(stderr,
		"wavetape: the program will see no GPU: %s: this user may not open it%s%s\n",
		DRIVER, group ? ": be in the group " : "", group ? group->gr_name : "");
}

struct wt_error *wt_record_program_run(const struct wt_record_program *program, int *status_ret)
{
	wt_cleanup_free char *notes = program_make_notes();
	struct wt_error *error = program_set_agent(program, notes);

	if (!error)
		error = program_set_tool();
	if (!error) {
		program_warn_of_driver();
		error = wt_cli_run_client(program->command, status_ret);
	}
	if (!error)
		program_tell_end(notes);
	if (notes)
		unlink(notes);
	return error;
}
