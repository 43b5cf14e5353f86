/* SPDX-License-Identifier: MIT */
/*
 * Small traces of every kind, for a corpus to start from: closed, killed, of a ring, parts of a recording, packed ones,
 * and one in which little changes from stop to stop. Usage: seeds DIRECTORY
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/trace-format/sample.h"
#include "trace-format/rewrite/ring.h"
#include "trace-format/state/host-facts.h"
#include "trace-format/rewrite/rewrite.h"

#define WORDS 64u

static const char *directory;

static const char *place(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static char *text(const char *from)
{
	char *copy = strdup(from);

	if (!copy)
		abort();
	return copy;
}

/* One of everything that can be told of the machine and the program. */
static struct wt_host_frame *frame(void)
{
	struct wt_host_frame *made = calloc(1, sizeof(*made));

	if (!made)
		abort();
	*made = (struct wt_host_frame){
		0x1234, 4, text("main"), text("/usr/bin/program"), text("program.c"), 12};
	return made;
}

static void fill_allocations(struct wt_host *host)
{
	struct wt_host_allocation *allocation = WT_HOST_ADD(host, allocations);
	struct wt_host_stack *stack = WT_HOST_ADD(host, stacks);

	if (!allocation || !stack)
		abort();
	*allocation = (struct wt_host_allocation){
		.address = 0x7f0000000000,
		.size = 4096,
		.kind = WT_ALLOCATION_DEVICE,
		.agent = text("gfx942"),
		.made = {text("allocate"), -5, 4712, 1},
		.freed = {text("free"), 7, 4712, 1},
	};
	stack->frames = frame();
	stack->frame_count = 1;
	if (!WT_HOST_ADD(host, device_faults))
		abort();
	host->device_faults[0] = (struct wt_host_device_fault){1234, 0x7f0000001000};
	host->allocations_known = true;
}

static void fill_kernel_log(struct wt_host *host)
{
	struct wt_host_kernel_line *line = WT_HOST_ADD(host, kernel_lines);
	char **dump = WT_HOST_ADD(host, device_dumps);

	if (!line || !dump)
		abort();
	*line = (struct wt_host_kernel_line){-7, text("amdgpu 0000:03:00.0: page fault")};
	*dump = text("/sys/class/devcoredump/devcd1");
}

static void fill(struct wt_host *host)
{
	struct wt_host_version *version = WT_HOST_ADD(host, versions);
	struct wt_host_map *map = WT_HOST_ADD(host, maps);
	struct wt_host_thread *thread = WT_HOST_ADD(host, threads);
	struct wt_host_variable *variable = WT_HOST_ADD(host, environment);

	if (!version || !map || !thread || !variable)
		abort();
	host->process_id = 4711;
	host->executable = text("/usr/bin/program");
	*version = (struct wt_host_version){text("Linux"), text("6.1.0")};
	*map = (struct wt_host_map){0x1000, 0x3000, 0, "r-xp", text("/lib/libc.so"), {1, 2}, 2};
	*thread = (struct wt_host_thread){
		.id = 4712, .name = text("main"), .state = text("S"), .waiting = text("futex")};
	thread->frames = frame();
	thread->frame_count = 1;
	fill_allocations(host);
	fill_kernel_log(host);
	*variable = (struct wt_host_variable){text("HOME"), NULL};
}

static void record_host(struct wt_writer *writer)
{
	struct wt_host *host = wt_host_create();

	if (!host)
		abort();
	fill(host);
	sample_must(wt_writer_host(writer, host));
	wt_host_destroy(host);
}

/* @ring: stops to keep, 0: all. @close: else it is left as a kill would leave it. */
static void record(const char *name, uint64_t seed, uint32_t moments, uint32_t ring, bool close)
{
	struct sample sample = {.seed = seed,
				.moments = moments,
				.register_bytes = 24,
				.one_stop_each = true,
				.no_blocks_of_noise = true};
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;

	options.ring_stops = ring;
	options.turn_ring = wt_ring_turn;
	options.keyframe_interval = 3;
	options.policy = "waves=all";
	sample_must(wt_writer_create(place(name), &options, &writer));
	record_host(writer);
	sample_must(sample_record(&sample, writer));
	if (close) {
		sample_must(wt_writer_close(writer, "detached"));
	} else {
		sample_must(wt_tape_flush(writer->tape));
		wt_writer_abandon(writer);
	}
	sample_deinit(&sample);
}

