/* SPDX-License-Identifier: MIT */
/*
 * libwavetape: reading a trace of wavetape from a program.
 *
 *     struct wavetape_trace *trace;
 *     struct wavetape_stop *stop;
 *     const uint64_t *waves;
 *     size_t count;
 *
 *     error = wavetape_trace_open("crash.wtape", NULL, &trace);
 *     error = wavetape_stop_open(trace, 0, &stop);             the last stop with a fault
 *     error = wavetape_stop_objects(stop, WAVETAPE_OBJECT_WAVE, &waves, &count);
 *
 * The rules:
 *
 * Errors. A function that can fail returns a `struct wavetape_error *`: NULL for success, else an error that the caller frees
 * with wavetape_error_destroy(). Outputs are written on success only. Nothing is printed, no signal is touched, and the process is
 * never ended. A NULL handle or a bad argument is an error as any other (WAVETAPE_ERROR_USAGE).
 *
 * What was not recorded is said to be not recorded, and never made up: NULL, `false`, or WAVETAPE_ERROR_NOT_FOUND.
 *
 * Handles are opaque. Every _open() has its _close(), which takes NULL. They may be closed in any order: what a handle needs of
 * another one stays until both are closed.
 *
 * Structures for results begin with `size`: set it to sizeof the structure before each call. A later library may know more fields,
 * or an older one fewer; what the library does not know is set to zero.
 *
 * Text is UTF-8 as far as the recorded program had it so: a trace may hold any bytes but NUL. Print it to a terminal only after taking
 * control characters out. Strings, and arrays that are handed out, belong to the handle that was asked, and live until it is closed,
 * where nothing else is said.
 *
 * Threads. A trace, and whatever was opened from it, may be used by one thread at a time. Different traces, also of the same
 * file, share nothing and may be used by different threads at once.
 *
 * Numbers of waves, stops and code objects are those that the command `wavetape` prints; stops are counted from 1.
 */
#ifndef WAVETAPE_WAVETAPE_H
#define WAVETAPE_WAVETAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wavetape/facts.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WAVETAPE_API __attribute__((visibility("default")))

/** The version of the library: "0.1.0". */
WAVETAPE_API const char *wavetape_version(void);

/* ---- Errors ---- */

enum wavetape_error_code {
	WAVETAPE_ERROR_USAGE = 1,	/* an argument is wrong */
	WAVETAPE_ERROR_INPUT = 2,	/* a file is no trace, or what of it is needed is damaged */
	WAVETAPE_ERROR_LIMIT = 3,	/* it would take more than the memory limit */
	WAVETAPE_ERROR_IO = 4,		/* the system said no */
	WAVETAPE_ERROR_NOT_FOUND = 5,	/* there is no such thing, or it was not recorded */
	WAVETAPE_ERROR_UNSUPPORTED = 6, /* a trace of a newer format */
	WAVETAPE_ERROR_MEMORY = 7,	/* out of memory */
	WAVETAPE_ERROR_INTERNAL = 8,	/* a bug in wavetape */
};

struct wavetape_error;

/** One of enum wavetape_error_code. */
WAVETAPE_API int wavetape_error_code(const struct wavetape_error *error);

/**
 * Say what could not be done; where: a file and a place in it, may be ""; and why. They live until the error is
 * destroyed.
 */
WAVETAPE_API const char *wavetape_error_what(const struct wavetape_error *error);
WAVETAPE_API const char *wavetape_error_where(const struct wavetape_error *error);
WAVETAPE_API const char *wavetape_error_why(const struct wavetape_error *error);

/**
 * The three in one line: "cannot open the trace: crash.wtape: No such file or directory".
 *
 * @buffer: room for @size bytes; what does not fit is cut. May be NULL if @size is 0.
 * @return: the length of the whole text without its NUL.
 */
WAVETAPE_API size_t wavetape_error_message(const struct wavetape_error *error, char *buffer,
					   size_t size);

/** NULL is legal. */
WAVETAPE_API void wavetape_error_destroy(struct wavetape_error *error);

/* ---- Traces ---- */

struct wavetape_trace;

