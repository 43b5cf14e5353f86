/* SPDX-License-Identifier: MIT */
/*
 * One wave: its architectural state and the memory that it accesses.
 *
 * Nothing in gfx allocates, does I/O or keeps globals. The caller owns all memory, including the register files. Execution
 * is deterministic: the same state and memory give the same next state.
 *
 * The room `wave` holds this state and the access to operands and memory. It must not know what an operation computes, or
 * which generation has it.
 */
#ifndef GFX_WAVE_WAVE_H
#define GFX_WAVE_WAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gfx/architecture/architecture.h"

/* The largest register files of all architectures. */
#define GFX_MAX_LANES 64
#define GFX_MAX_SGPRS 106
#define GFX_MAX_VGPRS 256

/* The memory that a wave accesses, as callbacks. A callback returns false, and changes nothing, if a byte of
 * the range is not mapped or not writable. `opaque` is passed to the callbacks. Addresses are global ones;
 * sizes are in bytes, 1 to 64. */
struct gfx_memory {
	void *opaque;
	bool (*read)(void *opaque, uint64_t address, void *data, size_t size);
	bool (*write)(void *opaque, uint64_t address, const void *data, size_t size);
	/* Reads instructions: 4 or 8 bytes. */
	bool (*fetch)(void *opaque, uint64_t address, void *data, size_t size);
	/* Apertures of generic addresses: private_base + offset is byte `offset` of the lane's private memory. */
	uint64_t local_base, local_limit;
	uint64_t private_base, private_limit;
	/*
	 * An access past the lds_size of the wave fails, which finds what a program does wrong. With this it is as on
	 * hardware: the workgroup has lds_room bytes; of what is behind them DS instructions read 0, and write nothing,
	 * without a word; by a generic address it fails.
	 */
	bool lenient_local;
	/* Whether an access of these bytes would succeed; no watchpoint is triggered. May be NULL: then
	 * stores and atomics read the old bytes and write them back to find out. They need to know
	 * beforehand, so that memory does not change if the access of one lane fails. */
	bool (*probe)(void *opaque, uint64_t address, size_t size, bool write);
	/* The bytes of an access, of any size, in place; NULL if it would not succeed, or if more has to be done for it
	 * than to access them. Valid until the next call of any of these. May be NULL. */
	uint8_t *(*map)(void *opaque, uint64_t address, uint64_t size, bool write);
	/* Compare and exchange: write @next if the bytes equal @old; else false, and nothing is written.
	 * Required if others write this memory. If NULL, atomics read and then write. */
	bool (*replace)(void *opaque, uint64_t address, size_t size, const void *old,
			const void *next);
	/* Called after an access to private memory, with the global address of the bytes in the wave's
	 * scratch, once for each word. May be NULL. */
	void (*note_private)(void *opaque, uint64_t address, size_t size, bool write);
};

#define GFX_SYNC_RESOURCES 64u

/* A wave's last request to global wave sync, by which waves of a whole dispatch wait for each other, or to its workgroup's barrier. */
struct gfx_sync {
	enum gfx_sync_kind {
		GFX_SYNC_INIT,	  /* set how many waves are waited for, without the last one */
		GFX_SYNC_BARRIER, /* wait for them; the last one sets the same for the next time */
		/* The workgroup's barrier of gfx12: the wave has come, or waits for those that have not. */
		GFX_SYNC_SIGNAL,
		GFX_SYNC_WAIT,
	} kind;
	uint32_t resource, value;
};

/*
 * The state of one wave. The caller provides the arrays:
 *   vgprs: register by register, of vector_words words each, lane 0 first; agprs likewise.
 *   lds: the workgroup's local memory, shared by its waves: of lds_room or lds_size bytes, whichever is more.
 *   scratch: the wave's private memory, swizzled as hardware keeps it: a byte of a lane is at
 *            gfx_private_place(). scratch_size is for the whole wave.
 */
