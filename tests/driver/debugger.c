/* SPDX-License-Identifier: MIT */
/*
 * Usage: debugger LIBRARY NEWS TRANSCRIPT SESSION KERNEL [PROGRAM NAME]
 *
 * A small debugger of one program of AMD's runtimes: it starts PROGRAM NAME traced, goes along with the program's loader, and looks
 * for KERNEL among its code objects. Unlike the conformance suite over a driver it lets the program run while it waits. SESSION:
 *
 * breaks: two waves on two queues come to a breakpoint at the kernel's first instruction, and are stepped over it out of place;
 *	   one makes steps, and is stopped by a watchpoint on what it writes in a loop; then all goes on to the end.
 * fault:  a wave stops by a memory violation, which is given back to the program.
 *
 * NEWS is what the program did, in the order in which the debugger saw it. Without a PROGRAM the library is one over a trace, and what
 * the program did is read from there.
 *
 * Exit code: 0 if every check holds, 1 if one does not, 2 for wrong usage.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/uri.h"
#include "tests/conformance/suite.h"
#include "tests/conformance/traced.h"

#define REASON(name) AMD_DBGAPI_WAVE_STOP_REASON_##name
#define EVENT(name) AMD_DBGAPI_EVENT_KIND_##name
#define CLIENT ((amd_dbgapi_client_process_id_t)(uintptr_t)1)
#define THREAD ((amd_dbgapi_client_thread_id_t)(uintptr_t)1)

#define PATIENCE                                                                                   \
	120 /* seconds; the compiler of the runtime's own kernels takes some on a busy machine */
#define LARGEST_CODE (1u << 20)
#define STEPS 3

enum news {
	NEWS_NOTIFIED = 'n', /* there may be events */
	NEWS_HIT = 'h',	     /* the program stands at the loader's breakpoint */
	NEWS_ENDED = 'e',
};

static struct {
	bool lives; /* there is a program */
	bool ended;
	struct traced traced;
	FILE *news;
	uint64_t process;
	amd_dbgapi_notifier_t notifier;
	amd_dbgapi_status_t (*next_pending_event)(amd_dbgapi_process_id_t, amd_dbgapi_event_id_t *,
						  amd_dbgapi_event_kind_t *);
	const char *kernel;
	uint64_t entry, size; /* of the kernel; entry is 0 until it is loaded */
	bool breaks;
	uint32_t saved,
		breakpoint; /* the instruction at the kernel's entry, and what stands there instead */
} debugger;

/* ---- Callbacks ---- */

static void *allocate_memory(size_t size)
{
	return malloc(size);
}

static void deallocate_memory(void *data)
{
	free(data);
}

static amd_dbgapi_status_t client_process_get_info(amd_dbgapi_client_process_id_t process,
						   amd_dbgapi_client_process_info_t query,
						   size_t size, void *value)
{
	amd_dbgapi_os_process_id_t id = debugger.lives ? debugger.traced.pid : 4242;

	(void)process;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID)
		return ERROR(NOT_AVAILABLE);
	if (size != sizeof(id))
		return ERROR(INVALID_ARGUMENT_COMPATIBILITY);
	memcpy(value, &id, sizeof(id));
	return SUCCESS;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)process;
	suite.breakpoint = breakpoint.handle;
	return debugger.lives ? traced_insert(&debugger.traced, address, breakpoint) : SUCCESS;
}

static amd_dbgapi_status_t remove_breakpoint(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)process;
	return debugger.lives ? traced_remove(&debugger.traced, breakpoint) : SUCCESS;
}

static amd_dbgapi_status_t xfer_global_memory(amd_dbgapi_client_process_id_t process,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_size_t *size, void *read_buffer,
					      const void *write_buffer)
{
	(void)process;
	if (debugger.lives)
		return traced_transfer(&debugger.traced, address, size, read_buffer, write_buffer);
	*size = 0;
	return ERROR(MEMORY_ACCESS);
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	printf("log %d: %s\n", (int)level, message);
}

/* ---- The program ---- */

/* It stands before its first instruction. */
static bool start(char **program)
{
	int status;

	debugger.traced.pid = fork();
	if (!debugger.traced.pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execv(program[0], program);
		_exit(127);
	}
	return waitpid(debugger.traced.pid, &status, 0) == debugger.traced.pid &&
	       WIFSTOPPED(status) &&
	       !ptrace(PTRACE_SETOPTIONS, debugger.traced.pid, 0, PTRACE_O_EXITKILL) &&
	       traced_open(&debugger.traced);
}

