/* SPDX-License-Identifier: MIT */
/*
 * Macros for the table of architectures (table.c) and the lists of registers that it names (registers-gfxN.h). Only these files
 * include it.
 *
 * A fact stands in one place: what differs between the architectures of a generation is an argument
 * of the generation's macro, what generations share is here.
 *
 * Ids of classes and spaces are counted over all architectures in the order of their ids: each has
 * five register classes, five address classes and, the global one aside, four address spaces, and
 * lists them from the last to the first. So they follow from the architecture's own id.
 */
#ifndef GFX_ARCHITECTURE_DATA_H
#define GFX_ARCHITECTURE_DATA_H

#include "gfx/architecture/architecture.h"

#define GFX_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Register properties: values of amd_dbgapi_register_properties_t. */
#define GFX_PLAIN 0u
#define GFX_READONLY_BITS 1u
#define GFX_VOLATILE 2u
#define GFX_INVALIDATES 4u

#define GFX_IN_GENERAL (1u << GFX_CLASS_GENERAL)
#define GFX_IN_SYSTEM (1u << GFX_CLASS_SYSTEM)
#define GFX_IN_TRAP (1u << GFX_CLASS_TRAP)
#define GFX_IN_VECTOR (1u << GFX_CLASS_VECTOR)
#define GFX_IN_SCALAR (1u << GFX_CLASS_SCALAR)

/* A run of numbered registers, and a single one without a number in its name. */
#define GFX_RUN(kind_, first_, count_, number_, prefix_, size_, type_, dwarf_, properties_,        \
		classes_)                                                                          \
	{                                                                                          \
		.kind = (kind_), .first = (first_), .count = (count_), .number = (number_),        \
		.prefix = (prefix_), .numbered = true, .size = (size_), .type = (type_),           \
		.dwarf = (dwarf_), .properties = (properties_), .classes = (classes_)              \
	}

#define GFX_ONE(kind_, number_, name_, size_, type_, dwarf_, properties_, classes_)                \
	{                                                                                          \
		.kind = (kind_), .count = 1, .number = (number_), .prefix = (name_),               \
		.size = (size_), .type = (type_), .dwarf = (dwarf_), .properties = (properties_),  \
		.classes = (classes_)                                                              \
	}

/* The lists that all architectures share up to their ids. */
#define GFX_REGISTER_CLASSES(id_)                                                                  \
	{                                                                                          \
		[GFX_CLASS_GENERAL] = {5 * ((id_)-1) + 5, "general"},                              \
		[GFX_CLASS_SYSTEM] = {5 * ((id_)-1) + 4, "system"},                                \
		[GFX_CLASS_TRAP] = {5 * ((id_)-1) + 3, "trap"},                                    \
		[GFX_CLASS_VECTOR] = {5 * ((id_)-1) + 2, "vector"},                                \
		[GFX_CLASS_SCALAR] = {5 * ((id_)-1) + 1, "scalar"},                                \
	}

/* All can be read and written (access 1); DWARF numbers are those of the AMDGPU ABI. */
#define GFX_SPACE_64(space_, id_, name_, dwarf_)                                                   \
	{                                                                                          \
		(space_), (id_), (name_), 64, 0, 1, (dwarf_)                                       \
	}
#define GFX_SPACE_32(space_, id_, name_, dwarf_)                                                   \
	{                                                                                          \
		(space_), (id_), (name_), 32, UINT32_MAX, 1, (dwarf_)                              \
	}
#define GFX_ADDRESS_SPACE_COUNT 5
#define GFX_ADDRESS_SPACES(id_)                                                                    \
	{                                                                                          \
		GFX_SPACE_64(GFX_SPACE_GLOBAL, 1, "global", GFX_DWARF_SPACE_GLOBAL),               \
			GFX_SPACE_64(GFX_SPACE_GENERIC, 4 * ((id_)-1) + 5, "generic",              \
				     GFX_DWARF_SPACE_GENERIC),                                     \
			GFX_SPACE_32(GFX_SPACE_PRIVATE_WAVE, 4 * ((id_)-1) + 4, "private_wave",    \
				     GFX_DWARF_SPACE_PRIVATE_WAVE),                                \
			GFX_SPACE_32(GFX_SPACE_PRIVATE_LANE, 4 * ((id_)-1) + 3, "private_lane",    \
				     GFX_DWARF_SPACE_PRIVATE_LANE),                                \
			GFX_SPACE_32(GFX_SPACE_LOCAL, 4 * ((id_)-1) + 2, "local",                  \
				     GFX_DWARF_SPACE_LOCAL),                                       \
	}

