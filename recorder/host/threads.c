/* SPDX-License-Identifier: MIT */
/*
 * Threads of the recorded program. Where a thread waits, its frames are found without stopping it: the kernel tells its stack
 * pointer and pc, and what it does not tell (the other registers) is only needed where a function keeps its frame in one of
 * them. There the frames end.
 *
 * Runtimes of today wait for the GPU by looking again and again, so that the thread which launched the kernel runs. It is
 * stopped as a debugger does it, for as long as its registers and the top of its stack are copied. One that may not be, as it has a
 * debugger, or as the system does not let us, has no frames. The thread that gathers cannot do it where it is of the same process:
 * a process for a moment does, which shares the memory and nothing else.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "recorder/host/frames.h"

/* Numbers of registers in the DWARF of x86-64: rbx, rbp, rsp, r12 to r15, and where it keeps the pc. */
enum { RBX = 3, RBP = 6, RSP = 7, R12 = 12, RIP = 16 };

/* Fields of a thread's stat file: from its state to whether it waits in the kernel. */
#define WAITS_BEHIND_STATE 32u

/* Bytes of a running thread's stack that are copied, in pieces of which any may be missing. */
#define COPY_PIECE 4096u
#define COPY_PIECES 16u
/* Nanoseconds for a thread to stop, on a host that has others to run; sooner, the gathering's time may be over. */
#define COPY_PATIENCE UINT64_C(500000000)
#define COPY_STACK 65536u

struct copied {
	struct wt_gathering *gathering;
	pid_t process, thread;
	bool is_there;
#ifdef __x86_64__
	struct user_regs_struct registers;
#endif
	size_t size;
	uint8_t stack[COPY_PIECE * COPY_PIECES];
};

struct unwinding {
	struct wt_gathering *gathering;
	int directory; /* of the threads */
	Dwfl *dwfl;
	struct wt_host_thread *thread;
	uint64_t id, sp, pc;
	bool is_own;	       /* the thread that gathers */
	bool has_all;	       /* of its registers: it is the one that gathers, or was stopped */
	struct copied *copied; /* of the thread, if it runs; room for it from the first one on */
	Dwfl_Module *
		ours; /* this library: its own frames, as long as there are no others, are left out */
#ifdef __x86_64__
	ucontext_t own;
#endif
};

static bool read_file(const struct unwinding *unwinding, const char *name, char *text)
{
	char path[64];

	snprintf(path, sizeof(path), "%llu/%s", (unsigned long long)unwinding->id, name);
	return wt_gathering_read_at(unwinding->directory, path, text);
}

static void read_line(const struct unwinding *unwinding, const char *name, char **line_ret)
{
	char text[WT_HOST_TEXT];

	read_file(unwinding, name, text);
	/* Nobody waits in "0". */
	if (!strcmp(text, "0"))
		*text = '\0';
	*line_ret = wt_gathering_text(unwinding->gathering, text, strcspn(text, "\n"));
}

/* Whether a thread may wait in a place of the kernel that we may know: "STATE ..." says so in a field of its own. */
static bool may_wait(const char *state)
{
	for (unsigned int i = 0; state && i < WAITS_BEHIND_STATE; i++) {
		state = strchr(state, ' ');
		state += state != NULL;
	}
	return !state || state[0] != '0' || isdigit((unsigned char)state[1]);
}

/*
 * One file has nearly all: "ID (NAME) STATE ...". The name may have any characters; some of them are written in another way
 * there, behind a backslash.
 */
static void thread_read_state(const struct unwinding *unwinding)
{
	struct wt_gathering *gathering = unwinding->gathering;
	struct wt_host_thread *thread = unwinding->thread;
	char text[WT_HOST_TEXT];
	const char *name, *end;
	bool known;

	read_file(unwinding, "stat", text);
	name = strchr(text, '(');
	end = strrchr(text, ')');
	known = name && end && end > name && end[1];
	thread->state = wt_gathering_text(gathering, known ? end + 2 : "", 1);
	if (known && !memchr(name, '\\', (size_t)(end - name)))
		thread->name = wt_gathering_text(gathering, name + 1, (size_t)(end - name - 1));
	else
		read_line(unwinding, "comm", &thread->name);
	if (!known || may_wait(end + 2))
		read_line(unwinding, "wchan", &thread->waiting);
	else
		thread->waiting = wt_gathering_text(gathering, "", 0);
}

