/* SPDX-License-Identifier: MIT */
/* Conversion between address spaces for a wave, and the classes of its addresses; architectures that are told apart. */
#include <stdint.h>

#include "tests/unit/with-cmocka.h"

#include <stdlib.h>
#include <string.h>

#include "dbgapi/architecture/static-info.h"

#define SCRATCH UINT64_C(0x7f0000000000)
#define NO_LANE AMD_DBGAPI_LANE_NONE
#define BAD_LANE AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID
#define BAD_WAVE AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID
#define NOT_POSSIBLE AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_CONVERSION
#define OTHER_PART AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY
#define NULL32 UINT64_C(0xffffffff)

/* Spaces, short for the tables. */
#define GLOBAL GFX_SPACE_GLOBAL
#define GENERIC GFX_SPACE_GENERIC
#define LANE GFX_SPACE_PRIVATE_LANE
#define WAVE GFX_SPACE_PRIVATE_WAVE
#define LOCAL GFX_SPACE_LOCAL

static struct wt_client client = {
	.initialized = true,
	.callbacks = {.allocate_memory = malloc, .deallocate_memory = free},
};
static struct wt_static provider;
static struct wt_address_wave wave;

static int set_up(void **state)
{
	(void)state;
	provider = wt_static_init(&client);
	wave = (struct wt_address_wave){
		.architecture = gfx_architecture_by_name("gfx942"),
		.lane_count = 64,
		.scratch_base = SCRATCH,
		.scratch_size = 64 * 0x100,
	};
	return 0;
}

static amd_dbgapi_address_space_id_t space(enum gfx_space which)
{
	return (amd_dbgapi_address_space_id_t){
		gfx_address_space_of(gfx_architecture_by_id(7), which)->id};
}

struct conversion {
	enum gfx_space from;
	uint64_t address;
	enum gfx_space to;
	uint64_t lane;
	amd_dbgapi_status_t status;
	uint64_t result, bytes;
};

static void check(const struct conversion *c)
{
	uint64_t address = 77, bytes = 88;
	amd_dbgapi_status_t status = wt_static_convert_address_space(
		&provider, &wave, (amd_dbgapi_wave_id_t){1}, (amd_dbgapi_lane_id_t)c->lane,
		space(c->from), c->address, space(c->to), &address, &bytes);

	if (status != c->status || address != (status ? 77 : c->result) ||
	    bytes != (status ? 88 : c->bytes))
		fail_msg("%#llx of %d to %d: status %d, %#llx, %#llx",
			 (unsigned long long)c->address, c->from, c->to, status,
			 (unsigned long long)address, (unsigned long long)bytes);
}