struct wavetape_options {
	size_t size;
	/*
	 * Bytes: so much decoded data may be kept for later, and so much may be decoded for one question; a question that needs
	 * more fails with WAVETAPE_ERROR_LIMIT. 0: 160 MiB are kept, and 8 GiB may be decoded.
	 */
	uint64_t memory_limit;
};

/**
 * Open a trace. One that was cut off or is damaged opens with what of it is whole: see wavetape_trace_missing().
 *
 * @options: NULL for the defaults.
 */
WAVETAPE_API struct wavetape_error *wavetape_trace_open(const char *path,
							const struct wavetape_options *options,
							struct wavetape_trace **trace_ret);
WAVETAPE_API void wavetape_trace_close(struct wavetape_trace *trace);

/** Tell what a trace says of itself. */
WAVETAPE_API struct wavetape_error *wavetape_trace_info(struct wavetape_trace *trace,
							struct wavetape_trace_info *info_ret);

/**
 * Why there may have been more than the trace has: it was not closed, part of it is lost, it is part of a longer recording. The
 * whole trace is read for this.
 *
 * @count_ret: how many reasons there are; 0 for a whole trace.
 */
WAVETAPE_API struct wavetape_error *wavetape_trace_missing_count(struct wavetape_trace *trace,
								 size_t *count_ret);

/** One of them, after wavetape_trace_missing_count(); NULL if there is none. It lives until that is called again. */
WAVETAPE_API const char *wavetape_trace_missing(const struct wavetape_trace *trace, size_t index);

/** The damage that was found so far: how many pieces, and one of them. Some of it is found when its part of the file is read. */
WAVETAPE_API size_t wavetape_trace_damage_count(const struct wavetape_trace *trace);
WAVETAPE_API struct wavetape_error *wavetape_trace_damage(const struct wavetape_trace *trace,
							  size_t index,
							  struct wavetape_damage *damage_ret);

/* ---- Lists of stops ---- */

/**
 * How many stops the trace has. What is lost is not counted.
 */
WAVETAPE_API struct wavetape_error *wavetape_trace_stop_count(struct wavetape_trace *trace,
							      uint32_t *count_ret);

struct wavetape_stops;

/** List all stops, without opening each where the trace has such a list itself. */
WAVETAPE_API struct wavetape_error *wavetape_stops_open(struct wavetape_trace *trace,
							struct wavetape_stops **stops_ret);
WAVETAPE_API void wavetape_stops_close(struct wavetape_stops *stops);
WAVETAPE_API size_t wavetape_stops_count(const struct wavetape_stops *stops);

/** Why the list is not whole: NULL if it is. It belongs to the list. */
WAVETAPE_API const struct wavetape_error *
wavetape_stops_failure(const struct wavetape_stops *stops);

/** Tell what is shown of one. */
WAVETAPE_API struct wavetape_error *wavetape_stops_get(const struct wavetape_stops *stops,
						       size_t index,
						       struct wavetape_stop_summary *summary_ret);

/** Tells where that wave stands, without the instruction. */
WAVETAPE_API struct wavetape_error *wavetape_stops_place(const struct wavetape_stops *stops,
							 size_t index,
							 struct wavetape_place *place_ret);

/** Tell of a run of its events. */
WAVETAPE_API struct wavetape_error *wavetape_stops_events(const struct wavetape_stops *stops,
							  size_t index, size_t run,
							  struct wavetape_events *events_ret);

/* ---- Stops ---- */

struct wavetape_stop;

/**
 * Open the state at a stop.
 *
 * @number: from 1; 0: the last stop with a fault, else the last one.
 */
WAVETAPE_API struct wavetape_error *
wavetape_stop_open(struct wavetape_trace *trace, uint32_t number, struct wavetape_stop **stop_ret);
WAVETAPE_API void wavetape_stop_close(struct wavetape_stop *stop);

/** Tell which stop it is. */
WAVETAPE_API struct wavetape_error *wavetape_stop_info(const struct wavetape_stop *stop,
						       struct wavetape_stop_info *info_ret);

