/* SPDX-License-Identifier: MIT */
/*
 * What gfx_instruction_uses() lists, against execution: random instructions of every operation in random waves. A register
 * that is not listed as written keeps its value; changing one that is not listed as read changes no result.
 */
#include "fixture.h"

#include <stdio.h>

#include "gfx/alu/operations.h"
#include "gfx/isa/run.h"
#include "gfx/isa/tables.h"
#include "gfx/isa/uses.h"
#include "gfx/wave/context.h"
#include "gfx/wave/memory-access.h"
#include "tests/unit/share.h"

#define TRIES_PER_OPERATION 4 /* 1 where a share is tried */
/* All: those past a wave's own are others' aliases. From gfx10 on there are more. */
#define SGPRS 102
#define LATER_SGPRS 106

static uint64_t random_state = UINT64_C(0x9e3779b97f4a7c15);

static uint32_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 16);
}

/* Memory is the same wherever one looks, so that any address will do. */
static bool read_memory(void *opaque, uint64_t address, void *data, size_t size)
{
	(void)opaque;
	for (size_t i = 0; i < size; i++)
		((uint8_t *)data)[i] = (uint8_t)((address + i) * 0x9d + 7);
	return true;
}

static bool write_memory(void *opaque, uint64_t address, const void *data, size_t size)
{
	(void)opaque;
	(void)address;
	(void)data;
	(void)size;
	return true;
}

static const struct gfx_memory memory = {
	.read = read_memory,
	.write = write_memory,
	.fetch = read_memory,
	.local_base = LOCAL_BASE,
	.local_limit = LOCAL_BASE + UINT32_MAX,
	.private_base = PRIVATE_BASE,
	.private_limit = PRIVATE_BASE + UINT32_MAX,
};

/* A wave with its register files beside it. */
struct machine {
	struct gfx_wave wave;
	uint32_t vgprs[GFX_MAX_VGPRS * GFX_MAX_LANES], agprs[GFX_MAX_VGPRS * GFX_MAX_LANES];
	uint8_t lds[65536];
};

static void attach(struct machine *machine)
{
	machine->wave.vgprs = machine->vgprs;
	machine->wave.agprs = machine->agprs;
	machine->wave.lds = machine->lds;
}

static void make_wave(struct machine *machine, const char *architecture, uint32_t lanes)
{
	struct gfx_wave *wave = &machine->wave;
	uint64_t all = lanes < GFX_MAX_LANES ? UINT32_MAX : UINT64_MAX;

	memset(wave, 0, sizeof(*wave));
	attach(machine);
	wave->architecture = gfx_architecture_by_name(architecture);
	wave->lane_count = lanes;
	wave->vector_words = GFX_MAX_LANES;
	wave->pc = CODE_BASE;
	wave->exec = ((uint64_t)next_random() << 32 | next_random() | 1) & all;
	wave->vcc = (uint64_t)next_random() << 32 | next_random();
	wave->flat_scratch = next_random();
	wave->m0 = next_random() & 0xff;
	wave->mode = MODE_DEFAULT;
	wave->status = next_random() & 1;
	wave->sgpr_count = gfx_has_short_waves(wave->architecture) ? LATER_SGPRS : SGPRS;
	wave->vgpr_count = wave->agpr_count = GFX_MAX_VGPRS;
	wave->lds_size = sizeof(machine->lds);
	for (uint32_t i = 0; i < wave->sgpr_count; i++)
		wave->sgprs[i] = next_random();
	/* Once: they are many. */
	for (uint32_t i = 0; !machine->agprs[0] && i < GFX_MAX_VGPRS * GFX_MAX_LANES; i++) {
		machine->vgprs[i] = next_random() & 0x7fff;
		machine->agprs[i] = next_random();
	}
}

/* ---- Registers by file and number ---- */

