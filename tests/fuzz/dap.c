/* SPDX-License-Identifier: MIT */
/* Any bytes as what an editor sends, over a trace that is right: a line that looks like a message gets its length, others are sent as they are. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/serve/dap.h"
#include "fuzz.h"

static void add_line(struct wt_buffer *input, const uint8_t *line, size_t size)
{
	if (size && line[0] == '{')
		wt_buffer_append_format(input, "Content-Length: %zu\r\n\r\n", size);
	wt_buffer_append(input, line, size);
	if (size && line[0] != '{')
		wt_buffer_append_text(input, "\n");
}

static int input_open(const uint8_t *data, size_t size)
{
	struct wt_buffer input = {0};
	int fd = memfd_create("input", MFD_CLOEXEC);

	while (size) {
		const uint8_t *end = memchr(data, '\n', size);
		size_t line = end ? (size_t)(end - data) : size;

		add_line(&input, data, line);
		data += line + (end != NULL);
		size -= line + (end != NULL);
	}
	FUZZ_CHECK(fd >= 0 && !input.failed);
	wt_error_destroy(wt_file_write_all(fd, input.data, input.size, "x", "x"));
	lseek(fd, 0, SEEK_SET);
	wt_buffer_deinit(&input);
	return fd;
}

/* Each answer is whole, and some request was fine. */
static void output_check(int fd)
{
	static char answers[1 << 20];
	struct wt_message_reader reader = {.framing = WT_FRAMING_LENGTH};
	char why[WT_MESSAGE_WHY];
	ssize_t size;

	lseek(fd, 0, SEEK_SET);
	while ((size = read(fd, answers, sizeof(answers))) > 0) {
		enum wt_message_result result;
		json_t *message;

		wt_message_reader_feed(&reader, answers, (size_t)size);
		while ((result = wt_message_next(&reader, &message, why)) == WT_MESSAGE_READ) {
			fuzz_reached += json_is_true(json_object_get(message, "success"));
			json_decref(message);
		}
		/* A message that is longer than a client may send is no mistake of ours. */
		if (result == WT_MESSAGE_MALFORMED)
			FUZZ_CHECK(strstr(why, "is longer than"));
	}
	wt_message_reader_deinit(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct wt_source_maps maps = {.count = 0};
	const struct wt_dap_options options = {.path = fuzz_neighbour("fault.wtape", WT_FUZZ_TRACE),
					       .maps = &maps};
	int input = input_open(data, size), output = memfd_create("output", MFD_CLOEXEC);

	FUZZ_CHECK(output >= 0);
	wt_error_destroy(wt_dap_serve(&options, input, output));
	output_check(output);
	close(input);
	close(output);
	return 0;
}
