/* SPDX-License-Identifier: MIT */
/* Disassemblers, and our classification against what LLVM prints. What clients are answered: test_architectures.py. */
#include <stdint.h>

#include "tests/unit/with-cmocka.h"

#include <string.h>

#include "base/error.h"
#include "dbgapi/architecture/decoder.h"
#include "dbgapi/architecture/instruction.h"

#define PROBE_ADDRESS UINT64_C(0x100000)

static struct wt_disassemblers disassemblers;
/* The architecture that words are disassembled for. */
static amd_dbgapi_architecture_id_t current = {7};
static int tear_down(void **state)
{
	(void)state;
	wt_disassemblers_deinit(&disassemblers);
	return 0;
}

static void select_architecture(const char *name)
{
	const struct gfx_architecture *a = gfx_architecture_by_name(name);

	assert_non_null(a);
	current.handle = a->id;
}

static void test_create(void **state)
{
	const struct gfx_architecture *as = NULL;
	struct wt_disassembler *disassembler = NULL;
	struct wt_error *error =
		wt_disassembler_create(gfx_architecture_by_name("gfx942"), &as, &disassembler);

	(void)state;
	assert_null(error);
	assert_string_equal(as->name, "gfx942");
	wt_disassembler_destroy(disassembler);
	wt_disassembler_destroy(NULL);
}

/* One that LLVM here is too old for: decoded as one alike, or refused; LLVM would end the process. */
static void test_newer_than_llvm(void **state)
{
	struct gfx_architecture newer = *gfx_architecture_by_name("gfx950");
	struct gfx_architecture gone = *gfx_architecture_by_name("gfx940");
	const struct gfx_architecture *as = NULL;
	struct wt_disassembler *disassembler = NULL;
	struct wt_error *error;

	(void)state;
	newer.llvm = 1000;
	assert_null(wt_disassembler_create(&newer, &as, &disassembler));
	assert_string_equal(as->name, "gfx942");
	wt_disassembler_destroy(disassembler);
	/* Nor is one asked for that newer ones have lost. */
	gone.llvm_last = 1;
	assert_null(wt_disassembler_create(&gone, &as, &disassembler));
	assert_string_equal(as->name, "gfx942");
	wt_disassembler_destroy(disassembler);
	newer.alike = NULL;
	error = wt_disassembler_create(&newer, &as, &disassembler);
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_UNSUPPORTED);
	wt_error_destroy(error);
}

/* A short read must not be decoded from what stands behind it. */
static void test_truncated(void **state)
{
	static const uint8_t load[] = {0x02, 0x00, 0x06, 0xc0, 0, 0, 0, 0};
	struct wt_disassembled result;
	struct wt_disassembler *disassembler =
		wt_disassemblers_get(&disassemblers, gfx_architecture_by_id(7), NULL);

	(void)state;
	assert_non_null(disassembler);
	assert_true(wt_disassembler_decode(disassembler, 0, load, 8, &result));
	assert_int_equal(result.size, 8);
	for (size_t size = 1; size < 8; size++)
		assert_false(wt_disassembler_decode(disassembler, 0, load, size, &result));
}

/* The kind that a mnemonic stands for; where the operands decide, the classification must have
 * looked. */
