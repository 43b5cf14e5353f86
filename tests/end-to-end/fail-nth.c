/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a client of the recording library: of what that library asks of the system the n'th call fails,
 * or something happens just before it, and nothing happens at what others ask.
 *
 *   WT_FAIL_KIND    memory, file, driver (what a debugger asks of the kernel driver, whoever it is) or any, of the first two
 *   WT_FAIL_AT      number of the call, from 1; 0: none
 *   WT_FAIL_HOW     error (the default: no memory, no space, of the driver what WT_FAIL_ERROR says); interrupted, by a signal (not
 *                   memory); short, half of what is written (files alone). The call itself does not suffer where the process is killed (kill), where it has a
 *                   child that ends at once (fork), where another thread calls the recorder (thread), where a signal is handled
 *                   (signal), or from where on the recorder's clocks are another time (jump)
 *   WT_FAIL_ERROR   number of the error that the driver answers; without it EIO
 *   WT_FAIL_ALL     set: so do all after it
 *   WT_FAIL_JUMP    seconds by which clocks jump, also backwards
 *   WT_FAIL_LIBRARY the recorder, as it was loaded, for `thread`
 *   WT_FAIL_REPORT  file that gets, when the process ends, the number of calls there were of that kind, of memory and of files,
 *                   and of descriptors of traces (*.wtape) that are open then
 *   WT_FAIL_COUNTS  file that is there and has room for four numbers of 8 bytes: calls of that kind, of memory, of files and of the
 *                   driver. They stand there however the process ends
 *   WT_SLOW_FILES   milliseconds that each call of the recorder for files takes longer
 *   WT_SLOW_SYNC    milliseconds that each fdatasync() takes longer, whoever calls
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device/kfd-debug.h"

#define EXPORTED __attribute__((visibility("default")))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

enum how { NOTHING, ERROR, INTERRUPTED, SHORT, KILL, FORK, THREAD, SIGNAL, JUMP };

struct counts {
	atomic_llong calls, memory, files, driver;
};

static struct counts own_counts, *counts = &own_counts;
static atomic_bool jumped;
static __thread bool inside;
static pid_t owner;

static void on_signal(int number)
{
	(void)number;
}

static void counts_share(const char *path)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
	void *shared;

	if (fd < 0)
		return;
	shared = (void *)syscall(SYS_mmap, NULL, sizeof(*counts), PROT_READ | PROT_WRITE,
				 MAP_SHARED, fd, 0);
	if (shared != MAP_FAILED)
		counts = shared;
	syscall(SYS_close, fd);
}

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("WT_FAIL_COUNTS");

	owner = getpid();
	if (path)
		counts_share(path);
	/* Without SA_RESTART: calls of the system end with EINTR. */
	sigaction(SIGUSR2, &(struct sigaction){.sa_handler = on_signal}, NULL);
}

static unsigned int open_traces(void)
{
	DIR *directory = opendir("/proc/self/fd");
	unsigned int count = 0;
	struct dirent *entry;
	char target[4096];
	ssize_t length;

	while (directory && (entry = readdir(directory))) {
		length = readlinkat(dirfd(directory), entry->d_name, target, sizeof(target));
		count += length > 6 && !memcmp(target + length - 6, ".wtape", 6);
	}
	if (directory)
		closedir(directory);
	return count;
}

__attribute__((destructor)) static void report(void)
{
	const char *path = getenv("WT_FAIL_REPORT");
	FILE *file = path && owner == getpid() ? fopen(path, "w") : NULL;

	if (!file)
		return;
	fprintf(file, "%lld %lld %lld %u\n", atomic_load(&counts->calls),
		atomic_load(&counts->memory), atomic_load(&counts->files), open_traces());
	fclose(file);
}

/* Which file has an address. */
struct place {
	uintptr_t address;
	bool is_recorder;
};

static int object_look_at(struct dl_phdr_info *object, size_t size, void *data)
{
	struct place *place = data;

	(void)size;
	for (unsigned int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];

		if (part->p_type != PT_LOAD ||
		    place->address - (object->dlpi_addr + part->p_vaddr) >= part->p_memsz)
			continue;
		place->is_recorder = strstr(object->dlpi_name, "/recorder/librocm-dbgapi") ||
				     strstr(object->dlpi_name, "/libwavetape-agent.") ||
				     strstr(object->dlpi_name, "/libzstd.");
		return 1;
	}
	return 0;
}

/* A program calls malloc() from few places, and often: what was found is kept, an address with a bit for the answer. */
#define KNOWN_PLACES 4096u

static bool is_recorder(const void *caller)
{
	static atomic_uintptr_t known[KNOWN_PLACES];
	struct place place = {.address = (uintptr_t)caller};
	atomic_uintptr_t *slot = &known[(place.address ^ place.address >> 12) % KNOWN_PLACES];
	uintptr_t found = atomic_load(slot);

	if (found >> 1 == place.address)
		return found & 1;
	dl_iterate_phdr(object_look_at, &place);
	atomic_store(slot, place.address << 1 | place.is_recorder);
	return place.is_recorder;
}

