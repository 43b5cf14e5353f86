/* SPDX-License-Identifier: MIT */
/*
 * Libraries that can decode instructions, and where they are looked for: any LLVM, the newest first, else AMD's code object manager
 * (comgr), which has one in it. Private to disassemble.c. Declarations are our own, since none is linked: one that is there decides
 * what is decoded, whatever was there when this was built.
 */
#ifndef WT_DBGAPI_ARCHITECTURE_DECODER_H
#define WT_DBGAPI_ARCHITECTURE_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wt_decoder {
	char name[512]; /* what it is, and where it was found */
	unsigned int
		version; /* of LLVM, which ends the process if it is asked for a processor that it does not know; 0: it may be asked */
	/* A context for a processor; NULL if it is not known, or there is no memory. */
	void *(*create)(const char *processor);
	void (*destroy)(void *context);
	/* Print the first instruction in @bytes. Return: its size; 0 if it is none. */
	size_t (*decode)(void *context, uint64_t address, const void *bytes, size_t size,
			 char *text, size_t text_size);
};

struct wt_decoder_kind {
	/* Load and initialize a library: once in a process, since their own globals forbid to unload them. False if there is none. */
	bool (*find)(struct wt_decoder *decoder_ret);
	const char *places; /* that are looked at, for a message */
};

extern const struct wt_decoder_kind wt_decoder_llvm, wt_decoder_comgr;

#endif /* WT_DBGAPI_ARCHITECTURE_DECODER_H */
