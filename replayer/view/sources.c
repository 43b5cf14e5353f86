/* SPDX-License-Identifier: MIT */
#include "replayer/view/sources.h"

#include <md5.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/code/checksum.h"

/* Files that are read in one place: names are the caller's, so there may be many. */
#define FILE_LIMIT ((size_t)16 << 20)

struct file {
	struct wt_source_file file;
	char *name;
	struct wt_buffer text;
	size_t *starts;
	uint8_t md5[WT_MD5_SIZE];
	bool has_md5; /* it was asked for */
	struct wt_tokens tokens;
	bool has_tokens; /* the same of them */
};

struct wt_sources {
	struct wt_source_maps maps;
	char *texts[WT_SOURCE_MAPS]; /* of the maps */
	struct file **files;	     /* kept ones first */
	size_t count, kept;
};

static void file_destroy(struct file *file)
{
	if (!file)
		return;
	free(file->name);
	free(file->starts);
	wt_tokens_deinit(&file->tokens);
	wt_buffer_deinit(&file->text);
	free(file);
}

void wt_sources_destroy(struct wt_sources *sources)
{
	if (!sources)
		return;
	for (size_t i = 0; i < sources->count; i++)
		file_destroy(sources->files[i]);
	free(sources->files);
	for (size_t i = 0; i < WT_SOURCE_MAPS; i++)
		free(sources->texts[i]);
	free(sources);
}

/* An empty rest behind the last line end is no line. */
static bool find_lines(struct file *file)
{
	const uint8_t *data = file->text.data;
	size_t size = file->file.size, count = 0;

	for (size_t i = 0; i < size; i++)
		count += data[i] == '\n';
	file->starts = calloc(count + 1, sizeof(*file->starts));
	if (!file->starts)
		return false;
	count = 0;
	for (size_t start = 0; start < size; count++) {
		const uint8_t *end = memchr(data + start, '\n', size - start);

		file->starts[count] = start;
		start = end ? (size_t)(end - data) + 1 : size;
	}
	file->file.starts = file->starts;
	file->file.lines = count;
	return true;
}

/* @text: taken over, also on failure. */
static struct wt_error *sources_add(struct wt_sources *sources, const char *name,
				    struct wt_buffer *text, bool recorded)
{
	struct file **grown =
		reallocarray(sources->files, sources->count + 1, sizeof(*sources->files));
	struct file *file = calloc(1, sizeof(*file));

	if (grown)
		sources->files = grown;
	if (!grown || !file) {
		free(file);
		wt_buffer_deinit(text);
		return &wt_error_no_memory;
	}
	file->text = *text;
	*text = (struct wt_buffer){0};
	file->name = strdup(name);
	file->file = (struct wt_source_file){
		.name = file->name, .size = file->text.size, .recorded = recorded};
	wt_buffer_append(&file->text, "", 1);
	if (!file->name || file->text.failed || !find_lines(file)) {
		file_destroy(file);
		return &wt_error_no_memory;
	}
	file->file.data = file->text.data;
	sources->files[sources->count++] = file;
	return NULL;
}

static struct wt_error *add_kept(struct wt_sources *sources, struct wt_reader *reader)
{
	struct wt_state *facts;
	struct wt_error *error = wt_reader_facts(reader, &facts);

	if (error)
		return error;
	for (size_t i = 0; !error && i < wt_state_count(facts); i++) {
		const struct wt_item *item = wt_state_at(facts, i);
		struct wt_buffer text = {0};
		const char *name;

		if (item->key.type != WT_ITEM_SOURCE || !item->bytes)
			continue;
		name = wt_reader_name(reader, item->key.kind);
		if (!name)
			continue;
		wt_buffer_append(&text, item->bytes->data, item->bytes->size);
		error = sources_add(sources, name, &text, true);
	}
	wt_state_destroy(facts);
	sources->kept = sources->count;
	return error;
}

static struct wt_error *add_maps(struct wt_sources *sources, const char *const *maps)
{
	for (; maps && *maps; maps++) {
		size_t count = sources->maps.count;

		if (count == WT_SOURCE_MAPS)
			return wt_error_create(WT_ERROR_USAGE, "cannot map source files", NULL,
					       "there are more than %u maps", WT_SOURCE_MAPS);
		sources->texts[count] = strdup(*maps);
		if (!sources->texts[count])
			return &wt_error_no_memory;
		if (!wt_source_maps_add(&sources->maps, sources->texts[count]))
			return wt_error_create(WT_ERROR_USAGE, "cannot map source files", *maps,
					       "not FROM=TO");
	}
	return NULL;
}

