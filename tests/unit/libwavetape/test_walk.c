/* SPDX-License-Identifier: MIT */
/* All that can be asked of whole, damaged and hostile traces; and by two threads at once. */
#include "visit.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/share.h"

static char path[1024];

static bool is_trace(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && !strcmp(dot, ".wtape");
}

/* The vectors are right and wrong files; what each means is tested elsewhere. Here nothing may crash, nor go unsaid. */
static void test_vectors(void **state)
{
	uint64_t share = test_share(), number = 0;
	size_t opened = 0, refused = 0;
	struct dirent *entry;
	DIR *directory = opendir(getenv("WT_VECTORS"));

	(void)state;
	assert_non_null(directory);
	while ((entry = readdir(directory))) {
		struct visit first, second;

		if (!is_trace(entry->d_name) || number++ % share)
			continue;
		snprintf(path, sizeof(path), "%s/%s", getenv("WT_VECTORS"), entry->d_name);
		first = visit_trace(path);
		second = visit_trace(path);
		if (first.hash != second.hash)
			fail_msg("%s: it says another thing when asked again", path);
		opened += first.opened;
		refused += !first.opened;
	}
	closedir(directory);
	assert_true(opened > 0);
	print_message("%zu traces opened, %zu refused\n", opened, refused);
}

static void *walk(void *opaque)
{
	struct visit *visit = opaque;

	for (int i = 0; i < 3; i++)
		visit[i] = visit_trace(path);
	return NULL;
}

static void test_two_threads(void **state)
{
	struct visit alone, visits[2][3];
	pthread_t threads[2];

	(void)state;
	snprintf(path, sizeof(path), "%s/format-1.3.wtape", getenv("WT_GOLDEN"));
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, walk, visits[i]), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	alone = visit_trace(path);
	assert_int_equal(alone.stops, 4);
	assert_int_equal(alone.waves, 8);
	assert_true(alone.registers > 300);
	for (int i = 0; i < 6; i++)
		assert_memory_equal(&visits[i / 3][i % 3], &alone, sizeof(alone));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_two_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
