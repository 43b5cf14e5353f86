/* SPDX-License-Identifier: MIT */
/* When something is missing or goes wrong: the client must not suffer, and must be told where it can be. */
#include "tests/unit/recorder/support.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/recorder/fake.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static struct fake *provider;
static char logged[1024];
static amd_dbgapi_log_level_t logged_level;

/*
 * Allocations of the library under test fail from the @fail_from'th on, while failing is on. The client's
 * own callbacks do not go through here.
 */
#ifndef SANITIZED
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

/* Seen by the libraries in place of libc's. */
#define INTERPOSED __attribute__((visibility("default")))

static bool failing;
static long allocations, fail_from;

static bool fails(void)
{
	return failing && ++allocations > fail_from;
}

INTERPOSED void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

INTERPOSED void *calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

INTERPOSED void *realloc(void *memory, size_t size)
{
	return fails() ? NULL : __libc_realloc(memory, size);
}

INTERPOSED void *reallocarray(void *memory, size_t count, size_t size)
{
	return fails() ? NULL : __libc_realloc(memory, count * size);
}

static void *client_allocate(size_t size)
{
	return __libc_malloc(size);
}
#else
static void *client_allocate(size_t size)
{
	return malloc(size);
}
#endif

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	logged_level = level;
	snprintf(logged, sizeof(logged), "%s", message);
}

static amd_dbgapi_callbacks_t callbacks = {
	.allocate_memory = client_allocate,
	.deallocate_memory = free,
	.client_process_get_info = support_client_process_get_info,
	.insert_breakpoint = support_insert_breakpoint,
	.remove_breakpoint = support_remove_breakpoint,
	.xfer_global_memory = support_xfer_global_memory,
	.log_message = log_message,
};

/* A session, as far as the made-up answers go; what the statuses add up to. */
static int session(const struct wt_api *api)
{
	amd_dbgapi_process_id_t process = {0};
	amd_dbgapi_wave_id_t *waves = NULL;
	amd_dbgapi_event_id_t event;
	amd_dbgapi_event_kind_t kind;
	uint8_t value[8];
	size_t count = 0;
	int sum = 0;

	sum += api->initialize(&callbacks);
	sum += api->process_attach(NULL, &process);
	sum += api->process_next_pending_event(process, &event, &kind);
	sum += api->process_wave_list(process, &count, &waves, NULL);
	free(waves);
	sum += api->read_register((amd_dbgapi_wave_id_t){1}, (amd_dbgapi_register_id_t){1}, 0,
				  sizeof(value), value);
	sum += api->wave_resume((amd_dbgapi_wave_id_t){1}, AMD_DBGAPI_RESUME_MODE_NORMAL,
				AMD_DBGAPI_EXCEPTION_NONE);
	sum += api->process_detach(process);
	sum += api->finalize();
	return sum;
}

static void without_a_trace_everything_passes(void **state)
{
	struct support_library library = support_load(FAKE_LIBRARY, NULL, NULL);
	uint32_t before = provider->calls[WT_FUNCTION_WAVE_GET_INFO];

	(void)state;
	logged[0] = '\0';
	assert_int_equal(session(&library.api), 0);
	assert_string_equal(logged, "a warning");
	/* No question of our own either. */
	assert_int_equal(provider->calls[WT_FUNCTION_WAVE_GET_INFO], before);
	support_unload(&library);
}

static void an_unwritable_trace_does_not_stop_the_client(void **state)
{
	struct support_library library =
		support_load(FAKE_LIBRARY, support_path("no/such/directory/x.wtape"), NULL);

	(void)state;
	provider->inside = NULL;
	logged[0] = '\0';
	assert_int_equal(library.api.initialize(&callbacks), 0);
	assert_int_equal(logged_level, AMD_DBGAPI_LOG_LEVEL_WARNING);
	assert_non_null(strstr(logged, "no/such/directory/x.wtape"));
	assert_non_null(strstr(logged, "No such file or directory"));
	assert_int_equal(library.api.finalize(), 0);
	assert_int_equal(session(&library.api), 0);
	support_unload(&library);
}

