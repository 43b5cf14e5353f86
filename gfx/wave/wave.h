/* SPDX-License-Identifier: MIT */
/*
 * One wave: its architectural state and the memory it sees.
 *
 * Nothing here allocates, does I/O or keeps globals: the caller owns every byte, register files
 * included. A wave is deterministic: the same state and memory give the same next state.
 */
#ifndef GFX_WAVE_WAVE_H
#define GFX_WAVE_WAVE_H

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
	/* Optional: write @next if the bytes still are @old; false, and nothing done, if they are not.
	 * Memory that others write to needs it: without it an atomic reads and then writes. */
	bool (*replace)(void *opaque, uint64_t address, size_t size, const void *old,
			const void *next);
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

#endif /* GFX_WAVE_WAVE_H */
