/* SPDX-License-Identifier: MIT */
#include "trace-format/container/foreign.h"

#include <string.h>

#define BYTES(literal) (const uint8_t *)literal, sizeof(literal) - 1

static const struct kind {
	const uint8_t *magic;
	size_t size;
	const char *text;
} kinds[] = {
	{BYTES("\x1f\x8b"), "it is a gzip file: unpack it first"},
	{BYTES("BZh"), "it is a bzip2 file: unpack it first"},
	{BYTES("\xfd"
	       "7zXZ"),
	 "it is an xz file: unpack it first"},
	{BYTES("PK\x03\x04"), "it is a zip file: unpack it first"},
	{BYTES("\x28\xb5\x2f\xfd"), "it is a zstd file of something else"},
	{BYTES("\x7f"
	       "ELF"),
	 "it is an ELF file; `wavetape record --core` makes a trace of a GPU core file"},
};

const char *wt_foreign_kind(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (size >= kinds[i].size && !memcmp(bytes, kinds[i].magic, kinds[i].size))
			return kinds[i].text;
	return NULL;
}
