/* SPDX-License-Identifier: MIT */
/* What a saved wave of each family is: written and read back, and words put where the family has them. */
#include "tests/unit/core/memory.h"

#include <amd-dbgapi/amd-dbgapi.h>

#include "base/cleanup.h"
#include "device/trap-handler.h"

#define AT (MEMORY_ADDRESS + 0x100)
#define PC UINT64_C(0x7f1122334400)
#define MAX_WORDS 8192u
#define WAVES 3u

static const struct family {
	const char *name;
	uint32_t lanes;
	uint32_t sgprs, vgprs, agprs, shared, lds;
} families[] = {
	{"gfx900", 64, 90, 24, 0, 0, 512},    {"gfx906", 64, 10, 4, 0, 0, 0},
	{"gfx908", 64, 102, 24, 24, 0, 1024}, {"gfx90a", 64, 42, 16, 32, 0, 512},
	{"gfx942", 64, 26, 8, 0, 0, 65024},   {"gfx950", 64, 102, 16, 16, 0, 1280},
	{"gfx1010", 32, 106, 24, 0, 0, 512},  {"gfx1011", 64, 106, 24, 0, 16, 1024},
	{"gfx1030", 32, 106, 8, 0, 0, 0},     {"gfx1032", 64, 106, 12, 0, 0, 512},
	{"gfx1100", 32, 106, 32, 0, 0, 1536}, {"gfx1102", 64, 106, 16, 0, 8, 0},
	{"gfx1151", 32, 106, 16, 0, 0, 512},  {"gfx1200", 64, 106, 20, 0, 0, 512},
	{"gfx1201", 32, 106, 16, 0, 0, 2048}, {"gfx1201", 64, 106, 4, 0, 0, 131072},
};
#define FAMILIES (sizeof(families) / sizeof(*families))

static struct {
	const struct gfx_architecture *architecture;
	const struct wt_save_area_layout *layout;
	struct gfx_wave waves[WAVES];
	struct wt_saved_wave saved[WAVES];
	uint32_t words[WAVES][3][MAX_WORDS];
	uint8_t lds[WT_SAVE_AREA_LDS_WHOLE];
	struct wt_save_area_wave places[WAVES];
	size_t count;
	uint32_t version; /* of r_debug */
} made;

static uint32_t next_word(void)
{
	static uint32_t random = 11;

	random = random * 1664525 + 1013904223;
	return random ^ random >> 15;
}

static uint64_t next_pair(void)
{
	uint64_t high = next_word();

	return high << 32 | next_word();
}

static void fill(uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		words[i] = next_word();
}

/* Registers that the family has; those that it does not have stay 0. */
static void fill_hardware(struct gfx_wave *wave)
{
	bool gfx12 = wave->architecture->generation == GFX_GENERATION_12;
	bool gfx9 = wave->architecture->generation == GFX_GENERATION_9;

	wave->exec = wave->lane_count == 32 ? next_word() : next_pair();
	wave->vcc = next_pair();
	wave->flat_scratch = next_pair();
	wave->m0 = next_word();
	wave->mode = next_word();
	wave->status = next_word();
	wave->trapsts = gfx12 ? 0 : next_word();
	wave->xnack_mask = gfx12 ? 0 : gfx9 ? next_pair() : next_word();
	wave->state_priv = gfx12 ? next_word() : 0;
	wave->excp_flag_priv = gfx12 ? next_word() : 0;
	wave->excp_flag_user = gfx12 ? next_word() : 0;
	wave->trap_ctrl = gfx12 ? next_word() : 0;
}

