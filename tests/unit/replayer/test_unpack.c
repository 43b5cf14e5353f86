/* SPDX-License-Identifier: MIT */
/* Sections of code objects that are compressed by zstd. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tests/unit/with-cmocka.h"

#include "base/error.h"
#include "replayer/code/unpack.h"

#define TEXT_SIZE 5000u
#define ROOM 8192u

struct file {
	uint8_t bytes[ROOM];
	size_t size;
	Elf64_Shdr *sections;
};

/* A header, then a section that is compressed, then the headers of two sections. */
static void make(struct file *file, const uint8_t *text)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)file->bytes;
	Elf64_Chdr packed = {.ch_type = 2, .ch_size = TEXT_SIZE, .ch_addralign = 1};
	size_t offset = sizeof(*header), size;

	memset(file, 0, sizeof(*file));
	memcpy(header->e_ident, ELFMAG, SELFMAG);
	header->e_ident[EI_CLASS] = ELFCLASS64;
	header->e_ident[EI_DATA] = ELFDATA2LSB;
	header->e_shentsize = sizeof(Elf64_Shdr);
	header->e_shnum = 2;
	memcpy(file->bytes + offset, &packed, sizeof(packed));
	size = ZSTD_compress(file->bytes + offset + sizeof(packed), ROOM / 2, text, TEXT_SIZE, 1);
	assert_false(ZSTD_isError(size));
	size += sizeof(packed);
	header->e_shoff = (offset + size + 7) & ~UINT64_C(7);
	file->size = header->e_shoff + 2 * sizeof(Elf64_Shdr);
	file->sections = (Elf64_Shdr *)(file->bytes + header->e_shoff);
	file->sections[1] = (Elf64_Shdr){.sh_type = SHT_PROGBITS,
					 .sh_flags = SHF_COMPRESSED,
					 .sh_offset = offset,
					 .sh_size = size};
}

static void fill(uint8_t text[TEXT_SIZE])
{
	for (size_t i = 0; i < TEXT_SIZE; i++)
		text[i] = (uint8_t)(i * i >> 3);
}

static uint8_t *unpack(const struct file *file, size_t size, size_t *size_ret)
{
	uint8_t *unpacked;

	assert_null(wt_elf_unpack(file->bytes, size, &unpacked, size_ret));
	return unpacked;
}

static void test_unpacks(void **state)
{
	uint8_t text[TEXT_SIZE], *unpacked;
	struct file file;
	Elf64_Shdr section;
	size_t size;

	(void)state;
	fill(text);
	make(&file, text);
	unpacked = unpack(&file, file.size, &size);
	assert_non_null(unpacked);
	memcpy(&section, unpacked + ((Elf64_Ehdr *)file.bytes)->e_shoff + sizeof(section),
	       sizeof(section));
	assert_int_equal(section.sh_flags & SHF_COMPRESSED, 0);
	assert_int_equal(section.sh_size, TEXT_SIZE);
	assert_true(section.sh_offset + section.sh_size <= size);
	assert_memory_equal(unpacked + section.sh_offset, text, TEXT_SIZE);
	/* What was there stays where it was. */
	assert_memory_equal(unpacked, file.bytes, ((Elf64_Ehdr *)file.bytes)->e_shoff);
	free(unpacked);
}

/* Nothing is made of a file that has none, or that is not as it says. */
static void test_leaves(void **state)
{
	uint8_t text[TEXT_SIZE];
	struct file file;
	Elf64_Chdr *packed;
	size_t size;

	(void)state;
	fill(text);
	make(&file, text);
	packed = (Elf64_Chdr *)(file.bytes + sizeof(Elf64_Ehdr));
	for (size_t cut = 0; cut < file.size; cut++)
		assert_null(unpack(&file, cut, &size));
	file.sections[1].sh_flags = 0;
	assert_null(unpack(&file, file.size, &size));
	file.sections[1].sh_flags = SHF_COMPRESSED;
	packed->ch_type = ELFCOMPRESS_ZLIB;
	assert_null(unpack(&file, file.size, &size));
	packed->ch_type = 2;
	packed->ch_size = TEXT_SIZE + 1;
	assert_null(unpack(&file, file.size, &size));
	packed->ch_size = TEXT_SIZE - 1;
	assert_null(unpack(&file, file.size, &size));
	packed->ch_size = UINT64_MAX;
	assert_null(unpack(&file, file.size, &size));
	packed->ch_size = TEXT_SIZE;
	file.sections[1].sh_size = UINT64_MAX;
	assert_null(unpack(&file, file.size, &size));
	file.sections[1].sh_offset = UINT64_MAX;
	assert_null(unpack(&file, file.size, &size));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unpacks),
		cmocka_unit_test(test_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
