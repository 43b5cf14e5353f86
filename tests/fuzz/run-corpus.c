/* SPDX-License-Identifier: MIT */
/*
 * A fuzz target as a plain test: every file of a corpus as it is, cut short at several places, and
 * with bytes changed, always the same ones.
 *
 * Usage: NAME ROUNDS FILE...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define CUTS 16u

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

static void run_file(const uint8_t *data, size_t size, unsigned int rounds)
{
	uint8_t *changed = malloc(size + 1);
	unsigned int seed = 1;

	if (!changed)
		exit(1);
	run_copy(data, size);
	for (size_t i = 0; i < CUTS; i++)
		run_copy(data, size / CUTS * i);
	for (unsigned int round = 0; round < rounds && size; round++) {
		memcpy(changed, data, size);
		for (unsigned int i = 0; i <= round % 4; i++)
			mutate(changed, size, &seed);
		run_copy(changed, size);
	}
	free(changed);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fputs("Usage: NAME ROUNDS FILE...\n", stderr);
		return 2;
	}
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
	return 0;
}