static void test_conversions(void **state)
{
	static const struct conversion cases[] = {
		/* Lanes take turns at every 4 bytes: byte 6 of lane 3 is in the second row. */
		{LANE, 6, WAVE, 3, 0, 256 + 12 + 2, 2},
		{LANE, 6, GLOBAL, 3, 0, SCRATCH + 256 + 12 + 2, 2},
		{WAVE, 256 + 12 + 2, LANE, 3, 0, 6, 2},
		{GLOBAL, SCRATCH + 256 + 12 + 2, LANE, 3, 0, 6, 2},
		{GLOBAL, SCRATCH + 256 + 12 + 2, LANE, 4, NOT_POSSIBLE, 0, 0},
		{GLOBAL, SCRATCH + 256, LANE, NO_LANE, BAD_LANE, 0, 0},
		{LANE, 6, WAVE, NO_LANE, BAD_LANE, 0, 0},
		{LANE, 6, WAVE, 64, BAD_LANE, 0, 0},
		{LANE, 0x100, WAVE, 0, NOT_POSSIBLE, 0, 0},
		{LANE, 0xff, WAVE, 63, 0, 64 * 0x100 - 1, 1},
		{WAVE, 0x10, GLOBAL, NO_LANE, 0, SCRATCH + 0x10, 64 * 0x100 - 0x10},
		{WAVE, 64 * 0x100, GLOBAL, NO_LANE, NOT_POSSIBLE, 0, 0},
		{GLOBAL, SCRATCH + 0x10, WAVE, NO_LANE, 0, 0x10, 64 * 0x100 - 0x10},
		{GLOBAL, SCRATCH - 1, WAVE, NO_LANE, NOT_POSSIBLE, 0, 0},
		{WAVE, 5, WAVE, NO_LANE, 0, 5, (UINT64_C(1) << 32) - 5},
		{LANE, 5, LANE, NO_LANE, 0, 5, (UINT64_C(1) << 32) - 5},
		/* Apertures; an address is cut to the width of its space. */
		{LOCAL, 0x20, GENERIC, NO_LANE, 0, 0x1000000000020, 0xffffffe0},
		{LANE, 0x20, GENERIC, NO_LANE, 0, 0x2000000000020, 0xffffffe0},
		{WAVE, 0x20, GENERIC, NO_LANE, NOT_POSSIBLE, 0, 0},
		{GLOBAL, 0x20, GENERIC, NO_LANE, 0, 0x20, UINT64_C(0) - 0x20},
		{GENERIC, 0x1000000000020, LOCAL, NO_LANE, 0, 0x20, 0xffffffe0},
		{GENERIC, 0x2000000000006, WAVE, 3, 0, 256 + 12 + 2, 2},
		{GENERIC, 0x2000000000006, GLOBAL, NO_LANE, BAD_LANE, 0, 0},
		{GENERIC, 0x1000000000020, GLOBAL, NO_LANE, NOT_POSSIBLE, 0, 0},
		{GENERIC, 0x1000000000020, GENERIC, NO_LANE, 0, 0x1000000000020, 0xffffffe0},
		{GENERIC, 0x20, LOCAL, NO_LANE, NOT_POSSIBLE, 0, 0},
		{LOCAL, UINT64_C(0x500000020), LOCAL, NO_LANE, 0, 0x20, 0xffffffe0},
		/* NULL stays NULL where the spaces have to do with each other. */
		{LANE, NULL32, GLOBAL, 0, 0, 0, 0},
		{WAVE, NULL32, LANE, NO_LANE, 0, NULL32, 0},
		{LOCAL, NULL32, GENERIC, NO_LANE, 0, 0, 0},
		{LOCAL, NULL32, LOCAL, NO_LANE, 0, NULL32, 0},
		{LOCAL, NULL32, GLOBAL, NO_LANE, NOT_POSSIBLE, 0, 0},
		{WAVE, NULL32, GENERIC, NO_LANE, NOT_POSSIBLE, 0, 0},
		{GENERIC, 0, GENERIC, NO_LANE, 0, 0, 0},
		{GLOBAL, 0, GLOBAL, NO_LANE, 0, 0, 0},
		{GLOBAL, 0, LOCAL, NO_LANE, NOT_POSSIBLE, 0, 0},
		{LOCAL, 0x20, LANE, 0, NOT_POSSIBLE, 0, 0},
		{LANE, 0x20, LOCAL, 0, NOT_POSSIBLE, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check(&cases[i]);
}

/* Every byte of every lane has a place of its own, and leads back. */
static void test_round_trip(void **state)
{
	static uint8_t seen[64 * 0x100];

	(void)state;
	memset(seen, 0, sizeof(seen));
	for (uint32_t lane = 0; lane < 64; lane++) {
		for (uint64_t byte = 0; byte < 0x100; byte++) {
			uint64_t address, back, bytes;

			assert_int_equal(wt_static_convert_address_space(
						 &provider, &wave, (amd_dbgapi_wave_id_t){1}, lane,
						 space(GFX_SPACE_PRIVATE_LANE), byte,
						 space(GFX_SPACE_PRIVATE_WAVE), &address, &bytes),
					 0);
			assert_false(seen[address]);
			seen[address] = 1;
			assert_int_equal(wt_static_convert_address_space(
						 &provider, &wave, (amd_dbgapi_wave_id_t){1}, lane,
						 space(GFX_SPACE_PRIVATE_WAVE), address,
						 space(GFX_SPACE_PRIVATE_LANE), &back, &bytes),
					 0);
			assert_int_equal(back, byte);
		}
	}
}

static void test_classes(void **state)
{
	static const struct {
		enum gfx_space space;
		uint64_t address;
		uint32_t lane;
		uint64_t class; /* DWARF number: 0 none, 1 global, 2 constant, 3 group, 4 private */
		amd_dbgapi_status_t status;
		int member;
	} cases[] = {
		{GFX_SPACE_PRIVATE_LANE, 0, 0, 4, 0, 1},
		{GFX_SPACE_PRIVATE_LANE, 0, 0, 0, 0, 1},
		{GFX_SPACE_PRIVATE_LANE, 0, 0, 3, 0, 0},
		{GFX_SPACE_PRIVATE_LANE, 0, NO_LANE, 4, BAD_LANE, 0},
		{GFX_SPACE_PRIVATE_WAVE, 0, NO_LANE, 4, 0, 0},
		{GFX_SPACE_PRIVATE_WAVE, 0, NO_LANE, 0, 0, 0},
		{GFX_SPACE_LOCAL, 0, NO_LANE, 3, 0, 1},
		{GFX_SPACE_LOCAL, 0, NO_LANE, 1, 0, 0},
		{GFX_SPACE_GENERIC, 0x1000000000000, NO_LANE, 3, 0, 1},
		{GFX_SPACE_GENERIC, 0x2000000000000, 5, 4, 0, 1},
		{GFX_SPACE_GENERIC, 0x2000000000000, NO_LANE, 4, BAD_LANE, 0},
		{GFX_SPACE_GENERIC, 0x2000000000000, 64, 4, BAD_LANE, 0},
		{GFX_SPACE_GENERIC, 0x1234, NO_LANE, 2, 0, 1},
		{GFX_SPACE_GENERIC, 0x1234, NO_LANE, 3, 0, 0},
		{GFX_SPACE_GLOBAL, 0x1000000000000, NO_LANE, 3, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		amd_dbgapi_address_class_id_t class;
		amd_dbgapi_address_class_state_t member = 77;

		assert_int_equal(wt_static_dwarf_address_class_to_address_class(
					 &provider, (amd_dbgapi_architecture_id_t){7},
					 cases[i].class, &class),
				 0);
		assert_int_equal(wt_static_address_is_in_address_class(
					 &provider, &wave, (amd_dbgapi_wave_id_t){1}, cases[i].lane,
					 space(cases[i].space), cases[i].address, class, &member),
				 cases[i].status);
		assert_int_equal(member, cases[i].status ? 77 : cases[i].member);
	}
}

/* What is found first when several arguments are wrong. */
static void test_order_of_checks(void **state)
{
	const amd_dbgapi_address_space_id_t bad_space = {999}, local = space(GFX_SPACE_LOCAL);
	const amd_dbgapi_wave_id_t bad_wave = {9}, no_wave = {0};
	const amd_dbgapi_address_class_id_t bad_class = {999}, group = {0x22};
	amd_dbgapi_address_class_state_t member;
	struct gfx_architecture other = *wave.architecture;
	struct wt_address_wave other_wave = wave;
	uint64_t address, bytes;

	(void)state;
	other.spaces = other.spaces + 1;
	other.space_count = 1;
	other_wave.architecture = &other;
#define CONVERT(w, id, lane, from, result)                                                         \
	wt_static_convert_address_space(&provider, w, id, lane, from, 0, local, result, &bytes)
	assert_int_equal(CONVERT(NULL, bad_wave, 0, bad_space, NULL),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(CONVERT(NULL, bad_wave, 0, bad_space, &address),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_ID);
	assert_int_equal(CONVERT(NULL, bad_wave, 0, local, &address), BAD_WAVE);
	assert_int_equal(CONVERT(NULL, no_wave, 0, local, &address), BAD_LANE);
	assert_int_equal(CONVERT(NULL, no_wave, NO_LANE, local, &address), BAD_WAVE);
	assert_int_equal(CONVERT(&other_wave, bad_wave, 64, local, &address), OTHER_PART);
	assert_int_equal(CONVERT(&wave, bad_wave, 64, local, &address), BAD_LANE);
#undef CONVERT
#define IN_CLASS(w, id, lane, in, class, result)                                                   \
	wt_static_address_is_in_address_class(&provider, w, id, lane, in, 0, class, result)
	assert_int_equal(IN_CLASS(NULL, bad_wave, 0, bad_space, bad_class, NULL),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_CLASS_ID);
	assert_int_equal(IN_CLASS(NULL, bad_wave, 0, bad_space, group, NULL),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(IN_CLASS(NULL, bad_wave, 0, bad_space, group, &member),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_ID);
	assert_int_equal(IN_CLASS(NULL, bad_wave, 0, local, group, &member), BAD_WAVE);
	assert_int_equal(IN_CLASS(NULL, no_wave, 0, local, group, &member), BAD_LANE);
	assert_int_equal(IN_CLASS(&other_wave, bad_wave, 64, local, group, &member), OTHER_PART);
#undef IN_CLASS
}

/* As it is asked since 0.81: of a process, which without a wave answers for generic addresses. */
static void test_of_a_process(void **state)
{
	const amd_dbgapi_address_space_id_t global = space(GLOBAL), generic = space(GENERIC);
	const amd_dbgapi_wave_id_t no_wave = AMD_DBGAPI_WAVE_NONE, bad_wave = {99}, one = {1};
	uint64_t address, bytes;

	(void)state;
#define CONVERT(process, w, id, lane, from, of, to)                                                \
	wt_static_convert_address_space_of(&provider, process, w, id, lane, from, of, to,          \
					   &address, &bytes)
	assert_int_equal(CONVERT(false, NULL, bad_wave, 0, global, 0x10, global),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID);
	assert_int_equal(CONVERT(true, NULL, bad_wave, NO_LANE, global, 0x10, global), BAD_WAVE);
	assert_int_equal(CONVERT(true, NULL, no_wave, 0, global, 0x10, global), BAD_LANE);
	assert_int_equal(CONVERT(true, NULL, no_wave, NO_LANE, space(LOCAL), 0x10, global),
			 BAD_WAVE);
	assert_int_equal(CONVERT(true, NULL, no_wave, NO_LANE, generic, 0x10, generic), BAD_WAVE);
	assert_int_equal(CONVERT(true, NULL, no_wave, NO_LANE, generic, 0x10, global), 0);
	assert_int_equal(address, 0x10);
	assert_int_equal(bytes, UINT64_MAX - 0x10 + 1);
	assert_int_equal(CONVERT(true, NULL, no_wave, NO_LANE, generic, 0, global), 0);
	assert_int_equal(address, 0);
	assert_int_equal(bytes, 0);
	assert_int_equal(CONVERT(true, NULL, no_wave, NO_LANE, generic,
				 wave.architecture->local_aperture | 0x10, global),
			 NOT_POSSIBLE);
	assert_int_equal(CONVERT(true, &wave, one, 3, generic,
				 wave.architecture->private_aperture | 0x10, global),
			 0);
	assert_int_equal(address, SCRATCH + 4 * 256 + 3 * 4);
#undef CONVERT
}

/* Between the two private spaces it does not matter where the memory is; and where there is none, nothing is there. */
static void test_where_it_is_unknown(void **state)
{
	static const struct conversion cases[] = {
		{LANE, 6, WAVE, 3, 0, 256 + 12 + 2, 2},
		{WAVE, 256 + 12 + 2, LANE, 3, 0, 6, 2},
		{LANE, 6, GLOBAL, 3, AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE, 0, 0},
		{WAVE, 0x10, GLOBAL, NO_LANE, AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE, 0, 0},
		{GLOBAL, SCRATCH, WAVE, NO_LANE, AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE, 0, 0},
		{LANE, NULL32, GLOBAL, 0, 0, 0, 0},
	};
	static const struct conversion none = {WAVE, 0x10, GLOBAL, NO_LANE, NOT_POSSIBLE, 0, 0};

	wave.scratch_unplaced = true;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(&cases[i]);
	wave.scratch_size = 0;
	check(&none);
	set_up(state);
}

#define UNKNOWN AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE

/* How large the memory is, is not known, but that it is no smaller than so much: neither is where it ends. */
static void test_where_the_end_is_unknown(void **state)
{
	static const struct conversion cases[] = {
		{LANE, 6, WAVE, 3, 0, 256 + 12 + 2, 2},
		{LANE, 6, GLOBAL, 3, 0, SCRATCH + 256 + 12 + 2, 2},
		{WAVE, 256 + 12 + 2, LANE, 3, 0, 6, 2},
		{GLOBAL, SCRATCH + 256 + 12 + 2, LANE, 3, 0, 6, 2},
		{GLOBAL, SCRATCH + 256 + 12 + 2, LANE, 4, NOT_POSSIBLE, 0, 0},
		{LANE, 0x100, WAVE, 3, UNKNOWN, 0, 0},
		{LANE, 0x100, GLOBAL, 3, UNKNOWN, 0, 0},
		{WAVE, 64 * 0x100, LANE, 0, UNKNOWN, 0, 0},
		{WAVE, 0x10, GLOBAL, NO_LANE, UNKNOWN, 0, 0},
		{GLOBAL, SCRATCH + 0x10, WAVE, NO_LANE, UNKNOWN, 0, 0},
		{LANE, 0x100, WAVE, NO_LANE, BAD_LANE, 0, 0},
		{WAVE, 5, WAVE, NO_LANE, 0, 5, (UINT64_C(1) << 32) - 5},
		{WAVE, NULL32, GLOBAL, NO_LANE, 0, 0, 0},
		{LANE, 0x20, LOCAL, 0, NOT_POSSIBLE, 0, 0},
	};
	static const struct conversion newer[] = {
		{WAVE, 5, WAVE, NO_LANE, UNKNOWN, 0, 0},
		{LANE, 5, LANE, NO_LANE, UNKNOWN, 0, 0},
		{LANE, 5, GENERIC, NO_LANE, UNKNOWN, 0, 0},
	};
	/* Nothing at all is known of it. */
	static const struct conversion nothing[] = {
		{LANE, 6, WAVE, 3, UNKNOWN, 0, 0},
		{WAVE, 0x10, GLOBAL, NO_LANE, UNKNOWN, 0, 0},
		{GLOBAL, SCRATCH, WAVE, NO_LANE, UNKNOWN, 0, 0},
	};

	wave.scratch_unsized = true;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(&cases[i]);
	provider.address_level = 79;
	for (size_t i = 0; i < sizeof(newer) / sizeof(*newer); i++)
		check(&newer[i]);
	wave.scratch_unplaced = true;
	wave.scratch_size = 0;
	for (size_t i = 0; i < sizeof(nothing) / sizeof(*nothing); i++)
		check(&nothing[i]);
	set_up(state);
}

/* Newer libraries count private bytes to the end of the memory, and know a NULL of every space in a generic one. */
static void test_newer_rules(void **state)
{
	static const struct conversion cases[] = {
		{WAVE, 5, WAVE, NO_LANE, 0, 5, 64 * 0x100 - 5},
		{LANE, 5, LANE, NO_LANE, 0, 5, 0x100 - 5},
		{LANE, 0x101, LANE, NO_LANE, 0, 0x101, UINT64_MAX},
		{LANE, 0x20, GENERIC, NO_LANE, 0, 0x2000000000020, 0xe0},
		{GENERIC, 0x2000000000020, GENERIC, NO_LANE, 0, 0x2000000000020, 0xe0},
		{GENERIC, 0x2000000000020, LANE, NO_LANE, 0, 0x20, 0xe0},
		{GENERIC, 0x2000000000006, WAVE, 3, 0, 256 + 12 + 2, 2},
		{GLOBAL, 0x20, GENERIC, NO_LANE, 0, 0x20, UINT64_C(0) - 0x20},
		{LOCAL, 0x20, LOCAL, NO_LANE, 0, 0x20, 0xffffffe0},
		{LOCAL, 0x20, GENERIC, NO_LANE, UNKNOWN, 0, 0},
		{GENERIC, 0, LOCAL, NO_LANE, 0, NULL32, 0},
		{GENERIC, 0, LANE, NO_LANE, 0, NULL32, 0},
		{GENERIC, 0, WAVE, NO_LANE, 0, NULL32, 0},
		{GENERIC, 0, GLOBAL, NO_LANE, 0, 0, 0},
		{GLOBAL, 0, LOCAL, NO_LANE, NOT_POSSIBLE, 0, 0},
		{LOCAL, NULL32, GENERIC, NO_LANE, 0, 0, 0},
		{LOCAL, NULL32, GLOBAL, NO_LANE, NOT_POSSIBLE, 0, 0},
	};
	static const struct conversion between[] = {
		{WAVE, 5, WAVE, NO_LANE, UNKNOWN, 0, 0},
		{LANE, 0x20, GENERIC, NO_LANE, UNKNOWN, 0, 0},
		{WAVE, 0x10, GLOBAL, NO_LANE, 0, SCRATCH + 0x10, 64 * 0x100 - 0x10},
		{GENERIC, 0, LOCAL, NO_LANE, NOT_POSSIBLE, 0, 0},
	};
	const amd_dbgapi_wave_id_t no_wave = AMD_DBGAPI_WAVE_NONE;
	uint64_t address, bytes;

	provider.address_level = 80;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(&cases[i]);
	assert_int_equal(wt_static_convert_address_space(&provider, NULL, no_wave, NO_LANE,
							 space(GENERIC), 0x10, space(GLOBAL),
							 &address, &bytes),
			 BAD_WAVE);
	assert_int_equal(wt_static_convert_address_space_of(&provider, true, NULL, no_wave, NO_LANE,
							    space(GENERIC), 0x10, space(GLOBAL),
							    &address, &bytes),
			 0);
	assert_int_equal(address, 0x10);
	/* Libraries of both kinds have this number. */
	provider.address_level = 78;
	for (size_t i = 0; i < sizeof(between) / sizeof(*between); i++)
		check(&between[i]);
	set_up(state);
}

#define PC UINT64_C(0x700000522)

/* With a second architecture of other ids, what belongs to the other one is told apart. */
static void test_two_architectures(void **state)
{
	static const struct gfx_register_class_info classes[GFX_CLASS_COUNT] = {
		{901, "general"}, {902, "system"}, {903, "trap"}, {904, "vector"}, {905, "scalar"}};
	struct gfx_architecture other = *gfx_architecture_by_id(7);
	const struct gfx_architecture *const list[] = {gfx_architecture_by_id(7), &other};
	const struct wt_static two = {
		.client = &client, .architectures = list, .architecture_count = 2};
	amd_dbgapi_register_class_state_t member;
	char *name = NULL;

	(void)state;
	other.id = 40;
	other.name = "gfxnew";
	other.classes = classes;
	assert_int_equal(wt_static_architecture_get_info(&two, (amd_dbgapi_architecture_id_t){40},
							 1, sizeof(name), &name),
			 0);
	assert_string_equal(name, "gfxnew");
	free(name);
	assert_int_equal(
		wt_static_register_is_in_register_class(&two, (amd_dbgapi_register_class_id_t){901},
							(amd_dbgapi_register_id_t){PC}, &member),
		AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY);
	assert_int_equal(wt_static_register_is_in_register_class(
				 &two, (amd_dbgapi_register_class_id_t){901},
				 (amd_dbgapi_register_id_t){UINT64_C(40) << 32 | 0x522}, &member),
			 0);
	assert_int_equal(member, AMD_DBGAPI_REGISTER_CLASS_STATE_MEMBER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conversions),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_order_of_checks),
		cmocka_unit_test(test_of_a_process),
		cmocka_unit_test(test_where_it_is_unknown),
		cmocka_unit_test(test_where_the_end_is_unknown),
		cmocka_unit_test(test_newer_rules),
		cmocka_unit_test(test_two_architectures),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
