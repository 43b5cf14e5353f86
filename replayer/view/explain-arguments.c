/* SPDX-License-Identifier: MIT */
#include "replayer/view/explain-arguments.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "device/code-object/elf.h"
#include "device/code-object/metadata.h"
#include "replayer/view/explain.h"

/* The place in its code object where a dispatch's kernel begins. */
struct kernel_place {
	uint64_t code_object, elf_address;
};

static bool kernel_place_find(struct wt_explainer *explainer, uint64_t dispatch,
			      struct kernel_place *place_ret)
{
	struct wt_view *view = wt_explainer_view(explainer);
	uint64_t entry, load_address;

	if (!wt_view_number(view, WT_OBJECT_DISPATCH, dispatch,
			    AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS, &entry))
		return false;
	place_ret->code_object = wt_view_code_object_at(view, entry, &load_address);
	place_ret->elf_address = entry - load_address;
	return place_ret->code_object;
}

static const struct wt_kernel_metadata *metadata_kernel(const struct wt_metadata *metadata,
							const char *name)
{
	for (size_t i = 0; i < metadata->kernel_count; i++)
		if (!strcmp(metadata->kernels[i].name, name))
			return &metadata->kernels[i];
	return NULL;
}

/* The kernel of the metadata that begins at an address of the file, whatever the names are that it has there. */
static const struct wt_kernel_metadata *
choose_kernel(const struct wt_metadata *metadata, struct wt_source *source, uint64_t elf_address)
{
	const struct wt_kernel_metadata *kernel = NULL;
	struct wt_source_symbol symbol;
	size_t position = 0;

	while (source && !kernel && wt_source_symbol_next(source, &position, &symbol))
		if (symbol.kind == WT_SYMBOL_FUNCTION && symbol.address == elf_address)
			kernel = metadata_kernel(metadata, symbol.name);
	return kernel;
}

void wt_explain_argument_read(struct wt_view *view, uint64_t address,
			      struct wt_explain_argument *argument)
{
	size_t size = argument->size < sizeof(uint64_t) ? argument->size : sizeof(uint64_t);
	uint8_t bytes[sizeof(uint64_t)] = {0};

	if (!address || !size || address + argument->offset < address ||
	    wt_view_memory(view, "global", 0, 0, address + argument->offset, bytes, size) != size)
		return;
	argument->known = true;
	for (size_t i = 0; i < size; i++)
		argument->value |= (uint64_t)bytes[i] << 8 * i;
}

/* AMD's compiler marks what it passes as another type than the source has. */
static char *source_name(const char *name)
{
	static const char mark[] = ".coerce";
	size_t length = strlen(name), end = sizeof(mark) - 1;

	return length > end && !strcmp(name + length - end, mark) ? strndup(name, length - end)
								  : strdup(name);
}

static struct wt_error *copy_arguments(struct wt_view *view,
				       const struct wt_kernel_metadata *kernel,
				       struct wt_explain_arguments *arguments)
{
	arguments->list = calloc(kernel->argument_count + 1, sizeof(*arguments->list));
	if (!arguments->list)
		return &wt_error_no_memory;
	for (size_t i = 0; i < kernel->argument_count; i++) {
		const struct wt_kernel_argument *from = &kernel->arguments[i];
		struct wt_explain_argument *to = &arguments->list[arguments->count++];

		to->name = from->name && *from->name ? source_name(from->name) : NULL;
		to->kind = strdup(from->kind);
		if (!to->kind || (from->name && *from->name && !to->name))
			return &wt_error_no_memory;
		to->offset = from->offset;
		to->size = from->size;
		to->hidden = !wt_kernel_argument_explicit(from);
		to->pointer = from->value == WT_VALUE_GLOBAL_BUFFER;
		wt_explain_argument_read(view, arguments->address, to);
	}
	return NULL;
}

/* Parts of a code object that cannot be read are left out: only lack of memory is an error. */
static struct wt_error *without_input_errors(struct wt_error *error)
{
	if (!error || error->code == WT_ERROR_MEMORY)
		return error;
	wt_error_destroy(error);
	return NULL;
}

/* The kernel may be in this note or in another. */
static struct wt_error *note_take_arguments(struct wt_view *view, const uint8_t *note, size_t size,
					    struct wt_source *source, uint64_t elf_address,
					    struct wt_explain_arguments *arguments)
{
	const struct wt_kernel_metadata *kernel;
	struct wt_metadata metadata = {0};
	struct wt_error *error = wt_metadata_parse(note, size, &metadata);

	if (error)
		return error;
	kernel = choose_kernel(&metadata, source, elf_address);
	if (kernel)
		error = copy_arguments(view, kernel, arguments);
	wt_metadata_deinit(&metadata);
	return error;
}

static struct wt_error *notes_take_arguments(struct wt_view *view, const uint8_t *image,
					     size_t size, struct wt_source *source,
					     uint64_t elf_address,
					     struct wt_explain_arguments *arguments)
{
	struct wt_elf_place place = {0};
	struct wt_error *error;
	const uint8_t *note;
	size_t note_size;
	struct wt_elf elf;

	error = wt_elf_open(image, size, &elf);
	if (error)
		return error;
	/* The list is there, and may be empty, once the kernel has been found. */
	while (!error && !arguments->list && wt_elf_next_metadata(&elf, &place, &note, &note_size))
		error = note_take_arguments(view, note, note_size, source, elf_address, arguments);
	wt_elf_close(&elf);
	return error;
}

struct wt_error *wt_explain_arguments(struct wt_explainer *explainer, uint64_t dispatch,
				      struct wt_explain_arguments *arguments_ret)
{
	struct wt_view *view = wt_explainer_view(explainer);
	struct wt_explain_arguments arguments = {
		.address = wt_view_number_or(
			view, WT_OBJECT_DISPATCH, dispatch,
			AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS, 0)};
	struct kernel_place place;
	struct wt_source *source;
	struct wt_error *error;
	const uint8_t *image;
	size_t size;

	*arguments_ret = arguments;
	if (!kernel_place_find(explainer, dispatch, &place) ||
	    !wt_view_image(view, place.code_object, &image, &size))
		return NULL;
	error = wt_explainer_source(explainer, place.code_object, &source);
	if (error)
		return error;
	error = without_input_errors(
		notes_take_arguments(view, image, size, source, place.elf_address, &arguments));
	if (!error)
		error = wt_explain_parameters(view, source, place.elf_address, &arguments);
	if (error) {
		wt_explain_arguments_deinit(&arguments);
		return error;
	}
	*arguments_ret = arguments;
	return NULL;
}

static void free_all(struct wt_explain_argument *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(list[i].name);
		free(list[i].label);
		free(list[i].kind);
		free(list[i].type);
		free(list[i].text);
		free(list[i].memory);
	}
	free(list);
}

void wt_explain_arguments_deinit(struct wt_explain_arguments *arguments)
{
	free_all(arguments->list, arguments->count);
	free_all(arguments->parts, arguments->part_count);
	arguments->list = arguments->parts = NULL;
	arguments->count = arguments->part_count = 0;
}
