/* SPDX-License-Identifier: MIT */
#include "tool/trapping.h"

#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/uri.h"

#define MACHINE_AMDGPU 224
#define DESCRIPTOR_SIZE 64u
#define AT_RSRC2 52u /* in a descriptor */
#define EXCEPTIONS_SHIFT 24
#define MODE_EXCEPTIONS (UINT32_C(0x7f) << 12) /* EXCP_EN of the mode register */

/* ---- Descriptors of a code object ---- */

struct image {
	uint8_t *bytes;
	size_t size;
	Elf64_Ehdr header;
};

/* The tables that its dynamic section points to. Addresses are those of the file. */
struct tables {
	uint64_t symbols, strings, strings_size, hash, gnu_hash;
};

static bool image_read(const struct image *image, uint64_t offset, void *data_ret, size_t size)
{
	if (offset > image->size || size > image->size - offset)
		return false;
	memcpy(data_ret, image->bytes + offset, size);
	return true;
}

static bool image_segment(const struct image *image, uint32_t index, Elf64_Phdr *segment_ret)
{
	return image_read(image, image->header.e_phoff + (uint64_t)index * sizeof(*segment_ret),
			  segment_ret, sizeof(*segment_ret));
}

/* The place in the file where the bytes of an address are; false if they are not all in one segment of it. */
static bool image_place(const struct image *image, uint64_t address, uint64_t size,
			uint64_t *offset_ret)
{
	Elf64_Phdr segment;

	for (uint32_t i = 0; i < image->header.e_phnum && image_segment(image, i, &segment); i++) {
		uint64_t inside = address - segment.p_vaddr;

		if (segment.p_type != PT_LOAD || address < segment.p_vaddr ||
		    inside > segment.p_filesz || size > segment.p_filesz - inside)
			continue;
		if (segment.p_offset > image->size || inside > image->size - segment.p_offset ||
		    size > image->size - segment.p_offset - inside)
			return false;
		*offset_ret = segment.p_offset + inside;
		return true;
	}
	return false;
}

static bool image_read_address(const struct image *image, uint64_t address, void *data_ret,
			       size_t size)
{
	uint64_t offset;

	return image_place(image, address, size, &offset) &&
	       image_read(image, offset, data_ret, size);
}

static bool image_open(uint8_t *bytes, size_t size, struct image *image_ret)
{
	struct image image = {.bytes = bytes, .size = size};

	if (!image_read(&image, 0, &image.header, sizeof(image.header)) ||
	    memcmp(image.header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    image.header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    image.header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    image.header.e_machine != MACHINE_AMDGPU ||
	    image.header.e_phentsize != sizeof(Elf64_Phdr))
		return false;
	*image_ret = image;
	return true;
}

static bool image_find_tables(const struct image *image, struct tables *tables_ret)
{
	struct tables tables = {0};
	Elf64_Phdr segment;
	Elf64_Dyn entry;
	uint32_t i = 0;

	while (i < image->header.e_phnum && image_segment(image, i, &segment) &&
	       segment.p_type != PT_DYNAMIC)
		i++;
	if (i >= image->header.e_phnum || !image_segment(image, i, &segment))
		return false;
	for (uint64_t at = 0; at < segment.p_filesz; at += sizeof(entry)) {
		if (!image_read(image, segment.p_offset + at, &entry, sizeof(entry)) ||
		    entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag == DT_SYMTAB)
			tables.symbols = entry.d_un.d_ptr;
		else if (entry.d_tag == DT_STRTAB)
			tables.strings = entry.d_un.d_ptr;
		else if (entry.d_tag == DT_STRSZ)
			tables.strings_size = entry.d_un.d_val;
		else if (entry.d_tag == DT_HASH)
			tables.hash = entry.d_un.d_ptr;
		else if (entry.d_tag == DT_GNU_HASH)
			tables.gnu_hash = entry.d_un.d_ptr;
	}
	*tables_ret = tables;
	return tables.symbols && tables.strings;
}

/* The hash table says how many there are; where there is only the other one, they end where the next table begins. */
static uint32_t image_symbol_count(const struct image *image, const struct tables *tables)
{
	uint64_t end = tables->strings;
	uint32_t counts[2]; /* of buckets, of symbols */

	if (tables->hash && image_read_address(image, tables->hash, counts, sizeof(counts)))
		return counts[1];
	if (tables->gnu_hash > tables->symbols &&
	    (end <= tables->symbols || tables->gnu_hash < end))
		end = tables->gnu_hash;
	return end > tables->symbols ? (uint32_t)((end - tables->symbols) / sizeof(Elf64_Sym)) : 0;
}

static bool symbol_is_descriptor(const struct image *image, const struct tables *tables,
				 const Elf64_Sym *symbol)
{
	static const char suffix[] = ".kd";
	uint64_t strings, length = 0;
	const char *name;

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_size != DESCRIPTOR_SIZE ||
	    ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT ||
	    symbol->st_name >= tables->strings_size ||
	    !image_place(image, tables->strings, tables->strings_size, &strings))
		return false;
	name = (const char *)image->bytes + strings + symbol->st_name;
	length = strnlen(name, tables->strings_size - symbol->st_name);
	return length < tables->strings_size - symbol->st_name && length >= sizeof(suffix) &&
	       !memcmp(name + length - (sizeof(suffix) - 1), suffix, sizeof(suffix));
}

