/* SPDX-License-Identifier: MIT */
/* The search for AMD's libraries: layouts of each kind below a root of the test's, one at a time and together. */
#include "tests/unit/recorder/support.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dbgapi/finding/search.h"

static const char *const *environment;

static char *variable(const char *name)
{
	for (const char *const *entry = environment; entry && *entry; entry += 2)
		if (!strcmp(*entry, name))
			return (char *)entry[1];
	return NULL;
}

struct layout {
	char root[64];
};

static int layout_init(void **state)
{
	struct layout *layout = calloc(1, sizeof(*layout));

	assert_non_null(layout);
	strcpy(layout->root, "/tmp/wavetape-finding-XXXXXX");
	assert_non_null(mkdtemp(layout->root));
	environment = NULL;
	*state = layout;
	return 0;
}

static int layout_deinit(void **state)
{
	struct layout *layout = *state;
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", layout->root);
	assert_int_equal(system(command), 0);
	free(layout);
	return 0;
}

static void make_folders(const char *path)
{
	char part[PATH_MAX];

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		if (mkdir(part, 0755))
			assert_int_equal(errno, EEXIST);
	}
}

/* A path below the root, whose folders are made. */
static const char *place(const struct layout *layout, const char *name, char path[PATH_MAX])
{
	assert_true(snprintf(path, PATH_MAX, "%s%s", layout->root, name) < PATH_MAX);
	make_folders(path);
	return path;
}

