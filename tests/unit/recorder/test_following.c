/* SPDX-License-Identifier: MIT */
/*
 * An agent follows events of a library that is made up here: code objects that are loaded while it is about to ask for events. And it lets the
 * process go where the library is gone, by a driver that is made up, too.
 */
/* The two forms of open() are one function each here. */
#undef _FILE_OFFSET_BITS
#include "recorder/agent/follow-events.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#include "tests/unit/with-cmocka.h"

#include "dbgapi/table/load.h"
#include "device/kfd-debug.h"

/* The queue of events, the library's first; what was asked of it, a letter each. */
static struct {
	amd_dbgapi_event_kind_t queue[8];
	size_t first, end;
	bool code_is_listed;
	char asked[32];
} library;

static void library_note(const char *letter)
{
	strncat(library.asked, letter, sizeof(library.asked) - strlen(library.asked) - 1);
}

static amd_dbgapi_status_t AMD_DBGAPI next_event(amd_dbgapi_process_id_t process,
						 amd_dbgapi_event_id_t *event,
						 amd_dbgapi_event_kind_t *kind)
{
	(void)process;
	library_note("n");
	event->handle = 0;
	*kind = AMD_DBGAPI_EVENT_KIND_NONE;
	if (library.first < library.end) {
		*kind = library.queue[library.first];
		event->handle = ++library.first;
	}
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t AMD_DBGAPI look(amd_dbgapi_breakpoint_id_t breakpoint,
					   amd_dbgapi_client_thread_id_t thread,
					   amd_dbgapi_breakpoint_action_t *action)
{
	(void)breakpoint;
	(void)thread;
	*action = AMD_DBGAPI_BREAKPOINT_ACTION_RESUME;
	library_note("b");
	if (!library.code_is_listed)
		library.queue[library.end++] = AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED;
	library.code_is_listed = true;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t AMD_DBGAPI processed(amd_dbgapi_event_id_t event)
{
	(void)event;
	library_note("p");
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t AMD_DBGAPI event_fact(amd_dbgapi_event_id_t event,
						 amd_dbgapi_event_info_t query, size_t size,
						 void *value)
{
	const amd_dbgapi_wave_id_t wave = {event.handle};

	assert_int_equal(query, AMD_DBGAPI_EVENT_INFO_WAVE);
	assert_int_equal(size, sizeof(wave));
	memcpy(value, &wave, sizeof(wave));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t AMD_DBGAPI wave_fact(amd_dbgapi_wave_id_t wave,
						amd_dbgapi_wave_info_t query, size_t size,
						void *value)
{
	const uint32_t reasons = AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP;

	(void)wave;
	assert_int_equal(query, AMD_DBGAPI_WAVE_INFO_STOP_REASON);
	assert_int_equal(size, sizeof(reasons));
	memcpy(value, &reasons, sizeof(reasons));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t AMD_DBGAPI set_progress(amd_dbgapi_process_id_t process,
						   amd_dbgapi_progress_t progress)
{
	(void)process;
	(void)progress;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static const struct wt_api api = {
	.process_next_pending_event = next_event,
	.report_breakpoint_hit = look,
	.event_processed = processed,
	.event_get_info = event_fact,
	.wave_get_info = wave_fact,
	.process_set_progress = set_progress,
};

/* The caller has looked before there was any code; then it was loaded, and two of its waves have stopped. */
static void test_code_of_a_stop(void **state)
{
	struct wt_agent_follow follow = {.client = {.api = &api, .has_breakpoint = true}};
	bool any;

	(void)state;
	memset(&library, 0, sizeof(library));
	library.queue[0] = library.queue[1] = AMD_DBGAPI_EVENT_KIND_WAVE_STOP;
	library.end = 2;
	assert_null(wt_agent_pump(&follow, &any));
	assert_true(any && follow.fault && library.code_is_listed);
	assert_int_equal(library.first, 3);
	/* The library looks once, when it has told of a stop, and its news are heard of before anything is taken. */
	assert_string_equal(library.asked, "nbpnpnpn");
	wt_agent_follow_deinit(&follow);
}

/* Without a stop nobody looks but the caller. */
static void test_no_stop(void **state)
{
	struct wt_agent_follow follow = {.client = {.api = &api, .has_breakpoint = true}};
	bool any;

	(void)state;
	memset(&library, 0, sizeof(library));
	library.queue[library.end++] = AMD_DBGAPI_EVENT_KIND_RUNTIME;
	assert_null(wt_agent_pump(&follow, &any));
	assert_true(any && !follow.fault);
	assert_string_equal(library.asked, "npn");
	wt_agent_follow_deinit(&follow);
}

/* ---- Where the library is gone ---- */

#define EXPORT __attribute__((visibility("default")))

/* The C library's function of a name that is defined here, too. */
#define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

/* What the driver answers; 0: it does what it is asked. */
static int driver_error;

EXPORT int open64(const char *path, int flags, ...)
{
	return NEXT(open64)(strcmp(path, "/dev/kfd") ? path : "/dev/null", flags, 0600);
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (_IOC_TYPE(request) != KFD_IOCTL_BASE)
		return NEXT(ioctl)(fd, request, argument);
	errno = driver_error;
	return driver_error ? -1 : 0;
}

/* Does the driver hold the process still, when it answers so? */
static bool is_held(bool attached, int error)
{
	struct wt_agent_follow follow = {
		.client = {.over = true, .left = true, .attached = attached}};

	driver_error = error;
	assert_null(wt_agent_deliver(&follow));
	assert_false(follow.unheard);
	return follow.held;
}

static void test_who_is_held(void **state)
{
	(void)state;
	for (int attached = 0; attached < 2; attached++) {
		assert_false(is_held(attached, 0));
		assert_true(is_held(attached, EIO));
		assert_true(is_held(attached, EBUSY));
		/* Nobody debugs it. */
		assert_false(is_held(attached, EINVAL));
		/* A driver that debugs nothing says that of the library's attach, too. */
		assert_int_equal(is_held(attached, ENOTTY), attached);
		assert_int_equal(is_held(attached, EPERM), attached);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_of_a_stop),
		cmocka_unit_test(test_no_stop),
		cmocka_unit_test(test_who_is_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
