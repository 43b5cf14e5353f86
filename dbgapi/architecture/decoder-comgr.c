/* SPDX-License-Identifier: MIT */
/* AMD's code object manager as a decoder: it is in every ROCm, where LLVM's own library may not be. */
#include "dbgapi/architecture/decoder.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dbgapi/finding/search.h"

/* Newest first: version 2 and later name a processor as a text. */
#ifndef WT_COMGR_NAMES
#define WT_COMGR_NAMES "libamd_comgr.so.4", "libamd_comgr.so.3", "libamd_comgr.so.2"
#endif

static const char *const names[] = {WT_COMGR_NAMES};

#define PLACES "libamd_comgr.so.4 to .2 where the loader and ROCm have it"

/*
 * Declarations of the library's header: a handle is a structure of one number, and statuses begin with 0 for success.
 */
struct info {
	uint64_t handle;
};

static struct {
	int (*create)(const char *isa, uint64_t (*read)(uint64_t, char *, uint64_t, void *),
		      void (*print)(const char *, void *), void (*annotate)(uint64_t, void *),
		      struct info *info);
	int (*destroy)(struct info info);
	int (*disassemble)(struct info info, uint64_t address, void *opaque, uint64_t *size);
} comgr;

/* The subject of the library's callbacks. */
struct request {
	uint64_t address;
	const char *bytes;
	size_t size;
	char *text;
	size_t text_size;
};

static uint64_t comgr_read_bytes(uint64_t from, char *to, uint64_t size, void *opaque)
{
	const struct request *request = opaque;
	uint64_t offset = from - request->address;

	if (offset >= request->size)
		return 0;
	if (size > request->size - offset)
		size = request->size - offset;
	memcpy(to, request->bytes + offset, size);
	return size;
}

static void print_text(const char *text, void *opaque)
{
	const struct request *request = opaque;

	snprintf(request->text, request->text_size, "%s", text);
}

static void annotate(uint64_t address, void *opaque)
{
	(void)address;
	(void)opaque;
}

static void *comgr_create(const char *processor)
{
	struct info *info = malloc(sizeof(*info));
	char isa[64];

	snprintf(isa, sizeof(isa), "amdgcn-amd-amdhsa--%s", processor);
	if (info && !comgr.create(isa, comgr_read_bytes, print_text, annotate, info))
		return info;
	free(info);
	return NULL;
}

static void comgr_destroy(void *context)
{
	comgr.destroy(*(struct info *)context);
	free(context);
}

static size_t comgr_decode(void *context, uint64_t address, const void *bytes, size_t size,
			   char *text, size_t text_size)
{
	struct request request = {address, bytes, size, text, text_size};
	uint64_t length = 0;

	*text = '\0';
	if (comgr.disassemble(*(struct info *)context, address, &request, &length) || !*text ||
	    length > size)
		return 0;
	return length;
}

static bool comgr_find_function(void *library, const char *name, void *function_ret)
{
	void *function = dlsym(library, name);

	memcpy(function_ret, &function, sizeof(function));
	return function;
}

static bool comgr_load(const char *name, struct wt_decoder *decoder_ret)
{
	void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);

	if (!library)
		return false;
	if (!comgr_find_function(library, "amd_comgr_create_disassembly_info", &comgr.create) ||
	    !comgr_find_function(library, "amd_comgr_destroy_disassembly_info", &comgr.destroy) ||
	    !comgr_find_function(library, "amd_comgr_disassemble_instruction",
				 &comgr.disassemble)) {
		dlclose(library);
		return false;
	}
	*decoder_ret = (struct wt_decoder){
		.create = comgr_create, .destroy = comgr_destroy, .decode = comgr_decode};
	snprintf(decoder_ret->name, sizeof(decoder_ret->name), "comgr (%s)", name);
	return true;
}

static bool comgr_load_found(const struct wt_search *search, struct wt_decoder *decoder_ret)
{
	for (size_t i = 0; i < search->count; i++)
		if (search->places[i].file.state == WT_LIBRARY_GOOD &&
		    comgr_load(search->places[i].path, decoder_ret))
			return true;
	return false;
}

static bool comgr_find(struct wt_decoder *decoder_ret)
{
	bool found = false;
	Dl_info self;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && names[i] && !found; i++) {
		struct wt_search search = wt_search_begin(names[i]);

		if (dladdr(&wt_decoder_comgr, &self)) {
			wt_search_add_loaded(&search, self.dli_fname);
			found = comgr_load_found(&search, decoder_ret);
		}
		wt_search_deinit(&search);
	}
	return found;
}

const struct wt_decoder_kind wt_decoder_comgr = {comgr_find, PLACES};
