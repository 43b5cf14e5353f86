/* SPDX-License-Identifier: MIT */
/*
 * Threads of the recorded program. Their frames are found without stopping them: where a thread waits, the kernel
 * tells its stack pointer and pc, and what it does not tell (the other registers) is only needed where a function
 * keeps its frame in one of them. There the frames end.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <elfutils/libdwfl.h>

#include "recorder/host/gathering.h"

/* Numbers of registers in the DWARF of x86-64: rbx, rbp, rsp, r12 to r15, and where it keeps the pc. */
enum { RBX = 3, RBP = 6, RSP = 7, R12 = 12, RIP = 16 };

struct unwinding {
	struct wt_gathering *gathering;
	Dwfl *dwfl;
	struct wt_host_thread *thread;
	uint64_t id, sp, pc;
	bool is_own; /* the thread that gathers: all its registers are known */
	Dwfl_Module *
		ours; /* this library: its own frames, as long as there are no others, are left out */
#ifdef __x86_64__
	ucontext_t own;
#endif
};

static void read_text(struct wt_gathering *gathering, uint64_t id, const char *name,
		      char **text_ret)
{
	wt_cleanup_buffer struct wt_buffer text = {0};
	char path[64];
	const char *found = "";

	snprintf(path, sizeof(path), "task/%llu/%s", (unsigned long long)id, name);
	if (wt_gathering_read(gathering, path, WT_HOST_TEXT, &text))
		found = (const char *)text.data;
	/* Nobody waits in "0". */
	if (!strcmp(found, "0"))
		found = "";
	*text_ret = wt_gathering_text(gathering, found, strcspn(found, "\n"));
}

/* The letter after the name, which may have any characters, in the file of many fields. */
static void read_state(struct wt_gathering *gathering, uint64_t id, char **state_ret)
{
	wt_cleanup_buffer struct wt_buffer text = {0};
	const char *after = NULL;
	char path[64];

	snprintf(path, sizeof(path), "task/%llu/stat", (unsigned long long)id);
	if (wt_gathering_read(gathering, path, WT_HOST_TEXT, &text))
		after = strrchr((const char *)text.data, ')');
	*state_ret = wt_gathering_text(gathering, after && after[1] ? after + 2 : "",
				       after && after[1] ? 1 : 0);
}

/* "NUMBER ARGUMENTS... SP PC", "-1 SP PC" outside of a system call, or "running". */
static bool read_place(struct unwinding *unwinding)
{
	wt_cleanup_buffer struct wt_buffer text = {0};
	unsigned long long sp, pc;
	char path[64], *last, *before;

	snprintf(path, sizeof(path), "task/%llu/syscall", (unsigned long long)unwinding->id);
	if (!wt_gathering_read(unwinding->gathering, path, WT_HOST_TEXT, &text))
		return false;
	last = strrchr((char *)text.data, ' ');
	if (!last)
		return false;
	*last = '\0';
	before = strrchr((char *)text.data, ' ');
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

static bool read_word(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *opaque)
{
	struct unwinding *unwinding = opaque;
	struct iovec to = {.iov_base = word, .iov_len = sizeof(*word)};
	struct iovec from = {.iov_base = (void *)(uintptr_t)address, .iov_len = sizeof(*word)};

	(void)dwfl;
	return process_vm_readv((pid_t)unwinding->gathering->process, &to, 1, &from, 1, 0) ==
	       (ssize_t)sizeof(*word);
}

static bool set_registers(Dwfl_Thread *thread, void *opaque)
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

	if (unwinding->is_own && (!dwfl_thread_state_registers(thread, RBX, 1, &rbx) ||
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

static void describe(struct unwinding *unwinding, uint64_t address, bool activation,
		     struct wt_host_frame *frame)
{
	/* The call is before the place that it returns to. */
	Dwfl_Module *module = dwfl_addrmodule(unwinding->dwfl, address - !activation);
	const char *path = "", *symbol = NULL;
	GElf_Off offset = 0;
	GElf_Sym sym;

	frame->address = address;
	if (module) {
		dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &path, NULL);
		symbol = dwfl_module_addrinfo(module, address - !activation, &offset, &sym, NULL,
					      NULL, NULL);
		if (symbol)
			frame->symbol_offset = offset + !activation;
		if (!path)
			path = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	}
	frame->symbol = wt_gathering_text(unwinding->gathering, symbol ? symbol : "", SIZE_MAX);
	frame->path = wt_gathering_text(unwinding->gathering, path ? path : "", SIZE_MAX);
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
	describe(unwinding, pc, activation, &thread->frames[thread->frame_count++]);
	return DWARF_CB_OK;
}

/* Nothing is searched for on the disk or fetched over the network: what is mapped must do. */
static int find_no_debuginfo(Dwfl_Module *module, void **opaque, const char *name, Dwarf_Addr base,
			     const char *file, const char *link, GElf_Word checksum, char **found)
{
	(void)module;
	(void)opaque;
	(void)name;
	(void)base;
	(void)file;
	(void)link;
	(void)checksum;
	(void)found;
	return -1;
}

static Dwfl *open_modules(pid_t process)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = find_no_debuginfo,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (!dwfl)
		return NULL;
	if (!dwfl_linux_proc_report(dwfl, process) && !dwfl_report_end(dwfl, NULL, NULL))
		return dwfl;
	dwfl_end(dwfl);
	return NULL;
}

static void take_frames(struct unwinding *unwinding)
{
	struct wt_host_thread *thread = unwinding->thread;

	unwinding->is_own = unwinding->id == (uint64_t)syscall(SYS_gettid);
#ifdef __x86_64__
	if (unwinding->is_own && !getcontext(&unwinding->own)) {
		unwinding->sp = (uint64_t)unwinding->own.uc_mcontext.gregs[REG_RSP];
		unwinding->pc = (uint64_t)unwinding->own.uc_mcontext.gregs[REG_RIP];
		unwinding->ours = dwfl_addrmodule(unwinding->dwfl, unwinding->pc);
	}
#endif
	if (!unwinding->is_own && !read_place(unwinding))
		return;
	thread->frames = calloc(WT_HOST_FRAMES, sizeof(*thread->frames));
	if (thread->frames)
		dwfl_getthread_frames(unwinding->dwfl, (pid_t)unwinding->id, take_frame, unwinding);
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
	read_text(gathering, unwinding->id, "comm", &thread->name);
	read_state(gathering, unwinding->id, &thread->state);
	read_text(gathering, unwinding->id, "wchan", &thread->waiting);
	unwinding->thread = thread;
	if (unwinding->dwfl)
		take_frames(unwinding);
}

static void take_threads(struct unwinding *unwinding, DIR *directory)
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
		.memory_read = read_word,
		.set_initial_registers = set_registers,
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
	unwinding.dwfl = open_modules(process);
	if (unwinding.dwfl &&
	    !dwfl_attach_state(unwinding.dwfl, NULL, process, &callbacks, &unwinding)) {
		dwfl_end(unwinding.dwfl);
		unwinding.dwfl = NULL;
	}
	take_threads(&unwinding, directory);
	closedir(directory);
	dwfl_end(unwinding.dwfl);
	if (!has_frames(gathering->host))
		wt_gathering_missing(gathering, "backtraces: where the threads are cannot be read");
}