#define GFX_ADDRESS_CLASS_COUNT 5
#define GFX_ADDRESS_CLASSES(id_)                                                                   \
	{                                                                                          \
		{5 * ((id_)-1) + 5, "private", GFX_SPACE_PRIVATE_LANE, 4},                         \
			{5 * ((id_)-1) + 4, "group", GFX_SPACE_LOCAL, 3},                          \
			{5 * ((id_)-1) + 3, "constant", GFX_SPACE_GLOBAL, 2},                      \
			{5 * ((id_)-1) + 2, "global", GFX_SPACE_GLOBAL, 1},                        \
			{5 * ((id_)-1) + 1, "none", GFX_SPACE_GENERIC, 0},                         \
	}

#define GFX_APERTURE_MASK UINT64_C(0xffff000000000000)
#define GFX_LOCAL_APERTURE UINT64_C(0x0001000000000000)
#define GFX_PRIVATE_APERTURE UINT64_C(0x0002000000000000)

/*
 * Registers that several generations have under the same numbers. The numbers are those of one list
 * of all registers of all generations: one that an architecture lacks leaves a gap.
 */
#define GFX_VGPRS_WAVE64                                                                           \
	GFX_RUN(GFX_REGISTER_VGPR, 0, 256, 0x000, "v", 256, "int32_t[64]", 2560, GFX_PLAIN,        \
		GFX_IN_GENERAL | GFX_IN_VECTOR)
#define GFX_AGPRS_WAVE64                                                                           \
	GFX_RUN(GFX_REGISTER_AGPR, 0, 256, 0x100, "a", 256, "int32_t[64]", 3072, GFX_PLAIN,        \
		GFX_IN_GENERAL | GFX_IN_VECTOR)
#define GFX_VGPRS_WAVE32                                                                           \
	GFX_RUN(GFX_REGISTER_VGPR, 0, 256, 0x200, "v", 128, "int32_t[32]", 1536, GFX_PLAIN,        \
		GFX_IN_GENERAL | GFX_IN_VECTOR)

/* The scalar registers that instructions can name; DWARF has two runs of numbers for them. */
#define GFX_SGPRS(count_)                                                                          \
	GFX_RUN(GFX_REGISTER_SGPR, 0, 64, 0x400, "s", 4, "int32_t", 32, GFX_PLAIN,                 \
		GFX_IN_GENERAL | GFX_IN_SCALAR),                                                   \
		GFX_RUN(GFX_REGISTER_SGPR, 64, (count_)-64, 0x440, "s", 4, "int32_t", 1088,        \
			GFX_PLAIN, GFX_IN_GENERAL | GFX_IN_SCALAR),                                \
		GFX_RUN(GFX_REGISTER_SHADOW_SGPR, 0, (count_), 0x480, "s", 4, "int32_t",           \
			GFX_DWARF_NONE, GFX_VOLATILE | GFX_INVALIDATES, GFX_IN_SCALAR)

#define GFX_TTMPS                                                                                  \
	GFX_RUN(GFX_REGISTER_TTMP, 4, 8, 0x514, "ttmp", 4, "uint32_t", GFX_DWARF_NONE, GFX_PLAIN,  \
		GFX_IN_TRAP),                                                                      \
		GFX_RUN(GFX_REGISTER_TTMP, 13, 1, 0x51d, "ttmp", 4, "uint32_t", GFX_DWARF_NONE,    \
			GFX_PLAIN, GFX_IN_TRAP)

#define GFX_M0                                                                                     \
	GFX_ONE(GFX_REGISTER_M0, 0x521, "m0", 4, "uint32_t", GFX_DWARF_NONE, GFX_PLAIN,            \
		GFX_IN_GENERAL)

