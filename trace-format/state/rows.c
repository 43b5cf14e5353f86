/* SPDX-License-Identifier: MIT */
#include "trace-format/state/rows.h"

#include <endian.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The length, and how many words are in a row. */
#define HEAD_SIZE 5u
/* A row has a word for each lane of a wave: as many as these. */
#define WORDS_FEW 32u
#define WORDS_MANY 64u
/* A row's head: how many bytes of each word's difference there are, and what it is a difference to. */
#define WIDTH_MASK 7u
#define KIND_SHIFT 3
#define WIDTH_MAX 4u
/* Places that are looked at for a row, and rows that are looked at to find how long they are. */
#define TRIES 8u
#define SAMPLES 64u

/* Values that a word is expected to have. */
enum kind {
	ZERO,  /* 0 */
	LANE,  /* the word before it */
	SLOPE, /* that and what that was more than the one before it */
	ABOVE, /* that in the row before and what that was more than the one in the row before that one */
	SAME, /* the word in an earlier row, and it is */
	KINDS
};

/* Bytes behind the heads of the rows, of each kind. */
static const uint8_t number_sizes[KINDS] = {[LANE] = 4, [SLOPE] = 8, [SAME] = 2};

/* Words beside each other, as many as every processor of today takes at once. */
#define LANES 4u

typedef uint32_t lanes __attribute__((vector_size(LANES * sizeof(uint32_t))));
typedef int32_t signed_lanes __attribute__((vector_size(LANES * sizeof(int32_t))));
typedef float float_lanes __attribute__((vector_size(LANES * sizeof(float))));

/* A row as numbers; before the first lane are two that would have been, so that it needs no rule of its own. */
struct row {
	uint32_t before[LANES];
	uint32_t words[WORDS_MANY];
};

/* This row and the two before it. */
struct window {
	struct row rows[3];
	struct row *row, *above, *higher;
};

static lanes lanes_load(const uint32_t *words)
{
	lanes loaded;

	memcpy(&loaded, words, sizeof(loaded));
	return loaded;
}

static void lanes_store(uint32_t *words, lanes stored)
{
	memcpy(words, &stored, sizeof(stored));
}

/* Small numbers of both signs as small numbers: 0, -1, 1, -2, 2... become 0, 1, 2, 3, 4... */
static lanes fold(lanes words)
{
	return words << 1 ^ (lanes)((signed_lanes)words >> 31);
}

static uint32_t unfold(uint32_t word)
{
	return word >> 1 ^ (0u - (word & 1));
}

static struct window start_window(void)
{
	return (struct window){{{{0}, {0}}}, NULL, NULL, NULL};
}

/* Rows take each other's places; @number: of the row that comes next. */
static void window_turn(struct window *window, size_t number)
{
	window->row = &window->rows[number % 3];
	window->above = &window->rows[(number + 2) % 3];
	window->higher = &window->rows[(number + 1) % 3];
}

static void read_words(const uint8_t *data, unsigned int words, uint32_t *to)
{
	memcpy(to, data, words * sizeof(*to));
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		for (unsigned int i = 0; i < words; i++)
			to[i] = le32toh(to[i]);
}

static void write_words(const uint32_t *from, unsigned int words, uint8_t *to)
{
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
		memcpy(to, from, words * sizeof(*from));
		return;
	}
	for (unsigned int i = 0; i < words; i++) {
		uint32_t word = htole32(from[i]);

		memcpy(to + i * sizeof(word), &word, sizeof(word));
	}
}

static uint32_t row_read_word(const uint8_t *data)
{
	uint32_t word;

	read_words(data, 1, &word);
	return word;
}

/* ---- Encoding ---- */

static void row_read(const uint8_t *data, unsigned int words, struct row *row)
{
	uint32_t slope;

	read_words(data, words, row->words);
	slope = row->words[1] - row->words[0];
	row->before[LANES - 1] = row->words[0] - slope;
	row->before[LANES - 2] = row->words[0] - 2 * slope;
}

/* By what words of a row, from lane @i on, are more than what this kind expects. */
static lanes find_excess(const struct window *window, enum kind kind, unsigned int i)
{
	const uint32_t *words = window->row->words + i;
	lanes now = lanes_load(words);

	switch (kind) {
	case LANE:
		return now - lanes_load(words - 1);
	case SLOPE:
		return now - 2 * lanes_load(words - 1) + lanes_load(words - 2);
	case ABOVE:
		return now - 2 * lanes_load(window->above->words + i) +
		       lanes_load(window->higher->words + i);
	case ZERO:
	case SAME:
	case KINDS:
		break;
	}
	return now;
}