struct gfx_wave {
	const struct gfx_architecture *architecture;
	uint32_t lane_count;
	uint64_t pc;
	uint64_t exec;
	uint32_t m0;
	uint32_t status, mode, trapsts;
	uint32_t
		sgpr_count; /* plain ones from s0 on: without vcc, flat_scratch and xnack_mask below */
	uint32_t sgprs[GFX_MAX_SGPRS];
	uint64_t vcc, flat_scratch, xnack_mask; /* vcc and exec of 32 lanes: the lower half */
	uint32_t ttmps[16];
	/* Registers of gfx12 in place of trapsts, of the exceptions that mode enables, and of a part of status. */
	uint32_t state_priv, excp_flag_priv, excp_flag_user, trap_ctrl;
	uint32_t vgpr_count, agpr_count;
	uint32_t *vgprs, *agprs;
	/* Words from one vector register to the next, if they are not as many as lanes: waves that are executed have GFX_MAX_LANES. */
	uint32_t vector_words;
	/* From gfx10 on: registers of 32 lanes behind the others, which both halves of a wave of 64 share. */
	uint32_t shared_count;
	uint32_t *shared;
	uint8_t *lds;
	uint32_t lds_size;
	uint32_t lds_room; /* bytes at lds if there are more: local memory is given in units */
	uint8_t *scratch;
	uint64_t scratch_size;
	uint64_t scratch_base; /* the global address of `scratch` */
	struct gfx_sync sync;  /* set by a step that is GFX_STEP_GLOBAL_SYNC */
	/* How many instructions the wave has executed. s_memtime and s_memrealtime return it, so that
	 * time is deterministic. */
	uint64_t instruction_count;
};

/**
 * gfx12 has registers of its own for what a wave that is executed keeps in status, mode and trapsts. Put it there, for who reads
 * the wave's registers, and take it back before the wave goes on. Waves of other generations stay as they are.
 */
void gfx_wave_part_state(struct gfx_wave *wave);
void gfx_wave_join_state(struct gfx_wave *wave);

/** Set the scalar condition code of a wave that is executed. */
void gfx_wave_set_scc(struct gfx_wave *wave, bool scc);

/** Words from one vector register of a wave to the next. */
static inline uint32_t gfx_vector_words(const struct gfx_wave *wave)
{
	return wave->vector_words ? wave->vector_words : wave->lane_count;
}

/* Details of a step whose result is not GFX_STEP_DONE. */
struct gfx_fault {
	uint32_t trap_id;
	uint32_t words[3]; /* of the instruction; 0 if not read */
	uint32_t word_count;
	uint64_t lanes;	  /* mask of the lanes whose access failed; 0 for scalar accesses */
	uint64_t address; /* of the first failed lane, or of the scalar access */
	bool write;
	bool outside_local; /* the lanes accessed local memory past lds_size; the instruction has done nothing */
	bool not_implemented; /* a valid instruction that is not implemented here */
	const char *reason;   /* static text for logs; not NULL if the step failed */
};

/* The addresses that a memory instruction accesses. */
struct gfx_access {
	enum gfx_access_space {
		GFX_ACCESS_NONE, /* it is not a memory instruction */
		GFX_ACCESS_GLOBAL,
		GFX_ACCESS_LOCAL,
		GFX_ACCESS_PRIVATE,
		GFX_ACCESS_GENERIC,
	} space;
	bool scalar;	  /* one address for the wave, in addresses[0] */
	bool read, write; /* both for a read-modify-write */
	uint32_t size;	  /* bytes per lane, of one part */
	/* ds_read2 and ds_write2 access two parts, swizzled buffers one for each word, others one. Where they are,
	 * gfx_part_address() says. */
	uint32_t parts;
	int32_t second_distance;
	/* A swizzled buffer of which a lane accesses words that are not aligned: its parts are bytes, and so far is it from one
	 * word of a record to the next. Else 0. */
	uint32_t word_distance;
	uint64_t
		lanes; /* mask of active lanes, those past the end of a buffer excluded; 1 if scalar */
	const char *not_implemented; /* why the addresses are not known, or NULL */
	uint64_t addresses[GFX_MAX_LANES];
};

/** The address of part @part of a lane's access. */
static inline uint64_t gfx_part_address(const struct gfx_access *access, uint32_t lane,
					uint32_t part)
{
	uint64_t address = access->addresses[lane], byte = address % 4 + part;

	if (access->word_distance)
		return address - address % 4 + byte / 4 * access->word_distance + byte % 4;
	return address + part * (uint64_t)(int64_t)access->second_distance;
}

#endif /* GFX_WAVE_WAVE_H */