static bool drain_notifier(void)
{
	struct pollfd notified = {.fd = debugger.notifier, .events = POLLIN};
	char bytes[64];
	ssize_t got;

	if (poll(&notified, 1, 1) != 1)
		return false;
	do {
		got = read(debugger.notifier, bytes, sizeof(bytes));
	} while (got > 0 || (got < 0 && errno == EINTR));
	return true;
}

/* What the program does next. It may be silent: then it is ended, which is no end that a session expects. */
static enum news wait_for_news(void)
{
	const time_t began = time(NULL);

	while (time(NULL) - began < PATIENCE) {
		if (drain_notifier())
			return NEWS_NOTIFIED;
		if (traced_look(&debugger.traced))
			return NEWS_HIT;
		if (debugger.traced.pid < 0)
			return NEWS_ENDED;
	}
	check("the program does something", false, "nothing for %d seconds", PATIENCE);
	return NEWS_ENDED;
}

static enum news next_news(void)
{
	char line[32] = "";

	if (debugger.lives) {
		const enum news news = wait_for_news();

		fprintf(debugger.news, "%c %d\n", (int)news, debugger.traced.status);
		return news;
	}
	if (!fgets(line, sizeof(line), debugger.news))
		return NEWS_ENDED;
	debugger.traced.status = (int)strtol(line + 1, NULL, 10);
	return (enum news)line[0];
}

static void leave_breakpoint(void)
{
	if (debugger.lives)
		traced_leave_breakpoint(&debugger.traced);
}

static void report_hit(void)
{
	amd_dbgapi_breakpoint_action_t action = AMD_DBGAPI_BREAKPOINT_ACTION_HALT;

	check_status("the loader's breakpoint is hit",
		     suite.api.report_breakpoint_hit((amd_dbgapi_breakpoint_id_t){suite.breakpoint},
						     THREAD, &action),
		     SUCCESS);
	printf("hit: action %d\n", (int)action);
	if (action == AMD_DBGAPI_BREAKPOINT_ACTION_RESUME)
		leave_breakpoint();
}

/* In front of the library's: wait for an event, for as long as there is a program that can cause one. */
static amd_dbgapi_status_t process_next_pending_event(amd_dbgapi_process_id_t process,
						      amd_dbgapi_event_id_t *event,
						      amd_dbgapi_event_kind_t *kind)
{
	amd_dbgapi_status_t status = debugger.next_pending_event(process, event, kind);

	while (status == SUCCESS && !event->handle && !debugger.ended) {
		enum news news = next_news();

		if (news == NEWS_HIT)
			report_hit();
		debugger.ended = news == NEWS_ENDED;
		status = debugger.next_pending_event(process, event, kind);
	}
	return status;
}

/* ---- Code ---- */

static bool find_symbol(Elf *elf, uint64_t load)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;

	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM)
			continue;
		for (int i = 0; gelf_getsym(elf_getdata(section, NULL), i, &symbol); i++) {
			const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

			if (!name || strcmp(name, debugger.kernel) || !symbol.st_size)
				continue;
			debugger.entry = load + symbol.st_value;
			debugger.size = symbol.st_size;
			return true;
		}
	}
	return false;
}

/* The bytes of a code object, of which the caller frees the first @size_ret. */
static char *read_code(const char *text, size_t *size_ret)
{
	struct wt_uri uri;
	wt_cleanup_error struct wt_error *error = wt_uri_parse(text, &uri);
	wt_cleanup_close int file = -1;
	char *image;
	ssize_t got;

	if (error)
		return NULL;
	if (uri.kind == WT_URI_FILE)
		file = open(uri.path, O_RDONLY | O_CLOEXEC);
	*size_ret = uri.has_range && uri.size < LARGEST_CODE ? uri.size : LARGEST_CODE;
	image = malloc(*size_ret);
	got = image ? pread(uri.kind == WT_URI_FILE ? file : debugger.traced.memory, image,
			    *size_ret, uri.has_range ? (off_t)uri.offset : 0)
		    : -1;
	wt_uri_deinit(&uri);
	*size_ret = got < 0 ? 0 : (size_t)got;
	return image;
}