typedef bool (*each_descriptor)(void *opaque, struct image *image, uint64_t address,
				uint64_t offset);

/* Calls it for each descriptor until it returns false. Returns how often it was called and returned true. */
static size_t image_each_descriptor(struct image *image, each_descriptor call, void *opaque)
{
	struct tables tables;
	Elf64_Sym symbol;
	uint32_t symbols;
	uint64_t offset;
	size_t count = 0;

	if (!image_find_tables(image, &tables))
		return 0;
	symbols = image_symbol_count(image, &tables);
	for (uint32_t i = 0;
	     i < symbols && image_read_address(image, tables.symbols + i * sizeof(symbol), &symbol,
					       sizeof(symbol));
	     i++) {
		if (!symbol_is_descriptor(image, &tables, &symbol) ||
		    !image_place(image, symbol.st_value, DESCRIPTOR_SIZE, &offset))
			continue;
		if (!call(opaque, image, symbol.st_value, offset))
			break;
		count++;
	}
	return count;
}

static bool descriptor_set(void *opaque, struct image *image, uint64_t address, uint64_t offset)
{
	const uint32_t *exceptions = opaque;
	uint32_t word;

	(void)address;
	memcpy(&word, image->bytes + offset + AT_RSRC2, sizeof(word));
	word |= *exceptions << EXCEPTIONS_SHIFT;
	memcpy(image->bytes + offset + AT_RSRC2, &word, sizeof(word));
	return true;
}

size_t wt_trapping_set(uint8_t *image, size_t size, uint32_t exceptions)
{
	struct image opened;

	exceptions &= WT_TRAPPED_ALL;
	return image_open(image, size, &opened)
		       ? image_each_descriptor(&opened, descriptor_set, &exceptions)
		       : 0;
}

/* ---- Copies ---- */

struct copy {
	struct copy *next;
	uint8_t *original; /* as it was, to know it again */
	uint8_t *changed;
	size_t size;
};

/* Functions of the runtime have no parameter for it. */
static struct copy *copies;
static pthread_mutex_t copies_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint32_t armed;

void wt_trapping_arm(uint32_t exceptions)
{
	atomic_store(&armed, exceptions & WT_TRAPPED_ALL);
}

static struct copy *copy_find(const void *image, size_t size)
{
	for (struct copy *copy = copies; copy; copy = copy->next)
		if (copy->size == size && !memcmp(copy->original, image, size))
			return copy;
	return NULL;
}

static struct copy *copy_create(const void *image, size_t size, uint32_t exceptions)
{
	struct copy *copy = calloc(1, sizeof(*copy));
	wt_cleanup_free uint8_t *original = malloc(size);
	wt_cleanup_free uint8_t *changed = malloc(size);

	if (!copy || !original || !changed) {
		free(copy);
		return NULL;
	}
	memcpy(original, image, size);
	memcpy(changed, image, size);
	if (!wt_trapping_set(changed, size, exceptions)) {
		free(copy);
		return NULL;
	}
	*copy = (struct copy){.next = copies,
			      .original = wt_take(original),
			      .changed = wt_take(changed),
			      .size = size};
	copies = copy;
	return copy;
}

const void *wt_trapping_copy(const void *image, size_t size)
{
	uint32_t exceptions = atomic_load(&armed);
	const struct copy *copy;

	if (!exceptions || !image || !size)
		return NULL;
	pthread_mutex_lock(&copies_lock);
	copy = copy_find(image, size);
	if (!copy)
		copy = copy_create(image, size, exceptions);
	pthread_mutex_unlock(&copies_lock);
	return copy ? copy->changed : NULL;
}

struct undoing {
	uint64_t loaded;
	bool (*write)(void *opaque, uint64_t address, const void *data, size_t size);
	void *opaque;
	bool failed;
};

