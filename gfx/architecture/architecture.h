/* SPDX-License-Identifier: MIT */
/*
 * Facts of AMD GPU architectures that a debugger and a simulator need, as data: registers in the order of AMD's
 * library, register classes, address spaces and classes, DWARF numbers, breakpoint instruction.
 *
 * Ids are formed as in AMD's library: a register's is architecture id << 32 | number. Classes and spaces
 * are numbered through all architectures (the global space is 1 for all).
 *
 * The room `architecture` has these tables and the classification of control flow. It must not know waves
 * or how instructions are executed.
 */
#ifndef GFX_ARCHITECTURE_ARCHITECTURE_H
#define GFX_ARCHITECTURE_ARCHITECTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GFX_DWARF_NONE UINT64_MAX

/* Register classes, one bit each in gfx_register_range.classes, in the library's listing order. */
enum gfx_register_class {
	GFX_CLASS_GENERAL,
	GFX_CLASS_SYSTEM,
	GFX_CLASS_TRAP,
	GFX_CLASS_VECTOR,
	GFX_CLASS_SCALAR,
	GFX_CLASS_COUNT,
};

/*
 * The kind of a register, so that code can find its value without parsing its name. From gfx10 on some
 * kinds are there twice, once for each wave size, told apart by their size in bytes: of vector
 * registers, exec and vcc a wave has only those of its own.
 */
enum gfx_register_kind {
	GFX_REGISTER_VGPR,
	GFX_REGISTER_AGPR,
	GFX_REGISTER_SGPR,
	GFX_REGISTER_SHADOW_SGPR, /* sN where vcc, flat_scratch and xnack_mask overlay them */
	GFX_REGISTER_TTMP,
	GFX_REGISTER_M0,
	GFX_REGISTER_PC,
	GFX_REGISTER_MODE,
	GFX_REGISTER_TRAPSTS,
	GFX_REGISTER_XNACK_MASK,
	GFX_REGISTER_FLAT_SCRATCH, /* gfx12 calls it scratch_base */
	GFX_REGISTER_STATUS,
	GFX_REGISTER_EXEC,
	GFX_REGISTER_VCC,
	GFX_REGISTER_TRAP_CTRL,
	GFX_REGISTER_EXCP_FLAG_PRIV,
	GFX_REGISTER_EXCP_FLAG_USER,
	GFX_REGISTER_STATE_PRIV,
};

/* A run of registers that differ in their number only. */
struct gfx_register_range {
	enum gfx_register_kind kind;
	uint32_t first; /* number of the first, within its kind: 4 for ttmp4 */
	uint32_t count;
	uint32_t number;    /* low half of the first one's id; the others follow */
	const char *prefix; /* name, or its part before the number if numbered */
	bool numbered;
	uint32_t size;	     /* bytes */
	const char *type;    /* as GDB parses it */
	uint64_t dwarf;	     /* of the first, the others follow; or GFX_DWARF_NONE */
	uint32_t properties; /* amd_dbgapi_register_properties_t */
	uint32_t classes;    /* bits 1 << enum gfx_register_class */
};

enum gfx_space {
	GFX_SPACE_GLOBAL,
	GFX_SPACE_GENERIC,
	GFX_SPACE_PRIVATE_WAVE,
	GFX_SPACE_PRIVATE_LANE,
	GFX_SPACE_LOCAL,
};

/* DWARF numbers of address spaces, which are the same on every architecture (LLVM: AMDGPUUsage). */
enum gfx_dwarf_space {
	GFX_DWARF_SPACE_GLOBAL = 0,
	GFX_DWARF_SPACE_GENERIC = 1,
	GFX_DWARF_SPACE_REGION = 2,
	GFX_DWARF_SPACE_LOCAL = 3,
	GFX_DWARF_SPACE_PRIVATE_LANE = 5,
	GFX_DWARF_SPACE_PRIVATE_WAVE = 6,
};

