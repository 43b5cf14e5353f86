/* SPDX-License-Identifier: MIT */
#include "cli/serve/opened.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/libraries.h"

extern char **environ;

char *wt_opened_error_line(struct wt_error *error)
{
	char *text = wt_text("%s: %s%s%s", error->what, error->where, error->where[0] ? ": " : "",
			     error->why);

	wt_error_destroy(error);
	return text;
}

static void opened_drop_stacks(struct wt_opened *opened)
{
	for (size_t i = 0; i < WT_OPENED_STACKS; i++) {
		wt_stack_destroy(opened->kept[i].stack);
		opened->kept[i] = (struct wt_kept_stack){0};
	}
}

static void opened_close_stop(struct wt_opened *opened)
{
	opened_drop_stacks(opened);
	for (size_t i = 0; i < WT_OPENED_WAYS; i++) {
		wt_way_destroy(opened->ways[i].way);
		opened->ways[i] = (struct wt_kept_way){0};
	}
	wt_stacks_destroy(wt_take(opened->stacks));
	wt_explainer_destroy(wt_take(opened->explainer));
	wt_view_close(wt_take(opened->view));
}

struct wt_error *wt_opened_go(struct wt_opened *opened, uint32_t stop)
{
	struct wt_explainer *explainer = NULL;
	struct wt_stacks *stacks = NULL;
	struct wt_view *view = NULL;
	uint32_t number = 0;
	struct wt_error *error = wt_stops_view(&opened->trace.stops, stop, &view, &number);

	if (!error)
		error = wt_explainer_create(view, &explainer);
	if (!error)
		error = wt_stacks_create(view, &stacks);
	if (error) {
		wt_explainer_destroy(explainer);
		wt_view_close(view);
		return error;
	}
	opened_close_stop(opened);
	opened->view = view;
	opened->explainer = explainer;
	opened->stacks = stacks;
	opened->stop = number;
	return NULL;
}

struct wt_error *wt_opened_create(const char *path, const struct wt_source_maps *maps,
				  uint32_t stop, struct wt_opened **opened_ret)
{
	struct wt_opened *opened = calloc(1, sizeof(*opened));
	struct wt_error *error = NULL;

	if (opened)
		opened->path = strdup(path);
	if (!opened || !opened->path) {
		free(opened);
		return &wt_error_no_memory;
	}
	opened->trace.path = opened->path;
	opened->maps = maps;
	error = wt_cli_trace_open(&opened->trace);
	if (!error)
		error = wt_sources_create_mapped(opened->trace.reader, maps, &opened->sources);
	if (!error)
		error = wt_opened_go(opened, stop);
	if (error) {
		wt_opened_close(opened);
		return error;
	}
	*opened_ret = opened;
	return NULL;
}

/* A trace of the core, by the verb that makes one. */
static struct wt_error *core_record(const char *core, char *trace)
{
	char *const arguments[] = {
		"wavetape", "record", "--output", trace, "--core", (char *)(uintptr_t)core, NULL};
	posix_spawn_file_actions_t actions;
	wt_cleanup_free char *command = NULL;
	struct wt_error *error = wt_cli_command(&command);
	pid_t child;
	int status, failed;

	if (error || posix_spawn_file_actions_init(&actions))
		return error ? error : &wt_error_no_memory;
	/* The output is the client's. */
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	failed = posix_spawn(&child, command, &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (failed)
		return wt_error_errno(failed, "cannot read the core file", core);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return wt_error_errno(errno, "cannot read the core file", core);
	if (WIFEXITED(status) &&
	    (WEXITSTATUS(status) == WT_EXIT_FINE || WEXITSTATUS(status) == WT_EXIT_PARTIAL))
		return NULL;
	return wt_error_create(WT_ERROR_INPUT, "cannot read the core file", core,
			       "`wavetape record --core` says why");
}

struct wt_error *wt_opened_create_core(const char *core, const struct wt_source_maps *maps,
				       struct wt_opened **opened_ret)
{
	wt_cleanup_free char *trace = NULL;
	struct wt_error *error = wt_cli_temporary_trace("cannot write a trace of the core", &trace);