static void make_wave(const struct family *family, size_t index)
{
	struct gfx_wave *wave = &made.waves[index];

	*wave = (struct gfx_wave){
		.architecture = made.architecture,
		.lane_count = family->lanes,
		.pc = PC + 64 * index,
		.sgpr_count = family->sgprs,
		.vgpr_count = family->vgprs,
		.agpr_count = family->agprs,
		.shared_count = family->shared,
		.vgprs = made.words[index][0],
		.agprs = made.words[index][1],
		.shared = made.words[index][2],
		.lds = made.lds,
		.lds_size = family->lds,
	};
	fill_hardware(wave);
	fill(wave->sgprs, family->sgprs);
	for (int file = 0; file < 3; file++)
		fill(made.words[index][file], MAX_WORDS);
	/* The handler has been there in all; it has stopped the first, and the last one runs. */
	wave->ttmps[4] = (uint32_t)index + 1;
	wave->ttmps[6] = index == WAVES - 1 ? 0 : WT_TTMP6_STOPPED | 3u << WT_TTMP6_TRAP_ID_SHIFT;
	wt_ttmp_put(made.layout->handler->set_up, 1, wave->ttmps);
	made.saved[index] = (struct wt_saved_wave){
		.wave = wave,
		.slot = 5 + (uint32_t)index,
		.engine = 1,
		.scratch = index != 1,
		/* The first two are of one workgroup. */
		.first = index != 1,
		.last = index != 0,
		.stopped = index != WAVES - 1,
		.stands = !wt_save_area_parks(made.layout, made.version),
		.packet_index = 0x123456 + (uint32_t)index,
		.coordinates = {100000 + (uint32_t)index, 200, 300},
		.number_in_group = index == 1,
	};
}

static struct wt_error *keep(void *opaque, const struct wt_save_area_wave *place)
{
	(void)opaque;
	assert_in_range(made.count, 0, WAVES - 1);
	made.places[made.count++] = *place;
	return NULL;
}

/* @version: of r_debug, of the runtime whose trap handler the waves have. */
static struct memory *build_for(const struct family *family, uint32_t version)
{
	struct memory *memory = memory_clear();
	const struct wt_memory_view view = memory_view(memory);
	wt_cleanup_buffer struct wt_buffer area = {0};

	made.architecture = gfx_architecture_by_name(family->name);
	made.layout = wt_save_area_layout_find(made.architecture);
	made.version = version;
	assert_non_null(made.layout);
	for (size_t i = 0; i < sizeof(made.lds); i++)
		made.lds[i] = (uint8_t)next_word();
	for (size_t i = 0; i < WAVES; i++)
		make_wave(family, i);
	assert_null(wt_save_area_build(made.layout, made.saved, WAVES, &area));
	assert_int_equal(area.size, wt_save_area_size(made.layout, made.saved, WAVES));
	assert_in_range(area.size, 1, MEMORY_SIZE - 0x100);
	memcpy(memory->bytes + 0x100, area.data, area.size);
	made.count = 0;
	assert_null(wt_save_area_walk(made.layout, &view, AT, area.size, keep, NULL));
	assert_int_equal(made.count, WAVES);
	return memory;
}

static struct memory *build(const struct family *family)
{
	return build_for(family, 10);
}

static void check_place(const struct family *family, const struct wt_save_area_wave *place,
			const struct wt_saved_wave *saved)
{
	assert_int_equal(place->sizes.lane_count, family->lanes);
	assert_int_equal(place->sizes.vgpr_count, family->vgprs);
	assert_int_equal(place->sizes.agpr_count, family->agprs);
	assert_int_equal(place->sizes.shared_count, family->shared);
	assert_in_range(place->sizes.lds_size, family->lds, family->lds + 1279);
	assert_int_equal(place->slot, saved->slot);
	assert_int_equal(place->engine, saved->engine);
	assert_int_equal(place->scratch, saved->scratch);
	assert_int_equal(place->first, saved->first);
	assert_int_equal(place->last, saved->last);
}

static void check_state(const struct wt_saved_wave_state *state, const struct wt_saved_wave *saved)
{
	assert_true(state->has_position && state->has_packet);
	assert_int_equal(state->packet_index, saved->packet_index);
	assert_int_equal(state->number_in_group, saved->number_in_group);
	assert_memory_equal(state->coordinates, saved->coordinates, sizeof(saved->coordinates));
	assert_int_equal(state->stopped, saved->stopped);
	assert_int_equal(state->debugger_id, saved->wave->ttmps[4]);
	assert_int_equal(state->halted, wt_wave_is_halted(saved->wave));
}

