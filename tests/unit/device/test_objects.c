/* SPDX-License-Identifier: MIT */
/*
 * Wrong code objects, by kind, for both targets: each is refused with an error that says why, or is
 * accepted because what is wrong in it matters to nobody; neither reads a byte that is not there.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "device/code-object/loader.h"
#include "tests/unit/device/support.h"

struct image {
	const struct gfx_architecture *architecture;
	uint8_t *bytes, *changed;
	size_t size;
};

struct counts {
	uint32_t refused, accepted;
};

/* Load what stands in image->changed. */
static void try(const struct image *image, size_t size, struct counts *counts)
{
	struct wt_code_object *object = NULL;
	struct wt_memory memory;
	struct wt_error *error;

	wt_memory_init(&memory);
	error = wt_code_object_create(support_write("wrong.co", image->changed, size), 0,
				      &image->architecture, 1, &memory, &object);
	assert_true((error != NULL) != (object != NULL));
	if (error) {
		assert_true(error->what[0] && error->why[0]);
		assert_non_null(strstr(error->where, "wrong.co"));
		counts->refused++;
	} else {
		counts->accepted++;
	}
	wt_error_destroy(error);
	wt_code_object_destroy(object);
	wt_memory_deinit(&memory);
}

/* Write a number of @width bytes at @at over the original, and load that. */
static void try_value(const struct image *image, size_t at, size_t width, uint64_t value,
		      struct counts *counts)
{
	assert_true(at <= image->size && width <= image->size - at);
	memcpy(image->changed, image->bytes, image->size);
	memcpy(image->changed + at, &value, width);
	try(image, image->size, counts);
}

/* The same with values of every unpleasant kind. */
static void try_values(const struct image *image, size_t at, size_t width, struct counts *counts)
{
	const uint64_t values[] = {0,	      1,	 7,	     0x7f,	 0xff,
				   0xffff,    0x10001,	 0x7fffffff, 0xffffffff, 1ULL << 40,
				   ~0ULL / 2, ~0ULL - 3, ~0ULL,	     image->size};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		try_value(image, at, width, values[i], counts);
}

static const Elf64_Ehdr *header_of(const struct image *image)
{
	return (const Elf64_Ehdr *)(const void *)image->bytes;
}

static size_t section_at(const struct image *image, size_t index)
{
	return header_of(image)->e_shoff + index * sizeof(Elf64_Shdr);
}

static const Elf64_Shdr *section(const struct image *image, size_t index)
{
	return (const Elf64_Shdr *)(const void *)(image->bytes + section_at(image, index));
}

static size_t segment_at(const struct image *image, size_t index)
{
	return header_of(image)->e_phoff + index * sizeof(Elf64_Phdr);
}

static void truncated(const struct image *image, struct counts *counts)
{
	memcpy(image->changed, image->bytes, image->size);
	for (size_t length = 0; length < image->size; length += 1 + image->size / 100)
		try(image, length, counts);
}

static void wrong_class(const struct image *image, struct counts *counts)
{
	for (uint64_t value = 0; value < 256; value += 5) {
		try_value(image, EI_CLASS, 1, value, counts);
		try_value(image, EI_DATA, 1, value, counts);
		try_value(image, EI_OSABI, 1, value, counts);
		try_value(image, EI_ABIVERSION, 1, value, counts);
	}
	for (uint64_t value = 0; value < 300; value += 13) {
		try_value(image, offsetof(Elf64_Ehdr, e_type), 2, value, counts);
		try_value(image, offsetof(Elf64_Ehdr, e_machine), 2, value, counts);
		try_value(image, offsetof(Elf64_Ehdr, e_flags), 4, value, counts);
	}
}

static void section_lies(const struct image *image, struct counts *counts)
{
	try_values(image, offsetof(Elf64_Ehdr, e_shoff), 8, counts);
	try_values(image, offsetof(Elf64_Ehdr, e_phoff), 8, counts);
	try_values(image, offsetof(Elf64_Ehdr, e_shnum), 2, counts);
	try_values(image, offsetof(Elf64_Ehdr, e_phnum), 2, counts);
	try_values(image, offsetof(Elf64_Ehdr, e_shstrndx), 2, counts);
	try_values(image, offsetof(Elf64_Ehdr, e_phentsize), 2, counts);
	for (size_t i = 0; i < header_of(image)->e_phnum; i++) {
		size_t at = segment_at(image, i);

		try_values(image, at + offsetof(Elf64_Phdr, p_offset), 8, counts);
		try_values(image, at + offsetof(Elf64_Phdr, p_vaddr), 8, counts);
	}
	for (size_t i = 0; i < header_of(image)->e_shnum; i++) {
		size_t at = section_at(image, i);

		try_value(image, at + offsetof(Elf64_Shdr, sh_offset), 8, ~0ULL - 7, counts);
		try_value(image, at + offsetof(Elf64_Shdr, sh_size), 8, ~0ULL / 2, counts);
	}
}