static uint32_t *scalar_word(struct gfx_wave *wave, uint32_t number)
{
	if (number < wave->sgpr_count)
		return &wave->sgprs[number];
	if (number >= GFX_CODE_TTMP0 && number < GFX_CODE_M0)
		return &wave->ttmps[number - GFX_CODE_TTMP0];
	switch (number) {
	case GFX_CODE_VCC:
	case GFX_CODE_VCC + 1:
		return (uint32_t *)&wave->vcc + (number & 1);
	case GFX_CODE_EXEC:
	case GFX_CODE_EXEC + 1:
		return (uint32_t *)&wave->exec + (number & 1);
	case GFX_CODE_FLAT_SCRATCH:
	case GFX_CODE_FLAT_SCRATCH + 1:
		return (uint32_t *)&wave->flat_scratch + (number & 1);
	case GFX_CODE_XNACK_MASK:
	case GFX_CODE_XNACK_MASK + 1:
		return (uint32_t *)&wave->xnack_mask + (number & 1);
	case GFX_CODE_M0:
		return &wave->m0;
	default:
		return NULL;
	}
}

static bool lists(const struct gfx_use *list, uint32_t count, enum gfx_register_file file,
		  uint32_t number)
{
	for (uint32_t i = 0; i < count; i++)
		if (list[i].file == file && number >= list[i].number &&
		    number < list[i].number + (uint32_t)list[i].words)
			return true;
	return false;
}

/* The bits of a vector register that a list has. */
static uint32_t listed_bits(const struct gfx_use *list, uint32_t count, enum gfx_register_file file,
			    uint32_t number)
{
	static const uint32_t parts[] = {[GFX_PART_WHOLE] = UINT32_MAX,
					 [GFX_PART_LOWER] = 0xffff,
					 [GFX_PART_UPPER] = 0xffff0000};
	uint32_t bits = 0;

	for (uint32_t i = 0; i < count; i++)
		if (list[i].file == file && number >= list[i].number &&
		    number < list[i].number + (uint32_t)list[i].words)
			bits |= parts[list[i].part];
	return bits;
}

static const enum gfx_register_file vector_files[] = {GFX_FILE_VECTOR, GFX_FILE_ACCUMULATION};

static uint32_t *plane(struct machine *machine, enum gfx_register_file file, uint32_t number)
{
	return (file == GFX_FILE_VECTOR ? machine->vgprs : machine->agprs) +
	       (size_t)number * GFX_MAX_LANES;
}

#define COMPARED_CODES 128

/* Registers that differ between two waves are among those in the list. */
static void check_differences(struct machine *a, struct machine *b, const struct gfx_uses *uses,
			      const char *name)
{
	for (uint32_t code = 0; code < COMPARED_CODES; code++) {
		const uint32_t *first = scalar_word(&a->wave, code);

		if (first && *first != *scalar_word(&b->wave, code) &&
		    !lists(uses->writes, uses->write_count, GFX_FILE_SCALAR, code))
			fail_msg("%s changes the scalar register %u", name, code);
	}
	if ((a->wave.status ^ b->wave.status) & 1 &&
	    !lists(uses->writes, uses->write_count, GFX_FILE_SCALAR, GFX_CODE_SCC))
		fail_msg("%s changes scc", name);
	for (size_t file = 0; file < 2; file++)
		for (uint32_t number = 0; number < GFX_MAX_VGPRS; number++)
			for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
				if ((plane(a, vector_files[file], number)[lane] ^
				     plane(b, vector_files[file], number)[lane]) &
				    ~listed_bits(uses->writes, uses->write_count,
						 vector_files[file], number))
					fail_msg("%s changes register %u of file %zu", name, number,
						 file);
}

/* What is not listed gets other values, before and after the same in both waves. */
static void disturb(struct machine *from, struct machine *to, const struct gfx_uses *uses)
{
	*to = *from;
	attach(to);
	for (uint32_t code = 0; code < COMPARED_CODES; code++) {
		uint32_t *word = scalar_word(&to->wave, code);

		if (word && code != GFX_CODE_EXEC && code != GFX_CODE_EXEC + 1 &&
		    !lists(uses->reads, uses->read_count, GFX_FILE_SCALAR, code))
			*word = next_random();
	}
	if (!lists(uses->reads, uses->read_count, GFX_FILE_SCALAR, GFX_CODE_SCC))
		to->wave.status ^= 1;
	for (size_t file = 0; file < 2; file++)
		for (uint32_t number = 0; number < GFX_MAX_VGPRS; number++)
			for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
				plane(to, vector_files[file], number)[lane] ^=
					0x5a5a5a5a & ~listed_bits(uses->reads, uses->read_count,
								  vector_files[file], number);
}

static bool is_trap_temporary(uint32_t number)
{
	return number >= GFX_CODE_TTMP0 && number < GFX_CODE_M0;
}

