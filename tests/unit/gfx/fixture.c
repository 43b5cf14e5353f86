/* SPDX-License-Identifier: MIT */
#include "fixture.h"
#include "gfx/isa/run.h"

/* Where @size bytes at @address are, or NULL. */
static uint8_t *locate(struct fixture *fixture, uint64_t address, size_t size, bool write)
{
	if (address >= DATA_BASE && address - DATA_BASE <= DATA_SIZE &&
	    size <= DATA_SIZE - (address - DATA_BASE))
		return fixture->data + (address - DATA_BASE);
	if (!write && address >= READ_ONLY_BASE && address - READ_ONLY_BASE <= DATA_SIZE &&
	    size <= DATA_SIZE - (address - READ_ONLY_BASE))
		return fixture->data + (address - READ_ONLY_BASE);
	return NULL;
}

static bool read_data(void *opaque, uint64_t address, void *data, size_t size)
{
	struct fixture *fixture = opaque;
	const uint8_t *from = locate(fixture, address, size, false);

	assert_in_range(size, 1, 64);
	fixture->reads++;
	if (from)
		memcpy(data, from, size);
	return from;
}

static bool write_data(void *opaque, uint64_t address, const void *data, size_t size)
{
	struct fixture *fixture = opaque;
	uint8_t *to = locate(fixture, address, size, true);

	assert_in_range(size, 1, 64);
	fixture->writes++;
	if (to)
		memcpy(to, data, size);
	return to;
}

static bool fetch_code(void *opaque, uint64_t address, void *data, size_t size)
{
	struct fixture *fixture = opaque;

	assert_true(size == 4 || size == 8);
	if (address < CODE_BASE || address - CODE_BASE > sizeof(fixture->code) - size)
		return false;
	memcpy(data, (uint8_t *)fixture->code + (address - CODE_BASE), size);
	return true;
}

static void init_wave(struct fixture *fixture)
{
	fixture->wave = (struct gfx_wave){
		.architecture = gfx_architecture_by_name("gfx942"),
		.lane_count = 64,
		.pc = CODE_BASE,
		.exec = ALL_LANES,
		.mode = MODE_DEFAULT,
		.sgpr_count = 102,
		.vgpr_count = VGPRS,
		.agpr_count = AGPRS,
		.vgprs = fixture->vgprs,
		.agprs = fixture->agprs,
		.lds = fixture->lds,
		.lds_size = LDS_SIZE,
		.scratch = fixture->scratch,
		.scratch_size = sizeof(fixture->scratch),
	};
}

int fixture_setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	if (!fixture)
		return -1;
	init_wave(fixture);
	fixture->memory = (struct gfx_memory){
		.opaque = fixture,
		.read = read_data,
		.write = write_data,
		.fetch = fetch_code,
		.local_base = LOCAL_BASE,
		.local_limit = LOCAL_BASE + UINT32_MAX,
		.private_base = PRIVATE_BASE,
		.private_limit = PRIVATE_BASE + UINT32_MAX,
	};
	*state = fixture;
	return 0;
}

int fixture_teardown(void **state)
{
	free(*state);
	return 0;
}

struct fixture *fixture_become(void **state, const char *gpu, uint32_t lanes)
{
	struct fixture *fixture = *state;

	fixture->wave.architecture = gfx_architecture_by_name(gpu);
	fixture->wave.lane_count = lanes;
	fixture->wave.sgpr_count = GFX_MAX_SGPRS;
	fixture->wave.agpr_count = 0;
	fixture->wave.exec = lanes == 32 ? UINT32_MAX : UINT64_MAX;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, 0)[lane] = lane;
	return fixture;
}

enum gfx_step fixture_step(struct fixture *fixture, const uint32_t *words, size_t count)
{
	assert_in_range(count, 1, CODE_WORDS);
	memcpy(fixture->code, words, count * sizeof(*words));
	fixture->wave.pc = CODE_BASE;
	return gfx_wave_step(&fixture->wave, &fixture->memory, &fixture->fault);
}

void set_vgpr(struct fixture *fixture, uint32_t number, uint32_t value)
{
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, number)[lane] = value;
}

void set_vgpr64(struct fixture *fixture, uint32_t number, uint64_t value)
{
	set_vgpr(fixture, number, (uint32_t)value);
	set_vgpr(fixture, number + 1, (uint32_t)(value >> 32));
}

uint64_t get_vgpr64(struct fixture *fixture, uint32_t number, uint32_t lane)
{
	return vgpr(fixture, number)[lane] | (uint64_t)vgpr(fixture, number + 1)[lane] << 32;
}

uint32_t load_data(struct fixture *fixture, size_t offset)
{
	uint32_t value;

	memcpy(&value, fixture->data + offset, sizeof(value));
	return value;
}

void store_data(struct fixture *fixture, size_t offset, uint32_t value)
{
	memcpy(fixture->data + offset, &value, sizeof(value));
}

uint32_t float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

uint64_t double_bits(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}