static void look_for_kernel(uint64_t object)
{
	wt_cleanup_free char *uri = NULL, *image = NULL;
	size_t size = 0;
	Elf *elf;

	get_info(WT_OBJECT_CODE_OBJECT, object, AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME, sizeof(uri),
		 &uri);
	image = uri ? read_code(uri, &size) : NULL;
	elf = image ? elf_memory(image, size) : NULL;
	if (elf && find_symbol(elf, ask(WT_OBJECT_CODE_OBJECT, object,
					AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS)))
		printf("code object %llu has the kernel at %#llx, %llu bytes\n",
		       (unsigned long long)object, (unsigned long long)debugger.entry,
		       (unsigned long long)debugger.size);
	elf_end(elf);
}

static void plant_breakpoint(void)
{
	uint64_t agent = 0, architecture;
	wt_cleanup_free void *instruction = NULL;

	handles_of(WT_OBJECT_AGENT, debugger.process, &agent, 1);
	architecture = ask(WT_OBJECT_AGENT, agent, AMD_DBGAPI_AGENT_INFO_ARCHITECTURE);
	get_info(WT_OBJECT_ARCHITECTURE, architecture,
		 AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION, sizeof(instruction),
		 &instruction);
	check_number("a breakpoint takes four bytes",
		     ask(WT_OBJECT_ARCHITECTURE, architecture,
			 AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_SIZE),
		     sizeof(debugger.breakpoint));
	if (instruction)
		memcpy(&debugger.breakpoint, instruction, sizeof(debugger.breakpoint));
	debugger.saved = read_word(debugger.process, debugger.entry);
	write_word(debugger.process, debugger.entry, debugger.breakpoint);
	printf("breakpoint %08x over %08x\n", debugger.breakpoint, debugger.saved);
}

/* The program stands at the loader's breakpoint: nothing that is loaded has run yet. */
static void code_changed(void)
{
	uint64_t objects[MAX_LISTED];
	size_t count = handles_of(WT_OBJECT_CODE_OBJECT, debugger.process, objects, MAX_LISTED);

	printf("code objects %zu\n", count);
	if (debugger.entry)
		return;
	for (size_t i = 0; i < count && i < MAX_LISTED && !debugger.entry; i++)
		look_for_kernel(objects[i]);
	if (debugger.entry && debugger.breaks)
		plant_breakpoint();
}

/* ---- Waves ---- */

/* The wave that stops next; 0 at the end of the program. */
static uint64_t next_stop(void)
{
	amd_dbgapi_event_kind_t kind = EVENT(NONE);
	uint64_t event, wave = 0;

	while (!wave && (event = next_event(debugger.process, &kind))) {
		printf("event %llu kind %d\n", (unsigned long long)event, (int)kind);
		if (kind == EVENT(WAVE_STOP))
			wave = ask(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_WAVE);
		else if (kind == EVENT(CODE_OBJECT_LIST_UPDATED))
			code_changed();
		suite.api.event_processed((amd_dbgapi_event_id_t){event});
		if (kind == EVENT(BREAKPOINT_RESUME))
			leave_breakpoint();
	}
	return wave;
}

static void show_wave(uint64_t wave)
{
	uint32_t lanes[4] = {0};

	suite.api.read_register((amd_dbgapi_wave_id_t){wave}, find_register(wave, "v0"), 0,
				sizeof(lanes), lanes);
	printf("wave %llu reason %#x pc %#llx exec %#llx v0 %#x %#x %#x %#x\n",
	       (unsigned long long)wave, stop_reason(wave), (unsigned long long)wave_pc(wave),
	       (unsigned long long)ask(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_EXEC_MASK),
	       lanes[0], lanes[1], lanes[2], lanes[3]);
}

/* Wait for a stop, which must be that of a wave (0: of any), by a reason. */
static uint64_t expect_stop(const char *what, uint64_t wave, uint32_t reason)
{
	uint64_t stopped = next_stop();

	if (!check(name_of("%s stops a wave", what), stopped, "none stops"))
		return 0;
	show_wave(stopped);
	if (wave)
		check_number(name_of("%s stops the right wave", what), stopped, wave);
	check_number(name_of("the reason is %s", what), stop_reason(stopped), reason);
	return stopped;
}

