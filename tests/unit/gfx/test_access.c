/* SPDX-License-Identifier: MIT */
/* gfx_decode_access: addresses from named registers, without a wave. */
#include "fixture.h"
#include "gfx/isa/touched-memory.h"

#include <stdio.h>

/* Registers by name, as a recording would have them; a name it lacks is not known. */
struct registers {
	uint64_t exec;
	bool no_vectors;
	uint32_t asked;
};

static bool read_register(void *opaque, const char *name, uint32_t lane, uint64_t *value)
{
	struct registers *registers = opaque;
	unsigned int number;

	registers->asked++;
	if (strcmp(name, "exec") == 0)
		*value = registers->exec;
	else if (strcmp(name, "vcc") == 0)
		*value = UINT64_C(0x200001000);
	else if (sscanf(name, "s%u", &number) == 1)
		*value = 0x1000 + number;
	else if (sscanf(name, "v%u", &number) == 1 && !registers->no_vectors)
		*value = number % 2 ? 1 : 0x100 + lane * 8;
	else
		return false;
	return true;
}

static bool decode(struct registers *registers, const uint32_t *words, struct gfx_access *access)
{
	return gfx_decode_access(gfx_architecture_by_name("gfx942"), words, 2, read_register,
				 registers, access);
}
#define DECODE(registers, access, ...) decode(registers, (const uint32_t[]){__VA_ARGS__}, access)

static void test_vector(void **state)
{
	struct registers registers = {.exec = 0x8001};
	struct gfx_access access;

	(void)state;
	assert_true(DECODE(&registers, &access, GLOBAL(21U, -8, 2U, 4U, 0U, OFF)));
	assert_int_equal(access.space, GFX_ACCESS_GLOBAL);
	assert_true(access.read && !access.write && !access.scalar);
	assert_int_equal(access.size, 8);
	assert_int_equal(access.parts, 1);
	assert_true(access.lanes == 0x8001);
	assert_true(access.addresses[0] == UINT64_C(0x1000000f8));
	assert_true(access.addresses[15] == UINT64_C(0x1000000f8) + 120);
	/* With a scalar base, of vcc here. */
	assert_true(DECODE(&registers, &access, GLOBAL(28U, 4, 0U, 4U, 2U, VCC)));
	assert_true(access.write && !access.read);
	assert_true(access.addresses[15] == UINT64_C(0x200001000) + 0x100 + 120 + 4);
	assert_true(DECODE(&registers, &access, FLAT(66U, 0U, 0U, 4U, 2U)));
	assert_int_equal(access.space, GFX_ACCESS_GENERIC);
	assert_true(access.read && access.write);
	assert_true(DECODE(&registers, &access, SCRATCH(20U, 16, 0U, 4U, 2U, 32U)));
	assert_int_equal(access.space, GFX_ACCESS_PRIVATE);
	assert_int_equal(access.addresses[15], 0x1020 + 0x100 + 120 + 16);
	assert_true(DECODE(&registers, &access, SCRATCH(20U, 16, 0U, OFF, 2U, OFF)));
	assert_int_equal(access.addresses[15], 16);
}

static void test_local(void **state)
{
	struct registers registers = {.exec = 1};
	struct gfx_access access;

	(void)state;
	assert_true(DECODE(&registers, &access, DS(54U, 12U, 0U, 4U, 0U, 0U)));
	assert_int_equal(access.space, GFX_ACCESS_LOCAL);
	assert_int_equal(access.addresses[0], 0x10c);
	assert_true(DECODE(&registers, &access, DS(78U, 3U | 1U << 8, 0U, 4U, 0U, 0U)));
	assert_int_equal(access.size, 8);
	assert_int_equal(access.parts, 2);
	assert_int_equal(access.addresses[0], 0x118);
	assert_int_equal(access.second_distance, -16);
}

static void test_scalar(void **state)
{
	struct registers registers = {.exec = 0};
	struct gfx_access access;

	(void)state;
	assert_true(DECODE(&registers, &access, SMEM(2U, 8U, 4U, 0x13)));
	assert_true(access.scalar && access.read);
	assert_int_equal(access.size, 16);
	assert_true(access.lanes == 1);
	assert_true(access.addresses[0] == UINT64_C(0x100500001014));
}

