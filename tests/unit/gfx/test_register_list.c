/* SPDX-License-Identifier: MIT */
/* Lists of registers: what is well formed, and what an element names. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "gfx/architecture/architecture.h"
#include "gfx/architecture/register-list.h"

static const char *const none[] = {NULL};

static void elements_come_in_order(void **state)
{
	static const char *const expected[] = {"pc", "", "s0-s3", "vector", ""};
	const char *rest = "pc,:s0-s3:vector,";
	struct gfx_register_word word;
	size_t count = 0;

	(void)state;
	while (gfx_register_list_next(&rest, &word)) {
		assert_true(count < sizeof(expected) / sizeof(*expected));
		assert_int_equal(word.length, strlen(expected[count]));
		assert_memory_equal(word.text, expected[count], word.length);
		count++;
	}
	assert_int_equal(count, sizeof(expected) / sizeof(*expected));
	assert_null(rest);
	assert_false(gfx_register_list_next(&rest, &word));
}

static void a_run_has_all_between_its_ends(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 130; i++) {
		char name[16];

		snprintf(name, sizeof(name), "s%u", i);
		assert_int_equal(gfx_register_list_names("s4-s15", name, none), i >= 4 && i <= 15);
		assert_int_equal(gfx_register_list_names("s99-s101", name, none),
				 i >= 99 && i <= 101);
		assert_int_equal(gfx_register_list_names("s7-s7", name, none), i == 7);
		assert_false(gfx_register_list_names("v0-v255", name, none));
		assert_false(gfx_register_list_names("s15-s4", name, none));
	}
	assert_true(gfx_register_list_names("ttmp4-ttmp11", "ttmp10", none));
	for (const char *const *name =
		     (const char *const[]){"s", "s1x", "ss1", "s1234567", "s-1", "", "v1", NULL};
	     *name; name++)
		assert_false(gfx_register_list_names("s0-s999999", *name, none));
}

static void names_and_classes(void **state)
{
	static const char *const classes[] = {"general", "vector", NULL};

	(void)state;
	assert_true(gfx_register_list_names("pc,vcc", "vcc", none));
	assert_false(gfx_register_list_names("pc,vcc", "vcc_lo", none));
	assert_false(gfx_register_list_names("pc,vcc_lo", "vcc", none));
	assert_true(gfx_register_list_names("vector", "v1", classes));
	assert_false(gfx_register_list_names("vectors", "v1", classes));
	assert_false(gfx_register_list_names("vect", "v1", classes));
	assert_false(gfx_register_list_names("vector", "v1", none));
	assert_true(gfx_register_list_names("pc:all", "anything", none));
	assert_false(gfx_register_list_names("", "v1", classes));
	assert_false(gfx_register_list_names("a,b", "", none));
}

static void check_wrong(const char *list, const char *element, const char *reason)
{
	struct gfx_register_word wrong = {NULL, 0};
	const char *why = gfx_register_list_check(list, &wrong);

	assert_non_null(why);
	assert_non_null(strstr(why, reason));
	assert_int_equal(wrong.length, strlen(element));
	assert_memory_equal(wrong.text, element, wrong.length);
	assert_true(wrong.text >= list && wrong.text + wrong.length <= list + strlen(list));
}

static void what_is_wrong_is_named(void **state)
{
	(void)state;
	check_wrong("", "", "empty");
	check_wrong("pc,,v1", "", "empty");
	check_wrong("pc:", "", "empty");
	check_wrong("pc,v[0]", "v[0]", "letters, digits and _");
	check_wrong("pc v1", "pc v1", "letters, digits and _");
	check_wrong("s0-", "s0-", "at both ends");
	check_wrong("-s3", "-s3", "at both ends");
	check_wrong("-", "-", "at both ends");
	check_wrong("pc,exec-vcc", "exec-vcc", "at both ends");
	check_wrong("s0-s1234567", "s0-s1234567", "up to 6 digits");
	check_wrong("s0-v7", "s0-v7", "one kind");
	check_wrong("s0-s3-s5", "s0-s3-s5", "one kind");
	check_wrong("0-3", "0-3", "one kind");
	check_wrong("v0,s7-s0", "s7-s0", "ends before it begins");
}

static void what_is_right_is_not(void **state)
{
	struct gfx_register_word wrong = {NULL, 7};

	(void)state;
	for (const char *const *list = (const char *const[]){"pc", "all", "s0-s0",
							     "pc,v7:s0-s999999", "no_such", NULL};
	     *list; list++)
		assert_null(gfx_register_list_check(*list, &wrong));
	assert_null(wrong.text);
	assert_int_equal(wrong.length, 7);
}

static void unknown(const char *list, const char *element)
{
	struct gfx_register_word word = {NULL, 0};

	assert_int_equal(gfx_register_list_find_unknown(list, &word), element != NULL);
	if (element) {
		assert_int_equal(word.length, strlen(element));
		assert_memory_equal(word.text, element, word.length);
	}
}

static void unknown_registers_are_found(void **state)
{
	(void)state;
	unknown("pc,exec,vcc,s0,v255,ttmp4-ttmp11", NULL);
	unknown("all", NULL);
	unknown("general,scalar,vector,system,trap", NULL);
	/* A run counts if any of it is there. */
	unknown("s100-s300", NULL);
	unknown("s300-s400", "s300-s400");
	unknown("pc,rax,rbx", "rax");
	unknown("Vector", "Vector");
	unknown("v99999", "v99999");
}

/* Each register of each architecture is named by its own name. */
static void every_register_has_a_name(void **state)
{
	size_t checked = 0;

	(void)state;
	for (size_t i = 0; i < gfx_architecture_count(); i++) {
		const struct gfx_architecture *architecture = gfx_architecture_at(i);

		for (size_t j = 0; j < gfx_register_count(architecture); j++, checked++) {
			struct gfx_register_word wrong;
			char name[GFX_REGISTER_NAME];
			struct gfx_register reg;

			assert_true(gfx_register_at(architecture, j, &reg));
			gfx_register_name(&reg, name);
			assert_null(gfx_register_list_check(name, &wrong));
			assert_true(gfx_register_list_names(name, name, none));
			if (j % 97 == 0)
				unknown(name, NULL);
		}
	}
	assert_true(checked > 18 * 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_come_in_order),
		cmocka_unit_test(a_run_has_all_between_its_ends),
		cmocka_unit_test(names_and_classes),
		cmocka_unit_test(what_is_wrong_is_named),
		cmocka_unit_test(what_is_right_is_not),
		cmocka_unit_test(unknown_registers_are_found),
		cmocka_unit_test(every_register_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
