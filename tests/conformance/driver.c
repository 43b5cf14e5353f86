/* SPDX-License-Identifier: MIT */
#include "driver.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "suite.h"
#include "traced.h"

#define PROGRAMS 2

/* Milliseconds. No test waits so long for what comes, but where nothing comes. */
#define PATIENCE 20000u
#define QUIET 60u

struct program {
	bool there;
	amd_dbgapi_client_process_id_t client;
	uint64_t process; /* the library's handle; 0: it is not attached */
	struct traced traced;
	int go, told;
	bool done;	     /* it has said so */
	bool ready;	     /* the client knows of the runtime */
	bool moves, creates; /* what the client has set */
	unsigned int hits;
};

static struct program programs[PROGRAMS];
static struct wt_api real;
static const char *program_path;
static char *chosen;
static uint64_t runtime_event,
	resume_event; /* the last of these kinds that the client has been given */

static uint64_t milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void nap(void)
{
	poll(NULL, 0, 1);
}

static struct program *of_client(amd_dbgapi_client_process_id_t client)
{
	for (size_t i = 0; i < PROGRAMS; i++)
		if (programs[i].there && programs[i].client == client)
			return &programs[i];
	return NULL;
}

static struct program *of_process(amd_dbgapi_process_id_t process)
{
	for (size_t i = 0; i < PROGRAMS; i++)
		if (programs[i].there && process.handle && programs[i].process == process.handle)
			return &programs[i];
	return NULL;
}

/* ---- Programs ---- */

/* Wait until the program says something; false if it does not. */
static bool hear(struct program *program, char expected)
{
	struct pollfd told = {.fd = program->told, .events = POLLIN};
	char byte = 0;

	return poll(&told, 1, (int)PATIENCE) == 1 && read(program->told, &byte, 1) == 1 &&
	       byte == expected;
}

static void become_program(const int input[2], const int output[2])
{
	dup2(input[0], STDIN_FILENO);
	dup2(output[1], STDOUT_FILENO);
	/* Else runtimes say nothing of where waves are that ran before a debugger came. */
	setenv("HSA_ENABLE_DEBUG", "1", 1);
	execl(program_path, program_path, chosen, NULL);
	_exit(127);
}

static bool start(struct program *program, amd_dbgapi_client_process_id_t client)
{
	int input[2], output[2];

	if (pipe2(input, O_CLOEXEC) || pipe2(output, O_CLOEXEC))
		return false;
	*program =
		(struct program){.there = true, .client = client, .moves = true, .creates = true};
	program->traced.pid = fork();
	if (!program->traced.pid)
		become_program(input, output);
	close(input[0]);
	close(output[1]);
	program->go = input[1];
	program->told = output[0];
	return hear(program, 'r') &&
	       !ptrace(PTRACE_SEIZE, program->traced.pid, 0, PTRACE_O_EXITKILL) &&
	       traced_open(&program->traced);
}

static void end(struct program *program)
{
	traced_close(&program->traced);
	close(program->go);
	close(program->told);
	program->there = false;
}

static void end_all(void)
{
	for (size_t i = 0; i < PROGRAMS; i++)
		if (programs[i].there)
			end(&programs[i]);
}

/* ---- The client's side ---- */

amd_dbgapi_status_t driver_process_id(amd_dbgapi_client_process_id_t client,
				      amd_dbgapi_os_process_id_t *id_ret)
{
	const struct program *program = of_client(client);

	if (!program)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	*id_ret = program->traced.pid;
	return SUCCESS;
}

amd_dbgapi_status_t driver_transfer(amd_dbgapi_client_process_id_t client,
				    amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				    void *read_buffer, const void *write_buffer)
{
	const struct program *program = of_client(client);

	if (program)
		return traced_transfer(&program->traced, address, size, read_buffer, write_buffer);
	*size = 0;
	return ERROR(MEMORY_ACCESS);
}

amd_dbgapi_status_t driver_insert(amd_dbgapi_client_process_id_t client,
				  amd_dbgapi_global_address_t address,
				  amd_dbgapi_breakpoint_id_t breakpoint)
{
	struct program *program = of_client(client);

	return program ? traced_insert(&program->traced, address, breakpoint)
		       : AMD_DBGAPI_STATUS_ERROR;
}