static void put_bytes(const struct layout *layout, const char *name, const void *data, size_t size)
{
	char path[PATH_MAX];
	FILE *file = fopen(place(layout, name, path), "we");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void put_text(const struct layout *layout, const char *name, const char *text)
{
	put_bytes(layout, name, text, strlen(text));
}

static void put_library(const struct layout *layout, const char *name, const char *library)
{
	char path[PATH_MAX];

	assert_int_equal(symlink(library, place(layout, name, path)), 0);
}

static struct wt_search search_all(const struct layout *layout, const char *program,
				   const char *runtime)
{
	struct wt_search search = wt_search_begin(WT_SEARCH_DBGAPI);

	search.root = layout->root;
	search.variable = variable;
	wt_search_add_known(&search, program, runtime);
	assert_false(search.no_memory);
	return search;
}

/* The library found in a layout is the one file that there is. */
static void expect_taken(const struct layout *layout, const char *program, const char *runtime,
			 const char *name, const char *source)
{
	struct wt_search search = search_all(layout, program, runtime);
	const struct wt_search_place *taken = wt_search_taken(&search);
	char path[PATH_MAX];

	assert_non_null(taken);
	assert_string_equal(taken->path, place(layout, name, path));
	assert_string_equal(taken->source, source);
	wt_search_deinit(&search);
}

static void test_nothing(void **state)
{
	struct wt_search search = search_all(*state, NULL, NULL);
	char *text = wt_search_text(&search);

	assert_null(wt_search_taken(&search));
	assert_non_null(strstr(text, "/opt/rocm/lib (ROCm), "));
	assert_non_null(strstr(text, "/opt/rocm/core/lib (ROCm)"));
	assert_null(strstr(text, "/opt/rocm/lib (ROCm: "));
	assert_null(wt_search_rocm(&search));
	free(text);
	wt_search_deinit(&search);
}

/* Each layout is found by itself. */
static void test_rocm(void **state)
{
	static const char *const folders[] = {"/opt/rocm/lib", "/opt/rocm-6.4.1/lib",
					      "/opt/rocm/core/lib", "/opt/rocm/core-7.13/lib"};

	for (size_t i = 0; i < 4; i++) {
		char name[PATH_MAX], path[PATH_MAX];

		snprintf(name, sizeof(name), "%s/" WT_SEARCH_DBGAPI, folders[i]);
		put_library(*state, name, SIMULATED_LIBRARY);
		expect_taken(*state, NULL, NULL, name, "ROCm");
		assert_int_equal(unlink(place(*state, name, path)), 0);
	}
}

/* The newest of several versions is taken, which is no order of letters. */
static void test_newest(void **state)
{
	put_library(*state, "/opt/rocm-6.9.0/lib/" WT_SEARCH_DBGAPI, SIMULATED_LIBRARY);
	put_library(*state, "/opt/rocm-6.10.0/lib/" WT_SEARCH_DBGAPI, SIMULATED_LIBRARY);
	expect_taken(*state, NULL, NULL, "/opt/rocm-6.10.0/lib/" WT_SEARCH_DBGAPI, "ROCm");
}

static void test_variables(void **state)
{
	struct layout *layout = *state;
	char first[PATH_MAX], list[2 * PATH_MAX];
	const char *const rocm_path[] = {"ROCM_PATH", first, NULL};
	const char *const library_path[] = {"LD_LIBRARY_PATH", list, "ROCM_PATH", first, NULL};

	put_library(layout, "/my rocm/lib/" WT_SEARCH_DBGAPI, SIMULATED_LIBRARY);
	put_library(layout, "/opt/rocm/lib/" WT_SEARCH_DBGAPI, SIMULATED_LIBRARY);
	snprintf(first, sizeof(first), "%s/my rocm", layout->root);
	environment = rocm_path;
	expect_taken(layout, NULL, NULL, "/my rocm/lib/" WT_SEARCH_DBGAPI, "ROCM_PATH");
	put_library(layout, "/libs/" WT_SEARCH_DBGAPI, SIMULATED_LIBRARY);
	snprintf(list, sizeof(list), "/nowhere:%s/libs/:", layout->root);
	environment = library_path;
	expect_taken(layout, NULL, NULL, "/libs/" WT_SEARCH_DBGAPI, "LD_LIBRARY_PATH");
}

static void test_wheels(void **state)
{
	struct layout *layout = *state;
	char venv[PATH_MAX], python[PATH_MAX], packages[PATH_MAX];
	const char *const in_venv[] = {"VIRTUAL_ENV", venv, NULL};
	const char *const in_path[] = {"PYTHONPATH", packages, NULL};
	static const char wheel[] =
		"/venv/lib/python3.12/site-packages/_rocm_sdk_core/lib/" WT_SEARCH_DBGAPI;

	put_library(layout, wheel, SIMULATED_LIBRARY);
	snprintf(venv, sizeof(venv), "%s/venv", layout->root);
	snprintf(python, sizeof(python), "%s/venv/bin/python3", layout->root);
	snprintf(packages, sizeof(packages), "%s/venv/lib/python3.12/site-packages", layout->root);
	expect_taken(layout, python, NULL, wheel, "wheel of Python");
	environment = in_venv;
	expect_taken(layout, NULL, NULL, wheel, "wheel of Python");
	environment = in_path;
	expect_taken(layout, NULL, NULL, wheel, "wheel in PYTHONPATH");
	/* Another program's folder is none of Python. */
	environment = NULL;
	snprintf(python, sizeof(python), "%s/venv/bin/perl", layout->root);
	{
		struct wt_search search = search_all(layout, python, NULL);

		assert_null(wt_search_taken(&search));
		wt_search_deinit(&search);
	}
	put_library(layout, "/usr/lib/python3/dist-packages/_rocm_sdk_core/lib/" WT_SEARCH_DBGAPI,
		    SIMULATED_LIBRARY);
	expect_taken(layout, NULL, NULL,
		     "/usr/lib/python3/dist-packages/_rocm_sdk_core/lib/" WT_SEARCH_DBGAPI,
		     "wheel of Python");
}

static void test_beside_the_runtime(void **state)
{
	struct layout *layout = *state;
	char runtime[PATH_MAX];

	put_library(layout, "/torch/lib/" WT_SEARCH_DBGAPI, SIMULATED_LIBRARY);
	snprintf(runtime, sizeof(runtime), "%s/torch/lib/libhsa-runtime64.so", layout->root);
	expect_taken(layout, NULL, runtime, "/torch/lib/" WT_SEARCH_DBGAPI, "beside the runtime");
}

/* The loader's cache: with an older form in front of it, cut off anywhere, and with places outside of it. */
static void test_cache(void **state)
{
	struct layout *layout = *state;
	static const char name[] = WT_SEARCH_DBGAPI, path[] = "/odd/place/" WT_SEARCH_DBGAPI;
	struct {
		char older[16], magic[20];
		uint32_t count, strings, unused[5];
		struct {
			uint32_t flags, key, value, version;
			uint64_t capabilities;
		} entries[3];
		char key[sizeof(name)], value[sizeof(path)];
	} cache = {.older = "ld.so-1.7.0", .count = 3};
	const uint32_t key = (uint32_t)((char *)cache.key - cache.magic);

	memcpy(cache.magic, "glibc-ld.so.cache1.1", 20);
	for (size_t i = 0; i < 3; i++)
		cache.entries[i].key = cache.entries[i].value = UINT32_MAX;
	cache.entries[1].key = key;
	cache.entries[2].key = key;
	cache.entries[2].value = key + (uint32_t)sizeof(name);
	memcpy(cache.key, name, sizeof(name));
	memcpy(cache.value, path, sizeof(path));
	put_library(layout, path, SIMULATED_LIBRARY);
	put_bytes(layout, "/etc/ld.so.cache", &cache, sizeof(cache));
	expect_taken(layout, NULL, NULL, path, "ldconfig");
	for (size_t size = 0; size < offsetof(__typeof__(cache), value) + sizeof(path); size++) {
		struct wt_search search;

		put_bytes(layout, "/etc/ld.so.cache", &cache, size);
		search = search_all(layout, NULL, NULL);
		assert_null(wt_search_taken(&search));
		wt_search_deinit(&search);
	}
}

/* LLVM stands in folders of its own, in several versions; of a ROCm that has it both ways the newer way is taken. */
static void test_llvm(void **state)
{
	struct layout *layout = *state;
	char rocm[PATH_MAX], venv[PATH_MAX], runtime[PATH_MAX];
	const char *const variables[] = {"ROCM_PATH", rocm, "VIRTUAL_ENV", venv, NULL};
	static const struct {
		const char *path, *source;
	} places[] = {
		{"/usr/lib/x86_64-linux-gnu/libLLVM-15.so.1", "system"},
		{"/usr/lib/llvm-14/lib/libLLVM-14.so.1", "system"},
		{"/usr/lib64/llvm18/lib64/libLLVM.so.18.1", "system"},
		{"/usr/lib/llvm/20/lib64/libLLVM.so.20.1", "system"},
		{"/my/lib/llvm/lib/libLLVM.so.21.0git", "ROCM_PATH"},
		{"/my/llvm/lib/libLLVM-17git.so", "ROCM_PATH"},
		{"/opt/rocm/lib/llvm/lib/libLLVM.so.19.0git", "ROCm"},
		{"/opt/rocm-6.4.1/llvm/lib/libLLVM-18git.so", "ROCm"},
		{"/opt/rocm/core/lib/llvm/lib/libLLVM.so.22.0git", "ROCm"},
		{"/opt/rocm/core-7.13/lib/llvm/lib/libLLVM.so.23.0git", "ROCm"},
		{"/venv/lib/python3.12/site-packages/_rocm_sdk_core/lib/llvm/lib/"
		 "libLLVM.so.23.0git",
		 "wheel of Python"},
		{"/torch/lib/llvm/lib/libLLVM.so.23.0git", "beside the runtime"},
	};
	const size_t count = sizeof(places) / sizeof(*places);
	struct wt_search search = wt_search_begin(WT_SEARCH_LLVM);

	for (size_t i = 0; i < count; i++)
		put_library(layout, places[i].path, SIMULATED_LIBRARY);
	/* An LLVM that programs are built with has hundreds of these beside it. */
	for (size_t i = 0; i < 300; i++) {
		char name[PATH_MAX];

		snprintf(name, sizeof(name), "/usr/lib/llvm-14/lib/libLLVMPart%zu.a", i);
		put_text(layout, name, "!<arch>\n");
	}
	put_library(layout, "/opt/rocm/lib/libamd_comgr.so.3", SIMULATED_LIBRARY);
	put_text(layout, "/opt/rocm/lib/libLLVM.so.99", "no library");
	snprintf(rocm, sizeof(rocm), "%s/my", layout->root);
	snprintf(venv, sizeof(venv), "%s/venv", layout->root);
	snprintf(runtime, sizeof(runtime), "%s/torch/lib/libhsa-runtime64.so", layout->root);
	environment = variables;
	search.root = layout->root;
	search.variable = variable;
	wt_search_add_known(&search, NULL, runtime);
	assert_false(search.no_memory);
	for (size_t i = 0, at = 0; i < search.count; i++) {
		const char *path = search.places[i].path + strlen(layout->root);

		if (!strcmp(path, "/opt/rocm/lib/libLLVM.so.99")) {
			assert_int_equal(search.places[i].file.state, WT_LIBRARY_NO_LIBRARY);
			continue;
		}
		assert_true(at < count);
		assert_string_equal(path, places[at].path);
		assert_string_equal(search.places[i].source, places[at].source);
		assert_int_equal(search.places[i].file.state, WT_LIBRARY_GOOD);
		at++;
		assert_true(i + 1 < search.count || at == count);
	}
	wt_search_deinit(&search);
	/* The other one stands where ROCm has all of its libraries. */
	search = wt_search_begin("libamd_comgr.so.3");
	search.root = layout->root;
	search.variable = variable;
	wt_search_add_known(&search, NULL, NULL);
	assert_string_equal(wt_search_taken(&search)->path + strlen(layout->root),
			    "/opt/rocm/lib/libamd_comgr.so.3");
	wt_search_deinit(&search);
}

static void expect_state(const struct layout *layout, const char *name, enum wt_library_state state)
{
	char path[PATH_MAX];

	assert_int_equal(wt_library_file_look(place(layout, name, path), true).state, state);
	assert_true(strlen(wt_library_state_text(state)) > 5);
}

static void test_files(void **state)
{
	ElfW(Ehdr) head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
			   .e_type = ET_DYN,
			   .e_machine = EM_PPC64,
			   .e_version = EV_CURRENT,
			   .e_ehsize = sizeof(head)};

	put_text(*state, "/a/text", "INPUT(librocm-dbgapi.so)\n");
	put_bytes(*state, "/a/other", &head, sizeof(head));
	put_library(*state, "/a/own", RECORDING_LIBRARY);
	put_library(*state, "/a/good", SIMULATED_LIBRARY);
	put_library(*state, "/a/program", "/proc/self/exe");
	put_library(*state, "/a/nowhere", "/nowhere");
	put_library(*state, "/a/folder", "/tmp");
	put_text(*state, "/a/empty", "");
	expect_state(*state, "/a/text", WT_LIBRARY_NO_LIBRARY);
	expect_state(*state, "/a/empty", WT_LIBRARY_NO_LIBRARY);
	expect_state(*state, "/a/other", WT_LIBRARY_OTHER_MACHINE);
	expect_state(*state, "/a/own", WT_LIBRARY_OWN);
	expect_state(*state, "/a/good", WT_LIBRARY_GOOD);
	expect_state(*state, "/a/program", WT_LIBRARY_NO_LEVEL);
	expect_state(*state, "/a/nowhere", WT_LIBRARY_ABSENT);
	expect_state(*state, "/a/folder", WT_LIBRARY_UNREADABLE);
}

