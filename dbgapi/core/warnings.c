/* SPDX-License-Identifier: MIT */
/*
 * Warnings of parts of a core that could not be read: collected while it is opened, told to the listener when there is
 * one.
 */
#include <stdio.h>
#include <stdlib.h>

#include "dbgapi/core/internal.h"

#define MAX_WARNINGS 64u

void wt_core_warn(struct wt_core *core, struct wt_error *error)
{
	char **grown, *text;

	if (!error)
		return;
	/* So many say that the core is damaged; more would say nothing new. */
	if (core->warning_count == MAX_WARNINGS) {
		wt_error_destroy(error);
		return;
	}
	grown = reallocarray(core->warnings, core->warning_count + 1, sizeof(*grown));
	if (grown)
		core->warnings = grown;
	if (grown && asprintf(&text, "%s: %s: %s", error->what, error->where, error->why) >= 0)
		core->warnings[core->warning_count++] = text;
	wt_error_destroy(error);
}

void wt_core_tell_warnings(const struct wt_core *core)
{
	for (size_t i = 0; i < core->warning_count; i++)
		core->listener.message(core->listener.opaque, true, core->warnings[i]);
}

void wt_core_free_warnings(struct wt_core *core)
{
	for (size_t i = 0; i < core->warning_count; i++)
		free(core->warnings[i]);
	free(core->warnings);
}