/* "NUMBER ARGUMENTS... SP PC", "-1 SP PC" outside of a system call, or "running". */
static bool read_place(struct unwinding *unwinding)
{
	char text[WT_HOST_TEXT], *last, *before;
	unsigned long long sp, pc;

	if (!read_file(unwinding, "syscall", text))
		return false;
	last = strrchr(text, ' ');
	if (!last)
		return false;
	*last = '\0';
	before = strrchr(text, ' ');
	if (!before || sscanf(before + 1, "%llx", &sp) != 1 || sscanf(last + 1, "%llx", &pc) != 1)
		return false;
	unwinding->sp = sp;
	unwinding->pc = pc;
	return true;
}

/* ---- Frames ---- */

static pid_t next_thread(Dwfl *dwfl, void *opaque, void **thread_opaque)
{
	struct unwinding *unwinding = opaque;

	(void)dwfl;
	if (*thread_opaque)
		return 0;
	*thread_opaque = unwinding;
	return (pid_t)unwinding->id;
}

static bool get_thread(Dwfl *dwfl, pid_t id, void *opaque, void **thread_opaque)
{
	(void)dwfl;
	(void)id;
	*thread_opaque = opaque;
	return true;
}

static bool thread_read_word(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *opaque)
{
	struct unwinding *unwinding = opaque;
	const struct copied *copied = unwinding->copied;
	struct iovec to = {.iov_base = word, .iov_len = sizeof(*word)};
	struct iovec from = {.iov_base = (void *)(uintptr_t)address, .iov_len = sizeof(*word)};

	(void)dwfl;
	if (copied && copied->is_there && address >= unwinding->sp &&
	    address - unwinding->sp < copied->size &&
	    sizeof(*word) <= copied->size - (address - unwinding->sp)) {
		memcpy(word, copied->stack + (address - unwinding->sp), sizeof(*word));
		return true;
	}
	return process_vm_readv((pid_t)unwinding->gathering->process, &to, 1, &from, 1, 0) ==
	       (ssize_t)sizeof(*word);
}

static bool thread_set_registers(Dwfl_Thread *thread, void *opaque)
{
#ifdef __x86_64__
	struct unwinding *unwinding = opaque;
	const greg_t *all = unwinding->own.uc_mcontext.gregs;
	const Dwarf_Word callee[] = {
		(Dwarf_Word)all[REG_R12],
		(Dwarf_Word)all[REG_R13],
		(Dwarf_Word)all[REG_R14],
		(Dwarf_Word)all[REG_R15],
	};
	const Dwarf_Word rbx = (Dwarf_Word)all[REG_RBX], rbp = (Dwarf_Word)all[REG_RBP];
	const Dwarf_Word sp = unwinding->sp, pc = unwinding->pc;

	if (unwinding->has_all && (!dwfl_thread_state_registers(thread, RBX, 1, &rbx) ||
				   !dwfl_thread_state_registers(thread, RBP, 1, &rbp) ||
				   !dwfl_thread_state_registers(thread, R12, 4, callee)))
		return false;
	return dwfl_thread_state_registers(thread, RSP, 1, &sp) &&
	       dwfl_thread_state_registers(thread, RIP, 1, &pc);
#else
	(void)thread;
	(void)opaque;
	return false;
#endif
}

