/* SPDX-License-Identifier: MIT */
/*
 * A fuzz target as a plain test: every file of a corpus as it is, cut short at several places, and
 * with bytes changed, always the same ones; every other time by the target's own mutator, if it has one.
 *
 * Usage: NAME ROUNDS FILE...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "mutate.h"

#define CUTS 16u
#define GROWTH ((size_t)4096)

#pragma weak LLVMFuzzerCustomMutator
#pragma weak LLVMFuzzerInitialize

static unsigned int mutate_seed;
static unsigned int whole_reached; /* inputs that got, as they are, to what the target tests */

static uint8_t *read_file(const char *path, size_t *size_ret)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data;
	long size;

	if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0)
		return NULL;
	rewind(file);
	data = malloc((size_t)size + 1);
	if (data && fread(data, 1, (size_t)size, file) != (size_t)size) {
		free(data);
		data = NULL;
	}
	fclose(file);
	*size_ret = (size_t)size;
	return data;
}

/* An exact copy, so that a sanitizer sees who reads behind the end. */
static void run_copy(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		exit(1);
	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static void mutate(uint8_t *data, size_t size, unsigned int *seed)
{
	size_t at = (size_t)rand_r(seed) % size, length = 1 + (size_t)rand_r(seed) % 8;

	for (size_t i = at; i < size && i < at + length; i++)
		data[i] = (uint8_t)rand_r(seed);
}

/* What libFuzzer has for mutators of targets: bytes changed, put in or left out. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	size_t at = (size_t)rand_r(&mutate_seed) % (size + 1), length = size - at;

	if (rand_r(&mutate_seed) % 4 == 0 && size < max_size) {
		memmove(data + at + 1, data + at, length);
		data[at] = (uint8_t)rand_r(&mutate_seed);
		return size + 1;
	}
	if (rand_r(&mutate_seed) % 4 == 0 && length && size > 1) {
		memmove(data + at, data + at + 1, length - 1);
		return size - 1;
	}
	if (size)
		mutate(data, size, &mutate_seed);
	return size;
}

static void run_changed(const uint8_t *data, size_t size, unsigned int round, unsigned int *seed)
{
	uint8_t *changed = malloc(size + GROWTH);
	size_t used = size;

	if (!changed)
		exit(1);
	memcpy(changed, data, size);
	if (LLVMFuzzerCustomMutator && round % 2)
		used = LLVMFuzzerCustomMutator(changed, size, size + GROWTH, round);
	else
		for (unsigned int i = 0; i <= round % 4; i++)
			mutate(changed, size, seed);
	run_copy(changed, used);
	free(changed);
}

static void run_file(const uint8_t *data, size_t size, unsigned int rounds)
{
	unsigned long reached = fuzz_reached;
	unsigned int seed = 1;

	mutate_seed = 1;
	run_copy(data, size);
	whole_reached += fuzz_reached > reached;
	for (size_t i = 0; i < CUTS; i++)
		run_copy(data, size / CUTS * i);
	for (unsigned int round = 0; round < rounds && size; round++)
		run_changed(data, size, round, &seed);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fputs("Usage: NAME ROUNDS FILE...\n", stderr);
		return 2;
	}
	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 2; i < argc; i++) {
		size_t size = 0;
		uint8_t *data = read_file(argv[i], &size);

		if (!data) {
			perror(argv[i]);
			return 1;
		}
		run_file(data, size, (unsigned int)atoi(argv[1]));
		free(data);
	}
	printf("%d inputs and what was made of them\n", argc - 2);
	if (!whole_reached)
		fputs("none of them gets to what the target tests\n", stderr);
	return !whole_reached;
}
