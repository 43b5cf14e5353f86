/* SPDX-License-Identifier: MIT */
/*
 * A recorded state, for display: typed answers to "what was it at this moment", each of which may be "it was not
 * recorded".
 *
 * This room holds what a verb shows of one moment: objects, registers, memory and code here, why a wave stopped in
 * explain.h. It must not print, nor change a trace, a timeline or an overlay.
 *
 * Objects are named by their kind (enum wt_object) and handle, queries by their enumerator
 * (AMD_DBGAPI_WAVE_INFO_PC). All pointers handed out belong to the view and live as long as it
 * does.
 */
#ifndef WT_REPLAYER_VIEW_VIEW_H
#define WT_REPLAYER_VIEW_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "dbgapi/table/api.h"
#include "gfx/architecture/architecture.h"
#include "replayer/facts/fields.h"
#include "trace-format/reader/reader.h"

struct wt_recorded;
struct wt_view;

/**
 * Look at the state of a moment.
 *
 * @reader: must stay open as long as the view.
 * @moment: its number, from 0; WT_VIEW_FACTS for what holds at every moment (architectures,
 * registers).
 */
#define WT_VIEW_FACTS UINT32_MAX
struct wt_error *wt_view_open(struct wt_reader *reader, uint32_t moment, struct wt_view **view_ret);
void wt_view_close(struct wt_view *view); /* NULL is legal */

/** The moment the view is of; NULL for the facts alone. */
const struct wt_moment *wt_view_moment(const struct wt_view *view);

/** How many processes were attached at the moment. The view is of the moment's own. */
size_t wt_view_processes(const struct wt_view *view);

/**
 * Whether memory faults were reported precisely when the waves of the view stopped: what the recorded client had set for the process.
 * @mode_ret: amd_dbgapi_memory_precision_t.
 *
 * Return: false if the trace does not say, as one of an older recorder.
 */
bool wt_view_memory_precision(const struct wt_view *view, uint32_t *mode_ret);

/** The reader it was opened with. */
struct wt_reader *wt_view_reader(const struct wt_view *view);

/** The state itself, for what has no function here. */
const struct wt_state *wt_view_state(const struct wt_view *view);

/** The same for look-ups of the room `recorded`. */
const struct wt_recorded *wt_view_recorded(const struct wt_view *view);

/* ---- Objects and their answers ---- */

/**
 * All objects of a kind that exist, in the order the library listed them; by handle where it was
 * never asked for a list.
 *
 * Return: how many.
 */
size_t wt_view_objects(const struct wt_view *view, enum wt_object object,
		       const uint64_t **handles_ret);

/** Is there such an object? */
bool wt_view_exists(const struct wt_view *view, enum wt_object object, uint64_t handle);

/** Is there such an object, or is it in the list of them all the same? What it said of itself may be lost. */
bool wt_view_lists(const struct wt_view *view, enum wt_object object, uint64_t handle);

/**
 * The bytes a query was answered with, as dbgapi/client/marshal.h has them.
 *
 * Return: the recorded status; NOT_AVAILABLE if neither answer nor object was recorded. Outputs are
 * written for SUCCESS only.
 */
amd_dbgapi_status_t wt_view_answer(const struct wt_view *view, enum wt_object object,
				   uint64_t handle, uint32_t query, const uint8_t **data_ret,
				   size_t *size_ret);

/** A query whose answer is one number of up to 8 bytes; false if there is no such answer. */
bool wt_view_number(const struct wt_view *view, enum wt_object object, uint64_t handle,
		    uint32_t query, uint64_t *number_ret);

/** Does what wt_view_number() does, with a value to take in place of one that was not recorded. */
uint64_t wt_view_number_or(const struct wt_view *view, enum wt_object object, uint64_t handle,
			   uint32_t query, uint64_t otherwise);

/** A query whose answer is a string, NUL-terminated; NULL if there is no such answer. */
const char *wt_view_text(struct wt_view *view, enum wt_object object, uint64_t handle,
			 uint32_t query);

/**
 * A query whose answer is an array of numbers (workgroup coordinates, grid sizes).
 *
 * @count: how many the caller wants; must be the query's own number.
 */
bool wt_view_array(const struct wt_view *view, enum wt_object object, uint64_t handle,
		   uint32_t query, uint32_t *numbers_ret, size_t count);

/**
 * The architecture of a wave, agent, queue, dispatch or workgroup, as our tables know it; or NULL.
 */
const struct gfx_architecture *wt_view_architecture(struct wt_view *view, enum wt_object object,
						    uint64_t handle);

/** A query of one of the moment's events whose answer is one number; false if there is no such answer. */
bool wt_view_event_number(const struct wt_view *view, size_t position, uint32_t query,
			  uint64_t *number_ret);

/* ---- Registers ---- */

struct wt_view_register {
	uint64_t id;
	const char *name, *type;
	uint32_t size;	      /* bytes */
	bool vector;	      /* one value per lane: type is an array */
	const uint8_t *value; /* little endian; NULL if it was not recorded */
};

/** How many registers of a wave were recorded; 0 if policy left the wave out. */
size_t wt_view_register_count(const struct wt_view *view, uint64_t wave);