static int take_frame(Dwfl_Frame *state, void *opaque)
{
	struct unwinding *unwinding = opaque;
	struct wt_host_thread *thread = unwinding->thread;
	bool activation = false;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(state, &pc, &activation) || !pc ||
	    thread->frame_count == WT_HOST_FRAMES || wt_gathering_is_over(unwinding->gathering))
		return DWARF_CB_ABORT;
	if (unwinding->is_own && !thread->frame_count && unwinding->ours &&
	    dwfl_addrmodule(unwinding->dwfl, pc) == unwinding->ours)
		return DWARF_CB_OK;
	thread->frame_count += wt_frames_describe(
		unwinding->gathering, unwinding->dwfl, pc, !activation, 0,
		&thread->frames[thread->frame_count], WT_HOST_FRAMES - thread->frame_count);
	return DWARF_CB_OK;
}

/* ---- A thread that runs ---- */

#ifdef __x86_64__
static void copy_stack(struct copied *copied)
{
	struct iovec to = {.iov_base = copied->stack, .iov_len = sizeof(copied->stack)};
	struct iovec from[COPY_PIECES];
	ssize_t got;

	for (uint32_t i = 0; i < COPY_PIECES; i++)
		from[i] = (struct iovec){
			(void *)(uintptr_t)(copied->registers.rsp + i * COPY_PIECE), COPY_PIECE};
	got = process_vm_readv(copied->process, &to, 1, from, COPY_PIECES, 0);
	copied->size = got > 0 ? (size_t)got : 0;
}

/* Waits for the thread to stop; a signal that stops it first is for its program, and returned. */
static int copied_wait(const struct copied *copied, bool *stopped_ret)
{
	uint64_t end = wt_clock_ns() + COPY_PATIENCE;
	int status = 0;

	*stopped_ret = false;
	while (!*stopped_ret && wt_clock_ns() < end && !wt_gathering_is_over(copied->gathering)) {
		pid_t got = waitpid(copied->thread, &status, __WALL | WNOHANG);

		if (got < 0 && errno != EINTR)
			return 0;
		*stopped_ret = got == copied->thread && WIFSTOPPED(status);
		if (!*stopped_ret)
			usleep(1000);
	}
	return *stopped_ret && status >> 16 != PTRACE_EVENT_STOP ? WSTOPSIG(status) : 0;
}

/* Runs in a process of its own with our memory. Whatever it does not let go of, the kernel does at its end. */
static int copied_take(void *opaque)
{
	struct copied *copied = opaque;
	bool stopped;
	int signal;

	if (ptrace(PTRACE_SEIZE, copied->thread, NULL, NULL) ||
	    ptrace(PTRACE_INTERRUPT, copied->thread, NULL, NULL))
		return 0;
	signal = copied_wait(copied, &stopped);
	if (stopped && !ptrace(PTRACE_GETREGS, copied->thread, NULL, &copied->registers)) {
		copy_stack(copied);
		copied->is_there = true;
	}
	ptrace(PTRACE_DETACH, copied->thread, NULL, (void *)(uintptr_t)signal);
	return 0;
}

#endif

static bool read_running(struct unwinding *unwinding)
{
#ifdef __x86_64__
	struct copied *copied = unwinding->copied;
	greg_t *all = unwinding->own.uc_mcontext.gregs;
	wt_cleanup_free uint8_t *stack = malloc(COPY_STACK);
	pid_t helper;

	if (!copied)
		copied = unwinding->copied = malloc(sizeof(*copied));
	if (!copied || !stack)
		return false;
	copied->gathering = unwinding->gathering;
	copied->process = (pid_t)unwinding->gathering->process;
	copied->thread = (pid_t)unwinding->id;
	copied->size = 0;
	copied->is_there = false;
	helper = clone(copied_take, stack + COPY_STACK - 64,
		       CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_UNTRACED, copied);
	if (helper < 0)
		return false;
	while (waitpid(helper, NULL, __WALL) < 0 && errno == EINTR)
		;
	if (!copied->is_there)
		return false;
	unwinding->sp = copied->registers.rsp;
	unwinding->pc = copied->registers.rip;
	all[REG_RBX] = (greg_t)copied->registers.rbx;
	all[REG_RBP] = (greg_t)copied->registers.rbp;
	all[REG_R12] = (greg_t)copied->registers.r12;
	all[REG_R13] = (greg_t)copied->registers.r13;
	all[REG_R14] = (greg_t)copied->registers.r14;
	all[REG_R15] = (greg_t)copied->registers.r15;
	unwinding->has_all = true;
	return true;
#else
	(void)unwinding;
	return false;
#endif
}

