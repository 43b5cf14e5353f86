/* SPDX-License-Identifier: MIT */
/*
 * The tables against what AMD's library answers for the 30 architectures that it was asked about: every line of WT_FACTS and
 * WT_INSTRUCTIONS (in tests/facts/) about registers, classes, spaces and the control flow is compared
 * with the data.
 */
#include "tests/unit/facts.h"

#include "gfx/architecture/architecture.h"
#include "gfx/isa/tables.h"

/* Probes were classified at this address. */
#define PROBE_ADDRESS UINT64_C(0x100000)
#define ANSWERED 30 /* architectures that AMD's library was asked about: the first of the table */
#define ARCHITECTURES 39
/* Those that instructions were probed of: LLVM 19 has no disassembler for the 30th, gfx1250. */
#define PROBED 29

static const struct gfx_architecture *named(const char *name)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_name(name);

	if (!architecture)
		fail_msg("no architecture %s", name);
	return architecture;
}

/* The architecture that a line is about. */
static const struct gfx_architecture *of(const json_t *line)
{
	return named(fact_text(line, "arch"));
}

static const struct gfx_architecture *gfx942(void)
{
	return named("gfx942");
}

static void check_architecture(const json_t *line)
{
	const struct gfx_architecture *a = of(line);
	struct gfx_register pc;
	char bytes[2 * sizeof(a->breakpoint) + 1] = "", name[GFX_REGISTER_NAME];

	assert_string_equal(a->name, fact_text(line, "arch"));
	check_fact_id(line, 0, a->id);
	assert_int_equal(a->elf_machine, fact_hex(line, "elf_machine"));
	assert_int_equal(a->largest_instruction, fact_number(line, "largest_instruction"));
	assert_int_equal(a->alignment, fact_number(line, "alignment"));
	assert_int_equal(a->breakpoint_size, fact_number(line, "breakpoint_size"));
	assert_int_equal(a->breakpoint_pc_adjust, fact_number(line, "pc_adjust"));
	for (size_t i = 0; i < a->breakpoint_size; i++)
		snprintf(bytes + 2 * i, 3, "%02x", a->breakpoint[i]);
	assert_string_equal(bytes, fact_text(line, "breakpoint"));
	assert_true(gfx_register_by_id(a, a->id << 32 | a->pc_register, &pc));
	gfx_register_name(&pc, name);
	assert_string_equal(name, fact_text(line, "pc_register"));
	assert_ptr_equal(gfx_architecture_by_id(a->id), a);
	assert_ptr_equal(gfx_architecture_by_machine((uint32_t)fact_hex(line, "elf_machine")), a);
}

static void test_architecture(void **state)
{
	(void)state;
	assert_int_equal(each_fact(WT_FACTS, "architecture", check_architecture), ANSWERED);
}

static void check_register_class(const json_t *line)
{
	const struct gfx_architecture *a = of(line);
	const struct gfx_register_class_info *info = &a->classes[fact_number(line, "index")];
	enum gfx_register_class class;

	check_fact_id(line, 0, info->id);
	assert_string_equal(info->name, fact_text(line, "name"));
	assert_ptr_equal(gfx_register_class_by_id(a, info->id, &class), info);
	assert_int_equal(class, fact_number(line, "index"));
}

static void test_register_classes(void **state)
{
	enum gfx_register_class class;

	(void)state;
	assert_int_equal(each_fact(WT_FACTS, "register_class", check_register_class),
			 ANSWERED * GFX_CLASS_COUNT);
	assert_null(gfx_register_class_by_id(gfx942(), 0, &class));
	assert_null(gfx_register_class_by_id(gfx942(), gfx942()->classes[0].id + 1, &class));
}

static uint32_t class_bits(const struct gfx_architecture *a, const json_t *names)
{
	uint32_t bits = 0;
	json_t *name;
	size_t index;

	json_array_foreach(names, index, name)
	{
		for (int i = 0; i < GFX_CLASS_COUNT; i++)
			if (!strcmp(a->classes[i].name, json_string_value(name)))
				bits |= 1u << i;
	}
	return bits;
}

/* The name of the register that follows one of name "s64" by @offset. */
static void name_after(const char *first, uint64_t offset, char name_ret[32])
{
	size_t letters = strcspn(first, "0123456789");

	if (!offset)
		snprintf(name_ret, 32, "%s", first);
	else
		snprintf(name_ret, 32, "%.*s%llu", (int)letters, first,
			 strtoull(first + letters, NULL, 10) + (unsigned long long)offset);
}