struct gfx_address_space {
	enum gfx_space space;
	uint64_t id;
	const char *name;
	uint32_t address_bits;
	uint64_t null_address;
	uint32_t access; /* amd_dbgapi_address_space_access_t */
	uint64_t dwarf;
};

struct gfx_address_class {
	uint64_t id;
	const char *name;
	enum gfx_space space;
	uint64_t dwarf;
};

struct gfx_register_class_info {
	uint64_t id;
	const char *name;
};

/* How instructions are encoded. Those of one generation differ in what exists, not in the form. */
enum gfx_generation {
	GFX_GENERATION_9,    /* gfx900 to gfx950 */
	GFX_GENERATION_10,   /* gfx1010 to gfx1032 */
	GFX_GENERATION_11,   /* gfx1100 to gfx1172 */
	GFX_GENERATION_12,   /* gfx1200, gfx1201 */
	GFX_GENERATION_12_5, /* gfx1250, gfx1251 */
};

/* Groups of targets that have the same forms of operands (gfx/operand/), from old to new. */
enum gfx_operand_profile {
	GFX_OPERAND_GFX6, /* and gfx7 */
	GFX_OPERAND_GFX8,
	GFX_OPERAND_GFX9,   /* and gfx90a */
	GFX_OPERAND_GFX940, /* and gfx950 */
	GFX_OPERAND_GFX10_1,
	GFX_OPERAND_GFX10_3,
	GFX_OPERAND_GFX11, /* and gfx11.5, gfx11.7 */
	GFX_OPERAND_GFX12,
	GFX_OPERAND_GFX12_5, /* gfx1250, gfx1251 */
	GFX_OPERAND_UNKNOWN, /* no public description of them was found */
};

/* A processor by LLVM's name, and the forms of its operands. */
struct gfx_operand_target {
	const char *name;
	enum gfx_operand_profile profile;
};

/*
 * Families of GPUs that save waves in the same way (device/save-area/layout.c has the layouts). A row that names none is
 * a mistake, which the test `gfx-architecture` finds.
 */
enum gfx_save_area {
	GFX_SAVE_AREA_MISSING,
	GFX_SAVE_AREA_NO_GPU,  /* code for several GPUs: no device is of this architecture */
	GFX_SAVE_AREA_UNKNOWN, /* no public source says how such a GPU saves waves */
	GFX_SAVE_AREA_GFX900,
	GFX_SAVE_AREA_GFX908,
	GFX_SAVE_AREA_GFX90A,
	GFX_SAVE_AREA_GFX940,
	GFX_SAVE_AREA_GFX950,
	GFX_SAVE_AREA_GFX1010,
	GFX_SAVE_AREA_GFX1030,
	GFX_SAVE_AREA_GFX1100,
	GFX_SAVE_AREA_GFX1200,
	GFX_SAVE_AREA_COUNT,
};

/* The operation tables (gfx/isa/) of architectures that are executed under their own encoding. */
enum gfx_operation_tables {
	GFX_OPERATIONS_NONE,
	GFX_OPERATIONS_GFX942,
	GFX_OPERATIONS_GFX90A,
	GFX_OPERATIONS_GFX908,
	GFX_OPERATIONS_GFX900,
	GFX_OPERATIONS_GFX950,
	GFX_OPERATIONS_GFX1030,
	GFX_OPERATIONS_GFX1010,
	GFX_OPERATIONS_GFX11,
	GFX_OPERATIONS_GFX1150,
	GFX_OPERATIONS_GFX1170,
	GFX_OPERATIONS_GFX12,
	GFX_OPERATIONS_COUNT,
};

/* A compute unit has this for its waves, each of its SIMDs the same. */
struct gfx_unit {
	uint32_t simds, waves; /* of a SIMD */
	uint32_t vector_bytes,
		vector_step; /* of its vector registers, and how many a wave gets at a time */
	uint32_t scalars;    /* its scalar registers; 0: each wave has all that it can name */
	uint32_t local_bytes,
		local_step; /* of local memory, and how many a workgroup gets at a time */
};

