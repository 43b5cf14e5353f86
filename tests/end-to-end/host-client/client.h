/* SPDX-License-Identifier: MIT */
/*
 * What GDB does with the host program, in small: it runs it under ptrace, attaches the library to
 * it, puts the breakpoint in that the library asks for, and goes from stop to stop until the host
 * exits. It compares memory as the library tells it with memory as the host has it, and prints what
 * it sees.
 */
#ifndef WT_TEST_HOST_CLIENT_H
#define WT_TEST_HOST_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <amd-dbgapi/amd-dbgapi.h>

#define PATIENCE 1500 /* looks of 10 ms */
#define TRAP 0xcc     /* the instruction of a breakpoint */

struct host_target {
	pid_t pid;				  /* of the host; 0: there is none */
	int memory;				  /* of the host, to read and to write */
	uint64_t breakpoint;			  /* address; 0: none is in */
	amd_dbgapi_breakpoint_id_t breakpoint_id; /* the library's */
	uint8_t replaced;
	amd_dbgapi_process_id_t process;
	int notifier;
	bool own_breakpoint; /* of this client, in a kernel: it finds it */
};

extern struct host_target target;

/* ---- The host, under ptrace: host.c ---- */

/** Print what went wrong, and end the host and the client. */
__attribute__((noreturn, format(printf, 1, 2))) void host_die(const char *text, ...);
void host_must(const char *what, amd_dbgapi_status_t status);

/** Run the program of an argument list up to its first instruction. */
void host_start(char **argv);
void host_go_on(void);
void host_wait_for_trap(const char *what);
void host_poke(uint64_t address, uint8_t byte);
/** The host has hit the breakpoint: it goes on where that was. */
void host_back_up(void);
/** Past the breakpoint, which stays in. */
void host_step_over(void);
void host_end(void);

/* ---- The library: library.c ---- */

extern amd_dbgapi_callbacks_t host_callbacks;

void host_attach(void);
void host_detach(void);
/** The host called for the first time: now there is memory, and code in it. */
void host_be_ready(void);
/** Did the host do something: hit the breakpoint again, or exit, after which there is none? */
bool host_did_something(void);
/** What GPUs the library knows, of those that an older debugger does. */
void host_ask_for_gpus(void);
amd_dbgapi_event_kind_t host_next_event(amd_dbgapi_event_id_t *event);

/* ---- Waves: waves.c ---- */

void host_look_at(amd_dbgapi_wave_id_t wave);
/** Get all events there are; how many waves stopped. */
size_t host_drain(bool look);
/** All waves that run are stopped, or all that are stopped run. Return: how many. */
size_t host_every_wave(bool stop);
/** All waves that are stopped step, and others stay. */
void host_step(void);
/** Wait for something to get; false if the host exits first. */
bool host_wait_for_event(void);
/** From stop to stop, @limit times; false if the host is gone. */
bool host_run(int limit);

/* ---- Over a breakpoint: over.c ---- */

/**
 * At each of so many stops waves that stand where the first one stopped by itself go over a breakpoint there: by displaced
 * stepping, all together, or one by one with the breakpoint out.
 */
void host_over(bool displaced, bool told, int stops);

/** Let a wave with a fault go that stands at a breakpoint: GDB tells it to step, with the fault's exception, and others to run. */
void host_deliver_at_breakpoint(void);

/* ---- Ways to go: ways.c ---- */

void host_go_back(const char *command);
void host_stop_again(void);
void host_break_at_entry(void);
void host_go(char *const *commands);
void host_jump(char *const *commands);

#endif /* WT_TEST_HOST_CLIENT_H */
