/* SPDX-License-Identifier: MIT */
/* Code objects, and how the client hears of their coming and going. */
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#define THREAD ((amd_dbgapi_client_thread_id_t)(uintptr_t)0x7000)

static bool is_number(const char *text, char **end)
{
	strtoull(text, end, 0);
	return *end != text;
}

/* The documented grammar, as far as a session here can have it. */
static bool is_uri(const char *uri)
{
	const char *range = strpbrk(uri, "#?");
	char *end;

	if (!strncmp(uri, "memory://", 9) && !range)
		return false;
	if (strncmp(uri, "file://", 7) && strncmp(uri, "memory://", 9))
		return false;
	if (!range)
		return true;
	return !strncmp(range + 1, "offset=", 7) && is_number(range + 8, &end) &&
	       !strncmp(end, "&size=", 6) && is_number(end + 6, &end) && !*end;
}

static void check_code_object(uint64_t process, uint64_t object)
{
	char *uri = NULL;

	check_number("C1 the process of a code object",
		     ask(WT_OBJECT_CODE_OBJECT, object, AMD_DBGAPI_CODE_OBJECT_INFO_PROCESS),
		     process);
	check("C4 it is loaded at another address than it was linked for",
	      ask(WT_OBJECT_CODE_OBJECT, object, AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS) != 0,
	      "0");
	check_status("C2 its URI",
		     get_info(WT_OBJECT_CODE_OBJECT, object, AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME,
			      sizeof(uri), &uri),
		     SUCCESS);
	if (uri)
		check("C3 follows the grammar", is_uri(uri), "%s", uri);
	free(uri);
}

void section_code_objects(void)
{
	uint64_t process = attach_ready("two-kernels"), objects[MAX_LISTED] = {0};
	size_t count = handles_of(WT_OBJECT_CODE_OBJECT, process, objects, MAX_LISTED);

	check_number("C11 both code objects are listed", count, 2);
	for (size_t i = 0; i < count && i < 2; i++)
		check_code_object(process, objects[i]);
	check("code objects have handles of their own", objects[0] != objects[1], "one handle");
	detach(process);
}

static amd_dbgapi_status_t report_hit(amd_dbgapi_breakpoint_action_t *action)
{
	return suite.api.report_breakpoint_hit((amd_dbgapi_breakpoint_id_t){suite.breakpoint},
					       THREAD, action);
}

static void check_hit_errors(void)
{
	amd_dbgapi_breakpoint_action_t action = (amd_dbgapi_breakpoint_action_t)77;

	check_status("report_breakpoint_hit looks at NULL before the handle",
		     suite.api.report_breakpoint_hit((amd_dbgapi_breakpoint_id_t){0}, THREAD, NULL),
		     ERROR(INVALID_ARGUMENT));
	check_status(
		"report_breakpoint_hit of no breakpoint",
		suite.api.report_breakpoint_hit((amd_dbgapi_breakpoint_id_t){0}, THREAD, &action),
		ERROR(INVALID_BREAKPOINT_ID));
	check_number("an error leaves the action", (uint64_t)action, 77);
	check_status("a hit while nothing has changed", report_hit(&action), SUCCESS);
	check_number("is answered with RESUME", (uint64_t)action,
		     AMD_DBGAPI_BREAKPOINT_ACTION_RESUME);
}

/* The program stands at its breakpoint: report it, and follow the events to where it goes on. */
static void check_change(uint64_t process, const char *what, size_t expected)
{
	amd_dbgapi_breakpoint_action_t action = AMD_DBGAPI_BREAKPOINT_ACTION_RESUME;
	amd_dbgapi_changed_t changed = AMD_DBGAPI_CHANGED_NO;
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
	amd_dbgapi_client_thread_id_t thread = NULL;
	uint64_t *objects = NULL, event;
	size_t count = 0;

	check_status(name_of("E6 %s: the hit", what), report_hit(&action), SUCCESS);
	check_number(name_of("E6 %s: is answered with HALT", what), (uint64_t)action,
		     AMD_DBGAPI_BREAKPOINT_ACTION_HALT);
	event = next_event(process, &kind);
	check_number(name_of("E6 %s: the list has changed", what), (uint64_t)kind,
		     AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED);
	list(WT_OBJECT_CODE_OBJECT, process, &count, &objects, &changed);
	check(name_of("C12 %s: the flag says so, and the list too", what),
	      changed == AMD_DBGAPI_CHANGED_YES && count == expected, "changed %d, %zu",
	      (int)changed, count);
	free(objects);
	check("E6 the program waits for the event to be processed", nothing_comes(process),
	      "something comes");
	suite.api.event_processed((amd_dbgapi_event_id_t){event});
	event = next_event(process, &kind);
	check_number(name_of("E7 %s: then the thread may go on", what), (uint64_t)kind,
		     AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME);
	check_number("E7 the breakpoint",
		     ask(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_BREAKPOINT),
		     suite.breakpoint);
	get_info(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_CLIENT_THREAD, sizeof(thread),
		 &thread);
	check("E7 the thread", thread == THREAD, "another one");
	suite.api.event_processed((amd_dbgapi_event_id_t){event});
}

/*
 * A client that cannot insert the breakpoint is told by the list alone. Over a driver it is told nothing: without it nobody knows
 * when the list of a program that runs may be read.
 */
static void check_without_breakpoint(void)
{
	const size_t expected = suite.over != OVER_DRIVER;
	uint64_t process, *objects = NULL;
	amd_dbgapi_changed_t changed;
	size_t count;

	suite.no_breakpoint = true;
	process = attach_ready("loads");
	suite.no_breakpoint = false;
	list(WT_OBJECT_CODE_OBJECT, process, &count, &objects, &changed);
	free(objects);
	objects = NULL;
	check("without the breakpoint no event comes", nothing_comes(process), "one does");
	list(WT_OBJECT_CODE_OBJECT, process, &count, &objects, &changed);
	check("C12 but the list has changed, where it can be read",
	      (changed == AMD_DBGAPI_CHANGED_YES) == expected && count == expected,
	      "changed %d, %zu", (int)changed, count);
	free(objects);
	detach(process);
}

void section_loading(void)
{
	unsigned int insertions = suite.insertions, removals = suite.removals;
	uint64_t process, object[2] = {0};

	if (left_out("E6 E7 code objects that come and go",
		     "a trace does not replay hits of its breakpoint", 2))
		return;
	process = attach_ready("loads");
	check_number("the breakpoint is inserted at attach", suite.insertions, insertions + 1);
	check_number(
		"the breakpoint's process",
		ask(WT_OBJECT_BREAKPOINT, suite.breakpoint, AMD_DBGAPI_BREAKPOINT_INFO_PROCESS),
		process);
	check_number("one code object is there",
		     handles_of(WT_OBJECT_CODE_OBJECT, process, object, 1), 1);
	check_hit_errors();
	check("the first dispatch ends", nothing_comes(process), "an event comes");
	check_change(process, "loading", 2);
	check("the second dispatch ends", nothing_comes(process), "an event comes");
	check_change(process, "unloading", 1);
	handles_of(WT_OBJECT_CODE_OBJECT, process, object + 1, 1);
	check_status("C6 what was unloaded is no code object",
		     get_info(WT_OBJECT_CODE_OBJECT, object[0], AMD_DBGAPI_CODE_OBJECT_INFO_PROCESS,
			      8, object),
		     ERROR(INVALID_CODE_OBJECT_ID));
	detach(process);
	check_number("the breakpoint is removed at detach", suite.removals, removals + 1);
	check_without_breakpoint();
}