struct gfx_cache {
	uint32_t kib, line; /* KiB; bytes of a line */
};

#define GFX_PRODUCT_CACHES 3

/* The product that the simulated GPU describes itself as: what it has, and what its kernel driver tells of it. */
struct gfx_product {
	const char *name, *codename;
	uint32_t pci_device, pci_revision, compute_units;
	uint32_t drm_family; /* AMDGPU_FAMILY_* */
	uint32_t lanes;	     /* of the waves that it is made for */
	/* Shader engines, arrays of compute units in each; a simulated one has a multiple of `units_step` units. */
	uint32_t engines, engine_arrays, units_step;
	/* Waves for which the control stack of a save area has room: of a unit, and of an engine; 0: as many as the units have. */
	uint32_t stack_unit_waves, stack_engine_waves;
	uint32_t copy_engines;
	uint32_t copy_queues, compute_queues; /* of a copy engine, and in all */
	uint32_t firmware, copy_firmware; /* 0: it executes workloads, and has no kernel driver */
	uint32_t graphics_block,
		copy_block; /* major versions of the blocks that execute code, and that copy */
	uint32_t clock, memory_clock, memory_width; /* MHz, MHz, bits */
	struct gfx_cache caches[GFX_PRODUCT_CACHES];
	bool data_centre; /* its memories correct errors, and those of one board reach each other by a link of their own */
	bool in_processor; /* an APU, whose memory is the processor's */
};

/* One row of the table of architectures. */
struct gfx_architecture {
	uint64_t id;	      /* amd_dbgapi_architecture_id_t.handle */
	const char *name;     /* "gfx942", "gfx11-generic" */
	uint32_t elf_machine; /* EF_AMDGPU_MACH_* */
	/* The driver's name: major * 10000 + minor * 100 + stepping, 90010 for gfx90a; 0: no GPU has it. */
	uint32_t version;
	/* The first LLVM that knows it, or 0 for those that all know which can be used; and who has the
	 * same instructions but for some that came with it, to disassemble it with an older one: NULL if
	 * nobody has. */
	uint32_t llvm;
	/* The last LLVM that knows it, or 0 for those that the newest one knows. */
	uint32_t llvm_last;
	const char *alike;
	uint32_t largest_instruction; /* bytes */
	uint32_t alignment;	      /* of instructions, bytes */
	uint8_t breakpoint[4];	      /* s_trap 1 */
	uint32_t end_word;	      /* s_endpgm */
	uint32_t breakpoint_size, breakpoint_pc_adjust;
	uint32_t pc_register; /* number */
	enum gfx_generation generation;
	struct gfx_operand_target operands;
	enum gfx_save_area save_area;
	enum gfx_operation_tables operations; /* if there are some, gfx_wave_step() runs it */
	const struct gfx_product *product;    /* NULL: none is simulated */
	struct gfx_unit unit;		      /* without SIMDs where nobody has said what it has */
	/* Properties that the kernel driver gives to such a GPU. */
	bool ttmps_always; /* trap temporaries are set up for every wave, not for a debugger's only */
	bool precise_memory; /* memory violations can be made exact */
	bool precise_alu;    /* exceptions of arithmetic can */
	/* Bits of an address that an address watch register can leave out of the comparison. */
	uint8_t watch_first_bit, watch_last_bit;
	/* A finished single step sets a bit of trapsts, and hardware sets up flat_scratch: gfx940
	 * to gfx950. */
	bool trap_after_instruction;
	/* A debugger can ask for a trap at the start and the end of each wave. */
	bool traps_at_ends;
	/* Generic addresses whose bits in the mask equal a base are local or private. The library
	 * says so without asking a device; apertures of a real one may differ. */
	uint64_t aperture_mask, local_aperture, private_aperture;
	const struct gfx_register_range *registers;
	size_t register_range_count;
	const struct gfx_register_class_info *classes; /* GFX_CLASS_COUNT, in listing order */
	const struct gfx_address_space *spaces;
	size_t space_count;
	const struct gfx_address_class *address_classes;
	size_t address_class_count;
};

