/* SPDX-License-Identifier: MIT */
#include "tests/unit/device/support.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#include "device/code-object/loader.h"

static const struct gfx_architecture *gfx942;
static struct wt_memory memory;

static int set_up(void **state)
{
	(void)state;
	gfx942 = gfx_architecture_by_name("gfx942");
	wt_memory_init(&memory);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	wt_memory_deinit(&memory);
	return 0;
}

static struct wt_error *try_load(const char *path, struct wt_code_object **object)
{
	*object = NULL;
	return wt_code_object_create(path, 3, &gfx942, 1, &memory, object);
}

static struct wt_code_object *load(const char *path)
{
	struct wt_code_object *object;
	struct wt_error *error = try_load(path, &object);

	if (error)
		fail_msg("%s: %s: %s", error->what, error->where, error->why);
	return object;
}

static void test_vecadd(void **state)
{
	struct wt_code_object *object = load(support_path("vecadd.co"));
	const struct wt_kernel *kernel = wt_code_object_kernel(object, "vecadd");
	uint8_t *image;
	size_t size;
	uint32_t word;

	(void)state;
	assert_non_null(kernel);
	assert_null(wt_code_object_kernel(object, "vecad"));
	assert_null(wt_code_object_kernel(object, "vecadd.kd"));
	assert_int_equal(object->object.number, 3);
	assert_int_equal(object->object.load_address, 0x200000000000);
	assert_ptr_equal(object->architecture, gfx942);
	image = support_read(support_path("vecadd.co"), &size);
	assert_int_equal(object->object.image_size, size);
	assert_memory_equal(object->object.image, image, size);
	free(image);
	/* The metadata is what the compiler printed. */
	assert_string_equal(kernel->metadata->symbol, "vecadd.kd");
	assert_int_equal(kernel->metadata->arguments[3].offset, 24);
	assert_int_equal(kernel->metadata->arguments[3].size, 4);
	assert_string_equal(kernel->metadata->arguments[3].name, "n");
	assert_int_equal(kernel->metadata->arguments[3].value, WT_VALUE_BY_VALUE);
	assert_int_equal(kernel->metadata->arguments[0].value, WT_VALUE_GLOBAL_BUFFER);
	assert_int_equal(kernel->metadata->max_workgroup_size, 1024);
	assert_int_equal(kernel->descriptor.kernarg_size, kernel->metadata->kernarg_size);
	/* The program may fetch its code and read its data, and write neither. */
	assert_true(wt_memory_fetch(&memory, kernel->entry, &word, 4));
	assert_false(wt_memory_write(&memory, kernel->entry, &word, 4));
	assert_true(wt_memory_read(&memory, kernel->descriptor_address, &word, 4));
	assert_false(wt_memory_write(&memory, kernel->descriptor_address, &word, 4));
	assert_false(wt_memory_fetch(&memory, kernel->descriptor_address, &word, 4));
	assert_int_equal(wt_memory_poke(&memory, kernel->entry, &word, 4), 4);
	wt_code_object_destroy(object);
}

static uint64_t word_at(uint64_t address)
{
	uint64_t word;

	assert_true(wt_memory_read(&memory, address, &word, sizeof(word)));
	return word;
}

static void test_second_object_is_apart(void **state)
{
	struct wt_code_object *first = load(support_path("vecadd.co"));
	struct wt_code_object *second = load(support_path("vecadd.co"));

	(void)state;
	assert_true(second->first >= first->end + 0x10000);
	assert_int_equal(second->object.load_address - first->object.load_address,
			 second->first - first->first);
	assert_int_equal(word_at(first->kernels[0].entry), word_at(second->kernels[0].entry));
	wt_code_object_destroy(first);
	wt_code_object_destroy(second);
}

static void test_uri(void **state)
{
	char *uri = wt_file_uri("/a-b_c.d~e/f g%#?\xc3\xa9");

	(void)state;
	assert_string_equal(uri, "file:///a-b_c.d~e/f%20g%25%23%3F%C3%A9");
	free(uri);
	uri = wt_file_uri("/");
	assert_string_equal(uri, "file:///");
	free(uri);
}

/* A code object with some bytes changed. */
static struct wt_error *load_changed(const char *name, size_t offset, const void *bytes,
				     size_t size)
{
	struct wt_code_object *object;
	struct wt_error *error;
	uint8_t *image;
	size_t length;

	image = support_read(support_path(name), &length);
	assert_true(offset + size <= length);
	memcpy(image + offset, bytes, size);
	error = try_load(support_write("changed.co", image, length), &object);
	free(image);
	wt_code_object_destroy(object);
	return error;
}

