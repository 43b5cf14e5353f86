/* SPDX-License-Identifier: MIT */
/* "did you mean": the name that somebody may have meant who wrote a word that names nothing. */
#ifndef WT_BASE_GUESS_H
#define WT_BASE_GUESS_H

#include <stddef.h>

struct wt_guess {
	const char *word;
	const char *nearest; /* NULL if none of the names is near, or several are */
	size_t distance;     /* of the nearest names: how many letters differ */
};

/** Names further away than these letters are other words. */
#define WT_GUESS_FAR 3

static inline struct wt_guess wt_guess_begin(const char *word)
{
	return (struct wt_guess){.word = word, .distance = WT_GUESS_FAR};
}

/** Offers a name that could be meant. It has to stay. */
void wt_guess_offer(struct wt_guess *guess, const char *name);

#endif /* WT_BASE_GUESS_H */
