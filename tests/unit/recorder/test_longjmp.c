/* SPDX-License-Identifier: MIT */
/*
 * A signal handler of the client's interrupts the recorder in the middle of its work, and leaves by longjmp(). Nobody can
 * go on with that work: the recording ends there. The client must not notice anything else: every call is answered,
 * nobody waits, and what the library allocates comes from the client.
 */
#include "tests/unit/recorder/fake.h"
#include "tests/unit/recorder/support.h"
#include "trace-format/reader/check.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define BEFORE 10u
#define AFTER 5u
#define STACK (64u << 10)

static struct fake *fake_library;
static const struct wt_api *api;
static sigjmp_buf back;
static atomic_uint messages, allocations;
static char message[512];

/* In a child: what is expected there ends it otherwise. */
#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);    \
			_exit(2);                                                                  \
		}                                                                                  \
	} while (0)

static void keep_message(amd_dbgapi_log_level_t level, const char *text)
{
	if (level == AMD_DBGAPI_LOG_LEVEL_WARNING && strstr(text, "wavetape: ")) {
		snprintf(message, sizeof(message), "%s", text);
		atomic_fetch_add(&messages, 1);
	}
}

static void *allocate(size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return malloc(size);
}

static void leave(int signal)
{
	(void)signal;
	siglongjmp(back, 1);
}

static void handle(int signal, void (*handler)(int), int flags)
{
	const struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	MUST(!sigaction(signal, &action, NULL));
}

static amd_dbgapi_status_t read_one(void)
{
	uint64_t value[2];

	return api->read_register((amd_dbgapi_wave_id_t){1}, (amd_dbgapi_register_id_t){1}, 0,
				  sizeof(value), value);
}

static void *read_in_thread(void *unused)
{
	MUST(read_one() == AMD_DBGAPI_STATUS_SUCCESS);
	return unused;
}

static void another_thread_reads(void)
{
	pthread_t thread;

	MUST(!pthread_create(&thread, NULL, read_in_thread, NULL));
	MUST(!pthread_join(thread, NULL));
}

/* The recorder finds the bytes missing when it writes the journal, with the lock held. */
__attribute__((noinline)) static void pass_what_is_not_there(void)
{
	void *nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	handle(SIGSEGV, leave, 0);
	if (!sigsetjmp(back, 1)) {
		api->write_register((amd_dbgapi_wave_id_t){1}, (amd_dbgapi_register_id_t){1}, 0, 8,
				    nothing);
		MUST(false); /* it came back */
	}
	munmap(nothing, 4096);
}

/* The library is interrupted in answering the recorder, which it is asked by with the lock held. */
static void interrupt(enum wt_function function)
{
	if (function == WT_FUNCTION_EVENT_GET_INFO)
		raise(SIGUSR1);
}

__attribute__((noinline)) static void interrupt_a_question(void)
{
	amd_dbgapi_event_id_t event;
	amd_dbgapi_event_kind_t kind;
	volatile char deeper[4096];

	/* What is called later is called from further up, however a compiler lays out its frames. */
	deeper[0] = 0;
	handle(SIGUSR1, leave, 0);
	fake_library->entered = interrupt;
	if (!sigsetjmp(back, 1)) {
		api->process_next_pending_event((amd_dbgapi_process_id_t){1}, &event, &kind);
		MUST(false); /* it came back */
	}
	fake_library->entered = NULL;
	(void)deeper[0];
}

static void nothing_is_left(void)
{
	int state;

	/* Nothing is left of the recorder's own work on this thread, once it makes a call. */
	MUST(read_one() == AMD_DBGAPI_STATUS_SUCCESS);
	MUST(!pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state));
	MUST(state == PTHREAD_CANCEL_ENABLE);
}

static void begin(bool shared)
{
	amd_dbgapi_process_id_t process;

	MUST(api->initialize(&support_callbacks) == AMD_DBGAPI_STATUS_SUCCESS);
	MUST(api->process_attach((amd_dbgapi_client_process_id_t)&process, &process) ==
	     AMD_DBGAPI_STATUS_SUCCESS);
	for (unsigned int i = 0; i < BEFORE; i++)
		MUST(read_one() == AMD_DBGAPI_STATUS_SUCCESS);
	/* From then on the lock is a mutex. */
	if (shared)
		another_thread_reads();
}

/* Everything is answered, by the library, in every thread. */
static void go_on(void)
{
	uint32_t reads = fake_library->calls[WT_FUNCTION_READ_REGISTER];
	amd_dbgapi_wave_id_t *waves = NULL;
	unsigned int allocated;
	size_t count;

	for (unsigned int i = 0; i < AFTER; i++)
		MUST(read_one() == AMD_DBGAPI_STATUS_SUCCESS);
	another_thread_reads();
	MUST(fake_library->calls[WT_FUNCTION_READ_REGISTER] == reads + AFTER + 1);
	allocated = atomic_load(&allocations);
	MUST(api->process_wave_list((amd_dbgapi_process_id_t){1}, &count, &waves, NULL) ==
	     AMD_DBGAPI_STATUS_SUCCESS);
	MUST(waves && atomic_load(&allocations) == allocated + 1);
	free(waves);
	MUST(atomic_load(&messages) == 1);
	MUST(!strcmp(message, "wavetape: the recording ends here: longjmp: a signal handler left a "
			      "call in the middle of the recorder's work"));
	MUST(api->finalize() == AMD_DBGAPI_STATUS_SUCCESS);
}