static void check_unavailable(const struct wt_api *api, const char *reason)
{
	uint32_t major = 9, minor = 9, patch = 9;
	amd_dbgapi_process_id_t process = {77};
	const char *text;

	api->get_version(&major, &minor, &patch);
	assert_int_equal(major, 0);
	assert_int_equal(minor, AMD_DBGAPI_VERSION_MINOR);
	assert_int_equal(patch, 0);
	api->get_version(NULL, NULL, NULL);
	assert_non_null(api->get_build_name());
	assert_int_equal(api->get_status_string(AMD_DBGAPI_STATUS_ERROR, &text), 0);
	assert_non_null(text);
	assert_int_equal(api->get_status_string(AMD_DBGAPI_STATUS_ERROR, NULL),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	api->set_log_level(AMD_DBGAPI_LOG_LEVEL_VERBOSE);
	logged[0] = '\0';
	assert_int_equal(api->initialize(&callbacks), AMD_DBGAPI_STATUS_ERROR);
	assert_int_equal(logged_level, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR);
	if (!strstr(logged, reason))
		fail_msg("\"%s\" does not say \"%s\"", logged, reason);
	assert_int_equal(api->initialize(NULL), AMD_DBGAPI_STATUS_ERROR);
	assert_int_equal(api->process_attach(NULL, &process), AMD_DBGAPI_STATUS_ERROR);
	assert_int_equal(process.handle, 77);
	assert_int_equal(api->finalize(), AMD_DBGAPI_STATUS_ERROR);
}

static void a_missing_library_is_an_error(void **state)
{
	const char *trace = support_path("missing.wtape");
	struct support_library library = support_load("/no/such/library.so", trace, NULL);

	(void)state;
	check_unavailable(&library.api, "/no/such/library.so");
	support_unload(&library);
	assert_int_not_equal(access(trace, F_OK), 0);
}

static void another_library_is_an_error(void **state)
{
	struct support_library library = support_load("libm.so.6", support_path("m.wtape"), NULL);

	(void)state;
	check_unavailable(&library.api, "no function of the debugger API");
	support_unload(&library);
}

/* Under whatever name: the recording library never wraps itself. */
static void it_does_not_wrap_itself(void **state)
{
	const char *copy = support_path("self.so"), *link = support_path("link-to-self.so");
	void *handle;
	struct wt_api api;

	(void)state;
	support_copy(RECORDING_LIBRARY, copy);
	assert_int_equal(symlink(copy, link), 0);
	setenv("WAVETAPE_DBGAPI", link, 1);
	unsetenv("WAVETAPE_TRACE");
	support_must(wt_api_load(copy, &api));
	check_unavailable(&api, "that is the recording library itself");
	handle = dlopen(copy, RTLD_NOW | RTLD_NOLOAD);
	dlclose(handle);
	dlclose(handle);
}

/* Run this program again: the loader reads LD_LIBRARY_PATH when a process starts. */
static int run_search(const char *self, const char *path)
{
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	int status;
	pid_t child;

	assert_true(length > 0);
	program[length] = '\0';
	child = fork();
	if (!child) {
		setenv("LD_LIBRARY_PATH", path, 1);
		unsetenv("WAVETAPE_DBGAPI");
		unsetenv("WAVETAPE_TRACE");
		execl(program, program, "--search", self, NULL);
		_exit(99);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void the_next_in_the_search_order_is_wrapped(void **state)
{
	char path[PATH_MAX], self[PATH_MAX], other[PATH_MAX];
	const char *directory = support_directory();

	(void)state;
	snprintf(path, sizeof(path), "%s/first", directory);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/second", directory);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(self, sizeof(self), "%s/first/" WT_API_SONAME, directory);
	support_copy(RECORDING_LIBRARY, self);
	snprintf(other, sizeof(other), "%s/second/" WT_API_SONAME, directory);
	snprintf(path, sizeof(path), "%s/first:%s/second", directory, directory);
	/* Only itself is there: no library. Then there is another. */
	assert_int_equal(run_search(self, path), 1);
	support_copy(FAKE_LIBRARY, other);
	assert_int_equal(run_search(self, path), 0);
	/* A link to itself, further on in the path, is not another library. */
	unlink(other);
	assert_int_equal(symlink(self, other), 0);
	assert_int_equal(run_search(self, path), 1);
}

/* Of the program that run_search() starts: 0 if the fake provider was found, 1 if none was. */
static int search(const char *self)
{
	struct wt_api api;

	if (wt_api_load(self, &api))
		return 2;
	return strcmp(api.get_build_name(), "a build") ? 1 : 0;
}

static void count_calls(const char *trace, uint64_t *calls_ret, bool *complete_ret)
{
	struct wt_trace_info info;
	struct wt_reader *reader;

	support_must(wt_reader_open(trace, &reader));
	assert_null(wt_reader_damage(reader));
	wt_reader_info(reader, &info);
	*calls_ret = info.calls;
	*complete_ret = info.complete;
	wt_reader_close(reader);
}

static void a_child_after_fork_does_not_write(void **state)
{
	const char *trace = support_path("fork.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, NULL);
	uint64_t calls;
	bool complete;
	int status;
	pid_t child;

	(void)state;
	assert_int_equal(library.api.initialize(&callbacks), 0);
	child = fork();
	if (!child) {
		/* Its calls work; and neither they nor its end, in order, are in the trace. */
		status = session(&library.api);
		support_unload(&library);
		_exit(status);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(library.api.finalize(), 0);
	support_unload(&library);
	count_calls(trace, &calls, &complete);
	assert_int_equal(calls, 2);
	assert_true(complete);
}

/* A killed process leaves the calls it made, the last one without its answer. */
static void die(void)
{
	raise(SIGKILL);
}

static void the_call_that_kills_is_in_the_trace(void **state)
{
	const char *trace = support_path("killed.wtape");
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	struct wt_reader *reader;
	int status, begins = 0, ends = 0;
	pid_t child = fork();

	(void)state;
	if (!child) {
		struct support_library library = support_load(FAKE_LIBRARY, trace, NULL);
		amd_dbgapi_process_id_t process;

		provider->inside = die;
		library.api.initialize(&callbacks);
		library.api.process_attach(NULL, &process);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	do {
		support_must(wt_journal_next(journal, &record));
		begins += record && record->kind == WT_JOURNAL_BEGIN;
		ends += record && record->kind == WT_JOURNAL_END;
	} while (record);
	assert_int_equal(begins, 2);
	assert_int_equal(ends, 1);
	wt_journal_close(journal);
	wt_reader_close(reader);
}

static void it_is_not_inherited_by_other_programs(void **state)
{
	const char *trace = support_path("inherit.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, NULL);
	char command[512];

	(void)state;
	assert_int_equal(library.api.initialize(&callbacks), 0);
	snprintf(command, sizeof(command), "ls -l /proc/self/fd | grep -q inherit.wtape");
	assert_int_not_equal(system(command), 0);
	support_unload(&library);
}

/* Whichever allocation fails, the client gets its answers, and the process lives. */
static void lack_of_memory_ends_the_recording_only(void **state)
{
#ifdef SANITIZED
	(void)state;
	skip();
#else
	long needed = 0;

	(void)state;
	for (long n = 0; n <= needed; n++) {
		const char *trace = support_path("memory.wtape");
		struct support_library library = support_load(FAKE_LIBRARY, trace, "sync=none");
		struct wt_reader *reader;
		int sum;

		/* Opened, and found the library: what fails then is told in another test. */
		library.api.set_log_level(AMD_DBGAPI_LOG_LEVEL_NONE);
		allocations = 0;
		fail_from = n ? n - 1 : LONG_MAX;
		failing = true;
		sum = session(&library.api);
		failing = false;
		if (!n)
			needed = allocations;
		assert_int_equal(sum, 0);
		support_unload(&library);
		support_must(wt_reader_open(trace, &reader));
		wt_reader_close(reader);
		unlink(trace);
	}
	/* So many places were tried. */
	assert_true(needed > 100);
#endif
}

/* A call of the client's, which the provider is told of: what else is asked meanwhile is the recorder's. */
#define CLIENT(function, call)                                                                     \
	(provider->client = WT_FUNCTION_##function, provider->client_seen = false, (call))

/* As session(), with more that the recorder looks at; a sum over all that the client got. */
static uint64_t told_session(const struct wt_api *api)
{
	amd_dbgapi_process_id_t process = {0};
	amd_dbgapi_wave_id_t *waves = NULL;
	amd_dbgapi_event_id_t event = {0};
	amd_dbgapi_event_kind_t kind = 0;
	uint8_t value[8] = {0};
	uint64_t size = sizeof(value), sum = 0;
	size_t count = 0;
	uint32_t state = 0;

	sum += (uint64_t)CLIENT(INITIALIZE, api->initialize(&callbacks));
	sum += (uint64_t)CLIENT(PROCESS_ATTACH, api->process_attach(NULL, &process));
	sum += (uint64_t)CLIENT(PROCESS_NEXT_PENDING_EVENT,
				api->process_next_pending_event(process, &event, &kind));
	provider->no_events = true;
	sum += (uint64_t)CLIENT(PROCESS_NEXT_PENDING_EVENT,
				api->process_next_pending_event(process, &event, &kind));
	provider->no_events = false;
	/* The recorder asks for lists before the client does, if a stop is still to be made: not here. */
	sum += (uint64_t)CLIENT(PROCESS_SET_PROGRESS,
				api->process_set_progress(process, AMD_DBGAPI_PROGRESS_NORMAL));
	sum += (uint64_t)CLIENT(PROCESS_WAVE_LIST,
				api->process_wave_list(process, &count, &waves, NULL));
	free(waves);
	sum += count;
	sum += (uint64_t)CLIENT(WAVE_GET_INFO, api->wave_get_info((amd_dbgapi_wave_id_t){7},
								  AMD_DBGAPI_WAVE_INFO_STATE,
								  sizeof(state), &state));
	sum += state;
	sum += (uint64_t)CLIENT(READ_REGISTER, api->read_register((amd_dbgapi_wave_id_t){1},
								  (amd_dbgapi_register_id_t){1}, 0,
								  sizeof(value), value));
	sum += (uint64_t)CLIENT(WRITE_REGISTER, api->write_register((amd_dbgapi_wave_id_t){1},
								    (amd_dbgapi_register_id_t){1},
								    0, sizeof(value), value));
	sum += (uint64_t)CLIENT(READ_MEMORY, api->read_memory(process, AMD_DBGAPI_WAVE_NONE,
							      AMD_DBGAPI_LANE_NONE,
							      AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
							      0x1000, &size, value));
	for (size_t i = 0; i < sizeof(value); i++)
		sum = sum * 31 + value[i];
	sum += (uint64_t)CLIENT(WAVE_RESUME, api->wave_resume((amd_dbgapi_wave_id_t){1},
							      AMD_DBGAPI_RESUME_MODE_NORMAL,
							      AMD_DBGAPI_EXCEPTION_NONE));
	sum += (uint64_t)CLIENT(PROCESS_SET_PROGRESS,
				api->process_set_progress(process, AMD_DBGAPI_PROGRESS_NORMAL));
	sum += (uint64_t)CLIENT(PROCESS_DETACH, api->process_detach(process));
	sum += (uint64_t)CLIENT(FINALIZE, api->finalize());
	provider->client = -1;
	return sum;
}

/* Every n'th one up to the last: all of them with WAVETAPE_LONG=1. */
static uint32_t own_questions_step(uint32_t count)
{
	const char *wanted = getenv("WAVETAPE_LONG");

	return (wanted && !strcmp(wanted, "1")) || count < 60 ? 1 : count / 60;
}

/* Whichever question of the recorder's own is refused, the client gets its answers. */
static void refused_questions_do_no_harm(void **state)
{
	uint32_t count = 0;
	uint64_t expected = 0;

	(void)state;
	provider->inside = NULL;
	for (int after = 0; after < 2; after++) {
		for (uint32_t n = 0; n <= count; n += n ? own_questions_step(count) : 1) {
			const char *trace = support_path("refused.wtape");
			struct support_library library =
				support_load(FAKE_LIBRARY, trace, "sync=none");
			struct wt_reader *reader;
			uint64_t sum;

			provider->own_calls = 0;
			provider->fail_own = n ? n : UINT32_MAX;
			provider->fail_after = n && after;
			sum = told_session(&library.api);
			support_unload(&library);
			if (!n) {
				count = provider->own_calls;
				expected = sum;
			}
			assert_int_equal(sum, expected);
			trace = support_path("refused.wtape");
			support_must(wt_reader_open(trace, &reader));
			assert_null(wt_reader_damage(reader));
			wt_reader_close(reader);
			unlink(trace);
		}
	}
	assert_true(count > 100);
}

/* With `hold` all of a moment is asked between the two, and the program goes on after it; else nothing is set. */
static void a_running_program_is_held_if_asked_for(void **state)
{
	uint32_t sets, expected = 0;

	(void)state;
	provider->inside = NULL;
	for (int hold = 0; hold < 2; hold++) {
		struct support_library library =
			support_load(FAKE_LIBRARY, support_path("hold.wtape"),
				     hold ? "hold,sync=none" : "sync=none");
		amd_dbgapi_process_id_t process;

		sets = provider->calls[WT_FUNCTION_PROCESS_SET_PROGRESS];
		provider->held = false;
		provider->asked = provider->asked_held = 0;
		assert_int_equal(library.api.initialize(&callbacks), 0);
		assert_int_equal(library.api.process_attach(NULL, &process), 0);
		assert_true(provider->asked > 0);
		assert_int_equal(provider->asked_held, hold ? provider->asked : 0);
		assert_int_equal(provider->calls[WT_FUNCTION_PROCESS_SET_PROGRESS] - sets,
				 hold ? 2 : 0);
		assert_false(provider->held);
		/* One that the client holds itself is left alone. */
		assert_int_equal(
			library.api.process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD),
			0);
		expected = provider->calls[WT_FUNCTION_PROCESS_SET_PROGRESS];
		session(&library.api);
		if (!hold)
			assert_int_equal(provider->calls[WT_FUNCTION_PROCESS_SET_PROGRESS],
					 expected);
		support_unload(&library);
	}
}

static int load_provider(void **state)
{
	void *handle = dlopen(FAKE_LIBRARY, RTLD_NOW);

	(void)state;
	provider = handle ? dlsym(handle, "fake") : NULL;
	return provider ? 0 : -1;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_trace_everything_passes),
		cmocka_unit_test(an_unwritable_trace_does_not_stop_the_client),
		cmocka_unit_test(a_missing_library_is_an_error),
		cmocka_unit_test(another_library_is_an_error),
		cmocka_unit_test(it_does_not_wrap_itself),
		cmocka_unit_test(the_next_in_the_search_order_is_wrapped),
		cmocka_unit_test(a_child_after_fork_does_not_write),
		cmocka_unit_test(the_call_that_kills_is_in_the_trace),
		cmocka_unit_test(it_is_not_inherited_by_other_programs),
		cmocka_unit_test(lack_of_memory_ends_the_recording_only),
		cmocka_unit_test(refused_questions_do_no_harm),
		cmocka_unit_test(a_running_program_is_held_if_asked_for),
	};

	if (argc == 3 && !strcmp(argv[1], "--search"))
		return search(argv[2]);
	return cmocka_run_group_tests(tests, load_provider, NULL);
}
