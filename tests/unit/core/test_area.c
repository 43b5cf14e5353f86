/* SPDX-License-Identifier: MIT */
/* Context save areas made word by word, for each family. */
#include "tests/unit/core/memory.h"

#include <amd-dbgapi/amd-dbgapi.h>

#define AT (MEMORY_ADDRESS + 0x100)
#define STACK 64u /* where it begins */

static const struct wt_save_area_layout *layout_of(const char *name)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_name(name);

	assert_non_null(architecture);
	return wt_save_area_layout_find(architecture);
}

/* Put an area: @words after the two of no interest, then room for the waves. Return: its size. */
static uint64_t put_area(struct memory *memory, const uint32_t *words, uint32_t count,
			 uint32_t waves_size)
{
	uint32_t stack = 4 * (2 + count), end = STACK + stack + waves_size;

	memory_put32(memory, AT, STACK);
	memory_put32(memory, AT + 4, stack);
	memory_put32(memory, AT + 8, end);
	memory_put32(memory, AT + 12, waves_size);
	/* Looks like a wave and a state, but is skipped. */
	memory_put32(memory, AT + STACK, 5);
	memory_put32(memory, AT + STACK + 4, 0x80000000);
	for (uint32_t i = 0; i < count; i++)
		memory_put32(memory, AT + STACK + 8 + 4 * i, words[i]);
	return end;
}

struct places {
	struct wt_save_area_wave places[4];
	size_t count;
};

static struct wt_error *keep(void *opaque, const struct wt_save_area_wave *place)
{
	struct places *places = opaque;

	assert_in_range(places->count, 0, 3);
	places->places[places->count++] = *place;
	return NULL;
}

static struct wt_error *walk(struct memory *memory, const char *name, uint64_t size,
			     struct places *places)
{
	const struct wt_memory_view view = memory_view(memory);

	places->count = 0;
	return wt_save_area_walk(layout_of(name), &view, AT, size, keep, places);
}

