/* SPDX-License-Identifier: MIT */
/*
 * What GDB does with the host program, in small: it runs it under ptrace, attaches the library to
 * it, puts the breakpoint in that the library asks for, and goes from stop to stop until the host
 * exits. It compares memory as the library tells it with memory as the host has it, and prints what
 * it sees. Usage: host-client HOST IMAGE [once|twice|again|attach|detach|older|break|back COMMAND|go COMMAND...]
 *
 * again: at a breakpoint it moves the waves back, lets them go, and stops them before the program may run.
 * break: at the entry of the first kernel.
 * go: at the first stop, and at each that follows, a COMMAND sends the replay somewhere.
 * back: at the first stop it clears the instruction under the first wave's breakpoint, and has COMMAND send the replay somewhere.
 * older: as a debugger that knows two GPUs only, and has asked for both at its start.
 */
#include <amd-dbgapi/amd-dbgapi.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRAP 0xcc
#define PATIENCE 1500 /* looks of 10 ms */

static pid_t host;
static int memory = -1;
static uint64_t breakpoint;			 /* address; 0: none is in */
static amd_dbgapi_breakpoint_id_t breakpoint_id; /* the library's */
static uint8_t replaced;
static amd_dbgapi_process_id_t process;
static int notifier;

__attribute__((noreturn, format(printf, 1, 2))) static void die(const char *text, ...)
{
	va_list arguments;

	va_start(arguments, text);
	vprintf(text, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
	if (host > 0)
		kill(host, SIGKILL);
	exit(1);
}

static void must(const char *what, amd_dbgapi_status_t status)
{
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		die("%s: %d", what, (int)status);
}

/* ---- Callbacks ---- */

static amd_dbgapi_status_t process_info(amd_dbgapi_client_process_id_t id,
					amd_dbgapi_client_process_info_t query, size_t size,
					void *value)
{
	amd_dbgapi_os_process_id_t pid = host;

	(void)id;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || size != sizeof(pid))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	memcpy(value, &pid, sizeof(pid));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static void poke(uint64_t address, uint8_t byte)
{
	if (pwrite(memory, &byte, 1, (off_t)address) != 1)
		die("cannot write to the host: %s", strerror(errno));
}

static amd_dbgapi_status_t insert(amd_dbgapi_client_process_id_t id,
				  amd_dbgapi_global_address_t address,
				  amd_dbgapi_breakpoint_id_t library_id)
{
	(void)id;
	if (breakpoint)
		die("a second breakpoint is asked for");
	if (pread(memory, &replaced, 1, (off_t)address) != 1)
		return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
	breakpoint = address;
	breakpoint_id = library_id;
	poke(address, TRAP);
	printf("breakpoint in\n");
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t withdraw(amd_dbgapi_client_process_id_t id,
				    amd_dbgapi_breakpoint_id_t library_id)
{
	(void)id;
	if (!breakpoint || library_id.handle != breakpoint_id.handle)
		die("a breakpoint is taken out that is not in");
	poke(breakpoint, replaced);
	breakpoint = 0;
	printf("breakpoint out\n");
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t no_memory(amd_dbgapi_client_process_id_t id,
				     amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				     void *read_buffer, const void *write_buffer)
{
	(void)id;
	(void)address;
	(void)size;
	(void)read_buffer;
	(void)write_buffer;
	die("the library asks the client for memory, though it can reach the host");
}

static void say(amd_dbgapi_log_level_t level, const char *text)
{
	(void)level;
	printf("log: %s\n", text);
}

/* ---- The host ---- */

static void wait_for_trap(const char *what)
{
	int status;

	if (waitpid(host, &status, 0) != host || !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
		die("%s: the host is not trapped: status 0x%x", what, (unsigned int)status);
}

static void start(char **argv)
{
	char path[64];

	host = fork();
	if (!host) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[0], argv);
		_exit(127);
	}
	if (host < 0)
		die("cannot fork");
	wait_for_trap("exec");
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)host);
	memory = open(path, O_RDWR | O_CLOEXEC);
	if (memory < 0)
		die("cannot reach the host's memory: %s", strerror(errno));
}

static void go_on(void)
{
	if (ptrace(PTRACE_CONT, host, NULL, NULL))
		die("cannot let the host run: %s", strerror(errno));
}

/* The host has hit the breakpoint: it goes on where that was. */
static void back_up(void)
{
	struct user_regs_struct registers;

	if (ptrace(PTRACE_GETREGS, host, NULL, &registers))
		die("cannot read the host's registers");
	if (registers.rip != breakpoint + 1)
		die("the host stopped at 0x%llx", registers.rip);
	registers.rip = breakpoint;
	if (ptrace(PTRACE_SETREGS, host, NULL, &registers))
		die("cannot write the host's registers");
}

