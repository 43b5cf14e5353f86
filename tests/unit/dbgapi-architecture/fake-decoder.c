/* SPDX-License-Identifier: MIT */
/*
 * Takes the place of LLVM, of a version that is not there yet, and of comgr: every word is "v_illegal", as one is that LLVM 16 does not know.
 * LLVM's dies of a word that begins with 0xde, with words on standard error, and hangs at one that begins with 0xdf, which it notes in the file
 * FAKE_DECODER_HANGS; where FAKE_DECODER_DIES is set, it dies at once.
 * Functions of libraries that are nobody's here: declared by who looks them up.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void LLVMInitializeAMDGPUTargetInfo(void);
EXPORT void LLVMInitializeAMDGPUTargetMC(void);
EXPORT void LLVMInitializeAMDGPUDisassembler(void);
EXPORT void LLVMGetVersion(unsigned int *major, unsigned int *minor, unsigned int *patch);
EXPORT void *LLVMCreateDisasmCPU(const char *triple, const char *processor, void *opaque, int tag,
				 void (*operand)(void), void (*symbol)(void));
EXPORT size_t LLVMDisasmInstruction(void *context, uint8_t *bytes, uint64_t size, uint64_t address,
				    char *text, size_t text_size);
EXPORT void LLVMDisasmDispose(void *context);
/* A handle is a structure of one number. */
struct info {
	uint64_t handle;
};

EXPORT int amd_comgr_create_disassembly_info(const char *isa,
					     uint64_t (*read)(uint64_t, char *, uint64_t, void *),
					     void (*print)(const char *, void *),
					     void (*annotate)(uint64_t, void *), struct info *info);
EXPORT int amd_comgr_destroy_disassembly_info(struct info info);
EXPORT int amd_comgr_disassemble_instruction(struct info info, uint64_t address, void *opaque,
					     uint64_t *size);

static char context_of_all;
static void (*printer)(const char *, void *);

void LLVMInitializeAMDGPUTargetInfo(void)
{
	if (getenv("FAKE_DECODER_DIES"))
		abort();
}

void LLVMInitializeAMDGPUTargetMC(void)
{
}

void LLVMInitializeAMDGPUDisassembler(void)
{
}

void LLVMGetVersion(unsigned int *major, unsigned int *minor, unsigned int *patch)
{
	(void)minor;
	(void)patch;
	*major = 39;
}

void *LLVMCreateDisasmCPU(const char *triple, const char *processor, void *opaque, int tag,
			  void (*operand)(void), void (*symbol)(void))
{
	(void)triple;
	(void)processor;
	(void)opaque;
	(void)tag;
	(void)operand;
	(void)symbol;
	return &context_of_all;
}

size_t LLVMDisasmInstruction(void *context, uint8_t *bytes, uint64_t size, uint64_t address,
			     char *text, size_t text_size)
{
	(void)context;
	(void)address;
	if (bytes[0] == 0xde) {
		fprintf(stderr, "a library says how it dies\n");
		abort();
	}
	if (bytes[0] == 0xdf) {
		FILE *note = fopen(getenv("FAKE_DECODER_HANGS"), "a");

		if (!note || fputc('.', note) == EOF || fclose(note))
			abort();
		for (volatile int i = 0;; i = i + 1)
			;
	}
	snprintf(text, text_size, "\tv_illegal ");
	return size < 4 ? 0 : 4;
}

void LLVMDisasmDispose(void *context)
{
	(void)context;
}

int amd_comgr_create_disassembly_info(const char *isa,
				      uint64_t (*read)(uint64_t, char *, uint64_t, void *),
				      void (*print)(const char *, void *),
				      void (*annotate)(uint64_t, void *), struct info *info)
{
	(void)isa;
	(void)read;
	(void)annotate;
	printer = print;
	info->handle = 1;
	return 0;
}

int amd_comgr_destroy_disassembly_info(struct info info)
{
	(void)info;
	return 0;
}

int amd_comgr_disassemble_instruction(struct info info, uint64_t address, void *opaque,
				      uint64_t *size)
{
	(void)info;
	(void)address;
	printer("\tv_illegal", opaque);
	*size = 4;
	return 0;
}