/* Written registers have the same values in both, in active lanes; v_writelane writes where it is told. */
static void check_results(struct machine *a, struct machine *b, const struct gfx_uses *uses,
			  uint64_t exec, const char *name)
{
	for (uint32_t i = 0; i < uses->write_count; i++) {
		const struct gfx_use *use = &uses->writes[i];

		for (uint32_t word = 0; word < use->words; word++) {
			uint32_t number = use->number + word;

			if (use->file == GFX_FILE_SCALAR) {
				const uint32_t *first = scalar_word(&a->wave, number);

				if (number == GFX_CODE_SCC)
					assert_int_equal(a->wave.status & 1, b->wave.status & 1);
				/* What is the trap handler's alone is not written. */
				else if (first && !is_trap_temporary(number) &&
					 *first != *scalar_word(&b->wave, number))
					fail_msg("%s: scalar result %u depends on more", name,
						 number);
				continue;
			}
			for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
				if (exec >> lane & 1 && plane(a, use->file, number)[lane] !=
								plane(b, use->file, number)[lane])
					fail_msg("%s: lane %u of result %u depends on more", name,
						 lane, number);
		}
	}
}

static struct machine before, after, other;

/* How many registers a matrix has depends on the wave, so that decoding cannot refuse one that has some behind the last. */
static bool passes_the_end(const struct gfx_use *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (list[i].file != GFX_FILE_SCALAR &&
		    list[i].number + list[i].words > GFX_MAX_VGPRS)
			return true;
	return false;
}

static bool try_one(const struct gfx_instruction *instruction, const char *architecture,
		    uint32_t lanes)
{
	const char *name = instruction->operation->name;
	struct gfx_fault fault = {0};
	struct gfx_uses uses;
	uint64_t exec;

	gfx_instruction_uses(instruction, lanes, &uses);
	if (uses.dynamic || passes_the_end(uses.reads, uses.read_count) ||
	    passes_the_end(uses.writes, uses.write_count))
		return false;
	make_wave(&before, architecture, lanes);
	exec = before.wave.exec;
	after = before;
	attach(&after);
	if (gfx_wave_execute(&after.wave, &memory, instruction, &fault) != GFX_STEP_DONE)
		return false;
	check_differences(&before, &after, &uses, name);
	if (uses.volatile_result)
		return true;
	disturb(&before, &other, &uses);
	/* Memory may refuse now: the bases of addresses are in exec's own lanes alone. */
	if (gfx_wave_execute(&other.wave, &memory, instruction, &fault) != GFX_STEP_DONE)
		return true;
	check_results(&after, &other, &uses,
		      uses.all_lanes ? ALL_LANES >> (GFX_MAX_LANES - lanes) : exec, name);
	assert_int_equal(after.wave.pc, other.wave.pc);
	return true;
}

static size_t try_row(const struct gfx_encoding_row *row, uint32_t opcode, const char *architecture,
		      uint32_t lanes)
{
	const size_t wanted = test_share() > 1 ? 1 : TRIES_PER_OPERATION;
	size_t done = 0;

	for (uint32_t i = 0; i < 40 * TRIES_PER_OPERATION && done < wanted; i++) {
		/* Few bits set: reserved fields are zero then. */
		uint32_t words[] = {next_random() & next_random(), next_random(), next_random()};
		struct gfx_instruction instruction;

		if (i % 2)
			words[1] &= next_random() & next_random();
		/* Matrices are in registers. */
		if (row->encoding == GFX_MAI)
			words[1] = (words[1] | V(0) | V(0) << 9) & 0x1fffffff;
		words[0] &= ~(row->mask | row->opcode_mask << row->opcode_shift);
		words[0] |= row->value | opcode << row->opcode_shift;
		if (gfx_decode(gfx_architecture_by_name(architecture), words, 3, &instruction) !=
		    GFX_DECODE_OK)
			continue;
		done += try_one(&instruction, architecture, lanes);
	}
	return done;
}