/* Registers as lanes have them: each word as much more than the one before, or alike but for its lowest byte. */
static struct wt_bytes *words(uint32_t first, bool steps)
{
	struct wt_bytes *bytes = wt_bytes_create(NULL, 4 * (size_t)WORDS);

	if (!bytes)
		abort();
	for (uint32_t i = 0; i < WORDS; i++) {
		uint32_t word = htole32(first + (steps ? 0x10204 * i : i * i * 7919 % 251));

		memcpy(bytes->data + 4 * (size_t)i, &word, sizeof(word));
	}
	return bytes;
}

/* A wave's registers; from the second moment on words in the middle of them are others. */
static void put_registers(struct wt_state *state, uint64_t wave, uint32_t number, bool steps)
{
	struct wt_bytes *bytes = words(0x11223300, steps), *other = words(number << 28, steps);
	uint64_t handles[20];
	struct wt_item item = {.key = {.type = WT_ITEM_REGISTERS, .owner = wave},
			       .handles = handles,
			       .handle_count = 20,
			       .bytes = bytes};

	for (uint64_t i = 0; i < 20; i++)
		handles[i] = 500 + i;
	if (number)
		memcpy(bytes->data + 40, other->data + 40, 64);
	sample_must(wt_state_set(state, &item));
	wt_bytes_release(bytes);
	wt_bytes_release(other);
}

/* Bytes of which few change, and an object of which one answer does. */
static void put_others(struct wt_state *state, const uint32_t names[3], uint32_t number)
{
	uint8_t page[200] = {[100] = (uint8_t)number}, value[8] = {(uint8_t)number};
	struct wt_answer answers[] = {
		{.query = names[2], .value = (const uint8_t *)"name", .size = 4},
		{.query = names[0], .value = value, .size = sizeof(value)},
		{.query = names[1], .status = -5}};
	struct wt_item object = {.key = {.type = WT_ITEM_OBJECT, .kind = names[1], .owner = 3},
				 .answers = answers,
				 .answer_count = 3};
	struct wt_item memory = {.key = {.type = WT_ITEM_MEMORY, .kind = names[0], .owner = 1},
				 .bytes = wt_bytes_create(page, sizeof(page))};

	if (!memory.bytes)
		abort();
	sample_must(wt_state_set(state, &object));
	sample_must(wt_state_set(state, &memory));
	wt_bytes_release(memory.bytes);
}

static void record_changes(const char *name)
{
	const struct wt_moment stop = {.process = 1, .cause = WT_MOMENT_STOP};
	struct wt_writer_options options = sample_options();
	struct wt_state *state = wt_state_create();
	struct wt_writer *writer;
	uint32_t names[3];

	if (!state)
		abort();
	options.keyframe_interval = 4;
	sample_must(wt_writer_create(place(name), &options, &writer));
	names[0] = wt_writer_name(writer, "global");
	names[1] = wt_writer_name(writer, "wave");
	names[2] = wt_writer_name(writer, "AMD_DBGAPI_WAVE_INFO_PC");
	for (uint32_t number = 0; number < 6; number++) {
		put_registers(state, 1, number, true);
		put_registers(state, 2, number, false);
		put_others(state, names, number);
		sample_must(wt_writer_moment(writer, &stop, state));
	}
	sample_must(wt_writer_close(writer, "detached"));
	wt_state_destroy(state);
}

/* What is left of a trace that is cut out of another, and one of a single chunk. */
static void rewrite(const char *name)
{
	struct wt_rewrite result;
	struct wt_reader *reader;

	sample_must(wt_reader_open(place(name), &reader));
	sample_must(wt_trace_trim(reader, 3, 4, place("part"), NULL, &result));
	sample_must(wt_trace_repack(reader, place("packed"), NULL, &result));
	wt_reader_close(reader);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("Usage: seeds DIRECTORY\n", stderr);
		return 2;
	}
	directory = argv[1];
	record("closed", 41, 5, 0, true);
	record("killed", 42, 4, 0, false);
	record("ring", 43, 7, 2, true);
	record("killed-ring", 44, 7, 2, false);
	record_changes("changes");
	rewrite("closed");
	return 0;
}