static void test_headers(void **state)
{
	static const struct {
		size_t offset;
		const char *bytes;
		size_t size;
		const char *says;
	} changes[] = {
		{0,
		 "\x7f"
		 "ELG",
		 4, "changed.co: this is not an ELF file"},
		{EI_CLASS, "\1", 1, "64-bit little endian"},
		{EI_DATA, "\2", 1, "64-bit little endian"},
		{EI_OSABI, "\0", 1, "its OS ABI is 0, not AMDGPU HSA (64)"},
		{EI_ABIVERSION, "\0", 1, "code object of version 2"},
		{offsetof(Elf64_Ehdr, e_machine), "\x3e\0", 2,
		 "for machine 62, not for AMD GPUs (224)"},
		{offsetof(Elf64_Ehdr, e_type), "\1\0", 2, "no shared object (ELF type 1)"},
		{offsetof(Elf64_Ehdr, e_flags), "\x3f", 1,
		 "its note is for gfx942 (ELF machine 0x4c) and its ELF header for machine 0x3f"},
		{offsetof(Elf64_Ehdr, e_flags), "\xff", 1, "its ELF header for machine 0xff"},
		{offsetof(Elf64_Ehdr, e_phentsize), "\1", 1, "have 1 bytes each, not 56"},
		{offsetof(Elf64_Ehdr, e_phnum), "\0\0", 2, "0 program headers"},
		{offsetof(Elf64_Ehdr, e_phnum), "\x41\0", 2, "65 program headers"},
		{offsetof(Elf64_Ehdr, e_phoff), "\xff\xff\xff\x7f", 4,
		 "cannot load the code object"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		support_expect_error(load_changed("vecadd.co", changes[i].offset, changes[i].bytes,
						  changes[i].size),
				     changes[i].says);
}

/* Where program header @type number @nth of its kind begins in a file. */
static size_t find_segment(const char *name, uint32_t type, size_t nth)
{
	size_t size, at = sizeof(Elf64_Ehdr);
	uint8_t *image = support_read(support_path(name), &size);
	Elf64_Phdr header;

	for (;; at += sizeof(header)) {
		assert_true(at + sizeof(header) < size);
		memcpy(&header, image + at, sizeof(header));
		if (header.p_type == type && nth-- == 0)
			break;
	}
	free(image);
	return at;
}

static void test_segments(void **state)
{
	size_t text = find_segment("vecadd.co", PT_LOAD, 1);
	uint64_t huge = UINT64_MAX - 100, far = UINT64_C(1) << 40, small = 1, at = 0x700, odd = 3;

	(void)state;
	support_expect_error(
		load_changed("vecadd.co", text + offsetof(Elf64_Phdr, p_offset), &huge, 8),
		"it may be truncated");
	support_expect_error(
		load_changed("vecadd.co", text + offsetof(Elf64_Phdr, p_filesz), &huge, 8),
		"it may be truncated");
	support_expect_error(
		load_changed("vecadd.co", text + offsetof(Elf64_Phdr, p_memsz), &huge, 8),
		"sizes that do not fit together");
	support_expect_error(
		load_changed("vecadd.co", text + offsetof(Elf64_Phdr, p_memsz), &small, 8),
		"sizes that do not fit together");
	support_expect_error(
		load_changed("vecadd.co", text + offsetof(Elf64_Phdr, p_memsz), &far, 8),
		"at most 1073741824 are accepted");
	support_expect_error(
		load_changed("vecadd.co", text + offsetof(Elf64_Phdr, p_vaddr), &far, 8),
		"at most 1073741824 are accepted");
	support_expect_error(
		load_changed("vecadd.co", text + offsetof(Elf64_Phdr, p_vaddr), &at, 8), "overlap");
	support_expect_error(
		load_changed("vecadd.co", text + offsetof(Elf64_Phdr, p_align), &odd, 8),
		"its alignment, 3, is no power of two");
	/* Code that nobody may execute. */
	support_expect_error(
		load_changed("vecadd.co", text + offsetof(Elf64_Phdr, p_flags), "\4", 1),
		"its first instruction");
	support_expect_error(
		load_changed("vecadd.co", find_segment("vecadd.co", PT_NOTE, 0), "\0", 1),
		"no note NT_AMDGPU_METADATA");
	support_expect_error(
		load_changed("vecadd.co", find_segment("vecadd.co", PT_DYNAMIC, 0), "\0", 1),
		"no dynamic section");
}

static void test_other_architecture(void **state)
{
	struct wt_code_object *object;

	(void)state;
	support_expect_error(
		try_load(support_path("vecadd-gfx90a.co"), &object),
		"it is for gfx90a (ELF machine 0x3f) and the agents are gfx942 (0x4c)");
	assert_null(object);
}

static void test_what_is_no_file(void **state)
{
	struct wt_code_object *object;

	(void)state;
	support_expect_error(try_load("/absent.co", &object), "/absent.co: No such file");
	support_expect_error(try_load("/", &object), "not a regular file");
	support_expect_error(try_load(support_write("a.co", "", 0), &object), "not an ELF file");
	support_expect_error(try_load(support_write("a.co",
						    "\x7f"
						    "ELF",
						    4),
				      &object),
			     "not an ELF file");
	support_expect_error(try_load(support_path("vecadd.json"), &object), "not an ELF file");
}

/* Every length of a file that ends early: whatever is needed and not there is an error. */
static void test_truncated(void **state)
{
	uint8_t *image;
	size_t size;

	(void)state;
	image = support_read(support_path("vecadd.co"), &size);
	for (size_t length = 0; length < size; length += length < 0x400 ? 7 : 61) {
		struct wt_code_object *object;
		struct wt_error *error = try_load(support_write("t.co", image, length), &object);

		assert_true((error != NULL) != (object != NULL));
		/* The last thing needed is the dynamic section; behind it is what only debuggers
		 * read. */
		assert_true(error || length > 0xd00);
		wt_error_destroy(error);
		wt_code_object_destroy(object);
	}
	free(image);
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 33;
}

/* Bytes changed at random, most of them where the loader reads. */
static void mutate(const char *name, uint32_t count)
{
	uint8_t *image, *changed;
	uint64_t random = 7;
	size_t size;

	image = support_read(support_path(name), &size);
	changed = malloc(size);
	assert_non_null(changed);
	for (uint32_t i = 0; i < count; i++) {
		struct wt_code_object *object;
		struct wt_error *error;

		memcpy(changed, image, size);
		for (uint64_t n = 1 + next_random(&random) % 4; n; n--) {
			size_t at = next_random(&random) % (i % 2 ? size : 0x900);

			changed[at] =
				i % 3 ? (uint8_t)next_random(&random) : (uint8_t)(changed[at] + 1);
		}
		wt_memory_deinit(&memory);
		wt_memory_init(&memory);
		error = try_load(support_write("m.co", changed, size), &object);
		assert_true((error != NULL) != (object != NULL));
		wt_error_destroy(error);
		wt_code_object_destroy(object);
	}
	free(changed);
	free(image);
}

static void test_mutations(void **state)
{
	(void)state;
	mutate("vecadd.co", 400);
	mutate("../unit/device/pointers.co", 400);
}

/* pointers.c has relocations of both kinds, and a weak symbol that nobody defines. */
static void test_relocations(void **state)
{
	struct wt_code_object *object = load(support_path("../unit/device/pointers.co"));
	const char *path = support_path("../unit/device/pointers.co");
	uint64_t bias = (uint64_t)object->object.load_address;
	size_t size, relative = 0, absolute = 0, missing = 0;
	const Elf64_Ehdr *header;
	uint8_t *image;

	(void)state;
	image = support_read(path, &size);
	header = (const Elf64_Ehdr *)(const void *)image;
	for (size_t s = 0; s < header->e_shnum; s++) {
		const Elf64_Shdr *section =
			(const Elf64_Shdr *)(const void *)(image + header->e_shoff) + s;
		const Elf64_Rela *rela =
			(const Elf64_Rela *)(const void *)(image + section->sh_offset);

		for (size_t i = 0;
		     section->sh_type == SHT_RELA && i < section->sh_size / sizeof(*rela); i++) {
			uint64_t value = word_at(bias + rela[i].r_offset);

			if (ELF64_R_TYPE(rela[i].r_info) == 13) {
				assert_int_equal(value, bias + (uint64_t)rela[i].r_addend);
				relative++;
			} else if (value == 0) {
				missing++;
			} else {
				/* The symbol's own address lies in the object, and holds 10 or 30.
				 * The symbol's own address lies in the object, and holds 10 or 30.
				 */
				uint32_t number = (uint32_t)word_at(value);

				assert_true(number == 10 || number == 30);
				absolute++;
			}
		}
	}
	assert_int_equal(relative, 2);
	assert_true(absolute >= 2);
	assert_int_equal(missing, 1);
	free(image);
	wt_code_object_destroy(object);
}

static int run(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_vecadd),
		TEST(test_second_object_is_apart),
		TEST(test_relocations),
		TEST(test_uri),
		TEST(test_headers),
		TEST(test_segments),
		TEST(test_other_architecture),
		TEST(test_what_is_no_file),
		TEST(test_truncated),
		TEST(test_mutations),
	};

	return cmocka_run_group_tests_name("device-loader", tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run);
}