enum wavetape_object {
	WAVETAPE_OBJECT_AGENT = 1,
	WAVETAPE_OBJECT_QUEUE = 2,
	WAVETAPE_OBJECT_DISPATCH = 3,
	WAVETAPE_OBJECT_WORKGROUP = 4,
	WAVETAPE_OBJECT_WAVE = 5,
	WAVETAPE_OBJECT_CODE_OBJECT = 6,
};

/** The numbers of all objects of a kind, in the order in which the recorded library listed them. */
WAVETAPE_API struct wavetape_error *wavetape_stop_objects(const struct wavetape_stop *stop,
							  int kind, const uint64_t **numbers_ret,
							  size_t *count_ret);

/** Symbol, source line and instruction of an address in code. */
WAVETAPE_API struct wavetape_error *
wavetape_stop_place(struct wavetape_stop *stop, uint64_t address, struct wavetape_place *place_ret);

/* ---- Waves ---- */

/**
 * The wave that the command looks at when none is named: the first with a fault, else the first with registers.
 */
WAVETAPE_API struct wavetape_error *wavetape_stop_telling_wave(const struct wavetape_stop *stop,
							       uint64_t *wave_ret);

/** An agent, a GPU, and a queue, by its number. NOT_FOUND if there is none of that number at the stop. */
WAVETAPE_API struct wavetape_error *wavetape_agent(struct wavetape_stop *stop, uint64_t number,
						   struct wavetape_agent *agent_ret);
WAVETAPE_API struct wavetape_error *wavetape_queue(struct wavetape_stop *stop, uint64_t number,
						   struct wavetape_queue *queue_ret);

/** A dispatch, by its number. NOT_FOUND if there is none of that number at the stop. */
WAVETAPE_API struct wavetape_error *wavetape_dispatch(struct wavetape_stop *stop, uint64_t number,
						      struct wavetape_dispatch *dispatch_ret);

/** Tell what is known of a wave. */
WAVETAPE_API struct wavetape_error *wavetape_wave_info(struct wavetape_stop *stop, uint64_t wave,
						       struct wavetape_wave *wave_ret);

/** The names of stop reasons: "MEMORY_VIOLATION|SINGLE_STEP"; as wavetape_error_message() for the rest. */
WAVETAPE_API size_t wavetape_reasons_text(uint32_t reasons, char *buffer, size_t size);

/** The instruction that stopped a wave. NOT_FOUND if it is not stopped. */
WAVETAPE_API struct wavetape_error *wavetape_wave_place(struct wavetape_stop *stop, uint64_t wave,
							struct wavetape_place *place_ret);

/** The access of the instruction that stopped a wave. NOT_FOUND if it is none, or its addresses are not known. */
WAVETAPE_API struct wavetape_error *wavetape_wave_access(struct wavetape_stop *stop, uint64_t wave,
							 struct wavetape_access *access_ret);

/* ---- Registers ---- */

struct wavetape_registers;

/**
 * Recorded registers of a wave.
 *
 * @list: which, and in which order: names, runs and classes with commas between them, as "pc,exec,s0-s15,vector". NULL: all.
 *
 * Errors: USAGE for a list that cannot be read; NOT_FOUND if there is nothing that one of its elements names.
 */
WAVETAPE_API struct wavetape_error *
wavetape_registers_open(struct wavetape_stop *stop, uint64_t wave, const char *list,
			struct wavetape_registers **registers_ret);
WAVETAPE_API void wavetape_registers_close(struct wavetape_registers *registers);
WAVETAPE_API size_t wavetape_registers_count(const struct wavetape_registers *registers);

/** Tell what is known of one. */
WAVETAPE_API struct wavetape_error *wavetape_registers_get(struct wavetape_registers *registers,
							   size_t index,
							   struct wavetape_register *register_ret);

enum wavetape_change {
	WAVETAPE_CHANGE_UNKNOWN =
		0, /* there is no stop before, or the wave's register was not recorded there */
	WAVETAPE_CHANGE_NONE = 1,
	WAVETAPE_CHANGE_CHANGED = 2,
};

