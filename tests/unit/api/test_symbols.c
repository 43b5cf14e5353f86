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

/* What holds at a level, of {"0.62": ..., "0.76": ...}: since when each does. */
static const json_t *at(const json_t *history, const char *level)
{
	const json_t *held = NULL, *entry;
	const char *since;

	json_object_foreach((json_t *)(uintptr_t)history, since, entry)
	{
		if (strcmp(since, level) <= 0)
			held = entry;
	}
	return held && !json_is_null(held) ? held : NULL;
}

static void test_functions_and_versions(void **state)
{
	json_t *functions = json_object_get(facts, "functions"), *history;
	size_t count = 0;
	const char *name;

	(void)state;
	json_object_foreach(functions, name, history)
	{
		const json_t *held = at(history, "0.77");
		const char *version = held ? json_string_value(json_array_get(held, 0)) : NULL;

		if (!version)
			continue;
		count++;
		if (!dlvsym(library, name, version))
			fail_msg("no %s at %s", name, version);
		/* at that one only: a client of another API level must not bind to it */
		if (dlvsym(library, name, "AMD_DBGAPI_0.70") &&
		    strcmp(version, "AMD_DBGAPI_0.70") != 0)
			fail_msg("%s is at AMD_DBGAPI_0.70 too", name);
	}
	assert_int_equal(count, 67);
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
