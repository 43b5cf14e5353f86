/* SPDX-License-Identifier: MIT */
/*
 * Where a recorded program crashed: the wave, its kernel and the source line, by libwavetape.
 *
 *     cc crash-site.c -o crash-site $(pkg-config --cflags --libs wavetape)
 *     ./crash-site crash.wtape
 */
#include <inttypes.h>
#include <stdio.h>

#include <wavetape/wavetape.h>

/* Print an error as the command does. */
static int fail(struct wavetape_error *error)
{
	char text[1024];

	wavetape_error_message(error, text, sizeof(text));
	wavetape_error_destroy(error);
	fprintf(stderr, "crash-site: %s\n", text);
	return 1;
}

static struct wavetape_error *show(struct wavetape_stop *stop)
{
	struct wavetape_wave wave;
	struct wavetape_place place;
	struct wavetape_error *error;
	uint64_t number;

	wave.size = sizeof(wave);
	place.size = sizeof(place);
	error = wavetape_stop_telling_wave(stop, &number);
	if (!error)
		error = wavetape_wave_info(stop, number, &wave);
	if (!error)
		error = wavetape_wave_place(stop, number, &place);
	if (error)
		return error;
	printf("wave %" PRIu64 " of %s: %s:%u\n", number, wave.kernel ? wave.kernel : "?",
	       place.file ? place.file : "?", place.line);
	return NULL;
}

int main(int argc, char **argv)
{
	struct wavetape_trace *trace = NULL;
	struct wavetape_stop *stop = NULL;
	struct wavetape_error *error;

	if (argc != 2) {
		fprintf(stderr, "usage: crash-site TRACE\n");
		return 2;
	}
	error = wavetape_trace_open(argv[1], NULL, &trace);
	if (!error)
		error = wavetape_stop_open(trace, 0, &stop); /* the last one with a fault */
	if (!error)
		error = show(stop);
	wavetape_stop_close(stop);
	wavetape_trace_close(trace);
	return error ? fail(error) : 0;
}