/* Wherever the one before was found: in a range before, behind, of another architecture, or one that is not there. */
static void check_range(const struct gfx_architecture *a, const struct gfx_register *reg)
{
	for (size_t place = 0; place < a->register_range_count + 2; place++) {
		size_t found = place;

		assert_null(gfx_register_range_find(a, reg->id + (UINT64_C(1) << 32), &found));
		assert_null(gfx_register_range_find(a, a->id << 32 | 0xffffffffu, &found));
		assert_int_equal(found, place);
		assert_ptr_equal(gfx_register_range_find(a, reg->id, &found), reg->range);
		assert_ptr_equal(&a->registers[found], reg->range);
	}
}

static void check_one_register(const struct gfx_architecture *a, const json_t *line, uint64_t i)
{
	const json_t *dwarf = json_object_get(line, "dwarf");
	struct gfx_register reg, same;
	char name[32], given[GFX_REGISTER_NAME];

	assert_true(gfx_register_at(a, fact_number(line, "index") + i, &reg));
	name_after(fact_text(line, "name"), i, name);
	gfx_register_name(&reg, given);
	assert_string_equal(given, name);
	check_fact_id(line, i, reg.id);
	assert_int_equal(reg.range->size, fact_number(line, "size"));
	assert_string_equal(reg.range->type, fact_text(line, "type"));
	assert_int_equal(reg.range->properties, fact_number(line, "properties"));
	assert_int_equal(reg.range->classes, class_bits(a, json_object_get(line, "classes")));
	if (json_is_integer(dwarf))
		assert_int_equal(reg.dwarf, (uint64_t)json_integer_value(dwarf) + i);
	else
		assert_int_equal(reg.dwarf, GFX_DWARF_NONE);
	assert_true(gfx_register_by_id(a, reg.id, &same));
	assert_memory_equal(&same.range, &reg.range, sizeof(reg.range));
	assert_int_equal(same.index, reg.index);
	check_range(a, &reg);
}

/* How many registers of each architecture the lines were about, by its id. */
static size_t registers_seen[ANSWERED + 1];

static void check_registers(const json_t *line)
{
	size_t *seen = &registers_seen[of(line)->id];

	assert_int_equal(fact_number(line, "index"), *seen);
	for (uint64_t i = 0; i < fact_number(line, "count"); i++)
		check_one_register(of(line), line, i);
	*seen += fact_number(line, "count");
}

static void check_register_count(const json_t *line)
{
	struct gfx_register reg;

	assert_int_equal(gfx_register_count(of(line)), fact_number(line, "count"));
	assert_int_equal(registers_seen[of(line)->id], fact_number(line, "count"));
	assert_false(gfx_register_at(of(line), fact_number(line, "count"), &reg));
	assert_false(gfx_register_by_id(of(line), (of(line)->id + 1) << 32, &reg));
}

static void test_registers(void **state)
{
	struct gfx_register reg;

	(void)state;
	memset(registers_seen, 0, sizeof(registers_seen));
	assert_int_equal(each_fact(WT_FACTS, "registers", check_registers), 514);
	assert_int_equal(each_fact(WT_FACTS, "register_count", check_register_count), ANSWERED);
	assert_false(gfx_register_by_id(gfx942(), UINT64_C(0x700000200), &reg));
	assert_false(gfx_register_by_id(gfx942(), UINT64_C(0x600000000), &reg));
	assert_false(gfx_register_by_id(gfx942(), 0, &reg));
	assert_false(gfx_register_by_id(named("gfx1100"), UINT64_C(0xe00000100), &reg));
}

/* Names by DWARF number as the facts have them; empty where there is no register. */
#define DWARF_NUMBERS 8192
static char dwarf_names[ANSWERED + 1][DWARF_NUMBERS][32];

static void take_dwarf(const json_t *line)
{
	uint64_t first = fact_number(line, "dwarf");
	struct gfx_register reg;

	for (uint64_t i = 0; i < fact_number(line, "count"); i++) {
		name_after(fact_text(line, "name"), i, dwarf_names[of(line)->id][first + i]);
		assert_true(gfx_register_by_dwarf(of(line), first + i, &reg));
		check_fact_id(line, i, reg.id);
	}
}

