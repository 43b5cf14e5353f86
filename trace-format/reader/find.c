/* SPDX-License-Identifier: MIT */
/* Finds moments by the numbers of the chunks. */
#include "trace-format/reader/find.h"

#include "trace-format/reader/internal.h"
#include "trace-format/reader/notes.h"
#include "trace-format/reader/reader.h"

uint32_t wt_reader_moment_count(const struct wt_reader *reader)
{
	const struct wt_chunk_fields *last;

	if (!reader->places.count)
		return 0;
	last = &reader->places.at[reader->places.count - 1].entry.chunk;
	return last->first_moment + last->moments;
}

bool wt_reader_continues(const struct wt_reader *reader, size_t place)
{
	const struct wt_chunk_fields *fields = &reader->places.at[place].entry.chunk;

	return place + 1 < reader->places.count &&
	       reader->places.at[place + 1].entry.chunk.first_packet ==
		       fields->first_packet + fields->packets;
}

/* The end of a chunk: the number of the first one that is behind it. */
static uint64_t end_of(const struct wt_chunk_fields *fields, enum wt_counted counted)
{
	switch (counted) {
	case WT_COUNTED_PACKETS:
		return fields->first_packet + fields->packets;
	case WT_COUNTED_BLOBS:
		return (uint64_t)fields->first_blob + fields->blobs;
	case WT_COUNTED_MOMENTS:
		break;
	}
	return (uint64_t)fields->first_moment + fields->moments;
}

size_t wt_reader_place_from(const struct wt_reader *reader, enum wt_counted counted,
			    uint64_t number)
{
	size_t low = 0, high = reader->places.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (end_of(&reader->places.at[middle].entry.chunk, counted) <= number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t wt_reader_next_moment(const struct wt_reader *reader, uint32_t number)
{
	for (size_t i = wt_reader_place_from(reader, WT_COUNTED_MOMENTS, number);
	     i < reader->places.count; i++) {
		const struct wt_chunk_fields *fields = &reader->places.at[i].entry.chunk;

		if (fields->moments && !reader->places.at[i].damaged)
			return number > fields->first_moment ? number : fields->first_moment;
	}
	return wt_reader_moment_count(reader);
}

static bool has_moment(const struct wt_reader *reader, size_t place, uint32_t number)
{
	const struct wt_chunk_fields *fields;

	if (place >= reader->places.count)
		return false;
	fields = &reader->places.at[place].entry.chunk;
	return number >= fields->first_moment && number < end_of(fields, WT_COUNTED_MOMENTS);
}

/* Who plays a session back asks for one that is where the last one was, or behind it. */
static size_t place_of_moment(struct wt_reader *reader, uint32_t number)
{
	if (has_moment(reader, reader->places.last_moment, number))
		return reader->places.last_moment;
	if (has_moment(reader, reader->places.last_moment + 1, number))
		return ++reader->places.last_moment;
	reader->places.last_moment = wt_reader_place_from(reader, WT_COUNTED_MOMENTS, number);
	return reader->places.last_moment;
}

struct wt_error *wt_reader_find_moment(struct wt_reader *reader, uint32_t number, size_t *place_ret)
{
	size_t place = place_of_moment(reader, number);

	if (place == reader->places.count)
		return wt_reader_error(reader, WT_ERROR_NOT_FOUND,
				       "there is no moment %u; the trace has %u", number,
				       wt_reader_moment_count(reader));
	if (number < reader->places.at[place].entry.chunk.first_moment)
		return wt_reader_error(reader, WT_ERROR_NOT_FOUND,
				       "moment %u is lost in a damaged part of the file", number);
	*place_ret = place;
	return NULL;
}
