/* SPDX-License-Identifier: MIT */
#include "base/guess.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MAX_WORD 32 /* letters of words that are compared */

/* How many letters have to be put in, left out, exchanged or swapped with the next one to make one word of the other. */
static size_t word_distance(const char *one, const char *other)
{
	size_t rows[3][MAX_WORD + 1], length = strlen(other);

	if (strlen(one) > MAX_WORD || length > MAX_WORD)
		return SIZE_MAX;
	for (size_t j = 0; j <= length; j++)
		rows[0][j] = j;
	for (size_t i = 1; one[i - 1]; i++) {
		size_t *row = rows[i % 3], *above = rows[(i - 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= length; j++) {
			size_t change = above[j - 1] + (one[i - 1] != other[j - 1]);
			size_t shorter = above[j] < row[j - 1] ? above[j] : row[j - 1];

			row[j] = change < shorter + 1 ? change : shorter + 1;
			if (i > 1 && j > 1 && one[i - 1] == other[j - 2] &&
			    one[i - 2] == other[j - 1] && rows[(i - 2) % 3][j - 2] + 1 < row[j])
				row[j] = rows[(i - 2) % 3][j - 2] + 1;
		}
	}
	return rows[strlen(one) % 3][length];
}

/* Is a word a name in which letters were typed more than once: "nn" for "n"? */
static bool word_stutters(const char *word, const char *name)
{
	while (*name && *word == *name) {
		bool is_letter = isalpha((unsigned char)*word);

		name++;
		word++;
		while (is_letter && *word == word[-1] && *word != *name)
			word++;
	}
	return !*word && !*name;
}

void wt_guess_offer(struct wt_guess *guess, const char *name)
{
	size_t distance = word_distance(guess->word, name), length = strlen(guess->word);

	/* Who wrote the beginning of a name wrote nothing wrong. */
	if (length >= 3 && !strncmp(name, guess->word, length))
		distance = 1;
	/* Half of a short word changed is another word. */
	if (distance > guess->distance ||
	    (2 * distance >= strlen(name) && !word_stutters(guess->word, name)) ||
	    (guess->nearest && !strcmp(guess->nearest, name)))
		return;
	guess->nearest = distance < guess->distance ? name : NULL;
	guess->distance = distance;
}