static void absurd_sizes(const struct image *image, struct counts *counts)
{
	for (size_t i = 0; i < header_of(image)->e_phnum; i++) {
		size_t at = segment_at(image, i);

		try_values(image, at + offsetof(Elf64_Phdr, p_filesz), 8, counts);
		try_values(image, at + offsetof(Elf64_Phdr, p_memsz), 8, counts);
	}
	for (size_t i = 0; i < header_of(image)->e_shnum; i++) {
		const Elf64_Shdr *header = section(image, i);

		/* Each dynamic entry: sizes of tables among them. Then the counts of the hash. */
		if (header->sh_type == SHT_DYNAMIC)
			for (size_t at = 0; at < header->sh_size; at += sizeof(Elf64_Dyn))
				try_values(image, header->sh_offset + at + 8, 8, counts);
		if (header->sh_type == SHT_HASH)
			for (size_t at = 0; at < 8; at += 4)
				try_values(image, header->sh_offset + at, 4, counts);
	}
}

static void note_lies(const struct image *image, struct counts *counts)
{
	for (size_t i = 0; i < header_of(image)->e_shnum; i++) {
		const Elf64_Shdr *header = section(image, i);

		if (header->sh_type != SHT_NOTE)
			continue;
		for (size_t at = 0; at < 12; at += 4)
			try_values(image, header->sh_offset + at, 4, counts);
		/* The metadata: any byte of it as the longest thing there is. */
		for (size_t at = 20; at < header->sh_size; at += 11) {
			try_value(image, header->sh_offset + at, 1, 0xdf, counts);
			try_value(image, header->sh_offset + at, 1, 0xc6, counts);
		}
	}
}

static void relocations_out_of_range(const struct image *image, struct counts *counts)
{
	uint32_t before = counts->refused;

	for (size_t i = 0; i < header_of(image)->e_shnum; i++) {
		const Elf64_Shdr *header = section(image, i);

		if (header->sh_type != SHT_RELA)
			continue;
		for (size_t at = 0; at < header->sh_size; at += sizeof(Elf64_Rela)) {
			size_t entry = header->sh_offset + at;

			try_values(image, entry + offsetof(Elf64_Rela, r_offset), 8, counts);
			try_values(image, entry + offsetof(Elf64_Rela, r_info), 4, counts);
			try_values(image, entry + offsetof(Elf64_Rela, r_info) + 4, 4, counts);
		}
	}
	assert_true(counts->refused > before);
}

static const struct kind {
	const char *name;
	void (*try)(const struct image *image, struct counts *counts);
} kinds[] = {
	{"truncated", truncated},
	{"wrong class", wrong_class},
	{"section and segment lies", section_lies},
	{"note lies", note_lies},
	{"relocations out of range", relocations_out_of_range},
	{"absurd sizes", absurd_sizes},
};

/* An object with relocations and several kernels' worth of metadata. */
static void try_target(const char *target, const char *name)
{
	struct image image = {.architecture = gfx_architecture_by_name(target)};
	struct counts all = {0};

	image.bytes = support_read(support_path(name), &image.size);
	image.changed = malloc(image.size);
	assert_non_null(image.changed);
	memcpy(image.changed, image.bytes, image.size);
	try(&image, image.size, &all);
	assert_int_equal(all.accepted, 1);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct counts counts = {0};

		kinds[i].try(&image, &counts);
		print_message("%s: %s: %u refused, %u accepted\n", target, kinds[i].name,
			      counts.refused, counts.accepted);
		assert_true(counts.refused > 20);
		all.refused += counts.refused;
	}
	assert_true(all.refused > 500);
	free(image.changed);
	free(image.bytes);
}

static void test_gfx942(void **state)
{
	(void)state;
	try_target("gfx942", "../unit/device/pointers.co");
}

static void test_gfx90a(void **state)
{
	(void)state;
	try_target("gfx90a", "../unit/device/pointers-gfx90a.co");
}

static int run_all(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gfx942),
		cmocka_unit_test(test_gfx90a),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run_all);
}