static void check_architecture(const char *architecture, uint32_t lanes, size_t least)
{
	size_t operations = 0, tried = 0;

	for (const struct gfx_isa *isa = gfx_isa_of(gfx_architecture_by_name(architecture)); isa;
	     isa = isa->base)
		for (size_t row = 0; row < isa->row_count; row++)
			for (uint32_t i = 0; i < isa->rows[row].opcode_count; i++) {
				size_t done =
					try_row(&isa->rows[row], isa->rows[row].opcode_first + i,
						architecture, lanes);

				operations += done > 0;
				tried += done;
			}
	printf("%s, %u lanes: %zu operations, %zu instructions\n", architecture, lanes, operations,
	       tried);
	assert_true(operations >= least);
}

static void test_gfx942(void **state)
{
	(void)state;
	check_architecture("gfx942", 64, 900);
}

static void test_gfx90a(void **state)
{
	(void)state;
	check_architecture("gfx90a", 64, 900);
}

static void test_gfx908(void **state)
{
	(void)state;
	check_architecture("gfx908", 64, 900);
	check_architecture("gfx900", 64, 900);
}

static void test_gfx1010(void **state)
{
	(void)state;
	check_architecture("gfx1011", 32, 900);
}

static void test_gfx950(void **state)
{
	(void)state;
	check_architecture("gfx950", 64, 900);
}

static void test_gfx1030(void **state)
{
	(void)state;
	check_architecture("gfx1030", 32, 900);
	check_architecture("gfx1030", 64, 900);
}

static void test_gfx1100(void **state)
{
	(void)state;
	check_architecture("gfx1100", 32, 900);
	check_architecture("gfx1100", 64, 900);
}

static void test_gfx1150(void **state)
{
	(void)state;
	check_architecture("gfx1150", 32, 900);
}

static void test_gfx1201(void **state)
{
	(void)state;
	check_architecture("gfx1201", 32, 900);
	check_architecture("gfx1201", 64, 900);
}

/* An instruction as LLVM writes it, and its lists as text. */
static void check_lists(const char *architecture, uint32_t lanes, const uint32_t words[3],
			const char *expected)
{
	static const char *const files[] = {"s", "v", "a"};
	static const char *const parts[] = {"", "l", "h"};
	struct gfx_instruction instruction;
	char text[256];
	struct gfx_uses uses;
	int used = 0;

	assert_int_equal(gfx_decode(gfx_architecture_by_name(architecture), words, 3, &instruction),
			 GFX_DECODE_OK);
	gfx_instruction_uses(&instruction, lanes, &uses);
	for (uint32_t i = 0; i < uses.write_count; i++)
		used += snprintf(text + used, sizeof(text) - (size_t)used, "%s%u/%u%s ",
				 files[uses.writes[i].file], uses.writes[i].number,
				 uses.writes[i].words, parts[uses.writes[i].part]);
	used += snprintf(text + used, sizeof(text) - (size_t)used, "<-");
	for (uint32_t i = 0; i < uses.read_count; i++)
		used += snprintf(text + used, sizeof(text) - (size_t)used, " %s%s%s%u/%u%s",
				 uses.reads[i].address ? "@" : "", uses.reads[i].kept ? "=" : "",
				 files[uses.reads[i].file], uses.reads[i].number,
				 uses.reads[i].words, parts[uses.reads[i].part]);
	assert_string_equal(text, expected);
}
#define LISTS(expected, ...) check_lists("gfx942", 64, (const uint32_t[3]){__VA_ARGS__}, expected)

