/* SPDX-License-Identifier: MIT */
/* The library has the functions of the API at the versions that clients of AMD's library ask for. */
#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static void *library;
static json_t *facts;

static void test_functions_and_versions(void **state)
{
	json_t *functions = json_object_get(facts, "functions"), *history, *held;
	size_t versions = 0;
	const char *name, *since;

	(void)state;
	json_object_foreach(functions, name, history)
	{
		json_object_foreach(history, since, held)
		{
			const char *version = json_string_value(json_array_get(held, 0));

			if (!version)
				continue;
			versions++;
			if (!dlvsym(library, name, version))
				fail_msg("no %s at %s", name, version);
		}
		/* A client that asks for what never was has to be told so. */
		if (dlvsym(library, name, "AMD_DBGAPI_0.71"))
			fail_msg("%s is at a version that no function had", name);
	}
	assert_int_equal(json_object_size(functions), 69);
	assert_true(versions > 100);
}

static void test_soname(void **state)
{
	const struct link_map *map;
	const char *strings = NULL, *soname = NULL;

	(void)state;
	assert_int_equal(dlinfo(library, RTLD_DI_LINKMAP, &map), 0);
	for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_STRTAB)
			strings = (const char *)entry->d_un.d_ptr;
	assert_non_null(strings);
	for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_SONAME)
			soname = strings + entry->d_un.d_val;
	assert_non_null(soname);
	assert_string_equal(soname, json_string_value(json_object_get(facts, "soname")));
}

/* Nothing of ours may get in the way of a client's own names. */
static void test_nothing_else(void **state)
{
	(void)state;
	assert_null(dlsym(library, "wt_provider"));
	assert_null(dlsym(library, "wt_client_initialize"));
	assert_null(dlsym(library, "gfx_wave_step"));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions_and_versions),
		cmocka_unit_test(test_soname),
		cmocka_unit_test(test_nothing_else),
	};
	int failed = 1;

	if (argc != 3)
		return 1;
	library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	facts = json_load_file(argv[2], JSON_DECODE_INT_AS_REAL, NULL);
	if (library && facts)
		failed = cmocka_run_group_tests(tests, NULL, NULL);
	else
		print_error("cannot load %s or %s\n", argv[1], argv[2]);
	json_decref(facts);
	return failed;
}