/* Words of a state and of a wave for each family, and what they mean: from the tables of the format. */
static const struct family {
	const char *name;
	uint32_t state[2];
	uint32_t state_words;
	uint32_t wave;
	uint32_t lanes, vgprs, agprs, shared, sgprs, lds, slot, engine, unused;
} families[] = {
	/* vector registers (5+1)*4, scalar (6+1)*16-16, local memory 3*512 */
	{"gfx900",
	 {0x80000000 | 5 | 6 << 6 | 3 << 9},
	 1,
	 0x1ab | 2 << 11 | 1 << 15 | 1 << 16 | 1 << 17,
	 64,
	 24,
	 0,
	 0,
	 96,
	 1536,
	 0x1ab,
	 2,
	 64},
	{"gfx906",
	 {0x80000000 | 0 | 1 << 6 | 256 << 9},
	 1,
	 0x1ff | 3 << 11 | 3 << 15 | 1 << 17,
	 64,
	 4,
	 0,
	 0,
	 16,
	 131072,
	 0x1ff,
	 3,
	 64},
	/* as many accumulation registers as vector registers */
	{"gfx908",
	 {0x80000000 | 5 | 6 << 6 | 3 << 9},
	 1,
	 0x0ab | 7 << 11 | 7 << 15,
	 64,
	 24,
	 24,
	 0,
	 96,
	 1536,
	 0x0ab,
	 7,
	 64},
	/* (5+1)*8 of both kinds, (3+1)*4 vector registers */
	{"gfx90a",
	 {0x80000000 | 5 | 7 << 6 | 3 << 9 | 3 << 24},
	 1,
	 0x155 | 5 << 9 | 7 << 15,
	 64,
	 16,
	 32,
	 0,
	 112,
	 1536,
	 0x155,
	 5,
	 64},
	{"gfx942",
	 {0x80000000 | 63 | 6 << 6 | 128 << 9 | 31 << 24},
	 1,
	 0x0aa | 3 << 9 | 7 << 15,
	 64,
	 128,
	 384,
	 0,
	 96,
	 65536,
	 0x0aa,
	 3,
	 64},
	/* the same but for local memory, 128*1280 */
	{"gfx950",
	 {0x80000000 | 63 | 6 << 6 | 128 << 9 | 31 << 24},
	 1,
	 0x0aa | 3 << 9 | 1 << 15 | 1 << 17,
	 64,
	 128,
	 384,
	 0,
	 96,
	 163840,
	 0x0aa,
	 3,
	 64},
	/* waves of 32 lanes: (5+1)*8 */
	{"gfx1010",
	 {0x80000000 | 5 | 3 << 10 | 1 << 24, 0x80000000},
	 2,
	 0x3ab | 1 << 11 | 1 << 12 | 3 << 24 | 1 << 29,
	 32,
	 48,
	 0,
	 0,
	 128,
	 1536,
	 0x3ab,
	 3,
	 0},
	/* waves of 64 lanes: (5+1)*4, and 2*8 shared ones */
	{"gfx1030",
	 {0x80000000 | 5 | 3 << 10 | 2 << 26, 0x40000000},
	 2,
	 0x2ab | 1 << 11 | 1 << 12 | 2 << 24 | 1 << 29,
	 64,
	 24,
	 0,
	 16,
	 128,
	 1536,
	 0x2ab,
	 2,
	 0},
	{"gfx1100",
	 {0x80000000 | 31 | 128 << 10 | 1 << 24, 0},
	 2,
	 0x3ff | 1 << 11 | 1 << 12 | 7 << 24 | 1 << 29,
	 32,
	 256,
	 0,
	 0,
	 128,
	 65536,
	 0x3ff,
	 7,
	 0},
	{"gfx1152",
	 {0x80000000 | 31 | 128 << 10 | 1 << 24, 0},
	 2,
	 0x3ff | 1 << 11 | 1 << 12 | 7 << 24 | 1 << 29,
	 32,
	 256,
	 0,
	 0,
	 128,
	 65536,
	 0x3ff,
	 7,
	 0},
	{"gfx1200",
	 {0x80000000 | 7 | 1 << 10, 0xffffffff},
	 2,
	 1 << 11 | 1 << 12 | 5 << 24,
	 64,
	 32,
	 0,
	 0,
	 128,
	 512,
	 0,
	 5,
	 0},
};

static uint32_t wave_size(const struct family *family, bool first)
{
	return family->unused + (first ? family->lds : 0) + 128 + 4 * family->sgprs +
	       4 * family->lanes * (family->vgprs + family->agprs) + 128 * family->shared;
}

static bool is_first(const struct family *family)
{
	return family->wave >> (family->state_words == 2 ? 12 : 17) & 1;
}

static void check_place(const struct family *family, const struct wt_save_area_wave *place,
			uint64_t top)
{
	bool first = is_first(family);

	assert_int_equal(place->sizes.lane_count, family->lanes);
	assert_int_equal(place->sizes.vgpr_count, family->vgprs);
	assert_int_equal(place->sizes.agpr_count, family->agprs);
	assert_int_equal(place->sizes.shared_count, family->shared);
	assert_int_equal(place->sizes.sgpr_count, family->sgprs);
	assert_int_equal(place->sizes.lds_size, family->lds);
	assert_int_equal(place->slot, family->slot);
	assert_int_equal(place->engine, family->engine);
	assert_int_equal(place->scratch, 1);
	assert_int_equal(place->first, first);
	assert_int_equal(place->end, top);
	top -= family->unused;
	top -= first ? family->lds : 0;
	assert_int_equal(place->lds, first ? top : 0);
	assert_int_equal(place->ttmps, top - 64);
	assert_int_equal(place->hwregs, top - 128);
	top -= 128 + 4 * family->sgprs;
	assert_int_equal(place->sgprs, top);
	top -= 4 * family->lanes * family->agprs;
	assert_int_equal(place->agprs, top);
	top -= 128 * family->shared;
	assert_int_equal(place->shared, top);
	top -= 4 * family->lanes * family->vgprs;
	assert_int_equal(place->vgprs, top);
	assert_int_equal(place->begin, top);
}

