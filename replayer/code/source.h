/* SPDX-License-Identifier: MIT */
/* Symbols and source lines of a recorded code object, by libelf and libdw. */
#ifndef WT_REPLAYER_CODE_SOURCE_H
#define WT_REPLAYER_CODE_SOURCE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "replayer/code/address-scope.h"
#include "replayer/facts/fields.h"

struct wt_source;

/**
 * Open an ELF image. Missing DWARF or symbols are no error: the look-ups then find nothing.
 *
 * @image: the file's bytes; the caller keeps them until wt_source_close().
 */
struct wt_error *wt_source_open(const void *image, size_t size, struct wt_source **source_ret);
void wt_source_close(struct wt_source *source);

/**
 * Find the program's own line of a place: that of the place, or from where what is inlined there was called.
 *
 * Return: false if neither is known to be the program's; then file and line are those of the place.
 */
bool wt_source_own_line(const struct wavetape_place *place, const char **file_ret,
			uint32_t *line_ret);

#define WT_SOURCE_MAX_FUNCTIONS WT_SCOPE_MAX_DEPTH

/* A function around an address. */
struct wt_source_function {
	Dwarf_Off entry; /* of itself, or of this copy that was inlined */
	/* The place at which it was inlined; NULL and 0 if it was not, or DWARF does not say. */
	const char *call_file;
	uint32_t call_line;
};

/**
 * Find the functions around an address of the ELF file, outermost first: one, and those that are inlined into it, and into each other.
 *
 * @functions_ret: room for WT_SOURCE_MAX_FUNCTIONS. Return: how many; 0 if DWARF does not say.
 */
size_t wt_source_functions(struct wt_source *source, uint64_t address,
			   struct wt_source_function *functions_ret);

/* Is the source that is at hand the one that was compiled? */
enum wt_source_match {
	WT_SOURCE_NOT_KNOWN, /* nobody has the file, or the code object has no sum of it: DWARF has them from version 5 on */
	WT_SOURCE_SAME,
	WT_SOURCE_DIFFERS, /* from the one that was compiled */
};

/**
 * Find the source line of an address of the ELF file (not the loaded one), and its function.
 *
 * @found: gets these, and what it has beside them stays. Strings belong to the source.
 *
 * Return: false if DWARF does not say.
 */
bool wt_source_find(struct wt_source *source, uint64_t address, struct wavetape_place *found);

/* The lines that code was compiled from, row by row; zeros at first. */
struct wt_source_lines {
	Dwarf_Off unit;
	Dwarf_Lines *lines;
	size_t position, count;
};

struct wt_source_row {
	const char *file; /* as wt_source_find() has it; it belongs to the source */
	uint32_t line;
	uint64_t address; /* in the ELF file */
};

/** Walk the lines of all units. False after the last. */
bool wt_source_line_next(struct wt_source *source, struct wt_source_lines *lines,
			 struct wt_source_row *row_ret);

enum wt_source_symbol_kind { WT_SYMBOL_OTHER, WT_SYMBOL_FUNCTION, WT_SYMBOL_OBJECT };

struct wt_source_symbol {
	const char *name;
	uint64_t address, size;
	enum wt_source_symbol_kind kind;
};

/**
 * Walk the symbols of functions, data and places, in the order of the file's table. What it does not define, and what is no
 * address, is left out.
 *
 * @position: 0 at first. False after the last.
 */
bool wt_source_symbol_next(struct wt_source *source, size_t *position,
			   struct wt_source_symbol *symbol_ret);

/** The function symbol that covers an address of the ELF file; false if there is none. One without a size reaches to the next. */
bool wt_source_symbol_at(struct wt_source *source, uint64_t address,
			 struct wt_source_symbol *symbol_ret);

/**
 * The function of a kernel: by its descriptor, the object NAME.kd. Where there is no such object it is the function at the entry, if it
 * cannot be another that begins there, too. False if it is not known.
 *
 * @descriptor, @entry: addresses of the ELF file. @symbol_ret: its size is 0 if it has no code of its own: another function begins at its address. Compilers leave a kernel so in
 * which each run is an error of the program, as one whose loop never ends.
 */
bool wt_source_kernel_at(struct wt_source *source, uint64_t descriptor, uint64_t entry,
			 struct wt_source_symbol *symbol_ret);

/** The DWARF itself, for replayer/dwarf; NULL if there is none. It belongs to the source. */
Dwarf *wt_source_dwarf(struct wt_source *source);

#endif /* WT_REPLAYER_CODE_SOURCE_H */
