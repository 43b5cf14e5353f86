/* SPDX-License-Identifier: MIT */
/*
 * Execution of one wave: its architectural state, the memory it sees, and one instruction at a time.
 *
 * Nothing here allocates, does I/O or keeps globals: the caller owns every byte, register files
 * included. A wave is deterministic: the same state and memory give the same next state.
 */
#ifndef GFX_WAVE_H
#define GFX_WAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gfx/architecture/architecture.h"

/* Limits of the register files of every architecture known here. */
#define GFX_MAX_LANES 64
#define GFX_MAX_SGPRS 106
#define GFX_MAX_VGPRS 256

/* What the wave sees as memory. A callback returns false if any byte of the range is not mapped (or
 * not writable); then it must have changed nothing. `opaque` is the caller's. Addresses are global
 * (already lowered from generic); sizes are in bytes, 1 to 64. */
struct gfx_memory {
	void *opaque;
	bool (*read)(void *opaque, uint64_t address, void *data, size_t size);
	bool (*write)(void *opaque, uint64_t address, const void *data, size_t size);
	/* Instruction fetch: as read, of 4 or 8 bytes. */
	bool (*fetch)(void *opaque, uint64_t address, void *data, size_t size);
	/* Apertures of the generic address space; private: `private_base + offset` is lane-private. */
	uint64_t local_base, local_limit;
	uint64_t private_base, private_limit;
	/* Optional: would an access of these bytes succeed? It changes and triggers nothing. Without
	 * it, a store or an atomic asks by reading the old bytes and writing them back, so that an
	 * access that fails in one lane changes memory in none. */
	bool (*probe)(void *opaque, uint64_t address, size_t size, bool write);
	/* Optional: an access to private memory was made, by the global address of its bytes in the
	 * wave's scratch. Those of different words are told one by one. */
	void (*note_private)(void *opaque, uint64_t address, size_t size, bool write);
};

/*
 * The state of one wave. Register files are the caller's arrays:
 *   vgprs: vgpr_count * lane_count words, register by register, lane 0 first; agprs likewise.
 *   lds: the workgroup's local memory, shared by its waves.
 *   scratch: the wave's private memory, swizzled as hardware keeps it: byte `a` of lane `l` is at
 *            (a / 4) * lane_count * 4 + l * 4 + a % 4. scratch_size is for the whole wave.
 */
struct gfx_wave {
	const struct gfx_architecture *architecture;
	uint32_t lane_count;
	uint64_t pc;
	uint64_t exec;
	uint32_t m0;
	uint32_t status, mode, trapsts;
	uint32_t sgpr_count; /* addressable s0..; vcc, flat_scratch, xnack_mask are apart, below */
	uint32_t sgprs[GFX_MAX_SGPRS];
	uint64_t vcc, flat_scratch, xnack_mask;
	uint32_t ttmps[16];
	uint32_t vgpr_count, agpr_count;
	uint32_t *vgprs, *agprs;
	uint8_t *lds;
	uint32_t lds_size;
	uint8_t *scratch;
	uint64_t scratch_size;
	uint64_t scratch_base; /* the global address of scratch */
	/* Instructions this wave has executed. s_memtime and s_memrealtime return it: the clock of
	 * a simulated wave depends on nothing but what the wave has done. */
	uint64_t instruction_count;
};

/* Why a step ended. Only GFX_STEP_DONE, _BARRIER, _END and _HALT have advanced the pc. */
enum gfx_step {
	GFX_STEP_DONE,	  /* one instruction was executed */
	GFX_STEP_BARRIER, /* s_barrier executed: the wave waits for its workgroup */
	GFX_STEP_END,	  /* s_endpgm executed: the wave is over */
	GFX_STEP_TRAP,	  /* s_trap: pc is at the s_trap, its number in fault->trap_id */
	GFX_STEP_HALT,	  /* s_sethalt 1 executed */
	GFX_STEP_ILLEGAL_INSTRUCTION, /* pc is at the word; fault->words holds it */
	GFX_STEP_MEMORY_VIOLATION, /* an unmapped address; nothing was changed, pc at the access */
	GFX_STEP_ADDRESS_ERROR,	   /* LDS or scratch out of range, or misaligned; as above */
	GFX_STEP_FETCH_VIOLATION,  /* pc points to unmapped or misaligned memory */
};

/* Details of a step that did not end in GFX_STEP_DONE. */
struct gfx_fault {
	uint32_t trap_id;
	uint32_t words[2]; /* instruction words read, 0 where not read */
	uint32_t word_count;
	uint64_t lanes;	  /* lanes whose access failed (bit per lane); 0 for scalar accesses */
	uint64_t address; /* address of the first failing lane, or of the scalar access */
	bool write;
	bool not_implemented; /* illegal because this implementation lacks it; `reason` says so */
	const char *reason;   /* static text, for logs: never NULL when the step failed */
};