/** Has a register another value than at the stop before? @change_ret: enum wavetape_change. */
WAVETAPE_API struct wavetape_error *wavetape_registers_change(struct wavetape_registers *registers,
							      size_t index, int *change_ret);

/** Is a register in a class ("general", "scalar", "vector", "system", "trap")? */
WAVETAPE_API struct wavetape_error *
wavetape_registers_in_class(struct wavetape_registers *registers, size_t index,
			    const char *class_name, bool *is_in_ret);

/* ---- Memory ---- */

/**
 * Read recorded memory.
 *
 * @space: "global", "generic", "local", "private_lane" or "private_wave".
 * @wave: whose memory it is; may be 0 for global memory.
 * @lane: for private_lane and generic; else without meaning.
 * @data: room for @size bytes. Bytes that are not known, and those behind the end of the address space, become 0.
 * @known: NULL, or room for @size bytes: 1 for each byte that is known, 0 for one that is not.
 * @known_bytes_ret: how many are known; without @known, only those before the first that is not are looked for.
 */
WAVETAPE_API struct wavetape_error *wavetape_memory_read(struct wavetape_stop *stop,
							 const char *space, uint64_t wave,
							 uint32_t lane, uint64_t address,
							 void *data, uint8_t *known, size_t size,
							 size_t *known_bytes_ret);

/**
 * The next run of recorded bytes at or after an address.
 *
 * @space: "global", "local" or "private_wave".
 * @owner: 0 for global memory; the number of the workgroup, or of the wave.
 * @from_ret, @to_ret: where it begins, not below @address, and past its end. The same if there is no more.
 */
WAVETAPE_API struct wavetape_error *wavetape_memory_next(const struct wavetape_stop *stop,
							 const char *space, uint64_t owner,
							 uint64_t address, uint64_t *from_ret,
							 uint64_t *to_ret);

/* ---- Code objects ---- */

/** Tell what is known of one, by its number. NOT_FOUND if there is none of that number at the stop. */
WAVETAPE_API struct wavetape_error *
wavetape_code_object(struct wavetape_stop *stop, uint64_t number,
		     struct wavetape_code_object *code_object_ret);

/* The symbols of a code object that have an address in it, in the order of its symbol table. */
struct wavetape_symbols;

/** Read them. NOT_FOUND if there is no such code object, or its bytes were not recorded. */
WAVETAPE_API struct wavetape_error *wavetape_symbols_open(struct wavetape_stop *stop,
							  uint64_t code_object,
							  struct wavetape_symbols **symbols_ret);
WAVETAPE_API void wavetape_symbols_close(struct wavetape_symbols *symbols);
WAVETAPE_API size_t wavetape_symbols_count(const struct wavetape_symbols *symbols);

/** Tell what is known of one. */
WAVETAPE_API struct wavetape_error *wavetape_symbols_get(const struct wavetape_symbols *symbols,
							 size_t index,
							 struct wavetape_symbol *symbol_ret);

/* ---- Calls and variables ---- */

struct wavetape_stack;

/** Follow the calls of a wave. NOT_FOUND if it is not stopped. */
WAVETAPE_API struct wavetape_error *wavetape_stack_open(struct wavetape_stop *stop, uint64_t wave,
							struct wavetape_stack **stack_ret);
WAVETAPE_API void wavetape_stack_close(struct wavetape_stack *stack);

/** How many frames, the innermost first. A function that was inlined has one of its own. */
WAVETAPE_API size_t wavetape_stack_count(const struct wavetape_stack *stack);

/** NULL if the outermost frame is the kernel; else why it is only the outermost known one. */
WAVETAPE_API const char *wavetape_stack_end(const struct wavetape_stack *stack);

/** The lanes that are active, a bit for each, and how many the wave has. Variables are those of active lanes. */
WAVETAPE_API struct wavetape_error *wavetape_stack_lanes(const struct wavetape_stack *stack,
							 uint64_t *active_ret, uint32_t *count_ret);

/** Tell what is known of a frame. */
WAVETAPE_API struct wavetape_error *wavetape_stack_frame(const struct wavetape_stack *stack,
							 size_t frame,
							 struct wavetape_frame *frame_ret);

