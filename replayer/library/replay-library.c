/* SPDX-License-Identifier: MIT */
/*
 * The library as a whole: life cycle, versions, log. The only file that looks at the environment.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dbgapi/client/level.h"
#include "replayer/control/control.h"
#include "replayer/library/internal.h"
#include "replayer/library/keep.h"
#include "replayer/library/substitute.h"

const char *wt_trace_path(void)
{
	/* A recorder in front of us has WAVETAPE_TRACE for the file that it writes. */
	const char *replay = getenv("WAVETAPE_REPLAY");

	return replay ? replay : getenv("WAVETAPE_TRACE");
}

bool wt_control_wanted(struct wt_control_options *options_ret)
{
	const char *control = getenv("WAVETAPE_CONTROL");

	*options_ret = (struct wt_control_options){.runtime = getenv("XDG_RUNTIME_DIR"),
						   .temporary = getenv("TMPDIR")};
	return !control || strcmp(control, "off");
}

/* Finds where files may be kept, by the rules of the desktop: the user's cache, else a directory for this day. */
static void find_directories(char *directories[WT_REPLAY_DIRECTORIES + 1])
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	const char *temporary = getenv("TMPDIR");
	size_t count = 0;

	for (size_t i = 0; i < WT_REPLAY_DIRECTORIES; i++)
		free(directories[i]);
	memset(directories, 0, (WT_REPLAY_DIRECTORIES + 1) * sizeof(*directories));
	if (cache && cache[0] == '/' && asprintf(&directories[count], "%s/wavetape", cache) > 0)
		count++;
	else if (home && home[0] == '/' &&
		 asprintf(&directories[count], "%s/.cache/wavetape", home) > 0)
		count++;
	if (asprintf(&directories[count], "%s/wavetape-%ld",
		     temporary && temporary[0] == '/' ? temporary : "/tmp", (long)geteuid()) < 0)
		directories[count] = NULL;
}

static bool has_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (; *text; text += strspn(text, ",")) {
		size_t size = strcspn(text, ",");

		if (size == length && !strncmp(text, word, size))
			return true;
		text += size;
	}
	return false;
}

void wt_replay_read_options(struct wt_replay_options *options)
{
	const char *text = getenv("WAVETAPE_REPLAY_OPTIONS");

	options->host = text && has_word(text, "host");
	options->extract = text && has_word(text, "extract");
	options->from_state = text && has_word(text, "from-state");
	options->without_debug_frame = text && has_word(text, "without-debug-frame");
	find_directories(options->directories);
}

/* The version of the recorded library; false where no trace says. */
static bool recorded_version(uint32_t version_ret[3])
{
	struct wt_trace_info info = {0};

	wt_replay_open();
	if (wt_replayer.reader)
		wt_reader_info(wt_replayer.reader, &info);
	return info.library_version && sscanf(info.library_version, "%9u.%9u.%9u", &version_ret[0],
					      &version_ret[1], &version_ret[2]) == 3;
}

/* Each of our libraries begins its build name with this. */
#define OWN_BUILD_NAME "wavetape "

unsigned int wt_replay_recorded_level(void)
{
	struct wt_trace_info info = {0};
	uint32_t version[3];

	if (!recorded_version(version))
		return WT_ADDRESS_LEVEL_RELEASED;
	wt_reader_info(wt_replayer.reader, &info);
	return info.library_build_name && !strncmp(info.library_build_name, OWN_BUILD_NAME,
						   sizeof(OWN_BUILD_NAME) - 1)
		       ? WT_ADDRESS_LEVEL_RELEASED
		       : version[1];
}

/* The text of the recorded library. NULL: it knew no such status, or no trace says. */
static const char *recorded_status_text(amd_dbgapi_status_t status, bool *known_ret)
{
	const struct wt_item *item;

	wt_replay_open();
	item = wt_replayer.facts.state
		       ? wt_recorded_function(&wt_replayer.facts, WT_ITEM_OBJECT,
					      WT_FUNCTION_GET_STATUS_STRING, (uint64_t)status)
		       : NULL;
	*known_ret = item && item->answer_count;
	return *known_ret && item->answers[0].status == AMD_DBGAPI_STATUS_SUCCESS
		       ? wt_keep_text(item->answers[0].value, item->answers[0].size)
		       : NULL;
}

/* A client that is newer than the recorded library may ask about statuses that were unknown to that one: it gets ours. */
amd_dbgapi_status_t wt_answer_get_status_string(amd_dbgapi_status_t status,
						const char **status_string)
{
	uint32_t version[3];
	bool known;
	const char *text = recorded_status_text(status, &known);

	if (!text && (!known || !recorded_version(version) || wt_client_level() > version[1]))
		text = wt_status_text(status);
	if (!status_string || !text)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	*status_string = text;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* Answers with the recorded version. A client refuses a library that is older than itself, and can live with ours. */
void wt_answer_get_version(uint32_t *major, uint32_t *minor, uint32_t *patch)
{
	uint32_t numbers[3] = {AMD_DBGAPI_VERSION_MAJOR, AMD_DBGAPI_VERSION_MINOR, 0};
	uint32_t recorded[3];

	if (recorded_version(recorded) && recorded[1] >= wt_client_level())
		memcpy(numbers, recorded, sizeof(numbers));
	if (major)
		*major = numbers[0];
	if (minor)
		*minor = numbers[1];
	if (patch)
		*patch = numbers[2];
}

const char *wt_answer_get_build_name(void)
{
	static const char none[] = "wavetape " WT_VERSION " (replay, no trace)";
	struct wt_trace_info info = {0};
	const char *text;

	wt_replay_open();
	if (wt_replayer.reader)
		wt_reader_info(wt_replayer.reader, &info);
	if (!info.library_build_name)
		return none;
	text = wt_keep_text(info.library_build_name, strlen(info.library_build_name));
	return text ? text : none;
}

amd_dbgapi_status_t wt_answer_initialize(amd_dbgapi_callbacks_t *callbacks)
{
	amd_dbgapi_status_t status = wt_client_initialize(&wt_replayer.client, callbacks);

	if (status == AMD_DBGAPI_STATUS_SUCCESS) {
		wt_replayer.given = (struct wt_timeline_given){0};
		wt_replay_open();
		wt_replay_read_options(&wt_replayer.options);
		wt_substitute_look();
	}
	return status;
}

amd_dbgapi_status_t wt_answer_finalize(void)
{
	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	wt_replay_detach_all();
	wt_disassemblers_deinit(&wt_replayer.disassemblers);
	return wt_client_finalize(&wt_replayer.client);
}

void wt_answer_set_log_level(amd_dbgapi_log_level_t level)
{
	wt_replayer.client.log_level = level;
}