static uint64_t wait_at_breakpoint(void)
{
	uint64_t wave = expect_stop("the breakpoint", 0, REASON(BREAKPOINT)), adjust;

	if (!wave)
		return 0;
	adjust = ask(WT_OBJECT_ARCHITECTURE,
		     ask(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE),
		     AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_PC_ADJUST);
	check_number("at the kernel's entry", wave_pc(wave) - adjust, debugger.entry);
	check_status("to the entry again",
		     suite.api.write_register((amd_dbgapi_wave_id_t){wave},
					      find_register(wave, "pc"), 0, sizeof(debugger.entry),
					      &debugger.entry),
		     SUCCESS);
	check_number("the dispatch is of the kernel",
		     ask(WT_OBJECT_DISPATCH,
			 ask(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH),
			 AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS),
		     debugger.entry);
	return wave;
}

/* The breakpoint stays, for the other waves. */
static void step_over(uint64_t wave)
{
	amd_dbgapi_displaced_stepping_id_t stepping = {0};
	uint64_t pc;

	check_status("displaced stepping starts",
		     suite.api.displaced_stepping_start((amd_dbgapi_wave_id_t){wave},
							&debugger.saved, &stepping),
		     SUCCESS);
	check_status("the displaced step", wave_resume(wave, true), SUCCESS);
	expect_stop("the displaced step", wave, REASON(SINGLE_STEP));
	check_status("displaced stepping ends",
		     suite.api.displaced_stepping_complete((amd_dbgapi_wave_id_t){wave}, stepping),
		     SUCCESS);
	pc = wave_pc(wave) - debugger.entry;
	check("the wave is behind the breakpoint", pc == 4 || pc == 8, "%llu bytes",
	      (unsigned long long)pc);
	check_number("the breakpoint stays", read_word(debugger.process, debugger.entry),
		     debugger.breakpoint);
}

/* The kernel's first argument is the address of what it writes. */
static uint64_t find_buffer(uint64_t wave)
{
	uint64_t arguments =
		ask(WT_OBJECT_DISPATCH, ask(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH),
		    AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS);

	return read_word(debugger.process, arguments) |
	       (uint64_t)read_word(debugger.process, arguments + 4) << 32;
}

/* Its first element is 1 after the first round of the loop, then 1 + 2. */
static void watch_stores(uint64_t wave)
{
	const uint64_t buffer = find_buffer(wave);
	amd_dbgapi_watchpoint_id_t watchpoint = {0};
	uint64_t covered[2];

	check_number("the buffer is as it was", read_word(debugger.process, buffer), 0);
	check_status("watching the buffer",
		     watch(debugger.process, buffer, 4, AMD_DBGAPI_WATCHPOINT_KIND_STORE_AND_RMW,
			   &watchpoint, covered),
		     SUCCESS);
	for (uint32_t round = 1; round <= 2; round++) {
		amd_dbgapi_watchpoint_list_t list = {0};

		check_status("going on", wave_resume(wave, false), SUCCESS);
		expect_stop("the watchpoint", wave, REASON(WATCHPOINT));
		get_info(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_WATCHPOINTS, sizeof(list),
			 &list);
		check("it is that watchpoint",
		      list.count == 1 && list.watchpoint_ids[0].handle == watchpoint.handle,
		      "%zu of them", list.count);
		free(list.watchpoint_ids);
		check_number("what is stored is there", read_word(debugger.process, buffer),
			     round * (round + 1) / 2);
	}
	check_status("no longer", unwatch(debugger.process, watchpoint.handle), SUCCESS);
}

/* ---- Sessions ---- */

/* The program is as without a debugger, or has been ended as it would have been. */
static void check_end(int code, int by_signal)
{
	const uint64_t wave = next_stop();
	const int status = debugger.traced.status;

	check("nothing else stops", !wave, "wave %llu", (unsigned long long)wave);
	check("the program has ended", debugger.ended, "it has not");
	if (by_signal)
		check("by the signal", WIFSIGNALED(status) && WTERMSIG(status) == by_signal,
		      "status %#x", status);
	else
		check("with its exit code", WIFEXITED(status) && WEXITSTATUS(status) == code,
		      "status %#x", status);
}

