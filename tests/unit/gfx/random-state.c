/* SPDX-License-Identifier: MIT */
#include "random-state.h"

#include "gfx/isa/tables.h"

static uint64_t random_state;

void start_random(uint64_t seed)
{
	random_state = seed;
}

uint32_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 16);
}

/* Numbers at which something happens: floats of every class, addresses in and around all memory. */
static uint32_t interesting(void)
{
	static const uint32_t values[] = {
		0,	    1,
		2,	    3,
		31,	    32,
		63,	    64,
		255,	    256,
		0xffff,	    0x7fffffff,
		0x80000000, 0xffffffff,
		0x3f800000, 0xbf800000,
		0x7f800000, 0xff800000,
		0x7fc00000, 0x7f800001,
		0x00000001, 0x80000001,
		0x7f7fffff, 0x00800000,
		0x4f000000, 0x3c003c00,
		0x7c00fc00, 0x7ff00000,
		0x000fffff, LDS_SIZE - 4,
		LDS_SIZE,   PRIVATE_SIZE - 1,
		16,	    0x3ff00000,
	};
	uint32_t random = next_random();

	if (random % 4 == 0)
		return next_random();
	return values[random / 4 % (sizeof(values) / sizeof(values[0]))];
}

/* Even registers from v4 hold an address with its upper half behind them, in some of the lanes. */
static void fill_registers(struct fixture *fixture)
{
	static const uint64_t bases[] = {DATA_BASE,	 DATA_BASE + DATA_SIZE - 64,
					 READ_ONLY_BASE, LOCAL_BASE + LDS_SIZE - 32,
					 PRIVATE_BASE,	 LOCAL_BASE};
	uint64_t base = bases[next_random() % 6];
	uint32_t stride = next_random() % 3 * 4;

	for (uint32_t i = 0; i < VGPRS * GFX_MAX_LANES; i++)
		fixture->vgprs[i] = interesting();
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint64_t address = base + lane * stride;

		vgpr(fixture, 4)[lane] = (uint32_t)address;
		vgpr(fixture, 5)[lane] = (uint32_t)(address >> 32);
		vgpr(fixture, 6)[lane] = lane * 4;
	}
	for (uint32_t i = 0; i < 102; i++)
		fixture->wave.sgprs[i] = interesting();
	fixture->wave.sgprs[8] = (uint32_t)DATA_BASE;
	fixture->wave.sgprs[9] = (uint32_t)(DATA_BASE >> 32);
}

void fill_state(struct fixture *fixture)
{
	fill_registers(fixture);
	fixture->wave.exec =
		next_random() % 4 ? (uint64_t)next_random() << 32 | next_random() : ALL_LANES;
	fixture->wave.vcc = (uint64_t)next_random() << 32 | next_random();
	fixture->wave.mode = next_random() & 0x3ff;
	fixture->wave.m0 = interesting();
	fixture->wave.sgpr_count = next_random() % 2 ? 102 : 26;
	for (uint32_t i = 0; i < DATA_SIZE; i += 4)
		store_data(fixture, i, next_random());
	memcpy(fixture->lds, fixture->data, LDS_SIZE);
}

void choose_words(uint32_t words[2])
{
	const struct gfx_encoding_row *row =
		&gfx942_encodings[next_random() % GFX942_ENCODING_COUNT];
	uint32_t random = next_random(), opcode = next_random() % row->opcode_count;

	words[0] = next_random() & ~(row->mask | row->opcode_mask << row->opcode_shift);
	words[1] = next_random();
	/* Few registers, address in v4 or v6, base in s8 or none. */
	if (random & 1)
		words[1] &= 0x1f7f0f06;
	if (random & 2)
		words[1] = (words[1] & ~0x7f0000U) | (random & 4 ? 0x7f0000 : 0x080000);
	if (row->encoding >= GFX_DS && random & 8)
		words[0] &= ~0x01fffU | (row->mask | row->opcode_mask << row->opcode_shift);
	words[0] &= ~(row->mask | row->opcode_mask << row->opcode_shift);
	words[0] |= row->value | (row->opcode_first + opcode) << row->opcode_shift;
	/* Neither the global data share nor bits that only scratch has. */
	if (row->encoding == GFX_DS || row->encoding == GFX_FLAT || row->encoding == GFX_GLOBAL)
		words[0] &= row->encoding == GFX_DS ? ~0x10000U : ~0x3000U;
	if (row->encoding == GFX_DS && random & 16)
		words[1] &= 0xff00ffff;
	if (row->encoding == GFX_FLAT)
		words[1] &= ~0x7f0000U;
}

void expect_same(const struct fixture *a, const struct fixture *b, const uint32_t *words)
{
	bool same = memcmp(a->wave.sgprs, b->wave.sgprs, sizeof(a->wave.sgprs)) == 0 &&
		    a->wave.pc == b->wave.pc && a->wave.exec == b->wave.exec &&
		    a->wave.vcc == b->wave.vcc && a->wave.status == b->wave.status &&
		    a->wave.mode == b->wave.mode && a->wave.m0 == b->wave.m0 &&
		    memcmp(a->vgprs, b->vgprs, sizeof(a->vgprs)) == 0 &&
		    memcmp(a->agprs, b->agprs, sizeof(a->agprs)) == 0 &&
		    memcmp(a->data, b->data, sizeof(a->data)) == 0 &&
		    memcmp(a->lds, b->lds, sizeof(a->lds)) == 0 &&
		    memcmp(a->scratch, b->scratch, sizeof(a->scratch)) == 0;

	if (!same)
		fail_msg("%08x %08x: the states differ", words[0], words[1]);
}

void copy_fixture(struct fixture *to, const struct fixture *from)
{
	*to = *from;
	to->memory.opaque = to;
	to->wave.vgprs = to->vgprs;
	to->wave.agprs = to->agprs;
	to->wave.lds = to->lds;
	to->wave.scratch = to->scratch;
}