static bool kind_fits(const char *text, const struct gfx_classification *c)
{
	static const struct {
		const char *mnemonic;
		enum gfx_instruction_kind kind, or_kind;
	} table[] = {
		{"s_branch ", GFX_INSTRUCTION_DIRECT_BRANCH, GFX_INSTRUCTION_DIRECT_BRANCH},
		{"s_cbranch_join", GFX_INSTRUCTION_SPECIAL, GFX_INSTRUCTION_SPECIAL},
		{"s_cbranch_g_fork", GFX_INSTRUCTION_INDIRECT_BRANCH_CONDITIONAL,
		 GFX_INSTRUCTION_UNKNOWN},
		{"s_cbranch_i_fork", GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL,
		 GFX_INSTRUCTION_UNKNOWN},
		{"s_cbranch_", GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL,
		 GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL},
		{"s_setpc_b64", GFX_INSTRUCTION_INDIRECT_BRANCH, GFX_INSTRUCTION_UNKNOWN},
		{"s_swappc_b64", GFX_INSTRUCTION_INDIRECT_CALL, GFX_INSTRUCTION_UNKNOWN},
		{"s_call_b64", GFX_INSTRUCTION_DIRECT_CALL, GFX_INSTRUCTION_UNKNOWN},
		{"s_subvector_loop_", GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL,
		 GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL},
		{"s_code_end", GFX_INSTRUCTION_UNKNOWN, GFX_INSTRUCTION_UNKNOWN},
		{"s_endpgm_", GFX_INSTRUCTION_SEQUENTIAL, GFX_INSTRUCTION_SEQUENTIAL},
		{"s_endpgm", GFX_INSTRUCTION_TERMINATE, GFX_INSTRUCTION_TERMINATE},
		{"s_trap ", GFX_INSTRUCTION_TRAP, GFX_INSTRUCTION_TRAP},
		{"s_sethalt ", GFX_INSTRUCTION_SEQUENTIAL, GFX_INSTRUCTION_HALT},
		{"s_barrier_wait ", GFX_INSTRUCTION_BARRIER, GFX_INSTRUCTION_BARRIER},
		{"s_barrier_", GFX_INSTRUCTION_SEQUENTIAL, GFX_INSTRUCTION_SEQUENTIAL},
		{"s_barrier", GFX_INSTRUCTION_BARRIER, GFX_INSTRUCTION_BARRIER},
		{"s_sleep ", GFX_INSTRUCTION_SLEEP, GFX_INSTRUCTION_SLEEP},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (!strncmp(text, table[i].mnemonic, strlen(table[i].mnemonic)))
			return c->kind == table[i].kind || c->kind == table[i].or_kind;
	return c->kind == GFX_INSTRUCTION_SEQUENTIAL;
}

/* A branch in its own word: what we say of its target, against how it is printed. */
static void compare_target(struct wt_disassembler *disassembler, const uint32_t words[2],
			   const struct gfx_classification *c)
{
	struct wt_disassembled result;

	assert_true(wt_disassembler_decode(disassembler, PROBE_ADDRESS, words, 8, &result));
	if (result.has_target != (c->target != 0) ||
	    (result.has_target && result.target != c->target))
		fail_msg("%08x %s: target %#llx", words[0], result.text,
			 (unsigned long long)result.target);
}

/* Our decoding says what a word does to the control flow, and the library prints the word. It is asked millions of times, and in this process. */
struct comparison {
	const struct wt_decoder *decoder;
	void *context;
	struct wt_disassembler *disassembler;
};

/* LLVM 22 ends the process that asks for the text of these: instructions of gfx12 for barriers, whose barrier is in a word of its own. */
static bool word_ends_llvm(uint32_t word)
{
	uint32_t opcode = word >> 8 & 0xff;

	return current.handle == gfx_architecture_by_name("gfx1201")->id && word >> 23 == 0x17d &&
	       (word & 0xff) == 0xff && opcode >= 0x4e && opcode <= 0x52;
}

/* Whatever becomes of them, what comes next is decoded. */
static void check_survives(struct wt_disassembler *disassembler, const uint32_t words[2])
{
	static const uint32_t end = 0xbfb00000;
	struct wt_disassembled result;

	if (wt_disassembler_decode(disassembler, PROBE_ADDRESS, words, 8, &result))
		assert_int_equal(result.size, 8);
	assert_true(
		wt_disassembler_decode(disassembler, PROBE_ADDRESS, &end, sizeof(end), &result));
	assert_string_equal(result.text, "s_endpgm");
}

static void compare_word(const struct comparison *comparison, uint32_t word)
{
	const uint32_t words[2] = {word, 0};
	struct gfx_classification c;
	char buffer[1024];
	const char *text = buffer;
	size_t size;

	if (word_ends_llvm(word)) {
		check_survives(comparison->disassembler, words);
		return;
	}
	size = comparison->decoder->decode(comparison->context, PROBE_ADDRESS, words, sizeof(words),
					   buffer, sizeof(buffer));
	while (*text == '\t' || *text == ' ')
		text++;
	if (!size || (word && !strcmp(text, "v_illegal")))
		return;
	gfx_classify(gfx_architecture_by_id(current.handle), PROBE_ADDRESS, words, 2, &c);
	if (!kind_fits(text, &c))
		fail_msg("%s: %08x %s: kind %d", gfx_architecture_by_id(current.handle)->name, word,
			 text, (int)c.kind);
	/* A target is counted from the end of a single word. */
	if (c.target && size != 4)
		fail_msg("%08x %s: %zu bytes", word, text, size);
	if (word >> 23 == 0x17f)
		compare_target(comparison->disassembler, words, &c);
}

static void check_every_opcode(const struct wt_decoder *decoder, const char *name)
{
	static const uint32_t low_halves[] = {0x0000, 0x0001, 0x8004, 0xffff,
					      0x7fff, 0x1e04, 0x1d1e};
	struct comparison comparison = {decoder, decoder->create(name), NULL};

	select_architecture(name);
	comparison.disassembler =
		wt_disassemblers_get(&disassemblers, gfx_architecture_by_id(current.handle), NULL);
	assert_non_null(comparison.disassembler);
	assert_non_null(comparison.context);
	for (uint32_t high = 0; high < 0x10000; high++)
		for (size_t i = 0; i < sizeof(low_halves) / sizeof(low_halves[0]); i++)
			compare_word(&comparison, high << 16 | low_halves[i]);
	/* SOP1 has its opcode in the low half. */
	for (uint32_t low = 0; low < 0x10000; low++)
		compare_word(&comparison, 0xbe9e0000 | low);
	decoder->destroy(comparison.context);
}

/* The classification goes by generation: one architecture of each. */
static void test_every_opcode(void **state)
{
	static const char *const names[] = {"gfx942", "gfx1030", "gfx1100", "gfx1201"};

	struct wt_decoder decoder;

	(void)state;
	assert_true(wt_decoder_llvm.find(&decoder) || wt_decoder_comgr.find(&decoder));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		check_every_opcode(&decoder, names[i]);
}

/* LLVM 22 marks numbers; others do not, and no reader of operands knows the marks. */
static void test_literal_marks(void **state)
{
	static const struct {
		const char *marked, *plain;
	} texts[] = {
		{"s_addc_u32 s17, s17, lit(0xffffffff)", "s_addc_u32 s17, s17, 0xffffffff"},
		{"s_mov_b64 s[0:1], lit64(0x100000001)", "s_mov_b64 s[0:1], 0x100000001"},
		{"v_fma_f32 v0, lit(0x1), v1, lit(0x40)", "v_fma_f32 v0, 0x1, v1, 0x40"},
		{"s_add_u32 s16, s16, 0xfffffb5c", "s_add_u32 s16, s16, 0xfffffb5c"},
		{"s_nop lit(", "s_nop lit("},
		{"v_split(0x1)", "v_split(0x1)"},
		{"", ""},
	};
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		strcpy(text, texts[i].marked);
		wt_disassembler_drop_literal_marks(text);
		assert_string_equal(text, texts[i].plain);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create),	      cmocka_unit_test(test_newer_than_llvm),
		cmocka_unit_test(test_truncated),     cmocka_unit_test(test_every_opcode),
		cmocka_unit_test(test_literal_marks),
	};

	return cmocka_run_group_tests(tests, NULL, tear_down);
}