/** Tells where a frame is, without the instruction: where it stopped, or to which the call returns. */
WAVETAPE_API struct wavetape_error *wavetape_stack_place(const struct wavetape_stack *stack,
							 size_t frame,
							 struct wavetape_place *place_ret);

/** How many variables and parameters a frame has, and one of them. */
WAVETAPE_API struct wavetape_error *wavetape_stack_variable_count(struct wavetape_stack *stack,
								  size_t frame, size_t *count_ret);
WAVETAPE_API struct wavetape_error *wavetape_stack_variable(struct wavetape_stack *stack,
							    size_t frame, size_t index,
							    struct wavetape_variable *variable_ret);

/* A value: a number, a text, or a structure or an array of others. */
struct wavetape_value;

/** The value that a variable has in a lane. One that is not known is a value that says why. */
WAVETAPE_API struct wavetape_error *wavetape_stack_value(struct wavetape_stack *stack, size_t frame,
							 size_t index, uint32_t lane,
							 struct wavetape_value **value_ret);

/**
 * The value of an expression in the syntax of C over the variables of a frame: "a[i].b", "*p", "$v4 + 1".
 *
 * Errors: INPUT, with the place in the text, if it is none.
 */
WAVETAPE_API struct wavetape_error *wavetape_stack_print(struct wavetape_stack *stack, size_t frame,
							 uint32_t lane, const char *expression,
							 struct wavetape_value **value_ret);

/** Closes a value that was opened; the ones in it go with it. */
WAVETAPE_API void wavetape_value_close(struct wavetape_value *value);

/** Tell what a value is. */
WAVETAPE_API struct wavetape_error *wavetape_value_info(const struct wavetape_value *value,
							struct wavetape_value_info *info_ret);

/** A member or an element. NULL if there are fewer. */
WAVETAPE_API const struct wavetape_value *wavetape_value_part(const struct wavetape_value *value,
							      size_t index);

/* ---- The way of a wave ---- */

/*
 * A way stands at one position: at first at the last one, where the wave stopped; position 0 is where it begins, and position p where its step p
 * is next. Strings of a step are good until it goes elsewhere.
 */
struct wavetape_way;

/**
 * Follow a wave from its launch, or from a stop before, to this stop. That no way is known is no error: the way then is that stop
 * alone, and its info says why.
 *
 * Errors: NOT_FOUND if there is no such wave; INPUT if it has not stopped.
 */
WAVETAPE_API struct wavetape_error *wavetape_way_open(struct wavetape_stop *stop, uint64_t wave,
						      struct wavetape_way **way_ret);
WAVETAPE_API void wavetape_way_close(struct wavetape_way *way);

/** Tell what is known of the whole way. */
WAVETAPE_API struct wavetape_error *wavetape_way_info(const struct wavetape_way *way,
						      struct wavetape_way_info *info_ret);

/** The position at which it stands, and going elsewhere. Errors: INPUT if there is no such position, or it was left out. */
WAVETAPE_API uint64_t wavetape_way_position(const struct wavetape_way *way);
WAVETAPE_API struct wavetape_error *wavetape_way_go(struct wavetape_way *way, uint64_t position);

/** The step that is next, and its place in code. Errors: NOT_FOUND at the stop. */
WAVETAPE_API struct wavetape_error *wavetape_way_step(struct wavetape_way *way,
						      struct wavetape_way_step *step_ret);
WAVETAPE_API struct wavetape_error *wavetape_way_place(struct wavetape_way *way,
						       struct wavetape_place *place_ret);

/** How much of registers and memory that step reads and writes, and one of these. */
WAVETAPE_API size_t wavetape_way_touch_count(struct wavetape_way *way);
WAVETAPE_API struct wavetape_error *wavetape_way_touch(struct wavetape_way *way, size_t index,
						       struct wavetape_way_touch *touch_ret);

/** The value of a register ("v3", "s4", "exec") where it stands. @lane: of a vector register. Errors: NOT_FOUND if there is none. */
WAVETAPE_API struct wavetape_error *wavetape_way_value(const struct wavetape_way *way,
						       const char *name, uint32_t lane,
						       struct wavetape_way_value *value_ret);

