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

/** Two sums of all that an answer depends on. */
struct key {
	uint64_t sums[2];
};

/** Behind the sums of all that follows, what is kept, one behind the other: this, the name, the bytes. */
struct kept_head {
	uint64_t kind, name_size, size;
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
	for (int i = AMD_COMGR_DATA_KIND_UNDEF + 1; i <= AMD_COMGR_DATA_KIND_LAST; i++) {
		const amd_comgr_data_kind_t kind = (amd_comgr_data_kind_t)i;
		size_t count;

		if (amd_comgr_action_data_count(set, kind, &count))
			return false;
		for (size_t j = 0; j < count; j++) {
			struct content content = {.bytes = NULL};
			bool goes_on =
				content_read(set, kind, j, &content) && visit(&content, opaque);

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

/** The sums with which a file begins, of the bytes behind them. */
static struct key bytes_key(const char *bytes, size_t size)
{
	struct key key = {{1, 2}};

	key_add(&key, bytes, size);
	return key;
}

static bool file_write(const char *name, const char *bytes, size_t size)
{
	const struct key key = bytes_key(bytes, size);
	char other[] = WT_KEPT "/XXXXXX";
	bool is_written;
	FILE *file;
	int fd;

	mkdir(WT_KEPT, 0777);
	fd = mkostemp(other, O_CLOEXEC);
	if (fd < 0)
		return false;
	file = fdopen(fd, "w");
	if (!file) {
		close(fd);
		unlink(other);
		return false;
	}
	is_written =
		fwrite(&key, sizeof(key), 1, file) == 1 && fwrite(bytes, 1, size, file) == size;
	/* Whole or not at all: programs that run beside this one read it. */
	if (fclose(file) || !is_written || rename(other, name)) {
		unlink(other);
		return false;
	}
	return true;
}

static void results_keep(amd_comgr_data_set_t result, const char *name)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&bytes, &size);
	bool is_whole;

	if (!file)
		return;
	is_whole = each_content(result, content_write, file);
	if (!fclose(file) && is_whole)
		file_write(name, bytes, size);
	free(bytes);
}

/** All that a file has behind its sums, for the caller to free; NULL if there is no such file, or it is not as it was written. */
static char *file_read(const char *name, size_t *size_ret)
{
	FILE *file = fopen(name, "re");
	char *bytes = NULL;
	struct stat status;
	struct key key, there;
	bool is_whole = false;

	if (!file)
		return NULL;
	if (!fstat(fileno(file), &status) && (size_t)status.st_size >= sizeof(key)) {
		*size_ret = (size_t)status.st_size - sizeof(key);
		bytes = malloc(*size_ret + 1);
		is_whole = bytes && fread(&key, sizeof(key), 1, file) == 1 &&
			   fread(bytes, 1, *size_ret, file) == *size_ret;
	}
	fclose(file);
	if (is_whole) {
		there = bytes_key(bytes, *size_ret);
		is_whole = !memcmp(&there, &key, sizeof(key));
	}
	if (is_whole)
		return bytes;
	free(bytes);
	return NULL;
}

/** Puts one of what is kept into a set. Return: what follows it; NULL if it cannot be put there. */
static const char *result_add(const char *at, amd_comgr_data_set_t result)
{
	struct kept_head head;
	amd_comgr_data_t data;
	const char *name = at + sizeof(head), *bytes;
	bool is_added;

	memcpy(&head, at, sizeof(head));
	bytes = name + head.name_size;
	if (amd_comgr_create_data((amd_comgr_data_kind_t)head.kind, &data))
		return NULL;
	is_added = !amd_comgr_set_data(data, head.size, bytes) &&
		   !amd_comgr_set_data_name(data, name) && !amd_comgr_data_set_add(result, data);
	amd_comgr_release_data(data);
	return is_added ? bytes + head.size : NULL;
}

static amd_comgr_status_t results_take(amd_comgr_data_set_t result, const char *bytes, size_t size)
{
	const char *at = bytes;

	while (at && at < bytes + size)
		at = result_add(at, result);
	return at ? AMD_COMGR_STATUS_SUCCESS : AMD_COMGR_STATUS_ERROR;
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
	size_t size;
	char *kept = is_known ? file_read(name, &size) : NULL;
	amd_comgr_status_t status;

	if (kept) {
		status = results_take(result, kept, size);
		free(kept);
		return status;
	}
	if (!real)
		real = (__typeof__(real))dlsym(RTLD_NEXT, "amd_comgr_do_action");
	status = real(kind, info, input, result);
	if (is_known && !status)
		results_keep(result, name);
	return status;
}