/* Past the breakpoint, which stays in. */
static void step_over(void)
{
	poke(breakpoint, replaced);
	if (ptrace(PTRACE_SINGLESTEP, host, NULL, NULL))
		die("cannot step the host: %s", strerror(errno));
	wait_for_trap("step");
	poke(breakpoint, TRAP);
}

/* ---- The library ---- */

static amd_dbgapi_event_kind_t next(amd_dbgapi_event_id_t *event)
{
	amd_dbgapi_event_kind_t kind;

	must("next_pending_event", amd_dbgapi_process_next_pending_event(process, event, &kind));
	return kind;
}

static void attach(void)
{
	amd_dbgapi_os_process_id_t pid;
	amd_dbgapi_event_id_t event;
	amd_dbgapi_code_object_id_t *objects;
	size_t count;

	must("attach", amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&host, &process));
	must("notifier", amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
						     sizeof(notifier), &notifier));
	must("pid", amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_OS_ID, sizeof(pid),
						&pid));
	if (pid != host)
		die("the process has another id than its host");
	if (next(&event) != AMD_DBGAPI_EVENT_KIND_RUNTIME)
		die("the first event is not of the runtime");
	must("processed", amd_dbgapi_event_processed(event));
	must("code objects", amd_dbgapi_process_code_object_list(process, &count, &objects, NULL));
	printf("attached: %zu code objects\n", count);
	free(objects);
}

static void print_code_objects(void)
{
	amd_dbgapi_code_object_id_t *objects;
	size_t count;
	char *uri;

	must("code objects", amd_dbgapi_process_code_object_list(process, &count, &objects, NULL));
	for (size_t i = 0; i < count; i++) {
		must("URI", amd_dbgapi_code_object_get_info(objects[i],
							    AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME,
							    sizeof(uri), &uri));
		printf("code object %s\n", uri);
		free(uri);
	}
	free(objects);
}

/* The host called its ready function: code may have come or gone. */
static void answer_hit(bool code_wanted)
{
	amd_dbgapi_breakpoint_action_t action;
	amd_dbgapi_breakpoint_id_t id = {0}, hit = breakpoint_id;
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;

	back_up();
	must("hit",
	     amd_dbgapi_report_breakpoint_hit(hit, (amd_dbgapi_client_thread_id_t)&host, &action));
	if (action != AMD_DBGAPI_BREAKPOINT_ACTION_HALT) {
		/* It calls at the end of a journey, too. */
		if (code_wanted)
			die("nothing has changed, says the library");
		step_over();
		go_on();
		return;
	}
	kind = next(&event);
	if (kind == AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED) {
		printf("the list of code objects has changed\n");
		print_code_objects();
		must("processed", amd_dbgapi_event_processed(event));
		kind = next(&event);
	} else if (code_wanted) {
		die("no word of code objects");
	}
	if (kind != AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME)
		die("the thread is not to be resumed");
	must("breakpoint",
	     amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_BREAKPOINT, sizeof(id), &id));
	if (id.handle != hit.handle)
		die("another breakpoint is to be resumed");
	must("processed", amd_dbgapi_event_processed(event));
	step_over();
	go_on();
}

/* It called for the first time: now there is memory, and code in it. */
static void be_ready(void)
{
	amd_dbgapi_event_id_t event;

	if (next(&event) != AMD_DBGAPI_EVENT_KIND_NONE)
		die("an event before the host is ready");
	go_on();
	wait_for_trap("ready");
	answer_hit(true);
}

/* Did the host do something: hit the breakpoint again, or exit, after which there is none? */
static bool host_did_something(void)
{
	int status;
	pid_t got = waitpid(host, &status, WNOHANG);

	if (!got)
		return false;
	if (got == host && WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP) {
		answer_hit(false);
		return true;
	}
	if (got != host || !WIFEXITED(status))
		die("the host did something else than exit: 0x%x", (unsigned int)status);
	printf("the host exited: %d\n", WEXITSTATUS(status));
	host = 0;
	return true;
}

/* What GPUs the library knows, of those that an older debugger does. */
static void ask_for_gpus(void)
{
	static const uint32_t machines[] = {0x36, 0x3f};
	amd_dbgapi_architecture_id_t architecture;
	uint32_t named;

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		if (amd_dbgapi_get_architecture(machines[i], &architecture) !=
		    AMD_DBGAPI_STATUS_SUCCESS) {
			printf("machine 0x%x: none\n", machines[i]);
			continue;
		}
		must("machine",
		     amd_dbgapi_architecture_get_info(
			     architecture, AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE,
			     sizeof(named), &named));
		printf("machine 0x%x: architecture %" PRIu64 ", which is 0x%x\n", machines[i],
		       architecture.handle, named);
	}
}

