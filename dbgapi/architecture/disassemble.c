/* SPDX-License-Identifier: MIT */
#include "dbgapi/architecture/disassemble.h"

#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>

static const char cannot[] = "cannot disassemble";

/* The functions of LLVM that are used; types come from its headers. */
static struct llvm {
	const char *failure; /* why LLVM cannot be used, or NULL */
	char failure_text[256];
	__typeof__(LLVMInitializeAMDGPUTargetInfo) *initialize_info;
	__typeof__(LLVMInitializeAMDGPUTargetMC) *initialize_mc;
	__typeof__(LLVMInitializeAMDGPUDisassembler) *initialize_disassembler;
	__typeof__(LLVMCreateDisasmCPU) *create;
	__typeof__(LLVMDisasmInstruction) *decode;
	__typeof__(LLVMDisasmDispose) *dispose;
} llvm;

static pthread_once_t llvm_once = PTHREAD_ONCE_INIT;

static void fail(const char *text)
{
	strncpy(llvm.failure_text, text, sizeof(llvm.failure_text) - 1);
	llvm.failure = llvm.failure_text;
}

static bool find_function(void *library, const char *name, void *function_ret)
{
	void *function = dlsym(library, name);

	if (!function)
		fail(dlerror());
	memcpy(function_ret, &function, sizeof(function));
	return function;
}

/* Load and initialize LLVM, once in a process; its own globals forbid unloading it. */
static void load_llvm(void)
{
	void *library = dlopen(WT_LLVM_SONAME, RTLD_LAZY | RTLD_LOCAL);

	/* Some distributions keep a version's library outside the loader's search path. */
	if (!library)
		library = dlopen(WT_LLVM_PATH, RTLD_LAZY | RTLD_LOCAL);
	if (!library) {
		fail(dlerror());
		return;
	}
	if (!find_function(library, "LLVMInitializeAMDGPUTargetInfo", &llvm.initialize_info) ||
	    !find_function(library, "LLVMInitializeAMDGPUTargetMC", &llvm.initialize_mc) ||
	    !find_function(library, "LLVMInitializeAMDGPUDisassembler",
			   &llvm.initialize_disassembler) ||
	    !find_function(library, "LLVMCreateDisasmCPU", &llvm.create) ||
	    !find_function(library, "LLVMDisasmInstruction", &llvm.decode) ||
	    !find_function(library, "LLVMDisasmDispose", &llvm.dispose))
		return;
	llvm.initialize_info();
	llvm.initialize_mc();
	llvm.initialize_disassembler();
}

/* LLVM ends the process when it is asked for a processor that it does not know. */
static const struct gfx_architecture *known_as(const struct gfx_architecture *architecture)
{
	while (architecture && architecture->llvm > LLVM_VERSION_MAJOR)
		architecture =
			architecture->alike ? gfx_architecture_by_name(architecture->alike) : NULL;
	return architecture;
}

struct wt_error *wt_disassembler_create(const struct gfx_architecture *architecture,
					const struct gfx_architecture **as_ret,
					struct wt_disassembler **disassembler_ret)
{
	const struct gfx_architecture *as = known_as(architecture);
	LLVMDisasmContextRef context;

	if (!as)
		return wt_error_create(WT_ERROR_UNSUPPORTED, cannot, architecture->name,
				       "LLVM " LLVM_VERSION_STRING
				       " does not know it, LLVM %u does",
				       architecture->llvm);
	pthread_once(&llvm_once, load_llvm);
	if (llvm.failure)
		return wt_error_create(WT_ERROR_IO, cannot, WT_LLVM_SONAME, "%s", llvm.failure);
	/*
	 * No callbacks: for this target LLVM takes the first argument after the processor for a
	 * symbol table of its own, and asks no callback about branch targets.
	 */
	context = llvm.create("amdgcn-amd-amdhsa", as->name, NULL, 0, NULL, NULL);
	if (!context)
		return wt_error_create(WT_ERROR_UNSUPPORTED, cannot, as->name,
				       "%s has no disassembler for it", WT_LLVM_SONAME);
	if (as_ret)
		*as_ret = as;
	*disassembler_ret = (struct wt_disassembler *)context;
	return NULL;
}

void wt_disassembler_destroy(struct wt_disassembler *disassembler)
{
	if (disassembler)
		llvm.dispose(disassembler);
}

/*
 * Branches whose target is in their own word are printed as the mnemonic and one number: the
 * distance in words from the next instruction, as a 16-bit field. Calls and forks have a register
 * before it, and AMD's library gives no address for those.
 */
static bool find_target(uint64_t address, const struct wt_disassembled *result,
			uint64_t *target_ret)
{
	const char *operand;
	char *end;
	long distance;

	if (strncmp(result->text, "s_branch ", 9) && strncmp(result->text, "s_cbranch_", 10))
		return false;
	operand = strchr(result->text, ' ');
	if (!operand)
		return false;
	distance = strtol(operand, &end, 0);
	while (isspace((unsigned char)*end))
		end++;
	if (end == operand || *end)
		return false;
	*target_ret = address + result->size + (uint64_t)((int64_t)(int16_t)distance * 4);
	return true;
}

bool wt_disassembler_decode(struct wt_disassembler *disassembler, uint64_t address,
			    const void *bytes, size_t size, struct wt_disassembled *result_ret)
{
	char text[sizeof(result_ret->text)];
	const char *start = text;
	size_t length;

	/* LLVM takes the bytes as not const, but reads them only. */
	length = llvm.decode(disassembler, (uint8_t *)(uintptr_t)bytes, size, address, text,
			     sizeof(text));
	if (!length)
		return false;
	while (isspace((unsigned char)*start))
		start++;
	strcpy(result_ret->text, start);
	result_ret->size = length;
	result_ret->target = 0;
	result_ret->has_target = find_target(address, result_ret, &result_ret->target);
	return true;
}
