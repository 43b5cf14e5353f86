/* SPDX-License-Identifier: MIT */
/*
 * A client that makes GDB's calls in GDB's orders, and believes what GDB believes: see client.c. Of ours
 * it knows the public header alone.
 *
 *   client.c     the script, and the commands of a user
 *   library.c    the library's life: start, attach, detach, and the callbacks
 *   arch.c       what is asked of an architecture once, and the types of registers
 *   target.c     waves and events as the target has them
 *   control.c    stop, wait, resume, step
 *   show.c       looking at a stopped wave
 *   extras.c     what GDB's relatives ask beyond that
 *   agent.c      the order of calls of an agent that prints waves and lets them go on
 */
#ifndef GDB_CLIENT_GDB_H
#define GDB_CLIENT_GDB_H

#include <amd-dbgapi/amd-dbgapi.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_MACHINES 32
#define MAX_WAVES 8192

/* What GDB asserts; a failure ends the program by a message and exit code 3. */
#define gdb_assert(condition)                                                                      \
	((condition) ? (void)0 : gdb_assert_failed(__FILE__, __LINE__, #condition))
void gdb_assert_failed(const char *file, int line, const char *condition) __attribute__((noreturn));

/** A status that GDB turns into an error: prints it and ends the program with exit code 1. */
void gdb_check(const char *what, amd_dbgapi_status_t status);
/** The same for a status that GDB warns about: it goes on. */
void gdb_warn(const char *what, amd_dbgapi_status_t status);
/** The words for a status; asserts that there are some. */
const char *gdb_status(amd_dbgapi_status_t status);
void *gdb_allocate(size_t size);
uint64_t gdb_hash(const void *data, size_t size);

/* ---- Architectures ---- */

struct gdb_register {
	amd_dbgapi_register_id_t id;
	char *name;
	size_t size; /* by its type, which is parsed when it is first needed; 0: not yet */
	amd_dbgapi_register_properties_t properties;
};

struct gdb_arch {
	uint32_t machine;
	amd_dbgapi_architecture_id_t id;
	struct gdb_register *registers;
	size_t register_count, pc;
	amd_dbgapi_register_class_id_t *classes;
	char **class_names;
	size_t class_count;
	amd_dbgapi_size_t largest_instruction, breakpoint_size, pc_adjust;
	uint8_t *breakpoint;
};

/** The architecture of a machine number, set up when it is first asked for. */
const struct gdb_arch *gdb_arch_find(uint32_t machine);
/** Ask for each machine that GDB knows, as it does when it starts. */
void gdb_arch_probe_all(void);
void gdb_arch_forget_all(void);
/** The size of a register by its type. */
size_t gdb_register_size(const struct gdb_arch *arch, size_t number);
/** The size of a value of a type by GDB's grammar; 0 if it does not parse. */
size_t gdb_type_size(const char *type);

/* ---- The process ---- */

enum gdb_signal {
	SIGNAL_0,
	SIGNAL_TRAP,
	SIGNAL_SEGV,
	SIGNAL_BUS,
	SIGNAL_ILL,
	SIGNAL_FPE,
	SIGNAL_ABRT
};

struct gdb_wave {
	amd_dbgapi_wave_id_t id;
	char label[96];
	bool executing; /* as far as the client knows */
	bool stopping;
	amd_dbgapi_resume_mode_t mode;
	bool pending; /* stopped for `signal`, and the user was not told */
	bool breakpoint;
	enum gdb_signal signal;
};

struct gdb_event {
	uint64_t wave;
	bool exited, breakpoint;
	enum gdb_signal signal;
};

struct gdb_breakpoint {
	char symbol[64];
	uint64_t address; /* 0: pending */
	bool inserted;
	uint8_t shadow[16];
};

struct gdb_code_object {
	uint64_t handle, load;
	char *uri;
};

struct gdb_process {
	amd_dbgapi_process_id_t id;
	amd_dbgapi_notifier_t notifier;
	amd_dbgapi_os_process_id_t pid;
	amd_dbgapi_runtime_state_t runtime;
	bool pushed, forward;
	bool precise;		/* memory is to be precise */
	struct gdb_wave *waves; /* by handle */
	size_t wave_count;
	uint64_t current; /* selected wave; 0: a thread of the host */
	uint64_t highest; /* wave id met so far: smaller ones are old */
	uint64_t *met;	  /* all wave ids ever met, while the library is initialized */
	size_t met_count;
	struct gdb_event *events;
	size_t event_count;
	struct gdb_breakpoint breakpoints[8];
	size_t breakpoint_count;
	struct gdb_code_object *objects;
	size_t object_count;
	uint64_t callback_breakpoints[8];
	size_t callback_breakpoint_count;
	bool in_breakpoint_hit;
};

extern struct gdb_process gdb;
extern bool gdb_quiet_log; /* messages of the library are not printed */

void gdb_library_start(void);
void gdb_library_reset(void);
/** The client's own handle of the process. */
amd_dbgapi_client_process_id_t gdb_inferior(void);
bool gdb_attach(void);
void gdb_detach(void);
/** What the process's notifier says: read single bytes until an error; then take what is to be taken. */
void gdb_notifier_handler(void);
void gdb_code_objects_update(void);

/* ---- Waves ---- */

struct gdb_wave *gdb_wave_find(uint64_t handle);
void gdb_wave_delete(struct gdb_wave *wave);
const struct gdb_arch *gdb_wave_arch(uint64_t handle);
uint64_t gdb_read_pc(uint64_t handle);
bool gdb_read_register(uint64_t handle, const struct gdb_arch *arch, size_t number, void *value);
void gdb_write_register(uint64_t handle, const struct gdb_arch *arch, size_t number,
			const void *value);
/** Read or write memory as GDB does with the current thread; how many bytes. */
size_t gdb_read_memory(uint64_t address, void *data, size_t size);
size_t gdb_write_memory(uint64_t address, const void *data, size_t size);

void gdb_update_waves(void);
amd_dbgapi_event_id_t gdb_process_events(amd_dbgapi_event_kind_t until);
void gdb_require_progress(bool forward);
/** One wait() of the target: an event that was kept, or one that comes of asking. */
bool gdb_target_wait(struct gdb_event *event_ret);
/** Take an event over into the wave it is of; NULL if that wave is gone by it. */
struct gdb_wave *gdb_settle(const struct gdb_event *event);
void gdb_break(const char *symbol);
void gdb_delete_breakpoints(void);
/** Insert or remove all breakpoints whose address is known. */
void gdb_breakpoints_insert(bool insert);
/** Wait until something is to be told: false if the program is at its end. */
bool gdb_wait_and_report(void);
/** Let the threads go; the selected one makes one step if @step, with its signal if @pass. */
void gdb_proceed(bool step, bool pass);
/** Stop everything that executes, as a user's Ctrl-C does, and report. */
void gdb_interrupt(void);
void gdb_stop_all(void);
const char *gdb_signal_name(enum gdb_signal signal);

/* ---- Commands ---- */

void gdb_info_threads(const char *argument);
void gdb_info_registers(const char *argument);
void gdb_disassemble(const char *argument);
void gdb_info_sharedlibrary(const char *argument);
void gdb_examine(const char *argument);
void gdb_set_register(const char *argument);

void gdb_info_agents(const char *argument);
void gdb_info_queues(const char *argument);
void gdb_info_dispatches(const char *argument);
void gdb_info_lanes(const char *argument);
void gdb_fetch_all(const char *argument);
void gdb_address_spaces(const char *argument);
void gdb_displaced_step(const char *argument);
void gdb_watch(const char *argument);
void gdb_freeze(const char *argument);

/** The whole session of an agent. */
void gdb_debug_agent(const char *argument);

#endif /* GDB_CLIENT_GDB_H */
