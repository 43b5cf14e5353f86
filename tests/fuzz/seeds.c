/* SPDX-License-Identifier: MIT */
/*
 * Small traces of every kind, for a corpus to start from: closed, killed, of a ring, parts of a
 * recording and packed ones. Usage: seeds DIRECTORY
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/trace-format/sample.h"
#include "trace-format/host.h"
#include "trace-format/rewrite.h"

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
	thread->frames = calloc(1, sizeof(*thread->frames));
	if (!thread->frames)
		abort();
	thread->frame_count = 1;
	thread->frames[0] =
		(struct wt_host_frame){0x1234, 4, text("main"), text("/usr/bin/program")};
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
	rewrite("closed");
	return 0;
}