/* The cost of a kind: bits, about, and all bits that any word needs. */
struct cost {
	lanes bits, any;
};

/* The exponent of a number as a float is how many bits it has. */
static lanes count_bits(lanes words)
{
	lanes as_float = (lanes) __builtin_convertvector((signed_lanes)words, float_lanes);

	return (((as_float & 0x7fffffffu) >> 23) - 125u) & (lanes)(words != 0);
}

static inline __attribute__((always_inline)) void
add_cost(struct cost *cost, const struct window *window, enum kind kind, unsigned int i)
{
	lanes excess = find_excess(window, kind, i);

	cost->bits += count_bits(excess);
	cost->any |= fold(excess);
}

static uint32_t lanes_sum(lanes words)
{
	uint32_t total = 0;

	for (unsigned int i = 0; i < LANES; i++)
		total += words[i];
	return total;
}

static unsigned int find_width(lanes any)
{
	uint32_t all = any[0] | any[1] | any[2] | any[3];

	return all ? ((unsigned int)(31 - __builtin_clz(all)) / 8) + 1 : 0;
}

/* The head of a row that has not come before. */
static uint8_t window_choose_head(const struct window *window, unsigned int words)
{
	struct cost costs[SAME] = {0};
	uint32_t least = UINT32_MAX;
	unsigned int best = ZERO;

	for (unsigned int i = 0; i < words; i += LANES) {
		add_cost(&costs[ZERO], window, ZERO, i);
		add_cost(&costs[LANE], window, LANE, i);
		add_cost(&costs[SLOPE], window, SLOPE, i);
		add_cost(&costs[ABOVE], window, ABOVE, i);
	}
	for (unsigned int kind = ZERO; kind < SAME; kind++) {
		uint32_t bits = lanes_sum(costs[kind].bits) + 8u * number_sizes[kind];

		if (bits < least) {
			least = bits;
			best = kind;
		}
	}
	return (uint8_t)(best << KIND_SHIFT | find_width(costs[best].any));
}

/* How many rows before this one the same was; 0: it is new. */
static size_t find_same(struct wt_rows_seen *seen, const uint8_t *data, size_t number, size_t size)
{
	const uint8_t *row = data + number * size;
	const uint64_t hash = XXH3_64bits(row, size);
	struct wt_row_seen *place = NULL;
	size_t earlier;

	for (unsigned int i = 0; i < TRIES; i++) {
		place = &seen->places[(hash + i) % WT_ROWS_SEEN];
		if (place->row <= seen->before)
			break;
		earlier = place->row - seen->before - 1;
		if (place->hash == hash >> 32 && !memcmp(data + earlier * size, row, size))
			return number - earlier;
	}
	*place = (struct wt_row_seen){(uint32_t)(hash >> 32), seen->before + (uint32_t)number + 1};
	return 0;
}

static uint8_t *put_numbers(const struct row *row, uint8_t head, uint8_t *to)
{
	const uint32_t numbers[2] = {row->before[LANES - 1], row->words[1] - row->words[0]};
	const unsigned int size = number_sizes[head >> KIND_SHIFT];

	write_words(numbers, size / 4, to);
	return to + size;
}

/* One of the planes of a row. */
static void put_plane(const uint32_t *folded, unsigned int words, unsigned int plane, uint8_t *to)
{
	for (unsigned int i = 0; i < words; i++)
		to[i] = (uint8_t)(folded[i] >> 8 * plane);
}

/* How many rows have this plane. */
struct heights {
	size_t rows[WIDTH_MAX];
};

/* The heads of all rows, and their numbers. @end_ret: where these end. */
static struct heights put_heads(struct wt_rows_seen *seen, const uint8_t *data, size_t count,
				unsigned int words, uint8_t *heads, uint8_t **end_ret)
{
	struct window window = start_window();
	struct heights heights = {0};
	uint8_t *numbers = heads + count;

	if (count >= UINT32_MAX - seen->before)
		memset(seen, 0, sizeof(*seen));
	for (size_t i = 0; i < count; i++) {
		size_t same = find_same(seen, data, i, words * sizeof(uint32_t));

		window_turn(&window, i);
		row_read(data + i * words * sizeof(uint32_t), words, window.row);
		if (same) {
			heads[i] = SAME << KIND_SHIFT;
			*numbers++ = (uint8_t)same;
			*numbers++ = (uint8_t)(same >> 8);
			continue;
		}
		heads[i] = window_choose_head(&window, words);
		numbers = put_numbers(window.row, heads[i], numbers);
		for (unsigned int plane = 0; plane < (heads[i] & WIDTH_MASK); plane++)
			heights.rows[plane]++;
	}
	seen->before += (uint32_t)count;
	*end_ret = numbers;
	return heights;
}