static void leave_and_go_on(bool shared)
{
	begin(shared);
	pass_what_is_not_there();
	go_on();
}

/* The thread that has left waits for the other one: nothing tells but where it waits. */
static void leave_and_wait(bool shared)
{
	begin(shared);
	pass_what_is_not_there();
	another_thread_reads();
	go_on();
}

static void *leave_in_thread(void *unused)
{
	pass_what_is_not_there();
	return unused;
}

static void leave_and_end_the_thread(bool shared)
{
	pthread_t thread;

	begin(shared);
	MUST(!pthread_create(&thread, NULL, leave_in_thread, NULL));
	MUST(!pthread_join(thread, NULL));
	go_on();
}

static void leave_a_question(bool shared)
{
	begin(shared);
	interrupt_a_question();
	nothing_is_left();
	go_on();
}

static void leave_and_exit(bool shared)
{
	begin(shared);
	pass_what_is_not_there();
}

/* A process that does this, and its trace. */
struct child {
	char trace[512];
	pid_t id;
};

static void child_start(struct child *child, unsigned int number, void (*way)(bool), bool shared)
{
	snprintf(child->trace, sizeof(child->trace), "%s/left-%u.wtape", support_directory(),
		 number);
	fflush(NULL);
	child->id = fork();
	assert_true(child->id >= 0);
	if (!child->id) {
		struct support_library library =
			support_load(FAKE_LIBRARY, child->trace, "no-host");

		alarm(60);
		api = &library.api;
		fake_library = dlsym(dlopen(FAKE_LIBRARY, RTLD_NOW), "fake");
		MUST(fake_library);
		support_callbacks.log_message = keep_message;
		support_callbacks.allocate_memory = allocate;
		way(shared);
		exit(0);
	}
}

/* It was answered to the end, and the trace is as one of a killed process. */
static void child_end(const struct child *child)
{
	struct wt_trace_info info;
	struct wt_reader *reader;
	struct wt_check check;
	int status;

	assert_int_equal(waitpid(child->id, &status, 0), child->id);
	assert_int_equal(status, 0);
	support_must(wt_reader_open(child->trace, &reader));
	wt_reader_info(reader, &info);
	assert_false(info.complete);
	support_must(wt_reader_examine(reader, NULL, &check));
	assert_true(check.calls.count >= BEFORE + 2);
	wt_reader_close(reader);
}

static void a_handler_may_leave(void **state)
{
	static void (*const ways[])(bool) = {leave_and_go_on, leave_and_wait,
					     leave_and_end_the_thread, leave_a_question,
					     leave_and_exit};
	struct child children[2 * sizeof(ways) / sizeof(*ways)];
	const unsigned int count = sizeof(children) / sizeof(*children);

	(void)state;
	/* Some of them wait for as long as anybody waits for the lock: side by side. */
	for (unsigned int i = 0; i < count; i++)
		child_start(&children[i], i, ways[i / 2], i % 2);
	for (unsigned int i = 0; i < count; i++)
		child_end(&children[i]);
}

static atomic_uint handled;

static void read_in_handler(int signal)
{
	(void)signal;
	MUST(read_one() == AMD_DBGAPI_STATUS_SUCCESS);
	atomic_fetch_add(&handled, 1);
}

/* A handler that comes back is no end of anything, whichever stack it runs on; what it does meanwhile is counted. */
static void come_back(bool own_stack)
{
	const stack_t stack = {
		.ss_sp = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			      0),
		.ss_size = STACK,
	};
	amd_dbgapi_event_id_t event;
	amd_dbgapi_event_kind_t kind;

	begin(false);
	MUST(!sigaltstack(&stack, NULL));
	handle(SIGUSR1, read_in_handler, own_stack ? SA_ONSTACK : 0);
	fake_library->entered = interrupt;
	MUST(api->process_next_pending_event((amd_dbgapi_process_id_t){1}, &event, &kind) ==
	     AMD_DBGAPI_STATUS_SUCCESS);
	fake_library->entered = NULL;
	MUST(atomic_load(&handled) > 0);
	MUST(read_one() == AMD_DBGAPI_STATUS_SUCCESS);
	MUST(api->finalize() == AMD_DBGAPI_STATUS_SUCCESS);
	MUST(atomic_load(&messages) == 0);
}

static void a_handler_may_come_back(void **state)
{
	const char *trace = support_path("back.wtape");

	(void)state;
	for (unsigned int own_stack = 0; own_stack < 2; own_stack++) {
		struct wt_trace_info info;
		struct wt_reader *reader;
		int status;
		pid_t child;

		fflush(NULL);
		child = fork();
		assert_true(child >= 0);
		if (!child) {
			struct support_library library =
				support_load(FAKE_LIBRARY, trace, "no-host");

			alarm(60);
			api = &library.api;
			fake_library = dlsym(dlopen(FAKE_LIBRARY, RTLD_NOW), "fake");
			support_callbacks.log_message = keep_message;
			come_back(own_stack);
			support_unload(&library);
			exit(0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
		support_must(wt_reader_open(trace, &reader));
		wt_reader_info(reader, &info);
		assert_true(info.complete);
		wt_reader_close(reader);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_handler_may_leave),
		cmocka_unit_test(a_handler_may_come_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
