/* SPDX-License-Identifier: MIT */
/*
 * Values of waves that never ran, which say where they are. planted.c makes a trace of them, planted-core.c a core. The test that
 * reads both, check-planted.py, knows the same formulas.
 *
 * Each line of the input is a wave: "PC ENTRY FRAME RETURN PLACES VECTOR LANE". The first two are addresses of the ELF file, ENTRY
 * of its kernel; FRAME is in s33 and s32. RETURN is an address of the ELF file: in s30 and s31 if PLACES has bit 0, in two lanes of
 * a vector register, from LANE on, if it has bit 1.
 */
#ifndef TESTS_PLANTED_H
#define TESTS_PLANTED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define PLANTED_LOAD UINT64_C(0x200000000000) /* of the code object */
#define PLANTED_WAVES 256u

struct planted_wave {
	unsigned long long pc, entry, back;
	unsigned int frame, places, vector, lane;
};

/** Read the next line; false at the end. */
static inline bool planted_read(struct planted_wave *ret)
{
	return scanf("%llx %llx %x %llx %u %u %u", &ret->pc, &ret->entry, &ret->frame, &ret->back,
		     &ret->places, &ret->vector, &ret->lane) == 7;
}

/** Four bytes of a lane's private memory. @address: of the lane, a multiple of 4. */
static inline uint32_t planted_private(uint32_t lane, uint32_t address)
{
	return 0x20000000 | lane << 16 | address / 4;
}

/** Scalar register @index. */
static inline uint32_t planted_scalar(const struct planted_wave *wave, uint32_t index)
{
	uint64_t back = wave->back + PLANTED_LOAD;

	if (index == 32 || index == 33)
		return wave->frame;
	if (wave->places & 1 && (index == 30 || index == 31))
		return (uint32_t)(index == 30 ? back : back >> 32);
	return 0x50000000 | index << 8 | 1;
}

/** A lane of vector register @index. */
static inline uint32_t planted_vector(const struct planted_wave *wave, uint32_t index,
				      uint32_t lane)
{
	uint64_t back = wave->back + PLANTED_LOAD;

	if (wave->places & 2 && wave->vector == index && lane - wave->lane < 2)
		return (uint32_t)(lane == wave->lane ? back : back >> 32);
	return 0x40000000 | index << 12 | lane << 4 | 5;
}

#endif /* TESTS_PLANTED_H */
