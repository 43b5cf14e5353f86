/* SPDX-License-Identifier: MIT */
/*
 * In place of libamd_comgr.so.2 where HIP programs run as tests: what the real one makes is kept in a directory (WT_KEPT), and not made
 * again. A HIP runtime compiles the same kernels, with which it copies and fills memory, whenever a program first launches something: two
 * thirds of all processor time of a short program. Every function but one is the real library's, which this one needs by its path.
 */
#include <amd_comgr.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PRIME 1099511628211U
#define MAX_TEXT 4096

/** What is kept, one behind the other: this, the name, the bytes. */
struct kept_head {
	uint64_t kind, name_size, size;
};

static const amd_comgr_data_kind_t kinds[] = {
	AMD_COMGR_DATA_KIND_SOURCE,	 AMD_COMGR_DATA_KIND_INCLUDE,
	AMD_COMGR_DATA_KIND_DIAGNOSTIC,	 AMD_COMGR_DATA_KIND_LOG,
	AMD_COMGR_DATA_KIND_BC,		 AMD_COMGR_DATA_KIND_PRECOMPILED_HEADER,
	AMD_COMGR_DATA_KIND_RELOCATABLE, AMD_COMGR_DATA_KIND_EXECUTABLE,
	AMD_COMGR_DATA_KIND_BYTES,	 AMD_COMGR_DATA_KIND_FATBIN,
};

/** Two sums of all that an answer depends on. */
struct key {
	uint64_t sums[2];
};

static void key_add(struct key *key, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	uint64_t word = size;

	for (size_t i = 0;; i += sizeof(word)) {
		key->sums[0] = (key->sums[0] ^ word) * PRIME;
		key->sums[1] = (key->sums[1] + word) * UINT64_C(0x9e3779b97f4a7c15);
		key->sums[0] ^= key->sums[0] >> 32;
		key->sums[1] ^= key->sums[1] >> 29;
		if (i >= size)
			return;
		word = 0;
		memcpy(&word, at + i, size - i < sizeof(word) ? size - i : sizeof(word));
	}
}

/** One thing in a set; its bytes are the caller's to free. */
struct content {
	struct kept_head head;
	char name[MAX_TEXT];
	char *bytes;
};

static bool content_read(amd_comgr_data_set_t set, amd_comgr_data_kind_t kind, size_t index,
			 struct content *content)
{
	amd_comgr_data_t data;
	size_t size = 0, name_size = MAX_TEXT;
	bool is_read;

	if (amd_comgr_action_data_get_data(set, kind, index, &data))
		return false;
	is_read = !amd_comgr_get_data(data, &size, NULL) &&
		  !amd_comgr_get_data_name(data, &name_size, NULL) && name_size <= MAX_TEXT &&
		  (content->bytes = malloc(size + 1)) &&
		  !amd_comgr_get_data(data, &size, content->bytes) &&
		  !amd_comgr_get_data_name(data, &name_size, content->name);
	content->head = (struct kept_head){(uint64_t)kind, name_size, size};
	amd_comgr_release_data(data);
	return is_read;
}

/** Call for each thing in a set; false if one cannot be read. */
static bool each_content(amd_comgr_data_set_t set,
			 bool (*visit)(const struct content *content, void *opaque), void *opaque)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t count;

		if (amd_comgr_action_data_count(set, kinds[i], &count))
			return false;
		for (size_t j = 0; j < count; j++) {
			struct content content = {.bytes = NULL};
			bool goes_on =
				content_read(set, kinds[i], j, &content) && visit(&content, opaque);

			free(content.bytes);
			if (!goes_on)
				return false;
		}
	}
	return true;
}

static bool content_count(const struct content *content, void *opaque)
{
	key_add(opaque, &content->head, sizeof(content->head));
	key_add(opaque, content->name, content->head.name_size);
	key_add(opaque, content->bytes, content->head.size);
	return true;
}

static bool content_write(const struct content *content, void *opaque)
{
	FILE *file = opaque;

	/* Nothing cannot be put into a set: the log where nobody asked for one. */
	if (!content->head.size)
		return true;
	return fwrite(&content->head, sizeof(content->head), 1, file) == 1 &&
	       fwrite(content->name, 1, content->head.name_size, file) == content->head.name_size &&
	       fwrite(content->bytes, 1, content->head.size, file) == content->head.size;
}

