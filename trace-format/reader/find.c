/* SPDX-License-Identifier: MIT */
/* Where moments are, by the numbers of the chunks. */
#include "trace-format/reader/internal.h"

uint32_t wt_reader_moment_count(const struct wt_reader *reader)
{
	const struct wt_chunk_fields *last;

	if (!reader->place_count)
		return 0;
	last = &reader->places[reader->place_count - 1].entry.chunk;
	return last->first_moment + last->moments;
}

bool wt_reader_continues(const struct wt_reader *reader, size_t place)
{
	const struct wt_chunk_fields *fields = &reader->places[place].entry.chunk;

	return place + 1 < reader->place_count &&
	       reader->places[place + 1].entry.chunk.first_packet ==
		       fields->first_packet + fields->packets;
}

/* The first place that does not end before a moment: places without moments end where the next starts. */
static size_t place_from(const struct wt_reader *reader, uint32_t number)
{
	size_t low = 0, high = reader->place_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (reader->places[middle].entry.chunk.first_moment +
			    reader->places[middle].entry.chunk.moments <=
		    number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t wt_reader_next_moment(const struct wt_reader *reader, uint32_t number)
{
	for (size_t i = place_from(reader, number); i < reader->place_count; i++) {
		const struct wt_chunk_fields *fields = &reader->places[i].entry.chunk;

		if (fields->moments && !reader->places[i].damaged)
			return number > fields->first_moment ? number : fields->first_moment;
	}
	return wt_reader_moment_count(reader);
}

struct wt_error *wt_reader_find_moment(struct wt_reader *reader, uint32_t number, size_t *place_ret)
{
	size_t place = place_from(reader, number);

	if (place == reader->place_count)
		return wt_reader_error(reader, WT_ERROR_NOT_FOUND,
				       "there is no moment %u; the trace has %u", number,
				       wt_reader_moment_count(reader));
	if (number < reader->places[place].entry.chunk.first_moment)
		return wt_reader_error(reader, WT_ERROR_NOT_FOUND,
				       "moment %u is lost in a damaged part of the file", number);
	*place_ret = place;
	return NULL;
}