/* All but the trap temporaries, which have got what the note of a wave says. */
static void check_wave(const struct gfx_wave *read, const struct gfx_wave *wave)
{
	size_t lanes = wave->lane_count;

	assert_int_equal(read->pc, wave->pc);
	assert_int_equal(read->exec, wave->exec);
	assert_int_equal(read->vcc, wave->vcc);
	assert_int_equal(read->flat_scratch, wave->flat_scratch);
	assert_int_equal(read->m0, wave->m0);
	assert_int_equal(read->mode, wave->mode);
	assert_int_equal(read->status, wave->status);
	assert_int_equal(read->trapsts, wave->trapsts);
	assert_int_equal(read->xnack_mask, wave->xnack_mask);
	assert_int_equal(read->state_priv, wave->state_priv);
	assert_int_equal(read->excp_flag_priv, wave->excp_flag_priv);
	assert_int_equal(read->excp_flag_user, wave->excp_flag_user);
	assert_int_equal(read->trap_ctrl, wave->trap_ctrl);
	assert_memory_equal(read->sgprs, wave->sgprs, 4 * wave->sgpr_count);
	assert_memory_equal(read->vgprs, wave->vgprs, 4 * lanes * wave->vgpr_count);
	if (wave->agpr_count)
		assert_memory_equal(read->agprs, wave->agprs, 4 * lanes * wave->agpr_count);
	if (wave->shared_count)
		assert_memory_equal(read->shared, wave->shared, 4ul * 32 * wave->shared_count);
}

static struct wt_saved_wave_state load(struct memory *memory, size_t index, uint32_t version,
				       struct gfx_wave *wave)
{
	const struct wt_saved_wave_setup setup = {.ttmps_set_up = true, .r_debug_version = version};
	static uint32_t words[3][MAX_WORDS];
	const struct wt_memory_view view = memory_view(memory);
	const struct wt_save_area_wave *place = &made.places[index];
	struct wt_saved_wave_state state;

	*wave = (struct gfx_wave){
		.architecture = made.architecture,
		.lane_count = place->sizes.lane_count,
		.sgpr_count = wt_saved_wave_plain_sgprs(made.layout, place->sizes.sgpr_count),
		.vgpr_count = place->sizes.vgpr_count,
		.agpr_count = place->sizes.agpr_count,
		.shared_count = place->sizes.shared_count,
		.vgprs = words[0],
		.agprs = words[1],
		.shared = words[2],
	};
	assert_true(wt_saved_wave_load(made.layout, &view, place, &setup, wave, &state));
	assert_true(wt_saved_wave_load_registers(made.layout, &view, place, wave));
	return state;
}

static void test_written_is_read(void **state)
{
	(void)state;
	for (size_t f = 0; f < FAMILIES; f++) {
		struct memory *memory = build(&families[f]);

		for (size_t i = 0; i < WAVES; i++) {
			struct wt_saved_wave_state found;
			struct gfx_wave read;

			check_place(&families[f], &made.places[i], &made.saved[i]);
			found = load(memory, i, 10, &read);
			check_state(&found, &made.saved[i]);
			assert_int_equal(read.sgpr_count, families[f].sgprs);
			check_wave(&read, &made.waves[i]);
			if (made.saved[i].first)
				assert_memory_equal(memory->bytes +
							    (made.places[i].lds - MEMORY_ADDRESS),
						    made.lds, families[f].lds);
		}
	}
}

/* A wave of 32 lanes whose registers are kept in room for 64, as a machine does that executes waves of both. */
static void test_wide_registers(void **state)
{
	static uint32_t wide[64 * 64], again[64 * 64];
	static const struct family family = {"gfx1100", 32, 106, 32, 0, 0, 512};
	struct memory *memory = build(&family);
	const struct wt_memory_view view = memory_view(memory);
	wt_cleanup_buffer struct wt_buffer area = {0};
	struct gfx_wave wave = made.waves[0], read;

	(void)state;
	for (size_t i = 0; i < family.vgprs; i++)
		memcpy(&wide[i * 64], &wave.vgprs[i * 32], 32 * sizeof(*wide));
	made.saved[0].wave = &wave;
	wave.vgprs = wide;
	wave.vector_words = 64;
	assert_null(wt_save_area_build(made.layout, made.saved, WAVES, &area));
	assert_memory_equal(area.data, memory->bytes + 0x100, area.size);

	load(memory, 0, 10, &read);
	read.vgprs = again;
	read.vector_words = 64;
	memset(again, 0x5a, sizeof(again));
	assert_true(wt_saved_wave_load_registers(made.layout, &view, &made.places[0], &read));
	for (size_t i = 0; i < family.vgprs; i++) {
		assert_memory_equal(&again[i * 64], &wide[i * 64], 32 * sizeof(*wide));
		assert_int_equal(again[i * 64 + 32], 0x5a5a5a5a);
	}
}