/** The instruction s_trap with a number. */
static inline uint32_t gfx_trap_word(const struct gfx_architecture *architecture, uint8_t number)
{
	return (uint32_t)architecture->breakpoint[3] << 24 |
	       (uint32_t)architecture->breakpoint[2] << 16 | number;
}

/** gfx10 to gfx12: waves have 32 or 64 lanes, and 106 scalar registers whatever they ask for, none of which is flat_scratch. */
static inline bool gfx_has_short_waves(const struct gfx_architecture *architecture)
{
	return architecture->generation >= GFX_GENERATION_10 &&
	       architecture->generation <= GFX_GENERATION_12;
}

/** The names of the architectures that @wants, in the order of their ids, with ", " between: "gfx90a, gfx942"; cut to @size bytes. */
void gfx_list_architectures(bool (*wants)(const struct gfx_architecture *architecture), char *text,
			    size_t size);

/** All architectures known, in the order of their ids: an array of @count_ret. */
const struct gfx_architecture *const *gfx_architectures(size_t *count_ret);

/** The same one by one; NULL for an index that is too high. */
size_t gfx_architecture_count(void);
const struct gfx_architecture *gfx_architecture_at(size_t index);

/** By id, machine number (low byte of e_flags), version, or name ("gfx942"); NULL if there is none. */
const struct gfx_architecture *gfx_architecture_by_id(uint64_t id);
const struct gfx_architecture *gfx_architecture_by_machine(uint32_t elf_machine);
const struct gfx_architecture *gfx_architecture_by_version(uint32_t version);
const struct gfx_architecture *gfx_architecture_by_name(const char *name);

/** A machine of which no more is known than its name and, mostly, the forms of its operands: AMD's debugger library does not serve it. */
struct gfx_machine {
	uint32_t elf_machine; /* EF_AMDGPU_MACH_* */
	struct gfx_operand_target operands;
};

/** All of those: an array of @count_ret. */
const struct gfx_machine *gfx_machines(size_t *count_ret);

/** LLVM's name of a machine (low byte of e_flags), be it of an architecture or known by name alone; NULL if there is none. */
const char *gfx_machine_name(uint32_t elf_machine);

/**
 * Whether a GPU can run the code of a machine. Code for a whole family runs on its GPUs, and on which others is not told here.
 *
 * Return: false where it certainly cannot.
 */
bool gfx_architecture_may_run(const struct gfx_architecture *gpu, uint32_t elf_machine);

/** One register, expanded from its range. */
struct gfx_register {
	const struct gfx_register_range *range;
	uint32_t index; /* within its kind: 7 for v7; 0 if not numbered */
	uint64_t id;
	uint64_t dwarf;
};

/* A register's name takes fewer bytes, in every architecture so far. */
#define GFX_REGISTER_NAME 16

/** The name of a register: "v7", "exec". It is not part of it, since registers are looked up far more often than named. */
void gfx_register_name(const struct gfx_register *reg, char name_ret[GFX_REGISTER_NAME]);

/** All registers of an architecture: how many, and the one at @position in listing order. */
size_t gfx_register_count(const struct gfx_architecture *architecture);
bool gfx_register_at(const struct gfx_architecture *architecture, size_t position,
		     struct gfx_register *register_ret);

/**
 * A register of an architecture by id, DWARF number or name; false, and nothing written, if there
 * is none. Names are not unique: the first in listing order is meant, so "s4" is never a shadow. Where
 * a name is there for both wave sizes, take the DWARF number or the id to say which.
 */