/* One image behind both ways, for reading and for writing. */
static void compare_memory(amd_dbgapi_wave_id_t wave, uint64_t address)
{
	uint8_t ours[64], theirs[64], other, back;
	amd_dbgapi_size_t size = sizeof(ours), one = 1;

	/* A wave may be where nothing is. */
	if (amd_dbgapi_read_memory(process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address, &one,
				   ours) == AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS) {
		printf("  no memory at 0x%" PRIx64 "\n", address);
		return;
	}
	one = 1;
	must("read", amd_dbgapi_read_memory(process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
					    address, &size, ours));
	if (pread(memory, theirs, size, (off_t)address) != (ssize_t)size ||
	    memcmp(ours, theirs, size) != 0)
		die("the host has other bytes at 0x%" PRIx64, address);
	other = (uint8_t)~ours[0];
	poke(address, other);
	must("read", amd_dbgapi_read_memory(process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
					    address, &one, &back));
	if (back != other)
		die("what the client wrote into the host is not seen");
	must("write", amd_dbgapi_write_memory(process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
					      address, &one, ours));
	if (pread(memory, &back, 1, (off_t)address) != 1 || back != ours[0])
		die("what was written through the wave is not in the host");
	printf("  memory at 0x%" PRIx64 " is one\n", address);
}

static bool own_breakpoint; /* this client's: it finds it */

static uint32_t read_word(amd_dbgapi_wave_id_t wave, uint64_t address, amd_dbgapi_size_t size)
{
	uint32_t words[16];

	must("read", amd_dbgapi_read_memory(process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
					    address, &size, words));
	return words[0];
}

/* GDB ignores a wave's stop at a breakpoint if it does not find it. Disassembling it reads more than that. */
static void look_for_breakpoint(amd_dbgapi_wave_id_t wave, uint64_t address)
{
	uint32_t program = read_word(wave, address, 64), there;

	printf("  breakpoint at 0x%" PRIx64 ": %08" PRIx32 " over %08" PRIx32 "\n", address,
	       read_word(wave, address, sizeof(there)), program);
	if (read_word(wave, address, sizeof(there)) != program ||
	    pread(memory, &there, sizeof(there), (off_t)address) != sizeof(there) ||
	    there != program)
		die("the breakpoint is still there");
}

static void look_at(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_wave_stop_reasons_t reason;
	amd_dbgapi_global_address_t pc;
	uint8_t byte;
	amd_dbgapi_size_t one = 1;

	must("reason", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
						sizeof(reason), &reason));
	must("pc", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc), &pc));
	printf("wave %" PRIu64 ": reason 0x%x pc 0x%" PRIx64 "\n", wave.handle,
	       (unsigned int)reason, pc);
	if (reason & AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT && !own_breakpoint)
		look_for_breakpoint(wave, pc);
	compare_memory(wave, pc);
	/* A debugger reaches its own breakpoints through a wave, too; not what nobody has. */
	must("host memory",
	     amd_dbgapi_read_memory(process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, 0x180000,
				    &one, &byte));
	one = 1;
	if (amd_dbgapi_read_memory(process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, 0x300000,
				   &one, &byte) != AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS)
		die("memory is read that was not recorded");
}

/* Get all events there are; how many waves stopped. */
static size_t drain(bool look)
{
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;
	amd_dbgapi_wave_id_t wave;
	size_t stops = 0;

	while ((kind = next(&event)) != AMD_DBGAPI_EVENT_KIND_NONE) {
		if (kind != AMD_DBGAPI_EVENT_KIND_WAVE_STOP)
			die("an event of kind %d", (int)kind);
		must("wave", amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE,
						       sizeof(wave), &wave));
		if (look)
			look_at(wave);
		must("processed", amd_dbgapi_event_processed(event));
		stops++;
	}
	return stops;
}

/* All waves that run are stopped, or all that are stopped run. Return: how many. */
static size_t every_wave(bool stop)
{
	amd_dbgapi_wave_id_t *waves;
	amd_dbgapi_wave_state_t state;
	size_t count, changed = 0;

	must("waves", amd_dbgapi_process_wave_list(process, &count, &waves, NULL));
	for (size_t i = 0; i < count; i++) {
		must("state", amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_STATE,
						       sizeof(state), &state));
		if (stop == (state == AMD_DBGAPI_WAVE_STATE_STOP))
			continue;
		must("stop or resume",
		     stop ? amd_dbgapi_wave_stop(waves[i])
			  : amd_dbgapi_wave_resume(waves[i], AMD_DBGAPI_RESUME_MODE_NORMAL,
						   AMD_DBGAPI_EXCEPTION_NONE));
		changed++;
	}
	free(waves);
	return changed;
}

