/* SPDX-License-Identifier: MIT */
#include "tests/conformance/traced.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRAP 0xcc /* int3 */

bool traced_open(struct traced *traced)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/mem", traced->pid);
	traced->memory = open(path, O_RDWR | O_CLOEXEC);
	return traced->memory >= 0;
}

void traced_close(struct traced *traced)
{
	if (traced->pid > 0) {
		kill(traced->pid, SIGKILL);
		waitpid(traced->pid, NULL, __WALL);
	}
	close(traced->memory);
}

amd_dbgapi_status_t traced_transfer(const struct traced *traced,
				    amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				    void *read_buffer, const void *write_buffer)
{
	ssize_t count = read_buffer ? pread(traced->memory, read_buffer, *size, (off_t)address)
				    : pwrite(traced->memory, write_buffer, *size, (off_t)address);

	*size = count < 0 ? 0 : (amd_dbgapi_size_t)count;
	return *size ? AMD_DBGAPI_STATUS_SUCCESS : AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
}

amd_dbgapi_status_t traced_insert(struct traced *traced, amd_dbgapi_global_address_t address,
				  amd_dbgapi_breakpoint_id_t breakpoint)
{
	const uint8_t trap = TRAP;

	if (pread(traced->memory, &traced->instruction, 1, (off_t)address) != 1 ||
	    pwrite(traced->memory, &trap, 1, (off_t)address) != 1)
		return AMD_DBGAPI_STATUS_ERROR;
	traced->address = address;
	traced->breakpoint = breakpoint.handle;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t traced_remove(struct traced *traced, amd_dbgapi_breakpoint_id_t breakpoint)
{
	if (traced->breakpoint != breakpoint.handle)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID;
	traced->breakpoint = 0;
	return pwrite(traced->memory, &traced->instruction, 1, (off_t)traced->address) == 1
		       ? AMD_DBGAPI_STATUS_SUCCESS
		       : AMD_DBGAPI_STATUS_ERROR;
}

void traced_leave_breakpoint(struct traced *traced)
{
	const uint8_t trap = TRAP;
	struct user_regs_struct registers;
	int status;

	traced->stopped = false;
	ptrace(PTRACE_GETREGS, traced->pid, 0, &registers);
	registers.rip = traced->address;
	ptrace(PTRACE_SETREGS, traced->pid, 0, &registers);
	if (traced->breakpoint)
		pwrite(traced->memory, &traced->instruction, 1, (off_t)traced->address);
	ptrace(PTRACE_SINGLESTEP, traced->pid, 0, 0);
	waitpid(traced->pid, &status, __WALL);
	if (traced->breakpoint)
		pwrite(traced->memory, &trap, 1, (off_t)traced->address);
	ptrace(PTRACE_CONT, traced->pid, 0, 0);
}

static bool is_at_breakpoint(const struct traced *traced)
{
	struct user_regs_struct registers;

	return traced->breakpoint && !ptrace(PTRACE_GETREGS, traced->pid, 0, &registers) &&
	       registers.rip == traced->address + 1;
}

bool traced_look(struct traced *traced)
{
	int status;

	if (traced->pid < 0 || traced->stopped ||
	    waitpid(traced->pid, &status, WNOHANG | __WALL) != traced->pid)
		return false;
	if (!WIFSTOPPED(status)) {
		traced->pid = -1;
		traced->status = status;
	} else if (WSTOPSIG(status) == SIGTRAP && is_at_breakpoint(traced)) {
		traced->stopped = true;
	} else {
		ptrace(PTRACE_CONT, traced->pid, 0, status >> 16 ? 0 : (uintptr_t)WSTOPSIG(status));
	}
	return traced->stopped;
}