static bool info_count(amd_comgr_action_info_t info, struct key *key)
{
	amd_comgr_language_t language;
	char text[MAX_TEXT];
	size_t size = sizeof(text), count;

	if (amd_comgr_action_info_get_isa_name(info, &size, NULL) || size > sizeof(text) ||
	    amd_comgr_action_info_get_isa_name(info, &size, text) ||
	    amd_comgr_action_info_get_language(info, &language) ||
	    amd_comgr_action_info_get_option_list_count(info, &count))
		return false;
	key_add(key, text, size);
	key_add(key, &language, sizeof(language));
	for (size_t i = 0; i < count; i++) {
		if (amd_comgr_action_info_get_option_list_item(info, i, &size, NULL) ||
		    size > sizeof(text) ||
		    amd_comgr_action_info_get_option_list_item(info, i, &size, text))
			return false;
		key_add(key, text, size);
	}
	return true;
}

/** The name of the file for an action; false if what it depends on is not known. */
static bool action_name(amd_comgr_action_kind_t kind, amd_comgr_action_info_t info,
			amd_comgr_data_set_t input, char *name, size_t size)
{
	struct stat library;
	struct key key = {{1, 2}};

	if (stat(WT_COMGR, &library))
		return false;
	key_add(&key, &library.st_mtim, sizeof(library.st_mtim));
	key_add(&key, &kind, sizeof(kind));
	if (!info_count(info, &key) || !each_content(input, content_count, &key))
		return false;
	snprintf(name, size, WT_KEPT "/%016llx%016llx.comgr", (unsigned long long)key.sums[0],
		 (unsigned long long)key.sums[1]);
	return true;
}

static void results_keep(amd_comgr_data_set_t result, const char *name)
{
	char other[MAX_TEXT];
	FILE *file;
	int fd;

	snprintf(other, sizeof(other), WT_KEPT "/XXXXXX");
	mkdir(WT_KEPT, 0777);
	fd = mkostemp(other, O_CLOEXEC);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file)
		return;
	/* Whole or not at all: programs that run beside this one read it. */
	if (each_content(result, content_write, file) + !fclose(file) < 2 || rename(other, name))
		unlink(other);
}

/** Puts what the next head says is there into a set. */
static bool result_add(FILE *file, const struct kept_head *head, amd_comgr_data_set_t result)
{
	char name[MAX_TEXT], *bytes = malloc(head->size + 1);
	amd_comgr_data_t data;
	bool is_added = false;

	if (bytes && head->name_size <= MAX_TEXT &&
	    fread(name, 1, head->name_size, file) == head->name_size &&
	    fread(bytes, 1, head->size, file) == head->size &&
	    !amd_comgr_create_data((amd_comgr_data_kind_t)head->kind, &data)) {
		is_added = !amd_comgr_set_data(data, head->size, bytes) &&
			   !amd_comgr_set_data_name(data, name) &&
			   !amd_comgr_data_set_add(result, data);
		amd_comgr_release_data(data);
	}
	free(bytes);
	return is_added;
}

static amd_comgr_status_t results_take(amd_comgr_data_set_t result, FILE *file)
{
	struct kept_head head;
	bool is_taken = true;

	while (is_taken && fread(&head, sizeof(head), 1, file) == 1)
		is_taken = result_add(file, &head, result);
	fclose(file);
	return is_taken ? AMD_COMGR_STATUS_SUCCESS : AMD_COMGR_STATUS_ERROR;
}

__attribute__((visibility("default"))) amd_comgr_status_t
amd_comgr_do_action(amd_comgr_action_kind_t kind, amd_comgr_action_info_t info,
		    amd_comgr_data_set_t input, amd_comgr_data_set_t result)
{
	static __typeof__(amd_comgr_do_action) *real;
	char name[MAX_TEXT];
	/* These two do but read files. */
	bool is_known = kind != AMD_COMGR_ACTION_ADD_PRECOMPILED_HEADERS &&
			kind != AMD_COMGR_ACTION_ADD_DEVICE_LIBRARIES &&
			action_name(kind, info, input, name, sizeof(name));
	FILE *file = is_known ? fopen(name, "re") : NULL;
	amd_comgr_status_t status;

	if (file)
		return results_take(result, file);
	if (!real)
		real = (__typeof__(real))dlsym(RTLD_NEXT, "amd_comgr_do_action");
	status = real(kind, info, input, result);
	if (is_known && !status)
		results_keep(result, name);
	return status;
}
