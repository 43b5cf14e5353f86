/* SPDX-License-Identifier: MIT */
/* LLVM as a decoder. Of its C API six functions are used, which have been the same since LLVM 7. */
#include "dbgapi/architecture/decoder.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "dbgapi/finding/search.h"

/* Versions that are looked for. What an architecture says of LLVM holds from the first one on; the last one is some years away. */
#ifndef WT_LLVM_OLDEST
#define WT_LLVM_OLDEST 14
#endif
#ifndef WT_LLVM_NEWEST
#define WT_LLVM_NEWEST 40
#endif

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number

#define PLACES                                                                                     \
	"libLLVM.so.N, libLLVM-N.so and others of versions " TEXT(WT_LLVM_OLDEST) " to " TEXT(     \
		WT_LLVM_NEWEST) " where the loader, LLVM and ROCm have them"

typedef void (*initializer)(void);

static struct {
	void *(*create)(const char *triple, const char *processor, void *opaque, int tag,
			void (*operand)(void), void (*symbol)(void));
	size_t (*decode)(void *context, uint8_t *bytes, uint64_t size, uint64_t address, char *text,
			 size_t text_size);
	void (*dispose)(void *context);
} llvm;

static bool llvm_find_function(void *library, const char *name, void *function_ret)
{
	void *function = dlsym(library, name);

	memcpy(function_ret, &function, sizeof(function));
	return function;
}

/* All of it must be there: some builds have no AMD GPUs. */
static bool take_functions(void *library)
{
	static const char *const initializers[] = {"LLVMInitializeAMDGPUTargetInfo",
						   "LLVMInitializeAMDGPUTargetMC",
						   "LLVMInitializeAMDGPUDisassembler"};
	initializer initialize[3];

	for (size_t i = 0; i < 3; i++)
		if (!llvm_find_function(library, initializers[i], &initialize[i]))
			return false;
	if (!llvm_find_function(library, "LLVMCreateDisasmCPU", &llvm.create) ||
	    !llvm_find_function(library, "LLVMDisasmInstruction", &llvm.decode) ||
	    !llvm_find_function(library, "LLVMDisasmDispose", &llvm.dispose))
		return false;
	for (size_t i = 0; i < 3; i++)
		initialize[i]();
	return true;
}

/* The version as the library has it; older ones do not tell, and have it in their names. */
static unsigned int version_of(void *library, unsigned int named)
{
	void (*get)(unsigned int *major, unsigned int *minor, unsigned int *patch);
	unsigned int version = named;

	if (llvm_find_function(library, "LLVMGetVersion", &get))
		get(&version, NULL, NULL);
	return version;
}

static void *llvm_create(const char *processor)
{
	/*
	 * No callbacks: for this target LLVM takes the first argument after the processor for a
	 * symbol table of its own, and asks no callback about branch targets.
	 */
	return llvm.create("amdgcn-amd-amdhsa", processor, NULL, 0, NULL, NULL);
}

static size_t llvm_decode(void *context, uint64_t address, const void *bytes, size_t size,
			  char *text, size_t text_size)
{
	/* LLVM takes the bytes as not const, but reads them only. */
	return llvm.decode(context, (uint8_t *)(uintptr_t)bytes, size, address, text, text_size);
}

static void llvm_destroy(void *context)
{
	llvm.dispose(context);
}

/* @library: an open one; it stays open if it serves. */
static bool llvm_take(void *library, const char *name, unsigned int named,
		      struct wt_decoder *decoder_ret)
{
	unsigned int version = version_of(library, named);

	if (!version || !take_functions(library))
		return false;
	*decoder_ret = (struct wt_decoder){.version = version,
					   .create = llvm_create,
					   .destroy = llvm_destroy,
					   .decode = llvm_decode};
	snprintf(decoder_ret->name, sizeof(decoder_ret->name), "LLVM %u (%s)", version, name);
	return true;
}

/* Not for others to see: a client may have an LLVM of its own. */
static bool llvm_load(const char *name, unsigned int version, struct wt_decoder *decoder_ret)
{
	void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);

	if (!library)
		return false;
	if (llvm_take(library, name, version, decoder_ret))
		return true;
	dlclose(library);
	return false;
}

/* Names that LLVM gives its library: since 18, and before. AMD's and other builds of unreleased ones have a word behind the version. 0: none. */
static unsigned int llvm_version_named(const char *path)
{
	const char *name = wt_text_file_name(path);
	unsigned int version = 0;

	if (sscanf(name, "libLLVM.so.%u", &version) != 1 &&
	    sscanf(name, "libLLVM-%u", &version) != 1)
		return 0;
	return version;
}

/*
 * One that the program has for all to see would give its functions to a second one that is loaded beside it, where these have no
 * symbol versions: so it is that one, if it can.
 */
static bool take_open(struct wt_decoder *decoder_ret)
{
	void *function = dlsym(RTLD_DEFAULT, "LLVMCreateDisasmCPU"), *library;
	Dl_info info;

	if (!function || !dladdr(function, &info) || !info.dli_fname)
		return false;
	library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
	return library &&
	       llvm_take(library, info.dli_fname, llvm_version_named(info.dli_fname), decoder_ret);
}

/* The newest comes first; of one version that which is found first. */
static bool llvm_load_found(const struct wt_search *search, struct wt_decoder *decoder_ret)
{
	for (unsigned int version = WT_LLVM_NEWEST; version >= WT_LLVM_OLDEST; version--)
		for (size_t i = 0; i < search->count; i++) {
			const struct wt_search_place *place = &search->places[i];

			if (place->file.state == WT_LIBRARY_GOOD &&
			    llvm_version_named(place->path) == version &&
			    llvm_load(place->path, version, decoder_ret))
				return true;
		}
	return false;
}

static bool llvm_find(struct wt_decoder *decoder_ret)
{
	struct wt_search search = wt_search_begin(WT_SEARCH_LLVM);
	Dl_info self;
	bool found = take_open(decoder_ret);

	if (!found && dladdr(&wt_decoder_llvm, &self)) {
		wt_search_add_loaded(&search, self.dli_fname);
		found = llvm_load_found(&search, decoder_ret);
	}
	wt_search_deinit(&search);
	return found;
}

const struct wt_decoder_kind wt_decoder_llvm = {llvm_find, PLACES};