/* The planes of all rows, the lowest ones first. Return: their end. */
static uint8_t *put_planes(const uint8_t *data, size_t count, unsigned int words,
			   const uint8_t *heads, const struct heights *heights, uint8_t *to)
{
	struct window window = start_window();
	uint8_t *planes[WIDTH_MAX + 1] = {to};

	for (unsigned int i = 0; i < WIDTH_MAX; i++)
		planes[i + 1] = planes[i] + heights->rows[i] * words;
	to = planes[WIDTH_MAX];
	for (size_t i = 0; i < count; i++) {
		const unsigned int width = heads[i] & WIDTH_MASK;
		uint32_t folded[WORDS_MANY];

		window_turn(&window, i);
		row_read(data + i * words * sizeof(uint32_t), words, window.row);
		for (unsigned int j = 0; width && j < words; j += LANES)
			lanes_store(
				folded + j,
				fold(find_excess(&window, (enum kind)(heads[i] >> KIND_SHIFT), j)));
		for (unsigned int plane = 0; plane < width; plane++) {
			put_plane(folded, words, plane, planes[plane]);
			planes[plane] += words;
		}
	}
	return to;
}

/*
 * Rows of 64 words, unless the words in the middle of such rows go on worse than those in the middle of their halves: then
 * two registers of 32 lanes are beside each other there.
 */
static unsigned int choose_words(const uint8_t *data, size_t size)
{
	const size_t bytes = WORDS_MANY * sizeof(uint32_t), count = size / bytes;
	const size_t step = count / SAMPLES + 1;
	struct window window = start_window();
	uint32_t middle = 0, quarters = 0;

	window_turn(&window, 0);
	for (size_t i = 0; i < count; i += step) {
		row_read(data + i * bytes, WORDS_MANY, window.row);
		middle += lanes_sum(count_bits(find_excess(&window, SLOPE, WORDS_MANY / 2)));
		quarters += lanes_sum(count_bits(find_excess(&window, SLOPE, WORDS_MANY / 4))) / 2;
		quarters +=
			lanes_sum(count_bits(find_excess(&window, SLOPE, WORDS_MANY / 4 * 3))) / 2;
	}
	return middle > quarters + quarters / 2 ? WORDS_FEW : WORDS_MANY;
}

size_t wt_rows_bound(size_t size)
{
	return HEAD_SIZE + size + size / (WORDS_FEW * sizeof(uint32_t)) * 9;
}

size_t wt_rows_encode(struct wt_rows_seen *seen, const uint8_t *data, size_t size, uint8_t *to)
{
	const unsigned int words = choose_words(data, size);
	const size_t count = size / (words * sizeof(uint32_t));
	const size_t tail = size - count * words * sizeof(uint32_t);
	const uint32_t length = (uint32_t)size;
	struct heights heights;
	uint8_t *end;

	write_words(&length, 1, to);
	to[HEAD_SIZE - 1] = (uint8_t)words;
	heights = put_heads(seen, data, count, words, to + HEAD_SIZE, &end);
	end = put_planes(data, count, words, to + HEAD_SIZE, &heights, end);
	if (tail)
		memcpy(end, data + size - tail, tail);
	return (size_t)(end - to) + tail;
}

/* ---- Decoding ---- */

/* Bytes of numbers and planes that go with the heads of rows; false if a head is none. */
static bool rows_measure(const uint8_t *heads, size_t count, size_t *numbers_ret,
			 struct heights *heights_ret)
{
	struct heights heights = {0};
	size_t numbers = 0;

	for (size_t i = 0; i < count; i++) {
		unsigned int kind = heads[i] >> KIND_SHIFT, width = heads[i] & WIDTH_MASK;

		if (kind >= KINDS || width > WIDTH_MAX || (kind == SAME && width))
			return false;
		numbers += number_sizes[kind];
		for (unsigned int plane = 0; plane < width; plane++)
			heights.rows[plane]++;
	}
	*numbers_ret = numbers;
	*heights_ret = heights;
	return true;
}