/** Were any recorded? They are not read for it: what is lost of them is not known, then. */
bool wt_view_has_registers(const struct wt_view *view, uint64_t wave);

/** The one at @position in the library's order. */
bool wt_view_register_at(struct wt_view *view, uint64_t wave, size_t position,
			 struct wt_view_register *register_ret);

/** The one of that name that the wave has; false if it has none or it was not recorded. */
bool wt_view_register(struct wt_view *view, uint64_t wave, const char *name,
		      struct wt_view_register *register_ret);

/** The text of a source file that was recorded, by the name that debug information has; false if there is none. */
bool wt_view_source(const struct wt_view *view, const char *file, const uint8_t **data_ret,
		    size_t *size_ret);

/** The value of a register of up to 8 bytes, or of one lane of a vector register. */
bool wt_view_register_value(struct wt_view *view, uint64_t wave, const char *name, uint32_t lane,
			    uint64_t *value_ret);

/** The same of a register that was found, for those who ask for many lanes. @lanes: how many the wave has. */
bool wt_view_register_lane(const struct wt_view_register *found, uint64_t lanes, uint32_t lane,
			   uint64_t *value_ret);

/** Does the wave have this register, whether or not its value was recorded? false if that was not recorded either. */
bool wt_view_register_exists(const struct wt_view *view, uint64_t wave, uint64_t register_id);

/** Whether a register is in a register class, by the class's name ("vector"). */
bool wt_view_register_in_class(struct wt_view *view, uint64_t register_id, const char *class_name);

/* ---- Memory ---- */

/**
 * Recorded memory, page after page, also where neighbours were recorded apart.
 *
 * @space: "global", "generic", "local", "private_wave" or "private_lane".
 * @wave: whose memory it is; may be 0 for global.
 * @lane: for private_lane and generic; else ignored.
 * @data: room for @size bytes.
 *
 * Return: how many bytes are recorded without a gap from @address on; the rest of @data is
 * unchanged.
 */
size_t wt_view_memory(struct wt_view *view, const char *space, uint64_t wave, uint32_t lane,
		      uint64_t address, void *data, size_t size);

/**
 * The next run of recorded bytes at or after an address.
 *
 * @space: "global", "local" or "private_wave".
 * @owner: process, workgroup or wave; 0 for the moment's process.
 * @from_ret: where it begins, not below @address; @to_ret: past its end.
 */
bool wt_view_memory_next(const struct wt_view *view, const char *space, uint64_t owner,
			 uint64_t address, uint64_t *from_ret, uint64_t *to_ret);

/**
 * A page of recorded memory, as its owner has it.
 *
 * @space, @owner: as for wt_view_memory_next().
 * @page: its address, a multiple of WT_PAGE.
 * @size_ret: at most WT_PAGE.
 *
 * Return: NULL if it was not recorded.
 */
const uint8_t *wt_view_page(const struct wt_view *view, const char *space, uint64_t owner,
			    uint64_t page, size_t *size_ret);

/* ---- Code ---- */

/** A code object. */
void wt_view_code_object(struct wt_view *view, uint64_t number,
			 struct wavetape_code_object *code_object_ret);

/** The ELF file of a code object; false if it was not recorded. */
bool wt_view_image(const struct wt_view *view, uint64_t code_object, const uint8_t **data_ret,
		   size_t *size_ret);

/**
 * The code object that is loaded around an address; 0 if there is none or its image was not
 * recorded.
 *
 * @load_address_ret: what to take from @address to find it in the ELF file; may be NULL.
 */
uint64_t wt_view_code_object_at(const struct wt_view *view, uint64_t address,
				uint64_t *load_address_ret);

/** The machine (low byte of e_flags) that the code at an address is compiled for; false if no code object is known there. */
bool wt_view_machine_at(const struct wt_view *view, uint64_t address, uint32_t *machine_ret);

/** Are there code objects, and the images of all of them? Then what is in none of them is no code. */
bool wt_view_knows_code(const struct wt_view *view);

/**
 * Bytes of code: recorded memory, or where that has none, the code object's image.
 *
 * Return: how many bytes from @address on.
 */
size_t wt_view_code(struct wt_view *view, uint64_t address, void *data, size_t size);

struct gfx_instruction;

/**
 * Decode the instruction at an address.
 *
 * @architecture: of the code; NULL is legal, and has none. @instruction_ret: its word_count is 0 where not even its length is known.
 *
 * Return: whether it is known what it does.
 */
bool wt_view_decode(struct wt_view *view, const struct gfx_architecture *architecture,
		    uint64_t address, struct gfx_instruction *instruction_ret);

/** Bytes of a code object that no program changes: of a segment that is not to be written, from its image. False if these are none. */
bool wt_view_constant(const struct wt_view *view, uint64_t address, void *data, size_t size);

/** Has the wave a fault among its stop reasons? */
bool wt_view_wave_has_fault(const struct wt_view *view, uint64_t wave);

/** Has any wave of the view one? */
bool wt_view_has_fault(const struct wt_view *view);

/** The wave to look at where none is named: the first with a fault, else the first with registers; 0 if there is none. */
uint64_t wt_view_telling_wave(const struct wt_view *view);

#endif /* WT_REPLAYER_VIEW_VIEW_H */
