/* SPDX-License-Identifier: MIT */
#include "dbgapi/architecture/disassemble.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dbgapi/architecture/decoder.h"

static const char cannot[] = "cannot disassemble";

static struct {
	bool found;
	struct wt_decoder decoder;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_library(void)
{
	library.found =
		wt_decoder_find_llvm(&library.decoder) || wt_decoder_find_comgr(&library.decoder);
}

const char *wt_disassembler_library(void)
{
	pthread_once(&once, find_library);
	return library.found ? library.decoder.name : NULL;
}

/* More steps to one alike would be a circle: each of two may be so to the other, of which a library knows the one or the other. */
#define ALIKE_STEPS 4

static bool may_be_asked(const struct gfx_architecture *architecture)
{
	unsigned int version = library.decoder.version;

	return !version || (architecture->llvm <= version &&
			    (!architecture->llvm_last || version <= architecture->llvm_last));
}

/* The architecture, or the one most alike that is known. */
static void *create_context(const struct gfx_architecture **architecture)
{
	const struct gfx_architecture *as = *architecture;
	void *context = NULL;

	for (int step = 0; as && step < ALIKE_STEPS; step++) {
		if (may_be_asked(as))
			context = library.decoder.create(as->name);
		if (context) {
			*architecture = as;
			break;
		}
		as = as->alike ? gfx_architecture_by_name(as->alike) : NULL;
	}
	return context;
}

struct wt_error *wt_disassembler_create(const struct gfx_architecture *architecture,
					const struct gfx_architecture **as_ret,
					struct wt_disassembler **disassembler_ret)
{
	const struct gfx_architecture *as = architecture;
	void *context;

	if (!wt_disassembler_library())
		return wt_error_create(WT_ERROR_IO, cannot, architecture->name,
				       "no library for it was found: looked for %s, and for %s",
				       wt_decoder_llvm_places, wt_decoder_comgr_places);
	context = create_context(&as);
	if (!context)
		return wt_error_create(WT_ERROR_UNSUPPORTED, cannot, architecture->name,
				       "%s does not know it, LLVM %u does", library.decoder.name,
				       architecture->llvm);
	if (as_ret)
		*as_ret = as;
	*disassembler_ret = context;
	return NULL;
}

void wt_disassembler_destroy(struct wt_disassembler *disassembler)
{
	if (disassembler)
		library.decoder.destroy(disassembler);
}

/*
 * Branches whose target is in their own word are printed as the mnemonic and one number: the
 * distance in words from the next instruction, as a 16-bit field. Calls and forks have a register
 * before it, and AMD's library gives no address for those.
 */
static bool branch_find_target(uint64_t address, const struct wt_disassembled *result,
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

/* LLVM 16 prints every word that it does not know as the instruction that a word of 0 is since gfx10. */
static bool instruction_is_none(const char *text, const void *bytes)
{
	static const uint8_t zero[4];

	return !strcmp(text, "v_illegal") && memcmp(bytes, zero, sizeof(zero)) != 0;
}

void wt_disassembler_drop_literal_marks(char *text)
{
	static const char *const marks[] = {"lit(", "lit64("};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		size_t length = strlen(marks[i]);

		for (char *at = strstr(text, marks[i]), *end; at; at = strstr(at, marks[i])) {
			end = strchr(at, ')');
			if (!end || (at > text && at[-1] != ' ')) {
				at += length;
				continue;
			}
			memmove(end, end + 1, strlen(end + 1) + 1);
			memmove(at, at + length, strlen(at + length) + 1);
		}
	}
}

bool wt_disassembler_decode(struct wt_disassembler *disassembler, uint64_t address,
			    const void *bytes, size_t size, struct wt_disassembled *result_ret)
{
	char text[sizeof(result_ret->text)];
	const char *start = text, *end;
	size_t length;

	length = library.decoder.decode(disassembler, address, bytes, size, text, sizeof(text));
	if (!length)
		return false;
	while (isspace((unsigned char)*start))
		start++;
	/* Older ones leave a blank where an operand could be. */
	for (end = start + strlen(start); end > start && isspace((unsigned char)end[-1]);)
		end--;
	snprintf(result_ret->text, sizeof(result_ret->text), "%.*s", (int)(end - start), start);
	if (length >= 4 && instruction_is_none(result_ret->text, bytes))
		return false;
	wt_disassembler_drop_literal_marks(result_ret->text);
	result_ret->size = length;
	result_ret->target = 0;
	result_ret->has_target = branch_find_target(address, result_ret, &result_ret->target);
	return true;
}