static size_t read_distance(const uint8_t *number)
{
	return number[0] | (size_t)number[1] << 8;
}

/* Does each row that was there before name one that was? */
static bool distances_fit(const uint8_t *heads, size_t count)
{
	const uint8_t *number = heads + count;

	for (size_t i = 0; i < count; i++) {
		unsigned int kind = heads[i] >> KIND_SHIFT;

		if (kind == SAME && (!read_distance(number) || read_distance(number) > i))
			return false;
		number += number_sizes[kind];
	}
	return true;
}

bool wt_rows_check(const uint8_t *from, size_t size, size_t *length_ret)
{
	size_t length, count, numbers, expected;
	struct heights heights;
	unsigned int words;

	if (size < HEAD_SIZE)
		return false;
	length = row_read_word(from);
	words = from[HEAD_SIZE - 1];
	if (words != WORDS_FEW && words != WORDS_MANY)
		return false;
	count = length / (words * sizeof(uint32_t));
	if (count > size - HEAD_SIZE || !rows_measure(from + HEAD_SIZE, count, &numbers, &heights))
		return false;
	/* Nothing of this is more than a few hundred times the size. */
	expected = HEAD_SIZE + count + numbers + length % (words * sizeof(uint32_t));
	for (unsigned int i = 0; i < WIDTH_MAX; i++)
		expected += heights.rows[i] * words;
	if (expected != size || !distances_fit(from + HEAD_SIZE, count))
		return false;
	*length_ret = length;
	return true;
}

/* Takes what words are more than expected, from the planes of a row. */
static void take_excess(const uint8_t *planes[WIDTH_MAX], unsigned int width, unsigned int words,
			uint32_t *excess)
{
	memset(excess, 0, words * sizeof(*excess));
	for (unsigned int plane = 0; plane < width; plane++) {
		for (unsigned int i = 0; i < words; i++)
			excess[i] |= (uint32_t)planes[plane][i] << 8 * plane;
		planes[plane] += words;
	}
	for (unsigned int i = 0; i < words; i++)
		excess[i] = unfold(excess[i]);
}

/* The words of a row from what they are more than expected. */
static void add_expected(struct window *window, enum kind kind, const uint8_t *number,
			 const uint32_t *excess, unsigned int words)
{
	uint32_t *row = window->row->words, before, slope;

	switch (kind) {
	case LANE:
		before = row_read_word(number);
		for (unsigned int i = 0; i < words; i++)
			row[i] = before += excess[i];
		return;
	case SLOPE:
		before = row_read_word(number);
		slope = row_read_word(number + sizeof(before));
		for (unsigned int i = 0; i < words; i++)
			row[i] = before += slope += excess[i];
		return;
	case ABOVE:
		for (unsigned int i = 0; i < words; i++)
			row[i] = excess[i] + 2 * window->above->words[i] - window->higher->words[i];
		return;
	case ZERO:
	case SAME:
	case KINDS:
		break;
	}
	memcpy(row, excess, words * sizeof(*row));
}

void wt_rows_decode(const uint8_t *from, uint8_t *to)
{
	const size_t length = row_read_word(from);
	const unsigned int words = from[HEAD_SIZE - 1];
	const size_t bytes = words * sizeof(uint32_t), count = length / bytes;
	const uint8_t *heads = from + HEAD_SIZE, *number = heads + count;
	const uint8_t *planes[WIDTH_MAX + 1];
	struct window window = start_window();
	struct heights heights = {0};
	size_t numbers = 0;

	/* No head is wrong: the rows have been checked. */
	rows_measure(heads, count, &numbers, &heights);
	planes[0] = number + numbers;
	for (unsigned int i = 0; i < WIDTH_MAX; i++)
		planes[i + 1] = planes[i] + heights.rows[i] * words;
	if (length % bytes)
		memcpy(to + count * bytes, planes[WIDTH_MAX], length % bytes);
	for (size_t i = 0; i < count; i++) {
		const enum kind kind = (enum kind)(heads[i] >> KIND_SHIFT);
		uint32_t excess[WORDS_MANY];

		window_turn(&window, i);
		if (kind == SAME) {
			read_words(to + (i - read_distance(number)) * bytes, words,
				   window.row->words);
		} else {
			take_excess(planes, heads[i] & WIDTH_MASK, words, excess);
			add_expected(&window, kind, number, excess, words);
		}
		write_words(window.row->words, words, to + i * bytes);
		number += number_sizes[kind];
	}
}
