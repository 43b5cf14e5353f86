/* SPDX-License-Identifier: MIT */
/*
 * Symbolic operands: the printed tables of all 65,536 values against hashes of what llvm-mc 19 prints,
 * every text read back, and what is refused and how. check-operand.py compares with llvm-mc itself.
 */
#include <stdint.h>

#include "tests/unit/with-cmocka.h"

#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/architecture/architecture.h"
#include "gfx/operand/operand.h"
#include "tests/unit/share.h"

#define VALUES 65536u

struct table {
	const char *targets[4];
	enum gfx_operand_kind kind;
	const char *instruction; /* what stands before the operand */
	const char *hash;	 /* the first 16 digits of SHA-256 of all lines */
};

#define WAITCNT GFX_OPERAND_WAITCNT
#define SENDMSG GFX_OPERAND_SENDMSG
#define HWREG GFX_OPERAND_HWREG
#define DEPCTR GFX_OPERAND_DEPCTR
#define DELAY GFX_OPERAND_DELAY_ALU

static const struct table tables[] = {
	{{"gfx803"}, WAITCNT, "s_waitcnt", "35ea35fce588c1ad"},
	{{"gfx900", "gfx90a", "gfx940"}, WAITCNT, "s_waitcnt", "68957fe93d555cfc"},
	{{"gfx1010", "gfx1030"}, WAITCNT, "s_waitcnt", "7067fa47cef2c3ef"},
	{{"gfx1100", "gfx1150", "gfx1200"}, WAITCNT, "s_waitcnt", "9f4d2cd1cab073c6"},
	{{"gfx803"}, SENDMSG, "s_sendmsg", "d38340fa8b9f929b"},
	{{"gfx900", "gfx90a", "gfx940"}, SENDMSG, "s_sendmsg", "89310cb28459ec31"},
	{{"gfx1010", "gfx1030"}, SENDMSG, "s_sendmsg", "5f2ca409f610a551"},
	{{"gfx1100", "gfx1150"}, SENDMSG, "s_sendmsg", "c31d7dd6c5c03893"},
	{{"gfx1200"}, SENDMSG, "s_sendmsg", "e069dd2d08342dd3"},
	{{"gfx803"}, HWREG, "s_getreg_b32 s2,", "df3ddfb49f2a6a73"},
	{{"gfx900", "gfx90a"}, HWREG, "s_getreg_b32 s2,", "e8de4c050ef15387"},
	{{"gfx940", "gfx942"}, HWREG, "s_getreg_b32 s2,", "c6c64a23a36f074f"},
	{{"gfx1010"}, HWREG, "s_getreg_b32 s2,", "6050fbdebccff2c4"},
	{{"gfx1030"}, HWREG, "s_getreg_b32 s2,", "14966ed9e57a9b01"},
	{{"gfx1100", "gfx1150"}, HWREG, "s_getreg_b32 s2,", "9e09ab30e4d00dae"},
	{{"gfx1200"}, HWREG, "s_getreg_b32 s2,", "eb2fc674df98fb49"},
	{{"gfx1010"}, DEPCTR, "s_waitcnt_depctr", "97377d6be56d628b"},
	{{"gfx1030", "gfx1100", "gfx1150"}, DEPCTR, "s_waitcnt_depctr", "df6ac65b833153ed"},
	{{"gfx1200"}, DEPCTR, "s_wait_alu", "dae4bd182afcb136"},
	{{"gfx1100", "gfx1150", "gfx1200"}, DELAY, "s_delay_alu", "d5950f7e1f7c03d9"},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct gfx_operand_target *named(const char *name)
{
	const struct gfx_operand_target *target = gfx_operand_target_by_name(name);

	if (!target)
		fail_msg("no target %s", name);
	return target;
}

/* Call @check for each target of each table. */
static void each_table(void (*check)(const struct table *table,
				     const struct gfx_operand_target *target))
{
	for (size_t i = 0; i < COUNT(tables); i++)
		for (size_t j = 0; j < COUNT(tables[i].targets) && tables[i].targets[j]; j++)
			check(&tables[i], named(tables[i].targets[j]));
}

static void check_hash(const struct table *table, const struct gfx_operand_target *target)
{
	char text[GFX_OPERAND_TEXT], line[GFX_OPERAND_TEXT + 32], hex[SHA256_DIGEST_STRING_LENGTH];
	SHA2_CTX hash;

	SHA256Init(&hash);
	for (uint32_t value = 0; value < VALUES; value++) {
		gfx_operand_print(target, table->kind, (uint16_t)value, false, text, sizeof(text));
		snprintf(line, sizeof(line), "%s %s\n", table->instruction, text);
		SHA256Update(&hash, (const uint8_t *)line, strlen(line));
	}
	SHA256End(&hash, hex);
	hex[16] = '\0';
	if (strcmp(hex, table->hash))
		fail_msg("%s %s: %s, not %s", target->name, gfx_operand_kind_name(table->kind), hex,
			 table->hash);
}

static void test_hashes(void **state)
{
	(void)state;
	each_table(check_hash);
}

/* Every text is read as the value but for the bits that it does not show. */
static void check_round_trip(const struct table *table, const struct gfx_operand_target *target)
{
	char text[GFX_OPERAND_TEXT];
	struct gfx_operand_report report;
	/* A step without a common divisor comes to all bits. */
	const uint32_t step = test_share_is_small() ? 3 : 1;
	uint16_t back, hidden;

	for (uint32_t i = 0; i < VALUES; i += step) {
		uint16_t value = (uint16_t)i;

		gfx_operand_print(target, table->kind, value, false, text, sizeof(text));
		hidden = gfx_operand_hidden_bits(target, table->kind, value);
		if (strstr(text, "/*")) {
			assert_int_equal(table->kind, DELAY);
			assert_int_not_equal(hidden, 0);
			assert_false(gfx_operand_parse(target, DELAY, text, true, &back, &report));
			continue;
		}
		if (!gfx_operand_parse(target, table->kind, text, false, &back, &report))
			fail_msg("%s %s %s: %s", target->name, gfx_operand_kind_name(table->kind),
				 text, report.text);
		if (back != (uint16_t)(value & ~hidden) || report.text[0])
			fail_msg("%s %s %s: %#x, not %#x, %s", target->name,
				 gfx_operand_kind_name(table->kind), text, back, value,
				 report.text);
	}
}

static void test_round_trip(void **state)
{
	(void)state;
	each_table(check_round_trip);
}

/* How many values have a text that tells all. */
static void test_distinct(void **state)
{
	static const struct {
		const char *target;
		enum gfx_operand_kind kind;
		uint32_t count;
	} cases[] = {
		{"gfx600", WAITCNT, 2048},   {"gfx900", WAITCNT, 8192},
		{"gfx1030", WAITCNT, 32768}, {"gfx1200", WAITCNT, 32768},
		{"gfx942", HWREG, VALUES},   {"gfx1100", HWREG, VALUES},
		{"gfx1010", DEPCTR, VALUES}, {"gfx1200", DEPCTR, VALUES},
		{"gfx1150", DELAY, 864},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint32_t count = 0;

		for (uint32_t value = 0; value < VALUES; value++)
			count += !gfx_operand_hidden_bits(named(cases[i].target), cases[i].kind,
							  (uint16_t)value);
		assert_int_equal(count, cases[i].count);
	}
}

static void check_exact(const char *target, enum gfx_operand_kind kind, uint16_t value,
			const char *expected)
{
	char text[GFX_OPERAND_TEXT];
	size_t length = gfx_operand_print(named(target), kind, value, true, text, sizeof(text));

	assert_string_equal(text, expected);
	assert_int_equal(length, strlen(expected));
}

static void test_exact(void **state)
{
	(void)state;
	check_exact("gfx942", WAITCNT, 0x0f70, "vmcnt(0)");
	check_exact("gfx942", WAITCNT, 0x3f70, "vmcnt(0) /* 0x3f70, not shown: 0x3000 */");
	check_exact("gfx1030", WAITCNT, 0x3f70, "vmcnt(0)");
	check_exact("gfx900", SENDMSG, 0x0081,
		    "sendmsg(MSG_INTERRUPT) /* 0x0081, not shown: 0x0080 */");
	check_exact("gfx1100", SENDMSG, 0x8002,
		    "sendmsg(MSG_HS_TESSFACTOR) /* 0x8002, not shown: 0x8000 */");
	check_exact("gfx900", SENDMSG, 0x8002, "32770");
	check_exact("gfx1100", SENDMSG, 0x004f, "sendmsg(79, 0, 0)");
	check_exact("gfx1100", DELAY, 0xf801,
		    "instid0(VALU_DEP_1) /* 0xf801, not shown: 0xf800 */");
	check_exact("gfx1100", DELAY, 0x000c,
		    "instid0(/* invalid instid value */) /* 0x000c, not shown: 0x000c */");
	check_exact("gfx1100", DEPCTR, 0xfffe, "0xfffe");
	check_exact("gfx1030", HWREG, 0xf817, "hwreg(HW_REG_HW_ID1)");
}

/* The text is cut to the buffer, and its length told. */
static void test_small_buffers(void **state)
{
	const char whole[] = "vmcnt(0) expcnt(0) lgkmcnt(0)";
	char text[64];

	(void)state;
	for (size_t size = 0; size <= sizeof(whole); size++) {
		size_t kept = size ? size - 1 : 0;

		memset(text, 0x55, sizeof(text));
		assert_int_equal(gfx_operand_print(named("gfx900"), WAITCNT, 0, false, text, size),
				 sizeof(whole) - 1);
		assert_memory_equal(text, whole, kept);
		if (size)
			assert_int_equal(text[kept], 0);
		assert_int_equal(text[size], 0x55);
	}
}

/* No text is longer than the room that is promised. */
static void test_longest(void **state)
{
	char text[GFX_OPERAND_TEXT];
	size_t longest = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(tables); i++) {
		for (uint32_t value = 0; value < VALUES; value++) {
			size_t length =
				gfx_operand_print(named(tables[i].targets[0]), tables[i].kind,
						  (uint16_t)value, true, text, sizeof(text));

			longest = length > longest ? length : longest;
		}
	}
	assert_true(longest < sizeof(text));
	assert_true(longest > 100);
}

