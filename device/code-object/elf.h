/* SPDX-License-Identifier: MIT */
/* The parts of an ELF file that the loader needs, out of untrusted bytes. */
#ifndef WT_DEVICE_CODE_OBJECT_ELF_H
#define WT_DEVICE_CODE_OBJECT_ELF_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

#define WT_ELF_MAX_SEGMENTS 64

/* Headers of a file, after wt_elf_open(). */
struct wt_elf {
	Elf *elf;
	const uint8_t *image;
	size_t size;
	uint32_t machine; /* low byte of e_flags */
	GElf_Phdr segments[WT_ELF_MAX_SEGMENTS];
	size_t segment_count;
};

/* The dynamic section, in addresses of the file. */
struct wt_elf_dynamic {
	uint64_t symbols, strings, strings_size, hash;
	uint64_t relocations, relocations_size;
	bool other_relocations; /* of a kind that is not read here */
};

struct wt_elf_symbol {
	uint64_t value, size;
	bool defined, weak;
	const char *name; /* for messages; "" if it is malformed */
};

/**
 * Check the header of a code object and read its program headers.
 *
 * @image: stays the caller's and must outlive @elf_ret.
 */
struct wt_error *wt_elf_open(const uint8_t *image, size_t size, struct wt_elf *elf_ret);
void wt_elf_close(struct wt_elf *elf);

/** The contents of the note AMDGPU / NT_AMDGPU_METADATA; they go with wt_elf_close(). */
struct wt_error *wt_elf_metadata(const struct wt_elf *elf, const uint8_t **data_ret,
				 size_t *size_ret);

/** Read the dynamic section from its bytes. */
struct wt_error *wt_elf_dynamic_parse(struct wt_cursor cursor, struct wt_elf_dynamic *dynamic_ret);

/* Symbols by name and by index. The three tables are where the dynamic section says. */
struct wt_elf_symbols {
	const uint8_t *table, *strings, *hash;
	size_t strings_size;
	uint32_t count, bucket_count;
};

bool wt_elf_symbol_at(const struct wt_elf_symbols *symbols, uint32_t index,
		      struct wt_elf_symbol *symbol_ret);

/** A defined symbol by name; false if there is none. */
bool wt_elf_symbol_find(const struct wt_elf_symbols *symbols, const char *name,
			struct wt_elf_symbol *symbol_ret);

#endif /* WT_DEVICE_CODE_OBJECT_ELF_H */