enum wavetape_way_answer {
	WAVETAPE_WAY_NOWHERE = 0,  /* no step did */
	WAVETAPE_WAY_FOUND = 1,	   /* the step that is next at that position */
	WAVETAPE_WAY_MAY_BE = 2,   /* the same, but that is not certain */
	WAVETAPE_WAY_LEFT_OUT = 3, /* none that is kept of a way that is too long */
};

/**
 * Which step before where the way stands wrote a register, memory or a variable last: "v3", "s[4:5]", "0x7f00", "private 16:8", "i". The way
 * stays where it is.
 *
 * @lane: -1 for the first active one of those whose access failed, or if there is none, of all. @answer_ret: enum wavetape_way_answer.
 * Errors: INPUT if the text names nothing that is in registers or memory there.
 */
WAVETAPE_API struct wavetape_error *wavetape_way_last_write(struct wavetape_way *way,
							    const char *what, int lane,
							    uint32_t *answer_ret,
							    uint64_t *position_ret);

/* ---- Source text ---- */

struct wavetape_sources;

/**
 * The source files of a trace: those that were kept with it (`wavetape record --source`), and those that maps lead to.
 *
 * @maps: "FROM=TO" each, at most 16, with NULL behind the last: a file whose name begins with FROM is looked for below TO. NULL: no file
 *        is ever opened. Names in a trace lead nowhere else.
 *
 * Errors: USAGE if a map is none.
 */
WAVETAPE_API struct wavetape_error *wavetape_sources_open(struct wavetape_trace *trace,
							  const char *const *maps,
							  struct wavetape_sources **sources_ret);
WAVETAPE_API void wavetape_sources_close(struct wavetape_sources *sources);

/** How many were kept with the trace, and one of them. */
WAVETAPE_API size_t wavetape_sources_count(const struct wavetape_sources *sources);
WAVETAPE_API struct wavetape_error *wavetape_sources_get(const struct wavetape_sources *sources,
							 size_t index,
							 struct wavetape_source *source_ret);

/** The file of that name: what was kept, else what the first map that fits leads to, up to 16 MiB. NOT_FOUND if there is none. */
WAVETAPE_API struct wavetape_error *wavetape_sources_find(struct wavetape_sources *sources,
							  const char *name,
							  struct wavetape_source *source_ret);

enum wavetape_source_match {
	WAVETAPE_SOURCE_UNKNOWN = 0, /* the file is not at hand, or the place has no sum of it */
	WAVETAPE_SOURCE_SAME = 1,
	WAVETAPE_SOURCE_DIFFERS = 2,
};

/** Is the file of a place, as wavetape_sources_find() has it, the one that was compiled? @match_ret: enum wavetape_source_match. */
WAVETAPE_API struct wavetape_error *wavetape_sources_compare(struct wavetape_sources *sources,
							     const struct wavetape_place *place,
							     uint32_t *match_ret);

/** A line of it, counted from 1, without its end: @length_ret bytes, no NUL. NOT_FOUND if there is none. */
WAVETAPE_API struct wavetape_error *wavetape_sources_line(struct wavetape_sources *sources,
							  const char *name, uint32_t line,
							  const char **text_ret,
							  size_t *length_ret);

/* ---- Why it crashed ---- */

/**
 * One sentence for the wave of wavetape_stop_telling_wave(): "memory violation in kernel fill at fill.c:12:9: past the end: ...".
 *
 * Errors: NOT_FOUND if no wave has a fault.
 */
WAVETAPE_API struct wavetape_error *wavetape_stop_crash(struct wavetape_stop *stop,
							const char **sentence_ret);

struct wavetape_cause;

/**
 * Find out where the address came from that a faulting wave accessed.
 *
 * @lane: whose address; -1: the first whose access failed.
 */
WAVETAPE_API struct wavetape_error *wavetape_cause_open(struct wavetape_stop *stop, uint64_t wave,
							int lane,
							struct wavetape_cause **cause_ret);
