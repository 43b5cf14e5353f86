/* SPDX-License-Identifier: MIT */
/* Changes to the extracted copy of a code object, for a debugger that cannot use the original. */
#ifndef WT_REPLAYER_CODE_ELF_COPY_H
#define WT_REPLAYER_CODE_ELF_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Is there a section .debug_frame, or .eh_frame, that a debugger would read? False for what is no 64-bit
 * ELF file.
 */
bool wt_elf_has_debug_frame(const void *image, size_t size);

/**
 * Make a debugger pass over each .debug_frame and .eh_frame: their section headers become unused ones.
 * Nothing else moves, so that section numbers hold.
 * @image: written to.
 *
 * Return: whether there was one.
 */
bool wt_elf_drop_debug_frame(void *image, size_t size);

/** Put another machine (EF_AMDGPU_MACH) into the flags; false for what is no 64-bit ELF file. */
bool wt_elf_set_machine(void *image, size_t size, uint32_t machine);

#endif /* WT_REPLAYER_CODE_ELF_COPY_H */