static struct wt_error *create(struct wt_reader *reader, const char *const *texts,
			       const struct wt_source_maps *maps, struct wt_sources **sources_ret)
{
	struct wt_sources *sources = calloc(1, sizeof(*sources));
	struct wt_error *error;

	if (!sources)
		return &wt_error_no_memory;
	if (maps)
		sources->maps = *maps;
	error = add_maps(sources, texts);
	if (!error)
		error = add_kept(sources, reader);
	if (error)
		wt_sources_destroy(sources);
	else
		*sources_ret = sources;
	return error;
}

struct wt_error *wt_sources_create(struct wt_reader *reader, const char *const *maps,
				   struct wt_sources **sources_ret)
{
	return create(reader, maps, NULL, sources_ret);
}

struct wt_error *wt_sources_create_mapped(struct wt_reader *reader,
					  const struct wt_source_maps *maps,
					  struct wt_sources **sources_ret)
{
	return create(reader, NULL, maps, sources_ret);
}

size_t wt_sources_count(const struct wt_sources *sources)
{
	return sources->kept;
}

const struct wt_source_file *wt_sources_at(const struct wt_sources *sources, size_t index)
{
	return &sources->files[index]->file;
}

static struct wt_error *sources_find(struct wt_sources *sources, const char *name,
				     struct file **file_ret)
{
	struct wt_buffer text = {0};
	struct wt_error *error;

	*file_ret = NULL;
	for (size_t i = 0; i < sources->count; i++)
		if (!strcmp(sources->files[i]->name, name)) {
			*file_ret = sources->files[i];
			return NULL;
		}
	error = wt_source_read(&sources->maps, name, FILE_LIMIT, &text);
	if (error || !text.size) {
		wt_buffer_deinit(&text);
		return error;
	}
	error = sources_add(sources, name, &text, false);
	if (!error)
		*file_ret = sources->files[sources->count - 1];
	return error;
}

struct wt_error *wt_sources_find(struct wt_sources *sources, const char *name,
				 const struct wt_source_file **file_ret)
{
	struct file *file;
	struct wt_error *error = sources_find(sources, name, &file);

	*file_ret = file ? &file->file : NULL;
	return error;
}

static const uint8_t *sum(struct file *file)
{
	MD5_CTX context;

	if (!file->has_md5) {
		MD5Init(&context);
		MD5Update(&context, file->file.data, file->file.size);
		MD5Final(file->md5, &context);
		file->has_md5 = true;
	}
	return file->md5;
}

struct wt_error *wt_sources_check(struct wt_sources *sources, const struct wavetape_place *place,
				  enum wt_source_match *match_ret)
{
	struct wt_error *error;
	struct file *file;

	*match_ret = WT_SOURCE_NOT_KNOWN;
	if (!place->file || !place->md5)
		return NULL;
	error = sources_find(sources, place->file, &file);
	if (error || !file)
		return error;
	*match_ret =
		memcmp(sum(file), place->md5, WT_MD5_SIZE) ? WT_SOURCE_DIFFERS : WT_SOURCE_SAME;
	return NULL;
}

const struct wt_tokens *wt_sources_tokens(struct wt_sources *sources, const char *name,
					  const uint8_t *md5)
{
	struct wt_error *error;
	struct file *file;

	error = sources_find(sources, name, &file);
	if (error || !file || memcmp(sum(file), md5, WT_MD5_SIZE) != 0) {
		wt_error_destroy(error);
		return NULL;
	}
	if (!file->has_tokens) {
		error = wt_tokens_init(&file->tokens, (const char *)file->file.data,
				       file->file.size);
		file->tokens.is_odd |= error != NULL;
		file->has_tokens = true;
		wt_error_destroy(error);
	}
	return &file->tokens;
}

size_t wt_source_line(const struct wt_source_file *file, uint32_t line, const char **text_ret)
{
	size_t start, end;

	*text_ret = NULL;
	if (!line || line > file->lines)
		return 0;
	start = file->starts[line - 1];
	end = line < file->lines ? file->starts[line] : file->size;
	*text_ret = (const char *)file->data + start;
	if (end > start && file->data[end - 1] == '\n')
		end--;
	if (end > start && file->data[end - 1] == '\r')
		end--;
	return end - start;
}