static enum how how_of(const char *word)
{
	static const char *const words[] = {
		[ERROR] = "error",   [INTERRUPTED] = "interrupted",
		[SHORT] = "short",   [KILL] = "kill",
		[FORK] = "fork",     [THREAD] = "thread",
		[SIGNAL] = "signal", [JUMP] = "jump",
	};

	for (size_t i = ERROR; word && i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i], word))
			return (enum how)i;
	return ERROR;
}

/* Another thread forks, as a program may at any moment: the child ends with all that is done at an exit. */
static void *fork_and_wait(void *unused)
{
	int status = 0;
	pid_t child;

	(void)unused;
	inside = true;
	child = fork();
	if (!child) {
		/* The program itself writes what it has printed. */
		close(STDOUT_FILENO);
		close(STDERR_FILENO);
		/* One that waits for ever is ended, and seen: nobody writes the report. */
		alarm(10);
		exit(0);
	}
	if (child > 0 && (waitpid(child, &status, 0) < 0 || status))
		abort();
	return NULL;
}

/* Another thread calls the API. It may have to wait for the call under way. */
static void *call_recorder(void *unused)
{
	const char *path = getenv("WT_FAIL_LIBRARY");
	void *library = path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
	void (*get_version)(uint32_t *, uint32_t *, uint32_t *);
	uint32_t version[3];

	(void)unused;
	get_version =
		library ? (__typeof__(get_version))dlsym(library, "amd_dbgapi_get_version") : NULL;
	if (get_version)
		get_version(&version[0], &version[1], &version[2]);
	return NULL;
}

/* Something happens beside the call that is made. */
static void happen(enum how how)
{
	pthread_t thread;

	switch (how) {
	case KILL:
		kill(getpid(), SIGKILL);
		break;
	case FORK:
		if (!pthread_create(&thread, NULL, fork_and_wait, NULL))
			pthread_join(thread, NULL);
		break;
	case THREAD:
		if (!pthread_create(&thread, NULL, call_recorder, NULL))
			pthread_detach(thread);
		break;
	case SIGNAL:
		raise(SIGUSR2);
		break;
	case JUMP:
		atomic_store(&jumped, true);
		break;
	default:
		break;
	}
}

/* Is it a call of those that may fail? It is counted. */
static bool call_counts(const char *kind, const void *caller)
{
	bool driver = !strcmp(kind, "driver");

	if (!driver && !is_recorder(caller))
		return false;
	atomic_fetch_add(driver			? &counts->driver
			 : strcmp(kind, "file") ? &counts->memory
						: &counts->files,
			 1);
	return true;
}

/* How this call of the recorder, or of a debugger to the driver, fails. */
static enum how fails(const char *kind, const void *caller)
{
	const char *wanted, *at;
	enum how how = NOTHING;
	long long number, n;

	if (inside)
		return NOTHING;
	inside = true;
	if (getenv("WT_SLOW_FILES") && !strcmp(kind, "file") && is_recorder(caller))
		usleep((useconds_t)strtoul(getenv("WT_SLOW_FILES"), NULL, 10) * 1000);
	wanted = getenv("WT_FAIL_KIND");
	at = getenv("WT_FAIL_AT");
	if (wanted && at && call_counts(kind, caller)) {
		bool any = !strcmp(wanted, "any") && strcmp(kind, "driver");

		number = strtol(at, NULL, 10);
		n = !strcmp(wanted, kind) || any ? atomic_fetch_add(&counts->calls, 1) + 1 : 0;
		if (number && (n == number || (n > number && getenv("WT_FAIL_ALL"))))
			how = how_of(getenv("WT_FAIL_HOW"));
		happen(how);
	}
	inside = false;
	return how < KILL ? how : NOTHING;
}

#define CALLER __builtin_return_address(0)
#define NO_MEMORY(kind)                                                                            \
	do {                                                                                       \
		if (fails(kind, CALLER) == ERROR) {                                                \
			errno = ENOMEM;                                                            \
			return NULL;                                                               \
		}                                                                                  \
	} while (0)

#define NO_SPACE(result)                                                                           \
	do {                                                                                       \
		enum how how_ = fails("file", CALLER);                                             \
		if (how_ == ERROR || how_ == INTERRUPTED) {                                        \
			errno = how_ == ERROR ? ENOSPC : EINTR;                                    \
			return result;                                                             \
		}                                                                                  \
	} while (0)