static size_t write_bytes(void *opaque, uint64_t address, const void *data, size_t size)
{
	struct memory *memory = opaque;

	assert_in_range(address, AT, MEMORY_ADDRESS + MEMORY_SIZE - size);
	memcpy(memory->bytes + (address - MEMORY_ADDRESS), data, size);
	return size;
}

/* A wave comes back with the changes of a debugger and no others: with runtimes that park waves, and with those that do not yet. */
static void test_stored_is_read(void **state)
{
	static uint8_t before[MEMORY_SIZE];

	(void)state;
	for (size_t i = 0; i < 2 * FAMILIES; i++) {
		size_t f = i / 2;
		uint32_t version = i % 2 ? 10 : 8;
		struct memory *memory = build_for(&families[f], version);
		struct wt_memory_view view = memory_view(memory);
		const struct wt_save_area_wave *place = &made.places[1];
		struct gfx_wave read, *wave = &made.waves[1];
		uint64_t from = place->begin - MEMORY_ADDRESS, to = place->end - MEMORY_ADDRESS;

		view.write = write_bytes;
		memcpy(before, memory->bytes, sizeof(before));
		load(memory, 1, version, &read);
		assert_int_equal(read.pc, wave->pc);
		fill_hardware(wave);
		fill(wave->sgprs, wave->sgpr_count);
		for (int file = 0; file < 3; file++)
			fill(made.words[1][file], MAX_WORDS);
		wave->pc = PC + 4096;
		assert_true(wt_saved_wave_store(made.layout, &view, place, wave, version, 0));
		assert_true(wt_saved_wave_store_registers(made.layout, &view, place, wave));
		load(memory, 1, version, &read);
		check_wave(&read, wave);
		assert_memory_equal(memory->bytes, before, from);
		assert_memory_equal(memory->bytes + to, before + to, sizeof(before) - to);
	}
}

/* ---- Words where the family has them ---- */

static const struct family *family_of(const char *name, uint32_t lanes)
{
	for (size_t i = 0; i < FAMILIES; i++)
		if (!strcmp(families[i].name, name) && families[i].lanes == lanes)
			return &families[i];
	return NULL;
}

/* The last wave of an area, with other words in place of its hardware registers and trap temporaries. */
static struct memory *put_words(const char *name, uint32_t lanes)
{
	struct memory *memory = build(family_of(name, lanes));
	const struct wt_save_area_wave *place = &made.places[WAVES - 1];

	for (uint32_t i = 0; i < 16; i++) {
		memory_put32(memory, place->hwregs + 4 * i, 0x1000 + i);
		memory_put32(memory, place->ttmps + 4 * i, 0);
	}
	for (uint32_t i = 0; i < place->sizes.sgpr_count; i++)
		memory_put32(memory, place->sgprs + 4 * i, 0x2000 + i);
	return memory;
}

static void test_words_of_gfx10(void **state)
{
	static const char *const names[] = {"gfx1010", "gfx1030", "gfx1100", "gfx1151"};
	struct gfx_wave wave;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		load(put_words(names[i], 32), WAVES - 1, 10, &wave);
		assert_int_equal(wave.m0, 0x1000);
		assert_int_equal(wave.pc, UINT64_C(0x100200001001));
		assert_int_equal(wave.exec, 0x1003);
		assert_int_equal(wave.status, 0x1005);
		assert_int_equal(wave.trapsts, 0x1006);
		assert_int_equal(wave.xnack_mask, 0x1007);
		assert_int_equal(wave.mode, 0x1008);
		assert_int_equal(wave.flat_scratch, UINT64_C(0x100a00001009));
		assert_int_equal(wave.sgpr_count, 106);
		assert_int_equal(wave.sgprs[105], 0x2000 + 105);
		assert_int_equal(wave.vcc, UINT64_C(0x206b0000206a));
	}
	load(put_words("gfx1032", 64), WAVES - 1, 10, &wave);
	assert_int_equal(wave.exec, UINT64_C(0x100400001003));
}

static void test_words_of_gfx12(void **state)
{
	struct gfx_wave wave;

	(void)state;
	load(put_words("gfx1201", 32), WAVES - 1, 10, &wave);
	assert_int_equal(wave.exec, 0x1003);
	assert_int_equal(wave.state_priv, 0x1005);
	assert_int_equal(wave.excp_flag_priv, 0x1006);
	assert_int_equal(wave.mode, 0x1008);
	assert_int_equal(wave.flat_scratch, UINT64_C(0x100a00001009));
	assert_int_equal(wave.excp_flag_user, 0x100b);
	assert_int_equal(wave.trap_ctrl, 0x100c);
	assert_int_equal(wave.status, 0x100d);
	assert_int_equal(wave.trapsts, 0);
	assert_int_equal(wave.vcc, UINT64_C(0x206b0000206a));
}