/* Files that are none are passed over, and told of; so is a library of ours, which would be in front of itself. */
static void test_half_installed(void **state)
{
	struct wt_search search;
	char *text;

	put_text(*state, "/opt/rocm/lib/" WT_SEARCH_DBGAPI, "nonsense");
	put_library(*state, "/opt/rocm-6.0.0/lib/" WT_SEARCH_DBGAPI, RECORDING_LIBRARY);
	put_library(*state, "/opt/rocm/core/lib/" WT_SEARCH_DBGAPI, SIMULATED_LIBRARY);
	expect_taken(*state, NULL, NULL, "/opt/rocm/core/lib/" WT_SEARCH_DBGAPI, "ROCm");
	search = search_all(*state, NULL, NULL);
	text = wt_search_text(&search);
	assert_non_null(strstr(text, "/opt/rocm/lib (ROCm: is no shared library)"));
	assert_non_null(strstr(text, "/opt/rocm-6.0.0/lib (ROCm: is wavetape's own)"));
	free(text);
	wt_search_deinit(&search);
}

/* One that is older than its client is taken only where there is no other. */
static void test_level(void **state)
{
	struct wt_search search;

	put_library(*state, "/opt/rocm/lib/" WT_SEARCH_DBGAPI, FAKE_LIBRARY);
	put_library(*state, "/opt/rocm/core/lib/" WT_SEARCH_DBGAPI, SIMULATED_LIBRARY);
	search = search_all(*state, NULL, NULL);
	for (size_t i = 0; i < search.count; i++)
		if (strstr(search.places[i].path, "/opt/rocm/lib/"))
			search.places[i].file.level = 71;
	assert_non_null(strstr(wt_search_taken(&search)->path, "/opt/rocm/lib/"));
	search.client_level = 77;
	assert_non_null(strstr(wt_search_taken(&search)->path, "/opt/rocm/core/lib/"));
	search.client_level = 99;
	assert_non_null(strstr(wt_search_taken(&search)->path, "/opt/rocm/lib/"));
	wt_search_deinit(&search);
}