static void test_dwarf_registers(void **state)
{
	struct gfx_register reg;

	(void)state;
	memset(dwarf_names, 0, sizeof(dwarf_names));
	assert_int_equal(each_fact(WT_FACTS, "dwarf_registers", take_dwarf), 278);
	for (size_t id = 1; id <= ANSWERED; id++) {
		const struct gfx_architecture *a = gfx_architecture_by_id(id);

		for (uint64_t i = 0; i < DWARF_NUMBERS; i++) {
			char name[GFX_REGISTER_NAME] = "";

			if (gfx_register_by_dwarf(a, i, &reg))
				gfx_register_name(&reg, name);
			assert_string_equal(name, dwarf_names[id][i]);
		}
		assert_false(gfx_register_by_dwarf(a, GFX_DWARF_NONE, &reg));
	}
}

static void test_register_names(void **state)
{
	static const struct {
		const char *name;
		uint64_t id;
	} good[] = {{"v0", 0x700000000},     {"v255", 0x7000000ff}, {"a9", 0x700000109},
		    {"s63", 0x70000043f},    {"s101", 0x700000465}, {"ttmp4", 0x700000514},
		    {"ttmp13", 0x70000051d}, {"m0", 0x700000521},   {"exec", 0x70000053d}};
	static const char *const bad[] = {"v256", "s102",	  "ttmp3", "ttmp12", "v",
					  "v01",  "v-1",	  "v 1",   "",	     "m",
					  "pc2",  "v99999999999", "vcc_lo"};
	struct gfx_register reg;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(gfx_register_by_name(gfx942(), good[i].name, &reg));
		assert_int_equal(reg.id, good[i].id);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(gfx_register_by_name(gfx942(), bad[i], &reg));
}

static void check_address_space(const json_t *line)
{
	const struct gfx_architecture *a = of(line);
	const struct gfx_address_space *space = &a->spaces[fact_number(line, "index")];

	check_fact_id(line, 0, space->id);
	assert_string_equal(space->name, fact_text(line, "name"));
	assert_int_equal(space->address_bits, fact_number(line, "address_size"));
	assert_int_equal(space->null_address, fact_hex(line, "null"));
	assert_int_equal(space->access, fact_number(line, "access"));
	assert_int_equal(space->dwarf, fact_number(line, "dwarf"));
	assert_ptr_equal(gfx_address_space_by_id(a, space->id), space);
	assert_ptr_equal(gfx_address_space_of(a, space->space), space);
}

static void check_address_class(const json_t *line)
{
	const struct gfx_architecture *a = of(line);
	const struct gfx_address_class *class = &a->address_classes[fact_number(line, "index")];

	check_fact_id(line, 0, class->id);
	assert_string_equal(class->name, fact_text(line, "name"));
	assert_int_equal(class->dwarf, fact_number(line, "dwarf"));
	assert_string_equal(gfx_address_space_of(a, class->space)->name, fact_text(line, "space"));
	assert_ptr_equal(gfx_address_class_by_id(a, class->id), class);
}

static void test_addresses(void **state)
{
	(void)state;
	assert_int_equal(each_fact(WT_FACTS, "address_space", check_address_space), ANSWERED * 5);
	assert_int_equal(each_fact(WT_FACTS, "address_class", check_address_class), ANSWERED * 5);
	assert_int_equal(gfx942()->space_count, 5);
	assert_int_equal(gfx942()->address_class_count, 5);
	assert_null(gfx_address_space_by_id(gfx942(), 2));
	assert_null(gfx_address_class_by_id(gfx942(), 1));
}

/* Append a register or an address to the list of what classify_instruction tells. */
static void add_register(const struct gfx_architecture *a, json_t *list, uint64_t id)
{
	char name[GFX_REGISTER_NAME];
	struct gfx_register reg;

	if (!id)
		return;
	assert_true(gfx_register_by_id(a, id, &reg));
	gfx_register_name(&reg, name);
	json_array_append_new(list, json_string(name));
}

static json_t *information(const struct gfx_architecture *a, const struct gfx_classification *c)
{
	json_t *list = json_array();
	char buffer[32];

	if (c->kind == GFX_INSTRUCTION_TRAP)
		snprintf(buffer, sizeof(buffer), "%u", c->trap_id);
	else
		snprintf(buffer, sizeof(buffer), "%#llx", (unsigned long long)c->target);
	if (c->kind == GFX_INSTRUCTION_TRAP || c->target)
		json_array_append_new(list, json_string(buffer));
	for (int i = 0; i < 2; i++)
		add_register(a, list, c->source_registers[i]);
	for (int i = 0; i < 2; i++)
		add_register(a, list, c->saved_registers[i]);
	return list;
}