static void thread_unwind(void *opaque)
{
	struct unwinding *unwinding = opaque;

	dwfl_getthread_frames(unwinding->dwfl, (pid_t)unwinding->id, take_frame, unwinding);
}

static void thread_take_frames(struct unwinding *unwinding)
{
	struct wt_host_thread *thread = unwinding->thread;

	unwinding->has_all = unwinding->is_own = unwinding->id == (uint64_t)syscall(SYS_gettid);
	if (unwinding->copied)
		unwinding->copied->is_there = false;
#ifdef __x86_64__
	if (unwinding->is_own && !getcontext(&unwinding->own)) {
		unwinding->sp = (uint64_t)unwinding->own.uc_mcontext.gregs[REG_RSP];
		unwinding->pc = (uint64_t)unwinding->own.uc_mcontext.gregs[REG_RIP];
		unwinding->ours = dwfl_addrmodule(unwinding->dwfl, unwinding->pc);
	}
#endif
	if (!unwinding->is_own && !read_place(unwinding) && !read_running(unwinding))
		return;
	thread->frames = calloc(WT_HOST_FRAMES, sizeof(*thread->frames));
	if (thread->frames)
		wt_frames_try(unwinding->gathering, thread_unwind, unwinding);
	unwinding->gathering->no_memory |= !thread->frames;
}

/* ---- All of them ---- */

static void take_thread(struct unwinding *unwinding)
{
	struct wt_gathering *gathering = unwinding->gathering;
	struct wt_host_thread *thread = WT_HOST_ADD(gathering->host, threads);

	gathering->no_memory |= !thread;
	if (!thread)
		return;
	thread->id = unwinding->id;
	unwinding->thread = thread;
	thread_read_state(unwinding);
	if (unwinding->dwfl)
		thread_take_frames(unwinding);
}

static void process_take_threads(struct unwinding *unwinding, DIR *directory)
{
	struct wt_gathering *gathering = unwinding->gathering;
	const struct dirent *entry;

	while ((entry = readdir(directory)) && !wt_gathering_is_over(gathering)) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		if (gathering->host->threads_count == WT_HOST_THREADS) {
			wt_gathering_missing(gathering, "threads after the first %u",
					     WT_HOST_THREADS);
			return;
		}
		unwinding->id = strtoull(entry->d_name, NULL, 10);
		take_thread(unwinding);
	}
}

static bool has_frames(const struct wt_host *host)
{
	for (size_t i = 0; i < host->threads_count; i++)
		if (host->threads[i].frame_count)
			return true;
	return false;
}

void wt_gather_threads(struct wt_gathering *gathering)
{
	static const Dwfl_Thread_Callbacks callbacks = {
		.next_thread = next_thread,
		.get_thread = get_thread,
		.memory_read = thread_read_word,
		.set_initial_registers = thread_set_registers,
	};
	struct unwinding unwinding = {.gathering = gathering};
	pid_t process = (pid_t)gathering->process;
	DIR *directory;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task", process);
	directory = opendir(path);
	if (!directory) {
		wt_gathering_missing(gathering, "threads: %s", strerror(errno));
		return;
	}
	unwinding.directory = dirfd(directory);
	unwinding.dwfl = wt_frames_open(process);
	if (unwinding.dwfl &&
	    !dwfl_attach_state(unwinding.dwfl, NULL, process, &callbacks, &unwinding)) {
		dwfl_end(unwinding.dwfl);
		unwinding.dwfl = NULL;
	}
	process_take_threads(&unwinding, directory);
	closedir(directory);
	dwfl_end(unwinding.dwfl);
	free(unwinding.copied);
	if (!has_frames(gathering->host))
		wt_gathering_missing(gathering, "backtraces: where the threads are cannot be read");
}
