/* SPDX-License-Identifier: MIT */
/*
 * A fuzz target as a plain test: every file of a corpus as it is, cut short at several places, and
 * with bytes changed, always the same ones; every other time by the target's own mutator, if it has one. Each file of
 * DIRECTORY must get, as it is, to what the target tests; those in DIRECTORY/odd need not.
 *
 * Usage: NAME ROUNDS DIRECTORY
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "mutate.h"
#include "tests/unit/share.h"

#define CUTS 16u
#define GROWTH ((size_t)4096)

#pragma weak LLVMFuzzerCustomMutator
#pragma weak LLVMFuzzerInitialize

static unsigned int mutate_seed;

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

/* Return: did it get to what the target tests, as it is? */
static bool run_data(const uint8_t *data, size_t size, unsigned int rounds)
{
	unsigned long before = fuzz_reached;
	unsigned int seed = 1;
	bool reached;

	mutate_seed = 1;
	run_copy(data, size);
	reached = fuzz_reached > before;
	for (size_t i = 0; i < CUTS; i++)
		run_copy(data, size / CUTS * i);
	for (unsigned int round = 0; round < rounds && size; round++)
		run_changed(data, size, round, &seed);
	return reached;
}

static bool run_file(const char *path, unsigned int rounds)
{
	size_t size = 0;
	uint8_t *data = read_file(path, &size);
	bool reached;

	if (!data) {
		perror(path);
		exit(1);
	}
	reached = run_data(data, size, rounds);
	free(data);
	return reached;
}

static int is_input(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && strcmp(entry->d_name, "odd") != 0;
}

/* Return: how many files there are; @missed_ret: of them those that do not get to what the target tests. */
static int run_directory(const char *directory, unsigned int rounds, unsigned int *missed_ret)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, is_input, alphasort);
	char path[1024];

	*missed_ret = 0;
	if (count < 0) {
		perror(directory);
		exit(1);
	}
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, entries[i]->d_name);
		if (!run_file(path, rounds)) {
			printf("%s does not get to what the target tests\n", path);
			++*missed_ret;
		}
		free(entries[i]);
	}
	free(entries);
	return count;
}

int main(int argc, char **argv)
{
	unsigned int missed, odd_missed, rounds;
	char odd[1024];
	int count, odd_count;

	if (argc != 3) {
		fputs("Usage: NAME ROUNDS DIRECTORY\n", stderr);
		return 2;
	}
	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	rounds = (unsigned int)atoi(argv[1]) / (test_share_is_small() ? 4 : 1);
	count = run_directory(argv[2], rounds, &missed);
	snprintf(odd, sizeof(odd), "%s/odd", argv[2]);
	odd_count = run_directory(odd, rounds, &odd_missed);
	printf("%d inputs, %d odd ones, and what was made of them\n", count, odd_count);
	return !count || missed;
}