/**
 * Execute one instruction of a wave.
 *
 * All effects of an instruction happen, or none: a faulting instruction leaves registers and memory
 * as they were. Cross-lane operations read every lane before they write any.
 *
 * @wave: the state, changed in place.
 * @memory: what it sees.
 * @fault: filled in for every result other than GFX_STEP_DONE; may not be NULL.
 */
enum gfx_step gfx_wave_step(struct gfx_wave *wave, const struct gfx_memory *memory,
			    struct gfx_fault *fault);

/* Per-lane addresses that a memory instruction uses. */
struct gfx_access {
	enum gfx_access_space {
		GFX_ACCESS_NONE, /* not a memory instruction */
		GFX_ACCESS_GLOBAL,
		GFX_ACCESS_LOCAL,
		GFX_ACCESS_PRIVATE,
		GFX_ACCESS_GENERIC,
	} space;
	bool scalar;	  /* one address for the wave, in addresses[0] */
	bool read, write; /* both for a read-modify-write */
	uint32_t size;	  /* bytes per lane, of one part */
	/* ds_read2 and ds_write2 touch two parts, and a swizzled buffer one for each word: part i is
	 * at addresses[lane] + i * second_distance; parts is 1 otherwise. */
	uint32_t parts;
	int32_t second_distance;
	uint64_t lanes; /* active lanes inside of the buffer (1 for a scalar access) */
	uint64_t addresses[GFX_MAX_LANES];
};

/**
 * Read a register for gfx_decode_access. @name as the debugger names it ("s4", "v7", "exec", "m0"
 * "flat_scratch"); @lane for vector registers. Return false if the value is not known.
 */
typedef bool (*gfx_register_reader)(void *opaque, const char *name, uint32_t lane, uint64_t *value);

/**
 * Which addresses the instruction at the pc touches, from its operands and the register values. Works
 * on any recorded wave: it needs no gfx_wave.
 *
 * @words: the instruction's bytes as words, @word_count of them (1 or 2).
 * @read: how to read a register.
 * @access_ret: set on success; space is GFX_ACCESS_NONE for instructions that touch no memory.
 *
 * Return: false if the words are no known instruction of @architecture or a register was not known.
 */
bool gfx_decode_access(const struct gfx_architecture *architecture, const uint32_t *words,
		       size_t word_count, gfx_register_reader read, void *opaque,
		       struct gfx_access *access_ret);

/*
 * Launch: the initial state of a wave, from the kernel descriptor.
 */
/* The fields of the 64-byte kernel descriptor (LLVM: AMDGPUUsage, "Kernel Descriptor"). */
struct gfx_kernel_descriptor {
	uint32_t group_segment_size, private_segment_size, kernarg_size;
	int64_t entry_offset; /* of the code, from the descriptor's own address */
	uint32_t rsrc1, rsrc2, rsrc3;
	uint16_t properties, kernarg_preload;
};

/**
 * Parse a kernel descriptor. @bytes: 64 bytes, little endian.
 * Return: NULL, or a static text that says what is wrong with it for @architecture.
 */
const char *gfx_kernel_descriptor_parse(const struct gfx_architecture *architecture,
					const uint8_t bytes[64],
					struct gfx_kernel_descriptor *descriptor_ret);

/* Register file sizes that the descriptor asks for, in registers (of the wave's lanes). */
struct gfx_wave_resources {
	uint32_t sgpr_count, vgpr_count, agpr_count, lane_count;
};
void gfx_kernel_descriptor_resources(const struct gfx_architecture *architecture,
				     const struct gfx_kernel_descriptor *descriptor,
				     struct gfx_wave_resources *resources_ret);

/* What a launch needs beyond the descriptor. Sizes in work-items. */
struct gfx_launch {
	uint64_t code_entry; /* address of the first instruction */
	uint64_t kernarg_address, dispatch_packet_address, queue_address, dispatch_id;
	uint64_t scratch_base; /* global address of the wave's private memory */
	/* The memory that all waves' private memory is taken from: its address and size in bytes.
	 * Programs of gfx90a find their own part in it; gfx942 does not look. */
	uint64_t scratch_pool_base, scratch_pool_size;
	uint32_t private_segment_size; /* per lane */
	uint32_t workgroup[3];	       /* coordinates in the grid, in workgroups */
	uint32_t workgroup_size[3];
	uint32_t grid_size[3]; /* for partial workgroups: lanes past the grid are off */
	uint32_t wave_in_group;
	uint32_t packet_index;
	uint64_t wave_id; /* kept in ttmp4:5 */
};

/**
 * Set a wave's registers as hardware does before the first instruction: user and system SGPRs in
 * the order of the ABI, work-item ids, exec, mode, status, trap temporaries; everything else zero.
 * The register files must be in place and have the sizes of gfx_kernel_descriptor_resources().
 */
void gfx_wave_launch(struct gfx_wave *wave, const struct gfx_kernel_descriptor *descriptor,
		     const struct gfx_launch *launch);

#endif /* GFX_WAVE_H */