static void test_version(void **state)
{
	struct wt_search search;
	char *version;

	put_text(*state, "/opt/rocm/.info/version", "7.13.0-4711\n");
	put_text(*state, "/opt/rocm-6.4.1/.info/version", "6.4.1-83\n");
	put_library(*state, "/opt/rocm-6.4.1/lib/" WT_SEARCH_DBGAPI, SIMULATED_LIBRARY);
	place(*state, "/opt/rocm/lib/x", (char[PATH_MAX]){0});
	search = search_all(*state, NULL, NULL);
	version = wt_search_rocm(&search);
	assert_string_equal(version, "6.4.1-83");
	free(version);
	wt_search_deinit(&search);
}

int main(void)
{
#define LAYOUT_TEST(f) cmocka_unit_test_setup_teardown(f, layout_init, layout_deinit)
	const struct CMUnitTest tests[] = {
		LAYOUT_TEST(test_nothing),	  LAYOUT_TEST(test_rocm),
		LAYOUT_TEST(test_newest),	  LAYOUT_TEST(test_variables),
		LAYOUT_TEST(test_wheels),	  LAYOUT_TEST(test_beside_the_runtime),
		LAYOUT_TEST(test_cache),	  LAYOUT_TEST(test_files),
		LAYOUT_TEST(test_half_installed), LAYOUT_TEST(test_level),
		LAYOUT_TEST(test_version),	  LAYOUT_TEST(test_llvm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