static uint32_t first_word(const char *bytes)
{
	char word[9];

	snprintf(word, sizeof(word), "%.8s", bytes);
	return __builtin_bswap32((uint32_t)strtoul(word, NULL, 16));
}

static void check_classify(const json_t *line)
{
	const json_t *info = json_object_get(line, "info");
	struct gfx_classification c;
	uint32_t word;
	json_t *got;

	if (strcmp(fact_text(line, "status"), "SUCCESS"))
		return;
	word = first_word(fact_text(line, "bytes"));
	gfx_classify(of(line), PROBE_ADDRESS, &word, 1, &c);
	if (c.kind != fact_number(line, "ikind"))
		fail_msg("%s %s: kind %d", fact_text(line, "arch"), fact_text(line, "probe"),
			 (int)c.kind);
	got = information(of(line), &c);
	if (json_is_null(info))
		assert_int_equal(json_array_size(got), 0);
	else if (!json_equal(got, info))
		fail_msg("%s %s: other information", fact_text(line, "arch"),
			 fact_text(line, "probe"));
	json_decref(got);
}

static void test_classify(void **state)
{
	(void)state;
	assert_int_equal(each_fact(WT_INSTRUCTIONS, "classify", check_classify), PROBED * 38);
}

/* A trace's architecture has numbers of its own: classification names registers by these. */
static void test_classify_with_other_numbers(void **state)
{
	const struct gfx_architecture *own = gfx_architecture_by_name("gfx90a");
	struct gfx_architecture other = *own;
	struct gfx_register_range ranges[64];
	struct gfx_classification expected, got;
	/* s_swappc_b64 s[30:31], s[4:5]; s_setpc_b64 s[6:7] */
	static const uint32_t words[] = {0xbe9e1e04, 0xbe801d06};

	(void)state;
	assert_true(own->register_range_count <= 64);
	memcpy(ranges, own->registers, own->register_range_count * sizeof(*ranges));
	for (size_t i = 0; i < own->register_range_count; i++)
		ranges[i].number += 5000;
	other.id = own->id + 40;
	other.registers = ranges;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const uint64_t more = (UINT64_C(40) << 32) + 5000;

		gfx_classify(own, PROBE_ADDRESS, &words[i], 1, &expected);
		gfx_classify(&other, PROBE_ADDRESS, &words[i], 1, &got);
		assert_int_equal(got.kind, expected.kind);
		assert_int_not_equal(expected.source_registers[0], 0);
		for (int j = 0; j < 2; j++) {
			assert_int_equal(got.source_registers[j],
					 expected.source_registers[j] + more);
			if (!i)
				assert_int_equal(got.saved_registers[j],
						 expected.saved_registers[j] + more);
		}
	}
}

/* A word that the facts have no probe for. Register ids are without the architecture's part. */
struct more {
	const char *architecture;
	uint32_t word;
	enum gfx_instruction_kind kind;
	uint64_t target;
	uint32_t source, saved;
};

static void check_more(const struct more *m)
{
	uint64_t base = named(m->architecture)->id << 32;
	uint64_t source = m->source ? base | m->source : 0, saved = m->saved ? base | m->saved : 0;
	struct gfx_classification c;

	gfx_classify(named(m->architecture), PROBE_ADDRESS, &m->word, 1, &c);
	if (c.kind != m->kind)
		fail_msg("%s %08x: kind %d", m->architecture, m->word, (int)c.kind);
	assert_int_equal(c.target, m->target);
	assert_int_equal(c.source_registers[0], source);
	assert_int_equal(c.source_registers[1], source ? source + 1 : 0);
	assert_int_equal(c.saved_registers[0], saved);
	assert_int_equal(c.saved_registers[1], saved ? saved + 1 : 0);
}

