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
	json_t *functions = json_object_get(facts, "functions"), *version;
	const char *name;

	(void)state;
	assert_int_equal(json_object_size(functions), 67);
	json_object_foreach(functions, name, version)
	{
		if (!dlvsym(library, name, json_string_value(version)))
			fail_msg("no %s at %s", name, json_string_value(version));
		/* at that one only: a client of another API level must not bind to it */
		if (dlvsym(library, name, "AMD_DBGAPI_0.70") &&
		    strcmp(json_string_value(version), "AMD_DBGAPI_0.70") != 0)
			fail_msg("%s is at AMD_DBGAPI_0.70 too", name);
	}
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
	facts = json_load_file(argv[2], 0, NULL);
	if (library && facts)
		failed = cmocka_run_group_tests(tests, NULL, NULL);
	else
		print_error("cannot load %s or %s\n", argv[1], argv[2]);
	json_decref(facts);
	return failed;
}
