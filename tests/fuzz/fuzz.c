/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "trace-format/container/block.h"
#include "trace-format/reader/check.h"
#include "trace-format/state/host-facts.h"
#include "trace-format/container/tape.h"

/* What one input may cost, so that one that unpacks to a lot is no time-out. */
#define BUDGET ((uint64_t)4 << 20)
#define MOMENTS 32u

unsigned long fuzz_reached;

/*
 * The sanitizers' defaults: as many freed bytes kept back as one input frees, in place of 256 MiB of them, whose pages
 * cost more than the target; and few frames of who allocated. ASAN_OPTIONS of who looks at a report says otherwise.
 */
__attribute__((visibility("default"), used)) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=4:malloc_context_size=4";
}

static char directory[32];

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

static void remove_directory(void)
{
	nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_place(const char *name)
{
	static char path[64];

	if (!directory[0]) {
		snprintf(directory, sizeof(directory), "%s/wavetape-fuzz-XXXXXX",
			 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
		FUZZ_CHECK(mkdtemp(directory));
		atexit(remove_directory);
	}
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

const char *fuzz_neighbour(const char *name, const char *built)
{
	static char path[4096];
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *end;

	path[size < 0 ? 0 : size] = '\0';
	end = strrchr(path, '/');
	if (!end || (size_t)snprintf(end + 1, sizeof(path) - (size_t)(end + 1 - path), "%s",
				     name) >= sizeof(path) - (size_t)(end + 1 - path))
		return built;
	return access(path, R_OK) ? built : path;
}

const char *fuzz_save(const char *name, const void *data, size_t size)
{
	const char *path = fuzz_place(name);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	FUZZ_CHECK(fd >= 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
	FUZZ_CHECK(!ftruncate(fd, (off_t)size) && !close(fd));
	return path;
}

const char *fuzz_file(const void *data, size_t size)
{
	static int fds[2] = {-1, -1};
	static unsigned int turn;
	static char path[32];
	int fd;

	turn ^= 1;
	if (fds[turn] < 0)
		fds[turn] = memfd_create("fuzz.wtape", MFD_CLOEXEC);
	fd = fds[turn];
	/* Its pages stay from one input to the next. */
	FUZZ_CHECK(fd >= 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
	FUZZ_CHECK(!ftruncate(fd, (off_t)size));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

const char *fuzz_stage(const void *packets, size_t size)
{
	struct wt_block file = {.kind = WT_BLOCK_FILE,
				.flags = WT_BLOCK_REQUIRED,
				.file = {.major = WT_FORMAT_MAJOR}};
	struct wt_block stage = {.kind = WT_BLOCK_STAGE,
				 .flags = WT_BLOCK_INLINE,
				 .sequence = 1,
				 .stored = wt_block_align(size + WT_STAGE_ENTRY_HEAD),
				 .offset = WT_BLOCK_SIZE,
				 .chunk = {.first_call = 1,
					   .first_blob = 1,
					   .first_name = 1,
					   .keyframe = WT_NO_MOMENT}};
	wt_cleanup_buffer struct wt_buffer buffer = {0};
	uint8_t head[WT_BLOCK_SIZE];

	wt_block_encode(&file, head);
	wt_buffer_append(&buffer, head, sizeof(head));
	wt_block_encode(&stage, head);
	wt_buffer_append(&buffer, head, sizeof(head));
	wt_buffer_append_u32(&buffer, (uint32_t)size);
	wt_buffer_append_u32(&buffer, wt_stage_crc(1, 0, packets, size));
	wt_buffer_append(&buffer, packets, size);
	FUZZ_CHECK(!buffer.failed);
	return fuzz_file(buffer.data, buffer.size);
}

static void read_moments(struct wt_reader *reader)
{
	uint32_t count = wt_reader_moment_count(reader);

	for (uint32_t i = 0; i < count && i < MOMENTS; i++) {
		const struct wt_moment *moment;
		struct wt_state *state = NULL;
		struct wt_error *error = wt_reader_moment(reader, i, &moment);

		FUZZ_CHECK(error || moment->number == i);
		wt_error_destroy(error);
		error = wt_reader_state(reader, i, &state);
		FUZZ_CHECK(!error != !state);
		wt_error_destroy(error);
		for (size_t j = 1; state && j < wt_state_count(state); j++)
			FUZZ_CHECK(wt_key_compare(&wt_state_at(state, j - 1)->key,
						  &wt_state_at(state, j)->key) < 0);
		wt_state_destroy(state);
	}
}

static void read_journal(struct wt_reader *reader)
{
	const struct wt_journal_record *record = NULL;
	struct wt_journal *journal;
	struct wt_error *error = wt_journal_open(reader, &journal);

	if (error) {
		wt_error_destroy(error);
		return;
	}
	do
		error = wt_journal_next(journal, &record);
	while (!error && record);
	wt_error_destroy(error);
	wt_journal_close(journal);
}

static void read_host(struct wt_reader *reader)
{
	struct wt_host *host = NULL;
	struct wt_error *error = wt_reader_host(reader, &host);

	FUZZ_CHECK(!error || !host);
	wt_error_destroy(error);
	wt_host_destroy(host);
}

static void read_all(struct wt_reader *reader)
{
	struct wt_trace_info info;
	struct wt_check check;
	struct wt_error *error;

	fuzz_reached += wt_reader_moment_count(reader) > 0;
	wt_reader_info(reader, &info);
	FUZZ_CHECK(info.command_line && info.recorder);
	read_host(reader);
	read_moments(reader);
	read_journal(reader);
	if (wt_reader_moment_count(reader) > MOMENTS)
		return;
	error = wt_reader_examine(reader, NULL, &check);
	FUZZ_CHECK(error || check.whole == !wt_reader_damage(reader));
	FUZZ_CHECK(error || check.moments.lost <= check.moments.count);
	wt_error_destroy(error);
}

struct wt_error *fuzz_open(const char *path, struct wt_reader **reader_ret)
{
	const struct wt_reader_options options = {
		.size = sizeof(options), .decode_budget = BUDGET, .small_caches = true};

	return wt_reader_open_with(path, &options, reader_ret);
}

void fuzz_read(const char *path)
{
	struct wt_reader *reader;
	struct wt_error *error = fuzz_open(path, &reader);

	if (error) {
		FUZZ_CHECK(error->what && error->where && error->why);
		wt_error_destroy(error);
		return;
	}
	read_all(reader);
	wt_reader_close(reader);
}
