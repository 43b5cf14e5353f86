/* SPDX-License-Identifier: MIT */
/*
 * One library that disassembles, alone: what it says of instructions is what AMD's library says (with LLVM 19 under it), as far as it
 * knows them. Which one it is, is chosen when this is compiled. Exit code 77 where it is not installed.
 */
#include "tests/unit/facts.h"

#include "base/error.h"
#include "dbgapi/architecture/disassemble.h"

/* Of the architectures that every one of them knows. */
#define MINIMUM 250

static struct wt_disassembler *disassembler;
static const struct gfx_architecture *current;
static size_t compared;

/* Of an architecture that the library does not know, nothing: it must not end the process. */
static bool select_architecture(const char *name)
{
	struct wt_error *error;
	const struct gfx_architecture *as = NULL;

	if (current && !strcmp(current->name, name))
		return disassembler;
	wt_disassembler_destroy(disassembler);
	disassembler = NULL;
	current = gfx_architecture_by_name(name);
	assert_non_null(current);
	error = wt_disassembler_create(current, &as, &disassembler);
	if (error) {
		assert_int_equal(error->code, WT_ERROR_UNSUPPORTED);
		assert_non_null(strstr(error->why, wt_disassembler_library()));
	} else if (as != current) {
		wt_disassembler_destroy(disassembler);
		disassembler = NULL;
	}
	wt_error_destroy(error);
	return disassembler;
}

static void check_instruction(const json_t *line)
{
	struct wt_disassembled result;
	uint8_t bytes[64];
	size_t count = fact_bytes(line, "bytes", bytes, sizeof(bytes));
	const char *text, *annotation;
	size_t length;

	if (!select_architecture(fact_text(line, "arch")))
		return;
	if (strcmp(fact_text(line, "status"), "SUCCESS") != 0) {
		assert_false(wt_disassembler_decode(disassembler, 0, bytes, count, &result));
		return;
	}
	text = fact_text(line, "text");
	if (!wt_disassembler_decode(disassembler, 0, bytes, count, &result)) {
		/* Newer ones have a name for what is none. */
		assert_string_equal(text, "v_illegal");
		return;
	}
	assert_int_equal(result.size, fact_number(line, "size"));
	/* Behind it AMD's library names the target of a branch. */
	annotation = strstr(text, "  # ");
	length = annotation ? (size_t)(annotation - text) : strlen(text);
	if (strlen(result.text) != length || memcmp(result.text, text, length) != 0)
		fail_msg("%s: %s, not %s", current->name, result.text, text);
	compared++;
}

static void test_instructions(void **state)
{
	(void)state;
	each_fact(WT_INSTRUCTIONS, "disasm", check_instruction);
	wt_disassembler_destroy(disassembler);
	print_message("%s: %zu instructions\n", wt_disassembler_library(), compared);
	assert_true(compared >= MINIMUM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_instructions)};

	if (!wt_disassembler_library())
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