static void test_classify_more(void **state)
{
	static const struct more cases[] = {
		{"gfx942", 0xbf8d0000, GFX_INSTRUCTION_SEQUENTIAL, 0, 0, 0}, /* s_sethalt 0 */
		{"gfx942", 0xbf970001, GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL, 0x100008, 0, 0},
		{"gfx942", 0xbf9a0001, GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL, 0x100008, 0, 0},
		{"gfx942", 0xbf828000, GFX_INSTRUCTION_DIRECT_BRANCH, 0xe0004, 0, 0},
		/* s_cbranch_i_fork */
		{"gfx942", 0xb8048001, GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL, 0xe0008, 0, 0},
		{"gfx942", 0xb8050001, GFX_INSTRUCTION_UNKNOWN, 0, 0, 0},
		{"gfx942", 0x94800604, GFX_INSTRUCTION_INDIRECT_BRANCH_CONDITIONAL, 0, 0x406, 0},
		{"gfx942", 0x94800704, GFX_INSTRUCTION_UNKNOWN, 0, 0, 0},
		{"gfx942", 0xbe802e04, GFX_INSTRUCTION_SPECIAL, 0, 0, 0},	      /* join */
		{"gfx942", 0xbe801d6a, GFX_INSTRUCTION_INDIRECT_BRANCH, 0, 0x536, 0}, /* vcc */
		{"gfx942", 0xbe801d66, GFX_INSTRUCTION_INDIRECT_BRANCH, 0, 0x532, 0},
		{"gfx942", 0xbe801d80, GFX_INSTRUCTION_UNKNOWN, 0, 0, 0},
		{"gfx942", 0xbe9f1e04, GFX_INSTRUCTION_UNKNOWN, 0, 0, 0}, /* odd pair */
		{"gfx942", 0xba9f0004, GFX_INSTRUCTION_UNKNOWN, 0, 0, 0},
		{"gfx942", 0xba9e8000, GFX_INSTRUCTION_DIRECT_CALL, 0xe0004, 0, 0x41e},
		/* s_subvector_loop_begin and _end, which moved; gfx12 has none. */
		{"gfx1030", 0xbd9e0004, GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL, 0x100014, 0, 0},
		{"gfx1030", 0xbe1e0004, GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL, 0x100014, 0, 0},
		{"gfx1100", 0xbb9e0004, GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL, 0x100014, 0, 0},
		{"gfx1200", 0xbb1e0004, GFX_INSTRUCTION_SEQUENTIAL, 0, 0, 0},
		/* s_call_b64, s_setpc_b64 of s102 (a plain register from gfx10 on) and of null. */
		{"gfx1100", 0xba1e0004, GFX_INSTRUCTION_DIRECT_CALL, 0x100014, 0, 0x41e},
		{"gfx1010", 0xbe802066, GFX_INSTRUCTION_INDIRECT_BRANCH, 0, 0x466, 0},
		{"gfx1100", 0xbe804866, GFX_INSTRUCTION_INDIRECT_BRANCH, 0, 0x466, 0},
		{"gfx1100", 0xbe80487c, GFX_INSTRUCTION_INDIRECT_BRANCH, 0, 0x542, 0},
		{"gfx1010", 0xbe80207c, GFX_INSTRUCTION_UNKNOWN, 0, 0, 0}, /* m0 */
		/* Barriers: one instruction up to gfx11, s_barrier_wait after it. */
		{"gfx1100", 0xbf940000, GFX_INSTRUCTION_SEQUENTIAL, 0, 0, 0},
		{"gfx1200", 0xbf940000, GFX_INSTRUCTION_BARRIER, 0, 0, 0},
		{"gfx1200", 0xbfbd0000, GFX_INSTRUCTION_SEQUENTIAL, 0, 0, 0},
		/* Branches on the debugger's conditions are gone in gfx12. */
		{"gfx1100", 0xbfa70001, GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL, 0x100008, 0, 0},
		{"gfx1200", 0xbfa70001, GFX_INSTRUCTION_SEQUENTIAL, 0, 0, 0},
		{"gfx1200", 0xbfa60001, GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL, 0x100008, 0, 0},
		{"gfx1200", 0xbf830002, GFX_INSTRUCTION_SLEEP, 0, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_more(&cases[i]);
}

/* s_add_pc_i64, which came with gfx1250: by a constant of any length, or by a pair of registers. */
static void test_relative_branch(void **state)
{
	static const struct {
		const char *architecture;
		uint32_t words[3];
		size_t count;
		enum gfx_instruction_kind kind;
		uint64_t target;
		uint32_t source;
	} cases[] = {
		{"gfx1250", {0xbe804b88}, 1, GFX_INSTRUCTION_DIRECT_BRANCH, 0x10000c, 0},
		{"gfx1250", {0xbe804bc4}, 1, GFX_INSTRUCTION_DIRECT_BRANCH, 0x100000, 0},
		{"gfx1250", {0xbe804bd0}, 1, GFX_INSTRUCTION_DIRECT_BRANCH, 0xffff4, 0},
		{"gfx1250", {0xbe804bff, 0x1000}, 2, GFX_INSTRUCTION_DIRECT_BRANCH, 0x101008, 0},
		{"gfx1250",
		 {0xbe804bff, 0xfffffff8},
		 2,
		 GFX_INSTRUCTION_DIRECT_BRANCH,
		 0x100000,
		 0},
		{"gfx1250", {0xbe804bfe, 4, 1}, 3, GFX_INSTRUCTION_DIRECT_BRANCH, 0x100100010, 0},
		{"gfx1250", {0xbe804b04}, 1, GFX_INSTRUCTION_RELATIVE_BRANCH, 0, 0x404},
		{"gfx1250", {0xbe804b6a}, 1, GFX_INSTRUCTION_RELATIVE_BRANCH, 0, 0x536},
		/* An odd pair, a constant that is cut off, and one of floating point. */
		{"gfx1250", {0xbe804b05}, 1, GFX_INSTRUCTION_SEQUENTIAL, 0, 0},
		{"gfx1250", {0xbe804bff}, 1, GFX_INSTRUCTION_SEQUENTIAL, 0, 0},
		{"gfx1250", {0xbe804bfe, 4}, 2, GFX_INSTRUCTION_SEQUENTIAL, 0, 0},
		{"gfx1250", {0xbe804bf2}, 1, GFX_INSTRUCTION_SEQUENTIAL, 0, 0},
		{"gfx1200", {0xbe804b04}, 1, GFX_INSTRUCTION_SEQUENTIAL, 0, 0},
		{"gfx1250", {0xbfa00001}, 1, GFX_INSTRUCTION_DIRECT_BRANCH, 0x100008, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct gfx_architecture *a = named(cases[i].architecture);
		uint64_t source = cases[i].source ? a->id << 32 | cases[i].source : 0;
		struct gfx_classification c;

		gfx_classify(a, PROBE_ADDRESS, cases[i].words, cases[i].count, &c);
		if (c.kind != cases[i].kind)
			fail_msg("%s %08x: kind %d", a->name, cases[i].words[0], (int)c.kind);
		assert_int_equal(c.target, cases[i].target);
		assert_int_equal(c.source_registers[0], source);
		assert_int_equal(c.source_registers[1], source ? source + 1 : 0);
	}
}

/* Whoever has instructions like another's names one that is there, and that LLVM knew before, or knows longer. */
static void test_alike(void **state)
{
	(void)state;
	for (size_t i = 0; i < gfx_architecture_count(); i++) {
		const struct gfx_architecture *a = gfx_architecture_at(i), *alike;

		if (!a->alike)
			continue;
		alike = gfx_architecture_by_name(a->alike);
		assert_non_null(alike);
		assert_true(alike->llvm < a->llvm || (a->llvm_last && !alike->llvm_last));
		assert_int_equal(alike->generation, a->generation);
	}
}

/* The version of a GPU's name, whose last two digits are hexadecimal: 90010 for gfx90a; 0 for a generic target. */
static uint32_t version_of(const char *name)
{
	const char *digits = name + strlen("gfx");
	size_t length = strlen(digits);
	uint32_t last, major = 0;

	if (strchr(name, '-'))
		return 0;
	last = (uint32_t)strtoul(digits + length - 2, NULL, 16);
	for (size_t i = 0; i + 2 < length; i++)
		major = 10 * major + (uint32_t)(digits[i] - '0');
	return major * 10000 + last / 16 * 100 + last % 16;
}

/* No part of a row is missing: what nothing else would complain of, a reader of it takes for 0. */
static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < gfx_architecture_count(); i++) {
		const struct gfx_architecture *a = gfx_architecture_at(i);
		bool gpu = !strchr(a->name, '-');

		print_message("%s\n", a->name);
		assert_int_equal(a->version, version_of(a->name));
		assert_true(a->elf_machine && a->largest_instruction && a->alignment);
		assert_true(a->breakpoint_size && a->pc_register && a->register_range_count);
		assert_true(a->space_count && a->address_class_count);
		/* The profiles before those of gfx9 have no architecture here: 0 is one of them. */
		assert_string_equal(a->operands.name, a->name);
		assert_in_range(a->operands.profile, GFX_OPERAND_GFX9, GFX_OPERAND_GFX12_5);
		assert_true(a->watch_first_bit && a->watch_first_bit < a->watch_last_bit);
		assert_int_equal(a->save_area == GFX_SAVE_AREA_NO_GPU, !gpu);
		assert_in_range(a->save_area, GFX_SAVE_AREA_NO_GPU, GFX_SAVE_AREA_COUNT - 1);
		/* No older LLVM knows a generic target. */
		assert_true(gpu || a->alike);
		/* A product has tables; some that have tables are no product here. */
		assert_true(a->operations != GFX_OPERATIONS_NONE || !a->product);
		assert_int_equal(a->operations != GFX_OPERATIONS_NONE, gfx_isa_of(a) != NULL);
	}
}

/* GPUs that were not asked about have the registers, operands and breakpoint of a relative; it says which. */
static void test_newer(void **state)
{
	static const char *const pairs[][2] = {
		{"gfx1103", "gfx1100"},		{"gfx1154", "gfx1153"},
		{"gfx1170", "gfx1153"},		{"gfx1171", "gfx1153"},
		{"gfx1172", "gfx1153"},		{"gfx11-7-generic", "gfx1153"},
		{"gfx1250-strict", "gfx1250"},	{"gfx1251", "gfx1250"},
		{"gfx12-5-generic", "gfx1250"},
	};

	(void)state;
	assert_int_equal(sizeof(pairs) / sizeof(*pairs), ARCHITECTURES - ANSWERED);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		const struct gfx_architecture *a = named(pairs[i][0]), *b = named(pairs[i][1]);

		assert_int_equal(a->id, ANSWERED + i + 1);
		assert_ptr_equal(a->registers, b->registers);
		assert_int_equal(a->operands.profile, b->operands.profile);
		assert_int_equal(a->generation, b->generation);
		assert_memory_equal(a->breakpoint, b->breakpoint, sizeof(a->breakpoint));
	}
}

