/* SPDX-License-Identifier: MIT */
#include "reads.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

struct counted_read reads[READS_MAX];
size_t read_count;
bool holes_are_told = true;
void (*meanwhile)(size_t number);

/* Names that the linker gives. */
ssize_t __real_pread64(int fd, void *data, size_t size, off_t offset);
ssize_t __wrap_pread64(int fd, void *data, size_t size, off_t offset);
off_t __real_lseek64(int fd, off_t offset, int whence);
off_t __wrap_lseek64(int fd, off_t offset, int whence);

ssize_t __wrap_pread64(int fd, void *data, size_t size, off_t offset)
{
	assert_true(read_count < READS_MAX);
	reads[read_count].offset = (uint64_t)offset;
	reads[read_count++].size = size;
	if (meanwhile)
		meanwhile(read_count);
	return __real_pread64(fd, data, size, offset);
}

off_t __wrap_lseek64(int fd, off_t offset, int whence)
{
	if (holes_are_told || whence != SEEK_DATA)
		return __real_lseek64(fd, offset, whence);
	errno = EINVAL;
	return -1;
}

uint64_t bytes_read(void)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < read_count; i++)
		bytes += reads[i].size;
	return bytes;
}

struct wt_reader *open_counted(const char *path)
{
	struct wt_reader *reader;

	read_count = 0;
	sample_must(wt_reader_open(path, &reader));
	return reader;
}

struct wt_block read_final(const char *path)
{
	struct wt_block block;
	size_t size;
	uint8_t *data = sample_read(path, &size);

	assert_int_equal(wt_block_decode(data + size - WT_BLOCK_SIZE, &block), WT_BLOCK_FINE);
	assert_int_equal(block.kind, WT_BLOCK_FOOTER);
	assert_int_equal(wt_block_decode(data + block.footer.final_offset, &block), WT_BLOCK_FINE);
	free(data);
	return block;
}

struct sample closed_sample(uint32_t moments, size_t register_bytes)
{
	return (struct sample){.seed = 61,
			       .moments = moments,
			       .register_bytes = register_bytes,
			       .one_stop_each = true,
			       .no_blocks_of_noise = true};
}