bool gfx_register_by_id(const struct gfx_architecture *architecture, uint64_t id,
			struct gfx_register *register_ret);
bool gfx_register_by_dwarf(const struct gfx_architecture *architecture, uint64_t dwarf,
			   struct gfx_register *register_ret);

/* The slow path of gfx_register_range_find(). */
const struct gfx_register_range *
gfx_register_range_search(const struct gfx_architecture *architecture, uint64_t id, size_t *place);

/**
 * The range of a register's id, for many after each other: that at *@place is looked at first, where the last one was found.
 * NULL if there is none.
 */
static inline const struct gfx_register_range *
gfx_register_range_find(const struct gfx_architecture *architecture, uint64_t id, size_t *place)
{
	if (id >> 32 == architecture->id && *place < architecture->register_range_count) {
		const struct gfx_register_range *range = &architecture->registers[*place];

		if ((uint32_t)id - range->number < range->count)
			return range;
	}
	return gfx_register_range_search(architecture, id, place);
}

bool gfx_register_by_name(const struct gfx_architecture *architecture, const char *name,
			  struct gfx_register *register_ret);

/**
 * Spaces and classes of an architecture, by id; NULL if it has none of that id. The global address
 * space belongs to every architecture under the same id.
 */
const struct gfx_address_space *gfx_address_space_by_id(const struct gfx_architecture *architecture,
							uint64_t id);
const struct gfx_address_class *gfx_address_class_by_id(const struct gfx_architecture *architecture,
							uint64_t id);
const struct gfx_register_class_info *
gfx_register_class_by_id(const struct gfx_architecture *architecture, uint64_t id,
			 enum gfx_register_class *class_ret);

/** The address space of a kind; each architecture has all of them. */
const struct gfx_address_space *gfx_address_space_of(const struct gfx_architecture *architecture,
						     enum gfx_space space);

/* The effect of an instruction on the control flow. */
enum gfx_instruction_kind { /* values of amd_dbgapi_instruction_kind_t */
			    GFX_INSTRUCTION_UNKNOWN = 0,
			    GFX_INSTRUCTION_SEQUENTIAL = 1,
			    GFX_INSTRUCTION_DIRECT_BRANCH = 2,
			    GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL = 3,
			    GFX_INSTRUCTION_INDIRECT_BRANCH = 4,
			    GFX_INSTRUCTION_INDIRECT_BRANCH_CONDITIONAL = 5,
			    GFX_INSTRUCTION_DIRECT_CALL = 6,
			    GFX_INSTRUCTION_INDIRECT_CALL = 7,
			    GFX_INSTRUCTION_TERMINATE = 8,
			    GFX_INSTRUCTION_TRAP = 9,
			    GFX_INSTRUCTION_HALT = 10,
			    GFX_INSTRUCTION_BARRIER = 11,
			    GFX_INSTRUCTION_SLEEP = 12,
			    GFX_INSTRUCTION_SPECIAL = 13,
			    GFX_INSTRUCTION_RELATIVE_BRANCH = 14,
};

struct gfx_classification {
	enum gfx_instruction_kind kind;
	uint64_t target; /* of direct branches and calls */
	uint32_t trap_id;
	uint64_t source_registers[2]; /* ids: where an indirect branch or call goes, or how far */
	uint64_t saved_registers[2];  /* ids: where a call leaves the return address */
};

/**
 * Classify the control flow of one instruction. Whether the words are an instruction at all, and its
 * length, is the disassembler's to say: call this for valid ones only.
 *
 * @address: of the instruction, for targets.
 * @words: of it, @count, at least 1.
 * @classification_ret: set; fields that the kind has no use for are 0.
 */
void gfx_classify(const struct gfx_architecture *architecture, uint64_t address,
		  const uint32_t *words, size_t count,
		  struct gfx_classification *classification_ret);

#endif /* GFX_ARCHITECTURE_ARCHITECTURE_H */
