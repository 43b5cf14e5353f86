/* SPDX-License-Identifier: MIT */
/*
 * Code is executed instruction by instruction, with a SIGTRAP after each: from raise(SIGUSR1) on, and up to raise(SIGUSR2), whose own
 * instructions are among them. On x86-64.
 */
#ifndef WT_TESTS_RECORDER_STEPPING_H
#define WT_TESTS_RECORDER_STEPPING_H

#include "tests/unit/with-cmocka.h"
#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

#define STEPPING_TRAP_FLAG 0x100

/** In a signal handler: what was interrupted goes on in steps, or as ever. @context: as the handler has it. */
static inline void stepping_set(void *context, bool on)
{
	greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];

	*flags = on ? *flags | STEPPING_TRAP_FLAG : *flags & ~STEPPING_TRAP_FLAG;
}

static inline void stepping_switch(int signal, siginfo_t *info, void *context)
{
	(void)info;
	stepping_set(context, signal == SIGUSR1);
}

static inline void stepping_handle(int signal, void (*handler)(int, siginfo_t *, void *))
{
	const struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};

	assert_int_equal(sigaction(signal, &action, NULL), 0);
}

/** @step: the handler of SIGTRAP. */
static inline void stepping_prepare(void (*step)(int, siginfo_t *, void *))
{
	stepping_handle(SIGUSR1, stepping_switch);
	stepping_handle(SIGUSR2, stepping_switch);
	stepping_handle(SIGTRAP, step);
}

#endif /* WT_TESTS_RECORDER_STEPPING_H */
