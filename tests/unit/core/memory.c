/* SPDX-License-Identifier: MIT */
#include "tests/unit/core/memory.h"

struct memory *memory_clear(void)
{
	static struct memory memory;

	memset(memory.bytes, 0, sizeof(memory.bytes));
	memory.size = MEMORY_SIZE;
	return &memory;
}

static size_t read_bytes(void *opaque, uint64_t address, void *data, size_t size)
{
	const struct memory *memory = opaque;
	uint64_t offset = address - MEMORY_ADDRESS;

	if (offset >= memory->size)
		return 0;
	size = size < memory->size - offset ? size : (size_t)(memory->size - offset);
	memcpy(data, memory->bytes + offset, size);
	return size;
}

struct wt_memory_view memory_view(struct memory *memory)
{
	return (struct wt_memory_view){.opaque = memory, .read = read_bytes};
}

void memory_put32(struct memory *memory, uint64_t address, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		memory->bytes[address - MEMORY_ADDRESS + (uint64_t)i] = (uint8_t)(value >> 8 * i);
}

void memory_put64(struct memory *memory, uint64_t address, uint64_t value)
{
	memory_put32(memory, address, (uint32_t)value);
	memory_put32(memory, address + 4, (uint32_t)(value >> 32));
}

void memory_expect_error(struct wt_error *error, enum wt_error_code code, const char *part)
{
	assert_non_null(error);
	if (error->code != code || (!strstr(error->why, part) && !strstr(error->where, part)))
		fail_msg("code %d, %s: %s: %s", (int)error->code, error->what, error->where,
			 error->why);
	wt_error_destroy(error);
}
