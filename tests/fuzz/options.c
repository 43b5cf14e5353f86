/* SPDX-License-Identifier: MIT */
/* Any text as the words of WAVETAPE_OPTIONS. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "recorder/recording/options.h"

/* What is said of the words in the trace means the same when it is read again. */
static void check_content(const struct wt_options *options)
{
	struct wt_options again = wt_options_parse(options->content);

	FUZZ_CHECK(!*again.refused && !strcmp(again.content, options->content));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const classes[] = {"scalar", "vector", NULL};
	struct wt_options options;
	char *text = malloc(size + 1);

	FUZZ_CHECK(text);
	memcpy(text, data, size);
	text[size] = '\0';
	options = wt_options_parse(text);
	FUZZ_CHECK(memchr(options.content, 0, sizeof(options.content)));
	FUZZ_CHECK(memchr(options.refused, 0, sizeof(options.refused)));
	FUZZ_CHECK(options.policy.range_count <= WT_POLICY_RANGES);
	fuzz_reached += options.policy.range_count > 0;
	check_content(&options);
	wt_policy_names(&options.policy, "v7", classes);
	wt_policy_names(&options.policy, "pc", classes);
	free(text);
	return 0;
}
