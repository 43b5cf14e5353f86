/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "base/blake2b.h"

static const char *hash_text(const void *data, size_t size, char text[2 * WT_BLAKE2B_SIZE + 1])
{
	uint8_t hash[WT_BLAKE2B_SIZE];

	wt_blake2b(data, size, hash);
	for (size_t i = 0; i < sizeof(hash); i++)
		snprintf(text + 2 * i, 3, "%02x", hash[i]);
	return text;
}

/* From the reference implementation's published vectors. */
static void hashes_as_published(void **state)
{
	char text[2 * WT_BLAKE2B_SIZE + 1];

	(void)state;
	assert_string_equal(hash_text("abc", 3, text),
			    "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
}

/* Sizes around those of one and two blocks, by another implementation (Python's hashlib). */
static void hashes_every_size(void **state)
{
	static const struct {
		size_t size;
		const char *hash;
	} cases[] = {
		{0, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"},
		{1, "03170a2e7597b7b7e3d84c05391d139a62b157e78786d8c082f29dcf4c111314"},
		{127, "4ff62e7c4c43fe101a078479c48836be4907d9d498dcc577ca89d694b2c11f9b"},
		{128, "14696d2a98d9f8a280da8b132b1045b345e1033759c6b02fcc4ee885c8ae7c37"},
		{129, "3934215260b1039be9d9d2b073b059bcd50120c327a22af93eb4d98cf821c14c"},
		{255, "a3bb8b4fa098078d32bb5a89e905e237862fd83e99141ca7d8a073bb268ba2a0"},
		{256, "3d0cb2693dfbac42af5a6cc960953fea8714aa39c4bcd054ef61d6b5e98ade4a"},
		{257, "00466ab5e91660e4fdbef955724cca27cee84370539f22d393d1f566bd177514"},
		{1000, "38981cec8fd0971914a759c4fac0538dbb29495eec4aea07f277e1f5f8562d27"},
	};
	char text[2 * WT_BLAKE2B_SIZE + 1];
	uint8_t data[1000];

	(void)state;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7 + i / 256);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(hash_text(data, cases[i].size, text), cases[i].hash);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes_as_published),
		cmocka_unit_test(hashes_every_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