static void test_none(void **state)
{
	struct registers registers = {.exec = 1};
	struct gfx_access access;

	(void)state;
	assert_true(DECODE(&registers, &access, VOP2(52U, 0U, V(1), 2U), 0));
	assert_int_equal(access.space, GFX_ACCESS_NONE);
	assert_true(access.lanes == 0);
	assert_true(DECODE(&registers, &access, DS(63U, 0U, 8U, 4U, 2U, 0U)));
	assert_int_equal(access.space, GFX_ACCESS_NONE);
	assert_int_equal(registers.asked, 0);
}

/* gfx950 has the instructions of gfx942, gfx1154 those of gfx1153, and some more. The same words are others in another generation. */
static void test_alike(void **state)
{
	struct registers registers = {.exec = 0x8001};
	const uint32_t load[] = {GLOBAL(21U, -8, 2U, 4U, 0U, OFF)};
	struct gfx_access access;

	(void)state;
	assert_true(gfx_decode_access(gfx_architecture_by_name("gfx950"), load, 2, read_register,
				      &registers, &access));
	assert_int_equal(access.size, 8);
	assert_true(access.addresses[15] == UINT64_C(0x1000000f8) + 120);
	/* global_load_b64 v[0:1], v[4:5], off offset:-8 */
	assert_true(gfx_decode_access(gfx_architecture_by_name("gfx1154"),
				      (const uint32_t[]){0xdc561ff8, 0x007c0004}, 2, read_register,
				      &registers, &access));
	assert_int_equal(access.size, 8);
	assert_true(access.addresses[15] == UINT64_C(0x1000000f8) + 120);
	for (size_t i = 0; i < gfx_architecture_count(); i++) {
		const struct gfx_architecture *a = gfx_architecture_at(i);

		if (a->generation != GFX_GENERATION_9)
			assert_false(
				gfx_decode_access(a, load, 2, read_register, &registers, &access));
	}
}

static void test_not_known(void **state)
{
	struct registers registers = {.exec = 1, .no_vectors = true};
	const uint32_t load[] = {GLOBAL(20U, 0, 2U, 4U, 0U, OFF)};
	struct gfx_access access = {.size = 99};

	(void)state;
	assert_false(decode(&registers, load, &access));
	assert_false(DECODE(&registers, &access, 0xf8000000, 0));
	assert_false(gfx_decode_access(gfx_architecture_by_name("gfx942"), load, 1, read_register,
				       &registers, &access));
	assert_int_equal(access.size, 99);
	/* Nothing of a lane that is off is asked for. */
	registers.exec = 0;
	assert_true(decode(&registers, load, &access));
	assert_true(access.lanes == 0);
}

/* Without a register: what an instruction is says it. */
static void test_touches_memory(void **state)
{
	static const struct {
		uint32_t words[2];
		bool touches;
	} cases[] = {
		{{GLOBAL(21U, -8, 2U, 4U, 0U, OFF)}, true},
		{{0xc0020003, 0x10}, true}, /* s_load_dword */
		{{0xd8d80000, 0x01}, true}, /* ds_read_b64 */
		{{0xbf800000, 0}, false},   /* s_nop */
		{{0x7e000301, 0}, false},   /* v_mov_b32 */
		{{0xf8000000, 0}, false},   /* none */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(gfx_decode_touches_memory(gfx_architecture_by_name("gfx942"),
							   cases[i].words, 2),
				 cases[i].touches);
	/* one that has another's tables, one whose words are others, half of an instruction, and none at all */
	assert_true(
		gfx_decode_touches_memory(gfx_architecture_by_name("gfx950"), cases[0].words, 2));
	assert_false(
		gfx_decode_touches_memory(gfx_architecture_by_name("gfx942"), cases[0].words, 1));
	assert_false(
		gfx_decode_touches_memory(gfx_architecture_by_name("gfx942"), cases[0].words, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_touches_memory), cmocka_unit_test(test_vector),
		cmocka_unit_test(test_local),	       cmocka_unit_test(test_scalar),
		cmocka_unit_test(test_none),	       cmocka_unit_test(test_not_known),
		cmocka_unit_test(test_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