struct reading {
	const char *target;
	enum gfx_operand_kind kind;
	const char *text;
	int value; /* or an error: */
	const char *report;
	size_t position;
};

#define ERROR (-1)

static const struct reading readings[] = {
	{"gfx900", WAITCNT, "vmcnt(0)", 0x0f70, "", 0},
	{"gfx1010", WAITCNT, "vmcnt(0)", 0x3f70, "", 0},
	{"gfx1100", WAITCNT, "vmcnt(0)", 0x03f7, "", 0},
	{"gfx1100", WAITCNT, "vmcnt(3) lgkmcnt(3)", 0x0c37, "", 0},
	{"gfx900", WAITCNT, "vmcnt(0)expcnt(1)&lgkmcnt ( 2 )", 0x0210, "", 0},
	{"gfx900", WAITCNT, "vmcnt_sat(100), lgkmcnt_sat(-1)", 0xcf7f, "", 0},
	{"gfx900", WAITCNT, "vmcnt(010)", 0x0f78, "", 0},
	{"gfx900", WAITCNT, "1 | (2 << 4) | 0b11 << 8", 0x0321, "", 0},
	{"gfx900", WAITCNT, "vmcnt(64)", ERROR, "vmcnt is 64; it must be from 0 to 63", 6},
	{"gfx803", WAITCNT, "vmcnt(16)", ERROR, "vmcnt is 16; it must be from 0 to 15", 6},
	{"gfx900", WAITCNT, "expcnt(-1)", ERROR, "expcnt is -1; it must be from 0 to 7", 7},
	{"gfx900", WAITCNT, "vscnt(0)", ERROR, "s_waitcnt has no counter 'vscnt'", 0},
	{"gfx900", WAITCNT, "vmcnt(0) &", ERROR, "expected a counter's name after the separator",
	 10},
	{"gfx900", WAITCNT, "vmcnt(0) && expcnt(0)", ERROR, "expected a counter's name", 9},
	{"gfx900", WAITCNT, "vmcnt(0) | expcnt(0)", ERROR, "expected a counter's name", 9},
	{"gfx900", WAITCNT, "vmcnt(0", ERROR, "expected ')' after the counter's value", 7},
	{"gfx900", WAITCNT, "vmcnt(x)", ERROR, "expected a number, not 'x'", 6},
	{"gfx900", WAITCNT, "vmcnt(0) 5", ERROR, "expected a counter's name", 9},
	{"gfx900", WAITCNT, "5 vmcnt(0)", ERROR, "expected the end of the operand", 2},
	{"gfx900", WAITCNT, "0x10000", ERROR, "the operand is 65536; it must be from 0 to 65535",
	 0},
	{"gfx900", WAITCNT, "-1", ERROR, "the operand is -1; it must be from 0 to 65535", 0},
	{"gfx900", WAITCNT, "3.0", ERROR, "3.0 is not an integer", 0},
	{"gfx900", WAITCNT, "08", ERROR, "08 is not a number of base 8", 0},
	{"gfx900", WAITCNT, "", ERROR, "expected counters or a number", 0},
	{"gfx900", WAITCNT, "1/0", ERROR, "division by zero", 1},
	{"gfx900", WAITCNT, "1<<64", ERROR, "a shift by 64; it must be from 0 to 63", 1},
	{"gfx900", WAITCNT, "vmcnt(0) vmcnt(1)", 0x0f71,
	 "vmcnt is given twice: the last one counts", 9},
	{"gfx900", WAITCNT, "vmcnt(0) /* no end", ERROR, "the comment has no end", 9},
	{"gfx900", WAITCNT, "vmcnt(0);", ERROR, "the character 0x3b has no meaning here", 8},
	{"gfx900", SENDMSG, "sendmsg(MSG_GS, GS_OP_EMIT, 1)", 0x0122, "", 0},
	{"gfx900", SENDMSG, "sendmsg(1, GS_OP_EMIT)", 0x0021, "", 0},
	{"gfx1100", SENDMSG, "sendmsg(MSG_SYSMSG, SYSMSG_OP_TTRACE_PC)", 0x004f, "", 0},
	{"gfx803", SENDMSG, "sendmsg(MSG_SYSMSG, SYSMSG_OP_HOST_TRAP_ACK)", 0x003f, "", 0},
	{"gfx900", SENDMSG, "sendmsg(MSG_SYSMSG, SYSMSG_OP_HOST_TRAP_ACK)", ERROR,
	 "this target has no SYSMSG_OP_HOST_TRAP_ACK", 20},
	{"gfx1100", SENDMSG, "sendmsg(MSG_GS, GS_OP_EMIT)", ERROR, "this target has no MSG_GS", 8},
	{"gfx900", SENDMSG, "sendmsg(MSG_NONE)", ERROR,
	 "expected a message's name or an absolute expression, not 'MSG_NONE'", 8},
	{"gfx900", SENDMSG, "sendmsg(MSG_GS)", ERROR, "MSG_GS needs an operation", 14},
	{"gfx900", SENDMSG, "sendmsg(MSG_INTERRUPT, 0)", ERROR, "MSG_INTERRUPT takes no operation",
	 23},
	{"gfx900", SENDMSG, "sendmsg(MSG_SYSMSG, 5)", ERROR, "MSG_SYSMSG has no operation 5", 20},
	{"gfx900", SENDMSG, "sendmsg(MSG_GS, 0)", ERROR, "MSG_GS has no operation 0", 16},
	{"gfx900", SENDMSG, "sendmsg(MSG_GS, SYSMSG_OP_REG_RD)", ERROR,
	 "expected an operation's name or an absolute expression, not 'SYSMSG_OP_REG_RD'", 16},
	{"gfx900", SENDMSG, "sendmsg(MSG_GS_DONE, GS_OP_NOP, 0)", ERROR,
	 "MSG_GS_DONE takes no stream with operation 0", 32},
	{"gfx900", SENDMSG, "sendmsg(MSG_GS, GS_OP_CUT, 4)", ERROR,
	 "the stream is 4; it must be from 0 to 3", 27},
	{"gfx900", SENDMSG, "sendmsg(16)", ERROR, "the message id is 16; it must be from 0 to 15",
	 8},
	{"gfx1100", SENDMSG, "sendmsg(256)", ERROR,
	 "the message id is 256; it must be from 0 to 255", 8},
	{"gfx900", SENDMSG, "sendmsg(1, 8)", ERROR, "the operation is 8; it must be from 0 to 7",
	 11},
	{"gfx900", SENDMSG, "MSG_INTERRUPT", ERROR,
	 "expected sendmsg(...) or an absolute expression, not 'MSG_INTERRUPT'", 0},
	{"gfx900", SENDMSG, "0x10000", ERROR, "the operand is 65536; it must be from 0 to 65535",
	 0},
	{"gfx900", SENDMSG, "-1", ERROR, "the operand is -1; it must be from 0 to 65535", 0},
	{"gfx942", HWREG, "hwreg(HW_REG_XCC_ID)", 0xf814, "", 0},
	{"gfx1030", HWREG, "hwreg(HW_REG_HW_ID)", 0xf817, "", 0},
	{"gfx900", HWREG, "hwreg(HW_REG_MODE, 31, 32)", 0xffc1, "", 0},
	{"gfx900", HWREG, "{size: 5, id: 1, offset: 4}", 0x2101, "", 0},
	{"gfx900", HWREG, "{}", 0xf800, "", 0},
	{"gfx1100", HWREG, "hwreg(HW_REG_HW_ID)", ERROR, "this target has no HW_REG_HW_ID", 6},
	{"gfx900", HWREG, "hwreg(64)", ERROR, "the register is 64; it must be from 0 to 63", 6},
	{"gfx900", HWREG, "hwreg(1, 32, 1)", ERROR, "the offset is 32; it must be from 0 to 31", 9},
	{"gfx900", HWREG, "hwreg(1, 0, 0)", ERROR, "the size is 0; it must be from 1 to 32", 12},
	{"gfx900", HWREG, "hwreg(1, 0, 33)", ERROR, "the size is 33; it must be from 1 to 32", 12},
	{"gfx900", HWREG, "hwreg(1, 2)", ERROR, "expected ',' between offset and size", 10},
	{"gfx900", HWREG, "hwreg(1, 2, 3, 4)", ERROR, "expected ')' after the size", 13},
	{"gfx900", HWREG, "{id: HW_REG_MODE}", ERROR, "expected a number, not 'HW_REG_MODE'", 5},
	{"gfx900", HWREG, "{id: 1, id: 2}", ERROR, "id is given twice", 8},
	{"gfx900", HWREG, "{width: 1}", ERROR, "expected id, offset or size, not 'width'", 1},
	{"gfx1030", DEPCTR, "depctr_sa_sdst(0)", 0xff9e, "", 0},
	{"gfx1010", DEPCTR, "depctr_sa_sdst(0)", 0xff1e, "", 0},
	{"gfx1030", DEPCTR, "-1", 0xffff, "", 0},
	{"gfx1010", DEPCTR, "depctr_hold_cnt(0)", ERROR, "this target has no depctr_hold_cnt", 0},
	{"gfx1030", DEPCTR, "depctr_va_sdst(8)", ERROR,
	 "depctr_va_sdst is 8; it must be from 0 to 7", 15},
	{"gfx1030", DEPCTR, "depctr_va_sdst_sat(8)", ERROR,
	 "depctr has no counter 'depctr_va_sdst_sat'", 0},
	{"gfx1030", DEPCTR, "depctr_va_vcc(0), depctr_va_vcc(0)", ERROR,
	 "depctr_va_vcc is given twice", 18},
	{"gfx1030", DEPCTR, "0x10000", ERROR,
	 "the operand is 65536; it must be from -32768 to 65535", 0},
	{"gfx900", DEPCTR, "0", ERROR, "gfx900 has no depctr", 0},
	{"gfx1100", DELAY, "instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_3)", 0x0591,
	 "", 0},
	{"gfx1100", DELAY, "instid0(1)", ERROR, "instid0 has no value '1'", 8},
	{"gfx1100", DELAY, "instskip(VALU_DEP_1)", ERROR, "instskip has no value 'VALU_DEP_1'", 9},
	{"gfx1100", DELAY, "instid0(VALU_DEP_1) | instid0(VALU_DEP_2)", ERROR,
	 "instid0 is given twice", 22},
	{"gfx1100", DELAY, "instid0(VALU_DEP_1), instid1(VALU_DEP_2)", ERROR,
	 "expected the end of the operand", 19},
	{"gfx1100", DELAY, "instid2(VALU_DEP_1)", ERROR,
	 "expected instid0, instskip or instid1, not 'instid2'", 0},
	{"gfx1100", DELAY, "0x10000", ERROR, "the operand is 65536; it must be from 0 to 65535", 0},
	{"gfx1030", DELAY, "0", ERROR, "gfx1030 has no delay_alu", 0},
};