amd_dbgapi_status_t driver_remove(amd_dbgapi_client_process_id_t client,
				  amd_dbgapi_breakpoint_id_t breakpoint)
{
	struct program *program = of_client(client);

	return program ? traced_remove(&program->traced, breakpoint)
		       : AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID;
}

/* Before a change there is nothing to be told; the hit behind it is the suite's to report. */
static void take_hit(struct program *program)
{
	amd_dbgapi_breakpoint_action_t action = AMD_DBGAPI_BREAKPOINT_ACTION_HALT;

	if (++program->hits % 2 == 0)
		return;
	check_status("a hit before the list changes",
		     real.report_breakpoint_hit(
			     (amd_dbgapi_breakpoint_id_t){program->traced.breakpoint},
			     (amd_dbgapi_client_thread_id_t)(uintptr_t)program->traced.pid,
			     &action),
		     SUCCESS);
	check_number("is answered with RESUME, too", (uint64_t)action,
		     AMD_DBGAPI_BREAKPOINT_ACTION_RESUME);
	traced_leave_breakpoint(&program->traced);
}

/* ---- Time ---- */

static amd_dbgapi_status_t set_progress(const struct program *program, bool forward)
{
	return real.process_set_progress((amd_dbgapi_process_id_t){program->process},
					 forward ? AMD_DBGAPI_PROGRESS_NORMAL
						 : AMD_DBGAPI_PROGRESS_NO_FORWARD);
}

static amd_dbgapi_status_t set_creation(const struct program *program, bool stop)
{
	return real.process_set_wave_creation((amd_dbgapi_process_id_t){program->process},
					      stop ? AMD_DBGAPI_WAVE_CREATION_STOP
						   : AMD_DBGAPI_WAVE_CREATION_NORMAL);
}

/* How many waves there are, and of them, how many that run. */
static size_t count_waves(const struct program *program, size_t *running_ret)
{
	amd_dbgapi_wave_id_t *waves = NULL;
	size_t count = 0;

	*running_ret = 0;
	if (real.process_wave_list((amd_dbgapi_process_id_t){program->process}, &count, &waves,
				   NULL) != SUCCESS)
		return 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t state = 0;

		real.wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_STATE, sizeof(state), &state);
		*running_ret += state != AMD_DBGAPI_WAVE_STATE_STOP;
	}
	free(waves);
	return count;
}

/* Nothing more will happen: the program has ended, or said that all is done; or all that it could do stands. */
static bool is_idle(struct program *program)
{
	struct pollfd told = {.fd = program->told, .events = POLLIN};
	size_t running, count;
	char byte;

	if (traced_look(&program->traced))
		take_hit(program);
	if (poll(&told, 1, 0) == 1 && read(program->told, &byte, 1) == 1)
		program->done = program->done || byte == 'd';
	if (program->traced.pid < 0 || program->traced.stopped)
		return true;
	count = count_waves(program, &running);
	return count ? !running : program->done;
}

/*
 * Let the program go on until there is an event, or nothing is to be expected. While no waves may begin, none end it. What
 * comes right behind the first event is to be there when it is asked for, as where waves take turns.
 */
static amd_dbgapi_status_t move(struct program *program, amd_dbgapi_event_id_t *event,
				amd_dbgapi_event_kind_t *kind)
{
	const uint64_t began = milliseconds();
	const uint64_t patience = program->creates ? PATIENCE : QUIET;
	amd_dbgapi_status_t status = set_progress(program, true);
	bool idle = false;

	if (status != SUCCESS)
		return SUCCESS;
	while (status == SUCCESS && !event->handle && !idle && milliseconds() - began < patience) {
		nap();
		idle = is_idle(program);
		status = real.process_next_pending_event(
			(amd_dbgapi_process_id_t){program->process}, event, kind);
	}
	set_progress(program, false);
	return status;
}

/* ---- In front of the library ---- */

/*
 * Waves that have begun, and of which none has moved. Without a breakpoint the library cannot debug the program, which does what
 * it likes.
 */
static void begin_waves(struct program *program)
{
	const uint64_t began = milliseconds();
	size_t running;
	char go = 'g';

	set_creation(program, true);
	if (write(program->go, &go, 1) != 1 || !hear(program, 'q'))
		check("the program begins", false, "it does not");
	if (!program->traced.breakpoint) {
		set_creation(program, false);
		return;
	}
	do {
		set_creation(program, true);
		set_progress(program, true);
		nap();
		set_progress(program, false);
		/* The queues stand from the first question on, and not before. */
		count_waves(program, &running);
		set_creation(program, false);
	} while (!count_waves(program, &running) && milliseconds() - began < PATIENCE);
}

