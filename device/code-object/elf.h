/* SPDX-License-Identifier: MIT */
/* Read the parts of an ELF file that the loader needs. No byte of the file is trusted. */
#ifndef WT_DEVICE_CODE_OBJECT_ELF_H
#define WT_DEVICE_CODE_OBJECT_ELF_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

#define WT_ELF_MAX_SEGMENTS 64

/* An open file. */
struct wt_elf {
	Elf *elf;
	const uint8_t *image;
	size_t size;
	uint32_t machine; /* low byte of e_flags */
	GElf_Phdr segments[WT_ELF_MAX_SEGMENTS];
	size_t segment_count;
};

/* The dynamic section. Addresses are those of the file. */
struct wt_elf_dynamic {
	uint64_t symbols, strings, strings_size, hash;
	uint64_t relocations, relocations_size;
	bool other_relocations; /* it has relocations of a kind that the loader does not support */
};

struct wt_elf_symbol {
	uint64_t value, size;
	bool defined, weak;
	const char *name; /* "" if it is malformed */
};

/**
 * Check the header of a code object and read its program headers.
 *
 * @image: owned by the caller; must outlive @elf_ret.
 */
struct wt_error *wt_elf_open(const uint8_t *image, size_t size, struct wt_elf *elf_ret);
void wt_elf_close(struct wt_elf *elf);

/* A place among the notes; the first one is zeros. */
struct wt_elf_place {
	size_t segment, offset;
};

/**
 * The contents of the next note AMDGPU / NT_AMDGPU_METADATA, valid until wt_elf_close(); false if there are no more. Compilers write one;
 * where a linker has joined kernels of an assembler, each has its own.
 */
bool wt_elf_next_metadata(const struct wt_elf *elf, struct wt_elf_place *place,
			  const uint8_t **data_ret, size_t *size_ret);

/** Parse the bytes of the dynamic section. */
struct wt_error *wt_elf_dynamic_parse(struct wt_cursor cursor, struct wt_elf_dynamic *dynamic_ret);

/* The symbol table, string table and hash table that the dynamic section points to. */
struct wt_elf_symbols {
	const uint8_t *table, *strings, *hash;
	size_t strings_size;
	uint32_t count, bucket_count;
};

bool wt_elf_symbol_at(const struct wt_elf_symbols *symbols, uint32_t index,
		      struct wt_elf_symbol *symbol_ret);

/** Find a defined symbol by name; false if there is none. */
bool wt_elf_symbol_find(const struct wt_elf_symbols *symbols, const char *name,
			struct wt_elf_symbol *symbol_ret);

#endif /* WT_DEVICE_CODE_OBJECT_ELF_H */