/* Some is written: half of it. */
#define NO_SPACE_OR_HALF(size)                                                                     \
	do {                                                                                       \
		enum how how_ = fails("file", CALLER);                                             \
		if (how_ == ERROR || how_ == INTERRUPTED) {                                        \
			errno = how_ == ERROR ? ENOSPC : EINTR;                                    \
			return -1;                                                                 \
		}                                                                                  \
		if (how_ == SHORT)                                                                 \
			(size) = ((size) + 1) / 2;                                                 \
	} while (0)

/* The function that the loader would have taken without this library. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

EXPORTED void *malloc(size_t size)
{
	NO_MEMORY("memory");
	return __libc_malloc(size);
}

EXPORTED void *calloc(size_t count, size_t size)
{
	NO_MEMORY("memory");
	return __libc_calloc(count, size);
}

EXPORTED void *realloc(void *memory, size_t size)
{
	NO_MEMORY("memory");
	return __libc_realloc(memory, size);
}

EXPORTED void *reallocarray(void *memory, size_t count, size_t size)
{
	size_t whole;

	NO_MEMORY("memory");
	if (__builtin_mul_overflow(count, size, &whole)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_realloc(memory, whole);
}

EXPORTED char *strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy;

	NO_MEMORY("memory");
	copy = __libc_malloc(size);
	return copy ? memcpy(copy, text, size) : NULL;
}

EXPORTED char *strndup(const char *text, size_t limit)
{
	size_t size = strnlen(text, limit);
	char *copy;

	NO_MEMORY("memory");
	copy = __libc_calloc(1, size + 1);
	return copy ? memcpy(copy, text, size) : NULL;
}

EXPORTED char *realpath(const char *path, char *resolved)
{
	NO_MEMORY("memory");
	return NEXT(realpath)(path, resolved);
}

EXPORTED int vasprintf(char **text, const char *format, va_list arguments)
{
	if (fails("memory", CALLER) == ERROR)
		return -1;
	return NEXT(vasprintf)(text, format, arguments);
}

EXPORTED int asprintf(char **text, const char *format, ...)
{
	va_list arguments;
	int length;

	if (fails("memory", CALLER) == ERROR)
		return -1;
	va_start(arguments, format);
	length = NEXT(vasprintf)(text, format, arguments);
	va_end(arguments);
	return length;
}

EXPORTED ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset)
{
	NO_SPACE_OR_HALF(size);
	return NEXT(pwrite64)(fd, data, size, offset);
}

EXPORTED ssize_t write(int fd, const void *data, size_t size)
{
	NO_SPACE_OR_HALF(size);
	return NEXT(write)(fd, data, size);
}

EXPORTED int fallocate64(int fd, int mode, off64_t offset, off64_t size)
{
	NO_SPACE(-1);
	return NEXT(fallocate64)(fd, mode, offset, size);
}

EXPORTED int ftruncate64(int fd, off64_t size)
{
	NO_SPACE(-1);
	return NEXT(ftruncate64)(fd, size);
}

EXPORTED int fdatasync(int fd)
{
	const char *slow = getenv("WT_SLOW_SYNC");

	NO_SPACE(-1);
	if (slow)
		usleep((useconds_t)strtoul(slow, NULL, 10) * 1000);
	return NEXT(fdatasync)(fd);
}

EXPORTED int fsync(int fd)
{
	NO_SPACE(-1);
	return NEXT(fsync)(fd);
}

EXPORTED int rename(const char *from, const char *to)
{
	NO_SPACE(-1);
	return NEXT(rename)(from, to);
}

EXPORTED int open64(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list arguments;

	NO_SPACE(-1);
	va_start(arguments, flags);
	if (flags & (O_CREAT | __O_TMPFILE))
		mode = va_arg(arguments, mode_t);
	va_end(arguments);
	return NEXT(open64)(path, flags, mode);
}

EXPORTED void *mmap64(void *address, size_t size, int protection, int flags, int fd, off64_t offset)
{
	if (fails("file", CALLER) == ERROR) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return NEXT(mmap64)(address, size, protection, flags, fd, offset);
}

EXPORTED int clock_gettime(clockid_t clock, struct timespec *time)
{
	const char *seconds = getenv("WT_FAIL_JUMP");
	/* A sanitizer asks before it lets the loader look for functions. */
	int result = (int)syscall(SYS_clock_gettime, clock, time);

	if (!result && seconds && atomic_load(&jumped) && is_recorder(CALLER))
		time->tv_sec += strtol(seconds, NULL, 10);
	return result;
}

EXPORTED int ioctl(int fd, unsigned long request, ...)
{
	const char *number = getenv("WT_FAIL_ERROR");
	enum how how = NOTHING;
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (_IOC_TYPE(request) == KFD_IOCTL_BASE && _IOC_NR(request) == KFD_DEBUG)
		how = fails("driver", CALLER);
	if (how == ERROR || how == INTERRUPTED) {
		errno = how == INTERRUPTED ? EINTR : number ? atoi(number) : EIO;
		return -1;
	}
	return NEXT(ioctl)(fd, request, argument);
}