#define GFX_PC_NUMBER 0x522
#define GFX_PC                                                                                     \
	GFX_ONE(GFX_REGISTER_PC, GFX_PC_NUMBER, "pc", 8, "void (*)()", 16, GFX_READONLY_BITS,      \
		GFX_IN_GENERAL)

/* A system register of 32 bits, some of them read-only, that DWARF does not know. */
#define GFX_SYSTEM(kind_, number_, name_, type_)                                                   \
	GFX_ONE((kind_), (number_), (name_), 4, (type_), GFX_DWARF_NONE, GFX_READONLY_BITS,        \
		GFX_IN_SYSTEM)

#define GFX_MODE(type_) GFX_SYSTEM(GFX_REGISTER_MODE, 0x525, "mode", (type_))
#define GFX_TRAPSTS(type_) GFX_SYSTEM(GFX_REGISTER_TRAPSTS, 0x526, "trapsts", (type_))

#define GFX_XNACK_MASK_64                                                                          \
	GFX_ONE(GFX_REGISTER_XNACK_MASK, 0x52f, "xnack_mask", 8, "uint64_t", GFX_DWARF_NONE,       \
		GFX_VOLATILE | GFX_INVALIDATES, GFX_IN_SYSTEM)
#define GFX_XNACK_MASK_32                                                                          \
	GFX_ONE(GFX_REGISTER_XNACK_MASK, 0x52e, "xnack_mask", 4, "uint32_t", GFX_DWARF_NONE,       \
		GFX_VOLATILE | GFX_INVALIDATES, GFX_IN_SYSTEM)

#define GFX_FLAT_SCRATCH(name_)                                                                    \
	GFX_ONE(GFX_REGISTER_FLAT_SCRATCH, 0x530, (name_), 8, "uint64_t", GFX_DWARF_NONE,          \
		GFX_VOLATILE | GFX_INVALIDATES, GFX_IN_SYSTEM)

#define GFX_STATUS(type_)                                                                          \
	GFX_ONE(GFX_REGISTER_STATUS, 0x53a, "status", 4, (type_), 128,                             \
		GFX_READONLY_BITS | GFX_VOLATILE, GFX_IN_SYSTEM)

#define GFX_EXEC_WAVE32                                                                            \
	GFX_ONE(GFX_REGISTER_EXEC, 0x53c, "exec", 4, "uint32_t", 1, GFX_INVALIDATES, GFX_IN_GENERAL)
#define GFX_EXEC_WAVE64                                                                            \
	GFX_ONE(GFX_REGISTER_EXEC, 0x53d, "exec", 8, "uint64_t", 17, GFX_INVALIDATES,              \
		GFX_IN_GENERAL)
#define GFX_VCC_WAVE32                                                                             \
	GFX_ONE(GFX_REGISTER_VCC, 0x53e, "vcc", 4, "uint32_t", 512,                                \
		GFX_VOLATILE | GFX_INVALIDATES, GFX_IN_GENERAL)
#define GFX_VCC_WAVE64                                                                             \
	GFX_ONE(GFX_REGISTER_VCC, 0x53f, "vcc", 8, "uint64_t", 768,                                \
		GFX_VOLATILE | GFX_INVALIDATES, GFX_IN_GENERAL)

/* Registers that an architecture has under either wave size, from gfx10 on. */
#define GFX_VGPRS_BOTH GFX_VGPRS_WAVE64, GFX_VGPRS_WAVE32
#define GFX_MASKS_BOTH GFX_EXEC_WAVE32, GFX_EXEC_WAVE64, GFX_VCC_WAVE32, GFX_VCC_WAVE64

/* gfx10 and gfx11 differ in the fields of the system registers, and in that one alone can replay. */
#define GFX_REGISTERS_GFX10(mode_, trapsts_, status_, ...)                                         \
	GFX_VGPRS_BOTH, GFX_SGPRS(106), GFX_TTMPS, GFX_M0, GFX_PC, GFX_MODE(mode_),                \
		GFX_TRAPSTS(trapsts_), __VA_ARGS__ GFX_FLAT_SCRATCH("flat_scratch"),               \
		GFX_STATUS(status_), GFX_MASKS_BOTH

#define GFX_REGISTERS(list_) .registers = (list_), .register_range_count = GFX_COUNT(list_)

#endif /* GFX_ARCHITECTURE_DATA_H */