/* GPUs of these ids and revisions have the names that libdrm 2.4.134 gives them (amdgpu.ids). */
static void test_products(void **state)
{
	static const struct {
		const char *gpu;
		uint32_t device, revision;
		const char *name;
	} known[] = {
		{"gfx942", 0x74a1, 0x00, "AMD Instinct MI300X"},
		{"gfx90a", 0x7408, 0x00, "AMD Instinct MI250X"},
		{"gfx950", 0x75a3, 0x00, "AMD Instinct MI355X"},
		{"gfx1030", 0x73bf, 0xc0, "AMD Radeon RX 6900 XT"},
		{"gfx1100", 0x744c, 0xc8, "AMD Radeon RX 7900 XTX"},
		{"gfx1101", 0x747e, 0xc8, "AMD Radeon RX 7800 XT"},
		{"gfx1102", 0x7480, 0xcf, "AMD Radeon RX 7600"},
		{"gfx1103", 0x15bf, 0xc4, "AMD Radeon 780M Graphics"},
		{"gfx1150", 0x150e, 0xc1, "AMD Radeon 890M Graphics"},
		{"gfx1151", 0x1586, 0xc1, "AMD Radeon 8060S Graphics"},
		{"gfx1152", 0x1114, 0xc2, "AMD Radeon 860M Graphics"},
		{"gfx1153", 0x1902, 0xc1, "AMD Radeon 840M Graphics"},
		{"gfx1200", 0x7590, 0xc0, "AMD Radeon RX 9060 XT"},
		{"gfx1201", 0x7550, 0xc0, "AMD Radeon RX 9070 XT"},
	};
	size_t products = 0;

	(void)state;
	for (size_t i = 0; i < gfx_architecture_count(); i++)
		products += gfx_architecture_at(i)->product != NULL;
	assert_int_equal(sizeof(known) / sizeof(*known), products);
	for (size_t i = 0; i < products; i++) {
		const struct gfx_product *product = named(known[i].gpu)->product;
		const char *name;

		assert_int_equal(product->pci_device, known[i].device);
		assert_int_equal(product->pci_revision, known[i].revision);
		name = product->name + strlen("Simulated ");
		/* The table calls those in processors "Graphics", too. */
		assert_true(!strncmp(known[i].name, name, strlen(name)));
	}
}