static void test_families(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		const struct family *family = &families[i];
		uint32_t words[6] = {0x40000001}, count = 1; /* an event, first */
		uint32_t size = wave_size(family, is_first(family));
		struct memory *memory = memory_clear();
		struct places places;
		uint64_t total;

		for (uint32_t w = 0; w < family->state_words; w++)
			words[count++] = family->state[w];
		words[count++] = family->wave;
		words[count++] = 0xc0000000; /* an event, whatever else it looks like */
		words[count++] = family->wave;
		total = put_area(memory, words, count, 2 * size);
		assert_null(walk(memory, family->name, total, &places));
		assert_int_equal(places.count, 2);
		check_place(family, &places.places[0], AT + total);
		check_place(family, &places.places[1], AT + total - size);
	}
}

static void test_wrong_areas(void **state)
{
	const uint32_t words[] = {0x80000000 | 1 << 6, 1 << 17, 1 << 16};
	const uint32_t size = 64 + 128 + 64 + 4 * 256;
	struct memory *memory = memory_clear();
	struct places places;
	uint64_t total = put_area(memory, words, 3, 2 * size);
	static const struct {
		uint32_t offset, value;
		const char *part;
	} wrongs[] = {
		{0, 68, "do not follow"},
		{0, UINT32_MAX, "outside"},
		{4, 21, "outside"},
		{4, UINT32_MAX - 3, "outside"},
		{4, 16, "do not follow"},
		{8, UINT32_MAX, "outside"},
		{8, 0, "outside"},
		{12, UINT32_MAX, "outside"},
		{12, 0, "do not follow"},
		{STACK + 8, 1, "before the first state"},
		{STACK + 8, 0x80000001 | 1 << 6, "more waves than"},
		{STACK + 16, 0x40000000, "fewer waves than"},
	};

	(void)state;
	assert_null(walk(memory, "gfx900", total, &places));
	assert_int_equal(places.count, 2);
	memory_expect_error(walk(memory, "gfx900", total - 1, &places), WT_ERROR_INPUT, "outside");
	memory_expect_error(walk(memory, "gfx900", 8, &places), WT_ERROR_NOT_FOUND, "head");
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(*wrongs); i++) {
		put_area(memory, words, 3, 2 * size);
		memory_put32(memory, AT + wrongs[i].offset, wrongs[i].value);
		memory_expect_error(walk(memory, "gfx900", total, &places), WT_ERROR_INPUT,
				    wrongs[i].part);
	}
	put_area(memory, words, 3, 2 * size);
	memory->size = AT - MEMORY_ADDRESS + 20;
	memory_expect_error(walk(memory, "gfx900", total, &places), WT_ERROR_NOT_FOUND, "head");
	memory->size = AT - MEMORY_ADDRESS + STACK + 4;
	memory_expect_error(walk(memory, "gfx900", total, &places), WT_ERROR_NOT_FOUND, "control");
	/* No control stack: nothing was saved. */
	memory = memory_clear();
	assert_null(walk(memory, "gfx900", 4096, &places));
	assert_int_equal(places.count, 0);
}

/* Any words: the walk ends, and every part of every wave is within the area. */
static struct wt_error *check_inside(void *opaque, const struct wt_save_area_wave *place)
{
	const uint64_t *bounds = opaque;

	assert_in_range(place->begin, bounds[0], bounds[1]);
	assert_in_range(place->end, place->begin, bounds[1]);
	assert_in_range(place->ttmps, place->begin, place->end - 64);
	return NULL;
}

static void test_any_words(void **state)
{
	uint32_t random = 7;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		const struct family *family =
			&families[(size_t)round % (sizeof(families) / sizeof(*families))];
		struct memory *memory = memory_clear();
		const struct wt_memory_view view = memory_view(memory);
		uint32_t words[12];
		uint64_t bounds[2];

		for (size_t i = 0; i < 12; i++) {
			random = random * 1664525 + 1013904223;
			words[i] = random >> 3 ^ random << 13;
			words[i] &= i % 3 ? 0x3fffffff : UINT32_MAX;
		}
		bounds[0] = AT;
		bounds[1] = AT + put_area(memory, words, 12, 400000);
		wt_error_destroy(wt_save_area_walk(layout_of(family->name), &view, AT,
						   bounds[1] - AT, check_inside, bounds));
	}
}