static void test_lists(void **state)
{
	(void)state;
	LISTS("s4/1 s253/1 <- s5/1 s6/1", SOP2(0U, 4U, S(5), S(6)));	    /* s_add_u32 */
	LISTS("s4/1 s253/1 <- s5/1 s6/1 s253/1", SOP2(4U, 4U, S(5), S(6))); /* s_addc_u32 */
	LISTS("s4/1 <- s5/1 s6/1", SOP2(36U, 4U, S(5), S(6)));		    /* s_mul_i32 */
	LISTS("s4/2 s126/2 s253/1 <- s106/2 s126/2", SOP1(32U, 4U, VCC));   /* saveexec */
	LISTS("s4/4 <- @s8/2", SMEM(2U, 4U, 8U, 16));			    /* s_load_dwordx4 */
	LISTS("v2/1 s106/2 <- s4/1 v3/1", VOP2(25U, 2U, S(4), 3U));	    /* v_add_co_u32 */
	LISTS("v2/1 s106/2 <- v3/1 v4/1 s106/2", VOP2(28U, 2U, V(3), 4U));  /* v_addc_co_u32 */
	LISTS("<- @v2/2 v4/1", GLOBAL(28U, 0, 0U, 2U, 4U, OFF));	    /* store_dword */
	LISTS("v7/2 <- @v2/1 @s4/2", GLOBAL(21U, 0, 7U, 2U, 0U, 4U));	    /* load_dwordx2 */
	LISTS("v8/4 <- v2/2 v4/2 v16/4", 0xd3cd0008, 0x04420902); /* v_mfma_f32_16x16x16_f16 */
	LISTS("a8/4 <- v2/2 a4/4 v16/1 a8/4", 0xd3e28008,
	      0x14420902);	  /* v_smfmac_f32_16x16x32_f16 */
	LISTS("<-", SOPP(1U, 0)); /* s_endpgm */
	/* v_pk_mul_f32 v[0:1], v[2:3], s[6:7] op_sel_hi:[1,0]; v_pk_add_f32 v[0:1], v[2:3], v[4:5] op_sel:[1,0] */
	LISTS("v0/2 <- v2/2 s6/1", 0xd3b14000, 0x08000d02);
	LISTS("v0/2 <- v3/1 v4/2", 0xd3b24800, 0x18020902);
	/* v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[1,0]; v_pk_add_f16 v0, v1, v2 op_sel:[0,1] op_sel_hi:[0,1] */
	LISTS("v0/2 <- v3/1 v4/1", 0xd3b34800, 0x18020902);
	LISTS("v0/1 <- v1/1l v2/1h", 0xd38f5000, 0x10020501);
}

#define LATER(lanes, expected, ...)                                                                \
	check_lists("gfx1100", lanes, (const uint32_t[3]){__VA_ARGS__}, expected)

/* Words are those that LLVM makes of the text behind them. */
static void test_later_lists(void **state)
{
	(void)state;
	/* s_and_saveexec_b32 s4, vcc_lo; s_cbranch_vccz; v_cmp_gt_u32_e64 s4, v1, v2; v_cmpx_gt_u32_e32 v1, v2 */
	LATER(32, "s4/1 s126/1 s253/1 <- s106/1 s126/1", 0xbe84206a);
	LATER(32, "<- s106/1", 0xbfa30001);
	LATER(64, "<- s106/2", 0xbfa30001);
	LATER(32, "s4/1 <- v1/1 v2/1", 0xd44c0004, 0x00020501);
	LATER(64, "s4/2 <- v1/1 v2/1", 0xd44c0004, 0x00020501);
	LATER(32, "s126/1 <- v1/1 v2/1", 0x7d980501);
	/* v_add_f16_e64 v0.h, v1.l, v2.h; v_and_b32_e32 v1, 0xffff, v0 */
	LATER(32, "v0/1h <- v1/1l v2/1h =v0/1l", 0xd5325000, 0x00020501);
	LATER(32, "v1/1 <- v0/1l", 0x360200ff, 0xffff);
	/* global_store_b16 v0, v1, s[0:1]; global_load_d16_hi_b16 v2, v[0:1], off */
	LATER(32, "<- @v0/1 @s0/2 v1/1l", 0xdc660000, 0x00000100);
	LATER(32, "v2/1h <- @v0/2 =v2/1l", 0xdc8e0000, 0x027c0000);
	/* v_dual_mov_b32 v0, v1 :: v_dual_add_f32 v3, v2, v4; v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0] */
	LATER(32, "v0/1 v3/1 <- v1/1 v2/1 v4/1", 0xca080101, 0x00020902);
	LATER(32, "v0/1 <- v1/1", 0x7e0002e9, 0x053977 << 8 | 1);
	/* s_mov_b32 null, s1 */
	LATER(32, "<- s1/1", 0xbefc0001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),	    cmocka_unit_test(test_gfx942),
		cmocka_unit_test(test_gfx90a),	    cmocka_unit_test(test_gfx950),
		cmocka_unit_test(test_gfx908),	    cmocka_unit_test(test_gfx1010),
		cmocka_unit_test(test_gfx1030),	    cmocka_unit_test(test_gfx1100),
		cmocka_unit_test(test_gfx1150),	    cmocka_unit_test(test_gfx1201),
		cmocka_unit_test(test_later_lists),
	};

	return cmocka_run_group_tests_name("gfx-uses", tests, NULL, NULL);
}