/* Wait for something to get; false if the host exits first. */
static bool wait_for_event(void)
{
	struct pollfd readable = {.fd = notifier, .events = POLLIN};
	char mark;

	for (int i = 0; i < PATIENCE; i++) {
		if (host_did_something())
			return host;
		if (poll(&readable, 1, 10) > 0) {
			while (read(notifier, &mark, 1) > 0)
				;
			return true;
		}
	}
	die("nothing happens");
}

/* From stop to stop, @limit times; false if the host is gone. */
static bool run(int limit)
{
	size_t asked, stops;

	while (limit) {
		must("progress",
		     amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NORMAL));
		if (!wait_for_event())
			return false;
		must("progress",
		     amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD));
		if (!drain(true))
			continue;
		asked = every_wave(true);
		for (stops = 0; stops < asked;) {
			size_t more = drain(false);

			/* GDB does not come back for more. */
			if (!more)
				die("%zu of %zu waves do not stop", asked - stops, asked);
			stops += more;
		}
		printf("all stopped\n");
		limit--;
		if (limit)
			every_wave(false);
	}
	return true;
}

/* At the pc of the first wave, as a debugger has to correct it. */
static uint64_t find_breakpoint(void)
{
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_global_address_t pc;
	amd_dbgapi_size_t adjustment;
	amd_dbgapi_wave_id_t *waves;
	size_t count;

	must("waves", amd_dbgapi_process_wave_list(process, &count, &waves, NULL));
	if (!count)
		die("no wave");
	must("pc", amd_dbgapi_wave_get_info(waves[0], AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc), &pc));
	must("architecture", amd_dbgapi_wave_get_info(waves[0], AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
						      sizeof(architecture), &architecture));
	must("adjustment",
	     amd_dbgapi_architecture_get_info(
		     architecture, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_PC_ADJUST,
		     sizeof(adjustment), &adjustment));
	free(waves);
	return pc - adjustment;
}

/* All waves that have stopped execute the instruction at an address. */
static void go_from(uint64_t address)
{
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_register_id_t pc;
	amd_dbgapi_wave_id_t *waves;
	size_t count;

	must("waves", amd_dbgapi_process_wave_list(process, &count, &waves, NULL));
	for (size_t i = 0; i < count; i++) {
		must("architecture",
		     amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
					      sizeof(architecture), &architecture));
		must("pc", amd_dbgapi_architecture_get_info(
				   architecture, AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER,
				   sizeof(pc), &pc));
		must("write",
		     amd_dbgapi_write_register(waves[i], pc, 0, sizeof(address), &address));
	}
	free(waves);
	every_wave(false);
}

static void go_back(const char *command)
{
	uint64_t address;

	run(1);
	address = find_breakpoint();
	for (uint64_t i = 0; i < sizeof(uint32_t); i++)
		poke(address + i, 0);
	if (system(command))
		die("this failed: %s", command);
	every_wave(false);
	run(1);
	every_wave(false);
}

static void stop_again(void)
{
	run(1);
	go_from(find_breakpoint());
	printf("stopped %zu again\n", every_wave(true));
	drain(true);
	every_wave(false);
}

/* As a debugger inserts one while no wave is selected: into the program's memory. Then the instruction is there again. */
static void break_at_entry(void)
{
	amd_dbgapi_global_address_t entry;
	amd_dbgapi_dispatch_id_t *dispatches;
	amd_dbgapi_architecture_id_t architecture;
	uint32_t instruction, *trap;
	size_t count;

	must("dispatches", amd_dbgapi_process_dispatch_list(process, &count, &dispatches, NULL));
	if (!count)
		die("no dispatch");
	must("entry", amd_dbgapi_dispatch_get_info(
			      dispatches[0], AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS,
			      sizeof(entry), &entry));
	must("architecture",
	     amd_dbgapi_dispatch_get_info(dispatches[0], AMD_DBGAPI_DISPATCH_INFO_ARCHITECTURE,
					  sizeof(architecture), &architecture));
	must("trap", amd_dbgapi_architecture_get_info(
			     architecture, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION,
			     sizeof(trap), &trap));
	free(dispatches);
	if (pread(memory, &instruction, sizeof(instruction), (off_t)entry) != sizeof(instruction) ||
	    pwrite(memory, trap, sizeof(*trap), (off_t)entry) != sizeof(*trap))
		die("the host has no kernel");
	free(trap);
	own_breakpoint = true;
	run(1);
	if (pwrite(memory, &instruction, sizeof(instruction), (off_t)entry) != sizeof(instruction))
		die("the instruction is lost");
	go_from(entry);
}