static amd_dbgapi_status_t process_attach(amd_dbgapi_client_process_id_t client,
					  amd_dbgapi_process_id_t *ret)
{
	struct program *program = programs[0].there ? &programs[1] : &programs[0];
	amd_dbgapi_status_t status;

	if (!client || !ret || of_client(client))
		return real.process_attach(client, ret);
	if (program->there || !start(program, client)) {
		check("a program starts", false, "%s", strerror(errno));
		return AMD_DBGAPI_STATUS_FATAL;
	}
	status = real.process_attach(client, ret);
	if (status != SUCCESS) {
		end(program);
		return status;
	}
	program->process = ret->handle;
	begin_waves(program);
	return status;
}

static amd_dbgapi_status_t process_detach(amd_dbgapi_process_id_t process)
{
	struct program *program = of_process(process);
	amd_dbgapi_status_t status = real.process_detach(process);

	if (program && status == SUCCESS)
		end(program);
	return status;
}

static amd_dbgapi_status_t finalize(void)
{
	amd_dbgapi_status_t status = real.finalize();

	if (status == SUCCESS)
		end_all();
	return status;
}

/* A client that lets the program go on has it go on when it asks for events. */
static amd_dbgapi_status_t process_set_progress(amd_dbgapi_process_id_t process,
						amd_dbgapi_progress_t progress)
{
	struct program *program = of_process(process);
	amd_dbgapi_status_t status;

	if (!program || progress != AMD_DBGAPI_PROGRESS_NORMAL)
		status = real.process_set_progress(process, progress);
	else
		status = set_progress(program, false);
	if (program && status == SUCCESS)
		program->moves = progress == AMD_DBGAPI_PROGRESS_NORMAL;
	return status;
}

static amd_dbgapi_status_t process_set_wave_creation(amd_dbgapi_process_id_t process,
						     amd_dbgapi_wave_creation_t creation)
{
	struct program *program = of_process(process);
	amd_dbgapi_status_t status = real.process_set_wave_creation(process, creation);

	if (program && status == SUCCESS)
		program->creates = creation == AMD_DBGAPI_WAVE_CREATION_NORMAL;
	return status;
}

static amd_dbgapi_status_t process_next_pending_event(amd_dbgapi_process_id_t process,
						      amd_dbgapi_event_id_t *event,
						      amd_dbgapi_event_kind_t *kind)
{
	struct program *program = of_process(process);
	amd_dbgapi_status_t status = real.process_next_pending_event(process, event, kind);

	if (status == SUCCESS && !event->handle && program && program->ready && program->moves)
		status = move(program, event, kind);
	if (status == SUCCESS && event->handle && *kind == AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME)
		resume_event = event->handle;
	if (status == SUCCESS && event->handle && *kind == AMD_DBGAPI_EVENT_KIND_RUNTIME)
		runtime_event = event->handle;
	return status;
}

static amd_dbgapi_status_t event_processed(amd_dbgapi_event_id_t event)
{
	uint64_t process = 0;
	amd_dbgapi_status_t status;

	real.event_get_info(event, AMD_DBGAPI_EVENT_INFO_PROCESS, sizeof(process), &process);
	status = real.event_processed(event);
	for (size_t i = 0; status == SUCCESS && i < PROGRAMS; i++) {
		if (!programs[i].there || programs[i].process != process)
			continue;
		programs[i].ready = programs[i].ready || event.handle == runtime_event;
		if (event.handle == resume_event && programs[i].traced.stopped)
			traced_leave_breakpoint(&programs[i].traced);
	}
	return status;
}

void driver_choose(const char *workload)
{
	free(chosen);
	chosen = strdup(workload);
}

void driver_begin(const char *program)
{
	signal(SIGPIPE, SIG_IGN);
	program_path = program;
	real = suite.api;
	suite.api.process_attach = process_attach;
	suite.api.process_detach = process_detach;
	suite.api.finalize = finalize;
	suite.api.process_set_progress = process_set_progress;
	suite.api.process_set_wave_creation = process_set_wave_creation;
	suite.api.process_next_pending_event = process_next_pending_event;
	suite.api.event_processed = event_processed;
}