/* ---- What is in a wave ---- */

static void put_wave(struct memory *memory, const struct wt_save_area_wave *place)
{
	for (uint32_t i = 0; i < 16; i++) {
		memory_put32(memory, place->ttmps + 4 * i, 0);
		memory_put32(memory, place->hwregs + 4 * i, 0x100 + i);
	}
	for (uint32_t i = 0; i < place->sizes.sgpr_count; i++)
		memory_put32(memory, place->sgprs + 4 * i, 0x200 + i);
}

static void load(struct memory *memory, const char *name, const struct wt_save_area_wave *place,
		 struct gfx_wave *wave, struct wt_saved_wave_state *state)
{
	const struct wt_memory_view view = memory_view(memory);

	const struct wt_saved_wave_setup setup = {.ttmps_set_up = true, .r_debug_version = 10};

	*wave = (struct gfx_wave){.architecture = gfx_architecture_by_name(name)};
	assert_true(wt_saved_wave_load(layout_of(name), &view, place, &setup, wave, state));
}

static void get_place(struct memory *memory, const char *name, uint32_t state_word,
		      uint32_t waves_size, struct wt_save_area_wave *place)
{
	const uint32_t words[] = {state_word, 3 << 16};
	struct places places;
	uint64_t total = put_area(memory, words, 2, waves_size);

	assert_null(walk(memory, name, total, &places));
	*place = places.places[0];
}

static void test_registers(void **state)
{
	struct memory *memory = memory_clear();
	const struct wt_memory_view view = memory_view(memory);
	struct wt_saved_wave_state handler;
	uint32_t vgprs[4 * 64];
	struct wt_save_area_wave place;
	struct gfx_wave wave;

	(void)state;
	get_place(memory, "gfx900", 0x80000000 | 7 << 6, 64 + 128 + 4 * 112 + 1024, &place);
	put_wave(memory, &place);
	load(memory, "gfx900", &place, &wave, &handler);
	assert_int_equal(wave.m0, 0x100);
	assert_int_equal(wave.pc, UINT64_C(0x10200000101));
	assert_int_equal(wave.exec, UINT64_C(0x10400000103));
	assert_int_equal(wave.status, 0x105);
	assert_int_equal(wave.trapsts, 0x106);
	assert_int_equal(wave.xnack_mask, UINT64_C(0x10800000107));
	assert_int_equal(wave.mode, 0x109);
	assert_false(handler.stopped);
	/* Of 112 the first 108 have names; the last six of these are special. */
	wave.lane_count = 64;
	wave.sgpr_count = wt_saved_wave_plain_sgprs(layout_of("gfx900"), 112);
	wave.vgpr_count = 4;
	wave.vgprs = vgprs;
	memory_put32(memory, place.vgprs + 256 + 8, 0x777);
	assert_int_equal(wave.sgpr_count, 102);
	assert_true(wt_saved_wave_load_registers(layout_of("gfx900"), &view, &place, &wave));
	assert_int_equal(wave.sgprs[101], 0x200 + 101);
	assert_int_equal(wave.flat_scratch, UINT64_C(0x26700000266));
	assert_int_equal(wave.vcc, UINT64_C(0x26b0000026a));
	assert_int_equal(vgprs[64 + 2], 0x777);
	memory->size = place.sgprs - MEMORY_ADDRESS;
	assert_false(wt_saved_wave_load_registers(layout_of("gfx900"), &view, &place, &wave));
	assert_int_equal(wt_saved_wave_plain_sgprs(layout_of("gfx900"), 16), 10);
	assert_int_equal(wt_saved_wave_plain_sgprs(layout_of("gfx900"), 0), 0);
}