/* Numbers are LLVM's EF_AMDGPU_MACH; some have a name here and nothing else. */
static void test_machine_names(void **state)
{
	(void)state;
	assert_string_equal(gfx_machine_name(0x4c), "gfx942");
	assert_string_equal(gfx_machine_name(0x44), "gfx1103");
	assert_string_equal(gfx_machine_name(0x5e), "gfx1171");
	assert_string_equal(gfx_machine_name(0xeb), "gfx1250-strict");
	assert_string_equal(gfx_machine_name(0x63), "gfx13-generic");
	assert_string_equal(gfx_machine_name(0x32), "gfx90c");
	assert_null(gfx_architecture_by_machine(0x63));
	assert_null(gfx_machine_name(0));
	assert_null(gfx_machine_name(0x27));
	assert_null(gfx_machine_name(0x163));
}

static void test_code_of_other_machines(void **state)
{
	(void)state;
	assert_true(gfx_architecture_may_run(named("gfx90a"), 0x3f));
	assert_false(gfx_architecture_may_run(named("gfx942"), 0x3f));
	assert_true(gfx_architecture_may_run(named("gfx1151"), 0x54));	/* gfx11-generic */
	assert_true(gfx_architecture_may_run(named("gfx1250"), 0xeb));	/* gfx1250-strict */
	assert_false(gfx_architecture_may_run(named("gfx1100"), 0x59)); /* gfx12-generic */
	assert_false(gfx_architecture_may_run(named("gfx1030"), 0x52)); /* gfx10-1-generic */
	/* One that has a name and nothing else, and one without a name, of which nothing is known. */
	assert_false(gfx_architecture_may_run(named("gfx900"), 0x32));
	assert_true(gfx_architecture_may_run(named("gfx900"), 0x27));
}