/* Packet 0x1234, wave 9 of workgroup (70, 71, 72), parked at 0x7f1255667788 after an assert trap. */
static void put_handler(struct memory *memory, const uint32_t ttmps[6])
{
	for (uint32_t i = 0; i < 6; i++)
		memory_put32(memory, made.places[WAVES - 1].ttmps + 4 * (6 + i), ttmps[i]);
}

static void check_handler(struct memory *memory, uint32_t version, uint64_t pc)
{
	struct wt_saved_wave_state found;
	struct gfx_wave wave;

	found = load(memory, WAVES - 1, version, &wave);
	assert_true(found.stopped && found.has_position && found.has_packet);
	assert_int_equal(found.packet_index, 0x1234);
	assert_int_equal(found.number_in_group, 9);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(found.coordinates[i], 70 + i);
	assert_true(found.stop_reasons & AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP);
	assert_int_equal(wave.pc, pc);
}

static void test_handler(void **state)
{
	const uint32_t stopped = 2 << 25 | 1 << 30, high = 0x7f12 << 7;
	const uint32_t gfx10[] = {0x1234 | stopped, 0x55667788, 70, 71, 72, 9 | high};
	const uint32_t gfx12[] = {
		stopped, 72 << 16 | 71, 0x1234 | 9 << 25 | 3u << 30, 70, 0x55667788, high,
	};
	const uint64_t parked = UINT64_C(0x7f1255667788), not_parked = UINT64_C(0x100200001001);
	struct memory *memory = put_words("gfx1010", 32);

	(void)state;
	put_handler(memory, gfx10);
	check_handler(memory, 8, parked);
	memory = put_words("gfx1030", 32);
	put_handler(memory, gfx10);
	check_handler(memory, 10, not_parked);
	/* Older runtimes did not park waves of gfx11. */
	memory = put_words("gfx1100", 32);
	put_handler(memory, gfx10);
	check_handler(memory, 8, not_parked);
	check_handler(memory, 9, parked);
	memory = put_words("gfx1201", 32);
	put_handler(memory, gfx12);
	check_handler(memory, 10, parked);
}

/* gfx12: y and z are there if a bit says so; without the handler's mark nothing of its own is. */
static void test_marks_of_gfx12(void **state)
{
	uint32_t ttmps[] = {1 << 30, 72 << 16 | 71, 0x1234 | 1u << 31, 70, 0, 0};
	struct memory *memory = put_words("gfx1201", 32);
	struct wt_saved_wave_state found;
	struct gfx_wave wave;

	(void)state;
	put_handler(memory, ttmps);
	memory_put32(memory, made.places[WAVES - 1].ttmps + 16, 77);
	found = load(memory, WAVES - 1, 10, &wave);
	assert_true(found.stopped);
	assert_int_equal(found.debugger_id, 77);
	assert_int_equal(found.coordinates[0], 70);
	assert_int_equal(found.coordinates[1] | found.coordinates[2], 0);
	ttmps[2] = 0x1234 | 1u << 30;
	put_handler(memory, ttmps);
	found = load(memory, WAVES - 1, 10, &wave);
	assert_false(found.stopped);
	assert_int_equal(found.debugger_id, 0);
	assert_int_equal(found.packet_index, 0x1234);
	assert_int_equal(found.coordinates[2], 72);
	assert_int_equal(wave.ttmps[6], 0);
	assert_int_equal(wave.ttmps[8], 0x1234 | 3u << 30);
}

