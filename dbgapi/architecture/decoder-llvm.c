/* SPDX-License-Identifier: MIT */
/* LLVM as a decoder. Of its C API six functions are used, which have been the same since LLVM 7. */
#include "dbgapi/architecture/decoder.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Versions that are looked for. What an architecture says of LLVM holds from the first one on; the last one is some years away. */
#ifndef WT_LLVM_OLDEST
#define WT_LLVM_OLDEST 14
#endif
#ifndef WT_LLVM_NEWEST
#define WT_LLVM_NEWEST 40
#endif

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number

/* Names that LLVM gives its library: since 18, before, and those of AMD's and other builds of unreleased ones. */
static const char *const names[] = {"libLLVM.so.%u.1", "libLLVM-%u.so.1", "libLLVM-%u.so",
				    "libLLVM.so.%u.0git", "libLLVM-%ugit.so"};

/* Some distributions keep a version's library outside the loader's search path, and so does ROCm. */
static const char *const directories[] = {"/usr/lib/llvm-%u/lib",    "/usr/lib/llvm%u/lib",
					  "/usr/lib64/llvm%u/lib64", "/opt/rocm/llvm/lib",
					  "/opt/rocm/lib/llvm/lib",  "/opt/rocm/core/lib/llvm/lib",
					  "/opt/rocm/core/llvm/lib"};

const char wt_decoder_llvm_places[] =
	"libLLVM.so.N.1, libLLVM-N.so.1, libLLVM-N.so and libLLVM.so.N.0git of versions " TEXT(
		WT_LLVM_OLDEST) " to " TEXT(WT_LLVM_NEWEST) " in the loader's search path, in "
							    "/usr/lib/llvm-N/lib and in LLVM's "
							    "folder of /opt/rocm";

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
	void *library =
		*name == '/' && access(name, R_OK) ? NULL : dlopen(name, RTLD_LAZY | RTLD_LOCAL);

	if (!library)
		return false;
	if (llvm_take(library, name, version, decoder_ret))
		return true;
	dlclose(library);
	return false;
}

/*
 * One that the program has for all to see would give its functions to a second one that is loaded beside it, where these have no
 * symbol versions: so it is that one, if it can.
 */
static bool take_open(struct wt_decoder *decoder_ret)
{
	void *function = dlsym(RTLD_DEFAULT, "LLVMCreateDisasmCPU"), *library;
	unsigned int named = 0;
	const char *slash, *name;
	Dl_info info;

	if (!function || !dladdr(function, &info) || !info.dli_fname)
		return false;
	slash = strrchr(info.dli_fname, '/');
	name = slash ? slash + 1 : info.dli_fname;
	if (sscanf(name, "libLLVM.so.%u", &named) != 1 && sscanf(name, "libLLVM-%u", &named) != 1)
		named = 0;
	library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
	return library && llvm_take(library, info.dli_fname, named, decoder_ret);
}

/* A name with the version in it, which is there once or not at all. */
static void print_name(char *text, size_t size, const char *directory, const char *name,
		       unsigned int version)
{
	char pattern[PATH_MAX];
	const char *place;
	size_t length;

	snprintf(pattern, sizeof(pattern), "%s%s%s", directory, *directory ? "/" : "", name);
	*text = '\0';
	for (const char *rest = pattern; *rest; rest = place) {
		length = strlen(text);
		place = strstr(rest, "%u");
		if (!place) {
			snprintf(text + length, size - length, "%s", rest);
			return;
		}
		snprintf(text + length, size - length, "%.*s%u", (int)(place - rest), rest,
			 version);
		place += 2;
	}
}

static bool load_version(unsigned int version, struct wt_decoder *decoder_ret)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		print_name(path, sizeof(path), "", names[i], version);
		if (llvm_load(path, version, decoder_ret))
			return true;
	}
	for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++)
		for (size_t j = 0; j < sizeof(names) / sizeof(*names); j++) {
			print_name(path, sizeof(path), directories[i], names[j], version);
			if (llvm_load(path, version, decoder_ret))
				return true;
		}
	return false;
}

bool wt_decoder_find_llvm(struct wt_decoder *decoder_ret)
{
	if (take_open(decoder_ret))
		return true;
	for (unsigned int version = WT_LLVM_NEWEST; version >= WT_LLVM_OLDEST; version--)
		if (load_version(version, decoder_ret))
			return true;
	return false;
}