static void test_handler(void **state)
{
	struct memory *memory = memory_clear();
	struct wt_saved_wave_state handler;
	struct wt_save_area_wave place;
	struct gfx_wave wave;

	(void)state;
	get_place(memory, "gfx900", 0x80000000 | 1 << 6, 64 + 128 + 64 + 1024, &place);
	put_wave(memory, &place);
	/* Packet 0x1234, an assert trap, stopped, halted by its program; parked. */
	memory_put32(memory, place.ttmps + 24, 0x1234 | 2 << 25 | 3 << 29);
	memory_put32(memory, place.ttmps + 28, 0x55667788);
	memory_put32(memory, place.ttmps + 44, 9 | 0x7f12 << 7);
	for (uint32_t i = 0; i < 3; i++)
		memory_put32(memory, place.ttmps + 32 + 4 * i, 70 + i);
	memory_put32(memory, place.hwregs + 24, 1 << 8 | 1 << 28);
	load(memory, "gfx900", &place, &wave, &handler);
	assert_true(handler.stopped && handler.has_position);
	assert_int_equal(handler.packet_index, 0x1234);
	assert_int_equal(handler.coordinates[2], 72);
	assert_int_equal(handler.number_in_group, 9);
	assert_int_equal(wave.pc, UINT64_C(0x7f1255667788));
	assert_int_equal(handler.stop_reasons,
			 AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP |
				 AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION);
	/* Not set up by the hardware: nobody knows where it is from. */
	memory_put32(memory, place.ttmps + 24, UINT32_C(3) << 30);
	load(memory, "gfx900", &place, &wave, &handler);
	assert_false(handler.has_position);
}

static void test_handler_of_gfx94x(void **state)
{
	static const struct {
		uint32_t trapsts, mode, reasons;
	} cases[] = {
		{1 << 8, 0, AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR},
		{1 << 28, 0, AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION},
		{1 << 11, 0, AMD_DBGAPI_WAVE_STOP_REASON_ILLEGAL_INSTRUCTION},
		{1 << 25, 0, AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP},
		{0x7f, 0, AMD_DBGAPI_WAVE_STOP_REASON_NONE},
		{0x7f, 1 << 14, AMD_DBGAPI_WAVE_STOP_REASON_FP_DIVIDE_BY_0},
		{1 << 6, 1 << 18, AMD_DBGAPI_WAVE_STOP_REASON_INT_DIVIDE_BY_0},
		{1 << 13, 1 << 19, AMD_DBGAPI_WAVE_STOP_REASON_WATCHPOINT},
		{1 << 7, 0, AMD_DBGAPI_WAVE_STOP_REASON_NONE},
		{1 << 23, 0, AMD_DBGAPI_WAVE_STOP_REASON_TRAP},
	};
	struct memory *memory = memory_clear();
	struct wt_saved_wave_state handler;
	struct wt_save_area_wave place;
	struct gfx_wave wave;

	(void)state;
	get_place(memory, "gfx942", 0x80000000 | 1 << 6, 64 + 128 + 64 + 8 * 256, &place);
	put_wave(memory, &place);
	memory_put32(memory, place.ttmps + 24, 1 << 30);
	memory_put32(memory, place.ttmps + 44, 0x80000000 | 0x1234 << 6 | 9);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		memory_put32(memory, place.hwregs + 24, cases[i].trapsts);
		memory_put32(memory, place.hwregs + 36, cases[i].mode);
		load(memory, "gfx942", &place, &wave, &handler);
		assert_int_equal(handler.stop_reasons, cases[i].reasons);
		assert_int_equal(handler.packet_index, 0x1234);
		assert_int_equal(wave.pc, UINT64_C(0x10200000101));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_families),  cmocka_unit_test(test_wrong_areas),
		cmocka_unit_test(test_any_words), cmocka_unit_test(test_registers),
		cmocka_unit_test(test_handler),	  cmocka_unit_test(test_handler_of_gfx94x),
	};

	return cmocka_run_group_tests_name("core area", tests, NULL, NULL);
}