/* Hardware has not set up the temporaries: nobody knows where the wave is from. */
static void test_not_set_up(void **state)
{
	static const struct {
		const char *name;
		uint32_t ttmps[6];
	} cases[] = {
		{"gfx1100", {1u << 31, 0, 0, 0, 0, 9}},
		{"gfx1201", {0, 0, 1u << 31, 0, 0, 9}},
	};
	const uint32_t garbage[] = {1 << 30 | 0x1234, 1, 2, 3, 4, 9};
	struct wt_saved_wave_setup setup = {.r_debug_version = 10};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct memory *memory = put_words(cases[i].name, 32);
		const struct wt_memory_view view = memory_view(memory);
		struct gfx_wave wave = {.architecture = made.architecture};
		struct wt_saved_wave_state found;

		put_handler(memory, garbage);
		memory_put32(memory, made.places[WAVES - 1].hwregs + 20, 0);
		assert_true(wt_saved_wave_load(made.layout, &view, &made.places[WAVES - 1], &setup,
					       &wave, &found));
		assert_false(found.has_position || found.has_packet || found.stopped);
		assert_int_equal(wave.ttmps[6], cases[i].ttmps[0]);
		assert_int_equal(wave.ttmps[8], cases[i].ttmps[2]);
		assert_int_equal(wave.ttmps[9], 0);
	}
}

/* ---- Why a wave stopped ---- */

#define REASON(name_) AMD_DBGAPI_WAVE_STOP_REASON_##name_

static void test_reasons(void **state)
{
	static const struct {
		const char *name;
		uint32_t flags, enabled, reasons; /* trapsts and mode */
	} cases[] = {
		{"gfx1030", 1 << 8, 0, REASON(ADDRESS_ERROR)},
		{"gfx1030", 1 << 28 | 1 << 8, 0, REASON(MEMORY_VIOLATION)},
		{"gfx1030", 1 << 20 | 1 << 17, 0, REASON(NONE)},
		{"gfx1030", 1 << 2, 1 << 14, REASON(FP_DIVIDE_BY_0)},
		{"gfx1100", 1 << 20, 0, REASON(SINGLE_STEP)},
		{"gfx1100", 1 << 17, 0, REASON(TRAP)},
		{"gfx1100", 1 << 18, 0, REASON(TRAP)},
		{"gfx1100", 1 << 25, 0, REASON(NONE)},
		{"gfx1100", 1 << 11, 0, REASON(ILLEGAL_INSTRUCTION)},
		{"gfx1100", 1 << 12, 1 << 19, REASON(WATCHPOINT)},
		{"gfx1100", 1 << 12, 0, REASON(NONE)},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct gfx_wave wave = {
			.architecture = gfx_architecture_by_name(cases[i].name),
			.trapsts = cases[i].flags,
			.mode = cases[i].enabled,
		};

		assert_int_equal(wt_saved_wave_stop_reasons(
					 wt_save_area_layout_find(wave.architecture), &wave),
				 cases[i].reasons);
	}
}

static void test_reasons_of_gfx12(void **state)
{
	static const struct {
		uint32_t priv, user, enabled, reasons;
	} cases[] = {
		{1 << 4, 0, 0, REASON(ADDRESS_ERROR)},
		{1 << 12 | 1 << 4, 0, 0, REASON(MEMORY_VIOLATION)},
		{1 << 6, 0, 0, REASON(ILLEGAL_INSTRUCTION)},
		{1 << 3, 0, 1 << 7, REASON(WATCHPOINT)},
		{1 << 0, 0, 1 << 7, REASON(WATCHPOINT)},
		{0xf, 0, 0x7f, REASON(NONE)},
		{1 << 11, 0, 0, REASON(SINGLE_STEP)},
		{1 << 8, 0, 0, REASON(TRAP)},
		{1 << 9, 0, 0, REASON(TRAP)},
		{0, 1 << 6, 1 << 6, REASON(INT_DIVIDE_BY_0)},
		{0, 1 << 0, 1 << 0, REASON(FP_INVALID_OPERATION)},
		{0, 0x7f, 0x380, REASON(NONE)},
		{1 << 5 | 1 << 7 | 1 << 10, 3u << 30, 0x3ff, REASON(NONE)},
	};
	const struct gfx_architecture *gfx1201 = gfx_architecture_by_name("gfx1201");

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct gfx_wave wave = {
			.architecture = gfx1201,
			.trapsts = UINT32_MAX,
			.mode = UINT32_MAX,
			.excp_flag_priv = cases[i].priv,
			.excp_flag_user = cases[i].user,
			.trap_ctrl = cases[i].enabled,
		};

		assert_int_equal(
			wt_saved_wave_stop_reasons(wt_save_area_layout_find(gfx1201), &wave),
			cases[i].reasons);
	}
}

/* ---- What does not fit, or is not there ---- */

