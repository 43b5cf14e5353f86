/* SPDX-License-Identifier: MIT */
/* A wave of gfx942 with small register files, code and data memory, and words to put into it. */
#ifndef TESTS_GFX_FIXTURE_H
#define TESTS_GFX_FIXTURE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "gfx/isa/decode.h"
#include "gfx/instruction/operation.h"
#include "gfx/wave/wave.h"

#define CODE_BASE UINT64_C(0x10000)
#define CODE_WORDS 64
#define DATA_BASE UINT64_C(0x7f0000100000)
#define DATA_SIZE 4096
#define READ_ONLY_BASE UINT64_C(0x7f0000200000) /* the same bytes, not writable */
#define LOCAL_BASE (UINT64_C(1) << 48)
#define PRIVATE_BASE (UINT64_C(2) << 48)
#define LDS_SIZE 1024
#define PRIVATE_SIZE 256 /* per lane */
#define VGPRS 32
#define AGPRS 8

#define ALL_LANES UINT64_MAX
#define MODE_DEFAULT 0x3f0U /* nearest, denormals kept, clamp and IEEE bits */

struct fixture {
	struct gfx_wave wave;
	struct gfx_memory memory;
	struct gfx_fault fault;
	uint32_t code[CODE_WORDS];
	uint8_t data[DATA_SIZE];
	uint8_t lds[LDS_SIZE];
	uint8_t scratch[PRIVATE_SIZE * GFX_MAX_LANES];
	uint32_t vgprs[VGPRS * GFX_MAX_LANES], agprs[AGPRS * GFX_MAX_LANES];
	uint32_t reads, writes; /* calls of the data callbacks */
};

/** Group set-up and teardown for cmocka: a fresh fixture for each test. */
int fixture_setup(void **state);
int fixture_teardown(void **state);

/** Let the wave be one of a GPU of gfx10 or later, of 32 or 64 lanes, all on; vector register 0 has the number of the lane. Return: the fixture. */
struct fixture *fixture_become(void **state, const char *gpu, uint32_t lanes);

/** Put @count words at the start of code memory, the pc there, and execute one instruction. */
enum gfx_step fixture_step(struct fixture *fixture, const uint32_t *words, size_t count);
#define STEP(fixture, ...)                                                                         \
	fixture_step(fixture, (const uint32_t[]){__VA_ARGS__},                                     \
		     sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
/** The same, and it must be done and have advanced the pc by all words. */
#define RUN(fixture, ...)                                                                          \
	do {                                                                                       \
		size_t count_ = sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t);        \
                                                                                                   \
		assert_int_equal(STEP(fixture, __VA_ARGS__), GFX_STEP_DONE);                       \
		assert_int_equal((fixture)->wave.pc, CODE_BASE + 4 * count_);                      \
	} while (0)

static inline uint32_t *vgpr(struct fixture *fixture, uint32_t number)
{
	return fixture->vgprs + number * GFX_MAX_LANES;
}

/** Set all lanes of a register, or of a pair. */
void set_vgpr(struct fixture *fixture, uint32_t number, uint32_t value);
void set_vgpr64(struct fixture *fixture, uint32_t number, uint64_t value);
uint64_t get_vgpr64(struct fixture *fixture, uint32_t number, uint32_t lane);
uint32_t load_data(struct fixture *fixture, size_t offset);
void store_data(struct fixture *fixture, size_t offset, uint32_t value);

uint32_t float_bits(float value);
uint64_t double_bits(double value);

/* Operand codes. */
#define S(number) ((uint32_t)(number))
#define V(number) ((uint32_t)(number) + 256)
#define VCC 106U
#define EXEC 126U
#define INLINE(value) ((value) >= 0 ? 128U + (uint32_t)(value) : 192U - (uint32_t)(value))
#define LITERAL 255U

/* First words of the encodings. */
#define SOP2(op, d, a, b) (0x80000000U | (op) << 23 | (d) << 16 | (b) << 8 | (a))
#define SOP1(op, d, a) (0xbe800000U | (d) << 16 | (op) << 8 | (a))
#define SOPC(op, a, b) (0xbf000000U | (op) << 16 | (b) << 8 | (a))
#define SOPK(op, d, k) (0xb0000000U | (op) << 23 | (d) << 16 | ((uint32_t)(k)&0xffff))
#define SOPP(op, k) (0xbf800000U | (op) << 16 | ((uint32_t)(k)&0xffff))
#define VOP1(op, d, a) (0x7e000000U | (d) << 17 | (op) << 9 | (a))
#define VOP2(op, d, a, b) ((op) << 25 | (d) << 17 | (b) << 9 | (a))
#define VOPC(op, a, b) (0x7c000000U | (op) << 17 | (b) << 9 | (a))
/* Both words. Modifiers are or-ed to either. */
#define VOP3(op, d, a, b, c) 0xd0000000U | (op) << 16 | (d), (a) | (b) << 9 | (c) << 18
#define VOP3B(op, d, s, a, b, c)                                                                   \
	0xd0000000U | (op) << 16 | (s) << 8 | (d), (a) | (b) << 9 | (c) << 18
#define VOP3P(op, d, a, b, c)                                                                      \
	0xd3804000U | (op) << 16 | (d), 0x18000000U | (a) | (b) << 9 | (c) << 18
#define DS(op, offset, d, address, data0, data1)                                                   \
	0xd8000000U | (op) << 17 | (offset),                                                       \
		(uint32_t)(d) << 24 | (uint32_t)(data1) << 16 | (data0) << 8 | (address)
#define OFF 0x7fU
#define GLOBAL(op, offset, d, address, data, base)                                                 \
	0xdc008000U | (op) << 18 | ((uint32_t)(offset)&0x1fff),                                    \
		(uint32_t)(d) << 24 | (base) << 16 | (data) << 8 | (address)
#define FLAT(op, offset, d, address, data)                                                         \
	0xdc000000U | (op) << 18 | (offset), (uint32_t)(d) << 24 | (data) << 8 | (address)
#define SCRATCH(op, offset, d, address, data, base)                                                \
	0xdc004000U | (op) << 18 | ((uint32_t)(offset)&0x1fff) |                                   \
		((address) == OFF ? 0U : 1U << 13),                                                \
		(uint32_t)(d) << 24 | (base) << 16 | (data) << 8 |                                 \
			((address) == OFF ? 0U : (address))
#define SMEM(op, d, base, offset)                                                                  \
	0xc0020000U | (op) << 18 | (uint32_t)(d) << 6 | (base) / 2, (uint32_t)(offset)&0x1fffff
#define RETURN_OLD (1U << 16) /* sc0 of a FLAT, GLOBAL or SCRATCH atomic */

#endif /* TESTS_GFX_FIXTURE_H */