/* The kernel's driver tells a debugger these properties of a GPU. */
static void test_driver_properties(void **state)
{
	static const struct {
		const char *name;
		bool ttmps_always, precise_memory, precise_alu;
		uint8_t first, last;
	} cases[] = {
		{"gfx900", true, false, false, 6, 29},	{"gfx908", true, false, false, 6, 29},
		{"gfx90a", false, true, false, 6, 29},	{"gfx942", true, true, false, 7, 30},
		{"gfx950", true, true, false, 6, 29},	{"gfx1010", true, false, false, 7, 29},
		{"gfx1030", true, false, false, 7, 29}, {"gfx1100", true, false, false, 7, 29},
		{"gfx1151", true, false, false, 7, 29}, {"gfx1201", true, false, true, 7, 29},
		{"gfx1250", true, true, true, 7, 29},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct gfx_architecture *a = named(cases[i].name);

		assert_int_equal(a->ttmps_always, cases[i].ttmps_always);
		assert_int_equal(a->precise_memory, cases[i].precise_memory);
		assert_int_equal(a->precise_alu, cases[i].precise_alu);
		assert_int_equal(a->watch_first_bit, cases[i].first);
		assert_int_equal(a->watch_last_bit, cases[i].last);
	}
}

static void test_lookups(void **state)
{
	(void)state;
	assert_int_equal(gfx_architecture_count(), ARCHITECTURES);
	for (size_t i = 0; i < gfx_architecture_count(); i++) {
		const struct gfx_architecture *a = gfx_architecture_at(i);

		assert_ptr_equal(gfx_architecture_by_id(a->id), a);
		assert_ptr_equal(gfx_architecture_by_machine(a->elf_machine), a);
		assert_ptr_equal(gfx_architecture_by_name(a->name), a);
		if (a->version)
			assert_ptr_equal(gfx_architecture_by_version(a->version), a);
		assert_int_equal(a->id, i + 1);
	}
	assert_null(gfx_architecture_at(gfx_architecture_count()));
	assert_null(gfx_architecture_by_id(0));
	assert_null(gfx_architecture_by_machine(0));
	assert_null(gfx_architecture_by_version(0));
	assert_null(gfx_architecture_by_version(90003));
	assert_null(gfx_architecture_by_name("gfx94"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_architecture),
		cmocka_unit_test(test_register_classes),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_dwarf_registers),
		cmocka_unit_test(test_register_names),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_classify),
		cmocka_unit_test(test_classify_with_other_numbers),
		cmocka_unit_test(test_classify_more),
		cmocka_unit_test(test_relative_branch),
		cmocka_unit_test(test_alike),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_newer),
		cmocka_unit_test(test_products),
		cmocka_unit_test(test_machine_names),
		cmocka_unit_test(test_code_of_other_machines),
		cmocka_unit_test(test_driver_properties),
		cmocka_unit_test(test_lookups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