static void test_wrong_sizes(void **state)
{
	static const struct {
		const char *name;
		struct family family;
	} cases[] = {
		{"too many", {"gfx1100", 32, 106, 520, 0, 0, 0}},
		{"not of the granule", {"gfx1100", 32, 106, 12, 0, 0, 0}},
		{"none", {"gfx1100", 32, 106, 0, 0, 0, 0}},
		{"accumulation", {"gfx1100", 32, 106, 8, 8, 0, 0}},
		{"shared", {"gfx1030", 64, 106, 8, 0, 4, 0}},
		{"too many shared", {"gfx1030", 64, 106, 8, 0, 128, 0}},
		{"scalar", {"gfx1201", 32, 102, 8, 0, 0, 0}},
		{"local", {"gfx1201", 32, 106, 8, 0, 0, 131584}},
		{"32 lanes of gfx9", {"gfx90a", 32, 42, 16, 0, 0, 0}},
		{"16 lanes", {"gfx1100", 16, 106, 8, 0, 0, 0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct family *family = &cases[i].family;
		const struct gfx_architecture *architecture =
			gfx_architecture_by_name(family->name);
		const struct gfx_wave wave = {
			.architecture = architecture,
			.lane_count = family->lanes,
			.sgpr_count = family->sgprs,
			.vgpr_count = family->vgprs,
			.agpr_count = family->agprs,
			.shared_count = family->shared,
			.lds_size = family->lds,
		};
		const struct wt_saved_wave saved = {.wave = &wave, .first = true};
		wt_cleanup_buffer struct wt_buffer area = {0};
		struct wt_error *error = wt_save_area_build(wt_save_area_layout_find(architecture),
							    &saved, 1, &area);

		print_message("%s\n", cases[i].name);
		memory_expect_error(error, WT_ERROR_UNSUPPORTED, "do not fit");
		assert_int_equal(area.size, 0);
	}
}

/* Memory that ends within a wave. */
static void test_missing_memory(void **state)
{
	(void)state;
	for (size_t f = 0; f < FAMILIES; f++) {
		struct memory *memory = build(&families[f]);
		const struct wt_memory_view view = memory_view(memory);
		const struct wt_saved_wave_setup setup = {.ttmps_set_up = true,
							  .r_debug_version = 10};
		const struct wt_save_area_wave *place = &made.places[0];
		struct wt_saved_wave_state found;
		struct gfx_wave read;

		load(memory, 0, 10, &read);
		memory->size = place->ttmps + 60 - MEMORY_ADDRESS;
		assert_false(wt_saved_wave_load(made.layout, &view, place, &setup, &read, &found));
		memory->size = place->hwregs - 4 - MEMORY_ADDRESS;
		assert_false(wt_saved_wave_load_registers(made.layout, &view, place, &read));
	}
}

/* Each family has a layout, and a wave of it is among those that are written and read back. */
static void test_all_families(void **state)
{
	bool tried[GFX_SAVE_AREA_COUNT] = {0}, named[GFX_SAVE_AREA_COUNT] = {0};

	(void)state;
	for (size_t f = 0; f < FAMILIES; f++)
		tried[gfx_architecture_by_name(families[f].name)->save_area] = true;
	for (size_t i = 0; i < gfx_architecture_count(); i++) {
		const struct gfx_architecture *architecture = gfx_architecture_at(i);
		bool known = architecture->save_area > GFX_SAVE_AREA_UNKNOWN;

		print_message("%s\n", architecture->name);
		named[architecture->save_area] = true;
		assert_int_equal(wt_save_area_layout_find(architecture) != NULL, known);
	}
	for (int family = GFX_SAVE_AREA_UNKNOWN + 1; family < GFX_SAVE_AREA_COUNT; family++)
		assert_true(tried[family] && named[family]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_written_is_read), cmocka_unit_test(test_stored_is_read),
		cmocka_unit_test(test_wide_registers),	cmocka_unit_test(test_words_of_gfx10),
		cmocka_unit_test(test_words_of_gfx12),	cmocka_unit_test(test_handler),
		cmocka_unit_test(test_marks_of_gfx12),	cmocka_unit_test(test_not_set_up),
		cmocka_unit_test(test_reasons),		cmocka_unit_test(test_reasons_of_gfx12),
		cmocka_unit_test(test_wrong_sizes),	cmocka_unit_test(test_missing_memory),
		cmocka_unit_test(test_all_families),
	};

	return cmocka_run_group_tests_name("core families", tests, NULL, NULL);
}