static bool descriptor_undo(void *opaque, struct image *image, uint64_t address, uint64_t offset)
{
	struct undoing *undoing = opaque;

	undoing->failed |= !undoing->write(undoing->opaque, undoing->loaded + address + AT_RSRC2,
					   image->bytes + offset + AT_RSRC2, sizeof(uint32_t));
	return true;
}

static bool trapping_undo(uint64_t copy, uint64_t loaded,
			  bool (*write)(void *opaque, uint64_t address, const void *data,
					size_t size),
			  void *opaque)
{
	struct undoing undoing = {.loaded = loaded, .write = write, .opaque = opaque};
	const struct copy *found;
	struct image original;

	pthread_mutex_lock(&copies_lock);
	for (found = copies; found && (uintptr_t)found->changed != copy;)
		found = found->next;
	pthread_mutex_unlock(&copies_lock);
	if (found && image_open(found->original, found->size, &original))
		image_each_descriptor(&original, descriptor_undo, &undoing);
	return !undoing.failed;
}

/* ---- Turning them off ---- */

/* The kernel's way to the memory of a process, which leads to a GPU's, too, where the process has mapped it. */
static bool write_memory(void *opaque, uint64_t address, const void *data, size_t size)
{
	const int *file = opaque;

	return pwrite(*file, data, size, (off_t)address) == (ssize_t)size;
}

static void undo_code_object(const struct wt_agent_client *client,
			     amd_dbgapi_code_object_id_t object, int file)
{
	struct wt_uri uri;
	char *name = NULL;
	ptrdiff_t loaded = 0;

	if (client->api->code_object_get_info(object, AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS,
					      sizeof(loaded),
					      &loaded) != AMD_DBGAPI_STATUS_SUCCESS ||
	    client->api->code_object_get_info(object, AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME,
					      sizeof(name), &name) != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	wt_error_destroy(wt_uri_parse(name, &uri));
	if (uri.kind == WT_URI_MEMORY && uri.process == (uint64_t)getpid())
		trapping_undo(uri.offset, (uint64_t)loaded, write_memory, &file);
	wt_uri_deinit(&uri);
	free(name);
}

static void forget_in_kernels(const struct wt_agent_client *client)
{
	int file = open("/proc/self/mem", O_WRONLY | O_CLOEXEC);
	amd_dbgapi_code_object_id_t *objects = NULL;
	size_t count = 0;

	if (file < 0)
		return;
	wt_agent_client_look_for_code(client);
	if (client->api->process_code_object_list(client->process, &count, &objects, NULL) !=
	    AMD_DBGAPI_STATUS_SUCCESS)
		count = 0;
	for (size_t i = 0; i < count; i++)
		undo_code_object(client, objects[i], file);
	free(objects);
	close(file);
}

static bool find_mode(const struct wt_agent_client *client, amd_dbgapi_wave_id_t wave,
		      amd_dbgapi_register_id_t *id_ret)
{
	amd_dbgapi_register_id_t *ids = NULL;
	bool found = false;
	size_t count = 0;

	if (client->api->wave_register_list(wave, &count, &ids) != AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	for (size_t i = 0; i < count && !found; i++) {
		found = wt_agent_client_register_is(client, ids[i], "mode");
		*id_ret = ids[i];
	}
	free(ids);
	return found;
}

static void forget_in_wave(const struct wt_agent_client *client, amd_dbgapi_wave_id_t wave,
			   amd_dbgapi_register_id_t mode)
{
	uint32_t state = 0, value = 0;

	if (client->api->wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STATE, sizeof(state), &state) !=
		    AMD_DBGAPI_STATUS_SUCCESS ||
	    state != AMD_DBGAPI_WAVE_STATE_STOP ||
	    client->api->read_register(wave, mode, 0, sizeof(value), &value) !=
		    AMD_DBGAPI_STATUS_SUCCESS ||
	    !(value & MODE_EXCEPTIONS))
		return;
	value &= ~MODE_EXCEPTIONS;
	client->api->write_register(wave, mode, 0, sizeof(value), &value);
}

static void forget_in_waves(const struct wt_agent_client *client)
{
	amd_dbgapi_wave_id_t *waves = NULL;
	amd_dbgapi_register_id_t mode = {0};
	bool known = false;
	size_t count = 0;

	if (client->api->process_wave_list(client->process, &count, &waves, NULL) !=
	    AMD_DBGAPI_STATUS_SUCCESS)
		return;
	for (size_t i = 0; i < count; i++) {
		if (!known)
			known = find_mode(client, waves[i], &mode);
		if (known)
			forget_in_wave(client, waves[i], mode);
	}
	free(waves);
}

void wt_trapping_forget(const struct wt_agent_client *client)
{
	wt_trapping_arm(0);
	forget_in_kernels(client);
	forget_in_waves(client);
}