static void go(char *const *commands)
{
	for (; *commands; commands++) {
		run(1);
		if (system(*commands))
			die("this failed: %s", *commands);
		every_wave(false);
	}
}

/* Print the waves, of which those that the client has had no event of run; how many do. */
static size_t list_waves(void)
{
	amd_dbgapi_wave_id_t *waves;
	amd_dbgapi_wave_state_t state;
	size_t count, running = 0;

	must("waves", amd_dbgapi_process_wave_list(process, &count, &waves, NULL));
	for (size_t i = 0; i < count; i++) {
		must("state", amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_STATE,
						       sizeof(state), &state));
		running += state != AMD_DBGAPI_WAVE_STATE_STOP;
		if (state == AMD_DBGAPI_WAVE_STATE_STOP)
			look_at(waves[i]);
		else
			printf("wave %" PRIu64 ": new\n", waves[i].handle);
	}
	free(waves);
	return running;
}

/* Until it calls, as in some steps of its thread. No wave is to stop on the way. */
static void let_host_go(void)
{
	for (int i = 0; i < PATIENCE; i++) {
		bool did;

		must("progress",
		     amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NORMAL));
		poll(NULL, 0, 10);
		did = host_did_something();
		must("progress",
		     amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD));
		if (did)
			return;
		if (drain(false))
			die("a wave has stopped");
	}
	die("the host does not call");
}

/* With all waves held, as a debugger goes to another stop that has nothing to lose by it. */
static void jump(char *const *commands)
{
	run(1);
	for (; *commands; commands++) {
		if (!strcmp(*commands, "-")) {
			let_host_go();
			continue;
		}
		if (system(*commands))
			die("this failed: %s", *commands);
		if (list_waves() && !run(1))
			die("the host is gone");
	}
}

static void detach(void)
{
	must("detach", amd_dbgapi_process_detach(process));
	printf("detached, breakpoint %s\n", breakpoint ? "in" : "out");
}

static void end_host(void)
{
	int status;

	if (!host)
		return;
	kill(host, SIGKILL);
	waitpid(host, &status, 0);
	host = 0;
}

int main(int argc, char **argv)
{
	amd_dbgapi_callbacks_t callbacks = {
		.allocate_memory = malloc,
		.deallocate_memory = free,
		.client_process_get_info = process_info,
		.insert_breakpoint = insert,
		.remove_breakpoint = withdraw,
		.xfer_global_memory = no_memory,
		.log_message = say,
	};
	const char *how = argc > 3 ? argv[3] : "once";
	int times = strcmp(how, "twice") == 0 ? 2 : 1;

	if (argc < 3)
		die("usage: host-client HOST IMAGE "
		    "[once|twice|again|attach|detach|older|break|back "
		    "COMMAND|"
		    "go COMMAND...|jump COMMAND...]");
	argv[3] = NULL;
	setvbuf(stdout, NULL, _IOLBF, 0);
	amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	for (int i = 0; i < times; i++) {
		must("initialize", amd_dbgapi_initialize(&callbacks));
		if (strcmp(how, "older") == 0)
			ask_for_gpus();
		start(argv + 1);
		attach();
		if (strcmp(how, "older") == 0)
			ask_for_gpus();
		if (strcmp(how, "detach") == 0) {
			detach();
			end_host();
		} else if (strcmp(how, "jump") == 0) {
			be_ready();
			jump(argv + 4);
			detach();
			end_host();
		} else {
			be_ready();
			if (strcmp(how, "attach") == 0) {
				/*
				 * Leave at the first stop and come back: the host is ready this
				 * time.
				 */
				run(1);
				detach();
				attach();
			} else if (strcmp(how, "back") == 0 && argc > 4) {
				go_back(argv[4]);
			} else if (strcmp(how, "again") == 0) {
				stop_again();
			} else if (strcmp(how, "break") == 0) {
				break_at_entry();
			} else if (strcmp(how, "go") == 0) {
				go(argv + 4);
			}
			if (run(1000))
				die("there is no end");
			detach();
		}
		must("finalize", amd_dbgapi_finalize());
		close(memory);
	}
	printf("fine\n");
	return 0;
}