	if (error)
		return error;
	error = core_record(core, trace);
	if (!error)
		error = wt_opened_create(trace, maps, 0, opened_ret);
	if (error)
		unlink(trace);
	else
		(*opened_ret)->is_temporary = true;
	return error;
}

void wt_opened_close(struct wt_opened *opened)
{
	if (!opened)
		return;
	opened_close_stop(opened);
	wt_sources_destroy(opened->sources);
	wt_cli_trace_close(&opened->trace, WT_EXIT_FAILED);
	if (opened->is_temporary)
		unlink(opened->path);
	free(opened->path);
	free(opened);
}

/* ---- Calls ---- */

static struct wt_kept_stack *stack_place_find(struct wt_opened *opened, uint64_t wave)
{
	struct wt_kept_stack *oldest = &opened->kept[0];

	for (size_t i = 0; i < WT_OPENED_STACKS; i++) {
		struct wt_kept_stack *kept = &opened->kept[i];

		if (kept->stack && kept->wave == wave)
			return kept;
		if (kept->used < oldest->used)
			oldest = kept;
	}
	return oldest;
}

struct wt_error *wt_opened_stack(struct wt_opened *opened, uint64_t wave,
				 struct wt_stack **stack_ret)
{
	struct wt_kept_stack *kept = stack_place_find(opened, wave);
	struct wt_error *error = NULL;

	kept->used = ++opened->clock;
	if (!kept->stack || kept->wave != wave) {
		wt_stack_destroy(wt_take(kept->stack));
		kept->wave = wave;
		error = wt_opened_way_at(opened, wave)
				? wt_way_stack(wt_opened_way_at(opened, wave), &kept->stack)
				: wt_stack_create(opened->stacks, wave, &kept->stack);
		if (!error && kept->stack)
			error = wt_stack_use_sources(kept->stack, opened->sources);
		if (error)
			wt_stack_destroy(wt_take(kept->stack));
	}
	if (!error)
		*stack_ret = kept->stack;
	return error;
}

/* ---- Ways ---- */

void wt_opened_leave(struct wt_opened *opened, uint64_t wave)
{
	for (size_t i = 0; i < WT_OPENED_STACKS; i++)
		if (opened->kept[i].stack && opened->kept[i].wave == wave) {
			wt_stack_destroy(opened->kept[i].stack);
			opened->kept[i] = (struct wt_kept_stack){0};
		}
}

static struct wt_kept_way *way_place_find(struct wt_opened *opened, uint64_t wave)
{
	struct wt_kept_way *oldest = &opened->ways[0];

	for (size_t i = 0; i < WT_OPENED_WAYS; i++) {
		struct wt_kept_way *kept = &opened->ways[i];

		if (kept->way && kept->wave == wave)
			return kept;
		if (kept->used < oldest->used)
			oldest = kept;
	}
	return oldest;
}

struct wt_error *wt_opened_way(struct wt_opened *opened, uint64_t wave,
			       const struct wt_way_options *options, struct wt_way **way_ret)
{
	struct wt_kept_way *kept = way_place_find(opened, wave);
	struct wt_error *error = NULL;

	if (!kept->way || kept->wave != wave) {
		if (kept->way)
			wt_opened_leave(opened, kept->wave);
		wt_way_destroy(wt_take(kept->way));
		kept->wave = wave;
		error = wt_way_create(opened->explainer, wave, options, &kept->way);
	}
	kept->used = ++opened->clock;
	if (!error)
		*way_ret = kept->way;
	return error;
}

struct wt_way *wt_opened_way_at(const struct wt_opened *opened, uint64_t wave)
{
	for (size_t i = 0; i < WT_OPENED_WAYS; i++) {
		struct wt_way *way = opened->ways[i].way;

		if (way && opened->ways[i].wave == wave &&
		    wt_way_position(way) != wt_way_summary(way)->steps)
			return way;
	}
	return NULL;
}
