/* SPDX-License-Identifier: MIT */
/*
 * The conformance suite: what any provider of the API must do, asked through the public functions of a
 * library that is loaded by its path. One line for each check: "ok NAME", "not ok NAME: expected .. got
 * ..", or "skip NAME: why". A name begins with the number of the statement it holds (statements.txt), if
 * there is one.
 */
#ifndef TESTS_CONFORMANCE_SUITE_H
#define TESTS_CONFORMANCE_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dbgapi/table/api.h"

#define SUCCESS AMD_DBGAPI_STATUS_SUCCESS
#define ERROR(name) AMD_DBGAPI_STATUS_ERROR_##name

#define MAX_LISTED 4096

/* Over what the suite runs: what a trace or a core cannot answer is skipped. */
enum suite_over {
	OVER_LIVE,
	OVER_REPLAY,
	OVER_CORE,
	OVER_DRIVER,
};

struct suite {
	struct wt_api api;
	enum suite_over over;
	const char *workloads; /* folder; the program is to be found by WAVETAPE_WORKLOAD */
	const char *variant;   /* of them; "": as they are */
	unsigned int passed, failed, skipped;

	/* The client's side. */
	amd_dbgapi_callbacks_t callbacks;
	bool out_of_memory; /* allocate_memory gives NULL */
	bool no_breakpoint; /* insert_breakpoint fails */
	unsigned int allocations, insertions, removals;
	uint64_t breakpoint;
};

extern struct suite suite;

/** Report a check. @detail (printf) is shown if it failed. */
__attribute__((format(printf, 3, 4))) bool check(const char *name, bool good, const char *detail,
						 ...);
bool check_status(const char *name, amd_dbgapi_status_t got, amd_dbgapi_status_t expected);
bool check_number(const char *name, uint64_t got, uint64_t expected);
void skip(const char *name, const char *why);

/** A name made of parts; valid until the eighth call from now. */
__attribute__((format(printf, 1, 2))) const char *name_of(const char *format, ...);

/* Calls by object and list, for what is said of all of them. */
amd_dbgapi_status_t get_info(enum wt_object object, uint64_t handle, uint32_t query, size_t size,
			     void *value);
/** The list function of a kind of object that belongs to a process. */
amd_dbgapi_status_t list(enum wt_object object, uint64_t process, size_t *count, uint64_t **handles,
			 amd_dbgapi_changed_t *changed);
extern enum wt_object listed_objects[];
extern size_t listed_object_count;

/** The library's level has no such function. Then what needs it is skipped, under this name. */
bool lacks(enum wt_function function, const char *name);
/** Of the kinds of objects that a process has, those that the library's level has lists of. */
void find_lists(void);

/* A watchpoint, by the functions of whichever level. What it covers is told by the older ones alone, and asked for else. */
amd_dbgapi_status_t watch(uint64_t process, uint64_t address, uint64_t size,
			  amd_dbgapi_watchpoint_kind_t kind, amd_dbgapi_watchpoint_id_t *id,
			  uint64_t covered_ret[2]);
amd_dbgapi_status_t unwatch(uint64_t process, uint64_t watchpoint);

/** A query of 4 or 8 bytes; 0 after an error, which is a failed check. */
uint64_t ask(enum wt_object object, uint64_t handle, uint32_t query);
/** The handles of a kind, without the changed flag. At most @limit; how many there are. */
size_t handles_of(enum wt_object object, uint64_t process, uint64_t *handles, size_t limit);

/* Sessions. Events are looked for a bounded number of times. */
uint64_t attach(const char *workload);
/** As attach(), and the RUNTIME event is processed. */
uint64_t attach_ready(const char *workload);
void detach(uint64_t process);
/** The next event, or 0 after a while. */
uint64_t next_event(uint64_t process, amd_dbgapi_event_kind_t *kind_ret);
/** Wait for an event of a kind, process it; its wave. 0 if another kind came, or none. */
uint64_t take(uint64_t process, amd_dbgapi_event_kind_t kind);
/** Get no event, a few times over. */
bool nothing_comes(uint64_t process);
/** The program, whose waves have not begun: the first wave, once it is stopped. */
uint64_t first_wave_stopped(uint64_t process);

/** An existing register by name; 0 if there is none. */
amd_dbgapi_register_id_t find_register(uint64_t wave, const char *name);

uint32_t wave_state(uint64_t wave);
uint32_t stop_reason(uint64_t wave);
uint64_t wave_pc(uint64_t wave);
/** Four bytes of global memory; 0 if they cannot be read. */
uint32_t read_word(uint64_t process, uint64_t address);
/** Write four bytes of global memory, which is an instruction. */
void write_word(uint64_t process, uint64_t address, uint32_t word);
amd_dbgapi_status_t wave_stop(uint64_t wave);
amd_dbgapi_status_t wave_resume(uint64_t wave, bool step);
/** Step a wave and take the event. */
bool step(uint64_t process, uint64_t wave);

/** For a section that a trace cannot replay: attach and detach as it did, so that what follows finds its
 * place. True: the section is to be left out. */
bool left_out(const char *name, const char *why, unsigned int attaches);

/* What a section checks, for a process that has waves and has had events: also that of a core. */
void check_all_objects(uint64_t process);
void check_all_lists(uint64_t process);
void check_event_errors(uint64_t process);
void check_resume_errors(uint64_t wave);
/** Resuming and stopping a wave that is stopped, without forward progress; it is stopped in the end. */
void check_control(uint64_t process, uint64_t wave);
void check_register_order(uint64_t running, uint64_t stopped);
void check_memory_order(uint64_t process, uint64_t wave);

/* The sections, in order. */
void section_uninitialized(void);
void section_initialize(void);
void section_objects(void);
void section_lists(void);
void section_events(void);
void section_waves(void);
void section_steps(void);
void section_stop_requests(void);
void section_breakpoints(void);
void section_arithmetic(void);
void section_reasons(void);
void section_exceptions(void);
void section_code_objects(void);
void section_loading(void);
void section_watchpoints(void);
void section_displaced(void);
void section_registers(void);
void section_memory(void);
void section_creation(void);
void section_freeze(void);
void section_processes(void);
void section_queues(void);
void section_ends(void);
void section_hasty(void);
void section_core(void);

#endif /* TESTS_CONFORMANCE_SUITE_H */
