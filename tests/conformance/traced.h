/* SPDX-License-Identifier: MIT */
/*
 * A program that is debugged on a kernel driver: its main thread is traced, the loader's breakpoint stands in its memory. What a
 * debugger does of it besides calling the library.
 */
#ifndef TESTS_CONFORMANCE_TRACED_H
#define TESTS_CONFORMANCE_TRACED_H

#include <stdbool.h>
#include <sys/types.h>

#include <amd-dbgapi/amd-dbgapi.h>

struct traced {
	pid_t pid;  /* -1: it has exited, and is waited for no more */
	int memory; /* /proc/PID/mem */
	int status; /* that it has exited with, as waitpid() tells it */
	/* The breakpoint of the loader. The program stops there before each change of the list, and behind it. */
	uint64_t breakpoint, address;
	uint8_t instruction;
	bool stopped;
};

/** Open the memory of the program @pid, which is traced from now on. */
bool traced_open(struct traced *traced);
/** End the program if it is still there. */
void traced_close(struct traced *traced);

/* The callbacks of the library, for this program. */
amd_dbgapi_status_t traced_transfer(const struct traced *traced,
				    amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				    void *read_buffer, const void *write_buffer);
amd_dbgapi_status_t traced_insert(struct traced *traced, amd_dbgapi_global_address_t address,
				  amd_dbgapi_breakpoint_id_t breakpoint);
amd_dbgapi_status_t traced_remove(struct traced *traced, amd_dbgapi_breakpoint_id_t breakpoint);

/** Look, without waiting, what the kernel has to say of the main thread; true if it has come to the breakpoint, and stands. */
bool traced_look(struct traced *traced);
/** Execute the instruction that the breakpoint hides, and go on behind it. */
void traced_leave_breakpoint(struct traced *traced);

#endif /* TESTS_CONFORMANCE_TRACED_H */