static void check_reading(const struct reading *r, bool follow_llvm)
{
	struct gfx_operand_report report;
	uint16_t value = 0x5555;
	bool good =
		gfx_operand_parse(named(r->target), r->kind, r->text, follow_llvm, &value, &report);

	if (good != (r->value != ERROR) || strcmp(report.text, r->report))
		fail_msg("%s '%s': %s '%s'", r->target, r->text, good ? "accepted" : "refused",
			 report.text);
	assert_int_equal(value, good ? r->value : 0x5555);
	assert_int_equal(report.position, r->position);
}

static void test_readings(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(readings); i++)
		check_reading(&readings[i], false);
}

/* What LLVM accepts without a word is accepted with one. */
static void test_follow_llvm(void **state)
{
	static const struct reading cases[] = {
		{"gfx900", WAITCNT, "0x10000", 0, "65536 does not fit in 16 bits: it is cut to 0",
		 0},
		{"gfx900", WAITCNT, "0xfffffffff", 0xffff,
		 "68719476735 does not fit in 16 bits: it is cut to 65535", 0},
		{"gfx900", WAITCNT, "-0x8001", 0x7fff,
		 "-32769 does not fit in 16 bits: it is cut to 32767", 0},
		{"gfx900", WAITCNT, "3.0", 0, "3.0 is no integer: its bits are taken", 0},
		{"gfx1100", DELAY, "0x10000", 0, "65536 does not fit in 16 bits: it is cut to 0",
		 0},
		{"gfx1100", DELAY, "instid0(VALU_DEP_1) | instid0(VALU_DEP_2)", 3,
		 "instid0 is given twice: its values are OR-ed", 22},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		check_reading(&cases[i], true);
}

/* Expressions as deep as they like, without overflowing the stack. */
static void test_nesting(void **state)
{
	struct gfx_operand_report report;
	static char text[200001];
	uint16_t value;

	(void)state;
	memset(text, '(', sizeof(text) - 1);
	assert_false(gfx_operand_parse(named("gfx900"), WAITCNT, text, false, &value, &report));
	assert_non_null(strstr(report.text, "nested"));
	memset(text, '-', sizeof(text) - 1);
	assert_false(gfx_operand_parse(named("gfx900"), WAITCNT, text, false, &value, &report));
	assert_non_null(strstr(report.text, "nested"));
	memset(text, '7', sizeof(text) - 1);
	assert_false(gfx_operand_parse(named("gfx900"), WAITCNT, text, false, &value, &report));
	memset(text, 'a', sizeof(text) - 1);
	assert_false(gfx_operand_parse(named("gfx900"), HWREG, text, false, &value, &report));
	memcpy(text + sizeof(text) - 4, "(1)", 3);
	assert_false(gfx_operand_parse(named("gfx900"), WAITCNT, text, false, &value, &report));
}

static void test_names(void **state)
{
	enum gfx_operand_kind kind;
	const struct gfx_operand_target *target;
	size_t count;

	(void)state;
	for (count = 0; (target = gfx_operand_target_at(count)); count++)
		assert_ptr_equal(gfx_operand_target_by_name(target->name), target);
	assert_true(count > 40);
	assert_null(gfx_operand_target_at(count + 1));
	assert_null(gfx_operand_target_by_name("gfx94"));
	/* Its operands are not known, so there are none of it. */
	assert_null(gfx_operand_target_by_name("gfx1310"));
	for (size_t i = 0; i < gfx_architecture_count(); i++)
		assert_non_null(gfx_operand_target_by_name(gfx_architecture_at(i)->name));
	for (int i = 0; i < GFX_OPERAND_KINDS; i++) {
		const char *name = gfx_operand_kind_name((enum gfx_operand_kind)i);

		assert_true(gfx_operand_kind_by_name(name, &kind));
		assert_int_equal(kind, i);
	}
	assert_false(gfx_operand_kind_by_name("s_waitcnt", &kind));
	assert_false(gfx_operand_exists(named("gfx942"), DEPCTR));
	assert_false(gfx_operand_exists(named("gfx1030"), DELAY));
	assert_true(gfx_operand_exists(named("gfx1010"), DEPCTR));
	assert_true(gfx_operand_exists(named("gfx1100"), DELAY));
}

/* Targets that the tables above leave out: they have what a target there has. */
static void test_same_profile(void **state)
{
	static const char *const pairs[][2] = {
		{"gfx950", "gfx940"},		{"gfx1153", "gfx1150"},
		{"gfx9-generic", "gfx900"},	{"gfx9-4-generic", "gfx940"},
		{"gfx10-1-generic", "gfx1010"}, {"gfx10-3-generic", "gfx1030"},
		{"gfx11-generic", "gfx1100"},	{"gfx12-generic", "gfx1200"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(pairs); i++)
		assert_int_equal(named(pairs[i][0])->profile, named(pairs[i][1])->profile);
}

/* gfx1250 has gfx12's operands, and three hardware registers more. */
static void test_gfx1250(void **state)
{
	static const struct {
		const char *text;
		uint16_t value;
	} more[] = {
		{"hwreg(HW_REG_IB_STS2)", 0xf81c},
		{"hwreg(HW_REG_XNACK_STATE_PRIV)", 0xf821},
		{"hwreg(HW_REG_XNACK_MASK)", 0xf822},
	};
	char text[GFX_OPERAND_TEXT], before[GFX_OPERAND_TEXT];
	struct gfx_operand_report report;
	size_t differing = 0;
	uint16_t value;

	(void)state;
	for (size_t i = 0; i < COUNT(more); i++) {
		assert_true(gfx_operand_parse(named("gfx1250"), HWREG, more[i].text, false, &value,
					      &report));
		assert_int_equal(value, more[i].value);
		gfx_operand_print(named("gfx1250"), HWREG, value, false, text, sizeof(text));
		assert_string_equal(text, more[i].text);
		assert_false(gfx_operand_parse(named("gfx1200"), HWREG, more[i].text, false, &value,
					       &report));
	}
	/* One size and offset of each register. */
	for (uint32_t i = 0xf800; i < 0xf840; i++) {
		gfx_operand_print(named("gfx1250"), HWREG, (uint16_t)i, false, text, sizeof(text));
		gfx_operand_print(named("gfx1200"), HWREG, (uint16_t)i, false, before,
				  sizeof(before));
		differing += strcmp(text, before) != 0;
	}
	assert_int_equal(differing, COUNT(more));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hashes),	      cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_distinct),      cmocka_unit_test(test_exact),
		cmocka_unit_test(test_small_buffers), cmocka_unit_test(test_longest),
		cmocka_unit_test(test_readings),      cmocka_unit_test(test_follow_llvm),
		cmocka_unit_test(test_nesting),	      cmocka_unit_test(test_names),
		cmocka_unit_test(test_same_profile),  cmocka_unit_test(test_gfx1250),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
