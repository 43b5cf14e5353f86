/* SPDX-License-Identifier: MIT */
/* A debugger that makes the driver's debug calls itself, and a kernel for it to look at. */
#ifndef WT_TESTS_UNIT_DRIVER_DEBUGGER_H
#define WT_TESTS_UNIT_DRIVER_DEBUGGER_H

#include "tests/unit/driver/support.h"

#include "device/kfd-debug.h"

#define LANES 64
/* Of the kernels here: vector registers, of which half are accumulation registers. */
#define VECTORS 8

struct debugger {
	struct session *session;
	pid_t target;
	int notifier[2];
};

/** A debugger of a process, not attached. It has to be closed. */
struct debugger debugger_of(struct session *session, pid_t target);
void debugger_close(struct debugger *debugger);

/** A debug call. Return: its result, or a negative errno. */
int debug_call(const struct debugger *debugger, enum kfd_debug_operation operation,
	       struct kfd_debug_trap *args);
/** One that must not fail. */
void debug_must(const struct debugger *debugger, enum kfd_debug_operation operation,
		struct kfd_debug_trap *args);

int debugger_attach(const struct debugger *debugger, uint64_t exceptions,
		    struct kfd_runtime_info *info);
/** Tell the driver that the runtime of the program is there. */
int runtime_comes(struct session *session, int connection, uint64_t r_debug);

/** Wait for the notifier: whether anything came. Takes what is there. */
bool debugger_notified(const struct debugger *debugger);

/** See a queue in a snapshot, so that it can be suspended. Return: its entry. */
struct kfd_queue_entry debugger_see_queue(const struct debugger *debugger, uint64_t clear);

/** Suspend or resume one queue. Return: the call's result; the id as it came back in @id_ret, if not NULL. */
int debugger_suspend(const struct debugger *debugger, uint32_t queue, uint32_t *id_ret);
int debugger_resume(const struct debugger *debugger, uint32_t queue, uint32_t *id_ret);

/* The one wave in a queue's save area, of a workgroup without local memory. */
struct area {
	uint32_t *head, *stack, *ttmps, *hwregs, *vgprs;
	uint32_t stack_words, state_word, wave_word;
};
enum { HW_M0, HW_PC, HW_PC_HIGH, HW_EXEC, HW_EXEC_HIGH, HW_STATUS, HW_TRAPSTS, HW_MODE = 9 };

/** Find it. Return: whether there is a wave. */
bool area_read(const struct aql *queue, struct area *area_ret);
uint64_t area_parked_pc(const struct area *area);
/** Let a stopped wave go on where it was parked; for one instruction if @step. */
void area_run(const struct area *area, bool step);

#define STATUS_HALT (1u << 13)
#define MODE_STEP (1u << 11)
#define TTMP6_STOPPED (1u << 30)

/** Launch a kernel of one wave: @words are its instructions. Return: the address of the first. */
uint64_t launch(struct aql *queue, const uint32_t *words, size_t count);
/** The same of a wave of 32 or 64 lanes, where there are both. */
uint64_t launch_lanes(struct aql *queue, const uint32_t *words, size_t count, uint32_t lanes);
/** The same of several workgroups of one wave, whose number is in s2. */
uint64_t launch_groups(struct aql *queue, const uint32_t *words, size_t count, uint32_t groups);
/**
 * The same of several workgroups of one wave that has 64 vector and 96 scalar registers and 2 KiB of local memory: of which 32 fill a
 * compute unit, and its part of a save area.
 */
uint64_t launch_full(struct aql *queue, const uint32_t *words, size_t count, uint32_t groups);
/** The same of a workgroup with so many bytes of local memory. */
uint64_t launch_with_local(struct aql *queue, const uint32_t *words, size_t count, uint32_t local);
/** What lane 0 of the kernel's results is. */
uint32_t result_of(const struct aql *queue, size_t lane);
/** Where the runtime is told of exceptions. */
uint64_t *told_runtime(const struct aql *queue);

#endif /* WT_TESTS_UNIT_DRIVER_DEBUGGER_H */