WAVETAPE_API void wavetape_cause_close(struct wavetape_cause *cause);

/** Tell what was found out. */
WAVETAPE_API struct wavetape_error *wavetape_cause_info(const struct wavetape_cause *cause,
							struct wavetape_cause_info *info_ret);

/** An argument of the kernel of the wave, by position. */
WAVETAPE_API struct wavetape_error *wavetape_cause_argument(const struct wavetape_cause *cause,
							    size_t index,
							    struct wavetape_argument *argument_ret);

/** An instruction that the address was made by, the latest first, and the place of it. */
WAVETAPE_API struct wavetape_error *wavetape_cause_step(const struct wavetape_cause *cause,
							size_t index,
							struct wavetape_step *step_ret);
WAVETAPE_API struct wavetape_error *wavetape_cause_place(const struct wavetape_cause *cause,
							 size_t index,
							 struct wavetape_place *place_ret);

/* ---- The journal: what the recorded client called ---- */

struct wavetape_journal;

WAVETAPE_API struct wavetape_error *wavetape_journal_open(struct wavetape_trace *trace,
							  struct wavetape_journal **journal_ret);
WAVETAPE_API void wavetape_journal_close(struct wavetape_journal *journal);

/** The next entry, in the order in which they were written; calls of several threads may overlap. */
WAVETAPE_API struct wavetape_error *wavetape_journal_next(struct wavetape_journal *journal,
							  struct wavetape_entry *entry_ret);

/** An argument of the call that was returned last, or, of a return, something that it gave. */
WAVETAPE_API struct wavetape_error *
wavetape_journal_value(struct wavetape_journal *journal, size_t index,
		       struct wavetape_argument_text *value_ret);

/* ---- The host: the machine and the recorded program ---- */

struct wavetape_host;

/** NOT_FOUND if the trace has nothing of it. */
WAVETAPE_API struct wavetape_error *wavetape_host_open(struct wavetape_trace *trace,
						       struct wavetape_host **host_ret);
WAVETAPE_API void wavetape_host_close(struct wavetape_host *host);

/** Tell which program it was, and how much of the rest there is. */
WAVETAPE_API struct wavetape_error *wavetape_host_info(const struct wavetape_host *host,
						       struct wavetape_host_info *info_ret);

/** Tell the version of a part of the host; a variable of the environment. */
WAVETAPE_API struct wavetape_error *wavetape_host_version(const struct wavetape_host *host,
							  size_t index,
							  struct wavetape_pair *pair_ret);
WAVETAPE_API struct wavetape_error *wavetape_host_variable(const struct wavetape_host *host,
							   size_t index,
							   struct wavetape_pair *pair_ret);

/** A word of the command line; what could not be found out. NULL if there are fewer. */
WAVETAPE_API const char *wavetape_host_word(const struct wavetape_host *host, size_t index);
WAVETAPE_API const char *wavetape_host_missing(const struct wavetape_host *host, size_t index);

/** Tell of a mapped part of a file, of a thread, and of a call of a thread. */
WAVETAPE_API struct wavetape_error *wavetape_host_map(const struct wavetape_host *host,
						      size_t index, struct wavetape_map *map_ret);

WAVETAPE_API struct wavetape_error *wavetape_host_thread(const struct wavetape_host *host,
							 size_t index,
							 struct wavetape_thread *thread_ret);

WAVETAPE_API struct wavetape_error *wavetape_host_frame(const struct wavetape_host *host,
							size_t thread, size_t index,
							struct wavetape_host_frame *frame_ret);

/** Tell of a line that the kernel has logged of AMD's GPUs since the program began. */
WAVETAPE_API struct wavetape_error *
wavetape_host_kernel_line(const struct wavetape_host *host, size_t index,
			  struct wavetape_kernel_line *line_ret);

/** The path of a dump that the kernel kept of a GPU (devcoredump), of this program or of another; NULL if there are fewer. */
WAVETAPE_API const char *wavetape_host_device_dump(const struct wavetape_host *host, size_t index);

#ifdef __cplusplus
}
#endif

#endif /* WAVETAPE_WAVETAPE_H */
