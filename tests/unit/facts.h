/* SPDX-License-Identifier: MIT */
/*
 * For tests that compare answers with tests/facts/NAME.jsonl, one JSON object a line.
 *
 * Of architectures.jsonl and instructions.jsonl a line holds for each architecture in its list
 * "arch"; where "id" and "elf_machine" are lists, they run along with it. It is what AMD's library of level 0.80 says, but for
 * gfx940 and gfx941, which that has no more, and for ids: releases of the library count differently, ours are those of 0.77.0, and
 * null for what came later.
 */
#ifndef WT_TESTS_FACTS_H
#define WT_TESTS_FACTS_H

#include <stdint.h>

#include "tests/unit/with-cmocka.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline const char *fact_text(const json_t *line, const char *key)
{
	const char *value = json_string_value(json_object_get(line, key));

	if (!value)
		fail_msg("no text '%s' in a line of kind %s", key,
			 json_string_value(json_object_get(line, "kind")));
	return value;
}

static inline uint64_t fact_hex(const json_t *line, const char *key)
{
	return strtoull(fact_text(line, key), NULL, 16);
}

/* An id against the one in a line, from which it is @offset away; ours alone where that has none. */
static inline void check_fact_id(const json_t *line, uint64_t offset, uint64_t id)
{
	if (json_is_null(json_object_get(line, "id")))
		assert_int_not_equal(id, 0);
	else
		assert_int_equal(id, fact_hex(line, "id") + offset);
}

static inline uint64_t fact_number(const json_t *line, const char *key)
{
	const json_t *value = json_object_get(line, key);

	if (!json_is_integer(value))
		fail_msg("no number '%s' in a line of kind %s", key, fact_text(line, "kind"));
	return (uint64_t)json_integer_value(value);
}

/* Bytes from their hexadecimal form; return how many. */
static inline size_t fact_bytes(const json_t *line, const char *key, uint8_t *bytes, size_t size)
{
	const char *text = fact_text(line, key);
	size_t count = strlen(text) / 2;

	assert_true(count <= size);
	for (size_t i = 0; i < count; i++) {
		char byte[3] = {text[2 * i], text[2 * i + 1], 0};

		bytes[i] = (uint8_t)strtoul(byte, NULL, 16);
	}
	return count;
}

/* Make of a line for several architectures the line for one of them. */
static inline void fact_select(json_t *line, const json_t *whole, size_t position)
{
	static const char *const lists[] = {"arch", "id", "elf_machine"};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		json_t *list = json_object_get(whole, lists[i]);

		if (!json_is_array(list))
			continue;
		assert_int_equal(json_array_size(list),
				 json_array_size(json_object_get(whole, "arch")));
		json_object_set(line, lists[i], json_array_get(list, position));
	}
}

/* Call @check for a line as it is, or for each architecture in it; return how often. */
static inline size_t each_architecture(json_t *fact, void (*check)(const json_t *line))
{
	size_t count = json_array_size(json_object_get(fact, "arch"));

	for (size_t i = 0; i < count; i++) {
		json_t *line = json_copy(fact);

		fact_select(line, fact, i);
		check(line);
		json_decref(line);
	}
	if (!count)
		check(fact);
	return count ? count : 1;
}

/* Call @check for each line of a kind; return how often. */
static inline size_t each_fact(const char *path, const char *kind,
			       void (*check)(const json_t *line))
{
	FILE *file = fopen(path, "r");
	char line[8192];
	size_t count = 0;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		json_t *fact = json_loads(line, 0, NULL);

		assert_non_null(fact);
		if (!strcmp(fact_text(fact, "kind"), kind))
			count += each_architecture(fact, check);
		json_decref(fact);
	}
	fclose(file);
	return count;
}

#endif /* WT_TESTS_FACTS_H */