static void session_breaks(void)
{
	uint64_t waves[2];

	debugger.breaks = true;
	for (int i = 0; i < 2; i++) {
		waves[i] = wait_at_breakpoint();
		if (!waves[i])
			return;
	}
	check("they are of two queues",
	      ask(WT_OBJECT_WAVE, waves[0], AMD_DBGAPI_WAVE_INFO_QUEUE) !=
		      ask(WT_OBJECT_WAVE, waves[1], AMD_DBGAPI_WAVE_INFO_QUEUE),
	      "of one");
	for (int i = 0; i < 2; i++)
		step_over(waves[i]);
	for (int i = 0; i < STEPS; i++) {
		check_status("a step", wave_resume(waves[0], true), SUCCESS);
		expect_stop("a step", waves[0], REASON(SINGLE_STEP));
	}
	watch_stores(waves[0]);
	write_word(debugger.process, debugger.entry, debugger.saved);
	for (int i = 0; i < 2; i++)
		check_status("to the end", wave_resume(waves[i], false), SUCCESS);
	check_end(0, 0);
}

static void session_fault(void)
{
	uint64_t wave = expect_stop("a memory violation", 0, REASON(MEMORY_VIOLATION)), pc;

	if (!wave)
		return;
	pc = wave_pc(wave);
	check("it stops in its kernel",
	      debugger.entry && pc >= debugger.entry && pc < debugger.entry + debugger.size,
	      "%#llx", (unsigned long long)pc);
	check_status("the program is given its exception",
		     suite.api.wave_resume((amd_dbgapi_wave_id_t){wave},
					   AMD_DBGAPI_RESUME_MODE_NORMAL,
					   AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION),
		     SUCCESS);
	check_end(0, SIGABRT);
}

static void debug(void (*session)(void))
{
	amd_dbgapi_process_id_t process = {0};

	check_status("initialize", suite.api.initialize(&suite.callbacks), SUCCESS);
	if (!check_status("attach", suite.api.process_attach(CLIENT, &process), SUCCESS))
		return;
	debugger.process = process.handle;
	get_info(WT_OBJECT_PROCESS, process.handle, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
		 sizeof(debugger.notifier), &debugger.notifier);
	if (debugger.lives)
		ptrace(PTRACE_CONT, debugger.traced.pid, 0, 0);
	session();
	check_status("detach", suite.api.process_detach(process), SUCCESS);
	check_status("finalize", suite.api.finalize(), SUCCESS);
}

static bool prepare(char **arguments, char **program)
{
	wt_cleanup_error struct wt_error *error = wt_api_load(arguments[0], &suite.api);

	if (error) {
		fprintf(stderr, "debugger: %s: %s: %s\n", error->what, error->where, error->why);
		return false;
	}
	debugger.lives = program;
	debugger.kernel = arguments[4];
	debugger.news = fopen(arguments[1], program ? "we" : "re");
	debugger.next_pending_event = suite.api.process_next_pending_event;
	suite.api.process_next_pending_event = process_next_pending_event;
	suite.callbacks = (amd_dbgapi_callbacks_t){
		.allocate_memory = allocate_memory,
		.deallocate_memory = deallocate_memory,
		.client_process_get_info = client_process_get_info,
		.insert_breakpoint = insert_breakpoint,
		.remove_breakpoint = remove_breakpoint,
		.xfer_global_memory = xfer_global_memory,
		.log_message = log_message,
	};
	elf_version(EV_CURRENT);
	/* The program's output is not the transcript: it starts before. */
	return debugger.news && (!program || start(program)) && freopen(arguments[2], "we", stdout);
}

int main(int argc, char **argv)
{
	if (argc != 6 && argc != 8) {
		fprintf(stderr, "usage: debugger LIBRARY NEWS TRANSCRIPT breaks|fault KERNEL "
				"[PROGRAM NAME]\n");
		return 2;
	}
	if (!prepare(argv + 1, argc == 8 ? argv + 6 : NULL))
		return 2;
	debug(strcmp(argv[4], "fault") ? session_breaks : session_fault);
	if (debugger.lives)
		traced_close(&debugger.traced);
	fclose(debugger.news);
	printf("%u ok, %u not ok\n", suite.passed, suite.failed);
	return suite.failed ? 1 : 0;
}
